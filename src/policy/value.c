/*
 * Values of settings by kind: reads, checks bounds, compares, writes.  Values are never rounded, and no unit is
 * assumed.
 */
#include "policy/value.h"

#include <stdio.h>

#include "base/time.h"
#include "base/utf8.h"
#include "facts/calendar.h"
#include "order/symbol_word.h"
#include "policy/symbol_words.h"

union value {
    int64_t n; /* the value of an INT or DURATION */
    int32_t i; /* the value of a BPS or CHOICE */
    struct og_money money;
    struct og_string_set words;
};

static size_t size_of(enum og_param_kind kind)
{
    switch (kind) {
    case OG_PARAM_INT:
    case OG_PARAM_DURATION: return sizeof(int64_t);
    case OG_PARAM_BPS:
    case OG_PARAM_CHOICE: return sizeof(int32_t);
    case OG_PARAM_MONEY: return sizeof(struct og_money);
    case OG_PARAM_WORDS: return sizeof(struct og_string_set);
    }
    return 0;
}

static void *place(const struct og_param *p, void *settings)
{
    return (char *)settings + p->at;
}

static const void *look(const struct og_param *p, const void *settings)
{
    return (const char *)settings + p->at;
}

/* Read a number in plain digits; an exponent is rejected, because in a limit it is nearly always a mistake. */
static bool read_plain(struct og_str text, struct og_money *m)
{
    for (size_t i = 0; i < text.len; i++)
        if (text.s[i] == 'e' || text.s[i] == 'E')
            return false;
    return og_money_read(text.s, text.len, m);
}

static bool read_bps(struct og_str text, int32_t *bps)
{
    struct og_money m;

    if (text.len < 2 || text.s[text.len - 1] != '%')
        return false;
    if (!read_plain((struct og_str){ text.s, text.len - 1 }, &m) || !og_money_times(m, 100, &m))
        return false;
    if (m.scale != 0 || m.coef > INT32_MAX || m.coef < -INT32_MAX)
        return false;
    *bps = (int32_t)m.coef;
    return true;
}

static bool read_choice(const struct og_param *p, struct og_str text, int32_t *choice)
{
    for (int32_t i = 0; p->choices[i]; i++)
        if (og_str_is(text, p->choices[i])) {
            *choice = i;
            return true;
        }
    return false;
}

/* Split the default of a list of words, which descriptors write as "a, b". */
static bool split_words(struct og_str text, struct og_arena *arena, struct og_string_set *words)
{
    struct og_str *word;
    size_t most = 1;

    *words = (struct og_string_set){ 0 };
    if (text.len == 0)
        return true;
    for (size_t i = 0; i < text.len; i++)
        most += text.s[i] == ',';
    word = og_arena_take(arena, most * sizeof *word);
    if (!word)
        return false;
    for (size_t i = 0, from = 0; i <= text.len; i++)
        if (i == text.len || text.s[i] == ',') {
            while (from < i && text.s[from] == ' ')
                from++;
            word[words->count] = og_arena_copy(arena, (struct og_str){ text.s + from, i - from });
            if (!word[words->count++].s)
                return false;
            from = i + 1;
        }
    words->word = word;
    return og_string_set_index(words, arena);
}

static bool read_text(const struct og_param *p, struct og_str text, struct og_arena *arena, union value *v)
{
    struct og_money m;

    switch (p->kind) {
    case OG_PARAM_INT:
        if (!read_plain(text, &m) || m.scale != 0)
            return false;
        v->n = m.coef;
        return true;
    case OG_PARAM_MONEY: return read_plain(text, &v->money);
    case OG_PARAM_BPS: return read_bps(text, &v->i);
    case OG_PARAM_DURATION: return og_duration_read(text.s, text.len, &v->n);
    case OG_PARAM_WORDS: return split_words(text, arena, &v->words);
    case OG_PARAM_CHOICE: return read_choice(p, text, &v->i);
    }
    return false;
}

