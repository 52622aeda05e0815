/*
 * The sender inside: its accounts, the lines that wait to be decided, and the orders that it follows to their end.
 * One struct, and one file for each thing done with it:
 *   accounts.c        which accounts orders are sent for    lookups.c         which orders are looked up, and when
 *   account.c         what is known of one account          positions.c       positions that no order explains
 *   account_stream.c  the stream of an account              borrow.c          borrow checks
 *   track.c           what the broker shows of an order     waivers.c         orders that people let pass a rule
 *   orders.c          the table of orders                   reload.c          another policy while it runs
 *   decide.c          from lines to decisions and intents   record.c          records on their way to the ledger
 *   queue.c           the lines that wait                   event.c           the events, and rows of the ledger
 *   ready.c           whether a line may be decided now     peak.c            the day's highest P&L
 *   withdraw.c        cancels of orders whose lines wait    kill_switches.c   the halt and the dead man's switch
 *   replace.c         an order in the place of another      sentry.c          the thread that watches both
 *   cancel.c          cancels, of lines and of the sender   emergency.c       cancels without a sender
 *   post.c            the POST of an order                  senders.c         asks senders for `ordergate halt`
 *   leave.c           whether a POST may leave now          account_locks.c   whose ledger sends for an account
 *   reservations.c    the reservations of orders            suspension.c      standstills of the process
 *   refused.c         why an order is refused               wait_reports.c    reports waits
 *   external.c        orders of somebody else               time_estimate.c   when a long batch will be done
 *   other_runs.c      what other processes wrote            program_input.c   what a program gives the sender
 *   resume.c          what earlier runs left                sender.c          the loop, the start and the end
 *   latches.c         limits that stay exceeded             replace_texts.c   what a replacement says
 *   snapshot.c        what `ordergate status` shows of it   counts.c          what the run did, in numbers
 */
#pragma once

#include "base/time.h"
#include "base/timeouts.h"
#include "broker/broker.h"
#include "ordergate/requests.h"
#include "ordergate/send.h"
#include "send/clock.h"
#include "send/counts.h"
#include "send/external.h"
#include "send/input.h"
#include "send/kill_switches.h"
#include "send/latches.h"
#include "send/record.h"
#include "send/replace.h"
#include "send/sentry.h"
#include "send/tracked.h"
#include "send/ulid.h"
#include "send/waiting.h"
#include "stream/stream.h"

struct og_order_table;

enum og_account_step {
    OG_ACCOUNT_LOADING = 0,
    OG_ACCOUNT_BLIND, /* no reading of the account has succeeded so far */
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
    bool denied;         /* a part that is needed was answered 401, 403 or 404 */
    uint64_t began;      /* og_time_up() when the reading's first request, for the orders, began */
    int64_t clock_ns;    /* `began` as a time of the sender's clock */
    int64_t date;        /* the newest Date of the reading's answers; OG_TIME_UNKNOWN if no Date came */
    uint64_t rest_began; /* og_time_up() when the other parts were requested, after the orders had come */
    int64_t recorded;    /* of a first reading: number of the ledger's newest record when it began */
    cJSON *orders;       /* the answer about orders; NULL if there is none yet */
    struct og_buf facts;
    char why[400];
};

/* When orders last changed the account's figures, as og_time_up() (reservations.c). */
struct og_account_news {
    uint64_t filled_at; /* the newest fill */
    uint64_t ended_at;  /* the newest end of an order that had not filled completely: older facts still count it */
};

/* The stream of an account (account_stream.c). */
struct og_account_stream {
    struct og_stream *handle;
    bool heard; /* the stream has signed in once, or failed to: decisions no longer wait for it */
    bool ready;
    bool lost;          /* the stream is lost, and an event was written about that */
    uint64_t gap_at;    /* og_time_up() of its newest sign-in: a later reading has what the stream missed */
    int unheard;        /* changes that look-ups or lists showed since the stream's newest frame */
    int64_t unheard_ms; /* loop time of the first of those changes */
};

