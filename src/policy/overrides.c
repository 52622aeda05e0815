/*
 * Reads overrides, and merges the overrides of layers.  Rejects unknown match keys, and patterns that do not compile.
 */
#include "policy/overrides.h"

#include "base/buf.h"
#include "policy/symbol_words.h"
#include "policy/value.h"

const char *const og_match_securities[] = { "", "Stock", "Option", "Mleg", NULL };
const char *const og_match_sides[] = { "", "Buy", "Sell", NULL };
const char *const og_match_types[] = { "", "Market", "Limit", "Stop", "StopLimit", NULL };

static const char *const match_keys[] = { "symbol", "account", "tag", "securityType", "side", "orderType" };
#define MATCH_KEYS (sizeof match_keys / sizeof match_keys[0])
#define MOST       1000 /* maximum number of overrides of one rule: all may have to be tried for every order */

typedef enum og_status pattern_reader(struct og_str text, struct og_pattern **pattern, struct og_error *err);

/* Compile a pattern and keep it with the policy.  Returns NULL after reporting an error. */
static struct og_pattern *keep_pattern(struct og_entry_context *s, struct og_policy *policy, pattern_reader *read,
                                       struct og_str text, struct og_srcloc at)
{
    struct og_patterns *keep = og_arena_take(s->keep, sizeof *keep);
    struct og_error err = { 0 };
    enum og_status status;

    if (!keep) {
        s->faults->oom = true;
        return NULL;
    }
    status = read(text, &keep->pattern, &err);
    if (status != OG_OK) {
        s->faults->oom = s->faults->oom || status == OG_ENOMEM;
        og_error_add(s->faults, at, "pattern-invalid", "pattern '%s': %s", og_see(text).s, err.text);
        return NULL;
    }
    keep->next = policy->patterns;
    policy->patterns = keep;
    return keep->pattern;
}

static struct og_pattern *read_pattern(struct og_entry_context *s, struct og_policy *policy, pattern_reader *read,
                                       const struct og_yaml *node)
{
    if (node->kind == OG_YAML_SCALAR && node->text.len > 0)
        return keep_pattern(s, policy, read, node->text, og_srcloc_of(s->source, node));
    og_error_at(s->faults, s->source, node, "wrong-type", "'%s' must be a pattern (like \"^(SPY|QQQ)$\")",
                og_see(node->key).s);
    return NULL;
}

static struct og_pattern *read_symbol_pattern(struct og_entry_context *s, struct og_policy *policy,
                                              const struct og_yaml *node)
{
    struct og_pattern *pattern = read_pattern(s, policy, og_pattern_read, node);

    if (pattern)
        og_symbol_words_check_pattern(s->faults, node->text, og_srcloc_of(s->source, node));
    return pattern;
}

static unsigned read_word(struct og_entry_context *s, const struct og_yaml *node, const char *key,
                          const char *const *words)
{
    size_t count = 1;

    for (; words[count]; count++)
        if (node->kind == OG_YAML_SCALAR && og_str_is(node->text, words[count]))
            return 1U << count;
    if (node->kind != OG_YAML_SCALAR)
        og_error_at(s->faults, s->source, node, "wrong-type", "'%s' must be a word or a list of words", key);
    else
        og_error_at(s->faults, s->source, node, "value-invalid", "'%s' is no %s%s", og_see(node->text).s, key,
                    og_diagnostic_hint(s->faults, node->text, words + 1, count - 1));
    return 0;
}

/* Read one word or a list of words.  Returns one bit for each word. */
static unsigned read_words(struct og_entry_context *s, const struct og_yaml *node, const char *key,
                           const char *const *words)
{
    unsigned bits = 0;

    if (node->kind != OG_YAML_LIST)
        return read_word(s, node, key, words);
    if (!node->first)
        og_error_at(s->faults, s->source, node, "value-invalid", "an empty list of '%s' matches no order", key);
    for (const struct og_yaml *n = node->first; n; n = n->next)
        bits |= read_word(s, n, key, words);
    return bits;
}

