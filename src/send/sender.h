/*
 * The sender inside: its accounts, the lines that wait to be decided, and the orders whose fate it follows.
 * One struct, and one file for each thing done with it:
 *   accounts.c which accounts there are, and may be sent for         decide.c  lines to decisions and intents
 *   account.c  what is known of an account, read and read again      give.c    what a program gives it
 *   track.c    what is heard of an order, and when it is over        ask.c     whom to ask, and when
 *   orders.c   the table of orders                                   event.c   the events and the ledger's rows
 *   cancel.c   cancels: lines, and those that the sender wants       replace.c an order in the place of another
 *   post.c     the POST of an order                                  leave.c   whether it may leave now
 *   hold.c     what orders take of an account
 *   external.c orders of somebody else                               account_stream.c  what an account's stream tells
 *   guard.c    the halt, and the dead man's switch                   emergency.c  cancels without a sender
 *   sentry.c   the thread that looks at both beside the loop         senders.c  running senders, asked by halt
 *   queue.c    the lines that wait                                   withdraw.c  cancels of orders whose lines wait
 *   waivers.c  what people let through                               reload.c  another policy while it runs
 *   others.c   what other processes wrote                            positions.c  positions that no order explains
 *   resume.c   what earlier runs left                                pause.c   standstills of the process
 *   borrow.c   borrow checks                                         holders.c whose ledger sends for an account
 *   peak.c     the day's highest P&L                                 sender.c   the loop, the start and the end
 */
#pragma once

#include "base/buf.h"
#include "base/time.h"
#include "base/timeouts.h"
#include "broker/broker.h"
#include "ledger/ledger.h"
#include "ordergate/halt.h"
#include "ordergate/requests.h"
#include "ordergate/send.h"
#include "send/clock.h"
#include "send/guard.h"
#include "send/ident.h"
#include "send/input.h"
#include "send/sentry.h"
#include "send/tracked.h"
#include "send/waiting.h"
#include "stream/stream.h"

struct og_order_table;

enum og_account_step {
    OG_ACCOUNT_LOADING = 0,
    OG_ACCOUNT_BLIND, /* no reading of it succeeded so far */
    OG_ACCOUNT_READY,
    OG_ACCOUNT_FAILED
};

#define OG_READING_PARTS 6

/* One reading of what changes: account, positions, orders, P&L where the policy asks for it, and routes and the
 * inventory of locates now and then (account.c). */
struct og_reading {
    struct og_account_state *account;
    struct og_reading_part {
        struct og_reading *reading;
        size_t which;
    } part[OG_READING_PARTS];
    int missing; /* number of answers still to come */
    bool failed, first;
    uint64_t began;      /* og_time_up() when its first request began, that for the orders */
    int64_t clock_ns;    /* `began` as a time of the sender's clock */
    uint64_t rest_began; /* og_time_up() when the other parts were asked for, once the orders were here */
    int64_t recorded;    /* of a first reading: number of the ledger's newest record when it began */
    cJSON *orders;       /* the answer about orders; NULL: none yet */
    struct og_buf facts;
    char why[400];
};

/* When orders last changed the account's figures, by og_time_up() (hold.c). */
struct og_account_news {
    uint64_t filled_at; /* the newest fill */
    uint64_t ended_at;  /* the newest end of an order that did not fill whole: older facts still count it */
};

/* The stream of an account (account_stream.c). */
struct og_account_stream {
    struct og_stream *handle;
    bool heard; /* the stream has signed in once, or failed to: orders do not wait for it any more */
    bool ready;
    bool lost;          /* the stream is lost, and an event was written about that */
    uint64_t gap_at;    /* og_time_up() of its newest sign-in: a reading that began later has what the stream missed */
    int unheard;        /* changes that look-ups or lists showed since the stream's newest frame */
    int64_t unheard_ms; /* loop time of the first of those changes */
};

/* The readings of an account, and when the next one is due (account.c). */
struct og_readings {
    struct og_reading *under_way;
    uint64_t read_at;              /* og_time_up() when the newest reading that is in the book began; 0: none */
    uint64_t good_at, good_before; /* og_time_up() when the newest complete reading, and the one before, began */
    int64_t good_ns;               /* good_at by the sender's clock */
    int64_t taken_ns, locates_ns;  /* sender's clock when the newest reading came into the book, and one with locates */
    bool dirty;                    /* something changed since the newest reading began */
    bool sells_short;              /* a short sale waits for locates */
    int64_t asked_ns[OG_READING_PARTS]; /* sender's clock when each occasional part was last requested */
    bool stuck;      /* the newest reading failed: older facts are used, and the policy judges their age */
    int64_t next_ms; /* loop time before which no reading begins */
};

