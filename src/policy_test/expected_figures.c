/*
 * What a test expects of a decision's figures (margin, strategy and suggest), under the keys of the decision document.
 * Numbers are compared as exact decimals: 400 equals 400.00, and nothing is rounded.
 */
#include "base/time.h"
#include "margin/margin.h"
#include "policy_test/policy_test.h"

#define TEXT_MOST 1024 /* maximum length of `expected` or `seen` in bytes */

enum kind { NUMBER, TRUTH, TEXT, TIME };

struct figure {
    const char *key;
    enum kind kind;
    const char *(*word)(size_t); /* returns the i-th allowed word for the figure; NULL if any text is allowed */
};

const char *og_test_model_at(size_t i)
{
    return i < OG_BINDS_PAYOFF    ? og_margin_binds_name((enum og_margin_binds)(i + 1))
           : i == OG_BINDS_PAYOFF ? "closing"
                                  : NULL;
}

const char *og_test_strategy_at(size_t i)
{
    const char *name = og_strategy_name((enum og_strategy)(i + 1));

    return name[0] ? name : NULL;
}

const char *og_test_direction_at(size_t i)
{
    static const enum og_net nets[] = { OG_DEBIT, OG_CREDIT, OG_NET_UNDETERMINED };

    return i < sizeof nets / sizeof *nets ? og_net_name(nets[i]) : NULL;
}

/* The figures of margin. If the expectation is a single word or number, it is about the first figure. */
static const struct figure margin[] = {
    { "required", NUMBER, NULL }, { "available", NUMBER, NULL },   { "model", TEXT, og_test_model_at },
    { "gross", NUMBER, NULL },    { "proceeds", NUMBER, NULL },    { "overnight", NUMBER, NULL },
    { "initial", NUMBER, NULL },  { "maintenance", NUMBER, NULL }, { "bound", TRUTH, NULL },
    { "why", TEXT, NULL },        { "needs", TEXT, NULL },         { NULL, TEXT, NULL },
};
static const struct figure strategy[] = {
    { "name", TEXT, og_test_strategy_at },
    { "direction", TEXT, og_test_direction_at },
    { "maxLoss", NUMBER, NULL },
    { "maxGain", NUMBER, NULL },
    { NULL, TEXT, NULL },
};
static const struct figure suggest[] = {
    { "orderQuantity", NUMBER, NULL }, { "limitPrice", NUMBER, NULL },
    { "stopPrice", NUMBER, NULL },     { "at", TIME, NULL },
    { "replaces", TEXT, NULL },        { NULL, TEXT, NULL },
};

static const struct figure *figures_of(enum og_expectation what)
{
    return what == OG_EXPECT_MARGIN ? margin : what == OG_EXPECT_STRATEGY ? strategy : suggest;
}

bool og_test_is_figures(enum og_expectation what)
{
    return what == OG_EXPECT_MARGIN || what == OG_EXPECT_STRATEGY || what == OG_EXPECT_SUGGEST;
}

/* Returns true if the test expects that the decision has no such figures. */
static bool is_none(const struct og_yaml *node)
{
    return node->kind == OG_YAML_SCALAR && og_str_is(node->text, "none");
}

/* Returns true if the test expects that the figure is null or missing. */
static bool is_null(const struct og_yaml *node)
{
    return node->kind == OG_YAML_SCALAR && !node->quoted &&
           (!node->text.len || og_str_is(node->text, "~") || og_str_is(node->text, "null"));
}

static bool same_number(struct og_str text, const char *number)
{
    struct og_money a, b;

    return og_money_read(text.s, text.len, &a) && og_money_read(number, strlen(number), &b) && og_money_cmp(a, b) == 0;
}

/* --- reading ------------------------------------------------------------------------------------------------------ */

