/*
 * request-fields (102): the keys of the request, their types and the values of enums.  The service's schema answers a
 * missing key, a wrong type or an unknown enum value with 400.  It ignores keys that it does not know, so that these
 * have no effect.  Names and values are case-sensitive.  Numbers and symbols have rules of their own.
 */
#include "order/key_meant.h"
#include "rules/rule.h"

enum {
    R_UNKNOWN,
    R_ORDER_ID,
    R_REQUIRED,
    R_TYPE,
    R_SECURITY,
    R_SIDE,
    R_ORDER_TYPE,
    R_TIF,
    R_OPEN_CLOSE_MISSING,
    R_OPEN_CLOSE_OPTION,
    R_OPEN_CLOSE_CASE,
    R_OPEN_CLOSE_INVALID,
    R_REPLACES,
    R_PRICE_IGNORED,
    R_PRICE_ZERO,
    R_LEGS
};

#define ENUM_LINE(key, values) "- " key ": " key " must be one of the following: " values
#define ENUM_REASON(name, key, list, quoted, rows)                                                              \
    {                                                                                                           \
        .id = name, .level = OG_LEVEL_REFUSE, .rank = OG_RANK_SCHEMA,                                           \
        .predicts = { .channel = OG_CHANNEL_HTTP_400, .certainty = OG_STATED, .text = ENUM_LINE(key, quoted) }, \
        .says = key " is '{0}', allowed are " list "{1}{2}", .help = "values are case-sensitive", .where = rows \
    }

static const struct og_reason reasons[] = {
    [R_UNKNOWN] = { .id = "field-unknown",
                    .level = OG_LEVEL_WARN,
                    .says = "key '{0}' is not one the service knows, it is ignored{1}{2}{4}",
                    .help = "keys are case-sensitive; an ignored key has no effect, so every policy refuses a key that "
                            "resembles one of ordergate's own keys, or one that the order lacks",
                    .where = "A16, Q41" },
    [R_ORDER_ID] = { .id = "order-id-in-body",
                     .level = OG_LEVEL_WARN,
                     OG_PREDICTS(NONE, ACCEPTED, STATED),
                     .says = "orderId is not recognized in a request: the id is lost",
                     .help = "give the id as clientOrderId",
                     .where = "Q22" },
    [R_REQUIRED] = { .id = "field-required",
                     .level = OG_LEVEL_REFUSE,
                     OG_PREDICTS(SCHEMA, HTTP_400, STATED),
                     .predicts.text = "- (root): {0} is required",
                     .says = "{0} is missing",
                     .where = "Q2-Q24, Y11" },
    [R_TYPE] = { .id = "field-type",
                 .level = OG_LEVEL_REFUSE,
                 OG_PREDICTS(SCHEMA, HTTP_400, READING),
                 .predicts.text = "- {0}: Invalid type. Expected: {1}, given: {2}",
                 .says = "{0} is of JSON type {2}, it must be of type {1}",
                 .help = "numbers are written without quotes, and null is not a value",
                 .where = "Y24" },
    [R_SECURITY] = ENUM_REASON("security-type-enum", "securityType", "Stock, Option, Mleg",
                               "\"Stock\", \"Option\", \"Mleg\"", "Q1, Q2"),
    [R_SIDE] = ENUM_REASON("side-enum", "side", "Buy, Sell", "\"Buy\", \"Sell\"", "Q8, Q27"),
    [R_ORDER_TYPE] = ENUM_REASON("order-type-enum", "orderType", "Market, Limit, Stop, StopLimit",
                                 "\"Market\", \"Limit\", \"Stop\", \"StopLimit\"", "Q10, S9"),
    [R_TIF] = ENUM_REASON("time-in-force-enum", "timeInForce",
                          "Day, GoodTillCancel, AtTheOpening, ImmediateOrCancel, FillOrKill, GoodTillCrossing, "
                          "Day_Plus, GTC_Plus",
                          "\"Day\", \"GoodTillCancel\", \"AtTheOpening\", \"ImmediateOrCancel\", \"FillOrKill\", "
                          "\"GoodTillCrossing\", \"Day_Plus\", \"GTC_Plus\"",
                          "Q13"),
    [R_OPEN_CLOSE_MISSING] = { .id = "open-close-missing",
                               .level = OG_LEVEL_REFUSE,
                               OG_PREDICTS(SCHEMA, HTTP_400, READING),
                               .predicts.text = "- (root): openClose is required",
                               .says = "openClose is missing, a stock order needs Open or Close",
                               .help = "Buy Open buys, Sell Close sells, Sell Open sells short, Buy Close covers",
                               .where = "Q9, Q26, CON-15" },
    [R_OPEN_CLOSE_OPTION] = { .id = "open-close-absent-option",
                              .level = OG_LEVEL_INFO,
                              .says = "openClose is missing; for an option, Open or Close is recommended",
                              .where = "Q9" },
    [R_OPEN_CLOSE_CASE] = { .id = "open-close-case",
                            .level = OG_LEVEL_REFUSE,
                            OG_PREDICTS(OPEN_CLOSE, REJECTED, STATED),
                            .says = "openClose is '{0}', it must be spelled {1}",
                            .where = "Q32" },
    [R_OPEN_CLOSE_INVALID] = { .id = "open-close-invalid",
                               .level = OG_LEVEL_REFUSE,
                               OG_PREDICTS(OPEN_CLOSE, REJECTED, READING),
                               .says = "openClose is '{0}', allowed are Open and Close",
                               .where = "Q32, CON-15" },
    [R_REPLACES] = { .id = "replaces-empty",
                     .level = OG_LEVEL_REFUSE,
                     .says = "replaces is empty, it must be the clientOrderId of the order that this one replaces",
                     .help = "omit `replaces` unless this order replaces another one",
                     .where = "docs/contract.md \"Candidate orders\"" },
    [R_PRICE_IGNORED] = { .id = "price-ignored",
                          .level = OG_LEVEL_WARN,
                          .exits_pass = true,
                          .says = "{0} is ignored on a {1} order",
                          .help = "leave it out, or change orderType",
                          .where = "Q14" },
    [R_PRICE_ZERO] = { .id = "price-zero-ignored",
                       .level = OG_LEVEL_INFO,
                       .says = "{0} is ignored on a {1} order",
                       .help = "leave it out; programs write 0 for none",
                       .where = "Q14" },
    [R_LEGS] = { .id = "legs-on-single",
                 .level = OG_LEVEL_WARN,
                 .says = "legs are ignored on an order of securityType {0}",
                 .help = "use securityType Mleg for a multi-leg order",
                 .where = "Q24" },
};

