/*
 * uncovered-options (917): written options that nothing covers.  Stock or a long contract covers a call, a long
 * contract a put; a long contract covers only contracts that expire with it or before it; cash does not cover.  Calls
 * written on an adjusted or flexible root (AAPL1) take 100 of the stock's shares each, and may need more.  The
 * legs of an opening vertical, butterfly, condor or iron shape bound each other's loss, in either direction. So what is
 * written needs no other cover if a long contract of any strike bounds its loss, and shares or other longs may be sold
 * while such a shape is held. Only orders that leave more contracts uncovered than before are refused: orders that
 * write, and orders that sell the cover of written contracts.  The latter are not refused because a fact is missing.
 * With `puts: cash-secured` the account's cash must pay for what all puts together can lose, those of spreads too.
 * Contracts that expired before today count neither as written nor as cover, although the broker may list them still.
 *
 * The legs of a working spread fill together.  What it writes and covers by its own legs takes no other cover, so it is
 * left out; but an order must not take this cover either, so it is also tried with the spread filled.
 */
#include "margin/cover.h"
#include "order/roots.h"
#include "rules/limit.h"
#include "rules/usage.h"

struct settings {
    int32_t allow, puts;
};

enum { ANY, PUTS, NONE };
static const char *const allows[] = { "any", "puts", "none", NULL };

enum { NOT_SECURED, SECURED };
static const char *const securities[] = { "any", "cash-secured", NULL };

static const struct og_param params[] = {
    { .key = "allow",
      OG_CHOICE(allow),
      .fallback = "any",
      .choices = allows,
      .tighter = OG_TIGHTER_HIGHER,
      .help = "which options may be written without cover, or lose their cover when shares or contracts are sold" },
    { .key = "puts",
      OG_CHOICE(puts),
      .fallback = "any",
      .choices = securities,
      .tighter = OG_TIGHTER_HIGHER,
      .help = "'cash-secured': availableCash must pay for (a) what all written puts, and those that working orders "
              "would write, can lose: their strikes, or the widths of spreads; (b) what working orders buy, closes "
              "included, less the strikes that these closes free; (c) what filled orders have bought since the account "
              "was read. 'any': no such limit" },
};

enum { R_UNCOVERED, R_NOT_SECURED };

static const struct og_reason reasons[] = {
    [R_UNCOVERED] = { .id = "option-uncovered",
                      .level = OG_LEVEL_REFUSE,
                      .undecided = OG_LEVEL_WARN,
                      .says = "{0} {1} on {2} would be uncovered",
                      .help = "buy cover first, or write it as a spread",
                      .where = "OL8-OL16, OL26, OL27" },
    [R_NOT_SECURED] = { .id = "puts-not-secured",
                        OG_SET_BY_DESK,
                        .says = "puts written could lose {0} and what is bought costs {1}: availableCash is {2}",
                        .help = "order fewer puts, a lower strike, or a spread; or close written puts first" },
};

enum deed { NOTHING, SELLS_SHARES, SELLS_LONGS, WRITES };

/* Returns how the order's i-th trade affects written contracts of the type. It may write contracts, as a sale of more
 * than the position does; or it may sell shares or contracts that are cover. */
static enum deed deed_of(const struct og_case *c, int i, char type)
{
    const struct og_trade t = og_order_trade(c->order, i);
    struct og_money opening;

    if (t.side != OG_SELL || (t.occ->is ? t.occ->type : 'C') != type)
        return NOTHING;
    if (!t.occ->is)
        return SELLS_SHARES; /* if shares are held, a short sale takes away as much cover as a sale of the held
                              * shares */
    return og_trade_may_open(&t) || !og_case_opening(c, i, &opening) || opening.coef ? WRITES : SELLS_LONGS;
}

static struct og_str root_of(const struct og_order *o, int i)
{
    const struct og_trade t = og_order_trade(o, i);

    return t.occ->is ? t.occ->root : og_root_on(t.symbol);
}

/* Returns how the whole order affects written contracts on the root of its i-th trade; NOTHING if an earlier trade has
 * the same root. */
static enum deed deed_on(const struct og_case *c, int i, char type)
{
    const struct og_str root = root_of(c->order, i);
    enum deed deed = deed_of(c, i, type), other;

