/*
 * Whether a line may be decided now, given the facts at hand; and if not, what it waits for. A line waits for newer
 * facts only if they can be had.
 */
#include "send/ready.h"

#include <strings.h>

#include "order/order.h"
#include "ordergate/rules.h"
#include "send/sender.h"

bool og_send_borrows(const struct og_order *o)
{
    return og_order_security(o) == OG_STOCK && og_order_side(o) == OG_SELL && og_order_open_close(o) == OG_OPEN &&
           og_order_symbol(o)[0] != '\0' && strlen(og_order_symbol(o)) <= 64;
}

bool og_send_are_new_enough(struct og_account_state *a, uint64_t from)
{
    const struct og_readings *r = &a->readings;

    if ((r->read_at > from && r->read_at > a->news.ended_at) || (r->stuck && r->failed_by > from))
        return true;
    og_send_account_dirty(a);
    og_send_account_look(a);
    return false;
}

uint64_t og_send_since(const struct og_waiting *w)
{
    return w->facts_from > w->at ? w->facts_from : w->at;
}

void og_send_closes_by(const struct og_account_state *a, const struct og_waiting *w)
{
    og_scratch_read_since(a->sender->scratch, a->readings.read_at > og_send_since(w));
}

static bool only_opens(const struct og_order *o)
{
    return og_order_security(o) != OG_MLEG && og_order_open_close(o) == OG_OPEN;
}

/* Returns true if locates may be the reason of the finding: a rule found too few of them or was unsure, or a custom
 * rule, which may read locates, refuses. */
static bool is_for_locates(const struct og_finding *f)
{
    const struct og_rule *rule = og_rules_find(f->rule);
    const char *name;

    if (f->level != OG_LEVEL_REFUSE && !f->unsure)
        return false;
    for (size_t i = 0; rule && (name = og_rule_reads(rule, i)); i++)
        if (strcmp(name, "locates") == 0)
            return true;
    return !rule;
}

/* Returns true if a short sale must wait for a reading of the inventory: it would be accepted, but the inventory may
 * still show shares that a fill in the symbol has used up. The rules subtract only short sales that are still
 * working. */
static bool lacks_a_sale(struct og_account_state *a)
{
    struct og_sender *s = a->sender;
    const char *symbol = og_order_symbol(s->order);
    uint64_t filled = og_send_moved_at(a, symbol), settled;
    struct og_decision d;

    if (filled < a->readings.first_at)
        filled = a->readings.first_at;
    settled = filled + og_send_settle_ns(s);
    if (filled == 0 || og_send_locates_since(a, settled) || a->paper || og_send_is_easy(a, symbol))
        return false;
    og_check(s->book, s->order, og_clock_now(&s->clock), s->scratch, &d);
    if (d.accepted && og_time_up() > settled)
        og_send_ask_locates(a, settled);
    return d.accepted;
}

/* Returns true if a short sale must wait for a reading of the inventory. Either the newest inventory is older than the
 * line, which may have been written because shares were located since then; or the inventory may lack a fill of a short
 * sale. */
static bool lacks_a_locate(struct og_account_state *a, struct og_waiting *w)
{
    struct og_sender *s = a->sender;
    struct og_decision d;

    if (!og_send_borrows(s->order) || a->step != OG_ACCOUNT_READY)
        return false;
    if (lacks_a_sale(a))
        return true;
    if (og_send_locates_since(a, w->at))
        return false;
    if (!w->wants_locates) {
        og_check(s->book, s->order, og_clock_now(&s->clock), s->scratch, &d);
        for (int i = 0; i < d.count; i++)
            w->wants_locates |= is_for_locates(&d.findings[i]);
    }
    if (w->wants_locates)
        og_send_ask_locates(a, w->at);
    return w->wants_locates;
}

/* Returns true if the facts include every change by which orders of somebody else may have closed a part of the
 * position that the line's order closes. */
static bool knows_takings_of_it(const struct og_account_state *a)
{
    const struct og_order *o = a->sender->order;

    return og_send_knows_takings_of(a, og_order_security(o) == OG_MLEG ? NULL : og_order_symbol(o),
                                    og_order_side(o) == OG_SELL);
}

/* Returns true if the line's order (s->order) must wait for a reading, because the facts lack a change of somebody
 * else's order. An order that only closes does not wait while the account cannot be read. It does not wait either if it
 * is accepted and the changed orders are all of other symbols, since such changes would otherwise delay it for ever. */
