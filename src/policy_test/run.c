/*
 * Runs a test file: decides each case as `ordergate check` does, and compares the decision with the expectation. The
 * machine's clock is not used, and cases do not affect one another.
 */
#include "policy_test/run.h"

#include <stdio.h>
#include <stdlib.h>

#include "base/error.h"
#include "base/file.h"
#include "check/book.h"

/* Counts the overrides that the order reaches. Call this before the decision, since an accepted order changes the
 * book. */
static void cover_overrides(struct og_test_run *r, struct og_book *book, int64_t now)
{
    struct og_case c;

    if (!r->o->coverage || og_order_op(r->order) != OG_OP_ORDER)
        return;
    og_book_case(book, r->order, now, r->scratch, &c);
    og_test_coverage_add_overrides(r->o->coverage, &c, r->room);
}

/* --- deciding ----------------------------------------------------------------------------------------------------- */

static struct og_str account_of(const struct og_test_unit *u)
{
    struct og_str account = { 0 };

    for (size_t i = 0; i < u->from.count; i++)
        if (u->from.level[i]->account)
            account = u->from.level[i]->account->text;
    return account;
}

/* Load the facts into the book.  A fault is reported at the place where the test file sets the fact. */
static enum og_status apply_facts(struct og_test_run *r, const struct og_test_fixtures *from, struct og_book *book,
                                  struct og_error *err)
{
    struct og_error own = { 0 };
    enum og_status status = og_book_apply(book, NULL, r->facts.s, r->facts.len, "facts", &own);
    const struct og_yaml *at = status == OG_EFACTS ? og_test_facts_node(from, own.text) : NULL;

    if (at)
        return og_fail_at(err, status, r->t->source.name, at->key.s ? at->key_line : at->line,
                          at->key.s ? at->key_col : at->col, "facts: %s", own.text);
    return status ? og_fail(err, status, "%s", own.text[0] ? own.text : og_status_text(status)) : OG_OK;
}

/* Returns a book with the facts of the unit. The book does not own its policy, so it must be freed by close_book(). */
static struct og_book *open_book(struct og_test_run *r, struct og_test_unit *u, int64_t now, struct og_error *err)
{
    struct og_str account = account_of(u);
    struct og_book *book = NULL;
    enum og_status status = og_test_write_facts(r->t, &u->from, now, &r->facts, err);

    if (!status && (og_book_new(r->t->policy, &book) || og_book_settle_lag(book, 0)))
        status = og_fail(err, OG_ENOMEM, "out of memory");
    if (!status)
        /* the book must not read this machine's halt flags */
        status = og_book_halt_source(book, "", err);
    if (!status && account.len && og_book_default_account(book, account.s))
        status = og_fail(err, OG_ENOMEM, "out of memory");
    if (!status && r->facts.len)
        status = apply_facts(r, &u->from, book, err);
    for (size_t i = 0; i < u->from.count && !status; i++)
        status = og_test_add_waivers(r->t, u->from.level[i], book, now, err);
    if (!status)
        return book;
    (void)og_fail(err, status, "%s", og_status_text(status)); /* sets a text unless err already has one */
    if (book) {
        book->policy = NULL;
        og_book_free(book);
    }
    return NULL;
}

static void close_book(struct og_book *book)
{
    book->policy = NULL; /* the test owns the policy, so the book must not free it */
    og_book_free(book);
}

static bool decide_request(struct og_test_run *r, struct og_book *book, int64_t now, struct og_decision *d)
{
    if (og_request_read(r->request, r->line.s, r->line.len))
        return false;
    switch (og_request_what(r->request)) {
    case OG_REQUEST_CANCEL: og_check_cancel(book, r->request, now, r->scratch, d); break;
    case OG_REQUEST_READ: og_check_read(book, r->request, now, r->scratch, d); break;
    default: og_check_locate(book, r->request, now, r->scratch, d); break;
    }
    return true;
}

/* Add the figures of `check --margin` and `check --suggest` to the decision, if some are expected. */
static void add_figures(struct og_test_run *r, const struct og_test_unit *u, struct og_book *book, int64_t now,
                        struct og_decision *d)
{
    if (u->expect.node[OG_EXPECT_MARGIN])
        d->margin = &r->margin;
    if (!u->expect.node[OG_EXPECT_SUGGEST] || d->accepted)
        return;
    og_suggest(book, r->order, now, r->probes, &r->suggestion);
    d->suggest = &r->suggestion;
}

