/*
 * The time-outs and intervals of sender, broker client, streams, ledger and paper brokerage, and what must hold between
 * them.  The ending of a name is its unit.  docs/sending.md says what they are for.
 */
#pragma once

#include "base/time.h"

/* --- One request to the broker ------------------------------------------------------------------------------------ */
#define OG_REQUEST_TIMEOUT_NS      (10 * OG_NS_PER_S) /* of one attempt, unless the caller says otherwise */
#define OG_REQUEST_WAIT_NS         (30 * OG_NS_PER_S) /* for budgets and repetitions, likewise */
#define OG_REQUEST_LATE_MS         50  /* a deadline checked this late means that the process was stopped for a while */
#define OG_RETRY_PAUSE_MS          250 /* before a read is repeated, doubled each time */
#define OG_BUSY_FIRST_MS           2000 /* after a 429 at most; doubled with each in a row */
#define OG_BUSY_MOST_MS            60000
#define OG_BUDGET_PAUSE_MOST_NS    (120 * OG_NS_PER_S) /* a shared budget that is closed for longer is not ours */
#define OG_BUDGET_LOCKED_NS        OG_NS_PER_S /* a budget file locked for longer is held by a stopped process */
#define OG_CONNECTION_KEEP_MOST_MS 30000       /* the kernel gives up a dead connection, and what is unsent on it */
#define OG_CONNECTION_IDLE_MOST_S  60L         /* a connection unused for longer is not used again */

/* --- Locates ------------------------------------------------------------------------------------------------------ */
#define OG_SERVICE_OFFER_NS  (30 * OG_NS_PER_S) /* an offer stands so long at the service */
#define OG_LOCATE_OFFER_NS   (25 * OG_NS_PER_S) /* it is accepted no later */
#define OG_LOCATE_SIBLING_NS (6 * OG_NS_PER_S)  /* how long to wait for a sibling's offer, which may be cheaper */
#define OG_LOCATE_CONFIRM_NS (30 * OG_NS_PER_S) /* an accept that had no effect has expired by then */
#define OG_LOCATE_WAIT_NS    (30 * OG_NS_PER_S) /* for an offer */
#define OG_LOCATE_LOOK_NS    (2 * OG_NS_PER_S)  /* between two looks at the history */

/* --- Streams ------------------------------------------------------------------------------------------------------ */
#define OG_STREAM_CONNECT_S      10
#define OG_STREAM_OPEN_MS        10000 /* for the connection and the answer to its upgrade */
#define OG_STREAM_HELLO_MS       10000 /* for the service's first message */
#define OG_STREAM_SIGNED_MS      5000  /* for CONNECTED after the keys were sent */
#define OG_STREAM_CONFIRMED_MS   2000  /* for an acknowledgement of the subscription */
#define OG_STREAM_PAUSE_FIRST_MS 500   /* before it is opened again, doubled each time */
#define OG_STREAM_PAUSE_MOST_MS  30000
#define OG_STREAM_PING_S         20 /* a silent stream is pinged */
#define OG_STREAM_HANGUP_S       35 /* and given up */

/* --- What the sender reads of an account -------------------------------------------------------------------------- */
#define OG_START_WAIT_MS            15000   /* for 429s and failures of the first calls */
#define OG_LIST_AGAIN_MS            3000    /* before the list of accounts is asked for again */
#define OG_READ_WAIT_MS             15000   /* for one reading */
#define OG_READ_EVERY_MS            3000    /* while lines are decided */
#define OG_READ_DIRTY_MS            600     /* after a change */
#define OG_READ_OLD_MS              5000    /* facts older than this are not decided by while newer can be had */
#define OG_ROUTES_EVERY_MS          1200000 /* shipped policies take routes of an hour for too old */
#define OG_LOCATES_OLD_MS           3000    /* and locates of ten seconds; asked for while a short sale waits */
#define OG_BORROW_OLD_NS            UINT64_C(120000000000)
#define OG_SETTLE_NS                UINT64_C(2000000000) /* account figures lag fills at a real broker (SEEN-11) */
#define OG_POSITIONS_LOOK_MS        2000                 /* while nothing else wants a reading */
#define OG_POSITIONS_IDLE_MS        10000 /* when nobody asks for anything, and the stream told nothing */
#define OG_POSITION_LAG_NS          UINT64_C(3000000000) /* between hearing of a fill and of its position */
#define OG_POSITION_LAG_LOOPBACK_NS UINT64_C(200000000)

/* --- What became of an order -------------------------------------------------------------------------------------- */
#define OG_FIRST_LOOK_MS          50    /* an asynchronous rejection shows within about 50 ms (CON-9) */
#define OG_FIRST_LOOK_STREAM_MS   1000  /* the stream tells of it */
#define OG_LOOK_WAIT_MS           5000  /* for one look-up */
#define OG_LOOK_EARLY_MS          500   /* between the first look-ups */
#define OG_LOOK_LATER_MS          1000  /* and later ones */
#define OG_LOOK_SELDOM_MS         2000  /* with a stream, after many look-ups, and while it works */
#define OG_LOOK_WORKING_STREAM_MS 10000 /* while it works, with a stream */
#define OG_DEAF_MS                3000  /* a stream that told nothing for so long may not only be late */
#define OG_AFTER_LOSS_MS          2000  /* at least this long is asked after an answer was lost */
#define OG_ABSENT_NS \
    INT64_C(60000000000) /* an order may be registered so much later than its POST; then absence is proved */
