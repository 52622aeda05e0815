/*
 * Helpers for tests of lint's prover: random orders, valid and invalid, with many or few facts. Only orders are used
 * whose form the rules of the register accept.
 */
#pragma once

#include <stdio.h>

#include "check/book.h"
#include "ordergate/ordergate.h"
#include "unit.h"

static uint64_t lint_seed = 88172645463325252u;

static unsigned below(unsigned n)
{
    lint_seed ^= lint_seed << 13;
    lint_seed ^= lint_seed >> 7;
    lint_seed ^= lint_seed << 17;
    return (unsigned)(lint_seed % n);
}
static bool chance(unsigned percent)
{
    return below(100) < percent;
}
#define PICK(table) ((table)[below(COUNT(table))])

/* Returns a size from the environment, for larger runs on demand. */
static long lint_size(const char *name, long fallback)
{
    const char *s = getenv(name);

    return s && *s ? strtol(s, NULL, 10) : fallback;
}

/* --- worlds ------------------------------------------------------------------------------------------------------- */

static const char *const lint_instants[] = {
    "2026-01-15T15:00:00Z", /* a Thursday, in session */
    "2026-01-15T20:59:30Z", /* half a minute to the close */
    "2026-01-15T13:00:00Z", /* before the open */
    "2026-01-17T15:00:00Z", /* a Saturday */
    "2026-11-27T15:00:00Z", /* closes early */
    "2026-11-27T19:30:00Z", /* after that */
    "2036-03-03T15:00:00Z", /* beyond the calendar */
};

#define LINT_ACCOUNT(type)                                                                                    \
    "\"account\":{\"account\":\"A1\",\"accountStatus\":\"Active\",\"accountType\":\"" type "\",\"bp\":50000," \
    "\"overnightBp\":25000,\"availableCash\":20000,\"equity\":40000,\"sodEquity\":41000,\"optLevel\":2,"      \
    "\"optionTradingLevel\":3,\"marginDeficit\":0,\"maintenanceDeficit\":0}"

static const char *const lint_facts[] = {
    "{\"accountId\":\"A1\",\"asOf\":\"%s\"," LINT_ACCOUNT(
        "Live") ",\"positions\":[{\"symbol\":\"GME\",\"securityType\":\"Stock\",\"side\":\"Long\",\"shares\":150,"
                "\"averageCost\":10}],"
                "\"orders\":[],\"quotes\":{\"GME\":{\"bid\":4.99,\"ask\":5.01,\"last\":5},\"AMC\":{\"bid\":99.99,"
                "\"ask\":100.01,\"last\":100},"
                "\"GME260116C00005000\":{\"bid\":0.5,\"ask\":0.52,\"last\":0.5}},\"borrow\":{\"GME\":true,\"AMC\":"
                "false},"
                "\"averageVolume\":{\"GME\":1000000},\"locateInventory\":[],\"locateHistory\":[],\"pnl\":{\"dayPnl\":-"
                "120},"
                "\"gate\":{\"ordersLastSecond\":1,\"ordersLastMinute\":5,\"ordersToday\":9,\"rejectionsInARow\":0,"
                "\"trading\":\"on\"}}",
    "{\"accountId\":\"A1\",\"asOf\":\"%s\"," LINT_ACCOUNT(
        "Paper") ",\"positions\":[],\"orders\":[],"
                 "\"quotes\":{\"GME\":{\"bid\":4.99},\"AMC\":{\"ask\":100.01,\"last\":100}},\"pnl\":{\"dayPnl\":50}}",
    "{\"accountId\":\"A2\",\"asOf\":\"%s\",\"account\":{\"account\":\"A2\",\"accountStatus\":\"Active\"}}",
    "",
    /* an account with a deficit, and a market whose bid is above its ask */
    "{\"accountId\":\"A2\",\"asOf\":\"%s\",\"account\":{\"account\":\"A2\",\"accountStatus\":\"Active\",\"bp\":-10,"
    "\"equity\":-500.5},"
    "\"positions\":[{\"symbol\":\"AMC\",\"securityType\":\"Stock\",\"side\":\"Short\",\"shares\":50,\"averageCost\":10}"
    "],\"orders\":[],"
    "\"quotes\":{\"GME\":{\"bid\":5.01,\"ask\":4.99,\"last\":5},\"AMC\":{\"bid\":0,\"ask\":0.01,\"last\":0.5},"
    "\"SPY\":{\"bid\":0.01,\"ask\":0.01,\"last\":0.01}},\"averageVolume\":{\"AMC\":0},\"pnl\":{\"dayPnl\":-700}}",
};
enum { LINT_LIVE, LINT_PAPER, LINT_POOR, LINT_NONE, LINT_DEBT };

