/*
 * Finds the constants that an expression compares names with, and those that can never be equal: words that a name
 * never has, symbols in lower case, texts that are not dates.  Values that are computed are not considered.
 */
#include "solver/comparisons.h"

#include <ctype.h>

#include "base/time.h"
#include "facts/calendar.h"

const struct og_expr_named *og_comparison_at(const struct og_expr_node *n, const struct og_expr_value **value,
                                             size_t *at)
{
    const struct og_expr_node *a, *b;
    bool last;

    if (n->op < OG_OP_EQ || n->op > OG_OP_IN)
        return NULL;
    a = og_expr_operand(n, 0);
    b = n - 1;
    last = b->op == OG_OP_CONST;
    if (!last && (a->op != OG_OP_CONST || n->op == OG_OP_IN))
        return NULL;
    *value = last ? b->value : a->value;
    *at = last ? b->at : a->at;
    a = last ? a : b;
    return a->op == OG_OP_NAME ? &og_expr_named[a->arg] : a->op == OG_OP_LEG ? &og_expr_leg_fields[a->arg] : NULL;
}

bool og_comparison_orders(const struct og_expr_node *n)
{
    return n->op >= OG_OP_LT && n->op <= OG_OP_GE;
}

size_t og_comparison_values(const struct og_expr_node *n, const struct og_expr_value *v,
                            const struct og_expr_value **first)
{
    *first = n->op == OG_OP_IN ? v->as.list.at : v;
    return n->op == OG_OP_IN ? v->as.list.count : 1;
}

bool og_comparison_unknown_word(const struct og_expr *e, size_t i, struct og_comparison_unknown_word *out)
{
    for (const struct og_expr_node *n = og_expr_first(e->root); n <= e->root; n++) {
        const struct og_expr_value *value, *text;
        size_t at, count;
        const struct og_expr_named *name = og_comparison_at(n, &value, &at);
        const char *const *words = name ? og_domain_of(name).words : NULL;

        count = words && !og_comparison_orders(n) ? og_comparison_values(n, value, &text) : 0;
        for (size_t k = 0; k < count; k++)
            if (!og_str_is_one_of(text[k].as.text, words) &&
                !(text[k].as.text.len == 0 && og_domain_of(name).may_be_empty) && i-- == 0) {
                *out = (struct og_comparison_unknown_word){ name->is.name, text[k].as.text, at, words };
                return true;
            }
    }
    return false;
}

static bool has_lower_case(struct og_str word)
{
    for (size_t i = 0; i < word.len; i++)
        if (islower((unsigned char)word.s[i]))
            return true;
    return false;
}

/* Read year, month and day.  Returns false if the text is not an existing date. */
static bool read_date(struct og_str word, int part[3])
{
    static const char form[] = "9999-99-99";
    int at = 0;

    part[0] = part[1] = part[2] = 0;
    if (word.len != sizeof form - 1)
        return false;
    for (size_t i = 0; i < word.len; i++) {
        if (form[i] == '-' ? word.s[i] != '-' : word.s[i] < '0' || word.s[i] > '9')
            return false;
        if (form[i] == '-')
            at++;
        else
            part[at] = part[at] * 10 + (word.s[i] - '0');
    }
    return og_date_exists(part[0], part[1], part[2]);
}

static bool is_invalid_date(struct og_str word)
{
    int part[3];

    return !read_date(word, part);
}

/* Get the i-th text for which is_wanted() is true among those that names of the measure are compared with.  order: also
 * by <, <=, > and >=. */
static bool matching_text_in(const struct og_expr *e, size_t i, enum og_measure measure, bool order,
                             bool (*is_wanted)(struct og_str), struct og_str *word, size_t *at)
{
    for (const struct og_expr_node *n = og_expr_first(e->root); n <= e->root; n++) {
        const struct og_expr_value *value, *text;
        const struct og_expr_named *name = og_comparison_at(n, &value, at);
        bool asked = name && name->is.measure == measure && (order || !og_comparison_orders(n));
        size_t count = asked ? og_comparison_values(n, value, &text) : 0;

        for (size_t k = 0; k < count; k++)
            if (is_wanted(text[k].as.text) && i-- == 0) {
                *word = text[k].as.text;
                return true;
            }
    }
    return false;
}

