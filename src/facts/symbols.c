/*
 * Reads facts by symbol: quotes, statuses such as halts, borrow states, locate inventory; and the used ids.  Rejects
 * negative prices and sizes, and borrow states that are neither true nor false (L6).
 */
#include <stdio.h>

#include "facts/documents.h"
#include "order/spelling.h"

static enum og_quote_fault fault_of(const struct og_quote *q)
{
    if (q->has_ask && q->ask.coef == 0)
        return OG_QUOTE_NO_ASK;
    if (q->has_bid && q->bid.coef == 0)
        return OG_QUOTE_NO_BID;
    return q->has_bid && q->has_ask && og_money_cmp(q->bid, q->ask) > 0 ? OG_QUOTE_CROSSED : OG_QUOTE_SOUND;
}

/* Returns true if the row, dated as_of, is older than what is known of the symbol, dated `known`: the times of the rows
 * decide, not when they arrived.  A known row dated in the future by the reader's clock has a wrong time: every other
 * row replaces it. If the reader has no clock, every row replaces the known one. */
static bool is_older(const struct og_facts_reader *r, int64_t as_of, int64_t known)
{
    return known != OG_TIME_UNKNOWN && as_of != OG_TIME_UNKNOWN && as_of < known && r->now != 0 && known <= r->now;
}

/* Read the time of a row; a row without a time has that of the document.  *dated: the time as it is written. *as_of:
 * the same time; or the time of the reader's clock if the row is dated later, by no more than that clock may be
 * behind. */
static bool read_as_of(struct og_facts_reader *r, const cJSON *item, int64_t *as_of, int64_t *dated)
{
    if (!og_facts_read_time(r, item, "asOf", dated))
        return false;
    if (*dated == OG_TIME_UNKNOWN)
        *dated = r->as_of;
    *as_of = *dated > r->now && *dated - r->ahead <= r->now ? r->now : *dated;
    return true;
}

/* Bring the symbol of a fact into the form in which it is kept, and reject a symbol that no order can have, since the
 * fact would never be used.  key: the member that is the symbol; NULL if the symbol is itself the key. */
static bool read_symbol(struct og_facts_reader *r, struct og_str *symbol, const char *key, char to[OG_SYMBOL_FOLDED])
{
    const cJSON seen = { .type = cJSON_String, .valuestring = (char *)symbol->s };

    *symbol = og_spelling_listed(og_facts_fold(*symbol, to), to); /* a feed's fact about NVDA.US is kept for NVDA */
    return og_symbol_fits(*symbol) ||
           og_facts_refuse(r, key, "a symbol as orders have it, of letters, digits, '.', '-' and '_'", &seen);
}

/* Reject a key that is probably a misspelt one: a price, a time or a halt would be lost without a word. In a line, also
 * reject members of "status" that are beside it instead of in it. */
static bool has_quote_keys(struct og_facts_reader *r, const cJSON *item, bool line)
{
    static const char *const known[] = { "bid", "ask", "last", "asOf", "status", "symbol" };
    static const char *const of_status[] = { "halted", "paused", "shortSaleRestricted", "limitDown", "limitUp" };

    for (size_t i = 0; line && i < sizeof of_status / sizeof *of_status; i++)
        if (og_doc_get(item, of_status[i]))
            return og_facts_refuse(r, of_status[i], "it inside of \"status\"", og_doc_get(item, of_status[i]));
    return og_facts_has_no_misspelt(r, item, known, line ? 6 : 4);
}

/* Read the prices of a symbol. own: the quote that the same document has under the symbol itself, or under an earlier
 * spelling; it stays unless the new one is newer. NULL: there is none. */
static bool read_prices(struct og_facts_reader *r, struct og_str symbol, const cJSON *item, struct og_part *p,
                        const struct og_quote_entry *own)
{
    const struct og_quote_entry *e = og_facts_map_find(&p->map, symbol, og_facts_map_hash(symbol));
    struct og_quote q = { 0 };
    int64_t dated;

    /* feeds send null for a bid, ask or last price that does not exist, and 0 for a last price that does not */
    if (!og_facts_read_size(r, item, "bid", OG_MAY_BE_NULL, &q.has_bid, &q.bid) ||
        !og_facts_read_size(r, item, "ask", OG_MAY_BE_NULL, &q.has_ask, &q.ask) ||
        !og_facts_read_size(r, item, "last", OG_MAY_BE_NULL, &q.has_last, &q.last) ||
        !read_as_of(r, item, &q.as_of, &dated))
        return false;
    q.has_last = q.has_last && q.last.coef != 0;
    q.fault = fault_of(&q);
    if (own && (q.as_of == OG_TIME_UNKNOWN || q.as_of <= own->quote.as_of))
        return true;
    return (e && is_older(r, q.as_of, e->quote.as_of)) || og_facts_put_quote(p, symbol, &q) || og_facts_no_memory(r);
}

