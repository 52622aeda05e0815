/*
 * Maps of facts: every entry is found only by its own key, whatever the hashes are; the same holds for ids and
 * duplicate orders.
 */
#include <stdio.h>

#include "facts/data.h"
#include "unit.h"

#define XXH_INLINE_ALL
#include <xxhash.h>

enum { MANY = 3000 };

struct entry {
    struct og_str key;
    int number;
};

static struct og_str name(char *to, size_t size, int i)
{
    return (struct og_str){ to, (size_t)snprintf(to, size, "N%d", i) };
}

/* Hashes whose lower halves are equal, and that map to few slots. */
static uint64_t bad_hash(int i)
{
    return (uint64_t)(i % 7) << 40 | (uint64_t)(i % 3);
}

static void finds_what_has_the_key(void **state)
{
    struct og_facts_map m;
    struct og_arena a;
    char text[16];
    size_t at = 0, count = 0;

    (void)state;
    og_arena_init(&a, 0);
    og_facts_map_init(&m, &a);
    assert_null(og_facts_map_get(&m, OG_STR("N0")));
    for (int i = 0; i < MANY; i++) {
        const uint64_t hash = i % 10 ? og_facts_map_hash(name(text, sizeof text, i)) : bad_hash(i);
        struct entry *e;

        assert_null(og_facts_map_find(&m, name(text, sizeof text, i), hash));
        e = og_facts_map_add(&m, hash, og_facts_map_first(&m, hash), sizeof *e);
        assert_non_null(e);
        *e = (struct entry){ og_arena_copy(&a, name(text, sizeof text, i)), i };
    }
    for (int i = 0; i < MANY + 50; i++) {
        const uint64_t hash = i % 10 ? og_facts_map_hash(name(text, sizeof text, i)) : bad_hash(i);
        const struct entry *e = og_facts_map_find(&m, name(text, sizeof text, i), hash);

        assert_int_equal(e != NULL, i < MANY);
        assert_int_equal(e ? e->number : i, i);
    }
    while (og_facts_map_next(&m, &at))
        count++;
    assert_int_equal(count, MANY);
    og_facts_map_clear(&m);
    og_arena_clear(&a);
}

static void ids_of_one_hash_are_apart(void **state)
{
    struct og_facts_map m;
    struct og_arena a;
    char text[16];

    (void)state;
    og_arena_init(&a, 0);
    og_facts_map_init(&m, &a);
    for (int i = 0; i < 100; i++) {
        struct og_id_entry *e = og_facts_id_entry(&m, name(text, sizeof text, i), 5);

        assert_int_equal(e->effects, 0);
        e->effects = i + 1;
        assert_ptr_equal(og_facts_id_entry(&m, name(text, sizeof text, i), 5), e);
    }
    for (int i = 0; i < 100; i++)
        assert_int_equal(og_facts_id_find(&m, name(text, sizeof text, i), 5)->effects, i + 1);
    assert_null(og_facts_id_find(&m, OG_STR("N100"), 5));
    assert_null(og_facts_id_find(&m, OG_STR("N1"), 6));
    og_facts_map_clear(&m);
    og_arena_clear(&a);
}

/* Returns the entry of the i-th of several orders that differ in one respect each: symbol, side, openClose, a number,
 * or its decimals. */
static struct og_holding_entry *twin(struct og_aggregates *s, int i, struct og_duplicate_key *key)
{
    const struct og_money limit = { 1905, i == 4 ? 1 : 2 }, stop = { i == 5 ? 7 : 8, 0 };
    const struct og_str traded = i == 1 ? OG_STR("AAPM") : OG_STR("AAPL");

    og_facts_duplicate_key(key, i == 2 ? OG_SELL : OG_BUY,
                           i == 3   ? 0
                           : i == 6 ? -1
                                    : 1,
                           og_money_from(i == 7 ? 101 : 100), &limit, i == 8 ? NULL : &stop);
    return og_facts_holding_entry(s, traded, og_facts_map_hash(traded));
}

static void twins_of_one_hash_are_apart(void **state)
{
    struct og_aggregates *s = og_facts_aggregates_new();
    struct og_duplicate_key key;

    (void)state;
    assert_non_null(s);
    for (int i = 0; i < 9; i++) {
        struct og_holding_entry *at = twin(s, i, &key);
        struct og_duplicate_entry *e = og_facts_duplicate_entry(s, at, &key, 1);

        assert_non_null(e);
        assert_int_equal(e->key.working, 0);
        og_facts_duplicate_count(e, 1);
        assert_ptr_equal(og_facts_duplicate_entry(s, at, &key, 1), e);
        assert_ptr_equal(og_facts_duplicate_find(s, at->is.traded, &key, 1), e);
    }
    assert_int_equal(s->twins.count, 9);
    og_facts_aggregates_free(s);
}

/* Returns the entry of limit orders, or of stops, to buy or sell at that many cents. */
static struct og_duplicate_entry *placed(struct og_aggregates *s, enum og_side side, int cents, bool stops)
{
    const struct og_money price = { cents, 2 };
    struct og_duplicate_key key;

    og_facts_duplicate_key(&key, side, 1, og_money_from(1), stops ? NULL : &price, stops ? &price : NULL);
    return og_facts_duplicate_entry(s, og_facts_holding_entry(s, OG_STR("F"), 1), &key,
                                    og_facts_duplicate_hash(&key, 1));
}

static struct og_duplicate_entry *resting(struct og_aggregates *s, enum og_side side, int cents)
{
    return placed(s, side, cents, false);
}