/* The readings of an account, and when the next one is due (account.c). */
struct og_readings {
    struct og_reading *under_way;
    uint64_t read_at;  /* og_time_up() when the newest reading that is in the book began; 0: none */
    uint64_t good_at;  /* og_time_up() when the newest complete reading began */
    uint64_t first_at; /* when the first reading ended, if it may lack fills of other runs; 0 if it has them */
    int64_t good_ns;   /* good_at by the sender's clock */
    struct og_absence_moment good; /* the moment of that reading, once it was counted towards proofs of absence */
    int64_t taken_ns, locates_ns;  /* the sender's clock when the book got the newest reading, and the newest locates */
    uint64_t locates_at;           /* og_time_up() when the reading began that brought the newest locates */
    bool dirty;                    /* something changed since the newest reading began */
    bool sells_short;              /* a short sale waits for locates */
    int64_t asked_ns[OG_READING_PARTS]; /* sender's clock when each optional part was last requested */
    bool stuck;  /* the newest reading failed: older facts are used, and the policy judges their age */
    bool denied; /* the broker denied the newest reading before the first good one: orders wait for another one */
    int denials; /* number of such readings */
    uint64_t failed_at, failed_by; /* og_time_up() when the newest reading that failed began, and when it ended */
    int64_t next_ms;               /* loop time before which no reading begins */
};

struct og_account_state {
    /* accounts.c */
    struct og_account_state *next;
    struct og_sender *sender;
    char *id; /* as the broker's account list spells it */
    bool paper;
    bool unlisted; /* the account list was not read yet: id is spelled as the user or an input line spelled it */
    enum og_account_step step;

    struct og_readings readings;
    struct og_account_stream stream;
    struct og_account_news news;
    bool cancel_own;            /* the dead man's switch fired before the account was set up: cancel its orders then */
    int canceling;              /* number of orders whose cancel is under way (cancel.c) */
    uint64_t pending_cancel_at; /* og_time_up() when an order was last shown PendingCancel (cancel.c); 0: never */
    struct og_account_elsewhere elsewhere;
    int held[2];   /* descriptors, plus 1, of the files that say which ledger sends for it; 0: none (account_locks.c) */
    int externals; /* number of orders of somebody else that were seen (external.c) */
    struct og_buf used;             /* ids that the ledger knows as used, JSON, each followed by a comma (resume.c) */
    struct og_borrow_state *borrow; /* borrow.c */
    struct og_position_watch *positions; /* NULL means no row of an order and no reading yet (positions.c) */
    struct og_pnl_peak peak;             /* the highest P&L on record, of the day of the newest reading (peak.c) */
    struct og_account_latches latches;   /* latches.c */
    int64_t taken_from;                  /* number of the ledger's newest record at the set-up (other_runs.c) */
};

/* The borrow check of one symbol, requested when a short sale needs it. */
struct og_borrow_state {
    struct og_borrow_state *next;
    struct og_account_state *account;
    uint64_t at;        /* og_time_up() when the newest answer's request began; 0 means no answer yet */
    uint64_t failed_at; /* og_time_up() when the newest request ended without an answer; 0 if it had one */
    bool asking, easy;
    char symbol[];
};

struct og_source_file {
    struct og_input *input;
    int fd;
    char *name; /* NULL: without a name */
};

/* The accounts for which orders are sent (accounts.c). */
struct og_account_list {
    struct og_account_state *first;
    struct og_account_state *chosen; /* the account of lines that name none; NULL: each line must name one */
    char *list;                      /* the account list as the broker gave it; NULL: not yet */
    bool asking, keys_work;          /* a request for the list is under way; the broker took a cancel of this run */
    int refusals;                    /* answers in a row by which the broker refused the keys */
    int64_t next_ms;       /* loop time until which cancels wait for the first list; later, of the next request */
    struct og_error blind; /* why the account list, or an account, could not be read last time; OG_OK if it was read */
};

/* What other processes wrote (other_runs.c). */
struct og_peers {
    struct og_other *first; /* orders of other runs that have a reservation here */
    struct og_order *order; /* memory into which an order of another run is read */
    int64_t taken;          /* number of the ledger's newest record that was taken in */
    uint64_t news;          /* how many records about orders of this run's accounts were taken in */
    int64_t next_ms;        /* loop time of the next look at the ledger */
};

/* The policy in force (reload.c). */
struct og_policy_state {
    bool reads_pnl;    /* a rule in force needs the P&L document */
    uint64_t pnl_from; /* og_time_up() since when a rule in force needs it; 0: from the start */
    bool reload_asked;
    int64_t look_ms; /* loop time of the next look at the policy's files */
    char *digest;
};

