/*
 * Loads documents and quotes into a book: finds the account that each is about, and reports the keys that were skipped
 * because newer facts are known.  A document is loaded as a whole or not at all.
 */
#include <errno.h>
#include <stdio.h>

#include "base/error.h"
#include "base/generation.h"
#include "check/book.h"
#include "text/doc.h"

#define BEHIND_MOST (10 * OG_NS_PER_S)
#define AHEAD_MOST  OG_NS_PER_S

/* Chain the document's digest to the book's digest, which thus depends on all documents and on the sequence in which
 * they were loaded. */
static void digest_more(struct og_book *b, const char *json, size_t len)
{
    struct og_digest_text one, both;
    char text[2 * sizeof one.s];
    int n;

    if (!og_digest(json, len, &one))
        return;
    if (b->digest[0]) {
        n = snprintf(text, sizeof text, "%s%s", b->digest, one.s);
        if (!og_digest(text, (size_t)n, &both))
            return;
        one = both;
    }
    memcpy(b->digest, one.s, sizeof one.s < sizeof b->digest ? sizeof one.s : sizeof b->digest);
    b->digest_serial = og_next_generation();
}

/* Returns true if a facts document is only about the market or the key pair, not about one account. */
static bool is_shared(const cJSON *doc)
{
    static const char *const shared[] = { "asOf", "op", "ages", "quotes", "borrow", "accountList", "calendar" };
    const cJSON *item;

    if (!cJSON_IsObject(doc))
        return false;
    cJSON_ArrayForEach (item, doc) {
        size_t i = 0;

        while (i < sizeof shared / sizeof *shared && strcmp(item->string, shared[i]) != 0)
            i++;
        if (i == sizeof shared / sizeof *shared)
            return false;
    }
    return true;
}

/* A document being loaded. */
struct load {
    const cJSON *doc;
    const char *name;
    bool answers;   /* made from the answers of the broker (og_book_apply_answers()) */
    unsigned older; /* kinds of facts that were skipped because newer ones are known */
    struct og_error *err;
};

static enum og_status take(struct og_book *b, size_t at, struct load *l)
{
    struct og_facts *f = b->account[at];
    enum og_status s;

    if (b->reserved_at != OG_TIME_UNKNOWN)
        og_facts_clock(f, b->reserved_at);
    s = l->answers ? og_facts_load_answers(f, l->doc, l->name, l->err) : og_facts_load(f, l->doc, l->name, l->err);
    if (!s) {
        l->older |= og_facts_older(f);
        s = og_book_reapply(b, at);
        if (og_facts_taken(f, OG_FACT_ORDERS) == og_facts_takes(f) || og_facts_older(f) & OG_FACT_ORDERS)
            og_book_find_fills(b, at);
    }
    return s ? s : og_book_reserve_in_flight(b, at, l->name, l->err);
}

/* Returns the id of the book's only account if the document is from the stream of orders and names no account;
 * otherwise an empty id. */
static struct og_str only_account(const struct og_book *b, const cJSON *doc)
{
    if (b->accounts != 2 || b->nameless || !og_doc_get(doc, "op"))
        return (struct og_str){ 0 };
    return og_facts_account_id(b->account[1]);
}

/* Move every reservation that was made without an account to this account. */
static void move_tickets(struct og_book *b, uint32_t account)
{
    for (og_ticket t = 1; t <= b->tickets; t++)
        if (b->ticket[t - 1] && b->ticket[t - 1]->account == 0)
            b->ticket[t - 1]->account = account;
}

enum og_status og_book_name_first(struct og_book *b, struct og_str id)
{
    struct og_facts *fresh = og_facts_new((struct og_str){ "", 0 });

    if (fresh)
        og_facts_settle_lag(fresh, b->settle);
    if (!fresh || og_facts_copy_market(fresh, b->account[0]) || !og_facts_name_account(b->account[0], id)) {
        og_facts_free(fresh);
        return OG_ENOMEM;
    }
    b->account[1] = b->account[0];
    b->account[0] = fresh;
    b->accounts = 2;
    move_tickets(b, 1);
    return OG_OK;
}

void og_book_unmeet(struct og_book *b, size_t accounts)
{
    if (b->accounts == accounts)
        return;
    if (accounts > 1) {
        og_facts_free(b->account[--b->accounts]);
        return;
    }
    if (!og_facts_name_account(b->account[1], (struct og_str){ "", 0 }))
        return;
    og_facts_free(b->account[0]);
    b->account[0] = b->account[1];
    b->accounts = 1;
    for (og_ticket t = 1; t <= b->tickets; t++)
        if (b->ticket[t - 1])
            b->ticket[t - 1]->account = 0;
}