static int chained(const struct og_holding_entry *h)
{
    int count = 0;

    for (const struct og_duplicate_entry *e = h->twins; e; e = e->next)
        count++;
    return count;
}

/* When orders of a symbol come and go, a search for the best price looks only at those that still work. */
static void what_ended_is_not_looked_through(void **state)
{
    struct og_aggregates *s = og_facts_aggregates_new();
    const struct og_holding_entry *h = og_facts_holding_entry(s, OG_STR("F"), 1);

    (void)state;
    og_facts_duplicate_count(resting(s, OG_BUY, 1), 1);
    for (int i = 2; i < MANY; i++) {
        og_facts_duplicate_count(resting(s, OG_BUY, i), 1);
        assert_int_equal(h->is.best_buy.coef, i);
        og_facts_duplicate_count(resting(s, OG_BUY, i), -1);
        assert_int_equal(h->is.best_buy.coef, 1);
        assert_int_equal(chained(h), 1);
    }
    og_facts_aggregates_free(s);
}

enum { PRICES = 12 };

/* Returns the best price, by looking at all orders; 0: there is none. */
static int best_of(const int *working, bool highest)
{
    int best = 0;

    for (int i = 1; i <= PRICES; i++)
        if (working[i] && (!best || highest))
            best = i;
    return best;
}

static void the_best_of_those_that_work(void **state)
{
    struct og_aggregates *s = og_facts_aggregates_new();
    const struct og_holding *h = &og_facts_holding_entry(s, OG_STR("F"), 1)->is;
    int working[2][PRICES + 1] = { { 0 } };
    unsigned seed = 7;

    (void)state;
    for (int step = 0; step < 20000; step++) {
        const int random = (int)((seed = seed * 1664525u + 1013904223u) >> 16), side = random & 1,
                  at = 1 + (random >> 1) % PRICES;
        const int sign = working[side][at] && random >> 12 & 1 ? -1 : 1;

        if (sign > 0 && working[side][at] > 2)
            continue;
        working[side][at] += sign;
        og_facts_duplicate_count(resting(s, side ? OG_SELL : OG_BUY, at), sign);
        if (best_of(working[0], true))
            assert_int_equal(h->best_buy.coef, best_of(working[0], true));
        if (best_of(working[1], false))
            assert_int_equal(h->best_sell.coef, best_of(working[1], false));
        assert_int_equal(h->limit_buys > 0, best_of(working[0], true) > 0);
    }
    og_facts_aggregates_free(s);
}

/* The nearest stops and limits that work, as found by looking at all orders. */
static void the_nearest_of_those_that_work(void **state)
{
    struct og_aggregates *s = og_facts_aggregates_new();
    const struct og_holding *h = &og_facts_holding_entry(s, OG_STR("F"), 1)->is;
    int working[2][2][PRICES + 1] = { { { 0 } } };
    unsigned seed = 11;

    (void)state;
    for (int step = 0; step < 20000; step++) {
        const int random = (int)((seed = seed * 1664525u + 1013904223u) >> 16), sells = random & 1,
                  stops = random >> 1 & 1;
        const int at = 1 + (random >> 2) % PRICES, from = 1 + (random >> 6) % PRICES, way = sells ? 1 : -1;
        const int sign = working[stops][sells][at] ? -1 : 1;
        struct og_money price = { 0, 0 };
        int best = from;

        working[stops][sells][at] += sign;
        og_facts_duplicate_count(placed(s, sells ? OG_SELL : OG_BUY, at, stops), sign);
        while (best >= 1 && best <= PRICES && !working[stops][sells][best])
            best += way;
        assert_int_equal(og_facts_nearest(h, !sells, stops, (struct og_money){ from, 2 }, &price),
                         best >= 1 && best <= PRICES);
        if (best >= 1 && best <= PRICES)
            assert_int_equal(price.coef, best);
    }
    og_facts_aggregates_free(s);
}

/* Keys that would collide under a hash without a secret are spread over the map. */
static void chosen_keys_do_not_meet(void **state)
{
    struct og_facts_map m;
    struct og_arena a;
    char text[256]; /* as many bytes as the compiler may assume that the hash reads */
    size_t away = 0;

    (void)state;
    og_arena_init(&a, 0);
    og_facts_map_init(&m, &a);
    for (int i = 0, count = 0; count < 2000; i++) {
        const struct og_str key = name(text, sizeof text, i);
        const uint64_t hash = og_facts_map_hash(key);

        if (XXH3_64bits(key.s, key.len) & 4095)
            continue;
        count++;
        assert_non_null(og_facts_map_add(&m, hash, og_facts_map_first(&m, hash), sizeof(struct entry)));
    }
    for (size_t i = 0; i < m.cap; i++)
        if (m.slot[i].place)
            away += (i - m.slot[i].hash) & (m.cap - 1);
    /* without a secret in the hash, all these keys would collide, and `away` would be some two million */
    assert_in_range(away, 0, 2 * 2000);
    og_facts_map_clear(&m);
    og_arena_clear(&a);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(finds_what_has_the_key),           cmocka_unit_test(chosen_keys_do_not_meet),
        cmocka_unit_test(ids_of_one_hash_are_apart),        cmocka_unit_test(twins_of_one_hash_are_apart),
        cmocka_unit_test(what_ended_is_not_looked_through), cmocka_unit_test(the_best_of_those_that_work),
        cmocka_unit_test(the_nearest_of_those_that_work),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
