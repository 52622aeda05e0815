/*
 * allowed-terms (912): the order types, times in force, routes and security types that the desk uses.  An empty list
 * allows all.  An order without a route is not checked for its route.  If there is a list of allowed values, a value
 * that cannot be read is refused, and so is a missing value that the service requires.  If any value is barred, a value
 * that cannot be read is refused, too.
 */
#include "rules/limit.h"

struct settings {
    struct og_string_set security_types, order_types, times_in_force, routes, barred;
    int32_t exits;
};

static const struct og_param params[] = {
    { .key = "security_types",
      OG_WORDS(security_types),
      .fallback = "",
      .listing = OG_LISTING_ALLOWS,
      .name = "order.securityType",
      .help = "which of Stock, Option and Mleg may be traded; all if none is named",
      OG_REFUSES({ .when = "!(order.securityType in {})", .exits = OG_EXITS_BY_SETTING }) },
    { .key = "order_types",
      OG_WORDS(order_types),
      .fallback = "",
      .listing = OG_LISTING_ALLOWS,
      .name = "order.orderType",
      .help = "which of Market, Limit, Stop and StopLimit may be used; all if none is named",
      OG_REFUSES({ .when = "!(order.orderType in {})", .exits = OG_EXITS_BY_SETTING }) },
    { .key = "times_in_force",
      OG_WORDS(times_in_force),
      .fallback = "",
      .listing = OG_LISTING_ALLOWS,
      .name = "order.timeInForce",
      .help = "which times in force may be used, such as Day; all if none is named",
      OG_REFUSES({ .when = "!(order.timeInForce in {})", .exits = OG_EXITS_BY_SETTING }) },
    { .key = "routes",
      OG_WORDS(routes),
      .fallback = "",
      .listing = OG_LISTING_ALLOWS,
      .name = "order.route",
      .help = "which routes may be named; all if none is named" },
    { .key = "barred",
      OG_WORDS(barred),
      .fallback = "",
      .listing = OG_LISTING_BARS,
      .help = "security types, order types, times in force and routes that may not be used, such as Market",
      OG_REFUSES({ .when = "order.securityType in {} || order.orderType in {} || order.timeInForce in {}",
                   .exits = OG_EXITS_BY_SETTING }) },
    OG_EXITS(exits),
};

enum { R_SECURITY, R_TYPE, R_TIF, R_ROUTE };

static const struct og_reason reasons[] = {
    [R_SECURITY] = { .id = "security-type-not-allowed",
                     OG_SET_BY_DESK,
                     .says = "securityType {0} is not one the desk trades",
                     .help = "allow it in the policy if the desk may use it" },
    [R_TYPE] = { .id = "order-type-not-allowed",
                 OG_SET_BY_DESK,
                 .says = "orderType {0} is not one the desk uses",
                 .help = "allow it in the policy if the desk may use it" },
    [R_TIF] = { .id = "time-in-force-not-allowed",
                OG_SET_BY_DESK,
                .says = "timeInForce {0} is not one the desk uses",
                .help = "allow it in the policy if the desk may use it" },
    [R_ROUTE] = { .id = "route-not-allowed",
                  OG_SET_BY_DESK,
                  .says = "route '{0}' is not one the desk uses",
                  .help = "allow it in the policy if the desk may use it" },
};

/* Returns the order's value for a message; it is not a valid word. */
static struct og_str shown(const struct og_field *f)
{
    return f->text.len || f->status == OG_VALID ? f->text : og_str_of(f->json_type ? f->json_type : "(none)");
}

/* Check an order whose value for this key is not a valid word. */
static OG_COLD void judge_unreadable(const struct settings *s, const struct og_string_set *allowed,
                                     const struct og_field *f, int reason, enum og_key key, struct og_sink *sink)
{
    bool found = allowed->count > 0;

    if (f->status == OG_ABSENT || f->status == OG_VALID) /* the key is missing, or empty: for a route both mean that
                                                          * there is none */
        found = found && key != OG_KEY_ROUTE;
    else
        found = found || s->barred.count > 0;
    if (found)
        OG_FIND(sink, &reasons[reason], og_key_pointers[key], og_a_str(shown(f)));
}

static void judge(const struct settings *s, const struct og_string_set *allowed, const struct og_order *o,
                  struct og_str word, int reason, enum og_key key, struct og_sink *sink)
{
    if (!word.len)
        judge_unreadable(s, allowed, &o->field[key], reason, key, sink);
    else if ((allowed->count && !og_string_set_contains(allowed, word)) || og_string_set_contains(&s->barred, word))
        OG_FIND(sink, &reasons[reason], og_key_pointers[key], og_a_str(word));
}

static OG_HOT void check(const struct og_case *c, const void *settings, struct og_sink *sink)
{
    const struct settings *s = settings;
    const struct og_order *o = c->order;

    if (og_limit_passes(c, s->exits))
        return;
    judge(s, &s->security_types, o, og_str_of(og_security_name(o->security)), R_SECURITY, OG_KEY_SECURITY_TYPE, sink);
    judge(s, &s->order_types, o, og_str_of(og_order_type_name(o->type)), R_TYPE, OG_KEY_ORDER_TYPE, sink);
    judge(s, &s->times_in_force, o, og_str_of(og_tif_name(o->tif)), R_TIF, OG_KEY_TIME_IN_FORCE, sink);
    judge(s, &s->routes, o, o->route, R_ROUTE, OG_KEY_ROUTE, sink);
}

const struct og_rule og_rule_allowed_terms = {
    OG_PARTS_OF_FILE(allowed_terms),
    .id = "allowed-terms",
    .summary = "an order type, time in force, route or security type the desk does not use",
    .because = "an order with a term that the desk never uses is probably a mistake",
    .stage = OG_STAGE_FORM,
    .limit = true,
    .counts = true,
    OG_SETTINGS_OF_FILE,
};
