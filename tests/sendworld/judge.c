/*
 * The judge: what must hold, by what the broker really has.
 */
#include <stdlib.h>

#include "world.h"

static struct posted posted[LINES_MOST];
static int ids;

void judge_begin(void)
{
    ids = 0;
}

struct posted *posted_of(const char *id)
{
    for (int i = 0; i < ids; i++)
        if (strcmp(posted[i].id, id) == 0)
            return &posted[i];
    if (ids == LINES_MOST)
        abort();
    memset(&posted[ids], 0, sizeof posted[ids]);
    snprintf(posted[ids].id, sizeof posted[ids].id, "%s", id);
    return &posted[ids++];
}

bool is_blind(const struct run *r)
{
    return r->read_at == 0 || r->lacks != 0 || r->failed_at >= r->read_done_at;
}

/* --- an id is posted only once ------------------------------------------------------------------------------------ */

static void judge_counts(const struct line *l);

void judge_left(int run, const char *id)
{
    struct posted *p = posted_of(id);

    if (w.resends ? p->may_arrive > 0 : p->left > p->busy)
        broken("posted-twice", "%s leaves again, in run %d", id, run);
    p->left++;
    p->may_arrive++;
    for (int i = 0; i < w.lines; i++)
        if (w.line[i].run == run && w.line[i].left_at == 0 && strcmp(w.line[i].id, id) == 0) {
            w.line[i].left_at = now_ms();
            w.line[i].blind = is_blind(&w.run[run]);
            judge_counts(&w.line[i]);
            judge_sent(&w.line[i]);
        }
}

void judge_busy(const char *id)
{
    posted_of(id)->busy++;
    posted_of(id)->may_arrive--;
}

void judge_posted(const char *id, bool arrived)
{
    if (!arrived)
        posted_of(id)->may_arrive--;
}

/* --- nothing that works can close more than is held, or exceed the limit ------------------------------------------ */

const struct line *line_of_order(const char *id)
{
    const struct line *l = NULL;

    for (int i = 0; i < w.lines; i++)
        if (strcmp(w.line[i].id, id) == 0 && w.line[i].left_at != 0 && (!l || w.line[i].left_at > l->left_at))
            l = &w.line[i];
    return l;
}

long closing(int symbol)
{
    long sum = 0;

    for (int i = 0; i < w.orders; i++)
        if (w.order[i].symbol == symbol && !w.order[i].opens)
            sum += leaves(&w.order[i]);
    return sum;
}

/* Returns true if a working close of the symbol left while its run could not read the account. */
static bool any_blind(int symbol)
{
    bool any = false;

    for (int i = 0; i < w.orders; i++) {
        const struct order *o = &w.order[i];
        const struct line *l = o->symbol == symbol && !o->opens && !is_over(o) ? line_of_order(o->id) : NULL;

        any |= l && l->blind;
    }
    return any;
}

/* --- orders of a tag in a minute, and shares traded in a window --------------------------------------------------- */

/* Returns what an order has filled after a moment, and may still fill. */
static long trades(const struct order *o, uint64_t since)
{
    long sum = leaves(o);

    for (int i = 0; i < o->fills; i++)
        sum += o->fill[i].at > since ? o->fill[i].quantity : 0;
    return sum;
}

/* An order that opens is sent: judge it with the orders that the broker took before. Closes pass these limits but count
 * in them; those count that had been sent when this order was decided. */
static void judge_counts(const struct line *l)
{
    const uint64_t minute = l->left_at > 60000 ? l->left_at - 60000 : 0;
    const uint64_t since = l->left_at > w.window_ms ? l->left_at - w.window_ms : 0;
    long sent = 1, traded = l->quantity;

    for (int i = 0; l->opens && i < w.orders; i++) {
        const struct order *o = &w.order[i];
        const struct line *of = o->elsewhere || strcmp(o->id, l->id) == 0 ? NULL : line_of_order(o->id);

        if (!of || (!of->opens && of->left_at >= l->decided_at))
            continue;
        sent += of->tag == l->tag && of->left_at > minute;
        traded += trades(o, since);
    }
    if (l->opens && w.most_a_minute > 0 && sent > w.most_a_minute)
        broken("tag-rate", "%s is number %ld of its tag within a minute, and %ld are allowed", l->id, sent,
               w.most_a_minute);
    if (l->opens && w.most_traded > 0 && traded > w.most_traded)
        broken("traded", "with %s %ld shares may trade within the window, and %ld are allowed", l->id, traded,
               w.most_traded);
}

void judge_taken(const struct order *o)
{
    const struct symbol *s = &w.symbol[o->symbol];
    const struct line *l = line_of_order(o->id);

    if (o->elsewhere)
        return;
    if (w.live && !o->opens && !s->foreign && l && !any_blind(o->symbol) && closing(o->symbol) > held(o->symbol, false))
        broken("closes-more", "with %s, closes of %ld %s work, and %ld are held", o->id, closing(o->symbol), s->name,
               held(o->symbol, false));
    if (o->opens)
        judge_amounts(o, l);
}

/* --- events ------------------------------------------------------------------------------------------------------- */

