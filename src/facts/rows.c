/*
 * Reads rows of orders as changes of what works (G23, H1, P31, CON-13, CON-43).  A working order is rejected if its
 * contract, side or size is missing, since none of these may be guessed.
 */
#include "facts/documents.h"

bool og_facts_remember(struct og_facts_reader *r, struct og_part *p, const struct og_change *c)
{
    struct og_change *kept = og_arena_take(&p->arena, sizeof *kept);
    char to[OG_SYMBOL_FOLDED];

    if (!kept)
        return og_facts_no_memory(r);
    *kept = *c;
    kept->traded = og_arena_copy(&p->arena, og_facts_fold(c->traded, to)); /* brk.b is a position in BRK.B */
    kept->id = c->id.len ? og_arena_copy(&p->arena, c->id) : c->id;
    kept->next = p->changes;
    p->changes = kept;
    return (kept->traded.s && (kept->id.s || !c->id.len)) || og_facts_no_memory(r);
}

bool og_facts_is_contract(struct og_str symbol)
{
    struct og_occ occ;

    og_occ_read(symbol, &occ);
    return occ.is;
}

bool og_facts_read_traded(struct og_facts_reader *r, const cJSON *row, struct og_str *traded)
{
    struct og_str security, symbol;

    if (!og_facts_read_text(r, row, "securityType", OG_MAY_BE_NULL, &security) ||
        !og_facts_read_text(r, row, "tradedSymbol", OG_MAY_BE_NULL, traded) ||
        !og_facts_read_text(r, row, "symbol", traded->len ? OG_MAY_BE_NULL : OG_MUST, &symbol))
        return false;
    if (!traded->len)
        *traded = symbol;
    return !og_str_is(security, "Option") || og_facts_is_contract(*traded) ||
           og_facts_refuse(r, "tradedSymbol", "the OCC contract of the option", og_doc_get(row, "tradedSymbol"));
}

enum life { OVER, REJECTED, PENDING, WORKING, MAYBE };

static enum life life_of(struct og_str status, struct og_str tif)
{
    static const struct {
        const char *name;
        enum life life;
    } known[] = {
        { "PendingNew", PENDING },      { "New", WORKING },         { "Accepted", WORKING },
        { "PartiallyFilled", WORKING }, { "PendingCancel", MAYBE }, { "Filled", OVER },
        { "Canceled", OVER },           { "Expired", OVER },        { "Rejected", REJECTED },
    };

    for (size_t i = 0; i < sizeof known / sizeof *known; i++)
        if (og_str_is(status, known[i].name))
            return known[i].life;
    /* the order may also work in the next session; so may an order with an unknown time in force */
    if (og_str_is(status, "DoneForDay"))
        switch (og_tif_of(tif)) {
        case OG_TIF_NONE:
        case OG_GOOD_TILL_CANCEL:
        case OG_GTC_PLUS: return MAYBE;
        default: return OVER;
        }
    return MAYBE; /* the service does not document this status: the order may fill */
}

struct row {
    struct og_str account, id, status;
    enum life life;
    enum og_filled_shown filled;
    struct og_money executed;
};

/* Read a text under its REST key; if that key is absent, under its WebSocket key. */
static bool read_either(struct og_facts_reader *r, const cJSON *item, const char *clean, const char *websocket,
                        struct og_str *out)
{
    struct og_str other;

    if (!og_facts_read_text(r, item, clean, OG_MAY_BE_NULL, out) ||
        !og_facts_read_text(r, item, websocket, OG_MAY_BE_NULL, &other))
        return false;
    if (!out->len)
        *out = other;
    return true;
}

/* Read the member's names in both shapes, REST and WebSocket. */
static bool read_names(struct og_facts_reader *r, const cJSON *item, struct row *row)
{
    struct og_str user, status, tif;
    const char *colon;

    if (!read_either(r, item, "accountId", "account", &row->account) ||
        !read_either(r, item, "orderStatus", "status", &status) ||
        !og_facts_read_text(r, item, "clientOrderId", OG_MAY_BE_NULL, &row->id) ||
        !og_facts_read_text(r, item, "userOrderId", OG_MAY_BE_NULL, &user) ||
        !og_facts_read_text(r, item, "timeInForce", OG_MAY_BE_NULL, &tif))
        return false;
    if (!status.len && r->in_flight)
        status = OG_STR("PendingNew"); /* no status: the order is in the form in which it was posted */
    if (!status.len)
        return og_facts_refuse(r, "orderStatus", "a string that is not empty", og_doc_get(item, "orderStatus"));
    colon = user.s ? memchr(user.s, ':', user.len) : NULL;
    if (!row->account.len && colon)
        row->account = (struct og_str){ user.s, (size_t)(colon - user.s) };
    if (!row->id.len)
        row->id = colon ? (struct og_str){ colon + 1, user.len - (size_t)(colon + 1 - user.s) } : user;
    row->status = status;
    row->life = life_of(status, tif);
    row->filled = og_shown_filled(item, status, &row->executed);
    return true;
}

