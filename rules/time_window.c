/*
 * time-window (913): the desk sends orders only at certain times of day.  Windows are HH:MM-HH:MM in New York's time;
 * the first time is included, the last is not.  A window cannot span midnight; write two.
 */
#include "base/error.h"
#include "rules/limit.h"

struct settings {
    struct og_string_set windows;
    int32_t exits;
};

static const struct og_param params[] = {
    { .key = "windows",
      OG_WORDS(windows),
      .fallback = "",
      .words = OG_WORDS_WINDOWS,
      .help = "when orders may be sent, in New York, such as 09:30-16:00; none named: always" },
    OG_EXITS(exits),
};

enum { R_OUTSIDE };

static const struct og_reason reasons[] = {
    [R_OUTSIDE] = { .id = "outside-time-window",
                    .level = OG_LEVEL_REFUSE,
                    .says = "it is {0} ET, orders are sent at {1}{2}",
                    .help = "wait for the window, or change it in the policy",
                    .where = "policy" },
};

#define MINUTE_NS INT64_C(60000000000)

/* Returns "HH:MM" as minutes of the day, at most 24:00; -1 if it is invalid. */
static int minutes_of(const char *s)
{
    for (int i = 0; i < 5; i++)
        if (i != 2 && (s[i] < '0' || s[i] > '9'))
            return -1;
    if (s[2] != ':' || s[3] > '5')
        return -1;
    return ((s[0] - '0') * 10 + s[1] - '0') * 60 + (s[3] - '0') * 10 + s[4] - '0';
}

static bool read_window(struct og_str word, int *from, int *until)
{
    if (word.len != 11 || word.s[5] != '-')
        return false;
    *from = minutes_of(word.s);
    *until = minutes_of(word.s + 6);
    return *from >= 0 && *until > *from && *until <= 24 * 60;
}

static bool settings_agree(const void *settings, struct og_error *err)
{
    const struct settings *s = settings;
    int from, until;

    for (size_t i = 0; i < s->windows.count; i++)
        if (!read_window(s->windows.word[i], &from, &until)) {
            (void)og_fail(err, OG_EPOLICY, "'%.20s' is not a time window (like 09:30-16:00)", s->windows.word[i].s);
            return false;
        }
    return true;
}

static bool is_inside(const struct og_string_set *windows, int64_t ns_of_day)
{
    int from, until;

    for (size_t i = 0; i < windows->count; i++)
        if (read_window(windows->word[i], &from, &until) && ns_of_day >= from * MINUTE_NS &&
            ns_of_day < until * MINUTE_NS)
            return true;
    return false;
}

static OG_HOT void check(const struct og_case *c, const void *settings, struct og_sink *sink)
{
    const struct settings *s = settings;

    if (s->windows.count && !is_inside(&s->windows, c->eastern.ns_of_day) && !og_limit_passes(c, s->exits))
        OG_FIND(sink, &reasons[R_OUTSIDE], "", og_a_clock(c->eastern.ns_of_day), og_a_str(s->windows.word[0]),
                og_a_text(s->windows.count > 1 ? " and other times" : ""));
}

const struct og_rule og_rule_time_window = {
    OG_PARTS_OF_FILE(time_window),
    .id = "time-window",
    .summary = "the desk does not send orders at this time of day",
    .because = "at unusual hours nobody may be watching the orders",
    .stage = OG_STAGE_FLOW,
    .limit = true,
    OG_SETTINGS_OF_FILE,
    .settings_agree = settings_agree,
};
