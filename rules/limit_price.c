/*
 * limit-price (106): the limit is present, positive, and has no more decimals than the service accepts.  Decided on the
 * decimal text, never on a double: 1.00005 has five decimals, 1.234500 has four.  If the order type has no limit, the
 * service ignores the key, but its schema still checks it: so decimals and the option maximum are checked there too.
 * The limit is not compared with the market; price-collar does that.
 */
#include "rules/rule.h"

enum { DECIMALS_MOST = 4 };

enum { R_MISSING, R_NOT_POSITIVE, R_DECIMALS, R_SUB_PENNY, R_OPTION_MAX, R_MLEG_LARGE, R_TICK };

struct settings {
    struct og_money stock_tick;
    struct og_string_set penny, classes, nickel;
};

static const struct og_param params[] = {
    { .key = "stock_tick",
      OG_MONEY(stock_tick),
      .fallback = "0.01",
      .least = "0.0001",
      .most = "0.01",
      .tighter = OG_TIGHTER_HIGHER,
      .help = "steps of stock prices at 1.00 or above, in dollars; a finer step than 0.01 gives a warning, since the "
              "service's document says 0.01" },
    { .key = "penny_throughout",
      OG_WORDS(penny),
      .fallback = "SPY,QQQ,IWM,XSP",
      .words = OG_WORDS_SYMBOLS,
      .help = "option roots with price steps of 0.01 at any price" },
    { .key = "penny_classes",
      OG_WORDS(classes),
      .fallback = "AAPL,AMD,AMZN,BABA,BAC,C,DIA,EEM,F,FXI,GDX,GE,GLD,GOOG,GOOGL,GS,HYG,INTC,JPM,META,MSFT,MU,NFLX,NVDA,"
                  "PFE,PLTR,SLV,SMH,SOFI,T,TLT,TSLA,UBER,USO,VIX,VIXW,VXX,WFC,XLE,XLF,XLK,XOM",
      .words = OG_WORDS_SYMBOLS,
      .help = "option roots with price steps of 0.01 below 3.00 and of 0.05 above; the exchanges change the list "
              "yearly" },
    { .key = "nickel_classes",
      OG_WORDS(nickel),
      .fallback = "SPX,SPXW,NDX,NDXP,RUT,RUTW",
      .words = OG_WORDS_SYMBOLS,
      .help = "option roots that surely have price steps of 0.05 below 3.00 and of 0.10 above; other roots probably do "
              "too" },
};

#define OPTION_MOST ((struct og_money){ 999999, 2 }) /* 9999.99 */
#define PENNY       ((struct og_money){ 1, 2 })
#define NICKEL      ((struct og_money){ 5, 2 })
#define DIME        ((struct og_money){ 1, 1 })
#define DOLLAR      ((struct og_money){ 1, 0 })
#define COARSE_FROM ((struct og_money){ 300, 2 }) /* from this price on, options have larger price steps */

static const struct og_reason reasons[] = {
    [R_MISSING] = { .id = "limit-price-missing",
                    .level = OG_LEVEL_REFUSE,
                    OG_PREDICTS(PRICE, REJECTED_OR_ASYNC, STATED),
                    .predicts.code = "R145",
                    .says = "limitPrice is missing on a {0} order",
                    .help = "the service would take it as 0; a paper account rejects the order at once",
                    .where = "Q16, T13" },
    [R_NOT_POSITIVE] = { .id = "limit-price-not-positive",
                         .level = OG_LEVEL_REFUSE,
                         OG_PREDICTS(PRICE, REJECTED, READING),
                         .predicts.code = "R145",
                         .says = "limitPrice is {0}, it must be above 0",
                         .help = "the net price of a spread is positive too: debit or credit follows from the legs",
                         .where = "S7, T12, Y45" },
    [R_DECIMALS] = { .id = "limit-price-decimals",
                     .level = OG_LEVEL_REFUSE,
                     OG_PREDICTS(SCHEMA, HTTP_400, READING),
                     .predicts.text = "- limitPrice: Must be a multiple of 0.0001",
                     .says = "limitPrice is {0}, allowed are up to 4 decimals",
                     .where = "Q15, CON-18" },
    [R_SUB_PENNY] = { .id = "stock-sub-penny",
                      .level = OG_LEVEL_REFUSE,
                      OG_PREDICTS(PRICE, REJECTED, READING),
                      .predicts.code = "R145",
                      .says = "limitPrice is {0}, stocks at 1.00 or above take 2 decimals",
                      .where = "Q17, CON-18" },
    [R_OPTION_MAX] = { .id = "option-limit-above-max",
                       .level = OG_LEVEL_REFUSE,
                       OG_PREDICTS(SCHEMA, HTTP_400, STATED),
                       .predicts.text = "- limitPrice: Must be less than or equal to 9999.99",
                       .says = "limitPrice is {0}, the most allowed for an option is 9999.99",
                       .help = "the price of an option is dollars per share of premium, not per contract",
                       .where = "S7, Y28" },
    [R_MLEG_LARGE] = { .id = "mleg-limit-large",
                       .level = OG_LEVEL_WARN,
                       OG_PREDICTS(SCHEMA, HTTP_400, READING),
                       .predicts.text = "- limitPrice: Must be less than or equal to 9999.99",
                       .says = "limitPrice is {0}, the most allowed for an option is 9999.99, which may apply to a "
                               "spread too",
                       .where = "CON-20" },
    [R_TICK] = { .id = "option-price-tick",
                 .level = OG_LEVEL_WARN,
                 .says = "limitPrice is {0}, prices of {1} are in steps of {2}{3}",
                 .help = "the lists of roots are the settings penny_throughout, penny_classes and nickel_classes",
                 .where = "S7" },
};

