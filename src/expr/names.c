/*
 * The table of names: what expressions may use, with type, unit, and the facts and fields that each value comes from.
 * A test compares it with the manual's list.
 */
#include "expr/names.h"

#include <stddef.h>

#include "ordergate/expressions.h"

#include "base/banned.h"

#define STR     OG_TYPE_STRING
#define BOOL    OG_TYPE_BOOL
#define INT     OG_TYPE_INT
#define DEC     OG_TYPE_DECIMAL
#define SYMBOL  "/symbol"
#define HELD    OG_FACT_POSITIONS
#define WORKING OG_FACT_ORDERS
#define BOTH    (OG_FACT_POSITIONS | OG_FACT_ORDERS)

/* Macros for the groups of names. */
#define KEY(name, key, help)                                                    \
    {                                                                           \
        { "order." name, STR, "", 0, "/" name, help }, og_expr_get_text, key, 0 \
    }
#define ORDER(name, type, unit, field, key, help)                                \
    {                                                                            \
        { "order." name, type, unit, 0, field, help }, og_expr_get_order, key, 0 \
    }
#define CONTRACT(name, type, unit, key, help)                                        \
    {                                                                                \
        { "order." name, type, unit, 0, SYMBOL, help }, og_expr_get_contract, key, 0 \
    }
#define ACCOUNT(name, type, facts, key, help)                                       \
    {                                                                               \
        { "account." name, type, "", facts, "", help }, og_expr_get_account, key, 0 \
    }
#define MONEY(name, field, help)                                                                    \
    {                                                                                               \
        { "account." name, DEC, "dollars", OG_FACT_ACCOUNT, "", help }, og_expr_get_account_number, \
            (int)offsetof(struct og_account, field), 0                                              \
    }
#define POSITION(name, type, unit, facts, key, help)                                        \
    {                                                                                       \
        { "position." name, type, unit, facts, SYMBOL, help }, og_expr_get_position, key, 0 \
    }
#define BOOK(name, type, unit, facts, field, key, help)                            \
    {                                                                              \
        { "book." name, type, unit, facts, field, help }, og_expr_get_book, key, 0 \
    }
#define QUOTE(name, type, unit, key, help)                                                    \
    {                                                                                         \
        { "quote." name, type, unit, OG_FACT_QUOTE, SYMBOL, help }, og_expr_get_quote, key, 0 \
    }
#define SESSION(name, type, unit, key, help)                                      \
    {                                                                             \
        { "session." name, type, unit, 0, "", help }, og_expr_get_session, key, 0 \
    }
#define SENT(name, key, help)                                                                            \
    {                                                                                                    \
        { "counters." name, INT, "orders", OG_FACT_GATE, "", help }, og_expr_get_sent, key, OG_FACT_GATE \
    }
#define PNL(name, key, help)                                                                 \
    {                                                                                        \
        { "counters." name, DEC, "dollars", OG_FACT_PNL, "", help }, og_expr_get_pnl, key, 0 \
    }

