/*
 * Creates and frees facts, and answers queries about them.  Queries never allocate, and distinguish unknown facts from
 * empty ones.
 */
#include "facts/facts.h"

#include <stdlib.h>

#include "base/attributes.h"
#include "base/generation.h"
#include "base/money.h"
#include "facts/closures.h"
#include "facts/data.h"
#include "order/roots.h"
#include "order/spelling.h"

static const struct og_str names[OG_FACT_KINDS] = {
#define OG_FACT_KIND(id, name, s) { name, sizeof(name) - 1 },
#include "facts/kinds.def"
};
const int64_t og_fact_plausible_s[OG_FACT_KINDS] = {
#define OG_FACT_KIND(id, name, s) s,
#include "facts/kinds.def"
};

static int place_of(enum og_fact kind)
{
    return __builtin_ctz((unsigned)kind);
}

struct og_str og_fact_word(enum og_fact kind)
{
    int at = place_of(kind);

    return at < OG_FACT_KINDS ? names[at] : OG_STR("");
}

const char *og_fact_name(enum og_fact kind)
{
    return og_fact_word(kind).s;
}

struct og_part *og_facts_part_new(void)
{
    struct og_part *p = calloc(1, sizeof *p);

    if (!p)
        return NULL;
    og_arena_init(&p->arena, 0);
    og_facts_map_init(&p->map, &p->arena);
    p->as_of = OG_TIME_UNKNOWN;
    return p;
}

void og_facts_part_free(struct og_part *p)
{
    if (!p)
        return;
    og_arena_clear(&p->arena);
    og_facts_map_clear(&p->map);
    free(p);
}

struct og_facts *og_facts_new(struct og_str account_id)
{
    struct og_facts *f = calloc(1, sizeof *f);

    if (!f)
        return NULL;
    og_arena_init(&f->arena, 0);
    og_facts_map_init(&f->ids, &f->arena);
    og_facts_map_init(&f->replaced, &f->arena);
    og_facts_map_init(&f->underlyings, &f->arena);
    og_facts_map_init(&f->traded, &f->arena);
    f->account_id = og_arena_copy(&f->arena, account_id);
    f->account_fits = og_symbol_fits(f->account_id);
    f->sums = og_facts_aggregates_new();
    for (int i = 0; i < OG_PARTS; i++)
        f->newest[i] = OG_TIME_UNKNOWN;
    f->takes = 1; /* number of the newest document before any is loaded; the first document gets number 2 */
    og_facts_told(f);
    if (f->account_id.s && f->sums)
        return f;
    og_facts_free(f);
    return NULL;
}

void og_facts_free(struct og_facts *f)
{
    if (!f)
        return;
    for (int i = 0; i < OG_PARTS; i++)
        og_facts_part_free(f->part[i]);
    og_facts_aggregates_free(f->sums);
    og_facts_map_clear(&f->ids);
    og_facts_map_clear(&f->replaced);
    free(f->sent.row);
    free(f->sent.day);
    og_facts_traded_free(f);
    og_arena_clear(&f->arena);
    free(f->closures);
    free(f);
}

static enum og_environment environment_of(const struct og_facts *f)
{
    struct og_str type = { NULL, 0 };

    if (f->part[OG_AT_ACCOUNT] && f->account.type.s)
        type = f->account.type;
    else if (f->listed)
        type = f->listed->type;
    if (!type.s)
        return OG_ENV_UNKNOWN;
    return og_str_is(type, "Paper") ? OG_ENV_PAPER : OG_ENV_LIVE;
}

static bool may_trade(const struct og_facts *f)
{
    return f->part[OG_AT_ACCOUNT] && f->listed && f->account_fits && og_account_is_active(&f->account) &&
           !og_account_lacks_margin(&f->account) && !og_account_lacks_maintenance(&f->account);
}

void og_facts_told(struct og_facts *f)
{
    f->known = 0;
    for (int at = 0; at < OG_PARTS; at++)
        if (f->part[at]) {
            f->known |= 1u << at;
            f->as_of[at] = f->part[at]->as_of;
        }
    f->environment = environment_of(f);
    f->may_trade = may_trade(f);
    f->serial = og_next_generation();
}

