/*
 * The marks of runs, and the lock of the watch that acts; see ledger/run_marks.h.
 */
#include "ledger/run_marks.h"

#include <string.h>
#include <unistd.h>

#include "ledger/inside.h"
#include "ledger/place.h"

/* where the marks begin: behind the note about the newest record, with room for a longer one */
#define MARKS_AT 4096
/* the byte that the acting watch locks; no run has this number */
#define WATCH_BYTE (INT64_C(1) << 62)

/* Returns true if there is such a run; SQLite numbers them from 1, and a caller's number may be any. */
static bool is_run(int64_t n)
{
    return n > 0 && n < WATCH_BYTE / 2;
}

static void mark(int fd, int64_t n, off_t which, char c)
{
    if (fd >= 0 && is_run(n))
        (void)!pwrite(fd, &c, 1, MARKS_AT + 2 * (off_t)n + which);
}

void og_ledger_mark_run(int fd, int64_t n, char c)
{
    mark(fd, n, 0, c);
}

void og_ledger_mark_watch(int fd, int64_t n, enum og_watch_mark c)
{
    mark(fd, n, 1, (char)c);
}

void og_ledger_read_marks(int fd, int64_t n, struct og_run_marks *to)
{
    _Static_assert(sizeof *to == 2, "the file has two bytes for a run");
    memset(to, 0, sizeof *to);
    if (is_run(n))
        (void)!pread(fd, to, sizeof *to, MARKS_AT + 2 * (off_t)n); /* the file may end behind the first byte */
}

bool og_ledger_watch_hold(int fd)
{
    return og_ledger_run_hold(fd, WATCH_BYTE);
}

void og_ledger_run_opens(struct og_ledger *l)
{
    if (!l->marked)
        og_ledger_mark_run(l->runs, l->n, OG_MARK_OPEN);
    l->marked = true;
}

void og_ledger_run_ends(struct og_ledger *l, int exit_code)
{
    if (l->marked)
        og_ledger_mark_run(l->runs, l->n, (char)(OG_MARK_CODE + exit_code));
}