/* --- orders ------------------------------------------------------------------------------------------------------- */

static const char *const lint_symbols[] = { "GME", "AMC", "SPY", "BRK.B", "gme", "A" };
static const char *const lint_contracts[] = { "GME260116C00005000", "AMC260116P00100000", "SPY270115C00500000",
                                              "GME260220P00004500" };
static const char *const lint_prices[] = {
    "0.5", "4", "5", "5.01", "99.99", "100", "250.5", "10000", "0", "-1", "75.25"
};
static const char *const lint_quantities[] = { "1",   "2",   "10",   "99",   "100",   "101",    "499",
                                               "500", "501", "1000", "1001", "20000", "1000000" };

static void put_legs(char *to, size_t size)
{
    static const char *const sides[] = { "Buy", "Sell" }, *const open_closes[] = { "Open", "Close" };
    unsigned shape = below(4);
    const char *root = PICK(lint_symbols), *oc = PICK(open_closes), *first = PICK(sides);
    const char *second = strcmp(first, "Buy") == 0 ? "Sell" : "Buy";

    if (shape == 0) /* covered call */
        snprintf(to, size,
                 ",\"legs\":[{\"symbol\":\"%s\",\"side\":\"Buy\",\"ratio\":100,\"openClose\":\"%s\"},"
                 "{\"symbol\":\"%s260116C00005000\",\"side\":\"Sell\",\"ratio\":1,\"openClose\":\"%s\"}]",
                 root, oc, root, oc);
    else
        snprintf(to, size,
                 ",\"legs\":[{\"symbol\":\"%s260116%c00005000\",\"side\":\"%s\",\"ratio\":1,\"openClose\":\"%s\"},"
                 "{\"symbol\":\"%s260116%c00006000\",\"side\":\"%s\",\"ratio\":1,\"openClose\":\"%s\"}]",
                 root, shape == 1 ? 'C' : 'P', first, oc, root, shape == 1 ? 'C' : 'P', second,
                 chance(85) ? oc : PICK(open_closes));
}

/* Most orders are valid; some have fields that their kind does not have. */
static void lint_order(char *to, size_t size)
{
    static const char *const securities[] = { "Stock", "Option", "Mleg" }, *const types[] = { "Market", "Limit", "Stop",
                                                                                              "StopLimit" };
    static const char *const tifs[] = { "Day", "Day", "GoodTillCancel", "ImmediateOrCancel", "Day_Plus" };
    unsigned security = below(3), type = below(4);
    char legs[600] = "", at[900];
    size_t len;

    len = (size_t)snprintf(
        at, sizeof at,
        "{\"securityType\":\"%s\",\"symbol\":\"%s\",\"orderType\":\"%s\",\"orderQuantity\":%s,\"timeInForce\":\"%s\"",
        securities[security], security == 1 ? PICK(lint_contracts) : PICK(lint_symbols), types[type],
        PICK(lint_quantities), PICK(tifs));
    if ((security != 2) != chance(3))
        len += (size_t)snprintf(at + len, sizeof at - len, ",\"side\":\"%s\"", chance(50) ? "Buy" : "Sell");
    if (security == 2 ? chance(8) : chance(security == 1 ? 85 : 98))
        len += (size_t)snprintf(at + len, sizeof at - len, ",\"openClose\":\"%s\"", chance(50) ? "Open" : "Close");
    if ((type == 1 || type == 3) ? chance(98) : chance(8))
        len += (size_t)snprintf(at + len, sizeof at - len, ",\"limitPrice\":%s", PICK(lint_prices));
    if ((type == 2 || type == 3) ? chance(95) : chance(8))
        len += (size_t)snprintf(at + len, sizeof at - len, ",\"stopPrice\":%s", PICK(lint_prices));
    if (chance(60))
        len += (size_t)snprintf(at + len, sizeof at - len, ",\"clientOrderId\":\"c%u\"", below(9));
    if (chance(40))
        snprintf(at + len, sizeof at - len, ",\"route\":\"%s\"", chance(80) ? "SMART" : "");
    if (security == 2 ? chance(98) : chance(6))
        put_legs(legs, sizeof legs);
    snprintf(to, size, "%s%s}", at, legs);
}

/* --- which orders the service accepts ----------------------------------------------------------------------------- */

struct lint_world {
    struct og_book *book;
    struct og_scratch *scratch;
    struct og_order *order;
    struct og_case is;
    struct og_decision decision;
    char line[1600], facts[2000];
    int facts_no, instant;
    bool clean; /* the order has no field that the service ignores */
};

