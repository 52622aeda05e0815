/*
 * Tells which words are no symbols.  Only the bytes of a word are judged: which symbols exist is not known.
 */
#include "order/symbol_word.h"

#include <ctype.h>
#include <string.h>

#include "order/occ.h"
#include "order/spelling.h"

static bool is_contract(struct og_str word)
{
    struct og_occ occ;

    og_occ_read(word, &occ);
    return occ.is && occ.date_exists;
}

bool og_symbol_word_is_contract(struct og_str word)
{
    struct og_occ occ;

    og_occ_read(word, &occ);
    return occ.is;
}

/* Returns how many bytes of a quote, or of a character that cannot be seen, are at s: quotes of ASCII, U+2018 to
 * U+201F, spaces of no width, marks of direction, and the byte order mark.  0: another character is there. */
static size_t skipped(const char *s, size_t left)
{
    const unsigned char *p = (const unsigned char *)s;

    if (p[0] == '"' || p[0] == '\'' || p[0] == '`')
        return 1;
    if (left >= 3 && p[0] == 0xE2 && p[1] == 0x80 && p[2] >= 0x8B && p[2] <= 0x9F && (p[2] <= 0x8F || p[2] >= 0x98))
        return 3;
    return left >= 3 && p[0] == 0xEF && p[1] == 0xBB && p[2] == 0xBF ? 3 : 0;
}

/* Copy the word in capitals, without quotes, invisible characters, blanks at its ends, and the '$' that some write
 * before a ticker.  Returns the length. */
static size_t tidy(struct og_str word, char to[OG_SYMBOL_MEANT])
{
    size_t len = 0;

    for (size_t i = 0, skip; i < word.len; i += skip ? skip : 1) {
        skip = skipped(word.s + i, word.len - i);
        if (!skip && (len || !isspace((unsigned char)word.s[i])) && (len || word.s[i] != '$'))
            to[len++] = (char)(word.s[i] >= 'a' && word.s[i] <= 'z' ? word.s[i] - ('a' - 'A') : word.s[i]);
    }
    while (len && isspace((unsigned char)to[len - 1]))
        len--;
    to[len] = '\0';
    return len;
}

/* Get the symbol that was probably meant by a word that is none. If the word without its blanks is an option contract,
 * that contract is meant. If it is not, the word is meant with a point between ticker and class (BRK/B is BRK.B). */
static void find_meant(struct og_str word, char to[OG_SYMBOL_MEANT])
{
    char tidied[OG_SYMBOL_MEANT];
    size_t len = 0, all;

    to[0] = '\0';
    if (word.len >= OG_SYMBOL_MEANT)
        return;
    all = tidy(word, tidied);
    for (size_t i = 0; i < all; i++)
        if (!isspace((unsigned char)tidied[i]))
            to[len++] = tidied[i];
    to[len] = '\0';
    if (is_contract((struct og_str){ to, len }))
        return;
    for (len = 0; len < all; len++)
        to[len] = (char)(tidied[len] == '/' || isspace((unsigned char)tidied[len]) ? '.' : tidied[len]);
    to[len] = '\0';
    len = og_spelling_listed((struct og_str){ to, len }, to).len;
    to[len] = '\0';
    if (len == 0 || len > OG_SYMBOL_TICKER_MOST || !og_symbol_fits((struct og_str){ to, len }) ||
        (strchr(to, '.') && strlen(strchr(to, '.')) > 3))
        to[0] = '\0';
}

static bool is_ascii(struct og_str word)
{
    for (size_t i = 0; i < word.len; i++)
        if ((unsigned char)word.s[i] >= 0x80)
            return false;
    return true;
}

const char *og_symbol_word_shape(struct og_str word)
{
    char capitals[OG_SYMBOL_FOLDED];
    bool named = false;

    for (size_t i = 0; i < word.len; i++)
        named = named || isalnum((unsigned char)word.s[i]);
    if (!named && word.len)
        return "symbols have letters or digits";
    return word.len > OG_SYMBOL_TICKER_MOST && !og_symbol_word_is_contract(og_symbol_capitals(word, capitals))
               ? "it is too long for a ticker, and a contract is spelled like AAPL260116C00190000"
               : NULL;
}

const char *og_symbol_word_why(struct og_str word, char meant[OG_SYMBOL_MEANT])
{
    char capitals[OG_SYMBOL_FOLDED];
    struct og_str upper;
    const char *why;

    meant[0] = '\0';
    if (word.len == 0)
        return NULL;
    if (!og_symbol_fits(word)) {
        find_meant(word, meant);
        return is_ascii(word) ? "symbols have letters, digits, '.', '_' and '-'"
                              : "symbols have letters, digits, '.', '_' and '-', all of ASCII, and here is another "
                                "character, perhaps one that looks like a letter or cannot be seen";
    }
    if ((why = og_symbol_word_shape(word)) != NULL)
        return why;
    upper = og_symbol_capitals(word, capitals);
    if (upper.s != capitals)
        return NULL;
    upper = og_spelling_listed(upper, capitals);
    memcpy(meant, upper.s, upper.len);
    meant[upper.len] = '\0';
    return "symbols are compared in capitals";
}

const char *og_symbol_word_foreign(struct og_str word, char meant[OG_SYMBOL_MEANT])
{
    char capitals[OG_SYMBOL_FOLDED];
    struct og_str listed;

    meant[0] = '\0';
    listed = og_spelling_listed(og_symbol_capitals(word, capitals), capitals);
    if (listed.len == word.len || !og_symbol_fits(word))
        return NULL;
    memcpy(meant, listed.s, listed.len);
    meant[listed.len] = '\0';
    return "tickers have no country, and '.', '_' or '-' only between two parts";
}
