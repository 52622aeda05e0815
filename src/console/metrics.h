/*
 * The status as metrics.
 */
#pragma once

#include "console/view.h"

/* Write them as Prometheus text (version 0.0.4), or as OpenMetrics text (version 1.0.0).  No label has a symbol, an
 * order or a text from outside: what grows with the day is counted, not named. */
void og_console_metrics(const struct og_console_view *v, bool open, struct og_buf *b);
