/*
 * The checks of the paper brokerage, in sequence; the first one that rejects determines the answer. They are written
 * from the service's document alone, and share no code with the gate's rules.
 *
 * In the answer to the POST: R114, openClose, R54, R78, R145, R88, R95. After routing, on live accounts: R118 and the
 * R24 family; R152 on every account. For paper accounts every rejection except R152 is in the answer, in plain words if
 * no code is known.
 */
#include "paper/decide.h"

#include <stdarg.h>
#include <stdio.h>

#include "paper/account.h"
#include "paper/cost.h"
#include "paper/hours.h"
#include "paper/locate_inventory.h"
#include "paper/paper.h"

#define MOST_LIVE_ID 36

/* One check. Returns true if it rejects the order, in which case it has called reject(). */
typedef bool decision(struct og_paper_order *o, struct og_paper_verdict *v);

static bool reject(struct og_paper_verdict *v, const char *format, ...) __attribute__((format(printf, 2, 3)));
static bool reject(struct og_paper_verdict *v, const char *format, ...)
{
    va_list args;

    va_start(args, format);
    vsnprintf(v->text, sizeof v->text, format, args);
    va_end(args);
    v->rejected = true;
    return true;
}

static int shown_len(struct og_str s)
{
    return s.len > 40 ? 40 : (int)s.len;
}

/* --- checks before routing ---------------------------------------------------------------------------------------- */

static bool check_used_id(struct og_paper_order *o, struct og_paper_verdict *v)
{
    return og_map_get(&o->account->ids, o->ticket.id) && reject(v, "R114: Invalid duplicate UserOrderId");
}

static bool check_open_close(struct og_paper_order *o, struct og_paper_verdict *v)
{
    struct og_paper_ticket *t = &o->ticket;
    int i;

    for (i = 0; i < t->legs; i++)
        if (t->leg[i].effect == OG_TICKET_EFFECT_INVALID)
            return reject(v, "Invalid openClose value in leg %d", i);
    if (t->security == OG_TICKET_MLEG)
        return false;
    v->effect_derived = t->effect == OG_TICKET_EFFECT_NONE;
    if (v->effect_derived) /* an option order without openClose closes, if there is a position to close */
        t->effect = o->symbol && og_paper_account_held(o->account, o->symbol, t->side == OG_TICKET_SIDE_SELL) > 0
                        ? OG_TICKET_EFFECT_CLOSE
                        : OG_TICKET_EFFECT_OPEN;
    return t->effect == OG_TICKET_EFFECT_INVALID && reject(v, "Invalid openClose value");
}

static bool all_options(const struct og_paper_order *o)
{
    struct og_paper_contract contract;
    int i;

    for (i = 0; i < o->ticket.legs; i++)
        if (!og_paper_contract_read(o->ticket.leg[i].symbol, &contract))
            return false;
    return true;
}

static bool check_route(struct og_paper_order *o, struct og_paper_verdict *v)
{
    struct og_paper_ticket *t = &o->ticket;

    v->assigned = !t->route.len && o->account->paper;
    if (v->assigned)
        t->route = t->security == OG_TICKET_MLEG && all_options(o) ? OG_STR("PAPERM") : OG_STR("PAPER");
    return !og_paper_account_route(o->account, t->route) && reject(v, "R54: Unable to reach the destination route");
}

static bool check_market_hours(struct og_paper_order *o, struct og_paper_verdict *v)
{
    return o->ticket.type == OG_TICKET_TYPE_MARKET &&
           !og_paper_hours_regular(o->paper, og_paper_clock_now(&o->paper->clock)) &&
           reject(v, "%s", o->paper->switches.r78_text ? "R78: Market orders are not allowed at this time" : "");
}

static bool check_four_legs(struct og_paper_order *o, struct og_paper_verdict *v)
{
    return o->paper->switches.four_leg_refusal && o->ticket.type == OG_TICKET_TYPE_MARKET && o->ticket.legs == 4 &&
           reject(v, "Market orders of four legs are not supported");
}

