/*
 * Sales of shares beside written calls, and calls that are written, in small random books, compared with a matching by
 * brute force. For uncovered-options, an accepted sale leaves no more calls without shares or a long call in any
 * outcome of the working orders than there are without it, as a working sale may never fill, or filled before positions
 * were read. For breaks-option-cover, a prediction, the worst outcome counts alone. A refused sale would leave more.
 * The legs of a working spread fill together.
 */
#include <stdio.h>

#include "ordergate/ordergate.h"
#include "unit.h"

#define NOW INT64_C(1768496400000000000) /* 2026-01-15 12:00 in New York */

/* shares that are held, and that working orders sell, are multiples of STEP, so that fills by it try every hundred */
enum { EXPIRIES = 2, STRIKES = 3, CONTRACTS = EXPIRIES * STRIKES, UNITS = 16, BOOKS = 4000, STEP = 50 };

static unsigned long long seed = 20261123;

static int below(int n)
{
    seed = seed * 6364136223846793005ULL + 1442695040888963407ULL;
    return (int)((seed >> 33) % (unsigned)n);
}

/* A working spread of `units`, each of which writes a contract and buys what covers it: shares, or another contract. */
struct spread {
    int units, writes, shares, buys;
};

/* The working orders sell `sold` of the longs of a contract and write `written` more of it; they also sell shares.
 * Contract i expires in i / STRIKES. The order sells shares, or writes calls if `opens`. */
struct world {
    int longs[CONTRACTS], shorts[CONTRACTS], selling, sold, writing, written;
    int shares, shares_selling, order, opens;
    struct spread spread;
};

struct match {
    int shorts, longs;              /* one entry for each contract held */
    int needs[UNITS], gives[UNITS]; /* the shorts and the longs; CONTRACTS: a lot of shares, which covers every one */
    bool taken[UNITS];
    bool by_strike; /* only a long of the same or a lower strike covers */
};

static bool pairs(const struct match *m, int gives, int needs)
{
    if (gives == CONTRACTS)
        return true;
    return gives / STRIKES >= needs / STRIKES && (!m->by_strike || gives % STRIKES <= needs % STRIKES);
}

/* Returns the greatest number of shorts, from the k-th on, that each have a long of their own. */
static int covered(struct match *m, int k)
{
    int most;

    if (k == m->shorts)
        return 0;
    most = covered(m, k + 1);
    for (int i = 0; i < m->longs; i++) {
        int with;

        if (m->taken[i] || !pairs(m, m->gives[i], m->needs[k]) ||
            (i > 0 && !m->taken[i - 1] && m->gives[i - 1] == m->gives[i]))
            continue;
        m->taken[i] = true;
        with = 1 + covered(m, k + 1);
        m->taken[i] = false;
        most = with > most ? with : most;
    }
    return most;
}

/* What of the working orders has filled: bits 1 and 2 of `contracts` their sales of longs and their writes. */
struct fills {
    int contracts, shares, spread;
    bool by_strike;
};

/* Returns the number of uncovered calls after these fills. */
static int bare(const struct world *w, const struct fills *f, bool ordered)
{
    const struct spread *s = &w->spread;
    int shares = w->shares - f->shares - (ordered && !w->opens ? w->order : 0) + f->spread * s->shares;
    struct match m = { .by_strike = f->by_strike };

    for (int i = 0; i < CONTRACTS; i++) {
        int longs = w->longs[i] - (f->contracts & 1 && w->selling == i ? w->sold : 0),
            shorts = w->shorts[i] + (f->contracts & 2 && w->writing == i ? w->written : 0);

        longs += s->units && !s->shares && s->buys == i ? f->spread : 0;
        shorts += s->writes == i ? f->spread : 0;
        shorts += ordered && w->opens - 1 == i ? w->order : 0;
        while (longs-- > 0)
            m.gives[m.longs++] = i;
        while (shorts-- > 0)
            m.needs[m.shorts++] = i;
    }
    for (int lots = shares / 100; lots > 0; lots--)
        m.gives[m.longs++] = CONTRACTS;
    return m.shorts - covered(&m, 0);
}

