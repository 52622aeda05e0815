/*
 * Every allocation of a view fails once, in turn: some call says "out of memory", and nothing leaks.
 */
#include <string.h>

#include "nomem.h"
#include "ordergate/show.h"
#include "unit.h"

static const char line[] =
    "{\"op\":\"basket\",\"orders\":[{\"side\":\"Buy\",\"symbol\":\"AAPL\",\"orderType\":\"Limit\",\"limitPrice\":1.5},"
    "{\"legs\":[{\"symbol\":\"AAPL260220C00200000\",\"side\":\"Sell\",\"ratio\":1}],\"symbol\":\"SPY\"}]}";
static const char decisions[] =
    "{\"line\":1,\"file\":\"a\",\"verdict\":\"refuse\",\"basket\":{\"index\":0,\"orders\":2},\"predicts\":{\"channel\":"
    "\"rejected\",\"code\":\"R54\"},\"findings\":[{\"rule\":\"order-quantity\",\"reason\":\"quantity-below-one\","
    "\"level\":\"refuse\",\"message\":\"orderQuantity is "
    "0\"},{\"rule\":\"route\",\"reason\":\"route-unknown\",\"level\":"
    "\"warn\",\"unsure\":true,\"message\":\"route-unknown not decided: routes not known\"}]}\n"
    "{\"line\":1,\"file\":\"b\",\"verdict\":\"accept\",\"basket\":{\"index\":1,\"orders\":2},\"findings\":[],"
    "\"suggest\":{\"orderQuantity\":1}}\n";

static const char answer[] =
    "{\"orders\":[{\"clientOrderId\":\"a\",\"orderStatus\":\"Rejected\",\"text\":\"R78: "
    "closed\",\"limitPrice\":5,\"legs\":"
    "[{\"side\":\"Buy\",\"ratio\":1,\"symbol\":\"SPY260220C00600000\"}],\"lastUpdated\":\"2026-01-15T15:00:00Z\"}],"
    "\"pagination\":{\"totalRecords\":9}}";
static const char object[] = "{\"a\":1,\"b\":{\"c\":true,\"d\":\"x\"},\"clientOrderId\":\"a\",\"orderStatus\":\"New\"}";

static const char event[] =
    "{\"event\":\"decision\",\"at\":\"2026-01-15T15:00:00Z\",\"clientOrderId\":\"a\",\"accountId\":\"A\",\"verdict\":"
    "\"refuse\",\"order\":{\"clientOrderId\":\"a\",\"side\":\"Buy\",\"symbol\":\"SPY\",\"legs\":[{}]},\"findings\":[{"
    "\"rule\":"
    "\"order-quantity\",\"reason\":\"quantity-below-one\",\"level\":\"refuse\",\"message\":\"orderQuantity is 0\"}]}";
static const char outcome[] =
    "{\"event\":\"outcome\",\"clientOrderId\":\"a\",\"accountId\":\"B\",\"outcome\":\"filled\"}";
static const char snapshot[] =
    "{\"linesWaiting\":2,\"halt\":{\"trading\":\"on\"},\"accounts\":[{\"orders\":{\"working\":1},"
    "\"limits\":[{\"rule\":\"exposure\",\"setting\":\"gross\",\"percent\":30}]}]}";

/* Returns true if some call reported that memory ran out; no other failure is allowed. */
static bool ran_out(enum og_show_format format)
{
    const struct og_show_look look = { .format = format, .columns = 80, .colour = true };
    struct og_show *show;
    const char *text;
    bool out = false;
    size_t len;

    if (og_show_new(&look, &show) != OG_OK)
        return true;
    for (int i = 0; i < 3; i++) {
        const enum og_status status[] = {
            og_show_decisions(show, decisions, sizeof decisions - 1, line, sizeof line - 1),
            i == 2 ? og_show_decided(show) : OG_OK,
            og_show_answer(show, answer, sizeof answer - 1),
            og_show_answer(show, object, sizeof object - 1),
            og_show_event(show, event, sizeof event - 1),
            og_show_event(show, outcome, sizeof outcome - 1),
            og_show_now(show, snapshot, sizeof snapshot - 1),
            og_show_sent(show),
            og_show_text(show, &text, &len),
        };

        for (size_t k = 0; k < sizeof status / sizeof *status; k++) {
            assert_true(status[k] == OG_OK || status[k] == OG_ENOMEM);
            out |= status[k] == OG_ENOMEM;
        }
        assert_int_equal(strlen(text), len);
    }
    og_show_free(show);
    return out;
}

static void every_allocation(enum og_show_format format)
{
    long n = 1;

    for (;; n++) {
        bool out;

        nomem_at(n);
        out = ran_out(format);
        if (!nomem_hit()) {
            assert_false(out);
            break;
        }
        assert_true(out);
    }
    assert_true(n > 100);
}

static void showing_a_table(void **state)
{
    (void)state;
    every_allocation(OG_SHOW_TABLE);
}

static void showing_rows(void **state)
{
    (void)state;
    every_allocation(OG_SHOW_ROWS);
}

static void showing_csv(void **state)
{
    (void)state;
    every_allocation(OG_SHOW_CSV);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(showing_a_table),
        cmocka_unit_test(showing_csv),
        cmocka_unit_test(showing_rows),
    };

    return cmocka_run_group_tests(tests, nomem_in_cjson, NULL);
}