    for (int k = 0; deed != NOTHING && k < og_order_trades(c->order); k++) {
        if (k == i || (other = deed_of(c, k, type)) == NOTHING || !og_str_eq(root_of(c->order, k), root))
            continue;
        if (k < i)
            return NOTHING;
        deed = other > deed ? other : deed;
    }
    return deed;
}

/* Returns true if contracts of the root may be written, or calls of another root on the same shares: they are held
 * short, working orders will write them, or closes exceed the position. */
static bool has_shorts(const struct og_facts *f, struct og_str root, char type)
{
    return (type == 'C' ? og_cover_shorts(f, root, 'C') : og_facts_shorts(f, root, 'P')) ||
           (og_facts_totals(f)->over && (og_facts_contracts(f, root) || og_facts_has_other_roots(f)));
}

/* Returns true if all that the order sells was held when positions were last read. */
static bool was_held(const struct og_case *c)
{
    for (int i = 0; i < og_order_trades(c->order); i++) {
        const struct og_trade t = og_order_trade(c->order, i);
        const struct og_holding *h = t.side == OG_SELL ? og_facts_holding(c->facts, t.symbol) : NULL;

        if (t.side == OG_SELL && (!h || og_money_cmp(h->held_long, og_money_from(t.size)) < 0))
            return false;
    }
    return true;
}

/* Returns true if facts of these kinds may decide an order that may be a way out: if they are fresh, or if they are old
 * and the order sells no more than they show as held. An order that sells more may be right, since more may be held by
 * now. */
static bool may_refuse_exit(const struct og_case *c, unsigned kinds)
{
    int64_t as_of;

    if (og_has(c, kinds))
        return true;
    if (!was_held(c))
        return false;
    for (unsigned kind = 1; kind <= kinds; kind <<= 1)
        if ((kinds & kind) && !og_facts_known(c->facts, (enum og_fact)kind, &as_of))
            return false;
    return true;
}

/* Returns the shares that the order sells short. */
static int64_t sold_short(const struct og_order *o)
{
    int64_t shares = 0;

    for (int i = 0; i < og_order_trades(o); i++) {
        const struct og_trade t = og_order_trade(o, i);

        shares += !t.occ->is && t.side == OG_SELL && !og_trade_may_close(&t) ? t.size : 0;
    }
    return shares;
}

/* Returns true if the needed facts are known. If not, makes an unsure finding and returns false. There is no finding
 * for an order that only sells cover while written contracts are unknown, because such an order must stay possible; a
 * short sale is no such order. Old facts may decide: if according to all that is known a sale uncovers contracts, it is
 * no way out, and nothing newer comes while an account cannot be read. */
static bool is_decided(const struct og_case *c, enum deed deed, struct og_str root, char type, struct og_sink *sink)
{
    const struct og_reason *r = &reasons[R_UNCOVERED];

    if (deed != WRITES) {
        if (!has_shorts(c->facts, root, type))
            return false;
        if (may_refuse_exit(c, OG_FACT_POSITIONS | OG_FACT_ORDERS))
            return true;
        if (deed == SELLS_LONGS || sold_short(c->order) == 0)
            return false;
    }
    return og_need(c, sink, r, OG_FACT_POSITIONS, (struct og_str){ 0 }, "/side") &&
           og_need(c, sink, r, OG_FACT_ORDERS, (struct og_str){ 0 }, "/side");
}

/* Returns true if all calls have one root and all puts have one root: contracts of another root are covered by other
 * shares, or deliver other shares. Only calls cover calls, so the root of the puts may differ from that of the calls
 * (SPX and SPXW). */
static bool is_of_one_root(const struct og_order *o)
{
    struct og_str roots[2] = { { NULL, 0 }, { NULL, 0 } };

    for (int i = 0; i < o->legs_kept; i++) {
        struct og_str *root = &roots[o->leg[i].occ.type == 'P'];

        if (!o->leg[i].occ.is)
            continue;
        if (root->len && !og_str_eq(*root, o->leg[i].occ.root))
            return false;
        *root = o->leg[i].occ.root;
    }
    return true;
}

/* Returns true if the order's own legs cover each other.  The legs of a straddle or strangle do not. If legs close, the
 * result is false: the positions that they leave need not cover each other. */