/* Set the next fills; returns false after the last. */
static bool next(const struct world *w, struct fills *f)
{
    if (++f->contracts < 4)
        return true;
    f->contracts = 0;
    if ((f->shares += STEP) <= w->shares_selling)
        return true;
    f->shares = 0;
    return ++f->spread <= w->spread.units;
}

/* Returns true if the sale leaves more uncovered calls than there are without it, in the worst outcome of each. */
static bool is_worse_at_worst_by(const struct world *w, bool by_strike)
{
    int most[2] = { 0, 0 };
    struct fills f = { .by_strike = by_strike };

    do
        for (int ordered = 0; ordered < 2; ordered++) {
            const int one = bare(w, &f, ordered);

            most[ordered] = one > most[ordered] ? one : most[ordered];
        }
    while (next(w, &f));
    return most[1] > most[0];
}

/* Returns true if the sale leaves more uncovered calls in some outcome than the same outcome has without it. */
static bool is_worse_somewhere_by(const struct world *w, bool by_strike)
{
    struct fills f = { .by_strike = by_strike };

    do
        if (bare(w, &f, true) > bare(w, &f, false))
            return true;
    while (next(w, &f));
    return false;
}

/* A call that is written needs a long call of a strike that covers it, and a loss that some long call bounds. */
static bool is_worse_at_worst(const struct world *w)
{
    return is_worse_at_worst_by(w, false) || (w->opens && is_worse_at_worst_by(w, true));
}

static bool is_worse_somewhere(const struct world *w)
{
    return is_worse_somewhere_by(w, false) || (w->opens && is_worse_somewhere_by(w, true));
}

static struct world random_world(void)
{
    struct world w = { .selling = below(CONTRACTS), .writing = below(CONTRACTS) };

    for (int held = 0; held < 2; held++) /* few contracts, so that the matching can try everything */
        w.longs[below(CONTRACTS)] = 1 + below(2);
    for (int held = 0; held < 2; held++) {
        int i = below(CONTRACTS);

        w.shorts[i] = w.longs[i] ? 0 : 1 + below(2);
    }
    w.sold = w.longs[w.selling] && below(2) ? 1 : 0;
    w.written = !w.longs[w.writing] && below(2) ? 1 : 0;
    w.shares = STEP + STEP * below(6);
    w.shares_selling = below(2) ? 0 : STEP * below(w.shares / STEP);
    w.order = 1 + below(w.shares - w.shares_selling);
    if (below(2))
        w.spread = (struct spread){ 1 + below(2), below(CONTRACTS), below(2) ? 100 : 0, below(CONTRACTS) };
    if (w.spread.shares) /* perhaps the order sells what the spread buys */
        w.order += below(2) * w.spread.units * w.spread.shares;
    if (w.spread.units && !w.spread.shares) /* it buys a call that expires as late */
        w.spread.buys = w.spread.writes / STRIKES * STRIKES + (w.spread.writes + 1 + below(2)) % STRIKES;
    return w;
}

static const char *name_of(int i)
{
    static const char *const names[CONTRACTS] = { "AAPL260220C00180000", "AAPL260220C00200000", "AAPL260220C00210000",
                                                  "AAPL260320C00180000", "AAPL260320C00200000", "AAPL260320C00210000" };

    return names[i];
}

static size_t put_order(char *json, size_t n, size_t room, const char *symbol, const char *type, const char *open_close,
                        int quantity)
{
    if (quantity == 0)
        return n;
    return n + (size_t)snprintf(json + n, room - n,
                                "%s{\"clientOrderId\":\"w%zu\",\"orderStatus\":\"New\",\"securityType\":\"%s\","
                                "\"symbol\":\"%s\",\"side\":\"Sell\",\"openClose\":\"%s\",\"orderQuantity\":%d,"
                                "\"leavesQuantity\":%d,\"limitPrice\":2}",
                                json[n - 1] == '[' ? "" : ",", n, type, symbol, open_close, quantity, quantity);
}

