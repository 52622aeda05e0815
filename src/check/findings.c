/*
 * Makes findings from what rules report (rules/report.c): fills a reason's templates with values, facts and their ages.
 * Never allocates; findings that do not fit are dropped, and the decision says so (cut).
 */
#include <stdio.h>

#include "base/appender.h"
#include "base/attributes.h"
#include "check/check.h"

/* Returns an appender that writes to the unused rest of the storage for texts. */
static struct og_appender begin_text(const struct og_buf *b)
{
    return og_appender_over(b->s + b->len, b->end - b->len);
}

/* End a text in the scratch with a NUL, and return it; if it did not fit, return "" instead of a part of it. */
static const char *end_text(struct og_buf *b, struct og_appender p)
{
    const char *text = b->s + b->len;

    if (!p.to)
        return "";
    *p.to = '\0';
    b->len += (size_t)(p.to - text) + 1;
    return text;
}

const char *og_check_keep(struct og_scratch *s, const char *text)
{
    return end_text(&s->text, og_append_text(begin_text(&s->text), text));
}

static OG_COLD struct og_appender put_date(struct og_appender p, int64_t yyyymmdd)
{
    char text[16];
    int len = snprintf(text, sizeof text, "%04d-%02d-%02d", (int)(yyyymmdd / 10000), (int)(yyyymmdd / 100 % 100),
                       (int)(yyyymmdd % 100));

    return og_append(p, text, (size_t)len);
}

static OG_COLD struct og_appender put_bps(struct og_appender p, int64_t bps)
{
    char text[32];
    int len =
        snprintf(text, sizeof text, bps % 100 ? "%lld.%02d%%" : "%lld%%", (long long)(bps / 100), (int)(bps % 100));

    return og_append(p, text, (size_t)len);
}

static OG_COLD struct og_appender put_rare(struct og_appender p, const struct og_arg *a)
{
    switch (a->kind) {
    case OG_ARG_CLOCK: return og_append_text(p, og_clock_text(a->as.n).s);
    case OG_ARG_DATE: return put_date(p, a->as.n);
    case OG_ARG_DURATION: return og_append_text(p, og_duration_text(a->as.n).s);
    case OG_ARG_AGE: return og_append_text(p, og_age_text(a->as.n).s);
    case OG_ARG_BPS: return put_bps(p, a->as.n);
    default: return p;
    }
}

static inline struct og_appender put_arg(struct og_appender p, const struct og_arg *a)
{
    switch (a->kind) {
    case OG_ARG_STR: return og_append_shown(p, a->as.str);
    case OG_ARG_TEXT: return og_append_short(p, og_str_of(a->as.text));
    case OG_ARG_MONEY: return og_append_money(p, a->as.money);
    case OG_ARG_INT: return og_append_whole(p, a->as.n);
    default: return put_rare(p, a);
    }
}

/* Returns the template with each {n} replaced by the n-th value. */
static OG_HOT const char *render(struct og_buf *b, const char *template, const struct og_arg *args, size_t count)
{
    struct og_appender p = begin_text(b);

    for (const char *at = template;;) {
        const char *brace = strchrnul(at, '{');

        if (!*brace || brace[1] < '0' || brace[1] > '9' || brace[2] != '}')
            return end_text(b, og_append_text(p, at));
        p = og_append_short(p, (struct og_str){ at, (size_t)(brace - at) });
        if ((size_t)(brace[1] - '0') < count)
            p = put_arg(p, &args[brace[1] - '0']);
        at = brace + 3;
    }
}

/* Returns the message of a reason with its values; uses the pieces into which the policy may have split the
 * template. */
static inline const char *render_message(const struct og_sink *sink, const struct og_reason *reason,
                                         const struct og_arg *args, size_t count)
{
    struct og_buf *b = &sink->scratch->text;
    const struct og_template *t = sink->run->setting->says;
    struct og_appender p = begin_text(b);

    if (!t || !(t += reason - sink->run->rule->reasons)->count)
        return render(b, reason->says, args, count);
    for (const struct og_piece *piece = t->piece; piece < t->piece + t->count; piece++) {
        p = og_append_short(p, (struct og_str){ reason->says + piece->from, piece->len });
        if (piece->value < count)
            p = put_arg(p, &args[piece->value]);
    }
    return end_text(b, p);
}

/* Name a finding of a custom rule.  The finding gets a copy of the rule's id: custom rules are freed with their policy,
 * and the decision may live longer.  A custom rule has one reason, with the name of the rule. */
static OG_COLD void name_custom(struct og_sink *sink, struct og_finding *f)
{
    f->rule = f->reason = og_check_keep(sink->scratch, sink->run->rule->id);
}

