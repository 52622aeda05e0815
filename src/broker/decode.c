/*
 * The tables of the service's fields, and decoding by them.  Values are not checked: an unknown side is passed on
 * unchanged.
 */
#include "broker/decode.h"

#include "wire/read.h"

enum kind { TEXT, ID, MONEY, INT, BOOL, WORDS };
enum { MUST = 1 };

struct field {
    const char *key, *other; /* other: a second spelling, NULL if none */
    enum kind kind;
    int must;
    size_t at;
};

#define AT(type, member) offsetof(struct type, member)

#define ACCOUNT(member) AT(og_account_info, member)
static const struct field account_fields[] = {
    { "account", "accountId", ID, MUST, ACCOUNT(account) },
    { "accountStatus", NULL, TEXT, 0, ACCOUNT(status) },
    { "accountType", NULL, TEXT, MUST, ACCOUNT(type) },
    { "availableCash", NULL, MONEY, MUST, ACCOUNT(available_cash) },
    { "bp", "buyingPower", MONEY, MUST, ACCOUNT(buying_power) },
    { "equity", NULL, MONEY, MUST, ACCOUNT(equity) },
    { "overnightBp", NULL, MONEY, 0, ACCOUNT(overnight_bp) },
    { "leverage", NULL, MONEY, 0, ACCOUNT(leverage) },
    { "usedLeverage", NULL, MONEY, 0, ACCOUNT(used_leverage) },
    { "maintenanceDeficit", NULL, MONEY, 0, ACCOUNT(maintenance_deficit) },
    { "marginDeficit", NULL, MONEY, 0, ACCOUNT(margin_deficit) },
    { "marginRatio", NULL, MONEY, 0, ACCOUNT(margin_ratio) },
    { "realized", NULL, MONEY, 0, ACCOUNT(realized) },
    { "sodEquity", NULL, MONEY, 0, ACCOUNT(sod_equity) },
    { "optionCashTotalBalance", NULL, MONEY, 0, ACCOUNT(option_cash_total_balance) },
    { "totalCommissions", NULL, MONEY, 0, ACCOUNT(total_commissions) },
    { "totalLocateCosts", NULL, MONEY, 0, ACCOUNT(total_locate_costs) },
    { "sharesTraded", NULL, MONEY, 0, ACCOUNT(shares_traded) },
    { "optContractsTraded", NULL, MONEY, 0, ACCOUNT(option_contracts_traded) },
    { "optLevel", "optionTradingLevel", INT, 0, ACCOUNT(option_level) },
    { NULL, NULL, TEXT, 0, 0 },
};

#define PNL(member) AT(og_pnl_detail, member)
static const struct field pnl_fields[] = {
    { "accountValue", NULL, MONEY, MUST, PNL(account_value) },
    { "allowedLeverage", NULL, MONEY, 0, PNL(allowed_leverage) },
    { "availableCash", NULL, MONEY, 0, PNL(available_cash) },
    { "dayPnl", NULL, MONEY, MUST, PNL(day_pnl) },
    { "dayRealized", NULL, MONEY, 0, PNL(day_realized) },
    { "dayUnrealized", NULL, MONEY, 0, PNL(day_unrealized) },
    { "equityRatio", NULL, MONEY, 0, PNL(equity_ratio) },
    { "exposure", NULL, MONEY, 0, PNL(exposure) },
    { "optionCashUsed", NULL, MONEY, 0, PNL(option_cash_used) },
    { "sharesTraded", NULL, MONEY, 0, PNL(shares_traded) },
    { "totalUnrealized", NULL, MONEY, 0, PNL(total_unrealized) },
    { "usedLeverage", NULL, MONEY, 0, PNL(used_leverage) },
    { NULL, NULL, TEXT, 0, 0 },
};

/* The service itself mixes the endings PnL and Pnl. */
#define LOT(member) AT(og_lot_info, member)
static const struct field lot_fields[] = {
    { "positionId", NULL, ID, MUST, LOT(position_id) },
    { "symbol", NULL, TEXT, 0, LOT(symbol) },
    { "exposure", NULL, MONEY, 0, LOT(exposure) },
    { "realizedPnl", NULL, MONEY, 0, LOT(realized) },
    { "unrealizedPnL", NULL, MONEY, 0, LOT(unrealized) },
    { "dayRealizedPnl", NULL, MONEY, 0, LOT(day_realized) },
    { "dayUnrealizedPnL", NULL, MONEY, 0, LOT(day_unrealized) },
    { "pctPnLMove", NULL, MONEY, 0, LOT(pct) },
    { "dayPctPnLMove", NULL, MONEY, 0, LOT(day_pct) },
    { NULL, NULL, TEXT, 0, 0 },
};

