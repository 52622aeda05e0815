/*
 * The sender inside: its accounts, the lines that wait to be decided, and the orders whose fate it follows.
 * One struct, and one file for each thing done with it:
 *   accounts.c which accounts there are, and may be sent for         decide.c  lines to decisions and intents
 *   account.c  what is known of an account, read and read again      give.c    what a program gives it
 *   track.c    what is heard of an order, and when it is over        ask.c     whom to ask, and when
 *   orders.c   the table of orders                                   event.c   the events and the ledger's rows
 *   cancel.c   cancels: lines, and those that the sender wants       replace.c an order in the place of another
 *   post.c     the POST of an order                                  hold.c    what orders take of an account
 *   external.c orders of somebody else                               account_stream.c  what an account's stream tells
 *   guard.c    the halt, and the dead man's switch                   emergency.c  cancels without a sender
 *   sentry.c   the thread that looks at both beside the loop         senders.c  running senders, asked by halt
 *   waivers.c  what people let through                               reload.c  another policy while it runs
 *   others.c   what other processes wrote                            positions.c  positions that no order explains
 *   resume.c   what earlier runs left                                pause.c   standstills of the process
 *   borrow.c   borrow checks                                         holders.c whose ledger sends for an account
 *   sender.c   the loop, the start and the end
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
#include "send/ident.h"
#include "send/input.h"
#include "send/sentry.h"
#include "send/tracked.h"
#include "stream/stream.h"

struct og_order_table;

enum og_account_step {
    OG_ACCOUNT_LOADING = 0,
    OG_ACCOUNT_BLIND, /* it could not be read so far */
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
    int missing; /* answers still to come */
    bool failed, first;
    uint64_t began;      /* og_time_up() of its first request, for the orders */
    int64_t clock_ns;    /* the same by the sender's clock */
    uint64_t rest_began; /* of those that are asked for once the orders are here */
    int64_t recorded; /* the ledger's newest record before the first request: what it says of orders the answers have */
    cJSON *orders;    /* the answer about orders; NULL: none yet */
    struct og_buf facts;
    char why[400];
};

/* What orders did to the account's figures, by og_time_up() (hold.c). */
struct og_account_news {
    uint64_t filled_at; /* of the newest fill */
    uint64_t ended_at;  /* of the newest end without a fill: facts that are older still have that order at work */
};

/* account_stream.c */
struct og_account_stream {
    struct og_stream *handle;
    bool heard; /* it signed in, or cannot be had */
    bool ready;
    bool lost;          /* it is lost, and that was told */
    uint64_t gap_at;    /* og_time_up() when it was back after a gap: everything is read anew once */
    int unheard;        /* changes that were learned by asking since it told anything */
    int64_t unheard_ms; /* loop time of the first of them */
};

/* account.c */
struct og_readings {
    struct og_reading *under_way;
    uint64_t read_at;              /* og_time_up() when the newest that was taken in began; 0: none */
    uint64_t good_at, good_before; /* when the newest good one began, and the newest good one that ask.c knows of */
    int64_t good_ns;               /* the sender's clock when the newest good one began */
    int64_t taken_ns, locates_ns;  /* the same when the newest was taken in, and when the newest with locates was */
    bool dirty;                    /* something changed since the newest began */
    bool sells_short;              /* a short sale waits for locates */
    int64_t asked_ns[OG_READING_PARTS]; /* by the sender's clock, of those that not every reading has */
    bool stuck;                         /* the newest failed: facts age, and the policy judges that */
    int64_t next_ms;                    /* loop time before which none is begun */
};

struct og_account_state {
    /* accounts.c */
    struct og_account_state *next;
    struct og_sender *sender;
    char *id; /* as the list spells it */
    bool paper;
    bool unlisted; /* the account list could not be read: id is as the user spells it */
    enum og_account_step step;

    struct og_readings readings;
    struct og_account_stream stream;
    struct og_account_news news;
    int held[2];        /* the files that say who sends for it, plus 1; 0: none (holders.c) */
    int externals;      /* orders of somebody else that were seen (external.c) */
    struct og_buf used; /* ids of lines that the ledger knows as used, JSON, each followed by a comma (resume.c) */
    struct og_borrow_state *borrow;      /* borrow.c */
    struct og_position_watch *positions; /* what is held and why; NULL: nothing was heard yet (positions.c) */
    int64_t taken_from;                  /* the ledger's newest record when the account was set up (others.c) */
};

