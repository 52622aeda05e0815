/*
 * ordergate check: parses, decides, formats and writes lines, a batch at a time.  If an order influences the decisions
 * after it, one thread decides all orders; independent orders (--independent) are decided by several threads, and
 * written in the sequence of the input. The file uses only the public API, and reads and writes only files and pipes.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tools/common/check.h"
#include "tools/common/facts.h"
#include "tools/common/messages.h"
#include "tools/common/progress.h"

/* An order that was read from a longer line than this is freed afterwards, because its buffers are large. */
#define LARGE ((size_t)1 << 14)

/* One line of a batch: its request, its decision, and the memory to which the decision points. */
struct slot {
    struct og_request *request; /* allocated when it is first needed */
    struct og_suggestion suggestion;
    struct og_margin_info margin;
    enum og_op op;
    bool decided, large;
    bool lost;     /* the policy accepts the order, but no body can be written for it */
    bool in_place; /* decided as if the order that it replaces were canceled */
    size_t ends;   /* where the line's output ends in that of the batch */
    struct check_basket basket;
};

/* The buffers of one thread. */
struct check_worker {
    struct check *check;
    struct og_scratch *probes; /* for suggestions; NULL if none are to be made */
    struct og_scratch *places; /* for orders that replace others; NULL before the first */
    struct og_order *order[BATCH_LINES];
    struct og_scratch *scratch[BATCH_LINES];
    struct og_decision decision[BATCH_LINES];
    struct slot slot[BATCH_LINES];
    struct basket_room *baskets;
    bool tells; /* the batch has a line with facts or a quote */
    struct text out, rejects;
};

bool check_workers_start(struct check *c)
{
    /* An order may reserve something that later orders then cannot use, so orders must be decided one after another.
     * One thread does all of it, because moving the book between processors takes longer than parsing and writing. With
     * --independent there are several. */
    for (int workers = c->independent ? worker_pool_default_workers() : 1; c->workers < workers; c->workers++) {
        struct check_worker *h = calloc(1, sizeof *h);

        c->worker[c->workers] = h;
        if (!h)
            return false;
        h->check = c;
        h->probes = c->suggest ? og_scratch_new() : NULL;
        if (c->suggest && !h->probes)
            return false;
    }
    return true;
}

void check_worker_free(struct check_worker *h)
{
    if (!h)
        return;
    check_baskets_free(h->baskets);
    for (int i = 0; i < BATCH_LINES; i++) {
        check_basket_clear(&h->slot[i].basket);
        og_order_free(h->order[i]);
        og_request_free(h->slot[i].request);
        og_scratch_free(h->scratch[i]);
    }
    og_scratch_free(h->probes);
    og_scratch_free(h->places);
    free(h->out.s);
    free(h->rejects.s);
    free(h);
}

/* --- files that are loaded again ---------------------------------------------------------------------------------- */

bool check_read_facts(struct check *c, size_t i)
{
    const char *path = c->facts.item[i];
    struct og_error err = { .status = OG_OK };
    char *json;
    size_t len;
    enum og_status s = og_file_read(path, OG_FILE_READ, FACTS_FILE_MOST, &json, &len, &c->seen[i], &err);

    if (s == OG_OK)
        s = og_book_apply(c->book, NULL, json, len, path, &err);
    free(json);
    if (err.text[0]) /* an error; or, if the status is OG_OK, a note about facts that were skipped because newer ones
                      * are known */
        (void)og_say("ordergate check", &err, 0);
    return s == OG_OK;
}

static bool was_replaced(const struct stat *a, const struct stat *b)
{
    return a->st_ino != b->st_ino || a->st_dev != b->st_dev || a->st_size != b->st_size ||
           a->st_mtim.tv_sec != b->st_mtim.tv_sec || a->st_mtim.tv_nsec != b->st_mtim.tv_nsec;
}

static bool facts_replaced(const struct check *c, size_t i)
{
    struct stat now;

    return strcmp(c->facts.item[i], "-") != 0 && stat(c->facts.item[i], &now) == 0 && was_replaced(&now, &c->seen[i]);
}

/* Load policies and facts files again if they were replaced by new ones. */
static bool files_replaced(struct check *c)
{
    bool replaced = reload_wanted(&c->reload);

    for (size_t i = 0; i < c->facts.count; i++)
        replaced |= facts_replaced(c, i);
    return replaced;
}

