/*
 * Explains a rule, a reason, a reject code of the broker, a lint code, a name of expressions or a custom rule.  All
 * texts come from the register of rules, the pages of lint and the table of names.
 */
#include "ordergate/explain.h"

#include <ctype.h>
#include <stdio.h>

#include "base/buf.h"
#include "base/error.h"
#include "ordergate/expressions.h"
#include "ordergate/lint.h"
#include "ordergate/rules.h"

enum { WIDTH = 100 };

/* Write a label, and then text in lines of WIDTH columns, each indented by `indent` blanks. */
static void put(struct og_buf *b, int indent, const char *label, const char *text)
{
    size_t col = (size_t)indent + strlen(label);
    const char *blank = label[0] ? " " : "";

    og_buf_format(b, "%*s%s", indent, "", label);
    while (*text) {
        size_t len = strcspn(text, " ");

        if (blank[0] && col + 1 + len > WIDTH) {
            og_buf_format(b, "\n%*s", indent + 2, "");
            col = (size_t)indent + 2;
            blank = "";
        }
        og_buf_text(b, blank);
        og_buf_bytes(b, text, len);
        col += strlen(blank) + len;
        blank = " ";
        text += len;
        text += strspn(text, " ");
    }
    og_buf_char(b, '\n');
}

static void put_prediction(struct og_buf *b, const struct og_prediction *p)
{
    char text[400];

    if (p->channel == OG_CHANNEL_NONE) {
        put(b, 4, "Predicts:", "nothing; the broker may well accept the order");
        return;
    }
    snprintf(text, sizeof text, "%s%s%s%s%s (%s)", og_channel_name(p->channel), p->code ? " " : "",
             p->code ? p->code : "", p->codes[0] && p->codes[1] ? " or " : "",
             p->codes[0] && p->codes[1] ? p->codes[1] : "",
             p->certainty == OG_STATED ? "as the service document states"
                                       : "our reading; the document is silent or ambiguous");
    put(b, 4, "Predicts:", text);
    if (p->text)
        put(b, 4, "Body:", p->text);
}

static void put_reason(struct og_buf *b, const struct og_reason_info *r)
{
    put(b, 2, "", r->id);
    put(b, 4, "Level:", og_level_name(r->level));
    put(b, 4, "Undecided:", r->undecided == OG_LEVEL_OFF ? "silent" : og_level_name(r->undecided));
    if (r->spares_exits)
        put(b, 4, "Exits:", "at most warn for an order that only reduces what is held, whatever the level");
    put_prediction(b, &r->predicts);
    put(b, 4, "Says:", r->says);
    if (r->help)
        put(b, 4, "Help:", r->help);
    if (r->where)
        put(b, 4, "Where:", r->where);
}

static void put_setting(struct og_buf *b, const struct og_setting_info *s)
{
    char text[600];
    int n = snprintf(text, sizeof text, "%s, default %s", s->kind,
                     !s->fallback     ? "none (must be given)"
                     : s->fallback[0] ? s->fallback
                                      : "empty");

    if (s->least && n > 0 && (size_t)n < sizeof text)
        n += snprintf(text + n, sizeof text - (size_t)n, ", at least %s", s->least);
    if (s->most && n > 0 && (size_t)n < sizeof text)
        n += snprintf(text + n, sizeof text - (size_t)n, ", at most %s", s->most);
    for (int i = 0; s->choices && s->choices[i] && n > 0 && (size_t)n < sizeof text; i++)
        n += snprintf(text + n, sizeof text - (size_t)n, "%s%s", i ? " or " : ", one of ", s->choices[i]);
    if (s->tighter && n > 0 && (size_t)n < sizeof text)
        snprintf(text + n, sizeof text - (size_t)n, ", %s is stricter", s->tighter);
    put(b, 2, "", s->key);
    put(b, 4, "Is:", s->help);
    put(b, 4, "Kind:", text);
}

