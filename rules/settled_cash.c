/*
 * settled-cash (932): what is bought must be paid for by settled cash, as in a cash account.  The account's
 * availableCash is settled cash (C6): proceeds of a sale are in it a session later, when they have settled (T+1).  That
 * cash has to pay for what this order and working orders buy, for what filled since the account was read, and for what
 * written puts that have not expired can lose.  Where nothing is bought with cash that has not settled, no sale is a
 * good-faith violation.  Sales, and spreads for a credit that write no puts, take no cash.
 */
#include "rules/limit.h"
#include "rules/usage.h"

struct settings {
    int32_t exits;
};

static const struct og_param params[] = {
    OG_EXITS(exits),
};

enum { R_EXCEEDED };

static const struct og_reason reasons[] = {
    [R_EXCEEDED] = { .id = "settled-cash-exceeded",
                     .level = OG_LEVEL_REFUSE,
                     .undecided = OG_LEVEL_WARN,
                     .says =
                         "this and working orders buy for {0} and written puts could lose {1}: availableCash, which "
                         "has settled, is {2}",
                     .help = "buy less, cancel a working buy, or wait until sales have settled, one session after they "
                             "were made",
                     .where = "C6" },
};

/* Set *cents to what the order pays for what it buys. */
static enum og_worth pays(const struct og_case *c, int64_t *cents)
{
    const struct og_order *o = c->order;

    *cents = 0;
    if (o->security == OG_MLEG ? c->mleg->net == OG_CREDIT || og_facts_order_puts(o, o->quantity) > 0
                               : o->side != OG_BUY)
        return OG_WORTH_KNOWN; /* puts that a spread writes count at what they can lose */
    return og_case_cents(c, cents);
}

/* Returns the cents that working orders and fills take in addition to what puts can lose. */
static inline og_wide taken(const struct og_totals *t, og_wide puts)
{
    return puts + t->buying;
}

static OG_NOINLINE void check_cash(const struct og_case *c, enum og_worth worth, int64_t cents, og_wide puts,
                                   struct og_sink *sink)
{
    const struct og_reason *r = &reasons[R_EXCEEDED];
    const struct og_totals *t = og_facts_totals(c->facts);
    const struct og_account *a = og_facts_account(c->facts);

    if (a->has_available_cash && og_cents_exceed(taken(t, puts) + cents, a->available_cash))
        puts -= og_facts_puts_expired(c->facts, c->order, c->eastern.date);
    if (!a->has_available_cash)
        og_unsure(sink, r, "/orderQuantity", "the account has no availableCash");
    else if (og_cents_exceed(taken(t, puts) + cents, a->available_cash))
        OG_FIND(sink, r, "/orderQuantity", og_a_money(og_dollars(t->buying + cents)), og_a_money(og_dollars(puts)),
                og_a_money(a->available_cash));
    else if (worth != OG_WORTH_KNOWN)
        og_unsure_worth(c, sink, r, "/orderQuantity", worth);
    else if (t->legless || t->unsized)
        og_unsure(sink, r, "/orderQuantity", "it is not known what a working order trades");
}

static void check(const struct og_case *c, const void *settings, struct og_sink *sink)
{
    const struct settings *s = settings;
    const struct og_reason *r = &reasons[R_EXCEEDED];
    const struct og_str any = { NULL, 0 };
    enum og_worth worth;
    int64_t cents;
    og_wide puts;

    if (og_limit_passes(c, s->exits))
        return;
    worth = pays(c, &cents);
    puts = og_facts_puts_lose(c->facts, c->order);
    if (worth == OG_WORTH_KNOWN && cents == 0 && puts <= og_facts_totals(c->facts)->puts_lose)
        return;
    if (og_need(c, sink, r, OG_FACT_ACCOUNT, any, "/orderQuantity") &&
        og_need(c, sink, r, OG_FACT_ORDERS, any, "/orderQuantity") &&
        og_need(c, sink, r, OG_FACT_POSITIONS, any, "/orderQuantity"))
        check_cash(c, worth, cents, puts, sink);
}

static void usage(const struct og_usage_case *u, const void *settings)
{
    const struct og_totals *t = og_facts_totals(u->facts);
    const struct og_account *a = og_facts_account(u->facts);
    struct og_limit_use use = { .setting = "availableCash",
                                .of = OG_USAGE_ACCOUNT,
                                .reads = OG_FACT_ACCOUNT | OG_FACT_ORDERS | OG_FACT_POSITIONS,
                                .unknown = !a || !a->has_available_cash };

    (void)settings;
    use.allowed = use.unknown ? og_money_from(0) : a->available_cash;
    og_use_cents(u, use, taken(t, t->puts_lose - og_facts_puts_expired(u->facts, NULL, u->eastern->date)),
                 t->legless || t->unsized);
}

const struct og_rule og_rule_settled_cash = {
    OG_PARTS_OF_FILE(settled_cash),
    .id = "settled-cash",
    .summary = "settled cash does not pay for what is bought",
    .because =
        "a cash account that buys with unsettled cash, and sells before that settles, is restricted by its broker",
    .stage = OG_STAGE_ACCOUNT,
    .limit = true,
    .counts = true,
    .counts_working = true,
    .reads = OG_FACT_ACCOUNT | OG_FACT_ORDERS | OG_FACT_POSITIONS | OG_FACT_QUOTE,
    OG_SETTINGS_OF_FILE,
    .usage = usage,
};
