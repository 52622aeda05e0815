/*
 * HTTP requests on the event loop: libcurl's multi interface driven by libuv. Redirects are not followed, no body is
 * sent twice, unverified TLS is not accepted, HTTP/2 is not used, and no proxy is used for loopback.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <uv.h>

#include "broker/settings.h"
#include "ordergate/status.h"

struct og_http;

/* How a request ended.  Texts are valid during the callback; the secret is masked in them (base/mask.h). */
struct og_http_reply {
    long status;              /* HTTP status; 0 if no status line was received */
    bool wrote;               /* true if a byte of the request may have been sent; false if certainly none was */
    bool whole;               /* status, headers and body were received completely */
    const char *content_type; /* "" if there is none */
    const char *body;         /* NUL-terminated */
    size_t len;
    const char *error; /* what went wrong, in lower case; "" if `whole` is true */
    int64_t date_ns;   /* the answer's header Date; OG_TIME_UNKNOWN if there is none */
    uint64_t began_ns; /* og_time_up() when the request was passed to libcurl */
};
typedef void og_http_done(void *with, const struct og_http_reply *reply);

/* Called when a connection is established and the first byte is about to be sent; `with` is the same as for done.
 * Returns NULL if the request may be sent, otherwise the reason, which becomes the reply's error. */
typedef const char *og_http_before_send(void *with);

/* Make *http. settings is not copied, and must outlive *http. timeout_ms: the time-out of each request. Returns OG_OK,
 * OG_ENOMEM or OG_ENET. */
enum og_status og_http_new(uv_loop_t *loop, const struct og_settings *settings, long timeout_ms, struct og_http **http,
                           struct og_error *err);

/* Separates the parts of a form body. */
#define OG_HTTP_BOUNDARY "ordergate-form"

enum og_http_body { OG_HTTP_JSON = 0, OG_HTTP_FORM };

/* Start a request.  done is called exactly once, never from inside this function.  The body is copied (NULL if there is
 * none).  A request with a body is sent at most once, whatever happens to its connection.
 *   OG_ENOMEM, OG_ENET  not started; done will not be called */
enum og_status og_http_start(struct og_http *http, const char *method, const char *path, enum og_http_body kind,
                             const char *body, size_t len, og_http_before_send *before_send, og_http_done *done,
                             void *with, struct og_error *err);

/* Abandon all requests (done is not called) and close the loop's handles.  The memory is freed after the loop has run
 * the close callbacks.  NULL is allowed. */
void og_http_free(struct og_http *http);
