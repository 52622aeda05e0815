/*
 * The functions, one entry for each overload (CEL specification, "Standard Environment").  Nothing is allocated: texts
 * are made in the room.
 */
#include <stdio.h>

#include "base/account_id.h"
#include "base/utf8.h"
#include "expr/program.h"

#define STR  OG_TYPE_STRING
#define LIST OG_TYPE_LIST
#define TIME OG_TYPE_TIMESTAMP
#define SPAN OG_TYPE_DURATION
/* Define a function of the language; the body that follows the macro is a C function that returns the result. */
#define CALL(name)                                                                                          \
    static inline struct og_expr_value name##_(struct og_expr_room *room, const struct og_expr_value *arg); \
    static void name(struct og_expr_room *room, struct og_expr_value *arg)                                  \
    {                                                                                                       \
        *arg = name##_(room, arg);                                                                          \
    }                                                                                                       \
    static inline struct og_expr_value name##_(struct og_expr_room *room, const struct og_expr_value *arg)
#define NS_PER_MINUTE (60 * OG_NS_PER_S)

__extension__ typedef __int128 wide;

static struct og_expr_value conversion_error(void)
{
    return og_expr_error(OG_CAUSE_CONVERSION, NULL);
}

/* --- strings and lists -------------------------------------------------------------------------------------------- */

CALL(size_of_string)
{
    const struct og_str s = arg->as.text;
    int64_t n = 0;

    (void)room;
    for (size_t at = 0; at < s.len; n++) {
        size_t len = og_utf8_len(s.s + at, s.s + s.len);

        at += len ? len : 1;
    }
    return og_expr_int(n);
}

CALL(size_of_list)
{
    (void)room;
    return og_expr_int((int64_t)arg->as.list.count);
}

CALL(starts_with)
{
    const struct og_str s = arg[0].as.text, with = arg[1].as.text;

    (void)room;
    return og_expr_truth_value(with.len <= s.len && (with.len == 0 || memcmp(s.s, with.s, with.len) == 0));
}

CALL(ends_with)
{
    const struct og_str s = arg[0].as.text, with = arg[1].as.text;

    (void)room;
    return og_expr_truth_value(with.len <= s.len &&
                               (with.len == 0 || memcmp(s.s + s.len - with.len, with.s, with.len) == 0));
}

CALL(contains)
{
    const struct og_str s = arg[0].as.text, with = arg[1].as.text;

    (void)room;
    return og_expr_truth_value(with.len == 0 || (s.len && memmem(s.s, s.len, with.s, with.len)));
}

/* The same three functions for ids of accounts, which are compared without regard to case. */

static bool id_has_at(struct og_str s, size_t at, struct og_str with)
{
    return at <= s.len && with.len <= s.len - at && og_same_account((struct og_str){ s.s + at, with.len }, with);
}

CALL(id_starts_with)
{
    (void)room;
    return og_expr_truth_value(id_has_at(arg[0].as.text, 0, arg[1].as.text));
}

CALL(id_ends_with)
{
    (void)room;
    return og_expr_truth_value(id_has_at(arg[0].as.text, arg[0].as.text.len - arg[1].as.text.len, arg[1].as.text));
}

CALL(id_contains)
{
    const struct og_str s = arg[0].as.text, with = arg[1].as.text;
    bool found = with.len == 0;

    (void)room;
    for (size_t at = 0; at < s.len && !found; at++)
        found = id_has_at(s, at, with);
    return og_expr_truth_value(found);
}

CALL(matches)
{
    if (!room->patterns)
        return og_expr_error(OG_CAUSE_PATTERN, NULL);
    switch (og_pattern_match(arg[1].as.pattern, arg[0].as.text, room->patterns)) {
    case OG_MATCH_NO: return og_expr_truth_value(false);
    case OG_MATCH_YES: return og_expr_truth_value(true);
    case OG_MATCH_GAVE_UP: break;
    }
    return og_expr_error(OG_CAUSE_PATTERN, NULL);
}

/* --- conversions -------------------------------------------------------------------------------------------------- */

CALL(same)
{
    (void)room;
    return *arg;
}

CALL(int_of_decimal)
{
    int64_t n = og_money_floor(arg->as.number);

    (void)room;
    /* int() of a negative number that is not whole rounds towards zero */
    return og_expr_int(n + (arg->as.number.coef < 0 && arg->as.number.scale > 0));
}

