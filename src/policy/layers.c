/*
 * Lays policies over one another.  Rejects circular extends, and continues after an error to find all errors in one
 * run.
 */
#include "policy/layers.h"

#include <errno.h>
#include <stdio.h>
#include <unistd.h>

#include "base/error.h"
#include "policy/compile.h"
#include "policy/lock.h"

#define ROOM_MOST    ((size_t)512 << 20)
#define SOURCES_MOST 100

bool og_layers_init(struct og_layers *l, struct og_policy *policy)
{
    *l = (struct og_layers){ .policy = policy };
    policy->description = policy->environment = "";
    policy->unsure = OG_UNSURE_WARN;
    policy->mode = OG_MODE_ENFORCE;
    og_arena_init(&l->room, ROOM_MOST);
    l->faults.arena = &l->room;
    l->next_source = &l->sources;
    l->drafts = og_arena_take(&l->room, og_rules_size * sizeof *l->drafts);
    l->overrides = og_arena_take(&l->room, og_rules_size * sizeof *l->overrides);
    l->said = og_arena_take(&l->room, og_rules_size * sizeof *l->said);
    if (!l->drafts || !l->overrides || !l->said)
        return false;
    for (size_t i = 0; i < og_rules_size; i++)
        if (!og_draft_init(&l->drafts[i], og_rules[i], &policy->arena))
            return false;
    return true;
}

void og_layers_clear(struct og_layers *l)
{
    og_arena_clear(&l->room);
}

/* Add the file to l->files, whether it could be opened or not.  A source that was read but has no mark is a pipe: it
 * cannot be read again, so its changes are not watched. */
static enum og_opening note_file(struct og_layers *l, const struct og_policy_file *source, enum og_opening opening)
{
    int cause = errno;

    if (l->files && source->name && opening != OG_OPEN_NO_MEMORY && (opening != OG_OPEN_OK || source->mark.inode) &&
        !og_files_note(l->files, source->name, source->mark))
        return OG_OPEN_NO_MEMORY;
    errno = cause;
    return opening;
}

/* Open a policy by name as og_policy_file_open() does, and add it to l->files. */
static enum og_opening open_policy(struct og_layers *l, const char *name, const char *folder,
                                   struct og_policy_file *source)
{
    enum og_opening opening = og_policy_file_open(name, folder, &l->policy->arena, source);

    return og_policy_file_is_path(name) ? note_file(l, source, opening) : opening;
}

enum og_opening og_layers_open_list(struct og_layers *l, const char *path, const char *folder,
                                    struct og_policy_file *source)
{
    source->order = l->opened++;
    return note_file(l, source, og_policy_file_open_path(path, folder, &l->policy->arena, source));
}

/* --- extends ------------------------------------------------------------------------------------------------------ */

static void lay_source(struct og_layers *l, struct og_policy_file *source);

static struct og_policy_file *find_source(const struct og_layers *l, const struct og_policy_file *like)
{
    struct og_policy_file *s = l->sources;

    while (s && !og_policy_file_same(s, like))
        s = s->next;
    return s;
}

/* Add an opened source to the list of sources; if the list has the same file already, return that source. */
static struct og_policy_file *enlist(struct og_layers *l, struct og_policy_file *fresh)
{
    struct og_policy_file *known = find_source(l, fresh);

    if (known)
        return known;
    /* use the bytes that were read for the whole policy: the file may have changed since then */
    if (l->whole && (known = find_source(l->whole, fresh)))
        fresh->bytes = known->bytes;
    fresh->order = l->opened++;
    *l->next_source = fresh;
    l->next_source = &fresh->next;
    return fresh;
}

/* Returns what a name that is no shipped policy may mean: the file of that name in the folder (NULL: the current one),
 * or a shipped policy that differs by one letter.  A less similar one may be looser than what was meant. */
