/*
 * Writes a probe as text: the order as one line, the facts as one document.  The facts are no simulated market: prices
 * do not move, and need not be consistent.
 */
#include <stdio.h>

#include "base/json_write.h"
#include "base/time.h"
#include "diff/probe.h"
#include "order/synthetic.h"

/* --- the order ---------------------------------------------------------------------------------------------------- */

static bool is_said(const struct og_probe *w, enum og_slot slot)
{
    return strcmp(og_probe_word(w, slot), "-") != 0;
}

static void put_number(const struct og_probe *w, struct og_buf *b, const char *key, enum og_slot slot)
{
    og_member_key(b, key);
    og_buf_money(b, w->v[slot].number);
}

static void put_time(const struct og_probe *w, struct og_buf *b, const char *key, int64_t age)
{
    og_member_text(b, key, og_time_text(w->v[OG_AT_NOW].ns - age).s);
}

/* Write the OCC symbol of the contract whose strike is `behind` strikes above the probe's strike. */
static void contract(const struct og_probe *w, bool put, int behind, char to[OG_SYNTHETIC_SYMBOL])
{
    struct og_str root = og_str_of(og_probe_word(w, is_said(w, OG_AT_ROOT) ? OG_AT_ROOT : OG_AT_SYMBOL));
    struct og_eastern now;
    struct og_money thousandths;
    int64_t days = og_probe_whole(w, OG_AT_DAYS), strike = 0;
    int y, m, d;

    og_eastern_from(w->v[OG_AT_NOW].ns, &now);
    og_civil_from_days(og_days_from_civil(now.year, now.month, now.day) + (days < 36500 ? days : 36500), &y, &m, &d);
    if (og_money_times(w->v[OG_AT_STRIKE].number, 1000, &thousandths))
        strike = og_money_floor(thousandths) + 1000 * behind;
    root.len = root.len < 10 ? root.len : 10;
    og_synthetic_option(root, (y * 100 + m) * 100 + d, put ? 'P' : 'C',
                        strike > 0 && strike < 100000000 ? strike : 1000, to);
}

static void read_legs(const struct og_probe *w, struct og_synthetic_order *o)
{
    for (const char *at = w->scene->legs; *at && o->legs < OG_SYNTHETIC_LEGS; at += strspn(at, " ")) {
        struct og_synthetic_leg *leg = &o->leg[o->legs++];
        int behind = 0, n = 0;
        char right;

        leg->side = at[0] == 'B' ? OG_BUY : OG_SELL;
        leg->open_close = at[1] == 'o' ? OG_OPEN : OG_CLOSE;
        for (at += 2; *at >= '0' && *at <= '9'; at++)
            leg->ratio = 10 * leg->ratio + (*at - '0');
        right = *at++;
        if (right != 'S' && sscanf(at, "%d%n", &behind, &n) == 1)
            at += n;
        if (right == 'S')
            snprintf(leg->symbol, sizeof leg->symbol, "%s", og_probe_word(w, OG_AT_SYMBOL));
        else
            contract(w, right == 'P', behind, leg->symbol);
    }
}

/* Write the order's members; if `named`, also its id and account. */
static void put_terms(const struct og_probe *w, struct og_buf *b, bool named)
{
    const struct og_probe_template *s = w->scene;
    char symbol[OG_SYNTHETIC_SYMBOL];
    struct og_synthetic_order o = { .security = s->security,
                                    .symbol = symbol,
                                    .side = s->sells ? OG_SELL : OG_BUY,
                                    .open_close = s->closes ? OG_CLOSE : OG_OPEN,
                                    .type = og_probe_word(w, OG_AT_TYPE),
                                    .tif = og_probe_word(w, OG_AT_TIF),
                                    .quantity = w->v[OG_AT_QUANTITY].number,
                                    .limit = w->v[OG_AT_LIMIT].number,
                                    .stop = w->v[OG_AT_STOP].number,
                                    .client_id = named && is_said(w, OG_AT_ID) ? og_probe_word(w, OG_AT_ID) : NULL,
                                    .route = is_said(w, OG_AT_ROUTE) ? og_probe_word(w, OG_AT_ROUTE) : NULL,
                                    .tag = is_said(w, OG_AT_TAG) ? og_probe_word(w, OG_AT_TAG) : NULL,
                                    .account = named ? og_probe_word(w, OG_AT_ACCOUNT) : NULL };

    snprintf(symbol, sizeof symbol, "%s", og_probe_word(w, OG_AT_SYMBOL));
    if (s->security == OG_OPTION)
        contract(w, s->put, 0, symbol);
    if (s->legs)
        read_legs(w, &o);
    og_synthetic_write(&o, b);
}