OG_HOT bool og_facts_known(const struct og_facts *f, enum og_fact kind, int64_t *as_of)
{
    bool known = (f->known & (unsigned)kind) != 0;

    *as_of = known ? f->as_of[place_of(kind)] : OG_TIME_UNKNOWN;
    return known || (kind == OG_FACT_ENVIRONMENT && f->declared != OG_ENV_UNKNOWN);
}

bool og_facts_has_statuses(const struct og_facts *f)
{
    return f->known & OG_FACT_SYMBOL_STATUS;
}

uint32_t og_facts_taken(const struct og_facts *f, enum og_fact kind)
{
    return f->part[place_of(kind)] ? f->part[place_of(kind)]->taken : 0;
}

uint32_t og_facts_takes(const struct og_facts *f)
{
    return f->takes;
}

unsigned og_facts_older(const struct og_facts *f)
{
    return f->older;
}

void og_facts_clock(struct og_facts *f, int64_t now)
{
    int64_t most;

    for (int i = 0; i < OG_PARTS && !__builtin_add_overflow(now, OG_CLOCK_SLIP, &most); i++)
        if (f->newest[i] > most)
            f->newest[i] = now;
}

unsigned og_facts_distrust_after(struct og_facts *f, int64_t most)
{
    unsigned kinds = 0;

    for (int i = 0; i < OG_PARTS; i++)
        if (f->newest[i] > most) {
            f->newest[i] = OG_TIME_UNKNOWN;
            kinds |= 1u << i;
        }
    if (f->part[OG_AT_SYMBOL_STATUS])
        og_facts_undate_after(f->part[OG_AT_SYMBOL_STATUS], most);
    return kinds;
}

/* Returns the last instant until which the fact stays as it is at `now`, fresh or too old; INT64_MAX if it stays so for
 * ever. */
static int64_t turns_at(int64_t as_of, int64_t now, int64_t most)
{
    int64_t last;

    if (as_of > now)
        return as_of - 1;
    return as_of != OG_TIME_UNKNOWN && most && now - as_of <= most && !__builtin_add_overflow(as_of, most, &last)
               ? last
               : INT64_MAX;
}

unsigned og_facts_usable(const struct og_facts *f, int64_t now, const int64_t *max_age, int64_t *until)
{
    unsigned usable = 0;

    *until = INT64_MAX;
    for (int at = 0; at < OG_PARTS; at++) {
        int64_t last;

        if (!(f->known >> at & 1))
            continue;
        usable |= (unsigned)og_fact_is_fresh(f->as_of[at], now, max_age[at]) << at;
        last = turns_at(f->as_of[at], now, max_age[at]);
        *until = last < *until ? last : *until;
    }
    return usable & ~(unsigned)OG_FACTS_BY_SYMBOL;
}

uint64_t og_facts_serial(const struct og_facts *f)
{
    return f->serial;
}

struct og_str og_facts_account_id(const struct og_facts *f)
{
    return f->account_id;
}

bool og_facts_may_trade(const struct og_facts *f)
{
    return f->may_trade;
}

OG_HOT const struct og_account *og_facts_account(const struct og_facts *f)
{
    return f->part[OG_AT_ACCOUNT] ? &f->account : NULL;
}

enum og_environment og_facts_environment(const struct og_facts *f)
{
    return f->environment;
}

enum og_environment og_facts_declared(const struct og_facts *f)
{
    return f->declared;
}

OG_HOT bool og_facts_lists_account(const struct og_facts *f, struct og_str id)
{
    const struct og_part *list = f->part[OG_AT_ACCOUNT_LIST];

    /* usually the query is about the facts' own account: answer it without a search */
    if (!list || id.s == f->account_id.s || og_str_eq(id, f->account_id))
        return list && f->listed;
    for (const struct og_list_row *row = list->is.list; row; row = row->next)
        if (og_same_account(row->account, id))
            return true;
    return false;
}

struct og_str og_facts_listed_account(const struct og_facts *f, size_t i)
{
    const struct og_part *list = f->part[OG_AT_ACCOUNT_LIST];
    const struct og_list_row *row = list ? list->is.list : NULL;

    while (row && i-- > 0)
        row = row->next;
    return row ? row->account : (struct og_str){ NULL, 0 };
}

