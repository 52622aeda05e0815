/*
 * Compiles a text, and answers questions about compiled expressions.  A text that is too long is rejected before it is
 * read.
 */
#include "expr/compile.h"

#include <stdlib.h>

#include "base/utf8.h"

bool og_compile_list_values(struct og_compiler *c, struct og_expr_list *list)
{
    struct og_expr_value *values;

    if (list->values)
        return true;
    values = og_arena_take(c->keep, (list->words.count + 1) * sizeof *values);
    if (!values)
        return og_compile_no_memory(c);
    for (size_t i = 0; i < list->words.count; i++)
        values[i] = og_expr_string(list->words.word[i]);
    if (!list->words.slot && !og_string_set_index(&list->words, c->keep))
        return og_compile_no_memory(c);
    list->values = values;
    return true;
}

static bool is_utf8(struct og_compiler *c)
{
    const char *p = c->text.s, *end = p + c->text.len;

    while (p < end) {
        size_t len = og_utf8_len(p, end);

        if (!len)
            return og_compile_fail(c, (size_t)(p - c->text.s), OG_EXPR_BAD_SYNTAX, "this byte is not UTF-8");
        p += len;
    }
    return true;
}

/* Copy n items into the arena that lives as long as the expression.  Returns NULL if out of memory. */
static void *copy_kept(struct og_compiler *c, const void *items, size_t n, size_t size)
{
    void *to = c->failed ? NULL : og_arena_take(c->keep, n * size + 1);

    if (!to)
        og_compile_no_memory(c);
    else if (n)
        memcpy(to, items, n * size);
    return to;
}

/* Returns the index of the name that a node reads; -1 if it reads none. */
static int name_of(const struct og_expr_node *n)
{
    return n->op == OG_OP_NAME || n->op == OG_OP_HAS_NAME ? n->arg : -1;
}

static unsigned reads_of(const struct og_compiler *c)
{
    unsigned reads = 0;

    for (size_t i = 0; i < c->nodes; i++)
        if (name_of(&c->node[i]) >= 0)
            reads |= og_expr_named[c->node[i].arg].is.facts;
    return reads;
}

static const struct og_expr *make_expr(struct og_compiler *c, size_t end, int type)
{
    struct og_expr *e = og_arena_take(c->keep, sizeof *e);
    struct og_expr_node *node = copy_kept(c, c->node, c->nodes, sizeof *node);

    if (!e || !node) {
        og_compile_no_memory(c);
        return NULL;
    }
    e->text.s = copy_kept(c, c->text.s, end, 1);
    e->text.len = end;
    e->constants = copy_kept(c, c->constant, c->constants, sizeof *c->constant);
    for (size_t i = 0; e->constants && i < c->nodes; i++)
        node[i].value = node[i].op == OG_OP_CONST ? &e->constants[node[i].arg] : NULL;
    e->root = &node[c->nodes - 1];
    e->code = og_expr_emit(e->root, c->keep, &e->length);
    if (!e->code)
        og_compile_no_memory(c);
    e->type = type;
    e->reads = reads_of(c);
    e->cost = (unsigned)c->cost;
    e->lists = c->lists;
    for (const struct og_expr_list_name *l = e->lists; l; l = l->next)
        e->ages = e->ages || og_list_must_be_young(&l->age);
    return c->failed ? NULL : e;
}

static bool compile_whole(struct og_compiler *c, enum og_expr_want want, bool braced, struct og_operand *o)
{
    if (c->text.len > OG_EXPR_BYTES_MOST && !braced)
        return og_compile_fail(c, OG_EXPR_BYTES_MOST, OG_EXPR_BAD_SIZE, "this expression has %zu bytes, allowed are %d",
                               c->text.len, OG_EXPR_BYTES_MOST);
    if (!is_utf8(c) || !og_compile_next(c))
        return false;
    if (c->token.kind == OG_TOKEN_END)
        return og_compile_fail(c, c->token.at, OG_EXPR_BAD_SYNTAX, "the expression is empty");
    if (!og_compile_expr(c, o))
        return false;
    if (braced ? !og_compile_is(c, '}') : c->token.kind != OG_TOKEN_END)
        return og_compile_unexpected(c, braced ? "an operator or '}'" : "an operator or the end");
    if (want == OG_EXPR_BOOL && o->type != OG_TYPE_BOOL)
        return og_compile_fail(c, o->at, OG_EXPR_BAD_TYPE, "a condition must be of type bool, and this is of type %s",
                               og_expr_type_name(o->type));
    if (c->cost > OG_EXPR_COST_MOST)
        return og_compile_fail(c, o->at, OG_EXPR_BAD_SIZE, "this takes %llu steps at worst: at most %d are allowed",
                               (unsigned long long)c->cost, OG_EXPR_COST_MOST);
    return true;
}

