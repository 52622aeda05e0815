/*
 * The texts of a trial order and of the facts made up for it: a session, an account with money, and a market around the
 * order's price.
 */
#pragma once

#include "lint/trial.h"

void og_trial_write_order(const struct og_trial *s, const struct og_trial_order *p, struct og_buf *b);
/* environment: the type of the account, as its document spells it; writes nothing for a bare order. */
void og_trial_write_facts(const struct og_trial *s, const struct og_trial_order *p, const char *environment,
                          struct og_buf *b);
