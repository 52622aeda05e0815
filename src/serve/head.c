/*
 * Parser of HTTP request heads (RFC 9112), in place. Heads that two parsers could understand differently are rejected:
 * two lengths, a length together with chunked coding, blanks before a colon, folded lines, NUL bytes.
 */
#include "serve/head.h"

#include <strings.h>

#include "base/digits.h"
#include "serve/strict.h"

#define MOST_DIGITS 18

const char *const og_serve_methods[OG_METHOD_COUNT] = { "GET", "POST", "PUT", "PATCH", "DELETE", "HEAD", "OPTIONS" };

static bool blank(char c)
{
    return c == ' ' || c == '\t';
}

static struct og_str trim(struct og_str s)
{
    while (s.len && blank(s.s[0])) {
        s.s++;
        s.len--;
    }
    while (s.len && blank(s.s[s.len - 1]))
        s.len--;
    return s;
}

static bool equals(struct og_str a, const char *b)
{
    return a.len == strlen(b) && strncasecmp(a.s, b, a.len) == 0;
}

/* Returns true if a comma-separated list contains the word. */
static bool list_contains(struct og_str list, const char *word)
{
    const char *at = list.s, *end = list.s + list.len, *stop;

    for (; at < end; at = stop + 1) {
        stop = memchr(at, ',', (size_t)(end - at));
        stop = stop ? stop : end;
        if (equals(trim((struct og_str){ at, (size_t)(stop - at) }), word))
            return true;
    }
    return false;
}

size_t og_serve_head_end(struct og_str bytes, size_t looked_at)
{
    size_t from = looked_at > 3 ? looked_at - 3 : 0;
    const char *end = bytes.len > from ? memmem(bytes.s + from, bytes.len - from, "\r\n\r\n", 4) : NULL;

    return end ? (size_t)(end - bytes.s) + 4 : 0;
}

/* --- request line ------------------------------------------------------------------------------------------------- */

/* Returns the byte that a percent escape stands for; -1 if the text does not begin with one. */
static int escaped(const char *s, size_t len)
{
    return len > 2 && s[0] == '%' && og_hex_digit(s[1]) >= 0 && og_hex_digit(s[2]) >= 0
               ? og_hex_digit(s[1]) << 4 | og_hex_digit(s[2])
               : -1;
}

/* Percent-decode a query in place; a malformed escape is left as it is. */
static void decode_query(char *s, size_t *len)
{
    size_t from, to = 0;
    int byte;

    for (from = 0; from < *len; from++) {
        byte = escaped(s + from, *len - from);
        s[to++] = (char)(byte >= 0 ? byte : s[from] == '+' ? ' ' : s[from]);
        from += byte >= 0 ? 2 : 0;
    }
    *len = to;
}

/* Percent-decode a path in place except "%2F" and "%25", which og_serve_head_segment() decodes after the path
 * is split.  Returns false if an escape is malformed. */
static bool decode_path(char *s, size_t *len)
{
    size_t from, to = 0;
    int byte;

    for (from = 0; from < *len; from++) {
        byte = escaped(s + from, *len - from);
        if (byte < 0 && s[from] == '%')
            return false;
        if (byte >= 0 && byte != '/' && byte != '%') {
            s[to++] = (char)byte;
            from += 2;
        } else {
            s[to++] = s[from];
        }
    }
    *len = to;
    return true;
}

bool og_serve_head_segment(struct og_str *segment, char *room, size_t size)
{
    struct og_str s = *segment;
    size_t from, to = 0;
    int byte;

    if (!s.len || !memchr(s.s, '%', s.len))
        return true;
    if (s.len > size)
        return false;
    for (from = 0; from < s.len; from++) {
        byte = escaped(s.s + from, s.len - from);
        room[to++] = (char)(byte >= 0 ? byte : s.s[from]);
        from += byte >= 0 ? 2 : 0;
    }
    *segment = (struct og_str){ room, to };
    return true;
}

/* Skip scheme and host of an absolute target: "http://host/path" becomes "/path". */
static void skip_authority(char **target, size_t *len)
{
    size_t scheme = *len > 8 && strncasecmp(*target, "https://", 8) == 0 ? 8 : 7;
    char *slash;

    if (*len <= scheme || (scheme == 7 && strncasecmp(*target, "http://", 7) != 0))
        return;
    slash = memchr(*target + scheme, '/', *len - scheme);
    if (slash) {
        *len -= (size_t)(slash - *target);
        *target = slash;
    }
}

static const char *read_target(char *target, size_t len, struct og_serve_head *head)
{
    char *mark;
    size_t rest = 0;

    skip_authority(&target, &len);
    mark = memchr(target, '?', len);
    if (mark) {
        rest = len - (size_t)(mark - target) - 1;
        len = (size_t)(mark - target);
        decode_query(mark + 1, &rest);
    }
    if (!len || !decode_path(target, &len))
        return "the path cannot be decoded";
    head->path = (struct og_str){ target, len };
    head->query = (struct og_str){ mark ? mark + 1 : "", rest };
    return NULL;
}

static bool read_method(struct og_str word, enum og_serve_method *method)
{
    int i;

    for (i = 0; i < OG_METHOD_COUNT; i++)
        if (og_str_is(word, og_serve_methods[i])) {
            *method = (enum og_serve_method)i;
            return true;
        }
    return false;
}

