/*
 * Compiles calls: macros, and functions by their overloads.  Patterns and time zones must be literals, since they are
 * read when the policy loads.
 */
#include "base/error.h"
#include "expr/compile.h"

#define ARGS_MOST 4

struct call {
    struct og_token name;
    bool method;
    struct og_operand arg[ARGS_MOST]; /* arg[0] is the receiver, if there is one */
    int count;
};

/* --- macros ------------------------------------------------------------------------------------------------------- */

static const char *const macros[] = {
    [OG_MACRO_ALL] = "all", [OG_MACRO_EXISTS] = "exists", [OG_MACRO_EXISTS_ONE] = "exists_one"
};

static bool read_variable(struct og_compiler *c, const char *macro, int type)
{
    struct og_scope *s = &c->scope[c->scopes];

    if (c->scopes == OG_EXPR_LOOPS)
        return og_compile_fail(c, c->token.at, OG_EXPR_BAD_SIZE, "loops are nested more than %d deep", OG_EXPR_LOOPS);
    if (c->token.kind != OG_TOKEN_IDENT || og_expr_is_reserved(c->token.text, false))
        return og_compile_fail(c, c->token.at, OG_EXPR_BAD_SYNTAX,
                               "%s() takes a name for the item, and then a condition", macro);
    *s = (struct og_scope){ c->token.text, type, c->scopes };
    return og_compile_next(c) && og_compile_expect(c, ',', "',' and a condition");
}

/* Read a loop such as list.all(x, condition); the current token is the parenthesis. */
static bool read_loop(struct og_compiler *c, enum og_expr_macro macro, struct og_operand *list)
{
    size_t most = list->most, at = c->token.at;
    struct og_operand body;
    uint64_t cost;

    if (!(list->type & OG_TYPE_LIST))
        return og_compile_fail(c, list->at, OG_EXPR_BAD_TYPE, "%s() goes over a list, and this is of type %s",
                               macros[macro], og_expr_type_name(list->type));
    if (!og_compile_next(c) || !read_variable(c, macros[macro], list->type & ~OG_TYPE_LIST))
        return false;
    c->scopes++;
    c->depth--;
    cost = ++c->cost;
    if (!og_compile_expr(c, &body) || !og_compile_expect(c, ')', "')'"))
        return false;
    c->scopes--;
    if (!og_type_fits(body.type, OG_TYPE_BOOL))
        return og_compile_fail(c, body.at, OG_EXPR_BAD_TYPE,
                               "the condition of %s() must be of type bool, and this is of type %s", macros[macro],
                               og_expr_type_name(body.type));
    if (!og_operand_node(c, list,
                         (struct og_expr_node){
                             .op = OG_OP_LOOP, .aux = (unsigned char)macro, .arg = c->scopes, .at = (uint32_t)at },
                         OG_TYPE_BOOL, 1))
        return false;
    cost = c->cost - cost;
    if (most > 1 && cost <= OG_EXPR_COST_MOST)
        c->cost += cost * (most - 1);
    else if (most > 1)
        c->cost += cost;
    if (c->cost > OG_EXPR_COST_MOST)
        return og_compile_fail(c, at, OG_EXPR_BAD_SIZE,
                               "this takes %llu steps at worst, over %zu items: at most %d are allowed",
                               (unsigned long long)c->cost, most, OG_EXPR_COST_MOST);
    return true;
}

static bool is_macro(struct og_str name, enum og_expr_macro *macro)
{
    for (size_t i = 0; i < sizeof macros / sizeof *macros; i++)
        if (og_str_is(name, macros[i])) {
            *macro = (enum og_expr_macro)i;
            return true;
        }
    return false;
}

static bool read_has(struct og_compiler *c, struct og_operand *out)
{
    return og_compile_next(c) && og_compile_expr(c, out) && og_compile_has(c, out) && og_compile_expect(c, ')', "')'");
}

/* --- functions ---------------------------------------------------------------------------------------------------- */

/* Functions of CEL that do not exist here, and what to write instead. */
static const struct {
    const char *name, *why;
} absent[] = {
    { "map", "lists cannot be made: use all(), exists() or exists_one()" },
    { "filter", "lists cannot be made: use all(), exists() or exists_one()" },
    { "existsOne", "it is written exists_one()" },
    { "double", "the expression language has no doubles: decimal() is exact" },
    { "uint", "the expression language has no unsigned numbers: int()" },
    { "bytes", "the expression language has no type bytes" },
    { "dyn", "every type is known when the policy loads" },
    { "type", "every type is known when the policy loads" },
};

