/*
 * Error recovery: blanks the entries of a broken policy that have errors, and loads the rest, so that the remaining
 * entries keep their line numbers and can be checked in the same run.  Warnings that a blanked entry may have caused
 * are dropped.  A file that is not YAML, or has another format, is not checked at all.
 */
#include <ctype.h>

#include "lint/lint.h"
#include "order/symbol_word.h"
#include "policy/load.h"

#define ROUNDS_MOST 40
#define ERRORS_MOST 300 /* maximum number of errors; a file with more is hardly a policy */
/* greatest size of a file with errors, in bytes; it is read again in each round */
#define BYTES_MOST ((size_t)4 << 20)
#define ARENA_MOST ((size_t)512 << 20)

/* --- blanking entries --------------------------------------------------------------------------------------------- */

struct recovery {
    struct og_lint_run *l;
    char *bytes; /* the linted file, with entries blanked; NUL-terminated */
    size_t len;
    const struct og_yaml *root; /* YAML of `bytes` */
    bool no_floor, failed;      /* failed: no part can be loaded */
    int cuts;
};

static void blank_bytes(struct recovery *c, size_t from, size_t to)
{
    for (; from < to && from < c->len; from++)
        if (c->bytes[from] != '\n')
            c->bytes[from] = ' ';
    c->cuts++;
}

static bool is_blank(char b)
{
    return b == ' ' || b == '\t' || b == '\r' || b == '\n';
}

/* Blank the comma after an entry of a flow-style collection; if there is none, the comma before the entry. */
static void cut_comma(struct recovery *c, size_t from, size_t to)
{
    while (to < c->len && is_blank(c->bytes[to]))
        to++;
    while (from > 0 && is_blank(c->bytes[from - 1]))
        from--;
    if (to < c->len && c->bytes[to] == ',')
        c->bytes[to] = ' ';
    else if (from > 0 && c->bytes[from - 1] == ',')
        c->bytes[from - 1] = ' ';
}

static bool is_cut(const struct recovery *c, size_t from, size_t to)
{
    while (from < to && from < c->len && is_blank(c->bytes[from]))
        from++;
    return from >= to;
}

/* Returns where an entry begins: the offset of its key, or of its dash. */
static size_t start_of(const struct recovery *c, const struct og_yaml *parent, const struct og_yaml *node)
{
    size_t from = node->at;

    if (parent->kind == OG_YAML_MAP)
        return og_lint_offset(c->l->sources, node->key_line, node->key_col);
    while (!parent->flow && from > 0 && is_blank(c->bytes[from - 1]))
        from--;
    return !parent->flow && from > 0 && c->bytes[from - 1] == '-' ? from - 1 : from;
}

static void cut_entry(struct recovery *c, const struct og_yaml *parent, const struct og_yaml *node)
{
    size_t from = start_of(c, parent, node), to = node->end;

    if (node->at == node->end && parent->kind == OG_YAML_MAP) /* a key without a value: blank everything up to the
                                                               * colon */
        for (to = from + node->key.len; to < c->len && c->bytes[to] != '\n' && c->bytes[to++] != ':';)
            ;
    if (is_cut(c, from, to))
        return;
    blank_bytes(c, from, to);
    if (parent->flow)
        cut_comma(c, from, to);
}

/* Blank the innermost entry at a place; if `outer`, the outermost entry that begins there. */
static bool cut_at(struct recovery *c, const struct og_yaml *parent, int line, int col, size_t offset, bool outer)
{
    for (const struct og_yaml *n = parent->kind == OG_YAML_SCALAR ? NULL : parent->first; n; n = n->next) {
        bool here = (n->line == line && n->col == col) || (n->key.len && n->key_line == line && n->key_col == col) ||
                    (n->kind == OG_YAML_SCALAR && n->at <= offset && offset <= n->end);

        if (here && outer) {
            cut_entry(c, parent, n);
            return true;
        }
        if (cut_at(c, n, line, col, offset, outer))
            return true;
        if (here) {
            cut_entry(c, parent, n);
            return true;
        }
    }
    return false;
}

