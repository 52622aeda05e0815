/*
 * Reads the account of a watch.  Nothing of a reading is noted before all of it has come: what is noted counts as
 * shown.
 */
#include "send/watch_reading.h"

#include <stdio.h>
#include <stdlib.h>

#include "base/error.h"
#include "base/timeouts.h"
#include "broker/broker.h"
#include "text/doc.h"
#include "wire/read.h"

struct og_watch_reading {
    uv_loop_t *loop;
    const struct og_settings *settings;
    const char *account;
    struct og_watch_orders *orders;
    const struct og_watch_reading_events *events;
    void *with;
    struct og_broker *broker; /* NULL after og_watch_reading_drop(), which so drops the answers to come */
    uv_timer_t again;
    cJSON *list, *positions, *looked; /* what has come so far; looked: the answers to look-ups */
    struct og_watch_order *asked;     /* the order that is being looked up */
    size_t at;                        /* where to search the next order to look up */
    int64_t began;
    struct og_buf text, held;   /* held: the positions of the newest snapshot */
    struct og_buf unknown;      /* ids that look-ups did not find, as JSON strings */
    int missing;                /* number of answers to come */
    bool under_way, is_settled; /* is_settled: this reading is the one after the settle lag */
    char why[300];              /* why the reading has failed; "" if it has not */
};

static void clear_answers(struct og_watch_reading *r)
{
    cJSON_Delete(r->list);
    cJSON_Delete(r->positions);
    cJSON_Delete(r->looked);
    r->list = r->positions = r->looked = NULL;
    og_buf_reset(&r->unknown);
}

/* --- the snapshot ------------------------------------------------------------------------------------------------- */

static void put_order(struct og_watch_reading *r, const struct og_order_row *row, const char **separator)
{
    bool news;

    if (!og_watch_orders_note(r->orders, row, &news))
        r->text.bad = true;
    og_buf_text(&r->text, *separator);
    og_order_row_write_clean(&r->text, row);
    *separator = ",";
}

static void put_orders(struct og_watch_reading *r)
{
    struct og_order_row row;
    const char *separator = "";
    const cJSON *item;

    cJSON_ArrayForEach (item, og_wire_list(r->list, "orders")) {
        if (og_order_row_read(item, &row))
            put_order(r, &row, &separator);
    }
    cJSON_ArrayForEach (item, r->looked) {
        if (og_wire_order(item, &row))
            put_order(r, &row, &separator);
    }
}

/* Returns true if the positions are those of the newest snapshot; if not, keep them. */
static bool is_same(struct og_watch_reading *r)
{
    struct og_buf positions;
    bool same;

    og_buf_init(&positions, 0);
    if (!og_doc_text(og_wire_list(r->positions, "positions"), &positions))
        positions.bad = true;
    same = og_str_eq((struct og_str){ positions.s, positions.len }, (struct og_str){ r->held.s, r->held.len }) &&
           !positions.bad && !r->held.bad;
    og_buf_clear(&r->held);
    r->held = positions;
    return same;
}

/* Write the snapshot. Returns false if out of memory. */
static bool write_snapshot(struct og_watch_reading *r)
{
    og_buf_reset(&r->text);
    og_buf_format(&r->text, "{\"asOf\":\"%s\",\"orders\":[", og_time_text(r->began).s);
    put_orders(r);
    og_buf_text(&r->text, "],\"positions\":");
    og_buf_bytes(&r->text, r->held.s, r->held.len);
    og_buf_text(&r->text, ",\"unknown\":[");
    og_buf_bytes(&r->text, r->unknown.s, r->unknown.len);
    og_buf_text(&r->text, "]}");
    og_watch_orders_forget_absent(r->orders);
    return !r->text.bad && !r->held.bad && !r->unknown.bad;
}

/* --- requests ----------------------------------------------------------------------------------------------------- */

static void on_again(uv_timer_t *timer);

static void end(struct og_watch_reading *r)
{
    const int64_t settle_ns = og_settings_settle_ns(r->settings);
    const bool same = r->why[0] == '\0' && is_same(r) && r->is_settled;

    r->under_way = false;
    if (r->why[0] == '\0' && !same && !write_snapshot(r))
        snprintf(r->why, sizeof r->why, "out of memory");
    clear_answers(r);
    if (r->why[0] != '\0') {
        uv_timer_start(&r->again, on_again, OG_READ_EVERY_MS, 0);
        r->events->failed(r->with, r->why);
        return;
    }
    if (settle_ns > 0 && !r->is_settled)
        uv_timer_start(&r->again, on_again, (uint64_t)(settle_ns / OG_NS_PER_MS) + 1, 0);
    r->events->taken(r->with, same ? NULL : r->text.s, same ? 0 : r->text.len);
}

static void ask(struct og_watch_reading *r, enum og_endpoint call, const char *other, og_call_done *done)
{
    struct og_error err = { 0 };

    if (r->broker && og_broker_call(r->broker, call, og_str_of(r->account), og_str_of(other), NULL, 0, OG_READ_WAIT_MS,
                                    done, r, &err) == OG_OK)
        r->missing++;
    else if (r->why[0] == '\0')
        snprintf(r->why, sizeof r->why, "%s: %s", og_endpoints[call].name, err.text);
}

/* Returns the document of an answer; NULL if the reading has failed by it. */
static cJSON *take(struct og_watch_reading *r, enum og_endpoint call, const struct og_call_reply *reply)
{
    struct og_error err = { 0 };
    cJSON *doc = NULL;

    if (reply->end != OG_CALL_ANSWERED)
        snprintf(r->why, sizeof r->why, "%s: %s", og_endpoints[call].name, reply->error);
    else if (reply->status != 200)
        snprintf(r->why, sizeof r->why, "%s: HTTP %d%s", og_endpoints[call].name, reply->status,
                 og_endpoint_denial(call, reply->status));
    else if (og_doc_read(reply->body, reply->len, og_endpoints[call].name, &doc, &err) != OG_OK)
        snprintf(r->why, sizeof r->why, "%s: %s", og_endpoints[call].name, err.text);
    return doc;
}

