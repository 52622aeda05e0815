/*
 * Random expressions: the compiled program has the same value as a plain walk over the tree, whether or not constants
 * were folded. This test has a tree of its own: it is written as text for the compiler, and evaluated here by the
 * rules of the manual.
 */
#include <stdio.h>

#include "base/buf.h"
#include "expr_case.h"
#include "unit.h"

enum { TREES = 20000, NODES = 400, DEPTH = 5, ITEMS = 3, LOOPS = 3 };
enum type { BOOL, INT, DEC, STR, TYPES };
enum kind {
    LITERAL,
    NAME,
    ITEM,
    NOT,
    NEGATE,
    AND,
    OR,
    CONDITION,
    ADD,
    SUB,
    MUL,
    DIV,
    MOD,
    EQ,
    NE,
    LT,
    LE,
    GT,
    GE,
    IN,
    ALL,
    EXISTS,
    EXISTS_ONE,
    SIZE,
    STARTS,
    CONTAINS,
    TO_INT,
    TO_DEC
};
static const char *const signs[] = {
    [AND] = "&&", [OR] = "||", [ADD] = "+", [SUB] = "-", [MUL] = "*", [DIV] = "/", [MOD] = "%",
    [EQ] = "==",  [NE] = "!=", [LT] = "<",  [LE] = "<=", [GT] = ">",  [GE] = ">=", [IN] = "in"
};
static const char *const macros[] = { [ALL] = "all", [EXISTS] = "exists", [EXISTS_ONE] = "exists_one" };

struct node {
    enum kind kind;
    enum type type;
    struct node *a, *b, *c, *item[ITEMS];
    int items, slot;  /* number of items of a list; slot of a loop and its item */
    const char *text; /* text of a literal or name */
};

/* The value found by walking the tree; with `skip` this test does not handle the value. */
struct result {
    enum og_expr_state state;
    bool truth, skip;
    struct og_money number;
    struct og_str text;
};

static struct node nodes[NODES];
static int count;
static uint64_t seed = 88172645463325252u;

static unsigned below(unsigned n)
{
    seed ^= seed << 13;
    seed ^= seed >> 7;
    seed ^= seed << 17;
    return (unsigned)(seed % n);
}

/* --- making ------------------------------------------------------------------------------------------------------- */

static const char *const literals[TYPES][8] = {
    [BOOL] = { "true", "false", "true", "false", "true", "false", "true", "false" },
    [INT] = { "0", "1", "2", "3", "100", "7", "9223372036854775807", "0x10" },
    [DEC] = { "0.0", "1.5", "0.25", "3.0", "4.995", "1e3", "0.00000001", "99999999.5" },
    [STR] = { "\"\"", "'GME'", "\"G\"", "\"AMC\"", "r\"a\\b\"", "\"\\u00e9\"", "'''x'''", "\"GMEx\"" },
};
/* Names by type; a known value is twice as frequent as an error or an unknown one. */
static const char *const names[TYPES][4] = {
    [BOOL] = { "order.opens", "session.open", "order.reduces", "borrow.easy" },
    [INT] = { "order.orderQuantity", "session.minutesFromOpen", "order.daysToExpiry", "account.optLevel" },
    [DEC] = { "order.limitPrice", "order.limitNotional", "order.stopPrice", "account.equity" },
    [STR] = { "order.symbol", "order.side", "order.expiry", "account.accountType" },
};

static struct node *make(enum type type, int depth, int loops, const enum type *scope);

static struct node *take(enum kind kind, enum type type)
{
    struct node *n = &nodes[count++];

    *n = (struct node){ .kind = kind, .type = type };
    return n;
}

static struct node *make_leaf(enum type type, int loops, const enum type *scope)
{
    struct node *n = take(LITERAL, type);
    unsigned which = below(10);

    for (int i = 0; i < loops; i++)
        if (scope[i] == type && below(2)) {
            n->kind = ITEM;
            n->slot = i;
            return n;
        }
    n->kind = which < 5 ? LITERAL : NAME;
    n->text = which < 5 ? literals[type][below(8)] : names[type][below(4)];
    return n;
}

static struct node *make_pair(enum kind kind, enum type type, enum type a, enum type b, int depth, int loops,
                              const enum type *scope)
{
    struct node *n = take(kind, type);

    n->a = make(a, depth - 1, loops, scope);
    n->b = make(b, depth - 1, loops, scope);
    return n;
}

static struct node *make_list(enum kind kind, int depth, int loops, const enum type *scope)
{
    struct node *n = take(kind, BOOL);
    enum type item = (enum type)(BOOL + below(TYPES)), inner[LOOPS + 1];

