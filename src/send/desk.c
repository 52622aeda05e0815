/*
 * Gathers the status of a desk: the snapshots of running senders, what ledgers have of orders that need a person, and
 * the halt flags; and says what needs somebody, the most urgent first.
 */
#include "send/desk.h"

#include <dirent.h>
#include <limits.h>
#include <pwd.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/account_id.h"
#include "base/error.h"
#include "base/json_write.h"
#include "ordergate/desk.h"
#include "ordergate/halt.h"
#include "ordergate/ledger.h"
#include "send/senders.h"

#define WAIT_MS      3000
#define LEDGERS_MOST 64
#define NEAR         80 /* percent of a limit, from which the limit is reported as nearly used up */

struct desk {
    const struct og_desk_options *o;
    struct og_buf senders, ledgers, needs, all;
    char *ledger[LEDGERS_MOST]; /* paths of the ledgers that were read or are to be */
    size_t ledger_count, named; /* named: how many of them the caller named */
    int64_t now;
    bool somebody;
    struct og_error *err;
};

/* --- senders ------------------------------------------------------------------------------------------------------ */

/* Returns true if both paths name one file, however they are spelled: a sender names its ledger by its whole path. */
static bool is_same_file(const char *a, const char *b)
{
    struct stat one, other;

    if (stat(a, &one) != 0 || stat(b, &other) != 0)
        return strcmp(a, b) == 0;
    return one.st_ino == other.st_ino && one.st_dev == other.st_dev;
}

static bool has_ledger(const struct desk *d, const char *path)
{
    for (size_t i = 0; i < d->ledger_count; i++)
        if (is_same_file(d->ledger[i], path))
            return true;
    return false;
}

static void add_ledger(struct desk *d, struct og_str path)
{
    char *copy = path.len ? strndup(path.s, path.len) : NULL;

    if (!copy || d->ledger_count == LEDGERS_MOST || has_ledger(d, copy))
        free(copy);
    else
        d->ledger[d->ledger_count++] = copy;
}

/* Returns true if the process has one of the ledgers open that the caller named. This works for a sender that does not
 * answer, too. */
static bool has_open(const struct desk *d, long pid)
{
    char folder[64], path[PATH_MAX];
    const struct dirent *e;
    bool found = false;
    DIR *dir;

    snprintf(folder, sizeof folder, "/proc/%ld/fd", pid);
    if (!(dir = opendir(folder)))
        return false;
    while (!found && (e = readdir(dir)) != NULL) {
        snprintf(path, sizeof path, "%s/%.32s", folder, e->d_name);
        for (size_t i = 0; i < d->named && !found; i++)
            found = is_same_file(path, d->ledger[i]);
    }
    closedir(dir);
    return found;
}

static void put_user(struct og_buf *b, unsigned long user)
{
    const struct passwd *p = getpwuid((uid_t)user);
    char name[32];

    snprintf(name, sizeof name, "%lu", user);
    og_member_text(b, "user", p ? p->pw_name : name);
}

static void on_snapshot(void *with, const struct og_senders_who *who, struct og_str json)
{
    struct desk *d = with;
    struct og_buf *b = &d->senders;
    struct og_str ledger;
    cJSON *doc = NULL;

    if (d->named && !has_open(d, who->pid))
        return;
    if (json.s && og_doc_read(json.s, json.len, "snapshot", &doc, NULL) == OG_ENOMEM)
        b->bad = true;
    og_buf_text(b, b->len ? ",{" : "{");
    og_member_int(b, "pid", who->pid);
    put_user(b, who->user);
    og_member_bool(b, "answered", og_doc_get(doc, "accounts") != NULL);
    og_member_key(b, "snapshot");
    if (og_doc_get(doc, "pid"))
        b->bad |= !og_doc_text(doc, b);
    else
        og_buf_text(b, "null");
    og_buf_char(b, '}');
    if (who->user == (unsigned long)geteuid() &&
        og_doc_str(doc, "ledger", &ledger)) /* another user's sender is not believed: it could name any file */
        add_ledger(d, ledger);
    cJSON_Delete(doc);
}

/* --- ledgers ------------------------------------------------------------------------------------------------------ */

