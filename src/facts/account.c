/*
 * Reads the account's detail, the account list and the routes. The case of accountType matters: "paper" is not Paper,
 * and counts as live (C5).
 */
#include <stddef.h>

#include "facts/documents.h"

#define AT(field) offsetof(struct og_account, field)

static const struct {
    const char *key;
    size_t value, has;
} numbers[] = {
    { "bp", AT(bp), AT(has_bp) },
    { "overnightBp", AT(overnight_bp), AT(has_overnight_bp) },
    { "availableCash", AT(available_cash), AT(has_available_cash) },
    { "marginDeficit", AT(margin_deficit), AT(has_margin_deficit) },
    { "maintenanceDeficit", AT(maintenance_deficit), AT(has_maintenance_deficit) },
    { "equity", AT(equity), AT(has_equity) },
    { "sodEquity", AT(sod_equity), AT(has_sod_equity) },
};

static bool read_numbers(struct og_facts_reader *r, const cJSON *item, struct og_account *a)
{
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++)
        if (!og_facts_read_money(r, item, numbers[i].key, OG_MAY, (bool *)((char *)a + numbers[i].has),
                                 (struct og_money *)((char *)a + numbers[i].value)))
            return false;
    /* an account list's row has buyingPower, and may be given instead of the account's detail */
    return a->has_bp || og_facts_read_money(r, item, "buyingPower", OG_MAY, &a->has_bp, &a->bp);
}

static bool read_level(struct og_facts_reader *r, const cJSON *item, const char *key, int *level)
{
    const cJSON *given = og_doc_get(item, key);
    int64_t n = -1;

    if (given && (!og_item_int(given, &n) || n < 0 || n > 4))
        return og_facts_refuse(r, key, "an option level, 0 to 4", given);
    *level = (int)n;
    return true;
}

static bool read_copy(struct og_facts_reader *r, const cJSON *item, const char *key, struct og_part *p,
                      struct og_str *out)
{
    struct og_str given;

    if (!og_facts_read_text(r, item, key, OG_MAY, &given))
        return false;
    *out = given.s ? og_arena_copy(&p->arena, given) : given;
    return out->s || !given.s || og_facts_no_memory(r);
}

/* Returns true if the id is that of the facts' account, or if one of the two ids is empty. */
static bool is_own(const struct og_facts_reader *r, struct og_str account)
{
    return !account.len || !r->account.len || og_same_account(account, r->account);
}

static bool read_own(struct og_facts_reader *r, const cJSON *row, const char *key, enum og_facts_need need)
{
    struct og_str account;
    char allowed[96];
    struct og_buf b;

    if (!og_facts_read_text(r, row, key, need, &account))
        return false;
    if (is_own(r, account))
        return true;
    og_buf_init_fixed(&b, allowed, sizeof allowed);
    og_buf_format(&b, "\"%.*s\", the account that these facts belong to", (int)r->account.len, r->account.s);
    return og_facts_refuse(r, key, b.bad ? "the account that these facts belong to" : allowed, og_doc_get(row, key));
}

bool og_facts_read_own(struct og_facts_reader *r, const cJSON *row, const char *key)
{
    return read_own(r, row, key, OG_MAY);
}

bool og_facts_read_own_row(struct og_facts_reader *r, const cJSON *row)
{
    return read_own(r, row, "accountId", OG_MAY_BE_NULL) && read_own(r, row, "account", OG_MAY_BE_NULL);
}

bool og_facts_read_owner(struct og_facts_reader *r, const cJSON *row, struct og_str named, bool *own)
{
    char allowed[96];
    struct og_buf b;

    *own = is_own(r, named);
    if (r->answers)
        return true;
    if (!og_facts_read_own_row(r, row))
        return false;
    if (*own)
        return true;
    og_buf_init_fixed(&b, allowed, sizeof allowed);
    og_buf_format(&b, "\"%.*s:\" and the order's id, since these facts are of that account", (int)r->account.len,
                  r->account.s);
    return og_facts_refuse(r, "userOrderId",
                           b.bad ? "the account that these facts belong to, before the colon" : allowed,
                           og_doc_get(row, "userOrderId"));
}