static void read_match(struct og_entry_context *s, struct og_policy *policy, const struct og_yaml *node,
                       struct og_override *o)
{
    if (node->kind != OG_YAML_MAP) {
        og_error_at(s->faults, s->source, node, "wrong-type", "'match' must be a map (like {symbol: \"^SPY$\"})");
        return;
    }
    if (!node->first)
        og_diagnostic_add(s->faults, OG_WARNING, og_srcloc_of(s->source, node), "override-matches-all",
                          "an empty match is for every order: set the rule itself instead");
    for (const struct og_yaml *n = node->first; n; n = n->next) {
        if (og_str_is(n->key, "symbol"))
            o->symbol = read_symbol_pattern(s, policy, n);
        else if (og_str_is(n->key, "account"))
            o->account = read_pattern(s, policy, og_pattern_read_account, n);
        else if (og_str_is(n->key, "tag"))
            o->tag = read_pattern(s, policy, og_pattern_read, n);
        else if (og_str_is(n->key, "securityType"))
            o->securities = read_words(s, n, "securityType", og_match_securities);
        else if (og_str_is(n->key, "side"))
            o->sides = read_words(s, n, "side", og_match_sides);
        else if (og_str_is(n->key, "orderType"))
            o->types = read_words(s, n, "orderType", og_match_types);
        else
            og_error_at_key(s->faults, s->source, n, "unknown-key", "an order cannot be matched by '%s'%s",
                            og_see(n->key).s, og_diagnostic_hint(s->faults, n->key, match_keys, MATCH_KEYS));
    }
}

/* Read a condition.  It is compiled after all layers are laid, because it may name lists of any layer. */
static void read_when(struct og_entry_context *s, const struct og_yaml *node, struct og_override_entry *out)
{
    out->said.where[OG_PART_WHEN] = og_srcloc_of(s->source, node);
    if (node->kind != OG_YAML_SCALAR || node->text.len == 0)
        og_error_at(s->faults, s->source, node, "wrong-type",
                    "'when' must be an expression (like order.underlying in lists.meme)");
    else if (!(out->match.when_text = og_arena_copy(s->keep, node->text)).s)
        s->faults->oom = true;
}

/* Read one override.  Returns false, after reporting why, if it cannot be used. */
static bool read_one(struct og_entry_context *s, struct og_policy *policy, const struct og_rule *rule,
                     const struct og_yaml *node, struct og_override_entry *out)
{
    static const char *const known[] = { "match", "when", "until", "reason", NULL };

    if (node->kind != OG_YAML_MAP) {
        og_error_at(s->faults, s->source, node, "wrong-type",
                    "an override must be a map of 'match' and the settings that differ");
        return false;
    }
    if (!og_rule_entry_init(s, rule, og_srcloc_of(s->source, node), &out->said))
        return false;
    out->match.term.until = OG_TIME_UNKNOWN;
    for (const struct og_yaml *n = node->first; n; n = n->next) {
        if (og_str_is(n->key, "match")) {
            out->said.where[OG_PART_MATCH] = og_srcloc_of(s->source, n);
            read_match(s, policy, n, &out->match);
        } else if (og_str_is(n->key, "when")) {
            read_when(s, n, out);
        } else if (!og_rule_entry_term(s, n, &out->match.term, out->said.where) &&
                   !og_rule_entry_key(s, rule, n, &out->said)) {
            og_rule_entry_unknown(s, rule, n, known);
        }
    }
    og_rule_entry_term_end(s, out->said.where);
    if (!out->said.where[OG_PART_MATCH].source && !out->said.where[OG_PART_WHEN].source &&
        !out->said.where[OG_PART_UNTIL].source)
        og_error_at(s->faults, s->source, node, "key-missing",
                    "this override has no 'match', 'when' or 'until'; it does not say which orders it is for");
    return true;
}

static void note_many(struct og_entry_context *s, const struct og_rule *rule, struct og_srcloc at, size_t count)
{
    og_error_add(s->faults, at, "too-many", "rule '%s' has %zu overrides, most allowed is %d", rule->id, count, MOST);
}

