/*
 * Lists what the limits of the policy have used up: for each of its settings, a rule reports its limits and what counts
 * against each (rules/usage.h).  Rows are collected while the book's lock is held, and given to the caller after it was
 * released.
 */
#include "rules/usage.h"

#include <stdlib.h>

#include "check/book.h"
#include "policy/show.h"
#include "policy/value.h"

struct row {
    struct og_usage is;
    struct row *next;
};

/* Names (of symbols, underlyings or tags) for each of which the limits are listed. */
struct names {
    struct og_str *name;
    size_t count, room;
};

struct og_uses {
    const struct og_book *book;
    struct og_pattern_room *room;
    struct og_arena arena;
    struct row *first, **end;
    bool failed; /* memory ran out */
    struct og_usage_case as;
    const char *account;
    struct og_eastern eastern;
    unsigned usable; /* OG_FACT_* that are known and fresh */
    const struct og_policy_rule *rule;
    size_t under; /* index of the override whose setting is listed; the rule's override_count: its own setting */
};

const char *og_usage_of_name(enum og_usage_of of)
{
    static const char *const names[] = { "", "order", "account", "symbol", "underlying", "list", "tag" };

    return (unsigned)of <= OG_USAGE_TAG ? names[of] : "";
}

const char *og_usage_unit_name(enum og_usage_unit unit)
{
    static const char *const names[] = { "",       "dollars",     "shares",  "contracts",
                                         "orders", "underlyings", "percent", "number" };

    return (unsigned)unit <= OG_UNIT_NUMBER ? names[unit] : "";
}

int og_usage_share(const struct og_usage *u)
{
    const int most = 1000000;
    int low = 0, high = most;

    if (!u || !u->has_used || u->least || u->used.coef <= 0)
        return 0;
    if (u->allowed.coef <= 0)
        return most;
    while (low < high) { /* find the greatest share of `allowed` that is used */
        const int middle = low + (high - low + 1) / 2;
        struct og_money part;

        if (og_money_share(u->allowed, middle, &part) && og_money_cmp(part, u->used) <= 0)
            low = middle;
        else
            high = middle - 1;
    }
    return low;
}

/* --- the settings of a rule --------------------------------------------------------------------------------------- */

static const struct og_rule_setting *setting_at(const struct og_policy_rule *r, size_t i)
{
    return i < r->override_count ? &r->overrides[i].setting : &r->setting;
}

static bool is_in_force(const struct og_rule *rule, const struct og_rule_setting *s)
{
    return !s->idle && s->level != OG_LEVEL_OFF && (s->settings || !rule->settings_size);
}

static bool refuses(const struct og_rule_setting *s)
{
    return s->level == OG_LEVEL_REFUSE && s->mode == OG_MODE_ENFORCE;
}

/* Returns true if the pattern matches the name. */
static bool fits(const struct og_uses *u, const struct og_pattern *p, struct og_str name)
{
    return og_pattern_match(p, name, u->room) == OG_MATCH_YES;
}

/* Returns true if the override may apply to orders that use up the limit of this row. */
static bool concerns(const struct og_uses *u, const struct og_override *o, enum og_usage_of of, struct og_str name)
{
    return !og_term_is_over(&o->term, u->as.now) && (!o->account || fits(u, o->account, og_str_of(u->account))) &&
           (!o->symbol || of != OG_USAGE_SYMBOL || !name.len || fits(u, o->symbol, name)) &&
           (!o->tag || of != OG_USAGE_TAG || !name.len || fits(u, o->tag, name));
}

/* Returns true if the override has conditions on orders that the row does not show. */
static bool is_conditional(const struct og_override *o, enum og_usage_of of, struct og_str name)
{
    return o->securities || o->sides || o->types || o->when_text.len ||
           (o->symbol && (of != OG_USAGE_SYMBOL || !name.len)) || (o->tag && (of != OG_USAGE_TAG || !name.len));
}

/* Returns true if an earlier override sets the limit of every order that uses up the limit of this row. */
static bool is_overridden(const struct og_uses *u, enum og_usage_of of, struct og_str name)
{
    for (size_t i = 0; i < u->under; i++) {
        const struct og_override *o = &u->rule->overrides[i];

        if (concerns(u, o, of, name) && !is_conditional(o, of, name))
            return true;
    }
    return false;
}

/* Returns true if the override leaves this limit as the rule's own setting has it. */
static bool is_as_own(const struct og_uses *u, const char *key)
{
    const struct og_rule *rule = u->rule->rule;
    const struct og_rule_setting *own = &u->rule->setting, *here = setting_at(u->rule, u->under);
    bool same = is_in_force(rule, own) && refuses(own) == refuses(here);

    OG_EACH_PARAM (p, rule)
        if (same && (p->kind == OG_PARAM_DURATION || strcmp(p->key, key) == 0))
            same = og_value_cmp(p, own->settings, here->settings) == 0;
    return same;
}

