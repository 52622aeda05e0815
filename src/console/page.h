/*
 * The status as a page.
 */
#pragma once

#include "console/view.h"

extern const char og_console_script[], og_console_style[];

/* Write the page, with the state as it is now. */
void og_console_page(const struct og_console_view *v, struct og_buf *b);
/* Write the state as a server-sent event, by which an open page replaces what it shows. */
void og_console_event(const struct og_console_view *v, struct og_buf *b);