static bool lacks_a_change(struct og_account_state *a, const struct og_waiting *w)
{
    struct og_sender *s = a->sender;
    struct og_decision d;

    if (og_order_op(s->order) != OG_OP_ORDER || a->step != OG_ACCOUNT_READY ||
        og_send_knows_elsewhere(a, og_send_since(w)) || og_send_cannot_know(a, og_send_since(w)))
        return false;
    og_check(s->book, s->order, og_clock_now(&s->clock), s->scratch, &d);
    if (d.reduces && (a->readings.stuck || (d.accepted && knows_takings_of_it(a))))
        return false;
    og_send_account_dirty(a);
    og_send_account_look(a);
    return true;
}

/* Decide the line's order as it would be decided now, with its waivers. Returns true if it would be refused because of
 * other orders. (If other orders leave a close nothing to close, the close counts as an order that opens, which further
 * rules may refuse.) */
static bool is_refused_for_others(struct og_account_state *a, const struct og_waiting *w)
{
    struct og_sender *s = a->sender;
    struct og_decision d;
    bool waived;

    if (og_send_is_replace(s, w)) {
        if (!og_send_refuses_in_place(a, &d))
            return false;
    } else {
        waived = og_send_waive(a, og_order_client_id(s->order), false);
        og_check(s->book, s->order, og_clock_now(&s->clock), s->scratch, &d);
        if (waived)
            og_send_unwaive(s);
    }
    return !d.accepted && og_send_counts_others(&d) && !(only_opens(s->order) && og_send_is_refused_alone(&d));
}

/* Returns true if the line must wait for the end of cancels that began before it was first considered: its order would
 * be refused, perhaps because of an order that is being canceled. */
static bool awaits_a_cancel(struct og_account_state *a, struct og_waiting *w)
{
    const uint64_t now = og_time_up();
    const struct og_tracked *o = og_order_op(a->sender->order) == OG_OP_ORDER
                                     ? og_send_being_canceled(a, w->cancels_from != 0 ? w->cancels_from : now)
                                     : NULL;

    if (!o || now - og_send_cancel_began(o) > OG_CANCEL_ENDS_NS || !is_refused_for_others(a, w))
        return false;
    if (w->cancels_from == 0)
        w->cancels_from = now;
    return true;
}

/* Returns true if the order must wait for look-ups that are under way: it would be refused, perhaps because of an order
 * of unknown outcome. The answers may end that order, or show that the account's figures already include it. Without
 * this wait, a run with a single line would end before the answers come, and so would each run after it. */
static bool awaits_lookups(struct og_account_state *a, struct og_waiting *w)
{
    struct og_sender *s = a->sender;

    if (og_order_op(s->order) != OG_OP_ORDER || a->step != OG_ACCOUNT_READY || s->options.dry_run ||
        !og_send_is_being_settled(a) || og_send_close_has_waited(s, w->lookups_from) || !is_refused_for_others(a, w))
        return false;
    if (w->lookups_from == 0)
        w->lookups_from = og_time_up();
    return true;
}

bool og_send_has_list(const struct og_account_state *a, const struct og_waiting *w)
{
    const uint64_t wait_ns = a->step == OG_ACCOUNT_READY ? OG_CANCEL_READ_NS : OG_CANCEL_WAIT_NS;

    return a->readings.read_at > w->facts_from ||
           ((a->readings.stuck || (w->list_from != 0 && og_time_up() - w->list_from > wait_ns)) &&
            a->canceling < OG_CANCELING_MOST);
}

/* Returns true if a cancel of that id may be decided now. If this run does not know the order, or has it as rejected or
 * not sent, the order may have been made after the list of orders was last requested. The cancel then waits for a list
 * that is requested after the cancel's line was read. If no such list comes in time, the cancel is decided without one,
 * and is unsure. */
static bool is_heard_of(struct og_account_state *a, struct og_waiting *w, struct og_str id)
{
    if (w->facts_from == 0) {
        w->facts_from = w->at;
        w->unheard = !og_send_is_known(a, id) || og_send_never_worked(a, id);
    }
    w->unheard = w->unheard && (!og_orders_find(a->sender, a, id) || og_send_never_worked(a, id));
    if (id.len == 0 || a->sender->options.dry_run || !w->unheard || og_send_has_list(a, w))
        return true;
    if (w->list_from == 0)
        w->list_from = og_time_up();
    og_send_account_dirty(a);
    og_send_account_look(a);
    return false;
}

/* Returns true if the line's order (s->order) only closes, as decided now. */
static bool only_closes(struct og_sender *s, const struct og_waiting *w)
{
    struct og_decision d;

    if (!w->closes)
        return false;
    og_check(s->book, s->order, og_clock_now(&s->clock), s->scratch, &d);
    return d.reduces;
}