void og_probe_order(const struct og_probe *w, struct og_buf *b)
{
    for (const char *c = w->scene->request; c && *c; c++) {
        if (*c == '@')
            og_buf_text(b, og_probe_word(w, OG_AT_SYMBOL));
        else if (*c == '~')
            og_buf_text(b, og_probe_word(w, OG_AT_ACCOUNT));
        else if (*c == '#')
            og_buf_money(b, w->v[OG_AT_QUANTITY].number);
        else
            og_buf_char(b, *c);
    }
    if (w->scene->request)
        return;
    og_buf_char(b, '{');
    put_terms(w, b, true);
    og_buf_char(b, '}');
}

/* --- the facts ---------------------------------------------------------------------------------------------------- */

static bool has(const struct og_probe *w, const char *document)
{
    return strcmp(og_probe_word(w, OG_AT_MISSING), document) != 0;
}

static void put_account(const struct og_probe *w, struct og_buf *b)
{
    og_member_key(b, "account");
    og_buf_char(b, '{');
    og_member_text(b, "account", og_probe_word(w, OG_AT_ACCOUNT));
    og_member_text(b, "accountType", og_probe_word(w, OG_AT_ACCOUNT_TYPE));
    og_member_text(b, "accountStatus", og_probe_word(w, OG_AT_STATUS));
    put_number(w, b, "bp", OG_AT_BP);
    put_number(w, b, "overnightBp", OG_AT_BP);
    put_number(w, b, "availableCash", OG_AT_CASH);
    put_number(w, b, "equity", OG_AT_EQUITY);
    put_number(w, b, "sodEquity", OG_AT_SOD_EQUITY);
    put_number(w, b, "marginDeficit", OG_AT_DEFICIT);
    put_number(w, b, "maintenanceDeficit", OG_AT_MAINTENANCE);
    put_number(w, b, "optLevel", OG_AT_LEVEL);
    put_number(w, b, "optionTradingLevel", OG_AT_LEVEL);
    og_buf_char(b, '}');
}

static void put_position(struct og_buf *b, const char *symbol, const char *traded, int64_t count, struct og_money price)
{
    if (count == 0)
        return;
    og_buf_text(b, b->s[b->len - 1] == '[' ? "{" : ",{");
    og_member_text(b, "symbol", symbol);
    if (traded) {
        og_member_text(b, "tradedSymbol", traded);
        og_member_text(b, "securityType", "Option");
    } else {
        og_member_text(b, "securityType", "Stock");
    }
    og_member_text(b, "side", count > 0 ? "Long" : "Short");
    og_buf_format(b, ",\"shares\":%lld,\"priceAvg\":", (long long)(count > 0 ? count : -count));
    og_buf_money(b, price);
    og_buf_char(b, '}');
}

static void put_positions(const struct og_probe *w, struct og_buf *b)
{
    const struct og_probe_template *s = w->scene;
    const char *symbol = og_probe_word(w, OG_AT_SYMBOL);
    char traded[OG_SYNTHETIC_SYMBOL], cover[OG_SYNTHETIC_SYMBOL];
    int64_t contracts = og_probe_whole(w, OG_AT_CONTRACTS);

    contract(w, s->put, 0, traded);
    contract(w, s->put, s->put ? 5 : -5, cover);
    og_member_key(b, "positions");
    og_buf_char(b, '[');
    put_position(b, symbol, NULL, og_probe_whole(w, OG_AT_HELD), w->v[OG_AT_AVERAGE].number);
    put_position(b, symbol, traded, contracts, og_money_from(5));
    if (s->legs && strstr(s->legs, "Bc1C5")) { /* the second leg closes a position: write that position */
        contract(w, false, 5, cover);
        put_position(b, symbol, cover, -contracts, og_money_from(3));
    } else {
        put_position(b, symbol, cover, og_probe_whole(w, OG_AT_COVER), og_money_from(8));
    }
    put_position(b, "MSFT", NULL, og_probe_whole(w, OG_AT_OTHER), og_money_from(100));
    og_buf_char(b, ']');
}

