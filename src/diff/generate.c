/*
 * Orders that probe what two policies say differently.
 *
 * Every rule whose settings differ has its share of the probes.  The first half takes its scenes, which both policies accept
 * where that can be had, and moves one slot to a value at or beyond what the settings name; the second moves two.
 * It refuses to depend on anything but the policies, the facts given and the seed.
 */
#include <stdlib.h>

#include "base/error.h"
#include "diff/candidates.h"
#include "diff/diff.h"

#include "base/banned.h"

#define SCENES_MOST  64
#define SYMBOLS_MOST 4 /* that differ, and are tried with everything else */
#define SETTLE_WORDS 16

struct probe {
    uint8_t scene, slot, symbol; /* symbol: 0, or one more than its place in the group */
    uint8_t rank;                /* the least is tried first */
    uint16_t candidate;
    uint32_t order; /* among equals */
};

struct generator {
    struct og_diff *d;
    uint64_t seed;
    int64_t now;
    char account[64]; /* whose orders they are */
    struct og_world base[SCENES_MOST];
    struct og_money required[SCENES_MOST][2];
    struct og_buf line, facts, last, words;
    struct og_candidates candidates;
    struct probe *probe;
    size_t probes, room;
    size_t slot_from[OG_SLOTS], slot_count[OG_SLOTS]; /* where those of a slot are, by rank, in by_slot */
    struct probe *by_slot;
    size_t left; /* of all that may be made */
    og_diff_listener *listener;
    void *with;
};

static uint64_t next(struct generator *g)
{
    uint64_t z = g->seed += UINT64_C(0x9E3779B97F4A7C15); /* splitmix64 */

    z = (z ^ (z >> 30)) * UINT64_C(0xBF58476D1CE4E5B9);
    z = (z ^ (z >> 27)) * UINT64_C(0x94D049BB133111EB);
    return z ^ (z >> 31);
}

static size_t below(struct generator *g, size_t n)
{
    return (size_t)(next(g) % n);
}

/* The book of the world; facts like the last are not read again.  OG_EFACTS: there can be no such world. */
static enum og_status enter(struct generator *g, const struct og_world *w)
{
    struct og_error err = { 0 };
    enum og_status status;

    og_buf_reset(&g->facts);
    og_buf_reset(&g->line);
    og_world_facts(w, &g->facts);
    og_world_order(w, &g->line);
    if (g->facts.bad || g->line.bad)
        return OG_ENOMEM;
    if (g->last.len == g->facts.len && memcmp(g->last.s, g->facts.s, g->facts.len) == 0)
        return OG_OK;
    og_buf_reset(&g->last);
    og_buf_str(&g->last, (struct og_str){ g->facts.s, g->facts.len });
    status = og_diff_book(g->d, g->facts.s, g->facts.len, &err);
    if (status != OG_OK)
        og_buf_reset(&g->last);
    return status == OG_ESYNTAX ? OG_EFACTS : status;
}

static enum og_status decide(struct generator *g, const struct og_world *w, struct og_decision decision[2])
{
    enum og_status status = enter(g, w);

    return status ? status : og_diff_decide(g->d, g->line.s, g->line.len, w->v[OG_AT_NOW].ns, decision);
}

static enum og_status probe(struct generator *g, const struct og_world *w)
{
    struct og_decision decision[2];
    struct og_diff_change change = { .at = w->v[OG_AT_NOW].ns, .finding = g->d->finding };
    enum og_status status;

    if (g->left == 0)
        return OG_OK;
    status = decide(g, w, decision);
    g->left--;
    if (status != OG_OK)
        return status == OG_EFACTS ? OG_OK : status;
    change.what = og_diff_weigh(g->d, decision);
    if (change.what == OG_DIFF_SAME || !g->listener)
        return OG_OK;
    og_buf_reset(&g->words);
    og_world_words(w, &g->words);
    change.count = g->d->findings;
    change.order = g->line.s;
    change.facts = g->facts.s;
    change.with = g->words.s;
    if (g->words.bad)
        return OG_ENOMEM;
    g->listener(g->with, &change);
    return OG_OK;
}

