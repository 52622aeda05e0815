/*
 * The ledger's folder, file and run locks. Rejects a file or folder to which others may write, because whoever can
 * change a record can cause an order to be sent again. Rejects network filesystems, on which SQLite's shared memory and
 * locks do not keep two senders from writing at once.
 */
#include "ledger/place.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/vfs.h>
#include <unistd.h>

#include "base/error.h"
#include "base/file.h"
#include "base/state_dir.h"

/* Returns the name of a network filesystem, given its magic number from statfs(2); NULL for other filesystems. FUSE and
 * 9p count as networks: most filesystems made with them (sshfs, cloud drives, folders of a host) are remote, and all
 * have the same magic number. */
const char *og_ledger_network(long magic)
{
    static const struct {
        unsigned long magic;
        const char *name;
    } known[] = {
        { 0x6969, "NFS" },        { 0x517B, "SMB" },       { 0xFF534D42, "CIFS" }, { 0xFE534D42, "SMB2" },
        { 0x65735546, "FUSE" },   { 0x01021997, "9p" },    { 0x5346414F, "AFS" },  { 0x6B414653, "AFS" },
        { 0x73757245, "Coda" },   { 0x564C, "NCP" },       { 0x00C36400, "Ceph" }, { 0x0BD00BD0, "Lustre" },
        { 0x47504653, "GPFS" },   { 0x7461636F, "OCFS2" }, { 0x01161970, "GFS2" }, { 0x786F4256, "vboxsf" },
        { 0xBACBACBC, "vmhgfs" },
    };

    for (size_t i = 0; i < sizeof known / sizeof known[0]; i++)
        if (((unsigned long)magic & 0xFFFFFFFFul) == known[i].magic)
            return known[i].name;
    return NULL;
}

/* Returns the name of the filesystem if its files are lost when the machine or a container stops; NULL if they are
 * not. */
static const char *passing_name(long magic)
{
    switch ((unsigned long)magic & 0xFFFFFFFFul) {
    case 0x01021994: return "tmpfs";
    case 0x858458F6: return "ramfs";
    case 0x794C7630: return "overlay";
    case 0x61756673: return "aufs";
    default: return NULL;
    }
}

int og_ledger_code(int number)
{
    switch (number) {
    case EROFS: return SQLITE_READONLY;
    case ENOSPC:
    case EDQUOT: return SQLITE_FULL;
    case EIO: return SQLITE_IOERR;
    case EACCES:
    case EMFILE:
    case ENFILE: return SQLITE_CANTOPEN;
    default: return SQLITE_PERM;
    }
}

static enum og_status refuse_network(const char *what, const char *path, const struct statfs *fs, struct og_error *err)
{
    const char *name = og_ledger_network((long)fs->f_type);

    return !name ? OG_OK
                 : og_fail(err, OG_ELEDGER,
                           "%s '%s' of the ledger is on a network filesystem (%s), where two senders cannot be "
                           "kept apart; name a file on a local disk with --ledger",
                           what, path, name);
}

static enum og_status make_folders(char *path, struct og_error *err)
{
    for (char *slash = strchr(path + 1, '/'); slash; slash = strchr(slash + 1, '/')) {
        *slash = '\0';
        if (mkdir(path, 0700) != 0 && errno != EEXIST) {
            enum og_status status =
                og_fail_because(err, OG_ELEDGER, og_ledger_code(errno),
                                "folder '%s' of the ledger cannot be made: %s; name a file elsewhere with"
                                " --ledger",
                                path, strerror(errno));

            *slash = '/';
            return status;
        }
        *slash = '/';
    }
    return OG_OK;
}

static enum og_status look_at_folder(char *path, struct og_error *err)
{
    char *slash = strrchr(path, '/');
    const char *folder = !slash ? "." : slash == path ? "/" : path;
    struct og_file_why why;
    struct stat st;
    struct statfs fs;
    enum og_status status = OG_OK;

    if (slash && slash != path)
        *slash = '\0';
    if (!og_file_folder(folder, &st, &why))
        status =
            og_fail_because(err, OG_ELEDGER, og_ledger_code(errno), "folder '%s' of the ledger %s", folder, why.text);
    else if (statfs(folder, &fs) != 0)
        status = og_fail_because(err, OG_ELEDGER, og_ledger_code(errno), "folder '%s' of the ledger: %s", folder,
                                 strerror(errno));
    else
        status = refuse_network("folder", folder, &fs, err);
    if (slash)
        *slash = '/';
    return status;
}

/* Check the files that SQLite and runs keep beside the ledger, since they contain a part of the ledger. */
static enum og_status look_beside(const char *path, struct og_error *err)
{
    static const char *const ends[] = { "-wal", "-shm", "-journal", "-runs" };
    char room[PATH_MAX + 16];
    struct og_file_why why;

    for (size_t i = 0; i < sizeof ends / sizeof ends[0]; i++) {
        snprintf(room, sizeof room, "%s%s", path, ends[i]);
        if (!og_file_look(room, OG_FILE_READ, &why) && errno != ENOENT)
            return og_fail_because(err, OG_ELEDGER, og_ledger_code(errno), "'%s', a part of the ledger, %s", room,
                                   why.text);
    }
    return OG_OK;
}

