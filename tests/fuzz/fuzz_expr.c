/*
 * Fuzz: bytes as an expression and as a message.  What is taken is evaluated over stock and over a spread, within its own
 * count of steps, and read back from its text it comes to the same; what is refused says why, at a place within the text.
 */
#include "fuzz.h"

#include "check/book.h"
#include "expr/expr.h"
#include "ordergate/ordergate.h"

#include <string.h>

#define AT INT64_C(1768489200000000000) /* 2026-01-15T15:00:00Z */
#define CASES 3

static const char *const orders[CASES] = {
    "{\"securityType\":\"Stock\",\"symbol\":\"GME\",\"side\":\"Sell\",\"openClose\":\"Open\",\"orderType\":\"Limit\","
    "\"orderQuantity\":100,\"timeInForce\":\"Day\",\"limitPrice\":4.995,\"clientOrderId\":\"a1\"}",
    "{\"securityType\":\"Mleg\",\"symbol\":\"GME\",\"orderType\":\"Limit\",\"orderQuantity\":2,\"timeInForce\":\"Day\","
    "\"limitPrice\":0.4,\"legs\":[{\"symbol\":\"GME260116P00005000\",\"side\":\"Buy\",\"ratio\":1,\"openClose\":\"Open\"},"
    "{\"symbol\":\"GME260116P00005500\",\"side\":\"Sell\",\"ratio\":1,\"openClose\":\"Open\"}]}",
    "{\"symbol\":7,\"limitPrice\":\"x\"}",
};
static const char facts[] =
    "{\"asOf\":\"2026-01-15T14:59:58Z\",\"accountId\":\"L1\",\"account\":{\"equity\":5000,\"bp\":100},\"positions\":[],"
    "\"orders\":[],\"quotes\":{\"GME\":{\"bid\":5,\"ask\":5.01}},\"borrow\":{\"GME\":true}}";

static struct og_case cases[CASES];
static struct og_expr_room room;
static struct og_book *book;

static void set_up(void)
{
    static const char yaml[] = "ordergate: 1\nname: t\nextends: []\n";
    struct og_policy *policy;

    DEMAND(og_policy_read(yaml, sizeof yaml - 1, "t", &policy, NULL, NULL, NULL) == OG_OK);
    DEMAND(og_book_new(policy, &book) == OG_OK);
    DEMAND(og_book_apply(book, NULL, facts, sizeof facts - 1, "facts", NULL) == OG_OK);
    for (int i = 0; i < CASES; i++) {
        struct og_scratch *scratch = og_scratch_new();
        struct og_order *order = og_order_new();

        DEMAND(scratch && order && og_order_read(order, orders[i], strlen(orders[i])) == OG_OK);
        og_book_case(book, order, AT, scratch, &cases[i]);
        room.patterns = scratch->room;
    }
}

static void check_fault(const struct og_expr_fault *f, size_t size)
{
    DEMAND(f->code && f->text[0] && f->at <= size);
}

static void check_value(const struct og_expr *e, const struct og_expr *again, const struct og_case *c)
{
    static char first[4096], second[4096];
    struct og_buf a, b;
    struct og_expr_value v;

    og_buf_init_fixed(&a, first, sizeof first);
    og_buf_init_fixed(&b, second, sizeof second);
    v = og_expr_value_of(e, c, &room);
    og_expr_value_text(v, og_expr_type_of(e), &a);
    if (v.state) {
        struct og_expr_why why = { v.state, v.as.why.cause, v.as.why.fact, v.as.why.name };

        og_expr_why_text(&why, c, &b);
        DEMAND(b.len > 0);
        og_buf_reset(&b);
    }
    og_expr_value_text(og_expr_value_of(again, c, &room), og_expr_type_of(again), &b);
    DEMAND(a.len == b.len && memcmp(first, second, a.len) == 0);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static bool ready;
    struct og_str words[] = { OG_STR("GME"), OG_STR("AMC") };
    struct og_expr_list list = { .name = OG_STR("meme"), .words = { .word = words, .count = 2 } };
    struct og_expr_names names = { &list, 1 };
    struct og_str text = { (const char *)data, size };
    struct og_patterns *patterns = NULL;
    const struct og_expr_message *m;
    const struct og_expr *e, *again;
    struct og_expr_fault fault;
    struct og_arena arena;
    static char said[1024];
    struct og_buf b;

    if (!ready)
        set_up();
    ready = true;
    og_arena_init(&arena, 0);
    e = og_expr_compile(text, OG_EXPR_ANY, &names, &arena, &patterns, &fault);
    if (e) {
        DEMAND(og_expr_cost(e) <= OG_EXPR_COST_MOST);
        again = og_expr_compile(og_expr_text(e), OG_EXPR_ANY, &names, &arena, &patterns, &fault);
        DEMAND(again);
        for (int i = 0; i < CASES; i++)
            check_value(e, again, &cases[i]);
    } else {
        check_fault(&fault, size);
    }
    m = og_expr_message_compile(text, &names, &arena, &patterns, &fault);
    for (int i = 0; m && i < CASES; i++) {
        og_buf_init_fixed(&b, said, sizeof said);
        og_expr_message_render(m, &cases[i], &room, &b);
    }
    if (!m)
        check_fault(&fault, size);
    for (; patterns; patterns = patterns->next)
        og_pattern_free(patterns->pattern);
    og_arena_clear(&arena);
    return 0;
}
