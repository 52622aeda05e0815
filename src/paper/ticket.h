/*
 * An order ticket: the parsed body of a POST order, and how its enumerations are spelled.
 */
#pragma once

#include "base/buf.h"
#include "base/str.h"
#include "paper/decimal.h"

enum og_paper_security { OG_TICKET_NONE, OG_TICKET_STOCK, OG_TICKET_OPTION, OG_TICKET_MLEG };
enum og_paper_side { OG_TICKET_SIDE_NONE, OG_TICKET_SIDE_BUY, OG_TICKET_SIDE_SELL };
enum og_paper_effect { OG_TICKET_EFFECT_NONE, OG_TICKET_EFFECT_OPEN, OG_TICKET_EFFECT_CLOSE, OG_TICKET_EFFECT_INVALID };
enum og_paper_type {
    OG_TICKET_TYPE_NONE,
    OG_TICKET_TYPE_MARKET,
    OG_TICKET_TYPE_LIMIT,
    OG_TICKET_TYPE_STOP,
    OG_TICKET_TYPE_STOP_LIMIT
};
enum og_paper_tif {
    OG_TICKET_TIF_NONE,
    OG_TICKET_TIF_DAY,
    OG_TICKET_TIF_GTC,
    OG_TICKET_TIF_OPENING,
    OG_TICKET_TIF_IOC,
    OG_TICKET_TIF_FOK,
    OG_TICKET_TIF_CROSSING,
    OG_TICKET_TIF_DAY_PLUS,
    OG_TICKET_TIF_GTC_PLUS
};
/* og_paper_tif_lasts(): returns true if an order with this time in force may work beyond its session.
 * og_paper_tif_is_extended(): returns true if such an order also works before the open and after the close. */
static inline bool og_paper_tif_lasts(enum og_paper_tif tif)
{
    return tif == OG_TICKET_TIF_GTC || tif == OG_TICKET_TIF_GTC_PLUS;
}
static inline bool og_paper_tif_is_extended(enum og_paper_tif tif)
{
    return tif == OG_TICKET_TIF_DAY_PLUS || tif == OG_TICKET_TIF_GTC_PLUS || tif == OG_TICKET_TIF_CROSSING;
}

/* Spellings by enum value, from 1; NULL-terminated. */
extern const char *const og_paper_securities[], *const og_paper_sides[], *const og_paper_effects[];
extern const char *const og_paper_types[], *const og_paper_tifs[];
/* Returns the index of the word in the list; 0 if the word is not in it. */
int og_paper_word(const char *const *words, struct og_str word);

#define OG_TICKET_LEGS 4

struct og_paper_leg {
    struct og_str symbol;
    enum og_paper_side side;
    enum og_paper_effect effect;
    int64_t ratio;
};

struct og_paper_ticket {
    enum og_paper_security security;
    enum og_paper_side side; /* NONE for a multi-leg order */
    enum og_paper_effect effect;
    enum og_paper_type type;
    enum og_paper_tif tif;
    int64_t quantity;
    bool has_limit, has_stop;
    int64_t limit, stop;
    struct og_str symbol, id, route; /* len is 0 if the key is absent */
    int legs;
    struct og_paper_leg leg[OG_TICKET_LEGS];
};
