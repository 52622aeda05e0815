/*
 * Parses one value according to the table of its setting. Numbers are read exactly and must fit in millionths.
 */
#include "paper/setting.h"

#include <string.h>

#include "base/json_write.h"
#include "base/time.h"

#define DAY_NS (86400 * OG_NS_PER_S)

union value {
    bool flag;
    int word;
    int64_t number;
    struct og_str text;
};

static bool read_duration(struct og_str text, int64_t *ns)
{
    struct og_money days;

    if (text.len > 1 && text.s[text.len - 1] == 'd') {
        if (!og_money_read(text.s, text.len - 1, &days) || days.scale || days.coef < 0 || days.coef > 36500)
            return false;
        *ns = days.coef * DAY_NS;
        return true;
    }
    return og_duration_read(text.s, text.len, ns);
}

static bool read_number(struct og_str text, int64_t *n)
{
    struct og_money m;

    return og_money_read(text.s, text.len, &m) && m.scale <= 6 && og_dec_from(m, n);
}

static bool read_whole(struct og_str text, int64_t *n)
{
    struct og_money m;

    if (!og_money_read(text.s, text.len, &m) || m.scale)
        return false;
    *n = m.coef;
    return true;
}

/* Read a percentage or basis points exactly, as millionths of 1. */
static bool read_share(struct og_str text, int64_t *n)
{
    int64_t unit = 0;

    if (text.len > 3 && memcmp(text.s + text.len - 3, "bps", 3) == 0) {
        unit = 10000;
        text.len -= 3;
    } else if (text.len > 1 && text.s[text.len - 1] == '%') {
        unit = 100;
        text.len--;
    }
    if (!unit || !read_number(text, n) || *n % unit != 0)
        return false;
    *n /= unit;
    return true;
}

static bool read_switch(struct og_str text, bool *flag)
{
    *flag = og_str_is(text, "on") || og_str_is(text, "true");
    return *flag || og_str_is(text, "off") || og_str_is(text, "false");
}

static bool read_word(const char *const *words, struct og_str text, int *word)
{
    for (*word = 0; words[*word]; (*word)++)
        if (og_str_is(text, words[*word]))
            return true;
    return false;
}

static bool read_value(const struct og_paper_setting *s, struct og_str text, union value *v)
{
    switch (s->kind) {
    case OG_SETTING_SWITCH: return read_switch(text, &v->flag);
    case OG_SETTING_WORD: return read_word(s->words, text, &v->word);
    case OG_SETTING_DURATION: return read_duration(text, &v->number);
    case OG_SETTING_NUMBER: return read_number(text, &v->number);
    case OG_SETTING_WHOLE: return read_whole(text, &v->number);
    case OG_SETTING_SHARE: return read_share(text, &v->number);
    case OG_SETTING_INSTANT: return og_time_read(text.s, text.len, &v->number);
    case OG_SETTING_TEXT: v->text = text; return true;
    }
    return false;
}

/* Returns true if the number is within the setting's bounds, which the table spells in the same way as values. */
static bool within(const struct og_paper_setting *s, int64_t number)
{
    union value least, most;

    if (s->least && read_value(s, og_str_of(s->least), &least) && number < least.number)
        return false;
    return !s->most || !read_value(s, og_str_of(s->most), &most) || number <= most.number;
}

static void store_value(const struct og_paper_setting *s, const union value *v, void *base)
{
    void *at = (char *)base + s->at;

    if (s->kind == OG_SETTING_SWITCH)
        *(bool *)at = v->flag;
    else if (s->kind == OG_SETTING_WORD)
        *(int *)at = v->word;
    else if (s->kind == OG_SETTING_TEXT)
        *(struct og_str *)at = v->text;
    else
        *(int64_t *)at = v->number;
}

void og_paper_setting_allowed(const struct og_paper_setting *s, char *to, size_t size)
{
    static const char *const kinds[] = {
        [OG_SETTING_SWITCH] = "on or off",
        [OG_SETTING_WORD] = "one of ",
        [OG_SETTING_DURATION] = "a duration (40ms, 2s, 5m, 1h, 30d)",
        [OG_SETTING_NUMBER] = "a number of at most 6 decimals",
        [OG_SETTING_WHOLE] = "a whole number",
        [OG_SETTING_SHARE] = "a percentage or basis points (0.5%, 10bps)",
        [OG_SETTING_TEXT] = "a text",
        [OG_SETTING_INSTANT] = "an instant (2026-01-15T15:00:00Z)",
    };
    struct og_buf b;
    int i;

    og_buf_init_fixed(&b, to, size);
    og_buf_text(&b, kinds[s->kind]);
    if (s->kind == OG_SETTING_WORD)
        for (i = 0; s->words[i]; i++)
            og_buf_format(&b, "%s%s", i ? ", " : "", s->words[i]);
    if (s->least)
        og_buf_format(&b, " from %s", s->least);
    if (s->most)
        og_buf_format(&b, " to %s", s->most);
}