const char *text_of(const cJSON *object, const char *key)
{
    const char *text = cJSON_GetStringValue(cJSON_GetObjectItemCaseSensitive(object, key));

    return text ? text : "";
}

bool refuses(const cJSON *finding)
{
    return strcmp(text_of(finding, "level"), "refuse") == 0;
}

static struct line *line_of(int run, int number)
{
    for (int i = 0; i < w.lines; i++)
        if (w.line[i].run == run && w.line[i].number == number)
            return &w.line[i];
    return NULL;
}

/* Returns the outcome that a row with this status reports. */
static const char *outcome_of(const char *status)
{
    static const char *const pairs[][2] = { { "Filled", "filled" },
                                            { "Canceled", "canceled" },
                                            { "Rejected", "rejected" } };

    for (size_t i = 0; i < sizeof pairs / sizeof pairs[0]; i++)
        if (strcmp(status, pairs[i][0]) == 0)
            return pairs[i][1];
    return "working";
}

static void hear(int run, const cJSON *event, const char *id, const char *what)
{
    struct posted *p = posted_of(id);
    const cJSON *executed = cJSON_GetObjectItemCaseSensitive(event, "executed");

    /* this run may get the frame later than the run that reported the end */
    if (p->told_by != run && strcmp(what, "working") == 0 &&
        (strcmp(p->told, "filled") == 0 || strcmp(p->told, "canceled") == 0))
        return;
    p->told_by = run;
    if (strcmp(p->told, what) != 0)
        p->told_at = now_ms();
    snprintf(p->told, sizeof p->told, "%s", what);
    p->unknown = strcmp(what, "unknown") == 0;
    if (cJSON_IsNumber(executed) && executed->valueint != p->executed) {
        p->executed = executed->valueint;
        p->executed_at = now_ms();
    }
}

static void hear_outcome(int run, struct line *l, const cJSON *event, const char *id)
{
    const char *outcome = text_of(event, "outcome");

    if (l && ++l->outcomes > 1)
        broken("two-outcomes", "line %d of run %d (%s): %s after %s", l->number, l->run, l->id, outcome, l->outcome);
    if (l)
        snprintf(l->outcome, sizeof l->outcome, "%s", outcome);
    /* the outcome of a cancel is that of its order, if the order is over */
    if (strcmp(text_of(event, "op"), "cancel") == 0 ? strcmp(outcome, "canceled") == 0 || strcmp(outcome, "filled") == 0
                                                    : strcmp(outcome, "refused") != 0 && id[0] != '\0')
        hear(run, event, id, outcome);
}

static void hear_decision(struct line *l, const cJSON *event)
{
    const bool accepted = strcmp(text_of(event, "verdict"), "accept") == 0;

    if (!l)
        return;
    l->decisions++;
    l->refusals += !accepted;
    l->decided_at = now_ms();
    if (!accepted)
        judge_refused(l, event);
    if (l->decisions > 1 && (accepted || l->decisions > 2 || l->refusals == 2 || !l->order_line))
        broken("two-decisions", "line %d of run %d (%s)", l->number, l->run, l->id);
}

void judge_event(int run, const cJSON *event)
{
    const char *what = text_of(event, "event"), *id = text_of(event, "clientOrderId");
    const cJSON *number = cJSON_GetObjectItemCaseSensitive(event, "line");
    struct line *l = cJSON_IsNumber(number) ? line_of(run, number->valueint) : NULL;
    const char *outcome = text_of(event, "outcome");

    if (strcmp(what, "decision") == 0)
        hear_decision(l, event);
    else if (strcmp(what, "outcome") == 0)
        hear_outcome(run, l, event, id);
    else if (strcmp(what, "update") == 0 && id[0] != '\0')
        hear(run, event, id, outcome[0] != '\0' ? outcome : outcome_of(text_of(event, "orderStatus")));
}

void judge_over(int run)
{
    for (int i = 0; i < w.lines; i++) {
        const struct line *l = &w.line[i];

        if (l->run == run && l->outcomes != 1)
            broken("no-outcome", "line %d of run %d (%s) has %d outcomes", l->number, run, l->id, l->outcomes);
    }
}

/* --- the end ------------------------------------------------------------------------------------------------------ */

void judge_end(void)
{
    for (int i = 0; i < ids; i++) {
        const struct posted *p = &posted[i];
        const struct order *o = order_named(p->id);
        const char *is = !o                      ? "not-sent"
                         : o->status == FILLED   ? "filled"
                         : o->status == CANCELED ? "canceled"
                         : o->status == REJECTED ? "rejected"
                                                 : "working";

        if (p->left == 0 || p->unknown || p->told[0] == '\0')
            continue;
        if (!o && strcmp(p->told, "canceled") == 0)
            continue; /* a cancel of the order is on record */
        if (strcmp(p->told, is) != 0)
            broken("other-outcome", "%s is %s, and was told %s", p->id, is, p->told);
        else if (o && p->executed != o->executed)
            broken("other-outcome", "%s executed %ld, and %ld was told", p->id, o->executed, p->executed);
    }
}
