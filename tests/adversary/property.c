/*
 * The property test: random worlds, orders through a gate, and an adversary that fills what was accepted.
 *
 * property [--count N] [--seed S] [--world W] [--verbose]
 *
 * runs worlds from seed S until N orders were accepted; --world W runs only that world and prints every step.  It
 * fails if an accepted order can break a limit, or if an order that is safe by a margin is refused.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "adversary.h"
#include "basket_line.h"
#include "ordergate/halt.h"
#include "ordergate/requests.h"

enum { STEPS = 70, CLASSES = 4096, BASKET_MOST = 3 };

struct run {
    struct world w;
    struct og_book *book;
    struct og_scratch *scratch, *scratches[BASKET_MOST];
    struct og_order *order, *basket[BASKET_MOST];
    struct og_request *request;
    struct basket_line line;
    struct text json;
    struct text late; /* facts that have been read and have not arrived yet */
    int late_account;
    int64_t late_at;
    struct holding late_read[THINGS]; /* the positions that the late facts contain */
    int late_untold[THINGS];          /* number of fills of unknown worth in the late facts */
    wide late_spent;                  /* account.spent when these facts were read */
    struct order *unheard;            /* an order with a fill that the gate has not been told yet */
    int64_t unheard_to, unheard_at;
    bool tells;
    unsigned long mask[(STEPS + 63) / 64]; /* steps that are left out */
    const char *wanted;                    /* the class of failure to look for; NULL means any */
    bool found;
    bool broken; /* an accepted order can break a limit: later failures would only follow from this one */
};

static long accepted, refused, worlds, cancels, baskets;
static struct class
{
    char name[96];
    long count;
    uint64_t seed;
    int step;
} classes[CLASSES];
static int class_count;

static const char *kind_of(const struct world *w, const struct order *o)
{
    static char text[80];
    static const char *const types[] = { "market", "limit", "stop", "stoplimit" };
    static const char *const forms[] = { "stock", "option", "spread" };
    const struct leg *l = &o->leg[0];

    snprintf(text, sizeof text, "%s%s%s-%s%s", forms[o->form],
             o->form == SPREAD ? ""
             : l->buy          ? "-buy"
                               : "-sell",
             closes_all(o)                     ? "-close"
             : o->form != SPREAD && !l->effect ? "-none"
                                               : "-open",
             types[o->type], (o->form == SPREAD ? !is_open_ended(o) : quote_known(w, l->thing)) ? "" : "-noquote");
    return text;
}

static void tell_order(const struct run *r, const struct order *o, const char *word)
{
    printf("  %s %s worth %.2f%s  %s\n", word, kind_of(&r->w, o), (double)(o->worth * o->quantity) / 1e8,
           o->unbounded ? "+" : "", r->json.s);
}

static void hole(struct run *r, const struct order *o, const char *what, enum limit l, const struct measure *m,
                 int step)
{
    const struct account *a = &r->w.account[o->account];
    char name[96];
    int i = 0;
    bool hidden = false;

    for (int k = 0; k < a->orders; k++)
        hidden = hidden || (a->order[k].live && a->order[k].blind);
    snprintf(name, sizeof name, "%s %s %s%s%s%s%s%s%s%s", what, limit_name[l], kind_of(&r->w, o),
             a->lacks ? " +lacks" : "", a->overlap ? " +overlap" : "", a->delayed ? " +late" : "",
             hidden ? " +blind" : "", is_overclosed(&r->w, o->account) ? " +over" : "", a->early ? " +early" : "",
             strcmp(what, "unsure") == 0 ? r->w.desk.refuses[l] ? " refuse" : " warn" : "");
    if (r->wanted) {
        r->found = r->found || strcmp(name, r->wanted) == 0;
        if (!r->tells)
            return;
    }
    if (r->tells)
        printf("  HOLE %s: %.2f of %lld (at most %.2f)%s\n", name, (double)m->lo / 1e8,
               (long long)desk_most(&r->w, o, l), (double)m->hi / 1e8, m->unknown ? " unknown" : "");
    while (i < class_count && strcmp(classes[i].name, name) != 0)
        i++;
    if (i == CLASSES)
        return;
    if (i == class_count) {
        snprintf(classes[i].name, sizeof classes[i].name, "%s", name);
        classes[i].seed = r->w.seed;
        classes[i].step = step;
        class_count++;
    }
    classes[i].count++;
}

