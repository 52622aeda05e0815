/*
 * The memory that one thread needs to decide.  All of it is allocated beforehand, since deciding allocates nothing.
 */
#include <stdlib.h>

#include "check/check.h"

struct og_scratch *og_scratch_new(void)
{
    struct og_scratch *s = malloc(sizeof *s);

    if (!s)
        return NULL;
    memset(s, 0, offsetof(struct og_scratch, made)); /* the members from `made` on need not be zero: each is written
                                                      * before it is read */
    og_eastern_from(s->common.eastern_of, &s->common.eastern);
    s->room = og_pattern_room_new();
    s->margin_room = og_margin_room_new();
    s->expr.patterns = s->room;
    if (s->room && s->margin_room)
        return s;
    og_scratch_free(s);
    return NULL;
}

void og_scratch_read_since(struct og_scratch *s, bool read_since)
{
    if (s)
        s->common.read_since = read_since;
}

void og_scratch_free(struct og_scratch *s)
{
    if (!s)
        return;
    og_pattern_room_free(s->room);
    og_margin_room_free(s->margin_room);
    free(s);
}
