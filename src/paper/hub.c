/*
 * The two streams: hello, sign-in, subscription, pushes, and the queue of each client. A client gets only the updates
 * to which it subscribed. The server never pings a client, and the size of a client's queue is limited.
 */
#include "paper/hub.h"

#include <stdlib.h>

#include "paper/call.h"
#include "paper/fault.h"
#include "paper/pnl.h"
#include "serve/ws_frame.h"
#include "text/doc.h"

_Static_assert(OG_WS_FRAME_HEADER_MOST <= 32, "a frame has room for the transport's header");
#define ROOM        32   /* number of bytes before a frame's text, for the transport's header */
#define MOST_FRAMES 4096 /* maximum number of frames in the queue of a client */
/* maximum number of bytes in the queue of a client; a single frame may have more */
#define MOST_BYTES ((size_t)4 << 20)

enum { WANTS_ORDERS = 1, WANTS_POSITIONS = 2, WANTS_PNL = 4 };

struct og_paper_client {
    struct og_paper *paper;
    enum og_paper_stream stream;
    void *connection;
    struct og_paper_key *key; /* the key pair with which the client signed in; NULL if it has not signed in yet */
    struct og_paper_account *account; /* the account to which the client subscribed; NULL if it has not subscribed */
    unsigned wants;
    bool dropped;
    struct og_paper_timer hello;
    struct og_paper_message **queue; /* the queued frames, in a ring buffer */
    size_t head, count, cap, bytes;
    struct og_paper_client *prev, *next;
};

/* A frame that a fault holds back until the next frame was sent. */
struct late {
    struct og_paper_message *frame;
    struct og_paper_account *account;
    unsigned kind;
};

struct og_paper_hub {
    struct og_paper_client *clients;
    struct og_paper_transport wire;
    struct og_buf text; /* text of the frame being written */
    struct late late[2];
};

static const char *const names[] = { "stream portfolio", "stream pnl" };
const char *const og_paper_stream_paths[OG_STREAMS] = {
    [OG_STREAM_PORTFOLIO] = "/stream/portfolio", [OG_STREAM_PNL] = "/stream/pnl"
};

bool og_paper_hub_init(struct og_paper *p)
{
    p->hub = calloc(1, sizeof *p->hub);
    if (p->hub)
        og_buf_init(&p->hub->text, 0);
    return p->hub != NULL;
}

void og_paper_hub_set_transport(struct og_paper *p, const struct og_paper_transport *wire)
{
    p->hub->wire = *wire;
}

/* --- frames ------------------------------------------------------------------------------------------------------- */

static struct og_paper_message *frame_of(const struct og_buf *text)
{
    struct og_paper_message *frame;

    if (text->bad || !(frame = malloc(sizeof *frame + ROOM + text->len)))
        return NULL;
    frame->users = 1;
    frame->len = text->len;
    frame->text = (unsigned char *)(frame + 1) + ROOM;
    memcpy(frame->text, text->s, text->len);
    return frame;
}

static void release(struct og_paper_message *frame)
{
    if (frame && --frame->users == 0)
        free(frame);
}

static void drop_client(struct og_paper_client *client, int code)
{
    if (client->dropped)
        return;
    client->dropped = true;
    client->paper->hub->wire.drop(client->connection, code);
}

static bool grow(struct og_paper_client *client)
{
    size_t cap = client->cap ? client->cap * 2 : 16, i;
    struct og_paper_message **queue;

    if (cap > MOST_FRAMES || !(queue = malloc(cap * sizeof(struct og_paper_message *))))
        return false;
    for (i = 0; i < client->count; i++)
        queue[i] = client->queue[(client->head + i) % client->cap];
    free(client->queue);
    client->queue = queue;
    client->head = 0;
    client->cap = cap;
    return true;
}

static void enqueue(struct og_paper_client *client, struct og_paper_message *frame)
{
    if (client->dropped)
        return;
    if ((client->count && client->bytes + frame->len > MOST_BYTES) || (client->count == client->cap && !grow(client))) {
        drop_client(client, 0);
        return;
    }
    frame->users++;
    client->queue[(client->head + client->count++) % client->cap] = frame;
    client->bytes += frame->len;
    client->paper->hub->wire.wake(client->connection);
}

struct og_paper_message *og_paper_hub_next(struct og_paper_client *client)
{
    struct og_paper_message *frame;

    if (!client->count)
        return NULL;
    frame = client->queue[client->head];
    client->head = (client->head + 1) % client->cap;
    client->count--;
    client->bytes -= frame->len;
    return frame;
}

void og_paper_hub_sent(struct og_paper_message *frame)
{
    release(frame);
}

