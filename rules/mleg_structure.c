/*
 * mleg-structure (107): checks a multi-leg order as a whole, and each leg.  The service checks the number of legs,
 * their form, the expiries and the ratios in that sequence, and answers 400 for the first that fails; this rule reports
 * all of them.  An order with a leg on another underlying is rejected by the broker only after it was accepted.
 * Strategies are checked by mleg-strategy.
 */
#include "order/roots.h"
#include "rules/rule.h"

enum { LEGS_LEAST = 2, LEGS_MOST = 4, RATIO_MOST = 100 };

enum {
    R_ROOT_SIDE,
    R_ROOT_OPEN_CLOSE,
    R_TOO_FEW,
    R_TOO_MANY,
    R_REQUIRED,
    R_TYPE,
    R_PATTERN,
    R_SIDE,
    R_RATIO,
    R_OPEN_CLOSE,
    R_EXPIRY,
    R_DIVISOR,
    R_UNDERLYING,
    R_ROOT_VARIANT,
    R_INDEX,
    R_ORDER,
    R_STOCK_QUANTITY,
    R_MARKET_FOUR,
    R_STOP_DEFAULT
};

static const struct og_reason reasons[] = {
    [R_ROOT_SIDE] = { .id = "mleg-root-side",
                      .level = OG_LEVEL_REFUSE,
                      OG_PREDICTS(SCHEMA, HTTP_400, STATED),
                      .says = "side is set on the order, a multi-leg order has it on each leg only",
                      .help = "leave side out; debit or credit follows from the legs",
                      .where = "T3" },
    [R_ROOT_OPEN_CLOSE] = { .id = "mleg-root-open-close",
                            .level = OG_LEVEL_WARN,
                            .says = "openClose on the order is ignored, a multi-leg order has it on each leg",
                            .where = "Q9, CON-15" },
    [R_TOO_FEW] = { .id = "mleg-too-few-legs",
                    .level = OG_LEVEL_REFUSE,
                    OG_PREDICTS(LEG_COUNT, HTTP_400, STATED),
                    .predicts.text = "Too few legs, invalid order.",
                    .says = "legs has {0} items, a multi-leg order has 2 to 4",
                    .help = "send a single leg as securityType Option",
                    .where = "T7" },
    [R_TOO_MANY] = { .id = "mleg-too-many-legs",
                     .level = OG_LEVEL_REFUSE,
                     OG_PREDICTS(LEG_COUNT, HTTP_400, STATED),
                     .predicts.text = "Too many legs, invalid order.",
                     .says = "legs has {0} items, a multi-leg order has 2 to 4",
                     .where = "T7" },
    [R_REQUIRED] = { .id = "mleg-leg-required",
                     .level = OG_LEVEL_REFUSE,
                     OG_PREDICTS(LEG_FORM, HTTP_400, STATED),
                     .predicts.text = "- legs.{0}: {1} is required",
                     .says = "leg {0} has no {1}",
                     .help = "each leg needs symbol, side, ratio and openClose",
                     .where = "T4, Y11" },
    [R_TYPE] = { .id = "mleg-leg-type",
                 .level = OG_LEVEL_REFUSE,
                 OG_PREDICTS(LEG_FORM, HTTP_400, READING),
                 .predicts.text = "- legs.{0}{1}{2}: Invalid type. Expected: {3}, given: {4}",
                 .says = "leg {0}{1}{2} is of JSON type {4}, it must be of type {3}",
                 .where = "T4, Y24" },
    [R_PATTERN] = { .id = "mleg-leg-symbol-pattern",
                    .level = OG_LEVEL_REFUSE,
                    OG_PREDICTS(LEG_FORM, HTTP_400, READING),
                    .predicts.text = "- legs.{0}.symbol: Does not match pattern '" OG_SYMBOL_PATTERN "'",
                    .says = "symbol of leg {0} is '{1}', allowed are letters, digits, '.', '_' and '-'",
                    .help = "option symbols are written without blanks (AAPL260116C00150000)",
                    .where = "Q3" },
    [R_SIDE] = { .id = "mleg-leg-side-enum",
                 .level = OG_LEVEL_REFUSE,
                 OG_PREDICTS(LEG_FORM, HTTP_400, STATED),
                 .predicts.text = "- legs.{0}.side: legs.{0}.side must be one of the following: \"Buy\", \"Sell\"",
                 .says = "side of leg {0} is '{1}', allowed are Buy, Sell",
                 .where = "T4" },
    [R_RATIO] = { .id = "mleg-leg-ratio-range",
                  .level = OG_LEVEL_REFUSE,
                  OG_PREDICTS(LEG_FORM, HTTP_400, STATED),
                  .predicts.text = "- legs.{0}.ratio: {2}",
                  .says = "ratio of leg {0} is {1}, allowed are whole numbers from 1 to 100",
                  .where = "T5" },
    [R_OPEN_CLOSE] = { .id = "mleg-leg-open-close",
                       .level = OG_LEVEL_REFUSE,
                       OG_PREDICTS(OPEN_CLOSE, REJECTED, READING),
                       .says = "openClose of leg {0} is '{1}', allowed are Open and Close, spelled so",
                       .help = "the service may also answer 400",
                       .where = "T4, Q32" },
    [R_EXPIRY] = { .id = "mleg-mixed-expiry",
                   .level = OG_LEVEL_REFUSE,
                   OG_PREDICTS(CALENDAR, HTTP_400, STATED),
                   .predicts.text = "Calendar orders are not currently supported.",
                   .says = "leg {0} expires on {1}, leg {2} on {3}: all legs must share one expiry",
                   .where = "T8" },
    [R_DIVISOR] = { .id = "mleg-ratio-common-divisor",
                    .level = OG_LEVEL_REFUSE,
                    OG_PREDICTS(DIVISOR, HTTP_400, STATED),
                    .predicts.text = "Invalid order, leg ratios cannot have a common devisor.",
                    .says = "all ratios can be divided by {0}",
                    .help = "divide the ratios and multiply orderQuantity",
                    .where = "T9" },
    [R_UNDERLYING] = { .id = "mleg-underlying-mismatch",
                       .level = OG_LEVEL_REFUSE,
                       OG_PREDICTS(UNDERLYING, ASYNC, STATED),
                       .predicts.code = "R152",
                       .says = "leg {0} is on '{1}', the order's symbol is '{2}'",
                       .help = "every leg must be on the underlying that the order's symbol names",
                       .where = "T1, T2" },
    [R_ROOT_VARIANT] = { .id = "mleg-underlying-root-variant",
                         .level = OG_LEVEL_WARN,
                         OG_PREDICTS(UNDERLYING, ASYNC, READING),
                         .predicts.code = "R152",
                         .says = "leg {0} is on '{1}', the order's symbol is '{2}': the same underlying perhaps, in "
                                 "another spelling",
                         .help = "class shares (BRK.B, BRKB), weekly (SPX, SPXW) and adjusted roots (AAPL, AAPL1) "
                                 "differ in this way; the service's document does not say whether it accepts that",
                         .where = "CON-51" },
    [R_INDEX] = { .id = "mleg-index-stock-leg",
                  .level = OG_LEVEL_WARN,
                  .says = "leg {0} is stock, but the options are on '{1}', an index: an index has no shares that could "
                          "cover them",
                  .where = "T10" },
    [R_ORDER] = { .id = "mleg-leg-order",
                  .level = OG_LEVEL_INFO,
                  .says = "option legs are not sent ascending by strike, which is recommended",
                  .where = "T19" },
    [R_STOCK_QUANTITY] = { .id = "mleg-stock-leg-quantity",
                           .level = OG_LEVEL_WARN,
                           .predicts = OG_NOT_STATED,
                           .says = "orderQuantity is {0}, with a stock leg the service document says 1",
                           .help = "the service's document does not say whether it accepts more; send one order for "
                                   "each 100 shares",
                           .where = "CON-3" },
    [R_MARKET_FOUR] = { .id = "mleg-market-four-legs",
                        .level = OG_LEVEL_WARN,
                        .predicts = OG_NOT_STATED,
                        .says = "market order with 4 option legs, which the service advises against",
                        .help = "send a limit order",
                        .where = "T15, CON-48" },
    [R_STOP_DEFAULT] = { .id = "mleg-stop-defaults-to-limit",
                         .level = OG_LEVEL_INFO,
                         OG_PREDICTS(NONE, ACCEPTED, STATED),
                         .says = "stopPrice is missing, limitPrice {0} is used as the stop",
                         .where = "T14" },
};