/* Load the policy and the facts files that were replaced. What cannot be used is reported, and the old content stays in
 * use. */
static void read_again(struct check *c)
{
    reload_look(&c->reload, c->book);
    for (size_t i = 0; i < c->facts.count; i++) {
        if (!facts_replaced(c, i))
            continue;
        c->stale_told = false;
        if (check_read_facts(c, i))
            continue;
        c->facts_failed = true;
        stat(c->facts.item[i], &c->seen[i]);
    }
}

/* --- parsing a batch ---------------------------------------------------------------------------------------------- */

static bool fit(struct check_worker *h, int i, size_t len)
{
    struct slot *s = &h->slot[i];

    if (s->large) {
        og_order_free(h->order[i]);
        h->order[i] = NULL;
    }
    if (!h->order[i])
        h->order[i] = og_order_new();
    if (!h->scratch[i])
        h->scratch[i] = og_scratch_new();
    s->large = len > LARGE;
    return h->order[i] && h->scratch[i];
}

static bool tells(const struct check_worker *h, enum og_op op)
{
    return (op == OG_OP_QUOTE || op == OG_OP_FACTS) && !h->check->orders_only;
}

static bool decode(struct check_worker *h, const struct worker_batch *b)
{
    h->tells = false;
    for (int i = 0; i < b->count; i++) {
        enum og_op op;

        if (!fit(h, i, b->line[i].len) || og_order_read(h->order[i], b->text + b->line[i].from, b->line[i].len))
            return false;
        op = h->slot[i].op = og_order_op(h->order[i]);
        h->slot[i].basket.orders = 0;
        h->slot[i].in_place = false;
        h->slot[i].decided = op != OG_OP_HEARTBEAT && op != OG_OP_BASKET && !tells(h, op);
        h->tells |= tells(h, op);
    }
    return true;
}

/* --- deciding ----------------------------------------------------------------------------------------------------- */

static void take_facts(struct check *c, enum og_op op, const char *text, const struct worker_line *line)
{
    struct og_error err = { .status = OG_OK };
    enum og_status s = op == OG_OP_QUOTE ? og_book_quote(c->book, text, line->len, &err)
                                         : og_book_apply(c->book, NULL, text, line->len, "facts", &err);
    char why[512];

    if (s == OG_OK && op == OG_OP_QUOTE && err.text[0] && c->undated_told++)
        return;
    if (err.text[0]) /* an error, or a note, as in check_read_facts() */
        fprintf(stderr, "ordergate check: %s:%lld: %s\n", c->file ? c->file : "stdin", line->number,
                og_tool_error(&err, why, sizeof why));
    c->facts_failed |= s != OG_OK;
}

static int64_t now_of(const struct check *c)
{
    return c->at == OG_TIME_UNKNOWN ? og_time_now() : c->at;
}

/* Decide `count` orders together, starting with line i of the batch. */
static bool decide_orders(struct check_worker *h, int i, int count)
{
    struct check *c = h->check;
    og_ticket ticket[BATCH_LINES];

    if (c->independent)
        og_check_all(c->book, h->order + i, (size_t)count, now_of(c), h->scratch + i, h->decision + i);
    else if (og_reserve_all(c->book, h->order + i, (size_t)count, now_of(c), h->scratch + i, h->decision + i, ticket))
        return false;
    return true;
}

static bool reserve_filled(struct check_worker *h, int i, int64_t now)
{
    struct check *c = h->check;
    og_ticket ticket;

    if (og_reserve(c->book, h->order[i], now, h->scratch[i], &h->decision[i], &ticket))
        return false;
    /* a fill that cannot be added to the sums exactly is not applied: the order stays a working order */
    return !ticket || c->assume != ASSUME_FILLED ||
           og_ticket_fill(c->book, ticket, OG_FILL_WHOLE, og_money_from(0), now) != OG_ENOMEM;
}