static const struct og_finding *finding_of(const struct og_decision *d, enum limit l, bool unsure)
{
    for (int i = 0; i < d->count; i++)
        if (strcmp(d->findings[i].rule, limit_rule[l]) == 0 && d->findings[i].unsure == unsure)
            return &d->findings[i];
    return NULL;
}

/* Returns false for findings that belong to no limit: predictions of the broker's answer, and advice. */
static bool of_limit(const char *reason, enum limit l)
{
    static const struct {
        const char *reason;
        enum limit limit;
    } others[] = {
        { "quantity-above-limit", LIMITS },
        { "gross-exposure-above-limit", L_GROSS },
        { "short-exposure-above-limit", L_SHORT },
        { "contracts-above-limit", L_AN_ORDER },
        { "contracts-total-above-limit", L_IN_TOTAL },
        { "open-orders-above-limit", L_OPEN_TOTAL },
        { "open-orders-of-symbol-above-limit", L_OPEN_SYMBOL },
        { "orders-a-second-above-limit", L_SECOND },
        { "orders-a-minute-above-limit", L_MINUTE },
        { "orders-a-day-above-limit", L_DAY },
        { "day-loss-above-limit", L_LOSS },
        { "drawdown-above-limit", L_DRAWDOWN },
        { "option-uncovered", L_UNCOVERED },
        { "puts-not-secured", L_SECURED },
        { "short-not-easy", LIMITS },
        { "short-below-floor", L_SHORT_PRICE },
        { "short-barred", L_NO_SHORTS },
        { "option-level-insufficient", LIMITS },
        { "breaks-option-cover", LIMITS },
        { "flatten-with-working-orders", LIMITS },
        { "fractional-remainder", LIMITS },
        { "overnight-buying-power", LIMITS },
    };

    if (strcmp(reason, "traded-day") == 0) /* one reason for dollars, shares and contracts */
        return l == L_TRADED || l == L_TRADED_SHARES || l == L_TRADED_CONTRACTS;
    for (size_t i = 0; i < sizeof others / sizeof others[0]; i++)
        if (strcmp(reason, others[i].reason) == 0)
            return others[i].limit == LIMITS ? strcmp(reason, "quantity-above-limit") == 0 : others[i].limit == l;
    return true;
}

static void judge_accepted(struct run *r, const struct order *o, const struct og_decision *d, int step)
{
    struct measure m;

    if (r->w.account[o->account].lacks && closes_all(o))
        return; /* the way out: it is decided by the positions that are known */
    for (int l = 0; l < LIMITS; l++) {
        enum verdict v = judge(&r->w, o, (enum limit)l, &m);

        if (v == EXCEEDS && r->w.account[o->account].may_lack && finding_of(d, (enum limit)l, true))
            v = UNKNOWN; /* positions count as too old */
        r->broken = r->broken || v == EXCEEDS ||
                    (v == UNKNOWN && (r->w.desk.refuses[l] || !finding_of(d, (enum limit)l, true)));
        if (v == EXCEEDS)
            hole(r, o, "exceeds", (enum limit)l, &m, step);
        else if (v == UNKNOWN && (r->w.desk.refuses[l] || !finding_of(d, (enum limit)l, true)))
            hole(r, o, "unsure", (enum limit)l, &m, step);
    }
}

/* Returns true if the order has a contract of that kind of root. */
static bool has_contract_of(const struct world *w, const struct order *o, enum root kind)
{
    bool any = false;

    for (int i = 0; i < o->legs; i++)
        any = any || w->thing[o->leg[i].thing].kind == kind;
    return any;
}

