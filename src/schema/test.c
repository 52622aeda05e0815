/*
 * Writes the JSON Schema of test files, for editors: keys, words and help (man ordergate-test).  It accepts all that
 * the reader accepts, and more: ids of custom rules, paths of columns, cells, and orders and facts that are wrong on
 * purpose.
 */
#include "facts/facts_book.h"
#include "ordergate/rules.h"
#include "policy_test/policy_test.h"
#include "rules/rule.h"
#include "schema/schema.h"

#define OPEN                 "{\"const\": \"...\"}"
#define ID                   "^[a-z][a-z0-9]*(-[a-z0-9]+)*$"
#define WORD                 "{" OG_SCHEMA_TEXT ", \"minLength\": 1}"
#define SAID(key, what, ref) "    \"" key "\": {\"description\": \"" what "\", \"$ref\": \"#/$defs/" ref "\"},\n"
#define PATHS                "\"^(order|facts|request)[.].\""

static void put_words(struct og_buf *b, const char *(*at)(size_t))
{
    for (size_t i = 0; at(i); i++) {
        og_buf_text(b, i ? ", " : "");
        og_buf_json_str(b, og_str_of(at(i)));
    }
}

static const char *rule_at(size_t i)
{
    return i < og_rules_size ? og_rules[i]->id : NULL;
}
static const char *code_at(size_t i)
{
    return og_reject_code_at(i);
}
static const char *channel_at(size_t i)
{
    return i < OG_CHANNEL_NO_EFFECT ? og_channel_name((enum og_channel)(i + 1)) : NULL;
}
/* The expectations that a column may have. */
static const char *cell_at(size_t i)
{
    i += i >= OG_EXPECT_FINDINGS;
    return i < OG_EXPECTATIONS ? og_test_expectation_keys[i] : NULL;
}
static const char *fact_at(size_t i)
{
    struct og_facts_key key;

    return og_facts_key_at(i, &key) ? key.name : NULL;
}

static void put_reason(struct og_buf *b)
{
    const char *comma = "";

    og_buf_text(b, "    \"reason\": {\"description\": \"a reason of a rule, or the id of one of the policy's own\", "
                   "\"anyOf\": [{\"enum\": [");
    for (size_t i = 0; i < og_rules_size; i++)
        for (const struct og_reason *r = og_rules[i]->reasons; r->id; r++, comma = ", ")
            og_buf_format(b, "%s\"%s\"", comma, r->id);
    og_buf_text(b, "]}, {\"type\": \"string\", \"pattern\": \"" ID "\"}]},\n"
                   "    \"reasons\": {\"anyOf\": [" OPEN
                   ", {\"$ref\": \"#/$defs/reason\"}, {\"type\": \"array\", \"items\": "
                   "{\"$ref\": \"#/$defs/reason\"}}]},\n");
}

static void put_prediction(struct og_buf *b)
{
    og_buf_text(b, "    \"channel\": {\"enum\": [");
    put_words(b, channel_at);
    og_buf_text(b, "]},\n    \"code\": {\"anyOf\": [{\"enum\": [");
    put_words(b, code_at);
    og_buf_text(b, "]}, {\"type\": \"integer\"}]},\n    \"prediction\": {\"anyOf\": [" OPEN
                   ", {\"$ref\": \"#/$defs/channel\"}, "
                   "{\"$ref\": \"#/$defs/code\"}, {\n      \"type\": \"object\", \"additionalProperties\": false, "
                   "\"properties\": {"
                   "\"channel\": {\"$ref\": \"#/$defs/channel\"}, \"code\": {\"$ref\": \"#/$defs/code\"}, "
                   "\"certainty\": {\"enum\": [\"stated\", \"reading\"]}, \"text\": {" OG_SCHEMA_TEXT "}}}]},\n");
}