/* Decide the line, and reserve if ticket is not NULL. Returns false if memory ran out. */
static bool decide_line(struct og_test_run *r, const struct og_test_unit *u, struct og_book *book, int64_t now,
                        struct og_decision *d, og_ticket *ticket)
{
    bool ok = true;

    if (og_order_read(r->order, r->line.s ? r->line.s : "", r->line.len))
        return false;
    if (og_order_op(r->order) == OG_OP_CANCEL || og_order_op(r->order) == OG_OP_REQUEST)
        return decide_request(r, book, now, d);
    cover_overrides(r, book, now);
    if (u->expect.node[OG_EXPECT_MARGIN]) /* computed before the decision, after which the order itself would count as
                                           * working */
        og_margin_ask(book, r->order, now, r->scratch, &r->margin);
    if (ticket)
        ok = og_reserve(book, r->order, now, r->scratch, d, ticket) == OG_OK;
    else
        og_check(book, r->order, now, r->scratch, d);
    if (ok)
        add_figures(r, u, book, now, d);
    return ok;
}

/* Run a single decision. */
static void run_unit(struct og_test_run *r, struct og_test_unit *u)
{
    struct og_error err = { 0 };
    struct og_book *book = NULL;
    struct og_decision d;
    int64_t now;

    if (!og_test_decided_at(u->from.level, u->from.count, &now)) {
        (void)og_fail_at(&err, OG_EINVAL, r->t->source.name, u->node->line, u->node->col,
                         "the time of this decision is not given");
    } else if (!og_test_write_order(r->t, &u->from, &r->line, &err) && (book = open_book(r, u, now, &err))) {
        if (decide_line(r, u, book, now, &d, NULL))
            og_test_report(r, u, &d, NULL, false);
        else
            (void)og_fail(&err, OG_ENOMEM, "out of memory");
        close_book(book);
    }
    if (err.status)
        og_test_report_unusable(r, u, &err);
}

static struct og_test_unit unit_of(const struct og_test_run *r, const struct og_test_case *c)
{
    return (struct og_test_unit){ .c = c,
                                  .from = { .level = { &r->t->level, &c->level }, .count = 2 },
                                  .node = c->level.node,
                                  .part = "",
                                  .expect = c->level.expect };
}

/* Merge two expectations: those of a row or step replace those of its case. */
static void merge_expect(struct og_test_expect *to, const struct og_test_expect *inner)
{
    for (int i = 0; i < OG_EXPECTATIONS; i++) {
        if (!inner->node[i])
            continue;
        to->node[i] = inner->node[i];
        to->shared &= ~(1u << i);
        to->given = true;
    }
}

/* --- tables ------------------------------------------------------------------------------------------------------- */

static bool is_blank(const struct og_yaml *cell)
{
    return cell->kind == OG_YAML_SCALAR && !cell->quoted && (!cell->text.len || og_str_is(cell->text, "~"));
}

static const char *part_of(struct og_test_run *r, const char *what, int number, const struct og_yaml *name)
{
    char text[300];

    snprintf(text, sizeof text, "%s %d%s%.200s%s", what, number, name ? " (" : "", name ? name->text.s : "",
             name ? ")" : "");
    og_text_mask(text);
    return og_arena_copy(&r->arena, og_str_of(text)).s;
}

static void read_row(const struct og_test_case *c, const struct og_yaml *row, struct og_test_level *to)
{
    const struct og_yaml *column = c->columns->first;

    for (const struct og_yaml *cell = row->first; cell; cell = cell->next, column = column->next) {
        int what = og_test_expectation_of(column->text);

        if (is_blank(cell))
            continue;
        if (what >= 0)
            to->expect.node[what] = cell;
        else if (og_str_is(column->text, "name"))
            to->name = cell;
        else if (og_str_is(column->text, "at"))
            to->at = cell;
        else if (og_str_is(column->text, "account"))
            to->account = cell;
    }
}

