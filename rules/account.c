/*
 * account (401): checks the order's account: whether the API keys have access to it, whether it may trade, and whether
 * it is paper or live as declared.  The environment is compared only if the user or the policy declared one.  A paper
 * account is one whose accountType says so.
 */
#include "order/symbol.h"
#include "rules/listed_accounts.h"
#include "rules/rule.h"

enum { R_UNKNOWN, R_MALFORMED, R_NOT_ACTIVE, R_MISMATCH, R_EXPIRED, R_DEFICIT };

static const struct og_reason reasons[] = {
    [R_UNKNOWN] = { .id = "account-unknown",
                    .level = OG_LEVEL_REFUSE,
                    .undecided = OG_LEVEL_INFO,
                    OG_PREDICTS(ACCOUNT, HTTP_400_JSON, STATED),
                    .says = "account '{0}' is not in the account list" OG_LISTED_SAYS,
                    .help = "name one of the accounts that the broker lists for this key pair",
                    .where = "Y15" },
    [R_MALFORMED] = { .id = "account-id-malformed",
                      .level = OG_LEVEL_REFUSE,
                      .undecided = OG_LEVEL_OFF,
                      OG_PREDICTS(ACCOUNT, HTTP_400_JSON, READING),
                      .says = "account id '{0}' {1}",
                      .help = "give the id as the account list spells it; reads with this spelling are answered 404",
                      .where = "Y3, Y4" },
    [R_NOT_ACTIVE] = { .id = "account-not-active",
                       .level = OG_LEVEL_REFUSE,
                       .undecided = OG_LEVEL_WARN,
                       .exits_pass = true,
                       .predicts = OG_NOT_STATED,
                       .says = "account status is '{0}', orders that open are placed only when it is 'Active'",
                       .help = "wait until the broker makes the account Active",
                       .where = "C4" },
    [R_MISMATCH] = { .id = "account-environment-mismatch",
                     .level = OG_LEVEL_REFUSE,
                     .undecided = OG_LEVEL_WARN,
                     .says = "environment declared is {0}, the account is {1} (accountType '{2}')",
                     .help = "use the keys of the environment you mean, or declare the other one",
                     .where = "A11, W5" },
    [R_EXPIRED] = { .id = "account-paper-expired",
                    .level = OG_LEVEL_WARN,
                    .undecided = OG_LEVEL_OFF,
                    .exits_pass = true,
                    .predicts = OG_NOT_STATED,
                    .says = "paper account was made {0} days ago and is not linked: it expires after 30 days",
                    .help = "link it to a live account, or make a new one",
                    .where = "B2" },
    [R_DEFICIT] = { .id = "account-margin-deficit",
                    .level = OG_LEVEL_WARN,
                    .undecided = OG_LEVEL_OFF,
                    .exits_pass = true,
                    .predicts = OG_NOT_STATED,
                    .says = "{0} is {1}, 0 is healthy: the broker may reject orders that open",
                    .help = "close positions or add funds first",
                    .where = "C10, C11" },
};

/* Returns the JSON pointer of the field that gave the account id: the order's, or the account document's. */
static const char *id_field(const struct og_order *o)
{
    return og_order_has(o, OG_KEY_ACCOUNT_ID) ? "/accountId" : "account/accountId";
}

static const char *what_is_wrong(struct og_str id)
{
    if (id.len == 0)
        return "is empty";
    if (og_symbol_fits(id))
        return NULL;
    for (size_t i = 0; i < id.len; i++) {
        unsigned char b = (unsigned char)id.s[i];

        if (b == ' ')
            return "has a blank";
        if (b < ' ' || b == 0x7f)
            return "has a control character";
        if (b == '"' || b == '\'' || b == '`')
            return "has a quote";
        if (b == '/')
            return "has a slash";
    }
    return NULL;
}

/* Returns true if the order names the account of the facts, whose id was checked once for all orders. */
static inline bool is_named(const struct og_case *c)
{
    struct og_str named = og_order_ok(c->order, OG_KEY_ACCOUNT_ID) ? c->order->account : c->account_id;
    struct og_str known = og_facts_account_id(c->facts);

    return named.s == known.s || og_str_same(named, known);
}

/* Returns true if the account's own document is known: the account then exists, even if no account list is known. */
static bool is_documented(const struct og_case *c)
{
    int64_t as_of;

    return !og_has(c, OG_FACT_ACCOUNT_LIST) && og_facts_known(c->facts, OG_FACT_ACCOUNT, &as_of) && is_named(c);
}

static void check_id(const struct og_case *c, struct og_sink *sink)
{
    bool given = og_order_ok(c->order, OG_KEY_ACCOUNT_ID);
    struct og_str id = given ? c->order->account : c->account_id;
    const char *wrong = what_is_wrong(id);
    const char *field = id_field(c->order);

    if (!given && id.len == 0)
        return; /* the order names no account: there is nothing to check */
    if (wrong)
        OG_FIND(sink, &reasons[R_MALFORMED], field, og_a_str(id), og_a_text(wrong));
    if (id.len && !is_documented(c) &&
        og_need(c, sink, &reasons[R_UNKNOWN], OG_FACT_ACCOUNT_LIST, (struct og_str){ 0 }, field) &&
        !og_facts_lists_account(og_case_lister(c), id)) {
        const struct og_listed listed = og_listed_of(og_case_lister(c));

        OG_FIND(sink, &reasons[R_UNKNOWN], field, og_a_str(id), OG_LISTED(listed));
    }
}

