/*
 * A perfect hash table of the order's keys, for the parsers: a look-up takes one step, by two bytes of the name. Also
 * finds enum values in a line.  Names are case-sensitive, as the service's are.
 */
#pragma once

#include <stdalign.h>

#include "order/order.h"
#ifdef __SSE2__
#include <emmintrin.h>
#endif

#define OG_KEY_ROOM 16 /* bytes of the longest name, with its closing quote and colon */

/* A known name, and the keys that it is in an order and in a leg. */
struct og_key_name {
    alignas(OG_KEY_ROOM) char text[OG_KEY_ROOM]; /* the name with its closing quote and colon: symbol": */
    unsigned char len;                           /* bytes of text */
    unsigned char key, leg_key;                  /* enum og_key, enum og_leg_key */
    uint32_t in_order, in_leg;                   /* 1 << key and 1 << leg_key; 0 if the name is no key there */
};

/* Computes the index of a name in the table from its second and sixth byte; no two names have the same index. */
#define OG_KEY_PLACES               64
#define OG_KEY_PLACE(second, sixth) (((second) + 3u * (sixth)) & (OG_KEY_PLACES - 1))
extern const struct og_key_name og_keys_placed[OG_KEY_PLACES];

/* Returns the entry of the name at s, where OG_KEY_ROOM bytes can be read.  If the name is not known, the result is
 * NULL, or an empty entry whose in_order and in_leg are 0. */
static inline const struct og_key_name *og_key_at(const char *s)
{
    const struct og_key_name *name = &og_keys_placed[OG_KEY_PLACE((unsigned char)s[1], (unsigned char)s[5])];
#ifdef __SSE2__
    __m128i same = _mm_cmpeq_epi8(_mm_loadu_si128((const __m128i *)(const void *)s),
                                  _mm_load_si128((const __m128i *)(const void *)name->text));

    return __builtin_ctz(~(unsigned)_mm_movemask_epi8(same)) >= name->len ? name : NULL;
#else
    return memcmp(s, name->text, name->len) == 0 ? name : NULL;
#endif
}

/* Returns the known name that equals k, or NULL. */
static inline const struct og_key_name *og_key_named(struct og_str k)
{
    char text[OG_KEY_ROOM] = { 0 };
    const struct og_key_name *name;

    if (k.len > sizeof text - 2)
        return NULL;
    memcpy(text, k.s, k.len);
    memcpy(text + k.len, "\":", 2);
    name = og_key_at(text);
    return name && name->len == k.len + 2 ? name : NULL;
}

/* Return the enum value whose spelling is at s, followed by a quote, and set *len to the spelling's length; return 0
 * and leave *len if there is none.  OG_VALUE_ROOM bytes must be readable at s. */
#define OG_VALUE_ROOM 18
enum og_security og_security_at(const char *s, size_t *len);
enum og_side og_side_at(const char *s, size_t *len);
enum og_open_close og_open_close_at(const char *s, size_t *len);
enum og_order_type og_order_type_at(const char *s, size_t *len);
enum og_tif og_tif_at(const char *s, size_t *len);
