/*
 * The engine: runs every rule of a policy over one case, and makes the decision from their findings.  The level of a
 * finding is never above the policy's level, nor below that of a locked rule.  Predictions do not depend on levels:
 * a rule that is off still predicts what the broker would do.
 */
#include "check/check.h"

#include "base/attributes.h"
#include "rules/order_form.h"
#include "rules/sides.h"

void (*og_check_asked)(const struct og_rule *rule, unsigned asked);

static enum og_level lower(enum og_level a, enum og_level b)
{
    return a < b ? a : b;
}

/* Returns the level of a finding that is certain (not unsure). */
static inline enum og_level certain_level(const struct og_run *run, const struct og_made *m)
{
    signed char own = run->setting->reason_level[m->reason - run->rule->reasons];

    if (run->rule->locked && m->found.natural == OG_LEVEL_REFUSE)
        return OG_LEVEL_REFUSE;
    return own >= 0 ? (enum og_level)own : lower(m->found.natural, run->setting->level);
}

static inline enum og_level level_of(const struct og_run *run, const struct og_scratch *s, const struct og_made *m)
{
    enum og_level certain = certain_level(run, m);
    const bool way_out = s->way_out;

    if (way_out && (m->unsure || m->reason->ignorance))
        return lower(m->unsure ? lower(m->reason->undecided, OG_LEVEL_WARN) : OG_LEVEL_WARN, certain);
    if (way_out && m->found.exits_pass)
        return lower(certain, OG_LEVEL_WARN);
    if (!m->unsure)
        return certain;
    if (certain == OG_LEVEL_REFUSE && (run->setting->unsure == OG_UNSURE_REFUSE || og_check_is_by_order(s, run->rule)))
        return OG_LEVEL_REFUSE;
    return lower(m->reason->undecided, certain);
}

static bool is_failure(enum og_channel channel)
{
    return channel != OG_CHANNEL_NONE && channel != OG_CHANNEL_ACCEPTED;
}

/* Returns true if the broker answers failures of this rank with one line for each field: those of the schema and of the
 * form of legs.  To a failure of a later rank, the broker answers with a single message. */
static bool is_line(enum og_rank rank)
{
    return rank == OG_RANK_SCHEMA || rank == OG_RANK_LEG_FORM;
}

/* The service writes one line for each field.  Returns the beginning "- field:" of a line, by which a second line of
 * the same field is recognized. It is empty for lines about the whole order ("- (root)") or a missing key, of which
 * several may be written. */
static struct og_str field_of(const char *line)
{
    static const char required[] = " is required";
    const size_t len = strlen(line), tail = sizeof required - 1;
    const bool whole = strncmp(line, "- (root)", 8) == 0 || (len > tail && strcmp(line + len - tail, required) == 0);
    const char *end = strncmp(line, "- ", 2) == 0 && !whole ? strchr(line, ':') : NULL;

    return (struct og_str){ line, end ? (size_t)(end + 1 - line) : 0 };
}

static bool has_line(const struct og_buf *body, struct og_str field)
{
    const char *end = body->s + body->len, *at = body->len ? body->s : NULL;

    while (field.len && at && (size_t)(end - at) >= field.len) {
        if (memcmp(at, field.s, field.len) == 0)
            return true;
        at = memchr(at, '\n', (size_t)(end - at));
        at = at ? at + 1 : NULL;
    }
    return false;
}

/* Returns the index of a name among the keys of an order or of a leg; returns `count` if the name is no such key. */
static int place_of(const char *name, size_t len, const char *const *names, int count)
{
    int i = 0;

    while (i < count && (strlen(names[i]) != len || memcmp(names[i], name, len) != 0))
        i++;
    return i;
}

/* Returns the rank of an error line in the service's answer. The service lists missing keys of the order first, key by
 * key; then the faults of each key; then the same for each leg. */
static int place_of_line(const char *line)
{
    const char *at = line + 2, *end = strchr(at, ':'), *word = end ? end + 2 : at;
    const size_t required = strcspn(word, " ");
    int leg;

    if (!end)
        return 0;
    if (strncmp(at, "(root)", 6) == 0)
        return place_of(word, required, og_key_names, OG_KEYS);
    if (strncmp(at, "legs.", 5) != 0)
        return OG_KEYS + 1 + place_of(at, (size_t)(end - at), og_key_names, OG_KEYS);
    leg = 2 * OG_KEYS + 2 + (at[5] - '0') * 2 * (OG_LEG_KEYS + 1);
    if (at[6] == ':')
        return leg + place_of(word, required, og_leg_key_names, OG_LEG_KEYS);
    return leg + OG_LEG_KEYS + 1 + place_of(at + 7, (size_t)(end - at) - 7, og_leg_key_names, OG_LEG_KEYS);
}

