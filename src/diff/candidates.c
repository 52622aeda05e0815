/*
 * Derives values for orders and facts from the values that a policy names.  A money limit and the price give a
 * quantity; the limit and the quantity give a price; a percentage is applied to every value that it may refer to.
 * Whether a rule uses a value is not checked: a useless value only costs one probe.
 */
#include "diff/candidates.h"

#include <stdio.h>

#include "base/time.h"
#include "facts/calendar.h"

#define DAYS_MOST     20000
#define NUMBERS_A_DAY 4
#define FEW           40

static const struct og_money cent = { 1, 2 };

struct trying {
    const struct og_probe *w;
    enum og_slot slot;
    enum og_slot_kind kind;
    enum og_candidate_rank rank; /* rank that the values being added now get */
    bool rest;                   /* the value comes from a setting that both policies have, with the same value */
    int64_t many;                /* greatest number of working orders that is tried as a value: a probe writes out each
                                  * of them */
    struct og_candidates *to;
};

static void add(const struct trying *t, const struct og_slot_value *v)
{
    enum og_candidate_rank rank = t->rest && t->rank < OG_RANKED_REST ? OG_RANKED_REST : t->rank;
    size_t at = og_slot_hash(t->slot, v) % (2 * OG_CANDIDATES_MOST), i;

    if (t->to->count == OG_CANDIDATES_MOST || og_slot_same(t->slot, v, &t->w->v[t->slot]))
        return;
    for (; t->to->place[at]; at = (at + 1) % (2 * OG_CANDIDATES_MOST)) {
        i = t->to->place[at] - 1U;
        if (og_slot_same(t->slot, &t->to->v[i], v)) {
            t->to->rank[i] = rank < t->to->rank[i] ? rank : t->to->rank[i];
            return;
        }
    }
    t->to->rank[t->to->count] = rank;
    t->to->v[t->to->count++] = *v;
    t->to->place[at] = (uint16_t)t->to->count;
}

static bool fits(enum og_slot_kind kind, struct og_money m)
{
    switch (kind) {
    case OG_SLOT_QUANTITY: return m.scale == 0 && m.coef >= 1 && m.coef <= 1000000000;
    case OG_SLOT_COUNT: return m.scale == 0 && m.coef >= 0 && m.coef <= 1000000000;
    case OG_SLOT_DAYS: return m.scale == 0 && m.coef >= 0 && m.coef <= DAYS_MOST;
    case OG_SLOT_LEVEL: return m.scale == 0 && m.coef >= 0 && m.coef <= 4;
    case OG_SLOT_SIGNED: return m.scale == 0;
    case OG_SLOT_PRICE: return m.coef > 0;
    default: return true;
    }
}

/* Returns true if the slot's value is a number of orders; the probe writes out every one of these orders. */
static bool is_many(enum og_slot slot)
{
    return slot == OG_AT_WORKING || slot == OG_AT_WORKING_OTHER || slot == OG_AT_RECENT;
}

static void add_number(const struct trying *t, struct og_money m)
{
    struct og_slot_value v = { .number = m };

    if (is_many(t->slot) && og_money_cmp(m, og_money_from(t->many)) > 0)
        return;
    if (fits(t->kind, m))
        add(t, &v);
}

/* Add a value, and the values one step below and above. */
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

/* Set *out to a / b, rounded down to the cent. Returns false if the quotient cannot be represented. */
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

/* Set *m to the order's value at its limit price. Returns false if it overflows. */
static bool worth(const struct og_probe *w, struct og_money *m)
{
    int64_t size = w->scene->security == OG_STOCK || w->scene->request ? 1 : 100;

    return og_money_mul(w->v[OG_AT_LIMIT].number, w->v[OG_AT_QUANTITY].number, m) && og_money_times(*m, size, m);
}

