/*
 * buying-power (403): compares the buying power that an order needs with the amount that the account may still use.
 * Stock and bought options need their notional; written options need what the margin model computes (margin/margin.h)
 * from all positions and working orders on their root. The reservations of orders accepted in this run are deducted
 * from bp.  An order that only reduces a position passes, whatever bp is; but a close that leaves a short contract
 * uncovered needs what this short then requires.  Not modelled: contracts that may not deliver 100 shares, and
 * portfolio margin, for which bp is the account's own figure.
 */
#include "base/money.h"
#include "margin/cover.h"
#include "margin/daytrade.h"
#include "rules/limit.h"
#include "rules/margin.h"
#include "rules/sides.h"

struct settings {
    struct og_margin_settings m;
};

static const char *const models[] = { "strategy", "payoff", "both", NULL };

static const char *const daytrade_models[] = { "none", "reg_t", "legacy_pdt", "intraday_margin", NULL };

static const struct og_param params[] = {
    { .key = "model",
      OG_CHOICE(m.model),
      .fallback = "strategy",
      .choices = models,
      .tighter = OG_TIGHTER_HIGHER,
      .help = "how written options are charged: by the strategy rules of the exchanges, by their worst result at "
              "expiry, or by the larger of both" },
    { .key = "daytrade_model",
      OG_CHOICE(m.daytrade),
      .fallback = "none",
      .choices = daytrade_models,
      .help = "what else limits buying power: nothing, twice the present equity, four times the day's first equity "
              "(twice below 25,000), or four times the present equity; each less positions and what orders will open" },
    { .key = "long_dated",
      OG_BPS(m.long_dated),
      .fallback = "100%",
      .least = "75%",
      .most = "100%",
      .tighter = OG_TIGHTER_HIGHER,
      .help =
          "the part of its premium that a bought option takes of buying power if it expires in more than nine months" },
    { .key = "naked_rate",
      OG_BPS(m.rates.rate),
      .fallback = "20%",
      .least = "0%",
      .most = "100%",
      .tighter = OG_TIGHTER_HIGHER,
      .help =
          "the margin of an uncovered option, as a part of the underlying's price, less what it is out of the money" },
    { .key = "naked_floor",
      OG_BPS(m.rates.floor),
      .fallback = "10%",
      .least = "0%",
      .most = "100%",
      .tighter = OG_TIGHTER_HIGHER,
      .help = "the least margin of an uncovered option, as a part of the underlying's price for a call, of the strike "
              "for a put" },
    { .key = "index_rate",
      OG_BPS(m.rates.index_rate),
      .fallback = "15%",
      .least = "0%",
      .most = "100%",
      .tighter = OG_TIGHTER_HIGHER,
      .help = "used instead of naked_rate for the roots in index_roots" },
    { .key = "index_roots",
      OG_WORDS(m.rates.index_roots),
      .fallback = "SPX,SPXW,XSP,NDX,NDXP,RUT,RUTW,DJX,OEX,XEO,SPY,QQQ,IWM,DIA",
      .words = OG_WORDS_SYMBOLS,
      .help = "roots of broad indexes, and of funds on them" },
    { .key = "leveraged_2x",
      OG_WORDS(m.rates.leveraged_2x),
      .fallback = "QLD,QID,SSO,SDS,DDM,DXD,UWM,TWM",
      .words = OG_WORDS_SYMBOLS,
      .help = "funds that move twice as far as what they track: the percentages are doubled for them" },
    { .key = "leveraged_3x",
      OG_WORDS(m.rates.leveraged_3x),
      .fallback = "TQQQ,SQQQ,UPRO,SPXU,SPXL,SPXS,UDOW,SDOW,TNA,TZA,URTY,SRTY,SOXL,SOXS",
      .words = OG_WORDS_SYMBOLS,
      .help = "funds that move three times as far as what they track: the percentages are tripled for them" },
    { .key = "fee_per_contract",
      OG_MONEY(m.fee_per_contract),
      .fallback = "0",
      .least = "0",
      .tighter = OG_TIGHTER_HIGHER,
      .help = "dollars per option contract, added to the buying power that an order takes",
      .plausible = { .most = "25", .why_high = "the unit is dollars per contract, not per order" } },
    { .key = "fee_per_share",
      OG_MONEY(m.fee_per_share),
      .fallback = "0",
      .least = "0",
      .tighter = OG_TIGHTER_HIGHER,
      .help = "dollars per share, added to the buying power that an order takes",
      .plausible = { .most = "0.25", .why_high = "the unit is dollars per share, not per order" } },
    { .key = "locate_cost",
      OG_MONEY(m.locate_cost),
      .fallback = "0",
      .least = "0",
      .tighter = OG_TIGHTER_HIGHER,
      .help = "dollars per share sold short that is not known to be easy to borrow, added to the buying power that an "
              "order takes" },
};

