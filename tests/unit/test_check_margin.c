/*
 * Buying power through the gate. The order of legs and positions does not matter, splitting an order does not make it
 * pass, and whatever subset of accepted orders fills never takes more than was reserved. Random books are on one root
 * at 100, with one price for each contract, so that the cost of orders is known.
 */
#include <limits.h>
#include <stdio.h>

#include "cheapest.h"
#include "margin/requirement.h"
#include "ordergate/ordergate.h"
#include "unit.h"

#define NOON   "2026-01-15T17:00:00Z"
#define POLICY "ordergate: 1\nname: x\nextends: []\nrules: {buying-power: refuse}\n"

/* LOT is the index of a hundred shares, after those of the contracts */
enum { STRIKES = 7, EXPIRIES = 2, CONTRACTS = STRIKES * 2 * EXPIRIES, LOT = CONTRACTS, ORDERS = 6 };

static const int expiry[EXPIRIES] = { 20260220, 20260320 };
static uint64_t seed;
static const int sizes[] = { 1, 10, 50 };
static int lots = 1; /* all sizes are multiples of this number */

static int rnd(int n)
{
    seed = seed * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return (int)((seed >> 33) % (uint64_t)n);
}

/* Returns the strike of contract c; the others return its type, its expiry, and its price in cents per share. */
static int strike_of(int c)
{
    return 85 + 5 * (c % STRIKES);
}
static char type_of(int c)
{
    return c / STRIKES % 2 ? 'P' : 'C';
}
static int expiry_of(int c)
{
    return expiry[c / STRIKES / 2];
}
static int cents_of(int c)
{
    if (c == LOT)
        return 10000;
    int in = type_of(c) == 'C' ? 100 - strike_of(c) : strike_of(c) - 100, away = in < 0 ? -in : in;

    return (in > 0 ? in * 100 : 0) + (20 - away) * 20 + 50 * (c / STRIKES / 2);
}
static void symbol_of(int c, char *to, size_t size)
{
    if (c == LOT)
        snprintf(to, size, "XYZ");
    else
        snprintf(to, size, "XYZ%06d%c%08d", expiry_of(c) % 1000000, type_of(c), strike_of(c) * 1000);
}

/* An order: the signed number of contracts for each leg, positive if bought. With `closes` the contracts are taken
 * from the positions. */
struct trade {
    int legs, contract[2], sign[2], quantity;
    bool closes;
};

/* The contracts that are held, by index of the contract, and hundreds of shares. */
struct held {
    int longs[CONTRACTS + 1], shorts[CONTRACTS];
};

static void put(char *to, size_t size, const char *format, ...) __attribute__((format(printf, 3, 4)));
static void put(char *to, size_t size, const char *format, ...)
{
    size_t len = strlen(to);
    va_list args;

    va_start(args, format);
    vsnprintf(to + len, size - len, format, args);
    va_end(args);
}

/* Write the beginning of a document with an account; without bp if it is negative. */
static void account_text(char *to, size_t size, long bp)
{
    *to = '\0';
    put(to, size, "{\"asOf\":\"" NOON "\",\"accountId\":\"L1\",\"account\":{\"account\":\"L1\",");
    if (bp >= 0)
        put(to, size, "\"bp\":%ld,", bp);
    put(to, size, "\"optLevel\":4,\"optionTradingLevel\":4}");
}

/* Write the facts of a gate. */
static void facts_text(char *to, size_t size, const struct held *h, long bp, bool backwards)
{
    const char *comma = "";
    char symbol[32];

    account_text(to, size, bp);
    put(to, size, ",\"orders\":[],\"positions\":[");
    for (int k = 0; k < 2 * CONTRACTS; k++) {
        int c = (backwards ? 2 * CONTRACTS - 1 - k : k) / 2, n = (k + backwards) % 2 ? h->shorts[c] : h->longs[c];

        if (!n)
            continue;
        symbol_of(c, symbol, sizeof symbol);
        put(to, size,
            "%s{\"symbol\":\"XYZ\",\"tradedSymbol\":\"%s\",\"securityType\":\"Option\",\"side\":\"%s\",\"shares\":%d}",
            comma, symbol, (k + backwards) % 2 ? "Short" : "Long", n);
        comma = ",";
    }
    if (h->longs[LOT])
        put(to, size, "%s{\"symbol\":\"XYZ\",\"securityType\":\"Stock\",\"side\":\"Long\",\"shares\":%d}", comma,
            100 * h->longs[LOT]);
    put(to, size, "],\"quotes\":{\"XYZ\":{\"last\":100}");
    for (int c = 0; c < CONTRACTS; c++) {
        symbol_of(c, symbol, sizeof symbol);
        put(to, size, ",\"%s\":{\"bid\":%d.%02d,\"ask\":%d.%02d}", symbol, cents_of(c) / 100, cents_of(c) % 100,
            cents_of(c) / 100, cents_of(c) % 100);
    }
    put(to, size, "}}");
}

