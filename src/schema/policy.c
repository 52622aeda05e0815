/*
 * Writes the JSON Schema of policies, for editors: keys, choices, bounds and help, from the register.  It accepts all
 * that the loader accepts, and more: expressions, patterns, locks and bounds of texts with a unit are checked by loader
 * and lint.
 */
#include "policy/policy.h"

#include "ordergate/rules.h"
#include "policy/overrides.h"
#include "schema/schema.h"

#define TEXT_TYPES OG_SCHEMA_TEXT
#define DURATION   "^[0-9]+(ms|s|m|h)$"
#define LASTING    "^0*[1-9][0-9]*(ms|s|m|h)$" /* greater than zero */
#define INSTANT                                                                                                \
    "^[0-9]{4}-(0[1-9]|1[0-2])-(0[1-9]|[12][0-9]|3[01])[Tt]([01][0-9]|2[0-3]):[0-5][0-9]:[0-9]{2}([.][0-9]+)?" \
    "([Zz]|[+-][0-9]{2}:[0-9]{2})$"
#define ID        "^[a-z][a-z0-9]*(-[a-z0-9]+)*$"
#define LIST_NAME "^[A-Za-z_][A-Za-z0-9_]*$"
#define LEVELS    "[\"off\", \"info\", \"warn\", \"refuse\"]"

static void put_text(struct og_buf *b, const char *key, const char *text)
{
    og_buf_format(b, "\"%s\": ", key);
    og_buf_json_str(b, og_str_of(text));
}

/* "description": help, default, bounds that a pattern cannot express, and direction. */
static void put_help(struct og_buf *b, const struct og_param *p)
{
    struct og_buf text;

    og_buf_init(&text, 0);
    og_buf_text(&text, p->help);
    if (p->fallback)
        og_buf_format(&text, "; default %s", p->fallback[0] ? p->fallback : "none");
    if (p->kind == OG_PARAM_DURATION || p->kind == OG_PARAM_BPS) {
        if (p->least)
            og_buf_format(&text, "; least %s", p->least);
        if (p->most)
            og_buf_format(&text, "; most %s", p->most);
    }
    if (p->tighter)
        og_buf_format(&text, "; %s is stricter",
                      p->kind == OG_PARAM_CHOICE
                          ? (p->tighter == OG_TIGHTER_HIGHER ? "a later choice" : "an earlier one")
                      : p->tighter == OG_TIGHTER_HIGHER ? "higher"
                                                        : "lower");
    if (text.bad)
        b->bad = true;
    else
        put_text(b, "description", text.s);
    og_buf_clear(&text);
}

static void put_words_of(struct og_buf *b, const char *text)
{
    og_buf_char(b, '[');
    for (const char *at = text; *at;) {
        size_t len = strcspn(at, ",");

        og_buf_text(b, at == text ? "" : ", ");
        og_buf_json_str(b, (struct og_str){ at, len });
        at += len;
        at += strspn(at, ", ");
    }
    og_buf_char(b, ']');
}

/* An example: the default as a policy would write it, or a typical value. */
static void put_example(struct og_buf *b, const struct og_param *p)
{
    static const char *const own[] = { [OG_PARAM_INT] = "100",
                                       [OG_PARAM_MONEY] = "50000",
                                       [OG_PARAM_BPS] = "\"5%\"",
                                       [OG_PARAM_DURATION] = "\"5s\"",
                                       [OG_PARAM_WORDS] = "[\"AAPL\"]" };
    const char *value = p->fallback;

    og_buf_text(b, ", \"examples\": [");
    if (p->kind == OG_PARAM_WORDS && value && value[0])
        put_words_of(b, value);
    else if (!value || p->kind == OG_PARAM_WORDS)
        og_buf_text(b, p->kind == OG_PARAM_CHOICE ? "" : own[p->kind]);
    else if (p->kind == OG_PARAM_INT || p->kind == OG_PARAM_MONEY)
        og_buf_text(b, value);
    else
        og_buf_json_str(b, og_str_of(value));
    og_buf_char(b, ']');
}

