/*
 * Lint: everything that is wrong with a policy, and what in it does not mean what it says.
 *
 * Errors are what keeps a policy from loading (ordergate/policy.h).  Warnings are said of what loads: an override
 * that never applies, a limit that another makes idle, a kind of order that nothing limits.  Of a policy with errors,
 * what lies apart from them is warned of in the same run, and nothing that may come of them.  Where an order can show
 * what is claimed, one stands beside the finding: the witness, decided by the policy itself before it is given out.
 * A comment "# ordergate-lint: ignore CODE - REASON" on the line or alone on the line above silences a warning.
 * It refuses to silence errors, and to write files: what would repair one is given as text.
 * Threads: reports are independent; one belongs to one thread at a time.
 * NULL where it is not allowed: OG_EINVAL; a function without a status answers as if there were nothing.
 */
#ifndef ORDERGATE_LINT_H
#define ORDERGATE_LINT_H

#include "ordergate/policy.h"

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* An order that shows what a finding claims.  `ordergate check -p POLICY -f FACTS --at AT` on it decides the same. */
struct og_lint_witness {
    const char *order; /* JSON, one line */
    const char *facts; /* a facts document, JSON on one line; "" when the order is decided without */
    const char *at;    /* the instant, RFC 3339 */
    bool accepted;
    const char *reasons; /* of the findings of its decision, by one blank each; "" when there are none */
    const char *shows;   /* what to see in it: lower case, no full stop */
};

/* Bytes of the linted file and what should stand in their place. */
struct og_lint_edit {
    size_t from, to; /* offsets, to exclusive */
    const char *text;
    const char *says; /* "'awya' becomes 'away'" */
};

struct og_lint_finding {
    struct og_diagnostic fault;
    int width;                             /* bytes of the line that are meant, from the column on; at least 1 */
    const char *line_text;                 /* the line it stands on, without its end; NULL: not to be had */
    const char *ignored;                   /* the reason a comment gives for silencing it; NULL: it counts */
    const struct og_lint_witness *witness; /* NULL: none */
    const struct og_lint_edit *edit;       /* what repairs it, where that is mechanical; NULL: a person must */
};

/* What the policy is to decide by, for judging which facts its rules will lack. */
enum og_lint_for {
    OG_LINT_FOR_ANY = 0, /* not judged, unless facts are given: then as OG_LINT_FOR_CHECK */
    OG_LINT_FOR_CHECK,   /* the facts given alone */
    OG_LINT_FOR_SEND     /* what send reads from the broker and has in its ledger, beside the facts given */
};

struct og_lint_options {
    int64_t now;       /* what "past" is measured by, ns */
    const char *facts; /* a facts document that witnesses are decided by; NULL: made up for each */
    size_t facts_len;
    bool no_witness;
    const char *floor; /* a floor that is laid over the policy before it is judged; NULL: it is judged alone */
    enum og_lint_for use;
};

struct og_lint_report;

/* Lint a policy by name as og_policy_load() takes it.  Findings are in the order of the
 * files.  options may be NULL: now is the machine's clock.
 *   OG_OK      *report is set, findings or none; free with og_lint_free()
 *   OG_EIO     the policy cannot be read; *report is NULL
 *   OG_EFACTS, OG_ESYNTAX  options->facts cannot be used; *report is NULL
 *   OG_ENOMEM  *report is NULL */
OG_API OG_MUST_USE enum og_status og_lint(const char *name, const struct og_lint_options *options,
                                          struct og_lint_report **report, struct og_error *err);
/* The same for bytes in memory, as og_policy_read() takes them; no OG_EIO. */
OG_API OG_MUST_USE enum og_status og_lint_read(const char *yaml, size_t len, const char *name,
                                               const struct og_lint_options *options, struct og_lint_report **report,
                                               struct og_error *err);
OG_API void og_lint_free(struct og_lint_report *report); /* NULL is allowed */

OG_API size_t og_lint_count(const struct og_lint_report *report);
/* Lives as long as the report; NULL past the end. */
OG_API const struct og_lint_finding *og_lint_at(const struct og_lint_report *report, size_t i);
/* How many kinds of warnings were not looked for, since errors stand in the way; 0: none. */
OG_API size_t og_lint_unmade(const struct og_lint_report *report);
/* The bytes that were linted, and the same with every edit of its findings made; alive as long as the report.  When two
 * edits would touch, the later one is left for the next run. */
OG_API const char *og_lint_text(const struct og_lint_report *report, size_t *len);
OG_API const char *og_lint_fixed(const struct og_lint_report *report, size_t *len);

/* One thing lint may find. */
struct og_lint_page {
    const char *code;
    enum og_severity severity;
    bool fixes;          /* some of its findings carry an edit */
    const char *summary; /* one line, no full stop */
    const char *why;     /* what goes wrong; may have several lines */
    const char *bad;     /* a policy in which exactly this is found; NULL: no one file can show it */
    const char *good;    /* the same as it should be: nothing is found */
};
/* By code, in the order of the alphabet; false past the end, or when there is none of that code. */
OG_API bool og_lint_page_at(size_t i, struct og_lint_page *page);
OG_API bool og_lint_page_of(const char *code, struct og_lint_page *page);

#ifdef __cplusplus
}
#endif
#endif