/* --- rows --------------------------------------------------------------------------------------------------------- */

/* Returns a copy that lives as long as the rows. */
static const char *kept(struct og_uses *u, struct og_str text)
{
    const struct og_str copy = og_arena_copy(&u->arena, text);

    u->failed = u->failed || !copy.s;
    return copy.s;
}

static const char *conditions(struct og_uses *u, const struct og_override *o)
{
    struct og_buf b;
    const char *text;

    og_buf_init(&b, 0);
    if (o->symbol || o->account || o->tag || o->securities || o->sides || o->types)
        og_show_match(&b, o);
    if (o->when_text.len) {
        og_buf_text(&b, b.len ? " when " : "when ");
        og_buf_str(&b, o->when_text);
    }
    u->failed = u->failed || b.bad;
    text = kept(u, (struct og_str){ b.bad ? "" : b.s, b.bad ? 0 : b.len });
    og_buf_clear(&b);
    return text;
}

/* Returns true if these facts are known and fresh; the sender's own counts need not be known. */
static bool has_facts(const struct og_uses *u, unsigned reads)
{
    int64_t as_of;

    if (!og_facts_known(u->as.facts, OG_FACT_GATE, &as_of))
        reads &= ~(unsigned)OG_FACT_GATE;
    return (u->usable & reads) == reads;
}

static void add(struct og_uses *u, const struct og_limit_use *use, bool has_used)
{
    const struct og_override *o = u->under < u->rule->override_count ? &u->rule->overrides[u->under] : NULL;
    struct row *row;

    if ((o && !concerns(u, o, use->of, use->name)) || is_overridden(u, use->of, use->name) ||
        (o && is_conditional(o, use->of, use->name) && is_as_own(u, use->setting)))
        return;
    row = og_arena_take(&u->arena, sizeof *row);
    if (!row) {
        u->failed = true;
        return;
    }
    row->is = (struct og_usage){ .account_id = u->account,
                                 .rule = u->rule->rule->id,
                                 .setting = use->setting,
                                 .measure = use->measure ? use->measure : "",
                                 .of = use->of,
                                 .unit = use->unit,
                                 .has_used = has_used && !use->unknown,
                                 .sure = !use->unknown && !use->at_least && has_facts(u, use->reads),
                                 .refuses = refuses(setting_at(u->rule, u->under)),
                                 .used = use->used,
                                 .allowed = use->allowed,
                                 .window_ns = use->window_ns };
    row->is.name = kept(u, use->name.len ? use->name : OG_STR(""));
    row->is.only = o && is_conditional(o, use->of, use->name) ? conditions(u, o) : "";
    *u->end = row;
    u->end = &row->next;
}

static void put(struct og_uses *u, const struct og_limit_use *use)
{
    add(u, use, true);
}

/* List the limits that apply to each order by itself, which nothing uses up. */
static void put_each_order(struct og_uses *u, const struct og_rule *rule, const void *settings)
{
    OG_EACH_PARAM (p, rule) {
        const char *value = (const char *)settings + p->at;
        struct og_limit_use use = { .setting = p->key, .of = OG_USAGE_ORDER, .unit = OG_UNIT_NUMBER };
        struct row **before = u->end;

        if (!p->each_order || og_value_is_widest(p, settings))
            continue;
        if (p->kind == OG_PARAM_MONEY) {
            use.unit = OG_UNIT_DOLLARS;
            use.allowed = *(const struct og_money *)value;
        } else if (p->kind == OG_PARAM_BPS) {
            use.unit = OG_UNIT_PERCENT;
            use.allowed = (struct og_money){ *(const int32_t *)value, 2 };
        } else {
            use.allowed = og_money_from(*(const int64_t *)value);
        }
        add(u, &use, false);
        if (*before)
            (*before)->is.least = p->tighter == OG_TIGHTER_HIGHER;
    }
}

static void list_rule(struct og_uses *u, const struct og_policy_rule *r)
{
    u->rule = r;
    for (size_t i = 0; i <= r->override_count; i++) {
        const struct og_rule_setting *s;

        u->under = i == 0 ? r->override_count : i - 1; /* the rule's own setting first */
        s = setting_at(r, u->under);
        if (!r->rule->limit || !is_in_force(r->rule, s))
            continue;
        put_each_order(u, r->rule, s->settings);
        if (r->rule->usage)
            r->rule->usage(&u->as, s->settings);
    }
}

/* --- names -------------------------------------------------------------------------------------------------------- */

static int by_name(const void *a, const void *b)
{
    const struct og_str *x = a, *y = b;
    const int order = memcmp(x->s, y->s, x->len < y->len ? x->len : y->len);

    return order ? order : (x->len > y->len) - (x->len < y->len);
}