static int put_line(void *with, const char *json, size_t len)
{
    struct og_buf *b = with;

    if (b->s[b->len - 1] != '[')
        og_buf_char(b, ',');
    og_buf_bytes(b, json, len);
    return 0;
}

static enum og_status put_parts(struct desk *d, struct og_ledger *l, struct og_error *err)
{
    const char *account = d->o->account;
    struct og_buf *b = &d->ledgers;
    enum og_status status;

    og_buf_text(b, ",\"unknown\":[");
    status = og_ledger_print(l, OG_LEDGER_OPEN, account, NULL, put_line, b, err);
    og_buf_text(b, "],\"latches\":[");
    if (status == OG_OK)
        status = og_ledger_latches(l, account, false, put_line, b, err);
    og_buf_text(b, "],\"refusals\":[");
    if (status == OG_OK)
        status = og_ledger_refusals(l, account, put_line, b, err);
    og_buf_char(b, ']');
    return status;
}

/* Write what a ledger has. If the ledger cannot be read, fail if the caller named it; if a sender named it, write the
 * error into the document instead. */
static enum og_status put_ledger(struct desk *d, const char *path, bool named)
{
    struct og_buf *b = &d->ledgers;
    struct og_ledger *l = NULL;
    struct og_error err = { 0 };
    enum og_status status = og_ledger_peek(path, &l, &err);
    size_t before;

    if (status == OG_ENOENT && !named)
        return OG_OK;
    og_buf_text(b, b->len ? ",{" : "{");
    og_member_text(b, "path", path);
    before = b->len;
    if (status == OG_OK)
        status = put_parts(d, l, &err);
    og_ledger_close(l);
    if (status != OG_OK && (named || !path || status == OG_ENOMEM || b->bad)) {
        if (d->err)
            *d->err = err;
        return status;
    }
    if (status != OG_OK) {
        b->len = before;
        og_buf_text(b, ",\"unknown\":[],\"latches\":[],\"refusals\":[]");
    }
    og_member_text(b, "error", status != OG_OK ? err.text : NULL);
    og_buf_char(b, '}');
    return OG_OK;
}

static enum og_status put_ledgers(struct desk *d)
{
    enum og_status status = OG_OK;

    if (!d->ledger_count)
        return d->o->sender ? OG_OK : put_ledger(d, NULL, false);
    for (size_t i = 0; i < d->ledger_count && status == OG_OK; i++)
        status = put_ledger(d, d->ledger[i], i < d->named);
    return status;
}

/* --- what needs somebody ------------------------------------------------------------------------------------------ */

/* Begin a need: the caller appends to its text, and then calls end_need(). */
static struct og_buf *begin_need(struct desk *d, const char *what, bool urgent, struct og_str account,
                                 struct og_buf *text)
{
    struct og_buf *b = &d->needs;

    og_buf_text(b, b->len ? ",{" : "{");
    og_member_text(b, "what", what);
    og_member_bool(b, "urgent", urgent);
    og_member_str(b, "accountId", account.len ? account : (struct og_str){ NULL, 0 });
    d->somebody = d->somebody || urgent;
    og_buf_init(text, 0);
    return text;
}

static void end_need(struct desk *d, struct og_buf *text)
{
    d->needs.bad |= text->bad;
    og_member_str(&d->needs, "text", (struct og_str){ text->bad ? "" : text->s, text->bad ? 0 : text->len });
    og_buf_char(&d->needs, '}');
    og_buf_clear(text);
}

static void need_unknown(struct desk *d, const cJSON *row)
{
    const struct og_str at = og_doc_str_or_empty(row, "at");
    struct og_buf text, *b = begin_need(d, "unknown-order", true, og_doc_str_or_empty(row, "accountId"), &text);
    int64_t since;

    og_buf_format(b, "outcome of order '");
    og_buf_str(b, og_doc_str_or_empty(row, "clientOrderId"));
    og_buf_text(b, "' is unknown");
    if (og_time_read(at.s, at.len, &since) && d->now > since) {
        og_buf_text(b, " since ");
        og_desk_age(b, (d->now - since) / OG_NS_PER_MS);
    }
    end_need(d, &text);
}

