/*
 * The runs of `ordergate send` on a ledger, watched by another process: which ones run, which ones have stopped, and
 * which ones are gone without having stopped, because they were killed or crashed (docs/contract.md "ordergate guard").
 * A run keeps a lock in the file <ledger>-runs for as long as its process lives, and notes its end there. So a run is
 * gone if the kernel has released its lock, and there is no such note.
 * Threads: a watch belongs to one thread at a time; og_senders_pulse() may be called from any thread.
 * Passing NULL where it is not allowed returns OG_EINVAL; a function that returns no status then does nothing and
 * returns an empty value (0, false, NULL or "").
 */
#ifndef ORDERGATE_RUNS_H
#define ORDERGATE_RUNS_H

#include <stdbool.h>
#include <stddef.h>

#include "ordergate/ledger.h"
#include "ordergate/status.h"

#ifdef __cplusplus
extern "C" {
#endif

struct og_run_watch;

/* Open a watch of the runs of a ledger; ledger NULL means the default ledger. Nothing is written to the ledger itself.
 * is_new: the caller has found no ledger there before, so all its runs began after that.
 *   OG_ENOENT   there is no ledger yet
 *   OG_ELEDGER  the file is not a ledger, or cannot be read, or <ledger>-runs cannot be written
 *   OG_ENOMEM   In all of these *runs is NULL. */
OG_API OG_MUST_USE enum og_status og_runs_open(const char *ledger, bool is_new, struct og_run_watch **runs,
                                               struct og_error *err);
OG_API void og_runs_close(struct og_run_watch *runs); /* NULL is allowed */

/* Become the one watch of the ledger that acts. Returns false while another process is that; the kernel releases its
 * lock when that process ends. */
OG_API bool og_runs_hold(struct og_run_watch *runs);

enum og_run_state {
    OG_RUN_RUNS = 0,
    OG_RUN_STOPPED, /* the run ended by itself; its exit code is known */
    OG_RUN_GONE     /* the process ended before the run did */
};
struct og_run_seen {
    const char *id;   /* of the run, valid during the call */
    long long number; /* of the run in the ledger; og_runs_settle() takes it */
    enum og_run_state state;
    int exit_code;
};
typedef void og_runs_listener(void *with, const struct og_run_seen *run);

/* Look at the runs. Each look reports every run that runs or is gone, and once each run that has stopped since the look
 * before. Reported as gone are runs that this watch, or one before it, saw running, and runs that began after this
 * watch was opened. A run with the option `recover` counts from its first order on.
 *   OG_ELEDGER  the ledger cannot be read, or is another file now: close this watch, and open one again */
OG_API OG_MUST_USE enum og_status og_runs_look(struct og_run_watch *runs, og_runs_listener *seen, void *with,
                                               struct og_error *err);

/* Print a line {"op":"cancel","clientOrderId","accountId"} for each order of the run that is not known to have ended,
 * for `ordergate send`.  *unknown: how many of them have an outcome that nobody knows; may be NULL. */
OG_API OG_MUST_USE enum og_status og_runs_orders(struct og_run_watch *runs, const char *run, og_ledger_listener *line,
                                                 void *with, int *unknown, struct og_error *err);

/* Note that what was to be done for a run that is gone was done: no watch reports it again. */
OG_API void og_runs_settle(struct og_run_watch *runs, long long number);

/* A sign of life of one sender of this user. */
struct og_sender_pulse {
    long pid;     /* from the kernel; 0 if the sender has no process id here */
    bool turns;   /* the sender's loop answered; false: it is suspended or blocked, or too old to be asked */
    char run[64]; /* "" unless it answered */
};
typedef void og_pulse_listener(void *with, const struct og_sender_pulse *pulse);
/* Ask every running sender of this user, on whatever ledger, and report each once.
 *   OG_EIO     the kernel's list of sockets cannot be read
 *   OG_ENOMEM */
OG_API OG_MUST_USE enum og_status og_senders_pulse(int wait_ms, og_pulse_listener *pulse, void *with,
                                                   struct og_error *err);

#ifdef __cplusplus
}
#endif
#endif
