/*
 * Decisions as JSON, spelled as in docs/contract.md.  Writes to the caller's storage, and never allocates.
 */
#include "base/appender.h"
#include "base/attributes.h"
#include "base/money.h"
#include "check/check.h"

static struct og_appender put_text_or_null(struct og_appender p, const char *text)
{
    return text ? og_append_json_str(p, og_str_of(text)) : OG_APPEND(p, "null");
}

/* Append the prediction of how the broker rejects the order. */
static struct og_appender put_rejection(struct og_appender p, const struct og_prediction *r)
{
    p = OG_APPEND(p, "{\"channel\":\"");
    p = og_append_text(p, og_channel_name(r->channel));
    p = OG_APPEND(p, "\",\"code\":");
    p = put_text_or_null(p, r->code);
    if (r->codes[0]) {
        p = OG_APPEND(p, ",\"codes\":[");
        for (int i = 0; i < 3 && r->codes[i]; i++) {
            if (i)
                p = OG_APPEND(p, ",");
            p = og_append_json_str(p, og_str_of(r->codes[i]));
        }
        p = OG_APPEND(p, "]");
    }
    p = OG_APPEND(p, ",\"text\":");
    p = put_text_or_null(p, r->text);
    if (r->certainty == OG_CERTAINTY_NONE)
        return OG_APPEND(p, "}");
    p = OG_APPEND(p, ",\"certainty\":\"");
    p = og_append_text(p, og_certainty_name(r->certainty));
    return OG_APPEND(p, "\"}");
}

/* Append the prediction that the broker accepts the order.  Most orders are accepted, so the words of
 * og_channel_name() and og_certainty_name() are written out here. */
static inline struct og_appender put_accepted(struct og_appender p, enum og_certainty certainty)
{
    if (certainty == OG_STATED)
        return OG_APPEND(p, "{\"channel\":\"accepted\",\"certainty\":\"stated\"}");
    if (certainty == OG_READING)
        return OG_APPEND(p, "{\"channel\":\"accepted\",\"certainty\":\"reading\"}");
    return OG_APPEND(p, "{\"channel\":\"accepted\"}");
}

static inline struct og_appender put_prediction(struct og_appender p, const struct og_prediction *r)
{
    if (r->channel == OG_CHANNEL_NONE)
        return OG_APPEND(p, "null");
    if (r->channel == OG_CHANNEL_ACCEPTED)
        return put_accepted(p, r->certainty);
    return put_rejection(p, r);
}

static struct og_appender put_waiver(struct og_appender p, const struct og_finding *f)
{
    p = OG_APPEND(p, ",\"waived\":{\"by\":");
    p = put_text_or_null(p, f->waived_by);
    p = OG_APPEND(p, ",\"reason\":");
    p = put_text_or_null(p, f->waived_because);
    p = OG_APPEND(p, ",\"until\":");
    p = og_append_time(p, f->waived_until);
    return OG_APPEND(p, "}");
}

/* Append what comes between a finding's reason and its field: the level as og_level_name() spells it, and `unsure`. */
#define PUT_LEVEL(p, name, unsure)                                                     \
    ((unsure) ? OG_APPEND((p), "\",\"level\":\"" name "\",\"unsure\":true,\"field\":") \
              : OG_APPEND((p), "\",\"level\":\"" name "\",\"field\":"))
static inline struct og_appender put_level(struct og_appender p, enum og_level level, bool unsure)
{
    switch (level) {
    case OG_LEVEL_OFF: return PUT_LEVEL(p, "off", unsure);
    case OG_LEVEL_INFO: return PUT_LEVEL(p, "info", unsure);
    case OG_LEVEL_WARN: return PUT_LEVEL(p, "warn", unsure);
    case OG_LEVEL_REFUSE: return PUT_LEVEL(p, "refuse", unsure);
    }
    return p;
}
#undef PUT_LEVEL

/* Append a finding. Ids of rules and reasons and names of levels have no character that JSON escapes. */
static struct og_appender put_finding(struct og_appender p, const struct og_finding *f)
{
    p = OG_APPEND(p, "{\"rule\":\"");
    p = og_append_short(p, og_str_of(f->rule));
    p = OG_APPEND(p, "\",\"reason\":\"");
    p = og_append_short(p, og_str_of(f->reason));
    p = put_level(p, f->level, f->unsure);
    p = og_append_json_str(p, og_str_of(f->field));
    p = OG_APPEND(p, ",\"message\":");
    p = og_append_json_str(p, og_str_of(f->message));
    if (f->waived_by)
        p = put_waiver(p, f);
    p = OG_APPEND(p, ",\"predicts\":");
    p = put_prediction(p, &f->predicts);
    return OG_APPEND(p, "}");
}

