/*
 * Whether stdout is a terminal, and how wide it is; see tools/common/terminal.h.
 */
#include "tools/common/terminal.h"

#include <stdlib.h>
#include <string.h>
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

bool terminal_colour(int choice)
{
    const char *no = getenv("NO_COLOR"), *force = getenv("CLICOLOR_FORCE"), *term = getenv("TERM"),
               *some = getenv("CLICOLOR");

    if (choice != 0 || (no && no[0]))
        return choice == 1;
    if (force && force[0] && strcmp(force, "0") != 0)
        return true;
    return isatty(STDOUT_FILENO) && !(term && strcmp(term, "dumb") == 0) && !(some && strcmp(some, "0") == 0);
}

bool terminal_look(int format, int colour, struct og_show_look *look)
{
    *look = (struct og_show_look){ .format = format == FORMAT_CSV ? OG_SHOW_CSV : OG_SHOW_TABLE,
                                   .columns = terminal_columns(),
                                   .colour = terminal_colour(colour) };
    return format == FORMAT_CSV || terminal_wants_table(format);
}
