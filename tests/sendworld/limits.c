/*
 * The limits of a world's policy, and their judge: whatever the senders do, by the broker's books none is exceeded; and
 * an order that fits within all of them is not refused by one of them once a reading shows everything that was sent.
 */
#include "world.h"

#define EQUITY     1000000 /* as account_text() shows it */
#define PNL_STEP   4000    /* ms between two changes of the day's P&L */
#define FACTS_MOST 5000    /* ms: a reading that may lack a fill is not used until the facts are as old as this */

#define LEDGER_MS 1000 /* within which a sender reads what another one recorded */

/* --- the policy --------------------------------------------------------------------------------------------------- */

static long draw(struct chance *c, long least, long below)
{
    return chance_in(c, 25) ? least + chance_to(c, below) : 0;
}

void draw_limits(void)
{
    struct limits *l = &w.limits;
    struct chance c = chance_of(w.number, 5);

    l->shares = draw(&c, 50, 300);
    l->most_short = draw(&c, 500, 3000);
    l->percent = (int)draw(&c, 1, 3);
    l->open = (int)draw(&c, 2, 8);
    l->open_of_symbol = (int)draw(&c, 1, 4);
    l->a_second = (int)draw(&c, 1, 3);
    l->a_minute = (int)draw(&c, 3, 15);
    l->a_day = (int)draw(&c, 10, 30);
    l->loss = draw(&c, 100, 800);
    l->drawdown = draw(&c, 100, 1200);
    l->unknown = chance_in(&c, 25) ? (int)chance_to(&c, 3) : -1;
}

static void put_setting(struct text *t, const char *key, long value, const char *unit)
{
    if (value > 0)
        text_put(t, ", %s: %ld%s", key, value, unit);
}

/* Put a rule with those settings that are not 0; each triple is a key, its value and its unit. */
static void put_rule(struct text *t, const char *rule, const char *a, long x, const char *b, long y, const char *unit)
{
    if (x <= 0 && y <= 0)
        return;
    text_put(t, "  %s: {level: refuse", rule);
    put_setting(t, a, x, unit);
    put_setting(t, b, y, unit);
    text_put(t, "}\n");
}

void limits_text(struct text *t)
{
    const struct limits *l = &w.limits;

    put_rule(t, "exposure", "gross", w.most_gross, "short", l->most_short, "");
    put_rule(t, "order-notional", "most", w.most_gross, "", 0, "");
    put_rule(t, "tag-limits", "a_minute", w.most_a_minute, "", 0, "");
    put_rule(t, "position-limit", "shares", l->shares, "", 0, "");
    put_rule(t, "concentration", "most", l->percent, "", 0, "%");
    put_rule(t, "open-orders", "in_total", l->open, "of_symbol", l->open_of_symbol, "");
    put_rule(t, "day-loss", "most", l->loss, "drawdown", l->drawdown, "");
    if (l->a_second > 0 || l->a_minute > 0 || l->a_day > 0) {
        text_put(t, "  order-rate: {level: refuse");
        put_setting(t, "a_second", l->a_second, "");
        put_setting(t, "a_minute", l->a_minute, "");
        put_setting(t, "a_day", l->a_day, "");
        text_put(t, "}\n");
    }
    if (l->unknown >= 0)
        text_put(t, "  unknown-outcomes: {level: refuse, most: %d}\n", l->unknown);
    if (w.most_traded > 0)
        text_put(t, "  traded-limit: {level: refuse, window: %ldms, window_shares: %ld}\n", (long)w.window_ms,
                 w.most_traded);
}

/* --- what is held and works --------------------------------------------------------------------------------------- */

/* Returns how many shares of the symbol may be held at the most, if all working orders fill that open. */
static long may_hold(int symbol)
{
    long most = held(symbol, false);

    for (int k = 0; k < w.orders; k++)
        if (w.order[k].symbol == symbol && w.order[k].opens)
            most += leaves(&w.order[k]);
    return most;
}

/* Returns the worth of that for all symbols, or for those that are sold short, with so many shares of a symbol more. */
static long worth(bool shorts_only, int symbol, long more)
{
    long sum = 0;

    for (int i = 0; i < SYMBOLS; i++)
        if (!shorts_only || !w.symbol[i].is_long)
            sum += (may_hold(i) + (i == symbol ? more : 0)) * w.symbol[i].price;
    return sum;
}

static bool any_foreign(void)
{
    bool any = false;

    for (int i = 0; i < SYMBOLS; i++)
        any |= w.symbol[i].foreign;
    return any;
}

/* Returns how many orders work, on that symbol (-1: on any). Closes pass the limit on their number, but count in it;
 * those count that had left before. */
