/*
 * Playback of quotes: the whole file is read and checked before the service starts, and its rows are applied at their
 * times. Rows whose times are out of sequence are rejected.
 */
#include "paper/replay.h"

#include <stdlib.h>

#include "base/grow.h"
#include "base/time.h"
#include "paper/match.h"
#include "paper/paper.h"
#include "paper/setting.h"
#include "text/doc.h"

#define MOST_DIAGNOSTICS 100 /* maximum number of diagnostics that are reported for one file */
#define LONGEST          (3650 * 86400 * OG_NS_PER_S)

enum column { TIME, SYMBOL, BID, ASK, LAST, BID_SIZE, ASK_SIZE, COLUMNS };
static const char *const names[COLUMNS] = { "time", "symbol", "bid", "ask", "last", "bidSize", "askSize" };

struct row {
    int64_t at; /* an instant or, if `relative` is true, nanoseconds since the start of the playback */
    bool relative;
    struct og_paper_symbol *symbol;
    struct og_paper_quote tick;
};

struct og_paper_replay {
    struct og_paper *paper;
    struct row *rows;
    size_t count, cap, next;
    struct og_paper_timer timer;
};

struct reading {
    struct og_paper *p;
    struct og_diagnostics *diagnostics;
    struct og_paper_replay *replay;
    int line, place[COLUMNS]; /* place: for each field, the number of its column in a CSV file, from 1; 0 if the file
                               * does not have it */
    size_t reported;
    bool oom;
};

/* --- one row ------------------------------------------------------------------------------------------------------ */

/* The fields of a line, and the text column at which each begins. The .s of an absent field is NULL or empty. */
struct fields {
    struct og_str text[COLUMNS];
    int col[COLUMNS];
};

static bool add_diagnostic(struct reading *r, int col, const char *name, struct og_str seen, const char *allowed)
{
    if (r->reported++ < MOST_DIAGNOSTICS)
        og_diagnostic_here(r->diagnostics, r->line, col, "replay-row", "'%s' must be %s, not '%s'", name, allowed,
                           og_see(seen).s);
    return false;
}

static bool read_time(struct og_str text, struct row *row)
{
    struct og_money m;
    int64_t micros;

    row->relative = true;
    if (og_duration_read(text.s, text.len, &row->at))
        return row->at <= LONGEST;
    if (og_money_read(text.s, text.len, &m) && m.coef >= 0 && m.scale <= 6 && og_dec_from(m, &micros)) {
        row->at = og_dec_scale(micros, 1000);
        return row->at <= LONGEST;
    }
    row->relative = false;
    return og_time_read(text.s, text.len, &row->at);
}

static bool read_number(struct reading *r, const struct fields *f, enum column c, int64_t *to)
{
    struct og_money m;

    if (!f->text[c].len)
        return true;
    if (og_money_read(f->text[c].s, f->text[c].len, &m) && m.coef >= 0 && m.scale <= 6 && og_dec_from(m, to))
        return true;
    return add_diagnostic(r, f->col[c], names[c], f->text[c], "a number from 0 of at most 6 decimals");
}

static bool read_size(struct reading *r, const struct fields *f, enum column c, int64_t *to)
{
    struct og_money m;

    *to = OG_NO_SIZE;
    if (!f->text[c].len)
        return true;
    if (og_money_read(f->text[c].s, f->text[c].len, &m) && m.coef >= 0 && m.scale == 0) {
        *to = m.coef;
        return true;
    }
    return add_diagnostic(r, f->col[c], names[c], f->text[c], "a whole number from 0");
}

static bool check_order(struct reading *r, const struct fields *f, const struct row *row)
{
    const struct row *before = r->replay->count ? &r->replay->rows[r->replay->count - 1] : NULL;

    if (before && before->relative != row->relative)
        return add_diagnostic(r, f->col[TIME], "time", f->text[TIME],
                              "of the same kind in every row: since the start, or an instant");
    if (before && before->at > row->at)
        return add_diagnostic(r, f->col[TIME], "time", f->text[TIME], "not before that of the row above");
    return true;
}