/* Returns the document of an answer with a list; NULL if the reading has failed by it. */
static cJSON *take_list(struct og_watch_reading *r, enum og_endpoint call, const char *key,
                        const struct og_call_reply *reply)
{
    cJSON *doc = take(r, call, reply);

    if (doc && !og_wire_list(doc, key)) {
        snprintf(r->why, sizeof r->why, "%s: there is no list '%s'", og_endpoints[call].name, key);
        cJSON_Delete(doc);
        doc = NULL;
    }
    return doc;
}

static void on_look(void *with, const struct og_call_reply *reply);

static void look_up_next(struct og_watch_reading *r)
{
    r->asked = r->why[0] == '\0' ? og_watch_orders_unlisted(r->orders, &r->at) : NULL;
    if (r->asked)
        ask(r, OG_ENDPOINT_ORDER, r->asked->id, on_look);
}

static void came(struct og_watch_reading *r)
{
    if (--r->missing == 0)
        end(r);
}

static void on_look(void *with, const struct og_call_reply *reply)
{
    struct og_watch_reading *r = with;
    struct og_order_row row;

    if (reply->end == OG_CALL_ANSWERED && reply->status == 404) {
        r->asked->absent = true;
        if (r->unknown.len > 0)
            og_buf_char(&r->unknown, ',');
        og_buf_json_str(&r->unknown, og_str_of(r->asked->id));
    } else {
        cJSON *doc = take(r, OG_ENDPOINT_ORDER, reply);

        if (doc && !og_wire_order(doc, &row))
            snprintf(r->why, sizeof r->why, "%s: there is no order", og_endpoints[OG_ENDPOINT_ORDER].name);
        if (doc && !cJSON_AddItemToArray(r->looked, doc)) {
            snprintf(r->why, sizeof r->why, "out of memory");
            cJSON_Delete(doc);
        }
    }
    look_up_next(r);
    came(r);
}

static void on_orders(void *with, const struct og_call_reply *reply)
{
    struct og_watch_reading *r = with;
    struct og_order_row row;
    const cJSON *item;

    r->list = take_list(r, OG_ENDPOINT_ORDERS, "orders", reply);
    cJSON_ArrayForEach (item, og_wire_list(r->list, "orders")) {
        if (og_order_row_read(item, &row) && !og_watch_orders_list(r->orders, &row))
            snprintf(r->why, sizeof r->why, "out of memory");
    }
    look_up_next(r);
    came(r);
}

static void on_positions(void *with, const struct og_call_reply *reply)
{
    struct og_watch_reading *r = with;

    r->positions = take_list(r, OG_ENDPOINT_POSITIONS, "positions", reply);
    came(r);
}

static void begin(struct og_watch_reading *r, bool is_settled)
{
    struct og_error err = { 0 };

    og_watch_reading_drop(r);
    r->under_way = true;
    r->is_settled = is_settled;
    r->began = og_time_now();
    r->at = 0;
    r->why[0] = '\0';
    r->looked = og_doc_array();
    og_watch_orders_begin_list(r->orders);
    if (og_broker_new(r->loop, r->settings, (long)(OG_REQUEST_TIMEOUT_NS / OG_NS_PER_MS), &r->broker, &err) != OG_OK)
        snprintf(r->why, sizeof r->why, "%s", err.text);
    ask(r, OG_ENDPOINT_ORDERS, "", on_orders);
    ask(r, OG_ENDPOINT_POSITIONS, "", on_positions);
    if (r->missing == 0)
        end(r);
}

static void on_again(uv_timer_t *timer)
{
    struct og_watch_reading *r = timer->data;

    begin(r, r->why[0] == '\0' || r->is_settled);
}

/* --- the object --------------------------------------------------------------------------------------------------- */

enum og_status og_watch_reading_new(uv_loop_t *loop, const struct og_settings *settings, const char *account,
                                    struct og_watch_orders *orders, const struct og_watch_reading_events *events,
                                    void *with, struct og_watch_reading **reading, struct og_error *err)
{
    struct og_watch_reading *r = calloc(1, sizeof *r);

    *reading = r;
    if (!r)
        return og_fail(err, OG_ENOMEM, "out of memory");
    *r = (struct og_watch_reading){
        .loop = loop, .settings = settings, .account = account, .orders = orders, .events = events, .with = with
    };
    og_buf_init(&r->text, 0);
    og_buf_init(&r->held, 0);
    og_buf_init(&r->unknown, 0);
    uv_timer_init(loop, &r->again);
    r->again.data = r;
    return OG_OK;
}

void og_watch_reading_begin(struct og_watch_reading *r)
{
    begin(r, false);
}

void og_watch_reading_drop(struct og_watch_reading *r)
{
    uv_timer_stop(&r->again);
    og_broker_free(r->broker);
    r->broker = NULL;
    r->under_way = false;
    r->missing = 0;
    clear_answers(r);
}

bool og_watch_reading_is_under_way(const struct og_watch_reading *r)
{
    return r && r->under_way;
}

static void on_closed(uv_handle_t *handle)
{
    free(handle->data);
}

void og_watch_reading_free(struct og_watch_reading *r)
{
    if (!r)
        return;
    og_watch_reading_drop(r);
    og_buf_clear(&r->text);
    og_buf_clear(&r->held);
    og_buf_clear(&r->unknown);
    uv_close((uv_handle_t *)&r->again, on_closed);
}