/* A borrow check of one symbol: asked for when a short needs it. */
struct og_borrow_state {
    struct og_borrow_state *next;
    struct og_account_state *account;
    uint64_t at; /* og_time_up() of the answer's request; 0: none */
    bool asking, failed, easy;
    char symbol[];
};

/* A line that waits to be decided. */
struct og_waiting {
    struct og_waiting *next;
    struct og_origin origin;
    bool replaced;       /* the order that it replaces is Canceled */
    bool again;          /* it was refused once by facts that may have been too old: see og_send_decides_again() */
    struct og_ident id;  /* made for a line without one that replaces; "": none */
    uint64_t facts_from; /* og_time_up(): decided by a reading that began later; 0: any.  Of a cancel: when it came */
    uint64_t fill_from;  /* the same of a close that was refused for want of a fill; 0: none was */
    size_t len;
    char bytes[];
};

struct og_source_file {
    struct og_input *input;
    int fd;
    char *name; /* NULL: not named */
};

/* The accounts that are sent for (accounts.c). */
struct og_account_list {
    struct og_account_state *first;
    struct og_account_state *chosen; /* the default one; NULL: lines must say */
    char *list;                      /* the account list as the broker gave it; NULL: not yet */
    bool asking;                     /* for it */
    int64_t next_ms;                 /* loop time: cancels wait for it until then; or when it is asked for again */
    struct og_error blind;           /* why the list, or an account, could not be read last; OG_OK: it could */
};

/* The lines that wait to be decided, in order (decide.c). */
struct og_line_queue {
    struct og_waiting *first, *last;
    size_t count, bytes;
};

/* What other processes wrote (others.c). */
struct og_peers {
    struct og_other *first; /* orders under way of other processes */
    struct og_order *order; /* the one that is read */
    int64_t taken;          /* the ledger's newest record that was taken in */
    int64_t next_ms;        /* loop time of the next look */
};

/* The policy in force (reload.c). */
struct og_policy_state {
    bool reads_pnl; /* a rule in force asks for it */
    bool reload_asked;
    int64_t look_ms; /* loop time of the next look at the policy's files */
    char *digest;
};

/* What the program was told, or is told once this turn is over (event.c). */
struct og_told {
    struct og_buf events; /* of this turn of the loop, a line each */
    int64_t seq;
    bool deaf;                       /* events cannot be written */
    bool refused, not_sent, unknown; /* outcomes, for the exit code */
};

/* The halt and the dead man's switch (guard.c). */
struct og_guard {
    enum og_trading halt;
    char halt_at[40];            /* of the flag that was told last, as og_halt.at */
    struct og_sentry *sentry;    /* looks at the halt flags, and at this loop, in a thread of its own */
    struct og_sentry_deed *deed; /* what it did meanwhile */
    int64_t alive_ms;            /* loop time of the newest line */
    bool dead;                   /* the dead man's switch has fired since */
};

/* Standstills of the process (pause.c). */
struct og_suspend {
    int64_t ticked_ms; /* loop time of the newest tick; 0: none */
    int64_t awake_ms;  /* the same; of the tick before, if the process stood still between the two */
    bool late;         /* the newest tick came late */
    uint64_t up_ns;    /* og_time_up() when the process was last seen to run; 0: not yet */
    uint64_t stood_ns; /* how long it stood still so far, sleeps of the machine included */
};

enum og_phase { OG_STARTING = 0, OG_RUNNING, OG_STOPPING, OG_ENDING };

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
    int quotes_fd;
    bool quotes_begun; /* they are read */

    struct og_source_file *file;
    int files, file_now;
    bool held;
    long long given; /* lines of og_sender_line() */

    struct og_account_list accounts;
    struct og_buf given_used; /* usedClientOrderIds of facts files, JSON, each followed by a comma */
    struct og_order_table *table;
    struct og_tracked *orders;
    int posting;  /* POSTs without an answer */
    bool renamed; /* the broker gave some order another id */

    struct og_line_queue lines;
    struct og_peers peers;
    struct og_policy_state policy;
    struct og_told told;
    struct og_guard guard;
    struct og_suspend suspend;

    enum og_phase phase;
    bool begun; /* the start went well */
    bool had_lines;
    bool wait_given; /* the user chose the wait */
    int fatal;       /* exit code of what ended the run; 0: nothing did */
    struct og_error fault;
    int64_t forecast_ms; /* loop time before which none is made */
    int64_t stop_ms;     /* loop time by which a stopped run ends */
    bool stopped;        /* what could be stopped was */
};