static const char *hint_policy(struct og_layers *l, const char *name, const char *folder)
{
    static const char *const endings[] = { ".yaml", ".yml", "" };
    const char *shipped[16];
    size_t count = 0;

    for (size_t i = 0; i < sizeof endings / sizeof *endings && strlen(name) <= OG_NAME_MOST; i++) {
        char file[OG_NAME_MOST + 10], hint[OG_NAME_MOST + 60];
        const char *path;

        snprintf(file, sizeof file, "%s%s%s", endings[i][0] ? "" : "./", name, endings[i]);
        path = og_policy_file_beside(file, folder, &l->room);
        l->faults.oom = l->faults.oom || !path;
        if (!path || access(path, F_OK) != 0)
            continue;
        snprintf(hint, sizeof hint, "; did you mean the file '%s'?", og_see(og_str_of(file)).s);
        l->faults.meant = og_arena_copy(&l->room, og_str_of(file)).s;
        path = og_arena_copy(&l->room, og_str_of(hint)).s;
        l->faults.oom = l->faults.oom || !path;
        return path ? path : "";
    }
    while (count < 16 && (shipped[count] = og_policy_shipped(count)))
        count++;
    return og_diagnostic_hint(
        &l->faults, og_nearest_only(og_str_of(name), shipped, count) ? og_str_of(name) : OG_STR(""), shipped, count);
}

static void note_unopened(struct og_layers *l, struct og_srcloc place, const char *name, enum og_opening opening,
                          const struct og_policy_file *source)
{
    char why[200];
    int cause = errno;

    l->lists.partial = true; /* the policy that cannot be read may have lists */
    if (opening == OG_OPEN_NO_MEMORY) {
        l->faults.oom = true;
        return;
    }
    og_error_add(&l->faults, place,
                 opening == OG_OPEN_NO_SUCH                     ? "unknown-policy"
                 : opening == OG_OPEN_FAILED && cause == ENOENT ? "extends-missing"
                                                                : "extends-unreadable",
                 "'%s' %s%s", og_see(og_str_of(name)).s, og_opening_text(opening, source, why, sizeof why),
                 opening == OG_OPEN_NO_SUCH ? hint_policy(l, name, place.source ? place.source->folder : NULL) : "");
    l->faults.meant = NULL;
}

static void lay_base(struct og_layers *l, const struct og_policy_file *from, const char *name, struct og_srcloc place)
{
    struct og_policy_file *fresh = og_arena_take(&l->policy->arena, sizeof *fresh), *base;
    enum og_opening opening;

    if (!fresh) {
        l->faults.oom = true;
        return;
    }
    opening = open_policy(l, name, from->folder, fresh);
    if (opening != OG_OPEN_OK) {
        note_unopened(l, place, name, opening, fresh);
        return;
    }
    base = enlist(l, fresh);
    if (base->open)
        og_error_add(&l->faults, place, "extends-cycle", "'%s' extends itself", base->name);
    else if (base == fresh && l->opened > SOURCES_MOST)
        og_error_add(&l->faults, place, "extends-too-many", "more than %d policies are laid over one another",
                     SOURCES_MOST);
    else if (base == fresh)
        lay_source(l, base);
}

static void lay_bases(struct og_layers *l, const struct og_policy_file *source, const struct og_yaml *node)
{
    if (node->kind == OG_YAML_SCALAR && node->text.len > 0) {
        lay_base(l, source, node->text.s, og_srcloc_of(source, node));
        return;
    }
    if (node->kind != OG_YAML_LIST) {
        og_error_at(&l->faults, source, node, "wrong-type",
                    "'extends' must be a list of shipped policies and files (like [default])");
        return;
    }
    for (const struct og_yaml *n = node->first; n; n = n->next)
        if (n->kind == OG_YAML_SCALAR)
            lay_base(l, source, n->text.s, og_srcloc_of(source, n));
        else
            og_error_at(&l->faults, source, n, "wrong-type", "each of 'extends' must be one name or path");
}

/* --- a whole document --------------------------------------------------------------------------------------------- */

static void check_format(struct og_layers *l, const struct og_policy_file *source, const struct og_yaml *root)
{
    const struct og_yaml *format = og_yaml_get(root, "ordergate");

    if (!format)
        og_error_add(&l->faults, (struct og_srcloc){ .source = source, .line = 1, .col = 1 }, "format-missing",
                     "the policy has no 'ordergate: 1', which says how to read the rest: begin with it");
    else if (format->kind != OG_YAML_SCALAR || format->quoted || !og_str_is(format->text, "1"))
        og_error_at(&l->faults, source, format, "format-unknown", "format is %s, this program reads 1",
                    format->quoted                   ? "a text"
                    : format->kind == OG_YAML_SCALAR ? og_see(format->text).s
                                                     : "no number");
}

struct listening {
    struct og_layers *l;
    const struct og_policy_file *source;
};

static void hear_yaml(void *with, int line, int col, const char *code, const char *text)
{
    struct listening *h = with;

    og_error_add(&h->l->faults, (struct og_srcloc){ .source = h->source, .line = line, .col = col }, code, "%s", text);
}