struct og_day og_facts_day(const struct og_facts *f, int date, struct og_day by_calendar)
{
    const struct og_closures *c = f->closures;

    for (size_t i = 0; c && i < c->count; i++)
        if (c->row[i].date == date && by_calendar.kind != OG_DAY_CLOSED)
            return c->row[i].day;
    return by_calendar;
}

OG_HOT const struct og_holding *og_facts_holding(const struct og_facts *f, struct og_str traded)
{
    const struct og_holding_entry *h = og_facts_map_get(&f->sums->holdings, traded);

    return h && (h->is.lots || h->is.working) ? &h->is : NULL;
}

OG_HOT const struct og_holding *og_facts_contracts(const struct og_facts *f, struct og_str root)
{
    const struct og_root_entry *entry = og_facts_map_get(&f->sums->roots, root);

    return entry && entry->first ? &entry->first->is : NULL;
}

OG_HOT const struct og_root_sums *og_facts_root(const struct og_facts *f, struct og_str root)
{
    const struct og_root_entry *entry = og_facts_map_get(&f->sums->roots, root);

    return entry ? &entry->is : NULL;
}

const struct og_root_sums *og_facts_root_of(const struct og_holding *h)
{
    const struct og_root_entry *entry = ((const struct og_holding_entry *)h)->root; /* `is` is its first member */

    return entry ? &entry->is : NULL;
}

size_t og_facts_bounds(const struct og_facts *f)
{
    return f->bounds;
}

bool og_facts_is_tight(const struct og_facts *f)
{
    return f->tight;
}

int64_t og_facts_shorts(const struct og_facts *f, struct og_str root, char type)
{
    const struct og_root_sums *sums = og_facts_root(f, root);
    og_wide shorts = !sums ? 0 : type == 'P' ? sums->puts : sums->calls;

    return shorts > INT64_MAX ? INT64_MAX : (int64_t)shorts;
}

/* Returns the strikes of all short puts that expired before a day, in the unit of og_aggregates.puts. */
static og_facts_wide strikes_expired(const struct og_facts *f, int today)
{
    const struct og_root_entry *root;
    og_facts_wide sum = 0;
    size_t at = 0;

    while ((root = og_facts_map_next(&f->sums->roots, &at)) != NULL)
        for (const struct og_holding *h = root->first ? &root->first->is : NULL; h; h = h->next_of_root)
            if (h->occ.type == 'P' && h->occ.expiry < today)
                sum += ((og_facts_wide)og_money_floor(h->held_short) + og_money_floor(h->opening_sell_leaves)) *
                       h->occ.strike;
    return sum;
}

bool og_facts_put_reserve(const struct og_facts *f, int today, struct og_money *sum)
{
    og_facts_wide tenths = f->sums->puts - (today ? strikes_expired(f, today) : 0);

    *sum = (struct og_money){ 0, 0 };
    if (tenths % 10 == 0 && tenths / 10 <= INT64_MAX)
        *sum = (struct og_money){ (int64_t)(tenths / 10), 0 };
    else if (tenths % 10 != 0 && tenths <= INT64_MAX)
        *sum = (struct og_money){ (int64_t)tenths, 1 };
    else
        return false;
    return true;
}

const struct og_route *og_facts_route_at(const struct og_facts *f, size_t i)
{
    const struct og_route_row *row = f->part[OG_AT_ROUTES] ? f->part[OG_AT_ROUTES]->is.routes : NULL;

    while (row && i--)
        row = row->next;
    return row ? &row->route : NULL;
}

OG_HOT const struct og_route *og_facts_route(const struct og_facts *f, struct og_str name)
{
    const struct og_route_row *row = f->part[OG_AT_ROUTES] ? f->part[OG_AT_ROUTES]->is.routes : NULL;

    while (row && !og_str_same(row->route.name, name))
        row = row->next;
    return row ? &row->route : NULL;
}

/* Returns the entry of a key in a part, given the key's hash; NULL if there is none. */
static const void *find_in(const struct og_facts *f, int at, struct og_str key, uint64_t hash)
{
    return f->part[at] ? og_facts_by_symbol(f->part[at], key, hash) : NULL;
}

