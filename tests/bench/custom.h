/*
 * A policy of 200 custom rules like those of real desks, each with other numbers and names; orders that none of them
 * refuses, and the facts they need.  The benchmark measures them, and a test counts their allocations.
 */
#pragma once

#include <stdio.h>

enum { CUSTOM_RULES = 200, CUSTOM_YAML = CUSTOM_RULES * 400 };

/* %d is the number of the rule. */
static const char *const custom_rules[] = {
    "when: order.action == \"Short\"\n    require: order.limitPrice >= 5.0 && !(order.symbol in [\"AMC\", \"GM%d\"])",
    "require: order.notional <= 250000 + %d",
    "when: order.symbol in lists.meme\n    require: order.orderQuantity <= 10%d",
    "when: session.open\n    require: session.minutesToClose > 0 || order.timeInForce != \"Day\" || "
    "order.orderQuantity < %d",
    "require: 'has(order.limitPrice) ? order.limitPrice < 10000.%d : order.orderType == \"Market\"'",
    "when: order.securityType == \"Option\"\n    require: order.daysToExpiry >= 1 && order.strike > 0.%d1",
    "when: order.strategy == \"iron-condor\"\n    require: order.maxLoss <= 50%d && order.legs.all(l, l.daysToExpiry > "
    "2)",
    "require: book.gross + order.notional <= account.equity * 4 + %d",
    "require: position.quantity + order.orderQuantity < 20000 + %d",
    "when: order.opens\n    require: counters.ordersLastMinute < 60%d && counters.ordersToday < 5000",
    "require: quote.ask - quote.bid <= quote.mid * 0.05 + 0.%d1",
    "when: order.side == \"Buy\"\n    require: order.limitPrice <= quote.last * 1.1 + %d",
    "require: '!order.symbol.matches(\"^ZZ%d[A-Z]+$\")'",
    "when: now.getHours() < 10\n    require: order.notional < 100000.%d",
    "require: order.legs.all(l, l.ratio <= 4 + %d)",
    "when: order.route == \"CTDL\" || !has(order.route)\n    require: order.orderQuantity < 5000 + %d",
    "require: '!(order.symbol in [\"A%d\", \"B\", \"C\", \"D\", \"E\", \"F1\", \"G\", \"H\", \"I\", \"J\", \"K\", "
    "\"L\"])'",
    "when: account.environment == \"live\"\n    require: account.bp >= 100 - %d",
    "require: order.orderQuantity %% 7 != 8 || order.clientOrderId.startsWith(\"x%d\")",
    "when: order.underlying == \"TSLA\"\n    require: order.notional / account.equity < 0.5%d",
};
#define CUSTOM_KINDS ((int)(sizeof custom_rules / sizeof *custom_rules))

static const char *const custom_orders[] = {
    "{\"securityType\":\"Stock\",\"symbol\":\"AAPL\",\"side\":\"Buy\",\"openClose\":\"Open\",\"orderType\":\"Limit\","
    "\"orderQuantity\":100,\"timeInForce\":\"Day\",\"limitPrice\":190.01,\"clientOrderId\":\"a1\",\"route\":\"SMART\"}",
    "{\"securityType\":\"Option\",\"symbol\":\"AAPL260220C00190000\",\"side\":\"Buy\",\"openClose\":\"Open\","
    "\"orderType\":"
    "\"Limit\",\"orderQuantity\":1,\"timeInForce\":\"Day\",\"limitPrice\":1.5,\"clientOrderId\":\"a2\","
    "\"route\":\"SMARTO\"}",
};

static const char custom_facts[] =
    "{\"asOf\":\"2026-01-15T14:59:59Z\",\"accountId\":\"L1\",\"account\":{\"account\":\"L1\","
    "\"accountStatus\":\"Active\","
    "\"accountType\":\"Live\",\"bp\":1000000,\"overnightBp\":1000000,\"equity\":500000,\"optLevel\":4},\"positions\":["
    "{\"symbol\":\"AAPL\",\"tradedSymbol\":\"AAPL\",\"securityType\":\"Stock\",\"side\":\"Long\",\"shares\":100,"
    "\"priceAvg\":180}],\"orders\":[],\"routes\":[],\"quotes\":{\"AAPL\":{\"bid\":189.98,\"ask\":190.02,\"last\":190},"
    "\"AAPL260220C00190000\":{\"bid\":1.4,\"ask\":1.45,\"last\":1.42}},\"usedClientOrderIds\":[],"
    "\"gate\":{\"ordersToday\":3}}";

/* Write the policy; returns its length.  yaml has CUSTOM_YAML bytes. */
static size_t custom_policy(char *yaml, const char *extends, int count)
{
    size_t len =
        (size_t)snprintf(yaml, CUSTOM_YAML, "ordergate: 1\nname: t\nextends: [%s]\nlists: {meme: [GME, AMC, BB]}\n%s",
                         extends, count ? "custom:\n" : "");

    for (int i = 0; i < count; i++) {
        char rule[300];

        /* each rule is a constant text with one number in it */
        snprintf(rule, sizeof rule, custom_rules[i % CUSTOM_KINDS], i);
        len += (size_t)snprintf(yaml + len, CUSTOM_YAML - len, "  - id: rule-%d\n    %s\n", i, rule);
    }
    return len;
}
