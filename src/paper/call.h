/*
 * One request being served, and the handlers of the endpoints.
 */
#pragma once

#include "paper/http.h"
#include "paper/paper.h"

struct og_paper_call {
    struct og_paper *p;
    const struct og_paper_request *request;
    struct og_paper_reply *reply;
    struct og_paper_key *key;
    struct og_paper_account *account; /* the account in the path; NULL if the key is not allowed to use it */
    struct og_str account_id;         /* the account's id as spelled in the path */
    int64_t late_ns;    /* by how many ns a fault delays the registration of the posted order; 0 if none does */
    struct og_str item; /* the second variable of the path: an order id or a symbol */
    char room[2][2048]; /* memory for account_id and item if the path has them with percent escapes */
};

typedef void og_paper_handler(struct og_paper_call *call);

og_paper_handler og_paper_get_accounts, og_paper_get_account, og_paper_get_positions, og_paper_get_pnl,
    og_paper_get_closed, og_paper_get_fills, og_paper_get_history, og_paper_delete_orders, og_paper_get_routes,
    og_paper_get_orders, og_paper_get_order, og_paper_get_borrow, og_paper_get_inventory, og_paper_get_locates,
    og_paper_get_cash, og_paper_post_order, og_paper_delete_order, og_paper_post_locate_quote,
    og_paper_post_locate_accept, og_paper_post_locate_sell, og_paper_delete_locate;

/* Returns the account with that id if the key may use it, otherwise NULL. */
struct og_paper_account *og_paper_key_account(const struct og_paper_key *key, struct og_str id);
/* Returns the key pair with this id and secret, compared in constant time; NULL if there is none. */
struct og_paper_key *og_paper_key_get(const struct og_paper *p, struct og_str id, struct og_str secret);

/* The beginning of the paths of control calls. */
#define OG_PAPER_CONTROL "/paper/"
void og_paper_control(struct og_paper *p, const struct og_paper_request *request, struct og_paper_reply *reply);

/* Answer a request for the index of the service, which needs no keys.  Returns false if the request is for something
 * else. */
bool og_paper_index(struct og_paper *p, const struct og_paper_request *request, struct og_paper_reply *reply);