/* The events for the program, and the outcomes reported so far (event.c). */
struct og_told {
    struct og_buf events; /* events of this iteration of the loop, one a line */
    int64_t seq;
    bool deaf;              /* events cannot be written: their reader has gone */
    bool refused, not_sent; /* some line had this outcome; for the exit code */
    int unknown;            /* number of orders whose outcome was reported as unknown and is still unknown */
    bool clock_off;         /* an event reported that the clocks differ (suspension.c) */
};

/* The halt and the dead man's switch (kill_switches.c). */
struct og_guard {
    enum og_trading halt;
    char halt_at[40];            /* og_halt.at of the halt that an event last reported */
    struct og_sentry *sentry;    /* watches the halt flags and this loop, in its own thread */
    struct og_sentry_deed *deed; /* what the sentry did while the loop was blocked */
    uv_async_t snapshot;         /* the sentry's thread asks the loop for a snapshot */
    bool asks_snapshot;          /* snapshot is on the loop */
    int64_t began_ns;            /* the machine's clock when the run began */
    int64_t alive_ms;            /* loop time of the newest line */
    bool dead;                   /* the dead man's switch has fired since the newest line */
};

/* Standstills of the process (suspension.c). */
struct og_suspend {
    int64_t ticked_ms; /* loop time of the newest tick; 0 if there is none */
    int64_t awake_ms;  /* loop time of the newest tick, or of the one before it if a suspension lay between the two */
    bool late;         /* the newest tick came late */
    uint64_t up_ns;    /* og_time_up() when the process was last known to run; 0 if not yet */
    uint64_t stood_ns; /* how long the process has been suspended in all, including sleeps of the machine */
};

enum og_phase { OG_STARTING = 0, OG_RUNNING, OG_STOPPING, OG_ENDING };

/* A run (sender.c): the members of the whole run, and one struct for each file that keeps a state. */
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
    bool quotes_undated;         /* the note on quotes without a time was given (decide.c) */
    struct og_source_file *file; /* (program_input.c) */
    int files;                   /* (program_input.c) */
    bool held;                   /* (program_input.c) */
    long long given;             /* number of lines given by og_sender_line() (program_input.c) */
    struct og_account_list accounts;
    struct og_buf given_used; /* usedClientOrderIds of facts files, JSON, each followed by a comma */
    struct og_order_table *table;
    struct og_tracked *orders;
    int posting;    /* POSTs without an answer (post.c) */
    int staying;    /* how many of `posting` wait to be decided once more (leave.c) */
    uint64_t turns; /* number of orders whose POST was queued so far, which is the newest turn (leave.c) */
    bool renamed;   /* the broker gave some order another id (orders.c) */

    struct og_line_queue lines;
    struct og_peers peers;
    struct og_policy_state policy;
    struct og_told told;
    struct og_records records;
    struct og_guard guard;
    struct og_suspend suspend;
    struct og_counts counts; /* (counts.c) */

    enum og_phase phase;
    bool begun;      /* og_sender_start() succeeded */
    bool had_lines;  /* (decide.c) */
    bool wait_given; /* the user set how long to wait for outcomes */
    int fatal;       /* exit code of the error that ended the run; 0 if there was no error */
    struct og_error fault;
    int64_t cancels_told_ms; /* loop time before which the wait of cancels is not reported again (cancel.c) */
    int64_t held_ms;         /* loop time before which waits are not checked (wait_reports.c) */
    int64_t forecast_ms;     /* loop time before which no forecast is made (time_estimate.c) */
    int64_t stop_ms;         /* loop time by which a stopped run ends */
    bool stopped;            /* the run stops: POSTs and lines that waited were ended */
};

/* --- sender.c ----------------------------------------------------------------------------------------------------- */
int64_t og_send_ms(const struct og_sender *s); /* returns loop time, in ms */
void og_send_say(struct og_sender *s, const char *format, ...) __attribute__((format(printf, 2, 3)));
/* End the run with that exit code, unless an earlier error ended it: nothing more is posted, and orders in flight are
 * followed for a while (OG_STOP_MS). If `err` has no error, memory ran out. */
