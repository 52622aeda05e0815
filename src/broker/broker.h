/*
 * Calls to the broker over HTTP: request budgets shared by all processes of the user, waits after a 429, retries of
 * reads and cancels.  A POST is never repeated, except after a 429: such a POST is documented to have had no effect.
 */
#pragma once

#include "base/endpoints.h"
#include "broker/http.h"
#include "broker/settings.h"

struct og_broker;

/* How a call ended. */
enum og_call_end {
    OG_CALL_ANSWERED = 0, /* the answer is complete; `status` has its HTTP status */
    OG_CALL_UNSENT,       /* certainly no byte of the last attempt was sent; each attempt before the last got a 429 */
    OG_CALL_LOST          /* bytes may have been sent, and there is no complete answer */
};

struct og_call_reply {
    enum og_call_end end;
    int status;
    int attempts;                            /* number of requests that were sent, or may have been */
    const char *content_type, *body, *error; /* as for struct og_http_reply */
    size_t len;
    int64_t date_ns;
    uint64_t began_ns, ended_ns; /* og_time_up() at the beginning and at the end of the last attempt */
};
typedef void og_call_done(void *with, const struct og_call_reply *reply);

/* Make a broker. settings is not copied, and must outlive the broker. timeout_ms: the time-out of each request. */
enum og_status og_broker_new(uv_loop_t *loop, const struct og_settings *settings, long timeout_ms,
                             struct og_broker **broker, struct og_error *err);

/* Called directly before a request is sent, with the `with` of done.  Returns NULL, or why the request must not be
 * sent. */
typedef const char *og_call_before_send(void *with);

/* One call.  Strings are copied. */
struct og_broker_request {
    enum og_endpoint call;
    struct og_str account, other; /* the account in the path, and the path's other variable part; "" if the path has
                                   * none */
    struct og_str query;          /* the encoded query, such as "?limit=100"; "" if there is none */
    enum og_http_body kind;
    const char *body; /* the body; NULL if there is none */
    size_t len;
    /* how long to wait after 429s, and to repeat the call after failures. A call is repeated a few times; a cancel of
     * which no byte was written is repeated until the wait is over. 0 means that only one attempt is made */
    int64_t wait_ms;
    int busy_answers; /* number of 429s that earlier attempts got, if the caller repeats the call itself */
    bool once;        /* if a byte may have been sent, repeat the call only after a 429 */
    /* may stop the request, which then ends as UNSENT; NULL: always send */
    og_call_before_send *before_send;
    /* for emergencies: the call goes before other calls to the endpoint, and may use the part of the budget reserved
     * for urgent calls */
    bool urgent;
    /* the call goes after other calls to the endpoint, also those that come later; not together with `urgent` */
    bool last;
};

/* Queue a call.  done is called exactly once, never from inside this function.
 *   OG_ENOMEM  the call was not queued */
enum og_status og_broker_start(struct og_broker *broker, const struct og_broker_request *request, og_call_done *done,
                               void *with, struct og_error *err);

/* Take back a call that waits for the budget or after a 429: before this function returns, done is called with UNSENT
 * and `why`. with: the value that was passed to og_broker_start() for the call. Returns false if no such call waits; a
 * call that was only just queued does not wait yet. */
bool og_broker_take_back(struct og_broker *broker, enum og_endpoint call, const void *with, const char *why);

/* Queue a call as og_broker_start() does; it has a JSON body and no query, and is not urgent. */
enum og_status og_broker_call(struct og_broker *broker, enum og_endpoint call, struct og_str account,
                              struct og_str other, const char *body, size_t len, int64_t wait_ms, og_call_done *done,
                              void *with, struct og_error *err);

/* Returns after how many milliseconds another call to the endpoint could be sent; 0 means now. */
int64_t og_broker_wait(struct og_broker *broker, enum og_endpoint call);

/* Returns how many calls to the endpoint wait in the queue. */
int og_broker_queued(const struct og_broker *broker, enum og_endpoint call);

/* Returns why the newest request to the endpoint failed, if calls wait because of that failure, and not because of a
 * 429 or the budget; otherwise NULL. Valid until the next request to the endpoint ends. */
const char *og_broker_failure(struct og_broker *broker, enum og_endpoint call);

/* End all POSTs that wait for the budget or after a 429; they end as UNSENT, or with their 429. */
void og_broker_stop_posting(struct og_broker *broker);

/* Free the broker, like og_http_free(); done is not called for calls that have not ended. */
void og_broker_free(struct og_broker *broker);
