/*
 * Compares an order as sent with the same order as the broker shows it. Not counted as differences are: an absent or
 * empty value, a price of 0 in place of no price, the side and symbol of a spread (which the broker computes), and a
 * price that was not sent.
 */
#include "outcome/identity.h"

#include <strings.h>

#include "text/doc.h"

static bool report_difference(struct og_buf *why, const char *what, struct og_str theirs, struct og_str ours)
{
    og_buf_format(why, "%s is %.*s, ours is %.*s", what, (int)theirs.len, theirs.s, (int)ours.len, ours.s);
    return true;
}

static bool figure_differs(const cJSON *ours, const char *key, struct og_money theirs, struct og_buf *why)
{
    struct og_money sent;

    if (theirs.coef == 0 || !og_doc_money(ours, key, &sent) || og_money_cmp(sent, theirs) == 0)
        return false;
    return report_difference(why, key, og_str_of(og_money_text(theirs).s), og_str_of(og_money_text(sent).s));
}

static bool same_word(struct og_str a, struct og_str b)
{
    return a.len == b.len && strncasecmp(a.s, b.s, a.len) == 0;
}

/* Returns true if the sides agree. The broker's lists show a short sale as SellShort. Unknown is not a side, and agrees
 * with both. */
static bool same_side(struct og_str theirs, struct og_str ours)
{
    return theirs.s[0] == ours.s[0] || (theirs.s[0] != 'B' && theirs.s[0] != 'S');
}

static bool word_differs(const cJSON *ours, const char *key, struct og_str theirs,
                         bool (*same)(struct og_str theirs, struct og_str ours), struct og_buf *why)
{
    struct og_str sent;

    if (theirs.len == 0 || !og_doc_str(ours, key, &sent) || sent.len == 0 || same(theirs, sent))
        return false;
    return report_difference(why, key, theirs, sent);
}

static bool find_difference(const cJSON *ours, const struct og_order_row *row, struct og_buf *why)
{
    struct og_str security = { NULL, 0 }, type = { NULL, 0 };
    bool is_option, is_stock, has_limit;

    (void)og_doc_str(ours, "securityType", &security);
    (void)og_doc_str(ours, "orderType", &type);
    is_option = og_str_is(security, "Option");
    is_stock = og_str_is(security, "Stock");
    has_limit = og_str_is(type, "Limit") || og_str_is(type, "StopLimit");
    return word_differs(ours, "securityType", row->security_type, same_word, why) ||
           (is_stock && word_differs(ours, "symbol", row->symbol, same_word, why)) ||
           (is_option && word_differs(ours, "symbol", row->traded_symbol, same_word, why)) ||
           ((is_stock || is_option) && word_differs(ours, "side", row->side, same_side, why)) ||
           figure_differs(ours, "orderQuantity", row->quantity, why) ||
           (has_limit && figure_differs(ours, "limitPrice", row->limit_price, why)) ||
           figure_differs(ours, "stopPrice", row->price_stop, why);
}

bool og_is_namesake(struct og_str body, const struct og_order_row *row, struct og_buf *why)
{
    cJSON *ours = NULL;
    bool is = og_doc_read(body.s, body.len, "body", &ours, NULL) == OG_OK && find_difference(ours, row, why);

    cJSON_Delete(ours);
    return is;
}
