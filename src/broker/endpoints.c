/*
 * The endpoint table and its paths.  Bytes of ids and symbols are percent-encoded in a path unless they are always
 * safe.
 */
#include "broker/endpoints.h"

#include "base/banned.h"

const struct og_endpoint_spec og_endpoints[OG_ENDPOINTS] = {
    [OG_ENDPOINT_ACCOUNTS] = { "GET accounts", "GET", "/v1/api/accounts", 3, 3, true },
    [OG_ENDPOINT_ACCOUNT] = { "GET account", "GET", "/v1/api/account/%A", 3, 3, true },
    [OG_ENDPOINT_PNL] = { "GET pnl", "GET", "/v1/api/accounts/%A/pnl", 3, 3, true },
    [OG_ENDPOINT_POSITIONS] = { "GET positions", "GET", "/v1/api/accounts/%A/positions", 3, 3, true },
    [OG_ENDPOINT_CLOSED] = { "GET closed", "GET", "/v1/api/accounts/%A/positions/closed", 3, 3, true },
    [OG_ENDPOINT_CASH] = { "GET cash", "GET", "/v1/api/accounts/%A/cash-transactions/start-date/%X", 1, 1, true },
    [OG_ENDPOINT_ROUTES] = { "GET routes", "GET", "/v1/api/accounts/%A/routes", 1, 1, true },
    [OG_ENDPOINT_ORDERS] = { "GET orders", "GET", "/v1/api/accounts/%A/orders", 2, 2, true },
    [OG_ENDPOINT_ORDER] = { "GET order", "GET", "/v1/api/accounts/%A/order/%X", 2, 2, true },
    [OG_ENDPOINT_HISTORY] = { "GET history", "GET", "/v1/api/accounts/%A/orders/start-date/%X", 1, 1, true },
    [OG_ENDPOINT_HISTORY_PAGES] = { "GET history-pages", "GET",
                                    "/v1/api/accounts/%A/orders-with-pagination/start-date/%X", 1, 1, true },
    [OG_ENDPOINT_POST] = { "POST order", "POST", "/v1/api/accounts/%A/order", 10, 10, false },
    [OG_ENDPOINT_CANCEL] = { "DELETE order", "DELETE", "/v1/api/accounts/%A/orders/%X", 15, 15, true },
    [OG_ENDPOINT_CANCEL_ALL] = { "DELETE orders", "DELETE", "/v1/api/accounts/orders", 3, 1, true },
    [OG_ENDPOINT_BORROW] = { "GET borrow", "GET", "/v1/api/accounts/%A/is-easy-to-borrow/symbol/%X", 2, 2, true },
    [OG_ENDPOINT_LOCATE_QUOTE] = { "POST locate-quote", "POST", "/v1/api/accounts/locates/quote", 1, 1, false },
    [OG_ENDPOINT_LOCATE_ACCEPT] = { "POST locate-accept", "POST", "/v1/api/accounts/locates/accept", 10, 10, false },
    [OG_ENDPOINT_LOCATE_SELL] = { "POST locate-sell", "POST", "/v1/api/accounts/locates/sell", 10, 10, false },
    [OG_ENDPOINT_LOCATE_CANCEL] = { "DELETE locate", "DELETE",
                                    "/v1/api/accounts/locates/cancel/accounts/%A/quoteReqID/%X", 2, 2, true },
    [OG_ENDPOINT_LOCATES] = { "GET locates", "GET", "/v1/api/accounts/%A/locates/history", 2, 2, true },
    [OG_ENDPOINT_INVENTORY] = { "GET inventory", "GET", "/v1/api/accounts/%A/locates/inventory", 2, 2, true },
};

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
    for (const char *p = og_endpoints[call].path; *p != '\0'; p++) {
        if (p[0] == '%' && p[1] == 'A') {
            og_endpoint_segment(account, to);
            p++;
        } else if (p[0] == '%' && p[1] == 'X') {
            og_endpoint_segment(other, to);
            p++;
        } else {
            og_buf_char(to, *p);
        }
    }
}