static bool reject_absent(struct og_compiler *c, struct og_token name)
{
    for (size_t i = 0; i < sizeof absent / sizeof *absent; i++)
        if (og_str_is(name.text, absent[i].name))
            return !og_compile_fail(c, name.at, OG_EXPR_BAD_FEATURE, "%s() is not available: %s", absent[i].name,
                                    absent[i].why);
    return false;
}

static bool fail_unknown_function(struct og_compiler *c, const struct call *f)
{
    const char *names[64] = { "has", "all", "exists", "exists_one" }, *near;
    size_t count = 4;

    for (size_t i = 0; i < sizeof absent / sizeof *absent; i++)
        if (og_str_is(f->name.text, absent[i].name))
            return og_compile_fail(c, f->name.at, OG_EXPR_BAD_FEATURE, "%s() is not available: %s", absent[i].name,
                                   absent[i].why);
    for (const struct og_expr_function *o = og_expr_functions; o->name && count < sizeof names / sizeof *names; o++)
        names[count++] = o->name;
    near = og_nearest(f->name.text, names, count);
    return og_compile_fail(c, f->name.at, OG_EXPR_BAD_NAME, "there is no function '%.*s'%s",
                           (int)(f->name.text.len < 64 ? f->name.text.len : 64), f->name.text.s, og_meant(near).s);
}

/* Write the signature of an overload: "(string, string)" or "string.(string)". */
static void write_overload(struct og_buf *b, const struct og_expr_function *o)
{
    int from = o->method;

    og_buf_format(b, "%s%s%s(", o->method ? og_expr_type_name(o->type[0]) : "", o->method ? "." : "", o->name);
    for (int i = from; i < o->args; i++)
        og_buf_format(b, "%s%s%s", i > from ? ", " : "",
                      o->literal == OG_LITERAL_ZONE && i == o->args - 1 ? "optional " : "",
                      og_expr_type_name(o->type[i]));
    og_buf_char(b, ')');
}

static bool fail_no_overload(struct og_compiler *c, const struct call *f)
{
    char text[200], given[100];
    struct og_buf b, g;
    bool any = false;

    og_buf_init_fixed(&b, text, sizeof text);
    og_buf_init_fixed(&g, given, sizeof given);
    for (const struct og_expr_function *o = og_expr_functions; o->name; o++)
        if (og_str_is(f->name.text, o->name) && !o->of_account) {
            og_buf_text(&b, any ? ", " : "");
            write_overload(&b, o);
            any = true;
        }
    if (!any)
        return fail_unknown_function(c, f);
    for (int i = 0; i < f->count; i++)
        og_buf_format(&g, "%s%s",
                      i == 0                ? ""
                      : f->method && i == 1 ? " and "
                                            : ", ",
                      og_expr_type_name(f->arg[i].type));
    return og_compile_fail(c, f->name.at, OG_EXPR_BAD_TYPE, "%.*s() does not take %s: it takes %s",
                           (int)f->name.text.len, f->name.text.s, f->count ? given : "nothing", text);
}

static const struct og_expr_function *overload_of(const struct call *f)
{
    for (const struct og_expr_function *o = og_expr_functions; o->name; o++) {
        int i = 0;

        if (!og_str_is(f->name.text, o->name) || o->method != f->method || (o->of_account && !f->arg[0].account) ||
            (f->count != o->args && !(o->literal == OG_LITERAL_ZONE && f->count == o->args - 1)))
            continue;
        while (i < f->count && og_type_fits(f->arg[i].type, o->type[i]))
            i++;
        if (i == f->count)
            return o;
    }
    return NULL;
}

static bool read_pattern(struct og_compiler *c, bool account, struct og_operand *o)
{
    struct og_patterns *node = og_arena_take(c->keep, sizeof *node);
    struct og_expr_value v = { .state = OG_EXPR_KNOWN };
    struct og_error err = { 0 };

    if (!node)
        return og_compile_no_memory(c);
    switch (og_pattern_read_part(o->value.as.text, account, &node->pattern, &err)) {
    case OG_OK: break;
    case OG_ENOMEM: return og_compile_no_memory(c);
    default: return og_compile_fail(c, o->at, OG_EXPR_BAD_PATTERN, "%s", err.text);
    }
    node->next = *c->patterns;
    *c->patterns = node;
    v.as.pattern = node->pattern;
    return og_operand_constant(c, o, v, OG_TYPE_ANY);
}

