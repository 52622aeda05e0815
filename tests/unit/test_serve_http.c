/*
 * Request heads and WebSocket frames, byte by byte; sockets are tested in tests/talks.
 */
#include "serve/chunked.h"
#include "serve/head.h"
#include "serve/ws_frame.h"
#include "unit.h"

static struct og_serve_head head;
static struct og_serve_reading how = { .prefix = OG_STR("SVC") };
static char bytes[8192];

/* Parse a head with correct line ends; returns what is wrong with it. */
static const char *read_it(const char *text)
{
    size_t len = strlen(text);

    memcpy(bytes, text, len);
    memcpy(bytes + len, "\r\n\r\n", 4);
    assert_int_equal(og_serve_head_end((struct og_str){ bytes, len + 4 }, 0), len + 4);
    return og_serve_head_read(bytes, len + 4, &how, &head);
}

static void is(struct og_str s, const char *text)
{
    assert_int_equal(s.len, strlen(text));
    assert_memory_equal(s.s, text, s.len);
}

static void reads_a_head(void **state)
{
    (void)state;
    assert_null(read_it("POST http://h:1/a%20b/c+d?x=%41+b&y=%zz HTTP/1.1\r\nsvc-api-key-ID: \t k "
                        "\r\nSVC-API-SECRET-KEY:s\r\n"
                        "Content-Length: 012\r\nCONTENT-TYPE: a/b; c\r\naccept-encoding: gzip\r\nAccept-Encoding: "
                        "br\r\nX: 1\r\nConnection: keep-alive"));
    assert_int_equal(head.method, OG_METHOD_POST);
    is(head.path, "/a b/c+d");
    is(head.query, "x=A b&y=%zz");
    is(head.key, "k");
    is(head.secret, "s");
    is(head.content_type, "a/b; c");
    is(head.accept_encoding, "gzip");
    assert_int_equal(head.length, 12);
    assert_false(head.closes || head.chunked || head.expects || head.socket_key.s);
}

static void decodes_parts_of_a_path(void **state)
{
    char room[8];
    struct og_str part = OG_STR("plain");

    (void)state;
    assert_null(read_it("GET /a%2fb%25%32F%3f HTTP/1.1"));
    is(head.path, "/a%2fb%252F?");
    assert_true(og_serve_head_segment(&part, room, sizeof room));
    is(part, "plain");
    part = OG_STR("a%2fb%25");
    assert_true(og_serve_head_segment(&part, room, sizeof room));
    is(part, "a/b%");
    part = OG_STR("123456%2F");
    assert_false(og_serve_head_segment(&part, room, sizeof room));
}

static void knows_when_it_ends(void **state)
{
    (void)state;
    assert_null(read_it("GET / HTTP/1.1\r\nConnection: Upgrade , CLOSE"));
    assert_true(head.closes);
    assert_null(read_it("GET / HTTP/1.0"));
    assert_true(head.closes);
    assert_null(read_it("GET / HTTP/1.1\r\nConnection: closed"));
    assert_false(head.closes);
}

static void knows_a_wish_for_a_socket(void **state)
{
    (void)state;
    assert_null(read_it("GET /s HTTP/1.1\r\nUpgrade: WebSocket\r\nConnection: a, upgrade\r\nSec-WebSocket-Key: K\r\n"
                        "Sec-WebSocket-Version: 13"));
    is(head.socket_key, "K");
    assert_null(read_it("GET /s HTTP/1.1\r\nUpgrade: websocket\r\nConnection: upgrade\r\nSec-WebSocket-Key: K\r\n"
                        "Sec-WebSocket-Version: 8"));
    assert_null(head.socket_key.s);
    assert_null(read_it("POST /s HTTP/1.1\r\nUpgrade: websocket\r\nConnection: upgrade\r\nSec-WebSocket-Key: K\r\n"
                        "Sec-WebSocket-Version: 13"));
    assert_null(head.socket_key.s);
}

static void refuses_what_can_be_read_in_two_ways(void **state)
{
    static const char *const bad[] = { "GET /",
                                       "GET  HTTP/1.1",
                                       "GET / HTTP/2",
                                       "FETCH / HTTP/1.1",
                                       "GET /a b HTTP/1.1",
                                       "GET /%4 HTTP/1.1",
                                       "GET / HTTP/1.1\r\nContent-Length: 1\r\nContent-Length: 1",
                                       "GET / HTTP/1.1\r\nContent-Length: -1",
                                       "GET / HTTP/1.1\r\nContent-Length:",
                                       "GET / HTTP/1.1\r\nContent-Length: 1234567890123456789",
                                       "GET / HTTP/1.1\r\nContent-Length: 1\r\nTransfer-Encoding: chunked",
                                       "GET / HTTP/1.1\r\nTransfer-Encoding: gzip, chunked",
                                       "GET / HTTP/1.1\r\nA : b",
                                       "GET / HTTP/1.1\r\n A: b",
                                       "GET / HTTP/1.1\r\nA: b\nC: d",
                                       "GET / HTTP/1.1\r\nA" };
    size_t i;

    (void)state;
    for (i = 0; i < COUNT(bad); i++)
        if (!read_it(bad[i]))
            fail_msg("'%s' was read", bad[i]);
}

