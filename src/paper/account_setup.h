/*
 * Accounts and key pairs: creating, funding, initial positions, expiry, reset, and new secrets.
 */
#pragma once

#include "paper/account.h"

/* A position that the scenario gives an account; no trade made it. */
struct og_paper_initial_position {
    struct og_paper_symbol *symbol;
    bool is_long, overnight;
    int64_t shares, price;
};

/* Add an account without figures; its id and type are copied. Returns NULL if memory ran out. */
struct og_paper_account *og_paper_account_add(struct og_paper *p, struct og_str id, struct og_str type);
/* Compute the figures that were not given (OG_UNSET) from the given ones, and remember all of them for a reset. */
void og_paper_account_fund(struct og_paper_account *account);
/* Change the type of an account. Its routes change with the type, unless the account has routes of its own. */
void og_paper_account_retype(struct og_paper *p, struct og_paper_account *account, struct og_str type);

/* Open a lot for an initial position. The account's buying power is raised by the amount that the lot uses, so that the
 * buying power that the account shows does not change. Returns false if memory ran out. */
bool og_paper_account_add_initial(struct og_paper *p, struct og_paper_account *account,
                                  const struct og_paper_initial_position *seed);
/* Give new accounts their initial positions, and paper accounts their expiry date. Returns false if memory ran out. */
bool og_paper_accounts_start(struct og_paper *p);
/* Set the expiry timer anew, after the creation time or `linked` changed.  Returns false if out of memory. */
bool og_paper_account_expire_when_due(struct og_paper *p, struct og_paper_account *account);
/* Reset an account as the service's web portal does: figures, positions, orders and history become those of the first
 * day; used ids stay used. */
void og_paper_account_reset(struct og_paper *p, struct og_paper_account *account);

/* Set the secret and the accounts of a key pair, which is added if it does not exist. Returns NULL if memory ran
 * out. */
struct og_paper_key *og_paper_key_add(struct og_paper *p, struct og_str id, struct og_str secret,
                                      struct og_paper_account **accounts, size_t count);
