/*
 * JSON Schemas (draft 2020-12) of decisions, orders, facts, policies and tests, made from the templates in this folder.
 * The texts for the holes of a template come from the tables with which the program reads and writes these documents;
 * those for the settings of rules are in policy.c. Rows of the service's documents may have any key: only keys that
 * decisions need are required.
 */
#include "schema/schema.h"

#include "facts/facts_book.h"
#include "order/order.h"
#include "ordergate/rules.h"
#include "policy/overrides.h"
#include "policy_test/policy_test.h"

struct shipped {
    const char *name, *text;
    size_t len;
};
#include "schema/shipped_text.inc"
#define TEMPLATES (sizeof shipped / sizeof shipped[0])

/* --- words -------------------------------------------------------------------------------------------------------- */

/* A table of the names of an enum's values, from value `from` on; NULL past the last one. */
#define NAMES(what, from)                                                          \
    static const char *what##_at(size_t i)                                         \
    {                                                                              \
        const char *name = og_##what##_name((enum og_##what)((int)i + (int)from)); \
                                                                                   \
        return name[0] ? name : NULL;                                              \
    }
NAMES(level, OG_LEVEL_INFO)
NAMES(channel, OG_CHANNEL_ACCEPTED)
NAMES(certainty, OG_STATED)
NAMES(security, 1)
NAMES(side, 1)
NAMES(open_close, 1)
NAMES(order_type, 1)
NAMES(tif, 1)

static const char *match_security_at(size_t i)
{
    return og_match_securities[i + 1];
}

static const char *match_side_at(size_t i)
{
    return og_match_sides[i + 1];
}

static const char *match_type_at(size_t i)
{
    return og_match_types[i + 1];
}

static const char *rule_at(size_t i)
{
    return i < og_rules_size ? og_rules[i]->id : NULL;
}

static const char *leg_key_at(size_t i)
{
    return i < OG_LEG_KEYS ? og_leg_key_names[i] : NULL;
}

static const char *facts_key_at(size_t i)
{
    struct og_facts_key key;

    return og_facts_key_at(i, &key) ? key.name : NULL;
}

/* Returns the i-th expectation of a test that may also be a column of a table of tests. */
static const char *column_at(size_t i)
{
    i += i >= OG_EXPECT_FINDINGS;
    return i < OG_EXPECTATIONS ? og_test_expectation_keys[i] : NULL;
}

static void put_word(struct og_buf *b, bool first, const char *word)
{
    og_schema_next(b, first, NULL);
    og_buf_json_str(b, og_str_of(word));
}

static void put_words(struct og_buf *b, const char *(*at)(size_t i))
{
    for (size_t i = 0; at(i); i++)
        put_word(b, i == 0, at(i));
}

static void put_reasons(struct og_buf *b, const struct og_schema_place *at)
{
    bool first = true;

    (void)at;
    for (size_t i = 0; i < og_rules_size; i++)
        OG_EACH_REASON (r, og_rules[i]) {
            put_word(b, first, r->id);
            first = false;
        }
}

/* Write the ids of built-in rules and of their reasons, which custom rules cannot have. */
static void put_register_ids(struct og_buf *b, const struct og_schema_place *at)
{
    (void)at;
    for (size_t i = 0; i < og_rules_size; i++) {
        put_word(b, i == 0, og_rules[i]->id);
        OG_EACH_REASON (r, og_rules[i])
            put_word(b, false, r->id);
    }
}

#define SYMBOL "\"type\": \"string\", \"pattern\": \"^[A-Za-z0-9._-]+$\""

/* --- decisions and orders ----------------------------------------------------------------------------------------- */

/* Write the schemas of findings: each has a rule and one of its reasons. */
static void put_rule_reasons(struct og_buf *b, const struct og_schema_place *at)
{
    for (size_t i = 0; i < og_rules_size; i++) {
        og_schema_next(b, i == 0, at);
        og_buf_format(b, "{\"properties\": {\"rule\": {\"const\": \"%s\"}, \"reason\": {\"enum\": [", og_rules[i]->id);
        OG_EACH_REASON (r, og_rules[i])
            put_word(b, r == og_rules[i]->reasons, r->id);
        og_buf_text(b, "]}}}");
    }
}

static void put_required_keys(struct og_buf *b, const struct og_schema_place *at)
{
    (void)at;
    for (int key = 0; key < OG_KEYS; key++)
        if (OG_KEYS_ALWAYS >> key & 1)
            put_word(b, key == 0, og_key_names[key]);
}

/* Write "enum" with the words that a key may have, whatever the kind of order. Returns false if the key has no such
 * words. */
