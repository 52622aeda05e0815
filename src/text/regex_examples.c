/*
 * Example texts of a regular expression: words of its automaton, the shortest first.  Look-around, back-references and
 * options are not supported.  For long texts only a few beginnings are tried. The texts are proposals: the caller must
 * match each text before using it.
 */
#include "text/regex_examples.h"

#include "text/regex_automaton.h"

#define LETTERS_MOST \
    62 /* maximum number of letters that are tried at one position; if more letters match, as for '.', only a few are
        * tried */

/* The beginning of a word, and the position of its last letter; -1 if it has no letter yet. */
struct beginning {
    char text[OG_REGEX_EXAMPLE_BYTES];
    int at;
};

static bool has(const uint64_t *bits, int i)
{
    return bits[i / 64] >> i % 64 & 1;
}

/* List the letters that a position matches.  Returns false if only some of them are listed. */
static bool list_letters(const uint64_t letters[2], char to[LETTERS_MOST + 1])
{
    size_t count = 0;

    for (int c = ' '; c <= '~' && count <= LETTERS_MOST; c++)
        if (has(letters, c) && count++ < LETTERS_MOST)
            to[count - 1] = (char)c;
    if (count <= LETTERS_MOST) {
        to[count] = '\0';
        return !(letters[0] & UINT32_MAX) && !has(letters, 127);
    }
    count = 0;
    for (const char *c = "AZ0_."; *c; c++)
        if (has(letters, *c))
            to[count++] = *c;
    to[count] = '\0';
    return false;
}

/* Add to `next` each text that is one letter longer than `from`, and to `out` the ones among them that the regular
 * expression matches. */
static int lengthen(const struct og_automaton *a, const struct beginning *from, size_t len, struct beginning *next,
                    int count, struct og_regex_examples *out)
{
    const struct og_position_set *follow = from->at < 0 ? &a->first : &a->follow[from->at];
    char letters[LETTERS_MOST + 1];

    for (int i = 0; i < a->count; i++) {
        if (!has(follow->bit, i))
            continue;
        out->exact = list_letters(a->letters[i], letters) && out->exact;
        for (const char *c = letters; *c; c++) {
            struct beginning *to = &next[count];

            if (count == OG_REGEX_EXAMPLES_MOST) {
                out->exact = false;
                return count;
            }
            *to = *from;
            to->text[len] = *c;
            to->at = i;
            count++;
            if (!has(a->last.bit, i))
                continue;
            if (out->count < OG_REGEX_EXAMPLES_MOST)
                memcpy(out->text[out->count++], to->text, sizeof to->text);
            else
                out->exact = false;
        }
    }
    return count;
}

bool og_regex_examples_of(struct og_str pattern, struct og_regex_examples *out)
{
    struct beginning now[OG_REGEX_EXAMPLES_MOST] = { { .at = -1 } }, next[OG_REGEX_EXAMPLES_MOST];
    struct og_automaton a;
    int count = 1, longer;

    *out = (struct og_regex_examples){ .exact = true };
    if (!og_automaton_of_pattern(pattern, false, &a))
        return false;
    out->count = a.nullable; /* the empty text */
    for (size_t len = 0; count && len + 1 < OG_REGEX_EXAMPLE_BYTES && out->count < OG_REGEX_EXAMPLES_MOST; len++) {
        longer = 0;
        for (int i = 0; i < count; i++)
            longer = lengthen(&a, &now[i], len, next, longer, out);
        memcpy(now, next, sizeof now);
        memset(next, 0, sizeof next);
        count = longer;
    }
    out->exact = out->exact && count == 0;
    return out->count > 0;
}
