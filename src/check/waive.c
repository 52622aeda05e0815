/*
 * Waivers: each lets one order with exactly its present terms pass one named rule for a while, and says who allowed
 * that and why. A rule that identifies orders, or that enforces a halt, cannot be waived.
 */
#include <stdlib.h>

#include "base/error.h"
#include "check/book.h"

#define BY_MOST     64
#define REASON_MOST 200

/* --- waivers of a book -------------------------------------------------------------------------------------------- */

struct og_waiver_row {
    struct og_waiver_row *next;
    int64_t until;
    char *account, *id, *rule, *by, *reason; /* all these texts point into `text`; account "" means any account */
    char digest[OG_ORDER_DIGEST_SIZE];       /* digest of the order's terms; "" if the waiver is for any order with its
                                              * id */
    char text[];
};

static bool is_word(const char *text, size_t most)
{
    size_t len = text ? strlen(text) : 0;

    for (size_t i = 0; i < len; i++)
        if ((unsigned char)text[i] < 0x20 || text[i] == 0x7f)
            return false;
    return len > 0 && len <= most;
}

static bool is_digest(const char *text)
{
    return text && strncmp(text, "sha256:", 7) == 0 && strlen(text) == OG_ORDER_DIGEST_SIZE - 1 &&
           strspn(text + 7, "0123456789abcdef") == 64;
}

static enum og_status check_words(const struct og_waiver *w, struct og_error *err)
{
    const struct og_rule *rule = w->rule ? og_rules_find(w->rule) : NULL;

    if (!w->client_order_id || !w->client_order_id[0])
        return og_fail(err, OG_EINVAL, "the waiver has no clientOrderId: give the id of the order it is for");
    if (!w->rule || !w->rule[0])
        return og_fail(err, OG_EINVAL, "the waiver names no rule: give the rule that the order may pass");
    if (rule && !og_rule_may_be_waived(rule))
        return og_fail(err, OG_EINVAL, "rule '%s' cannot be waived", w->rule);
    if (!is_word(w->by, BY_MOST))
        return og_fail(err, OG_EINVAL, "the waiver must name who gives it: 1 to %d bytes, no control characters",
                       BY_MOST);
    if (!is_word(w->reason, REASON_MOST))
        return og_fail(err, OG_EINVAL, "the waiver must give a reason: 1 to %d bytes, no control characters",
                       REASON_MOST);
    return OG_OK;
}

static char *put(char **at, const char *text)
{
    char *to = *at;
    size_t size = strlen(text) + 1;

    memcpy(to, text, size);
    *at += size;
    return to;
}

static struct og_waiver_row *row_of(const struct og_waiver *w)
{
    const char *account = w->account_id ? w->account_id : "";
    size_t size =
        strlen(account) + strlen(w->client_order_id) + strlen(w->rule) + strlen(w->by) + strlen(w->reason) + 5;
    struct og_waiver_row *row = malloc(sizeof *row + size);
    char *at = row ? row->text : NULL;

    if (!row)
        return NULL;
    *row = (struct og_waiver_row){ .until = w->until_ns };
    if (w->digest)
        memcpy(row->digest, w->digest, sizeof row->digest);
    row->account = put(&at, account);
    row->id = put(&at, w->client_order_id);
    row->rule = put(&at, w->rule);
    row->by = put(&at, w->by);
    row->reason = put(&at, w->reason);
    return row;
}

/* Remove the waivers with this account, order id and rule (NULL means any).  Returns how many were removed. */
static size_t take_out(struct og_book *b, const char *account, const char *id, const char *rule)
{
    struct og_waiver_row **at = &b->waivers;
    size_t count = 0;

    while (*at) {
        struct og_waiver_row *row = *at;

        if ((account && !og_same_account(og_str_of(row->account), og_str_of(account))) ||
            (id && strcmp(row->id, id) != 0) || (rule && strcmp(row->rule, rule) != 0)) {
            at = &row->next;
            continue;
        }
        *at = row->next;
        free(row);
        count++;
    }
    return count;
}

enum og_status og_book_waive_any(struct og_book *b, const struct og_waiver *w, struct og_error *err)
{
    enum og_status status;
    struct og_waiver_row *row;