/* Returns the index of the spare entry, for a finding that has no room, and marks the decision as cut. */
static OG_COLD int spare_place(struct og_sink *sink, const struct og_reason *reason)
{
    struct og_scratch *s = sink->scratch;

    if (sink->run->setting->mode == OG_MODE_SHADOW)
        s->shadow_cut = true;
    else
        s->cut = true;
    if (reason->level == OG_LEVEL_REFUSE && sink->run->setting->mode == OG_MODE_ENFORCE)
        s->cut_refuses = true;
    return OG_FINDINGS_MOST;
}

/* Begin a finding of this reason in the next free entry (the spare one if none is free), and return its index. First
 * gives their levels to the findings of the last rule that found something. */
static inline int place(struct og_sink *sink, const struct og_reason *reason, const char *field)
{
    struct og_scratch *s = sink->scratch;
    struct og_finding *f;
    struct og_made *made;
    int at;

    if (sink->run != s->finder) {
        og_check_settle(s);
        s->finder = sink->run;
    }
    at = s->count < OG_FINDINGS_MOST ? s->count++ : spare_place(sink, reason);
    s->last = at;
    made = &s->made[at]; /* members are set one by one: an initializer would first write zeros to all */
    made->found.natural = reason->level;
    made->found.predicts = reason->predicts;
    made->found.rank = reason->rank;
    made->found.exits_pass = reason->exits_pass;
    made->reason = reason;
    made->unsure = false;
    f = &s->finding[at]; /* og_check_settle() will set the finding's level and prediction */
    f->rule = sink->run->rule->id;
    f->reason = reason->id;
    if (!sink->run->rule->code)
        name_custom(sink, f);
    f->unsure = f->stale = false;
    f->field = field;
    f->waived_by = f->waived_because = NULL;
    f->waived_until = 0;
    return at;
}

/* Returns the finding's field: its template, filled with values. The field is a JSON pointer, so '~' and '/' inside a
 * value are escaped (RFC 6901). No other character is replaced, since the pointer must lead back to the key. */
static const char *render_pointer(struct og_buf *b, const char *template, const struct og_arg *args, size_t count)
{
    struct og_appender p = begin_text(b);

    for (const char *at = template; *at; at++) {
        size_t n = *at == '{' ? (size_t)(at[1] - '0') : count;

        if (n >= count) {
            p = og_append(p, at, 1);
            continue;
        }
        at += 2;
        if (args[n].kind != OG_ARG_STR) {
            p = put_arg(p, &args[n]);
            continue;
        }
        for (size_t i = 0; i < args[n].as.str.len; i++) {
            const char *c = &args[n].as.str.s[i];

            p = *c == '~' ? OG_APPEND(p, "~0") : *c == '/' ? OG_APPEND(p, "~1") : og_append(p, c, 1);
        }
    }
    return end_text(b, p);
}

static OG_HOT __attribute__((noinline)) struct og_found *find(struct og_sink *sink, const struct og_reason *reason,
                                                              const char *field, const struct og_arg *args,
                                                              size_t count)
{
    struct og_scratch *s = sink->scratch;
    int at = place(sink, reason, field);
    struct og_found *found = &s->made[at].found;

    s->finding[at].message = render_message(sink, reason, args, count);
    if (strchr(field, '{'))
        s->finding[at].field = render_pointer(&s->text, field, args, count);
    if (reason->predicts.text)
        found->predicts.text = render(&s->text, reason->predicts.text, args, count);
    return found;
}

/* Begin an unsure finding and return it; the caller sets its message. */
static OG_HOT struct og_finding *place_unsure(struct og_sink *sink, const struct og_reason *reason, const char *field)
{
    struct og_scratch *s = sink->scratch;
    const int at = place(sink, reason, field);
    struct og_prediction *p;

    s->made[at].unsure = true;
    s->finding[at].unsure = true;
    p = &s->made[at].found.predicts;
    if (p->channel != OG_CHANNEL_NONE && p->channel != OG_CHANNEL_ACCEPTED) {
        p->channel = OG_CHANNEL_UNKNOWN;
        p->certainty = OG_READING;
        p->text = NULL;
    }
    return &s->finding[at];
}

/* Begin an unsure finding as place_unsure() does; returns NULL if the reason makes no finding for a missing fact. */
static inline struct og_finding *unsure(struct og_sink *sink, const struct og_reason *reason, const char *field)
{
    return reason->undecided == OG_LEVEL_OFF ? NULL : place_unsure(sink, reason, field);
}

/* Begin a finding as unsure() does, and set its message. */
static struct og_finding *unsure_says(struct og_sink *sink, const struct og_reason *reason, const char *field,
                                      const char *template, const struct og_arg *args, size_t count)
{
    struct og_finding *f = unsure(sink, reason, field);

    if (f)
        f->message = render(&sink->scratch->text, template, args, count);
    return f;
}