static void put_finding(struct og_buf *b)
{
    og_buf_text(b, "    \"rule\": {\"anyOf\": [{\"enum\": [");
    put_words(b, rule_at);
    og_buf_text(b, "]}, {\"type\": \"string\", \"pattern\": \"" ID "\"}]},\n"
                   "    \"finding\": {\n      \"type\": \"object\", \"minProperties\": 1, "
                   "\"additionalProperties\": false, \"properties\": {\n"
                   "        \"rule\": {\"$ref\": \"#/$defs/rule\"},\n"
                   "        \"reason\": {\"$ref\": \"#/$defs/reason\"},\n"
                   "        \"level\": {\"enum\": [\"refuse\", \"warn\", \"info\"]},\n"
                   "        \"unsure\": {\"enum\": [true, false, \"true\", \"false\"]},\n"
                   "        \"waived\": {\"enum\": [true, false, \"true\", \"false\"]},\n"
                   "        \"field\": {" OG_SCHEMA_TEXT "},\n"
                   "        \"message\": {\"description\": \"a text that it contains\", " OG_SCHEMA_TEXT "},\n"
                   "        \"message_matches\": {\"description\": \"a pattern for the whole message\", " OG_SCHEMA_TEXT
                   "},\n"
                   "        \"predicts\": {\"$ref\": \"#/$defs/prediction\"}\n      }\n    },\n");
}

#define NUMBER "{\"$ref\": \"#/$defs/number\"}"
#define ORNONE "{\"enum\": [\"none\", \"...\"]}"

static void put_figures(struct og_buf *b)
{
    og_buf_text(
        b, "    \"number\": {\"description\": \"compared exactly; ~: null, or not there\", \"anyOf\": [{\"type\": "
           "[\"number\", "
           "\"null\"]}, " OPEN ", {\"type\": \"string\", \"pattern\": \"^[+-]?[0-9.]+([eE][+-]?[0-9]+)?$\"}]},\n"
           "    \"margin\": {\"anyOf\": [" ORNONE
           ", {\"type\": \"number\"}, {\n      \"type\": \"object\", \"minProperties\": 1, "
           "\"additionalProperties\": false, \"properties\": {\n"
           "        \"required\": " NUMBER ", \"available\": " NUMBER ", \"gross\": " NUMBER ", \"proceeds\": " NUMBER
           ", \"overnight\": " NUMBER ", \"initial\": " NUMBER ", \"maintenance\": " NUMBER ",\n"
           "        \"model\": {\"enum\": [");
    put_words(b, og_test_model_at);
    og_buf_text(b, ", \"...\", null]},\n"
                   "        \"bound\": {\"enum\": [true, false, \"true\", \"false\", \"...\", null]}, \"why\": "
                   "{\"type\": [\"string\", \"null\"]}, "
                   "\"needs\": {\"type\": [\"string\", \"null\"]}\n      }\n    }]},\n"
                   "    \"strategyName\": {\"enum\": [");
    put_words(b, og_test_strategy_at);
    og_buf_text(
        b, "]},\n    \"strategy\": {\"anyOf\": [" ORNONE ", {\"$ref\": \"#/$defs/strategyName\"}, {\n"
           "      \"type\": \"object\", \"minProperties\": 1, \"additionalProperties\": false, \"properties\": {\n"
           "        \"name\": {\"anyOf\": [{\"$ref\": \"#/$defs/strategyName\"}, " OPEN ", {\"type\": \"null\"}]},\n"
           "        \"direction\": {\"enum\": [");
    put_words(b, og_test_direction_at);
    og_buf_text(b, ", \"...\", null]}, \"maxLoss\": " NUMBER ", \"maxGain\": " NUMBER "\n      }\n    }]},\n"
                   "    \"suggest\": {\"anyOf\": [" ORNONE
                   ", {\"type\": \"number\"}, {\n      \"type\": \"object\", \"minProperties\": 1, "
                   "\"additionalProperties\": false, \"properties\": {\n"
                   "        \"orderQuantity\": " NUMBER ", \"limitPrice\": " NUMBER ", \"stopPrice\": " NUMBER
                   ", \"at\": {\"type\": [\"string\", \"null\"]}\n      }\n    }]},\n");
}