static void check_type(int i, const char *dot, const char *key, const char *wanted, const char *given,
                       const char *field, struct og_sink *sink)
{
    OG_FIND(sink, &reasons[R_TYPE], field, og_a_int(i), og_a_text(dot), og_a_text(key), og_a_text(wanted),
            og_a_text(given));
}

static void check_ratio(const struct og_leg *l, int i, struct og_sink *sink)
{
    const struct og_field *parsed = &l->field[OG_LEG_RATIO];
    const char *why = "Must be greater than or equal to 1";

    if (l->ratio != 0 || parsed->status == OG_ABSENT || parsed->status == OG_WRONG_TYPE)
        return;
    if (parsed->status == OG_TOO_FINE || (parsed->status == OG_VALID && l->ratio_value.scale > 0))
        why = "Invalid type. Expected: integer, given: number";
    else if (parsed->text.s[0] != '-' && (parsed->status == OG_TOO_LARGE || l->ratio_value.coef > RATIO_MOST))
        why = "Must be less than or equal to 100";
    OG_FIND(sink, &reasons[R_RATIO], og_leg_pointer(i, OG_LEG_RATIO), og_a_int(i), og_a_str(parsed->text),
            og_a_text(why));
}

/* Returns true if every field of the leg is present and valid. */
static inline bool is_whole(const struct og_leg *l)
{
    return l->side && l->ratio && l->open_close && og_leg_symbol_fits(l);
}

