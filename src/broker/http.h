/*
 * HTTP requests on the event loop: libcurl's multi interface driven by libuv.  The only file that includes libcurl.
 * It refuses redirects, HTTP/2, proxies to loopback, unverified TLS, and sending a body twice.
 */
#ifndef OG_BROKER_HTTP_H
#define OG_BROKER_HTTP_H

#include "broker/settings.h"
#include "ordergate/status.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <uv.h>

struct og_http;

/* How a request ended.  Texts live during the callback; where they hold the secret, it is masked (base/mask.h). */
struct og_http_reply {
    long status;              /* 0: no status line came */
    bool wrote;               /* a byte of the request may have left; false is certain */
    bool whole;               /* status, headers and body came as announced */
    const char *content_type; /* "" when none */
    const char *body;         /* NUL-terminated */
    size_t len;
    const char *error; /* "" when whole; lower case */
    int64_t date_ns;   /* Date of the answer; OG_TIME_UNKNOWN when none */
    uint64_t began_ns; /* og_time_up() when it was given to libcurl */
};
typedef void og_http_done(void *with, const struct og_http_reply *reply);

/* Asked when a connection is there and the first byte is about to leave, with done's with: NULL, or why it must not,
 * which is then the reply's error. */
typedef const char *og_http_before_send(void *with);

/* settings are borrowed and must stay.  timeout_ms: of each request.  OG_ENOMEM, OG_ENET. */
enum og_status og_http_new(uv_loop_t *loop, const struct og_settings *settings, long timeout_ms, struct og_http **http,
                           struct og_error *err);

/* Of a body that is a form: its parts are separated by OG_HTTP_BOUNDARY. */
#define OG_HTTP_BOUNDARY "ordergate-form"

enum og_http_body { OG_HTTP_JSON = 0, OG_HTTP_FORM };

/* Start a request; done is called exactly once, never from inside this call.  body is copied (NULL: none); a request
 * with a body is put on the wire at most once, whatever happens to the connection.
 *   OG_ENOMEM, OG_ENET  it was not started and done will not be called */
enum og_status og_http_start(struct og_http *http, const char *method, const char *path, enum og_http_body kind,
                             const char *body, size_t len, og_http_before_send *before_send, og_http_done *done,
                             void *with, struct og_error *err);

/* Give up what is under way (done is not called) and close the loop's handles; the memory goes when the loop has run
 * the closings.  NULL is allowed. */
void og_http_free(struct og_http *http);

#endif
