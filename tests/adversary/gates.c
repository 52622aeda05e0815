/*
 * Orders and baskets of several strategies through two gates that share one record of what was sent, as two senders of
 * one ledger do. The adversary fills, rejects and cancels what was accepted, kills a gate and begins it anew, moves the
 * market and the day, and likes the instants at which a window ends. What each gate decides is compared with
 * gates_model.c.
 *
 * gates [--count N] [--seed S] [--world W]
 *
 * runs worlds from seed S until N orders were accepted; --world W runs only that world and prints every step.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "gates_run.h"
#include "ordergate/halt.h"

enum { STEPS = 90, CLASSES = 200 };

const char *const tag_name[TAGS] = { "mm", "alpha", "beta" };
const char *const roots[STOCKS] = { "AAPL", "F", "GME" };

struct world w;
struct og_book *book[GATES];
struct og_scratch *scratch[BASKET_MOST];
struct og_order *order[BASKET_MOST];
struct text json;
bool tells;
long accepted, refused, baskets, begun_anew;
int64_t resumed_at;
bool broken;

static struct class
{
    char name[80];
    long count;
    uint64_t seed;
} classes[CLASSES];
static int class_count;

void must(enum og_status s, const struct og_error *err)
{
    if (s == OG_OK)
        return;
    fprintf(stderr, "gates: world %llu: %s: %s\n%s\n", (unsigned long long)w.seed, og_status_text(s),
            err ? err->text : "", json.s);
    exit(2);
}

void hole(const char *what, const char *of)
{
    char name[80];
    int i = 0;

    snprintf(name, sizeof name, "%s %s", what, of);
    broken = true;
    if (tells)
        printf("  HOLE %s\n", name);
    while (i < class_count && strcmp(classes[i].name, name) != 0)
        i++;
    if (i == CLASSES)
        return;
    if (i == class_count) {
        memcpy(classes[i].name, name, sizeof name);
        classes[i].seed = w.seed;
        class_count++;
    }
    classes[i].count++;
}

/* --- gates -------------------------------------------------------------------------------------------------------- */

static void on_fault(void *with, const struct og_diagnostic *f)
{
    (void)with;
    fprintf(stderr, "policy %d:%d: %s\n", f->line, f->col, f->text);
}

static void open_gate(int gate)
{
    struct text yaml = { NULL, 0, 0 };
    struct og_error err = { 0 };
    struct og_policy *policy;

    put_desk(&w.desk, &yaml);
    if (tells && w.orders == 0 && gate == 0)
        printf("world %llu\n%s\n", (unsigned long long)w.seed, yaml.s);
    must(og_policy_read(yaml.s, yaml.len, "gates", &policy, on_fault, NULL, &err), &err);
    must(og_book_new(policy, &book[gate]), NULL);
    must(og_book_settle_lag(book[gate], 0), NULL);
    must(og_book_list_lag(book[gate], OG_LIST_LAG_FOREVER), NULL);
    must(og_book_halt_source(book[gate], "", &err), &err);
    must(og_book_default_account(book[gate], "L1"), NULL);
    free(yaml.s);
}

