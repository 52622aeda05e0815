/*
 * The library's log messages. They go to one callback; without a callback there are none.
 * Control characters are masked; callers must never pass secrets.
 */
#pragma once

#include "ordergate/log.h"

void og_log(enum og_log_level level, const char *format, ...) __attribute__((format(printf, 2, 3)));
