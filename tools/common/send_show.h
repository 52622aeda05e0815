/*
 * ordergate send: events for people, or as CSV, on stdout; and, on a terminal, a last line that says what the sender
 * does now, which each event replaces.
 */
#pragma once

#include <stddef.h>

#include "ordergate/send.h"

/* Begin, if the format asks for it.  format, colour: indexes of the values of --format and --color.  *shown: whether
 * events are to be given to send_show_event().  Returns false if out of memory. */
bool send_show_begin(int format, int colour, bool *shown);
/* Set the sender of the events; NULL: none any more. */
void send_show_sender(struct og_sender *sender);
/* An og_event_listener.  Returns -1 with errno if the event cannot be written. */
int send_show_event(void *with, const char *event, size_t len);
/* Remove the last line, since something else is to be printed; nothing if there is none. */
void send_show_clear(void);
/* Print how many orders had which outcome, and end. */
void send_show_end(const char *program);
