/*
 * The texts of a trial order and of the facts made up for it: a session, an account with money, and a market around the
 * order's price.
 */
#pragma once

#include "lint/trial.h"

void og_trial_write_order(const struct og_trial *s, const struct og_trial_order *p, struct og_buf *b);
/* Write the facts made up for a trial order; nothing for a bare order. environment: the type of the account, as its
 * document spells it. */
void og_trial_write_facts(const struct og_trial *s, const struct og_trial_order *p, const char *environment,
                          struct og_buf *b);
