/*
 * What rules report into: findings made from a reason's templates, asked facts and their ages.
 * It refuses to allocate; what does not fit is counted and said (cut).
 */
#include "check/check.h"

#include "base/often.h"

#include "base/banned.h"

static const char *slot_text(struct og_buf *b, size_t from)
{
    if (b->bad) { /* the storage is full: this text is shortened to nothing rather than half */
        b->bad = false;
        b->len = from;
        return "";
    }
    og_buf_char(b, '\0');
    return b->bad ? "" : b->s + from;
}

static void put_date(struct og_buf *b, int64_t yyyymmdd)
{
    og_buf_format(b, "%04d-%02d-%02d", (int)(yyyymmdd / 10000), (int)(yyyymmdd / 100 % 100), (int)(yyyymmdd % 100));
}

static void put_bps(struct og_buf *b, int64_t bps)
{
    og_buf_money(b, (struct og_money){ bps / 100, 0 });
    if (bps % 100)
        og_buf_format(b, ".%02d", (int)(bps % 100));
    og_buf_char(b, '%');
}

static OG_OFTEN void put_arg(struct og_buf *b, const struct og_arg *a)
{
    switch (a->kind) {
    case OG_ARG_STR: og_buf_shown(b, a->as.str); break;
    case OG_ARG_TEXT: og_buf_text(b, a->as.text); break;
    case OG_ARG_MONEY: og_buf_money(b, a->as.money); break;
    case OG_ARG_INT: og_buf_int(b, a->as.n); break;
    case OG_ARG_CLOCK: og_buf_text(b, og_clock_text(a->as.n).s); break;
    case OG_ARG_DATE: put_date(b, a->as.n); break;
    case OG_ARG_DURATION: og_buf_text(b, og_duration_text(a->as.n).s); break;
    case OG_ARG_BPS: put_bps(b, a->as.n); break;
    }
}

/* The template with {n} replaced by the values; NUL-terminated in the scratch. */
static OG_OFTEN const char *render(struct og_buf *b, const char *template, const struct og_arg *args, size_t count)
{
    size_t from = b->len;

    for (const char *p = template;;) {
        const char *brace = strchr(p, '{');

        if (!brace || brace[1] < '0' || brace[1] > '9' || brace[2] != '}') {
            og_buf_text(b, p);
            return slot_text(b, from);
        }
        og_buf_bytes(b, p, (size_t)(brace - p));
        if ((size_t)(brace[1] - '0') < count)
            put_arg(b, &args[brace[1] - '0']);
        p = brace + 3;
    }
}

/* The next free place; the spare one when there is none. */
static OG_OFTEN int place(struct og_sink *sink, const struct og_reason *reason, const char *field)
{
    struct og_scratch *s = sink->scratch;
    struct og_made *made;
    int at;

    if (sink->run != s->finder) {
        og_check_settle(s);
        s->finder = sink->run;
    }
    at = s->count;

    if (at < OG_FINDINGS_MOST)
        s->count++;
    else if (sink->run->setting->mode == OG_MODE_SHADOW)
        s->shadow_cut = true;
    else
        s->cut = true;
    s->last = at;
    made = &s->made[at]; /* member by member: zeros first would be written twice */
    made->found.natural = reason->level;
    og_copy(&made->found.predicts, &reason->predicts, sizeof reason->predicts);
    made->found.rank = reason->rank;
    made->reason = reason;
    made->unsure = false;
    og_zero(&s->finding[at], sizeof s->finding[at]);
    s->finding[at].rule = sink->run->rule->id;
    s->finding[at].reason = reason->id;
    s->finding[at].field = field;
    if (at == OG_FINDINGS_MOST && reason->level == OG_LEVEL_REFUSE && sink->run->setting->mode == OG_MODE_ENFORCE)
        s->cut_refuses = true;
    return at;
}

/* A field with values in it: a JSON pointer, so '~' and '/' inside a value are escaped (RFC 6901), and nothing is
 * masked: it must lead back to the key. */
static const char *render_pointer(struct og_buf *b, const char *template, const struct og_arg *args, size_t count)
{
    size_t from = b->len;

    for (const char *p = template; *p; p++) {
        size_t n = *p == '{' ? (size_t)(p[1] - '0') : count;

        if (n >= count) {
            og_buf_char(b, *p);
            continue;
        }
        p += 2;
        if (args[n].kind != OG_ARG_STR) {
            put_arg(b, &args[n]);
            continue;
        }
        for (size_t i = 0; i < args[n].as.str.len; i++) {
            char c = args[n].as.str.s[i];

            if (c == '~' || c == '/')
                og_buf_text(b, c == '~' ? "~0" : "~1");
            else
                og_buf_char(b, c);
        }
    }
    return slot_text(b, from);
}

