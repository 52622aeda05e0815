/*
 * client-order-id (601): the id by which an order is found.  An id is used up when it is first accepted.  An order
 * without an id gets one from the server, and nobody can look it up if the answer is lost.  If the used ids are not
 * known, no id counts as free.
 */
#include "order/symbol.h"
#include "rules/rule.h"

#define ID_MOST 36 /* longest id, in bytes, that the live exchange accepts */

enum { R_REUSED, R_UNCERTAIN, R_MISSING, R_TOO_LONG, R_CHARSET, R_NUMERIC, R_RESERVED, R_DOTS };

static const struct og_reason reasons[] = {
    [R_REUSED] = { .id = "client-order-id-reused",
                   .level = OG_LEVEL_REFUSE,
                   .undecided = OG_LEVEL_INFO,
                   OG_PREDICTS(DUPLICATE_ID, REJECTED, STATED),
                   .predicts.code = "R114",
                   .says = "clientOrderId '{0}' was used before, an id is used once",
                   .help = "give the order a new id; cancelling does not free the old one",
                   .where = "Q33, Q34" },
    [R_UNCERTAIN] = { .id = "client-order-id-used-uncertain",
                      .level = OG_LEVEL_WARN,
                      .undecided = OG_LEVEL_OFF,
                      OG_PREDICTS(DUPLICATE_ID, REJECTED, READING),
                      .predicts.code = "R114",
                      .says = "clientOrderId '{0}' was used {1}, the broker may refuse it now",
                      .help = "give the order a new id",
                      .where = "CON-16" },
    [R_MISSING] = { .id = "client-order-id-missing",
                    .level = OG_LEVEL_INFO,
                    .undecided = OG_LEVEL_OFF,
                    OG_PREDICTS(NONE, ACCEPTED, STATED),
                    .says = "clientOrderId is missing, the server will make one",
                    .help = "give the order an id: after a lost answer it cannot be looked up without one",
                    .where = "Q21" },
    [R_TOO_LONG] = { .id = "client-order-id-too-long",
                     .level = OG_LEVEL_REFUSE,
                     .undecided = OG_LEVEL_OFF,
                     .predicts = OG_NOT_STATED,
                     .says = "clientOrderId '{0}' has {1} bytes, a live account accepts 36",
                     .help = "shorten it; a live account cuts a longer one, and the order comes back under another id",
                     .where = "Q20" },
    [R_CHARSET] = { .id = "client-order-id-charset",
                    .level = OG_LEVEL_WARN,
                    .undecided = OG_LEVEL_OFF,
                    .says = "clientOrderId '{0}' has a byte outside A-Z a-z 0-9 . _ -",
                    .help = "the id is part of request paths: use letters, digits, dot, underscore, hyphen",
                    .where = "Q19" },
    [R_NUMERIC] = { .id = "client-order-id-numeric",
                    .level = OG_LEVEL_INFO,
                    .undecided = OG_LEVEL_OFF,
                    .predicts = OG_NOT_STATED,
                    .says = "clientOrderId '{0}' is all digits, the server makes such ids itself",
                    .help = "add a letter, so that it cannot equal an id that the server made",
                    .where = "Q35" },
    [R_RESERVED] = { .id = "client-order-id-reserved",
                     .level = OG_LEVEL_REFUSE,
                     .undecided = OG_LEVEL_OFF,
                     .says = "clientOrderId '{0}' has INVALID in it, which the service appends to the id of an order "
                             "that it rejects",
                     .help = "give the order an id that cannot be mistaken for one that the service derives from "
                             "another order's",
                     .where = "Q39, CON-22" },
    [R_DOTS] = { .id = "client-order-id-dots",
                 .level = OG_LEVEL_REFUSE,
                 .undecided = OG_LEVEL_OFF,
                 .says = "clientOrderId '{0}' is a path segment that proxies and servers resolve",
                 .help = "give the order another id: in the URL of a cancel or look-up, this one could be read as "
                         "another path",
                 .where = "Q19" },
};

#define MARK "INVALID" /* search for the V first: few ids have one */

static const char field[] = "/clientOrderId";

static bool is_number(struct og_str id)
{
    for (size_t i = 0; i < id.len; i++)
        if (id.s[i] < '0' || id.s[i] > '9')
            return false;
    return true;
}

