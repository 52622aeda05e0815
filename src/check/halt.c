/*
 * Reads and writes one halt flag, and applies it to a book; halt_watch.c watches several.  A file that cannot be read,
 * or that another user could have written, counts as a halt.
 */
#include "ordergate/halt.h"

#include <errno.h>
#include <limits.h>
#include <pwd.h>
#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/atomic_file.h"
#include "base/buf.h"
#include "base/error.h"
#include "base/file.h"
#include "base/state_dir.h"
#include "check/book.h"
#include "text/doc.h"

#define FILE_MOST      4096
#define OG_HALT_FOLDER "/etc/ordergate"

static const char *const names[] = { "on", "reduce-only", "halted", "halted-all" };

const char *og_trading_name(enum og_trading trading)
{
    return (unsigned)trading < sizeof names / sizeof names[0] ? names[trading] : names[OG_TRADING_HALTED];
}

static void copy_text(const cJSON *doc, const char *key, char *to, size_t size)
{
    struct og_str s;

    if (og_doc_str(doc, key, &s))
        snprintf(to, size, "%.*s", (int)(s.len < size ? s.len : size - 1), s.s);
}

static enum og_status take(const char *path, const char *bytes, size_t len, struct og_halt *halt, struct og_error *err)
{
    cJSON *doc = NULL;
    struct og_str word = { NULL, 0 };
    struct og_error why = { 0 };
    enum og_status status = og_doc_read(bytes, len, path, &doc, &why);

    if (status)
        return og_fail(err, status,
                       "'%s' is not JSON (%s); trading is halted until ordergate halt or resume writes it anew", path,
                       why.text);
    status = OG_EFACTS;
    (void)og_doc_str(doc, "trading", &word);
    for (int i = 0; i < 4; i++)
        if (og_str_is(word, names[i])) {
            halt->trading = (enum og_trading)i;
            status = OG_OK;
        }
    copy_text(doc, "at", halt->at, sizeof halt->at);
    copy_text(doc, "by", halt->by, sizeof halt->by);
    copy_text(doc, "reason", halt->reason, sizeof halt->reason);
    cJSON_Delete(doc);
    return status ? og_fail(err, status,
                            "'%s': its \"trading\" is not one of on, reduce-only, halted, halted-all; trading is"
                            " halted until ordergate halt or resume writes it anew",
                            path)
                  : OG_OK;
}

static enum og_status no_flag(const char *path, const char *why, int cause, struct og_error *err)
{
    return og_fail_because(err, OG_EIO, cause, "'%s' %s; trading is halted", path, why);
}

enum og_status og_halt_path(char *to, size_t size, struct og_error *err)
{
    if (!to)
        return og_missing(err);
    return og_state_dir_path(OG_HALT_FILE, to, size, err);
}

enum og_status og_halt_read(const char *path, struct og_halt *halt, struct og_error *err)
{
    char room[PATH_MAX], bytes[FILE_MOST + 1];
    struct og_file_why why;
    enum og_status status;
    struct og_buf b;
    int fd;

    if (!halt)
        return og_missing(err);
    *halt = (struct og_halt){ .trading = OG_TRADING_HALTED };
    if (!path && (status = og_halt_path(room, sizeof room, err)))
        return status;
    if (!path)
        path = room;
    fd = og_file_try(path, OG_FILE_PLAIN, NULL, &why);
    if (fd < 0 && (errno == ENOENT || errno == ENOTDIR)) {
        halt->trading = OG_TRADING_ON;
        return OG_OK;
    }
    if (fd < 0)
        return no_flag(path, why.text, errno, err);
    og_buf_init_fixed(&b, bytes, sizeof bytes);
    status =
        og_file_drain(fd, &b) ? OG_OK : no_flag(path, errno == EFBIG ? "is too long" : strerror(errno), errno, err);
    close(fd);
    return status ? status : take(path, b.s, b.len, halt, err);
}

static void sign(struct og_halt *halt)
{
    char host[48] = "";
    struct passwd *user = getpwuid(geteuid());

    (void)gethostname(host, sizeof host - 1);
    if (!halt->at[0])
        snprintf(halt->at, sizeof halt->at, "%s", og_time_text(og_time_now()).s);
    if (!halt->by[0])
        snprintf(halt->by, sizeof halt->by, "%.28s@%s", user ? user->pw_name : "?", host);
}