static void read_figure(struct og_policy_test *t, const struct figure *f, const struct og_yaml *node)
{
    static const char *const truths[] = { "true", "false" };
    const char *words[64];
    size_t count = 0;
    struct og_money number;
    int64_t ns;

    while (f->word && (words[count] = f->word(count)))
        count++;
    if (node->kind == OG_YAML_SCALAR && (is_null(node) || og_test_is_placeholder(node)))
        return;
    if (f->kind == TRUTH || count) {
        og_test_read_word(t, node, f->key, f->kind == TRUTH ? truths : words, f->kind == TRUTH ? 2 : count);
        return;
    }
    if (node->kind != OG_YAML_SCALAR)
        og_error_at(&t->diagnostics, &t->source, node, "wrong-type", "'%s' must be one %s", f->key,
                    f->kind == NUMBER ? "number"
                    : f->kind == TIME ? "time"
                                      : "text");
    else if (f->kind == NUMBER && !og_money_read(node->text.s, node->text.len, &number))
        og_error_at(&t->diagnostics, &t->source, node, "value-invalid",
                    "'%s' is not a number: '%s' is written like 400 or 412.5", og_see(node->text).s, f->key);
    else if (f->kind == TIME && !og_test_read_time(node->text, OG_TIME_UNKNOWN, &ns))
        og_error_at(&t->diagnostics, &t->source, node, "value-invalid",
                    "'%s' is not a time: write RFC 3339 with offset, like 2026-01-15T09:30:00-05:00",
                    og_see(node->text).s);
}

void og_test_read_figures(struct og_policy_test *t, enum og_expectation what, const struct og_yaml *node)
{
    const struct figure *f = figures_of(what);
    const char *keys[16];
    size_t count = 0;

    for (; f[count].key; count++)
        keys[count] = f[count].key;
    if (is_none(node))
        return;
    if (node->kind == OG_YAML_SCALAR && !is_null(node)) {
        read_figure(t, f, node);
        return;
    }
    if (node->kind != OG_YAML_MAP || !node->first) {
        og_error_at(&t->diagnostics, &t->source, node, "wrong-type",
                    "'%s' must be a map like {%s: ...}, its %s alone, or none", og_test_expectation_keys[what], keys[0],
                    keys[0]);
        return;
    }
    for (const struct og_yaml *n = node->first; n; n = n->next) {
        int key = og_test_key_index(t, n, og_test_expectation_keys[what], keys, count);

        if (key >= 0)
            read_figure(t, &f[key], n);
    }
}

/* --- comparing ---------------------------------------------------------------------------------------------------- */

/* Returns the figures of a decision, read from its JSON document; NULL if the decision has none. The caller frees
 * *doc. */
static const cJSON *figures_seen(const struct og_decision *d, enum og_expectation what, cJSON **doc, bool *oom)
{
    struct og_decision alone = {
        .policy = "", .facts = "", .strategy = d->strategy, .margin = d->margin, .suggest = d->suggest
    };
    char text[4096];
    size_t len;

    *doc = NULL;
    if (og_decision_write(&alone, NULL, text, sizeof text, &len) != OG_OK ||
        og_doc_read(text, len, "decision", doc, NULL) != OG_OK) {
        *oom = true;
        return NULL;
    }
    return og_doc_get(*doc, og_test_expectation_keys[what]);
}

/* Write a value in the form of a test file; "~" for a null or missing value. */
static void write_value(struct og_buf *b, const cJSON *item)
{
    if (cJSON_IsRaw(item))
        og_buf_text(b, item->valuestring);
    else if (cJSON_IsBool(item))
        og_buf_text(b, cJSON_IsTrue(item) ? "true" : "false");
    else if (!cJSON_IsString(item))
        og_buf_char(b, '~');
    else if (item->valuestring[strspn(item->valuestring,
                                      "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-")])
        og_buf_json_str(b, og_str_of(item->valuestring));
    else
        og_buf_text(b, item->valuestring);
}

static void write_figures(struct og_buf *b, const cJSON *object)
{
    const char *between = "{";

    if (!object) {
        og_buf_text(b, "none");
        return;
    }
    for (const cJSON *item = object->child; item; item = item->next, between = ", ") {
        og_buf_format(b, "%s%s: ", between, item->string);
        write_value(b, item);
    }
    og_buf_char(b, '}');
}

