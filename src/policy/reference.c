/*
 * reference.yaml: every rule and every setting at its default, with comments that are made from the rules' descriptors
 * alone.
 */
#include <string.h>

#include "policy/rule_entry.h"
#include "policy/show.h"

#define WIDTH 110

/* Write the text as comment lines of at most WIDTH columns; each line begins with `indent`. */
static void put_comment(struct og_buf *b, const char *indent, const char *text)
{
    size_t room = WIDTH - strlen(indent);

    while (text && *text) {
        size_t len = strlen(text), cut = len;

        if (len > room) {
            for (cut = room; cut > 0 && text[cut] != ' ';)
                cut--;
            if (cut == 0)
                cut = strcspn(text, " ");
        }
        og_buf_format(b, "%s# %.*s\n", indent, (int)cut, text);
        text += cut;
        while (*text == ' ')
            text++;
    }
}

static void put_reason_comment(struct og_buf *b, const struct og_rule *rule)
{
    struct og_buf line;

    og_buf_init(&line, 0);
    og_buf_text(&line, "Reasons: ");
    for (size_t i = 0; i < rule->reason_count; i++)
        og_buf_format(&line, "%s%s (%s)", i ? ", " : "", rule->reasons[i].id, og_level_name(rule->reasons[i].level));
    b->bad = b->bad || line.bad;
    put_comment(b, "  ", line.s);
    og_buf_clear(&line);
}

static void put_param(struct og_buf *b, const struct og_rule *rule, size_t i)
{
    const struct og_param *p = &rule->params[i];
    struct og_setting_info info;
    struct og_buf line;

    if (!og_rule_setting(rule, i, &info))
        return;
    og_buf_init(&line, 0);
    og_buf_format(&line, "%s (%s", p->help, info.kind);
    if (p->least)
        og_buf_format(&line, ", at least %s", p->least);
    if (p->most)
        og_buf_format(&line, ", at most %s", p->most);
    for (size_t k = 0; p->choices && p->choices[k]; k++)
        og_buf_format(&line, "%s%s", k ? ", " : ": ", p->choices[k]);
    if (info.tighter)
        og_buf_format(&line, "; %s is stricter", info.tighter);
    og_buf_char(&line, ')');
    b->bad = b->bad || line.bad;
    put_comment(b, "    ", line.s);
    og_buf_clear(&line);
    if (!p->fallback)
        og_buf_format(b, "    # %s: no default, the policy must give it\n", p->key);
    else if (p->kind == OG_PARAM_WORDS)
        og_buf_format(b, "    %s: [%s]\n", p->key, p->fallback);
    else
        og_buf_format(b, "    %s: %s\n", p->key, p->fallback);
}

static void put_rule(struct og_buf *b, const struct og_rule *rule)
{
    bool complete = !rule->limit;

    og_buf_format(b, "\n  # %d: %s.\n", rule->code, rule->summary);
    put_comment(b, "  ", rule->because);
    put_reason_comment(b, rule);
    for (size_t i = 0; i < rule->param_count; i++)
        complete = complete && rule->params[i].fallback;
    og_buf_format(b, "  %s:%s\n    level: %s\n", rule->id, rule->locked ? " # cannot be weakened" : "",
                  complete ? "refuse" : "off");
    for (size_t i = 0; i < rule->param_count; i++)
        put_param(b, rule, i);
}

static void put_reference(struct og_buf *b)
{
    og_buf_text(
        b,
        "# yaml-language-server: $schema=../include/ordergate/schema/policy.json\n"
        "# Every rule and every setting at its default.  Made by `ordergate policy defaults`; do not edit.\n"
        "#\n"
        "# A level is the most a finding may weigh: refuse, warn, info, or off.  A finding never weighs more than its\n"
        "# reason does, unless `reasons: {its-id: level}` in the rule says so.  `unsure` is what becomes of a finding\n"
        "# that cannot be decided because a fact is missing or too old: warn, or refuse.\n"
        "ordergate: 1\n"
        "name: reference\n"
        "description: every rule and every setting at its default\n"
        "extends: []\n"
        "unsure: warn\n"
        "# Whether limits also apply to orders that only reduce what is held: pass, or bind; a rule may say "
        "otherwise.\n"
        "exits: pass\n"
        "\n"
        "# How old a fact may be; any: it does not matter.\n");
    og_show_ages(b, NULL);
    og_buf_text(b, "\nrules:");
    for (size_t i = 0; i < og_rules_size; i++)
        put_rule(b, og_rules[i]);
}

enum og_status og_policy_reference(char *to, size_t size, size_t *len)
{
    struct og_buf b;

    if (!len)
        return OG_EINVAL;
    og_buf_init(&b, 0);
    put_reference(&b);
    return og_show_out(&b, to, size, len);
}