static void explain_rule(struct og_buf *b, const struct og_rule *r)
{
    struct og_setting_info setting;
    struct og_reason_info reason;

    og_buf_format(b, "%s (rule %d, stage %s)\n\n", og_rule_id(r), og_rule_code(r), og_rule_stage(r));
    put(b, 0, "Finds:", og_rule_summary(r));
    put(b, 0, "Why:", og_rule_because(r));
    for (size_t i = 0; og_rule_subject(r, i); i++)
        og_buf_format(b, "%s%s%s", i ? ", " : "Decides: ", og_rule_subject(r, i),
                      og_rule_subject(r, i + 1) ? "" : " requests\n");
    if (og_rule_is_locked(r))
        put(b, 0, "Locked:", "no policy can weaken it or turn it off");
    if (!og_rule_may_be_waived(r))
        put(b, 0, "Waivers:", "none lets an order through it");
    for (size_t i = 0; og_rule_reads(r, i); i++)
        og_buf_format(b, "%s%s", i ? ", " : "Facts: ", og_rule_reads(r, i));
    og_buf_text(b, og_rule_reads(r, 0) ? "\n" : "Facts: none, the order alone decides\n");
    for (size_t i = 0; og_rule_setting(r, i, &setting); i++) {
        if (i == 0)
            og_buf_text(b, "\nSettings\n");
        put_setting(b, &setting);
    }
    og_buf_text(b, "\nReasons\n");
    for (size_t i = 0; og_rule_reason(r, i, &reason); i++)
        put_reason(b, &reason);
    og_buf_format(b, "\nIn a policy:\n  rules:\n    %s: refuse   # %s\n", og_rule_id(r),
                  og_rule_is_locked(r) ? "the only level that this rule may have"
                                       : "the highest level of its findings: refuse, warn, info, off");
}

static bool explain_reason(struct og_buf *b, const char *id)
{
    struct og_reason_info reason;
    const struct og_rule *r;

    for (size_t i = 0; (r = og_rules_at(i)); i++)
        for (size_t k = 0; og_rule_reason(r, k, &reason); k++)
            if (strcmp(reason.id, id) == 0) {
                og_buf_format(b, "%s (a reason of rule %s)\n\n", id, og_rule_id(r));
                put(b, 0, "Finds:", og_rule_summary(r));
                put(b, 0, "Why:", og_rule_because(r));
                put_reason(b, &reason);
                og_buf_format(b, "\nIn a policy:\n  rules:\n    %s:\n      reasons: {%s: %s}\n", og_rule_id(r), id,
                              og_level_name(reason.level));
                return true;
            }
    return false;
}

static bool predicts_code(const struct og_prediction *p, const char *code)
{
    if (p->code && strcmp(p->code, code) == 0)
        return true;
    for (int i = 0; i < 3 && p->codes[i]; i++)
        if (strcmp(p->codes[i], code) == 0)
            return true;
    return false;
}

static bool explain_code(struct og_buf *b, const char *word)
{
    struct og_reason_info reason;
    const struct og_rule *r;
    char code[16];
    bool any = false;

    snprintf(code, sizeof code, "%s", word);
    code[0] = (char)toupper((unsigned char)code[0]);
    if (!og_reject_code_meaning(code))
        return false;
    og_buf_format(b, "%s: %s\n\n", code, og_reject_code_meaning(code));
    for (size_t i = 0; (r = og_rules_at(i)); i++)
        for (size_t k = 0; og_rule_reason(r, k, &reason); k++)
            if (predicts_code(&reason.predicts, code)) {
                og_buf_text(b, any ? "\n" : "Predicted by\n");
                any = true;
                og_buf_format(b, "  %s (rule %s)\n", reason.id, og_rule_id(r));
                put(b, 4, "Says:", reason.says);
                put_prediction(b, &reason.predicts);
            }
    if (!any)
        og_buf_text(b, "No rule predicts it: it cannot be known before the order is sent.\n");
    return true;
}

static void put_example(struct og_buf *b, const char *title, const char *yaml)
{
    og_buf_format(b, "\n%s\n", title);
    while (yaml && *yaml) {
        size_t len = strcspn(yaml, "\n");

        og_buf_format(b, "  %.*s\n", (int)len, yaml);
        yaml += len + (yaml[len] == '\n');
    }
}

