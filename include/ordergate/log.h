/*
 * Listening to the library.  It never prints; without a listener nothing is formatted.
 * NULL where it is not allowed: OG_EINVAL; a function without a status answers as if there were nothing.
 */
#ifndef ORDERGATE_LOG_H
#define ORDERGATE_LOG_H

#include "ordergate/status.h"

#ifdef __cplusplus
extern "C" {
#endif

enum og_log_level { OG_LOG_ERROR = 1, OG_LOG_WARNING = 2, OG_LOG_INFO = 3, OG_LOG_DEBUG = 4 };

/* Called with one line without newline; control characters are masked.  May come from any thread
 * that is inside the library. */
typedef void og_log_listener(void *with, enum og_log_level level, const char *line);

/* Set before other threads use the library; NULL turns it off.  Messages above most are not made. */
OG_API void og_log_listen(og_log_listener *listener, void *with, enum og_log_level most);

#ifdef __cplusplus
}
#endif
#endif
