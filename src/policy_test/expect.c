/*
 * Reads what a test expects, and checks that a decision can meet it. A reason that no rule has is an error: it could
 * never occur, and a test that forbids it could never fail.
 */
#include "policy_test/policy_test.h"
#include "text/pattern.h"

const char *const og_test_expectation_keys[OG_EXPECTATIONS] = { "verdict",  "reasons",  "warns",    "infos",
                                                                "unsure",   "shadow",   "waived",   "includes",
                                                                "excludes", "predicts", "findings", "margin",
                                                                "strategy", "suggest" };

static void report_wrong(struct og_policy_test *t, const struct og_yaml *node, const char *code, const char *text)
{
    og_error_at(&t->diagnostics, &t->source, node, code, "%s", text);
}

/* Collects all reasons, so that the most similar one can be suggested. */
static size_t all_reasons(struct og_policy_test *t, const char ***names)
{
    size_t count = t->policy->custom_count;

    for (size_t i = 0; i < og_rules_size; i++)
        OG_EACH_REASON (r, og_rules[i])
            count++;
    *names = og_arena_take(&t->arena, count * sizeof **names);
    if (!*names) {
        t->diagnostics.oom = true;
        return 0;
    }
    count = 0;
    for (size_t i = 0; i < t->policy->custom_count; i++)
        (*names)[count++] = t->policy->custom[i]->rule.id;
    for (size_t i = 0; i < og_rules_size; i++)
        OG_EACH_REASON (r, og_rules[i])
            (*names)[count++] = r->id;
    return count;
}

/* Returns true if the word is the id of a custom rule, which is also the id of the rule's reason. */
static bool is_custom(const struct og_policy_test *t, struct og_str word)
{
    for (size_t i = 0; i < t->policy->custom_count; i++)
        if (og_str_is(word, t->policy->custom[i]->rule.id))
            return true;
    return false;
}

static void read_reason(struct og_policy_test *t, const struct og_yaml *node)
{
    const char **names;
    size_t count;

    if (node->kind != OG_YAML_SCALAR) {
        report_wrong(t, node, "wrong-type", "a reason must be one word, like market-outside-hours");
        return;
    }
    if (!t->policy || is_custom(t, node->text)) /* the custom rules are not known if the policy did not load */
        return;
    for (size_t i = 0; i < og_rules_size; i++) {
        OG_EACH_REASON (r, og_rules[i])
            if (og_str_is(node->text, r->id))
                return;
        if (og_str_is(node->text, og_rules[i]->id)) {
            og_error_at(&t->diagnostics, &t->source, node, "unknown-reason",
                        "'%s' is a rule; its reasons are listed by: ordergate explain %s", og_rules[i]->id,
                        og_rules[i]->id);
            return;
        }
    }
    count = all_reasons(t, &names);
    og_error_at(&t->diagnostics, &t->source, node, "unknown-reason", "no rule has the reason '%s'%s",
                og_see(node->text).s, og_diagnostic_hint(&t->diagnostics, node->text, names, count));
}

void og_test_read_word(struct og_policy_test *t, const struct og_yaml *node, const char *what, const char *const *words,
                       size_t count)
{
    for (size_t i = 0; node->kind == OG_YAML_SCALAR && i < count; i++)
        if (og_str_is(node->text, words[i]))
            return;
    og_error_at(&t->diagnostics, &t->source, node, "value-invalid", "'%s' is not a %s%s",
                og_see(node->kind == OG_YAML_SCALAR ? node->text : OG_STR("a list or map")).s, what,
                og_diagnostic_hint(&t->diagnostics, node->text, words, count));
}

static void read_verdict(struct og_policy_test *t, const struct og_yaml *node)
{
    static const char *const words[] = { "accept", "refuse" };

    og_test_read_word(t, node, "verdict", words, 2);
}

static void read_channel(struct og_policy_test *t, const struct og_yaml *node)
{
    const char *words[16];
    size_t count = 0;

    for (int i = OG_CHANNEL_ACCEPTED; i <= OG_CHANNEL_NO_EFFECT; i++)
        words[count++] = og_channel_name((enum og_channel)i);
    og_test_read_word(t, node, "channel or reject code", words, count);
}

