/*
 * Writers of the service's documents, with the keys in the document's order and spelling.  Nothing is decided here; a
 * failed append shows in the buffer.
 */
#include "wire/write.h"

#include <stdio.h>

#include "base/time.h"

static struct og_wire_time time_text(int64_t ns, int offset_hours)
{
    struct og_wire_time t;
    int64_t local = ns + (int64_t)offset_hours * 3600 * OG_NS_PER_S;
    int64_t days = local / (86400 * OG_NS_PER_S), rest = local % (86400 * OG_NS_PER_S), s;
    int year, month, day;

    if (rest < 0) {
        rest += 86400 * OG_NS_PER_S;
        days--;
    }
    og_civil_from_days(days, &year, &month, &day);
    s = rest / OG_NS_PER_S;
    snprintf(t.s, sizeof t.s, "%04d-%02d-%02dT%02d:%02d:%02d.%07d%c%02d:00", year, month, day, (int)(s / 3600),
             (int)(s / 60 % 60), (int)(s % 60), (int)(rest % OG_NS_PER_S / 100), offset_hours < 0 ? '-' : '+',
             offset_hours < 0 ? -offset_hours : offset_hours);
    return t;
}

struct og_wire_time og_wire_time_utc(int64_t ns)
{
    return time_text(ns, 0);
}

struct og_wire_time og_wire_time_eastern(int64_t ns)
{
    struct og_eastern e;

    og_eastern_from(ns, &e);
    return time_text(ns, e.offset_hours);
}

struct og_wire_time og_wire_time_http(int64_t ns)
{
    static const char days[7][4] = { "Thu", "Fri", "Sat", "Sun", "Mon", "Tue", "Wed" }; /* 1970-01-01 was a Thursday */
    static const char months[12][4] = { "Jan", "Feb", "Mar", "Apr", "May", "Jun",
                                        "Jul", "Aug", "Sep", "Oct", "Nov", "Dec" };
    struct og_wire_time t;
    int64_t s = ns / OG_NS_PER_S, day_number = s / 86400;
    int year, month, day;

    og_civil_from_days(day_number, &year, &month, &day);
    snprintf(t.s, sizeof t.s, "%s, %02d %s %04d %02d:%02d:%02d GMT", days[day_number % 7], day, months[month - 1], year,
             (int)(s / 3600 % 24), (int)(s / 60 % 60), (int)(s % 60));
    return t;
}

/* The keys that both shapes have, in the document's order; names that differ are passed in. */
static void order_middle(struct og_buf *b, const struct og_order_row *r, const char *max_display_key)
{
    og_member_money(b, "limitPrice", r->limit_price);
    og_member_money(b, "priceStop", r->price_stop);
    og_member_money(b, "priceAvg", r->price_avg);
    og_member_money(b, max_display_key, r->max_display);
    og_member_money(b, "pegDifference", r->peg_difference);
    og_member_str(b, "pegOffsetType", r->peg_offset_type);
    og_member_money(b, "maintenanceRequirement", r->maintenance_requirement);
    og_member_money(b, "marginRequirement", r->margin_requirement);
    og_member_str(b, "openClose", r->open_close);
    og_member_str(b, "orderType", r->order_type);
    og_member_str(b, "securityType", r->security_type);
    og_member_str(b, "side", r->side);
    og_member_str(b, "symbol", r->symbol);
    og_member_str(b, "tradedSymbol", r->traded_symbol);
    og_member_money(b, "strikePrice", r->strike_price);
    og_member_str(b, "timeInForce", r->time_in_force);
    og_member_str(b, "route", r->route);
    og_member_str(b, "startTime", r->start_time);
    og_member_str(b, "lastUpdated", r->last_updated);
}

static void write_leg(struct og_buf *b, const struct og_leg_row *l)
{
    og_member_key(b, NULL);
    og_buf_char(b, '{');
    og_member_int(b, "index", l->index);
    og_member_str(b, "symbol", l->symbol);
    og_member_str(b, "side", l->side);
    og_member_money(b, "qty", l->qty);
    og_member_money(b, "lvsQty", l->leaves);
    og_member_money(b, "lastQty", l->last_qty);
    og_member_money(b, "lastPx", l->last_px);
    og_member_money(b, "avgPx", l->avg_px);
    og_member_money(b, "cxlQty", l->canceled);
    og_member_str(b, "openClose", l->open_close);
    og_buf_char(b, '}');
}

static void order_legs(struct og_buf *b, const struct og_order_row *r)
{
    int i;

    og_member_int(b, "legCount", r->leg_count);
    og_member_key(b, "legs");
    if (!r->legs) {
        og_buf_text(b, "null");
        return;
    }
    og_buf_char(b, '[');
    for (i = 0; i < r->legs; i++)
        write_leg(b, &r->leg[i]);
    og_buf_char(b, ']');
}

