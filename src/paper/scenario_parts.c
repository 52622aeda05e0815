/*
 * The parts of a scenario that are lists: routes, symbols, accounts, key pairs.  Names that could not be served are
 * rejected: account ids must be in upper case, because the service answers with them in upper case.
 */
#include "paper/cash.h"
#include "paper/pagination.h"
#include "paper/random_walk.h"
#include "paper/scenario_read.h"

#define MOST_NAME 40

static bool good_name(struct og_paper_scenario_reader *r, const struct og_yaml *node, const char *what, bool upper)
{
    size_t i;
    bool ok = node->key.len > 0 && node->key.len <= MOST_NAME;

    for (i = 0; i < node->key.len && ok; i++) {
        char c = node->key.s[i];

        ok = (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '.' || c == '_' || c == '-' ||
             (!upper && c >= 'a' && c <= 'z');
    }
    if (!ok)
        og_diagnostic_here(&r->diagnostics, OG_AT_KEY(node), "name-invalid",
                           "%s must be 1 to %d %sletters, digits, '.', '_' and '-', not '%s'", what, MOST_NAME,
                           upper ? "upper-case " : "", og_see(node->key).s);
    return ok;
}

static const struct og_yaml *section_items(struct og_paper_scenario_reader *r, const char *part)
{
    const struct og_yaml *node = og_paper_section_node(r, part);

    return node && og_paper_is_map(r, node) ? node->first : NULL;
}

/* --- routes ------------------------------------------------------------------------------------------------------- */

static const char *const *read_words(struct og_paper_scenario_reader *r, const struct og_yaml *route, const char *key,
                                     const char *const *words)
{
    static const char *const none[] = { NULL };
    const struct og_yaml *list = og_yaml_get(route, key), *n;
    size_t known = 0, count = 0;
    const char **to;

    while (words && words[known])
        known++;
    if (!og_paper_require_keys(r, route, OG_KEY_LIST(key)) || !og_paper_is_list(r, list))
        return none;
    to = og_paper_take_items(r, list, sizeof *to);
    for (n = list->first; to && n; n = n->next) {
        if (n->kind != OG_YAML_SCALAR || !n->text.len || memchr(n->text.s, ',', n->text.len))
            og_diagnostic_here(&r->diagnostics, OG_AT(n), "value-invalid", "'%s' must be a list of words", key);
        else if (words && !og_str_is_one_of(n->text, words))
            og_diagnostic_unknown(&r->diagnostics, OG_AT(n), n->text,
                                  strcmp(key, "securityTypes") == 0 ? "security type" : "time in force", words, known);
        else if (!(to[count++] = og_arena_copy(&r->p->arena, n->text).s))
            og_paper_no_memory(r);
    }
    return to ? to : none;
}

static void read_route(struct og_paper_scenario_reader *r, const struct og_yaml *node, struct og_route_info *row,
                       bool *paper)
{
    static const char *const securities[] = { "Stock", "Option", "MLEG", NULL };
    static const char *const beside[] = { "securityTypes", "timesInForce", "orderTypes", NULL };
    struct og_paper_route_item item;

    og_paper_read_settings(r, node, OG_SECTION_ROUTE, &item, beside);
    *row = (struct og_route_info){
        .name = og_arena_copy(&r->p->arena, node->key).s,
        .security_types = read_words(r, node, "securityTypes", securities),
        .times_in_force = read_words(r, node, "timesInForce", og_paper_tifs + 1),
        .order_types = read_words(r, node, "orderTypes", NULL),
        .use_display_qty = item.use_display_qty,
    };
    *paper = item.paper;
    if (!row->name)
        og_paper_no_memory(r);
}

void og_paper_read_routes(struct og_paper_scenario_reader *r)
{
    const struct og_yaml *node = og_paper_section_node(r, "routes"), *n;
    struct og_route_info *rows, row;
    size_t live = 0;
    bool paper;

    if (!node || !og_paper_is_map(r, node))
        return;
    if (!(rows = og_paper_take_items(r, node, 2 * sizeof *rows)))
        return;
    for (n = node->first; n; n = n->next) { /* live routes are collected in the second half of the array until all paper
                                             * routes are known */
        if (!good_name(r, n, "a route's name", false) || !og_paper_is_map(r, n))
            continue;
        read_route(r, n, &row, &paper);
        rows[paper ? r->p->paper_routes++ : node->count + live++] = row;
    }
    if (live)
        memmove(rows + r->p->paper_routes, rows + node->count, live * sizeof *rows);
    r->p->routes = rows;
    r->p->route_count = r->p->paper_routes + live;
}

/* --- symbols ------------------------------------------------------------------------------------------------------ */

static void read_walk(struct og_paper_scenario_reader *r, struct og_paper_symbol *symbol, const struct og_yaml *node)
{
    struct og_paper_random_walk_item item;

    if (!og_paper_is_map(r, node))
        return;
    og_paper_read_settings(r, node, OG_SECTION_WALK, &item, NULL);
    if (item.least > item.most)
        og_diagnostic_here(&r->diagnostics, OG_AT(node), "value-invalid", "'least' must not be above 'most'");
    else if (symbol->state != OG_QUOTE_SET)
        og_diagnostic_here(&r->diagnostics, OG_AT_KEY(node), "value-invalid",
                           "a walk starts at the quote of its symbol, which has none");
    else if (!og_paper_random_walk_add(r->p, symbol, &item))
        og_paper_no_memory(r);
}

static void set_quote(struct og_paper_scenario_reader *r, struct og_paper_symbol *symbol,
                      const struct og_paper_symbol_item *item, const struct og_yaml *node)
{
    struct og_paper_quote none = { .bid = 0 },
                          given = { item->bid, item->ask, item->last, item->bid_size, item->ask_size };

    if (item->bid == OG_UNSET && item->ask == OG_UNSET && item->last == OG_UNSET)
        return;
    given.bid_size = item->bid_size == OG_UNSET ? OG_NO_SIZE : item->bid_size;
    given.ask_size = item->ask_size == OG_UNSET ? OG_NO_SIZE : item->ask_size;
    if (og_paper_quote_next(&none, &given, &symbol->quote))
        symbol->state = OG_QUOTE_SET;
    else
        og_diagnostic_here(&r->diagnostics, OG_AT_KEY(node), "value-invalid",
                           "the quote of '%s' is crossed: 'ask' must not be below 'bid'", og_see(node->key).s);
}

static void read_symbol(struct og_paper_scenario_reader *r, const struct og_yaml *node)
{
    static const char *const beside[] = { "walk", NULL };
    struct og_paper_symbol *symbol = og_paper_market_add(&r->p->market, node->key);
    struct og_paper_symbol_item item;

    if (!symbol) {
        og_paper_no_memory(r);
        return;
    }
    og_paper_read_settings(r, node, OG_SECTION_SYMBOL, &item, beside);
    set_quote(r, symbol, &item, node);
    symbol->borrow = (enum og_paper_borrow)item.borrow;
    symbol->available = item.available;
    symbol->available_single = item.available_single;
    symbol->locate_price = item.locate_price;
    symbol->single_price = item.single_price;
    symbol->option_time = item.option_time;
    if (og_yaml_get(node, "walk"))
        read_walk(r, symbol, og_yaml_get(node, "walk"));
}

void og_paper_read_symbols(struct og_paper_scenario_reader *r)
{
    const struct og_yaml *n;

    for (n = section_items(r, "symbols"); n; n = n->next)
        if (good_name(r, n, "a symbol", false) && og_paper_is_map(r, n))
            read_symbol(r, n);
}

/* --- accounts ----------------------------------------------------------------------------------------------------- */

static void own_routes(struct og_paper_scenario_reader *r, struct og_paper_account *account, const struct og_yaml *list)
{
    struct og_route_info *rows;
    const struct og_yaml *n;
    const char *names[64];
    size_t i, count = r->p->route_count < 64 ? r->p->route_count : 64;

    if (!og_paper_is_list(r, list) || !(rows = og_paper_take_items(r, list, sizeof *rows)))
        return;
    account->own_routes = true;
    account->routes = rows;
    for (i = 0; i < count; i++)
        names[i] = r->p->routes[i].name;
    for (n = list->first; n; n = n->next) {
        for (i = 0; i < count && !og_str_is(n->text, names[i]); i++)
            ;
        if (i == count)
            og_diagnostic_unknown(&r->diagnostics, OG_AT(n), n->text, "route of this scenario", names, count);
        else
            rows[account->route_count++] = r->p->routes[i];
    }
}

static void read_position(struct og_paper_scenario_reader *r, const struct og_yaml *node,
                          struct og_paper_initial_position *position)
{
    struct og_paper_position_item item;

    *position = (struct og_paper_initial_position){ .symbol = NULL };
    if (!og_paper_is_map(r, node) || !og_paper_require_keys(r, node, OG_KEY_LIST("symbol", "shares")))
        return;
    og_paper_read_settings(r, node, OG_SECTION_POSITION, &item, NULL);
    if (!item.symbol.len || item.symbol.len > MOST_NAME)
        og_diagnostic_here(&r->diagnostics, OG_AT(node), "value-invalid", "'symbol' must be a ticker or a contract");
    else if (!(position->symbol = og_paper_market_add(&r->p->market, item.symbol)))
        og_paper_no_memory(r);
    position->is_long = !item.short_side;
    position->overnight = item.overnight;
    position->shares = item.shares == OG_UNSET ? 0 : item.shares; /* 0 is only a placeholder: a missing value was
                                                                   * already reported */
    position->price = item.price;
}

static void read_positions(struct og_paper_scenario_reader *r, struct og_paper_account *account,
                           const struct og_yaml *list)
{
    struct og_paper_initial_position *rows;

    if (!og_paper_is_list(r, list) || !(rows = og_paper_take_items(r, list, sizeof *rows)))
        return;
    account->initial_positions = rows;
    for (const struct og_yaml *n = list->first; n; n = n->next) {
        read_position(r, n, &rows[account->initial_position_count]);
        if (rows[account->initial_position_count].symbol)
            account->initial_position_count++;
    }
}

static struct og_paper_cash *read_cash_row(struct og_paper_scenario_reader *r, const struct og_yaml *node,
                                           int64_t after)
{
    struct og_paper_cash *row = og_arena_take(&r->p->arena, sizeof *row);
    struct og_paper_cash_item item;

    if (!row)
        og_paper_no_memory(r);
    if (!row || !og_paper_is_map(r, node) || !og_paper_require_keys(r, node, OG_KEY_LIST("type", "date")))
        return NULL;
    og_paper_read_settings(r, node, OG_SECTION_CASH, &item, NULL);
    *row = (struct og_paper_cash){
        .type = item.type, .note = item.note, .deposit = item.deposit, .withdraw = item.withdraw
    };
    if (!og_paper_page_day(item.date, &row->day) || row->day < after) {
        og_diagnostic_here(&r->diagnostics, OG_AT(og_yaml_get(node, "date")), "value-invalid",
                           "'date' must be YYYY-MM-DD and not before that of the row above, not '%s'",
                           og_see(item.date).s);
        return NULL;
    }
    return row;
}

static void read_cash(struct og_paper_scenario_reader *r, struct og_paper_account *account, const struct og_yaml *list)
{
    struct og_paper_cash **end = &account->initial_cash, *row;
    const struct og_yaml *n;
    int64_t after = 0;

    if (!og_paper_is_list(r, list))
        return;
    for (n = list->first; n; n = n->next)
        if ((row = read_cash_row(r, n, after))) {
            after = row->day;
            *end = row;
            end = &row->next;
        }
}

static void read_account(struct og_paper_scenario_reader *r, const struct og_yaml *node)
{
    static const char *const beside[] = { "routes", "positions", "cashHistory", NULL };
    struct og_paper_account *account = og_paper_account_add(r->p, node->key, OG_STR("Paper"));
    const struct og_yaml *part;

    if (!account) {
        og_paper_no_memory(r);
        return;
    }
    og_paper_read_settings(r, node, OG_SECTION_ACCOUNT, account, beside);
    account->route_count = 0;
    if ((part = og_yaml_get(node, "routes")))
        own_routes(r, account, part);
    og_paper_account_retype(r->p, account, account->type);
    if (!account->own_routes && !account->route_count)
        og_diagnostic_here(&r->diagnostics, OG_AT_KEY(node), "no-route",
                           "'%s' has no route: list its 'routes', or add a route with 'paper: %s' to the scenario",
                           og_see(node->key).s, account->paper ? "on" : "off");
    if ((part = og_yaml_get(node, "positions")))
        read_positions(r, account, part);
    if ((part = og_yaml_get(node, "cashHistory")))
        read_cash(r, account, part);
    og_paper_account_fund(account);
}

void og_paper_read_accounts(struct og_paper_scenario_reader *r)
{
    const struct og_yaml *n;

    for (n = section_items(r, "accounts"); n; n = n->next)
        if (good_name(r, n, "an account's id", true) && og_paper_is_map(r, n))
            read_account(r, n);
}

/* --- key pairs ---------------------------------------------------------------------------------------------------- */

static struct og_paper_account **accounts_of_key(struct og_paper_scenario_reader *r, const struct og_yaml *list,
                                                 size_t *count)
{
    struct og_paper_account **accounts = og_paper_take_items(r, list, sizeof *accounts), *a;
    const char *names[64];
    const struct og_yaml *n;
    size_t known = 0;

    for (a = r->p->accounts; a && known < 64; a = a->next)
        names[known++] = a->id.s;
    for (n = list->first; accounts && n; n = n->next) {
        a = n->kind == OG_YAML_SCALAR ? og_paper_account_get(r->p, n->text) : NULL;
        if (a)
            accounts[(*count)++] = a;
        else
            og_diagnostic_unknown(&r->diagnostics, OG_AT(n), n->text, "account of this scenario", names, known);
    }
    return accounts;
}

static void read_key(struct og_paper_scenario_reader *r, const struct og_yaml *node)
{
    static const char *const beside[] = { "accounts", NULL };
    const struct og_yaml *list = og_yaml_get(node, "accounts");
    struct og_paper_key item = { .count = 0 }, *key;
    struct og_paper_account **accounts;
    size_t count = 0;

    og_paper_read_settings(r, node, OG_SECTION_KEY, &item, beside);
    if (!og_paper_require_keys(r, node, OG_KEY_LIST("secret", "accounts")) || !og_paper_is_list(r, list))
        return;
    if (!item.secret.len) {
        og_diagnostic_here(&r->diagnostics, OG_AT(node), "value-invalid", "'secret' must not be empty");
        return;
    }
    accounts = accounts_of_key(r, list, &count);
    if (!accounts)
        return;
    key = og_paper_key_add(r->p, node->key, item.secret, accounts, count);
    if (key)
        key->disabled = item.disabled;
    else
        og_paper_no_memory(r);
}

void og_paper_read_keys(struct og_paper_scenario_reader *r)
{
    const struct og_yaml *accounts = og_yaml_get(r->root, "accounts"), *n;

    if (accounts && !og_yaml_get(r->root, "keys")) {
        og_diagnostic_here(&r->diagnostics, OG_AT_KEY(accounts), "missing-key",
                           "'keys' is missing: without key pairs nobody can sign in to 'accounts'");
        return;
    }
    for (n = section_items(r, "keys"); n; n = n->next) {
        if (!n->key.len)
            og_diagnostic_here(&r->diagnostics, OG_AT_KEY(n), "name-invalid", "a key's id must not be empty");
        else if (og_paper_is_map(r, n))
            read_key(r, n);
    }
}