static bool covers_itself(const struct og_case *c)
{
    const struct og_mleg *m = c->mleg;

    return og_order_may_open(c->order) && m->strategy != OG_STRATEGY_NONE && m->strategy != OG_STRADDLE &&
           m->strategy != OG_STRANGLE && m->strategy != OG_COVERED_CALL && !m->mixed_open_close &&
           is_of_one_root(c->order);
}

/* Returns the number of shorts with an unbounded loss. A long of any strike bounds the loss of a short that does not
 * expire later. */
static int64_t bare(const struct og_cover *cover, char type)
{
    return type == 'C' ? og_cover_bare_calls(cover) : cover->bare;
}

/* Returns the number of contracts that are uncovered for the purpose of this order: for a sale of cover, only contracts
 * with an unbounded loss. What it leaves beside a long of another strike is a vertical, which any order may open. */
static int64_t uncovered(const struct og_cover *cover, enum deed deed, char type)
{
    return deed != WRITES ? bare(cover, type) : type == 'C' ? og_cover_naked_calls(cover) : cover->unpaired;
}

/* Returns the number of shares, rounded up: a fraction of a share that is sold short takes away the cover of a whole
 * share. */
static int64_t whole_up(struct og_money shares)
{
    const int64_t floor = og_money_floor(shares);

    return floor + (og_money_cmp(og_money_from(floor), shares) < 0);
}

/* Returns the shares that are or will be held short: each takes away the cover of one share. */
static int64_t shares_short(const struct og_holding *h)
{
    return h ? whole_up(h->held_short) + whole_up(h->opening_sell_leaves) : 0;
}

/* Set the lots before and after the order from their shares and `more`. Returns true if more contracts are uncovered
 * after the order than before. */
static bool is_worse(struct og_cover *before, struct og_cover *after, int64_t more, enum deed deed, char type)
{
    before->lots = before->shares + more > 0 ? (before->shares + more) / 100 : 0;
    after->lots = after->shares + more > 0 ? (after->shares + more) / 100 : 0;
    return uncovered(after, deed, type) > uncovered(before, deed, type) || bare(after, type) > bare(before, type);
}

/* Returns true if the order leaves more contracts uncovered than before, provided that other orders leave exactly the
 * shares that complete the last hundred for one of `calls` calls. */
static bool is_worse_at(struct og_cover *before, struct og_cover *after, int64_t calls, int64_t most, enum deed deed,
                        char type)
{
    const int64_t lots = (before->shares + most) / 100, more = (lots < calls ? lots : calls) * 100 - before->shares;

    return more > 0 && more <= most && is_worse(before, after, more, deed, type);
}

/* Returns the shares that are there, beyond those that are counted, if all working buys fill and no working sale does.
 * Long shares do not cover calls while as many shares are sold short: a buy that closes the short makes them cover
 * again. own_shares: those that working spreads buy for the calls that they write; they come with these calls only. */
static int64_t most_more(const struct og_holding *stock, int64_t own_shares)
{
    return og_money_floor(stock->opening_buy_leaves) - own_shares + og_money_floor(stock->closing_buys) +
           og_money_floor(stock->closing_sells) + og_money_floor(stock->opening_sell_leaves);
}

/* Returns true if the order leaves more contracts uncovered than before.  Working buys may have filled in part since
 * positions were read, and working sales may have filled before that or may never fill. A sale of shares takes away
 * the most cover when it breaks up a hundred shares that a call needs. So the sale is tried (a) without the shares that
 * other orders may leave, (b) with all of those shares, (c) with as many of them as complete such a hundred. */
static bool leaves_more(struct og_cover *before, struct og_cover *after, const struct og_holding *stock, enum deed deed,
                        char type)
{
    const int64_t most = type == 'C' && stock ? most_more(stock, before->own_shares) : 0;

    return is_worse(before, after, 0, deed, type) || is_worse(before, after, most, deed, type) ||
           is_worse_at(before, after, before->unpaired, most, deed, type) ||
           is_worse_at(before, after, before->bare, most, deed, type);
}

/* Set the cover of a root before and after the order; spreads: OG_COVER_SPREADS, or 0. Returns false if there are too
 * many contracts. */
