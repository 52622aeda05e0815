/*
 * ordergate check: cmd_check.c reads the command line and runs the pool over the files, check_worker.c decides lines,
 * check_prefault.c prepares memory for them.
 */
#ifndef OG_TOOLS_CHECK_H
#define OG_TOOLS_CHECK_H

#include "tools/common/worker_pool.h"
#include "tools/common/out.h"
#include "tools/common/reload.h"

#include <sys/stat.h>

enum emit { EMIT_DECISIONS, EMIT_ORDERS, EMIT_BODIES };

#define CHECK_LIST_MOST 64

struct check_worker;
struct prefault;

struct facts_file {
    const char *path;
    struct stat seen;
};

struct check {
    const char *policy[CHECK_LIST_MOST];
    struct facts_file facts[CHECK_LIST_MOST];
    size_t policies, facts_files;
    const char *account, *rejects_path;
    struct demands demands;
    enum emit emit;
    int64_t at; /* OG_TIME_UNKNOWN: the clock */
    bool independent, assume_filled, suggest, margin, ignore_halt;
    bool orders_only; /* lines of facts and quotes are refused */

    struct reload reload;
    struct og_book *book;
    struct out out, rejects;
    struct check_worker *worker[WORKERS_MOST];
    int workers;
    struct prefault *prefault; /* NULL: not started */
    bool alone;                /* the prefault thread must not be started */
    const char *file;          /* name of the input for decisions; NULL: stdin */
    bool io_failed, facts_failed;
    atomic_bool no_memory;
    long long orders, refusals; /* for the summary */
};

/* Read a facts file.  Returns false after a message on stderr. */
bool check_read_facts(struct check *c, struct facts_file *f);
/* Allocate the workers.  Returns false when out of memory. */
bool check_workers_start(struct check *c);
void check_worker_free(struct check_worker *h);
/* The pool's handle(); own is a struct check_worker. */
void check_batch(struct worker_pool *pool, struct worker_batch *b, void *own);
/* After a batch that was decided in sequence: let the other thread prepare memory for the next ones. */
void check_prefault_more(struct check *c);
void check_prefault_stop(struct check *c);

#endif
