/*
 * Patterns of policies: PCRE2 with JIT and match limits; a pattern that hits its limit answers "cannot tell", never
 * true or false.  The only folder that includes PCRE2.
 */
#ifndef OG_TEXT_PATTERN_H
#define OG_TEXT_PATTERN_H

#include "base/str.h"
#include "ordergate/status.h"

struct og_pattern;      /* constant once read; may be shared between threads */
struct og_pattern_room; /* what one thread needs for matching; matching then allocates nothing */

enum og_match { OG_MATCH_NO = 0, OG_MATCH_YES = 1, OG_MATCH_GAVE_UP = 2 };

/* Patterns that are freed with what they belong to; a node lives in an arena. */
struct og_patterns {
    struct og_pattern *pattern;
    struct og_patterns *next;
};

/* Of all of the text, byte by byte: "^" and "$" stand at its ends of themselves.
 * err->col is the offset in the pattern (from 1).  OG_ESYNTAX, OG_ENOMEM. */
enum og_status og_pattern_read(struct og_str text, struct og_pattern **pattern, struct og_error *err);
/* Of any part of the text, by code points: what expressions look for. */
enum og_status og_pattern_read_part(struct og_str text, struct og_pattern **pattern, struct og_error *err);
void og_pattern_free(struct og_pattern *pattern);
struct og_str og_pattern_text(const struct og_pattern *pattern);

struct og_pattern_room *og_pattern_room_new(void);
void og_pattern_room_free(struct og_pattern_room *room);
enum og_match og_pattern_match(const struct og_pattern *pattern, struct og_str subject, struct og_pattern_room *room);

/* For "did you mean": the candidate with the smallest edit distance (at most 1 + len/3), or NULL. */
const char *og_nearest(struct og_str word, const char *const *candidates, size_t count);
/* For repairs: the only candidate that differs by case alone, else the only one a single edit away; or NULL. */
const char *og_nearest_only(struct og_str word, const char *const *candidates, size_t count);

#endif
