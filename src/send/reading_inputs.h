/*
 * The inputs of a run, as its loop reads them.
 */
#pragma once

#include <stdbool.h>

#include "ordergate/status.h"

struct og_sender;

enum og_status og_send_open_quotes(struct og_sender *s, struct og_error *err);
bool og_send_watch_quotes(struct og_sender *s); /* returns false if out of memory */
/* Begin to read quotes once the sender's clock, which dates them, is set: quotes dated by the machine's clock could
 * lie in the future of the broker's clock. If the broker cannot be reached at the start, quotes are read at once. */
void og_send_begin_quotes(struct og_sender *s);
bool og_send_inputs_are_over(const struct og_sender *s); /* returns true if no line can come any more */
/* Go on reading, pause while too many lines wait, or stop reading if the run ends; called once a tick. */
void og_send_let_flow(struct og_sender *s);
void og_send_unread_inputs(struct og_sender *s); /* take the inputs from the loop, which is being closed */
void og_send_close_quotes(struct og_sender *s);
