/*
 * Reads the cases of a test file: for each case, the order that is to be decided, and the decision that is expected.
 * All faults are reported in one run. Unknown keys are errors, since an expectation under a misspelled key would never
 * be checked.
 */
#include "policy_test/policy_test.h"
#include "text/duplicate_keys.h"

struct og_srcloc og_test_start_loc(const struct og_policy_test *t)
{
    return (struct og_srcloc){ &t->source, 1, 1, 0 };
}

static void wrong_type(struct og_policy_test *t, const struct og_yaml *node, const char *what)
{
    og_error_at(&t->diagnostics, &t->source, node, "wrong-type", "%s", what);
}

static bool is_map(struct og_policy_test *t, const struct og_yaml *node, const char *what)
{
    if (node->kind != OG_YAML_MAP)
        wrong_type(t, node, what);
    return node->kind == OG_YAML_MAP;
}

bool og_test_is_word(struct og_policy_test *t, const struct og_yaml *node)
{
    if (node->kind == OG_YAML_SCALAR && node->text.len)
        return true;
    og_error_at(&t->diagnostics, &t->source, node, "wrong-type", "'%s' must be one word or text", og_see(node->key).s);
    return false;
}

int og_test_key_index(struct og_policy_test *t, const struct og_yaml *n, const char *whose, const char *const *keys,
                      size_t count)
{
    for (size_t i = 0; i < count; i++)
        if (og_str_is(n->key, keys[i]))
            return (int)i;
    og_error_at_key(&t->diagnostics, &t->source, n, "unknown-key", "%s has no key '%s'%s", whose, og_see(n->key).s,
                    og_diagnostic_hint(&t->diagnostics, n->key, keys, count));
    return -1;
}

/* --- keys of every level ------------------------------------------------------------------------------------------ */

/* Report a key that orders do not have. (To test an order with such a key, the test writes the order as a line of
 * JSON.) */
static void check_order_key(struct og_policy_test *t, struct og_str key, struct og_srcloc at)
{
    for (int i = 0; i < OG_KEY_OP; i++) /* the last key, op, is left out */
        if (og_str_is(key, og_key_names[i]))
            return;
    og_error_add(&t->diagnostics, at, "unknown-key",
                 "an order has no key '%s'%s; to test what the gate makes of it, write the order as a line: order: "
                 "'{\"...\":...}'",
                 og_see(key).s, og_diagnostic_hint(&t->diagnostics, key, og_key_names, OG_KEY_OP));
}

static void read_order(struct og_policy_test *t, const struct og_yaml *node)
{
    if (node->kind == OG_YAML_LIST)
        wrong_type(t, node,
                   "'order' must be a map of the order's keys, or the order as a line of JSON in quotation marks");
    for (const struct og_yaml *n = node->kind == OG_YAML_MAP ? node->first : NULL; n; n = n->next)
        check_order_key(t, n->key, og_srcloc_of_key(&t->source, n));
}

static void read_facts(struct og_policy_test *t, const struct og_yaml *node)
{
    const struct og_yaml *file = og_yaml_get(node, "file");

    if (node->kind == OG_YAML_LIST || (node->kind == OG_YAML_SCALAR && !node->text.len))
        wrong_type(t, node, "'facts' must be a map of facts, or the name of a file of them");
    else if (file && file->kind != OG_YAML_SCALAR)
        wrong_type(t, file, "'file' must be the name of a facts file");
}

bool og_test_read_level(struct og_policy_test *t, const struct og_yaml *n, struct og_test_level *to)
{
    if (og_str_is(n->key, "name")) {
        to->name = og_test_is_word(t, n) ? n : NULL;
        for (size_t i = 0; to->name && i < n->text.len; i++)
            if ((unsigned char)n->text.s[i] < ' ' || n->text.s[i] == 0x7f) {
                wrong_type(t, n, "a name must be one line of plain text");
                break;
            }
    } else if (og_str_is(n->key, "at")) {
        to->at = og_test_is_word(t, n) ? n : NULL;
    } else if (og_str_is(n->key, "account")) {
        to->account = og_test_is_word(t, n) ? n : NULL;
    } else if (og_str_is(n->key, "facts")) {
        to->facts = n;
        read_facts(t, n);
    } else if (og_str_is(n->key, "order")) {
        to->order = n;
        read_order(t, n);
    } else if (og_str_is(n->key, "request")) {
        to->request =
            is_map(t, n, "'request' must be a map with 'op' first, like {op: cancel, clientOrderId: a1}") ? n : NULL;
    } else if (og_str_is(n->key, "waivers")) {
        to->waivers = n;
        og_test_read_waivers(t, n);
    } else if (og_str_is(n->key, "expect")) {
        og_test_read_expect(t, n, &to->expect);
    } else {
        return false;
    }
    return true;
}

