/*
 * Prints the settings that differ, one a line; the same change in several rules is one line.
 * Changes in overrides are not combined, since each override is for different orders.
 */
#include <stdio.h>
#include <string.h>

#include "tools/common/diff.h"

bool diff_is_told(const struct og_diff_setting *s, enum diff_told told)
{
    return told == DIFF_TOLD_DIFFERS ||
           (s->may_pass && !s->shown && (s->what == OG_DIFF_LOOSENED) == (told == DIFF_TOLD_LOOSER));
}

#define LIKE_LEAST 4 /* if this many rules have the same change, it is printed as one line */

/* Returns the key of "rules.RULE.KEY"; NULL for other paths. */
static const char *key_of_rule(const char *path)
{
    const char *dot = strncmp(path, "rules.", 6) == 0 ? strchr(path + 6, '.') : NULL;

    return dot && !strpbrk(dot + 1, ".[") ? dot + 1 : NULL;
}

static bool is_like(const struct og_diff_setting *a, const struct og_diff_setting *b)
{
    const char *key = key_of_rule(a->path), *other = key_of_rule(b->path);

    return key && other && a->what == b->what && strcmp(key, other) == 0 &&
           strcmp(a->before ? a->before : "", b->before ? b->before : "") == 0 &&
           strcmp(a->after ? a->after : "", b->after ? b->after : "") == 0;
}

/* Returns how many settings have the same change as the i-th, itself included; *first: the i-th is the first of
 * them. */
static size_t count_like(const struct og_diff *d, enum diff_told told, size_t i, const struct og_diff_setting *s,
                         bool *first)
{
    struct og_diff_setting t;
    size_t count = 0;

    *first = true;
    for (size_t k = 0; key_of_rule(s->path) && og_diff_setting(d, k, &t); k++)
        if (diff_is_told(&t, told) && is_like(s, &t)) {
            *first &= count > 0 || k == i;
            count++;
        }
    return count;
}

static void put_like(const struct og_diff *d, enum diff_told told, size_t i, const struct og_diff_setting *s)
{
    struct og_diff_setting t;
    const char *before = "; so do";

    for (size_t k = i + 1; og_diff_setting(d, k, &t); k++)
        if (diff_is_told(&t, told) && is_like(s, &t)) {
            printf("%s %.*s", before, (int)(key_of_rule(t.path) - t.path - 7), t.path + 6);
            before = ",";
        }
}

void diff_put_settings(const struct og_diff *d, enum diff_told told, const char *title)
{
    static const char *const ways[] = { "", ", looser", ", tighter", "" };
    struct og_diff_setting s;

    for (size_t i = 0; og_diff_setting(d, i, &s); i++) {
        bool first = true, many = diff_is_told(&s, told) && count_like(d, told, i, &s, &first) >= LIKE_LEAST;

        if (!diff_is_told(&s, told) || (many && !first))
            continue;
        printf("%s%s: %s -> %s%s", title, s.path, s.before ? s.before : "(not there)",
               s.after ? s.after : "(not there)", told == DIFF_TOLD_DIFFERS ? ways[s.what] : "");
        if (many)
            put_like(d, told, i, &s);
        putchar('\n');
        title = "";
    }
}