/* Returns the net price of a unit in cents; above 0 it is paid. */
static int net_of(const struct trade *t)
{
    int net = 0;

    for (int i = 0; i < t->legs; i++)
        net += t->sign[i] * cents_of(t->contract[i]);
    return net;
}

static void order_text(char *to, size_t size, const struct trade *t, int quantity, int id, bool backwards)
{
    int net = abs(net_of(t));
    char symbol[32];

    *to = '\0';
    symbol_of(t->contract[0], symbol, sizeof symbol);
    put(to, size,
        "{\"clientOrderId\":\"o%d\",\"orderType\":\"Limit\",\"timeInForce\":\"Day\",\"orderQuantity\":%d,"
        "\"limitPrice\":%d.%02d,",
        id, quantity, net / 100, net % 100);
    if (t->legs == 1) {
        put(to, size, "\"securityType\":\"Option\",\"symbol\":\"%s\",\"side\":\"%s\",\"openClose\":\"%s\"}", symbol,
            t->sign[0] > 0 ? "Buy" : "Sell", t->closes ? "Close" : "Open");
        return;
    }
    put(to, size, "\"securityType\":\"Mleg\",\"symbol\":\"XYZ\",\"legs\":[");
    for (int k = 0; k < t->legs; k++) {
        int i = backwards ? t->legs - 1 - k : k;

        symbol_of(t->contract[i], symbol, sizeof symbol);
        put(to, size, "%s{\"symbol\":\"%s\",\"side\":\"%s\",\"ratio\":%d,\"openClose\":\"Open\"}", k ? "," : "", symbol,
            t->sign[i] > 0 ? "Buy" : "Sell", t->contract[i] == LOT ? 100 : 1);
    }
    put(to, size, "]}");
}

static void random_held(struct held *h)
{
    memset(h, 0, sizeof *h);
    for (int i = rnd(6); i--;)
        (rnd(2) ? h->longs : h->shorts)[rnd(CONTRACTS)] += lots * (1 + rnd(2));
}

/* Returns an order for one contract bought or written, two written at or around one strike, a vertical in either
 * direction, or a close of a long one. */
static struct trade random_trade(struct held *h)
{
    struct trade t = { .legs = 1, .quantity = lots * (1 + rnd(2)) };
    int c = rnd(CONTRACTS), other = c - c % STRIKES + rnd(STRIKES);

    t.contract[0] = c;
    t.sign[0] = rnd(2) ? 1 : -1;
    switch (rnd(4)) {
    case 0:
        if (h->longs[c] >= t.quantity) {
            h->longs[c] -= t.quantity; /* the quantity of a close cannot be closed again */
            t.closes = true;
            t.sign[0] = -1;
        }
        break;
    case 1:
        if (other == c || net_of(&(struct trade){ 2, { c, other }, { 1, -1 }, 1, false }) == 0)
            break;
        t.legs = 2;
        t.contract[1] = other;
        t.sign[1] = -t.sign[0];
        break;
    case 2:
        if (type_of(c) == 'C') {
            t = (struct trade){ 2, { c, c + STRIKES - rnd(c % STRIKES + 1) }, { -1, -1 }, t.quantity, false };
        }
        break;
    default: break;
    }
    return t;
}

/* --- the gate ----------------------------------------------------------------------------------------------------- */

struct gate {
    struct og_book *book;
    struct og_scratch *scratch;
    struct og_order *order;
    int64_t now;
};

static char text[32768];

static struct gate gate_of(const struct held *h, long bp, bool backwards)
{
    struct gate g = { .scratch = og_scratch_new(), .order = og_order_new() };
    struct og_policy *policy = NULL;
    struct og_error err = { 0 };