/* Kill a gate. The next run reads the account, the record of what was sent, and the latches in it. */
static void step_kill(struct chance *c)
{
    const int gate = (int)chance_to(c, GATES);
    struct og_latch latch[4];
    const struct og_pnl_peak peak = { w.pnl_day == day_of(MIDNIGHT) ? 20260115 : 20260116, og_money_from(w.peak) };
    bool tripped[4] = { false };

    if (tells)
        printf("  gate %d begins anew\n", gate);
    for (size_t i = 0; og_latch_name(i) && i < 4; i++)
        tripped[i] = og_book_latch(book[gate], "L1", og_latch_name(i), w.now, &latch[i]) == OG_OK;
    og_book_free(book[gate]);
    open_gate(gate);
    for (int i = 0; i < THINGS; i++)
        tell_quote(gate, i);
    step_facts();
    if (w.pnl_day == session_of(w.now)) {
        must(og_book_raise_pnl_peak(book[gate], "L1", &peak), NULL);
        apply_pnl(gate);
    }
    for (size_t i = 0; og_latch_name(i) && i < 4; i++)
        if (tripped[i])
            must(og_book_set_latch(book[gate], "L1", &latch[i]), NULL);
    for (int i = 0; i < w.orders; i++) {
        struct order *o = &w.order[i];
        const bool forgiven = o->rejected && i < resumed_at;

        o->ticket[gate] = 0;
        if (o->live) {
            take_in(o, gate);
            og_ticket_sent(book[gate], o->ticket[gate], o->at);
            if (o->fills)
                must(og_ticket_fill(book[gate], o->ticket[gate], filled(o), (struct og_money){ o->price, 2 },
                                    o->fill[o->fills - 1].at),
                     NULL);
        } else {
            read_order(o, 0);
            must(og_order_set_tag(order[0], o->tag < TAGS ? tag_name[o->tag] : ""), NULL);
            must(og_book_count_sent(book[gate], order[0], o->at,
                                    forgiven      ? OG_SENT_OPEN
                                    : o->rejected ? OG_SENT_REJECTED
                                                  : OG_SENT_TAKEN,
                                    scratch[0]),
                 NULL);
            if (o->fills)
                must(og_book_count_traded(book[gate], order[0], filled(o), (struct og_money){ o->price, 2 },
                                          o->fill[o->fills - 1].at, scratch[0]),
                     NULL);
        }
        if (o->fills)
            o->lumped = o->fill[o->fills - 1].at;
    }
    begun_anew++;
}

/* --- worlds ------------------------------------------------------------------------------------------------------- */

static int64_t sooner(int64_t at, int64_t next)
{
    return at > w.now + 1 && at < next ? at : next;
}

/* Returns the next instant at which a day begins, or a session begins or ends. */
static int64_t next_bound(void)
{
    static const int64_t seconds[] = { 0, 4 * 3600, 9 * 3600 + 1800, 16 * 3600 };
    const int64_t day = (int64_t)86400 * OG_NS_PER_S;
    int64_t next = INT64_MAX;

    for (int i = 0; i < 8; i++) {
        const int64_t at = MIDNIGHT + (day_of(w.now) - day_of(MIDNIGHT) + i / 4) * day + seconds[i % 4] * OG_NS_PER_S;

        next = sooner(at, next);
    }
    return next < MIDNIGHT + 2 * day ? next : INT64_MAX; /* Saturday has no session */
}

/* Returns the next instant at which an order, or a fill, is older than a window of this length. */
static int64_t next_end(int64_t span, bool of_fills)
{
    int64_t next = INT64_MAX;

    for (int i = 0; i < w.orders; i++) {
        const struct order *o = &w.order[i];

        if (!of_fills)
            next = sooner(o->at + span, next);
        for (int k = 0; of_fills && k < o->fills; k++)
            next = sooner(o->fill[k].at + span, next);
    }
    return next;
}

/* Let time pass until an instant, or a nanosecond less. Returns false if there is no such instant. */
static bool pass_to_bound(struct chance *c)
{
    const int64_t spans[] = { 60 * OG_NS_PER_S, w.desk.repeat_window, w.desk.window };
    const int rule = (int)chance_to(c, 3); /* one of TAG_LIMITS, REPEATED_ORDER, TRADED_LIMIT */
    const int64_t to = chance_in(c, 10)  ? next_bound()
                       : w.desk.on[rule] ? next_end(spans[rule], rule == TRADED_LIMIT)
                                         : INT64_MAX;

    if (to == INT64_MAX)
        return false;
    w.now = to - chance_to(c, 2);
    return true;
}

/* Make one random step. No two steps happen at one instant, since it would be unclear whether a document of that
 * instant has a fill of it. */
