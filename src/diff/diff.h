/*
 * Internals of a diff: two policies, and one book that decides by one and then by the other.
 */
#pragma once

#include "base/arena.h"
#include "base/buf.h"
#include "check/book.h"
#include "diff/kinds.h"
#include "diff/settings.h"
#include "ordergate/diff.h"

#define OG_DIFF_FINDINGS (4 * OG_FINDINGS_MOST)

struct og_diff_facts { /* facts that the caller gave, kept as text: each probe lays them over its own facts */
    char *json, *name;
    size_t len;
    struct og_diff_facts *next;
};

struct og_kind_count { /* orders of one kind that were decided by both policies */
    long long orders, loosened, tightened;
};

struct og_replay;

struct og_diff {
    struct og_policy *policy[2]; /* before, after; freed by the caller */
    struct og_book *book;        /* the book's policy is one of the two in policy[]; or NULL */
    struct og_scratch *scratch[2];
    struct og_order *order;
    struct og_request *request;
    struct og_replay *replay; /* NULL if each row of a ledger is decided by itself (replay.h) */
    struct og_arena arena;
    struct og_settings_diff settings[2]; /* settings[1]: compared with the two policies swapped */
    unsigned *concerns[2];               /* for each setting that differs: the kinds of orders that it can let pass,
                                          * a bit each (diff/kinds.h) */
    bool concerns_known;
    struct og_kind_count seen[OG_DIFF_KINDS + 1];
    const char **loosened; /* ids of the rules that loosened the verdict on some order; loosened_count of them */
    size_t loosened_count;
    struct og_diff_facts *facts, **next_facts;
    char *account;
    struct og_buf line; /* the order line of a probe */
    struct og_diff_finding finding[OG_DIFF_FINDINGS];
    size_t findings;
};

/* Make a book with the facts of the document (json NULL if there is none), over which the caller's facts are laid. */
enum og_status og_diff_book(struct og_diff *diff, const char *json, size_t len, struct og_error *err);
/* Decide the line by both policies.  Returns OG_ENOMEM if memory runs out. */
enum og_status og_diff_decide(struct og_diff *diff, const char *line, size_t len, int64_t now,
                              struct og_decision decision[2]);
/* Compare the two decisions and fill diff->finding. */
enum og_diff_what og_diff_compare(struct og_diff *diff, const struct og_decision decision[2]);
/* Count the order that was decided last, by its kind (verdict.c). */
void og_diff_count(struct og_diff *diff, enum og_diff_what what);
