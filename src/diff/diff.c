/*
 * Decides one order by two policies and compares the decisions.  Each order is decided with the given facts alone,
 * without regard to the orders before it.
 */
#include "diff/diff.h"

#include <stdio.h>
#include <stdlib.h>

#include "base/error.h"
#include "diff/replay.h"
#include "text/doc.h"

/* --- one book, two policies --------------------------------------------------------------------------------------- */

static void book_free(struct og_diff *d)
{
    if (d->book)
        d->book->policy = NULL; /* the policy is not freed with the book: its caller frees it */
    og_book_free(d->book);
    d->book = NULL;
}

enum og_status og_diff_book(struct og_diff *d, const char *json, size_t len, struct og_error *err)
{
    enum og_status status;

    book_free(d);
    status = og_book_new(d->policy[0], &d->book);
    if (status == OG_OK)
        status = og_book_default_account(d->book, d->account);
    if (status == OG_OK)
        status = og_book_halt_source(d->book, "", err); /* a halt in force now must not influence the comparison */
    if (status == OG_OK && json)
        status = og_book_apply(d->book, NULL, json, len, "the facts made", err);
    for (const struct og_diff_facts *f = d->facts; f && status == OG_OK; f = f->next)
        status = og_book_apply(d->book, NULL, f->json, f->len, f->name, err);
    return status;
}

static void check(struct og_diff *d, bool is_order, int64_t now, struct og_scratch *scratch,
                  struct og_decision *decision)
{
    /* a sender decides a replacement twice: first as if the old order were canceled, then again once it is canceled */
    if (is_order && d->replay && d->order->replaces.len &&
        og_check_replacement(d->book, d->order, now, scratch, decision))
        return;
    if (is_order) {
        og_check(d->book, d->order, now, scratch, decision);
        return;
    }
    switch (og_request_what(d->request)) {
    case OG_REQUEST_CANCEL: og_check_cancel(d->book, d->request, now, scratch, decision); return;
    case OG_REQUEST_READ: og_check_read(d->book, d->request, now, scratch, decision); return;
    default: og_check_locate(d->book, d->request, now, scratch, decision);
    }
}

enum og_status og_diff_decide(struct og_diff *d, const char *line, size_t len, int64_t now,
                              struct og_decision decision[2])
{
    enum og_status status = og_order_read(d->order, line, len);
    enum og_op op = og_order_op(d->order);
    bool is_order = op != OG_OP_CANCEL && op != OG_OP_REQUEST;

    if (status == OG_OK && !is_order)
        status = og_request_read(d->request, line, len);
    for (int i = 0; i < 2 && status == OG_OK; i++) {
        d->book->policy = d->policy[i];
        check(d, is_order, now, d->scratch[i], &decision[i]);
    }
    return status;
}

/* --- findings ----------------------------------------------------------------------------------------------------- */

enum weight { NONE = 0, SHADOW, INFO, WARN, REFUSE };

static const char *const weights[] = { "none", "shadow", "info", "warn", "refuse" };

struct weighed {
    const struct og_finding *finding;
    enum weight weight;
    bool taken;
};

static size_t collect(const struct og_decision *d, struct weighed to[2 * OG_FINDINGS_MOST])
{
    size_t count = 0;

    for (int i = 0; i < d->count; i++)
        to[count++] = (struct weighed){ &d->findings[i], (enum weight)(d->findings[i].level + 1), false };
    for (int i = 0; i < d->shadow_count; i++)
        to[count++] = (struct weighed){ &d->shadow[i], SHADOW, false };
    return count;
}

static bool same(const struct og_finding *a, const struct og_finding *b)
{
    return strcmp(a->rule, b->rule) == 0 && strcmp(a->reason, b->reason) == 0 && strcmp(a->field, b->field) == 0;
}

static void note(struct og_diff *d, const struct weighed *from, const struct weighed *to)
{
    const struct og_finding *said = !to || (from && from->weight > to->weight) ? from->finding : to->finding;

    d->finding[d->findings++] = (struct og_diff_finding){ .rule = said->rule,
                                                          .reason = said->reason,
                                                          .from = weights[from ? from->weight : NONE],
                                                          .to = weights[to ? to->weight : NONE],
                                                          .message = said->message };
}

