/*
 * Words that are meant as symbols, in policies: those that no symbol can be, and what was probably meant by them.
 */
#pragma once

#include "order/symbol.h"

#define OG_SYMBOL_MEANT 65 /* bytes of a symbol that was probably meant, with its NUL */
/* maximum number of characters of a ticker and its class; tickers of exchanges have up to ten */
#define OG_SYMBOL_TICKER_MOST 12

/* Returns why the word is no symbol of any length or kind, apart from its letters' case (static); NULL if it may be
 * one. */
const char *og_symbol_word_shape(struct og_str word);
/* Returns why the word cannot equal a symbol in an expression, where symbols have capitals (static text); NULL if it
 * can.  The empty word can, since it stands for a missing symbol.  meant: the symbol that was probably meant; ""
 * if not known. */
const char *og_symbol_word_why(struct og_str word, char meant[OG_SYMBOL_MEANT]);
/* Returns why the word is the name of a listed symbol in a spelling that no exchange has (GME.US, GME., GME_US), whose
 * orders rule symbol-form refuses or warns of (static); NULL if it is not.  meant: the listed symbol, in capitals. */
const char *og_symbol_word_foreign(struct og_str word, char meant[OG_SYMBOL_MEANT]);
bool og_symbol_word_is_contract(struct og_str word);
