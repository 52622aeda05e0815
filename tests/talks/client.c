/*
 * Calls every function of ordergate/broker.h from a program that links the library.
 *
 * It prints the rows as JSON, one on each line, with the service's own key names, so that they can be compared with
 * the service's documents. Usage: client ACCOUNT, with ORDERGATE_* set.
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "ordergate/broker.h"

static struct og_client *client;
static struct og_error err;
static const char *account;

static void begin(const char *call)
{
    printf("{\"call\":\"%s\"", call);
}

static void text(const char *key, const char *s)
{
    if (s)
        printf(",\"%s\":\"%s\"", key, s);
    else
        printf(",\"%s\":null", key);
}

static void money(const char *key, struct og_money m)
{
    printf(",\"%s\":%s", key, og_money_text(m).s);
}

static void number(const char *key, int64_t n)
{
    printf(",\"%s\":%" PRId64, key, n);
}

static void yes(const char *key, bool b)
{
    printf(",\"%s\":%s", key, b ? "true" : "false");
}

/* Print the end of a call, as {"call":..,"status":0,"kind":"ok","http":200,"rows":n}; its error text goes to stderr. */
static void end(const char *call, enum og_status status, struct og_answer *a, size_t rows)
{
    begin(call);
    number("status", status);
    text("kind", og_answer_kind_name(a->kind));
    number("http", a->http);
    number("rows", (int64_t)rows);
    puts("}");
    if (status)
        fprintf(stderr, "%s: %s\n", call, err.text);
    err = (struct og_error){ 0 };
    og_answer_clear(a);
    og_answer_clear(a); /* may be repeated */
}

static void print_account(const char *call, const struct og_account_info *r, const char *bp)
{
    begin(call);
    text("account", r->account);
    text("accountStatus", r->status);
    text("accountType", r->type);
    money("availableCash", r->available_cash);
    money(bp, r->buying_power);
    money("equity", r->equity);
    money("overnightBp", r->overnight_bp);
    money("leverage", r->leverage);
    money("usedLeverage", r->used_leverage);
    money("marginRatio", r->margin_ratio);
    money("realized", r->realized);
    money("sodEquity", r->sod_equity);
    money("optionCashTotalBalance", r->option_cash_total_balance);
    number("optLevel", r->option_level);
    puts("}");
}

static void accounts(void)
{
    struct og_accounts list = { 0 };
    struct og_account_detail one = { 0 };
    enum og_status status = og_client_accounts(client, &list, &err);

    for (size_t i = 0; i < list.count; i++)
        print_account("accounts", &list.row[i], "buyingPower");
    end("accounts", status, &list.answer, list.count);
    status = og_client_account(client, account, &one, &err);
    if (!status)
        print_account("account", &one.row, "bp");
    end("account", status, &one.answer, 1);
}

static void pnl(void)
{
    struct og_pnl_detail d = { 0 };
    enum og_status status = og_client_pnl(client, account, &d, &err);

    for (size_t i = 0; i < d.count; i++) {
        begin("pnl");
        text("positionId", d.row[i].position_id);
        text("symbol", d.row[i].symbol);
        money("exposure", d.row[i].exposure);
        money("unrealizedPnL", d.row[i].unrealized);
        money("realizedPnl", d.row[i].realized);
        money("dayUnrealizedPnL", d.row[i].day_unrealized);
        money("dayRealizedPnl", d.row[i].day_realized);
        money("pctPnLMove", d.row[i].pct);
        money("dayPctPnLMove", d.row[i].day_pct);
        puts("}");
    }
    end("pnl", status, &d.answer, d.count);
}