void og_order_row_write_clean(struct og_buf *b, const struct og_order_row *r)
{
    og_buf_char(b, '{');
    og_member_str(b, "accountId", r->account_id);
    og_member_str(b, "clientOrderId", r->client_order_id);
    og_member_text(b, "orderStatus", og_order_status_name(r->status));
    og_member_str(b, "text", r->text);
    og_member_money(b, "executed", r->executed);
    og_member_money(b, "leavesQuantity", r->leaves);
    og_member_money(b, "canceledQuantity", r->canceled);
    og_member_money(b, "orderQuantity", r->quantity);
    og_member_money(b, "lastPrice", r->last_price);
    og_member_money(b, "lastQuantity", r->last_quantity);
    order_middle(b, r, "maxDisplayQuantity");
    order_legs(b, r);
    og_buf_char(b, '}');
}

/* userOrderId is <account_id>:<client_order_id>, as one JSON string. */
static void user_order_id(struct og_buf *b, const struct og_order_row *r)
{
    og_member_str(b, "userOrderId", r->account_id);
    if (b->bad)
        return;
    b->s[b->len - 1] = ':'; /* replaces the closing quote; the id's opening quote is dropped below */
    {
        size_t at = b->len;

        og_buf_json_str(b, r->client_order_id);
        if (b->bad)
            return;
        memmove(b->s + at, b->s + at + 1, b->len - at - 1);
        b->s[--b->len] = '\0';
    }
}

void og_order_row_write_websocket(struct og_buf *b, const struct og_order_row *r)
{
    const char *status = og_order_status_name(r->status);

    og_buf_char(b, '{');
    og_member_str(b, "account", r->account_id);
    user_order_id(b, r);
    og_member_text(b, "orderStatus", status);
    og_member_text(b, "status", status);
    og_member_str(b, "text", r->text);
    og_member_money(b, "executed", r->executed);
    og_member_money(b, "leavesQuantity", r->leaves);
    og_member_money(b, "lvsQty", r->leaves);
    og_member_money(b, "cancelledQuantity", r->canceled);
    og_member_money(b, "orderQuantity", r->quantity);
    og_member_money(b, "lastPrice", r->last_price);
    og_member_money(b, "lastQty", r->last_quantity);
    order_middle(b, r, "maxDisplayQty");
    order_legs(b, r);
    og_member_str(b, "accountType", r->account_type);
    og_member_str(b, "condition", r->condition);
    og_member_int(b, "legIndex", r->leg_index);
    og_member_digits(b, "mlegID", r->mleg_id.len ? r->mleg_id : OG_STR("0"));
    og_member_str(b, "startTimeET", r->start_time_et);
    og_member_str(b, "sourceSystem", r->source_system);
    og_buf_char(b, '}');
}

void og_account_row_write(struct og_buf *b, const struct og_account_row *r, bool in_list)
{
    og_buf_char(b, '{');
    og_member_str(b, "account", r->account);
    og_member_str(b, "accountStatus", r->status);
    og_member_str(b, "accountType", r->type);
    og_member_money(b, "availableCash", r->available_cash);
    og_member_money(b, in_list ? "buyingPower" : "bp", r->buying_power);
    og_member_money(b, "equity", r->equity);
    og_member_money(b, "leverage", r->leverage);
    og_member_money(b, "maintenanceDeficit", r->maintenance_deficit);
    og_member_money(b, "marginDeficit", r->margin_deficit);
    og_member_money(b, "marginRatio", r->margin_ratio);
    og_member_money(b, "optContractsTraded", r->option_contracts_traded);
    og_member_money(b, "optLevel", r->option_level);
    og_member_money(b, "optionTradingLevel", r->option_level);
    og_member_money(b, "optionCashTotalBalance", r->option_cash_total_balance);
    og_member_money(b, "overnightBp", r->overnight_bp);
    og_member_money(b, "realized", r->realized);
    og_member_money(b, "sharesTraded", r->shares_traded);
    og_member_money(b, "sodEquity", r->sod_equity);
    og_member_money(b, "totalCommissions", r->total_commissions);
    og_member_money(b, "totalLocateCosts", r->total_locate_costs);
    og_member_money(b, "usedLeverage", r->used_leverage);
    og_buf_char(b, '}');
}

static void position_head(struct og_buf *b, const struct og_position_row *r, const char *id_key)
{
    og_buf_char(b, '{');
    og_member_str(b, "accountId", r->account_id);
    if (id_key)
        og_member_str(b, id_key, r->position_id);
    else
        og_member_digits(b, "positionId", r->position_id);
    og_member_str(b, "symbol", r->symbol);
    og_member_str(b, "tradedSymbol", r->traded_symbol);
    og_member_text(b, "rootSymbol", NULL);
    og_member_str(b, "securityType", r->security_type);
    og_member_str(b, "side", r->side);
    og_member_money(b, "shares", r->shares);
}

static void position_tail(struct og_buf *b, const struct og_position_row *r, bool margin)
{
    og_member_money(b, "priceAvg", r->price_avg);
    og_member_money(b, "priceOpen", r->price_open);
    og_member_money(b, "priceClose", r->price_close);
    og_member_money(b, "priceStrike", r->price_strike);
    og_member_str(b, "putCall", r->put_call);
    og_member_str(b, "dayOvernight", r->day_overnight);
    if (margin) {
        og_member_money(b, "marginRequirement", r->margin_requirement);
        og_member_money(b, "maintenanceRequirement", r->maintenance_requirement);
    }
    og_member_str(b, "createdDate", r->created);
    og_member_str(b, "updatedDate", r->updated);
    og_buf_char(b, '}');
}

