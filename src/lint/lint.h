/*
 * Lint inside: one run over one policy, and what the parts that find something share.
 */
#ifndef OG_LINT_LINT_H
#define OG_LINT_LINT_H

#include "base/arena.h"
#include "solver/logic.h"
#include "ordergate/lint.h"
#include "policy/policy.h"
#include "policy/source_location.h"
#include "text/yaml.h"

/* A file as it was read: its lines, and the comments in it that silence findings. */
struct og_lint_source {
    const char *name;
    struct og_str bytes;
    size_t *line; /* offset of each line's first byte; line[lines] is the end */
    int lines;
    struct og_lint_suppression *suppressions;
    struct og_lint_source *next;
};

struct og_lint_suppression {
    int line;    /* the line whose findings it silences */
    int at, col; /* where the code stands in the comment */
    struct og_str code;
    const char *reason; /* "" when none is given */
    bool used;
    struct og_lint_suppression *next;
};

struct og_lint_entry {
    struct og_lint_finding finding;
    int order; /* of its file */
    size_t nth;
    struct og_lint_entry *next;
};

struct og_lint_report {
    struct og_arena arena;
    struct og_lint_finding *finding;
    size_t count;
    struct og_str text, fixed;
    size_t unmade; /* kinds of warnings that were not looked for, as the policy does not load */
};

struct og_trial;

struct og_lint_run {
    struct og_lint_report *report;
    struct og_arena *arena; /* the report's */
    struct og_lint_options options;
    struct og_policy *policy;       /* what it loads to, or what is left of it; NULL: nothing does */
    struct og_lint_source *sources; /* the first is the one that is linted */
    struct og_yaml *root;           /* of that one, or of what is left of it; NULL: none */
    struct og_str recovered;        /* its bytes without what keeps it from loading (rest.c); len 0: it loads */
    bool no_floor;                  /* of the rest: the floor is left out */
    struct og_trial *trial;         /* where witnesses are decided; NULL: there are to be none */
    struct og_logic *logic;         /* room for one formula; NULL: not yet made */
    struct og_lint_entry *first, *last;
    struct og_lint_finding lost; /* written and never read, once memory is out */
    size_t count;
    bool oom;
    long budget;    /* microseconds, roughly, that may still be spent on proofs and trials */
    bool exhausted; /* it ran out */
};

#define OG_LINT_BUDGET 300000

/* Spend of the budget.  false: there is not so much left, and nothing may be claimed that needs it. */
static inline bool og_lint_spend(struct og_lint_run *l, long cost)
{
    l->exhausted = l->exhausted || l->budget < cost;
    l->budget -= l->exhausted ? 0 : cost;
    return !l->exhausted;
}

/* Note a finding of a page at a node's value, or at its key.  What the caller may add to it is answered: never NULL. */
struct og_lint_finding *og_lint_add(struct og_lint_run *l, const struct og_yaml *at, const char *code,
                                    const char *format, ...) __attribute__((format(printf, 4, 5)));
struct og_lint_finding *og_lint_add_at_key(struct og_lint_run *l, const struct og_yaml *at, const char *code,
                                           const char *format, ...) __attribute__((format(printf, 4, 5)));
/* At a place of the linted file. */
struct og_lint_finding *og_lint_add_at(struct og_lint_run *l, int line, int col, int width, const char *code,
                                       const char *format, ...) __attribute__((format(printf, 6, 7)));
/* At a place of a compiled policy; NULL when that is not in the linted file, which is then linted itself. */
struct og_lint_finding *og_lint_add_at_place(struct og_lint_run *l, struct og_srcloc at, int width, const char *code,
                                             const char *format, ...) __attribute__((format(printf, 5, 6)));
bool og_lint_is_here(const struct og_lint_run *l, struct og_srcloc at);
/* Text that lives as long as the report; "" when out of memory. */
const char *og_lint_format(struct og_lint_run *l, const char *format, ...) __attribute__((format(printf, 2, 3)));
/* Add an edit of bytes [from, to) to a finding. */
void og_lint_add_edit(struct og_lint_run *l, struct og_lint_finding *f, size_t from, size_t to, const char *text,
                      const char *says);

/* --- source.c --- */
struct og_lint_source *og_lint_source_make(struct og_lint_run *l, const char *name, struct og_str bytes);
/* The offset of a place; the end of the bytes when there is no such place. */
size_t og_lint_offset(const struct og_lint_source *s, int line, int col);
struct og_str og_lint_line(const struct og_lint_source *s, int line);
/* Silence findings by the comments in their files, and say which comments silence nothing. */
void og_lint_suppress(struct og_lint_run *l);

/* --- rest.c --- */
/* Make a policy, and a root, of what is left of one that does not load.  false: nothing can be. */
bool og_lint_recover(struct og_lint_run *l);
/* Take out findings behind `loaded` that may come of what is missing from the rest; whole: the root of all. */
void og_lint_drop_consequences(struct og_lint_run *l, const struct og_yaml *whole, struct og_lint_entry *loaded);
/* How many kinds of warnings are not looked for: all, or those that need the whole policy. */
size_t og_lint_skipped_checks(bool all);