static void print_positions(const char *call, enum og_status status, struct og_positions *list, bool closed)
{
    for (size_t i = 0; i < list->count; i++) {
        const struct og_position_info *r = &list->row[i];

        begin(call);
        text("accountId", r->account);
        text("positionId", r->position_id);
        text("symbol", r->symbol);
        text("tradedSymbol", r->traded_symbol);
        text("securityType", r->security_type);
        text("side", r->side);
        text("putCall", r->put_call);
        text("createdDate", r->created);
        money("shares", r->shares);
        money("priceAvg", r->price_avg);
        money("priceStrike", r->price_strike);
        money("marginRequirement", r->margin_requirement);
        if (closed) {
            money("sharesIn", r->shares_in);
            money("sharesOut", r->shares_out);
            money("realized", r->realized);
        }
        puts("}");
    }
    end(call, status, &list->answer, list->count);
}

static void positions(void)
{
    struct og_positions list = { 0 };
    enum og_status status = og_client_positions(client, account, &list, &err);

    print_positions("positions", status, &list, false);
    status = og_client_closed(client, account, &list, &err);
    print_positions("closed", status, &list, true);
}

static void print_fills(const char *call, enum og_status status, struct og_fills *list)
{
    for (size_t i = 0; i < list->count; i++) {
        const struct og_fill_info *r = &list->row[i];

        begin(call);
        text("tradeId", r->trade_id);
        text("symbol", r->symbol);
        text("side", r->side);
        text("execTime", r->exec_time);
        text("tradeDate", r->trade_date);
        text("mLegId", r->mleg_id);
        money("qty", r->quantity);
        money("price", r->price);
        money("grossProceeds", r->gross_proceeds);
        money("netProceeds", r->net_proceeds);
        number("spreadType", r->spread_type);
        yes("canceled", r->canceled);
        puts("}");
    }
    end(call, status, &list->answer, list->count);
}

static void histories(const char *day)
{
    struct og_window window = { .start = day, .limit = 2, .all = true };
    struct og_fills fills = { 0 };
    struct og_cash cash = { 0 };
    enum og_status status = og_client_history(client, account, &window, &fills, &err);

    print_fills("history", status, &fills);
    status = og_client_week(client, account, day, &fills, &err);
    print_fills("week", status, &fills);
    window = (struct og_window){ .start = day, .days = 5, .limit = 1, .all = true };
    status = og_client_cash(client, account, &window, &cash, &err);
    for (size_t i = 0; i < cash.count; i++) {
        begin("cash");
        text("cashType", cash.row[i].cash_type);
        text("entryDate", cash.row[i].entry_date);
        text("note", cash.row[i].note);
        money("deposit", cash.row[i].deposit);
        money("withdraw", cash.row[i].withdraw);
        puts("}");
    }
    end("cash", status, &cash.answer, cash.count);
}

static void print_order(const char *call, const struct og_order_info *r)
{
    begin(call);
    text("accountId", r->account);
    text("clientOrderId", r->client_order_id);
    text("orderStatus", r->status);
    text("side", r->side);
    text("symbol", r->symbol);
    text("securityType", r->security_type);
    text("timeInForce", r->time_in_force);
    text("route", r->route);
    text("lastUpdated", r->last_updated);
    money("executed", r->executed);
    money("orderQuantity", r->quantity);
    money("limitPrice", r->limit_price);
    money("priceAvg", r->price_avg);
    money("leavesQuantity", r->leaves);
    money("marginRequirement", r->margin_requirement);
    yes("terminal", r->terminal);
    number("legCount", r->legs);
    if (r->legs > 0)
        text("leg0", r->leg[0].symbol);
    puts("}");
}

static void get_order(const char *id)
{
    struct og_order_detail one = { 0 };
    enum og_status status = og_client_order(client, account, id, &one, &err);

    if (one.has_row)
        print_order("order", &one.row);
    end("order", status, &one.answer, one.has_row);
}

static void orders(void)
{
    struct og_orders_today list = { 0 };
    enum og_status status = og_client_orders(client, account, &list, &err);

    for (size_t i = 0; i < list.count; i++)
        print_order("orders", &list.row[i]);
    end("orders", status, &list.answer, list.count);
    get_order("a");
    get_order("m");
    get_order("none");
}