static void put_expect(struct og_buf *b)
{
    og_buf_text(
        b,
        "    \"verdict\": {\"enum\": [\"accept\", \"refuse\", \"...\"]},\n"
        "    \"expect\": {\"anyOf\": [{\"$ref\": \"#/$defs/verdict\"}, {\n      \"type\": \"object\", "
        "\"minProperties\": 1, "
        "\"additionalProperties\": false, \"properties\": {\n"
        "        \"verdict\": {\"$ref\": \"#/$defs/verdict\"},\n"
        "        \"reasons\": {\"description\": \"exactly those that refuse, in any order\", \"$ref\": "
        "\"#/$defs/reasons\"},\n"
        "        \"warns\": {\"description\": \"exactly those that warn\", \"$ref\": \"#/$defs/reasons\"},\n"
        "        \"infos\": {\"description\": \"exactly those that inform\", \"$ref\": \"#/$defs/reasons\"},\n"
        "        \"unsure\": {\"description\": \"exactly those of unsure findings\", \"$ref\": "
        "\"#/$defs/reasons\"},\n"
        "        \"shadow\": {\"description\": \"exactly those of rules in mode shadow\", \"$ref\": "
        "\"#/$defs/reasons\"},\n"
        "        \"waived\": {\"description\": \"exactly those that a waiver lets pass\", \"$ref\": "
        "\"#/$defs/reasons\"},\n"
        "        \"includes\": {\"description\": \"among the findings, at any level\", \"$ref\": "
        "\"#/$defs/reasons\"},\n"
        "        \"excludes\": {\"description\": \"not among the findings\", \"$ref\": \"#/$defs/reasons\"},\n"
        "        \"predicts\": {\"description\": \"a channel, a reject code, or a map of them\", \"$ref\": "
        "\"#/$defs/prediction\"},\n"
        "        \"findings\": {\"description\": \"findings that the decision must have\", \"anyOf\": [{\"$ref\": "
        "\"#/$defs/finding\"}, "
        "{\"type\": \"array\", \"items\": {\"$ref\": \"#/$defs/finding\"}}]},\n"
        "        \"margin\": {\"description\": \"what check --margin prints; a number alone is its required\", "
        "\"$ref\": \"#/$defs/margin\"},\n"
        "        \"strategy\": {\"description\": \"for a spread; a word alone is its name\", \"$ref\": "
        "\"#/$defs/strategy\"},\n"
        "        \"suggest\": {\"description\": \"what check --suggest prints; a number alone is its orderQuantity\", "
        "\"$ref\": "
        "\"#/$defs/suggest\"}\n      }\n    }]},\n");
}

static void put_order(struct og_buf *b)
{
    og_buf_text(b, "    \"order\": {\"anyOf\": [{\"type\": \"string\"}, {\"type\": \"object\", "
                   "\"additionalProperties\": false, \"properties\": {");
    for (int key = 0; key < OG_KEY_OP; key++) {
        struct og_buf words;

        og_buf_init(&words, 0);
        og_buf_format(b, "%s\"%s\": ", key ? ", " : "", og_key_names[key]);
        if (og_schema_order_words(&words, (enum og_key)key) && !words.bad)
            og_buf_format(b, "{\"anyOf\": [{%s}, {}]}", words.s); /* a test may use a wrong value on purpose */
        else
            og_buf_text(b, "{}");
        b->bad |= words.bad;
        og_buf_clear(&words);
    }
    og_buf_text(b,
                "}}]},\n    \"facts\": {\"anyOf\": [" WORD ", {\"type\": \"object\", \"properties\": {\"file\": " WORD
                "}, \"propertyNames\": {\"enum\": [\"file\", ");
    put_words(b, fact_at);
    og_buf_text(b, "]}}]},\n");
}

