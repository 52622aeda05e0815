/*
 * Orders that this gate did not make: somebody else's on its accounts, reported as they change.  Nothing is done with
 * one unless a line names it.
 */
#include "send/sender.h"

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
    return (row->status == OG_ST_REJECTED || (o && o->post.under_way)) && is_made_here(a, id);
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
