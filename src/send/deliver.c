/*
 * Passes on the events of an iteration of the loop. They wait until the ledger has committed, so that nothing is
 * reported before it is recorded.
 */
#include "base/error.h"
#include "send/event.h"

/* Write the event to *b, with a member that says that the ledger lacks the event's record. */
static void mark(struct og_buf *b, const char *line, size_t len)
{
    og_buf_reset(b);
    og_buf_bytes(b, line, len - 1);
    og_buf_text(b, ",\"recorded\":false}");
}

static void hand_over(struct og_sender *s)
{
    char *line = s->told.events.s, *end_of_all = s->told.events.s + s->told.events.len, *newline;
    const char *to = s->told.writers.s;
    struct og_buf marked;
    struct og_str one;
    uint64_t writer;

    og_buf_init(&marked, 0);
    while (line < end_of_all && (newline = memchr(line, '\n', (size_t)(end_of_all - line)))) {
        *newline = '\0';
        one = (struct og_str){ line, (size_t)(newline - line) };
        if (s->records.behind) {
            mark(&marked, one.s, one.len);
            if (!marked.bad)
                one = (struct og_str){ marked.s, marked.len };
        }
        memcpy(&writer, to, sizeof writer);
        to += sizeof writer;
        if (writer > 0)
            og_send_intake_answer(s, writer, one.s, one.len);
        if (!s->told.deaf && s->options.event && s->options.event(s->options.with, one.s, one.len) != 0)
            s->told.deaf = true;
        line = newline + 1;
    }
    og_buf_clear(&marked);
}

void og_send_flush(struct og_sender *s)
{
    struct og_error err = { 0 };
    bool was_deaf = s->told.deaf;

    og_send_latches_due(s);
    (void)og_send_commit(s);
    if (s->told.events.bad || s->told.writers.bad) {
        og_fail(&err, OG_ENOMEM, "out of memory for events");
        og_send_fatal(s, 4, &err);
    }
    if (s->told.events.len > 0 && !og_send_keeps_events(s)) {
        if (!s->told.writers.bad)
            hand_over(s);
        og_buf_reset(&s->told.events);
        og_buf_reset(&s->told.writers);
    }
    if (s->told.deaf && !was_deaf) {
        og_fail(&err, OG_EIO, "events cannot be written; nothing more is posted");
        og_send_fatal(s, 4, &err);
    }
}
