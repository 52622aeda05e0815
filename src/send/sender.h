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
 *   batch.c           the ids of a batch's lines        overtake.c        which lines are decided first
 *   reading_inputs.c  the inputs, and quotes            deliver.c         events on their way to their readers
 *   intake.c          lines from a socket or FIFO
 *   notify.c          tells the service manager         status_text.c     what the run does now, in a line
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
#include "send/intake.h"
#include "send/kill_switches.h"
#include "send/latches.h"
#include "send/notify.h"
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

/* One reading of the facts that change: account, positions and orders; the P&L if the policy needs it; and, less often,
 * routes and the inventory of locates (account.c). */
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
    uint64_t rest_began; /* og_time_up() when all parts but the orders were requested, after the orders came */
    int64_t recorded;    /* of a first reading: number of the ledger's newest record when it began */
    cJSON *orders;       /* the answer about orders; NULL if there is none yet */
    struct og_buf facts;
    char why[400];
};

/* When orders last changed the account's figures, as og_time_up() (reservations.c). */
struct og_account_news {
    uint64_t filled_at; /* of the newest fill of the account's orders */
    uint64_t ended_at;  /* of the newest end of an order that had not filled completely: older facts still count it */
};

/* The stream of an account (account_stream.c). */
struct og_account_stream {
    struct og_stream *handle;
    bool heard; /* the stream has signed in once, or has failed to do so: decisions no longer wait for it */
    bool ready;
    bool lost;          /* the stream is lost, and an event has reported that */
    uint64_t gap_at;    /* og_time_up() of its newest sign-in: a later reading includes what the stream missed */
    int unheard;        /* number of changes that look-ups or lists have shown since the stream's newest frame */
    int64_t unheard_ms; /* loop time of the first of those changes */
};

/* The readings of an account, and when the next one is due (account.c). */
struct og_readings {
    struct og_reading *under_way;
    uint64_t read_at;  /* og_time_up() when the newest reading in the book began; 0 if there is none */
    uint64_t good_at;  /* og_time_up() when the newest complete reading began */
    uint64_t first_at; /* og_time_up() when the first reading ended, if it may lack fills of other runs; else 0 */
    int64_t good_ns;   /* good_at as a time of the sender's clock */
    struct og_absence_moment good; /* moment of the newest complete reading, once counted towards proofs of absence */
    int64_t taken_ns, locates_ns;  /* times by the sender's clock when the book got the newest reading, and locates */
    uint64_t locates_at;           /* og_time_up() when the reading began that brought the newest locates */
    bool dirty;                    /* something changed since the newest reading began */
    bool sells_short;              /* a short sale waits for locates */
    int64_t asked_ns[OG_READING_PARTS]; /* time by the sender's clock at which each optional part was last requested */
    bool stuck;  /* the newest reading failed: older facts are used, and the policy judges their age */
    bool denied; /* no reading has succeeded, and the broker denied the newest one: orders wait for another one */
    int denials; /* number of readings that were denied like that */
    uint64_t failed_at, failed_by; /* og_time_up() when the newest reading that failed began, and when it ended */
    int64_t next_ms;               /* loop time before which no reading begins */
};

struct og_account_state {
    /* set-up of the account (accounts.c) */
    struct og_account_state *next;
    struct og_sender *sender;
    char *id; /* as the broker's account list spells it */
    bool paper;
    bool unlisted; /* the account list is not read yet: id is spelled as the user or an input line spelled it */
    enum og_account_step step;

    struct og_readings readings;
    struct og_account_stream stream;
    struct og_account_news news;
    bool cancel_own; /* the dead man's switch fired before the account was set up: cancel its orders once it is */
    int canceling;   /* number of orders whose cancel is under way (cancel.c) */
    uint64_t pending_cancel_at; /* og_time_up() when an order was last shown PendingCancel (cancel.c); 0: never */
    struct og_account_elsewhere elsewhere;
    int held[2];        /* descriptors, plus 1, of the account's two lock files; 0 if not open (account_locks.c) */
    int externals;      /* number of orders of somebody else that this run has seen (external.c) */
    struct og_buf used; /* ids that the ledger has as used: JSON strings, each with a comma after it (resume.c) */
    struct og_borrow_state *borrow;      /* its borrow checks (borrow.c) */
    struct og_position_watch *positions; /* NULL until the first row of an order or the first reading (positions.c) */
    struct og_pnl_peak peak;             /* the highest P&L on record for the day of the newest reading (peak.c) */
    struct og_account_latches latches;   /* its latches on record (latches.c) */
    int64_t taken_from; /* number of the ledger's newest record when the account was set up (other_runs.c) */
};

