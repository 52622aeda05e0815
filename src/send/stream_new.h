/*
 * Opening a stream of an account by the settings, for the sender and for `ordergate-watch`.
 */
#pragma once

#include "broker/settings.h"
#include "stream/stream.h"

/* Open a stream of that account: its P&L, or its orders and positions.  Statuses as of og_stream_new(). */
enum og_status og_send_stream_new(uv_loop_t *loop, const struct og_settings *settings, const char *account, bool pnl,
                                  const struct og_stream_events *events, void *with, struct og_stream **to,
                                  struct og_error *err);
