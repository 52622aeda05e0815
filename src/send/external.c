/*
 * Orders that this gate did not make: orders of somebody else on the gate's accounts, reported as they change; and
 * orders that runs on this ledger left working before they ended. Such an order is left alone unless a line names it.
 * Its changes are in the facts only after another reading of the account, so our own orders wait for that reading.
 */
#include <stdio.h>

#include "send/resume.h"
#include "send/sender.h"

/* --- orders of somebody else -------------------------------------------------------------------------------------- */

bool og_send_is_over_there(enum og_order_status s)
{
    return s == OG_ST_FILLED || s == OG_ST_CANCELED || s == OG_ST_REJECTED || s == OG_ST_DONE_FOR_DAY ||
           s == OG_ST_EXPIRED;
}

/* Returns true if some run on this ledger made the order, or the ledger cannot be read. */
static bool is_made_here(struct og_account_state *a, struct og_str id)
{
    struct og_ledger_known known = { 0 };

    /* if the ledger cannot be read, the order is assumed to be ours: a later row of it is checked again */
    return og_ledger_find(a->sender->ledger, og_str_of(a->id), id, &known, NULL, NULL, NULL) != OG_OK || known.found;
}

/* Returns true if the row's id is one that the broker made from an id of ours by rewriting it. Such ids are expected
 * only on a Rejected row, or while our POST has no answer yet. */
static bool is_rewritten_here(struct og_account_state *a, const struct og_order_row *row)
{
    struct og_str id = row->client_order_id;
    const char *mark = memmem(id.s, id.len, "INVALID", 7);
    const struct og_tracked *o;

    if (!mark || mark == id.s)
        return false;
    id.len = (size_t)(mark - id.s);
    o = og_orders_find(a->sender, a, id);
    return (row->status == OG_ST_REJECTED || (o && o->post.under_way)) && is_made_here(a, id);
}

/* Returns true if the order was left working by a run that has ended, so that no process records any longer what
 * becomes of it. Also returns true if the broker shows the order although that run recorded it as not sent, or as
 * rejected by the answer 400 alone; or if it was rejected, and the broker shows a working order with its id. A dry run
 * follows none. */
static bool is_left(const struct og_sender *s, const struct og_ledger_known *known, enum og_order_status status)
{
    if (s->options.dry_run)
        return false;
    if (known->state == OG_REJECTED && !og_send_is_over_there(status))
        return true;
    return !known->same_run && !known->alive &&
           (known->state == OG_WORKING || known->state == OG_NOT_SENT ||
            (known->state == OG_REJECTED && known->by_answer && status != OG_ST_REJECTED));
}

struct og_tracked *og_send_external(struct og_account_state *a, const struct og_order_row *row, bool listed)
{
    struct og_sender *s = a->sender;
    const struct og_str id = row->client_order_id;
    const bool past = listed && og_send_is_over_there(row->status);
    struct og_ledger_known known = { 0 };
    struct og_tracked *o;

    /* lists have many orders that are over: these are looked for in the ledger only at the start */
    if (!s->ledger || id.len == 0 || (past && a->step == OG_ACCOUNT_READY && !og_send_is_held(a, id)) ||
        og_ledger_find(s->ledger, og_str_of(a->id), id, &known, NULL, NULL, NULL) != OG_OK)
        return NULL; /* no error is reported if the ledger cannot be read: the order is assumed to be ours until a later
                      * row of it is checked */
    if (known.found)
        return is_left(s, &known, row->status) ? og_send_from_ledger(a, id) : NULL;
    if (past || is_rewritten_here(a, row) || !(o = og_orders_add(s, a, id)))
        return NULL; /* out of memory: the order is not followed, but the account's facts still count it */
    og_send_set_external(o, true);
    a->externals++;
    return o;
}

void og_send_set_external(struct og_tracked *o, bool external)
{
    o->external = external;
    if (external)
        o->execution.state = OG_OUTCOME_UNKNOWN;
}

/* Tell people about the orders of somebody else that the first reading showed. */
void og_send_say_externals(struct og_account_state *a)
{
    struct og_ledger_head head = { 0 };
    struct og_sender *s = a->sender;

    if (a->externals == 0 || !s->ledger || og_ledger_head(s->ledger, &head, NULL) != OG_OK)
        return;
    og_send_warn(s,
                 "account '%s': %d order%s at the broker %s not in this ledger, which %s: made by somebody else, or "
                 "this is not the"
                 " ledger they were made with; they count in the facts, and nothing is done with them",
                 a->id, a->externals, a->externals == 1 ? "" : "s", a->externals == 1 ? "is" : "are",
                 head.seq == 0 ? "is empty" : "may be older");
}

