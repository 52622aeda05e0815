/*
 * The metamorphic test: an order that a limit refused stays refused when it is spelled in another way, split in two,
 * made worse, or decided with fewer facts.
 *
 * metamorphic [--count N] [--seed S] [--world W]
 *
 * runs until N refused orders were tried in every way that applies. Orders that another rule refused are not varied: a
 * market order that is too early may well be sent as a limit order.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "adversary.h"
#include "ordergate/halt.h"

enum { CLASSES = 512, CANDIDATES = 40 };

static struct world w;
static struct og_book *book;
static struct og_scratch *scratch;
static struct og_order *order;
static struct text json;
static bool tells;
static long asked, refused_orders;

static struct class
{
    char name[96];
    long count;
    unsigned long long seed;
} classes[CLASSES];
static int class_count;

static void must(enum og_status s, const struct og_error *err)
{
    if (s == OG_OK)
        return;
    fprintf(stderr, "metamorphic: %s: %s\n", og_status_text(s), err ? err->text : "");
    exit(2);
}

static void hole(const char *way, enum limit l, const struct order *o)
{
    static const char *const forms[] = { "stock", "option", "spread" };
    char name[96];
    int i = 0;

    snprintf(name, sizeof name, "%s %s %s%s", way, limit_name[l], forms[o->form],
             o->form == SPREAD       ? ""
             : o->leg[0].effect == 0 ? "-none"
                                     : "");
    while (i < class_count && strcmp(classes[i].name, name) != 0)
        i++;
    if (i == CLASSES)
        return;
    if (i == class_count) {
        snprintf(classes[i].name, sizeof classes[i].name, "%s", name);
        classes[i].seed = w.seed;
        class_count++;
    }
    classes[i].count++;
}

/* --- decisions ---------------------------------------------------------------------------------------------------- */

/* Returns the limit that refused the order; LIMITS if none did. */
static enum limit refused_by(const struct og_decision *d)
{
    if (d->accepted)
        return LIMITS;
    for (int i = 0; i < d->count; i++)
        for (int l = 0; l < LIMITS && d->findings[i].level == OG_LEVEL_REFUSE; l++)
            if (strcmp(limit_rule[l], d->findings[i].rule) == 0 && w.desk.most[l] != NO_LIMIT &&
                (l != L_UNCOVERED || strcmp(d->findings[i].reason, "option-uncovered") == 0))
                return (enum limit)l;
    return LIMITS;
}

static void ask_json(struct og_book *b, struct og_decision *d)
{
    must(og_order_read(order, json.s, json.len), NULL);
    og_check(b, order, w.now, scratch, d);
    asked++;
}

static void spell(const struct order *o, bool odd, struct chance *c)
{
    struct chance plain = { 0 };

    json.len = 0;
    do { /* find a seed that spells the order plainly, or in an unusual way */
        plain.state = odd ? chance_bits(c) : plain.state + 1;
        json.len = 0;
        order_write(&w, o, &plain, &json);
    } while ((strchr(json.s, '\\') != NULL) != odd);
}

static bool still(const char *way, enum limit l, const struct order *was, const struct og_decision *d)
{
    if (!d->accepted)
        return true;
    if (tells)
        printf("  HOLE %s %s: %s\n", way, limit_name[l], json.s);
    hole(way, l, was);
    return false;
}

static void again(const char *way, enum limit l, const struct order *was, const struct order *o, struct chance *c)
{
    struct og_decision d;

    spell(o, false, c);
    ask_json(book, &d);
    (void)still(way, l, was, &d);
}

/* --- other spellings ---------------------------------------------------------------------------------------------- */

static void insert(const char *members)
{
    char *copy = strdup(json.s);

    json.len = 0;
    text_put(&json, "{%s,%s", members, copy + 1);
    free(copy);
}

static void respelled(enum limit l, const struct order *o, struct chance *c)
{
    struct og_decision d;

    spell(o, true, c);
    ask_json(book, &d);
    (void)still("respelled", l, o, &d);
    spell(o, false, c);
    insert("\"note\":{\"openClose\":\"Close\",\"limitPrice\":0.01},\"orderID\":\"x\",\"OpenClose\":\"Close\"");
    ask_json(book, &d);
    (void)still("unknown keys", l, o, &d);
    if (o->form != SPREAD) {
        spell(o, false, c);
        insert("\"legs\":[{\"openClose\":\"Close\",\"side\":\"Buy\",\"symbol\":\"AAPL\",\"ratio\":1}]");
        ask_json(book, &d);
        (void)still("meaningless legs", l, o, &d);
    }
}

