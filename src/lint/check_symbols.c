/*
 * Checks words that are meant as symbols, in settings, in named lists and in the files of such lists: words that cannot
 * be symbols because of their form, and, in settings, symbols in lower case.  It is not known which symbols exist.
 */
#include <ctype.h>

#include "lint/lint.h"
#include "order/occ.h"
#include "policy/lists.h"
#include "policy/policy_file.h"
#include "solver/comparisons.h"

#define FINDINGS_MOST 20 /* maximum number of findings of one file */
#define ARENA_MOST    ((size_t)512 << 20)

/* --- words that cannot be symbols --------------------------------------------------------------------------------- */

const char *og_lint_why_no_symbol(struct og_str word)
{
    struct og_occ occ;

    og_occ_read(word, &occ);
    return occ.is && !occ.date_exists ? "it has the form of a contract, and its date does not exist" : NULL;
}

/* --- one word ----------------------------------------------------------------------------------------------------- */

/* A word of a list; the list is in the linted file or in a file of its own. */
struct word {
    const struct og_lint_source *in; /* the list's own file; NULL if the list is in the linted file */
    struct og_str text;
    int line, col;
    size_t at, end; /* where the word is in the linted file, with its quotes */
    const char *list;
};

static struct og_lint_finding *add_finding(struct og_lint_run *l, const struct word *w, const char *code,
                                           const char *text)
{
    struct og_lint_finding *f =
        og_lint_add_at(l, w->line, w->col, w->in ? (int)w->text.len : (int)(w->end - w->at), code, "%s", text);

    if (w->in)
        f->fault.file = w->in->name;
    return f;
}

static bool check_word(struct og_lint_run *l, const struct word *w)
{
    const char *why = og_lint_why_no_symbol(w->text);

    if (why)
        (void)add_finding(l, w, "list-word-never",
                          og_lint_format(l, "no symbol is '%.*s' in '%s': %s", w->text.len < 60 ? (int)w->text.len : 60,
                                         w->text.s, w->list, why));
    return why != NULL;
}

/* Report a symbol of a setting with lower-case letters: symbols are in upper case, and the service does not convert
 * them. */
static void check_case(struct og_lint_run *l, const struct word *w)
{
    char upper[40];
    bool low = false;
    struct og_lint_finding *f;

    if (w->text.len >= sizeof upper)
        return;
    for (size_t i = 0; i < w->text.len; i++) {
        low = low || islower((unsigned char)w->text.s[i]);
        upper[i] = (char)toupper((unsigned char)w->text.s[i]);
    }
    upper[w->text.len] = '\0';
    if (!low)
        return;
    f = add_finding(l, w, "symbol-case",
                    og_lint_format(l, "'%.*s' in '%s' is not a symbol as exchanges spell it: did you mean '%s'?",
                                   (int)w->text.len, w->text.s, w->list, upper));
    if (w->end - w->at == w->text.len) /* the word is not in quotes */
        og_lint_add_edit(l, f, w->at, w->end, og_lint_format(l, "%s", upper),
                         og_lint_format(l, "'%.*s' becomes '%s'", (int)w->text.len, w->text.s, upper));
}

void og_lint_check_symbol_words(struct og_lint_run *l, const struct og_yaml *list, const char *what)
{
    for (int low = 0; low < 2; low++)
        for (const struct og_yaml *n = list->first; n; n = n->next) {
            struct word w = { NULL, n->text, n->line, n->col, n->at, n->end, what };

            if (n->kind != OG_YAML_SCALAR)
                continue;
            if (low)
                check_case(l, &w);
            else
                (void)check_word(l, &w);
        }
}

/* --- named lists -------------------------------------------------------------------------------------------------- */

struct og_str og_lint_list_named(const struct og_expr *e, size_t offset)
{
    static const char lists[] = "lists.";
    size_t from = offset + sizeof lists - 1, end = from;

    if (from >= e->text.len || memcmp(e->text.s + offset, lists, sizeof lists - 1) != 0)
        return (struct og_str){ 0 };
    while (end < e->text.len && (isalnum((unsigned char)e->text.s[end]) || e->text.s[end] == '_'))
        end++;
    return (struct og_str){ e->text.s + from, end - from };
}

/* Returns true if the expression looks a symbol up in the list. */
static bool asks_for_symbols(const struct og_expr *e, struct og_str list)
{
    for (const struct og_expr_node *n = e ? og_expr_first(e->root) : NULL; n && n <= e->root; n++) {
        const struct og_expr_value *value;
        size_t at;
        const struct og_expr_named *name = n->op == OG_OP_IN ? og_comparison_at(n, &value, &at) : NULL;

        if (name && name->is.measure == OG_MEASURE_SYMBOL && og_str_eq(og_lint_list_named(e, at), list))
            return true;
    }
    return false;
}

static bool is_of_symbols(const struct og_policy *p, struct og_str list)
{
    for (size_t i = 0; i < p->custom_count; i++)
        if (asks_for_symbols(p->custom[i]->when, list) || asks_for_symbols(p->custom[i]->require, list))
            return true;
    for (size_t i = 0; i < og_rules_size; i++)
        for (size_t k = 0; k < p->rules[i].override_count; k++)
            if (asks_for_symbols(p->rules[i].overrides[k].when, list))
                return true;
    return false;
}

static const char *folder_of(const struct og_lint_run *l, struct og_str list)
{
    for (size_t i = 0; i < l->policy->lists.count; i++)
        if (og_str_eq(l->policy->lists.lists[i].name, list) && og_lint_is_here(l, l->policy->list_where[i]))
            return l->policy->list_where[i].source->folder;
    return NULL;
}

static void check_file(struct og_lint_run *l, struct og_str list, const char *path, const char *what)
{
    const char *folder = folder_of(l, list);
    struct og_policy_file file = { 0 };
    struct og_list_line line = { 0 };
    const struct og_lint_source *in;
    struct og_arena room;
    int found = 0;

    og_arena_init(&room, ARENA_MOST);
    if (folder && og_policy_file_open_path(path, folder, &room, &file) == OG_OPEN_OK) {
        in = og_lint_source_make(l, file.name, file.bytes);
        while (in && found < FINDINGS_MOST && og_list_line_next(file.bytes, &line)) {
            struct word w = { in, line.word, line.line, line.col, 0, 0, what };

            found += check_word(l, &w);
        }
    }
    og_arena_clear(&room);
}

void og_lint_check_symbol_list(struct og_lint_run *l, const struct og_yaml *list)
{
    const struct og_yaml *file = list->kind == OG_YAML_MAP ? og_yaml_get(list, "file") : NULL;
    const char *what = og_lint_format(l, "%.*s", (int)list->key.len, list->key.s);

    if (!is_of_symbols(l->policy, list->key))
        return;
    if (list->kind == OG_YAML_LIST)
        og_lint_check_symbol_words(l, list, what);
    else if (file && file->kind == OG_YAML_SCALAR)
        check_file(l, list->key, file->text.s, what);
}