static bool put_enum(struct og_buf *b, enum og_key key)
{
    static const char *(*const words[OG_KEYS])(size_t) = { [OG_KEY_SECURITY_TYPE] = security_at,
                                                           [OG_KEY_SIDE] = side_at,
                                                           [OG_KEY_OPEN_CLOSE] = open_close_at,
                                                           [OG_KEY_ORDER_TYPE] = order_type_at,
                                                           [OG_KEY_TIME_IN_FORCE] = tif_at };

    if (!words[key])
        return false;
    og_buf_text(b, "\"enum\": [");
    put_words(b, words[key]);
    og_buf_char(b, ']');
    return true;
}

/* Write which values each key may have in any order. Which orders need which words of side and openClose is in
 * order.json. */
static void put_order_keys(struct og_buf *b, const struct og_schema_place *at)
{
    for (int key = 0; key < OG_KEYS; key++) {
        og_schema_next(b, key == 0, at);
        og_buf_format(b, "\"%s\": {", og_key_names[key]);
        switch (key) {
        case OG_KEY_SECURITY_TYPE:
        case OG_KEY_ORDER_TYPE:
        case OG_KEY_TIME_IN_FORCE: (void)put_enum(b, (enum og_key)key); break;
        case OG_KEY_SYMBOL: og_buf_text(b, SYMBOL); break;
        case OG_KEY_ORDER_QUANTITY:
            og_buf_text(b, "\"type\": \"integer\", \"minimum\": 1, \"maximum\": 1000000");
            break;
        case OG_KEY_OP: og_buf_text(b, "\"const\": \"order\""); break;
        case OG_KEY_REPLACES: og_buf_text(b, "\"type\": \"string\", \"minLength\": 1"); break;
        default: og_buf_format(b, "\"type\": \"%s\"", og_key_types[key]); break;
        }
        og_buf_char(b, '}');
    }
}

/* Write the keys of an order in a test. A test may use a wrong value on purpose, so the schema only proposes the
 * words. */
static void put_test_order_keys(struct og_buf *b, const struct og_schema_place *at)
{
    (void)at;
    for (int key = 0; key < OG_KEY_OP; key++) {
        struct og_buf words;

        og_buf_init(&words, 0);
        og_schema_next(b, key == 0, NULL);
        if (put_enum(&words, (enum og_key)key) && !words.bad)
            og_buf_format(b, "\"%s\": {\"anyOf\": [{%s}, {}]}", og_key_names[key], words.s);
        else
            og_buf_format(b, "\"%s\": {}", og_key_names[key]);
        b->bad |= words.bad;
        og_buf_clear(&words);
    }
}

/* --- facts -------------------------------------------------------------------------------------------------------- */

#define TIME   "{\"type\": \"string\"}"
#define NUMBER "{\"type\": \"number\"}"

/* By key of a facts document: what its rows or members must have so that decisions can use them.  A key that is not
 * listed may have any value. */
static const struct {
    const char *key, *schema;
} contents[] = {
    { "positions", "{\"type\": \"object\", \"required\": [\"side\", \"shares\"], \"properties\": {\"side\": {\"enum\": "
                   "[\"Long\", \"Short\"]}, \"shares\": " NUMBER "}}" },
    { "orders",
      "{\"type\": \"object\", \"anyOf\": [{\"required\": [\"orderStatus\"]}, {\"required\": [\"status\"]}]}" },
    { "routes", "{\"type\": \"object\", \"required\": [\"routeName\"], \"properties\": {\"routeName\": {\"type\": "
                "\"string\"}}}" },
    { "accountList",
      "{\"type\": \"object\", \"required\": [\"account\"], \"properties\": {\"account\": {\"type\": \"string\"}}}" },
    { "locateInventory",
      "{\"type\": \"object\", \"required\": [\"symbol\", \"available\"], \"properties\": {\"available\": "
      "{\"type\": \"number\", \"minimum\": 0}}}" },
    { "locateHistory", "{\"type\": \"object\", \"required\": [\"quoteReqID\", \"locateStatus\"], \"properties\": "
                       "{\"locateStatus\": {\"type\": \"integer\"}}}" },
    { "usedClientOrderIds",
      "{\"type\": [\"string\", \"object\"], \"required\": [\"id\"], \"properties\": {\"outcome\": "
      "{\"enum\": [\"accepted\", \"rejected\", \"unknown\", \"otherAccount\"]}}}" },
    { "borrow",
      "{\"type\": [\"boolean\", \"object\"], \"anyOf\": [{\"type\": \"boolean\"}, {\"required\": [\"easy\"]}, "
      "{\"required\": [\"isEasyToBorrow\"]}]}" },
    { "quotes",
      "{\"type\": \"object\", \"properties\": {\"bid\": {\"type\": [\"number\", \"null\"]}, \"ask\": {\"type\": "
      "[\"number\", \"null\"]}, \"last\": {\"type\": [\"number\", \"null\"]}, \"asOf\": " TIME "}}" },
};

