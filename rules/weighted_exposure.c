/*
 * weighted-exposure (925): what the account has, each symbol by its weight, would come to more than the desk allows.
 * The weights, such as betas or haircuts, are a named list of the policy with a number for each symbol and perhaps one
 * for all others: [NVDA=1.7, SQQQ=-3, default=1]. A symbol's weight holds for its stock in each spelling and for the
 * contracts on it, whatever their root. Each limit is a word: the list, a measure and an amount, in dollars or in
 * percent of the account's equity. Positions and orders count as in rule exposure: working orders, those in flight and
 * those of unknown outcome too, at the worst.
 *   gross  both sides together, by the sizes of the weights
 *   net    the larger of the two sides, less the stock of symbols in the list that is held on the other side for
 *          certain; a negative weight puts a symbol on the other side
 * Only the list's symbols are walked; what all others have together is the rest of the whole account. Without a
 * default, the weight of a symbol that is not in the list is unknown, and so is what it adds. The sums are exact.
 * An order that only reduces a position passes, unless it sells what covers written options.
 */
#include "rules/group.h"
#include "rules/limit.h"
#include "rules/usage.h"

struct settings {
    struct og_string_set limits;
    const struct og_groups *groups; /* made of `limits` when the policy is loaded; NULL before */
};

static const struct og_param params[] = {
    { .key = "limits",
      OG_WORDS(limits),
      .fallback = "",
      .words = OG_WORDS_WEIGHTED,
      .help = "the limits, each with a list of weights (like [NVDA=1.7, default=1]), a measure (gross or net) and an "
              "amount in dollars or in percent of the equity: beta gross 300000; binds exits only where they sell the "
              "cover of written options" },
};

enum { R_GROSS, R_NET };

static const struct og_reason reasons[] = {
    [R_GROSS] = { .id = "weighted-gross-above-limit",
                  OG_SET_BY_DESK,
                  .says = "gross exposure weighted by {0} would be {1}, the desk allows {2}",
                  .help = "close positions or cancel working orders first" },
    [R_NET] = { .id = "weighted-net-above-limit",
                OG_SET_BY_DESK,
                .says = "net exposure weighted by {0} would be {1}, the desk allows {2}",
                .help = "close positions or cancel working orders first" },
};

#define FIELD "/orderQuantity"

/* A sum by side, in cents times OG_WEIGHT_UNIT. */
struct weighted {
    og_wide up, down;
};

static void add(struct weighted *to, og_wide longs, og_wide shorts, int32_t weight)
{
    to->up += weight >= 0 ? weight * longs : -(og_wide)weight * shorts;
    to->down += weight >= 0 ? weight * shorts : -(og_wide)weight * longs;
}

/* What is known of the account, and what the order adds. */
struct sum {
    const struct og_group *list;
    struct weighted all, held, adds;
    int32_t own;         /* weight of the order's underlying */
    bool weighs;         /* the weight `own` is known */
    bool several;        /* the order has legs on other underlyings, so no one weight is its own */
    bool others_unknown; /* there is a position or order whose weight is not known */
    int unpriced;        /* number of rows of unknown value that have a weight, which is not 0 */
    struct og_str of;    /* a member with a row of unknown value; empty if there is none */
    enum og_worth is;    /* whether the amount that the order adds is known */
};

/* Set *weight to that of an underlying. Returns false if the list has no weight for it. */
static bool find_weight(const struct og_group *g, struct og_str underlying, int32_t *weight)
{
    *weight = g->others;
    for (size_t i = 0; i < g->members.count; i++)
        if (og_str_eq(g->members.word[i], underlying)) {
            *weight = g->weight[i];
            return true;
        }
    return g->has_others;
}

static og_wide at_least_none(og_wide value)
{
    return value > 0 ? value : 0;
}

