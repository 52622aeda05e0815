/*
 * The service's documents, except orders, as the structs of ordergate/broker.h. The client reads them and the paper
 * brokerage writes them by the same tables. The tables do not define what a value means.
 */
#pragma once

#include "ordergate/broker.h"
#include "wire/fields.h"

enum og_document {
    OG_DOCUMENT_ACCOUNT = 0,
    OG_DOCUMENT_PNL, /* stands for struct og_pnl_detail */
    OG_DOCUMENT_LOT, /* a row of the P&L document */
    OG_DOCUMENT_POSITION,
    OG_DOCUMENT_POSITION_PUSH, /* a position as the Portfolio stream sends it */
    OG_DOCUMENT_CLOSED,        /* a completed lifecycle */
    OG_DOCUMENT_CASH,
    OG_DOCUMENT_FILL,
    OG_DOCUMENT_LOCATE,
    OG_DOCUMENT_INVENTORY,
    OG_DOCUMENT_ROUTE,
    OG_DOCUMENT_ORDER /* an order in the REST or the WebSocket shape: its table is in wire/order_row.c */
};

size_t og_document_size(enum og_document what); /* returns the size of the document's struct */
/* Read one object into a zeroed struct, as og_wire_fields_read() does. */
bool og_document_read(enum og_document what, const cJSON *object, struct og_arena *arena, void *row,
                      const char **missing);

/* Write an object, after a comma if one is needed.  og_document_members() writes it without its braces. */
void og_document_write(struct og_buf *b, enum og_document what, const void *row);
void og_document_members(struct og_buf *b, enum og_document what, const void *row);
/* Write the JSON Schema of a document; for orders see wire/row.h. */
void og_document_schema(struct og_buf *b, enum og_document what);
/* Write a row of P&L as the P&L stream sends it, where the figures that change with prices are under pnlCalc. */
void og_lot_push_write(struct og_buf *b, const struct og_lot_info *row);
