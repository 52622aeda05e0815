/*
 * Messages with expressions in braces, and texts for values and for reasons why they are unknown.  Lists and legs
 * cannot be in a message.  A message never fails: an unknown value is "?".
 */
#include "expr/compile.h"

struct part {
    struct og_str text;      /* the text before the expression */
    const struct og_expr *e; /* the expression after that text; NULL for the text at the end of the message */
};

struct og_expr_message {
    const struct part *part;
    size_t count;
};

#define PARTS_MOST 32

/* Copy the text up to the next expression to `to` (NULL: only count its bytes); doubled braces become single braces.
 * Returns the length of the text. Sets *at to the opening brace of that expression, or to the end. */
static size_t copy_text(struct og_str text, size_t *at, char *to)
{
    size_t len = 0;

    for (; *at < text.len; ++*at) {
        char c = text.s[*at];

        if ((c == '{' || c == '}') && *at + 1 < text.len && text.s[*at + 1] == c)
            ++*at;
        else if (c == '{')
            break;
        if (to)
            to[len] = c;
        len++;
    }
    return len;
}

static bool read_text(struct og_str text, size_t *at, struct og_arena *keep, struct og_str *out,
                      struct og_expr_diagnostic *diagnostic)
{
    size_t from = *at, len = copy_text(text, &from, NULL);
    char *bytes = og_arena_take(keep, len + 1);

    if (!bytes)
        return og_expr_fail(diagnostic, *at, NULL, "out of memory");
    *out = (struct og_str){ bytes, copy_text(text, at, bytes) };
    return true;
}

static bool is_printable(int type)
{
    return type >= OG_TYPE_BOOL && type <= OG_TYPE_DURATION;
}

/* Read an expression after its opening brace. */
static const struct og_expr *read_braced(struct og_str text, size_t *at, const struct og_expr_names *names,
                                         struct og_arena *keep, struct og_patterns **patterns,
                                         struct og_expr_diagnostic *diagnostic)
{
    struct og_str rest = { text.s + *at, text.len - *at };
    size_t end = 0;
    const struct og_expr *e = og_expr_compile_part(rest, true, OG_EXPR_ANY, names, keep, patterns, diagnostic, &end);

    if (!e) {
        diagnostic->at += *at;
        return NULL;
    }
    if (!is_printable(e->type)) {
        og_expr_fail(diagnostic, *at, OG_EXPR_BAD_TYPE, "type %s cannot be written into a message",
                     og_expr_type_name(e->type));
        return NULL;
    }
    *at += end + 1;
    return e;
}

const struct og_expr_message *og_expr_message_compile(struct og_str text, const struct og_expr_names *names,
                                                      struct og_arena *keep, struct og_patterns **patterns,
                                                      struct og_expr_diagnostic *diagnostic)
{
    struct og_expr_message *m = og_arena_take(keep, sizeof *m);
    struct part *parts = m ? og_arena_take(keep, (PARTS_MOST + 1) * sizeof *parts) : NULL;

    *diagnostic = (struct og_expr_diagnostic){ 0 };
    if (!parts) {
        og_expr_fail(diagnostic, 0, NULL, "out of memory");
        return NULL;
    }
    if (text.len > OG_EXPR_BYTES_MOST) {
        og_expr_fail(diagnostic, OG_EXPR_BYTES_MOST, OG_EXPR_BAD_SIZE, "this message has %zu bytes, allowed are %d",
                     text.len, OG_EXPR_BYTES_MOST);
        return NULL;
    }
    m->part = parts;
    for (size_t at = 0; at < text.len || m->count == 0;) {
        struct part *p = &parts[m->count++];

        if (!read_text(text, &at, keep, &p->text, diagnostic))
            return NULL;
        if (at >= text.len)
            break;
        if (m->count > PARTS_MOST) {
            og_expr_fail(diagnostic, at, OG_EXPR_BAD_SIZE, "this message has more than %d expressions", PARTS_MOST);
            return NULL;
        }
        at++;
        p->e = read_braced(text, &at, names, keep, patterns, diagnostic);
        if (!p->e)
            return NULL;
    }
    return m;
}

