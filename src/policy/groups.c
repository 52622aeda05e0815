/*
 * Limits written as words: reads and compares them, and makes their groups of symbols, with weights or without.
 */
#include "policy/groups.h"

#include <stdio.h>
#include <string.h>

#include "base/error.h"
#include "order/symbol_word.h"
#include "policy/layers.h"
#include "policy/symbol_words.h"
#include "policy/value.h"
#include "text/pattern.h"

#define LISTS_MOST 64 /* maximum number of lists among which a misspelt name is looked for */

/* Returns the first of the words that blanks separate, and removes it from the text; empty at the end. */
static struct og_str take_word(struct og_str *text)
{
    struct og_str word;

    while (text->len && text->s[0] == ' ') {
        text->s++;
        text->len--;
    }
    word = (struct og_str){ text->s, 0 };
    while (text->len && text->s[0] != ' ') {
        word.len++;
        text->s++;
        text->len--;
    }
    return word;
}

struct og_str og_limit_word_name(struct og_str word)
{
    return take_word(&word);
}

/* Read a number in plain digits, not negative and at most 12 digits before the point. */
static bool read_amount(struct og_str text, struct og_money *m)
{
    for (size_t i = 0; i < text.len; i++)
        if ((text.s[i] < '0' || text.s[i] > '9') && text.s[i] != '.')
            return false;
    return og_money_read(text.s, text.len, m) && og_money_cmp(*m, og_money_from(INT64_C(1000000000000))) <= 0;
}

/* Read a weight, such as 1.25 or -0.5, as a number of units of 1 / OG_WEIGHT_UNIT. */
static bool read_weight(struct og_str text, int32_t *weight)
{
    const bool negative = text.len && text.s[0] == '-';
    const struct og_str digits = { text.s + negative, text.len - negative };
    struct og_money m;

    if (!read_amount(digits, &m) || !og_money_times(m, OG_WEIGHT_UNIT, &m) || m.scale ||
        m.coef > OG_WEIGHT_MOST * OG_WEIGHT_UNIT)
        return false;
    *weight = (int32_t)(negative ? -m.coef : m.coef);
    return true;
}

static bool read_percent(struct og_str text, int32_t *bps)
{
    struct og_money m;

    text.len--;
    if (!read_amount(text, &m) || !og_money_times(m, 100, &m) || m.scale || m.coef > 10000000 || m.coef == 0)
        return false;
    *bps = (int32_t)m.coef;
    return true;
}

/* Set *err. what: a word of the list, quoted as the reason; empty if none is to blame. more: the text after that
 * word. */
static bool refuse_for(struct og_error *err, struct og_str word, const char *why, struct og_str what, const char *more)
{
    char text[80];
    size_t len = word.len < sizeof text - 1 ? word.len : sizeof text - 1;

    memcpy(text, word.s, len);
    text[len] = 0;
    (void)og_fail(err, OG_EPOLICY, "'%s' is not a limit: %s%s%s%s%s", text, why, what.len ? " '" : "",
                  what.len ? og_see(what).s : "", what.len ? "'" : "", more);
    return false;
}

static bool refuse(struct og_error *err, struct og_str word, const char *why)
{
    return refuse_for(err, word, why, (struct og_str){ NULL, 0 }, "");
}

/* Returns true for exactly three digits: YAML splits a number at its commas into such words. */
static bool is_cut(struct og_str word)
{
    return word.len == 3 && strspn(word.s, "0123456789") >= 3;
}

