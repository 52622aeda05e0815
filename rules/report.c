/*
 * The functions with which rules report findings.  They call the engine's functions of the same names
 * (src/check/findings.c) through the sink.
 */
#include "base/attributes.h"
#include "rules/rule.h"

struct og_found *og_find_(struct og_sink *sink, const struct og_reason *reason, const char *field,
                          const struct og_arg *args, size_t count)
{
    return sink->report->find(sink, reason, field, args, count);
}

OG_HOT bool og_need_(const struct og_case *c, struct og_sink *sink, const struct og_reason *reason, enum og_fact kind,
                     struct og_str key, const char *field)
{
    return sink->report->need(c, sink, reason, kind, key, field);
}

struct og_found *og_found_last(struct og_sink *sink)
{
    return sink->report->found_last(sink);
}

void og_found_add(struct og_sink *sink, const char *template, const struct og_arg *args, size_t count)
{
    sink->report->found_add(sink, template, args, count);
}

void og_found_name(const struct og_case *c, struct og_sink *sink, const struct og_working_of *of, int64_t count)
{
    sink->report->found_name(c, sink, of, count);
}

void og_unsure(struct og_sink *sink, const struct og_reason *reason, const char *field, const char *why)
{
    sink->report->unsure(sink, reason, field, why);
}

void og_found_stale(struct og_sink *sink)
{
    sink->report->found_stale(sink);
}

void og_find_unsure(struct og_sink *sink, const struct og_reason *reason, const char *field, const struct og_arg *args,
                    size_t count)
{
    sink->report->find_unsure(sink, reason, field, args, count);
}

const char *og_leg_pointer(int leg, int leg_key)
{
    static const char *const pointers[OG_LEGS_KEPT][OG_LEG_KEYS + 1] = {
#define LEG(i) \
    { "/legs/" #i, "/legs/" #i "/symbol", "/legs/" #i "/side", "/legs/" #i "/ratio", "/legs/" #i "/openClose" }
        LEG(0), LEG(1), LEG(2), LEG(3), LEG(4), LEG(5), LEG(6), LEG(7)
#undef LEG
    };

    if (leg < 0 || leg >= OG_LEGS_KEPT || leg_key < -1 || leg_key >= OG_LEG_KEYS)
        return "/legs";
    return pointers[leg][leg_key + 1];
}