/* Fails if an order that is safe by a margin was refused by that limit. */
static void judge_refused(struct run *r, const struct order *o, const struct og_decision *d, int step)
{
    struct measure m;

    /* the limit may refuse the order because facts are old, or because no contract can have its symbol */
    if (has_contract_of(&r->w, o, TICKER) || r->w.account[o->account].delayed || r->w.account[o->account].unheard ||
        r->w.account[o->account].lacks || r->w.account[o->account].may_lack)
        return;
    for (int i = 0; i < d->count; i++) {
        const struct og_finding *f = &d->findings[i];

        enum verdict worst = SAFE;
        enum limit limit = LIMITS;

        if (f->level != OG_LEVEL_REFUSE)
            continue;
        for (int l = 0; l < LIMITS; l++)
            if (strcmp(limit_rule[l], f->rule) == 0 && of_limit(f->reason, (enum limit)l) &&
                r->w.desk.most[l] != NO_LIMIT) {
                enum verdict v = judge(&r->w, o, (enum limit)l, &m);

                worst = v > worst ? v : worst;
                limit = (enum limit)l;
            }
        if (limit == LIMITS || worst != SAFE)
            continue;
        (void)judge(&r->w, o, limit, &m);
        if (r->tells)
            printf("  refused by %s: %s\n", f->reason, f->message);
        hole(r, o, "safe", limit, &m, step);
    }
}

static void tell_decision(const struct og_decision *d)
{
    for (int i = 0; i < d->count; i++)
        if (d->findings[i].level >= OG_LEVEL_WARN)
            printf("    %s %s: %s\n", og_level_name(d->findings[i].level), d->findings[i].reason,
                   d->findings[i].message);
}

static void check_status(enum og_status s, const struct og_error *err)
{
    if (s == OG_OK)
        return;
    fprintf(stderr, "property: %s: %s\n", og_status_text(s), err ? err->text : "");
    exit(2);
}

/* Make the next order of an account. It is not one of the account's orders yet. */
static struct order *make_order(struct run *r, int which, struct og_order *to, struct chance *c)
{
    struct account *a = &r->w.account[which];
    struct order *o = &a->order[a->orders];

    world_order(&r->w, o, which, c);
    o->at = r->w.now;
    o->reads = a->reads;
    r->json.len = 0;
    order_write(&r->w, o, c, &r->json);
    check_status(og_order_read(to, r->json.s, r->json.len), NULL);
    return o;
}

/* Judge the newest order of an account, which was accepted, and let it work. */
static void take_accepted(struct run *r, struct order *o, const struct og_decision *d, struct chance *c, int step)
{
    struct world *w = &r->w;
    struct account *a = &w->account[o->account];
    const struct measure none = { 0 };
    enum limit broken;

    accepted++;
    judge_accepted(r, o, d, step);
    o->live = true;
    a->early = a->early || a->account_at == OG_TIME_UNKNOWN;
    o->unseen = closes_all(o) && !book_known(w, o);
    o->beside = writes_beside(w, o);
    a->orders++;
    broken = outcome_breaks(w, o->account, c);
    if (broken != LIMITS) {
        r->broken = true;
        hole(r, o, "outcome", broken, &none, step);
    }
    a->decided[a->decisions++] = w->now;
    o->taken = most_taken(w, o);
    a->taken_since += o->taken;
}

static void step_order(struct run *r, struct chance *c, int step)
{
    const int which = (int)chance_to(c, r->w.accounts);
    struct og_decision d;
    struct order *o;

    if (r->w.account[which].orders == ORDERS_MOST)
        return;
    o = make_order(r, which, r->order, c);
    check_status(og_reserve(r->book, r->order, r->w.now, r->scratch, &d, &o->ticket), NULL);
    if (r->tells) {
        tell_order(r, o, d.accepted ? "accepted" : "refused");
        tell_decision(&d);
    }
    if (d.accepted) {
        take_accepted(r, o, &d, c, step);
    } else {
        refused++;
        judge_refused(r, o, &d, step);
    }
}