    memcpy(inner, scope, (size_t)loops * sizeof *inner);
    inner[loops] = item;
    for (n->items = 1 + (int)below(ITEMS), n->slot = 0; n->slot < n->items; n->slot++)
        n->item[n->slot] = make(item, depth > 2 ? 2 : depth - 1, loops, scope);
    n->slot = loops;
    n->a = kind == IN ? make(item, depth - 1, loops, scope) : make(BOOL, depth - 1, loops + 1, inner);
    return n;
}

static struct node *make_bool(int depth, int loops, const enum type *scope)
{
    unsigned which = below(12);
    enum type both = (enum type)below(TYPES);

    if (which < 4)
        return make_pair(which < 2 ? AND : OR, BOOL, BOOL, BOOL, depth, loops, scope);
    if (which < 7)
        return make_pair((enum kind)(EQ + below(6)), BOOL, both == INT && below(2) ? DEC : both, both, depth, loops,
                         scope);
    if (which < 9 && loops < LOOPS)
        return make_list((enum kind)(IN + below(4)), depth, loops, scope);
    if (which == 9)
        return make_pair(below(2) ? STARTS : CONTAINS, BOOL, STR, STR, depth, loops, scope);
    return make_pair(NOT, BOOL, BOOL, BOOL, depth, loops, scope);
}

static struct node *make(enum type type, int depth, int loops, const enum type *scope)
{
    struct node *n;

    if (depth <= 0 || count > NODES - 60 || below(6) == 0)
        return make_leaf(type, loops, scope);
    if (below(7) == 0) {
        n = make_pair(CONDITION, type, BOOL, type, depth, loops, scope);
        n->c = make(type, depth - 1, loops, scope);
        return n;
    }
    switch (type) {
    case BOOL: return make_bool(depth, loops, scope);
    case STR: return make_pair(ADD, STR, STR, STR, depth, loops, scope);
    case INT:
        if (below(5) == 0)
            return make_pair(below(2) ? SIZE : TO_INT, INT, below(2) ? STR : DEC, STR, 1, loops, scope);
        return below(8) == 0 ? make_pair(NEGATE, INT, INT, INT, depth, loops, scope)
                             : make_pair((enum kind)(ADD + below(5)), INT, INT, INT, depth, loops, scope);
    default:
        if (below(8) == 0)
            return make_pair(below(2) ? NEGATE : TO_DEC, DEC, DEC, DEC, depth, loops, scope);
        return make_pair((enum kind)(ADD + below(4)), DEC, DEC, below(2) ? INT : DEC, depth, loops, scope);
    }
}

/* --- writing ------------------------------------------------------------------------------------------------------ */

/* Write the tree as text. With `hidden` it has no literals, so that the compiler cannot fold anything. */
static void write_node(const struct node *n, bool hidden, struct og_buf *b)
{
    static const char *const variables[] = { "x", "y", "z" };

    switch (n->kind) {
    case LITERAL: og_buf_format(b, hidden ? "(order.orderQuantity == 100 ? %s : %s)" : "%s", n->text, n->text); return;
    case NAME: og_buf_text(b, n->text); return;
    case ITEM: og_buf_text(b, variables[n->slot]); return;
    case NOT:
    case NEGATE:
        og_buf_text(b, n->kind == NOT ? "!(" : "-(");
        write_node(n->a, hidden, b);
        break;
    case SIZE:
    case TO_INT:
    case TO_DEC:
        og_buf_text(b, n->kind == SIZE ? "size(" : n->kind == TO_INT ? "int(" : "decimal(");
        write_node(n->a, hidden, b);
        break;
    case STARTS:
    case CONTAINS:
        og_buf_char(b, '(');
        write_node(n->a, hidden, b);
        og_buf_text(b, n->kind == STARTS ? ").startsWith(" : ").contains(");
        write_node(n->b, hidden, b);
        break;
    case CONDITION:
        og_buf_char(b, '(');
        write_node(n->a, hidden, b);
        og_buf_text(b, " ? ");
        write_node(n->b, hidden, b);
        og_buf_text(b, " : ");
        write_node(n->c, hidden, b);
        break;
    case IN:
    case ALL:
    case EXISTS:
    case EXISTS_ONE:
        og_buf_char(b, '(');
        if (n->kind == IN) {
            write_node(n->a, hidden, b);
            og_buf_text(b, " in ");
        }
        for (int i = 0; i < n->items; i++) {
            og_buf_text(b, i ? ", " : "[");
            write_node(n->item[i], hidden, b);
        }
        og_buf_char(b, ']');
        if (n->kind != IN) {
            og_buf_format(b, ".%s(%s, ", macros[n->kind], variables[n->slot]);
            write_node(n->a, hidden, b);
            og_buf_char(b, ')');
        }
        break;
    default:
        og_buf_char(b, '(');
        write_node(n->a, hidden, b);
        og_buf_format(b, " %s ", signs[n->kind]);
        write_node(n->b, hidden, b);
    }
    og_buf_char(b, ')');
}

