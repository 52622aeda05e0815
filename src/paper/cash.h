/*
 * The cash ledger of an account: payments and receipts other than trades.
 */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "base/str.h"

struct og_paper;
struct og_paper_account;

struct og_paper_cash {
    int64_t number;
    struct og_str type, note;
    int64_t deposit, withdraw; /* millionths; one of the two is 0 */
    int64_t day;               /* days since 1970-01-01 in New York's calendar */
    int64_t shown;             /* time in ns from which the ledger shows the row */
    struct og_paper_cash *next;
};

/* Charge a fee, or refund it if amount is below 0: changes cash and buying power, and adds a row to the ledger. Returns
 * false if memory ran out. */
bool og_paper_cash_fee(struct og_paper *p, struct og_paper_account *account, struct og_str type, int64_t amount,
                       struct og_str note);
/* Append a row that was read from the database. */
bool og_paper_cash_restore(struct og_paper *p, struct og_paper_account *account, void *row);