/* For an error in a lower layer, blank `extends`; for an error in the floor, load without the floor. */
static void cut_below(struct recovery *c)
{
    const struct og_yaml *extends = og_yaml_get(c->root, "extends");

    if (extends) {
        cut_entry(c, c->root, extends);
    } else if (c->l->options.floor && !c->no_floor) {
        c->no_floor = true;
        c->cuts++;
    } else if (c->cuts == 0) {
        c->failed = true;
    }
}

/* Overwrite a word that cannot be a symbol with letters and digits that can be, so that the rest of the policy is
 * checked as it will be once the word is corrected. Returns false if the message's word is not found at the offset, or
 * still cannot be a symbol. */
static bool mend_symbol(struct recovery *c, size_t at, const char *text)
{
    const struct og_str word = og_lint_quoted_word((struct og_str){ c->bytes, c->len }, at, text);
    char *to = word.len ? c->bytes + (word.s - c->bytes) : NULL;
    bool changed = false;

    for (size_t i = 0; i < word.len; i++) {
        const char as = (char)(isalnum((unsigned char)to[i]) ? toupper((unsigned char)to[i]) : 'A');

        changed = changed || to[i] != as;
        to[i] = as;
    }
    c->cuts += changed;
    return changed && !og_symbol_word_shape(word);
}

static void on_fault(void *with, const struct og_diagnostic *fault)
{
    struct recovery *c = with;
    const char *code = fault->code;

    if (fault->severity != OG_ERROR)
        return;
    if (strcmp(fault->file, c->l->sources->name) != 0)
        cut_below(c);
    else if (strncmp(code, "format-", 7) == 0 || strcmp(code, "yaml-syntax") == 0)
        c->failed = true;
    else if (strcmp(code, "symbol-never") != 0 ||
             !mend_symbol(c, og_lint_offset(c->l->sources, fault->line, fault->col), fault->text))
        (void)cut_at(c, c->root, fault->line, fault->col, og_lint_offset(c->l->sources, fault->line, fault->col),
                     strcmp(code, "key-missing") == 0);
}

static void ignore_fault(void *with, int line, int col, const char *code, const char *text)
{
    (void)with, (void)line, (void)col, (void)code, (void)text; /* does nothing: the loader reports the fault */
}

/* Load the policy from the bytes. Returns true if it loads, or if new entries were blanked, so that another attempt may
 * succeed. */
static bool load_once(struct recovery *c)
{
    const char *floor = c->l->options.floor && !c->no_floor ? c->l->options.floor : "";
    struct og_str bytes = { c->bytes, c->len };
    struct og_arena room;
    struct og_yaml *root = NULL;
    struct og_error err = { 0 };
    enum og_status status;
    int cuts = c->cuts;

    og_arena_init(&room, ARENA_MOST);
    if (cuts == 0)
        root = c->l->root; /* nothing was blanked yet: the YAML that was read before is still that of the file */
    else
        (void)og_yaml_read(bytes.s, bytes.len, &room, ignore_fault, NULL, &root);
    c->root = root;
    status = root && root->kind == OG_YAML_MAP
                 ? og_policy_make_of(bytes, c->l->sources->name, floor, &c->l->policy, on_fault, c, &err)
                 : OG_EPOLICY;
    og_arena_clear(&room);
    c->l->oom = c->l->oom || status == OG_ENOMEM;
    return status == OG_OK || (status == OG_EPOLICY && !c->failed && c->cuts > cuts);
}

/* Returns true if the loader stopped at a size limit, which the rest of the file would exceed too. */
static bool is_too_large(const struct og_lint_run *l)
{
    for (const struct og_lint_entry *n = l->first; n; n = n->next)
        if (strcmp(n->finding.fault.code, "yaml-too-large") == 0 &&
            strcmp(n->finding.fault.file, l->sources->name) == 0)
            return true;
    return false;
}

