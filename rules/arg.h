/*
 * The values that a rule puts into a message.
 */
#pragma once

#include <stdint.h>

#include "base/str.h"
#include "ordergate/money.h"

/* A value in a message. */
enum og_arg_kind {
    OG_ARG_STR = 1,
    OG_ARG_TEXT,
    OG_ARG_MONEY,
    OG_ARG_INT,
    OG_ARG_CLOCK,
    OG_ARG_DATE,
    OG_ARG_DURATION,
    OG_ARG_AGE,
    OG_ARG_BPS
};
struct og_arg {
    enum og_arg_kind kind;
    union {
        struct og_str str; /* control characters are masked, and long text is shortened */
        const char *text;
        struct og_money money;
        int64_t n; /* CLOCK: ns of the day; DATE: yyyymmdd; DURATION: ns; BPS: basis points */
    } as;
};
/* Set the members one by one: an initializer would first clear the whole union, which in cold code is done by the slow
 * `rep stos`. */
#define OG_ARG_OF(name, value_kind, type, member) \
    static inline struct og_arg name(type value)  \
    {                                             \
        struct og_arg a;                          \
        a.kind = (value_kind);                    \
        a.as.member = value;                      \
        return a;                                 \
    }
OG_ARG_OF(og_a_str, OG_ARG_STR, struct og_str, str)
OG_ARG_OF(og_a_text, OG_ARG_TEXT, const char *, text)
OG_ARG_OF(og_a_money, OG_ARG_MONEY, struct og_money, money)
OG_ARG_OF(og_a_int, OG_ARG_INT, int64_t, n)
OG_ARG_OF(og_a_clock, OG_ARG_CLOCK, int64_t, n)
OG_ARG_OF(og_a_date, OG_ARG_DATE, int64_t, n)
OG_ARG_OF(og_a_duration, OG_ARG_DURATION, int64_t, n)
OG_ARG_OF(og_a_age, OG_ARG_AGE, int64_t, n)
OG_ARG_OF(og_a_bps, OG_ARG_BPS, int64_t, n)
#undef OG_ARG_OF