void og_position_row_write(struct og_buf *b, const struct og_position_row *row)
{
    position_head(b, row, "positionId");
    position_tail(b, row, true);
}

void og_position_push_write(struct og_buf *b, const struct og_position_row *row)
{
    position_head(b, row, "id");
    position_tail(b, row, false);
}

void og_closed_row_write(struct og_buf *b, const struct og_closed_row *row)
{
    position_head(b, &row->position, NULL);
    og_member_money(b, "sharesIn", row->shares_in);
    og_member_money(b, "sharesOut", row->shares_out);
    og_member_money(b, "realized", row->realized);
    position_tail(b, &row->position, true);
}

void og_trade_row_write(struct og_buf *b, const struct og_trade_row *r)
{
    og_buf_char(b, '{');
    og_member_int(b, "tradeId", r->id);
    og_member_str(b, "accountId", r->account_id);
    og_member_str(b, "symbol", r->symbol);
    og_member_str(b, "securityType", r->security_type);
    og_member_str(b, "side", r->side);
    og_member_int(b, "qty", r->quantity);
    og_member_money(b, "price", r->price);
    og_member_money(b, "grossProceeds", r->gross);
    og_member_money(b, "netProceeds", r->net);
    og_member_money(b, "commission", r->commission);
    og_member_money(b, "totalFees", r->fees);
    og_member_text(b, "currency", "USD");
    og_member_str(b, "tradeDate", r->traded);
    og_member_str(b, "settleDate", r->settled);
    og_member_str(b, "entryDate", r->entered);
    og_member_str(b, "execTime", r->time);
    og_member_bool(b, "canceled", r->canceled);
    og_member_int(b, "mLegId", r->mleg_id);
    og_member_int(b, "spreadType", 0);
    og_member_text(b, "notes", "");
    og_buf_char(b, '}');
}

static void word_list(struct og_buf *b, const char *key, const char *words)
{
    size_t len;

    og_member_key(b, key);
    og_buf_char(b, '[');
    for (; *words; words += len + (words[len] == ',')) {
        len = strcspn(words, ",");
        og_member_str(b, NULL, (struct og_str){ words, len });
    }
    og_buf_char(b, ']');
}

void og_wire_route_write(struct og_buf *b, const struct og_wire_route *row)
{
    og_buf_char(b, '{');
    og_member_text(b, "routeName", row->name);
    word_list(b, "securityTypes", row->security_types);
    word_list(b, "timesInForce", row->times_in_force);
    word_list(b, "orderTypes", row->order_types);
    og_member_bool(b, "useDisplayQty", row->use_display_qty);
    og_buf_char(b, '}');
}

static void pnl_floating(struct og_buf *b, const struct og_pnl_row *r)
{
    og_member_money(b, "unrealizedPnL", r->unrealized);
    og_member_money(b, "dayUnrealizedPnL", r->day_unrealized);
    og_member_money(b, "pctPnLMove", r->pct);
    og_member_money(b, "dayPctPnLMove", r->day_pct);
    og_member_money(b, "exposure", r->exposure);
}

void og_pnl_row_write(struct og_buf *b, const struct og_pnl_row *r)
{
    og_buf_char(b, '{');
    og_member_str(b, "positionId", r->position_id);
    og_member_str(b, "symbol", r->symbol);
    og_member_money(b, "realizedPnl", r->realized);
    og_member_money(b, "dayRealizedPnl", r->day_realized);
    pnl_floating(b, r);
    og_buf_char(b, '}');
}

void og_pnl_push_write(struct og_buf *b, const struct og_pnl_row *r)
{
    og_buf_char(b, '{');
    og_member_str(b, "positionId", r->position_id);
    og_member_str(b, "symbol", r->symbol);
    og_member_key(b, "pnlCalc");
    og_buf_char(b, '{');
    pnl_floating(b, r);
    og_buf_char(b, '}');
    og_member_money(b, "realizedPnl", r->realized);
    og_member_money(b, "dayRealizedPnl", r->day_realized);
    og_buf_char(b, '}');
}

void og_pnl_totals_write(struct og_buf *b, const struct og_pnl_totals *t)
{
    og_member_money(b, "accountValue", t->account_value);
    og_member_money(b, "allowedLeverage", t->allowed_leverage);
    og_member_money(b, "availableCash", t->available_cash);
    og_member_money(b, "dayPnl", t->day_pnl);
    og_member_money(b, "dayRealized", t->day_realized);
    og_member_money(b, "dayUnrealized", t->day_unrealized);
    og_member_money(b, "equityRatio", t->equity_ratio);
    og_member_money(b, "exposure", t->exposure);
    og_member_money(b, "optionCashUsed", t->option_cash_used);
    og_member_money(b, "sharesTraded", t->shares_traded);
    og_member_money(b, "totalUnrealized", t->total_unrealized);
    og_member_money(b, "usedLeverage", t->used_leverage);
}
