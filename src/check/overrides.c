/*
 * Rules whose settings depend on the order. The setting is that of the first override that matches; if none matches,
 * the rule's own. If it is unknown whether an override applies, the rule is run with both settings: findings that
 * both make are certain, and findings that only one makes are unsure.
 */

#include "check/check.h"
#include "order/spelling.h"

#define WHY_MOST 200

/* Match the symbol in each of its spellings: as written, in capitals, and with a dot before the class. If the pattern
 * reaches its match limit on one spelling, it may still match another. */
static enum og_match match_symbol(const struct og_pattern *p, const struct og_order *order,
                                  struct og_pattern_room *room)
{
    char to[OG_SYMBOL_FOLDED];
    enum og_match as_is = og_pattern_match(p, order->symbol, room), capitals, dotted;

    if (as_is == OG_MATCH_YES || !order->symbol_bytes)
        return as_is;
    if ((capitals = og_pattern_match(p, og_symbol_capitals(order->symbol, to), room)) == OG_MATCH_YES ||
        (dotted = og_pattern_match(p, og_spelling_dotted(order->symbol, to), room)) == OG_MATCH_YES)
        return OG_MATCH_YES;
    return as_is || capitals || dotted ? OG_MATCH_GAVE_UP : OG_MATCH_NO;
}

static bool is_for_kind(const struct og_override *o, const struct og_order *order)
{
    return (!o->securities || o->securities & 1u << order->security) && (!o->sides || o->sides & 1u << order->side) &&
           (!o->types || o->types & 1u << order->type);
}

/* Returns whether the override matches the case, without regard to its condition; unknown if a pattern reaches its
 * match limit and no other part of the override excludes the case. */
static enum og_truth matches(const struct og_override *o, const struct og_case *c, struct og_pattern_room *room,
                             struct og_expr_why *why)
{
    enum og_match symbol = OG_MATCH_YES, account = OG_MATCH_YES, tag = OG_MATCH_YES;

    if (og_term_is_over(&o->term, c->now) || !is_for_kind(o, c->order) ||
        (o->symbol && !(symbol = match_symbol(o->symbol, c->order, room))) ||
        (o->account && !(account = og_pattern_match(o->account, c->account_id, room))) ||
        (o->tag && !(tag = og_pattern_match(o->tag, c->tag.is, room))))
        return OG_TRUTH_FALSE;
    if (symbol == OG_MATCH_YES && account == OG_MATCH_YES && tag == OG_MATCH_YES)
        return OG_TRUTH_TRUE;
    *why = (struct og_expr_why){ .state = OG_EXPR_ERROR,
                                 .cause = OG_CAUSE_PATTERN,
                                 .name = symbol != OG_MATCH_YES    ? "match.symbol"
                                         : account != OG_MATCH_YES ? "match.account"
                                                                   : "match.tag" };
    return OG_TRUTH_UNKNOWN;
}

/* Returns whether an override applies; unknown if its match or its condition is unknown and the other one does not
 * exclude the case. Conditions are about orders, so for a request none is true. */
static enum og_truth applies(const struct og_override *o, const struct og_case *c, struct og_pattern_room *room,
                             struct og_expr_why *why)
{
    unsigned asked = *c->asked;
    struct og_expr_why why_match;
    enum og_truth match = matches(o, c, room, &why_match), holds = OG_TRUTH_TRUE;

    if (match != OG_TRUTH_FALSE && o->when) {
        if (c->request)
            return OG_TRUTH_FALSE;
        holds = og_expr_truth(o->when, c, c->expr, why);
        *c->asked = asked; /* the facts that were read decided the override; they do not count as read by the rule */
    }
    if (match == OG_TRUTH_UNKNOWN && holds != OG_TRUTH_FALSE && why)
        *why = why_match;
    return holds == OG_TRUTH_TRUE ? match : holds;
}

/* Does what og_check_next_setting() does; *why is set if a further setting may apply too. */
static const struct og_rule_setting *next(const struct og_policy_rule *pr, const struct og_case *c,
                                          struct og_pattern_room *room, size_t *i, struct og_expr_why *why)
{
    while (*i < pr->override_count) {
        const struct og_override *o = &pr->overrides[(*i)++];
        enum og_truth truth = applies(o, c, room, why);

        if (truth == OG_TRUTH_TRUE)
            *i = pr->override_count + 1;
        if (truth != OG_TRUTH_FALSE)
            return &o->setting;
    }
    *i = pr->override_count + 1;
    return &pr->setting;
}

const struct og_rule_setting *og_check_next_setting(const struct og_policy_rule *pr, const struct og_case *c,
                                                    struct og_pattern_room *room, size_t *i, struct og_expr_why *why)
{
    return next(pr, c, room, i, why);
}

const struct og_rule_setting *og_check_setting(const struct og_policy_rule *pr, const struct og_case *c,
                                               struct og_pattern_room *room)
{
    const struct og_rule_setting *setting = NULL;

    for (size_t i = 0; i <= pr->override_count;)
        setting = next(pr, c, room, &i, NULL);
    return setting;
}

static void run_under(const struct og_run *r, const struct og_rule_setting *setting, const struct og_case *c,
                      struct og_scratch *s)
{
    bool sized = s->sized;

    og_check_under(s, r->rule, setting);
    if (setting->idle || (r->rule->settings_size && !setting->settings))
        return; /* the rule is off under this setting, even if the values that it needs are missing */
    if (s->says_uncounted) {
        og_check_uncounted(r->rule, s);
        return;
    }
    r->check(c, setting->settings, &s->sink);
    if (r->rule->limits_size == OG_LIMITS_ORDERS &&
        (setting->level != OG_LEVEL_REFUSE || setting->mode != OG_MODE_ENFORCE))
        s->sized = sized; /* a setting that refuses nothing is not counted as a limit on the order's size */
}