/* Mark the findings that explain the change of the verdict: those that refuse the order in only one of the policies;
 * all findings if the change is NOTED. */
static void explain(struct og_diff *d, enum og_diff_what what)
{
    for (size_t i = 0; i < d->findings; i++) {
        struct og_diff_finding *f = &d->finding[i];

        f->explains = what == OG_DIFF_NOTED || (what == OG_DIFF_LOOSENED && f->from == weights[REFUSE]) ||
                      (what == OG_DIFF_TIGHTENED && f->to == weights[REFUSE]);
    }
}

/* Returns the rule's id as the policy stores it: the copy in the decision is freed with the decision. */
static const char *lasting(const struct og_diff *d, const char *rule)
{
    const char *id = og_policy_rule_id(d->policy[0], rule);

    return id ? id : og_policy_rule_id(d->policy[1], rule);
}

/* Add the rules that make the verdict looser for this order to d->loosened. The array has room for every rule of both
 * policies. */
static void remember(struct og_diff *d)
{
    for (size_t i = 0; i < d->findings; i++) {
        size_t k = 0;

        while (k < d->loosened_count && strcmp(d->loosened[k], d->finding[i].rule) != 0)
            k++;
        if (d->finding[i].explains && k == d->loosened_count)
            d->loosened[d->loosened_count++] = lasting(d, d->finding[i].rule);
    }
}

enum og_diff_what og_diff_compare(struct og_diff *d, const struct og_decision decision[2])
{
    struct weighed a[2 * OG_FINDINGS_MOST], b[2 * OG_FINDINGS_MOST];
    size_t as = collect(&decision[0], a), bs = collect(&decision[1], b);
    enum og_diff_what what = OG_DIFF_SAME;

    d->findings = 0;
    for (size_t i = 0; i < as; i++) {
        size_t k = 0;

        while (k < bs && (b[k].taken || !same(a[i].finding, b[k].finding)))
            k++;
        if (k < bs)
            b[k].taken = true;
        if (k == bs || a[i].weight != b[k].weight)
            note(d, &a[i], k < bs ? &b[k] : NULL);
    }
    for (size_t k = 0; k < bs; k++)
        if (!b[k].taken)
            note(d, NULL, &b[k]);
    if (decision[0].accepted != decision[1].accepted)
        what = decision[1].accepted ? OG_DIFF_LOOSENED : OG_DIFF_TIGHTENED;
    else if (d->findings)
        what = OG_DIFF_NOTED;
    explain(d, what);
    if (what == OG_DIFF_LOOSENED)
        remember(d);
    og_diff_count(d, what);
    return what;
}

/* --- the caller's lines ------------------------------------------------------------------------------------------- */

static enum og_status take_in(struct og_diff *d, const char *line, size_t len, struct og_error *err)
{
    switch (og_order_op(d->order)) {
    case OG_OP_QUOTE: return og_book_quote(d->book, line, len, err);
    case OG_OP_FACTS: return og_book_apply(d->book, NULL, line, len, "facts", err);
    default: return OG_OK;
    }
}

static enum og_status tell(struct og_diff *d, const char *line, size_t len, int64_t now, enum og_diff_what *what,
                           og_diff_listener *listener, void *with)
{
    struct og_decision decision[2];
    struct og_diff_change change = { .at = now, .finding = d->finding };
    enum og_status status = og_diff_decide(d, line, len, now, decision);

    if (status != OG_OK)
        return status;
    if (d->replay)
        og_replay_judge(d, &decision[0]);
    *what = change.what = og_diff_compare(d, decision);
    change.count = d->findings;
    og_buf_reset(&d->line);
    og_buf_bytes(&d->line, line, len);
    change.order = d->line.s;
    if (d->line.bad)
        return OG_ENOMEM;
    if (change.what != OG_DIFF_SAME && listener)
        listener(with, &change);
    return OG_OK;
}

enum og_status og_diff_line(struct og_diff *d, const char *line, size_t len, int64_t now, enum og_diff_what *what,
                            og_diff_listener *listener, void *with, struct og_error *err)
{
    enum og_status status;
    enum og_op op;

    if (!d || !what)
        return og_missing(err);
    status = og_order_read(d->order, line, len);
    op = og_order_op(d->order);
    *what = OG_DIFF_SAME;
    if (status != OG_OK || op == OG_OP_QUOTE || op == OG_OP_FACTS || op == OG_OP_HEARTBEAT)
        return status ? status : take_in(d, line, len, err);
    return tell(d, line, len, now, what, listener, with);
}

