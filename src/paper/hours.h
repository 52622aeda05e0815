/*
 * Session hours in Eastern time: when orders trade, and what opens and closes do to orders and accounts.
 */
#pragma once

#include <stdbool.h>
#include <stdint.h>

struct og_paper;

/* Returns true from Monday to Friday, except on the scenario's holidays. day: days since 1970-01-01. */
bool og_paper_hours_session_day(const struct og_paper *p, int64_t day);
/* Returns true from 09:30:00.000 to 16:00:00.000, both included, on a session day. */
bool og_paper_hours_regular(const struct og_paper *p, int64_t now);
/* Returns true from 04:00 to 20:00 on a session day. */
bool og_paper_hours_extended(const struct og_paper *p, int64_t now);
/* Set the timer for the next open or close.  Returns false if out of memory. */
bool og_paper_hours_start(struct og_paper *p);
/* Process the opens and closes that occurred while the service was not running. */
void og_paper_hours_catch_up(struct og_paper *p);
