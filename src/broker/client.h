/*
 * Internals of the synchronous client: it has an event loop of its own and makes one call at a time.
 */
#pragma once

#include "base/arena.h"
#include "broker/broker.h"
#include "ordergate/broker.h"
#include "text/doc.h"

struct og_client {
    uv_loop_t loop;
    struct og_settings settings;
    uv_async_t stop;
    bool stop_made, stopped;
    struct og_broker *broker;
    int64_t wait_ns;
    bool urgent, unchecked;
    char *account;         /* NULL: not known yet */
    char *checked_account; /* the account last found to belong to the configured environment; NULL: none */
};

/* Open a client as og_client_open() does, with settings that were read before, which are copied.  Neither a file nor
 * the environment is read, since the secret may have been removed from the environment. */
enum og_status og_client_open_as(const struct og_client_options *options, const struct og_settings *settings,
                                 struct og_client **client, struct og_error *err);

/* The memory behind og_answer.memory. */
struct og_answer_memory {
    struct og_arena arena;
    struct og_buf body;
    cJSON *doc; /* the document that the texts of rows point into */
};
struct og_answer_memory *og_answer_memory(struct og_answer *a); /* returns NULL if out of memory */

/* One call.  account and other are "" if the path has none; account NULL: the client's own. */
struct og_client_call {
    enum og_endpoint call;
    const char *account, *other, *query;
    enum og_http_body kind;
    const struct og_buf *body; /* NULL: none */
};

/* Make a call and wait for its end; *a is replaced.  OG_OK: the answer was 200, and its body is in *a. */
enum og_status og_client_ask(struct og_client *c, const struct og_client_call *call, struct og_answer *a,
                             struct og_error *err);
/* Make a call as og_client_ask() does, and parse the answer's document, which *doc borrows from *a. */
enum og_status og_client_read(struct og_client *c, const struct og_client_call *call, struct og_answer *a,
                              const cJSON **doc, struct og_error *err);
/* Handle an answer 200 whose document is not as expected: sets a->kind and a->text, and returns the status. */
enum og_status og_client_unreadable(enum og_endpoint call, struct og_answer *a, struct og_error *err,
                                    const char *format, ...) __attribute__((format(printf, 4, 5)));

/* Set *account to the client's own if it is NULL. */
enum og_status og_client_default_account(struct og_client *c, const char **account, struct og_error *err);
/* Check that calls with side effects may go to this account: it must belong to the environment that the settings name.
 * strict: an environment other than Paper must be named in the settings. */
enum og_status og_client_check_environment(struct og_client *c, const char *account, bool strict, struct og_error *err);

/* Run the loop for ns nanoseconds; stoppable: og_client_stop() ends it earlier. */
void og_client_run_for(struct og_client *c, int64_t ns, bool stoppable);