/* Read a limit. weighted: its list has weights, so that only gross and net can be limited. */
static bool read_word(struct og_str word, bool weighted, struct og_group_bound *limit, struct og_error *err)
{
    struct og_str rest = word, name = take_word(&rest), measure = take_word(&rest), amount = take_word(&rest);
    char commas[OG_COMMAS_HINT];
    int of = 0;

    if (is_cut(word))
        return refuse(err, word, "a number has no commas, which end the word here");
    while (of < OG_GROUP_MEASURES && !og_str_is(measure, og_group_measures[of]))
        of++;
    if (!name.len || !amount.len || take_word(&rest).len)
        return refuse(err, word, "it has a name, a measure and an amount (like semis gross 25%)");
    if (of == OG_GROUP_MEASURES)
        return refuse(err, word, "its measure is gross, net, long, short, positions or orders");
    if (weighted && of != OG_GROUP_GROSS && of != OG_GROUP_NET)
        return refuse(err, word, "its measure is gross or net");
    *limit = (struct og_group_bound){ .of = (enum og_measure_of_group)of, .percent = amount.s[amount.len - 1] == '%' };
    if (of >= OG_GROUP_POSITIONS) {
        if (limit->percent || !read_amount(amount, &limit->most) || limit->most.scale)
            return refuse(err, word, "positions and orders are counted: the amount is a whole number");
    } else if (*og_value_commas_hint(amount, commas)) {
        char why[80];

        snprintf(why, sizeof why, "a number has no commas%s", commas);
        return refuse(err, word, why);
    } else if (limit->percent ? !read_percent(amount, &limit->bps) : !read_amount(amount, &limit->most)) {
        return refuse(err, word, "the amount is dollars in plain digits, or 0.01% to 100000% of the equity");
    }
    return true;
}

bool og_limit_word_read(struct og_str word, struct og_group_bound *limit)
{
    return read_word(word, false, limit, NULL);
}

/* Returns true if both words limit the same thing in the same unit. */
static bool is_same_limit(struct og_str a, struct og_str b, const struct og_group_bound *x,
                          const struct og_group_bound *y)
{
    return x->of == y->of && x->percent == y->percent && og_str_eq(og_limit_word_name(a), og_limit_word_name(b));
}

bool og_limit_words_keep(const struct og_string_set *old, const struct og_string_set *now)
{
    struct og_group_bound was, is;
    bool kept = true;

    for (size_t i = 0; i < old->count && kept; i++) {
        if (!read_word(old->word[i], false, &was, NULL))
            return false;
        kept = false;
        for (size_t k = 0; k < now->count && !kept; k++)
            kept = read_word(now->word[k], false, &is, NULL) && is_same_limit(old->word[i], now->word[k], &was, &is) &&
                   (was.percent ? is.bps <= was.bps : og_money_cmp(is.most, was.most) <= 0);
    }
    return kept;
}

bool og_limits_name(const struct og_rule *rule, const void *settings, struct og_str name)
{
    OG_EACH_PARAM (p, rule) {
        const struct og_string_set *words = settings ? (const void *)((const char *)settings + p->at) : NULL;

        for (size_t i = 0; words && og_words_are_limits(p->words) && i < words->count; i++)
            if (og_str_eq(og_limit_word_name(words->word[i]), name))
                return true;
    }
    return false;
}

bool og_limits_are_weighted(const struct og_rule *rule)
{
    OG_EACH_PARAM (p, rule)
        if (p->words == OG_WORDS_WEIGHTED)
            return true;
    return false;
}

bool og_limits_of_rule_name(const struct og_policy_rule *r, struct og_str name)
{
    bool named = og_limits_name(r->rule, r->setting.settings, name);

    for (size_t k = 0; k < r->override_count && !named; k++)
        named = og_limits_name(r->rule, r->overrides[k].setting.settings, name);
    return named;
}

/* --- groups ------------------------------------------------------------------------------------------------------- */

/* Set *err: the policy has no list of that name.  The error has the names of its lists, or of the most similar one. */
static void refuse_unknown(struct og_error *err, struct og_str word, struct og_str name,
                           const struct og_expr_names *names)
{
    const char *known[LISTS_MOST];
    char hint[OG_HINT_SIZE];
    size_t count = 0;

    while (count < names->count && count < LISTS_MOST) {
        known[count] = names->lists[count].name.s;
        count++;
    }
    (void)og_nearest_hint(hint, name, known, count);
    (void)refuse_for(err, word, "the policy has no list of that name", (struct og_str){ NULL, 0 }, hint);
}

