/*
 * A gate with one book, for tests of reservations: times in ms after a start, documents, orders, and a short notation
 * for positions and working orders.
 */
#pragma once

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "check/book.h"
#include "ordergate/ordergate.h"

#define START INT64_C(1768496400000000000) /* 2026-01-15 12:00 in New York */
#define MS    INT64_C(1000000)
#define S     (1000 * MS)
#define CALL  "AAPL260116C00150000"
#define CALL2 "AAPL260116C00155000"

struct gate {
    struct og_book *book;
    struct og_scratch *scratch;
    struct og_order *order;
};

static inline struct gate open_gate(void)
{
    static const char yaml[] = "ordergate: 1\nname: t\nextends: []\nunsure: warn\nrules:\n  buying-power: info\n";
    struct og_policy *policy;
    struct og_error err = { 0 };
    struct gate g = { 0 };

    if (og_policy_read(yaml, sizeof yaml - 1, "t", &policy, NULL, NULL, &err))
        fail_msg("%s", err.text);
    assert_int_equal(og_book_new(policy, &g.book), OG_OK);
    assert_int_equal(og_book_halt_source(g.book, "", NULL), OG_OK);
    g.scratch = og_scratch_new();
    g.order = og_order_new();
    return g;
}

static inline void close_gate(struct gate *g)
{
    og_scratch_free(g->scratch);
    og_order_free(g->order);
    og_book_free(g->book);
}

static inline void apply(struct gate *g, const char *json)
{
    struct og_error err = { 0 };

    if (og_book_apply(g->book, NULL, json, strlen(json), "facts", &err))
        fail_msg("%s: %s", err.text, json);
}

/* Load a document whose "asOf" is that many ms after the start. */
static inline void apply_at(struct gate *g, int ms, const char *rest)
{
    char json[2048];

    snprintf(json, sizeof json, "{\"asOf\":\"%s\",\"accountId\":\"L1\",%s}", og_time_text(START + ms * MS).s, rest);
    apply(g, json);
}

static inline og_ticket reserve(struct gate *g, int ms, const char *line)
{
    struct og_decision d;
    og_ticket t;

    assert_int_equal(og_order_read(g->order, line, strlen(line)), OG_OK);
    assert_int_equal(og_reserve(g->book, g->order, START + ms * MS, g->scratch, &d, &t), OG_OK);
    if (!t)
        fail_msg("refused: %s %s", d.findings[0].reason, d.findings[0].message);
    return t;
}

static inline const struct og_facts *facts(const struct gate *g)
{
    return g->book->account[1];
}

static inline struct og_money usd(const char *text)
{
    struct og_money m;

    assert_true(og_money_read(text, strlen(text), &m));
    return m;
}

static inline enum og_status fill(struct gate *g, og_ticket t, int64_t executed, const char *price, int ms)
{
    return og_ticket_fill(g->book, t, executed, usd(price), START + ms * MS);
}

static inline void bp_is(const struct gate *g, const char *expected)
{
    assert_string_equal(og_money_text(og_facts_account(facts(g))->bp).s, expected);
}

/* Assert the quantities held long and short, then those of working orders: opening buys, opening sells, closing
 * buys, closing sells. */
static inline void holds(const struct gate *g, const char *symbol, const char *expected)
{
    static const struct og_holding none;
    const struct og_holding *known = og_facts_holding(facts(g), og_str_of(symbol)), *h = known ? known : &none;
    char text[200];

    snprintf(text, sizeof text, "%s %s, %s %s %s %s", og_money_text(h->held_long).s, og_money_text(h->held_short).s,
             og_money_text(h->opening_buy_leaves).s, og_money_text(h->opening_sell_leaves).s,
             og_money_text(h->closing_buys).s, og_money_text(h->closing_sells).s);
    assert_string_equal(text, expected);
}

#define STOCK(id, side, oc, quantity, limit)                                                    \
    "{\"securityType\":\"Stock\",\"symbol\":\"AAPL\",\"side\":\"" side "\",\"openClose\":\"" oc \
    "\",\"orderType\":\"Limit\",\"orderQuantity\":" quantity ",\"limitPrice\":" limit           \
    ",\"timeInForce\":\"Day\",\"clientOrderId\":\"" id "\"}"
#define OPTION(id, side, oc, quantity, limit)                                                        \
    "{\"securityType\":\"Option\",\"symbol\":\"" CALL "\",\"side\":\"" side "\",\"openClose\":\"" oc \
    "\",\"orderType\":\"Limit\",\"orderQuantity\":" quantity ",\"limitPrice\":" limit                \
    ",\"timeInForce\":\"Day\",\"clientOrderId\":\"" id "\"}"
#define SPREAD(id, quantity)                                                                               \
    "{\"securityType\":\"Mleg\",\"symbol\":\"AAPL\",\"orderType\":\"Limit\",\"orderQuantity\":" quantity   \
    ",\"limitPrice\":2,\"timeInForce\":\"Day\",\"clientOrderId\":\"" id "\",\"legs\":[{\"symbol\":\"" CALL \
    "\",\"side\":\"Buy\",\"ratio\":1,\"openClose\":\"Open\"},{\"symbol\":\"" CALL2                         \
    "\",\"side\":\"Sell\",\"ratio\":1,\"openClose\":\"Open\"}]}"
#define BP(amount) "\"account\":{\"account\":\"L1\",\"bp\":" amount ",\"overnightBp\":" amount "}"
#define NOTHING    BP("100000") ",\"positions\":[],\"orders\":[]"
