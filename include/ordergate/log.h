/*
 * The library's log messages. The library never prints: it passes messages to a listener, and formats none if there is
 * no listener.
 * Passing NULL where it is not allowed returns OG_EINVAL; a function that returns no status then does nothing and
 * returns an empty value (0, false, NULL or "").
 */
#ifndef ORDERGATE_LOG_H
#define ORDERGATE_LOG_H

#include "ordergate/status.h"

#ifdef __cplusplus
extern "C" {
#endif

enum og_log_level { OG_LOG_ERROR = 1, OG_LOG_WARNING = 2, OG_LOG_INFO = 3, OG_LOG_DEBUG = 4 };

/* Called with one message, without newline and with control characters masked, by any thread that is in a function of
 * the library.  line is valid during the call. */
typedef void og_log_listener(void *with, enum og_log_level level, const char *line);

/* Set the listener, before other threads use the library; NULL for none. Messages of a level above `most` are
 * dropped. */
OG_API void og_log_listen(og_log_listener *listener, void *with, enum og_log_level most);

#ifdef __cplusplus
}
#endif
#endif
