/*
 * Log messages: one listener for the process, set before threads are started.  Without a listener nothing is formatted.
 */
#include "base/log.h"

#include <stdarg.h>

#include "base/str.h"

static struct {
    og_log_listener *tell;
    void *with;
    enum og_log_level most;
} listening;

void og_log_listen(og_log_listener *listener, void *with, enum og_log_level most)
{
    listening.tell = listener;
    listening.with = with;
    listening.most = most;
}

void og_log(enum og_log_level level, const char *format, ...)
{
    char line[1024];
    va_list args;

    if (!listening.tell || level > listening.most)
        return;
    va_start(args, format);
    og_text_format(line, sizeof line, format, args);
    va_end(args);
    listening.tell(listening.with, level, line);
}
