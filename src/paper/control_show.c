/*
 * The control calls that show the world: clock, quotes, symbols, settings, limits and faults, each in the form that the
 * call which sets it takes, so that setting what was shown changes nothing; and the clients of the streams.
 */
#include <stdlib.h>
#include <string.h>

#include "base/time.h"
#include "paper/control.h"
#include "paper/fault.h"
#include "paper/hub.h"
#include "paper/scenario_settings.h"

const char *og_control_get_clock(struct og_control_call *c)
{
    struct og_paper_clock *clock = &c->p->clock;
    struct og_buf *b = c->reply->body;

    og_buf_char(b, '{');
    og_member_text(b, "now", og_time_text(og_paper_clock_now(clock)).s);
    if (clock->mode == OG_CLOCK_REAL)
        og_member_bool(b, "real", true);
    else
        og_member_money(b, "speed", og_dec_money(clock->mode == OG_CLOCK_STILL ? 0 : clock->speed * 1000));
    og_buf_char(b, '}');
    return NULL;
}

/* --- quotes and symbols ------------------------------------------------------------------------------------------- */

static void write_size(struct og_buf *b, const char *key, int64_t size)
{
    if (size != OG_NO_SIZE)
        og_member_int(b, key, size);
}

/* Write the value of a symbol's quote: null if it has none. */
static void write_quote(struct og_paper *p, const struct og_paper_symbol *s, struct og_buf *b)
{
    const bool computed = s->option && s->state == OG_QUOTE_NONE;
    struct og_paper_quote quote;

    if (s->state != OG_QUOTE_SET && !computed) {
        og_buf_text(b, "null");
        return;
    }
    og_buf_char(b, '{');
    if (og_paper_market_quote(&p->market, s, &quote)) {
        og_member_money(b, "bid", og_dec_money(quote.bid));
        og_member_money(b, "ask", og_dec_money(quote.ask));
        og_member_money(b, "last", og_dec_money(quote.last));
        write_size(b, "bidSize", quote.bid_size);
        write_size(b, "askSize", quote.ask_size);
    }
    if (computed)
        og_member_bool(b, "computed", true);
    og_buf_char(b, '}');
}

static void write_symbol(struct og_paper *p, const struct og_paper_symbol *s, struct og_buf *b)
{
    (void)p;
    og_buf_char(b, '{');
    og_member_text(b, "borrow", og_paper_borrow_words[s->borrow]);
    og_member_int(b, "available", s->available);
    og_member_int(b, "availableSingleUse", s->available_single);
    og_member_money(b, "locatePrice", og_dec_money(s->locate_price));
    og_member_money(b, "singleUsePrice", og_dec_money(s->single_price));
    og_buf_char(b, '}');
}

static int by_name(const void *a, const void *b)
{
    const struct og_str x = (*(const struct og_paper_symbol *const *)a)->name,
                        y = (*(const struct og_paper_symbol *const *)b)->name;
    const int order = memcmp(x.s, y.s, x.len < y.len ? x.len : y.len);

    return order ? order : (x.len > y.len) - (x.len < y.len);
}

/* Write the symbols that `wanted` selects as an object, ordered by name. */
static const char *write_symbols(struct og_control_call *c, bool (*wanted)(const struct og_paper_symbol *s),
                                 void (*write)(struct og_paper *p, const struct og_paper_symbol *s, struct og_buf *b))
{
    const struct og_map *map = &c->p->market.symbols;
    const struct og_paper_symbol **list = malloc((map->count + 1) * sizeof(const struct og_paper_symbol *));
    struct og_buf *b = c->reply->body;
    size_t count = 0;

    if (!list)
        return "out of memory";
    for (size_t i = 0; i < map->cap; i++)
        if (map->slot[i].value && wanted(map->slot[i].value))
            list[count++] = map->slot[i].value;
    qsort(list, count, sizeof(const struct og_paper_symbol *), by_name);
    og_buf_char(b, '{');
    for (size_t i = 0; i < count; i++) {
        og_member_key(b, NULL);
        og_buf_json_str(b, list[i]->name); /* a control call may have named it with any bytes */
        og_buf_char(b, ':');
        write(c->p, list[i], b);
    }
    og_buf_char(b, '}');
    free(list);
    return NULL;
}

static bool was_quoted(const struct og_paper_symbol *s)
{
    return s->state != OG_QUOTE_NONE;
}

static bool is_stock(const struct og_paper_symbol *s)
{
    return !s->option;
}

const char *og_control_get_quotes(struct og_control_call *c)
{
    return write_symbols(c, was_quoted, write_quote);
}

const char *og_control_get_symbols(struct og_control_call *c)
{
    return write_symbols(c, is_stock, write_symbol);
}

const char *og_control_get_quote(struct og_control_call *c)
{
    const struct og_paper_symbol *s = og_paper_market_get(&c->p->market, c->item);

    if (!s)
        return "no such symbol";
    write_quote(c->p, s, c->reply->body);
    return NULL;
}

const char *og_control_get_symbol(struct og_control_call *c)
{
    const struct og_paper_symbol *s = og_paper_market_get(&c->p->market, c->item);

    if (!s || s->option)
        return "no such stock";
    write_symbol(c->p, s, c->reply->body);
    return NULL;
}

/* --- settings, limits, faults, streams ---------------------------------------------------------------------------- */

const struct og_paper_section *og_control_section(const struct og_control_call *c)
{
    const struct og_paper_section *section = og_paper_sections;

    while (!og_str_is(c->name, section->path))
        section++;
    return section;
}

const char *og_control_get_settings(struct og_control_call *c)
{
    const struct og_paper_section *section = og_control_section(c);
    struct og_buf *b = c->reply->body;

    og_buf_char(b, '{');
    for (size_t i = 0; i < section->count; i++)
        og_paper_setting_write(&section->table[i], (const char *)c->p + section->at, b);
    og_buf_char(b, '}');
    return NULL;
}

const char *og_control_get_limits(struct og_control_call *c)
{
    struct og_buf *b = c->reply->body;

    og_buf_char(b, '{');
    for (int e = 0; e < OG_ENDPOINTS; e++) {
        const struct og_paper_limit *limit = &c->p->limits[e];

        if (!limit->burst) {
            og_member_text(b, og_endpoints[e].name, NULL);
            continue;
        }
        og_member_key(b, og_endpoints[e].name);
        og_buf_char(b, '{');
        og_member_int(b, "rate", limit->rate);
        og_member_int(b, "burst", limit->burst);
        og_buf_char(b, '}');
    }
    og_buf_char(b, '}');
    return NULL;
}

const char *og_control_get_faults(struct og_control_call *c)
{
    og_paper_fault_write(c->p, c->reply->body);
    return NULL;
}

const char *og_control_get_streams(struct og_control_call *c)
{
    og_paper_hub_write(c->p, c->reply->body);
    return NULL;
}