/* --- sender.c ----------------------------------------------------------------------------------------------------- */
int64_t og_send_ms(const struct og_sender *s); /* loop time */
/* Take a quote in, at the sender's clock. */
enum og_status og_send_quote(struct og_sender *s, const char *line, size_t len, struct og_error *err);
void og_send_say(struct og_sender *s, const char *format, ...) __attribute__((format(printf, 2, 3)));
/* End the run: nothing more is posted, what is in flight is followed for a while. */
void og_send_fatal(struct og_sender *s, int exit_code, const struct og_error *err);
void og_send_run(struct og_sender *s);  /* lines are decided from now on */
void og_send_wake(struct og_sender *s); /* look at everything in this turn of the loop */

/* --- pause.c ------------------------------------------------------------------------------------------------------ */
void og_send_pauses(struct og_sender *s); /* first in a tick */
void og_send_fresh(struct og_tracked *o); /* the order was decided just now */
/* Returns true if since og_send_fresh() the process stood still for longer than facts may be old. */
bool og_send_is_stale(const struct og_tracked *o);
/* Returns true if the loop time *until_ms has passed.  If it passed while the process stood still, it is moved once, a
 * moment ahead, so that what arrived meanwhile is heard first. */
bool og_send_is_past(const struct og_sender *s, int64_t *until_ms);

/* --- accounts.c --------------------------------------------------------------------------------------------------- */
void og_send_start(struct og_sender *s); /* the account list first */
/* The account of a line, set up when it is met; NULL: the keys do not reach it, or out of memory. */
struct og_account_state *og_send_account(struct og_sender *s, const char *id);
void og_send_account_step(struct og_account_state *a, enum og_account_step step);
void og_send_blind(struct og_account_state *a, const char *why); /* the account cannot be read */
void og_send_list_due(struct og_sender *s);                      /* once a tick */
bool og_send_may_post(const struct og_account_state *a, bool reduces);
void og_send_end_blind(struct og_sender *s); /* the exit code says that something was never read */

/* --- account.c ---------------------------------------------------------------------------------------------------- */
void og_send_account_open(struct og_account_state *a); /* its stream and its first reading */
/* Returns true if orders may be decided now; if not, begins what is missing. */
bool og_send_account_ready(struct og_account_state *a);
void og_send_account_look(struct og_account_state *a); /* begin a reading when one is due */
/* Returns false while the locates that a short sale may use are asked for. */
bool og_send_locates_known(struct og_account_state *a);
void og_send_account_free(struct og_account_state *a);

/* Something changed: the next reading does not wait until it is due. */
void og_send_account_dirty(struct og_account_state *a);
/* The account cannot be read: orders are decided by what is known, and no reading begins before that loop time. */
void og_send_account_stuck(struct og_account_state *a, int64_t again_ms);
void og_send_account_unstuck(struct og_account_state *a);

/* --- account_stream.c --------------------------------------------------------------------------------------------- */
enum og_status og_send_stream_open(struct og_account_state *a, struct og_error *err);
/* A change was learned by asking: a stream that then tells nothing is signed in to anew. */
void og_send_heard_elsewhere(struct og_account_state *a);
void og_send_stream_look(struct og_account_state *a); /* once a tick */

/* --- borrow.c ----------------------------------------------------------------------------------------------------- */
/* Returns true if the borrow check of the symbol has an answer or failed; if not, begins it. */
bool og_send_borrow_known(struct og_account_state *a, const char *symbol);
void og_send_borrow_free(struct og_account_state *a);

/* --- holders.c ---------------------------------------------------------------------------------------------------- */
/* Say that this ledger's senders send for the account.  Returns false if another ledger's do, and the run ends. */
bool og_send_hold_account(struct og_account_state *a);
void og_send_let_go(struct og_account_state *a);

