/*
 * Inside lint: the state of one run over one policy, and the functions that the checks share.
 */
#pragma once

#include "base/arena.h"
#include "ordergate/lint.h"
#include "policy/policy.h"
#include "policy/source_location.h"
#include "solver/logic.h"
#include "text/yaml.h"

/* A file that was read: its lines, and the comments in it that silence findings. */
struct og_lint_source {
    const char *name;
    struct og_str bytes;
    size_t *line; /* offset of each line's first byte; line[lines] is the end */
    int lines;
    struct og_lint_suppression *suppressions;
    struct og_lint_source *next;
};

struct og_lint_suppression {
    int line;    /* line whose findings the comment silences */
    int at, col; /* line and column of the code in the comment */
    struct og_str code;
    const char *reason; /* the comment's reason; "" if it gives none */
    bool used;
    struct og_lint_suppression *next;
};

struct og_lint_entry {
    struct og_lint_finding finding;
    int order; /* position of the finding's file among the files read */
    size_t nth;
    struct og_lint_entry *next;
};

struct og_lint_report {
    struct og_arena arena;
    struct og_lint_finding *finding;
    size_t count;
    struct og_str text, fixed;
    size_t unmade; /* number of kinds of warnings that were not checked for, because the policy does not load */
};

struct og_trial;

struct og_lint_run {
    struct og_lint_report *report;
    struct og_arena *arena; /* the arena of the report */
    struct og_lint_options options;
    struct og_policy *policy; /* the loaded policy, or what recover.c could load of it; NULL if nothing loads */
    /* the policies that the linted one extends; NULL if not loaded yet, or impossible to load */
    struct og_policy *extended;
    struct og_lint_source *sources; /* files read; the first is the linted one */
    struct og_yaml *root;           /* YAML of the linted file, or of its recovered bytes; NULL: it is not YAML */
    /* the file with its broken entries replaced by blanks (recover.c); len is 0 if the file loads as it is */
    struct og_str recovered;
    bool no_floor;          /* the recovered policy was loaded without the floor */
    struct og_trial *trial; /* decides trial orders; NULL if no witnesses are made */
    struct og_logic *logic; /* memory in which one formula is built */
    struct og_lint_entry *first, *last;
    struct og_lint_finding lost; /* a finding for checks to fill in when no memory is left; it is not reported */
    size_t count;
    bool oom;
    long budget;    /* cost, in microseconds, that may still be spent on proofs and trial orders */
    bool exhausted; /* the budget for proofs and trial orders ran out */
};

#define OG_LINT_BUDGET 300000

/* Spend part of the budget.  Returns false if less than `cost` is left: the caller must then not make the claim for
 * which it was to be spent. */
static inline bool og_lint_spend(struct og_lint_run *l, long cost)
{
    l->exhausted = l->exhausted || l->budget < cost;
    l->budget -= l->exhausted ? 0 : cost;
    return !l->exhausted;
}

/* Format text that lives as long as the report.  Returns "" if out of memory. */
const char *og_lint_format(struct og_lint_run *l, const char *format, ...) __attribute__((format(printf, 2, 3)));
/* Each of these adds a finding: `code` names its documentation page; the arguments after it make the text, as in
 * printf(). The finding is at the value of a node, at its key, or at a line and column of the linted file. Returns the
 * finding, which the caller completes; never NULL. */
#define og_lint_add(l, at, code, ...)        og_lint_add_((l), (at), (code), og_lint_format((l), __VA_ARGS__))
#define og_lint_add_at_key(l, at, code, ...) og_lint_add_at_key_((l), (at), (code), og_lint_format((l), __VA_ARGS__))
#define og_lint_add_at(l, line, col, width, code, ...) \
    og_lint_add_at_((l), (line), (col), (width), (code), og_lint_format((l), __VA_ARGS__))
/* Like og_lint_add(), at a place of the compiled policy. Returns NULL if the place is not in the linted file: other
 * files are linted on their own. */
#define og_lint_add_at_place(l, at, width, code, ...) \
    og_lint_add_at_place_((l), (at), (width), (code), og_lint_format((l), __VA_ARGS__))