static enum og_status make_file(const char *path, struct og_error *err)
{
    struct og_file_why why;
    enum og_status status;
    struct statfs fs;
    struct stat st;
    int fd = -1;
    /* an existing file is not opened: closing it would drop the locks that this process may have on it */
    const bool ok = stat(path, &st) == 0 && st.st_size > 0 ? og_file_look(path, OG_FILE_MAKE, &why)
                                                           : (fd = og_file_try(path, OG_FILE_MAKE, NULL, &why)) >= 0;

    if (fd >= 0)
        close(fd);
    if (!ok && errno == EPERM)
        return og_fail_because(err, OG_ELEDGER, og_ledger_code(errno), "ledger '%s' %s", path, why.text);
    if (!ok)
        return og_fail_because(err, OG_ELEDGER, og_ledger_code(errno),
                               "ledger '%s' %s; make it and its folder writable by you, or name a file "
                               "elsewhere with --ledger",
                               path, why.text);
    status = statfs(path, &fs) != 0
                 ? og_fail_because(err, OG_ELEDGER, og_ledger_code(errno), "ledger '%s': %s", path, strerror(errno))
                 /* a symbolic link may lead to another filesystem */
                 : refuse_network("file", path, &fs, err);
    return status;
}

/* A ledger is read only if no other user but root could have written it. */
enum og_status og_ledger_look(const char *path, struct og_error *err)
{
    struct og_file_why why;

    return og_file_look(path, OG_FILE_READ, &why)
               ? OG_OK
               : og_fail_because(err, OG_ELEDGER, og_ledger_code(errno), "ledger '%s' %s", path, why.text);
}

enum og_status og_ledger_name(const char *path, char room[PATH_MAX], struct og_error *err)
{
    enum og_status status;
    struct stat st;

    if (!realpath(path, room) || stat(room, &st) != 0)
        return og_fail_because(err, OG_ELEDGER, og_ledger_code(errno), "ledger '%s': %s", path, strerror(errno));
    if (st.st_nlink > 1)
        return og_fail(err, OG_ELEDGER,
                       "ledger '%s' has %ju names (hard links): senders by different names would not see each other's"
                       " orders; remove the other names, or make a copy of the file",
                       room, (uintmax_t)st.st_nlink);
    return (status = look_at_folder(room, err)) != OG_OK ? status : look_beside(room, err);
}

enum og_status og_ledger_lost(const char *path, const char *how, struct og_error *err)
{
    return og_fail(
        err, OG_ELEDGER,
        "ledger '%s' %s, but '%s-runs' shows that there was a ledger: a new one would lack its ids and orders; "
        "restore a copy of the file, or remove '%s-runs' as well to begin anew",
        path, how, path, path);
}

/* Fail if there are run locks but no records: the ledger was then lost, and a new one would not know which ids were
 * used or which orders have an unknown outcome. */
static enum og_status check_not_lost(const char *path, struct og_error *err)
{
    char real[PATH_MAX], runs[PATH_MAX + 8];
    const char *name = realpath(path, real) ? real : path;
    struct stat file, beside;
    bool is_there;

    /* the mark is read before the file: a run that is creating the ledger writes records before it sets the mark */
    snprintf(runs, sizeof runs, "%s-runs", name);
    if (stat(runs, &beside) != 0 || beside.st_size == 0)
        return OG_OK;
    is_there = stat(name, &file) == 0;
    if ((is_there && (file.st_size > 0 || !S_ISREG(file.st_mode))) || (!is_there && errno != ENOENT))
        return OG_OK;
    return og_ledger_lost(name, is_there ? "is empty" : "is not there", err);
}

enum og_status og_ledger_place(const char *path, struct og_error *err)
{
    char room[PATH_MAX];
    size_t len = strlen(path);
    enum og_status status;

    if (len == 0 || len >= sizeof room)
        return og_fail(err, OG_ELEDGER, "the path of the ledger has %zu bytes, allowed are 1 to %zu", len,
                       sizeof room - 1);
    memcpy(room, path, len + 1);
    if ((status = make_folders(room, err)) != OG_OK || (status = look_at_folder(room, err)) != OG_OK ||
        (status = check_not_lost(path, err)) != OG_OK)
        return status;
    return make_file(path, err);
}

enum og_status og_ledger_lasts(const char *path, bool must, char word[OG_LEDGER_WORD], struct og_error *err)
{
    char room[PATH_MAX];
    const char *passes;
    enum og_status status;
    struct statfs fs;