/* Insert an error line into the predicted body where the service would write it. */
static void insert_line(struct og_buf *body, const char *text)
{
    const size_t len = strlen(text), was = body->len;
    const char *at = body->len ? body->s : NULL, *end;
    size_t before;

    while (at && place_of_line(at) <= place_of_line(text))
        at = (end = memchr(at, '\n', (size_t)(body->s + was - at))) != NULL ? end + 1 : NULL;
    before = at ? (size_t)(at - body->s) : was;
    if (was)
        og_buf_char(body, '\n');
    og_buf_text(body, text);
    if (!at || body->bad)
        return;
    memmove(body->s + before + len + 1, body->s + before, was - before);
    memcpy(body->s + before, text, len);
    body->s[before + len] = '\n';
}

/* Add an error line to the predicted body, if its rank is that of the first failure.  text NULL: the service's wording
 * is not known, and so the whole body is unknown. */
static OG_COLD void add_line(struct og_scratch *s, enum og_rank rank, const char *text)
{
    if (!s->body_rank || rank < s->body_rank) {
        og_buf_reset(&s->body_text);
        s->body_rank = rank;
        s->body_known = true;
    }
    if (rank != s->body_rank || (text && has_line(&s->body_text, field_of(text))))
        return;
    s->body_known &= text != NULL;
    if (text)
        insert_line(&s->body_text, text);
}

/* Record that the prediction is uncertain at the broker's check of this rank: the broker may reject what should pass,
 * or the reverse. rank 0: at some check after the order was routed. */
static void doubt(struct og_scratch *s, enum og_rank rank)
{
    if (!rank)
        rank = OG_RANK_LIVE_ASYNC;
    if (!s->doubt_rank || rank < s->doubt_rank)
        s->doubt_rank = rank;
}

/* Returns true if the finding predicts something about the broker's answer; many findings do not. */
static inline bool folds(const struct og_made *m)
{
    return m->found.predicts.channel != OG_CHANNEL_NONE || m->found.predicts.certainty == OG_READING;
}

/* Update the prediction: it is the certain failure that comes first in the order in which the broker checks. */
void og_check_fold(struct og_scratch *s, const struct og_made *m)
{
    const struct og_prediction *p = &m->found.predicts;

    if (!is_failure(p->channel)) {
        if (p->certainty == OG_READING) /* the prediction is our reading: the service's document does not say what the
                                         * broker does */
            doubt(s, m->found.rank);
        return;
    }
    if (m->unsure || p->channel == OG_CHANNEL_UNKNOWN) {
        if (m->found.natural == OG_LEVEL_REFUSE && m->reason->undecided >= OG_LEVEL_WARN)
            s->undecided = true;
        else
            s->unsure = true;
        return;
    }
    if (m->found.natural != OG_LEVEL_REFUSE) {
        doubt(s, m->found.rank);
        return;
    }
    if (p->channel == OG_CHANNEL_HTTP_400 && is_line(m->found.rank))
        add_line(s, m->found.rank, p->text);
    if (!s->first_rank || m->found.rank < s->first_rank) {
        s->first = *p;
        s->first_rank = m->found.rank;
    }
}

OG_COLD void og_check_set_aside(struct og_scratch *s, int finding, enum og_level level)
{
    struct og_finding *to = &s->shadow[s->shadows];

    if (s->shadows == OG_SHADOW_MOST) {
        s->shadow_cut = true;
        return;
    }
    *to = s->finding[finding];
    to->level = level;
    to->predicts = s->made[finding].found.predicts;
    s->shadows++;
}

static inline enum og_level weigh(struct og_sink *sink, const struct og_run *run, enum og_mode mode, int finding)
{
    struct og_scratch *s = sink->scratch;
    enum og_level level = level_of(run, s, &s->made[finding]);

    if (mode == OG_MODE_WARN)
        return lower(level, OG_LEVEL_WARN);
    if (level == OG_LEVEL_REFUSE && s->waives && mode == OG_MODE_ENFORCE)
        return og_waive(sink, s->waives, finding);
    return level;
}

enum og_level og_check_weigh(struct og_sink *sink, int finding)
{
    return weigh(sink, sink->run, sink->run->setting->mode, finding);
}

void og_check_under(struct og_scratch *s, const struct og_rule *rule, const struct og_rule_setting *setting)
{
    s->own = (struct og_run){ .rule = rule, .setting = setting };
    s->sink.run = &s->own;
}