/* --- changes that the facts lack ---------------------------------------------------------------------------------- */

enum { LONGS, SHORTS }; /* the first index of taken_of */

/* Returns the second index of taken_of for a symbol that begins with this character. */
static int first_letter(char c)
{
    return c >= 'A' && c <= 'Z' ? c - 'A' : c >= 'a' && c <= 'z' ? c - 'a' : OG_FIRST_LETTERS - 1;
}

/* Note that an order took something at `at`. side: as rows spell it; NULL for a spread, which counts for both sides. */
static void note_taking(struct og_account_elsewhere *e, struct og_str symbol, struct og_str side, uint64_t at)
{
    const bool buys = og_str_is(side, "Buy"), sells = og_str_is(side, "Sell") || og_str_is(side, "SellShort");

    if (at > e->taken_at)
        e->taken_at = at;
    for (int i = 0; i < OG_FIRST_LETTERS; i++) {
        if (symbol.len > 0 && i != first_letter(symbol.s[0]))
            continue;
        if (!buys && at > e->taken_of[LONGS][i])
            e->taken_of[LONGS][i] = at;
        if (!sells && at > e->taken_of[SHORTS][i])
            e->taken_of[SHORTS][i] = at;
    }
}

void og_send_changed_elsewhere(struct og_account_state *a, struct og_str symbol, struct og_str side, const char *source,
                               enum og_change_elsewhere change, bool by_run)
{
    const struct og_reading *r = a->readings.under_way;
    const uint64_t settles = change == OG_CHANGE_FILLS ? og_send_settle_ns(a->sender) : 0;
    /* a reading requests positions and figures after its list, so it has the changes that the list shows; but positions
     * that lag may lack them */
    const uint64_t at = r && strcmp(source, "list") == 0 && settles == 0 ? r->began : og_time_up() + settles;

    if (at > a->elsewhere.changed_at)
        a->elsewhere.changed_at = at;
    a->elsewhere.by_run = by_run;
    if (change != OG_CHANGE_FREES)
        note_taking(&a->elsewhere, symbol, side, at);
    if (settles)
        a->elsewhere.settles = settles;
}

void og_send_look_elsewhere(struct og_sender *s)
{
    for (struct og_account_state *a = s->accounts.first; a; a = a->next) {
        if (a->elsewhere.reading == a->readings.read_at)
            continue;
        a->elsewhere.reading = a->readings.read_at;
        a->elsewhere.until = a->elsewhere.changed_at;
    }
}

bool og_send_knows_elsewhere(const struct og_account_state *a, uint64_t line_at)
{
    return a->readings.read_at >= a->elsewhere.changed_at ||
           (!a->readings.stuck && a->elsewhere.reading > line_at + a->elsewhere.settles &&
            a->elsewhere.changed_at <= a->elsewhere.until);
}

bool og_send_knows_takings(const struct og_account_state *a, uint64_t line_at)
{
    return a->readings.read_at >= a->elsewhere.taken_at || og_send_knows_elsewhere(a, line_at);
}

bool og_send_knows_takings_of(const struct og_account_state *a, const char *symbol, bool sells)
{
    const struct og_account_elsewhere *e = &a->elsewhere;

    return a->readings.read_at >= (symbol ? e->taken_of[sells ? LONGS : SHORTS][first_letter(symbol[0])] : e->taken_at);
}

bool og_send_cannot_know(const struct og_account_state *a, uint64_t from)
{
    return a->readings.stuck && (a->readings.failed_at >= a->elsewhere.changed_at || a->readings.failed_at > from);
}

const char *og_send_elsewhere_text(const struct og_account_state *a)
{
    return a && a->elsewhere.by_run ? "an order that an earlier run of this ledger made" : "an order made elsewhere";
}

void og_send_say_elsewhere(const struct og_account_state *a, char *to, size_t size)
{
    snprintf(
        to, size,
        "%s has changed since account '%s' was last read, and it could not be read again: what it holds is not known",
        og_send_elsewhere_text(a), a->id);
}