/* --- worlds that are accepted ------------------------------------------------------------------------------------- */

static int refusals(const struct og_decision decision[2])
{
    int count = 0;

    for (int i = 0; i < 2; i++)
        for (int k = 0; k < decision[i].count; k++)
            count += decision[i].findings[k].level == OG_LEVEL_REFUSE;
    return count;
}

static bool moves(const struct generator *g, enum og_slot slot)
{
    return g->now == OG_TIME_UNKNOWN || slot != OG_AT_NOW;
}

/* What policies are particular about: the rest is as usual because that is what passes. */
static const enum og_slot to_settle[] = { OG_AT_QUANTITY, OG_AT_SYMBOL, OG_AT_ROUTE, OG_AT_TIF,  OG_AT_TYPE, OG_AT_LIMIT,
                                          OG_AT_DAYS,     OG_AT_NOW,    OG_AT_EASY,  OG_AT_HELD, OG_AT_CASH, OG_AT_LOCATED };

/* The first of a slot's values that helps; *best is how much refuses. */
static enum og_status settle_slot(struct generator *g, struct og_world *w, enum og_slot slot, const struct og_pool *pool, int *best)
{
    struct og_money none[2] = { { 0, 0 }, { 0, 0 } };
    struct og_decision decision[2];
    enum og_status status = OG_OK;

    og_candidates(w, slot, pool, 0, none, &g->candidates);
    for (size_t i = 0; i < g->candidates.count && *best > 0 && status == OG_OK; i++) {
        struct og_world other = *w;

        other.v[slot] = g->candidates.v[i];
        status = decide(g, &other, decision);
        if (status == OG_OK && refusals(decision) < *best) {
            *best = refusals(decision);
            *w = other;
        }
        status = status == OG_EFACTS ? OG_OK : status;
    }
    return status;
}

/* Change what helps, slot by slot, until nothing refuses or nothing helps. */
static enum og_status settle(struct generator *g, struct og_world *w, const struct og_pool *words)
{
    struct og_decision decision[2];
    enum og_status status = decide(g, w, decision);
    int best = status ? 0 : refusals(decision), before = best + 1;

    while (best > 0 && best < before && status == OG_OK) {
        before = best;
        for (size_t i = 0; i < sizeof to_settle / sizeof to_settle[0] && status == OG_OK; i++)
            if (moves(g, to_settle[i]))
                status = settle_slot(g, w, to_settle[i], words, &best);
    }
    return status == OG_EFACTS ? OG_OK : status;
}

/* What the world's order takes of buying power by either policy. */
static enum og_status weigh(struct generator *g, const struct og_world *w, struct og_money required[2])
{
    struct og_decision decision[2];
    struct og_margin_info info;
    enum og_status status = decide(g, w, decision);

    for (int i = 0; i < 2; i++) {
        required[i] = og_money_from(0);
        if (status != OG_OK || w->scene->request)
            continue;
        g->d->book->policy = g->d->policy[i];
        og_margin_ask(g->d->book, g->d->order, w->v[OG_AT_NOW].ns, g->d->scratch[i], &info);
        required[i] = info.required;
    }
    return status == OG_EFACTS ? OG_OK : status;
}

static enum og_status begin(struct generator *g, struct og_pool *pool)
{
    enum og_status status = OG_OK;

    pool->numbers = pool->shares = pool->times = 0; /* no limit of a policy helps to be within it */
    pool->words = pool->words < SETTLE_WORDS ? pool->words : SETTLE_WORDS;

    for (size_t i = 0; i < og_scenes_count && status == OG_OK; i++) {
        og_world_begin(&g->base[i], &og_scenes[i], g->account);
        if (g->now != OG_TIME_UNKNOWN)
            g->base[i].v[OG_AT_NOW].ns = g->now;
        status = settle(g, &g->base[i], pool);
        if (status == OG_OK)
            status = weigh(g, &g->base[i], g->required[i]);
    }
    return status;
}

/* --- probes of one rule ------------------------------------------------------------------------------------------- */

