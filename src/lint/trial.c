/*
 * Decides trial orders by the linted policy, with facts made up for each: a session, an account with money, and a
 * market around the order's price.
 */
#include "lint/trial.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/error.h"
#include "base/time.h"
#include "check/book.h"
#include "facts/calendar.h"
#include "lint/trial_text.h"

#define ACCOUNT     "LINT0001"
#define FALLBACK_NS INT64_C(1768489200000000000) /* 2026-01-15T15:00:00Z, a Thursday */

struct og_trial {
    struct og_lint_run *l;
    struct og_scratch *scratch;
    struct og_order *order;
    struct og_book *book;       /* holds the facts of the order that was decided last */
    struct og_buf loaded_facts; /* the made-up facts that are in the book now, as text */
    bool loaded_given;          /* the book has the caller's facts, not made-up ones */
    struct og_decision decision;
    struct og_case last;
    struct og_buf line, facts;
    bool decided;
    char at_text[40];
    struct og_trial_order ordinary; /* all trial orders start from this one */
    int expiry;                     /* expiry of trial options, yyyymmdd */
};

/* --- deciding ----------------------------------------------------------------------------------------------------- */

static void free_book(struct og_trial *s)
{
    if (s->book)
        s->book->policy = NULL; /* the lint run frees the policy: freeing the book must not do that */
    og_book_free(s->book);
    s->book = NULL;
}

static enum og_status new_book(struct og_trial *s, const char *json, size_t len, const char *name, struct og_error *err)
{
    enum og_status status;

    free_book(s);
    status = og_book_new(s->l->policy, &s->book);
    if (status == OG_OK)
        status = og_book_halt_source(s->book, "", err); /* the halt flags of this machine must not change decisions */
    if (status == OG_OK && len)
        status = og_book_apply(s->book, NULL, json, len, name, err);
    return status;
}

/* Load s->facts (given: the caller's facts) into the book, unless the book has the same facts from the order before, as
 * when an order is tried in several sizes. */
static enum og_status load_facts(struct og_trial *s, bool given)
{
    const struct og_lint_options *o = &s->l->options;
    struct og_str facts = { s->facts.s, s->facts.len }, loaded_facts = { s->loaded_facts.s, s->loaded_facts.len };
    enum og_status status;

    if (s->book && s->loaded_given == given && (given || og_str_eq(facts, loaded_facts)))
        return OG_OK;
    if (given)
        facts = (struct og_str){ o->facts, o->facts_len };
    status = new_book(s, facts.s, facts.len, "facts", NULL);
    s->loaded_given = given;
    og_buf_reset(&s->loaded_facts);
    if (!given)
        og_buf_bytes(&s->loaded_facts, facts.s, facts.len);
    if (s->loaded_facts.bad)
        status = OG_ENOMEM;
    if (status != OG_OK)
        free_book(s);
    return status;
}

const struct og_decision *og_trial_decide(struct og_trial *s, const struct og_trial_order *p)
{
    bool given = s->l->options.facts && !p->made;
    enum og_status status;

    s->decision = (struct og_decision){ 0 };
    og_trial_write_order(s, p, &s->line);
    if (given)
        og_buf_reset(&s->facts);
    else
        og_trial_write_facts(s, p, strcmp(s->l->policy->environment, "paper") == 0 ? "Paper" : "Live", &s->facts);
    snprintf(s->at_text, sizeof s->at_text, "%s", og_time_text(p->at).s);
    s->last = (struct og_case){ .order = s->order };
    s->decided = false;
    if (s->line.bad || s->facts.bad || og_order_read(s->order, s->line.s, s->line.len) != OG_OK ||
        (p->tag[0] && og_order_set_tag(s->order, p->tag) != OG_OK)) {
        s->l->oom = true;
        return &s->decision;
    }
    status = load_facts(s, given);
    if (status != OG_OK) { /* the facts are not valid, for instance because of the order's symbol: make no claim about
                            * the order */
        s->l->oom = s->l->oom || status == OG_ENOMEM;
        return &s->decision;
    }
    s->decided = true;
    og_book_case(s->book, s->order, p->at, s->scratch, &s->last);
    og_check_case(s->l->policy, &s->last, s->scratch, &s->decision);
    return &s->decision;
}