void og_overrides_read(struct og_entry_context *s, struct og_policy *policy, const struct og_rule *rule,
                       const struct og_yaml *node, struct og_override_entries *out)
{
    *out = (struct og_override_entries){ 0 };
    if (node->kind != OG_YAML_LIST) {
        og_error_at(s->faults, s->source, node, "wrong-type",
                    "'overrides' must be a list; each item begins with '- match:'");
        return;
    }
    if (node->count > MOST)
        note_many(s, rule, og_srcloc_of(s->source, node), node->count);
    if (node->count == 0 || node->count > MOST)
        return;
    out->item = og_arena_take(s->faults->arena, node->count * sizeof *out->item);
    if (!out->item) {
        s->faults->oom = true;
        return;
    }
    for (const struct og_yaml *n = node->first; n; n = n->next)
        out->count += read_one(s, policy, rule, n, &out->item[out->count]);
}

/* Returns the stricter (higher) of two values; `own` stays unset if it is `unsaid`. */
static int stricter(int own, int later, int unsaid)
{
    return own == unsaid || later < own ? own : later;
}

static bool tighten_settings(struct og_rule_entry *own, const struct og_rule *rule, const struct og_rule_entry *said)
{
    bool any = false;

    for (size_t i = 0; i < rule->param_count; i++) {
        const struct og_param *p = &rule->params[i];
        int side;

        if (!(own->given & said->given & UINT64_C(1) << i))
            continue;
        side = og_value_cmp(p, said->settings, own->settings);
        if (p->tighter == OG_TIGHTER_LOWER ? side >= 0 : p->tighter == OG_TIGHTER_HIGHER && side <= 0)
            continue;
        og_value_copy(p, own->settings, said->settings);
        own->where[OG_ENTRY_PARTS + i] = said->where[OG_ENTRY_PARTS + i];
        any = true;
    }
    return any;
}

static bool tighten(struct og_rule_entry *own, const struct og_rule *rule, const struct og_rule_entry *said)
{
    const struct og_rule_entry was = *own;
    bool any = false;

    own->level = stricter(own->level, said->level, -1);
    own->unsure = stricter(own->unsure, said->unsure, 0);
    own->mode = stricter(own->mode, said->mode, 0);
    if (own->level != was.level)
        own->where[OG_PART_LEVEL] = said->where[OG_PART_LEVEL];
    if (own->unsure != was.unsure)
        own->where[OG_PART_UNSURE] = said->where[OG_PART_UNSURE];
    if (own->mode != was.mode)
        own->where[OG_PART_MODE] = said->where[OG_PART_MODE];
    for (size_t i = 0; i < rule->reason_count; i++) {
        own->reason_level[i] = (signed char)stricter(own->reason_level[i], said->reason_level[i], -1);
        if (own->reason_level[i] == was.reason_level[i])
            continue;
        own->where[og_reason_part(rule, i)] = said->where[og_reason_part(rule, i)];
        any = true;
    }
    if (any)
        own->where[OG_PART_REASONS] = said->where[OG_PART_REASONS];
    return tighten_settings(own, rule, said) || any || own->level != was.level || own->unsure != was.unsure ||
           own->mode != was.mode;
}

void og_overrides_tighten(struct og_override_entries *older, const struct og_rule *rule,
                          const struct og_rule_entry *said)
{
    for (size_t k = 0; k < older->count; k++)
        if (tighten(&older->item[k].said, rule, said))
            older->item[k].overtaken = true;
}

static bool same_pattern(const struct og_pattern *a, const struct og_pattern *b)
{
    return a && b ? og_str_eq(og_pattern_text(a), og_pattern_text(b)) : a == b;
}

bool og_override_same_orders(const struct og_override *a, const struct og_override *b)
{
    return same_pattern(a->symbol, b->symbol) && same_pattern(a->account, b->account) && same_pattern(a->tag, b->tag) &&
           a->securities == b->securities && a->sides == b->sides && a->types == b->types &&
           og_str_eq(a->when_text, b->when_text);
}

/* Returns the next word of a pattern like "A|B" or "^(A|B)$" from *at on; len is 0 if there are no more words. */
static struct og_str next_word(struct og_str pattern, size_t *at)
{
    size_t from;

    while (*at < pattern.len && strchr("^(|)$", pattern.s[*at]))
        ++*at;
    from = *at;
    while (*at < pattern.len && !strchr("^(|)$", pattern.s[*at]))
        ++*at;
    return (struct og_str){ pattern.s + from, *at - from };
}

/* Returns true if the pattern matches the empty text only: the tag of an order without a tag. */
static bool is_empty(struct og_str pattern)
{
    size_t at = 0;

    while (at < pattern.len && strchr("^$", pattern.s[at]))
        at++;
    return at == pattern.len;
}

