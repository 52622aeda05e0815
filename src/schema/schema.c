/*
 * Writes JSON Schemas (draft 2020-12) of decisions, orders and facts; policy.c and test.c write those of policies and
 * of tests.  Names, enums and keys come from the tables that read and write them.  Rows of the service's documents may
 * have any key: only what decisions need is required.
 */
#include "schema/schema.h"

#include <stdlib.h>

#include "base/buf.h"
#include "facts/facts_book.h"
#include "order/order.h"
#include "ordergate/rules.h"
#include "rules/rule.h"

static void put_word(struct og_buf *b, bool *first, const char *word)
{
    og_buf_text(b, *first ? "" : ", ");
    og_buf_json_str(b, og_str_of(word));
    *first = false;
}

/* "enum": the names of an enum's values, from the first to the last before an empty name. */
#define PUT_NAMES(b, name_of, from)                 \
    do {                                            \
        bool first_ = true;                         \
        og_buf_text((b), "\"enum\": [");            \
        for (int v_ = (from); name_of(v_)[0]; v_++) \
            put_word((b), &first_, name_of(v_));    \
        og_buf_char((b), ']');                      \
    } while (0)

static const char *level(int v)
{
    return og_level_name((enum og_level)v);
}
static const char *channel(int v)
{
    return og_channel_name((enum og_channel)v);
}
static const char *certainty(int v)
{
    return og_certainty_name((enum og_certainty)v);
}
static const char *security(int v)
{
    return og_security_name((enum og_security)v);
}
static const char *side(int v)
{
    return og_side_name((enum og_side)v);
}
static const char *open_close(int v)
{
    return og_open_close_name((enum og_open_close)v);
}
static const char *order_type(int v)
{
    return og_order_type_name((enum og_order_type)v);
}
static const char *tif(int v)
{
    return og_tif_name((enum og_tif)v);
}

/* --- decisions ---------------------------------------------------------------------------------------------------- */

/* Custom rules: any other id, which is also the reason; they predict nothing. */
static void put_custom_pair(struct og_buf *b)
{
    bool first = true;

    og_buf_text(b, "          {\"properties\": {\"rule\": {\"pattern\": \"^[a-z][a-z0-9-]*$\", \"not\": {\"enum\": [");
    for (size_t i = 0; i < og_rules_size; i++)
        put_word(b, &first, og_rules[i]->id);
    og_buf_text(b, "]}}, \"reason\": {\"pattern\": \"^[a-z][a-z0-9-]*$\"}, \"predicts\": {\"type\": \"null\"}}}\n");
}

/* A finding has a rule and one of its reasons. */
static void put_rule_reason_pairs(struct og_buf *b)
{
    og_buf_text(b, "        \"oneOf\": [\n");
    for (size_t i = 0; i < og_rules_size; i++) {
        bool first = true;

        og_buf_format(b, "          {\"properties\": {\"rule\": {\"const\": \"%s\"}, \"reason\": {\"enum\": [",
                      og_rules[i]->id);
        for (const struct og_reason *r = og_rules[i]->reasons; r->id; r++)
            put_word(b, &first, r->id);
        og_buf_text(b, "]}}},\n");
    }
    put_custom_pair(b);
    og_buf_text(b, "        ]\n");
}

static void put_prediction(struct og_buf *b)
{
    bool first = false; /* null is written before them */

    og_buf_text(b, "    \"prediction\": {\n      \"type\": \"object\",\n      \"required\": [\"channel\"],\n"
                   "      \"additionalProperties\": false,\n      \"properties\": {\n        \"channel\": {");
    PUT_NAMES(b, channel, OG_CHANNEL_ACCEPTED);
    og_buf_text(b, "},\n        \"code\": {\"enum\": [null");
    for (size_t i = 0; og_reject_code_at(i); i++)
        put_word(b, &first, og_reject_code_at(i));
    og_buf_text(b,
                "]},\n        \"codes\": {\"type\": \"array\", \"minItems\": 2, \"maxItems\": 3, \"items\": {\"type\": "
                "\"string\"}},\n        \"text\": {\"type\": [\"string\", \"null\"]},\n        \"certainty\": {");
    PUT_NAMES(b, certainty, OG_STATED);
    og_buf_text(b, "}\n      }\n    }\n");
}

