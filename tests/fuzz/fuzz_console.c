/*
 * Fuzz: bytes as the status document that the console shows, as the reason of a halt and as a posted form.  Whatever
 * they say, the page has no element but those that the program writes, an event is one line, each line of the metrics
 * is a comment or a sample, and no form is accepted.
 */
#include <string.h>

#include "console/forms.h"
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
    static const char *const tags[] = { "!DOCTYPE", "a",      "body",     "button", "code",  "dd",       "div",
                                        "dl",       "dt",     "fieldset", "footer", "form",  "h1",       "h2",
                                        "head",     "header", "html",     "input",  "label", "legend",   "li",
                                        "link",     "main",   "meta",     "meter",  "nav",   "noscript", "p",
                                        "script",   "strong", "table",    "tbody",  "td",    "th",       "thead",
                                        "time",     "title",  "tr",       "ul" };

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

static const char *name(enum og_trading trading)
{
    return trading == OG_TRADING_HALTED ? "halted" : "other";
}

/* A halt whose reason is the document. */
static enum og_status read_halt(const char *path, struct og_halt *halt, struct og_error *err)
{
    const size_t len = strnlen(document, document_len < sizeof halt->reason ? document_len : sizeof halt->reason - 1);

    (void)path;
    (void)err;
    *halt = (struct og_halt){ .trading = OG_TRADING_HALTED };
    memcpy(halt->reason, document, len);
    return OG_OK;
}

/* The forms, and the document posted as one: without the token it never does anything. */
static void post(struct og_console_view *v, struct og_buf *b)
{
    const struct og_console_forms f = { .halts = { .name = name, .read = read_halt }, .token = "-", .token_path = "/" };
    const struct og_serve_head head = { .content_type = OG_STR("application/x-www-form-urlencoded") };
    const struct og_serve_request request = { &head, { document, document_len } };
    struct og_buf fields;

    og_buf_init(&fields, 0);
    for (int resume = 0; resume < 2; resume++) {
        struct og_serve_reply r = { .fields = &fields, .body = b };

        og_console_form(&f, resume, &r);
        check_tags(b);
        og_buf_reset(b);
        og_console_posted(&f, resume, &request, v, &r);
        DEMAND(r.status == 400 || r.status == 403);
        check_tags(b);
        og_buf_reset(b);
    }
    og_buf_clear(&fields);
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
    post(&v, &b);
    og_console_faults(&v, &b);
    DEMAND(!b.bad);
    og_buf_clear(&b);
    og_console_view_clear(&v);
    return 0;
}
