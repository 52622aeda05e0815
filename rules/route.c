/*
 * route (501): the route that the order uses, and whether that route accepts the order.  For a live account the order
 * must name a route, and the route must advertise the order's security type and time in force; if it lists order types
 * too, the order's type should be one of them. For a paper account the
 * service assigns a route, and accepts every time in force.  An account of unknown type counts as live.
 */
#include "rules/rule.h"

enum { R_MISSING, R_ASSIGNED, R_UNKNOWN, R_SECURITY, R_TIF, R_TYPE };

static const struct og_reason reasons[] = {
    [R_MISSING] = { .id = "route-missing-live",
                    .level = OG_LEVEL_REFUSE,
                    .undecided = OG_LEVEL_OFF,
                    OG_PREDICTS(ROUTE, REJECTED, STATED),
                    .predicts.code = "R54",
                    .says = "route is missing, live assigns none",
                    .help = "name a routeName of the account's routes",
                    .where = "B20, Q29" },
    [R_ASSIGNED] = { .id = "route-auto-assigned",
                     .level = OG_LEVEL_INFO,
                     .undecided = OG_LEVEL_OFF,
                     OG_PREDICTS(NONE, ACCEPTED, STATED),
                     .says = "route is missing, paper assigns {0}",
                     .help = "live assigns none: name the route before going there",
                     .where = "B19" },
    [R_UNKNOWN] = { .id = "route-unknown",
                    .level = OG_LEVEL_REFUSE,
                    .undecided = OG_LEVEL_WARN,
                    OG_PREDICTS(ROUTE, REJECTED, STATED),
                    .predicts.code = "R54",
                    .says = "route '{0}' is not one of the account's: {1}{2}{3}{4}{5}{6}{7}{8}",
                    .help = "spell it as routeName does, upper and lower case count",
                    .where = "Q30, Y38" },
    [R_SECURITY] = { .id = "route-security-type",
                     .level = OG_LEVEL_REFUSE,
                     .undecided = OG_LEVEL_WARN,
                     OG_PREDICTS(LIVE_ASYNC, REJECTED_OR_ASYNC, STATED),
                     .predicts.code = "R24",
                     .predicts.codes = { "R24", "R54" },
                     .says = "route '{0}' takes {1}, the order is {2}",
                     .help = "use a route whose securityTypes name the order's type; multi-leg orders need MLEG",
                     .where = "S10, T18" },
    [R_TIF] = { .id = "route-time-in-force",
                .level = OG_LEVEL_REFUSE,
                .undecided = OG_LEVEL_WARN,
                OG_PREDICTS(LIVE_ASYNC, ASYNC, STATED),
                .says = "route '{0}' does not advertise time in force {1}",
                .help = "use one of the route's timesInForce; paper takes them all",
                .where = "B21, B22, T16" },
    [R_TYPE] = { .id = "route-order-type",
                 .level = OG_LEVEL_WARN,
                 .undecided = OG_LEVEL_OFF,
                 .predicts = OG_NOT_STATED,
                 .says = "route '{0}' does not advertise orders of type {1}",
                 .help = "use one of the route's orderTypes, or another route",
                 .where = "SEEN-5" },
};

static OG_COLD void check_missing(const struct og_case *c, struct og_sink *sink)
{
    const struct og_order *o = c->order;
    bool stock_leg = c->mleg->stock_leg >= 0;

    if (!og_case_is_paper(c))
        OG_FIND0(sink, &reasons[R_MISSING], "/route");
    else
        OG_FIND(sink, &reasons[R_ASSIGNED], "/route",
                og_a_text(o->security == OG_MLEG && !stock_leg ? "PAPERM" : "PAPER"));
}

/* Report an unknown route; the message lists the first four routes of the account. */
static void find_unknown(const struct og_case *c, struct og_sink *sink)
{
    struct og_arg args[9] = { og_a_str(c->order->route) };
    struct og_found *found;

    for (size_t i = 0; i < 4; i++) {
        const struct og_route *r = og_facts_route_at(c->facts, i);

        args[1 + 2 * i] = r ? og_a_str(r->name) : og_a_text(i ? "" : "it has none");
        args[2 + 2 * i] = og_a_text(!og_facts_route_at(c->facts, i + 1) ? "" : i < 3 ? ", " : ", ...");
    }
    found = og_find_(sink, &reasons[R_UNKNOWN], "/route", args, 9);
    if (og_case_is_paper(c))
        found->predicts.certainty = OG_READING;
}

static void check_known(const struct og_case *c, const struct og_route *route, struct og_sink *sink)
{
    if (og_need(c, sink, &reasons[R_UNKNOWN], OG_FACT_ROUTES, (struct og_str){ 0 }, "/route")) {
        if (!route)
            find_unknown(c, sink);
    } else if (og_case_is_paper(c))
        og_found_last(sink)->natural = OG_LEVEL_INFO;
}

