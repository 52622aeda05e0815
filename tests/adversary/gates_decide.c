/*
 * What the gates decide of orders and baskets, compared with the model, and what the broker does with those that pass.
 */
#include <stdio.h>
#include <string.h>

#include "basket_line.h"
#include "gates_run.h"

static const struct og_finding *refuses(const struct og_decision *d, enum rule r)
{
    for (int i = 0; i < d->count; i++)
        if (d->findings[i].level == OG_LEVEL_REFUSE && strcmp(d->findings[i].rule, rule_name[r]) == 0)
            return &d->findings[i];
    return NULL;
}

/* Compare the decision with the verdict of each rule. Clears *fits if some rule may refuse the order, and sets *breaks
 * if some rule must. */
static void compare(const struct order *o, const struct og_decision *d, bool *fits, bool *breaks)
{
    bool known = d->accepted;

    for (int r = 0; r < RULES; r++) {
        const enum verdict v = judge(&w, o, (enum rule)r);
        const struct og_finding *f = refuses(d, (enum rule)r);

        known = known || f;
        *fits = *fits && v == SAFE;
        *breaks = *breaks || v == EXCEEDS;
        if (f && tells)
            printf("    %s: %s\n", f->reason, f->message);
        if (v == EXCEEDS && !f) /* a rule that must refuse does so even if others refuse too */
            hole("passes", rule_name[r]);
        else if (v == SAFE && f)
            hole("refuses what fits", rule_name[r]);
    }
    for (int i = 0; i < d->count; i++)
        known = known || strcmp(d->findings[i].reason, "basket-refused") == 0;
    if (!known) {
        for (int i = 0; i < d->count && tells; i++)
            printf("    %s: %s\n", d->findings[i].reason, d->findings[i].message);
        hole("refuses", d->count ? d->findings[0].reason : "without a word");
    }
}

/* Take an order of the other gate over from the shared record. */
void take_in(struct order *o, int gate)
{
    read_order(o, 0);
    must(og_order_set_tag(order[0], o->tag < TAGS ? tag_name[o->tag] : ""), NULL);
    must(og_reserve_sent(book[gate], order[0], o->at, scratch[0], &o->ticket[gate]), NULL);
}

static void trip_streak(void)
{
    if (w.streak > w.desk.streak) {
        w.streak_latch.tripped = true;
        w.streak_latch.day = session_of(w.now);
    }
}

/* Let the broker accept or reject an order that a gate accepted. */
static void send(struct order *o, int gate, struct chance *c)
{
    const bool rejects = chance_in(c, w.desk.on[REJECTION_STREAK] ? 40 : 10);

    take_in(o, !gate);
    for (int g = 0; g < GATES; g++)
        if (rejects)
            og_ticket_rejected(book[g], o->ticket[g]);
        else
            og_ticket_sent(book[g], o->ticket[g], w.now);
    o->live = !rejects;
    o->rejected = rejects;
    if (w.streak > w.desk.streak)
        w.streak_day = session_of(w.now);
    w.streak = rejects ? w.streak + 1 : 0;
    trip_streak();
    if (rejects && o->closes)
        w.thing[o->leg[0].thing].closable += o->quantity;
    if (tells)
        printf("  %s %s\n", o->id, rejects ? "rejected" : "sent");
}

static void tell_order(const struct order *o, bool is_accepted)
{
    printf("  %s %s %s\n", o->id, is_accepted ? "accepted" : "refused", json.s);
}

void decide_one(int gate, struct chance *c)
{
    struct order *o = &w.order[w.orders];
    struct og_decision d;
    bool fits = true, breaks = false;

    make_order(o, c);
    read_order(o, 0);
    must(og_reserve(book[gate], order[0], w.now, scratch[0], &d, &o->ticket[gate]), NULL);
    if (tells)
        tell_order(o, d.accepted);
    compare(o, &d, &fits, &breaks);
    accepted += d.accepted;
    refused += !d.accepted;
    if (!d.accepted)
        return;
    if (o->closes)
        w.thing[o->leg[0].thing].closable -= o->quantity;
    w.orders++;
    send(o, gate, c);
}

/* Decide a basket: all of its orders are accepted or none, each judged beside those before it. */
void decide_basket(int gate, struct chance *c)
{
    const int first = w.orders, count = 1 + (int)chance_to(c, BASKET_MOST);
    struct og_decision d[BASKET_MOST], asked[BASKET_MOST];
    og_ticket ticket[BASKET_MOST];
    int64_t closable[THINGS];
    struct og_order *const *by_line;
    bool fits = true, breaks = false;
    static struct basket_line line;

    basket_line_begin(&line);
    for (int t = 0; t < THINGS; t++)
        closable[t] = w.thing[t].closable;
    for (int i = 0; i < count; i++) { /* while the next order is made, those before it count as orders of the world */
        struct order *o = &w.order[w.orders];

        make_order(o, c);
        if (o->closes)
            w.thing[o->leg[0].thing].closable -= o->quantity;
        o->live = true;
        w.orders++;
        read_order(o, i);
        basket_line_add(&line, &json);
        if (tells)
            printf("  in a basket of %d: %s\n", count, json.s);
    }
    must(og_check_basket(book[gate], order, (size_t)count, w.now, scratch, asked), NULL);
    for (int i = 0; i < count; i++)
        fits = fits && asked[i].accepted;
    basket_line_check(&line, book[gate], w.now, scratch);
    by_line = basket_line_orders(&line);
    must(og_reserve_basket(book[gate], by_line && chance_in(c, 50) ? by_line : order, (size_t)count, w.now, scratch, d,
                           ticket),
         NULL);
    baskets++;
    if (!basket_line_agrees(&line, d, (size_t)count)) {
        if (tells)
            printf("  %s\n by line:\n%s by hand:\n%s", line.json.s, line.by_line.s, line.by_hand.s);
        hole("basket", "is decided otherwise as a line");
    }
    if (fits != d[0].accepted)
        hole("basket", "is decided otherwise than it is checked");
    fits = true;
    w.orders = first;
    for (int i = 0; i < count; i++) {
        if (d[i].accepted != d[0].accepted || (ticket[i] != 0) != d[i].accepted)
            hole("basket", "is not all or none");
        /* after a refused order, each is decided beside those that would be accepted; the model knows which these are
         * only while none was refused */
        if (!breaks && (fits || d[0].accepted)) {
            w.order[first + i].live = false;
            compare(&w.order[first + i], &d[i], &fits, &breaks);
            w.order[first + i].live = true;
        }
        w.orders++;
    }
    if (tells)
        printf("  basket %s\n", d[0].accepted ? "accepted" : "refused");
    if (d[0].accepted && breaks)
        hole("basket", "breaks a limit");
    if (!d[0].accepted && fits)
        hole("basket", "fits and is refused");
    if (!d[0].accepted) {
        refused += count;
        w.orders = first;
        for (int t = 0; t < THINGS; t++)
            w.thing[t].closable = closable[t];
        return;
    }
    accepted += count;
    for (int i = 0; i < count; i++) {
        w.order[first + i].ticket[gate] = ticket[i];
        send(&w.order[first + i], gate, c);
    }
}