/* Decide several orders as a basket, all or none; each is judged beside those before it. */
static void step_basket(struct run *r, struct chance *c, int step)
{
    const int which = (int)chance_to(c, r->w.accounts);
    const size_t count = 1 + (size_t)chance_to(c, BASKET_MOST);
    struct account *a = &r->w.account[which];
    const int first = a->orders;
    struct og_decision d[BASKET_MOST];
    og_ticket ticket[BASKET_MOST];
    const struct measure none = { 0 };

    if (first + BASKET_MOST > ORDERS_MOST)
        return;
    basket_line_begin(&r->line);
    for (size_t i = 0; i < count; i++) {
        const struct order *o = make_order(r, which, r->basket[i], c);

        basket_line_add(&r->line, &r->json);
        if (r->tells)
            tell_order(r, o, "in a basket");
        a->orders++;
    }
    a->orders = first;
    baskets++;
    basket_line_check(&r->line, r->book, r->w.now, r->scratches);
    check_status(og_reserve_basket(r->book, r->basket, count, r->w.now, r->scratches, d, ticket), NULL);
    if (!basket_line_agrees(&r->line, d, count)) {
        if (r->tells)
            printf("  %s\n by line:\n%s by hand:\n%s", r->line.json.s, r->line.by_line.s, r->line.by_hand.s);
        hole(r, &a->order[first], "basket-line", L_HALT, &none, step);
        return;
    }
    for (size_t i = 0; i < count; i++) {
        if (r->tells)
            tell_decision(&d[i]);
        if (d[i].accepted != d[0].accepted || (ticket[i] != 0) != d[0].accepted) {
            hole(r, &a->order[first], "basket", L_HALT, &none, step);
            return;
        }
    }
    if (!d[0].accepted) {
        refused += (long)count;
        judge_refused(r, &a->order[first], &d[0], step);
        return;
    }
    for (size_t i = 0; i < count; i++) {
        a->order[a->orders].ticket = ticket[i];
        take_accepted(r, &a->order[a->orders], &d[i], c, step);
    }
}

static struct order *any_ticket(struct run *r, struct chance *c)
{
    struct account *a = &r->w.account[chance_to(c, r->w.accounts)];
    int from = a->orders ? (int)chance_to(c, a->orders) : 0;

    for (int i = 0; i < a->orders; i++) {
        struct order *o = &a->order[(from + i) % a->orders];

        if (o->live && o->ticket && o != r->unheard)
            return o;
    }
    return NULL;
}

/* Assert that a cancel of a working order is accepted, whatever else applies. */
static void try_cancel(struct run *r, const struct order *o, int step)
{
    struct og_decision d;
    struct measure m = { 0 };

    r->json.len = 0;
    text_put(&r->json, "{\"op\":\"cancel\",\"accountId\":\"%s\",\"clientOrderId\":\"%s\"}", r->w.account[o->account].id,
             o->id);
    check_status(og_request_read(r->request, r->json.s, r->json.len), NULL);
    og_check_cancel(r->book, r->request, r->w.now, r->scratch, &d);
    cancels++;
    if (d.accepted)
        return;
    if (r->tells) {
        printf("  cancel of %s refused\n", o->id);
        tell_decision(&d);
    }
    hole(r, o, "cancel", L_HALT, &m, step);
}

/* Tell the gate of a fill. */
static void hear_fill(struct run *r, const struct order *o, int64_t executed, int64_t at)
{
    check_status(
        og_ticket_fill(r->book, o->ticket, executed == o->quantity ? OG_FILL_WHOLE : executed, og_money_from(0), at),
        NULL);
}

/* Report a fill to the gate that happened some time ago. */
static void hear_late(struct run *r)
{
    struct order *o = r->unheard;
    struct account *a = &r->w.account[o->account];

    if (r->tells)
        printf("  heard that %s filled to %lld\n", o->id, (long long)r->unheard_to);
    hear_fill(r, o, r->unheard_to, r->unheard_at);
    r->unheard = NULL;
    a->unheard = false;
    a->delayed = a->overlap = true;
    if (!o->live)
        o->ticket = 0;
}