enum { R_EXCEEDED, R_PUT, R_OVERNIGHT, R_BY_MODEL, R_NOT_MODELLED };

static const struct og_reason reasons[] = {
    [R_EXCEEDED] = { .id = "buying-power-exceeded",
                     .level = OG_LEVEL_REFUSE,
                     .undecided = OG_LEVEL_WARN,
                     OG_PREDICTS(LIVE_ASYNC, REJECTED_OR_ASYNC, READING),
                     .says = "order costs {0}{2}, buying power is {1}",
                     .help = "lower the quantity or the price, or free buying power by cancelling or closing",
                     .where = "C7, S5" },
    [R_PUT] = { .id = "cash-secured-put-buying-power",
                .level = OG_LEVEL_REFUSE,
                .undecided = OG_LEVEL_WARN,
                OG_PREDICTS(LIVE_ASYNC, REJECTED_OR_ASYNC, STATED),
                .says = "put written needs {0} to be cash-secured, buying power is {1}",
                .help = "lower the quantity or the strike; without the cash a put needs option level 4",
                .where = "S5" },
    [R_OVERNIGHT] = { .id = "overnight-buying-power",
                      .level = OG_LEVEL_WARN,
                      .undecided = OG_LEVEL_OFF,
                      .exits_pass = true,
                      .says = "order costs {0}, overnight buying power is {1}",
                      .help = "an order that lasts beyond today may fill when only overnight buying power counts",
                      .where = "C16" },
    [R_BY_MODEL] = { .id = "buying-power-by-model",
                     .level = OG_LEVEL_INFO,
                     .predicts = OG_NOT_STATED,
                     .says = "order costs {0}{1}: {2} gross less {3} received",
                     .help = "the broker's own margin formula is not stated, and may ask for more",
                     .where = "GAP-23" },
    [R_NOT_MODELLED] = { .id = "buying-power-not-modelled",
                         .level = OG_LEVEL_REFUSE,
                         .undecided = OG_LEVEL_INFO,
                         .predicts = OG_NOT_STATED,
                         .says = "buying power is not modelled for {0}",
                         .help = "the broker may reject it for buying power",
                         .where = "GAP-23" },
};

#define FIELD "/orderQuantity"

static struct og_arg cost_text(const struct og_margin *m)
{
    return m->state == OG_MARGIN_NO_BOUND       ? og_a_text("without bound")
           : m->state == OG_MARGIN_OUT_OF_RANGE ? og_a_text("more than can be counted")
                                                : og_a_money(m->required);
}

static struct og_arg model_text(const struct og_margin *m)
{
    if (m->assumed) /* the spread's legs do not show whether the limit is paid or received */
        return og_a_text(", its limit counted as a debit");
    if (m->bounded)
        return og_a_text(" at most, which buying power covers");
    return og_a_text(m->model == OG_BINDS_NONE || m->model == OG_BINDS_NOTIONAL ? ""
                     : m->model == OG_BINDS_PAYOFF                              ? " by its worst result at expiry"
                                                                                : " by the strategy rules");
}

static bool exceeds(const struct og_margin *m, struct og_money most)
{
    return m->state != OG_MARGIN_KNOWN || (m->required.coef > 0 && !og_money_is_within(m->required, most));
}

/* Set *most to the amount that may be used: bp, or less if the model of day trading allows less.  Returns false, after
 * an unsure finding, if a fact is missing. */
static bool may_use(const struct og_case *c, const struct settings *s, struct og_sink *sink,
                    const struct og_reason *reason, const struct og_account *a, struct og_money *most)
{
    struct og_money power;
    const char *missing;

    *most = a->bp;
    if (s->m.daytrade == OG_DAYTRADE_NONE)
        return true;
    if (!og_need(c, sink, reason, OG_FACT_POSITIONS, (struct og_str){ 0 }, FIELD))
        return false;
    missing = og_daytrade_power((enum og_daytrade)s->m.daytrade, a, og_facts_totals(c->facts), &power);
    if (missing)
        og_unsure(sink, reason, FIELD, missing);
    else if (og_money_cmp(power, *most) < 0)
        *most = power;
    return !missing;
}

/* Returns the account if its bp is known. If not, makes an unsure finding for the reason, and returns NULL. */
static OG_NOINLINE const struct og_account *account_with_bp(const struct og_case *c, const struct settings *s,
                                                            struct og_sink *sink, const struct og_reason *reason,
                                                            struct og_money *most)
{
    const struct og_account *a;