static bool is_words(struct og_str pattern)
{
    for (size_t i = 0; i < pattern.len; i++)
        if (!((pattern.s[i] >= 'A' && pattern.s[i] <= 'Z') || (pattern.s[i] >= 'a' && pattern.s[i] <= 'z') ||
              (pattern.s[i] >= '0' && pattern.s[i] <= '9') || strchr("^(|)$", pattern.s[i])))
            return false;
    return pattern.len > 0 && !memmem(pattern.s, pattern.len, "()", 2) && !memmem(pattern.s, pattern.len, "||", 2);
}

static bool words_disjoint(const struct og_pattern *a, const struct og_pattern *b)
{
    struct og_str x, y, one, other;

    if (!a || !b)
        return false;
    x = og_pattern_text(a);
    y = og_pattern_text(b);
    if (is_empty(x) || is_empty(y))
        return (is_empty(x) || is_words(x)) && (is_empty(y) || is_words(y)) && is_empty(x) != is_empty(y);
    if (!is_words(x) || !is_words(y))
        return false;
    for (size_t i = 0; (one = next_word(x, &i)).len;)
        for (size_t k = 0; (other = next_word(y, &k)).len;)
            if (og_str_eq_folded(one, other))
                return false;
    return true;
}

bool og_override_apart(const struct og_override *a, const struct og_override *b)
{
    return (a->securities && b->securities && !(a->securities & b->securities)) ||
           (a->sides && b->sides && !(a->sides & b->sides)) || (a->types && b->types && !(a->types & b->types)) ||
           words_disjoint(a->symbol, b->symbol) || words_disjoint(a->account, b->account) ||
           words_disjoint(a->tag, b->tag);
}

/* --- layers ------------------------------------------------------------------------------------------------------- */

static bool within(unsigned words, unsigned of)
{
    return !of || (words && !(words & ~of));
}

bool og_override_covers(const struct og_override *old, const struct og_override *new)
{
    return (!old->symbol || same_pattern(old->symbol, new->symbol)) &&
           (!old->account || same_pattern(old->account, new->account)) &&
           (!old->tag || same_pattern(old->tag, new->tag)) && within(new->securities, old->securities) &&
           within(new->sides, old->sides) && within(new->types, old->types) &&
           (!old->when_text.len || og_str_eq(old->when_text, new->when_text)) &&
           (old->term.until == OG_TIME_UNKNOWN ||
            (new->term.until != OG_TIME_UNKNOWN &&new->term.until <= old->term.until));
}

static bool same_value(const struct og_rule *rule, size_t i, const struct og_rule_entry *a,
                       const struct og_rule_entry *b)
{
    return (a->given >> i & 1) == (b->given >> i & 1) &&
           (!(a->given >> i & 1) || og_value_cmp(&rule->params[i], a->settings, b->settings) == 0);
}

/* Returns true if both entries set the same values, except those that `newest` sets itself. */
static bool same_beside(const struct og_rule *rule, const struct og_rule_entry *newest, const struct og_rule_entry *a,
                        const struct og_rule_entry *b)
{
    bool same = (newest->level >= 0 || a->level == b->level) && (newest->unsure || a->unsure == b->unsure) &&
                (newest->mode || a->mode == b->mode);

    for (size_t i = 0; same && i < rule->reason_count; i++)
        same = newest->reason_level[i] >= 0 || a->reason_level[i] == b->reason_level[i];
    for (size_t i = 0; same && i < rule->param_count; i++)
        same = newest->given >> i & 1 || same_value(rule, i, a, b);
    return same;
}

/* Merge two entries: take the newer entry's values, and the older entry's values where the newer sets none.  Returns
 * false if out of memory. */
