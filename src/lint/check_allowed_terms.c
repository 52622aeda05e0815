/*
 * Checks the lists of allowed words and of barred words in settings. Reports words that no order can have, and words
 * that are in both lists.  An unknown route is reported only if the facts given say which routes exist.
 */
#include <stdio.h>
#include <strings.h>

#include "lint/lint.h"
#include "lint/trial.h"
#include "order/order.h"
#include "solver/domain.h"
#include "text/pattern.h"

#define WORDS_MOST 2000 /* maximum number of words of one list that are compared */

static bool contains(const struct og_yaml *list, struct og_str word)
{
    for (const struct og_yaml *n = list && list->kind == OG_YAML_LIST ? list->first : NULL; n; n = n->next)
        if (n->kind == OG_YAML_SCALAR && og_str_eq(n->text, word))
            return true;
    return false;
}

/* --- allowed and barred ------------------------------------------------------------------------------------------- */

/* Returns an ordinary order with the word as its symbol, order type, time in force, security type or route. */
static struct og_trial_order order_with(struct og_lint_run *l, const struct og_param *list, const char *word)
{
    struct og_trial_order p = og_trial_ordinary_order(l->trial, OG_STOCK, OG_BUY, OG_LIMIT);
    struct og_str text = og_str_of(word);

    if (list->words == OG_WORDS_SYMBOLS)
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

static void witness_barred(struct og_lint_run *l, const char *rule, const struct og_param *list, const char *word,
                           struct og_lint_finding *f)
{
    struct og_trial_order p = order_with(l, list, word);

    if (og_decision_finds(og_trial_decide(l->trial, &p), rule, NULL, true))
        f->witness = og_trial_witness(l->trial, "refused by '%s': barred wins", rule);
}

static void check_barred(struct og_lint_run *l, const char *rule, int k, const struct og_param *list,
                         const struct og_param *bars)
{
    const struct og_yaml *allowed = og_lint_key_node(l, rule, k, list->key),
                         *barred = og_lint_key_node(l, rule, k, bars->key);
    size_t seen = 0;

    if (!allowed || !barred || allowed->kind != OG_YAML_LIST || barred->kind != OG_YAML_LIST)
        return;
    for (const struct og_yaml *n = allowed->first; n && seen < WORDS_MOST; n = n->next, seen++)
        if (n->kind == OG_YAML_SCALAR && n->text.len < OG_TRIAL_SYMBOL && contains(barred, n->text)) {
            struct og_lint_finding *f =
                og_lint_add(l, n, "allowed-and-barred", "'%.*s' is in '%s' and in '%s': barred wins", (int)n->text.len,
                            n->text.s, list->key, bars->key);

            if (k < 0)
                witness_barred(l, rule, list, og_lint_format(l, "%.*s", (int)n->text.len, n->text.s), f);
        }
}

/* --- unknown words ------------------------------------------------------------------------------------------------ */

#define TERMS_MOST 32

/* Abbreviations that other brokers or traders use for the service's words, such as GTC. */
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
    size_t count, service; /* count: number of words. The first `service` words are the service's; the rest are
                            * routes. */
    bool open;             /* an unknown word may be a route: the setting takes routes, and lint does not know every
                            * route */
};

static void add_routes(struct og_lint_run *l, struct vocabulary *v)
{
    struct og_str route;
    size_t i = 0;

    for (; v->count < TERMS_MOST && og_trial_route(l->trial, i, &route); i++)
        v->word[v->count++] = og_lint_format(l, "%.*s", (int)route.len, route.s);
    v->open = i == 0 || v->count == TERMS_MOST;
}

static const char *const *words_of(const struct og_param *p)
{
    return p->name ? og_domain_of(og_expr_name_called(p->name)).words : NULL;
}

/* Collect the words that a list may have. If the list is for one setting, these are the setting's words; a list of
 * barred words may have the words of every setting of its rule. */
static void gather_vocabulary(struct og_lint_run *l, const struct og_rule *rule, const struct og_param *list,
                              struct vocabulary *v)
{
    bool routes = false;