/* --- decide.c ----------------------------------------------------------------------------------------------------- */
bool og_send_take_line(struct og_sender *s, struct og_origin origin, const char *bytes, size_t len);
void og_send_decide(struct og_sender *s);
void og_send_drop_lines(struct og_sender *s);                     /* those waiting become not-sent */
void og_send_free_lines(struct og_sender *s);                     /* the same, but nobody is told */
void og_send_put_back(struct og_sender *s, struct og_waiting *w); /* before all that wait */
int64_t og_send_decide_next(struct og_sender *s); /* loop time at which the budget lets the next one go */

/* --- others.c ----------------------------------------------------------------------------------------------------- */
void og_send_take_in(struct og_sender *s);     /* before a decision, inside its transaction */
void og_send_take_in_due(struct og_sender *s); /* once a tick */
/* Orders of other runs, when the account is set up by its first reading, which is taken in. */
void og_send_count_earlier(struct og_account_state *a, const struct og_reading *r);
/* Drop the reservations of other runs' orders that a reading begun then has. */
void og_send_drop_others(struct og_account_state *a, uint64_t began);
/* A list that was asked for then has that row. */
void og_send_other_listed(struct og_account_state *a, const struct og_order_row *row, uint64_t at);
/* Returns true if an order of another run with that id is counted with what it may take. */
bool og_send_is_held(struct og_account_state *a, struct og_str id);
/* Call once, when the ledger is open: what it holds so far is read by og_send_count_earlier().
 *   OG_ENOMEM, OG_ELEDGER */
enum og_status og_send_others_begin(struct og_sender *s, struct og_error *err);
void og_send_others_free(struct og_sender *s);

/* --- waivers.c ---------------------------------------------------------------------------------------------------- */
/* Tell the book which waivers count for the order being decided (s->order).  Returns false if none does. */
bool og_send_waive(struct og_account_state *a);
void og_send_unwaive(struct og_sender *s); /* that order was decided */

/* --- forecast.c --------------------------------------------------------------------------------------------------- */
void og_send_forecast(struct og_sender *s); /* once a tick */

/* --- track.c ------------------------------------------------------------------------------------------------------ */
/* Its outcome is to be told to that line, at that loop time as far as it is known then. */
void og_send_owe(struct og_tracked *o, struct og_origin origin, int64_t give_up_ms);
void og_send_hear_anew(struct og_tracked *o); /* what was heard of it so far was not of it */
/* A row of it.  adopt: from the answer to its POST. */
void og_send_take_row(struct og_tracked *o, const struct og_order_row *row, const char *source, bool adopt,
                      uint64_t at);
/* Whether the row is of somebody else's order under its id; the first time that is told. */
bool og_send_is_of_namesake(struct og_tracked *o, const struct og_order_row *row, const char *source);
/* A row of the broker; true when it was of an order of ours.  source: "stream", "lookup", "list"; at: its moment
 * (execution.h). */
bool og_send_row(struct og_account_state *a, const struct og_order_row *row, const char *source, uint64_t at);
/* Whether a row is of that account: it says so, or says nothing of accounts. */
bool og_send_is_of(const struct og_account_state *a, const struct og_order_row *row);
void og_send_event_of(struct og_tracked *o, enum og_event event, struct og_str text);
void og_send_settle(struct og_tracked *o);   /* tell its outcome when it is due */
void og_send_conclude(struct og_tracked *o); /* tell its outcome as far as it is known */
void og_send_give_up(struct og_sender *s);   /* those whose wait is over */
bool og_send_is_pending(const struct og_tracked *o);
/* Whether it was seen at work, and is proved absent since: how it ended is not known. */
bool og_send_is_gone(const struct og_tracked *o);
void og_send_adopt(struct og_tracked *o, const struct og_ledger_row *row); /* a person settled it */

/* --- post.c ------------------------------------------------------------------------------------------------------- */
/* What its POST is; takes over body. */
void og_send_post_is(struct og_tracked *o, char *body, size_t len, const char *digest, const struct og_order *order,
                     bool closes);
