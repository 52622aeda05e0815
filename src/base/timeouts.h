/*
 * The time-outs and intervals of sender, broker client, streams, ledger and paper brokerage, and the relations that
 * must hold between them.  A name ends in its unit.  docs/sending.md ("Limits in time") explains the most important.
 */
#pragma once

#include "base/time.h"

/* --- One request to the broker ------------------------------------------------------------------------------------ */
#define OG_REQUEST_TIMEOUT_NS (10 * OG_NS_PER_S) /* time-out of one attempt, unless the caller sets another */
/* how long a call may wait in total for budgets and repetitions, unless the caller sets another time */
#define OG_REQUEST_WAIT_NS (30 * OG_NS_PER_S)
/* if a deadline is noticed later than this, the process was stopped for a while */
#define OG_REQUEST_LATE_MS 50
#define OG_RETRY_PAUSE_MS  250  /* pause before a read is repeated; doubled each time */
#define OG_BUSY_FIRST_MS   2000 /* longest pause after a first 429; doubled after each further one */
#define OG_BUSY_MOST_MS    60000
/* a shared budget that is closed for longer than this is implausible: such a budget counts as empty */
#define OG_BUDGET_PAUSE_MOST_NS (120 * OG_NS_PER_S)
/* a process that keeps a budget file locked for longer is assumed to be stopped */
#define OG_BUDGET_LOCKED_NS        OG_NS_PER_S
#define OG_CONNECTION_KEEP_MOST_MS 30000 /* after this the kernel drops a dead connection and its unsent bytes */
#define OG_CONNECTION_IDLE_MOST_S  60L   /* a connection unused for longer is not used again */

/* --- Locates ------------------------------------------------------------------------------------------------------ */
#define OG_SERVICE_OFFER_NS (30 * OG_NS_PER_S) /* how long the service keeps an offer open */
#define OG_LOCATE_OFFER_NS  (25 * OG_NS_PER_S) /* greatest age of an offer that we accept */
/* how long to wait for the offer of the sibling quote (reusable or single-use shares), which may be cheaper */
#define OG_LOCATE_SIBLING_NS (6 * OG_NS_PER_S)
/* how long to look for the effect of an accept: by then its offer has expired */
#define OG_LOCATE_CONFIRM_NS (30 * OG_NS_PER_S)
#define OG_LOCATE_WAIT_NS    (30 * OG_NS_PER_S) /* how long to wait for an offer */
#define OG_LOCATE_LOOK_NS    (2 * OG_NS_PER_S)  /* pause between two reads of the locate history */

/* --- Streams ------------------------------------------------------------------------------------------------------ */
#define OG_STREAM_CONNECT_S      10
#define OG_STREAM_OPEN_MS        10000 /* time-out of the connection and the answer to its upgrade */
#define OG_STREAM_HELLO_MS       10000 /* time-out of the service's first message */
#define OG_STREAM_SIGNED_MS      5000  /* time-out of CONNECTED after the keys were sent */
#define OG_STREAM_CONFIRMED_MS   2000  /* time-out of the subscription's acknowledgement */
#define OG_STREAM_PAUSE_FIRST_MS 500   /* pause before a lost stream is opened again; doubled each time */
#define OG_STREAM_PAUSE_MOST_MS  30000
#define OG_STREAM_PING_S         20 /* a stream silent for this long is pinged */
#define OG_STREAM_HANGUP_S       35 /* a stream silent for this long is closed */

/* --- What the sender reads of an account -------------------------------------------------------------------------- */
#define OG_START_WAIT_MS 15000 /* the first calls are repeated for this long, after 429s and failures */
#define OG_LIST_AGAIN_MS 3000  /* pause before the list of accounts is read again */
/* pause before the list of accounts is read again after an answer that refused the keys */
#define OG_KEYS_AGAIN_MS     2000
#define OG_KEYS_REFUSED_MOST 4 /* the run ends after this number of such answers in a row */
/* how long failed requests are repeated while an account is read: this long for the account's orders, and again this
 * long for its other documents */
