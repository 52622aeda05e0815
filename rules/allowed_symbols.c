/*
 * allowed-symbols (911): the symbols that the desk trades (allowed) and those that it does not trade (barred).  A
 * contract matches by its own symbol and by its root; every leg of a spread is checked.  A barred symbol is refused in
 * any case of letters and any spelling (BRK.B, BRKB), and even if it is also allowed.  The lists have no patterns;
 * overrides have.
 */
#include "order/occ.h"
#include "order/roots.h"
#include "order/spelling.h"
#include "rules/limit.h"

struct settings {
    struct og_string_set allowed, barred;
    int32_t exits;
};

static const struct og_param params[] = {
    { .key = "allowed",
      OG_WORDS(allowed),
      .fallback = "",
      .listing = OG_LISTING_ALLOWS,
      .words = OG_WORDS_SYMBOLS,
      .help = "symbols that may be traded, as tickers, roots or contracts; all if none is named",
      OG_REFUSES({ .when = "!(order.symbol in {} || order.underlying in {})", .exits = OG_EXITS_BY_SETTING }) },
    { .key = "barred",
      OG_WORDS(barred),
      .fallback = "",
      .listing = OG_LISTING_BARS,
      .words = OG_WORDS_SYMBOLS,
      .help = "symbols that may not be traded, in letters of either case, and their contracts",
      OG_REFUSES({ .when = "order.symbol in {} || order.underlying in {}", .exits = OG_EXITS_BY_SETTING }) },
    OG_EXITS(exits),
};

enum { R_NOT_ALLOWED, R_BARRED };

static const struct og_reason reasons[] = {
    [R_NOT_ALLOWED] = { .id = "symbol-not-allowed",
                        OG_SET_BY_DESK,
                        .says = "symbol '{0}' is not one the desk trades",
                        .help = "add it to the policy if the desk may trade it" },
    [R_BARRED] = { .id = "symbol-barred",
                   OG_SET_BY_DESK,
                   .says = "symbol '{0}' is barred by the desk",
                   .help = "remove it from the policy if the desk may trade it" },
};

static bool names(const struct og_string_set *words, struct og_str symbol, const struct og_occ *occ)
{
    return og_string_set_contains(words, symbol) || (occ->is && og_string_set_contains(words, occ->root));
}

/* Returns true if the set has the stock's symbol in any spelling. */
static OG_COLD bool bars_stock(const struct og_string_set *words, struct og_str symbol)
{
    char dotted[OG_SYMBOL_FOLDED], to[OG_SYMBOL_FOLDED];
    const struct og_str stock = og_spelling_dotted(symbol, dotted);
    struct og_str name;

    for (int i = 0; i < OG_SPELLINGS; i++)
        if ((name = og_spelling(stock, i, to)).len && og_string_set_contains_folded(words, name))
            return true;
    return false;
}

/* Returns true if the symbol may have other spellings; bytes: og_symbol_bytes() of the symbol. */
static bool has_spellings(struct og_str symbol, unsigned bytes)
{
    return bytes || memchr(symbol.s, '.', symbol.len);
}

/* Returns true if the set has the underlying of a contract although the contract's root is another name. Class shares
 * and indexes are found in a table of roots; adjusted and flexible contracts by the root without its digit. */
static bool names_underlying(const struct og_string_set *words, const struct og_occ *occ)
{
    const struct og_str bare = og_root_bare(occ->root);
    const struct og_root *known = og_root_find(bare);

    if (og_string_set_contains_folded(words, bare))
        return true;
    if (known && og_root_is_class(known))
        return bars_stock(words, known->underlying);
    return known && og_string_set_contains_folded(words, known->underlying);
}

/* Returns true if the symbol is barred in any spelling, or is a contract on a barred symbol. */
static bool bars(const struct og_string_set *words, struct og_str symbol, unsigned bytes, const struct og_occ *occ)
{
    char to[OG_SYMBOL_FOLDED];
    struct og_occ folded = *occ;

    if (og_string_set_contains_folded(words, symbol) || (has_spellings(symbol, bytes) && bars_stock(words, symbol)))
        return true;
    if (!occ->is)
        og_occ_read(og_symbol_capitals(symbol, to), &folded);
    return folded.is && (og_string_set_contains_folded(words, folded.root) || names_underlying(words, &folded) ||
                         (has_spellings(folded.root, bytes) && bars_stock(words, folded.root)));
}

static void judge(const struct settings *s, struct og_str symbol, unsigned bytes, const struct og_occ *occ,
                  const char *field, struct og_sink *sink)
{
    if (!symbol.len)
        return;
    if (s->barred.count && bars(&s->barred, symbol, bytes, occ))
        OG_FIND(sink, &reasons[R_BARRED], field, og_a_str(symbol));
    else if (s->allowed.count && !names(&s->allowed, symbol, occ))
        OG_FIND(sink, &reasons[R_NOT_ALLOWED], field, og_a_str(symbol));
}

static OG_HOT void check(const struct og_case *c, const void *settings, struct og_sink *sink)
{
    const struct settings *s = settings;
    const struct og_order *o = c->order;

    if ((!s->allowed.count && !s->barred.count) || og_limit_passes(c, s->exits))
        return;
    judge(s, o->symbol, o->symbol_bytes, &o->occ, "/symbol", sink);
    for (int i = 0; o->security == OG_MLEG && i < o->legs_kept; i++)
        if (!og_str_eq(o->leg[i].symbol, o->symbol))
            judge(s, o->leg[i].symbol, o->leg[i].symbol_bytes, &o->leg[i].occ, og_leg_pointer(i, OG_LEG_SYMBOL), sink);
}

const struct og_rule og_rule_allowed_symbols = {
    OG_PARTS_OF_FILE(allowed_symbols),
    .id = "allowed-symbols",
    .summary = "a symbol the desk does not trade",
    .because = "orders in restricted symbols, or in symbols given by mistake, must not be sent",
    .stage = OG_STAGE_FORM,
    .limit = true,
    .counts = true,
    OG_SETTINGS_OF_FILE,
};
