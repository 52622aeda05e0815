/*
 * Accounts and key pairs as a scenario has them: made, funded, given positions, expired, reset, signed in anew.
 */
#ifndef OG_PAPER_ACCOUNT_SETUP_H
#define OG_PAPER_ACCOUNT_SETUP_H

#include "paper/account.h"

/* A lot that is there without a trade. */
struct og_paper_initial_position {
    struct og_paper_symbol *symbol;
    bool is_long, overnight;
    int64_t shares, price;
};

/* An account without figures; its id and type are copied.  NULL: out of memory. */
struct og_paper_account *og_paper_account_add(struct og_paper *p, struct og_str id, struct og_str type);
/* Figures nobody gave (OG_UNSET) follow from those given; what the account has now is what a reset goes back to. */
void og_paper_account_fund(struct og_paper_account *account);
/* Another type has other routes, unless the account has routes of its own. */
void og_paper_account_retype(struct og_paper *p, struct og_paper_account *account, struct og_str type);

/* Seeded lots tie up what they cost, and the account is given as much more: its buying power shows no
 * difference.  false: out of memory. */
bool og_paper_account_add_initial(struct og_paper *p, struct og_paper_account *account,
                                  const struct og_paper_initial_position *seed);
/* New accounts get their positions, and paper accounts the day on which they expire.  false: out of memory. */
bool og_paper_accounts_start(struct og_paper *p);
/* When it was made or that it is linked changed: see to its expiry anew.  false: out of memory. */
bool og_paper_account_expire_when_due(struct og_paper *p, struct og_paper_account *account);
/* What the portal's reset does: figures, positions, orders and history as on the first day; used ids stay used. */
void og_paper_account_reset(struct og_paper *p, struct og_paper_account *account);

/* The key pair of that id, made where there is none, for those accounts.  NULL: out of memory. */
struct og_paper_key *og_paper_key_add(struct og_paper *p, struct og_str id, struct og_str secret,
                                      struct og_paper_account **accounts, size_t count);

#endif
