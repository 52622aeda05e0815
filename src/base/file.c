/*
 * Opens files that decisions depend on.
 * Rejects every file that another user of the machine could have written or replaced.
 *
 * The path is walked from the root, one component at a time.  Each component is opened relative to the descriptor of
 * its folder and checked through its own descriptor, so that the component cannot be replaced between the check and the
 * use.  Symbolic links are followed here, by the same rules, and not by the kernel.
 */
#include "base/file.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <pwd.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/error.h"
#include "base/overlay.h"

#define LINKS_MOST 40 /* the kernel's limit */
#define CHUNK      65536

struct walk {
    unsigned how;            /* og_file_how */
    int folder;              /* descriptor of the folder that the walk has reached */
    bool shared;             /* other users may write in the folder (it is sticky), so the owner of each entry
                              * matters */
    int links;               /* symbolic links followed so far */
    char at[PATH_MAX];       /* path of the folder that the walk has reached, without links; "" is the root */
    char left[2 * PATH_MAX]; /* the rest of the path */
    struct og_file_why *why;
};

/* --- reasons ------------------------------------------------------------------------------------------------------ */

static bool no(struct og_file_why *why, int cause, const char *format, ...) __attribute__((format(printf, 3, 4)));

static bool no(struct og_file_why *why, int cause, const char *format, ...)
{
    va_list args;

    va_start(args, format);
    og_text_format(why->text, sizeof why->text, format, args);
    va_end(args);
    errno = cause;
    return false;
}

static bool no_errno_to(struct og_file_why *why, unsigned how)
{
    int cause = errno;
    char room[100];

    return cause == ENOENT ? no(why, cause, "does not exist")
                           : no(why, cause, "cannot be %s: %s", how & OG_FILE_MAKE ? "written" : "read",
                                strerror_r(cause, room, sizeof room));
}

static bool no_errno(struct og_file_why *why)
{
    return no_errno_to(why, OG_FILE_READ);
}

struct user {
    char text[64];
};

static struct user name_of(uid_t uid)
{
    char room[2048];
    struct passwd entry, *found = NULL;
    struct user u;

    if (getpwuid_r(uid, &entry, room, sizeof room, &found) != 0)
        found = NULL;
    snprintf(u.text, sizeof u.text, "%.32s%suid %u%s", found ? found->pw_name : "", found ? " (" : "", (unsigned)uid,
             found ? ")" : "");
    return u;
}

static bool is_owner_ok(const struct stat *st)
{
    return st->st_uid == 0 || st->st_uid == geteuid();
}

/* Check one file or folder. which: "" for the named file; "lies in '/tmp/x', which " for a folder above it. */
static bool look_at(const struct stat *st, const char *which, struct og_file_why *why)
{
    bool group = st->st_mode & S_IWGRP, others = st->st_mode & S_IWOTH;

    if (!is_owner_ok(st))
        return no(why, EPERM, "%sbelongs to %s, allowed are root and you (uid %u): chown it, or run as its owner",
                  which, name_of(st->st_uid).text, (unsigned)geteuid());
    if ((group || others) && !(S_ISDIR(st->st_mode) && (st->st_mode & S_ISVTX)))
        return no(why, EPERM, "%smay be written by %s: chmod %s%s-w it", which,
                  group && others ? "others and its group"
                  : group         ? "its group"
                                  : "others",
                  group ? "g" : "", others ? "o" : "");
    return true;
}

static const char *kind_of(mode_t mode)
{
    switch (mode & S_IFMT) {
    case S_IFDIR: return "a folder";
    case S_IFIFO: return "a FIFO";
    case S_IFSOCK: return "a socket";
    case S_IFCHR:
    case S_IFBLK: return "a device";
    default: return "not a regular file";
    }
}

static bool look_at_file(const struct stat *st, unsigned how, struct og_file_why *why)
{
    bool fifo = S_ISFIFO(st->st_mode) && (how & OG_FILE_FIFO);

    if (!S_ISREG(st->st_mode) && !fifo)
        return no(why, S_ISDIR(st->st_mode) ? EISDIR : EINVAL, "is %s, but must be a regular file%s",
                  kind_of(st->st_mode),
                  how & OG_FILE_FIFO      ? " or a FIFO"
                  : S_ISFIFO(st->st_mode) ? " (a pipe is named by - or /dev/fd/N)"
                                          : "");
    if ((how & OG_FILE_SECRET) && is_owner_ok(st) && (st->st_mode & (S_IRWXG | S_IRWXO)))
        return no(why, EPERM, "has mode %03o: a secret must be its owner's alone; chmod 600 it",
                  (unsigned)(st->st_mode & 0777));
    return look_at(st, "", why);
}

/* --- the walk ----------------------------------------------------------------------------------------------------- */

