/*
 * The orders that this book sent: how many in the last second, minute and day, which of them had the same terms, and
 * the streak of rejections.
 * An accepted order always counts, whatever becomes of it; documents only add orders that other programs sent.
 */
#include <stdlib.h>

#include "base/grow.h"
#include "base/hash.h"
#include "base/time.h"
#include "facts/documents.h"
#include "facts/facts_book.h"
#include "facts/xxhash.h"

#define FIRST_ROOM 16

/* --- terms -------------------------------------------------------------------------------------------------------- */

/* Returns the hash of the terms of a single order: its key for duplicates (duplicate_orders.c), order type and time in
 * force. */
static uint64_t terms_by_twin(const struct og_order *o, uint64_t twin)
{
    const uint64_t rest = (uint64_t)o->security | (uint64_t)o->type << 8 | (uint64_t)o->tif << 16;
    uint64_t mixed = (twin ^ rest) * UINT64_C(0x9E3779B97F4A7C15);

    return mixed ^ mixed >> 32;
}

/* Returns the hash by which repetitions of an order are found if the order has no duplicate key
 * (og_duplicate_key_is_set()); usually it is a spread. Its legs may be in any order, and fields that the service
 * ignores for spreads do not count. */
static uint64_t terms_by_legs(const struct og_order *o, struct og_lookup_keys *k)
{
    const bool spread = o->security == OG_MLEG;
    const struct og_money none = { 0, 0 };
    const struct og_money limit = og_order_wants_limit(o) ? o->limit : none,
                          stop = og_order_wants_stop(o) ? o->stop : none;
    uint64_t said[7] = {
        og_lookup_keys_symbol(k, o),
        (uint64_t)o->security | (uint64_t)(spread ? 0 : o->side) << 8 | (uint64_t)(spread ? 0 : o->open_close) << 16 |
            (uint64_t)o->type << 24 | (uint64_t)o->tif << 32,
        (uint64_t)o->quantity,
        (uint64_t)limit.coef,
        (uint64_t)stop.coef,
        (uint64_t)limit.scale | (uint64_t)stop.scale << 8,
    };

    og_lookup_keys_need(k, o, OG_HASH_OF_LEGS);
    for (int i = 0; spread && i < o->legs_kept; i++) {
        const struct og_leg *leg = &o->leg[i];
        const uint64_t rest = (uint64_t)leg->side | (uint64_t)leg->open_close << 8 | (uint64_t)leg->ratio << 16;

        /* k->leg[i], the hash of the leg's symbol, depends on a secret: nobody can choose legs that collide */
        said[6] += og_hash_fold(k->leg[i], rest ^ UINT64_C(0x9E3779B97F4A7C15));
    }
    return XXH3_64bits_withSeed(said, sizeof said, og_facts_map_hash(o->symbol));
}

/* Returns the hash of everything in an order but its id, account and route. */
static uint64_t terms_of(const struct og_order *o, struct og_lookup_keys *k)
{
    og_lookup_keys_need(k, o, OG_HASH_OF_DUPLICATE);
    return og_duplicate_key_is_set(&k->twin) ? terms_by_twin(o, k->twin_hash) : terms_by_legs(o, k);
}

/* Returns the hash of what an order trades and on which side, whatever its prices and quantities are. */
static uint64_t direction_of(const struct og_order *o, struct og_lookup_keys *k)
{
    uint64_t sum = (uint64_t)o->side;

    if (o->security != OG_MLEG)
        return og_hash_fold(og_lookup_keys_symbol(k, o), sum ^ UINT64_C(0x9E3779B97F4A7C15));
    og_lookup_keys_need(k, o, OG_HASH_OF_LEGS);
    sum = OG_MLEG;
    for (int i = 0; i < o->legs_kept; i++) /* legs may be in any sequence */
        sum += og_hash_fold(k->leg[i], (uint64_t)o->leg[i].side ^ UINT64_C(0x9E3779B97F4A7C15));
    return og_hash_fold(og_lookup_keys_symbol(k, o), sum);
}

