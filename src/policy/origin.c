/*
 * Reading the bytes of policies.  It refuses files that others may write: whoever can change the policy can send.
 */
#include "policy/origin.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/buf.h"

#include "base/banned.h"

#define FILE_MOST OG_YAML_MOST

static bool ends_in(const char *name, const char *end)
{
    size_t a = strlen(name), b = strlen(end);

    return a >= b && strcmp(name + a - b, end) == 0;
}

bool og_origin_is_path(const char *name)
{
    return strchr(name, '/') || ends_in(name, ".yaml") || ends_in(name, ".yml");
}

static enum og_opening name_it(struct og_origin *source, struct og_arena *arena, const char *folder, const char *name)
{
    char joined[4096];
    bool relative = folder && folder[0] && name[0] != '/';
    int len = snprintf(joined, sizeof joined, "%s%s%s", relative ? folder : "", relative ? "/" : "", name);
    const char *slash;

    if (len < 0 || (size_t)len >= sizeof joined) {
        errno = ENAMETOOLONG;
        return OG_OPEN_FAILED;
    }
    slash = strrchr(joined, '/');
    source->name = og_arena_copy(arena, og_str_of(joined)).s;
    source->folder = og_arena_copy(arena, (struct og_str){ joined, !slash            ? 0
                                                                   : slash == joined ? 1
                                                                                     : (size_t)(slash - joined) })
                         .s;
    return source->name && source->folder ? OG_OPEN_OK : OG_OPEN_NO_MEMORY;
}

static enum og_opening read_all(int fd, struct og_arena *arena, struct og_origin *source)
{
    enum og_opening opening = OG_OPEN_OK;
    struct og_buf b;
    char chunk[16384];
    ssize_t got = 0;

    og_buf_init(&b, FILE_MOST);
    for (;;) {
        got = read(fd, chunk, sizeof chunk);
        if (got < 0 && errno == EINTR)
            continue;
        if (got <= 0 || b.bad)
            break;
        og_buf_bytes(&b, chunk, (size_t)got);
    }
    if (got < 0)
        opening = OG_OPEN_FAILED;
    else if (b.bad)
        opening = b.len + sizeof chunk > FILE_MOST ? OG_OPEN_TOO_LARGE : OG_OPEN_NO_MEMORY;
    else if (!(source->bytes = og_arena_copy(arena, (struct og_str){ b.s, b.len })).s)
        opening = OG_OPEN_NO_MEMORY;
    og_buf_clear(&b);
    return opening;
}

static enum og_opening read_file(int fd, struct og_arena *arena, struct og_origin *source)
{
    struct stat st;

    if (fstat(fd, &st) != 0)
        return OG_OPEN_FAILED;
    source->mark = og_file_mark_of(&st);
    if (st.st_mode & S_IWOTH)
        return OG_OPEN_UNSAFE;
    return read_all(fd, arena, source);
}

enum og_opening og_origin_open_path(const char *name, const char *folder, struct og_arena *arena,
                                    struct og_origin *source)
{
    enum og_opening opening = name_it(source, arena, folder, name);
    int fd, cause;

    if (opening != OG_OPEN_OK)
        return opening;
    fd = open(source->name, O_RDONLY | O_CLOEXEC);
    if (fd < 0)
        return OG_OPEN_FAILED;
    opening = read_file(fd, arena, source);
    cause = errno;
    close(fd);
    errno = cause;
    return opening;
}

enum og_opening og_origin_open(const char *name, const char *folder, struct og_arena *arena, struct og_origin *source)
{
    const char *text;
    size_t len;

    if (!folder && strcmp(name, "-") == 0) {
        source->name = "stdin";
        source->folder = "";
        return read_all(STDIN_FILENO, arena, source);
    }
    if (og_origin_is_path(name))
        return og_origin_open_path(name, folder, arena, source);
    text = og_policy_shipped_text(name, &len);
    if (!text)
        return OG_OPEN_NO_SUCH;
    source->bytes = (struct og_str){ text, len };
    source->folder = "";
    source->name = og_arena_copy(arena, og_str_of(name)).s;
    return source->name ? OG_OPEN_OK : OG_OPEN_NO_MEMORY;
}

enum og_opening og_origin_of_bytes(struct og_str bytes, const char *name, struct og_arena *arena,
                                   struct og_origin *source)
{
    source->bytes = og_arena_copy(arena, bytes);
    return source->bytes.s ? name_it(source, arena, NULL, name) : OG_OPEN_NO_MEMORY;
}

bool og_origin_same(const struct og_origin *a, const struct og_origin *b)
{
    if (a->mark.inode || b->mark.inode)
        return a->mark.inode == b->mark.inode && a->mark.device == b->mark.device;
    return a->bytes.s == b->bytes.s; /* shipped policies are where they are */
}

const char *og_opening_text(enum og_opening opening, int cause, char *to, size_t size)
{
    switch (opening) {
    case OG_OPEN_OK: return "can be read";
    case OG_OPEN_NO_SUCH: return "is not a shipped policy (a path contains '/' or ends in .yaml)";
    case OG_OPEN_UNSAFE: return "may be written by others: chmod o-w it";
    case OG_OPEN_TOO_LARGE: return "is larger than 16 MiB";
    case OG_OPEN_NO_MEMORY: return "does not fit in memory";
    case OG_OPEN_FAILED: break;
    }
    if (cause == ENOENT) {
        snprintf(to, size, "does not exist");
    } else {
        char room[100];

        snprintf(to, size, "cannot be read: %s", strerror_r(cause, room, sizeof room));
    }
    return to;
}
