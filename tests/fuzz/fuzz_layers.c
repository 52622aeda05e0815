/*
 * Fuzz: policies laid over one another, with and without locks, chosen by the bytes.  Every combination loads or has
 * errors; lint and gate agree on which; and what a layer locks is as strict as in that layer alone.
 */
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "fuzz.h"
#include "ordergate/lint.h"
#include "ordergate/policy.h"
#include "policy/policy.h"
#include "policy/strictness.h"

struct bytes {
    const uint8_t *at, *end;
};

static unsigned take(struct bytes *b, unsigned below)
{
    return b->at < b->end ? *b->at++ % below : 0;
}

#define ONE_OF(b, words) ((words)[take((b), sizeof(words) / sizeof *(words))])

struct text {
    char s[6000];
    size_t len;
};

static void put(struct text *t, const char *s)
{
    size_t len = strlen(s);

    DEMAND(t->len + len < sizeof t->s);
    memcpy(t->s + t->len, s, len + 1);
    t->len += len;
}

static void say(struct bytes *b, struct text *t, const char *before, const char *after)
{
    static const char *const parts[] = { "",
                                         "level: refuse",
                                         "level: warn",
                                         "level: off",
                                         "mode: shadow",
                                         "mode: enforce",
                                         "unsure: warn",
                                         "unsure: refuse",
                                         "most: 100",
                                         "most: 50000",
                                         "most: 2000000",
                                         "exits: bind",
                                         "reasons: {notional-above-limit: warn}",
                                         "reasons: {notional-above-limit: refuse}" };
    unsigned said = take(b, 4);

    for (unsigned seen = 0, i = 0; i < said; i++) {
        unsigned which = take(b, sizeof parts / sizeof *parts);
        static const unsigned group[] = { 0, 1, 1, 1, 2, 2, 3, 3, 4, 4, 4, 5, 6, 6 };

        if (which && !(seen >> group[which] & 1)) {
            put(t, before);
            put(t, parts[which]);
            put(t, after);
        }
        seen |= 1u << group[which];
    }
}

static void put_override(struct bytes *b, struct text *t)
{
    static const char *const which[] = { "match: {symbol: AAPL}",
                                         "match: {side: Buy}",
                                         "match: {symbol: A.*, side: [Buy, Sell]}",
                                         "when: order.orderQuantity > 20",
                                         "when: order.symbol in lists.l",
                                         "until: 2020-01-01T00:00:00Z, reason: x",
                                         "until: 2099-01-01T00:00:00Z, reason: x",
                                         "match: {}",
                                         "most: 7" };
    static const char *const none[] = { "~", "x", "[]", "7", "{}" };

    if (take(b, 24) == 23) {
        put(t, ONE_OF(b, none));
        return;
    }
    put(t, "{");
    put(t, ONE_OF(b, which));
    say(b, t, ", ", "");
    put(t, "}");
}

/* Write one layer; its rule is locked if the bytes say so. */
static void put_layer(struct bytes *b, struct text *t, const char *extends)
{
    static const char *const lists[] = { "", "lists: {l: [AAPL]}\n", "lists: {l: []}\n", "lists: {l: [AAPL, F]}\n" };
    static const char *const keys[] = { "",
                                        "unsure: refuse\n",
                                        "unsure: warn\n",
                                        "mode: shadow\n",
                                        "mode: warn\n",
                                        "max_age: {quotes: 2s}\n",
                                        "max_age: {quotes: any}\n",
                                        "environment: live\n",
                                        "environment: paper\n" };
    static const char *const own[] = { "order.orderQuantity <= 100", "true", "!(order.symbol in lists.l)" };
    static const char *const when[] = { "",
                                        ", when: 'false'",
                                        ", when: order.orderQuantity > 1",
                                        ", level: warn",
                                        ", mode: shadow",
                                        ", until: 2020-01-01T00:00:00Z, reason: x" };

    put(t, "ordergate: 1\n");
    put(t, extends);
    put(t, ONE_OF(b, lists));
    put(t, ONE_OF(b, keys));
    put(t, "rules:\n  order-notional:\n");
    if (take(b, 2))
        put(t, "    lock: true\n");
    put(t, "    overrides:");
    put(t, take(b, 2) ? " [" : "\n      - ");
    for (unsigned i = 0, count = t->s[t->len - 1] == '[' ? take(b, 3) : 0; i < count; i++) {
        put(t, i ? ", " : "");
        put_override(b, t);
    }
    if (t->s[t->len - 1] == ' ')
        put_override(b, t);
    else
        put(t, "]");
    put(t, "\n");
    say(b, t, "    ", "\n");
    if (!take(b, 2))
        return;
    put(t, "custom:\n  - {id: own, require: \"");
    put(t, ONE_OF(b, own));
    put(t, "\"");
    put(t, ONE_OF(b, when));
    put(t, take(b, 2) ? ", lock: true}\n" : "}\n");
}

