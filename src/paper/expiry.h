/*
 * What becomes of options at the close of their last day.
 */
#ifndef OG_PAPER_EXPIRY_H
#define OG_PAPER_EXPIRY_H

struct og_paper;

/* Every contract whose date has come: working orders on it are Expired, lots of it end. */
void og_paper_expiry_run(struct og_paper *p);

#endif
