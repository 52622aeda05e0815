/*
 * Checks the constants in expressions: words that a name never has, parts of symbols in lower case, dates that do not
 * exist or have no effect, and patterns.
 */
#include <ctype.h>
#include <stdio.h>

#include "base/time.h"
#include "expr/program.h"
#include "facts/calendar.h"
#include "lint/lint.h"
#include "solver/comparisons.h"
#include "text/pattern.h"

#define FINDINGS_MOST 20 /* maximum number of findings of each kind for one expression */

/* The expression being checked, and the findings so far. */
struct checked {
    struct og_lint_run *l;
    const struct og_expr *e;
    struct og_srcloc at;
    int words, parts, dates, late, weekends;
};

/* Find the quoted word in the policy's text, searching from a place in the expression.  Returns false if the word is
 * not there. */
static bool find_word(const struct og_lint_run *l, struct og_srcloc at, struct og_str word, struct og_srcloc *found)
{
    struct og_str bytes = l->sources->bytes;
    size_t end = at.offset;

    if (!og_lint_is_here(l, at) || at.offset >= bytes.len)
        return false;
    while (end < bytes.len && bytes.s[end] != '\n')
        end++;
    for (size_t i = at.offset; i + word.len + 1 < end; i++)
        if ((bytes.s[i] == '"' || bytes.s[i] == '\'') && memcmp(bytes.s + i + 1, word.s, word.len) == 0 &&
            (bytes.s[i + 1 + word.len] == bytes.s[i] || bytes.s[i + 1 + word.len] == '\\')) {
            *found = at;
            found->offset = i + 1;
            found->col += (int)(i + 1 - at.offset);
            return true;
        }
    return false;
}

/* --- words -------------------------------------------------------------------------------------------------------- */

static void report_word(struct og_lint_run *l, struct og_srcloc at, const char *name, struct og_str word,
                        const char *const *words)
{
    const char *nearest;
    size_t count = 0;
    struct og_srcloc exact = at;
    bool written = find_word(l, at, word, &exact);
    bool action = strcmp(name, "order.side") == 0 && (og_str_is(word, "Short") || og_str_is(word, "Cover"));
    struct og_lint_finding *f;
    char list[200] = "";

    for (; words[count]; count++)
        snprintf(list + strlen(list), sizeof list - strlen(list), "%s%s", count ? ", " : "", words[count]);
    nearest = og_lint_expand_abbreviation(word, words, count);
    nearest = nearest ? nearest : og_nearest(word, words, count);
    f = og_lint_add_at_place(l, exact, (int)word.len, "word-never", "%s is never '%.*s': it is one of %s%s", name,
                             word.len < 60 ? (int)word.len : 60, word.s, list,
                             action ? "; shorts and covers are values of order.action" : og_meant(nearest).s);
    if (f && written && nearest && !action)
        og_lint_add_edit(l, f, exact.offset, exact.offset + word.len, nearest,
                         og_lint_format(l, "'%.*s' becomes '%s'", (int)word.len, word.s, nearest));
}

static void check_word(struct checked *c, const struct og_expr_named *name, struct og_str word, struct og_srcloc at)
{
    const struct og_domain d = og_domain_of(name);

    if (!og_str_is_one_of(word, d.words) && !(word.len == 0 && d.may_be_empty) && c->words++ < FINDINGS_MOST)
        report_word(c->l, at, name->is.name, word, d.words);
}

/* --- symbols ------------------------------------------------------------------------------------------------------ */

static bool has_lower_case(struct og_str word)
{
    for (size_t i = 0; i < word.len; i++)
        if (islower((unsigned char)word.s[i]))
            return true;
    return false;
}

static bool is_list_here(const struct og_lint_run *l, struct og_str list)
{
    const struct og_yaml *lists = og_yaml_get(l->root, "lists");

    for (const struct og_yaml *n = lists && lists->kind == OG_YAML_MAP ? lists->first : NULL; n; n = n->next)
        if (og_str_eq(n->key, list))
            return true;
    return false;
}

/* Report a part of a symbol that is written with lower-case letters. */
static void report_part(struct og_lint_run *l, struct og_srcloc at, struct og_str word)
{
    struct og_srcloc exact = at;
    bool written = find_word(l, at, word, &exact);
    struct og_lint_finding *f;
    char upper[60];

    if (word.len >= sizeof upper)
        return;
    for (size_t i = 0; i < word.len; i++)
        upper[i] = (char)toupper((unsigned char)word.s[i]);
    upper[word.len] = '\0';
    f = og_lint_add_at_place(l, exact, (int)word.len, "symbol-case",
                             "'%.*s' is not in any symbol as exchanges spell it: did you mean '%s'?", (int)word.len,
                             word.s, upper);
    if (f && written)
        og_lint_add_edit(l, f, exact.offset, exact.offset + word.len, og_lint_format(l, "%s", upper),
                         og_lint_format(l, "'%.*s' becomes '%s'", (int)word.len, word.s, upper));
}

/* Report a word that cannot be a symbol, because no symbol has its form.  The words of a named list in the linted file
 * are reported at the list, not here. */