static void add_name(struct og_uses *u, struct names *n, struct og_str name)
{
    if (n->count == n->room) {
        const size_t room = n->room ? 2 * n->room : 16;
        struct og_str *grown = realloc(n->name, room * sizeof *grown);

        if (!grown) {
            u->failed = true;
            return;
        }
        n->name = grown;
        n->room = room;
    }
    n->name[n->count] = og_arena_copy(&u->arena, name);
    if (!n->name[n->count].s)
        u->failed = true;
    else
        n->count++;
}

/* Sort the names, and remove duplicates. */
static void sort(struct names *n)
{
    size_t kept = 0;

    if (n->count)
        qsort(n->name, n->count, sizeof *n->name, by_name);
    for (size_t i = 0; i < n->count; i++)
        if (!kept || !og_str_eq(n->name[i], n->name[kept - 1]))
            n->name[kept++] = n->name[i];
    n->count = kept;
}

static void find_names(struct og_uses *u, const struct og_facts *f, struct names *symbols, struct names *underlyings)
{
    const struct og_turnover *traded = NULL;
    const struct og_holding *h;
    char to[OG_SYMBOL_FOLDED];
    struct og_str name;
    size_t at = 0;

    symbols->count = underlyings->count = 0;
    while ((h = og_facts_holding_next(f, &at)) != NULL) {
        if (og_str_is(h->traded, "?")) /* the symbol that stands for orders of which only the id is known */
            continue;
        add_name(u, symbols, h->traded);
        add_name(u, underlyings, og_underlying_name(h->traded, to));
    }
    while ((name = og_facts_traded_next(f, &traded)).len)
        add_name(u, underlyings, name);
    sort(symbols);
    sort(underlyings);
}

static void find_tags(struct og_uses *u, struct names *tags)
{
    const struct og_tag_settings *s = u->book->policy->rules[OG_ENGINE_TAG].setting.settings;

    for (size_t i = 0; s && i < s->known.count; i++)
        add_name(u, tags, s->known.word[i]);
    if (u->book->client_tag)
        add_name(u, tags, og_str_of(u->book->client_tag));
    sort(tags);
}

/* --- a book ------------------------------------------------------------------------------------------------------- */

static void list_account(struct og_uses *u, const struct og_facts *f, const struct names *tags)
{
    struct names symbols = { .count = 0 }, underlyings = { .count = 0 };
    const struct og_policy *policy = u->book->policy;
    int64_t until;

    find_names(u, f, &symbols, &underlyings);
    u->account = kept(u, og_facts_account_id(f));
    u->usable = og_facts_usable(f, u->as.now, policy->max_age, &until);
    u->as.facts = f;
    u->as.today = og_facts_day(f, u->eastern.date, og_calendar_day(u->eastern.date));
    u->as.symbol = symbols.name;
    u->as.symbols = symbols.count;
    u->as.underlying = underlyings.name;
    u->as.underlyings = underlyings.count;
    u->as.tag = tags->name;
    u->as.tags = tags->count;
    for (size_t i = 0; i < og_rules_size && !u->failed; i++)
        list_rule(u, &policy->rules[i]);
    free(symbols.name);
    free(underlyings.name);
}

/* Returns true if the account is listed.  Facts that name no account count as an account while no other is known. */
static bool is_listed(const struct og_book *b, size_t at)
{
    return at > 0 || b->accounts == 1 || b->nameless;
}

static enum og_status list_book(struct og_uses *u, const char *account_id)
{
    const struct og_book *b = u->book;
    struct names tags = { .count = 0 };
    const size_t only = account_id ? og_book_find(b, og_str_of(account_id)) : b->accounts;

    if (account_id && only == b->accounts)
        return OG_EINVAL;
    find_tags(u, &tags);
    for (size_t at = 0; at < b->accounts; at++)
        if (account_id ? at == only : is_listed(b, at))
            list_account(u, b->account[at], &tags);
    free(tags.name);
    return u->failed ? OG_ENOMEM : OG_OK;
}

enum og_status og_book_usage(struct og_book *b, const char *account_id, int64_t now_ns, og_usage_listener *listener,
                             void *with)
{
    struct og_uses u = { .book = b, .as = { .uses = &u, .put = put, .eastern = &u.eastern } };
    enum og_status status = OG_ENOMEM;

    if (!b)
        return OG_EINVAL;
    u.end = &u.first;
    u.as.now = og_time_within(now_ns);
    og_eastern_from(u.as.now, &u.eastern);
    og_arena_init(&u.arena, 0);
    if ((u.room = og_pattern_room_new()) != NULL) {
        pthread_rwlock_rdlock(&b->lock);
        status = list_book(&u, account_id);
        pthread_rwlock_unlock(&b->lock);
    }
    for (const struct row *row = u.first; row && !status; row = row->next)
        status = listener && listener(with, &row->is) ? OG_EIO : OG_OK;
    og_pattern_room_free(u.room);
    og_arena_clear(&u.arena);
    return status;
}
