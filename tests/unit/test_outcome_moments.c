/*
 * Events, gaps of the stream and readings are interleaved at random: at any time the state of an order is the same as
 * if every frame had been buffered and every snapshot applied at the time of its request (outcome/execution.h). Once a
 * gap was followed by a reading and everything has arrived, it is the broker's state.
 */
#include <stdlib.h>

#include "outcome/execution.h"
#include "unit.h"

#define VERSIONS 8
#define NOTES    200
#define ROUNDS   200000

/* A row of the broker that has not reached the sender yet. */
struct note {
    uint64_t moment, arrives;
    int version;
};

struct life {
    struct og_order_row row[VERSIONS]; /* the states of the order at the broker, one after the other */
    uint64_t from[VERSIONS];
    int count;
    struct note note[NOTES];
    int notes;
    uint64_t end; /* from here on nothing changes */
};

static uint64_t chance_state;

static uint64_t below(uint64_t n)
{
    chance_state = chance_state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return (chance_state >> 33) % n;
}

static void become(struct life *l, uint64_t at, const char *status, int executed)
{
    l->from[l->count] = at;
    l->row[l->count++] = (struct og_order_row){ .client_order_id = OG_STR("a"),
                                                .status_text = og_str_of(status),
                                                .status = og_order_status_of(og_str_of(status)),
                                                .has_executed = true,
                                                .executed = og_money_from(executed),
                                                .has_price_avg = true,
                                                .price_avg = og_money_from(executed > 0 ? 190 : 0) };
}

/* Make the states of an order: a cancel that was refused, partial fills, and one of five ends, or none. */
static void live(struct life *l)
{
    static const char *const ends[] = { "Filled", "Canceled", "Rejected", "Expired", NULL };
    const char *end = ends[below(5)];
    uint64_t at = 10 + below(20);
    int executed = 0;

    become(l, at, "PendingNew", 0);
    for (uint64_t steps = below(VERSIONS - 2); steps > 0; steps--) {
        at += 1 + below(30);
        if (executed > 0 || below(3) == 0)
            become(l, at, below(3) == 0 ? "PendingCancel" : "PartiallyFilled", ++executed);
        else
            become(l, at, below(3) == 0 ? "PendingCancel" : "New", 0);
    }
    at += 1 + below(30);
    if (end != NULL)
        become(l, at, end, strcmp(end, "Filled") == 0 ? 10 : executed);
    l->end = at;
}

static void tell(struct life *l, uint64_t moment, uint64_t arrives, int version)
{
    if (version >= 0)
        l->note[l->notes++] =
            (struct note){ moment * 256 + (uint64_t)l->notes, arrives * 256 + (uint64_t)l->notes, version };
}

static int version_at(const struct life *l, uint64_t at)
{
    int v = -1;

    while (v + 1 < l->count && l->from[v + 1] <= at)
        v++;
    return v;
}

/* Make a reading: its request, the snapshot some time later, and the answer some time after that. */
static void read_rest(struct life *l, uint64_t began)
{
    uint64_t taken = began + below(10);

    tell(l, began, taken + below(25), version_at(l, taken));
}

/* Make the frames, of which some are late and so out of order, some repeated, some lost in a gap; and readings at any
 * time, with one after the end of the gap. */
static void deliver(struct life *l)
{
    uint64_t gap = below(l->end + 20), over = gap + below(40);

    for (int v = 0; v < l->count; v++) {
        for (uint64_t times = below(6) == 0 ? 2 : 1; times > 0; times--) {
            uint64_t arrives = l->from[v] + (below(3) == 0 ? below(40) : below(3));

            if (l->from[v] < gap || l->from[v] >= over)
                tell(l, arrives, arrives, v);
        }
    }
    for (uint64_t readings = below(6); readings > 0; readings--)
        read_rest(l, below(l->end + 30));
    read_rest(l, over);
}

static int by_arrival(const void *a, const void *b)
{
    const struct note *x = a, *y = b;

    return x->arrives < y->arrives ? -1 : x->arrives > y->arrives;
}

static int by_moment(const void *a, const void *b)
{
    const struct note *x = a, *y = b;

    return x->moment < y->moment ? -1 : x->moment > y->moment;
}

static void take(struct og_execution *execution, const struct life *l, const struct note *n)
{
    bool changed;

    (void)og_execution_row(execution, &l->row[n->version], OG_STR("a"), OG_STR(""), false, n->moment, &changed);
}

static bool same(const struct og_execution *x, const struct og_execution *y)
{
    return x->state == y->state && strcmp(x->status, y->status) == 0 && og_money_cmp(x->executed, y->executed) == 0 &&
           og_money_cmp(x->price_avg, y->price_avg) == 0;
}

static void told(const struct life *l, int count)
{
    for (int i = 0; i < count; i++)
        print_message("moment %llu, came %llu: %s %d\n", (unsigned long long)l->note[i].moment / 256,
                      (unsigned long long)l->note[i].arrives / 256, l->row[l->note[i].version].status_text.s,
                      (int)l->row[l->note[i].version].executed.coef);
}

/* Compare the state with that of buffering: everything that has arrived is held back, and applied in the order of its
 * moments. */
static void compare(const struct life *l, int count, const struct og_execution *believed, int round)
{
    struct og_execution buffered = { .state = OG_INTENDED, .posts = 1 };
    struct note held[NOTES];

    memcpy(held, l->note, (size_t)count * sizeof(held[0]));
    qsort(held, (size_t)count, sizeof(held[0]), by_moment);
    for (int i = 0; i < count; i++)
        take(&buffered, l, &held[i]);
    if (!same(believed, &buffered)) {
        told(l, count);
        fail_msg("round %d: believed %s (%s), buffered %s (%s)", round, og_state_name(believed->state),
                 believed->status, og_state_name(buffered.state), buffered.status);
    }
    og_execution_clear(&buffered);
}

/* Read once more, after everything has arrived. */
static void settle(struct life *l, struct og_execution *believed, int round)
{
    struct og_execution there = { .state = OG_INTENDED, .posts = 1 };
    struct note last = { UINT64_MAX, UINT64_MAX, l->count - 1 };

    take(believed, l, &last);
    take(&there, l, &last);
    if (there.state == OG_POSTED) /* the order had no later state at the broker, so neither has the sender's */
        assert_int_equal(believed->state, OG_POSTED);
    else if (!same(believed, &there)) {
        told(l, l->notes);
        fail_msg("round %d: believed %s (%s), the broker has %s (%s)", round, og_state_name(believed->state),
                 believed->status, og_state_name(there.state), there.status);
    }
    og_execution_clear(&there);
}

static void whatever_comes_when(void **state)
{
    (void)state;
    for (int round = 0; round < ROUNDS; round++) {
        struct life l = { .count = 0 };
        struct og_execution believed = { .state = OG_INTENDED, .posts = 1 };

        chance_state = (uint64_t)round * 2654435761u + 1;
        live(&l);
        deliver(&l);
        qsort(l.note, (size_t)l.notes, sizeof(l.note[0]), by_arrival);
        for (int i = 0; i < l.notes; i++) {
            take(&believed, &l, &l.note[i]);
            compare(&l, i + 1, &believed, round);
        }
        settle(&l, &believed, round);
        og_execution_clear(&believed);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = { cmocka_unit_test(whatever_comes_when) };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
