/*
 * Compiles names: those of the table, named lists, loop variables, and fields of legs.  For an unknown name, the
 * nearest known one is suggested.
 */
#include <stdio.h>
#include <strings.h>

#include "expr/compile.h"

#define NEAR_MOST  256
#define PART_LEAST 3

static bool has_part(const char *name, struct og_str part)
{
    for (; strlen(name) >= part.len; name++)
        if (strncasecmp(name, part.s, part.len) == 0)
            return true;
    return false;
}

/* Returns a hint to the most similar name, or to a name that contains the word: orderQuantity for quantity. */
static struct og_meant hint_of(struct og_str word, const char *const *names, size_t count)
{
    const char *near = og_nearest(word, names, count);

    for (size_t i = 0; !near && word.len >= PART_LEAST && i < count; i++)
        if (has_part(names[i], word))
            near = names[i];
    return og_meant(near);
}

/* Read .date or .asOf after a named list; without them, the operand is the list. Sets *read if one was read. */
static bool read_list_date(struct og_compiler *c, const struct og_expr_list *list, struct og_operand *out, bool *read)
{
    const struct og_token dot = c->token;
    const size_t next = c->next;
    struct og_expr_value v = { .state = OG_EXPR_KNOWN };
    struct og_eastern day;
    struct og_token field;
    char date[16];

    *read = false;
    if (!og_compile_is(c, '.'))
        return true;
    if (!og_compile_next(c))
        return false;
    field = c->token;
    if (field.kind != OG_TOKEN_IDENT || (!og_str_is(field.text, "date") && !og_str_is(field.text, "asOf"))) {
        c->token = dot; /* a call, such as lists.NAME.exists() */
        c->next = next;
        return true;
    }
    if (list->age.as_of == OG_TIME_UNKNOWN)
        return og_compile_fail(c, field.at, OG_EXPR_BAD_VALUE,
                               "the list '%s' has no date: its file must begin with a line like '# 2026-11-28'",
                               list->name.s);
    *read = true;
    if (!og_compile_next(c))
        return false;
    if (og_str_is(field.text, "asOf"))
        return og_operand_constant(c, out, og_expr_ns(list->age.as_of), OG_TYPE_TIMESTAMP);
    og_eastern_from(list->age.as_of, &day);
    snprintf(date, sizeof date, "%04d-%02d-%02d", day.year % 10000, day.month, day.day);
    v.as.text = og_arena_copy(c->keep, og_str_of(date));
    return v.as.text.s ? og_operand_constant(c, out, v, OG_TYPE_STRING) : og_compile_no_memory(c);
}

static const char *whole_name(struct og_compiler *c, struct og_str list)
{
    static const char before[] = "lists.";
    char *to = og_arena_take(c->keep, sizeof before + list.len);

    if (to) {
        memcpy(to, before, sizeof before - 1);
        memcpy(to + sizeof before - 1, list.s, list.len);
        to[sizeof before - 1 + list.len] = '\0';
    }
    return to;
}

static bool known_list(struct og_compiler *c, struct og_token word, struct og_operand *out)
{
    struct og_expr_list_name *name;
    struct og_expr_list *list = NULL;
    const char *near[NEAR_MOST];
    size_t count = 0;
    bool dated;

    for (size_t i = 0; c->names && i < c->names->count; i++) {
        if (og_str_eq(c->names->lists[i].name, word.text))
            list = &c->names->lists[i];
        if (count < NEAR_MOST)
            near[count++] = c->names->lists[i].name.s;
    }
    if (!list)
        return og_compile_fail(c, word.at, OG_EXPR_BAD_NAME, "there is no list '%.*s'%s",
                               (int)(word.text.len < 64 ? word.text.len : 64), word.text.s,
                               count ? hint_of(word.text, near, count).s : ": the policy has none");
    if (!og_compile_list_values(c, list))
        return false;
    name = og_arena_take(c->keep, sizeof *name);
    if (!name || !(name->whole = whole_name(c, list->name)))
        return og_compile_no_memory(c);
    name->name = list->name;
    name->age = list->age;
    *c->lists_end = name;
    c->lists_end = &name->next;
    if (!read_list_date(c, list, out, &dated) || dated)
        return dated && !c->failed;
    if (!og_operand_constant(c, out, (struct og_expr_value){ .as.list = { list->values, list->words.count } },
                             OG_TYPE_LIST | OG_TYPE_STRING))
        return false;
    out->words = &list->words;
    out->selects = true;
    return true;
}