static void put_finding(struct og_buf *b)
{
    og_buf_text(
        b, "    \"finding\": {\n      \"type\": \"object\",\n      \"required\": [\"rule\", \"reason\", \"level\", "
           "\"field\", \"message\", \"predicts\"],\n      \"additionalProperties\": false,\n"
           "      \"properties\": {\n        \"rule\": {\"type\": \"string\"},\n        \"reason\": {\"type\": "
           "\"string\"},\n"
           "        \"level\": {");
    PUT_NAMES(b, level, OG_LEVEL_INFO);
    og_buf_text(
        b, "},\n        \"unsure\": {\"const\": true},\n        \"field\": {\"type\": \"string\"},\n"
           "        \"message\": {\"type\": \"string\", \"minLength\": 1},\n        \"waived\": {\"type\": \"object\", "
           "\"required\": [\"by\", \"reason\", \"until\"], \"additionalProperties\": false, \"properties\": {"
           "\"by\": {\"type\": \"string\"}, \"reason\": {\"type\": \"string\"}, \"until\": {\"type\": \"string\"}}},\n"
           "        \"predicts\": {\"anyOf\": [{\"type\": \"null\"}, "
           "{\"$ref\": \"#/$defs/prediction\"}]}\n      },\n");
    put_rule_reason_pairs(b);
    og_buf_text(b, "    },\n");
}

static void put_decision(struct og_buf *b)
{
    og_buf_text(
        b, OG_SCHEMA_BEGIN
        "  \"title\": \"ordergate decision\",\n"
        "  \"description\": \"One line that ordergate check writes.\",\n"
        "  \"type\": \"object\",\n"
        "  \"required\": [\"clientOrderId\", \"accountId\", \"verdict\", \"predicts\", \"findings\", \"policy\", "
        "\"facts\", \"at\"],\n"
        "  \"additionalProperties\": false,\n"
        "  \"properties\": {\n"
        "    \"file\": {\"type\": \"string\"},\n"
        "    \"line\": {\"type\": \"integer\", \"minimum\": 1},\n"
        "    \"op\": {\"enum\": [\"cancel\", \"locate-quote\", \"locate-accept\", \"locate-sell\", \"locate-cancel\", "
        "\"read\"]},\n"
        "    \"clientOrderId\": {\"type\": [\"string\", \"null\"]},\n"
        "    \"accountId\": {\"type\": [\"string\", \"null\"]},\n"
        "    \"verdict\": {\"enum\": [\"accept\", \"refuse\"]},\n"
        "    \"predicts\": {\"$ref\": \"#/$defs/prediction\"},\n"
        "    \"strategy\": {\n"
        "      \"type\": \"object\",\n"
        "      \"required\": [\"name\", \"direction\", \"maxLoss\", \"maxGain\"],\n"
        "      \"additionalProperties\": false,\n"
        "      \"properties\": {\n"
        "        \"name\": {\"type\": \"string\"},\n"
        "        \"direction\": {\"enum\": [\"debit\", \"credit\", \"undetermined\"]},\n"
        "        \"maxLoss\": {\"type\": [\"number\", \"null\"]},\n"
        "        \"maxGain\": {\"type\": [\"number\", \"null\"]}\n"
        "      }\n"
        "    },\n"
        "    \"margin\": {\n"
        "      \"type\": \"object\",\n"
        "      \"required\": [\"required\", \"available\", \"model\", \"gross\", \"proceeds\"],\n"
        "      \"additionalProperties\": false,\n"
        "      \"properties\": {\n"
        "        \"required\": {\"type\": [\"number\", \"null\"]},\n"
        "        \"available\": {\"type\": [\"number\", \"null\"]},\n"
        "        \"model\": {\"type\": [\"string\", \"null\"]},\n"
        "        \"gross\": {\"type\": [\"number\", \"null\"]},\n"
        "        \"proceeds\": {\"type\": [\"number\", \"null\"]},\n"
        "        \"overnight\": {\"type\": \"number\"},\n"
        "        \"initial\": {\"type\": \"number\"},\n"
        "        \"maintenance\": {\"type\": \"number\"},\n"
        "        \"bound\": {\"const\": true},\n"
        "        \"why\": {\"type\": \"string\"},\n"
        "        \"needs\": {\"type\": \"string\"}\n"
        "      }\n"
        "    },\n"
        "    \"suggest\": {\n"
        "      \"type\": \"object\",\n"
        "      \"minProperties\": 1,\n"
        "      \"maxProperties\": 1,\n"
        "      \"additionalProperties\": false,\n"
        "      \"properties\": {\n"
        "        \"orderQuantity\": {\"type\": \"integer\", \"minimum\": 1},\n"
        "        \"limitPrice\": {\"type\": \"number\"},\n"
        "        \"stopPrice\": {\"type\": \"number\"},\n"
        "        \"at\": {\"type\": \"string\", \"format\": \"date-time\"}\n"
        "      }\n"
        "    },\n"
        "    \"findings\": {\"type\": \"array\", \"maxItems\": 64, \"items\": {\"$ref\": \"#/$defs/finding\"}},\n"
        "    \"findingsCut\": {\"const\": true},\n"
        "    \"shadow\": {\"type\": \"array\", \"minItems\": 1, \"maxItems\": 64, \"items\": {\"$ref\": "
        "\"#/$defs/finding\"}},\n"
        "    \"shadowCut\": {\"const\": true},\n"
        "    \"policy\": {\"type\": \"string\", \"pattern\": \"^.+@sha256:[0-9a-f]{64}$\"},\n"
        "    \"facts\": {\"anyOf\": [{\"type\": \"null\"}, {\"type\": \"string\", \"pattern\": "
        "\"^sha256:[0-9a-f]{64}$\"}]},\n"
        "    \"at\": {\"type\": \"string\", \"format\": \"date-time\"}\n"
        "  },\n"
        "  \"$defs\": {\n");
    put_finding(b);
    put_prediction(b);
    og_buf_text(b, "  }\n}\n");
}