/* Returns what the POST of the line's order would have to wait for. If the maximum number of POSTs is in flight, one
 * order that only closes may exceed it. (The order that a replacement replaces is canceled only when the new order
 * could be posted.) */
static enum og_held_by waits_to_leave(struct og_sender *s, const struct og_waiting *w, int taken)
{
    const int over = s->posting + taken - s->options.max_in_flight;

    if (s->options.dry_run)
        return OG_HELD_NOT;
    if (over > 0 || (over == 0 && !only_closes(s, w)))
        return OG_HELD_IN_FLIGHT;
    return taken == 0 && og_broker_wait(s->broker, OG_ENDPOINT_POST) != 0 ? OG_HELD_RATE : OG_HELD_NOT;
}

bool og_send_close_has_waited(const struct og_sender *s, uint64_t from)
{
    return from != 0 && og_time_up() - from >= OG_CLOSE_WAIT_NS + og_send_settle_ns(s);
}

/* Returns true if a close that would be refused, and waits since `from` for newer facts, has waited for long enough. A
 * reading that is then under way, and began while the close waited, is awaited too. Otherwise, with a broker that takes
 * seconds to answer, the close would be refused just before the facts arrive that accept it. */
static bool has_waited_for_facts(const struct og_account_state *a, const struct og_waiting *w, uint64_t from)
{
    const struct og_reading *r = a->readings.under_way;
    const uint64_t most = OG_CLOSE_WAIT_NS + og_send_settle_ns(a->sender);

    return og_send_close_has_waited(a->sender, from) && !(r && r->began > og_send_since(w) && r->began < from + most);
}

/* Decide the line's order with its waivers. With `as_new`, a close is decided as if the facts at hand were new.
 * Returns false if the book cannot decide it. */
static bool is_decided(struct og_account_state *a, const struct og_waiting *w, bool as_new, struct og_decision *d)
{
    struct og_sender *s = a->sender;
    const int64_t now = og_clock_now(&s->clock);
    const bool waived = og_send_waive(a, og_order_client_id(s->order), false);
    bool can = true;

    if (as_new)
        og_scratch_read_since(s->scratch, true);
    if (og_send_is_replace(s, w))
        can = og_check_replacement(s->book, s->order, now, s->scratch, d);
    else
        og_check(s->book, s->order, now, s->scratch, d);
    og_send_closes_by(a, w);
    if (waived)
        og_send_unwaive(s);
    return can;
}

/* Returns true if the positions may lack a fill of which this run knows, or may still count an order that this run
 * knows to have ended. */
static bool may_lack_a_fill(const struct og_account_state *a)
{
    const uint64_t filled_at = a->news.filled_at;

    return (filled_at != 0 && a->readings.read_at <= filled_at + og_send_settle_ns(a->sender)) ||
           og_send_counts_ended(a, og_time_up()) ||
           og_book_lacks_fills(a->sender->book, a->id, og_clock_now(&a->sender->clock));
}

/* Returns true if the order would be accepted if each order counted only once: the facts at hand may count some orders
 * twice, and the next reading will not. Orders that are sent meanwhile do not prolong the wait, so it ends. The settle
 * lag is not added to the longest wait, since other lines wait behind this one. */
static bool may_count_twice(struct og_account_state *a, struct og_waiting *w)
{
    struct og_sender *s = a->sender;
    struct og_decision d;
    bool waived, may;

    if (w->twice_from != 0 && og_time_up() - w->twice_from >= OG_CLOSE_WAIT_NS)
        return false;
    waived = og_send_waive(a, og_order_client_id(s->order), false);
    may = og_check_once(s->book, s->order, og_clock_now(&s->clock), s->scratch, &d, &w->twice_by) && d.accepted;
    if (waived)
        og_send_unwaive(s);
    if (may && w->twice_from == 0)
        w->twice_from = og_time_up();
    return may;
}

/* Returns true if an order that only opens must wait for a reading: it would be refused, perhaps only because the
 * positions still lack the fill of a close, or because another order counts twice. The wait is measured from when the
 * line is read, so that the waits of lines behind each other do not add up. */
static bool lacks_a_closing_fill(struct og_account_state *a, struct og_waiting *w)
{
    struct og_sender *s = a->sender;

    return is_refused_for_others(a, w) &&
           (may_count_twice(a, w) || (!og_send_close_has_waited(s, w->at) &&
                                      og_book_lacks_closing_fills(s->book, a->id, og_clock_now(&s->clock))));
}