/* The borrow check of one symbol, requested when a short sale needs it. */
struct og_borrow_state {
    struct og_borrow_state *next;
    struct og_account_state *account;
    uint64_t at; /* og_time_up() when the request began that brought the newest answer; 0 if there is no answer yet */
    uint64_t failed_at; /* og_time_up() when the newest request ended without an answer; 0 if it was answered */
    bool asking, easy;
    char symbol[];
};

struct og_source_file {
    struct og_input *input;
    int fd;
    char *name; /* name of the input in messages; NULL if it has none */
};

/* The accounts for which orders are sent (accounts.c). */
struct og_account_list {
    struct og_account_state *first;
    struct og_account_state *chosen; /* the account of lines that name none; NULL if each line must name an account */
    char *list;                      /* the account list as the broker sent it; NULL if it has not come yet */
    bool asking, keys_work;          /* a request for the list is under way; the broker accepted a cancel of this run */
    int refusals;                    /* number of answers in a row by which the broker refused the keys */
    int64_t next_ms;       /* loop time until which cancels wait for the first list; later, of the next request */
    struct og_error blind; /* why the account list, or an account, could not be read last time; OG_OK if it was */
};

/* Records that other processes wrote to the ledger (other_runs.c). */
struct og_peers {
    struct og_other *first; /* orders of other runs that have a reservation here */
    struct og_order *order; /* memory into which an order of another run is read */
    int64_t taken;          /* number of the ledger's newest record that was taken in */
    uint64_t news;          /* number of records about orders of this run's accounts that were taken in */
    int64_t next_ms;        /* loop time of the next look at the ledger */
};

/* The policy in force (reload.c). */
struct og_policy_state {
    bool reads_pnl;    /* a rule in force needs the P&L document */
    uint64_t pnl_from; /* og_time_up() since when a rule in force needs the P&L document; 0 if one did from the start */
    bool reload_asked;
    int64_t look_ms; /* loop time of the next look at the policy's files */
    char *digest;
};

/* The events for the program, and the outcomes reported so far (event.c). */
struct og_told {
    struct og_buf events;  /* events of this iteration of the loop, one on each line */
    struct og_buf writers; /* for each of them, the number of the writer that gave its line, as a uint64_t; 0: none */
    int64_t seq;
    bool deaf;              /* events cannot be written: their reader has gone (deliver.c) */
    bool refused, not_sent; /* some line had this outcome, which decides the exit code */
    int unknown;            /* number of orders whose outcome was reported as unknown and is still unknown */
    bool clock_off;         /* an event reported that the clocks differ (suspension.c) */
};

/* When the process was suspended, as by a machine that slept or by SIGSTOP (suspension.c). */
struct og_suspend {
    int64_t ticked_ms; /* loop time of the newest tick; 0 if there is none */
    int64_t awake_ms;  /* loop time of the newest tick, or of the one before it if a suspension lay between them */
    bool late;         /* the newest tick was late, as after a suspension */
    uint64_t up_ns;    /* og_time_up() when the process was last known to run; 0 if not yet */
    uint64_t stood_ns; /* how long the process has been suspended in all, including sleeps of the machine */
};

enum og_phase { OG_STARTING = 0, OG_RUNNING, OG_STOPPING, OG_ENDING };

