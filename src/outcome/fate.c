/*
 * Taking rows and ends of POSTs into what is known of an order.
 * It refuses to believe fewer shares filled than were already reported.
 */
#include "outcome/fate.h"

#include <stdio.h>
#include <stdlib.h>

#include "base/banned.h"

#define ID_KEPT_BY_EXCHANGE 36
#define TEXT_MOST           512

void og_fate_clear(struct og_fate *fate)
{
    free(fate->broker_id);
    free(fate->text);
    memset(fate, 0, sizeof(*fate));
}

/* As many bytes as fit, not cutting through a character. */
static size_t cut(struct og_str s, size_t most)
{
    size_t n = s.len < most ? s.len : most;

    while (n < s.len && n > 0 && ((unsigned char)s.s[n] & 0xC0) == 0x80)
        n--;
    return n;
}

static void copy(char *to, size_t size, struct og_str s)
{
    size_t n = cut(s, size - 1);

    if (n > 0)
        memcpy(to, s.s, n);
    to[n] = '\0';
}

static void keep_reason(struct og_fate *fate, struct og_str text)
{
    if (fate->text != NULL || text.len == 0)
        return;
    fate->text = strndup(text.s, cut(text, TEXT_MOST)); /* without it, the code alone is kept */
    copy(fate->code, sizeof(fate->code), og_reject_code(text));
}

struct og_step og_fate_event(struct og_fate *fate, enum og_event event, struct og_str text)
{
    struct og_step step = og_state_step(fate->state, event);

    fate->state = (enum og_state)step.next;
    if (fate->state == OG_REJECTED || fate->state == OG_NOT_SENT)
        keep_reason(fate, text);
    return step;
}

static void adopt_id(struct og_fate *fate, struct og_str row_id, struct og_str id)
{
    char *other;

    if (og_str_eq(row_id, og_fate_id(fate, id)) || !og_fate_is_named(id, row_id))
        return;
    other = strndup(row_id.s, row_id.len);
    if (other == NULL)
        return; /* asked for by our own id, then */
    free(fate->broker_id);
    fate->broker_id = other;
}

/* Figures of a row that is older than what is known are left alone. */
static bool take_figures(struct og_fate *fate, const struct og_order_row *row, bool older)
{
    int more = row->has_executed ? og_money_cmp(row->executed, fate->executed) : 0;
    bool moved = more > 0;

    if (more < 0 || (more == 0 && older))
        return false;
    if (moved)
        fate->executed = row->executed;
    if (row->has_price_avg)
        fate->price_avg = row->price_avg;
    if (row->has_leaves) {
        fate->leaves = row->leaves;
        fate->has_leaves = true;
    }
    return moved;
}

struct og_step og_fate_row(struct og_fate *fate, const struct og_order_row *row, struct og_str id, struct og_str tif,
                           bool adopt, uint64_t at, bool *changed)
{
    enum og_event event = og_event_of_row(row, tif, fate->posts);
    enum og_state before = fate->state;
    struct og_step step = og_state_step(before, event);
    bool is_news = event != OG_EV_DUPLICATE && event != OG_EV_COLLISION;
    bool final_before = og_state_is_final(before) && before != OG_NOT_SENT;
    bool older = at < fate->told_at;

    fate->state = (enum og_state)step.next;
    *changed = fate->state != before;
    if (adopt || og_fate_owns(fate, id, row))
        adopt_id(fate, row->client_order_id, id);
    fate->seen_as_own |= og_str_eq(id, row->client_order_id);
    if (final_before || (!is_news && fate->state != OG_REJECTED))
        return step;
    if (take_figures(fate, row, older))
        *changed = true;
    if (older && fate->state == before)
        return step;
    if (row->status_text.len > 0 && (event != OG_EV_PENDING || before == OG_INTENDED || before == OG_UNKNOWN)) {
        char was[sizeof(fate->status)];

        memcpy(was, fate->status, sizeof(was));
        copy(fate->status, sizeof(fate->status), row->status_text);
        fate->told_at = at;
        *changed = *changed || strcmp(was, fate->status) != 0;
    }
    if (fate->state == OG_REJECTED)
        keep_reason(fate, row->text);
    return step;
}

bool og_fate_is_named(struct og_str id, struct og_str row_id)
{
    const char *mark;
    size_t head;

    if (row_id.len == 0 || id.len == 0)
        return false;
    if (og_str_eq(row_id, id))
        return true;
    mark = memmem(row_id.s, row_id.len, "INVALID", 7);
    if (mark == NULL)
        return false;
    head = (size_t)(mark - row_id.s); /* a shorter or longer id of ours must not claim it */
    return (head == id.len || (head == ID_KEPT_BY_EXCHANGE && id.len > head)) && memcmp(row_id.s, id.s, head) == 0;
}

bool og_fate_owns(const struct og_fate *fate, struct og_str id, const struct og_order_row *row)
{
    struct og_str row_id = row->client_order_id;

    if (og_str_eq(row_id, id) || (fate->broker_id != NULL && og_str_is(row_id, fate->broker_id)))
        return true;
    return row->status == OG_ST_REJECTED && !fate->seen_as_own && fate->broker_id == NULL &&
           og_fate_is_named(id, row_id);
}

struct og_str og_fate_id(const struct og_fate *fate, struct og_str id)
{
    return fate->broker_id != NULL ? og_str_of(fate->broker_id) : id;
}
