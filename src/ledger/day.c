/*
 * Counts the records of a day. For an order that was sent on an earlier day, the ledger is asked only once for its
 * state before the day.
 */
#include "ledger/day.h"

#include "base/error.h"
#include "base/grow.h"
#include "base/time.h"
#include "ledger/list.h"
#include "ledger/place.h"
#include "order/occ.h"

/* The records in the sequence of their numbers. Their times may be in another sequence, since several senders write by
 * clocks of their own. */
static const char records[] =
    "SELECT " OG_LEDGER_COLUMNS ", (SELECT n FROM runs WHERE run = r.run) FROM rows r WHERE r.seq IN (SELECT seq FROM"
    " rows WHERE at >= ?2 AND at < ?3) AND (?1 IS NULL OR r.account = ?1 COLLATE NOCASE OR r.record = "
    "'" OG_LEDGER_TRADING "') ORDER BY r.seq";
static const char record_before[] =
    "SELECT r.state, r.executed, r.price_avg FROM rows r WHERE r.account = ?1 AND r.id = ?2 AND r.seq < ?3 AND r.record"
    " NOT IN (" OG_LEDGER_NO_STATE ") ORDER BY r.seq DESC LIMIT 1";

struct order {
    struct og_day_account *account;
    enum og_state state;
    bool is_of_day; /* the order's intent is from that day */
    bool has_state, filled, known;
    bool is_counted; /* the order is counted among the open orders of its account */
    bool is_option, is_spread;
    struct og_money executed, price;
    struct og_str symbol, side;
};

static enum og_status no_memory(struct og_day_sums *d)
{
    return og_fail(d->err, OG_ENOMEM, "out of memory");
}

/* --- what is counted by name -------------------------------------------------------------------------------------- */

static struct og_str key_of(struct og_day_sums *d, struct og_str first, struct og_str second)
{
    og_buf_reset(&d->key);
    og_buf_str(&d->key, first);
    og_buf_char(&d->key, '\0');
    og_buf_str(&d->key, second);
    return d->key.bad ? (struct og_str){ NULL, 0 } : (struct og_str){ d->key.s, d->key.len };
}

/* Returns the tally of that name, and makes one if there is none; NULL if memory ran out. */
static struct og_day_tally *tally_of(struct og_day_sums *d, struct og_day_tallies *t, struct og_str first,
                                     struct og_str second)
{
    struct og_str key = key_of(d, first, second);
    struct og_day_tally *tally = key.s ? og_map_get(&t->map, key) : NULL;

    if (tally || !key.s)
        return tally;
    key = og_arena_copy(&d->arena, key);
    tally = og_arena_take(&d->arena, sizeof *tally);
    if (!tally || !key.s || !OG_GROW(t->item, t->count, t->room, 32) || !og_map_put(&t->map, &d->arena, key, tally))
        return NULL;
    tally->first = (struct og_str){ key.s, first.len };
    tally->second = (struct og_str){ key.s + first.len + 1, second.len };
    t->item[t->count++] = tally;
    return tally;
}

/* Count a record under a name, and keep it as the newest example. Returns false if out of memory. */
static bool count(struct og_day_sums *d, struct og_day_tallies *t, struct og_str first, struct og_str second,
                  const struct og_ledger_row *row, struct og_str text)
{
    struct og_day_tally *tally = tally_of(d, t, first, second);

    if (!tally)
        return false;
    tally->count++;
    tally->at = row->at;
    tally->text = og_arena_copy(&d->arena, text.s ? text : OG_STR(""));
    tally->id = row->id.s ? og_arena_copy(&d->arena, row->id) : row->id;
    tally->account = og_arena_copy(&d->arena, row->account);
    return tally->text.s && tally->account.s && (!row->id.s || tally->id.s);
}

static struct og_day_account *account_of(struct og_day_sums *d, struct og_str name)
{
    struct og_day_account *a;

    for (size_t i = 0; i < d->account_count; i++)
        if (og_str_eq(d->accounts[i]->name, name))
            return d->accounts[i];
    a = og_arena_take(&d->arena, sizeof *a);
    if (!a || !OG_GROW(d->accounts, d->account_count, d->account_room, 8) ||
        !(a->name = og_arena_copy(&d->arena, name)).s)
        return NULL;
    d->accounts[d->account_count++] = a;
    return a;
}