struct og_found *og_find_(struct og_sink *sink, const struct og_reason *reason, const char *field,
                          const struct og_arg *args, size_t count)
{
    struct og_scratch *s = sink->scratch;
    int at = place(sink, reason, field);
    struct og_found *found = &s->made[at].found;

    s->finding[at].message = render(&s->text, reason->says, args, count);
    if (strchr(field, '{'))
        s->finding[at].field = render_pointer(&s->text, field, args, count);
    if (reason->predicts.text)
        found->predicts.text = render(&s->text, reason->predicts.text, args, count);
    return found;
}

static OG_OFTEN void unsure(struct og_sink *sink, const struct og_reason *reason, const char *field,
                            const char *template, const struct og_arg *args, size_t count)
{
    struct og_scratch *s = sink->scratch;
    struct og_prediction *p;
    int at;

    if (reason->undecided == OG_LEVEL_OFF)
        return;
    at = place(sink, reason, field);
    s->made[at].unsure = true;
    s->finding[at].unsure = true;
    s->finding[at].message = render(&s->text, template, args, count);
    p = &s->made[at].found.predicts;
    if (p->channel != OG_CHANNEL_NONE && p->channel != OG_CHANNEL_ACCEPTED) {
        p->channel = OG_CHANNEL_UNKNOWN;
        p->certainty = OG_READING;
        p->text = NULL;
    }
}

struct og_found *og_found_last(struct og_sink *sink)
{
    return &sink->scratch->made[sink->scratch->last].found;
}

void og_unsure(struct og_sink *sink, const struct og_reason *reason, const char *field, const char *why)
{
    const struct og_arg args[] = { og_a_text(reason->id), og_a_text(why) };

    unsure(sink, reason, field, "{0} not decided: {1}", args, 2);
}

void og_found_add(struct og_sink *sink, const char *template, const struct og_arg *args, size_t count)
{
    struct og_scratch *s = sink->scratch;
    const char *more = render(&s->text, template, args, count);
    const struct og_arg both[] = { og_a_text(s->finding[s->last].message), og_a_text(more) };

    s->finding[s->last].message = render(&s->text, "{0}{1}", both, 2);
}

/* Which of the kinds, as an index. */
static int kind_index(enum og_fact kind)
{
    return __builtin_ctz((unsigned)kind);
}

static void say_missing(struct og_sink *sink, const struct og_reason *reason, const char *field, enum og_fact kind,
                        struct og_str key)
{
    const struct og_arg args[] = { og_a_text(reason->id), og_a_text(og_fact_name(kind)), og_a_str(key) };

    if (key.len)
        unsure(sink, reason, field, "{0} not decided: {1} of {2} not known", args, 3);
    else
        unsure(sink, reason, field, "{0} not decided: {1} not known", args, 2);
}

/* Say why a fact that was asked for does not count. */
static OG_OFTEN __attribute__((noinline)) void say_unusable(const struct og_case *c, struct og_sink *sink,
                                                            const struct og_reason *reason, enum og_fact kind,
                                                            struct og_str key, const char *field, int64_t as_of)
{
    int64_t most = c->max_age[kind_index(kind)];
    struct og_arg args[] = { og_a_text(reason->id), og_a_text(og_fact_name(kind)), og_a_duration(0),
                             og_a_duration(most) };

    if (!og_case_known(c, kind, key, &as_of)) {
        say_missing(sink, reason, field, kind, key);
    } else if (as_of == OG_TIME_UNKNOWN) {
        unsure(sink, reason, field, "{0} not decided: age of {1} not known, {3} is the most allowed", args, 4);
    } else if (as_of > c->now) {
        args[2] = og_a_duration(as_of - c->now);
        unsure(sink, reason, field, "{0} not decided: {1} known as of {2} in the future", args, 4);
    } else {
        args[2] = og_a_duration(c->now - as_of);
        unsure(sink, reason, field, "{0} not decided: {1} is {2} old, {3} is the most allowed", args, 4);
    }
}

OG_OFTEN bool og_need_(const struct og_case *c, struct og_sink *sink, const struct og_reason *reason, enum og_fact kind,
                       struct og_str key, const char *field)
{
    int64_t as_of;

    if (og_case_known(c, kind, key, &as_of) && og_fact_is_fresh(as_of, c->now, c->max_age[kind_index(kind)]))
        return true;
    if (reason->undecided != OG_LEVEL_OFF)
        say_unusable(c, sink, reason, kind, key, field, as_of);
    return false;
}

const char *og_leg_pointer(int leg, int leg_key)
{
    static const char *const pointers[OG_LEGS_KEPT][OG_LEG_KEYS + 1] = {
#define LEG(i)                                                                                                         \
    {                                                                                                                  \
        "/legs/" #i, "/legs/" #i "/symbol", "/legs/" #i "/side", "/legs/" #i "/ratio", "/legs/" #i "/openClose"        \
    }
        LEG(0), LEG(1), LEG(2), LEG(3), LEG(4), LEG(5), LEG(6), LEG(7)
#undef LEG
    };

    if (leg < 0 || leg >= OG_LEGS_KEPT || leg_key < -1 || leg_key >= OG_LEG_KEYS)
        return "/legs";
    return pointers[leg][leg_key + 1];
}
