/*
 * Compares a decision with what a test expects, and reports differences in the form of a test file.
 */

#include "policy_test/policy_test.h"
#include "text/pattern.h"

#define TEXT_MOST 8192 /* maximum length of `expected` or `seen` in bytes */

struct comparison {
    struct og_policy_test *t;
    const struct og_decision *d;
    struct og_pattern_room *room;
    enum og_test_update update;
    struct og_test_misses *to;
};

void og_test_add_miss(struct og_test_misses *to, const struct og_yaml *node, const char *what, const char *expected,
                      const char *seen, bool rewritten)
{
    struct og_policy_test_miss *m;

    if (to->count == to->room) {
        size_t room = to->room ? 2 * to->room : 8;

        m = og_arena_take(to->arena, room * sizeof *m);
        if (!m) {
            to->oom = true;
            return;
        }
        if (to->count)
            memcpy(m, to->miss, to->count * sizeof *m);
        to->miss = m;
        to->room = room;
    }
    m = &to->miss[to->count++];
    *m = (struct og_policy_test_miss){ .line = node->line, .col = node->col, .what = what, .rewritten = rewritten };
    m->expected = og_arena_copy(to->arena, og_str_of(expected)).s;
    m->seen = og_arena_copy(to->arena, og_str_of(seen)).s;
    to->oom = to->oom || !m->expected || !m->seen;
}

/* The findings to which a key of `expect` applies: findings of one level, unsure findings, or findings of rules in
 * shadow mode. */
struct selection {
    const struct og_finding *finding;
    int count;
    enum og_expectation what;
};

static struct selection select_findings(const struct og_decision *d, enum og_expectation what)
{
    if (what == OG_EXPECT_SHADOW)
        return (struct selection){ d->shadow, d->shadow_count, what };
    return (struct selection){ d->findings, d->count, what };
}

static bool is_selected(const struct selection *c, int i)
{
    const struct og_finding *f = &c->finding[i];

    switch (c->what) {
    case OG_EXPECT_REASONS: return f->level == OG_LEVEL_REFUSE;
    case OG_EXPECT_WARNS: return f->level == OG_LEVEL_WARN;
    case OG_EXPECT_INFOS: return f->level == OG_LEVEL_INFO;
    case OG_EXPECT_UNSURE: return f->unsure;
    case OG_EXPECT_WAIVED: return f->waived_by != NULL;
    default: return true;
    }
}

static bool is_seen_before(const struct selection *c, int before, struct og_str reason)
{
    for (int i = 0; i < before; i++)
        if (is_selected(c, i) && og_str_is(reason, c->finding[i].reason))
            return true;
    return false;
}

/* Returns the next reason in the selection that differs from all earlier ones. */
static const char *next_reason(const struct selection *c, int *i)
{
    for (; *i < c->count; ++*i)
        if (is_selected(c, *i) && !is_seen_before(c, *i, og_str_of(c->finding[*i].reason)))
            return c->finding[(*i)++].reason;
    return NULL;
}

static void write_seen(struct og_buf *b, const struct og_decision *d, enum og_expectation what)
{
    struct selection c = select_findings(d, what);
    const char *reason, *between = "";
    int i = 0;

    og_buf_char(b, '[');
    for (; (reason = next_reason(&c, &i)); between = ", ")
        og_buf_format(b, "%s%s", between, reason);
    og_buf_char(b, ']');
}

static const struct og_yaml *first_of(const struct og_yaml *node)
{
    return node->kind == OG_YAML_SCALAR ? node : node->first;
}

static const struct og_yaml *next_of(const struct og_yaml *list, const struct og_yaml *item)
{
    return list->kind == OG_YAML_SCALAR ? NULL : item->next;
}

static void write_expected(struct og_buf *b, const struct og_yaml *node)
{
    const char *between = "";

    og_buf_char(b, '[');
    for (const struct og_yaml *n = first_of(node); n; n = next_of(node, n), between = ", ")
        og_buf_format(b, "%s%s", between, n->text.s);
    og_buf_char(b, ']');
}

static bool is_expected(const struct og_yaml *node, const char *reason)
{
    for (const struct og_yaml *n = first_of(node); n; n = next_of(node, n))
        if (og_str_is(n->text, reason))
            return true;
    return false;
}

static bool same_reasons(const struct og_decision *d, enum og_expectation what, const struct og_yaml *node)
{
    struct selection c = select_findings(d, what);
    const char *reason;
    int i = 0;

    for (const struct og_yaml *n = first_of(node); n; n = next_of(node, n))
        if (is_seen_before(&c, c.count, n->text) == (what == OG_EXPECT_EXCLUDES))
            return false;
    while (what != OG_EXPECT_INCLUDES && what != OG_EXPECT_EXCLUDES && (reason = next_reason(&c, &i)))
        if (!is_expected(node, reason))
            return false;
    return true;
}

