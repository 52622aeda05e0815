/*
 * Keeps facts by symbol: one entry for a symbol, however the symbol is written; of two facts about a symbol, the newer
 * one is kept.  An older status never loosens a newer one, whether it comes in a line, in a document or in the copy of
 * an account.
 */
#include "base/attributes.h"
#include "facts/documents.h"
#include "order/spelling.h"

/* --- spellings ---------------------------------------------------------------------------------------------------- */

struct og_str og_facts_fold(struct og_str symbol, char to[OG_SYMBOL_FOLDED])
{
    if (symbol.len > OG_SYMBOL_FOLDED)
        return symbol;
    symbol = og_symbol_capitals(symbol, to);
    if (!symbol.len || !memchr(symbol.s, '/', symbol.len))
        return symbol;
    for (size_t i = 0; i < symbol.len; i++)
        to[i] = symbol.s[i] == '/' ? '.' : symbol.s[i];
    return (struct og_str){ to, symbol.len };
}

/* Returns the entry of a symbol under one of its other spellings; NULL if there is none. A symbol with lower-case
 * letters has no other spelling here, since the service may take it for another symbol. */
static OG_COLD void *entry_otherwise(const struct og_part *p, struct og_str symbol)
{
    char dotted[OG_SYMBOL_FOLDED], to[OG_SYMBOL_FOLDED];
    const struct og_str stock = og_spelling_dotted(symbol, dotted);

    for (int i = 0; i < OG_SPELLINGS && og_symbol_capitals(symbol, to).s == symbol.s; i++) {
        const struct og_str name = og_spelling(stock, i, to);
        void *e = name.len ? og_facts_map_get(&p->map, name) : NULL;

        if (e)
            return e;
    }
    return NULL;
}

/* A function of its own, so that a symbol that is found costs no more than the search. */
static OG_NOINLINE void *entry_not_found(const struct og_part *p, struct og_str symbol)
{
    if (!(p->spelled ? og_symbol_has_spellings(symbol) : og_symbol_bytes(symbol) & OG_BYTE_SPELLING))
        return NULL;
    return entry_otherwise(p, symbol);
}

OG_HOT void *og_facts_by_symbol(const struct og_part *p, struct og_str symbol, uint64_t hash)
{
    void *e = og_facts_map_find(&p->map, symbol, hash);

    return e ? e : entry_not_found(p, symbol);
}

void *og_facts_entry(struct og_part *p, struct og_str symbol, size_t size)
{
    const uint64_t hash = og_facts_map_hash(symbol);
    struct og_str *e = og_facts_map_find(&p->map, symbol, hash), text;

    if (e)
        return e;
    text = og_arena_copy(&p->arena, symbol);
    e = text.s ? og_facts_map_add(&p->map, hash, og_facts_map_first(&p->map, hash), size) : NULL;
    if (!e)
        return NULL;
    p->spelled = p->spelled || og_symbol_has_spellings(symbol);
    *e = text;
    return e;
}

/* --- times -------------------------------------------------------------------------------------------------------- */

static enum og_known stricter(enum og_known a, enum og_known b)
{
    if (a == OG_KNOWN_TRUE || b == OG_KNOWN_TRUE)
        return OG_KNOWN_TRUE;
    return a == OG_NOT_KNOWN || b == OG_NOT_KNOWN ? OG_NOT_KNOWN : OG_KNOWN_FALSE;
}

static void tighten(struct og_symbol_status *to, const struct og_symbol_status *by)
{
    to->halted = stricter(to->halted, by->halted);
    to->paused = stricter(to->paused, by->paused);
    to->short_sale_restricted = stricter(to->short_sale_restricted, by->short_sale_restricted);
    if (by->has_limit_down && (!to->has_limit_down || og_money_cmp(by->limit_down, to->limit_down) > 0))
        to->limit_down = by->limit_down;
    if (by->has_limit_up && (!to->has_limit_up || og_money_cmp(by->limit_up, to->limit_up) < 0))
        to->limit_up = by->limit_up;
    to->has_limit_down = to->has_limit_down || by->has_limit_down;
    to->has_limit_up = to->has_limit_up || by->has_limit_up;
}

