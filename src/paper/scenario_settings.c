/*
 * The tables of all settings of a scenario.
 */
#include "paper/scenario_settings.h"

#include <stddef.h>

#include "base/buf.h"
#include "paper/paper.h"

#define SETTING(type, member, name, of_kind) .key = name, .kind = of_kind, .at = offsetof(type, member)

/* A setting that is a delay of the service, by the service's own clock. */
#define DELAY(member, usual, words)                                                                           \
    SETTING(struct og_paper_delays, member, #member, OG_SETTING_DURATION), .fallback = usual, .least = "0ms", \
                                                                           .most = "30d", .help = words
static const struct og_paper_setting delays[] = {
    { DELAY(acknowledge, "40ms", "from an order's arrival to its acknowledgement") },
    { DELAY(reject, "40ms", "from an order's arrival to a rejection found once it is routed") },
    { DELAY(fill, "60ms", "from the acknowledgement to the first try to fill") },
    { DELAY(cancel, "40ms", "from a cancel to Canceled") },
    { DELAY(legs, "300ms", "from a multi-leg order's arrival until look-ups show its legs") },
    { DELAY(known, "0ms", "until an order can be looked up and canceled") },
    { DELAY(hello, "5s", "between two hello messages on a stream until a client has signed in") },
    { DELAY(record, "1s", "from a closing fill until positions/closed has its record") },
    { DELAY(pnl, "0ms", "from a fill until the lot it changed has its P&L row") },
    { DELAY(offer, "1s", "from a locate quote to its offer") },
    { DELAY(credit, "5s", "until located shares given back are credited") },
    { DELAY(fee, "0ms", "until the cash ledger shows the cost of a locate") },
};

#define RATE(member, words)                                                                                            \
    SETTING(struct og_paper_rates, member, #member, OG_SETTING_NUMBER), .fallback = "0", .least = "0", .most = "1000", \
                                                                        .help = words
static const struct og_paper_setting rates[] = {
    { RATE(share, "commission a share") },
    { RATE(contract, "commission a contract") },
    { RATE(sale, "fee as a part of a sale's proceeds, such as 0.00003") },
};

#define MARGIN(member, name, of_kind) SETTING(struct og_paper_margin, member, name, of_kind)
static const struct og_paper_setting margin[] = {
    { MARGIN(naked, "naked", OG_SETTING_SHARE), .fallback = "20%", .least = "0%", .most = "100%",
      .help = "an uncovered short contract uses its premium plus this fraction of its underlying's price, less its "
              "distance "
              "out of the money" },
    { MARGIN(least, "nakedLeast", OG_SETTING_SHARE), .fallback = "10%", .least = "0%", .most = "100%",
      .help =
          "the least amount besides the premium, as a fraction of the underlying's price (for a put: of its strike)" },
    { MARGIN(working, "working", OG_SETTING_SWITCH), .fallback = "on",
      .help = "working orders use the buying power they need" },
};

static const struct og_paper_setting surface[] = {
    { SETTING(struct og_paper_surface, priced, "priced", OG_SETTING_SWITCH), .fallback = "on",
      .help = "contracts without a quote of their own are priced from their underlying" },
    { SETTING(struct og_paper_surface, time, "time", OG_SETTING_SHARE), .fallback = "0.8%", .least = "0%",
      .most = "100%",
      .help =
          "time value at the money: this fraction of the underlying's price times the square root of the days left, "
          "today included" },
    { SETTING(struct og_paper_surface, slope, "slope", OG_SETTING_SHARE), .fallback = "25%", .least = "0%",
      .most = "50%", .help = "the time value falls by this fraction of the distance between price and strike" },
    { SETTING(struct og_paper_surface, least, "least", OG_SETTING_NUMBER), .fallback = "0.02", .least = "0.01",
      .most = "100", .help = "lowest price of a contract" },
    { SETTING(struct og_paper_surface, spread, "spread", OG_SETTING_NUMBER), .fallback = "0.01", .least = "0",
      .most = "100", .help = "dollars between the mid price and the bid, and between the mid price and the ask" },
    { SETTING(struct og_paper_surface, spread_share, "spreadShare", OG_SETTING_SHARE), .fallback = "0.5%",
      .least = "0%", .most = "50%", .help = "fraction of the mid price that is added to `spread`" },
};

#define SWITCH(member, usual, words) \
    SETTING(struct og_paper_switches, member, #member, OG_SETTING_SWITCH), .fallback = usual, .help = words
#define CHOICE(name, member, list, words_of_it) \
    SETTING(struct og_paper_switches, member, name, OG_SETTING_WORD), .words = list, .help = words_of_it
static const char *const rejection_words[] = { "at_once", "later", NULL };
static const char *const side_words[] = { "named", "strict", NULL };
static const char *const leg_words[] = { "fill", "reject", NULL };
static const char *const envelope_words[] = { "action", "typed", NULL };
static const char *const push_words[] = { "websocket", "clean", NULL };
static const char *const expiry_words[] = { "shares", "cash", NULL };
static const struct og_paper_setting switches[] = {
    { SWITCH(accepted, "off", "an acknowledged order is Accepted first, and New when it is first tried") },
    { CHOICE("rejections", late_rejections, rejection_words,
             "paper accounts learn of rejections in the answer, or later as live ones do") },
    { SWITCH(early_subset, "off", "an order rejected at once is answered with six fields only") },
    { SWITCH(r78_text, "on", "R78 rejections have their text; off: null") },
    { SWITCH(r95_positions, "off", "an opening order is rejected with R95 also if the opposite position is held") },
    { SWITCH(duplicate_replaces, "off", "look-ups of an id that was used twice show the rejected second order") },
    { CHOICE("one_sided", strict_sides, side_words,
             "straddles, strangles and married puts are accepted, or rejected like all one-sided sets") },
    { CHOICE("four_leg_market", four_leg_refusal, leg_words, "market orders of four legs fill or are rejected") },
    { CHOICE("expiry", cash_expiry, expiry_words, "options in the money at expiry become shares, or money") },
    { CHOICE("envelope", typed_envelope, envelope_words,
             "stream messages name their kind in action and subscription, or as {type, data}") },
    { CHOICE("pushes", clean_pushes, push_words, "order pushes have the WebSocket shape or the clean one") },
    { SWITCH(bare_inventory, "off", "the inventory of a paper account is a bare array") },
    { SWITCH(bare_routes, "off", "routes are a bare array") },
    { SWITCH(gzip, "on", "account documents are compressed if the client accepts it") },
    { SWITCH(asleep, "off", "the platform sleeps: no accounts, account paths answer 404, streams end subscriptions") },
    { SETTING(struct og_paper_switches, placeholder, "placeholder", OG_SETTING_TEXT), .fallback = "",
      .help = "text of accepted orders of paper accounts; empty: null" },
};

#define FIGURE(index, name, usual, low, words)                                                                 \
    SETTING(struct og_paper_account, figure[index], name, OG_SETTING_NUMBER), .fallback = usual, .least = low, \
                                                                              .most = "1000000000000", .help = words
#define OWED "-1000000000000"
static const struct og_paper_setting account[] = {
    { SETTING(struct og_paper_account, type, "accountType", OG_SETTING_TEXT), .fallback = "Paper",
      .help = "Paper, or anything else for an account that behaves as a live one" },
    { SETTING(struct og_paper_account, status, "accountStatus", OG_SETTING_TEXT), .fallback = "Active",
      .help = "only Active accounts may trade" },
    { FIGURE(OG_FIG_CASH, "availableCash", "1000000", OWED, "settled cash") },
    { FIGURE(OG_FIG_LEVERAGE, "leverage", "1", "1", "buying power as a multiple of cash") },
    { FIGURE(OG_FIG_BP, "bp", NULL, OWED, "buying power (cash x leverage)") },
    { FIGURE(OG_FIG_OVERNIGHT_BP, "overnightBp", NULL, OWED, "(bp)") },
    { FIGURE(OG_FIG_SOD_EQUITY, "sodEquity", NULL, OWED, "(cash and the positions at their price)") },
    { FIGURE(OG_FIG_EQUITY, "equity", NULL, OWED, "pinned (computed)") },
    { FIGURE(OG_FIG_MARGIN_RATIO, "marginRatio", NULL, OWED, "pinned, percent (computed)") },
    { FIGURE(OG_FIG_USED_LEVERAGE, "usedLeverage", NULL, "0", "pinned (computed)") },
    { FIGURE(OG_FIG_OPTION_CASH, "optionCashTotalBalance", NULL, OWED, "pinned (computed)") },
    { FIGURE(OG_FIG_MAINTENANCE_DEFICIT, "maintenanceDeficit", "0", "0", "shortfall against maintenance margin") },
    { FIGURE(OG_FIG_MARGIN_DEFICIT, "marginDeficit", "0", "0", "shortfall against initial margin") },
    { SETTING(struct og_paper_account, figure[OG_FIG_LEVEL], "optLevel", OG_SETTING_NUMBER), .fallback = "4",
      .least = "0", .most = "4", .help = "option approval level" },
    { FIGURE(OG_FIG_REALIZED, "realized", "0", OWED, "profit and loss realized in the previous session") },
    { FIGURE(OG_FIG_SHARES_TRADED, "sharesTraded", "0", "0", "shares traded in the previous session") },
    { FIGURE(OG_FIG_CONTRACTS_TRADED, "optContractsTraded", "0", "0", "contracts traded in the previous session") },
    { FIGURE(OG_FIG_COMMISSIONS, "totalCommissions", "0", "0", "commissions of the previous session") },
    { FIGURE(OG_FIG_LOCATE_COSTS, "totalLocateCosts", "0", "0", "cost of locates in the previous session") },
    { SETTING(struct og_paper_account, created, "created", OG_SETTING_INSTANT), .fallback = NULL,
      .help = "when the account was created; by default when the service started" },
    { SETTING(struct og_paper_account, linked, "linked", OG_SETTING_SWITCH), .fallback = "off",
      .help = "linked to a live account; a paper account without a link expires after 30 days" },
};

static const char *const sides[] = { "Long", "Short", NULL };
static const char *const days[] = { "Day", "Overnight", NULL };
#define POSITION(member, name, of_kind) SETTING(struct og_paper_position_item, member, name, of_kind)
static const struct og_paper_setting position[] = {
    { POSITION(symbol, "symbol", OG_SETTING_TEXT), .help = "a ticker or an OCC contract" },
    { POSITION(short_side, "side", OG_SETTING_WORD), .words = sides, .help = "which side" },
    { POSITION(shares, "shares", OG_SETTING_NUMBER), .least = "0.000001", .most = "1000000000",
      .help = "shares or contracts; required" },
    { POSITION(price, "priceAvg", OG_SETTING_NUMBER), .fallback = "0", .least = "0", .most = "10000000",
      .help = "average price" },
    { POSITION(overnight, "dayOvernight", OG_SETTING_WORD), .words = days,
      .help = "whether the position was opened today, or carried over from an earlier day" },
};

#define CASH(member, of_kind) SETTING(struct og_paper_cash_item, member, #member, of_kind)
static const struct og_paper_setting cash[] = {
    { CASH(type, OG_SETTING_TEXT), .help = "kind of the row, such as Deposit or Dividend" },
    { CASH(date, OG_SETTING_TEXT), .help = "YYYY-MM-DD; required" },
    { CASH(deposit, OG_SETTING_NUMBER), .fallback = "0", .least = "0", .most = "1000000000000",
      .help = "dollars deposited into the account" },
    { CASH(withdraw, OG_SETTING_NUMBER), .fallback = "0", .least = "0", .most = "1000000000000",
      .help = "dollars withdrawn from the account" },
    { CASH(note, OG_SETTING_TEXT), .fallback = "", .help = "the row's note" },
};

static const struct og_paper_setting key[] = {
    { SETTING(struct og_paper_key, secret, "secret", OG_SETTING_TEXT), .help = "required" },
    { SETTING(struct og_paper_key, disabled, "disabled", OG_SETTING_SWITCH), .fallback = "off",
      .help = "sign-in with this key fails" },
};

const char *const og_paper_borrow_words[] = { "easy", "hard", "threshold", "restricted", NULL };
#define SYMBOL(member, name, of_kind) SETTING(struct og_paper_symbol_item, member, name, of_kind)
#define PRICE(at, name, doc)          SYMBOL(at, name, OG_SETTING_NUMBER), .least = "0", .most = "10000000", .help = doc
#define SIZE(member, name, usual, words) \
    SYMBOL(member, name, OG_SETTING_WHOLE), .fallback = usual, .least = "0", .most = "1000000000000", .help = words
static const struct og_paper_setting symbol[] = {
    { PRICE(bid, "bid", "without bid, ask and last there is no quote") },
    { PRICE(ask, "ask", "not below bid") },
    { PRICE(last, "last", "(the middle of bid and ask)") },
    { SIZE(bid_size, "bidSize", NULL, "largest size of one fill (no limit)") },
    { SIZE(ask_size, "askSize", NULL, "largest size of one fill (no limit)") },
    { SYMBOL(borrow, "borrow", OG_SETTING_WORD), .words = og_paper_borrow_words,
      .help = "what a short sale needs on a live account" },
    { SIZE(available, "available", "0", "shares that can be located") },
    { SIZE(available_single, "availableSingleUse", "0",
           "shares of a threshold symbol that can be located for single use") },
    { SYMBOL(locate_price, "locatePrice", OG_SETTING_NUMBER), .fallback = "0.02", .least = "0", .most = "10000",
      .help = "a share" },
    { SYMBOL(single_price, "singleUsePrice", OG_SETTING_NUMBER), .fallback = "0.01", .least = "0", .most = "10000",
      .help = "a share" },
    { SYMBOL(option_time, "optionTime", OG_SETTING_SHARE), .least = "0%", .most = "100%",
      .help = "time value of its contracts at the money, instead of the surface's time" },
};

#define WALK(member, of_kind) SETTING(struct og_paper_random_walk_item, member, #member, of_kind)
static const struct og_paper_setting walk[] = {
    { WALK(every, OG_SETTING_DURATION), .fallback = "1s", .least = "10ms", .most = "1d", .help = "between two steps" },
    { WALK(step, OG_SETTING_SHARE), .fallback = "10bps", .least = "0.1bps", .most = "50%",
      .help = "largest change of the last price in one step" },
    { WALK(least, OG_SETTING_NUMBER), .fallback = "0.01", .least = "0.0001", .most = "10000000",
      .help = "the last price never falls below this" },
    { WALK(most, OG_SETTING_NUMBER), .fallback = "1000000", .least = "0.0001", .most = "10000000",
      .help = "the last price never rises above this" },
};

#define ROUTE(member, name) SETTING(struct og_paper_route_item, member, name, OG_SETTING_SWITCH), .fallback = "off"
static const struct og_paper_setting route[] = {
    { ROUTE(use_display_qty, "useDisplayQty"), .help = "useDisplayQty of the route in GET routes" },
    { ROUTE(paper, "paper"), .help = "on: only paper accounts have this route; off: only live accounts have it; an "
                                     "account with its own list of routes has just the routes in that list" },
};

static const struct og_paper_setting limit[] = {
    { SETTING(struct og_paper_limit, rate, "rate", OG_SETTING_WHOLE), .least = "1", .most = "1000000",
      .help = "requests a second" },
    { SETTING(struct og_paper_limit, burst, "burst", OG_SETTING_WHOLE), .least = "1", .most = "1000000",
      .help = "burst: requests that may arrive together before the rate limits them" },
};

static const struct og_paper_setting replay[] = {
    { SETTING(struct og_paper_replay_item, file, "file", OG_SETTING_TEXT),
      .help = "CSV or NDJSON of time, symbol, bid, ask, last, bidSize, askSize; relative to the scenario's folder" },
};

#define TABLE(table) table, sizeof(table) / sizeof(table[0])
const struct og_paper_section og_paper_sections[OG_SECTION_COUNT] = {
    [OG_SECTION_DELAYS] = { "delays", TABLE(delays), offsetof(struct og_paper, delays) },
    [OG_SECTION_RATES] = { "rates", TABLE(rates), offsetof(struct og_paper, rates) },
    [OG_SECTION_MARGIN] = { "margin", TABLE(margin), offsetof(struct og_paper, margin) },
    [OG_SECTION_SURFACE] = { "surface", TABLE(surface), offsetof(struct og_paper, market.surface) },
    [OG_SECTION_SWITCHES] = { "switches", TABLE(switches), offsetof(struct og_paper, switches) },
    [OG_SECTION_ACCOUNT] = { "accounts.*", TABLE(account), 0 },
    [OG_SECTION_POSITION] = { "accounts.*.positions[]", TABLE(position), 0 },
    [OG_SECTION_CASH] = { "accounts.*.cashHistory[]", TABLE(cash), 0 },
    [OG_SECTION_KEY] = { "keys.*", TABLE(key), 0 },
    [OG_SECTION_SYMBOL] = { "symbols.*", TABLE(symbol), 0 },
    [OG_SECTION_WALK] = { "symbols.*.walk", TABLE(walk), 0 },
    [OG_SECTION_ROUTE] = { "routes.*", TABLE(route), 0 },
    [OG_SECTION_LIMIT] = { "limits.*", TABLE(limit), 0 },
    [OG_SECTION_REPLAY] = { "replay", TABLE(replay), 0 },
};

/* Returns the default of a setting as text. A setting of kind WORD without a default has the first of its words; "-" if
 * there is no default. */
static const char *usual(const struct og_paper_setting *s)
{
    return s->fallback ? s->fallback : s->kind == OG_SETTING_WORD ? s->words[0] : "-";
}

void og_paper_scenario_settings_list(struct og_buf *b)
{
    char allowed[200];
    size_t i, k;

    for (i = 0; i < OG_SECTION_COUNT; i++)
        for (k = 0; k < og_paper_sections[i].count; k++) {
            const struct og_paper_setting *s = &og_paper_sections[i].table[k];

            og_paper_setting_allowed(s, allowed, sizeof allowed);
            og_buf_format(b, "%s.%s\t%s\t%s\t%s\n", og_paper_sections[i].path, s->key, allowed, usual(s), s->help);
        }
}