static void put_bounds(struct og_buf *b, const struct og_param *p)
{
    if (p->least)
        og_buf_format(b, ", \"minimum\": %s", p->least);
    if (p->most)
        og_buf_format(b, ", \"maximum\": %s", p->most);
}

static bool is_ten_power(const char *percent, int *zeros)
{
    *zeros = (int)strspn(percent + 1, "0");
    return percent[0] == '1' && strcmp(percent + 1 + *zeros, "%") == 0;
}

/* A percentage with two decimals.  The upper bound is expressed if it is a power of ten, as all are. */
static void put_percent(struct og_buf *b, const struct og_param *p)
{
    const char *sign = p->least && p->least[0] != '-' ? "" : "-?";
    int zeros;

    og_buf_text(b, ", \"type\": \"string\", \"pattern\": \"^");
    if (p->most && is_ten_power(p->most, &zeros))
        og_buf_format(b, "(%s0*[0-9]{1,%d}([.][0-9]{1,2}0*)?|0*1%.*s([.]0+)?)%%$\"", sign, zeros, zeros, p->most + 1);
    else
        og_buf_format(b, "%s[0-9]+([.][0-9]{1,2}0*)?%%$\"", sign);
}

static void put_param(struct og_buf *b, const struct og_param *p)
{
    og_buf_format(b, "\"%s\": {", p->key);
    put_help(b, p);
    switch (p->kind) {
    case OG_PARAM_INT:
    case OG_PARAM_MONEY:
        og_buf_text(b, p->kind == OG_PARAM_INT ? ", \"type\": \"integer\"" : ", \"type\": \"number\"");
        put_bounds(b, p);
        break;
    case OG_PARAM_BPS: put_percent(b, p); break;
    case OG_PARAM_DURATION:
        og_buf_format(b, ", \"type\": \"string\", \"pattern\": \"%s\"",
                      p->least && p->least[0] != '0' ? LASTING : DURATION);
        break;
    case OG_PARAM_WORDS: og_buf_text(b, ", \"type\": \"array\", \"items\": {" TEXT_TYPES ", \"minLength\": 1}"); break;
    case OG_PARAM_CHOICE:
        og_buf_text(b, ", \"enum\": [");
        for (size_t i = 0; p->choices[i]; i++) {
            og_buf_text(b, i ? ", " : "");
            og_buf_json_str(b, og_str_of(p->choices[i]));
        }
        og_buf_char(b, ']');
        break;
    }
    put_example(b, p);
    og_buf_char(b, '}');
}

/* Keys that a rule and its overrides may have. */
static void put_settings(struct og_buf *b, const struct og_rule *rule, const char *indent)
{
    const char *comma = "";

    og_buf_format(
        b,
        "%s\"level\": {\"$ref\": \"#/$defs/%s\"},\n%s\"unsure\": {\"$ref\": \"#/$defs/unsure\"},\n"
        "%s\"mode\": {\"$ref\": \"#/$defs/mode\"},\n%s\"reasons\": {\"description\": \"levels of single reasons\", "
        "\"type\": \"object\", \"additionalProperties\": false, \"properties\": {",
        indent, rule->locked ? "locked" : "level", indent, indent, indent);
    for (const struct og_reason *r = rule->reasons; r->id; r++) {
        og_buf_format(b, "%s\"%s\": {\"$ref\": \"#/$defs/level\"}", comma, r->id);
        comma = ", ";
    }
    og_buf_text(b, "}}");
    for (const struct og_param *p = rule->params; p && p->key; p++) {
        og_buf_format(b, ",\n%s", indent);
        put_param(b, p);
    }
}

