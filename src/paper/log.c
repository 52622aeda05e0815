/*
 * The request log: a ring of the newest requests, limited in number and bytes, and a file with a line for each request.
 * Header values are never logged, and bodies are never written to the file, so that the file contains no secret.
 */
#include "paper/log.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "paper/paper.h"

#define MOST       100000
#define MOST_BYTES ((size_t)64 << 20)

struct entry {
    int64_t at;
    enum og_serve_method method;
    int status;
    bool effect;
    size_t path_len, body_len;
    char *text; /* the path, followed by the body */
};

struct og_paper_log {
    FILE *file;          /* NULL if no file is written */
    struct og_buf line;  /* the line of the file that is being written */
    struct entry *ring;  /* NULL if no ring is kept */
    int64_t first, next; /* sequence numbers, from 1 on: first is that of the oldest entry kept, next that of the next
                          * entry */
    size_t bytes;
};

bool og_paper_log_init(struct og_paper *p)
{
    p->log = calloc(1, sizeof *p->log);
    if (!p->log)
        return false;
    og_buf_init(&p->log->line, 0);
    p->log->first = p->log->next = 1;
    p->log->ring = p->options.control ? calloc(MOST, sizeof *p->log->ring) : NULL;
    return p->log->ring || !p->options.control;
}

enum og_status og_paper_log_open(struct og_paper *p, const char *path, struct og_error *err)
{
    p->log->file = strcmp(path, "-") == 0 ? stdout : fopen(path, "ae");
    if (!p->log->file)
        return og_fail_because(err, OG_EIO, errno, "cannot open the request log '%s': %s", path, strerror(errno));
    return OG_OK;
}

static struct entry *entry_at(struct og_paper_log *log, int64_t n)
{
    return &log->ring[n % MOST];
}

static void forget_oldest(struct og_paper_log *log)
{
    struct entry *e = entry_at(log, log->first++);

    log->bytes -= e->path_len + e->body_len;
    free(e->text);
    e->text = NULL;
}

static void close_file(struct og_paper_log *log)
{
    if (log->file && log->file != stdout)
        fclose(log->file);
    log->file = NULL;
}

void og_paper_log_free(struct og_paper *p)
{
    if (!p->log)
        return;
    while (p->log->first < p->log->next)
        forget_oldest(p->log);
    close_file(p->log);
    og_buf_clear(&p->log->line);
    free(p->log->ring);
    free(p->log);
    p->log = NULL;
}

/* --- the file ----------------------------------------------------------------------------------------------------- */

static int sent_status(const struct og_paper_reply *reply)
{
    return reply->action == OG_PAPER_FAULT_DROP ? 0 : reply->status;
}

static void write_what(struct og_buf *b, int64_t at, enum og_serve_method method, struct og_str path)
{
    og_member_str(b, "at", og_str_of(og_time_text(at).s));
    og_member_text(b, "method", og_serve_methods[method]);
    og_member_str(b, "path", path);
}

/* Write a line for a request. If the file cannot be written, the service goes on, and reports once that lines are
 * missing. */
void og_paper_log_line(struct og_paper *p, const struct og_paper_request *request, const struct og_paper_reply *reply,
                       bool effect)
{
    struct og_paper_log *log = p->log;
    struct og_buf *b = &log->line;

    if (!log->file)
        return;
    og_buf_reset(b);
    og_buf_char(b, '{');
    write_what(b, og_paper_clock_now(&p->clock), request->method, request->path);
    og_member_str(b, "query", request->query);
    og_member_int(b, "status", sent_status(reply));
    og_member_int(b, "bytes", reply->content_type ? (int64_t)reply->body->len : 0);
    og_member_bool(b, "effect", effect);
    og_buf_text(b, "}\n");
    if (!b->bad && fwrite(b->s, 1, b->len, log->file) == b->len && fflush(log->file) == 0)
        return;
    fprintf(stderr, "ordergate-paper: cannot write the request log, which ends here: %s\n", strerror(errno));
    close_file(log);
}

/* --- the ring ----------------------------------------------------------------------------------------------------- */

static void add_entry(struct og_paper *p, const struct og_paper_request *request, int status, bool effect)
{
    struct og_paper_log *log = p->log;
    size_t len = request->path.len + request->body.len;
    struct entry *e;
    char *text = malloc(len + 1);

    if (!text)
        return;
    while (log->first < log->next && (log->next - log->first >= MOST || log->bytes + len > MOST_BYTES))
        forget_oldest(log);
    if (request->path.len)
        memcpy(text, request->path.s, request->path.len);
    if (request->body.len)
        memcpy(text + request->path.len, request->body.s, request->body.len);
    e = entry_at(log, log->next++);
    *e = (struct entry){
        og_paper_clock_now(&p->clock), request->method, status, effect, request->path.len, request->body.len, text
    };
    log->bytes += len;
}

void og_paper_log_add(struct og_paper *p, const struct og_paper_request *request, const struct og_paper_reply *reply,
                      bool effect)
{
    og_paper_log_line(p, request, reply, effect);
    if (p->log->ring)
        add_entry(p, request, sent_status(reply), effect);
}

void og_paper_log_write(struct og_paper *p, int64_t since, struct og_buf *b)
{
    struct og_paper_log *log = p->log;
    int64_t n = since + 1 > log->first ? since + 1 : log->first;

    og_buf_text(b, "{\"requests\":[");
    for (; n < log->next; n++) {
        const struct entry *e = entry_at(log, n);

        og_member_key(b, NULL);
        og_buf_char(b, '{');
        og_member_int(b, "n", n);
        write_what(b, e->at, e->method, (struct og_str){ e->text, e->path_len });
        og_member_str(b, "body", (struct og_str){ e->text + e->path_len, e->body_len });
        og_member_int(b, "status", e->status);
        og_member_bool(b, "effect", e->effect);
        og_buf_char(b, '}');
    }
    og_buf_text(b, "]}");
}
