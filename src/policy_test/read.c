/*
 * Reads a test file and loads the policy that it tests. All faults of the file and of the policy are reported in one
 * run. A file that others may write is rejected, as for policies.
 */
#include <errno.h>
#include <stdlib.h>

#include "base/error.h"
#include "policy/policy_file.h"
#include "policy_test/policy_test.h"

#define ROOM_MOST ((size_t)256 << 20)

static const char *const file_keys[] = { "ordergate-test", "description", "policy", "floor", "at",
                                         "account",        "facts",       "order",  "cases" };
enum { FILE_KEYS = sizeof file_keys / sizeof *file_keys };

const char *og_test_path(struct og_policy_test *t, const char *name, bool dotted)
{
    struct og_buf b;
    const char *copy;

    og_buf_init(&b, 0);
    if (name[0] != '/' && t->source.folder[0])
        og_buf_format(&b, "%s%s", t->source.folder, strcmp(t->source.folder, "/") == 0 ? "" : "/");
    else if (dotted && name[0] != '/')
        og_buf_text(&b, "./");
    og_buf_text(&b, name);
    copy = b.bad ? NULL : og_arena_copy(&t->arena, (struct og_str){ b.s, b.len }).s;
    og_buf_clear(&b);
    t->diagnostics.oom = t->diagnostics.oom || !copy;
    return copy;
}

/* --- the policy --------------------------------------------------------------------------------------------------- */

static void add_policy(struct og_policy_test *t, const struct og_yaml *node)
{
    if (node->kind != OG_YAML_SCALAR || !node->text.len || og_str_is(node->text, "-"))
        og_error_at(&t->diagnostics, &t->source, node, "wrong-type",
                    "'policy' must be a file or a shipped policy, or a list of them, each laid over the one before");
    else
        t->names[t->name_count++] =
            og_policy_file_is_path(node->text.s) ? og_test_path(t, node->text.s, false) : node->text.s;
}

/* Sets the policy for a file without the key `policy`: desk_test.yaml tests desk.yaml in the same folder. */
static void default_policy(struct og_policy_test *t)
{
    const char *name = t->source.name, *end = strstr(name, "_test.y"), *next;
    struct og_buf b;

    while (end && (next = strstr(end + 1, "_test.y")))
        end = next;
    if (!end) {
        og_error_add(&t->diagnostics, og_test_start_loc(t), "key-missing",
                     "'policy' is missing: name a file, or a shipped policy like live");
        return;
    }
    og_buf_init(&b, 0);
    og_buf_format(&b, "%.*s%s", (int)(end - name), name, end + strlen("_test"));
    t->names[0] = b.bad ? NULL : og_arena_copy(&t->arena, (struct og_str){ b.s, b.len }).s;
    t->diagnostics.oom = t->diagnostics.oom || !t->names[0];
    t->name_count = 1;
    og_buf_clear(&b);
}

static void name_policies(struct og_policy_test *t)
{
    const struct og_yaml *node = og_yaml_get(t->root, "policy"), *floor = og_yaml_get(t->root, "floor");

    t->names = og_arena_take(&t->arena, (1 + (node ? node->count : 0)) * sizeof *t->names);
    if (!t->names) {
        t->diagnostics.oom = true;
        return;
    }
    if (!node)
        default_policy(t);
    else if (node->kind == OG_YAML_LIST && node->first)
        for (const struct og_yaml *n = node->first; n; n = n->next)
            add_policy(t, n);
    else
        add_policy(t, node);
    t->floor = floor && og_test_is_word(t, floor) ? og_test_path(t, floor->text.s, true) : "";
}

static enum og_status load_policy(struct og_policy_test *t, og_diagnostic_listener *listener, void *with,
                                  struct og_error *err)
{
    const struct og_yaml *node = og_yaml_get(t->root, "policy");
    struct og_error own = { 0 };
    enum og_status status;

    name_policies(t);
    if (t->diagnostics.errors || t->diagnostics.oom || !t->name_count)
        return OG_OK; /* the error was already reported */
    status = og_policy_load_all(t->names, t->name_count, t->floor, &t->policy, listener, with, &own);
    if (status == OG_EIO)
        og_error_add(&t->diagnostics, node ? og_srcloc_of(&t->source, node) : og_test_start_loc(t), "policy-unusable",
                     "%s", own.text);
    else if (status == OG_EPOLICY)
        og_fail_at(err, status, own.source, own.line, own.col, "%s", own.text);
    t->diagnostics.oom = t->diagnostics.oom || status == OG_ENOMEM;
    return status == OG_EPOLICY ? OG_EPOLICY : OG_OK;
}

/* --- the file ----------------------------------------------------------------------------------------------------- */

static void on_yaml_fault(void *with, int line, int col, const char *code, const char *text)
{
    struct og_policy_test *t = with;

    og_error_add(&t->diagnostics, (struct og_srcloc){ &t->source, line, col, 0 }, code, "%s", text);
}

static void check_format(struct og_policy_test *t)
{
    const struct og_yaml *format = og_yaml_get(t->root, "ordergate-test");

    if (!format)
        og_error_add(&t->diagnostics, og_test_start_loc(t), "format-missing",
                     "a test file must begin with 'ordergate-test: 1'");
    else if (!og_str_is(format->text, "1"))
        og_error_at(&t->diagnostics, &t->source, format, "format-unknown",
                    "this version reads 'ordergate-test: 1', not '%s'", og_see(format->text).s);
}

