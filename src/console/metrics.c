/*
 * Metrics: families in a fixed sequence, each made from a part of the status document. If that part is not known, the
 * family has no samples. Durations are in seconds, and are written from microseconds and milliseconds without floating
 * point.
 */
#include "console/metrics.h"

#include <stdio.h>

#include "base/time.h"
#include "ordergate/time.h"

struct writer {
    const struct og_console_view *v;
    struct og_buf *b;
    bool open;        /* the format is OpenMetrics */
    const char *name; /* name of the family that is being written */
    bool counter;
};

static void family(struct writer *w, const char *name, const char *type, const char *help)
{
    const bool counter = strcmp(type, "counter") == 0;

    w->name = name;
    w->counter = counter;
    og_buf_format(w->b, "# HELP ordergate_%s%s %s\n# TYPE ordergate_%s%s %s\n", name,
                  counter && !w->open ? "_total" : "", help, name, counter && !w->open ? "_total" : "", type);
}

/* Begin a sample. The caller then calls label(), any number of times, and one of the value_...() functions. */
static void sample(struct writer *w, const char *suffix)
{
    og_buf_format(w->b, "ordergate_%s%s", w->name, w->counter ? "_total" : suffix);
}

static void put_escaped(struct og_buf *b, struct og_str text)
{
    for (size_t i = 0; i < text.len; i++) {
        const char c = text.s[i];

        if (c == '\\' || c == '"')
            og_buf_char(b, '\\');
        og_buf_char(b, (unsigned char)c < ' ' || c == 127 ? '?' : c);
    }
}

static void label(struct writer *w, const char *name, struct og_str value)
{
    struct og_buf *b = w->b;

    if (b->len && b->s[b->len - 1] == '}')
        b->s[b->len - 1] = ',';
    else
        og_buf_char(b, '{');
    og_buf_format(b, "%s=\"", name);
    put_escaped(b, value);
    og_buf_text(b, "\"}");
}

static void label_text(struct writer *w, const char *name, const char *value)
{
    label(w, name, og_str_of(value));
}

static void value_int(struct writer *w, int64_t n)
{
    og_buf_format(w->b, " %lld\n", (long long)n);
}

/* Write n / `per` in decimals; per is 1000 or 1000000. */
static void value_seconds(struct writer *w, int64_t n, int64_t per)
{
    og_buf_format(w->b, per == 1000 ? " %lld.%03lld\n" : " %lld.%06lld\n", (long long)(n / per), (long long)(n % per));
}

static void value_money(struct writer *w, struct og_money m)
{
    og_buf_format(w->b, " %s\n", og_money_text(m).s);
}

/* Write a sample for each possible word of a state: 1 for the present one, 0 for the others. */
static void states(struct writer *w, const char *account, const char *name, const char *const *words, struct og_str is)
{
    for (; *words; words++) {
        sample(w, "");
        if (account)
            label_text(w, "account", account);
        label_text(w, name, *words);
        value_int(w, og_str_is(is, *words));
    }
}

static void gauge(struct writer *w, const char *name, const char *help, int64_t n)
{
    family(w, name, "gauge", help);
    sample(w, "");
    value_int(w, n);
}

/* --- the sender --------------------------------------------------------------------------------------------------- */

static void put_sender(struct writer *w)
{
    static const char *const tradings[] = { "on", "reduce-only", "halted", "halted-all", NULL };
    static const char *const keys[] = { "good", "refused", "unknown", NULL };
    const cJSON *s = w->v->snapshot;
    const struct og_str since = og_doc_str_or_empty(s, "since");
    int64_t at;

    family(w, "halt", "gauge", "whether trading is in this state");
    states(w, NULL, "trading", tradings, og_doc_str_or_empty(og_doc_get(s, "halt"), "trading"));
    family(w, "keys", "gauge", "whether the broker takes the keys");
    states(w, NULL, "state", keys, og_doc_str_or_empty(s, "keys"));
    if (og_time_read(since.s, since.len, &at)) {
        family(w, "start_time_seconds", "gauge", "when the run began");
        sample(w, "");
        value_seconds(w, at / OG_NS_PER_MS, 1000);
    }
    family(w, "policy_info", "gauge", "the policy in force, by name and digest");
    sample(w, "");
    label(w, "policy", og_doc_str_or_empty(s, "policy"));
    value_int(w, 1);
    gauge(w, "policy_reload_failed", "1: the newest policy does not load, the one before stays in force",
          og_console_flag(s, "reloadFailed"));
    gauge(w, "broker_fault", "1: the broker could not be read last time", og_doc_str_or_empty(s, "fault").len > 0);
    gauge(w, "dead_man_fired", "1: the dead man's switch has fired since the newest line",
          og_console_flag(s, "deadManFired"));
    gauge(w, "lines_waiting", "lines that wait to be decided", og_doc_int_or_0(s, "linesWaiting"));
}