/* Write the legs of the spread; key: of their quantities, which are those of one unit times `units`. */
static size_t put_legs(const struct spread *s, int units, const char *key, char *json, size_t n, size_t room)
{
    n += (size_t)snprintf(json + n, room - n,
                          "\"legs\":[{\"symbol\":\"%s\",\"side\":\"Sell\",\"openClose\":\"Open\",\"%s\":%d},",
                          name_of(s->writes), key, units);
    return n + (size_t)snprintf(json + n, room - n,
                                "{\"symbol\":\"%s\",\"side\":\"Buy\",\"openClose\":\"Open\",\"%s\":%d}]}",
                                s->shares ? "AAPL" : name_of(s->buys), key, s->shares ? s->shares * units : units);
}

static size_t put_spread(const struct spread *s, char *json, size_t n, size_t room)
{
    if (s->units == 0)
        return n;
    n += (size_t)snprintf(json + n, room - n,
                          "%s{\"clientOrderId\":\"s\",\"orderStatus\":\"New\",\"securityType\":\"MLEG\",\"symbol\":"
                          "\"AAPL\",\"orderQuantity\":%d,\"leavesQuantity\":%d,\"limitPrice\":2,",
                          json[n - 1] == '[' ? "" : ",", s->units, s->units);
    return put_legs(s, s->units, "lvsQty", json, n, room);
}

static void put_world(const struct world *w, bool with_spread, char *json, size_t room)
{
    size_t n = (size_t)snprintf(json, room,
                                "{\"accountId\":\"A1\",\"asOf\":\"2026-01-15T17:00:00Z\",\"positions\":[{\"symbol\":"
                                "\"AAPL\",\"securityType\":\"Stock\",\"side\":\"Long\",\"shares\":%d}",
                                w->shares);

    for (int i = 0; i < CONTRACTS; i++)
        if (w->longs[i] + w->shorts[i])
            n += (size_t)snprintf(json + n, room - n,
                                  ",{\"symbol\":\"AAPL\",\"tradedSymbol\":\"%s\",\"securityType\":\"Option\",\"side\":"
                                  "\"%s\",\"shares\":%d}",
                                  name_of(i), w->longs[i] ? "Long" : "Short", w->longs[i] + w->shorts[i]);
    n += (size_t)snprintf(json + n, room - n, "],\"orders\":[");
    n = put_order(json, n, room, "AAPL", "Stock", "Close", w->shares_selling);
    n = put_order(json, n, room, name_of(w->selling), "Option", "Close", w->sold);
    n = put_order(json, n, room, name_of(w->writing), "Option", "Open", w->written);
    n = with_spread ? put_spread(&w->spread, json, n, room) : n;
    snprintf(json + n, room - n, "]}");
}

/* Let the gate accept the spread. */
static void reserve(struct og_book *book, const struct spread *s, struct og_order *o, struct og_scratch *scratch)
{
    struct og_decision d;
    og_ticket ticket;
    char text[600];
    size_t n = (size_t)snprintf(text, sizeof text,
                                "{\"securityType\":\"Mleg\",\"symbol\":\"AAPL\",\"orderType\":\"Limit\","
                                "\"limitPrice\":2,\"orderQuantity\":%d,\"timeInForce\":\"Day\",\"accountId\":\"A1\",",
                                s->units);

    n = put_legs(s, 1, "ratio", text, n, sizeof text);
    assert_int_equal(og_order_read(o, text, n), OG_OK);
    assert_int_equal(og_reserve(book, o, NOW, scratch, &d, &ticket), OG_OK);
    if (!d.accepted)
        fail_msg("refused: %s", text);
}

static void read_world_order(const struct world *w, struct og_order *o)
{
    char text[400];

    snprintf(text, sizeof text,
             "{\"securityType\":\"%s\",\"symbol\":\"%s\",\"side\":\"Sell\",\"openClose\":\"%s\",\"orderType\":\"%s\","
             "\"%sPrice\":180,\"orderQuantity\":%d,\"timeInForce\":\"Day\",\"accountId\":\"A1\"}",
             w->opens ? "Option" : "Stock", w->opens ? name_of(w->opens - 1) : "AAPL", w->opens ? "Open" : "Close",
             w->opens ? "Limit" : "Stop", w->opens ? "limit" : "stop", w->order);
    assert_int_equal(og_order_read(o, text, strlen(text)), OG_OK);
}