static struct og_str group_of(const char *name)
{
    const char *dot = strchr(name, '.');

    return dot ? (struct og_str){ name, (size_t)(dot - name) } : og_str_of(name);
}

static bool is_group(struct og_str word)
{
    if (og_str_is(word, "lists"))
        return true;
    for (size_t i = 0; i < OG_EXPR_NAMES; i++)
        if (strchr(og_expr_named[i].is.name, '.') && og_str_eq(group_of(og_expr_named[i].is.name), word))
            return true;
    return false;
}

static bool build_name(struct og_compiler *c, size_t at, size_t i, struct og_operand *out)
{
    const struct og_expr_name *name = &og_expr_named[i].is;

    if (!og_operand_node(c, out, (struct og_expr_node){ .op = OG_OP_NAME, .arg = (int32_t)i, .at = (uint32_t)at },
                         name->type, 2))
        return false;
    out->selects = strchr(name->name, '.') != NULL;
    out->account = strcmp(name->name, "account.id") == 0;
    out->most = name->type & OG_TYPE_LIST ? OG_LEGS_KEPT : 0;
    return true;
}

/* Read group.field, from the dot on. */
static bool read_group(struct og_compiler *c, struct og_token group, struct og_operand *out)
{
    const char *near[NEAR_MOST];
    size_t count = 0;
    struct og_token field;

    if (!og_compile_is(c, '.'))
        return og_compile_fail(c, group.at, OG_EXPR_BAD_TYPE,
                               "'%.*s' is a group of names: write one of its fields (%.*s.something)",
                               (int)group.text.len, group.text.s, (int)group.text.len, group.text.s);
    if (!og_compile_next(c))
        return false;
    field = c->token;
    if (field.kind != OG_TOKEN_IDENT || og_expr_is_reserved(field.text, true))
        return og_compile_fail(c, field.at, OG_EXPR_BAD_SYNTAX, "the name of a field is expected after '%.*s.'",
                               (int)group.text.len, group.text.s);
    if (!og_compile_next(c))
        return false;
    if (og_str_is(group.text, "lists"))
        return known_list(c, field, out);
    for (size_t i = 0; i < OG_EXPR_NAMES; i++) {
        const char *name = og_expr_named[i].is.name;

        if (!strchr(name, '.') || !og_str_eq(group_of(name), group.text))
            continue;
        if (og_str_is(field.text, strchr(name, '.') + 1))
            return build_name(c, group.at, i, out);
        near[count++] = strchr(name, '.') + 1;
    }
    return og_compile_fail(c, field.at, OG_EXPR_BAD_NAME, "'%.*s' has no '%.*s'%s", (int)group.text.len, group.text.s,
                           (int)(field.text.len < 64 ? field.text.len : 64), field.text.s,
                           hint_of(field.text, near, count).s);
}

/* Returns a hint for a field written without its group, or for a text written without quotes. */
static struct og_meant hint_without_group(struct og_str word)
{
    struct og_meant h = { "" };
    struct og_buf b;

    og_buf_init_fixed(&b, h.s, sizeof h.s);
    if (og_str_is(word, "not"))
        og_buf_text(&b, ": did you mean '!'?");
    else if (word.len && word.s[0] >= 'A' && word.s[0] <= 'Z')
        og_buf_format(&b, ": a text must be quoted, like \"%.*s\"", (int)(word.len < 30 ? word.len : 30), word.s);
    for (size_t i = 0; i < OG_EXPR_NAMES && !b.len; i++) {
        const char *name = og_expr_named[i].is.name, *dot = strchr(name, '.');

        if (dot && word.len >= PART_LEAST && has_part(dot + 1, word))
            og_buf_format(&b, "; did you mean '%s'?", name);
    }
    return h;
}

static bool unknown_name(struct og_compiler *c, struct og_token word)
{
    struct og_meant hint;
    const char *near[NEAR_MOST] = { "lists", "true", "false" };
    char group[32][32];
    size_t count = 3, groups = 0;

    for (int i = 0; i < c->scopes && count < NEAR_MOST; i++)
        if (c->scope[i].name.len < sizeof group[0] && groups < 32) {
            memcpy(group[groups], c->scope[i].name.s, c->scope[i].name.len);
            group[groups][c->scope[i].name.len] = '\0';
            near[count++] = group[groups++];
        }
    for (size_t i = 0; i < OG_EXPR_NAMES && groups < 32; i++) {
        struct og_str name = group_of(og_expr_named[i].is.name);

        if (groups && og_str_is(name, group[groups - 1]))
            continue;
        memcpy(group[groups], name.s, name.len);
        group[groups][name.len] = '\0';
        near[count++] = group[groups++];
    }
    hint = hint_of(word.text, near, count);
    if (!hint.s[0] || og_str_is(word.text, "not"))
        hint = hint_without_group(word.text);
    return og_compile_fail(c, word.at, OG_EXPR_BAD_NAME, "'%.*s' is not known%s",
                           (int)(word.text.len < 64 ? word.text.len : 64), word.text.s, hint.s);
}

