/*
 * The requirement of option positions: the worked examples of docs/margin.md, and properties of random positions. The
 * cheapest pairing is that of a brute-force search, for any size and over two expiries; one more short never requires
 * less; the order of contracts does not matter.
 */
#include <stdio.h>

#include "cheapest.h"
#include "margin/requirement.h"
#include "unit.h"

#define EXPIRY 20261218

/* "+2C100@2.50": two calls bought at 2.50; separated by blanks; '>' before a later expiry, '<' before an earlier
 * one. */
static void read_line(struct og_margin_book *b, const char *text, int64_t *paid, int64_t *received)
{
    struct og_money strike = { 0, 0 }, price = { 0, 0 };
    char *end;
    int expiry = *text == '>' ? EXPIRY + 10000 : *text == '<' ? EXPIRY - 10000 : EXPIRY;
    long n;
    size_t len;
    struct og_margin_line *l;
    int64_t at = 0;

    text += *text == '>' || *text == '<';
    n = strtol(text, &end, 10);
    len = strcspn(end + 1, "@ ");
    assert_true(og_money_read(end + 1, len, &strike) && og_margin_millionths(strike, &at));
    l = og_margin_line_of(b, expiry, at, *end);
    assert_non_null(l);
    if (end[1 + len] == '@') {
        assert_true(og_money_read(end + 2 + len, strcspn(end + 2 + len, " "), &price));
        l->priced = true;
    }
    assert_true(og_margin_millionths(price, &l->price));
    *(n > 0 ? &l->longs : &l->shorts) += n > 0 ? n : -n;
    *(n > 0 ? paid : received) += l->price * (n > 0 ? n : -n);
}

static void read_book(struct og_margin_book *b, const char *text, int64_t *paid, int64_t *received)
{
    *paid = *received = 0;
    memset(b, 0, sizeof *b);
    for (; *text; text += strspn(text, " ")) {
        read_line(b, text, paid, received);
        text += strcspn(text, " ");
    }
}

static const char *dollars(og_wide millionths, char *to, size_t size)
{
    struct og_money m;

    assert_true(og_margin_dollars(millionths, &m));
    snprintf(to, size, "%s", og_money_text(m).s);
    return to;
}

enum { EQUITY = 2000, INDEX = 1500 };

