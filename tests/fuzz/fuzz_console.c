/*
 * Fuzz: bytes as the status document that the console shows.  Whatever it says, the page has no element but those that
 * the program writes, an event is one line, and each line of the metrics is a comment or a sample.
 */
#include <string.h>

#include "console/metrics.h"
#include "console/page.h"
#include "fuzz.h"

static const char *document;
static size_t document_len;

static enum og_status ask(const struct og_desk_options *options, og_desk_listener *line, void *with,
                          bool *needs_somebody, struct og_error *err)
{
    (void)options;
    (void)err;
    *needs_somebody = false;
    return line(with, document, document_len) ? OG_EIO : OG_OK;
}

/* Returns true if a tag of this name is written by the program. */
static bool is_ours(const char *tag, size_t len)
{
    static const char *const tags[] = { "!DOCTYPE", "a",    "body",  "code",     "dd",     "div",    "dl",     "dt",
                                        "footer",   "h1",   "h2",    "head",     "header", "html",   "li",     "link",
                                        "main",     "meta", "meter", "noscript", "p",      "script", "strong", "table",
                                        "tbody",    "td",   "th",    "thead",    "time",   "title",  "tr",     "ul" };

    for (size_t i = 0; i < sizeof tags / sizeof tags[0]; i++)
        if (strlen(tags[i]) == len && memcmp(tags[i], tag, len) == 0)
            return true;
    return false;
}

static void check_tags(const struct og_buf *b)
{
    const char *end = b->s + b->len;

    for (const char *at = b->s; (at = memchr(at, '<', (size_t)(end - at)));) {
        const char *name = at + (at[1] == '/' ? 2 : 1), *stop = name;

        while (stop < end && *stop != '>' && *stop != ' ')
            stop++;
        DEMAND(is_ours(name, (size_t)(stop - name)));
        at = stop;
    }
}

static void check_event(const struct og_buf *b)
{
    static const char begin[] = "event: state\ndata: ";

    DEMAND(b->len > sizeof begin && memcmp(b->s, begin, sizeof begin - 1) == 0);
    DEMAND(memcmp(b->s + b->len - 2, "\n\n", 2) == 0);
    DEMAND(!memchr(b->s + sizeof begin - 1, '\n', b->len - (sizeof begin - 1) - 2));
    DEMAND(!memchr(b->s, '\r', b->len));
}

static void check_metrics(const struct og_buf *b, bool open)
{
    const char *at = b->s, *end = b->s + b->len, *stop;

    for (; at < end; at = stop + 1) {
        stop = memchr(at, '\n', (size_t)(end - at));
        DEMAND(stop && (*at == '#' || (stop - at > 10 && memcmp(at, "ordergate_", 10) == 0)));
    }
    DEMAND(!open || (b->len > 6 && memcmp(end - 6, "# EOF\n", 6) == 0));
}

static void show(struct og_console_view *v, struct og_buf *b, bool open)
{
    og_console_metrics(v, open, b);
    DEMAND(!b->bad);
    check_metrics(b, open);
    og_buf_reset(b);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t len)
{
    struct og_console_view v = { .ask = ask, .sender = 1 };
    struct og_buf b;

    document = (const char *)bytes;
    document_len = len;
    og_buf_init(&b, 0);
    og_console_look(&v);
    show(&v, &b, false);
    show(&v, &b, true);
    og_console_page(&v, &b);
    check_tags(&b);
    og_buf_reset(&b);
    og_console_event(&v, &b);
    check_tags(&b);
    check_event(&b);
    og_buf_reset(&b);
    og_console_faults(&v, &b);
    DEMAND(!b.bad);
    og_buf_clear(&b);
    og_console_view_clear(&v);
    return 0;
}