const struct og_finding *og_decision_finds(const struct og_decision *d, const char *rule, const char *reason,
                                           bool refusing)
{
    for (int i = 0; i < d->count; i++)
        if (strcmp(d->findings[i].rule, rule) == 0 && (!reason || strcmp(d->findings[i].reason, reason) == 0) &&
            (!refusing || d->findings[i].level == OG_LEVEL_REFUSE))
            return &d->findings[i];
    return NULL;
}

int og_trial_override(struct og_trial *s, size_t rule)
{
    const struct og_policy_rule *pr = &s->l->policy->rules[rule];
    const struct og_rule_setting *setting;

    if (!s->decided)
        return -2;
    setting = og_check_setting(pr, &s->last, s->scratch->room);
    for (size_t k = 0; k < pr->override_count; k++)
        if (setting == &pr->overrides[k].setting)
            return (int)k;
    return -1;
}

bool og_trial_matches(struct og_trial *s, size_t rule, size_t k)
{
    struct og_policy_rule only = s->l->policy->rules[rule];

    only.overrides += k;
    only.override_count = 1;
    return s->decided && og_check_setting(&only, &s->last, s->scratch->room) == &only.overrides->setting;
}

enum og_truth og_trial_truth(struct og_trial *s, const struct og_expr *e)
{
    return s->decided ? og_expr_truth(e, &s->last, s->last.expr, NULL) : OG_TRUTH_UNKNOWN;
}

enum og_truth og_trial_truth_why(struct og_trial *s, const struct og_expr *e, struct og_expr_why *why)
{
    *why = (struct og_expr_why){ OG_EXPR_UNKNOWN, OG_CAUSE_NONE, (enum og_fact)0, NULL };
    return s->decided ? og_expr_truth(e, &s->last, s->last.expr, why) : OG_TRUTH_UNKNOWN;
}

void og_trial_why_text(const struct og_trial *s, const struct og_expr_why *why, struct og_buf *b)
{
    og_expr_why_text(why, &s->last, b);
}

bool og_trial_has_fact(const struct og_trial *s, enum og_fact fact, bool *fresh)
{
    int64_t as_of, most = s->l->policy->max_age[__builtin_ctz((unsigned)fact)];
    bool known = s->decided && og_facts_known(s->last.facts, fact, &as_of);

    *fresh = known && (!most || (as_of != OG_TIME_UNKNOWN && as_of <= s->last.now && s->last.now - as_of <= most));
    return known;
}

bool og_trial_route(struct og_trial *s, size_t i, struct og_str *name)
{
    const struct og_route *route = NULL;

    if (s->l->options.facts) {
        (void)og_trial_decide(s, &s->ordinary);
        route = s->decided ? og_facts_route_at(s->last.facts, i) : NULL;
    }
    if (route)
        *name = route->name;
    return route != NULL;
}

struct og_pattern_room *og_trial_pattern_room(struct og_trial *s)
{
    return s->scratch->room;
}

struct og_expr_room *og_trial_expr_room(struct og_trial *s)
{
    return &s->scratch->expr;
}

static const char *copy_text(struct og_trial *s, struct og_str text)
{
    const char *kept = og_arena_copy(s->l->arena, text).s;

    s->l->oom = s->l->oom || !kept;
    return kept ? kept : "";
}

static const char *reasons_of(struct og_trial *s)
{
    struct og_buf b;
    const char *text;

    og_buf_init(&b, 0);
    for (int i = 0; i < s->decision.count; i++)
        og_buf_format(&b, "%s%s", i ? " " : "", s->decision.findings[i].reason);
    text = copy_text(s, (struct og_str){ b.len ? b.s : "", b.len });
    og_buf_clear(&b);
    return text;
}