static void put_budgets(struct writer *w)
{
    const cJSON *budgets = og_doc_get(w->v->snapshot, "budgets"), *budget;

    family(w, "budget_wait_seconds", "gauge", "how long the next request of an endpoint waits for its budget");
    cJSON_ArrayForEach (budget, budgets) {
        sample(w, "");
        label(w, "endpoint", og_doc_str_or_empty(budget, "endpoint"));
        value_seconds(w, og_doc_int_or_0(budget, "waitMs"), 1000);
    }
    family(w, "budget_queued", "gauge", "requests that wait for their budget");
    cJSON_ArrayForEach (budget, budgets) {
        sample(w, "");
        label(w, "endpoint", og_doc_str_or_empty(budget, "endpoint"));
        value_int(w, og_doc_int_or_0(budget, "queued"));
    }
}

/* --- counts ------------------------------------------------------------------------------------------------------- */

static void counter(struct writer *w, const char *name, const char *value, int64_t n)
{
    sample(w, "");
    label_text(w, name, value);
    value_int(w, n);
}

static void put_list(struct writer *w, const cJSON *list, const char *key)
{
    const cJSON *row;

    cJSON_ArrayForEach (row, list) {
        sample(w, "");
        label(w, key, og_doc_str_or_empty(row, key));
        value_int(w, og_doc_int_or_0(row, "count"));
    }
}

/* Write an upper bound in microseconds as seconds, with at least one decimal. */
static void label_bound(struct writer *w, int64_t us)
{
    char text[40];
    int len = snprintf(text, sizeof text, "%lld.%06lld", (long long)(us / 1000000), (long long)(us % 1000000));

    while (len > 2 && text[len - 1] == '0' && text[len - 2] != '.')
        text[--len] = '\0';
    label_text(w, "le", text);
}

static void put_histogram(struct writer *w, const char *name, const char *help, const cJSON *h)
{
    const cJSON *bounds = og_doc_get(h, "boundsUs"), *counts = og_doc_get(h, "counts");
    const cJSON *bound = bounds ? bounds->child : NULL, *count;
    int64_t sum = 0, n = 0, us = 0;

    family(w, name, "histogram", help);
    cJSON_ArrayForEach (count, counts) {
        sum += og_item_int(count, &n) ? n : 0;
        sample(w, "_bucket");
        if (bound && og_item_int(bound, &us))
            label_bound(w, us);
        else
            label_text(w, "le", "+Inf");
        value_int(w, sum);
        bound = bound ? bound->next : NULL;
    }
    sample(w, "_sum");
    value_seconds(w, og_doc_int_or_0(h, "sumUs"), 1000000);
    sample(w, "_count");
    value_int(w, sum);
}

static void put_counts(struct writer *w)
{
    const cJSON *c = og_doc_get(w->v->snapshot, "counts");

    family(w, "decisions", "counter", "decisions of this run");
    counter(w, "decision", "accepted", og_doc_int_or_0(c, "accepted"));
    counter(w, "decision", "refused", og_doc_int_or_0(c, "refused"));
    family(w, "refusals", "counter", "refused decisions of this run, by each rule that refuses");
    put_list(w, og_doc_get(c, "refusals"), "rule");
    family(w, "outcomes", "counter", "outcomes of orders, as this run's events told them");
    put_list(w, og_doc_get(c, "outcomes"), "outcome");
    family(w, "policy_reloads", "counter", "policies that were loaded again in this run");
    counter(w, "result", "taken", og_doc_int_or_0(c, "reloads"));
    counter(w, "result", "rejected", og_doc_int_or_0(c, "reloadsRejected"));
    put_histogram(w, "ledger_commit_seconds", "how long commits of the ledger took", og_doc_get(c, "commit"));
    put_histogram(w, "post_seconds", "how long POSTs of orders took, from the first byte to the answer",
                  og_doc_get(c, "post"));
}

/* --- accounts ----------------------------------------------------------------------------------------------------- */

typedef void account_writer(struct writer *w, const cJSON *account);

