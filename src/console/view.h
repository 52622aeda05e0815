/*
 * What the console shows: the status of one sender and of its ledger, as `ordergate status` has it.
 */
#pragma once

#include "ordergate/desk.h"
#include "text/doc.h"

#define OG_CONSOLE_NEAR 80 /* percent of a limit that is near */

/* og_desk_status(): the program that links it gives it. */
typedef enum og_status og_console_ask(const struct og_desk_options *options, og_desk_listener *line, void *with,
                                      bool *needs_somebody, struct og_error *err);

struct og_console_view {
    og_console_ask *ask;
    long sender;         /* the process that is shown */
    cJSON *doc;          /* the newest status document; NULL: none could be made */
    uint64_t looked_at;  /* monotonic ns when it was made, or could not be; 0: never */
    struct og_error err; /* why doc is NULL */
    int64_t number;      /* how often it was looked */
    /* parts of doc; NULL where they are missing */
    const cJSON *snapshot, *ledger;
};

/* Look again, if the newest look is older than a second: the sender makes at most one snapshot a second, whoever asks
 * and however often.  It waits for the sender for as long as OG_CONSOLE_WAIT_MS. */
void og_console_look(struct og_console_view *v);
void og_console_view_clear(struct og_console_view *v);
bool og_console_flag(const cJSON *object, const char *key);

/* Write why the sender is not ready, a line each.  Nothing: it is. */
void og_console_faults(const struct og_console_view *v, struct og_buf *b);