static const char *types_text(unsigned securities)
{
    static const char *const texts[] = { "no security type", "Stock",           "Option", "Stock and Option", "MLEG",
                                         "Stock and MLEG",   "Option and MLEG", "all" };

    return texts[(securities >> OG_STOCK & 1u) | (securities >> OG_OPTION & 1u) << 1 |
                 (securities >> OG_MLEG & 1u) << 2];
}

static void check_security(const struct og_case *c, const struct og_route *route, struct og_sink *sink)
{
    const struct og_reason *r = &reasons[R_SECURITY];
    const struct og_order *o = c->order;

    if (o->security == OG_SECURITY_NONE || !og_need(c, sink, r, OG_FACT_ROUTES, (struct og_str){ 0 }, "/route"))
        return;
    if (route && !route->has_securities)
        og_unsure(sink, r, "/route", "the route does not list its securityTypes");
    else if (route && !(route->securities & 1u << o->security))
        og_found_by_environment(c,
                                OG_FIND(sink, r, "/route", og_a_str(o->route), og_a_text(types_text(route->securities)),
                                        og_a_text(og_security_name(o->security))));
}

/* Check the time in force.  For a paper account the service accepts times in force that the route does not advertise,
 * so the finding is a note; if the route's times in force are unknown, there is no finding. */
static void check_tif(const struct og_case *c, const struct og_route *route, struct og_sink *sink)
{
    const struct og_reason *r = &reasons[R_TIF];
    const struct og_order *o = c->order;
    bool paper = og_case_is_paper(c);
    struct og_found *found;

    if (o->tif == OG_TIF_NONE || (paper && !route) ||
        !og_need(c, sink, r, OG_FACT_ROUTES, (struct og_str){ 0 }, "/timeInForce"))
        return;
    if (route && !route->has_tifs && !paper)
        og_unsure(sink, r, "/timeInForce", "the route does not list its timesInForce");
    if (!route || !route->has_tifs || route->tifs & 1u << o->tif)
        return;
    found = OG_FIND(sink, r, "/timeInForce", og_a_str(o->route), og_a_text(og_tif_name(o->tif)));
    if (!paper)
        return;
    found->natural = OG_LEVEL_INFO;
    found->predicts.channel = OG_CHANNEL_ACCEPTED;
}

/* Check the order's type. The service's document does not name the list of types, so that a route without one takes all
 * types. */
static void check_type(const struct og_case *c, const struct og_route *route, struct og_sink *sink)
{
    const struct og_reason *r = &reasons[R_TYPE];
    const struct og_order *o = c->order;

    if (!route || !route->has_types || route->types >> o->type & 1 || o->type == OG_TYPE_NONE ||
        !og_need(c, sink, r, OG_FACT_ROUTES, (struct og_str){ 0 }, "/orderType"))
        return;
    OG_FIND(sink, r, "/orderType", og_a_str(o->route), og_a_text(og_order_type_name(o->type)));
    if (og_case_is_paper(c))
        og_found_last(sink)->natural = OG_LEVEL_INFO;
}

static OG_NOINLINE void check_route(const struct og_case *c, const struct og_route *route, struct og_sink *sink)
{
    check_known(c, route, sink);
    check_security(c, route, sink);
    check_tif(c, route, sink);
    check_type(c, route, sink);
}

/* Returns true if the route lists the order's security type, its time in force, and its type if it lists types; a
 * missing value is in no list. */
static inline bool takes(const struct og_route *route, const struct og_order *o)
{
    return route->securities >> o->security & route->tifs >> o->tif & (route->types >> o->type | !route->has_types) & 1;
}

static OG_HOT void check(const struct og_case *c, const void *settings, struct og_sink *sink)
{
    const struct og_order *o = c->order;
    const struct og_route *route;

    (void)settings;
    if (o->route.len) {
        route = og_facts_route(c->facts, o->route);
        if (!route || !takes(route, o) || !og_has(c, OG_FACT_ROUTES))
            check_route(c, route, sink);
    } else if (!og_order_has(o, OG_KEY_ROUTE) || og_order_ok(o, OG_KEY_ROUTE)) {
        check_missing(c, sink);
    }
}

const struct og_rule og_rule_route = {
    OG_PARTS_OF_FILE(route),
    .id = "route",
    .summary = "the route is missing, unknown, or does not take the order",
    .because = "on live nobody chooses a route for the order: it fails, often only after it was acknowledged",
    .stage = OG_STAGE_ACCOUNT,
    .reads = OG_FACT_ROUTES,
};