/* int(string): a whole number with an optional sign, and nothing else. */
CALL(int_of_string)
{
    struct og_str s = arg->as.text;
    bool negative = s.len && *s.s == '-';
    int64_t n = 0;

    (void)room;
    if (negative || (s.len && *s.s == '+')) {
        s.s++;
        s.len--;
    }
    if (!s.len)
        return conversion_error();
    for (size_t i = 0; i < s.len; i++)
        if (s.s[i] < '0' || s.s[i] > '9' || __builtin_mul_overflow(n, (int64_t)10, &n) ||
            /* the number is built up as a negative number, because there is one more of them */
            __builtin_sub_overflow(n, (int64_t)(s.s[i] - '0'), &n))
            return conversion_error();
    if (!negative && n == INT64_MIN)
        return conversion_error();
    return og_expr_int(negative ? n : -n);
}

CALL(int_of_time)
{
    int64_t s = arg->as.ns / OG_NS_PER_S;

    (void)room;
    return og_expr_int(s - (arg->as.ns % OG_NS_PER_S < 0));
}

CALL(decimal_of_string)
{
    struct og_money m;

    (void)room;
    return og_money_read(arg->as.text.s, arg->as.text.len, &m) ? og_expr_number(m) : conversion_error();
}

CALL(bool_of_string)
{
    static const char *const words[] = { "1", "t", "true", "TRUE", "True", "0", "f", "false", "FALSE", "False" };

    (void)room;
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        if (og_str_is(arg->as.text, words[i]))
            return og_expr_truth_value(i < 5);
    return conversion_error();
}

CALL(string_of_bool)
{
    (void)room;
    return og_expr_string(arg->as.truth ? OG_STR("true") : OG_STR("false"));
}

CALL(string_of_number)
{
    return og_expr_room_text(room, og_money_text(arg->as.number).s);
}

CALL(string_of_time)
{
    return og_expr_room_text(room, og_time_text(arg->as.ns).s);
}

/* string(duration): seconds, with as many decimals as needed: "60.001s". */
CALL(string_of_span)
{
    uint64_t ns = arg->as.ns < 0 ? 0 - (uint64_t)arg->as.ns : (uint64_t)arg->as.ns;
    char text[40];
    int len =
        snprintf(text, sizeof text, "%s%llu.%09llu", arg->as.ns < 0 ? "-" : "",
                 (unsigned long long)(ns / (uint64_t)OG_NS_PER_S), (unsigned long long)(ns % (uint64_t)OG_NS_PER_S));

    while (text[len - 1] == '0')
        len--;
    len -= text[len - 1] == '.';
    text[len] = 's';
    text[len + 1] = '\0';
    return og_expr_room_text(room, text);
}

CALL(time_of_string)
{
    int64_t ns;

    (void)room;
    return og_time_read(arg->as.text.s, arg->as.text.len, &ns) ? og_expr_ns(ns) : conversion_error();
}

/* timestamp(int): seconds since 1970, up to the last year that times may have. */
CALL(time_of_int)
{
    const int64_t last = INT64_C(7258118400); /* 2200-01-01 */
    int64_t s = arg->as.number.coef;

    (void)room;
    return s >= 0 && s < last ? og_expr_ns(s * OG_NS_PER_S) : conversion_error();
}

/* Read an amount such as "12.5": digits with at most one point. */
static bool read_amount(struct og_str *s, struct og_str *amount)
{
    size_t n = 0, points = 0;

    for (; n < s->len && ((s->s[n] >= '0' && s->s[n] <= '9') || s->s[n] == '.'); n++)
        points += s->s[n] == '.';
    *amount = (struct og_str){ s->s, n };
    s->s += n;
    s->len -= n;
    return points <= 1 && n > points;
}

static int64_t read_unit(struct og_str *s)
{
    static const struct {
        const char *name;
        int64_t ns;
    } units[] = { { "ns", 1 },          { "us", 1000 },         { "ms", 1000000 },
                  { "s", OG_NS_PER_S }, { "m", NS_PER_MINUTE }, { "h", 60 * NS_PER_MINUTE } };

    for (size_t i = 0; i < sizeof units / sizeof *units; i++) {
        size_t len = strlen(units[i].name);

        if (s->len < len || memcmp(s->s, units[i].name, len) != 0)
            continue;
        s->s += len;
        s->len -= len;
        return units[i].ns;
    }
    return 0;
}

/* maximum number of decimals that are read: further ones are less than a nanosecond, even of an hour */
#define PLACES_MOST 15

