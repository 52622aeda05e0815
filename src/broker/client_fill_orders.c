/*
 * Fills with their orders.  No key links a fill to its order (I21): a fill of a single leg is one of the order whose
 * terms fit, if only one order of the list fits, and a fill of a spread one of the order with its ticket.  An order
 * that executed less than the fills which fit it alone has none for certain.
 */
#include "base/error.h"
#include "base/time.h"
#include "broker/client.h"
#include "wire/read.h"

static bool is_of_spread(const struct og_fill_info *f)
{
    return f->mleg_id && f->mleg_id[0] != '\0' && strcmp(f->mleg_id, "0") != 0;
}

/* Compare the day of an instant in New York with the first ten bytes of `day`, such as "2026-01-15T00:00:00". A time or
 * day that cannot be read is equal to any. */
static int compare_day(const char *instant, const char *day)
{
    int64_t at;

    if (!instant || !day || strlen(day) < 10 || !og_time_read(instant, strlen(instant), &at))
        return 0;
    return strncmp(og_eastern_text(at).s, day, 10);
}

static bool is_side(const char *order, const char *fill)
{
    return og_same_word(order, fill) || (og_same_word(order, "SellShort") && og_same_word(fill, "Sell"));
}

/* Returns true if the fill's price is one at which the order may have filled: that of its only fill, or within its
 * limit. */
static bool is_price(const struct og_order_info *o, const struct og_fill_info *f)
{
    const int beyond = og_money_cmp(f->price, o->limit_price);

    if (og_money_cmp(o->executed, f->quantity) == 0)
        return og_money_cmp(o->price_avg, f->price) == 0;
    if (!og_same_word(o->order_type, "Limit") && !og_same_word(o->order_type, "StopLimit"))
        return true;
    return og_same_word(f->side, "Buy") ? beyond <= 0 : beyond >= 0;
}

/* Returns true if the fill may be one of the order's. */
static bool fits(const struct og_order_info *o, const struct og_fill_info *f)
{
    if (f->canceled || !o->client_order_id)
        return false;
    if (is_of_spread(f))
        return og_same_word(o->mleg_id, f->mleg_id);
    return og_same_word(o->security_type, f->security_type) &&
           og_same_word(og_same_word(o->security_type, "Option") ? o->traded_symbol : o->symbol, f->symbol) &&
           is_side(o->side, f->side) && o->has_executed && og_money_cmp(o->executed, f->quantity) >= 0 &&
           is_price(o, f) && compare_day(o->start_time, f->trade_date) <= 0 &&
           compare_day(o->last_updated, f->trade_date) >= 0;
}

struct fit {
    size_t count; /* how many orders fit the fill */
    size_t one;   /* the number of one of them */
};

static struct fit find_fit(const struct og_orders_today *orders, const struct og_fill_info *f)
{
    struct fit found = { 0 };

    for (size_t i = 0; i < orders->count; i++)
        if (fits(&orders->row[i], f)) {
            found.one = i;
            found.count++;
        }
    return found;
}

/* Make those fits ambiguous whose order executed less than the fills that fit it alone. sum: a zero for each order. */
static void judge_sums(const struct og_orders_today *orders, const struct og_fills *fills, struct fit *fit,
                       struct og_money *sum)
{
    for (size_t i = 0; i < fills->count; i++)
        if (fit[i].count == 1 && !og_money_add(sum[fit[i].one], fills->row[i].quantity, &sum[fit[i].one]))
            fit[i].count = 2;
    for (size_t i = 0; i < fills->count; i++)
        if (fit[i].count == 1 && !is_of_spread(&fills->row[i]) &&
            og_money_cmp(sum[fit[i].one], orders->row[fit[i].one].executed) > 0)
            fit[i].count = 2;
}

static void put_candidates(cJSON *row, const struct og_orders_today *orders, const struct og_fill_info *f)
{
    cJSON *list = og_doc_array();

    for (size_t i = 0; i < orders->count; i++)
        if (fits(&orders->row[i], f))
            cJSON_AddItemToArray(list, cJSON_CreateString(orders->row[i].client_order_id));
    og_doc_put(row, "candidates", list);
}

static enum og_status join_orders(const struct og_orders_today *orders, struct og_fills *fills, struct og_answer *to,
                                  struct og_error *err)
{
    struct og_answer_memory *of_fills = fills->answer.memory, *memory = og_answer_memory(to);
    const cJSON *page = og_doc_get(of_fills->doc, "pagination");
    cJSON *list = (cJSON *)(uintptr_t)og_wire_list(of_fills->doc, "tradingHistory"), *row = list->child;
    struct fit *fit = og_arena_take(&of_fills->arena, (fills->count + 1) * sizeof *fit);
    struct og_money *sum = og_arena_take(&of_fills->arena, (orders->count + 1) * sizeof *sum);

    if (!memory || !fit || !sum)
        return og_fail(err, OG_ENOMEM, "out of memory");
    for (size_t i = 0; i < fills->count; i++)
        fit[i] = find_fit(orders, &fills->row[i]);
    judge_sums(orders, fills, fit, sum);
    for (size_t i = 0; i < fills->count; i++, row = row->next) {
        const char *by = is_of_spread(&fills->row[i]) ? "mLegId" : "terms";
        const bool found = fit[i].count == 1;

        og_doc_put_text(row, "clientOrderId", found ? orders->row[fit[i].one].client_order_id : NULL);
        og_doc_put_text(row, "orderBy", found ? by : NULL);
        put_candidates(row, orders, &fills->row[i]);
    }
    og_buf_text(&memory->body, "{\"fills\":");
    if (!og_doc_text(list, &memory->body))
        memory->body.bad = true;
    og_buf_text(&memory->body, ",\"pagination\":");
    if (!page)
        og_buf_text(&memory->body, "null");
    else if (!og_doc_text(page, &memory->body))
        memory->body.bad = true;
    og_buf_char(&memory->body, '}');
    return og_answer_made(to, fills->answer.asked_at, err);
}

enum og_status og_client_fill_orders(struct og_client *c, const char *account, const struct og_window *window,
                                     struct og_answer *to, struct og_error *err)
{
    struct og_orders_today orders = { 0 };
    struct og_fills fills = { 0 };
    enum og_status status;

    if (!c || !window || !to)
        return og_missing(err);
    status = og_client_history(c, account, window, &fills, err);
    if (status == OG_OK) /* after the fills: an order that fills in between shows at least those */
        status = og_client_orders(c, account, &orders, err);
    if (status == OG_OK)
        status = join_orders(&orders, &fills, to, err);
    og_answer_clear(&orders.answer);
    og_answer_clear(&fills.answer);
    return status;
}
