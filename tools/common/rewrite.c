/*
 * Replaces a file by a changed text, or prints the change as a diff.  A file is replaced as a whole or not at all,
 * keeps its mode, and is replaced only if its content is still what was read.  Only regular files are replaced.
 */
#include "tools/common/rewrite.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "ordergate/file.h"

#define CONTEXT 3

static bool complain(const char *program, const char *path, const char *what)
{
    fprintf(stderr, "%s: %s: %s%s%s\n", program, path, what, errno ? ": " : "", errno ? strerror(errno) : "");
    return false;
}

/* --- a unified diff ----------------------------------------------------------------------------------------------- */

struct line_list {
    const char **at; /* at[i] is the beginning of line i; at[count] the end of the text */
    size_t count;
};

static bool split(const char *text, size_t len, struct line_list *out)
{
    size_t room = 2;

    for (size_t i = 0; i < len; i++)
        room += text[i] == '\n';
    out->count = 0;
    out->at = malloc(room * sizeof *out->at);
    if (!out->at)
        return false;
    for (size_t i = 0; i < len; i++)
        if (i == 0 || text[i - 1] == '\n')
            out->at[out->count++] = text + i;
    out->at[out->count] = text + len;
    return true;
}

static bool same(const struct line_list *a, size_t i, const struct line_list *b, size_t k)
{
    size_t x = (size_t)(a->at[i + 1] - a->at[i]), y = (size_t)(b->at[k + 1] - b->at[k]);

    return x == y && memcmp(a->at[i], b->at[k], x) == 0;
}

static void put_line(char mark, const struct line_list *l, size_t i)
{
    size_t len = (size_t)(l->at[i + 1] - l->at[i]);

    putchar(mark);
    fwrite(l->at[i], 1, len, stdout);
    if (len == 0 || l->at[i][len - 1] != '\n')
        puts("\n\\ No newline at end of file");
}

/* Set *i and *k to the end of a difference: the next lines that are equal.  Near lines are compared first, since an
 * edit changes or removes single lines. */
static void next_change(const struct line_list *a, const struct line_list *b, size_t *i, size_t *k)
{
    for (size_t far = 1;; far++)
        for (size_t x = 0; x <= far; x++) {
            size_t m = *i + x, n = *k + far - x;

            if ((m == a->count && n == b->count) || (m < a->count && n < b->count && same(a, m, b, n))) {
                *i = m;
                *k = n;
                return;
            }
        }
}

/* Print the hunk that begins at the first difference after *i and *k.  Changes closer than twice the context share a
 * hunk. */
static bool print_hunk(const struct line_list *a, const struct line_list *b, size_t *i, size_t *k)
{
    size_t x, y, from, end, other;

    while (*i < a->count && *k < b->count && same(a, *i, b, *k))
        ++*i, ++*k;
    if (*i == a->count && *k == b->count)
        return false;
    from = *i > CONTEXT ? *i - CONTEXT : 0;
    other = *k - (*i - from);
    x = *i;
    y = *k;
    for (;;) { /* find the end of the hunk */
        size_t equal = 0;

        next_change(a, b, &x, &y);
        while (x + equal < a->count && y + equal < b->count && same(a, x + equal, b, y + equal))
            equal++;
        if (equal > 2 * CONTEXT || (x + equal == a->count && y + equal == b->count)) {
            end = equal < CONTEXT ? equal : CONTEXT;
            break;
        }
        x += equal;
        y += equal;
    }
    printf("@@ -%zu,%zu +%zu,%zu @@\n", from + 1, x + end - from, other + 1, y + end - other);
    while (from < x + end || other < y + end)
        if (from < x + end && other < y + end && same(a, from, b, other)) {
            put_line(' ', a, from++);
            other++;
        } else {
            size_t m = from, n = other;

            next_change(a, b, &m, &n);
            while (from < m)
                put_line('-', a, from++);
            while (other < n)
                put_line('+', b, other++);
        }
    *i = from;
    *k = other;
    return true;
}

bool rewrite_print_diff(const char *program, const char *path, const char *old, size_t old_len, const char *new,
                        size_t new_len)
{
    struct line_list a = { 0 }, b = { 0 };
    size_t i = 0, k = 0;
    bool ok = split(old, old_len, &a) && split(new, new_len, &b);

    if (ok) {
        printf("--- %s\n+++ %s\n", path, path);
        while (print_hunk(&a, &b, &i, &k))
            ;
    }
    free(a.at);
    free(b.at);
    errno = 0;
    return ok || complain(program, path, "out of memory");
}

/* --- the file ----------------------------------------------------------------------------------------------------- */

/* Returns true if the file's content is still what was read.  Sets *st to the file's status. */
static bool is_as_read(const char *path, const char *text, size_t len, struct stat *st)
{
    char *now;
    size_t got;
    bool ok = og_file_read(path, OG_FILE_READ, len, &now, &got, st, NULL) == OG_OK && got == len &&
              memcmp(now, text, len) == 0;

    free(now);
    return ok;
}

static bool write_all(int fd, const char *text, size_t len)
{
    while (len > 0) {
        ssize_t n = write(fd, text, len);

        if (n < 0 && errno == EINTR)
            continue;
        if (n <= 0)
            return false;
        text += n;
        len -= (size_t)n;
    }
    return fsync(fd) == 0;
}

static bool replace(const char *program, const char *path, const struct stat *st, const char *text, size_t len)
{
    char temporary[PATH_MAX + 16];
    int fd, n = snprintf(temporary, sizeof temporary, "%s.new-XXXXXX", path);
    bool ok;

    errno = ENAMETOOLONG;
    fd = n > 0 && (size_t)n < sizeof temporary ? mkostemp(temporary, O_CLOEXEC) : -1;
    if (fd < 0)
        return complain(program, path, "no new file can be created beside it");
    if (fchown(fd, st->st_uid, st->st_gid) != 0) /* the new file cannot always have the old one's owner */
        errno = 0;
    ok = fchmod(fd, st->st_mode & 07777) == 0 && write_all(fd, text, len);
    ok = close(fd) == 0 && ok && rename(temporary, path) == 0;
    if (!ok) {
        complain(program, path, "cannot be replaced");
        unlink(temporary);
    }
    return ok;
}

bool rewrite_file(const char *program, const char *path, const char *old, size_t old_len, const char *new,
                  size_t new_len)
{
    char *real = realpath(path, NULL); /* if path is a symbolic link, replace the file that it points to */
    struct stat st;
    bool ok;

    if (!real)
        return complain(program, path, "cannot be found again");
    errno = 0;
    ok = is_as_read(real, old, old_len, &st) ? replace(program, real, &st, new, new_len)
                                             : complain(program, path, "changed since it was read: it was left alone");
    free(real);
    return ok;
}
