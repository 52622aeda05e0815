/*
 * Reads the bytes of policies. Rejects files that other users may write (base/file.c): whoever can change a policy can
 * get orders sent.
 */
#include "policy/policy_file.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/buf.h"
#include "base/file.h"

#define FILE_MOST OG_YAML_MOST

static const char of_stdin[] = "stdin";

static bool ends_in(const char *name, const char *end)
{
    size_t a = strlen(name), b = strlen(end);

    return a >= b && strcmp(name + a - b, end) == 0;
}

bool og_policy_file_is_path(const char *name)
{
    return strchr(name, '/') || ends_in(name, ".yaml") || ends_in(name, ".yml");
}

char *og_policy_file_beside(const char *name, const char *folder, struct og_arena *arena)
{
    bool relative = folder && folder[0] && name[0] != '/';
    size_t size = (relative ? strlen(folder) + 1 : 0) + strlen(name) + 1;
    char *path = og_arena_take(arena, size);

    if (path)
        snprintf(path, size, "%s%s%s", relative ? folder : "", relative ? "/" : "", name);
    return path;
}

static enum og_opening name_it(struct og_policy_file *source, struct og_arena *arena, const char *folder,
                               const char *name)
{
    const char *path = og_policy_file_beside(name ? name : "(null)", folder, arena);
    const char *slash = path ? strrchr(path, '/') : NULL;

    source->name = path;
    source->folder = path ? og_arena_copy(arena, (struct og_str){ path, !slash          ? 0
                                                                        : slash == path ? 1
                                                                                        : (size_t)(slash - path) })
                                .s
                          : NULL;
    return source->name && source->folder ? OG_OPEN_OK : OG_OPEN_NO_MEMORY;
}

/* Store in the source why a file was not opened, for og_opening_text(). */
static enum og_opening not_opened(struct og_arena *arena, struct og_policy_file *source, const struct og_file_why *why)
{
    int cause = errno;
    struct stat st;

    if (stat(source->name, &st) == 0) /* the mark detects a later change of the file */
        source->mark = og_file_mark_of(&st);
    source->why = og_arena_copy(arena, og_str_of(why->text)).s;
    errno = cause;
    return !source->why ? OG_OPEN_NO_MEMORY : cause == EPERM ? OG_OPEN_UNSAFE : OG_OPEN_FAILED;
}

static enum og_opening read_path(const char *path, struct og_arena *arena, struct og_policy_file *source)
{
    enum og_opening opening = OG_OPEN_OK;
    struct og_file_why why;
    struct og_buf b;
    struct stat st;
    int fd = og_file_try(path, OG_FILE_READ, &st, &why), cause;

    if (fd < 0)
        return not_opened(arena, source, &why);
    if (source->name != of_stdin && S_ISREG(st.st_mode))
        source->mark = og_file_mark_of(&st);
    og_buf_init(&b, FILE_MOST);
    if (!og_file_drain(fd, &b))
        opening = errno == EFBIG ? OG_OPEN_TOO_LARGE : errno == ENOMEM ? OG_OPEN_NO_MEMORY : OG_OPEN_FAILED;
    else if (!(source->bytes = og_arena_copy(arena, (struct og_str){ b.s, b.len })).s)
        opening = OG_OPEN_NO_MEMORY;
    cause = errno;
    og_buf_clear(&b);
    close(fd);
    errno = cause;
    return opening;
}

enum og_opening og_policy_file_open_path(const char *name, const char *folder, struct og_arena *arena,
                                         struct og_policy_file *source)
{
    enum og_opening opening = name_it(source, arena, folder, name);

    return opening == OG_OPEN_OK ? read_path(source->name, arena, source) : opening;
}

enum og_opening og_policy_file_open(const char *name, const char *folder, struct og_arena *arena,
                                    struct og_policy_file *source)
{
    const char *text;
    size_t len;

    if (!folder && strcmp(name, "-") == 0) {
        source->name = of_stdin;
        source->folder = "";
        return read_path("-", arena, source);
    }
    if (og_policy_file_is_path(name))
        return og_policy_file_open_path(name, folder, arena, source);
    text = og_policy_shipped_text(name, &len);
    if (!text)
        return OG_OPEN_NO_SUCH;
    source->bytes = (struct og_str){ text, len };
    source->folder = "";
    source->name = og_arena_copy(arena, og_str_of(name)).s;
    return source->name ? OG_OPEN_OK : OG_OPEN_NO_MEMORY;
}

enum og_opening og_policy_file_of_bytes(struct og_str bytes, const char *name, struct og_arena *arena,
                                        struct og_policy_file *source)
{
    source->bytes = og_arena_copy(arena, bytes);
    return source->bytes.s ? name_it(source, arena, NULL, name) : OG_OPEN_NO_MEMORY;
}

bool og_policy_file_same(const struct og_policy_file *a, const struct og_policy_file *b)
{
    if (a->mark.inode || b->mark.inode)
        return a->mark.inode == b->mark.inode && a->mark.device == b->mark.device;
    return a->bytes.s == b->bytes.s; /* two shipped policies are the same if their bytes are at the same address */
}

const char *og_opening_text(enum og_opening opening, const struct og_policy_file *source, char *to, size_t size)
{
    char room[100];
    int cause = errno;

    switch (opening) {
    case OG_OPEN_OK: return "can be read";
    case OG_OPEN_NO_SUCH: return "is not a shipped policy (a path contains '/' or ends in .yaml)";
    case OG_OPEN_TOO_LARGE: return "is larger than 16 MiB";
    case OG_OPEN_NO_MEMORY: return "does not fit in memory";
    case OG_OPEN_UNSAFE:
    case OG_OPEN_FAILED: break;
    }
    if (source->why)
        return source->why;
    snprintf(to, size, "cannot be read: %s", strerror_r(cause, room, sizeof room));
    return to;
}
