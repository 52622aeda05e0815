/*
 * What the file <ledger>-runs says of each run's end. A run marks that it is open once it may send orders, and its exit
 * code when it ends; a watch (ordergate/runs.h) marks that it has seen the run, and that it has settled what the run
 * left when it was gone. Run and watch have a byte each, so that neither overwrites what the other says.
 * The marks are not synced: after a crash of the machine a run may look gone that had stopped, never the reverse.
 */
#pragma once

#include <stdbool.h>
#include <stdint.h>

enum og_run_mark { OG_MARK_NONE = 0, OG_MARK_OPEN = 'r', OG_MARK_CODE = '0' /* and the codes from 1 on */ };
enum og_watch_mark { OG_WATCH_NONE = 0, OG_WATCH_SEEN = 'w', OG_WATCH_SETTLED = 'g' };

struct og_run_marks {
    char run, watch;
};

/* fd: of <ledger>-runs (og_ledger_runs_open()), n: the run's number there. A mark that cannot be written is lost. */
void og_ledger_mark_run(int fd, int64_t n, char mark);
void og_ledger_mark_watch(int fd, int64_t n, enum og_watch_mark mark);
/* Read the marks of a run; they are zeroed if there are none. */
void og_ledger_read_marks(int fd, int64_t n, struct og_run_marks *to);

/* Take the lock of the one watch that acts. Returns false if another process has it. */
bool og_ledger_watch_hold(int fd);
