/*
 * Expressions that are too long, too deep or too costly are rejected with their figures. Also queries of a compiled
 * expression, and that a rejected one leaves nothing behind.
 */
#include <stdio.h>
#include <time.h>

#include "expr_case.h"
#include "unit.h"

static struct expr_case here;
static struct og_expr_diagnostic fault;

static const struct og_expr *compile_len(const char *text, size_t len, const struct og_expr_names *names)
{
    return og_expr_compile((struct og_str){ text, len }, OG_EXPR_ANY, names, &here.arena, &here.patterns, &fault);
}

static const struct og_expr *compile(const char *text)
{
    const struct og_expr *e = compile_len(text, strlen(text), NULL);

    if (!e)
        fail_msg("%.200s: %s", text, fault.text);
    return e;
}

/* Returns so many copies of a word. */
static char *many(const char *word, size_t bytes)
{
    size_t len = strlen(word);
    char *text = malloc(bytes + 1);

    assert_non_null(text);
    for (size_t i = 0; i < bytes; i++)
        text[i] = word[i % len];
    text[bytes] = '\0';
    return text;
}

static void refused(const char *text, size_t len, size_t at, const char *code, const char *why)
{
    assert_null(compile_len(text, len, NULL));
    assert_string_equal(fault.text, why);
    assert_string_equal(fault.code, code);
    assert_int_equal(fault.at, at);
}

static int64_t cpu_ms(void)
{
    return (int64_t)clock() * 1000 / CLOCKS_PER_SEC;
}

static void test_a_megabyte_of_nesting(void **state)
{
    static const char *const words[] = { "(",   "[",          "!",    "-", "a.", "1+",   "true?",
                                         "(1+", "[1].all(x,", "has(", "{", "\"", "size(" };
    int64_t began = cpu_ms();

    (void)state;
    for (size_t i = 0; i < COUNT(words); i++) {
        char *text = many(words[i], 1 << 20);

        refused(text, 1 << 20, OG_EXPR_BYTES_MOST, "expression-too-large",
                "this expression has 1048576 bytes, allowed are 16384");
        assert_null(compile_len(text, OG_EXPR_BYTES_MOST, NULL));
        free(text);
    }
    assert_true(cpu_ms() - began < 1000);
}

static void test_depth(void **state)
{
    char *text = many("(", OG_EXPR_BYTES_MOST);

    (void)state;
    refused(text, OG_EXPR_BYTES_MOST, 64, "expression-too-large", "this is nested more than 64 deep");
    free(text);
    text = many("[", OG_EXPR_BYTES_MOST);
    refused(text, OG_EXPR_BYTES_MOST, 64, "expression-too-large", "this is nested more than 64 deep");
    free(text);
    text = many("true?1:", OG_EXPR_BYTES_MOST);
    assert_null(compile_len(text, OG_EXPR_BYTES_MOST, NULL));
    assert_string_equal(fault.text, "this is nested more than 64 deep");
    free(text);
}

/* A chain of operators is not nested: neither compiler nor evaluator uses stack for it. */
static void test_long_chains(void **state)
{
    char *text = many("1+", OG_EXPR_BYTES_MOST - 1);
    char quantities[OG_EXPR_BYTES_MOST + 1] = "order.orderQuantity";
    size_t len = strlen(quantities);

    (void)state;
    assert_true(og_money_cmp(og_expr_value_of(compile(text), &here.is, here.room).as.number, og_money_from(8192)) == 0);
    free(text);
    while (len + 22 < sizeof quantities) {
        memcpy(quantities + len, " + order.orderQuantity", 23);
        len += 22;
    }
    assert_true(og_expr_value_of(compile(quantities), &here.is, here.room).as.number.coef > 70000);
    text = many("!", OG_EXPR_BYTES_MOST);
    memcpy(text + OG_EXPR_BYTES_MOST - 12, "order.opens ", 12);
    assert_int_equal(og_expr_truth(compile(text), &here.is, here.room, NULL), OG_TRUTH_TRUE); /* the text has 16372
                                                                                               * operators */
    free(text);
}

static void test_values_that_wait(void **state)
{
    char text[4096] = "";
    size_t len = 0;

    (void)state;
    for (int i = 0; i < 60; i++)
        len += (size_t)snprintf(text + len, sizeof text - len, "account.optLevel + account.optLevel * (");
    assert_null(compile_len(text, len, NULL));
    assert_string_equal(fault.text, "the expression needs too many values at once: at most 96 are allowed");
    assert_string_equal(fault.code, "expression-too-large");
}

