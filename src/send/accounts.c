/*
 * Reads which accounts the keys reach, and decides whether orders may be sent for one. An account that is not in the
 * broker's account list is rejected.  So is one that is not Paper, unless a policy and the environment `live` are
 * named.
 *
 * While the list or an account cannot be read, cancels are sent, and so are orders that only reduce, as far as the
 * policy lets them; other orders are not sent. What could not be read is asked for again. Nothing is posted for an
 * account before the list has shown that orders may be sent for it.
 *
 * An answer that refuses the keys may be the broker's mistake, and so may a list that lacks the account; a broker that
 * is asleep lists none. So the list is requested a few more times before the run ends, and cancels are sent meanwhile.
 */
#include <stdlib.h>

#include "base/account_id.h"
#include "base/error.h"
#include "send/sender.h"
#include "text/doc.h"
#include "wire/read.h"

static void fail_start(struct og_sender *s, int exit_code, enum og_status status, const char *text)
{
    struct og_error err = { 0 };

    og_fail(&err, status, "%s", text);
    og_send_fatal(s, exit_code, &err);
}

/* Append the ids of the listed accounts as "A, B, C", for messages. */
static void list_names(const cJSON *list, struct og_buf *b)
{
    const cJSON *row;
    struct og_str id;

    cJSON_ArrayForEach (row, list) {
        if (og_doc_id(row, "account", &id)) {
            if (b->len > 0)
                og_buf_text(b, ", ");
            og_buf_str(b, id);
        }
    }
}

static const cJSON *find_row(const cJSON *list, const char *id, struct og_str *spelled)
{
    const cJSON *row;

    cJSON_ArrayForEach (row, list) {
        if (og_doc_id(row, "account", spelled) && og_same_account(*spelled, og_str_of(id)))
            return row;
    }
    return NULL;
}

static bool may_send(struct og_sender *s, const struct og_account_state *a, struct og_str type)
{
    struct og_error err = { 0 };

    if (a->paper || (s->options.policy_named && s->settings.environment == OG_ENVIRONMENT_LIVE))
        return true;
    og_fail(&err, OG_EINVAL,
            "account '%s' is %.*s, not Paper: orders for it need a policy named with -p%s and environment: live%s",
            a->id, (int)type.len, type.len > 0 ? type.s : "", s->options.policy_named ? " (given)" : "",
            s->settings.environment == OG_ENVIRONMENT_LIVE ? " (given)"
                                                           : " in the broker file, or "
                                                             "ORDERGATE_ENVIRONMENT=live");
    if (s->options.dry_run)
        og_send_warn(s, "%s; a run without --dry-run ends here with exit code 2", err.text);
    else
        og_send_fatal(s, 2, &err);
    return s->options.dry_run;
}

/* Add an account while the account list is not known. id is spelled as in a line or in the settings; it is kept in
 * capitals, as the service writes ids, so that the ledger has one spelling. Returns NULL if memory ran out, and the run
 * ends. */
static struct og_account_state *unlisted(struct og_sender *s, const char *id)
{
    struct og_account_state *a = calloc(1, sizeof *a);
    struct og_error err = { 0 };

    if (!a || !(a->id = strdup(id))) {
        free(a);
        og_send_fatal(s, 4, &err);
        return NULL;
    }
    for (char *c = a->id; *c != '\0'; c++)
        *c = (char)(*c >= 'a' && *c <= 'z' ? *c - 'a' + 'A' : *c);
    a->sender = s;
    a->unlisted = true;
    og_send_account_stuck(a, 0);
    a->step = s->accounts.blind.status != OG_OK ? OG_ACCOUNT_BLIND : OG_ACCOUNT_LOADING;
    a->next = s->accounts.first;
    s->accounts.first = a;
    return a;
}

/* Give the book the list of accounts. */
static enum og_status tell_list(struct og_sender *s, const char *id, struct og_error *err)
{
    struct og_buf b;
    enum og_status status;

    og_send_distrust_future(s);
    og_buf_init(&b, 0);
    og_buf_text(&b, "{\"asOf\":");
    og_buf_json_str(&b, og_str_of(og_time_text(og_clock_now(&s->clock)).s));
    og_buf_format(&b, ",\"accountList\":%s}", s->accounts.list);
    status = b.bad ? OG_ENOMEM : og_book_apply(s->book, id, b.s, b.len, "the account list", err);
    og_buf_clear(&b);
    return status;
}

