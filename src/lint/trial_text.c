/*
 * Writes a trial order, and the facts made up for it, as JSON.
 */
#include "lint/trial_text.h"

#include "base/time.h"

static struct og_synthetic_leg leg_of(const struct og_trial *s, const struct og_trial_order *p, bool first)
{
    struct og_synthetic_leg leg = { .side = first == (p->side != OG_SELL) ? OG_BUY : OG_SELL,
                                    .open_close = p->open_close == OG_CLOSE ? OG_CLOSE : OG_OPEN,
                                    .ratio = 1 };

    og_trial_option_symbol(s, og_str_of(p->symbol), 'C', first ? 100 : 105, leg.symbol);
    if (first && p->covered) {
        memcpy(leg.symbol, p->symbol, sizeof leg.symbol);
        leg.ratio = 100;
    }
    return leg;
}

/* --- facts -------------------------------------------------------------------------------------------------------- */

static struct og_money add_cents(struct og_money m, int64_t more)
{
    struct og_money out;

    return og_money_add(m, (struct og_money){ more, 2 }, &out) && out.coef > 0 ? out : m;
}

static void append_quote(struct og_buf *b, const char *before, struct og_str symbol, struct og_money bid,
                         struct og_money ask)
{
    og_buf_text(b, before);
    og_buf_json_str(b, symbol);
    og_buf_text(b, ":{\"bid\":");
    og_buf_money(b, bid);
    og_buf_text(b, ",\"ask\":");
    og_buf_money(b, ask);
    og_buf_text(b, ",\"last\":");
    og_buf_money(b, bid);
    og_buf_char(b, '}');
}

/* Append quotes a cent around the price; for a stop order, on the side of the stop price on which the order is not
 * triggered. */
static void append_quotes(const struct og_trial *s, const struct og_trial_order *p, struct og_buf *b)
{
    struct og_money bid = p->bid, ask = p->ask, hundred = og_money_from(100);
    int64_t shift = p->type == OG_STOP || p->type == OG_STOP_LIMIT ? p->side == OG_BUY ? -5 : 5 : 0;
    struct og_occ occ;

    if (bid.coef == 0)
        bid = add_cents(p->price, shift - 1);
    if (ask.coef == 0)
        ask = add_cents(p->price, shift + 1);
    og_occ_read(og_str_of(p->symbol), &occ);
    append_quote(b, ",\"quotes\":{", og_str_of(p->symbol), bid, ask);
    if (occ.is)
        append_quote(b, ",", occ.root, hundred, hundred);
    if (p->security == OG_MLEG) {
        char leg[OG_TRIAL_SYMBOL];

        og_trial_option_symbol(s, og_str_of(p->symbol), 'C', 100, leg);
        append_quote(b, ",", og_str_of(leg), (struct og_money){ 499, 2 }, (struct og_money){ 501, 2 });
        og_trial_option_symbol(s, og_str_of(p->symbol), 'C', 105, leg);
        append_quote(b, ",", og_str_of(leg), (struct og_money){ 299, 2 }, (struct og_money){ 301, 2 });
    }
    og_buf_char(b, '}');
}

static bool has_fact(const struct og_trial_order *p, enum og_fact fact)
{
    return !(p->without & (unsigned)fact);
}

static void append_account(const char *type, const struct og_trial_order *p, struct og_buf *b)
{
    const char *money = p->poor ? "1000000" : "1000000000";

    og_buf_text(b, ",\"accountId\":");
    og_buf_json_str(b, og_str_of(p->account));
    if (has_fact(p, OG_FACT_ACCOUNT)) {
        og_buf_text(b, ",\"account\":{\"account\":");
        og_buf_json_str(b, og_str_of(p->account));
        og_buf_format(b,
                      ",\"accountStatus\":\"Active\",\"accountType\":\"%s\",\"bp\":%s,\"overnightBp\":%s,"
                      "\"availableCash\":%s,\"equity\":%s,\"sodEquity\":%s,\"optLevel\":4,\"optionTradingLevel\":4,"
                      "\"marginDeficit\":0,\"maintenanceDeficit\":0}",
                      type, money, money, money, money, money);
    }
    if (!has_fact(p, OG_FACT_ACCOUNT_LIST))
        return;
    og_buf_text(b, ",\"accountList\":[{\"account\":");
    og_buf_json_str(b, og_str_of(p->account));
    og_buf_format(b, ",\"accountType\":\"%s\",\"accountStatus\":\"Active\"}]", type);
}

static void append_route(const struct og_trial_order *p, struct og_buf *b)
{
    og_buf_text(b, ",\"routes\":[{\"routeName\":");
    og_buf_json_str(b, p->route[0] ? og_str_of(p->route) : OG_STR("SMART"));
    og_buf_text(b, ",\"securityTypes\":[\"Stock\",\"Option\",\"MLEG\"],\"timesInForce\":[");
    for (int tif = OG_DAY; tif <= OG_GTC_PLUS; tif++)
        og_buf_format(b, "%s\"%s\"", tif > OG_DAY ? "," : "", og_tif_name((enum og_tif)tif));
    og_buf_text(b, "]}]");
}

