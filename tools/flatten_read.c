/*
 * What ordergate flatten is about: working orders and positions. An order counts until both the broker's list and the
 * ledger have it as over: the list may lack one whose POST is under way, the ledger has only its own.
 */
#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/stat.h>
#include <time.h>

#include "ordergate/ledger.h"
#include "ordergate/time.h"
#include "tools/common/flatten.h"
#include "tools/common/json.h"
#include "tools/common/messages.h"

static const char program[] = "ordergate flatten";

static bool is_wanted(const struct flatten_options *o, const char *symbol)
{
    bool wanted = o->symbols.count == 0;

    for (size_t i = 0; i < o->symbols.count; i++)
        wanted |= symbol && strcasecmp(symbol, o->symbols.item[i]) == 0;
    return wanted;
}

/* Say why the account could not be read; note in the view if the broker denies it. */
static void say_unread(const struct flatten_options *o, const struct og_answer *answer, const struct og_error *err,
                       struct flat_view *v)
{
    v->denied = answer->kind == OG_ANSWER_DENIED || answer->http == 401 || answer->http == 403 || answer->http == 404;
    og_say(program, err, 0);
    if (v->denied)
        fprintf(stderr,
                "%s: the broker denies account '%s' to these keys (status %d): check --account, or account in "
                "the broker file; nothing more is tried\n",
                program, o->account, answer->http);
}

/* --- orders ------------------------------------------------------------------------------------------------------- */

static bool works(const struct og_order_info *r)
{
    if (r->terminal)
        return false;
    return strcmp(r->status, "DoneForDay") != 0 ||
           (r->time_in_force &&
            (strcmp(r->time_in_force, "GoodTillCancel") == 0 || strcmp(r->time_in_force, "GTC_Plus") == 0));
}

static void add_order(struct flat_view *v, const char *id, const char *symbol, bool is_spread, bool is_unknown)
{
    struct flat_order *to = &v->order[v->orders];

    for (size_t i = 0; i < v->orders; i++)
        if (strcmp(v->order[i].id, id) == 0)
            return;
    if (v->orders == FLAT_ORDERS_MOST || !id[0] || strlen(id) >= sizeof to->id)
        return;
    *to = (struct flat_order){ .is_spread = is_spread, .is_unknown = is_unknown };
    snprintf(to->id, sizeof to->id, "%s", id);
    snprintf(to->symbol, sizeof to->symbol, "%s", symbol ? symbol : "");
    v->orders++;
}

static void add_row(const struct flatten_options *o, struct flat_view *v, const struct og_order_info *r)
{
    const char *symbol = r->traded_symbol && r->traded_symbol[0] ? r->traded_symbol : r->symbol;
    bool wanted = is_wanted(o, symbol) || is_wanted(o, r->symbol);

    for (int i = 0; i < r->legs; i++)
        wanted |= is_wanted(o, r->leg[i].symbol);
    if (wanted && works(r) && r->client_order_id)
        add_order(v, r->client_order_id, symbol, r->legs > 0, false);
}

/* An og_ledger_listener. */
static int on_open(void *with, const char *json, size_t len)
{
    char id[FLAT_ID] = "", symbol[FLAT_NAME] = "", state[16] = "";

    (void)len;
    (void)og_json_member(json, "\"clientOrderId\":\"", id, sizeof id);
    (void)og_json_member(json, "\"state\":\"", state, sizeof state);
    if (!og_json_member(json, "\"symbol\":\"", symbol, sizeof symbol))
        symbol[0] = '\0';
    add_order(with, id, symbol, symbol[0] == '\0' || strstr(json, "\"legs\":[") != NULL, strcmp(state, "working") != 0);
    return 0;
}

static bool read_open(const struct flatten_options *o, struct flat_view *v)
{
    struct og_ledger_filter filter = { .account = o->account, .open = true };
    struct og_ledger *ledger;
    struct og_error err = { 0 };
    enum og_status status = og_ledger_peek(o->ledger, &ledger, &err);

    if (status == OG_ENOENT)
        return true; /* nothing was sent on it */
    for (size_t i = 0; status == OG_OK && (i == 0 || i < o->symbols.count); i++) {
        filter.symbol = o->symbols.count ? o->symbols.item[i] : NULL;
        status = og_ledger_list(ledger, &filter, NULL, on_open, v, &err);
    }
    og_ledger_close(ledger);
    if (status != OG_OK)
        og_say(program, &err, 0);
    return status == OG_OK;
}

bool flatten_read_orders(const struct flatten_options *o, struct og_client *client, struct flat_view *v)
{
    struct og_orders_today list = { 0 };
    struct og_error err = { 0 };
    bool ok;

    v->orders = 0;
    ok = read_open(o, v); /* before the list: an order of ours that ends in between counts still */
    if (ok && og_client_orders(client, o->account, &list, &err) != OG_OK) {
        say_unread(o, &list.answer, &err, v);
        ok = false;
    }
    for (size_t i = 0; ok && i < list.count; i++)
        add_row(o, v, &list.row[i]);
    og_answer_clear(&list.answer);
    return ok;
}

/* --- positions ---------------------------------------------------------------------------------------------------- */

/* Returns true if the contract's last day was over at that time. The date stands before the last nine characters. */
static bool has_expired(const char *symbol, int64_t now)
{
    const size_t len = strlen(symbol);
    int64_t begins, ends;
    char day[16];

    if (len < 16)
        return false;
    snprintf(day, sizeof day, "20%.2s-%.2s-%.2s", symbol + len - 15, symbol + len - 13, symbol + len - 11);
    return og_time_read_day(day, strlen(day), now, &begins, &ends) && ends <= now;
}

