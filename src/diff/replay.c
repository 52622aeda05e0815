/*
 * The state of a ledger's day: an order that was sent counts for later orders, with the outcome that the ledger
 * records. Each recorded decision is compared with the decision of the policy `before` in that state.
 */
#include "diff/replay.h"

#include <stdlib.h>

#include "base/json_write.h"

enum og_status og_diff_replay(struct og_diff *d)
{
    if (!d)
        return OG_EINVAL;
    if (!d->replay)
        d->replay = calloc(1, sizeof *d->replay);
    for (int side = 0; d->replay && side < 2; side++) /* the facts are carried over from row to row, so none is too
                                                       * old */
        memset(d->policy[side]->max_age, 0, sizeof d->policy[side]->max_age);
    return d->replay ? OG_OK : OG_ENOMEM;
}

void og_replay_free(struct og_replay *r)
{
    if (!r)
        return;
    og_map_clear(&r->tickets);
    cJSON_Delete(r->accepted);
    free(r);
}

bool og_diff_replayed(const struct og_diff *d, struct og_diff_replayed *told)
{
    if (!d || !told || !d->replay)
        return false;
    *told = d->replay->told;
    return true;
}

/* --- the recorded decision ---------------------------------------------------------------------------------------- */

static bool is_text(const cJSON *object, const char *key, const char *text)
{
    struct og_str s = { NULL, 0 };

    return og_doc_str(object, key, &s) && og_str_is(s, text);
}

static const struct og_finding *not_recorded(const struct og_decision *d, const cJSON *findings)
{
    for (int i = 0; i < d->count; i++) {
        const struct og_finding *f = &d->findings[i];
        const cJSON *item;
        bool found = false;

        cJSON_ArrayForEach (item, findings)
            found = found || (is_text(item, "rule", f->rule) && is_text(item, "reason", f->reason) &&
                              is_text(item, "level", og_level_name(f->level)));
        if (!found)
            return f;
    }
    return NULL;
}

/* Returns true if a recorded finding was not made again, and sets its rule and reason. */
static bool not_made(const struct og_decision *d, const cJSON *findings, struct og_str *rule, struct og_str *reason)
{
    const cJSON *item;

    cJSON_ArrayForEach (item, findings) {
        bool found = false;

        for (int i = 0; i < d->count; i++)
            found = found ||
                    (is_text(item, "rule", d->findings[i].rule) && is_text(item, "reason", d->findings[i].reason) &&
                     is_text(item, "level", og_level_name(d->findings[i].level)));
        if (!found)
            return og_doc_str(item, "rule", rule) && og_doc_str(item, "reason", reason);
    }
    return false;
}

static void remember(struct og_replay *r, const struct og_decision *d, const cJSON *row, const cJSON *findings)
{
    const struct og_finding *more = not_recorded(d, findings);
    struct og_str id = { NULL, 0 }, rule, reason, at;
    struct og_buf b;

    og_buf_init_fixed(&b, r->told.first, sizeof r->told.first);
    if (og_doc_str(row, "at", &at) && og_doc_str(row, "clientOrderId", &id))
        og_buf_format(&b, "%s at %s: ", id.s, at.s);
    if (not_made(d, findings, &rule, &reason))
        og_buf_format(&b, "the record has %s of %s", reason.s, rule.s);
    else if (more)
        og_buf_format(&b, "%s of %s is not in the record", more->reason, more->rule);
    else
        og_buf_text(&b, "the verdict is another");
}

void og_replay_judge(struct og_diff *d, const struct og_decision *decision)
{
    struct og_replay *r = d->replay;
    const cJSON *row = r->now, *detail = row ? og_doc_get(row, "detail") : NULL, *findings;
    struct og_str rule, reason;

    if (!detail)
        return;
    r->told.recorded++;
    if (!is_text(detail, "policy", d->policy[0]->digest)) {
        r->told.others++;
        return;
    }
    findings = og_doc_get(detail, "findings");
    if (decision->accepted == is_text(detail, "verdict", "accept") && !not_recorded(decision, findings) &&
        !not_made(decision, findings, &rule, &reason))
        r->told.reproduced++;
    else if (!r->told.first[0])
        remember(r, decision, row, findings);
}

/* --- updates and outcomes of orders ------------------------------------------------------------------------------- */

/* Returns the key of the row's order, in memory of the diff; empty if the row has none, or memory runs out. */
static struct og_str key_of(struct og_diff *d, const cJSON *row)
{
    struct og_str account = { NULL, 0 }, id = { NULL, 0 }, key;
    struct og_buf b;

