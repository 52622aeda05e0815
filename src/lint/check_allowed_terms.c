/*
 * Checks the lists of allowed-terms for words that no order can have, and those of allowed-terms and allowed-symbols
 * for words that are both allowed and barred.  A route is reported as unknown only if the facts given say which routes
 * exist.
 */
#include "lint/lint.h"

#include <stdio.h>
#include <strings.h>

#include "solver/domain.h"
#include "lint/trial.h"
#include "order/order.h"
#include "text/pattern.h"

#include "base/banned.h"

#define WORDS_MOST 2000 /* of one list that are compared */

static bool contains(const struct og_yaml *list, struct og_str word)
{
    for (const struct og_yaml *n = list && list->kind == OG_YAML_LIST ? list->first : NULL; n; n = n->next)
        if (n->kind == OG_YAML_SCALAR && og_str_eq(n->text, word))
            return true;
    return false;
}

/* --- allowed and barred --- */

/* An ordinary order with the word as its symbol, order type, time in force, security type or route. */
static struct og_trial_order order_with(struct og_lint_run *l, const char *rule, const char *word)
{
    struct og_trial_order p = og_trial_ordinary_order(l->trial, OG_STOCK, OG_BUY, OG_LIMIT);
    struct og_str text = og_str_of(word);

    if (strcmp(rule, "allowed-symbols") == 0)
        snprintf(p.symbol, sizeof p.symbol, "%s", word);
    else if (og_order_type_of(text) != OG_TYPE_NONE)
        p.type = og_order_type_of(text);
    else if (og_tif_of(text) != OG_TIF_NONE)
        p.tif = og_tif_of(text);
    else if (og_security_of(text) != OG_SECURITY_NONE)
        p = og_trial_ordinary_order(l->trial, og_security_of(text), OG_BUY, OG_LIMIT);
    else
        snprintf(p.route, sizeof p.route, "%s", word);
    return p;
}

static void witness_barred(struct og_lint_run *l, const char *rule, const char *word, struct og_lint_finding *f)
{
    struct og_trial_order p = order_with(l, rule, word);

    if (og_decision_finds(og_trial_decide(l->trial, &p), rule, NULL, true))
        f->witness = og_trial_witness(l->trial, "refused by '%s': barred wins", rule);
}

static void check_barred(struct og_lint_run *l, const char *rule, int k, const char *allowed_key)
{
    const struct og_yaml *allowed = og_lint_key_node(l, rule, k, allowed_key),
                         *barred = og_lint_key_node(l, rule, k, "barred");
    size_t seen = 0;

    if (!allowed || !barred || allowed->kind != OG_YAML_LIST || barred->kind != OG_YAML_LIST)
        return;
    for (const struct og_yaml *n = allowed->first; n && seen < WORDS_MOST; n = n->next, seen++)
        if (n->kind == OG_YAML_SCALAR && n->text.len < OG_TRIAL_SYMBOL && contains(barred, n->text)) {
            struct og_lint_finding *f =
                og_lint_add(l, n, "allowed-and-barred", "'%.*s' is in '%s' and in 'barred': barred wins",
                            (int)n->text.len, n->text.s, allowed_key);

            if (k < 0)
                witness_barred(l, rule, og_lint_format(l, "%.*s", (int)n->text.len, n->text.s), f);
        }
}

/* --- unknown words --- */

#define TERMS_MOST 32

/* Settings that take words of the service, and the name of expressions with the same values. */
static const struct {
    const char *key, *of, *name;
} terms[] = { { "security_types", "the securityType", "order.securityType" },
              { "order_types", "the orderType", "order.orderType" },
              { "times_in_force", "the timeInForce", "order.timeInForce" },
              { "routes", "the route", "order.route" } /* which is any text */ };

#define TERMS (sizeof terms / sizeof *terms)

/* Abbreviations of other brokers and of the trade. */
static const struct {
    const char *said, *meant;
} abbreviations[] = { { "GTC", "GoodTillCancel" },
                      { "IOC", "ImmediateOrCancel" },
                      { "FOK", "FillOrKill" },
                      { "OPG", "AtTheOpening" },
                      { "MOO", "AtTheOpening" },
                      { "GTX", "GoodTillCrossing" },
                      { "DAY+", "Day_Plus" },
                      { "GTC+", "GTC_Plus" },
                      { "MKT", "Market" },
                      { "LMT", "Limit" },
                      { "STP", "Stop" },
                      { "STP_LMT", "StopLimit" },
                      { "STOP_LIMIT", "StopLimit" },
                      { "STP LMT", "StopLimit" },
                      { "Equity", "Stock" },
                      { "OPT", "Option" },
                      { "Spread", "Mleg" } };

struct vocabulary {
    const char *word[TERMS_MOST];
    size_t count, service; /* the first `service` words are the service's, the others routes */
    bool open;             /* more words may exist: no facts name the routes */
};

static void add_routes(struct og_lint_run *l, struct vocabulary *v)
{
    struct og_str route;
    size_t i = 0;

    for (; v->count < TERMS_MOST && og_trial_route(l->trial, i, &route); i++)
        v->word[v->count++] = og_lint_format(l, "%.*s", (int)route.len, route.s);
    v->open = i == 0 || v->count == TERMS_MOST;
}

