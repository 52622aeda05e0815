/*
 * Ranges of exact numbers.
 */
#include "base/range.h"

void og_range_raise(struct og_range *r, struct og_money to, bool open)
{
    int side = r->has_low ? og_money_cmp(to, r->low) : 1;

    if (side > 0)
        r->low_open = open;
    else if (side == 0)
        r->low_open = r->low_open || open;
    if (side > 0)
        r->low = to;
    r->has_low = true;
}

void og_range_lower(struct og_range *r, struct og_money to, bool open)
{
    int side = r->has_high ? og_money_cmp(to, r->high) : -1;

    if (side < 0)
        r->high_open = open;
    else if (side == 0)
        r->high_open = r->high_open || open;
    if (side < 0)
        r->high = to;
    r->has_high = true;
}

void og_range_meet(struct og_range *r, const struct og_range *other)
{
    if (other->has_low)
        og_range_raise(r, other->low, other->low_open);
    if (other->has_high)
        og_range_lower(r, other->high, other->high_open);
}

static struct og_money round_to_integer(struct og_money m, bool up)
{
    int64_t unit = 1, n;

    for (int i = 0; i < m.scale; i++)
        unit *= 10;
    n = m.coef / unit;
    if (m.coef % unit)
        n += up ? m.coef > 0 : -(m.coef < 0);
    return og_money_from(n);
}

void og_range_close(struct og_range *r)
{
    struct og_money m;

    if (r->has_low) {
        m = round_to_integer(r->low, true);
        if (r->low_open && og_money_cmp(m, r->low) == 0)
            (void)!og_money_add(m, og_money_from(1), &m);
        r->low = m;
        r->low_open = false;
    }
    if (r->has_high) {
        m = round_to_integer(r->high, false);
        if (r->high_open && og_money_cmp(m, r->high) == 0)
            (void)!og_money_sub(m, og_money_from(1), &m);
        r->high = m;
        r->high_open = false;
    }
}

bool og_range_is_empty(const struct og_range *r)
{
    int side = r->has_low && r->has_high ? og_money_cmp(r->low, r->high) : -1;

    return side > 0 || (side == 0 && (r->low_open || r->high_open));
}

bool og_range_is_point(const struct og_range *r)
{
    return r->has_low && r->has_high && !r->low_open && !r->high_open && og_money_cmp(r->low, r->high) == 0;
}

bool og_range_has(const struct og_range *r, struct og_money m)
{
    int low = r->has_low ? og_money_cmp(m, r->low) : 1, high = r->has_high ? og_money_cmp(m, r->high) : -1;

    return (low > 0 || (low == 0 && !r->low_open)) && (high < 0 || (high == 0 && !r->high_open));
}

struct og_range og_range_negated(const struct og_range *a)
{
    struct og_range r = {
        .has_low = a->has_high, .has_high = a->has_low, .low_open = a->high_open, .high_open = a->low_open
    };

    r.has_low = r.has_low && og_money_times(a->high, -1, &r.low);
    r.has_high = r.has_high && og_money_times(a->low, -1, &r.high);
    return r;
}

struct og_range og_range_sum(const struct og_range *a, const struct og_range *b, bool less)
{
    struct og_range other = less ? og_range_negated(b) : *b, r = { .has_low = false };

    r.has_low = a->has_low && other.has_low && og_money_add(a->low, other.low, &r.low);
    r.has_high = a->has_high && other.has_high && og_money_add(a->high, other.high, &r.high);
    r.low_open = a->low_open || other.low_open;
    r.high_open = a->high_open || other.high_open;
    return r;
}

/* A bound of a range; a missing bound is less (-1) or greater (1) than every number. */
struct end {
    int infinite;
    struct og_money m;
};

static int sign_of(const struct end *e)
{
    return e->infinite ? e->infinite : (e->m.coef > 0) - (e->m.coef < 0);
}

static int compare_ends(const struct end *a, const struct end *b)
{
    return a->infinite || b->infinite ? a->infinite - b->infinite : og_money_cmp(a->m, b->m);
}

/* Returns the product of two bounds.  0 times a missing bound is 0, since the product is 0 for every number.  A product
 * that cannot be represented counts as a missing bound. */
static struct end product_of(const struct end *a, const struct end *b)
{
    struct end product = { .infinite = 0 };

    if (a->infinite || b->infinite || !og_money_mul(a->m, b->m, &product.m))
        product = (struct end){ .infinite = sign_of(a) * sign_of(b), .m = og_money_from(0) };
    return product;
}

/* The bounds of the result are closed, so it contains the exact range even if that has open bounds. */
struct og_range og_range_product(const struct og_range *a, const struct og_range *b)
{
    const struct end x[] = { { a->has_low ? 0 : -1, a->low }, { a->has_high ? 0 : 1, a->high } };
    const struct end y[] = { { b->has_low ? 0 : -1, b->low }, { b->has_high ? 0 : 1, b->high } };
    struct end low = product_of(&x[0], &y[0]), high = low;

    for (int i = 1; i < 4; i++) {
        const struct end product = product_of(&x[i / 2], &y[i % 2]);

        if (compare_ends(&product, &low) < 0)
            low = product;
        if (compare_ends(&product, &high) > 0)
            high = product;
    }
    return (struct og_range){ .has_low = !low.infinite, .has_high = !high.infinite, .low = low.m, .high = high.m };
}