static void run_table(struct og_test_run *r, const struct og_test_case *c)
{
    int number = 1;

    for (const struct og_yaml *row = c->rows->first; row && r->status != OG_ENOMEM; row = row->next, number++) {
        struct og_test_unit u = unit_of(r, c);

        u.node = row;
        read_row(c, row, &u.inner);
        merge_expect(&u.expect, &u.inner.expect);
        u.from.level[u.from.count++] = &u.inner;
        u.from.columns = c->columns;
        u.from.row = row;
        u.part = part_of(r, "row", number, u.inner.name);
        if (!u.part)
            r->status = og_fail(r->err, OG_ENOMEM, "out of memory");
        else
            run_unit(r, &u);
        og_arena_clear(&r->arena);
    }
}

/* --- files of orders ---------------------------------------------------------------------------------------------- */

/* Apply a line that is a quote, facts or a heartbeat. Returns false if the line is an order. */
static bool apply_world_line(struct og_test_run *r, struct og_book *book, struct og_error *err)
{
    enum og_status status = og_order_read(r->order, r->line.s, r->line.len);
    enum og_op op = status ? OG_OP_HEARTBEAT : og_order_op(r->order);

    if (op == OG_OP_QUOTE)
        status = og_book_quote(book, r->line.s, r->line.len, err);
    else if (op == OG_OP_FACTS)
        status = og_book_apply(book, NULL, r->line.s, r->line.len, "facts", err);
    if (status)
        (void)og_fail(err, status, "%s", og_status_text(status));
    return op == OG_OP_QUOTE || op == OG_OP_FACTS || op == OG_OP_HEARTBEAT;
}

static void run_line(struct og_test_run *r, struct og_test_unit *u, struct og_book *book, int64_t now, int number)
{
    struct og_error err = { 0 };
    struct og_decision d;
    og_ticket ticket;

    u->part = part_of(r, "line", number, NULL);
    if (!u->part || apply_world_line(r, book, &err)) {
        if (err.status || !u->part)
            og_test_report_unusable(r, u, &err);
    } else if (decide_line(r, u, book, now, &d, u->c->independent ? NULL : &ticket)) {
        og_test_report(r, u, &d, NULL, false);
    } else {
        r->status = og_fail(r->err, OG_ENOMEM, "out of memory");
    }
    og_arena_clear(&r->arena);
}

/* Copy a line, without its line end, into r->line. Returns false if it is blank. */
static bool trim_line(struct og_test_run *r, const char *line, ssize_t len)
{
    while (len > 0 && strchr(" \t\r\n", line[len - 1]))
        len--;
    og_buf_reset(&r->line);
    og_buf_bytes(&r->line, line, (size_t)len);
    return len > 0;
}

static void run_lines(struct og_test_run *r, struct og_test_unit *u, struct og_book *book, int64_t now, FILE *file)
{
    int number = 0;
    char *line = NULL;
    size_t room = 0;
    ssize_t len;

    while (r->status != OG_ENOMEM && (len = getline(&line, &room, file)) >= 0) {
        number++;
        if (trim_line(r, line, len))
            run_line(r, u, book, now, number);
    }
    free(line);
}

static void run_orders(struct og_test_run *r, const struct og_test_case *c)
{
    const char *name = og_test_path(r->t, c->orders->text.s, false);
    struct og_error err = { 0 };
    struct og_test_unit u = unit_of(r, c);
    struct og_file_why why = { "is out of memory" };
    int fd = name ? og_file_try(name, OG_FILE_READ, NULL, &why) : -1;
    FILE *file = fd >= 0 ? fdopen(fd, "r") : NULL;
    struct og_book *book = NULL;
    int64_t now;

    og_buf_reset(&r->line);
    if (!file)
        (void)og_fail_at(&err, OG_EIO, r->t->source.name, c->orders->line, c->orders->col, "file of orders '%s' %s",
                         name ? name : "", why.text);
    else if (og_test_decided_at(u.from.level, u.from.count, &now) && (book = open_book(r, &u, now, &err)))
        run_lines(r, &u, book, now, file);
    if (file && ferror(file))
        (void)og_fail(&err, OG_EIO, "file of orders '%s' cannot be read", name);
    if (err.status)
        og_test_report_unusable(r, &u, &err);
    if (book)
        close_book(book);
    if (file)
        fclose(file);
}

/* --- sequences ---------------------------------------------------------------------------------------------------- */

