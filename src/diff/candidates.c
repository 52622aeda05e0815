/*
 * From the values of a policy to those of an order and its facts.  A limit of so much money binds a quantity by the price, a
 * price by the quantity; a percentage is one of whatever there is.
 * It refuses to know the rules: what does not bind costs a probe, no more.
 */
#include "diff/candidates.h"

#include "base/time.h"
#include "facts/calendar.h"

#include "base/banned.h"

#define DAYS_MOST     20000
#define NUMBERS_A_DAY 4

static const struct og_money cent = { 1, 2 };

struct trying {
    const struct og_world *w;
    enum og_slot slot;
    enum og_slot_kind kind;
    enum og_candidate_rank rank; /* of what is added now */
    bool rest;                   /* it is of a setting that is the same in both */
    struct og_candidates *to;
};

static void add(const struct trying *t, const struct og_slot_value *v)
{
    enum og_candidate_rank rank = t->rest && t->rank < OG_RANKED_REST ? OG_RANKED_REST : t->rank;

    if (t->to->count == OG_CANDIDATES_MOST || og_slot_same(t->slot, v, &t->w->v[t->slot]))
        return;
    for (size_t i = 0; i < t->to->count; i++)
        if (og_slot_same(t->slot, &t->to->v[i], v)) {
            t->to->rank[i] = rank < t->to->rank[i] ? rank : t->to->rank[i];
            return;
        }
    t->to->rank[t->to->count] = rank;
    t->to->v[t->to->count++] = *v;
}

static bool fits(enum og_slot_kind kind, struct og_money m)
{
    switch (kind) {
    case OG_SLOT_QUANTITY:
        return m.scale == 0 && m.coef >= 1 && m.coef <= 1000000000;
    case OG_SLOT_COUNT:
        return m.scale == 0 && m.coef >= 0 && m.coef <= 1000000000;
    case OG_SLOT_DAYS:
        return m.scale == 0 && m.coef >= 0 && m.coef <= DAYS_MOST;
    case OG_SLOT_LEVEL:
        return m.scale == 0 && m.coef >= 0 && m.coef <= 4;
    case OG_SLOT_SIGNED:
        return m.scale == 0;
    case OG_SLOT_PRICE:
        return m.coef > 0;
    default:
        return true;
    }
}

static void add_number(const struct trying *t, struct og_money m)
{
    struct og_slot_value v = { .number = m };

    if (fits(t->kind, m))
        add(t, &v);
}

/* It, a step below and a step beyond. */
static void add_around(struct trying *t, struct og_money m)
{
    enum og_candidate_rank rank = t->rank;
    bool whole = t->kind != OG_SLOT_PRICE && t->kind != OG_SLOT_MONEY;
    struct og_money step = whole ? og_money_from(1) : cent, out;

    if (whole)
        m = og_money_from(og_money_floor(m));
    add_number(t, m);
    t->rank = rank == OG_RANKED_NAMED ? OG_RANKED_BESIDE : rank;
    if (og_money_add(m, step, &out))
        add_number(t, out);
    if (og_money_sub(m, step, &out))
        add_number(t, out);
    t->rank = rank;
}

/* a / b, down to the cent. */
static bool divide(struct og_money a, struct og_money b, struct og_money *out)
{
    struct og_money cents;
    int64_t up, down;

    if (!og_money_times(a, 10000, &cents) || !og_money_times(b, 100, &b))
        return false;
    up = og_money_floor(cents);
    down = og_money_floor(b);
    if (down <= 0)
        return false;
    return og_money_mul(og_money_from(up / down), cent, out);
}

static void add_both(struct trying *t, struct og_money m)
{
    struct og_money minus;

    add_around(t, m);
    if ((t->kind == OG_SLOT_SIGNED || t->kind == OG_SLOT_MONEY) && og_money_times(m, -1, &minus))
        add_around(t, minus);
}

/* What the order comes to at its limit. */
static bool worth(const struct og_world *w, struct og_money *m)
{
    int64_t size = w->scene->security == OG_STOCK || w->scene->request ? 1 : 100;

    return og_money_mul(w->v[OG_AT_LIMIT].number, w->v[OG_AT_QUANTITY].number, m) && og_money_times(*m, size, m);
}