bool og_facts_read_quote(struct og_facts_reader *r, struct og_str symbol, const cJSON *item, struct og_part *p)
{
    char to[OG_SYMBOL_FOLDED];
    const size_t len = symbol.len;
    const struct og_quote_entry *e;

    if (!read_symbol(r, &symbol, NULL, to) || !og_facts_read_object(r, item) || !has_quote_keys(r, item, false))
        return false;
    e = symbol.len != len ? og_facts_map_get(&p->map, symbol) : NULL;
    if (og_doc_get(item, "status"))
        return og_facts_refuse(r, "status", "a quote without it, in a document that has it under symbolStatus",
                               og_doc_get(item, "status"));
    return read_prices(r, symbol, item, p, e);
}

static bool read_known(struct og_facts_reader *r, const cJSON *item, const char *key, enum og_known *known)
{
    bool is;

    if (!og_facts_read_bool(r, item, key, OG_MAY_BE_NULL, &is))
        return false;
    *known = !og_facts_member(item, key, OG_MAY_BE_NULL) ? OG_NOT_KNOWN : is ? OG_KNOWN_TRUE : OG_KNOWN_FALSE;
    return true;
}

/* Reject an unknown key in a status: a misspelled key would leave a halt unseen. */
static bool has_status_keys_alone(struct og_facts_reader *r, const cJSON *item)
{
    static const char *const known[] = { "halted", "paused", "shortSaleRestricted", "limitDown", "limitUp", "asOf" };
    enum { KNOWN = sizeof known / sizeof *known };
    const cJSON *member;
    char of[120];
    size_t i;

    snprintf(of, sizeof of, "%s.", r->path.s);
    cJSON_ArrayForEach (member, item) {
        for (i = 0; i < KNOWN && strcmp(known[i], member->string) != 0; i++)
            continue;
        if (i == KNOWN)
            return og_facts_refuse_key(r, of, member->string, known, KNOWN);
    }
    return true;
}

static bool read_band(struct og_facts_reader *r, const cJSON *item, const char *key, bool *has, struct og_money *band)
{
    if (!og_facts_read_size(r, item, key, OG_MAY_BE_NULL, has, band))
        return false;
    *has = *has && band->coef != 0; /* feeds send 0 for "no band" */
    return true;
}

bool og_facts_read_symbol_status(struct og_facts_reader *r, struct og_str symbol, const cJSON *item, struct og_part *p)
{
    struct og_symbol_status s = { .halted = OG_NOT_KNOWN };
    char to[OG_SYMBOL_FOLDED];
    int64_t dated;

    if (!read_symbol(r, &symbol, NULL, to) || !og_facts_read_object(r, item) || !has_status_keys_alone(r, item) ||
        !read_known(r, item, "halted", &s.halted) || !read_known(r, item, "paused", &s.paused) ||
        !read_known(r, item, "shortSaleRestricted", &s.short_sale_restricted) ||
        !read_band(r, item, "limitDown", &s.has_limit_down, &s.limit_down) ||
        !read_band(r, item, "limitUp", &s.has_limit_up, &s.limit_up) || !read_as_of(r, item, &s.as_of, &dated))
        return false;
    if (s.has_limit_down && s.has_limit_up && og_money_cmp(s.limit_down, s.limit_up) > 0)
        return og_facts_refuse(r, "limitDown", "a price not above limitUp", og_doc_get(item, "limitDown"));
    return og_facts_put_symbol_status(p, symbol, &s, dated, r->now) || og_facts_no_memory(r);
}

bool og_facts_read_quote_line(struct og_facts_reader *r, struct og_str symbol, const cJSON *line,
                              struct og_part *quotes, struct og_part *statuses)
{
    const cJSON *status = og_facts_member(line, "status", OG_MAY_BE_NULL);
    char to[OG_SYMBOL_FOLDED];
    size_t mark;

    if (!read_symbol(r, &symbol, "symbol", to) || !has_quote_keys(r, line, true))
        return false;
    if (status) {
        if (!og_facts_read_time(r, line, "asOf", &r->as_of))
            return false;
        mark = og_facts_enter(r, "status");
        if (!og_facts_read_symbol_status(r, symbol, status, statuses))
            return false;
        og_facts_leave(r, mark);
        r->as_of = OG_TIME_UNKNOWN;
        if (!og_doc_get(line, "bid") && !og_doc_get(line, "ask") && !og_doc_get(line, "last"))
            return true; /* the line has no prices: those that are known stay */
    }
    return read_prices(r, symbol, line, quotes, NULL);
}