static bool look_at_folder(struct walk *w, const struct stat *st, bool is_named)
{
    char which[320] = "";
    const char *at = w->at[0] ? w->at : "/";
    size_t len = strlen(at);

    w->shared = st->st_mode & (S_IWGRP | S_IWOTH);
    if (!is_named) /* a long path is cut at its beginning, since its end is more specific */
        snprintf(which, sizeof which, "lies in '%s%s', which ", len > 200 ? "..." : "",
                 at + (len > 200 ? len - 200 : 0));
    return look_at(st, which, w->why);
}

/* Make fd the folder that the walk has reached; the walk closes it. */
static bool enter(struct walk *w, int fd, bool is_named)
{
    struct stat st;

    if (w->folder >= 0)
        close(w->folder);
    w->folder = fd;
    if (fd < 0 || fstat(fd, &st) != 0)
        return no_errno(w->why);
    if (!S_ISDIR(st.st_mode)) {
        errno = ENOTDIR;
        return no_errno(w->why);
    }
    return look_at_folder(w, &st, is_named);
}

static bool enter_root(struct walk *w)
{
    w->at[0] = '\0';
    return enter(w, open("/", O_PATH | O_DIRECTORY | O_CLOEXEC), false);
}

static bool set_left(struct walk *w, const char *head, const char *tail)
{
    char room[sizeof w->left];
    int n = snprintf(room, sizeof room, "%s/%s", head, tail);

    if (n < 0 || (size_t)n >= sizeof room) {
        errno = ENAMETOOLONG;
        return no_errno(w->why);
    }
    memcpy(w->left, room, (size_t)n + 1);
    return true;
}

static bool begin(struct walk *w, const char *path)
{
    char here[PATH_MAX];

    w->folder = -1;
    w->links = 0;
    if (path[0] == '\0') {
        errno = ENOENT;
        return no_errno(w->why);
    }
    if (path[0] != '/' && !getcwd(here, sizeof here))
        return no(w->why, errno, "cannot be found from the current folder: name it by its full path");
    return set_left(w, path[0] == '/' ? "" : here, path) && enter_root(w);
}

/* Take the next component of the path.  Returns false if there is none.  *last: whether the component is the last
 * one. */
static bool next(struct walk *w, char *name, size_t size, bool *last)
{
    const char *from = w->left + strspn(w->left, "/");
    size_t len = strcspn(from, "/"), gap = strspn(from + len, "/");

    if (len == 0 || len >= size)
        return false;
    memcpy(name, from, len);
    name[len] = '\0';
    *last = from[len + gap] == '\0';
    memmove(w->left, from + len + gap, strlen(from + len + gap) + 1);
    return true;
}

static bool follow(struct walk *w, const char *name, const struct stat *st)
{
    char to[PATH_MAX];
    ssize_t len = readlinkat(w->folder, name, to, sizeof to - 1);
    char tail[sizeof w->left];

    if (len >= 0 && ++w->links > LINKS_MOST) {
        len = -1;
        errno = ELOOP;
    }
    if (len < 0)
        return no_errno(w->why);
    if (w->shared && !is_owner_ok(st))
        return no(w->why, EPERM, "is reached by the link '%.200s/%.60s', which belongs to %s: remove it", w->at, name,
                  name_of(st->st_uid).text);
    to[len] = '\0';
    memcpy(tail, w->left, strlen(w->left) + 1);
    return set_left(w, to, tail) && (to[0] != '/' || enter_root(w));
}

static bool step(struct walk *w, const char *name, bool is_named)
{
    size_t len = strlen(w->at);
    int fd = openat(w->folder, name, O_PATH | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);

    if (strcmp(name, "..") == 0)
        *(len ? strrchr(w->at, '/') : w->at) = '\0';
    else if (snprintf(w->at + len, sizeof w->at - len, "/%s", name) >= (int)(sizeof w->at - len)) {
        if (fd >= 0)
            close(fd);
        fd = -1;
        errno = ENAMETOOLONG;
    }
    return enter(w, fd, is_named);
}

/* Walk to the folder that holds the last component, which is copied to name; if all is set, walk into the last
 * component too. */
