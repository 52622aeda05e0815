/*
 * Spellings of one stock.  Class and preferred shares are written BRK.B, BRK-B, BRK_B, and by some BRKB.  The service
 * takes all of these, and asks for the point.
 */
#pragma once

#include "order/symbol.h"

/* Returns the ticker in capitals and with points: BRK.B of BRKB, brk-b and BRK_B; in `to`, or static.  A symbol longer
 * than OG_SYMBOL_FOLDED is returned as it is. */
struct og_str og_spelling_dotted(struct og_str symbol, char to[OG_SYMBOL_FOLDED]);

/* Returns the i-th spelling of a ticker that has points: with points, with '-', with '_', and without any, if the
 * ticker is known to be written so. Empty: there is no i-th spelling. A ticker without a point has only the first. */
#define OG_SPELLINGS 4
struct og_str og_spelling(struct og_str dotted, int i, char to[OG_SYMBOL_FOLDED]);
