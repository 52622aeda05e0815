/*
 * What was asked of the service and what came of it: the newest of it in memory, with --control; all of it in a file,
 * with --request-log.
 */
#ifndef OG_PAPER_LOG_H
#define OG_PAPER_LOG_H

#include "ordergate/status.h"
#include "paper/http.h"

bool og_paper_log_init(struct og_paper *p);
/* Lines go to the end of that file, "-" is stdout.  OG_EIO: it cannot be opened. */
enum og_status og_paper_log_open(struct og_paper *p, const char *path, struct og_error *err);
void og_paper_log_free(struct og_paper *p);
void og_paper_log_add(struct og_paper *p, const struct og_paper_request *request, const struct og_paper_reply *reply,
                      bool effect);
/* The file alone: control calls, streams. */
void og_paper_log_line(struct og_paper *p, const struct og_paper_request *request, const struct og_paper_reply *reply,
                       bool effect);
/* {"requests":[...]}: those numbered above since. */
void og_paper_log_write(struct og_paper *p, int64_t since, struct og_buf *b);

#endif
