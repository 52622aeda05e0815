/*
 * The outcome of an order that is refused. Rules see sums of orders, which may include an order whose answer was lost,
 * or one that is being canceled. If the refused order would pass without that other order, the text names the other
 * order and says what can be done.
 */
#include <stdio.h>
#include <string.h>

#include "order/order.h"
#include "ordergate/rules.h"
#include "send/event.h"
#include "send/replace.h"
#include "send/sender.h"

#define RULES_MOST 4
#define WAIVES     "ordergate waive"

/* Orders that may be why an order is refused. */
struct causes {
    const char *id[OG_WITHOUT_MOST];
    int count;
};

static bool was_lost(const struct og_tracked *o)
{
    return !o->external && o->execution.state == OG_OUTCOME_UNKNOWN;
}

static bool is_being_canceled(const struct og_tracked *o)
{
    return og_send_cancel_began(o) != 0;
}

static struct causes find_all(const struct og_account_state *a, bool (*may_be)(const struct og_tracked *))
{
    struct causes c = { .count = 0 };

    for (const struct og_tracked *o = a->sender->orders; o && c.count < OG_WITHOUT_MOST; o = o->next)
        if (o->account == a && may_be(o))
            c.id[c.count++] = o->id;
    return c;
}

/* Returns true if the line's order (s->order) passes with these orders left out. */
static bool passes_without(struct og_sender *s, const char *const *ids, int count)
{
    struct og_decision d;

    return og_check_without(s->book, s->order, ids, count, og_clock_now(&s->clock), s->scratch, &d) && d.accepted;
}

/* Reduce *c to the orders without which the line's order passes: to a single one, or, if no single order is the cause,
 * to all of them. Returns false if the order does not pass even without all of them. That is the usual case, also while
 * a program repeats a refused order, so it is checked first and costs one check. */
static bool narrow(struct og_sender *s, struct causes *c)
{
    if (c->count == 0 || !passes_without(s, c->id, c->count))
        return false;
    for (int i = 0; i < c->count && c->count > 1; i++)
        if (passes_without(s, &c->id[i], 1))
            *c = (struct causes){ .id = { c->id[i] }, .count = 1 };
    return true;
}

/* List the rules that refuse the order. Returns their number; 0 if there are more than RULES_MOST. */
static int refusing(const struct og_decision *d, const char *rule[RULES_MOST])
{
    int count = 0, k;

    for (int i = 0; i < d->count; i++) {
        if (d->findings[i].level != OG_LEVEL_REFUSE)
            continue;
        for (k = 0; k < count && strcmp(rule[k], d->findings[i].rule) != 0; k++)
            continue;
        if (k < count)
            continue;
        if (count == RULES_MOST)
            return 0;
        rule[count++] = d->findings[i].rule;
    }
    return count;
}

/* Write which waivers would let the line's order pass; "" if none would, because a rule is locked or cannot be waived.
 * To find out, such waivers are put into the book and taken out again. The decision d is not valid afterwards. */
static void write_waivers(struct og_account_state *a, struct og_decision *d, char *to, size_t size)
{
    struct og_sender *s = a->sender;
    const char *id = og_order_client_id(s->order), *rule[RULES_MOST];
    char kept[RULES_MOST][80], digest[OG_ORDER_DIGEST_SIZE];
    int count, len = 0;
    bool may;

    to[0] = '\0';
    og_check(s->book, s->order, og_clock_now(&s->clock), s->scratch,
             d); /* decide again: the findings of d are valid only until the scratch is used for another decision */
    count = refusing(d, rule);
    may = count > 0 && s->ledger && og_order_digest(s->order, digest) == OG_OK;
    for (int i = 0; i < count && may; i++) {
        const struct og_waiver w = { .account_id = a->id,
                                     .client_order_id = id,
                                     .rule = rule[i],
                                     .by = WAIVES,
                                     .reason = WAIVES,
                                     .digest = digest,
                                     .until_ns = og_clock_now(&s->clock) + OG_NS_PER_S };

        snprintf(kept[i], sizeof kept[i], "%s", rule[i]); /* copied, since the name of a custom rule is kept in the
                                                           * scratch */
        may = og_book_waive(s->book, &w, NULL) == OG_OK;
    }
    if (may)
        og_check(s->book, s->order, og_clock_now(&s->clock), s->scratch, d);
    og_send_unwaive(s);
    if (!may || !d->accepted)
        return;
    for (int i = 0; i < count && len < (int)size; i++)
        len += snprintf(to + len, size - (size_t)len, "%s%s --order '%.64s' --rule %s --reason TEXT",
                        i == 0 ? "; if closing twice is the smaller harm, " : " and ", WAIVES, id, kept[i]);
    if (len < (int)size)
        (void)snprintf(to + len, size - (size_t)len, ", and the line given again, lets it pass");
}

