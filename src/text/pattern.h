/*
 * Regular expressions of policies: PCRE2 with JIT and match limits.  The result of a match that reaches its limit is
 * "cannot tell", neither true nor false.
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
/* The same for a pattern of account ids, whose case does not count (base/account_id.h). */
enum og_status og_pattern_read_account(struct og_str text, struct og_pattern **pattern, struct og_error *err);
/* Compile a pattern that may match any part of the text, by code points, as in expressions; account: of account ids. */
enum og_status og_pattern_read_part(struct og_str text, bool account, struct og_pattern **pattern,
                                    struct og_error *err);
void og_pattern_free(struct og_pattern *pattern);
struct og_str og_pattern_text(const struct og_pattern *pattern);

/* Returns true if, for some text no longer than a symbol or an account id, a match may reach its limit, or if that
 * cannot be excluded. */
bool og_pattern_may_give_up(const struct og_pattern *pattern);

struct og_pattern_room *og_pattern_room_new(void);
void og_pattern_room_free(struct og_pattern_room *room);
enum og_match og_pattern_match(const struct og_pattern *pattern, struct og_str subject, struct og_pattern_room *room);

/* Write a text as messages quote it: control characters are masked; a text that does not fit is cut and ends in
 * "...". */
void og_text_show(char *to, size_t size, struct og_str text);
/* Returns the candidate with the smallest edit distance, for "did you mean"; NULL if none has a distance of at most 1 +
 * len/3, or of 1 for a word of less than 4 letters: it has too little in common with a word that differs in two. */
const char *og_nearest(struct og_str word, const char *const *candidates, size_t count);
/* The same with another bound: NULL if no candidate has an edit distance of at most `most`. */
const char *og_nearest_within(struct og_str word, const char *const *candidates, size_t count, unsigned most);
/* A key as written with its letters made small and without blanks and marks: "client_order_id" is "clientorderid".
 * Returns false if it is too long to be any known key. */
#define OG_SQUASHED_MOST 48
bool og_key_squash(struct og_str name, char to[OG_SQUASHED_MOST]);
/* Returns the key (of known, which have no marks) that a squashed one is very like: the same, or different in one
 * letter of up to five, in two of more; a name of up to four has to begin with the same letter.  NULL if there is none.
 * This is for keys whose loss would be harmful, where og_nearest() would find one in too many words. */
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