    word[0] = '\0';
    if (!path && (status = og_state_dir_file("ledger.db", room, sizeof room, err)) != OG_OK) {
        if (status == OG_EIO) {
            err->status = OG_ELEDGER;
            err->cause = og_ledger_code(err->cause);
        }
        return err->status;
    }
    path = path ? path : room;
    if ((status = og_ledger_place(path, err)) != OG_OK)
        return status;
    passes = statfs(path, &fs) == 0 ? passing_name((long)fs.f_type) : NULL;
    if (passes && must)
        return og_fail(
            err, OG_ELEDGER,
            "ledger '%s' is on %s, whose files are lost when the machine or the container stops, and the record of "
            "orders with them; name a file on a disk or volume with --ledger, or give --ledger-may-vanish",
            path, passes);
    if (passes)
        snprintf(word, OG_LEDGER_WORD,
                 "ledger '%.150s' is on %s, whose files may be lost when the machine or the container stops", path,
                 passes);
    return OG_OK;
}

/* Returns true if the file was truncated. SQLite pads a short last page with zeros, so it does not notice this. If the
 * machine crashes while the WAL is copied into the file, the last page may be short too; but then the WAL still has the
 * whole page. */
bool og_ledger_is_cut(sqlite3 *db, const char *path)
{
    char room[PATH_MAX + 8];
    unsigned char head[18];
    int n = snprintf(room, sizeof room, "%s-wal", path);
    struct stat st;
    sqlite3_file *file; /* SQLite's own descriptor is used: closing another one would drop the locks that this process
                         * has on the file */
    sqlite3_int64 size;
    long page;

    if (n < 0 || (size_t)n >= sizeof room || (stat(room, &st) == 0 && st.st_size > 0) ||
        sqlite3_file_control(db, "main", SQLITE_FCNTL_FILE_POINTER, &file) != SQLITE_OK || !file->pMethods ||
        file->pMethods->xFileSize(file, &size) != SQLITE_OK ||
        file->pMethods->xRead(file, head, sizeof head, 0) != SQLITE_OK || memcmp(head, "SQLite format 3", 16) != 0)
        return false;
    page = (long)head[16] << 8 | (long)head[17]; /* page size; 1 stands for 65536 */
    return page == 0 || size % (page == 1 ? 65536 : page) != 0;
}

int og_ledger_runs_open(const char *path, bool look)
{
    char room[PATH_MAX + 8];
    struct og_file_why why;
    int n = snprintf(room, sizeof room, "%s-runs", path);

    if (n < 0 || (size_t)n >= sizeof room) {
        errno = ENAMETOOLONG;
        return -1;
    }
    return og_file_try(room, look ? OG_FILE_READ : OG_FILE_MAKE, NULL, &why);
}

static struct flock byte(int64_t n)
{
    return (struct flock){ .l_type = F_WRLCK, .l_whence = SEEK_SET, .l_start = n, .l_len = 1 };
}

bool og_ledger_run_hold(int fd, int64_t n)
{
    struct flock lock = byte(n);

    return fcntl(fd, F_OFD_SETLK, &lock) == 0;
}

bool og_ledger_runs_are_marked(int fd)
{
    struct stat st;

    return fstat(fd, &st) == 0 && st.st_size > 0;
}

void og_ledger_runs_mark(int fd)
{
    struct stat st;

    if (fstat(fd, &st) == 0 && st.st_size == 0)
        (void)!pwrite(fd, "\n", 1, 0); /* a failure has no effect now: if the disk is full, the next run writes the
                                        * mark */
}

/* The note about the newest record, at the beginning of the file: its number, its hash, and the digest of both. The
 * digest reveals an incomplete note, whose writer was killed or is still writing. The note is padded with blanks. */
#define NOTE_LEN 192

static bool write_note(char room[NOTE_LEN + 1], int64_t seq, const char *hash)
{
    struct og_digest_text digest;
    int n = snprintf(room, NOTE_LEN + 1, "%lld %s ", (long long)seq, hash);

    if (n < 0 || (size_t)n + sizeof digest.s > NOTE_LEN || !og_digest(room, (size_t)n, &digest))
        return false;
    snprintf(room + n, NOTE_LEN + 1 - (size_t)n, "%-*s\n", NOTE_LEN - 1 - n, digest.s);
    return true;
}

void og_ledger_runs_note(int fd, int64_t seq, const char *hash)
{
    char room[NOTE_LEN + 1];

    if (write_note(room, seq, hash))
        (void)!pwrite(fd, room, NOTE_LEN, 0); /* not synced: a crash of the machine may leave an older note */
}

bool og_ledger_runs_noted(int fd, int64_t *seq, struct og_digest_text *hash)
{
    char room[NOTE_LEN + 1] = "", same[NOTE_LEN + 1];
    char *end;
    size_t len;

    memset(hash, 0, sizeof *hash);
    if (fd < 0 || pread(fd, room, NOTE_LEN, 0) != NOTE_LEN || (*seq = strtoll(room, &end, 10)) <= 0 || *end != ' ' ||
        (len = strcspn(end + 1, " ")) >= sizeof hash->s)
        return false;
    memcpy(hash->s, end + 1, len);
    return write_note(same, *seq, hash->s) && memcmp(room, same, NOTE_LEN) == 0;
}

bool og_ledger_run_alive(int fd, int64_t n)
{
    struct flock lock = byte(n);

    return fcntl(fd, F_OFD_GETLK, &lock) == 0 && lock.l_type != F_UNLCK;
}