static bool walk(struct walk *w, const char *path, bool all, char name[NAME_MAX + 1])
{
    bool last = false;
    struct stat st;

    if (!begin(w, path))
        return false;
    for (;;) {
        if (!next(w, name, NAME_MAX + 1, &last)) {
            if (all && w->left[strspn(w->left, "/")] == '\0')
                return true;
            errno = w->left[strspn(w->left, "/")] ? ENAMETOOLONG : EISDIR;
            return no_errno(w->why);
        }
        if (strcmp(name, ".") == 0)
            continue;
        if (strcmp(name, "..") != 0) {
            if (fstatat(w->folder, name, &st, AT_SYMLINK_NOFOLLOW) != 0)
                return last && !all && errno == ENOENT ? true : no_errno(w->why);
            if (S_ISLNK(st.st_mode)) {
                if (last && (w->how & OG_FILE_PLAIN)) {
                    errno = ELOOP;
                    return no_errno(w->why);
                }
                if (!follow(w, name, &st))
                    return false;
                continue;
            }
            if (last && !all)
                return true;
        }
        if (!step(w, name, last))
            return false;
    }
}

/* --- descriptors that this process inherited ---------------------------------------------------------------------- */

/* Returns the descriptor that path names ("-", "/dev/fd/N", ...); -1 if it names none. */
static int given(const char *path)
{
    static const char *const folders[] = { "/dev/fd/", "/proc/self/fd/" };

    if (og_overlay_hides_descriptors())
        return -1;
    if (strcmp(path, "-") == 0 || strcmp(path, "/dev/stdin") == 0)
        return STDIN_FILENO;
    for (size_t i = 0; i < sizeof folders / sizeof folders[0]; i++) {
        const char *number = path + strlen(folders[i]);
        size_t digits;

        if (strncmp(path, folders[i], strlen(folders[i])) != 0)
            continue;
        digits = strspn(number, "0123456789");
        return digits > 0 && digits < 7 && number[digits] == '\0' ? (int)strtol(number, NULL, 10) : -1;
    }
    return -1;
}

bool og_file_reads_once(const char *path)
{
    int fd = given(path);
    struct stat st;

    return fd >= 0 && fstat(fd, &st) == 0 && !S_ISREG(st.st_mode) && !S_ISDIR(st.st_mode);
}

/* Close fd, unless it is -1, and leave errno as it is. */
static void close_quietly(int fd)
{
    int cause = errno;

    if (fd >= 0)
        close(fd);
    errno = cause;
}

static int open_given(int fd, unsigned how, struct stat *st, struct og_file_why *why)
{
    int copy = fcntl(fd, F_DUPFD_CLOEXEC, 3);
    bool ok = copy >= 0 && fstat(copy, st) == 0;

    if (!ok)
        (void)no_errno(why);
    else if (S_ISDIR(st->st_mode) || S_ISREG(st->st_mode))
        ok = look_at_file(st, how, why);
    if (ok)
        return copy;
    close_quietly(copy);
    return -1;
}

/* --- opening ------------------------------------------------------------------------------------------------------ */

static int flags_of(unsigned how, bool fifo)
{
    int flags = O_CLOEXEC | O_NOFOLLOW | O_NOCTTY | O_NONBLOCK;

    return flags | (how & OG_FILE_MAKE ? O_RDWR | O_CREAT : fifo ? O_RDWR : O_RDONLY);
}

static int open_last(struct walk *w, const char *name, unsigned how, struct stat *st)
{
    bool known = fstatat(w->folder, name, st, AT_SYMLINK_NOFOLLOW) == 0;
    int fd;

    if (!known && (errno != ENOENT || !(how & OG_FILE_MAKE))) {
        (void)no_errno(w->why);
        return -1;
    }
    if (known && !look_at_file(st, how, w->why)) /* check before opening, since opening a device may have effects */
        return -1;
    fd = openat(w->folder, name, flags_of(how, known && S_ISFIFO(st->st_mode)), 0600);
    if (fd < 0 || fstat(fd, st) != 0)
        (void)no_errno_to(w->why, how);
    else if (look_at_file(st, how, w->why) && (!S_ISREG(st->st_mode) || fcntl(fd, F_SETFL, 0) == 0))
        return fd;
    close_quietly(fd);
    return -1;
}

static struct {
    og_file_listener *hear;
    void *with;
} listening;

void og_file_listen(og_file_listener *listener, void *with)
{
    listening.hear = listener;
    listening.with = with;
}

/* Open the text that a language client holds for the file, which was opened as fd or was not found.  Returns fd if the
 * client holds none. */
static int overlay(int fd, const char *path, struct stat *st, struct og_file_why *why)
{
    int cause = errno, text = fd >= 0 || cause == ENOENT ? og_overlay_open(path, fd >= 0 ? st : NULL, st) : -1;

    if (text >= 0) {
        close_quietly(fd);
        why->text[0] = '\0';
        return text;
    }
    errno = cause;
    return fd;
}