static bool say_beside(struct og_entry_context *s, const struct og_rule *rule, const struct og_rule_entry *older,
                       const struct og_rule_entry *newer, struct og_rule_entry *to)
{
    static const enum og_entry_part parts[] = { OG_PART_LEVEL, OG_PART_UNSURE, OG_PART_MODE, OG_PART_REASONS };

    if (!og_rule_entry_init(s, rule, newer->at, to))
        return false;
    memcpy(to->where, newer->where, og_where_count(rule) * sizeof *to->where);
    for (size_t i = 0; i < sizeof parts / sizeof *parts; i++)
        if (!to->where[parts[i]].source)
            to->where[parts[i]] = older->where[parts[i]];
    to->level = newer->level >= 0 ? newer->level : older->level;
    to->unsure = newer->unsure ? newer->unsure : older->unsure;
    to->mode = newer->mode ? newer->mode : older->mode;
    to->given = newer->given | older->given;
    for (size_t i = 0; i < rule->reason_count; i++) {
        size_t part = og_reason_part(rule, i);
        /* a newer level also lowers reasons that older layers set higher */
        bool lowers = newer->level >= 0 && older->reason_level[i] > newer->level;

        to->reason_level[i] = lowers ? (signed char)newer->level : older->reason_level[i];
        if (newer->reason_level[i] >= 0)
            to->reason_level[i] = newer->reason_level[i];
        else
            to->where[part] = lowers ? newer->where[OG_PART_LEVEL] : older->where[part];
    }
    for (size_t i = 0; i < rule->param_count; i++) {
        const struct og_rule_entry *from = newer->given >> i & 1 ? newer : older;

        if (!(to->given >> i & 1))
            continue;
        og_value_copy(&rule->params[i], to->settings, from->settings);
        to->where[OG_ENTRY_PARTS + i] = from->where[OG_ENTRY_PARTS + i];
    }
    return true;
}

/* Returns true if the pattern keeps its meaning as a part of another pattern: it has no counted groups and no back
 * references. */
static bool stands_alone(struct og_str pattern)
{
    static const char *const fine[] = { ":", "i)", "i:", "=", "!", "<=", "<!" };

    for (size_t i = 0; i + 1 < pattern.len; i++) {
        const char *at = pattern.s + i;
        bool known = false;

        if (*at == '\\' && strchr("123456789gk", at[1]))
            return false;
        if (*at == '\\' || *at != '(') {
            i += *at == '\\';
            continue;
        }
        for (size_t k = 0; at[1] == '?' && k < sizeof fine / sizeof *fine; k++)
            known = known || (pattern.len - i - 2 >= strlen(fine[k]) && memcmp(at + 2, fine[k], strlen(fine[k])) == 0);
        if (at[1] == '*' || (at[1] == '?' && !known))
            return false;
    }
    return true;
}

/* Returns a pattern that matches only texts which both patterns match; NULL if both match any text. */
static struct og_pattern *both_patterns(struct og_entry_context *s, struct og_policy *policy, struct og_srcloc at,
                                        pattern_reader *read, struct og_pattern *a, struct og_pattern *b)
{
    struct og_pattern *both = NULL;
    struct og_buf text;

    if (!a || !b || same_pattern(a, b))
        return a ? a : b;
    if (!stands_alone(og_pattern_text(a)) || !stands_alone(og_pattern_text(b))) {
        og_error_add(s->faults, at, "pattern-invalid",
                     "pattern '%s' and pattern '%s' of an override below may match the same orders: with references or "
                     "options in one of them it is not known which",
                     og_see(og_pattern_text(a)).s, og_see(og_pattern_text(b)).s);
        return a;
    }
    og_buf_init(&text, 0);
    og_buf_text(&text, "(?=(?:");
    og_buf_str(&text, og_pattern_text(b));
    og_buf_text(&text, ")\\z)(?:");
    og_buf_str(&text, og_pattern_text(a));
    og_buf_char(&text, ')');
    if (text.bad)
        s->faults->oom = true;
    else
        both = keep_pattern(s, policy, read, (struct og_str){ text.s, text.len }, at);
    og_buf_clear(&text);
    return both ? both : a;
}

static void both_conditions(struct og_entry_context *s, struct og_override_entry *o,
                            const struct og_override_entry *old)
{
    struct og_buf text;

    if (!old->match.when_text.len || og_str_eq(o->match.when_text, old->match.when_text))
        return;
    if (!o->match.when_text.len) {
        o->match.when_text = old->match.when_text;
        o->match.when = old->match.when;
        o->said.where[OG_PART_WHEN] = old->said.where[OG_PART_WHEN];
        return;
    }
    og_buf_init(&text, 0);
    og_buf_char(&text, '(');
    og_buf_str(&text, o->match.when_text);
    og_buf_text(&text, ") && (");
    og_buf_str(&text, old->match.when_text);
    og_buf_char(&text, ')');
    o->match.when_text = og_arena_copy(s->keep, (struct og_str){ text.s, text.bad ? 0 : text.len });
    s->faults->oom = s->faults->oom || text.bad || !o->match.when_text.s;
    og_buf_clear(&text);
}