    assert_int_equal(og_policy_read(POLICY, sizeof POLICY - 1, "x.yaml", &policy, NULL, NULL, &err), OG_OK);
    assert_int_equal(og_book_new(policy, &g.book), OG_OK);
    facts_text(text, sizeof text, h, bp, backwards);
    if (og_book_apply(g.book, NULL, text, strlen(text), "facts", &err) != OG_OK)
        fail_msg("%s", err.text);
    assert_true(og_time_read(NOON, strlen(NOON), &g.now));
    return g;
}

static void gate_free(struct gate *g)
{
    og_scratch_free(g->scratch);
    og_order_free(g->order);
    og_book_free(g->book);
}

static bool accepts(struct gate *g, const struct trade *t, int quantity, int id, og_ticket *ticket)
{
    struct og_decision d;

    order_text(text, sizeof text, t, quantity, id, false);
    assert_int_equal(og_order_read(g->order, text, strlen(text)), OG_OK);
    assert_int_equal(og_reserve(g->book, g->order, g->now, g->scratch, &d, ticket), OG_OK);
    return d.accepted;
}

static void ask(struct gate *g, const struct trade *t, int quantity, struct og_margin_info *info)
{
    order_text(text, sizeof text, t, quantity, 0, false);
    assert_int_equal(og_order_read(g->order, text, strlen(text)), OG_OK);
    og_margin_ask(g->book, g->order, g->now, g->scratch, info);
}

static bool reserve(struct gate *g, const struct trade *t, int quantity, int id, struct og_margin_info *info)
{
    og_ticket ticket;

    ask(g, t, quantity, info);
    return accepts(g, t, quantity, id, &ticket);
}

/* Dollars to cents, exactly. */
static long cents(struct og_money m)
{
    struct og_money hundred;

    assert_true(og_money_times(m, 100, &hundred) && hundred.scale == 0);
    return (long)hundred.coef;
}

/* --- the true requirement ----------------------------------------------------------------------------------------- */

/* Returns the requirement of the selected contracts as if they had one expiry, in cents. shares: hundreds. */
static long required_of(const int longs[CONTRACTS], const int shorts[CONTRACTS], int shares, int from, int to)
{
    static struct og_margin_book b;
    const struct og_margin_terms terms = { .rate = 2000, .floor = 1000 };

    b.count = 0;
    b.long_lots = shares;
    b.short_lots = 0;
    b.has_under = true;
    b.under = 100 * OG_MARGIN_DOLLAR;
    for (int c = from; c < to; c++) {
        struct og_margin_line *l;

        if (!longs[c] && !shorts[c])
            continue;
        l = og_margin_line_of(&b, expiry_of(from), (int64_t)strike_of(c) * OG_MARGIN_DOLLAR, type_of(c));
        l->longs = longs[c];
        l->shorts = shorts[c];
        l->price = cents_of(c) * INT64_C(10000);
        l->priced = true;
    }
    return (long)(og_margin_options(&b, &terms) / 100); /* millionths per share: 10,000 are a cent, times 100 shares */
}

/* Returns the cheapest requirement of the book, in cents: the minimum over all ways to let longs of the later expiry
 * cover the earlier one, and to divide the shares. */
static long required(const struct held *h)
{
    enum { EACH = STRIKES * 2 };
    int early[CONTRACTS], late[CONTRACTS], c;
    long best = LONG_MAX;

    memcpy(early, h->longs, sizeof early);
    memcpy(late, h->longs, sizeof late);
    do {
        for (int n = 0; n <= h->longs[LOT]; n++) {
            long sum = required_of(early, h->shorts, n, 0, EACH);

            if (sum < best)
                sum += required_of(late, h->shorts, h->longs[LOT] - n, EACH, CONTRACTS);
            best = sum < best ? sum : best;
        }
        for (c = EACH; c < CONTRACTS && late[c] == 0; c++) { /* go to the next combination, as an odometer does */
            late[c] = h->longs[c];
            early[c - EACH] -= h->longs[c];
        }
        if (c < CONTRACTS) {
            late[c]--;
            early[c - EACH]++;
        }
    } while (c < CONTRACTS);
    return best;
}

/* Set *cost to the cheapest requirement for books of any size: by brute force if that is possible (cheapest.h),
 * otherwise the result of the search if it is proved optimal; in cents.  Returns false if neither is available. */
