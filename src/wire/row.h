/*
 * The service's objects as structs, with the spellings of their keys and words in one place. The client and the paper
 * brokerage share these structs and spellings; validation and decisions are not shared. Unknown fields are ignored when
 * reading; every documented field is written.
 */
#pragma once

#include <cjson/cJSON.h>
#include <stdbool.h>
#include <stdint.h>

#include "base/buf.h"
#include "base/str.h"
#include "ordergate/money.h"
#include "ordergate/status.h"

/* The service's order states. UNKNOWN: a name that the service's document does not list; an order in such a state is
 * not final and may fill. */
enum og_order_status {
    OG_ST_UNKNOWN = 0,
    OG_ST_PENDING_NEW,
    OG_ST_ACCEPTED,
    OG_ST_NEW,
    OG_ST_PARTIALLY_FILLED,
    OG_ST_PENDING_CANCEL,
    OG_ST_FILLED,
    OG_ST_CANCELED,
    OG_ST_REJECTED,
    OG_ST_DONE_FOR_DAY,
    OG_ST_EXPIRED
};

const char *og_order_status_name(enum og_order_status s);    /* returns the document's spelling, such as "PendingNew";
                                                              * "" for UNKNOWN */
enum og_order_status og_order_status_of(struct og_str name); /* the comparison is case-sensitive */

struct og_leg_row {
    int index;
    struct og_str symbol, side, open_close; /* such as "Buy" and "Open" for side and open_close */
    struct og_money qty, leaves, last_qty, last_px, avg_px, canceled;
};

#define OG_ROW_LEGS 4

/* One order as the REST API or a stream writes it. Each key is read by itself, so an object with keys of both shapes is
 * accepted. Texts point into the cJSON tree from which the order was read. has_*: the key was present; otherwise the
 * value is unknown, not 0. */
struct og_order_row {
    struct og_str account_id, client_order_id; /* userOrderId is split at its first colon */
    enum og_order_status status;
    struct og_str status_text; /* the status as it was spelled */
    struct og_str text;        /* s is NULL if the text is null or absent */
    bool has_executed, has_leaves, has_canceled, has_quantity, has_price_avg;
    struct og_money executed, leaves, canceled, quantity;
    struct og_money last_price, last_quantity, limit_price, price_stop, price_avg;
    struct og_money max_display, peg_difference, maintenance_requirement, margin_requirement, strike_price;
    struct og_str peg_offset_type, open_close, order_type, security_type, side, symbol, traded_symbol, time_in_force,
        route;
    struct og_str start_time, last_updated;
    int leg_count; /* value of legCount, which only the clean shape has */
    int legs;      /* number of rows in leg[]; 0 if legs is null */
    struct og_leg_row leg[OG_ROW_LEGS];
    /* the following are only in the WebSocket shape */
    bool websocket_shape; /* set when reading: the object had userOrderId */
    bool of_two_accounts; /* set when reading: accountId differs from the account in userOrderId */
    struct og_str account_type, condition, mleg_id, start_time_et, source_system;
    int leg_index;
};

/* Read an order (the client's side). Returns false if the value is not an object, or has neither an id nor a status. */
bool og_order_row_read(const cJSON *object, struct og_order_row *row);

/* Write an order (the paper brokerage's side) in the clean shape, with all its 31 keys, or in the WebSocket shape. The
 * status is written from status_text. */
void og_order_row_write_clean(struct og_buf *b, const struct og_order_row *row);
void og_order_row_write_websocket(struct og_buf *b, const struct og_order_row *row);

/* Write the JSON Schema of an order in either shape. */
void og_order_row_schema_clean(struct og_buf *b);
void og_order_row_schema_websocket(struct og_buf *b);

/* Returns the reject code in a text, such as "R118" in "R118: Stop price ...": the first word that consists of R and
 * digits; {NULL,0} if there is none. */
struct og_str og_reject_code(struct og_str text);