static inline void set_row(struct og_sent_row *row, const struct og_order *o, struct og_lookup_keys *k, uint64_t tag,
                           int64_t at)
{
    row->at = at;
    row->tag = tag;
    row->terms = terms_of(o, k);
    row->direction = direction_of(o, k);
    row->symbol = og_lookup_keys_symbol(k, o);
}

static bool read_terms(const cJSON *item, struct og_sent_row *row)
{
    struct og_order *o = og_order_new();
    struct og_lookup_keys hashes = { .have = 0 };
    struct og_buf text;
    bool ok;

    og_buf_init(&text, 0);
    ok = o && og_doc_text(item, &text) && og_order_read(o, text.s, text.len) == OG_OK;
    if (ok)
        set_row(row, o, &hashes, row->tag, row->at);
    og_buf_clear(&text);
    og_order_free(o);
    return ok;
}

/* Returns the number that stands for a tag in the counts; 0 for no tag. */
static uint64_t hash_of_tag(struct og_str tag)
{
    return tag.len ? og_facts_map_hash(tag) | 1 : 0;
}

bool og_facts_sent_read(const cJSON *item, struct og_sent_row *row)
{
    struct og_str tag = { NULL, 0 };

    (void)og_doc_str(item, "tag", &tag);
    row->tag = hash_of_tag(tag);
    return read_terms(item, row);
}

/* --- counts ------------------------------------------------------------------------------------------------------- */

/* Returns yyyymmdd in New York; 0 if unknown. */
static int date_of(int64_t at)
{
    struct og_eastern e;

    if (at == OG_TIME_UNKNOWN)
        return 0;
    og_eastern_from(at, &e);
    return e.date;
}

/* Returns the i-th newest order. */
static const struct og_sent_row *newest(const struct og_sent *s, size_t i)
{
    return &s->row[(s->end - 1 - i) & (s->room - 1)];
}

static bool grow(struct og_sent *s)
{
    size_t room = s->room ? 2 * s->room : FIRST_ROOM;
    struct og_sent_row *rows = malloc(room * sizeof *rows);

    if (!rows)
        return false;
    for (size_t i = 0; i < s->count; i++)
        rows[i] = *newest(s, s->count - 1 - i);
    free(s->row);
    s->row = rows;
    s->room = room;
    s->told_end -= s->told_end < s->end - s->count ? s->told_end : s->end - s->count;
    s->end = s->count;
    return true;
}

/* Returns the day's count of a strategy; NULL if none of its orders was counted. */
static struct og_tag_day *day_of(const struct og_sent *s, uint64_t tag)
{
    for (size_t i = 0; i < s->days; i++)
        if (s->day[i].tag == tag)
            return &s->day[i];
    return s->days == OG_TAG_DAYS_MOST ? &s->day[s->days - 1] : NULL;
}

/* Returns the day's count of a strategy, which begins with 0; NULL if memory runs out. */
static struct og_tag_day *begin_day_of(struct og_sent *s, uint64_t tag)
{
    struct og_tag_day *day = day_of(s, tag);

    if (!day && OG_GROW(s->day, s->days, s->day_room, 8)) {
        day = &s->day[s->days++];
        *day = (struct og_tag_day){ .tag = tag };
    }
    return day;
}

enum og_status og_facts_count_sent(struct og_facts *f, const struct og_order *o, struct og_str tag,
                                   struct og_lookup_keys *k, int64_t now, int date)
{
    struct og_sent *s = &f->sent;
    const uint64_t of = hash_of_tag(tag);
    struct og_tag_day *day = NULL;

    if ((s->count == s->room && s->room < OG_SENT_MOST && !grow(s)) || (of && !(day = begin_day_of(s, of))))
        return OG_ENOMEM;
    /* the clocks differ: an order is dated after `now`, so this one gets at least that time */
    if (s->count > 0 && newest(s, 0)->at > now) {
        now = newest(s, 0)->at;
        date = s->date;
    }
    if (day) {
        day->today = day->date == date ? day->today + 1 : 1;
        day->date = date;
    }
    set_row(&s->row[s->end++ & (s->room - 1)], o, k, of, now);
    if (s->count < s->room)
        s->count++;
    if (s->date != date)
        s->today = 0;
    s->date = date;
    s->today++;
    return OG_OK;
}