/* --- pushes ------------------------------------------------------------------------------------------------------- */

static bool is_subscribed(const struct og_paper_client *c, enum og_paper_stream stream,
                          const struct og_paper_account *account, unsigned kind)
{
    return c->stream == stream && c->account == account && (c->wants & kind);
}

static bool has_subscriber(const struct og_paper *p, enum og_paper_stream stream,
                           const struct og_paper_account *account, unsigned kind)
{
    const struct og_paper_client *c;

    for (c = p->hub->clients; c; c = c->next)
        if (is_subscribed(c, stream, account, kind))
            return true;
    return false;
}

static void deliver(struct og_paper *p, enum og_paper_stream stream, struct og_paper_account *account, unsigned kind,
                    struct og_paper_message *frame)
{
    struct og_paper_client *c;

    for (c = p->hub->clients; c; c = c->next)
        if (is_subscribed(c, stream, account, kind))
            enqueue(c, frame);
}

/* Send the frame in hub->text to all subscribers of the stream, unless a fault changes that. */
static void publish(struct og_paper *p, enum og_paper_stream stream, struct og_paper_account *account, unsigned kind)
{
    struct og_paper_message *frame = frame_of(&p->hub->text);
    struct late *late = &p->hub->late[stream], held = *late;
    enum og_paper_frame_fault fault = og_paper_fault_frame(p, names[stream]);

    if (!frame)
        return;
    if (fault == OG_FRAME_LATE && !held.frame) {
        *late = (struct late){ frame, account, kind };
        return;
    }
    if (fault != OG_FRAME_DROP)
        deliver(p, stream, account, kind, frame);
    if (fault == OG_FRAME_TWICE)
        deliver(p, stream, account, kind, frame);
    if (held.frame) {
        *late = (struct late){ NULL, NULL, 0 };
        deliver(p, stream, held.account, held.kind, held.frame);
        release(held.frame);
    }
    if (fault == OG_FRAME_CUT)
        og_paper_hub_disconnect(p, stream);
    release(frame);
}

static struct og_buf *begin_frame(struct og_paper *p, const struct og_paper_account *account)
{
    struct og_buf *b = &p->hub->text;

    og_buf_reset(b);
    og_buf_char(b, '{');
    og_member_int(b, "ts", og_paper_clock_now(&p->clock) / OG_NS_PER_MS);
    if (account)
        og_member_str(b, "accountId", account->id);
    return b;
}

/* Begin the text of an update; account is NULL for the P&L stream. */
static struct og_buf *begin_update(struct og_paper *p, const struct og_paper_account *account, const char *kind,
                                   const char *member)
{
    struct og_buf *b = &p->hub->text;

    if (p->switches.typed_envelope) { /* the update is then {"type":"Order","data":{...}} or {"aggCalcs":{...}} */
        og_buf_reset(b);
        og_buf_char(b, '{');
        if (account)
            og_member_text(b, "type", kind);
        og_member_key(b, account ? "data" : member);
        return b;
    }
    begin_frame(p, account);
    og_member_text(b, "action", "update");
    og_member_text(b, account ? "subscription" : "target", kind);
    og_member_key(b, member);
    return b;
}

void og_paper_hub_order(struct og_paper *p, struct og_paper_order *o)
{
    struct og_paper_order_room room;
    struct og_order_row row;
    struct og_buf *b;

    if (!has_subscriber(p, OG_STREAM_PORTFOLIO, o->account, WANTS_ORDERS))
        return;
    og_paper_order_row(o, OG_VIEW_ORDER, &room, &row);
    b = begin_update(p, o->account, "Order", "order");
    if (p->switches.clean_pushes)
        og_order_row_write_clean(b, &row);
    else
        og_order_row_write_websocket(b, &row);
    og_buf_char(b, '}');
    publish(p, OG_STREAM_PORTFOLIO, o->account, WANTS_ORDERS);
}

static void publish_pnl_lot(struct og_paper *p, struct og_paper_account *account, const struct og_paper_lot *lot)
{
    struct og_buf *b = begin_update(p, NULL, "position", "position");

    if (!og_paper_pnl_lot_write(p, account, lot, b))
        return;
    og_buf_char(b, '}');
    publish(p, OG_STREAM_PNL, account, WANTS_PNL);
}

static void publish_pnl_totals(struct og_paper *p, struct og_paper_account *account)
{
    struct og_buf *b = begin_update(p, NULL, "aggCalcs", "aggCalcs");

    og_paper_pnl_totals_write(p, account, b);
    og_buf_char(b, '}');
    publish(p, OG_STREAM_PNL, account, WANTS_PNL);
}