static const struct {
    const char *book, *under;
    int rate, times;
    bool secured;
    const char *gross, *proceeds, *call;
} examples[] = {
    { "+1C100@11", "100", EQUITY, 1, false, "1100", "0", "1100" },  /* long options: the whole premium */
    { "-1P20@1.50", "20", EQUITY, 1, true, "2000", "150", "1850" }, /* cash-secured */
    { "-1C120@8.40", "128.50", EQUITY, 1, false, "3410", "840", "2570" },
    { "-1C30@0.05", "26.38", EQUITY, 1, false, "268.8", "5", "263.8" },
    { "-1P80@2", "95", EQUITY, 1, false, "1000", "200", "800" },
    { "-1P20@1.50", "19.50", EQUITY, 1, false, "540", "150", "390" },
    { "-1P410@0.10", "445.35", INDEX, 1, false, "4110", "10", "4100" },
    { "-1C430@8.70", "433.35", INDEX, 1, false, "7370.25", "870", "6500.25" },
    { "-1P725@3", "970", INDEX, 2, false, "14800", "300", "14500" },
    { "-1P100@3 -1C100@2.50", "100", EQUITY, 1, false, "2550", "550", "2000" },
    { "-1P95@1.20 -1C105@1.10", "100", EQUITY, 1, false, "1730", "230", "1500" },
    { "+1P95@1.20 +1C105@1.10", "100", EQUITY, 1, false, "230", "0", "230" },
    { "+1C125@3.80 -1C120@8.40", "128.50", EQUITY, 1, false, "880", "840", "40" },
    { "+1P250@3 -1P240@0.95", "255", EQUITY, 1, false, "300", "95", "205" },
    { "+1C95@7.10 -2C100@4 +1C105@1.90", "100", EQUITY, 1, false, "900", "800", "100" },
    { "-1C95@7.10 +2C100@4 -1C105@1.90", "100", EQUITY, 1, false, "1300", "900", "400" },
    { "+1P540@5.60 -2P550@7.20 +1P555@9.80", "560", EQUITY, 1, false, "2040", "1440", "600" },
    { "+1P16@0.10 -1P20@0.20 -1C20@7 +1C24@4", "26", EQUITY, 1, false, "810", "720", "90" },
    { "+1C95@6 -1C100@4 -1C105@2 +1C110@1", "100", EQUITY, 1, false, "700", "600", "100" },
    { "-1C95@6 +1C100@4 +1C105@2 -1C110@1", "100", EQUITY, 1, false, "1100", "700", "400" },
    { "+1P90@0.60 -1P95@1.40 -1C105@1.40 +1C110@0.60", "100", EQUITY, 1, false, "620", "280", "340" },
    { "+1P7135@20 -1P7185@25 -1C7500@25 +1C7660@20", "7340", INDEX, 1, false, "20000", "5000", "15000" },
    { "-1P90@0.60 +1P95@1.40 +1C105@1.40 -1C110@0.60", "100", EQUITY, 1, false, "280", "120", "160" },
    { "+2C100@4 -3C110@2", "100", EQUITY, 1, false, "2000", "600", "1400" },   /* one naked call: 200 of premium +
                                                                                * 1,000 */
    { "-1C100@4 +2C105@2", "100", EQUITY, 1, false, "900", "400", "500" },     /* MPL 500 */
    { "-1P100@3 +1P40@0.05", "105", EQUITY, 1, false, "1905", "300", "1605" }, /* the lesser of 6,000 (strike) and 1,900
                                                                                * (naked) */
    { "+1C100@6 -1C110@2 +1P110@7 -1P100@2", "105", EQUITY, 1, false, "1300", "400", "900" }, /* a long box */
    { "-1C100@6 +1C110@2 -1P110@7 +1P100@2", "105", EQUITY, 1, false, "1400", "1300", "100" },
    { "-1C120@8.40 >+1C120@10", "128.50", EQUITY, 1, false, "1000", "840", "160" }, /* the long expires later than the
                                                                                     * short */
    { "-1C120@8.40 >+1C125@10", "128.50", EQUITY, 1, false, "1500", "840", "660" }, /* the same with a strike 5
                                                                                     * higher */
    { "-1C120@8.40 <+1C120@7", "128.50", EQUITY, 1, false, "4110", "840", "3270" }, /* the short expires later than the
                                                                                     * long */
    { "-1P100 +1P95", "", EQUITY, 1, false, "500", "0", "500" }, /* without a price of the underlying, the width is the
                                                                  * bound */
    { "-1P100", "", EQUITY, 1, false, "10000", "0", "10000" },   /* for a single put the bound is its strike */
};

static void worked_examples(void **state)
{
    static struct og_margin_book b;

    (void)state;
    for (size_t i = 0; i < COUNT(examples); i++) {
        const struct og_margin_terms t = { .rate = examples[i].rate * examples[i].times,
                                           .floor = 1000 * examples[i].times,
                                           .secured_puts = examples[i].secured };
        struct og_money under = { 0, 0 };
        int64_t paid, received;
        char seen[160], wanted[160], text[3][32];
        og_wide gross;

        read_book(&b, examples[i].book, &paid, &received);
        b.has_under = examples[i].under[0] && og_money_read(examples[i].under, strlen(examples[i].under), &under);
        assert_true(og_margin_millionths(under, &b.under));
        gross = og_margin_options(&b, &t) + paid;
        snprintf(seen, sizeof seen, "%s: gross %s, proceeds %s, call %s", examples[i].book, dollars(gross, text[0], 32),
                 dollars(received, text[1], 32), dollars(gross - received, text[2], 32));
        snprintf(wanted, sizeof wanted, "%s: gross %s, proceeds %s, call %s", examples[i].book, examples[i].gross,
                 examples[i].proceeds, examples[i].call);
        assert_string_equal(seen, wanted);
    }
}