/* Decide one order, and compute the figures of --margin or --suggest. */
static bool decide_closely(struct check_worker *h, int i)
{
    struct check *c = h->check;
    struct slot *slot = &h->slot[i];
    struct og_decision *d = &h->decision[i];
    int64_t now = now_of(c);

    if (c->margin) /* the margin is computed before the order itself counts as a working order */
        og_margin_ask(c->book, h->order[i], now, h->scratch[i], &slot->margin);
    if (c->independent)
        og_check(c->book, h->order[i], now, h->scratch[i], d);
    else if (!reserve_filled(h, i, now))
        return false;
    d->margin = c->margin ? &slot->margin : NULL;
    if (c->suggest && !d->accepted) {
        og_suggest(c->book, h->order[i], now, h->probes, &slot->suggestion);
        d->suggest = &slot->suggestion;
    }
    return true;
}

/* Returns true if the order is to be decided as if the order that it replaces were canceled: the output is for `send`,
 * which decides so too before it cancels the old order, and facts show that the old order is working. */
static bool is_in_place(struct check_worker *h, int i)
{
    return h->check->emit == EMIT_LINES &&
           og_replaced_works(h->check->book, h->order[i], now_of(h->check), h->scratch[i]);
}

/* Decide one order as if the order that it replaces were canceled. Later decisions count both orders, since nothing is
 * canceled here. */
static bool decide_in_place(struct check_worker *h, int i)
{
    const struct check *c = h->check;
    struct og_decision *d = &h->decision[i];
    const int64_t now = now_of(c);
    og_ticket ticket = 0;
    enum og_status status;

    if (c->margin)
        og_margin_ask(c->book, h->order[i], now, h->scratch[i], &h->slot[i].margin);
    if (!og_check_replacement(c->book, h->order[i], now, h->scratch[i], d))
        return decide_closely(h, i); /* it is not known how the old order counts */
    d->margin = c->margin ? &h->slot[i].margin : NULL;
    if (d->accepted && !c->independent) {
        if (!h->places && !(h->places = og_scratch_new()))
            return false;
        status = og_reserve_sent(c->book, h->order[i], now, h->places, &ticket);
        if (status != OG_OK) /* OG_EINVAL: a sum would be inexact */
            return status != OG_ENOMEM && decide_closely(h, i);
    }
    h->slot[i].in_place = d->accepted;
    return !ticket || c->assume != ASSUME_FILLED ||
           og_ticket_fill(c->book, ticket, OG_FILL_WHOLE, og_money_from(0), now) != OG_ENOMEM;
}

static bool decide_request(struct check_worker *h, int i, const char *text, size_t len)
{
    struct check *c = h->check;
    struct slot *slot = &h->slot[i];
    struct og_decision *d = &h->decision[i];
    int64_t now = now_of(c);

    if (!slot->request)
        slot->request = og_request_new();
    if (!slot->request || og_request_read(slot->request, text, len))
        return false;
    if (c->emit == EMIT_LINES) /* who reads the lines sends them: a cancel may be of an order made since */
        og_request_list_is_older(slot->request);
    switch (og_request_what(slot->request)) {
    case OG_REQUEST_CANCEL: og_check_cancel(c->book, slot->request, now, h->scratch[i], d); break;
    case OG_REQUEST_READ: og_check_read(c->book, slot->request, now, h->scratch[i], d); break;
    default: og_check_locate(c->book, slot->request, now, h->scratch[i], d); break;
    }
    return true;
}

/* Returns true if a line that is not an order is decided as a request (a cancel, a read).  Requests whose decision the
 * chosen output cannot show are refused as lines that are not orders; tell_left_out() reports them. */
static bool is_request(const struct check_worker *h, int i)
{
    const enum og_op op = h->slot[i].op;
    const enum emit emit = h->check->emit;

    return (op == OG_OP_CANCEL && (emit == EMIT_DECISIONS || emit == EMIT_LINES)) ||
           (op == OG_OP_REQUEST && emit == EMIT_DECISIONS);
}

/* Returns how many consecutive lines, from line i on, are orders. */
static int orders_from(const struct check_worker *h, const struct worker_batch *b, int i)
{
    int count = 0;

    while (i + count < b->count && h->slot[i + count].decided && !is_request(h, i + count))
        count++;
    return count;
}

static bool decide_some(struct check_worker *h, int i, int count)
{
    const struct check *c = h->check;
    const bool closely = c->margin || c->suggest || c->assume == ASSUME_FILLED;

    for (int end = i + count, n; i < end; i += n) {
        for (n = 0; i + n < end && !(n > 0 && closely) && !is_in_place(h, i + n);)
            n++;
        if (n == 0 ? !decide_in_place(h, i) : closely ? !decide_closely(h, i) : !decide_orders(h, i, n))
            return false;
        n += n == 0;
    }
    return true;
}

