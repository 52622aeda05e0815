/*
 * close-position (702): a close needs a position to close, and must not leave short contracts uncovered that the
 * position covered. The position is the sum over all lots of the traded symbol, less what working orders will close. If
 * the order is too large only because of these working orders, the finding is a warning, since they may be canceled. If
 * positions were never loaded, and working orders close the same symbol, the close may be one too many.
 */
#include "margin/cover.h"
#include "order/roots.h"
#include "rules/sides.h"

enum { R_NOTHING, R_EXCEEDS, R_FRACTION, R_MLEG, R_COVER, R_FLATTEN };

static const struct og_reason reasons[] = {
    [R_NOTHING] = { .id = "close-without-position",
                    .level = OG_LEVEL_REFUSE,
                    .undecided = OG_LEVEL_WARN,
                    .predicts = OG_NOT_STATED,
                    .says = "order closes a {0} in {1}, none is held",
                    .help = "if you mean to open a position on the other side, send Open",
                    .where = "GAP-21" },
    [R_EXCEEDS] = { .id = "close-exceeds-position",
                    .level = OG_LEVEL_REFUSE,
                    .undecided = OG_LEVEL_WARN,
                    .predicts = OG_NOT_STATED,
                    .says = "order closes {0} of {1}, {2} are held{3}{4}{5}",
                    .help =
                        "lower the quantity, or cancel the working orders and wait until they are Canceled; a stop and "
                        "a target may not close more than is held together: send one of them, and the other in its "
                        "place, with `replaces`",
                    .where = "GAP-21" },
    [R_FRACTION] = { .id = "fractional-remainder",
                     .level = OG_LEVEL_INFO,
                     .undecided = OG_LEVEL_OFF,
                     .predicts = OG_NOT_STATED,
                     .says = "position is {0} shares: an order of {1} {2}",
                     .help = "orders are whole shares: close the whole part and ask the broker about the rest",
                     .where = "CON-35" },
    [R_MLEG] = { .id = "mleg-close-not-held",
                 .level = OG_LEVEL_REFUSE,
                 .undecided = OG_LEVEL_WARN,
                 .predicts = OG_NOT_STATED,
                 .says = "leg closes {0} of {1}, {2} are held on that side{3}{4}{5}",
                 .help = "to close, the account must hold at least ratio x orderQuantity of every leg, on the opposite "
                         "side",
                 .where = "T22" },
    [R_COVER] = { .id = "breaks-option-cover",
                  .level = OG_LEVEL_WARN,
                  .undecided = OG_LEVEL_OFF,
                  .says = "after this order {0} short {1} on {2} have no cover, now {3} have none",
                  .help = "close the short contracts first; uncovered ones need option level 4",
                  .where = "C23, OL26, OL27" },
    [R_FLATTEN] = { .id = "flatten-with-working-orders",
                    .level = OG_LEVEL_WARN,
                    .undecided = OG_LEVEL_OFF,
                    .exits_pass = true,
                    .says = "order closes all of {0}, but other orders in {0} are working: {1}",
                    .help = "cancel these orders first and wait until they are Canceled; otherwise they may open the "
                            "position again",
                    .where = "U8" },
};

static const struct og_money zero = { 0, 0 };

/* held_for() returns the position that an order of this side can close; taken_from() returns the part of it that
 * working orders will close. */
static struct og_money held_for(const struct og_holding *h, enum og_side side)
{
    return !h ? zero : side == OG_SELL ? h->held_long : h->held_short;
}

static struct og_money taken_from(const struct og_holding *h, enum og_side side)
{
    return !h ? zero : side == OG_SELL ? h->closing_sells : h->closing_buys;
}

/* Say which working orders close what the order closes. */
static OG_COLD void name_closes(const struct og_case *c, struct og_str traded, enum og_side side, struct og_sink *sink)
{
    og_found_name(c, sink, &(struct og_working_of){ .kind = OG_WORKING_CLOSES, .symbol = traded, .side = side }, -1);
}

/* Check that `size` of the symbol can still be closed. If not, report r; if only working orders prevent it, report r at
 * its lower level. */
static OG_HOT OG_NOINLINE void check_held(const struct og_case *c, const struct og_holding *h, struct og_str traded,
                                          enum og_side side, int64_t size, const struct og_reason *r, const char *field,
                                          struct og_sink *sink)
{
    struct og_money want = og_money_from(size), held = held_for(h, side), taken = taken_from(h, side), left = held;
    bool more = og_price_cmp(want, held) > 0, enough = !more;