struct og_account_state {
    /* accounts.c */
    struct og_account_state *next;
    struct og_sender *sender;
    char *id; /* as the account list spells it */
    bool paper;
    bool unlisted; /* the account list is not known yet: id is as the user or a line spells it */
    enum og_account_step step;

    struct og_readings readings;
    struct og_account_stream stream;
    struct og_account_news news;
    int held[2];   /* descriptors, plus 1, of the files that say which ledger sends for it; 0: not open (holders.c) */
    int externals; /* orders of somebody else that were seen (external.c) */
    struct og_buf used;             /* ids that the ledger knows as used, JSON, each followed by a comma (resume.c) */
    struct og_borrow_state *borrow; /* borrow.c */
    struct og_position_watch *positions; /* NULL: no row or reading yet (positions.c) */
    struct og_pnl_peak peak;             /* the highest P&L on record of the day that was read last (peak.c) */
    int64_t taken_from;                  /* the ledger's newest record when the account was set up (others.c) */
};

/* The borrow check of one symbol, requested when a short sale needs it. */
struct og_borrow_state {
    struct og_borrow_state *next;
    struct og_account_state *account;
    uint64_t at; /* og_time_up() when the newest answer's request began; 0: no answer yet */
    bool asking, failed, easy;
    char symbol[];
};

struct og_source_file {
    struct og_input *input;
    int fd;
    char *name; /* NULL: without a name */
};

/* The accounts that are sent for (accounts.c). */
struct og_account_list {
    struct og_account_state *first;
    struct og_account_state *chosen; /* the account of lines that name none; NULL: each line must name one */
    char *list;                      /* the account list as the broker gave it; NULL: not yet */
    bool asking;                     /* a request for the list is under way */
    int64_t next_ms;       /* no list: loop time until which cancels wait for it; then: when it is requested again */
    struct og_error blind; /* why the list, or an account, could not be read last; OG_OK: none failed */
};

/* What other processes wrote (others.c). */
struct og_peers {
    struct og_other *first; /* orders of other runs that hold what they may take */
    struct og_order *order; /* room to read an order of another run into */
    int64_t taken;          /* number of the ledger's newest record that was taken in */
    int64_t next_ms;        /* loop time of the next look at the ledger */
};

/* The policy in force (reload.c). */
struct og_policy_state {
    bool reads_pnl;    /* a rule in force needs the P&L document */
    uint64_t pnl_from; /* og_time_up() since when one does; 0: from the start */
    bool reload_asked;
    int64_t look_ms; /* loop time of the next look at the policy's files */
    char *digest;
};

/* The events for the program, and what they have reported so far (event.c). */
struct og_told {
    struct og_buf events; /* events of this iteration of the loop, one a line */
    int64_t seq;
    bool deaf;              /* events cannot be written: nobody reads them */
    bool refused, not_sent; /* a line had such an outcome; for the exit code */
    int unknown;            /* number of outcomes that were reported as unknown */
    bool clock_off;         /* an event was written that the clocks differ (pause.c) */
};

/* The halt and the dead man's switch (guard.c). */
struct og_guard {
    enum og_trading halt;
    char halt_at[40];            /* og_halt.at of the halt that an event last reported */
    struct og_sentry *sentry;    /* watches the halt flags, and this loop, in a thread of its own */
    struct og_sentry_deed *deed; /* what the sentry did while the loop was blocked */
    int64_t alive_ms;            /* loop time of the newest line */
    bool dead;                   /* the dead man's switch has fired since that line */
};

/* Standstills of the process (pause.c). */
struct og_suspend {
    int64_t ticked_ms; /* loop time of the newest tick; 0: none */
    int64_t awake_ms;  /* loop time of the newest tick, or of the tick before if the process stood still between them */
    bool late;         /* the newest tick came late */
    uint64_t up_ns;    /* og_time_up() when the process was last seen to run; 0: not yet */
    uint64_t stood_ns; /* how long the process stood still so far, with sleeps of the machine */
};

enum og_phase { OG_STARTING = 0, OG_RUNNING, OG_STOPPING, OG_ENDING };

