/*
 * Checks patterns of overrides: patterns with lower-case letters or shell wildcards, which do not match what they seem
 * to, and patterns with catastrophic backtracking.  Backtracking is reported only with a text on which the pattern
 * reached its match limit.
 */
#include <ctype.h>

#include "lint/lint.h"
#include "lint/trial.h"
#include "text/regex_automaton.h"
#include "text/regex_examples.h"

#define TEXT_MOST    4000
#define ID_MOST      36 /* characters of a clientOrderId, usually the longest text that a pattern is matched against */
#define ATTEMPT_COST 500

/* Returns true if a lower-case letter stands for itself: it is not part of an escape, and no option makes the pattern
 * ignore case. */
static bool has_lower_case(struct og_str text)
{
    for (size_t i = 0; i < text.len; i++) {
        if (text.s[i] == '(' && i + 1 < text.len && text.s[i + 1] == '?')
            return false;
        if (text.s[i] == '\\')
            i++;
        else if (islower((unsigned char)text.s[i]))
            return true;
    }
    return false;
}

/* Like has_lower_case(), but without letters in character classes: [a-z] is meant to match lower case. A pattern that
 * begins with '^' describes a whole symbol, so letters in its character classes count too. */
static bool has_lower_case_literal(struct og_str text)
{
    bool class = false;

    if (text.len && text.s[0] == '^')
        return has_lower_case(text);
    for (size_t i = 0; i < text.len; i++) {
        if (text.s[i] == '\\')
            i++;
        else if (text.s[i] == '[' || text.s[i] == ']')
            class = text.s[i] == '[';
        else if (!class && islower((unsigned char)text.s[i]))
            return true;
    }
    return false;
}

#define SYMBOL_FUEL 20000

void og_lint_check_lower_case_pattern(struct og_lint_run *l, struct og_srcloc at, struct og_str pattern)
{
    struct og_automaton symbols, matched;
    const struct og_automaton *both[] = { &symbols, &matched };
    long fuel = SYMBOL_FUEL;

    if (!has_lower_case_literal(pattern) || !og_automaton_of_pattern(OG_STR("[A-Z0-9._-]+"), false, &symbols) ||
        !og_automaton_of_pattern(pattern, true, &matched) || og_automata_intersect(both, 2, &fuel) ||
        !og_lint_spend(l, (SYMBOL_FUEL - fuel) / 8 + 1))
        return;
    (void)og_lint_add_at_place(l, at, (int)(pattern.len < 60 ? pattern.len : 60), "pattern-case",
                               "symbols are upper case, and '%.*s' matches none of them",
                               pattern.len < 60 ? (int)pattern.len : 60, pattern.s);
}

static bool has_upper_case(struct og_str text)
{
    for (size_t i = 0; i < text.len; i++)
        if (isupper((unsigned char)text.s[i]))
            return true;
    return false;
}

/* Returns true for "SPY*" as in a shell: capitals, and a star after a capital. */
static bool is_glob(struct og_str text)
{
    bool star = false;

    for (size_t i = 0; i < text.len; i++) {
        if (text.s[i] == '*')
            star = i > 0 && isupper((unsigned char)text.s[i - 1]);
        else if (!isupper((unsigned char)text.s[i]) && text.s[i] != '|')
            return false;
    }
    return star;
}

static void fix_glob(struct og_lint_run *l, struct og_lint_finding *f, const struct og_yaml *n)
{
    char text[120];
    size_t len = 0;

    if (n->text.len > 50 || n->end - n->at != n->text.len + (n->quoted ? 2 : 0))
        return;
    for (size_t i = 0; i < n->text.len; i++) {
        if (n->text.s[i] == '*')
            text[len++] = '.';
        text[len++] = n->text.s[i];
    }
    og_lint_add_edit(l, f, n->at + n->quoted, n->end - n->quoted, og_lint_format(l, "%.*s", (int)len, text),
                     og_lint_format(l, "'%.*s' becomes '%.*s'", (int)n->text.len, n->text.s, (int)len, text));
}

/* Match a text that repeats `piece` and ends in '_', on which the match fails only at its end. Returns true if the
 * pattern reached its match limit. */
