/*
 * What was asked of the service and what came of it, the newest of it; kept with --control only.
 */
#ifndef OG_PAPER_LOG_H
#define OG_PAPER_LOG_H

#include "paper/http.h"

bool og_paper_log_init(struct og_paper *p);
void og_paper_log_free(struct og_paper *p);
void og_paper_log_add(struct og_paper *p, const struct og_paper_request *request, const struct og_paper_reply *reply,
                      bool effect);
/* {"requests":[...]}: those numbered above since. */
void og_paper_log_write(struct og_paper *p, int64_t since, struct og_buf *b);

#endif
