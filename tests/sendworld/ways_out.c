/*
 * The judge of cancels and closes: cancels are sent, and closes of positions that are surely held are posted, each in
 * time; neither is refused for an untrue reason.
 */
#include "world.h"

/* times that docs/sending.md promises */
#define LIST_MS      5000  /* how long a cancel waits for a list of orders */
#define REGISTERS_MS 1000  /* how long a cancel waits for its order to be registered */
#define REQUEST_MS   10000 /* how long a cancel waits for the answer to its order's POST */
#define CLOSE_MS     5000  /* how long a close waits for newer facts, in addition to the settle time */

#define TICK_MS  1000  /* how long one turn of the sender's loop may take, with rounding */
#define QUIET_MS 15000 /* a fill that is older is included in every reading */

/* --- cancels ------------------------------------------------------------------------------------------------------ */

void judge_deletes(const char *id)
{
    struct order *o = order_named(id);

    if (o)
        o->deleted_at = now_ms();
}

/* If an order's line still waited when its cancel was read, the order is not posted. An order whose connection is
 * being made may be. */
static void judge_leaves_canceled(int run, const char *id)
{
    const struct line *order = NULL;

    for (int i = 0; i < w.lines; i++) {
        const struct line *l = &w.line[i];

        if (l->run != run || strcmp(l->id, id) != 0)
            continue;
        if (l->order_line && l->outcomes == 0)
            order = l;
        if (l->kind == CANCELS && order && order->at + TICK_MS < l->at && l->at + TICK_MS < now_ms())
            broken("leaves-canceled", "%s leaves, and its cancel was read before", id);
    }
}

static void look_for_cancel(int number, void *with)
{
    const struct line *l = &w.line[number];
    const struct order *o = order_named(l->id);

    (void)with;
    if (!w.run[l->run].alive || !o || is_over(o) || o->status == PENDING_CANCEL || o->deleted_at >= l->at ||
        w.weather.busy > 0)
        return;
    broken("cancel-late", "%s works, was to be canceled %llu ms ago, and no DELETE was sent", l->id,
           (unsigned long long)(now_ms() - l->at));
}

/* The order works or may work: a DELETE is sent once its POST was answered and it is registered. */
static void expect_cancel(const struct line *l)
{
    const struct order *o = order_named(l->id);
    const struct posted *p = posted_of(l->id);
    uint64_t bound = LIST_MS + REGISTERS_MS + 2 * TICK_MS;

    if (o ? is_over(o) || (o->deleted_at != 0 && o->deleted_at + 60000 > now_ms()) : p->may_arrive == 0)
        return;
    if (!o || o->taken_at + 20000 > now_ms())
        bound += REQUEST_MS;
    at(now_ms() + bound, look_for_cancel, (int)(l - w.line), NULL);
}

/* --- closes ------------------------------------------------------------------------------------------------------- */

/* Returns how much was at least bought, or sold short, as far as can be known: by fills that were reported, or that
 * every reading includes. */
static long surely_opened(int symbol)
{
    long sum = w.symbol[symbol].start;

    for (int i = 0; i < w.orders; i++) {
        const struct order *o = &w.order[i];
        const long told = posted_of(o->id)->executed;
        long old = 0;

        for (int f = 0; f < o->fills; f++)
            if (o->fill[f].at + QUIET_MS <= now_ms())
                old += o->fill[f].quantity;
        if (o->symbol == symbol && o->opens)
            sum += told > old ? told : old;
    }
    return sum;
}

/* Returns how much of that no close has used by now. */
static long surely_held(const struct line *l)
{
    long sum = l->opened;

    for (int i = 0; i < w.orders; i++)
        if (w.order[i].symbol == l->symbol && !w.order[i].opens)
            sum -= w.order[i].executed;
    return sum;
}

/* Returns how much of an accepted order may still close, as far as could be known then. */
static long may_fill(const struct order *o, const struct posted *p, uint64_t by)
{
    long filled = p->executed_at <= by ? p->executed : 0, old = 0;

    for (int f = 0; f < o->fills; f++)
        if (o->fill[f].at + QUIET_MS <= by)
            old += o->fill[f].quantity;
    return o->quantity - (filled > old ? filled : old);
}