static void read_step(struct og_test_run *r, const struct og_yaml *node, struct og_test_level *to)
{
    to->node = node;
    for (const struct og_yaml *n = node->first; n; n = n->next) /* results are ignored: faults were reported when the
                                                                 * file was read */
        (void)og_test_read_level(r->t, n, to);
}

/* Date facts that have no time at `now`. Then apply the step's own facts, which replace earlier ones of the same
 * name. */
static bool step_facts(struct og_test_run *r, const struct og_test_unit *u, struct og_book *book, int64_t now,
                       struct og_error *err)
{
    const struct og_yaml *quote = og_yaml_get(u->node, "quote");
    struct og_test_fixtures own = { .level = { &u->inner }, .count = 1 };
    enum og_status status =
        og_test_write_ages(r->fresh, now, &r->facts) ? OG_OK : og_fail(err, OG_ENOMEM, "out of memory");
    cJSON *json;

    if (!status)
        status = og_book_apply(book, NULL, r->facts.s, r->facts.len, "facts", err);
    if (!status)
        status = og_test_write_facts(r->t, &own, now, &r->facts, err);
    if (!status && r->facts.len)
        status = apply_facts(r, &own, book, err);
    r->fresh = (r->fresh & ~own.named) | own.fresh;
    if (!status)
        status = og_test_add_waivers(r->t, &u->inner, book, now, err);
    if (status)
        (void)og_fail(err, status, "%s", og_status_text(status));
    if (status || !quote)
        return status == OG_OK;
    json = og_test_json(quote);
    if (json && !og_doc_get(json, "asOf"))
        og_doc_put_text(json, "asOf", og_time_text(now).s);
    og_buf_reset(&r->facts);
    status = json && og_doc_text(json, &r->facts) ? og_book_quote(book, r->facts.s, r->facts.len, err)
                                                  : og_fail(err, OG_ENOMEM, "out of memory");
    cJSON_Delete(json);
    if (status)
        (void)og_fail(err, status, "%s", og_status_text(status));
    return status == OG_OK;
}

/* Report to the book what happened to an accepted order.  Returns false if the order was refused. */
static bool apply_outcome(struct og_book *book, og_ticket ticket, const struct og_yaml *then, int64_t now,
                          struct og_error *err)
{
    if (!ticket)
        return false;
    og_ticket_sent(book, ticket, now);
    if (og_str_is(then->text, "rejected"))
        og_ticket_rejected(book, ticket);
    else if (og_str_is(then->text, "released"))
        og_ticket_release(book, ticket);
    else if (og_ticket_fill(book, ticket, OG_FILL_WHOLE, og_money_from(0), now))
        (void)og_fail(err, OG_ENOMEM, "this fill cannot be counted exactly");
    return true;
}

static void run_step(struct og_test_run *r, struct og_test_unit *u, struct og_book *book)
{
    const struct og_yaml *then = og_yaml_get(u->node, "then");
    bool decides = u->inner.order || u->inner.request || u->inner.expect.given, outcome_applied = false;
    struct og_error err = { 0 };
    struct og_decision d;
    og_ticket ticket = 0;
    int64_t now;

    if (!og_test_decided_at(u->from.level, u->from.count, &now))
        return; /* a missing time was reported when the file was read */
    if (step_facts(r, u, book, now, &err) && decides && !og_test_write_order(r->t, &u->from, &r->line, &err)) {
        if (!decide_line(r, u, book, now, &d, &ticket))
            (void)og_fail(&err, OG_ENOMEM, "out of memory");
        else if (then)
            outcome_applied = apply_outcome(book, ticket, then, now, &err);
        if (!err.status && (u->expect.given || then))
            og_test_report(r, u, &d, then, outcome_applied);
        else if (!err.status && r->o->coverage)
            og_test_coverage_add_decision(r->o->coverage, &d);
    }
    if (err.status)
        og_test_report_unusable(r, u, &err);
}

