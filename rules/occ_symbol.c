/*
 * occ-symbol (105): option symbols name a contract that can exist.
 *
 * The service checks nothing but the bytes, so a mistyped date or strike, or last month's contract, goes through and
 * fails somewhere later.  It refuses to know which contracts are listed.
 */
#include "rules/rule.h"

#include "order/symbol.h"

#include "base/banned.h"

#define LAST_TRADE (16 * INT64_C(3600) * OG_NS_PER_S) /* Eastern; regular hours include the instant itself */

enum { R_NOT_OCC, R_EXPIRY, R_STRIKE, R_EXPIRED };

static const struct og_reason reasons[] = {
    [R_NOT_OCC] = { .id = "option-symbol-not-occ",
                    .level = OG_LEVEL_REFUSE,
                    .predicts = OG_NOT_STATED,
                    .says = "symbol '{0}' is no option symbol, which is root, YYMMDD, C or P, and the strike x 1000 in 8 "
                            "digits",
                    .help = "for example AAPL260116C00150000; the service would take it and look for a contract of that name",
                    .where = "S2" },
    [R_EXPIRY] = { .id = "option-expiry-invalid",
                   .level = OG_LEVEL_REFUSE,
                   .predicts = OG_NOT_STATED,
                   .says = "option symbol '{0}' expires on {1}, which is no date",
                   .where = "D21" },
    [R_STRIKE] = { .id = "option-strike-zero",
                   .level = OG_LEVEL_REFUSE,
                   .predicts = OG_NOT_STATED,
                   .says = "option symbol '{0}' has a strike of 0",
                   .help = "the last 8 digits are the strike times 1000: 00150000 is 150",
                   .where = "D21" },
    [R_EXPIRED] = { .id = "option-contract-expired",
                    .level = OG_LEVEL_REFUSE,
                    .undecided = OG_LEVEL_OFF,
                    .predicts = OG_NOT_STATED,
                    .says = "option '{0}' expired on {1}, today is {2} {3} ET",
                    .where = "S2" },
    { .id = NULL },
};

static void check_contract(const struct og_case *c, struct og_str symbol, const struct og_occ *occ, const char *field,
                           struct og_sink *sink)
{
    const struct og_eastern *today = &c->eastern;
    bool is_today = occ->expiry == today->date;
    struct og_found *found;

    if (!occ->is)
        return;
    if (occ->strike == 0)
        OG_FIND(sink, &reasons[R_STRIKE], field, og_a_str(symbol));
    if (!occ->date_exists)
        OG_FIND(sink, &reasons[R_EXPIRY], field, og_a_str(symbol), og_a_date(occ->expiry));
    else if (occ->expiry < today->date || (is_today && today->ns_of_day > LAST_TRADE)) {
        found = OG_FIND(sink, &reasons[R_EXPIRED], field, og_a_str(symbol), og_a_date(occ->expiry), og_a_date(today->date),
                        og_a_clock(today->ns_of_day));
        if (is_today) /* some trade on for a quarter of an hour */
            found->natural = OG_LEVEL_WARN;
    }
}

static void check(const struct og_case *c, const void *settings, struct og_sink *sink)
{
    const struct og_order *o = c->order;

    (void)settings;
    if (o->security == OG_OPTION && !o->occ.is && og_symbol_fits(o->symbol))
        OG_FIND(sink, &reasons[R_NOT_OCC], "/symbol", og_a_str(o->symbol));
    if (o->security == OG_OPTION)
        check_contract(c, o->symbol, &o->occ, "/symbol", sink);
    for (int i = 0; o->security == OG_MLEG && i < o->legs_kept; i++)
        check_contract(c, o->leg[i].symbol, &o->leg[i].occ, og_leg_pointer(i, OG_LEG_SYMBOL), sink);
}

const struct og_rule og_rule_occ_symbol = {
    .code = OG_CODE_occ_symbol,
    .id = "occ-symbol",
    .summary = "the option symbol names no contract that can be traded",
    .because = "the service checks the characters only, so a mistyped contract is found out late or never",
    .stage = OG_STAGE_FORM,
    .securities = 1u << OG_OPTION | 1u << OG_MLEG,
    .reasons = reasons,
    .check = check,
};