/* Append the findings, up to the closing bracket; most orders have none. */
static inline struct og_appender put_findings(struct og_appender p, const struct og_finding *findings, int count)
{
    for (int i = 0; i < count; i++) {
        if (i)
            p = OG_APPEND(p, ",");
        p = put_finding(p, &findings[i]);
    }
    return OG_APPEND(p, "]");
}

/* Append an amount with two decimals, or with more if it has more; null if it is not known. */
static struct og_appender put_dollars(struct og_appender p, bool known, struct og_money m)
{
    if (!known)
        return OG_APPEND(p, "null");
    p = og_append_money(p, m);
    return m.scale == 0 ? OG_APPEND(p, ".00") : m.scale == 1 ? OG_APPEND(p, "0") : p;
}

static struct og_appender put_strategy(struct og_appender p, const struct og_strategy_info *s)
{
    p = OG_APPEND(p, ",\"strategy\":{\"name\":\"");
    p = og_append_text(p, s->name);
    p = OG_APPEND(p, "\",\"direction\":\"");
    p = og_append_text(p, s->direction);
    p = OG_APPEND(p, "\",\"maxLoss\":");
    p = put_dollars(p, s->has_max_loss, s->max_loss);
    p = OG_APPEND(p, ",\"maxGain\":");
    p = put_dollars(p, s->has_max_gain, s->max_gain);
    return OG_APPEND(p, "}");
}

static struct og_appender put_margin(struct og_appender p, const struct og_margin_info *m)
{
    p = OG_APPEND(p, ",\"margin\":{\"required\":");
    p = put_dollars(p, m->known, m->required);
    p = OG_APPEND(p, ",\"available\":");
    p = put_dollars(p, m->has_available, m->available);
    p = OG_APPEND(p, ",\"model\":");
    p = put_text_or_null(p, m->model);
    p = OG_APPEND(p, ",\"gross\":");
    p = put_dollars(p, m->known, m->gross);
    p = OG_APPEND(p, ",\"proceeds\":");
    p = put_dollars(p, m->known, m->proceeds);
    if (m->has_overnight) {
        p = OG_APPEND(p, ",\"overnight\":");
        p = put_dollars(p, true, m->overnight);
    }
    if (m->has_stock) {
        p = OG_APPEND(p, ",\"initial\":");
        p = put_dollars(p, true, m->initial);
        p = OG_APPEND(p, ",\"maintenance\":");
        p = put_dollars(p, true, m->maintenance);
    }
    if (m->bound)
        p = OG_APPEND(p, ",\"bound\":true");
    if (m->why) {
        p = OG_APPEND(p, ",\"why\":");
        p = og_append_json_str(p, og_str_of(m->why));
    }
    if (m->needs[0]) {
        p = OG_APPEND(p, ",\"needs\":");
        p = og_append_json_str(p, og_str_of(m->needs));
    }
    return OG_APPEND(p, "}");
}

static struct og_appender put_suggestion(struct og_appender p, const struct og_suggestion *s)
{
    switch (s->what) {
    case OG_SUGGEST_NONE: return p;
    case OG_SUGGEST_QUANTITY:
        p = OG_APPEND(p, ",\"suggest\":{\"orderQuantity\":");
        p = og_append_money(p, og_money_from(s->quantity));
        break;
    case OG_SUGGEST_LIMIT:
        p = OG_APPEND(p, ",\"suggest\":{\"limitPrice\":");
        p = og_append_money(p, s->price);
        break;
    case OG_SUGGEST_STOP:
        p = OG_APPEND(p, ",\"suggest\":{\"stopPrice\":");
        p = og_append_money(p, s->price);
        break;
    case OG_SUGGEST_AT:
        p = OG_APPEND(p, ",\"suggest\":{\"at\":");
        p = og_append_time(p, s->at);
        break;
    case OG_SUGGEST_REPLACES:
        p = OG_APPEND(p, ",\"suggest\":{\"replaces\":");
        p = og_append_json_str(p, og_str_of(s->replaces));
        break;
    }
    return OG_APPEND(p, "}");
}

