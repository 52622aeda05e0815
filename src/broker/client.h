/*
 * Internals of the synchronous client, which makes one call at a time on its own event loop.
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
    char *account; /* the client's own account; NULL if it is not known yet */
    /* the last account that was found to belong to the configured environment; NULL if there is none yet */
    char *checked_account;
};

/* Open a client as og_client_open() does, with a copy of settings that were read before.  No file and no environment
 * variable is read, since the secret may no longer be in the environment. */
enum og_status og_client_open_as(const struct og_client_options *options, const struct og_settings *settings,
                                 struct og_client **client, struct og_error *err);

/* The memory behind og_answer.memory. */
struct og_answer_memory {
    struct og_arena arena;
    struct og_buf body;
    cJSON *doc; /* the document that owns the texts of the rows */
};
struct og_answer_memory *og_answer_memory(struct og_answer *a); /* returns NULL if out of memory */
/* Make the document that was written into the answer's memory->body its answer, as if the service had sent it.
 * asked_at: of the oldest request on which it rests. Returns OG_OK or OG_ENOMEM. */
enum og_status og_answer_made(struct og_answer *a, int64_t asked_at, struct og_error *err);

/* One call.  account, other: "" if the path has none; account NULL means the client's own account. */
struct og_client_call {
    enum og_endpoint call;
    const char *account, *other, *query;
    enum og_http_body kind;
    const struct og_buf *body; /* the body; NULL if there is none */
};

/* Make a call and wait for its end; the answer replaces *a.  OG_OK: the status was 200, and the body is in *a. */
enum og_status og_client_ask(struct og_client *c, const struct og_client_call *call, struct og_answer *a,
                             struct og_error *err);
/* Make a call as og_client_ask() does, and parse the document in the answer; *doc belongs to *a. */
enum og_status og_client_read(struct og_client *c, const struct og_client_call *call, struct og_answer *a,
                              const cJSON **doc, struct og_error *err);
/* Call for an answer 200 whose document is not as expected. Sets a->kind and a->text, and returns the status that the
 * caller is to return. */
enum og_status og_client_unreadable(enum og_endpoint call, struct og_answer *a, struct og_error *err,
                                    const char *format, ...) __attribute__((format(printf, 4, 5)));

/* If *account is NULL, set it to the client's own account. */
enum og_status og_client_default_account(struct og_client *c, const char **account, struct og_error *err);
/* Check that calls with side effects may be made for this account: the account must belong to the environment in the
 * settings. strict: if the account's environment is not Paper, the settings must name it. */
enum og_status og_client_check_environment(struct og_client *c, const char *account, bool strict, struct og_error *err);

/* Run the loop for ns nanoseconds; if stoppable is true, og_client_stop() can end this earlier. */
void og_client_run_for(struct og_client *c, int64_t ns, bool stoppable);

/* Returns true if both texts are given, not empty, and equal. */
static inline bool og_same_word(const char *a, const char *b)
{
    return a && b && a[0] != '\0' && strcmp(a, b) == 0;
}
