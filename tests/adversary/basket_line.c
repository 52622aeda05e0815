/*
 * basket_line.h
 */
#include "basket_line.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void basket_line_free(struct basket_line *b)
{
    og_basket_free(b->basket);
    free(b->json.s);
    free(b->by_line.s);
    free(b->by_hand.s);
}

void basket_line_begin(struct basket_line *b)
{
    b->json.len = b->by_line.len = b->by_hand.len = b->count = 0;
    text_put(&b->json, "{\"op\":\"basket\",\"orders\":[");
}

void basket_line_add(struct basket_line *b, const struct text *order)
{
    text_put(&b->json, "%s%.*s", b->count ? "," : "", (int)order->len, order->s);
    b->count++;
}

/* Returns the finding's message, or nothing if it may tell a bound of what the order costs: a check may be content with
 * one bound where another check of the same order needs a closer one. */
static const char *told(const struct og_finding *f)
{
    return f->level > OG_LEVEL_INFO && !strstr(f->message, " at the least") ? f->message : "";
}

/* Returns true for what is told only of an order whose cost was computed: a check may be content with a bound of it. */
static bool is_of_cost(const struct og_finding *f)
{
    return f->level == OG_LEVEL_INFO && strcmp(f->reason, "buying-power-by-model") == 0;
}

static void put_decisions(struct text *to, const struct og_decision *decisions, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        const struct og_decision *d = &decisions[i];

        text_put(to, "%s '%s' of '%s' for '%s', %zu of %zu\n", d->accepted ? "accept" : "refuse", d->client_order_id,
                 d->account_id, d->tag, d->place, d->basket);
        for (int k = 0; k < d->count; k++) {
            const struct og_finding *f = &d->findings[k];

            if (!is_of_cost(f))
                text_put(to, "  %s%s %s %s: %s\n", og_level_name(f->level), f->unsure ? "?" : "", f->reason, f->field,
                         told(f));
        }
    }
}

struct og_order *const *basket_line_orders(const struct basket_line *b)
{
    return og_basket_count(b->basket) == b->count ? og_basket_orders(b->basket) : NULL;
}

void basket_line_check(struct basket_line *b, struct og_book *book, int64_t now, struct og_scratch *const *scratch)
{
    struct og_decision d[OG_BASKET_MOST];
    const size_t count = b->count;

    text_put(&b->json, "]}");
    if ((!b->basket && !(b->basket = og_basket_new())) || og_basket_read(b->basket, b->json.s, b->json.len) != OG_OK ||
        (basket_line_orders(b) && og_check_basket(book, basket_line_orders(b), count, now, scratch, d) != OG_OK)) {
        fprintf(stderr, "a basket cannot be decided: %s\n", b->json.s);
        exit(2);
    }
    if (basket_line_orders(b))
        put_decisions(&b->by_line, d, count);
}

bool basket_line_agrees(struct basket_line *b, const struct og_decision *decisions, size_t count)
{
    b->by_hand.len = 0;
    put_decisions(&b->by_hand, decisions, count);
    return b->by_hand.len == b->by_line.len && memcmp(b->by_hand.s, b->by_line.s, b->by_line.len) == 0;
}
