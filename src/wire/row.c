/*
 * The spellings of order states, and the reject codes in texts. Nothing is guessed: a state that the service's document
 * does not list is UNKNOWN, and a text without a code has no code.
 */
#include "wire/row.h"

static const char *const status_names[] = {
    [OG_ST_UNKNOWN] = "",
    [OG_ST_PENDING_NEW] = "PendingNew",
    [OG_ST_ACCEPTED] = "Accepted",
    [OG_ST_NEW] = "New",
    [OG_ST_PARTIALLY_FILLED] = "PartiallyFilled",
    [OG_ST_PENDING_CANCEL] = "PendingCancel",
    [OG_ST_FILLED] = "Filled",
    [OG_ST_CANCELED] = "Canceled",
    [OG_ST_REJECTED] = "Rejected",
    [OG_ST_DONE_FOR_DAY] = "DoneForDay",
    [OG_ST_EXPIRED] = "Expired",
};

#define STATUS_COUNT (sizeof(status_names) / sizeof(status_names[0]))

const char *og_order_status_name(enum og_order_status s)
{
    return (size_t)s < STATUS_COUNT ? status_names[s] : "";
}

enum og_order_status og_order_status_of(struct og_str name)
{
    size_t i;

    for (i = 1; i < STATUS_COUNT; i++)
        if (og_str_is(name, status_names[i]))
            return (enum og_order_status)i;
    return OG_ST_UNKNOWN;
}

static bool is_digit(char c)
{
    return c >= '0' && c <= '9';
}

static bool is_word(char c)
{
    return is_digit(c) || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
}

struct og_str og_reject_code(struct og_str text)
{
    size_t i, end;

    for (i = 0; i + 1 < text.len; i++) {
        if (text.s[i] != 'R' || !is_digit(text.s[i + 1]) || (i > 0 && is_word(text.s[i - 1])))
            continue;
        for (end = i + 1; end < text.len && is_digit(text.s[end]); end++)
            ;
        if (end == text.len || !is_word(text.s[end]))
            return (struct og_str){ text.s + i, end - i };
    }
    return (struct og_str){ NULL, 0 };
}