    if (!og_need(c, sink, reason, OG_FACT_ACCOUNT, (struct og_str){ 0 }, FIELD))
        return NULL;
    a = og_facts_account(c->facts);
    if (a->has_bp)
        return may_use(c, s, sink, reason, a, most) ? a : NULL;
    og_unsure(sink, reason, FIELD, "the account has no bp");
    return NULL;
}

/* Set the prediction: the service's document mentions buying power for new positions only. */
static void predict(const struct og_case *c, struct og_found *found)
{
    const struct og_margin *m = c->margin;

    if (m->closes)
        found->predicts = (struct og_prediction){ .channel = OG_CHANNEL_NONE };
    else if (m->assumed || og_case_may_do_either(c))
        found->predicts = (struct og_prediction)OG_NOT_STATED;
    else
        og_found_by_environment(c, found);
}

/* Check a put that needs its whole strike in cash: it is written below option level 4, and no short shares cover it. */
static OG_NOINLINE void check_put(const struct og_case *c, const struct settings *s, struct og_sink *sink)
{
    const struct og_reason *r = &reasons[R_PUT];
    struct og_money most;
    const struct og_account *a = account_with_bp(c, s, sink, r, &most);

    if (!a || !exceeds(c->margin, most))
        return;
    c->margin->exceeds = true;
    if (og_option_level(a) < 0)
        og_unsure(sink, r, FIELD, "the account has no option level");
    else if (og_need(c, sink, r, OG_FACT_POSITIONS, (struct og_str){ 0 }, FIELD))
        predict(c, OG_FIND(sink, r, FIELD, cost_text(c->margin), og_a_money(most)));
}

/* Make an unsure finding that says which price is missing. */
static void lacks_quote(const struct og_case *c, struct og_sink *sink)
{
    const struct og_order *o = c->order;
    const struct og_reason *r = &reasons[R_EXCEEDED];
    bool own = og_str_eq(c->margin->needs, o->symbol) && o->security != OG_MLEG,
         has_side = c->quote && (o->side == OG_BUY ? c->quote->has_ask : c->quote->has_bid);

    if (og_need(c, sink, r, OG_FACT_QUOTE, own ? o->symbol : c->margin->needs, FIELD))
        og_unsure(sink, r, FIELD,
                  !own                ? "the quote it needs has no price"
                  : has_side          ? "the quote lacks a price that a working order needs"
                  : o->side == OG_BUY ? "the quote has no ask"
                                      : "the quote has no bid");
}

static void found_exceeded(const struct og_case *c, struct og_money most, struct og_sink *sink)
{
    const struct og_margin *m = c->margin;

    if (m->state == OG_MARGIN_KNOWN && m->lonely &&
        !og_need(c, sink, &reasons[R_EXCEEDED], OG_FACT_POSITIONS, (struct og_str){ 0 }, FIELD))
        return;
    if (m->state == OG_MARGIN_KNOWN && m->needs.len) {
        lacks_quote(c, sink);
        return;
    }
    c->margin->exceeds = true;
    predict(c, OG_FIND(sink, &reasons[R_EXCEEDED], FIELD, cost_text(m), og_a_money(most), model_text(m)));
}

static OG_NOINLINE void found_by_model(const struct og_margin *m, struct og_sink *sink)
{
    struct og_found *found = OG_FIND(sink, &reasons[R_BY_MODEL], FIELD, cost_text(m), model_text(m),
                                     og_a_money(m->gross), og_a_money(m->proceeds));

    if (m->closes)
        found->predicts = (struct og_prediction){ .channel = OG_CHANNEL_NONE };
}

/* Report a buy whose stop price alone, without a quote, makes it cost more than the amount that may be used.  Returns
 * false if that amount suffices. */
static bool exceeds_by_its_prices(const struct og_case *c, struct og_money most, struct og_sink *sink)
{
    const struct og_money least = c->margin->taken;

    if (og_money_cmp(least, most) <= 0)
        return false;
    OG_FIND(sink, &reasons[R_EXCEEDED], FIELD, og_a_money(least), og_a_money(most), og_a_text(" at the least"));
    og_found_last(sink)->predicts = (struct og_prediction){ .channel = OG_CHANNEL_NONE };
    return true;
}

static OG_COLD void found_overnight(const struct og_case *c, struct og_money most, struct og_sink *sink)
{
    c->margin->exceeds = true;
    OG_FIND(sink, &reasons[R_OVERNIGHT], FIELD, cost_text(c->margin), og_a_money(most));
}