/* --- orders ------------------------------------------------------------------------------------------------------- */

static void read_body(struct og_day_sums *d, struct order *o, struct og_str json)
{
    cJSON *doc = NULL;
    struct og_str text;
    struct og_occ occ;

    if (json.len > 0 && og_doc_read(json.s, json.len, "body", &doc, NULL) == OG_OK) {
        if (og_doc_str(doc, "symbol", &text)) {
            o->symbol = og_arena_copy(&d->arena, text);
            og_occ_read(text, &occ);
            o->is_option = occ.is;
        }
        if (og_doc_str(doc, "side", &text))
            o->side = og_arena_copy(&d->arena, text);
        o->is_spread = og_doc_get(doc, "legs") != NULL;
    }
    o->known = true;
    cJSON_Delete(doc);
}

/* Read the order's state and figures before the record from the ledger, if it has any. */
static enum og_status read_before(struct og_day_sums *d, struct order *o, const struct og_ledger_row *row)
{
    enum og_status status = OG_OK;
    struct og_str text;

    if (!d->before && !(d->before = og_ledger_query(d->l, record_before, d->err)))
        return OG_ELEDGER;
    og_ledger_bind(d->before, 1, row->account);
    og_ledger_bind(d->before, 2, row->id);
    sqlite3_bind_int64(d->before, 3, row->seq);
    if (og_ledger_next(d->l, d->before, &status, d->err)) {
        o->has_state = true;
        if (!og_state_of(og_ledger_column(d->before, 0), &o->state))
            o->state = OG_OUTCOME_UNKNOWN;
        text = og_ledger_column(d->before, 1);
        if (!og_money_read(text.s, text.len, &o->executed))
            o->executed = og_money_from(0);
        text = og_ledger_column(d->before, 2);
        if (!og_money_read(text.s, text.len, &o->price))
            o->price = og_money_from(0);
    }
    sqlite3_reset(d->before);
    return status;
}

static enum og_status order_of(struct og_day_sums *d, const struct og_ledger_row *row, struct order **order)
{
    struct og_str key = key_of(d, row->account, row->id);
    const bool begins = strcmp(row->record, "intent") == 0;
    enum og_status status = OG_OK;
    struct order *o;

    if (key.s && (*order = og_map_get(&d->orders, key))) {
        (*order)->is_of_day |= begins;
        return OG_OK;
    }
    if (!key.s || !(key = og_arena_copy(&d->arena, key)).s || !(o = og_arena_take(&d->arena, sizeof *o)) ||
        !og_map_put(&d->orders, &d->arena, key, o) || !(o->account = account_of(d, row->account)))
        return no_memory(d);
    o->is_of_day = begins;
    if (!begins)
        status = read_before(d, o, row);
    *order = o;
    return status;
}

static bool is_open(enum og_state state)
{
    return state == OG_INTENDED || state == OG_POSTED || state == OG_OUTCOME_UNKNOWN || state == OG_WORKING;
}

/* Add to *dollars what was paid since the order's last record: price times quantity now, less price times quantity
 * then. */
static bool add_dollars(struct og_money *dollars, const struct order *o, const struct og_ledger_row *row)
{
    struct og_money now, before;

    return og_money_mul(row->executed, row->price_avg, &now) && og_money_mul(o->executed, o->price, &before) &&
           og_money_sub(now, before, &now) && og_money_times(now, o->is_option ? 100 : 1, &now) &&
           og_money_add(*dollars, now, dollars);
}

static enum og_status add_fill(struct og_day_sums *d, struct order *o, const struct og_ledger_row *row)
{
    struct og_money more;
    struct og_day_tally *t;
    struct og_eastern when;
    struct og_buf body;
    enum og_status status = OG_OK;

