/*
 * Getters of names.  A getter serves several names, which it distinguishes by their key.
 */
#pragma once

#include "expr/program.h"

#define OG_GETTER_(name)                                                                             \
    void name(const struct og_case *c, struct og_expr_room *room, const struct og_expr_named *name_, \
              struct og_expr_value *to)
/* Define a getter as a function that returns the value. */
#define OG_GETTER(name)                                                                            \
    static inline struct og_expr_value name##_(const struct og_case *c, struct og_expr_room *room, \
                                               const struct og_expr_named *name_);                 \
    OG_GETTER_(name)                                                                               \
    {                                                                                              \
        *to = name##_(c, room, name_);                                                             \
    }                                                                                              \
    static inline struct og_expr_value name##_(const struct og_case *c, struct og_expr_room *room, \
                                               const struct og_expr_named *name_)
#define OG_NO_VALUE og_expr_error(OG_CAUSE_NO_VALUE, name_->is.name)

/* --- names_order.c: keys are enum og_key, or these ---------------------------------------------------------------- */
enum og_of_order {
    OG_OF_ACTION,
    OG_OF_OPENS,
    OG_OF_REDUCES,
    OG_OF_CONTRACTS_TRADED,
    OG_OF_PRICE,
    OG_OF_NOTIONAL,
    OG_OF_LIMIT_NOTIONAL,
    OG_OF_LEAST_PRICE,
    OG_OF_UNDERLYING,
    OG_OF_STRATEGY,
    OG_OF_TAG,
    OG_OF_DIRECTION,
    OG_OF_MAX_LOSS,
    OG_OF_MAX_PROFIT,
    OG_OF_LEGS
};
enum og_of_contract { OG_OF_RIGHT, OG_OF_STRIKE, OG_OF_EXPIRY, OG_OF_DAYS, OG_OF_ROOT };
/* The text of a field that the order does not have: the text is "", and has() returns false for the field. */
extern const char og_expr_absent_text[];
OG_GETTER_(og_expr_get_text);
OG_GETTER_(og_expr_get_quantity);
OG_GETTER_(og_expr_get_price);
OG_GETTER_(og_expr_get_order);
OG_GETTER_(og_expr_get_contract);
/* Return a value of a leg: a text by its key, the ratio, or a value from the OCC symbol of its contract. */
struct og_expr_value og_expr_leg_text(const struct og_leg *leg, struct og_expr_room *room, enum og_leg_key key,
                                      const char *name);
struct og_expr_value og_expr_leg_ratio(const struct og_leg *leg, const char *name);
struct og_expr_value og_expr_action(enum og_side side, enum og_open_close open_close, const char *name);
struct og_expr_value og_expr_contract(const struct og_case *c, struct og_expr_room *room, const struct og_occ *occ,
                                      enum og_of_contract what, const char *name);

/* --- names_facts.c ------------------------------------------------------------------------------------------------ */
enum og_of_account { OG_OF_ID, OG_OF_ENVIRONMENT, OG_OF_TYPE, OG_OF_STATUS, OG_OF_OPT_LEVEL, OG_OF_TRADING_LEVEL };
enum og_of_position {
    OG_OF_LONG,
    OG_OF_SHORT,
    OG_OF_NET,
    OG_OF_BUYING,
    OG_OF_SELLING,
    OG_OF_BUYING_TO_CLOSE,
    OG_OF_SELLING_TO_CLOSE,
    OG_OF_WORKING,
    OG_OF_VALUE
};
enum og_of_book {
    OG_OF_GROSS,
    OG_OF_BOOK_NET,
    OG_OF_LONGS,
    OG_OF_SHORTS,
    OG_OF_ORDERS,
    OG_OF_CONTRACTS,
    OG_OF_ON_UNDERLYING,
    OG_OF_SHORT_CALLS,
    OG_OF_SHORT_PUTS
};
enum og_of_quote { OG_OF_BID, OG_OF_ASK, OG_OF_LAST, OG_OF_MID, OG_OF_SPREAD, OG_OF_AGE };
enum og_of_symbol_status {
    OG_OF_HALTED,
    OG_OF_PAUSED,
    OG_OF_RESTRICTED,
    OG_OF_LIMIT_DOWN,
    OG_OF_LIMIT_UP,
    OG_OF_STATUS_AGE
};
enum og_of_session { OG_OF_OPEN, OG_OF_KIND, OG_OF_EARLY, OG_OF_DATE, OG_OF_TO_CLOSE, OG_OF_FROM_OPEN };
enum og_of_traded { OG_OF_DOLLARS, OG_OF_SHARES_TRADED, OG_OF_TRADED_CONTRACTS };
enum og_of_pnl { OG_OF_DAY_PNL, OG_OF_PEAK, OG_OF_DRAWDOWN };
OG_GETTER_(og_expr_get_account);        /* enum og_of_account */
OG_GETTER_(og_expr_get_account_number); /* offset of the number in struct og_account */
OG_GETTER_(og_expr_get_position);
OG_GETTER_(og_expr_get_book);
OG_GETTER_(og_expr_get_quote);
OG_GETTER_(og_expr_get_status); /* enum og_of_symbol_status */
OG_GETTER_(og_expr_get_borrow);
OG_GETTER_(og_expr_get_locates);
OG_GETTER_(og_expr_get_volume);
OG_GETTER_(og_expr_get_session);
OG_GETTER_(og_expr_get_now);
OG_GETTER_(og_expr_get_sent);   /* enum og_span */
OG_GETTER_(og_expr_get_traded); /* enum og_of_traded */
OG_GETTER_(og_expr_get_rejections);
OG_GETTER_(og_expr_get_latched);
OG_GETTER_(og_expr_get_pnl);