    og_buf_init(&b, 0);
    if (og_doc_str(row, "accountId", &account) && og_doc_str(row, "clientOrderId", &id))
        og_buf_format(&b, "%s %s", account.s, id.s);
    key = og_arena_copy(&d->arena, (struct og_str){ b.s, b.len });
    og_buf_clear(&b);
    return key;
}

enum og_status og_replay_count(struct og_diff *d, const cJSON *row, int64_t at)
{
    struct og_decision decision;
    struct og_str key = key_of(d, row);
    og_ticket *ticket = og_arena_take(&d->arena, sizeof *ticket);
    enum og_status status;

    if (!ticket || !key.s || !key.len)
        return OG_ENOMEM;
    d->book->policy = d->policy[0];
    status = og_reserve(d->book, d->order, at, d->scratch[0], &decision, ticket);
    if (status == OG_OK && !*ticket) /* the ledger shows that the order was sent: reserve it even if the policy refuses
                                      * it here */
        status = og_reserve_sent(d->book, d->order, at, d->scratch[0], ticket);
    if (status == OG_ENOMEM || !og_map_put(&d->replay->tickets, NULL, key, ticket))
        return OG_ENOMEM;
    return OG_OK;
}

/* Pass the state that the row records for its order to the book, in the form of an update from the broker. */
static enum og_status move(struct og_diff *d, const cJSON *row, og_ticket ticket, int64_t at)
{
    static const char *const statuses[][2] = { { "posted", "PendingNew" }, { "working", "New" },
                                               { "canceled", "Canceled" }, { "rejected", "Rejected" },
                                               { "expired", "Expired" },   { "filled", "Filled" },
                                               { "done", "DoneForDay" } };
    struct og_str account, id;
    struct og_money price = { 0, 0 };
    enum og_status status = OG_OK;
    int64_t executed = 0;
    struct og_buf b;

    if (is_text(row, "state", "not-sent"))
        og_ticket_release(d->book, ticket);
    if (og_doc_int(row, "executed", &executed) && executed > 0 && og_doc_money(row, "priceAvg", &price))
        status = og_ticket_fill(d->book, ticket, executed, price, at);
    if (status == OG_ENOMEM || !og_doc_str(row, "accountId", &account) || !og_doc_str(row, "clientOrderId", &id))
        return status == OG_ENOMEM ? OG_ENOMEM : OG_OK;
    og_buf_init(&b, 0);
    for (size_t i = 0; i < sizeof statuses / sizeof *statuses; i++)
        if (is_text(row, "state", statuses[i][0])) {
            og_buf_format(&b, "{\"orderStatus\":\"%s\",\"executed\":%lld", statuses[i][1], (long long)executed);
            og_member_str(&b, "clientOrderId", id);
            og_buf_char(&b, '}');
            status = b.bad ? OG_ENOMEM : og_book_row(d->book, account.s, b.s, b.len, at, &ticket, NULL);
        }
    og_buf_clear(&b);
    return status == OG_ENOMEM ? OG_ENOMEM : OG_OK;
}

static enum og_status follow(struct og_diff *d, const cJSON *row, int64_t at)
{
    struct og_str account, id, old;
    struct og_str key = key_of(d, row);
    const og_ticket *ticket = key.len ? og_map_get(&d->replay->tickets, key) : NULL;

    d->book->policy = d->policy[0];
    if (is_text(row, "record", "replace") && og_doc_str(row, "accountId", &account) &&
        og_doc_str(row, "clientOrderId", &id) && og_doc_str(row, "text", &old))
        return og_book_replaced(d->book, account.s, old.s, is_text(row, "state", "not-sent") ? NULL : id.s);
    if (ticket && *ticket && (is_text(row, "record", "update") || is_text(row, "record", "outcome")))
        return move(d, row, *ticket, at);
    return OG_OK;
}

enum og_status og_replay_enter(struct og_diff *d, cJSON **row, int64_t at)
{
    struct og_replay *r = d->replay;
    struct og_str id = { NULL, 0 };

    r->now = NULL;
    if (is_text(*row, "record", "decision") && is_text(*row, "outcome", "refused")) {
        r->now = *row;
    } else if (is_text(*row, "record", "decision")) {
        cJSON_Delete(r->accepted);
        r->accepted = *row;
        *row = NULL;
        return OG_OK;
    } else if (is_text(*row, "record", "intent") && r->accepted && og_doc_str(*row, "clientOrderId", &id) &&
               is_text(r->accepted, "clientOrderId", id.s)) {
        r->now = r->accepted;
    }
    return follow(d, *row, at);
}
