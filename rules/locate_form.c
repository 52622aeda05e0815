/*
 * locate-form (1002): checks each field of a locate request by itself.  The account's key is `account` in quote and
 * sell requests, and `accountId` in accept requests.  The broker rejects a quantity under 100 at once, and one that is
 * not a multiple of 100 only later.  A field with a finding is not checked further.
 */
#include "rules/rule.h"

enum {
    R_BELOW,
    R_ABOVE,
    R_NOT_INTEGER,
    R_NOT_LOT,
    R_SYMBOL,
    R_OPTION,
    R_NO_ID,
    R_REUSED,
    R_SUFFIX,
    R_ACCOUNT,
    R_REQUIRED,
    R_TYPE,
    R_INTRADAY
};

static const struct og_reason reasons[] = {
    [R_BELOW] = { .id = "locate-quantity-below-min",
                  .level = OG_LEVEL_REFUSE,
                  OG_PREDICTS(SCHEMA, HTTP_400_JSON, STATED),
                  .says = "quantity is {0}, it must be at least 100",
                  .where = "V3, V19" },
    [R_ABOVE] = { .id = "locate-quantity-above-max",
                  .level = OG_LEVEL_REFUSE,
                  OG_PREDICTS(SCHEMA, HTTP_400_JSON, STATED),
                  .says = "quantity is {0}, it must be at most 2147483647",
                  .where = "V2" },
    [R_NOT_INTEGER] = { .id = "locate-quantity-not-integer",
                        .level = OG_LEVEL_REFUSE,
                        OG_PREDICTS(SCHEMA, HTTP_400_JSON, READING),
                        .says = "quantity is {0}, it must be a whole number",
                        .where = "V2" },
    [R_NOT_LOT] = { .id = "locate-quantity-not-lot",
                    .level = OG_LEVEL_REFUSE,
                    OG_PREDICTS(STATE, LATER, STATED),
                    .predicts.code = "R67",
                    .says = "quantity is {0}, it must be a multiple of 100",
                    .help = "locate round lots; shares that are not needed can be credited back",
                    .where = "V4" },
    [R_SYMBOL] = { .id = "locate-symbol-missing",
                   .level = OG_LEVEL_REFUSE,
                   OG_PREDICTS(SCHEMA, HTTP_400_JSON, STATED),
                   .says = "symbol is missing or empty",
                   .where = "V6" },
    [R_OPTION] = { .id = "locate-symbol-option",
                   .level = OG_LEVEL_REFUSE,
                   OG_PREDICTS(STATE, LATER, STATED),
                   .says = "symbol '{0}' is an option, only shares can be located",
                   .where = "V7" },
    [R_NO_ID] = { .id = "locate-quote-id-missing",
                  .level = OG_LEVEL_REFUSE,
                  OG_PREDICTS(SCHEMA, HTTP_400_JSON, STATED),
                  .says = "quoteReqID is missing or empty",
                  .help = "make a fresh id for each quote",
                  .where = "V5" },
    [R_REUSED] = { .id = "locate-quote-id-reused",
                   .level = OG_LEVEL_WARN,
                   .undecided = OG_LEVEL_INFO,
                   .predicts = OG_NOT_STATED,
                   .says = "quoteReqID '{0}' was used before",
                   .help = "make a fresh id for each quote and each sell",
                   .where = "V5" },
    [R_SUFFIX] = { .id = "locate-quote-id-su-suffix",
                   .level = OG_LEVEL_WARN,
                   .says =
                       "quoteReqID '{0}' ends in .SU, which the service appends to the id of a quote's single-use row",
                   .where = "J3" },
    [R_ACCOUNT] = { .id = "locate-account-field-name",
                    .level = OG_LEVEL_REFUSE,
                    OG_PREDICTS(SCHEMA, HTTP_400_JSON, STATED),
                    .says = "the account is given as '{0}', this request takes it as '{1}'",
                    .where = "V9" },
    [R_REQUIRED] = { .id = "locate-field-required",
                     .level = OG_LEVEL_REFUSE,
                     OG_PREDICTS(SCHEMA, HTTP_400, STATED),
                     .predicts.text = "- (root): {0} is required",
                     .says = "{0} is missing",
                     .where = "Y23" },
    [R_TYPE] = { .id = "locate-sell-type",
                 .level = OG_LEVEL_REFUSE,
                 OG_PREDICTS(SCHEMA, HTTP_400, STATED),
                 .says = "locateType is {0}, it must be Unknown, Locate, PreBorrow or SingleUse (or IntraDay, which "
                         "is deprecated)",
                 .help = "write the type as a string: the number that the locate history shows is not accepted here",
                 .where = "V17" },
    [R_INTRADAY] = { .id = "locate-sell-intraday",
                     .level = OG_LEVEL_WARN,
                     OG_PREDICTS(NONE, ACCEPTED, STATED),
                     .says = "locateType IntraDay is deprecated",
                     .help = "set locateType to Locate",
                     .where = "V18" },
};