int og_file_try(const char *path, unsigned how, struct stat *st, struct og_file_why *why)
{
    char name[NAME_MAX + 1];
    struct stat own;
    struct walk w = { .how = how, .why = why };
    int fd = given(path);

    why->text[0] = '\0';
    st = st ? st : &own;
    if (listening.hear)
        listening.hear(listening.with, path);
    if (fd >= 0)
        return open_given(fd, how, st, why);
    if (walk(&w, path, false, name))
        fd = open_last(&w, name, how, st);
    close_quietly(w.folder);
    return how & OG_FILE_MAKE ? fd : overlay(fd, path, st, why);
}

bool og_file_look(const char *path, unsigned how, struct og_file_why *why)
{
    char name[NAME_MAX + 1];
    const int access = how & OG_FILE_MAKE ? R_OK | W_OK : R_OK;
    struct walk w = { .how = how, .why = why };
    struct stat st;
    bool ok = false;

    why->text[0] = '\0';
    if (walk(&w, path, false, name)) {
        ok = fstatat(w.folder, name, &st, AT_SYMLINK_NOFOLLOW) == 0 || no_errno(why);
        ok = ok && look_at_file(&st, how, why);
        ok = ok && (faccessat(w.folder, name, access, AT_EACCESS) == 0 || no_errno_to(why, how));
    }
    close_quietly(w.folder);
    return ok;
}

bool og_file_folder(const char *path, struct stat *st, struct og_file_why *why)
{
    char name[NAME_MAX + 1];
    struct walk w = { .why = why };
    bool ok;

    why->text[0] = '\0';
    ok = walk(&w, path, true, name) && (fstat(w.folder, st) == 0 || no_errno(why));
    close_quietly(w.folder);
    return ok;
}

int og_file_enter(const char *path, char name[NAME_MAX + 1], struct og_file_why *why)
{
    struct walk w = { .how = OG_FILE_PLAIN, .why = why };

    why->text[0] = '\0';
    if (walk(&w, path, false, name))
        return w.folder;
    close_quietly(w.folder);
    return -1;
}

/* Read at an offset if the file is regular; otherwise read the next bytes. */
static ssize_t get(int fd, bool regular, char *to, size_t most, off_t at)
{
    ssize_t n;

    do
        n = regular ? pread(fd, to, most, at) : read(fd, to, most);
    while (n < 0 && errno == EINTR);
    return n;
}

bool og_file_drain(int fd, struct og_buf *b)
{
    size_t most = b->fixed ? b->cap - 1 : b->most ? b->most : SIZE_MAX;
    struct stat st;
    bool regular = fstat(fd, &st) == 0 && S_ISREG(st.st_mode);
    off_t at = 0;
    ssize_t n;

    do {
        size_t want = most - b->len < CHUNK ? most - b->len : CHUNK;
        char over;

        if (want == 0) { /* the text is at the limit: one more byte means that the file is too long */
            n = get(fd, regular, &over, 1, at);
            errno = n > 0 ? EFBIG : errno;
            return n == 0;
        }
        if (!og_buf_reserve(b, want)) {
            errno = ENOMEM;
            return false;
        }
        n = get(fd, regular, b->s + b->len, want, at);
        b->len += n > 0 ? (size_t)n : 0;
        b->s[b->len] = '\0';
        at += n > 0 ? n : 0;
    } while (n > 0);
    return n == 0;
}

enum og_status og_file_open(const char *path, unsigned how, int *fd, struct stat *st, struct og_error *err)
{
    struct og_file_why why;

    if (!path || !fd)
        return og_fail(err, OG_EINVAL, "neither the path nor the pointer for the descriptor may be NULL");
    *fd = og_file_try(path, how, st, &why);
    return *fd >= 0 ? OG_OK : og_fail_because(err, OG_EIO, errno, "'%s' %s", path, why.text);
}

enum og_status og_file_read(const char *path, unsigned how, size_t most, char **bytes, size_t *len, struct stat *st,
                            struct og_error *err)
{
    struct og_buf b;
    enum og_status status;
    int fd, cause;
    bool ok;

    if (!bytes || !len)
        return og_fail(err, OG_EINVAL, "the pointers for the bytes and for their length must not be NULL");
    *bytes = NULL;
    *len = 0;
    if ((status = og_file_open(path, how, &fd, st, err)) != OG_OK)
        return status;
    og_buf_init(&b, most);
    ok = og_file_drain(fd, &b) && og_buf_reserve(&b, 0);
    cause = errno;
    close(fd);
    if (ok) {
        b.s[b.len] = '\0';
        *bytes = b.s;
        *len = b.len;
        return OG_OK;
    }
    og_buf_clear(&b);
    if (cause == ENOMEM)
        return og_fail(err, OG_ENOMEM, "out of memory");
    return cause == EFBIG ? og_fail_because(err, OG_EIO, cause, "'%s' is larger than %zu bytes", path, most)
                          : og_fail_because(err, OG_EIO, cause, "'%s' cannot be read: %s", path, strerror(cause));
}
