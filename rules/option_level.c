/*
 * option-level (402): compares the account's option level with the level that the order needs (docs/readings.md "Option
 * levels").  Closing needs no approval.  The level that a written option or a bought put needs depends on the
 * positions; if the finding does not, positions need not be known.  Requirements can differ by account, so everything
 * but level 0 is a warning.
 */
#include "margin/cover.h"
#include "rules/sides.h"

/* A purpose for which an order can need an option level; each has a setting. */
enum need {
    LONG_CALL,
    LONG_PUT,
    PROTECTIVE_PUT,
    COVERED_CALL,
    CASH_SECURED_PUT,
    PAIRED,
    NAKED_CALL,
    NAKED_PUT,
    VERTICAL,
    BUTTERFLY,
    CONDOR,
    IRON_BUTTERFLY,
    IRON_CONDOR,
    STRADDLE_LONG,
    STRADDLE_SHORT,
    STRADDLE_COVERED,
    COVERED_CALL_ORDER,
    MARRIED_PUT_ORDER,
    ROLL,
    ROLL_NAKED,
    NEEDS
};

enum { HIGHEST = 4 };

struct settings {
    int64_t level[NEEDS];
};

#define LEVEL(need, key_, fallback_, help_)                                                     \
    {                                                                                           \
        .key = (key_), OG_INT(level[need]), .fallback = (fallback_), .least = "0", .most = "4", \
        .tighter = OG_TIGHTER_HIGHER, .finds = "option-level-insufficient",                     \
        .help = "the level that " help_ " needs, 0 to 4"                                        \
    }

static const struct og_param params[] = {
    LEVEL(LONG_CALL, "long_call", "2", "buying a call"),
    LEVEL(LONG_PUT, "long_put", "2", "buying a put that protects no shares"),
    LEVEL(PROTECTIVE_PUT, "protective_put", "1", "buying a put on shares that are held"),
    LEVEL(COVERED_CALL, "covered_call", "1", "writing a call on shares that are held"),
    LEVEL(CASH_SECURED_PUT, "cash_secured_put", "1", "writing a put that cash can pay for"),
    LEVEL(PAIRED, "paired_write", "3", "writing a contract that a long one covers, a spread built leg by leg,"),
    LEVEL(NAKED_CALL, "naked_call", "4", "writing a call that is covered in part or not at all"),
    LEVEL(NAKED_PUT, "naked_put", "4", "writing a put that neither cash nor a long put covers"),
    LEVEL(VERTICAL, "vertical", "3", "a call or put vertical"),
    LEVEL(BUTTERFLY, "butterfly", "3", "a butterfly"),
    LEVEL(CONDOR, "condor", "3", "a condor"),
    LEVEL(IRON_BUTTERFLY, "iron_butterfly", "3", "an iron butterfly"),
    LEVEL(IRON_CONDOR, "iron_condor", "3", "an iron condor"),
    LEVEL(STRADDLE_LONG, "straddle_long", "3", "buying a straddle or strangle"),
    LEVEL(STRADDLE_SHORT, "straddle_short", "4", "writing a straddle or strangle"),
    LEVEL(STRADDLE_COVERED, "straddle_covered", "3", "writing a straddle or strangle covered on both sides"),
    LEVEL(COVERED_CALL_ORDER, "covered_call_order", "3", "a covered call as one multi-leg order"),
    LEVEL(MARRIED_PUT_ORDER, "married_put_order", "3", "a married put as one multi-leg order"),
    LEVEL(ROLL, "roll", "3", "opening and closing in one multi-leg order"),
    LEVEL(ROLL_NAKED, "roll_naked", "4", "opening and closing in one multi-leg order that leaves a sold leg uncovered"),
};

enum { R_OFF, R_SHORT, R_DISAGREE };

static const struct og_reason reasons[] = {
    [R_OFF] = { .id = "options-not-enabled",
                .level = OG_LEVEL_REFUSE,
                .undecided = OG_LEVEL_WARN,
                .exits_pass = true,
                OG_PREDICTS(LIVE_ASYNC, ASYNC, READING),
                .says = "the account has option level 0, options are not enabled",
                .help = "ask the broker for option approval; an order that only closes needs none",
                .where = "C23, OL28" },
    [R_SHORT] = { .id = "option-level-insufficient",
                  .level = OG_LEVEL_WARN,
                  .undecided = OG_LEVEL_WARN,
                  .exits_pass = true,
                  OG_PREDICTS(LIVE_ASYNC, ASYNC, READING),
                  .says = "{0} needs option level {1}{2}, the account has {3}",
                  .help = "ask the broker for this level, or hold shares, contracts or cash that cover the order",
                  .where = "C23, OL4-OL25" },
    [R_DISAGREE] = { .id = "account-option-level-disagree",
                     .level = OG_LEVEL_WARN,
                     .undecided = OG_LEVEL_OFF,
                     .exits_pass = true,
                     .says = "optLevel is {0} and optionTradingLevel is {1}: the smaller is used",
                     .help = "the service's document describes only one option level; ask the broker whether "
                             "optLevel or optionTradingLevel applies",
                     .where = "C14" },
};