static void put_step(struct og_buf *b)
{
    og_buf_text(
        b,
        "    \"time\": {\"description\": \"RFC 3339 with offset, or a time of day in New York\", \"type\": \"string\", "
        "\"minLength\": 1, "
        "\"examples\": [\"2026-01-15T10:00:00-05:00\", \"16:05\"]},\n"
        "    \"request\": {\"description\": \"in place of an order\", \"type\": \"object\", \"examples\": [{\"op\": "
        "\"cancel\", "
        "\"clientOrderId\": \"a1\"}]},\n"
        "    \"waiver\": {\n      \"type\": \"object\", \"required\": [\"rule\", \"clientOrderId\"], "
        "\"additionalProperties\": false,\n      \"properties\": {\n"
        "        \"rule\": {\"$ref\": \"#/$defs/rule\"},\n"
        "        \"clientOrderId\": " WORD ",\n        \"accountId\": " WORD ",\n        \"by\": " WORD ",\n"
        "        \"reason\": " WORD ",\n        \"until\": {\"$ref\": \"#/$defs/time\"},\n        \"digest\": " WORD
        "\n"
        "      }\n    },\n"
        "    \"waivers\": {\"description\": \"orders that somebody lets through a rule, as ordergate waive does\", "
        "\"anyOf\": [{\"$ref\": \"#/$defs/waiver\"}, {\"type\": \"array\", \"items\": {\"$ref\": "
        "\"#/$defs/waiver\"}}]},\n"
        "    \"step\": {\n      \"type\": \"object\", \"additionalProperties\": false, \"not\": {\"required\": "
        "[\"order\", \"request\"]},\n"
        "      \"properties\": {\n        \"name\": " WORD ",\n        \"at\": {\"$ref\": \"#/$defs/time\"},\n"
        "        \"facts\": {\"$ref\": \"#/$defs/facts\"},\n        \"order\": {\"$ref\": \"#/$defs/order\"},\n"
        "        \"request\": {\"$ref\": \"#/$defs/request\"},\n        \"waivers\": {\"$ref\": \"#/$defs/waivers\"},\n"
        "        \"expect\": {\"$ref\": \"#/$defs/expect\"},\n"
        "        \"quote\": {\"description\": \"a quote that arrives at that time\", \"type\": \"object\"},\n"
        "        \"then\": {\"description\": \"what happens to the order after it was accepted\", \"enum\": "
        "[\"filled\", "
        "\"rejected\", "
        "\"released\"]}\n      }\n    },\n");
}