bool og_compile_name(struct og_compiler *c, struct og_token word, bool root, struct og_operand *out)
{
    for (int i = c->scopes; !root && i > 0; i--) {
        const struct og_scope *s = &c->scope[i - 1];

        if (!og_str_eq(s->name, word.text))
            continue;
        return og_operand_node(
            c, out, (struct og_expr_node){ .op = OG_OP_ITEM, .arg = s->slot, .at = (uint32_t)word.at }, s->type, 1);
    }
    if (is_group(word.text))
        return read_group(c, word, out);
    for (size_t i = 0; i < OG_EXPR_NAMES; i++)
        if (og_str_is(word.text, og_expr_named[i].is.name))
            return build_name(c, word.at, i, out);
    return unknown_name(c, word);
}

/* Returns true if the word is part of the function's name, in letters of any case: "hour" of getHours. */
static bool is_within(struct og_str word, const char *name)
{
    for (; word.len && strlen(name) >= word.len; name++)
        if (strncasecmp(name, word.s, word.len) == 0)
            return true;
    return false;
}

/* Returns the method of a type whose name has the word in it; if there is none, its first one. NULL if the type has no
 * method. */
static const char *method_for(int type, struct og_str word)
{
    const char *first = NULL;

    for (const struct og_expr_function *f = og_expr_functions; f->name; f++) {
        if (!f->method || f->type[0] != (type & OG_TYPE_LIST ? OG_TYPE_LIST : type))
            continue;
        if (is_within(word, f->name))
            return f->name;
        first = first ? first : f->name;
    }
    return first;
}

static bool no_field(struct og_compiler *c, struct og_token field, int type)
{
    const char *method = method_for(type, field.text), *name = og_expr_type_name(type);

    return method ? og_compile_fail(c, field.at, OG_EXPR_BAD_TYPE,
                                    "type %s has no fields, but functions: write .%s() or another one", name, method)
                  : og_compile_fail(c, field.at, OG_EXPR_BAD_TYPE, "type %s has no fields", name);
}

bool og_compile_field(struct og_compiler *c, struct og_token field, struct og_operand *o)
{
    const char *near[NEAR_MOST];
    size_t count = 0;

    if (o->type != OG_TYPE_LEG)
        return no_field(c, field, o->type);
    for (; og_expr_leg_fields[count].is.name; count++) {
        near[count] = strchr(og_expr_leg_fields[count].is.name, '.') + 1;
        if (!og_str_is(field.text, near[count]))
            continue;
        if (!og_operand_node(c, o,
                             (struct og_expr_node){ .op = OG_OP_LEG, .arg = (int32_t)count, .at = (uint32_t)field.at },
                             og_expr_leg_fields[count].is.type, 2))
            return false;
        o->selects = true;
        return true;
    }
    return og_compile_fail(c, field.at, OG_EXPR_BAD_NAME, "a leg has no '%.*s'%s",
                           (int)(field.text.len < 64 ? field.text.len : 64), field.text.s,
                           hint_of(field.text, near, count).s);
}

bool og_compile_has(struct og_compiler *c, struct og_operand *o)
{
    struct og_expr_node *last;

    if (c->failed)
        return false;
    if (!o->selects)
        return og_compile_fail(c, o->at, OG_EXPR_BAD_TYPE, "has() takes one field, like has(order.limitPrice)");
    if (o->constant) /* has() of a named list is always true */
        return og_operand_constant(c, o, og_expr_truth_value(true), OG_TYPE_BOOL);
    last = &c->node[c->nodes - 1];
    last->op = last->op == OG_OP_LEG ? OG_OP_HAS_LEG : OG_OP_HAS_NAME;
    last->type = OG_TYPE_BOOL;
    o->type = OG_TYPE_BOOL;
    o->selects = false;
    return true;
}
