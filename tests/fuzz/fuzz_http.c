/*
 * Fuzz: bytes as the head of a request, and as WebSocket frames.  What is read lies within the bytes; a head ends at
 * the same place whether it arrives at once or byte by byte; a strict reader takes nothing that another does not; and a
 * frame tells its length.
 */
#include <string.h>

#include "fuzz.h"
#include "serve/chunked.h"
#include "serve/head.h"
#include "serve/ws_frame.h"

#define MOST_PAYLOAD 65536

static void within(struct og_str s, const char *bytes, size_t len)
{
    DEMAND(!s.s || s.len == 0 || (s.s >= bytes && s.s + s.len <= bytes + len));
}

/* Returns true if a strict reader takes the head, of which it then names one host. */
static bool reads_strictly(const char *bytes, size_t len)
{
    const struct og_serve_reading how = { .prefix = OG_STR("SVC"), .strict = true };
    char *copy = malloc(len);
    struct og_serve_head head;
    bool good;

    DEMAND(copy);
    memcpy(copy, bytes, len);
    good = og_serve_head_read(copy, len, &how, &head) == NULL;
    DEMAND(!good || (head.host.s && head.host.len && head.path.s[0] == '/'));
    free(copy);
    return good;
}

static void read_head(char *bytes, size_t len)
{
    size_t whole = og_serve_head_end((struct og_str){ bytes, len }, 0), step, found = 0;
    struct og_serve_head head;
    bool is_strict, wrong;

    for (step = 1; step <= len && !found; step++)
        found = og_serve_head_end((struct og_str){ bytes, step }, step - 1);
    DEMAND(found == whole);
    if (!whole)
        return;
    is_strict = reads_strictly(bytes, whole);
    wrong = og_serve_head_read(bytes, whole, &(struct og_serve_reading){ .prefix = OG_STR("SVC") }, &head) != NULL;
    DEMAND(!is_strict || !wrong);
    if (wrong)
        return;
    DEMAND(head.path.len > 0 && head.length >= 0 && head.method < OG_METHOD_COUNT);
    within(head.path, bytes, whole);
    within(head.query, bytes, whole);
    within(head.key, bytes, whole);
    within(head.secret, bytes, whole);
    within(head.content_type, bytes, whole);
    within(head.accept_encoding, bytes, whole);
    within(head.socket_key, bytes, whole);
}

static void read_frames(char *bytes, size_t len)
{
    struct og_serve_ws_frame f;
    size_t at = 0;

    while (at < len && og_serve_ws_frame_read(bytes + at, len - at, MOST_PAYLOAD, &f) == 0 && f.len) {
        DEMAND(f.len <= len - at && f.payload.len <= MOST_PAYLOAD);
        within(f.payload, bytes + at, f.len);
        DEMAND(f.opcode < OG_WS_OP_CLOSE || (f.last && f.payload.len <= OG_WS_FRAME_CONTROL_MOST));
        at += f.len;
    }
}

/* Assert that a strict reader of chunks takes nothing that another does not, and then reads the same. */
static void read_chunks_strictly(const char *bytes, size_t len)
{
    struct og_serve_chunked strict = { .strict = true }, other = { .left = 0 };
    struct og_buf one, two;
    long a, b;

    og_buf_init(&one, 0);
    og_buf_init(&two, 0);
    a = og_serve_chunked_decode(&strict, (struct og_str){ bytes, len }, &one);
    b = og_serve_chunked_decode(&other, (struct og_str){ bytes, len }, &two);
    DEMAND(a < 0 || (a == b && strict.at == other.at && one.len == two.len));
    og_buf_clear(&one);
    og_buf_clear(&two);
}

/* Assert that the body is the same whether it is read at once or byte by byte. */
static void read_chunks(const char *bytes, size_t len)
{
    struct og_serve_chunked whole = { .left = 0 }, slow = { .left = 0 };
    struct og_buf one, two;
    size_t at = 0, there;
    long used, all;

    og_buf_init(&one, 0);
    og_buf_init(&two, 0);
    all = og_serve_chunked_decode(&whole, (struct og_str){ bytes, len }, &one);
    for (there = 1, used = 0; there <= len && used >= 0 && slow.at != OG_CHUNKED_DONE; there++) {
        used = og_serve_chunked_decode(&slow, (struct og_str){ bytes + at, there - at }, &two);
        at += used > 0 ? (size_t)used : 0;
    }
    DEMAND((all < 0) == (used < 0));
    DEMAND(all < 0 || ((size_t)all == at && whole.at == slow.at && one.len == two.len));
    DEMAND(all < 0 || one.len == 0 || memcmp(one.s, two.s, one.len) == 0);
    og_buf_clear(&one);
    og_buf_clear(&two);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t len)
{
    char *copy = malloc(len ? len : 1); /* memory of exactly that size, so that a sanitizer sees reads beyond it */

    DEMAND(copy);
    if (len)
        memcpy(copy, bytes, len);
    read_chunks(copy, len);
    read_chunks_strictly(copy, len);
    read_head(copy, len);
    if (len)
        memcpy(copy, bytes, len);
    read_frames(copy, len);
    free(copy);
    return 0;
}
