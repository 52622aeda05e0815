/*
 * Keeps what the layers say.  Entries are copied, since the loader changes overrides when it lays more layers.
 */
#include "policy/said.h"

static void *copy(struct og_arena *keep, const void *from, size_t size)
{
    void *to = og_arena_take(keep, size);

    return to ? memcpy(to, from, size) : NULL;
}

bool og_said_add(const struct og_said **last, const struct og_rule *rule, const struct og_rule_entry *entry,
                 enum og_said_by by, struct og_arena *keep)
{
    struct og_said *said = og_arena_take(keep, sizeof *said);

    if (!said)
        return false;
    *said = (struct og_said){ .before = *last, .by = by, .entry = *entry };
    said->entry.where = copy(keep, entry->where, og_where_count(rule) * sizeof *entry->where);
    if (entry->given)
        said->entry.settings = copy(keep, entry->settings, rule->settings_size);
    if (!said->entry.where || (entry->given && !said->entry.settings))
        return false;
    *last = said;
    return true;
}

bool og_said_key_add(const struct og_said_key **last, const struct og_said_key *key, struct og_arena *keep)
{
    struct og_said_key *said = copy(keep, key, sizeof *key);

    if (!said)
        return false;
    said->before = *last;
    *last = said;
    return true;
}
