/*
 * Names of keys to keys, for the reader of orders: in one step, by two bytes of a name; and enum values in a line.
 * It refuses other cases, as the service does.
 */
#ifndef OG_ORDER_KEYS_H
#define OG_ORDER_KEYS_H

#include "order/order.h"

#include <stdalign.h>
#ifdef __SSE2__
#include <emmintrin.h>
#endif

#define OG_KEY_ROOM 16 /* no name with what follows it is longer */

/* A known name, and what it says in an order and in a leg. */
struct og_key_name {
    alignas(OG_KEY_ROOM) char text[OG_KEY_ROOM]; /* as it stands behind its opening quote: symbol": */
    unsigned char len;                           /* of all that */
    unsigned char key, leg_key;                  /* enum og_key, enum og_leg_key */
    uint32_t in_order, in_leg;                   /* a bit, 1 << key and 1 << leg_key; 0: none there */
};

/* Names stand where their second byte and their sixth tell, which no two share. */
#define OG_KEY_PLACES               32
#define OG_KEY_PLACE(second, sixth) (((second) + 3u * (sixth)) >> 1 & (OG_KEY_PLACES - 1))
extern const struct og_key_name og_keys_placed[OG_KEY_PLACES];

/* The name at s, of whose bytes OG_KEY_ROOM can be read.  None: another comes, without a bit, or NULL. */
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

/* The known name that equals k, or NULL. */
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

/* The value whose name stands at s, right before a quote, and the length of the name; 0 and no length: none of them.
 * OG_VALUE_ROOM bytes of s can be read. */
#define OG_VALUE_ROOM 18
enum og_security og_security_at(const char *s, size_t *len);
enum og_side og_side_at(const char *s, size_t *len);
enum og_open_close og_open_close_at(const char *s, size_t *len);
enum og_order_type og_order_type_at(const char *s, size_t *len);
enum og_tif og_tif_at(const char *s, size_t *len);

#endif