static OG_COLD void move_finding(struct og_scratch *s, int to, int from)
{
    s->made[to] = s->made[from];
    s->finding[to] = s->finding[from];
}

/* Give the findings of the sink's rule, from index first on, their levels.  Findings at level off are dropped; findings
 * of a rule in mode shadow are moved to the shadow findings. */
static OG_HOT void settle(struct og_sink *sink, int first)
{
    struct og_scratch *s = sink->scratch;
    const struct og_run *run = sink->run;
    const enum og_mode mode = run->setting->mode;
    const int count = s->count;
    int kept = first;

    for (int i = first; i < count; i++) {
        const struct og_made *made = &s->made[i];
        enum og_level level = weigh(sink, run, mode, i);

        if (folds(made))
            og_check_fold(s, made);
        if (level == OG_LEVEL_OFF)
            continue;
        if (mode == OG_MODE_SHADOW) {
            og_check_set_aside(s, i, level);
            continue;
        }
        if (kept != i)
            move_finding(s, kept, i);
        s->finding[kept].level = level;
        s->finding[kept].predicts = made->found.predicts;
        kept++;
    }
    s->count = s->settled = kept;
}

void og_check_settle(struct og_scratch *s)
{
    const struct og_run *now = s->sink.run;

    if (s->settled == s->count) /* no findings yet, so none needs a level */
        return;
    s->sink.run = s->finder;
    settle(&s->sink, s->settled);
    s->sink.run = now;
}

static OG_COLD void run_varied(const struct og_run *r, const struct og_case *c, struct og_scratch *s)
{
    s->sink.run = r;
    og_check_settle(s);
    settle(&s->sink, og_check_overridden(r, c, s));
}

/* Run a rule whose setting does not depend on the order.  Its findings get their levels when another rule finds
 * something or at the end: most rules find nothing. */
static inline void run_plain(const struct og_run *r, const struct og_case *c, struct og_scratch *s)
{
    s->sink.run = r;
    r->check(c, r->settings, &s->sink);
}

static inline void run(const struct og_run *r, const struct og_case *c, struct og_scratch *s)
{
    if (r->varies)
        run_varied(r, c, s);
    else
        run_plain(r, c, s);
}

static inline void run_each(bool varies, const struct og_run *r, const struct og_run *end, const struct og_case *c,
                            struct og_scratch *s)
{
    if (varies)
        for (; r < end; r++)
            run(r, c, s);
    else
        for (; r < end; r++)
            run_plain(r, c, s);
}

static bool is_order(const struct og_order *o)
{
    return o->fault == OG_FAULT_NONE && o->op == OG_OP_ORDER;
}

static inline void predict(const struct og_case *c, struct og_scratch *s, struct og_decision *d)
{
    if (s->first_rank) {
        d->predicts = s->first;
        if (is_line(s->first_rank) && s->body_rank == s->first_rank)
            d->predicts.text = s->body_known && !s->body_text.bad ? s->body : NULL;
        if (s->doubt_rank && s->doubt_rank < s->first_rank) /* an earlier check of the broker, whose result is
                                                             * uncertain, may reject the order first */
            d->predicts.certainty = OG_READING;
        return;
    }
    if (!c->request && !is_order(c->order)) /* the line is not an order, and the rule that reports that did not run */
        s->undecided = true;
    d->predicts.channel = s->undecided ? OG_CHANNEL_UNKNOWN : OG_CHANNEL_ACCEPTED;
    d->predicts.certainty = s->undecided || s->unsure || s->doubt_rank ? OG_READING : OG_CERTAINTY_NONE;
    d->predicts.code = d->predicts.text = NULL;
    d->predicts.codes[0] = d->predicts.codes[1] = d->predicts.codes[2] = NULL;
}

/* Returns true for a cancel, and for an order that only reduces a position: missing facts must not keep anyone in a
 * position. */
static bool is_way_out(const struct og_case *c)
{
    return c->request ? c->request->subject == OG_SUBJECT_CANCEL : og_case_reduces(c);
}

/* Returns true if the rules about the order's form would find nothing, and limits can count the whole order. */
static inline bool is_usual(const struct og_case *c)
{
    return !c->request && og_order_is_usual(c->order) && !c->account_conflict && !c->account_open &&
           !og_facts_spelled(c->facts);
}

/* Returns true if every part of the order says Open; a spread of no known shape counts as one that may close. */
static inline bool opens_surely(const struct og_case *c)
{
    return c->order->security == OG_MLEG ? c->mleg->all_open : og_opens(c->order->open_close) > 0;
}