    if (!o->known) {
        og_buf_init(&body, 0);
        status = og_ledger_body(d->l, row->account, row->id, &body, d->err);
        read_body(d, o, (struct og_str){ body.s, body.len });
        og_buf_clear(&body);
    }
    if (status != OG_OK)
        return status;
    if (!(t = tally_of(d, &d->symbols, o->symbol.s ? o->symbol : OG_STR(""), o->side.s ? o->side : OG_STR(""))))
        return no_memory(d);
    d->fills++;
    t->count++;
    t->orders += !o->filled;
    d->filled_orders += !o->filled;
    o->filled = true;
    t->unpriced |= o->is_spread || !og_money_sub(row->executed, o->executed, &more) ||
                   !og_money_add(t->quantity, more, &t->quantity) || !add_dollars(&t->dollars, o, row);
    if (o->is_spread && og_money_sub(row->executed, o->executed, &more))
        (void)!og_money_add(t->quantity, more, &t->quantity);
    og_eastern_from(og_time_within(row->at), &when);
    d->hour[when.ns_of_day / (3600 * OG_NS_PER_S)].fills++;
    return OG_OK;
}

/* Take in a record that may change an order's state. */
static enum og_status change(struct og_day_sums *d, const struct og_ledger_row *row, int64_t run)
{
    struct order *o = NULL;
    enum og_status status = order_of(d, row, &o);
    const bool rejected = row->state == OG_REJECTED && (!o || !o->has_state || o->state != OG_REJECTED);

    if (status != OG_OK)
        return status;
    if (rejected && !count(d, &d->rejections, row->code.s ? row->code : OG_STR(""), OG_STR(""), row, row->text))
        return no_memory(d);
    if (og_money_cmp(row->executed, o->executed) != 0 && (status = add_fill(d, o, row)) != OG_OK)
        return status;
    o->executed = row->executed;
    o->price = row->price_avg;
    o->state = row->state == OG_INTENDED && !og_ledger_run_alive(d->l->runs, run) ? OG_OUTCOME_UNKNOWN : row->state;
    o->has_state = true;
    if (o->is_of_day && is_open(o->state) != o->is_counted) {
        o->is_counted = !o->is_counted;
        o->account->open += o->is_counted ? 1 : -1;
        if (o->account->open > o->account->open_most) {
            o->account->open_most = o->account->open;
            o->account->open_most_at = row->at;
        }
    }
    return OG_OK;
}

static void count_states(struct og_day_sums *d)
{
    for (size_t i = 0; i < d->orders.cap; i++) {
        const struct order *o = d->orders.slot[i].value;

        if (o && o->has_state)
            d->states[o->state]++;
    }
}

/* --- records ------------------------------------------------------------------------------------------------------ */

static enum og_status add_decision(struct og_day_sums *d, const struct og_ledger_row *row, const cJSON *detail)
{
    struct og_eastern when;
    const cJSON *f;

    if (og_doc_get(detail, "op")) {
        d->cancels++;
        return OG_OK;
    }
    og_eastern_from(og_time_within(row->at), &when);
    d->decided++;
    if (row->state != OG_REFUSED) {
        d->accepted++;
        d->hour[when.ns_of_day / (3600 * OG_NS_PER_S)].accepted++;
        return OG_OK;
    }
    d->refused++;
    d->hour[when.ns_of_day / (3600 * OG_NS_PER_S)].refused++;
    cJSON_ArrayForEach (f, og_doc_get(detail, "findings")) {
        struct og_str level = OG_STR(""), rule = OG_STR(""), reason = OG_STR(""), message = OG_STR("");

        (void)og_doc_str(f, "level", &level);
        (void)og_doc_str(f, "rule", &rule);
        (void)og_doc_str(f, "reason", &reason);
        (void)og_doc_str(f, "message", &message);
        if (og_str_is(level, "refuse") && !count(d, &d->refusals, rule, reason, row, message))
            return no_memory(d);
    }
    return OG_OK;
}

static enum og_status add_post(struct og_day_sums *d, const cJSON *detail)
{
    int64_t http = 0, us = 0;

    d->posts++;
    if (!og_doc_int(detail, "http", &http) || http < 200 || http > 299 || !og_doc_int(detail, "tookUs", &us))
        return OG_OK;
    if (!OG_GROW(d->us, d->times, d->time_room, 1024))
        return no_memory(d);
    d->us[d->times++] = us;
    return OG_OK;
}

static enum og_status add_intent(struct og_day_sums *d, const struct og_ledger_row *row)
{
    struct order *o = NULL;
    enum og_status status = order_of(d, row, &o);

    if (status != OG_OK)
        return status;
    read_body(d, o, row->detail);
    if (row->at != OG_TIME_UNKNOWN) {
        if (!OG_GROW(o->account->intent, o->account->intents, o->account->room, 64))
            return no_memory(d);
        o->account->intent[o->account->intents++] = row->at;
    }
    return OG_OK;
}