void og_send_post_recall(struct og_tracked *o); /* its body from the ledger, as far as that has it */
/* Its intent is in the ledger.  Returns false if that cannot be written. */
bool og_send_intend(struct og_tracked *o, bool again, struct og_error *err);
void og_send_post(struct og_tracked *o);
void og_send_post_stop(struct og_tracked *o); /* the run ends: no answer is waited for any more */

/* --- hold.c ------------------------------------------------------------------------------------------------------- */
void og_send_hold(struct og_tracked *o, og_ticket ticket);
void og_send_hold_seen(struct og_tracked *o, uint64_t at);
void og_send_hold_moved(struct og_tracked *o, enum og_state before); /* its state changed from `before` */
void og_send_unhold(struct og_tracked *o);                           /* as if it had never been held */
void og_send_drop_holds(struct og_account_state *a, uint64_t began); /* those that a reading begun then has */
void og_send_filled(struct og_account_state *a);                     /* some order filled just now */
/* Returns true if the order is over or gone and a reading begun then has all that became of it.  An order that may work
 * keeps what it may take reserved, whatever lists say, and counts once if they have it. */
bool og_send_is_in_facts(const struct og_tracked *o, uint64_t began);
uint64_t og_send_settle_ns(const struct og_sender *s); /* how long the figures of an account may lag its fills */
/* Let the book count what unknown orders of earlier runs may take. */
void og_send_claim_unknown(struct og_account_state *a);
void og_send_claim(struct og_tracked *o);                             /* the same for an order that was thought gone */
void og_send_drop_claims(struct og_account_state *a, uint64_t began); /* a reading that began then has them */

/* --- cancel.c ----------------------------------------------------------------------------------------------------- */
/* Do the cancel that the line asks for (s->order).  Returns false if the run ends. */
bool og_send_cancel_line(struct og_sender *s, struct og_account_state *a, const struct og_waiting *w);
/* Cancel an order for a line; over: the order is thought to be over and is only looked up.  Returns false if the run
 * ends. */
bool og_send_cancel_order(struct og_account_state *a, struct og_str id, struct og_origin origin,
                          struct og_waiting *after, bool over);
/* Have the order canceled, by as many DELETEs as that takes, until that loop time. */
void og_send_cancel(struct og_tracked *o, int64_t until_ms, bool urgent);
bool og_send_is_known(struct og_account_state *a, struct og_str id); /* an order of that id was heard of */
void og_send_know(struct og_account_state *a, struct og_str id);     /* so that the book knows of it too */
/* A row was taken; asked: it is what a look-up or a list just showed. */
void og_send_cancel_heard(struct og_tracked *o, enum og_order_status status, bool asked);
void og_send_cancel_due(struct og_sender *s);       /* once a tick */
void og_send_cancel_settle(struct og_tracked *o);   /* its lines are answered if the order is over */
void og_send_cancel_conclude(struct og_tracked *o); /* its lines are answered as far as it is known */
void og_send_cancel_stop(struct og_tracked *o);     /* the run ends: no DELETE's answer is waited for */
void og_send_cancel_free(struct og_tracked *o);

/* --- external.c --------------------------------------------------------------------------------------------------- */
/* An order that no run on this ledger made, followed from now on; NULL: it is ours, or of no interest. */
struct og_tracked *og_send_external(struct og_account_state *a, const struct og_order_row *row, bool listed);
void og_send_say_externals(struct og_account_state *a);
void og_send_set_external(struct og_tracked *o, bool external); /* whether somebody else made it */

/* --- positions.c -------------------------------------------------------------------------------------------------- */
/* Call with each row of an order before it is used; o: the followed order it is of, NULL: none. */
void og_send_moved(struct og_account_state *a, const struct og_tracked *o, const struct og_order_row *row);
void og_send_held(struct og_account_state *a, const cJSON *list); /* positions as a reading has them */
/* A good reading that began then is complete. */
void og_send_compare_positions(struct og_account_state *a, uint64_t began);
void og_send_position_pushed(struct og_account_state *a);
void og_send_look_at_positions(struct og_account_state *a); /* once a tick */
void og_send_positions_free(struct og_account_state *a);

/* --- emergency.c -------------------------------------------------------------------------------------------------- */
/* Cancel what that run made, and runs that are over, by a client of its own: from any thread. */
enum og_status og_send_cancel_apart(const struct og_send_options *options, const struct og_settings *settings,
                                    const char *run, int *asked, int *failed, struct og_error *err);

