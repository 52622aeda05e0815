/*
 * group-limit (924): what an account has in a group of symbols, such as a sector, would come to more than the desk
 * allows. A group is a named list of the policy. Each limit is a word: the list, a measure and an amount, in dollars or
 * in percent of the account's equity, or a number. The stock of every symbol counts in each spelling, and so do the
 * contracts on it, whatever their root. Positions and orders count as in rule exposure: working orders, those in flight
 * and those of unknown outcome too, at the worst.
 *   gross      both sides together
 *   long       what is bought
 *   short      what is sold, with what written options can lose
 *   net        the larger of the two sides, less the stock that is held on the other side for certain: working orders
 *              offset nothing, nor does stock that a working order closes, nor do options
 *   positions  the number of underlyings with a position, or with an order that may open one
 *   orders     the number of working orders
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
      .words = OG_WORDS_LIMITS,
      .help =
          "the limits, each with a list of symbols, a measure (gross, net, long, short, positions or orders) and an "
          "amount in dollars, in percent of the equity, or a number: semis gross 25%; binds exits only where they sell "
          "the cover of written options" },
};

static const struct og_reason reasons[OG_GROUP_MEASURES] = {
    [OG_GROUP_GROSS] = { .id = "group-gross-above-limit",
                         OG_SET_BY_DESK,
                         .says = "gross exposure to {0} would be {1}, the desk allows {2}",
                         .help = "close positions of the group or cancel working orders first" },
    [OG_GROUP_NET] = { .id = "group-net-above-limit",
                       OG_SET_BY_DESK,
                       .says = "net exposure to {0} would be {1}, the desk allows {2}",
                       .help = "close positions of the group or cancel working orders first" },
    [OG_GROUP_LONG] = { .id = "group-long-above-limit",
                        OG_SET_BY_DESK,
                        .says = "long exposure to {0} would be {1}, the desk allows {2}",
                        .help = "sell positions of the group or cancel working orders first" },
    [OG_GROUP_SHORT] = { .id = "group-short-above-limit",
                         OG_SET_BY_DESK,
                         .says = "short exposure to {0} would be {1}, the desk allows {2}",
                         .help = "cover shorts of the group or cancel working orders first" },
    [OG_GROUP_POSITIONS] = { .id = "group-positions-above-limit",
                             OG_SET_BY_DESK,
                             .says = "there would be positions in {1} underlyings of {0}, the desk allows {2}",
                             .help = "close a position of the group first" },
    [OG_GROUP_ORDERS] = { .id = "group-orders-above-limit",
                          OG_SET_BY_DESK,
                          .says = "{1} orders would be open on {0}, the desk allows {2}",
                          .help = "wait until some are filled, or cancel some" },
};

#define FIELD "/orderQuantity"

/* What is known of a group, and what the order adds. */
struct sum {
    const struct og_group *group;
    struct og_on_underlying all;
    struct og_str unpriced; /* a member of which a row has no known value; empty if there is none */
    int positions;
    bool own_some; /* there is a position in the order's underlying, or an order that may open one */
    struct og_adds adds;
};

static bool concerns(const struct og_case *c, const struct og_group *g, struct og_str own)
{
    const struct og_order *o = c->order;
    char to[OG_SYMBOL_FOLDED];

    if (og_string_set_contains(&g->members, own))
        return true;
    for (int i = 0; o->security == OG_MLEG && i < o->legs_kept; i++)
        if (og_string_set_contains(&g->members, og_underlying_name(o->leg[i].symbol, to)))
            return true;
    return false;
}