    if (taken.coef != 0) { /* usually no other working order closes the position */
        if (!og_money_sub(held, taken, &left)) {
            og_unsure(sink, r, field, "the quantity that working orders close is out of range");
            return;
        }
        enough = og_price_cmp(want, left) <= 0;
    }
    if ((!more && !og_need_orders(c, sink, r, field, !enough)) || enough)
        return;
    if (more) {
        OG_FIND(sink, r, field, og_a_int(size), og_a_str(traded), og_a_money(held));
        return;
    }
    OG_FIND(sink, r, field, og_a_int(size), og_a_str(traded), og_a_money(held), og_a_text(" and working orders close "),
            og_a_money(taken), og_a_text(" of them"))
        ->natural = OG_LEVEL_WARN;
    name_closes(c, traded, side, sink);
}

/* If no positions were ever loaded, and working orders close some of the symbol, check that known fills opened enough
 * for these orders and for this one. A close of which nothing is known passes. */
static void check_taken(const struct og_case *c, struct og_str traded, const struct og_holding *h, enum og_side side,
                        int64_t size, const struct og_reason *r, const char *field, struct og_sink *sink)
{
    const struct og_money taken = taken_from(h, side);
    struct og_money left;

    if (taken.coef <= 0 || og_facts_known(c->facts, OG_FACT_POSITIONS, &(int64_t){ 0 }) ||
        !og_money_sub(held_for(h, side), taken, &left) || og_price_cmp(og_money_from(size), left) <= 0)
        return;
    OG_FIND(sink, r, field, og_a_int(size), og_a_str(traded), og_a_text("an unknown number"),
            og_a_text(" and working orders close "), og_a_money(taken), og_a_text(" of them"))
        ->natural = OG_LEVEL_WARN;
    name_closes(c, traded, side, sink);
}

static void check_single(const struct og_case *c, struct og_sink *sink)
{
    const struct og_order *o = c->order;
    struct og_money held = held_for(c->holding, o->side);
    const char *quantity = "/orderQuantity";

    if (og_need(c, sink, &reasons[R_NOTHING], OG_FACT_POSITIONS, (struct og_str){ 0 }, "/openClose") && held.coef == 0)
        OG_FIND(sink, &reasons[R_NOTHING], "/openClose", og_a_text(o->side == OG_SELL ? "long" : "short"),
                og_a_str(o->symbol));
    if (o->quantity && og_need(c, sink, &reasons[R_EXCEEDS], OG_FACT_POSITIONS, (struct og_str){ 0 }, quantity) &&
        held.coef > 0)
        check_held(c, c->holding, o->symbol, o->side, o->quantity, &reasons[R_EXCEEDS], quantity, sink);
    if (o->quantity)
        check_taken(c, o->symbol, c->holding, o->side, o->quantity, &reasons[R_EXCEEDS], quantity, sink);
}

static void check_fraction(const struct og_case *c, struct og_sink *sink)
{
    const struct og_reason *r = &reasons[R_FRACTION];
    const struct og_order *o = c->order;
    struct og_money held = held_for(c->holding, o->side);
    int64_t whole = og_money_floor(held);

    if (o->security != OG_STOCK || o->quantity == 0 || held.scale == 0 ||
        !og_need(c, sink, r, OG_FACT_POSITIONS, (struct og_str){ 0 }, "/orderQuantity"))
        return;
    if (o->quantity == whole)
        OG_FIND(sink, r, "/orderQuantity", og_a_money(held), og_a_int(o->quantity),
                og_a_text("leaves a fraction that no order can close"));
    else if (o->quantity == whole + 1)
        OG_FIND(sink, r, "/orderQuantity", og_a_money(held), og_a_int(o->quantity), og_a_text("is more than that"))
            ->natural = OG_LEVEL_REFUSE;
}

/* Returns true if certainly no short contract becomes uncovered: there are none, or enough stock remains for all of
 * them. */
static bool surely_covered(const struct og_case *c, struct og_str root, bool calls)
{
    const struct og_order *o = c->order;
    int64_t shorts = calls ? og_cover_shorts(c->facts, root, 'C') : og_facts_shorts(c->facts, root, 'P');
    const struct og_holding *stock;
    struct og_str shares;
    struct og_money left;

    if (shorts == 0 || !calls)
        return shorts == 0;
    shares = og_root_shares(root);
    stock = og_str_eq(shares, o->symbol) ? c->holding : og_facts_holding(c->facts, shares);
    if (!stock || !og_money_sub(stock->held_long, stock->closing_sells, &left) ||
        (o->security == OG_STOCK && !og_money_sub(left, og_money_from(o->quantity), &left)))
        return false;
    return og_money_floor(left) / 100 >= shorts;
}

/* Set *bare to the most short contracts without cover, whether the working spreads fill that cover what they write by
 * their own legs, or not. A contract that a long of any strike bounds has cover: together they are a vertical. Returns
 * false if there are too many contracts. */
