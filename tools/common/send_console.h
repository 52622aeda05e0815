/*
 * ordergate send --console: starts the console, a process beside the sender.
 */
#pragma once

/* Start ordergate-console for this process, and wait until it listens.  Call it before the sender is made, while the
 * process has one thread.  port_file: NULL, or where to write the port.  Returns 0, or the exit code after a
 * message. */
int send_console(const char *program, const char *listen, const char *port_file);