struct group {
    struct og_str name;
    const struct og_rule *rule; /* NULL: it is no rule's */
    struct og_pool pool;
    struct og_slot_value symbol[SYMBOLS_MOST];
    size_t symbols;
};

static bool plays(const struct group *group, const struct og_scene *scene)
{
    const struct og_rule *r = group->rule;

    if (!r)
        return true;
    if (!(og_rule_subjects(r) & scene->subject))
        return false;
    return scene->request || !r->securities || r->securities >> scene->security & 1;
}

/* What is not to be seen in the scene. */
static bool shows(const struct og_world *w, int slot)
{
    bool options = w->scene->security != OG_STOCK && !w->scene->request;

    switch (slot) {
    case OG_AT_ROOT:
    case OG_AT_STRIKE:
    case OG_AT_DAYS:
    case OG_AT_CONTRACTS:
    case OG_AT_COVER:
        return options;
    case OG_AT_OPTION_BID:
    case OG_AT_OPTION_ASK:
        return options && w->scene->security == OG_OPTION;
    case OG_AT_POSTED_AGE:
        return w->scene->subject == OG_SUBJECT_CANCEL;
    case OG_AT_OFFER_AGE:
    case OG_AT_OFFER_PRICE:
        return w->scene->subject == OG_SUBJECT_LOCATE;
    case OG_AT_STOP:
        return strstr(w->v[OG_AT_TYPE].word, "Stop") != NULL;
    default:
        return !w->scene->request || slot >= OG_AT_NOW || slot == OG_AT_QUANTITY || slot == OG_AT_SYMBOL;
    }
}

static bool matters(const struct group *group, const struct og_world *w, int slot)
{
    return shows(w, slot) && (!group->rule || !og_slots[slot].reads || group->rule->reads & og_slots[slot].reads);
}

static bool keep(struct generator *g, struct probe p)
{
    if (g->probes == g->room) {
        size_t room = g->room ? 2 * g->room : 4096;
        struct probe *more = realloc(g->probe, room * sizeof *more);

        if (!more)
            return false;
        g->probe = more;
        g->room = room;
    }
    g->probe[g->probes++] = p;
    return true;
}

static unsigned reads_of(const struct group *group)
{
    return group->rule ? group->rule->reads : ~0U;
}

static struct og_world world_of(const struct generator *g, const struct group *group, struct probe p)
{
    struct og_world w = g->base[p.scene];

    if (p.symbol)
        og_world_set(&w, OG_AT_SYMBOL, &group->symbol[p.symbol - 1]);
    return w;
}

static bool list_scene(struct generator *g, const struct group *group, struct probe p)
{
    struct og_world w = world_of(g, group, p);

    for (int slot = 0; slot < OG_SLOTS; slot++) {
        if (!matters(group, &w, slot) || !moves(g, (enum og_slot)slot))
            continue;
        og_candidates(&w, (enum og_slot)slot, &group->pool, reads_of(group), g->required[p.scene], &g->candidates);
        p.slot = (uint8_t)slot;
        for (size_t i = 0; i < g->candidates.count; i++) {
            p.candidate = (uint16_t)i;
            p.rank = (uint8_t)(2 * g->candidates.rank[i] + !og_slots[slot].reads);
            p.order = (uint32_t)next(g);
            if (!keep(g, p))
                return false;
        }
    }
    return true;
}

static int by_slot(const void *a, const void *b)
{
    const struct probe *x = a, *y = b;

    if (x->slot != y->slot)
        return x->slot < y->slot ? -1 : 1;
    return x->rank != y->rank ? (x->rank < y->rank ? -1 : 1) : x->order < y->order ? -1 : x->order > y->order;
}

/* Every slot has its turn among those of a rank, however many values it may take. */
static bool take_turns(struct generator *g)
{
    uint32_t turn = 0;

    memset(g->slot_count, 0, sizeof g->slot_count);
    qsort(g->probe, g->probes, sizeof *g->probe, by_slot);
    free(g->by_slot);
    g->by_slot = malloc((g->probes + 1) * sizeof *g->by_slot);
    if (!g->by_slot)
        return false;
    for (size_t i = 0; i < g->probes; i++) {
        struct probe *p = &g->probe[i];

        turn = i && p[-1].slot == p->slot && p[-1].rank == p->rank ? turn + 1 : 0;
        p->order = turn;
        if (g->slot_count[p->slot]++ == 0)
            g->slot_from[p->slot] = i;
        g->by_slot[i] = *p;
    }
    return true;
}