/* A limit of money binds quantities by the price, and prices by the quantity. */
static void from_number(struct trying *t, struct og_money n)
{
    const struct og_money limit = t->w->v[OG_AT_LIMIT].number, quantity = t->w->v[OG_AT_QUANTITY].number;
    struct og_money out, more;

    t->rank = OG_RANKED_NAMED;
    add_both(t, n);
    t->rank = OG_RANKED_FOLLOWS;
    switch (t->kind) {
    case OG_SLOT_QUANTITY:
    case OG_SLOT_COUNT:
    case OG_SLOT_SIGNED:
        if (divide(n, limit, &out)) {
            add_both(t, out);
            if (divide(out, og_money_from(100), &more))
                add_both(t, more);
        }
        return;
    case OG_SLOT_PRICE:
        if (divide(n, quantity, &out)) {
            add_around(t, out);
            if (divide(out, og_money_from(100), &more))
                add_around(t, more);
        }
        if (og_money_add(t->w->v[t->slot].number, n, &out)) /* off the grid of so large a step */
            add_number(t, out);
        if (og_money_mul(n, (struct og_money){ 5, 1 }, &out) && og_money_add(t->w->v[t->slot].number, out, &out))
            add_number(t, out);
        return;
    case OG_SLOT_DAYS: /* of months */
        for (int64_t days = 28; days <= 31; days++)
            if (og_money_times(n, days, &out))
                add_around(t, out);
        for (int64_t days = -3; days <= 3; days++)
            if (og_money_add(n, og_money_from(days), &out))
                add_number(t, out);
        return;
    default:
        return;
    }
}

static void add_share_of(struct trying *t, struct og_money of, int32_t bps)
{
    struct og_money part, out, share;

    if (og_money_share(of, bps, &part)) {
        add_both(t, part);
        if (og_money_add(of, part, &out))
            add_around(t, out);
        if (og_money_sub(of, part, &out))
            add_around(t, out);
    }
    if (og_money_share(og_money_from(100), bps, &share) && og_money_times(of, 100, &out) && divide(out, share, &out))
        add_around(t, out);
}

static void from_share(struct trying *t, int32_t bps)
{
    static const enum og_slot of[] = { OG_AT_ASK, OG_AT_BID, OG_AT_LAST, OG_AT_QUANTITY, OG_AT_VOLUME, OG_AT_OPTION_ASK,
                                       OG_AT_OPTION_BID };
    struct og_money out;

    for (size_t i = 0; i < sizeof of / sizeof of[0]; i++)
        add_share_of(t, t->w->v[of[i]].number, bps);
    if (worth(t->w, &out))
        add_share_of(t, out, bps);
    if ((t->kind == OG_SLOT_SIGNED || t->kind == OG_SLOT_QUANTITY) &&
        og_money_share(t->w->v[OG_AT_EQUITY].number, bps, &out) && divide(out, t->w->v[OG_AT_LIMIT].number, &out))
        add_both(t, out);
}

static void add_ns(const struct trying *t, int64_t ns)
{
    struct og_slot_value v = { .ns = ns };

    if (ns >= 0)
        add(t, &v);
}

static void add_day(const struct trying *t, int date, int64_t of_day)
{
    add_ns(t, og_eastern_instant(date / 10000, date / 100 % 100, date % 100, of_day));
}

/* A number may be an hour, or minutes to the close. */
static void number_as_time(struct trying *t, struct og_money n, int date)
{
    int64_t whole = n.scale == 0 ? n.coef : -1;

    for (int64_t s = -1; s <= 1 && whole >= 0 && whole < 24; s++)
        add_day(t, date, OG_DAY_AT(whole, 0) + s * OG_NS_PER_S);
    for (int64_t s = -1; s <= 1 && whole > 0 && whole < 390; s++)
        add_day(t, date, OG_DAY_CLOSES - OG_DAY_AT(0, whole) + s * OG_NS_PER_S);
}

/* About an instant, and on the days behind it, one of which is a trading day. */
static void about(struct trying *t, const struct og_pool *p, int64_t instant)
{
    struct og_eastern at;

    for (int64_t s = -1; s <= 1; s++)
        add_ns(t, instant + s * OG_NS_PER_S);
    for (int64_t day = 1; day <= 3; day++) {
        og_eastern_from(instant + day * OG_DAY_AT(24, 0), &at);
        add_day(t, at.date, OG_DAY_AT(10, 0));
        for (size_t i = 0; i < p->numbers && i < NUMBERS_A_DAY; i++)
            number_as_time(t, p->number[i], at.date);
    }
}