static const struct og_expr_list *find_list(const struct og_expr_names *names, struct og_str name)
{
    for (size_t i = 0; i < names->count; i++)
        if (og_str_eq(names->lists[i].name, name))
            return &names->lists[i];
    return NULL;
}

/* Set the members of a group: the underlyings of the list's symbols, each once.  Returns false if memory runs out. */
static bool set_members(struct og_group *g, const struct og_string_set *list, struct og_arena *arena)
{
    struct og_str *word = og_arena_take(arena, (list->count + 1) * sizeof *word);
    char to[OG_SYMBOL_FOLDED];
    size_t count = 0;

    for (size_t i = 0; word && i < list->count; i++) {
        word[i] = og_arena_copy(arena, og_underlying_name(list->word[i], to));
        if (!word[i].s)
            return false;
    }
    if (!word)
        return false;
    for (size_t i = 0; i < list->count; i++) { /* keep the first of equal names */
        bool first = true;

        for (size_t k = 0; k < count && first; k++)
            first = !og_str_eq(word[k], word[i]);
        if (first)
            word[count++] = word[i];
    }
    g->members = (struct og_string_set){ .word = word, .count = count };
    return og_string_set_index(&g->members, arena);
}

/* Reject a limit whose list has two weights for one underlying; the message names the two symbols. */
static bool refuse_two(struct og_error *err, struct og_str limit, const struct og_string_set *symbols)
{
    char first[OG_SYMBOL_FOLDED], second[OG_SYMBOL_FOLDED], more[120] = "";
    size_t i = 0, k = 0;

    for (i = 1; i < symbols->count; i++) {
        const struct og_str name = og_underlying_name(symbols->word[i], second);

        for (k = 0; k < i && !og_str_eq(og_underlying_name(symbols->word[k], first), name); k++)
            continue;
        if (k < i)
            break;
    }
    if (i < symbols->count)
        snprintf(more, sizeof more, " and '%s': keep one", og_see(symbols->word[i]).s);
    return refuse_for(err, limit, "its list has two weights for one underlying:",
                      i < symbols->count ? symbols->word[k] : (struct og_str){ NULL, 0 }, more);
}

/* Set the weights of a group, whose members are the underlyings with a weight. Returns false (a) if a word is no
 * weight, or if two words are about one underlying: *err says so; (b) if memory runs out: *err is not set. */
static bool set_weights(struct og_group *g, const struct og_string_set *list, struct og_str limit,
                        struct og_arena *arena, struct og_error *err)
{
    struct og_str *symbol = og_arena_take(arena, (list->count + 1) * sizeof *symbol);
    int32_t *weight = og_arena_take(arena, (list->count + 1) * sizeof *weight);
    struct og_string_set symbols = { .word = symbol };
    char to[OG_SYMBOL_FOLDED];
    struct og_occ occ;

    for (size_t i = 0; symbol && weight && i < list->count; i++) {
        const struct og_str word = list->word[i];
        const char *equals = word.len ? memchr(word.s, '=', word.len) : NULL;
        const struct og_str key = { word.s, equals ? (size_t)(equals - word.s) : 0 },
                            number = equals ? (struct og_str){ equals + 1, word.len - key.len - 1 }
                                            : (struct og_str){ NULL, 0 };

        if (!og_symbol_fits(key) || key.len > OG_SYMBOL_FOLDED || !read_weight(number, &weight[symbols.count]) ||
            (og_str_eq_folded(key, OG_STR("default")) && !og_str_is(key, "default")))
            return refuse_for(err, limit,
                              "its list takes words like NVDA=1.7 and default=1, with a number from -1000 to 1000 of "
                              "at most 4 decimals, and has",
                              word, "");
        og_occ_read(og_symbol_capitals(key, to), &occ);
        if (occ.is)
            return refuse_for(err, limit,
                              "a weight is for everything on an underlying, but this one is for a contract:", word, "");
        if (!og_str_is(key, "default")) {
            symbol[symbols.count++] = key;
        } else if (g->has_others) {
            return refuse_for(err, limit, "its list has two defaults, the second is", word, "");
        } else {
            g->others = weight[symbols.count];
            g->has_others = true;
        }
    }
    if (!symbol || !weight || !set_members(g, &symbols, arena))
        return false;
    if (g->members.count < symbols.count)
        return refuse_two(err, limit, &symbols);
    g->weight = weight;
    return true;
}