/* Add up what the account has in the group.  own: the underlying of the order; empty if there is no order. */
static void sum_up(const struct og_facts *f, struct og_str own, struct sum *s)
{
    for (size_t i = 0; i < s->group->members.count; i++) {
        struct og_on_underlying one = { .some = false };

        og_facts_add_on(f, s->group->members.word[i], &one);
        s->positions += one.some;
        s->own_some = s->own_some || (one.some && og_str_eq(own, s->group->members.word[i]));
        if (one.unpriced && !s->unpriced.len)
            s->unpriced = s->group->members.word[i];
        s->all.longs += one.longs;
        s->all.shorts += one.shorts;
        s->all.held_longs += one.held_longs;
        s->all.held_shorts += one.held_shorts;
        s->all.unpriced += one.unpriced;
        s->all.orders += one.orders;
    }
    s->all.unpriced += og_facts_has_unknown_symbol(f); /* an order of unknown symbol may be on a member of the group */
}

/* Returns what positions and working orders come to by a measure in dollars, in cents.  down: for OG_GROUP_NET, the
 * side that is sold. */
static inline og_wide cents_of(const struct sum *s, enum og_measure_of_group of, bool down)
{
    const struct og_on_underlying *all = &s->all;

    if (of == OG_GROUP_NET)
        return down ? all->shorts - all->held_longs : all->longs - all->held_shorts;
    return (of != OG_GROUP_SHORT ? all->longs : 0) + (of != OG_GROUP_LONG ? all->shorts : 0);
}

/* Compare the sum of one side, or of both, with the limit. adds: what the order adds to that sum; `is`: whether that
 * amount is known; uncovers: the order sells cover of written options, which may count even if nothing is added. */
static void compare(const struct og_case *c, const struct sum *s, const struct og_group_bound *to, og_wide held,
                    og_wide adds, enum og_worth is, bool uncovers, struct og_sink *sink)
{
    const struct og_reason *r = &reasons[to->of];
    const bool reduces = og_case_reduces(c);
    struct og_money most;

    if (adds == 0 && (reduces ? !uncovers : is == OG_WORTH_KNOWN))
        return;
    if (!og_group_most(c, to, r, FIELD, &most, sink))
        return;
    if (og_cents_exceed(held + adds, most))
        OG_FIND(sink, r, FIELD, og_a_str(s->group->name), og_a_money(og_dollars(held + adds)), og_a_money(most));
    else if (reduces)
        return; /* an order that only reduces (here, sells cover) is not refused because of unknown facts */
    else if (is != OG_WORTH_KNOWN)
        og_unsure_adds(c, sink, r, FIELD, is);
    else if (og_need(c, sink, r, OG_FACT_POSITIONS, (struct og_str){ 0 }, FIELD) &&
             og_need(c, sink, r, OG_FACT_ORDERS, (struct og_str){ 0 }, FIELD) && s->all.unpriced)
        og_unsure_held(c, sink, r, FIELD, s->unpriced);
}

/* Compare the number of positions or orders, this order included, with the limit. more: how many further ones the
 * account may have in the group, by working orders of unknown symbol. */
static void compare_count(const struct og_case *c, const struct sum *s, const struct og_group_bound *to, int64_t count,
                          struct og_sink *sink)
{
    const struct og_reason *r = &reasons[to->of];
    const int64_t more = og_facts_totals(c->facts)->legless;

    if (og_case_reduces(c))
        return;
    if (count > to->most.coef)
        OG_FIND(sink, r, FIELD, og_a_str(s->group->name), og_a_int(count), og_a_money(to->most));
    else if ((to->of == OG_GROUP_ORDERS || og_need(c, sink, r, OG_FACT_POSITIONS, (struct og_str){ 0 }, FIELD)) &&
             og_need(c, sink, r, OG_FACT_ORDERS, (struct og_str){ 0 }, FIELD) && count + more > to->most.coef)
        og_unsure(sink, r, FIELD, "it is not known what a working order trades");
}

