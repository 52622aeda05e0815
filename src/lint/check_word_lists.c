/*
 * Checks lists of words in settings: words that are in a list twice, and dates without effect.  Lists of symbols are
 * checked in check_symbols.c.
 */
#include "facts/calendar.h"
#include "lint/lint.h"

#define WORDS_MOST 2000 /* maximum number of words of one list that are compared */

/* --- lists -------------------------------------------------------------------------------------------------------- */

void og_lint_check_duplicates(struct og_lint_run *l, const struct og_yaml *list, const char *kind)
{
    size_t seen = 0;

    for (const struct og_yaml *n = list->first; n && seen < WORDS_MOST; n = n->next, seen++)
        for (const struct og_yaml *m = list->first; m != n; m = m->next)
            if (n->kind == OG_YAML_SCALAR && m->kind == OG_YAML_SCALAR && og_str_eq(n->text, m->text)) {
                og_lint_fix_drop_item(l,
                                      og_lint_add(l, n, "duplicate-item",
                                                  "'%.*s' is in %s'%.*s' twice, first on line %d",
                                                  n->text.len < 60 ? (int)n->text.len : 60, n->text.s, kind,
                                                  (int)list->key.len, list->key.s, m->line),
                                      n);
                break;
            }
}

/* --- dates -------------------------------------------------------------------------------------------------------- */

static int date_of(struct og_str word)
{
    int date = 0;

    for (size_t i = 0; i < word.len && i < 10; i++)
        if (word.s[i] >= '0' && word.s[i] <= '9')
            date = date * 10 + (word.s[i] - '0');
    return date;
}

/* Report weekends, and (early) dates that cannot be early closes because there is no session. Holidays of the calendar
 * may be listed. */
static void check_dates(struct og_lint_run *l, const struct og_yaml *list, bool early)
{
    for (const struct og_yaml *n = list->first; n; n = n->next) {
        int date = n->kind == OG_YAML_SCALAR ? date_of(n->text) : 0, weekday = 1;
        struct og_day day = date ? og_calendar_look(date, &weekday) : (struct og_day){ 0 };

        if (weekday == 0 || weekday == 6)
            og_lint_add(l, n, "date-no-effect", "%.*s is a %s: there is no session anyway", (int)n->text.len, n->text.s,
                        weekday == 0 ? "Sunday" : "Saturday");
        else if (early && day.kind == OG_DAY_CLOSED)
            og_lint_add(l, n, "date-no-effect",
                        "%.*s cannot close early: the exchange calendar has no session on that day", (int)n->text.len,
                        n->text.s);
    }
}

static void check_rule(struct og_lint_run *l, const struct og_rule *rule, int k)
{
    OG_EACH_PARAM (p, rule) {
        const struct og_yaml *list = p->kind == OG_PARAM_WORDS ? og_lint_key_node(l, rule->id, k, p->key) : NULL;

        if (!list || list->kind != OG_YAML_LIST)
            continue;
        og_lint_check_duplicates(l, list, "");
        if (p->words == OG_WORDS_SYMBOLS) {
            og_lint_check_symbol_words(l, list, p->key);
        } else if (k < 0 && (p->words == OG_WORDS_CLOSED_DAYS || p->words == OG_WORDS_EARLY_CLOSES))
            check_dates(l, list, p->words == OG_WORDS_EARLY_CLOSES);
    }
}

void og_lint_check_word_lists(struct og_lint_run *l)
{
    for (size_t i = 0; i < og_rules_size; i++) {
        size_t count = og_lint_override_count(l, i);

        for (int k = -1; k < (int)(count < 200 ? count : 200); k++)
            check_rule(l, og_rules[i], k);
    }
    og_lint_check_allowed_terms(l);
}