static bool covers_of(const struct og_case *c, struct og_str root, char type, unsigned spreads,
                      const struct og_holding *stock, struct og_cover *before, struct og_cover *after)
{
    const unsigned filled = OG_COVER_FILLED | spreads;

    if (!og_cover_of(c->facts, root, type, c->order, spreads, c->eastern.date, before) ||
        !og_cover_of(c->facts, root, type, c->order, filled, c->eastern.date, after))
        return false;
    if (type == 'C') {
        og_cover_add_others(c->facts, root, type, c->order, spreads, c->eastern.date, before);
        og_cover_add_others(c->facts, root, type, c->order, filled, c->eastern.date, after);
    }
    before->shares -= shares_short(stock);
    after->shares -= shares_short(stock) + (og_root_shares(root).len ? sold_short(c->order) : 0);
    return true;
}

/* Working spreads that cover what they write by their own legs may fill or not: the order is tried in both cases. */
static void check_root(const struct og_case *c, enum deed deed, struct og_str root, char type, struct og_sink *sink)
{
    const struct og_reason *r = &reasons[R_UNCOVERED];
    const struct og_str ticker = og_root_shares(root);
    const struct og_holding *stock = ticker.len ? og_facts_holding(c->facts, ticker) : NULL;
    struct og_cover before, after;
    bool more;

    if (!is_decided(c, deed, root, type, sink))
        return;
    if (!covers_of(c, root, type, 0, stock, &before, &after)) {
        og_unsure(sink, r, "/side", "there are more contracts on the underlying than are paired");
        return;
    }
    more = leaves_more(&before, &after, stock, deed, type);
    if (!more && before.own && covers_of(c, root, type, OG_COVER_SPREADS, stock, &before, &after))
        more = leaves_more(&before, &after, stock, deed, type);
    if (more)
        OG_FIND(sink, r, "/side", og_a_int(uncovered(&after, deed, type)), og_a_text(type == 'C' ? "calls" : "puts"),
                og_a_str(root));
    else if (deed == WRITES && og_facts_has_legless(c->facts, root))
        og_unsure(sink, r, "/side", "it is not known what a working order trades");
    else if (deed == WRITES && after.derived &&
             (after.unpaired - after.others > before.unpaired - before.others || after.bare > before.bare))
        og_unsure(sink, r, "/side", "written calls of an adjusted or flexible root may need more than 100 shares each");
}

static void check_type(const struct og_case *c, char type, struct og_sink *sink)
{
    enum deed deed;

    for (int i = 0; i < og_order_trades(c->order); i++)
        if ((deed = deed_on(c, i, type)) != NOTHING)
            check_root(c, deed, root_of(c->order, i), type, sink);
}

/* --- puts that cash secures --------------------------------------------------------------------------------------- */

/* Set *cents to what the order pays for what it opens. A spread that writes puts counts at what these puts can lose.
 * A spread for a credit, or a roll, pays little. */
static enum og_worth pays(const struct og_case *c, int64_t *cents)
{
    const struct og_order *o = c->order;

    *cents = 0;
    if (!og_order_may_open(o) ||
        (o->security == OG_MLEG ? c->mleg->mixed_open_close || c->mleg->net == OG_CREDIT : o->side != OG_BUY) ||
        og_facts_order_puts(o, o->quantity) > 0)
        return OG_WORTH_KNOWN;
    return og_case_cents(c, cents);
}

static bool sells_puts(const struct og_order *o)
{
    for (int i = 0; i < og_order_trades(o); i++) {
        const struct og_trade t = og_order_trade(o, i);

        if (t.side == OG_SELL && t.occ->is && t.occ->type == 'P')
            return true;
    }
    return false;
}

/* Returns true if the facts needed to compare the cash with what it must pay for are known. If one of them is
 * not, an order that writes puts gets an unsure finding. Another order gets none, since it may reduce risk; it is
 * checked only if may_refuse_exit() allows it. */
