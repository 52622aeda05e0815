/*
 * The events of a run for the program that gives it lines, and the rows of the ledger that go with them (event.c,
 * deliver.c).
 */
#pragma once

#include "send/sender.h"

/* Write a decision, as an event and as a ledger row. Returns false if it could not be recorded. */
bool og_send_tell_decision(struct og_sender *s, struct og_origin origin, const struct og_decision *d);
/* Like og_send_tell_decision(), for an order that is refused although the policy may accept it. `why` is the reason;
 * NULL if a finding gives it. */
bool og_send_tell_refusal(struct og_sender *s, struct og_origin origin, struct og_decision *d, const char *why);
/* Like og_send_tell_decision(), for the refusal of an order that was accepted before. Sets s->order. */
bool og_send_tell_refused_later(struct og_tracked *o, const struct og_decision *d);
void og_send_tell_posted(struct og_tracked *o, const struct og_call_reply *reply, struct og_str status,
                         struct og_str text);
/* Write an event: if `up` is false, that the stream was lost, and why; if it is true, that the stream is back. */
void og_send_tell_stream(struct og_account_state *a, bool up, const char *why);
/* row may be NULL: the update came without a row */
void og_send_tell_update(struct og_tracked *o, const struct og_order_row *row, const char *source);
/* The text of a line that is accepted in a dry run. */
#define OG_DRY_SENT "dry run: would be sent"
void og_send_tell_outcome(struct og_sender *s, struct og_origin origin, const char *account, const char *id,
                          const struct og_execution *execution, const char *outcome);
void og_send_tell_resumed(struct og_sender *s, struct og_origin origin, const char *account, const char *id,
                          /* for an order that another run posted */
                          const struct og_execution *execution, const char *outcome);
/* Record that a person accepts this damage of the ledger.  Returns false if the run cannot go on. */
bool og_send_record_damage(struct og_sender *s, const struct og_ledger_damage *damage);
/* Write a change of policy, as an event and as a ledger row. Returns false if it could not be recorded. */
bool og_send_tell_policy(struct og_sender *s, const char *old, const char *new, const char *why);
/* Write an event about a position that orders do not explain. before: the position when it was last explained;
 * by_orders: what orders of this run added since; after: the position now. */
void og_send_tell_position(struct og_account_state *a, const char *symbol, struct og_money before,
                           struct og_money by_orders, struct og_money after);
/* Write an event that the broker's clock is ahead_ms ahead of the machine's; negative: behind it. */
void og_send_tell_clock(struct og_sender *s, int64_t ahead_ms);
/* Write an event that a line, or an order, waits. account and id are NULL or "" if they are not known. */
void og_send_tell_wait(struct og_sender *s, struct og_origin origin, bool cancels, const char *account, const char *id,
                       const char *reason, const char *text);
/* Report, as a message, an event and a record with that detail, that the broker shows of the order what cannot be. */
void og_send_tell_anomaly(struct og_tracked *o, struct og_str detail, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
/* Write an event that trading was halted, or goes on. */
void og_send_tell_trading(struct og_sender *s, const struct og_ledger_trading *t);
/* Write an event about a writer of the intake. */
void og_send_tell_writer(struct og_sender *s, uint64_t writer, const char *state, const char *text);
void og_send_tell_dead_man(struct og_sender *s, int canceled);
/* Write how a DELETE ended, as an event and as a ledger row. */
void og_send_tell_cancel(struct og_tracked *o, struct og_origin origin, const struct og_call_reply *reply,
                         struct og_str status);
/* Write the outcome of a cancel as an event: it is the outcome of the order that the cancel names. text: the reason, if
 * the outcome itself has none. */
void og_send_tell_cancel_outcome(struct og_sender *s, struct og_origin origin, const char *account, const char *id,
                                 const struct og_execution *execution, const char *outcome, const char *text);
/* Append a record of this kind (listed in ledger/ledger.h) about the order. Returns false if the record cannot be
 * written, and the run ends. */
bool og_send_record(struct og_tracked *o, const char *record, const char *outcome, struct og_str detail);

/* --- deliver.c ---------------------------------------------------------------------------------------------------- */
/* Commit the ledger, then pass the events to the listener; called once in each iteration of the loop. */
void og_send_flush(struct og_sender *s);