void og_send_fatal(struct og_sender *s, int exit_code, const struct og_error *err);
void og_send_run(struct og_sender *s);  /* start to decide lines */
void og_send_wake(struct og_sender *s); /* have the loop call the tick at once */
/* Set s->order to `to` for a while, since s->order may be a line that is being decided. Returns the former s->order,
 * for setting it back. */
struct og_order *og_send_swap_line(struct og_sender *s, struct og_order *to);

/* --- suspension.c ------------------------------------------------------------------------------------------------- */
void og_send_pauses(struct og_sender *s); /* notes whether the process was suspended; called first in each tick */
void og_send_fresh(struct og_tracked *o); /* note the time at which the order was decided: now */
/* Returns true if the process was suspended for longer than OG_STALE_NS since og_send_fresh(). */
bool og_send_is_stale(const struct og_tracked *o);
/* Returns true if the loop time *until_ms has passed. If it passed while the process was suspended, returns false and
 * moves *until_ms ahead by OG_ANEW_MS, once, so that what arrived meanwhile is read first. */
bool og_send_is_past(const struct og_sender *s, int64_t *until_ms);

void og_send_compare_clocks(struct og_sender *s); /* report, once, that the broker's clock is far from the machine's */

/* --- accounts.c --------------------------------------------------------------------------------------------------- */
void og_send_start(struct og_sender *s); /* request the account list */
/* Returns the account of that id, and sets it up if it was not. Returns NULL if the keys do not reach it, or out of
 * memory. While the account list is not known, any id is taken for an account. */
struct og_account_state *og_send_account(struct og_sender *s, const char *id);
void og_send_account_step(struct og_account_state *a, enum og_account_step step);
/* Note that the account cannot be read, and why: until it can be, only cancels and orders that only close are sent.
 * again: it is read again within seconds, and all orders wait for that. */
void og_send_blind(struct og_account_state *a, const char *why, bool again);
void og_send_list_due(struct og_sender *s);  /* once a tick */
void og_send_keys_work(struct og_sender *s); /* note that the broker took a cancel */
/* Returns true if orders may be posted for the account: it was read, or it is listed and the order only reduces. */
bool og_send_may_post(const struct og_account_state *a, bool reduces);
void og_send_accounts_free(struct og_sender *s);
void og_send_end_blind(struct og_sender *s); /* fail the run if the account list, or an account, could never be read */

/* --- account.c ---------------------------------------------------------------------------------------------------- */
void og_send_account_open(struct og_account_state *a); /* open its stream, and begin its first reading */
/* Returns true if the account's facts are new enough to decide an order: younger than OG_READ_OLD_MS, or of a reading
 * that began after asked_at (og_time_up()), because slow readings are never that young. If not, begins a reading when
 * it is due. */
bool og_send_account_ready(struct og_account_state *a, uint64_t asked_at);
void og_send_account_look(struct og_account_state *a); /* begin a reading of the account if one is due */
/* Returns false while the account's locates, which a short sale may need, are being requested; those of a reading that
 * began after og_time_up() `from` are young enough. */
bool og_send_locates_known(struct og_account_state *a, uint64_t from);
/* Returns true if the book has locates of a reading that began after `from`, or if the account cannot be read. */
bool og_send_locates_since(const struct og_account_state *a, uint64_t from);
void og_send_ask_locates(struct og_account_state *a, uint64_t from); /* request what og_send_locates_since() lacks */
void og_send_account_free(struct og_account_state *a);

/* Something changed: the next reading begins before it is due. */
void og_send_account_dirty(struct og_account_state *a);
/* Like og_send_account_dirty(), but the reading begins as soon as no other is under way, within the budgets. */
void og_send_account_hurry(struct og_account_state *a);
/* The account cannot be read: decide orders by the facts so far, and begin no reading before loop time again_ms. */
void og_send_account_stuck(struct og_account_state *a, int64_t again_ms);
void og_send_account_unstuck(struct og_account_state *a);

/* --- account_stream.c --------------------------------------------------------------------------------------------- */
enum og_status og_send_stream_open(struct og_account_state *a, struct og_error *err);
/* Note that a look-up or a list showed a change: after several of these, a stream without frames is opened again. */
void og_send_heard_elsewhere(struct og_account_state *a);
void og_send_stream_look(struct og_account_state *a); /* once a tick */