static bool check_limit_price(struct og_paper_order *o, struct og_paper_verdict *v)
{
    const struct og_paper_ticket *t = &o->ticket;

    if (t->type != OG_TICKET_TYPE_LIMIT && t->type != OG_TICKET_TYPE_STOP_LIMIT)
        return false;
    if (t->limit <= 0)
        return reject(v, "R145: Negative or invalid price");
    return t->security == OG_TICKET_STOCK && t->limit >= OG_DEC_ONE && t->limit % OG_DEC_CENT != 0 &&
           reject(v, "R145: Invalid price, more than two decimals at or above 1.00");
}

static bool check_stop_price(struct og_paper_order *o, struct og_paper_verdict *v)
{
    struct og_paper_ticket *t = &o->ticket;

    if (t->type != OG_TICKET_TYPE_STOP && t->type != OG_TICKET_TYPE_STOP_LIMIT)
        return false;
    if (t->security == OG_TICKET_MLEG && t->type == OG_TICKET_TYPE_STOP_LIMIT && !t->has_stop)
        t->stop = t->limit;
    if (t->stop < 0)
        return reject(v, "R145: Negative or invalid price");
    return t->stop == 0 && reject(v, "R88: Invalid stop price");
}

#define R95 "R95: Opening buy and sell orders on the same symbol at the same time"

static bool check_opposite_opening(struct og_paper_order *o, struct og_paper_verdict *v)
{
    const struct og_paper_order *other;

    if (o->ticket.security == OG_TICKET_MLEG || o->ticket.effect != OG_TICKET_EFFECT_OPEN || v->effect_derived)
        return false; /* this check concerns only orders whose openClose says that they open */
    if (o->paper->switches.r95_positions && o->symbol &&
        og_paper_account_held(o->account, o->symbol, o->ticket.side == OG_TICKET_SIDE_SELL) > 0)
        return reject(v, R95);
    for (other = o->account->working; other; other = other->next_working)
        if (other->ticket.security != OG_TICKET_MLEG && other->ticket.effect == OG_TICKET_EFFECT_OPEN &&
            other->ticket.side != o->ticket.side && other->status != OG_ST_PENDING_CANCEL &&
            other->status != OG_ST_DONE_FOR_DAY && og_str_eq(other->ticket.symbol, o->ticket.symbol))
            return reject(v, R95);
    return false;
}

/* --- checks after routing, on live accounts ----------------------------------------------------------------------- */

static bool leg_belongs(const struct og_paper_order *o, int leg)
{
    struct og_paper_contract contract;
    struct og_str name = o->ticket.leg[leg].symbol;

    return og_str_eq(og_paper_contract_read(name, &contract) ? contract.root : name, o->ticket.symbol);
}

/* Returns true if the legs are contracts of several underlyings: the order's cost cannot be computed then, and R152
 * rejects the order. */
static bool has_mixed_roots(const struct og_paper_order *o)
{
    struct og_paper_contract one, first = { .strike = 0 };
    int i;

    for (i = 0; i < o->ticket.legs; i++)
        if (og_paper_contract_read(o->ticket.leg[i].symbol, &one)) {
            if (first.root.len && !og_str_eq(one.root, first.root))
                return true;
            first = one;
        }
    return false;
}

static bool has_foreign_leg(const struct og_paper_order *o)
{
    int i;

    for (i = 0; i < o->ticket.legs; i++)
        if (!leg_belongs(o, i))
            return true;
    return false;
}

static bool check_stop_side(struct og_paper_order *o, struct og_paper_verdict *v)
{
    const struct og_paper_ticket *t = &o->ticket;
    struct og_paper_quote q;

    if ((t->type != OG_TICKET_TYPE_STOP && t->type != OG_TICKET_TYPE_STOP_LIMIT) || t->security == OG_TICKET_MLEG ||
        !o->symbol || !og_paper_market_quote(&o->paper->market, o->symbol, &q))
        return false;
    if (t->side == OG_TICKET_SIDE_BUY ? t->stop > q.ask : t->stop < q.bid)
        return false;
    v->invalid_id = !o->account->paper;
    return reject(v, "R118: Stop price is on the wrong side of the quote");
}

