/*
 * The broker's documents, written as the service writes them.
 */
#include "world.h"

static const char *const status_names[] = { "PendingNew", "New",      "PartiallyFilled", "PendingCancel",
                                            "Filled",     "Canceled", "Rejected" };

/* Put the text, in quotes; "": null. */
static void put_text(struct text *t, const char *text)
{
    if (text[0] != '\0')
        text_put(t, "\"%s\"", text);
    else
        text_put(t, "null");
}

/* The keys that both shapes have. */
static void put_common(const struct order *o, struct text *t)
{
    const struct symbol *s = &w.symbol[o->symbol];

    text_put(t, "\"orderStatus\":\"%s\",\"text\":", status_names[o->status]);
    put_text(t, o->text);
    text_put(t,
             ",\"executed\":%ld,\"leavesQuantity\":%ld,\"orderQuantity\":%ld,\"lastPrice\":%ld,\"limitPrice\":%ld,"
             "\"priceStop\":%ld,\"priceAvg\":%ld,\"openClose\":\"%s\",\"orderType\":\"%s\",\"securityType\":\"Stock\","
             "\"symbol\":\"%s\",\"tradedSymbol\":\"%s\",\"strikePrice\":0,\"timeInForce\":\"Day\",\"route\":\"PAPER\","
             "\"legCount\":0,\"legs\":null",
             o->executed, leaves(o), o->quantity, o->fills > 0 ? s->price : 0, o->stops ? 0 : o->price,
             o->stops ? o->price : 0, o->fills > 0 ? s->price : 0, o->opens ? "Open" : "Close",
             o->stops ? "Stop" : "Limit", s->name, s->name);
}

static long canceled(const struct order *o)
{
    return o->status == CANCELED || o->status == REJECTED ? o->quantity - o->executed : 0;
}

void row_text(const struct order *o, struct text *t)
{
    text_put(t, "{\"accountId\":\"" ACCOUNT "\",\"clientOrderId\":\"%s\",\"canceledQuantity\":%ld,\"side\":\"%s\",",
             o->id, canceled(o),
             o->buy     ? "Buy"
             : o->opens ? "SellShort"
                        : "Sell");
    put_common(o, t);
    text_put(t, "}");
}

void frame_text(const struct order *o, struct text *t)
{
    text_put(t,
             "{\"account\":\"" ACCOUNT "\",\"userOrderId\":\"" ACCOUNT ":%s\",\"cancelledQuantity\":%ld,\"lvsQty\":%ld,"
             "\"status\":\"%s\",\"accountType\":\"Paper\",\"side\":\"%s\",",
             o->id, canceled(o), leaves(o), status_names[o->status], o->buy ? "Buy" : "Sell");
    put_common(o, t);
    text_put(t, "}");
}

void positions_text(struct text *t)
{
    const char *before = "";

    text_put(t, "{\"positions\":[");
    for (int i = 0; i < SYMBOLS; i++) {
        const struct symbol *s = &w.symbol[i];
        const long shares = held(i, true);

        if (shares == 0)
            continue;
        text_put(t,
                 "%s{\"accountId\":\"" ACCOUNT "\",\"positionId\":\"%d\",\"symbol\":\"%s\",\"tradedSymbol\":null,"
                 "\"rootSymbol\":null,\"securityType\":\"Stock\",\"side\":\"%s\",\"shares\":%ld,\"priceAvg\":%ld,"
                 "\"priceOpen\":%ld,\"priceClose\":0,\"priceStrike\":0,\"putCall\":\"None\",\"dayOvernight\":\"Day\","
                 "\"marginRequirement\":0,\"maintenanceRequirement\":0}",
                 before, 100 + i, s->name, s->is_long == (shares > 0) ? "Long" : "Short", shares > 0 ? shares : -shares,
                 s->price, s->price);
        before = ",";
    }
    text_put(t, "]}");
}

void account_text(struct text *t)
{
    long power = 1000000;

    for (int i = 0; i < SYMBOLS; i++)
        power -= held(i, true) * w.symbol[i].price;
    for (int i = 0; i < w.orders; i++)
        if (w.order[i].opens)
            power -= leaves(&w.order[i]) * w.symbol[w.order[i].symbol].price;
    text_put(t,
             "{\"account\":\"" ACCOUNT
             "\",\"accountStatus\":\"Active\",\"accountType\":\"Paper\",\"availableCash\":%ld,"
             "\"bp\":%ld,\"equity\":1000000,\"leverage\":4,\"maintenanceDeficit\":0,\"marginDeficit\":0,"
             "\"marginRatio\":100,\"optContractsTraded\":0,\"optLevel\":4,\"optionTradingLevel\":4,"
             "\"optionCashTotalBalance\":0,\"overnightBp\":%ld,\"realized\":0,\"sharesTraded\":0,\"sodEquity\":1000000,"
             "\"totalCommissions\":0,\"totalLocateCosts\":0,\"usedLeverage\":0}",
             power, power, power);
}
