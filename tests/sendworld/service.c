/*
 * The broker: orders, fills, positions, and the answers to requests, each computed when the broker handles the
 * request. Written from the service's document; it shares no code with the program.
 */
#include <stdlib.h>

#include "world.h"

bool is_over(const struct order *o)
{
    return o->status == FILLED || o->status == CANCELED || o->status == REJECTED;
}

long leaves(const struct order *o)
{
    return is_over(o) ? 0 : o->quantity - o->executed;
}

long held(int symbol, bool shown)
{
    long sum = w.symbol[symbol].start;

    for (int i = 0; i < w.orders; i++) {
        const struct order *o = &w.order[i];

        for (int f = 0; o->symbol == symbol && f < o->fills; f++)
            if (!shown || o->fill[f].shown_at <= now_ms())
                sum += o->opens ? o->fill[f].quantity : -o->fill[f].quantity;
    }
    return sum;
}

struct order *order_named(const char *id)
{
    for (int i = 0; i < w.orders; i++)
        if (strcmp(w.order[i].id, id) == 0)
            return &w.order[i];
    return NULL;
}

/* --- what becomes of an order ------------------------------------------------------------------------------------- */

static void become(struct order *o, enum status status, const char *text)
{
    static const char *const names[] = { "PendingNew", "New",      "PartiallyFilled", "PendingCancel",
                                         "Filled",     "Canceled", "Rejected" };

    o->status = status;
    w.symbol[o->symbol].changed_at = now_ms();
    if (text)
        snprintf(o->text, sizeof o->text, "%s", text);
    if (is_over(o))
        o->ended_at = now_ms();
    tell("broker: %s is %s, %ld of %ld", o->id, names[status], o->executed, o->quantity);
    push_frames(o);
}

static void register_it(int number, void *with)
{
    struct order *o = &w.order[number];

    (void)with;
    o->registered = true;
    if (o->status == PENDING_NEW)
        become(o, NEW, NULL);
}

static void reject_it(int number, void *with)
{
    struct order *o = &w.order[number];

    (void)with;
    o->registered = true;
    if (!is_over(o) && o->executed == 0 && !w.frozen)
        become(o, REJECTED, "R24: not taken by the venue");
}

static void fill_it(int number, void *with)
{
    struct order *o = &w.order[number];
    long quantity = (long)(intptr_t)with;
    const uint64_t lag = w.settle_ms > 0 ? (uint64_t)chance_to(&w.dice, (int64_t)w.settle_ms) : 0;

    if (is_over(o) || o->fills == FILLS_MOST || w.frozen)
        return;
    if (quantity > leaves(o) || o->fills == FILLS_MOST - 1)
        quantity = leaves(o);
    o->registered = true;
    o->fill[o->fills++] = (struct fill){ quantity, now_ms(), now_ms() + lag };
    o->executed += quantity;
    become(o,
           o->executed == o->quantity    ? FILLED
           : o->status == PENDING_CANCEL ? PENDING_CANCEL
                                         : PARTIALLY_FILLED,
           NULL);
}

static void cancel_it(int number, void *with)
{
    struct order *o = &w.order[number];

    (void)with;
    if (!is_over(o))
        become(o, CANCELED, NULL);
}

/* Draw what will happen to the order, when the broker accepts it. */
static void plan(struct order *o)
{
    const int number = (int)(o - w.order), fate = (int)chance_to(&w.dice, 100);
    const uint64_t seen = now_ms() + (uint64_t)chance_to(&w.dice, chance_in(&w.dice, 95) || w.calm ? 50 : 3000);

    if (fate < 4) {
        at(seen, reject_it, number, NULL);
        return;
    }
    at(seen, register_it, number, NULL);
    if (fate < (o->stops ? 10 : 45)) {
        at(seen + (uint64_t)chance_to(&w.dice, 3000), fill_it, number, (void *)(intptr_t)o->quantity);
    } else if (fate < (o->stops ? 15 : 65)) {
        uint64_t when = seen;

        for (int i = 0; i < FILLS_MOST; i++) {
            when += (uint64_t)chance_to(&w.dice, 6000);
            at(when, fill_it, number, (void *)(intptr_t)(1 + chance_to(&w.dice, o->quantity)));
            if (chance_in(&w.dice, 30))
                break;
        }
    }
}

struct order *take_order(const struct order *like)
{
    struct order *o = &w.order[w.orders];

    if (order_named(like->id) || w.orders == ORDERS_MOST)
        return NULL;
    *o = *like;
    o->status = PENDING_NEW;
    o->taken_at = now_ms();
    w.orders++;
    tell("broker: takes %s, %s %s %ld %s", o->id, o->buy ? "buy" : "sell", o->opens ? "open" : "close", o->quantity,
         w.symbol[o->symbol].name);
    judge_taken(o);
    if (chance_in(&w.dice, 2)) {
        o->registered = true;
        become(o, REJECTED, "R54: no route");
    } else {
        push_frames(o);
        plan(o);
    }
    return o;
}

/* --- requests ----------------------------------------------------------------------------------------------------- */