static void put_rule(struct og_buf *b, const struct og_rule *rule)
{
    struct og_buf about;

    og_buf_init(&about, 0);
    og_buf_format(&about, "%s; without it: %s", rule->summary, rule->because);
    og_buf_format(b, "        \"%s\": {\n          ", rule->id);
    put_text(b, "description", about.bad ? "" : about.s);
    b->bad |= about.bad;
    og_buf_clear(&about);
    og_buf_format(b,
                  ",\n          \"anyOf\": [{\"$ref\": \"#/$defs/%s\"}, {\n            \"type\": \"object\",\n"
                  "            \"additionalProperties\": false,\n            \"properties\": {\n",
                  rule->locked ? "locked" : "level");
    put_settings(b, rule, "              ");
    og_buf_text(
        b,
        ",\n              \"lock\": {\"$ref\": \"#/$defs/lock\"},\n              \"overrides\": {\n"
        "                \"description\": \"for some orders, the first match wins\",\n"
        "                \"type\": \"array\",\n                \"items\": {\n                  \"type\": \"object\",\n"
        "                  \"additionalProperties\": false,\n"
        "                  \"anyOf\": [{\"required\": [\"match\"]}, {\"required\": [\"when\"]}, {\"required\": "
        "[\"until\"]}],\n"
        "                  \"dependentRequired\": {\"until\": [\"reason\"], \"reason\": [\"until\"]},\n"
        "                  \"properties\": {\n                    \"match\": {\"$ref\": \"#/$defs/match\"},\n"
        "                    \"when\": {\"$ref\": \"#/$defs/expression\"},\n"
        "                    \"until\": {\"$ref\": \"#/$defs/until\"},\n"
        "                    \"reason\": {\"$ref\": \"#/$defs/reason\"},\n");
    put_settings(b, rule, "                    ");
    og_buf_text(b, "\n                  }\n                }\n              }\n            }\n          }]\n        }");
}

static void put_rules(struct og_buf *b)
{
    og_buf_text(b, "    \"rules\": {\n      \"description\": \"by id: a level, or a level with settings\",\n"
                   "      \"type\": \"object\",\n      \"additionalProperties\": false,\n      \"properties\": {\n");
    for (size_t i = 0; i < og_rules_size; i++) {
        put_rule(b, og_rules[i]);
        og_buf_text(b, i + 1 < og_rules_size ? ",\n" : "\n");
    }
    og_buf_text(b, "      }\n    },\n");
}

/* Ids of rules and reasons of the register cannot be ids of custom rules. */
static void put_reserved_ids(struct og_buf *b)
{
    og_buf_text(b, "\"not\": {\"enum\": [");
    for (size_t i = 0; i < og_rules_size; i++) {
        og_buf_format(b, "%s\"%s\"", i ? ", " : "", og_rules[i]->id);
        for (const struct og_reason *r = og_rules[i]->reasons; r->id; r++)
            og_buf_format(b, ", \"%s\"", r->id);
    }
    og_buf_text(b, "]}");
}

static void put_custom(struct og_buf *b)
{
    og_buf_text(
        b, "    \"custom\": {\n      \"description\": \"custom rules, by expressions (ordergate-expressions(7))\",\n"
           "      \"type\": \"array\",\n      \"items\": {\n        \"type\": \"object\",\n"
           "        \"additionalProperties\": false,\n        \"required\": [\"id\"],\n"
           "        \"dependentRequired\": {\"until\": [\"reason\"], \"reason\": [\"until\"]},\n"
           "        \"properties\": {\n          \"id\": {\"description\": \"its id in findings\", \"type\": "
           "\"string\", "
           "\"pattern\": \"" ID "\", \"examples\": [\"no-cheap-shorts\"], ");
    put_reserved_ids(b);
    og_buf_text(
        b, "},\n          \"when\": {\"$ref\": \"#/$defs/expression\"},\n"
           "          \"require\": {\"$ref\": \"#/$defs/expression\"},\n"
           "          \"level\": {\"$ref\": \"#/$defs/level\"},\n"
           "          \"unsure\": {\"$ref\": \"#/$defs/unsure\"},\n"
           "          \"mode\": {\"$ref\": \"#/$defs/mode\"},\n"
           "          \"lock\": {\"$ref\": \"#/$defs/lock\"},\n"
           "          \"message\": {\"description\": \"what a finding says; {expression} stands for its "
           "value\", " TEXT_TYPES
           ", \"minLength\": 1, \"examples\": [\"short of {order.symbol} below 5.00 (limit {order.limitPrice})\"]},\n"
           "          \"help\": {\"description\": \"what to do\", " TEXT_TYPES ", \"minLength\": 1},\n"
           "          \"until\": {\"$ref\": \"#/$defs/until\"},\n          \"reason\": {\"$ref\": \"#/$defs/reason\"}\n"
           "        }\n      }\n    }\n");
}

