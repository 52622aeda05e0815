/*
 * ordergate check in three rooms: cmd_check.c reads the command line and has the files read, check_hand.c deals with
 * the lines, check_ahead.c has memory ready for them.
 */
#ifndef OG_TOOLS_CHECK_H
#define OG_TOOLS_CHECK_H

#include "tools/common/crew.h"
#include "tools/common/out.h"
#include "tools/common/reload.h"

#include <sys/stat.h>

enum emit { EMIT_DECISIONS, EMIT_ORDERS, EMIT_BODIES };

#define CHECK_LIST_MOST 64

struct hand;
struct ahead;

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
    bool orders_only; /* facts and quotes in the input are refused */

    struct reload reload;
    struct og_book *book;
    struct out out, rejects;
    struct hand *hand[CREW_MOST];
    int hands;
    struct ahead *ahead; /* NULL: not begun */
    bool alone;          /* nor will it */
    const char *file;    /* named: decisions carry it */
    bool io_failed, facts_failed;
    atomic_bool no_memory;
    long long orders, refusals; /* for the words at the end */
};

/* Read a facts file; false with words on stderr. */
bool check_read_facts(struct check *c, struct facts_file *f);
/* As many hands as there are to be; false: out of memory. */
bool check_take_on(struct check *c);
void check_free_hand(struct hand *h);
/* What a crew does with a batch; own is a struct hand. */
void check_batch(struct crew *crew, struct crew_batch *b, void *own);
/* After a batch that was decided in sequence: have memory ready for the next ones, on another processor. */
void check_look_ahead(struct check *c);
void check_look_no_more(struct check *c);

#endif