static OG_COLD void check_missing(const struct og_case *c, const char *field, struct og_sink *sink)
{
    struct og_found *found = OG_FIND(sink, &reasons[R_MISSING], field, og_a_text(og_order_type_name(c->order->type)));

    if (og_case_is_paper(c))
        found->predicts.channel = OG_CHANNEL_REJECTED;
}

static void check_not_positive(const struct og_order *o, const char *field, struct og_arg given, struct og_sink *sink)
{
    struct og_found *found = OG_FIND(sink, &reasons[R_NOT_POSITIVE], field, given);

    if (o->security == OG_OPTION && o->field[OG_KEY_LIMIT_PRICE].text.s[0] == '-')
        found->predicts.certainty = OG_STATED;
}

/* Check a number that og_money cannot represent exactly. Its sign is known nevertheless, and so is whether it is too
 * large or has too many decimals. */
static void check_inexact(const struct og_order *o, const char *field, struct og_arg given, struct og_sink *sink)
{
    const struct og_field *parsed = &o->field[OG_KEY_LIMIT_PRICE];
    bool negative = parsed->text.s[0] == '-';

    if (negative && og_order_wants_limit(o))
        check_not_positive(o, field, given, sink);
    if (parsed->status == OG_TOO_FINE)
        OG_FIND(sink, &reasons[R_DECIMALS], field, given);
    else if (!negative && o->security == OG_OPTION)
        OG_FIND(sink, &reasons[R_OPTION_MAX], field, given);
    else if (!negative && o->security == OG_MLEG)
        OG_FIND(sink, &reasons[R_MLEG_LARGE], field, given);
}

static inline bool in_pennies(struct og_money m)
{
    return m.scale <= PENNY.scale;
}

static void check_stock_step(const struct og_order *o, const struct settings *s, const char *field,
                             struct og_sink *sink)
{
    struct og_found *found;

    if (in_pennies(o->limit) || og_money_cmp(o->limit, DOLLAR) < 0)
        return;
    found = OG_FIND(sink, &reasons[R_SUB_PENNY], field, og_a_str(o->field[OG_KEY_LIMIT_PRICE].text));
    if (og_money_is_multiple(o->limit, s->stock_tick))
        found->natural = OG_LEVEL_WARN;
}

/* Returns the price step of a root.  *known is false for a root in none of the lists: its step cannot be known
 * offline. */
static struct og_money step_of(const struct settings *s, struct og_str root, bool coarse, bool *known)
{
    *known = true;
    if (og_string_set_contains(&s->penny, root))
        return PENNY;
    if (og_string_set_contains(&s->classes, root))
        return coarse ? NICKEL : PENNY;
    *known = og_string_set_contains(&s->nickel, root);
    return coarse ? DIME : NICKEL;
}

/* Check the price step of an option.  For a root in none of the lists the step is taken to be a penny, with a note if
 * it may be larger. */
