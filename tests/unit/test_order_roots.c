/*
 * What is known of option roots by their name: underlyings, class shares, indexes, adjusted and flexible contracts.
 */
#include "order/roots.h"
#include "order/spelling.h"
#include "unit.h"

static void indexes(void **state)
{
    static const struct {
        const char *root, *underlying;
        bool in_the_morning;
    } rows[] = {
        { "SPX", "SPX", true },   { "SPXW", "SPX", false }, { "XSP", "XSP", false },
        { "NDX", "NDX", true },   { "NDXP", "NDX", false }, { "RUT", "RUT", true },
        { "RUTW", "RUT", false }, { "VIX", "VIX", true },   { "VIXW", "VIX", true },
    };

    (void)state;
    for (size_t i = 0; i < COUNT(rows); i++) {
        const struct og_root *r = og_root_find(og_str_of(rows[i].root));

        assert_non_null(r);
        assert_true(r->index);
        assert_str(r->underlying, rows[i].underlying);
        assert_int_equal(r->in_the_morning, rows[i].in_the_morning);
        assert_int_equal(og_root_shares(og_str_of(rows[i].root)).len, 0);
    }
}

static void funds(void **state)
{
    static const char *const names[] = { "SPY", "QQQ", "IWM" };

    (void)state;
    for (size_t i = 0; i < COUNT(names); i++) {
        const struct og_root *r = og_root_find(og_str_of(names[i]));

        assert_non_null(r);
        assert_true(r->any_weekday && !r->index);
    }
    assert_null(og_root_find(OG_STR("XPY"))); /* the place in the table where SPY would be */
    assert_null(og_root_find(OG_STR("")));
}

static void shares_and_their_contracts(void **state)
{
    static const char *const rows[][2] = { { "AAPL", "AAPL" },  { "SPY", "SPY" },    { "BRKB", "BRK.B" },
                                           { "BFB", "BF.B" },   { "LENB", "LEN.B" }, { "AAPL1", "AAPL1" },
                                           { "BRKA", "BRK.A" }, { "BFA", "BF.A" },   { "HEIA", "HEI.A" },
                                           { "MOGA", "MOG.A" } };

    (void)state;
    for (size_t i = 0; i < COUNT(rows); i++) {
        assert_str(og_root_shares(og_str_of(rows[i][0])), rows[i][1]);
        assert_str(og_root_on(og_str_of(rows[i][1])), rows[i][0]);
    }
    assert_str(og_root_on(OG_STR("XYZ.A")), "XYZ.A");
    assert_int_equal(og_root_on((struct og_str){ NULL, 0 }).len, 0);
}

static void the_same_underlying(void **state)
{
    (void)state;
    assert_true(og_root_same(OG_STR("SPXW"), OG_STR("SPX")));
    assert_true(og_root_same(OG_STR("NDX"), OG_STR("NDXP")));
    assert_true(og_root_same(OG_STR("BRKB"), OG_STR("BRK.B")));
    assert_true(og_root_same(OG_STR("AAPL"), OG_STR("AAPL")));
    assert_false(og_root_same(OG_STR("SNOW"), OG_STR("SNO")));
    assert_false(og_root_same(OG_STR("XSP"), OG_STR("SPX")));
    assert_false(og_root_same(OG_STR("BRKA"), OG_STR("BRK.B")));
    assert_false(og_root_same(OG_STR("SPXX"), OG_STR("SPX")));
}

