/*
 * The sentry: a thread beside the sender's loop.
 *
 * It watches the halt flags even while the loop is blocked, answers `ordergate halt`, and cancels in place of the loop
 * if the loop is blocked for longer than the dead man's switch allows. It confirms that a halt is obeyed only when
 * every order that passed the gate before the halt has been sent. All functions except new and free are called by the
 * loop's thread.
 */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "ordergate/halt.h"

struct og_sentry;

/* Called in the sentry's thread, once for each time that the loop is blocked: no line or heartbeat was read for
 * silent_ms, and the loop began no new iteration for stood_ms although the process ran. Unread input counts as a
 * heartbeat until the loop has been blocked for silent_ms. */
typedef void og_sentry_stuck(void *with, int64_t stood_ms);

/* Called in the sentry's thread: have the loop make a snapshot and pass it to og_sentry_tell(). */
typedef void og_sentry_ask(void *with);

struct og_sentry_options {
    bool is_told;      /* make this process known to `ordergate halt`; false in a dry run, which sends nothing */
    int64_t silent_ms; /* how long the loop may read nothing, in ms, before `stuck` is called; 0 if it is never
                        * called */
    int64_t stuck_ms;  /* a loop that begins no new iteration for this long is stuck */
    og_sentry_stuck *stuck;
    og_sentry_ask *snapshot; /* NULL if the sender gives no snapshots */
    void *with;
};

/* Start the sentry. If there is no directory for state, the sender counts as halted until it ends, and og_sentry_look()
 * sets err to the reason.
 *   OG_ENOMEM  *sentry is NULL
 *   OG_EIO     no thread can be started; *sentry is NULL */
enum og_status og_sentry_new(const struct og_sentry_options *options, struct og_sentry **sentry, struct og_error *err);
/* Ends the thread; NULL is allowed. */
void og_sentry_free(struct og_sentry *sentry);

/* What the strictest flag says. */
struct og_sentry_seen {
    struct og_halt halt;
    const char *flag; /* path of that flag, valid as long as the sentry; NULL if `ordergate halt` sent the halt to this
                            * process, or no flag halts */
    struct og_error fault; /* .status is not OG_OK if the flag cannot be read */
};
/* Check the flags now, as og_halt_watch_look() does, and the halt that `ordergate halt` has sent to this process.
 * *missed: a halt that only the sentry's thread has seen since the last call that asked for it, and that may be over;
 * its trading is OG_TRADING_ON if there was none. Both may be NULL. */
enum og_trading og_sentry_look(struct og_sentry *sentry, struct og_sentry_seen *seen, struct og_sentry_seen *missed);
/* Check the flags for an order that is about to leave. If may_go(order, the result) is true, the order counts as
 * leaving until the loop's next iteration. */
enum og_trading og_sentry_look_leaving(struct og_sentry *sentry, bool (*may_go)(const void *order, enum og_trading),
                                       const void *order, struct og_sentry_seen *seen, struct og_sentry_seen *missed);
/* Set seen_at[h], for each halt h of enum og_trading, to the og_time_up() at which a halt at least as strict as h was
 * last seen, even if that halt is over; 0 if none was seen since the last call. Returns false if no halt was seen at
 * all. */
bool og_sentry_halted(struct og_sentry *sentry, uint64_t seen_at[OG_TRADING_HALTED_ALL + 1]);
/* Call in each iteration of the loop. Requests that were allowed to leave in the previous iteration have then been
 * sent. */
void og_sentry_turned(struct og_sentry *sentry);
/* Note that a line or heartbeat was read at og_time_up() `at`, and that the next one comes from the descriptor fd (-1
 * if it comes from none). If at is 0, the dead man's switch is off from now on. */
void og_sentry_heard(struct og_sentry *sentry, uint64_t at, int fd);
/* Give the snapshot that options.snapshot asked for; the text is copied. It is sent to all who have asked by then. */
void og_sentry_tell(struct og_sentry *sentry, const char *json, size_t len);
/* Returns why `ordergate halt` cannot find this process; NULL if it can find it. */
const char *og_sentry_deaf(const struct og_sentry *sentry);