/* Returns the group of a list, making the group if it is new; NULL if it cannot be made. */
static struct og_group *group_of(struct og_groups *all, struct og_str word, size_t limits, bool weighted,
                                 const struct og_expr_names *names, struct og_arena *arena, struct og_error *err)
{
    const struct og_str name = og_limit_word_name(word);
    const struct og_expr_list *list = find_list(names, name);
    struct og_group *g = all->group;

    while (g < all->group + all->count && !og_str_eq(g->name, name))
        g++;
    if (g < all->group + all->count)
        return g;
    if (list && !weighted && og_list_must_be_young(&list->age)) {
        (void)refuse(
            err, word,
            "its list has an age ('of', 'max_age'), which this rule does not check: check it in a custom rule");
        return NULL;
    }
    if (!list) {
        refuse_unknown(err, word, name, names);
        return NULL;
    }
    if (list->words.count == 0 || list->words.count > OG_GROUP_MEMBERS_MOST) {
        (void)refuse(err, word, list->words.count ? "its list has more than 2000 symbols" : "its list is empty");
        return NULL;
    }
    *g = (struct og_group){ .name = name, .age = list->age, .bound = og_arena_take(arena, limits * sizeof *g->bound) };
    if (!g->bound || !(weighted ? set_weights(g, &list->words, word, arena, err) : set_members(g, &list->words, arena)))
        return NULL;
    all->count++;
    return g;
}

/* Report a word of a weight with a sign too many, as NVDA:=1.7 and NVDA=1=7 have it.  Returns false if it has none. */
static bool has_sign_too_many(struct og_layers *l, const struct og_list_entry *list, struct og_str word,
                              struct og_str symbol, bool reported)
{
    const char *number = word.s + symbol.len + 1;
    const size_t len = word.len - symbol.len - 1;
    const bool colon = symbol.s[symbol.len - 1] == ':', twice = memchr(number, '=', len) != NULL;

    if (!reported && (colon || twice))
        og_error_add(&l->faults, og_symbol_word_place(list, word), "value-invalid",
                     "'%s' is not a weight: write a symbol, one '=' and a number, like %.*s=%.*s", og_see(word).s,
                     (int)(symbol.len < 40 ? symbol.len - colon : 4), symbol.len < 40 ? symbol.s : "NVDA",
                     (int)(twice || len > 20 ? 3 : len), twice || len > 20 ? "1.7" : number);
    return colon || twice;
}

/* Report the words of a limit's list that cannot be symbols, unless `reported` says that this was done.  Returns false
 * if there are such words. */
