/*
 * Settings as data: one table a section says the spelling, kind, unit, default, bounds and place in memory of each, and
 * the scenario reader, the control calls, the listing and the man page's test read it.
 */
#ifndef OG_PAPER_SETTING_H
#define OG_PAPER_SETTING_H

#include "base/arena.h"
#include "paper/decimal.h"

#include <stdint.h>

enum og_paper_setting_kind {
    OG_SETTING_SWITCH,   /* bool: on, off */
    OG_SETTING_WORD,     /* int: the index among words */
    OG_SETTING_DURATION, /* int64_t ns: 40ms, 2s, 5m, 1h, 30d */
    OG_SETTING_NUMBER,   /* int64_t millionths */
    OG_SETTING_WHOLE,    /* int64_t */
    OG_SETTING_SHARE,    /* int64_t millionths of one: 0.5%, 10bps */
    OG_SETTING_TEXT,     /* struct og_str */
    OG_SETTING_INSTANT,  /* int64_t ns: 2026-01-15T15:00:00Z */
};

struct og_paper_setting {
    const char *key;
    enum og_paper_setting_kind kind;
    size_t at;
    const char *fallback;     /* NULL: unset */
    const char *least, *most; /* inclusive, spelled as values are; NULL: no bound */
    const char *const *words; /* NULL-terminated */
    const char *help;
};

/* Unset numbers of any kind. */
#define OG_UNSET INT64_MIN

/* Every member to its default; texts live as long as the table. */
void og_paper_settings_init(const struct og_paper_setting *table, size_t count, void *base);
/* The setting of that name; NULL: there is none. */
const struct og_paper_setting *og_paper_setting_get(const struct og_paper_setting *table, size_t count,
                                                    struct og_str key);
/* Take a value; texts are copied into the arena.  false: why says what is allowed ("a duration
 * from 0ms to 1h"), and is empty where memory ran out. */
bool og_paper_setting_parse(const struct og_paper_setting *s, struct og_str text, struct og_arena *arena, void *base,
                            char *why, size_t size);
/* "a duration from 0ms to 1h": what a value may be. */
void og_paper_setting_allowed(const struct og_paper_setting *s, char *to, size_t size);

#endif