/* --- contracts without a price ------------------------------------------------------------------------------------ */

static void unknown_falls_out_of_a_difference(void **state)
{
    static struct og_margin_book b;
    const struct og_margin_terms t = { .rate = EQUITY, .floor = 1000 };
    int64_t paid, received;
    og_wide one, spread;

    (void)state;
    read_book(&b, "-1C120", &paid, &received);
    one = og_margin_options(&b, &t);
    assert_true(one >= OG_MARGIN_UNKNOWN);
    read_book(&b, "-1C120 -1P90 +1P80", &paid, &received);
    spread = og_margin_options(&b, &t) - one;
    assert_true(spread == (og_wide)10 * OG_MARGIN_DOLLAR);
    read_book(&b, "-1C120", &paid, &received);
    b.long_lots = 1;
    assert_true(og_margin_options(&b, &t) == 0);
}

static void by_payoff_calls_have_no_bound_and_puts_their_strike(void **state)
{
    static struct og_margin_book b;
    const struct og_margin_terms t = { .mode = OG_MARGIN_PAYOFF, .rate = EQUITY, .floor = 1000 };
    int64_t paid, received;

    (void)state;
    read_book(&b, "-1P80@2 -1P100@3 +1P40@0.05", &paid, &received);
    b.has_under = true;
    b.under = 105 * OG_MARGIN_DOLLAR;
    assert_true(og_margin_options(&b, &t) == (og_wide)140 * OG_MARGIN_DOLLAR);
    read_book(&b, "-1C120@8.40", &paid, &received);
    b.has_under = true;
    b.under = 105 * OG_MARGIN_DOLLAR;
    assert_true(og_margin_options(&b, &t) >= OG_MARGIN_UNKNOWN);
}

static void stock_covers_the_dearest(void **state)
{
    static struct og_margin_book b;
    const struct og_margin_terms t = { .rate = EQUITY, .floor = 1000 };
    int64_t paid, received;

    (void)state;
    read_book(&b, "-1C100@5 -1C120@1", &paid, &received);
    b.has_under = true;
    b.under = 100 * OG_MARGIN_DOLLAR;
    b.long_lots = 1;
    assert_true(og_margin_options(&b, &t) == (og_wide)11 * OG_MARGIN_DOLLAR); /* 1 of premium + a tenth of 100 */
    read_book(&b, "-1P110@12", &paid, &received);
    b.has_under = true;
    b.under = 100 * OG_MARGIN_DOLLAR;
    b.short_lots = 1;
    assert_true(og_margin_options(&b, &t) == (og_wide)10 * OG_MARGIN_DOLLAR); /* the amount by which the put is in the
                                                                               * money */
}

/* --- random books ------------------------------------------------------------------------------------------------- */

static uint64_t seed;

static int rnd(int n)
{
    seed = seed * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return (int)((seed >> 33) % (uint64_t)n);
}

/* Make a book at 100 a share, with prices that fall with the distance from the money. */
static void random_line(struct og_margin_book *b)
{
    int strike = 70 + 5 * rnd(13), away = strike > 100 ? strike - 100 : 100 - strike;
    char type = rnd(2) ? 'C' : 'P';
    int in = type == 'C' ? 100 - strike : strike - 100;
    struct og_margin_line *l = og_margin_line_of(b, EXPIRY, (int64_t)strike * OG_MARGIN_DOLLAR, type);

    l->priced = true;
    l->price = (in > 0 ? in : 0) * (int64_t)OG_MARGIN_DOLLAR + (40 - away) * INT64_C(80000) + 10000;
    *(rnd(2) ? &l->longs : &l->shorts) += 1 + rnd(3);
}

static void random_book(struct og_margin_book *b, int lines)
{
    memset(b, 0, sizeof *b);
    b->has_under = true;
    b->under = 100 * OG_MARGIN_DOLLAR;
    for (int i = 0; i < lines; i++)
        random_line(b);
}