const struct og_lint_witness *og_trial_witness(struct og_trial *s, const char *format, ...)
{
    struct og_lint_witness *w;
    char text[300];
    va_list args;

    if (s->l->options.no_witness || !s->decided)
        return NULL;
    w = og_arena_take(s->l->arena, sizeof *w);
    if (!w) {
        s->l->oom = true;
        return NULL;
    }
    va_start(args, format);
    og_text_format(text, sizeof text, format, args);
    va_end(args);
    w->order = copy_text(s, (struct og_str){ s->line.s, s->line.len });
    w->facts = copy_text(s, (struct og_str){ s->facts.len ? s->facts.s : "", s->facts.len });
    w->at = copy_text(s, og_str_of(s->at_text));
    w->accepted = s->decision.accepted;
    w->reasons = reasons_of(s);
    w->shows = copy_text(s, og_str_of(text));
    return w;
}

/* --- the ordinary order ------------------------------------------------------------------------------------------- */

static int date_after(int date, int days)
{
    int year, month, day;

    og_civil_from_days(og_days_from_civil(date / 10000, date / 100 % 100, date % 100) + days, &year, &month, &day);
    return year * 10000 + month * 100 + day;
}

/* Returns the first full session on or after a date; 0: beyond the calendar. */
static int session_from(int date)
{
    for (int i = 0; i < 20; i++, date = date_after(date, 1))
        if (og_calendar_day(date).kind == OG_DAY_FULL)
            return date;
    return 0;
}

/* Returns a third Friday, 45 to 109 days ahead, with a full session; the day 60 days ahead if there is none. */
static int expiry_from(int date)
{
    for (int i = 45; i < 110; i++) {
        int day = date_after(date, i), weekday;

        if (og_calendar_look(day, &weekday).kind == OG_DAY_FULL && weekday == 5 && day % 100 >= 15 && day % 100 <= 21)
            return day;
    }
    return date_after(date, 60);
}

void og_trial_option_symbol(const struct og_trial *s, struct og_str root, char type, int64_t strike,
                            char to[OG_TRIAL_SYMBOL])
{
    og_synthetic_option((struct og_str){ root.s, root.len < 6 ? root.len : 6 }, s->expiry, type, strike * 1000, to);
}

struct og_trial_order og_trial_ordinary_order(const struct og_trial *s, enum og_security security, enum og_side side,
                                              enum og_order_type type)
{
    struct og_trial_order p = s->ordinary;

    p.security = security;
    p.side = side;
    p.type = type;
    if (security == OG_STOCK)
        return p;
    p.price = security == OG_OPTION ? og_money_from(5) : og_money_from(2);
    if (security == OG_OPTION)
        og_trial_option_symbol(s, og_str_of(s->ordinary.symbol), 'C', 100, p.symbol);
    return p;
}

static bool refused_by(struct og_trial *s, const struct og_rule *rule)
{
    return og_decision_finds(&s->decision, rule->id, NULL, true) != NULL;
}

static void set_word(char *to, struct og_str word)
{
    if (word.len < OG_TRIAL_SYMBOL)
        snprintf(to, OG_TRIAL_SYMBOL, "%.*s", (int)word.len, word.s);
}

/* Change the field of the order that the setting limits, to try another value.  There are three cases: (a) a list of
 * allowed words: take word i; (b) a list of barred symbols: take another symbol; (c) time windows: take another time of
 * the day `date`, if date is not 0.  Returns false if there is no other value. */
static bool move_order(struct og_trial_order *o, const struct og_param *p, const struct og_string_set *words, size_t i,
                       int date)
{
    static const int minutes[] = { 660, 945, 575, 1020, 480, 1260, 300, 60 };
    static const char *const symbols[] = { "SPY", "MSFT", "F" };
    const char *name = p->name ? p->name : "";

    if (p->words == OG_WORDS_WINDOWS && date && i < sizeof minutes / sizeof *minutes)
        o->at = og_eastern_instant(date / 10000, date / 100 % 100, date % 100, minutes[i] * 60 * OG_NS_PER_S);
    else if (p->words == OG_WORDS_SYMBOLS && p->listing == OG_LISTING_BARS && i < sizeof symbols / sizeof *symbols)
        set_word(o->symbol, og_str_of(symbols[i]));
    else if (p->listing != OG_LISTING_ALLOWS || i >= words->count || i >= 20)
        return false;
    else if (p->words == OG_WORDS_SYMBOLS)
        set_word(o->symbol, words->word[i]);
    else if (strcmp(name, "order.route") == 0)
        set_word(o->route, words->word[i]);
    else if (strcmp(name, "order.timeInForce") == 0)
        o->tif = og_tif_of(words->word[i]);
    else
        return false;
    return true;
}