static void test_lists(void **state)
{
    static char text[OG_EXPR_BYTES_MOST + 1];
    size_t len = 1;

    (void)state;
    memcpy(text, "[", 2);
    for (int i = 0; i < OG_EXPR_ITEMS_MOST; i++)
        len += (size_t)snprintf(text + len, sizeof text - len, "%d,", i);
    text[len] = ']';
    assert_int_equal(og_expr_value_of(compile(text), &here.is, here.room).as.list.count, OG_EXPR_ITEMS_MOST);
    memcpy(text + len, "1]", 3);
    assert_null(compile_len(text, len + 2, NULL));
    assert_string_equal(fault.text, "this list has more than 1000 items: give them under 'lists'");
    for (len = 1; len < 4 * (OG_EXPR_CELLS + 1); len += 4) /* computed items, up to one more than there are cells */
        memcpy(text + len, "now,", 5);
    text[len++] = ']';
    assert_null(compile_len(text, len, NULL));
    assert_string_equal(fault.text, "lists with items that are computed have more than 256 of them in all");
}

/* A list of many words is searched by bisection, but a loop over it costs its full length. */
static void test_a_named_list_of_many(void **state)
{
    enum { WORDS = 100000 };
    static struct og_str word[WORDS];
    static char bytes[WORDS][8];
    struct og_expr_list list = { .name = OG_STR("many"), .words = { .word = word, .count = WORDS } };
    struct og_expr_names names = { &list, 1 };
    static const char in[] = "order.symbol in lists.many", loop[] = "lists.many.exists(x, x.startsWith(order.symbol))";
    const struct og_expr *e;

    (void)state;
    for (int i = 0; i < WORDS; i++) {
        snprintf(bytes[i], sizeof bytes[i], "S%06d", (int)(i * INT64_C(7919) % WORDS));
        word[i] = og_str_of(bytes[i]);
    }
    e = compile_len(in, sizeof in - 1, &names);
    assert_non_null(e);
    assert_true(og_expr_cost(e) < 50);
    assert_int_equal(og_expr_truth(e, &here.is, here.room, NULL), OG_TRUTH_FALSE);
    word[WORDS / 2] = OG_STR("GME");
    list = (struct og_expr_list){ .name = list.name, .words = { .word = word, .count = WORDS } };
    e = compile_len(in, sizeof in - 1, &names);
    assert_int_equal(og_expr_truth(e, &here.is, here.room, NULL), OG_TRUTH_TRUE);
    assert_str(og_expr_list_used(e, 0), "many");
    assert_int_equal(og_expr_list_used(e, 1).len, 0);
    assert_null(compile_len(loop, sizeof loop - 1, &names));
    assert_string_equal(fault.text, "this takes 600002 steps at worst, over 100000 items: at most 100000 are allowed");
    assert_string_equal(fault.code, "expression-too-large");
}

static void test_text_that_grows(void **state)
{
    static char text[OG_EXPR_BYTES_MOST] = "(order.symbol";
    size_t len = strlen(text);
    struct og_expr_why why;
    struct og_buf b;
    char said[100];

    (void)state;
    for (int i = 0; i < 100; i++)
        len += (size_t)snprintf(text + len, sizeof text - len, " + order.symbol");
    snprintf(text + len, sizeof text - len, ") == \"\"");
    assert_int_equal(og_expr_truth(compile(text), &here.is, here.room, &why), OG_TRUTH_UNKNOWN);
    og_buf_init_fixed(&b, said, sizeof said);
    og_expr_why_text(&why, &here.is, &b);
    assert_string_equal(said, "the text is too long to be made here");
    /* each round of a loop frees the texts that it made */
    assert_int_equal(og_expr_truth(compile("[1,2,3,4,5,6,7,8,9].all(x, [1,2,3,4,5,6,7,8,9].all(y, "
                                           "[1,2,3,4,5,6,7,8,9].all(z, "
                                           "(string(x) + string(y) + string(z)).size() == 3)))"),
                                   &here.is, here.room, NULL),
                     OG_TRUTH_TRUE);
}

static void test_bytes_that_are_no_text(void **state)
{
    (void)state;
    refused("\"a\xFF\"", 4, 2, "expression-syntax", "this byte is not UTF-8");
    refused("1 \0 2", 5, 2, "expression-syntax", "byte 0x00 cannot be part of an expression outside a string");
    refused("\xC3\xA9 == 1", 7, 0, "expression-syntax", "byte 0xc3 cannot be part of an expression outside a string");
    refused("", 0, 0, "expression-syntax", "the expression is empty");
    refused("\x01", 1, 0, "expression-syntax", "byte 0x01 cannot be part of an expression outside a string");
}

static void test_a_condition_is_a_bool(void **state)
{
    (void)state;
    assert_null(og_expr_compile(OG_STR("order.symbol"), OG_EXPR_BOOL, NULL, &here.arena, &here.patterns, &fault));
    assert_string_equal(fault.text, "a condition must be of type bool, and this is of type string");
    assert_non_null(og_expr_compile(OG_STR("order.opens"), OG_EXPR_BOOL, NULL, &here.arena, &here.patterns, &fault));
}