static void put_working(const struct og_probe *w, struct og_buf *b, const char *symbol, int64_t count, char id)
{
    for (int64_t i = 0; i < count && i < OG_WRITTEN_MOST; i++) {
        og_buf_text(b, b->s[b->len - 1] == '[' ? "{" : ",{");
        og_buf_format(b, "\"clientOrderId\":\"%c%lld\"", id, (long long)i);
        og_member_text(b, "symbol", symbol);
        og_member_text(b, "securityType", "Stock");
        og_member_text(b, "side", og_probe_word(w, OG_AT_WORKING_SIDE));
        og_buf_text(b, ",\"openClose\":\"Open\",\"orderStatus\":\"New\",\"orderType\":\"Limit\",\"limitPrice\":100,"
                       "\"executed\":0");
        put_number(w, b, "orderQuantity", OG_AT_WORKING_QUANTITY);
        put_number(w, b, "leavesQuantity", OG_AT_WORKING_QUANTITY);
        og_buf_char(b, '}');
    }
}

static void put_routes(const struct og_probe *w, struct og_buf *b)
{
    static const char tifs[] =
        "\"timesInForce\":[\"Day\",\"GoodTillCancel\",\"AtTheOpening\",\"ImmediateOrCancel\",\"FillOrKill\","
        "\"GoodTillCrossing\",\"Day_Plus\",\"GTC_Plus\"]}";
    const char *named = og_probe_word(w, OG_AT_ROUTE);
    static const struct {
        const char *name, *types;
    } routes[] = { { "SMART", "\"Stock\"" },
                   { "CTDL", "\"Stock\"" },
                   { "SMARTO", "\"Option\"" },
                   { "SMARTM", "\"Option\",\"MLEG\"" } };
    bool known = !is_said(w, OG_AT_ROUTE) || strcmp(named, "NOWHERE") == 0;

    og_buf_text(b, ",\"routes\":[");
    for (size_t i = 0; i < 4; i++) {
        known |= strcmp(named, routes[i].name) == 0;
        og_buf_text(b, i ? ",{\"routeName\":\"" : "{\"routeName\":\"");
        og_buf_text(b, routes[i].name);
        og_buf_text(b, "\",\"securityTypes\":[");
        og_buf_text(b, routes[i].types);
        og_buf_text(b, "],");
        og_buf_text(b, tifs);
    }
    if (!known) { /* the type is none of the service's, but is a value that a policy names */
        og_buf_text(b, ",{\"routeName\":");
        og_buf_json_str(b, og_str_of(named));
        og_buf_format(b, ",\"securityTypes\":[\"Stock\",\"Option\",\"MLEG\"],%s", tifs);
    }
    og_buf_char(b, ']');
}

static void put_quotes(const struct og_probe *w, struct og_buf *b)
{
    char traded[OG_SYNTHETIC_SYMBOL];

    contract(w, w->scene->put, 0, traded);
    og_buf_text(b, ",\"quotes\":{\"MSFT\":{\"bid\":99.99,\"ask\":100.01,\"last\":100}");
    if (strcmp(og_probe_word(w, OG_AT_SYMBOL), "MSFT") != 0) {
        og_member_key(b, og_probe_word(w, OG_AT_SYMBOL));
        og_buf_char(b, '{');
        put_number(w, b, "bid", OG_AT_BID);
        put_number(w, b, "ask", OG_AT_ASK);
        put_number(w, b, "last", OG_AT_LAST);
        put_time(w, b, "asOf", w->v[OG_AT_QUOTE_AGE].ns);
        og_buf_char(b, '}');
    }
    if (w->scene->security == OG_OPTION) {
        og_member_key(b, traded);
        og_buf_char(b, '{');
        put_number(w, b, "bid", OG_AT_OPTION_BID);
        put_number(w, b, "ask", OG_AT_OPTION_ASK);
        put_number(w, b, "last", OG_AT_OPTION_BID);
        put_time(w, b, "asOf", w->v[OG_AT_QUOTE_AGE].ns);
        og_buf_char(b, '}');
    }
    og_buf_char(b, '}');
}