static const char *content_of(const char *key)
{
    for (size_t i = 0; i < sizeof contents / sizeof contents[0]; i++)
        if (strcmp(contents[i].key, key) == 0)
            return contents[i].schema;
    return "true";
}

/* Write the sender's counters: these keys and no others. */
static void put_gate(struct og_buf *b)
{
    static const char trading[] = "{\"enum\": [\"on\", \"reduce-only\", \"halted\", \"halted-all\"]}";

    og_buf_text(b,
                "{\"description\": \"What the sender knows of its own orders and calls.  Without it, or without one of "
                "its counts and lists of orders, nothing counts but what this run accepts, and no rule is unsure for "
                "that; calls and locateQuotes that are absent are not known.\", ");
    og_buf_text(b, "\"type\": \"object\", \"additionalProperties\": false, \"properties\": {");
    for (size_t i = 0; og_facts_gate_key(i); i++)
        og_buf_format(b, "%s\"%s\": %s", i ? ", " : "", og_facts_gate_key(i),
                      strcmp(og_facts_gate_key(i), "trading") == 0 ? trading : "true");
    og_buf_text(b, "}}");
}

static void put_facts_key(struct og_buf *b, const struct og_facts_key *k)
{
    const char *content = content_of(k->name);

    og_buf_format(b, "\"%s\": ", k->name);
    switch (k->shape) {
    case OG_FACTS_TEXT: og_buf_text(b, "{\"type\": \"string\"}"); break;
    case OG_FACTS_OBJECT:
        if (strcmp(k->name, "gate") == 0)
            put_gate(b);
        else
            og_buf_text(b, "{\"type\": \"object\"}");
        break;
    case OG_FACTS_MEMBERS: og_buf_format(b, "{\"type\": \"object\", \"additionalProperties\": %s}", content); break;
    case OG_FACTS_LIST:
        if (!k->envelope) {
            og_buf_format(b, "{\"type\": \"array\", \"items\": %s}", content);
            break;
        }
        og_buf_format(
            b,
            "{\"anyOf\": [{\"type\": \"array\", \"items\": %s}, {\"type\": \"object\", \"required\": [\"%s\"], "
            "\"properties\": {\"%s\": {\"type\": \"array\", \"items\": %s}}}]}",
            content, k->envelope, k->envelope, content);
        break;
    }
}

static void put_facts_keys(struct og_buf *b, const struct og_schema_place *at)
{
    struct og_facts_key k;

    for (size_t i = 0; og_facts_key_at(i, &k); i++)
        if (strcmp(k.name, "ages") != 0) {
            og_schema_next(b, i == 0, at);
            put_facts_key(b, &k);
        }
}

static void put_aged_keys(struct og_buf *b, const struct og_schema_place *at)
{
    struct og_facts_key k;

    (void)at;
    for (size_t i = 0; og_facts_key_at(i, &k); i++)
        if (k.aged)
            og_buf_format(b, "\"%s\": " TIME ", ", k.name);
    og_buf_format(b, "\"%s\": " TIME, og_fact_name(OG_FACT_LOCATES));
}

/* --- policies: id, description and level of one rule -------------------------------------------------------------- */

static void put_rule_id(struct og_buf *b, const struct og_schema_place *at)
{
    og_buf_json_str(b, og_str_of(at->rule->id));
}

static void put_rule_about(struct og_buf *b, const struct og_schema_place *at)
{
    struct og_buf about;

    og_buf_init(&about, 0);
    og_buf_format(&about, "%s; without it: %s", at->rule->summary, at->rule->because);
    og_buf_json_str(b, og_str_of(about.bad ? "" : about.s));
    b->bad |= about.bad;
    og_buf_clear(&about);
}

static void put_rule_level(struct og_buf *b, const struct og_schema_place *at)
{
    og_buf_format(b, "{\"$ref\": \"#/$defs/%s\"}", at->rule->locked ? "locked" : "level");
}

/* --- filling of templates ----------------------------------------------------------------------------------------- */