static struct og_appender put_stamp(struct og_appender p, const char *policy, const char *facts, int64_t at)
{
    p = OG_APPEND(p, ",\"policy\":\""); /* a policy's name has letters, digits and a few signs: nothing to escape */
    p = og_append_text(p, policy);
    if (facts[0]) {
        p = OG_APPEND(p, "\",\"facts\":\"");
        p = og_append_text(p, facts);
        p = OG_APPEND(p, "\",\"at\":");
    } else {
        p = OG_APPEND(p, "\",\"facts\":null,\"at\":");
    }
    return og_append_time(p, at);
}

static OG_HOT struct og_appender put_members(struct og_appender p, const struct og_decision *d)
{
    if (d->op) {
        p = OG_APPEND(p, "\"op\":");
        p = og_append_json_str(p, og_str_of(d->op));
        p = OG_APPEND(p, ",");
    }
    p = OG_APPEND(p, "\"clientOrderId\":");
    p = put_text_or_null(p, d->readable && d->client_order_id[0] ? d->client_order_id : NULL);
    p = OG_APPEND(p, ",\"accountId\":");
    p = put_text_or_null(p, d->readable && d->account_id[0] ? d->account_id : NULL);
    if (d->tag && d->tag[0]) {
        p = OG_APPEND(p, ",\"tag\":");
        p = og_append_json_str(p, og_str_of(d->tag));
    }
    p = d->accepted ? OG_APPEND(p, ",\"verdict\":\"accept\",\"predicts\":")
                    : OG_APPEND(p, ",\"verdict\":\"refuse\",\"predicts\":");
    p = put_prediction(p, &d->predicts);
    if (d->basket) {
        p = OG_APPEND(p, ",\"basket\":{\"index\":");
        p = og_append_whole(p, (int64_t)d->place);
        p = OG_APPEND(p, ",\"orders\":");
        p = og_append_whole(p, (int64_t)d->basket);
        p = OG_APPEND(p, "}");
    }
    if (d->strategy)
        p = put_strategy(p, d->strategy);
    if (d->margin)
        p = put_margin(p, d->margin);
    if (d->suggest)
        p = put_suggestion(p, d->suggest);
    p = OG_APPEND(p, ",\"findings\":[");
    p = put_findings(p, d->findings, d->count);
    if (d->cut)
        p = OG_APPEND(p, ",\"findingsCut\":true");
    if (d->shadow_count) {
        p = OG_APPEND(p, ",\"shadow\":[");
        p = put_findings(p, d->shadow, d->shadow_count);
    }
    if (d->shadow_cut)
        p = OG_APPEND(p, ",\"shadowCut\":true");
    if (d->stamp)
        return og_append(p, d->stamp, d->stamp_len);
    return put_stamp(p, d->policy, d->facts, d->at);
}

size_t og_decision_stamp(const char *policy, const char *facts, int64_t at, char *to, size_t size)
{
    size_t len;

    return og_appender_end(put_stamp(og_appender_over(to, size), policy, facts, at), to, size, &len) ? len : 0;
}

/* Returns OG_EINVAL if the text does not fit.  The length of the whole text is then not known: *len is somewhat more
 * than twice the size, which the caller may try next. */
static enum og_status done(struct og_appender p, char *to, size_t size, size_t *len)
{
    if (og_appender_end(p, to, size, len))
        return OG_OK;
    *len = size * 2 + 256;
    return OG_EINVAL;
}

/* Each member is written with a comma before it; at the end the first comma is replaced by the opening brace. */
OG_HOT enum og_status og_decision_write(const struct og_decision *d, const struct og_source *source, char *to,
                                        size_t size, size_t *len)
{
    struct og_appender p;

    if (!d || (!to && size) || !len)
        return OG_EINVAL;
    p = og_appender_over(to, size);
    if (source && source->file) {
        p = OG_APPEND(p, ",\"file\":");
        p = og_append_json_str(p, og_str_of(source->file));
    }
    if (source && source->line) {
        p = OG_APPEND(p, ",\"line\":");
        p = og_append_whole(p, source->line);
    }
    p = put_members(OG_APPEND(p, ","), d);
    p = OG_APPEND(p, "}");
    if (p.to)
        to[0] = '{';
    return done(p, to, size, len);
}

enum og_status og_decision_write_members(const struct og_decision *d, char *to, size_t size, size_t *len)
{
    if (!d || (!to && size) || !len)
        return OG_EINVAL;
    return done(put_members(og_appender_over(to, size), d), to, size, len);
}