static void put_gate(const struct og_probe *w, struct og_buf *b)
{
    og_buf_text(b, ",\"gate\":{");
    og_member_text(b, "trading", og_probe_word(w, OG_AT_TRADING));
    put_number(w, b, "ordersLastSecond", OG_AT_LAST_SECOND);
    put_number(w, b, "ordersLastMinute", OG_AT_LAST_MINUTE);
    put_number(w, b, "ordersToday", OG_AT_TODAY);
    put_number(w, b, "tradedToday", OG_AT_TRADED);
    put_number(w, b, "sharesTradedToday", OG_AT_TRADED);
    put_number(w, b, "contractsTradedToday", OG_AT_TRADED);
    put_number(w, b, "rejectionsInARow", OG_AT_REJECTIONS);
    if (strcmp(og_probe_word(w, OG_AT_LATCHED), "-") != 0) {
        og_buf_text(b, ",\"latches\":[{\"value\":999999999999,\"limit\":0");
        og_member_text(b, "latch", og_probe_word(w, OG_AT_LATCHED));
        og_buf_text(b, "}]");
    }
    og_buf_text(b, ",\"unknown\":[");
    for (int64_t i = 0; i < og_probe_whole(w, OG_AT_REJECTIONS) && i < OG_WRITTEN_MOST; i++)
        og_buf_format(b,
                      "%s{\"clientOrderId\":\"u%d\",\"securityType\":\"Stock\",\"symbol\":\"MSFT\",\"side\":\"Buy\","
                      "\"openClose\":\"Open\",\"orderType\":\"Limit\",\"limitPrice\":0.01,\"orderQuantity\":1,"
                      "\"timeInForce\":\"Day\"}",
                      i ? "," : "", (int)i);
    og_buf_text(b, "],\"calls\":{},\"inFlight\":[],\"locateQuotes\":[],\"posted\":[{\"clientOrderId\":\"p0\"");
    put_time(w, b, "at", w->v[OG_AT_POSTED_AGE].ns);
    og_buf_text(b, "}],\"recent\":[");
    for (int64_t i = 0; !w->scene->request && i < og_probe_whole(w, OG_AT_RECENT) && i < OG_WRITTEN_MOST; i++) {
        og_buf_text(b, i ? ",{" : "{");
        put_time(w, b, "at", w->v[OG_AT_RECENT_AGE].ns);
        put_terms(w, b, false);
        og_buf_char(b, '}');
    }
    og_buf_text(b, "]}");
}

static void put_locates(const struct og_probe *w, struct og_buf *b)
{
    if (has(w, "locateInventory")) {
        og_buf_text(b, ",\"locateInventory\":[");
        if (og_probe_whole(w, OG_AT_LOCATED) > 0) {
            og_buf_char(b, '{');
            og_member_text(b, "accountId", og_probe_word(w, OG_AT_ACCOUNT));
            og_member_text(b, "symbol", og_probe_word(w, OG_AT_SYMBOL));
            og_buf_text(b, ",\"locateType\":1,\"sold\":0,\"toBeSold\":0,\"unavailable\":0");
            put_number(w, b, "available", OG_AT_LOCATED);
            og_buf_char(b, '}');
        }
        og_buf_char(b, ']');
    }
    if (!has(w, "locateHistory"))
        return;
    og_buf_text(b, ",\"locateHistory\":[{\"quoteReqID\":\"q1\",\"locateStatus\":65,\"locateType\":1");
    og_member_text(b, "symbol", og_probe_word(w, OG_AT_SYMBOL));
    put_number(w, b, "locateShares", OG_AT_QUANTITY);
    put_number(w, b, "locatePrice", OG_AT_OFFER_PRICE);
    put_time(w, b, "createdDate", w->v[OG_AT_OFFER_AGE].ns + OG_NS_PER_S);
    put_time(w, b, "updatedDate", w->v[OG_AT_OFFER_AGE].ns);
    og_buf_text(b, "}]");
}