/* Returns the entry of a key in the map of one kind of facts; NULL also if that kind is unknown. */
static const void *entry_of(const struct og_facts *f, int at, struct og_str key)
{
    return f->part[at] ? og_facts_by_symbol(f->part[at], key, og_facts_map_hash(key)) : NULL;
}

const char *const og_quote_fault_says[] = { [OG_QUOTE_SOUND] = "",
                                            [OG_QUOTE_NO_BID] = "its bid is 0",
                                            [OG_QUOTE_NO_ASK] = "its ask is 0",
                                            [OG_QUOTE_CROSSED] = "it is crossed, bid {0} above ask {1}" };

const struct og_quote *og_facts_raw_quote(const struct og_facts *f, struct og_str symbol)
{
    const struct og_quote_entry *e = entry_of(f, OG_AT_QUOTE, symbol);

    return e ? &e->quote : NULL;
}

const struct og_quote *og_facts_quote(const struct og_facts *f, struct og_str symbol)
{
    const struct og_quote *q = og_facts_raw_quote(f, symbol);

    return q && q->fault == OG_QUOTE_SOUND ? q : NULL;
}

OG_HOT struct og_money og_quote_most(const struct og_quote *q)
{
    struct og_money most = { 0, 0 };

    if (q->has_bid)
        most = q->bid;
    if (q->has_ask && og_price_cmp(q->ask, most) > 0)
        most = q->ask;
    if (q->has_last && og_price_cmp(q->last, most) > 0)
        most = q->last;
    return most;
}

OG_HOT const struct og_borrow *og_facts_borrow(const struct og_facts *f, struct og_str symbol)
{
    const struct og_borrow_entry *e = entry_of(f, OG_AT_BORROW, symbol);

    return e ? &e->borrow : NULL;
}

const struct og_symbol_status *og_facts_symbol_status(const struct og_facts *f, struct og_str symbol)
{
    const struct og_part *p = f->part[OG_AT_SYMBOL_STATUS];
    char dotted[OG_SYMBOL_FOLDED];
    const struct og_symbol_status_entry *e =
        p && p->map.count ? og_facts_map_get(&p->map, og_spelling_dotted(symbol, dotted)) : NULL;

    return e ? &e->status : NULL;
}

OG_HOT const struct og_borrow *og_facts_borrow_by(const struct og_facts *f, struct og_str symbol, uint64_t hash)
{
    const struct og_borrow_entry *e = find_in(f, OG_AT_BORROW, symbol, hash);

    return e ? &e->borrow : NULL;
}

bool og_facts_available(const struct og_facts *f, struct og_str symbol, struct og_money *shares)
{
    const struct og_locate_entry *e = entry_of(f, OG_AT_LOCATES, symbol);

    *shares = e ? e->available : (struct og_money){ 0, 0 };
    return f->part[OG_AT_LOCATES] != NULL;
}

const struct og_locate *og_facts_locates(const struct og_facts *f)
{
    return f->part[OG_AT_LOCATE_HISTORY] ? f->part[OG_AT_LOCATE_HISTORY]->is.locates : NULL;
}

const struct og_inventory *og_facts_inventory(const struct og_facts *f, struct og_str symbol)
{
    const struct og_locate_entry *e = entry_of(f, OG_AT_LOCATES, symbol);

    return e ? e->rows : NULL;
}

const struct og_calls *og_facts_calls(const struct og_facts *f)
{
    static const struct og_calls none;

    return f->part[OG_AT_CALLS] ? f->part[OG_AT_CALLS]->is.calls : &none;
}

/* Returns the entry of a contract in capitals and digits, which has no other spelling. */
static const void *contract_in(const struct og_facts *f, int at, struct og_str key, uint64_t hash)
{
    return f->part[at] ? og_facts_map_find(&f->part[at]->map, key, hash) : NULL;
}

const struct og_quote *og_facts_contract_quote(const struct og_facts *f, struct og_str symbol)
{
    const struct og_quote_entry *q = contract_in(f, OG_AT_QUOTE, symbol, og_facts_map_hash(symbol));

    return q && q->quote.fault == OG_QUOTE_SOUND ? &q->quote : NULL;
}

