/*
 * Regular expressions over PCRE2, and the nearest known word for a misspelt one.  A match that reaches its limits has
 * no result, neither yes nor no.
 */
#define PCRE2_CODE_UNIT_WIDTH 8
#include "text/pattern.h"

#include <ctype.h>
#include <pcre2.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/buf.h"
#include "base/error.h"
#include "base/utf8.h"
#include "ordergate/rules.h"

/* Far more steps than a sensible pattern needs for a symbol; a match reaches the limit before a person notices a
 * delay. */
#define MATCH_LIMIT    100000
#define DEPTH_LIMIT    1000
#define HEAP_LIMIT_KIB 1024

struct og_pattern {
    pcre2_code *code;
    struct og_str text;
    char bytes[];
};

struct og_pattern_room {
    pcre2_match_data *data;
    pcre2_match_context *limits;
};

/* Without DOLLAR_ENDONLY "^AAPL$" would match "AAPL\n".  Patterns for whole texts need neither \C nor UTF. */
#define COMMON (PCRE2_DOLLAR_ENDONLY | PCRE2_NEVER_UCP | PCRE2_NEVER_BACKSLASH_C)
#define WHOLE  (COMMON | PCRE2_ANCHORED | PCRE2_ENDANCHORED | PCRE2_NEVER_UTF)
#define PART   (COMMON | PCRE2_UTF | PCRE2_MATCH_INVALID_UTF)

static enum og_status bad_pattern(int code, size_t at, struct og_error *err)
{
    char why[160];

    if (code == PCRE2_ERROR_NOMEMORY || code == PCRE2_ERROR_HEAP_FAILED)
        return og_fail(err, OG_ENOMEM, "out of memory");
    if (pcre2_get_error_message(code, (PCRE2_UCHAR *)why, sizeof why) < 0)
        why[0] = '\0';
    return og_fail_at(err, OG_ESYNTAX, NULL, 0, (int)at + 1, "bad pattern at character %zu: %s", at + 1, why);
}

static enum og_status read_with(uint32_t options, struct og_str text, struct og_pattern **pattern, struct og_error *err)
{
    struct og_pattern *p = calloc(1, sizeof *p + text.len + 1);
    PCRE2_SIZE at = 0;
    int code = 0;

    *pattern = NULL;
    if (!p)
        return og_fail(err, OG_ENOMEM, "out of memory");
    if (text.len)
        memcpy(p->bytes, text.s, text.len);
    p->text = (struct og_str){ p->bytes, text.len };
    p->code = pcre2_compile((PCRE2_SPTR)p->bytes, text.len, options, &code, &at, NULL);
    if (!p->code) {
        free(p);
        return bad_pattern(code, at, err);
    }
    (void)pcre2_jit_compile(p->code, PCRE2_JIT_COMPLETE); /* if this fails (no JIT), matches are only slower */
    *pattern = p;
    return OG_OK;
}

enum og_status og_pattern_read(struct og_str text, struct og_pattern **pattern, struct og_error *err)
{
    return read_with(WHOLE, text, pattern, err);
}

enum og_status og_pattern_read_account(struct og_str text, struct og_pattern **pattern, struct og_error *err)
{
    return read_with(WHOLE | PCRE2_CASELESS, text, pattern, err);
}

enum og_status og_pattern_read_part(struct og_str text, bool account, struct og_pattern **pattern, struct og_error *err)
{
    *pattern = NULL;
    /* reject options such as "(*NO_JIT)" in the pattern, which would change how it is matched */
    if (text.len >= 2 && memcmp(text.s, "(*", 2) == 0)
        return og_fail_at(err, OG_ESYNTAX, NULL, 0, 2,
                          "bad pattern at character 2: settings in (*...) are not allowed");
    return read_with(account ? PART | PCRE2_CASELESS : PART, text, pattern, err);
}

void og_pattern_free(struct og_pattern *pattern)
{
    if (!pattern)
        return;
    pcre2_code_free(pattern->code);
    free(pattern);
}

struct og_str og_pattern_text(const struct og_pattern *pattern)
{
    return pattern->text;
}

#define CHARS_MOST 64 /* maximum number of characters of a symbol or an account id */
#define WAYS_MOST  (MATCH_LIMIT / 4)

/* Returns how many different parts of a text of CHARS_MOST characters the repeat at text.s[i] can match. */
static long ways_of_repeat(struct og_str text, size_t i)
{
    const char *end = memchr(text.s + i, '}', text.len - i);

    if (text.s[i] == '?')
        return 2;
    if (i && text.s[i - 1] == ')') /* a group is repeated: each further character of a text can double the number of
                                    * ways */
        return WAYS_MOST + 1;
    return text.s[i] == '{' && end && !memchr(text.s + i, ',', (size_t)(end - text.s) - i) ? 1 : CHARS_MOST + 1;
}

