/*
 * The counterpart of the property test: safe orders are accepted.
 *
 * Each limit in turn is approached with small orders, none of which may be refused until 95 % of the limit are used;
 * the first order beyond it must be refused.
 *
 * usable [--seed S] [--count ROUNDS]
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "adversary.h"
#include "ordergate/halt.h"

static struct world w;
static struct og_book *book;
static struct og_scratch *scratch;
static struct og_order *order;
static struct text json;
static int failed;
static long walks, accepted;

static void must(enum og_status s, const struct og_error *err)
{
    if (s == OG_OK)
        return;
    fprintf(stderr, "usable: %s: %s\n", og_status_text(s), err ? err->text : "");
    exit(2);
}

/* How each limit is approached: with which orders, and up to which value. */
static const struct walk {
    enum limit limit;
    int64_t most;
    bool options, shorts, one_symbol;
    int64_t quantity; /* quantity of the first order; 0 if it is computed from the rest of the limit */
    bool puts;
} walks_of[] = {
    { L_NOTIONAL, 30000, false, false, false, 0, false },
    { L_NOTIONAL, 30000, false, true, false, 0, false },
    { L_NOTIONAL, 95000, true, true, true, 0, true }, /* puts count at their strikes */
    { L_SHARES, 700, false, false, true, 0, false },
    { L_CONTRACTS, 20, true, false, false, 0, false },
    { L_GROSS, 90000, false, false, false, 25, false },
    { L_GROSS, 90000, true, false, false, 5, false },
    { L_SHORT, 60000, false, true, false, 15, false },
    { L_SHORT, 170000, true, true, true, 1, true },
    { L_GROSS, 170000, true, true, true, 1, true },
    { L_SECURED, 0, true, true, true, 1, true },
    { L_POSITION_SHARES, 400, false, false, true, 20, false },
    { L_POSITION_SHARES, 400, false, true, true, 20, false },
    { L_POSITION_CONTRACTS, 20, true, false, true, 1, false },
    { L_AN_ORDER, 20, true, false, false, 0, false },
    { L_IN_TOTAL, 20, true, false, false, 1, false },
    { L_CONCENTRATION, 1000, false, false, true, 300, false },
    { L_OPEN_TOTAL, 20, false, false, false, 1, false },
    { L_OPEN_SYMBOL, 10, false, false, true, 1, false },
    { L_SECOND, 5, false, false, false, 1, false },
    { L_MINUTE, 20, false, false, false, 1, false },
    { L_DAY, 20, false, false, false, 1, false },
    { L_POWER, 0, false, false, false, 20, false },
    { L_POWER, 0, true, false, false, 3, false },
};

/* The market does not move; tell the gate its quotes. */
static void tell_quotes(void)
{
    struct og_error err = { 0 };

    for (int i = 0; i < THINGS; i++) {
        w.thing[i].told = TOLD_GOOD;
        w.thing[i].told_at = w.now;
        json.len = 0;
        if (world_quote(&w, i, &json))
            must(og_book_quote(book, json.s, json.len, &err), &err);
    }
}

static void begin(const struct walk *walk, enum base base, uint64_t seed, struct chance *c)
{
    struct text yaml = { NULL, 0, 0 };
    struct og_policy *policy;
    struct og_error err = { 0 };
    struct account *a = &w.account[0];

    world_make(&w, seed, c);
    desk_stand(&w.desk, base);
    w.desk.refuses[walk->limit] = true;
    if (walk->limit != L_POWER)
        w.desk.most[walk->limit] = walk->most;
    w.accounts = 1;
    memset(a, 0, sizeof *a);
    snprintf(a->id, sizeof a->id, "LIVE0001");
    a->equity = walk->limit == L_SECURED ? 95000 : 600000;
    a->bp = (wide)(walk->limit == L_POWER ? 60000 : 10000000) * SCALE * SCALE;
    a->level = 4;
    a->positions_at = a->orders_at = a->account_at = OG_TIME_UNKNOWN;
    desk_write(&w.desk, &yaml);
    must(og_policy_read(yaml.s, yaml.len, "desk", &policy, NULL, NULL, &err), &err);
    must(og_book_new(policy, &book), NULL);
    must(og_book_halt_source(book, "", &err), &err);
    json.len = 0;
    do {
        struct chance more = { chance_bits(c) };

        json.len = 0;
        a->account_at = w.now; /* everything is told */
        world_facts(&w, 0, ALL_PARTS, &more, &json);
    } while (0);
    free(yaml.s);
}