/* --- orders ------------------------------------------------------------------------------------------------------- */

#define SYMBOL "\"type\": \"string\", \"pattern\": \"^[A-Za-z0-9._-]+$\""

bool og_schema_order_words(struct og_buf *b, enum og_key key)
{
    switch (key) {
    case OG_KEY_SECURITY_TYPE: PUT_NAMES(b, security, 1); return true;
    case OG_KEY_SIDE: PUT_NAMES(b, side, 1); return true;
    case OG_KEY_OPEN_CLOSE: PUT_NAMES(b, open_close, 1); return true;
    case OG_KEY_ORDER_TYPE: PUT_NAMES(b, order_type, 1); return true;
    case OG_KEY_TIME_IN_FORCE: PUT_NAMES(b, tif, 1); return true;
    default: return false;
    }
}

static void put_order_key(struct og_buf *b, enum og_key key)
{
    og_buf_format(b, "    \"%s\": {", og_key_names[key]);
    switch (key) {
    case OG_KEY_SECURITY_TYPE:
    case OG_KEY_ORDER_TYPE:
    case OG_KEY_TIME_IN_FORCE: (void)og_schema_order_words(b, key); break;
    case OG_KEY_SYMBOL: og_buf_text(b, SYMBOL); break;
    case OG_KEY_ORDER_QUANTITY: og_buf_text(b, "\"type\": \"integer\", \"minimum\": 1, \"maximum\": 1000000"); break;
    case OG_KEY_OP: og_buf_text(b, "\"const\": \"order\""); break;
    default: og_buf_format(b, "\"type\": \"%s\"", og_key_types[key]); break;
    }
    og_buf_text(b, key + 1 < OG_KEYS ? "},\n" : "}\n");
}

static void put_leg(struct og_buf *b)
{
    og_buf_text(b, "    \"leg\": {\n      \"type\": \"object\",\n      \"required\": [");
    for (int key = 0; key < OG_LEG_KEYS; key++)
        og_buf_format(b, "%s\"%s\"", key ? ", " : "", og_leg_key_names[key]);
    og_buf_text(b, "],\n      \"properties\": {\n        \"symbol\": {" SYMBOL "},\n        \"side\": {");
    PUT_NAMES(b, side, 1);
    og_buf_text(
        b,
        "},\n        \"ratio\": {\"type\": \"integer\", \"minimum\": 1, \"maximum\": 100},\n        \"openClose\": {");
    PUT_NAMES(b, open_close, 1);
    og_buf_text(b, "}\n      }\n    }\n");
}