static bool figure_is(const struct figure *f, const struct og_yaml *node, const cJSON *item)
{
    int64_t a, b;

    if (!item || cJSON_IsNull(item)) /* a missing bool counts as false */
        return is_null(node) || (f->kind == TRUTH && og_str_is(node->text, "false"));
    if (f->kind == NUMBER)
        return cJSON_IsRaw(item) && same_number(node->text, item->valuestring);
    if (f->kind == TRUTH)
        return og_str_is(node->text, cJSON_IsTrue(item) ? "true" : "false");
    if (f->kind == TIME)
        return og_test_read_time(node->text, OG_TIME_UNKNOWN, &a) &&
               og_test_read_time(og_str_of(item->valuestring), OG_TIME_UNKNOWN, &b) && a == b;
    return og_str_is(node->text, item->valuestring);
}

struct comparison {
    struct og_policy_test *t;
    const struct og_test_expect *expect;
    enum og_expectation what;
    struct og_test_misses *to;
    enum og_test_update update;
};

/* Report an expectation that was not met. key: the figure, such as "required" of group "margin"; NULL if the
 * expectation is about all figures of the group. */
static void add_miss(const struct comparison *g, const struct og_yaml *node, const char *key, const char *seen,
                     bool plain)
{
    bool rewritten = plain && og_test_rewrite(g->t, g->update, g->expect, g->what, node, seen);
    char expected[TEXT_MOST], name[64];
    const char *what = og_test_expectation_keys[g->what];
    struct og_buf b;

    if (key) {
        og_buf_init_fixed(&b, name, sizeof name);
        og_buf_format(&b, "%s.%s", what, key);
        what = og_arena_copy(g->to->arena, (struct og_str){ b.s, b.len }).s;
    }
    og_buf_init_fixed(&b, expected, sizeof expected);
    og_test_write_node(&b, node);
    if (what)
        og_test_add_miss(g->to, node, what, expected, seen, rewritten);
    else
        g->to->oom = true;
}

static void compare_figure(const struct comparison *g, const struct figure *f, const struct og_yaml *node,
                           const cJSON *object)
{
    const cJSON *item = og_doc_get(object, f->key);
    char seen[TEXT_MOST];
    struct og_buf b;

    if (figure_is(f, node, item))
        return;
    og_buf_init_fixed(&b, seen, sizeof seen);
    if (node == g->expect->node[g->what] &&
        (!item || cJSON_IsNull(item))) /* a cell of a table with only ~ would expect nothing, so write the key too */
        og_buf_format(&b, "{%s: ~}", f->key);
    else
        write_value(&b, item);
    add_miss(g, node, f->key, seen, !b.bad);
}

/* Report an expectation about the figures of a group as a whole: the decision has them but should not, the decision
 * lacks them, or the test leaves all of them to be filled in. */
static void add_whole_miss(const struct comparison *g, const struct og_yaml *node, const cJSON *object)
{
    char seen[TEXT_MOST];
    struct og_buf b;

    og_buf_init_fixed(&b, seen, sizeof seen);
    if (object && g->what == OG_EXPECT_STRATEGY)
        write_value(&b, og_doc_get(object, "name"));
    else
        write_figures(&b, object);
    add_miss(g, node, NULL, seen, !b.bad);
}

void og_test_compare_figures(struct og_policy_test *t, enum og_expectation what, const struct og_test_expect *e,
                             const struct og_decision *d, enum og_test_update update, struct og_test_misses *to)
{
    const struct comparison g = { .t = t, .expect = e, .what = what, .to = to, .update = update };
    const struct og_yaml *node = e->node[what];
    const struct figure *f = figures_of(what);
    cJSON *doc;
    const cJSON *object = figures_seen(d, what, &doc, &to->oom);

    if (is_none(node) || og_test_is_placeholder(node) || !object) {
        if (object || !is_none(node))
            add_whole_miss(&g, node, object);
    } else if (node->kind == OG_YAML_SCALAR) {
        compare_figure(&g, f, node, object);
    } else {
        for (const struct og_yaml *n = node->first; n; n = n->next)
            for (const struct figure *one = f; one->key; one++)
                if (og_str_is(n->key, one->key))
                    compare_figure(&g, one, n, object);
    }
    cJSON_Delete(doc);
}