/* Returns a number of the row, or 0 if the row does not show it. */
static struct og_money number_of(const cJSON *item, const char *key)
{
    struct og_money m;

    return og_doc_money(item, key, &m) ? m : og_money_from(0);
}

/* Returns true if the row's limit bounds the price of the order. A row may show a limit that its type ignores: an order
 * of another type, or of a type that is not known here, fills at the market. Without a type the limit counts. */
static bool is_limited(const cJSON *item)
{
    struct og_str type;

    return !og_doc_str(item, "orderType", &type) || !type.len || og_str_is(type, "Limit") ||
           og_str_is(type, "StopLimit");
}

static struct og_money limit_of(const cJSON *item)
{
    return is_limited(item) ? number_of(item, "limitPrice") : og_money_from(0);
}

/* Returns how many contracts one unit of a spread trades; 0 if the row does not show its legs. */
static int64_t contracts_each(const cJSON *item)
{
    const cJSON *legs = og_doc_get(item, "legs"), *leg;
    const int64_t units = og_money_floor(number_of(item, "orderQuantity"));
    int64_t sum = 0;

    if (!cJSON_IsArray(legs))
        return 0;
    cJSON_ArrayForEach (leg, legs) {
        const int64_t ratio = og_money_floor(number_of(leg, "ratio")), size = og_money_floor(number_of(leg, "qty"));

        if (ratio <= 0 && (size <= 0 || units <= 0))
            return 0;
        sum += ratio > 0 ? ratio : (size + units - 1) / units;
    }
    return sum;
}

/* Keep the terms of a row. Returns false if memory runs out. */
static bool keep_terms(struct og_part *p, const cJSON *item, struct og_shown_terms *t)
{
    struct og_shown_leg leg[OG_LEGS_KEPT], *kept;

    og_shown_terms_read(item, t, leg);
    t->leg = kept = t->legs > 0 ? og_arena_take(&p->arena, (size_t)t->legs * sizeof *kept) : NULL;
    for (int i = 0; kept && i < t->legs; i++) {
        kept[i] = leg[i];
        kept[i].symbol = og_arena_copy(&p->arena, leg[i].symbol);
        if (!kept[i].symbol.s)
            return false;
    }
    t->symbol = og_arena_copy(&p->arena, t->symbol);
    t->traded = og_arena_copy(&p->arena, t->traded);
    return t->symbol.s && t->traded.s && (kept || t->legs <= 0);
}

/* Record the order under its id.  If a second order was rejected for using the same id, the first one counts. */
static bool know_order(struct og_facts_reader *r, struct og_part *p, const struct row *row, const cJSON *item,
                       struct og_id_entry *e, const struct og_known_order **order)
{
    struct og_known_order *known = og_arena_take(&p->arena, sizeof *known);

    if (!known || !keep_terms(p, item, &known->terms))
        return og_facts_no_memory(r);
    known->legs = known->terms.security == OG_MLEG ? contracts_each(item) : 0;
    known->updated = og_facts_updated(item);
    known->status = og_arena_copy(&p->arena, row->status);
    known->filled = row->filled;
    known->executed = row->executed;
    known->price = number_of(item, "priceAvg");
    known->limited = is_limited(item);
    known->over = row->life == OVER;
    known->rejected = row->life == REJECTED;
    known->traded = known->terms.traded.len ? known->terms.traded : known->terms.symbol;
    known->other = e->order && !e->order->rejected ? e->order : NULL;
    if (!e->order || row->life != REJECTED)
        e->order = known;
    *order = known;
    return known->status.s || og_facts_no_memory(r);
}

/* *order: the row's order, if it is one of the account and has an id. */
static bool use_id(struct og_facts_reader *r, struct og_part *p, const struct row *row, const cJSON *item, bool own,
                   const struct og_known_order **order)
{
    struct og_id_entry *e;
    enum og_id_use use = !own ? OG_ID_OTHER_ACCOUNT : row->life == REJECTED ? OG_ID_REJECTED : OG_ID_ACCEPTED;

    if (!row->id.len)
        return true;
    e = og_facts_id_entry(&p->map, row->id, og_facts_map_hash(row->id));
    if (!e)
        return og_facts_no_memory(r);
    e->pending = e->use == OG_ID_FREE && row->life == PENDING;
    e->use = og_facts_surer(e->use, use);
    return !own || know_order(r, p, row, item, e, order);
}