static bool check_time_in_force(struct og_paper_order *o, struct og_paper_verdict *v)
{
    const struct og_route_info *r = og_paper_account_route(o->account, o->ticket.route);
    const char *tif = og_paper_tifs[o->ticket.tif];

    return !o->account->paper && !og_str_is_one_of(og_str_of(tif), r->times_in_force) &&
           reject(v, "time in force %s is not supported on route %s", tif, r->name);
}

static bool check_security_type(struct og_paper_order *o, struct og_paper_verdict *v)
{
    const struct og_route_info *r = og_paper_account_route(o->account, o->ticket.route);
    const char *type = o->ticket.security == OG_TICKET_MLEG ? "MLEG" : og_paper_securities[o->ticket.security];

    if (v->assigned)
        return false; /* spreads with stock are assigned to the route PAPER, which accepts them although its list lacks
                       * MLEG */
    return !og_str_is_one_of(og_str_of(type), r->security_types) &&
           reject(v, "route %s does not take %s orders", r->name, type);
}

static bool check_buying_power(struct og_paper_order *o, struct og_paper_verdict *v)
{
    int64_t bp = og_paper_account_bp(o->account);

    o->need = has_mixed_roots(o) ? 0 : og_paper_cost(o->paper, o);
    return o->need > 0 && o->need > bp &&
           reject(v, "insufficient buying power: needs %s, has %s", og_money_text(og_dec_money(o->need)).s,
                  og_money_text(og_dec_money(bp)).s);
}

static bool check_option_level(struct og_paper_order *o, struct og_paper_verdict *v)
{
    int needed = og_paper_cost_level(o), level = (int)(o->account->figure[OG_FIG_LEVEL] / OG_DEC_ONE);

    return needed > level && reject(v, "option level %d is needed, the account has %d", needed, level);
}

static bool check_borrow(struct og_paper_order *o, struct og_paper_verdict *v)
{
    const struct og_paper_ticket *t = &o->ticket;

    if (o->account->paper || t->security != OG_TICKET_STOCK || t->side != OG_TICKET_SIDE_SELL ||
        t->effect != OG_TICKET_EFFECT_OPEN || !o->symbol || o->symbol->borrow == OG_BORROW_EASY ||
        og_paper_inventory_free(o->paper, o->account, o->symbol) >= t->quantity)
        return false;
    return reject(v, "%.*s is hard to borrow and no locate covers the order", shown_len(t->symbol), t->symbol.s);
}

static bool check_symbol_known(struct og_paper_order *o, struct og_paper_verdict *v)
{
    int i;

    if (!o->symbol && !has_foreign_leg(o)) /* an order whose symbol is not the root of its legs gets R152 instead */
        return reject(v, "unknown symbol %.*s", shown_len(o->ticket.symbol), o->ticket.symbol.s);
    for (i = 0; i < o->ticket.legs; i++)
        if (!o->leg[i].symbol && leg_belongs(o, i)) /* a leg of another root gets R152 instead */
            return reject(v, "unknown symbol %.*s in leg %d", shown_len(o->ticket.leg[i].symbol),
                          o->ticket.leg[i].symbol.s, i);
    return false;
}

static bool check_id_length(struct og_paper_order *o, struct og_paper_verdict *v)
{
    return !o->account->paper && o->ticket.id.len > MOST_LIVE_ID &&
           reject(v, "clientOrderId is longer than %d characters", MOST_LIVE_ID);
}

static bool check_account_status(struct og_paper_order *o, struct og_paper_verdict *v)
{
    return !og_str_is(o->account->status, "Active") && reject(v, "the account is not active");
}

/* Returns how many shares or contracts working orders are already closing. */
static int64_t closing_quantity(const struct og_paper_order *o, const struct og_paper_symbol *symbol,
                                enum og_paper_side side)
{
    const struct og_paper_order *other;
    int64_t taken = 0;
    int i;

