/*
 * The brokerage's REST service: one function for each endpoint (docs/readings.md "O. Endpoint table and methods"), with
 * the answer as structs.  Nothing is decided or recorded here: orders should go through the gate of ordergate/send.h,
 * with a policy and a ledger.  Calls keep to the request budgets, which all processes of the user share.  Reads and
 * cancels are repeated after a failure; a call that creates something never is, except after a 429, which had no
 * effect.
 *
 * Units: money is in dollars and exact (ordergate/money.h); quantities are shares, contracts for options; ids are
 * texts, even where the service writes numbers.  Texts are UTF-8, and NULL if the service leaves them out or writes
 * null.  A figure left out is 0, except those whose absence must not be taken for zero: without them the answer is
 * unreadable.
 *
 * Ownership: an answer is in the caller's memory, zeroed before its first use and filled by the call, even if the call
 * fails (answer.kind, answer.http and answer.text then say why).  Its rows and texts are valid until
 * og_answer_clear(&x.answer) or until it is used for another call, even after the client was closed.
 *
 * Threads: a call runs its own event loop and returns at its end.  A client may be used by one thread at a time;
 * several clients may run in several threads.  No signal handler is installed; TLS may raise SIGPIPE, which a program
 * should ignore.  After fork() a child must not use or free a client of its parent, whose connections it shares.
 *
 * Every call returns one of these, or what its own comment says:
 *   OG_EINVAL    an argument is missing or has a form the service does not accept; nothing was sent
 *   OG_EREJECTED the service rejected the request (400, 405, 415); answer.text is its reason
 *   OG_EAUTH     the service does not know the keys (401; 404 of the list of accounts)
 *   OG_ENOENT    404: no such id, account or day, or unknown keys, which the service does not distinguish
 *   OG_EBUSY     429 for longer than the wait
 *   OG_ENET      not reachable, or a read was not answered as documented (3xx, 5xx, an incomplete reply)
 *   OG_EUNKNOWN  as OG_ENET, but a request with side effects may have been sent: look up what became of it
 *   OG_ENOMEM
 * Passing NULL where it is not allowed returns OG_EINVAL; a function that returns no status then does nothing and
 * returns an empty value (0, false, NULL or "").
 */
#ifndef ORDERGATE_BROKER_H
#define ORDERGATE_BROKER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "ordergate/locate.h"
#include "ordergate/money.h"
#include "ordergate/order.h"
#include "ordergate/status.h"
#include "ordergate/time.h"

