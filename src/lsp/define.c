/*
 * "Go to definition": from a layer, a list or a tested policy to its file; from a setting to the line of the layer
 * below that has it too; from a name to the list or the custom rule of the policy.
 */
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "lsp/place.h"
#include "lsp/session.h"
#include "ordergate/origins.h"

struct definition {
    struct og_lsp *s;
    const struct og_lsp_document *d;
    struct og_lsp_place place;
    struct og_str word; /* the key or the scalar, without quotes */
};

/* --- places ------------------------------------------------------------------------------------------------------- */

/* Returns a Location (LSP); line 0 means the beginning of the file. Returns NULL if there is no such file. */
static cJSON *location(const struct definition *c, const char *path, int line, int col)
{
    struct og_lsp_file f = og_lsp_file_open(c->s, path);
    cJSON *made = NULL;
    size_t at;

    if (f.uri) {
        made = og_doc_object();
        at = line > 0 ? og_lsp_offset_of_place(f.text, line, col) : 0;
        og_doc_put_text(made, "uri", f.uri);
        og_doc_put(made, "range", og_lsp_range(c->s, f.text, at, at));
    }
    og_lsp_file_close(&f);
    return made;
}

/* Returns the path of a file that the document names; NULL if out of memory. */
static char *beside(const struct og_lsp_document *d, struct og_str name)
{
    const char *slash = strrchr(d->path, '/');
    struct og_buf b;

    og_buf_init(&b, 0);
    if (name.len && name.s[0] != '/' && slash)
        og_buf_bytes(&b, d->path, (size_t)(slash - d->path) + 1);
    og_buf_str(&b, name);
    if (!b.bad && b.s)
        return b.s;
    og_buf_clear(&b);
    return NULL;
}

/* Returns the path of the policy that a test file without the key `policy` tests, which follows from the test file's
 * name; NULL if it does not. */
static char *tested(const struct og_lsp_document *d)
{
    const char *end = strstr(d->path, "_test.y"), *next;
    struct og_buf b;

    while (end && (next = strstr(end + 1, "_test.y")))
        end = next;
    if (!end)
        return NULL;
    og_buf_init(&b, 0);
    og_buf_format(&b, "%.*s%s", (int)(end - d->path), d->path, end + strlen("_test"));
    return b.bad ? NULL : b.s;
}

/* Returns the key to which the place belongs: the place is its value, or an item of its value. */
static struct og_str key_of(const struct og_lsp_place *place)
{
    size_t i = place->depth;

    while (i > 0 && !place->step[i - 1].key.s)
        i--;
    return i ? place->step[i - 1].key : (struct og_str){ NULL, 0 };
}

/* --- files and names ---------------------------------------------------------------------------------------------- */

static cJSON *of_file(const struct definition *c)
{
    static const char *const keys[] = { "extends", "policy", "floor", "file", "key", "keys", "facts", "orders", NULL };
    char *path;
    cJSON *made;

    if (!c->word.len || !og_str_is_one_of(key_of(&c->place), keys))
        return NULL;
    path = beside(c->d, c->word);
    made = path ? location(c, path, 0, 0) : NULL;
    free(path);
    return made;
}

/* Returns the Location of the list that an expression names as `lists.meme`. */
static cJSON *of_list(const struct definition *c, struct og_str name)
{
    struct og_str text = c->d->text;

    for (size_t at = 0; at < text.len; at = og_lsp_line_end(text, at) + 1) {
        size_t first = at + strspn(text.s + at, " ");
        struct og_lsp_place place;
        cJSON *made;

        if (first == at || first >= text.len)
            continue;
        og_lsp_place_find(text, first, &place);
        if (place.at != OG_LSP_KEY || place.depth != 1 || !og_str_is(key_of(&place), "lists") ||
            !og_str_eq((struct og_str){ text.s + place.from, place.to - place.from }, name))
            continue;
        made = og_doc_object();
        og_doc_put_text(made, "uri", c->d->uri);
        og_doc_put(made, "range", og_lsp_range(c->s, text, place.from, place.to));
        return made;
    }
    return NULL;
}

static cJSON *of_custom(const struct definition *c, const struct og_policy *policy, struct og_str id)
{
    struct og_custom_info custom;

    for (size_t i = 0; og_policy_custom(policy, i, &custom); i++)
        if (og_str_is(id, custom.id))
            return location(c, custom.file, custom.line, custom.col);
    return NULL;
}

static cJSON *of_name(const struct definition *c, const struct og_policy *policy, size_t offset)
{
    struct og_str word = og_lsp_word(c->d->text, offset, "._");

    if (word.len > 6 && memcmp(word.s, "lists.", 6) == 0)
        return of_list(c, (struct og_str){ word.s + 6, word.len - 6 });
    return of_custom(c, policy, og_lsp_word(c->d->text, offset, "-"));
}

/* --- settings ----------------------------------------------------------------------------------------------------- */

/* Write the names of the rule and of the setting to which a key belongs, as ordergate/origins.h spells them; the
 * setting is "" for a whole rule. Returns false if the key belongs to neither. */