#define OG_RECOVER_MS           90000 /* --recover waits */
#define OG_REGISTERS_MS         1000  /* an order that is PendingNew for longer is canceled as it is */
#define OG_READ_BACK_MS         50    /* after a cancel was taken */
#define OG_READ_BACK_STREAM_MS  1000
#define OG_CANCEL_AGAIN_MS      500 /* times the cancels that failed */
#define OG_CANCEL_AGAIN_MOST_MS 5000
#define OG_CANCEL_WAIT_MS       2000 /* at the start, accounts that are being read delay a cancel no longer */
#define OG_CANCEL_WAIT_NS       (UINT64_C(1000000) * OG_CANCEL_WAIT_MS)
#define OG_CANCEL_READ_NS       UINT64_C(5000000000) /* later on, nor does a new list of orders */

/* --- The sender's loop, and who watches it ------------------------------------------------------------------------ */
#define OG_TICK_MOST_MS 500                     /* between two ticks */
#define OG_TICK_LATE_MS (OG_TICK_MOST_MS + 250) /* more between two ticks is a standstill */
#define OG_ANEW_MS      2000 /* after a standstill: for the answers that came meanwhile, and for asking once more */
#define OG_STALE_NS      \
    (UINT64_C(1000000) * \
     OG_READ_OLD_MS) /* an order decided so long before it leaves does not leave: as old as facts may be */
#define OG_STUCK_MS          (OG_TICK_MOST_MS + 300) /* a loop that did not turn for so long */
#define OG_SENTRY_LOOK_MS    100                     /* at the halt flags */
#define OG_SENTRY_LATE_MS    250  /* between two looks; more is a standstill of the process, not of its loop */
#define OG_SENTRY_LEAVES_MS  500  /* how long an answer waits for an order that may be leaving */
#define OG_SENTRY_ASKED_MS   200  /* how long a question is waited for once somebody is there */
#define OG_INPUT_LOOK_MS     100  /* at a file that may grow */
#define OG_RELOAD_LOOK_MS    1000 /* at the files of a policy */
#define OG_PEERS_LOOK_MS     250  /* at the ledger, for other processes' orders */
#define OG_PEERS_TELL_NS     (UINT64_C(10) * OG_NS_PER_S) /* so soon its own run tells of what lists lack */
#define OG_FORECAST_LOOK_MS  1000
#define OG_FORECAST_EVERY_MS 60000 /* between two forecasts that are told */
#define OG_STOP_MS           10000 /* a run that is stopped follows its orders so long */

/* --- The ledger --------------------------------------------------------------------------------------------------- */
#define OG_LEDGER_BUSY_MS       10000 /* how long another process may hold it */
#define OG_LEDGER_BUSY_AGAIN_MS 20    /* once it was waited for in vain: the end of a run is many records */

/* --- The paper brokerage ------------------------------------------------------------------------------------------ */
#define OG_CONN_HEAD_S  10  /* for the head or body of a request to arrive */
#define OG_CONN_IDLE_S  600 /* a kept-alive connection may stay so long without a request */
#define OG_CONN_CLOSE_S 3   /* for the peer to close after it was asked to */
#define OG_PAPER_STOP_S 3   /* for answers and close frames to be sent when the service stops */

/* --- What must hold between them, and the rates of endpoints ------------------------------------------------------ */
enum {
#define OG_ENDPOINT(id, method, name, paper, path, rate, burst, limits) OG_RATE_##id = (rate),
#include "base/endpoints.def"
#undef OG_ENDPOINT
};
_Static_assert(OG_CONNECTION_KEEP_MOST_MS *INT64_C(1000000) < OG_ABSENT_NS,
               "a POST cannot arrive after its absence was proved");
_Static_assert(OG_RECOVER_MS *INT64_C(1000000) >
                   OG_ABSENT_NS + OG_LOOK_WAIT_MS * INT64_C(1000000) + OG_REQUEST_TIMEOUT_NS,
               "--recover outlasts the proof of absence and the look-up that ends it");
_Static_assert(OG_READ_EVERY_MS < OG_READ_OLD_MS, "facts are read again before they are too old");
_Static_assert(OG_READ_DIRTY_MS *OG_RATE_ORDERS > 1000, "readings after changes keep to the rate of GET orders");
_Static_assert(OG_LIST_AGAIN_MS *OG_RATE_ACCOUNTS > 1000, "so does asking for the accounts again");
_Static_assert(OG_ROUTES_EVERY_MS + OG_READ_WAIT_MS < 3600 * 1000,
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
