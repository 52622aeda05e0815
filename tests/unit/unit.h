/*
 * The headers that every cmocka program includes, in the order that cmocka needs.
 */
#pragma once

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#define COUNT(table) (sizeof(table) / sizeof *(table))

/* Shows both texts if they differ. */
#define assert_str(str, literal)                                                           \
    do {                                                                                   \
        struct og_str seen_ = (str);                                                       \
        char shown_[512];                                                                  \
        size_t shown_len_ = seen_.len < sizeof shown_ - 1 ? seen_.len : sizeof shown_ - 1; \
        if (shown_len_)                                                                    \
            memcpy(shown_, seen_.s, shown_len_);                                           \
        shown_[shown_len_] = '\0';                                                         \
        assert_string_equal(shown_, literal);                                              \
        assert_int_equal(seen_.len, strlen(literal));                                      \
    } while (0)