static enum og_status apply_locked(struct og_book *b, struct og_str id, struct load *l)
{
    const cJSON *doc = l->doc;
    size_t at;
    enum og_status s;

    if (!id.len)
        id = og_facts_document_account(doc);
    if (!id.len && b->default_account)
        id = og_str_of(b->default_account);
    if (!id.len && is_shared(doc)) {
        for (s = OG_OK, at = 0; at < b->accounts && !s; at++)
            s = take(b, at, l);
        return s;
    }
    if (!id.len)
        id = only_account(b, doc);
    s = og_book_account_of(b, id, &at);
    if (!s)
        s = take(b, at, l);
    b->nameless |= !s && at == 0;
    for (size_t i = 0; og_doc_get(doc, "calendar") && i < b->accounts && !s; i++)
        if (i != at) /* copy the closures to all other accounts, whichever account the document names: the exchange is
                      * closed for every account */
            s = og_facts_copy_closures(b->account[i], b->account[at]);
    return s;
}

/* Write into *err the names of these kinds of facts, followed by `what`. */
static void say_kinds(unsigned kinds, const char *what, struct og_error *err)
{
    struct og_buf b;

    og_buf_init_fixed(&b, err->text, sizeof err->text);
    for (; kinds; kinds &= kinds - 1)
        og_buf_format(&b, "%s%s", b.len ? ", " : "", og_fact_name((enum og_fact)(kinds & -kinds)));
    og_buf_format(&b, ": %s", what);
}

/* Write into *err which keys of a document were skipped because newer facts are known; the call itself succeeded. */
static void say_older(unsigned older, const char *name, struct og_error *err)
{
    *err = (struct og_error){ .status = OG_OK };
    if (!older)
        return;
    snprintf(err->source, sizeof err->source, "%s", name ? name : "");
    say_kinds(older, "not loaded, because newer facts were loaded before", err);
}

bool og_book_distrust_future(struct og_book *b, int64_t now, struct og_error *err)
{
    unsigned kinds = 0;
    int64_t most;

    if (err)
        *err = (struct og_error){ .status = OG_OK };
    if (!b || __builtin_add_overflow(now, AHEAD_MOST, &most))
        return false;
    pthread_rwlock_wrlock(&b->lock);
    b->told_at = now;
    for (size_t i = 0; i < b->accounts; i++)
        kinds |= og_facts_distrust_after(b->account[i], most);
    pthread_rwlock_unlock(&b->lock);
    if (kinds && err)
        say_kinds(kinds, "dated in the future, so any other document replaces this", err);
    return kinds != 0;
}

static enum og_status apply(struct og_book *b, const char *account_id, const char *json, size_t len, const char *name,
                            bool answers, struct og_error *err)
{
    struct load l = { .name = name, .answers = answers, .err = err };
    cJSON *doc;
    enum og_status s;

    if (!b || !json)
        return og_missing(err);
    s = og_doc_read(json, len, name, &doc, err);
    if (s)
        return s;
    l.doc = doc;
    pthread_rwlock_wrlock(&b->lock);
    s = apply_locked(b, og_str_of(account_id), &l);
    b->reserved_at = OG_TIME_UNKNOWN;
    if (!s) {
        digest_more(b, json, len);
        og_book_trip(b);
    }
    pthread_rwlock_unlock(&b->lock);
    cJSON_Delete(doc);
    if (!s && err)
        say_older(l.older, name, err);
    return s;
}

enum og_status og_book_apply(struct og_book *b, const char *account_id, const char *json, size_t len, const char *name,
                             struct og_error *err)
{
    return apply(b, account_id, json, len, name, false, err);
}

enum og_status og_book_apply_answers(struct og_book *b, const char *account_id, const char *json, size_t len,
                                     const char *name, struct og_error *err)
{
    return apply(b, account_id, json, len, name, true, err);
}