/* The keys that a row uses for its quantities; NULL if the shape has no such key. */
struct spelling {
    const char *leaves, *alias, *quantity, *done, *canceled, *cancelled;
};
static const struct spelling of_order = { "leavesQuantity", "lvsQty",           "orderQuantity",
                                          "executed",       "canceledQuantity", "cancelledQuantity" };
static const struct spelling of_leg = { .leaves = "lvsQty", .quantity = "qty", .canceled = "cxlQty" };

/* Read the first of two keys that is present; if neither is, *has is false and the size 0. */
static bool read_first(struct og_facts_reader *r, const cJSON *row, const char *key, const char *other, bool *has,
                       struct og_money *size)
{
    *has = false;
    *size = (struct og_money){ 0, 0 };
    return (!key || og_facts_read_size(r, row, key, OG_MAY, has, size)) &&
           (*has || !other || og_facts_read_size(r, row, other, OG_MAY, has, size));
}

/* Set *left to what is left of a quantity.  Returns false if it would be negative. */
static bool left_of(const struct og_money *quantity, struct og_money done, struct og_money canceled,
                    struct og_money *left)
{
    return og_money_sub(*quantity, done, left) && og_money_sub(*left, canceled, left) && left->coef >= 0;
}

/* Read how much of an order may still fill: what the row states as left, or the quantity less what filled or was
 * canceled.  A working row that leaves nothing contradicts itself: then all that has not filled counts; if all has
 * filled, the whole quantity.  need: whether the row must have the quantity. */
static bool read_leaves(struct og_facts_reader *r, const cJSON *row, const struct spelling *k, enum og_facts_need need,
                        bool *has, struct og_money *leaves)
{
    struct og_money quantity, done, canceled, left = { 0, 0 };
    bool said, sized, counted;

    if (!read_first(r, row, k->leaves, k->alias, &said, leaves))
        return false;
    *has = said && leaves->coef > 0;
    if (!og_facts_read_size(r, row, k->quantity, *has ? OG_MAY : need, &sized, &quantity) ||
        !read_first(r, row, k->done, NULL, &counted, &done) ||
        !read_first(r, row, k->canceled, k->cancelled, &(bool){ false }, &canceled))
        return false;
    if (!sized || quantity.coef == 0 || (*has && !counted))
        return true;
    if (!left_of(&quantity, done, canceled, &left) && !said)
        return og_facts_refuse(r, k->quantity, "at least what is executed and canceled of it",
                               og_doc_get(row, k->quantity));
    if (!*has && left.coef <= 0 && (!left_of(&quantity, done, (struct og_money){ 0, 0 }, &left) || left.coef == 0))
        left = quantity;
    if (!*has || og_money_cmp(left, *leaves) > 0)
        *leaves = left;
    *has = true;
    return true;
}

/* Read side and openClose of a row.  SellShort is Sell and Open, whatever openClose says. */
static bool read_direction(struct og_facts_reader *r, const cJSON *row, enum og_side *side, int *opens)
{
    struct og_str text, open_close;

    if (!og_facts_read_text(r, row, "side", OG_MUST, &text) ||
        !og_facts_read_text(r, row, "openClose", OG_MAY_BE_NULL, &open_close))
        return false;
    *opens = og_opens(og_open_close_of(open_close));
    *side = og_side_of(text);
    if (*side)
        return true;
    *side = OG_SELL;
    *opens = 1;
    return og_str_is(text, "SellShort") ||
           og_facts_refuse(r, "side", "\"Buy\", \"Sell\" or \"SellShort\"", og_doc_get(row, "side"));
}

static void twin_of_row(struct og_duplicate_key *to, const cJSON *item, enum og_side side, int opens)
{
    const struct og_money limit = limit_of(item), stop = number_of(item, "priceStop");

    og_facts_duplicate_key(to, side, opens, number_of(item, "orderQuantity"), &limit, &stop);
}

/* Returns the value in cents by the row's limit; without a limit, by its stop; without either, the value is unknown.
 * written: the put that the row sells to open, or NULL. The value is the most that this put can lose, if that is
 * more. */