#define OG_READ_WAIT_MS  15000
#define OG_READ_EXTRA_MS 2000 /* additional time for facts that may be missing (routes, locates, P&L) */
#define OG_READ_EVERY_MS 3000 /* pause between two readings of the account while lines are decided */
#define OG_READ_DIRTY_MS 600  /* after a change, pause before the account is read again */
#define OG_READ_OLD_MS   5000 /* facts older than this are read again before a decision, if possible */
/* pause between two reads of the routes; policies reject routes over an hour old */
#define OG_ROUTES_EVERY_MS 1200000
#define OG_LOCATES_OLD_MS  3000 /* pause between two reads of the locates while a short sale waits */
#define OG_BORROW_OLD_NS   UINT64_C(120000000000)
/* how far account figures lag fills at a real broker (E32, SEEN-11) */
#define OG_SETTLE_NS      INT64_C(2000000000)
#define OG_SETTLE_MOST_NS INT64_C(60000000000)
/* pause between readings of positions alone, while nothing but positions has to be read */
#define OG_POSITIONS_LOOK_MS 2000
#define OG_POSITIONS_IDLE_MS \
    10000 /* pause between readings of positions alone, if no line is decided and the stream is
           * silent */
/* when a position differs from the fills, this is reported after this time plus 3/2 of the settle lag */
#define OG_POSITION_LAG_NS UINT64_C(200000000)

/* --- Outcomes of orders ------------------------------------------------------------------------------------------- */
#define OG_FIRST_LOOK_MS        50   /* first look-up: an asynchronous rejection shows within about 50 ms (CON-9) */
#define OG_FIRST_LOOK_STREAM_MS 1000 /* first look-up with a stream, which reports the order sooner */
#define OG_LOOK_WAIT_MS         5000 /* time-out of one look-up */
#define OG_LOOK_EARLY_MS        500  /* pause between the first look-ups */
#define OG_LOOK_LATER_MS        1000 /* pause between later look-ups */
/* pause between look-ups if there is a stream, after many look-ups, or of a working order without a stream */
#define OG_LOOK_SELDOM_MS 2000
/* longest pause between look-ups of an order whose id is also the id of another program's order */
#define OG_LOOK_RARE_MS           60000
#define OG_LOOK_WORKING_STREAM_MS 10000 /* pause between look-ups of a working order, with a stream */
#define OG_DEAF_MS \
    3000                      /* a stream that has missed changes for this long counts as broken, not as
                               * late */
#define OG_AFTER_LOSS_MS 2000 /* an order is looked up for at least this long after its answer was lost */
/* an order may be registered this long after its POST; only after that time can it be proved absent */
#define OG_ABSENT_NS INT64_C(60000000000)
/* of a time between two successful readings, at most this much counts towards the proof of absence */
#define OG_ABSENT_GAP_NS        UINT64_C(10000000000)
#define OG_RECOVER_MS           90000 /* how long a run with --recover waits for outcomes */
#define OG_REGISTERS_MS         1000  /* an order that is still PendingNew is canceled after this */
#define OG_READ_BACK_MS         50    /* pause before the look-up after a cancel was accepted */
#define OG_READ_BACK_STREAM_MS  1000
#define OG_CANCEL_AGAIN_MS      500 /* pause before a failed cancel is repeated, times the number of failures so far */
#define OG_CANCEL_AGAIN_MOST_MS 5000
/* a cancel that waits this long is reported; the budget alone never makes a cancel wait this long */
#define OG_CANCEL_TELL_MS 400
#define OG_CANCEL_WAIT_MS 2000 /* longest that a cancel waits for the first reading of the accounts */
#define OG_CANCEL_WAIT_NS (UINT64_C(1000000) * OG_CANCEL_WAIT_MS)
#define OG_CANCEL_READ_NS UINT64_C(5000000000)  /* longest that a cancel waits later on for a new list of orders */
#define OG_CANCEL_ENDS_NS UINT64_C(10000000000) /* longest that an order waits for the end of a cancel */
/* longest that an order which only closes waits for newer facts, if the present ones accept it */
#define OG_CLOSE_WAIT_NS UINT64_C(5000000000)