static void step(struct chance *c)
{
    const bool at_bound = chance_in(c, 20) && pass_to_bound(c);
    const int64_t kind = chance_to(c, at_bound ? 57 : 100);
    const int gate = (int)chance_to(c, GATES);

    if (!at_bound)
        w.now += 1 + (chance_in(c, 90) ? chance_to(c, 1500) * MS : chance_to(c, 90) * OG_NS_PER_S);
    if (kind < 45)
        decide_one(gate, c);
    else if (kind < 57)
        decide_basket(gate, c);
    else if (kind < 78)
        step_outcome(c);
    else if (kind < 87)
        step_quote(c);
    else if (kind < 90)
        step_facts();
    else if (kind < 95)
        step_pnl(c);
    else if (kind < 97)
        step_resume(c);
    else
        step_kill(c);
}

static void run_world(uint64_t seed)
{
    static const int64_t starts[] = { 9 * 3600 + 29 * 60 + 45, 12 * 3600, 15 * 3600 + 59 * 60 + 45,
                                      23 * 3600 + 59 * 60 + 10, 27 * 3600 + 59 * 60 + 30 };
    struct chance c = chance_of(seed, 0);

    memset(&w, 0, sizeof w);
    resumed_at = 0;
    broken = false;
    w.seed = seed;
    w.now = MIDNIGHT + starts[chance_to(&c, 5)] * OG_NS_PER_S;
    w.pnl_day = session_of(w.now);
    w.cash = 200000 + chance_to(&c, 8000000);
    make_things(&c);
    make_desk(&w.desk, &c);
    for (int g = 0; g < GATES; g++) {
        open_gate(g);
        for (int i = 0; i < THINGS; i++)
            tell_quote(g, i);
        apply_pnl(g);
    }
    step_facts();
    for (int n = 0; n < STEPS && w.orders + BASKET_MOST < ORDERS_MOST && !broken; n++) {
        struct chance own = chance_of(seed, (uint64_t)n + 1);

        if (tells)
            printf(" step %d %s\n", n, og_time_text(w.now).s);
        step(&own);
    }
    for (int g = 0; g < GATES; g++)
        og_book_free(book[g]);
}

int main(int argc, char **argv)
{
    long count = 20000, worlds = 0;
    uint64_t seed = 1, one = 0;

    for (int i = 1; i < argc; i++) {
        const char *value = i + 1 < argc ? argv[i + 1] : "";

        if (strcmp(argv[i], "--count") == 0)
            count = strtol(value, NULL, 10), i++;
        else if (strcmp(argv[i], "--seed") == 0)
            seed = strtoull(value, NULL, 10), i++;
        else if (strcmp(argv[i], "--world") == 0)
            one = strtoull(value, NULL, 10), i++;
        else
            return fprintf(stderr, "usage: gates [--count N] [--seed S] [--world W]\n"), 2;
    }
    for (int i = 0; i < BASKET_MOST; i++) {
        scratch[i] = og_scratch_new();
        order[i] = og_order_new();
        if (!scratch[i] || !order[i])
            return 2;
    }
    tells = one != 0;
    if (one)
        run_world(one);
    for (uint64_t world = seed * UINT64_C(1000000007); !one && accepted < count; world++, worlds++)
        run_world(world);
    printf("%ld worlds from seed %llu: %ld orders accepted, %ld refused, %ld baskets, %ld gates begun anew\n", worlds,
           (unsigned long long)seed, accepted, refused, baskets, begun_anew);
    for (int i = 0; i < class_count; i++)
        printf("%s: %ld times, first --world %llu\n", classes[i].name, classes[i].count,
               (unsigned long long)classes[i].seed);
    for (int i = 0; i < BASKET_MOST; i++) {
        og_scratch_free(scratch[i]);
        og_order_free(order[i]);
    }
    free(json.s);
    return class_count != 0;
}
