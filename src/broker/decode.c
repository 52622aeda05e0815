/*
 * Decodes rows. Values are not checked: an unknown side, for example, is passed on unchanged.
 */
#include "broker/decode.h"

#include "wire/row.h"

/* --- orders ------------------------------------------------------------------------------------------------------- */

/* Returns a text of the tree, terminated by NUL. Only an account before a colon is not terminated, and is copied. */
static const char *text_of(struct og_arena *arena, struct og_str s)
{
    if (!s.s || s.s[s.len] == '\0')
        return s.s;
    return og_arena_copy(arena, s).s;
}

static void read_leg(struct og_arena *arena, const struct og_leg_row *from, struct og_leg_info *to)
{
    *to = (struct og_leg_info){ .symbol = text_of(arena, from->symbol),
                                .side = text_of(arena, from->side),
                                .open_close = text_of(arena, from->open_close),
                                .quantity = from->qty,
                                .leaves = from->leaves,
                                .last_quantity = from->last_qty,
                                .last_price = from->last_px,
                                .price_avg = from->avg_px,
                                .canceled = from->canceled };
}

static bool is_terminal(enum og_order_status s)
{
    return s == OG_ST_FILLED || s == OG_ST_CANCELED || s == OG_ST_REJECTED || s == OG_ST_EXPIRED;
}

static bool decode_order(const cJSON *object, struct og_arena *arena, struct og_order_info *to,
                         struct og_decode_error *fault)
{
    struct og_order_row r;

    if (!og_order_row_read(object, &r) || r.status_text.len == 0) {
        fault->key = "orderStatus";
        return false;
    }
    *to = (struct og_order_info){ .account = text_of(arena, r.account_id),
                                  .client_order_id = text_of(arena, r.client_order_id),
                                  .status = text_of(arena, r.status_text),
                                  .terminal = is_terminal(r.status),
                                  .text = text_of(arena, r.text),
                                  .quantity = r.quantity,
                                  .executed = r.executed,
                                  .leaves = r.leaves,
                                  .canceled = r.canceled,
                                  .price_avg = r.price_avg,
                                  .last_price = r.last_price,
                                  .last_quantity = r.last_quantity,
                                  .has_executed = r.has_executed,
                                  .limit_price = r.limit_price,
                                  .stop_price = r.price_stop,
                                  .strike_price = r.strike_price,
                                  .max_display = r.max_display,
                                  .peg_difference = r.peg_difference,
                                  .margin_requirement = r.margin_requirement,
                                  .maintenance_requirement = r.maintenance_requirement,
                                  .security_type = text_of(arena, r.security_type),
                                  .symbol = text_of(arena, r.symbol),
                                  .traded_symbol = text_of(arena, r.traded_symbol),
                                  .side = text_of(arena, r.side),
                                  .open_close = text_of(arena, r.open_close),
                                  .order_type = text_of(arena, r.order_type),
                                  .time_in_force = text_of(arena, r.time_in_force),
                                  .route = text_of(arena, r.route),
                                  .peg_offset_type = text_of(arena, r.peg_offset_type),
                                  .start_time = text_of(arena, r.start_time),
                                  .last_updated = text_of(arena, r.last_updated),
                                  .mleg_id = text_of(arena, r.mleg_id),
                                  .legs = r.legs };
    _Static_assert(OG_LEGS_MOST == OG_ROW_LEGS, "as many legs as the service has");
    for (int i = 0; i < r.legs; i++)
        read_leg(arena, &r.leg[i], &to->leg[i]);
    return true;
}

/* --- rows --------------------------------------------------------------------------------------------------------- */

bool og_decode_row(enum og_document what, const cJSON *object, struct og_arena *arena, void *row,
                   struct og_decode_error *fault)
{
    return what == OG_DOCUMENT_ORDER ? decode_order(object, arena, row, fault)
                                     : og_document_read(what, object, arena, row, &fault->key);
}

bool og_decode_rows(enum og_document what, const cJSON *list, struct og_arena *arena, const void **rows, size_t *count,
                    struct og_decode_error *fault)
{
    int n = cJSON_GetArraySize(list);
    char *to = n > 0 ? og_arena_take(arena, (size_t)n * og_document_size(what)) : NULL;
    const cJSON *item;

    *fault = (struct og_decode_error){ 0 };
    *count = (size_t)n;
    *rows = to;
    if (!to)
        return n == 0;
    cJSON_ArrayForEach (item, list) {
        fault->row++;
        if (!og_decode_row(what, item, arena, to, fault))
            return false;
        to += og_document_size(what);
    }
    return true;
}