/* --- The sender's loop, and its watchers -------------------------------------------------------------------------- */
#define OG_TICK_MOST_MS 500                     /* longest time between two ticks */
#define OG_TICK_LATE_MS (OG_TICK_MOST_MS + 250) /* if a tick is later, the process or machine was suspended */
/* how long after a suspension answers are read and facts requested again */
#define OG_ANEW_MS 2000
/* an order is not posted if it was decided longer ago than this: the facts of the decision are too old by then */
#define OG_STALE_NS (UINT64_C(1000000) * OG_READ_OLD_MS)
/* a greater difference between the broker's Date and the machine's clock is reported */
#define OG_CLOCK_OFF_NS     (2 * OG_NS_PER_S)
#define OG_STUCK_MS         (OG_TICK_MOST_MS + 300) /* the loop is stuck if it has run no iteration for this long */
#define OG_SENTRY_LOOK_MS   100                     /* interval at which the sentry reads the halt flags */
#define OG_SENTRY_LATE_MS   250                     /* if the interval was longer, the whole process was suspended */
#define OG_SENTRY_LEAVES_MS 500  /* how long the answer to a halt waits for an order that may be leaving */
#define OG_SENTRY_ASKED_MS  200  /* how long a connected `ordergate halt` may take to send its request */
#define OG_SENTRY_STATUS_MS 2000 /* how long the answer to `ordergate status` waits for the loop's snapshot */
#define OG_INPUT_LOOK_MS    100  /* interval at which an input file is read again, since its writer may append to it */
#define OG_RELOAD_LOOK_MS   1000 /* interval at which a policy's files are checked */
#define OG_PEERS_LOOK_MS    250  /* interval at which the ledger is read for orders of other processes */
#define OG_PEERS_ENDED_MS   2000 /* interval of the check whether the run of a working order has ended */
/* if the lists lack an order of another run: how long that run, if alive, has to record the order's end */
#define OG_PEERS_TELL_NS (UINT64_C(10) * OG_NS_PER_S)
/* how long `ordergate halt --cancel-own` waits for a sender that has an order which waits to be posted: meanwhile the
 * sender ends the order, or reports that it was sent */
#define OG_WITHDRAW_WAIT_NS  (UINT64_C(10) * OG_NS_PER_S)
#define OG_HELD_TELL_NS      OG_NS_PER_S /* a wait that lasts this long without an event is reported */
#define OG_HELD_LOOK_MS      250         /* interval at which waits are checked */
#define OG_FORECAST_LOOK_MS  1000
#define OG_FORECAST_EVERY_MS 60000 /* pause between two reported forecasts */
#define OG_INTAKE_CLOSE_MS   1000  /* how long the end of a run waits for writers to read their last answers */
#define OG_NOTIFY_STATUS_MS  1000  /* pause between two texts for the service manager */
#define OG_STOP_MS           10000 /* how long a stopped run follows its orders */

/* --- The ledger --------------------------------------------------------------------------------------------------- */
#define OG_LEDGER_BUSY_MS 10000 /* how long to wait while another process holds the ledger */
/* how long to wait once such a wait has failed, until one succeeds: a run that ends has many records to write, and must
 * not wait long for each */
#define OG_LEDGER_BUSY_AGAIN_MS 20
/* how long a sender's loop waits for a ledger that another process holds; after that, orders are queued */
#define OG_LEDGER_LOOP_MS  250
#define OG_LEDGER_AGAIN_MS 100  /* pause before the sender tries to write the ledger again */
#define OG_LEDGER_KEEP_MS  1000 /* longest time that events are held back until their records are written */

