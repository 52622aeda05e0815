/*
 * Finds which orders the match of an override matches, by its parts: security types, sides, order types and patterns.
 * A pattern is judged only if all texts that it matches can be listed; proofs about all orders are in
 * override_condition.c.
 */
#include "lint/override_match.h"

#include <stdio.h>

#include "base/buf.h"
#include "text/regex_examples.h"

#define KINDS (1u << OG_STOCK | 1u << OG_OPTION | 1u << OG_MLEG)

static unsigned bits_or(unsigned bits, unsigned all)
{
    return bits ? bits : all;
}

/* Returns the security types that can match; a spread has no side, so a match with a side excludes spreads. */
static unsigned kinds_of(const struct og_override *o)
{
    unsigned kinds = bits_or(o->securities, KINDS);

    return o->sides ? kinds & ~(1u << OG_MLEG) : kinds;
}

static bool pattern_matches(struct og_lint_run *l, const struct og_pattern *p, const char *text)
{
    return og_pattern_match(p, og_str_of(text), og_trial_pattern_room(l->trial)) == OG_MATCH_YES;
}

static bool has_form(const char *symbol)
{
    return symbol[0] &&
           strspn(symbol, "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789._-") == strlen(symbol);
}

/* Returns those of the given security types that can have a symbol of this form. */
static unsigned kinds_of_symbol(const char *symbol, unsigned kinds)
{
    struct og_occ occ;

    if (!has_form(symbol))
        return 0;
    og_occ_read(og_str_of(symbol), &occ);
    return kinds & (occ.is ? 1u << OG_OPTION : 1u << OG_STOCK | 1u << OG_MLEG);
}

static const char *why_no_symbol(const struct og_regex_examples *all, unsigned kinds)
{
    for (int i = 0; i < all->count; i++)
        if (!all->text[i][0])
            return "it matches only an empty symbol: a pattern must match the whole symbol, and '.*' stands for "
                   "anything";
    for (int i = 0; i < all->count; i++)
        if (!has_form(all->text[i]))
            return "no symbol has such characters: allowed are letters, digits, '.', '_' and '-'";
    return kinds == 1u << OG_OPTION
               ? "the symbol of an option is its contract, like AAPL260116C00190000, and the whole of it must match"
               : "only options have such a symbol";
}

/* Returns why the pattern matches no symbol of orders of these security types; NULL if it may match one. named: the
 * match itself lists security types; then the reason is also returned if options are listed and the pattern matches no
 * option symbol, even if it matches symbols of shares. */
static const char *why_symbol_never(const struct og_pattern *symbol, unsigned kinds, bool named)
{
    struct og_regex_examples all;
    unsigned can = 0;

    if (!symbol || !og_regex_examples_of(og_pattern_text(symbol), &all) || !all.exact)
        return NULL;
    for (int i = 0; i < all.count; i++)
        can |= kinds_of_symbol(all.text[i], kinds);
    if (can == 0)
        return why_no_symbol(&all, kinds);
    if (named && kinds & ~can & 1u << OG_OPTION)
        return why_no_symbol(&all, 1u << OG_OPTION);
    return NULL;
}

/* Returns true if the pattern for tags may match a tag of this setting of order-tag, or no tag. */
static bool may_match_tag(struct og_lint_run *l, const struct og_pattern *tag, const struct og_tag_settings *s)
{
    if (!s || !s->known.count)
        return true;
    for (size_t i = 0; i < s->known.count; i++)
        if (og_pattern_match(tag, s->known.word[i], og_trial_pattern_room(l->trial)) != OG_MATCH_NO)
            return true;
    return og_pattern_match(tag, (struct og_str){ "", 0 }, og_trial_pattern_room(l->trial)) != OG_MATCH_NO;
}

/* Returns why no order has a tag that the override matches: order-tag knows none of the tags that it matches, and an
 * unknown tag counts as none. NULL if an order may have such a tag. */
static const char *why_tag_never(struct og_lint_run *l, const struct og_rule *rule, const struct og_override *o)
{
    const struct og_policy_rule *r = &l->policy->rules[OG_ENGINE_TAG];
    const struct og_tag_settings *own = r->setting.settings;
    char text[100];
    struct og_buf known;

    if (!o->tag || r->rule == rule || l->recovered.len || may_match_tag(l, o->tag, own))
        return NULL;
    for (size_t k = 0; k < r->override_count; k++)
        if (may_match_tag(l, o->tag, r->overrides[k].setting.settings))
            return NULL;
    og_buf_init_fixed(&known, text, sizeof text);
    for (size_t i = 0; i < own->known.count; i++)
        og_buf_format(&known, "%s%.*s", i ? ", " : "", (int)own->known.word[i].len, own->known.word[i].s);
    return og_lint_format(l, "it matches none of the tags that rule 'order-tag' knows%s%s", known.bad ? "" : ": ",
                          known.bad ? "" : known.s);
}