/* A run (sender.c): what no other file writes, and the parts of those that do. */
struct og_sender {
    struct og_send_options options; /* strings owned */
    struct og_settings settings;
    struct og_clock clock;
    struct og_ident_maker maker;
    struct og_ident run;
    uv_loop_t loop;
    bool loop_made;
    uv_timer_t tick;
    uv_prepare_t prepare;
    uv_async_t stop, reload;
    struct og_broker *broker;
    struct og_ledger *ledger;
    struct og_book *book;
    struct og_scratch *scratch;
    struct og_order *order; /* the line being decided */
    struct og_request *request;
    struct og_input *quotes;
    int quotes_fd, file_now;
    bool quotes_begun;           /* quotes are being read */
    struct og_source_file *file; /* (give.c) */
    int files;                   /* (give.c) */
    bool held;                   /* (give.c) */
    long long given;             /* number of lines given by og_sender_line() (give.c) */
    struct og_account_list accounts;
    struct og_buf given_used; /* usedClientOrderIds of facts files, JSON, each followed by a comma */
    struct og_order_table *table;
    struct og_tracked *orders;
    int posting;    /* POSTs without an answer (post.c) */
    int staying;    /* those of them that wait to be decided once more (leave.c) */
    uint64_t turns; /* orders that were to leave so far (leave.c) */
    bool renamed;   /* the broker gave some order another id (orders.c) */

    struct og_line_queue lines;
    struct og_peers peers;
    struct og_policy_state policy;
    struct og_told told;
    struct og_guard guard;
    struct og_suspend suspend;

    enum og_phase phase;
    bool begun;      /* og_sender_start() succeeded */
    bool had_lines;  /* (decide.c) */
    bool wait_given; /* the user chose the wait */
    int fatal;       /* exit code of the error that ended the run; 0: none did */
    struct og_error fault;
    int64_t forecast_ms; /* loop time before which no forecast is made (forecast.c) */
    int64_t stop_ms;     /* loop time by which a stopped run ends */
    bool stopped;        /* waiting POSTs and lines were ended, since the run stops */
};

/* --- sender.c ----------------------------------------------------------------------------------------------------- */
int64_t og_send_ms(const struct og_sender *s); /* returns loop time, in ms */
/* Put a quote into the book, as of the sender's clock. Statuses as of og_book_quote_at(). */
enum og_status og_send_quote(struct og_sender *s, const char *line, size_t len, struct og_error *err);
void og_send_say(struct og_sender *s, const char *format, ...) __attribute__((format(printf, 2, 3)));
/* End the run with that exit code, unless an earlier error did: nothing more is posted, and what is in flight is
 * followed for a while (OG_STOP_MS). */
void og_send_fatal(struct og_sender *s, int exit_code, const struct og_error *err);
void og_send_run(struct og_sender *s);  /* lines are decided from now on */
void og_send_wake(struct og_sender *s); /* have the loop call the tick next */

/* --- pause.c ------------------------------------------------------------------------------------------------------ */
void og_send_pauses(struct og_sender *s); /* note whether the process stood still; first in each tick */
void og_send_fresh(struct og_tracked *o); /* note that the order was decided just now */
/* Returns true if the process has stood still for longer than OG_STALE_NS since og_send_fresh(). */
bool og_send_is_stale(const struct og_tracked *o);
/* Returns true if the loop time *until_ms has passed. If it passed while the process stood still, returns false and
 * moves *until_ms ahead by OG_ANEW_MS, once, so that what arrived meanwhile is read first. */
bool og_send_is_past(const struct og_sender *s, int64_t *until_ms);

void og_send_compare_clocks(struct og_sender *s); /* report once if the broker's clock is far from the machine's */

/* --- accounts.c --------------------------------------------------------------------------------------------------- */
void og_send_start(struct og_sender *s); /* request the account list */
/* Returns the account of that id, set up if it was not. NULL: the keys do not reach it, or out of memory. While the
 * account list is not known any id is taken for an account. */
struct og_account_state *og_send_account(struct og_sender *s, const char *id);
void og_send_account_step(struct og_account_state *a, enum og_account_step step);
/* Note that the account cannot be read, and why: until it can be, cancels and orders that only close go. */
void og_send_blind(struct og_account_state *a, const char *why);
void og_send_list_due(struct og_sender *s); /* once a tick */
/* Returns true if orders may be posted for the account: it was read, or it is listed and the order only reduces. */
bool og_send_may_post(const struct og_account_state *a, bool reduces);
void og_send_accounts_free(struct og_sender *s);
void og_send_end_blind(struct og_sender *s); /* fail the run if the list, or an account, could never be read */

