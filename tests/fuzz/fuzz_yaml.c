/*
 * Fuzz: bytes as YAML.  Places are inside the file, the tree is complete, and the status tells whether errors were
 * reported.
 */
#include "fuzz.h"
#include "text/yaml.h"

struct seen {
    int lines, faults;
};

static void note(void *with, int line, int col, const char *code, const char *text)
{
    struct seen *s = with;

    DEMAND(line >= 1 && line <= s->lines && col >= 1);
    DEMAND(code[0] && text[0]);
    s->faults++;
}

static void walk(const struct og_yaml *n, int lines, int depth, size_t end)
{
    size_t count = 0;

    DEMAND(depth <= 32 && n->line >= 1 && n->line <= lines && n->col >= 1);
    DEMAND(n->at <= n->end && n->end <= end);
    if (n->kind == OG_YAML_SCALAR)
        DEMAND(n->text.s && n->text.s[n->text.len] == '\0' && !n->first);
    for (const struct og_yaml *c = n->first; c; c = c->next, count++) {
        DEMAND((n->kind == OG_YAML_MAP) == (c->key.s != NULL));
        DEMAND(n->kind != OG_YAML_MAP || (c->key_line >= 1 && c->key_line <= lines && c->key_col >= 1));
        walk(c, lines, depth + (c->kind != OG_YAML_SCALAR), n->end);
    }
    DEMAND(count == n->count);
    if (n->kind == OG_YAML_MAP && n->first)
        DEMAND(og_yaml_get(n, n->first->key.s) || memchr(n->first->key.s, 0, n->first->key.len));
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t len)
{
    struct seen seen = { .lines = 1 };
    struct og_arena arena;
    struct og_yaml *root;
    enum og_status status;

    for (size_t i = 0; i < len; i++)
        seen.lines += bytes[i] == '\n';
    og_arena_init(&arena, 0);
    status = og_yaml_read((const char *)bytes, len, &arena, note, &seen, &root);
    DEMAND(status == OG_OK || status == OG_ESYNTAX);
    DEMAND((status == OG_OK) == (seen.faults == 0));
    DEMAND(status != OG_OK || root);
    if (root)
        walk(root, seen.lines, 1, len);
    og_arena_clear(&arena);
    return 0;
}
