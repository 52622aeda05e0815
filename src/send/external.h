/*
 * Orders that no run on this ledger made, or that a run left working before it ended; and which changes of these orders
 * the facts of an account include (external.c).
 */
#pragma once

#include "send/tracked.h"
#include "wire/read.h"

#define OG_FIRST_LETTERS 27 /* one for each letter from A to Z, and one for all other first characters */

/* When orders of somebody else last changed (external.c). All times are og_time_up(). */
struct og_account_elsewhere {
    /* time of the newest change, which only readings that begin later include; 0 if nothing has changed */
    uint64_t changed_at;
    uint64_t taken_at; /* time of the newest change that may use up a limit: a new order, or a fill */
    uint64_t reading;  /* read_at of the newest reading that a tick has looked at */
    uint64_t until;    /* changed_at when the tick looked at the newest reading: see og_send_knows_elsewhere() */
    bool by_run;       /* the order that changed last was made by another run on this ledger */
    uint64_t settles;  /* after a fill: for how long positions may lack the fill */
    /* the newest such change for each kind of position that the order may close (longs, which sales close, or shorts,
     * which buys close), and for each first letter of its symbol, which a stock shares with its options and their
     * adjusted roots */
    uint64_t taken_of[2][OG_FIRST_LETTERS];
};

/* Follow an order that no run on this ledger made, or that a run left working before it ended. listed: the row is from
 * a list, which shows past orders too. Returns NULL if this run or another running one made the order, if the order is
 * listed and over, or if out of memory. */
struct og_tracked *og_send_external(struct og_account_state *a, const struct og_order_row *row, bool listed);
void og_send_say_externals(struct og_account_state *a);
void og_send_set_external(struct og_tracked *o, bool external); /* set whether somebody else made the order */
enum og_change_elsewhere {
    OG_CHANGE_FREES, /* the order may have ended without a fill: older facts still count what it had reserved */
    OG_CHANGE_TAKES, /* the order is new, or it is not known what changed */
    OG_CHANGE_FILLS, /* a fill: positions may lack it for as long as the broker's figures lag fills */
};
/* Note that an order of somebody else has changed. source: as for og_send_row(); symbol, side: those of its row, empty
 * if not known; by_run: another run on this ledger made the order. */
void og_send_changed_elsewhere(struct og_account_state *a, struct og_str symbol, struct og_str side, const char *source,
                               enum og_change_elsewhere change, bool by_run);
/* Returns, for messages, whose orders have changed: "an order made elsewhere". */
const char *og_send_elsewhere_text(const struct og_account_state *a);
/* note which changes the newest reading includes; called once a tick */
void og_send_look_elsewhere(struct og_sender *s);
/* Returns true if an order with this status has ended. */
bool og_send_is_over_there(enum og_order_status s);
/* Returns true if the facts are new enough to decide a line read at og_time_up() `line_at`, as far as orders of
 * somebody else are concerned. Either (a) the facts have every change seen so far; or (b) the newest reading began
 * after the line was read, so late that fills from before that time are certainly included, and the facts have every
 * change seen before that reading ended. In case (b) the facts may lack later changes. If lines waited for these too,
 * somebody else's orders that change all the time would delay our own for ever. */
bool og_send_knows_elsewhere(const struct og_account_state *a, uint64_t line_at);
/* Like og_send_knows_elsewhere(), but only for changes that may use up a limit: a new order, or a fill. An order that
 * may open is never sent while the facts lack such a change. */
bool og_send_knows_takings(const struct og_account_state *a, uint64_t line_at);
/* Returns true if the facts include all new orders and fills of somebody else that may use up what an order of that
 * symbol and side closes. An order of somebody else that only closes uses up nothing of other symbols, and a buy uses
 * up nothing of the longs that a sale closes. symbol is NULL for a spread: orders and fills of all symbols and both
 * sides then count. */
bool og_send_knows_takings_of(const struct og_account_state *a, const char *symbol, bool sells);
/* Returns true if the account cannot be read at present, although a reading was tried after the newest change, or after
 * og_time_up() `from`. */
bool og_send_cannot_know(const struct og_account_state *a, uint64_t from);
/* Write into `to` that an order is not sent because the facts lack a change of somebody else's order. */
void og_send_say_elsewhere(const struct og_account_state *a, char *to, size_t size);