static int at_work(int symbol, uint64_t closes_by)
{
    int count = 0;

    for (int i = 0; i < w.orders; i++) {
        const struct order *o = &w.order[i];
        const struct line *l = o->elsewhere ? NULL : line_of_order(o->id);

        count += (symbol < 0 || o->symbol == symbol) && !is_over(o) && (o->opens || (l && l->left_at < closes_by));
    }
    return count;
}

void judge_amounts(const struct order *o, const struct line *l)
{
    const struct limits *most = &w.limits;
    const struct symbol *s = &w.symbol[o->symbol];
    const long shares = may_hold(o->symbol);

    if (!any_foreign() && w.most_gross > 0 && worth(false, -1, 0) > w.most_gross)
        broken("exceeds", "with %s the exposure may be %ld, and %ld are allowed", o->id, worth(false, -1, 0),
               w.most_gross);
    if (!any_foreign() && most->most_short > 0 && !s->is_long && worth(true, -1, 0) > most->most_short)
        broken("exceeds", "with %s the exposure of shorts may be %ld, and %ld are allowed", o->id, worth(true, -1, 0),
               most->most_short);
    if (!s->foreign && most->shares > 0 && shares > most->shares)
        broken("exceeds", "with %s %ld %s may be held, and %ld are allowed", o->id, shares, s->name, most->shares);
    if (!s->foreign && most->percent > 0 && shares * s->price > most->percent * EQUITY / 100)
        broken("exceeds", "with %s %ld %s may be worth %ld, and %d %% of %d are allowed", o->id, shares, s->name,
               shares * s->price, most->percent, EQUITY);
    if (!any_foreign() && l && most->open > 0 && at_work(-1, l->decided_at) > most->open)
        broken("open-orders", "with %s %d orders work, and %d are allowed", o->id, at_work(-1, l->decided_at),
               most->open);
    if (!s->foreign && l && most->open_of_symbol > 0 && at_work(o->symbol, l->decided_at) > most->open_of_symbol)
        broken("open-orders", "with %s %d orders of %s work, and %d are allowed", o->id,
               at_work(o->symbol, l->decided_at), s->name, most->open_of_symbol);
}

/* --- what is sent ------------------------------------------------------------------------------------------------- */

/* Returns how many orders left within the time before this one, which counts too. Closes pass this limit but count in
 * it; those count that had left before this order was decided. */
static int sent_within(const struct line *l, uint64_t ms)
{
    int sent = 1;

    for (int i = 0; i < w.orders; i++) {
        const struct order *o = &w.order[i];
        const struct line *of = o->elsewhere || strcmp(o->id, l->id) == 0 ? NULL : line_of_order(o->id);

        sent += of && (of->opens || of->left_at < l->decided_at) && of->left_at + ms > l->left_at;
    }
    return sent;
}

static void judge_rate(const struct line *l)
{
    const struct {
        uint64_t ms;
        int most;
    } span[] = { { 1000, w.limits.a_second }, { 60000, w.limits.a_minute }, { 86400000, w.limits.a_day } };

    for (int i = 0; i < 3; i++)
        if (span[i].most > 0 && sent_within(l, span[i].ms) > span[i].most)
            broken("order-rate", "%s is number %d within %llu ms, and %d are allowed", l->id,
                   sent_within(l, span[i].ms), (unsigned long long)span[i].ms, span[i].most);
}

/* Orders count whose outcome was told as unknown before this order was decided. */
static void judge_unknown(const struct line *l)
{
    int count = 0;

    for (int i = 0; i < w.lines; i++) {
        const struct posted *p = posted_of(w.line[i].id);
        bool first = p->unknown && p->told_at < l->decided_at && strcmp(p->id, l->id) != 0;

        for (int k = 0; k < i && first; k++)
            first = strcmp(w.line[k].id, w.line[i].id) != 0;
        count += first;
    }
    if (w.limits.unknown >= 0 && count > w.limits.unknown)
        broken("unknown-outcomes", "%s leaves while the outcome of %d orders is unknown, and %d are allowed", l->id,
               count, w.limits.unknown);
}

/* --- the day's P&L ------------------------------------------------------------------------------------------------ */

long pnl_now(void)
{
    struct chance c = chance_of(w.number, 6);
    long sum = 0;

    for (uint64_t i = 0; i < now_ms() / PNL_STEP - 1000000 / PNL_STEP; i++)
        sum += chance_to(&c, 401) - 210;
    return sum;
}

/* A whole reading with that P&L was delivered to a run. */
void note_pnl(struct run *r, long pnl)
{
    r->pnl[r->pnls++ % PNLS] = (struct shown_pnl){ pnl, r->orders_at, now_ms() };
}