/* A strict reader rejects these, which another reader of the station takes. */
static void a_strict_reader_refuses_more(void **state)
{
    static const char *const good[] = { "GET / HTTP/1.1\r\nHost: a:1",
                                        "POST /a?b HTTP/1.1\r\nA!#: \tb\r\nhOST:\ta\r\nContent-Length: 3",
                                        "GET / HTTP/1.0\r\nHost: a\r\nContent-Length: 0",
                                        "POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked" },
                             *const bad[] = { "GET / HTTP/1.1\r\nA: b",
                                              "GET / HTTP/1.1\r\nHost: a\r\nHost: a",
                                              "GET / HTTP/1.1\r\nHost:",
                                              "GET / HTTP/1.1\r\nHost: \t ",
                                              "GET / HTTP/1.1\r\nHost: a, b",
                                              "GET / HTTP/1.1\r\nHost: a\r\nOrigin: b\r\noRIGIN: b",
                                              "POST / HTTP/1.1\r\nHost: a\r\nContent-Type: b\r\nContent-Type: c",
                                              "GET http://b/ HTTP/1.1\r\nHost: a",
                                              "GET *a HTTP/1.1\r\nHost: a",
                                              "GET /\ta HTTP/1.1\r\nHost: a",
                                              "GET /\x7f HTTP/1.1\r\nHost: a",
                                              "GET / HTTP/1.1\r\nHost: a\r\nB: \x01",
                                              "GET / HTTP/1.1\r\nHost: a\r\nB\x01: c",
                                              "GET / HTTP/1.1\r\nHost: a\r\nB(: c",
                                              "GET / HTTP/1.1\r\nHost: a\r\nContent-Length: 1",
                                              "DELETE / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked",
                                              "POST / HTTP/1.0\r\nHost: a\r\nTransfer-Encoding: chunked" };

    (void)state;
    for (size_t i = 0; i < COUNT(good); i++) {
        how.strict = true;
        if (read_it(good[i]))
            fail_msg("'%s' is '%s'", good[i], read_it(good[i]));
    }
    for (size_t i = 0; i < COUNT(bad); i++) {
        how.strict = false;
        if (read_it(bad[i]))
            fail_msg("'%s' is '%s' to a reader that is not strict", bad[i], read_it(bad[i]));
        how.strict = true;
        if (!read_it(bad[i]))
            fail_msg("'%s' was read", bad[i]);
    }
    how.strict = false;
}

/* Returns the body that is sent in chunks, read that many bytes at a time; NULL if it is invalid or incomplete. */
static const char *body_by(bool strict, const char *text, size_t at_once)
{
    static struct og_buf body;
    struct og_serve_chunked c = { .strict = strict };
    size_t at = 0, there = 0, len = strlen(text);
    long used;

    og_buf_clear(&body);
    og_buf_init(&body, 100);
    while (there < len && c.at != OG_CHUNKED_DONE) {
        there = there + at_once < len ? there + at_once : len;
        used = og_serve_chunked_decode(&c, (struct og_str){ text + at, there - at }, &body);
        if (used < 0)
            return NULL;
        at += (size_t)used;
    }
    return c.at == OG_CHUNKED_DONE && at == len ? body.s ? body.s : "" : NULL;
}

static const char *body_of(const char *text, size_t at_once)
{
    return body_by(false, text, at_once);
}

static void a_strict_reader_refuses_more_of_chunks(void **state)
{
    static const char *const bad[] = { "1\r\na\r\n0\r\nA: b\r\n\r\n", "1;x=\ny\r\na\r\n0\r\n\r\n",
                                       "1 \r\na\r\n0\r\n\r\n" };

    (void)state;
    for (size_t at_once = 1; at_once < 40; at_once++) {
        assert_string_equal(body_by(true, "1;x=y\r\na\r\n0;z\r\n\r\n", at_once), "a");
        for (size_t i = 0; i < COUNT(bad); i++) {
            assert_string_equal(body_of(bad[i], at_once), "a");
            assert_null(body_by(true, bad[i], at_once));
        }
    }
}