static void put_ages(struct og_buf *b)
{
    const char *comma = "";

    og_buf_text(
        b,
        "    \"max_age\": {\n      \"description\": \"how old facts may be; rules that need older ones are unsure\",\n"
        "      \"type\": \"object\",\n      \"additionalProperties\": false,\n      \"properties\": {");
    for (int kind = 0; kind < OG_FACT_KINDS; kind++) {
        if (1U << kind == OG_FACT_ENVIRONMENT)
            continue;
        og_buf_format(b, "%s\"%s\": {\"$ref\": \"#/$defs/age\"}", comma, og_fact_name((enum og_fact)(1U << kind)));
        comma = ", ";
    }
    og_buf_text(b, "}\n    },\n");
}

static void put_one_or_more(struct og_buf *b, const char *key, const char *const *words, const char *end)
{
    struct og_buf choices;

    og_buf_init(&choices, 0);
    for (size_t i = 1; words[i]; i++)
        og_buf_format(&choices, "%s\"%s\"", i > 1 ? ", " : "", words[i]);
    b->bad |= choices.bad;
    og_buf_format(
        b,
        "        \"%s\": {\"anyOf\": [{\"enum\": [%s]}, {\"type\": \"array\", \"minItems\": 1, \"items\": {\"enum\": "
        "[%s]}}]}%s\n",
        key, choices.bad ? "" : choices.s, choices.bad ? "" : choices.s, end);
    og_buf_clear(&choices);
}

static void put_defs(struct og_buf *b)
{
    const char *name;

    og_buf_text(
        b, "  \"$defs\": {\n"
           "    \"level\": {\"description\": \"the highest level of a finding: off, not made; info and warn, noted; "
           "refuse, the order is not sent\", \"enum\": " LEVELS "},\n"
           "    \"locked\": {\"description\": \"no policy weakens this rule\", \"const\": \"refuse\"},\n"
           "    \"base\": {\"anyOf\": [{\"enum\": [");
    for (size_t i = 0; (name = og_policy_shipped(i)); i++)
        og_buf_format(b, "%s\"%s\"", i ? ", " : "", name);
    og_buf_text(
        b,
        "]}, {\"description\": \"a file\", \"type\": \"string\", \"pattern\": \"/|[.]ya?ml$\"}]},\n"
        "    \"unsure\": {\"description\": \"what happens to an order if a fact that decides it is missing\", "
        "\"enum\": [\"warn\", \"refuse\"]},\n"
        "    \"mode\": {\"description\": \"enforce: findings count; warn: what would refuse, warns; shadow: findings "
        "are listed apart and do not count\", \"enum\": [\"enforce\", \"warn\", \"shadow\"]},\n"
        "    \"lock\": {\"description\": \"later layers may tighten, never loosen\", \"type\": \"boolean\"},\n"
        "    \"age\": {\"anyOf\": [{\"const\": \"any\"}, {\"type\": \"string\", \"pattern\": \"" LASTING
        "\"}], \"examples\": [\"2s\", \"any\"]},\n"
        "    \"until\": {\"description\": \"from this instant on it has no effect\", \"type\": \"string\", "
        "\"format\": \"date-time\", \"pattern\": \"" INSTANT "\", \"examples\": [\"2026-12-01T16:00:00-05:00\"]},\n"
        "    \"reason\": {\"description\": \"why this is temporary, and who asked for it\", " TEXT_TYPES
        ", \"minLength\": 1},\n"
        "    \"expression\": {\"description\": \"see ordergate-expressions(7)\", " TEXT_TYPES
        ", \"minLength\": 1, \"examples\": [\"order.symbol in lists.meme && session.open\"]},\n"
        "    \"match\": {\n      \"description\": \"which orders; every part given must match\",\n"
        "      \"type\": \"object\",\n      \"additionalProperties\": false,\n      \"properties\": {\n"
        "        \"symbol\": {\"description\": \"a pattern for the whole symbol\", " TEXT_TYPES
        ", \"minLength\": 1, \"examples\": [\"^(SPY|QQQ)$\"]},\n"
        "        \"account\": {\"description\": \"a pattern for the whole account id\", " TEXT_TYPES
        ", \"minLength\": 1},\n");
    put_one_or_more(b, "securityType", og_match_securities, ",");
    put_one_or_more(b, "side", og_match_sides, ",");
    put_one_or_more(b, "orderType", og_match_types, "");
    og_buf_text(b, "      }\n    }\n  }\n}\n");
}