/* --- Serving: the paper brokerage, the console -------------------------------------------------------------------- */
#define OG_CONN_HEAD_S     10  /* time-out of the head or body of a request */
#define OG_CONN_IDLE_S     600 /* a kept-alive connection may be idle this long */
#define OG_CONN_CLOSE_S    3   /* how long to wait for the peer to close the connection after we asked it to */
#define OG_SERVE_STOP_S    3   /* how long a stopping service sends its last answers and close frames */
#define OG_CONSOLE_LOOK_NS UINT64_C(1000000000) /* the console asks the sender at most this often */
#define OG_CONSOLE_WAIT_MS 1000 /* how long the console waits for the sender's snapshot, and serves nobody meanwhile */
#define OG_CONSOLE_IDLE_S  30   /* a kept-alive connection to the console may be idle this long */
#define OG_CONSOLE_STALL_S 10   /* a client of the console's events may stop reading for this long */

/* --- Relations between these times, and the rates of endpoints ---------------------------------------------------- */
enum {
#define OG_ENDPOINT(id, method, name, path, rate, burst, limits) OG_RATE_##id = (rate),
#include "base/endpoints.def"
#undef OG_ENDPOINT
};
_Static_assert(OG_CONNECTION_KEEP_MOST_MS *INT64_C(1000000) < OG_ABSENT_NS,
               "a POST cannot arrive after its absence was proved");
_Static_assert(OG_CONNECTION_KEEP_MOST_MS *INT64_C(1000000) + (int64_t)OG_ABSENT_GAP_NS < OG_ABSENT_NS,
               "nor if the machine slept meanwhile, and its kernel with it");
_Static_assert(OG_READ_EVERY_MS *UINT64_C(1000000) < OG_ABSENT_GAP_NS, "readings that succeed leave no gap");
_Static_assert(OG_RECOVER_MS *INT64_C(1000000) >
                   OG_ABSENT_NS + OG_LOOK_WAIT_MS * INT64_C(1000000) + OG_REQUEST_TIMEOUT_NS,
               "--recover outlasts the proof of absence and the look-up that ends it");
_Static_assert(OG_READ_EVERY_MS < OG_READ_OLD_MS, "facts are read again before they are too old");
_Static_assert(OG_READ_DIRTY_MS *OG_RATE_ORDERS > 1000, "readings after changes keep to the rate of GET orders");
_Static_assert(OG_CLOSE_WAIT_NS > OG_READ_DIRTY_MS * UINT64_C(1000000),
               "a close is decided by a new reading where the broker answers soon");
_Static_assert(OG_LIST_AGAIN_MS *OG_RATE_ACCOUNTS > 1000 && OG_KEYS_AGAIN_MS * OG_RATE_ACCOUNTS > 1000,
               "so does asking for the accounts again");
_Static_assert(OG_ROUTES_EVERY_MS + 2 * (OG_READ_WAIT_MS + OG_REQUEST_TIMEOUT_NS / INT64_C(1000000)) < 3600 * 1000,
               "routes are read again before shipped policies take them for too old");
_Static_assert(OG_LOCATES_OLD_MS < 10 * 1000, "and locates");
_Static_assert(OG_TICK_LATE_MS > OG_TICK_MOST_MS && OG_STUCK_MS > OG_TICK_LATE_MS,
               "a loop in time is neither late nor stuck");
_Static_assert(OG_SENTRY_LOOK_MS < OG_SENTRY_LATE_MS && OG_SENTRY_LATE_MS < OG_STUCK_MS,
               "a standstill is noticed before a loop counts as stuck");
_Static_assert(OG_LOCATE_OFFER_NS < OG_SERVICE_OFFER_NS && OG_LOCATE_SIBLING_NS < OG_LOCATE_OFFER_NS,
               "an offer is accepted while it stands");
_Static_assert(OG_LOCATE_CONFIRM_NS >= OG_SERVICE_OFFER_NS, "an accept without effect has expired");
_Static_assert(OG_STREAM_PING_S < OG_STREAM_HANGUP_S, "a silent stream is asked before it is given up");
_Static_assert(OG_STREAM_OPEN_MS >= 1000 * OG_STREAM_CONNECT_S, "the connection is part of opening a stream");
_Static_assert(OG_CONNECTION_IDLE_MOST_S < OG_CONN_IDLE_S,
               "the client drops an idle connection before the paper brokerage does");
