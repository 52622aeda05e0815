/*
 * ordergate check: a line with a basket. Its orders are decided all or none, and each gets a decision; their output is
 * kept until it is the line's turn to be written.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tools/common/check.h"

/* The memory with which a thread decides baskets. */
struct basket_room {
    struct og_basket *basket;
    struct og_scratch *scratch[OG_BASKET_MOST];
    struct og_decision decision[OG_BASKET_MOST];
    og_ticket ticket[OG_BASKET_MOST];
};

void check_baskets_free(struct basket_room *k)
{
    if (!k)
        return;
    og_basket_free(k->basket);
    for (int i = 0; i < OG_BASKET_MOST; i++)
        og_scratch_free(k->scratch[i]);
    free(k);
}

void check_basket_clear(struct check_basket *b)
{
    free(b->out.s);
    free(b->rejects.s);
}

/* Extend the memory for baskets of `count` orders.  Returns false if out of memory. */
static bool fit(struct basket_room *k, size_t count)
{
    for (size_t i = 0; i < count; i++)
        if (!k->scratch[i] && !(k->scratch[i] = og_scratch_new()))
            return false;
    return true;
}

/* Decide the orders; returns how many decisions there are, 0 if out of memory.  A line that is no basket gets one. */
static size_t decide(struct check *c, struct basket_room *k, int64_t now)
{
    struct og_order *const *orders = og_basket_orders(k->basket);
    const size_t count = og_basket_count(k->basket);
    enum og_status s;

    if (!fit(k, count ? count : 1))
        return 0;
    if (count == 0) {
        og_check(c->book, og_basket_line(k->basket), now, k->scratch[0], &k->decision[0]);
        return 1;
    }
    if (c->independent)
        s = og_check_basket(c->book, orders, count, now, k->scratch, k->decision);
    else
        s = og_reserve_basket(c->book, orders, count, now, k->scratch, k->decision, k->ticket);
    /* a fill that cannot be added to the sums exactly is not applied: the order stays a working order */
    for (size_t i = 0; i < count && s == OG_OK && c->assume == ASSUME_FILLED && k->decision[i].accepted; i++)
        if (og_ticket_fill(c->book, k->ticket[i], OG_FILL_WHOLE, og_money_from(0), now) == OG_ENOMEM)
            return 0;
    return s == OG_OK ? count : 0;
}

/* Write the accepted orders: as a basket (--emit lines), or one a line.  If no body can be made for one of the orders,
 * nothing is written, and *written is set to false.  Returns false if out of memory. */
static bool write_orders(const struct check *c, const struct basket_room *k, struct text *to, bool *written)
{
    struct og_order *const *orders = og_basket_orders(k->basket);
    const size_t count = og_basket_count(k->basket);
    const bool as_basket = c->emit == EMIT_LINES;

    *written = true;
    if (as_basket && !text_bytes(to, "{\"op\":\"basket\",\"orders\":["))
        return false;
    for (size_t i = 0; i < count && *written; i++) {
        if (c->emit != EMIT_BODIES && c->account && og_order_set_account(orders[i], c->account))
            return false;
        if (!text_order(to, orders[i], c->emit == EMIT_BODIES, written))
            return false;
        if (as_basket)
            to->s[to->len - 1] = ','; /* in place of the newline */
    }
    if (!*written)
        to->len = 0;
    else if (as_basket)
        to->len--; /* the last comma */
    return !*written || !as_basket || text_bytes(to, "]}\n");
}

bool check_basket(struct check *c, struct basket_room **room, struct check_basket *b, const char *text, size_t len,
                  long long number, int64_t now)
{
    const struct og_source source = { .line = number, .file = c->file };
    struct basket_room *k = *room ? *room : (*room = calloc(1, sizeof *k));
    bool written = true;

    if (!k || (!k->basket && !(k->basket = og_basket_new())) || og_basket_read(k->basket, text, len) != OG_OK)
        return false;
    b->orders = decide(c, k, now);
    b->accepted = b->orders > 0 && k->decision[0].accepted;
    for (size_t i = 0; i < b->orders; i++) {
        if (c->rejects_path && !b->accepted && !text_decision(&b->rejects, &k->decision[i], &source))
            return false;
        if (c->emit == EMIT_DECISIONS && !text_decision(&b->out, &k->decision[i], &source))
            return false;
        if (c->emit != EMIT_DECISIONS && !b->accepted)
            check_count_refusal(c, &k->decision[i], number);
    }
    if (b->accepted && c->emit != EMIT_DECISIONS && !write_orders(c, k, &b->out, &written))
        return false;
    if (b->accepted && written && c->emit == EMIT_LINES && !c->basket_told) {
        c->basket_told = true;
        fprintf(
            stderr,
            "ordergate check: %s:%lld: a basket is written as a basket, which ordergate send refuses; --emit orders "
            "writes its orders one a line\n",
            c->file ? c->file : "stdin", number);
    }
    if (!written)
        fprintf(
            stderr,
            "ordergate check: %s:%lld: accepted, but left out: an order of the basket has a field of a type or value "
            "that the service does not know\n",
            c->file ? c->file : "stdin", number);
    b->accepted = b->accepted && written;
    return b->orders > 0;
}