static OG_COLD void check_leg(const struct og_leg *l, int i, struct og_sink *sink)
{
    const struct og_field *side = &l->field[OG_LEG_SIDE], *open_close = &l->field[OG_LEG_OPEN_CLOSE];

    if (!l->is_object) {
        check_type(i, "", "", "object", l->json_type, og_leg_pointer(i, -1), sink);
        return;
    }
    for (int key = 0; key < OG_LEG_KEYS; key++) {
        if (l->field[key].status == OG_ABSENT)
            OG_FIND(sink, &reasons[R_REQUIRED], og_leg_pointer(i, key), og_a_int(i), og_a_text(og_leg_key_names[key]));
        if (l->field[key].status == OG_WRONG_TYPE)
            check_type(i, ".", og_leg_key_names[key], og_leg_key_types[key], l->field[key].json_type,
                       og_leg_pointer(i, key), sink);
    }
    if (l->field[OG_LEG_SYMBOL].status == OG_VALID && !og_leg_symbol_fits(l))
        OG_FIND(sink, &reasons[R_PATTERN], og_leg_pointer(i, OG_LEG_SYMBOL), og_a_int(i), og_a_str(l->symbol));
    if (side->status == OG_WRONG_VALUE)
        OG_FIND(sink, &reasons[R_SIDE], og_leg_pointer(i, OG_LEG_SIDE), og_a_int(i), og_a_str(side->text));
    check_ratio(l, i, sink);
    if (open_close->status == OG_WRONG_VALUE)
        OG_FIND(sink, &reasons[R_OPEN_CLOSE], og_leg_pointer(i, OG_LEG_OPEN_CLOSE), og_a_int(i),
                og_a_str(open_close->text));
}

static void check_expiries(const struct og_order *o, struct og_sink *sink)
{
    int first = -1;

    for (int i = 0; i < o->legs_kept; i++) {
        if (!o->leg[i].occ.is)
            continue;
        if (first < 0)
            first = i;
        if (o->leg[i].occ.expiry == o->leg[first].occ.expiry)
            continue;
        OG_FIND(sink, &reasons[R_EXPIRY], og_leg_pointer(i, OG_LEG_SYMBOL), og_a_int(i),
                og_a_date(o->leg[i].occ.expiry), og_a_int(first), og_a_date(o->leg[first].occ.expiry));
        return;
    }
}

/* Set *c to the next character in upper case; '.' and '-' are skipped.  Returns false at the end of the text. */
static bool next_plain(struct og_str s, size_t *at, char *c)
{
    while (*at < s.len && (s.s[*at] == '.' || s.s[*at] == '-'))
        ++*at;
    if (*at >= s.len)
        return false;
    *c = s.s[(*at)++];
    if (*c >= 'a' && *c <= 'z')
        *c = (char)(*c - 'a' + 'A');
    return true;
}

/* Returns true if the two roots are equal apart from case, '.' and '-', and one digit or W at the end of either
 * root. */
static bool is_variant(struct og_str a, struct og_str b)
{
    size_t i = 0, j = 0;
    char ca = 0, cb = 0, last;

    for (;;) {
        bool more_a = next_plain(a, &i, &ca), more_b = next_plain(b, &j, &cb);

        if (more_a && more_b && ca == cb)
            continue;
        if (more_a == more_b)
            return !more_a;
        last = more_a ? ca : cb;
        if (more_a ? next_plain(a, &i, &ca) : next_plain(b, &j, &cb))
            return false;
        return last == 'W' || (last >= '0' && last <= '9');
    }
}

