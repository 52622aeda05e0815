/*
 * Compresses a whole body with gzip (RFC 1952), by zlib.  The header has neither name nor date, so that equal answers
 * have equal bytes.
 */
#include "paper/gzip.h"

#include <limits.h>
#include <strings.h>
#define ZLIB_CONST
#include <zlib.h>

#define GZIP_WINDOW (15 + 16) /* the maximum window, plus 16 for a gzip header instead of zlib's */
#define MEMORY      8

/* Returns true if a weight such as "q=0", "q=0." or "q=0.000" is zero: the client then does not accept the coding. */
static bool weight_is_zero(const char *at, const char *end)
{
    while (at < end && (*at == ' ' || *at == ';'))
        at++;
    if (end - at < 3 || (*at != 'q' && *at != 'Q') || at[1] != '=')
        return false;
    for (at += 2; at < end && (*at == '0' || *at == '.'); at++)
        ;
    return at == end || *at == ' ';
}

bool og_paper_gzip_taken(struct og_str accept)
{
    const char *at = accept.s, *end = at + accept.len, *stop;

    for (; at < end; at = stop + 1) {
        stop = memchr(at, ',', (size_t)(end - at));
        stop = stop ? stop : end;
        while (at < stop && *at == ' ')
            at++;
        if (stop - at >= 4 && strncasecmp(at, "gzip", 4) == 0 && (at + 4 == stop || at[4] == ';' || at[4] == ' '))
            return !weight_is_zero(at + 4, stop);
    }
    return false;
}

bool og_paper_gzip(struct og_str plain, struct og_buf *out)
{
    z_stream z = { .next_in = (const unsigned char *)plain.s, .avail_in = (unsigned)plain.len };
    char room[16384];
    int rc;

    og_buf_reset(out);
    if (plain.len > UINT_MAX ||
        deflateInit2(&z, Z_DEFAULT_COMPRESSION, Z_DEFLATED, GZIP_WINDOW, MEMORY, Z_DEFAULT_STRATEGY) != Z_OK)
        return false;
    do {
        z.next_out = (unsigned char *)room;
        z.avail_out = sizeof room;
        rc = deflate(&z, Z_FINISH);
        og_buf_bytes(out, room, sizeof room - z.avail_out);
    } while (rc == Z_OK);
    deflateEnd(&z);
    if (rc == Z_STREAM_END && !out->bad)
        return true;
    og_buf_reset(out);
    return false;
}