const struct og_expr_named og_expr_named[] = {
    KEY("securityType", OG_KEY_SECURITY_TYPE, "Stock, Option or Mleg"),
    KEY("symbol", OG_KEY_SYMBOL,
        "the ticker, the OCC symbol of a contract, or the underlying of a spread; always in capitals"),
    KEY("side", OG_KEY_SIDE, "Buy or Sell; \"\" for a spread"),
    KEY("openClose", OG_KEY_OPEN_CLOSE,
        "Open or Close; \"\" for a spread, and for an option that leaves it to the brokerage"),
    KEY("orderType", OG_KEY_ORDER_TYPE, "Market, Limit, Stop or StopLimit"),
    { { "order.orderQuantity", INT, "shares, contracts or spreads", 0, "/orderQuantity", "how many" },
      og_expr_get_quantity,
      0,
      0 },
    ORDER("contracts", INT, "contracts", "/orderQuantity", OG_OF_CONTRACTS_TRADED,
          "how many contracts it trades, for a spread in all legs together; 0 for stock"),
    KEY("timeInForce", OG_KEY_TIME_IN_FORCE, "Day, GoodTillCancel, ..."),
    { { "order.limitPrice", DEC, "dollars a share", 0, "/limitPrice",
        "its limit; for a spread the net price; no value without one" },
      og_expr_get_price,
      OG_KEY_LIMIT_PRICE,
      0 },
    { { "order.stopPrice", DEC, "dollars a share", 0, "/stopPrice", "its stop; no value without one" },
      og_expr_get_price,
      OG_KEY_STOP_PRICE,
      0 },
    KEY("clientOrderId", OG_KEY_CLIENT_ORDER_ID, "the id the sender gave it; \"\" for none"),
    KEY("route", OG_KEY_ROUTE, "where it is sent; \"\" for none"),
    ORDER("legs", OG_TYPE_LIST | OG_TYPE_LEG, "", "/legs", OG_OF_LEGS,
          "the legs of a spread; for other orders the empty list"),
    ORDER("action", STR, "", "/side", OG_OF_ACTION,
          "Buy (opens long), Sell (closes long), Short (opens short), Cover (closes short); \"\" for a spread, whose "
          "legs have their own"),
    ORDER("opens", BOOL, "", "/openClose", OG_OF_OPENS,
          "it may open a position: it, or some leg of a spread, does not say Close"),
    { { "order.reduces", BOOL, "", BOTH, "/openClose",
        "all of it closes a position, and no more than is held and not being closed by other orders" },
      og_expr_get_order,
      OG_OF_REDUCES,
      BOTH },
    { { "order.price", DEC, "dollars a share", OG_FACT_QUOTE, "/limitPrice",
        "price that a share is valued at: the limit of a buy, else the greatest of its prices and the quote; for a "
        "spread the limit without its sign" },
      og_expr_get_order,
      OG_OF_PRICE,
      OG_FACT_QUOTE },
    { { "order.notional", DEC, "dollars", OG_FACT_QUOTE, "/orderQuantity",
        "worth in the worst case, x 100 for contracts: what it buys or sells for; for a spread what it can lose" },
      og_expr_get_order,
      OG_OF_NOTIONAL,
      OG_FACT_QUOTE },
    { { "order.leastPrice", DEC, "dollars a share", OG_FACT_QUOTE, "/limitPrice",
        "the lowest price it may fill at: a sell's limit, else the least of a buy's limit and the quote; no value for "
        "a spread" },
      og_expr_get_order,
      OG_OF_LEAST_PRICE,
      OG_FACT_QUOTE },
    ORDER("limitNotional", DEC, "dollars", "/orderQuantity", OG_OF_LIMIT_NOTIONAL,
          "its limit x quantity, x 100 for contracts and spreads, whatever the quote; no value without a limit"),
    ORDER("underlying", STR, "", SYMBOL, OG_OF_UNDERLYING, "the ticker of stock, the root of a contract; in capitals"),
    CONTRACT("right", STR, "", OG_OF_RIGHT, "Call or Put, for a contract; \"\" for stock and spreads"),
    CONTRACT("strike", DEC, "dollars a share", OG_OF_STRIKE, "the strike of a contract; no value for anything else"),
    CONTRACT("expiry", STR, "", OG_OF_EXPIRY,
             "the day a contract, or the legs of a spread, expire, like 2026-01-16; no value for stock"),
    CONTRACT("daysToExpiry", INT, "days", OG_OF_DAYS,
             "days from today, in New York, to the expiry; 0 on the day itself"),
    ORDER("strategy", STR, "", "/legs", OG_OF_STRATEGY,
          "iron-condor, put-vertical, ...; none if it is not a known strategy"),
    ORDER("direction", STR, "", "/legs", OG_OF_DIRECTION, "debit, credit or undetermined, for a spread"),
    ORDER("maxLoss", DEC, "dollars", "/legs", OG_OF_MAX_LOSS,
          "the most a spread can lose by expiry; no value if there is no bound"),
    ORDER("maxProfit", DEC, "dollars", "/legs", OG_OF_MAX_PROFIT,
          "the most a spread can gain by expiry; no value if there is no bound"),

    ACCOUNT("id", STR, 0, OG_OF_ID, "the account of the order"),
    { { "account.environment", STR, "", OG_FACT_ACCOUNT, "", "paper or live, as its accountType says" },
      og_expr_get_account,
      OG_OF_ENVIRONMENT,
      OG_FACT_ACCOUNT },
    ACCOUNT("accountType", STR, OG_FACT_ACCOUNT, OG_OF_TYPE, "as the account document spells it"),
    ACCOUNT("accountStatus", STR, OG_FACT_ACCOUNT, OG_OF_STATUS, "Active, ..."),
    ACCOUNT("optLevel", INT, OG_FACT_ACCOUNT, OG_OF_OPT_LEVEL, "option level, 0 to 4"),
    ACCOUNT("optionTradingLevel", INT, OG_FACT_ACCOUNT, OG_OF_TRADING_LEVEL,
            "option level the account asked for, 0 to 4"),
    MONEY("bp", bp, "buying power, less what orders accepted here reserve"),
    MONEY("overnightBp", overnight_bp, "overnight buying power, likewise"),
    MONEY("availableCash", available_cash, "cash"),
    MONEY("equity", equity, "equity"),
    MONEY("sodEquity", sod_equity, "equity at the start of the day"),
    MONEY("marginDeficit", margin_deficit, "margin deficit"),
    MONEY("maintenanceDeficit", maintenance_deficit, "maintenance deficit"),

    POSITION("long", DEC, "shares or contracts", HELD, OG_OF_LONG, "held long of the order's symbol; 0 for none"),
    POSITION("short", DEC, "shares or contracts", HELD, OG_OF_SHORT,
             "held short of the order's symbol; never negative"),
    POSITION("quantity", DEC, "shares or contracts", HELD, OG_OF_NET, "long minus short"),
    POSITION("buying", DEC, "shares or contracts", WORKING, OG_OF_BUYING,
             "quantity that working orders may still open by buying"),
    POSITION("selling", DEC, "shares or contracts", WORKING, OG_OF_SELLING,
             "quantity that working orders may still open by selling"),
    POSITION("openOrders", INT, "orders", WORKING, OG_OF_WORKING,
             "working orders for the symbol, including those in flight and unknown"),
    POSITION("exposure", DEC, "dollars", BOTH, OG_OF_VALUE,
             "what is held at its average price or the last quote, whichever is more, and what working orders open, "
             "either side"),

    BOOK("gross", DEC, "dollars", BOTH, "", OG_OF_GROSS,
         "worth of positions and opening orders of the account, both sides added"),
    BOOK("net", DEC, "dollars", BOTH, "", OG_OF_BOOK_NET, "longs minus shorts"),
    BOOK("long", DEC, "dollars", BOTH, "", OG_OF_LONGS, "worth of long positions and of orders that open them"),
    BOOK("short", DEC, "dollars", BOTH, "", OG_OF_SHORTS,
         "worth of short positions and of orders that open them; never negative"),
    BOOK("openOrders", INT, "orders", WORKING, "", OG_OF_ORDERS, "orders that are working, in flight or unknown"),
    BOOK("contracts", INT, "contracts", BOTH, "", OG_OF_CONTRACTS,
         "option contracts held and being opened, both sides"),
    BOOK("onUnderlying", DEC, "dollars", BOTH, SYMBOL, OG_OF_ON_UNDERLYING,
         "worth on the order's underlying: its stock and every contract on it"),
    BOOK("shortCalls", INT, "contracts", BOTH, SYMBOL, OG_OF_SHORT_CALLS,
         "calls on the order's underlying, written or being written"),
    BOOK("shortPuts", INT, "contracts", BOTH, SYMBOL, OG_OF_SHORT_PUTS,
         "puts on the order's underlying, written or being written"),

    QUOTE("bid", DEC, "dollars", OG_OF_BID, "the bid for the order's symbol"),
    QUOTE("ask", DEC, "dollars", OG_OF_ASK, "the ask for the order's symbol"),
    QUOTE("last", DEC, "dollars", OG_OF_LAST, "the last trade of the order's symbol"),
    QUOTE("mid", DEC, "dollars", OG_OF_MID, "the middle between bid and ask"),
    QUOTE("spread", DEC, "dollars", OG_OF_SPREAD, "ask minus bid"),
    QUOTE("age", OG_TYPE_DURATION, "", OG_OF_AGE, "how old the quote is"),

    { { "borrow.easy", BOOL, "", OG_FACT_BORROW, SYMBOL, "the order's symbol is easy to borrow" },
      og_expr_get_borrow,
      0,
      0 },
    { { "locates.available", DEC, "shares", OG_FACT_LOCATES, SYMBOL,
        "shares of the symbol that are located and not yet used" },
      og_expr_get_locates,
      0,
      0 },
    { { "volume.average", DEC, "shares", OG_FACT_VOLUME, SYMBOL,
        "average daily volume of the symbol, if the facts have it" },
      og_expr_get_volume,
      0,
      0 },

    SESSION("open", BOOL, "", OG_OF_OPEN, "regular hours: from 09:30 to the day's close, New York"),
    SESSION("kind", STR, "", OG_OF_KIND, "full, early (closes before 16:00) or closed"),
    SESSION("earlyClose", BOOL, "", OG_OF_EARLY, "today closes before 16:00"),
    SESSION("date", STR, "", OG_OF_DATE, "New York's date, like 2026-01-15"),
    SESSION("minutesToClose", INT, "minutes", OG_OF_TO_CLOSE,
            "whole minutes to today's close, negative after it; no value on a day without a session"),
    SESSION("minutesFromOpen", INT, "minutes", OG_OF_FROM_OPEN,
            "whole minutes since 09:30, negative before it; no value on a day without a session"),

    { { "now", OG_TYPE_TIMESTAMP, "", 0, "", "the instant of the decision" }, og_expr_get_now, 0, 0 },

    SENT("ordersLastSecond", OG_LAST_SECOND, "orders accepted within the last second"),
    SENT("ordersLastMinute", OG_LAST_MINUTE, "orders accepted within the last minute"),
    SENT("ordersToday", OG_TODAY, "orders accepted today, in New York"),
    { { "counters.rejectionsInARow", INT, "orders", OG_FACT_GATE, "",
        "orders that the broker rejected since it last accepted one" },
      og_expr_get_rejections,
      0,
      OG_FACT_GATE },
    PNL("dayPnl", OG_OF_DAY_PNL, "today's profit, realized and not; a loss is negative"),
    PNL("dayPnlPeak", OG_OF_PEAK, "the highest value of dayPnl today, at least 0"),
    PNL("drawdown", OG_OF_DRAWDOWN, "how far dayPnl fell from that"),
};
const size_t og_expr_named_count = sizeof og_expr_named / sizeof *og_expr_named;