static int64_t cents_of(const cJSON *item, struct og_money leaves, bool contracts, const struct og_occ *written)
{
    struct og_money price = limit_of(item), loss;
    int64_t cents, lost;

    if (!price.coef)
        price = number_of(item, "priceStop");
    if (!price.coef)
        price = number_of(item, "stopPrice");
    cents = price.coef ? og_cents_of(leaves, price, contracts) : -1;
    if (!written)
        return cents;
    og_put_loses(written->strike, limit_of(item), &loss);
    lost = og_cents_of(leaves, loss, true);
    return price.coef ? (cents < 0 || lost < 0 ? -1 : cents > lost ? cents : lost) : OG_AT_LEAST(lost < 0 ? 0 : lost);
}

/* Mark a quantity whose value is known only by a quote: the value by the row's own prices is a lower bound. */
static void loosen(struct og_change *c, struct og_money leaves)
{
    const int64_t closes = c->closes < 0 ? OG_AT_LEAST(c->closes) : c->closes;
    const int64_t said = c->longs + c->shorts + closes; /* only one of the three can be set */

    c->loose = leaves;
    c->least = said;
}

/* Set the value of an opening leg: it depends on the leg's own quote, since the spread's net price does not say what a
 * leg is worth.  The net price is a lower bound of all legs together, and is counted on one of them. */
static void price_leg(struct og_change *c, enum og_side side, bool has, struct og_money leaves, int64_t least)
{
    if (has && leaves.coef == 0)
        return;
    og_facts_worth(c, side == OG_BUY, OG_AT_LEAST(least));
    c->loose = leaves;
    c->least = least;
}

/* Read the quantity of a leg that states only its ratio, as in a posted order: the ratio times the working units. */
static bool read_ratio(struct og_facts_reader *r, const cJSON *leg, struct og_money units, bool *has,
                       struct og_money *size)
{
    struct og_money ratio;

    if (!og_facts_read_size(r, leg, "ratio", OG_MAY, has, &ratio) || !*has)
        return !*has;
    return og_money_mul(ratio, units, size) ||
           og_facts_refuse(r, "ratio", "a number of at most 18 digits", og_doc_get(leg, "ratio"));
}

/* What is needed of a spread to read its legs. units: how many units are working (NULL if unknown). net: the spread's
 * net price in cents; 0 once it was counted on an opening leg. */
struct spread {
    const struct og_money *units;
    int64_t net;
    bool uneven; /* a leg has nothing left, so that the legs of the rest do not fill together */
};

/* Returns the cents that puts can lose if they are written, whatever they are sold for. */
static int64_t put_loses(const struct og_occ *put, struct og_money contracts)
{
    const og_wide cents = og_put_strikes(put->strike, og_money_floor(contracts));

    return cents > OG_CENTS_MOST ? OG_CENTS_MOST : (int64_t)cents;
}

/* Read the rest of a working order or leg whose symbol was read before. of: the spread of a leg; NULL if not a leg. */
static bool read_working(struct og_facts_reader *r, const cJSON *item, const struct spelling *k, struct spread *of,
                         bool maybe, struct og_change *c, struct og_part *p)
{
    struct og_money leaves;
    struct og_occ occ;
    enum og_side side;
    bool has;
    int opens;

    if (!read_direction(r, item, &side, &opens) ||
        !read_leaves(r, item, k, r->in_flight || (side == OG_BUY && opens == 1) ? OG_MAY : OG_MUST, &has,
                     &leaves) /* opening buys may lack a quantity, because they close nothing */
        || (!has && of && of->units && !read_ratio(r, item, *of->units, &has, &leaves)))
        return false;
    og_occ_read(c->traded, &occ);
    if (leaves.scale && occ.is)
        return og_facts_refuse(r, k->leaves, "a whole number of contracts", og_doc_get(item, k->leaves));
    og_facts_working(c, side, opens, maybe, leaves);
    c->trades = true;
    c->unsized = opens != 0 && !has;
    c->leg = !of ? 0 : side == OG_BUY ? 1 : -1;
    if (opens == 0) /* a leg that only closes: its value is known only by its own quote */
        c->closes = OG_AT_LEAST(side == OG_SELL && occ.type == 'P' && has ? put_loses(&occ, leaves) : 0);
    if (k == &of_order) {
        const struct og_occ *written = side == OG_SELL && occ.type == 'P' ? &occ : NULL;
        const int64_t cents = has ? cents_of(item, leaves, occ.is, written) : OG_AT_LEAST(0);

        twin_of_row(&c->twin, item, side, opens);
        if (opens != 0) {
            og_facts_worth(c, side == OG_BUY, cents);
            c->puts = written && has ? put_loses(&occ, leaves) : 0;
        } else {
            c->closes = cents;
        }
        c->buys = side != OG_BUY ? 0 : cents < 0 ? OG_AT_LEAST(cents) : cents;
        c->leans = side == OG_SELL && opens != 0 && occ.is && occ.type == 'C';
        c->brings = cents < 0 ? 0 : cents;
        c->leaning = 2 * c->brings; /* the value of the order plus the premium that it brings */
        if (has && (side == OG_SELL || limit_of(item).coef == 0))
            loosen(c, leaves); /* a sell may fill above its limit: the limit gives only a lower bound */
    } else if (opens != 0) {
        price_leg(c, side, has, leaves, of->net);
        of->net = 0;
    } else if (has) {
        loosen(c, leaves);
    }
    return og_facts_remember(r, p, c);
}

