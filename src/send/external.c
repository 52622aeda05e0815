/*
 * Orders that this gate did not make, or cannot answer for: somebody else's on its accounts, reported as they
 * change; and orders of earlier runs whose fate is unknown, which keep their reservation until it is known.  Nothing
 * is done with somebody else's order unless a line names it.
 */

#include "base/error.h"
#include "outcome/identity.h"
#include "send/sender.h"
#include "wire/read.h"

/* --- orders of somebody else -------------------------------------------------------------------------------------- */

static bool is_over(enum og_order_status s)
{
    return s == OG_ST_FILLED || s == OG_ST_CANCELED || s == OG_ST_REJECTED || s == OG_ST_DONE_FOR_DAY ||
           s == OG_ST_EXPIRED;
}

/* Made on this ledger, by whichever run. */
static bool is_made_here(struct og_account_state *a, struct og_str id)
{
    struct og_ledger_known known = { 0 };

    /* what it is will show when the ledger can be read */
    return og_ledger_find(a->sender->ledger, og_str_of(a->id), id, &known, NULL, NULL, NULL) != OG_OK || known.found;
}

/* The same, of an id that the broker rewrote, or may have rewritten while the answer to our POST is under way. */
static bool is_rewritten_here(struct og_account_state *a, const struct og_order_row *row)
{
    struct og_str id = row->client_order_id;
    const char *mark = memmem(id.s, id.len, "INVALID", 7);
    const struct og_tracked *o;

    if (!mark || mark == id.s)
        return false;
    id.len = (size_t)(mark - id.s);
    o = og_orders_find(a->sender, a, id);
    return (row->status == OG_ST_REJECTED || (o && o->posting)) && is_made_here(a, id);
}

struct og_tracked *og_send_external(struct og_account_state *a, const struct og_order_row *row, bool listed)
{
    struct og_sender *s = a->sender;
    struct og_tracked *o;

    if (!s->ledger || row->client_order_id.len == 0 || (listed && is_over(row->status)) ||
        is_made_here(a, row->client_order_id) || is_rewritten_here(a, row))
        return NULL;
    if (!(o = og_orders_add(s, a, row->client_order_id)))
        return NULL; /* the facts have it all the same */
    o->external = true;
    o->execution.state = OG_OUTCOME_UNKNOWN;
    a->externals++;
    return o;
}

/* After the first reading. */
void og_send_say_externals(struct og_account_state *a)
{
    struct og_ledger_head head = { 0 };
    struct og_sender *s = a->sender;

    if (a->externals == 0 || !s->ledger || og_ledger_head(s->ledger, &head, NULL) != OG_OK)
        return;
    og_send_say(s,
                "account '%s': %d order%s at the broker %s not in this ledger, which %s: made by somebody else, or "
                "this is not the"
                " ledger they were made with; they count in the facts, and nothing is done with them",
                a->id, a->externals, a->externals == 1 ? "" : "s", a->externals == 1 ? "is" : "are",
                head.seq == 0 ? "is empty" : "may be older");
}

/* --- what unknown orders hold ------------------------------------------------------------------------------------- */

void og_send_tell_claims(struct og_account_state *a)
{
    struct og_sender *s = a->sender;
    struct og_error err = { 0 };
    struct og_buf b;

    og_buf_init(&b, 0);
    og_buf_format(&b, "{\"asOf\":\"%s\",\"gate\":{\"unknown\":[", og_time_text(og_clock_now(&s->clock)).s);
    for (struct og_tracked *o = s->orders; o; o = o->next) {
        if (o->account != a || !o->claims)
            continue;
        if (b.s[b.len - 1] != '[')
            og_buf_char(&b, ',');
        og_buf_bytes(&b, o->body, o->body_len);
    }
    og_buf_text(&b, "]}}");
    if (b.bad || og_book_apply(s->book, a->id, b.s, b.len, "unknown orders of earlier runs", &err) != OG_OK ||
        err.text[0] != '\0')
        og_send_say(s, "account '%s': what its unknown orders hold cannot be counted: %s", a->id,
                    b.bad ? "out of memory" : err.text);
    og_buf_clear(&b);
}

void og_send_claim(struct og_tracked *o)
{
    o->claims = o->body != NULL;
    if (!o->claims)
        og_send_say(o->sender, "order '%s': the ledger has no body of it; what it holds is not counted", o->id);
    else
        og_send_tell_claims(o->account);
}

void og_send_claim_unknown(struct og_account_state *a)
{
    bool any = false;

    for (struct og_tracked *o = a->sender->orders; o; o = o->next) {
        if (o->account != a || !o->recovered || og_state_is_final(o->execution.state) ||
            og_send_is_held(a, og_str_of(o->id)))
            continue;
        if (!o->body)
            og_send_say(a->sender, "order '%s': the ledger has no body of it; what it holds is not counted", o->id);
        any |= o->claims = o->body != NULL;
    }
    if (any)
        og_send_tell_claims(a);
}

void og_send_drop_claims(struct og_account_state *a, uint64_t began)
{
    bool dropped = false;

    for (struct og_tracked *o = a->sender->orders; o; o = o->next) {
        if (o->account != a || !o->claims || !og_send_is_in_facts(o, began))
            continue;
        o->claims = false;
        dropped = true;
    }
    if (dropped)
        og_send_tell_claims(a);
}