static bool required_of_any(const struct held *h, long *cost)
{
    static struct og_margin_book b;
    const struct og_margin_terms terms = { .rate = 2000, .floor = 1000 };
    struct cheapest_line line[CONTRACTS];
    int count = 0;
    og_wide most, least;

    b = (struct og_margin_book){ .has_under = true, .under = 100 * OG_MARGIN_DOLLAR };
    for (int n = 0; n < CONTRACTS; n++) {
        int c = n / (2 * EXPIRIES) + STRIKES * (n % (2 * EXPIRIES)); /* the lines are sorted by strike */
        struct og_margin_line *l;

        if (!h->longs[c] && !h->shorts[c])
            continue;
        line[count++] = (struct cheapest_line){
            expiry_of(c) != expiry[0], type_of(c), strike_of(c) * 100, cents_of(c), h->longs[c], h->shorts[c]
        };
        l = og_margin_line_of(&b, expiry_of(c), (int64_t)strike_of(c) * OG_MARGIN_DOLLAR, type_of(c));
        l->longs = h->longs[c];
        l->shorts = h->shorts[c];
        l->price = cents_of(c) * INT64_C(10000);
        l->priced = true;
    }
    *cost = (long)cheapest(line, count, 3000) * 100;
    if (*cost >= 0)
        return true;
    most = og_margin_options(&b, &terms);
    least = og_margin_options_least(&b, &terms);
    *cost = (long)(most / 100);
    return least == most;
}

static void take(struct held *h, const struct trade *t)
{
    for (int i = 0; i < t->legs; i++)
        if (t->closes)
            h->longs[t->contract[i]] -= t->quantity;
        else
            (t->sign[i] > 0 ? h->longs : h->shorts)[t->contract[i]] += t->quantity;
}

/* --- properties --------------------------------------------------------------------------------------------------- */

static void the_order_of_legs_and_positions_makes_no_difference(void **state)
{
    (void)state;
    seed = 1;
    for (int i = 0; i < 300; i++) {
        struct og_margin_info one, two;
        struct held h, left;
        struct trade t;
        struct gate g;

        lots = i < 150 ? 1 : sizes[i % (int)COUNT(sizes)];
        random_held(&h);
        left = h;
        t = random_trade(&left);
        g = gate_of(&h, 1000, false);
        order_text(text, sizeof text, &t, t.quantity, 1, false);
        assert_int_equal(og_order_read(g.order, text, strlen(text)), OG_OK);
        og_margin_ask(g.book, g.order, g.now, g.scratch, &one);
        gate_free(&g);
        g = gate_of(&h, 1000, true);
        order_text(text, sizeof text, &t, t.quantity, 1, true);
        assert_int_equal(og_order_read(g.order, text, strlen(text)), OG_OK);
        og_margin_ask(g.book, g.order, g.now, g.scratch, &two);
        gate_free(&g);
        assert_true(one.known && two.known);
        assert_int_equal(cents(one.required), cents(two.required));
        assert_string_equal(one.model, two.model);
    }
}

/* Move the price of the stock in both gates. */
static void move_price(const struct gate *g, int price)
{
    struct og_error err = { 0 };

    snprintf(text, sizeof text, "{\"asOf\":\"" NOON "\",\"quotes\":{\"XYZ\":{\"last\":%d}}}", price);
    if (og_book_apply(g->book, NULL, text, strlen(text), "quotes", &err) != OG_OK)
        fail_msg("%s", err.text);
}

/* An order that exceeds buying power makes the gate replace the upper bounds of what is reserved by exact amounts.
 * These are computed with the newest quotes, and must not become more than the bounds. */
static void a_refused_order_takes_nothing_from_later_ones(void **state)
{
    const struct trade dear = { .legs = 1, .sign = { 1 }, .quantity = 1000000 };
    int refused = 0;

    (void)state;
    seed = 5;
    for (int i = 0; i < 600; i++) {
        const long bp = 2000 + rnd(40) * 500;
        const int price = 70 + rnd(61);
        struct held h, left;
        struct gate one, two;
        og_ticket ticket;

        lots = 1;
        random_held(&h);
        left = h;
        one = gate_of(&h, bp, false);
        two = gate_of(&h, bp, false);
        for (int k = 0; k < ORDERS; k++) {
            const struct trade t = random_trade(&left);

            assert_int_equal(accepts(&one, &t, t.quantity, k, &ticket), accepts(&two, &t, t.quantity, k, &ticket));
        }
        move_price(&one, price);
        move_price(&two, price);
        assert_false(accepts(&one, &dear, dear.quantity, 100, &ticket));
        for (int k = 0; k < ORDERS; k++) {
            const struct trade t = { .legs = 1, .contract = { rnd(CONTRACTS) }, .sign = { 1 }, .quantity = 1 + rnd(4) };
            const bool passes = accepts(&two, &t, t.quantity, 200 + k, &ticket);

            refused += !passes;
            if (accepts(&one, &t, t.quantity, 200 + k, &ticket) < passes)
                fail_msg("world %d: an order is refused because a dear one was refused before it", i);
        }
        gate_free(&one);
        gate_free(&two);
    }
    assert_true(refused > 300);
}