static bool name_setting(const struct definition *c, char rule[100], char key[200])
{
    const char *first = "";
    struct og_str path[3];
    size_t count = 0;

    for (size_t i = 0; i < c->place.depth; i++) {
        if (c->place.step[i].kind == OG_LSP_FLOW_MAP)
            continue;
        if (!c->place.step[i].key.s || count == 3)
            return false;
        path[count++] = c->place.step[i].key;
    }
    rule[0] = '\0';
    if (count == 1 && og_str_is(path[0], "max_age"))
        first = "max_age.";
    else if (count == 3 && og_str_is(path[0], "rules") && og_str_is(path[2], "reasons"))
        first = "reasons.";
    else if (count > 2 || (count > 0 && !og_str_is(path[0], "rules")))
        return false;
    if (count > 0 && og_str_is(path[0], "rules"))
        snprintf(rule, 100, "%.*s", (int)(count > 1 ? path[1] : c->word).len, (count > 1 ? path[1] : c->word).s);
    snprintf(key, 200, "%s%.*s", first, count == 1 && rule[0] ? 0 : (int)c->word.len, c->word.s);
    return true;
}

/* Returns the Location of the place if it is in another file than the document. */
static cJSON *elsewhere(const struct definition *c, const struct og_origin_place *at)
{
    if (at->line < 1 || !strchr(at->file, '/') || og_lsp_document_at(c->s, at->file) == c->d)
        return NULL;
    return location(c, at->file, at->line, at->col);
}

/* Returns the Location of a setting in another file: of the first place whose value is overridden, or else of the place
 * that gave the setting its value; NULL if all these places are in the document. own: consider only places in the
 * rule's own entry, not those of a key of the whole policy. */
static cJSON *of_places(const struct definition *c, const struct og_origin_setting *setting, bool own)
{
    cJSON *made = NULL;

    for (size_t i = 0; i < setting->hidden && !made; i++)
        if (!own || setting->hides[i].kind == OG_ORIGIN_RULE)
            made = elsewhere(c, &setting->hides[i]);
    return made || (own && setting->from.kind != OG_ORIGIN_RULE) ? made : elsewhere(c, &setting->from);
}

/* Returns the Location of a setting in another file; if key is "", of the first setting that has one. */
static cJSON *of_rule(const struct definition *c, const struct og_policy *policy, const char *name, const char *key)
{
    struct og_origins *origins;
    struct og_origin_rule rule;
    struct og_origin_setting setting;
    cJSON *made = NULL;

    if (og_origins_all(policy, &origins) != OG_OK)
        return NULL;
    for (size_t i = 0; og_origins_rule(origins, i, &rule) && !made; i++)
        for (size_t k = 0;
             rule.override < 0 && strcmp(rule.rule, name) == 0 && !made && og_origins_setting(origins, i, k, &setting);
             k++)
            if (!key[0] || strcmp(setting.key, key) == 0)
                made = of_places(c, &setting, !key[0]);
    og_origins_free(origins);
    return made;
}

static cJSON *of_setting(const struct definition *c, const struct og_policy *policy)
{
    char name[100], key[200];

    return name_setting(c, name, key) ? of_rule(c, policy, name, key) : NULL;
}

/* Returns, for the id of a custom rule, its Location in the layer below that has the rule too. */
static cJSON *of_id(const struct definition *c, const struct og_policy *policy)
{
    char name[100];

    if (c->word.len >= sizeof name || !og_str_is(key_of(&c->place), "id"))
        return NULL;
    snprintf(name, sizeof name, "%.*s", (int)c->word.len, c->word.s);
    return of_rule(c, policy, name, "");
}

static cJSON *of_policy(struct definition *c, size_t offset)
{
    const bool test = og_lsp_kind_of(c->d) == OG_LSP_TEST;
    char *path = test ? tested(c->d) : strdup(c->d->path);
    struct og_policy *policy = NULL;
    cJSON *made = NULL;

    if (path && test && c->place.at == OG_LSP_KEY && og_str_is(c->word, "ordergate-test"))
        made = location(c, path, 0, 0);
    else if (path && path[0] && og_policy_load(path, &policy, NULL, NULL, NULL) == OG_OK)
        made = c->place.at == OG_LSP_KEY && !test ? of_setting(c, policy) : of_id(c, policy);
    if (!made && policy)
        made = of_name(c, policy, offset);
    og_policy_free(policy);
    free(path);
    return made;
}

cJSON *og_lsp_define(struct og_lsp *s, const cJSON *params, struct og_lsp_failure *f)
{
    struct definition c = { .s = s, .d = og_lsp_document_of(s, params) };
    size_t offset;
    cJSON *made;

    if (!c.d)
        return og_lsp_fail(f, OG_LSP_INVALID_PARAMS, "the document is not open");
    offset = og_lsp_offset_of(s, c.d, params);
    og_lsp_place_find(c.d->text, offset, &c.place);
    c.word = (struct og_str){ c.d->text.s + c.place.from, c.place.to - c.place.from };
    if (c.word.len >= 2 && (c.word.s[0] == '"' || c.word.s[0] == '\''))
        c.word = (struct og_str){ c.word.s + 1, c.word.len - 2 };
    if (c.place.at == OG_LSP_NOWHERE)
        return NULL;
    made = c.place.at == OG_LSP_KEY ? NULL : of_file(&c);
    return made ? made : of_policy(&c, offset);
}