/* The purposes for which an order may need a level, bits 1 << enum need. The positions decide which of these purposes
 * it is. */
struct needs {
    unsigned may;
    const char *what;
};

#define MAY(need) (1u << (need))

static struct needs single_needs(const struct og_order *o)
{
    bool call = o->occ.type == 'C';

    if (!o->occ.is)
        return (struct needs){ 0, "" }; /* not the symbol of a contract: other rules report that */
    if (o->side == OG_BUY && call)
        return (struct needs){ MAY(LONG_CALL), "a long call" };
    if (o->side == OG_BUY)
        return (struct needs){ MAY(LONG_PUT) | MAY(PROTECTIVE_PUT), "a long put" };
    if (o->side == OG_SELL && call)
        return (struct needs){ MAY(COVERED_CALL) | MAY(PAIRED) | MAY(NAKED_CALL), "a call written" };
    if (o->side == OG_SELL)
        return (struct needs){ MAY(CASH_SECURED_PUT) | MAY(PAIRED) | MAY(NAKED_PUT), "a put written" };
    return (struct needs){ 0, "" };
}

static struct needs mleg_needs(const struct og_mleg *m)
{
    static const struct needs of[] = {
        [OG_CALL_VERTICAL] = { MAY(VERTICAL), "a multi-leg order" },
        [OG_PUT_VERTICAL] = { MAY(VERTICAL), "a multi-leg order" },
        [OG_STRADDLE] = { MAY(STRADDLE_LONG), "a multi-leg order" },
        [OG_STRANGLE] = { MAY(STRADDLE_LONG), "a multi-leg order" },
        [OG_BUTTERFLY] = { MAY(BUTTERFLY), "a multi-leg order" },
        [OG_CONDOR] = { MAY(CONDOR), "a multi-leg order" },
        [OG_IRON_BUTTERFLY] = { MAY(IRON_BUTTERFLY), "a multi-leg order" },
        [OG_IRON_CONDOR] = { MAY(IRON_CONDOR), "a multi-leg order" },
        [OG_COVERED_CALL] = { MAY(COVERED_CALL_ORDER), "a covered call as one multi-leg order (by name level 1)" },
        [OG_MARRIED_PUT] = { MAY(MARRIED_PUT_ORDER), "a married put as one multi-leg order (by name level 1)" },
    };

    if (m->strategy == OG_STRATEGY_NONE)
        return (struct needs){ 0, "" };
    if (m->mixed_open_close)
        return (struct needs){ MAY(ROLL) | MAY(ROLL_NAKED), "a roll in one multi-leg order" };
    if ((m->strategy == OG_STRADDLE || m->strategy == OG_STRANGLE) && m->net == OG_CREDIT)
        return (struct needs){ MAY(STRADDLE_COVERED) | MAY(STRADDLE_SHORT), "a short straddle or strangle" };
    return of[m->strategy];
}

/* Set the lowest and the highest level that the order may need. */
static void bounds_of(const struct settings *s, unsigned may, int *least, int *most)
{
    *least = HIGHEST;
    *most = 0;
    for (; may; may &= may - 1) {
        int level = (int)s->level[__builtin_ctz(may)];

        *least = level < *least ? level : *least;
        *most = level > *most ? level : *most;
    }
}

static const char *const too_many = "more contracts are held on the underlying than are looked at";

/* Returns true if the cash that remains after the strikes of all written puts, less those that expired before `today`,
 * pays this put's whole strike.  *why is set if that is unknown. */
static bool cash_remains(const struct og_facts *f, int today, const struct og_occ *occ, int64_t contracts,
                         const char **why)
{
    const struct og_account *a = og_facts_account(f);
    struct og_money reserved, left, needed;

    if (!a->has_available_cash)
        *why = "the account has no availableCash";
    else if (!og_facts_put_reserve(f, today, &reserved) || !og_money_sub(a->available_cash, reserved, &left))
        *why = "the cash that puts reserve is out of range";
    if (*why)
        return false;
    return og_put_secured_by(occ, contracts, &needed) && og_money_cmp(left, needed) >= 0;
}

