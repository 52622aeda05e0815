/*
 * What a gate is told: quotes, orders, and documents with positions, rows and the day's profit.
 */
#include <stdio.h>

#include "gates_run.h"

static const char *const type_name[] = { "Limit", "Market", "Stop", "StopLimit" };

void put_price(const char *key, int64_t cents)
{
    text_put(&json, ",\"%s\":%lld.%02lld", key, (long long)cents / 100, (long long)cents % 100);
}

/* Give a gate a quote; for a stock also what its exchange says of it. */
void tell_quote(int gate, int thing)
{
    const struct thing *t = &w.thing[thing];
    struct og_error err = { 0 };

    for (int i = 0; i < w.orders; i++) {
        struct order *o = &w.order[i];
        const int64_t quote = o->leg[0].buy ? t->ask : t->bid;

        if (o->leg[0].thing == thing && quote < o->quoted)
            o->quoted = quote;
    }
    json.len = 0;
    text_put(&json, "{\"symbol\":\"%s\"", t->symbol);
    put_price("bid", t->bid);
    put_price("ask", t->ask);
    put_price("last", t->last);
    if (!is_contract(thing)) {
        text_put(&json, ",\"status\":{\"halted\":%s,\"paused\":%s,\"shortSaleRestricted\":%s",
                 t->halted ? "true" : "false", t->paused ? "true" : "false", t->restricted ? "true" : "false");
        put_price("limitDown", t->down);
        put_price("limitUp", t->up);
        text_put(&json, "}");
    }
    text_put(&json, ",\"asOf\":\"%s\"}", og_time_text(w.now).s);
    if (tells && gate == 0)
        printf("  quote %s\n", json.s);
    must(og_book_quote(book[gate], json.s, json.len, &err), &err);
}

static void put_legs(const struct order *o, bool row)
{
    text_put(&json, ",\"legs\":[");
    for (int i = 0; i < o->legs; i++) {
        text_put(&json, "%s{\"symbol\":\"%s\",\"side\":\"%s\",\"openClose\":\"Open\"", i ? "," : "",
                 w.thing[o->leg[i].thing].symbol, o->leg[i].buy ? "Buy" : "Sell");
        if (row)
            text_put(&json, ",\"index\":%d,\"qty\":%lld,\"lvsQty\":%lld}", i,
                     (long long)(o->quantity * o->leg[i].ratio), (long long)(leaves(o) * o->leg[i].ratio));
        else
            text_put(&json, ",\"ratio\":%d}", o->leg[i].ratio);
    }
    text_put(&json, "]");
}

void put_order(const struct order *o)
{
    const struct thing *t = &w.thing[o->leg[0].thing];

    text_put(&json,
             "{\"securityType\":\"%s\",\"symbol\":\"%s\",\"orderType\":\"%s\",\"orderQuantity\":%lld,\"timeInForce\":"
             "\"Day\",\"clientOrderId\":\"%s\",\"accountId\":\"L1\"",
             o->spread                      ? "Mleg"
             : is_contract(o->leg[0].thing) ? "Option"
                                            : "Stock",
             o->spread ? roots[t->stock] : t->symbol, type_name[o->type], (long long)o->quantity, o->id);
    if (has_limit(o))
        put_price("limitPrice", o->limit);
    if (has_stop(o))
        put_price("stopPrice", o->stop);
    if (o->spread)
        put_legs(o, false);
    else
        text_put(&json, ",\"side\":\"%s\",\"openClose\":\"%s\"", o->leg[0].buy ? "Buy" : "Sell",
                 o->closes ? "Close" : "Open");
    if (o->tag < TAGS)
        text_put(&json, ",\"tag\":\"%s\"", tag_name[o->tag]);
    text_put(&json, "}");
}

void read_order(const struct order *o, int at)
{
    json.len = 0;
    put_order(o);
    must(og_order_read(order[at], json.s, json.len), NULL);
}