static bool is_quote(const struct og_case *c)
{
    return c->request->kind == OG_REQUEST_LOCATE_QUOTE;
}

static bool is_sell(const struct og_case *c)
{
    return c->request->kind == OG_REQUEST_LOCATE_SELL;
}

/* Returns a value of the request as it was written. */
static struct og_arg given(const struct og_request *r, enum og_request_key key)
{
    const struct og_field *parsed = &r->field[key];

    if (parsed->text.len)
        return og_a_str(parsed->text);
    return og_a_text(parsed->status == OG_ABSENT  ? "missing"
                     : parsed->status == OG_VALID ? "empty"
                                                  : parsed->json_type);
}

static void check_quantity(const struct og_case *c, struct og_sink *sink)
{
    const struct og_field *parsed = &c->request->field[OG_REQUEST_QUANTITY];
    struct og_money quantity = c->request->number[OG_REQUEST_QUANTITY];
    struct og_arg seen = given(c->request, OG_REQUEST_QUANTITY);
    bool huge = parsed->status == OG_TOO_LARGE, negative = parsed->text.len && parsed->text.s[0] == '-';
    struct og_found *found;

    if (parsed->status == OG_ABSENT && !is_quote(c))
        return; /* a quantity that is missing was reported already */
    if (parsed->status == OG_ABSENT || parsed->status == OG_WRONG_TYPE || (!huge && quantity.scale > 0)) {
        found = OG_FIND(sink, &reasons[R_NOT_INTEGER], "/quantity", seen);
        if (is_sell(c)) /* the service answers an invalid sell request with one line for each wrong field */
            found->predicts.channel = OG_CHANNEL_HTTP_400;
    } else if (huge ? negative : og_money_cmp(quantity, og_money_from(100)) < 0) {
        OG_FIND(sink, &reasons[R_BELOW], "/quantity", seen);
    } else if (huge || og_money_cmp(quantity, og_money_from(2147483647)) > 0) {
        OG_FIND(sink, &reasons[R_ABOVE], "/quantity", seen);
    } else if (quantity.coef % 100 != 0) {
        found = OG_FIND(sink, &reasons[R_NOT_LOT], "/quantity", seen);
        if (is_sell(c)) /* the service documents round lots for quotes only: whether it refuses this sell is
                         * uncertain */
            found->predicts.certainty = OG_READING;
    }
}

static bool used_before(const struct og_case *c, struct og_str id)
{
    for (const struct og_call *q = og_facts_calls(c->facts)->quotes; q; q = q->next)
        if (og_str_eq(q->id, id))
            return true;
    for (const struct og_locate *l = og_facts_locates(c->facts); l; l = l->next)
        if (og_str_eq(l->id, id))
            return true;
    return false;
}

static void check_fresh_id(const struct og_case *c, struct og_sink *sink)
{
    struct og_str id = og_request_text(c->request, OG_REQUEST_QUOTE_ID);
    const struct og_reason *r = &reasons[R_REUSED];

    if (!id.len) {
        if (is_quote(c))
            OG_FIND0(sink, &reasons[R_NO_ID], "/quoteReqID");
        return;
    }
    if (used_before(c, id))
        OG_FIND(sink, r, "/quoteReqID", og_a_str(id));
    else
        (void)og_need(c, sink, r, OG_FACT_LOCATE_HISTORY, (struct og_str){ 0 }, "/quoteReqID");
    if (id.len > 3 && memcmp(id.s + id.len - 3, ".SU", 3) == 0)
        OG_FIND(sink, &reasons[R_SUFFIX], "/quoteReqID", og_a_str(id));
}