static void judge(const struct og_case *c, const struct sum *s, const struct og_group_bound *to, struct og_sink *sink)
{
    const struct og_adds *a = &s->adds;
    const enum og_worth both = a->is != OG_WORTH_KNOWN ? a->is : a->shorts_is;

    switch (to->of) {
    case OG_GROUP_GROSS:
        compare(c, s, to, cents_of(s, to->of, false), a->longs + a->shorts, both, og_case_uncovers_alone(c, false),
                sink);
        return;
    case OG_GROUP_LONG: compare(c, s, to, cents_of(s, to->of, false), a->longs, a->is, false, sink); return;
    case OG_GROUP_SHORT:
        compare(c, s, to, cents_of(s, to->of, true), a->shorts, a->shorts_is, og_case_uncovers_alone(c, true), sink);
        return;
    case OG_GROUP_NET: {
        const og_wide up = cents_of(s, to->of, false), down = cents_of(s, to->of, true);

        /* for a spread that adds to both sides, only the larger sum is compared */
        if (a->shorts && (!a->longs || down + a->shorts > up + a->longs))
            compare(c, s, to, down, a->shorts, both, og_case_uncovers_alone(c, true), sink);
        else
            compare(c, s, to, up, a->longs, both, false, sink);
        return;
    }
    case OG_GROUP_POSITIONS:
        if (!s->own_some)
            compare_count(c, s, to, s->positions + INT64_C(1), sink);
        return;
    default: compare_count(c, s, to, s->all.orders + INT64_C(1), sink); return;
    }
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
    for (const struct og_group *g = set->groups->group; g < set->groups->group + set->groups->count; g++) {
        struct sum s = { .group = g };

        if (!concerns(c, g, own))
            continue;
        sum_up(c->facts, own, &s);
        s.adds = og_case_adds_to(c);
        for (size_t i = 0; i < g->bounds; i++)
            judge(c, &s, &g->bound[i], sink);
    }
}

static void put_group(const struct og_usage_case *u, const struct sum *s, const struct og_group_bound *to)
{
    struct og_limit_use use = { .setting = "limits",
                                .measure = og_group_measures[to->of],
                                .of = OG_USAGE_LIST,
                                .name = s->group->name,
                                .allowed = to->most,
                                .reads = OG_FACT_POSITIONS | OG_FACT_ORDERS | (to->percent ? OG_FACT_ACCOUNT : 0) };
    og_wide cents, down;

    if (to->of == OG_GROUP_POSITIONS || to->of == OG_GROUP_ORDERS) {
        use.unit = to->of == OG_GROUP_ORDERS ? OG_UNIT_ORDERS : OG_UNIT_UNDERLYINGS;
        use.at_least = og_facts_totals(u->facts)->legless;
        use.used = og_money_from(to->of == OG_GROUP_ORDERS ? s->all.orders : s->positions);
        og_use_put(u, &use);
        return;
    }
    use.unknown = !og_group_share(og_facts_account(u->facts), to, &use.allowed);
    cents = cents_of(s, to->of, false);
    down = cents_of(s, to->of, true);
    og_use_cents(u, use, down > cents ? down : cents, s->all.unpriced);
}

static void usage(const struct og_usage_case *u, const void *settings)
{
    const struct settings *set = settings;

    for (size_t g = 0; set->groups && g < set->groups->count; g++) {
        struct sum s = { .group = &set->groups->group[g] };

        sum_up(u->facts, (struct og_str){ NULL, 0 }, &s);
        for (size_t i = 0; i < s.group->bounds; i++)
            put_group(u, &s, &s.group->bound[i]);
    }
}

const struct og_rule og_rule_group_limit = {
    OG_PARTS_OF_FILE(group_limit),
    .id = "group-limit",
    .summary = "more in a group of symbols than the desk allows",
    .because = "symbols of one sector fall together, however small each position is",
    .stage = OG_STAGE_ACCOUNT,
    .limit = true,
    .counts = true,
    .counts_working = true,
    .reads = OG_FACT_ACCOUNT | OG_FACT_POSITIONS | OG_FACT_ORDERS | OG_FACT_QUOTE,
    OG_SETTINGS_OF_FILE,
    .usage = usage,
    .groups_at = offsetof(struct settings, groups),
};