/* Tell the book that the account is listed, and whether the user declared it live or paper. Returns false if the run
 * ends. */
static bool introduce(struct og_sender *s, struct og_account_state *a)
{
    struct og_error err = { 0 };
    enum og_status status = tell_list(s, a->id, &err);

    if (status == OG_OK && s->settings.environment != OG_ENVIRONMENT_UNSET)
        status = og_book_declare(s->book, a->id,
                                 s->settings.environment == OG_ENVIRONMENT_LIVE ? OG_DECLARED_LIVE : OG_DECLARED_PAPER);
    if (status != OG_OK) {
        og_fail(&err, status, "the account list cannot be used");
        og_send_fatal(s, 4, &err);
    }
    return status == OG_OK;
}

static struct og_account_state *set_up(struct og_sender *s, const cJSON *row, struct og_str id)
{
    struct og_account_state *a = s->accounts.first;
    struct og_str type = { NULL, 0 };
    char *spelled = strndup(id.s, id.len);

    while (spelled && a && !og_same_account(og_str_of(a->id), id))
        a = a->next;
    if (!spelled || (!a && !(a = unlisted(s, spelled)))) {
        free(spelled);
        fail_start(s, 4, OG_ENOMEM, "out of memory");
        return NULL;
    }
    free(a->id);
    a->id = spelled;
    a->unlisted = false;
    og_send_account_unstuck(a);
    a->step = OG_ACCOUNT_LOADING;
    (void)og_doc_str(row, "accountType", &type);
    a->paper = og_str_is(type, "Paper");
    if (may_send(s, a, type) && og_send_hold_account(a) && introduce(s, a))
        og_send_account_open(a);
    else
        a->step = OG_ACCOUNT_FAILED;
    return a;
}

void og_send_account_step(struct og_account_state *a, enum og_account_step step)
{
    a->step = step;
}

struct og_account_state *og_send_account(struct og_sender *s, const char *id)
{
    struct og_account_state *a;
    const cJSON *row;
    struct og_str spelled;
    cJSON *doc = NULL;

    for (a = s->accounts.first; a; a = a->next)
        if (og_same_account(og_str_of(a->id), og_str_of(id)))
            return a;
    if (!s->accounts.list)
        return unlisted(s, id);
    if (og_doc_read(s->accounts.list, strlen(s->accounts.list), "the account list", &doc, NULL) != OG_OK)
        return NULL;
    if ((row = find_row(og_wire_list(doc, "accounts"), id, &spelled)))
        a = set_up(s, row, spelled);
    else
        (void)tell_list(s, id, NULL); /* the book gets a list without this id, so that its decision says that the
                                       * account is not listed */
    cJSON_Delete(doc);
    return a;
}

static void choose_default(struct og_sender *s, const cJSON *list)
{
    const char *wanted = s->options.account ? s->options.account : s->settings.account;
    struct og_str id = { NULL, 0 };
    const cJSON *row = NULL;

    if (wanted)
        row = find_row(list, wanted, &id);
    else if (cJSON_GetArraySize(list) == 1 && og_doc_id(list->child, "account", &id))
        row = list->child;
    if (!row)
        return; /* several accounts: none is the default, so that each line must name its account */
    s->accounts.chosen = set_up(s, row, id);
    if (s->accounts.chosen && og_book_default_account(s->book, s->accounts.chosen->id) != OG_OK)
        fail_start(s, 4, OG_ENOMEM, "out of memory");
}

/* Set up the accounts that lines named before the account list was read. */
static void list_others(struct og_sender *s, const cJSON *list)
{
    struct og_account_state *a = s->accounts.first;
    const cJSON *row;
    struct og_str id;

    for (; a && s->fatal == 0; a = a->next) {
        if (a->unlisted && (row = find_row(list, a->id, &id)))
            (void)set_up(s, row, id);
        else if (a->unlisted)
            a->step = OG_ACCOUNT_BLIND;
    }
}

