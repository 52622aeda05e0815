/*
 * The paper brokerage as one thing: its clock, market, accounts, key pairs, streams, faults and database.
 * One thread runs it; nothing in here is global.
 */
#ifndef OG_PAPER_PAPER_H
#define OG_PAPER_PAPER_H

#include "paper/account.h"
#include "paper/clock.h"
#include "paper/market.h"
#include "paper/order.h"
#include "paper/scenario_file.h"

#define OG_PAPER_ENDPOINTS 32

struct og_paper_bucket {
    int64_t tokens; /* billionths: what a nanosecond gains at 1/s */
    int64_t filled; /* monotonic ns */
};

struct og_paper_key {
    struct og_str id, secret;
    struct og_paper_account **accounts;
    size_t count;
    const struct og_paper *service;
    bool disabled; /* it signs in to nothing */
    struct og_paper_bucket buckets[OG_PAPER_ENDPOINTS];
    struct og_paper_key *next;
};

/* How long the service takes, on its clock. */
struct og_paper_delays {
    int64_t acknowledge, reject, fill, cancel, legs, hello;
    int64_t known;              /* until an order can be looked up and canceled */
    int64_t record;             /* of a closed position */
    int64_t pnl;                /* until a lot that a fill changed has its P&L row */
    int64_t offer, credit, fee; /* of a locate; its credit; until the ledger shows what it cost */
};

/* What positions and orders tie up of buying power; shares in millionths of one. */
struct og_paper_margin {
    int64_t naked, least;
    bool working;
};

/* Where the service's document leaves room; each as the scenario's `switches` say (world.c has their meaning). */
struct og_paper_switches {
    bool accepted, gzip, bare_inventory, bare_routes, early_subset, r78_text, r95_positions, duplicate_replaces, asleep;
    /* words; 0 the default */
    int late_rejections, strict_sides, four_leg_refusal, typed_envelope, clean_pushes, cash_expiry;
    struct og_str placeholder;
};

/* What a fill costs: commission a share and a contract, and the part of what a sale brings that goes to others. */
struct og_paper_rates {
    int64_t share, contract, sale;
};

/* Requests a second of an endpoint, and how many at once; burst 0: as the service's document says. */
struct og_paper_limit {
    int64_t rate, burst;
};

/* Days since 1970-01-01 of New York's calendar. */
struct og_paper_days {
    const int64_t *day;
    size_t count;
};

struct og_paper_options {
    struct og_str prefix; /* of the header names: "SVC" */
    struct og_str clock;  /* s NULL: the scenario's */
    bool control, no_rate_limits, seeded;
    uint64_t seed; /* where seeded, else the scenario's */
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
    struct og_paper_limit limits[OG_PAPER_ENDPOINTS];
    const struct og_wire_route *routes; /* those of paper accounts first */
    size_t paper_routes, route_count;
    struct og_paper_days holidays, early_closes;
    struct og_paper_replay *replay; /* NULL: none */
    struct og_paper_random_walk *walks;
    struct og_arena arena; /* what lives as long as the service: symbols, orders, ids */
    struct og_paper_clock clock;
    struct og_paper_market market;
    struct og_paper_account *accounts; /* in the order they were made */
    struct og_paper_key *keys;
    struct og_paper_order *changed; /* not yet in the database */
    struct og_paper_rates rates;
    int64_t orders, lots, ids, mlegs, trades, locates, cash_rows; /* numbers given out */
    int64_t traces;                                               /* the same, but begun anew at every start */
    struct og_paper_timer session;
    int64_t session_at;       /* up to when sessions were opened and closed */
    struct og_paper_hub *hub; /* streams */
    struct og_paper_faults *faults;
    struct og_paper_log *log; /* of requests; NULL without --control */
    struct og_paper_db *db;   /* NULL without --db */
    bool failed;              /* the database did: nothing may be answered any more */
};

/* Set up with the world of a scenario (paper/scenario.h).  p->db stays NULL; listener may be NULL.
 *   OG_OK      og_paper_start() may follow, after og_paper_db_open() where a database is wanted
 *   OG_ESYNTAX listener has heard of everything that is wrong with the scenario; err has the first
 *   OG_EIO, OG_ENOENT  a file cannot be read
 *   OG_ENOMEM
 * og_paper_clear() follows in every case. */
enum og_status og_paper_init(struct og_paper *p, const struct og_paper_options *options,
                             const struct og_paper_source *scenario, og_paper_listener *listener, void *with,
                             struct og_error *err);
/* The world begins to move: positions of accounts that are new are there, replays and walks run.  false: out of
 * memory. */
bool og_paper_start(struct og_paper *p);
void og_paper_clear(struct og_paper *p);

/* Write what changed, before anybody is told.  false: the database failed, now or before; the service must stop. */
bool og_paper_store(struct og_paper *p);

#endif