static void need_latch(struct desk *d, const cJSON *row)
{
    struct og_buf text, *b = begin_need(d, "latch", true, og_doc_str_or_empty(row, "accountId"), &text);

    og_buf_text(b, "the latch '");
    og_buf_str(b, og_doc_str_or_empty(row, "latch"));
    og_buf_text(b, "' is tripped: ordergate ledger latches");
    end_need(d, &text);
}

static void each_row(struct desk *d, const cJSON *doc, const char *key, void (*need)(struct desk *, const cJSON *))
{
    const cJSON *ledger, *row;

    cJSON_ArrayForEach (ledger, og_doc_get(doc, "ledgers"))
        cJSON_ArrayForEach (row, og_doc_get(ledger, key))
            need(d, row);
}

static void need_of_sender(struct desk *d, const cJSON *sender, const char *what, const char *say, struct og_str more)
{
    struct og_buf text, *b = begin_need(d, what, true, (struct og_str){ NULL, 0 }, &text);

    og_buf_format(b, "sender %lld %s", (long long)og_doc_int_or_0(sender, "pid"), say);
    if (more.len) {
        og_buf_text(b, ": ");
        og_buf_str(b, more);
    }
    end_need(d, &text);
}

static void need_sender(struct desk *d, const cJSON *sender)
{
    const cJSON *snapshot = og_doc_get(sender, "snapshot"), *halt = og_doc_get(snapshot, "halt");
    const struct og_str trading = og_doc_str_or_empty(halt, "trading"), fault = og_doc_str_or_empty(snapshot, "fault");
    bool answered = false;

    (void)og_doc_bool(sender, "answered", &answered);
    if (trading.len && !og_str_is(trading, "on"))
        need_of_sender(d, sender, "halted",
                       og_str_is(trading, "reduce-only")  ? "is reduce-only"
                       : og_str_is(trading, "halted-all") ? "is halted, closes too"
                                                          : "is halted",
                       og_doc_str_or_empty(halt, "reason"));
    if (!answered)
        need_of_sender(d, sender, "no-answer",
                       og_doc_get(snapshot, "stuck") ? "is blocked" : "does not answer, or is an older version",
                       (struct og_str){ NULL, 0 });
    if (og_str_is(og_doc_str_or_empty(snapshot, "keys"), "refused") || fault.len)
        need_of_sender(d, sender, "broker", "cannot use the broker", fault);
}

static void need_account(struct desk *d, const cJSON *a)
{
    const struct og_str id = og_doc_str_or_empty(a, "accountId"), state = og_doc_str_or_empty(a, "state");
    bool fails = false;
    struct og_buf text, *b;

    (void)og_doc_bool(a, "readingFails", &fails);
    if (og_str_is(og_doc_str_or_empty(a, "stream"), "lost")) {
        b = begin_need(d, "stream-lost", true, id, &text);
        og_buf_text(b, "the portfolio stream is lost");
        end_need(d, &text);
    }
    if (fails || og_str_is(state, "blind") || og_str_is(state, "failed")) {
        b = begin_need(d, "stale", true, id, &text);
        og_buf_text(b, "the account cannot be read");
        if (og_doc_get(og_doc_get(a, "ages"), "readingMs") && og_doc_int_or_0(og_doc_get(a, "ages"), "readingMs")) {
            og_buf_text(b, ": its facts are of ");
            og_desk_age(b, og_doc_int_or_0(og_doc_get(a, "ages"), "readingMs"));
            og_buf_text(b, " ago");
        }
        end_need(d, &text);
    }
}

static void need_limit(struct desk *d, const cJSON *a, const cJSON *limit)
{
    struct og_buf text, *b;
    struct og_money used, allowed;

    if (og_doc_int_or_0(limit, "percent") < NEAR || !og_doc_money(limit, "used", &used) ||
        !og_doc_money(limit, "allowed", &allowed))
        return;
    b = begin_need(d, "limit-near", false, og_doc_str_or_empty(a, "accountId"), &text);
    og_buf_str(b, og_doc_str_or_empty(limit, "rule"));
    og_buf_char(b, ' ');
    og_buf_str(b, og_doc_str_or_empty(limit, "setting"));
    if (og_doc_str_or_empty(limit, "name").len) {
        og_buf_text(b, " of ");
        og_buf_str(b, og_doc_str_or_empty(limit, "name"));
    }
    og_buf_format(b, ": %s of %s ", og_money_text(used).s, og_money_text(allowed).s);
    og_buf_str(b, og_doc_str_or_empty(limit, "unit"));
    end_need(d, &text);
}