void og_paper_hub_position(struct og_paper *p, struct og_paper_account *account, struct og_paper_lot *lot)
{
    struct og_paper_lot_room room;
    struct og_position_info row;
    struct og_buf *b;

    if (has_subscriber(p, OG_STREAM_PORTFOLIO, account, WANTS_POSITIONS)) {
        og_paper_lot_row(account, lot, &room, &row);
        b = begin_update(p, account, "Position", "position");
        og_document_write(b, OG_DOCUMENT_POSITION_PUSH, &row);
        og_buf_char(b, '}');
        publish(p, OG_STREAM_PORTFOLIO, account, WANTS_POSITIONS);
    }
    if (has_subscriber(p, OG_STREAM_PNL, account, WANTS_PNL)) {
        publish_pnl_lot(p, account, lot);
        publish_pnl_totals(p, account);
    }
}

void og_paper_hub_prices(struct og_paper *p, const struct og_paper_symbol *root)
{
    struct og_paper_account *account;
    const struct og_paper_lot *lot;
    bool moved;

    for (account = p->accounts; account; account = account->next) {
        if (!has_subscriber(p, OG_STREAM_PNL, account, WANTS_PNL))
            continue;
        moved = false;
        for (lot = account->lots; lot; lot = lot->next)
            if (lot->symbol->root == root) {
                publish_pnl_lot(p, account, lot);
                moved = true;
            }
        if (moved)
            publish_pnl_totals(p, account);
    }
}

void og_paper_hub_write(const struct og_paper *p, struct og_buf *b)
{
    static const char *const kinds[] = { "Order", "Position", "Pnl" };

    og_buf_text(b, "{\"streams\":[");
    for (const struct og_paper_client *c = p->hub->clients; c; c = c->next) {
        if (c->dropped)
            continue;
        og_member_key(b, NULL);
        og_buf_char(b, '{');
        og_member_text(b, "path", og_paper_stream_paths[c->stream]);
        og_member_str(b, "key", c->key ? c->key->id : (struct og_str){ NULL, 0 });
        og_member_str(b, "account", c->account ? c->account->id : (struct og_str){ NULL, 0 });
        og_member_key(b, "subscriptions");
        og_buf_char(b, '[');
        for (unsigned i = 0; i < sizeof kinds / sizeof kinds[0]; i++)
            if (c->wants & (1U << i))
                og_member_text(b, NULL, kinds[i]);
        og_buf_char(b, ']');
        og_member_int(b, "queued", (int64_t)c->count);
        og_buf_char(b, '}');
    }
    og_buf_text(b, "]}");
}

void og_paper_hub_disconnect(struct og_paper *p, enum og_paper_stream stream)
{
    struct og_paper_client *c;

    for (c = p->hub->clients; c; c = c->next)
        if (c->stream == stream)
            drop_client(c, 0);
}

void og_paper_hub_end(struct og_paper_client *client, int code)
{
    drop_client(client, code);
}

void og_paper_hub_close_all(struct og_paper *p)
{
    struct og_paper_client *c;

    for (c = p->hub->clients; c; c = c->next)
        drop_client(c, OG_WS_CLOSE_GOING_AWAY);
}

/* --- messages of a client ----------------------------------------------------------------------------------------- */

static void send_to_client(struct og_paper_client *client)
{
    struct og_paper_message *frame = frame_of(&client->paper->hub->text);

    if (frame)
        enqueue(client, frame);
    release(frame);
}

static void send_system(struct og_paper_client *client, const char *status, const char *message)
{
    struct og_buf *b = &client->paper->hub->text;

    og_buf_reset(b);
    og_buf_char(b, '{');
    og_member_bool(b, "@system", true);
    og_member_int(b, "ts", og_paper_clock_now(&client->paper->clock) / OG_NS_PER_MS);
    og_member_text(b, "status", status);
    if (message)
        og_member_text(b, "message", message);
    og_buf_char(b, '}');
    send_to_client(client);
}

static void send_hello(void *with)
{
    struct og_paper_client *client = with;
    struct og_paper *p = client->paper;

    send_system(client, "PENDING_AUTH", "Send authenticate message");
    og_paper_clock_set(&p->clock, &client->hello, og_paper_clock_now(&p->clock) + p->delays.hello);
}

struct og_paper_client *og_paper_hub_join(struct og_paper *p, enum og_paper_stream stream, void *connection)
{
    struct og_paper_client *client = calloc(1, sizeof *client);

    if (!client)
        return NULL;
    client->paper = p;
    client->stream = stream;
    client->connection = connection;
    client->hello = (struct og_paper_timer){ .fire = send_hello, .with = client };
    client->next = p->hub->clients;
    if (client->next)
        client->next->prev = client;
    p->hub->clients = client;
    send_hello(client);
    return client;
}