/* Fill more of an order, and report that to the gate as a fill or as the broker's row, now or later. */
static void some_fill(struct run *r, struct order *o, struct chance *c)
{
    int64_t more = chance_in(c, 50) ? o->leaves : 1 + chance_to(c, o->leaves), executed;
    struct og_error err = { 0 };
    og_ticket ticket;

    o->sent = true;
    executed = o->quantity - o->leaves + more;
    world_fill(&r->w, o, more, c);
    if (!r->unheard && chance_in(c, 20)) {
        r->unheard = o;
        r->unheard_to = executed;
        r->unheard_at = r->w.now;
        r->w.account[o->account].unheard = true;
        if (r->tells)
            printf("  filled %s to %lld, which is heard later\n", o->id, (long long)executed);
        return;
    }
    if (r->tells)
        printf("  filled %s to %lld\n", o->id, (long long)executed);
    if (chance_in(c, 40)) {
        r->json.len = 0;
        o->status = o->leaves ? "PartiallyFilled" : "Filled";
        if (o->leaves == 0) /* more than the quantity is refused */
            o->said = chance_in(c, 50) ? SAID : (enum said)chance_to(c, TOO_MUCH_SAID);
        order_row(&r->w, o, &r->json);
        o->status = NULL;
        o->said = SAID;
        check_status(og_book_row(r->book, r->w.account[o->account].id, r->json.s, r->json.len, r->w.now, &ticket, &err),
                     &err);
        if (ticket != o->ticket)
            fprintf(stderr, "property: world %llu: the row of %s moved ticket %llu: %s\n",
                    (unsigned long long)r->w.seed, o->id, ticket, r->json.s),
                exit(2);
        return;
    }
    hear_fill(r, o, executed, r->w.now);
}

/* The facts in force contain all of the order, so its ticket is forgotten, and only its row is known from now on. Its
 * worth stays the one known by its ticket or by its row, because forgetting adds no knowledge. */
static void forget(struct run *r, struct order *o)
{
    if (r->tells)
        printf("  forgotten %s\n", o->id);
    og_ticket_forget(r->book, o->ticket);
    o->ticket = 0;
    o->external = o->forgotten = true;
    o->unbounded = o->unbounded && o->row.unbounded;
    for (int i = 0; i < o->legs; i++)
        if (o->leg[i].each == 0)
            o->leg[i].each = o->row.each[i];
}

static void step_ticket(struct run *r, struct chance *c, int step)
{
    struct order *o = any_ticket(r, c);
    struct account *a = o ? &r->w.account[o->account] : NULL;
    int how = (int)chance_to(c, 10);

    if (r->unheard && chance_in(c, 40)) {
        hear_late(r);
        return;
    }
    if (!o)
        return;
    if (!o->sent && how < 5) {
        og_ticket_sent(r->book, o->ticket, r->w.now);
        o->sent = true;
        if (r->tells)
            printf("  sent %s\n", o->id);
        return;
    }
    if (o->sent && chance_in(c, 30))
        try_cancel(r, o, step);
    if (o->in_facts && o->told == o->leaves && !a->delayed && a->positions_at == a->orders_at && chance_in(c, 15)) {
        forget(r, o);
        return;
    }
    if (how < 8) {
        some_fill(r, o, c);
        a->overlap = a->overlap || o->in_facts;
    } else if (how == 8 || o->leaves == o->quantity) {
        if (r->tells)
            printf("  %s %s\n", how == 8 ? "released" : "rejected", o->id);
        if (how == 8)
            og_ticket_release(r->book, o->ticket);
        else
            og_ticket_rejected(r->book, o->ticket);
        a->overlap = a->overlap || o->in_facts;
        o->live = false;
    }
    if (!o->live && o != r->unheard)
        o->ticket = 0;
}