/* Treat a number as a money limit: add the quantity at the probe's price, and the price at the probe's quantity. */
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
        if (og_money_add(t->w->v[t->slot].number, n, &out)) /* try the price moved up by n; if the sum overflows, it is
                                                             * not tried */
            add_number(t, out);
        if (og_money_mul(n, (struct og_money){ 5, 1 }, &out) && og_money_add(t->w->v[t->slot].number, out, &out))
            add_number(t, out);
        return;
    case OG_SLOT_DAYS: /* take the number as a number of months */
        for (int64_t days = 28; days <= 31; days++)
            if (og_money_times(n, days, &out))
                add_around(t, out);
        for (int64_t days = -3; days <= 3; days++)
            if (og_money_add(n, og_money_from(days), &out))
                add_number(t, out);
        return;
    default: return;
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
    static const enum og_slot of[] = { OG_AT_ASK,    OG_AT_BID,        OG_AT_LAST,      OG_AT_QUANTITY,
                                       OG_AT_VOLUME, OG_AT_OPTION_ASK, OG_AT_OPTION_BID };
    struct og_money out;

    for (size_t i = 0; i < sizeof of / sizeof of[0]; i++)
        add_share_of(t, t->w->v[of[i]].number, bps);
    if (worth(t->w, &out))
        add_share_of(t, out, bps);
    if (t->slot == OG_AT_PNL && og_money_share(t->w->v[OG_AT_SOD_EQUITY].number, bps, &out))
        add_both(t, out);
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

static void add_moment(struct trying *t, int date, int64_t of_day)
{
    for (int64_t s = -1; s <= 1; s++)
        add_day(t, date, of_day + s * OG_NS_PER_S);
}

/* Treat a number as an hour, a minute of the hour, or minutes of the day, after the open or before the close. */
static void number_as_time(struct trying *t, struct og_money n, int date)
{
    int64_t whole = n.scale == 0 ? n.coef : -1;

    if (whole < 0)
        return;
    for (int64_t more = 0; more <= 1 && whole < 24; more++)
        add_moment(t, date, OG_DAY_AT(whole + more, 0));
    for (int64_t hour = 10; hour <= 15 && whole < 60; hour++)
        add_moment(t, date, OG_DAY_AT(hour, whole));
    for (int64_t more = 0; more <= 1 && whole < 390; more++) {
        add_moment(t, date, OG_DAY_CLOSES - OG_DAY_AT(0, whole + more));
        add_moment(t, date, OG_DAY_OPENS + OG_DAY_AT(0, whole + more));
    }
    if (whole >= 60 && whole < 24 * 60)
        add_moment(t, date, OG_DAY_AT(0, whole));
}

/* Treat a number as a weekday, a day of the month, a month or a year, in the coming days and months. */
static void number_as_day(struct trying *t, struct og_money n, const struct og_eastern *now)
{
    int64_t days = og_days_from_civil(now->year, now->month, now->day), whole = n.scale == 0 ? n.coef : -1;
    int year, month, day;

    if (whole < 0 || whole > 2100)
        return;
    for (int64_t more = 0; more < 9 && whole <= 7; more++) {
        og_civil_from_days(days + more, &year, &month, &day);
        add_day(t, year * 10000 + month * 100 + day, OG_DAY_AT(10, 0));
    }
    for (int64_t beside = -1; beside <= 1; beside++) {
        for (int m = 0; m < 2 && whole + beside >= 1 && whole + beside <= 28; m++)
            add_day(t, now->year * 10000 + ((now->month - 1 + m) % 12 + 1) * 100 + (int)(whole + beside),
                    OG_DAY_AT(10, 0));
        if (whole + beside >= 0 && whole + beside < 12)
            add_day(t, now->year * 10000 + (int)(whole + beside + 1) * 100 + now->day, OG_DAY_AT(10, 0));
        if (whole + beside >= 2000)
            add_day(t, (int)(whole + beside) * 10000 + now->month * 100 + now->day, OG_DAY_AT(10, 0));
    }
}

/* Treat a number as number_as_time() does, but only in the likeliest ways, and add the moment before each time too. */
static void number_in_day(struct trying *t, struct og_money n, int date)
{
    int64_t whole = n.scale == 0 ? n.coef : -1;

    for (int64_t s = -1; s <= 0 && whole >= 0 && whole < 24 * 60; s++) {
        add_day(t, date, OG_DAY_AT(whole < 24 ? whole : 0, whole < 24 ? 0 : whole) + s * OG_NS_PER_S);
        add_day(t, date, OG_DAY_OPENS + OG_DAY_AT(0, whole < 390 ? whole : 0) + s * OG_NS_PER_S);
        add_day(t, date, OG_DAY_CLOSES - OG_DAY_AT(0, whole < 390 ? whole : 0) + s * OG_NS_PER_S);
    }
}