static void another_case(enum limit l, const struct order *o, struct chance *c)
{
    struct og_decision d;
    char *at;

    spell(o, false, c);
    if ((at = strstr(json.s, "LIVE00"))) {
        memcpy(at, "live00", 6);
        ask_json(book, &d);
        (void)still("account in another case", l, o, &d);
    }
    if (strcmp(w.desk.base, "default") == 0 || o->form == SPREAD)
        return;
    spell(o, false, c);
    at = strstr(json.s, w.thing[o->leg[0].thing].symbol);
    if (at) {
        *at = (char)(*at | 0x20);
        ask_json(book, &d);
        (void)still("symbol in another case", l, o, &d);
    }
}

/* --- orders made worse -------------------------------------------------------------------------------------------- */

static void made_worse(enum limit l, const struct order *was, struct chance *c)
{
    static const char *const tifs[] = { "Day",        "GoodTillCancel", "ImmediateOrCancel",
                                        "FillOrKill", "Day_Plus",       "GTC_Plus" };
    struct order o = *was;
    int64_t more;

    o.tif = tifs[chance_to(c, 6)];
    again("another time in force", l, was, &o, c);
    o = *was;
    o.route = o.form == STOCK ? "CTDL" : "SMART";
    again("another route", l, was, &o, c);
    o = *was;
    more = o.quantity * (1 + chance_to(c, 4)) + chance_to(c, 3);
    o.quantity = more;
    /* When a close sells shares that cover a call, the first share uncovers it, and each further one only frees buying
     * power. */
    if (l != L_POWER || o.form != STOCK || o.leg[0].effect != 'C')
        again("more", l, was, &o, c);
    o = *was;
    /* Without a quote only the order's own price is certain, and a policy may let unsure orders pass. A limit above
     * the market determines the order's worth, so a lower limit makes it worth less. */
    if (w.desk.refuses[l] && o.form != SPREAD && !o.leg[0].buy && o.leg[0].effect != 'C' && o.limit > 200 &&
        o.type == LIMIT && (!quote_known(&w, o.leg[0].thing) || o.limit <= w.thing[o.leg[0].thing].bid)) {
        o.limit = 100 + chance_to(c, o.limit / 100) * 100;
        again("a lower sell limit", l, was, &o, c);
    }
    o = *was;
    /* an order without openClose would close a position if there is one */
    if (o.form == OPTION && o.leg[0].effect == 'O' && !held(&w, &o, o.leg[0].thing, !o.leg[0].buy)) {
        o.leg[0].effect = 0;
        again("without openClose", l, was, &o, c);
    }
}

/* Returns the contract with the lowest strike among those of the order's chain and type. */
static int first_of_type(const struct order *o)
{
    return o->leg[0].thing - (o->leg[0].thing - w.thing[o->leg[0].thing].stock - 1) % STRIKES;
}

/* A spread with the same contract and quantity, and with another contract that does not change its worth. */
static void in_a_spread(enum limit l, const struct order *was, struct chance *c)
{
    struct order o = *was;
    const int first = first_of_type(was), at = was->leg[0].thing - first;

    if ((l != L_POSITION_CONTRACTS && l != L_IN_TOTAL && l != L_AN_ORDER && l != L_CONTRACTS) || was->form != OPTION ||
        was->leg[0].effect == 'C')
        return;
    o.form = SPREAD;
    o.legs = 2;
    o.type = LIMIT;
    o.limit = 10000;
    o.stop = 0;
    o.tif = "Day";
    o.route = "SMARTM";
    o.leg[0].effect = 'O';
    o.leg[1] = (struct leg){ first + (at == STRIKES - 1 ? at - 1 : at + 1), 1, !o.leg[0].buy, 'O', 0 };
    again("in a spread", l, was, &o, c);
}

static struct order beside(const struct order *was, int thing, bool buy)
{
    struct order o = *was;