static int cmp_words(const struct og_string_set *a, const struct og_string_set *b)
{
    if (a->count != b->count)
        return 1;
    for (size_t i = 0; i < a->count; i++)
        if (!og_str_eq(a->word[i], b->word[i]))
            return 1;
    return 0;
}

static int cmp(enum og_param_kind kind, const void *a, const void *b)
{
    int64_t x, y;

    if (kind == OG_PARAM_MONEY)
        return og_money_cmp(*(const struct og_money *)a, *(const struct og_money *)b);
    if (kind == OG_PARAM_WORDS)
        return cmp_words(a, b);
    if (kind == OG_PARAM_BPS || kind == OG_PARAM_CHOICE) {
        x = *(const int32_t *)a;
        y = *(const int32_t *)b;
    } else {
        x = *(const int64_t *)a;
        y = *(const int64_t *)b;
    }
    return x < y ? -1 : x > y;
}

static const char *wanted(const struct og_param *p)
{
    switch (p->kind) {
    case OG_PARAM_INT: return "a whole number (like 100)";
    case OG_PARAM_MONEY: return "money in plain digits (like 50000 or 0.005)";
    case OG_PARAM_BPS: return "a percentage with at most two decimals (like 5% or 0.25%)";
    case OG_PARAM_DURATION: return "a duration (like 500ms, 2s, 5m or 1h)";
    case OG_PARAM_WORDS: return "a list of words (like [AAPL, GME])";
    case OG_PARAM_CHOICE: return "one of its choices";
    }
    return "";
}

const char *og_value_commas_hint(struct og_str text, char to[OG_COMMAS_HINT])
{
    static const char hint[] = ": write ";
    size_t at = sizeof hint - 1, since = 0;
    bool any = false, point = false;

    memcpy(to, hint, sizeof hint);
    for (size_t i = 0; i < text.len && at < OG_COMMAS_HINT - 1; i++) {
        const char c = text.s[i];

        if (c == ','   ? point || i == 0 || (any && since != 3)
            : c == '.' ? point || (any && since != 3)
                       : c < '0' || c > '9')
            return "";
        any = any || c == ',';
        point = point || c == '.';
        since = c == ',' || c == '.' ? 0 : since + 1;
        if (c != ',')
            to[at++] = c;
    }
    to[at] = '\0';
    return any && text.len < OG_COMMAS_HINT - sizeof hint && (point || since == 3) ? to : "";
}

static bool within(const struct og_param *p, const union value *v, struct og_str seen, struct og_diagnostics *faults,
                   struct og_srcloc at)
{
    union value bound;
    bool low = p->least && read_text(p, og_str_of(p->least), faults->arena, &bound) && cmp(p->kind, v, &bound) < 0;
    bool high = p->most && read_text(p, og_str_of(p->most), faults->arena, &bound) && cmp(p->kind, v, &bound) > 0;

    if (!low && !high)
        return true;
    og_error_add(faults, at, "value-out-of-bounds", "'%s' is %s, %s allowed is %s", p->key, og_see(seen).s,
                 low ? "least" : "most", low ? p->least : p->most);
    return false;
}

/* Returns true for a date outside the exchange calendar, where trading days are not known. */
static bool past_calendar(struct og_str word)
{
    static const char form[] = "9999-99-99";

    if (word.len != sizeof form - 1)
        return false;
    for (size_t i = 0; i < word.len; i++)
        if (form[i] == '-' ? word.s[i] != '-' : word.s[i] < '0' || word.s[i] > '9')
            return false;
    return memcmp(word.s, OG_CALENDAR_ENDS, word.len) > 0;
}

static void report_no_symbol(const struct og_param *p, struct og_srcloc at, struct og_str word,
                             struct og_diagnostics *faults)
{
    char used[80];

    snprintf(used, sizeof used, "which '%s' has", p->key);
    og_symbol_word_report(faults, at, word, used);
}

/* Report symbols in a spelling that no exchange uses, unless the list has the listed symbol too. */
static void report_foreign(const struct og_param *p, const struct og_yaml *node, const struct og_string_set *words,
                           struct og_diagnostics *faults, const struct og_policy_file *source)
{
    char meant[OG_SYMBOL_MEANT];