/* --- account.c ---------------------------------------------------------------------------------------------------- */
void og_send_account_open(struct og_account_state *a); /* open its stream, and begin its first reading */
/* Returns true if orders of the account may be decided now; if not, begins a reading when one is due. */
bool og_send_account_ready(struct og_account_state *a);
void og_send_account_look(struct og_account_state *a); /* begin a reading if one is due */
/* Returns false while the locates that a short sale may use are asked for. */
bool og_send_locates_known(struct og_account_state *a);
void og_send_account_free(struct og_account_state *a);

/* Something changed: have the next reading begin before it is due. */
void og_send_account_dirty(struct og_account_state *a);
/* As og_send_account_dirty(), but it begins as soon as no reading is under way; its requests keep to their budgets. */
void og_send_account_hurry(struct og_account_state *a);
/* The account cannot be read: orders are decided by what is known; no reading begins before that loop time. */
void og_send_account_stuck(struct og_account_state *a, int64_t again_ms);
void og_send_account_unstuck(struct og_account_state *a);

/* --- account_stream.c --------------------------------------------------------------------------------------------- */
enum og_status og_send_stream_open(struct og_account_state *a, struct og_error *err);
/* Note a change that a look-up or a list showed: after several of them a stream without frames is opened again. */
void og_send_heard_elsewhere(struct og_account_state *a);
void og_send_stream_look(struct og_account_state *a); /* once a tick */

/* --- borrow.c ----------------------------------------------------------------------------------------------------- */
/* Returns true if the symbol's borrow check has a recent answer or has just failed; if not, requests it. */
bool og_send_borrow_known(struct og_account_state *a, const char *symbol);
void og_send_borrow_free(struct og_account_state *a);

/* --- holders.c ---------------------------------------------------------------------------------------------------- */
/* Claim the account for this ledger's senders. Returns false if another ledger's hold it, and the run ends. */
bool og_send_hold_account(struct og_account_state *a);
void og_send_let_go(struct og_account_state *a);

/* --- decide.c ----------------------------------------------------------------------------------------------------- */
void og_send_decide(struct og_sender *s);
/* End the lines that wait: each gets the outcome that the ledger has of its order, or not-sent. */
void og_send_drop_lines(struct og_sender *s);
/* Returns the account of the line (s->order); NULL: none, and the book says what is wrong. */
struct og_account_state *og_send_account_of(struct og_sender *s);
/* Give the line's order (s->order) its id, if it has none. Returns false if that cannot be made. */
bool og_send_give_id(struct og_sender *s, struct og_waiting *w);
/* Write the bytes that would be posted for s->order, and their digest. *body NULL: it cannot be written, and the book
 * says why. Returns false if out of memory. */
bool og_send_write_body(struct og_sender *s, char **body, size_t *len, char digest[72]);
/* Returns true if a reading in the book began after `from`, and after the newest end of an order of ours that did not
 * fill: an older reading would count that order as working. Also if no newer reading can be had; else asks for one. */
bool og_send_are_new_enough(struct og_account_state *a, uint64_t from);
/* Returns true if borrow checks and locates are asked for before the order is decided. */
bool og_send_borrows(const struct og_order *order);
/* Returns the loop time at which the budget lets the next order go; INT64_MAX: none has to wait for that. */
int64_t og_send_decide_next(struct og_sender *s);

/* --- others.c ----------------------------------------------------------------------------------------------------- */
/* Take in what other processes wrote to the ledger. Call before a decision, inside its transaction. */
void og_send_take_in(struct og_sender *s);
void og_send_take_in_due(struct og_sender *s); /* once a tick */
/* Count the orders of other runs, when an account's first reading, r, has gone into the book. */
void og_send_count_earlier(struct og_account_state *a, const struct og_reading *r);
/* Drop the reservations of other runs' orders that have ended, and all of whose effect a reading begun at that
 * og_time_up() has. */
void og_send_drop_others(struct og_account_state *a, uint64_t began);
/* Note that a list of orders requested at that og_time_up() has that row. */
void og_send_other_listed(struct og_account_state *a, const struct og_order_row *row, uint64_t at);
/* Returns true if an order of another run with that id is counted with what it may take. */
bool og_send_is_held(struct og_account_state *a, struct og_str id);
/* Call once, when the ledger is open: its present records are read later, by og_send_count_earlier().
 *   OG_ENOMEM, OG_ELEDGER */
enum og_status og_send_others_begin(struct og_sender *s, struct og_error *err);
void og_send_others_free(struct og_sender *s);

