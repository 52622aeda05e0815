/*
 * An HTTP and stream server for programs: what a program passes to it, and what it passes to the program for each
 * request. The server reads bytes, answers requests that it cannot read, and enforces limits and time-outs; the program
 * decides about all other answers.
 */
#pragma once

#include "base/buf.h"
#include "serve/head.h"

/* A complete request; its texts are valid during the call. */
struct og_serve_request {
    const struct og_serve_head *head;
    struct og_str body;
};

/* What happens to an answer: it is sent, or a fault of the network is simulated. */
enum og_serve_fate {
    OG_SERVE_SEND,
    OG_SERVE_DROP,     /* close the connection instead */
    OG_SERVE_HANG,     /* send nothing, and keep the connection open */
    OG_SERVE_RESET,    /* reset the connection instead */
    OG_SERVE_TRUNCATE, /* send half of the answer, then close */
    OG_SERVE_DELAY     /* send the answer delay_ns later */
};

struct og_serve_reply {
    int status;
    struct og_buf *fields; /* the program's header fields, each ended by CRLF; empty at the start */
    struct og_buf *body;   /* empty at the start */
    bool no_body;          /* send Content-Length 0 and no body, whatever `body` contains */
    bool streams; /* after this head the connection becomes a stream without frames: join() is called, the texts of
                   * next() are sent unchanged, and the connection ends with the stream */
    enum og_serve_fate fate;
    int64_t delay_ns;
};

/* The next frame of a stream. There are OG_WS_FRAME_HEADER_MOST bytes of room before text. */
struct og_serve_frame {
    unsigned char *text;
    size_t len;
    void *owner; /* for the program's own use in app.sent */
};

struct og_serve_conn;

/* The program's callbacks. All are called by the thread that called og_serve_run(). */
struct og_serve_app {
    /* Answer a request.  Returns false if the service failed and must stop. */
    bool (*answer)(void *with, const struct og_serve_request *request, struct og_serve_reply *reply);
    /* Complete an answer that the server makes itself: add the program's header fields, and change the body if wanted.
     * Status and body are set already, and the connection is closed after the answer. */
    void (*refuse)(void *with, const struct og_serve_request *request, struct og_serve_reply *reply);

    /* The callbacks for streams; all are NULL if the program has no streams. opens may be NULL alone, if all streams
     * are without frames. opens: returns true if this valid WebSocket request is for a stream of the program; if not,
     * it is answered like any other request. */
    bool (*opens)(void *with, const struct og_serve_request *request);
    /* Called when the stream is open. Returns the `client` for the callbacks below; NULL if memory ran out. */
    void *(*join)(void *with, const struct og_serve_request *request, struct og_serve_conn *conn);
    void (*receive)(void *client, struct og_str message);
    /* Called when the client has broken the protocol, or closes: send the frames that are queued, then a close frame
     * with this code. */
    void (*end)(void *client, int code);
    void (*leave)(void *with, void *client); /* the connection is closed */
    bool (*next)(void *client, struct og_serve_frame *frame);
    void (*sent)(const struct og_serve_frame *frame);

    /* Do what is due. Returns after how many microseconds tick is to be called again; negative if no further call is
     * due. */
    int64_t (*tick)(void *with);
    bool (*failed)(void *with);   /* returns true if the service has failed, and answers nothing any more */
    void (*stopping)(void *with); /* the service stops: end every stream */
};

struct og_serve_options {
    const char *host; /* an address of this machine, on which to listen */
    int port;         /* 0 means any free port */
    int most_connections;
    /* when all connections are taken and another comes, close the one that has asked for the longest time nothing that
     * could be answered, rather than the new one; a stream and a delayed answer are never closed so */
    bool evicts;
    const char *cert, *key; /* PEM files for TLS; NULL: no TLS */
    struct og_serve_reading reading;
    size_t body_most;      /* longer bodies are answered with 413 */
    const char *too_large; /* the text of the answer 413 */
    int idle_s;            /* how long a connection may be kept without a request */
    /* how long a stream without frames waits for a client that does not read, in seconds; 0: for ever */
    int stalled_s;
};

/* Called once, when the port is open. If it returns a status other than OG_OK, og_serve_run() ends and returns that
 * status. */
typedef enum og_status og_serve_listening(void *with, int port, struct og_error *err);

/* Serve until SIGTERM or SIGINT. Only one call at a time is allowed in a process, since signals concern the whole
 * process.
 *   OG_OK   stopped by a signal
 *   OG_EIO  the address or the certificate cannot be used, or the service failed
 *   OG_ENOMEM */
enum og_status og_serve_run(const struct og_serve_app *app, void *with, const struct og_serve_options *options,
                            og_serve_listening *listening, struct og_error *err);

/* Call when a frame is queued for this stream: next() is called once the socket is writable. */
void og_serve_wake(struct og_serve_conn *conn);
/* Close the connection of a stream. If code is 0, it is closed at once; otherwise with that code, once next() has no
 * more frames. */
void og_serve_drop(struct og_serve_conn *conn, int code);
