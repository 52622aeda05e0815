/*
 * mleg-strategy (108): whether the legs together are a strategy that the service supports.  The shapes are those of
 * src/mleg. The service's document lists straddles, strangles and married puts as supported, but also says that
 * one-sided orders are refused; the setting one_sided says which of the two statements applies.  Legs that are not well
 * formed are reported by mleg-structure.
 */
#include "rules/rule.h"

enum one_sided { ONE_SIDED_NAMED, ONE_SIDED_STRICT };

struct settings {
    int32_t one_sided;
};

static const char *const one_sided_choices[] = { "named", "strict", NULL };

static const struct og_param params[] = {
    { .key = "one_sided",
      OG_CHOICE(one_sided),
      .fallback = "named",
      .choices = one_sided_choices,
      .tighter = OG_TIGHTER_HIGHER,
      .help = "what is done with straddles, strangles and married puts whose legs are all bought or all sold: 'named' "
              "warns, 'strict' refuses" },
};

enum { R_UNSUPPORTED, R_ONE_SIDED, R_NAMED, R_WINGS, R_MIXED, R_PRICE, R_NO_GAIN };

static const struct og_reason reasons[] = {
    [R_UNSUPPORTED] = { .id = "mleg-strategy-unsupported",
                        .level = OG_LEVEL_REFUSE,
                        OG_PREDICTS(STRATEGY, HTTP_400, STATED),
                        .says = "the legs are not a strategy the service supports",
                        .help = "supported: verticals, straddles, strangles, butterflies (1-2-1), condors, iron "
                                "butterflies, iron condors, covered calls and married puts (100:1)",
                        .where = "T10, T11, CON-2" },
    [R_ONE_SIDED] = { .id = "mleg-one-sided",
                      .level = OG_LEVEL_REFUSE,
                      OG_PREDICTS(STRATEGY, HTTP_400, STATED),
                      .says = "all legs {0}, and they are not a straddle, strangle or married put",
                      .where = "T11" },
    [R_NAMED] = { .id = "mleg-one-sided-named-shape",
                  .level = OG_LEVEL_WARN,
                  OG_PREDICTS(STRATEGY, HTTP_400, READING),
                  .says = "all legs {0}: the service document names the {1} as supported, but refuses one-sided orders",
                  .help = "the document contradicts itself, so the service may answer 400; to refuse such orders, set "
                          "one_sided: strict",
                  .where = "CON-1" },
    [R_WINGS] = { .id = "mleg-unequal-wings",
                  .level = OG_LEVEL_WARN,
                  OG_PREDICTS(STRATEGY, HTTP_400, READING),
                  .says = "the wings of the {0} are of unequal width; the service may reject it (HTTP 400)",
                  .where = "CON-2" },
    [R_MIXED] = { .id = "mleg-mixed-open-close",
                  .level = OG_LEVEL_WARN,
                  OG_PREDICTS(STRATEGY, HTTP_400, READING),
                  .says = "some legs of the {0} open and others close; the service may reject it (HTTP 400)",
                  .where = "CON-2" },
    [R_PRICE] = { .id = "mleg-net-price-impossible",
                  .level = OG_LEVEL_WARN,
                  .says = "limitPrice {0} is more than the {1} can be worth, its strikes are {2} apart",
                  .help = "at this price the order cannot fill, or loses for certain",
                  .where = "T12" },
    [R_NO_GAIN] = { .id = "mleg-cannot-gain",
                    .level = OG_LEVEL_WARN,
                    .says = "at limitPrice {0} the {1} cannot gain: at expiry it is worth {2} at most",
                    .help = "perhaps a decimal point is misplaced; a lower limit leaves something to gain",
                    .where = "T12" },
};

static const char *verb(const struct og_order *o)
{
    return o->leg[0].side == OG_BUY ? "buy" : "sell";
}

static void check_price(const struct og_order *o, const struct og_mleg *m, struct og_arg name, struct og_sink *sink)
{
    struct og_money width;

    if (m->width == 0 || !og_order_wants_limit(o) || !og_order_ok(o, OG_KEY_LIMIT_PRICE) ||
        !og_money_mul(og_money_from(m->width), (struct og_money){ 1, 3 }, &width))
        return;
    if (og_money_cmp(o->limit, width) > 0)
        OG_FIND(sink, &reasons[R_PRICE], "/limitPrice", og_a_money(o->limit), name, og_a_money(width));
}

/* Report a spread that opens and cannot gain, whatever the underlying's price at expiry is. A spread that only closes
 * is left out: it may end a loss. */
static void check_gain(const struct og_case *c, struct og_arg name, struct og_sink *sink)
{
    const struct og_mleg_payoff *r = c->result;
    struct og_money most;

    if (c->mleg->all_close || !r->has_best || r->best.coef > 0 ||
        !og_money_mul(og_money_from(r->most), (struct og_money){ 1, 5 }, &most))
        return;
    OG_FIND(sink, &reasons[R_NO_GAIN], "/limitPrice", og_a_money(c->order->limit), name, og_a_money(most));
}

static OG_HOT void check_known(const struct og_case *c, const struct settings *s, struct og_sink *sink)
{
    const struct og_order *o = c->order;
    const struct og_mleg *m = c->mleg;
    struct og_arg name = og_a_text(og_strategy_name(m->strategy));

    if (m->one_sided) {
        struct og_found *found = OG_FIND(sink, &reasons[R_NAMED], "/legs", og_a_text(verb(o)), name);

        if (s->one_sided == ONE_SIDED_STRICT)
            found->natural = OG_LEVEL_REFUSE;
    }
    if (m->unequal_wings)
        OG_FIND(sink, &reasons[R_WINGS], "/legs", name);
    if (m->mixed_open_close)
        OG_FIND(sink, &reasons[R_MIXED], "/legs", name);
    check_price(o, m, name, sink);
    check_gain(c, name, sink);
}

static OG_HOT void check(const struct og_case *c, const void *settings, struct og_sink *sink)
{
    const struct og_order *o = c->order;
    const struct og_mleg *m = c->mleg;
    struct og_found *found;

    if (o->security != OG_MLEG)
        return;
    if (m->strategy != OG_STRATEGY_NONE)
        check_known(c, settings, sink);
    if (m->fault == OG_MLEG_UNSUPPORTED)
        found = OG_FIND0(sink, &reasons[R_UNSUPPORTED], "/legs");
    else if (m->fault == OG_MLEG_ONE_SIDED)
        found = OG_FIND(sink, &reasons[R_ONE_SIDED], "/legs", og_a_text(verb(o)));
    else
        return;
    if (m->borderline)
        found->predicts.certainty = OG_READING;
}

const struct og_rule og_rule_mleg_strategy = {
    OG_PARTS_OF_FILE(mleg_strategy),
    .id = "mleg-strategy",
    .summary = "the legs together are not a supported strategy, or a doubtful one",
    .because = "the service answers 400 to shapes it does not know",
    .stage = OG_STAGE_FORM,
    .securities = 1u << OG_MLEG,
    OG_SETTINGS_OF_FILE,
};
