/*
 * ordergate explain: describes a rule, a reason, a reject code of the broker, a lint code, a name of expressions or a
 * custom rule (ordergate/explain.h).
 */
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "ordergate/ordergate.h"
#include "tools/common/commands.h"
#include "tools/common/complete.h"
#include "tools/common/exit.h"
#include "tools/common/messages.h"
#include "tools/common/options.h"
#include "tools/common/reload.h"

enum { WORDS_MOST = 1000 };

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
    .word = complete_word,
    .argument = "REASON",
};

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
    char *text;
    struct og_error err = { 0 };
    enum og_status status = og_explain(word, policy, &text, &err);

    if (status == OG_ENOENT)
        say_unknown(policy, word);
    else if (status != OG_OK)
        (void)og_say(spec.program, &err, 0);
    else
        fputs(text, stdout);
    free(text);
    return status == OG_OK;
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
