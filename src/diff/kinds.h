/*
 * Kinds of orders for which a diff gives a verdict each, and which kinds a changed setting can concern.
 */
#pragma once

#include "diff/settings.h"
#include "order/request.h"

enum og_diff_kind {
    OG_KIND_STOCK_BUY,
    OG_KIND_STOCK_SELL,
    OG_KIND_STOCK_SHORT,
    OG_KIND_STOCK_COVER,
    OG_KIND_OPTION_BUY,
    OG_KIND_OPTION_WRITE,
    OG_KIND_OPTION_CLOSE,
    OG_KIND_SPREAD,
    OG_KIND_REPLACE, /* an order of any kind that replaces another one */
    OG_KIND_CANCEL,
    OG_KIND_LOCATE,
    OG_KIND_READ,
    OG_DIFF_KINDS /* also used for a line of no kind, which a locked rule refuses under every policy */
};
#define OG_KINDS_ALL ((1U << OG_DIFF_KINDS) - 1)
/* maximum number of proofs about single kinds in one diff; each takes a millisecond at most */
#define OG_KIND_PROOFS 3000

extern const char *const og_diff_kind_names[OG_DIFF_KINDS];

/* Returns the kind of a line. request: the line's request; NULL if the line is an order. */
enum og_diff_kind og_diff_kind_of(const struct og_order *order, const struct og_request *request);
/* Returns the kinds of cases, a bit each, that the rule checks. */
unsigned og_diff_kinds_of_rule(const struct og_rule *rule);
/* Returns the solver's kinds of orders (solver/domain.h) that the kind consists of; 0 if it is a request, or a
 * replacement. */
uint64_t og_diff_kind_orders(enum og_diff_kind kind);
/* Returns the kinds, a bit each, of orders that were refused before and may be accepted now because of the pair of
 * settings, which differ. *proofs is the number of proofs that may still be tried; when it is used up, kinds that a
 * proof could exclude are returned too. */
unsigned og_settings_concerns(const struct og_settings_diff *diff, const struct og_setting_pair *pair, int *proofs);