static void need_accounts(struct desk *d, const cJSON *doc, bool limits)
{
    const cJSON *sender, *account, *limit, *all;

    cJSON_ArrayForEach (sender, og_doc_get(doc, "senders"))
        cJSON_ArrayForEach (account, og_doc_get(og_doc_get(sender, "snapshot"), "accounts")) {
            if (!limits)
                need_account(d, account);
            all = limits ? og_doc_get(account, "limits") : NULL;
            cJSON_ArrayForEach (limit, all)
                need_limit(d, account, limit);
        }
}

static void need_ledgers(struct desk *d, const cJSON *doc)
{
    struct og_buf text, *b;
    const cJSON *ledger;

    cJSON_ArrayForEach (ledger, og_doc_get(doc, "ledgers"))
        if (og_doc_str_or_empty(ledger, "error").len) {
            b = begin_need(d, "ledger", true, (struct og_str){ NULL, 0 }, &text);
            og_buf_str(b, og_doc_str_or_empty(ledger, "error"));
            end_need(d, &text);
        }
}

/* Say what needs somebody, the most urgent first. */
static void find_needs(struct desk *d, const cJSON *doc)
{
    const struct og_str trading = og_doc_str_or_empty(og_doc_get(doc, "halt"), "trading");
    const cJSON *sender;
    struct og_buf text, *b;

    each_row(d, doc, "unknown", need_unknown);
    need_ledgers(d, doc);
    if (!og_str_is(trading, "on")) {
        b = begin_need(d, "halted", true, (struct og_str){ NULL, 0 }, &text);
        og_buf_text(b, "trading is ");
        og_buf_str(b, trading);
        og_buf_text(b, " by a flag of this user or machine");
        if (og_doc_str_or_empty(og_doc_get(doc, "halt"), "reason").len) {
            og_buf_text(b, ": ");
            og_buf_str(b, og_doc_str_or_empty(og_doc_get(doc, "halt"), "reason"));
        }
        end_need(d, &text);
    }
    cJSON_ArrayForEach (sender, og_doc_get(doc, "senders"))
        need_sender(d, sender);
    each_row(d, doc, "latches", need_latch);
    need_accounts(d, doc, false);
    need_accounts(d, doc, true);
}

/* --- the document ------------------------------------------------------------------------------------------------- */

static void put_flag(struct og_buf *b)
{
    struct og_halt halt = { .trading = OG_TRADING_HALTED };
    struct og_halt_watch *watch = NULL;
    struct og_error err = { 0 };

    if (og_halt_watch_new(NULL, &watch, &err) == OG_OK)
        halt.trading = og_halt_watch_look(watch, &halt, &err);
    og_halt_watch_free(watch);
    og_member_key(b, "halt");
    og_buf_char(b, '{');
    og_member_text(b, "trading", og_trading_name(halt.trading));
    og_member_text(b, "at", halt.at[0] ? halt.at : NULL);
    og_member_text(b, "by", halt.by[0] ? halt.by : NULL);
    og_member_text(b, "reason", err.status != OG_OK ? err.text : halt.reason[0] ? halt.reason : NULL);
    og_buf_char(b, '}');
}

/* Remove from each sender all accounts except `id`. */
static void keep_account(const cJSON *doc, const char *id)
{
    const cJSON *sender;

    cJSON_ArrayForEach (sender, og_doc_get(doc, "senders")) {
        cJSON *accounts = cJSON_GetObjectItemCaseSensitive(og_doc_get(sender, "snapshot"), "accounts"), *a, *next;

        for (a = accounts ? accounts->child : NULL; a; a = next) {
            next = a->next;
            if (!og_same_account(og_doc_str_or_empty(a, "accountId"), og_str_of(id)))
                cJSON_Delete(cJSON_DetachItemViaPointer(accounts, a));
        }
    }
}

