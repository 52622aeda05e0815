/*
 * locate-accept (1004): whether an offered locate can still be accepted or canceled, and what it costs. The service
 * answers 200 to every accept and cancel.  An offer is valid for 30 seconds from the last change of its row.  A price
 * that is not in the row counts as unknown, not as zero.
 */
#include "rules/rule.h"

#define VALID (30 * OG_NS_PER_S)

struct settings {
    struct og_money most;
    int64_t late;
};

static const struct og_param params[] = {
    { .key = "most",
      OG_MONEY(most),
      .fallback = "0",
      .least = "0",
      .tighter = OG_TIGHTER_LOWER,
      .zero_is_none = true,
      .finds = "locate-accept-cost",
      .help = "what one locate may cost, dollars; 0 means no limit but the cash that is available" },
    { .key = "late",
      OG_DURATION(late),
      .fallback = "25s",
      .least = "0s",
      .most = "30s",
      .tighter = OG_TIGHTER_LOWER,
      .finds = "locate-accept-late",
      .help = "from what age on an offer may expire before the accept arrives, a duration" },
};

enum { R_UNKNOWN, R_NOT_OFFERED, R_EXPIRED, R_LATE, R_SIBLING, R_COST, R_CANCEL };

static const struct og_reason reasons[] = {
    [R_UNKNOWN] = { .id = "locate-accept-unknown",
                    .level = OG_LEVEL_REFUSE,
                    .undecided = OG_LEVEL_WARN,
                    OG_PREDICTS(STATE, NO_EFFECT, STATED),
                    .says = "no row of the locate history has the id '{0}'",
                    .where = "V13" },
    [R_NOT_OFFERED] = { .id = "locate-accept-not-offered",
                        .level = OG_LEVEL_REFUSE,
                        .undecided = OG_LEVEL_WARN,
                        OG_PREDICTS(STATE, NO_EFFECT, STATED),
                        .says = "quote '{0}' has status {1}, only an offer (65) can be accepted",
                        .help = "status 50 means that it was accepted before; accepting it again does no harm",
                        .where = "V13, V15" },
    [R_EXPIRED] = { .id = "locate-accept-expired",
                    .level = OG_LEVEL_REFUSE,
                    .undecided = OG_LEVEL_WARN,
                    OG_PREDICTS(STATE, LATER, STATED),
                    .says = "quote '{0}' was offered {1} ago, an offer lasts for 30s",
                    .help = "ask for a new quote",
                    .where = "N13" },
    [R_LATE] = { .id = "locate-accept-late",
                 .level = OG_LEVEL_WARN,
                 .undecided = OG_LEVEL_OFF,
                 .says = "quote '{0}' was offered {1} ago and may expire before the accept arrives",
                 .where = "N13" },
    [R_SIBLING] = { .id = "locate-accept-cheaper-sibling",
                    .level = OG_LEVEL_INFO,
                    .undecided = OG_LEVEL_OFF,
                    .says = "'{0}', the other offer of this quote, costs {1} a share, this one {2}",
                    .help = "the pre-borrow row can be used again the same day, the single-use row (.SU) once",
                    .where = "V10" },
    [R_COST] = { .id = "locate-accept-cost",
                 .level = OG_LEVEL_WARN,
                 .undecided = OG_LEVEL_WARN,
                 .says = "{0} shares at {1} cost {2}, at most {3} may be spent",
                 .where = "J8" },
    [R_CANCEL] = { .id = "locate-cancel-filled",
                   .level = OG_LEVEL_REFUSE,
                   .undecided = OG_LEVEL_INFO,
                   OG_PREDICTS(STATE, NO_EFFECT, STATED),
                   .says = "'{0}' is filled: a cancel does not undo it",
                   .help = "credit the shares back with locate-sell",
                   .where = "N19" },
};

static const char field[] = "/quoteReqID";
static const struct og_str none = { NULL, 0 };

/* Returns the newest row of the locate history with this id; NULL if there is none. */
static const struct og_locate *row_of(const struct og_case *c, struct og_str id)
{
    const struct og_locate *found = NULL;

    for (const struct og_locate *l = og_facts_locates(c->facts); l; l = l->next)
        if (og_str_eq(l->id, id))
            found = l;
    return found;
}

static bool has_suffix(struct og_str id)
{
    return id.len > 3 && memcmp(id.s + id.len - 3, ".SU", 3) == 0;
}

/* Returns true if the rows are the two offers of one quote: "q1" and "q1.SU". */
static bool are_pair(struct og_str a, struct og_str b)
{
    struct og_str longer = a.len > b.len ? a : b, shorter = a.len > b.len ? b : a;

    return has_suffix(longer) && longer.len == shorter.len + 3 && memcmp(longer.s, shorter.s, shorter.len) == 0;
}

static void check_age(const struct og_case *c, const struct settings *s, const struct og_locate *l,
                      struct og_sink *sink)
{
    int64_t age = l->updated == OG_TIME_UNKNOWN ? 0 : c->now - l->updated;

