/*
 * The day's highest P&L of an account, in the ledger.
 */
#pragma once

#include "send/sender.h"

/* Call after a reading was taken in. Records the day's highest P&L if it is higher than the recorded one. At the first
 * reading of a day, gives the book the recorded one. */
void og_send_pnl_read(struct og_account_state *a);
/* A transaction failed, and perhaps the record of a peak with it: the next reading records the peak once more. */
void og_send_peaks_lost(struct og_sender *s);
/* take in another run's record of a peak */
void og_send_peak_heard(struct og_account_state *a, const struct og_ledger_row *row);
