/*
 * The paper brokerage's side of the wire: writes the service's documents.  Every documented key is written, in the
 * order and spelling of the document; nothing is decided here.
 */
#pragma once

#include "base/json_write.h"
#include "wire/row.h"

/* "2026-01-15T15:00:00.0000000+00:00": ISO 8601 with seven fractional digits, as positions carry it. */
struct og_wire_time {
    char s[48];
};
struct og_wire_time og_wire_time_utc(int64_t ns);
struct og_wire_time og_wire_time_eastern(int64_t ns);
/* "Thu, 15 Jan 2026 15:00:00 GMT" (RFC 7231). */
struct og_wire_time og_wire_time_http(int64_t ns);

/* An account as a list row or as the account object, which differ only in the name of buying power. */
struct og_account_row {
    struct og_str account, status, type;
    struct og_money available_cash, buying_power, equity, leverage, maintenance_deficit, margin_deficit, margin_ratio;
    struct og_money option_contracts_traded, option_level, option_cash_total_balance, overnight_bp, realized;
    struct og_money shares_traded, sod_equity, total_commissions, total_locate_costs, used_leverage;
};
void og_account_row_write(struct og_buf *b, const struct og_account_row *row, bool in_list);

struct og_position_row {
    struct og_str account_id, position_id, symbol;
    struct og_str traded_symbol; /* s is NULL for stock */
    struct og_str security_type, side, put_call, day_overnight;
    struct og_money shares, price_avg, price_open, price_close, price_strike, margin_requirement,
        maintenance_requirement;
    struct og_str created, updated;
};
void og_position_row_write(struct og_buf *b, const struct og_position_row *row);
/* A position as the Portfolio stream sends it: id instead of positionId, and no margin fields. */
void og_position_push_write(struct og_buf *b, const struct og_position_row *row);

/* A completed lifecycle: shares is 0, the prices are averages of entry and exit, and positionId is a number. */
struct og_closed_row {
    struct og_position_row position;
    struct og_money shares_in, shares_out, realized;
};
void og_closed_row_write(struct og_buf *b, const struct og_closed_row *row);

/* A fill in the history of an account. */
struct og_trade_row {
    int64_t id, quantity, mleg_id;
    struct og_str account_id, symbol, security_type, side;
    struct og_money price, gross, net, commission, fees;
    struct og_str traded, settled, entered; /* dates, written with the time of midnight */
    struct og_str time;
    bool canceled; /* busted after the execution */
};
void og_trade_row_write(struct og_buf *b, const struct og_trade_row *row);

/* Lists are separated by commas without blanks: "Stock,Option". */
struct og_wire_route {
    const char *name, *security_types, *times_in_force, *order_types;
    bool use_display_qty;
};
void og_wire_route_write(struct og_buf *b, const struct og_wire_route *row);

struct og_pnl_row {
    struct og_str position_id, symbol;
    struct og_money exposure, realized, unrealized, day_realized, day_unrealized, pct, day_pct;
};
void og_pnl_row_write(struct og_buf *b, const struct og_pnl_row *row);
/* A row as the P&L stream sends it: the floating figures are under pnlCalc. */
void og_pnl_push_write(struct og_buf *b, const struct og_pnl_row *row);

struct og_pnl_totals {
    struct og_money account_value, allowed_leverage, available_cash, day_pnl, day_realized, day_unrealized,
        equity_ratio;
    struct og_money exposure, option_cash_used, shares_traded, total_unrealized, used_leverage;
};
/* The twelve figures as members of an object that the caller has begun. */
void og_pnl_totals_write(struct og_buf *b, const struct og_pnl_totals *t);
