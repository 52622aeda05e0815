/*
 * The lines that wait to be decided: cancels in one list, all other lines in another, each list in the order in which
 * its lines were read. Of two lines, the one with the smaller number was read first.
 */
#include <stdlib.h>

#include "base/error.h"
#include "order/order.h"
#include "send/sender.h"

static struct og_line_list *list_of(struct og_sender *s, const struct og_waiting *w)
{
    return w->cancels ? &s->lines.cancels : &s->lines.others;
}

static size_t memory_of(const struct og_waiting *w)
{
    return sizeof *w + w->len;
}

static void count(struct og_sender *s, const struct og_waiting *w)
{
    s->lines.memory += memory_of(w);
    if (!w->cancels) {
        s->lines.count++;
        s->lines.bytes += w->len;
    }
}

/* Note whether the line (s->order) is a cancel, and which id the order that it makes would get. Returns false if that
 * id cannot be made. */
static bool classify(struct og_sender *s, struct og_waiting *w)
{
    const char *id = og_order_client_id(s->order);

    w->cancels = og_order_op(s->order) == OG_OP_CANCEL;
    if (og_order_op(s->order) != OG_OP_ORDER)
        return true;
    if (id[0] == '\0' && s->options.batch) {
        if (!og_send_batch_id(s, w) || !og_send_batch_recall(s, w))
            return false;
        id = w->id.s;
    }
    w->closes = og_order_security(s->order) == OG_MLEG || og_order_open_close(s->order) != OG_OPEN;
    if (s->order->replaces.len > 0) {
        w->replaces = og_orders_hash(s->order->replaces);
    } else {
        w->trades = og_orders_hash(og_str_of(og_order_symbol(s->order)));
    }
    w->makes = id[0] != '\0' ? og_orders_hash(og_str_of(id)) : 0;
    return true;
}

bool og_send_take_line(struct og_sender *s, struct og_origin origin, const char *bytes, size_t len)
{
    struct og_waiting *w = malloc(sizeof *w + len);
    struct og_line_list *list;

    if (!w)
        return false;
    *w = (struct og_waiting){ .origin = origin, .at = og_time_up(), .number = ++s->lines.taken, .len = len };
    if (len > 0)
        memcpy(w->bytes, bytes, len);
    if (og_order_read(s->order, w->bytes, w->len) != OG_OK || !classify(s, w)) {
        free(w);
        return false;
    }
    /* a heartbeat counts when it is read, and needs no answer */
    if (og_order_op(s->order) == OG_OP_HEARTBEAT) {
        free(w);
        return true;
    }
    list = list_of(s, w);
    if (list->last)
        list->last->next = w;
    else
        list->first = w;
    list->last = w;
    count(s, w);
    return true;
}

struct og_waiting *og_send_take_out(struct og_sender *s, struct og_waiting *w)
{
    struct og_line_list *list = list_of(s, w);
    struct og_waiting **at = &list->first, *before = NULL;

    for (; *at != w; at = &before->next)
        before = *at;
    *at = w->next;
    if (list->last == w)
        list->last = before;
    w->next = NULL;
    s->lines.memory -= memory_of(w);
    if (!w->cancels) {
        s->lines.count--;
        s->lines.bytes -= w->len;
    }
    return w;
}

void og_send_put_back(struct og_sender *s, struct og_waiting *w)
{
    struct og_line_list *list = list_of(s, w);

    w->next = list->first;
    list->first = w;
    if (!list->last)
        list->last = w;
    count(s, w);
}

struct og_waiting *og_send_first_line(const struct og_sender *s)
{
    struct og_waiting *other = s->lines.others.first, *cancel = s->lines.cancels.first;

    return !other || (cancel && cancel->number < other->number) ? cancel : other;
}

void og_send_free_lines(struct og_sender *s)
{
    struct og_waiting *w;

    while ((w = og_send_first_line(s)))
        free(og_send_take_out(s, w));
    og_batch_ids_clear(&s->lines.batch);
}