/* Add times around an instant, on its own day and on the days before and after it: some of these are trading days. */
static void about(struct trying *t, const struct og_money *numbers, size_t count, int64_t instant)
{
    struct og_eastern at;

    for (int64_t s = -1; s <= 1; s++)
        add_ns(t, instant + s * OG_NS_PER_S);
    for (int64_t day = -3; day <= 3; day++) {
        og_eastern_from(instant + day * OG_DAY_AT(24, 0), &at);
        add_day(t, at.date, OG_DAY_AT(10, 0));
        for (size_t i = 0; i < count && i < NUMBERS_A_DAY && day >= -1; i++)
            number_in_day(t, numbers[i], at.date);
    }
}

/* Returns true if the word may be a value of the slot (a value in a probe's order or facts). A symbol is in capitals;
 * words in small letters, and names with dots, are usually keys of policies. */
bool og_may_be(enum og_slot slot, struct og_str word)
{
    bool upper = true, other = false;

    for (size_t i = 0; i < word.len; i++) {
        bool small = (word.s[i] >= 'a' && word.s[i] <= 'z') || word.s[i] == '_' || word.s[i] == '.';

        upper = upper && (!small || word.s[i] == '.');
        other = other || !small;
    }
    if (slot == OG_AT_SYMBOL || slot == OG_AT_ROOT)
        return upper && word.len <= 8 && word.s[0] >= 'A';
    return slot == OG_AT_TAG || (other && (slot == OG_AT_ROUTE || slot == OG_AT_ID));
}

/* Returns true if the rule reads facts from the facts document of that name. */
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

        t->rank =
            t->slot == OG_AT_MISSING && is_read((struct og_str){ at, len }, reads) ? OG_RANKED_NAMED : OG_RANKED_OTHER;
        if (og_slot_read(t->slot, (struct og_str){ at, len }, &v))
            add(t, &v);
        at += len;
        at += strspn(at, " ");
    }
}

/* Add amounts of buying power: (a) what the order needs by each policy; (b) a little less. Also add quantities for
 * which the probe's present buying power is just enough. */
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

/* --- values that conditions name ---------------------------------------------------------------------------------- */

/* Add a date such as "2026-01-16": the day as a time, and as an expiry. */
static void from_date(struct trying *t, const char *word)
{
    struct og_eastern now;
    int y, m, d, n = 0;

    if (sscanf(word, "%4d-%2d-%2d%n", &y, &m, &d, &n) != 3 || n != 10 || word[n] || !og_date_exists(y, m, d))
        return;
    og_eastern_from(t->w->v[OG_AT_NOW].ns, &now);
    for (int64_t beside = -1; beside <= 1; beside++) {
        int64_t days = og_days_from_civil(y, m, d) + beside;
        int year, month, day;

        og_civil_from_days(days, &year, &month, &day);
        if (t->kind == OG_SLOT_NOW) {
            add_day(t, year * 10000 + month * 100 + day, OG_DAY_AT(10, 0));
            add_day(t, year * 10000 + month * 100 + day, OG_DAY_AT(14, 0));
        } else
            add_number(t, og_money_from(days - og_days_from_civil(now.year, now.month, now.day)));
    }
}

/* Add a word as a value to try.  A word taken from a setting is added only if it may be a value of this slot, since
 * what the setting means is not known. */
static void from_word(struct trying *t, const char *word, bool setting)
{
    struct og_slot_value v;

    if (t->kind == OG_SLOT_NOW || t->kind == OG_SLOT_DAYS)
        from_date(t, word);
    else if (t->kind == OG_SLOT_WORD && (!setting || og_may_be(t->slot, og_str_of(word))) &&
             og_slot_read(t->slot, og_str_of(word), &v))
        add(t, &v);
}

static void from_length(struct trying *t, struct og_money n)
{
    static const char letters[OG_SLOT_WORD_MOST] = "ABABABABABABABABABABABABABABABABABABABABABABABABABABABABABABABA";
    struct og_slot_value v;

    for (int64_t len = n.coef - 1; t->kind == OG_SLOT_WORD && n.scale == 0 && len <= n.coef + 1; len++)
        if (len > 0 && len < OG_SLOT_WORD_MOST && og_slot_read(t->slot, (struct og_str){ letters, (size_t)len }, &v))
            add(t, &v);
}

/* Add a time span as three things: (a) an age; (b) a time after the open or before the close; (c) a time before or
 * after a full hour. */