/* A run (sender.c): members that concern the whole run, and a struct for each file that keeps a state of its own. */
struct og_sender {
    struct og_send_options options; /* its strings are owned by the sender */
    struct og_settings settings;
    struct og_clock clock;
    struct og_ident_maker maker;
    struct og_ident run;
    uv_loop_t loop;
    bool loop_made;
    uv_timer_t tick;
    uv_prepare_t prepare;
    uv_async_t stop, reload, report;
    struct og_broker *broker;
    struct og_ledger *ledger;
    struct og_book *book;
    struct og_scratch *scratch;
    struct og_order *order; /* the line that is being decided */
    struct og_request *request;
    struct og_input *quotes;     /* (reading_inputs.c) */
    int quotes_fd;               /* plus 1; 0 if there is none (reading_inputs.c) */
    bool quotes_begun;           /* the input of quotes has been opened (reading_inputs.c) */
    bool quotes_undated;         /* it was reported that quotes have no time (decide.c) */
    bool quotes_ahead;           /* it was reported that quotes are dated ahead of the clock (decide.c) */
    struct og_source_file *file; /* the inputs (program_input.c) */
    int files;                   /* number of inputs (program_input.c) */
    int file_now;                /* index of the input that is read now (reading_inputs.c) */
    bool held;                   /* the program has announced more lines (program_input.c) */
    long long given;             /* number of lines given by og_sender_line() (program_input.c) */
    struct og_account_list accounts;
    struct og_buf given_used; /* usedClientOrderIds of facts files, JSON, each followed by a comma */
    struct og_order_table *table;
    struct og_tracked *orders;
    int posting;    /* number of POSTs that have not ended (post.c) */
    int staying;    /* how many of `posting` wait to be decided once more (leave.c) */
    uint64_t turns; /* number of orders whose POST was queued so far: the turn of the newest (leave.c) */
    bool renamed;   /* the broker gave some order another id (orders.c) */

    struct og_line_queue lines;
    struct og_ahead ahead;
    struct og_peers peers;
    struct og_policy_state policy;
    struct og_told told;
    struct og_records records;
    struct og_guard guard;
    struct og_notify notify;
    struct og_intake intake;
    struct og_suspend suspend;
    struct og_counts counts; /* counts of the run (counts.c) */

    enum og_phase phase;
    bool begun;      /* og_sender_start() has succeeded */
    bool tells;      /* events of decisions have the order, for og_sender_tell_orders() (snapshot.c) */
    bool had_lines;  /* the run has had a line (decide.c) */
    bool wait_given; /* the user set how long to wait for outcomes */
    int fatal;       /* exit code of the error that ended the run; 0 if there was no error */
    struct og_error fault;
    int64_t cancels_told_ms; /* loop time before which the wait of cancels is not reported again (cancel.c) */
    int64_t held_ms;         /* loop time before which waits are not checked (wait_reports.c) */
    int64_t forecast_ms;     /* loop time before which no forecast is made (time_estimate.c) */
    int64_t stop_ms;         /* loop time at which a run that is being stopped ends at the latest */
    bool stopped;            /* the run is being stopped, and the POSTs and lines that waited were ended */
};

/* --- sender.c ----------------------------------------------------------------------------------------------------- */
int64_t og_send_ms(const struct og_sender *s); /* returns the loop time in ms */
/* Give a message for people. og_send_warn() says that something is, or may be, wrong. */
void og_send_say(struct og_sender *s, const char *format, ...) __attribute__((format(printf, 2, 3)));
void og_send_warn(struct og_sender *s, const char *format, ...) __attribute__((format(printf, 2, 3)));
/* End the run with that exit code, unless an earlier error ended it: nothing more is posted, and orders in flight are
 * followed for a while (OG_STOP_MS). If `err` has no error, memory ran out. */
void og_send_fatal(struct og_sender *s, int exit_code, const struct og_error *err);
void og_send_run(struct og_sender *s);  /* begin to decide lines */
void og_send_wake(struct og_sender *s); /* have the loop call tick() at once */
/* Set s->order to `to`, since s->order may be a line that is being decided. Returns the former s->order, which the
 * caller sets again afterwards. */
struct og_order *og_send_swap_line(struct og_sender *s, struct og_order *to);

/* --- suspension.c ------------------------------------------------------------------------------------------------- */
void og_send_pauses(struct og_sender *s); /* note whether the process was suspended; called first in each tick */
void og_send_fresh(struct og_tracked *o); /* note that the order was decided now */
/* Returns true if the process was suspended for longer than OG_STALE_NS since og_send_fresh(). */
bool og_send_is_stale(const struct og_tracked *o);
/* Returns true if the loop time *until_ms has passed. If it passed while the process was suspended, returns false the
 * first time and moves *until_ms ahead by OG_ANEW_MS, so that input that arrived meanwhile is read first. */