/* Tell the gate everything.  Its own counters come with the first facts only. */
static void apply_facts(void)
{
    struct og_error err = { 0 };
    static const char gate[] = "{\"accountId\":\"LIVE0001\",\"usedClientOrderIds\":[],\"gate\":{\"trading\":\"on\","
                               "\"ordersLastSecond\":0,\"ordersLastMinute\":0,\"ordersToday\":0,"
                               "\"rejectionsInARow\":0,\"inFlight\":[],\"unknown\":[],\"recent\":[]},\"asOf\":\"";
    struct text one = { NULL, 0, 0 };

    must(og_book_apply(book, "LIVE0001", json.s, json.len, "facts", &err), &err);
    text_put(&one, "%s%s\"}", gate, og_time_text(w.now).s);
    must(og_book_apply(book, "LIVE0001", one.s, one.len, "facts", &err), &err);
    free(one.s);
}

static void make_order(const struct walk *walk, struct order *o, int n, int64_t quantity, struct chance *c)
{
    int stock = (!walk->one_symbol ? n % INDEX : walk->options ? 0 : 1) * (1 + CONTRACTS);
    int thing = walk->options ? stock + 1 + (walk->one_symbol ? 0 : n / INDEX % CONTRACTS) : stock;
    const struct thing *t = &w.thing[thing += walk->puts ? STRIKES : 0];

    (void)c;
    memset(o, 0, sizeof *o);
    snprintf(o->id, sizeof o->id, "u-%d", n);
    o->form = walk->options ? OPTION : STOCK;
    o->route = walk->options ? "SMARTO" : "SMART";
    o->type = LIMIT;
    o->tif = "Day";
    o->legs = 1;
    o->leg[0] = (struct leg){ thing, 1, !walk->shorts, 'O', 0 };
    /* so that no two orders have the same terms */
    n /= walk->one_symbol ? 1 : walk->options ? INDEX * CONTRACTS : INDEX;
    o->limit = walk->shorts ? t->ask + 100 * n : t->bid - 100 * n;
    o->quantity = o->leaves = quantity;
    world_price(&w, o);
}

static bool send(const struct order *o, struct og_decision *d, og_ticket *ticket)
{
    struct chance plain = { 1 };

    json.len = 0;
    order_write(&w, o, &plain, &json);
    must(og_order_read(order, json.s, json.len), NULL);
    must(og_reserve(book, order, w.now, scratch, d, ticket), NULL);
    return d->accepted;
}

static void fail(const struct walk *walk, enum base base, const char *what, const struct og_decision *d)
{
    static const char *const bases[] = { "default", "live", "cautious" };
    char name[96];

    snprintf(name, sizeof name, "usable %s %s %s%s%s", what, limit_name[walk->limit], bases[base],
             walk->options ? " options" : "", walk->shorts ? " shorts" : "");
    failed++;
    printf("%s: %s\n", name, json.s);
    for (int i = 0; i < d->count; i++)
        if (d->findings[i].level == OG_LEVEL_REFUSE)
            printf("  %s: %s\n", d->findings[i].reason, d->findings[i].message);
}

static wide used_of(const struct walk *walk, const struct order *o, int n)
{
    return walk->limit == L_OPEN_TOTAL || walk->limit == L_OPEN_SYMBOL || walk->limit == L_SECOND ||
                   walk->limit == L_MINUTE || walk->limit == L_DAY
               ? 1
           : walk->limit == L_SHARES || walk->limit == L_CONTRACTS || walk->limit == L_AN_ORDER ||
                   walk->limit == L_POSITION_SHARES || walk->limit == L_POSITION_CONTRACTS || walk->limit == L_IN_TOTAL
               ? o->quantity
           : walk->limit == L_SECURED ? (wide)w.thing[o->leg[0].thing].strike * 100 * SCALE * o->quantity
                                      : o->worth * o->quantity * (n >= 0);
}

