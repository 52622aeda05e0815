/*
 * The status as an HTML page.
 */
#pragma once

#include "console/view.h"

extern const char og_console_script[];

/* Write what comes before and after the content of a page. title: text of the program. live: the page is kept up to
 * date by the script, or without it read again. */
void og_console_page_begin(struct og_buf *b, const char *title, bool live);
void og_console_page_end(struct og_buf *b);
/* Write the page with the present state. */
void og_console_page(const struct og_console_view *v, struct og_buf *b);
/* Write the state as a server-sent event; an open page then shows this state instead. */
void og_console_event(const struct og_console_view *v, struct og_buf *b);
