/*
 * Orders that no run on this ledger made, or that a run left working before it ended; and which changes of these orders
 * the facts of an account have (external.c).
 */
#pragma once

#include "send/tracked.h"
#include "wire/read.h"

#define OG_FIRST_LETTERS 27 /* one for each letter from A to Z, and one for all other first characters */

/* When orders of somebody else last changed, as og_time_up() (external.c). */
struct og_account_elsewhere {
    /* og_time_up() of the newest change, which only readings that begin later have; 0 if nothing has changed */
    uint64_t changed_at;
    uint64_t taken_at; /* the newest change that may use up a limit: a new order, or a fill */
    uint64_t reading;  /* read_at of the newest reading that a tick has looked at */
    uint64_t until;    /* changed_at when the tick looked at the newest reading: see og_send_knows_elsewhere() */
    bool by_run;       /* another run on this ledger made the order that changed last */
    uint64_t settles;  /* after a fill: how long positions may lack it */
    /* taken_at by what the order may close (longs, which sales close, or shorts, which buys close), and by the first
     * letter of its symbol, which a stock, its options and their adjusted roots have in common */
    uint64_t taken_of[2][OG_FIRST_LETTERS];
};

/* Follow an order that no run on this ledger made, or that a run left working before it ended. listed: the row is from
 * a list, which shows past orders too. Returns NULL if this run or another running one made the order, if the order is
 * listed and over, or if out of memory. */
struct og_tracked *og_send_external(struct og_account_state *a, const struct og_order_row *row, bool listed);
void og_send_say_externals(struct og_account_state *a);
void og_send_set_external(struct og_tracked *o, bool external); /* set whether somebody else made the order */
enum og_change_elsewhere {
    OG_CHANGE_FREES, /* the order may have ended without a fill: older facts still count what it used */
    OG_CHANGE_TAKES, /* a new order, or it is not known what changed */
    OG_CHANGE_FILLS, /* a fill: positions may lack it for as long as the broker's figures lag fills */
};
/* Note that an order of somebody else has changed. source: as of og_send_row(); symbol, side: those of its row, empty
 * if not known; by_run: another run on this ledger made it. */
void og_send_changed_elsewhere(struct og_account_state *a, struct og_str symbol, struct og_str side, const char *source,
                               enum og_change_elsewhere change, bool by_run);
/* Returns which orders have changed, for messages: "an order made elsewhere". */
const char *og_send_elsewhere_text(const struct og_account_state *a);
void og_send_look_elsewhere(struct og_sender *s); /* note which changes the newest reading has; once a tick */
/* Returns true if an order with this status has ended. */
bool og_send_is_over_there(enum og_order_status s);
/* Returns true if the facts are new enough to decide a line read at og_time_up() `line_at`, as far as orders of
 * somebody else are concerned. Either (a) the facts have every change seen so far; or (b) the newest reading began
 * after the line was read, so late that fills from before that time are certainly included, and the facts have every
 * change seen before that reading ended. In case (b) the facts may lack later changes. If lines waited for these too,
 * somebody else's orders that change all the time would delay our own for ever. */
bool og_send_knows_elsewhere(const struct og_account_state *a, uint64_t line_at);
/* Like og_send_knows_elsewhere(), but only for changes that may use up a limit: a new order, or a fill. No order that
 * may open is sent without them. */
bool og_send_knows_takings(const struct og_account_state *a, uint64_t line_at);
/* Returns true if the facts have all new orders and fills of somebody else that may use up what an order of that symbol
 * and side closes. An order that only closes takes nothing of other symbols, and what others buy takes nothing of the
 * longs that a sale closes. symbol is NULL for a spread: orders and fills of all symbols and both sides then count. */
bool og_send_knows_takings_of(const struct og_account_state *a, const char *symbol, bool sells);
/* Returns true if the account cannot be read at present, although a reading was tried after the newest change, or after
 * og_time_up() `from`. */
bool og_send_cannot_know(const struct og_account_state *a, uint64_t from);
/* Write into `to` that an order is not sent because the facts lack a change of somebody else's order. */
void og_send_say_elsewhere(const struct og_account_state *a, char *to, size_t size);