bool og_send_is_past(const struct og_sender *s, int64_t *until_ms);

void og_send_compare_clocks(struct og_sender *s); /* report, once, that the broker's clock is far from the machine's */

/* --- accounts.c --------------------------------------------------------------------------------------------------- */
void og_send_start(struct og_sender *s); /* request the account list */
/* Returns the account with that id, and sets the account up if that was not done. Returns NULL if the keys do not reach
 * it, or memory ran out. While the account list is not known, every id is assumed to be an account. */
struct og_account_state *og_send_account(struct og_sender *s, const char *id);
void og_send_account_step(struct og_account_state *a, enum og_account_step step);
/* Note that the account cannot be read, and why: until it can be read, only cancels and orders that only close are
 * sent. again: the account is read again within seconds, and all orders wait for that. */
void og_send_blind(struct og_account_state *a, const char *why, bool again);
void og_send_list_due(struct og_sender *s);  /* request the account list if that is due; called once a tick */
void og_send_keys_work(struct og_sender *s); /* note that the broker accepted a cancel */
/* Returns true if orders may be posted for the account: either it was read, or it is listed and the order only
 * reduces. */
bool og_send_may_post(const struct og_account_state *a, bool reduces);
void og_send_accounts_free(struct og_sender *s);
void og_send_end_blind(struct og_sender *s); /* fail the run if the account list, or an account, could never be read */

/* --- account.c ---------------------------------------------------------------------------------------------------- */
void og_send_account_open(struct og_account_state *a); /* open the account's stream, and begin its first reading */
/* Returns true if the account's facts are new enough to decide an order: they are younger than OG_READ_OLD_MS, or come
 * from a reading that began after asked_at (og_time_up()), since the facts of a slow reading are never that young. If
 * they are not new enough, begins a reading when one is due. */
bool og_send_account_ready(struct og_account_state *a, uint64_t asked_at);
void og_send_account_look(struct og_account_state *a); /* begin a reading of the account if one is due */
/* Returns false while the account's locates, which a short sale may need, are being requested. Locates are new enough
 * if their reading began after og_time_up() `from`. */
bool og_send_locates_known(struct og_account_state *a, uint64_t from);
/* Returns true if the book has locates of a reading that began after `from`, or if the account cannot be read. */
bool og_send_locates_since(const struct og_account_state *a, uint64_t from);
void og_send_ask_locates(struct og_account_state *a, uint64_t from); /* request them unless og_send_locates_since() */
void og_send_account_free(struct og_account_state *a);

/* Note that something changed: the next reading begins earlier than it would otherwise. */
void og_send_account_dirty(struct og_account_state *a);
/* Like og_send_account_dirty(), but the reading begins as soon as no other is under way, within the budgets. */
void og_send_account_hurry(struct og_account_state *a);
/* The account cannot be read: decide orders by the facts at hand, and begin no reading before loop time again_ms. */
void og_send_account_stuck(struct og_account_state *a, int64_t again_ms);
void og_send_account_unstuck(struct og_account_state *a);

/* --- account_stream.c --------------------------------------------------------------------------------------------- */
enum og_status og_send_stream_open(struct og_account_state *a, struct og_error *err);
/* Note that a look-up or a list showed a change. After several such changes, a stream that sends no frames is opened
 * again. */
void og_send_heard_elsewhere(struct og_account_state *a);
void og_send_stream_look(struct og_account_state *a); /* once a tick: reopen a stream that sends no frames */

/* --- borrow.c ----------------------------------------------------------------------------------------------------- */
/* Returns true if the symbol's borrow check has a recent answer, or one whose request began after og_time_up() `from`,
 * or if the check failed after `from`. Otherwise requests the check. */
bool og_send_borrow_known(struct og_account_state *a, const char *symbol, uint64_t from);
bool og_send_is_easy(const struct og_account_state *a, const char *symbol); /* answer of its newest borrow check */
void og_send_borrow_free(struct og_account_state *a);

/* --- account_locks.c ---------------------------------------------------------------------------------------------- */
/* Claim the account for the senders of this ledger. Returns false, and the run ends, if senders of another ledger have
 * it. */
bool og_send_hold_account(struct og_account_state *a);
void og_send_let_go(struct og_account_state *a);