/* Add an amount of a unit.  Returns false on overflow. */
static bool add_amount(struct og_str amount, int64_t unit, int64_t *ns)
{
    wide sum = 0, place = 1;
    bool point = false;
    int places = 0;

    for (size_t i = 0; i < amount.len; i++) {
        if (amount.s[i] == '.') {
            point = true;
        } else if (!point) {
            sum = sum * 10 + (amount.s[i] - '0');
            if (sum > INT64_MAX)
                return false;
        } else if (places < PLACES_MOST) {
            places++;
            place *= 10;
            sum = sum * 10 + (amount.s[i] - '0');
        }
    }
    sum = sum * unit / place + *ns;
    *ns = sum > INT64_MAX ? 0 : (int64_t)sum;
    return sum <= INT64_MAX;
}

/* Read a duration such as "1h30m", "-1.5h" or "0". */
static bool read_duration(struct og_str s, int64_t *ns)
{
    bool negative = s.len && *s.s == '-';

    *ns = 0;
    if (negative || (s.len && *s.s == '+')) {
        s.s++;
        s.len--;
    }
    if (og_str_is(s, "0"))
        return true;
    do {
        struct og_str amount;
        int64_t unit;

        if (!read_amount(&s, &amount) || (unit = read_unit(&s)) == 0 || !add_amount(amount, unit, ns))
            return false;
    } while (s.len);
    *ns = negative ? -*ns : *ns;
    return true;
}

CALL(span_of_string)
{
    int64_t ns;

    (void)room;
    return read_duration(arg->as.text, &ns) ? og_expr_ns(ns) : conversion_error();
}

/* --- parts of a time ---------------------------------------------------------------------------------------------- */

bool og_expr_zone(struct og_str s, struct og_expr_value *zone)
{
    int64_t hours, minutes;
    bool west;

    *zone = og_expr_ns(OG_ZONE_EASTERN);
    if (og_str_is(s, "America/New_York") || og_str_is(s, "US/Eastern"))
        return true;
    zone->as.ns = 0;
    if (og_str_is(s, "UTC"))
        return true;
    west = s.len && *s.s == '-';
    if (west || (s.len && *s.s == '+'))
        s = (struct og_str){ s.s + 1, s.len - 1 };
    if (s.len != 5 || s.s[2] != ':')
        return false;
    for (int i = 0; i < 5; i++)
        if (i != 2 && (s.s[i] < '0' || s.s[i] > '9'))
            return false;
    hours = (s.s[0] - '0') * 10 + s.s[1] - '0';
    minutes = (s.s[3] - '0') * 10 + s.s[4] - '0';
    zone->as.ns = (west ? -1 : 1) * (hours * 60 + minutes) * NS_PER_MINUTE;
    return hours < 24 && minutes < 60;
}

static int64_t floor_div(int64_t a, int64_t b)
{
    return a / b - (a % b < 0);
}

static struct og_eastern at_zone(const struct og_expr_value *arg)
{
    struct og_eastern t = { 0 };
    int64_t day = 24 * 60 * NS_PER_MINUTE, days, wall;

    if (arg[1].as.ns == OG_ZONE_EASTERN) {
        og_eastern_from(arg->as.ns, &t);
        return t;
    }
    days = floor_div(arg->as.ns, day);
    wall = arg->as.ns - days * day + arg[1].as.ns; /* reduced to the time within one day, so that adding the offset
                                                    * cannot overflow */
    days += floor_div(wall, day);
    t.ns_of_day = wall - floor_div(wall, day) * day;
    og_civil_from_days(days, &t.year, &t.month, &t.day);
    t.weekday = (int)((days % 7 + 11) % 7);
    return t;
}

#define PART(name, part)                    \
    CALL(name)                              \
    {                                       \
        struct og_eastern t = at_zone(arg); \
                                            \
        (void)room;                         \
        return og_expr_int(part);           \
    }
PART(full_year, t.year)
PART(month, t.month - 1)
PART(date, t.day)
PART(day_of_month, t.day - 1)
PART(day_of_week, t.weekday)
PART(day_of_year, og_days_from_civil(t.year, t.month, t.day) - og_days_from_civil(t.year, 1, 1))
PART(hours, t.ns_of_day / (60 * NS_PER_MINUTE))
PART(minutes, t.ns_of_day / NS_PER_MINUTE % 60)
PART(seconds, t.ns_of_day / OG_NS_PER_S % 60)
PART(milliseconds, t.ns_of_day / OG_NS_PER_MS % 1000)

#define SPAN_IN(name, count)       \
    CALL(name)                     \
    {                              \
        int64_t ns = arg->as.ns;   \
                                   \
        (void)room;                \
        return og_expr_int(count); \
    }
SPAN_IN(span_hours, ns / (60 * NS_PER_MINUTE))
SPAN_IN(span_minutes, ns / NS_PER_MINUTE)
SPAN_IN(span_seconds, ns / OG_NS_PER_S)
SPAN_IN(span_milliseconds, ns / OG_NS_PER_MS % 1000)