/* Returns the map of the document; if it has none, reports that and returns NULL. */
static struct og_yaml *read_tree(struct og_layers *l, const struct og_policy_file *source)
{
    struct listening h = { l, source };
    const size_t errors = l->faults.errors;
    struct og_yaml *root = NULL;

    if (og_yaml_read(source->bytes.s, source->bytes.len, &l->room, hear_yaml, &h, &root) == OG_ENOMEM)
        l->faults.oom = true;
    l->lists.partial = l->lists.partial || l->faults.errors > errors;
    if (root && root->kind != OG_YAML_MAP) {
        og_error_at(&l->faults, source, root, "wrong-type", "a policy must be a map that begins with 'ordergate: 1'");
        return NULL;
    }
    /* the file has policy tests, not a policy: report that once, instead of an error for each key */
    if (root && og_yaml_get(root, "ordergate-test")) {
        og_error_add(&l->faults, (struct og_srcloc){ .source = source, .line = 1, .col = 1 }, "format-missing",
                     "this is a test file: ordergate test runs it, and a policy begins with 'ordergate: 1'");
        return NULL;
    }
    if (root)
        check_format(l, source, root);
    return root;
}

static const char *keep(struct og_layers *l, struct og_str text)
{
    const char *copy = og_arena_copy(&l->policy->arena, text).s;

    if (!copy)
        l->faults.oom = true;
    return copy;
}

/* Returns a name for a policy that sets none: the file's name, without folder and ending. */
static const char *stem(struct og_layers *l, const struct og_policy_file *source)
{
    const char *slash = strrchr(source->name, '/'), *base = slash ? slash + 1 : source->name;
    const char *dot = strrchr(base, '.');
    size_t len = dot && dot > base ? (size_t)(dot - base) : strlen(base);
    char name[OG_NAME_MOST + 1];

    if (len == 0 || len > OG_NAME_MOST)
        len = len == 0 ? 0 : OG_NAME_MOST;
    for (size_t i = 0; i < len; i++)
        name[i] = og_name_char(base[i]) ? base[i] : '-';
    name[len] = '\0';
    return keep(l, len ? (struct og_str){ name, len } : OG_STR("policy"));
}

/* Returns the policy's name: the name that the policy sets, or one made from the file's name if it sets none. */
static const char *title(struct og_layers *l, const struct og_policy_file *source, const struct og_yaml *root)
{
    const struct og_yaml *name = og_yaml_get(root, "name");

    return name && name->kind == OG_YAML_SCALAR ? keep(l, name->text) : stem(l, source);
}

static void lay_tree(struct og_layers *l, struct og_policy_file *source, const struct og_yaml *root)
{
    const struct og_yaml *extends = og_yaml_get(root, "extends");
    bool below = l->laid > 0; /* true: there are layers below that this policy does not extend */

    source->title = title(l, source, root);
    source->open = true;
    if (extends)
        lay_bases(l, source, extends);
    else if (l->laid == 0)
        lay_base(l, source, "default", (struct og_srcloc){ .source = source, .line = 1, .col = 1 });
    source->open = false;
    og_layers_keys(l, source, root, false);
    og_policy_compile_locked(l);
    if (l->lock_here.source)
        og_lock_ages(l, source);
    l->laid++;
    if (l->lock_here.source && below && !l->whole)
        og_lock_check_below(l, source);
}

static void lay_source(struct og_layers *l, struct og_policy_file *source)
{
    const struct og_yaml *root = read_tree(l, source);

    if (root)
        lay_tree(l, source, root);
}

void og_layers_lay_alone(struct og_layers *l, const struct og_layers *whole, const struct og_policy_file *source)
{
    struct og_policy_file *again = og_arena_take(&l->room, sizeof *again);

    l->whole = whole;
    if (!again) {
        l->faults.oom = true;
        return;
    }
    *again = *source;
    again->next = NULL;
    again->open = false;
    lay_source(l, enlist(l, again));
}

/* Name the result after the policies that the caller named: "live", or "live+mine" for several. */
static void name_policy(struct og_layers *l, const struct og_policy_file *source, const struct og_yaml *root)
{
    const struct og_yaml *description = og_yaml_get(root, "description");
    const char *own = source->title;
    char joined[OG_NAME_MOST + 1];
    int len;

    if (!own)
        return;
    len = snprintf(joined, sizeof joined, "%s%s%s", l->policy->name ? l->policy->name : "", l->policy->name ? "+" : "",
                   own);
    if (len >= (int)sizeof joined) /* a long name is cut: the digest identifies the policy */
        joined[sizeof joined - 1] = '\0';
    l->policy->name = keep(l, og_str_of(joined));
    if (description && description->kind == OG_YAML_SCALAR)
        l->policy->description = keep(l, description->text);
}