static enum og_status list_probes(struct generator *g, const struct group *group)
{
    g->probes = 0;
    for (size_t scene = 0; scene < og_scenes_count; scene++)
        for (size_t symbol = 0; symbol <= group->symbols && plays(group, &og_scenes[scene]); symbol++)
            if (!list_scene(g, group, (struct probe){ .scene = (uint8_t)scene, .symbol = (uint8_t)symbol }))
                return OG_ENOMEM;
    return g->probes == 0 || take_turns(g) ? OG_OK : OG_ENOMEM;
}

static int by_turn(const void *a, const void *b)
{
    const struct probe *x = a, *y = b;

    if (x->rank != y->rank)
        return x->rank < y->rank ? -1 : 1;
    return x->order != y->order ? (x->order < y->order ? -1 : 1) : x->slot < y->slot ? -1 : x->slot > y->slot;
}

/* A probe of any slot, those of a low rank more often. */
static struct probe pick(struct generator *g)
{
    size_t slot, i, k;

    do
        slot = below(g, OG_SLOTS);
    while (g->slot_count[slot] == 0);
    i = below(g, g->slot_count[slot]);
    k = below(g, g->slot_count[slot]);
    return g->by_slot[g->slot_from[slot] + (i < k ? i : k)];
}

static void apply(struct generator *g, const struct group *group, struct og_world *w, struct probe p,
                  const struct og_money required[2])
{
    og_candidates(w, (enum og_slot)p.slot, &group->pool, reads_of(group), required, &g->candidates);
    if (g->candidates.count)
        og_world_set(w, (enum og_slot)p.slot, &g->candidates.v[p.candidate % g->candidates.count]);
}

/* The order takes more by one policy than by the other: buying power that is enough for one of them. */
static enum og_status between(struct generator *g, struct og_world *w, const struct og_money required[2])
{
    struct og_slot_value v = { .number = required[og_money_cmp(required[0], required[1]) > 0] };

    og_world_set(w, OG_AT_BP, &v);
    return probe(g, w);
}

/* One slot moved, or two; of two the second by what the first made of the order. */
static enum og_status run_probe(struct generator *g, const struct group *group, struct probe first, bool twice)
{
    struct og_world w = world_of(g, group, first);
    struct og_money required[2];
    enum og_status status;

    apply(g, group, &w, first, g->required[first.scene]);
    if (!twice && group->rule != &og_rule_buying_power)
        return probe(g, &w);
    status = weigh(g, &w, required);
    if (status == OG_OK && og_money_cmp(required[0], required[1]) != 0)
        return between(g, &w, required);
    if (status == OG_OK && twice)
        apply(g, group, &w, pick(g), required);
    return status ? status : probe(g, &w);
}

static enum og_status run_group(struct generator *g, const struct group *group, size_t share)
{
    enum og_status status = list_probes(g, group);
    size_t single = g->probes < share ? g->probes : share / 2 + (share & 1);

    if (status != OG_OK || g->probes == 0)
        return status;
    qsort(g->probe, g->probes, sizeof *g->probe, by_turn);
    for (size_t i = 0; i < share && status == OG_OK; i++)
        status = run_probe(g, group, i < single ? g->probe[i] : pick(g), i >= single);
    return status;
}

/* --- groups ------------------------------------------------------------------------------------------------------- */

static const struct og_rule *rule_of(struct og_str group)
{
    for (size_t i = 0; i < og_rules_size; i++)
        if (group.len == 6 + strlen(og_rules[i]->id) && memcmp(group.s, "rules.", 6) == 0 &&
            memcmp(group.s + 6, og_rules[i]->id, group.len - 6) == 0)
            return og_rules[i];
    return NULL;
}