/* Returns what the positions pay at a price of the underlying, without the shorts that stand alone. */
static og_wide pays(const struct og_margin_book *b, const int64_t *out, int64_t price)
{
    og_wide sum = 0;

    for (int i = 0; i < b->count; i++) {
        const struct og_margin_line *l = &b->line[i];
        int64_t in = l->type == 'C' ? price - l->strike : l->strike - price;

        if (in > 0)
            sum += (og_wide)in * (l->longs - (l->shorts - out[i]));
    }
    return sum;
}

/* Set *loss to the greatest loss, which is tried at every half dollar up to 200, and beyond that follows from the
 * slope. Returns false if it is unbounded. */
static bool loss_by_grid(const struct og_margin_book *b, const int64_t *out, og_wide *loss)
{
    og_wide lowest = 0, here;

    for (int64_t half = 0; half <= 400; half++) {
        here = pays(b, out, half * OG_MARGIN_DOLLAR / 2);
        if (here < lowest)
            lowest = here;
    }
    *loss = -lowest;
    return pays(b, out, 201 * (int64_t)OG_MARGIN_DOLLAR) >= pays(b, out, 200 * (int64_t)OG_MARGIN_DOLLAR);
}

static void the_loss_is_that_of_a_grid_of_prices(void **state)
{
    static struct og_margin_book b;
    const int64_t none[16] = { 0 };
    int bounded = 0;

    (void)state;
    seed = 1;
    for (int i = 0; i < 5000; i++) {
        og_wide grid, closed;
        bool has;

        random_book(&b, 1 + rnd(6));
        has = loss_by_grid(&b, none, &grid);
        assert_int_equal(og_margin_loss(&b, &closed), has);
        assert_true(!has || closed == grid);
        bounded += has;
    }
    assert_in_range(bounded, 1000, 4000);
}

/* Returns the requirement of the shorts that stand alone, one entry for each contract, the most expensive first: in
 * this order stock covers them, and straddles are paired. */
static og_wide alone_cost(const struct og_margin_book *b, const int64_t *out)
{
    const struct og_margin_line *call[32], *put[32];
    int calls = 0, puts = 0, first;
    og_wide sum = 0;

    for (int i = 0; i < b->count; i++)
        for (int64_t n = 0; n < out[i]; n++)
            if (b->line[i].type == 'C')
                call[calls++] = &b->line[i];
            else
                put[puts++] = &b->line[i];
    first = b->long_lots < calls ? (int)b->long_lots : calls;
    for (; first < calls || puts; first += first<calls, puts -= puts> 0) {
        const struct og_margin_line *c = first < calls ? call[first] : NULL, *p = puts ? put[puts - 1] : NULL;

        if (c && p)
            sum += (og_wide)c->price + p->price + (c->alone > p->alone ? c->risk : p->risk);
        else
            sum += c ? c->alone : p->alone;
    }
    return sum;
}

static og_wide by_trying_all(const struct og_margin_book *b)
{
    int64_t out[16] = { 0 };
    og_wide best = -1, loss;
    int i = 0;

    while (i < b->count) {
        if (loss_by_grid(b, out, &loss) && (best < 0 || loss + alone_cost(b, out) < best))
            best = loss + alone_cost(b, out);
        for (i = 0; i < b->count && out[i] == b->line[i].shorts; i++)
            out[i] = 0;
        if (i < b->count)
            out[i]++;
    }
    return best;
}

static const struct og_margin_terms ordinary = { .rate = EQUITY, .floor = 1000 };

static void the_cheapest_pairing_is_found(void **state)
{
    static struct og_margin_book b;

    (void)state;
    seed = 2;
    for (int i = 0; i < 400; i++) {
        random_book(&b, 2 + rnd(4));
        if (rnd(3) == 0)
            b.long_lots = rnd(4);
        assert_true(og_margin_options(&b, &ordinary) == by_trying_all(&b));
    }
}