static OG_COLD struct og_found *found(struct og_sink *sink, int reason, struct og_str id)
{
    return OG_FIND(sink, &reasons[reason], field, og_a_str(id));
}

static OG_COLD void found_too_long(const struct og_case *c, struct og_str id, struct og_sink *sink)
{
    struct og_found *f = OG_FIND(sink, &reasons[R_TOO_LONG], field, og_a_str(id), og_a_int((int64_t)id.len));

    if (og_case_is_paper(c))
        f->natural = OG_LEVEL_WARN;
}

static bool has_mark(struct og_str id)
{
    const char *at = id.s, *end = id.s + id.len;

    while (at < end && (at = memchr(at, MARK[2], (size_t)(end - at)))) {
        if (at - id.s >= 2 && end - at >= 5 && memcmp(at - 2, MARK, sizeof MARK - 1) == 0)
            return true;
        at++;
    }
    return false;
}

static OG_NOINLINE void check_bytes(struct og_str id, struct og_sink *sink)
{
    if (!og_symbol_fits(id)) /* ids may have the same bytes as symbols */
        found(sink, R_CHARSET, id);
    if (has_mark(id))
        found(sink, R_RESERVED, id);
}

static void check_form(const struct og_case *c, struct og_str id, struct og_sink *sink)
{
    if (id.len > ID_MOST)
        found_too_long(c, id, sink);
    if (!og_symbol_fits_without(id, MARK[2]))
        check_bytes(id, sink);
    if (id.len <= 2 && id.s[0] == '.' && id.s[id.len - 1] == '.')
        found(sink, R_DOTS, id);
    if (is_number(id))
        found(sink, R_NUMERIC, id);
}

/* Returns true if the id was used on another account of the key pair, in facts or in this run. */
static bool used_elsewhere(const struct og_case *c, struct og_str id, uint64_t hash)
{
    for (size_t i = 0; i < c->all_count; i++)
        if (c->all[i] != c->facts && og_facts_id_by(c->all[i], id, hash) != OG_ID_FREE)
            return true;
    return false;
}

static OG_COLD void found_uncertain(struct og_sink *sink, struct og_str id, const char *how)
{
    OG_FIND(sink, &reasons[R_UNCERTAIN], field, og_a_str(id), og_a_text(how));
}

/* Check whether the id was used.  The ids of this run are known without a document; for other ids the document of used
 * ids is needed. */
static void check_use(const struct og_case *c, struct og_str id, struct og_sink *sink)
{
    const uint64_t hash = og_lookup_keys_id(c->hashes, c->order);
    enum og_id_use use = og_facts_id_by(c->facts, id, hash);

    if (use == OG_ID_FREE && used_elsewhere(c, id, hash))
        use = OG_ID_OTHER_ACCOUNT;
    if (use == OG_ID_ACCEPTED)
        found(sink, R_REUSED, id);
    else if (use == OG_ID_REJECTED)
        found_uncertain(sink, id, "by an order that was rejected or lost");
    else if (use == OG_ID_OTHER_ACCOUNT)
        found_uncertain(sink, id, "on another account");
    if (use != OG_ID_ACCEPTED)
        og_need(c, sink, &reasons[R_REUSED], OG_FACT_USED_IDS, (struct og_str){ 0 }, field);
}

static OG_HOT void check(const struct og_case *c, const void *settings, struct og_sink *sink)
{
    const struct og_order *o = c->order;

    (void)settings;
    if (o->client_id.len) {
        check_form(c, o->client_id, sink);
        if (!c->again)
            check_use(c, o->client_id, sink);
    } else if (!og_order_has(o, OG_KEY_CLIENT_ORDER_ID) || og_order_ok(o, OG_KEY_CLIENT_ORDER_ID)) {
        OG_FIND0(sink, &reasons[R_MISSING], field);
    }
}

const struct og_rule og_rule_client_order_id = {
    OG_PARTS_OF_FILE(client_order_id),
    .id = "client-order-id",
    .summary = "the clientOrderId is missing, used, or not fit for use",
    .because = "an id is the only way to ask what became of an order, and a used one is rejected",
    .stage = OG_STAGE_FLOW,
    .unwaivable = true, /* no waiver: the broker accepts an id only once */
    .reads = OG_FACT_USED_IDS,
};
