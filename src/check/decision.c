/*
 * Decisions as JSON, spelled as in the contract.
 * It refuses to allocate: the caller's storage or nothing.
 */
#include "check/check.h"

#include "base/money.h"
#include "base/often.h"
#include "base/pen.h"

#include "base/banned.h"

static struct og_pen put_text_or_null(struct og_pen p, const char *text)
{
    return text ? og_pen_json_str(p, og_str_of(text)) : OG_PUT(p, "null");
}

/* How the broker would turn it down. */
static struct og_pen put_rejection(struct og_pen p, const struct og_prediction *r)
{
    p = OG_PUT(p, "{\"channel\":\"");
    p = og_pen_text(p, og_channel_name(r->channel));
    p = OG_PUT(p, "\",\"code\":");
    p = put_text_or_null(p, r->code);
    if (r->codes[0]) {
        p = OG_PUT(p, ",\"codes\":[");
        for (int i = 0; i < 3 && r->codes[i]; i++) {
            if (i)
                p = OG_PUT(p, ",");
            p = og_pen_json_str(p, og_str_of(r->codes[i]));
        }
        p = OG_PUT(p, "]");
    }
    p = OG_PUT(p, ",\"text\":");
    p = put_text_or_null(p, r->text);
    if (r->certainty == OG_CERTAINTY_NONE)
        return OG_PUT(p, "}");
    p = OG_PUT(p, ",\"certainty\":\"");
    p = og_pen_text(p, og_certainty_name(r->certainty));
    return OG_PUT(p, "\"}");
}

/* Most orders are accepted: these words are spelled here as og_channel_name() and og_certainty_name() have them. */
static inline struct og_pen put_accepted(struct og_pen p, enum og_certainty certainty)
{
    if (certainty == OG_STATED)
        return OG_PUT(p, "{\"channel\":\"accepted\",\"certainty\":\"stated\"}");
    if (certainty == OG_READING)
        return OG_PUT(p, "{\"channel\":\"accepted\",\"certainty\":\"reading\"}");
    return OG_PUT(p, "{\"channel\":\"accepted\"}");
}

static inline struct og_pen put_prediction(struct og_pen p, const struct og_prediction *r)
{
    if (r->channel == OG_CHANNEL_NONE)
        return OG_PUT(p, "null");
    if (r->channel == OG_CHANNEL_ACCEPTED)
        return put_accepted(p, r->certainty);
    return put_rejection(p, r);
}

static struct og_pen put_waiver(struct og_pen p, const struct og_finding *f)
{
    p = OG_PUT(p, ",\"waived\":{\"by\":");
    p = put_text_or_null(p, f->waived_by);
    p = OG_PUT(p, ",\"reason\":");
    p = put_text_or_null(p, f->waived_because);
    p = OG_PUT(p, ",\"until\":");
    p = og_pen_time(p, f->waived_until);
    return OG_PUT(p, "}");
}

/* Rules, reasons and levels are words of the house, with nothing to escape. */
static struct og_pen put_finding(struct og_pen p, const struct og_finding *f)
{
    p = OG_PUT(p, "{\"rule\":\"");
    p = og_pen_text(p, f->rule);
    p = OG_PUT(p, "\",\"reason\":\"");
    p = og_pen_text(p, f->reason);
    p = OG_PUT(p, "\",\"level\":\"");
    p = og_pen_text(p, og_level_name(f->level));
    p = f->unsure ? OG_PUT(p, "\",\"unsure\":true,\"field\":") : OG_PUT(p, "\",\"field\":");
    p = og_pen_json_str(p, og_str_of(f->field));
    p = OG_PUT(p, ",\"message\":");
    p = og_pen_json_str(p, og_str_of(f->message));
    if (f->waived_by)
        p = put_waiver(p, f);
    p = OG_PUT(p, ",\"predicts\":");
    p = put_prediction(p, &f->predicts);
    return OG_PUT(p, "}");
}

