/*
 * cancel-request (1001): predicts the result of a cancel from what is known about the order to cancel.  A final state
 * stays final, whatever its age.  An order that is no longer listed does not count as ended: filled orders are dropped
 * from the list, but working ones may be missing for a moment.  An order that is neither in the list nor known to this
 * gate may have been made by another program after the list was read, if the caller says that the list is older than
 * the cancel.
 */
#include "order/key_meant.h"
#include "rules/listed_accounts.h"
#include "rules/rule.h"

struct settings {
    int64_t registers;
};

static const struct og_param params[] = {
    { .key = "registers",
      OG_DURATION(registers),
      .fallback = "1s",
      .least = "0s",
      .most = "1m",
      .tighter = OG_TIGHTER_HIGHER,
      .help = "for how long after its POST a look-up may fail to find an order, a duration; 0s: it is found at once" },
};

enum { R_NO_ID, R_ACCOUNT, R_UNKNOWN, R_UNREGISTERED, R_TERMINAL, R_REJECTED };

static const struct og_reason reasons[] = {
    [R_NO_ID] = { .id = "cancel-id-missing",
                  .level = OG_LEVEL_REFUSE,
                  .says = "a cancel names its order by clientOrderId, which is missing or empty{0}{1}{2}",
                  .where = "U1" },
    [R_ACCOUNT] = { .id = "cancel-account-unknown",
                    .level = OG_LEVEL_REFUSE,
                    .undecided = OG_LEVEL_OFF,
                    OG_PREDICTS(ACCOUNT, HTTP_400_JSON, STATED),
                    .says = "account '{0}' is not in the account list" OG_LISTED_SAYS,
                    .help = "name one of the accounts that the broker lists for this key pair",
                    .where = "Y16" },
    [R_UNKNOWN] = { .id = "cancel-unknown-id",
                    .level = OG_LEVEL_REFUSE,
                    .undecided = OG_LEVEL_INFO,
                    OG_PREDICTS(STATE, HTTP_404, STATED),
                    .says = "no order '{0}' was ever accepted on this account",
                    .help = "an order is canceled by the id that the answer to its POST names",
                    .where = "Y18" },
    [R_UNREGISTERED] = { .id = "cancel-unregistered",
                         .level = OG_LEVEL_INFO,
                         .undecided = OG_LEVEL_OFF,
                         OG_PREDICTS(STATE, HTTP_404, STATED),
                         .says = "order '{0}' was posted {1} ago and no look-up has found it yet",
                         .help = "look it up first; a 404 does not mean that it is gone",
                         .where = "U4" },
    [R_TERMINAL] = { .id = "cancel-terminal",
                     .level = OG_LEVEL_REFUSE,
                     .undecided = OG_LEVEL_INFO,
                     OG_PREDICTS(STATE, HTTP_404, STATED),
                     .says = "order '{0}' is {1}, there is nothing left to cancel",
                     .where = "M18" },
    [R_REJECTED] = { .id = "cancel-rejected",
                     .level = OG_LEVEL_REFUSE,
                     .undecided = OG_LEVEL_INFO,
                     OG_PREDICTS(STATE, REJECTED, STATED),
                     .predicts.code = "R130",
                     .says = "order '{0}' is Rejected: a cancel overwrites the text that says why",
                     .help = "keep the text of the rejection; there is nothing to cancel",
                     .where = "M17" },
};

static const char field[] = "/clientOrderId";

static bool is_terminal(struct og_str status)
{
    return og_str_is(status, "Filled") || og_str_is(status, "Canceled") || og_str_is(status, "Expired");
}

/* Returns when the sender last posted an order with this id; OG_TIME_UNKNOWN if it never did, as far as is known. */
static int64_t posted_at(const struct og_case *c, struct og_str id)
{
    int64_t at = OG_TIME_UNKNOWN;

    for (const struct og_call *p = og_facts_calls(c->facts)->posts; p; p = p->next)
        if (og_str_eq(p->what, id) && p->at > at)
            at = p->at;
    return at;
}