/* Returns true if this file does not count the ways in which the part at text.s[i] can match: references, options,
 * quoted parts, assertions, classes in classes. */
static bool is_uncounted(struct og_str text, size_t i, bool in_class)
{
    const char *at = text.s + i;
    size_t left = text.len - i;

    switch (*at) {
    case '\\':
        return left < 2 || (((at[1] | 32) >= 'a' && (at[1] | 32) <= 'z') && !strchr("dDwWsS", at[1])) ||
               (at[1] >= '0' && at[1] <= '9');
    case '[': return in_class;
    case '(': return !in_class && left > 1 && (at[1] == '*' || (at[1] == '?' && !(left > 2 && at[2] == ':')));
    default: return false;
    }
}

/* Count the ways in which repeats and alternatives can divide a text among them: their number bounds the steps of a
 * match. */
bool og_pattern_may_give_up(const struct og_pattern *pattern)
{
    struct og_str text = pattern->text;
    bool in_class = false;
    long ways = 1, alternatives = 1; /* alternatives: their number since the last opening or closing parenthesis */

    for (size_t i = 0; i < text.len && ways <= WAYS_MOST; i++) {
        char c = text.s[i];

        if (is_uncounted(text, i, in_class))
            return true;
        if (c == '\\') {
            i++;
        } else if (in_class || c == '[') {
            in_class = c != ']';
            while (c == '[' && i + 1 < text.len && strchr("]^", text.s[i + 1]))
                i++;
        } else if (c == '(' || c == ')') {
            ways *= alternatives;
            alternatives = 1;
            i += c == '(' && i + 1 < text.len && text.s[i + 1] == '?';
        } else if (c == '|') {
            alternatives++;
        } else if (strchr("*+{?", c)) {
            ways *= ways_of_repeat(text, i);
        }
    }
    return ways > WAYS_MOST || alternatives > WAYS_MOST / ways;
}

struct og_pattern_room *og_pattern_room_new(void)
{
    struct og_pattern_room *room = calloc(1, sizeof *room);

    if (!room)
        return NULL;
    room->data = pcre2_match_data_create(1, NULL);
    room->limits = pcre2_match_context_create(NULL);
    if (!room->data || !room->limits) {
        og_pattern_room_free(room);
        return NULL;
    }
    pcre2_set_match_limit(room->limits, MATCH_LIMIT);
    pcre2_set_depth_limit(room->limits, DEPTH_LIMIT);
    pcre2_set_heap_limit(room->limits, HEAP_LIMIT_KIB);
    return room;
}

void og_pattern_room_free(struct og_pattern_room *room)
{
    if (!room)
        return;
    pcre2_match_data_free(room->data);
    pcre2_match_context_free(room->limits);
    free(room);
}

enum og_match og_pattern_match(const struct og_pattern *pattern, struct og_str subject, struct og_pattern_room *room)
{
    PCRE2_SPTR s = (PCRE2_SPTR)(subject.s ? subject.s : "");
    int n = pcre2_match(pattern->code, s, subject.len, 0, 0, room->data, room->limits);

    if (n >= 0)
        return OG_MATCH_YES;
    return n == PCRE2_ERROR_NOMATCH ? OG_MATCH_NO : OG_MATCH_GAVE_UP;
}

/* --- texts and known words in messages ---------------------------------------------------------------------------- */

#define MOST_WORD 63  /* longest word that gets a suggestion; keys and rule ids are shorter */
#define LIST_MOST 200 /* maximum length of a list of known words in bytes; a longer list is left out */

void og_text_show(char *to, size_t size, struct og_str text)
{
    size_t cut = text.len < size ? text.len : og_utf8_cut(text.s, text.len, size - 4);

    snprintf(to, size, "%.*s%s", (int)cut, text.len ? text.s : "", cut < text.len ? "..." : "");
    og_text_mask(to);
}

static char fold(char c)
{
    return (char)tolower((unsigned char)c);
}

static unsigned least(unsigned a, unsigned b)
{
    return a < b ? a : b;
}