static void put_ages(const struct og_probe *w, struct og_buf *b)
{
    static const struct {
        enum og_slot slot;
        const char *key;
    } ages[] = { { OG_AT_ACCOUNT_AGE, "account" }, { OG_AT_POSITIONS_AGE, "positions" },
                 { OG_AT_ORDERS_AGE, "orders" },   { OG_AT_ROUTES_AGE, "routes" },
                 { OG_AT_ROUTES_AGE, "borrow" },   { OG_AT_LOCATES_AGE, "locates" } };

    og_buf_text(b, ",\"ages\":{");
    for (size_t i = 0; i < sizeof ages / sizeof ages[0]; i++)
        if (w->v[ages[i].slot].ns)
            put_time(w, b, ages[i].key, w->v[ages[i].slot].ns);
    og_buf_char(b, '}');
}

static void put_market(const struct og_probe *w, struct og_buf *b)
{
    const char *symbol = og_probe_word(w, OG_AT_SYMBOL);

    if (has(w, "borrow") && is_said(w, OG_AT_EASY)) {
        og_buf_text(b, ",\"borrow\":{");
        og_member_key(b, symbol);
        og_buf_format(b, "%s}", og_probe_word(w, OG_AT_EASY));
    }
    if (has(w, "symbolStatus") && is_said(w, OG_AT_MARKET)) {
        const struct og_str state = og_str_of(og_probe_word(w, OG_AT_MARKET));

        og_buf_text(b, ",\"symbolStatus\":{");
        og_member_key(b, symbol);
        og_buf_format(b, "{\"halted\":%s,\"paused\":%s,\"shortSaleRestricted\":%s",
                      og_str_is(state, "halted") ? "true" : "false", og_str_is(state, "paused") ? "true" : "false",
                      og_str_is(state, "restricted") ? "true" : "false");
        put_number(w, b, "limitDown", OG_AT_BAND);
        put_number(w, b, "limitUp", OG_AT_BAND);
        put_time(w, b, "asOf", w->v[OG_AT_MARKET_AGE].ns);
        og_buf_text(b, "}}");
    }
    if (has(w, "averageVolume")) {
        og_buf_text(b, ",\"averageVolume\":{");
        put_number(w, b, symbol, OG_AT_VOLUME);
        og_buf_char(b, '}');
    }
    if (has(w, "quotes"))
        put_quotes(w, b);
}

void og_probe_facts(const struct og_probe *w, struct og_buf *b)
{
    og_buf_char(b, '{');
    put_time(w, b, "asOf", 0);
    og_member_text(b, "accountId", og_probe_word(w, OG_AT_ACCOUNT));
    if (has(w, "account"))
        put_account(w, b);
    if (has(w, "accountList")) {
        og_buf_text(b, ",\"accountList\":[{");
        og_member_text(b, "account", og_probe_word(w, OG_AT_ACCOUNT));
        og_member_text(b, "accountType", og_probe_word(w, OG_AT_ACCOUNT_TYPE));
        og_buf_text(b, ",\"accountStatus\":\"Active\"}]");
    }
    if (has(w, "positions"))
        put_positions(w, b);
    if (has(w, "orders")) {
        og_buf_text(b, ",\"orders\":[");
        put_working(w, b, og_probe_word(w, OG_AT_SYMBOL), og_probe_whole(w, OG_AT_WORKING), 'w');
        put_working(w, b, "MSFT", og_probe_whole(w, OG_AT_WORKING_OTHER), 'm');
        og_buf_char(b, ']');
    }
    if (has(w, "routes"))
        put_routes(w, b);
    if (has(w, "usedClientOrderIds"))
        og_buf_text(b, ",\"usedClientOrderIds\":[\"used1\"]");
    if (has(w, "pnl")) {
        og_buf_text(b, ",\"pnl\":{");
        put_number(w, b, "dayPnl", OG_AT_PNL);
        put_number(w, b, "dayPnlPeak", OG_AT_PEAK);
        og_buf_char(b, '}');
    }
    put_market(w, b);
    put_locates(w, b);
    if (has(w, "gate"))
        put_gate(w, b);
    put_ages(w, b);
    og_buf_char(b, '}');
}
