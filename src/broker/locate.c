/*
 * The sequence of a locate: quote, wait for the offer, choose, accept once, confirm.  An offer that may have expired is
 * not accepted, none is accepted twice, and an unwanted quote is not left open, since the service allows only one open
 * quote a symbol.
 */
#include <stdio.h>
#include <stdlib.h>

#include "base/crypto.h"
#include "base/error.h"
#include "base/money.h"
#include "base/time.h"
#include "base/timeouts.h"
#include "broker/client.h"

#define ID_SIZE 40

struct locating {
    struct og_client *client;
    const char *account;
    const struct og_locate_wish *wish;
    struct og_locate_result *to;
    char id[ID_SIZE];       /* the id of the quote, if the caller's wish has none */
    int64_t began;          /* og_time_up() when the quote was sent */
    int64_t not_offered_at; /* og_time_up() of the last read that showed no offer; before the first read, when the quote
                             * was sent */
    int64_t first_offer_at; /* og_time_up() of the first offer; 0 if there was none yet */
    int64_t age;            /* the maximum possible age of the offer at the last read, in ns */
    int64_t seen_at;        /* og_time_up() right before the last read of the history */
};

const char *og_locate_end_name(enum og_locate_end end)
{
    static const char *const names[] = { "",        "located", "too-dear", "not-offered",
                                         "ran-out", "gave-up", "unknown",  "not-asked" };
    size_t i = (size_t)end;

    return i < sizeof names / sizeof names[0] ? names[i] : "";
}

/* --- reading the history ------------------------------------------------------------------------------------------ */

/* Returns true if the row belongs to this quote: it is the quote's own row, or the second row (suffix ".SU") that the
 * service may add. */
static bool is_ours(const struct locating *l, const struct og_locate_info *row)
{
    size_t len = strlen(l->to->quote_id);

    return strncmp(row->quote_id, l->to->quote_id, len) == 0 &&
           (row->quote_id[len] == '\0' || strcmp(row->quote_id + len, ".SU") == 0);
}

static bool is_over(const struct og_locate_info *row)
{
    return row->status == OG_LOCATE_REJECTED || row->status == OG_LOCATE_EXPIRED || row->status == OG_LOCATE_CANCELED;
}

static bool is_kind(const struct locating *l, const struct og_locate_info *row)
{
    return l->wish->kind == OG_LOCATE_ANY || (l->wish->kind == OG_LOCATE_SINGLE) == (row->type == 4);
}

/* Returns true if a is cheaper than b, or has the same price and is reusable while b is not. */
static bool is_better(const struct og_locate_info *a, const struct og_locate_info *b)
{
    int order = og_money_cmp(a->price, b->price);

    return order < 0 || (order == 0 && b->type == 4 && a->type != 4);
}

/* Summary of the rows that belong to the quote. */
struct summary {
    const struct og_locate_info *best; /* the best offer of the wanted kind; NULL if there is none */
    /* the most informative row: an offer; if there is none, a row that is over; if there is none either, any row */
    const struct og_locate_info *any;
    const struct og_locate_info *accepted;
    int rows, open; /* open: number of rows that may still become offers */
};

/* Returns true if the row may still become an offer. A row that is pending because there are no shares to offer will
 * not (docs/readings.md, N11). */
static bool may_be_offered(const struct og_locate_info *row)
{
    return !is_over(row) && row->status != OG_LOCATE_OFFERED && row->status != OG_LOCATE_FILLED && row->error != 11;
}

static struct summary summarize(const struct locating *l, const struct og_locates *list, const char *accepted)
{
    struct summary summary = { 0 };

    for (size_t i = 0; i < list->count; i++) {
        const struct og_locate_info *row = &list->row[i];

        if (!is_ours(l, row))
            continue;
        summary.rows++;
        summary.open += may_be_offered(row);
        if (accepted && strcmp(row->quote_id, accepted) == 0)
            summary.accepted = row;
        if (row->status == OG_LOCATE_OFFERED && is_kind(l, row) && (!summary.best || is_better(row, summary.best)))
            summary.best = row;
        if (!summary.any ||
            (summary.any->status != OG_LOCATE_OFFERED && (row->status == OG_LOCATE_OFFERED || is_over(row))))
            summary.any = row;
    }
    return summary;
}

