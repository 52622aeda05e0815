/*
 * The request log: a ring of the newest requests with a bound on their number and on their bytes.
 * It refuses header values, so that no secret is in it.
 */
#include "paper/log.h"

#include <stdlib.h>
#include <string.h>

#include "paper/paper.h"

#include "base/banned.h"

#define MOST 100000
#define MOST_BYTES ((size_t)64 << 20)

struct entry {
    int64_t at;
    enum og_paper_method method;
    int status;
    bool effect;
    size_t path_len, body_len;
    char *text; /* path, then body */
};

struct og_paper_log {
    struct entry *ring;
    int64_t first, next; /* numbers from 1 of the oldest kept and the one to come */
    size_t bytes;
};

bool og_paper_log_init(struct og_paper *p)
{
    if (!p->options.control)
        return true;
    p->log = calloc(1, sizeof(*p->log));
    if (p->log)
        p->log->ring = calloc(MOST, sizeof(*p->log->ring));
    if (!p->log || !p->log->ring)
        return false;
    p->log->first = p->log->next = 1;
    return true;
}

static struct entry *at(struct og_paper_log *log, int64_t n)
{
    return &log->ring[n % MOST];
}

static void forget_oldest(struct og_paper_log *log)
{
    struct entry *e = at(log, log->first++);

    log->bytes -= e->path_len + e->body_len;
    free(e->text);
    e->text = NULL;
}

void og_paper_log_free(struct og_paper *p)
{
    if (p->log && p->log->ring)
        while (p->log->first < p->log->next)
            forget_oldest(p->log);
    if (p->log)
        free(p->log->ring);
    free(p->log);
    p->log = NULL;
}

void og_paper_log_add(struct og_paper *p, const struct og_paper_request *request, const struct og_paper_reply *reply,
                      bool effect)
{
    struct og_paper_log *log = p->log;
    size_t len = request->path.len + request->body.len;
    struct entry *e;
    char *text;

    if (!log || !(text = malloc(len + 1)))
        return;
    while (log->first < log->next && (log->next - log->first >= MOST || log->bytes + len > MOST_BYTES))
        forget_oldest(log);
    if (request->path.len)
        memcpy(text, request->path.s, request->path.len);
    if (request->body.len)
        memcpy(text + request->path.len, request->body.s, request->body.len);
    e = at(log, log->next++);
    *e = (struct entry){ og_paper_clock_now(&p->clock), request->method,   reply->mischief == OG_DROP ? 0 : reply->status,
                         effect,                        request->path.len, request->body.len,
                         text };
    log->bytes += len;
}

void og_paper_log_write(struct og_paper *p, int64_t since, struct og_buf *b)
{
    struct og_paper_log *log = p->log;
    int64_t n = since + 1 > log->first ? since + 1 : log->first;

    og_buf_text(b, "{\"requests\":[");
    for (; n < log->next; n++) {
        const struct entry *e = at(log, n);

        og_write_key(b, NULL);
        og_buf_char(b, '{');
        og_write_int(b, "n", n);
        og_write_str(b, "at", og_str_of(og_time_text(e->at).s));
        og_write_text(b, "method", og_paper_methods[e->method]);
        og_write_str(b, "path", (struct og_str){ e->text, e->path_len });
        og_write_str(b, "body", (struct og_str){ e->text + e->path_len, e->body_len });
        og_write_int(b, "status", e->status);
        og_write_bool(b, "effect", e->effect);
        og_buf_char(b, '}');
    }
    og_buf_text(b, "]}");
}