    for (const struct og_yaml *n = node->first; n; n = n->next)
        if (og_symbol_word_foreign(n->text, meant) && !og_string_set_contains_folded(words, og_str_of(meant)))
            report_no_symbol(p, og_srcloc_of(source, n), n->text, faults);
}

static bool read_list(const struct og_param *p, const struct og_yaml *node, struct og_arena *arena,
                      struct og_string_set *words, struct og_diagnostics *faults, const struct og_policy_file *source)
{
    struct og_str *word = og_arena_take(arena, (node->count + 1) * sizeof *word);

    *words = (struct og_string_set){ .word = word };
    if (!word) {
        faults->oom = true;
        return false;
    }
    for (const struct og_yaml *n = node->first; n; n = n->next) {
        if (n->kind != OG_YAML_SCALAR || n->text.len == 0) {
            og_error_at(faults, source, n, "wrong-type", "'%s' must be a list of words, here is something else",
                        p->key);
            return false;
        }
        if (past_calendar(n->text))
            og_diagnostic_add(faults, OG_WARNING, og_srcloc_of(source, n), "past-calendar",
                              "'%s' names %s, ordergate's exchange calendar ends on " OG_CALENDAR_ENDS, p->key,
                              og_see(n->text).s);
        if (p->words == OG_WORDS_SYMBOLS && strncmp(n->text.s, "lists.", 6) != 0 &&
            (!og_symbol_fits(n->text) || og_symbol_word_shape(n->text)))
            report_no_symbol(p, og_srcloc_of(source, n), n->text, faults);
        word[words->count] = og_arena_copy(arena, n->text);
        if (!word[words->count++].s) {
            faults->oom = true;
            return false;
        }
    }
    faults->oom |= !og_string_set_index(words, arena);
    if (p->words == OG_WORDS_SYMBOLS && !faults->oom)
        report_foreign(p, node, words, faults, source);
    return !faults->oom;
}

bool og_value_read(const struct og_param *p, const struct og_yaml *node, struct og_arena *arena, void *settings,
                   struct og_diagnostics *faults, const struct og_policy_file *source)
{
    struct og_srcloc at = og_srcloc_of(source, node);
    bool is_list = p->kind == OG_PARAM_WORDS;
    bool number = p->kind == OG_PARAM_INT || p->kind == OG_PARAM_MONEY;
    char commas[OG_COMMAS_HINT];
    union value v;

    if (node->kind != (is_list ? OG_YAML_LIST : OG_YAML_SCALAR) || (number && node->quoted)) {
        if (is_list && node->kind == OG_YAML_SCALAR && node->text.len > 0)
            og_error_add(faults, at, "wrong-type", "'%s' takes %s, here is a text: a list of one is written [%s]",
                         p->key, wanted(p), og_see(node->text).s);
        else
            og_error_add(faults, at, "wrong-type", "'%s' takes %s, here is %s%s", p->key, wanted(p),
                         node->kind == OG_YAML_MAP    ? "a map"
                         : node->kind == OG_YAML_LIST ? "a list"
                                                      : "a text",
                         number && node->kind == OG_YAML_SCALAR ? og_value_commas_hint(node->text, commas) : "");
        return false;
    }
    if (is_list) {
        if (!read_list(p, node, arena, &v.words, faults, source))
            return false;
    } else if (!read_text(p, node->text, arena, &v)) {
        size_t count = 0;

        while (p->choices && p->choices[count])
            count++;
        og_error_add(faults, at, "value-invalid", "'%s' takes %s, here is '%s'%s%s", p->key, wanted(p),
                     og_see(node->text).s, number ? og_value_commas_hint(node->text, commas) : "",
                     p->choices ? og_diagnostic_hint(faults, node->text, p->choices, count) : "");
        return false;
    } else if (!within(p, &v, node->text, faults, at)) {
        return false;
    }
    memcpy(place(p, settings), &v, size_of(p->kind));
    return true;
}

