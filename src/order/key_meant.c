/*
 * Finds the key that was meant by a misspelt one.  Names are compared squashed: in small letters, without blanks and
 * marks.
 */
#include "order/key_meant.h"

#include <ctype.h>
#include <string.h>

#include "text/pattern.h"

#define SQUASHED_MOST 48

/* Keys that the service documents, and that contain the name of one of ours. */
static const char *const documented[] = { "accountstatus", "accounttype", "accountvalue" };

/* Keys that an order may lack, so that nothing else tells of a misspelt one. */
static const enum og_key may_lack[] = { OG_KEY_REPLACES,        OG_KEY_ACCOUNT_ID, OG_KEY_TAG,
                                        OG_KEY_CLIENT_ORDER_ID, OG_KEY_OPEN_CLOSE, OG_KEY_ROUTE,
                                        OG_KEY_LIMIT_PRICE,     OG_KEY_STOP_PRICE };
enum { MAY_LACK = sizeof may_lack / sizeof may_lack[0] };

/* Returns false if the name is too long to be one of ours. */
static bool squash(struct og_str name, char to[SQUASHED_MOST])
{
    size_t len = 0;

    for (size_t i = 0; i < name.len; i++) {
        const unsigned char c = (unsigned char)name.s[i];

        if (c < 0x80 && !isalnum(c))
            continue;
        if (len == SQUASHED_MOST - 1)
            return false;
        to[len++] = (char)tolower(c);
    }
    to[len] = '\0';
    return true;
}

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

static int same_as(const char *name, const char *const *known, int count)
{
    char other[SQUASHED_MOST];

    for (int key = 0; key < count; key++)
        if (squash(og_str_of(known[key]), other) && strcmp(name, other) == 0)
            return key;
    return -1;
}

/* Returns which of the keys that may be absent is near a name, as an index of names; -1 for none. */
static int near_to(const char *name, const char *const *names, int count)
{
    const size_t len = strlen(name);
    const char *near = len < 3 ? NULL : og_nearest_within(og_str_of(name), names, (size_t)count, len < 6 ? 1 : 2);

    for (int i = 0; i < count; i++)
        if (names[i] == near)
            return i;
    return -1;
}

int og_key_meant(struct og_str name, bool of_leg)
{
    const char *lacking[MAY_LACK];
    char squashed[SQUASHED_MOST];
    int key;

    if (!squash(name, squashed) || is_documented(squashed))
        return -1;
    key = same_as(squashed, of_leg ? og_leg_key_names : og_key_names, of_leg ? OG_LEG_KEYS : OG_KEYS);
    if (key >= 0)
        return key;
    if (of_leg)
        return near_to(squashed, &og_leg_key_names[OG_LEG_OPEN_CLOSE], 1) == 0 ? OG_LEG_OPEN_CLOSE : -1;
    key = with_more(squashed);
    if (key >= 0)
        return key;
    for (int i = 0; i < MAY_LACK; i++)
        lacking[i] = og_key_names[may_lack[i]];
    key = near_to(squashed, lacking, MAY_LACK);
    return key < 0 ? -1 : (int)may_lack[key];
}
