/*
 * ordergate explain: describes a rule, a reason, a reject code of the broker, a lint code, a name of expressions or a
 * custom rule.  All texts come from the register of rules, the pages of lint and the table of names.
 */
#include <ctype.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "ordergate/ordergate.h"
#include "tools/common/commands.h"
#include "tools/common/exit.h"
#include "tools/common/messages.h"
#include "tools/common/options.h"
#include "tools/common/reload.h"

enum { WIDTH = 100, WORDS_MOST = 1000 };

struct asked {
    struct option_list policies;
};

static const struct option_row rows[] = {
    OPTION_ROW("policy", 'p', "POLICY", LIST_AT(struct asked, policies, OPTION_LIST_MOST),
               "shipped policy or file; several: later ones override earlier ones"),
    OPTION_END,
};

static const struct option_spec spec = {
    .program = "ordergate explain",
    .synopsis = "[-p POLICY]... RULE|REASON|R-CODE|LINT-CODE|NAME...",
    .about = "Explains a rule, a reason a finding may give, a reject code of the broker, a code of lint, or a name of "
             "expressions (order.notional; order: all its names); with -p also a rule of the policy's own.\n"
             "\n"
             "  ordergate explain market-outside-hours R78\n"
             "  ordergate explain -p desk.yaml no-cheap-shorts\n",
    .rows = rows,
    .exits = "0 done, 1 nothing of that name, 2 usage, 3 a policy cannot be used, 4 cannot write",
};

/* Print a label, and then text in lines of WIDTH columns, each indented by `indent` blanks. */
static void put(int indent, const char *label, const char *text)
{
    size_t col = (size_t)printf("%*s%s", indent, "", label);
    const char *blank = label[0] ? " " : "";

    while (*text) {
        size_t len = strcspn(text, " ");

        if (blank[0] && col + 1 + len > WIDTH) {
            col = (size_t)printf("\n%*s", indent + 2, "") - 1;
            blank = "";
        }
        col += (size_t)printf("%s%.*s", blank, (int)len, text);
        blank = " ";
        text += len;
        text += strspn(text, " ");
    }
    putchar('\n');
}

static void put_prediction(const struct og_prediction *p)
{
    char text[400];

    if (p->channel == OG_CHANNEL_NONE) {
        put(4, "Predicts:", "nothing; the broker may well accept the order");
        return;
    }
    snprintf(text, sizeof text, "%s%s%s%s%s (%s)", og_channel_name(p->channel), p->code ? " " : "",
             p->code ? p->code : "", p->codes[0] && p->codes[1] ? " or " : "",
             p->codes[0] && p->codes[1] ? p->codes[1] : "",
             p->certainty == OG_STATED ? "as the service document states"
                                       : "our reading; the document is silent or ambiguous");
    put(4, "Predicts:", text);
    if (p->text)
        put(4, "Body:", p->text);
}

static void put_reason(const struct og_reason_info *r)
{
    put(2, "", r->id);
    put(4, "Level:", og_level_name(r->level));
    put(4, "Undecided:", r->undecided == OG_LEVEL_OFF ? "silent" : og_level_name(r->undecided));
    put_prediction(&r->predicts);
    put(4, "Says:", r->says);
    if (r->help)
        put(4, "Help:", r->help);
    if (r->where)
        put(4, "Where:", r->where);
}

static void put_setting(const struct og_setting_info *s)
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
    put(2, "", s->key);
    put(4, "Is:", s->help);
    put(4, "Kind:", text);
}

static void explain_rule(const struct og_rule *r)
{
    struct og_setting_info setting;
    struct og_reason_info reason;

    printf("%s (rule %d, stage %s)\n\n", og_rule_id(r), og_rule_code(r), og_rule_stage(r));
    put(0, "Finds:", og_rule_summary(r));
    put(0, "Why:", og_rule_because(r));
    for (size_t i = 0; og_rule_subject(r, i); i++)
        printf("%s%s%s", i ? ", " : "Decides: ", og_rule_subject(r, i), og_rule_subject(r, i + 1) ? "" : " requests\n");
    if (og_rule_is_locked(r))
        put(0, "Locked:", "no policy can weaken it or turn it off");
    if (!og_rule_may_be_waived(r))
        put(0, "Waivers:", "none lets an order through it");
    for (size_t i = 0; og_rule_reads(r, i); i++)
        printf("%s%s", i ? ", " : "Facts: ", og_rule_reads(r, i));
    puts(og_rule_reads(r, 0) ? "" : "Facts: none, the order alone decides");
    for (size_t i = 0; og_rule_setting(r, i, &setting); i++) {
        if (i == 0)
            puts("\nSettings");
        put_setting(&setting);
    }
    puts("\nReasons");
    for (size_t i = 0; og_rule_reason(r, i, &reason); i++)
        put_reason(&reason);
    printf("\nIn a policy:\n  rules:\n    %s: refuse   # %s\n", og_rule_id(r),
           og_rule_is_locked(r) ? "the only level that this rule may have"
                                : "the highest level of its findings: refuse, warn, info, off");
}