const char *og_override_why_never(struct og_lint_run *l, const struct og_rule *rule, const struct og_override *o)
{
    unsigned kinds = kinds_of(o);
    const char *never;

    if (!(og_rule_subjects(rule) & OG_SUBJECT_ORDER))
        return o->securities || o->sides || o->types || o->symbol
                   ? "this rule is about requests other than orders, and only orders can be matched"
                   : NULL;
    if (!kinds)
        return "a multi-leg order has no side of its own: its legs have";
    if (rule->securities && !(kinds & rule->securities))
        return "this rule does not check such orders";
    never = why_symbol_never(o->symbol, rule->securities ? kinds & rule->securities : kinds, o->securities != 0);
    return never ? never : why_tag_never(l, rule, o);
}

/* --- a trial order that matches ----------------------------------------------------------------------------------- */

static bool set_symbol(struct og_lint_run *l, const struct og_override *o, struct og_trial_order *p)
{
    struct og_regex_examples some;

    if (pattern_matches(l, o->symbol, p->symbol))
        return true;
    if (p->security == OG_OPTION) { /* the pattern may restrict only the root: try contracts with a few roots */
        static const char *const roots[] = { "AAPL", "SPY", "QQQ", "SPX", "SPXW", "TSLA", "GME", "F" };

        for (size_t i = 0; i < sizeof roots / sizeof *roots; i++) {
            og_trial_option_symbol(l->trial, og_str_of(roots[i]), 'C', 100, p->symbol);
            if (pattern_matches(l, o->symbol, p->symbol))
                return true;
            og_trial_option_symbol(l->trial, og_str_of(roots[i]), 'P', 100, p->symbol);
            if (pattern_matches(l, o->symbol, p->symbol))
                return true;
        }
    }
    if (!og_regex_examples_of(og_pattern_text(o->symbol), &some))
        return false;
    for (int i = 0; i < some.count; i++)
        if (pattern_matches(l, o->symbol, some.text[i]) && kinds_of_symbol(some.text[i], 1u << p->security)) {
            snprintf(p->symbol, sizeof p->symbol, "%s", some.text[i]);
            return true;
        }
    return false;
}

static bool set_account(struct og_lint_run *l, const struct og_override *o, struct og_trial_order *p)
{
    struct og_regex_examples some;

    if (pattern_matches(l, o->account, p->account))
        return true;
    if (!og_regex_examples_of(og_pattern_text(o->account), &some))
        return false;
    for (int i = 0; i < some.count; i++)
        if (some.text[i][0] && pattern_matches(l, o->account, some.text[i])) {
            snprintf(p->account, sizeof p->account, "%s", some.text[i]);
            return true;
        }
    return false;
}

/* Give the trial order a tag, where the policy finds tags. */
static bool set_tag(struct og_lint_run *l, const struct og_override *o, struct og_trial_order *p)
{
    const struct og_tag_settings *s = l->policy->rules[OG_ENGINE_TAG].setting.settings;
    struct og_regex_examples some;

    if (pattern_matches(l, o->tag, p->tag))
        return true;
    if (!og_regex_examples_of(og_pattern_text(o->tag), &some))
        return false;
    for (int i = 0; i < some.count; i++)
        if (some.text[i][0] && pattern_matches(l, o->tag, some.text[i])) {
            snprintf(p->tag, sizeof p->tag, "%s", some.text[i]);
            if (s && s->from == OG_TAG_FROM_PREFIX)
                snprintf(p->client_id, sizeof p->client_id, "%.40s%c1", some.text[i], og_tag_separators[s->separator]);
            return true;
        }
    return false;
}

static int keep_or_first(unsigned bits, int now)
{
    return !bits || bits >> now & 1 ? now : __builtin_ctz(bits);
}

bool og_override_fit_order(struct og_lint_run *l, const struct og_override *o, struct og_trial_order *p)
{
    unsigned kinds = kinds_of(o);
    enum og_security security = (enum og_security)keep_or_first(kinds, (int)p->security);
    struct og_trial_order fresh;

    if (!kinds)
        return false;
    if (security != p->security) {
        fresh = og_trial_ordinary_order(l->trial, security, p->side, p->type);
        fresh.quantity = p->quantity;
        fresh.at = p->at;
        *p = fresh;
    }
    p->side = (enum og_side)keep_or_first(o->sides, (int)p->side);
    p->type = (enum og_order_type)keep_or_first(o->types, (int)p->type);
    if (o->symbol && !set_symbol(l, o, p)) {
        if (o->securities || security == OG_OPTION || !(kinds & 1u << OG_OPTION))
            return false;
        fresh = og_trial_ordinary_order(l->trial, OG_OPTION, p->side, p->type);
        fresh.quantity = p->quantity;
        *p = fresh;
        if (!set_symbol(l, o, p))
            return false;
    }
    return (!o->account || set_account(l, o, p)) && (!o->tag || set_tag(l, o, p));
}