    o.form = SPREAD;
    o.legs = 2;
    o.type = LIMIT;
    o.limit = was->type == LIMIT || was->type == STOP_LIMIT ? was->limit : 100;
    o.stop = 0;
    o.tif = "Day";
    o.route = "SMARTM";
    o.leg[0].effect = 'O';
    o.leg[1] = (struct leg){ thing, 1, buy, 'O', 0 };
    return o;
}

static bool writes_put(const struct order *o)
{
    return o->form == OPTION && !o->leg[0].buy && o->leg[0].effect != 'C' && w.thing[o->leg[0].thing].type == 'P';
}

/* A written put with a call written beside it: the call covers nothing, so the spread can lose as much. */
static void in_a_strangle(enum limit l, const struct order *was, struct chance *c)
{
    if (!writes_put(was) || was->leg[0].effect != 'O' || !was->limit || !w.desk.refuses[l] ||
        (l != L_NOTIONAL && l != L_GROSS && l != L_SHORT && l != L_CONCENTRATION && l != L_GROUP && l != L_WEIGHTED &&
         l != L_SECURED))
        return;
    struct order o = beside(was, was->leg[0].thing - STRIKES, false);

    if (desk_most(&w, &o, l) != desk_most(&w, was, l))
        return;
    again("in a strangle", l, was, &o, c);
}

/* Returns true for limits that refuse an order of any form, whatever it is worth. */
static bool is_of_any_form(enum limit l)
{
    return l == L_OPEN_TOTAL || l == L_OPEN_SYMBOL || l == L_SECOND || l == L_MINUTE || l == L_DAY || l == L_LOSS ||
           l == L_DRAWDOWN || l == L_BARRED || l == L_HALT || l == L_LEVEL;
}

/* An opening order for one contract, made a spread by a bought contract of the other type, which covers nothing. For
 * shares the added contract is a call if they are bought, and a put if they are sold short. */
static void with_another_leg(enum limit l, const struct order *was, struct chance *c)
{
    const struct thing *t = &w.thing[was->leg[0].thing];
    const bool shares = was->form == STOCK;
    int other = was->leg[0].thing + (t->type == 'P' ? -STRIKES : STRIKES);

    if (was->form == SPREAD || was->leg[0].effect == 'C' || (shares && was->quantity % 100))
        return;
    if (!is_of_any_form(l) && !(shares ? l == L_POSITION_SHARES || l == L_NO_SHORTS : l == L_UNCOVERED))
        return;
    if (shares)
        other = t->stock + 1 + (was->leg[0].buy ? 0 : STRIKES);
    struct order o = beside(was, other, true);

    if (shares) {
        o.leg[0].ratio = 100;
        o.leaves = o.quantity /= 100;
    }
    again("with another leg", l, was, &o, c);
}

/* If a written put passed a limit, it also passes with a lower put bought, because less can be lost. */
static void with_a_wing(const struct order *was, struct chance *c)
{
    const int first = first_of_type(was);
    struct og_decision d;

    if (!writes_put(was) || was->leg[0].thing == first || was->worth <= 0 || desk_most(&w, was, L_NOTIONAL) == NO_LIMIT)
        return;
    struct order o = beside(was, was->leg[0].thing - 1, true);
    const int64_t width = w.thing[was->leg[0].thing].strike - w.thing[o.leg[1].thing].strike;

    o.limit = 100;
    if ((wide)width * 100 * SCALE > was->worth || desk_most(&w, &o, L_NOTIONAL) != desk_most(&w, was, L_NOTIONAL))
        return;
    spell(&o, false, c);
    ask_json(book, &d);
    for (int i = 0; i < d.count; i++)
        if (strcmp(d.findings[i].rule, limit_rule[L_NOTIONAL]) == 0 && d.findings[i].level == OG_LEVEL_REFUSE) {
            if (tells)
                printf("  HOLE with a wing: %s\n", json.s);
            hole("with a wing", L_NOTIONAL, was);
        }
}

/* --- orders split in two, or in another sequence ------------------------------------------------------------------ */

static bool adds_up(enum limit l)
{
    return l == L_GROSS || l == L_SHORT || l == L_POSITION_SHARES || l == L_POSITION_CONTRACTS || l == L_IN_TOTAL ||
           l == L_CONCENTRATION || l == L_GROUP || l == L_WEIGHTED || l == L_UNCOVERED || l == L_SECURED ||
           l == L_POWER;
}

