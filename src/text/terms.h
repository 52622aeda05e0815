/*
 * The terms of an order in a few words, from its body as it is read or posted, or from a row of the broker. A member
 * that is absent, or of another type, is left out.
 */
#pragma once

#include "base/buf.h"
#include "text/doc.h"

/* Append "Buy", "Sell open": the side, and whether it opens or closes. */
void og_terms_side(struct og_buf *b, const cJSON *body);
/* Append the price in words: "189.5" (a limit), "stop 180", "179.5, stop 180", "market". */
void og_terms_price(struct og_buf *b, const cJSON *body);
/* Append "Buy open 100 AAPL 189.5". */
void og_terms(struct og_buf *b, const cJSON *body);
/* Append `before` and the member's text or number; append nothing if the object lacks the member. */
void og_terms_member(struct og_buf *b, const cJSON *object, const char *key, const char *before);
