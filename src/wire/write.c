/*
 * Times as the service writes them.
 */
#include "wire/write.h"

#include <stdio.h>

#include "base/time.h"

static struct og_wire_time time_text(int64_t ns, int offset_hours)
{
    struct og_wire_time t;
    int64_t local = ns + (int64_t)offset_hours * 3600 * OG_NS_PER_S;
    int64_t days = local / (86400 * OG_NS_PER_S), rest = local % (86400 * OG_NS_PER_S), s;
    int year, month, day;

    if (rest < 0) {
        rest += 86400 * OG_NS_PER_S;
        days--;
    }
    og_civil_from_days(days, &year, &month, &day);
    s = rest / OG_NS_PER_S;
    snprintf(t.s, sizeof t.s, "%04d-%02d-%02dT%02d:%02d:%02d.%07d%c%02d:00", year, month, day, (int)(s / 3600),
             (int)(s / 60 % 60), (int)(s % 60), (int)(rest % OG_NS_PER_S / 100), offset_hours < 0 ? '-' : '+',
             offset_hours < 0 ? -offset_hours : offset_hours);
    return t;
}

struct og_wire_time og_wire_time_utc(int64_t ns)
{
    return time_text(ns, 0);
}

struct og_wire_time og_wire_time_eastern(int64_t ns)
{
    struct og_eastern e;

    og_eastern_from(ns, &e);
    return time_text(ns, e.offset_hours);
}

struct og_wire_time og_wire_time_http(int64_t ns)
{
    /* indexed by the number of days since 1970-01-01, which was a Thursday */
    static const char days[7][4] = { "Thu", "Fri", "Sat", "Sun", "Mon", "Tue", "Wed" };
    static const char months[12][4] = { "Jan", "Feb", "Mar", "Apr", "May", "Jun",
                                        "Jul", "Aug", "Sep", "Oct", "Nov", "Dec" };
    struct og_wire_time t;
    int64_t s = ns / OG_NS_PER_S, day_number = s / 86400;
    int year, month, day;

    og_civil_from_days(day_number, &year, &month, &day);
    snprintf(t.s, sizeof t.s, "%s, %02d %s %04d %02d:%02d:%02d GMT", days[day_number % 7], day, months[month - 1], year,
             (int)(s / 3600 % 24), (int)(s / 60 % 60), (int)(s % 60));
    return t;
}