/* Returns the maximum possible age of an offer, in ns: its age by the service's clock, if that is known, or the time
 * since the last read that did not show the offer, whichever is greater. */
static int64_t age_of(const struct locating *l, const struct og_locates *list, const struct og_locate_info *offer)
{
    int64_t updated, at_most = l->seen_at - l->not_offered_at, age_by_clock;

    if (list->answer.date == OG_TIME_UNKNOWN || !offer->updated ||
        !og_time_read(offer->updated, strlen(offer->updated), &updated))
        return at_most;
    /* add a second, since Date has only whole seconds */
    age_by_clock = list->answer.date + OG_NS_PER_S - updated;
    return age_by_clock > at_most ? age_by_clock : at_most;
}

/* Read the locate history.  A failed read does not end the sequence: the next one may succeed. */
static bool read_history(struct locating *l, struct og_locates *list, struct og_error *err)
{
    struct og_error why = { 0 };

    l->seen_at = (int64_t)og_time_up();
    if (og_client_locate_history(l->client, l->account, list, &why) == OG_OK)
        return true;
    *err = why;
    return false;
}

static void set_result_row(struct locating *l, struct og_locates *list, const struct og_locate_info *row)
{
    struct og_locate_result *to = l->to;

    if (!row)
        return;
    og_answer_clear(&to->answer);
    to->answer = list->answer; /* the answer's memory holds the row's texts */
    to->row = *row;
    to->has_row = true;
    *list = (struct og_locates){ 0 };
}

/* --- the steps of a locate ---------------------------------------------------------------------------------------- */

static enum og_status make_id(struct locating *l, struct og_error *err)
{
    unsigned char random[10];

    if (l->wish->quote_id) {
        l->to->quote_id = l->wish->quote_id;
        return OG_OK;
    }
    if (!og_random(random, sizeof random))
        return og_fail(err, OG_EIO, "no random bytes");
    snprintf(l->id, sizeof l->id, "L%llx", (unsigned long long)(og_time_now() / OG_NS_PER_MS));
    for (size_t i = 0, at = strlen(l->id); i < sizeof random; i++, at += 2)
        snprintf(l->id + at, sizeof l->id - at, "%02x", random[i]);
    l->to->quote_id = l->id;
    return OG_OK;
}

/* Send the quote.  Returns true if the service may have received it; if the answer is lost, the history will show
 * whether it did. */
static bool send_quote(struct locating *l, enum og_status *status, struct og_error *err)
{
    l->began = l->not_offered_at = (int64_t)og_time_up();
    *status = og_client_locate_quote(l->client, l->account, l->wish->symbol, l->wish->quantity, l->to->quote_id,
                                     &l->to->answer, err);
    l->to->end = *status == OG_EREJECTED ? OG_LOCATE_NOT_OFFERED : OG_LOCATE_NOT_ASKED;
    return *status == OG_OK || *status == OG_EUNKNOWN;
}

/* Cancel the quote, even if no read has shown it: the quote may still be on its way. */
static void cancel_quote(struct locating *l, const struct og_locates *list)
{
    struct og_answer a = { 0 };
    bool seen = false;

    for (size_t i = 0; i < list->count; i++)
        seen = seen || is_ours(l, &list->row[i]);
    if (!seen)
        (void)!og_client_locate_cancel(l->client, l->account, l->to->quote_id, &a, NULL);
    for (size_t i = 0; i < list->count; i++)
        if (is_ours(l, &list->row[i]) && !is_over(&list->row[i]) && list->row[i].status != OG_LOCATE_FILLED)
            (void)!og_client_locate_cancel(l->client, l->account, list->row[i].quote_id, &a, NULL);
    og_answer_clear(&a);
}

