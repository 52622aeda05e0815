/*
 * Applies rows, and the results of POSTs, to the execution state of an order. The executed quantity never falls below
 * what was already reported.
 */
#include "outcome/execution.h"

#include <stdlib.h>

#include "base/utf8.h"

#define ID_KEPT_BY_EXCHANGE 36
#define TEXT_MOST           512

void og_execution_clear(struct og_execution *execution)
{
    free(execution->broker_id);
    free(execution->text);
    memset(execution, 0, sizeof *execution);
}

static void copy_text(char *to, size_t size, struct og_str s)
{
    size_t n = og_utf8_cut(s.s, s.len, size - 1);

    if (n > 0)
        memcpy(to, s.s, n);
    to[n] = '\0';
}

static void record_rejection(struct og_execution *execution, struct og_str text)
{
    if (execution->text || text.len == 0)
        return;
    /* if memory runs out, only the code is kept */
    execution->text = strndup(text.s, og_utf8_cut(text.s, text.len, TEXT_MOST));
    copy_text(execution->code, sizeof execution->code, og_reject_code(text));
}

struct og_step og_execution_event(struct og_execution *execution, enum og_event event, struct og_str text)
{
    struct og_step step = og_state_step(execution->state, event);

    if (event == OG_EV_BAD && execution->state != OG_REJECTED)
        execution->by_answer = step.next == OG_REJECTED;
    execution->state = (enum og_state)step.next;
    if (execution->state == OG_REJECTED || execution->state == OG_NOT_SENT || event == OG_EV_CANCELED)
        record_rejection(execution, text);
    return step;
}

bool og_execution_is_denied(const struct og_execution *execution)
{
    return execution->state == OG_NOT_SENT || (execution->state == OG_REJECTED && execution->by_answer);
}

/* Returns the step for a row. If only an answer 400 has rejected the order, a row that shows it as working or over is
 * treated like such a row of an order that was not sent. */
static struct og_step step_of_row(struct og_execution *execution, enum og_event event)
{
    const bool refuses = event == OG_EV_REJECTED || event == OG_EV_DUPLICATE;

    if (og_execution_is_denied(execution) && !refuses && event != OG_EV_COLLISION)
        return og_state_step(OG_NOT_SENT, event);
    if (refuses)
        execution->by_answer = false;
    return og_state_step(execution->state, event);
}

/* The order took effect after all, so the answer that denied it is not the reason of its end. */
static void forget_denial(struct og_execution *execution)
{
    free(execution->text);
    execution->text = NULL;
    execution->code[0] = '\0';
    execution->by_answer = false;
}

static void adopt_id(struct og_execution *execution, struct og_str row_id, struct og_str id)
{
    char *other;

    if (og_str_eq(row_id, og_execution_id(execution, id)) || !og_execution_is_named(id, row_id))
        return;
    other = strndup(row_id.s, row_id.len);
    if (!other)
        return; /* memory ran out: requests go on using our own id of the order */
    free(execution->broker_id);
    execution->broker_id = other;
}

/* Apply a row's figures. The figures of a row that is older than the newest one are ignored, unless more was
 * executed. */
static bool apply_figures(struct og_execution *execution, const struct og_order_row *row, bool older)
{
    int more = row->has_executed ? og_money_cmp(row->executed, execution->executed) : 0;
    bool moved = more > 0;

    if (more < 0 || (more == 0 && older))
        return false;
    if (moved)
        execution->executed = row->executed;
    if (row->has_price_avg)
        execution->price_avg = row->price_avg;
    if (row->has_leaves) {
        execution->leaves = row->leaves;
        execution->has_leaves = true;
    }
    return moved;
}

struct og_step og_execution_row(struct og_execution *execution, const struct og_order_row *row, struct og_str id,
                                struct og_str tif, bool adopt, uint64_t at, bool *changed)
{
    enum og_event event = og_event_of_row(row, tif, execution->posts);
    enum og_state before = execution->state;
    bool denied = og_execution_is_denied(execution);
    struct og_step step = step_of_row(execution, event);
    bool is_news = event != OG_EV_DUPLICATE && event != OG_EV_COLLISION;
    bool final_before = og_state_is_final(before) && (!denied || step.next == before);
    bool older = at < execution->status_at;

    execution->state = (enum og_state)step.next;
    *changed = execution->state != before;
    if (denied && *changed)
        forget_denial(execution);
    if (adopt || og_execution_owns(execution, id, row))
        adopt_id(execution, row->client_order_id, id);
    execution->seen_as_own |= og_str_eq(id, row->client_order_id);
    if (final_before || (!is_news && execution->state != OG_REJECTED))
        return step;
    if (apply_figures(execution, row, older))
        *changed = true;
    if (older && execution->state == before)
        return step;
    if (row->status_text.len > 0 && (event != OG_EV_PENDING || before == OG_INTENDED || before == OG_OUTCOME_UNKNOWN)) {
        char was[sizeof execution->status];

        memcpy(was, execution->status, sizeof was);
        copy_text(execution->status, sizeof execution->status, row->status_text);
        execution->status_at = at;
        *changed = *changed || strcmp(was, execution->status) != 0;
    }
    if (execution->state == OG_REJECTED)
        record_rejection(execution, row->text);
    return step;
}

bool og_execution_is_named(struct og_str id, struct og_str row_id)
{
    const char *mark;
    size_t head;

    if (row_id.len == 0 || id.len == 0)
        return false;
    if (og_str_eq(row_id, id))
        return true;
    mark = memmem(row_id.s, row_id.len, "INVALID", 7);
    if (!mark)
        return false;
    head = (size_t)(mark - row_id.s); /* the row's id before "INVALID" must be our whole id, or our id cut to
                                       * ID_KEPT_BY_EXCHANGE bytes */
    return (head == id.len || (head == ID_KEPT_BY_EXCHANGE && id.len > head)) && memcmp(row_id.s, id.s, head) == 0;
}

bool og_execution_owns(const struct og_execution *execution, struct og_str id, const struct og_order_row *row)
{
    struct og_str row_id = row->client_order_id;

    if (og_str_eq(row_id, id) || (execution->broker_id && og_str_is(row_id, execution->broker_id)))
        return true;
    return row->status == OG_ST_REJECTED && !execution->seen_as_own && !execution->broker_id &&
           og_execution_is_named(id, row_id);
}

struct og_str og_execution_id(const struct og_execution *execution, struct og_str id)
{
    return execution->broker_id ? og_str_of(execution->broker_id) : id;
}