/* Append a record to an array of events, unless there are too many of them. */
static void add_event(struct og_buf *b, int64_t *counted, const struct og_ledger_row *row, const cJSON *detail)
{
    struct og_str by;

    if (++*counted > OG_DAY_EVENTS)
        return;
    og_buf_text(b, b->len > 0 ? ",{\"at\":" : "{\"at\":");
    og_buf_json_str(b, og_str_of(og_time_text(row->at).s));
    og_member_str(b, "accountId", row->account.len > 0 ? row->account : (struct og_str){ NULL, 0 });
    og_member_str(b, "clientOrderId", row->id);
    og_member_str(b, "record", og_str_of(row->record));
    og_member_str(b, "text", row->text);
    og_member_str(b, "by", og_doc_str(detail, "by", &by) ? by : (struct og_str){ NULL, 0 });
    og_buf_char(b, '}');
}

static void add_figure(struct og_buf *b, const struct og_ledger_row *row, const cJSON *detail)
{
    static const char *const keys[] = { "dayPnlPeak", "latch", "value", "limit", "until", "by", "reason" };
    struct og_money amount;
    struct og_str text;

    og_buf_text(b, b->len > 0 ? ",{\"at\":" : "{\"at\":");
    og_buf_json_str(b, og_str_of(og_time_text(row->at).s));
    og_member_str(b, "accountId", row->account);
    og_member_str(b, "record", og_str_of(row->record));
    for (size_t i = 0; i < sizeof keys / sizeof *keys; i++) {
        if (og_doc_str(detail, keys[i], &text))
            og_member_str(b, keys[i], text);
        else if (og_doc_money(detail, keys[i], &amount))
            og_member_money(b, keys[i], amount);
    }
    og_buf_char(b, '}');
}

/* Append the record of a halt, or of its end, unless there are too many of them. */
static void add_halt(struct og_day_sums *d, const struct og_ledger_row *row, const cJSON *detail)
{
    static const char *const keys[] = { "trading", "was", "since", "by", "reason", "flag" };
    struct og_buf *b = &d->halts;
    struct og_str text;

    if (++d->halt_count > OG_DAY_EVENTS)
        return;
    og_buf_text(b, b->len > 0 ? ",{\"at\":" : "{\"at\":");
    og_buf_json_str(b, og_str_of(og_time_text(row->at).s));
    og_member_str(b, "run", row->run);
    for (size_t i = 0; i < sizeof keys / sizeof *keys; i++)
        og_member_str(b, keys[i], og_doc_str(detail, keys[i], &text) ? text : (struct og_str){ NULL, 0 });
    og_member_str(b, "text", row->text);
    og_buf_char(b, '}');
}

static enum og_status add_kind(struct og_day_sums *d, const struct og_ledger_row *row, const cJSON *detail)
{
    static const char *const by_people[] = { "resolve", "waive", "revoke", OG_LEDGER_RESUME, "policy" };
    const char *record = row->record;

    if (strcmp(record, "decision") == 0)
        return add_decision(d, row, detail);
    if (strcmp(record, "post") == 0)
        return add_post(d, detail);
    if (strcmp(record, OG_LEDGER_PEAK) == 0)
        add_figure(&d->peaks, row, detail);
    if (strcmp(record, OG_LEDGER_LATCH) == 0)
        add_figure(&d->latches, row, detail);
    if (strcmp(record, OG_LEDGER_TRADING) == 0)
        add_halt(d, row, detail);
    if (strcmp(record, "anomaly") == 0 || strcmp(record, OG_LEDGER_ACCEPTANCE) == 0)
        add_event(&d->anomalies, &d->anomaly_count, row, detail);
    for (size_t i = 0; i < sizeof by_people / sizeof *by_people; i++)
        if (strcmp(record, by_people[i]) == 0)
            add_event(&d->people, &d->people_count, row, detail);
    return OG_OK;
}

static enum og_status add_row(struct og_day_sums *d, sqlite3_stmt *s)
{
    struct og_ledger_row row;
    enum og_status status = OG_OK;
    cJSON *detail = NULL;
    bool intent;

