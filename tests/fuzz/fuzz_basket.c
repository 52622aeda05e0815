/*
 * Fuzz: a line as a basket, which is checked and reserved.  Bytes that are no basket are refused; all orders of a
 * basket are accepted or none, a check and a reservation say the same, and a refused basket leaves the book as it was.
 */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "ordergate/ordergate.h"

#define AT INT64_C(1768489200000000000) /* 2026-01-15T15:00:00Z */

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static const char facts[] =
    "{\"asOf\":\"2026-01-15T14:59:59Z\",\"accountId\":\"L1\",\"account\":{\"account\":\"L1\",\"accountStatus\":"
    "\"Active\",\"accountType\":\"Paper\",\"bp\":100000,\"overnightBp\":100000,\"optLevel\":4},\"positions\":["
    "{\"symbol\":\"F\",\"securityType\":\"Stock\",\"side\":\"Long\",\"shares\":100}],\"orders\":[],"
    "\"quotes\":{\"F\":{\"bid\":10,\"ask\":10.02,\"asOf\":\"2026-01-15T14:59:59Z\"}}}";
/* an order that is decided after each basket: anything that a refused basket left behind would change its decision */
static const char probe[] = "{\"clientOrderId\":\"probe\",\"securityType\":\"Stock\",\"symbol\":\"F\",\"side\":"
                            "\"Sell\",\"openClose\":\"Close\","
                            "\"orderType\":\"Limit\",\"limitPrice\":10,\"orderQuantity\":100,\"timeInForce\":\"Day\"}";

static struct og_scratch *scratch[OG_BASKET_MOST];
static struct og_decision checked[OG_BASKET_MOST], reserved[OG_BASKET_MOST];
static char text[1 << 18], before[1 << 16], after[1 << 16];

static void must(bool ok)
{
    if (!ok)
        abort();
}

static struct og_book *book_of(void)
{
    struct og_policy *policy;
    struct og_book *book;

    must(og_policy_load("default", &policy, NULL, NULL, NULL) == OG_OK);
    must(og_book_new(policy, &book) == OG_OK);
    must(og_book_apply(book, NULL, facts, sizeof facts - 1, "facts", NULL) == OG_OK);
    return book;
}

static void write_probe(struct og_book *book, struct og_order *order, char *to, size_t room)
{
    struct og_decision d;
    struct og_margin_info margin;
    size_t len;

    og_margin_ask(book, order, AT, scratch[0], &margin);
    og_check(book, order, AT, scratch[0], &d);
    d.margin = &margin;
    must(og_decision_write(&d, NULL, to, room, &len) == OG_OK);
}

static void decide(struct og_book *book, const struct og_basket *basket)
{
    const size_t count = og_basket_count(basket);
    struct og_order *const *orders = og_basket_orders(basket);
    og_ticket ticket[OG_BASKET_MOST];
    size_t len, accepted = 0;

    must(og_check_basket(book, orders, count, AT, scratch, checked) == OG_OK);
    for (size_t i = 0; i < count; i++) {
        must(og_decision_write(&checked[i], NULL, text, sizeof text, &len) == OG_OK);
        accepted += checked[i].accepted;
    }
    must(accepted == 0 || accepted == count);
    must(og_reserve_basket(book, orders, count, AT, scratch, reserved, ticket) == OG_OK);
    for (size_t i = 0; i < count; i++)
        must(reserved[i].accepted == (accepted > 0) && (ticket[i] != 0) == reserved[i].accepted);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct og_basket *basket = og_basket_new();
    struct og_order *order = og_order_new();
    struct og_book *book = book_of();
    struct og_decision d;
    size_t len;

    for (size_t i = 0; i < OG_BASKET_MOST; i++)
        must(scratch[i] || (scratch[i] = og_scratch_new()));
    must(basket && order && og_order_read(order, probe, sizeof probe - 1) == OG_OK);
    must(og_basket_read(basket, (const char *)data, size) == OG_OK);
    write_probe(book, order, before, sizeof before);
    if (og_basket_count(basket) == 0) {
        og_check(book, og_basket_line(basket), AT, scratch[0], &d);
        must(!d.accepted && og_decision_write(&d, NULL, text, sizeof text, &len) == OG_OK);
    } else {
        decide(book, basket);
    }
    write_probe(book, order, after, sizeof after);
    must((og_basket_count(basket) > 0 && reserved[0].accepted) || strcmp(before, after) == 0);
    og_book_free(book);
    og_order_free(order);
    og_basket_free(basket);
    return 0;
}