/* Returns the edit distance of two words; edits are: insert, delete or replace a letter, swap two neighbors. */
static unsigned distance(struct og_str a, struct og_str b, bool folded)
{
    unsigned rows[3][MOST_WORD + 1];

    for (unsigned j = 0; j <= b.len; j++)
        rows[0][j] = j;
    for (unsigned i = 1; i <= a.len; i++) {
        unsigned *row = rows[i % 3], *above = rows[(i + 2) % 3], *two_above = rows[(i + 1) % 3];

        row[0] = i;
        for (unsigned j = 1; j <= b.len; j++) {
            const char *p = a.s + i - 1, *q = b.s + j - 1;
            bool same = folded ? fold(*p) == fold(*q) : *p == *q;

            row[j] = least(least(row[j - 1], above[j]) + 1, above[j - 1] + !same);
            if (i > 1 && j > 1 && fold(p[-1]) == fold(*q) && fold(*p) == fold(q[-1]))
                row[j] = least(row[j], two_above[j - 2] + 1);
        }
    }
    return rows[a.len % 3][b.len];
}

/* Returns true if the edit distance is certainly above `most`: each edit changes the length by at most one. Most words
 * differ so, and are not compared letter by letter. */
static bool is_farther(struct og_str a, struct og_str b, unsigned most)
{
    return (a.len > b.len ? a.len - b.len : b.len - a.len) > most;
}

const char *og_nearest(struct og_str word, const char *const *candidates, size_t count)
{
    return og_nearest_within(word, candidates, count, word.len < 4 ? 1 : 1 + (unsigned)word.len / 3);
}

const char *og_nearest_within(struct og_str word, const char *const *candidates, size_t count, unsigned most)
{
    const char *nearest = NULL;
    unsigned best = 0;

    if (word.len > MOST_WORD)
        return NULL;
    for (size_t i = 0; i < count; i++) {
        struct og_str candidate = og_str_of(candidates[i]);
        unsigned folded, rank;

        if (candidate.len > MOST_WORD || is_farther(word, candidate, most))
            continue;
        folded = distance(word, candidate, true);
        if (folded > most)
            continue;
        /* rank by the edit distance that ignores case, then by the distance that does not */
        rank = folded * (MOST_WORD + 1) + distance(word, candidate, false);
        if (!nearest || rank < best) {
            nearest = candidates[i];
            best = rank;
        }
    }
    return nearest;
}

bool og_key_squash(struct og_str name, char to[OG_SQUASHED_MOST])
{
    size_t len = 0;

    for (size_t i = 0; i < name.len; i++) {
        if ((unsigned char)name.s[i] < 0x80 && !isalnum((unsigned char)name.s[i]))
            continue;
        if (len == OG_SQUASHED_MOST - 1)
            return false;
        to[len++] = fold(name.s[i]);
    }
    to[len] = '\0';
    return true;
}

const char *og_nearest_key(const char *squashed, const char *const *known, size_t count)
{
    const size_t len = strlen(squashed);
    const char *near = og_nearest_within(og_str_of(squashed), known, count, len < 3 ? 0 : len < 6 ? 1 : 2);

    return near && len < 5 && fold(near[0]) != squashed[0] ? NULL : near;
}

struct og_meant og_meant(const char *nearest)
{
    struct og_meant m = { "" };

    if (nearest)
        snprintf(m.s, sizeof m.s, "; did you mean '%s'?", nearest);
    return m;
}

const char *og_nearest_hint(char hint[OG_HINT_SIZE], struct og_str word, const char *const *candidates, size_t count)
{
    const char *nearest = og_nearest(word, candidates, count);
    struct og_buf b;
    size_t kept;

    hint[0] = '\0';
    og_buf_init_fixed(&b, hint, OG_HINT_SIZE);
    og_buf_text(&b, og_meant(nearest).s);
    kept = b.len;
    og_buf_text(&b, nearest ? " known: " : "; known: ");
    for (size_t i = 0; i < count; i++)
        og_buf_format(&b, "%s%s", i ? ", " : "", candidates[i]);
    if (b.bad || count == 0 || b.len - kept > LIST_MOST)
        hint[kept] = '\0';
    return nearest;
}

const char *og_nearest_word(const char *word, const char *const *candidates, size_t count)
{
    return candidates ? og_nearest(og_str_of(word), candidates, count) : NULL;
}

const char *og_nearest_only(struct og_str word, const char *const *candidates, size_t count)
{
    const char *near[2] = { NULL, NULL }; /* near[0]: the first candidate that differs only in case; near[1]: the first
                                           * that is one edit away */
    size_t found[2] = { 0, 0 };

    for (size_t i = 0; word.len <= MOST_WORD && i < count; i++) {
        struct og_str candidate = og_str_of(candidates[i]);
        unsigned folded = candidate.len <= MOST_WORD ? distance(word, candidate, true) : 2;

        if (folded < 2 && found[folded]++ == 0)
            near[folded] = candidates[i];
    }
    return found[0] == 1 ? near[0] : found[0] == 0 && found[1] == 1 ? near[1] : NULL;
}