/* Handle line i, which is not an order. */
static bool take_line(struct check_worker *h, int i, const struct worker_batch *b)
{
    const struct worker_line *line = &b->line[i];
    const char *text = b->text + line->from;
    enum og_op op = h->slot[i].op;

    if (tells(h, op))
        take_facts(h->check, op, text, line);
    if (op == OG_OP_BASKET)
        return check_basket(h->check, &h->baskets, &h->slot[i].basket, text, line->len, line->number, now_of(h->check));
    return !h->slot[i].decided || decide_request(h, i, text, line->len);
}

static bool decide_all(struct check_worker *h, const struct worker_batch *b)
{
    for (int i = 0, count; i < b->count; i += count) {
        count = orders_from(h, b, i);
        if (count ? !decide_some(h, i, count) : !take_line(h, i, b))
            return false;
        count += count == 0;
    }
    return true;
}

/* --- writing ------------------------------------------------------------------------------------------------------ */

/* Write an accepted order or cancel for the next program; with --account, the line names that account. */
static bool spell_passing(struct check_worker *h, int i)
{
    const struct check *c = h->check;
    bool written = true;

    if (h->slot[i].op == OG_OP_CANCEL)
        return text_cancel(&h->out, og_order_client_id(h->order[i]),
                           c->account ? c->account : og_order_account(h->order[i]));
    if (c->emit != EMIT_BODIES && c->account && og_order_set_account(h->order[i], c->account))
        return false;
    if (!text_order(&h->out, h->order[i], c->emit == EMIT_BODIES, &written))
        return false;
    h->slot[i].lost = !written;
    return true;
}

static bool spell(struct check_worker *h, int i, long long number)
{
    const struct check *c = h->check;
    const struct og_decision *d = &h->decision[i];
    const struct og_source source = { .line = number, .file = c->file };

    if (c->rejects_path && !d->accepted && !text_decision(&h->rejects, d, &source))
        return false;
    if (c->emit == EMIT_DECISIONS)
        return text_decision(&h->out, d, &source);
    return !d->accepted || spell_passing(h, i);
}

/* Report on stderr that an accepted order is not in the output, because no body can be written for it. */
static void tell_lost(const struct check *c, const struct worker_line *line)
{
    fprintf(stderr,
            "ordergate check: %s:%lld: accepted, but left out: a field has a type or value that the service does not "
            "know\n",
            c->file ? c->file : "stdin", line->number);
}

/* Report on stderr, once, that an order in the output replaces an order that is still working. */
static void tell_in_place(struct check *c, const struct worker_line *line)
{
    if (c->replaces_told)
        return;
    c->replaces_told = true;
    fprintf(stderr,
            "ordergate check: %s:%lld: decided as if the order that it replaces were canceled, as are later lines with "
            "`replaces`: for send alone, which cancels that order first and then decides again\n",
            c->file ? c->file : "stdin", line->number);
}

/* Report on stderr that a line which `send` understands was left out, because only orders are written. If a cancel were
 * left out silently, its order would stay open. */
static void tell_left_out(struct check *c, enum og_op op, const struct og_order *order, const struct worker_line *line)
{
    const char *file = c->file ? c->file : "stdin";

    if (op == OG_OP_HEARTBEAT && c->emit == EMIT_ORDERS && !c->heartbeat_told) {
        c->heartbeat_told = true;
        fprintf(
            stderr,
            "ordergate check: %s:%lld: heartbeat left out, as are those after it: --emit orders writes orders only, so "
            "send --dead-man sees none; --emit lines writes them too\n",
            file, line->number);
    }
    if (((op == OG_OP_CANCEL && c->emit != EMIT_LINES) || op == OG_OP_REQUEST) && og_order_is_readable(order))
        fprintf(stderr, "ordergate check: %s:%lld: %s\n", file, line->number,
                op == OG_OP_CANCEL ? "cancel left out: only orders are written; --emit lines writes cancels too"
                                   : "request left out: only what send takes is written");
}