static void take(struct og_pool *pool, const struct og_setting_pair *p)
{
    struct og_str none = { NULL, 0 };

    if (!p->differs) {
        og_pool_take(pool, p->before, none);
        return;
    }
    og_pool_take(pool, p->before, p->after);
    og_pool_take(pool, p->after, p->before);
    og_pool_between(pool, p->before, p->after);
}

/* What differs first: there is room for so much only. */
static void fill(const struct og_settings_diff *s, struct og_str name, struct group *group)
{
    for (int differs = 1; differs >= 0; differs--) {
        for (size_t i = 0; i < s->count; i++)
            if (s->pair[i].differs == differs && (!name.s || og_str_eq(s->pair[i].group, name)))
                take(&group->pool, &s->pair[i]);
        if (differs)
            og_pool_mark(&group->pool);
    }
    for (size_t i = 0; i < group->pool.first_words && group->symbols < SYMBOLS_MOST; i++)
        if (og_may_be(OG_AT_SYMBOL, group->pool.word[i]) &&
            og_slot_read(OG_AT_SYMBOL, group->pool.word[i], &group->symbol[group->symbols]))
            group->symbols++;
}

static size_t count_groups(const struct og_settings_diff *s)
{
    size_t count = 0;
    struct og_str last = { NULL, 0 };

    for (size_t i = 0; i < s->count; i++)
        if (s->pair[i].differs && !(last.s && og_str_eq(last, s->pair[i].group))) {
            last = s->pair[i].group;
            count++;
        }
    return count;
}

static enum og_status run_groups(struct generator *g, struct group *group)
{
    const struct og_settings_diff *s = &g->d->settings;
    size_t groups = count_groups(s), done = 0;
    struct og_str last = { NULL, 0 };
    enum og_status status = OG_OK;

    for (size_t i = 0; i < s->count && status == OG_OK; i++) {
        if (!s->pair[i].differs || (last.s && og_str_eq(last, s->pair[i].group)))
            continue;
        last = s->pair[i].group;
        *group = (struct group){ .name = last, .rule = rule_of(last) };
        fill(s, last, group);
        status = run_group(g, group, g->left / (groups - done++));
    }
    return status;
}

/* The account the caller named, or has facts of. */
static void name_account(struct generator *g)
{
    const struct og_book *b = g->d->book;
    struct og_str id = g->d->account ? og_str_of(g->d->account) : b->accounts > 1 ? og_facts_account_id(b->account[1]) : OG_STR("L1");
    size_t len = 0;

    while (len < id.len && len + 1 < sizeof g->account && id.s[len] > ' ' && id.s[len] < 0x7F && id.s[len] != '"' && id.s[len] != '\\')
        len++;
    if (len == id.len && len)
        memcpy(g->account, id.s, len);
    else
        memcpy(g->account, "L1", 3);
}

enum og_status og_diff_generate(struct og_diff *d, size_t count, uint64_t seed, int64_t now, og_diff_listener *listener,
                                void *with, struct og_error *err)
{
    struct generator *g = calloc(1, sizeof *g);
    struct group *group = calloc(1, sizeof *group);
    enum og_status status = g && group ? OG_OK : OG_ENOMEM;

    if (status == OG_OK) {
        *g = (struct generator){ .d = d, .seed = seed, .now = now, .left = count, .listener = listener, .with = with };
        name_account(g);
        fill(&d->settings, (struct og_str){ NULL, 0 }, group);
        status = begin(g, &group->pool);
    }
    if (status == OG_OK)
        status = run_groups(g, group);
    if (status == OG_OK && g->left) { /* nothing differs, or there was too little to try: everything is */
        *group = (struct group){ .rule = NULL };
        fill(&d->settings, (struct og_str){ NULL, 0 }, group);
        status = run_group(g, group, g->left);
    }
    if (g) {
        free(g->probe);
        free(g->by_slot);
        og_buf_clear(&g->line);
        og_buf_clear(&g->facts);
        og_buf_clear(&g->last);
        og_buf_clear(&g->words);
    }
    free(g);
    free(group);
    return status ? og_fail(err, status, "out of memory") : og_diff_book(d, NULL, 0, err);
}
