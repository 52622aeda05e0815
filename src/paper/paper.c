/*
 * Construction and destruction of the service.  The owner runs the service by calling og_paper_serve() and advancing
 * the clock (paper/clock.h).
 */
#include "paper/paper.h"

#include "base/error.h"
#include "paper/account_setup.h"
#include "paper/db.h"
#include "paper/fault.h"
#include "paper/hours.h"
#include "paper/hub.h"
#include "paper/log.h"
#include "paper/random_walk.h"
#include "paper/replay.h"
#include "paper/scenario.h"

/* generated ids are numbers from here on, which a client's own counter is not likely to reach */
#define FIRST_ID  1000000000
#define FIRST_LOT INT64_C(9007199254740992) /* 2^53, which reveals clients that read ids as doubles */

enum og_status og_paper_init(struct og_paper *p, const struct og_paper_options *options,
                             const struct og_paper_source *scenario, og_diagnostic_listener *listener, void *with,
                             struct og_error *err)
{
    enum og_status status;

    *p = (struct og_paper){ .options = *options, .ids = FIRST_ID, .lots = FIRST_LOT };
    og_arena_init(&p->arena, 0);
    og_paper_market_init(&p->market, &p->arena, &p->clock);
    for (int e = 0; e < OG_ENDPOINTS; e++)
        p->limits[e] = (struct og_paper_limit){ og_endpoints[e].rate, og_endpoints[e].burst };
    if (!og_paper_fault_init(p) || !og_paper_log_init(p) || !og_paper_hub_init(p))
        return og_fail(err, OG_ENOMEM, "out of memory");
    status = og_paper_scenario_read(p, scenario, listener, with, err);
    if (options->no_rate_limits)
        memset(p->limits, 0, sizeof p->limits);
    if (status == OG_OK && !og_paper_hours_start(p))
        status = og_fail(err, OG_ENOMEM, "out of memory");
    return status;
}

bool og_paper_start(struct og_paper *p)
{
    if (!og_paper_accounts_start(p) || !og_paper_replay_start(p) || !og_paper_random_walks_start(p) ||
        !og_paper_store(p))
        return false;
    og_paper_clock_begin(&p->clock);
    return true;
}

void og_paper_clear(struct og_paper *p)
{
    struct og_paper_account *a;

    og_paper_db_close(p);
    og_paper_hub_clear(p);
    og_paper_log_free(p);
    og_paper_fault_free(p);
    og_paper_replay_free(p);
    for (a = p->accounts; a; a = a->next)
        og_paper_account_clear(a);
    og_map_clear(&p->market.symbols);
    og_paper_clock_clear(&p->clock);
    og_arena_clear(&p->arena);
}

bool og_paper_store(struct og_paper *p)
{
    p->failed = p->failed || !og_paper_db_store(p);
    return !p->failed;
}