/* Returns true if the line's order only closes. */
static bool closes(const struct og_sender *s)
{
    return !og_order_may_open(s->order);
}

static void write_lost(struct og_account_state *a, const struct causes *c, struct og_decision *d, char *to, size_t size)
{
    struct og_sender *s = a->sender;
    int len;

    len =
        snprintf(to, size,
                 "order '%.64s'%s a working order: the answer to its POST was lost. It is looked up, and counts until "
                 "the broker shows what became of it, or has not shown it for 60 s; if you know what became of it, "
                 "ordergate ledger resolve settles it at once",
                 c->id[0], c->count > 1 ? ", one of several such, counts as" : " counts as");
    if (len > 0 && (size_t)len < size && closes(s))
        write_waivers(a, d, to + len, size - (size_t)len);
}

/* Write why the line's order is refused, if the cause may be another order that will soon be over, or is over
 * already. */
static bool write_cause(struct og_account_state *a, struct og_decision *d, char *to, size_t size)
{
    struct og_sender *s = a->sender;
    struct causes lost = find_all(a, was_lost), ends = find_all(a, is_being_canceled);
    const bool waived = og_send_waive(a, og_order_client_id(s->order), false);
    bool found = true;

    if (narrow(s, &lost))
        write_lost(a, &lost, d, to, size);
    else if (narrow(s, &ends))
        (void)snprintf(to, size, "order '%.64s' is being canceled, and counts until it is over", ends.id[0]);
    else
        found = false;
    if (waived)
        og_send_unwaive(s);
    return found;
}

/* Returns what one can do about the finding; NULL if its reason says nothing of that. */
static const char *help_of(const struct og_finding *f)
{
    const struct og_rule *rule = og_rules_find(f->rule);
    struct og_reason_info info;

    for (size_t i = 0; rule && og_rule_reason(rule, i, &info); i++)
        if (strcmp(info.id, f->reason) == 0)
            return info.help;
    return NULL;
}

/* Write why an order is refused while trading is halted. To resume helps only if nothing else refuses the order: a
 * close, for one, is refused beside working orders that close the same position, and a halt lets pass what is left to
 * close.  Returns false if trading is not halted, or the halt does not refuse the order. */
static bool write_halted(const struct og_sender *s, const struct og_decision *d, char *to, size_t size)
{
    const struct og_finding *other = NULL;
    const char *help;
    bool halted = false;

    for (int i = 0; s->guard.halt != OG_TRADING_ON && i < d->count; i++) {
        const bool by_halt = strcmp(d->findings[i].rule, "trading") == 0;

        if (d->findings[i].level != OG_LEVEL_REFUSE)
            continue;
        halted = halted || by_halt;
        if (!by_halt && (!other || (other->unsure && !d->findings[i].unsure)))
            other = &d->findings[i];
    }
    if (!halted)
        return false;
    help = other ? help_of(other) : NULL;
    if (!other)
        (void)snprintf(to, size, "%s%s", s->guard.halt_why, og_send_halt_advice(s));
    else if (closes(s) && s->guard.halt != OG_TRADING_HALTED_ALL)
        (void)snprintf(to, size, "%s%s%s; trading is halted too, which lets pass what only closes what is left",
                       other->message, help ? "; " : "", help ? help : "");
    else
        (void)snprintf(to, size, "%s; it is refused by rule '%s' too: %s%s%s", s->guard.halt_why, other->rule,
                       other->message, help ? "; " : "", help ? help : "");
    return true;
}

void og_send_tell_refused(struct og_sender *s, struct og_origin origin, struct og_account_state *a,
                          struct og_decision *d, bool resumed)
{
    char text[900] = "trading was halted when its line had been read, and is on again", more[OG_END_TEXT_SIZE];
    char halt[1500];
    const bool halted = write_halted(s, d, halt, sizeof halt);
    const bool known = a && og_send_counts_others(d) && write_cause(a, d, text, sizeof text);
    const char *said = known || resumed ? text : halted ? halt : NULL;
    struct og_execution execution = { .text = (char *)(uintptr_t)(a ? og_send_refused_text(a, said, more) : said) };

    og_send_tell_outcome(s, origin, a ? a->id : og_order_account(s->order), og_order_client_id(s->order), &execution,
                         "refused");
}