static void begin_blind(struct og_sender *s)
{
    const char *wanted = s->options.account ? s->options.account : s->settings.account;
    struct og_error err = { 0 };

    if (s->phase != OG_STARTING)
        return;
    og_send_run(s);
    if (!wanted || !(s->accounts.chosen = unlisted(s, wanted)))
        return; /* no account is the default: each line must name its account */
    if (og_book_default_account(s->book, s->accounts.chosen->id) != OG_OK)
        og_send_fatal(s, 4, &err);
}

static void list_failed(struct og_sender *s, const struct og_error *err)
{
    if (s->accounts.blind.status == OG_OK || (err->status == OG_EAUTH && s->accounts.blind.status != OG_EAUTH))
        og_send_warn(s, "%s; cancels are sent, orders are not until the account list can be read", err->text);
    s->accounts.blind = *err;
    s->accounts.refusals = 0;
    s->accounts.next_ms = og_send_ms(s) + OG_LIST_AGAIN_MS;
    begin_blind(s);
    for (struct og_account_state *a = s->accounts.first; a; a = a->next)
        if (a->unlisted && a->step == OG_ACCOUNT_LOADING)
            a->step = OG_ACCOUNT_BLIND;
}

/* The account list cannot be read: go on without it, so that cancels can be sent. A dry run, which has nothing to
 * cancel, ends. */
static void unread(struct og_sender *s, const struct og_error *err)
{
    if (s->options.dry_run)
        og_send_fatal(s, 4, err);
    else
        list_failed(s, err);
}

/* Returns true if the list lacks the account that orders are for, or lists no account at all. *err says so. */
static bool lacks_account(const struct og_sender *s, const cJSON *list, struct og_error *err)
{
    const char *wanted = s->options.account ? s->options.account : s->settings.account;
    struct og_str id = { NULL, 0 };
    struct og_buf names;

    if (cJSON_GetArraySize(list) == 0)
        og_fail(err, OG_EAUTH, "the broker lists no account: it is asleep, or the keys reach none");
    if (err->status != OG_OK || !wanted || find_row(list, wanted, &id))
        return err->status != OG_OK;
    og_buf_init(&names, 200);
    list_names(list, &names);
    og_fail(err, OG_EAUTH, "account '%s' is not reached by these keys; they reach: %s", wanted,
            names.len > 0 ? names.s : "none");
    og_buf_clear(&names);
    return true;
}

/* The broker refused the keys, or its list lacks the account that orders are for. Until this has happened a few times
 * in a row, orders wait for the list, and cancels are sent. Then the run ends, unless the broker accepted a cancel: the
 * keys are valid then, and only the list cannot be read. */
static void keys_refused(struct og_sender *s, const struct og_error *err)
{
    const bool for_good = ++s->accounts.refusals >= OG_KEYS_REFUSED_MOST;

    if (s->options.dry_run || (for_good && !s->accounts.keys_work)) {
        og_send_fatal(s, 4, err);
        return;
    }
    if (for_good || s->accounts.blind.status != OG_OK) {
        list_failed(s, err);
        return;
    }
    if (s->accounts.refusals == 1)
        og_send_warn(s,
                     "%s; the list is requested again, %d times at most: until then cancels are sent, and orders wait; "
                     "beside this run, ordergate broker cancel and ordergate halt --cancel-all cancel orders",
                     err->text, OG_KEYS_REFUSED_MOST - 1);
    s->accounts.next_ms = og_send_ms(s) + OG_KEYS_AGAIN_MS;
    begin_blind(s);
}

void og_send_keys_work(struct og_sender *s)
{
    s->accounts.keys_work = true;
}

static void take_list(struct og_sender *s, const struct og_call_reply *reply)
{
    struct og_error err = { 0 };
    cJSON *doc = NULL;
    const cJSON *list = NULL;

    if (og_doc_read(reply->body, reply->len, "the account list", &doc, &err) == OG_OK)
        list = og_wire_list(doc, "accounts");
    if (list && lacks_account(s, list, &err)) {
        keys_refused(s, &err);
    } else if (!list || !(s->accounts.list = strndup(reply->body, reply->len))) {
        og_fail(&err, OG_ENET, "the broker's answer is not an account list");
        unread(s, &err);
    } else {
        og_send_run(s);
        s->accounts.blind = (struct og_error){ .status = OG_OK };
        choose_default(s, list);
        list_others(s, list);
    }
    cJSON_Delete(doc);
}