static bool read_single(struct og_facts_reader *r, const cJSON *item, struct og_str id, bool maybe, struct og_part *p)
{
    struct og_change c = { .working = 1, .orders = 1, .id = id };

    return og_facts_read_traded(r, item, &c.traded) && read_working(r, item, &of_order, NULL, maybe, &c, p);
}

/* Read a leg of a spread.  It is not certain that the broker sees a leg as opposite to other orders (CON-21). */
static bool read_leg(struct og_facts_reader *r, const cJSON *item, struct spread *of, struct og_str root,
                     struct og_str id, struct og_part *p)
{
    struct og_change c = { .id = id };

    if (!og_facts_read_object(r, item) || !og_facts_read_text(r, item, "symbol", OG_MUST, &c.traded))
        return false;
    c.working = !og_str_eq(c.traded, root);
    of->uneven = of->uneven || (og_doc_get(item, of_leg.leaves) && number_of(item, of_leg.leaves).coef == 0);
    return read_working(r, item, &of_leg, of, true, &c, p);
}

/* Returns the contracts that a row opens on a side. */
static int64_t opens_of(const struct og_change *c, enum og_size side)
{
    for (int i = 0; i < c->sizes; i++)
        if (c->size[i].of == side)
            return og_money_floor(c->size[i].by);
    return 0;
}

/* If a spread writes contracts of a type, raise the value of one of them, so that all together count at the most that
 * they can lose. Contracts of the type and root that the spread buys are cover; a call that nothing covers has no
 * bound, and counts at its price. Calls and puts are raised separately: only later quotes tell which of them lose more.
 * legs: the newest of the spread's rows, which end at `whole`. */
static void count_written(struct og_change *legs, const struct og_change *whole, char type)
{
    struct og_lot lot[OG_LEGS_KEPT];
    struct og_change *written = NULL;
    struct og_str root = { NULL, 0 };
    struct og_occ occ;
    int64_t shorts, longs, bare = 0, shares = 0;
    og_wide lost = 0;
    int count = 0;

    for (struct og_change *c = legs; c != whole; c = c->next) {
        og_occ_read(c->traded, &occ);
        shorts = opens_of(c, OG_OPENING_SELL_LEAVES);
        longs = opens_of(c, OG_OPENING_BUY_LEAVES);
        shares += occ.is ? 0 : longs;
        if (occ.type != type || !(shorts | longs))
            continue;
        root = root.len ? root : occ.root;
        written = shorts ? c : written;
        if (count < OG_LEGS_KEPT && og_str_eq(root, occ.root))
            lot[count++] = (struct og_lot){ occ.strike, occ.expiry, shorts, longs, 0 };
        else
            lost += type == 'P' ? og_put_strikes(occ.strike, shorts) : 0;
    }
    lost += type == 'P' ? og_puts_lose(lot, count) : og_calls_lose(lot, count, 0, &bare);
    if (written && type == 'P')
        written->puts = lost > OG_CENTS_MOST ? OG_CENTS_MOST : (int64_t)lost;
    if (written && lost > written->least) {
        written->least = lost > OG_CENTS_MOST ? OG_CENTS_MOST : (int64_t)lost;
        written->shorts = written->least;
    }
    /* long calls held may cover these calls */
    for (struct og_change *c = legs; c != whole && bare * 100 > shares; c = c->next) {
        og_occ_read(c->traded, &occ);
        c->leans = occ.type == 'C';
        c->leaning = c == written ? c->shorts : 0;
    }
}

/* Set how far the legs of a spread cover what the others write. legs: the newest of the spread's rows, which end at
 * `whole`. */