static void read_key(struct og_policy_test *t, const struct og_yaml *n)
{
    int key = og_test_key_index(t, n, "a test file", file_keys, FILE_KEYS);
    int64_t ns;

    if (og_str_is(n->key, "description")) {
        t->description = og_test_is_word(t, n) ? n->text.s : "";
    } else if (og_str_is(n->key, "at") && og_test_is_word(t, n)) {
        t->level.at = n;
        if (!og_test_read_time(n->text, OG_TIME_UNKNOWN, &ns))
            og_error_at(&t->diagnostics, &t->source, n, "value-invalid",
                        "'%s' is not a time: write RFC 3339 with offset, like 2026-01-15T10:00:00-05:00",
                        og_see(n->text).s);
    } else if (key >= 4 && key < 8) {
        (void)og_test_read_level(t, n, &t->level);
    }
}

static void read_file(struct og_policy_test *t)
{
    const struct og_yaml *cases = og_yaml_get(t->root, "cases");

    check_format(t);
    for (const struct og_yaml *n = t->root->first; n; n = n->next)
        read_key(t, n);
    if (cases)
        og_test_read_cases(t, cases);
    else
        og_error_add(&t->diagnostics, og_test_start_loc(t), "key-missing",
                     "'cases' is missing: a test file without cases tests nothing");
}

static enum og_status open_file(struct og_policy_test *t, const char *path, struct og_error *err)
{
    bool plain =
        strcmp(path, "-") != 0 &&
        !og_policy_file_is_path(path); /* the path has no slash, but must not be taken for the name of a shipped
                                        * policy */
    enum og_opening opening = OG_OPEN_NO_MEMORY;
    struct og_buf name;
    char why[200];
    int cause;

    og_buf_init(&name, 0);
    og_buf_format(&name, "%s%s", plain ? "./" : "", path);
    if (!name.bad)
        opening = og_policy_file_open(name.s, NULL, &t->arena, &t->source);
    cause = errno;
    og_buf_clear(&name);
    if (opening == OG_OPEN_OK)
        return OG_OK;
    if (opening == OG_OPEN_NO_MEMORY)
        return og_fail(err, OG_ENOMEM, "out of memory");
    return og_fail_because(err, OG_EIO, cause, "'%s' %s", path, og_opening_text(opening, &t->source, why, sizeof why));
}

static enum og_status read_all(struct og_policy_test *t, og_diagnostic_listener *listener, void *with,
                               struct og_error *err)
{
    struct og_yaml *root = NULL;
    enum og_status status = OG_OK;

    if (og_yaml_read(t->source.bytes.s, t->source.bytes.len, &t->arena, on_yaml_fault, t, &root) == OG_ENOMEM)
        return og_fail(err, OG_ENOMEM, "out of memory");
    t->root = root;
    if (root && root->kind != OG_YAML_MAP)
        og_error_at(&t->diagnostics, &t->source, root, "wrong-type",
                    "a test file must be a map that begins with 'ordergate-test: 1'");
    if (root && root->kind == OG_YAML_MAP) {
        status = load_policy(t, listener, with, err);
        read_file(t);
    }
    if (t->diagnostics.oom)
        return og_fail(err, OG_ENOMEM, "out of memory");
    og_diagnostics_report(&t->diagnostics, OG_EPOLICY, listener, with, err);
    return status ? status : t->diagnostics.errors ? OG_EPOLICY : OG_OK;
}

static struct og_policy_test *new_test(struct og_error *err)
{
    struct og_policy_test *t = calloc(1, sizeof *t);

    if (!t) {
        (void)og_fail(err, OG_ENOMEM, "out of memory");
        return NULL;
    }
    og_arena_init(&t->arena, ROOM_MOST);
    t->diagnostics.arena = &t->arena;
    t->description = "";
    return t;
}

static enum og_status hand_over(struct og_policy_test *t, enum og_status status, struct og_policy_test **test)
{
    if (status)
        og_policy_test_free(t);
    else
        *test = t;
    return status;
}

enum og_status og_policy_test_load(const char *path, struct og_policy_test **test, og_diagnostic_listener *listener,
                                   void *with, struct og_error *err)
{
    struct og_error own = { 0 };
    struct og_policy_test *t;
    enum og_status status;

    if (!path || !test)
        return og_missing(err);
    t = new_test(err);
    *test = NULL;
    if (!t)
        return OG_ENOMEM;
    status = open_file(t, path, err ? err : &own);
    if (!status)
        status = read_all(t, listener, with, err ? err : &own);
    return hand_over(t, status, test);
}

enum og_status og_policy_test_read(const char *yaml, size_t len, const char *name, struct og_policy_test **test,
                                   og_diagnostic_listener *listener, void *with, struct og_error *err)
{
    struct og_error own = { 0 };
    struct og_policy_test *t;
    enum og_status status = OG_OK;

    if (!yaml || !test)
        return og_missing(err);
    t = new_test(err);
    *test = NULL;
    if (!t)
        return OG_ENOMEM;
    if (og_policy_file_of_bytes((struct og_str){ yaml, len }, name, &t->arena, &t->source) != OG_OPEN_OK ||
        !(t->source.bytes = og_arena_copy(&t->arena, t->source.bytes)).s)
        status = og_fail(err, OG_ENOMEM, "out of memory");
    if (!status)
        status = read_all(t, listener, with, err ? err : &own);
    return hand_over(t, status, test);
}

void og_policy_test_free(struct og_policy_test *t)
{
    if (!t)
        return;
    for (struct og_test_facts_file *doc = t->docs; doc; doc = doc->next)
        cJSON_Delete(doc->json);
    og_policy_free(t->policy);
    og_arena_clear(&t->arena);
    free(t);
}

const char *og_policy_test_file(const struct og_policy_test *t)
{
    return t ? t->source.name : "";
}

const char *og_policy_test_description(const struct og_policy_test *t)
{
    return t ? t->description : "";
}

const char *og_policy_test_policy(const struct og_policy_test *t)
{
    return t ? og_policy_digest(t->policy) : "";
}
