/*
 * Finds the key that was meant by a misspelt one.  Names are compared squashed: in small letters, without blanks and
 * marks.
 */
#include "order/key_meant.h"

#include <string.h>

#include "text/pattern.h"

/* Keys that the service documents, and that contain the name of one of our own keys. */
static const char *const documented[] = { "accountstatus", "accounttype", "accountvalue" };

/* Keys that an order may lack, so that no missing key would reveal a misspelt one. */
static const enum og_key may_lack[] = { OG_KEY_REPLACES,        OG_KEY_ACCOUNT_ID, OG_KEY_TAG,
                                        OG_KEY_CLIENT_ORDER_ID, OG_KEY_OPEN_CLOSE, OG_KEY_ROUTE,
                                        OG_KEY_LIMIT_PRICE,     OG_KEY_STOP_PRICE };
enum { MAY_LACK = sizeof may_lack / sizeof may_lack[0] };

static bool ends_in(const char *name, const char *end)
{
    const size_t len = strlen(name), size = strlen(end);

    return len >= size && strcmp(name + len - size, end) == 0;
}

static bool is_documented(const char *name)
{
    for (size_t i = 0; i < sizeof documented / sizeof documented[0]; i++)
        if (strcmp(name, documented[i]) == 0)
            return true;
    return false;
}

/* Returns the key whose name, or a usual abbreviation of it, is part of a longer name; -1 if there is none. */
static int with_more(const char *name)
{
    static const char *const tags[] = { "tagid", "tagname", "ordertag", "tagorder" };
    static const char *const account = "account";

    if (strstr(name, "replac"))
        return OG_KEY_REPLACES;
    if (ends_in(name, "clientorderid") || ends_in(name, "clordid"))
        return strncmp(name, "orig", 4) == 0 ? OG_KEY_REPLACES : OG_KEY_CLIENT_ORDER_ID;
    if (strstr(name, "account") || strncmp(name, "acct", 4) == 0 || strcmp(name, "accid") == 0 ||
        og_nearest_within(og_str_of(name), &account, 1, 1))
        return OG_KEY_ACCOUNT_ID;
    for (size_t i = 0; i < sizeof tags / sizeof tags[0]; i++)
        if (strcmp(name, tags[i]) == 0)
            return OG_KEY_TAG;
    return -1;
}

static int index_of(const char *name, const char *const *names, int count)
{
    for (int i = 0; name && i < count; i++)
        if (names[i] == name)
            return i;
    return -1;
}

int og_key_meant(struct og_str name, bool of_leg)
{
    const char *const *known = of_leg ? og_leg_key_names : og_key_names;
    const int count = of_leg ? OG_LEG_KEYS : OG_KEYS;
    const char *lacking[MAY_LACK];
    char squashed[OG_SQUASHED_MOST];
    int key;

    if (!og_key_squash(name, squashed) || is_documented(squashed))
        return -1;
    key = index_of(og_nearest_within(og_str_of(squashed), known, (size_t)count, 0), known, count);
    if (key >= 0)
        return key;
    if (of_leg)
        return og_nearest_key(squashed, &known[OG_LEG_OPEN_CLOSE], 1) ? OG_LEG_OPEN_CLOSE : -1;
    key = with_more(squashed);
    if (key >= 0)
        return key;
    for (int i = 0; i < MAY_LACK; i++)
        lacking[i] = og_key_names[may_lack[i]];
    key = index_of(og_nearest_key(squashed, lacking, MAY_LACK), lacking, MAY_LACK);
    return key < 0 ? -1 : (int)may_lack[key];
}