/* Returns true if the caller's text ends with a NUL within `size` bytes. */
static bool has_end(const char *text, size_t size)
{
    return memchr(text, '\0', size) != NULL;
}

/* Returns true if gates of other users may obey the flag: its folder is another user's, or other users may open files
 * in it. A flag that they cannot read would halt them for good, even if it says that trading is on. */
static bool is_for_others(const char *path)
{
    const char *slash = strrchr(path, '/');
    char folder[PATH_MAX] = ".";
    struct stat st;

    if (slash)
        snprintf(folder, sizeof folder, "%.*s", slash == path ? 1 : (int)(slash - path), path);
    return stat(folder, &st) == 0 && (st.st_uid != geteuid() || (st.st_mode & (S_IXGRP | S_IXOTH)) != 0);
}

enum og_status og_halt_write(const char *path, struct og_halt *halt, struct og_error *err)
{
    char room[PATH_MAX];
    struct og_buf b;
    enum og_status status = OG_OK;

    if (!halt)
        return og_missing(err);
    if (!has_end(halt->at, sizeof halt->at) || !has_end(halt->by, sizeof halt->by) ||
        !has_end(halt->reason, sizeof halt->reason))
        return og_fail(err, OG_EINVAL, "at, by and reason of a halt must each end with a NUL");
    if (!path && (status = og_state_dir_file(OG_HALT_FILE, room, sizeof room, err)))
        return status;
    if (!path)
        path = room;
    if (strcmp(path, OG_HALT_MACHINE) == 0)
        (void)mkdir(OG_HALT_FOLDER, 0755); /* a failure is ignored here: the attempt to write the file will report it */
    sign(halt);
    og_buf_init(&b, 0);
    og_buf_format(&b, "{\"trading\":\"%s\",\"at\":\"%s\",\"by\":", og_trading_name(halt->trading), halt->at);
    og_buf_json_str(&b, og_str_of(halt->by));
    og_buf_text(&b, ",\"reason\":");
    og_buf_json_str(&b, og_str_of(halt->reason));
    og_buf_text(&b, "}\n");
    if (b.bad)
        status = og_fail(err, OG_ENOMEM, "out of memory");
    else if (!og_atomic_file_write(path, b.s, b.len, is_for_others(path) ? 0644 : 0600))
        status = og_fail_because(err, OG_EIO, errno, "'%s' cannot be written: %s", path, strerror(errno));
    og_buf_clear(&b);
    return status;
}

enum og_status og_halt_add(const char *path, struct og_halt *halt, struct og_halt *stands, struct og_error *err)
{
    enum og_status status;

    if (!halt || !stands)
        return og_missing(err);
    if (halt->trading == OG_TRADING_ON)
        return og_fail(err, OG_EINVAL, "trading 'on' adds no halt: write it");
    if (og_halt_read(path, stands, NULL) == OG_OK && stands->trading > halt->trading) {
        sign(halt);
        return OG_OK;
    }
    status = og_halt_write(path, halt, err);
    *stands = *halt;
    return status;
}

void og_halt_since(const struct og_halt *halt, char to[OG_HALT_SINCE])
{
    const bool signed_ = halt->at[0] && halt->by[0];

    to[0] = '\0';
    if (halt->trading == OG_TRADING_ON)
        return;
    if (signed_)
        snprintf(to, OG_HALT_SINCE, " since %.*s (%.*s): %.*s", (int)sizeof halt->at, halt->at, (int)sizeof halt->by,
                 halt->by, (int)sizeof halt->reason, halt->reason[0] ? halt->reason : "no reason given");
    else if (halt->reason[0])
        snprintf(to, OG_HALT_SINCE, ": %.*s", (int)sizeof halt->reason, halt->reason);
}

void og_book_halt_by(struct og_book *b, const struct og_halt *halt)
{
    if (!b || !halt)
        return;
    pthread_rwlock_wrlock(&b->lock);
    b->halt = halt->trading;
    og_halt_since(halt, b->halt_since);
    pthread_rwlock_unlock(&b->lock);
}

void og_book_halt(struct og_book *b, enum og_trading trading)
{
    og_book_halt_by(b, &(struct og_halt){ .trading = trading });
}