/* Most orders have none. */
static inline struct og_pen put_findings(struct og_pen p, const struct og_finding *findings, int count)
{
    for (int i = 0; i < count; i++) {
        if (i)
            p = OG_PUT(p, ",");
        p = put_finding(p, &findings[i]);
    }
    return OG_PUT(p, "]");
}

/* Dollars and cents; what is finer is not cut. */
static struct og_pen put_dollars(struct og_pen p, bool known, struct og_money m)
{
    if (!known)
        return OG_PUT(p, "null");
    p = og_pen_money(p, m);
    return m.scale == 0 ? OG_PUT(p, ".00") : m.scale == 1 ? OG_PUT(p, "0") : p;
}

static struct og_pen put_strategy(struct og_pen p, const struct og_strategy_info *s)
{
    p = OG_PUT(p, ",\"strategy\":{\"name\":\"");
    p = og_pen_text(p, s->name);
    p = OG_PUT(p, "\",\"direction\":\"");
    p = og_pen_text(p, s->direction);
    p = OG_PUT(p, "\",\"maxLoss\":");
    p = put_dollars(p, s->has_max_loss, s->max_loss);
    p = OG_PUT(p, ",\"maxGain\":");
    p = put_dollars(p, s->has_max_gain, s->max_gain);
    return OG_PUT(p, "}");
}

static struct og_pen put_margin(struct og_pen p, const struct og_margin_info *m)
{
    p = OG_PUT(p, ",\"margin\":{\"required\":");
    p = put_dollars(p, m->known, m->required);
    p = OG_PUT(p, ",\"available\":");
    p = put_dollars(p, m->has_available, m->available);
    p = OG_PUT(p, ",\"model\":");
    p = put_text_or_null(p, m->model);
    p = OG_PUT(p, ",\"gross\":");
    p = put_dollars(p, m->known, m->gross);
    p = OG_PUT(p, ",\"proceeds\":");
    p = put_dollars(p, m->known, m->proceeds);
    if (m->has_overnight) {
        p = OG_PUT(p, ",\"overnight\":");
        p = put_dollars(p, true, m->overnight);
    }
    if (m->has_stock) {
        p = OG_PUT(p, ",\"initial\":");
        p = put_dollars(p, true, m->initial);
        p = OG_PUT(p, ",\"maintenance\":");
        p = put_dollars(p, true, m->maintenance);
    }
    if (m->bound)
        p = OG_PUT(p, ",\"bound\":true");
    if (m->why) {
        p = OG_PUT(p, ",\"why\":");
        p = og_pen_json_str(p, og_str_of(m->why));
    }
    if (m->needs[0]) {
        p = OG_PUT(p, ",\"needs\":");
        p = og_pen_json_str(p, og_str_of(m->needs));
    }
    return OG_PUT(p, "}");
}

static struct og_pen put_suggestion(struct og_pen p, const struct og_suggestion *s)
{
    switch (s->what) {
    case OG_SUGGEST_NONE: return p;
    case OG_SUGGEST_QUANTITY:
        p = OG_PUT(p, ",\"suggest\":{\"orderQuantity\":");
        p = og_pen_money(p, og_money_from(s->quantity));
        break;
    case OG_SUGGEST_LIMIT:
        p = OG_PUT(p, ",\"suggest\":{\"limitPrice\":");
        p = og_pen_money(p, s->price);
        break;
    case OG_SUGGEST_STOP:
        p = OG_PUT(p, ",\"suggest\":{\"stopPrice\":");
        p = og_pen_money(p, s->price);
        break;
    case OG_SUGGEST_AT:
        p = OG_PUT(p, ",\"suggest\":{\"at\":");
        p = og_pen_time(p, s->at);
        break;
    }
    return OG_PUT(p, "}");
}

