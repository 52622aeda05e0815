/*
 * What the console shows: the status of one sender and of its ledger, as `ordergate status` reports it.
 */
#pragma once

#include "ordergate/desk.h"
#include "text/doc.h"

#define OG_CONSOLE_NEAR 80 /* percent of a limit, from which it is shown as nearly used up */

/* The type of og_desk_status(), which the linking program passes in. */
typedef enum og_status og_console_ask(const struct og_desk_options *options, og_desk_listener *line, void *with,
                                      bool *needs_somebody, struct og_error *err);

struct og_console_view {
    og_console_ask *ask;
    long sender;         /* process id of the sender that is shown */
    cJSON *doc;          /* the newest status document; NULL if none could be made */
    uint64_t looked_at;  /* og_time_up() when doc was made, or could not be made; 0 if that was not tried yet */
    struct og_error err; /* why doc is NULL */
    /* the newest document before doc in which the sender answered, its part, and when it was made; NULL: none yet */
    cJSON *last;
    const cJSON *last_snapshot;
    uint64_t last_at;
    int64_t number; /* number of attempts so far to get a status document */
    char done[400]; /* what the last form that was accepted did; "" if there was none */
    bool failed;    /* not all senders did what that form says */
    /* parts of doc; NULL if they are missing */
    const cJSON *snapshot, *ledger;
};

/* Get a new status document if the present one is older than a second: the sender then makes at most one snapshot a
 * second, however many clients ask and however often. Waits for the sender for up to OG_CONSOLE_WAIT_MS. */
void og_console_look(struct og_console_view *v);
/* Get a new status document with the next look, however old the present one is. */
void og_console_look_anew(struct og_console_view *v);
void og_console_view_clear(struct og_console_view *v);
bool og_console_flag(const cJSON *object, const char *key);

/* Write why the sender is not ready, one reason on each line; write nothing if it is ready. */
void og_console_faults(const struct og_console_view *v, struct og_buf *b);