static void sum_up(const struct og_facts *f, struct sum *s)
{
    const struct og_beyond t = og_facts_exposure(f);
    const struct og_group *g = s->list;
    struct og_on_underlying all = { .some = false };
    og_wide longs, shorts;
    int unpriced;

    for (size_t i = 0; i < g->members.count; i++) {
        struct og_on_underlying one = { .some = false };

        og_facts_add_on(f, g->members.word[i], &one);
        add(&s->all, one.longs, one.shorts, g->weight[i]);
        add(&s->held, one.held_longs, one.held_shorts, g->weight[i]);
        all.longs += one.longs;
        all.shorts += one.shorts;
        all.unpriced += one.unpriced;
        if (one.unpriced && g->weight[i]) {
            s->unpriced += one.unpriced;
            s->of = s->of.len ? s->of : g->members.word[i];
        }
    }
    longs = at_least_none(t.longs - all.longs);
    shorts = at_least_none(t.shorts - all.shorts);
    unpriced = t.unpriced - all.unpriced;
    add(&s->all, longs, shorts, g->others);
    s->others_unknown = !g->has_others && (longs || shorts || unpriced > 0);
    if (g->others && unpriced > 0)
        s->unpriced += unpriced;
    s->unpriced += og_facts_has_unknown_symbol(f); /* an order of unknown symbol may be on a symbol of the list */
}

/* Returns an amount in dollars: 0 if it is negative; if it is too large for og_money, the largest og_money, which
 * exceeds every limit. */
static struct og_money dollars(og_wide amount)
{
    const struct og_money unit = { 1, 6 }; /* 0.01 / OG_WEIGHT_UNIT */
    struct og_money m;

    if (amount < 0)
        return og_money_from(0);
    if (amount > INT64_MAX || !og_money_mul(og_money_from((int64_t)amount), unit, &m))
        m = og_money_from(INT64_MAX / 100);
    return m;
}

static __attribute__((cold)) void unsure_weight(const struct og_reason *r, struct og_str list, struct og_str symbol,
                                                struct og_sink *sink)
{
    og_unsure(sink, r, FIELD, "a weight is not known");
    if (symbol.len)
        og_found_add(sink, ": {0} has no weight in {1}, which has no default",
                     (const struct og_arg[]){ og_a_str(symbol), og_a_str(list) }, 2);
}

/* Compare a sum, this order included, with the limit. held: the sum without the order; uncovers: the order sells cover
 * of written options, which may count even if nothing is added. */
static void compare(const struct og_case *c, const struct sum *s, const struct og_group_bound *to, og_wide held,
                    og_wide adds, bool uncovers, struct og_sink *sink)
{
    const struct og_reason *r = &reasons[to->of == OG_GROUP_NET ? R_NET : R_GROSS];
    const bool reduces = og_case_reduces(c);
    struct og_str symbol;
    struct og_money most;

    if (adds == 0 && (reduces ? !uncovers : s->weighs && (s->own == 0 || s->is == OG_WORTH_KNOWN)))
        return;
    if (!og_group_most(c, to, r, FIELD, &most, sink))
        return;
    if (og_money_cmp(dollars(held + adds), most) > 0)
        OG_FIND(sink, r, FIELD, og_a_str(s->list->name), og_a_money(dollars(held + adds)), og_a_money(most));
    else if (reduces)
        return; /* an order that only reduces (here, sells cover) is not refused because of unknown facts */
    else if (!s->weighs)
        unsure_weight(r, s->list->name, s->several ? (struct og_str){ NULL, 0 } : c->order->symbol, sink);
    else if (s->is != OG_WORTH_KNOWN)
        og_unsure_adds(c, sink, r, FIELD, s->is);
    else if (!og_need(c, sink, r, OG_FACT_POSITIONS, (struct og_str){ 0 }, FIELD) ||
             !og_need(c, sink, r, OG_FACT_ORDERS, (struct og_str){ 0 }, FIELD))
        return;
    else if (s->others_unknown)
        unsure_weight(r, s->list->name,
                      og_facts_unnamed(c->facts, &s->list->members, &symbol) ? symbol : (struct og_str){ NULL, 0 },
                      sink);
    else if (s->unpriced)
        og_unsure_held(c, sink, r, FIELD, s->of);
}

/* Returns the weighted sum of positions and working orders.  down: for OG_GROUP_NET, the side that falls with the
 * market. */
static inline og_wide held_of(const struct sum *s, enum og_measure_of_group of, bool down)
{
    if (of == OG_GROUP_GROSS)
        return s->all.up + s->all.down;
    return down ? s->all.down - s->held.up : s->all.up - s->held.down;
}

static void judge(const struct og_case *c, const struct sum *s, const struct og_group_bound *to, struct og_sink *sink)
{
    const og_wide up = held_of(s, to->of, false), down = held_of(s, to->of, true);

    if (to->of == OG_GROUP_GROSS)
        compare(c, s, to, up, s->adds.up + s->adds.down, og_case_uncovers_alone(c, false), sink);
    /* for a spread that adds to both sides, only the larger sum is compared */
    else if (s->adds.down && (!s->adds.up || down + s->adds.down > up + s->adds.up))
        compare(c, s, to, down, s->adds.down, s->own >= 0 && og_case_uncovers_alone(c, true), sink);
    else
        compare(c, s, to, up, s->adds.up, s->own < 0 && og_case_uncovers_alone(c, true), sink);
}

