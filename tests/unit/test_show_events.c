/*
 * Events of a sender as people see them, at two widths, with and without colour; what a sender does now in one line.
 */
#include <stdio.h>
#include <string.h>

#include "ordergate/show.h"
#include "unit.h"

#define AT(time) "\"at\":\"2026-01-15T14:30:" time "Z\""

static const char *const events[] = {
    "{\"event\":\"stream\",\"seq\":1,\"line\":null,\"accountId\":\"LIVE0001\",\"state\":\"up\",\"text\":null," AT(
        "00") "}",
    "{\"event\":\"decision\",\"seq\":2,\"line\":1,\"clientOrderId\":\"a1\",\"accountId\":\"LIVE0001\",\"verdict\":"
    "\"accept\","
    "\"findings\":[{\"rule\":\"price-collar\",\"reason\":\"limit-away-from-quote\",\"level\":\"warn\",\"message\":"
    "\"limitPrice "
    "210 is more than 10% above the ask "
    "189.52\"}],\"order\":{\"clientOrderId\":\"a1\",\"side\":\"Buy\",\"openClose\":\"Open\","
    "\"orderType\":\"Limit\",\"orderQuantity\":100,\"symbol\":\"AAPL\",\"limitPrice\":210}," AT("01") "}",
    "{\"event\":\"posted\",\"seq\":3,\"line\":1,\"clientOrderId\":\"a1\",\"accountId\":\"LIVE0001\",\"http\":200,"
    "\"orderStatus\":"
    "\"PendingNew\",\"error\":null," AT("02") "}",
    "{\"event\":\"update\",\"seq\":4,\"line\":1,\"clientOrderId\":\"a1\",\"accountId\":\"LIVE0001\",\"source\":"
    "\"stream\","
    "\"orderStatus\":\"PartiallyFilled\",\"executed\":40,\"priceAvg\":189.98,\"leavesQuantity\":60,\"text\":null," AT(
        "03") "}",
    "{\"event\":\"outcome\",\"seq\":5,\"line\":1,\"clientOrderId\":\"a1\",\"accountId\":\"LIVE0001\",\"outcome\":"
    "\"filled\","
    "\"executed\":100,\"priceAvg\":189.98,\"code\":null,\"text\":null," AT("04") "}",
    "{\"event\":\"decision\",\"seq\":6,\"line\":2,\"clientOrderId\":\"a2\",\"accountId\":\"LIVE0001\",\"verdict\":"
    "\"refuse\","
    "\"findings\":[{\"rule\":\"order-quantity\",\"reason\":\"quantity-below-one\",\"level\":\"refuse\",\"message\":"
    "\"orderQuantity is 0, the least allowed is "
    "1\"}],\"order\":{\"clientOrderId\":\"a2\",\"side\":\"Sell\",\"orderType\":"
    "\"Market\",\"orderQuantity\":0,\"symbol\":\"SPY260220C00600000\"}," AT("05") "}",
    "{\"event\":\"outcome\",\"seq\":7,\"line\":2,\"clientOrderId\":\"a2\",\"accountId\":\"LIVE0001\",\"outcome\":"
    "\"refused\","
    "\"executed\":0,\"priceAvg\":0,\"code\":null,\"text\":\"orderQuantity is 0, the least allowed is 1\"," AT("05") "}",
    "{\"event\":\"outcome\",\"seq\":8,\"line\":3,\"clientOrderId\":\"\\u001b[31mb\",\"accountId\":\"LIVE0002\","
    "\"outcome\":"
    "\"unknown\",\"executed\":0,\"code\":null,\"text\":\"the answer was lost after the request had left\"," AT(
        "06") "}",
    "{\"event\":\"held\",\"seq\":9,\"line\":4,\"clientOrderId\":\"a4\",\"accountId\":\"LIVE0001\",\"reason\":\"rate\","
    "\"text\":"
    "\"the budget of POST order has room again in 2 s\"," AT("07") "}",
    "{\"event\":\"latched\",\"seq\":10,\"line\":null,\"accountId\":\"LIVE0001\",\"latch\":\"day-loss "
    "most\",\"value\":-1200,"
    "\"limit\":1000,\"until\":\"resume\"," AT("08") "}",
    "{\"event\":\"stream\",\"seq\":11,\"line\":null,\"accountId\":\"LIVE0001\",\"state\":\"down\",\"text\":\"no "
    "pong\"," AT("09") "}",
    "{\"event\":\"outcome\",\"seq\":12,\"line\":5,\"clientOrderId\":\"a1\",\"accountId\":\"LIVE0001\",\"op\":"
    "\"cancel\","
    "\"outcome\":\"filled\",\"executed\":100,\"priceAvg\":189.98," AT("10") "}",
};