struct og_lint_finding *og_lint_add_(struct og_lint_run *l, const struct og_yaml *at, const char *code,
                                     const char *text);
struct og_lint_finding *og_lint_add_at_key_(struct og_lint_run *l, const struct og_yaml *at, const char *code,
                                            const char *text);
struct og_lint_finding *og_lint_add_at_(struct og_lint_run *l, int line, int col, int width, const char *code,
                                        const char *text);
struct og_lint_finding *og_lint_add_at_place_(struct og_lint_run *l, struct og_srcloc at, int width, const char *code,
                                              const char *text);
bool og_lint_is_here(const struct og_lint_run *l, struct og_srcloc at);
/* Attach an edit of the bytes [from, to) to a finding. */
void og_lint_add_edit(struct og_lint_run *l, struct og_lint_finding *f, size_t from, size_t to, const char *text,
                      const char *says);

/* --- suppressions.c: files by lines, and the comments in them that silence warnings ------------------------------- */
struct og_lint_source *og_lint_source_make(struct og_lint_run *l, const char *name, struct og_str bytes);
/* Returns the offset of a line and column; the length of the file if there is no such place. */
size_t og_lint_offset(const struct og_lint_source *s, int line, int col);
struct og_str og_lint_line(const struct og_lint_source *s, int line);
/* Apply the silencing comments of each file, and report comments of the linted file that silence nothing. */
void og_lint_suppress(struct og_lint_run *l);

/* --- pages.c ------------------------------------------------------------------------------------------------------ */
/* What a warning depends on, besides the entry that it is about. The first line of the warning's page names the
 * scope. */
enum og_lint_scope {
    OG_LINT_OF_ENTRY = 0,
    OG_LINT_OF_RULE, /* the warning depends on other entries of the same rule, and on settings of the whole policy */
    /* the warning depends on the whole policy: any blanked entry may cause or prevent it */
    OG_LINT_OF_POLICY
};
enum og_lint_scope og_lint_scope_at(size_t i); /* returns the scope of the page og_lint_page_at(i) */

/* --- recover.c: the part of a broken policy that still loads ------------------------------------------------------ */
/* Load the part of a broken policy that loads, as l->policy and l->root.  Returns false if nothing loads. */
bool og_lint_recover(struct og_lint_run *l);
/* To load a broken policy, entries with errors are overwritten with blanks. Of the findings after `loaded` (of all
 * findings if `loaded` is NULL), remove those that a blanked entry may have caused. whole: the YAML of the file as it
 * was before. */
void og_lint_drop_consequences(struct og_lint_run *l, const struct og_yaml *whole, struct og_lint_entry *loaded);
/* Returns the number of kinds of warnings that are not checked for: all kinds, or only those that need the whole
 * policy. */
size_t og_lint_skipped_checks(bool all);

/* --- fix.c, fix_inline_override.c: edits that repair a finding ---------------------------------------------------- */
/* Attach the edit that repairs a fault reported by the loader, if the repair is mechanical. */
void og_lint_fix_fault(struct og_lint_run *l, struct og_lint_finding *f);
/* Returns the first word that a message quotes, as found in the file at the message's offset or behind a quote there;
 * len is 0 if the word is not found. */
struct og_str og_lint_quoted_word(struct og_str bytes, size_t at, const char *text);
/* Attach an edit that takes an item out of its list.  item must not be the first of the list. */
void og_lint_fix_drop_item(struct og_lint_run *l, struct og_lint_finding *f, const struct og_yaml *item);
/* Attach edits that move the values of overrides that apply to every order into their rules. */
void og_lint_fix_inline_overrides(struct og_lint_run *l);
/* Make the report's fixed text: the linted bytes with all edits applied. */
void og_lint_apply_fixes(struct og_lint_run *l);

/* --- lookup.c: YAML nodes and values in force of rules, overrides and settings ------------------------------------ */
struct og_yaml *og_lint_rule_node(const struct og_lint_run *l, const char *rule);
/* Returns the node of a setting in the k-th override of a rule (k < 0: in the rule itself); NULL if the linted file
 * does not set it. */