static bool explain_reason(const char *id)
{
    struct og_reason_info reason;
    const struct og_rule *r;

    for (size_t i = 0; (r = og_rules_at(i)); i++)
        for (size_t k = 0; og_rule_reason(r, k, &reason); k++)
            if (strcmp(reason.id, id) == 0) {
                printf("%s (a reason of rule %s)\n\n", id, og_rule_id(r));
                put(0, "Finds:", og_rule_summary(r));
                put(0, "Why:", og_rule_because(r));
                put_reason(&reason);
                printf("\nIn a policy:\n  rules:\n    %s:\n      reasons: {%s: %s}\n", og_rule_id(r), id,
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

static bool explain_code(const char *word)
{
    struct og_reason_info reason;
    const struct og_rule *r;
    char code[16];
    bool any = false;

    snprintf(code, sizeof code, "%s", word);
    code[0] = (char)toupper((unsigned char)code[0]);
    if (!og_reject_code_meaning(code))
        return false;
    printf("%s: %s\n\n", code, og_reject_code_meaning(code));
    for (size_t i = 0; (r = og_rules_at(i)); i++)
        for (size_t k = 0; og_rule_reason(r, k, &reason); k++)
            if (predicts_code(&reason.predicts, code)) {
                puts(any ? "" : "Predicted by");
                any = true;
                printf("  %s (rule %s)\n", reason.id, og_rule_id(r));
                put(4, "Says:", reason.says);
                put_prediction(&reason.predicts);
            }
    if (!any)
        puts("No rule predicts it: it cannot be known before the order is sent.");
    return true;
}

static void put_example(const char *title, const char *yaml)
{
    printf("\n%s\n", title);
    while (yaml && *yaml) {
        size_t len = strcspn(yaml, "\n");

        printf("  %.*s\n", (int)len, yaml);
        yaml += len + (yaml[len] == '\n');
    }
}

static bool explain_lint(const char *code)
{
    struct og_lint_page page;

    if (!og_lint_page_of(code, &page))
        return false;
    printf("%s (%s of lint%s)\n\n", code, page.severity == OG_ERROR ? "an error" : "a warning",
           page.fixes ? "; --fix may repair it" : "");
    put(0, "Finds:", page.summary);
    printf("\n%s", page.why);
    if (page.why[0] && page.why[strlen(page.why) - 1] != '\n')
        putchar('\n');
    if (page.bad) {
        put_example("Found in", page.bad);
        put_example("As it should be", page.good);
    }
    if (page.severity == OG_WARNING)
        printf("\nSilenced on its line, or alone on the line above, by\n  # ordergate-lint: ignore %s - REASON\n",
               code);
    return true;
}

static void put_name(const struct og_name_info *n)
{
    char text[200];

    snprintf(text, sizeof text, "%s%s%s", n->type, n->unit[0] ? ", " : "", n->unit);
    put(2, "", n->name);
    put(4, "Is:", n->help);
    put(4, "Type:", text);
    for (size_t i = 0; n->facts[i]; i++)
        printf("%s%s", i ? ", " : "    Facts: ", n->facts[i]);
    if (n->facts[0])
        putchar('\n');
}

/* Describe one name of expressions, such as order.limitPrice, or all names of a group, such as order. */
static bool explain_name(const char *word)
{
    struct og_name_info n;
    size_t len = strlen(word);
    bool any = false;

    for (size_t i = 0; og_expression_name(i, &n); i++) {
        if (strncmp(n.name, word, len) != 0 || (n.name[len] && n.name[len] != '.'))
            continue;
        if (!any)
            printf("%s (a name of expressions, see ordergate-expressions(7))\n\n", word);
        put_name(&n);
        any = true;
    }
    return any;
}

static void put_given(const char *label, const char *text)
{
    if (text[0])
        put(0, label, text);
}

static void put_custom(const struct og_policy *policy, const struct og_custom_info *c)
{
    char text[400];

    printf("%s (a rule of policy %s, %s:%d:%d)\n\n", c->id, og_policy_name(policy), c->file, c->line, c->col);
    put_given("When:", c->when);
    put(0, "Requires:", c->require);
    put_given("Says:", c->message);
    put_given("Help:", c->help);
    snprintf(text, sizeof text, "%s, mode %s, unsure: %s%s", og_level_name(c->level), c->mode, c->unsure,
             c->locked ? ", locked: later layers cannot loosen it" : "");
    put(0, "Level:", text);
    if (c->until != OG_TIME_UNKNOWN) {
        snprintf(text, sizeof text, "%s, %s", og_time_text(c->until).s, c->reason);
        put(0, "Until:", text);
    }
    for (size_t i = 0; c->facts[i]; i++)
        printf("%s%s", i ? ", " : "Facts: ", c->facts[i]);
    puts(c->facts[0] ? "" : "Facts: none, the order alone decides");
}

static bool explain_custom(const struct og_policy *policy, const char *id)
{
    struct og_custom_info c;

    for (size_t i = 0; policy && og_policy_custom(policy, i, &c); i++)
        if (strcmp(c.id, id) == 0) {
            put_custom(policy, &c);
            return true;
        }
    return false;
}

/* Returns true for a text that is spelled like a rule's id: it may be a custom rule of another policy. */
static bool may_be_an_id(const char *word)
{
    return islower((unsigned char)word[0]) && word[strspn(word, "abcdefghijklmnopqrstuvwxyz0123456789-")] == '\0';
}

static void say_unknown(const struct og_policy *policy, const char *word)
{
    struct og_custom_info custom;
    const char *known[WORDS_MOST], *nearest, *code;
    struct og_reason_info reason;
    struct og_lint_page page;
    struct og_name_info name;
    const struct og_rule *r;
    size_t count = 0;

    for (size_t i = 0; (r = og_rules_at(i)) && count < WORDS_MOST; i++) {
        known[count++] = og_rule_id(r);
        for (size_t k = 0; og_rule_reason(r, k, &reason) && count < WORDS_MOST; k++)
            known[count++] = reason.id;
    }
    for (size_t i = 0; (code = og_reject_code_at(i)) && count < WORDS_MOST; i++)
        known[count++] = code;
    for (size_t i = 0; og_lint_page_at(i, &page) && count < WORDS_MOST; i++)
        known[count++] = page.code;
    for (size_t i = 0; og_expression_name(i, &name) && count < WORDS_MOST; i++)
        known[count++] = name.name;
    for (size_t i = 0; policy && og_policy_custom(policy, i, &custom) && count < WORDS_MOST; i++)
        known[count++] = custom.id;
    nearest = og_nearest_word(word, known, count);
    fprintf(stderr, "ordergate explain: there is no rule, reason, code or name '%s'%s%s%s; ", word,
            policy ? ", nor has policy " : "", policy ? og_policy_name(policy) : "",
            policy ? " a rule of its own so called" : "");
    if (nearest)
        fprintf(stderr, "did you mean '%s'?", nearest);
    else
        fputs("see ordergate rules", stderr);
    fprintf(stderr, "%s\n",
            !policy && !nearest && may_be_an_id(word) ? ", or give -p FILE if it is a rule of a policy's own" : "");
}

static bool explain(const struct og_policy *policy, const char *word)
{
    const struct og_rule *rule = og_rules_find(word);

    if (rule) {
        explain_rule(rule);
        return true;
    }
    if (explain_reason(word) || explain_code(word) || explain_lint(word) || explain_name(word) ||
        explain_custom(policy, word))
        return true;
    say_unknown(policy, word);
    return false;
}

int og_cmd_explain(int argc, char **argv)
{
    struct asked a = { .policies.count = 0 };
    struct og_policy *policy = NULL;
    int code = options_read(&spec, &a, argc, argv);
    bool known = true;

    if (code >= 0)
        return code;
    if (optind == argc)
        return options_usage(&spec);
    if (a.policies.count && load_policy(spec.program, a.policies.item, a.policies.count, &policy))
        return EXIT_UNUSABLE;
    for (int i = optind; i < argc; i++) {
        if (i > optind)
            putchar('\n');
        known = explain(policy, argv[i]) && known;
    }
    og_policy_free(policy);
    code = og_close_stdout("ordergate explain");
    return code ? code : known ? 0 : EXIT_NO;
}