/* Read true, or {"easy":true,"asOf":...}, or the service's answer {"isEasyToBorrow":true}. */
bool og_facts_read_borrow(struct og_facts_reader *r, struct og_str symbol, const cJSON *item, struct og_part *p)
{
    const char *key = og_doc_get(item, "isEasyToBorrow") ? "isEasyToBorrow" : "easy";
    struct og_borrow b = { .easy = cJSON_IsTrue(item), .as_of = OG_TIME_UNKNOWN };
    const struct og_borrow_entry *e;
    static const char *const dated[] = { "asOf" };
    char to[OG_SYMBOL_FOLDED];

    if (!read_symbol(r, &symbol, NULL, to) || !og_facts_has_no_misspelt(r, item, dated, 1))
        return false;
    if (!cJSON_IsBool(item)) {
        if (!cJSON_IsObject(item))
            return og_facts_refuse(r, NULL, "true, false or an object with \"easy\"", item);
        if (!og_facts_read_bool(r, item, key, OG_MUST, &b.easy) || !og_facts_read_time(r, item, "asOf", &b.as_of))
            return false;
    }
    if (b.as_of == OG_TIME_UNKNOWN)
        b.as_of = r->as_of;
    e = og_facts_map_get(&p->map, symbol); /* the entry that the same document has for another spelling of the symbol */
    if (e && (b.as_of == e->borrow.as_of || b.as_of == OG_TIME_UNKNOWN || e->borrow.as_of == OG_TIME_UNKNOWN))
        b.easy = b.easy && e->borrow.easy;
    else if (e && b.as_of < e->borrow.as_of)
        return true;
    return og_facts_put_borrow(p, symbol, &b) || og_facts_no_memory(r);
}

/* Read the average shares per day. */
bool og_facts_read_volume(struct og_facts_reader *r, struct og_str symbol, const cJSON *item, struct og_part *p)
{
    struct og_volume_entry *e;
    char to[OG_SYMBOL_FOLDED];
    struct og_money shares;
    size_t count;

    if (!read_symbol(r, &symbol, NULL, to))
        return false;
    if (!og_item_money(item, &shares) || shares.coef < 0)
        return og_facts_refuse(r, NULL, "a number of shares that is not negative", item);
    count = p->map.count;
    e = og_facts_entry(p, symbol, sizeof *e);
    if (e && (p->map.count > count || og_money_cmp(shares, e->shares) < 0))
        e->shares = shares; /* of two spellings of a symbol in one document, the smaller number holds */
    return e || og_facts_no_memory(r);
}

/* Read a row of the inventory.  A symbol may have one for each locate type; their sum is available (J19, CON-32). */
bool og_facts_read_locate(struct og_facts_reader *r, const cJSON *item, struct og_part *p)
{
    struct og_inventory *row = og_arena_take(&p->arena, sizeof *row);
    struct og_locate_entry *e;
    struct og_money available;
    char to[OG_SYMBOL_FOLDED];
    struct og_str symbol;
    bool has;

    if (!row)
        return og_facts_no_memory(r);
    if (!og_facts_read_object(r, item) || !og_facts_read_own_row(r, item) ||
        !og_facts_read_text(r, item, "symbol", OG_MUST, &symbol) ||
        !og_facts_read_size(r, item, "available", OG_MUST, &has, &available) ||
        !og_facts_read_size(r, item, "sold", OG_MAY_BE_NULL, &has, &row->sold) ||
        !og_facts_read_size(r, item, "unavailable", OG_MAY_BE_NULL, &has, &row->unavailable))
        return false;
    e = og_facts_entry(p, og_facts_fold(symbol, to), sizeof *e);
    if (!e)
        return og_facts_no_memory(r);
    row->symbol = e->symbol;
    row->type = og_facts_locate_type(item);
    row->available = available;
    row->next = e->rows;
    e->rows = row;
    return og_money_add(e->available, available, &e->available) ||
           og_facts_refuse(r, "available", "a number whose sum over locate types has at most 18 digits",
                           og_doc_get(item, "available"));
}

static enum og_id_use use_of(struct og_str outcome)
{
    if (!outcome.s || og_str_is(outcome, "accepted"))
        return OG_ID_ACCEPTED;
    if (og_str_is(outcome, "rejected") || og_str_is(outcome, "unknown"))
        return OG_ID_REJECTED;
    return og_str_is(outcome, "otherAccount") ? OG_ID_OTHER_ACCOUNT : OG_ID_FREE;
}

/* Read a used id: "a1", or {"id":"a1","outcome":"rejected"}. */
bool og_facts_read_used_id(struct og_facts_reader *r, const cJSON *item, struct og_part *p)
{
    struct og_str id = { NULL, 0 }, outcome = { NULL, 0 };
    struct og_id_entry *e;

    if (cJSON_IsString(item))
        id = og_str_of(item->valuestring);
    else if (!cJSON_IsObject(item))
        return og_facts_refuse(r, NULL, "a string or an object with \"id\"", item);
    else if (!og_facts_read_own_row(r, item) || !og_facts_read_text(r, item, "id", OG_MUST, &id) ||
             !og_facts_read_text(r, item, "outcome", OG_MAY, &outcome))
        return false;
    if (use_of(outcome) == OG_ID_FREE)
        return og_facts_refuse(r, "outcome", "\"accepted\", \"rejected\", \"unknown\" or \"otherAccount\"",
                               og_doc_get(item, "outcome"));
    if (!id.len)
        return true; /* an order without an id uses up none */
    e = og_facts_id_entry(&p->map, id, og_facts_map_hash(id));
    if (!e)
        return og_facts_no_memory(r);
    e->use = og_facts_surer(e->use, use_of(outcome));
    return true;
}