/* Returns true if cash secures the put: *why is set if that is unknown.  Expired puts are looked for only if that
 * matters. */
static bool cash_secures(const struct og_case *c, const struct og_occ *occ, int64_t contracts, const char **why)
{
    return cash_remains(c->facts, 0, occ, contracts, why) ||
           (!*why && cash_remains(c->facts, c->eastern.date, occ, contracts, why));
}

/* Returns the purpose for which a bought put needs a level.  The put is protective if there are shares that neither
 * cover a written call nor are protected by another put. */
static enum need bought_put(const struct og_case *c, const char **why)
{
    struct og_str root = c->order->occ.root;
    struct og_cover calls, puts;

    if (!og_cover_of(c->facts, root, 'C', NULL, OG_COVER_AS_IS, c->eastern.date, &calls) ||
        !og_cover_of(c->facts, root, 'P', NULL, OG_COVER_AS_IS, c->eastern.date, &puts))
        *why = too_many;
    else if (calls.lots - calls.unpaired - puts.longs >= c->order->quantity)
        return PROTECTIVE_PUT;
    return LONG_PUT;
}

static enum need written(const struct og_case *c, const char **why)
{
    const struct og_order *o = c->order;
    struct og_cover before, after;

    if (!og_cover_of(c->facts, o->occ.root, o->occ.type, NULL, OG_COVER_AS_IS, c->eastern.date, &before) ||
        !og_cover_of(c->facts, o->occ.root, o->occ.type, o, OG_COVER_FILLED, c->eastern.date, &after))
        *why = too_many;
    if (*why)
        return NAKED_CALL;
    if (o->occ.type == 'P') {
        if (cash_secures(c, &o->occ, o->quantity, why))
            return CASH_SECURED_PUT;
        return after.unpaired == before.unpaired ? PAIRED : NAKED_PUT;
    }
    if (before.lots - before.unpaired >= o->quantity)
        return COVERED_CALL;
    return og_cover_naked_calls(&after) > og_cover_naked_calls(&before) ? NAKED_CALL : PAIRED;
}

static bool leg_covered(const struct og_case *c, const struct og_leg *leg, const char **why)
{
    const struct og_order *o = c->order;
    struct og_cover before, after;

    if (!og_cover_of(c->facts, leg->occ.root, leg->occ.type, o, OG_COVER_CLOSES, c->eastern.date, &before) ||
        !og_cover_of(c->facts, leg->occ.root, leg->occ.type, o, OG_COVER_FILLED, c->eastern.date, &after)) {
        *why = too_many;
        return false;
    }
    if (leg->occ.type == 'C')
        return og_cover_naked_calls(&after) == og_cover_naked_calls(&before);
    return after.unpaired == before.unpaired || cash_secures(c, &leg->occ, leg->ratio * o->quantity, why);
}

/* Returns true if the contracts that the order writes are covered after its closing legs have filled. */
static bool sells_covered(const struct og_case *c, const char **why)
{
    for (int i = 0; i < c->order->legs_kept; i++) {
        const struct og_leg *leg = &c->order->leg[i];

        if (leg->side == OG_SELL && og_opens(leg->open_close) != 0 && leg->occ.is && !leg_covered(c, leg, why))
            return false;
    }
    return true;
}

static enum need exactly(const struct og_case *c, const char **why)
{
    bool roll = c->mleg->mixed_open_close;

    if (c->order->security != OG_MLEG)
        return c->order->side == OG_BUY ? bought_put(c, why) : written(c, why);
    if (sells_covered(c, why))
        return roll ? ROLL : STRADDLE_COVERED;
    return roll ? ROLL_NAKED : STRADDLE_SHORT;
}

/* Set *level to the account's level.  If it is unknown, makes an unsure finding for the reason, and returns false. */
static bool level_known(const struct og_case *c, struct og_sink *sink, const struct og_reason *reason,
                        const char *field, int *level)
{
    if (!og_need(c, sink, reason, OG_FACT_ACCOUNT, (struct og_str){ 0 }, field))
        return false;
    *level = og_option_level(og_facts_account(c->facts));
    if (*level < 0)
        og_unsure(sink, reason, field, "the account has no option level");
    return *level >= 0;
}

/* Add the lowest and the highest level that the order may need to the message, if positions are unknown or out of
 * range. */
