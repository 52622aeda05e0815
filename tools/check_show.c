/*
 * ordergate check: decisions for people, or as CSV.  They are shown from the JSON that a pipe gets, and the line from
 * which they were made (ordergate/show.h).
 */
#include "tools/common/check.h"
#include "tools/common/exit.h"
#include "tools/common/terminal.h"

int check_show_begin(struct check *c)
{
    struct og_show_look look;

    if (c->emit != EMIT_DECISIONS || !terminal_look(c->format, c->colour, &look))
        return -1;
    c->suggest = c->suggest || look.format == OG_SHOW_TABLE; /* what to do about an order that is refused */
    return og_show_new(&look, &c->show) == OG_OK ? -1 : EXIT_IO;
}

bool check_show(struct check *c, const char *decisions, size_t len, const char *line, size_t line_len)
{
    const bool ok = len == 0 || og_show_decisions(c->show, decisions, len, line, line_len) == OG_OK;

    c->no_memory |= !ok;
    return ok;
}

bool check_show_put(struct check *c)
{
    const char *text;
    size_t len;

    if (og_show_text(c->show, &text, &len) == OG_OK)
        return out_bytes(&c->out, "ordergate check", text, len);
    c->no_memory = true;
    return false;
}

void check_show_end(struct check *c)
{
    if (!c->show || c->out.failed)
        return;
    c->io_failed |= og_show_decided(c->show) != OG_OK || !check_show_put(c);
}
