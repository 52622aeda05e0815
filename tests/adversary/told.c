/*
 * What a gate is told: facts of an account, and orders in all spellings that the service accepts for them.  It never
 * writes a spelling that the service would answer with 400.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "adversary.h"

static const char *const types[] = { "Market", "Limit", "Stop", "StopLimit" };

static void put_positions(const struct world *w, struct account *a, struct text *json)
{
    const char *comma = "";

    a->reads++;
    a->lacks = a->may_lack = false;
    text_put(json, ",\"positions\":[");
    for (int i = 0; i < THINGS; i++) {
        const struct thing *t = &w->thing[i];

        for (int side = 0; side < 2; side++) {
            struct holding *h = &a->holding[i];
            wide price;

            h->untold = 0;
            h->murky = false;
            h->spread = 0;
            h->bought = 0;
            h->doubt[side] = 0;
            if (h->shares[side] == 0)
                continue;
            price = h->value[side] / h->shares[side] / (t->type ? 100 : 1);
            text_put(json, "%s{\"positionId\":\"p%d%d\",\"symbol\":\"%s\",\"securityType\":\"%s\",\"side\":\"%s\"",
                     comma, i, side, t->root, t->type ? "Option" : "Stock", side ? "Long" : "Short");
            if (t->type)
                text_put(json, ",\"tradedSymbol\":\"%s\"", t->symbol);
            else
                text_put(json, ",\"tradedSymbol\":null");
            text_put(json, ",\"shares\":");
            text_decimal(json, h->shares[side]);
            if (!h->unpriced) {
                text_put(json, ",\"priceAvg\":");
                text_decimal(json, (int64_t)price);
            }
            text_put(json, "}");
            comma = ",";
        }
    }
    text_put(json, "]");
}

static const char *effect_word(char effect)
{
    return effect == 'O' ? "Open" : effect == 'C' ? "Close" : "Unknown";
}

static void put_row_legs(const struct world *w, const struct order *o, struct text *json)
{
    text_put(json, ",\"legs\":[");
    for (int i = 0; i < o->legs; i++)
        text_put(json,
                 "%s{\"index\":%d,\"symbol\":\"%s\",\"side\":\"%s\",\"qty\":%lld,\"lvsQty\":%lld,\"openClose\":\"%s\"}",
                 i ? "," : "", i, w->thing[o->leg[i].thing].symbol, o->leg[i].buy ? "Buy" : "Sell",
                 (long long)(o->quantity * o->leg[i].ratio), (long long)(o->leaves * o->leg[i].ratio),
                 effect_word(o->leg[i].effect));
    text_put(json, "]");
}

static void put_executed(const struct order *o, struct text *json)
{
    static const char *const words[WAYS_TO_SAY] = {
        [NULL_SAID] = "null",   [TEXT_SAID] = "\"7\"",        [HALF_SAID] = "0.5",
        [NEGATIVE_SAID] = "-3", [TOO_MUCH_SAID] = "10000000", [ZERO_SAID] = "0",
    };

    if (o->said == SAID)
        text_put(json, ",\"executed\":%lld", (long long)(o->quantity - o->leaves));
    else if (words[o->said])
        text_put(json, ",\"executed\":%s", words[o->said]);
}

void order_row(const struct world *w, const struct order *o, struct text *json)
{
    const struct thing *t = &w->thing[o->leg[0].thing];
    const struct leg *l = &o->leg[0];
    const char *symbol = w->thing[t->stock].symbol;

    text_put(json,
             "{\"accountId\":\"%s\",\"clientOrderId\":\"%s\",\"orderStatus\":\"%s\",\"orderQuantity\":%lld,"
             "\"leavesQuantity\":%lld,\"orderType\":\"%s\",\"timeInForce\":\"%s\",\"symbol\":\"%s\"",
             w->account[o->account].id, o->id,
             o->ended                  ? o->ended
             : o->status               ? o->status
             : o->leaves < o->quantity ? "PartiallyFilled"
                                       : "New",
             (long long)o->quantity, (long long)(o->ended ? 0 : o->leaves), types[o->type], o->tif, symbol);
    put_executed(o, json);
    if (o->changed)
        text_put(json, ",\"lastUpdated\":\"%s\"", og_time_text(o->changed).s);
    text_put(json, ",\"limitPrice\":"); /* a broker may show a limit that the type ignores */
    text_decimal(json, o->type == MARKET || o->type == STOP ? o->ignored : o->limit);
    text_put(json, ",\"priceStop\":");
    text_decimal(json, o->stop);
    if (o->form == SPREAD) {
        text_put(json, ",\"securityType\":\"MLEG\",\"side\":\"Unknown\",\"tradedSymbol\":\"%s\"", symbol);
        if (o->blind)
            text_put(json, ",\"legs\":null");
        else
            put_row_legs(w, o, json);
    } else {
        text_put(json, ",\"securityType\":\"%s\",\"side\":\"%s\",\"tradedSymbol\":\"%s\",\"legs\":null",
                 o->form == STOCK ? "Stock" : "Option",
                 l->buy                                 ? "Buy"
                 : o->form == STOCK && l->effect == 'O' ? "SellShort"
                                                        : "Sell",
                 t->symbol);
        if (l->effect || o->form == STOCK)
            text_put(json, ",\"openClose\":\"%s\"", effect_word(l->effect));
    }
    text_put(json, "}");
}