/* --- borrow.c ----------------------------------------------------------------------------------------------------- */
/* Returns true if the symbol's borrow check has a recent answer, or one whose request began after og_time_up() `from`,
 * or failed after it; if not, requests it. */
bool og_send_borrow_known(struct og_account_state *a, const char *symbol, uint64_t from);
bool og_send_is_easy(const struct og_account_state *a, const char *symbol); /* as its newest borrow check said */
void og_send_borrow_free(struct og_account_state *a);

/* --- account_locks.c ---------------------------------------------------------------------------------------------- */
/* Claim the account for this ledger's senders. Returns false, and the run ends, if another ledger's have it. */
bool og_send_hold_account(struct og_account_state *a);
void og_send_let_go(struct og_account_state *a);

/* --- decide.c ----------------------------------------------------------------------------------------------------- */
/* Put a quote into the book, dated by the sender's clock. A quote without a time is reported once in a run. */
enum og_status og_send_quote(struct og_sender *s, const char *line, size_t len, struct og_error *err);
void og_send_decide(struct og_sender *s);
/* End the lines that wait: each gets the outcome that the ledger has of its order, or not-sent. */
void og_send_drop_lines(struct og_sender *s);
/* Returns the account of the line (s->order); NULL if there is none, and the book says what is wrong. */
struct og_account_state *og_send_account_of(struct og_sender *s);
/* Give the line's order (s->order) an id, if it has none. Returns false if no id can be made. */
bool og_send_give_id(struct og_sender *s, struct og_waiting *w);
/* Returns the loop time at which the budget allows the next POST; INT64_MAX if no order waits for the budget. */
int64_t og_send_decide_next(struct og_sender *s);

/* --- other_runs.c ------------------------------------------------------------------------------------------------- */
/* Take in what other processes wrote to the ledger. Call before a decision, inside its transaction. */
void og_send_take_in(struct og_sender *s);
void og_send_take_in_due(struct og_sender *s); /* once a tick */
/* Count the orders of other runs, when an account's first reading, r, has gone into the book. */
void og_send_count_earlier(struct og_account_state *a, const struct og_reading *r);
void og_send_count_shown(const struct og_tracked *o); /* count what an earlier run's order traded by now */
/* Drop the reservations of ended orders of other runs whose fills are in a reading begun at og_time_up() `began`. */
void og_send_drop_others(struct og_account_state *a, uint64_t began);
/* Note that a list of orders has the row; the list was requested at og_time_up() `at`. */
void og_send_other_listed(struct og_account_state *a, const struct og_order_row *row, uint64_t at);
/* Returns true if an order of another run with that id has a reservation here. */
bool og_send_is_held(struct og_account_state *a, struct og_str id);
/* Call after og_send_recover(): orders of earlier runs that may be working get reservations like those of this run. */
void og_send_reserve_recovered(struct og_account_state *a);
void og_send_reserve_found(struct og_tracked *o); /* the same for an order that was believed to be gone */
/* Call once, when the ledger is open: only later records are taken in. Returns OG_OK, OG_ENOMEM or OG_ELEDGER. */
enum og_status og_send_others_begin(struct og_sender *s, struct og_error *err);
void og_send_others_free(struct og_sender *s);

/* --- waivers.c ---------------------------------------------------------------------------------------------------- */
/* Tell the book which waivers are valid for the order with that id, which is decided next. `intended`: the order's
 * intent is already written. Returns false if there is no such waiver. */
bool og_send_waive(struct og_account_state *a, const char *id, bool intended);
void og_send_unwaive(struct og_sender *s); /* the order was decided: take its waivers out of the book */

/* --- ending.c ----------------------------------------------------------------------------------------------------- */
void og_send_say_end(struct og_sender *s); /* print what the user has still to do, and the ledger's head */

/* --- time_estimate.c ---------------------------------------------------------------------------------------------- */
void og_send_forecast(struct og_sender *s); /* once a tick */