static bool most_bare(const struct og_case *c, struct og_str root, bool calls, unsigned with, int64_t *bare)
{
    struct og_cover cover = { .own = 1 };
    int64_t one;

    *bare = 0;
    for (unsigned spreads = 0; spreads <= OG_COVER_SPREADS && cover.own; spreads += OG_COVER_SPREADS) {
        if (!og_cover_of(c->facts, root, calls ? 'C' : 'P', c->order, with | spreads, c->eastern.date, &cover))
            return false;
        if (calls)
            og_cover_add_others(c->facts, root, 'C', c->order, with | spreads, c->eastern.date, &cover);
        one = calls ? og_cover_bare_calls(&cover) : cover.bare;
        *bare = one > *bare ? one : *bare;
    }
    return true;
}

/* Check whether short contracts stay covered when the order sells the shares or long contracts that cover them. */
static void check_cover(const struct og_case *c, struct og_sink *sink)
{
    const struct og_reason *r = &reasons[R_COVER];
    const struct og_order *o = c->order;
    bool stock = o->security == OG_STOCK, calls = stock || o->occ.type == 'C';
    struct og_str root = stock ? og_root_on(o->symbol) : o->occ.root;
    int64_t bare_now, bare;

    if (o->side != OG_SELL || o->quantity == 0 || (!stock && !o->occ.is) ||
        !og_need(c, sink, r, OG_FACT_POSITIONS, (struct og_str){ 0 }, "/orderQuantity") ||
        !og_need(c, sink, r, OG_FACT_ORDERS, (struct og_str){ 0 }, "/orderQuantity") || surely_covered(c, root, calls))
        return;
    if (!most_bare(c, root, calls, OG_COVER_FILLED, &bare))
        return; /* too many contracts: make no finding, as if a fact were missing */
    if (bare && most_bare(c, root, calls, OG_COVER_AS_IS, &bare_now) && bare > bare_now)
        OG_FIND(sink, r, "/orderQuantity", og_a_int(bare), og_a_text(calls ? "calls" : "puts"), og_a_str(root),
                og_a_int(bare_now));
}

static void check_flatten(const struct og_case *c, struct og_sink *sink)
{
    const struct og_reason *r = &reasons[R_FLATTEN];
    const struct og_order *o = c->order;
    const struct og_holding *h = c->holding;
    int64_t whole = og_money_floor(held_for(h, o->side));

    if (whole > 0 && o->quantity >= whole && h->working > h->over &&
        og_need(c, sink, r, OG_FACT_POSITIONS, (struct og_str){ 0 }, "/symbol") &&
        og_need_orders(c, sink, r, "/symbol", true)) {
        OG_FIND(sink, r, "/symbol", og_a_str(o->symbol), og_a_int(h->working - h->over));
        og_found_name(c, sink, &(struct og_working_of){ .kind = OG_WORKING_ANY, .symbol = o->symbol },
                      h->working - h->over);
    }
}

static OG_HOT OG_NOINLINE void check_legs(const struct og_case *c, struct og_sink *sink)
{
    const struct og_reason *r = &reasons[R_MLEG];
    bool unknown = false;

    for (int i = 0; i < og_order_trades(c->order); i++) {
        const struct og_trade t = og_order_trade(c->order, i);
        const char *field = og_leg_pointer(i, -1);

        if (og_trade_may_open(&t) || t.side == OG_SIDE_NONE || !t.symbol.len || t.size == 0)
            continue;
        /* one such finding is enough: positions are unknown for every leg */
        if (unknown || !og_need(c, sink, r, OG_FACT_POSITIONS, (struct og_str){ 0 }, field)) {
            unknown = true;
            check_taken(c, t.symbol, og_case_holding(c, &t), t.side, t.size, r, field, sink);
            continue;
        }
        check_held(c, og_case_holding(c, &t), t.symbol, t.side, t.size, r, field, sink);
    }
}

static OG_HOT OG_NOINLINE void check_close(const struct og_case *c, struct og_sink *sink)
{
    check_single(c, sink);
    check_fraction(c, sink);
    check_cover(c, sink);
    check_flatten(c, sink);
}

static OG_HOT void check(const struct og_case *c, const void *settings, struct og_sink *sink)
{
    const struct og_order *o = c->order;

    (void)settings;
    if (o->security == OG_MLEG)
        check_legs(c, sink);
    else if (!og_order_may_open(o) && o->security != OG_SECURITY_NONE && o->side != OG_SIDE_NONE && o->symbol.len)
        check_close(c, sink);
}

const struct og_rule og_rule_close_position = {
    OG_PARTS_OF_FILE(close_position),
    .id = "close-position",
    .summary = "a close is of more than is held, or leaves short options uncovered",
    .because =
        "a close of more than is held opens the other side or fails, and a sale of cover raises the risk unnoticed",
    .stage = OG_STAGE_FLOW,
    .only = OG_TRAIT_CLOSES,
    .counts_working = true,
    .reads = OG_FACT_POSITIONS | OG_FACT_ORDERS,
};