/* Check a cancel of an id that neither this gate nor the list knows. */
static void check_unknown(const struct og_case *c, struct og_str id, struct og_sink *sink)
{
    if (!og_need(c, sink, &reasons[R_UNKNOWN], OG_FACT_ORDERS, (struct og_str){ 0 }, field))
        return;
    if (c->request->list == OG_LIST_BEFORE)
        og_unsure(sink, &reasons[R_UNKNOWN], field,
                  "the list of orders was read before the cancel came, and the order may have been made since");
    else
        OG_FIND(sink, &reasons[R_UNKNOWN], field, og_a_str(id));
}

/* Check a cancel of an order that is not in the list. */
static void check_absent(const struct og_case *c, const struct settings *s, struct og_str id, struct og_sink *sink)
{
    int64_t at = posted_at(c, id);
    bool seen = at != OG_TIME_UNKNOWN || og_facts_id(c->facts, id) == OG_ID_ACCEPTED;

    if (at != OG_TIME_UNKNOWN && at <= c->now && c->now - at < s->registers)
        OG_FIND(sink, &reasons[R_UNREGISTERED], field, og_a_str(id), og_a_duration(c->now - at));
    if (!seen) {
        check_unknown(c, id, sink);
        return;
    }
    og_unsure(sink, &reasons[R_TERMINAL], field, "the order is not in the list of orders");
    og_unsure(sink, &reasons[R_REJECTED], field, "the order is not in the list of orders");
}

/* Report that a cancel has no clientOrderId, and a key that was probably meant for it. */
static void find_no_id(const struct og_request *r, struct og_sink *sink)
{
    struct og_str meant = { NULL, 0 };

    for (int i = 0; i < r->order->unknown_count && i < OG_UNKNOWN_KEPT && !meant.len; i++)
        if (r->order->unknown[i].leg < 0 && og_key_meant(r->order->unknown[i].name, false) == OG_KEY_CLIENT_ORDER_ID)
            meant = r->order->unknown[i].name;
    OG_FIND(sink, &reasons[R_NO_ID], field, og_a_text(meant.len ? "; did you mean clientOrderId by '" : ""),
            og_a_str(meant), og_a_text(meant.len ? "'?" : ""));
}

static void check(const struct og_case *c, const void *settings, struct og_sink *sink)
{
    struct og_str id = og_request_text(c->request, OG_REQUEST_ORDER_ID);
    const struct og_known_order *order = og_facts_order(c->facts, id);
    const struct og_facts *lister = og_case_lister(c);

    if (!id.len) {
        find_no_id(c->request, sink);
        return;
    }
    if (c->account_id.len &&
        og_need(c, sink, &reasons[R_ACCOUNT], OG_FACT_ACCOUNT_LIST, (struct og_str){ 0 }, "/accountId") &&
        !og_facts_lists_account(lister, c->account_id)) {
        const struct og_listed listed = og_listed_of(lister);

        OG_FIND(sink, &reasons[R_ACCOUNT], "/accountId", og_a_str(c->account_id), OG_LISTED(listed));
    }
    if (!order)
        check_absent(c, settings, id, sink);
    else if (is_terminal(order->status))
        OG_FIND(sink, &reasons[R_TERMINAL], field, og_a_str(id), og_a_str(order->status));
    else if (og_str_is(order->status, "Rejected"))
        OG_FIND(sink, &reasons[R_REJECTED], field, og_a_str(id));
}

const struct og_rule og_rule_cancel_request = {
    OG_PARTS_OF_FILE(cancel_request),
    .id = "cancel-request",
    .summary = "a cancel that cannot reach its order",
    .because = "a cancel of an order that ended answers 404, and of a rejected one it destroys the reason",
    .stage = OG_STAGE_FLOW,
    .subjects = OG_SUBJECT_CANCEL,
    .reads = OG_FACT_ORDERS | OG_FACT_ACCOUNT_LIST,
    OG_SETTINGS_OF_FILE,
};
