/*
 * Finds values in texts: numbers, percentages, durations, times, dates and words, whether in settings, patterns or
 * expressions.  It does not parse the surrounding text.
 */
#include "diff/dictionary.h"

#include <ctype.h>

#include "base/time.h"

#define NO_LIMIT INT64_C(1000000000) /* a number this large means that there is no limit */

static void add_number(struct og_dictionary *p, struct og_money m)
{
    if (og_money_cmp(m, og_money_from(NO_LIMIT)) >= 0 || og_money_cmp(m, og_money_from(-NO_LIMIT)) <= 0)
        return;
    for (size_t i = 0; i < p->numbers; i++)
        if (og_money_cmp(p->number[i], m) == 0)
            return;
    if (p->numbers < OG_DICTIONARY_MOST)
        p->number[p->numbers++] = m;
}

static void add_int(int64_t *list, size_t *count, int64_t n)
{
    for (size_t i = 0; i < *count; i++)
        if (list[i] == n)
            return;
    if (*count < OG_DICTIONARY_MOST)
        list[(*count)++] = n;
}

static void add_share(struct og_dictionary *p, int32_t bps)
{
    for (size_t i = 0; i < p->shares; i++)
        if (p->share[i] == bps)
            return;
    if (p->shares < OG_DICTIONARY_MOST)
        p->share[p->shares++] = bps;
}

static void add_date(struct og_dictionary *p, int date)
{
    for (size_t i = 0; i < p->dates; i++)
        if (p->date[i] == date)
            return;
    if (p->dates < OG_DICTIONARY_MOST)
        p->date[p->dates++] = date;
}

static void add_word(struct og_dictionary *p, struct og_str word)
{
    for (size_t i = 0; i < p->words; i++)
        if (og_str_eq(p->word[i], word))
            return;
    if (p->words < OG_DICTIONARY_MOST)
        p->word[p->words++] = word;
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

static bool take_date(struct og_dictionary *p, struct og_str s)
{
    int y, m, d;

    if (s.len != 10 || s.s[4] != '-' || s.s[7] != '-' || !digits(s, 0, 4, &y) || !digits(s, 5, 2, &m) ||
        !digits(s, 8, 2, &d) || !og_date_exists(y, m, d))
        return false;
    add_date(p, y * 10000 + m * 100 + d);
    return true;
}

/* Read "09:30" or "09:30-16:00", with or without seconds. */
static bool take_clock(struct og_dictionary *p, struct og_str s)
{
    int h, m;
    bool any = false;

    for (size_t i = 0; i + 5 <= s.len; i++)
        if (s.s[i + 2] == ':' && digits(s, i, 2, &h) && digits(s, i + 3, 2, &m) && (i == 0 || s.s[i - 1] == '-')) {
            add_int(p->clock, &p->clocks, (h * INT64_C(3600) + m * INT64_C(60)) * OG_NS_PER_S);
            any = true;
        }
    return any;
}

static void take_numeric(struct og_dictionary *p, struct og_str s)
{
    struct og_money m, bps;
    int64_t ns;

    while (s.len && (s.s[s.len - 1] == '.' || s.s[s.len - 1] == ':' || s.s[s.len - 1] == '-' || s.s[s.len - 1] == '+'))
        s.len--;
    if (og_time_read(s.s, s.len, &ns))
        add_int(p->instant, &p->instants, ns);
    else if (og_duration_read(s.s, s.len, &ns))
        add_int(p->time, &p->times, ns);
    else if (s.len > 1 && s.s[s.len - 1] == '%') {
        if (og_money_read(s.s, s.len - 1, &m) && og_money_times(m, 100, &bps) && bps.scale == 0 && bps.coef <= 10000000)
            add_share(p, (int32_t)bps.coef);
    } else if (!take_date(p, s) && !take_clock(p, s) && og_money_read(s.s, s.len, &m))
        add_number(p, m);
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

void og_dictionary_add(struct og_dictionary *p, struct og_str text, struct og_str other)
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
                take_numeric(p, token);
            if (!number || !memchr(token.s, '.', token.len)) /* an OCC symbol may begin like this too */
                add_word(p, token);
        }
    }
}

void og_dictionary_between(struct og_dictionary *p, struct og_str a, struct og_str b)
{
    struct og_money x, y, sum, half;
    int64_t s, t;

    if (!a.s || !b.s)
        return;
    if (og_money_read(a.s, a.len, &x) && og_money_read(b.s, b.len, &y)) {
        if (og_money_add(x, y, &sum) && og_money_mul(sum, (struct og_money){ 5, 1 }, &half))
            add_number(p, half);
    } else if (og_duration_read(a.s, a.len, &s) && og_duration_read(b.s, b.len, &t))
        add_int(p->time, &p->times, s / 2 + t / 2);
    else if (a.len > 1 && b.len > 1 && a.s[a.len - 1] == '%' && og_money_read(a.s, a.len - 1, &x) &&
             og_money_read(b.s, b.len - 1, &y) && og_money_add(x, y, &sum) && og_money_times(sum, 50, &half))
        add_share(p, (int32_t)og_money_floor(half));
}

void og_dictionary_mark(struct og_dictionary *p)
{
    p->first_numbers = p->numbers;
    p->first_shares = p->shares;
    p->first_times = p->times;
    p->first_words = p->words;
}
