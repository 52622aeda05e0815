/*
 * The cash ledger of an account: what was paid and received beside trades.
 */
#ifndef OG_PAPER_CASH_H
#define OG_PAPER_CASH_H

#include "base/str.h"

#include <stdbool.h>
#include <stdint.h>

struct og_paper;
struct og_paper_account;

struct og_paper_cash {
    int64_t number;
    struct og_str type, note;
    int64_t deposit, withdraw; /* millionths; one of them is 0 */
    int64_t day;               /* days since 1970-01-01, of New York's calendar */
    int64_t shown;             /* the instant from which the ledger shows it */
    struct og_paper_cash *next;
};

/* Pay a fee, or get one back where amount is below 0: cash, buying power and a row of the ledger.  false: out of
 * memory. */
bool og_paper_cash_fee(struct og_paper *p, struct og_paper_account *account, struct og_str type, int64_t amount,
                       struct og_str note);
/* A row as it was stored. */
void og_paper_cash_restore(struct og_paper_account *account, struct og_paper_cash *row);

#endif