static void a_split_order_does_not_pass_what_the_whole_does_not(void **state)
{
    int refused = 0;

    (void)state;
    seed = 2;
    for (int i = 0; i < 1200; i++) {
        struct og_margin_info info;
        struct held h, left;
        struct trade t;
        struct gate g;
        long bp = 100 * rnd(60);

        lots = i < 400 ? 1 : sizes[i % (int)COUNT(sizes)];
        random_held(&h);
        left = h;
        t = random_trade(&left);
        t.quantity = 2 * lots;
        if (t.closes)
            continue;
        g = gate_of(&h, bp * lots, false);
        if (!reserve(&g, &t, t.quantity, 1, &info)) {
            int first = 1 + rnd(t.quantity - 1);

            gate_free(&g);
            g = gate_of(&h, bp * lots, false);
            refused++;
            assert_false(reserve(&g, &t, first, 2, &info) && reserve(&g, &t, t.quantity - first, 3, &info));
        }
        gate_free(&g);
    }
    assert_in_range(refused, 150, 1050);
}

/* Whatever subset of the accepted orders fills, the book requires at most the buying power that was reserved. */
static void check_fills(const struct held *h, const struct trade *accepted, int count, long reserved)
{
    for (unsigned some = 0; some < 1u << count; some++) {
        struct held after = *h;
        long paid = 0;

        for (int i = 0; i < count; i++)
            if (some & 1u << i) {
                take(&after, &accepted[i]);
                paid += (long)net_of(&accepted[i]) * 100 * accepted[i].quantity;
            }
        if (required(&after) - required(h) + paid > reserved)
            fail_msg("%ld cents more are required, %ld are paid, %ld were reserved", required(&after) - required(h),
                     paid, reserved);
    }
}

/* Returns what the order requires, or what it pays if that is more than it frees, since a short that it covers may be
 * closed first. A net price of unknown direction counts as paid. */
static long reserved_of(const struct trade *t, const struct og_margin_info *info)
{
    const bool paid = !t->closes && cents(info->proceeds) == 0;
    const long pays = paid ? (long)abs(net_of(t)) * 100 * t->quantity : 0, required = cents(info->required);

    return pays > required ? pays : required > 0 ? required : 0;
}

static long from_environment(const char *name, long otherwise)
{
    const char *value = getenv(name);

    return value ? strtol(value, NULL, 10) : otherwise;
}

/* Shares are bought with a call written on them, half of the time; the others write calls more often. */
static struct trade random_trade_on_shares(struct held *h)
{
    const int call = rnd(2) * 2 * STRIKES + rnd(STRIKES), quantity = 1 + rnd(2);

    switch (rnd(3)) {
    case 0: return (struct trade){ 2, { call, LOT }, { -1, 1 }, quantity, false };
    case 1: return (struct trade){ 1, { call, 0 }, { -1, 0 }, quantity, false };
    default: return random_trade(h);
    }
}

/* Accept orders of a sequence, and try which fills take more than was reserved. Returns how many were accepted. */
static int accept_and_fill(const struct held *h, long bp, struct trade (*random_one)(struct held *))
{
    struct trade accepted[ORDERS];
    struct held left = *h;
    struct gate g = gate_of(h, bp, false);
    long reserved = 0;
    int count = 0;

    for (int k = 0; k < ORDERS; k++) {
        struct og_margin_info info;

        accepted[count] = random_one(&left);
        if (!reserve(&g, &accepted[count], accepted[count].quantity, k, &info))
            continue;
        assert_true(info.known && info.has_available);
        assert_int_equal(cents(info.available), bp * 100 - reserved);
        assert_true(cents(info.required) <= bp * 100 - reserved || cents(info.required) <= 0);
        reserved += reserved_of(&accepted[count], &info);
        count++;
    }
    check_fills(h, accepted, count, reserved);
    gate_free(&g);
    return count;
}