static void lint_world_open(struct lint_world *w)
{
    *w = (struct lint_world){ .scratch = og_scratch_new(), .order = og_order_new() };
    assert_true(w->scratch && w->order);
}

static void lint_world_close(struct lint_world *w)
{
    og_book_free(w->book);
    og_scratch_free(w->scratch);
    og_order_free(w->order);
}

/* Returns true if the broker would accept the form of the order; rules that depend on the day or the market do not
 * count. */
static bool is_of_the_service(struct lint_world *w, const struct og_decision *d)
{
    static const char *const form[] = { "order-form",  "request-fields", "order-quantity", "symbol-form",  "occ-symbol",
                                        "limit-price", "stop-price",     "mleg-structure", "time-in-force" };
    static const char *const of_the_day[] = { "option-contract-expired", "option-expiry-not-session",
                                              "stop-wrong-side-of-quote" };
    static const char *const ignored[] = { "price-ignored", "price-zero-ignored", "legs-on-single",
                                           "mleg-root-open-close" };

    w->clean = true;
    for (int i = 0; i < d->count; i++) {
        bool bad = false;

        for (size_t k = 0; k < COUNT(form); k++)
            bad |= d->findings[i].level == OG_LEVEL_REFUSE && strcmp(d->findings[i].rule, form[k]) == 0;
        for (size_t k = 0; k < COUNT(of_the_day); k++)
            bad &= strcmp(d->findings[i].reason, of_the_day[k]) != 0;
        for (size_t k = 0; k < COUNT(ignored); k++)
            w->clean &= strcmp(d->findings[i].reason, ignored[k]) != 0;
        if (bad)
            return false;
    }
    return true;
}

/* Make another random order with random facts, decided under the given policy. Returns false if the broker would not
 * accept the form of the order. */
static bool lint_world_next(struct lint_world *w, const char *yaml)
{
    struct og_policy *policy;
    int64_t now;
    enum og_status status;
    struct og_error err = { 0 };

    w->facts_no = (int)below(COUNT(lint_facts));
    w->instant = (int)below(COUNT(lint_instants));
    snprintf(w->facts, sizeof w->facts, lint_facts[w->facts_no], lint_instants[w->instant]);
    lint_order(w->line, sizeof w->line);
    assert_int_equal(og_order_read(w->order, w->line, strlen(w->line)), OG_OK);
    og_book_free(w->book);
    assert_int_equal(og_policy_read(yaml, strlen(yaml), "t", &policy, NULL, NULL, NULL), OG_OK);
    assert_int_equal(og_book_new(policy, &w->book), OG_OK);
    status = w->facts[0] ? og_book_apply(w->book, NULL, w->facts, strlen(w->facts), "facts", &err) : OG_OK;
    if (status != OG_OK)
        fail_msg("%s: %s", w->facts, err.text);
    assert_true(og_time_read(lint_instants[w->instant], strlen(lint_instants[w->instant]), &now));
    og_book_case(w->book, w->order, now, w->scratch, &w->is);
    og_check_case(policy, &w->is, w->scratch, &w->decision);
    return is_of_the_service(w, &w->decision);
}

/* --- expressions -------------------------------------------------------------------------------------------------- */

