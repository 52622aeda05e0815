/*
 * ordergate check with --emit: refused orders are not in the output, and in a pipe nobody sees the exit status.  So
 * stderr gets, at the end, the number of refused orders and the most frequent reason. Orders refused because of stale
 * facts are reported at once.
 */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tools/common/check.h"

static const char *name_of(const char *file)
{
    return file ? file : "stdin";
}

/* Returns the entry of a reason; NULL: memory ran out, and the reason is not counted. */
static struct refusal *entry_of(struct check *c, const struct og_finding *f, long long line)
{
    struct refusal *r;

    for (size_t i = 0; i < c->refusal_count; i++)
        if (strcmp(c->refusal[i].reason, f->reason) == 0)
            return &c->refusal[i];
    r = reallocarray(c->refusal, c->refusal_count + 1, sizeof *r);
    if (!r)
        return NULL;
    c->refusal = r;
    r += c->refusal_count;
    *r = (struct refusal){ .reason = strdup(f->reason), .message = strdup(f->message), .file = c->file, .line = line };
    if (r->reason && r->message) {
        c->refusal_count++;
        return r;
    }
    free(r->reason);
    free(r->message);
    return NULL;
}

static bool is_told_before(const struct og_decision *d, int i)
{
    for (int k = 0; k < i; k++)
        if (d->findings[k].level == OG_LEVEL_REFUSE && strcmp(d->findings[k].reason, d->findings[i].reason) == 0)
            return true;
    return false;
}

/* Print what to do about stale facts. */
static void tell_stale(const struct check *c, const char *message, long long line)
{
    const char *path = c->facts.count == 1 && strcmp(c->facts.item[0], "-") != 0 ? c->facts.item[0] : NULL;

    fprintf(stderr, "ordergate check: %s:%lld: refused for old facts: %s; ", name_of(c->file), line, message);
    if (c->at != OG_TIME_UNKNOWN)
        fprintf(stderr, "give facts that are young enough at the time of --at\n");
    else
        fprintf(stderr,
                "replace %s again and again (ordergate broker facts -o %s): check reads it anew when it has "
                "changed\n",
                path ? path : "the file of --facts", path ? path : "FILE");
}

void check_count_refusal(struct check *c, const struct og_decision *d, long long line)
{
    static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

    pthread_mutex_lock(&lock);
    for (int i = 0; i < d->count; i++) {
        const struct og_finding *f = &d->findings[i];
        struct refusal *r = f->level == OG_LEVEL_REFUSE && !is_told_before(d, i) ? entry_of(c, f, line) : NULL;

        if (r)
            r->orders++;
        if (f->level == OG_LEVEL_REFUSE && f->stale && !c->stale_told) {
            c->stale_told = true;
            tell_stale(c, f->message, line);
        }
    }
    pthread_mutex_unlock(&lock);
}

void check_tell_refusals(const struct check *c)
{
    const struct refusal *most = NULL;

    if (c->emit == EMIT_DECISIONS || !c->refusals)
        return;
    for (size_t i = 0; i < c->refusal_count; i++)
        if (!most || c->refusal[i].orders > most->orders)
            most = &c->refusal[i];
    fprintf(stderr, "ordergate check: %lld of %lld %s refused, and not written", c->refusals, c->orders,
            c->emit == EMIT_LINES ? "orders and cancels" : "orders");
    if (most)
        fprintf(stderr, "; most often (%lld) for %s, first %s:%lld: %s", most->orders, most->reason,
                name_of(most->file), most->line, most->message);
    if (c->rejects_path)
        fprintf(stderr, "; %s has the decisions\n", c->rejects_path);
    else
        fprintf(stderr, "; --rejects FILE writes the decisions to FILE\n");
}

void check_free_refusals(struct check *c)
{
    for (size_t i = 0; i < c->refusal_count; i++) {
        free(c->refusal[i].reason);
        free(c->refusal[i].message);
    }
    free(c->refusal);
}