struct og_sent_mark og_facts_sent_mark(const struct og_facts *f, struct og_str tag)
{
    const struct og_sent *s = &f->sent;
    const struct og_tag_day *day = tag.len > 0 ? day_of(s, hash_of_tag(tag)) : NULL;
    struct og_sent_mark mark = { .count = s->count, .days = s->days, .date = s->date, .today = s->today };

    if (s->room > 0)
        mark.over = s->row[s->end & (s->room - 1)];
    if (day) {
        mark.tag_date = day->date;
        mark.tag_today = day->today;
    }
    return mark;
}

void og_facts_uncount_sent(struct og_facts *f, const struct og_sent_mark *mark)
{
    struct og_sent *s = &f->sent;
    const uint64_t tag = newest(s, 0)->tag;
    struct og_tag_day *day = tag ? day_of(s, tag) : NULL;

    if (day) {
        day->date = mark->tag_date;
        day->today = mark->tag_today;
    }
    s->days = mark->days;
    s->end--;
    if (s->count == mark->count)
        s->row[s->end & (s->room - 1)] = mark->over;
    s->count = mark->count;
    s->date = mark->date;
    s->today = mark->today;
}

int64_t og_facts_sent_at(const struct og_facts *f)
{
    return newest(&f->sent, 0)->at;
}

