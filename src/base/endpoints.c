/*
 * The endpoint table and its paths.  Bytes of ids and symbols are percent-encoded in a path unless they are always
 * safe.
 */
#include "base/endpoints.h"

#include <string.h>

const struct og_endpoint_spec og_endpoints[OG_ENDPOINTS] = {
#define STATED true
#define SILENT false
#define OG_ENDPOINT(id, method, name, path, rate, burst, limits) \
    { #method " " name, #method, path, rate, burst, limits },
#include "base/endpoints.def"
#undef OG_ENDPOINT
};

enum og_endpoint og_endpoint_find(struct og_str name)
{
    int i = 0;

    while (i < OG_ENDPOINTS && !og_str_is(name, og_endpoints[i].name))
        i++;
    return (enum og_endpoint)i;
}

bool og_endpoint_is_repeatable(enum og_endpoint call)
{
    return strcmp(og_endpoints[call].method, "POST") != 0;
}

const char *og_endpoint_denial(enum og_endpoint call, int status)
{
    const bool denied = status == 401 || status == 403;

    switch (call) {
    case OG_ENDPOINT_POST:
    case OG_ENDPOINT_CANCEL:
        if (denied || (status == 404 && call == OG_ENDPOINT_POST))
            return " (the keys are missing, wrong or disabled, or the path of base_url is wrong: ordergate broker "
                   "accounts shows whether they work)";
        return ""; /* a cancel's 404 is about the order */
    case OG_ENDPOINT_ACCOUNT:
    case OG_ENDPOINT_POSITIONS:
    case OG_ENDPOINT_ORDERS:
    case OG_ENDPOINT_PNL:
        if (denied || status == 404)
            return " (the keys are missing, wrong or disabled, the account is not theirs, the platform is asleep, or "
                   "the path of base_url is wrong: ordergate broker accounts shows which)";
        return "";
    default: return "";
    }
}

static bool is_plain(unsigned char c)
{
    return (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '-' || c == '_' ||
           c == '~' || c == '.';
}

void og_endpoint_segment(struct og_str s, struct og_buf *to)
{
    static const char hex[] = "0123456789ABCDEF";
    bool dots = og_str_is(s, ".") || og_str_is(s, "..");

    for (size_t i = 0; i < s.len; i++) {
        unsigned char c = (unsigned char)s.s[i];

        if (is_plain(c) && !dots) {
            og_buf_char(to, (char)c);
        } else {
            og_buf_char(to, '%');
            og_buf_char(to, hex[c >> 4]);
            og_buf_char(to, hex[c & 15]);
        }
    }
}

void og_endpoint_path(enum og_endpoint call, struct og_str account, struct og_str other, struct og_buf *to)
{
    og_buf_text(to, OG_API_PREFIX);
    for (const char *p = og_endpoints[call].path; *p != '\0'; p++) {
        if (*p == '{') {
            og_endpoint_segment(p[1] == 'a' ? account : other, to);
            p += sizeof("{a}") - 2;
        } else {
            og_buf_char(to, *p);
        }
    }
}