/* Returns true if a closing order must wait for a reading: it would be refused, or perhaps closes what was closed
 * already, and the positions may lack a fill of this run, of another run on the ledger, or of somebody else. Until the
 * book has positions that certainly include the fill, the rules count the fill in addition to the positions: as an
 * order that works, if they may show it. A fill that this run does not know of, because it has no stream or just
 * regained it, is included in a reading that begins after the line was read. */
static bool lacks_an_opening_fill(struct og_account_state *a, struct og_waiting *w)
{
    struct og_sender *s = a->sender;
    struct og_decision d;

    (void)is_decided(a, w, false, &d);
    if ((d.accepted && (d.reduces || og_order_may_open(s->order))) || has_waited_for_facts(a, w, w->fills_since))
        return false;
    if (w->fills_since == 0)
        w->fills_since = og_time_up();
    if (may_lack_a_fill(a))
        return true;
    return !d.accepted && !s->options.dry_run && a->step == OG_ACCOUNT_READY && is_refused_for_others(a, w) &&
           (a->readings.read_at <= og_send_since(w) || may_count_twice(a, w));
}

static bool lacks_a_fill(struct og_account_state *a, struct og_waiting *w)
{
    const struct og_order *o = a->sender->order;

    if (a->readings.stuck || og_order_op(o) != OG_OP_ORDER ||
        !(only_opens(o) ? lacks_a_closing_fill(a, w) : lacks_an_opening_fill(a, w)))
        return false;
    og_send_account_dirty(a);
    og_send_account_look(a);
    return true;
}

/* Returns true if a close must wait for a reading: the facts at hand are older than its line, and would refuse it even
 * if they were new. A newer reading shows what is left to close. If no newer reading can be had, the age of the facts
 * does not refuse a close. */
static bool lacks_a_position(struct og_account_state *a, const struct og_waiting *w)
{
    struct og_decision d;

    return og_order_op(a->sender->order) == OG_OP_ORDER && !og_order_may_open(a->sender->order) &&
           a->step == OG_ACCOUNT_READY && a->readings.read_at <= og_send_since(w) && is_decided(a, w, true, &d) &&
           !d.accepted && is_decided(a, w, false, &d) && d.accepted && !og_send_are_new_enough(a, og_send_since(w));
}

/* Returns true if no reading of the account can make the line's order acceptable: it is refused by its form alone, by a
 * halt or, if it only opens, by a rule that reads no facts and counts no orders. Such a rule does not settle the fate
 * of an order that may close: newer facts may show that it only reduces, and limits pass such orders. */
static bool is_refused_anyway(const struct og_sender *s, const struct og_waiting *w, const struct og_decision *d)
{
    const enum og_trading halt = w->halt > s->guard.halt ? w->halt : s->guard.halt;
    const bool opens = only_opens(s->order);

    if (d->accepted)
        return false;
    if (halt == OG_TRADING_HALTED_ALL || (halt != OG_TRADING_ON && opens))
        return true;
    for (int i = 0; i < d->count; i++) {
        const struct og_finding *f = &d->findings[i];
        const struct og_rule *rule = f->level == OG_LEVEL_REFUSE && !f->unsure ? og_rules_find(f->rule) : NULL;

        if (og_rule_is_of_form(rule) || (opens && rule && !og_rule_reads(rule, 0) && !og_rule_counts_working(rule)))
            return true;
    }
    return false;
}

/* Returns true if the line's order must wait although the newest reading failed: the facts at hand would not let it be
 * sent, and another reading may change that. It waits for one reading, which may have been under way already when the
 * line was read. */
static bool awaits_a_reading(struct og_account_state *a, struct og_waiting *w)
{
    struct og_decision d;

    if (!a->readings.stuck || og_order_op(a->sender->order) != OG_OP_ORDER || a->step != OG_ACCOUNT_READY)
        return false;
    (void)is_decided(a, w, false, &d);
    return (!d.accepted || og_send_is_behind(a, w, &d)) && !is_refused_anyway(a->sender, w, &d) &&
           !og_send_are_new_enough(a, og_send_since(w));
}

/* Returns true if an order that closes must not replace another one yet. The new order is decided with a reading that
 * begins after the old one is canceled, and such a reading is not used until the newest fill has settled. Until then
 * the old order stays, to protect the position. */
static bool would_bare_the_position(struct og_account_state *a, const struct og_waiting *w)
{
    const uint64_t filled_at = a->news.filled_at;
    struct og_decision d;

    if (filled_at == 0 || a->readings.read_at > filled_at + og_send_settle_ns(a->sender) || a->readings.stuck ||
        a->step != OG_ACCOUNT_READY || a->sender->options.dry_run || !is_decided(a, w, false, &d) || !d.accepted ||
        !d.reduces)
        return false;
    og_send_account_dirty(a);
    og_send_account_look(a);
    return true;
}