/* --- waivers.c ---------------------------------------------------------------------------------------------------- */
/* Tell the book which waivers count for the order of that id, which is decided next.  intended: its intent is written.
 * Returns false if none does. */
bool og_send_waive(struct og_account_state *a, const char *id, bool intended);
void og_send_unwaive(struct og_sender *s); /* take those waivers back: that order was decided */

/* --- ending.c ----------------------------------------------------------------------------------------------------- */
void og_send_say_end(struct og_sender *s); /* print for people what is left to be done, and the ledger's head */

/* --- forecast.c --------------------------------------------------------------------------------------------------- */
void og_send_forecast(struct og_sender *s); /* once a tick */

/* --- track.c ------------------------------------------------------------------------------------------------------ */
/* Have the outcome told to that line once it is known; at the loop time give_up_ms, as far as it is known then. */
void og_send_owe(struct og_tracked *o, struct og_origin origin, int64_t give_up_ms);
/* Forget what the broker said of the order: those rows were of another order. */
void og_send_hear_anew(struct og_tracked *o);
/* Apply a row of the order. source: as of og_send_row(), or "reply"; adopt: it is the answer to the order's POST;
 * at: its moment (outcome/execution.h). */
void og_send_take_row(struct og_tracked *o, const struct og_order_row *row, const char *source, bool adopt,
                      uint64_t at);
/* Returns true if the row is of somebody else's order under our id; the first such row is recorded and reported. */
bool og_send_is_of_namesake(struct og_tracked *o, const struct og_order_row *row, const char *source);
/* Apply a row of the broker to the order that it is of; an order of somebody else is followed from now on. Returns
 * true if the order is ours. source: "stream", "lookup", "list"; at: the row's moment (outcome/execution.h). */
bool og_send_row(struct og_account_state *a, const struct og_order_row *row, const char *source, uint64_t at);
/* Returns true if the row names that account alone, or none. */
bool og_send_is_of(const struct og_account_state *a, const struct og_order_row *row);
/* Apply an event that has no row. text: as of og_execution_event(). May free the order, as og_send_settle(). */
void og_send_event_of(struct og_tracked *o, enum og_event event, struct og_str text);
/* Report the order's outcome if that is due. Frees the order if nothing more is to be done for it. */
void og_send_settle(struct og_tracked *o);
void og_send_conclude(struct og_tracked *o); /* report its outcome as far as it is known; may free it too */
void og_send_give_up(struct og_sender *s);   /* conclude the orders whose wait is over; once a tick */
/* Returns true while a line waits for the order's outcome, its POST is under way, or it is being canceled. */
bool og_send_is_pending(const struct og_tracked *o);
/* Returns true if the order was seen at work, and is proved absent since: how it ended is not known. */
bool og_send_is_gone(const struct og_tracked *o);
/* Take over what a person recorded as the order's state, if that is still unknown here. */
void og_send_adopt(struct og_tracked *o, const struct og_ledger_row *row);

/* --- post.c ------------------------------------------------------------------------------------------------------- */
/* Set what is posted for the order; takes over body. d: its decision; NULL: it is not posted. */
void og_send_post_is(struct og_tracked *o, char *body, size_t len, const char *digest, const struct og_order *order,
                     const struct og_decision *d);
void og_send_post_recall(struct og_tracked *o); /* read its body from the ledger, if the ledger has it */
/* Write its intent into the ledger; again: it was not sent before. Returns false if that cannot be written. */
bool og_send_intend(struct og_tracked *o, bool again, struct og_error *err);
void og_send_post(struct og_tracked *o);
void og_send_post_again(struct og_tracked *o); /* after a wait (leave.c) */
/* End a POST without an answer: no request of it is under way. why: NULL if only 429s were in its way. */
void og_send_post_ends(struct og_tracked *o, const char *why);
void og_send_post_stop(struct og_tracked *o); /* the run ends: no answer is waited for any more */
/* Withdraw the order's POST, if it was not sent yet: the order is canceled then, and may be freed as by
 * og_send_settle(). Returns false if it was not taken back. */
bool og_send_take_back(struct og_tracked *o);