/* --- evaluating the tree ------------------------------------------------------------------------------------------ */

static char made[1 << 16];
static size_t made_len;
static struct result items[LOOPS];
static struct expr_case here;

static struct result walk(const struct node *n);

static struct result not_known(enum og_expr_state state)
{
    return (struct result){ .state = state };
}

static struct result truth(bool is)
{
    return (struct result){ .truth = is };
}

static struct result number(bool ok, struct og_money m)
{
    return ok ? (struct result){ .number = m } : not_known(OG_EXPR_ERROR);
}

static struct result leaf(const struct node *n)
{
    static const char *const texts[] = { "", "GME", "G", "AMC", "a\\b", "\xC3\xA9", "x", "GMEx" };
    struct result r = { .state = OG_EXPR_KNOWN };
    int i = 0;

    if (n->kind == NAME) {
        while (names[n->type][i] != n->text)
            i++;
        if (i >= 2)
            return n->type == BOOL && i == 2 ? truth(false) : not_known(i == 2 ? OG_EXPR_ERROR : OG_EXPR_UNKNOWN);
        switch (n->type) {
        case BOOL: return truth(true);
        case INT: return number(true, og_money_from(i ? 30 : 100));
        case DEC: return number(true, i ? (struct og_money){ 4995, 1 } : (struct og_money){ 4995, 3 });
        default: r.text = og_str_of(i ? "Sell" : "GME"); return r;
        }
    }
    while (literals[n->type][i] != n->text)
        i++;
    if (n->type == BOOL)
        return truth(i % 2 == 0);
    if (n->type == STR)
        r.text = og_str_of(texts[i]);
    else if (n->type == INT && i == 7)
        r.number = og_money_from(16);
    else
        assert_true(og_money_read(n->text, strlen(n->text), &r.number));
    return r;
}

static struct result logic(struct result a, struct result b, bool decides)
{
    if ((!a.state && a.truth == decides) || (!b.state && b.truth == decides))
        return truth(decides);
    if (!a.state && !b.state)
        return truth(!decides);
    return not_known(a.state == OG_EXPR_UNKNOWN || b.state == OG_EXPR_UNKNOWN ? OG_EXPR_UNKNOWN : OG_EXPR_ERROR);
}

__extension__ typedef __int128 wide;

static wide power(int n)
{
    wide p = 1;

    while (n-- > 0)
        p *= 10;
    return p;
}

/* Divide to eight decimals, rounding half to even, if the plain computation fits in 128 bits. */
static struct result divided(struct og_money a, struct og_money b)
{
    wide up = 8 + b.scale, num, den, q, r;
    bool minus = (a.coef < 0) != (b.coef < 0);

    if (b.coef == 0)
        return not_known(OG_EXPR_ERROR);
    if (__builtin_mul_overflow((wide)a.coef, power((int)up), &num) ||
        __builtin_mul_overflow((wide)b.coef, power(a.scale), &den))
        return (struct result){ .skip = true };
    num = num < 0 ? -num : num;
    den = den < 0 ? -den : den;
    q = num / den;
    r = num % den;
    if (r > den - r || (r == den - r && q % 2))
        q++;
    if (q > INT64_MAX)
        return not_known(OG_EXPR_ERROR);
    for (up = 8; up > 0 && q % 10 == 0; up--)
        q /= 10;
    return number(true, (struct og_money){ (int64_t)(minus ? -q : q), q ? (int32_t)up : 0 });
}

static struct result whole(enum kind kind, int64_t a, int64_t b)
{
    wide sum = 0;

    if ((kind == DIV || kind == MOD) && b == 0)
        return not_known(OG_EXPR_ERROR);
    switch (kind) {
    case ADD: sum = (wide)a + b; break;
    case SUB: sum = (wide)a - b; break;
    case MUL: sum = (wide)a * b; break;
    case DIV: sum = (wide)a / b; break;
    default: return a == INT64_MIN && b == -1 ? not_known(OG_EXPR_ERROR) : number(true, og_money_from(a % b));
    }
    return number(sum >= INT64_MIN && sum <= INT64_MAX, og_money_from((int64_t)sum));
}