/* --- fields of a leg ---------------------------------------------------------------------------------------------- */

enum { LEG_ACTION = OG_LEG_KEYS, LEG_CONTRACT }; /* from LEG_CONTRACT on: LEG_CONTRACT + enum og_of_contract */

#define LEG(name, type, unit, key, help)                            \
    {                                                               \
        { "leg." name, type, unit, 0, "/legs", help }, NULL, key, 0 \
    }

const struct og_expr_named og_expr_leg_fields[] = {
    LEG("symbol", STR, "", OG_LEG_SYMBOL, "the contract, or the ticker of a stock leg; in capitals"),
    LEG("side", STR, "", OG_LEG_SIDE, "Buy or Sell"),
    LEG("ratio", INT, "", OG_LEG_RATIO, "quantity in each spread"),
    LEG("openClose", STR, "", OG_LEG_OPEN_CLOSE, "Open or Close"),
    LEG("action", STR, "", LEG_ACTION, "Buy, Sell, Short or Cover, as for an order"),
    LEG("underlying", STR, "", LEG_CONTRACT + OG_OF_ROOT,
        "the root of the contract, the ticker of a stock leg; in capitals"),
    LEG("right", STR, "", LEG_CONTRACT + OG_OF_RIGHT, "Call or Put; \"\" for a stock leg"),
    LEG("strike", DEC, "dollars a share", LEG_CONTRACT + OG_OF_STRIKE, "the strike; no value for a stock leg"),
    LEG("expiry", STR, "", LEG_CONTRACT + OG_OF_EXPIRY,
        "the day it expires, like 2026-01-16; no value for a stock leg"),
    LEG("daysToExpiry", INT, "days", LEG_CONTRACT + OG_OF_DAYS,
        "days from today, in New York, to the expiry; no value for a stock leg"),
    { .is = { .name = NULL } },
};