/* --- decide.c ----------------------------------------------------------------------------------------------------- */
/* Put a quote into the book, dated by the sender's clock. A quote without a time is reported once in a run. */
enum og_status og_send_quote(struct og_sender *s, const char *line, size_t len, struct og_error *err);
void og_send_decide(struct og_sender *s);
/* End the lines that wait: each gets the outcome that the ledger has of its order, or the outcome not-sent. */
void og_send_drop_lines(struct og_sender *s);
/* Returns the account of the line (s->order); NULL if there is none, and the book's decision then says why. */
struct og_account_state *og_send_account_of(struct og_sender *s);
/* Give the line's order (s->order) an id, if it has none. Returns false if no id can be made. */
bool og_send_give_id(struct og_sender *s, struct og_waiting *w);
/* Returns the loop time at which the budget allows the next POST; INT64_MAX if no order waits for the budget. */
int64_t og_send_decide_next(struct og_sender *s);

/* --- other_runs.c ------------------------------------------------------------------------------------------------- */
/* Take in what other processes wrote to the ledger. Call before a decision, inside its transaction. */
void og_send_take_in(struct og_sender *s);
void og_send_take_in_due(struct og_sender *s); /* take such records in if that is due; called once a tick */
/* Count the orders of other runs. Call when an account's first reading, r, has gone into the book. */
void og_send_count_earlier(struct og_account_state *a, const struct og_reading *r);
void og_send_count_shown(const struct og_tracked *o); /* count what an earlier run's order has traded so far */
/* Drop the reservations of other runs' orders that have ended and whose fills are included in a reading that began at
 * og_time_up() `began`. */
void og_send_drop_others(struct og_account_state *a, uint64_t began);
/* Note that a list of orders shows the row; the list was requested at og_time_up() `at`. */
void og_send_other_listed(struct og_account_state *a, const struct og_order_row *row, uint64_t at);
/* Returns true if an order of another run with that id has a reservation here. */
bool og_send_is_held(struct og_account_state *a, struct og_str id);
/* Call after og_send_recover(). For orders of earlier runs that may be working, makes reservations like those of this
 * run's orders. */
void og_send_reserve_recovered(struct og_account_state *a);
void og_send_reserve_found(struct og_tracked *o); /* give a reservation to an order that was believed to be gone */
/* Call once, when the ledger has been opened: only later records are taken in. Returns OG_OK, OG_ENOMEM or
 * OG_ELEDGER. */
enum og_status og_send_others_begin(struct og_sender *s, struct og_error *err);
void og_send_others_free(struct og_sender *s);

/* --- waivers.c ---------------------------------------------------------------------------------------------------- */
/* Tell the book which waivers are valid for the order with that id, which is decided next. `intended`: the order's
 * intent is already written. Returns false if there is no such waiver. */
bool og_send_waive(struct og_account_state *a, const char *id, bool intended);
void og_send_unwaive(struct og_sender *s); /* take the waivers out of the book, after the order was decided */

/* --- ending.c ----------------------------------------------------------------------------------------------------- */
void og_send_say_end(struct og_sender *s); /* print what is left for the user to do, and the ledger's head */

/* --- time_estimate.c ---------------------------------------------------------------------------------------------- */
void og_send_forecast(struct og_sender *s); /* print the estimate if that is due; called once a tick */

/* --- track.c ------------------------------------------------------------------------------------------------------ */
/* Have the order's outcome reported for the line `origin`: once it is known, but no later than loop time give_up_ms. */
void og_send_owe(struct og_tracked *o, struct og_origin origin, int64_t give_up_ms);
/* Forget the state that the broker's rows showed, because the rows were of another order with the same id. */
void og_send_hear_anew(struct og_tracked *o);
/* Apply a row of the order. source: as for og_send_row(), or "reply"; adopt: the row answers the order's POST; at: the
 * row's moment (outcome/execution.h). */
void og_send_take_row(struct og_tracked *o, const struct og_order_row *row, const char *source, bool adopt,
                      uint64_t at);
/* Returns true if the row shows somebody else's order with our order's id. The first such row is recorded and
 * reported. */
