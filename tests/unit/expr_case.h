/*
 * Helpers for tests of expressions: a book with facts, an order, and the case made of them.
 */
#pragma once

#include "check/book.h"
#include "expr/expr.h"
#include "ordergate/ordergate.h"
#include "unit.h"

struct expr_case {
    struct og_book *book;
    struct og_scratch *scratch;
    struct og_order *order;
    struct og_expr_room *room;
    struct og_arena arena;
    struct og_patterns *patterns;
    struct og_case is;
};

#define EXPR_ORDER                                                                                                     \
    "{\"securityType\":\"Stock\",\"symbol\":\"GME\",\"side\":\"Sell\",\"openClose\":\"Open\",\"orderType\":\"Limit\"," \
    "\"orderQuantity\":100,\"timeInForce\":\"Day\",\"limitPrice\":4.995,\"clientOrderId\":\"a1\"}"
#define EXPR_SPREAD                                                                                               \
    "{\"securityType\":\"Mleg\",\"symbol\":\"GME\",\"orderType\":\"Limit\",\"orderQuantity\":2,\"timeInForce\":"  \
    "\"Day\","                                                                                                    \
    "\"limitPrice\":0.4,\"legs\":[{\"symbol\":\"GME260116P00005000\",\"side\":\"Buy\",\"ratio\":1,\"openClose\":" \
    "\"Open\"},"                                                                                                  \
    "{\"symbol\":\"GME260116P00005500\",\"side\":\"Sell\",\"ratio\":1,\"openClose\":\"Open\"}]}"

static void expr_case_open(struct expr_case *e, const char *order, const char *facts)
{
    static const char yaml[] = "ordergate: 1\nname: t\nextends: []\n";
    struct og_policy *policy;
    int64_t now;

    *e = (struct expr_case){ .scratch = og_scratch_new(), .order = og_order_new(), .room = calloc(1, sizeof *e->room) };
    assert_true(e->scratch && e->order && e->room);
    assert_int_equal(og_policy_read(yaml, sizeof yaml - 1, "t", &policy, NULL, NULL, NULL), OG_OK);
    assert_int_equal(og_book_new(policy, &e->book), OG_OK);
    if (facts)
        assert_int_equal(og_book_apply(e->book, NULL, facts, strlen(facts), "facts", NULL), OG_OK);
    assert_int_equal(og_order_read(e->order, order, strlen(order)), OG_OK);
    assert_true(og_time_read("2026-01-15T15:00:00Z", 20, &now));
    og_arena_init(&e->arena, 0);
    e->room->patterns = e->scratch->room;
    og_book_case(e->book, e->order, now, e->scratch, &e->is);
}

static void expr_case_close(struct expr_case *e)
{
    for (struct og_patterns *p = e->patterns; p; p = p->next)
        og_pattern_free(p->pattern);
    og_arena_clear(&e->arena);
    og_book_free(e->book);
    og_scratch_free(e->scratch);
    og_order_free(e->order);
    free(e->room);
}
