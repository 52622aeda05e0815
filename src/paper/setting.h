/*
 * Settings as data.  A table for each section gives the spelling, kind, unit, default, bounds and struct member of each
 * setting; the scenario reader, the control calls, the list of settings and the man page's test use it.
 */
#pragma once

#include <stdint.h>

#include "base/arena.h"
#include "base/buf.h"
#include "paper/decimal.h"

enum og_paper_setting_kind {
    OG_SETTING_SWITCH,   /* bool: on, off */
    OG_SETTING_WORD,     /* int: the index of the word in `words` */
    OG_SETTING_DURATION, /* int64_t ns: 40ms, 2s, 5m, 1h, 30d */
    OG_SETTING_NUMBER,   /* int64_t millionths */
    OG_SETTING_WHOLE,    /* int64_t */
    OG_SETTING_SHARE,    /* int64_t, millionths of 1: 0.5%, 10bps */
    OG_SETTING_TEXT,     /* struct og_str */
    OG_SETTING_INSTANT,  /* int64_t ns: 2026-01-15T15:00:00Z */
};

struct og_paper_setting {
    const char *key;
    enum og_paper_setting_kind kind;
    size_t at;
    const char *fallback;     /* the default; NULL if there is none */
    const char *least, *most; /* inclusive bounds, spelled in the same way as values; NULL means no bound */
    const char *const *words; /* NULL-terminated */
    const char *help;
};

/* The value of a number (of any kind) that is not set. */
#define OG_UNSET INT64_MIN

/* Set every member to its default; texts point into the table. */
void og_paper_settings_init(const struct og_paper_setting *table, size_t count, void *base);
/* Returns the setting of this name; NULL if there is none. */
const struct og_paper_setting *og_paper_setting_get(const struct og_paper_setting *table, size_t count,
                                                    struct og_str key);
/* Parse a value into its member of base; texts are copied into the arena. Returns false if the value is not allowed;
 * `why` then says which values are allowed ("a duration from 0ms to 1h"), and is empty if memory ran out. */
bool og_paper_setting_parse(const struct og_paper_setting *s, struct og_str text, struct og_arena *arena, void *base,
                            char *why, size_t size);
/* Write which values are allowed, such as "a duration from 0ms to 1h". */
void og_paper_setting_allowed(const struct og_paper_setting *s, char *to, size_t size);
/* Write a value as a member of a JSON object, in the form that og_paper_setting_parse() reads: a switch is true or
 * false, a number a number, anything else a text. A number that is not set is null. */
void og_paper_setting_write(const struct og_paper_setting *s, const void *base, struct og_buf *b);
/* Write the JSON Schema of what og_paper_setting_write() writes. */
void og_paper_setting_schema(const struct og_paper_setting *s, struct og_buf *b);
/* Returns a fraction, in millionths of 1, as a percentage: "0.5%". */
struct og_money_text og_paper_share_text(int64_t share);
