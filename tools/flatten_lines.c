/*
 * The lines that close positions, for ordergate send. Short options are bought back first: what covers one is sold only
 * when no short option of that stock is left.
 */
#include <stdlib.h>
#include <string.h>

#include "ordergate/file.h"
#include "tools/common/flatten.h"
#include "tools/common/json.h"
#include "tools/common/messages.h"

#define QUOTES_MOST ((size_t)256 << 20)

static const char program[] = "ordergate flatten";

/* --- prices ------------------------------------------------------------------------------------------------------- */

/* Returns what stands behind a key of a flat JSON object; NULL if it has no such key. */
static const char *value_of(const char *line, const char *end, const char *key)
{
    const size_t len = strlen(key);

    for (const char *c = line; c + len + 2 < end; c++) {
        if (*c != '"' || strncmp(c + 1, key, len) != 0 || c[len + 1] != '"')
            continue;
        c += len + 2;
        c += strspn(c, " \t");
        if (*c == ':')
            return c + 1 + strspn(c + 1, " \t");
    }
    return NULL;
}

static bool money_of(const char *line, const char *end, const char *key, struct og_money *to)
{
    const char *at = value_of(line, end, key);

    return at && og_money_read(at, strspn(at, "0123456789.eE+-"), to) && og_money_cmp(*to, og_money_from(0)) > 0;
}

/* Find the newest quote of a symbol. *price: its bid, or for a buy its ask. */
static bool quoted(const char *text, const char *symbol, bool buys, struct og_money *price)
{
    const size_t len = strlen(symbol);
    bool found = false;

    for (const char *line = text, *end; line && *line; line = *end ? end + 1 : end) {
        const char *name;

        end = line + strcspn(line, "\n");
        name = value_of(line, end, "symbol");
        if (name && *name == '"' && strncmp(name + 1, symbol, len) == 0 && name[len + 1] == '"')
            found = money_of(line, end, buys ? "ask" : "bid", price);
    }
    return found;
}

/* Round a price to what the exchange takes: up for a buy, down for a sale, at least one tick. */
static bool round_price(struct og_money price, bool is_option, bool buys, struct og_money *to)
{
    static const struct {
        const char *tick;
        int per_dollar;
    } ticks[] = { { "0.0001", 10000 }, { "0.01", 100 }, { "0.05", 20 }, { "0.1", 10 } };
    const int which = is_option ? (og_money_cmp(price, og_money_from(3)) >= 0 ? 3 : 2)
                                : (og_money_cmp(price, og_money_from(1)) >= 0 ? 1 : 0);
    struct og_money scaled, tick;
    int64_t n;

    if (!og_money_read(ticks[which].tick, strlen(ticks[which].tick), &tick) ||
        !og_money_times(price, buys ? -ticks[which].per_dollar : ticks[which].per_dollar, &scaled))
        return false;
    n = buys ? -og_money_floor(scaled) : og_money_floor(scaled);
    return og_money_times(tick, n > 1 ? n : 1, to);
}

/* Returns false if there is no quote by which a limit can be set. */
static bool limit_of(const struct flatten_options *o, const char *quotes, const struct flat_position *p,
                     struct og_money *limit)
{
    struct og_money price, beyond = o->offset;

    if (!quotes || !quoted(quotes, p->symbol, p->is_short, &price))
        return false;
    if (o->offset_bps && !og_money_share(price, o->offset_bps, &beyond))
        return false;
    return (p->is_short ? og_money_add : og_money_sub)(price, beyond, &price) &&
           round_price(price, p->is_option, p->is_short, limit);
}

/* --- lines -------------------------------------------------------------------------------------------------------- */

void flatten_write_cancels(const struct flat_view *v, const char *account, FILE *to)
{
    for (size_t i = 0; i < v->orders; i++)
        og_json(to, "{'op':'cancel','clientOrderId':%s,'accountId':%s}\n", v->order[i].id, account);
}

static const char *why_not(const struct flat_view *v, const struct flat_position *p)
{
    if (p->is_expired)
        return "it has expired";
    if (p->id[0] == '\0')
        return "it has just been opened";
    for (size_t i = 0; i < v->orders; i++)
        if (v->order[i].is_spread || strcmp(v->order[i].symbol, p->symbol) == 0)
            return "an order of it is not over";
    for (size_t i = 0; !p->is_short && i < v->positions; i++)
        if (v->position[i].is_option && v->position[i].is_short && !v->position[i].is_expired &&
            strcmp(v->position[i].root, p->root) == 0)
            return "short options of it are bought back first";
    return NULL;
}

static void write_close(const struct flatten_options *o, const struct flat_position *p, const char *account,
                        const struct og_money *limit, FILE *to)
{
    const char *route = p->is_option ? o->option_route : o->route;

    og_json(to, "{'securityType':%s,'symbol':%s,'side':%s,'openClose':'Close','orderType':%s,'timeInForce':%s",
            p->is_option ? "Option" : "Stock", p->symbol, p->is_short ? "Buy" : "Sell", limit ? "Limit" : "Market",
            o->extended && !p->is_option ? "Day_Plus" : "Day");
    fprintf(to, ",\"orderQuantity\":%s", og_money_text(p->quantity).s);
    if (limit)
        fprintf(to, ",\"limitPrice\":%s", og_money_text(*limit).s);
    if (route)
        og_json(to, ",'route':%s", route);
    og_json(to, ",'clientOrderId':%s,'accountId':%s}\n", p->id, account);
}

size_t flatten_write_closes(const struct flatten_options *o, const struct flat_view *v, const char *account, FILE *to,
                            size_t *skipped)
{
    char *quotes = NULL;
    struct og_error err = { 0 };
    size_t len, count = 0;

    *skipped = 0;
    if (o->limit && og_file_read(o->quotes, OG_FILE_READ, QUOTES_MOST, &quotes, &len, NULL, &err) != OG_OK)
        og_say(program, &err, 0);
    for (int shorts = 1; shorts >= 0; shorts--)
        for (size_t i = 0; i < v->positions; i++) {
            const struct flat_position *p = &v->position[i];
            struct og_money limit;
            const char *why;

            if (p->is_short != (shorts == 1))
                continue;
            why = why_not(v, p);
            if (!why && o->limit && !limit_of(o, quotes, p, &limit))
                why = "there is no quote of it";
            if (!why) {
                write_close(o, p, account, o->limit ? &limit : NULL, to);
                count++;
                continue;
            }
            fprintf(stderr, "%s: %s %s of %s is not closed now: %s\n", program, p->is_short ? "short" : "long",
                    og_money_text(p->quantity).s, p->symbol, why);
            *skipped += !p->is_expired;
        }
    free(quotes);
    return count;
}