static char lower(char c)
{
    return c >= 'A' && c <= 'Z' ? (char)(c - 'A' + 'a') : c;
}

static bool same_but_case(struct og_str a, const char *b)
{
    for (size_t i = 0; i < a.len; i++)
        if (b[i] == '\0' || lower(a.s[i]) != lower(b[i]))
            return false;
    return b[a.len] == '\0';
}

/* Values that other brokers use for an enum, with the value that this service uses. */
static const struct {
    const char *value, *hint;
} elsewhere[] = {
    { "SellShort", "; to sell short send side Sell with openClose Open" },
    { "BuyToCover", "; to cover send side Buy with openClose Close" },
    { "MarketOnClose", "; there are no orders on the close" },
    { "LimitOnClose", "; there are no orders on the close" },
    { "GTC", "; send GoodTillCancel" },
    { "IOC", "; send ImmediateOrCancel" },
    { "FOK", "; send FillOrKill" },
    { "Short", "; to sell short send side Sell with openClose Open" },
    { "Cover", "; to cover send side Buy with openClose Close" },
    { "Equity", "; send Stock" },
    { "MultiLeg", "; send Mleg" },
};

static struct og_arg hint_for(struct og_str value)
{
    for (size_t i = 0; i < sizeof elsewhere / sizeof elsewhere[0]; i++)
        if (same_but_case(value, elsewhere[i].value))
            return og_a_text(elsewhere[i].hint);
    return og_a_text("");
}

/* Returns the allowed value that differs from the given one only in case, from the schema's line about the key. */
static struct og_str allowed_spelling(struct og_str value, const char *line)
{
    for (const char *quote = strchr(line, '"'); quote; quote = strchr(quote + 1, '"')) {
        size_t i = 0;

        while (i < value.len && quote[1 + i] && lower(quote[1 + i]) == lower(value.s[i]))
            i++;
        if (value.len > 0 && i == value.len && quote[1 + i] == '"')
            return (struct og_str){ quote + 1, value.len };
    }
    return (struct og_str){ 0 };
}