/* Load the late document. With `older`, the book has newer facts, and must report that. */
static void apply(struct run *r, int account, bool older)
{
    struct og_error err = { 0 };

    if (r->tells)
        printf("  facts%s %s\n", older ? " that are older" : "", r->json.s);
    check_status(og_book_apply(r->book, r->w.account[account].id, r->json.s, r->json.len, "facts", &err), &err);
    if ((strstr(err.text, "positions, orders") != NULL) != older) {
        fprintf(stderr, "property: world %llu: facts that are %solder: \"%s\"\n", (unsigned long long)r->w.seed,
                older ? "" : "not ", err.text);
        exit(2);
    }
}

static void step_facts(struct run *r, struct chance *c)
{
    int which = (int)chance_to(c, r->w.accounts);

    r->json.len = 0;
    world_others(&r->w, which, c);
    if (chance_in(c, 20))
        r->w.account[which].day_pnl += (chance_to(c, 8000) - 4000) * SCALE;
    world_facts(&r->w, which, ALL_PARTS, c, &r->json);
    apply(r, which, false);
}

/* Read the list of orders alone, after others' orders have filled or ended since positions were read. */
static void step_list(struct run *r, struct chance *c)
{
    const int which = (int)chance_to(c, r->w.accounts);

    if (r->late.len || r->w.account[which].positions_at == OG_TIME_UNKNOWN)
        return; /* late facts may have positions that are newer than the present ones, and lack as much */
    r->json.len = 0;
    world_others_unread(&r->w, which, c);
    world_facts(&r->w, which, ORDERS_ONLY, c, &r->json);
    apply(r, which, false);
}

/* Load facts that were read some time ago. If newer facts came meanwhile, they change nothing. */
static void arrive(struct run *r)
{
    struct account *a = &r->w.account[r->late_account];
    const bool older = r->late_at < a->account_at;

    r->json.len = 0;
    text_put(&r->json, "%s", r->late.s);
    r->late.len = 0;
    if (!older) {
        a->delayed = true;
        a->reads++;
        for (int i = 0; i < THINGS; i++)
            if (memcmp(a->holding[i].shares, r->late_read[i].shares, sizeof r->late_read[i].shares) == 0 &&
                memcmp(a->holding[i].value, r->late_read[i].value, sizeof r->late_read[i].value) == 0)
                a->holding[i] = r->late_read[i];
            else
                a->holding[i].untold -= r->late_untold[i];
        a->positions_at = a->orders_at = a->account_at = r->late_at;
        a->lacks = a->may_lack = false; /* no list has come since they were read */
        a->spent -= r->late_spent;
        for (int i = 0; i < a->orders; i++)
            a->order[i].forgotten = false;
    }
    world_price_rows(&r->w, a); /* by the quotes that the gate got since */
    apply(r, r->late_account, older);
}

/* Read facts now that will arrive later. */
static void step_late(struct run *r, struct chance *c)
{
    struct account *a;
    struct account was;

    if (r->late.len) {
        arrive(r);
        return;
    }
    r->late_account = (int)chance_to(c, r->w.accounts);
    a = &r->w.account[r->late_account];
    r->late_at = r->w.now;
    was = *a;
    if (a->positions_at != OG_TIME_UNKNOWN)
        world_facts(&r->w, r->late_account, ALL_PARTS | NO_QUOTES, c, &r->late);
    memcpy(r->late_read, a->holding, sizeof r->late_read);
    *a = was;
    r->late_spent = was.spent;
    for (int i = 0; i < THINGS; i++)
        r->late_untold[i] = was.holding[i].untold;
}

/* Report a peak: another sender of the account, or the run before this one, saw the highest P&L of the day, and by now
 * it is lower. */
static void step_peak(struct run *r, struct chance *c)
{
    struct account *a = &r->w.account[chance_to(c, r->w.accounts)];
    struct og_pnl_peak seen = { .day = 20260115, .peak = og_money_from(chance_to(c, 9000)) }, known;

    check_status(og_book_raise_pnl_peak(r->book, a->id, &seen), NULL);
    if (seen.peak.coef * SCALE > a->peak)
        a->peak = seen.peak.coef * SCALE;
    if (r->tells)
        printf("  the day was at %lld\n", (long long)seen.peak.coef);
    if (og_book_pnl_peak(r->book, a->id, &known) == OG_OK && og_money_cmp(known.peak, seen.peak) < 0)
        fprintf(stderr, "property: world %llu: a told peak is not known\n", (unsigned long long)r->w.seed), exit(2);
}