static void reads_chunks(void **state)
{
    size_t at_once;

    (void)state;
    for (at_once = 1; at_once < 60; at_once++) {
        assert_string_equal(body_of("5\r\nhello\r\n00a;x=y\r\n0123456789\r\n0\r\nA: b\r\n\r\n", at_once),
                            "hello0123456789");
        assert_string_equal(body_of("0\r\n\r\n", at_once), "");
        assert_null(body_of("5\r\nhello", at_once));
        assert_null(body_of("5\r\nhelloo\r\n0\r\n\r\n", at_once));
        assert_null(body_of("x\r\n\r\n", at_once));
        assert_null(body_of("123456789\r\n", at_once));
        assert_null(body_of("\r\n", at_once));
    }
}

static int frame_of(const char *raw, size_t len, struct og_serve_ws_frame *f)
{
    memcpy(bytes, raw, len);
    return og_serve_ws_frame_read(bytes, len, 100, f);
}

static void reads_frames(void **state)
{
    static const char hello[] = "\x81\x85\x37\xfa\x21\x3d\x7f\x9f\x4d\x51\x58"; /* the example of RFC 6455, section
                                                                                 * 5.7 */
    struct og_serve_ws_frame f;
    size_t len;

    (void)state;
    assert_int_equal(frame_of(hello, sizeof hello - 1, &f), 0);
    assert_true(f.last && f.opcode == OG_WS_OP_TEXT && f.len == sizeof hello - 1);
    is(f.payload, "Hello");
    for (len = 0; len < sizeof hello - 1; len++) {
        assert_int_equal(frame_of(hello, len, &f), 0);
        assert_int_equal(f.len, 0);
    }
}

static void refuses_frames(void **state)
{
    struct og_serve_ws_frame f;

    (void)state;
    assert_int_equal(frame_of("\x81\x01x", 3, &f), OG_WS_CLOSE_PROTOCOL);         /* no mask */
    assert_int_equal(frame_of("\xc1\x80", 2, &f), OG_WS_CLOSE_PROTOCOL);          /* a reserved bit */
    assert_int_equal(frame_of("\x83\x80", 2, &f), OG_WS_CLOSE_PROTOCOL);          /* an opcode that does not exist */
    assert_int_equal(frame_of("\x09\x80", 2, &f), OG_WS_CLOSE_PROTOCOL);          /* a fragmented ping */
    assert_int_equal(frame_of("\x88\xfe", 2, &f), OG_WS_CLOSE_PROTOCOL);          /* a close frame that is too long */
    assert_int_equal(frame_of("\x81\xe5\0\0\0\0", 6, &f), OG_WS_CLOSE_TOO_LARGE); /* 101 bytes */
    assert_int_equal(frame_of("\x81\xff\xff\0\0\0\0\0\0\0\0\0\0\0", 14, &f), OG_WS_CLOSE_TOO_LARGE);
}

static void writes_frames(void **state)
{
    static const struct {
        size_t len;
        const char *head;
        size_t head_len;
    } cases[] = { { 125, "\x81\x7d", 2 },
                  { 126, "\x81\x7e\x00\x7e", 4 },
                  { 65535, "\x81\x7e\xff\xff", 4 },
                  { 65536, "\x81\x7f\0\0\0\0\0\x01\0\0", 10 } };
    unsigned char room[OG_WS_FRAME_HEADER_MOST];
    char accept[64];
    size_t i;

    (void)state;
    for (i = 0; i < COUNT(cases); i++) {
        assert_int_equal(og_serve_ws_frame_write_header(room + sizeof room, OG_WS_OP_TEXT, cases[i].len),
                         cases[i].head_len);
        assert_memory_equal(room + sizeof room - cases[i].head_len, cases[i].head, cases[i].head_len);
    }
    assert_true(og_serve_ws_accept_key(OG_STR("dGhlIHNhbXBsZSBub25jZQ=="), accept, sizeof accept));
    assert_string_equal(accept, "s3pPLMBiTxaQ9kYGzzhZRbK+xOo="); /* the example of RFC 6455, section 1.3 */
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(reads_a_head),
        cmocka_unit_test(knows_when_it_ends),
        cmocka_unit_test(knows_a_wish_for_a_socket),
        cmocka_unit_test(refuses_what_can_be_read_in_two_ways),
        cmocka_unit_test(a_strict_reader_refuses_more),
        cmocka_unit_test(a_strict_reader_refuses_more_of_chunks),
        cmocka_unit_test(reads_frames),
        cmocka_unit_test(refuses_frames),
        cmocka_unit_test(writes_frames),
        cmocka_unit_test(reads_chunks),
        cmocka_unit_test(decodes_parts_of_a_path),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