/* Returns how much of the line's order may still close, or may be taken for closing. */
static long may_close(const struct line *l, uint64_t by)
{
    const struct order *o = order_named(l->id);
    const struct posted *p = posted_of(l->id);
    const bool ended =
        strcmp(p->told, "canceled") == 0 || strcmp(p->told, "rejected") == 0 || strcmp(p->told, "not-sent") == 0;

    if (o)
        return is_over(o) && ended && p->told_at <= by ? 0 : may_fill(o, p, by);
    if (strcmp(l->outcome, "refused") == 0 || strcmp(l->outcome, "not-sent") == 0 ||
        strcmp(l->outcome, "canceled") == 0)
        return 0;
    return (l->outcomes > 0 || !w.run[l->run].alive) && ended && p->told_at <= by ? 0 : l->quantity;
}

/* Returns how much of the symbol closes may use, except the order with that id. */
static long may_be_closed(int symbol, const char *but, uint64_t by)
{
    long sum = 0;

    for (int i = 0; i < w.lines; i++) {
        const struct line *l = &w.line[i];
        bool first = l->order_line && l->symbol == symbol && !l->opens && strcmp(l->id, but) != 0;

        for (int k = 0; k < i && first; k++)
            first = !w.line[k].order_line || strcmp(w.line[k].id, l->id) != 0 || may_close(&w.line[k], by) == 0;
        if (first)
            sum += may_close(l, by);
    }
    return sum;
}

/* Returns true for a close of a position that is surely held, and that others do not close. */
static bool is_sure(const struct line *l)
{
    return (l->kind == CLOSES || l->kind == STOPS) && l->repeats < 0 && !w.symbol[l->symbol].foreign &&
           surely_held(l) - may_be_closed(l->symbol, l->id, l->at) >= l->quantity;
}

/* Returns the message of the first finding that refuses. */
static const char *refused_by(const cJSON *decision)
{
    const cJSON *finding;

    cJSON_ArrayForEach (finding, cJSON_GetObjectItemCaseSensitive(decision, "findings"))
        if (refuses(finding))
            return text_of(finding, "message");
    return "";
}

void judge_refused(const struct line *l, const cJSON *decision)
{
    const char *message = refused_by(decision);

    judge_refused_open(l, decision, message);
    if (is_sure(l) && strstr(message, "clientOrderId") == NULL && !is_blind(&w.run[l->run]))
        broken("refused-close", "%s, a close of %ld %s of which %ld are held and %ld being closed: %s", l->id,
               l->quantity, w.symbol[l->symbol].name, surely_held(l), may_be_closed(l->symbol, l->id, l->at), message);
}

static void look_for_close(int number, void *with)
{
    const struct line *l = &w.line[number];

    (void)with;
    if (w.run[l->run].alive && l->started_at == 0 && l->outcomes == 0 && l->refusals == 0 && w.weather.busy == 0 &&
        is_sure(l))
        broken("close-late", "%s, a close of what is held, was given %llu ms ago", l->id,
               (unsigned long long)(now_ms() - l->at));
}

static bool others_traded(const struct line *l)
{
    bool any = false;

    for (const struct line *k = w.line; k < &w.line[w.lines]; k++)
        any |= k->run != l->run && k->order_line && k->symbol == l->symbol && k->decisions > k->refusals;
    return any;
}

static void expect_close(const struct line *l)
{
    const struct run *r = &w.run[l->run];
    uint64_t bound = CLOSE_MS + w.settle_ms + 2 * TICK_MS;

    /* an order behind a cancel is decided after it */
    for (const struct line *k = w.line; k < l; k++)
        if (k->run == l->run && k->kind == CANCELS && k->decisions + k->outcomes == 0)
            bound += LIST_MS;
    /* the sender waits for changes of other runs' orders when it hears of them, and for the first sign-in of the
     * stream */
    if (others_traded(l) || r->connection == 0)
        return;
    /* the newest reading accepts it, since nothing of the symbol has changed after that */
    if (is_sure(l) && !is_blind(r) && r->read_at > w.symbol[l->symbol].changed_at + w.settle_ms &&
        r->shown[l->symbol] - may_be_closed(l->symbol, l->id, l->at) >= l->quantity)
        at(now_ms() + bound, look_for_close, (int)(l - w.line), NULL);
}

void judge_started(int run, const char *id)
{
    judge_leaves_canceled(run, id);
    for (int i = 0; i < w.lines; i++)
        if (w.line[i].run == run && w.line[i].order_line && w.line[i].started_at == 0 && strcmp(w.line[i].id, id) == 0)
            w.line[i].started_at = now_ms();
}

void judge_line(struct line *l)
{
    l->opened = surely_opened(l->symbol);
    if (l->kind == CANCELS)
        expect_cancel(l);
    else
        expect_close(l);
}