/* Report an expectation that was not met. plain: the value seen can be written in place of the expectation. */
static void add_miss(const struct comparison *j, enum og_expectation what, const struct og_test_expect *e,
                     const char *expected, const char *seen, bool plain)
{
    bool rewritten = plain && og_test_rewrite(j->t, j->update, e, what, e->node[what], seen);

    og_test_add_miss(j->to, e->node[what], og_test_expectation_keys[what], expected, seen, rewritten);
}

static void compare_reasons(const struct comparison *j, enum og_expectation what, const struct og_test_expect *e)
{
    char expected[TEXT_MOST], seen[TEXT_MOST];
    struct og_buf a, b;

    if (same_reasons(j->d, what, e->node[what]))
        return;
    og_buf_init_fixed(&a, expected, sizeof expected);
    og_buf_init_fixed(&b, seen, sizeof seen);
    write_expected(&a, e->node[what]);
    write_seen(&b, j->d, what);
    add_miss(j, what, e, expected, seen, !b.bad && what != OG_EXPECT_INCLUDES && what != OG_EXPECT_EXCLUDES);
}

static void compare_verdict(const struct comparison *j, const struct og_test_expect *e)
{
    const struct og_yaml *node = e->node[OG_EXPECT_VERDICT];
    const char *seen = j->d->accepted ? "accept" : "refuse";

    /* "expect: ..." is a placeholder: the whole expectation is to be filled in */
    if (og_test_is_placeholder(node) && og_str_is(node->key, "expect")) {
        seen = og_test_expectation_text(j->d, j->to->arena);
        j->to->oom = j->to->oom || !seen;
        if (seen)
            add_miss(j, OG_EXPECT_VERDICT, e, node->text.s, seen, true);
        return;
    }
    if (!og_str_is(node->text, seen))
        add_miss(j, OG_EXPECT_VERDICT, e, node->text.s, seen, true);
}

/* --- predictions -------------------------------------------------------------------------------------------------- */

static bool predicts_word(const struct og_prediction *p, struct og_str word)
{
    return (p->code && og_str_is(word, p->code)) || (p->channel && og_str_is(word, og_channel_name(p->channel)));
}

static bool predicts_all(const struct og_prediction *p, const struct og_yaml *node)
{
    if (node->kind == OG_YAML_SCALAR)
        return predicts_word(p, node->text);
    for (const struct og_yaml *n = node->first; n; n = n->next) {
        const char *is = og_str_is(n->key, "channel")     ? og_channel_name(p->channel)
                         : og_str_is(n->key, "code")      ? p->code
                         : og_str_is(n->key, "certainty") ? og_certainty_name(p->certainty)
                                                          : p->text;

        if (!is || !og_str_is(n->text, is))
            return false;
    }
    return true;
}

static void write_prediction(struct og_buf *b, const struct og_prediction *p)
{
    og_buf_format(b, "{channel: %s", p->channel ? og_channel_name(p->channel) : "none");
    if (p->code)
        og_buf_format(b, ", code: %s", p->code);
    if (p->certainty)
        og_buf_format(b, ", certainty: %s", og_certainty_name(p->certainty));
    if (p->text) {
        og_buf_text(b, ", text: ");
        og_buf_json_str(b, og_str_of(p->text));
    }
    og_buf_char(b, '}');
}

void og_test_write_node(struct og_buf *b, const struct og_yaml *node)
{
    const char *open[] = { "", "", "[", "{" }, *close[] = { "", "", "]", "}" }, *between = "";

    og_buf_text(b, open[node->kind]);
    if (node->kind == OG_YAML_SCALAR && node->quoted)
        og_buf_json_str(b, node->text);
    else if (node->kind == OG_YAML_SCALAR)
        og_buf_str(b, node->text);
    for (const struct og_yaml *n = node->first; n; n = n->next, between = ", ") {
        og_buf_format(b, "%s%s%s", between, n->key.s ? n->key.s : "", n->key.s ? ": " : "");
        og_test_write_node(b, n);
    }
    og_buf_text(b, close[node->kind]);
}

static void compare_prediction(const struct comparison *j, const struct og_test_expect *e)
{
    const struct og_yaml *node = e->node[OG_EXPECT_PREDICTS];
    const struct og_prediction *p = &j->d->predicts;
    char expected[TEXT_MOST], seen[TEXT_MOST];
    struct og_buf a, b;

    if (predicts_all(p, node))
        return;
    og_buf_init_fixed(&a, expected, sizeof expected);
    og_buf_init_fixed(&b, seen, sizeof seen);
    og_test_write_node(&a, node);
    if (node->kind == OG_YAML_SCALAR) /* the observed value has the same form as the expectation */
        og_buf_text(&b, p->code ? p->code : og_channel_name(p->channel));
    else
        write_prediction(&b, p);
    add_miss(j, OG_EXPECT_PREDICTS, e, expected, seen, !b.bad);
}

/* --- findings ----------------------------------------------------------------------------------------------------- */

