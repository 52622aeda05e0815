/*
 * Money inside: what lies beside ordergate/money.h.
 */
#ifndef OG_BASE_MONEY_H
#define OG_BASE_MONEY_H

#include "ordergate/money.h"

#define OG_MONEY_ROOM sizeof(((struct og_money_text *)0)->s)
/* og_money_text() without its NUL, in OG_MONEY_ROOM bytes; its length. */
size_t og_money_put(char *to, struct og_money m);

#endif