/* --- fix.c --- */
/* What would repair a fault of the loader, where that is mechanical. */
void og_lint_fix_fault(struct og_lint_run *l, struct og_lint_finding *f);
/* Take an item out of a list; item is not its first. */
void og_lint_fix_drop_item(struct og_lint_run *l, struct og_lint_finding *f, const struct og_yaml *item);
/* An override for every order moves into its rule (lift.c). */
void og_lint_fix_inline_overrides(struct og_lint_run *l);
/* The linted bytes with all edits made. */
void og_lint_apply_fixes(struct og_lint_run *l);

/* --- tree.c: where the linted file says what --- */
struct og_yaml *og_lint_rule_node(const struct og_lint_run *l, const char *rule);
/* The place of a setting: in the k-th override of a rule (k < 0: the rule itself); NULL when this file does not say. */
struct og_yaml *og_lint_key_node(const struct og_lint_run *l, const char *rule, int k, const char *key);
struct og_yaml *og_lint_override_node(const struct og_lint_run *l, size_t rule, size_t k);
/* How many of a rule's overrides the linted file wrote: they are its first. */
size_t og_lint_override_count(const struct og_lint_run *l, size_t rule);

size_t og_lint_rule_index(const char *rule); /* of the register; og_rules_size: it has no such rule */
const struct og_rule_setting *og_lint_setting(const struct og_lint_run *l, size_t rule, int k); /* k < 0: its own */
/* A number as it stands in force, whatever its kind: dollars, counts, percent, nanoseconds; false: it has none. */
bool og_lint_value(const struct og_lint_run *l, size_t rule, int k, const char *key, struct og_money *value);
/* The rule refuses what it finds, as that setting has it. */
bool og_lint_binds(const struct og_lint_run *l, size_t rule, int k);

/* --- what looks for something: each a file --- */
void og_lint_check_overrides(struct og_lint_run *l);
void og_lint_check_settings(struct og_lint_run *l);
void og_lint_check_idle_limits(struct og_lint_run *l);
void og_lint_check_word_lists(struct og_lint_run *l);
void og_lint_check_allowed_terms(struct og_lint_run *l);
void og_lint_check_patterns(struct og_lint_run *l);
void og_lint_check_size_coverage(struct og_lint_run *l);
void og_lint_check_environment(struct og_lint_run *l);
void og_lint_check_custom_rules(struct og_lint_run *l);
/* Orders of which a condition can never be told, where that refuses them. */
void og_lint_check_undecidable_custom(struct og_lint_run *l, const struct og_custom *c);
void og_lint_check_undecidable_override(struct og_lint_run *l, size_t rule, size_t k);
/* Units that slipped (slips.c); true: one was told.  c: the rule whose requirement it is; NULL: of none. */
bool og_lint_check_multiples(struct og_lint_run *l, const struct og_expr *e, struct og_srcloc at,
                             const struct og_custom *c);
void og_lint_check_small_notional(struct og_lint_run *l, const struct og_custom *c);
/* Own rules against each other and against the register's; wrong: those of the first OG_LINT_CUSTOMS that something
 * else is wrong with. */
#define OG_LINT_CUSTOMS 300
void og_lint_check_redundant_rules(struct og_lint_run *l, const bool *wrong);
void og_lint_check_named_lists(struct og_lint_run *l);
void og_lint_check_missing_facts(struct og_lint_run *l);

/* Shared: a text that a pattern gives up on is looked for; says the finding at the place. */
void og_lint_check_backtracking(struct og_lint_run *l, struct og_srcloc at, struct og_str text,
                                const struct og_pattern *p);
/* Shared: a pattern that some part of a symbol is to match, and that wants small letters there; says the finding. */
void og_lint_check_lower_case_pattern(struct og_lint_run *l, struct og_srcloc at, struct og_str pattern);
/* Which of the words a word stands for in the trade, as GTC for GoodTillCancel; NULL: none. */
const char *og_lint_expand_abbreviation(struct og_str word, const char *const *words, size_t count);
/* A temporary thing that ends beyond the exchange calendar. */
void og_lint_check_end_date(struct og_lint_run *l, const struct og_term *term, struct og_srcloc at);
/* Proofs (conditions.c). */
struct og_universe og_lint_universe(const struct og_lint_run *l); /* of the policy's orders, with nothing known */
struct og_logic *og_lint_logic(struct og_lint_run *l);            /* a formula to begin; NULL: out of memory */
enum og_proof og_lint_never(struct og_lint_run *l, const struct og_logic *g, int node, unsigned set);
const char *og_lint_exception_text(enum og_proof proof); /* what a text says of a proof that is not of all orders */

/* What of a condition can be said without an order, and shown by none to be wrong. */
struct og_condition {
    enum { OG_CONDITION_OPEN = 0, OG_CONDITION_NEVER, OG_CONDITION_ALWAYS } is;
    enum og_proof proof;
    bool doubtful; /* of some orders it may be unknown whatever the facts */
    bool past;     /* it held once */
};
struct og_condition og_lint_condition(struct og_lint_run *l, const struct og_expr *e);
/* Where the condition holds (NULL: for all orders) the expression may be unknown, whatever the facts. */
bool og_lint_may_be_unknown(struct og_lint_run *l, const struct og_expr *when, const struct og_expr *e);
/* Where a holds b does (truth), or does not. */
enum og_proof og_lint_follows(struct og_lint_run *l, const struct og_expr *a, const struct og_expr *b, bool truth);
/* Words in it that are never so, symbols in small letters, patterns that give up; true: there were such words. */
bool og_lint_check_expression(struct og_lint_run *l, const struct og_expr *e, struct og_srcloc at);

#endif