static void check_status(const struct og_case *c, struct og_sink *sink)
{
    const struct og_account *a;

    if (!og_need(c, sink, &reasons[R_NOT_ACTIVE], OG_FACT_ACCOUNT, (struct og_str){ 0 }, "account/accountStatus"))
        return;
    a = og_facts_account(c->facts);
    if (!og_account_is_active(a))
        OG_FIND(sink, &reasons[R_NOT_ACTIVE], "account/accountStatus", og_a_str(a->status));
}

/* Returns the environment to compare with the account's environment `is`: the user's declaration; if there is none, or
 * it equals `is`, the policy's. */
static enum og_environment declared_by(const struct og_case *c, enum og_environment is)
{
    enum og_environment declared = c->facts ? og_facts_declared(c->facts) : OG_ENV_UNKNOWN;

    return declared == OG_ENV_UNKNOWN || declared == is ? c->declared : declared;
}

/* Compare the account's type with what was declared.  A type other than Paper counts as live, and so does a missing
 * one. */
static void check_environment(const struct og_case *c, struct og_sink *sink)
{
    enum og_environment is = c->facts ? og_facts_environment(c->facts) : OG_ENV_UNKNOWN;
    enum og_environment declared = declared_by(c, is);
    const struct og_account *a;

    if (declared == OG_ENV_UNKNOWN)
        return;
    if (is == OG_ENV_UNKNOWN &&
        !og_need(c, sink, &reasons[R_MISMATCH], OG_FACT_ACCOUNT, (struct og_str){ 0 }, "account/accountType"))
        return;
    if ((declared == OG_ENV_PAPER) == (is == OG_ENV_PAPER))
        return;
    a = og_facts_account(c->facts);
    OG_FIND(sink, &reasons[R_MISMATCH], "account/accountType", og_a_text(declared == OG_ENV_PAPER ? "paper" : "live"),
            og_a_text(is == OG_ENV_PAPER ? "paper" : "live"), og_a_str(a ? a->type : (struct og_str){ 0 }));
}

static void check_expiry(const struct og_case *c, struct og_sink *sink)
{
    const int64_t day = 24 * 3600 * OG_NS_PER_S;
    const struct og_account *a;

    if (!og_case_is_paper(c) ||
        !og_need(c, sink, &reasons[R_EXPIRED], OG_FACT_ACCOUNT, (struct og_str){ 0 }, "account/created"))
        return;
    a = og_facts_account(c->facts);
    if (a->created != OG_TIME_UNKNOWN && !a->linked && c->now >= a->created + 28 * day)
        OG_FIND(sink, &reasons[R_EXPIRED], "account/created", og_a_int((c->now - a->created) / day));
}

static void check_deficit(const struct og_case *c, struct og_sink *sink)
{
    const struct og_account *a;

    if (!og_order_may_open(c->order) ||
        !og_need(c, sink, &reasons[R_DEFICIT], OG_FACT_ACCOUNT, (struct og_str){ 0 }, "account/marginDeficit"))
        return;
    a = og_facts_account(c->facts);
    if (og_account_lacks_margin(a))
        OG_FIND(sink, &reasons[R_DEFICIT], "account/marginDeficit", og_a_text("marginDeficit"),
                og_a_money(a->margin_deficit));
    if (og_account_lacks_maintenance(a))
        OG_FIND(sink, &reasons[R_DEFICIT], "account/maintenanceDeficit", og_a_text("maintenanceDeficit"),
                og_a_money(a->maintenance_deficit));
}

static OG_NOINLINE void check_account(const struct og_case *c, struct og_sink *sink)
{
    check_id(c, sink);
    check_status(c, sink);
    check_environment(c, sink);
    check_expiry(c, sink);
    check_deficit(c, sink);
}

/* Returns true if the account needs no further check: it is live, declared as live, listed, active and without a
 * deficit. */
static inline bool is_fine(const struct og_case *c)
{
    return og_has(c, OG_FACT_ACCOUNT | OG_FACT_ACCOUNT_LIST) && og_facts_may_trade(c->facts) &&
           og_facts_environment(c->facts) == OG_ENV_LIVE && declared_by(c, OG_ENV_LIVE) != OG_ENV_PAPER && is_named(c);
}

static OG_HOT void check(const struct og_case *c, const void *settings, struct og_sink *sink)
{
    (void)settings;
    if (!is_fine(c))
        check_account(c, sink);
}

const struct og_rule og_rule_account = {
    OG_PARTS_OF_FILE(account),
    .id = "account",
    .summary = "the account is not the caller's, not active, or not of the declared environment",
    .because = "an order must never reach a live account that was meant for paper, nor one that may not trade",
    .stage = OG_STAGE_ACCOUNT,
    .environment = true,
    .reads = OG_FACT_ACCOUNT | OG_FACT_ACCOUNT_LIST,
};
