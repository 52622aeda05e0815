/*
 * The parts of ordergate flatten.
 *   ordergate-flatten.c  options, rounds
 *   flatten_read.c       what works and what is held, of the broker and of the ledger
 *   flatten_lines.c      the lines of closes: prices, ids, their sequence
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "ordergate/broker.h"
#include "tools/common/options.h"

enum { FLAT_SYMBOLS_MOST = 64, FLAT_POSITIONS_MOST = 1000, FLAT_ORDERS_MOST = 2000, FLAT_NAME = 40, FLAT_ID = 72 };

struct flatten_options {
    struct option_list policies, symbols;
    const char *broker, *account, *ledger, *quotes, *route, *option_route;
    bool market, limit, extended, dry_run;
    /* how far a limit is beyond the quote: dollars, or basis points of the price */
    struct og_money offset;
    int offset_bps;
    int64_t wait_ns, for_ns, settle_ns;
    char **send_args;
    int send_count;
};

struct flat_order {
    char id[FLAT_ID], symbol[FLAT_NAME];
    bool is_spread; /* it may be about any symbol */
    bool is_unknown;
};
struct flat_position {
    char symbol[FLAT_NAME], root[FLAT_NAME]; /* root: of an option, its stock */
    bool is_option, is_short, is_expired;
    struct og_money quantity;
    char id[FLAT_ID]; /* of the order that closes it; "" until it is made */
};
struct flat_view {
    size_t orders, positions;
    bool denied; /* the broker gives these keys no such account: to read it again is of no use */
    struct flat_order order[FLAT_ORDERS_MOST];
    struct flat_position position[FLAT_POSITIONS_MOST];
};

/* Each returns false after a message. */
/* Read the orders that work, or may: the broker's, and those that the ledger does not know to be over. */
bool flatten_read_orders(const struct flatten_options *o, struct og_client *client, struct flat_view *v);
/* Read the positions. */
bool flatten_read_positions(const struct flatten_options *o, struct og_client *client, struct flat_view *v);
/* Make the id of the order that is next to close each position. */
bool flatten_make_ids(const struct flatten_options *o, struct flat_view *v);
/* Say on stderr, from the ledger, which closes of the positions were refused or rejected, and why. */
void flatten_say_refusals(const struct flatten_options *o, const struct flat_view *v);
/* Returns true if the ledger was written a moment ago, so that positions may lack what it has. */
bool flatten_is_fresh(const struct flatten_options *o);

void flatten_write_cancels(const struct flat_view *v, const char *account, FILE *to);
/* Write the lines of closes that may be sent now: short options first. *skipped: how many positions have none. */
size_t flatten_write_closes(const struct flatten_options *o, const struct flat_view *v, const char *account, FILE *to,
                            size_t *skipped);
