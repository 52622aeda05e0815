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
/* Take in a row before the row's order, if it has one, is decided. A decision that accepted an order is kept: *row is
 * then NULL. OG_ENOMEM */
enum og_status og_replay_enter(struct og_diff *diff, cJSON **row, int64_t at);
/* Compare the decision of the policy before with the recorded one. */
void og_replay_judge(struct og_diff *diff, const struct og_decision *decision);
/* Count the order of an intent, which was decided last.  OG_ENOMEM */
enum og_status og_replay_count(struct og_diff *diff, const cJSON *row, int64_t at);
