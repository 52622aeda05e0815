/*
 * Orders that take the place of others (replace.c).
 */
#pragma once

#include "ordergate/decision.h"
#include "send/tracked.h"
#include "send/waiting.h"

struct og_sender;

/* Returns true if the line's order (s->order) replaces another order that is still to be canceled. */
bool og_send_is_replace(const struct og_sender *s, const struct og_waiting *w);
/* Returns true if the order that the line's order (s->order) is to replace was refused and never sent. The line can
 * then be refused without a reading. */
bool og_send_replaces_refused(struct og_account_state *a);
/* Begin to replace an order: decide the new order, and cancel the old one. Takes over a line that is out of the queue.
 * Returns false, and has put the line back into the queue, if the run ends or the account must be read before the
 * decision. */
bool og_send_replace(struct og_account_state *a, struct og_waiting *w);
/* The cancel of the old order has ended with that outcome. `why` is the reason if the old order was not canceled,
 * otherwise NULL. Takes over c->after. */
void og_send_replace_after(struct og_tracked *o, const struct og_cancel_line *c, const char *outcome, const char *why);
/* Record that the line's order (s->order) takes the place of the order that it replaces; or, if takes is false, that it
 * will not do so after all. Returns false if that cannot be recorded, and the run ends. */
bool og_send_replaces(struct og_account_state *a, bool takes);
/* Returns true if a line that replaces an order, and was refused, is to be decided once more with a newer reading,
 * because the present reading may count twice the orders that were acknowledged after it. Returns true at most once
 * before the old order is canceled, and once after. */
bool og_send_decides_again(struct og_account_state *a, struct og_waiting *w, const struct og_decision *d);
/* Decide the line's order (s->order) as if the order that it replaces were canceled. Returns true if it would be
 * refused. */
bool og_send_refuses_in_place(struct og_account_state *a, struct og_decision *d);
/* Returns true if the order is refused by a rule that counts other orders. */
bool og_send_counts_others(const struct og_decision *d);
/* Returns true if the order is refused by a rule that counts no other orders. */
bool og_send_is_refused_alone(const struct og_decision *d);
/* Find the order that has already replaced the order which the line's order (s->order) is to replace. *by is set to its
 * id, to be freed, or to NULL if there is none. Also tells the book. Returns false if the ledger cannot be read or
 * memory ran out, and the run ends. */
bool og_send_replaced_by(struct og_account_state *a, char **by);
/* Refuse the line's order (s->order) whatever the policy says, with the reason `text`. */
void og_send_refuse_line(struct og_account_state *a, struct og_origin origin, const char *text);
/* Refuse the line's order (s->order), which the policy accepts although the ledger has another order with the same id,
 * and release its ticket. Returns false if the line waits, because nothing can be recorded. */
bool og_send_refuse_used(struct og_account_state *a, struct og_origin origin, og_ticket ticket);
/* Refuse the line, since the order `by` has already replaced the order that the line is to replace. Frees by. */
void og_send_refuse_second(struct og_account_state *a, struct og_origin origin, char *by);

/* --- texts about replacements: replace_texts.c -------------------------------------------------------------------- */
#define OG_END_TEXT_SIZE 2400
/* Returns the text of an order's outcome. This is `text` (may be NULL), unless the order replaces one that is canceled,
 * and does not work or has an unknown outcome: then it is written into `to`, followed by what that means for the
 * position. If the order was canceled before it was posted, what becomes of the old order is told in any case, and by
 * which line it can be sent again. */
const char *og_send_end_text(struct og_sender *s, const char *account, const char *id, const char *outcome,
                             const char *text, char to[OG_END_TEXT_SIZE]);
/* Like og_send_end_text(), for the line's order (s->order), which was refused. */
const char *og_send_refused_text(struct og_account_state *a, const char *text, char to[OG_END_TEXT_SIZE]);
/* Write that the order which the line's order (s->order) is to replace was already replaced by the order `by`. */
void og_send_say_second(struct og_account_state *a, const char *by, char *to, size_t size);
/* Write that the line's order (s->order) was not sent, and whether the order that it is to replace, which was not
 * canceled, exists. d: the decision on a cancel of that old order; NULL if memory ran out. */
void og_send_say_untouched(struct og_account_state *a, const struct og_decision *d, char *to, size_t size);
/* Write why the old order o is not replaced, given the outcome of its cancel. `filled`: some of it filled since the
 * line was read; `why`: the reason why it was not canceled, otherwise NULL. */
void og_send_say_not_replaced(const struct og_tracked *o, const char *outcome, bool filled, const char *why, char *to,
                              size_t size);