#ifdef __cplusplus
extern "C" {
#endif

struct og_client;

/* Zero it first.  Strings are copied. */
struct og_client_options {
    /* path of the broker file (docs/contract.md "Reaching a broker"); if it is NULL, settings come from environment
     * variables alone */
    const char *broker;
    /* NULL means the account of the broker file or the environment variables, or the only one that the keys reach */
    const char *account;
    int64_t timeout_ns; /* time-out of one request; 0 means 10 s */
    int64_t wait_ns;    /* how long a call is retried after 429s and failures; 0 means 30 s */
    bool urgent;        /* cancels may use the part of the budget kept for emergencies */
    bool unchecked;     /* send even values that the service is known to reject */
};

/* Open a client; nothing is sent yet.
 *   OG_EINVAL  a setting is missing or not allowed; err says which, the value seen and what to do
 *   OG_EIO     the broker file or the secret cannot be read, or others may read or write it
 *   OG_ENET    libcurl or libuv cannot be started
 *   OG_ENOMEM  In all of these *client is NULL. */
OG_API OG_MUST_USE enum og_status og_client_open(const struct og_client_options *options, struct og_client **client,
                                                 struct og_error *err);
OG_API void og_client_close(struct og_client *client); /* NULL is allowed */
/* Stop og_client_locate() while it waits for an offer; the quote is then canceled. If the offer was already accepted,
 * the locate is still confirmed. May be called from any thread and from a signal handler, while the client is open. */
OG_API void og_client_stop(struct og_client *client);
/* Get the account that calls with account NULL use; if none is configured, the service is asked. The text is valid as
 * long as the client.
 *   OG_ENOENT  the keys reach no account, or several; err names them */
OG_API OG_MUST_USE enum og_status og_client_account_id(struct og_client *client, const char **account,
                                                       struct og_error *err);

/* How a call ended (docs/readings.md "Y. Errors"). The Content-Type decides whether an answer is text or JSON. */
enum og_answer_kind {
    OG_ANSWER_NONE = 0, /* no request was sent */
    OG_ANSWER_OK = 1,
    OG_ANSWER_INVALID = 2,     /* 400 in plain text, one line for each field */
    OG_ANSWER_DENIED = 3,      /* 400 in JSON with statusCode, message and detail; it concerns the account */
    OG_ANSWER_PROBLEM = 4,     /* 400 in JSON as problem details */
    OG_ANSWER_NO_KEYS = 5,     /* the status was 401 */
    OG_ANSWER_NOT_FOUND = 6,   /* the status was 404 */
    OG_ANSWER_METHOD = 7,      /* the status was 405 */
    OG_ANSWER_MEDIA_TYPE = 8,  /* the status was 415 */
    OG_ANSWER_BUSY = 9,        /* the status was 429 */
    OG_ANSWER_FAULT = 10,      /* the status was 5xx */
    OG_ANSWER_STRANGE = 11,    /* any other status; redirects are never followed */
    OG_ANSWER_UNREADABLE = 12, /* 200, but the document is not as documented */
    OG_ANSWER_UNSENT = 13,     /* no byte was sent */
    OG_ANSWER_LOST = 14        /* bytes may have been sent, but no complete answer came */
};
OG_API const char *og_answer_kind_name(enum og_answer_kind kind); /* such as "not-found"; static */

struct og_answer {
    enum og_answer_kind kind;
    int http;         /* 0 if no status line was received */
    int attempts;     /* number of requests that were sent, or may have been */
    const char *type; /* the answer's Content-Type; "" if it has none */
    const char *body; /* the body as received; for joined pages a single document; "" if none */
    size_t len;
    const char *text; /* one line for people: the service's reason, or why there is no answer; "" if kind is OK */
    int64_t asked_at; /* ns: when the request was sent; the answer shows the state at that time or later */
    int64_t date;     /* ns: the answer's header Date; OG_TIME_UNKNOWN if there is none */
    void *memory;     /* for the library's own use */
};
OG_API void og_answer_clear(struct og_answer *answer); /* may be called again; a zeroed answer is allowed */

/* --- accounts: the fields are those of docs/readings.md, sections C to F ------------------------------------------ */

struct og_account_info {
    const char *account, *status, *type; /* type: "Paper" is paper, every other type is live */
    struct og_money available_cash, buying_power, equity, overnight_bp; /* required, except overnight_bp */
    struct og_money leverage, used_leverage, maintenance_deficit, margin_deficit, margin_ratio, realized, sod_equity;
    struct og_money option_cash_total_balance, total_commissions, total_locate_costs, shares_traded,
        option_contracts_traded;
    int64_t option_level; /* from 0 to 4 */
};
struct og_accounts {
    struct og_answer answer;
    size_t count;
    const struct og_account_info *row;
};
struct og_account_detail {
    struct og_answer answer;
    struct og_account_info row;
};
/* GET accounts.  Also shows whether the keys are valid. */
OG_API OG_MUST_USE enum og_status og_client_accounts(struct og_client *client, struct og_accounts *to,
                                                     struct og_error *err);
/* GET account. */
OG_API OG_MUST_USE enum og_status og_client_account(struct og_client *client, const char *account,
                                                    struct og_account_detail *to, struct og_error *err);

struct og_lot_info { /* one row of pnl[]; members day_* concern only today; pct is in percent of the cost basis */
    const char *position_id, *symbol; /* only position_id identifies a position */
    struct og_money exposure, realized, unrealized, day_realized, day_unrealized, pct, day_pct;
};
struct og_pnl_detail {
    struct og_answer answer;
    struct og_money account_value, allowed_leverage, available_cash, day_pnl, day_realized, day_unrealized,
        equity_ratio;
    struct og_money exposure, option_cash_used, shares_traded, total_unrealized, used_leverage;
    size_t count;
    const struct og_lot_info *row;
};
/* GET pnl. */
OG_API OG_MUST_USE enum og_status og_client_pnl(struct og_client *client, const char *account, struct og_pnl_detail *to,
                                                struct og_error *err);

struct og_position_info {
    const char *account, *position_id, *symbol;
    const char *traded_symbol; /* the contract of an option; NULL for stock */
    const char *security_type, *side, *put_call, *day_overnight, *created, *updated;
    struct og_money shares; /* required in the answer; the absolute value: `side` says whether it is long or short */
    struct og_money price_avg, price_open, price_close, price_strike, margin_requirement, maintenance_requirement;
    struct og_money shares_in, shares_out, realized; /* set only for a closed position */
};
struct og_positions {
    struct og_answer answer;
    size_t count;
    const struct og_position_info *row;
};
/* GET positions. */
OG_API OG_MUST_USE enum og_status og_client_positions(struct og_client *client, const char *account,
                                                      struct og_positions *to, struct og_error *err);
/* GET closed: completed lifecycles, which appear some time after their last fill. */
OG_API OG_MUST_USE enum og_status og_client_closed(struct og_client *client, const char *account,
                                                   struct og_positions *to, struct og_error *err);

/* GET positions, then GET pnl, as one document in answer.body: {"positionPnl":[...],"otherPnl":[...]}.  Each position
 * has the members of its P&L row (exposure, realizedPnl, ..., dayPctPnLMove), null if it has none, and pnlBy: the
 * member by which the row was found. That is positionId; without such a row, tradedSymbol of an option or symbol of
 * stock, if one position and one row of an open lot have it and neither has a partner by its id; else null.
 * otherPnl: the rows of no position, as of lots that were closed today. */
OG_API OG_MUST_USE enum og_status og_client_position_pnl(struct og_client *client, const char *account,
                                                         struct og_answer *to, struct og_error *err);

/* GET closed, added up for each symbol, of options for each contract, as a document in answer.body:
 * {"closedTotals":[...]} with symbol, tradedSymbol, securityType, side ("Both" if records of both are among them),
 * records (their number), sharesIn, sharesOut and realized (their sums), createdDate (the first) and updatedDate (the
 * last).  OG_ENET also if a sum cannot be computed. */
OG_API OG_MUST_USE enum og_status og_client_closed_totals(struct og_client *client, const char *account,
                                                          struct og_answer *to, struct og_error *err);

/* --- histories (docs/readings.md, sections I and K) --------------------------------------------------------------- */

/* The part of a history to read; zero it first. */
struct og_window {
    const char *start;  /* first day, such as "2026-01-15"; for fills, the other forms in the service's document are
                         * allowed too */
    int days;           /* number of days, 1 to 365; 0 means the service's default, 30 */
    int64_t offset;     /* number of rows to skip */
    int limit;          /* rows per page: up to 10000 for cash, 100 for fills; 0 means the service's default, 100 */
    const char *symbol; /* for fills only: their symbol; NULL means all symbols */
    bool all;           /* read all pages, up to the service's totalRecords */
};
struct og_page {
    bool known;                   /* false: the answer had no "pagination", and the members below are 0 */
    int64_t limit, offset, total; /* limit: as the service applied it; total: number of rows in the window */
};
struct og_cash_info {
    const char *account, *cash_type, *currency, *entry_date, *note;
    struct og_money deposit, withdraw; /* exactly one of the two is not 0 */
};
struct og_cash {
    struct og_answer answer;
    struct og_page page;
    size_t count;
    const struct og_cash_info *row; /* the rows, oldest first */
};
/* GET cash. With `all`, rows that are added while pages are being read are included. */
OG_API OG_MUST_USE enum og_status og_client_cash(struct og_client *client, const char *account,
                                                 const struct og_window *window, struct og_cash *to,
                                                 struct og_error *err);

struct og_fill_info {
    const char *trade_id, *account, *symbol, *security_type, *side, *currency;
    const char *trade_date, *settle_date, *entry_date, *exec_time, *notes;
    const char *mleg_id; /* "0" if the order has a single leg */
    /* quantity and price are required in the answer */
    struct og_money quantity, price, gross_proceeds, net_proceeds, commission, total_fees;
    int64_t spread_type;
    bool canceled; /* the fill was busted (canceled) after the execution */
};
struct og_fills {
    struct og_answer answer;
    struct og_page page;
    size_t count;
    const struct og_fill_info *row;
};
/* GET history-pages: up to a year. */
OG_API OG_MUST_USE enum og_status og_client_history(struct og_client *client, const char *account,
                                                    const struct og_window *window, struct og_fills *to,
                                                    struct og_error *err);
/* GET history-pages, then GET orders, as one document in answer.body: {"fills":[...],"pagination":...}.  The service
 * links no fill to its order. Each fill gets clientOrderId: of its order, null if it cannot be told; orderBy: "mLegId"
 * if the order has the ticket of the fill, "terms" if it is the only order of the list whose symbol, side, day,
 * quantity and price fit the fill and it executed as much as its fills, else null; candidates: the ids of all orders
 * that fit.  The list has the orders of the session alone. */
OG_API OG_MUST_USE enum og_status og_client_fill_orders(struct og_client *client, const char *account,
                                                        const struct og_window *window, struct og_answer *to,
                                                        struct og_error *err);
/* GET history: up to a week from the day `start` on, in one answer. */
OG_API OG_MUST_USE enum og_status og_client_week(struct og_client *client, const char *account, const char *start,
                                                 struct og_fills *to, struct og_error *err);

/* --- orders (docs/readings.md, sections G, Q and U) --------------------------------------------------------------- */

#define OG_LEGS_MOST 4

struct og_leg_info {
    const char *symbol, *side, *open_close;
    struct og_money quantity, leaves, last_quantity, last_price, price_avg, canceled;
};
struct og_order_info {
    const char *account, *client_order_id;
    const char *status; /* status of the order, such as "PendingNew"; required */
    bool terminal;      /* Filled, Canceled, Rejected or Expired: the order does not change any more */
    const char *text;   /* why the order was rejected */
    struct og_money quantity, executed, leaves, canceled, price_avg, last_price, last_quantity;
    bool has_executed; /* false: quantity, executed and the other figures are missing, as in the row of an order that
                        * was rejected early */
    struct og_money limit_price, stop_price, strike_price, max_display, peg_difference, margin_requirement,
        maintenance_requirement; /* a price is 0 if the order was sent without one */
    const char *security_type, *symbol, *traded_symbol, *side, *open_close, *order_type, *time_in_force, *route;
    const char *peg_offset_type, *start_time, *last_updated, *mleg_id;
    int legs; /* number of rows in leg[]; 0 while the service shows none */
    struct og_leg_info leg[OG_LEGS_MOST];
};
struct og_orders_today {
    struct og_answer answer;
    size_t count;
    const struct og_order_info *row;
};
struct og_order_detail {
    struct og_answer answer;
    bool has_row; /* false: the answer to a cancel has no order */
    struct og_order_info row;
};
/* GET orders: orders that are working, and orders of the present session that have ended. */
OG_API OG_MUST_USE enum og_status og_client_orders(struct og_client *client, const char *account,
                                                   struct og_orders_today *to, struct og_error *err);
/* GET order. Also returns OG_ENOENT while an order is not registered yet. */
OG_API OG_MUST_USE enum og_status og_client_order(struct og_client *client, const char *account,
                                                  const char *client_order_id, struct og_order_detail *to,
                                                  struct og_error *err);
/* POST order: one request, never repeated, without a decision and without a record; to send orders through the gate,
 * use og_sender. The order must have a clientOrderId (else OG_EINVAL), since an order without one cannot be looked up
 * after a lost answer. OG_OK means that the body was valid: read row.status. An account that is not Paper needs
 * environment: live in the broker file. */
OG_API OG_MUST_USE enum og_status og_client_place(struct og_client *client, const char *account,
                                                  const struct og_order *order, struct og_order_detail *to,
                                                  struct og_error *err);
/* DELETE order. Use og_client_order() to find out whether the order was canceled. OG_ENOENT: there is no such order, it
 * is not registered yet, or it is over. */
OG_API OG_MUST_USE enum og_status og_client_cancel(struct og_client *client, const char *account,
                                                   const char *client_order_id, struct og_order_detail *to,
                                                   struct og_error *err);
/* DELETE orders: cancel the working orders of one symbol, or all working orders if symbol is NULL. The service's
 * document does not name the field for the symbol; its name here is an assumption. */
OG_API OG_MUST_USE enum og_status og_client_cancel_all(struct og_client *client, const char *account,
                                                       const char *symbol, struct og_answer *to, struct og_error *err);

/* --- routes, borrow, locates (docs/readings.md, sections J, L and V) ---------------------------------------------- */

struct og_route_info {
    const char *name;
    /* each list ends with NULL; it is empty if the answer lacks it */
    const char *const *security_types, *const *times_in_force, *const *order_types;
    bool use_display_qty;
};
struct og_routes {
    struct og_answer answer;
    size_t count;
    const struct og_route_info *row;
};
/* GET routes. */
OG_API OG_MUST_USE enum og_status og_client_routes(struct og_client *client, const char *account, struct og_routes *to,
                                                   struct og_error *err);

struct og_borrow_detail {
    struct og_answer answer;
    bool easy;
};
/* GET borrow. */
OG_API OG_MUST_USE enum og_status og_client_borrow(struct og_client *client, const char *account, const char *symbol,
                                                   struct og_borrow_detail *to, struct og_error *err);

/* POST locate-quote: quantity from 100, in hundreds; the id must be new.  The answer says only that the quote was sent;
 * the history has the result within seconds. */
OG_API OG_MUST_USE enum og_status og_client_locate_quote(struct og_client *client, const char *account,
                                                         const char *symbol, int64_t quantity, const char *quote_id,
                                                         struct og_answer *to, struct og_error *err);
/* POST locate-accept: charges the locate's price, once, if the offer still stands (30 s). */
OG_API OG_MUST_USE enum og_status og_client_locate_accept(struct og_client *client, const char *account,
                                                          const char *quote_id, struct og_answer *to,
                                                          struct og_error *err);
/* POST locate-sell: return located shares for credit; type is "Locate", "PreBorrow" or "SingleUse"; symbol may be NULL,
 * as in the service's document. */
OG_API OG_MUST_USE enum og_status og_client_locate_sell(struct og_client *client, const char *account,
                                                        const char *symbol, const char *type, int64_t quantity,
                                                        const char *quote_id, struct og_answer *to,
                                                        struct og_error *err);
/* DELETE locate: the service answers 200 for any id. */
OG_API OG_MUST_USE enum og_status og_client_locate_cancel(struct og_client *client, const char *account,
                                                          const char *quote_id, struct og_answer *to,
                                                          struct og_error *err);

struct og_locate_info {
    const char *account, *symbol, *quote_id; /* a threshold symbol has a second row, whose quote_id has the suffix
                                              * ".SU" */
    const char *text, *created, *updated;
    int64_t status;                        /* enum og_locate_status, or an undocumented number; status and price are
                                            * required in the answer */
    int64_t type;                          /* 1 and 2 Locate, 3 PreBorrow, 4 SingleUse, 0 rejected */
    int64_t error;                         /* the service's locateError */
    struct og_money shares, filled, price; /* price: dollars a share; shares are negative for credits */
    bool pre_borrow;
};
struct og_locates {
    struct og_answer answer;
    size_t count;
    const struct og_locate_info *row;
};
/* GET locates. */
OG_API OG_MUST_USE enum og_status og_client_locate_history(struct og_client *client, const char *account,
                                                           struct og_locates *to, struct og_error *err);

struct og_inventory_info {
    const char *account, *symbol;
    struct og_money available, sold, to_be_sold, unavailable; /* available is required */
    int64_t type;
};
struct og_locate_inventory {
    struct og_answer answer;
    size_t count;
    const struct og_inventory_info *row;
};
/* GET inventory. */
OG_API OG_MUST_USE enum og_status og_client_locate_inventory(struct og_client *client, const char *account,
                                                             struct og_locate_inventory *to, struct og_error *err);

/* --- two workflows ------------------------------------------------------------------------------------------------ */

/* What is to be located; zero it first. */
struct og_locate_wish {
    const char *symbol;
    int64_t quantity;     /* number of shares, a multiple of 100 */
    struct og_money most; /* maximum price in dollars a share */
    /* OG_LOCATE_REUSABLE: either a Locate or a PreBorrow */
    enum { OG_LOCATE_ANY = 0, OG_LOCATE_REUSABLE, OG_LOCATE_SINGLE } kind;
    const char *quote_id; /* id of the quote; if it is NULL, an id is made */
    int64_t wait_ns;      /* how long to wait for an offer, in ns; 0 means 30 s */
    int64_t every_ns;     /* time between two reads of the history, in ns; 0 means 2 s */
};
enum og_locate_end {
    OG_LOCATED = 1,            /* filled, and seen in the inventory */
    OG_LOCATE_TOO_DEAR = 2,    /* offered above the maximum price; the quote was canceled */
    OG_LOCATE_NOT_OFFERED = 3, /* rejected by the service: row.text says why */
    OG_LOCATE_RAN_OUT = 4,     /* the offer expired or was canceled before it was accepted; nothing is charged */
    OG_LOCATE_GAVE_UP = 5,     /* no offer came within the wait, or the call was stopped; the quote was canceled */
    OG_LOCATE_UNKNOWN = 6,     /* accepted, but not confirmed: read the history */
    OG_LOCATE_NOT_ASKED = 7    /* the quote did not reach the service */
};
struct og_locate_result {
    struct og_answer answer; /* answer of the last call; its memory holds the rows of this struct */
    enum og_locate_end end;
    const char *quote_id; /* the id of the quote */
    bool accepted;        /* an accept was sent, which happens at most once */
    /* has_row: row is set, to the accepted offer, or to the quote's most advanced row if none was accepted; has_stock:
     * stock is set, to the row of the inventory */
    bool has_row, has_stock;
    struct og_locate_info row;
    struct og_inventory_info stock;
};
/* Request a quote, wait for the offer, choose the cheaper one if there are two (at equal prices the reusable one),
 * accept it while it is certainly valid (25 s), and confirm the locate by history and inventory. OG_OK: the sequence
 * ended as to->end says. */
OG_API OG_MUST_USE enum og_status og_client_locate(struct og_client *client, const char *account,
                                                   const struct og_locate_wish *wish, struct og_locate_result *to,
                                                   struct og_error *err);
/* Returns "located", "too-dear", "not-offered", "ran-out", "gave-up", "unknown" or "not-asked"; static. */
OG_API const char *og_locate_end_name(enum og_locate_end end);

/* Read the broker's facts about an account, and write them as a facts document (docs/contract.md "Facts") into
 * answer.body: account, positions, orders, routes, P&L and locates, each with its age, and the borrow status of the
 * given symbols. */
OG_API OG_MUST_USE enum og_status og_client_facts(struct og_client *client, const char *account,
                                                  const char *const *symbols, size_t count, struct og_answer *to,
                                                  struct og_error *err);

#ifdef __cplusplus
}
#endif
#endif
