/*
 * Tables for a terminal: widths of characters, what is cut, paragraphs, tables in parts.
 */
#include <string.h>

#include "text/table.h"
#include "unit.h"

static void test_width(void **state)
{
    static const struct {
        const char *text;
        int width;
    } cases[] = {
        { "", 0 },
        { "AAPL", 4 },
        { "\xc3\xa9t\xc3\xa9", 3 },        /* precomposed */
        { "e\xcc\x81te\xcc\x81", 3 },      /* the same, with combining accents */
        { "\xe6\xa0\xaa\xe5\xbc\x8f", 4 }, /* two Chinese characters */
        { "\xef\xbc\xa1", 2 },             /* a full-width A */
        { "\xf0\x9f\x93\x88", 2 },         /* a chart */
        { "\xea\xb0\x80", 2 },             /* Hangul */
        { "\xe2\x82\xac", 1 },             /* the euro sign */
        { "a\xe2\x80\x8b\xef\xbb\xbf"
          "b",
          2 },                     /* zero-width blank and byte order mark */
        { "\xff\xc3", 2 },         /* no UTF-8: a column a byte */
        { "\xf0\xa0\x80\x80", 2 }, /* beyond the basic plane */
    };

    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        assert_int_equal(og_text_width(og_str_of(cases[i].text)), cases[i].width);
}

struct page {
    struct og_buf b;
    struct og_sheet sheet;
    struct og_table t;
};

static void begin(struct page *p, int columns, bool colour)
{
    memset(p, 0, sizeof *p);
    og_buf_init(&p->b, 0);
    p->sheet = (struct og_sheet){ .to = &p->b, .columns = columns, .colour = colour };
}

static void expect(struct page *p, const char *text)
{
    assert_false(p->b.bad);
    assert_string_equal(p->b.s ? p->b.s : "", text);
    og_buf_clear(&p->b);
}

static void add(struct page *p, const char *first, const char *number, const char *last)
{
    struct og_cell *row = og_table_add(&p->t);

    og_table_set_text(row, 0, first);
    og_table_set(row, 1, og_str_of(number), true, OG_INK_RED);
    og_table_set_text(row, 2, last);
}

static void test_the_widest_text_is_cut_and_no_number(void **state)
{
    struct page p;

    (void)state;
    begin(&p, 40, false);
    OG_TABLE_NAMES(&p.t, "NAME", "NUMBER", "TEXT");
    add(&p, "a name that is very long", "1234567890.12", "a text that goes on");
    add(&p, "\xe6\xa0\xaa\xe5\xbc\x8f\xe4\xbc\x9a\xe7\xa4\xbe\xe6\xa0\xaa\xe5\xbc\x8f", "5", "short");
    og_table_put(&p.sheet, NULL, &p.t, 1);
    expect(&p, "  NAME             NUMBER  TEXT\n"
               "  a nam...  1234567890.12  a text tha...\n"
               "  \xe6\xa0\xaa\xe5\xbc\x8f...               5  short\n");
}

static void test_a_column_that_stays_whole(void **state)
{
    struct page p;

    (void)state;
    begin(&p, 40, false);
    OG_TABLE_NAMES(&p.t, "TIME", "N", "TEXT");
    p.t.whole = 1u;
    add(&p, "2026-01-15 09:30:02", "5", "a text that goes on, and on");
    og_table_put(&p.sheet, NULL, &p.t, 1);
    expect(&p, "  TIME                 N  TEXT\n"
               "  2026-01-15 09:30:02  5  a text that...\n");
}

static void test_a_column_that_does_not_fit_stands_below(void **state)
{
    struct page p;

    (void)state;
    for (int columns = 40; columns > 20; columns -= 14) {
        begin(&p, columns, false);
        OG_TABLE_NAMES(&p.t, "A", "SAME", "TERMS", "LAST");
        p.t.below = 2;
        for (int i = 0; i < 2; i++) {
            struct og_cell *row = og_table_add(&p.t);

            og_table_set_text(row, 0, i ? "a" : "bb");
            og_table_set_text(row, 1, "same");
            og_table_set_text(row, 2, i ? "" : "buy 100 of it");
            og_table_set_text(row, 3, "x and y");
        }
        og_table_note(&p.t, 4, 4, OG_INK_NONE, OG_STR("a note"));
        assert_string_equal(og_table_drop_same(&p.t, 1), "same");
        assert_null(og_table_drop_same(&p.t, 0));
        og_table_put(&p.sheet, NULL, &p.t, 1);
        expect(&p, columns == 40
                       ? "  A   TERMS          LAST\n  bb  buy 100 of it  x and y\n  a                  x and y\n"
                         "    a note\n"
                       : "  A   LAST\n  bb  x and y\n    buy 100 of it\n  a   x and y\n    a note\n");
    }
}

