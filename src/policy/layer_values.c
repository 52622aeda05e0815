/*
 * Keeps what each layer sets.  Entries are copied, since the loader changes overrides when it lays further layers.
 */
#include "policy/layer_values.h"

static void *copy(struct og_arena *keep, const void *from, size_t size)
{
    void *to = og_arena_take(keep, size);

    return to ? memcpy(to, from, size) : NULL;
}

bool og_layer_value_add(const struct og_layer_value **last, const struct og_rule *rule,
                        const struct og_rule_entry *entry, enum og_layer_value_kind by, struct og_arena *keep)
{
    struct og_layer_value *said = og_arena_take(keep, sizeof *said);

    if (!said)
        return false;
    *said = (struct og_layer_value){ .before = *last, .by = by, .entry = *entry };
    said->entry.where = copy(keep, entry->where, og_where_count(rule) * sizeof *entry->where);
    if (entry->given)
        said->entry.settings = copy(keep, entry->settings, rule->settings_size);
    if (!said->entry.where || (entry->given && !said->entry.settings))
        return false;
    *last = said;
    return true;
}

bool og_layer_key_value_add(const struct og_layer_key_value **last, const struct og_layer_key_value *key,
                            struct og_arena *keep)
{
    struct og_layer_key_value *said = copy(keep, key, sizeof *key);

    if (!said)
        return false;
    said->before = *last;
    *last = said;
    return true;
}