bool og_test_decided_at(const struct og_test_level *const *levels, size_t count, int64_t *ns)
{
    int64_t around = OG_TIME_UNKNOWN;

    for (size_t i = 0; i < count; i++, around = *ns)
        if (!levels[i]->at || !og_test_read_time(levels[i]->at->text, around, ns))
            *ns = levels[i]->at ? OG_TIME_UNKNOWN : around;
    return *ns != OG_TIME_UNKNOWN;
}

/* Check that the time of the decision is given, either at this level or at one around it. */
static void check_clock(struct og_policy_test *t, const struct og_test_level *outer, const struct og_test_level *middle,
                        const struct og_test_level *inner)
{
    const struct og_test_level *levels[] = { outer, middle, inner };
    int64_t ns;

    if (og_test_decided_at(levels, 3, &ns))
        return;
    if (inner->at)
        og_error_at(
            &t->diagnostics, &t->source, inner->at, "value-invalid",
            "'%s' is not a time: write RFC 3339 with offset, like 2026-01-15T10:00:00-05:00, or a time of day in "
            "New York, "
            "like 16:05, where an enclosing 'at' gives the day",
            og_see(inner->at->text).s);
    else if (!outer->at && !middle->at)
        og_error_at(
            &t->diagnostics, &t->source, inner->node, "key-missing",
            "the time of this decision is not given: give the file or the case 'at', like 2026-01-15T10:00:00-05:00");
}

/* --- tables ------------------------------------------------------------------------------------------------------- */

static void read_column(struct og_policy_test *t, const struct og_yaml *column)
{
    static const char *const words[] = { "name", "at", "account", "order.KEY", "facts.PATH", "request.KEY" };
    enum { PLAIN = 3, WORDS = 6 };
    const char *known[WORDS + OG_EXPECTATIONS];
    struct og_str rest, head;
    size_t count = WORDS;

    if (column->kind != OG_YAML_SCALAR) {
        wrong_type(t, column, "a column must be one word, like order.orderQuantity or verdict");
        return;
    }
    head = og_test_path_head(column->text, &rest);
    if (og_str_is(head, "order") && rest.len) {
        check_order_key(t, og_test_path_head(rest, &rest), og_srcloc_of(&t->source, column));
        return;
    }
    if ((og_str_is(head, "facts") || og_str_is(head, "request")) && rest.len)
        return;
    for (size_t i = 0; i < PLAIN; i++)
        if (og_str_is(column->text, words[i]))
            return;
    if (og_test_expectation_of(column->text) >= 0 && !og_str_is(column->text, "findings"))
        return;
    memcpy(known, words, sizeof words);
    for (int i = 0; i < OG_EXPECTATIONS; i++)
        if (i != OG_EXPECT_FINDINGS)
            known[count++] = og_test_expectation_keys[i];
    og_error_at(&t->diagnostics, &t->source, column, "unknown-column", "'%s' is not a column%s", og_see(column->text).s,
                og_diagnostic_hint(&t->diagnostics, column->text, known, count));
}

/* Read a cell that is an expectation or a time.  Cells for orders and facts are read when their row is run. */
static void read_cell(struct og_policy_test *t, const struct og_test_case *c, const struct og_yaml *column,
                      const struct og_yaml *cell)
{
    struct og_test_level row = { .node = cell };
    int what = og_test_expectation_of(column->text);
    bool blank = cell->kind == OG_YAML_SCALAR && !cell->quoted && (!cell->text.len || og_str_is(cell->text, "~"));

    if (blank)
        return;
    if (what >= 0) {
        og_test_read_expect_key(t, (enum og_expectation)what, cell, &row.expect);
    } else if (og_str_is(column->text, "at") && cell->kind == OG_YAML_SCALAR) {
        row.at = cell;
        check_clock(t, &t->level, &c->level, &row);
    } else if (cell->kind != OG_YAML_SCALAR && !memchr(column->text.s, '.', column->text.len)) {
        wrong_type(t, cell, "this cell must be one word or text");
    }
}