bool og_facts_read_account(struct og_facts_reader *r, const cJSON *item, struct og_part *p)
{
    struct og_account *a = og_arena_take(&p->arena, sizeof *a);

    if (!a)
        return og_facts_no_memory(r);
    p->is.account = a;
    return og_facts_read_object(r, item) && og_facts_read_own(r, item, "account") &&
           read_copy(r, item, "account", p, &a->id) && read_copy(r, item, "accountStatus", p, &a->status) &&
           read_copy(r, item, "accountType", p, &a->type) && read_numbers(r, item, a) &&
           read_level(r, item, "optLevel", &a->opt_level) &&
           read_level(r, item, "optionTradingLevel", &a->option_trading_level) &&
           og_facts_read_time(r, item, "created", &a->created) &&
           og_facts_read_bool(r, item, "linked", OG_MAY, &a->linked);
}

bool og_facts_read_list_row(struct og_facts_reader *r, const cJSON *item, struct og_part *p)
{
    struct og_list_row *row = og_arena_take(&p->arena, sizeof *row);
    struct og_str account;

    if (!row)
        return og_facts_no_memory(r);
    row->next = p->is.list;
    p->is.list = row;
    return og_facts_read_object(r, item) && og_facts_read_text(r, item, "account", OG_MUST, &account) &&
           read_copy(r, item, "account", p, &row->account) && read_copy(r, item, "accountType", p, &row->type);
}

static unsigned security_bit(struct og_str s)
{
    if (og_str_is(s, "MLEG")) /* order rows spell it MLEG, and the service accepts that spelling for routes (CON-40) */
        return 1U << OG_MLEG;
    return og_security_of(s) ? 1U << og_security_of(s) : 0;
}

static unsigned tif_bit(struct og_str s)
{
    return og_tif_of(s) ? 1U << og_tif_of(s) : 0;
}

static unsigned type_bit(struct og_str s)
{
    return og_order_type_of(s) ? 1U << og_order_type_of(s) : 0;
}

/* Read a list of names into a bit set; unknown names are ignored.  A list that is null counts as absent. */
static bool read_names(struct og_facts_reader *r, const cJSON *row, const char *key, unsigned (*bit)(struct og_str),
                       bool *has, unsigned *bits)
{
    const cJSON *list = og_facts_member(row, key, OG_MAY_BE_NULL), *name;
    size_t mark, row_mark;
    bool ok = true;
    int i = 0;

    if (!list)
        return true;
    if (!cJSON_IsArray(list))
        return og_facts_refuse(r, key, "an array of strings", list);
    *has = true;
    mark = og_facts_enter(r, key);
    cJSON_ArrayForEach (name, list) {
        row_mark = og_facts_enter_row(r, i++);
        ok = ok && (cJSON_IsString(name) || og_facts_refuse(r, NULL, "a string", name));
        if (ok)
            *bits |= bit(og_str_of(name->valuestring));
        og_facts_leave(r, row_mark);
    }
    og_facts_leave(r, mark);
    return ok;
}

/* Returns the route of that name; NULL if memory runs out.  A route that does not exist yet is added at the end of the
 * list: messages then list routes in the service's order. */
static struct og_route *route_of(struct og_part *p, struct og_str name)
{
    struct og_route_row **at = &p->is.routes, *row;

    while (*at && !og_str_eq((*at)->route.name, name))
        at = &(*at)->next;
    if (*at)
        return &(*at)->route;
    row = og_arena_take(&p->arena, sizeof *row);
    if (!row)
        return NULL;
    row->route.name = og_arena_copy(&p->arena, name);
    if (!row->route.name.s)
        return NULL;
    *at = row;
    return &row->route;
}

bool og_facts_read_route(struct og_facts_reader *r, const cJSON *item, struct og_part *p)
{
    struct og_route *route;
    struct og_str name;

    if (!og_facts_read_object(r, item) || !og_facts_read_own_row(r, item) ||
        !og_facts_read_text(r, item, "routeName", OG_MUST, &name))
        return false;
    route = route_of(p, name);
    if (!route)
        return og_facts_no_memory(r);
    return read_names(r, item, "securityTypes", security_bit, &route->has_securities, &route->securities) &&
           read_names(r, item, "timesInForce", tif_bit, &route->has_tifs, &route->tifs) &&
           read_names(r, item, "orderTypes", type_bit, &route->has_types, &route->types);
}