/* --- track.c ------------------------------------------------------------------------------------------------------ */
/* Have the order's outcome reported for the line `origin` once it is known, at the latest at loop time give_up_ms. */
void og_send_owe(struct og_tracked *o, struct og_origin origin, int64_t give_up_ms);
/* Forget the state that the broker showed of the order: those rows were of another order with its id. */
void og_send_hear_anew(struct og_tracked *o);
/* Apply a row of the order. source: as for og_send_row(), or "reply"; adopt: the row answers the order's POST; at: the
 * row's moment (outcome/execution.h). */
void og_send_take_row(struct og_tracked *o, const struct og_order_row *row, const char *source, bool adopt,
                      uint64_t at);
/* Returns true if the row is of an order of somebody else under our id; the first such row is recorded and reported. */
bool og_send_is_of_namesake(struct og_tracked *o, const struct og_order_row *row, const char *source);
/* Apply a row of the broker to the order that it shows; somebody else's order is followed from now on. Returns true if
 * the order is ours. source: "stream", "lookup", "list"; at: the row's moment (outcome/execution.h). */
bool og_send_row(struct og_account_state *a, const struct og_order_row *row, const char *source, uint64_t at);
/* Returns true if the row names this account and no other, or no account. */
bool og_send_is_of(const struct og_account_state *a, const struct og_order_row *row);
/* Apply an event without a row. text: as for og_execution_event(). May free the order, like og_send_settle(). */
void og_send_event_of(struct og_tracked *o, enum og_event event, struct og_str text);
/* Report the order's outcome if that is due. Frees the order if nothing more is to be done for it. */
void og_send_settle(struct og_tracked *o);
void og_send_conclude(struct og_tracked *o); /* report its outcome as known now; may free the order too */
void og_send_give_up(struct og_sender *s);   /* report the outcomes of orders whose wait is over; once a tick */
/* Returns true while a line waits for the order's outcome, its POST is under way, or it is being canceled. */
bool og_send_is_pending(const struct og_tracked *o);
/* Returns true if the broker showed the order as working, and it has since been proved absent, so that its end is not
 * known. */
bool og_send_is_gone(const struct og_tracked *o);
/* Take over what a person or another run recorded as the order's state, if that is still unknown here. */
void og_send_adopt(struct og_tracked *o, const struct og_ledger_row *row);

/* --- post.c ------------------------------------------------------------------------------------------------------- */
/* Set the body that is posted for the order; takes over body. d: the order's decision; NULL if it is not posted. */
void og_send_post_is(struct og_tracked *o, char *body, size_t len, const char *digest, const struct og_order *order,
                     const struct og_decision *d);
void og_send_post_recall(struct og_tracked *o); /* read the order's body from the ledger, if it is there */
/* Write the bytes that would be posted for s->order, and their digest. Sets *body to NULL if it cannot be written, and
 * the book says why. Returns false if out of memory. */
bool og_send_write_body(struct og_sender *s, char **body, size_t *len, char digest[72]);
/* Write the order's intent into the ledger. `again`: an earlier run did not send it. Returns false if that fails. */
bool og_send_intend(struct og_tracked *o, bool again, struct og_error *err);
void og_send_post(struct og_tracked *o);
void og_send_post_again(struct og_tracked *o); /* post the order after it has waited (leave.c) */
/* End a POST that got no answer and has no request under way. why: NULL if only answers 429 delayed it. */
void og_send_post_ends(struct og_tracked *o, const char *why);
void og_send_post_stop(struct og_tracked *o); /* the run ends: do not wait for the POST's answer */
/* Withdraw the order's POST if it was not sent yet. The order is then canceled, and may be freed, as by
 * og_send_settle(). Returns false if the POST was not withdrawn. */
bool og_send_take_back(struct og_tracked *o);

/* --- reservations.c ----------------------------------------------------------------------------------------------- */
void og_send_hold(struct og_tracked *o, og_ticket ticket);
void og_send_hold_seen(struct og_tracked *o, uint64_t at);
/* Adjust the order's reservation after a row or an event; `before` is the order's state until then. */
void og_send_hold_moved(struct og_tracked *o, enum og_state before);
void og_send_unhold(struct og_tracked *o); /* drop its ticket */
/* Drop the tickets of orders of which og_send_is_in_facts(o, began) is true. */
void og_send_drop_holds(struct og_account_state *a, uint64_t began);
/* Returns true if an order shown as over by og_time_up() `by` still counts: no reading surely includes its end. */
bool og_send_counts_ended(const struct og_account_state *a, uint64_t by);
bool og_send_counts_ended_others(const struct og_account_state *a, uint64_t by); /* other_runs.c */
void og_send_filled(struct og_account_state *a); /* note that some order of the account filled just now */
/* Returns true if a reading begun at og_time_up() `began` has all fills of the order, and its end, or if the order is
 * gone (og_send_is_gone()). An order that may be working keeps its reservation, and counts once if a list has it. */
