/*
 * The functions by which a program gives a sender its input: facts, lines, descriptors to read them from, and the
 * request to stop, and the run's id.  Lines are queued here and decided later.
 */
#include <stdlib.h>

#include "base/error.h"
#include "send/sender.h"
#include "text/doc.h"

/* Keep the client order ids that a facts file lists as used, since later documents replace the book's list of them. */
static void keep_used(struct og_sender *s, const char *json, size_t len)
{
    cJSON *doc = NULL;
    const cJSON *item;

    if (og_doc_read(json, len, "facts", &doc, NULL) == OG_OK) {
        cJSON_ArrayForEach (item, og_doc_get(doc, "usedClientOrderIds")) {
            (void)og_doc_text(item, &s->given_used);
            og_buf_char(&s->given_used, ',');
        }
    }
    cJSON_Delete(doc);
}

void og_send_distrust_future(struct og_sender *s)
{
    struct og_error err = { 0 };

    if (og_book_distrust_future(s->book, og_clock_now(&s->clock), &err))
        og_send_warn(s, "%s", err.text);
}

enum og_status og_sender_facts(struct og_sender *s, const char *json, size_t len, const char *name,
                               struct og_error *err)
{
    enum og_status status;

    if (!s)
        return og_missing(err);
    status = og_book_apply(s->book, NULL, json, len, name, err);
    if (status == OG_OK)
        keep_used(s, json, len);
    return status;
}

enum og_status og_sender_read(struct og_sender *s, int fd, const char *name)
{
    struct og_source_file *more;
    char *own;

    if (!s)
        return OG_EINVAL;
    more = realloc(s->file, ((size_t)s->files + 1) * sizeof *more);
    own = name ? strdup(name) : NULL;
    if (more)
        s->file = more;
    if (!more || (name && !own)) {
        free(own);
        return OG_ENOMEM;
    }
    s->file[s->files++] = (struct og_source_file){ .fd = fd, .name = own };
    return OG_OK;
}

enum og_status og_sender_line(struct og_sender *s, const char *bytes, size_t len)
{
    if (!s || (!bytes && len > 0))
        return OG_EINVAL;
    og_send_alive(s);
    if (!og_send_take_line(s, (struct og_origin){ ++s->given, -1, 0 }, bytes, len))
        return OG_ENOMEM;
    og_send_wake(s);
    return OG_OK;
}

void og_sender_hold(struct og_sender *s)
{
    if (!s)
        return;
    s->held = true;
}

void og_sender_end(struct og_sender *s)
{
    if (!s)
        return;
    s->held = false;
    og_send_wake(s);
}

void og_sender_stop(struct og_sender *s)
{
    if (!s)
        return;
    uv_async_send(&s->stop);
}

const char *og_sender_id(const struct og_sender *s)
{
    return s ? s->run.s : "";
}