/* --- settings if it is unknown which override applies ------------------------------------------------------------- */

/* The findings of all settings that were tried so far: indexes from `first` to before `end`. */
struct doubt {
    struct og_scratch *s;
    int first, end;
    bool begun, refuses; /* begun: some setting was tried; refuses: every setting tried so far refuses the order */
    /* for each finding: some setting does not make the finding, or makes it at another level */
    bool unsure[OG_FINDINGS_MOST];
    /* for each finding: a setting that makes the finding refuses the order even if the finding is unsure */
    bool lifted[OG_FINDINGS_MOST];
};

static int same(const struct doubt *d, int from, int to, const struct og_reason *reason)
{
    for (int i = from; i < to; i++)
        if (d->s->made[i].reason == reason)
            return i;
    return -1;
}

/* Give the findings of the last setting their levels.  Findings at level off, or of a rule in mode shadow, are removed.
 * Returns the index after the remaining ones. */
static int weigh(struct doubt *d, bool last)
{
    struct og_scratch *s = d->s;
    int kept = d->end;

    for (int i = d->end; i < s->count; i++) {
        enum og_level level = og_check_weigh(&s->sink, i);

        if (level != OG_LEVEL_OFF && s->sink.run->setting->mode == OG_MODE_SHADOW && last)
            og_check_set_aside(s, i, level);
        if (level == OG_LEVEL_OFF || s->sink.run->setting->mode == OG_MODE_SHADOW) {
            if (last) /* only for the last setting, so that each finding counts once in the prediction, which does not
                       * depend on levels */
                og_check_fold(s, &s->made[i]);
            continue;
        }
        s->made[kept] = s->made[i];
        s->finding[kept] = s->finding[i];
        s->finding[kept++].level = level;
    }
    return kept;
}

static void merge(struct doubt *d, bool last)
{
    struct og_scratch *s = d->s;
    int from = d->end, to = weigh(d, last);
    bool refuses = false;

    for (int i = from; i < to; i++)
        refuses |= s->finding[i].level == OG_LEVEL_REFUSE;
    for (int m = d->first; m < from; m++)
        d->unsure[m] |= same(d, from, to, s->made[m].reason) < 0;
    for (int i = from; i < to; i++) {
        int m = same(d, d->first, from, s->made[i].reason);

        if (m >= 0) {
            d->unsure[m] |= s->finding[m].level != s->finding[i].level;
            if (s->finding[i].level > s->finding[m].level)
                s->finding[m].level = s->finding[i].level;
            continue;
        }
        s->made[d->end] = s->made[i];
        s->finding[d->end] = s->finding[i];
        d->unsure[d->end] = d->begun;
        d->lifted[d->end++] =
            s->sink.run->setting->unsure == OG_UNSURE_REFUSE || og_check_is_by_order(s, s->sink.run->rule);
    }
    s->count = d->end;
    d->refuses = refuses && (d->refuses || !d->begun);
    d->begun = true;
}

/* Mark as unsure the findings that only some of the settings make, unless every setting refuses the order. */
static void conclude(struct doubt *d, const struct og_expr_why *why, const struct og_case *c)
{
    struct og_scratch *s = d->s;
    char room[WHY_MOST];
    struct og_buf text;

    og_buf_init_fixed(&text, room, sizeof room);
    og_expr_why_text(why, c, &text);
    for (int i = d->first; i < d->end; i++) {
        if (d->unsure[i] && !d->refuses) {
            s->last = i;
            og_found_add(&s->sink, "; not sure: cannot tell which override applies: {0}",
                         (const struct og_arg[]){ og_a_text(room) }, 1);
            s->made[i].unsure = s->finding[i].unsure = true;
            s->finding[i].stale |= og_expr_why_is_stale(why, c);
            if (s->finding[i].level == OG_LEVEL_REFUSE && (s->way_out || !d->lifted[i]))
                s->finding[i].level = OG_LEVEL_WARN;
        }
        og_check_fold(s, &s->made[i]);
        s->finding[i].predicts = s->made[i].found.predicts;
    }
}

static void __attribute__((cold, noinline))
run_doubtful(const struct og_run *r, const struct og_case *c, struct og_scratch *s)
{
    struct doubt d = { .s = s, .first = s->count, .end = s->count };
    bool sized = s->sized, all = true;
    struct og_expr_why why = { 0 };
    struct og_margin most = { .state = OG_MARGIN_NOT_ASKED };

    for (size_t i = 0; i <= r->varies->override_count;) {
        const struct og_rule_setting *setting = next(r->varies, c, s->room, &i, &why);

        s->sized = false;
        run_under(r, setting, c, s);
        all = all && s->sized;
        if (r->rule == og_rules[OG_ENGINE_MARGIN])
            og_check_keep_margin(&most, c->margin);
        merge(&d, i > r->varies->override_count);
    }
    s->sized = sized || all;
    if (r->rule == og_rules[OG_ENGINE_MARGIN])
        *c->margin = most;
    conclude(&d, &why, c);
}

int og_check_overridden(const struct og_run *r, const struct og_case *c, struct og_scratch *s)
{
    size_t i = 0;
    struct og_expr_why why;
    int first = s->count;
    const struct og_rule_setting *setting = next(r->varies, c, s->room, &i, &why);

    if (i > r->varies->override_count) {
        run_under(r, setting, c, s);
        return first;
    }
    run_doubtful(r, c, s);
    return s->count;
}