struct og_yaml *og_lint_key_node(const struct og_lint_run *l, const char *rule, int k, const char *key);
struct og_yaml *og_lint_override_node(const struct og_lint_run *l, size_t rule, size_t k);
/* Returns the number of a rule's overrides that are written in the linted file. These come before the overrides of
 * other files. */
size_t og_lint_override_count(const struct og_lint_run *l, size_t rule);

size_t og_lint_rule_index(const char *rule); /* returns the rule's index in the register; og_rules_size: no such rule */
/* returns the setting of the k-th override; of the rule itself if k < 0 */
const struct og_rule_setting *og_lint_setting(const struct og_lint_run *l, size_t rule, int k);
/* Get the number in force for a setting, whatever its kind: dollars, a count, percent or nanoseconds.  Returns false
 * if the setting is not a number. */
bool og_lint_value(const struct og_lint_run *l, size_t rule, int k, const char *key, struct og_money *value);
/* Get the same from the settings of a rule that has the setting p. */
bool og_lint_number(const struct og_param *p, const void *settings, struct og_money *value);
/* Returns true if the rule, with the setting of its k-th override (k < 0: its own), refuses the orders for which it
 * makes findings. */
bool og_lint_binds(const struct og_lint_run *l, size_t rule, int k);
/* Returns the policies that the linted one extends, without the floor, which is laid over the linted policy; NULL if
 * they do not load. */
const struct og_policy *og_lint_extended(struct og_lint_run *l);

/* Returns the extended policies if they are for live accounts: they refuse what is not known.  NULL otherwise. */
const struct og_policy *og_lint_live_base(struct og_lint_run *l); /* check_weakened.c */

/* --- the checks: each is in the file of its name ------------------------------------------------------------------ */
void og_lint_check_overrides(struct og_lint_run *l);
void og_lint_check_override_overlap(struct og_lint_run *l);
void og_lint_check_settings(struct og_lint_run *l);
void og_lint_check_only_warns(struct og_lint_run *l);
void og_lint_check_idle_limits(struct og_lint_run *l);
void og_lint_check_word_lists(struct og_lint_run *l);
void og_lint_check_allowed_terms(struct og_lint_run *l);
void og_lint_check_patterns(struct og_lint_run *l);
void og_lint_check_size_coverage(struct og_lint_run *l);
void og_lint_check_environment(struct og_lint_run *l);
void og_lint_check_weakened(struct og_lint_run *l);
void og_lint_check_form_rules(struct og_lint_run *l);
void og_lint_check_custom_rules(struct og_lint_run *l);
/* Report kinds of orders for which a condition can never be decided, if such orders are refused. */
void og_lint_check_undecidable_custom(struct og_lint_run *l, const struct og_custom *c);
void og_lint_check_undecidable_override(struct og_lint_run *l, size_t rule, size_t k);
/* Report a ban or limit on tickers that is not for the options on these tickers. */
void og_lint_check_options_custom(struct og_lint_run *l, const struct og_custom *c);
void og_lint_check_options_override(struct og_lint_run *l, size_t rule, size_t k);
/* Report a rule that also refuses orders that only close. */
void og_lint_check_closes(struct og_lint_run *l, const struct og_custom *c);
/* Report an amount that is compared with an implausible multiple (check_units.c).  c: the rule that requires the
 * comparison; NULL if none does.  Returns true if something was reported. */
bool og_lint_check_multiples(struct og_lint_run *l, const struct og_expr *e, struct og_srcloc at,
                             const struct og_custom *c);
/* Check the condition of an override or of a custom rule.  never: what follows if it never holds; always: what to do if
 * it always holds.  Returns false if the rest of the override or rule need not be checked. */
bool og_lint_check_when(struct og_lint_run *l, const struct og_expr *when, struct og_srcloc at, const char *never,
                        const char *always);
void og_lint_check_small_notional(struct og_lint_run *l, const struct og_custom *c);
/* Ask about a requirement that caps the day's profit, while nothing in the policy limits the day's loss. */
void og_lint_check_turned(struct og_lint_run *l, const struct og_custom *c);
/* Check custom rules against each other and against the rules of the register.  wrong[i]: custom rule i has another
 * finding already; for the first OG_LINT_CUSTOMS custom rules. */
