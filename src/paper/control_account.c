/*
 * The control calls about accounts: figures, positions and lifetime, set and shown.  A call with a value that is not
 * allowed is rejected with a reason, and changes nothing.
 */
#include <stdio.h>
#include <string.h>

#include "paper/control.h"
#include "paper/lifecycle.h"
#include "paper/scenario_settings.h"

static bool is_computed(int figure)
{
    return figure == OG_FIG_EQUITY || figure == OG_FIG_USED_LEVERAGE || figure == OG_FIG_OPTION_CASH ||
           figure == OG_FIG_MARGIN_RATIO;
}

/* Returns the buying power that open lots use. The figure bp includes this amount, while the bp of a control call does
 * not include it, so that it must be added to the latter. */
static int64_t buying_power_of_lots(const struct og_paper_account *a)
{
    return og_dec_add(og_paper_account_tied(a), -a->reserved);
}

static bool set_figure(struct og_paper_account *a, const char *key, const cJSON *value)
{
    struct og_money m;
    int64_t dec;
    int f;

    if (strcmp(key, "buyingPower") == 0)
        key = "bp";
    if (strcmp(key, "optionTradingLevel") == 0)
        key = "optLevel";
    for (f = 0; f < OG_FIG_COUNT; f++)
        if (og_paper_figure_keys[f] && strcmp(key, og_paper_figure_keys[f]) == 0)
            break;
    if (f < OG_FIG_COUNT && is_computed(f) && cJSON_IsNull(value)) {
        a->pinned[f] = false;
        a->figure[f] = 0;
        return true;
    }
    if (f == OG_FIG_COUNT || !og_item_money(value, &m) || !og_dec_from(m, &dec))
        return false;
    a->figure[f] = f == OG_FIG_BP || f == OG_FIG_OVERNIGHT_BP ? og_dec_add(dec, buying_power_of_lots(a)) : dec;
    a->pinned[f] = a->pinned[f] || is_computed(f);
    return true;
}

static bool set_text(struct og_paper *p, struct og_paper_account *a, const char *key, const cJSON *value)
{
    struct og_str text;

    if (!cJSON_IsString(value))
        return false;
    text = og_arena_copy(&p->arena, og_str_of(value->valuestring));
    if (!text.s)
        return false;
    if (strcmp(key, "accountStatus") == 0)
        a->status = text;
    else if (strcmp(key, "accountType") == 0)
        og_paper_account_retype(p, a, text);
    else
        return false;
    return true;
}

/* Set `linked` or `created`.  Returns false if the key is neither, or if its value is not allowed. */
static bool set_lifetime(struct og_paper_account *a, const char *key, const cJSON *doc)
{
    struct og_str text;

    if (strcmp(key, "linked") == 0)
        return og_doc_bool(doc, key, &a->linked);
    return strcmp(key, "created") == 0 && og_doc_str(doc, key, &text) && og_time_read(text.s, text.len, &a->created);
}

const char *og_control_put_account(struct og_control_call *c)
{
    struct og_paper_account *a = og_paper_account_get(c->p, c->item);
    struct og_paper_account before;
    const cJSON *member;

    if (!a || !cJSON_IsObject(c->doc))
        return a ? "an object is needed" : "no such account";
    before = *a;
    cJSON_ArrayForEach (member, c->doc) {
        if (!set_figure(a, member->string, member) && !set_text(c->p, a, member->string, member) &&
            !set_lifetime(a, member->string, c->doc)) {
            *a = before; /* the call is rejected, so undo all changes */
            snprintf(c->reason, sizeof c->reason, "'%.60s' is not a field of an account, or its value does not fit",
                     member->string);
            return c->reason;
        }
    }
    a->changed = true;
    if (a->linked != before.linked || a->created != before.created || a->paper != before.paper)
        og_paper_account_expire_when_due(c->p, a);
    og_paper_account_write(c->p, a, c->reply->body, false);
    return NULL;
}

/* Write the account in the form that og_control_put_account() takes. A figure that is computed is null, since any other
 * value would pin it. */
static void write_account(const struct og_paper_account *a, struct og_buf *b)
{
    og_buf_char(b, '{');
    og_member_str(b, "accountType", a->type);
    og_member_str(b, "accountStatus", a->status);
    og_member_bool(b, "linked", a->linked);
    og_member_text(b, "created", og_time_text(a->created).s);
    for (int f = 0; f < OG_FIG_COUNT; f++) {
        const bool has_lots = f == OG_FIG_BP || f == OG_FIG_OVERNIGHT_BP;
        const char *key = og_paper_figure_keys[f];

        if (key && is_computed(f) && !a->pinned[f])
            og_member_text(b, key, NULL);
        else if (key)
            og_member_money(b, key,
                            og_dec_money(has_lots ? og_dec_add(a->figure[f], -buying_power_of_lots(a)) : a->figure[f]));
    }
    og_buf_char(b, '}');
}

static const char *show_account(struct og_control_call *c,
                                void (*write)(const struct og_paper_account *a, struct og_buf *b))
{
    const struct og_paper_account *a = og_paper_account_get(c->p, c->item);

    if (!a)
        return "no such account";
    write(a, c->reply->body);
    return NULL;
}

