/*
 * Orders on the page: the newest, the story of one, and what fills add up to. They are read from the ledger of the
 * sender when somebody asks.
 */
#pragma once

#include "console/view.h"
#include "ordergate/ledger.h"

/* The functions of the public library that read a ledger, which the linking program passes in. */
struct og_console_reads {
    enum og_status (*peek)(const char *path, struct og_ledger **ledger, struct og_error *err); /* og_ledger_peek() */
    void (*close)(struct og_ledger *ledger);                                                   /* og_ledger_close() */
    enum og_status (*list)(struct og_ledger *ledger, const struct og_ledger_filter *filter,
                           const struct og_ledger_look *look, og_ledger_listener *line, void *with,
                           struct og_error *err); /* og_ledger_list() */
    enum og_status (*story)(struct og_ledger *ledger, const char *account, const char *id,
                            const struct og_ledger_look *look, og_ledger_listener *line, void *with,
                            struct og_error *err); /* og_ledger_story() */
    enum og_status (*positions)(struct og_ledger *ledger, const char *account, og_ledger_listener *line, void *with,
                                struct og_error *err); /* og_ledger_positions() */
};

/* A page that was made before, and is used again for a while. */
struct og_console_kept {
    struct og_buf page;
    uint64_t until; /* og_time_up() until which it is used again; 0: there is none */
};

enum og_console_list { OG_CONSOLE_ORDERS = 0, OG_CONSOLE_POSITIONS, OG_CONSOLE_LISTS };

/* Write the page of a list. It is made anew at most once a second, and takes at most a tenth of the console's time:
 * what it costs depends on the ledger. */
void og_console_list(const struct og_console_view *v, const struct og_console_reads *reads, enum og_console_list which,
                     struct og_console_kept *kept, struct og_buf *b);
/* Write the page about one order. Returns the HTTP status: 404 if the ledger does not have it. */
int og_console_order(const struct og_console_view *v, const struct og_console_reads *reads, struct og_str id,
                     struct og_buf *b);