/* Returns which facts the order waits for. `replaces`: the order replaces another one. */
static enum og_held_by lacks_facts(struct og_account_state *a, struct og_waiting *w, bool replaces)
{
    const struct og_order *o = a->sender->order;

    if (!og_send_account_ready(a, og_send_since(w)))
        return OG_HELD_READING;
    if (replaces && !is_heard_of(a, w, o->replaces))
        return OG_HELD_READING;
    if (!og_send_are_new_enough(a, replaces && !w->again ? 0 : w->facts_from))
        return OG_HELD_READING;
    if (og_send_borrows(o) &&
        (!og_send_borrow_known(a, og_order_symbol(o), og_send_since(w)) || !og_send_locates_known(a, og_send_since(w))))
        return OG_HELD_BORROW;
    if (lacks_a_locate(a, w))
        return OG_HELD_BORROW;
    if (lacks_a_change(a, w))
        return OG_HELD_ELSEWHERE;
    if (awaits_a_reading(a, w))
        return OG_HELD_READING;
    if (awaits_a_cancel(a, w))
        return OG_HELD_CANCEL;
    if (lacks_a_fill(a, w))
        return OG_HELD_SETTLE;
    if (awaits_lookups(a, w))
        return OG_HELD_READING;
    if (replaces && would_bare_the_position(a, w))
        return OG_HELD_SETTLE;
    return lacks_a_position(a, w) ? OG_HELD_READING : OG_HELD_NOT;
}

/* Returns true if the order only closes, has waited for long enough, and is accepted if the facts at hand count as new.
 * An order is not accepted if, by those facts and by later orders, what it closes is already being closed. A close that
 * would be refused goes on waiting, since newer facts may accept it. So does a close if somebody else's order is known
 * to have closed some of the position that the facts still show, because the facts then do not tell how much is left to
 * close. */
static bool goes_by_older_facts(struct og_account_state *a, struct og_waiting *w)
{
    struct og_sender *s = a->sender;
    struct og_decision d;

    if (og_order_op(s->order) != OG_OP_ORDER || s->options.dry_run)
        return false;
    if (w->waits_from == 0)
        w->waits_from = og_time_up();
    return og_send_close_has_waited(s, w->waits_from) && a->step == OG_ACCOUNT_READY &&
           (knows_takings_of_it(a) || og_send_knows_takings(a, og_send_since(w))) && is_decided(a, w, true, &d) &&
           d.accepted && d.reduces;
}

/* Returns true if no facts that the order waits for can prevent its refusal, so that it is decided at once. Before the
 * first reading an order always waits, since its decision would only say that facts are missing. */
static bool waits_in_vain(struct og_account_state *a, const struct og_waiting *w)
{
    struct og_decision d;

    if (og_order_op(a->sender->order) != OG_OP_ORDER || a->step != OG_ACCOUNT_READY)
        return false;
    return is_decided(a, w, false, &d) && is_refused_anyway(a->sender, w, &d);
}

enum og_held_by og_send_line_waits(struct og_account_state *a, struct og_waiting *w, int taken)
{
    struct og_sender *s = a->sender;
    enum og_held_by by;
    bool replaces;

    /* a cancel is decided without facts, and waits for its budget in the queue of requests */
    if (og_order_op(s->order) == OG_OP_CANCEL)
        return og_send_is_withdrawable(a, w) || is_heard_of(a, w, s->order->client_id) ? OG_HELD_NOT : OG_HELD_READING;
    /* a replacement is decided twice: before the order that it replaces is canceled, and afterwards */
    replaces = og_send_is_replace(s, w);
    if (replaces && a->step != OG_ACCOUNT_LOADING && og_send_replaces_refused(a))
        return OG_HELD_NOT;
    by = lacks_facts(a, w, replaces);
    if (by != OG_HELD_NOT && waits_in_vain(a, w))
        return OG_HELD_NOT;
    return by == OG_HELD_NOT || goes_by_older_facts(a, w) ? waits_to_leave(s, w, taken) : by;
}

bool og_send_is_behind(const struct og_account_state *a, const struct og_waiting *w, const struct og_decision *d)
{
    return a && a->step == OG_ACCOUNT_READY && !d->reduces && og_order_op(a->sender->order) == OG_OP_ORDER &&
           !og_send_knows_takings(a, og_send_since(w));
}