static bool has_symbols_only(struct og_layers *l, struct og_str limit, bool weighted, bool reported)
{
    const struct og_list_entry *list = og_map_get(&l->lists.index, og_limit_word_name(limit));
    char used[120];
    bool good = true;

    snprintf(used, sizeof used, "which limit '%s' counts", og_see(limit).s);
    if (!list || list->words.count > OG_GROUP_MEMBERS_MOST) /* group_of() reports these errors */
        return true;
    reported = reported || list->symbols.checked; /* an expression compares with the list: that check reports more */
    for (size_t i = 0; i < list->words.count; i++) {
        const struct og_str word = list->words.word[i];
        const char *equals = weighted ? memchr(word.s, '=', word.len) : word.s + word.len;
        const struct og_str symbol = { word.s, equals ? (size_t)(equals - word.s) : 0 };

        if (!symbol.len) /* the word has no symbol: it is no weight, which set_weights() reports */
            continue;
        if (weighted && has_sign_too_many(l, list, word, symbol, reported)) {
            good = false;
            continue;
        }
        if (!reported && !og_str_eq_folded(symbol, list->name) && !og_str_is(symbol, "default") &&
            og_symbol_word_report_list(l, &l->lists, og_symbol_word_place(list, word), symbol, used)) {
            good = false;
            continue;
        }
        if (og_symbol_fits(symbol) && !og_symbol_word_shape(symbol))
            continue;
        good = false;
        if (!reported)
            og_symbol_word_report_in(&l->faults, list, word, symbol, used);
    }
    return good;
}

static bool is_named_before(const struct og_string_set *words, size_t i)
{
    for (size_t k = 0; k < i; k++)
        if (og_str_eq(og_limit_word_name(words->word[k]), og_limit_word_name(words->word[i])))
            return true;
    return false;
}

/* Make the groups of limits, and report each word that is no limit at the place `at`. Inherited words (at.source is
 * NULL) are not reported here, but where they are written. Returns NULL if a word is no limit, or if memory runs
 * out. */
static struct og_groups *make_groups(struct og_layers *l, const struct og_string_set *words, bool weighted,
                                     struct og_srcloc at, const char *rule)
{
    struct og_arena *arena = &l->policy->arena;
    struct og_groups *all = og_arena_take(arena, sizeof *all);
    bool bad = false;

    if (!all || !(all->group = og_arena_take(arena, (words->count + 1) * sizeof *all->group))) {
        l->faults.oom = true;
        return NULL;
    }
    for (size_t i = 0; i < words->count; i++) {
        struct og_error err = { 0 };
        struct og_group *g = NULL;
        struct og_group_bound bound;

        if (read_word(words->word[i], weighted, &bound, &err)) {
            if (l->lists.partial) /* what is wrong with the list may follow from errors that were reported */
                continue;
            if (!has_symbols_only(l, words->word[i], weighted, !at.source || is_named_before(words, i))) {
                bad = true;
                continue;
            }
            g = group_of(all, words->word[i], words->count, weighted, &l->policy->lists, arena, &err);
        }
        if (g) {
            g->bound[g->bounds++] = bound;
            continue;
        }
        bad = true;
        if (!err.text[0])
            l->faults.oom = true;
        else if (at.source)
            og_error_add(&l->faults, at, "value-invalid", "rule '%s': %s", rule, err.text);
    }
    return bad ? NULL : all;
}

/* Make the groups of a rule's settings, and report a word that is no limit. where: the places of the settings. */
static void bind(struct og_layers *l, const struct og_rule *rule, const struct og_rule_setting *set,
                 const struct og_srcloc *where)
{
    OG_EACH_PARAM (p, rule) {
        const struct og_string_set *words = set->settings ? (const void *)((const char *)set->settings + p->at) : NULL;
        struct og_srcloc at = where[OG_ENTRY_PARTS + (p - rule->params)];
        const struct og_groups *groups;

        if (!words || !og_words_are_limits(p->words))
            continue;
        groups = make_groups(l, words, p->words == OG_WORDS_WEIGHTED, at, rule->id);
        if (groups) /* the settings are the memory of a draft, which is writable */
            *(const struct og_groups **)((uintptr_t)set->settings + rule->groups_at) = groups;
    }
}

void og_groups_finalize(struct og_layers *l)
{
    for (size_t i = 0; i < og_rules_size; i++) {
        const struct og_policy_rule *r = &l->policy->rules[i];

        if (!r->rule->groups_at)
            continue;
        bind(l, r->rule, &r->setting, r->where);
        for (size_t k = 0; k < r->override_count; k++)
            bind(l, r->rule, &r->overrides[k].setting, r->overrides[k].where);
    }
}