/* Write the order line of a ledger row, whose order is `body`. The line names the row's account, because the order was
 * meant for that account. */
static enum og_status line_of(struct og_diff *d, const cJSON *row, const cJSON *body, struct og_buf *b)
{
    struct og_str account = { NULL, 0 };
    enum og_status status;
    size_t len = 0;

    if (!body || !og_doc_text(body, b) || og_order_read(d->order, b->s, b->len) != OG_OK)
        return OG_ESYNTAX;
    if (og_doc_str(row, "accountId", &account) && account.len && og_order_set_account(d->order, account.s) != OG_OK)
        return OG_ENOMEM;
    status = og_order_line(d->order, NULL, 0, &len);
    og_buf_reset(b);
    if (status == OG_EINVAL && og_buf_reserve(b, len)) {
        status = og_order_line(d->order, b->s, len + 1, &len);
        b->len = len;
    }
    return status;
}

enum og_status og_diff_ledger_row(struct og_diff *d, const char *row, size_t len, bool *refused,
                                  enum og_diff_what *what, og_diff_listener *listener, void *with, struct og_error *err)
{
    struct og_str record, outcome, at;
    const cJSON *body;
    struct og_buf b;
    cJSON *doc;
    int64_t now;
    enum og_status status;

    if (!d || !row || !refused || !what)
        return og_missing(err);
    status = og_doc_read(row, len, "the ledger", &doc, err);
    *refused = false;
    *what = OG_DIFF_SAME;
    if (status != OG_OK)
        return status;
    og_buf_init(&b, 0);
    if (!og_doc_str(doc, "record", &record) || !og_doc_str(doc, "at", &at) || !og_time_read(at.s, at.len, &now))
        status = og_fail(err, OG_ESYNTAX, "this is not a row of ordergate ledger export");
    *refused = status == OG_OK && og_str_is(record, "decision") && og_doc_str(doc, "outcome", &outcome) &&
               og_str_is(outcome, "refused");
    body = og_doc_get(doc, "detail");
    body = *refused ? og_doc_get(body, "order") : body;
    if (status == OG_OK && d->replay && (status = og_replay_enter(d, &doc, now)) != OG_OK)
        status = og_fail(err, status, "out of memory");
    if (status == OG_OK && !(*refused && body) && !og_str_is(record, "intent"))
        status = OG_ENOENT;
    if (status == OG_OK && (status = line_of(d, doc, body, &b)) == OG_ESYNTAX)
        status = og_fail(err, OG_ESYNTAX, "the body in this row is not an order");
    if (status == OG_OK)
        status = tell(d, b.s, b.len, now, what, listener, with);
    if (status == OG_OK && d->replay && !*refused)
        status = og_replay_count(d, doc, now);
    cJSON_Delete(doc);
    og_buf_clear(&b);
    return status;
}

/* --- making a diff ------------------------------------------------------------------------------------------------ */

enum og_status og_diff_new(struct og_policy *before, struct og_policy *after, struct og_diff **diff)
{
    struct og_diff *d;
    enum og_status status;

    if (!before || !after || !diff)
        return OG_EINVAL;
    d = calloc(1, sizeof *d);
    *diff = NULL;
    if (!d)
        return OG_ENOMEM;
    d->policy[0] = before;
    d->policy[1] = after;
    d->next_facts = &d->facts;
    og_arena_init(&d->arena, 0);
    og_buf_init(&d->line, 0);
    d->scratch[0] = og_scratch_new();
    d->scratch[1] = og_scratch_new();
    d->order = og_order_new();
    d->request = og_request_new();
    status = d->scratch[0] && d->scratch[1] && d->order && d->request ? og_diff_book(d, NULL, 0, NULL) : OG_ENOMEM;
    if (status == OG_OK)
        status = og_settings_compare(before, after, &d->arena, &d->settings[0]);
    if (status == OG_OK)
        status = og_settings_compare(after, before, &d->arena, &d->settings[1]);
    for (int way = 0; way < 2 && status == OG_OK; way++)
        if (!(d->concerns[way] = og_arena_take(&d->arena, (d->settings[way].differ + 1) * sizeof *d->concerns[way])))
            status = OG_ENOMEM;
    if (status == OG_OK &&
        !(d->loosened = og_arena_take(&d->arena, (og_rules_size + before->custom_count + after->custom_count + 1) *
                                                     sizeof *d->loosened)))
        status = OG_ENOMEM;
    if (status == OG_OK)
        *diff = d;
    else
        og_diff_free(d);
    return status;
}