static void what_was_accepted_never_takes_more_than_there_was(void **state)
{
    int all = 0;

    (void)state;
    seed = 3;
    lots = 1;
    for (int i = 0; i < 3000; i++) {
        const long bp = 100 * (20 + rnd(100));
        struct held h;

        random_held(&h);
        all += accept_and_fill(&h, bp, random_trade);
    }
    assert_in_range(all, 3000, 3000 * ORDERS);
}

/* Returns what the second order requires in cents while the first one works. */
static long required_beside(const struct held *h, const struct trade *first, const struct trade *second)
{
    struct gate g = gate_of(h, 100000, false);
    struct og_margin_info info;

    assert_true(reserve(&g, first, first->quantity, 1, &info));
    ask(&g, second, second->quantity, &info);
    assert_true(info.known);
    gate_free(&g);
    return cents(info.required);
}

/* A spread that covers what it writes by its own legs leaves all cover that is held to other orders. */
static void a_spread_that_covers_itself_takes_no_cover(void **state)
{
    enum { C95 = 2, C100, C105, C110, P90 = STRIKES + 1, P95, P100, P105 };
    const struct trade three = { 1, { C105, 0 }, { -1, 0 }, 3, false }, put = { 1, { P95, 0 }, { -1, 0 }, 1, false },
                       buy_write = { 2, { C110, LOT }, { -1, 1 }, 2, false },
                       call = { 1, { C105, 0 }, { -1, 0 }, 1, false },
                       calls = { 2, { C110, C100 }, { -1, 1 }, 1, false },
                       puts = { 2, { P90, P95 }, { -1, 1 }, 1, false };
    struct held h = { 0 };

    (void)state;
    h.longs[LOT] = 3;
    assert_int_equal(required_beside(&h, &buy_write, &three), -cents_of(C105) * 300);
    assert_int_equal(required_beside(&h, &calls, &three), -cents_of(C105) * 300);
    h.longs[LOT] = 2;
    assert_true(required_beside(&h, &buy_write, &three) > 0);
    h.longs[LOT] = 0;
    h.longs[C95] = h.longs[P100] = 1;
    assert_int_equal(required_beside(&h, &buy_write, &call), -cents_of(C105) * 100);
    assert_int_equal(required_beside(&h, &calls, &call), -cents_of(C105) * 100);
    assert_int_equal(required_beside(&h, &puts, &put), -cents_of(P95) * 100);
}

/* Nor with shares, and with spreads that buy shares for the calls that they write. */
static void nor_does_what_shares_cover(void **state)
{
    int all = 0;

    (void)state;
    seed = (uint64_t)from_environment("OG_SEED", 7);
    lots = 1;
    for (int i = 0; i < 1000; i++) {
        const long bp = 100 * (200 + rnd(600));
        struct held h;

        random_held(&h);
        h.longs[LOT] = rnd(4);
        all += accept_and_fill(&h, bp, random_trade_on_shares);
    }
    assert_in_range(all, 1000, 1000 * ORDERS);
}

/* Do as check_fills(), for books of any size. Returns how many subsets of fills were not tried. */
static int check_fills_of_any(const struct held *h, const struct trade *accepted, int count, long reserved)
{
    int not_measured = 0;
    long before = 0, cost;

    if (!required_of_any(h, &before))
        return 1 << count;
    for (unsigned some = 1; some < 1u << count; some++) {
        struct held after = *h;
        long paid = 0;

        for (int i = 0; i < count; i++)
            if (some & 1u << i) {
                take(&after, &accepted[i]);
                paid += (long)net_of(&accepted[i]) * 100 * accepted[i].quantity;
            }
        if (!required_of_any(&after, &cost))
            not_measured++;
        else if (cost - before + paid > reserved)
            fail_msg("%ld cents more are required, %ld are paid, %ld were reserved", cost - before, paid, reserved);
    }
    return not_measured;
}

/* The sizes are 1, 10, 50 and between. OG_COUNT=N in the environment sets the number of sequences, OG_SEED=N selects
 * others. Sanitized, a fifth is tried: each takes several times as long, and few run the code that is watched. */