static void put_order(struct og_buf *b)
{
    og_buf_text(
        b, OG_SCHEMA_BEGIN
        "  \"title\": \"ordergate order\",\n"
        "  \"description\": \"One line that ordergate check and send read: the service's POST body, and the keys "
        "accountId, replaces and op, which are not posted.  Keys that are not known are ignored by the "
        "service; a rule says which.\",\n  \"type\": \"object\",\n  \"required\": [");
    for (int key = 0; key < OG_KEYS; key++)
        if (og_key_required[key])
            og_buf_format(b, "%s\"%s\"", key ? ", " : "", og_key_names[key]);
    og_buf_text(b, "],\n  \"properties\": {\n");
    for (int key = 0; key < OG_KEYS; key++)
        put_order_key(b, (enum og_key)key);
    og_buf_text(
        b, "  },\n  \"allOf\": [\n"
           "    {\n      \"if\": {\"properties\": {\"securityType\": {\"const\": \"Mleg\"}}, \"required\": "
           "[\"securityType\"]},\n"
           "      \"then\": {\n        \"required\": [\"legs\"],\n        \"properties\": {\"legs\": {\"minItems\": 2, "
           "\"maxItems\": 4, \"items\": {\"$ref\": \"#/$defs/leg\"}}},\n        \"not\": {\"required\": [\"side\"]}\n  "
           "    },\n"
           "      \"else\": {\n        \"required\": [\"side\"],\n        \"properties\": {\"side\": {");
    PUT_NAMES(b, side, 1);
    og_buf_text(b, "}}\n      }\n    },\n"
                   "    {\n      \"if\": {\"properties\": {\"securityType\": {\"const\": \"Stock\"}}, \"required\": "
                   "[\"securityType\"]},\n"
                   "      \"then\": {\"required\": [\"openClose\"], \"properties\": {\"openClose\": {");
    PUT_NAMES(b, open_close, 1);
    og_buf_text(b, "}}}\n    },\n"
                   "    {\n      \"if\": {\"properties\": {\"securityType\": {\"const\": \"Option\"}}, \"required\": "
                   "[\"securityType\"]},\n"
                   "      \"then\": {\"properties\": {\"limitPrice\": {\"maximum\": 9999.99}, \"openClose\": {");
    PUT_NAMES(b, open_close, 1);
    og_buf_text(b, "}}}\n    }\n  ],\n  \"$defs\": {\n");
    put_leg(b);
    og_buf_text(b, "  }\n}\n");
}

/* --- facts -------------------------------------------------------------------------------------------------------- */

#define TIME   "{\"type\": \"string\"}"
#define NUMBER "{\"type\": \"number\"}"

/* What a row or member must have to be counted.  Keys without an entry may hold anything. */
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

/* The sender's counters: these keys and no others. */
static void put_gate(struct og_buf *b)
{
    static const char trading[] = "{\"enum\": [\"on\", \"reduce-only\", \"halted\", \"halted-all\"]}";

    og_buf_text(b, "{\"type\": \"object\", \"additionalProperties\": false, \"properties\": {");
    for (size_t i = 0; og_facts_gate_key(i); i++)
        og_buf_format(b, "%s\"%s\": %s", i ? ", " : "", og_facts_gate_key(i),
                      strcmp(og_facts_gate_key(i), "trading") == 0 ? trading : "true");
    og_buf_text(b, "}}");
}

static void put_facts_key(struct og_buf *b, const struct og_facts_key *k, bool first)
{
    const char *content = content_of(k->name);

    og_buf_format(b, "%s    \"%s\": ", first ? "" : ",\n", k->name);
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

static void put_facts(struct og_buf *b)
{
    struct og_facts_key k;
    bool first = true;

    og_buf_text(b, OG_SCHEMA_BEGIN
                "  \"title\": \"ordergate facts\",\n"
                "  \"description\": \"What is known of an account: the service's documents, and what it does not "
                "have.  Every key is optional; an absent one is unknown.\",\n  \"type\": \"object\",\n"
                "  \"additionalProperties\": false,\n  \"properties\": {\n");
    for (size_t i = 0; og_facts_key_at(i, &k); i++)
        if (strcmp(k.name, "ages") != 0)
            put_facts_key(b, &k, i == 0);
    og_buf_text(b, ",\n    \"ages\": {\n      \"type\": \"object\",\n      \"additionalProperties\": false,\n      "
                   "\"properties\": {");
    for (size_t i = 0; og_facts_key_at(i, &k); i++)
        if (k.aged) {
            og_buf_format(b, "%s\"%s\": " TIME, first ? "" : ", ", k.name);
            first = false;
        }
    og_buf_format(b, ", \"%s\": " TIME "}\n    }\n  }\n}\n", og_fact_name(OG_FACT_LOCATES));
}

static const struct {
    const char *name;
    void (*put)(struct og_buf *b);
} schemas[] = { { "decision", put_decision },
                { "order", put_order },
                { "facts", put_facts },
                { "policy", og_schema_policy },
                { "test", og_schema_test } };
#define SCHEMAS (sizeof schemas / sizeof schemas[0])

const char *og_schema_at(size_t i)
{
    return i < SCHEMAS ? schemas[i].name : NULL;
}

char *og_schema(const char *name)
{
    struct og_buf b;

    if (!name)
        return NULL;
    og_buf_init(&b, 0);
    for (size_t i = 0; i < SCHEMAS; i++)
        if (strcmp(schemas[i].name, name) == 0)
            schemas[i].put(&b);
    if (!b.bad && b.len)
        return b.s;
    og_buf_clear(&b);
    return NULL;
}
