/*
 * facts-age (1008): reports once each kind of facts that is older than the policy allows.  The rules that need such a
 * fact report that they cannot decide.  A fact of unknown age is not reported. Locates are reported only where
 * something needs them: most orders sell no stock short, and `send` reads locates only for short sales.
 *
 * With `account_facts: required`, an order that may open is refused without the account, its positions or its working
 * orders, whatever other rules need: a desk that sets no limits counts nothing, but it does not trade blind either.
 */
#include "rules/sides.h"

enum { FACTS_OPTIONAL, FACTS_REQUIRED };

struct settings {
    int32_t account_facts;
};

static const char *const demands[] = { "optional", "required", NULL };

static const struct og_param params[] = {
    { .key = "account_facts",
      OG_CHOICE(account_facts),
      .fallback = "optional",
      .choices = demands,
      .tighter = OG_TIGHTER_HIGHER,
      .help = "whether an order that opens may pass while the account, positions or working orders are not known or "
              "too old; rules that need these facts are unsure all the same" },
};

enum { R_STALE, R_MISSING };

static const struct og_reason reasons[] = {
    [R_STALE] = { .id = "input-stale",
                  .level = OG_LEVEL_WARN,
                  .undecided = OG_LEVEL_OFF,
                  .ignorance = true,
                  .says = "{0} is {1} old, {2} is the most allowed",
                  .help = "read it again; rules that need it cannot decide",
                  .where = "E32" },
    [R_MISSING] = { .id = "account-facts-missing",
                    .level = OG_LEVEL_REFUSE,
                    .undecided = OG_LEVEL_REFUSE,
                    .ignorance = true,
                    .says = "{0} not known, or too old: what the order would add to is not known",
                    .help = "give them anew in the facts; a cancel, or an order that only closes, needs none",
                    .where = "policy" },
};

#define ALL (OG_FACT_ACCOUNT | OG_FACT_POSITIONS | OG_FACT_ORDERS | OG_FACT_LOCATES | OG_FACT_QUOTE)
static const struct {
    enum og_fact kind;
    const char *field;
} inputs[] = {
    { OG_FACT_ACCOUNT, "facts/account" }, { OG_FACT_POSITIONS, "facts/positions" },
    { OG_FACT_ORDERS, "facts/orders" },   { OG_FACT_LOCATES, "facts/locateInventory" },
    { OG_FACT_QUOTE, "facts/quotes" },
};

/* Returns the time at which the fact was last known to be current; OG_TIME_UNKNOWN if the fact is unknown or has no
 * age. */
static int64_t age_of(const struct og_case *c, enum og_fact kind)
{
    int64_t as_of = OG_TIME_UNKNOWN;

    if (kind == OG_FACT_QUOTE)
        return c->quote ? c->quote->as_of : OG_TIME_UNKNOWN;
    return og_facts_known(c->facts, kind, &as_of) ? as_of : OG_TIME_UNKNOWN;
}

/* Returns true if the order may sell stock short: (a) it sells to open; (b) it does not say whether it opens; (c) it
 * closes more than is held, so that a part of it may open. */
static bool may_sell_short(const struct og_case *c)
{
    struct og_money opening;

    for (int i = 0; i < og_order_trades(c->order); i++) {
        const struct og_trade t = og_order_trade(c->order, i);

        if (!t.occ->is && t.side != OG_BUY && (!og_case_opening(c, i, &opening) || opening.coef != 0))
            return true;
    }
    return false;
}

/* Returns true if the case needs locates: (a) it is a request about locates; (b) it may sell stock short; (c) an
 * expression of the policy may read them. */
static bool wants_locates(const struct og_case *c)
{
    if (c->request)
        return c->request->subject == OG_SUBJECT_LOCATE;
    return c->expr_reads & OG_FACT_LOCATES || may_sell_short(c);
}

static OG_HOT OG_NOINLINE void check_ages(const struct og_case *c, struct og_sink *sink)
{
    for (size_t i = 0; i < sizeof inputs / sizeof inputs[0]; i++) {
        int64_t most = c->max_age[__builtin_ctz((unsigned)inputs[i].kind)], as_of;

        if (!most || c->usable & (unsigned)inputs[i].kind)
            continue;
        as_of = age_of(c, inputs[i].kind);
        if (as_of == OG_TIME_UNKNOWN || as_of >= c->facts_at || c->facts_at - as_of <= most ||
            (inputs[i].kind == OG_FACT_LOCATES && !wants_locates(c)))
            continue;
        OG_FIND(sink, &reasons[R_STALE], inputs[i].field, og_a_text(og_fact_name(inputs[i].kind)),
                og_a_age(c->facts_at - as_of), og_a_duration(most));
        og_found_stale(sink);
    }
}

static OG_NOINLINE void check_missing(const struct og_case *c, struct og_sink *sink)
{
    static const struct {
        enum og_fact kind;
        const char *field, *says;
    } needed[] = {
        { OG_FACT_ACCOUNT, "facts/account", "the account is" },
        { OG_FACT_POSITIONS, "facts/positions", "positions are" },
        { OG_FACT_ORDERS, "facts/orders", "working orders are" },
    };

    for (size_t i = 0; i < sizeof needed / sizeof needed[0]; i++)
        if (!og_has(c, needed[i].kind))
            og_find_unsure(sink, &reasons[R_MISSING], needed[i].field,
                           (const struct og_arg[]){ og_a_text(needed[i].says) }, 1);
}

static OG_HOT void check(const struct og_case *c, const void *settings, struct og_sink *sink)
{
    const struct settings *s = settings;
    const unsigned fresh = c->usable | (c->quote ? 0 : OG_FACT_QUOTE); /* a quote that is not known is not old */

    if ((fresh & ALL) == ALL)
        return;
    check_ages(c, sink);
    if (s->account_facts == FACTS_REQUIRED && !c->request && og_order_may_open(c->order) && !og_case_reduces(c))
        check_missing(c, sink);
}

const struct og_rule og_rule_facts_age = {
    OG_PARTS_OF_FILE(facts_age),
    .id = "facts-age",
    .summary = "facts older than the policy allows",
    .because = "a decision based on outdated positions or quotes may be wrong",
    .stage = OG_STAGE_FLOW,
    .local = true,
    .subjects = OG_SUBJECT_ORDER | OG_SUBJECT_REQUESTS,
    .reads = ALL,
    OG_SETTINGS_OF_FILE,
};