static void read_rows(struct og_policy_test *t, const struct og_test_case *c)
{
    for (const struct og_yaml *row = c->rows->first; row; row = row->next) {
        const struct og_yaml *column = c->columns->first;

        if (row->kind != OG_YAML_LIST || row->count != c->columns->count) {
            og_error_at(&t->diagnostics, &t->source, row, "table-row",
                        "a row must be a list with one cell for each column: %zu are expected, %zu were found",
                        c->columns->count, row->kind == OG_YAML_LIST ? row->count : 0);
            continue;
        }
        for (const struct og_yaml *cell = row->first; cell; cell = cell->next, column = column->next)
            if (column->kind == OG_YAML_SCALAR)
                read_cell(t, c, column, cell);
    }
}

static void read_table(struct og_policy_test *t, const struct og_yaml *node, struct og_test_case *c)
{
    static const char *const keys[] = { "columns", "rows" };

    if (!is_map(t, node, "'table' must be a map of 'columns' and 'rows'"))
        return;
    for (const struct og_yaml *n = node->first; n; n = n->next) {
        int key = og_test_key_index(t, n, "a table", keys, 2);

        if (key >= 0 && (n->kind != OG_YAML_LIST || !n->first))
            wrong_type(t, n,
                       key ? "'rows' must be a list of lists"
                           : "'columns' must be a list, like [order.orderQuantity, verdict]");
        else if (key == 0)
            c->columns = n;
        else if (key == 1)
            c->rows = n;
    }
    for (const struct og_yaml *n = c->columns ? c->columns->first : NULL; n; n = n->next)
        read_column(t, n);
    if (c->columns && c->rows)
        read_rows(t, c);
    else if (!og_yaml_get(node, "columns") || !og_yaml_get(node, "rows"))
        wrong_type(t, node, "a table must have 'columns' and 'rows'");
}

/* --- sequences ---------------------------------------------------------------------------------------------------- */

static void read_step(struct og_policy_test *t, const struct og_test_case *c, const struct og_yaml *node)
{
    static const char *const keys[] = {
        "name", "at", "facts", "order", "request", "waivers", "expect", "quote", "then"
    };
    static const char *const words[] = { "filled", "rejected", "released" };
    struct og_test_level step = { .node = node };

    if (!is_map(t, node, "a step must be a map, like {order: {...}, expect: {verdict: accept}}"))
        return;
    for (const struct og_yaml *n = node->first; n; n = n->next) {
        int key = og_test_key_index(t, n, "a step", keys, sizeof keys / sizeof *keys);
        bool known = false;

        if (key < 7 && key >= 0)
            og_test_read_level(t, n, &step);
        else if (key == 7)
            (void)is_map(t, n, "'quote' must be a map, like {symbol: AAPL, bid: 189.98, ask: 190.02, last: 190}");
        for (size_t i = 0; key == 8 && i < 3; i++)
            known = known || og_str_is(n->text, words[i]);
        if (key == 8 && !known)
            og_error_at(&t->diagnostics, &t->source, n, "value-invalid",
                        "'then' is filled, rejected or released, not '%s'", og_see(n->text).s);
    }
    if (step.order && step.request)
        wrong_type(t, node, "a step must be an order or a request, not both");
    check_clock(t, &t->level, &c->level, &step);
}

/* --- cases -------------------------------------------------------------------------------------------------------- */

static const char *const case_keys[] = { "name",    "at",       "account",    "facts",       "order",
                                         "request", "waivers",  "expect",     "description", "orders",
                                         "table",   "sequence", "independent" };
enum { CASE_KEYS = sizeof case_keys / sizeof *case_keys };

