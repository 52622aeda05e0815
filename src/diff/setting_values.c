/*
 * Finds values in the text of settings: numbers, percentages, durations, times, dates and words, also within patterns
 * and conditions.  It does not parse the text around them.
 */
#include <ctype.h>

#include "base/time.h"
#include "diff/hints.h"

#define OF_A_KIND 48                  /* maximum number of values of one kind */
#define NO_LIMIT  INT64_C(1000000000) /* a number this large means no limit */

static void add(struct og_hints *h, struct og_hint value, bool rest)
{
    int count = 0;

    value.slots = ~UINT64_C(0);
    value.setting = true;
    value.rest = rest;
    for (size_t i = 0; i < h->count; i++)
        count += h->item[i].setting && h->item[i].kind == value.kind;
    if (count < OF_A_KIND)
        og_hints_add(h, value);
}

static void add_ns(struct og_hints *h, enum og_hint_kind kind, int64_t ns, bool rest)
{
    add(h, (struct og_hint){ .kind = kind, .ns = ns }, rest);
}

static void add_number(struct og_hints *h, struct og_money m, bool rest)
{
    if (og_money_cmp(m, og_money_from(NO_LIMIT)) < 0 && og_money_cmp(m, og_money_from(-NO_LIMIT)) > 0)
        add(h, (struct og_hint){ .kind = OG_HINT_NUMBER, .number = m }, rest);
}

static void add_word(struct og_hints *h, struct og_str word, bool rest)
{
    struct og_hint hint = { .kind = OG_HINT_WORD };

    if (word.len >= sizeof hint.word)
        return;
    memcpy(hint.word, word.s, word.len);
    add(h, hint, rest);
}

static bool digits(struct og_str s, size_t at, size_t count, int *n)
{
    *n = 0;
    for (size_t i = at; i < at + count; i++) {
        if (i >= s.len || s.s[i] < '0' || s.s[i] > '9')
            return false;
        *n = 10 * *n + (s.s[i] - '0');
    }
    return true;
}

/* Read a time of day or a range, "09:30" or "09:30-16:00", with or without seconds. */
static bool take_clock(struct og_hints *to, struct og_str s, bool rest)
{
    int h, m;
    bool any = false;

    for (size_t i = 0; i + 5 <= s.len; i++)
        if (s.s[i + 2] == ':' && digits(s, i, 2, &h) && digits(s, i + 3, 2, &m) && (i == 0 || s.s[i - 1] == '-')) {
            add_ns(to, OG_HINT_CLOCK, (h * INT64_C(3600) + m * INT64_C(60)) * OG_NS_PER_S, rest);
            any = true;
        }
    return any;
}

static void take_numeric(struct og_hints *to, struct og_str s, bool rest)
{
    struct og_money m, bps;
    int64_t ns;

    while (s.len && (s.s[s.len - 1] == '.' || s.s[s.len - 1] == ':' || s.s[s.len - 1] == '-' || s.s[s.len - 1] == '+'))
        s.len--;
    if (og_time_read(s.s, s.len, &ns))
        add_ns(to, OG_HINT_INSTANT, ns, rest);
    else if (og_duration_read(s.s, s.len, &ns))
        add_ns(to, OG_HINT_SPAN, ns, rest);
    else if (s.len > 1 && s.s[s.len - 1] == '%') {
        if (og_money_read(s.s, s.len - 1, &m) && og_money_times(m, 100, &bps) && bps.scale == 0 && bps.coef <= 10000000)
            add_ns(to, OG_HINT_SHARE, bps.coef, rest);
    } else if (!take_clock(to, s, rest) && og_money_read(s.s, s.len, &m))
        add_number(to, m, rest);
}

static bool is_word_char(char c)
{
    return isalnum((unsigned char)c) || c == '_' || c == '-' || c == '.';
}

static bool is_number_char(char c)
{
    return isalnum((unsigned char)c) || c == '.' || c == ':' || c == '-' || c == '+' || c == '%';
}

static bool holds(struct og_str text, struct og_str token)
{
    for (size_t i = 0; text.s && i + token.len <= text.len; i++)
        if (memcmp(text.s + i, token.s, token.len) == 0 && (i == 0 || !is_number_char(text.s[i - 1])) &&
            (i + token.len == text.len || !is_number_char(text.s[i + token.len])))
            return true;
    return false;
}

void og_hints_setting(struct og_hints *h, struct og_str text, struct og_str other, bool rest)
{
    for (size_t i = 0, end; text.s && i < text.len; i = end) {
        bool number = isdigit((unsigned char)text.s[i]), word = isalpha((unsigned char)text.s[i]);
        struct og_str token;

        for (end = i; end < text.len && (number ? is_number_char(text.s[end]) : word && is_word_char(text.s[end]));
             end++)
            continue;
        token = (struct og_str){ text.s + i, end - i };
        if (end == i)
            end++;
        else if (!holds(other, token)) {
            if (number)
                take_numeric(h, token, rest);
            if (!number || !memchr(token.s, '.', token.len)) /* the token is a word too, unless it is a number with a
                                                              * point: an OCC symbol may begin like a number */
                add_word(h, token, rest);
        }
    }
}

void og_hints_between(struct og_hints *h, struct og_str a, struct og_str b)
{
    struct og_money x, y, sum, half;
    int64_t s, t;

    if (!a.s || !b.s)
        return;
    if (og_money_read(a.s, a.len, &x) && og_money_read(b.s, b.len, &y)) {
        if (og_money_add(x, y, &sum) && og_money_mul(sum, (struct og_money){ 5, 1 }, &half))
            add_number(h, half, false);
    } else if (og_duration_read(a.s, a.len, &s) && og_duration_read(b.s, b.len, &t))
        add_ns(h, OG_HINT_SPAN, s / 2 + t / 2, false);
    else if (a.len > 1 && b.len > 1 && a.s[a.len - 1] == '%' && og_money_read(a.s, a.len - 1, &x) &&
             og_money_read(b.s, b.len - 1, &y) && og_money_add(x, y, &sum) && og_money_times(sum, 50, &half))
        add_ns(h, OG_HINT_SHARE, og_money_floor(half), false);
}