static bool message_matches(const struct comparison *j, const struct og_yaml *pattern_node, const char *text)
{
    struct og_pattern *pattern;
    bool yes;

    if (og_pattern_read(pattern_node->text, &pattern,
                        NULL)) { /* the pattern was valid when the file was read, so a failure now means that memory ran
                                  * out */
        j->to->oom = true;
        return false;
    }
    yes = og_pattern_match(pattern, og_str_of(text), j->room) == OG_MATCH_YES;
    og_pattern_free(pattern);
    return yes;
}

static bool finding_has(const struct comparison *j, const struct og_finding *f, const struct og_yaml *n)
{
    if (og_str_is(n->key, "rule"))
        return og_str_is(n->text, f->rule);
    if (og_str_is(n->key, "reason"))
        return og_str_is(n->text, f->reason);
    if (og_str_is(n->key, "level"))
        return og_str_is(n->text, og_level_name(f->level));
    if (og_str_is(n->key, "unsure"))
        return og_str_is(n->text, f->unsure ? "true" : "false");
    if (og_str_is(n->key, "waived"))
        return og_str_is(n->text, f->waived_by ? "true" : "false");
    if (og_str_is(n->key, "field"))
        return og_str_is(n->text, f->field);
    if (og_str_is(n->key, "message"))
        return strstr(f->message, n->text.s) != NULL;
    if (og_str_is(n->key, "message_matches"))
        return message_matches(j, n, f->message);
    return predicts_all(&f->predicts, n);
}

static void write_finding(struct og_buf *b, const struct og_finding *f)
{
    og_buf_format(b, "{rule: %s, reason: %s, level: %s%s%s, field: %s, message: ", f->rule, f->reason,
                  og_level_name(f->level), f->unsure ? ", unsure: true" : "", f->waived_by ? ", waived: true" : "",
                  f->field);
    og_buf_json_str(b, og_str_of(f->message));
    og_buf_text(b, ", predicts: ");
    write_prediction(b, &f->predicts);
    og_buf_char(b, '}');
}

/* Returns how many of the expected members agree with the finding. */
static size_t count_alike(const struct comparison *j, const struct og_finding *f, const struct og_yaml *node)
{
    size_t alike = 0;

    for (const struct og_yaml *n = node->first; n; n = n->next)
        alike += finding_has(j, f, n);
    return alike;
}

static void compare_finding(const struct comparison *j, const struct og_yaml *node)
{
    const struct og_finding *nearest = NULL;
    char expected[TEXT_MOST], seen[TEXT_MOST];
    struct og_buf a, b;
    size_t most = 0;

    for (int i = 0; i < j->d->count; i++) {
        size_t alike = count_alike(j, &j->d->findings[i], node);

        if (alike == node->count)
            return;
        if (alike > most) {
            most = alike;
            nearest = &j->d->findings[i];
        }
    }
    og_buf_init_fixed(&a, expected, sizeof expected);
    og_buf_init_fixed(&b, seen, sizeof seen);
    og_test_write_node(&a, node);
    if (nearest)
        write_finding(&b, nearest);
    og_test_add_miss(j->to, node, og_test_expectation_keys[OG_EXPECT_FINDINGS], expected,
                     nearest ? seen : "no finding like it", false);
}

void og_test_compare(struct og_policy_test *t, const struct og_test_expect *e, const struct og_decision *d,
                     struct og_pattern_room *room, enum og_test_update update, struct og_test_misses *to)
{
    const struct comparison j = { .t = t, .d = d, .room = room, .update = update, .to = to };
    const struct og_yaml *findings = e->node[OG_EXPECT_FINDINGS];

    for (int what = 0; what < OG_EXPECTATIONS; what++) {
        if (!e->node[what] || what == OG_EXPECT_FINDINGS)
            continue;
        if (what == OG_EXPECT_VERDICT)
            compare_verdict(&j, e);
        else if (what == OG_EXPECT_PREDICTS)
            compare_prediction(&j, e);
        else if (og_test_is_figures((enum og_expectation)what))
            og_test_compare_figures(t, (enum og_expectation)what, e, d, update, to);
        else
            compare_reasons(&j, (enum og_expectation)what, e);
    }
    if (findings && findings->kind == OG_YAML_MAP)
        compare_finding(&j, findings);
    for (const struct og_yaml *n = findings && findings->kind == OG_YAML_LIST ? findings->first : NULL; n; n = n->next)
        compare_finding(&j, n);
}

const char *og_test_expectation_text(const struct og_decision *d, struct og_arena *arena)
{
    char text[TEXT_MOST];
    struct og_buf b;

    og_buf_init_fixed(&b, text, sizeof text);
    og_buf_format(&b, "{verdict: %s", d->accepted ? "accept" : "refuse");
    if (!d->accepted) {
        og_buf_text(&b, ", reasons: ");
        write_seen(&b, d, OG_EXPECT_REASONS);
    }
    og_buf_char(&b, '}');
    return b.bad ? NULL : og_arena_copy(arena, og_str_of(text)).s;
}