/* Make a book over one or two expiries, of any size: prices in whole cents, sorted by strike as cheapest.h needs. */
static int random_lines(struct og_margin_book *b, struct cheapest_line *line, int lines, int expiries, int size)
{
    int count = 0;

    memset(b, 0, sizeof *b);
    b->has_under = true;
    b->under = 100 * OG_MARGIN_DOLLAR;
    for (int i = 0; i < lines; i++) {
        int strike = 70 + 5 * rnd(13), away = strike > 100 ? strike - 100 : 100 - strike, later = rnd(expiries);
        char type = rnd(2) ? 'C' : 'P';
        int in = type == 'C' ? 100 - strike : strike - 100;
        struct og_margin_line *l =
            og_margin_line_of(b, EXPIRY + later * 10000, (int64_t)strike * OG_MARGIN_DOLLAR, type);

        l->priced = true;
        l->price = ((in > 0 ? in * 100 : 0) + (40 - away) * 8 + 1) * INT64_C(10000);
        *(rnd(2) ? &l->longs : &l->shorts) += 1 + rnd(size);
    }
    for (int strike = 70; strike <= 130; strike += 5)
        for (int i = 0; i < b->count; i++) {
            const struct og_margin_line *l = &b->line[i];

            if (l->strike == strike * INT64_C(1000000))
                line[count++] = (struct cheapest_line){ l->expiry > EXPIRY, l->type,  strike * 100,
                                                        l->price / 10000,   l->longs, l->shorts };
        }
    return count;
}

static void the_cheapest_is_found_over_two_expiries_and_of_any_size(void **state)
{
    static const struct {
        int books, lines, expiries, size;
    } kinds[] = { { 400, 5, 2, 3 }, { 400, 5, 2, 10 }, { 300, 6, 1, 20 }, { 300, 4, 2, 50 }, { 200, 4, 1, 500 } };
    static struct og_margin_book b;
    struct cheapest_line line[CHEAPEST_LINES];

    (void)state;
    seed = 5;
    for (size_t k = 0; k < COUNT(kinds); k++) {
        int tried = 0;

        for (int i = 0; i < kinds[k].books; i++) {
            int count = random_lines(&b, line, kinds[k].lines, kinds[k].expiries, kinds[k].size);
            int64_t true_one = cheapest(line, count, 40000);

            if (true_one < 0)
                continue;
            tried++;
            assert_true(og_margin_options(&b, &ordinary) == (og_wide)true_one * 10000);
            assert_true(og_margin_options_least(&b, &ordinary) == (og_wide)true_one * 10000);
        }
        assert_in_range(tried, kinds[k].books / 3, kinds[k].books);
    }
}

/* For positions too large for the brute-force search, the lower bound is never above the upper bound; usually they are
 * equal. */
static void of_what_is_not_found_both_sides_are_told(void **state)
{
    static struct og_margin_book b;
    struct cheapest_line line[600];
    int found = 0;

    (void)state;
    seed = 6;
    for (int i = 0; i < 300; i++) {
        og_wide most, least;

        (void)random_lines(&b, line, 4 + i / 10, 2, 50);
        most = og_margin_options(&b, &ordinary);
        least = og_margin_options_least(&b, &ordinary);
        assert_true(least >= 0 && least <= most);
        found += least == most;
    }
    assert_in_range(found, 150, 300);
}

/* Prices are random, so that the dearer of a call and a put often has the lesser risk: the bounds may differ then, but
 * never cross. */
static void prices_without_sense_leave_both_sides_right(void **state)
{
    static struct og_margin_book b;
    struct cheapest_line line[CHEAPEST_LINES];
    int found = 0;

    (void)state;
    seed = 7;
    for (int i = 0; i < 500; i++) {
        int count = random_lines(&b, line, 5, 1 + i % 2, 6);
        int64_t true_one;
        og_wide least;

        for (int k = 0; k < b.count; k++)
            b.line[k].price = (1 + rnd(3000)) * INT64_C(10000);
        for (int k = 0; k < count; k++)
            for (int n = 0; n < b.count; n++)
                if (b.line[n].strike == line[k].strike * 10000 && b.line[n].type == line[k].type &&
                    (b.line[n].expiry > EXPIRY) == line[k].expiry)
                    line[k].price = b.line[n].price / 10000;
        true_one = cheapest(line, count, 40000);
        least = og_margin_options_least(&b, &ordinary);
        assert_true(least <= og_margin_options(&b, &ordinary));
        assert_true(true_one < 0 || least <= (og_wide)true_one * 10000);
        found += true_one >= 0 && least == (og_wide)true_one * 10000;
    }
    assert_in_range(found, 350, 500);
}

