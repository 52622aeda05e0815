/*
 * ordergate send: events for people; see tools/common/send_show.h.
 */
#include "tools/common/send_show.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "tools/common/terminal.h"

static struct og_show *show;
static struct og_sender *running;
static bool has_line;   /* the terminal can have a last line that is replaced */
static bool is_on_line; /* there is one */

bool send_show_begin(int format, int colour, bool *shown)
{
    const char *term = getenv("TERM");
    struct og_show_look look;

    *shown = terminal_look(format, colour, &look);
    /* who types orders sees them where the last line would be */
    has_line = *shown && look.format == OG_SHOW_TABLE && isatty(STDOUT_FILENO) && !isatty(STDIN_FILENO) && term &&
               strcmp(term, "dumb") != 0;
    return !*shown || og_show_new(&look, &show) == OG_OK;
}

void send_show_sender(struct og_sender *sender)
{
    running = sender;
    if (show && sender)
        og_sender_tell_orders(sender);
}

void send_show_clear(void)
{
    if (!is_on_line)
        return;
    fputs("\r\033[K", stdout);
    fflush(stdout);
    is_on_line = false;
}

/* Print what the view has.  Returns false if it cannot be written, or memory ran out. */
static bool print(void)
{
    const char *text;
    size_t len;

    return og_show_text(show, &text, &len) == OG_OK && fwrite(text, 1, len, stdout) == len;
}

static int put_now(void *with, const char *snapshot, size_t len)
{
    (void)with;
    is_on_line = true;
    return og_show_now(show, snapshot, len) == OG_OK && print() ? 0 : -1;
}

int send_show_event(void *with, const char *event, size_t len)
{
    bool ok;

    (void)with;
    send_show_clear();
    ok = og_show_event(show, event, len) == OG_OK && print();
    if (ok && has_line && running)
        (void)!og_sender_snapshot(running, put_now, NULL); /* the line is of use, but nothing depends on it */
    if (ok && fflush(stdout) == 0)
        return 0;
    errno = errno ? errno : ENOMEM;
    return -1;
}

void send_show_end(const char *program)
{
    if (!show)
        return;
    send_show_clear();
    if (og_show_sent(show) != OG_OK || !print() || fflush(stdout) != 0)
        fprintf(stderr, "%s: stdout: cannot be written: %s\n", program, strerror(errno ? errno : ENOMEM));
    og_show_free(show);
    show = NULL;
}