static const char wide[] =
    "  NEW YORK  ORDER     EVENT\n"
    "  09:30:00  -         stream    up\n"
    "  09:30:01  a1        accepted  Buy open 100 AAPL 210\n"
    "            warn: limitPrice 210 is more than 10% above the ask 189.52 [limit-away-from-quote]\n"
    "            what to do: compare it with the market; the setting `away` can allow more\n"
    "  09:30:02  a1        posted    PendingNew\n"
    "  09:30:03  a1        update    PartiallyFilled, 40 at 189.98, open 60\n"
    "  09:30:04  a1        filled    100 at 189.98\n"
    "  09:30:05  a2        refused   Sell 0 SPY260220C00600000 market\n"
    "            refuse: orderQuantity is 0, the least allowed is 1 [quantity-below-one]\n"
    "            what to do: side gives the direction, never a sign\n"
    "  09:30:05  a2        refused   orderQuantity is 0, the least allowed is 1\n"
    "  09:30:06  ?[31mb    unknown   the answer was lost after the request had left; account LIVE0002\n"
    "  09:30:07  a4        held      the budget of POST order has room again in 2 s\n"
    "  09:30:08  -         latched   day-loss most -1200, limit 1000, until resume\n"
    "  09:30:09  -         stream    down: no pong\n"
    "  09:30:10  a1        filled    cancel, 100 at 189.98\n"
    "\n"
    "3 orders: 1 filled, 1 refused, 1 unknown\n";

static struct og_show *view(int columns, bool colour, enum og_show_format format)
{
    const struct og_show_look look = { .format = format, .columns = columns, .colour = colour };
    struct og_show *show;

    assert_int_equal(og_show_new(&look, &show), OG_OK);
    return show;
}

/* Give the events; parts: how many at a time. Returns what is printed, in room. */
static char *shown(int columns, bool colour, enum og_show_format format, size_t parts, char *room, size_t size)
{
    const size_t count = sizeof events / sizeof *events;
    struct og_show *show = view(columns, colour, format);
    const char *text;
    size_t len, at = 0;

    for (size_t i = 0; i <= count; i++) {
        if (i < count)
            assert_int_equal(og_show_event(show, events[i], strlen(events[i])), OG_OK);
        else
            assert_int_equal(og_show_sent(show), OG_OK);
        if ((i + 1) % parts && i < count)
            continue;
        assert_int_equal(og_show_text(show, &text, &len), OG_OK);
        assert_true(at + len < size);
        memcpy(room + at, text, len);
        at += len;
    }
    room[at] = '\0';
    og_show_free(show);
    return room;
}

static void at_200_columns(void **state)
{
    char room[8192];

    (void)state;
    assert_string_equal(shown(200, false, OG_SHOW_TABLE, sizeof events, room, sizeof room), wide);
}

static void in_colour(void **state)
{
    char room[8192], plain[8192];
    size_t len = 0;

    (void)state;
    shown(200, true, OG_SHOW_TABLE, sizeof events, room, sizeof room);
    assert_non_null(strstr(room, "\033[32mfilled\033[0m"));
    assert_non_null(strstr(room, "\033[33mrefused\033[0m"));
    assert_non_null(strstr(room, "\033[31munknown\033[0m"));
    assert_non_null(strstr(room, "\033[31mstream\033[0m    down"));
    for (const char *c = room; *c; c++) {
        if (*c == '\033')
            c += strcspn(c, "m");
        else
            plain[len++] = *c;
    }
    plain[len] = '\0';
    assert_string_equal(plain, wide);
}

