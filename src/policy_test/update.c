/*
 * Rewrites expectations in place: the bytes of a node are replaced, and all other bytes of the file stay. An edit that
 * would lose a comment is rejected.
 */
#include <errno.h>
#include <stdlib.h>

#include "base/atomic_file.h"
#include "base/error.h"
#include "policy_test/policy_test.h"

/* Insert an edit into the list, which is in the sequence of the file. Returns false if it overlaps another edit, or if
 * memory ran out. */
static bool add_edit(struct og_policy_test *t, size_t at, size_t end, struct og_str text)
{
    struct og_test_edit **link = &t->edits, *e;

    if (t->last_edit && t->last_edit->at < at) /* edits usually come in the sequence of the file, so the search begins
                                                * at the last one */
        link = &t->last_edit->next;
    while (*link && (*link)->at <= at && !((*link)->at == at && (*link)->end == end))
        link = &(*link)->next;
    if (*link && (*link)->at == at && (*link)->end == end)
        return og_str_eq((*link)->text, text);
    e = og_arena_take(&t->arena, sizeof *e);
    if (!e || !(text = og_arena_copy(&t->arena, text)).s) {
        t->diagnostics.oom = true;
        return false;
    }
    *e = (struct og_test_edit){ .at = at, .end = end, .text = text, .next = *link };
    *link = e;
    if (!e->next)
        t->last_edit = e;
    return true;
}

/* Rewrite a list. If each item is on a line of its own, this form is kept. */
static bool rewrite_items(struct og_policy_test *t, const struct og_yaml *node, const char *text)
{
    struct og_buf b;
    bool ok;

    og_buf_init(&b, 0);
    for (const char *at = text + 1; *at != ']'; at += strspn(at, ", ")) {
        size_t len = strcspn(at, ",]");

        if (b.len)
            og_buf_format(&b, "\n%*s", node->col - 1, "");
        og_buf_format(&b, "- %.*s", (int)len, at);
        at += len;
    }
    ok = !b.bad && add_edit(t, node->at, node->end, (struct og_str){ b.s, b.len });
    og_buf_clear(&b);
    return ok;
}

static bool may_rewrite(enum og_test_update update, const struct og_yaml *node)
{
    return update == OG_TEST_UPDATE_ALL || (update == OG_TEST_UPDATE_OPEN && og_test_is_placeholder(node));
}

static bool rewrite_node(struct og_policy_test *t, const struct og_yaml *node, const char *text)
{
    struct og_str old = { t->source.bytes.s + node->at, node->end - node->at };
    bool block = node->kind != OG_YAML_SCALAR && !node->flow;

    if (old.len == 0 || (node->kind != OG_YAML_SCALAR && memchr(old.s, '#', old.len)))
        return false;
    if (!block || strcmp(text, "[]") == 0)
        return add_edit(t, node->at, node->end, og_str_of(text));
    return node->kind == OG_YAML_LIST && rewrite_items(t, node, text);
}

bool og_test_rewrite(struct og_policy_test *t, enum og_test_update update, const struct og_test_expect *e,
                     enum og_expectation what, const struct og_yaml *node, const char *text)
{
    return may_rewrite(update, node) && !(e->shared >> what & 1) && rewrite_node(t, node, text);
}

/* Add a key after the last one, either inside the braces or on a line of its own. */
bool og_test_add_key(struct og_policy_test *t, const struct og_yaml *map, const char *text)
{
    const struct og_yaml *last = map->first;
    struct og_str all = t->source.bytes;
    const char *line_end;
    struct og_buf b;
    size_t at;
    bool ok;

    if (map->kind != OG_YAML_MAP || !last)
        return false;
    while (last->next)
        last = last->next;
    og_buf_init(&b, 0);
    at = last->end;
    if (map->flow) {
        og_buf_format(&b, ", %s", text);
    } else {
        bool fed = at > 0 && all.s[at - 1] == '\n'; /* a block scalar ends after its last newline */

        line_end = memchr(all.s + at, '\n', all.len - at);
        at = fed ? at : line_end ? (size_t)(line_end - all.s) : all.len;
        og_buf_format(&b, "%s%*s%s%s", fed ? "" : "\n", map->col - 1, "", text, fed ? "\n" : "");
    }
    ok = !b.bad && add_edit(t, at, at, (struct og_str){ b.s, b.len });
    og_buf_clear(&b);
    return ok;
}

void og_test_write_edited(const struct og_policy_test *t, struct og_buf *to)
{
    struct og_str all = t->source.bytes;
    size_t at = 0;

    for (const struct og_test_edit *e = t->edits; e; e = e->next) {
        og_buf_bytes(to, all.s + at, e->at - at);
        og_buf_str(to, e->text);
        at = e->end;
    }
    og_buf_bytes(to, all.s + at, all.len - at);
}

enum og_status og_policy_test_save(struct og_policy_test *t, bool *changed, struct og_error *err)
{
    enum og_status status = OG_OK;
    struct og_buf b;
    char *real;

    if (!t || !changed)
        return og_missing(err);
    *changed = t->edits != NULL;
    if (!t->edits)
        return OG_OK;
    real = realpath(t->source.name, NULL); /* the real path is written, so that a symbolic link stays a link */
    og_buf_init(&b, 0);
    og_test_write_edited(t, &b);
    if (b.bad || (!real && errno == ENOMEM))
        status = og_fail(err, OG_ENOMEM, "out of memory");
    else if (!real || !og_atomic_file_write(real, b.s, b.len, 0))
        status = og_fail_because(err, OG_EIO, errno, "'%s' cannot be written: %s", t->source.name, strerror(errno));
    *changed = status == OG_OK;
    free(real);
    og_buf_clear(&b);
    return status;
}
