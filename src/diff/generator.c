/*
 * Decides probes one at a time: each is written out, decided by both policies, and reported if the decisions differ.
 * The result depends only on the policies, the facts given and the seed.
 */
#include "diff/generator.h"

#define SETTLE_WORDS 16

static uint64_t next(struct og_generator *m)
{
    uint64_t z = m->seed += UINT64_C(0x9E3779B97F4A7C15); /* splitmix64 */

    z = (z ^ (z >> 30)) * UINT64_C(0xBF58476D1CE4E5B9);
    z = (z ^ (z >> 27)) * UINT64_C(0x94D049BB133111EB);
    return z ^ (z >> 31);
}

size_t og_generator_below(struct og_generator *m, size_t n)
{
    return (size_t)(next(m) % n);
}

bool og_generator_moves(const struct og_generator *m, enum og_slot slot)
{
    return slot == OG_AT_NOW ? m->now == OG_TIME_UNKNOWN : slot != OG_AT_ACCOUNT || m->own_account;
}

/* Load the probe's facts into the book, unless the book still has the same facts from the probe before. */
static enum og_status enter(struct og_generator *m, const struct og_probe *w)
{
    struct og_error err = { 0 };
    enum og_status status;

    og_buf_reset(&m->facts);
    og_buf_reset(&m->line);
    og_probe_facts(w, &m->facts);
    og_probe_order(w, &m->line);
    if (m->facts.bad || m->line.bad)
        return OG_ENOMEM;
    if (m->last.len == m->facts.len && memcmp(m->last.s, m->facts.s, m->facts.len) == 0)
        return OG_OK;
    og_buf_reset(&m->last);
    og_buf_str(&m->last, (struct og_str){ m->facts.s, m->facts.len });
    status = og_diff_book(m->d, m->facts.s, m->facts.len, &err);
    if (status != OG_OK)
        og_buf_reset(&m->last);
    return status == OG_ESYNTAX ? OG_EFACTS : status;
}

/* Decide the probe by both policies. Returns OG_EFACTS if its facts cannot exist, or OG_ENOMEM. */
static enum og_status decide(struct og_generator *m, const struct og_probe *w, struct og_decision decision[2])
{
    enum og_status status = enter(m, w);

    return status ? status : og_diff_decide(m->d, m->line.s, m->line.len, w->v[OG_AT_NOW].ns, decision);
}

static enum og_status tell(struct og_generator *m, const struct og_probe *w, enum og_diff_what what)
{
    struct og_diff_change change = {
        .what = what, .at = w->v[OG_AT_NOW].ns, .finding = m->d->finding, .count = m->d->findings
    };

    og_buf_reset(&m->words);
    og_probe_words(w, &m->words);
    change.order = m->line.s;
    change.facts = m->facts.s;
    change.with = m->words.s;
    if (m->words.bad)
        return OG_ENOMEM;
    m->listener(m->with, &change);
    return OG_OK;
}

/* Returns true if no rule refuses the order except, perhaps, the rule that is being probed. */
static bool may_pass(const struct og_generator *m, const struct og_decision *d)
{
    for (int i = 0; i < d->count; i++)
        if (d->findings[i].level == OG_LEVEL_REFUSE && !og_str_is(m->probed, d->findings[i].rule))
            return false;
    return true;
}

enum og_status og_generator_try(struct og_generator *m, const struct og_probe *w, bool *passes)
{
    struct og_decision decision[2];
    enum og_diff_what what;
    enum og_status status;

    if (passes)
        *passes = false;
    if (m->left == 0)
        return OG_OK;
    status = decide(m, w, decision);
    m->left--;
    if (status != OG_OK)
        return status;
    if (passes)
        *passes = may_pass(m, &decision[0]) || may_pass(m, &decision[1]);
    what = og_diff_compare(m->d, decision);
    return what == OG_DIFF_SAME || !m->listener ? OG_OK : tell(m, w, what);
}

/* --- probes that are accepted ------------------------------------------------------------------------------------- */