/* Without a price of the underlying the requirement of calls is unknown: as few as possible stand alone, and the rest
 * is exact. */
static void as_few_are_unknown_as_can_be(void **state)
{
    static struct og_margin_book b;
    struct cheapest_line line[CHEAPEST_LINES];
    int unknown = 0;

    (void)state;
    seed = 8;
    for (int i = 0; i < 500; i++) {
        int64_t longs[2] = { 0, 0 }, shorts[2] = { 0, 0 }, later;
        og_wide most;

        (void)random_lines(&b, line, 2 + rnd(7), 1 + i % 2, 40);
        b.has_under = false;
        for (int k = 0; k < b.count; k++)
            if (b.line[k].type == 'C') {
                longs[b.line[k].expiry > EXPIRY] += b.line[k].longs;
                shorts[b.line[k].expiry > EXPIRY] += b.line[k].shorts;
            }
        later = longs[1] - shorts[1];
        shorts[0] -= longs[0] + (later > 0 ? later : 0);
        shorts[0] = (shorts[0] > 0 ? shorts[0] : 0) + (later < 0 ? -later : 0);
        most = og_margin_options(&b, &ordinary);
        assert_true(og_margin_options_least(&b, &ordinary) == most);
        assert_true(most / OG_MARGIN_UNKNOWN == shorts[0]);
        unknown += most >= OG_MARGIN_UNKNOWN;
    }
    assert_in_range(unknown, 100, 450);
}

static void a_short_more_never_takes_less(void **state)
{
    static struct og_margin_book b;

    (void)state;
    seed = 3;
    for (int i = 0; i < 5000; i++) {
        struct og_margin_line *l;
        og_wide before, after;

        random_book(&b, 1 + rnd(7));
        b.long_lots = rnd(3);
        before = og_margin_options(&b, &ordinary);
        l = &b.line[rnd(b.count)];
        l->shorts++;
        after = og_margin_options(&b, &ordinary);
        assert_true(after >= before);
        l->longs++; /* one more long never raises the requirement */
        assert_true(og_margin_options(&b, &ordinary) <= after);
    }
}

static void the_order_of_contracts_makes_no_difference(void **state)
{
    static struct og_margin_book b, other;

    (void)state;
    seed = 4;
    for (int i = 0; i < 2000; i++) {
        random_book(&b, 8);
        other = b;
        other.count = 0;
        for (int k = b.count; k--;) {
            int at = (int)((unsigned)k * 5 + 3) % b.count;
            struct og_margin_line *l = NULL;

            if (b.count % 5 == 0) /* in these books 5 * k would not reach all lines */
                at = k;
            l = og_margin_line_of(&other, b.line[at].expiry, b.line[at].strike, b.line[at].type);
            *l = b.line[at];
        }
        assert_true(og_margin_options(&other, &ordinary) == og_margin_options(&b, &ordinary));
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(worked_examples),
        cmocka_unit_test(unknown_falls_out_of_a_difference),
        cmocka_unit_test(by_payoff_calls_have_no_bound_and_puts_their_strike),
        cmocka_unit_test(stock_covers_the_dearest),
        cmocka_unit_test(the_loss_is_that_of_a_grid_of_prices),
        cmocka_unit_test(the_cheapest_pairing_is_found),
        cmocka_unit_test(the_cheapest_is_found_over_two_expiries_and_of_any_size),
        cmocka_unit_test(of_what_is_not_found_both_sides_are_told),
        cmocka_unit_test(prices_without_sense_leave_both_sides_right),
        cmocka_unit_test(as_few_are_unknown_as_can_be),
        cmocka_unit_test(a_short_more_never_takes_less),
        cmocka_unit_test(the_order_of_contracts_makes_no_difference),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