/* --- the table ---------------------------------------------------------------------------------------------------- */

#define GETTER(name, call)                                                         \
    {                                                                              \
        name, true, 2, { TIME, STR }, OG_TYPE_INT, 4, call, OG_LITERAL_ZONE, false \
    }
#define OF_SPAN(name, call)                                                   \
    {                                                                         \
        name, true, 1, { SPAN }, OG_TYPE_INT, 1, call, OG_LITERAL_NONE, false \
    }
#define CONVERT(name, from, to, call)                                 \
    {                                                                 \
        name, false, 1, { from }, to, 4, call, OG_LITERAL_NONE, false \
    }
#define ASK(name, type, result, cost, call)                                      \
    {                                                                            \
        name, true, 2, { STR, type }, result, cost, call, OG_LITERAL_NONE, false \
    }

const struct og_expr_function og_expr_functions[] = {
    { "size", false, 1, { STR }, OG_TYPE_INT, 4, size_of_string, OG_LITERAL_NONE, false },
    { "size", false, 1, { LIST }, OG_TYPE_INT, 1, size_of_list, OG_LITERAL_NONE, false },
    { "size", true, 1, { STR }, OG_TYPE_INT, 4, size_of_string, OG_LITERAL_NONE, false },
    { "size", true, 1, { LIST }, OG_TYPE_INT, 1, size_of_list, OG_LITERAL_NONE, false },
    { "startsWith", true, 2, { STR, STR }, OG_TYPE_BOOL, 2, id_starts_with, OG_LITERAL_NONE, true },
    { "endsWith", true, 2, { STR, STR }, OG_TYPE_BOOL, 2, id_ends_with, OG_LITERAL_NONE, true },
    { "contains", true, 2, { STR, STR }, OG_TYPE_BOOL, 4, id_contains, OG_LITERAL_NONE, true },
    ASK("startsWith", STR, OG_TYPE_BOOL, 2, starts_with),
    ASK("endsWith", STR, OG_TYPE_BOOL, 2, ends_with),
    ASK("contains", STR, OG_TYPE_BOOL, 4, contains),
    { "matches", true, 2, { STR, STR }, OG_TYPE_BOOL, 50, matches, OG_LITERAL_PATTERN, false },
    { "matches", false, 2, { STR, STR }, OG_TYPE_BOOL, 50, matches, OG_LITERAL_PATTERN, false },
    CONVERT("int", OG_TYPE_INT, OG_TYPE_INT, same),
    CONVERT("int", OG_TYPE_DECIMAL, OG_TYPE_INT, int_of_decimal),
    CONVERT("int", STR, OG_TYPE_INT, int_of_string),
    CONVERT("int", TIME, OG_TYPE_INT, int_of_time),
    CONVERT("decimal", OG_TYPE_DECIMAL, OG_TYPE_DECIMAL, same),
    CONVERT("decimal", STR, OG_TYPE_DECIMAL, decimal_of_string),
    CONVERT("bool", OG_TYPE_BOOL, OG_TYPE_BOOL, same),
    CONVERT("bool", STR, OG_TYPE_BOOL, bool_of_string),
    CONVERT("string", STR, STR, same),
    CONVERT("string", OG_TYPE_BOOL, STR, string_of_bool),
    CONVERT("string", OG_TYPE_DECIMAL, STR, string_of_number),
    CONVERT("string", TIME, STR, string_of_time),
    CONVERT("string", SPAN, STR, string_of_span),
    CONVERT("timestamp", TIME, TIME, same),
    CONVERT("timestamp", STR, TIME, time_of_string),
    CONVERT("timestamp", OG_TYPE_INT, TIME, time_of_int),
    CONVERT("duration", SPAN, SPAN, same),
    CONVERT("duration", STR, SPAN, span_of_string),
    GETTER("getFullYear", full_year),
    GETTER("getMonth", month),
    GETTER("getDate", date),
    GETTER("getDayOfMonth", day_of_month),
    GETTER("getDayOfWeek", day_of_week),
    GETTER("getDayOfYear", day_of_year),
    GETTER("getHours", hours),
    GETTER("getMinutes", minutes),
    GETTER("getSeconds", seconds),
    GETTER("getMilliseconds", milliseconds),
    OF_SPAN("getHours", span_hours),
    OF_SPAN("getMinutes", span_minutes),
    OF_SPAN("getSeconds", span_seconds),
    OF_SPAN("getMilliseconds", span_milliseconds),
    { .name = NULL },
};