static void put_positions(void)
{
    const char *comma = "";

    text_put(&json, ",\"positions\":[");
    for (int i = 0; i < THINGS; i++)
        for (int side = 0; side < 2; side++) {
            const struct thing *t = &w.thing[i];
            const int64_t size = side ? t->held : t->written, cost = side ? t->cost : t->written_cost;

            if (size == 0)
                continue;
            text_put(&json, "%s{\"symbol\":\"%s\",\"securityType\":\"%s\",\"side\":\"%s\",\"shares\":%lld", comma,
                     roots[t->stock], is_contract(i) ? "Option" : "Stock", side ? "Long" : "Short", (long long)size);
            if (is_contract(i))
                text_put(&json, ",\"tradedSymbol\":\"%s\"", t->symbol);
            put_price("priceAvg", cost);
            text_put(&json, "}");
            comma = ",";
        }
    text_put(&json, "]");
}

static void put_row(const struct order *o)
{
    const struct thing *t = &w.thing[o->leg[0].thing];
    const bool contract = is_contract(o->leg[0].thing);

    text_put(&json,
             "{\"accountId\":\"L1\",\"clientOrderId\":\"%s\",\"orderStatus\":\"%s\",\"orderQuantity\":%lld,"
             "\"executed\":%lld,\"leavesQuantity\":%lld,\"orderType\":\"%s\",\"timeInForce\":\"Day\",\"symbol\":\"%s\"",
             o->id, o->fills ? "PartiallyFilled" : "New", (long long)o->quantity, (long long)filled(o),
             (long long)leaves(o), type_name[o->type], roots[t->stock]);
    put_price("limitPrice", o->limit);
    put_price("priceStop", o->stop);
    put_price("priceAvg", o->fills ? o->price : 0);
    if (o->fills)
        text_put(&json, ",\"lastUpdated\":\"%s\"", og_time_text(o->fill[o->fills - 1].at).s);
    if (o->spread) {
        text_put(&json, ",\"securityType\":\"MLEG\",\"side\":\"Unknown\",\"tradedSymbol\":\"%s\"", roots[t->stock]);
        put_legs(o, true);
    } else {
        text_put(&json,
                 ",\"securityType\":\"%s\",\"side\":\"%s\",\"tradedSymbol\":\"%s\",\"legs\":null,"
                 "\"openClose\":\"%s\"",
                 contract ? "Option" : "Stock",
                 o->leg[0].buy           ? "Buy"
                 : contract || o->closes ? "Sell"
                                         : "SellShort",
                 t->symbol, o->closes ? "Close" : "Open");
    }
    text_put(&json, "}");
}

void apply_facts(int gate)
{
    struct og_error err = { 0 };
    const char *comma = "";

    json.len = 0;
    text_put(&json, "{\"asOf\":\"%s\",\"accountId\":\"L1\"", og_time_text(w.now).s);
    put_positions();
    text_put(&json, ",\"orders\":[");
    for (int i = 0; i < w.orders; i++)
        if (w.order[i].live) {
            text_put(&json, "%s", comma);
            put_row(&w.order[i]);
            comma = ",";
        }
    text_put(&json, "],\"account\":{\"account\":\"L1\",\"equity\":1000000%s", "");
    put_price("availableCash", w.cash < 0 ? 0 : w.cash);
    text_put(&json, "}}");
    if (tells)
        printf("  facts of gate %d %s\n", gate, json.s);
    must(og_book_apply(book[gate], "L1", json.s, json.len, "facts", &err), &err);
}

void apply_pnl(int gate)
{
    struct og_error err = { 0 };

    json.len = 0;
    text_put(&json, "{\"asOf\":\"%s\",\"accountId\":\"L1\",\"pnl\":{\"dayPnl\":%lld}}", og_time_text(w.now).s,
             (long long)w.pnl);
    if (tells && gate == 0)
        printf("  pnl %s\n", json.s);
    must(og_book_apply(book[gate], "L1", json.s, json.len, "pnl", &err), &err);
}

/* Give both gates documents that show everything that has happened. */
void step_facts(void)
{
    for (int g = 0; g < GATES; g++)
        apply_facts(g);
    w.slipped = 0;
    for (int t = 0; t < THINGS; t++) {
        w.thing[t].closable = w.thing[t].held;
        for (int i = 0; i < w.orders; i++)
            if (w.order[i].live && w.order[i].closes && w.order[i].leg[0].thing == t)
                w.thing[t].closable -= leaves(&w.order[i]);
    }
}
