/*
 * The status as metrics.
 */
#pragma once

#include "console/view.h"

/* Write the status as Prometheus text (version 0.0.4), or as OpenMetrics text (version 1.0.0) if `open` is true. No
 * label has a symbol, an order or a text from outside: things whose number grows during the day are counted, not
 * named. */
void og_console_metrics(const struct og_console_view *v, bool open, struct og_buf *b);