static bool knows_cash(const struct og_case *c, bool writes, struct og_sink *sink)
{
    const struct og_reason *r = &reasons[R_NOT_SECURED];

    if (!writes)
        return may_refuse_exit(c, OG_FACT_ACCOUNT | OG_FACT_POSITIONS | OG_FACT_ORDERS) &&
               og_facts_account(c->facts)->has_available_cash;
    if (!og_need(c, sink, r, OG_FACT_ACCOUNT, (struct og_str){ 0 }, "/side") ||
        !og_need(c, sink, r, OG_FACT_POSITIONS, (struct og_str){ 0 }, "/side") ||
        !og_need(c, sink, r, OG_FACT_ORDERS, (struct og_str){ 0 }, "/side"))
        return false;
    if (!og_facts_account(c->facts)->has_available_cash)
        og_unsure(sink, r, "/side", "the account has no availableCash");
    return og_facts_account(c->facts)->has_available_cash;
}

/* Check that the account's cash pays for two amounts: what all written puts can lose, with those of this order; and
 * what this order or a working order buys in addition, closes included. An order that leaves no more to pay for passes,
 * as a close does. */
static OG_NOINLINE void check_secured(const struct og_case *c, struct og_sink *sink)
{
    const struct og_reason *r = &reasons[R_NOT_SECURED];
    const struct og_totals *t = og_facts_totals(c->facts);
    const bool writes = og_facts_order_puts(c->order, c->order->quantity) > 0;
    struct og_money cash;
    og_wide puts, bought;
    enum og_worth worth;
    int64_t cents;
    bool more;

    if ((!t->puts_lose && !sells_puts(c->order)) || !knows_cash(c, writes, sink))
        return;
    cash = og_facts_account(c->facts)->available_cash;
    puts = og_facts_puts_lose(c->facts, c->order);
    worth = pays(c, &cents);
    bought = t->buying + cents;
    more = puts > 0 &&
           (puts + cents > t->puts_lose || worth != OG_WORTH_KNOWN || og_facts_sells_puts_beside(c->facts, c->order));
    if (more && og_cents_exceed(puts + bought, cash))
        puts -= og_facts_puts_expired(c->facts, c->order, c->eastern.date);
    if (more && og_cents_exceed(puts + bought, cash))
        OG_FIND(sink, r, "/orderQuantity", og_a_money(og_dollars(puts)), og_a_money(og_dollars(bought)),
                og_a_money(cash));
    else if (more && worth != OG_WORTH_KNOWN)
        og_unsure_worth(c, sink, r, "/orderQuantity", worth);
    else if (writes && (t->legless || t->unsized))
        og_unsure(sink, r, "/side", "it is not known what a working order trades");
}

static OG_HOT void check(const struct og_case *c, const void *settings, struct og_sink *sink)
{
    const struct settings *s = settings;

    if (s->puts == SECURED)
        check_secured(c, sink);
    if (s->allow == ANY || covers_itself(c))
        return;
    check_type(c, 'C', sink);
    if (s->allow == NONE)
        check_type(c, 'P', sink);
}

static void usage(const struct og_usage_case *u, const void *settings)
{
    const struct settings *s = settings;
    const struct og_totals *t = og_facts_totals(u->facts);
    const struct og_account *a = og_facts_account(u->facts);
    struct og_limit_use use = { .setting = "puts",
                                .of = OG_USAGE_ACCOUNT,
                                .reads = OG_FACT_ACCOUNT | OG_FACT_ORDERS | OG_FACT_POSITIONS,
                                .unknown = !a || !a->has_available_cash };

    if (s->puts != SECURED)
        return;
    use.allowed = use.unknown ? og_money_from(0) : a->available_cash;
    og_use_cents(u, use, t->puts_lose - og_facts_puts_expired(u->facts, NULL, u->eastern->date) + t->buying,
                 t->legless || t->unsized);
}

const struct og_rule og_rule_uncovered_options = {
    OG_PARTS_OF_FILE(uncovered_options),
    .id = "uncovered-options",
    .summary = "an option written that nothing covers",
    .because = "a written call without cover can lose without bound, and limits in dollars count it at its price",
    .stage = OG_STAGE_ACCOUNT,
    .limit = true,
    .counts = true,
    .counts_working = true,
    .reads = OG_FACT_ACCOUNT | OG_FACT_POSITIONS | OG_FACT_ORDERS | OG_FACT_QUOTE,
    OG_SETTINGS_OF_FILE,
    .usage = usage,
};
