/*
 * Who listens: the clients of both streams, what they subscribed to, and the frames that wait for each.
 * A frame is made once and shared; a client that reads too slowly is dropped, never the service's memory.
 */
#ifndef OG_PAPER_HUB_H
#define OG_PAPER_HUB_H

#include "paper/account.h"
#include "paper/order.h"

struct og_paper;
struct og_paper_client;

enum og_paper_stream { OG_STREAM_PORTFOLIO, OG_STREAM_PNL };

struct og_paper_message {
    int users;
    size_t len;
    unsigned char *text; /* with room for the transport's header before it */
};

/* What the hub asks of the transport. */
struct og_paper_transport {
    void (*wake)(void *connection);           /* frames wait */
    void (*drop)(void *connection, int code); /* close it: 0 at once and without a word, else with that code once
                                                 * sent */
};

bool og_paper_hub_init(struct og_paper *p);
void og_paper_hub_clear(struct og_paper *p);
void og_paper_hub_set_transport(struct og_paper *p, const struct og_paper_transport *wire);

/* A connection came, spoke, went. */
struct og_paper_client *og_paper_hub_join(struct og_paper *p, enum og_paper_stream stream, void *connection);
void og_paper_hub_receive(struct og_paper_client *client, struct og_str message);
void og_paper_hub_leave(struct og_paper *p, struct og_paper_client *client);
/* The next frame to write, NULL when none waits; given back once written. */
struct og_paper_message *og_paper_hub_next(struct og_paper_client *client);
void og_paper_hub_sent(struct og_paper_message *frame);

/* Something changed; who subscribed to it hears of it. */
void og_paper_hub_order(struct og_paper *p, struct og_paper_order *o);
void og_paper_hub_position(struct og_paper *p, struct og_paper_account *account, struct og_paper_lot *lot);
/* Prices of a root moved. */
void og_paper_hub_prices(struct og_paper *p, const struct og_paper_symbol *root);

/* It is told no more than what waits for it, and then closed with that code. */
void og_paper_hub_end(struct og_paper_client *client, int code);
/* The service is about to stop: a close frame to every client, behind what waits for it. */
void og_paper_hub_close_all(struct og_paper *p);
/* Close every connection of a stream at once. */
void og_paper_hub_disconnect(struct og_paper *p, enum og_paper_stream stream);

#endif