void og_paper_hub_leave(struct og_paper *p, struct og_paper_client *client)
{
    struct og_paper_message *frame;

    og_paper_clock_unset(&p->clock, &client->hello);
    while ((frame = og_paper_hub_next(client)))
        release(frame);
    *(client->prev ? &client->prev->next : &p->hub->clients) = client->next;
    if (client->next)
        client->next->prev = client->prev;
    free(client->queue);
    free(client);
}

void og_paper_hub_clear(struct og_paper *p)
{
    if (!p->hub)
        return;
    while (p->hub->clients)
        og_paper_hub_leave(p, p->hub->clients);
    release(p->hub->late[0].frame);
    release(p->hub->late[1].frame);
    og_buf_clear(&p->hub->text);
    free(p->hub);
    p->hub = NULL;
}

static void handle_keys(struct og_paper_client *client, struct og_str id, struct og_str secret)
{
    client->key = og_paper_key_get(client->paper, id, secret);
    if (!client->key) {
        send_system(client, "FAILED_AUTH", "Invalid key or secret");
        drop_client(client, OG_WS_CLOSE_POLICY);
        return;
    }
    og_paper_clock_unset(&client->paper->clock, &client->hello);
    send_system(client, "CONNECTED", NULL);
}

static unsigned read_subscriptions(const cJSON *doc)
{
    const cJSON *list = og_doc_get(doc, "subscriptions"), *item;
    unsigned wants = 0;

    cJSON_ArrayForEach (item, list) {
        if (!cJSON_IsString(item))
            return 0;
        if (strcmp(item->valuestring, "Order") == 0)
            wants |= WANTS_ORDERS;
        else if (strcmp(item->valuestring, "Position") == 0)
            wants |= WANTS_POSITIONS;
        else
            return 0;
    }
    return wants;
}

static void subscribe_portfolio(struct og_paper_client *client, const cJSON *doc)
{
    struct og_str id;
    unsigned wants = read_subscriptions(doc);
    struct og_paper_account *account;
    struct og_buf *b;

    if (!og_doc_str(doc, "accountId", &id) || !wants) {
        send_system(client, "INVALID_DATA", "accountId and subscriptions (Order, Position) are needed");
        return;
    }
    account = og_paper_key_account(client->key, id);
    if (!account) {
        send_system(client, "TERMINATED", "invalid account");
        return;
    }
    client->account = account;
    client->wants = wants;
    b = begin_frame(client->paper, account);
    og_member_text(b, "action", "meta");
    og_member_bool(b, "requestConfirmed", true);
    og_buf_char(b, '}');
    send_to_client(client);
}

static void subscribe_pnl(struct og_paper_client *client, const cJSON *doc)
{
    struct og_str id;
    struct og_paper_account *account = NULL;
    struct og_buf *b;

    if (!og_doc_str(doc, "account", &id)) {
        send_system(client, "INVALID_DATA", "account is needed");
        return;
    }
    account = og_paper_key_account(client->key, id);
    if (account && client->paper->switches.typed_envelope) {
        b = begin_update(client->paper, NULL, "init", "init");
        og_buf_char(b, '{');
    } else {
        b = begin_frame(client->paper, NULL);
        og_member_text(b, "action", account ? "init" : "error");
        og_member_text(b, account ? "target" : "message", account ? "pnlReturn" : "account not found");
    }
    if (account) {
        og_member_key(b, "pnlReturn");
        og_paper_pnl_write(client->paper, account, b, OG_PNL_STREAM);
    }
    og_buf_text(b, account && client->paper->switches.typed_envelope ? "}}" : "}");
    send_to_client(client);
    client->account = account;
    client->wants = WANTS_PNL;
}

static void handle_document(struct og_paper_client *client, const cJSON *doc)
{
    struct og_str key, secret;

    if (og_doc_str(doc, "key", &key) && og_doc_str(doc, "secret", &secret))
        handle_keys(client, key, secret);
    else if (!client->key)
        send_system(client, "INVALID_DATA", "send key and secret first");
    else if (client->stream == OG_STREAM_PORTFOLIO)
        subscribe_portfolio(client, doc);
    else
        subscribe_pnl(client, doc);
}

void og_paper_hub_receive(struct og_paper_client *client, struct og_str message)
{
    cJSON *doc = NULL;

    if (client->dropped)
        return;
    if (og_doc_read(message.s, message.len, "message", &doc, NULL) == OG_OK && cJSON_IsObject(doc))
        handle_document(client, doc);
    else
        send_system(client, "INVALID_DATA", "not a JSON object");
    cJSON_Delete(doc);
}