static struct result sum(const struct node *n, struct result a, struct result b)
{
    struct og_money m = { 0, 0 };

    if (n->type == STR) {
        struct result r = { .text = { made + made_len, a.text.len + b.text.len } };

        if (r.text.len)
            memcpy(made + made_len, a.text.s, a.text.len);
        if (b.text.len)
            memcpy(made + made_len + a.text.len, b.text.s, b.text.len);
        made_len += r.text.len;
        return r;
    }
    if (n->type == INT)
        return whole(n->kind, a.number.coef, b.number.coef);
    switch (n->kind) {
    case ADD: return number(og_money_add(a.number, b.number, &m), m);
    case SUB: return number(og_money_sub(a.number, b.number, &m), m);
    case MUL: return number(og_money_mul(a.number, b.number, &m), m);
    default: return divided(a.number, b.number);
    }
}

static int order_of(enum type type, struct result a, struct result b)
{
    size_t len = a.text.len < b.text.len ? a.text.len : b.text.len;
    int order;

    if (type == BOOL)
        return a.truth - b.truth;
    if (type != STR)
        return og_money_cmp(a.number, b.number);
    order = len ? memcmp(a.text.s, b.text.s, len) : 0;
    return order ? order : (a.text.len > b.text.len) - (a.text.len < b.text.len);
}

static struct result compared(const struct node *n, struct result a, struct result b)
{
    int order = order_of(n->a->type, a, b);

    switch (n->kind) {
    case EQ: return truth(order == 0);
    case NE: return truth(order != 0);
    case LT: return truth(order < 0);
    case LE: return truth(order <= 0);
    case GT: return truth(order > 0);
    case GE: return truth(order >= 0);
    case STARTS: return truth(a.text.len >= b.text.len && (!b.text.len || !memcmp(a.text.s, b.text.s, b.text.len)));
    default: return truth(!b.text.len || (a.text.len && memmem(a.text.s, a.text.len, b.text.s, b.text.len)));
    }
}

static enum og_expr_state worst(enum og_expr_state a, enum og_expr_state b)
{
    return a == OG_EXPR_UNKNOWN || b == OG_EXPR_UNKNOWN ? OG_EXPR_UNKNOWN : a ? a : b;
}

static struct result over_list(const struct node *n)
{
    struct result item[ITEMS], r = truth(n->kind == ALL), one;
    enum og_expr_state state = OG_EXPR_KNOWN, of = OG_EXPR_KNOWN;
    int found = 0;

    for (int i = 0; i < n->items; i++) {
        item[i] = walk(n->item[i]);
        if (item[i].skip)
            return item[i];
        state = worst(state, item[i].state);
    }
    one = n->kind == IN ? walk(n->a) : r;
    if (one.skip)
        return one;
    state = worst(state, one.state);
    if (state)
        return not_known(state);
    for (int i = 0; i < n->items; i++) {
        if (n->kind == IN) {
            found += order_of(n->a->type, one, item[i]) == 0;
            continue;
        }
        items[n->slot] = item[i];
        one = walk(n->a);
        if (one.skip)
            return one;
        of = worst(of, one.state);
        found += !one.state && one.truth;
        r = logic(r, one, n->kind == EXISTS);
    }
    if (n->kind == EXISTS_ONE)
        return of ? not_known(of) : truth(found == 1);
    return n->kind == IN ? truth(found > 0) : r;
}

static struct result converted(const struct node *n, struct result a)
{
    struct og_money m = { 0, 0 };
    int64_t points = 0;

    switch (n->kind) {
    case NOT: return truth(!a.truth);
    case NEGATE: return number(og_money_sub(m, a.number, &m), m);
    case TO_DEC: return a;
    case TO_INT:
        if (n->a->type == STR) /* no text of this test spells a number */
            return not_known(OG_EXPR_ERROR);
        return number(true, og_money_from((int64_t)((wide)a.number.coef / power(a.number.scale))));
    default: break;
    }
    for (size_t i = 0; i < a.text.len; i++)
        points += (a.text.s[i] & 0xC0) != 0x80;
    return number(true, og_money_from(points));
}

static struct result walk(const struct node *n)
{
    struct result a, b;

