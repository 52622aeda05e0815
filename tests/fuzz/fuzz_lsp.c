/*
 * Fuzz: the input of the language server.  Bytes give the same answers whether they arrive at once or one by one; and
 * each line as the body of a message, after `initialize`, gives answers that are whole messages.
 */
#include <string.h>

#include "fuzz.h"
#include "lsp/frame.h"
#include "lsp/lsp.h"
#include "text/doc.h"

static const struct og_lsp_options options = { .lint = { .now = 1795000000000000000, .no_witness = true } };

static const char begin[] = "{\"id\":0,\"method\":\"initialize\",\"params\":{}}";

/* Demand that the output is a sequence of whole messages. */
static void look_at(struct og_str out)
{
    const char *why;
    struct og_str body;

    while (out.len > 0) {
        size_t n = og_lsp_frame(out, &body, &why);
        cJSON *message;

        DEMAND(n > 0 && !why);
        DEMAND(og_doc_read(body.s, body.len, "answer", &message, NULL) == OG_OK);
        cJSON_Delete(message);
        out = (struct og_str){ out.s + n, out.len - n };
    }
}

static void as_stream(const char *bytes, size_t len)
{
    struct og_lsp *whole = og_lsp_new(&options), *slow = og_lsp_new(&options);
    struct og_str a, b;
    const char *why, *other;
    bool goes_on;

    DEMAND(whole && slow);
    goes_on = og_lsp_feed(whole, bytes, len);
    for (size_t i = 0; i < len; i++)
        (void)og_lsp_feed(slow, bytes + i, 1);
    DEMAND(og_lsp_feed(slow, "", 0) == goes_on);
    og_lsp_settle(whole);
    og_lsp_settle(slow);
    a = og_lsp_output(whole);
    b = og_lsp_output(slow);
    DEMAND(a.len == b.len && (a.len == 0 || memcmp(a.s, b.s, a.len) == 0));
    look_at(a);
    DEMAND(og_lsp_exit_code(whole, &why) == og_lsp_exit_code(slow, &other) && why == other);
    og_lsp_free(whole);
    og_lsp_free(slow);
}

static void feed_body(struct og_lsp *s, const char *body, size_t len)
{
    char head[64];
    int n = snprintf(head, sizeof head, "Content-Length: %zu\r\n\r\n", len);

    (void)og_lsp_feed(s, head, (size_t)n);
    (void)og_lsp_feed(s, body, len);
}

static void as_messages(const char *bytes, size_t len)
{
    struct og_lsp *s = og_lsp_new(&options);
    const char *why;

    DEMAND(s);
    feed_body(s, begin, strlen(begin));
    while (len > 0) {
        const char *end = memchr(bytes, '\n', len);
        size_t n = end ? (size_t)(end - bytes) : len;

        feed_body(s, bytes, n);
        n += n < len;
        bytes += n;
        len -= n;
    }
    og_lsp_settle(s);
    look_at(og_lsp_output(s));
    (void)og_lsp_exit_code(s, &why);
    DEMAND(!why); /* each head was right */
    og_lsp_free(s);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t len)
{
    as_stream((const char *)bytes, len);
    as_messages((const char *)bytes, len);
    return 0;
}
