/*
 * ordergate send --on-event: runs a command for events that somebody should know of, by a thread of its own, so that
 * neither the command nor its start holds up the sender.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>

/* Begin; nothing if command is NULL.  Call it before the sender is made.  Returns false after a message if no thread
 * can be started. */
bool send_alert_begin(const char *command);
/* Run the command for the event, if it is of a kind that is told; returns at once. */
void send_alert_event(const char *event, size_t len);
/* Let the commands that run, or wait, come to their end, for a while; then kill those that are left. */
void send_alert_end(void);
