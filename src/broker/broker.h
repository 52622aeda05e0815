/*
 * Calls to the broker: budgets shared by all processes of the user, waits after a 429, retries of reads and cancels.
 * It refuses to repeat a POST, except after a 429, which had no effect by contract.
 */
#ifndef OG_BROKER_BROKER_H
#define OG_BROKER_BROKER_H

#include "broker/endpoints.h"
#include "broker/http.h"
#include "broker/settings.h"

struct og_broker;

/* How a call ended. */
enum og_call_end {
    OG_CALL_ANSWERED = 0, /* a whole answer: status says which */
    OG_CALL_UNSENT,       /* surely no byte of it left (of its last attempt; those before got a 429) */
    OG_CALL_LOST          /* bytes may have left and no whole answer came */
};

struct og_call_reply {
    enum og_call_end end;
    int status;
    int attempts;                            /* requests that reached the wire, or may have */
    const char *content_type, *body, *error; /* as in struct og_http_reply */
    size_t len;
    int64_t date_ns;
    uint64_t began_ns, ended_ns; /* og_time_up() of the last attempt */
};
typedef void og_call_done(void *with, const struct og_call_reply *reply);

/* settings are borrowed and must stay.  timeout_ms: for one request. */
enum og_status og_broker_new(uv_loop_t *loop, const struct og_settings *settings, long timeout_ms,
                             struct og_broker **broker, struct og_error *err);

/* Asked right before a request leaves: NULL, or why it must not; with is that of done. */
typedef const char *og_call_before_send(void *with);

/* One call.  Strings are copied. */
struct og_broker_request {
    enum og_endpoint call;
    struct og_str account, other; /* the variables of its path; "" where it has none */
    struct og_str query;          /* "?limit=100", encoded; "" when none */
    enum og_http_body kind;
    const char *body; /* NULL: none */
    size_t len;
    int64_t wait_ms; /* how long 429s may be waited out, and repeatable calls tried again after a failure */
    bool once;       /* never repeated once a byte of it may have left, but for a 429 */
    og_call_before_send *before_send; /* NULL: it may always leave; one that may not ends as UNSENT */
    bool urgent; /* goes before the others of its kind, and may spend what cancels are kept; for emergencies */
};

/* Queue a call; done comes exactly once, never from inside.
 *   OG_ENOMEM  not queued */
enum og_status og_broker_start(struct og_broker *broker, const struct og_broker_request *request, og_call_done *done,
                               void *with, struct og_error *err);

/* The same without query and urgency; a body is JSON. */
enum og_status og_broker_call(struct og_broker *broker, enum og_endpoint call, struct og_str account,
                              struct og_str other, const char *body, size_t len, int64_t wait_ms, og_call_done *done,
                              void *with, struct og_error *err);

/* Milliseconds until another call of this kind would leave at once; 0: now. */
int64_t og_broker_wait(struct og_broker *broker, enum og_endpoint call);

/* POSTs that wait (for the budget, or after a 429) end at once: UNSENT, or with their 429. */
void og_broker_stop_posting(struct og_broker *broker);

/* Calls under way or queued. */
int og_broker_busy(const struct og_broker *broker);

/* As og_http_free(); done is not called for what is under way. */
void og_broker_free(struct og_broker *broker);

#endif