static void on_list(void *with, const struct og_call_reply *reply)
{
    struct og_sender *s = with;
    const char *base = s->settings.base_url;
    const int base_len = og_settings_base_len(&s->settings);
    struct og_error err = { 0 };

    og_clock_hear(&s->clock, reply->date_ns, reply->began_ns, reply->ended_ns);
    s->accounts.asking = false;
    if (s->phase >= OG_STOPPING || s->accounts.list)
        return; /* the run was stopped while the request was under way */
    if (reply->end != OG_CALL_ANSWERED)
        og_fail(&err, OG_ENET, "cannot reach the broker at '%s': %s", base, reply->error);
    else if (reply->status == 404 && base[base_len])
        og_fail_because(&err, OG_EAUTH, reply->status,
                        "HTTP 404 to the account list: base_url '%s' must not end in /v1/api, write '%.*s'", base,
                        base_len, base);
    else if (reply->status == 401 || reply->status == 403 || reply->status == 404)
        og_fail_because(
            &err, OG_EAUTH, reply->status,
            "the broker refused the keys (HTTP %d to the account list), or the path of base_url '%s' is wrong",
            reply->status, base);
    else if (reply->status != 200)
        og_fail_because(&err, OG_ENET, reply->status, "the broker answered HTTP %d to the account list", reply->status);
    if (err.status == OG_EAUTH)
        keys_refused(s, &err);
    else if (err.status != OG_OK)
        unread(s, &err);
    else
        take_list(s, reply);
    og_send_wake(s);
}

void og_send_start(struct og_sender *s)
{
    struct og_error err = { 0 };

    s->accounts.asking = true;
    s->accounts.next_ms = og_send_ms(s) + OG_CANCEL_WAIT_MS;
    if (og_broker_call(s->broker, OG_ENDPOINT_ACCOUNTS, OG_STR(""), OG_STR(""), NULL, 0, OG_START_WAIT_MS, on_list, s,
                       &err) != OG_OK)
        og_send_fatal(s, 4, &err);
}

/* --- while the list or an account cannot be read ------------------------------------------------------------------ */

void og_send_blind(struct og_account_state *a, const char *why, bool again)
{
    struct og_sender *s = a->sender;
    const bool begins = a->step == OG_ACCOUNT_LOADING, waited = a->readings.denied;

    og_send_account_stuck(a, og_send_ms(s) + (again ? OG_KEYS_AGAIN_MS : OG_LIST_AGAIN_MS));
    s->accounts.blind = (struct og_error){ .status = OG_OK };
    og_fail(&s->accounts.blind, OG_ENET, "account '%s' cannot be read: %s", a->id, why);
    if (begins && again)
        og_send_warn(s, "%s; it is read again, %d times at most: until then cancels are sent, and orders wait",
                     s->accounts.blind.text, OG_KEYS_REFUSED_MOST - 1);
    else if (begins || (waited && !again))
        og_send_warn(s, "%s; until it can be read, only cancels and orders that only close are sent",
                     s->accounts.blind.text);
    a->step = OG_ACCOUNT_BLIND;
}

void og_send_list_due(struct og_sender *s)
{
    if (s->accounts.list || s->options.dry_run || og_send_ms(s) < s->accounts.next_ms || s->phase > OG_RUNNING)
        return;
    if (s->accounts.asking)
        begin_blind(s); /* the account list is still requested, but cancels have waited for it long enough */
    else
        og_send_start(s);
}

bool og_send_may_post(const struct og_account_state *a, bool reduces)
{
    return a->step == OG_ACCOUNT_READY || (a->step == OG_ACCOUNT_BLIND && !a->unlisted && reduces);
}

void og_send_end_blind(struct og_sender *s)
{
    bool any = !s->accounts.list && s->accounts.blind.status != OG_OK;

    for (const struct og_account_state *a = s->accounts.first; a; a = a->next)
        any |= a->step == OG_ACCOUNT_BLIND;
    if (any)
        og_send_fatal(s, 4, &s->accounts.blind);
}

void og_send_accounts_free(struct og_sender *s)
{
    struct og_account_state *a;

    while ((a = s->accounts.first)) {
        s->accounts.first = a->next;
        og_send_account_free(a);
    }
}