static void test_the_last_column_goes_on_below(void **state)
{
    struct page p;

    (void)state;
    begin(&p, 40, true);
    OG_TABLE_NAMES(&p.t, "A", "N", "WORDS");
    p.t.wraps = true;
    add(&p, "short", "1", "it fits");
    add(&p, "longer", "2", "words of which there are more than the line has room for");
    og_table_put(&p.sheet, NULL, &p.t, 1);
    expect(&p, "  A       N  WORDS\n"
               "  short   \x1b[31m1\x1b[0m  it fits\n"
               "  longer  \x1b[31m2\x1b[0m  words of which there are\n"
               "             more than the line has room\n"
               "             for\n");
}

static void test_parts_keep_their_widths(void **state)
{
    struct page p;

    (void)state;
    begin(&p, 80, false);
    p.t.in_parts = true;
    OG_TABLE_NAMES(&p.t, "NAME", "N", "TEXT");
    add(&p, "long name", "1", "x");
    og_table_note(&p.t, 4, 6, OG_INK_NONE, OG_STR("a note"));
    og_table_put(&p.sheet, NULL, &p.t, 1);
    add(&p, "b", "2", "y");
    og_table_put(&p.sheet, NULL, &p.t, 0);
    og_table_put(&p.sheet, NULL, &p.t, 0); /* a part without rows is nothing */
    add(&p, "longer than before", "3", "z");
    og_table_put(&p.sheet, NULL, &p.t, 0);
    expect(&p, "  NAME       N  TEXT\n"
               "  long name  1  x\n"
               "    a note\n"
               "  b          2  y\n"
               "  longer than before  3  z\n");
    og_table_clear(&p.t);
}

static void test_paragraphs(void **state)
{
    struct page p;

    (void)state;
    begin(&p, 20, true);
    og_sheet_words(&p.sheet, 2, 4, OG_INK_YELLOW, OG_STR("  one two  three four five"));
    og_sheet_words(&p.sheet, 0, 0, OG_INK_NONE, OG_STR("a-word-that-is-longer-than-the-line and more"));
    og_sheet_words(&p.sheet, 0, 0, OG_INK_RED, OG_STR("tab\there \xe2\x80\xae turned \x1b[31m"));
    og_sheet_words(&p.sheet, 3, 3, OG_INK_RED, OG_STR(""));
    og_sheet_words(&p.sheet, 0, 0, OG_INK_NONE,
                   OG_STR("\xe6\xa0\xaa\xe5\xbc\x8f\xe4\xbc\x9a \xe6\xa0\xaa\xe5\xbc\x8f\xe4\xbc\x9a\xe7\xa4\xbe"
                          " wide"));
    expect(&p, "  \x1b[33mone two  three\x1b[0m\n"
               "    \x1b[33mfour five\x1b[0m\n"
               "a-word-that-is-longer-than-the-line\n"
               "and more\n"
               "\x1b[31mtab?here ? turned\x1b[0m\n"
               "\x1b[31m?[31m\x1b[0m\n"
               "\n"
               "\xe6\xa0\xaa\xe5\xbc\x8f\xe4\xbc\x9a \xe6\xa0\xaa\xe5\xbc\x8f\xe4\xbc\x9a\xe7\xa4\xbe wide\n");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_width),
        cmocka_unit_test(test_the_widest_text_is_cut_and_no_number),
        cmocka_unit_test(test_a_column_that_stays_whole),
        cmocka_unit_test(test_a_column_that_does_not_fit_stands_below),
        cmocka_unit_test(test_the_last_column_goes_on_below),
        cmocka_unit_test(test_parts_keep_their_widths),
        cmocka_unit_test(test_paragraphs),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