static void each_account(struct writer *w, account_writer *put)
{
    const cJSON *a;

    cJSON_ArrayForEach (a, og_doc_get(w->v->snapshot, "accounts"))
        put(w, a);
}

static void put_ready(struct writer *w, const cJSON *a)
{
    sample(w, "");
    label(w, "account", og_doc_str_or_empty(a, "accountId"));
    value_int(w, og_str_is(og_doc_str_or_empty(a, "state"), "ready") && !og_console_flag(a, "readingFails"));
}

static void put_stream(struct writer *w, const cJSON *a)
{
    static const char *const words[] = { "none", "opening", "up", "lost", NULL };
    struct og_str id = og_doc_str_or_empty(a, "accountId");
    char room[64];

    snprintf(room, sizeof room, "%.*s", (int)(id.len < sizeof room ? id.len : sizeof room - 1), id.s);
    states(w, room, "state", words, og_doc_str_or_empty(a, "stream"));
}

static void put_orders(struct writer *w, const cJSON *a)
{
    static const char *const words[] = { "unknown", "working", "waiting", "posting" };

    for (size_t i = 0; i < sizeof words / sizeof words[0]; i++) {
        sample(w, "");
        label(w, "account", og_doc_str_or_empty(a, "accountId"));
        label_text(w, "state", words[i]);
        value_int(w, og_doc_int_or_0(og_doc_get(a, "orders"), words[i]));
    }
}

static void put_ages(struct writer *w, const cJSON *a)
{
    static const struct {
        const char *key, *facts;
    } ages[] = { { "readingMs", "account" }, { "locatesMs", "locates" } };
    int64_t ms;

    for (size_t i = 0; i < sizeof ages / sizeof ages[0]; i++)
        if (og_doc_int(og_doc_get(a, "ages"), ages[i].key, &ms)) {
            sample(w, "");
            label(w, "account", og_doc_str_or_empty(a, "accountId"));
            label_text(w, "facts", ages[i].facts);
            value_seconds(w, ms, 1000);
        }
}

static void put_left_out(struct writer *w, const cJSON *a)
{
    sample(w, "");
    label(w, "account", og_doc_str_or_empty(a, "accountId"));
    value_int(w, og_doc_int_or_0(a, "limitsLeftOut"));
}

/* --- limits ------------------------------------------------------------------------------------------------------- */

/* Returns true for a limit of one symbol or underlying. Metrics do not name such limits, since their number depends on
 * what is traded. */
static bool is_of_symbol(const cJSON *limit)
{
    const struct og_str of = og_doc_str_or_empty(limit, "of");

    return (og_str_is(of, "symbol") || og_str_is(of, "underlying")) && og_doc_str_or_empty(limit, "name").len;
}

static void label_limit(struct writer *w, const cJSON *a, const cJSON *limit)
{
    static const char *const keys[] = { "rule", "setting", "measure", "of", "name", "only", "unit" };

    label(w, "account", og_doc_str_or_empty(a, "accountId"));
    for (size_t i = 0; i < sizeof keys / sizeof keys[0]; i++)
        label(w, keys[i], og_doc_str_or_empty(limit, keys[i]));
}

static void put_limits(struct writer *w, const cJSON *a, const char *key)
{
    const cJSON *limit;
    struct og_money m;

    cJSON_ArrayForEach (limit, og_doc_get(a, "limits")) {
        if (is_of_symbol(limit) || !og_doc_money(limit, key, &m))
            continue;
        sample(w, "");
        label_limit(w, a, limit);
        value_money(w, m);
    }
}

static void put_used(struct writer *w, const cJSON *a)
{
    put_limits(w, a, "used");
}

static void put_allowed(struct writer *w, const cJSON *a)
{
    put_limits(w, a, "allowed");
}

static void put_least(struct writer *w, const cJSON *a)
{
    put_limits(w, a, "least");
}

static void put_near(struct writer *w, const cJSON *a)
{
    const cJSON *limit;
    int64_t near = 0;

    cJSON_ArrayForEach (limit, og_doc_get(a, "limits"))
        near += og_doc_int_or_0(limit, "percent") >= OG_CONSOLE_NEAR;
    sample(w, "");
    label(w, "account", og_doc_str_or_empty(a, "accountId"));
    value_int(w, near);
}