/* Begin the message of a finding that could not be decided. */
static inline struct og_appender begin_not_decided(struct og_sink *sink, const struct og_reason *reason)
{
    struct og_appender p = og_append_short(begin_text(&sink->scratch->text), og_str_of(reason->id));

    return OG_APPEND(p, " not decided: ");
}

static void find_unsure(struct og_sink *sink, const struct og_reason *reason, const char *field,
                        const struct og_arg *args, size_t count)
{
    (void)unsure_says(sink, reason, field, reason->says, args, count);
}

static struct og_found *found_last(struct og_sink *sink)
{
    return &sink->scratch->made[sink->scratch->last].found;
}

static void found_stale(struct og_sink *sink)
{
    sink->scratch->finding[sink->scratch->last].stale = true;
}

static void not_decided(struct og_sink *sink, const struct og_reason *reason, const char *field, const char *why)
{
    struct og_finding *f = unsure(sink, reason, field);

    if (f)
        f->message = end_text(&sink->scratch->text, og_append_text(begin_not_decided(sink, reason), why));
}

void og_check_say_uncounted(struct og_sink *sink, const struct og_reason *reason, const char *field, const char *why)
{
    struct og_finding *f = place_unsure(sink, reason, field);

    f->message = end_text(&sink->scratch->text, og_append_text(begin_not_decided(sink, reason), why));
}

static void found_add(struct og_sink *sink, const char *template, const struct og_arg *args, size_t count)
{
    struct og_scratch *s = sink->scratch;
    const char *more = render(&s->text, template, args, count);
    const struct og_arg both[] = { og_a_text(s->finding[s->last].message), og_a_text(more) };

    s->finding[s->last].message = render(&s->text, "{0}{1}", both, 2);
}

#define NAMED 3 /* maximum number of working orders that a message names */

static OG_COLD void found_name(const struct og_case *c, struct og_sink *sink, const struct og_working_of *of,
                               int64_t count)
{
    struct og_scratch *s = sink->scratch;
    struct og_str id[NAMED];
    int named;
    const int found = og_check_working(c, of, count, id, NAMED, &named);
    const int64_t all = count < 0 ? found : count;
    struct og_appender p;
    const char *message;

    if (!named)
        return;
    p = og_append_text(begin_text(&s->text), s->finding[s->last].message);
    for (int i = 0; i < named; i++)
        p = OG_APPEND(og_append_shown(og_append_text(p, i ? ", '" : " ('"), id[i]), "'");
    if (count < 0 && found > OG_WORKING_COUNTED)
        p = OG_APPEND(p, " and more");
    else if (all > named)
        p = OG_APPEND(og_append_whole(OG_APPEND(p, " and "), all - named), " more");
    message = end_text(&s->text, OG_APPEND(p, ")"));
    if (*message)
        s->finding[s->last].message = message;
}

/* Returns the index of a kind of facts: the number of its bit. */
static int kind_index(enum og_fact kind)
{
    return __builtin_ctz((unsigned)kind);
}

/* Begin the message "<reason> not decided: <fact>", and keep this beginning for the next order: when few quotes are
 * known, most orders need it.  Texts of custom rules are not kept, since they are freed with their policy. */
static inline struct og_appender begin_missing(struct og_sink *sink, const struct og_reason *reason, enum og_fact kind)
{
    struct og_missing *m = &sink->scratch->missing;
    struct og_appender p;

    if (m->reason != reason || m->kind != kind) {
        p = og_appender_over(m->text, sizeof m->text);
        p = og_append_text(og_append_text(og_append_text(p, reason->id), " not decided: "), og_fact_word(kind).s);
        m->reason = NULL;
        if (!sink->run->rule->code || !og_appender_end(p, m->text, sizeof m->text, &m->len))
            return og_append_short(begin_not_decided(sink, reason), og_fact_word(kind));
        m->reason = reason;
        m->kind = kind;
    }
    return og_append(begin_text(&sink->scratch->text), m->text, m->len);
}

/* Say that a fact is not known.  The message is put together piece by piece, which is faster than filling a template:
 * an order without a quote needs such a message for each rule that reads the quote. */
static void say_missing(struct og_sink *sink, const struct og_reason *reason, const char *field, enum og_fact kind,
                        struct og_str key)
{
    struct og_finding *f = unsure(sink, reason, field);
    struct og_appender p;

    if (!f)
        return;
    p = begin_missing(sink, reason, kind);
    if (key.len)
        p = og_append_shown(OG_APPEND(p, " of "), key);
    f->message = end_text(&sink->scratch->text, OG_APPEND(p, " not known"));
}