/* Note in *err that the loaded quote is dated later than the clock can be. */
static void say_ahead(const cJSON *doc, int64_t now, int64_t behind, struct og_error *err)
{
    const cJSON *as_of = og_doc_get(doc, "asOf");
    int64_t dated;

    if (!now || !cJSON_IsString(as_of) || !og_time_read(as_of->valuestring, strlen(as_of->valuestring), &dated) ||
        dated <= now || dated - now <= behind)
        return;
    err->cause = ERANGE;
    snprintf(err->text, sizeof err->text,
             "a quote is dated %s ahead of this clock, so that it admits no order before its time has come: set the "
             "clocks of the feed and of this machine by NTP",
             og_age_text(dated - now).s);
}

/* Note in *err that the loaded quote or status is not used, because it has no time and the policy limits its age. */
static void say_undated(const struct og_book *b, const cJSON *doc, struct og_error *err)
{
    const cJSON *status = og_doc_get(doc, "status");
    const int64_t most =
        b->policy->max_age[status ? __builtin_ctz(OG_FACT_SYMBOL_STATUS) : __builtin_ctz(OG_FACT_QUOTE)];

    *err = (struct og_error){ .status = OG_OK };
    if (most && !og_doc_get(doc, "asOf") && !og_doc_get(status, "asOf"))
        snprintf(err->text, sizeof err->text,
                 "a %s without asOf is not used, since the policy takes %s of %s at most: add \"asOf\", its time",
                 status ? "status" : "quote", status ? "those" : "quotes", og_duration_text(most).s);
}

static void put_known(struct og_buf *b, const char *key, enum og_known known)
{
    if (known != OG_NOT_KNOWN)
        og_buf_format(b, "\"%s\":%s,", key, known == OG_KNOWN_TRUE ? "true" : "false");
}

static void put_band(struct og_buf *b, const char *key, bool has, struct og_money band)
{
    if (has)
        og_buf_format(b, "\"%s\":%s,", key, og_money_text(band).s);
}

enum og_status og_book_symbol_status(struct og_book *b, const char *symbol, const struct og_symbol_status *status,
                                     struct og_error *err)
{
    enum { SYMBOL_MOST = 64 };
    const struct og_str name = og_str_of(symbol);
    char storage[1024];
    struct og_buf json;

    if (!b || !symbol || !status)
        return og_missing(err);
    if (name.len == 0 || name.len > SYMBOL_MOST)
        return og_fail(err, OG_EFACTS, "a symbol must have from 1 to %d bytes", SYMBOL_MOST);
    /* write the status as a line of quotes, so that it is read, checked and digested like one */
    og_buf_init_fixed(&json, storage, sizeof storage);
    og_buf_text(&json, "{\"symbol\":");
    og_buf_json_str(&json, name);
    og_buf_text(&json, ",\"status\":{");
    put_known(&json, "halted", status->halted);
    put_known(&json, "paused", status->paused);
    put_known(&json, "shortSaleRestricted", status->short_sale_restricted);
    put_band(&json, "limitDown", status->has_limit_down, status->limit_down);
    put_band(&json, "limitUp", status->has_limit_up, status->limit_up);
    if (status->as_of != OG_TIME_UNKNOWN)
        og_buf_format(&json, "\"asOf\":\"%s\",", og_time_text(status->as_of).s);
    if (json.s[json.len - 1] == ',')
        json.len--;
    og_buf_text(&json, "}}");
    return json.bad ? og_fail(err, OG_EFACTS, "the symbol is too long") : og_book_quote(b, json.s, json.len, err);
}

enum og_status og_book_quote(struct og_book *b, const char *json, size_t len, struct og_error *err)
{
    return og_book_quote_at(b, json, len, 0, 0, err);
}

enum og_status og_book_quote_at(struct og_book *b, const char *json, size_t len, int64_t now_ns, int64_t behind_ns,
                                struct og_error *err)
{
    cJSON *doc;
    enum og_status s;

    if (!b || !json)
        return og_missing(err);
    if (behind_ns < 0 || behind_ns > BEHIND_MOST)
        return og_fail(err, OG_EINVAL, "behind_ns must be from 0 to 10 s");
    s = og_doc_read(json, len, "quote", &doc, err);
    if (s)
        return s;
    pthread_rwlock_wrlock(&b->lock);
    for (size_t i = 0; i < b->accounts && !s; i++)
        s = og_facts_take_quote(b->account[i], doc, now_ns, behind_ns, err);
    if (!s) {
        digest_more(b, json, len);
        og_book_value_others(b);
        if (err) {
            say_undated(b, doc, err);
            say_ahead(doc, now_ns, behind_ns, err);
        }
    }
    pthread_rwlock_unlock(&b->lock);
    cJSON_Delete(doc);
    return s;
}