static void end_without(struct locating *l, struct og_locates *list, const struct summary *summary,
                        enum og_locate_end end)
{
    cancel_quote(l, list);
    l->to->end = end;
    set_result_row(l, list, summary->best ? summary->best : summary->any);
}

/* Check for an offer. last: this is the last check, which does not wait for an offer in the quote's other row. Returns
 * true if to->row should be accepted now, or if the sequence is over (to->end). */
static bool check_for_offer(struct locating *l, struct og_locates *list, bool last)
{
    struct summary summary = summarize(l, list, NULL);
    int64_t now = (int64_t)og_time_up();

    if (!summary.best)
        l->not_offered_at = l->seen_at;
    else if (l->first_offer_at == 0)
        l->first_offer_at = now;
    if (summary.best && (last || summary.open == 0 || now - l->first_offer_at >= OG_LOCATE_SIBLING_NS)) {
        if (og_money_cmp(summary.best->price, l->wish->most) > 0) {
            end_without(l, list, &summary, OG_LOCATE_TOO_DEAR);
            return true;
        }
        l->age = age_of(l, list, summary.best);
        set_result_row(l, list, summary.best);
        return true;
    }
    if (!summary.best && summary.rows > 0 && summary.open == 0) {
        bool rejected = summary.any->status == OG_LOCATE_REJECTED || summary.any->status == OG_LOCATE_OFFERED;

        end_without(l, list, &summary, rejected ? OG_LOCATE_NOT_OFFERED : OG_LOCATE_RAN_OUT);
        return true;
    }
    return false;
}

/* Wait until there is an offer to accept (to->end is 0 then), or until the sequence ends without one. */
static void wait_for_offer(struct locating *l)
{
    int64_t wait = l->wish->wait_ns != 0 ? l->wish->wait_ns : OG_LOCATE_WAIT_NS;
    int64_t every = l->wish->every_ns != 0 ? l->wish->every_ns : OG_LOCATE_LOOK_NS;
    struct og_locates list = { 0 };
    struct og_error why = { 0 };
    bool done = false, last = false;

    l->to->end = 0;
    while (!done && !last) {
        int64_t left = l->began + wait - (int64_t)og_time_up();

        last = left <= every;
        og_client_run_for(l->client, last ? left : every, true);
        if (l->client->stopped)
            break;
        done = read_history(l, &list, &why) && check_for_offer(l, &list, last);
    }
    if (!done) {
        struct summary summary = summarize(l, &list, NULL);

        end_without(l, &list, &summary, OG_LOCATE_GAVE_UP);
    }
    og_answer_clear(&list.answer);
}

static void confirm_filled(struct locating *l)
{
    int64_t every = l->wish->every_ns != 0 ? l->wish->every_ns : OG_LOCATE_LOOK_NS, began = (int64_t)og_time_up();
    char *accepted = strdup(l->to->row.quote_id);
    struct og_locates list = { 0 };
    struct og_error why = { 0 };
    struct summary summary = { 0 };

    l->to->end = OG_LOCATE_UNKNOWN;
    while (accepted && l->to->end == OG_LOCATE_UNKNOWN && (int64_t)og_time_up() - began < OG_LOCATE_CONFIRM_NS) {
        if (read_history(l, &list, &why)) {
            summary = summarize(l, &list, accepted);
            if (summary.accepted && summary.accepted->status == OG_LOCATE_FILLED)
                l->to->end = OG_LOCATED;
            else if (summary.accepted && is_over(summary.accepted))
                l->to->end = OG_LOCATE_RAN_OUT;
            set_result_row(l, &list, summary.accepted);
        }
        if (l->to->end == OG_LOCATE_UNKNOWN)
            og_client_run_for(l->client, every, false);
    }
    og_answer_clear(&list.answer);
    free(accepted);
}

/* Read the inventory row of the located shares. A failure is ignored, since the history has already confirmed the
 * shares. */
