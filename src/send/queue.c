/*
 * The lines that wait to be decided: cancels in one list, cancels that are set aside in another, and all other lines in
 * a third, each list in the order in which its lines were read. Of two lines, the one with the smaller number was read
 * first.
 */
#include <stdlib.h>

#include "base/error.h"
#include "order/order.h"
#include "send/sender.h"

static struct og_line_list *list_of(struct og_sender *s, const struct og_waiting *w)
{
    return w->aside ? &s->lines.aside : w->cancels ? &s->lines.cancels : &s->lines.others;
}

/* Put the line into its list after `before`; NULL: before all others. */
static void link_after(struct og_sender *s, struct og_waiting *w, struct og_waiting *before)
{
    struct og_line_list *list = list_of(s, w);

    w->before = before;
    w->next = before ? before->next : list->first;
    *(before ? &before->next : &list->first) = w;
    *(w->next ? &w->next->before : &list->last) = w;
}

static void unlink_from(struct og_line_list *list, struct og_waiting *w)
{
    *(w->before ? &w->before->next : &list->first) = w->next;
    *(w->next ? &w->next->before : &list->last) = w->before;
    w->next = w->before = NULL;
}

static size_t memory_of(const struct og_waiting *w)
{
    return sizeof *w + w->len;
}

static void count(struct og_sender *s, const struct og_waiting *w)
{
    s->lines.memory += memory_of(w);
    og_send_intake_count(s, w->origin.writer, (ptrdiff_t)memory_of(w));
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
    if (w->cancels)
        w->names = og_orders_hash(og_str_of(id));
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
    link_after(s, w, list_of(s, w)->last);
    count(s, w);
    return true;
}

static struct og_waiting **chain_of(struct og_sender *s, size_t names)
{
    return &s->lines.aside_by_id[names % OG_ASIDE_CHAINS];
}

/* The line is not set aside any longer; it is then in no list. */
static void end_aside(struct og_sender *s, struct og_waiting *w)
{
    *w->at_aside = w->next_aside;
    if (w->next_aside)
        w->next_aside->at_aside = w->at_aside;
    s->lines.aside_memory -= memory_of(w);
    unlink_from(&s->lines.aside, w);
    w->aside = false;
}

struct og_waiting *og_send_take_out(struct og_sender *s, struct og_waiting *w)
{
    if (w->aside)
        end_aside(s, w);
    else
        unlink_from(list_of(s, w), w);
    s->lines.memory -= memory_of(w);
    og_send_intake_count(s, w->origin.writer, -(ptrdiff_t)memory_of(w));
    if (!w->cancels) {
        s->lines.count--;
        s->lines.bytes -= w->len;
    }
    return w;
}

void og_send_put_back(struct og_sender *s, struct og_waiting *w)
{
    link_after(s, w, NULL);
    count(s, w);
}

static struct og_waiting *earlier(struct og_waiting *a, struct og_waiting *b)
{
    return !a || (b && b->number < a->number) ? b : a;
}

struct og_waiting *og_send_first_line(const struct og_sender *s)
{
    return earlier(earlier(s->lines.others.first, s->lines.cancels.first), s->lines.aside.first);
}

struct og_waiting *og_send_next_line(const struct og_sender *s)
{
    struct og_waiting *w = earlier(s->lines.others.first, s->lines.cancels.first);

    return w && !w->cancels && og_send_is_behind_aside(s, w) ? NULL : w;
}

void og_send_free_lines(struct og_sender *s)
{
    struct og_waiting *w;

    while ((w = og_send_first_line(s)))
        free(og_send_take_out(s, w));
    og_batch_ids_clear(&s->lines.batch);
}

/* --- cancels that are set aside ----------------------------------------------------------------------------------- */

bool og_send_set_aside(struct og_sender *s, struct og_account_state *a, struct og_waiting *w)
{
    struct og_waiting **chain = chain_of(s, w->names), *before = s->lines.aside.last;

    if (w->aside)
        return true;
    if (s->lines.aside_memory + memory_of(w) > OG_ASIDE_MOST)
        return false;
    unlink_from(&s->lines.cancels, w);
    w->aside = true;
    w->known = false;
    w->account = a;
    s->lines.any_known |= !a;
    w->next_aside = *chain;
    w->at_aside = chain;
    if (*chain)
        (*chain)->at_aside = &w->next_aside;
    *chain = w;
    while (before && before->number > w->number) /* a line that was put back, and is set aside again */
        before = before->before;
    link_after(s, w, before);
    s->lines.aside_memory += memory_of(w);
    return true;
}

void og_send_put_back_known(struct og_sender *s)
{
    const bool listed = s->accounts.list || s->accounts.blind.status != OG_OK;
    struct og_waiting *w = s->lines.aside.first, *next, *after = s->lines.cancels.first;

    if (!s->lines.any_known)
        return;
    s->lines.any_known = false;
    for (; w; w = next) {
        next = w->next;
        if (!w->known && (w->account || !listed)) {
            s->lines.any_known |= !w->account;
            continue;
        }
        end_aside(s, w);
        while (after && after->number < w->number)
            after = after->next;
        link_after(s, w, after ? after->before : s->lines.cancels.last);
    }
}

void og_send_heard_of(struct og_sender *s, const struct og_account_state *a, struct og_str id)
{
    const size_t names = s->lines.aside.first ? og_orders_hash(id) : 0;

    for (struct og_waiting *w = s->lines.aside.first ? *chain_of(s, names) : NULL; w; w = w->next_aside)
        if (w->names == names && w->account == a) {
            w->known = s->lines.any_known = true;
            og_send_wake(s);
        }
}

bool og_send_is_behind_aside(const struct og_sender *s, const struct og_waiting *w)
{
    return s->lines.aside.first && s->lines.aside.first->number < w->number;
}

/* --- how lines depend on earlier ones ----------------------------------------------------------------------------- */

bool og_send_is_entangled(const struct og_waiting *first, const struct og_waiting *w)
{
    for (; first != w; first = first->next)
        if (first->trades == w->trades || (first->makes != 0 && first->makes == w->makes))
            return true;
    return false;
}

/* Returns true if a cancel that was read before the line, and is set aside, may name an order of that id. */
static bool may_be_canceled(const struct og_sender *s, const struct og_waiting *w, size_t id)
{
    const struct og_waiting *cancel = id != 0 ? s->lines.aside_by_id[id % OG_ASIDE_CHAINS] : NULL;

    while (cancel && (cancel->names != id || cancel->number > w->number))
        cancel = cancel->next_aside;
    return cancel;
}

bool og_send_is_tied(const struct og_sender *s, const struct og_waiting *first, const struct og_waiting *w)
{
    for (; first != w; first = first->next)
        if ((w->makes != 0 && first->makes == w->makes) ||
            (w->replaces != 0 && (first->makes == w->replaces || first->replaces == w->replaces)))
            return true;
    return may_be_canceled(s, w, w->makes) || may_be_canceled(s, w, w->replaces);
}
