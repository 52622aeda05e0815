/*
 * Serving HTTP and streams: what a program that serves gives to this station, and what it is given of each request.
 * The station reads bytes, answers what it cannot read, and keeps limits and time-outs; the program decides what is
 * answered.
 */
#pragma once

#include "base/buf.h"
#include "serve/head.h"

/* A request that was read wholly; its texts are valid during the call. */
struct og_serve_request {
    const struct og_serve_head *head;
    struct og_str body;
};

/* What becomes of an answer: it is sent, or one of the faults of a network that a simulated service makes. */
enum og_serve_fate {
    OG_SERVE_SEND,
    OG_SERVE_DROP,     /* close the connection instead */
    OG_SERVE_HANG,     /* send nothing, and keep the connection open */
    OG_SERVE_RESET,    /* reset the connection instead */
    OG_SERVE_TRUNCATE, /* send half of the answer, then close */
    OG_SERVE_DELAY     /* send it delay_ns later */
};

struct og_serve_reply {
    int status;
    struct og_buf *fields; /* the program's header fields, each ended by CRLF; empty at the start */
    struct og_buf *body;   /* empty at the start */
    bool no_body;          /* Content-Length is 0, whatever the body holds */
    bool streams;          /* after this head the connection is a stream without frames: join() is called, what next()
                            * gives is sent as it is, and the connection ends with the stream */
    enum og_serve_fate fate;
    int64_t delay_ns;
};

/* The next frame of a stream.  text has OG_WS_FRAME_HEADER_MOST bytes of room before it. */
struct og_serve_frame {
    unsigned char *text;
    size_t len;
    void *owner; /* for app.sent */
};

struct og_serve_conn;

/* What a program gives to the station.  All calls come from the thread that called og_serve_run(). */
struct og_serve_app {
    /* Answer a request.  Returns false if the service failed and must stop. */
    bool (*answer)(void *with, const struct og_serve_request *request, struct og_serve_reply *reply);
    /* Give the header fields, and what body the program wants, to an answer of the station: status and body are set,
     * and the connection is closed after it. */
    void (*refuse)(void *with, const struct og_serve_request *request, struct og_serve_reply *reply);

    /* Streams; all of them are NULL if the program has none, and opens also if it has none with frames.
     * opens: is this valid request for a WebSocket one for a stream of ours?  If not, it is answered as any other. */
    bool (*opens)(void *with, const struct og_serve_request *request);
    /* The stream is open.  Returns what the calls below get; NULL if out of memory. */
    void *(*join)(void *with, const struct og_serve_request *request, struct og_serve_conn *conn);
    void (*receive)(void *client, struct og_str message);
    /* The client broke the protocol, or closes: send what is queued, then a close frame with this code. */
    void (*end)(void *client, int code);
    void (*leave)(void *with, void *client); /* the connection is gone */
    bool (*next)(void *client, struct og_serve_frame *frame);
    void (*sent)(const struct og_serve_frame *frame);

    /* Do what is due.  Returns in how many microseconds more will be due; negative: nothing is. */
    int64_t (*tick)(void *with);
    bool (*failed)(void *with);   /* the service failed: it answers nothing any more */
    void (*stopping)(void *with); /* the service stops: end every stream */
};

struct og_serve_options {
    const char *host; /* an address of this machine */
    int port;         /* 0 means any free port */
    int most_connections;
    const char *cert, *key; /* PEM files for TLS; NULL: none */
    struct og_serve_reading reading;
    size_t body_most;      /* longer bodies are answered with 413 */
    const char *too_large; /* the text of that answer */
    int idle_s;            /* how long a connection may be kept without a request */
    /* how long a stream without frames waits for a client that does not read, in seconds; 0: for ever */
    int stalled_s;
};

/* Called once when the port is open. Any other value than OG_OK ends og_serve_run() with it. */
typedef enum og_status og_serve_listening(void *with, int port, struct og_error *err);

/* Serve until SIGTERM or SIGINT.  Call it at most once in a process at a time: the signals are the process's.
 *   OG_OK   stopped by a signal
 *   OG_EIO  the address or the certificate cannot be used, or the service failed
 *   OG_ENOMEM */
enum og_status og_serve_run(const struct og_serve_app *app, void *with, const struct og_serve_options *options,
                            og_serve_listening *listening, struct og_error *err);

/* A frame is queued for this stream: call next() when the socket takes it. */
void og_serve_wake(struct og_serve_conn *conn);
/* Close the connection of a stream: at once if code is 0, otherwise when next() has no more frames, with that code. */
void og_serve_drop(struct og_serve_conn *conn, int code);
