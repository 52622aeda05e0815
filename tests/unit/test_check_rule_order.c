/*
 * The order of rules changes no decision, neither in a policy's text nor in the engine. Only order-form must come
 * first, and size-limit after the limits that it asks about. Skipping a rule for orders that its .only excludes changes
 * no decision either.
 */
#include <stdio.h>
#include <stdlib.h>

#include "../bench/corpus.h"
#include "check/check.h"
#include "ordergate/ordergate.h"
#include "policy/policy.h"
#include "unit.h"

enum { ORDERS = 1500, SHUFFLES = 6, FINDINGS = 4096, BLOCKS = 200 };

static unsigned pick(unsigned *seed, size_t most)
{
    *seed = *seed * 1103515245u + 12345u;
    return (*seed >> 16) % (unsigned)most;
}

static struct og_policy *read_policy(const char *yaml, size_t len)
{
    struct og_error err = { 0 };
    struct og_policy *policy = NULL;

    if (og_policy_read(yaml, len, "shuffled", &policy, NULL, NULL, &err))
        fail_msg("%s", err.text);
    return policy;
}

/* --- in the text -------------------------------------------------------------------------------------------------- */

/* Write the text of a policy with its rules in another order: a rule begins with a line of two blanks and a word. */
static size_t shuffle_text(const char *yaml, char *to, unsigned *seed)
{
    const char *rules = strstr(yaml, "\nrules:\n") + 8, *block[BLOCKS + 1], *end = rules;
    size_t count = 0, len = (size_t)(rules - yaml);

    for (const char *at = rules; strncmp(at, "  ", 2) == 0; at = end) {
        if (at[2] != ' ')
            block[count++] = at;
        end = strchr(at, '\n') + 1;
    }
    assert_true(count > 30 && count < BLOCKS);
    block[count] = end;
    memcpy(to, yaml, len);
    for (size_t taken = 0; taken < count; taken++) { /* take one of the remaining rules at random */
        static bool gone[BLOCKS];
        size_t at = pick(seed, count);

        if (taken == 0)
            memset(gone, 0, sizeof gone);
        while (gone[at])
            at = (at + 1) % count;
        gone[at] = true;
        memcpy(to + len, block[at], (size_t)(block[at + 1] - block[at]));
        len += (size_t)(block[at + 1] - block[at]);
    }
    strcpy(to + len, end);
    return len + strlen(end);
}

static void a_policy_is_the_same_in_any_order(void **state)
{
    static char shown[65536], shuffled[65536];
    struct og_policy *policy = NULL, *other;
    struct og_error err = { 0 };
    unsigned seed = 11;
    size_t len;

    (void)state;
    assert_int_equal(og_policy_load("cautious", &policy, NULL, NULL, &err), OG_OK);
    assert_int_equal(og_policy_show(policy, shown, sizeof shown, &len), OG_OK);
    for (int i = 0; i < SHUFFLES; i++) {
        other = read_policy(shuffled, shuffle_text(shown, shuffled, &seed));
        assert_true(strcmp(shown, shuffled) != 0);
        assert_string_equal(og_policy_digest(other), og_policy_digest(policy));
        og_policy_free(other);
    }
    og_policy_free(policy);
}

/* --- in the engine ------------------------------------------------------------------------------------------------ */

static void swap(struct og_run *a, struct og_run *b)
{
    struct og_run was = *a;

    *a = *b;
    *b = was;
}

/* Shuffle all runs but the first ones. */
static void shuffle(struct og_run *run, size_t first, size_t count, unsigned *seed)
{
    size_t last = count;

    for (size_t i = first; i < last; i++)
        if (strcmp(run[i].rule->id, "size-limit") == 0)
            swap(&run[i], &run[--last]);
    for (size_t i = last; i > first + 1; i--)
        swap(&run[i - 1], &run[first + pick(seed, i - first)]);
}

static void shuffle_runs(struct og_policy *policy, unsigned *seed)
{
    for (int kind = 0; kind < OG_RUN_KINDS; kind++) {
        struct og_run_list *of = policy->runs[kind].of;

        for (unsigned traits = 0; traits <= OG_TRAIT_ALL; traits++) /* order-form stays first */
            if (of[traits].count)
                shuffle(of[traits].run, of[traits].run->rule == &og_rule_order_form, of[traits].count, seed);
    }
}