static wide most_of(const struct walk *walk)
{
    const struct account *a = &w.account[0];

    switch (walk->limit) {
    case L_POWER: return a->bp;
    case L_SECURED: return (wide)a->equity * SCALE * SCALE;
    case L_CONCENTRATION: return (wide)a->equity * walk->most / 10000 * SCALE * SCALE;
    case L_NOTIONAL:
    case L_GROSS:
    case L_SHORT: return (wide)walk->most * SCALE * SCALE;
    default: return walk->most;
    }
}

/* Place small orders up to the limit, none of which may be refused; then place one beyond it. */
static void walk_up(const struct walk *walk, enum base base, uint64_t seed)
{
    struct chance c = chance_of(seed, 0);
    wide most, used = 0, more;
    struct og_decision d;
    struct order o;
    og_ticket ticket;
    int n = 0;

    begin(walk, base, seed, &c);
    apply_facts();
    most = most_of(walk);
    for (;; n++) {
        w.now += walk->limit == L_SECOND ? 1 : 130 * OG_NS_PER_MS;
        tell_quotes();
        if (walk->limit != L_SECOND && n % 40 == 39) { /* facts would now be too old for the policy `live` */
            if (used * 100 < most * 95)
                fail(walk, base, "not approached", &d);
            break;
        }
        make_order(walk, &o, n, walk->quantity ? walk->quantity : 1, &c);
        more = used_of(walk, &o, n);
        if (walk->quantity == 0) { /* the walk is a single order, as large as possible */
            o.quantity = o.leaves = (int64_t)(most / more);
            more = used_of(walk, &o, n);
        }
        if (used + more > most)
            break;
        if (!send(&o, &d, &ticket)) {
            if (used * 100 < most * 95)
                fail(walk, base, "safe refused", &d);
            og_book_free(book);
            return;
        }
        accepted++;
        used += walk->quantity ? more : 0;
        if (walk->quantity == 0)
            break;
    }
    make_order(walk, &o, n + 1, walk->quantity ? walk->quantity : 1, &c);
    more = used_of(walk, &o, n);
    if (walk->quantity == 0 || more < most)
        o.quantity = o.leaves =
            used_of(walk, &o, n) == 1 && walk->quantity ? 1 : (int64_t)((most - used) / (more / o.quantity)) + 1;
    world_price(&w, &o);
    if (used + used_of(walk, &o, n) > most && send(&o, &d, &ticket))
        fail(walk, base, "beyond accepted", &d);
    walks++;
    og_book_free(book);
}

int main(int argc, char **argv)
{
    uint64_t seed = 1;
    long count = 20;

    for (int i = 1; i + 1 < argc; i += 2) {
        if (strcmp(argv[i], "--seed") == 0)
            seed = strtoull(argv[i + 1], NULL, 10);
        else if (strcmp(argv[i], "--count") == 0)
            count = strtol(argv[i + 1], NULL, 10);
        else
            return fprintf(stderr, "usage: usable [--count ROUNDS] [--seed S]\n"), 2;
    }
    scratch = og_scratch_new();
    order = og_order_new();
    if (!scratch || !order)
        return 2;
    for (long round = 0; round < count; round++)
        for (size_t i = 0; i < sizeof walks_of / sizeof walks_of[0]; i++)
            for (int base = DEFAULT; base <= CAUTIOUS; base++)
                if (walks_of[i].limit != L_SECURED ||
                    base != CAUTIOUS) /* concentration refuses more than half of the equity in one
                                         * symbol, and this walk secures puts with all of the cash */
                    walk_up(&walks_of[i], (enum base)base, seed + (uint64_t)round);
    printf("%ld walks, %ld safe orders accepted\n", walks, accepted);
    og_scratch_free(scratch);
    og_order_free(order);
    free(json.s);
    return failed != 0;
}