void og_schema_policy(struct og_buf *b)
{
    og_buf_text(
        b, OG_SCHEMA_BEGIN
        "  \"title\": \"ordergate policy\",\n"
        "  \"description\": \"Which rules apply to orders, how strongly, and with which settings.\",\n"
        "  \"type\": \"object\",\n  \"required\": [\"ordergate\"],\n  \"additionalProperties\": false,\n"
        "  \"properties\": {\n"
        "    \"ordergate\": {\"description\": \"the format\", \"const\": 1},\n"
        "    \"name\": {\"description\": \"its name in decisions\", " TEXT_TYPES
        ", \"pattern\": \"^[A-Za-z0-9._+-]{1,64}$\"},\n"
        "    \"description\": {\"description\": \"what it is for\", " TEXT_TYPES "},\n"
        "    \"extends\": {\"description\": \"the policies under it, later ones win: shipped policies, and files "
        "beside this "
        "one; "
        "without it: default\", \"anyOf\": [{\"$ref\": \"#/$defs/base\"}, {\"type\": \"array\", \"items\": {"
        "\"$ref\": \"#/$defs/base\"}}], \"examples\": [[\"live\"], [\"firm.yaml\"], []]},\n"
        "    \"unsure\": {\"$ref\": \"#/$defs/unsure\"},\n"
        "    \"mode\": {\"$ref\": \"#/$defs/mode\"},\n"
        "    \"environment\": {\"description\": \"what the account must be\", \"enum\": [\"paper\", \"live\"]},\n");
    put_ages(b);
    og_buf_text(
        b,
        "    \"lists\": {\n      \"description\": \"words by a name, for expressions: lists.meme\",\n"
        "      \"type\": \"object\",\n      \"propertyNames\": {\"pattern\": \"" LIST_NAME "\", \"not\": {\"enum\": "
        "[\"true\", \"false\", \"null\", \"in\"]}},\n"
        "      \"additionalProperties\": {\"anyOf\": [{\"type\": \"array\", \"items\": {" TEXT_TYPES
        ", \"minLength\": 1}}, {\"type\": \"object\", \"additionalProperties\": false, \"required\": [\"file\"], "
        "\"properties\": {\"file\": {\"description\": \"one word on each line, # comments; relative to this policy\", "
        "\"type\": \"string\", \"minLength\": 1}}}]},\n"
        "      \"examples\": [{\"meme\": [\"GME\", \"AMC\"], \"hard\": {\"file\": \"hard-to-borrow.txt\"}}]\n    },\n");
    put_rules(b);
    put_custom(b);
    og_buf_text(b, "  },\n");
    put_defs(b);
}