/* The holes of all templates. Each is replaced by a text, by words, or by what a function writes. */
static const struct {
    const char *name;
    const char *text;
    const char *(*words)(size_t i);
    void (*put)(struct og_buf *b, const struct og_schema_place *at);
} holes[] = {
    { .name = "text", .text = OG_SCHEMA_TEXT },
    { .name = "symbol", .text = SYMBOL },
    { .name = "lasting", .text = "\"" OG_SCHEMA_LASTING "\"" },
    { .name = "levels", .words = level_at },
    { .name = "channels", .words = channel_at },
    { .name = "certainties", .words = certainty_at },
    { .name = "codes", .words = og_reject_code_at },
    { .name = "sides", .words = side_at },
    { .name = "open-closes", .words = open_close_at },
    { .name = "leg-keys", .words = leg_key_at },
    { .name = "rules", .words = rule_at },
    { .name = "facts-key-names", .words = facts_key_at },
    { .name = "columns", .words = column_at },
    { .name = "models", .words = og_test_model_at },
    { .name = "strategies", .words = og_test_strategy_at },
    { .name = "directions", .words = og_test_direction_at },
    { .name = "match-securities", .words = match_security_at },
    { .name = "match-sides", .words = match_side_at },
    { .name = "match-types", .words = match_type_at },
    { .name = "shipped-policies", .words = og_policy_shipped },
    { .name = "reasons", .put = put_reasons },
    { .name = "register-ids", .put = put_register_ids },
    { .name = "rule-reasons", .put = put_rule_reasons },
    { .name = "required-keys", .put = put_required_keys },
    { .name = "order-keys", .put = put_order_keys },
    { .name = "test-order-keys", .put = put_test_order_keys },
    { .name = "facts-keys", .put = put_facts_keys },
    { .name = "aged-keys", .put = put_aged_keys },
    { .name = "max-ages", .put = og_schema_put_max_ages },
    { .name = "rule-settings", .put = og_schema_put_rule_settings },
    { .name = "rule", .put = put_rule_id },
    { .name = "about-rule", .put = put_rule_about },
    { .name = "level", .put = put_rule_level },
    { .name = "settings", .put = og_schema_put_settings },
};

static void fill(struct og_buf *b, struct og_str hole, const struct og_schema_place *at)
{
    for (size_t i = 0; i < sizeof holes / sizeof holes[0]; i++)
        if (og_str_is(hole, holes[i].name)) {
            if (holes[i].text)
                og_buf_text(b, holes[i].text);
            else if (holes[i].words)
                put_words(b, holes[i].words);
            else
                holes[i].put(b, at);
            return;
        }
    b->bad = true;
}

/* Returns the number of blanks before a hole, if only blanks are before it on its line; otherwise 0. */
static int indent_of(const char *text, const char *hole)
{
    const char *line = hole;

    while (line > text && line[-1] == ' ')
        line--;
    return line == text || line[-1] == '\n' ? (int)(hole - line) : 0;
}

void og_schema_next(struct og_buf *b, bool first, const struct og_schema_place *at)
{
    if (!first && at && at->indent)
        og_buf_format(b, ",\n%*s", at->indent, "");
    else if (!first)
        og_buf_text(b, ", ");
}

void og_schema_write(struct og_buf *b, const char *name, const struct og_rule *rule)
{
    const char *text = NULL, *at, *hole, *end;

    for (size_t i = 0; i < TEMPLATES; i++)
        if (strcmp(shipped[i].name, name) == 0)
            text = shipped[i].text;
    if (!text)
        return;
    for (at = text; (hole = strstr(at, "\"@")); at = end + 2) {
        end = strstr(hole, "@\"");
        og_buf_bytes(b, at, (size_t)(hole - at));
        fill(b, (struct og_str){ hole + 2, (size_t)(end - hole - 2) },
             &(struct og_schema_place){ .rule = rule, .indent = indent_of(text, hole) });
    }
    /* without the end of its last line, if the template is inserted into another one */
    og_buf_bytes(b, at, strlen(at) - (rule != NULL));
}

/* --- the public names --------------------------------------------------------------------------------------------- */

static const char *const names[] = { "decision", "order", "facts", "policy", "test", "status" };
#define SCHEMAS (sizeof names / sizeof names[0])

const char *og_schema_at(size_t i)
{
    return i < SCHEMAS ? names[i] : NULL;
}

char *og_schema(const char *name)
{
    struct og_buf b;

    og_buf_init(&b, 0);
    for (size_t i = 0; name && i < SCHEMAS; i++)
        if (strcmp(names[i], name) == 0)
            og_schema_write(&b, name, NULL);
    if (!b.bad && b.len)
        return b.s;
    og_buf_clear(&b);
    return NULL;
}
