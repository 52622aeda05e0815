/*
 * Spellings of one stock.  Class and preferred shares are written BRK.B, BRK-B, BRK_B, and by some BRKB; some feeds
 * add the country of the market, NVDA.US.  The service accepts all of these, and NVDA. too, and asks for the one with
 * the point.
 */
#pragma once

#include "order/symbol.h"

/* Returns the ticker in capitals and with points: BRK.B for BRKB, brk-b and BRK_B, NVDA for NVDA. and NVDA.US; the text
 * is in `to`, or static.  A symbol longer than OG_SYMBOL_FOLDED is returned unchanged. */
struct og_str og_spelling_dotted(struct og_str symbol, char to[OG_SYMBOL_FOLDED]);

/* Returns the symbol as exchanges list it, without what no ticker has: NVDA for NVDA., .NVDA, NVDA.US and NVDA_US. A
 * symbol that has nothing of the kind is returned unchanged (BRK.B, BRK-B, BRKB). A changed text is in `to`, where the
 * symbol itself may be. */
struct og_str og_spelling_listed(struct og_str symbol, char to[OG_SYMBOL_FOLDED]);

/* Returns the i-th spelling of a ticker that has points: with points, with '-', with '_', and with none of these if the
 * ticker is known to be written so. Empty: there is no i-th spelling. A ticker without a point has only one. */
#define OG_SPELLINGS 4
struct og_str og_spelling(struct og_str dotted, int i, char to[OG_SYMBOL_FOLDED]);
