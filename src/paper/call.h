/*
 * One request on its way through the service, and the handlers of the endpoints.
 */
#ifndef OG_PAPER_CALL_H
#define OG_PAPER_CALL_H

#include "paper/http.h"
#include "paper/paper.h"

struct og_paper_call {
    struct og_paper *p;
    const struct og_paper_request *request;
    struct og_paper_reply *reply;
    struct og_paper_key *key;
    struct og_paper_account *account; /* the path's, when the key owns it */
    struct og_str account_id;         /* as it stands in the path */
    int64_t late_ns;                  /* a fault has what is posted register so much later; 0: none has */
    struct og_str item;               /* second variable of the path: an order id, a symbol */
    char room[2][2048];               /* for these two, where they need it */
};

typedef void og_paper_handler(struct og_paper_call *call);

og_paper_handler og_paper_get_accounts, og_paper_get_account, og_paper_get_positions, og_paper_get_pnl,
    og_paper_get_closed, og_paper_get_fills, og_paper_get_history, og_paper_delete_orders, og_paper_get_routes,
    og_paper_get_orders, og_paper_get_order, og_paper_get_borrow, og_paper_get_inventory, og_paper_get_locates,
    og_paper_get_cash, og_paper_post_order, og_paper_delete_order, og_paper_post_locate_quote,
    og_paper_post_locate_accept, og_paper_post_locate_sell, og_paper_delete_locate;

/* Resolve an account that a key owns; NULL when it does not. */
struct og_paper_account *og_paper_key_account(const struct og_paper_key *key, struct og_str id);
/* The key pair with that id and secret, compared in constant time; NULL when there is none. */
struct og_paper_key *og_paper_key_get(const struct og_paper *p, struct og_str id, struct og_str secret);

/* Control calls: paths under /paper/. */
void og_paper_control(struct og_paper *p, const struct og_paper_request *request, struct og_paper_reply *reply);

#endif