    if (n->kind <= NAME)
        return leaf(n);
    if (n->kind == ITEM)
        return items[n->slot];
    if (n->kind >= IN && n->kind <= EXISTS_ONE)
        return over_list(n);
    a = walk(n->a);
    if (a.skip)
        return a;
    if (n->kind == CONDITION)
        return a.state ? a : walk(a.truth ? n->b : n->c);
    if (n->kind == NOT || n->kind == NEGATE || n->kind >= SIZE)
        if (n->kind != STARTS && n->kind != CONTAINS)
            return a.state ? a : converted(n, a);
    b = walk(n->b);
    if (b.skip)
        return b;
    if (n->kind == AND || n->kind == OR)
        return logic(a, b, n->kind == OR);
    if (a.state || b.state)
        return not_known(worst(a.state, b.state));
    return n->kind <= MOD ? sum(n, a, b) : compared(n, a, b);
}

/* --- the test ----------------------------------------------------------------------------------------------------- */

static void assert_same(struct og_expr_value v, struct result r, enum type type, const char *text)
{
    bool same = v.state == r.state;

    if (same && !v.state)
        same = type == BOOL  ? v.as.truth == r.truth
               : type == STR ? og_str_eq(v.as.text, r.text)
                             : v.as.number.coef == r.number.coef && v.as.number.scale == r.number.scale;
    if (!same)
        fail_msg("%s\nstate %d, here %d; truth %d, here %d; number %s, here %s", text, (int)v.state, (int)r.state,
                 v.as.truth, r.truth, og_money_text(v.as.number).s, og_money_text(r.number).s);
}

/* Returns true if the node can be written as text: SIZE is for strings only. */
static bool is_written(const struct node *n)
{
    for (int i = 0; i < count; i++)
        if (nodes[i].kind == SIZE && nodes[i].a->type != STR)
            return false;
    return n != NULL;
}

static struct result as_result(struct og_expr_value v, enum type type)
{
    struct result r = { .state = v.state };

    if (v.state)
        return r;
    if (type == BOOL)
        r.truth = v.as.truth;
    else if (type == STR)
        r.text = v.as.text;
    else
        r.number = v.as.number;
    return r;
}

static void try_tree(const struct node *tree, long *tried, long *known, long *refused)
{
    struct og_expr_diagnostic fault;
    struct og_buf text, plain;
    const struct og_expr *e;
    struct result r;
    struct og_expr_value v;

    og_buf_init(&text, 0);
    og_buf_init(&plain, 0);
    write_node(tree, true, &text);
    write_node(tree, false, &plain);
    made_len = 0;
    r = walk(tree);
    e = r.skip || text.len > OG_EXPR_BYTES_MOST ? NULL
                                                : og_expr_compile((struct og_str){ text.s, text.len }, OG_EXPR_ANY,
                                                                  NULL, &here.arena, &here.patterns, &fault);
    if (e) {
        ++*tried;
        v = og_expr_value_of(e, &here.is, here.room);
        assert_same(v, r, tree->type, text.s);
        *known += !v.state;
        r = as_result(v, tree->type);
        if (tree->type == STR && !v.state && r.text.len) {
            memcpy(made, r.text.s, r.text.len);
            r.text.s = made;
        }
        e = og_expr_compile((struct og_str){ plain.s, plain.len }, OG_EXPR_ANY, NULL, &here.arena, &here.patterns,
                            &fault);
        if (e)
            assert_same(og_expr_value_of(e, &here.is, here.room), r, tree->type, plain.s);
        else
            assert_string_equal(fault.code, "expression-value"); /* a constant part of the expression can only fail */
        *refused += !e;
    } else if (!r.skip && text.len <= OG_EXPR_BYTES_MOST && strcmp(fault.code, "expression-too-large") != 0) {
        fail_msg("%s: %s at %zu", text.s, fault.text, fault.at);
    }
    og_buf_clear(&text);
    og_buf_clear(&plain);
}

static void test_random_expressions(void **state)
{
    long tried = 0, known = 0, refused = 0;
    enum type scope[LOOPS];

    (void)state;
    expr_case_open(&here, EXPR_ORDER, NULL);
    for (int i = 0; i < TREES; i++) {
        struct node *tree;

        count = 0;
        tree = make((enum type)below(TYPES), DEPTH, 0, scope);
        if (is_written(tree))
            try_tree(tree, &tried, &known, &refused);
        og_arena_clear(&here.arena);
    }
    print_message("%ld tried, %ld known, %ld refused as constants\n", tried, known, refused);
    assert_true(tried > TREES / 2 && known > TREES / 5 && refused > TREES / 100);
    expr_case_close(&here);
}

int main(void)
{
    const struct CMUnitTest tests[] = { cmocka_unit_test(test_random_expressions) };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
