/*
 * The requirement of shares with and without options: the worked examples of docs/margin.md, for any number of
 * shares.
 */
#include <stdio.h>

#include "margin/stock.h"
#include "unit.h"

static const struct {
    const char *name;
    int shares;
    bool is_short;
    const char *price, *call, *put, *initial, *held;
} examples[] = {
    { "long stock", 200, false, "50", "0", "0", "5000", "2500" },
    { "short stock", 100, true, "60", "0", "0", "9000", "7800" },
    { "short stock below 5", 500, true, "3", "0", "0", "2250", "3000" },
    { "short stock at 2: 2.50 a share", 1000, true, "2", "0", "0", "3000", "4500" },
    { "short stock at 5", 100, true, "5", "0", "0", "750", "1000" },
    { "covered call", 100, false, "92.38", "90", "0", "4619", "2250" },
    { "covered call out of the money", 100, false, "80", "90", "0", "4000", "2000" },
    { "covered put", 100, true, "255", "0", "250", "38250", "33150" },
    { "covered put in the money", 100, true, "245", "0", "250", "37250", "32350" },
    { "married put", 100, false, "103.50", "0", "95", "5175", "1800" },     /* with its premium of 100: 5,275 */
    { "married put at 100", 100, false, "100", "0", "95", "5000", "1450" }, /* with its premium of 200: 5,200 */
    { "collar", 100, false, "31.75", "35", "30", "1587.5", "475" },
    { "conversion", 100, false, "112", "110", "110", "5600", "1100" },
    { "reverse conversion", 100, true, "112", "110", "110", "16800", "12100" },
};

static int64_t millionths(const char *text)
{
    struct og_money m;
    int64_t n = 0;

    assert_true(og_money_read(text, strlen(text), &m) && og_margin_millionths(m, &n));
    return n;
}

/* Write the requirement of so many shares in dollars. */
static const char *dollars(int64_t share, int shares, char *to, size_t size)
{
    struct og_money m;

    assert_true(og_margin_dollars((og_wide)share * shares / 100, &m));
    snprintf(to, size, "%s", og_money_text(m).s);
    return to;
}

static void worked_examples(void **state)
{
    (void)state;
    for (size_t i = 0; i < COUNT(examples); i++) {
        const struct og_margin_stock s = { examples[i].is_short, millionths(examples[i].price),
                                           millionths(examples[i].call), millionths(examples[i].put) };
        char seen[160], wanted[160], text[2][32];

        snprintf(seen, sizeof seen, "%s: %s, %s", examples[i].name,
                 dollars(og_margin_stock_initial(&s), examples[i].shares, text[0], 32),
                 dollars(og_margin_stock_held(&s), examples[i].shares, text[1], 32));
        snprintf(wanted, sizeof wanted, "%s: %s, %s", examples[i].name, examples[i].initial, examples[i].held);
        assert_string_equal(seen, wanted);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = { cmocka_unit_test(worked_examples) };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