static const char *show_accounts(struct og_control_call *c,
                                 void (*write)(const struct og_paper_account *a, struct og_buf *b))
{
    struct og_buf *b = c->reply->body;

    og_buf_char(b, '{');
    for (const struct og_paper_account *a = c->p->accounts; a; a = a->next) {
        og_member_key(b, a->id.s);
        write(a, b);
    }
    og_buf_char(b, '}');
    return NULL;
}

const char *og_control_get_account(struct og_control_call *c)
{
    return show_account(c, write_account);
}

const char *og_control_get_accounts(struct og_control_call *c)
{
    return show_accounts(c, write_account);
}

static void write_positions(const struct og_paper_account *a, struct og_buf *b)
{
    struct og_paper_lot_room room;
    struct og_position_info row;

    og_buf_char(b, '[');
    for (const struct og_paper_lot *lot = a->lots; lot; lot = lot->next) {
        og_paper_lot_row(a, lot, &room, &row);
        og_member_key(b, NULL);
        og_buf_char(b, '{');
        og_member_str(b, "symbol", lot->symbol->name);
        og_member_text(b, "side", row.side);
        og_member_money(b, "shares", row.shares);
        og_member_money(b, "priceAvg", row.price_avg);
        og_member_text(b, "dayOvernight", row.day_overnight);
        og_buf_char(b, '}');
    }
    og_buf_char(b, ']');
}

const char *og_control_get_positions(struct og_control_call *c)
{
    return show_account(c, write_positions);
}

const char *og_control_get_all_positions(struct og_control_call *c)
{
    return show_accounts(c, write_positions);
}

static const char *read_position(struct og_paper *p, const cJSON *doc, struct og_paper_initial_position *position)
{
    struct og_str symbol, side, day = OG_STR("Day");

    *position = (struct og_paper_initial_position){ .symbol = NULL };
    if (!og_doc_str(doc, "symbol", &symbol) || !symbol.len ||
        !(position->symbol = og_paper_market_add(&p->market, symbol)))
        return "'symbol' is needed";
    if (!og_control_dec(doc, "shares", &position->shares) || position->shares == 0)
        return "'shares' must be a number other than 0";
    position->is_long = position->shares > 0;
    if (og_doc_get(doc, "side")) {
        if (!og_doc_str(doc, "side", &side) || !(og_str_is(side, "Long") || og_str_is(side, "Short")))
            return "'side' must be Long or Short";
        position->is_long = og_str_is(side, "Long");
    }
    position->shares = position->shares < 0 ? -position->shares : position->shares;
    if (!og_control_dec(doc, "priceAvg", &position->price) || position->price < 0)
        return "'priceAvg' must be a number from 0";
    if (og_doc_get(doc, "dayOvernight") &&
        (!og_doc_str(doc, "dayOvernight", &day) || !(og_str_is(day, "Day") || og_str_is(day, "Overnight"))))
        return "'dayOvernight' must be Day or Overnight";
    position->overnight = og_str_is(day, "Overnight");
    return NULL;
}

const char *og_control_post_reset(struct og_control_call *c)
{
    struct og_paper_account *a = og_paper_account_get(c->p, c->item);

    if (!a || !a->paper)
        return a ? "only a Paper account can be reset" : "no such account";
    og_paper_account_reset(c->p, a);
    return NULL;
}

/* Returns true if a list of positions, which was checked, has just the open lots of the account. */
static bool are_held(struct og_paper *p, const struct og_paper_account *a, const cJSON *list)
{
    const struct og_paper_lot *lot = a->lots;
    struct og_paper_initial_position position;
    struct og_paper_lot_room room;
    struct og_position_info row;
    const cJSON *item;

    cJSON_ArrayForEach (item, list) {
        int64_t average = 0;

        if (!lot || read_position(p, item, &position))
            return false;
        og_paper_lot_row(a, lot, &room, &row);
        if (position.symbol != lot->symbol || position.is_long != lot->is_long ||
            position.overnight != lot->overnight || position.shares != lot->shares ||
            !og_dec_from(row.price_avg, &average) || position.price != average)
            return false;
        lot = lot->next;
    }
    return !lot;
}

const char *og_control_put_positions(struct og_control_call *c)
{
    struct og_paper_account *a = og_paper_account_get(c->p, c->item);
    const cJSON *item;
    struct og_paper_initial_position position;
    const char *wrong;
    int64_t before;

    if (!a || !cJSON_IsArray(c->doc))
        return a ? "an array of positions is needed" : "no such account";
    cJSON_ArrayForEach (item, c->doc) {
        if ((wrong = read_position(c->p, item, &position)))
            return wrong;
    }
    if (are_held(c->p, a, c->doc)) /* what is shown may be put again: the lots keep their ids and profits */
        return NULL;
    before = buying_power_of_lots(a);
    og_paper_account_lots_clear(a);
    og_paper_lifecycle_drop(c->p, a);
    a->figure[OG_FIG_BP] = og_dec_add(a->figure[OG_FIG_BP], -before);
    a->figure[OG_FIG_OVERNIGHT_BP] = og_dec_add(a->figure[OG_FIG_OVERNIGHT_BP], -before);
    cJSON_ArrayForEach (item, c->doc) {
        if (!read_position(c->p, item, &position))
            og_paper_account_add_initial(c->p, a, &position);
    }
    og_paper_account_store_lots(c->p, a);
    a->changed = true;
    return NULL;
}