static void lay_top(struct og_layers *l, struct og_policy_file *fresh)
{
    struct og_policy_file *source = enlist(l, fresh);
    const struct og_yaml *root;

    if (source != fresh) {
        og_diagnostic_add(&l->faults, OG_WARNING, (struct og_srcloc){ .source = source, .line = 0, .col = 0 },
                          "laid-already", "another policy extends it already, so it is not laid a second time");
        return;
    }
    root = read_tree(l, source);
    if (!root)
        return;
    lay_tree(l, source, root);
    name_policy(l, source, root);
}

static enum og_status fail_opening(struct og_layers *l, struct og_policy_file *source, const char *name,
                                   enum og_opening opening, struct og_error *err)
{
    int cause = opening == OG_OPEN_FAILED ? errno : 0;
    const char *text;
    char why[200];

    if (opening == OG_OPEN_NO_MEMORY)
        return og_fail(err, OG_ENOMEM, "out of memory reading policy '%s'", name);
    text = og_opening_text(opening, source, why, sizeof why);
    if (opening == OG_OPEN_UNSAFE) {
        enlist(l, source);
        og_error_add(&l->faults, (struct og_srcloc){ .source = source, .line = 0, .col = 0 }, "file-unsafe",
                     "this file %s", text);
    }
    return og_fail_because(err, OG_EIO, cause, "policy '%s' %s", name, text);
}

/* Returns the first file of a policy that is installed as a folder of files; NULL if there is no such policy. */
static const char *file_of_example(const char *name)
{
    return strcmp(name, "desk-book") == 0 ? "desk.yaml" : strcmp(name, "prop-desk") == 0 ? "momentum.yaml" : NULL;
}

enum og_status og_layers_lay_name(struct og_layers *l, const char *name, struct og_error *err)
{
    struct og_policy_file *source = og_arena_take(&l->policy->arena, sizeof *source);
    enum og_opening opening = source ? open_policy(l, name, NULL, source) : OG_OPEN_NO_MEMORY;
    const char *hint;

    if (opening == OG_OPEN_NO_SUCH) {
        if (file_of_example(name))
            return og_fail(err, OG_EIO,
                           "'%s' is a folder of policies: give the path of its %s, as policies/%s/%s in the source, or "
                           "share/ordergate/policies/%s/%s where ordergate is installed",
                           name, file_of_example(name), name, file_of_example(name), name, file_of_example(name));
        hint = hint_policy(l, name, NULL);
        return og_fail(
            err, OG_EIO, "there is no policy '%s'%s%s; to name a file, give a path with '/' or ending in .yaml",
            og_see(og_str_of(name)).s, hint, strstr(hint, "known: ") ? " (all built in: no folder is searched)" : "");
    }
    if (opening != OG_OPEN_OK)
        return fail_opening(l, source, name, opening, err);
    lay_top(l, source);
    return OG_OK;
}

void og_layers_lay_bytes(struct og_layers *l, struct og_str bytes, const char *name)
{
    struct og_policy_file *source = og_arena_take(&l->policy->arena, sizeof *source);

    if (!source || og_policy_file_of_bytes(bytes, name, &l->policy->arena, source) != OG_OPEN_OK)
        l->faults.oom = true;
    else
        lay_top(l, source);
}

enum og_status og_layers_floor(struct og_layers *l, const char *path, bool must, struct og_error *err)
{
    struct og_policy_file *source = og_arena_take(&l->policy->arena, sizeof *source);
    enum og_opening opening = source ? open_policy(l, path, "", source) : OG_OPEN_NO_MEMORY;
    const struct og_yaml *root;

    if (opening == OG_OPEN_FAILED && errno == ENOENT && !must)
        return OG_OK;
    if (opening != OG_OPEN_OK)
        return fail_opening(l, source, path, opening, err);
    root = read_tree(l, enlist(l, source));
    if (root) {
        source->title = title(l, source, root);
        og_layers_keys(l, source, root, true);
        og_policy_compile_floor(l);
        og_lists_join(l);
    }
    return OG_OK;
}