static void from_span(struct trying *t, int64_t ns)
{
    struct og_eastern now;

    if (t->kind == OG_SLOT_AGE) {
        for (int64_t ms = -1; ms <= 1; ms++)
            add_ns(t, ns + ms * OG_NS_PER_MS);
    } else if (t->kind == OG_SLOT_NOW) {
        og_eastern_from(t->w->v[OG_AT_NOW].ns, &now);
        add_moment(t, now.date, OG_DAY_OPENS + ns);
        add_moment(t, now.date, OG_DAY_CLOSES - ns);
    }
}

static bool is_amount(enum og_slot_kind kind)
{
    return kind != OG_SLOT_WORD && kind != OG_SLOT_AGE && kind != OG_SLOT_NOW;
}

static void hinted_number(struct trying *t, struct og_money n)
{
    struct og_eastern now;

    if (t->kind == OG_SLOT_NOW) {
        og_eastern_from(t->w->v[OG_AT_NOW].ns, &now);
        number_as_time(t, n, now.date);
        number_as_day(t, n, &now);
    } else if (is_amount(t->kind)) {
        from_number(t, n);
    }
}

/* Add an instant, with numbers that may be times of a day. */
static void from_instant(struct trying *t, const struct og_hints *hints, int64_t ns)
{
    struct og_money number[NUMBERS_A_DAY];
    size_t count = 0;

    for (size_t i = 0; i < hints->count && count < NUMBERS_A_DAY; i++)
        if (hints->item[i].kind == OG_HINT_NUMBER && hints->item[i].slots >> OG_AT_NOW & 1)
            number[count++] = hints->item[i].number;
    if (t->kind == OG_SLOT_NOW)
        about(t, number, count, ns);
}

static void from_clock(struct trying *t, int64_t of_day)
{
    struct og_eastern now;

    og_eastern_from(t->w->v[OG_AT_NOW].ns, &now);
    if (t->kind == OG_SLOT_NOW)
        add_moment(t, now.date, of_day);
}

static void from_hint(struct trying *t, const struct og_hints *hints, const struct og_hint *h)
{
    struct og_money n;

    t->rank = h->kind == OG_HINT_SHARE ? OG_RANKED_FOLLOWS : OG_RANKED_NAMED;
    t->rest = h->rest;
    /* A number in a condition is tried as a number of working orders only if it is small: such a value is tried in many
     * base probes, each of which writes out all its orders. */
    t->many = h->setting ? OG_WRITTEN_MOST : FEW;
    switch (h->kind) {
    case OG_HINT_NUMBER:
        if (!h->rest || is_amount(t->kind))
            hinted_number(t, h->number);
        break;
    case OG_HINT_WORD: from_word(t, h->word, h->setting); break;
    case OG_HINT_LENGTH: from_length(t, h->number); break;
    case OG_HINT_SPAN: from_span(t, h->ns); break;
    case OG_HINT_INSTANT: from_instant(t, hints, h->ns); break;
    case OG_HINT_CLOCK: from_clock(t, h->ns); break;
    case OG_HINT_SHARE:
        if (is_amount(t->kind))
            from_share(t, (int32_t)h->ns);
        break;
    case OG_HINT_LIKE:
        if (og_slots[h->like].kind == OG_SLOT_WORD)
            from_word(t, t->w->v[h->like].word, false);
        else if (og_money_mul(t->w->v[h->like].number, h->number, &n) && og_money_add(n, h->more, &n))
            hinted_number(t, n);
        break;
    case OG_HINT_ANY: break;
    }
}

void og_candidates(const struct og_probe *w, enum og_slot slot, const struct og_hints *hints, unsigned reads,
                   const struct og_money required[2], struct og_candidates *to)
{
    struct trying t = { .w = w, .slot = slot, .kind = og_slots[slot].kind, .to = to };

    to->count = 0;
    memset(to->place, 0, sizeof to->place);
    for (size_t i = 0; i < hints->count; i++)
        if (hints->item[i].slots >> slot & 1 && (required || !hints->item[i].setting))
            from_hint(&t, hints, &hints->item[i]);
    t.rest = false;
    t.rank = OG_RANKED_NAMED;
    if (required && (slot == OG_AT_BP || slot == OG_AT_EQUITY || slot == OG_AT_SOD_EQUITY || slot == OG_AT_CASH))
        by_margin(&t, required);
    others(&t, reads);
}