static char folder[] = "/tmp/fuzz-layers-XXXXXX", path[3][64], all[64];

static void clean(void)
{
    for (int i = 0; i < 3; i++)
        (void)unlink(path[i]);
    (void)unlink(all);
    (void)rmdir(folder);
}

static void write_file(const char *name, const char *text)
{
    FILE *f = fopen(name, "w");

    DEMAND(f && fputs(text, f) >= 0 && fclose(f) == 0);
}

static void begin(void)
{
    DEMAND(mkdtemp(folder));
    atexit(clean);
    for (int i = 0; i < 3; i++)
        snprintf(path[i], sizeof path[i], "%s/%d.yaml", folder, i);
    snprintf(all, sizeof all, "%s/all.yaml", folder);
}

static const struct og_policy_rule *rule_of(const struct og_policy *p, const char *id)
{
    for (size_t i = 0; i < og_rules_size; i++)
        if (strcmp(p->rules[i].rule->id, id) == 0)
            return &p->rules[i];
    return NULL;
}

/* Compare the rule itself; overrides are tested in tests/policies. */
static void demand_as_strict(const struct og_policy *alone, const struct og_policy *whole)
{
    const struct og_policy_rule *was = rule_of(alone, "order-notional"), *now = rule_of(whole, "order-notional");

    if (!was->setting.locked)
        return;
    DEMAND(now->setting.locked);
    if (was->setting.level == OG_LEVEL_OFF || !was->setting.settings)
        return;
    for (int part = OG_PART_LEVEL; part <= OG_PART_MODE; part++)
        DEMAND(!(og_entry_part_change(was->rule, part, &was->setting, &now->setting) & OG_CHANGE_LOOSER));
    DEMAND(!(og_entry_part_change(was->rule, OG_PART_REASONS, &was->setting, &now->setting) & OG_CHANGE_LOOSER));
    for (int i = 0; i < (int)was->rule->param_count; i++)
        DEMAND(!(og_entry_part_change(was->rule, OG_ENTRY_PARTS + i, &was->setting, &now->setting) & OG_CHANGE_LOOSER));
    DEMAND(now->override_count >= was->override_count);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t len)
{
    static const struct og_lint_options options = { .now = INT64_C(1795186800000000000), .no_witness = true };
    static const char *const extends[] = { "extends: []\n", "extends: [default]\n", "", "extends: [0.yaml]\n" };
    static bool begun;
    struct bytes b = { bytes, bytes + len };
    const char *names[3] = { path[0], path[1], path[2] };
    struct og_policy *whole = NULL, *alone = NULL, *again = NULL;
    struct og_lint_report *report;
    struct text text;
    enum og_status status;
    bool errors = false;

    if (!begun)
        begin();
    begun = true;
    for (int i = 0; i < 3; i++) {
        text.len = 0;
        put_layer(&b, &text, extends[take(&b, i ? 4 : 3)]);
        write_file(path[i], text.s);
    }
    write_file(all, "ordergate: 1\nextends: [0.yaml, 1.yaml, 2.yaml]\n");
    status = og_policy_load_all(names, 3, "", &whole, NULL, NULL, NULL);
    DEMAND(status == OG_OK || status == OG_EPOLICY);
    DEMAND((og_policy_load(all, &again, NULL, NULL, NULL) == OG_OK) == (status == OG_OK));
    for (int i = 0; whole && i < 3; i++) {
        if (og_policy_load(path[i], &alone, NULL, NULL, NULL) == OG_OK)
            demand_as_strict(alone, whole);
        og_policy_free(alone);
        alone = NULL;
    }
    for (int i = 0; i < 3; i++) {
        DEMAND(og_lint(path[i], &options, &report, NULL) == OG_OK);
        og_lint_free(report);
    }
    DEMAND(og_lint(all, &options, &report, NULL) == OG_OK);
    for (size_t i = 0; i < og_lint_count(report); i++)
        errors = errors || og_lint_at(report, i)->fault.severity == OG_ERROR;
    DEMAND(errors == (status != OG_OK));
    og_lint_free(report);
    og_policy_free(whole);
    og_policy_free(again);
    return 0;
}
