/*
 * The service put together and taken apart.
 * It refuses to run anything: whoever owns it calls og_paper_serve() and the clock.
 */
#include "paper/paper.h"

#include "paper/db.h"
#include "paper/fault.h"
#include "paper/hours.h"
#include "paper/hub.h"
#include "paper/log.h"

#include "base/banned.h"

#define FIRST_ID 1000000000 /* generated ids are numeric, and longer than a caller is likely to count */
#define FIRST_LOT INT64_C(9007199254740992) /* 2^53: a reader that takes a number for a double shows it */

bool og_paper_init(struct og_paper *p, const struct og_paper_options *options, struct og_str clock)
{
    *p = (struct og_paper){ .options = *options, .ids = FIRST_ID, .lots = FIRST_LOT };
    p->delays = (struct og_paper_delays){
        .acknowledge = 40 * OG_NS_PER_MS,
        .fill = 60 * OG_NS_PER_MS,
        .cancel = 40 * OG_NS_PER_MS,
        .legs = 300 * OG_NS_PER_MS,
        .hello = 5 * OG_NS_PER_S,
        .record = OG_NS_PER_S,
        .offer = OG_NS_PER_S,
        .credit = 5 * OG_NS_PER_S,
    };
    og_arena_init(&p->arena, 0);
    if (!og_paper_clock_read(&p->clock, clock) || !og_paper_market_init(&p->market, &p->arena, &p->clock) ||
        !og_paper_account_init(p) || !og_paper_fault_init(p) || !og_paper_log_init(p) || !og_paper_hub_init(p))
        return false;
    og_paper_hours_start(p);
    return true;
}

void og_paper_clear(struct og_paper *p)
{
    struct og_paper_account *a;

    og_paper_db_close(p);
    og_paper_hub_clear(p);
    og_paper_log_free(p);
    og_paper_fault_free(p);
    for (a = p->accounts; a; a = a->next)
        og_paper_account_clear(a);
    og_paper_map_clear(&p->market.symbols);
    og_paper_clock_clear(&p->clock);
    og_arena_clear(&p->arena);
}

bool og_paper_store(struct og_paper *p)
{
    p->failed = p->failed || !og_paper_db_store(p);
    return !p->failed;
}