#define POSITION(member) AT(og_position_info, member)
#define POSITION_FIELDS                                                                                               \
    { "accountId", "account", ID, 0, POSITION(account) }, { "positionId", "id", ID, MUST, POSITION(position_id) },    \
        { "symbol", NULL, TEXT, MUST, POSITION(symbol) }, { "tradedSymbol", NULL, TEXT, 0, POSITION(traded_symbol) }, \
        { "securityType", NULL, TEXT, 0, POSITION(security_type) }, { "side", NULL, TEXT, 0, POSITION(side) },        \
        { "putCall", NULL, TEXT, 0, POSITION(put_call) }, { "dayOvernight", NULL, TEXT, 0, POSITION(day_overnight) }, \
        { "createdDate", NULL, TEXT, 0, POSITION(created) }, { "updatedDate", NULL, TEXT, 0, POSITION(updated) },     \
        { "shares", NULL, MONEY, MUST, POSITION(shares) }, { "priceAvg", NULL, MONEY, 0, POSITION(price_avg) },       \
        { "priceOpen", NULL, MONEY, 0, POSITION(price_open) },                                                        \
        { "priceClose", NULL, MONEY, 0, POSITION(price_close) },                                                      \
        { "priceStrike", NULL, MONEY, 0, POSITION(price_strike) },                                                    \
        { "marginRequirement", NULL, MONEY, 0, POSITION(margin_requirement) },                                        \
    {                                                                                                                 \
        "maintenanceRequirement", NULL, MONEY, 0, POSITION(maintenance_requirement)                                   \
    }

static const struct field position_fields[] = { POSITION_FIELDS, { NULL, NULL, TEXT, 0, 0 } };
static const struct field closed_fields[] = {
    POSITION_FIELDS,
    { "sharesIn", NULL, MONEY, MUST, POSITION(shares_in) },
    { "sharesOut", NULL, MONEY, MUST, POSITION(shares_out) },
    { "realized", NULL, MONEY, MUST, POSITION(realized) },
    { NULL, NULL, TEXT, 0, 0 },
};

#define CASH(member) AT(og_cash_info, member)
static const struct field cash_fields[] = {
    { "accountId", NULL, ID, 0, CASH(account) },
    { "cashType", NULL, TEXT, 0, CASH(cash_type) },
    { "currency", NULL, TEXT, 0, CASH(currency) },
    { "entryDate", NULL, TEXT, 0, CASH(entry_date) },
    { "note", NULL, TEXT, 0, CASH(note) },
    { "deposit", NULL, MONEY, MUST, CASH(deposit) },
    { "withdraw", NULL, MONEY, MUST, CASH(withdraw) },
    { NULL, NULL, TEXT, 0, 0 },
};

#define FILL(member) AT(og_fill_info, member)
static const struct field fill_fields[] = {
    { "tradeId", NULL, ID, MUST, FILL(trade_id) },
    { "accountId", NULL, ID, 0, FILL(account) },
    { "symbol", NULL, TEXT, 0, FILL(symbol) },
    { "securityType", NULL, TEXT, 0, FILL(security_type) },
    { "side", NULL, TEXT, 0, FILL(side) },
    { "currency", NULL, TEXT, 0, FILL(currency) },
    { "tradeDate", NULL, TEXT, 0, FILL(trade_date) },
    { "settleDate", NULL, TEXT, 0, FILL(settle_date) },
    { "entryDate", NULL, TEXT, 0, FILL(entry_date) },
    { "execTime", NULL, TEXT, 0, FILL(exec_time) },
    { "notes", NULL, TEXT, 0, FILL(notes) },
    { "mLegId", NULL, ID, 0, FILL(mleg_id) },
    { "qty", NULL, MONEY, MUST, FILL(quantity) },
    { "price", NULL, MONEY, MUST, FILL(price) },
    { "grossProceeds", NULL, MONEY, 0, FILL(gross_proceeds) },
    { "netProceeds", NULL, MONEY, 0, FILL(net_proceeds) },
    { "commission", NULL, MONEY, 0, FILL(commission) },
    { "totalFees", NULL, MONEY, 0, FILL(total_fees) },
    { "spreadType", NULL, INT, 0, FILL(spread_type) },
    { "canceled", NULL, BOOL, 0, FILL(canceled) },
    { NULL, NULL, TEXT, 0, 0 },
};