/* Returns true for a reject code such as R78. */
static bool is_code(struct og_str text)
{
    return text.len > 1 && text.s[0] == 'R' && text.s[1] >= '0' && text.s[1] <= '9';
}

static void read_code(struct og_policy_test *t, const struct og_yaml *node)
{
    if (node->kind != OG_YAML_SCALAR || !og_reject_code_meaning(node->text.s))
        og_error_at(&t->diagnostics, &t->source, node, "value-invalid",
                    "the broker has no reject code '%s'; a code is explained by: ordergate explain R78",
                    og_see(node->text).s);
}

static void report_unknown_key(struct og_policy_test *t, const struct og_yaml *node, const char *whose,
                               const char *const *keys, size_t count)
{
    og_error_at_key(&t->diagnostics, &t->source, node, "unknown-key", "%s has no key '%s'%s", whose,
                    og_see(node->key).s, og_diagnostic_hint(&t->diagnostics, node->key, keys, count));
}

static void read_predicts(struct og_policy_test *t, const struct og_yaml *node)
{
    static const char *const keys[] = { "channel", "code", "certainty", "text" };
    static const char *const certainties[] = { "stated", "reading" };

    if (node->kind == OG_YAML_LIST) {
        report_wrong(t, node, "wrong-type", "'predicts' must be a channel (accepted), a code (R78) or a map of both");
        return;
    }
    if (node->kind == OG_YAML_SCALAR) {
        if (is_code(node->text))
            read_code(t, node);
        else
            read_channel(t, node);
        return;
    }
    for (const struct og_yaml *n = node->first; n; n = n->next) {
        if (og_str_is(n->key, "channel"))
            read_channel(t, n);
        else if (og_str_is(n->key, "code"))
            read_code(t, n);
        else if (og_str_is(n->key, "certainty"))
            og_test_read_word(t, n, "certainty", certainties, 2);
        else if (!og_str_is(n->key, "text"))
            report_unknown_key(t, n, "a prediction", keys, 4);
        else if (n->kind != OG_YAML_SCALAR)
            report_wrong(t, n, "wrong-type", "'text' must be one text");
    }
}

static void read_pattern(struct og_policy_test *t, const struct og_yaml *node)
{
    struct og_error err = { 0 };
    struct og_pattern *pattern = NULL;
    enum og_status status = node->kind == OG_YAML_SCALAR ? og_pattern_read(node->text, &pattern, &err) : OG_ESYNTAX;

    og_pattern_free(pattern);
    t->diagnostics.oom = t->diagnostics.oom || status == OG_ENOMEM;
    if (status == OG_ESYNTAX)
        og_error_at(&t->diagnostics, &t->source, node, "pattern-invalid", "pattern '%s': %s", og_see(node->text).s,
                    err.text[0] ? err.text : "it must be one text");
}

void og_test_read_rule(struct og_policy_test *t, const struct og_yaml *node)
{
    const char **ids = og_arena_take(&t->arena, og_rules_size * sizeof *ids);

    if (!t->policy || (node->kind == OG_YAML_SCALAR && is_custom(t, node->text)))
        return;
    if (!ids) {
        t->diagnostics.oom = true;
        return;
    }
    for (size_t i = 0; i < og_rules_size; i++)
        ids[i] = og_rules[i]->id;
    og_test_read_word(t, node, "rule", ids, og_rules_size);
}

static void read_finding_key(struct og_policy_test *t, const struct og_yaml *n)
{
    static const char *const keys[] = { "rule",  "reason",  "level",           "unsure",  "waived",
                                        "field", "message", "message_matches", "predicts" };
    static const char *const levels[] = { "refuse", "warn", "info" }, *const truths[] = { "true", "false" };

    if (og_str_is(n->key, "rule"))
        og_test_read_rule(t, n);
    else if (og_str_is(n->key, "reason"))
        read_reason(t, n);
    else if (og_str_is(n->key, "level"))
        og_test_read_word(t, n, "level", levels, 3);
    else if (og_str_is(n->key, "unsure") || og_str_is(n->key, "waived"))
        og_test_read_word(t, n, "truth", truths, 2);
    else if (og_str_is(n->key, "message_matches"))
        read_pattern(t, n);
    else if (og_str_is(n->key, "predicts"))
        read_predicts(t, n);
    else if (!og_str_is(n->key, "field") && !og_str_is(n->key, "message"))
        report_unknown_key(t, n, "a finding", keys, sizeof keys / sizeof *keys);
    else if (n->kind != OG_YAML_SCALAR)
        og_error_at(&t->diagnostics, &t->source, n, "wrong-type", "'%s' must be one text", og_see(n->key).s);
}