bool og_value_fallback(const struct og_param *p, struct og_arena *arena, void *settings)
{
    union value v;

    if (!p->fallback || !read_text(p, og_str_of(p->fallback), arena, &v))
        return false;
    memcpy(place(p, settings), &v, size_of(p->kind));
    return true;
}

static bool is_none(const struct og_param *p, const void *settings)
{
    return ((const struct og_money *)look(p, settings))->coef == 0;
}

int og_value_cmp(const struct og_param *p, const void *a, const void *b)
{
    int side = cmp(p->kind, look(p, a), look(p, b));

    if (p->zero_is_none && side != 0 && (is_none(p, a) || is_none(p, b)))
        return is_none(p, a) ? 1 : -1;
    return side;
}

bool og_value_is_widest(const struct og_param *p, const void *settings)
{
    const char *bound = p->tighter == OG_TIGHTER_LOWER ? p->most : p->least;
    union value v;

    if (p->kind == OG_PARAM_WORDS)
        return ((const struct og_string_set *)look(p, settings))->count == 0;
    if (p->tighter == OG_TIGHTER_UNKNOWN)
        return false;
    if (p->kind == OG_PARAM_CHOICE && p->tighter == OG_TIGHTER_HIGHER)
        return *(const int32_t *)look(p, settings) == 0;
    if (p->zero_is_none)
        return is_none(p, settings);
    return bound && read_text(p, og_str_of(bound), NULL, &v) && cmp(p->kind, look(p, settings), &v) == 0;
}

void og_value_copy(const struct og_param *p, void *to, const void *from)
{
    memcpy(place(p, to), look(p, from), size_of(p->kind));
}

/* Returns the code point of the UTF-8 sequence of len bytes at s. */
static unsigned decode(const char *s, size_t len)
{
    unsigned point = len == 1 ? (unsigned char)s[0] : (unsigned char)s[0] & (0x7FU >> len);

    for (size_t i = 1; i < len; i++)
        point = point << 6 | ((unsigned char)s[i] & 0x3F);
    return point;
}

/* Returns true for a code point that YAML does not allow unescaped, or that it treats as a line break. */
static bool needs_escape(unsigned point)
{
    return point < 0x20 || (point >= 0x7F && point < 0xA0) || point == 0x2028 || point == 0x2029 || point == 0xFEFF ||
           point == 0xFFFE || point == 0xFFFF;
}

void og_value_text(struct og_buf *b, struct og_str text)
{
    const char *s = text.s, *end = text.s + text.len;

    og_buf_char(b, '"');
    while (s < end) {
        size_t len = og_utf8_len(s, end);
        unsigned point = len ? decode(s, len) : 0xFFFD;

        if (len == 0 || needs_escape(point)) {
            og_buf_format(b, "\\u%04x", point);
        } else {
            if (*s == '"' || *s == '\\')
                og_buf_char(b, '\\');
            og_buf_bytes(b, s, len);
        }
        s += len ? len : 1;
    }
    og_buf_char(b, '"');
}

void og_value_write(const struct og_param *p, const void *settings, struct og_buf *b)
{
    const void *v = look(p, settings);
    const struct og_string_set *words = v;
    struct og_money m;

    switch (p->kind) {
    case OG_PARAM_INT: og_buf_int(b, *(const int64_t *)v); return;
    case OG_PARAM_MONEY: og_buf_money(b, *(const struct og_money *)v); return;
    case OG_PARAM_DURATION: og_buf_text(b, og_duration_text(*(const int64_t *)v).s); return;
    case OG_PARAM_CHOICE: og_buf_text(b, p->choices[*(const int32_t *)v]); return;
    case OG_PARAM_BPS:
        /* always true, since 100 x bps cannot overflow */
        if (og_money_share(og_money_from(100), *(const int32_t *)v, &m))
            og_buf_money(b, m);
        og_buf_char(b, '%');
        return;
    case OG_PARAM_WORDS:
        og_buf_char(b, '[');
        for (size_t i = 0; i < words->count; i++) {
            og_buf_text(b, i ? ", " : "");
            og_value_text(b, words->word[i]);
        }
        og_buf_char(b, ']');
        return;
    }
}