/* --- hold.c ------------------------------------------------------------------------------------------------------- */
void og_send_hold(struct og_tracked *o, og_ticket ticket);
void og_send_hold_seen(struct og_tracked *o, uint64_t at);
/* Adjust what the order holds after a row or an event; before: its state until then. */
void og_send_hold_moved(struct og_tracked *o, enum og_state before);
void og_send_unhold(struct og_tracked *o); /* drop its ticket and its claim */
/* Drop the tickets of orders of which og_send_is_in_facts(o, began) is true. */
void og_send_drop_holds(struct og_account_state *a, uint64_t began);
void og_send_filled(struct og_account_state *a); /* note that some order filled just now */
/* Returns true if the order has ended and a reading begun at that og_time_up() has all that became of it, or if it
 * is gone (og_send_is_gone()). An order that may work keeps what it may take reserved; if a list has it too, it
 * counts once. */
bool og_send_is_in_facts(const struct og_tracked *o, uint64_t began);
/* Returns how long the figures of an account may lag its fills, in ns. */
uint64_t og_send_settle_ns(const struct og_sender *s);
/* Let the book count what unknown orders of earlier runs may take. */
void og_send_claim_unknown(struct og_account_state *a);
void og_send_claim(struct og_tracked *o); /* claim for one order, which had been taken for gone */
/* Drop the claims of orders of which og_send_is_in_facts(o, began) is true. */
void og_send_drop_claims(struct og_account_state *a, uint64_t began);

/* --- cancel.c ----------------------------------------------------------------------------------------------------- */
/* Decide the cancel that the line asks for (s->order), and begin it if it is accepted. a NULL: the book says what is
 * wrong with the line's account. Returns false if the run ends. */
bool og_send_cancel_line(struct og_sender *s, struct og_account_state *a, const struct og_waiting *w);
/* Cancel an order for a line. after: the line whose order then takes its place, taken over; NULL: the line is a
 * cancel. over: the order is thought to be over and is only looked up. Returns false if the run ends. */
bool og_send_cancel_order(struct og_account_state *a, struct og_str id, struct og_origin origin,
                          struct og_waiting *after, bool over);
/* Have the order canceled by as many DELETEs as that takes, until that loop time. urgent: before other cancels. */
void og_send_cancel(struct og_tracked *o, int64_t until_ms, bool urgent);
/* Returns true if an order of that id is followed, or is in the ledger. */
bool og_send_is_known(struct og_account_state *a, struct og_str id);
/* Tell the book that the id of such an order is used. */
void og_send_know(struct og_account_state *a, struct og_str id);
/* A row of the order was applied. asked: the row is from a look-up or a list, and is the newest of the order. */
void og_send_cancel_heard(struct og_tracked *o, enum og_order_status status, bool asked);
void og_send_cancel_due(struct og_sender *s);       /* once a tick */
void og_send_cancel_settle(struct og_tracked *o);   /* answer the cancel's lines if the order is over */
void og_send_cancel_conclude(struct og_tracked *o); /* answer the cancel's lines as far as is known */
void og_send_cancel_stop(struct og_tracked *o);     /* the run ends: no DELETE's answer is waited for */
void og_send_cancel_free(struct og_tracked *o);

/* --- external.c --------------------------------------------------------------------------------------------------- */
/* Follow an order that no run on this ledger made. listed: the row is from a list, which has orders of the past too.
 * Returns NULL if the order is ours, if it is listed and over, or if out of memory. */
struct og_tracked *og_send_external(struct og_account_state *a, const struct og_order_row *row, bool listed);
void og_send_say_externals(struct og_account_state *a);
void og_send_set_external(struct og_tracked *o, bool external); /* set whether somebody else made it */

/* --- positions.c -------------------------------------------------------------------------------------------------- */
/* Count what an order filled, by a row of it. Call with each row before it is applied. o: the order of the row,
 * NULL: it is not followed. */
void og_send_moved(struct og_account_state *a, const struct og_tracked *o, const struct og_order_row *row);
void og_send_held(struct og_account_state *a, const cJSON *list); /* take in the positions of a reading */
/* Compare positions with what orders filled, after a complete reading that began at that og_time_up(), and report
 * differences. */
void og_send_compare_positions(struct og_account_state *a, uint64_t began);
void og_send_position_pushed(struct og_account_state *a);
void og_send_look_at_positions(struct og_account_state *a); /* once a tick */
void og_send_positions_free(struct og_account_state *a);

/* --- reload.c ----------------------------------------------------------------------------------------------------- */
/* Make the book with the policy of the options; if the broker's settings demand a signature, the policy is loaded
 * again and its signature checked. */
enum og_status og_send_policy_begin(struct og_sender *s, struct og_error *err);
/* Load the policy again if a program asked for that or a file of it changed; once a tick, never within a batch. */
void og_send_reload_due(struct og_sender *s);
void og_send_on_reload(uv_async_t *async); /* og_sender_reload() was called; data: the sender */

