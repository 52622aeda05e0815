/*
 * The day's highest P&L of an account, in the ledger.
 */
#pragma once

#include "send/sender.h"

/* A reading was taken in: record the day's highest P&L if it is higher than what is on record, and the first time on
 * a day tell the book what is. */
void og_send_pnl_read(struct og_account_state *a);
void og_send_peak_heard(struct og_account_state *a, const struct og_ledger_row *row); /* another run's record */
