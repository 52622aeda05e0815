/*
 * Accepted orders count in the rules even without a list of working orders: rules find what is certain, and are unsure
 * about what only the list could show.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "ordergate/ordergate.h"

#define NOON "2026-01-15T17:00:00Z"
#define FACTS                                                                                                   \
    "{\"accountId\":\"L1\",\"account\":{\"accountStatus\":\"Active\",\"accountType\":\"Live\",\"bp\":100000,"   \
    "\"optLevel\":4},\"positions\":[{\"symbol\":\"AAPL\",\"securityType\":\"Stock\",\"side\":\"Long\","         \
    "\"shares\":100}],\"borrow\":{\"GME\":false},\"locateInventory\":[{\"symbol\":\"GME\",\"available\":100}]," \
    "\"routes\":[{\"routeName\":\"SMART\",\"securityTypes\":[\"Stock\"],\"timesInForce\":[\"Day\"]}]}"
#define ORDER(id, symbol, side, open_close, quantity)                                                         \
    "{\"securityType\":\"Stock\",\"symbol\":\"" symbol "\",\"side\":\"" side "\",\"openClose\":\"" open_close \
    "\",\"orderType\":\"Limit\",\"limitPrice\":10,\"orderQuantity\":" quantity                                \
    ",\"timeInForce\":\"Day\",\"route\":\"SMART\",\"clientOrderId\":\"" id "\"}"

static const struct {
    const char *first, *second, *reason;
    enum og_level level;
    int unsure; /* number of unsure findings for the reason */
} cases[] = {
    { ORDER("a1", "MSFT", "Sell", "Open", "10"), ORDER("a2", "MSFT", "Buy", "Open", "10"), "opposite-opening-orders",
      OG_LEVEL_REFUSE, 0 },
    { ORDER("a1", "MSFT", "Buy", "Open", "10"), ORDER("a2", "MSFT", "Buy", "Open", "10"), "opposite-opening-orders",
      OG_LEVEL_WARN, 1 },
    { ORDER("a1", "MSFT", "Buy", "Open", "10"), ORDER("a1", "MSFT", "Buy", "Open", "10"), "client-order-id-reused",
      OG_LEVEL_REFUSE, 0 },
    { ORDER("a1", "MSFT", "Buy", "Open", "10"), ORDER("a2", "MSFT", "Buy", "Open", "10"), "client-order-id-reused",
      OG_LEVEL_INFO, 1 },
    { ORDER("a1", "AAPL", "Sell", "Close", "60"), ORDER("a2", "AAPL", "Sell", "Close", "41"), "close-exceeds-position",
      OG_LEVEL_WARN, 0 },
    { ORDER("a1", "AAPL", "Sell", "Close", "60"), ORDER("a2", "AAPL", "Sell", "Close", "40"), "close-exceeds-position",
      OG_LEVEL_WARN, 1 },
    { ORDER("a1", "AAPL", "Sell", "Close", "60"), ORDER("a2", "AAPL", "Sell", "Close", "100"),
      "flatten-with-working-orders", OG_LEVEL_WARN, 0 },
    { ORDER("a1", "GME", "Sell", "Open", "60"), ORDER("a2", "GME", "Sell", "Open", "41"), "short-locate-insufficient",
      OG_LEVEL_REFUSE, 0 },
    { ORDER("a1", "GME", "Sell", "Open", "60"), ORDER("a2", "GME", "Sell", "Open", "40"), "short-locate-insufficient",
      OG_LEVEL_WARN, 1 },
    { ORDER("a1", "MSFT", "Buy", "Open", "9000"), ORDER("a2", "MSFT", "Buy", "Open", "1001"), "buying-power-exceeded",
      OG_LEVEL_REFUSE, 0 },
};

static struct og_book *new_book(void)
{
    struct og_error err = { 0 };
    struct og_policy *policy;
    struct og_book *book;

    assert_int_equal(og_policy_load("default", &policy, NULL, NULL, &err), OG_OK);
    assert_int_equal(og_book_new(policy, &book), OG_OK);
    assert_int_equal(og_book_apply(book, NULL, FACTS, strlen(FACTS), "facts", &err), OG_OK);
    return book;
}

static const struct og_finding *finding(const struct og_decision *d, const char *reason)
{
    for (int i = 0; i < d->count; i++)
        if (strcmp(d->findings[i].reason, reason) == 0)
            return &d->findings[i];
    return NULL;
}

static void what_was_accepted_counts(void **state)
{
    struct og_scratch *scratch = og_scratch_new();
    struct og_order *order = og_order_new();
    int64_t now;

    (void)state;
    assert_true(og_time_read(NOON, strlen(NOON), &now));
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct og_book *book = new_book();
        const struct og_finding *f;
        struct og_decision d;
        og_ticket ticket;

        assert_int_equal(og_order_read(order, cases[i].first, strlen(cases[i].first)), OG_OK);
        assert_int_equal(og_reserve(book, order, now, scratch, &d, &ticket), OG_OK);
        assert_true(d.accepted);
        assert_int_equal(og_order_read(order, cases[i].second, strlen(cases[i].second)), OG_OK);
        og_check(book, order, now, scratch, &d);
        f = finding(&d, cases[i].reason);
        if (!f || f->level != cases[i].level || f->unsure != (cases[i].unsure != 0))
            fail_msg("case %zu: %s %s", i, cases[i].reason, f ? f->message : "not found");
        og_book_free(book);
    }
    og_order_free(order);
    og_scratch_free(scratch);
}

int main(void)
{
    const struct CMUnitTest tests[] = { cmocka_unit_test(what_was_accepted_counts) };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