    og_ledger_read_row(s, &row);
    intent = strcmp(row.record, "intent") == 0;
    d->records++;
    if (intent && row.id.s) {
        status = add_intent(d, &row);
    } else if (strcmp(row.record, "update") != 0 && strcmp(row.record, "outcome") != 0) {
        if (row.detail.len > 0 && og_doc_read(row.detail.s, row.detail.len, "detail", &detail, NULL) == OG_ENOMEM)
            status = no_memory(d);
        else
            status = add_kind(d, &row, detail);
        cJSON_Delete(detail);
    }
    if (status == OG_OK && row.id.s && og_ledger_is_state(row.record))
        status = change(d, &row, sqlite3_column_int64(s, OG_LEDGER_FIELDS));
    return status;
}

/* --- the day ------------------------------------------------------------------------------------------------------ */

static int by_value(const void *a, const void *b)
{
    const int64_t x = *(const int64_t *)a, y = *(const int64_t *)b;

    return (x > y) - (x < y);
}

static int by_words(struct og_str a, struct og_str b)
{
    const size_t len = a.len < b.len ? a.len : b.len;
    const int order = len > 0 ? memcmp(a.s, b.s, len) : 0;

    return order != 0 ? order : (a.len > b.len) - (a.len < b.len);
}

/* Sorts tallies by count, the greatest first, then by name. */
static int by_count(const void *a, const void *b)
{
    const struct og_day_tally *x = *(struct og_day_tally *const *)a, *y = *(struct og_day_tally *const *)b;

    if (x->count != y->count)
        return x->count < y->count ? 1 : -1;
    return by_words(x->first, y->first) != 0 ? by_words(x->first, y->first) : by_words(x->second, y->second);
}

static void sort(void *items, size_t count_, size_t size, int (*order)(const void *, const void *))
{
    if (count_ > 1)
        qsort(items, count_, size, order);
}

void og_day_rate(const struct og_day_account *a, int64_t window, int64_t *most, int64_t *at)
{
    *most = *at = 0;
    for (size_t i = 0, first = 0; i < a->intents; i++) {
        while (a->intent[i] - a->intent[first] >= window)
            first++;
        if ((int64_t)(i - first) + 1 > *most) {
            *most = (int64_t)(i - first) + 1;
            *at = a->intent[i];
        }
    }
}

enum og_status og_day_count(struct og_day_sums *d)
{
    enum og_status status = OG_OK;
    sqlite3_stmt *s;

    og_arena_init(&d->arena, 0);
    og_buf_init(&d->key, 0);
    og_buf_init(&d->anomalies, 0);
    og_buf_init(&d->people, 0);
    og_buf_init(&d->halts, 0);
    og_buf_init(&d->latches, 0);
    og_buf_init(&d->peaks, 0);
    s = og_ledger_query(d->l, records, d->err);
    og_ledger_bind(s, 1, og_str_of(d->account));
    if (s)
        og_ledger_bind_time(s, 2, d->begins, d->ends);
    while (status == OG_OK && og_ledger_next(d->l, s, &status, d->err))
        status = add_row(d, s);
    sqlite3_finalize(s);
    count_states(d);
    sort(d->us, d->times, sizeof *d->us, by_value);
    sort(d->refusals.item, d->refusals.count, sizeof *d->refusals.item, by_count);
    sort(d->rejections.item, d->rejections.count, sizeof *d->rejections.item, by_count);
    sort(d->symbols.item, d->symbols.count, sizeof *d->symbols.item, by_count);
    for (size_t i = 0; i < d->account_count; i++)
        sort(d->accounts[i]->intent, d->accounts[i]->intents, sizeof(int64_t), by_value);
    return status;
}

void og_day_clear(struct og_day_sums *d)
{
    for (size_t i = 0; i < d->account_count; i++)
        free(d->accounts[i]->intent);
    free(d->accounts);
    free(d->us);
    free(d->refusals.item);
    free(d->rejections.item);
    free(d->symbols.item);
    sqlite3_finalize(d->before);
    og_buf_clear(&d->key);
    og_buf_clear(&d->anomalies);
    og_buf_clear(&d->people);
    og_buf_clear(&d->halts);
    og_buf_clear(&d->latches);
    og_buf_clear(&d->peaks);
    og_arena_clear(&d->arena);
}