static void check_underlyings(const struct og_order *o, struct og_sink *sink)
{
    for (int i = 0; i < o->legs_kept; i++) {
        const struct og_leg *l = &o->leg[i];
        struct og_str on = l->occ.is ? l->occ.root : l->symbol;
        bool variant;

        if (!og_order_symbol_fits(o) || !og_leg_symbol_fits(l) || og_str_same(on, o->symbol))
            continue;
        variant = is_variant(on, o->symbol) || og_root_same(on, o->symbol);
        OG_FIND(sink, &reasons[variant ? R_ROOT_VARIANT : R_UNDERLYING], og_leg_pointer(i, OG_LEG_SYMBOL), og_a_int(i),
                og_a_str(on), og_a_str(o->symbol));
    }
}

static void check_index(const struct og_order *o, const struct og_mleg *m, struct og_sink *sink)
{
    for (int i = 0; m->stock_leg >= 0 && i < o->legs_kept; i++) {
        const struct og_root *root = o->leg[i].occ.known;

        if (!root || !root->index)
            continue;
        OG_FIND(sink, &reasons[R_INDEX], og_leg_pointer(m->stock_leg, OG_LEG_SYMBOL), og_a_int(m->stock_leg),
                og_a_str(root->root));
        return;
    }
}

static bool has_four_options(const struct og_order *o)
{
    int options = 0;

    for (int i = 0; i < o->legs_kept; i++)
        options += o->leg[i].occ.is;
    return o->leg_count == LEGS_MOST && options == LEGS_MOST;
}

static void check_envelope(const struct og_order *o, const struct og_mleg *m, struct og_sink *sink)
{
    if (og_order_has(o, OG_KEY_SIDE))
        OG_FIND0(sink, &reasons[R_ROOT_SIDE], "/side");
    if (og_order_has(o, OG_KEY_OPEN_CLOSE))
        OG_FIND0(sink, &reasons[R_ROOT_OPEN_CLOSE], "/openClose");
    if (m->stock_leg >= 0 && o->quantity > 1)
        OG_FIND(sink, &reasons[R_STOCK_QUANTITY], "/orderQuantity", og_a_int(o->quantity));
    if (o->type == OG_MARKET && has_four_options(o))
        OG_FIND0(sink, &reasons[R_MARKET_FOUR], "/orderType");
    if (o->type == OG_STOP_LIMIT && !og_order_has(o, OG_KEY_STOP_PRICE) && og_order_ok(o, OG_KEY_LIMIT_PRICE) &&
        o->limit.coef > 0)
        OG_FIND(sink, &reasons[R_STOP_DEFAULT], "/stopPrice", og_a_money(o->limit));
}

static void check_count(const struct og_order *o, struct og_sink *sink)
{
    struct og_found *found;

    if (o->leg_count > LEGS_MOST)
        OG_FIND(sink, &reasons[R_TOO_MANY], "/legs", og_a_int(o->leg_count));
    if (o->leg_count >= LEGS_LEAST)
        return;
    found = OG_FIND(sink, &reasons[R_TOO_FEW], "/legs", og_a_int(o->leg_count));
    if (o->leg_count == 0)
        found->predicts.certainty = OG_READING;
}

static OG_HOT void check(const struct og_case *c, const void *settings, struct og_sink *sink)
{
    const struct og_order *o = c->order;
    const struct og_mleg *m = c->mleg;

    (void)settings;
    if (o->security != OG_MLEG)
        return;
    check_envelope(o, m, sink);
    if (!og_order_ok(o, OG_KEY_LEGS))
        return;
    check_count(o, sink);
    for (int i = 0; i < o->legs_kept; i++)
        if (!is_whole(&o->leg[i]))
            check_leg(&o->leg[i], i, sink);
    if (m->calendar)
        check_expiries(o, sink);
    if (m->divisor)
        OG_FIND(sink, &reasons[R_DIVISOR], "/legs", og_a_int(m->common_divisor));
    check_underlyings(o, sink);
    check_index(o, m, sink);
    if (!m->ascending)
        OG_FIND0(sink, &reasons[R_ORDER], "/legs");
}

const struct og_rule og_rule_mleg_structure = {
    OG_PARTS_OF_FILE(mleg_structure),
    .id = "mleg-structure",
    .summary = "number, form, expiries, ratios and underlyings of the legs",
    .because = "the service answers 400 to most, and rejects a wrong underlying only after it accepted the order",
    .stage = OG_STAGE_FORM,
    .securities = 1u << OG_MLEG,
};
