/*
 * Appends numbers, instants and JSON strings.  Each is written whole, or not at all if it does not fit.
 */
#include "base/appender.h"

#include "base/attributes.h"
#include "base/buf.h"
#include "base/digits.h"
#include "base/money.h"
#include "base/time.h"
#include "base/utf8.h"

OG_HOT struct og_appender og_append_money(struct og_appender p, struct og_money m)
{
    char text[OG_MONEY_ROOM];
    size_t len;

    if (p.left < sizeof text)
        return og_append(p, text, og_money_put(text, m)); /* if the number is short, it may still fit */
    len = og_money_put(p.to, m);
    return (struct og_appender){ p.to + len, p.left - len };
}

static OG_COLD struct og_appender put_at_end(struct og_appender p, int64_t n)
{
    return og_append_money(p, og_money_from(n));
}

OG_HOT struct og_appender og_append_whole(struct og_appender p, int64_t n)
{
    char *end;

    if (n < 0 || p.left < OG_DIGITS_MOST)
        return put_at_end(p, n);
    end = og_digits_put(p.to, (uint64_t)n);
    return (struct og_appender){ end, p.left - (size_t)(end - p.to) };
}

#define EACH(byte) (UINT64_C(0x0101010101010101) * (byte))

/* Returns 0 if all eight bytes are from ' ' to '~': a lower byte borrows, a higher one has or gets its highest bit. */
static inline uint64_t is_hidden(uint64_t v)
{
    return ((v - EACH(' ')) | (v + EACH(1)) | v) & EACH(0x80);
}

#ifdef __SSE2__
/* Does what copy_plain() does for texts of at least 16 bytes, such as the symbol of a contract. The comparison is
 * signed, so bytes from 0x80 on are below ' '. */
static inline bool copy_plain_long(char *to, const char *s, size_t len)
{
    __m128i bad = _mm_setzero_si128();

    for (size_t i = 0; i < len; i += sizeof bad) { /* the last step overlaps the one before */
        const size_t at = i < len - sizeof bad ? i : len - sizeof bad;
        const __m128i v = _mm_loadu_si128((const __m128i *)(const void *)(s + at));

        _mm_storeu_si128((__m128i *)(void *)(to + at), v);
        bad = _mm_or_si128(
            bad, _mm_or_si128(_mm_cmplt_epi8(v, _mm_set1_epi8(' ')), _mm_cmpeq_epi8(v, _mm_set1_epi8('~' + 1))));
    }
    return _mm_movemask_epi8(bad) == 0;
}
#endif

/* Copies len bytes.  Returns false if one of them is not from ' ' to '~'; the contents of `to` are then undefined. */
static inline bool copy_plain(char *to, const char *s, size_t len)
{
    uint64_t v, bad = 0;
    uint32_t first, last;

#ifdef __SSE2__
    if (len >= 16)
        return copy_plain_long(to, s, len);
#endif
    for (size_t i = 0; len >= sizeof v && i < len; i += sizeof v) { /* the last step overlaps the one before */
        const size_t at = i < len - sizeof v ? i : len - sizeof v;

        memcpy(&v, s + at, sizeof v);
        memcpy(to + at, &v, sizeof v);
        bad |= is_hidden(v);
    }
    if (len >= sizeof v)
        return bad == 0;
    if (len < sizeof first) {
        for (; len && *s >= ' ' && *s <= '~'; len--)
            *to++ = *s++;
        return len == 0;
    }
    memcpy(&first, s, sizeof first);
    memcpy(&last, s + len - sizeof last, sizeof last);
    memcpy(to, &first, sizeof first);
    memcpy(to + len - sizeof last, &last, sizeof last);
    return is_hidden((uint64_t)first << 32 | last) == 0;
}

#define MORE       "..."
#define SHOWN_MOST (OG_SHOWN_ROOM - (sizeof MORE - 1))

static OG_COLD struct og_appender put_masked(struct og_appender p, struct og_str s)
{
    const size_t len = s.len > SHOWN_MOST ? SHOWN_MOST : s.len;

    if (p.left < len)
        return (struct og_appender){ NULL, 0 };
    for (size_t i = 0; i < len; i++)
        p.to[i] = s.s[i] >= ' ' && s.s[i] <= '~' ? s.s[i] : '?';
    p = (struct og_appender){ p.to + len, p.left - len };
    return s.len > SHOWN_MOST ? OG_APPEND(p, MORE) : p;
}

OG_HOT struct og_appender og_append_shown(struct og_appender p, struct og_str s)
{
    if (s.len > SHOWN_MOST || p.left < s.len || !copy_plain(p.to, s.s, s.len))
        return put_masked(p, s);
    return (struct og_appender){ p.to + s.len, p.left - s.len };
}

OG_HOT struct og_appender og_append_time(struct og_appender p, int64_t ns)
{
    char text[OG_TIME_ROOM + 2];
    bool sure = p.left >= sizeof text;
    char *to = sure ? p.to : text, *end = to;

    *end++ = '"';
    end += og_time_put(end, ns);
    *end++ = '"';
    if (!sure)
        return og_append(p, text, (size_t)(end - to));
    return (struct og_appender){ end, p.left - (size_t)(end - to) };
}

/* Append a string that needs escapes; whether it fits is known only after it is written. */
static __attribute__((noinline)) struct og_appender put_escaped(struct og_appender p, struct og_str s)
{
    struct og_buf b;

    og_buf_init_fixed(&b, p.to, p.left + 1);
    og_buf_json_str(&b, s);
    return b.bad ? (struct og_appender){ NULL, 0 } : (struct og_appender){ p.to + b.len, p.left - b.len };
}

OG_HOT struct og_appender og_append_json_str(struct og_appender p, struct og_str s)
{
    if (p.left < s.len + 2)
        return (struct og_appender){ NULL, 0 };
    if (!og_json_copy_clean(p.to + 1, s.s, s.len))
        return put_escaped(p, s);
    p.to[0] = '"';
    p.to[s.len + 1] = '"';
    return (struct og_appender){ p.to + s.len + 2, p.left - s.len - 2 };
}
