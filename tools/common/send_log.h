/*
 * The log of ordergate send on stderr: messages for people; or lines with time, level and run, or JSON, for programs
 * that collect logs; or lines for journald, which adds time and program.
 */
#pragma once

#include "ordergate/log.h"
#include "ordergate/policy.h"

/* The values of --log-format, in this order. */
#define SEND_LOG_WORDS "auto|text|json|journal"

/* Begin.  format: index of a word of SEND_LOG_WORDS; auto: as for journald if the variable JOURNAL_STREAM names stderr,
 * otherwise messages for people. */
void send_log_begin(const char *program, int format);
/* Name the run; NULL: none.  Until then lines have no run.  The text must stay valid. */
void send_log_run(const char *run);
/* Write one line.  May be called by any thread. */
void send_log(enum og_log_level level, const char *format, ...) __attribute__((format(printf, 2, 3)));
/* An og_log_listener, for the thread that shows events. */
void send_log_line(void *with, enum og_log_level level, const char *line);
/* Write an error, as og_say() does.  Returns code. */
int send_log_error(const struct og_error *err, int code);
/* An og_diagnostic_listener. */
void send_log_fault(void *with, const struct og_diagnostic *fault);