/* Every spelling of a class share, and that nothing else is taken for one. */
static void spellings(void **state)
{
    static const char *const brk[] = { "BRK.B", "BRK-B", "BRK_B", "BRKB", "brk-b", "brkb" };
    static const char *const other[][2] = { { "BAC-L", "BAC.L" },   { "AAPL", "AAPL" },       { "BRKC", "BRKC" },
                                            { "BACL", "BACL" },     { "bf_a", "BF.A" },       { "A.B-C", "A.B.C" },
                                            { "SPXW", "SPXW" },     { "NVDA.", "NVDA" },      { "NVDA.US", "NVDA" },
                                            { ".NVDA", "NVDA" },    { "NVDA-_us", "NVDA" },   { "BRK..B", "BRK.B" },
                                            { "BRKB.US", "BRK.B" }, { "BRK.B.US.", "BRK.B" }, { "US", "US" },
                                            { ".US", "US" },        { "A.US.B", "A.US.B" },   { "BUS", "BUS" } };
    static const char *const listed[][2] = { { "BRK-B", "BRK-B" }, { "BRKB", "BRKB" },     { "BRK.B", "BRK.B" },
                                             { "NVDA_", "NVDA" },  { "NVDA_US", "NVDA" },  { ".NVDA", "NVDA" },
                                             { "-_.", "-_." },     { "BRK-B.US", "BRK.B" } };
    char dotted[OG_SYMBOL_FOLDED], to[OG_SYMBOL_FOLDED], letters[OG_SYMBOL_FOLDED + 1];

    (void)state;
    for (size_t i = 0; i < COUNT(brk); i++)
        assert_str(og_spelling_dotted(og_str_of(brk[i]), dotted), "BRK.B");
    for (size_t i = 0; i < COUNT(other); i++)
        assert_str(og_spelling_dotted(og_str_of(other[i][0]), dotted), other[i][1]);
    for (size_t i = 0; i < COUNT(listed); i++) {
        assert_str(og_spelling_listed(og_str_of(listed[i][0]), dotted), listed[i][1]);
        assert_str(og_spelling_listed(og_str_of(memcpy(letters, listed[i][0], strlen(listed[i][0]) + 1)), letters),
                   listed[i][1]);
    }
    for (int i = 0; i < OG_SPELLINGS; i++)
        assert_str(og_spelling(OG_STR("BRK.B"), i, to), brk[i]);
    assert_str(og_spelling(OG_STR("BAC.L"), 2, to), "BAC_L");
    assert_int_equal(og_spelling(OG_STR("BAC.L"), 3, to).len, 0);
    assert_str(og_spelling(OG_STR("AAPL"), 0, to), "AAPL");
    assert_int_equal(og_spelling(OG_STR("AAPL"), 1, to).len, 0);
    assert_int_equal(og_spelling_dotted((struct og_str){ NULL, 0 }, dotted).len, 0);
    assert_int_equal(og_spelling_listed((struct og_str){ NULL, 0 }, dotted).len, 0);
    memset(letters, '-', sizeof letters);
    assert_str(og_spelling_dotted((struct og_str){ letters, 3 }, dotted), "...");
    assert_int_equal(og_spelling_dotted((struct og_str){ letters, sizeof letters }, dotted).s == letters, 1);
    assert_int_equal(og_symbol_bytes(OG_STR("BRKB")), OG_BYTE_SPELLING);
    assert_int_equal(og_symbol_bytes(OG_STR("BRK.B")), 0);
    assert_int_equal(og_symbol_bytes(OG_STR("BRKC")), 0);
    assert_int_equal(og_symbol_bytes(OG_STR("NVDA.")), OG_BYTE_SPELLING);
    assert_int_equal(og_symbol_bytes(OG_STR(".NVDA")), OG_BYTE_SPELLING);
    assert_int_equal(og_symbol_bytes(OG_STR("A..B")), OG_BYTE_SPELLING);
    assert_int_equal(og_symbol_bytes(OG_STR("NVDA.US")), OG_BYTE_SPELLING);
    assert_int_equal(og_symbol_bytes(OG_STR("NVDA.U")), 0);
    assert_int_equal(og_symbol_bytes(OG_STR("NVDAUS")), 0);
    assert_int_equal(og_symbol_bytes(OG_STR("BFB")), OG_BYTE_SPELLING);
    assert_int_equal(og_symbol_bytes(OG_STR("BRKB260220C00400000")), 0);
    assert_int_equal(og_symbol_bytes(OG_STR("BRK.B260220C00400000")), OG_BYTE_SPELLING);
}

static void digits(void **state)
{
    (void)state;
    assert_true(og_root_is_adjusted(OG_STR("BABA2")));
    assert_true(og_root_is_adjusted(OG_STR("AAPL7")));
    assert_false(og_root_is_adjusted(OG_STR("AAPL")));
    assert_false(og_root_is_adjusted(OG_STR("1SPX2")));
    assert_false(og_root_is_adjusted(OG_STR("7")));
    assert_true(og_root_is_flex(OG_STR("1SPX")));
    assert_true(og_root_is_flex(OG_STR("7")));
    assert_false(og_root_is_flex(OG_STR("SPX1")));
    assert_false(og_root_is_flex((struct og_str){ NULL, 0 }));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(indexes),
        cmocka_unit_test(funds),
        cmocka_unit_test(shares_and_their_contracts),
        cmocka_unit_test(the_same_underlying),
        cmocka_unit_test(spellings),
        cmocka_unit_test(digits),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