/* alone: without positions. Late facts may have brought back the row of an order of the gate that had ended: when it is
 * gone from the list, the gate may take it for one that filled. */
static void put_orders(const struct world *w, struct account *a, bool alone, struct text *json)
{
    const char *comma = "";

    text_put(json, ",\"orders\":[");
    for (int i = 0; i < a->orders; i++) {
        struct order *o = &a->order[i];

        a->may_lack = a->may_lack || (alone && a->delayed && o->in_facts && !o->live && !o->external);
        o->in_facts = o->live && o->sent && o->where == IN_ORDERS;
        o->forgotten = false;
        if (!o->in_facts && !o->ended)
            continue;
        text_put(json, "%s", comma);
        order_row(w, o, json);
        comma = ",";
        if (!o->in_facts)
            continue;
        o->told = o->leaves;
        a->overlap = a->overlap || o->ticket;
    }
    text_put(json, "]");
}

static void put_quotes(struct world *w, struct text *json)
{
    struct text one = { NULL, 0, 0 };
    const char *comma = "";

    text_put(json, ",\"quotes\":{");
    for (int i = 0; i < THINGS; i++) {
        one.len = 0;
        /* in a document a quote without a time would get the document's time */
        if (w->thing[i].told == TOLD_TIMELESS || !world_quote(w, i, &one))
            continue;
        w->thing[i].heard = true;
        *strstr(one.s, ",\"symbol\"") = '\0'; /* the key already names the symbol */
        text_put(json, "%s\"%s\":%s}", comma, w->thing[i].symbol, one.s);
        comma = ",";
    }
    text_put(json, "}");
    free(one.s);
}

static void put_account(struct account *a, struct text *json)
{
    wide bp = a->bp;

    for (int i = 0; i < a->orders; i++) /* the broker deducts working orders */
        if (a->order[i].live && a->order[i].sent && !a->order[i].external && !closes_all(&a->order[i]))
            bp -= (a->order[i].form == SPREAD ? a->order[i].worth : a->order[i].price) * a->order[i].leaves;
    if (bp < 0)
        bp = 0;
    bp = bp / SCALE / SCALE; /* in whole dollars */
    a->told_bp = bp * SCALE * SCALE;
    for (int i = 0; i < THINGS; i++)
        a->holding[i].freed = false;
    a->taken_since = a->spent = 0;
    for (int i = 0; i < a->orders;
         i++) /* reservations that the gate may still have in addition, with their original worth */
        if (a->order[i].live && a->order[i].ticket)
            a->taken_since += a->order[i].taken;
    text_put(json,
             ",\"account\":{\"account\":\"%s\",\"accountStatus\":\"Active\",\"accountType\":\"Live\",\"equity\":%lld,"
             "\"availableCash\":%lld,\"bp\":%lld,\"overnightBp\":%lld,\"optLevel\":%d,\"optionTradingLevel\":%d,"
             "\"marginDeficit\":0,\"maintenanceDeficit\":0,\"leverage\":2,\"sodEquity\":%lld}",
             a->id, (long long)a->equity, (long long)a->equity, (long long)bp, (long long)bp, a->level, a->level,
             (long long)a->equity);
    a->peak = a->day_pnl > a->peak ? a->day_pnl : a->peak;
    text_put(json, ",\"pnl\":{\"dayPnl\":%s", a->day_pnl < 0 ? "-" : "");
    text_decimal(json, a->day_pnl < 0 ? -a->day_pnl : a->day_pnl);
    text_put(json, "}");
}

