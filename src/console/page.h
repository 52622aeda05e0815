/*
 * The status as an HTML page.
 */
#pragma once

#include "console/view.h"

extern const char og_console_script[];

/* Write the page with the present state. */
void og_console_page(const struct og_console_view *v, struct og_buf *b);
/* Write the state as a server-sent event; an open page then shows this state instead. */
void og_console_event(const struct og_console_view *v, struct og_buf *b);