#define LOCATE(member) AT(og_locate_info, member)
static const struct field locate_fields[] = {
    { "accountId", NULL, ID, 0, LOCATE(account) },       { "symbol", NULL, TEXT, 0, LOCATE(symbol) },
    { "quoteReqID", NULL, ID, MUST, LOCATE(quote_id) },  { "text", NULL, TEXT, 0, LOCATE(text) },
    { "createdDate", NULL, TEXT, 0, LOCATE(created) },   { "updatedDate", NULL, TEXT, 0, LOCATE(updated) },
    { "locateStatus", NULL, INT, MUST, LOCATE(status) }, { "locateType", NULL, INT, 0, LOCATE(type) },
    { "locateError", NULL, INT, 0, LOCATE(error) },      { "locateShares", NULL, MONEY, 0, LOCATE(shares) },
    { "filledShares", NULL, MONEY, 0, LOCATE(filled) },  { "locatePrice", NULL, MONEY, MUST, LOCATE(price) },
    { "preBorrow", NULL, BOOL, 0, LOCATE(pre_borrow) },  { NULL, NULL, TEXT, 0, 0 },
};

#define INVENTORY(member) AT(og_inventory_info, member)
static const struct field inventory_fields[] = {
    { "accountId", NULL, ID, 0, INVENTORY(account) },         { "symbol", NULL, TEXT, MUST, INVENTORY(symbol) },
    { "available", NULL, MONEY, MUST, INVENTORY(available) }, { "sold", NULL, MONEY, 0, INVENTORY(sold) },
    { "toBeSold", NULL, MONEY, 0, INVENTORY(to_be_sold) },    { "unavailable", NULL, MONEY, 0, INVENTORY(unavailable) },
    { "locateType", NULL, INT, 0, INVENTORY(type) },          { NULL, NULL, TEXT, 0, 0 },
};

#define ROUTE(member) AT(og_route_info, member)
static const struct field route_fields[] = {
    { "routeName", NULL, TEXT, MUST, ROUTE(name) },
    { "securityTypes", NULL, WORDS, 0, ROUTE(security_types) },
    { "timesInForce", NULL, WORDS, 0, ROUTE(times_in_force) },
    { "orderTypes", NULL, WORDS, 0, ROUTE(order_types) },
    { NULL, NULL, TEXT, 0, 0 },
};

/* Documents without fields are decoded by a function of their own. */
static const struct {
    const struct field *fields;
    size_t size;
} tables[] = {
    [OG_DOCUMENT_ORDER] = { NULL, sizeof(struct og_order_info) },
    [OG_DOCUMENT_ROUTE] = { route_fields, sizeof(struct og_route_info) },
    [OG_DOCUMENT_ACCOUNT] = { account_fields, sizeof(struct og_account_info) },
    [OG_DOCUMENT_PNL] = { pnl_fields, sizeof(struct og_pnl_detail) },
    [OG_DOCUMENT_LOT] = { lot_fields, sizeof(struct og_lot_info) },
    [OG_DOCUMENT_POSITION] = { position_fields, sizeof(struct og_position_info) },
    [OG_DOCUMENT_CLOSED] = { closed_fields, sizeof(struct og_position_info) },
    [OG_DOCUMENT_CASH] = { cash_fields, sizeof(struct og_cash_info) },
    [OG_DOCUMENT_FILL] = { fill_fields, sizeof(struct og_fill_info) },
    [OG_DOCUMENT_LOCATE] = { locate_fields, sizeof(struct og_locate_info) },
    [OG_DOCUMENT_INVENTORY] = { inventory_fields, sizeof(struct og_inventory_info) },
};

/* --- orders ------------------------------------------------------------------------------------------------------- */

/* Texts in the tree are NUL-terminated, except the account before a colon. */
static const char *text_of(struct og_arena *arena, struct og_str s)
{
    if (!s.s || s.s[s.len] == '\0')
        return s.s;
    return og_arena_copy(arena, s).s;
}

static void read_leg(struct og_arena *arena, const struct og_leg_row *from, struct og_leg_info *to)
{
    *to = (struct og_leg_info){ .symbol = text_of(arena, from->symbol),
                                .side = text_of(arena, from->side),
                                .open_close = text_of(arena, from->open_close),
                                .quantity = from->qty,
                                .leaves = from->leaves,
                                .last_quantity = from->last_qty,
                                .last_price = from->last_px,
                                .price_avg = from->avg_px,
                                .canceled = from->canceled };
}

static bool is_terminal(enum og_order_status s)
{
    return s == OG_ST_FILLED || s == OG_ST_CANCELED || s == OG_ST_REJECTED || s == OG_ST_EXPIRED;
}

static bool decode_order(const cJSON *object, struct og_arena *arena, struct og_order_info *to,
                         struct og_decode_error *fault)
{
    struct og_order_row r;