static og_ticket take(const struct order *o, const char *id, struct chance *c)
{
    struct order one = *o;
    struct og_decision d;
    og_ticket ticket;

    snprintf(one.id, sizeof one.id, "%.30s-%s", o->id, id);
    spell(&one, false, c);
    must(og_order_read(order, json.s, json.len), NULL);
    must(og_reserve(book, order, w.now, scratch, &d, &ticket), NULL);
    asked++;
    return ticket;
}

static void cut(enum limit l, const struct order *was, struct chance *c)
{
    struct order a = *was, b = *was;
    og_ticket first, second;

    if (!adds_up(l) || was->quantity < 2 || was->leg[0].effect == 'C')
        return;
    a.quantity = 1 + chance_to(c, was->quantity - 1);
    b.quantity = was->quantity - a.quantity;
    first = take(&a, "a", c);
    second = take(&b, "b", c);
    if (first && second) {
        if (tells)
            printf("  HOLE cut %s: %s\n", limit_name[l], json.s);
        hole("cut in two", l, was);
    }
    og_ticket_release(book, first);
    og_ticket_release(book, second);
}

static void reordered(enum limit l, const struct order *a, const struct order *b, struct chance *c)
{
    og_ticket first = take(b, "b", c), second;

    if (!first)
        return;
    second = take(a, "a", c);
    if (second) {
        if (tells)
            printf("  HOLE reordered %s: %s\n", limit_name[l], json.s);
        hole("reordered", l, b);
    }
    og_ticket_release(book, first);
    og_ticket_release(book, second);
}

/* --- fewer facts -------------------------------------------------------------------------------------------------- */

static struct og_book *book_of(const struct world *world)
{
    struct text yaml = { NULL, 0, 0 };
    struct og_policy *policy;
    struct og_error err = { 0 };
    struct og_book *b;
    struct world copy = *world;
    struct chance c = { 7 };

    desk_write(&copy.desk, &yaml);
    must(og_policy_read(yaml.s, yaml.len, "desk", &policy, NULL, NULL, &err), &err);
    must(og_book_new(policy, &b), NULL);
    must(og_book_halt_source(b, "", &err), &err);
    for (int i = 0; i < copy.accounts; i++) {
        yaml.len = 0;
        copy.account[i].account_at = OG_TIME_UNKNOWN; /* these are the first facts it gets */
        world_facts(&copy, i, ALL_PARTS, &c, &yaml);
        must(og_book_apply(b, copy.account[i].id, yaml.s, yaml.len, "facts", &err), &err);
    }
    for (int i = 0; i < THINGS; i++) {
        yaml.len = 0;
        if (world_quote(&copy, i, &yaml))
            must(og_book_quote(b, yaml.s, yaml.len, &err), &err);
    }
    if (copy.accounts == 1)
        must(og_book_default_account(b, copy.account[0].id), NULL);
    free(yaml.s);
    return b;
}

static void by_another(const char *way, enum limit l, const struct order *o, const struct world *other,
                       struct chance *c)
{
    struct og_book *b = book_of(other);
    struct og_decision d;

    spell(o, false, c);
    ask_json(b, &d);
    (void)still(way, l, o, &d);
    og_book_free(b);
}

/* Returns true if calls on the order's stock are held short, or working orders may write some. */
static bool calls_written(const struct order *o)
{
    const int stock = w.thing[o->leg[0].thing].stock;

    for (int t = stock + 1; t <= stock + CONTRACTS; t++)
        if (w.thing[t].type == 'C' &&
            (held(&w, o, t, false) || works(&w, o, t, false, 'O') || works(&w, o, t, false, 0)))
            return true;
    return false;
}

