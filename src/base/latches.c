/*
 * The names of the latches, and how the states of one latch that several settings and senders report are merged.
 */
#include "base/latches.h"

const char *const og_latch_names[OG_LATCHES] = {
    [OG_LATCH_LOSS] = "loss",
    [OG_LATCH_LOSS_OF_EQUITY] = "loss-of-equity",
    [OG_LATCH_DRAWDOWN] = "drawdown",
    [OG_LATCH_REJECTIONS] = "consecutive-rejections",
};

enum og_latch_kind og_latch_find(struct og_str name)
{
    int i = 0;

    while (i < OG_LATCHES && !og_str_is(name, og_latch_names[i]))
        i++;
    return (enum og_latch_kind)i;
}

void og_latch_merge(struct og_latch *to, const struct og_latch *from)
{
    const struct og_latch was = *to;

    if (!was.name || og_latch_is_over(&was, from->day)) {
        *to = *from;
        return;
    }
    if (og_money_cmp(from->value, was.value) > 0)
        *to = *from;
    to->until_resumed = was.until_resumed || from->until_resumed;
    to->day = was.day == 0 || from->day == 0 ? 0 : was.day > from->day ? was.day : from->day;
}