struct og_money_text og_paper_share_text(int64_t share)
{
    struct og_money_text text = og_money_text(og_dec_money(og_dec_scale(share, 100)));

    memcpy(text.s + strlen(text.s), "%", 2); /* a fraction within its bounds is short, so there is room */
    return text;
}

void og_paper_setting_write(const struct og_paper_setting *s, const void *base, struct og_buf *b)
{
    const void *at = (const char *)base + s->at;
    const int64_t number = s->kind == OG_SETTING_SWITCH || s->kind == OG_SETTING_WORD || s->kind == OG_SETTING_TEXT
                               ? 0
                               : *(const int64_t *)at;

    if (number == OG_UNSET) {
        og_member_text(b, s->key, NULL);
        return;
    }
    switch (s->kind) {
    case OG_SETTING_SWITCH: og_member_bool(b, s->key, *(const bool *)at); break;
    case OG_SETTING_WORD: og_member_text(b, s->key, s->words[*(const int *)at]); break;
    case OG_SETTING_DURATION: og_member_text(b, s->key, og_duration_text(number).s); break;
    case OG_SETTING_NUMBER: og_member_money(b, s->key, og_dec_money(number)); break;
    case OG_SETTING_WHOLE: og_member_int(b, s->key, number); break;
    case OG_SETTING_SHARE: og_member_text(b, s->key, og_paper_share_text(number).s); break;
    case OG_SETTING_TEXT: og_member_str(b, s->key, *(const struct og_str *)at); break;
    case OG_SETTING_INSTANT: og_member_text(b, s->key, og_time_text(number).s); break;
    }
}

void og_paper_settings_init(const struct og_paper_setting *table, size_t count, void *base)
{
    union value v;
    size_t i;

    for (i = 0; i < count; i++) {
        const struct og_paper_setting *s = &table[i];

        v = (union value){ .number = OG_UNSET };
        if (s->kind == OG_SETTING_SWITCH || s->kind == OG_SETTING_WORD || s->kind == OG_SETTING_TEXT)
            v = (union value){ .text = { NULL, 0 } };
        if (!s->fallback || read_value(s, og_str_of(s->fallback), &v))
            store_value(s, &v, base);
    }
}

const struct og_paper_setting *og_paper_setting_get(const struct og_paper_setting *table, size_t count,
                                                    struct og_str key)
{
    size_t i;

    for (i = 0; i < count; i++)
        if (og_str_is(key, table[i].key))
            return &table[i];
    return NULL;
}

bool og_paper_setting_parse(const struct og_paper_setting *s, struct og_str text, struct og_arena *arena, void *base,
                            char *why, size_t size)
{
    union value v;

    if (!read_value(s, text, &v) || (s->kind != OG_SETTING_SWITCH && s->kind != OG_SETTING_WORD &&
                                     s->kind != OG_SETTING_TEXT && !within(s, v.number))) {
        og_paper_setting_allowed(s, why, size);
        return false;
    }
    if (s->kind == OG_SETTING_TEXT && !(v.text = og_arena_copy(arena, text)).s) {
        why[0] = '\0';
        return false;
    }
    store_value(s, &v, base);
    return true;
}

void og_paper_setting_schema(const struct og_paper_setting *s, struct og_buf *b)
{
    og_buf_char(b, '{');
    if (s->kind == OG_SETTING_WORD) {
        og_member_key(b, "enum");
        og_buf_char(b, '[');
        for (int i = 0; s->words[i]; i++)
            og_member_text(b, NULL, s->words[i]);
        og_buf_char(b, ']');
    } else {
        og_member_key(b, "type");
        og_buf_text(b, s->kind == OG_SETTING_SWITCH   ? "\"boolean\""
                       : s->kind == OG_SETTING_NUMBER ? "[\"number\",\"null\"]"
                       : s->kind == OG_SETTING_WHOLE  ? "\"integer\""
                                                      : "\"string\"");
    }
    og_member_text(b, "description", s->help);
    og_buf_char(b, '}');
}
