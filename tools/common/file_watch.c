/*
 * Watches folders, not files: when a file is replaced, a watch on it stays with the old file, and a missing file cannot
 * be watched. Events for other names in these folders are ignored.
 */
#include "tools/common/file_watch.h"

#include <errno.h>
#include <limits.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/inotify.h>
#include <sys/stat.h>
#include <unistd.h>

#include "ordergate/file.h"

enum { LINKS_MOST = 40, SETTLE_MS = 50 };

#define EVENTS (IN_CLOSE_WRITE | IN_MOVED_TO | IN_MOVED_FROM | IN_DELETE | IN_CREATE | IN_ATTRIB | IN_ONLYDIR)

static void add_name(struct file_watch *w, int folder, const char *name, size_t len)
{
    for (size_t i = 0; i < w->count; i++)
        if (w->item[i].folder == folder && strlen(w->item[i].name) == len && memcmp(w->item[i].name, name, len) == 0)
            return;
    if (w->count == w->room) {
        size_t room = w->room ? 2 * w->room : 64;
        struct watched *more = realloc(w->item, room * sizeof *more);

        if (!more) {
            w->failed = ENOMEM;
            return;
        }
        w->item = more;
        w->room = room;
    }
    w->item[w->count] = (struct watched){ folder, strndup(name, len) };
    if (w->item[w->count].name)
        w->count++;
    else
        w->failed = ENOMEM;
}

static void add_path(struct file_watch *w, const char *path, int links);

/* If the path is a symbolic link, also watch what the link points to.  len: bytes of the path up to the end of the
 * link's name; folder: bytes up to the beginning of that name. */
static void add_link(struct file_watch *w, const char *path, size_t folder, size_t len, int links)
{
    char link[PATH_MAX], to[PATH_MAX], whole[2 * PATH_MAX];
    ssize_t got;

    if (len >= sizeof link)
        return;
    memcpy(link, path, len);
    link[len] = '\0';
    got = readlink(link, to, sizeof to - 1);
    if (got <= 0)
        return; /* not a link, or it does not exist */
    to[got] = '\0';
    snprintf(whole, sizeof whole, "%.*s%s", to[0] == '/' ? 0 : (int)folder, path, to);
    add_path(w, whole, links + 1);
}

static void add_path(struct file_watch *w, const char *path, int links)
{
    char folder[PATH_MAX];

    for (size_t at = 0; path[at] && links < LINKS_MOST;) {
        size_t from = at + strspn(path + at, "/"), len = strcspn(path + from, "/");
        int watch;

        if (!len || from >= sizeof folder)
            return;
        memcpy(folder, path, from);
        folder[from] = '\0';
        watch = inotify_add_watch(w->fd, from ? folder : ".", EVENTS);
        if (watch < 0 && errno != ENOENT && errno != ENOTDIR && errno != EACCES && !w->failed)
            w->failed = errno;
        if (watch < 0)
            return; /* the path may be created later: the folders above it are being watched */
        add_name(w, watch, path + from, len);
        add_link(w, path, from, from + len, links);
        at = from + len;
    }
}

void file_watch_add(struct file_watch *w, const char *path)
{
    add_path(w, path, 0);
}

static void hear(void *with, const char *path)
{
    if (strcmp(path, "-") != 0 && strncmp(path, "/dev/", 5) != 0 && strncmp(path, "/proc/", 6) != 0)
        file_watch_add(with, path);
}

bool file_watch_begin(struct file_watch *w, const char *const *endings)
{
    *w = (struct file_watch){ .fd = inotify_init1(IN_CLOEXEC), .endings = endings };
    if (w->fd < 0)
        return false;
    og_file_listen(hear, w);
    return true;
}

static bool is_watched(const struct file_watch *w, const struct inotify_event *event)
{
    size_t len = event->len ? strlen(event->name) : 0;

    for (size_t i = 0; i < w->count && len; i++)
        if (w->item[i].folder == event->wd && strcmp(w->item[i].name, event->name) == 0)
            return true;
    for (size_t i = 0; w->endings[i]; i++)
        if (len >= strlen(w->endings[i]) && strcmp(event->name + len - strlen(w->endings[i]), w->endings[i]) == 0)
            return true;
    return event->mask & IN_Q_OVERFLOW;
}

/* Wait for an event, and read all events that have come.  Returns 1 if one is for a watched name, 0 if none is; -1 with
 * errno. */
static int read_events(struct file_watch *w)
{
    _Alignas(struct inotify_event) char room[4096 + NAME_MAX];
    ssize_t got = read(w->fd, room, sizeof room);
    int any = 0;

    for (ssize_t at = 0; at < got;) {
        const struct inotify_event *event = (const void *)(room + at);

        any |= is_watched(w, event);
        at += (ssize_t)(sizeof *event + event->len);
    }
    return got < 0 && errno != EINTR ? -1 : any;
}

bool file_watch_wait(struct file_watch *w)
{
    struct pollfd wait = { .fd = w->fd, .events = POLLIN };
    int any = 0;

    if (w->failed) {
        errno = w->failed;
        return false;
    }
    while (any == 0)
        any = read_events(w);
    /* an editor makes several changes when it saves: wait for the last of them */
    while (any > 0 && poll(&wait, 1, SETTLE_MS) > 0)
        if (read_events(w) < 0)
            any = -1;
    return any > 0;
}

void file_watch_end(struct file_watch *w)
{
    og_file_listen(NULL, NULL);
    for (size_t i = 0; i < w->count; i++)
        free(w->item[i].name);
    free(w->item);
    if (w->fd >= 0)
        close(w->fd);
}