static bool read_row(struct reading *r, const struct fields *f, struct row *row)
{
    bool ok;

    *row = (struct row){ .tick = { OG_UNSET, OG_UNSET, OG_UNSET, OG_NO_SIZE, OG_NO_SIZE } };
    if (!read_time(f->text[TIME], row))
        return add_diagnostic(r, f->col[TIME], "time", f->text[TIME],
                              "seconds or a duration since the start (1.5, 250ms), or an instant");
    if (!f->text[SYMBOL].len || f->text[SYMBOL].len > 40)
        return add_diagnostic(r, f->col[SYMBOL], "symbol", f->text[SYMBOL], "a ticker or a contract");
    ok = read_number(r, f, BID, &row->tick.bid); /* go on, so that errors in the other columns are reported too */
    ok = read_number(r, f, ASK, &row->tick.ask) && ok;
    ok = read_number(r, f, LAST, &row->tick.last) && ok;
    ok = read_size(r, f, BID_SIZE, &row->tick.bid_size) && ok;
    ok = read_size(r, f, ASK_SIZE, &row->tick.ask_size) && ok;
    if (row->tick.bid != OG_UNSET && row->tick.ask != OG_UNSET && row->tick.bid > row->tick.ask)
        ok = add_diagnostic(r, f->col[ASK], "ask", f->text[ASK], "at least bid");
    if (!ok || !check_order(r, f, row))
        return false;
    row->symbol = og_paper_market_add(&r->p->market, f->text[SYMBOL]);
    r->oom = r->oom || !row->symbol;
    return row->symbol != NULL;
}

static void add_row(struct reading *r, const struct fields *f)
{
    struct og_paper_replay *replay = r->replay;
    struct row row;

    if (!read_row(r, f, &row))
        return;
    if (OG_GROW(replay->rows, replay->count, replay->cap, 256))
        replay->rows[replay->count++] = row;
    else
        r->oom = true;
}

/* --- CSV ---------------------------------------------------------------------------------------------------------- */

static struct og_str trimmed(const char *s, size_t len)
{
    while (len && (s[len - 1] == ' ' || s[len - 1] == '\r'))
        len--;
    while (len && *s == ' ') {
        s++;
        len--;
    }
    return (struct og_str){ s, len };
}

/* Get the next field of a line. Returns false at the end of the line. */
static bool next_field(struct og_str line, size_t *at, struct og_str *field, int *col)
{
    const char *comma;
    size_t len;

    if (*at > line.len)
        return false;
    comma = *at < line.len ? memchr(line.s + *at, ',', line.len - *at) : NULL;
    len = comma ? (size_t)(comma - line.s) - *at : line.len - *at;
    *col = (int)*at + 1;
    *field = trimmed(line.s + *at, len);
    *at += len + 1;
    return true;
}

static void read_header(struct reading *r, struct og_str line)
{
    struct og_str field;
    size_t at = 0;
    int n = 1, col, c;

    for (; next_field(line, &at, &field, &col); n++) {
        for (c = 0; c < COLUMNS && !og_str_is(field, names[c]); c++)
            ;
        if (c == COLUMNS)
            og_diagnostic_unknown(r->diagnostics, r->line, col, field, "column of a replay", names, COLUMNS);
        else
            r->place[c] = n;
    }
    if (!r->place[TIME] || !r->place[SYMBOL])
        og_diagnostic_here(r->diagnostics, r->line, 1, "replay-header",
                           "the first line must name the columns, 'time' and 'symbol' among them");
}

static void read_csv_line(struct reading *r, struct og_str line)
{
    struct fields f = { .col = { 1, 1, 1, 1, 1, 1, 1 } };
    struct og_str field;
    size_t at = 0;
    int n = 1, col, c;

    for (; next_field(line, &at, &field, &col); n++)
        for (c = 0; c < COLUMNS; c++)
            if (r->place[c] == n) {
                f.text[c] = field;
                f.col[c] = col;
            }
    add_row(r, &f);
}