bool og_send_is_of_namesake(struct og_tracked *o, const struct og_order_row *row, const char *source);
/* Apply a row of the broker to the order that it shows. If the order is somebody else's, it is followed from now on.
 * Returns true if the order is ours. source: "stream", "lookup" or "list"; at: the row's moment
 * (outcome/execution.h). */
bool og_send_row(struct og_account_state *a, const struct og_order_row *row, const char *source, uint64_t at);
/* Returns true if the row names this account, or no account at all. */
bool og_send_is_of(const struct og_account_state *a, const struct og_order_row *row);
/* Apply an event without a row. text: as for og_execution_event(). May free the order, like og_send_settle(). */
void og_send_event_of(struct og_tracked *o, enum og_event event, struct og_str text);
/* Report the order's outcome if that is due. Frees the order if nothing more is to be done for it. */
void og_send_settle(struct og_tracked *o);
void og_send_conclude(struct og_tracked *o); /* report the outcome as far as it is known now; may free the order, too */
void og_send_give_up(struct og_sender *s);   /* report the outcomes of orders whose wait is over; once a tick */
/* Returns true while a line waits for the order's outcome, its POST is under way, or it is being canceled. */
bool og_send_is_pending(const struct og_tracked *o);
/* Returns true if the broker showed the order as working, and it has since been proved absent, so that its end is not
 * known. */
bool og_send_is_gone(const struct og_tracked *o);
/* Take over the state that a person or another run recorded for the order, if the state is still unknown here. */
void og_send_adopt(struct og_tracked *o, const struct og_ledger_row *row);

/* --- post.c ------------------------------------------------------------------------------------------------------- */
/* Set the body that is posted for the order; takes over body. d: the decision on the order; NULL if it is never
 * posted. */
void og_send_post_is(struct og_tracked *o, char *body, size_t len, const char *digest, const struct og_order *order,
                     const struct og_decision *d);
void og_send_post_recall(struct og_tracked *o); /* read the order's body from the ledger, if the ledger has it */
/* Write the bytes that would be posted for s->order, and their digest. *body is set to NULL if they cannot be written,
 * and the book's decision then says why. Returns false if memory ran out. */
bool og_send_write_body(struct og_sender *s, char **body, size_t *len, char digest[72]);
/* Write the order's intent into the ledger. `again`: an earlier run recorded the order as not sent. Returns false on
 * failure. */
bool og_send_intend(struct og_tracked *o, bool again, struct og_error *err);
void og_send_post(struct og_tracked *o);
void og_send_post_again(struct og_tracked *o); /* post the order after it has waited (leave.c) */
/* End a POST that got no answer and has no request under way. why: the reason; NULL if only answers 429 delayed the
 * POST. */
void og_send_post_ends(struct og_tracked *o, const char *why);
void og_send_post_stop(struct og_tracked *o); /* the run ends: do not wait for the POST's answer */
/* Withdraw the order's POST if it was not sent yet. The order then counts as canceled, and may be freed as by
 * og_send_settle(). Returns false if the POST was not withdrawn. */
bool og_send_take_back(struct og_tracked *o);

/* --- reservations.c ----------------------------------------------------------------------------------------------- */
void og_send_hold(struct og_tracked *o, og_ticket ticket);
void og_send_hold_seen(struct og_tracked *o, uint64_t at);
/* Adjust the order's reservation after a row or an event was applied; `before` is the order's previous state. */
void og_send_hold_moved(struct og_tracked *o, enum og_state before);
void og_send_unhold(struct og_tracked *o); /* drop the order's ticket */
/* Drop the tickets of all orders o for which og_send_is_in_facts(o, began) is true. */
void og_send_drop_holds(struct og_account_state *a, uint64_t began);
/* Returns true if the facts may still count an order that was shown as over by og_time_up() `by`, because no reading
 * certainly includes its end. */
bool og_send_counts_ended(const struct og_account_state *a, uint64_t by);
/* as above, for orders of other runs (other_runs.c) */
bool og_send_counts_ended_others(const struct og_account_state *a, uint64_t by);
void og_send_filled(struct og_account_state *a); /* note that an order of the account filled just now */
/* Returns true if a reading that began at og_time_up() `began` includes all fills and the end of the order, or if the
 * order is gone (og_send_is_gone()). An order that may be working keeps its reservation; the book counts it only once
 * if a list shows it too. */