/* --- guard.c ------------------------------------------------------------------------------------------------------ */
enum og_status og_send_guard_begin(struct og_sender *s, struct og_error *err);
void og_send_guard_end(struct og_sender *s);
void og_send_guard(struct og_sender *s); /* early in a tick */
void og_send_look_for_halt(struct og_sender *s);
void og_send_alive(struct og_sender *s);                       /* a line was read */
const char *og_send_may_leave(void *tracked);                  /* an og_call_before_send */
int og_send_cancel_own(struct og_sender *s, int64_t until_ms); /* how many are canceled */

/* --- reload.c ----------------------------------------------------------------------------------------------------- */
/* The policy that a sender begins with; load it signed when the broker's settings demand that. */
enum og_status og_send_policy_begin(struct og_sender *s, struct og_error *err);
void og_send_reload_due(struct og_sender *s); /* between two orders: once a tick */
void og_send_on_reload(uv_async_t *async);    /* og_sender_reload() was called; data: the sender */

/* --- replace.c ---------------------------------------------------------------------------------------------------- */
bool og_send_is_replace(const struct og_sender *s, const struct og_waiting *w);
/* Takes the line, which is out of the queue; false: the run ends or a reading is waited for, and the line is back. */
bool og_send_replace(struct og_account_state *a, struct og_waiting *w);
void og_send_replace_after(struct og_tracked *o, const struct og_cancel_line *c,
                           const char *outcome); /* takes c->after */
/* On record: the line's order (s->order) takes the place of the one that it replaces, or will not after all.  Returns
 * false if that cannot be recorded, and the run ends. */
bool og_send_replaces(struct og_account_state *a, bool takes);
/* A line that replaces was refused by what is held and works, and by a reading that may count orders twice that were
 * acknowledged since: it is decided once more by a newer one, before the old order is canceled and after.  Returns true
 * if it is to wait for that. */
bool og_send_decides_again(struct og_account_state *a, struct og_waiting *w, const struct og_decision *d);
/* The order that took the place of the one that the line's (s->order) replaces, to be freed; NULL: none.  The book is
 * told too.  Returns false if the ledger cannot be read, or out of memory, and the run ends. */
bool og_send_replaced_by(struct og_account_state *a, char **by);
/* It did: the line is refused. */
void og_send_refuse_second(struct og_account_state *a, struct og_origin origin, char *by);

/* --- ask.c -------------------------------------------------------------------------------------------------------- */
void og_send_ask_soon(struct og_tracked *o, int64_t in_ms);
void og_send_ask_due(struct og_sender *s);
/* Whether lists lack it although it may work: it is looked up until an answer settles that. */
void og_send_ask_missing(struct og_tracked *o, bool missing);
/* A list was read: what may work and is not in it is looked up.  After a gap of the stream so are orders of somebody
 * else: they ended unseen. */
void og_send_ask_missed(struct og_account_state *a, bool over_gap);
int64_t og_send_ask_next(const struct og_sender *s); /* loop time of the next one */
/* What the run's clocks say of the moment when og_time_up() was `up`. */
struct og_absence_moment og_send_moment(struct og_sender *s, uint64_t up);
/* A good reading of the account came that began then, and the one before it; listed orders were already told. */
void og_send_account_was_good(struct og_account_state *a, uint64_t before, uint64_t at);

/* --- orders.c ----------------------------------------------------------------------------------------------------- */
struct og_order_table *og_orders_new(void);
void og_orders_free(struct og_order_table *t); /* not the orders */
struct og_tracked *og_orders_add(struct og_sender *s, struct og_account_state *a, struct og_str id); /* NULL: memory */
struct og_tracked *og_orders_find(struct og_sender *s, const struct og_account_state *a, struct og_str id);
/* By the id on a row: ours, an adopted one, or a rewritten one. */
struct og_tracked *og_orders_of_row(struct og_account_state *a, const struct og_order_row *row);
void og_orders_renamed(struct og_tracked *o); /* the broker may have given it another id */
void og_orders_remove(struct og_tracked *o);
size_t og_orders_hash(struct og_str id);

