/*
 * Waits for a change of any file that the program has read, or looked for, since the watch began. It uses inotify, and
 * does not read the files itself.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>

struct file_watch {
    int fd;
    const char *const *endings; /* NULL-terminated: a new file with one of these endings counts as a change too */
    struct watched {
        int folder; /* inotify's watch descriptor of the folder */
        char *name;
    } * item;
    size_t count, room;
    int failed; /* errno of the first path that could not be watched; 0 if all are */
};

/* From now on, watch every file that the library opens.  Returns false with errno. */
bool file_watch_begin(struct file_watch *w, const char *const *endings);
/* Watch a path, every folder on the way to it, and whatever symbolic links on the way point to; the path need not
 * exist. */
void file_watch_add(struct file_watch *w, const char *path);
/* Wait for a change.  Returns false with errno. */
bool file_watch_wait(struct file_watch *w);
void file_watch_end(struct file_watch *w);
