/*
 * The paper brokerage as one object: clock, market, accounts, key pairs, streams, faults and database. It is used by
 * one thread, and has no global variables.
 */
#pragma once

#include "base/endpoints.h"
#include "paper/account.h"
#include "paper/clock.h"
#include "paper/market.h"
#include "paper/order.h"
#include "paper/scenario_file.h"

struct og_paper_bucket {
    int64_t tokens; /* tokens in billionths: at a rate of 1/s, one nanosecond adds one billionth */
    int64_t filled; /* time of the last refill, by the service's clock; 0: there was none */
};

struct og_paper_key {
    struct og_str id, secret;
    struct og_paper_account **accounts;
    size_t count;
    const struct og_paper *service;
    bool disabled; /* the key cannot be used to sign in */
    struct og_paper_bucket buckets[OG_ENDPOINTS];
    struct og_paper_key *next;
};

/* How long the service needs for each step, in nanoseconds of its own clock. */
struct og_paper_delays {
    int64_t acknowledge, reject, fill, cancel, legs, hello;
    int64_t known;  /* from the placement of an order until it can be looked up and canceled */
    int64_t record; /* from the end of a position until it has its record */
    int64_t pnl;    /* until a lot has a P&L row again after a fill changed it */
    /* offer: until a locate is offered; credit: until a credit is complete; fee: until the cash ledger shows a locate's
     * cost */
    int64_t offer, credit, fee;
};

/* The buying power that short options and working orders use; ratios are in millionths. */
struct og_paper_margin {
    int64_t naked, least;
    bool working;
};

/* Choices that the service's document leaves open: the scenario's `switches`, explained in scenario_settings.c. */
struct og_paper_switches {
    bool accepted, gzip, bare_inventory, bare_routes, early_subset, r78_text, r95_positions, duplicate_replaces, asleep;
    /* each is the index of the chosen word; 0 is the default */
    int late_rejections, strict_sides, four_leg_refusal, typed_envelope, clean_pushes, cash_expiry;
    struct og_str placeholder;
};

/* Charges of a fill: commission per share and per contract, and the fee as a fraction of a sale's proceeds. */
struct og_paper_rates {
    int64_t share, contract, sale;
};

/* An endpoint's rate (requests a second) and burst. burst 0: requests are not limited. */
struct og_paper_limit {
    int64_t rate, burst;
};

/* A set of days of New York's calendar, as days since 1970-01-01. */
struct og_paper_days {
    const int64_t *day;
    size_t count;
};

/* Returns when the exchange closes on a day of New York's calendar (yyyymmdd): ns since midnight; 0 if it is a weekday
 * without a session. What it says about weekends is not used. */
typedef int64_t og_paper_exchange(int date);

struct og_paper_options {
    struct og_str prefix; /* how the names of the key headers begin, such as "SVC" */
    struct og_str clock;  /* the clock to use; .s NULL means the scenario's clock */
    /* the calendar: `exchange` or `weekdays`; .s NULL means the scenario's */
    struct og_str calendar;
    og_paper_exchange *exchange; /* for the calendar `exchange` */
    bool control, no_rate_limits, seeded;
    uint64_t seed; /* the seed, if `seeded` is true; otherwise the scenario's seed is used */
};

struct og_paper_db;
struct og_paper_replay;
struct og_paper_random_walk;
struct og_paper_hub;
struct og_paper_faults;
struct og_paper_log;

struct og_paper {
    struct og_paper_options options;
    struct og_paper_delays delays;
    struct og_paper_switches switches;
    struct og_paper_margin margin;
    struct og_paper_limit limits[OG_ENDPOINTS];
    const struct og_route_info *routes; /* the table has the routes of paper accounts first */
    size_t paper_routes, route_count;
    og_paper_exchange *exchange;                 /* NULL: every weekday has a full session */
    struct og_paper_days holidays, early_closes; /* of the scenario, besides those of the exchange */
    struct og_paper_replay *replay;              /* the replay of quotes; NULL if there is none */
    struct og_paper_random_walk *walks;
    struct og_arena arena; /* memory of objects that live as long as the service: symbols, orders, ids */
    struct og_paper_clock clock;
    struct og_paper_market market;
    struct og_paper_account *accounts; /* in the sequence in which they were added */
    struct og_paper_key *keys;
    struct og_paper_order *changed; /* orders whose changes are not in the database yet */
    struct og_paper_rates rates;
    int64_t orders, lots, ids, mlegs, trades, locates, cash_rows; /* the number that was given out last, of each kind */
    int64_t traces; /* the last trace id that was given out; counts from 0 in every run */
    struct og_paper_timer session;
    int64_t session_at;       /* time up to which opens and closes of sessions were processed */
    struct og_paper_hub *hub; /* the streams */
    struct og_paper_faults *faults;
    struct og_paper_log *log; /* the request log */
    struct og_paper_db *db;   /* the database; NULL without --db */
    bool failed;              /* the database failed: no request may be answered any more */
};

/* Set up the service according to a scenario (paper/scenario.h). p->db stays NULL; listener may be NULL.
 *   OG_OK      continue with og_paper_db_open() if a database is wanted, then og_paper_start()
 *   OG_ESYNTAX the scenario is wrong: listener was called for each diagnostic, err has the first
 *   OG_EIO, OG_ENOENT  a file cannot be read
 *   OG_ENOMEM
 * Call og_paper_clear() in every case. */
enum og_status og_paper_init(struct og_paper *p, const struct og_paper_options *options,
                             const struct og_paper_source *scenario, og_diagnostic_listener *listener, void *with,
                             struct og_error *err);
/* Start the service: give new accounts their positions, begin replays and random walks.  Returns false if out of
 * memory. */
bool og_paper_start(struct og_paper *p);
void og_paper_clear(struct og_paper *p);

/* Store all changes, before an answer or frame shows them.  Returns false if the database failed, now or before; the
 * service must then stop. */
bool og_paper_store(struct og_paper *p);