static OG_HOT void check_option_step(const struct og_order *o, const struct settings *s, struct og_sink *sink)
{
    struct og_str root = o->security == OG_MLEG ? OG_STR("spreads") : o->occ.root;
    struct og_money step = PENNY;
    bool known = true;

    if (o->limit.coef <= 0 || o->limit.scale <= DIME.scale || !root.len || og_price_cmp(o->limit, OPTION_MOST) > 0)
        return; /* a multiple of 0.10 is a multiple of every price step */
    if (o->security == OG_OPTION)
        step = step_of(s, root, og_price_cmp(o->limit, COARSE_FROM) >= 0, &known);
    if (og_money_is_multiple(o->limit, step))
        return;
    known |= !in_pennies(o->limit);
    OG_FIND(sink, &reasons[R_TICK], og_key_pointers[OG_KEY_LIMIT_PRICE], og_a_str(o->field[OG_KEY_LIMIT_PRICE].text),
            og_a_str(root), og_a_money(step), og_a_text(known ? "" : " unless it is a penny class"))
        ->natural = known ? OG_LEVEL_WARN : OG_LEVEL_INFO;
}

static OG_COLD void check_odd(const struct og_case *c, const struct settings *s, struct og_sink *sink)
{
    const struct og_order *o = c->order;
    const struct og_field *parsed = &o->field[OG_KEY_LIMIT_PRICE];
    const char *field = og_key_pointers[OG_KEY_LIMIT_PRICE];
    struct og_arg given = og_a_str(parsed->text);

    if (parsed->status == OG_ABSENT && og_order_wants_limit(o))
        check_missing(c, field, sink);
    if (parsed->status == OG_TOO_FINE || parsed->status == OG_TOO_LARGE)
        check_inexact(o, field, given, sink);
    if (parsed->status != OG_VALID)
        return;
    if (og_order_wants_limit(o) && o->limit.coef <= 0)
        check_not_positive(o, field, given, sink);
    /* check this first: the service documents the maximum, while the price steps are our assumption */
    if (o->security == OG_OPTION && og_money_cmp(o->limit, OPTION_MOST) > 0)
        OG_FIND(sink, &reasons[R_OPTION_MAX], field, given);
    if (o->limit.scale > DECIMALS_MOST)
        OG_FIND(sink, &reasons[R_DECIMALS], field, given);
    if (og_order_wants_limit(o) && o->security == OG_STOCK)
        check_stock_step(o, s, field, sink);
    else if (og_order_wants_limit(o) && (o->security == OG_OPTION || o->security == OG_MLEG))
        check_option_step(o, s, sink);
    if (o->security == OG_MLEG && og_money_cmp(o->limit, OPTION_MOST) > 0)
        OG_FIND(sink, &reasons[R_MLEG_LARGE], field, given);
}

/* Returns true for a limit above 0 in whole pennies: a stock order with such a limit needs no other check. */
static inline bool is_usual(const struct og_order *o)
{
    return og_order_ok(o, OG_KEY_LIMIT_PRICE) && o->limit.coef > 0 && in_pennies(o->limit);
}

static OG_HOT OG_NOINLINE void check_further(const struct og_case *c, const struct settings *s, struct og_sink *sink)
{
    const struct og_order *o = c->order;

    if (!is_usual(o) || og_price_cmp(o->limit, OPTION_MOST) > 0)
        check_odd(c, s, sink);
    else if (o->security == OG_OPTION && og_order_wants_limit(o))
        check_option_step(o, s, sink);
}

static OG_HOT void check(const struct og_case *c, const void *settings, struct og_sink *sink)
{
    const struct og_order *o = c->order;
    bool fine = og_order_has(o, OG_KEY_LIMIT_PRICE) ? o->security == OG_STOCK && is_usual(o) : !og_order_wants_limit(o);

    if (!fine)
        check_further(c, settings, sink);
}

/* A usual order of stock has a limit above 0 in whole cents, or needs none. */
static unsigned only_by(const void *settings, enum og_security security)
{
    (void)settings;
    return security == OG_STOCK ? OG_TRAIT_ODD : 0;
}

const struct og_rule og_rule_limit_price = {
    OG_PARTS_OF_FILE(limit_price),
    .id = "limit-price",
    .summary = "limitPrice is missing, not positive, too fine or too large",
    .because = "the service answers 400 or rejects the order; a missing limit becomes 0",
    .stage = OG_STAGE_FORM,
    .only_by = only_by,
    OG_SETTINGS_OF_FILE,
};