static void read_stock(struct locating *l)
{
    struct og_locate_inventory list = { 0 };
    struct og_answer_memory *m = l->to->answer.memory;

    if (og_client_locate_inventory(l->client, l->account, &list, NULL) == OG_OK)
        for (size_t i = 0; i < list.count && !l->to->has_stock; i++)
            if (strcmp(list.row[i].symbol, l->wish->symbol) == 0 && list.row[i].type == l->to->row.type) {
                l->to->stock = list.row[i];
                l->to->stock.account = og_arena_copy(&m->arena, og_str_of(l->account)).s;
                l->to->stock.symbol = og_arena_copy(&m->arena, og_str_of(l->wish->symbol)).s;
                l->to->has_stock = l->to->stock.symbol != NULL;
            }
    og_answer_clear(&list.answer);
}

static void accept_offer(struct locating *l)
{
    struct og_answer a = { 0 };
    enum og_status status;

    l->to->end = OG_LOCATE_RAN_OUT; /* the result unless more happens below: the offer was not accepted, so nothing is
                                     * charged */
    if (l->age + ((int64_t)og_time_up() - l->seen_at) <= OG_LOCATE_OFFER_NS) {
        status = og_client_locate_accept(l->client, l->account, l->to->row.quote_id, &a, NULL);
        l->to->accepted = status == OG_OK || status == OG_EUNKNOWN;
    }
    if (l->to->accepted)
        confirm_filled(l);
    else
        (void)!og_client_locate_cancel(l->client, l->account, l->to->row.quote_id, &a, NULL);
    if (l->to->end == OG_LOCATED)
        read_stock(l);
    og_answer_clear(&a);
}

static enum og_status check_wish(const struct og_locate_wish *w, struct og_error *err)
{
    if (w->quantity % 100 != 0)
        return og_fail(err, OG_EINVAL, "quantity is %lld, allowed are multiples of 100", (long long)w->quantity);
    if (!og_money_is(w->most))
        return og_fail(err, OG_EINVAL, "the highest price per share has the scale %d; it must be 0 to 18",
                       (int)w->most.scale);
    if (w->most.coef < 0)
        return og_fail(err, OG_EINVAL, "the highest price per share is %s; it must be 0 or more",
                       og_money_text(w->most).s);
    if (w->wait_ns < 0 || w->every_ns < 0)
        return og_fail(err, OG_EINVAL, "the wait is below 0");
    return OG_OK;
}

/* Copy the id into the result, which must outlive this call. */
static enum og_status copy_quote_id(struct locating *l, struct og_error *err)
{
    struct og_answer_memory *m = l->to->answer.memory;

    if (!m && !(m = og_answer_memory(&l->to->answer)))
        return og_fail(err, OG_ENOMEM, "out of memory");
    l->to->quote_id = og_arena_copy(&m->arena, og_str_of(l->to->quote_id)).s;
    return l->to->quote_id ? OG_OK : og_fail(err, OG_ENOMEM, "out of memory");
}

enum og_status og_client_locate(struct og_client *c, const char *account, const struct og_locate_wish *wish,
                                struct og_locate_result *to, struct og_error *err)
{
    struct locating l = { .client = c, .account = account, .wish = wish, .to = to };
    enum og_status status;

    if (!c || !wish || !to)
        return og_missing(err);
    status = check_wish(wish, err);
    og_answer_clear(&to->answer);
    *to = (struct og_locate_result){ .answer = to->answer, .end = OG_LOCATE_NOT_ASKED, .quote_id = "" };
    if (status != OG_OK || (status = og_client_default_account(c, &l.account, err)) != OG_OK ||
        (status = make_id(&l, err)) != OG_OK)
        return status;
    if (send_quote(&l, &status, err)) {
        if (err)
            *err = (struct og_error){ 0 };
        status = OG_OK;
        wait_for_offer(&l);
        if (to->end == 0)
            accept_offer(&l);
    }
    if (status == OG_EREJECTED)
        status = OG_OK;
    return copy_quote_id(&l, err) == OG_OK ? status : OG_ENOMEM;
}