bool og_send_is_in_facts(const struct og_tracked *o, uint64_t began);
uint64_t og_send_settle_ns(const struct og_sender *s); /* for how long an account's figures may lag its fills, in ns */

/* --- cancel.c ----------------------------------------------------------------------------------------------------- */
/* Decide the cancel that the line (s->order) asks for, and begin it if it is accepted. If a is NULL, the line names no
 * valid account, and the book's decision says why. Returns false if the run ends. */
bool og_send_cancel_line(struct og_sender *s, struct og_account_state *a, const struct og_waiting *w);
/* Cancel an order for a line. after: the line whose order replaces the canceled one, which is taken over; NULL if the
 * line is a cancel. over: the order seems to be over, and is only looked up. Returns false if the run ends. */
bool og_send_cancel_order(struct og_account_state *a, struct og_str id, struct og_origin origin,
                          struct og_waiting *after, bool over);
/* Have the order canceled, by as many DELETEs as are needed, until loop time until_ms. urgent: the DELETEs go before
 * those of other cancels. */
void og_send_cancel(struct og_tracked *o, int64_t until_ms, bool urgent);
/* Returns true if the known order with that id was rejected or not sent; the broker may have another order with the
 * id. */
bool og_send_never_worked(struct og_account_state *a, struct og_str id);
/* Call when a cancel of that id was accepted. If the known order never worked, but the broker has an order with the
 * same id (its list shows it, or it answered R114), follow the broker's order as somebody else's. Returns false if the
 * run ends. */
bool og_send_follow_listed(struct og_account_state *a, struct og_str id, const struct og_decision *d);
/* Returns true if the order counts as rejected although it is working: the broker accepted it, but its answer said
 * otherwise. The order is then followed as somebody else's, so that it can be canceled. */
bool og_send_follow_shown(struct og_tracked *o);
#define OG_DUPLICATE_ID "R114" /* the code of an order that was rejected because another order has its id */
/* Returns true if an order with that id is followed, or is in the ledger. */
bool og_send_is_known(struct og_account_state *a, struct og_str id);
/* Tell the book that the id of an order is used, although this run did not make the order. */
void og_send_know(struct og_account_state *a, struct og_str id);
/* Update the state of the order's cancel. Call after a row of the order was applied. asked: the row answers a look-up
 * or a request of the list, and no row of a later request has been applied. */
void og_send_cancel_heard(struct og_tracked *o, enum og_order_status status, bool asked);
/* Call when a look-up did not find the order. If the broker has shown the order at work, and nothing shows that it was
 * canceled, a DELETE that may have had no effect is sent again: at a broker whose look-ups and lists are empty, only
 * the stream shows what works. */
void og_send_cancel_unfound(struct og_tracked *o);
/* Returns the og_time_up() at which the cancel began that is under way for the order. If somebody else cancels the
 * order, this is when the broker first showed it PendingCancel. Returns 0 if the order is not being canceled. */
uint64_t og_send_cancel_began(const struct og_tracked *o);
/* Returns the order whose cancel is the newest of the account's cancels under way that began no later than `before`, an
 * og_time_up(); NULL if there is no such cancel. */
const struct og_tracked *og_send_being_canceled(const struct og_account_state *a, uint64_t before);
void og_send_cancel_due(struct og_sender *s);     /* once a tick: send DELETEs that are due, report cancels that wait */
void og_send_cancel_settle(struct og_tracked *o); /* report the outcome for its cancel's lines if it is over */
void og_send_cancel_conclude(struct og_tracked *o); /* report the order's state so far for the lines that cancel it */
void og_send_cancel_stop(struct og_tracked *o);     /* the run ends: do not wait for the DELETE's answer */
void og_send_cancel_free(struct og_tracked *o);

/* --- positions.c -------------------------------------------------------------------------------------------------- */
/* Count by how much the order of the row has filled since its last row. Call before the row is applied. o: the order,
 * if it is followed. */
void og_send_moved(struct og_account_state *a, const struct og_tracked *o, const struct og_order_row *row);
/* Returns the og_time_up() at which the newest fill in the symbol became known; 0 if there was none. */
uint64_t og_send_moved_at(const struct og_account_state *a, const char *symbol);
void og_send_held(struct og_account_state *a, const cJSON *list); /* take in the positions of a reading */
/* Compare positions with the fills of orders, after a complete reading that began at og_time_up() `began`, and report
 * differences. */
