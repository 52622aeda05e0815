/*
 * Reads the waivers of a test file in the form that og_book_waive() accepts. A rule that does not exist, or that cannot
 * be waived, is an error, since its waiver would have no effect.
 */
#include "base/error.h"
#include "check/book.h"
#include "ordergate/rules.h"
#include "policy_test/run.h"

#define COUNTS_NS (15 * 60 * OG_NS_PER_S) /* how long a waiver is valid, as by default of `ordergate waive` */

static void read_rule(struct og_policy_test *t, const struct og_yaml *node)
{
    const struct og_rule *rule = node->kind == OG_YAML_SCALAR ? og_rules_find(node->text.s) : NULL;

    og_test_read_rule(t, node);
    if (rule && !og_rule_may_be_waived(rule))
        og_error_at(&t->diagnostics, &t->source, node, "value-invalid", "rule '%s' cannot be waived", rule->id);
}

static void read_waiver(struct og_policy_test *t, const struct og_yaml *node)
{
    static const char *const keys[] = { "rule", "clientOrderId", "accountId", "by", "reason", "until", "digest" };

    if (!og_yaml_get(node, "rule") || !og_yaml_get(node, "clientOrderId")) {
        og_error_at(
            &t->diagnostics, &t->source, node, "wrong-type",
            "a waiver must be a map with the rule and the order that it lets through, like {rule: order-notional, "
            "clientOrderId: t1}");
        return;
    }
    for (const struct og_yaml *n = node->first; n; n = n->next) {
        int key = og_test_key_index(t, n, "a waiver", keys, sizeof keys / sizeof *keys);

        if (key == 0)
            read_rule(t, n);
        else if (key > 0)
            (void)og_test_is_word(t, n);
    }
}

/* Returns the first waiver of a node, which is either a single waiver or a list. */
static const struct og_yaml *first_of(const struct og_yaml *waivers)
{
    return waivers->kind == OG_YAML_LIST ? waivers->first : waivers;
}

static const struct og_yaml *next_of(const struct og_yaml *waivers, const struct og_yaml *waiver)
{
    return waivers->kind == OG_YAML_LIST ? waiver->next : NULL;
}

void og_test_read_waivers(struct og_policy_test *t, const struct og_yaml *waivers)
{
    for (const struct og_yaml *n = first_of(waivers); n; n = next_of(waivers, n))
        read_waiver(t, n);
}

static const char *text_of(const struct og_yaml *waiver, const char *key, const char *fallback)
{
    const struct og_yaml *node = og_yaml_get(waiver, key);

    return node ? node->text.s : fallback;
}

static enum og_status add_waiver(const struct og_policy_test *t, const struct og_yaml *node, struct og_book *book,
                                 int64_t now, struct og_error *err)
{
    const struct og_yaml *until = og_yaml_get(node, "until");
    struct og_waiver w = { .account_id = text_of(node, "accountId", NULL),
                           .client_order_id = text_of(node, "clientOrderId", ""),
                           .rule = text_of(node, "rule", ""),
                           .by = text_of(node, "by", "a test"),
                           .reason = text_of(node, "reason", "to see what it lets through"),
                           .until_ns = now + COUNTS_NS,
                           .digest = text_of(node, "digest", NULL) };
    struct og_error own = { 0 };
    enum og_status status;

    if (until && !og_test_read_time(until->text, now, &w.until_ns))
        return og_fail_at(err, OG_EINVAL, t->source.name, until->line, until->col,
                          "'%s' is not a time: write RFC 3339 with offset, or a time of day in New York",
                          og_see(until->text).s);
    status = og_book_waive_any(book, &w, &own);
    return status ? og_fail_at(err, status, t->source.name, node->line, node->col, "%s", own.text) : OG_OK;
}

enum og_status og_test_add_waivers(const struct og_policy_test *t, const struct og_test_level *level,
                                   struct og_book *book, int64_t now, struct og_error *err)
{
    enum og_status status = OG_OK;

    for (const struct og_yaml *n = level->waivers ? first_of(level->waivers) : NULL; n && !status;
         n = next_of(level->waivers, n))
        status = add_waiver(t, n, book, now, err);
    return status;
}