static bool read_zone(struct og_compiler *c, struct og_operand *o)
{
    struct og_expr_value zone;
    struct og_str name = o->value.as.text;

    if (!og_expr_zone(name, &zone))
        return og_compile_fail(
            c, o->at, OG_EXPR_BAD_VALUE,
            "'%.*s' is not a known time zone: America/New_York, US/Eastern, UTC, or an offset like -05:00",
            (int)(name.len < 40 ? name.len : 40), name.s);
    return og_operand_constant(c, o, zone, OG_TYPE_DURATION);
}

/* Read the last argument now, when the expression is compiled: it must be a literal. */
static bool read_literal(struct og_compiler *c, const struct og_expr_function *o, struct call *f)
{
    struct og_operand *last = &f->arg[o->args - 1];

    if (f->count < o->args) {
        *last = og_operand_begin(c, f->name.at);
        return og_operand_constant(c, last, og_expr_ns(OG_ZONE_EASTERN), OG_TYPE_DURATION);
    }
    if (!last->constant)
        return og_compile_fail(c, last->at, OG_EXPR_BAD_FEATURE,
                               "the %s of %s() must be a literal: it is read when the policy loads",
                               o->literal == OG_LITERAL_ZONE ? "time zone" : "pattern", o->name);
    return o->literal == OG_LITERAL_ZONE ? read_zone(c, last) : read_pattern(c, f->arg[0].account, last);
}

static bool fold_call(struct og_compiler *c, const struct og_expr_function *o, const struct call *f,
                      struct og_operand *out)
{
    struct og_expr_value arg[ARGS_MOST];

    for (int i = 0; i < o->args; i++)
        arg[i] = f->arg[i].value;
    o->call(&c->room, arg);
    if (arg->state)
        return og_compile_fail(c, f->arg[0].at, OG_EXPR_BAD_VALUE, "this is not a valid %s: %s",
                               og_expr_type_name(o->result), og_expr_cause_text(arg->as.why.cause));
    *out = f->arg[0];
    return og_operand_constant(c, out, *arg, o->result);
}

static bool build_call(struct og_compiler *c, struct call *f, struct og_operand *out)
{
    const struct og_expr_function *o = overload_of(f);
    bool constant = true;

    if (!o)
        return fail_no_overload(c, f);
    if (o->literal && !read_literal(c, o, f))
        return false;
    for (int i = 0; i < o->args; i++)
        constant = constant && f->arg[i].constant;
    /* calls with a pattern are not folded: matching needs memory that belongs to a thread */
    if (constant && o->literal != OG_LITERAL_PATTERN)
        return fold_call(c, o, f, out);
    *out = f->arg[0];
    return og_operand_node(
        c, out,
        (struct og_expr_node){ .op = OG_OP_CALL, .arg = (int32_t)(o - og_expr_functions), .at = (uint32_t)f->name.at },
        o->result, o->cost);
}

static bool read_args(struct og_compiler *c, struct call *f)
{
    if (!og_compile_next(c))
        return false;
    if (og_compile_is(c, ')'))
        return og_compile_next(c);
    for (;;) {
        if (f->count == ARGS_MOST)
            return og_compile_fail(c, c->token.at, OG_EXPR_BAD_TYPE, "%.*s() does not take so many arguments",
                                   (int)(f->name.text.len < 64 ? f->name.text.len : 64), f->name.text.s);
        if (!og_compile_expr(c, &f->arg[f->count++]))
            return false;
        if (og_compile_is(c, ')'))
            return og_compile_next(c);
        if (!og_compile_expect(c, ',', "',' or ')'"))
            return false;
    }
}

bool og_compile_call(struct og_compiler *c, struct og_token name, struct og_operand *receiver, struct og_operand *out)
{
    struct call f = { .name = name, .method = receiver != NULL };
    enum og_expr_macro macro;

    if (reject_absent(c, name))
        return false;
    if (receiver && is_macro(name.text, &macro))
        return read_loop(c, macro, receiver);
    if (!receiver && og_str_is(name.text, "has"))
        return read_has(c, out);
    if (receiver)
        f.arg[f.count++] = *receiver;
    else
        f.arg[0] = og_operand_begin(c, name.at);
    return read_args(c, &f) && build_call(c, &f, out);
}
