/*
 * order-form (101): the input is not an order, or it is unclear what it asks for.  The parser stops at the first such
 * error, so other rules have nothing to check.  A price with too many digits for exact arithmetic is reported here too,
 * unless another rule refuses it for its size.  Nothing is repaired or guessed.
 */
#include "rules/order_form.h"

enum {
    R_NOT_JSON,
    R_NOT_OBJECT,
    R_DUPLICATE,
    R_TOO_MANY,
    R_LINE,
    R_OP,
    R_NOT_ORDER,
    R_NOT_TRUSTED,
    R_NUMBER,
    R_CONFLICT,
    R_OPEN,
    R_RESERVE,
    R_BASKET,
    R_BASKET_ORDER,
    R_BASKET_REFUSED
};

#define OPS                                                                                                  \
    "send takes cancel and heartbeat, and order or no op for an order; check also takes basket "             \
    "(its --emit orders writes the orders one a line, for send), locate-quote, locate-accept, locate-sell, " \
    "locate-cancel, read, quote, facts"

static const struct og_reason reasons[] = {
    [R_NOT_JSON] = { .id = "body-not-json",
                     .level = OG_LEVEL_REFUSE,
                     OG_PREDICTS(SCHEMA, HTTP_400, READING),
                     .says = "not JSON: {0} at byte {1}; an order stands on one line",
                     .help = "send one complete JSON object a line; lone surrogates, NUL in a string and depth over 32 "
                             "are refused too",
                     .where = "Y13, GAP-19" },
    [R_NOT_OBJECT] = { .id = "body-not-object",
                       .level = OG_LEVEL_REFUSE,
                       OG_PREDICTS(SCHEMA, HTTP_400, READING),
                       .says = "the order is of JSON type {0}, it must be an object",
                       .where = "Y13, GAP-19" },
    [R_DUPLICATE] = { .id = "body-duplicate-key",
                      .level = OG_LEVEL_REFUSE,
                      .says = "key '{0}' is given twice in one object, the second time up to byte {1}",
                      .help = "the key has two values, and it is not known which one is meant; give only one",
                      .where = "GAP-19" },
    [R_TOO_MANY] = { .id = "body-too-many-keys",
                     .level = OG_LEVEL_REFUSE,
                     .says = "{0}; an order has at most 12 keys, and a leg 4",
                     .where = "Q41" },
    [R_LINE] = { .id = "line-too-long",
                 .level = OG_LEVEL_REFUSE,
                 .says = "line longer than {0} bytes",
                 .help = "an order has a few hundred bytes; probably a newline between two orders is missing",
                 .where = "GAP-19" },
    [R_OP] = { .id = "op-unknown",
               .level = OG_LEVEL_REFUSE,
               .says = "op is '{0}'{1}; " OPS,
               .help = "leave op out for an order; send takes quote and facts with --trust-input",
               .where = "docs/contract.md \"Candidate orders\"" },
    [R_NOT_ORDER] = { .id = "op-not-an-order",
                      .level = OG_LEVEL_REFUSE,
                      .says = "op is '{0}', and only orders are accepted here; " OPS,
                      .help = "leave op out for an order; ordergate check decides cancels, locates and reads as well",
                      .where = "docs/contract.md \"Candidate orders\"" },
    [R_NOT_TRUSTED] = { .id = "input-not-trusted",
                        .level = OG_LEVEL_REFUSE,
                        .says = "op is '{0}': facts are not accepted among the orders",
                        .help = "give facts with -f and quotes with --quotes; if whoever writes the orders may set the "
                                "facts too, start ordergate send with --trust-input",
                        .where = "docs/contract.md \"Candidate orders\"" },
    [R_NUMBER] = { .id = "number-too-long",
                   .level = OG_LEVEL_REFUSE,
                   .predicts = OG_NOT_STATED,
                   .says = "{1} is {0}, which has more than the 18 digits that an amount may have",
                   .where = "Q15" },
    [R_CONFLICT] = { .id = "account-conflict",
                     .level = OG_LEVEL_REFUSE,
                     .says = "accountId is '{0}', but another account was named for all orders",
                     .help =
                         "leave accountId out, or set it to the account in use: the one that --account, "
                         "ORDERGATE_ACCOUNT or the broker file names, else the only account that the keys can access",
                     .where = "docs/contract.md \"Candidate orders\"" },
    [R_OPEN] = { .id = "account-open",
                 .level = OG_LEVEL_REFUSE,
                 .says = "no accountId, and there are facts of several accounts",
                 .help = "give accountId in the order, or name one account for all orders with --account",
                 .where = "docs/contract.md \"Candidate orders\"" },
    [R_RESERVE] = { .id = "reservation-out-of-range",
                    .level = OG_LEVEL_REFUSE,
                    .says = "the sum of this order's reservation and the present ones has more than the 18 digits that "
                            "an amount may have",
                    .help = "an amount that cannot be added exactly cannot be compared with a limit",
                    .where = "docs/contract.md \"Candidate orders\"" },
    [R_BASKET] = { .id = "basket-malformed",
                   .level = OG_LEVEL_REFUSE,
                   .says = "not a basket: {0}",
                   .help = "a basket is {\"op\":\"basket\",\"orders\":[...]} with 1 to 64 orders",
                   .where = "docs/contract.md \"Baskets\"" },
    [R_BASKET_ORDER] = { .id = "basket-order",
                         .level = OG_LEVEL_REFUSE,
                         .says = "not an order for a basket: {0}",
                         .help = "send it as a line of its own",
                         .where = "docs/contract.md \"Baskets\"" },
    [R_BASKET_REFUSED] = { .id = "basket-refused",
                           .level = OG_LEVEL_REFUSE,
                           .says = "order {0} of its basket is refused ({1}), so none of the basket is accepted",
                           .help = "orders of a basket are accepted all or none; orders are counted from 0",
                           .where = "docs/contract.md \"Baskets\"" },
};