/* Decide with fewer facts. Only for orders without reservations, because the other book has none. */
static void with_less(enum limit l, const struct order *o, struct chance *c)
{
    static struct world other;
    struct holding *h;
    bool longs = o->leg[0].buy;

    if (l == L_SECOND || l == L_MINUTE || l == L_DAY)
        return;
    other = w;
    other.account[o->account].bp /= 2;
    other.account[o->account].equity = other.account[o->account].equity / 2 + 1;
    by_another("less money", l, o, &other, c);
    other = w;
    if (other.desk.most[l] > 1 && l != L_UNCOVERED && l != L_POWER && l != L_BARRED) {
        const int64_t by = chance_to(c, other.desk.most[l] / 2 + 1);

        other.desk.most[l] += l == L_FLOOR_STOCK || l == L_FLOOR_OPTION || l == L_SHORT_PRICE ? by : -by;
        by_another("a tighter setting", l, o, &other, c);
    }
    if (o->form == SPREAD || o->leg[0].effect != 'O')
        return;
    if (l == L_UNCOVERED && o->form == STOCK)
        return; /* shares cover calls by the hundred, so a sale from an incomplete hundred uncovers no further call */
    if (longs && (w.thing[o->leg[0].thing].type == 'P' || (w.thing[o->leg[0].thing].type == 'C' && calls_written(o))))
        return; /* the contract may cover a written one at a lower loss than what covers it now */
    if (!longs && w.thing[o->leg[0].thing].type == 'C')
        return; /* long calls cover held calls first; calls without cover have no bound, and count at their price */
    other = w;
    h = &other.account[o->account].holding[o->leg[0].thing];
    h->shares[longs] += 3 * SCALE;
    h->value[longs] += (wide)3 * SCALE * w.thing[o->leg[0].thing].last * (o->form == OPTION ? 100 : 1);
    by_another("a position the same way", l, o, &other, c);
}

/* --- worlds ------------------------------------------------------------------------------------------------------- */

static void try(struct order *o, const struct order *before, bool clean, struct chance *c)
{
    struct og_decision d;
    enum limit l;

    spell(o, false, c);
    ask_json(book, &d);
    l = refused_by(&d);
    if (d.accepted)
        with_a_wing(o, c);
    if (l == LIMITS)
        return;
    if (tells)
        printf(" refused by %s: %s\n", limit_name[l], json.s);
    refused_orders++;
    respelled(l, o, c);
    another_case(l, o, c);
    made_worse(l, o, c);
    in_a_spread(l, o, c);
    in_a_strangle(l, o, c);
    with_another_leg(l, o, c);
    cut(l, o, c);
    if (clean && chance_in(c, 20))
        with_less(l, o, c);
    if (before && (l == L_GROSS || l == L_POSITION_SHARES || l == L_POSITION_CONTRACTS || l == L_IN_TOTAL))
        reordered(l, before, o, c);
}

static void run_world(uint64_t seed)
{
    struct chance c = chance_of(seed, 0);
    struct order o, next;
    og_ticket ticket;

    world_make(&w, seed, &c);
    book = book_of(&w);
    if (tells)
        printf("world %llu on %s\n", (unsigned long long)seed, w.desk.base);
    for (int n = 0; n < CANDIDATES; n++) {
        world_order(&w, &o, 0, &c);
        try(&o, NULL, true, &c);
        ticket = take(&o, "x", &c);
        if (!ticket)
            continue;
        world_order(&w, &next, 0, &c);
        try(&next, &o, false, &c);
        og_ticket_release(book, ticket);
    }
    og_book_free(book);
}

static int report(void)
{
    for (int i = 0; i < class_count; i++)
        printf("%s: %ld times, first --world %llu\n", classes[i].name, classes[i].count, classes[i].seed);
    return class_count;
}

int main(int argc, char **argv)
{
    long count = 3000;
    uint64_t seed = 1, one = 0;
    clock_t began = clock();

    for (int i = 1; i + 1 < argc; i += 2) {
        if (strcmp(argv[i], "--count") == 0)
            count = strtol(argv[i + 1], NULL, 10);
        else if (strcmp(argv[i], "--seed") == 0)
            seed = strtoull(argv[i + 1], NULL, 10);
        else if (strcmp(argv[i], "--world") == 0)
            one = strtoull(argv[i + 1], NULL, 10);
        else
            return fprintf(stderr, "usage: metamorphic [--count N] [--seed S] [--world W]\n"), 2;
    }
    scratch = og_scratch_new();
    order = og_order_new();
    if (!scratch || !order)
        return 2;
    tells = one != 0;
    if (one)
        run_world(one);
    for (uint64_t world = seed * UINT64_C(1000000007); !one && refused_orders < count; world++)
        run_world(world);
    printf("seed %llu: %ld orders refused by a limit, said in %ld ways; %ld a second\n", (unsigned long long)seed,
           refused_orders, asked, asked * CLOCKS_PER_SEC / (clock() - began + 1));
    og_scratch_free(scratch);
    og_order_free(order);
    free(json.s);
    return report() != 0;
}
