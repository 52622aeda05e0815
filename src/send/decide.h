/*
 * What decide.c, which decides a line, shares with overtake.c, which chooses the lines.
 */
#pragma once

#include "send/sender.h"

#define OG_BATCH_MOST 64

/* Orders that are decided and recorded, to be posted after the ledger's commit. */
struct og_batch {
    struct og_tracked *order[OG_BATCH_MOST];
    int count;
};

/* Which lines are decided. OG_IN_TURN: in the order in which lines were read. OG_CLOSES_AHEAD: lines that overtake
 * those read earlier, which is allowed for an order only if it only closes and is accepted now. */
enum og_turn { OG_IN_TURN, OG_CLOSES_AHEAD };

/* OG_NEXT: the line needs nothing more, or was set aside; OG_WAIT: it stays where it is */
enum og_line_answer { OG_NEXT, OG_WAIT };

/* Decide the line if it may be decided now. */
enum og_line_answer og_send_take(struct og_sender *s, struct og_waiting *w, struct og_batch *b, enum og_turn turn);
/* Decide the lines that may be decided now (overtake.c). */
void og_send_decide_lines(struct og_sender *s, struct og_batch *b);