/* Report a cost that is unknown, or higher than the amount that may be used. */
static OG_NOINLINE void found_cost(const struct og_case *c, struct og_money most, struct og_sink *sink)
{
    const struct og_margin *m = c->margin;

    if (m->state == OG_MARGIN_NO_PRICE)
        og_unsure(sink, &reasons[R_EXCEEDED], FIELD, "a spread without a limit has no price");
    else if (m->state != OG_MARGIN_NEEDS_QUOTE)
        found_exceeded(c, most, sink);
    else if (!exceeds_by_its_prices(c, most, sink))
        lacks_quote(c, sink);
}

static inline void check_cost(const struct og_case *c, const struct og_account *a, struct og_money most,
                              struct og_sink *sink)
{
    const struct og_margin *m = c->margin;
    enum og_tif tif = c->order->tif;

    if (exceeds(m, most)) { /* exceeds() is true for every order of unknown cost too */
        found_cost(c, most, sink);
        return;
    }
    if (m->model != OG_BINDS_NOTIONAL || m->assumed)
        found_by_model(m, sink);
    if ((tif == OG_GOOD_TILL_CANCEL || tif == OG_GTC_PLUS) && a->has_overnight_bp && exceeds(m, a->overnight_bp))
        found_overnight(c, a->overnight_bp, sink);
}

/* Check the cost against the amount that may be used: bp, or less if the model of day trading allows less. */
static OG_NOINLINE void check_cost_by(const struct og_case *c, const struct settings *s, struct og_sink *sink)
{
    struct og_money most;
    const struct og_account *a = account_with_bp(c, s, sink, &reasons[R_EXCEEDED], &most);

    if (a)
        check_cost(c, a, most, sink);
}

/* Check the worst case.  Only a finding about the cost by the limit predicts a rejection, since the broker uses that
 * cost; a finding about a higher worst case predicts nothing. */
static OG_HOT OG_NOINLINE void check_worst(const struct og_case *c, const struct settings *s, struct og_sink *sink)
{
    struct og_margin *m = c->margin;
    struct og_money most, worst;
    enum og_worth worth = og_case_dollars(c, &worst);

    if (worth == OG_WORTH_KNOWN && og_money_is_within(worst, m->required))
        return;
    og_case_take_worst(c, m);
    if (m->exceeds || !account_with_bp(c, s, sink, &reasons[R_EXCEEDED], &most))
        return;
    if (!og_money_is_within(worst, most))
        OG_FIND(sink, &reasons[R_EXCEEDED], FIELD, og_a_money(worst), og_a_money(most), og_a_text(" at the worst"));
    else if (worth != OG_WORTH_KNOWN)
        og_unsure_worth(c, sink, &reasons[R_EXCEEDED], FIELD, worth);
    else
        return;
    og_found_last(sink)->predicts = (struct og_prediction){ .channel = OG_CHANNEL_NONE };
}

static OG_HOT void check(const struct og_case *c, const void *settings, struct og_sink *sink)
{
    const struct settings *s = settings;
    const struct og_account *a;
    struct og_margin *m = c->margin;

    og_case_margin(c, &s->m, false, false, m);
    if (m->state == OG_MARGIN_NOT_MODELLED && m->why && !m->closes)
        og_find_unsure(sink, &reasons[R_NOT_MODELLED], FIELD, (const struct og_arg[]){ og_a_text(m->why) }, 1);
    if (m->state == OG_MARGIN_NOTHING || m->state == OG_MARGIN_NOT_MODELLED)
        return;
    if (m->model == OG_BINDS_CASH)
        check_put(c, s, sink);
    else if (s->m.daytrade == OG_DAYTRADE_NONE && og_has(c, OG_FACT_ACCOUNT) && (a = og_facts_account(c->facts)) &&
             a->has_bp)
        check_cost(c, a, a->bp, sink);
    else
        check_cost_by(c, s, sink);
    if (og_case_may_cost_more(c, m))
        check_worst(c, s, sink);
}

const struct og_rule og_rule_buying_power = {
    OG_PARTS_OF_FILE(buying_power),
    .id = "buying-power",
    .summary = "an order takes more than the account may use",
    .because =
        "the broker rejects an order that the account cannot pay for, and orders that rely on it are already sent",
    .stage = OG_STAGE_ACCOUNT,
    .counts = true,
    .counts_working = true,
    .reads = OG_FACT_ACCOUNT | OG_FACT_POSITIONS | OG_FACT_QUOTE,
    OG_SETTINGS_OF_FILE,
};