/* --- replace.c ---------------------------------------------------------------------------------------------------- */
/* Returns true if the line's order (s->order) replaces another one, which is still to be canceled. */
bool og_send_is_replace(const struct og_sender *s, const struct og_waiting *w);
/* Begin to replace an order: decide the new one, and cancel the old one. Takes over the line, which is out of the
 * queue. Returns false if the run ends or a reading is waited for; the line is back in the queue then. */
bool og_send_replace(struct og_account_state *a, struct og_waiting *w);
/* The cancel of the old order has ended with that outcome. Takes over c->after. */
void og_send_replace_after(struct og_tracked *o, const struct og_cancel_line *c, const char *outcome);
/* Record that the line's order (s->order) takes the place of the one that it replaces, or (takes false) will not
 * after all. Returns false if that cannot be recorded, and the run ends. */
bool og_send_replaces(struct og_account_state *a, bool takes);
/* Returns true if a line that replaces, and was refused, is to be decided once more by a newer reading: orders that
 * were acknowledged after the present reading may count twice in it. That happens at most once before the old order
 * is canceled, and once after. */
bool og_send_decides_again(struct og_account_state *a, struct og_waiting *w, const struct og_decision *d);
/* Returns true if a rule that counts other orders refuses the order. */
bool og_send_counts_others(const struct og_decision *d);
/* Returns true if a rule that counts no other orders refuses the order. */
bool og_send_is_refused_alone(const struct og_decision *d);
/* Find the order that has already taken the place of the one that the line's order (s->order) replaces: *by, to be
 * freed; NULL: none has. The book is told too. Returns false if the ledger cannot be read, or out of memory, and the
 * run ends. */
bool og_send_replaced_by(struct og_account_state *a, char **by);
/* Refuse the line, since the order `by` has replaced the one that the line names. Frees by. */
void og_send_refuse_second(struct og_account_state *a, struct og_origin origin, char *by);

/* --- ask.c -------------------------------------------------------------------------------------------------------- */
/* Look the order up in in_ms at the latest. */
void og_send_ask_soon(struct og_tracked *o, int64_t in_ms);
void og_send_ask_due(struct og_sender *s);
/* Note whether lists lack the order although it may work: if they do, it is looked up until an answer shows its end. */
void og_send_ask_missing(struct og_tracked *o, bool missing);
/* Look up the orders that may work and are not in the list that was just read; over_gap: orders of somebody else
 * too, since they may have ended while the stream was lost. */
void og_send_ask_missed(struct og_account_state *a, bool over_gap);
/* Returns the loop time of the next look-up; INT64_MAX: none is due. */
int64_t og_send_ask_next(const struct og_sender *s);
/* Returns what the run's clocks say of the moment when og_time_up() was `up`. */
struct og_absence_moment og_send_moment(struct og_sender *s, uint64_t up);
/* Count a complete reading of the account towards proofs of absence. at, before: og_time_up() when it began, and
 * when the complete reading before it began. Call after the reading's orders were applied. */
void og_send_account_was_good(struct og_account_state *a, uint64_t before, uint64_t at);

/* --- orders.c ----------------------------------------------------------------------------------------------------- */
struct og_order_table *og_orders_new(void);
void og_orders_free(struct og_order_table *t); /* not the orders */
/* Follow an order. Returns NULL if out of memory. */
struct og_tracked *og_orders_add(struct og_sender *s, struct og_account_state *a, struct og_str id);
struct og_tracked *og_orders_find(struct og_sender *s, const struct og_account_state *a, struct og_str id);
/* Returns the followed order that a row is of: by our id, by an id that the broker gave it, or by one that the
 * broker rewrote. NULL: none. */
struct og_tracked *og_orders_of_row(struct og_account_state *a, const struct og_order_row *row);
void og_orders_renamed(struct og_tracked *o); /* the broker may have given it another id */
void og_orders_remove(struct og_tracked *o);
size_t og_orders_hash(struct og_str id);

/* --- event.c ------------------------------------------------------------------------------------------------------ */
/* Write a decision, as event and ledger row. Returns false if it could not be recorded. */
bool og_send_tell_decision(struct og_sender *s, struct og_origin origin, const struct og_decision *d);
/* The same for an order that was accepted before (s->order is set to it), and has an outcome still to come. */
bool og_send_tell_refused_later(struct og_tracked *o, const struct og_decision *d);
void og_send_tell_posted(struct og_tracked *o, const struct og_call_reply *reply, struct og_str status,
                         struct og_str text);
