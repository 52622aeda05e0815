/*
 * The hours of the session, in Eastern time: when orders trade, and what opening and closing does to them.
 */
#ifndef OG_PAPER_HOURS_H
#define OG_PAPER_HOURS_H

#include <stdbool.h>
#include <stdint.h>

struct og_paper;

/* Monday to Friday but for the scenario's holidays; days since 1970-01-01. */
bool og_paper_hours_session_day(const struct og_paper *p, int64_t day);
/* 09:30:00.000 to 16:00:00.000, both included, on a session's day. */
bool og_paper_hours_regular(const struct og_paper *p, int64_t now);
/* 04:00 to 20:00. */
bool og_paper_hours_extended(const struct og_paper *p, int64_t now);
/* Set the timer for the next opening or close of the session.  false: out of memory. */
bool og_paper_hours_start(struct og_paper *p);
/* What opened and closed while the service was down. */
void og_paper_hours_catch_up(struct og_paper *p);

#endif
