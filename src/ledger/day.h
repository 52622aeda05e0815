/*
 * What the records of one day of the exchange add up to, counted in one pass in their sequence.
 */
#pragma once

#include "base/map.h"
#include "ledger/view.h"

enum { OG_DAY_HOURS = 24 };

/* A count of something with a name of up to two words, with its newest example. */
struct og_day_tally {
    struct og_str first, second;
    int64_t count;
    struct og_str text, id, account; /* of the newest record that counts */
    int64_t at;                      /* of that record, in ns */
    /* of fills: what was filled, in shares or contracts, and price times that, in dollars, unless it is not known */
    struct og_money quantity, dollars;
    int64_t orders;
    bool unpriced;
};
struct og_day_tallies {
    struct og_map map;
    struct og_day_tally **item;
    size_t count, room;
};

/* An account, and the highest figures of the day. */
struct og_day_account {
    struct og_str name;
    int64_t *intent; /* times of its intents, in ns; sorted at the end */
    size_t intents, room;
    int64_t open, open_most, open_most_at; /* orders of the day that are not over */
};

struct og_day_hour {
    int64_t accepted, refused, fills;
};

struct og_day_sums {
    struct og_ledger *l;
    struct og_error *err;
    const char *account; /* only of this account; NULL: of all */
    int64_t begins, ends;
    struct og_arena arena;
    struct og_map orders; /* struct order of day.c by account and id */
    struct og_buf key;
    sqlite3_stmt *before; /* the record before, of an order that was sent on an earlier day */
    int64_t records, decided, accepted, refused, cancels, posts, fills, filled_orders;
    int64_t states[OG_STATES]; /* of the orders that were sent or changed on the day, by their last record of it */
    struct og_day_tallies refusals, rejections, symbols;
    struct og_day_hour hour[OG_DAY_HOURS];
    int64_t *us; /* how long POSTs took that were answered 2xx, sorted */
    size_t times, time_room;
    struct og_day_account **accounts;
    size_t account_count, account_room;
    /* elements of JSON arrays, and how many there are: no more than OG_DAY_EVENTS are written */
    struct og_buf anomalies, people, latches, peaks;
    int64_t anomaly_count, people_count;
};
#define OG_DAY_EVENTS 1000

/* Count the records from `begins` to before `ends`; d->l, account and err are set by the caller, who calls
 * og_day_clear() also after an error. */
enum og_status og_day_count(struct og_day_sums *d);
void og_day_clear(struct og_day_sums *d);
/* Set *most to the most intents of an account within any `window` ns, and *at to the time of the last of them; 0 if it
 * has none. */
void og_day_rate(const struct og_day_account *a, int64_t window, int64_t *most, int64_t *at);