static void say_between(struct og_sink *sink, const struct needs *n, int least, int most, int level)
{
    const struct og_arg args[] = { og_a_text(n->what), og_a_int(least), og_a_int(most), og_a_int(level) };

    og_found_add(sink, "; {0} needs an option level between {1} and {2}, the account has {3}", args, 4);
}

/* Set the prediction: a close needs no level, and an order that may close perhaps needs none. */
static void predict(const struct og_case *c, struct og_found *found)
{
    og_found_by_environment(c, found);
    if (og_case_may_do_either(c))
        found->predicts = (struct og_prediction)OG_NOT_STATED;
    if (og_order_may_open(c->order))
        return;
    found->natural = OG_LEVEL_INFO;
    found->predicts.channel = OG_CHANNEL_NONE;
}

static void check_need(const struct og_case *c, const struct settings *s, struct og_sink *sink)
{
    const struct og_reason *r = &reasons[R_SHORT];
    const char *field = c->order->security == OG_MLEG ? "/legs" : "/side", *why = NULL;
    struct needs n = c->order->security == OG_MLEG ? mleg_needs(c->mleg) : single_needs(c->order);
    int level, least, most, needed;

    bounds_of(s, n.may, &least, &most);
    if (most == 0 || c->order->quantity == 0 || !level_known(c, sink, r, field, &level) || level >= most)
        return;
    needed = least;
    if (level >= least) { /* the level suffices for the lowest need; whether it suffices for the actual need depends on
                           * the positions */
        if (!og_need(c, sink, r, OG_FACT_POSITIONS, (struct og_str){ 0 }, field) ||
            !og_need(c, sink, r, OG_FACT_ORDERS, (struct og_str){ 0 }, field)) {
            say_between(sink, &n, least, most, level);
            return;
        }
        needed = (int)s->level[exactly(c, &why)];
        if (why) {
            og_unsure(sink, r, field, why);
            say_between(sink, &n, least, most, level);
        }
    }
    if (!why && level < needed)
        predict(c, OG_FIND(sink, r, field, og_a_text(n.what), og_a_int(needed),
                           og_a_text(level < least && least < most ? " or more" : ""), og_a_int(level)));
}

static void check_enabled(const struct og_case *c, struct og_sink *sink)
{
    int level;

    /* a close needs no level, so it gets a reason that makes no finding if the level is unknown */
    if (!level_known(c, sink, &reasons[og_order_may_open(c->order) ? R_OFF : R_DISAGREE], "/securityType", &level) ||
        level > 0)
        return;
    predict(c, OG_FIND0(sink, &reasons[R_OFF], "/securityType"));
}

static void check_names(const struct og_case *c, struct og_sink *sink)
{
    const struct og_account *a;

    if (!og_need(c, sink, &reasons[R_DISAGREE], OG_FACT_ACCOUNT, (struct og_str){ 0 }, "account/optLevel"))
        return;
    a = og_facts_account(c->facts);
    if (a->opt_level >= 0 && a->option_trading_level >= 0 && a->opt_level != a->option_trading_level)
        OG_FIND(sink, &reasons[R_DISAGREE], "account/optLevel", og_a_int(a->opt_level),
                og_a_int(a->option_trading_level));
}

static OG_NOINLINE void check_level(const struct og_case *c, const struct settings *s, struct og_sink *sink)
{
    check_enabled(c, sink);
    check_names(c, sink);
    if (og_order_may_open(c->order))
        check_need(c, s, sink);
}

/* Returns true if both of the account's levels are the highest, which suffices for every order. */
static inline bool is_highest(const struct og_case *c)
{
    const struct og_account *a = og_facts_account(c->facts);

    return og_has(c, OG_FACT_ACCOUNT) && a->opt_level == HIGHEST && a->option_trading_level == HIGHEST;
}

static OG_HOT void check(const struct og_case *c, const void *settings, struct og_sink *sink)
{
    bool options = c->order->security == OG_OPTION || c->order->security == OG_MLEG;

    if (options && !is_highest(c))
        check_level(c, settings, sink);
}

const struct og_rule og_rule_option_level = {
    OG_PARTS_OF_FILE(option_level),
    .id = "option-level",
    .summary = "the account's option approval does not reach the order",
    .because = "an option order above the account's approval is rejected, and an uncovered one can lose without bound",
    .stage = OG_STAGE_ACCOUNT,
    .securities = 1u << OG_OPTION | 1u << OG_MLEG,
    .counts_working = true,
    .reads = OG_FACT_ACCOUNT | OG_FACT_POSITIONS | OG_FACT_ORDERS,
    OG_SETTINGS_OF_FILE,
};