static void nor_does_what_is_larger(void **state)
{
    long rounds = from_environment("OG_COUNT", OG_SANITIZED ? 60 : 300);
    int all = 0, not_measured = 0;

    (void)state;
    seed = (uint64_t)from_environment("OG_SEED", 5);
    for (long i = 0; i < rounds; i++) {
        struct trade accepted[ORDERS];
        struct held h, left;
        struct gate g;
        long bp, reserved = 0;
        int count = 0;

        lots = sizes[i % (int)COUNT(sizes)];
        bp = 100 * lots * (20 + rnd(100));
        random_held(&h);
        left = h;
        g = gate_of(&h, bp, false);
        for (int k = 0; k < ORDERS; k++) {
            struct og_margin_info info;

            lots = sizes[(i + (rnd(3) == 0)) % (int)COUNT(sizes)];
            accepted[count] = random_trade(&left);
            if (!accepted[count].closes)
                accepted[count].quantity += rnd(lots);
            if (!reserve(&g, &accepted[count], accepted[count].quantity, k, &info))
                continue;
            assert_int_equal(cents(info.available), bp * 100 - reserved);
            assert_true(cents(info.required) <= bp * 100 - reserved || cents(info.required) <= 0);
            reserved += reserved_of(&accepted[count], &info);
            count++;
        }
        not_measured += check_fills_of_any(&h, accepted, count, reserved);
        gate_free(&g);
        all += count;
    }
    assert_in_range(all, rounds, rounds * ORDERS);
    assert_in_range(not_measured, 0, rounds / 2);
}

/* Sell some or all of what is held long.  Returns false if nothing is. */
static bool random_close(const struct held *h, struct trade *t)
{
    int from = rnd(CONTRACTS);

    for (int k = 0; k < CONTRACTS; k++) {
        int c = (from + k) % CONTRACTS;

        if (!h->longs[c])
            continue;
        *t = (struct trade){ 1, { c, 0 }, { -1, 0 }, 1 + rnd(h->longs[c]), true };
        return true;
    }
    return false;
}

/* The amount of a what-if question is the amount reserved, for opening orders, and for closes that reserve. */
static void what_is_asked_for_is_what_it_takes(void **state)
{
    int closes = 0, measured = 0;

    (void)state;
    seed = 6;
    for (int i = 0; i < 900; i++) {
        struct og_margin_info info;
        struct held h, left;
        struct trade t;
        struct gate g;
        long before, after, takes;

        lots = sizes[i % (int)COUNT(sizes)];
        random_held(&h);
        left = h;
        if (rnd(2) || !random_close(&h, &t))
            t = random_trade(&left);
        g = gate_of(&h, 1000, false);
        ask(&g, &t, t.quantity, &info);
        gate_free(&g);
        assert_true(info.known);
        left = h;
        take(&left, &t);
        if (!required_of_any(&h, &before) || !required_of_any(&left, &after))
            continue;
        measured++;
        takes = after - before + (long)net_of(&t) * 100 * t.quantity;
        if (!t.closes)
            assert_int_equal(cents(info.required), takes);
        else if (after <= before)
            assert_true(cents(info.required) <= 0);
        else if (takes > 0) /* otherwise the proceeds pay for a part of the order; this test cannot tell how much */
            assert_int_equal(cents(info.required), takes);
        closes += t.closes;
    }
    assert_in_range(closes, 200, 900);
    assert_in_range(measured, 800, 900);
}

/* Make a book so large that upper bounds suffice, with so many of some contracts that a close leaves plenty. */
static void random_large(struct held *h)
{
    memset(h, 0, sizeof *h);
    for (int i = 0; i < 16; i++)
        (rnd(3) ? h->longs : h->shorts)[rnd(CONTRACTS)] += lots * (rnd(3) ? 1 + rnd(2) : 40);
}

/* The first gate is asked what each order reserves, so it always has exact amounts; the second may use bounds. Orders
 * fill now and then. Both must decide alike, and have the same buying power in the end. */