/* Note the highest P&L that a run has used, and recorded for all: a reading that is not used does not raise it. */
void note_highest(const struct run *r)
{
    const struct og_account_state *a = r->s->accounts.first;
    const long highest = a ? (long)og_money_floor(a->peak.peak) : 0;

    if (highest > w.highest_pnl)
        w.highest_pnl = highest;
}

/* An order that opens leaves. The run goes by its newest reading, unless that one may have lacked a fill and was not
 * used: by one of which all later ones came while the facts were not old yet. */
static void judge_loss(const struct line *l)
{
    const struct run *r = &w.run[l->run];
    const struct limits *most = &w.limits;
    const struct shown_pnl *worst = NULL;

    for (int i = r->pnls - 1; i >= 0 && i >= r->pnls - PNLS; i--) {
        const struct shown_pnl *p = &r->pnl[i % PNLS], *next = i + 1 < r->pnls ? &r->pnl[(i + 1) % PNLS] : NULL;

        if (next && r->pnl[(r->pnls - 1) % PNLS].done_at > p->began_at + FACTS_MOST)
            break;
        if ((most->loss <= 0 || -p->pnl <= most->loss) &&
            (most->drawdown <= 0 || w.highest_pnl - p->pnl <= most->drawdown))
            return;
        worst = p;
    }
    if (worst && r->pnls <= PNLS)
        broken("day-loss",
               "%s leaves at a P&L of %ld, with %ld as the highest; a loss of %ld and a fall of %ld are allowed", l->id,
               worst->pnl, w.highest_pnl, most->loss, most->drawdown);
}

void judge_sent(const struct line *l)
{
    if (!l->opens)
        return;
    judge_rate(l);
    judge_unknown(l);
    if (w.limits.loss > 0 || w.limits.drawdown > 0)
        judge_loss(l);
}

/* --- what fits is not refused ------------------------------------------------------------------------------------- */

/* Returns true if the newest reading of the run shows everything that its senders have sent, and all of that was told
 * before it began. Not where more is being closed than is held: what is closed beyond that counts as opened. */
static bool is_all_shown(const struct run *r)
{
    const uint64_t settles = w.settle_ms + LEDGER_MS;

    for (int i = 0; i < SYMBOLS; i++)
        if (w.symbol[i].foreign || w.symbol[i].changed_at + settles >= r->read_at || closing(i) > held(i, false))
            return false;
    for (int i = 0; i < w.lines; i++) {
        const struct line *l = &w.line[i];
        const struct order *o = order_named(l->id);
        const struct posted *p = posted_of(l->id);

        if (!l->order_line || l->decisions == l->refusals)
            continue;
        if (p->told[0] == '\0' || p->unknown || p->told_at + settles >= r->read_at ||
            (o && (!o->registered || (is_over(o) && strcmp(p->told, "working") == 0) || p->executed != o->executed)) ||
            (!o && strcmp(p->told, "working") == 0))
            return false;
    }
    return !is_blind(r) && r->read_at > 0;
}

static bool fits(const struct line *l)
{
    const struct limits *most = &w.limits;
    const struct symbol *s = &w.symbol[l->symbol];
    const long shares = may_hold(l->symbol) + l->quantity, price = s->price;

    return (w.most_gross <= 0 || worth(false, l->symbol, l->quantity) <= w.most_gross) &&
           (most->most_short <= 0 || s->is_long || worth(true, l->symbol, l->quantity) <= most->most_short) &&
           (most->shares <= 0 || shares <= most->shares) &&
           (most->percent <= 0 || shares * price <= most->percent * EQUITY / 100) &&
           (most->open <= 0 || at_work(-1, NEVER) < most->open) &&
           (most->open_of_symbol <= 0 || at_work(l->symbol, NEVER) < most->open_of_symbol);
}

/* Returns true if only limits refuse that fits() knows, and each by amounts that are known. */
static bool is_by_limits(const cJSON *decision)
{
    static const char *const judged[] = { "exposure", "position-limit", "concentration", "open-orders" };
    const cJSON *finding;

    cJSON_ArrayForEach (finding, cJSON_GetObjectItemCaseSensitive(decision, "findings")) {
        bool is = !refuses(finding);

        for (size_t i = 0; i < sizeof judged / sizeof judged[0] && !is; i++)
            is = strcmp(text_of(finding, "rule"), judged[i]) == 0 &&
                 !cJSON_IsTrue(cJSON_GetObjectItemCaseSensitive(finding, "unsure"));
        if (!is)
            return false;
    }
    return true;
}

void judge_refused_open(const struct line *l, const cJSON *decision, const char *message)
{
    if (l->kind == OPENS && l->repeats < 0 && is_by_limits(decision) && is_all_shown(&w.run[l->run]) && fits(l))
        broken("refused-open", "%s, which fits, is refused, and the newest reading shows everything that was sent: %s",
               l->id, message);
}
