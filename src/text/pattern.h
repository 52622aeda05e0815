/*
 * Regular expressions of policies: PCRE2 with JIT and match limits.  The result of a match that reaches its limit is
 * OG_MATCH_GAVE_UP, neither yes nor no.
 */
#pragma once

#include "base/str.h"
#include "ordergate/status.h"

struct og_pattern;      /* constant after it is compiled; threads may share it */
struct og_pattern_room; /* memory that one thread needs for matching, so that matching does not allocate */

enum og_match { OG_MATCH_NO = 0, OG_MATCH_YES = 1, OG_MATCH_GAVE_UP = 2 };

/* A list of patterns that are freed with their owner; the list's nodes are in an arena. */
struct og_patterns {
    struct og_pattern *pattern;
    struct og_patterns *next;
};

/* Compile a pattern that must match the whole text, byte by byte; "^" and "$" are implied.  err->col is the offset in
 * the pattern (from 1).  OG_ESYNTAX, OG_ENOMEM. */
enum og_status og_pattern_read(struct og_str text, struct og_pattern **pattern, struct og_error *err);
/* Compile a pattern that must match a whole account id, without regard to case (base/account_id.h). */
enum og_status og_pattern_read_account(struct og_str text, struct og_pattern **pattern, struct og_error *err);
/* Compile a pattern that may match any part of the text, by code points, as in expressions. account: the text is an
 * account id. */
enum og_status og_pattern_read_part(struct og_str text, bool account, struct og_pattern **pattern,
                                    struct og_error *err);
void og_pattern_free(struct og_pattern *pattern);
struct og_str og_pattern_text(const struct og_pattern *pattern);

/* Returns true if a match with a text no longer than a symbol or an account id may reach its limit, or if that is not
 * known. */
bool og_pattern_may_give_up(const struct og_pattern *pattern);

struct og_pattern_room *og_pattern_room_new(void);
void og_pattern_room_free(struct og_pattern_room *room);
enum og_match og_pattern_match(const struct og_pattern *pattern, struct og_str subject, struct og_pattern_room *room);

/* Write a text as messages quote it: control characters are masked; a text that does not fit is cut and ends in
 * "...". */
void og_text_show(char *to, size_t size, struct og_str text);
/* Returns the candidate with the smallest edit distance, for "did you mean". Returns NULL if no candidate has a
 * distance of at most 1 + len/3; for a word of fewer than 4 letters, of at most 1, since two edits leave too little of
 * such a word. */
const char *og_nearest(struct og_str word, const char *const *candidates, size_t count);
/* Does what og_nearest() does, with `most` as the greatest edit distance. */
const char *og_nearest_within(struct og_str word, const char *const *candidates, size_t count, unsigned most);
/* Write a key in lower case, without blanks and punctuation: "client_order_id" becomes "clientorderid". Returns false
 * if the key is too long to be a known one. */
#define OG_SQUASHED_MOST 48
bool og_key_squash(struct og_str name, char to[OG_SQUASHED_MOST]);
/* Returns the known key (without punctuation) that is most similar to a squashed one: equal, or different in one letter
 * (keys of up to five letters) or in two (longer keys); keys of up to four letters must begin with the same letter.
 * Returns NULL if there is none. Used for keys whose loss would be harmful: og_nearest() would find a key for too many
 * words. */
const char *og_nearest_key(const char *squashed, const char *const *known, size_t count);
/* The text "; did you mean 'x'?", to be appended to a message; "" for NULL. */
struct og_meant {
    char s[96];
};
struct og_meant og_meant(const char *nearest);
/* Write "; did you mean 'x'? known: a, b, c", to be appended to a message: the first part only if a candidate is
 * similar, the second only if the list is short.  Returns the nearest candidate, or NULL. */
#define OG_HINT_SIZE 300
const char *og_nearest_hint(char hint[OG_HINT_SIZE], struct og_str word, const char *const *candidates, size_t count);
/* Returns the only candidate that differs from the word in case alone. If there is none: the only candidate that is a
 * single edit away. Returns NULL if there is neither. Used for automatic repairs. */
const char *og_nearest_only(struct og_str word, const char *const *candidates, size_t count);