static void find_accepted_by(struct og_trial *s, const struct og_rule *rule, const char *settings, int date)
{
    bool allows = false;

    OG_EACH_PARAM (p, rule) {
        const struct og_string_set *words = (const void *)(settings + p->at);

        for (size_t i = 0; (!allows || p->listing != OG_LISTING_BARS) && refused_by(s, rule) &&
                           move_order(&s->ordinary, p, words, i, date);
             i++)
            (void)og_trial_decide(s, &s->ordinary);
        allows = allows || (p->listing == OG_LISTING_ALLOWS && words->count);
    }
}

/* Change the ordinary order until this policy accepts it: its symbol, route, time in force and time of day. */
static void find_accepted_order(struct og_trial *s, int date)
{
    bool passes = og_trial_decide(s, &s->ordinary)->accepted;

    for (size_t i = 0; !passes && i < og_rules_size; i++)
        if (og_rules[i]->params && s->l->policy->rules[i].setting.settings)
            find_accepted_by(s, og_rules[i], s->l->policy->rules[i].setting.settings, date);
}

static void set_ordinary_order(struct og_trial *s)
{
    struct og_eastern e;
    int date;

    og_eastern_from(s->l->options.now, &e);
    date = session_from(e.ns_of_day < OG_DAY_AT(11, 0) ? e.date : date_after(e.date, 1));
    s->ordinary = (struct og_trial_order){ .security = OG_STOCK,
                                           .side = OG_BUY,
                                           .open_close = OG_OPEN,
                                           .type = OG_LIMIT,
                                           .tif = OG_DAY,
                                           .symbol = "AAPL",
                                           .account = ACCOUNT,
                                           .route = "SMART",
                                           .client_id = "lint-1",
                                           .quantity = 1,
                                           .price = og_money_from(100),
                                           .at = FALLBACK_NS };
    if (date)
        s->ordinary.at = og_eastern_instant(date / 10000, date / 100 % 100, date % 100, OG_DAY_AT(11, 0));
    og_eastern_from(s->ordinary.at, &e);
    s->expiry = expiry_from(e.date);
    if (s->l->options.facts)
        s->ordinary.at = s->l->options.now; /* the facts given are fresh only near this time */
    find_accepted_order(s, s->l->options.facts ? 0 : date);
}

enum og_status og_trial_new(struct og_lint_run *l, struct og_trial **trial, struct og_error *err)
{
    struct og_trial *s = calloc(1, sizeof *s);
    enum og_status status = OG_ENOMEM;

    *trial = NULL;
    if (!s)
        return og_fail(err, OG_ENOMEM, "out of memory linting a policy");
    s->l = l;
    og_buf_init(&s->line, 0);
    og_buf_init(&s->facts, 0);
    og_buf_init(&s->loaded_facts, 0);
    s->loaded_given = l->options.facts != NULL;
    s->scratch = og_scratch_new();
    s->order = og_order_new();
    if (s->scratch && s->order)
        status = new_book(s, l->options.facts, l->options.facts_len, "facts", err);
    if (status == OG_OK) {
        set_ordinary_order(s);
        *trial = s;
        return OG_OK;
    }
    og_trial_free(s);
    return status == OG_ENOMEM ? og_fail(err, OG_ENOMEM, "out of memory linting a policy") : status;
}

void og_trial_free(struct og_trial *s)
{
    if (!s)
        return;
    free_book(s);
    og_scratch_free(s->scratch);
    og_order_free(s->order);
    og_buf_clear(&s->line);
    og_buf_clear(&s->facts);
    og_buf_clear(&s->loaded_facts);
    free(s);
}