static bool matching_text(const struct og_expr *e, size_t i, enum og_measure measure, bool (*is_wanted)(struct og_str),
                          struct og_str *word, size_t *at)
{
    return matching_text_in(e, i, measure, true, is_wanted, word, at);
}

static bool is_any(struct og_str word)
{
    return word.len > 0;
}

bool og_comparison_symbol(const struct og_expr *e, size_t i, struct og_str *word, size_t *at)
{
    return matching_text(e, i, OG_MEASURE_SYMBOL, is_any, word, at);
}

bool og_comparison_lower_case_symbol(const struct og_expr *e, size_t i, struct og_str *word, size_t *at)
{
    return matching_text(e, i, OG_MEASURE_SYMBOL, has_lower_case, word, at);
}

const struct og_expr_value *og_comparison_symbol_call(const struct og_expr_node *n, size_t *at)
{
    if (n->op != OG_OP_CALL || n->operands != 2 || n[-1].op != OG_OP_CONST || n[-2].op != OG_OP_NAME ||
        og_expr_named[n[-2].arg].is.measure != OG_MEASURE_SYMBOL)
        return NULL;
    *at = n[-1].at;
    return n[-1].value;
}

bool og_comparison_lower_case_part(const struct og_expr *e, size_t i, struct og_str *part, size_t *at)
{
    static const char *const of_parts[] = { "startsWith", "endsWith", "contains", NULL };

    for (const struct og_expr_node *n = og_expr_first(e->root); n <= e->root; n++) {
        const struct og_expr_value *v = og_comparison_symbol_call(n, at);

        if (v && og_str_is_one_of(og_str_of(og_expr_functions[n->arg].name), of_parts) && has_lower_case(v->as.text) &&
            i-- == 0) {
            *part = v->as.text;
            return true;
        }
    }
    return false;
}

bool og_comparison_invalid_date(const struct og_expr *e, size_t i, struct og_str *text, size_t *at)
{
    return matching_text(e, i, OG_MEASURE_DATE, is_invalid_date, text, at);
}

static bool is_weekend(struct og_str word)
{
    int part[3];
    int64_t day = read_date(word, part) ? (og_days_from_civil(part[0], part[1], part[2]) + 4) % 7 : 1; /* 0: a Sunday */

    return day == 0 || day == 6;
}

bool og_comparison_weekend(const struct og_expr *e, size_t i, struct og_str *text, size_t *at)
{
    return matching_text_in(e, i, OG_MEASURE_DATE, false, is_weekend, text, at);
}

static bool is_far_date(struct og_str word)
{
    return !is_invalid_date(word) && og_expr_text_cmp(word, OG_STR(OG_CALENDAR_ENDS)) > 0;
}

bool og_comparison_date_past_calendar(const struct og_expr *e, size_t i, struct og_str *text, size_t *at)
{
    return matching_text(e, i, OG_MEASURE_DATE, is_far_date, text, at);
}

bool og_comparison_instant_past_calendar(const struct og_expr *e, size_t i, size_t *at)
{
    for (const struct og_expr_node *n = og_expr_first(e->root); n <= e->root; n++) {
        const struct og_expr_value *v;
        const struct og_expr_named *name = og_comparison_at(n, &v, at);
        struct og_eastern day;

        if (!name || name->is.measure != OG_MEASURE_TIME || n->op > OG_OP_GE)
            continue;
        og_eastern_from(v->as.ns, &day);
        if (day.date > OG_CALENDAR_LAST && i-- == 0)
            return true;
    }
    return false;
}
