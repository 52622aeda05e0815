/*
 * The library's log messages, which go to one callback, off by default.
 * Control characters are masked; callers must never pass secrets.
 */
#pragma once

#include "ordergate/log.h"

void og_log(enum og_log_level level, const char *format, ...) __attribute__((format(printf, 2, 3)));