/* Report an account that is under the key of another kind of request.  Returns true if it was reported. */
static bool check_account(const struct og_case *c, struct og_sink *sink)
{
    bool accept = c->request->kind == OG_REQUEST_LOCATE_ACCEPT;
    enum og_request_key right = accept ? OG_REQUEST_ACCOUNT_ID : OG_REQUEST_ACCOUNT;
    enum og_request_key wrong = accept ? OG_REQUEST_ACCOUNT : OG_REQUEST_ACCOUNT_ID;
    struct og_found *found;

    if (og_request_has(c->request, right) || !og_request_has(c->request, wrong))
        return false;
    found = OG_FIND(sink, &reasons[R_ACCOUNT], accept ? "/accountId" : "/account",
                    og_a_text(accept ? "account" : "accountId"), og_a_text(accept ? "accountId" : "account"));
    if (accept) {
        found->predicts.channel = OG_CHANNEL_HTTP_400;
        found->predicts.text = "- (root): accountId is required";
    } else {
        found->rank = OG_RANK_ACCOUNT;
    }
    return true;
}

static void check_required(const struct og_case *c, bool account_said, struct og_sink *sink)
{
    static const struct {
        enum og_request_key key;
        const char *name, *pointer;
        bool accept, sell;
    } required[] = {
        { OG_REQUEST_ACCOUNT_ID, "accountId", "/accountId", true, false },
        { OG_REQUEST_ACCOUNT, "account", "/account", false, true },
        { OG_REQUEST_QUOTE_ID, "quoteReqID", "/quoteReqID", true, true },
        { OG_REQUEST_LOCATE_TYPE, "locateType", "/locateType", false, true },
        { OG_REQUEST_QUANTITY, "quantity", "/quantity", false, true },
    };

    for (size_t i = 0; i < sizeof required / sizeof required[0]; i++)
        if ((is_sell(c) ? required[i].sell : required[i].accept) && !(account_said && i < 2) &&
            !og_request_has(c->request, required[i].key))
            OG_FIND(sink, &reasons[R_REQUIRED], required[i].pointer, og_a_text(required[i].name));
}

static void check_type(const struct og_case *c, struct og_sink *sink)
{
    static const char *const types[] = { "Unknown", "Locate", "PreBorrow", "SingleUse" };
    struct og_str type = og_request_text(c->request, OG_REQUEST_LOCATE_TYPE);

    if (!og_request_has(c->request, OG_REQUEST_LOCATE_TYPE))
        return;
    if (og_str_is(type, "IntraDay")) {
        OG_FIND0(sink, &reasons[R_INTRADAY], "/locateType");
        return;
    }
    for (size_t i = 0; i < 4; i++)
        if (og_str_is(type, types[i]))
            return;
    OG_FIND(sink, &reasons[R_TYPE], "/locateType", given(c->request, OG_REQUEST_LOCATE_TYPE));
}

static void check_symbol(const struct og_case *c, struct og_sink *sink)
{
    struct og_str symbol = og_request_text(c->request, OG_REQUEST_SYMBOL);
    struct og_occ occ;

    og_occ_read(symbol, &occ);
    if (!symbol.len)
        OG_FIND0(sink, &reasons[R_SYMBOL], "/symbol");
    else if (occ.is)
        OG_FIND(sink, &reasons[R_OPTION], "/symbol", og_a_str(symbol));
}

static void check(const struct og_case *c, const void *settings, struct og_sink *sink)
{
    bool said;

    (void)settings;
    if (c->request->kind == OG_REQUEST_LOCATE_CANCEL)
        return; /* the service answers every cancel with 200, whatever the id is */
    said = check_account(c, sink);
    if (!is_quote(c))
        check_required(c, said, sink);
    if (is_quote(c))
        check_symbol(c, sink);
    if (c->request->kind == OG_REQUEST_LOCATE_ACCEPT)
        return;
    check_quantity(c, sink);
    check_fresh_id(c, sink);
    if (is_sell(c))
        check_type(c, sink);
}

const struct og_rule og_rule_locate_form = {
    OG_PARTS_OF_FILE(locate_form),
    .id = "locate-form",
    .summary = "a locate request whose fields the service does not take",
    .because = "the service answers 200 and rejects the locate later, and then the short sale that needs it",
    .stage = OG_STAGE_FORM,
    .subjects = OG_SUBJECT_LOCATE,
    .reads = OG_FACT_LOCATE_HISTORY,
};