#define OG_LINT_CUSTOMS 300
void og_lint_check_redundant_rules(struct og_lint_run *l, const bool *wrong);
void og_lint_check_named_lists(struct og_lint_run *l);
void og_lint_check_group_limits(struct og_lint_run *l);
/* Shared by checks: report items that are in a list twice. kind: what the message writes before the list's name: "list
 * " for a named list, "" for other lists. */
void og_lint_check_duplicates(struct og_lint_run *l, const struct og_yaml *list, const char *kind);
void og_lint_check_missing_facts(struct og_lint_run *l);
void og_lint_check_untagged(struct og_lint_run *l);

/* Words that are meant as symbols (check_symbols.c). */
/* Returns why a word cannot be a symbol, although all its characters may occur in symbols; NULL if it may be one. */
const char *og_lint_why_no_symbol(struct og_str word);
void og_lint_check_symbol_words(struct og_lint_run *l, const struct og_yaml *list, const char *what);
/* Check a named list, or its file, if some expression looks for a symbol in the list. */
void og_lint_check_symbol_list(struct og_lint_run *l, const struct og_yaml *list);
/* Returns the name of the list that is written at this offset of the expression's text; len is 0 if there is none. */
struct og_str og_lint_list_named(const struct og_expr *e, size_t offset);

/* Shared by checks: search for a text on which the pattern reaches its match limit, and report the pattern at the
 * place. */
void og_lint_check_backtracking(struct og_lint_run *l, struct og_srcloc at, struct og_str text,
                                const struct og_pattern *p);
/* Shared by checks: report a pattern for part of a symbol that can match only lower-case letters. */
void og_lint_check_lower_case_pattern(struct og_lint_run *l, struct og_srcloc at, struct og_str pattern);
/* Expand a trade abbreviation to one of the words, such as GTC to GoodTillCancel.  Returns NULL if the word is not an
 * abbreviation. */
const char *og_lint_expand_abbreviation(struct og_str word, const char *const *words, size_t count);
/* Report an end time that is years away, or later than the exchange calendar. */
void og_lint_check_end_date(struct og_lint_run *l, const struct og_term *term, struct og_srcloc at);
/* Proofs (check_conditions.c). */
struct og_universe og_lint_universe(const struct og_lint_run *l); /* returns the set of all orders that the policy may
                                                                   * be asked to decide; no facts are assumed */
struct og_logic *og_lint_logic(struct og_lint_run *l);            /* returns an empty formula to build on */
enum og_proof og_lint_never(struct og_lint_run *l, const struct og_logic *g, int node, unsigned set);
/* returns the text to add to a finding that was not proved for all orders */
const char *og_lint_exception_text(enum og_proof proof);

/* What is proved about a condition. A claim that a trial order contradicts is dropped. */
struct og_condition {
    enum { OG_CONDITION_OPEN = 0, OG_CONDITION_NEVER, OG_CONDITION_ALWAYS } is;
    enum og_proof proof;
    bool may_be_unknown; /* for some orders the condition may be unknown even if all facts are known */
    bool past;           /* the condition could be true only before options.now */
};
struct og_condition og_lint_condition(struct og_lint_run *l, const struct og_expr *e);
/* Returns true if the expression may be unknown for an order for which `when` holds (NULL: for any order), even if all
 * facts are known. */
bool og_lint_may_be_unknown(struct og_lint_run *l, const struct og_expr *when, const struct og_expr *e);
/* Prove that for every order for which a holds, b holds too (truth: true), or b does not hold (truth: false). */
enum og_proof og_lint_follows(struct og_lint_run *l, const struct og_expr *a, const struct og_expr *b, bool truth);
/* Report words that a name never has, symbols in lower case, impossible dates and patterns that reach their match
 * limit. Returns true if a name is compared with a word that it never has. */
bool og_lint_check_expression(struct og_lint_run *l, const struct og_expr *e, struct og_srcloc at);