bool read_body(const char *body, size_t len, struct order *o)
{
    cJSON *doc = cJSON_ParseWithLength(body, len);
    const char *id = cJSON_GetStringValue(cJSON_GetObjectItemCaseSensitive(doc, "clientOrderId"));
    const char *symbol = cJSON_GetStringValue(cJSON_GetObjectItemCaseSensitive(doc, "symbol"));
    const char *side = cJSON_GetStringValue(cJSON_GetObjectItemCaseSensitive(doc, "side"));
    const char *effect = cJSON_GetStringValue(cJSON_GetObjectItemCaseSensitive(doc, "openClose"));
    const char *type = cJSON_GetStringValue(cJSON_GetObjectItemCaseSensitive(doc, "orderType"));
    const cJSON *quantity = cJSON_GetObjectItemCaseSensitive(doc, "orderQuantity");
    const cJSON *limit = cJSON_GetObjectItemCaseSensitive(doc, "limitPrice");
    const cJSON *stop = cJSON_GetObjectItemCaseSensitive(doc, "stopPrice");
    const bool ok = id && symbol && side && effect && type && cJSON_IsNumber(quantity);

    memset(o, 0, sizeof *o);
    o->symbol = -1;
    for (int i = 0; ok && i < SYMBOLS; i++)
        if (strcmp(w.symbol[i].name, symbol) == 0)
            o->symbol = i;
    if (ok) {
        snprintf(o->id, sizeof o->id, "%s", id);
        o->buy = strcmp(side, "Buy") == 0;
        o->opens = strcmp(effect, "Open") == 0;
        o->stops = strcmp(type, "Stop") == 0;
        o->quantity = quantity->valueint;
        o->price = o->stops ? (cJSON_IsNumber(stop) ? stop->valueint : 0) : cJSON_IsNumber(limit) ? limit->valueint : 0;
    }
    cJSON_Delete(doc);
    return ok && o->symbol >= 0 && o->quantity > 0;
}

static int post(const char *body, size_t len, struct text *answer)
{
    struct order like, *o;

    if (!read_body(body, len, &like)) {
        text_put(answer, "- body: cannot be read");
        return 400;
    }
    if (!(o = take_order(&like))) {
        text_put(answer,
                 "{\"orderStatus\":\"Rejected\",\"text\":\"R114: Duplicate clientOrderId\",\"clientOrderId\":\"%s\","
                 "\"canceledQuantity\":%ld,\"executed\":0,\"leavesQuantity\":0}",
                 like.id, like.quantity);
        return 200;
    }
    row_text(o, answer);
    return 200;
}

static int cancel(const char *id, struct text *answer)
{
    struct order *o = order_named(id);

    if (!o || !o->registered || o->status == FILLED || o->status == CANCELED) {
        text_put(answer, "Not found");
        return 404;
    }
    if (o->status == REJECTED) {
        snprintf(o->text, sizeof o->text, "R130: Cancel request rejected");
    } else if (o->status != PENDING_CANCEL) {
        become(o, PENDING_CANCEL, NULL);
        at(now_ms() + (uint64_t)chance_to(&w.dice, chance_in(&w.dice, 80) ? 100 : 3000), cancel_it, (int)(o - w.order),
           NULL);
    }
    row_text(o, answer);
    return 200;
}

static int list(struct text *answer)
{
    const char *before = "";

    text_put(answer, "{\"orders\":[");
    for (int i = 0; i < w.orders; i++) {
        const struct order *o = &w.order[i];

        /* the list may soon omit filled orders, so it may omit others that are over too: here every other one */
        if (!o->registered || (is_over(o) && i % 2 == 0))
            continue;
        text_put(answer, "%s", before);
        row_text(o, answer);
        before = ",";
    }
    text_put(answer, "]}");
    return 200;
}

static int look_up(const char *id, struct text *answer)
{
    const struct order *o = order_named(id);

    if (!o || !o->registered) {
        text_put(answer, "Not found");
        return 404;
    }
    row_text(o, answer);
    return 200;
}

int answer_request(const char *method, const char *path, const char *body, size_t len, struct text *answer)
{
    const char *last = strrchr(path, '/') + 1;

    if (strcmp(method, "POST") == 0)
        return post(body, len, answer);
    if (strcmp(method, "DELETE") == 0)
        return cancel(last, answer);
    if (strcmp(last, "accounts") == 0)
        text_put(answer, "{\"accounts\":[{\"account\":\"" ACCOUNT "\",\"accountStatus\":\"Active\",\"accountType\":"
                         "\"Paper\",\"buyingPower\":1000000,\"equity\":1000000}]}");
    else if (strcmp(last, "positions") == 0)
        positions_text(answer);
    else if (strcmp(last, "orders") == 0)
        return list(answer);
    else if (strcmp(last, "pnl") == 0)
        text_put(answer, "{\"dayPnl\":%ld}", pnl_now());
    else if (strcmp(last, ACCOUNT) == 0)
        account_text(answer);
    else if (strcmp(last, "routes") == 0)
        text_put(answer, "{\"routes\":[]}");
    else if (strcmp(last, "inventory") == 0)
        text_put(answer, "[]");
    else if (strstr(path, "/is-easy-to-borrow/"))
        text_put(answer, "{\"isEasyToBorrow\":true}");
    else if (strstr(path, "/order/"))
        return look_up(last, answer);
    else
        return 404;
    return 200;
}