void og_diff_free(struct og_diff *d)
{
    struct og_diff_facts *f;

    if (!d)
        return;
    book_free(d);
    og_replay_free(d->replay);
    while ((f = d->facts)) {
        d->facts = f->next;
        free(f->json);
        free(f->name);
        free(f);
    }
    og_scratch_free(d->scratch[0]);
    og_scratch_free(d->scratch[1]);
    og_order_free(d->order);
    og_request_free(d->request);
    og_arena_clear(&d->arena);
    og_buf_clear(&d->line);
    free(d->account);
    free(d);
}

static bool is_of(struct og_str group, const char *rule)
{
    size_t dot = group.s[0] == 'r' ? 6 : 7, len = strlen(rule);

    return (strncmp(group.s, "rules.", 6) == 0 || strncmp(group.s, "custom.", 7) == 0) && group.len == dot + len &&
           memcmp(group.s + dot, rule, len) == 0;
}

/* Returns true if some order was loosened by the rule that the setting belongs to, or by a rule that uses the setting.
 * A setting of no rule counts as used by every rule. */
static bool is_shown(const struct og_diff *d, const struct og_setting_pair *p)
{
    char group[160];

    for (size_t i = 0; i < d->loosened_count; i++) {
        if (strchr(p->group.s, '.') && (p->rule >= 0 || strncmp(p->path.s, "custom.", 7) == 0)) {
            if (is_of(p->group, d->loosened[i]))
                return true;
            continue;
        }
        if (strncmp(p->path.s, "lists.", 6) != 0)
            return true;
        for (int custom = 0; custom < 2; custom++) {
            int n = snprintf(group, sizeof group, "%s%s", custom ? "custom." : "rules.", d->loosened[i]);

            if (og_settings_leans(&d->settings[0], (struct og_str){ group, (size_t)n },
                                  (struct og_str){ p->path.s + 6, p->path.len - 6 }))
                return true;
        }
    }
    return false;
}

bool og_diff_setting(const struct og_diff *d, size_t i, struct og_diff_setting *setting)
{
    const struct og_setting_pair *p;

    if (!d)
        return false;
    if (i >= d->settings[0].differ)
        return false;
    p = &d->settings[0].pair[d->settings[0].differs[i]];
    *setting = (struct og_diff_setting){ .path = p->path.s,
                                         .before = p->before.s,
                                         .after = p->after.s,
                                         .what = p->what,
                                         .may_pass = p->may_pass,
                                         .shown = p->may_pass && is_shown(d, p) };
    return true;
}

enum og_status og_diff_facts(struct og_diff *d, const char *json, size_t len, const char *name, struct og_error *err)
{
    struct og_diff_facts *f;
    enum og_status status;

    if (!d || !json)
        return og_missing(err);
    f = calloc(1, sizeof *f);
    status = og_book_apply(d->book, NULL, json, len, name, err);
    if (!f || status != OG_OK || !(f->json = malloc(len + 1)) || !(f->name = strdup(name ? name : "facts"))) {
        if (f)
            free(f->json);
        free(f);
        return status ? status : OG_ENOMEM;
    }
    memcpy(f->json, json, len);
    f->json[len] = '\0';
    f->len = len;
    *d->next_facts = f;
    d->next_facts = &f->next;
    return OG_OK;
}

enum og_status og_diff_account(struct og_diff *d, const char *account)
{
    char *copy;

    if (!d)
        return OG_EINVAL;
    copy = account ? strdup(account) : NULL;
    if (account && !copy)
        return OG_ENOMEM;
    free(d->account);
    d->account = copy;
    return og_book_default_account(d->book, account);
}