static void place(const char *call, const char *body)
{
    struct og_order *order = og_order_new();
    struct og_order_detail one = { 0 };
    enum og_status status = !order || og_order_read(order, body, strlen(body))
                                ? OG_ENOMEM
                                : og_client_place(client, account, order, &one, &err);

    if (one.has_row)
        print_order(call, &one.row);
    end(call, status, &one.answer, one.has_row);
    og_order_free(order);
}

static void writes(void)
{
    struct og_order_detail one = { 0 };
    struct og_answer a = { 0 };

    place("place", "{\"securityType\":\"Stock\",\"symbol\":\"AAPL\",\"side\":\"Buy\",\"openClose\":\"Open\","
                   "\"orderType\":\"Limit\","
                   "\"orderQuantity\":3,\"timeInForce\":\"Day\",\"limitPrice\":100.01,\"clientOrderId\":\"c1\","
                   "\"route\":\"SMART\"}");
    place("place-without-id", "{\"securityType\":\"Stock\",\"symbol\":\"AAPL\"}");
    end("cancel", og_client_cancel(client, account, "none", &one, &err), &one.answer, 0);
    end("cancel-all", og_client_cancel_all(client, account, "NVDA", &a, &err), &a, 0);
    end("locate-quote", og_client_locate_quote(client, account, "GME", 100, "c-q", &a, &err), &a, 0);
    end("locate-accept", og_client_locate_accept(client, account, "c-none", &a, &err), &a, 0);
    end("locate-sell", og_client_locate_sell(client, account, "GME", "Locate", 100, "c-s", &a, &err), &a, 0);
    end("locate-cancel", og_client_locate_cancel(client, account, "c-q", &a, &err), &a, 0);
    end("too-few", og_client_locate_quote(client, account, "GME", 99, "c-r", &a, &err), &a, 0);
}

static void shares(void)
{
    struct og_locate_inventory stock = { 0 };
    struct og_borrow_detail borrow = { 0 };
    struct og_locates list = { 0 };
    struct og_routes routes = { 0 };
    enum og_status status = og_client_locate_history(client, account, &list, &err);

    for (size_t i = 0; i < list.count; i++) {
        begin("locates");
        text("quoteReqID", list.row[i].quote_id);
        text("symbol", list.row[i].symbol);
        text("text", list.row[i].text);
        number("locateStatus", list.row[i].status);
        number("locateType", list.row[i].type);
        money("locatePrice", list.row[i].price);
        money("locateShares", list.row[i].shares);
        yes("preBorrow", list.row[i].pre_borrow);
        puts("}");
    }
    end("locates", status, &list.answer, list.count);
    status = og_client_locate_inventory(client, account, &stock, &err);
    for (size_t i = 0; i < stock.count; i++) {
        begin("inventory");
        text("symbol", stock.row[i].symbol);
        money("available", stock.row[i].available);
        number("locateType", stock.row[i].type);
        puts("}");
    }
    end("inventory", status, &stock.answer, stock.count);
    status = og_client_borrow(client, account, "GME", &borrow, &err);
    end("borrow", status, &borrow.answer, borrow.easy);
    status = og_client_routes(client, account, &routes, &err);
    for (size_t i = 0; i < routes.count; i++) {
        begin("routes");
        text("routeName", routes.row[i].name);
        text("first", routes.row[i].times_in_force[0]);
        puts("}");
    }
    end("routes", status, &routes.answer, routes.count);
}

int main(int argc, char **argv)
{
    struct og_client_options options = { .account = argc > 1 ? argv[1] : NULL };

    if (og_client_open(&options, &client, &err)) {
        fprintf(stderr, "%s\n", err.text);
        return 2;
    }
    if (og_client_account_id(client, &account, &err)) {
        fprintf(stderr, "%s\n", err.text);
        og_client_close(client);
        return 1;
    }
    accounts();
    pnl();
    positions();
    histories("2026-01-15");
    orders();
    shares();
    writes();
    og_client_close(client);
    return 0;
}