struct og_expr_value og_expr_leg_value(const struct og_case *c, struct og_expr_room *room, struct og_expr_value v,
                                       const struct og_expr_named *field)
{
    const struct og_leg *leg = v.as.leg;
    const char *name = field->is.name;

    if (v.state)
        return v;
    if (field->key == OG_LEG_RATIO)
        return og_expr_leg_ratio(leg, name);
    if (field->key < OG_LEG_KEYS)
        return og_expr_leg_text(leg, room, (enum og_leg_key)field->key, name);
    if (field->key == LEG_ACTION)
        return og_expr_action(leg->side, leg->open_close, name);
    if (field->key == LEG_CONTRACT + OG_OF_ROOT && !leg->occ.is)
        return og_expr_leg_text(leg, room, OG_LEG_SYMBOL, name);
    if (field->key == LEG_CONTRACT + OG_OF_RIGHT && !leg->occ.is && leg->symbol.len) /* a stock leg */
        return og_expr_string((struct og_str){ og_expr_absent_text, 0 });
    return og_expr_contract(c, room, &leg->occ, (enum og_of_contract)(field->key - LEG_CONTRACT), name);
}

const struct og_expr_name *og_expr_name_at(size_t i)
{
    if (i < og_expr_named_count)
        return &og_expr_named[i].is;
    i -= og_expr_named_count;
    return i < sizeof og_expr_leg_fields / sizeof *og_expr_leg_fields - 1 ? &og_expr_leg_fields[i].is : NULL;
}

bool og_expression_name(size_t i, struct og_name_info *info)
{
    const struct og_expr_name *name;
    size_t count = 0;

    if (!info)
        return false;
    name = og_expr_name_at(i);
    if (!name)
        return false;
    *info = (struct og_name_info){ .name = name->name,
                                   .type = og_expr_type_name(name->type),
                                   .unit = name->unit,
                                   .field = name->field,
                                   .help = name->help };
    for (unsigned facts = name->facts; facts && count < OG_NAME_FACTS_MOST; facts &= facts - 1)
        info->facts[count++] = og_fact_name((enum og_fact)(facts & -facts));
    return true;
}
