/*
 * rate-budget (1007): whether the token bucket of an endpoint still has a token, as computed from the sender's own
 * calls.  A bucket starts full and refills every second.  After calls at t1..tn it holds the minimum of these numbers:
 * (a) its burst; (b) for every ti, its burst minus the calls since ti plus the tokens refilled since ti.  Computed that
 * way, the calls need not be sorted.  Endpoints whose limits the service does not document are not counted.
 */
#include "rules/rule.h"

enum { R_EMPTY, R_ENDPOINT };

static const struct og_reason reasons[] = {
    [R_EMPTY] = { .id = "rate-budget-exhausted",
                  .level = OG_LEVEL_REFUSE,
                  .undecided = OG_LEVEL_INFO,
                  OG_PREDICTS(RATE, HTTP_429, STATED),
                  .says = "the request budget of {0} is used up: {1} a second, at most {2} in a burst",
                  .help = "wait; after a 429 wait 1 to 2 seconds, then 2, 4, 8, at most 60",
                  .where = "Z1" },
    [R_ENDPOINT] = { .id = "read-endpoint-unknown",
                     .level = OG_LEVEL_REFUSE,
                     .says = "endpoint is {0}, which is not one of the service's reads",
                     .help = "write the method and the name, like GET orders; see ordergate check --help",
                     .where = "docs/contract.md \"Other requests\"" },
};

/* After this time every bucket is full again, so that older calls do not matter. */
#define WINDOW (60 * OG_NS_PER_S)

static int64_t calls_since(const struct og_calls *calls, const char *endpoint, int64_t at)
{
    int64_t n = 0;

    for (const struct og_call *c = calls->calls; c; c = c->next)
        n += c->at >= at && og_str_is(c->what, endpoint);
    return n;
}

/* Returns true if a whole token is left.  Tokens are counted in ns: one call per second is the unit. */
static bool has_token(const struct og_calls *calls, const struct og_endpoint_spec *e, int64_t now)
{
    for (const struct og_call *c = calls->calls; c; c = c->next) {
        int64_t since = now > c->at ? now - c->at : 0;

        if (since < WINDOW && og_str_is(c->what, e->name) &&
            (e->burst - 1 - calls_since(calls, e->name, c->at)) * OG_NS_PER_S + e->rate * since < 0)
            return false;
    }
    return true;
}

static OG_NOINLINE void check_calls(const struct og_case *c, const struct og_calls *calls, struct og_sink *sink)
{
    enum og_endpoint endpoint = c->request ? c->request->endpoint : OG_ENDPOINT_POST;
    const struct og_endpoint_spec *e = &og_endpoints[endpoint];

    if (endpoint == OG_ENDPOINTS) {
        const struct og_field *parsed = &c->request->field[OG_REQUEST_ENDPOINT];

        OG_FIND(sink, &reasons[R_ENDPOINT], "/endpoint",
                parsed->text.len ? og_a_str(parsed->text) : og_a_text("missing"));
        return;
    }
    if (!calls->has_calls && c->paced)
        return; /* the caller waits for a token before each call */
    if (!e->has_stated_limit ||
        !og_need(c, sink, &reasons[R_EMPTY], OG_FACT_CALLS, (struct og_str){ NULL, 0 }, "facts/gate/calls"))
        return; /* the endpoint's limit is not documented, or the calls are not known */
    if (!calls->has_calls)
        og_unsure(sink, &reasons[R_EMPTY], "facts/gate/calls", "the gate's own calls are not known");
    else if (!has_token(calls, e, c->now))
        OG_FIND(sink, &reasons[R_EMPTY], "facts/gate/calls", og_a_text(e->name), og_a_int(e->rate), og_a_int(e->burst));
}

/* Check the endpoint's bucket.  For an order, make a finding only if the calls are known. */
static OG_HOT void check(const struct og_case *c, const void *settings, struct og_sink *sink)
{
    const struct og_calls *calls = og_facts_calls(c->facts);

    (void)settings;
    if (c->request || calls->has_calls)
        check_calls(c, calls, sink);
}

const struct og_rule og_rule_rate_budget = {
    OG_PARTS_OF_FILE(rate_budget),
    .id = "rate-budget",
    .summary = "a call whose endpoint has no budget left, or that no endpoint takes",
    .because = "after a 429 the caller must wait for seconds, which delays the next order",
    .stage = OG_STAGE_FLOW,
    .subjects = OG_SUBJECT_ORDER | OG_SUBJECT_REQUESTS,
    .only = OG_TRAIT_GATE,
    .reads = OG_FACT_CALLS,
};