static void check_enum(const struct og_order *o, enum og_key key, int reason, struct og_sink *sink)
{
    struct og_str value = o->field[key].text, spelled;

    if (o->field[key].status != OG_WRONG_VALUE)
        return;
    spelled = allowed_spelling(value, reasons[reason].predicts.text);
    OG_FIND(sink, &reasons[reason], og_key_pointers[key], og_a_str(value),
            spelled.len ? og_a_text("; write ") : hint_for(value), og_a_str(spelled));
}

/* What an order would do without a key that only the gate reads. */
static const char *const lost[OG_KEYS] = {
    [OG_KEY_ACCOUNT_ID] = ": the order would be for the account that is meant without this key",
    [OG_KEY_REPLACES] = ": the order would be a second one beside the one that it should replace",
    [OG_KEY_TAG] = ": the order would count for no tag, or another one",
};

/* Returns the key that was probably meant by an unknown key (order/key_meant.h). Returns -1 if there is none; or if
 * that key is posted, differs from the unknown key in more than case, and is in the order as well. */
static int key_meant(const struct og_order *o, const struct og_unknown_key *u, const char *const *names)
{
    const int key = og_key_meant(u->name, u->leg >= 0);

    if (key < 0 || same_but_case(u->name, names[key]) || (u->leg < 0 && og_key_is_ours(key)))
        return key;
    if (u->leg < 0)
        return og_order_has(o, (enum og_key)key) ? -1 : key;
    return u->leg < o->legs_kept && o->leg[u->leg].field[key].status != OG_ABSENT ? -1 : key;
}

static void check_unknown(const struct og_order *o, const struct og_unknown_key *u, struct og_sink *sink)
{
    const char *const *names = u->leg < 0 ? og_key_names : og_leg_key_names;
    const int key = key_meant(o, u, names);
    struct og_found *found;

    found = OG_FIND(sink, &reasons[R_UNKNOWN], u->leg < 0 ? "/{0}" : "/legs/{3}/{0}", og_a_str(u->name),
                    og_a_text(key < 0 ? "" : "; write "), og_a_text(key < 0 ? "" : names[key]), og_a_int(u->leg),
                    og_a_text(key < 0 || u->leg >= 0 || !lost[key] ? "" : lost[key]));
    if (key >= 0) /* the key that was meant is not read, so refuse the order */
        found->natural = OG_LEVEL_REFUSE;
}

static bool is_required(const struct og_order *o, enum og_key key)
{
    switch (key) {
    case OG_KEY_SIDE: return o->security == OG_STOCK || o->security == OG_OPTION;
    case OG_KEY_LEGS: return o->security == OG_MLEG;
    default: return OG_KEYS_ALWAYS >> key & 1;
    }
}

static void check_presence(const struct og_order *o, enum og_key key, struct og_sink *sink)
{
    struct og_found *found;

    if (o->field[key].status == OG_VALID)
        return;
    if (o->field[key].status == OG_ABSENT && is_required(o, key))
        OG_FIND(sink, &reasons[R_REQUIRED], og_key_pointers[key], og_a_text(og_key_names[key]));
    if (o->field[key].status != OG_WRONG_TYPE)
        return;
    found = OG_FIND(sink, &reasons[R_TYPE], og_key_pointers[key], og_a_text(og_key_names[key]),
                    og_a_text(og_key_types[key]), og_a_text(o->field[key].json_type));
    if (key == OG_KEY_ORDER_QUANTITY)
        found->predicts.certainty = OG_STATED;
    if (key >= OG_KEY_ACCOUNT_ID) /* a key that only ordergate reads; the service never receives it */
        found->predicts = (struct og_prediction){ .channel = OG_CHANNEL_NONE };
}

static void check_open_close(const struct og_order *o, struct og_sink *sink)
{
    const struct og_field *parsed = &o->field[OG_KEY_OPEN_CLOSE];
    const char *field = og_key_pointers[OG_KEY_OPEN_CLOSE];

    if (parsed->status == OG_ABSENT)
        OG_FIND0(sink, &reasons[o->security == OG_STOCK ? R_OPEN_CLOSE_MISSING : R_OPEN_CLOSE_OPTION], field);
    if (parsed->status != OG_WRONG_VALUE)
        return;
    if (same_but_case(parsed->text, "Open") || same_but_case(parsed->text, "Close"))
        OG_FIND(sink, &reasons[R_OPEN_CLOSE_CASE], field, og_a_str(parsed->text),
                og_a_text(parsed->text.len == 4 ? "Open" : "Close"));
    else
        OG_FIND(sink, &reasons[R_OPEN_CLOSE_INVALID], field, og_a_str(parsed->text));
}