static const char *const lint_atoms[] = {
    "order.securityType == \"Stock\"",
    "order.securityType == \"Option\"",
    "order.securityType != \"Mleg\"",
    "order.securityType in [\"Stock\", \"Mleg\"]",
    "order.side == \"Buy\"",
    "order.side != \"Sell\"",
    "order.openClose == \"Open\"",
    "order.openClose == \"Close\"",
    "order.orderType == \"Market\"",
    "order.orderType == \"StopLimit\"",
    "order.orderType in [\"Limit\", \"Stop\"]",
    "order.action == \"Short\"",
    "order.action in [\"Buy\", \"Cover\"]",
    "order.action != \"Sell\"",
    "order.opens",
    "order.reduces",
    "order.timeInForce == \"Day\"",
    "order.timeInForce != \"GoodTillCancel\"",
    "order.orderQuantity > 100",
    "order.orderQuantity <= 500",
    "order.orderQuantity == 1000",
    "order.orderQuantity < 1",
    "order.orderQuantity != 100",
    "order.orderQuantity in [1, 10]",
    "order.contracts > 0",
    "order.contracts == 0",
    "order.contracts >= 100",
    "order.limitPrice > 5",
    "order.limitPrice <= 100",
    "order.limitPrice <= 0",
    "order.limitPrice == 4.0",
    "order.limitPrice >= 10000",
    "order.stopPrice > 5",
    "order.stopPrice <= 0",
    "order.stopPrice < 100",
    "has(order.limitPrice)",
    "has(order.stopPrice)",
    "has(order.strike)",
    "has(order.legs)",
    "has(order.side)",
    "has(order.openClose)",
    "has(order.route)",
    "has(order.clientOrderId)",
    "has(order.maxLoss)",
    "has(order.price)",
    "order.price > 5",
    "order.price <= 0",
    "order.notional > 50000",
    "order.notional <= 1000.5",
    "order.notional < 0",
    "order.strike >= 5",
    "order.right == \"Call\"",
    "order.daysToExpiry < 30",
    "order.expiry == \"2026-01-16\"",
    "order.strategy == \"call-vertical\"",
    "order.strategy == \"none\"",
    "order.direction == \"credit\"",
    "order.direction != \"undetermined\"",
    "order.maxLoss > 100",
    "order.maxProfit < 0",
    "order.symbol == \"GME\"",
    "order.symbol in [\"AMC\", \"SPY\"]",
    "order.symbol != \"GME\"",
    "order.symbol.startsWith(\"GM\")",
    "order.symbol.matches(\"^[A-Z]+$\")",
    "order.symbol == \"GME260116C00005000\"",
    "order.underlying == \"GME\"",
    "order.underlying in [\"AMC\", \"BRK.B\"]",
    "order.underlying.endsWith(\"E\")",
    "order.route == \"SMART\"",
    "size(order.legs) > 2",
    "order.legs.exists(l, l.right == \"Put\")",
    "order.legs.all(l, l.side == \"Buy\")",
    "order.legs.exists(l, l.action == \"Short\" && l.openClose == \"Close\")",
    "order.legs.all(l, has(l.strike))",
    "order.legs.exists(l, l.ratio == 100 && has(l.right))",
    "order.legs.exists(l, l.ratio > 100)",
    "order.legs.all(l, l.strike > 5)",
    "order.legs.exists_one(l, l.side == \"Sell\")",
    "session.open",
    "session.kind == \"closed\"",
    "session.kind != \"full\"",
    "session.earlyClose",
    "session.minutesToClose < 30",
    "session.minutesToClose > 400",
    "session.minutesFromOpen >= 0",
    "has(session.minutesToClose)",
    "account.environment == \"live\"",
    "account.environment != \"paper\"",
    "account.id == \"A1\"",
    "account.equity > 30000",
    "has(account.equity)",
    "account.optLevel >= 3",
    "account.optLevel < 0",
    "position.long >= 0",
    "position.long > 100",
    "quote.bid > 5",
    "quote.ask > quote.bid",
    "has(quote.last)",
    "counters.ordersToday < 5",
    "counters.dayPnl < 0",
    "borrow.easy",
    "locates.available >= order.orderQuantity",
    "order.limitPrice * order.orderQuantity > 1000",
    "order.limitPrice * order.orderQuantity <= 500.5",
    "position.long + order.orderQuantity <= 200",
    "position.long + order.orderQuantity > 1000",
    "order.orderQuantity <= (order.opens ? 100 : 500)",
    "order.notional > (order.securityType == \"Option\" ? 1000.5 : 50000.0)",
    "(session.open ? 5 : 10) < order.limitPrice",
    "order.timeInForce == (order.orderType == \"Market\" ? \"Day\" : \"GoodTillCancel\")",
    "order.limitPrice * 2 > 10",
    "order.limitPrice > quote.bid",
    "order.stopPrice + 1 > 6",
    "now > timestamp(\"2026-06-01T00:00:00Z\")",
    "now <= timestamp(\"2026-01-16T00:00:00Z\")",
    "true",
    "false",
};

static inline size_t put_expression(char *to, size_t size, unsigned depth)
{
    unsigned what = depth ? below(12) : 0;
    size_t len = 0;

    if (what < 3)
        return (size_t)snprintf(to, size, "%s", PICK(lint_atoms));
    if (what < 5) {
        len = (size_t)snprintf(to, size, "!(");
        len += put_expression(to + len, size - len, depth - 1);
    } else if (what < 11) {
        len = (size_t)snprintf(to, size, "(");
        len += put_expression(to + len, size - len, depth - 1);
        len += (size_t)snprintf(to + len, size - len, what < 9 ? " && " : " || ");
        len += put_expression(to + len, size - len, depth - 1);
    } else {
        len = (size_t)snprintf(to, size, "(");
        len += put_expression(to + len, size - len, depth - 1);
        len += (size_t)snprintf(to + len, size - len, " ? ");
        len += put_expression(to + len, size - len, depth - 1);
        len += (size_t)snprintf(to + len, size - len, " : ");
        len += put_expression(to + len, size - len, depth - 1);
    }
    return len + (size_t)snprintf(to + len, size - len, ")");
}