bool og_send_is_in_facts(const struct og_tracked *o, uint64_t began);
uint64_t og_send_settle_ns(const struct og_sender *s); /* for how long an account's figures may lag its fills, in ns */

/* --- cancel.c ----------------------------------------------------------------------------------------------------- */
/* Decide the cancel that the line asks for (s->order), and begin it if it is accepted. If a is NULL, the line's
 * account is wrong, and the book says why. Returns false if the run ends. */
bool og_send_cancel_line(struct og_sender *s, struct og_account_state *a, const struct og_waiting *w);
/* Cancel an order for a line. after: the line whose order replaces it, which is taken over; NULL if the line is a
 * cancel. over: the order seems to be over, and is only looked up. Returns false if the run ends. */
bool og_send_cancel_order(struct og_account_state *a, struct og_str id, struct og_origin origin,
                          struct og_waiting *after, bool over);
/* Have the order canceled, by as many DELETEs as that takes, until loop time until_ms. urgent: before other cancels. */
void og_send_cancel(struct og_tracked *o, int64_t until_ms, bool urgent);
/* Returns true if the order with that id known here was rejected or not sent; the broker may have another one. */
bool og_send_never_worked(struct og_account_state *a, struct og_str id);
/* A cancel of that id was accepted. If the order known here never worked, but the broker has one with that id (its
 * list shows it, or it answered R114), follow the broker's as somebody else's. Returns false if the run ends. */
bool og_send_follow_listed(struct og_account_state *a, struct og_str id, const struct og_decision *d);
/* Returns true if the order ended as rejected although it works at the broker, which accepted the order but answered
 * otherwise. The order is then followed as somebody else's, so that it can be canceled. */
bool og_send_follow_shown(struct og_tracked *o);
#define OG_DUPLICATE_ID "R114" /* the code of an order that was rejected because another order has its id */
/* Returns true if an order of that id is followed, or is in the ledger. */
bool og_send_is_known(struct og_account_state *a, struct og_str id);
/* Tell the book that the id of an order is used, although this run did not make the order. */
void og_send_know(struct og_account_state *a, struct og_str id);
/* Update the state of the order's cancel after a row of the order was applied. asked: the row answers a look-up or a
 * request of the list, and no row of a later request was applied. */
void og_send_cancel_heard(struct og_tracked *o, enum og_order_status status, bool asked);
/* A look-up did not find the order. If the broker has shown it at work, without a sign of a cancel, a DELETE that may
 * not have canceled it is sent again: where look-ups and lists are empty, only the stream shows what works. */
void og_send_cancel_unfound(struct og_tracked *o);
/* Returns og_time_up() when the cancel of the order that is under way began. If somebody else cancels the order, this
 * is when the broker showed it PendingCancel. Returns 0 if the order is not being canceled. */
uint64_t og_send_cancel_began(const struct og_tracked *o);
/* Returns the order of that cancel, among the account's cancels under way that began before og_time_up() `before`,
 * which began last; NULL if there is none. */
const struct og_tracked *og_send_being_canceled(const struct og_account_state *a, uint64_t before);
void og_send_cancel_due(struct og_sender *s);       /* once a tick */
void og_send_cancel_settle(struct og_tracked *o);   /* report the outcome to its cancel's lines, if it is over */
void og_send_cancel_conclude(struct og_tracked *o); /* report its state so far to its cancel's lines */
void og_send_cancel_stop(struct og_tracked *o);     /* the run ends: do not wait for the DELETE's answer */
void og_send_cancel_free(struct og_tracked *o);

