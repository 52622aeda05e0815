/*
 * The parts of ordergate guard.
 *   ordergate-guard.c  options, and the loop that looks at the runs
 *   guard_act.c        what is done for a run that is gone
 *   guard_pulse.c      a thread that asks the senders for signs of life
 */
#pragma once

#include <signal.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "ordergate/runs.h"

enum { GUARD_HALT_NONE = 0, GUARD_HALT_REDUCE_ONLY, GUARD_HALT_OPENS, GUARD_HALT_ALL };

struct guard_options {
    const char *ledger, *on_event;
    int halt; /* GUARD_HALT_... */
    bool cancel, kill, once;
    int64_t silent_ns;
    char **send_args;             /* options for ordergate send */
    const char *broker, *account; /* those among them */
    int send_count;
};

int64_t guard_now_ms(void); /* by a clock that stands still while the machine sleeps */
/* Write an event, with members by og_json()'s format after "event", "at" and "run" (left out if NULL), and run the
 * command of --on-event for it if it is of a kind that is told. */
void guard_tell(const char *event, const char *run, const char *format, ...) __attribute__((format(printf, 3, 4)));

/* --- guard_act.c -------------------------------------------------------------------------------------------------- */
/* Check, by a dry run, that ordergate send takes its options; no longer than a limit, and not when *stop is set.
 * Returns 0, or the exit code after messages. */
int guard_check(const struct guard_options *o, const volatile sig_atomic_t *stop);
/* Note that a run is gone, and tell, or that its sender gives no sign of life; each once. */
void guard_act_on(const struct guard_options *o, struct og_run_watch *runs, const struct og_run_seen *run);
void guard_act_on_silent(const struct guard_options *o, const struct og_run_seen *run);
/* Go on with what is to be done; never waits. Returns for how many runs something is left to be done. */
int guard_act(const struct guard_options *o, struct og_run_watch *runs);
int guard_acted(void); /* for how many runs that are gone all was done */

/* --- guard_pulse.c ------------------------------------------------------------------------------------------------ */
/* Start the thread. Returns false after a message. */
bool guard_pulse_begin(void);
/* Look at a run that has its lock: tell if its sender gives no sign of life for too long, or gives one again, and end
 * it if that is asked for. */
void guard_pulse_look(const struct guard_options *o, const struct og_run_seen *run);
void guard_pulse_forget(const char *run);
