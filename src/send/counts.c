/*
 * Counts of a run.  They begin at 0 with it, take a fixed amount of memory, and are written when somebody asks for a
 * snapshot.
 */
#include "send/counts.h"

#include <stdio.h>
#include <string.h>

#include "base/json_write.h"
#include "send/sender.h"

#define NS_PER_US UINT64_C(1000)

static const int64_t bounds[] = OG_HISTOGRAM_BOUNDS;
_Static_assert(sizeof bounds / sizeof bounds[0] == OG_HISTOGRAM_BUCKETS - 1, "one bucket more than bounds");

static void count_rule(struct og_counts *c, const char *rule)
{
    int i = 0;

    while (i < c->refusals && strcmp(c->refusal[i].rule, rule) != 0)
        i++;
    if (i == c->refusals && i < OG_COUNTED_RULES)
        snprintf(c->refusal[c->refusals++].rule, sizeof c->refusal[0].rule, "%s", rule);
    else if (i == c->refusals)
        i = OG_COUNTED_RULES;
    c->refusal[i].count++;
}

/* Returns true if an earlier finding of the decision comes from the same rule, and refuses too. */
static bool was_counted(const struct og_decision *d, int i)
{
    for (int k = 0; k < i; k++)
        if (d->findings[k].level == OG_LEVEL_REFUSE && strcmp(d->findings[k].rule, d->findings[i].rule) == 0)
            return true;
    return false;
}

void og_send_count_decision(struct og_sender *s, const struct og_decision *d)
{
    struct og_counts *c = &s->counts;

    if (d->accepted) {
        c->accepted++;
        return;
    }
    c->refused++;
    for (int i = 0; i < d->count; i++)
        if (d->findings[i].level == OG_LEVEL_REFUSE && !was_counted(d, i))
            count_rule(c, d->findings[i].rule);
}

void og_send_count_outcome(struct og_sender *s, const char *outcome)
{
    struct og_counts *c = &s->counts;
    int i = 0;

    while (i < c->outcomes && strcmp(c->outcome[i].name, outcome) != 0)
        i++;
    if (i == OG_COUNTED_OUTCOMES)
        return; /* the array has room for all outcomes that exist */
    if (i == c->outcomes)
        snprintf(c->outcome[c->outcomes++].name, sizeof c->outcome[0].name, "%s", outcome);
    c->outcome[i].count++;
}

void og_send_count_reload(struct og_sender *s, bool taken)
{
    ++*(taken ? &s->counts.reloads : &s->counts.reloads_rejected);
    s->counts.reload_failed = !taken;
}

void og_send_count_same_policy(struct og_sender *s)
{
    s->counts.reload_failed = false;
}

static void observe(struct og_histogram *h, uint64_t ns)
{
    const int64_t us = (int64_t)(ns / NS_PER_US);
    int i = 0;

    while (i < OG_HISTOGRAM_BUCKETS - 1 && us > bounds[i])
        i++;
    h->bucket[i]++;
    h->sum_us += us;
}

void og_send_count_commit(struct og_sender *s, uint64_t ns)
{
    observe(&s->counts.commit, ns);
}

void og_send_count_post(struct og_sender *s, uint64_t ns)
{
    observe(&s->counts.post, ns);
}

static void put_histogram(struct og_buf *b, const char *key, const struct og_histogram *h)
{
    og_member_key(b, key);
    og_buf_text(b, "{\"boundsUs\":[");
    for (int i = 0; i < OG_HISTOGRAM_BUCKETS - 1; i++) {
        og_buf_text(b, i ? "," : "");
        og_buf_int(b, bounds[i]);
    }
    og_buf_text(b, "],\"counts\":[");
    for (int i = 0; i < OG_HISTOGRAM_BUCKETS; i++) {
        og_buf_text(b, i ? "," : "");
        og_buf_int(b, h->bucket[i]);
    }
    og_buf_char(b, ']');
    og_member_int(b, "sumUs", h->sum_us);
    og_buf_char(b, '}');
}

static void put_count(struct og_buf *b, const char *key, const char *name, int64_t count)
{
    og_buf_text(b, b->s[b->len - 1] == '[' ? "{" : ",{");
    og_member_text(b, key, name);
    og_member_int(b, "count", count);
    og_buf_char(b, '}');
}

void og_send_write_counts(const struct og_sender *s, struct og_buf *b)
{
    const struct og_counts *c = &s->counts;

    og_member_key(b, "counts");
    og_buf_char(b, '{');
    og_member_int(b, "accepted", c->accepted);
    og_member_int(b, "refused", c->refused);
    og_member_key(b, "refusals");
    og_buf_char(b, '[');
    for (int i = 0; i < c->refusals; i++)
        put_count(b, "rule", c->refusal[i].rule, c->refusal[i].count);
    if (c->refusal[OG_COUNTED_RULES].count)
        put_count(b, "rule", "other", c->refusal[OG_COUNTED_RULES].count);
    og_buf_char(b, ']');
    og_member_key(b, "outcomes");
    og_buf_char(b, '[');
    for (int i = 0; i < c->outcomes; i++)
        put_count(b, "outcome", c->outcome[i].name, c->outcome[i].count);
    og_buf_char(b, ']');
    og_member_int(b, "reloads", c->reloads);
    og_member_int(b, "reloadsRejected", c->reloads_rejected);
    put_histogram(b, "commit", &c->commit);
    put_histogram(b, "post", &c->post);
    og_buf_char(b, '}');
}