    for (other = o->account->working; other; other = other->next_working) {
        const struct og_paper_ticket *t = &other->ticket;

        if (t->security != OG_TICKET_MLEG && other->symbol == symbol && t->side == side &&
            t->effect == OG_TICKET_EFFECT_CLOSE)
            taken += og_paper_order_leaves(other);
        for (i = 0; i < t->legs; i++)
            if (other->leg[i].symbol == symbol && t->leg[i].side == side && t->leg[i].effect == OG_TICKET_EFFECT_CLOSE)
                taken += og_paper_order_leaves(other) * t->leg[i].ratio;
    }
    return taken;
}

static bool exceeds_held(struct og_paper_order *o, const struct og_paper_symbol *symbol, enum og_paper_side side,
                         int64_t quantity, struct og_paper_verdict *v)
{
    int64_t left = og_paper_account_held(o->account, symbol, side == OG_TICKET_SIDE_SELL) -
                   OG_DEC(closing_quantity(o, symbol, side));

    return left < OG_DEC(quantity) &&
           reject(v, "closing %lld %.*s, %s held to close", (long long)quantity, shown_len(symbol->name),
                  symbol->name.s, left > 0 ? og_money_text(og_dec_money(left)).s : "none");
}

static bool check_close_held(struct og_paper_order *o, struct og_paper_verdict *v)
{
    const struct og_paper_ticket *t = &o->ticket;
    int i;

    if (t->security != OG_TICKET_MLEG)
        return t->effect == OG_TICKET_EFFECT_CLOSE && exceeds_held(o, o->symbol, t->side, t->quantity, v);
    for (i = 0; i < t->legs; i++)
        if (t->leg[i].effect == OG_TICKET_EFFECT_CLOSE && o->leg[i].symbol &&
            exceeds_held(o, o->leg[i].symbol, t->leg[i].side, t->leg[i].ratio * t->quantity, v))
            return true;
    return false;
}

/* --- checks after routing, on every account ----------------------------------------------------------------------- */

static bool leg_mismatch(struct og_paper_order *o, struct og_paper_verdict *v)
{
    int i;

    for (i = 0; i < o->ticket.legs; i++)
        if (!leg_belongs(o, i))
            return reject(v, "R152: leg %d does not belong to %.*s", i, shown_len(o->ticket.symbol),
                          o->ticket.symbol.s);
    return false;
}

static decision *const at_once[] = {
    check_used_id,   check_open_close,  check_route,      check_market_hours,
    check_four_legs, check_limit_price, check_stop_price, check_opposite_opening,
};
static decision *const routed[] = {
    check_stop_side, check_time_in_force, check_security_type, check_buying_power,   check_option_level,
    check_borrow,    check_symbol_known,  check_id_length,     check_account_status, check_close_held,
};

static void prefix_r24(struct og_paper_verdict *v)
{
    char text[sizeof v->text];

    if (v->text[0] == 'R' && v->text[1] >= '0' && v->text[1] <= '9')
        return;
    snprintf(text, sizeof text, "R24: %.*s", (int)sizeof text - 8, v->text);
    memcpy(v->text, text, sizeof text);
}

/* Returns true if the rejection comes only after routing. live_does: whether it does so on live accounts. On paper
 * accounts it is in the answer, unless the switch `rejections` says that it comes later; the rejection of a used id is
 * always in the answer. */
static bool is_told_later(const struct og_paper_order *o, bool live_does)
{
    return o->account->paper ? o->paper->switches.late_rejections : live_does;
}

void og_paper_decide(struct og_paper_order *o, struct og_paper_verdict *verdict)
{
    size_t i;

    *verdict = (struct og_paper_verdict){ .rejected = false };
    for (i = 0; i < sizeof at_once / sizeof at_once[0]; i++)
        if (at_once[i](o, verdict)) {
            verdict->routed = i > 0 && is_told_later(o, false);
            return;
        }
    for (i = 0; i < sizeof routed / sizeof routed[0]; i++)
        if (routed[i](o, verdict)) {
            verdict->routed = is_told_later(o, true);
            if (!o->account->paper)
                prefix_r24(verdict);
            return;
        }
    verdict->routed = leg_mismatch(o, verdict);
}
