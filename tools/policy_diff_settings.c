/*
 * Prints the settings that differ, one a line; the same change in several rules is one line.
 * Changes in overrides are not combined, since each override is for different orders.
 */
#include <stdio.h>
#include <string.h>

#include "tools/common/diff.h"
#include "tools/common/json.h"

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

/* --- verdicts ----------------------------------------------------------------------------------------------------- */

static const char *const ways[] = { "same", "tighter", "looser", "neither" };

static const char *doubt_of(const struct og_diff_verdict *v)
{
    return v->perhaps_looser && v->perhaps_tighter ? "  perhaps looser, perhaps tighter"
           : v->perhaps_looser                     ? "  perhaps looser"
           : v->perhaps_tighter                    ? "  perhaps tighter"
                                                   : "";
}

void diff_put_verdicts(struct og_diff *d)
{
    struct og_diff_verdict v;

    puts("kind          verdict  by       rules proved   orders  loosened  tightened");
    for (size_t i = 0; og_diff_verdict(d, i, &v); i++)
        printf("%-13s %-8s %-8s %5d of %-5d %8lld %9lld %10lld%s\n", v.kind, ways[v.way],
               v.proved ? "proved" : "sampled", v.rules_proved, v.rules, v.orders, v.loosened, v.tightened,
               doubt_of(&v));
}

void diff_put_verdicts_json(struct og_diff *d)
{
    struct og_diff_verdict v;

    putchar('[');
    for (size_t i = 0; og_diff_verdict(d, i, &v); i++) {
        og_json(stdout, "%c{'kind':%s,'verdict':%s,'by':%s,'rules':%lld,'proved':%lld", i ? ',' : 0, v.kind,
                ways[v.way], v.proved ? "proved" : "sampled", (long long)v.rules, (long long)v.rules_proved);
        og_json(stdout, ",'orders':%lld,'loosened':%lld,'tightened':%lld,'perhaps':[", v.orders, v.loosened,
                v.tightened);
        printf("%s%s%s]}", v.perhaps_looser ? "\"looser\"" : "", v.perhaps_looser && v.perhaps_tighter ? "," : "",
               v.perhaps_tighter ? "\"tighter\"" : "");
    }
    putchar(']');
}
