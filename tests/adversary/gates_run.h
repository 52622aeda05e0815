/*
 * The run of gates.c: the world, the gates, and what its files share. One world is run at a time.
 */
#pragma once

#include "gates.h"

enum { BASKET_MOST = 6 };

#define MS       (OG_NS_PER_S / 1000)
#define MIDNIGHT INT64_C(1768453200000000000) /* Thursday, 2026-01-15, in New York */

extern struct world w;
extern struct og_book *book[GATES];
extern struct og_scratch *scratch[BASKET_MOST];
extern struct og_order *order[BASKET_MOST];
extern struct text json;
extern bool tells;
extern long accepted, refused, baskets, begun_anew;
extern int64_t resumed_at; /* number of orders when the latch of rejections was resumed last */
extern bool broken;        /* an error was found in this world; later ones may only follow from it */

extern const char *const tag_name[TAGS];
extern const char *const roots[STOCKS];

/* End the program, telling what was given to the gate, unless s is OG_OK. err: may be NULL. */
void must(enum og_status s, const struct og_error *err);
/* Count a hole: what a gate did, and which limit it concerns. The world ends with this step. */
void hole(const char *what, const char *of);

/* gates_desk.c: random limits, and the policy that says them. */
void make_desk(struct desk *d, struct chance *c);
void put_desk(const struct desk *d, struct text *yaml);

/* gates_market.c: the symbols, and orders that make sense there. */
void make_things(struct chance *c);
void step_quote(struct chance *c);
void make_order(struct order *o, struct chance *c);

/* gates_told.c: what a gate is told, written into `json`. */
void put_price(const char *key, int64_t cents);
void tell_quote(int gate, int thing);
void put_order(const struct order *o);
void read_order(const struct order *o, int at); /* into order[at] */
void apply_facts(int gate);
void apply_pnl(int gate);
void step_facts(void); /* everything that has happened is in the documents now */

/* gates_decide.c: what gates decide, compared with the model. */
void take_in(struct order *o, int gate); /* what another gate knows of an order comes by the record */
void decide_one(int gate, struct chance *c);
void decide_basket(int gate, struct chance *c);

/* gates_outcome.c: what becomes of orders and of the account. */
void step_outcome(struct chance *c);
void step_pnl(struct chance *c);
void step_resume(struct chance *c);
