/*
 * Lint's claims about overrides, compared with decisions: random overrides of one rule by match, condition and expiry,
 * over random orders with many or few facts. An override called dead or shadowed must decide none of the orders; one
 * said to match everything must decide each order that reaches it. OG_SEED, OG_POLICIES and OG_ORDERS make other and
 * longer runs.
 */
#include "check/check.h"
#include "lint_world.h"
#include "ordergate/lint.h"
#include "policy/policy.h"
#include "unit.h"

enum { OVERRIDES_MOST = 6, POLICIES_MOST = 20000 };
enum { SAID_NOTHING, SAID_DEAD, SAID_DEAD_OF_CLEAN, SAID_ALL, SAID_TICKERS };

struct claims {
    char yaml[6000];
    struct og_policy *policy;
    int count, said[OVERRIDES_MOST];
};

static const char *const patterns[] = {
    ".*",
    ".+",
    "^",
    "A.*",
    "GME",
    "GME|AMC",
    "G.*",
    "[A-Z]+",
    "[A-Z.]*",
    "GME.*",
    "GME[0-9]{6}[CP].*",
    "SPY|QQQ",
    ".{3}",
    "[^G].*",
    "^GME$",
    "\\\\w+",
    "\\\\w{1,4}",
    "(GME|SPY)\\\\d*[CP]?\\\\d*",
    "GM?E?",
    "[A-Z]{1,3}",
    ".*C00.*",
    "(?!GME).*",
    "[g]me",
    "BRK[.]B",
};
static const char *const ends[] = {
    "", "", "", "", "", ", until: 2026-06-01T00:00:00Z, reason: x", ", until: 2036-01-01T00:00:00Z, reason: x"
};

static size_t put_match(char *to, size_t size)
{
    static const char *const securities[] = { "Stock",         "Option",          "Mleg",
                                              "[Stock, Mleg]", "[Stock, Option]", "[Stock, Option, Mleg]" };
    static const char *const types[] = { "Market", "Limit", "[Limit, StopLimit]", "[Market, Limit, Stop, StopLimit]" };
    const char *comma = "";
    size_t len = (size_t)snprintf(to, size, "match: {");

    if (chance(40)) {
        len += (size_t)snprintf(to + len, size - len, "securityType: %s", PICK(securities));
        comma = ", ";
    }
    if (chance(25)) {
        len += (size_t)snprintf(to + len, size - len, "%sside: %s", comma, chance(50) ? "Buy" : "[Buy, Sell]");
        comma = ", ";
    }
    if (chance(25)) {
        len += (size_t)snprintf(to + len, size - len, "%sorderType: %s", comma, PICK(types));
        comma = ", ";
    }
    if (chance(10)) {
        len += (size_t)snprintf(to + len, size - len, "%saccount: %s", comma, chance(50) ? "A1" : "'A.*'");
        comma = ", ";
    }
    if (!*comma || chance(40))
        len += (size_t)snprintf(to + len, size - len, "%ssymbol: \"%s\"", comma, PICK(patterns));
    return len + (size_t)snprintf(to + len, size - len, "}, ");
}

static void make(struct claims *x)
{
    size_t len = (size_t)snprintf(x->yaml, sizeof x->yaml,
                                  "ordergate: 1\nname: t\nunsure: warn\nrules:\n  "
                                  "price-collar:\n    away: 5%%\n    overrides:\n");

    x->count = 1 + (int)below(OVERRIDES_MOST);
    for (int i = 0; i < x->count; i++) {
        bool match = chance(70);

        len += (size_t)snprintf(x->yaml + len, sizeof x->yaml - len, "      - {");
        if (match)
            len += put_match(x->yaml + len, sizeof x->yaml - len);
        if (!match || chance(30)) {
            len += (size_t)snprintf(x->yaml + len, sizeof x->yaml - len, "when: '");
            len += put_expression(x->yaml + len, sizeof x->yaml - len, below(3));
            len += (size_t)snprintf(x->yaml + len, sizeof x->yaml - len, "', ");
        }
        len += (size_t)snprintf(x->yaml + len, sizeof x->yaml - len, "away: %d%%%s}\n", 6 + i, PICK(ends));
    }
}

