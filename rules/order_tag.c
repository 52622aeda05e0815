/*
 * order-tag (927): which strategy (tag) an order counts for, and whether that tag is one the desk knows.  The tag comes
 * from the order's key "tag", from the beginning of its clientOrderId, or from the client that sends it.  A client's
 * tag counts wherever else the policy takes tags from, so that no order can count for another strategy.  An unknown tag
 * counts as none: otherwise each new tag would begin with limits of its own.
 */
#include "rules/limit.h"
#include "rules/tag.h"

struct settings {
    struct og_tag_settings is;
};

/* Words, not the signs themselves: in YAML a bare "-" or ":" means something else. */
const char og_tag_separators[] = { '-', '_', '.', ':', '\0' };
static const char *const separators[] = { "hyphen", "underscore", "dot", "colon", NULL };
static const char *const origins[] = { "key", "prefix", "client", NULL };

static const struct og_param params[] = {
    { .key = "from",
      OG_CHOICE(is.from),
      .fallback = "key",
      .choices = origins,
      .tags = true,
      .help =
          "where an order's tag is found: in its key tag, in the prefix of its clientOrderId, or only at the client "
          "that sends it" },
    { .key = "separator",
      OG_CHOICE(is.separator),
      .fallback = "hyphen",
      .choices = separators,
      .tags = true,
      .help = "the sign that ends the prefix, if tags are found there" },
    { .key = "known",
      OG_WORDS(is.known),
      .fallback = "",
      .listing = OG_LISTING_ALLOWS,
      .tags = true,
      .name = "order.tag",
      .help = "the tags that the desk uses; any if none is named" },
    OG_EXITS(is.exits),
};

enum { R_MISSING, R_UNKNOWN, R_CONFLICT };

static const struct og_reason reasons[] = {
    [R_MISSING] = { .id = "tag-missing", OG_SET_BY_DESK, .says = "the order has no tag: {0}", .help = OG_TAG_HELP },
    [R_UNKNOWN] = { .id = "tag-unknown",
                    OG_SET_BY_DESK,
                    .says = "'{0}' is not a tag that the desk uses",
                    .help = "add the tag to the policy if the desk uses it" },
    [R_CONFLICT] = { .id = "tag-conflict",
                     OG_SET_BY_DESK,
                     .says = "the order has tag '{0}', but the client that sends it has tag '{1}'",
                     .help = "send the order through the client of its strategy" },
};

/* --- the tag ------------------------------------------------------------------------------------------------------ */

static bool is_written_well(struct og_str tag)
{
    for (size_t i = 0; i < tag.len; i++)
        if ((unsigned char)tag.s[i] <= ' ' || (unsigned char)tag.s[i] == 0x7F)
            return false;
    return tag.len <= OG_TAG_MOST;
}

/* Set the tag in the spelling of the policy.  Returns false if the policy does not know it. */
static bool know(const struct og_tag_settings *s, struct og_str tag, struct og_str *is)
{
    const size_t count = s ? s->known.count : 0;

    for (size_t i = 0; i < count; i++)
        if (og_str_same(s->known.word[i], tag)) {
            *is = s->known.word[i];
            return true;
        }
    if (count || !is_written_well(tag))
        return false;
    *is = tag;
    return true;
}

/* Returns the text before the first separator of the id; empty if the id has no separator. */
static struct og_str prefix_of(struct og_str id, char separator)
{
    const char *end = id.len ? memchr(id.s, separator, id.len) : NULL;

    return end ? (struct og_str){ id.s, (size_t)(end - id.s) } : (struct og_str){ NULL, 0 };
}

struct og_tag og_tag_of(const struct og_tag_settings *s, const struct og_order *o, struct og_str client)
{
    const int32_t from = s ? s->from : OG_TAG_FROM_KEY;
    struct og_tag tag = { .fault = OG_TAG_FINE };

    if (from == OG_TAG_FROM_PREFIX)
        tag.given = prefix_of(o->client_id, og_tag_separators[s->separator]);
    else if (!o->tag_set)
        tag.given = o->tag;
    if (o->tag_set)
        client = o->tag;
    if (client.len && tag.given.len && !og_str_same(client, tag.given)) {
        (void)know(s, client, &tag.is);
        tag.fault = OG_TAG_CONFLICT;
        return tag;
    }
    if (o->tag_set || client.len || from == OG_TAG_FROM_CLIENT)
        tag.given = client;
    if (!tag.given.len)
        tag.fault = OG_TAG_MISSING;
    else if (!know(s, tag.given, &tag.is))
        tag.fault = OG_TAG_UNKNOWN;
    return tag;
}

/* --- the rule ----------------------------------------------------------------------------------------------------- */

static OG_COLD void find(const struct og_case *c, const struct og_tag_settings *s, struct og_sink *sink)
{
    static const char *const missing[] = { [OG_TAG_FROM_KEY] =
                                               "neither its key tag nor the client that sends it has one",
                                           [OG_TAG_FROM_PREFIX] = "its clientOrderId does not begin with one",
                                           [OG_TAG_FROM_CLIENT] = "the client that sends it has none" };
    const char *field = s->from == OG_TAG_FROM_PREFIX ? "/clientOrderId" : "/tag";

    switch (c->tag.fault) {
    case OG_TAG_FINE: break;
    case OG_TAG_MISSING: OG_FIND(sink, &reasons[R_MISSING], field, og_a_text(missing[s->from])); break;
    case OG_TAG_UNKNOWN: OG_FIND(sink, &reasons[R_UNKNOWN], field, og_a_str(c->tag.given)); break;
    case OG_TAG_CONFLICT:
        OG_FIND(sink, &reasons[R_CONFLICT], field, og_a_str(c->tag.given), og_a_str(c->tag.is));
        break;
    }
}

static OG_HOT void check(const struct og_case *c, const void *settings, struct og_sink *sink)
{
    const struct og_tag_settings *s = settings;

    if (c->tag.fault != OG_TAG_FINE && !og_limit_passes(c, s->exits))
        find(c, s, sink);
}

const struct og_rule og_rule_order_tag = {
    OG_PARTS_OF_FILE(order_tag),
    .id = "order-tag",
    .summary = "the order's strategy (tag) is missing, unknown, or another than its client's",
    .because = "limits of a strategy hold only for orders that say which strategy they are of",
    .stage = OG_STAGE_FORM,
    .limit = true,
    OG_SETTINGS_OF_FILE,
};