/* Have every rule run for every order. */
static void run_all(struct og_policy *policy, unsigned *seed)
{
    (void)seed;
    for (int kind = 0; kind < OG_RUN_KINDS; kind++) {
        struct og_run_list *of = policy->runs[kind].of;

        for (unsigned traits = 0; traits < OG_TRAIT_ALL; traits++)
            of[traits] = of[OG_TRAIT_ALL];
    }
}

static int by_text(const void *a, const void *b)
{
    return strcmp(*(char *const *)a, *(char *const *)b);
}

/* Write the verdict, the prediction and the sorted findings: all of a decision except the order of its findings. */
static void tell(const struct og_decision *d, char *to, size_t size)
{
    static char text[OG_FINDINGS_MOST][600];
    char *line[OG_FINDINGS_MOST];
    size_t len;

    for (int i = 0; i < d->count; i++) {
        snprintf(text[i], sizeof text[i], "%d %s %s %s\n", (int)d->findings[i].level, d->findings[i].reason,
                 d->findings[i].field, d->findings[i].message);
        line[i] = text[i];
    }
    qsort(line, (size_t)d->count, sizeof *line, by_text);
    len = (size_t)snprintf(to, size, "%d, channel %d %s, certainty %d\n", d->accepted, (int)d->predicts.channel,
                           d->predicts.code ? d->predicts.code : "-", (int)d->predicts.certainty);
    for (int i = 0; i < d->count && len < size; i++)
        len += (size_t)snprintf(to + len, size - len, "%s", line[i]);
}

/* Assert that the policy and a changed copy of it make the same decisions. */
static void check_policy(const char *name, void (*change)(struct og_policy *policy, unsigned *seed))
{
    static char told[2][FINDINGS];
    struct og_scratch *scratch = og_scratch_new();
    struct og_order *order = og_order_new();
    struct og_book *book[2];
    struct og_policy *policy[2];
    struct og_decision d;
    struct og_error err = { 0 };
    struct corpus c;
    unsigned seed = 5;
    int64_t now;
    size_t len, refused = 0;
    char *facts = corpus_facts(&len);

    assert_true(scratch && order && og_time_read(CORPUS_CLOCK, strlen(CORPUS_CLOCK), &now));
    for (int i = 0; i < 2; i++) {
        assert_int_equal(og_policy_load(name, &policy[i], NULL, NULL, &err), OG_OK);
        assert_int_equal(og_book_new(policy[i], &book[i]), OG_OK);
    }
    corpus_make(&c, CORPUS_SEED, ORDERS);
    for (size_t i = 0; i < c.orders; i++) {
        change(policy[1], &seed);
        for (int k = 0; k < 2; k++) {
            if (i == c.orders / 5)
                assert_int_equal(og_book_apply(book[k], NULL, facts, len, "facts", &err), OG_OK);
            assert_int_equal(og_order_read(order, c.bytes + c.start[i], c.start[i + 1] - c.start[i]), OG_OK);
            og_check(book[k], order, now, scratch, &d);
            tell(&d, told[k], sizeof told[k]);
        }
        refused += !d.accepted;
        assert_string_equal(told[0], told[1]);
    }
    print_message("%s: %zu of %d orders refused\n", name, refused, ORDERS);
    assert_true(refused > ORDERS / 50);
    corpus_free(&c);
    for (int i = 0; i < 2; i++)
        og_book_free(book[i]);
    og_order_free(order);
    og_scratch_free(scratch);
    free(facts);
}

static void the_engine_may_run_them_in_any_order(void **state)
{
    (void)state;
    check_policy("default", shuffle_runs);
    check_policy("live", shuffle_runs);
    check_policy("cautious", shuffle_runs);
}

static void rules_find_nothing_where_a_trait_is_missing(void **state)
{
    (void)state;
    check_policy("default", run_all);
    check_policy("live", run_all);
    check_policy("cautious", run_all);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_policy_is_the_same_in_any_order),
        cmocka_unit_test(the_engine_may_run_them_in_any_order),
        cmocka_unit_test(rules_find_nothing_where_a_trait_is_missing),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
