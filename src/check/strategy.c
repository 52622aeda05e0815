/*
 * Fills in what a decision says about the shape of a multi-leg order, in the scratch's memory.  Never allocates.
 */
#include "check/book.h"

const struct og_strategy_info *og_book_strategy(const struct og_case *c, struct og_scratch *s)
{
    struct og_strategy_info *to = &s->strategy;
    const struct og_mleg_payoff *r = c->result;

    to->name = og_strategy_name(c->mleg->strategy);
    to->direction = og_net_name(c->mleg->net);
    to->has_max_loss = r->has_worst && og_money_times(r->worst, -1, &to->max_loss);
    to->has_max_gain = r->has_best;
    to->max_gain = r->best;
    return to;
}