/* --- NDJSON ------------------------------------------------------------------------------------------------------- */

static void read_json_line(struct reading *r, struct og_str line)
{
    struct fields f = { .col = { 1, 1, 1, 1, 1, 1, 1 } };
    struct og_error err = { .status = OG_OK };
    const cJSON *member;
    cJSON *doc;
    int c;

    if (og_doc_read(line.s, line.len, "row", &doc, &err) != OG_OK || !cJSON_IsObject(doc)) {
        cJSON_Delete(doc);
        add_diagnostic(r, err.col > 0 ? err.col : 1, "row", line, "a JSON object a line");
        return;
    }
    cJSON_ArrayForEach (member, doc) {
        for (c = 0; c < COLUMNS && strcmp(member->string, names[c]) != 0; c++)
            ;
        if (c == COLUMNS)
            og_diagnostic_unknown(r->diagnostics, r->line, 1, og_str_of(member->string), "member of a replay's row",
                                  names, COLUMNS);
        else if (!cJSON_IsNull(member) && !og_doc_id(doc, names[c], &f.text[c]))
            add_diagnostic(r, 1, names[c], OG_STR("nested"), "a string or a number");
    }
    add_row(r, &f);
    cJSON_Delete(doc);
}

/* --- the file ----------------------------------------------------------------------------------------------------- */

static void read_lines(struct reading *r, struct og_str bytes)
{
    bool json = bytes.len && bytes.s[0] == '{';
    const char *newline;
    struct og_str line;
    size_t at = 0;

    for (r->line = 1; at < bytes.len && !r->oom && r->reported < MOST_DIAGNOSTICS; r->line++) {
        newline = memchr(bytes.s + at, '\n', bytes.len - at);
        line = (struct og_str){ bytes.s + at, newline ? (size_t)(newline - bytes.s) - at : bytes.len - at };
        at += line.len + 1;
        if (!trimmed(line.s, line.len).len)
            continue;
        if (json)
            read_json_line(r, line);
        else if (r->line == 1)
            read_header(r, line);
        else
            read_csv_line(r, line);
    }
}

bool og_paper_replay_read(struct og_paper *p, struct og_str bytes, struct og_diagnostics *diagnostics)
{
    struct reading r = { .p = p, .diagnostics = diagnostics, .replay = calloc(1, sizeof *r.replay) };

    if (!r.replay)
        return false;
    p->replay = r.replay;
    r.replay->paper = p;
    read_lines(&r, bytes);
    if (!r.oom && r.replay->count == 0 && !diagnostics->count)
        og_diagnostic_here(diagnostics, 1, 1, "replay-empty", "the file has no rows");
    return !r.oom;
}

static void on_timer(void *with)
{
    struct og_paper_replay *replay = with;
    struct og_paper *p = replay->paper;
    int64_t now = og_paper_clock_now(&p->clock);
    struct og_paper_quote quote;
    const struct row *row;

    for (; replay->next < replay->count && (row = &replay->rows[replay->next])->at <= now; replay->next++)
        if (og_paper_quote_next(&row->symbol->quote, &row->tick, &quote)) /* a quote whose bid is above its ask is
                                                                           * skipped */
            og_paper_match_quote(p, row->symbol, &quote);
    if (replay->next < replay->count)
        og_paper_clock_set(&p->clock, &replay->timer, replay->rows[replay->next].at);
}

bool og_paper_replay_start(struct og_paper *p)
{
    struct og_paper_replay *replay = p->replay;
    int64_t now = og_paper_clock_now(&p->clock);
    size_t i;

    if (!replay || !replay->count)
        return true;
    for (i = 0; i < replay->count && replay->rows[i].relative; i++)
        replay->rows[i].at += now;
    replay->timer = (struct og_paper_timer){ .fire = on_timer, .with = replay };
    return og_paper_clock_set(&p->clock, &replay->timer, replay->rows[0].at);
}

void og_paper_replay_free(struct og_paper *p)
{
    if (p->replay)
        free(p->replay->rows);
    free(p->replay);
    p->replay = NULL;
}