/* --- event.c ------------------------------------------------------------------------------------------------------ */
/* The decision as event and ledger row; false: it could not be recorded. */
bool og_send_tell_decision(struct og_sender *s, struct og_origin origin, const struct og_decision *d);
void og_send_tell_posted(struct og_tracked *o, const struct og_call_reply *reply, struct og_str status,
                         struct og_str text);
/* The stream was lost, and why, or is back. */
void og_send_tell_stream(struct og_account_state *a, bool up, const char *why);
void og_send_tell_update(struct og_tracked *o, const struct og_order_row *row, const char *source);
void og_send_tell_outcome(struct og_sender *s, struct og_origin origin, const char *account, const char *id,
                          const struct og_execution *execution, const char *outcome);
void og_send_write_absent(const struct og_tracked *o, struct og_buf *b);
void og_send_record_absent(struct og_tracked *o);
/* Call once, at the start.  A dry run opens a ledger that exists, and only reads it.
 *   OG_ELEDGER  it cannot be used, may vanish, or is damaged and nobody accepted that
 *   OG_ENOMEM */
enum og_status og_send_open_ledger(struct og_sender *s, struct og_error *err);
/* Record that a person accepts this damage of the ledger.  Returns false if the run cannot go on. */
bool og_send_record_damage(struct og_sender *s, const struct og_ledger_damage *damage);
/* The change of policy as event and ledger row; false: it could not be recorded. */
bool og_send_tell_policy(struct og_sender *s, const char *old, const char *new, const char *why);
/* A position that orders do not explain: held before, what orders of this run made of it, held now. */
void og_send_tell_position(struct og_account_state *a, const char *symbol, struct og_money before,
                           struct og_money by_orders, struct og_money after);
void og_send_tell_dead_man(struct og_sender *s, int canceled);
/* How a DELETE ended, as event and ledger row. */
void og_send_tell_cancel(struct og_tracked *o, struct og_origin origin, const struct og_call_reply *reply,
                         struct og_str status);
/* The outcome of a cancel: what became of the order that it names.  text: why, if the outcome does not say. */
void og_send_tell_cancel_outcome(struct og_sender *s, struct og_origin origin, const char *account, const char *id,
                                 const struct og_execution *execution, const char *outcome, const char *text);
/* A row of the ledger about an order; record as in ledger.h. */
bool og_send_record(struct og_tracked *o, const char *record, const char *outcome, struct og_str detail);
/* Into the ledger and out to the listener: once a turn of the loop. */
void og_send_flush(struct og_sender *s);

/* --- resume.c ----------------------------------------------------------------------------------------------------- */
/* og_time_up() when a record of that time was written; now, where that is not known or lies ahead. */
uint64_t og_send_up_at(struct og_sender *s, int64_t at);
/* What earlier runs left open for this account. */
void og_send_recover(struct og_account_state *a);
/* Another run means to post an order that is followed here: as somebody else's, since a line named it before anybody
 * made it, or as one that was not sent.  From then on it is an open order of the ledger. */
void og_send_meant(struct og_tracked *o, const struct og_ledger_row *intent);
enum og_resume { OG_RESUME_NEW = 0, OG_RESUME_DONE /* the line is dealt with */, OG_RESUME_AGAIN /* post it again */ };
/* The line's order (s->order) against the ledger. */
enum og_resume og_send_resume(struct og_account_state *a, struct og_origin origin, const char *digest);
/* An order of a run that ended meanwhile: followed from now on, as one of an earlier run, and its ticket taken over.
 * Returns false if that run goes on, or the order is followed already. */
bool og_send_inherit(struct og_account_state *a, struct og_str id, og_ticket ticket);
/* Where a run ends before it came to the line (s->order, whose body has the digest): tell the outcome that the ledger
 * knows of that order.  Returns false if it knows none. */
bool og_send_tell_known(struct og_sender *s, struct og_origin origin, const char *account, const char *digest);
/* An order that the ledger knows, followed from now on; NULL: it does not, or the run ends. */
struct og_tracked *og_send_from_ledger(struct og_account_state *a, struct og_str id);
/* The book learns that an id is used ({NULL, 0}: the fact alone). */
void og_send_used(struct og_account_state *a, struct og_str id);