void og_send_compare_positions(struct og_account_state *a, uint64_t began);
void og_send_position_pushed(struct og_account_state *a);
void og_send_look_at_positions(struct og_account_state *a); /* once a tick: begin a reading for the comparison */
void og_send_positions_free(struct og_account_state *a);

/* --- snapshot.c --------------------------------------------------------------------------------------------------- */
/* Write what `ordergate status` shows of the run as JSON, at most OG_SENDERS_SNAPSHOT_MOST bytes. */
void og_send_snapshot(struct og_sender *s, struct og_buf *b);

/* --- reload.c ----------------------------------------------------------------------------------------------------- */
/* Make the book with the policy of the options. If the broker's settings demand a signature, the policy is loaded again
 * and its signature is checked. */
enum og_status og_send_policy_begin(struct og_sender *s, struct og_error *err);
/* Load the policy again if a program asked for that, or if one of its files changed; called once a tick, never within a
 * batch. */
void og_send_reload_due(struct og_sender *s);
void og_send_on_reload(uv_async_t *async); /* callback after og_sender_reload() was called; its data is the sender */

/* --- lookups.c ---------------------------------------------------------------------------------------------------- */
/* Look up the order within in_ms from now. */
void og_send_ask_soon(struct og_tracked *o, int64_t in_ms);
void og_send_ask_due(struct og_sender *s);
/* Note whether lists lack an order that may be working. Such an order is looked up until an answer shows its end. */
void og_send_ask_missing(struct og_tracked *o, bool missing);
/* Look up the orders that may be working but are not in the list that was just read. over_gap: also look up somebody
 * else's orders, since they may have ended while the stream was lost. */
void og_send_ask_missed(struct og_account_state *a, bool over_gap);
/* Returns true if the next answer to a look-up may settle an order of unknown outcome, or show the end of an order that
 * is believed to be working. */
bool og_send_is_being_settled(const struct og_account_state *a);
/* Returns the loop time of the next look-up; INT64_MAX if none is due. */
int64_t og_send_ask_next(const struct og_sender *s);
/* Write since when the order counts as absent, in the form that the ledger's records have. */
void og_send_write_absent(const struct og_tracked *o, struct og_buf *b);
/* Count a complete reading of the account, which began at og_time_up() `at`, towards proofs of absence. `before` is the
 * previous complete reading. Call after the reading's orders were applied. */
void og_send_account_was_good(struct og_account_state *a, const struct og_absence_moment *before, uint64_t at);

/* --- orders.c ----------------------------------------------------------------------------------------------------- */
struct og_order_table *og_orders_new(void);
void og_orders_free(struct og_order_table *t); /* frees the table, but not the orders in it */
/* Follow an order. Returns NULL if memory ran out. */
struct og_tracked *og_orders_add(struct og_sender *s, struct og_account_state *a, struct og_str id);
struct og_tracked *og_orders_find(struct og_sender *s, const struct og_account_state *a, struct og_str id);
/* Returns the followed order that the row shows, found by our id, by an id that the broker gave the order, or by an id
 * that the broker made from ours; NULL if there is none. */
struct og_tracked *og_orders_of_row(struct og_account_state *a, const struct og_order_row *row);
void og_orders_renamed(struct og_tracked *o); /* note that the broker may have given the order another id */
void og_orders_remove(struct og_tracked *o);
size_t og_orders_hash(struct og_str id);

/* --- program_input.c ---------------------------------------------------------------------------------------------- */
/* Have the broker's documents replace facts that were given with a future time, and print that. */
void og_send_distrust_future(struct og_sender *s);

/* --- refused.c ---------------------------------------------------------------------------------------------------- */
/* Write the outcome of the line's order (s->order), which is refused. If the decision depends on another order that may
 * soon be over, the text names that order. The decision d is not valid afterwards. `resumed`: trading was halted when
 * the line was read, and is not halted any more. */
void og_send_tell_refused(struct og_sender *s, struct og_origin origin, struct og_account_state *a,
                          struct og_decision *d, bool resumed);