OG_HOT void og_facts_symbol(const struct og_facts *f, struct og_str symbol, uint64_t hash, bool contract,
                            const struct og_holding **holding, const struct og_quote **raw_quote)
{
    const struct og_holding_entry *h = og_facts_map_find(&f->sums->holdings, symbol, hash);
    const struct og_quote_entry *q =
        contract ? contract_in(f, OG_AT_QUOTE, symbol, hash) : find_in(f, OG_AT_QUOTE, symbol, hash);

    *holding = h && (h->is.lots || h->is.working) ? &h->is : NULL;
    *raw_quote = q ? &q->quote : NULL;
}

const struct og_totals *og_facts_totals(const struct og_facts *f)
{
    return &f->sums->totals;
}

static bool legless_on(const struct og_facts *f, struct og_str symbol)
{
    const struct og_holding_entry *h = symbol.len ? og_facts_map_get(&f->sums->holdings, symbol) : NULL;

    return h && h->is.legless > 0;
}

bool og_facts_has_unknown_symbol(const struct og_facts *f)
{
    return f->sums->totals.legless && legless_on(f, OG_FACTS_ANY);
}

bool og_facts_has_legless(const struct og_facts *f, struct og_str root)
{
    const struct og_root *known;

    if (f->sums->totals.legless == 0)
        return false;
    if (og_root_is_derived(root))
        root = og_root_bare(root); /* a spread counts on its underlying, and any spread may have contracts of this
                                    * root */
    known = og_root_find(root);
    return legless_on(f, root) || legless_on(f, og_root_shares(root)) || (known && legless_on(f, known->underlying)) ||
           legless_on(f, OG_FACTS_ANY);
}

struct og_beyond og_facts_exposure(const struct og_facts *f)
{
    const struct og_totals *t = &f->sums->totals;
    struct og_beyond sum = { t->longs, t->shorts, t->unpriced, t->unpriced };
    int64_t as_of;

    if (og_facts_known(f, OG_FACT_POSITIONS, &as_of)) {
        sum.longs += t->beyond.longs;
        sum.shorts += t->beyond.shorts;
        sum.unpriced += t->beyond.unpriced;
        sum.unpriced_shorts += t->beyond.unpriced_shorts;
    }
    sum.shorts += t->lose;
    return sum;
}

const struct og_pnl *og_facts_pnl(const struct og_facts *f)
{
    return f->part[OG_AT_PNL] ? f->part[OG_AT_PNL]->is.pnl : NULL;
}

OG_HOT void og_facts_expect(const struct og_facts *f, const struct og_order *o, struct og_lookup_keys *k)
{
    og_facts_map_expect(&f->sums->holdings, og_lookup_keys_symbol(k, o));
    if (o->client_id.len)
        og_facts_map_expect(&f->ids, og_lookup_keys_id(k, o));
    og_lookup_keys_need(k, o, OG_HASH_OF_DUPLICATE);
    if (og_duplicate_key_is_set(&k->twin))
        og_facts_map_expect(&f->sums->twins, k->twin_hash);
    if (o->security != OG_MLEG)
        return;
    og_lookup_keys_need(k, o, OG_HASH_OF_LEGS);
    for (int i = 0; i < o->legs_kept; i++)
        og_facts_map_expect(&f->sums->holdings, k->leg[i]);
}

OG_HOT void og_facts_fetch(const struct og_facts *f, const struct og_order *o, struct og_lookup_keys *k)
{
    const size_t whole = sizeof(struct og_holding_entry) + 32; /* the symbol's text is stored directly behind its
                                                                * entry */

    if (og_duplicate_key_is_set(&k->twin))
        og_facts_map_fetch(&f->sums->twins, k->twin_hash, sizeof(struct og_duplicate_entry));
    og_facts_map_fetch(&f->sums->holdings, k->symbol, whole);
    for (int i = 0; o->security == OG_MLEG && i < o->legs_kept; i++)
        og_facts_map_fetch(&f->sums->holdings, k->leg[i], whole);
}

int og_facts_wants(const struct og_facts *f, size_t *bytes)
{
    const struct og_facts_map *const maps[OG_FACTS_WANTS] = { &f->ids, &f->sums->twins, &f->sums->holdings };
    int count = 0;

    for (int i = 0; i < OG_FACTS_WANTS; i++) {
        bytes[count] = og_facts_map_wants(maps[i]);
        count += bytes[count] != 0;
    }
    return count;
}