static void test_what_is_asked_of_one(void **state)
{
    const struct og_expr *e =
        compile("session.open && account.equity > order.notional && (has(order.legs) || position.long > 0)");
    bool truth = false;

    (void)state;
    assert_int_equal(og_expr_type_of(e), OG_TYPE_BOOL);
    assert_int_equal(og_expr_reads(e), OG_FACT_ACCOUNT | OG_FACT_QUOTE | OG_FACT_POSITIONS);
    assert_string_equal(og_expr_field(e), "/orderQuantity");
    assert_string_equal(og_expr_name_used(e, 0), "order.legs");
    assert_string_equal(og_expr_name_used(e, 1), "order.notional");
    assert_string_equal(og_expr_name_used(e, 2), "account.equity");
    assert_string_equal(og_expr_name_used(e, 3), "position.long");
    assert_string_equal(og_expr_name_used(e, 4), "session.open");
    assert_null(og_expr_name_used(e, 5));
    assert_false(og_expr_is_constant(e, &truth));
    assert_int_equal(og_expr_list_used(e, 0).len, 0);
    assert_str(og_expr_text(e),
               "session.open && account.equity > order.notional && (has(order.legs) || position.long > 0)");

    e = compile("order.symbol == \"X\" || 1 < 2");
    assert_true(og_expr_is_constant(e, &truth) && truth);
    assert_int_equal(og_expr_reads(e), 0);
    assert_string_equal(og_expr_field(e), "");
    assert_null(og_expr_name_used(e, 0));
    e = compile("account.equity > 5 && false");
    assert_true(og_expr_is_constant(e, &truth) && !truth);
    assert_int_equal(og_expr_reads(e), 0);
}

static void test_facts_asked_for(void **state)
{
    (void)state;
    *here.is.asked = 0;
    assert_int_equal(og_expr_truth(compile("quote.bid > 5 && account.bp > 0"), &here.is, here.room, NULL),
                     OG_TRUTH_UNKNOWN);
    assert_int_equal(*here.is.asked, OG_FACT_QUOTE | OG_FACT_ACCOUNT);
    *here.is.asked = 0;
    assert_int_equal(og_expr_truth(compile("order.symbol == \"X\" && account.bp > 0"), &here.is, here.room, NULL),
                     OG_TRUTH_FALSE);
    assert_int_equal(*here.is.asked, 0); /* the fact is not read if the result does not depend on it */
}

static void message_refused(const char *text, size_t at, const char *why)
{
    assert_null(og_expr_message_compile(og_str_of(text), NULL, &here.arena, &here.patterns, &fault));
    assert_string_equal(fault.text, why);
    assert_int_equal(fault.at, at);
}

static void test_messages(void **state)
{
    static const char text[] = "{order.symbol}{'}{' + \"\\\"\"} }} {{{order.limitPrice * 2}}} "
                               "{order.stopPrice}{quote.bid}{order.opens}";
    const struct og_expr_message *m =
        og_expr_message_compile(og_str_of(text), NULL, &here.arena, &here.patterns, &fault);
    char said[100], few[8];
    struct og_buf b;

    (void)state;
    assert_non_null(m);
    og_buf_init_fixed(&b, said, sizeof said);
    og_expr_message_render(m, &here.is, here.room, &b);
    assert_string_equal(said, "GME}{\" } {9.99} ??true");
    assert_non_null(og_expr_message_part(m, 0));
    og_buf_init_fixed(&b, few, sizeof few); /* a message that does not fit is left out */
    og_expr_message_render(m, &here.is, here.room, &b);
    assert_true(b.bad && strncmp(few, "GME}{\"", 6) == 0);

    message_refused("a {order.symbl}", 9, "'order' has no 'symbl'; did you mean 'symbol'?");
    message_refused("a {order.symbol", 15, "the expression ends where an operator or '}' is expected");
    message_refused("a {}", 3, "'}' is found where a value is expected");
    message_refused("a {order.legs}", 3, "type list(leg) cannot be written into a message");
    message_refused("a {1 2}", 5, "'2' is found where an operator or '}' is expected");
}

static int set_up(void **state)
{
    (void)state;
    expr_case_open(&here, EXPR_ORDER, NULL);
    return 0;
}

static int tear_down(void **state)
{
    (void)state;
    expr_case_close(&here);
    return 0;
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_a_megabyte_of_nesting),
        cmocka_unit_test(test_depth),
        cmocka_unit_test(test_long_chains),
        cmocka_unit_test(test_values_that_wait),
        cmocka_unit_test(test_lists),
        cmocka_unit_test(test_a_named_list_of_many),
        cmocka_unit_test(test_text_that_grows),
        cmocka_unit_test(test_bytes_that_are_no_text),
        cmocka_unit_test(test_a_condition_is_a_bool),
        cmocka_unit_test(test_what_is_asked_of_one),
        cmocka_unit_test(test_facts_asked_for),
        cmocka_unit_test(test_messages),
    };

    return cmocka_run_group_tests(tests, set_up, tear_down);
}