/* Write an event: the stream was lost, and why, or (up) is back. */
void og_send_tell_stream(struct og_account_state *a, bool up, const char *why);
void og_send_tell_update(struct og_tracked *o, const struct og_order_row *row, const char *source);
void og_send_tell_outcome(struct og_sender *s, struct og_origin origin, const char *account, const char *id,
                          const struct og_execution *execution, const char *outcome);
void og_send_write_absent(const struct og_tracked *o, struct og_buf *b);
void og_send_record_absent(struct og_tracked *o);
/* Open the ledger. Call once, at the start. A dry run opens a ledger that exists, and only reads it.
 *   OG_ELEDGER  it cannot be used, may vanish, or is damaged and nobody accepted that
 *   OG_ENOMEM */
enum og_status og_send_open_ledger(struct og_sender *s, struct og_error *err);
/* Record that a person accepts this damage of the ledger.  Returns false if the run cannot go on. */
bool og_send_record_damage(struct og_sender *s, const struct og_ledger_damage *damage);
/* Write a change of policy, as event and ledger row. Returns false if it could not be recorded. */
bool og_send_tell_policy(struct og_sender *s, const char *old, const char *new, const char *why);
/* Write an event: a position that orders do not explain. before: held when it was last explained; by_orders: what
 * orders of this run added since; after: held now. */
void og_send_tell_position(struct og_account_state *a, const char *symbol, struct og_money before,
                           struct og_money by_orders, struct og_money after);
/* Write an event: the broker's clock is so far ahead of the machine's, or (below 0) behind it. */
void og_send_tell_clock(struct og_sender *s, int64_t ahead_ms);
void og_send_tell_dead_man(struct og_sender *s, int canceled);
/* Write how a DELETE ended, as event and ledger row. */
void og_send_tell_cancel(struct og_tracked *o, struct og_origin origin, const struct og_call_reply *reply,
                         struct og_str status);
/* Write the outcome of a cancel as an event: what became of the order that it names. text: why, if the outcome does
 * not say. */
void og_send_tell_cancel_outcome(struct og_sender *s, struct og_origin origin, const char *account, const char *id,
                                 const struct og_execution *execution, const char *outcome, const char *text);
/* Append a record about the order to the ledger; record: which kind, as in ledger.h. Returns false if it could not
 * be written, and the run ends. */
bool og_send_record(struct og_tracked *o, const char *record, const char *outcome, struct og_str detail);
/* Commit the ledger, then pass the events on to the listener; once an iteration of the loop. */
void og_send_flush(struct og_sender *s);

/* --- resume.c ----------------------------------------------------------------------------------------------------- */
/* Returns og_time_up() as of when a record of the time `at` was written; as of now if that is unknown or lies ahead. */
uint64_t og_send_up_at(struct og_sender *s, int64_t at);
/* Follow the orders that earlier runs left open in this account. */
void og_send_recover(struct og_account_state *a);
/* Another run wrote its intent to post an order that is followed here as somebody else's, because a line named it
 * before anybody made it, or as one that was not sent. Follow it as an open order of the ledger. */
void og_send_meant(struct og_tracked *o, const struct og_ledger_row *intent);
enum og_resume { OG_RESUME_NEW = 0, OG_RESUME_DONE /* the line is dealt with */, OG_RESUME_AGAIN /* post it again */ };
/* Look the line's order (s->order) up in the ledger. Returns what is to be done with the line. */
enum og_resume og_send_resume(struct og_account_state *a, struct og_origin origin, const char *digest);
/* Take over an order and its ticket from a run that has ended: follow it as one of an earlier run. Returns false if
 * that run is still running, or the order is followed already. */
bool og_send_inherit(struct og_account_state *a, struct og_str id, og_ticket ticket);
/* Report the outcome of a line that the run does not reach, if the ledger knows its order (s->order, whose body has
 * that digest). Returns false if the ledger does not. */
bool og_send_tell_known(struct og_sender *s, struct og_origin origin, const char *account, const char *digest);
/* Follow an order that the ledger knows. Returns NULL if the ledger does not know it, or the run ends. */
struct og_tracked *og_send_from_ledger(struct og_account_state *a, struct og_str id);
/* Tell the book which ids are used, that id among them; {NULL, 0}: those that are known so far. */
void og_send_used(struct og_account_state *a, struct og_str id);