    if (!og_order_row_read(object, &r) || r.status_text.len == 0) {
        fault->key = "orderStatus";
        return false;
    }
    *to = (struct og_order_info){ .account = text_of(arena, r.account_id),
                                  .client_order_id = text_of(arena, r.client_order_id),
                                  .status = text_of(arena, r.status_text),
                                  .terminal = is_terminal(r.status),
                                  .text = text_of(arena, r.text),
                                  .quantity = r.quantity,
                                  .executed = r.executed,
                                  .leaves = r.leaves,
                                  .canceled = r.canceled,
                                  .price_avg = r.price_avg,
                                  .last_price = r.last_price,
                                  .last_quantity = r.last_quantity,
                                  .has_executed = r.has_executed,
                                  .limit_price = r.limit_price,
                                  .stop_price = r.price_stop,
                                  .strike_price = r.strike_price,
                                  .max_display = r.max_display,
                                  .peg_difference = r.peg_difference,
                                  .margin_requirement = r.margin_requirement,
                                  .maintenance_requirement = r.maintenance_requirement,
                                  .security_type = text_of(arena, r.security_type),
                                  .symbol = text_of(arena, r.symbol),
                                  .traded_symbol = text_of(arena, r.traded_symbol),
                                  .side = text_of(arena, r.side),
                                  .open_close = text_of(arena, r.open_close),
                                  .order_type = text_of(arena, r.order_type),
                                  .time_in_force = text_of(arena, r.time_in_force),
                                  .route = text_of(arena, r.route),
                                  .peg_offset_type = text_of(arena, r.peg_offset_type),
                                  .start_time = text_of(arena, r.start_time),
                                  .last_updated = text_of(arena, r.last_updated),
                                  .mleg_id = text_of(arena, r.mleg_id),
                                  .legs = r.legs };
    _Static_assert(OG_LEGS_MOST == OG_ROW_LEGS, "as many legs as the service has");
    for (int i = 0; i < r.legs; i++)
        read_leg(arena, &r.leg[i], &to->leg[i]);
    return true;
}

/* --- rows by the tables ------------------------------------------------------------------------------------------- */

/* The words of a list, or a single word; NULL-terminated. */
static const char *const *words(struct og_arena *arena, const cJSON *of)
{
    int n = cJSON_IsArray(of) ? cJSON_GetArraySize(of) : 1;
    const char **to = og_arena_take(arena, ((size_t)n + 1) * sizeof *to);
    const char **at = to;
    const cJSON *item;

    if (!to)
        return NULL;
    if (cJSON_IsString(of))
        *at = of->valuestring;
    if (!cJSON_IsArray(of))
        return to;
    cJSON_ArrayForEach (item, of) {
        if (cJSON_IsString(item))
            *at++ = item->valuestring;
    }
    return to;
}

static bool read_as(const cJSON *object, const char *key, enum kind kind, void *to)
{
    struct og_str text;
    bool ok;

    switch (kind) {
    case TEXT:
    case ID:
        ok = kind == TEXT ? og_doc_str(object, key, &text) : og_doc_id(object, key, &text);
        if (ok)
            *(const char **)to = text.s; /* NUL-terminated, as it is cJSON's own memory */
        return ok;
    case MONEY: return og_doc_money(object, key, to);
    case INT: return og_doc_int(object, key, to);
    case BOOL: return og_doc_bool(object, key, to);
    case WORDS: break;
    }
    return false;
}

bool og_decode_row(enum og_document what, const cJSON *object, struct og_arena *arena, void *row,
                   struct og_decode_error *fault)
{
    if (what == OG_DOCUMENT_ORDER)
        return decode_order(object, arena, row, fault);
    for (const struct field *f = tables[what].fields; f->key; f++) {
        void *to = (char *)row + f->at;

        if (f->kind == WORDS) {
            if (!(*(const char *const **)to = words(arena, og_doc_get(object, f->key))))
                return false;
        } else if (!read_as(object, f->key, f->kind, to) && (!f->other || !read_as(object, f->other, f->kind, to)) &&
                   f->must) {
            fault->key = f->key;
            return false;
        }
    }
    return true;
}

bool og_decode_rows(enum og_document what, const cJSON *list, struct og_arena *arena, const void **rows, size_t *count,
                    struct og_decode_error *fault)
{
    int n = cJSON_GetArraySize(list);
    char *to = n > 0 ? og_arena_take(arena, (size_t)n * tables[what].size) : NULL;
    const cJSON *item;

    *fault = (struct og_decode_error){ 0 };
    *count = (size_t)n;
    *rows = to;
    if (!to)
        return n == 0;
    cJSON_ArrayForEach (item, list) {
        fault->row++;
        if (!og_decode_row(what, item, arena, to, fault))
            return false;
        to += tables[what].size;
    }
    return true;
}