static int refusals(const struct og_decision decision[2])
{
    int count = 0;

    for (int i = 0; i < 2; i++)
        for (int k = 0; k < decision[i].count; k++)
            count += decision[i].findings[k].level == OG_LEVEL_REFUSE;
    return count;
}

/* Slots whose values policies often restrict.  The other slots keep their defaults, which policies usually accept. */
static const enum og_slot to_settle[] = { OG_AT_QUANTITY, OG_AT_SYMBOL, OG_AT_ROUTE, OG_AT_TIF,
                                          OG_AT_TYPE,     OG_AT_LIMIT,  OG_AT_DAYS,  OG_AT_NOW,
                                          OG_AT_EASY,     OG_AT_HELD,   OG_AT_CASH,  OG_AT_LOCATED };

/* Try values of a slot, and keep the first value with which fewer than *best rules refuse the order. */
static enum og_status settle_slot(struct og_generator *m, struct og_probe *w, enum og_slot slot,
                                  const struct og_hints *named, int *best)
{
    struct og_money none[2] = { { 0, 0 }, { 0, 0 } };
    struct og_decision decision[2];
    enum og_status status = OG_OK;

    og_candidates(w, slot, named, 0, none, &m->candidates);
    for (size_t i = 0; i<m->candidates.count && * best> 0 && status == OG_OK; i++) {
        struct og_probe other = *w;

        other.v[slot] = m->candidates.v[i];
        status = decide(m, &other, decision);
        if (status == OG_OK && refusals(decision) < *best) {
            *best = refusals(decision);
            *w = other;
        }
        status = status == OG_EFACTS ? OG_OK : status;
    }
    return status;
}

/* Change one slot after the other while that lowers the number of rules that refuse the order, until none refuses or no
 * change helps. */
static enum og_status settle(struct og_generator *m, struct og_probe *w, const struct og_hints *named)
{
    struct og_decision decision[2];
    enum og_status status = decide(m, w, decision);
    int best = status ? 0 : refusals(decision), before = best + 1;

    while (best > 0 && best < before && status == OG_OK) {
        before = best;
        for (size_t i = 0; i < sizeof to_settle / sizeof to_settle[0] && status == OG_OK; i++)
            if (og_generator_moves(m, to_settle[i]))
                status = settle_slot(m, w, to_settle[i], named, &best);
    }
    return status == OG_EFACTS ? OG_OK : status;
}

enum og_status og_generator_cost(struct og_generator *m, const struct og_probe *w, struct og_money required[2])
{
    struct og_decision decision[2];
    struct og_margin_info info;
    enum og_status status = decide(m, w, decision);

    for (int i = 0; i < 2; i++) {
        required[i] = og_money_from(0);
        if (status != OG_OK || w->scene->request)
            continue;
        m->d->book->policy = m->d->policy[i];
        og_margin_ask(m->d->book, m->d->order, w->v[OG_AT_NOW].ns, m->d->scratch[i], &info);
        required[i] = info.required;
    }
    return status == OG_EFACTS ? OG_OK : status;
}

/* Keep only the hints that help an order to pass: words and times.  Limits are dropped, since the usual small order is
 * within them. */
static void keep_words_and_times(struct og_hints *h)
{
    size_t count = 0, words = 0;

    for (size_t i = 0; i < h->count; i++)
        if (h->item[i].kind == OG_HINT_INSTANT || h->item[i].kind == OG_HINT_CLOCK ||
            (h->item[i].kind == OG_HINT_WORD && words++ < SETTLE_WORDS))
            h->item[count++] = h->item[i];
    h->count = count;
}

enum og_status og_generator_begin(struct og_generator *m, struct og_hints *named)
{
    enum og_status status = OG_OK;

    keep_words_and_times(named);
    for (size_t i = 0; i < og_probe_templates_count && status == OG_OK; i++) {
        og_probe_begin(&m->base[i], &og_probe_templates[i]);
        memcpy(m->base[i].v[OG_AT_ACCOUNT].word, m->account, sizeof m->account);
        if (m->now != OG_TIME_UNKNOWN)
            m->base[i].v[OG_AT_NOW].ns = m->now;
        status = settle(m, &m->base[i], named);
    }
    return status;
}
