/*
 * The request log: the newest requests and answers in memory (--control), all of them in a file (--request-log).
 */
#pragma once

#include "ordergate/status.h"
#include "paper/http.h"

bool og_paper_log_init(struct og_paper *p);
/* Append a line for each request to a file; "-" is stdout.  OG_EIO: the file cannot be opened. */
enum og_status og_paper_log_open(struct og_paper *p, const char *path, struct og_error *err);
void og_paper_log_free(struct og_paper *p);
void og_paper_log_add(struct og_paper *p, const struct og_paper_request *request, const struct og_paper_reply *reply,
                      bool effect);
/* Log a control call or a stream; this is written only to the file. */
void og_paper_log_line(struct og_paper *p, const struct og_paper_request *request, const struct og_paper_reply *reply,
                       bool effect);
/* Write {"requests":[...]} with the entries whose sequence number is above `since`. */
void og_paper_log_write(struct og_paper *p, int64_t since, struct og_buf *b);