static int within(const struct world *w, const struct account *a, int64_t span)
{
    int count = 0;

    for (int i = 0; i < a->decisions; i++)
        count += w->now - a->decided[i] < span;
    return count;
}

/* The "gate" document: orders in flight and unknown, and the sender's counters. */
static void put_gate(const struct world *w, const struct account *a, struct chance *c, struct text *json)
{
    const char *comma = "";

    text_put(json,
             ",\"usedClientOrderIds\":[],\"gate\":{\"trading\":\"%s\",\"ordersLastSecond\":%d,\"ordersLastMinute\":%d,"
             "\"ordersToday\":%lld,\"rejectionsInARow\":0,\"recent\":[],\"inFlight\":[",
             a->halted ? "halted" : "on", within(w, a, OG_NS_PER_S), within(w, a, 60 * OG_NS_PER_S),
             (long long)a->sent_today + a->decisions);
    for (int i = 0; i < a->orders; i++) {
        const struct order *o = &a->order[i];

        if (!o->live || (o->where != IN_FLIGHT_BODY && o->where != IN_FLIGHT_ROW))
            continue;
        text_put(json, "%s", comma);
        if (o->where == IN_FLIGHT_ROW)
            order_row(w, o, json);
        else
            order_write(w, o, c, json);
        comma = ",";
    }
    text_put(json, "],\"unknown\":[");
    comma = "";
    for (int i = 0; i < a->orders; i++)
        if (a->order[i].live && a->order[i].where == UNKNOWN_ID) {
            text_put(json, "%s\"%s\"", comma, a->order[i].id);
            comma = ",";
        }
    text_put(json, "]}");
}

void world_facts(struct world *w, int account, enum parts parts, struct chance *c, struct text *json)
{
    struct account *a = &w->account[account];
    bool first = a->account_at == OG_TIME_UNKNOWN;

    if ((parts & ALL_PARTS) == ALL_PARTS)
        a->overlap = a->delayed = false;
    text_put(json, "{\"asOf\":\"%s\",\"accountId\":\"%s\"", og_time_text(w->now).s, a->id);
    text_put(json, ",\"routes\":[{\"routeName\":\"SMART\",\"securityTypes\":[\"Stock\"],\"timesInForce\":[\"Day\","
                   "\"GoodTillCancel\",\"ImmediateOrCancel\"]},{\"routeName\":\"CTDL\",\"securityTypes\":[\"Stock\"],"
                   "\"timesInForce\":[\"Day\",\"GoodTillCancel\"]},{\"routeName\":\"SMARTO\",\"securityTypes\":"
                   "[\"Option\"],\"timesInForce\":[\"Day\",\"GoodTillCancel\"]},{\"routeName\":\"SMARTM\","
                   "\"securityTypes\":[\"MLEG\"],\"timesInForce\":[\"Day\"]}]");
    text_put(json, ",\"accountList\":[");
    for (int i = 0; i < w->accounts; i++)
        text_put(json, "%s{\"account\":\"%s\",\"accountType\":\"Live\",\"accountStatus\":\"Active\"}", i ? "," : "",
                 w->account[i].id);
    text_put(json, "],\"borrow\":{\"AAPL\":true,\"F\":true,\"BRK.B\":true}");
    put_account(a, json);
    a->account_at = w->now;
    if (parts & POSITIONS_ONLY) {
        put_positions(w, a, json);
        a->positions_at = w->now;
    }
    if (parts & ORDERS_ONLY) {
        put_orders(w, a, !(parts & POSITIONS_ONLY), json);
        a->orders_at = w->now;
    }
    /* with several accounts, only this one would know the quotes */
    if (w->accounts == 1 && chance_in(c, 50) && !(parts & NO_QUOTES))
        put_quotes(w, json);
    world_price_rows(w, a);
    if (first) {
        put_gate(w, a, c, json);
        a->said_today = a->sent_today;
    }
    text_put(json, "}");
}

/* --- orders ------------------------------------------------------------------------------------------------------- */