static void a_bound_is_never_seen_in_a_decision(void **state)
{
    int all = 0, refused = 0;

    (void)state;
    seed = 4;
    for (int i = 0; i < 105; i++) {
        struct og_margin_info one = { 0 }, two = { 0 };
        struct held h, left;
        struct gate exact, bounded;
        og_ticket tickets[2][40], count = 0;
        long bp;

        lots = sizes[i % (int)COUNT(sizes)];
        bp = 1000 * lots * (2 + rnd(60));
        random_large(&h);
        left = h;
        exact = gate_of(&h, bp, false);
        bounded = gate_of(&h, bp, false);
        for (int k = 0; k < 40; k++) {
            struct trade t = random_trade(&left);
            bool accepted;

            ask(&exact, &t, t.quantity, &one);
            accepted = accepts(&exact, &t, t.quantity, k, &tickets[0][count]);
            assert_int_equal(accepts(&bounded, &t, t.quantity, k, &tickets[1][count]), accepted);
            count += accepted;
            refused += !accepted;
            if (count && rnd(40) == 0) {
                og_ticket at = (og_ticket)rnd((int)count);

                assert_int_equal(og_ticket_fill(exact.book, tickets[0][at], OG_FILL_WHOLE, og_money_from(0), exact.now),
                                 OG_OK);
                assert_int_equal(
                    og_ticket_fill(bounded.book, tickets[1][at], OG_FILL_WHOLE, og_money_from(0), exact.now), OG_OK);
            }
        }
        og_margin_ask(exact.book, exact.order, exact.now, exact.scratch, &one);
        og_margin_ask(bounded.book, exact.order, bounded.now, bounded.scratch, &two);
        assert_int_equal(cents(one.available), cents(two.available));
        gate_free(&exact);
        gate_free(&bounded);
        all += (int)count;
    }
    assert_in_range(all, 900, 4200);
    assert_in_range(refused, 350, 3500);
}

/* Set the buying power of the gate's account, which was not known before. */
static void tell_bp(struct gate *g, long bp)
{
    struct og_error err = { 0 };

    account_text(text, sizeof text, bp);
    put(text, sizeof text, "}");
    if (og_book_apply(g->book, NULL, text, strlen(text), "account", &err) != OG_OK)
        fail_msg("%s", err.text);
}

/* As a_bound_is_never_seen_in_a_decision(), but buying power is not known until some orders were accepted. Upper bounds
 * are reserved for these orders, and must be exact amounts by the time when they are compared with buying power. */
static void nor_one_reserved_before_buying_power_was_known(void **state)
{
    int all = 0, refused = 0, bounds = 0;

    (void)state;
    seed = 12;
    for (int i = 0; i < 60; i++) {
        struct og_margin_info one = { 0 }, two = { 0 };
        struct gate exact, bounded;
        og_ticket ticket;
        struct held h;

        lots = sizes[i % (int)COUNT(sizes)];
        random_large(&h);
        exact = gate_of(&h, -1, false);
        bounded = gate_of(&h, -1, false);
        for (int k = 0; k < 40; k++) {
            struct trade t = random_trade(&h);
            bool accepted;

            if (k == 10) {
                const long bp = 1000L * lots * (2 + rnd(60));

                tell_bp(&exact, bp);
                tell_bp(&bounded, bp);
            }
            ask(&exact, &t, t.quantity, &one);
            accepted = accepts(&exact, &t, t.quantity, k, &ticket);
            assert_int_equal(accepts(&bounded, &t, t.quantity, k, &ticket), accepted);
            all += accepted;
            refused += !accepted;
        }
        og_margin_ask(exact.book, exact.order, exact.now, exact.scratch, &one);
        og_margin_ask(bounded.book, exact.order, bounded.now, bounded.scratch, &two);
        assert_int_equal(cents(one.available), cents(two.available));
        bounds += cents(one.available) > 0;
        gate_free(&exact);
        gate_free(&bounded);
    }
    assert_in_range(all, 600, 2400);
    assert_in_range(refused, 200, 1800);
    assert_in_range(bounds, 10, 60);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_order_of_legs_and_positions_makes_no_difference),
        cmocka_unit_test(a_refused_order_takes_nothing_from_later_ones),
        cmocka_unit_test(a_split_order_does_not_pass_what_the_whole_does_not),
        cmocka_unit_test(a_bound_is_never_seen_in_a_decision),
        cmocka_unit_test(nor_one_reserved_before_buying_power_was_known),
        cmocka_unit_test(what_was_accepted_never_takes_more_than_there_was),
        cmocka_unit_test(nor_does_what_shares_cover),
        cmocka_unit_test(a_spread_that_covers_itself_takes_no_cover),
        cmocka_unit_test(nor_does_what_is_larger),
        cmocka_unit_test(what_is_asked_for_is_what_it_takes),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