    *v = (struct vocabulary){ 0 };
    OG_EACH_PARAM (p, rule) {
        if (!p->name || (list->name && p != list))
            continue;
        for (const char *const *word = words_of(p); word && *word; word++)
            v->word[v->count++] = *word;
        /* a setting without a table of words takes routes, which differ from account to account */
        routes = routes || !words_of(p);
    }
    v->service = v->count;
    if (routes)
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

/* Returns the key of the rule's setting that has this word among its words; NULL if no setting has it. */
static const char *list_with(const struct og_rule *rule, struct og_str word)
{
    OG_EACH_PARAM (p, rule)
        for (const char *const *w = words_of(p); w && *w; w++)
            if (og_str_is(word, *w))
                return p->key;
    return NULL;
}

/* Attach an order with the word that was probably meant, and the policy's decision of it. */
static void witness_term(struct og_lint_run *l, const char *rule, const struct og_param *list, const char *meant,
                         struct og_lint_finding *f)
{
    bool barred = list->listing == OG_LISTING_BARS;
    struct og_trial_order p = order_with(l, list, meant);
    const struct og_decision *d = og_trial_decide(l->trial, &p);

    if (barred && d->accepted)
        f->witness = og_trial_witness(l->trial, "accepted: %s is not barred", meant);
    else if (!barred && og_decision_finds(d, rule, NULL, true))
        f->witness = og_trial_witness(l->trial, "refused by '%s': %s is not allowed", rule, meant);
}

/* Returns true if a word in `barred` may be a route that lint does not know: the word is not similar to any word of the
 * service. */
static bool may_be_route(const struct vocabulary *v, struct og_str word, const char *near, const char *only)
{
    return v->open && (!near || (!only && word.len < 8));
}

static void check_term(struct og_lint_run *l, const struct og_rule *rule, const struct og_param *p, int k,
                       const struct vocabulary *v, const struct og_yaml *n)
{
    const char *abbreviation = og_lint_expand_abbreviation(n->text, v->word, v->count),
               *only = abbreviation ? abbreviation : og_nearest_only(n->text, v->word, v->count),
               *near = only ? only : og_nearest(n->text, v->word, v->open ? v->service : v->count),
               *home = near ? NULL : list_with(rule, n->text);
    struct og_lint_finding *f;
    struct og_meant hint = og_meant(near);

    if (may_be_route(v, n->text, near, only))
        return;
    if (!near && home)
        snprintf(hint.s, sizeof hint.s, "; it is one of the %s", home);
    f = og_lint_add(l, n, "term-unknown", "no order has the %s '%.*s'%s", p->name ? strchr(p->name, '.') + 1 : "word",
                    n->text.len < 60 ? (int)n->text.len : 60, n->text.s, hint.s);
    if (near && k < 0)
        witness_term(l, rule->id, p, near, f);
    if (only && n->end - n->at == n->text.len)
        og_lint_add_edit(l, f, n->at, n->end, only,
                         og_lint_format(l, "'%.*s' becomes '%s'", (int)n->text.len, n->text.s, only));
}

static void check_terms(struct og_lint_run *l, const struct og_rule *rule, const struct og_param *p, int k)
{
    const struct og_yaml *list = og_lint_key_node(l, rule->id, k, p->key);
    struct vocabulary v;

    if (!list || list->kind != OG_YAML_LIST)
        return;
    gather_vocabulary(l, rule, p, &v);
    for (const struct og_yaml *n = list->first; v.count && n; n = n->next) {
        size_t i = 0;

        while (i < v.count && !og_str_is(n->text, v.word[i]))
            i++;
        if (i == v.count && n->kind == OG_YAML_SCALAR)
            check_term(l, rule, p, k, &v, n);
    }
}

void og_lint_check_allowed_terms(struct og_lint_run *l)
{
    for (size_t i = 0; i < og_rules_size; i++) {
        size_t count = og_lint_override_count(l, i);

        OG_EACH_PARAM (p, og_rules[i])
            for (int k = -1; p->listing && k < (int)(count < 200 ? count : 200); k++) {
                OG_EACH_PARAM (bars, og_rules[i])
                    if (p->listing == OG_LISTING_ALLOWS && bars->listing == OG_LISTING_BARS)
                        check_barred(l, og_rules[i]->id, k, p, bars);
                if (p->name || p->listing == OG_LISTING_BARS)
                    check_terms(l, og_rules[i], p, k);
            }
    }
}