/* Collect lint's findings for the override on each line; the first is on line 8. */
static void lint(struct claims *x)
{
    static const struct og_lint_options options = { .now = INT64_C(1768000000000000000), .no_witness = true };
    struct og_lint_report *report;
    struct og_error err = { 0 };

    for (int i = 0; i < OVERRIDES_MOST; i++)
        x->said[i] = SAID_NOTHING;
    assert_int_equal(og_lint_read(x->yaml, strlen(x->yaml), "t", &options, &report, &err), OG_OK);
    for (size_t i = 0; i < og_lint_count(report); i++) {
        const struct og_diagnostic *f = &og_lint_at(report, i)->fault;
        bool dead = strcmp(f->code, "override-dead") == 0 || strcmp(f->code, "override-shadowed") == 0 ||
                    (strcmp(f->code, "condition-never") == 0 && f->line >= 8);

        if (f->severity == OG_ERROR)
            fail_msg("%s: %s", x->yaml, f->text);
        if (f->line < 8)
            continue;
        /* if the finding is about more than options, only its claim that no option matches is checked */
        if (dead && !strstr(f->text, "no option matches"))
            x->said[f->line - 8] = strstr(f->text, "except for an order") ? SAID_DEAD_OF_CLEAN : SAID_DEAD;
        else if (strcmp(f->code, "override-matches-all") == 0)
            x->said[f->line - 8] = strstr(f->text, "every order") ? SAID_ALL : SAID_TICKERS;
    }
    og_lint_free(report);
    assert_int_equal(og_policy_read(x->yaml, strlen(x->yaml), "t", &x->policy, NULL, NULL, NULL), OG_OK);
}

static const struct og_policy_rule *collar(const struct og_policy *policy)
{
    size_t i = 0;

    while (strcmp(policy->rules[i].rule->id, "price-collar") != 0)
        i++;
    return &policy->rules[i];
}

static void hold_against(const struct claims *x, const struct lint_world *w)
{
    const struct og_policy_rule *rule = collar(x->policy);
    const struct og_rule_setting *setting = og_check_setting(rule, &w->is, w->scratch->room);
    int k = -1;

    for (int i = 0; i < x->count; i++)
        if (setting == &rule->overrides[i].setting)
            k = i;
    if (k >= 0 && (x->said[k] == SAID_DEAD || (x->said[k] == SAID_DEAD_OF_CLEAN && w->clean)))
        fail_msg("%s\nline %d decides %s at %s, facts %s", x->yaml, k + 8, w->line, lint_instants[w->instant],
                 w->facts);
    for (int i = 0; i < x->count; i++)
        if (x->said[i] == SAID_ALL && (k < 0 || k > i))
            fail_msg("%s\nline %d does not decide %s at %s", x->yaml, i + 8, w->line, lint_instants[w->instant]);
}

static void test_what_is_said_is_so(void **state)
{
    long policies = lint_size("OG_POLICIES", 250), orders = lint_size("OG_ORDERS", 1500), dead = 0, tried = 0;
    struct claims *claim;
    struct lint_world w;

    (void)state;
    policies = policies < POLICIES_MOST ? policies : POLICIES_MOST;
    claim = calloc((size_t)policies, sizeof *claim);
    assert_non_null(claim);
    lint_seed += (uint64_t)lint_size("OG_SEED", 0) * 2654435761u;
    lint_world_open(&w);
    for (long i = 0; i < policies; i++) {
        make(&claim[i]);
        lint(&claim[i]);
        for (int k = 0; k < claim[i].count; k++)
            dead += claim[i].said[k] != SAID_NOTHING;
    }
    assert_true(dead > policies / 4);
    for (long n = 0; n < orders; n++) {
        if (!lint_world_next(&w, "ordergate: 1\nname: t\nunsure: warn\n"))
            continue;
        tried++;
        for (long i = 0; i < policies; i++)
            hold_against(&claim[i], &w);
    }
    assert_true(tried > orders / 3);
    for (long i = 0; i < policies; i++)
        og_policy_free(claim[i].policy);
    lint_world_close(&w);
    free(claim);
}

int main(void)
{
    const struct CMUnitTest tests[] = { cmocka_unit_test(test_what_is_said_is_so) };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