bool og_lint_recover(struct og_lint_run *l)
{
    struct og_str bytes = l->sources->bytes;
    struct recovery c = { .l = l, .len = bytes.len };

    if (bytes.len == 0 || bytes.len > BYTES_MOST || l->count > ERRORS_MOST || is_too_large(l))
        return false;
    c.bytes = og_arena_take(l->arena, bytes.len + 1);
    if (!c.bytes) {
        l->oom = true;
        return false;
    }
    memcpy(c.bytes, bytes.s, bytes.len);
    c.bytes[bytes.len] = '\0';
    for (int i = 0; i < ROUNDS_MOST && !l->policy; i++)
        if (!load_once(&c))
            return false;
    if (!l->policy)
        return false;
    l->recovered = (struct og_str){ c.bytes, c.len };
    l->no_floor = c.no_floor;
    (void)og_yaml_read(l->recovered.s, l->recovered.len, l->arena, ignore_fault, NULL, &l->root);
    return l->root != NULL;
}

/* --- warnings that a blanked entry may have caused ---------------------------------------------------------------- */

static size_t key_of(const struct og_lint_run *l, const struct og_yaml *n)
{
    return n->key.len ? og_lint_offset(l->sources, n->key_line, n->key_col) : n->at;
}

static bool bytes_differ(const struct og_lint_run *l, size_t from, size_t to)
{
    return to > from && memcmp(l->sources->bytes.s + from, l->recovered.s + from, to - from) != 0;
}

static bool has_entries(const struct og_yaml *n)
{
    return og_str_is(n->key, "rules") || og_str_is(n->key, "custom") || og_str_is(n->key, "lists");
}

/* Returns true if a key of the policy itself was blanked, such as extends or unsure, or if the floor was left out. */
static bool is_policy_cut(const struct og_lint_run *l, const struct og_yaml *whole)
{
    for (const struct og_yaml *n = whole->first; n; n = n->next)
        if (!has_entries(n) && bytes_differ(l, key_of(l, n), n->end))
            return true;
    return l->no_floor;
}

/* Returns true if something was blanked in the entry around the finding: a rule, a custom rule or a list. */
static bool is_entry_cut(const struct og_lint_run *l, const struct og_yaml *whole, size_t at)
{
    for (const struct og_yaml *n = whole->first; n; n = n->next)
        for (const struct og_yaml *entry = has_entries(n) ? n->first : NULL; entry; entry = entry->next)
            if (key_of(l, entry) <= at && at < entry->end)
                return bytes_differ(l, key_of(l, entry), entry->end);
    return false;
}

static enum og_lint_scope scope_of(const char *code)
{
    struct og_lint_page page;

    for (size_t i = 0; og_lint_page_at(i, &page); i++)
        if (strcmp(page.code, code) == 0)
            return og_lint_scope_at(i);
    return OG_LINT_OF_ENTRY;
}

static bool stays_valid(const struct og_lint_run *l, const struct og_yaml *whole, bool policy_cut,
                        const struct og_diagnostic *f)
{
    enum og_lint_scope scope = scope_of(f->code);

    if (f->severity == OG_ERROR || scope == OG_LINT_OF_POLICY)
        return f->severity == OG_ERROR;
    return scope == OG_LINT_OF_ENTRY ||
           (!policy_cut && !is_entry_cut(l, whole, og_lint_offset(l->sources, f->line, f->col)));
}

void og_lint_drop_consequences(struct og_lint_run *l, const struct og_yaml *whole, struct og_lint_entry *loaded)
{
    bool policy_cut = is_policy_cut(l, whole);

    l->last = loaded;
    for (struct og_lint_entry **n = loaded ? &loaded->next : &l->first; *n;) {
        if (stays_valid(l, whole, policy_cut, &(*n)->finding.fault)) {
            l->last = *n;
            n = &(*n)->next;
            continue;
        }
        *n = (*n)->next;
        l->count--;
    }
}

size_t og_lint_skipped_checks(bool all)
{
    struct og_lint_page page;
    size_t count = 0;

    for (size_t i = 0; og_lint_page_at(i, &page); i++)
        count += page.severity == OG_WARNING && (all || og_lint_scope_at(i) == OG_LINT_OF_POLICY);
    return count;
}
