/*
 * locate-quote (1003): whether a locate quote can lead to an offer.  The service answers 200 to every quote, and shows
 * a rejection only in the locate history.  The cooldown is not computed from the history, since its rows do not show
 * when a quote was requested.
 */
#include "rules/rule.h"

#define COOLDOWN (30 * OG_NS_PER_S)

enum { R_PAPER, R_EASY, R_OPEN, R_COOLDOWN };

static const struct og_reason reasons[] = {
    [R_PAPER] = { .id = "locate-paper",
                  .level = OG_LEVEL_REFUSE,
                  .undecided = OG_LEVEL_INFO,
                  OG_PREDICTS(STATE, LATER, STATED),
                  .says = "a paper account never gets an offer or an inventory row",
                  .help = "short without a locate: on paper everything is easy to borrow",
                  .where = "B7" },
    [R_EASY] = { .id = "locate-easy-to-borrow",
                 .level = OG_LEVEL_REFUSE,
                 .undecided = OG_LEVEL_INFO,
                 OG_PREDICTS(STATE, LATER, STATED),
                 .predicts.code = "R56",
                 .says = "{0} is easy to borrow, no locate is needed",
                 .where = "Y49" },
    [R_OPEN] = { .id = "locate-quote-open",
                 .level = OG_LEVEL_REFUSE,
                 .undecided = OG_LEVEL_WARN,
                 OG_PREDICTS(STATE, LATER, STATED),
                 .predicts.code = "14",
                 .says = "quote '{0}' for {1} is still open (status {2}), a symbol may have one open quote",
                 .help = "accept it, cancel it, or wait until it expires",
                 .where = "V23" },
    [R_COOLDOWN] = { .id = "locate-cooldown",
                     .level = OG_LEVEL_REFUSE,
                     .undecided = OG_LEVEL_WARN,
                     OG_PREDICTS(STATE, LATER, STATED),
                     .says = "the last quote for {0} was {1} ago, quotes for a symbol must be 30s apart",
                     .where = "V25" },
};

static bool is_open(const struct og_locate *l, struct og_str symbol)
{
    return og_str_eq(l->symbol, symbol) && (!l->has_shares || l->shares.coef > 0) &&
           (l->status == OG_LOCATE_QUOTING || l->status == OG_LOCATE_PENDING || l->status == OG_LOCATE_OFFERED);
}

static void check_open(const struct og_case *c, struct og_str symbol, struct og_sink *sink)
{
    const struct og_reason *r = &reasons[R_OPEN];
    const struct og_locate *l;

    if (!og_need(c, sink, r, OG_FACT_LOCATE_HISTORY, (struct og_str){ 0 }, "/symbol"))
        return;
    for (l = og_facts_locates(c->facts); l && !is_open(l, symbol); l = l->next)
        ;
    if (l)
        OG_FIND(sink, r, "/symbol", og_a_str(l->id), og_a_str(symbol), og_a_int(l->status));
}

static void check_cooldown(const struct og_case *c, struct og_str symbol, struct og_sink *sink)
{
    const struct og_calls *calls = og_facts_calls(c->facts);
    const struct og_reason *r = &reasons[R_COOLDOWN];
    int64_t last = OG_TIME_UNKNOWN;

    if (!og_need(c, sink, r, OG_FACT_CALLS, (struct og_str){ 0 }, "/symbol"))
        return;
    if (!calls->has_quotes) {
        og_unsure(sink, r, "/symbol", "the gate's own locate quotes are not known");
        return;
    }
    for (const struct og_call *q = calls->quotes; q; q = q->next)
        if (og_str_eq(q->what, symbol) && q->at > last)
            last = q->at;
    if (last != OG_TIME_UNKNOWN && c->now - last < COOLDOWN)
        OG_FIND(sink, r, "/symbol", og_a_str(symbol), og_a_duration(last < c->now ? c->now - last : 0));
}

static void check(const struct og_case *c, const void *settings, struct og_sink *sink)
{
    struct og_str symbol = og_request_text(c->request, OG_REQUEST_SYMBOL);

    (void)settings;
    if (c->request->kind != OG_REQUEST_LOCATE_QUOTE || !symbol.len)
        return;
    if (og_case_is_paper(c)) {
        OG_FIND0(sink, &reasons[R_PAPER], "/account");
        return;
    }
    if (og_facts_environment(c->facts) == OG_ENV_UNKNOWN)
        og_unsure(sink, &reasons[R_PAPER], "/account", "the type of the account is not known");
    if (og_need(c, sink, &reasons[R_EASY], OG_FACT_BORROW, symbol, "/symbol") &&
        og_facts_borrow(c->facts, symbol)->easy)
        OG_FIND(sink, &reasons[R_EASY], "/symbol", og_a_str(symbol));
    check_open(c, symbol, sink);
    check_cooldown(c, symbol, sink);
}

const struct og_rule og_rule_locate_quote = {
    OG_PARTS_OF_FILE(locate_quote),
    .id = "locate-quote",
    .summary = "a locate quote that cannot lead to an offer",
    .because = "the service answers 200 in either case, and the next quote must wait for 30 seconds",
    .stage = OG_STAGE_MARKET,
    .subjects = OG_SUBJECT_LOCATE,
    .reads = OG_FACT_BORROW | OG_FACT_LOCATE_HISTORY | OG_FACT_CALLS,
};