    if (!b || !w)
        return og_missing(err);
    status = check_words(w, err);
    if (status)
        return status;
    if (w->digest && !is_digest(w->digest))
        return og_fail(err, OG_EINVAL, "the waiver has no digest of its order: \"sha256:\" and 64 hex digits");
    row = row_of(w);
    if (!row)
        return og_fail(err, OG_ENOMEM, "out of memory");
    pthread_rwlock_wrlock(&b->lock);
    (void)take_out(b, row->account, row->id, row->rule);
    row->next = b->waivers;
    b->waivers = row;
    pthread_rwlock_unlock(&b->lock);
    return OG_OK;
}

enum og_status og_book_waive(struct og_book *b, const struct og_waiver *w, struct og_error *err)
{
    struct og_waiver of_a_body;

    if (!w)
        return og_missing(err);
    of_a_body = *w;
    if (!w->digest)
        of_a_body.digest = "";
    return og_book_waive_any(b, &of_a_body, err);
}

size_t og_book_revoke(struct og_book *b, const char *account_id, const char *client_order_id, const char *rule)
{
    size_t count;

    if (!b)
        return 0;
    pthread_rwlock_wrlock(&b->lock);
    count = take_out(b, account_id, client_order_id, rule);
    pthread_rwlock_unlock(&b->lock);
    return count;
}

/* --- one decision ------------------------------------------------------------------------------------------------- */

static bool is_named(const struct og_waiver_row *row, const struct og_case *c, const char *rule)
{
    return c->now < row->until && strcmp(row->rule, rule) == 0 && og_str_is(c->order->client_id, row->id) &&
           (!row->account[0] || og_same_account(og_str_of(row->account), c->account_id));
}

/* Returns true if the waiver is for the order with exactly its terms.  The order's digest is computed only if a waiver
 * names the order. */
static bool is_for(const struct og_waiver_row *row, const struct og_case *c, const char *rule)
{
    char digest[OG_ORDER_DIGEST_SIZE];

    return is_named(row, c, rule) &&
           (!row->digest[0] || (og_order_digest(c->order, digest) == OG_OK && strcmp(row->digest, digest) == 0));
}

/* Returns the waiver that lets the order pass the rule; NULL if there is none.  *other: set if a waiver has the order's
 * id, but is for other terms. */
static const struct og_waiver_row *find(const struct og_case *c, const char *rule, bool *other)
{
    const struct og_waiver_row *row = c->waivers;

    *other = false;
    while (row && !is_for(row, c, rule)) {
        *other |= is_named(row, c, rule);
        row = row->next;
    }
    return row;
}

enum og_level og_waive(struct og_sink *sink, const struct og_case *c, int finding)
{
    struct og_scratch *s = sink->scratch;
    bool other = false;
    const struct og_waiver_row *row = c->request ? NULL : find(c, sink->run->rule->id, &other);
    struct og_time_text until = og_time_text(row ? row->until : 0);

    s->last = finding;
    if (other && !row)
        og_found_add(sink, "; no waiver counts, it was given for other terms under this id", NULL, 0);
    if (!row)
        return OG_LEVEL_REFUSE;
    if (sink->run->setting->locked || !og_rule_may_be_waived(sink->run->rule)) {
        og_found_add(sink, "; no waiver counts, the rule is locked", NULL, 0);
        return OG_LEVEL_REFUSE;
    }
    og_found_add(sink, "; waived by {0} until {1}: {2}",
                 (const struct og_arg[]){ og_a_text(row->by), og_a_text(until.s), og_a_text(row->reason) }, 3);
    s->finding[finding].waived_by = og_check_keep(s, row->by);
    s->finding[finding].waived_because = og_check_keep(s, row->reason);
    s->finding[finding].waived_until = row->until;
    return OG_LEVEL_WARN;
}

void og_book_waivers_used(struct og_book *b, const struct og_case *c, const struct og_decision *d)
{
    struct og_waiver_row **at = &b->waivers;

    while (*at) {
        struct og_waiver_row *row = *at;
        bool used = c->now >= row->until;

        for (int i = 0; i < d->count && !used; i++)
            used = d->findings[i].waived_by && is_for(row, c, d->findings[i].rule);
        if (used)
            *at = row->next;
        else
            at = &row->next;
        if (used)
            free(row);
    }
}

void og_book_waivers_free(struct og_book *b)
{
    (void)take_out(b, NULL, NULL, NULL);
}