/* Each event by itself, on a narrow terminal: no line is longer, and what does not fit goes on below. */
static void one_by_one(void **state)
{
    char room[8192];
    size_t longest = 0;

    (void)state;
    shown(60, false, OG_SHOW_TABLE, 1, room, sizeof room);
    for (const char *line = room; *line; line += strcspn(line, "\n") + 1)
        if (strcspn(line, "\n") > longest)
            longest = strcspn(line, "\n");
    assert_true(longest <= 60);
    assert_non_null(strstr(room, "  09:30:06  ?[31mb    unknown   the answer was lost after\n"
                                 "                                the request had left;"));
    assert_null(strchr(room, '\033'));
}

static void as_csv(void **state)
{
    char room[8192];

    (void)state;
    shown(80, false, OG_SHOW_CSV, 1, room, sizeof room);
    assert_memory_equal(room, "seq,at,event,line,file,clientOrderId,", 37);
    assert_non_null(
        strstr(room, "\n5,\"2026-01-15T14:30:04Z\",\"outcome\",1,,\"a1\",\"LIVE0001\",,,,,,,\"filled\",,100,189.98,"));
    assert_null(strstr(room, "orders: "));
}

static void what_it_does_now(void **state)
{
    static const char snapshot[] = "{\"linesWaiting\":3,\"halt\":{\"trading\":\"%s\"},\"accounts\":[{\"orders\":{"
                                   "\"working\":2,\"posting\":1},\"limits\":"
                                   "[{\"rule\":\"order-rate\",\"setting\":\"a_day\",\"percent\":4},{\"rule\":"
                                   "\"exposure\",\"setting\":\"gross\",\"percent\":30}]},"
                                   "{\"orders\":{\"working\":1,\"unknown\":1,\"waiting\":0}}]}";
    static const char *const wanted[][2] = {
        { "on", "1 posting, 3 working, 1 unknown, 0 waiting; 3 lines to decide; exposure gross 30%" },
        { "halted",
          "1 posting, 3 working, 1 unknown, 0 waiting; 3 lines to decide; trading is halted; exposure gross 30%" },
    };
    struct og_show *show = view(200, false, OG_SHOW_TABLE);

    (void)state;
    for (int i = 0; i < 2; i++) {
        char json[1024];
        const char *text;
        size_t len;

        snprintf(json, sizeof json, snapshot, wanted[i][0]);
        assert_int_equal(og_show_now(show, json, strlen(json)), OG_OK);
        assert_int_equal(og_show_text(show, &text, &len), OG_OK);
        assert_string_equal(text, wanted[i][1]);
        assert_int_equal(len, strlen(text));
    }
    og_show_free(show);
}

static void what_is_no_document(void **state)
{
    struct og_show *show = view(80, false, OG_SHOW_TABLE);
    const char *text;
    size_t len;

    (void)state;
    assert_int_equal(og_show_event(show, "{", 1), OG_ESYNTAX);
    assert_int_equal(og_show_now(show, "", 0), OG_ESYNTAX);
    assert_int_equal(og_show_answer(show, "x", 1), OG_ESYNTAX);
    assert_int_equal(og_show_decisions(show, "x", 1, "{}", 2), OG_ESYNTAX);
    assert_int_equal(og_show_text(show, &text, &len), OG_OK);
    assert_int_equal(len, 0);
    for (int i = 0; i < 2; i++) { /* documents of another shape show little, and nothing breaks */
        const char *json = i ? "[1,{\"a\":null}]" : "{\"event\":7,\"order\":[],\"findings\":{\"a\":1},\"accounts\":3}";

        assert_int_equal(og_show_event(show, json, strlen(json)), OG_OK);
        assert_int_equal(og_show_now(show, json, strlen(json)), OG_OK);
        assert_int_equal(og_show_answer(show, json, strlen(json)), OG_OK);
        assert_int_equal(og_show_decisions(show, json, strlen(json), json, strlen(json)), OG_OK);
    }
    og_show_free(show);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(at_200_columns), cmocka_unit_test(in_colour),        cmocka_unit_test(one_by_one),
        cmocka_unit_test(as_csv),         cmocka_unit_test(what_it_does_now), cmocka_unit_test(what_is_no_document),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
