/*
 * Reads addresses. Nothing is looked up.
 */
#include "broker/address.h"

#include <string.h>
#include <strings.h>

static bool is_loopback(struct og_str host)
{
    return (host.len == 9 && strncasecmp(host.s, "localhost", 9) == 0) || og_str_is(host, "::1") ||
           (host.len >= 7 && host.len <= 15 && memcmp(host.s, "127.", 4) == 0 &&
            strspn(host.s, "0123456789.") >= host.len);
}

static bool read_scheme(const char **at, struct og_address *a)
{
    static const struct {
        const char *text;
        bool tls, websocket;
    } schemes[] = {
        { "http://", false, false }, { "https://", true, false }, { "ws://", false, true }, { "wss://", true, true }
    };

    for (size_t i = 0; i < sizeof schemes / sizeof schemes[0]; i++) {
        size_t n = strlen(schemes[i].text);

        if (strncasecmp(*at, schemes[i].text, n) == 0) {
            a->tls = schemes[i].tls;
            a->websocket = schemes[i].websocket;
            *at += n;
            return true;
        }
    }
    return false;
}

static bool read_port(const char *at, size_t len, bool tls, int *port)
{
    *port = tls ? 443 : 80;
    if (len == 0)
        return true;
    if (at[0] != ':' || len < 2 || len > 6)
        return false;
    *port = 0;
    for (size_t i = 1; i < len; i++) {
        if (at[i] < '0' || at[i] > '9')
            return false;
        *port = *port * 10 + (at[i] - '0');
    }
    return *port > 0 && *port <= 65535;
}

bool og_address_read(const char *url, struct og_address *a)
{
    const char *at = url, *end, *host_end;

    memset(a, 0, sizeof *a);
    if (!read_scheme(&at, a) || strpbrk(at, "@?# \t\r\n\"'\\"))
        return false;
    end = at + strcspn(at, "/");
    a->path = og_str_of(end);
    if (*at == '[') {
        host_end = memchr(at, ']', (size_t)(end - at));
        if (!host_end)
            return false;
        a->host = (struct og_str){ at + 1, (size_t)(host_end - at) - 1 };
        host_end++;
    } else {
        host_end = at + strcspn(at, ":/");
        a->host = (struct og_str){ at, (size_t)(host_end - at) };
    }
    a->loopback = is_loopback(a->host);
    return a->host.len > 0 && read_port(host_end, (size_t)(end - host_end), a->tls, &a->port);
}
