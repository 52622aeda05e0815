/*
 * allowed-symbols (911): the symbols that the desk trades, and those that it does not.  A contract matches by its own
 * symbol and by its root; every leg of a spread is checked.  A barred symbol is refused in any case of letters, and
 * even if it is also allowed.  Patterns are not supported here; overrides have them.
 */
#include "order/occ.h"
#include "order/roots.h"
#include "order/symbol.h"
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
      .help = "symbols that may be traded, as tickers, roots or contracts; none named: all",
      OG_REFUSES({ .when = "!(order.symbol in {} || order.underlying in {})", .exits = OG_EXITS_BY_SETTING }) },
    { .key = "barred",
      OG_WORDS(barred),
      .fallback = "",
      .listing = OG_LISTING_BARS,
      .words = OG_WORDS_SYMBOLS,
      .help = "symbols that may not be traded, in letters of either case, and their contracts",
      OG_REFUSES({ .when = "order.symbol in {} || order.underlying in {}", .exits = OG_EXITS_BY_SETTING }) },
    OG_EXITS(exits),
    { .key = NULL },
};

enum { R_NOT_ALLOWED, R_BARRED };

static const struct og_reason reasons[] = {
    [R_NOT_ALLOWED] = { .id = "symbol-not-allowed",
                        .level = OG_LEVEL_REFUSE,
                        .undecided = OG_LEVEL_WARN,
                        .says = "symbol '{0}' is not one the desk trades",
                        .help = "add it to the policy if the desk may trade it",
                        .where = "policy" },
    [R_BARRED] = { .id = "symbol-barred",
                   .level = OG_LEVEL_REFUSE,
                   .undecided = OG_LEVEL_WARN,
                   .says = "symbol '{0}' is barred by the desk",
                   .help = "remove it from the policy if the desk may trade it",
                   .where = "policy" },
    { .id = NULL },
};

static bool names(const struct og_string_set *words, struct og_str symbol, const struct og_occ *occ)
{
    return og_string_set_contains(words, symbol) || (occ->is && og_string_set_contains(words, occ->root));
}

static bool is_digit(char c)
{
    return c >= '0' && c <= '9';
}

/* Returns true if the set has the underlying of a contract whose root differs from it: class shares and indexes by a
 * table; adjusted or flexible contracts by dropping the digit of the root. */
static bool names_underlying(const struct og_string_set *words, const struct og_occ *occ)
{
    const struct og_root *known = occ->is ? og_root_find(occ->root) : NULL;
    struct og_str bare = occ->root;

    if (!occ->is)
        return false;
    while (bare.len && is_digit(bare.s[bare.len - 1]))
        bare.len--;
    while (bare.len && is_digit(bare.s[0]))
        bare = (struct og_str){ bare.s + 1, bare.len - 1 };
    return og_string_set_contains_folded(words, bare) ||
           (known && og_string_set_contains_folded(words, known->underlying));
}

/* Returns true if the symbol is barred, in whatever spelling, or is a contract on a barred one. */
static bool bars(const struct og_string_set *words, struct og_str symbol, const struct og_occ *occ)
{
    char to[OG_SYMBOL_FOLDED];
    struct og_occ folded = *occ;

    if (og_string_set_contains_folded(words, symbol))
        return true;
    if (!occ->is)
        og_occ_read(og_symbol_capitals(symbol, to), &folded);
    return folded.is && (og_string_set_contains_folded(words, folded.root) || names_underlying(words, &folded));
}

static void judge(const struct settings *s, struct og_str symbol, const struct og_occ *occ, const char *field,
                  struct og_sink *sink)
{
    if (!symbol.len)
        return;
    if (s->barred.count && bars(&s->barred, symbol, occ))
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
    judge(s, o->symbol, &o->occ, "/symbol", sink);
    for (int i = 0; o->security == OG_MLEG && i < o->legs_kept; i++)
        if (!og_str_eq(o->leg[i].symbol, o->symbol))
            judge(s, o->leg[i].symbol, &o->leg[i].occ, og_leg_pointer(i, OG_LEG_SYMBOL), sink);
}

const struct og_rule og_rule_allowed_symbols = {
    .code = OG_CODE_allowed_symbols,
    .id = "allowed-symbols",
    .summary = "a symbol the desk does not trade",
    .because = "restricted names, and names nobody meant, must not slip in",
    .stage = OG_STAGE_FORM,
    .local = true,
    .limit = true,
    .counts = true,
    .settings_size = sizeof(struct settings),
    .params = params,
    .reasons = reasons,
    .check = check,
};