static void read_findings(struct og_policy_test *t, const struct og_yaml *node)
{
    if (node->kind == OG_YAML_SCALAR)
        report_wrong(t, node, "wrong-type",
                     "'findings' must be a list of maps, like [{reason: market-outside-hours, level: refuse}]");
    for (const struct og_yaml *n = node->kind == OG_YAML_LIST ? node->first : NULL; n; n = n->next) {
        if (n->kind != OG_YAML_MAP || !n->first)
            report_wrong(t, n, "wrong-type",
                         "a finding must be a map, like {reason: market-outside-hours, level: refuse}");
        for (const struct og_yaml *key = n->kind == OG_YAML_MAP ? n->first : NULL; key; key = key->next)
            read_finding_key(t, key);
    }
    for (const struct og_yaml *key = node->kind == OG_YAML_MAP ? node->first : NULL; key; key = key->next)
        read_finding_key(t, key);
}

/* Reads one reason, or a list of reasons. */
static void read_reasons(struct og_policy_test *t, const struct og_yaml *node)
{
    if (node->kind == OG_YAML_MAP)
        report_wrong(t, node, "wrong-type",
                     "reasons must be a list, like [market-outside-hours]; [] says that there are none");
    else if (node->kind == OG_YAML_SCALAR)
        read_reason(t, node);
    else
        for (const struct og_yaml *n = node->first; n; n = n->next)
            read_reason(t, n);
}

void og_test_read_expect_key(struct og_policy_test *t, enum og_expectation what, const struct og_yaml *node,
                             struct og_test_expect *to)
{
    to->node[what] = node;
    to->given = true;
    if (og_test_is_placeholder(node)) {
        if (what == OG_EXPECT_INCLUDES || what == OG_EXPECT_EXCLUDES || what == OG_EXPECT_FINDINGS)
            report_wrong(t, node, "value-invalid", "--update cannot write this one: say what is expected");
        return;
    }
    if (what == OG_EXPECT_VERDICT)
        read_verdict(t, node);
    else if (what == OG_EXPECT_PREDICTS)
        read_predicts(t, node);
    else if (what == OG_EXPECT_FINDINGS)
        read_findings(t, node);
    else if (og_test_is_figures(what))
        og_test_read_figures(t, what, node);
    else
        read_reasons(t, node);
}

bool og_test_is_placeholder(const struct og_yaml *node)
{
    return node->kind == OG_YAML_SCALAR && !node->quoted && og_str_is(node->text, "...");
}

int og_test_expectation_of(struct og_str key)
{
    for (int i = 0; i < OG_EXPECTATIONS; i++)
        if (og_str_is(key, og_test_expectation_keys[i]))
            return i;
    return -1;
}

void og_test_read_expect(struct og_policy_test *t, const struct og_yaml *node, struct og_test_expect *to)
{
    to->given = true;
    if (node->kind == OG_YAML_SCALAR) { /* such as "expect: accept" */
        og_test_read_expect_key(t, OG_EXPECT_VERDICT, node, to);
        return;
    }
    if (node->kind != OG_YAML_MAP || !node->first) {
        report_wrong(t, node, "wrong-type",
                     "'expect' must be accept, refuse, or a map like {verdict: refuse, reasons: [...]}");
        return;
    }
    for (const struct og_yaml *n = node->first; n; n = n->next) {
        int what = og_test_expectation_of(n->key);

        if (what < 0)
            report_unknown_key(t, n, "what is expected", og_test_expectation_keys, OG_EXPECTATIONS);
        else
            og_test_read_expect_key(t, (enum og_expectation)what, n, to);
    }
}
