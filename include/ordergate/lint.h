/*
 * Lint: the errors of a policy, and everything in it that does not do what it seems to do.
 *
 * Errors are the faults that keep a policy from loading (ordergate/policy.h). Warnings are about a policy that loads:
 * an override that never applies, a limit that another limit makes idle, a kind of order that no limit covers. In a
 * policy with errors, the parts that no error concerns are checked in the same run; warnings that an error may have
 * caused are left out. A finding about orders has a witness if one was found: an order that shows what the finding
 * claims, and that the policy itself decided before it is reported.
 * The comment "# ordergate-lint: ignore CODE - REASON", on the line or alone on the line above, silences a warning.
 * Errors cannot be silenced, and no file is written: a mechanical repair is returned as text. Threads: reports are
 * independent of one another; each belongs to one thread at a time.
 * Passing NULL where it is not allowed returns OG_EINVAL; a function that returns no status returns what it returns for
 * an empty report.
 */
#ifndef ORDERGATE_LINT_H
#define ORDERGATE_LINT_H

#include <stddef.h>
#include <stdint.h>

#include "ordergate/policy.h"

#ifdef __cplusplus
extern "C" {
#endif

/* An order that shows what a finding claims.  `ordergate check -p POLICY -f FACTS --at AT` decides it the same way. */
struct og_lint_witness {
    const char *order; /* the order as JSON, one line */
    const char *facts; /* a facts document, JSON on one line; "" if the order is decided without facts */
    const char *at;    /* the instant of the decision, RFC 3339 */
    bool accepted;
    const char *reasons; /* reasons of the decision's findings, separated by one blank; "" if it has none */
    const char *shows;   /* what the order shows: lower case, no full stop */
};

/* An edit of the linted file: bytes to replace, and their replacement. */
struct og_lint_edit {
    size_t from, to; /* [from, to): offsets in bytes */
    const char *text;
    const char *says; /* description, such as "'awya' becomes 'away'" */
};

struct og_lint_finding {
    struct og_diagnostic fault;
    int width;             /* how many bytes of the line the finding concerns, from fault.col on; at least 1 */
    const char *line_text; /* the line without its newline; NULL if it is not available */
    const char *ignored;   /* the reason in the comment that silences the finding; NULL if it is not silenced */
    const struct og_lint_witness *witness; /* an order that shows the finding; NULL if there is none */
    const struct og_lint_edit *edit;       /* the repair, if it is mechanical; NULL if a person must decide */
};

/* Where the facts will come from when the policy is used. Lint reports the rules that will lack a fact then. */
enum og_lint_for {
    /* lint reports no missing facts, unless options give facts; then it does as for OG_LINT_FOR_CHECK */
    OG_LINT_FOR_ANY = 0,
    OG_LINT_FOR_CHECK, /* the facts come only from the given document */
    OG_LINT_FOR_SEND   /* from the broker, from the ledger of `send`, and from the given facts */
};

struct og_lint_options {
    int64_t now;       /* the present time, in ns since 1970: dates and end times before it are past */
    const char *facts; /* a facts document by which witnesses are decided; NULL: lint makes up facts for each witness */
    size_t facts_len;
    bool no_witness;
    const char *floor; /* a floor laid over the policy before it is checked; NULL means no floor */
    enum og_lint_for use;
};

struct og_lint_report;

/* Lint a policy; name is as in og_policy_load().  Findings are in the order of the files.
 * options may be NULL: `now` is then the machine's clock, and all other options are zero.
 *   OG_OK      *report is set, with or without findings; free it with og_lint_free()
 *   OG_EIO     the policy cannot be read; *report is NULL
 *   OG_EFACTS, OG_ESYNTAX  options->facts cannot be used; *report is NULL
 *   OG_ENOMEM  *report is NULL */
OG_API OG_MUST_USE enum og_status og_lint(const char *name, const struct og_lint_options *options,
                                          struct og_lint_report **report, struct og_error *err);
/* Like og_lint(), for a policy in memory, given as for og_policy_read(). Never returns OG_EIO. */
OG_API OG_MUST_USE enum og_status og_lint_read(const char *yaml, size_t len, const char *name,
                                               const struct og_lint_options *options, struct og_lint_report **report,
                                               struct og_error *err);
OG_API void og_lint_free(struct og_lint_report *report); /* NULL is allowed */

OG_API size_t og_lint_count(const struct og_lint_report *report);
/* Returns the i-th finding, which is valid as long as the report; NULL past the end. */
OG_API const struct og_lint_finding *og_lint_at(const struct og_lint_report *report, size_t i);
/* Returns how many kinds of warnings were not checked because the policy has errors; 0 if all were. */
OG_API size_t og_lint_unmade(const struct og_lint_report *report);
/* Return the linted bytes, and the same bytes with the edits of all findings applied. Both are valid as long as the
 * report. If two edits overlap or adjoin, only the earlier one is applied; another run applies the later one. */
OG_API const char *og_lint_text(const struct og_lint_report *report, size_t *len);
OG_API const char *og_lint_fixed(const struct og_lint_report *report, size_t *len);

/* The documentation of one kind of finding. */
struct og_lint_page {
    const char *code;
    enum og_severity severity;
    bool fixes;          /* some findings of this kind have an edit */
    const char *summary; /* one line, no full stop */
    const char *why;     /* what goes wrong; may have several lines */
    const char *bad;     /* a policy in which lint finds this and nothing else; NULL if no single file can show it */
    const char *good;    /* the same policy, corrected: lint finds nothing */
};
/* Get the documentation of a kind of finding, by its place in the alphabetical list of codes, or by its code. Return
 * false past the end of the list, or if there is no such code. */
OG_API bool og_lint_page_at(size_t i, struct og_lint_page *page);
OG_API bool og_lint_page_of(const char *code, struct og_lint_page *page);

#ifdef __cplusplus
}
#endif
#endif