static void times(struct trying *t, const struct og_pool *p)
{
    struct og_eastern usual;

    og_eastern_from(t->w->v[OG_AT_NOW].ns, &usual);
    for (size_t i = 0; i < p->instants; i++)
        about(t, p, p->instant[i]);
    for (size_t i = 0; i < p->first_numbers; i++)
        number_as_time(t, p->number[i], usual.date);
    for (size_t i = 0; i < p->clocks; i++)
        for (int64_t s = -1; s <= 1; s++)
            add_day(t, usual.date, p->clock[i] + s * OG_NS_PER_S);
    for (size_t i = 0; i < p->dates; i++) {
        add_day(t, p->date[i], OG_DAY_AT(10, 0));
        add_day(t, p->date[i], OG_DAY_AT(14, 0));
    }
    for (size_t i = 0; i < p->times; i++)
        for (int64_t s = -1; s <= 1; s++) {
            add_day(t, usual.date, OG_DAY_OPENS + p->time[i] + s * OG_NS_PER_S);
            add_day(t, usual.date, OG_DAY_CLOSES - p->time[i] + s * OG_NS_PER_S);
        }
}

static void ages(struct trying *t, const struct og_pool *p)
{
    for (size_t i = 0; i < p->times; i++) {
        t->rest = i >= p->first_times;
        for (int64_t ms = -1; ms <= 1; ms++)
            add_ns(t, p->time[i] + ms * OG_NS_PER_MS);
    }
}

/* Symbols look like symbols; whatever else is a word may be one. */
bool og_may_be(enum og_slot slot, struct og_str word)
{
    bool upper = true;

    for (size_t i = 0; i < word.len; i++)
        upper = upper && !(word.s[i] >= 'a' && word.s[i] <= 'z') && word.s[i] != '_';
    if (slot == OG_AT_SYMBOL || slot == OG_AT_ROOT)
        return upper && word.len <= 8 && word.s[0] >= 'A';
    return slot == OG_AT_ROUTE || slot == OG_AT_ID;
}

static void words(struct trying *t, const struct og_pool *p)
{
    struct og_slot_value v;

    for (size_t i = 0; i < p->words; i++) {
        t->rest = i >= p->first_words;
        if (og_may_be(t->slot, p->word[i]) && og_slot_read(t->slot, p->word[i], &v))
            add(t, &v);
    }
}

/* Whether the document of that name holds facts that the rule reads. */
static bool is_read(struct og_str document, unsigned reads)
{
    for (int kind = 0; kind < OG_FACT_KINDS; kind++)
        if (reads >> kind & 1 && og_str_is(document, og_fact_name((enum og_fact)(1U << kind))))
            return true;
    return false;
}

static void others(struct trying *t, unsigned reads)
{
    const char *at = og_slots[t->slot].others;
    struct og_slot_value v;

    while (*at) {
        size_t len = strcspn(at, " ");

        t->rank = t->slot == OG_AT_MISSING && is_read((struct og_str){ at, len }, reads) ? OG_RANKED_NAMED : OG_RANKED_OTHER;
        if (og_slot_read(t->slot, (struct og_str){ at, len }, &v))
            add(t, &v);
        at += len;
        at += strspn(at, " ");
    }
}

/* Buying power that is just enough, and just not, by either policy; and quantities that are. */
static void by_margin(struct trying *t, const struct og_money required[2])
{
    static const int64_t parts[] = { 1, 2, 4 };
    struct og_money out, middle;

    for (int i = 0; i < 2; i++)
        for (size_t k = 0; k < 3; k++)
            if (required[i].coef > 0 && divide(required[i], og_money_from(parts[k]), &out))
                add_around(t, out);
    if (og_money_add(required[0], required[1], &middle) && middle.coef > 0 && divide(middle, og_money_from(2), &out))
        add_around(t, out);
}

void og_candidates(const struct og_world *w, enum og_slot slot, const struct og_pool *p, unsigned reads,
                   const struct og_money required[2], struct og_candidates *to)
{
    struct trying t = { .w = w, .slot = slot, .kind = og_slots[slot].kind, .to = to };

    to->count = 0;
    if (slot == OG_AT_BP || slot == OG_AT_EQUITY || slot == OG_AT_SOD_EQUITY || slot == OG_AT_CASH)
        by_margin(&t, required);
    switch (t.kind) {
    case OG_SLOT_WORD:
        words(&t, p);
        break;
    case OG_SLOT_AGE:
        ages(&t, p);
        break;
    case OG_SLOT_NOW:
        times(&t, p);
        break;
    default:
        for (size_t i = 0; i < p->numbers; i++) {
            t.rest = i >= p->first_numbers;
            from_number(&t, p->number[i]);
        }
        t.rank = OG_RANKED_FOLLOWS;
        for (size_t i = 0; i < p->shares; i++) {
            t.rest = i >= p->first_shares;
            from_share(&t, p->share[i]);
        }
    }
    others(&t, reads);
}