/* Collect the words that a list may have: those of one setting, or of all for `barred`. */
static void gather_vocabulary(struct og_lint_run *l, const char *key, struct vocabulary *v)
{
    bool any = strcmp(key, "barred") == 0;

    *v = (struct vocabulary){ 0 };
    for (size_t i = 0; i < TERMS; i++) {
        const char *const *word = og_domain_of(og_expr_name_called(terms[i].name)).words;

        for (; word && *word && (any || strcmp(terms[i].key, key) == 0); word++)
            v->word[v->count++] = *word;
    }
    v->service = v->count;
    if (any || strcmp(key, "routes") == 0)
        add_routes(l, v);
}

const char *og_lint_expand_abbreviation(struct og_str word, const char *const *words, size_t count)
{
    for (size_t i = 0; i < sizeof abbreviations / sizeof *abbreviations; i++) {
        if (word.len != strlen(abbreviations[i].said) || strncasecmp(word.s, abbreviations[i].said, word.len) != 0)
            continue;
        for (size_t k = 0; k < count; k++)
            if (strcmp(words[k], abbreviations[i].meant) == 0)
                return words[k];
    }
    return NULL;
}

/* The setting that such a word belongs to; NULL: none. */
static const char *list_with(struct og_str word)
{
    for (size_t i = 0; i < TERMS; i++)
        for (const char *const *w = og_domain_of(og_expr_name_called(terms[i].name)).words; w && *w; w++)
            if (og_str_is(word, *w))
                return terms[i].key;
    return NULL;
}

static const char *term_name(const char *key)
{
    for (size_t i = 0; i < TERMS; i++)
        if (strcmp(terms[i].key, key) == 0)
            return terms[i].of;
    return key;
}

/* Show what happens to an order with the word that was meant. */
static void witness_term(struct og_lint_run *l, const char *meant, bool barred, struct og_lint_finding *f)
{
    struct og_trial_order p = order_with(l, "allowed-terms", meant);
    const struct og_decision *d = og_trial_decide(l->trial, &p);

    if (barred && d->accepted)
        f->witness = og_trial_witness(l->trial, "accepted: %s is not barred", meant);
    else if (!barred && og_decision_finds(d, "allowed-terms", NULL, true))
        f->witness = og_trial_witness(l->trial, "refused by 'allowed-terms': %s is not allowed", meant);
}

/* In `barred`, a word that is not close to any word of the service may be a route that lint does not know. */
static bool may_be_route(const struct vocabulary *v, struct og_str word, const char *near, const char *only)
{
    return v->open && (!near || (!only && word.len < 8));
}

static void check_term(struct og_lint_run *l, int k, const char *key, const struct vocabulary *v,
                       const struct og_yaml *n)
{
    const char *abbreviation = og_lint_expand_abbreviation(n->text, v->word, v->count),
               *only = abbreviation ? abbreviation : og_nearest_only(n->text, v->word, v->count),
               *near = only ? only : og_nearest(n->text, v->word, v->open ? v->service : v->count),
               *home = near ? NULL : list_with(n->text);
    bool barred = strcmp(key, "barred") == 0;
    struct og_lint_finding *f;
    char hint[80] = "";

    if (may_be_route(v, n->text, near, only))
        return;
    if (near)
        snprintf(hint, sizeof hint, "; did you mean '%s'?", near);
    else if (home)
        snprintf(hint, sizeof hint, "; it is one of the %s", home);
    f = og_lint_add(l, n, "term-unknown", "no order has %s '%.*s'%s", barred ? "the word" : term_name(key),
                    n->text.len < 60 ? (int)n->text.len : 60, n->text.s, hint);
    if (near && k < 0)
        witness_term(l, near, barred, f);
    if (only && n->end - n->at == n->text.len)
        og_lint_add_edit(l, f, n->at, n->end, only,
                         og_lint_format(l, "'%.*s' becomes '%s'", (int)n->text.len, n->text.s, only));
}

static void check_terms(struct og_lint_run *l, int k, const char *key)
{
    const struct og_yaml *list = og_lint_key_node(l, "allowed-terms", k, key);
    struct vocabulary v;

    if (!list || list->kind != OG_YAML_LIST)
        return;
    gather_vocabulary(l, key, &v);
    for (const struct og_yaml *n = list->first; n; n = n->next) {
        size_t i = 0;

        while (i < v.count && !og_str_is(n->text, v.word[i]))
            i++;
        if (i == v.count && n->kind == OG_YAML_SCALAR)
            check_term(l, k, key, &v, n);
    }
}

void og_lint_check_allowed_terms(struct og_lint_run *l)
{
    size_t count = og_lint_override_count(l, og_lint_rule_index("allowed-terms"));
    size_t symbols = og_lint_override_count(l, og_lint_rule_index("allowed-symbols"));

    for (int k = -1; k < (int)(symbols < 200 ? symbols : 200); k++)
        check_barred(l, "allowed-symbols", k, "allowed");
    for (int k = -1; k < (int)(count < 200 ? count : 200); k++) {
        for (size_t i = 0; i < TERMS; i++) {
            check_barred(l, "allowed-terms", k, terms[i].key);
            check_terms(l, k, terms[i].key);
        }
        check_terms(l, k, "barred");
    }
}