/* The spread is a row of the broker's list, or an order that the gate accepted (`own`). */
static bool accepts(const char *rule, const struct world *w, bool own, char *json, size_t room)
{
    struct og_scratch *scratch = og_scratch_new();
    struct og_order *o = og_order_new();
    struct og_policy *policy = NULL;
    struct og_book *book = NULL;
    struct og_error err = { 0 };
    struct og_decision d;
    char text[400];

    snprintf(text, sizeof text, "ordergate: 1\nname: t\nextends: []\nunsure: refuse\nrules:\n  %s\n", rule);
    assert_int_equal(og_policy_read(text, strlen(text), "t", &policy, NULL, NULL, &err), OG_OK);
    assert_int_equal(og_book_new(policy, &book), OG_OK);
    put_world(w, !own, json, room);
    if (og_book_apply(book, NULL, json, strlen(json), "facts", &err))
        fail_msg("%s: %s", err.text, json);
    if (own && w->spread.units)
        reserve(book, &w->spread, o, scratch);
    read_world_order(w, o);
    og_check(book, o, NOW, scratch, &d);
    og_book_free(book);
    og_order_free(o);
    og_scratch_free(scratch);
    return d.accepted;
}

static void fail_at(unsigned long long from, const struct world *w, bool worse, bool own, const char *rule,
                    const char *json)
{
    const struct spread *s = &w->spread;

    fail_msg("seed %llu: %s %d of %s: %s beside %d of a%s spread that writes %s and buys %s in %s", from,
             worse ? "accepted: sale" : "refused: sale", w->order, w->opens ? name_of(w->opens - 1) : "shares", rule,
             s->units, own ? "n own" : "", name_of(s->writes), s->shares ? "shares" : name_of(s->buys), json);
}

static void a_rule_agrees_with_the_matching(const char *rule, bool (*is_worse)(const struct world *))
{
    int kept = 0, broken = 0;

    for (int i = 0; i < BOOKS; i++) {
        const unsigned long long from = seed;
        const struct world w = random_world();
        const bool worse = is_worse(&w), own = below(2);
        char json[4000];

        if (accepts(rule, &w, own, json, sizeof json) == worse)
            fail_at(from, &w, worse, own, rule, json);
        kept += !worse;
        broken += worse;
    }
    assert_true(kept > BOOKS / 10);
    assert_true(broken > BOOKS / 10);
}

static void uncovered_options(void **state)
{
    (void)state;
    a_rule_agrees_with_the_matching("uncovered-options: {level: refuse, allow: puts}", is_worse_somewhere);
}

static void breaks_option_cover(void **state)
{
    (void)state;
    a_rule_agrees_with_the_matching(
        "close-position: {level: refuse, reasons: {breaks-option-cover: refuse, close-exceeds-position: off, "
        "close-without-position: off, flatten-with-working-orders: off}}",
        is_worse_at_worst);
}

static bool covers_itself(const struct spread *s)
{
    return s->units == 0 || s->shares || s->buys < s->writes;
}

/* A call that is written is accepted if no outcome is worse with it than without, and if it is accepted, the worst of
 * all is no worse. What a spread writes and only bounds counts without the calls that it buys. */
static void written_calls(void **state)
{
    static const char rule[] = "uncovered-options: {level: refuse, allow: puts}";
    int kept = 0, broken = 0;

    (void)state;
    for (int i = 0; i < BOOKS; i++) {
        const unsigned long long from = seed;
        struct world w = random_world();
        char json[4000];
        bool accepted, own;

        w.opens = 1 + below(CONTRACTS);
        w.order = 1 + below(3);
        own = below(2);
        accepted = accepts(rule, &w, own, json, sizeof json);
        if (accepted ? is_worse_at_worst(&w) : covers_itself(&w.spread) && !is_worse_somewhere(&w))
            fail_at(from, &w, accepted, own, rule, json);
        kept += accepted && w.spread.units;
        broken += !accepted && w.spread.units;
    }
    assert_true(kept > BOOKS / 20);
    assert_true(broken > BOOKS / 20);
}

