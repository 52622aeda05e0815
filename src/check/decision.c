/*
 * Decisions as JSON, spelled as in the contract.
 * It refuses to allocate: the caller's storage or nothing.
 */
#include "check/check.h"

#include "base/banned.h"

static void put_text_or_null(struct og_buf *b, const char *key, const char *text)
{
    og_buf_text(b, key);
    if (text)
        og_buf_json_str(b, og_str_of(text));
    else
        og_buf_text(b, "null");
}

static void put_prediction(struct og_buf *b, const struct og_prediction *p)
{
    if (p->channel == OG_CHANNEL_NONE) {
        og_buf_text(b, "null");
        return;
    }
    og_buf_text(b, "{\"channel\":\"");
    og_buf_text(b, og_channel_name(p->channel));
    og_buf_char(b, '"');
    if (p->channel != OG_CHANNEL_ACCEPTED) {
        put_text_or_null(b, ",\"code\":", p->code);
        if (p->codes[0]) {
            og_buf_text(b, ",\"codes\":[");
            for (int i = 0; i < 3 && p->codes[i]; i++) {
                if (i)
                    og_buf_char(b, ',');
                og_buf_json_str(b, og_str_of(p->codes[i]));
            }
            og_buf_char(b, ']');
        }
        put_text_or_null(b, ",\"text\":", p->text);
    }
    if (p->certainty != OG_CERTAINTY_NONE) {
        og_buf_text(b, ",\"certainty\":\"");
        og_buf_text(b, og_certainty_name(p->certainty));
        og_buf_char(b, '"');
    }
    og_buf_char(b, '}');
}

static void put_finding(struct og_buf *b, const struct og_finding *f)
{
    og_buf_text(b, "{\"rule\":\"");
    og_buf_text(b, f->rule);
    og_buf_text(b, "\",\"reason\":\"");
    og_buf_text(b, f->reason);
    og_buf_text(b, "\",\"level\":\"");
    og_buf_text(b, og_level_name(f->level));
    og_buf_text(b, f->unsure ? "\",\"unsure\":true,\"field\":" : "\",\"field\":");
    og_buf_json_str(b, og_str_of(f->field));
    og_buf_text(b, ",\"message\":");
    og_buf_json_str(b, og_str_of(f->message));
    if (f->waived_by) {
        put_text_or_null(b, ",\"waived\":{\"by\":", f->waived_by);
        put_text_or_null(b, ",\"reason\":", f->waived_because);
        put_text_or_null(b, ",\"until\":", og_time_text(f->waived_until).s);
        og_buf_char(b, '}');
    }
    og_buf_text(b, ",\"predicts\":");
    put_prediction(b, &f->predicts);
    og_buf_char(b, '}');
}

static void put_findings(struct og_buf *b, const char *key, const struct og_finding *findings, int count)
{
    og_buf_text(b, key);
    for (int i = 0; i < count; i++) {
        if (i)
            og_buf_char(b, ',');
        put_finding(b, &findings[i]);
    }
    og_buf_char(b, ']');
}

/* Dollars and cents; what is finer is not cut. */
static void put_dollars(struct og_buf *b, const char *key, bool known, struct og_money m)
{
    og_buf_text(b, key);
    if (!known) {
        og_buf_text(b, "null");
        return;
    }
    og_buf_money(b, m);
    og_buf_text(b, m.scale == 0 ? ".00" : m.scale == 1 ? "0" : "");
}

static void put_strategy(struct og_buf *b, const struct og_strategy_info *s)
{
    og_buf_text(b, ",\"strategy\":{\"name\":\"");
    og_buf_text(b, s->name);
    og_buf_text(b, "\",\"direction\":\"");
    og_buf_text(b, s->direction);
    put_dollars(b, "\",\"maxLoss\":", s->has_max_loss, s->max_loss);
    put_dollars(b, ",\"maxGain\":", s->has_max_gain, s->max_gain);
    og_buf_char(b, '}');
}