static const char *read_first_line(char *line, size_t len, struct og_serve_head *head)
{
    char *first = memchr(line, ' ', len), *last = memrchr(line, ' ', len);
    struct og_str version;

    if (!first || first == last)
        return "the first line is not METHOD PATH HTTP/1.1";
    version = (struct og_str){ last + 1, (size_t)(line + len - last - 1) };
    head->closes = head->old = og_str_is(version, "HTTP/1.0");
    if (!head->closes && !og_str_is(version, "HTTP/1.1"))
        return "the version is neither HTTP/1.1 nor HTTP/1.0";
    if (!read_method((struct og_str){ line, (size_t)(first - line) }, &head->method))
        return "the method is unknown";
    if (memchr(first + 1, ' ', (size_t)(last - first - 1)) || memchr(line, '\r', len) || memchr(line, '\n', len))
        return "there is a blank in the path";
    return read_target(first + 1, (size_t)(last - first - 1), head);
}

/* --- header fields ------------------------------------------------------------------------------------------------ */

struct upgrade_parts { /* the parts of a request for a WebSocket */
    bool upgrade, socket, version, length;
    struct og_str key;
};

static bool read_length(struct og_str value, struct og_serve_head *head)
{
    size_t i;

    head->length = 0;
    for (i = 0; i < value.len && i < MOST_DIGITS && value.s[i] >= '0' && value.s[i] <= '9'; i++)
        head->length = head->length * 10 + (value.s[i] - '0');
    return i == value.len && i > 0;
}

static const char *set_field(struct og_str name, struct og_str value, struct og_serve_head *head,
                             struct upgrade_parts *upgrade_parts)
{
    if (equals(name, "content-length")) {
        if (upgrade_parts->length || !read_length(value, head))
            return "Content-Length is not a number";
        upgrade_parts->length = true;
    } else if (equals(name, "connection")) {
        head->closes = head->closes || list_contains(value, "close");
        upgrade_parts->upgrade = upgrade_parts->upgrade || list_contains(value, "upgrade");
    } else if (equals(name, "content-type") && !head->content_type.s) {
        head->content_type = value;
    } else if (equals(name, "host") && !head->host.s) {
        head->host = value;
    } else if (equals(name, "origin") && !head->origin.s) {
        head->origin = value;
    } else if (equals(name, "accept") && !head->accept.s) {
        head->accept = value;
    } else if (equals(name, "accept-encoding") && !head->accept_encoding.s) {
        head->accept_encoding = value;
    } else if (equals(name, "transfer-encoding")) {
        if (head->chunked || !equals(value, "chunked"))
            return "Transfer-Encoding is not chunked";
        head->chunked = true;
    } else if (equals(name, "expect")) {
        head->expects = equals(value, "100-continue");
    } else if (equals(name, "upgrade")) {
        upgrade_parts->socket = list_contains(value, "websocket");
    } else if (equals(name, "sec-websocket-version")) {
        upgrade_parts->version = og_str_is(value, "13");
    } else if (equals(name, "sec-websocket-key")) {
        upgrade_parts->key = value;
    }
    return NULL;
}

static void set_key_field(struct og_str name, struct og_str value, struct og_str prefix, struct og_serve_head *head)
{
    struct og_str rest = { name.s + prefix.len, name.len - prefix.len };

    if (!prefix.len || name.len <= prefix.len || strncasecmp(name.s, prefix.s, prefix.len) != 0)
        return;
    if (equals(rest, "-api-key-id") && !head->key.s)
        head->key = value;
    else if (equals(rest, "-api-secret-key") && !head->secret.s)
        head->secret = value;
}

static const char *read_field(struct og_str line, struct og_str prefix, struct og_serve_head *head,
                              struct upgrade_parts *upgrade_parts)
{
    const char *colon = line.len ? memchr(line.s, ':', line.len) : NULL;
    struct og_str name, value;

    if (!colon || colon == line.s || blank(line.s[0]) || blank(colon[-1]) || memchr(line.s, '\r', line.len) ||
        memchr(line.s, '\n', line.len))
        return "a header is not NAME: VALUE";
    name = (struct og_str){ line.s, (size_t)(colon - line.s) };
    value = trim((struct og_str){ colon + 1, line.len - name.len - 1 });
    set_key_field(name, value, prefix, head);
    return set_field(name, value, head, upgrade_parts);
}

const char *og_serve_head_read(char *bytes, size_t len, const struct og_serve_reading *how, struct og_serve_head *head)
{
    char *line = bytes, *last = bytes + len - 2, *end; /* last: the empty line at the end of the head */
    struct upgrade_parts upgrade_parts = { .length = false };
    const char *wrong = memchr(bytes, '\0', len) ? "there is a byte 0" : NULL;

    *head = (struct og_serve_head){ .length = 0 };
    if (!wrong && how->strict)
        wrong = og_serve_strict_bytes((struct og_str){ bytes, len });
    for (; !wrong && line < last; line = end + 2) {
        end = memmem(line, (size_t)(last - line), "\r\n", 2);
        wrong = line == bytes
                    ? read_first_line(line, (size_t)(end - line), head)
                    : read_field((struct og_str){ line, (size_t)(end - line) }, how->prefix, head, &upgrade_parts);
    }
    if (!wrong && head->chunked && upgrade_parts.length)
        wrong = "there is a Transfer-Encoding beside a Content-Length";
    if (!wrong && how->strict)
        wrong = og_serve_strict_head(head);
    if (upgrade_parts.upgrade && upgrade_parts.socket && upgrade_parts.version && head->method == OG_METHOD_GET)
        head->socket_key = upgrade_parts.key;
    return wrong;
}