static struct og_pen put_stamp(struct og_pen p, const char *policy, const char *facts, int64_t at)
{
    p = OG_PUT(p, ",\"policy\":\""); /* of letters, digits and a few signs, as names of policies and digests are */
    p = og_pen_text(p, policy);
    if (facts[0]) {
        p = OG_PUT(p, "\",\"facts\":\"");
        p = og_pen_text(p, facts);
        p = OG_PUT(p, "\",\"at\":");
    } else {
        p = OG_PUT(p, "\",\"facts\":null,\"at\":");
    }
    return og_pen_time(p, at);
}

static OG_OFTEN struct og_pen put_members(struct og_pen p, const struct og_decision *d)
{
    if (d->op) {
        p = OG_PUT(p, "\"op\":");
        p = og_pen_json_str(p, og_str_of(d->op));
        p = OG_PUT(p, ",");
    }
    p = OG_PUT(p, "\"clientOrderId\":");
    p = put_text_or_null(p, d->readable && d->client_order_id[0] ? d->client_order_id : NULL);
    p = OG_PUT(p, ",\"accountId\":");
    p = put_text_or_null(p, d->readable && d->account_id[0] ? d->account_id : NULL);
    p = d->accepted ? OG_PUT(p, ",\"verdict\":\"accept\",\"predicts\":")
                    : OG_PUT(p, ",\"verdict\":\"refuse\",\"predicts\":");
    p = put_prediction(p, &d->predicts);
    if (d->strategy)
        p = put_strategy(p, d->strategy);
    if (d->margin)
        p = put_margin(p, d->margin);
    if (d->suggest)
        p = put_suggestion(p, d->suggest);
    p = OG_PUT(p, ",\"findings\":[");
    p = put_findings(p, d->findings, d->count);
    if (d->cut)
        p = OG_PUT(p, ",\"findingsCut\":true");
    if (d->shadow_count) {
        p = OG_PUT(p, ",\"shadow\":[");
        p = put_findings(p, d->shadow, d->shadow_count);
    }
    if (d->shadow_cut)
        p = OG_PUT(p, ",\"shadowCut\":true");
    if (d->stamp)
        return og_pen_put(p, d->stamp, d->stamp_len);
    return put_stamp(p, d->policy, d->facts, d->at);
}

size_t og_decision_stamp(const char *policy, const char *facts, int64_t at, char *to, size_t size)
{
    size_t len;

    return og_pen_end(put_stamp(og_pen_over(to, size), policy, facts, at), to, size, &len) ? len : 0;
}

/* What the text would take is not known when it does not fit: the caller tries twice the room, and some. */
static enum og_status done(struct og_pen p, char *to, size_t size, size_t *len)
{
    if (og_pen_end(p, to, size, len))
        return OG_OK;
    *len = size * 2 + 256;
    return OG_EINVAL;
}

/* What stands before the decision's own members follows a comma, the first of which is the brace in the end. */
OG_OFTEN enum og_status og_decision_write(const struct og_decision *d, const struct og_source *source, char *to,
                                          size_t size, size_t *len)
{
    struct og_pen p;

    if (!d || (!to && size) || !len)
        return OG_EINVAL;
    p = og_pen_over(to, size);
    if (source && source->file) {
        p = OG_PUT(p, ",\"file\":");
        p = og_pen_json_str(p, og_str_of(source->file));
    }
    if (source && source->line) {
        p = OG_PUT(p, ",\"line\":");
        p = og_pen_money(p, og_money_from(source->line));
    }
    p = put_members(OG_PUT(p, ","), d);
    p = OG_PUT(p, "}");
    if (p.to)
        to[0] = '{';
    return done(p, to, size, len);
}

enum og_status og_decision_write_members(const struct og_decision *d, char *to, size_t size, size_t *len)
{
    if (!d || (!to && size) || !len)
        return OG_EINVAL;
    return done(put_members(og_pen_over(to, size), d), to, size, len);
}