/* --- positions.c -------------------------------------------------------------------------------------------------- */
/* Count how much an order filled since its last row. Call before a row is applied. o: its order, if followed. */
void og_send_moved(struct og_account_state *a, const struct og_tracked *o, const struct og_order_row *row);
/* Returns og_time_up() when the newest fill in the symbol was heard of; 0: none was. */
uint64_t og_send_moved_at(const struct og_account_state *a, const char *symbol);
void og_send_held(struct og_account_state *a, const cJSON *list); /* take in the positions of a reading */
/* Compare positions with the fills of orders after a complete reading, begun at og_time_up() `began`; report
 * differences. */
void og_send_compare_positions(struct og_account_state *a, uint64_t began);
void og_send_position_pushed(struct og_account_state *a);
void og_send_look_at_positions(struct og_account_state *a); /* once a tick */
void og_send_positions_free(struct og_account_state *a);

/* --- snapshot.c --------------------------------------------------------------------------------------------------- */
/* Write what `ordergate status` shows of the run as JSON, at most OG_SENDERS_SNAPSHOT_MOST bytes. */
void og_send_snapshot(struct og_sender *s, struct og_buf *b);

/* --- reload.c ----------------------------------------------------------------------------------------------------- */
/* Make the book with the policy of the options; if the broker's settings demand a signature, the policy is loaded
 * again and its signature checked. */
enum og_status og_send_policy_begin(struct og_sender *s, struct og_error *err);
/* Load the policy again if a program asked for that or a file of it changed; once a tick, never within a batch. */
void og_send_reload_due(struct og_sender *s);
void og_send_on_reload(uv_async_t *async); /* og_sender_reload() was called; data: the sender */

/* --- lookups.c ---------------------------------------------------------------------------------------------------- */
/* Look up the order within in_ms from now. */
void og_send_ask_soon(struct og_tracked *o, int64_t in_ms);
void og_send_ask_due(struct og_sender *s);
/* Note whether lists lack an order that may be working: it is then looked up until an answer shows its end. */
void og_send_ask_missing(struct og_tracked *o, bool missing);
/* Look up the orders that may be working but are not in the list that was just read. over_gap: somebody else's orders
 * too, since they may have ended while the stream was lost. */
void og_send_ask_missed(struct og_account_state *a, bool over_gap);
/* Returns true if the next answer to a look-up may settle an order of unknown outcome, or show the end of one that is
 * believed to work. */
bool og_send_is_being_settled(const struct og_account_state *a);
/* Returns the loop time of the next look-up; INT64_MAX if none is due. */
int64_t og_send_ask_next(const struct og_sender *s);
/* Write since when the order counts as absent, as a record has it. */
void og_send_write_absent(const struct og_tracked *o, struct og_buf *b);
/* Count a complete reading of the account, which began at og_time_up() `at`, towards proofs of absence. `before` is
 * the complete reading before it. Call after the reading's orders were applied. */
void og_send_account_was_good(struct og_account_state *a, const struct og_absence_moment *before, uint64_t at);

/* --- orders.c ----------------------------------------------------------------------------------------------------- */
struct og_order_table *og_orders_new(void);
void og_orders_free(struct og_order_table *t); /* frees the table, but not the orders in it */
/* Follow an order. Returns NULL if out of memory. */
struct og_tracked *og_orders_add(struct og_sender *s, struct og_account_state *a, struct og_str id);
struct og_tracked *og_orders_find(struct og_sender *s, const struct og_account_state *a, struct og_str id);
/* Returns the followed order of which a row is: by our id, by an id that the broker gave the order, or by one that the
 * broker rewrote; NULL if there is none. */
struct og_tracked *og_orders_of_row(struct og_account_state *a, const struct og_order_row *row);
void og_orders_renamed(struct og_tracked *o); /* note that the broker may have given the order another id */
void og_orders_remove(struct og_tracked *o);
size_t og_orders_hash(struct og_str id);

/* --- program_input.c ---------------------------------------------------------------------------------------------- */
/* Have the broker's documents replace facts that were given with a future time, and print that. */
void og_send_distrust_future(struct og_sender *s);

/* --- refused.c ---------------------------------------------------------------------------------------------------- */
/* Write the outcome of the line's order (s->order), which is refused. If the decision depends on an order that may be
 * over soon, the text names it. The decision d is not valid afterwards. `resumed`: trading was halted when the line
 * was read, and is on again. */
void og_send_tell_refused(struct og_sender *s, struct og_origin origin, struct og_account_state *a,
                          struct og_decision *d, bool resumed);
