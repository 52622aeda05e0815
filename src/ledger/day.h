/*
 * The totals of the records of one day of the exchange, counted in one pass through the records.
 */
#pragma once

#include "base/map.h"
#include "ledger/view.h"

enum { OG_DAY_HOURS = 24 };

/* A count under a name of up to two words, with its newest example. */
struct og_day_tally {
    struct og_str first, second;
    int64_t count;
    struct og_str text, id, account; /* texts of the newest record that was counted */
    int64_t at;                      /* time of that record, in ns */
    /* only for fills: the filled quantity in shares or contracts, and that quantity times the price in dollars, which
     * is not complete if `unpriced` is true */
    struct og_money quantity, dollars;
    int64_t orders;
    bool unpriced;
};
struct og_day_tallies {
    struct og_map map;
    struct og_day_tally **item;
    size_t count, room;
};

/* An account, with the highest figures of its day. */
struct og_day_account {
    struct og_str name;
    int64_t *intent; /* times of its intents, in ns; sorted at the end */
    size_t intents, room;
    int64_t open, open_most, open_most_at; /* orders of the day that are not over: now, the most at one time, and when
                                            * that was (ns) */
};

struct og_day_hour {
    int64_t accepted, refused, fills;
};

struct og_day_sums {
    struct og_ledger *l;
    struct og_error *err;
    const char *account; /* count only this account; NULL: all accounts */
    int64_t begins, ends;
    struct og_arena arena;
    struct og_map orders; /* struct order of day.c by account and id */
    struct og_buf key;
    sqlite3_stmt *before; /* query for the previous record of an order that was sent on an earlier day */
    int64_t records, decided, accepted, refused, cancels, posts, fills, filled_orders;
    int64_t states[OG_STATES]; /* number of orders by state; counts orders that were sent or changed on the day, by
                                * their last record of the day */
    struct og_day_tallies refusals, rejections, symbols;
    struct og_day_hour hour[OG_DAY_HOURS];
    int64_t *us; /* answer times of POSTs that were answered 2xx, in microseconds; sorted at the end */
    size_t times, time_room;
    struct og_day_account **accounts;
    size_t account_count, account_room;
    /* elements of JSON arrays, and the numbers of all such events: at most OG_DAY_EVENTS of each kind are written */
    struct og_buf anomalies, people, halts, latches, peaks;
    int64_t anomaly_count, people_count, halt_count;
};
#define OG_DAY_EVENTS 1000

/* Count the records from `begins` up to, but not including, `ends`. The caller sets d->l, account and err beforehand,
 * and calls og_day_clear() afterwards, also after an error. */
enum og_status og_day_count(struct og_day_sums *d);
void og_day_clear(struct og_day_sums *d);
/* Set *most to the highest number of intents of an account within any `window` ns, and *at to the time of the last of
 * these intents. Both are 0 if the account has no intents. */
void og_day_rate(const struct og_day_account *a, int64_t window, int64_t *most, int64_t *at);