/* Say why a fact that a rule read is known but not used, for example because it is too old. */
static OG_NOINLINE void say_unusable(const struct og_case *c, struct og_sink *sink, const struct og_reason *reason,
                                     enum og_fact kind, const char *field, int64_t as_of)
{
    const int64_t most = c->max_age[kind_index(kind)];
    const struct og_arg args[] = { og_a_text(reason->id), og_a_text(og_fact_name(kind)),
                                   og_a_age(as_of > c->facts_at ? as_of - c->facts_at : c->facts_at - as_of),
                                   og_a_duration(most) };

    if (as_of > c->facts_at)
        (void)unsure_says(sink, reason, field, "{0} not decided: the time of {1} is {2} in the future", args, 4);
    else if (unsure_says(sink, reason, field, "{0} not decided: {1} is {2} old, {3} is the most allowed", args, 4))
        found_stale(sink);
}

/* Say that there is a quote, but why it is unusable. */
static OG_COLD void say_quote_fault(struct og_sink *sink, const struct og_reason *reason, const char *field,
                                    struct og_str symbol, const struct og_quote *q)
{
    const struct og_arg args[] = { og_a_text(reason->id), og_a_text(og_fact_name(OG_FACT_QUOTE)), og_a_str(symbol) };
    const struct og_arg prices[] = { og_a_money(q->bid), og_a_money(q->ask) };

    if (!unsure_says(sink, reason, field, "{0} not decided: {1} of {2} not usable: ", args, 3))
        return;
    found_add(sink, og_quote_fault_says[q->fault], prices, 2);
}

static OG_COLD void say_ageless(const struct og_case *c, struct og_sink *sink, const struct og_reason *reason,
                                enum og_fact kind, const char *field)
{
    const struct og_arg args[] = { og_a_text(reason->id), og_a_text(og_fact_name(kind)),
                                   og_a_duration(c->max_age[kind_index(kind)]) };

    (void)unsure_says(sink, reason, field, "{0} not decided: age of {1} not known, {2} is the most allowed", args, 3);
}

static OG_COLD void say_lacking(struct og_sink *sink, const struct og_reason *reason, const char *field,
                                struct og_str id, int64_t newer)
{
    static const char *const says[2][2] = {
        { "{0} not decided: {1} may lack a fill of an order without id, which is {3} newer",
          "{0} not decided: {1} may lack a fill of an order without id, though it is {3} older" },
        { "{0} not decided: {1} may lack a fill of order '{2}', which is {3} newer",
          "{0} not decided: {1} may lack a fill of order '{2}', though it is {3} older" },
    };
    const bool older = newer <= 0; /* by less than the settle lag */
    const struct og_arg args[] = { og_a_text(reason->id), og_a_text(og_fact_name(OG_FACT_POSITIONS)), og_a_str(id),
                                   og_a_age(older ? -newer : newer) };

    if (unsure_says(sink, reason, field, says[id.len > 0][older], args, 4))
        found_stale(sink);
}

/* Returns true if no fill is known that positions, which are needed, lack. */
static OG_NOINLINE bool need_fills(const struct og_case *c, struct og_sink *sink, const struct og_reason *reason,
                                   const char *field)
{
    struct og_str id;
    int64_t newer;

    if (og_has(c, OG_FACT_POSITIONS) || !og_facts_lacks_fill(c->facts, &id, &newer))
        return true;
    say_lacking(sink, reason, field, id, newer);
    return false;
}

static OG_HOT bool need(const struct og_case *c, struct og_sink *sink, const struct og_reason *reason,
                        enum og_fact kind, struct og_str key, const char *field)
{
    int64_t as_of;
    const struct og_quote *raw = NULL;
    bool known;

    if (kind == OG_FACT_QUOTE && c->facts && key.s != c->order->symbol.s) { /* searched once for both questions */
        raw = og_facts_raw_quote(c->facts, key);
        known = raw && raw->fault == OG_QUOTE_SOUND;
        as_of = known ? raw->as_of : OG_TIME_UNKNOWN;
    } else {
        known = og_case_known(c, kind, key, &as_of);
        raw = c->facts && kind == OG_FACT_QUOTE ? c->raw_quote : NULL;
    }
    if (known && og_fact_is_fresh(as_of, c->facts_at, c->max_age[kind_index(kind)]))
        return kind != OG_FACT_POSITIONS || need_fills(c, sink, reason, field);
    if (!known && raw)
        say_quote_fault(sink, reason, field, key, raw);
    else if (!known)
        say_missing(sink, reason, field, kind, key);
    else if (as_of == OG_TIME_UNKNOWN)
        say_ageless(c, sink, reason, kind, field);
    else
        say_unusable(c, sink, reason, kind, field, as_of);
    return false;
}

const struct og_report og_check_report = { .find = find,
                                           .need = need,
                                           .found_last = found_last,
                                           .found_add = found_add,
                                           .found_name = found_name,
                                           .unsure = not_decided,
                                           .found_stale = found_stale,
                                           .find_unsure = find_unsure };