/* Returns how many orders were sent after `since`.  They are the newest, since orders are sorted by time. */
static size_t later(const struct og_sent *s, int64_t since)
{
    size_t low = 0, high = s->count;

    while (low < high) {
        size_t middle = low + (high - low) / 2;

        if (newest(s, middle)->at > since)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

/* Returns the place of an order that was counted as sent at `at`: 0 for the newest order; s->count if the order is no
 * longer stored. */
static size_t find_sent(const struct og_sent *s, int64_t at, uint64_t terms)
{
    size_t i = later(s, at);

    while (i < s->count && newest(s, i)->at == at && newest(s, i)->terms != terms)
        i++;
    return i < s->count && newest(s, i)->at == at ? i : s->count;
}

void og_facts_sent_anew(struct og_facts *f, const struct og_order *o, struct og_lookup_keys *k, int64_t *at,
                        int64_t now, int date)
{
    struct og_sent *s = &f->sent;
    const uint64_t terms = terms_of(o, k);
    const size_t place = find_sent(s, *at, terms);
    uint64_t tag;

    if (place == s->count)
        /* so many orders came later that no count by second or minute includes this order */
        return;
    if (s->end - 1 - place < s->told_end) { /* the sender's own count still includes this order: the result may be too
                                             * high, but never too low */
        s->told_end--;
        s->told_today -= s->told_today > 0;
    }
    tag = newest(s, place)->tag;
    for (size_t i = place; i > 0; i--)
        s->row[(s->end - 1 - i) & (s->room - 1)] = *newest(s, i - 1);
    if (now < newest(s, 0)->at)
        now = newest(s, 0)->at;
    else if (s->date != date) {
        s->date = date;
        s->today = 1;
        if (tag)
            *day_of(s, tag) = (struct og_tag_day){ day_of(s, tag)->tag, date, 1 };
    }
    set_row(&s->row[(s->end - 1) & (s->room - 1)], o, k, tag, now);
    *at = now;
}

void og_facts_sent_aside(struct og_facts *f, int64_t at)
{
    f->sent.aside = true;
    f->sent.aside_at = at;
}

void og_facts_sent_back(struct og_facts *f)
{
    f->sent.aside = false;
}

static void reckon(struct og_sent *s, const struct og_part *gate)
{
    const struct og_gate_counters *g = gate->gate;

    s->told_end = 0;
    s->told_today = 0;
    if (gate->as_of == OG_TIME_UNKNOWN)
        return;
    s->told_end = s->end - later(s, gate->as_of);
    if (s->date == g->date)
        s->told_today = s->today - (int64_t)later(s, gate->as_of);
}

void og_facts_sent_told(struct og_sent *s, const struct og_part *gate)
{
    struct og_gate_counters *g = gate->gate;

    g->date = date_of(gate->as_of);
    if (g->has_rejections) {
        s->rejections = 0;
        s->broken = false;
    }
    reckon(s, gate);
}

enum og_status og_facts_count_before(struct og_facts *f, const struct og_order *o, struct og_str tag, int64_t at,
                                     int date, enum og_sent_fate fate)
{
    const struct og_part *gate = f->part[OG_AT_CALLS];
    struct og_lookup_keys hashes = { .have = 0 };
    enum og_status status = og_facts_count_sent(f, o, tag, &hashes, at, date);

    if (status)
        return status;
    if (gate)
        reckon(&f->sent, gate);
    if (fate != OG_SENT_OPEN && !(gate && gate->gate->has_rejections))
        og_facts_count_fate(f, fate == OG_SENT_REJECTED);
    return OG_OK;
}

static const int64_t spans[OG_TODAY] = { INT64_C(1000000000), INT64_C(60000000000) };

/* Returns the sender's own count for the span; 0 if that count is for an earlier span. */
static int64_t told(const struct og_facts *f, enum og_span span, int64_t now, int date)
{
    const struct og_part *p = f->part[OG_AT_CALLS];
    bool over;

    if (!p || !p->gate->has_sent[span])
        return 0;
    over = p->as_of != OG_TIME_UNKNOWN && (span == OG_TODAY ? p->gate->date != date : now - p->as_of >= spans[span]);
    return over ? 0 : p->gate->sent[span];
}

/* Returns 1 if the order that is left out lies within the span and the book counted it; 0 if not. */
static int64_t set_aside(const struct og_facts *f, enum og_span span, bool counted, int64_t now, int date)
{
    const struct og_sent *s = &f->sent;
    const struct og_part *p = f->part[OG_AT_CALLS];

    if (!s->aside || (counted && p->as_of != OG_TIME_UNKNOWN && s->aside_at <= p->as_of))
        return 0;
    return span == OG_TODAY ? date_of(s->aside_at) == date : s->aside_at > now - spans[span];
}

int64_t og_facts_sent(const struct og_facts *f, enum og_span span, int64_t now, int date)
{
    const struct og_sent *s = &f->sent;
    const struct og_part *p = f->part[OG_AT_CALLS];
    /* true if the sender's own count is known, which includes orders before told_end */
    bool counted = p && p->gate->has_sent[span];
    int64_t own;

    if (span == OG_TODAY) {
        own = s->date == date ? s->today - (counted ? s->told_today : 0) : 0;
    } else {
        own = (int64_t)later(s, now - spans[span]);
        if (counted && own > (int64_t)(s->end - s->told_end))
            own = (int64_t)(s->end - s->told_end);
    }
    if (own > 0)
        own -= set_aside(f, span, counted, now, date);
    return told(f, span, now, date) + own;
}

int64_t og_facts_sent_of_tag(const struct og_facts *f, struct og_str tag, enum og_span span, int64_t now, int date)
{
    const struct og_sent *s = &f->sent;
    const struct og_gate_counters *g = f->part[OG_AT_CALLS] ? f->part[OG_AT_CALLS]->gate : NULL;
    const uint64_t of = hash_of_tag(tag);
    const struct og_tag_day *day = span == OG_TODAY ? day_of(s, of) : NULL;
    const size_t recent = span == OG_TODAY ? 0 : later(s, now - spans[span]);
    int64_t count = day && day->date == date ? day->today : 0;

    for (size_t i = 0; i < recent; i++)
        count += newest(s, i)->tag == of;
    if (count > 0 && s->aside)
        count -= span == OG_TODAY ? date_of(s->aside_at) == date : s->aside_at > now - spans[span];
    for (size_t i = 0; g && i < g->recent_count; i++)
        count += g->recent[i].tag == of &&
                 (span == OG_TODAY ? date_of(g->recent[i].at) == date : g->recent[i].at > now - spans[span]);
    return count;
}

/* Returns how many orders have the same direction, or the same symbol, as `like` and were sent after `since`. */
static int count_same(const struct og_facts *f, const struct og_sent_row *like, enum og_same same, int64_t since)
{
    const struct og_gate_counters *g = f->part[OG_AT_CALLS] ? f->part[OG_AT_CALLS]->gate : NULL;
    const size_t recent = later(&f->sent, since);
    int count = 0;

    for (size_t i = 0; i < recent; i++) {
        const struct og_sent_row *r = newest(&f->sent, i);

        count += same == OG_SAME_SYMBOL ? r->symbol == like->symbol : r->direction == like->direction;
    }
    for (size_t i = 0; g && i < g->recent_count; i++) {
        const struct og_sent_row *r = &g->recent[i];

        count +=
            r->at > since && (same == OG_SAME_SYMBOL ? r->symbol == like->symbol : r->direction == like->direction);
    }
    return count;
}

static int count_terms(const struct og_facts *f, const struct og_order *o, struct og_lookup_keys *k, int64_t since)
{
    const struct og_gate_counters *g = f->part[OG_AT_CALLS] ? f->part[OG_AT_CALLS]->gate : NULL;
    size_t recent = later(&f->sent, since);
    struct og_duplicate_like like[OG_DUPLICATE_LIKES];
    uint64_t terms[OG_DUPLICATE_LIKES];
    int likes, count = 0;

    terms[0] = terms_of(o, k);
    likes = og_duplicate_key_is_set(&k->twin) ? og_facts_duplicate_likes(o, k, like) : 1;
    for (int n = 1; n < likes; n++)
        terms[n] = terms_by_twin(o, like[n].hash);
    for (int n = 0; n < likes; n++) {
        for (size_t i = 0; i < recent; i++)
            count += newest(&f->sent, i)->terms == terms[n];
        for (size_t i = 0; g && i < g->recent_count; i++)
            count += g->recent[i].at > since && g->recent[i].terms == terms[n];
    }
    return count;
}

int og_facts_repeats(const struct og_facts *f, const struct og_order *o, struct og_lookup_keys *k, enum og_same same,
                     int64_t since)
{
    const struct og_gate_counters *g = f->part[OG_AT_CALLS] ? f->part[OG_AT_CALLS]->gate : NULL;
    struct og_sent_row like;
    int count;

    if (!later(&f->sent, since) && !(g && g->recent_count))
        return 0;
    set_row(&like, o, k, 0, since);
    count = same == OG_SAME_TERMS ? count_terms(f, o, k, since) : count_same(f, &like, same, since);
    return count - (count > 0 && f->sent.aside && f->sent.aside_at > since);
}

/* --- the broker's answers ----------------------------------------------------------------------------------------- */

void og_facts_count_fate(struct og_facts *f, bool rejected)
{
    f->sent.rejections = rejected ? f->sent.rejections + 1 : 0;
    f->sent.broken |= !rejected;
}

void og_facts_forget_rejections(struct og_facts *f)
{
    f->sent.rejections = 0;
    f->sent.broken = true;
}

bool og_facts_has_gate(const struct og_facts *f)
{
    return f->part[OG_AT_CALLS] || f->sent.rejections > 0 || f->latched || f->unknown.count;
}

int64_t og_facts_rejections(const struct og_facts *f)
{
    const struct og_part *p = f->part[OG_AT_CALLS];

    return f->sent.rejections + (p && !f->sent.broken ? p->gate->rejections : 0);
}

enum og_trading og_facts_trading(const struct og_facts *f)
{
    return f->part[OG_AT_CALLS] ? f->part[OG_AT_CALLS]->gate->trading : OG_TRADING_ON;
}