/* Merge the status `said` into *known: the newer of the two replaces the other. If both have the same time, or only one
 * has a time, the stricter value of each member holds, with the time that is known. If neither has a time, `said`
 * replaces *known. A known status dated after now has a wrong time: its stricter values still hold, with the time of
 * `said`. */
static void merge_status(struct og_symbol_status_entry *known, const struct og_symbol_status *said, int64_t dated,
                         int64_t now)
{
    const bool wrong = now && known->status.as_of > now;
    struct og_symbol_status merged = *said;

    if (!wrong && known->dated != OG_TIME_UNKNOWN && dated != OG_TIME_UNKNOWN && dated < known->dated)
        return;
    if (wrong || (known->dated == OG_TIME_UNKNOWN) != (dated == OG_TIME_UNKNOWN) || dated == known->dated)
        if (wrong || dated != OG_TIME_UNKNOWN || known->dated != OG_TIME_UNKNOWN)
            tighten(&merged, &known->status);
    if (!wrong && dated == OG_TIME_UNKNOWN && known->dated != OG_TIME_UNKNOWN) {
        merged.as_of = known->status.as_of;
        dated = known->dated;
    }
    known->status = merged;
    known->dated = dated;
}

bool og_facts_put_symbol_status(struct og_part *p, struct og_str symbol, const struct og_symbol_status *s,
                                int64_t dated, int64_t now)
{
    struct og_symbol_status_entry *e;
    const size_t count = p->map.count;
    char dotted[OG_SYMBOL_FOLDED];

    e = og_facts_entry(p, og_spelling_dotted(symbol, dotted), sizeof *e);
    if (!e)
        return false;
    if (p->map.count > count) {
        e->status = *s;
        e->dated = dated;
    } else {
        merge_status(e, s, dated, now);
    }
    return true;
}

bool og_facts_keep_statuses(struct og_part *came, const int64_t *age, const struct og_part *known)
{
    const struct og_symbol_status_entry *k;
    struct og_symbol_status_entry *e, kept;
    size_t at = 0;

    came->as_of = age ? *age : came->as_of;
    while (age && (e = og_facts_map_next(&came->map, &at)) != NULL)
        e->status.as_of = e->dated = *age;
    at = 0;
    while (known && (k = og_facts_map_next(&known->map, &at)) != NULL) {
        kept = *k;
        e = og_facts_map_get(&came->map, k->symbol);
        if (e) {
            merge_status(&kept, &e->status, e->dated, 0);
            e->status = kept.status;
            e->dated = kept.dated;
            continue;
        }
        if (k->dated != OG_TIME_UNKNOWN ? came->as_of > k->dated : came->as_of == OG_TIME_UNKNOWN)
            continue; /* the document is newer, so a status that it lacks is over */
        if (kept.dated == OG_TIME_UNKNOWN)
            kept.status.as_of = kept.dated = came->as_of;
        if (!og_facts_put_symbol_status(came, k->symbol, &kept.status, kept.dated, 0))
            return false;
    }
    return true;
}

void og_facts_keep_borrow(struct og_part *came, const struct og_part *known)
{
    const struct og_borrow_entry *k;
    struct og_borrow_entry *e;
    size_t at = 0;

    while ((e = og_facts_map_next(&came->map, &at)) != NULL) {
        k = og_facts_map_get(&known->map, e->symbol);
        if (!k || k->borrow.as_of == OG_TIME_UNKNOWN || e->borrow.as_of == OG_TIME_UNKNOWN)
            continue;
        if (e->borrow.as_of < k->borrow.as_of)
            e->borrow = k->borrow;
        else if (e->borrow.as_of == k->borrow.as_of)
            e->borrow.easy = e->borrow.easy && k->borrow.easy;
    }
}

void og_facts_set_age(struct og_part *p, int at, int64_t age)
{
    struct og_quote_entry *q;
    struct og_borrow_entry *b;
    struct og_symbol_status_entry *s;
    size_t i = 0;

    p->as_of = age;
    while (at == OG_AT_QUOTE && (q = og_facts_map_next(&p->map, &i)) != NULL)
        q->quote.as_of = age;
    while (at == OG_AT_BORROW && (b = og_facts_map_next(&p->map, &i)) != NULL)
        b->borrow.as_of = age;
    while (at == OG_AT_SYMBOL_STATUS && (s = og_facts_map_next(&p->map, &i)) != NULL)
        if (s->dated == OG_TIME_UNKNOWN || s->dated < age) /* a line may be newer than the document's age */
            s->status.as_of = s->dated = age;
}