/* Append the output of a basket to the output of the batch. */
static bool spell_basket(struct check_worker *h, struct check_basket *b)
{
    return text_move(&h->out, &b->out) && text_move(&h->rejects, &b->rejects);
}

static bool spell_all(struct check_worker *h, const struct worker_batch *b)
{
    for (int i = 0; i < b->count; i++) {
        const bool beats = h->check->emit == EMIT_LINES && h->slot[i].op == OG_OP_HEARTBEAT;

        if (h->slot[i].basket.orders && !spell_basket(h, &h->slot[i].basket))
            return false;
        if ((beats && !text_heartbeat(&h->out)) || (h->slot[i].decided && !spell(h, i, b->line[i].number)))
            return false;
        h->slot[i].ends = h->out.len;
    }
    return true;
}

/* Show the decisions of the batch. */
static bool show_all(struct check_worker *h, const struct worker_batch *b)
{
    size_t at = 0;

    for (int i = 0; i < b->count; at = h->slot[i++].ends)
        if (!check_show(h->check, h->out.s + at, h->slot[i].ends - at, b->text + b->line[i].from, b->line[i].len))
            return false;
    h->out.len = 0;
    return check_show_put(h->check);
}

static bool put_all(struct check_worker *h, const struct worker_batch *b)
{
    struct check *c = h->check;

    for (int i = 0; i < b->count; i++) {
        c->orders += (long long)h->slot[i].basket.orders;
        c->refusals += h->slot[i].basket.accepted ? 0 : (long long)h->slot[i].basket.orders;
        c->orders += h->slot[i].decided;
        c->refusals += h->slot[i].decided && (!h->decision[i].accepted || h->slot[i].lost);
        if (h->slot[i].lost)
            tell_lost(c, &b->line[i]);
        if (h->slot[i].decided && h->slot[i].in_place && !h->slot[i].lost)
            tell_in_place(c, &b->line[i]);
        h->slot[i].lost = false;
        if (c->emit == EMIT_DECISIONS)
            continue;
        tell_left_out(c, h->slot[i].op, h->order[i], &b->line[i]);
        if (h->slot[i].decided && !h->decision[i].accepted)
            check_count_refusal(c, &h->decision[i], b->line[i].number);
    }
    check_prefault_more(c);
    c->bytes += (long long)b->len + b->count;
    og_progress("ordergate check", c->orders, c->refusals, "refused", c->bytes);
    return (c->show ? show_all(h, b) : out_text(&c->out, "ordergate check", &h->out)) &&
           (!c->rejects_path || out_text(&c->rejects, "ordergate check", &h->rejects));
}

/* Returns true if all earlier batches must be finished before this one changes the book. There are two cases. (a) A
 * policy or facts file must be loaded again; then *replaced is set, since findings point into the old policy. (b) A
 * line gives facts or a quote although orders are independent, and so are decided in any sequence. */
static bool changes_much(struct check_worker *h, const struct worker_batch *b, bool *replaced)
{
    *replaced = b->fresh && files_replaced(h->check);
    return *replaced || (h->check->independent && h->tells);
}

static bool handle_steps(struct worker_pool *pool, struct check_worker *h, struct worker_batch *b)
{
    bool out_of_turn, replaced;

    if (!decode(h, b))
        return false;
    out_of_turn = h->check->independent && !h->tells;
    if (!worker_pool_wait(pool, STEP_DECIDE, b) ||
        (changes_much(h, b, &replaced) && !worker_pool_wait(pool, STEP_WRITE, b)))
        return true;
    if (replaced)
        read_again(h->check);
    if (out_of_turn)
        worker_pool_pass(pool, STEP_DECIDE, b);
    if (!decide_all(h, b))
        return false;
    if (!out_of_turn)
        worker_pool_pass(pool, STEP_DECIDE, b);
    if (!spell_all(h, b))
        return false;
    if (!worker_pool_wait(pool, STEP_WRITE, b))
        return true;
    if (put_all(h, b))
        worker_pool_pass(pool, STEP_WRITE, b);
    else
        worker_pool_stop(pool);
    return true;
}

void check_batch(struct worker_pool *pool, struct worker_batch *b, void *own)
{
    struct check_worker *h = own;

    if (handle_steps(pool, h, b))
        return;
    h->check->no_memory = true;
    worker_pool_stop(pool);
}
