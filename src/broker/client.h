/*
 * The synchronous client inside: a loop of its own, one call at a time, and the memory of an answer.
 */
#ifndef OG_BROKER_CLIENT_H
#define OG_BROKER_CLIENT_H

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
    char *checked_account; /* the account last found to be of the environment named; NULL: none */
};

/* og_client_open() with settings that were read before: no file is read, and no environment, which may have forgotten
 * the secret since.  They are copied. */
enum og_status og_client_open_as(const struct og_client_options *options, const struct og_settings *settings,
                                 struct og_client **client, struct og_error *err);

/* What og_answer.memory is. */
struct og_answer_memory {
    struct og_arena arena;
    struct og_buf body;
    cJSON *doc; /* texts of rows lie in it */
};
struct og_answer_memory *og_answer_memory(struct og_answer *a); /* NULL: out of memory */

/* A call's variables; account and other may be "" where the path has none, account NULL is the client's own. */
struct og_client_call {
    enum og_endpoint call;
    const char *account, *other, *query;
    enum og_http_body kind;
    const struct og_buf *body; /* NULL: none */
};

/* Ask, and wait for the end; answer is made anew.  OG_OK: 200, and its body lies in the answer. */
enum og_status og_client_ask(struct og_client *c, const struct og_client_call *call, struct og_answer *a,
                             struct og_error *err);
/* The same, with its document read. */
enum og_status og_client_read(struct og_client *c, const struct og_client_call *call, struct og_answer *a,
                              const cJSON **doc, struct og_error *err);
/* The answer was 200, and not the document it should be. */
enum og_status og_client_unreadable(enum og_endpoint call, struct og_answer *a, struct og_error *err,
                                    const char *format, ...) __attribute__((format(printf, 4, 5)));

/* account, or the client's own. */
enum og_status og_client_default_account(struct og_client *c, const char **account, struct og_error *err);
/* What changes something may go to this account: it is of the environment that the settings name.  strict: one that is
 * not Paper must have been named. */
enum og_status og_client_check_environment(struct og_client *c, const char *account, bool strict, struct og_error *err);

/* Run the loop for that long; stoppable: or until og_client_stop(). */
void og_client_run_for(struct og_client *c, int64_t ns, bool stoppable);

#endif
