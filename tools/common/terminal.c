/*
 * Whether stdout is a terminal, and how wide it is; see tools/common/terminal.h.
 */
#include "tools/common/terminal.h"

#include <stdlib.h>
#include <sys/ioctl.h>
#include <unistd.h>

#define COLUMNS_LEAST 40
#define COLUMNS_MOST  1000

int terminal_columns(void)
{
    const char *given = getenv("COLUMNS");
    struct winsize size;
    int n = 80;

    if (ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col > 0)
        n = size.ws_col;
    else if (given && atoi(given) > 0)
        n = atoi(given);
    return n < COLUMNS_LEAST ? COLUMNS_LEAST : n > COLUMNS_MOST ? COLUMNS_MOST : n;
}

bool terminal_wants_table(int format)
{
    return format == FORMAT_TABLE || (format == FORMAT_AUTO && isatty(STDOUT_FILENO));
}
