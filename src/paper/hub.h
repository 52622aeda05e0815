/*
 * The clients of both streams, their subscriptions, and the frames queued for each. A frame is made once and shared by
 * all clients that receive it. A client that reads too slowly is disconnected, so that its queue stays small.
 */
#pragma once

#include "paper/account.h"
#include "paper/order.h"

struct og_paper;
struct og_paper_client;

enum og_paper_stream { OG_STREAM_PORTFOLIO, OG_STREAM_PNL, OG_STREAMS };
extern const char *const og_paper_stream_paths[OG_STREAMS];

struct og_paper_message {
    int users;
    size_t len;
    unsigned char *text; /* the frame's text, with room before it for the transport's header */
};

/* Functions of the transport that the streams call. */
struct og_paper_transport {
    void (*wake)(void *connection); /* called when frames are queued */
    /* close the connection: at once if code is 0, otherwise after a close frame with this code */
    void (*drop)(void *connection, int code);
};

bool og_paper_hub_init(struct og_paper *p);
void og_paper_hub_clear(struct og_paper *p);
void og_paper_hub_set_transport(struct og_paper *p, const struct og_paper_transport *wire);

/* Three calls for the transport: a client has connected; it has sent a message; it has disconnected. */
struct og_paper_client *og_paper_hub_join(struct og_paper *p, enum og_paper_stream stream, void *connection);
void og_paper_hub_receive(struct og_paper_client *client, struct og_str message);
void og_paper_hub_leave(struct og_paper *p, struct og_paper_client *client);
/* Returns the next frame to write; NULL if none is queued.  Pass the frame to og_paper_hub_sent() after writing it. */
struct og_paper_message *og_paper_hub_next(struct og_paper_client *client);
void og_paper_hub_sent(struct og_paper_message *frame);

/* Publish a changed order, or a changed position, to the clients that subscribed. */
void og_paper_hub_order(struct og_paper *p, struct og_paper_order *o);
void og_paper_hub_position(struct og_paper *p, struct og_paper_account *account, struct og_paper_lot *lot);
/* Publish the new prices of a root symbol. */
void og_paper_hub_prices(struct og_paper *p, const struct og_paper_symbol *root);

/* Send the frames that are queued for a client, then close its stream with this code. */
void og_paper_hub_end(struct og_paper_client *client, int code);
/* The service stops: send each client its queued frames, then a close frame. */
void og_paper_hub_close_all(struct og_paper *p);
/* Write the connected clients: stream, key pair, account, subscriptions, and how many frames are queued. Null is what a
 * client has not said yet. */
void og_paper_hub_write(const struct og_paper *p, struct og_buf *b);
/* Close every connection of a stream at once. */
void og_paper_hub_disconnect(struct og_paper *p, enum og_paper_stream stream);
