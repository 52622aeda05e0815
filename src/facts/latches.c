/*
 * The latches of an account (base/latches.h): which are tripped, and what a document says of them.  Documents only trip
 * latches: a latch that a document does not list is not resumed by that.
 */
#include "base/latches.h"

#include "base/time.h"
#include "facts/documents.h"
#include "facts/facts_book.h"

/* Returns the time of the newest count: the document of the sender's own counts, or the last order that this book
 * sent. */
static int64_t counted_at(const struct og_facts *f)
{
    const struct og_part *gate = f->part[OG_AT_CALLS];
    const int64_t told = gate ? gate->as_of : OG_TIME_UNKNOWN;
    const int64_t sent = f->sent.count > 0 ? og_facts_sent_at(f) : OG_TIME_UNKNOWN;

    return sent == OG_TIME_UNKNOWN || (told != OG_TIME_UNKNOWN && told > sent) ? told : sent;
}

void og_facts_latch(struct og_facts *f, const struct og_latch *latch)
{
    const enum og_latch_kind kind = og_latch_find(og_str_of(latch->name));

    if (kind == OG_LATCHES)
        return;
    og_latch_merge(&f->latch[kind], latch);
    f->latch[kind].name = og_latch_names[kind];
    f->latched |= 1u << kind;
}

void og_facts_trip(struct og_facts *f, enum og_latch_kind kind, struct og_money value, struct og_money limit,
                   bool until_resumed)
{
    const bool counts = kind == OG_LATCH_REJECTIONS;
    const struct og_part *pnl = f->part[OG_AT_PNL];
    struct og_latch now = { .name = og_latch_names[kind],
                            .value = value,
                            .limit = limit,
                            .until_resumed = until_resumed,
                            .at_ns = counts ? counted_at(f)
                                     : pnl  ? pnl->as_of
                                            : OG_TIME_UNKNOWN };

    now.day = counts ? og_facts_session_day(now.at_ns) : f->peak[0].day;
    if (!og_latch_covers(&f->latch[kind], limit, until_resumed) || og_latch_is_over(&f->latch[kind], now.day))
        og_facts_latch(f, &now);
}

bool og_facts_resume(struct og_facts *f, enum og_latch_kind kind)
{
    const bool was = f->latched >> kind & 1;

    f->latch[kind] = (struct og_latch){ .name = NULL };
    f->latched &= ~(1u << kind);
    if (kind == OG_LATCH_REJECTIONS)
        og_facts_forget_rejections(f);
    return was;
}

const struct og_latch *og_facts_latched_at(const struct og_facts *f, enum og_latch_kind kind, int64_t now)
{
    const struct og_latch *l = &f->latch[kind];

    return l->name && !og_latch_is_over(l, og_facts_session_day(now)) ? l : NULL;
}

bool og_facts_has_latch(const struct og_facts *f)
{
    return f->latched != 0;
}

/* --- documents ---------------------------------------------------------------------------------------------------- */

static bool read_amount(struct og_facts_reader *r, const cJSON *item, const char *key, struct og_money *to)
{
    bool has;

    if (!og_facts_read_money(r, item, key, OG_MAY, &has, to))
        return false;
    return has || og_facts_refuse(r, key, "a number", NULL);
}

static bool read_one(struct og_facts_reader *r, const cJSON *item, struct og_latch *to)
{
    struct og_str name, until;
    enum og_latch_kind kind;

    if (!og_facts_read_object(r, item) || !og_facts_read_own_row(r, item) ||
        !og_facts_read_text(r, item, "latch", OG_MAY, &name) || !og_facts_read_text(r, item, "until", OG_MAY, &until))
        return false;
    kind = og_latch_find(name);
    if (kind == OG_LATCHES)
        return og_facts_refuse(r, "latch", "the name of a latch", og_doc_get(item, "latch"));
    if (until.s && !og_str_is(until, "resumed") && !og_str_is(until, "day"))
        return og_facts_refuse(r, "until", "\"resumed\" or \"day\"", og_doc_get(item, "until"));
    to += kind;
    to->name = og_latch_names[kind];
    to->until_resumed = !og_str_is(until, "day");
    if (!read_amount(r, item, "value", &to->value) || !read_amount(r, item, "limit", &to->limit) ||
        !og_facts_read_time(r, item, "since", &to->at_ns))
        return false;
    to->day = og_facts_session_day(to->at_ns);
    return true;
}

bool og_facts_read_latches(struct og_facts_reader *r, const cJSON *list, struct og_latch to[OG_LATCHES])
{
    const cJSON *item;
    size_t mark;
    int i = 0;

    if (!list)
        return true;
    if (!cJSON_IsArray(list))
        return og_facts_refuse(r, NULL, "an array of latches", list);
    cJSON_ArrayForEach (item, list) {
        mark = og_facts_enter_row(r, i++);
        if (!read_one(r, item, to))
            return false;
        og_facts_leave(r, mark);
    }
    return true;
}

void og_facts_latches_told(struct og_facts *f, const struct og_gate_counters *g)
{
    for (int i = 0; i < OG_LATCHES; i++)
        if (g->latch[i].name)
            og_facts_latch(f, &g->latch[i]);
}
