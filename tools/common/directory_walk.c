/*
 * Lists the files below a folder; see tools/common/directory_walk.h.
 */
#include "tools/common/directory_walk.h"

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

bool path_list_add(struct path_list *to, const char *path)
{
    char **more, *copy;

    if (to->count == to->room) {
        more = realloc(to->path, (to->room ? 2 * to->room : 16) * sizeof *more);
        if (!more)
            return false;
        to->path = more;
        to->room = to->room ? 2 * to->room : 16;
    }
    copy = strdup(path);
    if (copy)
        to->path[to->count++] = copy;
    return copy != NULL;
}

void path_list_clear(struct path_list *w)
{
    for (size_t i = 0; i < w->count; i++)
        free(w->path[i]);
    free(w->path);
    *w = (struct path_list){ 0 };
}

static int by_name(const struct dirent **a, const struct dirent **b)
{
    return strcmp((*a)->d_name, (*b)->d_name);
}

static int is_shown(const struct dirent *entry)
{
    return entry->d_name[0] != '.';
}

static bool ends(const char *name, const char *const *endings)
{
    size_t len = strlen(name);

    for (; *endings; endings++)
        if (len >= strlen(*endings) && strcmp(name + len - strlen(*endings), *endings) == 0)
            return true;
    return false;
}

static bool look_at(const char *path, const char *const *endings, struct path_list *to, char *wrong, size_t size)
{
    struct stat st;

    if (lstat(path, &st) == 0 && S_ISDIR(st.st_mode))
        return directory_walk(path, endings, to, wrong, size);
    if (ends(path, endings) && stat(path, &st) == 0 && S_ISREG(st.st_mode))
        return path_list_add(to, path);
    return true;
}

bool directory_walk(const char *folder, const char *const *endings, struct path_list *to, char *wrong, size_t size)
{
    struct dirent **entry;
    int count = scandir(folder, &entry, is_shown, by_name);
    bool here = strcmp(folder, ".") == 0; /* paths in the working directory are written without "./" */
    const char *slash = here || folder[strlen(folder) - 1] == '/' ? "" : "/";
    bool ok = count >= 0;

    if (!ok)
        snprintf(wrong, size, "%s", folder);
    for (int i = 0; i < count; i++) {
        char *path = NULL;

        if (ok && asprintf(&path, "%s%s%s", here ? "" : folder, slash, entry[i]->d_name) < 0) {
            snprintf(wrong, size, "%s", folder);
            path = NULL;
            ok = false;
        }
        ok = ok && look_at(path, endings, to, wrong, size);
        free(path);
        free(entry[i]);
    }
    if (count >= 0)
        free(entry);
    return ok;
}