static void put_accounts(struct writer *w)
{
    family(w, "account_ready", "gauge", "1: the account is read, and its facts are of the newest reading");
    each_account(w, put_ready);
    family(w, "stream", "gauge", "whether the portfolio stream of an account is in this state");
    each_account(w, put_stream);
    family(w, "orders", "gauge", "orders of this run that are followed");
    each_account(w, put_orders);
    family(w, "facts_age_seconds", "gauge", "age of what was read of an account");
    each_account(w, put_ages);
    family(w, "limit_used", "gauge", "what counts towards a limit, as its rule counts it");
    each_account(w, put_used);
    family(w, "limit_allowed", "gauge", "the most that a limit allows");
    each_account(w, put_allowed);
    family(w, "limit_least", "gauge", "the least that a limit allows");
    each_account(w, put_least);
    family(w, "limits_near", "gauge", "limits of which 80 % or more are used, those of symbols included");
    each_account(w, put_near);
    family(w, "limits_left_out", "gauge", "limits that the snapshot has no room for");
    each_account(w, put_left_out);
}

/* --- the ledger, and what needs somebody -------------------------------------------------------------------------- */

static int64_t length_of(const cJSON *list)
{
    int64_t n = 0;
    const cJSON *item;

    cJSON_ArrayForEach (item, list)
        n++;
    return n;
}

/* Returns the age of the oldest order of unknown outcome, in ms; 0 if there is none. */
static int64_t oldest_unknown(const struct og_console_view *v)
{
    const struct og_str at = og_doc_str_or_empty(v->doc, "at");
    const cJSON *row;
    int64_t now, since, most = 0;

    if (!og_time_read(at.s, at.len, &now))
        return 0;
    cJSON_ArrayForEach (row, og_doc_get(v->ledger, "unknown")) {
        const struct og_str text = og_doc_str_or_empty(row, "at");

        if (og_time_read(text.s, text.len, &since) && now - since > most)
            most = now - since;
    }
    return most / OG_NS_PER_MS;
}

static void put_ledger(struct writer *w)
{
    const cJSON *l = w->v->ledger;

    gauge(w, "ledger_readable", "1: the ledger can be read", l && !og_doc_str_or_empty(l, "error").len);
    if (!l || og_doc_str_or_empty(l, "error").len)
        return;
    gauge(w, "unknown_orders", "orders of unknown outcome on the ledger", length_of(og_doc_get(l, "unknown")));
    family(w, "unknown_oldest_seconds", "gauge", "age of the oldest order of unknown outcome; 0: there is none");
    sample(w, "");
    value_seconds(w, oldest_unknown(w->v), 1000);
    gauge(w, "latches_tripped", "tripped latches on the ledger", length_of(og_doc_get(l, "latches")));
}

static void put_needs(struct writer *w)
{
    static const char *const words[] = { "unknown-order", "ledger", "halted",      "no-answer", "broker",
                                         "latch",         "stale",  "stream-lost", "limit-near" };
    const cJSON *need;

    family(w, "needs", "gauge", "what needs somebody, or soon: limit-near");
    for (size_t i = 0; i < sizeof words / sizeof words[0]; i++) {
        int64_t n = 0;

        cJSON_ArrayForEach (need, og_doc_get(w->v->doc, "needs"))
            n += og_str_is(og_doc_str_or_empty(need, "what"), words[i]);
        sample(w, "");
        label_text(w, "what", words[i]);
        value_int(w, n);
    }
}

void og_console_metrics(const struct og_console_view *v, bool open, struct og_buf *b)
{
    struct writer w = { .v = v, .b = b, .open = open };
    struct og_buf faults;

    og_buf_init(&faults, 0);
    og_console_faults(v, &faults);
    family(&w, "build_info", "gauge", "the version of the program");
    sample(&w, "");
    label_text(&w, "version", OG_VERSION);
    value_int(&w, 1);
    gauge(&w, "sender_up", "1: the sender's loop answers", v->snapshot != NULL);
    gauge(&w, "ready", "1: as /readyz", !faults.len && !faults.bad);
    b->bad |= faults.bad;
    og_buf_clear(&faults);
    family(&w, "console_looks", "counter", "snapshots that the console asked of the sender");
    sample(&w, "");
    value_int(&w, v->number);
    if (v->doc)
        put_needs(&w);
    if (v->snapshot) {
        put_sender(&w);
        put_budgets(&w);
        put_counts(&w);
        put_accounts(&w);
        put_ledger(&w);
    }
    if (open)
        og_buf_text(b, "# EOF\n");
}
