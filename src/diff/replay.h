/*
 * The state of a ledger's day, for og_diff_ledger_row() after og_diff_replay().
 */
#pragma once

#include "base/map.h"
#include "diff/diff.h"
#include "text/doc.h"

struct og_replay {
    struct og_map tickets; /* by "account id": og_ticket */
    /* the last decision that accepted an order; the order's body is in the intent that follows the decision */
    cJSON *accepted;
    /* the row with the recorded decision of the order that is being decided; NULL if there is none */
    const cJSON *now;
    struct og_diff_replayed told;
};

void og_replay_free(struct og_replay *replay); /* NULL is allowed */
/* Process the row before its order, if it has one, is decided. If the row is a decision that accepted an order, the
 * replay keeps the row and sets *row to NULL. Returns OG_ENOMEM if memory runs out. */
enum og_status og_replay_enter(struct og_diff *diff, cJSON **row, int64_t at);
/* Compare the decision of the policy `before` with the recorded decision. */
void og_replay_judge(struct og_diff *diff, const struct og_decision *decision);
/* Reserve the order that was decided last, so that it counts for later orders; row is its intent.  Returns OG_ENOMEM if
 * memory runs out. */
enum og_status og_replay_count(struct og_diff *diff, const cJSON *row, int64_t at);
