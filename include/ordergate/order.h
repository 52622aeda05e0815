/*
 * A candidate order: read from a line of JSON or built in C, and written as the body that would be posted.
 * Nothing is repaired: values are kept as given, and og_check() reports what is wrong with them.  Bytes that are not an
 * order are still read into an og_order, which every policy refuses (rule order-form).
 * Threads: an order belongs to one thread at a time; different orders are independent.
 * Passing NULL where it is not allowed returns OG_EINVAL; a function that returns no status then does nothing and
 * returns an empty value (0, false, NULL or "").
 */
#ifndef ORDERGATE_ORDER_H
#define ORDERGATE_ORDER_H

#include <stddef.h>
#include <stdint.h>

#include "ordergate/money.h"
#include "ordergate/status.h"

#ifdef __cplusplus
extern "C" {
#endif

struct og_order;

/* Values of an order's fields (docs/readings.md "Q. Place an order: fields and rules"). NONE: the field is absent, or
 * has a value that is not listed. */
enum og_security { OG_SECURITY_NONE = 0, OG_STOCK, OG_OPTION, OG_MLEG };
enum og_side { OG_SIDE_NONE = 0, OG_BUY, OG_SELL };
enum og_open_close { OG_OPEN_CLOSE_NONE = 0, OG_OPEN, OG_CLOSE };
enum og_order_type { OG_TYPE_NONE = 0, OG_MARKET, OG_LIMIT, OG_STOP, OG_STOP_LIMIT };
enum og_tif {
    OG_TIF_NONE = 0,
    OG_DAY,
    OG_GOOD_TILL_CANCEL,
    OG_AT_THE_OPENING,
    OG_IMMEDIATE_OR_CANCEL,
    OG_FILL_OR_KILL,
    OG_GOOD_TILL_CROSSING,
    OG_DAY_PLUS,
    OG_GTC_PLUS
};

/* The kind of an input line, by its key "op" (docs/contract.md "Candidate orders"). REQUEST: a locate or a read, see
 * ordergate/requests.h. BASKET: several orders, see ordergate/basket.h. */
enum og_op {
    OG_OP_ORDER = 0,
    OG_OP_CANCEL,
    OG_OP_QUOTE,
    OG_OP_FACTS,
    OG_OP_HEARTBEAT,
    OG_OP_OTHER,
    OG_OP_REQUEST,
    OG_OP_BASKET
};

/* Make an empty order. Returns NULL if memory ran out. */
OG_API OG_MUST_USE struct og_order *og_order_new(void);
OG_API void og_order_free(struct og_order *order);  /* NULL is allowed */
OG_API void og_order_clear(struct og_order *order); /* makes the order empty, and keeps its memory */

/* Read one JSON value (a line without its newline) in the shape of the service's POST body, plus "accountId",
 * "replaces", "tag" and "op".  The bytes are copied.  After the first few orders, reading into the same og_order
 * allocates nothing.
 *   OG_OK      also for bytes that are not an order: og_check() then refuses and says what is wrong
 *   OG_ENOMEM  *order is empty */
OG_API OG_MUST_USE enum og_status og_order_read(struct og_order *order, const char *bytes, size_t len);

/* Set a field, or replace its value.  Texts are copied.  NULL (or NONE) removes the field.
 *   OG_EINVAL  a value outside the enum, a leg index outside 0..7, a price with a scale outside 0..18; also a quantity
 *              or ratio far beyond what any order has
 *   OG_ENOMEM */
OG_API OG_MUST_USE enum og_status og_order_set_security(struct og_order *order, enum og_security security);
OG_API OG_MUST_USE enum og_status og_order_set_symbol(struct og_order *order, const char *symbol);
OG_API OG_MUST_USE enum og_status og_order_set_side(struct og_order *order, enum og_side side);
OG_API OG_MUST_USE enum og_status og_order_set_open_close(struct og_order *order, enum og_open_close open_close);
OG_API OG_MUST_USE enum og_status og_order_set_type(struct og_order *order, enum og_order_type type);
/* in shares, contracts or spreads */
OG_API OG_MUST_USE enum og_status og_order_set_quantity(struct og_order *order, int64_t quantity);
OG_API OG_MUST_USE enum og_status og_order_set_tif(struct og_order *order, enum og_tif tif);
/* in dollars a share */
OG_API OG_MUST_USE enum og_status og_order_set_limit(struct og_order *order, struct og_money limit);
/* in dollars a share */
OG_API OG_MUST_USE enum og_status og_order_set_stop(struct og_order *order, struct og_money stop);
OG_API OG_MUST_USE enum og_status og_order_set_client_id(struct og_order *order, const char *client_order_id);
OG_API OG_MUST_USE enum og_status og_order_set_route(struct og_order *order, const char *route);
OG_API OG_MUST_USE enum og_status og_order_set_account(struct og_order *order, const char *account_id);
/* Set the tag of the strategy for which the order counts. It takes precedence over all other sources of tags (rule
 * order-tag), also over the line from which the order was read; call it after og_order_read(). "" means that the order
 * has no tag. */
OG_API OG_MUST_USE enum og_status og_order_set_tag(struct og_order *order, const char *tag);
/* Set leg i of a multi-leg order (docs/readings.md "T. Multi-leg options"). i is the index of an existing leg, or of
 * the next one. */
OG_API OG_MUST_USE enum og_status og_order_set_leg(struct og_order *order, int i, const char *symbol, enum og_side side,
                                                   int64_t ratio, enum og_open_close open_close);

/* Get a field.  A text is valid until the order is changed or freed; "" if absent. */
OG_API enum og_op og_order_op(const struct og_order *order); /* OG_OP_OTHER: the bytes were not an order */
OG_API const char *og_order_client_id(const struct og_order *order);
OG_API const char *og_order_account(const struct og_order *order);
OG_API const char *og_order_symbol(const struct og_order *order);
OG_API enum og_security og_order_security(const struct og_order *order);
OG_API enum og_side og_order_side(const struct og_order *order);
OG_API enum og_open_close og_order_open_close(const struct og_order *order);
OG_API int og_order_is_readable(const struct og_order *order); /* 0 if the bytes were not an order */

/* Write the body that would be posted (og_order_body()), or the body with "accountId", "replaces" and "tag"
 * added (og_order_line()): compact JSON, keys in the order of the service document, numbers in plain digits.
 * NUL-terminated if it fits.
 *   OG_OK      written; *len is the length without the NUL
 *   OG_EINVAL  size is too small: *len + 1 is the size needed.  Or a field has a type or value that the service does
 *              not know: *len is 0
 *   OG_ENOMEM */
OG_API OG_MUST_USE enum og_status og_order_body(const struct og_order *order, char *to, size_t size, size_t *len);
OG_API OG_MUST_USE enum og_status og_order_line(const struct og_order *order, char *to, size_t size, size_t *len);

/* Write the digest of the order's terms: "sha256:" and 64 hex digits over the bytes that og_order_body() writes, with
 * "replaces" added if the order replaces another one and "tag" if it has one, NUL-terminated.  It covers clientOrderId
 * but not accountId.  The ledger's records of decisions and waivers have the same digest.
 *   OG_OK      written
 *   OG_EINVAL  the order has no body (og_order_body())
 *   OG_ENOMEM  In both *to is "". */
#define OG_ORDER_DIGEST_SIZE 72 /* in bytes, with the NUL */
OG_API OG_MUST_USE enum og_status og_order_digest(const struct og_order *order, char to[OG_ORDER_DIGEST_SIZE]);

#ifdef __cplusplus
}
#endif
#endif