static void count_own(struct og_change *legs, const struct og_change *whole)
{
    struct og_own_leg own[OG_LEGS_KEPT];
    struct og_occ occ[OG_LEGS_KEPT];
    int count = 0;

    for (const struct og_change *c = legs; c != whole; c = c->next) {
        const int64_t longs = opens_of(c, OG_OPENING_BUY_LEAVES);
        const bool closes = opens_of(c, OG_EITHER_BUYS) || opens_of(c, OG_EITHER_SELLS);

        if (count == OG_LEGS_KEPT)
            return;
        og_occ_read(c->traded, &occ[count]);
        own[count] = (struct og_own_leg){ .symbol = c->traded,
                                          .occ = &occ[count],
                                          .buys = longs > 0,
                                          .size = closes  ? 0
                                                  : longs ? longs
                                                          : opens_of(c, OG_OPENING_SELL_LEAVES) };
        count++;
    }
    og_own_cover_of(own, count);
    for (int i = 0; i < count; i++, legs = legs->next)
        legs->own = own[i].own;
}

/* Returns true if some leg of a spread writes puts: the spread then counts at what these puts can lose, not at its net
 * price. */
static bool writes_puts(const struct og_change *legs, const struct og_change *whole)
{
    while (legs != whole && !legs->puts)
        legs = legs->next;
    return legs != whole;
}

/* Read a spread, which counts as working on its underlying.  Only WebSocket rows show its legs; each leg then counts at
 * its own value.  Without legs the spread may trade anything on the underlying, and its net price is a lower bound
 * of its value. */
static bool read_spread(struct og_facts_reader *r, const cJSON *item, struct og_str id, struct og_part *p)
{
    const cJSON *legs = og_facts_member(item, "legs", OG_MAY_BE_NULL), *leg;
    struct og_change c = { .trades = true, .working = 1, .orders = 1, .id = id };
    struct og_money leaves;
    struct spread of = { .net = 0 };
    size_t mark, row_mark;
    struct og_change *whole;
    int64_t net;
    bool ok, has;
    int i = 0;

    if (!og_facts_read_text(r, item, "symbol", OG_MUST, &c.traded) ||
        !read_leaves(r, item, &of_order, OG_MAY, &has, &leaves))
        return false;
    net = has ? cents_of(item, leaves, true, NULL) : -1;
    net = net < 0 ? 0 : net;
    of = (struct spread){ .units = has ? &leaves : NULL, .net = net };
    c.legless = c.unsized = !cJSON_GetArraySize(legs);
    if (c.legless)
        og_facts_worth(&c, true, OG_AT_LEAST(of.net));
    if (!og_facts_remember(r, p, &c))
        return false;
    if (legs && !cJSON_IsArray(legs))
        return og_facts_refuse(r, "legs", "an array or null", legs);
    whole = p->changes;
    mark = og_facts_enter(r, "legs");
    ok = true;
    cJSON_ArrayForEach (leg, legs) {
        row_mark = og_facts_enter_row(r, i++);
        ok = ok && read_leg(r, leg, &of, c.traded, id, p);
        og_facts_leave(r, row_mark);
    }
    og_facts_leave(r, mark);
    if (!ok)
        return false;
    count_written(p->changes, whole, 'C');
    count_written(p->changes, whole, 'P');
    if (!of.uneven)
        count_own(p->changes, whole);
    /* the row does not say whether the spread is for a credit */
    whole->buys = writes_puts(p->changes, whole) ? 0 : net;
    return true;
}

bool og_facts_read_order(struct og_facts_reader *r, const cJSON *item, struct og_part *p)
{
    const struct og_known_order *order = NULL;
    struct og_str security;
    struct row row;
    bool own;

    if (!og_facts_read_object(r, item) || !read_names(r, item, &row) ||
        !og_facts_read_owner(r, item, row.account, &own) ||
        !og_facts_read_text(r, item, "securityType", OG_MAY_BE_NULL, &security))
        return false;
    if (!use_id(r, p, &row, item, own, &order) || (own && (row.filled != OG_FILLED_SAID || row.executed.coef > 0) &&
                                                   !og_facts_remember_fill(r, item, row.id, order, p)))
        return false;
    if (!own || row.life == OVER || row.life == REJECTED)
        return true;
    if (og_str_is(security, "MLEG") || og_str_is(security, "Mleg"))
        return read_spread(r, item, row.id, p);
    return read_single(r, item, row.id, row.life == MAYBE, p);
}