static void put_case(struct og_buf *b)
{
    og_buf_text(b, "    \"table\": {\n      \"type\": \"object\", \"required\": [\"columns\", \"rows\"], "
                   "\"additionalProperties\": false,\n"
                   "      \"properties\": {\n        \"columns\": {\"type\": \"array\", \"minItems\": 1, \"items\": "
                   "{\"anyOf\": [{\"enum\": "
                   "[\"name\", \"at\", \"account\", ");
    put_words(b, cell_at);
    og_buf_text(
        b, "]}, {\"type\": \"string\", \"pattern\": " PATHS "}]}, "
           "\"examples\": [[\"order.orderQuantity\", \"verdict\", \"reasons\"]]},\n"
           "        \"rows\": {\"description\": \"one cell for each column; ~ expects nothing\", \"type\": \"array\", "
           "\"minItems\": 1, "
           "\"items\": {\"type\": \"array\"}}\n      }\n    },\n"
           "    \"case\": {\n      \"type\": \"object\", \"required\": [\"name\"], \"additionalProperties\": false,\n"
           "      \"not\": {\"anyOf\": [{\"required\": [\"orders\", \"table\"]}, {\"required\": [\"orders\", "
           "\"sequence\"]}, "
           "{\"required\": [\"table\", \"sequence\"]}, {\"required\": [\"request\", \"order\"]}, {\"required\": "
           "[\"request\", \"orders\"]}, "
           "{\"required\": [\"request\", \"sequence\"]}]},\n      \"properties\": {\n"
           "        \"name\": {\"description\": \"what it shows; unique in the file\", " OG_SCHEMA_TEXT
           ", \"minLength\": 1},\n"
           "        \"description\": {" OG_SCHEMA_TEXT "},\n        \"at\": {\"$ref\": \"#/$defs/time\"},\n"
           "        \"account\": " WORD ",\n        \"facts\": {\"$ref\": \"#/$defs/facts\"},\n"
           "        \"order\": {\"$ref\": \"#/$defs/order\"},\n        \"request\": {\"$ref\": \"#/$defs/request\"},\n"
           "        \"waivers\": {\"$ref\": \"#/$defs/waivers\"},\n"
           "        \"expect\": {\"$ref\": \"#/$defs/expect\"},\n"
           "        \"orders\": {\"description\": \"a file of orders, one on each line\", " OG_SCHEMA_TEXT
           ", \"minLength\": 1},\n"
           "        \"independent\": {\"description\": \"accepted orders do not count for those after them\", "
           "\"enum\": [true, false, "
           "\"true\", \"false\"]},\n"
           "        \"table\": {\"$ref\": \"#/$defs/table\"},\n"
           "        \"sequence\": {\"type\": \"array\", \"minItems\": 1, \"items\": {\"$ref\": \"#/$defs/step\"}}\n    "
           "  }\n    }\n");
}

void og_schema_test(struct og_buf *b)
{
    og_buf_text(b, OG_SCHEMA_BEGIN
                "  \"title\": \"ordergate policy tests\",\n"
                "  \"description\": \"What a policy shall decide about orders; see man ordergate-test.\",\n"
                "  \"type\": \"object\",\n  \"required\": [\"ordergate-test\", \"cases\"],\n  "
                "\"additionalProperties\": false,\n"
                "  \"properties\": {\n"
                "    \"ordergate-test\": {\"description\": \"the format\", \"enum\": [1, \"1\"]},\n"
                "    \"description\": {\"description\": \"what it is for\", " OG_SCHEMA_TEXT ", \"minLength\": 1},\n"
                "    \"policy\": {\"description\": \"a file beside this one or a shipped policy, or a list of them "
                "each laid over the one before; without it desk_test.yaml tests desk.yaml\", \"anyOf\": [" WORD
                ", {\"type\": \"array\", \"minItems\": 1, "
                "\"items\": " WORD "}], \"examples\": [\"live\", [\"firm.yaml\", \"account.yaml\"]]},\n"
                "    \"floor\": {\"description\": \"a floor to lay over the policy\", " OG_SCHEMA_TEXT
                ", \"minLength\": 1},\n"
                "    \"at\": {\"description\": \"the time of all decisions that give none themselves: RFC 3339 with "
                "offset\", \"type\": \"string\", "
                "\"minLength\": 1, \"examples\": [\"2026-01-15T10:00:00-05:00\"]},\n"
                "    \"account\": {\"description\": \"the account of orders that name none\", " OG_SCHEMA_TEXT
                ", \"minLength\": 1},\n" SAID("facts", "a facts document, or the name of a file of one", "facts")
                    SAID("order", "the keys all orders have, or a line of JSON",
                         "order") "    \"cases\": {\"type\": \"array\", \"minItems\": 1, \"items\": {\"$ref\": "
                                  "\"#/$defs/case\"}}\n  },\n  \"$defs\": {\n");
    put_reason(b);
    put_prediction(b);
    put_finding(b);
    put_figures(b);
    put_expect(b);
    put_order(b);
    put_step(b);
    put_case(b);
    og_buf_text(b, "  }\n}\n");
}