void og_expr_value_text(struct og_expr_value v, int type, struct og_buf *b)
{
    if (v.state) {
        og_buf_char(b, '?');
        return;
    }
    switch (type) {
    case OG_TYPE_BOOL: og_buf_text(b, v.as.truth ? "true" : "false"); break;
    case OG_TYPE_INT:
    case OG_TYPE_DECIMAL: og_buf_money(b, v.as.number); break;
    case OG_TYPE_STRING: og_buf_shown(b, v.as.text); break;
    case OG_TYPE_TIMESTAMP: og_buf_text(b, og_time_text(v.as.ns).s); break;
    case OG_TYPE_DURATION: og_buf_text(b, og_duration_text(v.as.ns).s); break;
    default: og_buf_text(b, og_expr_type_name(type)); break;
    }
}

/* Write a value; of an unknown value that has bounds, write the bounds. */
static void value_text(struct og_expr_value v, int type, const struct og_expr_room *room, struct og_buf *b)
{
    if (v.ranged)
        og_expr_range_text(&room->range[0], b);
    else
        og_expr_value_text(v, type, b);
}

void og_expr_message_render(const struct og_expr_message *m, const struct og_case *c, struct og_expr_room *room,
                            struct og_buf *b)
{
    for (size_t i = 0; i < m->count; i++) {
        const struct part *p = &m->part[i];

        og_buf_str(b, p->text);
        if (p->e)
            value_text(og_expr_value_of(p->e, c, room), p->e->type, room, b);
    }
}

const struct og_expr *og_expr_message_part(const struct og_expr_message *m, size_t i)
{
    return i < m->count ? m->part[i].e : NULL;
}

/* --- reasons ------------------------------------------------------------------------------------------------------ */

/* Returns the symbol of the missing fact; empty if it is a fact about the account. */
static struct og_str fact_key(const struct og_expr_why *why, const struct og_case *c)
{
    bool by_symbol = why->fact & OG_FACTS_BY_SYMBOL;

    return by_symbol ? c->order->symbol : (struct og_str){ 0 };
}

static void fact_text(const struct og_expr_why *why, const struct og_case *c, struct og_buf *b)
{
    struct og_str key = fact_key(why, c);
    int64_t most = c->max_age[__builtin_ctz((unsigned)why->fact)], as_of;
    const char *name = og_fact_name(why->fact);

    if (!og_case_known(c, why->fact, key, &as_of)) {
        og_buf_text(b, name);
        if (key.len) {
            og_buf_text(b, " of ");
            og_buf_shown(b, key);
        }
        og_buf_text(b, " not known");
    } else if (as_of == OG_TIME_UNKNOWN) {
        og_buf_format(b, "age of %s not known, %s is the most allowed", name, og_duration_text(most).s);
    } else if (as_of > c->facts_at) {
        og_buf_format(b, "the time of %s is %s in the future", name, og_age_text(as_of - c->facts_at).s);
    } else {
        og_buf_format(b, "%s is %s old, %s is the most allowed", name, og_age_text(c->facts_at - as_of).s,
                      og_duration_text(most).s);
    }
}

bool og_expr_why_is_stale(const struct og_expr_why *why, const struct og_case *c)
{
    int64_t as_of;

    return why->cause == OG_CAUSE_FACT && og_case_known(c, why->fact, fact_key(why, c), &as_of) &&
           as_of != OG_TIME_UNKNOWN && as_of <= c->facts_at;
}

void og_expr_why_text(const struct og_expr_why *why, const struct og_case *c, struct og_buf *b)
{
    if (why->cause == OG_CAUSE_FACT)
        fact_text(why, c, b);
    else if (why->cause == OG_CAUSE_NO_VALUE && why->name)
        og_buf_format(b, "there is no %s", why->name);
    else if (why->name)
        og_buf_format(b, "%s: %s", why->name, og_expr_cause_text(why->cause));
    else
        og_buf_text(b, og_expr_cause_text(why->cause));
}