static void read_case_key(struct og_policy_test *t, const struct og_yaml *n, struct og_test_case *c)
{
    if (og_test_key_index(t, n, "a case", case_keys, CASE_KEYS) < 0 || og_test_read_level(t, n, &c->level))
        return;
    if (og_str_is(n->key, "orders")) {
        c->orders = og_test_is_word(t, n) ? n : NULL;
    } else if (og_str_is(n->key, "table")) {
        read_table(t, n, c);
    } else if (og_str_is(n->key, "sequence")) {
        if (n->kind != OG_YAML_LIST || !n->first)
            wrong_type(t, n, "'sequence' must be a list of steps");
        else
            c->sequence = n;
    } else if (og_str_is(n->key, "independent")) {
        c->independent = og_str_is(n->text, "true");
        if (!c->independent && !og_str_is(n->text, "false"))
            wrong_type(t, n, "'independent' must be true or false");
    }
}

static bool has_expectation(const struct og_yaml *columns)
{
    for (const struct og_yaml *n = columns->first; n; n = n->next)
        if (og_test_expectation_of(n->text) >= 0)
            return true;
    return false;
}

/* Check a whole case. The case's expectation applies to each of its decisions. */
static void check_case(struct og_policy_test *t, struct og_test_case *c)
{
    const struct og_yaml *node = c->level.node;
    int kinds = !!og_yaml_get(node, "orders") + !!og_yaml_get(node, "table") + !!og_yaml_get(node, "sequence");

    if (!c->level.name && !og_yaml_get(node, "name"))
        og_error_at(&t->diagnostics, &t->source, node, "key-missing",
                    "a case must have a 'name' that says what it shows");
    if (kinds > 1)
        wrong_type(t, node, "a case must have only one of 'orders', 'table' and 'sequence'");
    if (c->level.request && (c->level.order || c->orders || c->sequence))
        wrong_type(t, node, "a case with a 'request' must not have an order too");
    if (kinds == 0 && !c->level.order && !c->level.request && !t->level.order)
        wrong_type(t, node,
                   "this case has nothing to decide: give it 'order', 'request', 'orders', 'table' or 'sequence'");
    if (c->independent && !c->orders)
        wrong_type(t, node, "'independent' belongs to 'orders'");
    if (!c->level.expect.given && (c->orders || (c->columns && !has_expectation(c->columns))))
        wrong_type(t, node,
                   c->orders ? "nothing is expected of these orders: give the case 'expect'"
                             : "nothing is expected of these rows: give the table a column verdict or reasons");
    if (kinds)
        c->level.expect.shared = ~0u;
    if (!c->columns || !c->rows)
        check_clock(t, &t->level, &c->level, &c->level);
}

static void read_case(struct og_policy_test *t, const struct og_yaml *node, struct og_test_case *c)
{
    c->level.node = node;
    if (!is_map(t, node, "a case must be a map that begins with 'name'"))
        return;
    for (const struct og_yaml *n = node->first; n; n = n->next)
        read_case_key(t, n, c);
    check_case(t, c);
    for (const struct og_yaml *n = c->sequence ? c->sequence->first : NULL; n; n = n->next)
        read_step(t, c, n);
}

static void check_names(struct og_policy_test *t)
{
    struct og_seen_keys names;

    og_seen_keys_init(&names);
    (void)og_seen_keys_open(&names);
    for (size_t i = 0; i < t->count; i++) {
        const struct og_yaml *name = t->cases[i].level.name;
        enum og_seen_keys_answer answer = name ? og_seen_keys_add(&names, name->text) : OG_KEY_NEW;

        if (answer == OG_KEY_AGAIN)
            og_error_at(&t->diagnostics, &t->source, name, "name-again",
                        "another case is also named '%s': names must be unique", og_see(name->text).s);
        t->diagnostics.oom = t->diagnostics.oom || answer == OG_KEY_NOMEM;
    }
    og_seen_keys_clear(&names);
}

void og_test_read_cases(struct og_policy_test *t, const struct og_yaml *node)
{
    struct og_test_case *c;

    if (node->kind != OG_YAML_LIST || !node->first) {
        wrong_type(t, node, "'cases' must be a list; each begins with '- name:'");
        return;
    }
    t->cases = c = og_arena_take(&t->arena, node->count * sizeof *c);
    if (!c) {
        t->diagnostics.oom = true;
        return;
    }
    t->count = node->count;
    for (const struct og_yaml *n = node->first; n; n = n->next)
        read_case(t, n, c++);
    check_names(t);
}
