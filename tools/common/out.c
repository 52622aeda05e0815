/*
 * Buffered output; see tools/common/out.h.
 */
#include "tools/common/out.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "tools/common/json.h"

#define MORE ((size_t)1 << 15)

static bool make_room(struct text *t, size_t size)
{
    char *more;

    if (t->room - t->len >= size)
        return true;
    more = realloc(t->s, t->len + size + MORE);
    if (!more)
        return false;
    t->s = more;
    t->room = t->len + size + MORE;
    return true;
}

static void end_line(struct text *t, size_t len)
{
    t->len += len;
    t->s[t->len++] = '\n';
}

bool text_decision(struct text *t, const struct og_decision *d, const struct og_source *source)
{
    size_t size = 8192, len = 0;

    while (make_room(t, size + 1)) {
        if (og_decision_write(d, source, t->s + t->len, t->room - t->len - 1, &len) == OG_OK) {
            end_line(t, len);
            return true;
        }
        size = len + 1;
    }
    return false;
}

bool text_order(struct text *t, const struct og_order *order, bool body, bool *written)
{
    size_t size = 4096, len = 0;

    *written = false;
    while (make_room(t, size + 1)) {
        char *to = t->s + t->len;
        size_t room = t->room - t->len - 1;
        enum og_status s = body ? og_order_body(order, to, room, &len) : og_order_line(order, to, room, &len);

        if (s == OG_OK) {
            end_line(t, len);
            return *written = true;
        }
        if (!len || s == OG_ENOMEM)
            return s != OG_ENOMEM;
        size = len + 1;
    }
    return false;
}

static bool append_line(struct text *t, const char *line, size_t len)
{
    if (!make_room(t, len + 1))
        return false;
    memcpy(t->s + t->len, line, len);
    end_line(t, len);
    return true;
}

bool text_cancel(struct text *t, const char *id, const char *account)
{
    char *line = NULL;
    size_t len = 0;
    FILE *to = open_memstream(&line, &len);
    bool ok;

    if (!to)
        return false;
    og_json(to, "{'op':'cancel','clientOrderId':%s", id);
    if (account[0])
        og_json(to, ",'accountId':%s", account);
    fputc('}', to);
    ok = fclose(to) == 0 && append_line(t, line, len);
    free(line);
    return ok;
}

bool text_bytes(struct text *t, const char *bytes)
{
    const size_t len = strlen(bytes);

    if (!make_room(t, len + 1))
        return false;
    memcpy(t->s + t->len, bytes, len);
    t->len += len;
    return true;
}

bool text_move(struct text *t, struct text *from)
{
    if (from->len == 0)
        return true;
    if (!make_room(t, from->len + 1))
        return false;
    memcpy(t->s + t->len, from->s, from->len);
    t->len += from->len;
    from->len = 0;
    return true;
}

bool text_heartbeat(struct text *t)
{
    static const char line[] = "{\"op\":\"heartbeat\"}";

    return append_line(t, line, sizeof line - 1);
}

bool out_bytes(struct out *o, const char *program, const char *bytes, size_t len)
{
    size_t done = 0;

    while (done < len && !o->failed) {
        ssize_t n = write(o->fd, bytes + done, len - done);

        if (n >= 0) {
            done += (size_t)n;
        } else if (errno != EINTR) {
            fprintf(stderr, "%s: %s: cannot be written: %s\n", program, o->name, strerror(errno));
            o->failed = true;
        }
    }
    return !o->failed;
}

bool out_text(struct out *o, const char *program, struct text *t)
{
    const bool ok = out_bytes(o, program, t->s, t->len);

    t->len = 0;
    return ok;
}
