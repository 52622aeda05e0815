/*
 * The parts of ordergate broker: arguments, calls, the decision before a call, the locate workflow.
 */
#pragma once

#include "ordergate/broker.h"
#include "ordergate/ordergate.h"
#include "tools/common/exit.h"
#include "tools/common/options.h"

enum { BROKER_SYMBOLS_MOST = 256, BROKER_ARGUMENTS = 3 };

#define BROKER_PROGRAM "ordergate broker"

enum broker_field {
    FIELD_NONE = 0,
    FIELD_ACCOUNT,
    FIELD_ID,
    FIELD_SYMBOL,
    FIELD_START,
    FIELD_QUANTITY,
    FIELD_TYPE,
    FIELD_DAYS,
    FIELD_OFFSET,
    FIELD_LIMIT,
    FIELD_MAX_PRICE,
    FIELD_WAIT,
    FIELD_POLL,
    FIELD_ALL,
    FIELD_WEEK,
    FIELD_COUNT
};
const char *broker_field_name(enum broker_field f); /* f must not be FIELD_NONE */

struct broker {
    struct og_client_options client_options;
    struct og_client *client;
    const char *field[FIELD_COUNT]; /* values of the fields, as the user gave them; NULL if not given */
    long long number[FIELD_COUNT];
    int64_t duration[FIELD_COUNT];
    struct og_money price;
    const char *symbol[BROKER_SYMBOLS_MOST];
    size_t symbols;
    const char *output;
    bool force;
    int format, colour;
    bool is_document; /* the call makes a document for programs, which is never shown */
};

typedef enum og_status broker_call(struct broker *b, struct og_answer *a, struct og_error *err);
typedef void broker_check(struct og_book *book, const struct og_request *request, int64_t now,
                          struct og_scratch *scratch, struct og_decision *decision);

struct broker_command {
    struct option_command word;
    /* the fields that are set by arguments without an option, in this sequence; only the account may be left out */
    enum broker_field position[BROKER_ARGUMENTS];
    unsigned allowed;          /* bits of the other fields that the command accepts */
    broker_call *run;          /* NULL for the locate workflow */
    broker_check *check;       /* NULL if there is nothing to decide */
    const char *op, *endpoint; /* `op` and endpoint of the request to decide */
};

/* The calls, each of which prints the service's own document (tools/broker_calls.c). */
broker_call broker_accounts, broker_account, broker_pnl, broker_positions, broker_closed, broker_cash, broker_routes,
    broker_orders, broker_order, broker_history, broker_cancel, broker_cancel_all, broker_borrow, broker_locate_quote,
    broker_locate_accept, broker_locate_sell, broker_locate_cancel, broker_locate_history, broker_locate_inventory,
    broker_facts, broker_position_pnl, broker_closed_totals, broker_fills;

/* Decide the call by the built-in policy and the floor, without facts (tools/broker_decide.c).  Returns 0 if the
 * call may be made; if not, prints a message on stderr and returns the exit code. */
int broker_decide(const struct broker *b, const struct broker_command *c, const char *account);

/* Run the locate workflow (tools/broker_locate.c).  Returns the exit code. */
int broker_locate(struct broker *b, const char *account);

int broker_exit_code(enum og_status status);
/* Write the answer to stdout, or to the named file: as it came, or as --format says.  Returns exit code 0 or 4. */
int broker_print(const struct broker *b, const char *bytes, size_t len);