/* Returns OG_TRAIT_*: the uncommon traits of the case, for each of which further rules are run. */
static inline unsigned traits_of(const struct og_case *c, bool usual)
{
    if (c->request)
        return OG_TRAIT_ALL;
    return (usual ? 0 : OG_TRAIT_ODD) | (og_facts_has_gate(c->facts) ? OG_TRAIT_GATE : 0) |
           (c->holding && c->holding->working ? OG_TRAIT_WORKING : 0) | (opens_surely(c) ? 0 : OG_TRAIT_CLOSES) |
           (c->order->side == OG_SELL ? OG_TRAIT_SELLS : 0) | (og_facts_has_statuses(c->facts) ? OG_TRAIT_STATUS : 0);
}

static void begin(struct og_scratch *s, const struct og_case *c, bool usual)
{
    s->count = s->settled = 0;
    s->finder = NULL;
    s->waives = c->waivers ? c : NULL;
    s->way_out = is_way_out(c);
    s->asked = 0;
    s->sink.scratch = s;
    s->sink.report = &og_check_report;
    s->cut = s->cut_refuses = s->shadow_cut = false;
    s->shadows = 0;
    s->first_rank = s->body_rank = s->doubt_rank = OG_RANK_NONE;
    s->undecided = s->unsure = s->sized = false;
    s->uncounted.part = NULL;
    s->says_uncounted = false;
    if (!usual && !c->request && is_order(c->order))
        s->uncounted = og_order_uncounted(c->order, c->facts);
    if (!s->text.fixed) {
        og_buf_init_fixed(&s->text, s->storage, sizeof s->storage);
        og_buf_init_fixed(&s->body_text, s->body, sizeof s->body);
    }
    s->text.len = s->body_text.len = 0;
    s->text.bad = s->body_text.bad = false;
}

/* Returns a copy of the case's tag that lives as long as the decision. */
static inline const char *tag_text(const struct og_case *c, struct og_scratch *s)
{
    if (!c->tag.is.len || c->request)
        return "";
    memcpy(s->tag, c->tag.is.s, c->tag.is.len);
    s->tag[c->tag.is.len] = '\0';
    return s->tag;
}

static inline __attribute__((always_inline)) void conclude(const struct og_case *c, struct og_scratch *s,
                                                           struct og_decision *d)
{
    d->accepted = !s->cut_refuses;
    for (int i = 0; i < s->count; i++)
        if (s->finding[i].level == OG_LEVEL_REFUSE)
            d->accepted = false;
    d->findings = s->finding;
    d->count = s->count;
    d->cut = s->cut;
    d->shadow = s->shadow;
    d->shadow_count = s->shadows;
    d->shadow_cut = s->shadow_cut;
    d->at = c->now;
    d->readable = c->order->fault == OG_FAULT_NONE;
    d->client_order_id = d->readable && c->order->client_id.len ? c->order->client_id.s : "";
    d->tag = tag_text(c, s);
    d->op = c->request ? c->request->op : NULL;
    d->reduces = !c->request && s->way_out;
    predict(c, s, d);
}

/* Returns the rules for this kind of order or request. */
static const struct og_runs *runs_for(const struct og_policy *policy, const struct og_case *c)
{
    if (c->request)
        return &policy->runs[OG_MLEG + (unsigned)__builtin_ctz(c->request->subject)];
    return &policy->runs[c->order->security];
}

/* Run the rule `trading` at level refuse, whatever level the policy gives it: a policy cannot weaken a halt.  The
 * rule's other settings are the policy's. */
static OG_COLD void run_halt(const struct og_policy *policy, const struct og_case *c, struct og_scratch *s)
{
    static const int32_t exits_pass = 0;
    const struct og_rule *rule = og_rules[OG_ENGINE_TRADING];
    const void *settings = policy->rules[OG_ENGINE_TRADING].setting.settings;
    int first;
    struct og_rule_setting halted = { .level = OG_LEVEL_REFUSE,
                                      .mode = OG_MODE_ENFORCE,
                                      .settings = settings ? settings : &exits_pass };

    memset(halted.reason_level, -1, sizeof halted.reason_level);
    og_check_under(s, rule, &halted);
    first = s->count;
    rule->check(c, halted.settings, &s->sink);
    settle(&s->sink, first);
}

/* Returns the rule's reason whose findings have the highest level; reasons about missing facts do not count.  Among
 * reasons of the same level, it is the one whose unsure findings have the highest level.  NULL if all are off. */