/* Append facts about the symbol: whether it is easy to borrow, that it trades, and its average volume. */
static void append_symbol_facts(const struct og_trial_order *p, struct og_buf *b)
{
    struct og_occ occ;
    struct og_str symbol = og_str_of(p->symbol);

    og_occ_read(symbol, &occ);
    if (has_fact(p, OG_FACT_BORROW)) {
        og_buf_text(b, ",\"borrow\":{");
        og_buf_json_str(b, occ.is ? occ.root : symbol);
        og_buf_text(b, p->hard ? ":false}" : ":true}");
    }
    if (has_fact(p, OG_FACT_SYMBOL_STATUS)) {
        og_buf_text(b, ",\"symbolStatus\":{");
        og_buf_json_str(b, occ.is ? occ.root : symbol);
        og_buf_text(b, ":{\"halted\":false,\"paused\":false,\"shortSaleRestricted\":false}}");
    }
    if (has_fact(p, OG_FACT_VOLUME)) {
        og_buf_text(b, ",\"averageVolume\":{");
        og_buf_json_str(b, occ.is ? occ.root : symbol);
        og_buf_text(b, p->poor ? ":10000}" : ":1000000000}");
    }
}

static void append_position(struct og_buf *b, const char *symbol, enum og_side closing, int64_t shares)
{
    og_buf_text(b, "{\"symbol\":");
    og_buf_json_str(b, og_str_of(symbol));
    og_buf_format(b, ",\"side\":\"%s\",\"shares\":%lld,\"priceAvg\":1,\"dayOvernight\":\"Overnight\"}",
                  closing == OG_SELL ? "Long" : "Short", (long long)shares);
}

static void append_positions(const struct og_trial *s, const struct og_trial_order *p, struct og_buf *b)
{
    og_buf_text(b, ",\"positions\":[");
    if (p->held && p->security != OG_MLEG)
        append_position(b, p->symbol, p->side, p->quantity);
    for (int i = 0; p->held && p->security == OG_MLEG && i < 2; i++) {
        const struct og_synthetic_leg leg = leg_of(s, p, i == 0);

        if (i)
            og_buf_char(b, ',');
        append_position(b, leg.symbol, leg.side, p->quantity * leg.ratio);
    }
    og_buf_char(b, ']');
}

void og_trial_write_facts(const struct og_trial *s, const struct og_trial_order *p, const char *environment,
                          struct og_buf *b)
{
    static const struct {
        enum og_fact fact;
        const char *text;
    } rest[] = {
        { OG_FACT_ORDERS, ",\"orders\":[]" },
        { OG_FACT_USED_IDS, ",\"usedClientOrderIds\":[]" },
        { OG_FACT_LOCATES, ",\"locateInventory\":[]" },
        { OG_FACT_LOCATE_HISTORY, ",\"locateHistory\":[]" },
        { OG_FACT_GATE, ",\"gate\":{\"ordersLastSecond\":0,\"ordersLastMinute\":0,\"ordersToday\":0,"
                        "\"rejectionsInARow\":0,\"trading\":\"on\"" }, /* no closing brace: the latches may follow */
    };

    og_buf_reset(b);
    if (p->bare)
        return;
    og_buf_format(b, "{\"asOf\":\"%s\"", og_time_text(p->at).s);
    append_account(environment, p, b);
    if (has_fact(p, OG_FACT_ROUTES))
        append_route(p, b);
    if (has_fact(p, OG_FACT_QUOTE))
        append_quotes(s, p, b);
    append_symbol_facts(p, b);
    if (has_fact(p, OG_FACT_POSITIONS))
        append_positions(s, p, b);
    if (has_fact(p, OG_FACT_PNL))
        og_buf_text(b, p->lost ? ",\"pnl\":{\"dayPnl\":-100000000}" : ",\"pnl\":{\"dayPnl\":0}");
    for (size_t i = 0; i < sizeof rest / sizeof *rest; i++)
        if (has_fact(p, rest[i].fact))
            og_buf_text(b, rest[i].text);
    if (has_fact(p, OG_FACT_GATE) && p->latch)
        og_buf_format(b, ",\"latches\":[{\"latch\":\"%s\",\"value\":1000000000,\"limit\":1,\"until\":\"resumed\"}]",
                      p->latch);
    og_buf_text(b, has_fact(p, OG_FACT_GATE) ? "}}" : "}");
}

/* --- the order ---------------------------------------------------------------------------------------------------- */

void og_trial_write_order(const struct og_trial *s, const struct og_trial_order *p, struct og_buf *b)
{
    const struct og_synthetic_order order = { .security = p->security,
                                              .symbol = p->symbol,
                                              .side = p->side,
                                              .open_close = p->open_close,
                                              .type = og_order_type_name(p->type),
                                              .tif = og_tif_name(p->tif),
                                              .quantity = og_money_from(p->quantity),
                                              .limit = p->price,
                                              .stop = p->price,
                                              .client_id = p->client_id,
                                              .tag = p->tag[0] ? p->tag : NULL,
                                              .route = p->route[0] ? p->route : NULL,
                                              .leg = { leg_of(s, p, true), leg_of(s, p, false) },
                                              .legs = p->security == OG_MLEG ? 2 : 0 };

    og_buf_reset(b);
    og_buf_char(b, '{');
    og_synthetic_write(&order, b);
    og_buf_char(b, '}');
}