/* A JSON string, with some characters escaped at random. */
static void put_string(struct text *json, const char *s, struct chance *c, bool odd)
{
    text_put(json, "\"");
    for (; *s; s++)
        if (odd && chance_in(c, 10))
            text_put(json, "\\u%04x", (unsigned)(unsigned char)*s);
        else
            text_put(json, "%c", *s);
    text_put(json, "\"");
}

struct member {
    const char *key, *word; /* a word, or a number of 1/10000 */
    int64_t number;
};

static void put_number(struct text *json, int64_t value, struct chance *c, bool odd)
{
    int how = odd ? (int)chance_to(c, 4) : 0;

    if (how == 1 && value % SCALE == 0) {
        text_put(json, "%llde0", (long long)value / SCALE);
    } else if (how == 2) {
        text_put(json, "%lldE-4", (long long)value);
    } else {
        text_decimal(json, value);
        if (how == 3 && value % SCALE)
            text_put(json, "0");
    }
}

static void put_blank(struct text *json, struct chance *c, bool odd)
{
    static const char *const blanks[] = { "", " ", "\t", "  " };

    if (odd)
        text_put(json, "%s", blanks[chance_to(c, 4)]);
}

static void put_members(struct text *json, struct member *m, int count, struct chance *c, bool odd)
{
    for (int i = count - 1; odd && i > 0; i--) {
        int k = (int)chance_to(c, i + 1);
        struct member other = m[i];

        m[i] = m[k];
        m[k] = other;
    }
    for (int i = 0; i < count; i++) {
        put_blank(json, c, odd);
        put_string(json, m[i].key, c, odd);
        put_blank(json, c, odd);
        text_put(json, ":");
        put_blank(json, c, odd);
        if (m[i].word)
            put_string(json, m[i].word, c, odd);
        else
            put_number(json, m[i].number, c, odd);
        put_blank(json, c, odd);
        if (i + 1 < count)
            text_put(json, ",");
    }
}

static void put_legs(const struct world *w, const struct order *o, struct text *json, struct chance *c, bool odd)
{
    text_put(json, ",\"legs\":[");
    for (int i = 0; i < o->legs; i++) {
        const struct leg *l = &o->leg[i];
        struct member m[] = { { "symbol", w->thing[l->thing].symbol, 0 },
                              { "side", l->buy ? "Buy" : "Sell", 0 },
                              { "ratio", NULL, l->ratio * SCALE },
                              { "openClose", effect_word(l->effect), 0 } };

        text_put(json, "%s{", i ? "," : "");
        put_members(json, m, 4, c, odd);
        text_put(json, "}");
    }
    text_put(json, "]");
}

void order_write(const struct world *w, const struct order *o, struct chance *c, struct text *json)
{
    static const char *const securities[] = { "Stock", "Option", "Mleg" };
    const struct thing *t = &w->thing[o->leg[0].thing];
    bool odd = chance_in(c, 30);
    struct member m[12];
    int n = 0;

    m[n++] = (struct member){ "securityType", securities[o->form], 0 };
    m[n++] = (struct member){ "symbol", o->form == SPREAD ? w->thing[t->stock].symbol : t->symbol, 0 };
    m[n++] = (struct member){ "orderType", types[o->type], 0 };
    m[n++] = (struct member){ "orderQuantity", NULL, o->quantity * SCALE };
    m[n++] = (struct member){ "timeInForce", o->tif, 0 };
    m[n++] = (struct member){ "clientOrderId", o->id, 0 };
    m[n++] = (struct member){ "route", o->route, 0 };
    if (o->limit)
        m[n++] = (struct member){ "limitPrice", NULL, o->limit };
    if (o->stop)
        m[n++] = (struct member){ "stopPrice", NULL, o->stop };
    if (o->form != SPREAD)
        m[n++] = (struct member){ "side", o->leg[0].buy ? "Buy" : "Sell", 0 };
    if (o->form != SPREAD && o->leg[0].effect)
        m[n++] = (struct member){ "openClose", effect_word(o->leg[0].effect), 0 };
    if (w->accounts > 1 || chance_in(c, 50))
        m[n++] = (struct member){ "accountId", w->account[o->account].id, 0 };
    text_put(json, "{");
    put_members(json, m, n, c, odd);
    if (o->form == SPREAD)
        put_legs(w, o, json, c, odd);
    text_put(json, "}");
}