static enum og_status put_all(struct desk *d, cJSON **doc)
{
    struct og_buf parts, *b = &d->all;
    enum og_status status;

    og_buf_init(&parts, 0);
    og_buf_format(&parts, "{\"at\":\"%s\"", og_time_text(d->now).s);
    put_flag(&parts);
    og_buf_text(&parts, ",\"senders\":[");
    og_buf_bytes(&parts, d->senders.s, d->senders.len);
    og_buf_text(&parts, "],\"ledgers\":[");
    og_buf_bytes(&parts, d->ledgers.s, d->ledgers.len);
    og_buf_text(&parts, "]}");
    if (parts.bad || d->senders.bad || d->ledgers.bad)
        status = og_fail(d->err, OG_ENOMEM, "out of memory");
    else
        status = og_doc_read(parts.s, parts.len, "status", doc, d->err);
    og_buf_clear(&parts);
    if (status != OG_OK)
        return status;
    if (d->o->account)
        keep_account(*doc, d->o->account);
    find_needs(d, *doc);
    og_buf_format(b, "{\"healthy\":%s,\"needs\":[", d->somebody ? "false" : "true");
    og_buf_bytes(b, d->needs.s, d->needs.len);
    og_buf_text(b, "],");
    if (og_doc_text(*doc, &parts) && parts.len > 1)
        og_buf_bytes(b, parts.s + 1, parts.len - 1);
    else
        b->bad = true;
    og_buf_clear(&parts);
    cJSON_Delete(*doc);
    *doc = NULL;
    if (b->bad || d->needs.bad)
        return og_fail(d->err, OG_ENOMEM, "out of memory");
    return og_doc_read(b->s, b->len, "status", doc, d->err);
}

static enum og_status print(struct desk *d, const cJSON *doc, og_desk_listener *line, void *with)
{
    struct og_buf table, *b = &d->all;
    enum og_status status = OG_OK;
    size_t from = 0;

    og_buf_init(&table, 0);
    if (d->o->columns) {
        og_desk_table(doc, d->o->columns, d->o->colour, &table);
        b = &table;
    } else {
        og_buf_char(b, '\n');
    }
    if (b->bad)
        status = og_fail(d->err, OG_ENOMEM, "out of memory");
    for (size_t i = 0; status == OG_OK && i < b->len; i++)
        if (b->s[i] == '\n') {
            if (line && line(with, b->s + from, i - from))
                status = og_fail(d->err, OG_EIO, "the output cannot be written");
            from = i + 1;
        }
    og_buf_clear(&table);
    return status;
}

enum og_status og_desk_status(const struct og_desk_options *options, og_desk_listener *line, void *with,
                              bool *needs_somebody, struct og_error *err)
{
    struct desk d = { .o = options, .now = og_time_now(), .err = err };
    enum og_status status;
    cJSON *doc = NULL;

    if (!options || !needs_somebody || (options->ledger_count && !options->ledgers))
        return og_missing(err);
    if (options->columns && (options->columns < 40 || options->columns > 1000))
        return og_fail(err, OG_EINVAL, "a table has 40 to 1000 columns, not %d", options->columns);
    og_buf_init(&d.senders, 0);
    og_buf_init(&d.ledgers, 0);
    og_buf_init(&d.needs, 0);
    og_buf_init(&d.all, 0);
    for (size_t i = 0; i < options->ledger_count && i < LEDGERS_MOST; i++)
        add_ledger(&d, og_str_of(options->ledgers[i]));
    d.named = d.ledger_count;
    status =
        og_senders_ask_status(options->sender, options->wait_ms > 0 ? options->wait_ms : WAIT_MS, on_snapshot, &d, err);
    if (status == OG_OK && (status = put_ledgers(&d)) == OG_OK && (status = put_all(&d, &doc)) == OG_OK)
        status = print(&d, doc, line, with);
    *needs_somebody = d.somebody;
    cJSON_Delete(doc);
    for (size_t i = 0; i < d.ledger_count; i++)
        free(d.ledger[i]);
    og_buf_clear(&d.senders);
    og_buf_clear(&d.ledgers);
    og_buf_clear(&d.needs);
    og_buf_clear(&d.all);
    return status;
}
