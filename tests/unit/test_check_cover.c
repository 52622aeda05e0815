/*
 * Sales of shares beside written calls, in small random books, compared with a matching by brute force. For
 * uncovered-options, an accepted sale leaves no more calls without shares or a long call in any outcome of the working
 * orders than there are without it, as a working sale may never fill, or filled before positions were read. For
 * breaks-option-cover, a prediction, the worst outcome counts alone. A refused sale would leave more.
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

/* The working orders sell `sold` of the longs of a contract and write `written` more of it; they also sell shares.
 * Contract i expires in i / STRIKES. */
struct world {
    int longs[CONTRACTS], shorts[CONTRACTS], selling, sold, writing, written;
    int shares, shares_selling, order;
};

struct match {
    int shorts, longs;              /* one entry for each contract held */
    int needs[UNITS], gives[UNITS]; /* expiries of the shorts and of the longs; a lot of shares covers every expiry */
    bool taken[UNITS];
};

/* Returns the greatest number of shorts, from the k-th on, that each have a long of their own. */
static int covered(struct match *m, int k)
{
    int most;

    if (k == m->shorts)
        return 0;
    most = covered(m, k + 1);
    for (int i = 0; i < m->longs; i++) {
        int with;

        if (m->taken[i] || m->gives[i] < m->needs[k] || (i > 0 && !m->taken[i - 1] && m->gives[i - 1] == m->gives[i]))
            continue;
        m->taken[i] = true;
        with = 1 + covered(m, k + 1);
        m->taken[i] = false;
        most = with > most ? with : most;
    }
    return most;
}

/* Returns the number of uncovered calls after the contracts of these working orders have filled, and as many shares. */
static int bare(const struct world *w, int fills, int shares_sold, bool ordered)
{
    int shares = w->shares - shares_sold - (ordered ? w->order : 0);
    struct match m = { 0 };

    for (int lots = shares / 100; lots > 0; lots--)
        m.gives[m.longs++] = EXPIRIES;
    for (int i = 0; i < CONTRACTS; i++) {
        int longs = w->longs[i] - (fills & 1 && w->selling == i ? w->sold : 0),
            shorts = w->shorts[i] + (fills & 2 && w->writing == i ? w->written : 0);

        while (longs-- > 0)
            m.gives[m.longs++] = i / STRIKES;
        while (shorts-- > 0)
            m.needs[m.shorts++] = i / STRIKES;
    }
    return m.shorts - covered(&m, 0);
}

/* Returns true if the sale leaves more uncovered calls than there are without it, in the worst outcome of each. */
static bool is_worse_at_worst(const struct world *w)
{
    int most[2] = { 0, 0 };

    for (int fills = 0; fills < 4; fills++)
        for (int ordered = 0; ordered < 2; ordered++) {
            const int one = bare(w, fills, w->shares_selling, ordered);

            most[ordered] = one > most[ordered] ? one : most[ordered];
        }
    return most[1] > most[0];
}

/* Returns true if the sale leaves more uncovered calls in some outcome than the same outcome has without it. */
static bool is_worse_somewhere(const struct world *w)
{
    for (int fills = 0; fills < 4; fills++)
        for (int sold = 0; sold <= w->shares_selling; sold += STEP)
            if (bare(w, fills, sold, true) > bare(w, fills, sold, false))
                return true;
    return false;
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

static void put_world(const struct world *w, char *json, size_t room)
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
    snprintf(json + n, room - n, "]}");
}

static bool accepts(const char *rule, const struct world *w, char *json, size_t room)
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
    put_world(w, json, room);
    if (og_book_apply(book, NULL, json, strlen(json), "facts", &err))
        fail_msg("%s: %s", err.text, json);
    snprintf(text, sizeof text,
             "{\"securityType\":\"Stock\",\"symbol\":\"AAPL\",\"side\":\"Sell\",\"openClose\":\"Close\",\"orderType\":"
             "\"Stop\",\"stopPrice\":180,\"orderQuantity\":%d,\"timeInForce\":\"Day\",\"accountId\":\"A1\"}",
             w->order);
    assert_int_equal(og_order_read(o, text, strlen(text)), OG_OK);
    og_check(book, o, NOW, scratch, &d);
    og_book_free(book);
    og_order_free(o);
    og_scratch_free(scratch);
    return d.accepted;
}

static void a_rule_agrees_with_the_matching(const char *rule, bool (*is_worse)(const struct world *))
{
    int kept = 0, broken = 0;

    for (int i = 0; i < BOOKS; i++) {
        const unsigned long long from = seed;
        const struct world w = random_world();
        const bool worse = is_worse(&w);
        char json[4000];

        if (accepts(rule, &w, json, sizeof json) == worse)
            fail_msg("seed %llu: %s %d shares: %s in %s", from, worse ? "accepted: sale of" : "refused: sale of",
                     w.order, rule, json);
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
    a_rule_agrees_with_the_matching("close-position: {level: refuse, reasons: {breaks-option-cover: refuse}}",
                                    is_worse_at_worst);
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
                                        cmocka_unit_test(calls_of_either_root) };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