static void run_sequence(struct og_test_run *r, const struct og_test_case *c)
{
    struct og_test_unit all = unit_of(r, c);
    struct og_error err = { 0 };
    struct og_book *book;
    int64_t now;
    int number = 1;

    og_buf_reset(&r->line);
    /* neither the case nor the file sets a time, so the first step does */
    if (!og_test_decided_at(all.from.level, 2, &now)) {
        read_step(r, c->sequence->first, &all.inner);
        (void)og_test_read_time(all.inner.at->text, OG_TIME_UNKNOWN, &now);
    }
    book = open_book(r, &all, now, &err);
    r->fresh = all.from.fresh;
    if (!book) {
        og_test_report_unusable(r, &all, &err);
        return;
    }
    for (const struct og_yaml *step = c->sequence->first; step && r->status != OG_ENOMEM; step = step->next, number++) {
        struct og_test_unit u = unit_of(r, c);

        u.node = step;
        read_step(r, step, &u.inner);
        merge_expect(&u.expect, &u.inner.expect);
        u.from.level[u.from.count++] = &u.inner;
        u.part = part_of(r, "step", number, u.inner.name);
        run_step(r, &u, book);
        og_arena_clear(&r->arena);
    }
    close_book(book);
}

/* --- the file ----------------------------------------------------------------------------------------------------- */

static void run_case(struct og_test_run *r, const struct og_test_case *c)
{
    struct og_test_unit u = unit_of(r, c);

    if (c->orders)
        run_orders(r, c);
    else if (c->rows)
        run_table(r, c);
    else if (c->sequence)
        run_sequence(r, c);
    else
        run_unit(r, &u);
    og_arena_clear(&r->arena);
}

/* Returns false if the filter excludes the case.  Tables and sequences are always run, since the filter may name one of
 * their parts. */
static bool may_match_filter(const struct og_test_run *r, const struct og_test_case *c)
{
    return !r->o->filter || c->rows || c->sequence || og_test_matches_filter(r->o->filter, c->level.name->text.s, "");
}

enum og_status og_policy_test_run(struct og_policy_test *t, const struct og_policy_test_options *options,
                                  og_policy_test_listener *listener, void *with, struct og_error *err)
{
    struct og_test_run r = { .t = t, .o = options, .listener = listener, .with = with, .err = err };

    if (!t || !options || !listener)
        return og_missing(err);
    r.order = og_order_new();
    r.request = og_request_new();
    r.scratch = og_scratch_new();
    r.probes = og_scratch_new();
    r.room = og_pattern_room_new();
    og_buf_init(&r.line, 0);
    og_buf_init(&r.facts, 0);
    og_arena_init(&r.arena, 0);
    t->edits = t->last_edit = NULL;
    if (!r.order || !r.request || !r.scratch || !r.probes || !r.room ||
        (options->coverage && !og_test_coverage_begin(options->coverage, t)))
        r.status = og_fail(err, OG_ENOMEM, "out of memory");
    for (size_t i = 0; i < t->count && r.status != OG_ENOMEM; i++)
        if (may_match_filter(&r, &t->cases[i]))
            run_case(&r, &t->cases[i]);
    if (t->diagnostics.oom)
        r.status = og_fail(err, OG_ENOMEM, "out of memory");
    og_arena_clear(&r.arena);
    og_buf_clear(&r.line);
    og_buf_clear(&r.facts);
    og_pattern_room_free(r.room);
    og_scratch_free(r.scratch);
    og_scratch_free(r.probes);
    og_request_free(r.request);
    og_order_free(r.order);
    return r.status;
}

static void entry_of(const struct og_test_case *c, const struct og_yaml *node, size_t number,
                     struct og_policy_test_entry *entry)
{
    *entry = (struct og_policy_test_entry){
        .name = c->level.name->text.s, .part = "", .line = node->line, .col = node->col
    };
    if (number)
        snprintf(entry->part, sizeof entry->part, "%s %zu", c->rows ? "row" : "step", number);
}

bool og_policy_test_entry(const struct og_policy_test *t, size_t i, const char *filter,
                          struct og_policy_test_entry *entry)
{
    if (!t || !entry)
        return false;
    for (size_t k = 0; k < t->count; k++) {
        const struct og_test_case *c = &t->cases[k];
        const struct og_yaml *list = c->rows ? c->rows : c->sequence;
        size_t number = 0;

        for (const struct og_yaml *n = list ? list->first : c->level.node; n; n = list ? n->next : NULL) {
            entry_of(c, n, list ? ++number : 0, entry);
            if (og_test_matches_filter(filter, entry->name, entry->part) && i-- == 0)
                return true;
        }
    }
    return false;
}
