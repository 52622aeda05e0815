/*
 * Hover: shows what `ordergate explain` prints about the word, or the schema's description of the key.
 */
#include <stdlib.h>

#include "lsp/schema.h"
#include "lsp/session.h"
#include "ordergate/explain.h"

/* Returns what `ordergate explain` prints about a word; NULL if it prints nothing. The caller frees it. */
static char *explain(const struct og_lsp_document *d, struct og_str word, bool own_rules)
{
    struct og_policy *policy = NULL;
    char name[100], *text = NULL;
    enum og_status status;

    if (word.len == 0 || word.len >= sizeof name)
        return NULL;
    memcpy(name, word.s, word.len);
    name[word.len] = '\0';
    status = og_explain(name, NULL, &text, NULL);
    if (status == OG_ENOENT && own_rules && d->path[0] && og_policy_load(d->path, &policy, NULL, NULL, NULL) == OG_OK &&
        og_explain(name, policy, &text, NULL) != OG_OK)
        text = NULL;
    og_policy_free(policy);
    return text;
}

static bool is_under(const struct og_lsp_place *place, const char *key)
{
    const struct og_lsp_step *last = og_lsp_place_last(place);

    return last && last->key.s && og_str_is(last->key, key);
}

/* Returns the description of a key in a map; if there is none, that of the map. */
static char *describe(const cJSON *root, const struct og_lsp_place *place, struct og_str key)
{
    struct og_lsp_nodes map, value;
    const char *text;
    struct og_buf b;

    og_lsp_nodes_at(root, place, &map);
    og_lsp_nodes_of_key(root, &map, key, &value);
    text = og_lsp_description(&value);
    if (!text && value.count > 0)
        text = og_lsp_description(&map);
    if (!text)
        return NULL;
    og_buf_init(&b, 0);
    og_buf_format(&b, "%.*s: %s\n", (int)key.len, key.s, text);
    if (!b.bad)
        return b.s;
    og_buf_clear(&b);
    return NULL;
}

static char *of_key(struct og_lsp *s, const struct og_lsp_document *d, const struct og_lsp_place *place,
                    struct og_str *word)
{
    const bool rules = is_under(place, "rules"), reasons = is_under(place, "reasons");
    char *text = NULL;

    *word = (struct og_str){ d->text.s + place->from, place->to - place->from };
    if (word->len >= 2 && (word->s[0] == '"' || word->s[0] == '\''))
        *word = (struct og_str){ word->s + 1, word->len - 2 };
    if (rules || reasons)
        text = explain(d, *word, rules);
    return text ? text : describe(og_lsp_schema(s, d), place, *word);
}

/* Returns the explanation of the word at the offset: a name in an expression, a rule, a reason or a code. */
static char *of_word(const struct og_lsp_document *d, size_t offset, struct og_str *word)
{
    char *text;

    *word = og_lsp_word(d->text, offset, "._");
    while (word->len && word->s[word->len - 1] == '.') /* drop a full stop after the word */
        word->len--;
    text = memchr(word->s, '.', word->len) ? explain(d, *word, false) : NULL;
    if (!text) {
        *word = og_lsp_word(d->text, offset, "-");
        text = explain(d, *word, true);
    }
    return text;
}

cJSON *og_lsp_hover(struct og_lsp *s, const cJSON *params, struct og_lsp_failure *f)
{
    const struct og_lsp_document *d = og_lsp_document_of(s, params);
    cJSON *result, *contents;
    struct og_lsp_place place;
    struct og_str word;
    size_t offset;
    char *text;

    if (!d)
        return og_lsp_fail(f, OG_LSP_INVALID_PARAMS, "the document is not open");
    offset = og_lsp_offset_of(s, d, params);
    og_lsp_place_find(d->text, offset, &place);
    text = place.at == OG_LSP_KEY ? of_key(s, d, &place, &word) : of_word(d, offset, &word);
    if (!text)
        return NULL;
    result = og_doc_object();
    contents = og_doc_object();
    og_doc_put_text(contents, "kind", "plaintext");
    og_doc_put_text(contents, "value", text);
    og_doc_put(result, "contents", contents);
    og_doc_put(result, "range",
               og_lsp_range(s, d->text, (size_t)(word.s - d->text.s), (size_t)(word.s - d->text.s) + word.len));
    free(text);
    return result;
}
