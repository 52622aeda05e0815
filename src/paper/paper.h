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

#define OG_PAPER_ENDPOINTS 32

struct og_paper_bucket {
    int64_t tokens; /* thousandths */
    int64_t filled; /* monotonic ns */
};

struct og_paper_key {
    struct og_str id, secret;
    struct og_paper_account **accounts;
    size_t count;
    struct og_paper_bucket buckets[OG_PAPER_ENDPOINTS];
    struct og_paper_key *next;
};

/* How long the service takes, on its clock. */
struct og_paper_delays {
    int64_t acknowledge, fill, cancel, legs, hello;
    int64_t record;             /* of a closed position */
    int64_t offer, credit, fee; /* of a locate; its credit; until the ledger shows what it cost */
};

/* What a fill costs: commission a share and a contract, and the part of what a sale brings that goes to others. */
struct og_paper_rates {
    int64_t share, contract, sale;
};

struct og_paper_options {
    struct og_str prefix; /* of the header names: "SVC" */
    bool control, no_rate_limits;
    uint64_t seed;
};

struct og_paper_db;
struct og_paper_hub;
struct og_paper_faults;
struct og_paper_log;

struct og_paper {
    struct og_paper_options options;
    struct og_paper_delays delays;
    struct og_arena arena; /* what lives as long as the service: symbols, orders, ids */
    struct og_paper_clock clock;
    struct og_paper_market market;
    struct og_paper_account *accounts; /* in the order they were made */
    struct og_paper_key *keys;
    struct og_paper_order *changed; /* not yet in the database */
    struct og_paper_rates rates;
    int64_t orders, lots, ids, mlegs, trades, locates, cash_rows; /* numbers given out */
    int64_t traces; /* the same, but begun anew at every start */
    struct og_paper_timer session;
    int64_t session_at;             /* up to when sessions were opened and closed */
    struct og_paper_hub *hub;       /* streams */
    struct og_paper_faults *faults;
    struct og_paper_log *log;       /* of requests; NULL without --control */
    struct og_paper_db *db;         /* NULL without --db */
    bool failed;                    /* the database did: nothing may be answered any more */
};

/* Set up with the default world on that clock.  p->db stays NULL. */
bool og_paper_init(struct og_paper *p, const struct og_paper_options *options, struct og_str clock);
void og_paper_clear(struct og_paper *p);

/* Write what changed, before anybody is told.  false: the database failed, now or before; the service must stop. */
bool og_paper_store(struct og_paper *p);

#endif