static void tell_quote(struct run *r, int thing)
{
    struct og_error err = { 0 };

    r->json.len = 0;
    if (!world_quote(&r->w, thing, &r->json))
        return;
    r->w.thing[thing].heard = true;
    if (r->tells)
        printf("  quote %s\n", r->json.s);
    check_status(og_book_quote(r->book, r->json.s, r->json.len, &err), &err);
}

static void step_quote(struct run *r, struct chance *c)
{
    int stock = (int)chance_to(c, STOCKS) * (1 + CONTRACTS);

    for (int i = 0; i < 1 + CONTRACTS; i++)
        if (i == 0 || chance_in(c, 70)) {
            world_tick(&r->w, &r->w.thing[stock + i], c, chance_in(c, 80));
            tell_quote(r, stock + i);
        }
}

static void step(struct run *r, struct chance *c, int n)
{
    int64_t kind = chance_to(c, 100);

    r->w.now += (1 + chance_to(c, chance_in(c, 90) ? 150 : 2500)) * OG_NS_PER_MS;
    if (kind < 53)
        step_order(r, c, n);
    else if (kind < 56)
        step_basket(r, c, n);
    else if (kind < 72)
        step_ticket(r, c, n);
    else if (kind < 83)
        step_quote(r, c);
    else if (kind < 87)
        step_list(r, c);
    else if (kind < 96)
        step_facts(r, c);
    else if (kind < 97)
        step_peak(r, c);
    else
        step_late(r, c);
}

static void fault(void *with, const struct og_diagnostic *f)
{
    (void)with;
    fprintf(stderr, "policy %d:%d: %s\n", f->line, f->col, f->text);
}

static void begin(struct run *r, uint64_t seed)
{
    struct chance c = chance_of(seed, 0);
    struct text yaml = { NULL, 0, 0 };
    struct og_policy *policy;
    struct og_error err = { 0 };

    world_make(&r->w, seed, &c);
    desk_write(&r->w.desk, &yaml);
    if (r->tells)
        printf("world %llu\n%s\n", (unsigned long long)seed, yaml.s);
    check_status(og_policy_read(yaml.s, yaml.len, "desk", &policy, fault, NULL, &err), &err);
    check_status(og_book_new(policy, &r->book), NULL);
    check_status(og_book_settle_lag(r->book, 0), NULL); /* documents are of the instant that they name */
    check_status(og_book_halt_source(r->book, "", &err), &err);
    free(yaml.s);
    r->late.len = 0;
    r->unheard = NULL;
    for (int i = 0; i < r->w.accounts; i++)
        if (chance_in(&c, 97)) {
            r->json.len = 0;
            world_facts(&r->w, i, chance_in(&c, 92) ? ALL_PARTS : (enum parts)chance_to(&c, 3), &c, &r->json);
            apply(r, i, false);
        }
    for (int i = 0; i < THINGS; i++)
        tell_quote(r, i);
    if (r->w.accounts == 1)
        check_status(og_book_default_account(r->book, r->w.account[0].id), NULL);
}

static void run_world(struct run *r, uint64_t seed)
{
    begin(r, seed);
    r->broken = false;
    for (int n = 0; n < STEPS && !r->broken; n++) {
        struct chance c = chance_of(seed, (uint64_t)n + 1);

        if (!(r->mask[n / 64] >> (n % 64) & 1)) {
            if (r->tells)
                printf(" step %d\n", n);
            step(r, &c, n);
        }
    }
    og_book_free(r->book);
    worlds++;
}