static bool explain_lint(struct og_buf *b, const char *code)
{
    struct og_lint_page page;

    if (!og_lint_page_of(code, &page))
        return false;
    og_buf_format(b, "%s (%s of lint%s)\n\n", code, page.severity == OG_ERROR ? "an error" : "a warning",
                  page.fixes ? "; --fix may repair it" : "");
    put(b, 0, "Finds:", page.summary);
    og_buf_format(b, "\n%s", page.why);
    if (page.why[0] && page.why[strlen(page.why) - 1] != '\n')
        og_buf_char(b, '\n');
    if (page.bad) {
        put_example(b, "Found in", page.bad);
        put_example(b, "As it should be", page.good);
    }
    if (page.severity == OG_WARNING)
        og_buf_format(
            b, "\nSilenced on its line, or alone on the line above, by\n  # ordergate-lint: ignore %s - REASON\n",
            code);
    return true;
}

static void put_name(struct og_buf *b, const struct og_name_info *n)
{
    char text[200];

    snprintf(text, sizeof text, "%s%s%s", n->type, n->unit[0] ? ", " : "", n->unit);
    put(b, 2, "", n->name);
    put(b, 4, "Is:", n->help);
    put(b, 4, "Type:", text);
    for (size_t i = 0; n->facts[i]; i++)
        og_buf_format(b, "%s%s", i ? ", " : "    Facts: ", n->facts[i]);
    if (n->facts[0])
        og_buf_char(b, '\n');
}

/* Describe one name of expressions, such as order.limitPrice, or all names of a group, such as order. */
static bool explain_name(struct og_buf *b, const char *word)
{
    struct og_name_info n;
    size_t len = strlen(word);
    bool any = false;

    for (size_t i = 0; og_expression_name(i, &n); i++) {
        if (strncmp(n.name, word, len) != 0 || (n.name[len] && n.name[len] != '.'))
            continue;
        if (!any)
            og_buf_format(b, "%s (a name of expressions, see ordergate-expressions(7))\n\n", word);
        put_name(b, &n);
        any = true;
    }
    return any;
}

static void put_given(struct og_buf *b, const char *label, const char *text)
{
    if (text[0])
        put(b, 0, label, text);
}

static void put_custom(struct og_buf *b, const struct og_policy *policy, const struct og_custom_info *c)
{
    char text[400];

    og_buf_format(b, "%s (a rule of policy %s, %s:%d:%d)\n\n", c->id, og_policy_name(policy), c->file, c->line, c->col);
    put_given(b, "When:", c->when);
    put(b, 0, "Requires:", c->require);
    put_given(b, "Says:", c->message);
    put_given(b, "Help:", c->help);
    snprintf(text, sizeof text, "%s, mode %s, unsure: %s%s", og_level_name(c->level), c->mode, c->unsure,
             c->locked ? ", locked: later layers cannot loosen it" : "");
    put(b, 0, "Level:", text);
    if (c->until != OG_TIME_UNKNOWN) {
        snprintf(text, sizeof text, "%s, %s", og_time_text(c->until).s, c->reason);
        put(b, 0, "Until:", text);
    }
    for (size_t i = 0; c->facts[i]; i++)
        og_buf_format(b, "%s%s", i ? ", " : "Facts: ", c->facts[i]);
    og_buf_text(b, c->facts[0] ? "\n" : "Facts: none, the order alone decides\n");
}

static bool explain_custom(struct og_buf *b, const struct og_policy *policy, const char *id)
{
    struct og_custom_info c;

    for (size_t i = 0; policy && og_policy_custom(policy, i, &c); i++)
        if (strcmp(c.id, id) == 0) {
            put_custom(b, policy, &c);
            return true;
        }
    return false;
}

static void append(struct og_buf *b, const struct og_policy *policy, const char *word)
{
    const struct og_rule *rule = og_rules_find(word);

    if (rule)
        explain_rule(b, rule);
    else if (!explain_reason(b, word) && !explain_code(b, word) && !explain_lint(b, word) && !explain_name(b, word))
        (void)explain_custom(b, policy, word);
}

enum og_status og_explain(const char *word, const struct og_policy *policy, char **text, struct og_error *err)
{
    struct og_buf b;

    if (!word || !text)
        return og_missing(err);
    *text = NULL;
    og_buf_init(&b, 0);
    append(&b, policy, word);
    if (!b.bad && b.len == 0)
        return og_fail(err, OG_ENOENT, "there is no rule, reason, code or name '%.60s'", word);
    if (!b.bad) {
        *text = b.s;
        return OG_OK;
    }
    og_buf_clear(&b);
    return og_fail(err, OG_ENOMEM, "out of memory");
}