const struct og_expr *og_expr_compile_part(struct og_str text, bool braced, enum og_expr_want want,
                                           const struct og_expr_names *names, struct og_arena *keep,
                                           struct og_patterns **patterns, struct og_expr_diagnostic *diagnostic,
                                           size_t *end)
{
    struct og_compiler *c = calloc(1, sizeof *c);
    struct og_operand o = { 0 };
    const struct og_expr *e = NULL;

    *diagnostic = (struct og_expr_diagnostic){ 0 };
    if (!c) {
        og_expr_fail(diagnostic, 0, NULL, "out of memory");
        return NULL;
    }
    c->text = text;
    c->names = names;
    c->keep = keep;
    c->patterns = patterns;
    c->diagnostic = diagnostic;
    c->lists_end = &c->lists;
    og_arena_init(&c->temporary, 0);
    if (compile_whole(c, want, braced, &o)) {
        *end = braced ? c->token.at : text.len;
        e = make_expr(c, *end, o.type);
    }
    og_arena_clear(&c->temporary);
    free(c);
    return e;
}

const struct og_expr *og_expr_compile(struct og_str text, enum og_expr_want want, const struct og_expr_names *names,
                                      struct og_arena *keep, struct og_patterns **patterns,
                                      struct og_expr_diagnostic *diagnostic)
{
    size_t end;

    return og_expr_compile_part(text, false, want, names, keep, patterns, diagnostic, &end);
}

int og_expr_type_of(const struct og_expr *e)
{
    return e->type;
}

unsigned og_expr_reads(const struct og_expr *e)
{
    return e->reads;
}

unsigned og_expr_cost(const struct og_expr *e)
{
    return e->cost;
}

struct og_str og_expr_text(const struct og_expr *e)
{
    return e->text;
}

const char *og_expr_field(const struct og_expr *e)
{
    for (const struct og_expr_node *n = og_expr_first(e->root); n <= e->root; n++) {
        int name = name_of(n);

        if (name >= 0 && *og_expr_named[name].is.field)
            return og_expr_named[name].is.field;
    }
    return "";
}

const char *og_expr_name_used(const struct og_expr *e, size_t i)
{
    for (size_t name = 0; name < OG_EXPR_NAMES; name++) {
        const struct og_expr_node *n = og_expr_first(e->root);

        while (n <= e->root && name_of(n) != (int)name)
            n++;
        if (n <= e->root && i-- == 0)
            return og_expr_named[name].is.name;
    }
    return NULL;
}

bool og_expr_reads_one_of(const struct og_expr *e, const char *const *names)
{
    for (const struct og_expr_node *n = e ? og_expr_first(e->root) : NULL; n && n <= e->root; n++) {
        int name = name_of(n);

        if (name >= 0 && og_str_is_one_of(og_str_of(og_expr_named[name].is.name), names))
            return true;
    }
    return false;
}

struct og_str og_expr_list_used(const struct og_expr *e, size_t i)
{
    const struct og_expr_list_name *l = e->lists;

    for (; l && i; i--)
        l = l->next;
    return l ? l->name : (struct og_str){ NULL, 0 };
}

bool og_expr_reads_list(const struct og_expr *e, struct og_str list)
{
    const struct og_expr_list_name *l = e ? e->lists : NULL;

    while (l && !og_str_eq(l->name, list))
        l = l->next;
    return l != NULL;
}

bool og_expr_is_constant(const struct og_expr *e, bool *truth)
{
    bool is = e->type == OG_TYPE_BOOL && e->root->op == OG_OP_CONST && !e->ages;

    if (is)
        *truth = e->root->value->as.truth;
    return is;
}