/* Leave out every step that is not needed to reproduce the class of failure. */
static void shrink(struct run *r, const struct class *of)
{
    r->wanted = of->name;
    for (int n = STEPS - 1; n >= 0; n--) {
        r->mask[n / 64] |= 1ul << (n % 64);
        r->found = false;
        if (n != of->step)
            run_world(r, of->seed);
        if (!r->found)
            r->mask[n / 64] &= ~(1ul << (n % 64));
    }
    r->tells = true;
    run_world(r, of->seed);
    r->tells = false;
    r->wanted = NULL;
    memset(r->mask, 0, sizeof r->mask);
}

static int by_name(const void *a, const void *b)
{
    return strcmp(((const struct class *)a)->name, ((const struct class *)b)->name);
}

static int report(struct run *r, bool verbose)
{
    int found = class_count;

    qsort(classes, (size_t)class_count, sizeof classes[0], by_name);
    for (int i = 0; i < found; i++)
        printf("%s: %ld times, first --world %llu step %d\n", classes[i].name, classes[i].count,
               (unsigned long long)classes[i].seed, classes[i].step);
    for (int i = 0; i < found && i < 3 && !verbose; i++) {
        struct class one = classes[i];

        printf("\nthe least of '%s':\n", one.name);
        shrink(r, &one);
    }
    return found;
}

int main(int argc, char **argv)
{
    static struct run r;
    long count = 20000;
    uint64_t seed = 1, one = 0, show = 0;
    bool verbose = false;
    const char *wanted = NULL;
    clock_t began = clock();
    int holes;

    for (int i = 1; i < argc; i++) {
        const char *value = i + 1 < argc ? argv[i + 1] : "";

        if (strcmp(argv[i], "--count") == 0)
            count = strtol(value, NULL, 10), i++;
        else if (strcmp(argv[i], "--seed") == 0)
            seed = strtoull(value, NULL, 10), i++;
        else if (strcmp(argv[i], "--world") == 0)
            one = strtoull(value, NULL, 10), i++;
        else if (strcmp(argv[i], "--least") == 0)
            show = strtoull(value, NULL, 10), i++;
        else if (strcmp(argv[i], "--class") == 0)
            wanted = value, i++;
        else if (strcmp(argv[i], "--verbose") == 0)
            verbose = true;
        else
            return fprintf(stderr, "usage: property [--count N] [--seed S] [--world W] [--least W] [--verbose]\n"), 2;
    }
    r.scratch = og_scratch_new();
    r.order = og_order_new();
    r.request = og_request_new();
    if (!r.scratch || !r.order || !r.request)
        return 2;
    for (int i = 0; i < BASKET_MOST; i++) {
        r.scratches[i] = og_scratch_new();
        r.basket[i] = og_order_new();
        if (!r.scratches[i] || !r.basket[i])
            return 2;
    }
    if (one) {
        r.tells = true;
        run_world(&r, one);
    } else if (show) {
        run_world(&r, show);
        for (int i = 0, found = class_count; i < found; i++) {
            struct class c = classes[i];

            if (wanted && strncmp(wanted, c.name, strlen(wanted)) != 0)
                continue;

            printf("\nthe least of '%s':\n", c.name);
            shrink(&r, &c);
        }
        return 0;
    }
    for (uint64_t world = seed * UINT64_C(1000000007); !one && accepted < count; world++)
        run_world(&r, world);
    printf("%ld worlds from seed %llu: %ld orders accepted, %ld refused, %ld baskets, %ld cancels; %ld accepted a "
           "second\n",
           worlds, (unsigned long long)seed, accepted, refused, baskets, cancels,
           accepted * CLOCKS_PER_SEC / (clock() - began + 1));
    holes = report(&r, verbose);
    for (int i = 0; i < BASKET_MOST; i++) {
        og_scratch_free(r.scratches[i]);
        og_order_free(r.basket[i]);
    }
    og_scratch_free(r.scratch);
    og_order_free(r.order);
    og_request_free(r.request);
    basket_line_free(&r.line);
    free(r.json.s);
    free(r.late.s);
    return holes != 0;
}