static void check_symbol(struct checked *c, const char *name, struct og_str word, struct og_srcloc at, size_t offset)
{
    struct og_str list = og_lint_list_named(c->e, offset);
    struct og_srcloc exact = at;
    const char *why = word.len ? og_lint_why_no_symbol(word) : NULL;

    if (!why || (list.len && is_list_here(c->l, list)) || c->words++ >= FINDINGS_MOST)
        return;
    (void)find_word(c->l, at, word, &exact);
    (void)og_lint_add_at_place(c->l, exact, (int)word.len, "word-never", "%s is never '%.*s': %s", name,
                               word.len < 60 ? (int)word.len : 60, word.s, why);
}

/* --- dates -------------------------------------------------------------------------------------------------------- */

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

#define ENDS "the exchange calendar, which ends " OG_CALENDAR_ENDS

/* Report a date that does not exist, is beyond the exchange calendar, or is on a weekend. orders: the date is compared
 * by < or >, as the bound of a range; a weekend is then no mistake. */
static void check_date(struct checked *c, struct og_str text, struct og_srcloc at, bool orders)
{
    int part[3], len = (int)text.len;
    bool exists = read_date(text, part);
    int64_t day = exists ? (og_days_from_civil(part[0], part[1], part[2]) + 4) % 7 : 1; /* 0 means a Sunday */
    struct og_srcloc exact = at;

    (void)find_word(c->l, at, text, &exact);
    if (!exists && c->dates++ < FINDINGS_MOST)
        (void)og_lint_add_at_place(c->l, exact, len, "date-never", "'%.*s' is not a date: write YYYY-MM-DD",
                                   len < 60 ? len : 60, text.s);
    if (exists && og_expr_text_cmp(text, OG_STR(OG_CALENDAR_ENDS)) > 0 && c->late++ < FINDINGS_MOST)
        (void)og_lint_add_at_place(c->l, exact, len, "past-calendar", "'%.*s' is beyond " ENDS, len, text.s);
    if (!orders && (day == 0 || day == 6) && c->weekends++ < FINDINGS_MOST)
        (void)og_lint_add_at_place(c->l, exact, len, "date-no-effect",
                                   "'%.*s' is on a weekend: there is no session, and nothing expires", len, text.s);
}

static void check_instant(struct checked *c, int64_t ns, struct og_srcloc at)
{
    struct og_eastern day;

    og_eastern_from(ns, &day);
    if (day.date > OG_CALENDAR_LAST)
        (void)og_lint_add_at_place(c->l, at, 9, "past-calendar", "this instant is beyond " ENDS);
}

/* --- expressions -------------------------------------------------------------------------------------------------- */

static void check_comparison(struct checked *c, const struct og_expr_node *n)
{
    const struct og_expr_value *value, *each;
    size_t offset;
    const struct og_expr_named *name = og_comparison_at(n, &value, &offset);
    struct og_srcloc at = name ? og_srcloc_inside(c->at, offset) : c->at;
    size_t count = name ? og_comparison_values(n, value, &each) : 0;
    bool orders = og_comparison_orders(n);

    for (size_t i = 0; i < count; i++) {
        struct og_str text = name->is.type == OG_TYPE_STRING ? each[i].as.text : OG_STR("");

        if (!orders && og_domain_of(name).words)
            check_word(c, name, text, at);
        switch (name->is.measure) {
        case OG_MEASURE_SYMBOL: check_symbol(c, name->is.name, text, at, offset); break;
        case OG_MEASURE_DATE: check_date(c, text, at, orders); break;
        case OG_MEASURE_TIME:
            if (n->op != OG_OP_IN)
                check_instant(c, each[i].as.ns, at);
            break;
        default: break;
        }
    }
}

static void check_call(struct checked *c, const struct og_expr_node *n)
{
    static const char *const of_parts[] = { "startsWith", "endsWith", "contains", NULL };
    const struct og_expr_function *f = &og_expr_functions[n->arg];
    bool of_symbol = n->operands == 2 && n[-1].op == OG_OP_CONST && n[-2].op == OG_OP_NAME &&
                     og_expr_named[n[-2].arg].is.measure == OG_MEASURE_SYMBOL;
    struct og_srcloc at = og_srcloc_inside(c->at, n[-1].at);

    if (of_symbol && og_str_is_one_of(og_str_of(f->name), of_parts) && has_lower_case(n[-1].value->as.text) &&
        c->parts++ < FINDINGS_MOST)
        report_part(c->l, at, n[-1].value->as.text);
    if (f->literal != OG_LITERAL_PATTERN)
        return;
    og_lint_check_backtracking(c->l, at, og_pattern_text(n[-1].value->as.pattern), n[-1].value->as.pattern);
    if (of_symbol)
        og_lint_check_lower_case_pattern(c->l, at, og_pattern_text(n[-1].value->as.pattern));
}

bool og_lint_check_expression(struct og_lint_run *l, const struct og_expr *e, struct og_srcloc at)
{
    struct checked c = { .l = l, .e = e, .at = at };

    if (!og_lint_is_here(l, at))
        return false;
    for (const struct og_expr_node *n = og_expr_first(e->root); n <= e->root; n++)
        if (n->op == OG_OP_CALL)
            check_call(&c, n);
        else
            check_comparison(&c, n);
    return c.words > 0;
}