/* Report a price that the service ignores.  A price above 0 was meant to bound the order, but does not; 0 is what some
 * programs write for no price. */
static void report_ignored(const struct og_order *o, enum og_key key, struct og_money price, struct og_sink *sink)
{
    const bool is_zero = o->field[key].status == OG_VALID && price.coef <= 0;

    if (og_order_has(o, key))
        OG_FIND(sink, &reasons[is_zero ? R_PRICE_ZERO : R_PRICE_IGNORED], og_key_pointers[key],
                og_a_text(og_key_names[key]), og_a_text(og_order_type_name(o->type)));
}

static void check_ignored(const struct og_order *o, struct og_sink *sink)
{
    if (o->type != OG_TYPE_NONE && !og_order_wants_limit(o))
        report_ignored(o, OG_KEY_LIMIT_PRICE, o->limit, sink);
    if (o->type != OG_TYPE_NONE && !og_order_wants_stop(o))
        report_ignored(o, OG_KEY_STOP_PRICE, o->stop, sink);
}

/* By security type: the keys that are required, and the keys of prices that the service would ignore. */
static const unsigned wanted[] = { [OG_SECURITY_NONE] = OG_KEYS_ALWAYS,
                                   [OG_STOCK] = OG_KEYS_SINGLE,
                                   [OG_OPTION] = OG_KEYS_SINGLE,
                                   [OG_MLEG] = OG_KEYS_ALWAYS | OG_KEY_BIT(LEGS) };
static const unsigned ignored[] = { [OG_MARKET] = OG_KEY_BIT(LIMIT_PRICE) | OG_KEY_BIT(STOP_PRICE),
                                    [OG_LIMIT] = OG_KEY_BIT(STOP_PRICE),
                                    [OG_STOP] = OG_KEY_BIT(LIMIT_PRICE),
                                    [OG_STOP_LIMIT] = 0 };

/* Returns true if all keys are known, all required ones are present, and all values are valid. */
static inline bool is_clean(const struct og_order *o)
{
    unsigned want = wanted[o->security], unwanted = ignored[o->type] | (OG_KEY_BIT(LEGS) & ~want);

    return o->plain && (o->keys & (want | unwanted)) == want;
}

static void OG_COLD check_odd(const struct og_order *o, struct og_sink *sink)
{
    bool single = o->security == OG_STOCK || o->security == OG_OPTION;

    for (int i = 0; i < o->unknown_count && i < OG_UNKNOWN_KEPT; i++)
        check_unknown(o, &o->unknown[i], sink);
    if (o->has_order_id)
        OG_FIND0(sink, &reasons[R_ORDER_ID], "/orderId");
    for (int key = 0; key < OG_KEY_OP; key++)
        check_presence(o, (enum og_key)key, sink);
    check_enum(o, OG_KEY_SECURITY_TYPE, R_SECURITY, sink);
    check_enum(o, OG_KEY_ORDER_TYPE, R_ORDER_TYPE, sink);
    check_enum(o, OG_KEY_TIME_IN_FORCE, R_TIF, sink);
    if (o->field[OG_KEY_REPLACES].status == OG_WRONG_VALUE)
        OG_FIND0(sink, &reasons[R_REPLACES], "/replaces");
    check_ignored(o, sink);
    if (!single)
        return;
    check_enum(o, OG_KEY_SIDE, R_SIDE, sink);
    check_open_close(o, sink);
    if (og_order_has(o, OG_KEY_LEGS))
        OG_FIND(sink, &reasons[R_LEGS], "/legs", og_a_text(og_security_name(o->security)));
}

static OG_HOT void check(const struct og_case *c, const void *settings, struct og_sink *sink)
{
    (void)settings;
    if (!is_clean(c->order))
        check_odd(c->order, sink);
}

const struct og_rule og_rule_request_fields = {
    OG_PARTS_OF_FILE(request_fields),
    .id = "request-fields",
    .summary = "keys, JSON types and enum values of the request",
    .because = "the service answers 400, or silently ignores what it does not know",
    .stage = OG_STAGE_FORM,
    .locked = true,
    .only = OG_TRAIT_ODD,
};