static void put_margin(struct og_buf *b, const struct og_margin_info *m)
{
    put_dollars(b, ",\"margin\":{\"required\":", m->known, m->required);
    put_dollars(b, ",\"available\":", m->has_available, m->available);
    put_text_or_null(b, ",\"model\":", m->model);
    put_dollars(b, ",\"gross\":", m->known, m->gross);
    put_dollars(b, ",\"proceeds\":", m->known, m->proceeds);
    if (m->has_overnight)
        put_dollars(b, ",\"overnight\":", true, m->overnight);
    if (m->has_stock) {
        put_dollars(b, ",\"initial\":", true, m->initial);
        put_dollars(b, ",\"maintenance\":", true, m->maintenance);
    }
    if (m->bound)
        og_buf_text(b, ",\"bound\":true");
    if (m->why)
        put_text_or_null(b, ",\"why\":", m->why);
    if (m->needs[0])
        put_text_or_null(b, ",\"needs\":", m->needs);
    og_buf_char(b, '}');
}

static void put_suggestion(struct og_buf *b, const struct og_suggestion *s)
{
    if (s->what == OG_SUGGEST_NONE)
        return;
    og_buf_text(b, ",\"suggest\":{");
    switch (s->what) {
    case OG_SUGGEST_NONE: break;
    case OG_SUGGEST_QUANTITY:
        og_buf_text(b, "\"orderQuantity\":");
        og_buf_int(b, s->quantity);
        break;
    case OG_SUGGEST_LIMIT:
    case OG_SUGGEST_STOP:
        og_buf_text(b, s->what == OG_SUGGEST_LIMIT ? "\"limitPrice\":" : "\"stopPrice\":");
        og_buf_money(b, s->price);
        break;
    case OG_SUGGEST_AT: put_text_or_null(b, "\"at\":", og_time_text(s->at).s); break;
    }
    og_buf_char(b, '}');
}

static void put_members(struct og_buf *b, const struct og_decision *d)
{
    if (d->op) {
        put_text_or_null(b, "\"op\":", d->op);
        og_buf_char(b, ',');
    }
    put_text_or_null(b, "\"clientOrderId\":", d->readable && d->client_order_id[0] ? d->client_order_id : NULL);
    put_text_or_null(b, ",\"accountId\":", d->readable && d->account_id[0] ? d->account_id : NULL);
    og_buf_text(b, d->accepted ? ",\"verdict\":\"accept\",\"predicts\":" : ",\"verdict\":\"refuse\",\"predicts\":");
    put_prediction(b, &d->predicts);
    if (d->strategy)
        put_strategy(b, d->strategy);
    if (d->margin)
        put_margin(b, d->margin);
    if (d->suggest)
        put_suggestion(b, d->suggest);
    put_findings(b, ",\"findings\":[", d->findings, d->count);
    if (d->cut)
        og_buf_text(b, ",\"findingsCut\":true");
    if (d->shadow_count)
        put_findings(b, ",\"shadow\":[", d->shadow, d->shadow_count);
    if (d->shadow_cut)
        og_buf_text(b, ",\"shadowCut\":true");
    og_buf_text(b, ",\"policy\":\""); /* of letters, digits and a few signs, as names of policies and digests are */
    og_buf_text(b, d->policy);
    og_buf_text(b, d->facts[0] ? "\",\"facts\":\"" : "\",\"facts\":null");
    og_buf_text(b, d->facts);
    og_buf_text(b, d->facts[0] ? "\",\"at\":\"" : ",\"at\":\"");
    og_buf_text(b, og_time_text(d->at).s);
    og_buf_char(b, '"');
}

/* What the text would take is not known when it does not fit: the caller doubles its room. */
static enum og_status done(const struct og_buf *b, size_t size, size_t *len)
{
    *len = b->bad ? size * 2 : b->len;
    return b->bad ? OG_EINVAL : OG_OK;
}

enum og_status og_decision_write(const struct og_decision *d, const struct og_source *source, char *to, size_t size,
                                 size_t *len)
{
    struct og_buf b;

    og_buf_init_fixed(&b, to, size);
    og_buf_char(&b, '{');
    if (source && source->file) {
        og_buf_text(&b, "\"file\":");
        og_buf_json_str(&b, og_str_of(source->file));
        og_buf_char(&b, ',');
    }
    if (source && source->line) {
        og_buf_text(&b, "\"line\":");
        og_buf_int(&b, source->line);
        og_buf_char(&b, ',');
    }
    put_members(&b, d);
    og_buf_char(&b, '}');
    return done(&b, size, len);
}

enum og_status og_decision_write_members(const struct og_decision *d, char *to, size_t size, size_t *len)
{
    struct og_buf b;

    og_buf_init_fixed(&b, to, size);
    put_members(&b, d);
    return done(&b, size, len);
}