static const struct og_reason *heaviest(const struct og_run *run, const struct og_rule *rule)
{
    const struct og_reason *best = NULL;
    enum og_level level, most = OG_LEVEL_OFF;

    OG_EACH_REASON (r, rule) {
        const struct og_made m = { .found = { .natural = r->level }, .reason = r };

        level = r->ignorance ? OG_LEVEL_OFF : certain_level(run, &m);
        if (level > most || (best && level == most && r->undecided > best->undecided)) {
            best = r;
            most = level;
        }
    }
    return best;
}

OG_COLD void og_check_uncounted(const struct og_rule *rule, struct og_scratch *s)
{
    const struct og_reason *reason;

    reason = heaviest(s->sink.run, rule);
    if (reason)
        og_check_say_uncounted(&s->sink, reason, s->uncounted.part, s->uncounted.why);
}

/* If the order cannot be counted and no rule refused it, add an unsure finding for every limit that counts orders. */
static OG_COLD void run_uncounted(const struct og_run_list *all, const struct og_case *c, struct og_scratch *s)
{
    for (int i = 0; i < s->count; i++)
        if (s->finding[i].level == OG_LEVEL_REFUSE)
            return;
    s->says_uncounted = true;
    for (const struct og_run *r = all->run; r < all->run + all->count; r++) {
        if (!r->rule->counts || (s->uncounted.only_symbol && !r->rule->limit))
            continue;
        s->sink.run = r;
        if (r->varies)
            run_varied(r, c, s);
        else
            og_check_uncounted(r->rule, s);
        og_check_settle(s);
    }
    s->says_uncounted = false;
}

/* Run the rules one by one: in tests, and while trading is halted. In a halt, run_halt() has run the rule `trading`, so
 * it is left out here. */
static void __attribute__((noinline))
run_watched(const struct og_run *r, const struct og_run *end, const struct og_case *c, struct og_scratch *s)
{
    for (; r < end; r++) {
        if (!c->halt || r->rule != og_rules[OG_ENGINE_TRADING])
            run(r, c, s);
        og_check_settle(s);
        if (og_check_asked)
            og_check_asked(r->rule, s->asked);
        s->asked = 0;
    }
}

OG_HOT void og_check_case(const struct og_policy *policy, const struct og_case *c, struct og_scratch *s,
                          struct og_decision *d)
{
    const struct og_runs *runs = runs_for(policy, c);
    const bool usual = is_usual(c), watched = c->halt || og_check_asked;
    const struct og_run_list *list = &runs->of[watched ? OG_TRAIT_ALL : traits_of(c, usual)];
    const struct og_run *end = list->run + list->count;

    if (!usual && !c->request && !is_order(c->order)) /* order-form comes first in the list; for a line that is not an
                                                       * order no other rule is run */
        end = list->run + 1;
    begin(s, c, usual);
    if (watched)
        run_watched(list->run, end, c, s);
    else
        run_each(runs->varies, list->run, end, c, s);
    if (s->count != s->settled)
        og_check_settle(s);
    if (s->uncounted.part)
        run_uncounted(&runs->of[OG_TRAIT_ALL], c, s);
    if (c->halt && !c->request && is_order(c->order))
        run_halt(policy, c, s);
    d->strategy = NULL;
    d->margin = NULL;
    d->suggest = NULL;
    d->basket = d->place = 0;
    conclude(c, s, d);
}

static OG_COLD void conclude_again(const struct og_case *c, struct og_scratch *s, struct og_decision *d)
{
    conclude(c, s, d);
}

/* From now on, findings are made for order-form, which comes first.  Returns the number of findings so far. */
static int under_order_form(const struct og_policy *policy, struct og_scratch *s)
{
    og_check_under(s, policy->rules[0].rule, &policy->rules[0].setting);
    return s->count;
}

void og_check_unreserved(const struct og_policy *policy, const struct og_case *c, struct og_scratch *s,
                         struct og_decision *d)
{
    const int first = under_order_form(policy, s);

    og_order_form_unreserved(&s->sink);
    settle(&s->sink, first);
    conclude_again(c, s, d);
}

void og_check_not_in_basket(const struct og_policy *policy, const struct og_case *c, struct og_scratch *s,
                            struct og_decision *d, const char *field, const char *why)
{
    const int first = under_order_form(policy, s);

    og_order_form_not_in_basket(&s->sink, field, why);
    settle(&s->sink, first);
    conclude_again(c, s, d);
}

void og_check_basket_refused(const struct og_policy *policy, const struct og_case *c, struct og_scratch *s,
                             struct og_decision *d, size_t refused, const char *reason)
{
    const int first = under_order_form(policy, s);

    og_order_form_basket(&s->sink, refused, reason);
    settle(&s->sink, first);
    conclude_again(c, s, d);
}