static bool add_position(const struct flatten_options *o, struct flat_view *v, const struct og_position_info *r,
                         int64_t now)
{
    const bool is_option = r->security_type && strcmp(r->security_type, "Option") == 0;
    const char *symbol = is_option && r->traded_symbol ? r->traded_symbol : r->symbol;
    const bool is_short = r->side && strcmp(r->side, "Short") == 0;
    struct flat_position *p;

    if (!symbol || !is_wanted(o, symbol) || og_money_cmp(r->shares, og_money_from(0)) == 0)
        return true;
    for (p = v->position; p < v->position + v->positions; p++)
        if (strcmp(p->symbol, symbol) == 0 && p->is_short == is_short)
            return og_money_add(p->quantity, r->shares, &p->quantity);
    if (v->positions == FLAT_POSITIONS_MOST || strlen(symbol) >= sizeof p->symbol)
        return false;
    *p = (struct flat_position){ .is_option = is_option,
                                 .is_short = is_short,
                                 .is_expired = is_option && has_expired(symbol, now),
                                 .quantity = r->shares };
    snprintf(p->symbol, sizeof p->symbol, "%s", symbol);
    snprintf(p->root, sizeof p->root, "%s", r->symbol ? r->symbol : symbol);
    v->positions++;
    return true;
}

bool flatten_read_positions(const struct flatten_options *o, struct og_client *client, struct flat_view *v)
{
    struct og_positions list = { 0 };
    struct og_error err = { 0 };
    const bool ok = og_client_positions(client, o->account, &list, &err) == OG_OK;
    const int64_t now = list.answer.date != OG_TIME_UNKNOWN && list.answer.date > 0 ? list.answer.date : og_time_now();

    v->positions = 0;
    if (!ok)
        say_unread(o, &list.answer, &err, v);
    for (size_t i = 0; ok && i < list.count; i++)
        if (!add_position(o, v, &list.row[i], now))
            fprintf(stderr, "%s: position %s cannot be read, and is left\n", program,
                    list.row[i].symbol ? list.row[i].symbol : "?");
    og_answer_clear(&list.answer);
    return ok;
}

/* --- ids ---------------------------------------------------------------------------------------------------------- */

/* The n-th order that closes a symbol has an id that follows from both. So of two that were decided by the same
 * positions, by two processes or before and after a kill, one alone is posted: a ledger lets an id be used once. */
static bool make_id(const struct flatten_options *o, struct og_ledger *ledger, struct flat_position *p)
{
    struct og_error err = { 0 };
    enum og_status status = ledger ? OG_OK : OG_ENOENT;
    char symbol[FLAT_NAME];

    snprintf(symbol, sizeof symbol, "%s", p->symbol);
    for (char *c = symbol; *c; c++)
        if (!strchr("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789._-", *c))
            *c = '_';
    for (int n = 1; n == 1 || status == OG_OK; n++) {
        snprintf(p->id, sizeof p->id, "FLAT-%.26s-%d", symbol, n);
        if (ledger)
            status = og_ledger_print(ledger, OG_LEDGER_SHOW, o->account, p->id, NULL, NULL, &err);
    }
    if (status == OG_ENOENT)
        return true;
    og_say(program, &err, 0);
    return false;
}

bool flatten_make_ids(const struct flatten_options *o, struct flat_view *v)
{
    struct og_ledger *ledger;
    struct og_error err = { 0 };
    enum og_status status = og_ledger_peek(o->ledger, &ledger, &err);
    bool ok = status == OG_OK || status == OG_ENOENT;

    if (!ok)
        og_say(program, &err, 0);
    for (size_t i = 0; ok && i < v->positions; i++)
        ok = make_id(o, ledger, &v->position[i]);
    og_ledger_close(ledger);
    return ok;
}

/* An og_ledger_listener; with: a struct flat_position. */
static int on_record(void *with, const char *json, size_t len)
{
    const struct flat_position *p = with;
    char state[16] = "", text[512] = "";

    (void)len;
    (void)og_json_member(json, "\"state\":\"", state, sizeof state);
    (void)og_json_member(json, "\"text\":\"", text, sizeof text);
    if (strcmp(state, "refused") == 0 || strcmp(state, "rejected") == 0)
        fprintf(stderr, "%s: the close of %s %s of %s (%s) was %s: %s\n", program, p->is_short ? "short" : "long",
                og_money_text(p->quantity).s, p->symbol, p->id, state, text[0] ? text : "no reason was given");
    return 0;
}

void flatten_say_refusals(const struct flatten_options *o, const struct flat_view *v)
{
    struct og_ledger *ledger;
    struct og_error err = { 0 };

    if (og_ledger_peek(o->ledger, &ledger, &err) != OG_OK) {
        og_say(program, &err, 0);
        return;
    }
    for (size_t i = 0; i < v->positions; i++) {
        struct flat_position p = v->position[i];

        if (p.id[0] && og_ledger_print(ledger, OG_LEDGER_SHOW, o->account, p.id, on_record, &p, &err) != OG_OK &&
            err.status != OG_ENOENT) /* not closed in this round */
            og_say(program, &err, 0);
    }
    og_ledger_close(ledger);
}

bool flatten_is_fresh(const struct flatten_options *o)
{
    static const char *const ends[] = { "", "-wal" };
    char path[PATH_MAX];
    struct timespec now;
    struct stat st;

    clock_gettime(CLOCK_REALTIME, &now);
    for (size_t i = 0; o->ledger && i < sizeof ends / sizeof ends[0]; i++) {
        snprintf(path, sizeof path, "%s%s", o->ledger, ends[i]);
        if (stat(path, &st) == 0 && (now.tv_sec - st.st_mtim.tv_sec) * OG_NS_PER_S <= o->settle_ns)
            return true;
    }
    return !o->ledger; /* the default ledger: as if it were */
}
