/*
 * ordergate check: cmd_check.c reads the command line and runs the pool over the files, check_worker.c decides lines,
 * check_basket.c decides baskets, check_show.c shows decisions as a table, check_summary.c prints on stderr what the
 * output does not show, check_prefault.c prepares memory.
 */
#pragma once

#include <sys/stat.h>

#include "tools/common/out.h"
#include "tools/common/reload.h"
#include "tools/common/worker_pool.h"

enum emit { EMIT_DECISIONS, EMIT_ORDERS, EMIT_LINES, EMIT_BODIES };
enum assume { ASSUME_NOTHING = -1, ASSUME_FILLED };

struct basket_room;
struct check_worker;
struct prefault;

/* A line with a basket that was decided. */
struct check_basket {
    size_t orders;            /* number of decisions; 0 if the line is not a basket, or is not decided yet */
    bool accepted;            /* the basket is accepted, and its orders are in the output */
    struct text out, rejects; /* what is written for the basket to the output and to the file of --rejects */
};

/* How many orders were refused for one reason, and the first of these orders. */
struct refusal {
    char *reason, *message;
    const char *file; /* NULL: stdin */
    long long line, orders;
};

struct check {
    struct option_list policies, facts, keys;
    int format, colour;
    int need;                           /* how many of the keys must have signed the policy; 0 means all */
    struct stat seen[OPTION_LIST_MOST]; /* for each facts file: its status when it was read */
    const char *account, *tag, *rejects_path;
    enum emit emit;
    enum assume assume;
    int64_t at; /* the time of all decisions; OG_TIME_UNKNOWN means the time of the clock */
    bool independent, suggest, margin, ignore_halt;
    bool orders_only; /* refuse lines with facts and quotes */

    struct reload reload;
    struct og_book *book;
    struct out out, rejects;
    struct og_show *show; /* shows the decisions; NULL if they are written as JSON */
    struct check_worker *worker[WORKERS_MOST];
    int workers;
    struct prefault *prefault; /* NULL if not started */
    bool alone;                /* do not start the prefault thread */
    const char *file;          /* name of the input, for decisions; NULL: stdin */
    bool io_failed, facts_failed;
    long long undated_told; /* number of quotes that are not used since they have no time; only the first is reported */
    bool replaces_told;     /* the user was told that a replacement was decided as if the old order were canceled */
    bool heartbeat_told;    /* it was reported that heartbeats are left out of emitted orders */
    bool basket_told;       /* it was reported that an emitted basket is nothing for `send` */
    atomic_bool no_memory;
    long long orders, refusals; /* for the summary */
    long long bytes;            /* how much of the input was handled */
    struct refusal *refusal;    /* for each reason, in order of first occurrence: how many orders it refused, which are
                                 * therefore not in the output */
    size_t refusal_count;
    bool stale_told; /* it was reported, since facts were read last, that orders are refused because of stale facts */
};

/* Read the i-th facts file.  Returns false after a message on stderr. */
bool check_read_facts(struct check *c, size_t i);
/* Allocate the workers.  Returns false when out of memory. */
bool check_workers_start(struct check *c);
void check_worker_free(struct check_worker *h);
/* Decide a line whose op is basket, and keep its output in *b.  *room: the thread's memory for baskets, NULL before the
 * first.  Returns false when out of memory. */
bool check_basket(struct check *c, struct basket_room **room, struct check_basket *b, const char *text, size_t len,
                  long long line, int64_t now);
void check_basket_clear(struct check_basket *b);
void check_baskets_free(struct basket_room *room); /* NULL is allowed */
/* Handle one batch; this is the pool's handle().  own: a struct check_worker. */
void check_batch(struct worker_pool *pool, struct worker_batch *b, void *own);
/* With --emit: count a refused order by its reasons.  The first order that is refused because of stale facts is
 * reported at once.  Any thread may call it. */
void check_count_refusal(struct check *c, const struct og_decision *d, long long line);
/* With --emit, at the end: print how many orders were refused, and the most frequent reason. */
void check_tell_refusals(const struct check *c);
void check_free_refusals(struct check *c);
/* With --format table or csv: the view through which all decisions go.  check_show_begin() returns -1, or the exit
 * code. */
int check_show_begin(struct check *c);
/* Add the decisions of a line; print what was added; print the counts.  The first two return false if out of memory, or
 * after a message if the output cannot be written. */
bool check_show(struct check *c, const char *decisions, size_t len, const char *line, size_t line_len);
bool check_show_put(struct check *c);
void check_show_end(struct check *c);
/* Call after each batch: if orders are decided in sequence, a second thread then prepares memory for the next
 * batches. */
void check_prefault_more(struct check *c);
void check_prefault_stop(struct check *c);
