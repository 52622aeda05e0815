/*
 * The options of ordergate send, for itself and for the programs that run it with options of their user.
 */
#pragma once

#include "ordergate/send.h"
#include "tools/common/options.h"

struct send {
    struct option_list policies, facts, keys;
    int until, need, format, colour, log_format;
    const char *console, *console_port_file, *on_event;
    struct og_send_options options;
};

extern const struct option_row send_rows[];

/* Read the options of ordergate send that stand after -- on the command line of another program, which gives them to
 * the senders that it starts. *to is filled as ordergate send would fill it. Only options that say how lines are sent
 * are taken: what would give the sender other lines, or keep it from its own, is refused, and so is what the program
 * has as an option itself. Returns -1 to go on, or an exit code after a message. */
int send_options_read(const struct option_spec *program, struct send *to, int count, char **args);