/* Returns true if a leg of a spread is on another underlying than the spread itself. */
static bool is_of_several(const struct og_order *o, struct og_str own)
{
    char to[OG_SYMBOL_FOLDED];

    for (int i = 0; o->security == OG_MLEG && i < o->legs_kept; i++)
        if (!og_str_eq(og_underlying_name(o->leg[i].symbol, to), own))
            return true;
    return false;
}

static void check_list(const struct og_case *c, const struct og_group *g, struct og_str own, struct og_sink *sink)
{
    struct sum s = { .list = g };
    struct og_adds adds;

    if (og_list_must_be_young(&g->age) && !og_list_is_young(&g->age, c->now, &c->eastern, c->today)) {
        for (size_t i = 0; i < g->bounds && !og_case_reduces(c); i++)
            og_unsure(sink, &reasons[g->bound[i].of == OG_GROUP_NET ? R_NET : R_GROSS], FIELD,
                      "the list of weights is older than the policy allows");
        return;
    }
    s.several = is_of_several(c->order, own);
    s.weighs = find_weight(g, own, &s.own) && !s.several;
    sum_up(c->facts, &s);
    adds = og_case_adds_to(c);
    s.is = adds.is != OG_WORTH_KNOWN ? adds.is : adds.shorts_is;
    if (s.weighs)
        add(&s.adds, adds.longs, adds.shorts, s.own);
    for (size_t i = 0; i < g->bounds; i++)
        judge(c, &s, &g->bound[i], sink);
}

static OG_HOT void check(const struct og_case *c, const void *settings, struct og_sink *sink)
{
    const struct settings *set = settings;
    const struct og_order *o = c->order;
    char to[OG_SYMBOL_FOLDED];
    struct og_str own;

    if (!set->groups || !set->groups->count || !o->symbol.len || o->quantity == 0 ||
        (og_case_reduces(c) && !og_case_sells_cover(c)))
        return;
    own = og_underlying_name(o->symbol, to);
    for (size_t i = 0; i < set->groups->count; i++)
        check_list(c, &set->groups->group[i], own, sink);
}

static void usage(const struct og_usage_case *u, const void *settings)
{
    const struct settings *set = settings;

    for (size_t g = 0; set->groups && g < set->groups->count; g++) {
        struct sum s = { .list = &set->groups->group[g] };
        const bool old =
            og_list_must_be_young(&s.list->age) && !og_list_is_young(&s.list->age, u->now, u->eastern, u->today);

        sum_up(u->facts, &s);
        for (size_t i = 0; i < s.list->bounds; i++) {
            const struct og_group_bound *to = &s.list->bound[i];
            const og_wide up = held_of(&s, to->of, false), down = held_of(&s, to->of, true);
            struct og_limit_use use = { .setting = "limits",
                                        .measure = og_group_measures[to->of],
                                        .of = OG_USAGE_LIST,
                                        .name = s.list->name,
                                        .unit = OG_UNIT_DOLLARS,
                                        .reads =
                                            OG_FACT_POSITIONS | OG_FACT_ORDERS | (to->percent ? OG_FACT_ACCOUNT : 0),
                                        .at_least = s.unpriced || s.others_unknown };

            use.unknown = old || !og_group_share(og_facts_account(u->facts), to, &use.allowed);
            use.used = dollars(down > up ? down : up);
            og_use_put(u, &use);
        }
    }
}

const struct og_rule og_rule_weighted_exposure = {
    OG_PARTS_OF_FILE(weighted_exposure),
    .id = "weighted-exposure",
    .summary = "more exposure, by weights such as betas, than the desk allows",
    .because = "a dollar of one stock moves with the market more than a dollar of another",
    .stage = OG_STAGE_ACCOUNT,
    .limit = true,
    .counts = true,
    .counts_working = true,
    .reads = OG_FACT_ACCOUNT | OG_FACT_POSITIONS | OG_FACT_ORDERS | OG_FACT_QUOTE,
    OG_SETTINGS_OF_FILE,
    .usage = usage,
    .groups_at = offsetof(struct settings, groups),
};