void og_facts_undate_after(struct og_part *statuses, int64_t most)
{
    struct og_symbol_status_entry *e;
    size_t at = 0;

    while ((e = og_facts_map_next(&statuses->map, &at)) != NULL)
        if (e->dated > most)
            e->status.as_of = e->dated = OG_TIME_UNKNOWN;
}

bool og_facts_put_quote(struct og_part *p, struct og_str symbol, const struct og_quote *q)
{
    struct og_quote_entry *e = og_facts_entry(p, symbol, sizeof *e);

    if (e)
        e->quote = *q;
    return e != NULL;
}

bool og_facts_put_borrow(struct og_part *p, struct og_str symbol, const struct og_borrow *b)
{
    struct og_borrow_entry *e = og_facts_entry(p, symbol, sizeof *e);

    if (e)
        e->borrow = *b;
    return e != NULL;
}

/* --- lines and copies --------------------------------------------------------------------------------------------- */

/* Returns the facts' part with index `at`, which has facts by symbol, and makes it if there is none.  Returns NULL if
 * memory runs out. */
static struct og_part *part_of(struct og_facts *f, int at)
{
    if (!f->part[at]) {
        f->part[at] = og_facts_part_new();
        og_facts_told(f);
    }
    return f->part[at];
}

enum og_status og_facts_take_quote(struct og_facts *f, const cJSON *doc, int64_t now, int64_t ahead,
                                   struct og_error *err)
{
    struct og_facts_reader r;
    struct og_part *quotes = part_of(f, OG_AT_QUOTE), *statuses = part_of(f, OG_AT_SYMBOL_STATUS);
    struct og_str symbol;

    og_facts_reader_init(&r, "quote", err);
    r.now = now;
    r.ahead = ahead;
    if (!quotes || !statuses)
        (void)og_facts_no_memory(&r);
    else if (og_facts_read_object(&r, doc) && og_facts_read_text(&r, doc, "symbol", OG_MUST, &symbol))
        (void)og_facts_read_quote_line(&r, symbol, doc, quotes, statuses);
    return r.status;
}

enum og_status og_facts_copy_market(struct og_facts *to, const struct og_facts *from)
{
    const struct og_part *quotes = from->part[OG_AT_QUOTE], *borrow = from->part[OG_AT_BORROW];
    const struct og_part *statuses = from->part[OG_AT_SYMBOL_STATUS];
    const struct og_quote_entry *q;
    const struct og_borrow_entry *b;
    const struct og_symbol_status_entry *s;
    size_t at = 0;

    if ((quotes && !part_of(to, OG_AT_QUOTE)) || (borrow && !part_of(to, OG_AT_BORROW)) ||
        (statuses && !part_of(to, OG_AT_SYMBOL_STATUS)))
        return OG_ENOMEM;
    while (quotes && (q = og_facts_map_next(&quotes->map, &at)) != NULL)
        if (!og_facts_put_quote(to->part[OG_AT_QUOTE], q->symbol, &q->quote))
            return OG_ENOMEM;
    at = 0;
    while (borrow && (b = og_facts_map_next(&borrow->map, &at)) != NULL)
        if (!og_facts_put_borrow(to->part[OG_AT_BORROW], b->symbol, &b->borrow))
            return OG_ENOMEM;
    at = 0;
    while (statuses && (s = og_facts_map_next(&statuses->map, &at)) != NULL)
        if (!og_facts_put_symbol_status(to->part[OG_AT_SYMBOL_STATUS], s->symbol, &s->status, s->dated, 0))
            return OG_ENOMEM;
    to->newest[OG_AT_SYMBOL_STATUS] = from->newest[OG_AT_SYMBOL_STATUS];
    to->newest[OG_AT_QUOTE] = from->newest[OG_AT_QUOTE];
    to->newest[OG_AT_BORROW] = from->newest[OG_AT_BORROW];
    return og_facts_copy_closures(to, from);
}