static void find_op(struct og_str op, struct og_sink *sink)
{
    static const char *const known[] = { "order", "cancel", "heartbeat", "basket", "quote", "facts", "read" };

    OG_FIND(sink, &reasons[R_OP], "/op", og_a_str(op),
            og_a_text(og_meant(og_nearest(op, known, sizeof known / sizeof known[0])).s));
}

static void check_fault(const struct og_order *o, struct og_sink *sink)
{
    struct og_arg at = og_a_int((int64_t)o->fault_at);

    switch (o->fault) {
    case OG_FAULT_NONE: break;
    case OG_FAULT_NOT_JSON: OG_FIND(sink, &reasons[R_NOT_JSON], "", og_a_text(o->fault_text), at); break;
    case OG_FAULT_NOT_OBJECT: OG_FIND(sink, &reasons[R_NOT_OBJECT], "", og_a_text(o->fault_text)); break;
    case OG_FAULT_DUPLICATE_KEY:
        OG_FIND(sink, &reasons[R_DUPLICATE],
                o->fault_in < 0    ? ""
                : o->fault_in == 0 ? "/{0}"
                                   : "/legs/{2}/{0}",
                og_a_str(o->fault_key), at, og_a_int(o->fault_in - 1));
        break;
    case OG_FAULT_TOO_MANY_KEYS: OG_FIND(sink, &reasons[R_TOO_MANY], "", og_a_text(o->fault_text)); break;
    case OG_FAULT_LINE_TOO_LONG: OG_FIND(sink, &reasons[R_LINE], "", og_a_int((int64_t)OG_LINE_MOST)); break;
    case OG_FAULT_OP: find_op(o->fault_key, sink); break;
    case OG_FAULT_BASKET: OG_FIND(sink, &reasons[R_BASKET], "", og_a_text(o->fault_text)); break;
    }
}

static bool is_negative(const struct og_order *o, enum og_key key)
{
    return o->field[key].text.len > 0 && o->field[key].text.s[0] == '-';
}

/* Returns true if rule limit-price refuses the limit: its number of digits then needs no finding here. */
static bool limit_is_judged(const struct og_order *o)
{
    if (o->field[OG_KEY_LIMIT_PRICE].status == OG_TOO_FINE)
        return true;
    return is_negative(o, OG_KEY_LIMIT_PRICE) ? og_order_wants_limit(o) : o->security == OG_OPTION;
}

static void check_number(const struct og_order *o, enum og_key key, bool judged, struct og_sink *sink)
{
    const struct og_field *parsed = &o->field[key];

    if ((parsed->status == OG_TOO_LARGE || parsed->status == OG_TOO_FINE) && !judged)
        OG_FIND(sink, &reasons[R_NUMBER], og_key_pointers[key], og_a_str(parsed->text), og_a_text(og_key_names[key]));
}

static void OG_COLD check_odd(const struct og_case *c, struct og_sink *sink)
{
    const struct og_order *o = c->order;

    check_fault(o, sink);
    if (o->fault)
        return;
    if (o->op != OG_OP_ORDER && !c->request) {
        OG_FIND(sink, &reasons[og_op_is_facts(o->op) ? R_NOT_TRUSTED : R_NOT_ORDER], "/op",
                og_a_str(o->field[OG_KEY_OP].text));
        return;
    }
    if (!c->request) {
        check_number(o, OG_KEY_LIMIT_PRICE, limit_is_judged(o), sink);
        check_number(o, OG_KEY_STOP_PRICE, is_negative(o, OG_KEY_STOP_PRICE) && og_order_wants_stop(o), sink);
    }
    if (c->account_conflict)
        OG_FIND(sink, &reasons[R_CONFLICT], "/accountId", og_a_str(o->account));
    if (c->account_open)
        OG_FIND0(sink, &reasons[R_OPEN], "/accountId");
}

static OG_HOT void check(const struct og_case *c, const void *settings, struct og_sink *sink)
{
    const struct og_order *o = c->order;

    (void)settings;
    if (!o->plain || o->op != OG_OP_ORDER || c->request || c->account_conflict || c->account_open)
        check_odd(c, sink);
}

void og_order_form_unreserved(struct og_sink *sink)
{
    OG_FIND0(sink, &reasons[R_RESERVE], "/orderQuantity");
}

void og_order_form_not_in_basket(struct og_sink *sink, const char *field, const char *why)
{
    OG_FIND(sink, &reasons[R_BASKET_ORDER], field, og_a_text(why));
}

void og_order_form_basket(struct og_sink *sink, size_t refused, const char *reason)
{
    OG_FIND(sink, &reasons[R_BASKET_REFUSED], "", og_a_int((int64_t)refused), og_a_text(reason));
}

const struct og_rule og_rule_order_form = {
    OG_PARTS_OF_FILE(order_form),
    .id = "order-form",
    .summary = "the line is not an order, or its account is not clear",
    .because = "bytes that two readers could understand differently must not be sent",
    .stage = OG_STAGE_FORM,
    .subjects = OG_SUBJECT_ORDER | OG_SUBJECT_REQUESTS,
    .locked = true,
    .only = OG_TRAIT_ODD,
};