/* --- calls of a class share, by either of their roots ------------------------------------------------------------- */

static void read_order(struct og_order *o, const char *symbol, const char *side, const char *effect, int quantity)
{
    char text[300];

    snprintf(
        text, sizeof text,
        "{\"securityType\":\"Stock\",\"symbol\":\"%s\",\"side\":\"%s\",\"openClose\":\"%s\",\"orderType\":\"Limit\","
        "\"limitPrice\":10,\"orderQuantity\":%d,\"timeInForce\":\"Day\",\"accountId\":\"A1\"}",
        symbol, side, effect, quantity);
    assert_int_equal(og_order_read(o, text, strlen(text)), OG_OK);
}

/* 100 shares at 140, a call written at 150 for 2 and one held at 250 for 0.1 count as 14,210. When the shares are being
 * sold, the call can lose 10,000, of which 400 were received or count already. */
static void a_sale_that_works_uncovers_calls_of(const char *root)
{
    static const char policy_text[] =
        "ordergate: 1\nname: t\nextends: []\nunsure: refuse\nrules:\n  exposure: {level: refuse, gross: 20000}\n";
    struct og_scratch *scratch = og_scratch_new();
    struct og_order *buys = og_order_new(), *sells = og_order_new();
    struct og_policy *policy = NULL;
    struct og_book *book = NULL;
    struct og_error err = { 0 };
    struct og_decision d;
    og_ticket ticket;
    char json[1000];

    snprintf(
        json, sizeof json,
        "{\"accountId\":\"A1\",\"asOf\":\"2026-01-15T17:00:00Z\",\"orders\":[],\"positions\":["
        "{\"symbol\":\"BRK.B\",\"securityType\":\"Stock\",\"side\":\"Long\",\"shares\":100,\"priceAvg\":140},"
        "{\"symbol\":\"BRK.B\",\"tradedSymbol\":\"%s260220C00150000\",\"securityType\":\"Option\",\"side\":\"Short\","
        "\"shares\":1,\"priceAvg\":2},"
        "{\"symbol\":\"BRK.B\",\"tradedSymbol\":\"%s260220C00250000\",\"securityType\":\"Option\",\"side\":\"Long\","
        "\"shares\":1,\"priceAvg\":0.1}]}",
        root, root);
    assert_int_equal(og_policy_read(policy_text, strlen(policy_text), "t", &policy, NULL, NULL, &err), OG_OK);
    assert_int_equal(og_book_new(policy, &book), OG_OK);
    assert_int_equal(og_book_apply(book, NULL, json, strlen(json), "facts", &err), OG_OK);
    read_order(buys, "F", "Buy", "Open", 10);
    read_order(sells, "BRK.B", "Sell", "Close", 100);
    og_check(book, buys, NOW, scratch, &d);
    assert_true(d.accepted);
    assert_int_equal(og_reserve(book, sells, NOW, scratch, &d, &ticket), OG_OK);
    assert_true(d.accepted);
    og_check(book, buys, NOW, scratch, &d);
    if (d.accepted)
        fail_msg("accepted while the shares under a call of %s are being sold", root);
    og_book_free(book);
    og_order_free(buys);
    og_order_free(sells);
    og_scratch_free(scratch);
}

static void calls_of_either_root(void **state)
{
    (void)state;
    a_sale_that_works_uncovers_calls_of("BRKB");
    a_sale_that_works_uncovers_calls_of("BRK.B");
}

int main(void)
{
    const struct CMUnitTest tests[] = { cmocka_unit_test(uncovered_options), cmocka_unit_test(breaks_option_cover),
                                        cmocka_unit_test(written_calls), cmocka_unit_test(calls_of_either_root) };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