static unsigned both_words(unsigned a, unsigned b)
{
    return a && b ? a & b : a | b;
}

/* Split a piece off the newer override: the piece applies to the orders that the older override matches too. */
static bool split(struct og_entry_context *s, struct og_policy *policy, const struct og_rule *rule,
                  const struct og_override_entry *old, const struct og_override_entry *new,
                  struct og_override_entry *to)
{
    const struct og_override *under = &old->match;
    struct og_srcloc at;

    *to = *new;
    if (!say_beside(s, rule, &old->said, &new->said, &to->said))
        return false;
    at = to->said.where[OG_PART_MATCH];
    to->over = old;
    to->match.split = true;
    to->match.symbol = both_patterns(s, policy, at, og_pattern_read, to->match.symbol, under->symbol);
    to->match.account = both_patterns(s, policy, at, og_pattern_read_account, to->match.account, under->account);
    to->match.tag = both_patterns(s, policy, at, og_pattern_read, to->match.tag, under->tag);
    to->match.securities = both_words(to->match.securities, under->securities);
    to->match.sides = both_words(to->match.sides, under->sides);
    to->match.types = both_words(to->match.types, under->types);
    both_conditions(s, to, old);
    if (under->term.until != OG_TIME_UNKNOWN &&
        (to->match.term.until == OG_TIME_UNKNOWN || under->term.until < to->match.term.until)) {
        to->match.term = under->term;
        to->said.where[OG_PART_UNTIL] = old->said.where[OG_PART_UNTIL];
    }
    return true;
}

/* Add one override of a later layer. Before it, for each older override that matches some of the same orders, add a
 * piece of the new override for these orders. Returns false if there are too many, or if out of memory. */
static bool put_one(struct og_entry_context *s, struct og_policy *policy, const struct og_rule *rule,
                    const struct og_override_entry *new, const struct og_override_entries *older,
                    struct og_override_entries *to)
{
    const struct og_override_entry *meets[MOST];
    struct og_override_entry own = *new;
    size_t count = 0;
    bool covered = false;

    for (size_t k = 0; k < older->count && !covered; k++) {
        if (og_override_apart(&older->item[k].match, &new->match))
            continue;
        covered = og_override_covers(&older->item[k].match, &new->match);
        if (covered && !say_beside(s, rule, &older->item[k].said, &new->said, &own.said))
            return false;
        if (!covered)
            meets[count++] = &older->item[k];
    }
    while (count && same_beside(rule, &new->said, &own.said, &meets[count - 1]->said))
        count--;
    if (to->count + count >= MOST) {
        note_many(s, rule, new->said.at, to->count + count + 1);
        return false;
    }
    for (size_t k = 0; k < count; k++)
        if (!split(s, policy, rule, meets[k], new, &to->item[to->count++]))
            return false;
    to->item[to->count++] = own;
    return true;
}

void og_overrides_put_before(struct og_entry_context *s, struct og_policy *policy, const struct og_rule *rule,
                             const struct og_override_entries *fresh, struct og_override_entries *all)
{
    struct og_override_entries made = { 0 };

    if (fresh->count == 0)
        return;
    made.item = og_arena_take(s->faults->arena,
                              (fresh->count == 1 || all->count == 0 ? fresh->count + all->count * 2 : 2 * MOST) *
                                  sizeof *made.item);
    if (!made.item) {
        s->faults->oom = true;
        return;
    }
    for (size_t i = 0; i < fresh->count; i++)
        if (!put_one(s, policy, rule, &fresh->item[i], all, &made))
            return;
    if (made.count + all->count > MOST) {
        note_many(s, rule, fresh->item[0].said.at, made.count + all->count);
        return;
    }
    if (all->count)
        memcpy(made.item + made.count, all->item, all->count * sizeof *made.item);
    made.count += all->count;
    *all = made;
}