    if (l->updated == OG_TIME_UNKNOWN)
        og_unsure(sink, &reasons[R_EXPIRED], field, "the row does not show when it was offered");
    else if (age == VALID) /* whether an offer of exactly 30 s is still valid is not in the service's document */
        OG_FIND(sink, &reasons[R_EXPIRED], field, og_a_str(l->id), og_a_duration(age))->predicts.certainty = OG_READING;
    else if (age > VALID)
        OG_FIND(sink, &reasons[R_EXPIRED], field, og_a_str(l->id), og_a_duration(age));
    else if (age >= s->late)
        OG_FIND(sink, &reasons[R_LATE], field, og_a_str(l->id), og_a_duration(age));
}

static void check_sibling(const struct og_case *c, const struct og_locate *l, struct og_sink *sink)
{
    for (const struct og_locate *o = og_facts_locates(c->facts); o; o = o->next)
        if (are_pair(o->id, l->id) && o->status == OG_LOCATE_OFFERED && o->has_price && l->has_price &&
            og_money_cmp(o->price, l->price) < 0)
            OG_FIND(sink, &reasons[R_SIBLING], field, og_a_str(o->id), og_a_money(o->price), og_a_money(l->price));
}

static void check_cost(const struct og_case *c, const struct settings *s, const struct og_locate *l,
                       struct og_sink *sink)
{
    const struct og_account *a = og_facts_account(c->facts);
    const struct og_reason *r = &reasons[R_COST];
    struct og_money cost;

    if (!l->has_price || !l->has_shares || !og_money_mul(l->price, l->shares, &cost)) {
        og_unsure(sink, r, field, "the row does not show what it costs");
        return;
    }
    if (s->most.coef && og_money_cmp(cost, s->most) > 0) {
        OG_FIND(sink, r, field, og_a_money(l->shares), og_a_money(l->price), og_a_money(cost), og_a_money(s->most));
        return;
    }
    if (!og_need(c, sink, r, OG_FACT_ACCOUNT, none, field))
        return;
    if (!a->has_available_cash)
        og_unsure(sink, r, field, "the account does not show availableCash");
    else if (og_money_cmp(cost, a->available_cash) > 0)
        OG_FIND(sink, r, field, og_a_money(l->shares), og_a_money(l->price), og_a_money(cost),
                og_a_money(a->available_cash));
}

static void check_accept(const struct og_case *c, const struct settings *s, struct og_str id, struct og_sink *sink)
{
    const struct og_locate *l = row_of(c, id);
    struct og_found *found;

    if (!l) {
        if (og_need(c, sink, &reasons[R_UNKNOWN], OG_FACT_LOCATE_HISTORY, none, field))
            OG_FIND(sink, &reasons[R_UNKNOWN], field, og_a_str(id));
        return;
    }
    if (l->status != OG_LOCATE_OFFERED) {
        if (!og_need(c, sink, &reasons[R_NOT_OFFERED], OG_FACT_LOCATE_HISTORY, none, field))
            return;
        found = OG_FIND(sink, &reasons[R_NOT_OFFERED], field, og_a_str(id), og_a_int(l->status));
        if (l->status == OG_LOCATE_FILLED) /* the locate is accepted already: another accept changes nothing, and is no
                                            * error */
            found->natural = OG_LEVEL_INFO;
        return;
    }
    check_age(c, s, l, sink);
    check_sibling(c, l, sink);
    check_cost(c, s, l, sink);
}

static void check(const struct og_case *c, const void *settings, struct og_sink *sink)
{
    struct og_str id = og_request_text(c->request, OG_REQUEST_QUOTE_ID);
    const struct og_locate *l;

    if (!id.len)
        return;
    if (c->request->kind == OG_REQUEST_LOCATE_ACCEPT)
        check_accept(c, settings, id, sink);
    if (c->request->kind != OG_REQUEST_LOCATE_CANCEL)
        return;
    l = row_of(c, id);
    if (l && l->status == OG_LOCATE_FILLED) /* the locate is filled, which is final: it cannot be canceled any more */
        OG_FIND(sink, &reasons[R_CANCEL], field, og_a_str(id));
    else
        (void)og_need(c, sink, &reasons[R_CANCEL], OG_FACT_LOCATE_HISTORY, none, field);
}

const struct og_rule og_rule_locate_accept = {
    OG_PARTS_OF_FILE(locate_accept),
    .id = "locate-accept",
    .summary = "an accept or a cancel of a locate that does nothing, comes too late, or costs too much",
    .because = "the service answers 200 whether the shares are located or not",
    .stage = OG_STAGE_MARKET,
    .subjects = OG_SUBJECT_LOCATE,
    .reads = OG_FACT_LOCATE_HISTORY | OG_FACT_ACCOUNT,
    OG_SETTINGS_OF_FILE,
};