static bool gives_up(struct og_lint_run *l, const struct og_pattern *p, const char *piece, size_t most, char *text,
                     size_t *len)
{
    static const size_t lengths[] = { 24, ID_MOST, 64, 256, TEXT_MOST };
    size_t step = strlen(piece);

    for (size_t i = 0; i < sizeof lengths / sizeof *lengths && lengths[i] <= most; i++) {
        *len = 0;
        while (*len + step + 1 < lengths[i]) {
            memcpy(text + *len, piece, step);
            *len += step;
        }
        text[(*len)++] = '_';
        if (!og_lint_spend(l, ATTEMPT_COST))
            return false;
        if (og_pattern_match(p, (struct og_str){ text, *len }, og_trial_pattern_room(l->trial)) == OG_MATCH_GAVE_UP)
            return true;
    }
    return false;
}

/* Returns the length of the longest text that the pattern is tried on; 0 if it need not be tried. (a) Two or more
 * repeats: TEXT_MOST. (b) One repeat and alternatives: ID_MOST, the length of the longest texts in orders, since the
 * time doubles with each character if the alternatives begin alike. */
static size_t longest_text(struct og_str text)
{
    int counts = 0, alternatives = 0;

    for (size_t i = 0; i < text.len; i++) {
        counts += text.s[i] == '*' || text.s[i] == '+' || text.s[i] == '{';
        alternatives += text.s[i] == '|';
    }
    return counts >= 2 ? TEXT_MOST : counts && alternatives ? ID_MOST : 0;
}

/* Run the pattern on long texts, and report the pattern if it reaches its match limit on one of them. The first texts
 * are repeated letters and digits; then come repetitions of texts that the pattern matches. */
void og_lint_check_backtracking(struct og_lint_run *l, struct og_srcloc at, struct og_str pattern,
                                const struct og_pattern *p)
{
    static const char *const usual[] = { "A", "AB", "1", "A1" };
    struct og_regex_examples some;
    char text[TEXT_MOST + 8];
    size_t len = 0, most = longest_text(pattern);
    bool bad = false;

    if (!most)
        return;
    for (size_t i = 0; i < sizeof usual / sizeof *usual && !bad; i++)
        bad = gives_up(l, p, usual[i], most, text, &len);
    if (!bad && og_regex_examples_of(pattern, &some))
        for (int i = 0; i < some.count && i < 8 && !bad; i++)
            bad = some.text[i][0] && gives_up(l, p, some.text[i], most, text, &len);
    if (bad)
        (void)og_lint_add_at_place(
            l, at, (int)(pattern.len < 60 ? pattern.len : 60), "pattern-catastrophic",
            "this pattern exceeds its match limit on a text of %zu characters ('%.*s...%c'): one repeat is inside "
            "another, or over alternatives that begin alike; whether it matches is then unknown",
            len, len < 12 ? (int)len : 12, text, text[len - 1]);
}

static void check_pattern(struct og_lint_run *l, size_t rule, size_t k, const char *key, const struct og_pattern *p)
{
    const struct og_yaml *match = og_yaml_get(og_lint_override_node(l, rule, k), "match");
    const struct og_yaml *n = og_yaml_get(match, key);

    if (!n || !p || n->kind != OG_YAML_SCALAR)
        return;
    if (strcmp(key, "symbol") == 0 && has_lower_case(n->text) && !has_upper_case(n->text))
        og_lint_add(l, n, "pattern-case", "symbols are upper case, and '%.*s' matches only lower case",
                    n->text.len < 60 ? (int)n->text.len : 60, n->text.s);
    if (is_glob(n->text))
        fix_glob(l,
                 og_lint_add(l, n, "pattern-glob",
                             "'%.*s' is a pattern, not a wildcard: '*' repeats the letter before "
                             "it, '.*' stands for anything",
                             n->text.len < 60 ? (int)n->text.len : 60, n->text.s),
                 n);
    og_lint_check_backtracking(l, og_srcloc_of(l->policy->rules[rule].overrides[k].where[OG_PART_MATCH].source, n),
                               n->text, p);
}

void og_lint_check_patterns(struct og_lint_run *l)
{
    for (size_t i = 0; i < og_rules_size; i++) {
        size_t count = og_lint_override_count(l, i);

        for (size_t k = 0; k < count && k < 200; k++) {
            const struct og_override *o = &l->policy->rules[i].overrides[k];

            check_pattern(l, i, k, "symbol", o->symbol);
            check_pattern(l, i, k, "account", o->account);
            check_pattern(l, i, k, "tag", o->tag);
        }
    }
}
