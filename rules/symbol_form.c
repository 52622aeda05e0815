/*
 * symbol-form (104): the characters of the symbol.  The service accepts ^[a-zA-Z0-9._-]+$ and checks nothing else: it
 * neither changes case nor looks the symbol up.  Stock may have other spellings (BRK.B, BRK-B, BRKB), which facts and
 * limits count as different symbols.  Option symbols are checked by occ-symbol, legs by mleg-structure.
 */
#include "order/symbol.h"
#include "rules/rule.h"

enum { R_PATTERN, R_CASE, R_OPTION, R_SPELLING, R_CLOSE };

static const struct og_reason reasons[] = {
    [R_PATTERN] = { .id = "symbol-pattern",
                    .level = OG_LEVEL_REFUSE,
                    OG_PREDICTS(SCHEMA, HTTP_400, STATED),
                    .predicts.text = "- symbol: Does not match pattern '" OG_SYMBOL_PATTERN "'",
                    .says = "symbol is '{0}', allowed are letters, digits, '.', '_' and '-'{1}",
                    .help = "class shares are written with a dot (BRK.B), option symbols without blanks "
                            "(AAPL260116C00150000)",
                    .where = "Q3, Q4, S3" },
    [R_CASE] = { .id = "symbol-not-uppercase",
                 .level = OG_LEVEL_WARN,
                 .predicts = OG_NOT_STATED,
                 .says = "symbol '{0}' has small letters, and the service does not change case",
                 .help = "send it in upper case",
                 .where = "Q7, CON-50" },
    [R_OPTION] = { .id = "symbol-looks-option",
                   .level = OG_LEVEL_REFUSE,
                   .predicts = OG_NOT_STATED,
                   .says = "symbol '{0}' is an option symbol, but securityType is Stock",
                   .help = "send securityType Option",
                   .where = "Q5" },
    [R_SPELLING] = { .id = "symbol-other-spelling",
                     .level = OG_LEVEL_WARN,
                     .predicts = OG_NOT_STATED,
                     .says = "the symbol is written '{0}', {1} '{2}'",
                     .help = "write it as positions and working orders have it, else with a dot (BRK.B): limits cannot "
                             "count "
                             "one stock under two names",
                     .where = "Q6" },
    [R_CLOSE] = { .id = "symbol-close-spelling",
                  .level = OG_LEVEL_WARN,
                  .predicts = OG_NOT_STATED,
                  .says = "this order closes '{0}', but the position or working order is in '{1}'",
                  .help = "close it under the symbol that the positions have",
                  .where = "Q6" },
};

static bool holds(struct og_str s, unsigned char least, unsigned char most)
{
    for (size_t i = 0; i < s.len; i++)
        if ((unsigned char)s.s[i] >= least && (unsigned char)s.s[i] <= most)
            return true;
    return false;
}

static const char *hint_for(const struct og_order *o)
{
    if (o->symbol.len == 0)
        return ", and it must not be empty";
    if (holds(o->symbol, 0, 0x1f) || holds(o->symbol, 0x7f, 0x7f))
        return "; it holds a control character, a newline perhaps";
    if (holds(o->symbol, 0x80, 0xff))
        return "; it holds a letter that is not ASCII";
    if (holds(o->symbol, '/', '/'))
        return "; write a dot for the slash";
    if (holds(o->symbol, ' ', ' '))
        return o->security == OG_OPTION ? "; write the option symbol without its blanks" : "; write it without blanks";
    return "";
}

/* Report a stock symbol (a) if orders or positions exist under another spelling of it; (b) if the order opens under a
 * spelling under which nothing is known. */
static OG_COLD void check_spelling(const struct og_case *c, struct og_sink *sink)
{
    const struct og_order *o = c->order;
    char to[OG_SYMBOL_FOLDED];
    struct og_str meant;

    for (int i = 0; i < og_order_trades(o); i++) {
        const struct og_trade t = og_order_trade(o, i);
        const bool leg = o->security == OG_MLEG;
        const char *field = leg ? og_leg_pointer(i, OG_LEG_SYMBOL) : "/symbol";
        enum og_misspelled how;

        if (t.occ->is || !og_symbol_fits(t.symbol))
            continue;
        how = og_facts_misspelled(c->facts, t.symbol, leg ? o->leg[i].symbol_bytes : o->symbol_bytes, to, &meant);
        if (how != OG_SPELLED_WELL && og_trade_may_open(&t))
            OG_FIND(sink, &reasons[R_SPELLING], field, og_a_str(t.symbol),
                    og_a_text(how == OG_HELD_OTHERWISE ? "the position or working order has" : "the service asks for"),
                    og_a_str(meant));
        else if (how == OG_HELD_OTHERWISE)
            OG_FIND(sink, &reasons[R_CLOSE], field, og_a_str(t.symbol), og_a_str(meant));
    }
}

static OG_COLD void check_odd(const struct og_order *o, struct og_sink *sink)
{
    if (og_order_ok(o, OG_KEY_SYMBOL) && !og_order_symbol_fits(o))
        OG_FIND(sink, &reasons[R_PATTERN], "/symbol", og_a_str(o->symbol), og_a_text(hint_for(o)));
    if (o->symbol_bytes & OG_BYTE_LOWER)
        OG_FIND(sink, &reasons[R_CASE], "/symbol", og_a_str(o->symbol));
    for (int i = 0; o->security == OG_MLEG && i < o->legs_kept; i++)
        if (o->leg[i].symbol_bytes & OG_BYTE_LOWER)
            OG_FIND(sink, &reasons[R_CASE], og_leg_pointer(i, OG_LEG_SYMBOL), og_a_str(o->leg[i].symbol));
    if (o->security == OG_STOCK && o->occ.is)
        OG_FIND(sink, &reasons[R_OPTION], "/symbol", og_a_str(o->symbol));
}

/* Check that the characters are accepted, and that letters are capitals. */
static OG_HOT void check(const struct og_case *c, const void *settings, struct og_sink *sink)
{
    const struct og_order *o = c->order;
    unsigned bytes = o->symbol_bytes;

    (void)settings;
    for (int i = 0; o->security == OG_MLEG && i < o->legs_kept; i++)
        bytes |= o->leg[i].symbol_bytes;
    if (bytes || o->symbol.len == 0 || (o->security == OG_STOCK && o->occ.is))
        check_odd(o, sink);
    if (bytes & OG_BYTE_SPELLING || og_facts_spelled(c->facts))
        check_spelling(c, sink);
}

const struct og_rule og_rule_symbol_form = {
    OG_PARTS_OF_FILE(symbol_form),
    .id = "symbol-form",
    .summary = "the symbol has bytes the service does not take, or will not understand",
    .because = "the service answers 400, or takes an order on a symbol that does not exist",
    .stage = OG_STAGE_FORM,
    .only = OG_TRAIT_ODD,
};
