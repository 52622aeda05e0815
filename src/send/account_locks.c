/*
 * Who sends for an account on this machine. The state folder has a file for each pair of broker address and account,
 * and a file for each pair of key and account: one broker has several addresses (by name, by number, by a proxy), and
 * one account may have several keys. In both files a sender locks a byte that stands for its ledger. The kernel unlocks
 * the byte when the process ends, however it ends. Senders of one ledger lock the same byte, and see each other's
 * orders in the ledger. A sender of another ledger would lock another byte, so it is refused. The file's text, which
 * names ledgers and processes, serves only the message of that refusal.
 */
#include <ctype.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/crypto.h"
#include "base/error.h"
#include "base/file.h"
#include "base/state_dir.h"
#include "send/sender.h"

#define FILE_MOST 65536
#define LAST      (INT64_C(1) << 61) /* bytes 1 to LAST each lock a ledger; byte 0: a process registers */

/* Lock or test len bytes from offset `from` on (len 0: to the end). Returns what fcntl() returns. After a test, *found
 * is the conflicting lock, if there is one. */
static int lock(int fd, int how, short type, int64_t from, int64_t len, struct flock *found)
{
    struct flock l = { .l_type = type, .l_whence = SEEK_SET, .l_start = from, .l_len = len };
    int done;

    while ((done = fcntl(fd, how, &l)) != 0 && errno == EINTR)
        continue;
    if (found)
        *found = l;
    return done;
}

static enum og_status open_file(const struct og_account_state *a, const char *whose, int *fd, struct og_error *err)
{
    char name[64], path[PATH_MAX], *text = NULL;
    struct og_digest_text digest;
    enum og_status status = OG_ENOMEM;
    int n = asprintf(&text, "%s\n%s", whose, a->id);

    for (char *c = text; n >= 0 && *c != '\0'; c++)
        *c = (char)tolower((unsigned char)*c);
    if (n >= 0 && og_digest(text, (size_t)n, &digest)) {
        snprintf(name, sizeof name, "accounts/%.32s", digest.s + strlen("sha256:"));
        status = og_state_dir_file(name, path, sizeof path, err);
    }
    free(n >= 0 ? text : NULL);
    if (status != OG_OK)
        return status;
    return og_file_open(path, OG_FILE_MAKE, fd, NULL, err);
}

/* Returns a locked byte that stands for another ledger; 0 if there is none. */
static int64_t other_than(int fd, int64_t mine)
{
    struct flock l;

    if (mine > 1 && lock(fd, F_OFD_GETLK, F_WRLCK, 1, mine - 1, &l) == 0 && l.l_type != F_UNLCK)
        return l.l_start;
    if (lock(fd, F_OFD_GETLK, F_WRLCK, mine + 1, 0, &l) == 0 && l.l_type != F_UNLCK)
        return l.l_start;
    return 0;
}

/* Rewrite the file: a line "byte process ledger" for each byte that is still locked, and, if wanted is 0, a line for
 * this process. held: set to a description of the newest line with the byte `wanted`, "" if there is none. */
static void renew_lines(int fd, int64_t mine, const char *ledger, int64_t wanted, char *held, size_t size)
{
    char *bytes = malloc(FILE_MOST + 1), *line, *next;
    struct og_buf b;
    ssize_t len = bytes ? pread(fd, bytes, FILE_MOST, 0) : -1;

    held[0] = '\0';
    og_buf_init(&b, FILE_MOST);
    if (bytes)
        bytes[len > 0 ? len : 0] = '\0';
    for (line = bytes; line && *line != '\0'; line = next) {
        long long byte;
        long pid;
        int at = 0;
        struct flock l;
        bool runs;

        next = line + strcspn(line, "\n");
        if (*next != '\0')
            *next++ = '\0';
        if (sscanf(line, "%lld %ld %n", &byte, &pid, &at) != 2 || at == 0 || byte < 1)
            continue;
        runs = kill((pid_t)pid, 0) == 0 || errno != ESRCH;
        if (byte == wanted && (runs || held[0] == '\0'))
            snprintf(held, size, "ledger '%s' (process %ld)", line + at, pid);
        if (runs && (byte == mine || (lock(fd, F_OFD_GETLK, F_WRLCK, byte, 1, &l) == 0 && l.l_type != F_UNLCK)))
            og_buf_format(&b, "%s\n", line);
    }
    if (wanted == 0)
        og_buf_format(&b, "%lld %ld %s\n", (long long)mine, (long)getpid(), ledger);
    if (!b.bad && b.len > 0 && pwrite(fd, b.s, b.len, 0) == (ssize_t)b.len)
        (void)!ftruncate(fd, (off_t)b.len);
    og_buf_clear(&b);
    free(bytes);
}

static enum og_status hold(struct og_account_state *a, int fd, const char *ledger, struct og_error *err)
{
    struct og_sender *s = a->sender;
    char held[PATH_MAX + 64];
    struct stat st;
    int64_t mine, other;

    if (stat(ledger, &st) != 0)
        return og_fail_because(err, OG_EIO, errno, "ledger '%s': %s", ledger, strerror(errno));
    mine = 1 + (int64_t)(((uint64_t)st.st_ino * UINT64_C(0x9e3779b97f4a7c15) ^ (uint64_t)st.st_dev) % (uint64_t)LAST);
    if (lock(fd, F_OFD_SETLKW, F_WRLCK, 0, 1, NULL) != 0 || lock(fd, F_OFD_SETLK, F_RDLCK, mine, 1, NULL) != 0)
        return og_fail_because(err, OG_EIO, errno, "account '%s' cannot be claimed for this ledger: %s", a->id,
                               strerror(errno));
    other = other_than(fd, mine);
    renew_lines(fd, mine, ledger, s->options.share_account ? 0 : other, held, sizeof held);
    (void)lock(fd, F_OFD_SETLK, F_UNLCK, 0, 1, NULL);
    if (other == 0 || s->options.share_account)
        return OG_OK;
    return og_fail(
        err, OG_EBUSY,
        "another sender already sends for account '%s', with %s: the two would not see each other's orders in time."
        "  Use that ledger (--ledger), stop that sender, or give --share-account",
        a->id, held[0] != '\0' ? held : "another ledger");
}

bool og_send_hold_account(struct og_account_state *a)
{
    struct og_sender *s = a->sender;
    const char *const whose[] = { s->settings.base_url, s->settings.key_id };
    const char *ledger = s->ledger ? og_ledger_path(s->ledger) : NULL;
    struct og_error err = { 0 };
    enum og_status status = OG_OK;

    if (s->options.dry_run || !ledger || a->held[0] > 0)
        return true;
    for (size_t i = 0; i < sizeof whose / sizeof whose[0] && status == OG_OK; i++) {
        int fd = -1;

        if ((status = open_file(a, whose[i], &fd, &err)) == OG_OK)
            status = hold(a, fd, ledger, &err);
        a->held[i] = fd + 1;
    }
    if (status == OG_OK)
        return true;
    og_send_let_go(a);
    if (status == OG_EBUSY) {
        og_send_fatal(s, 4, &err);
        return false;
    }
    og_send_warn(s, "%s; senders of this user with other ledgers are not seen", err.text);
    return true;
}

long og_send_fellow(const struct og_account_state *a)
{
    char *bytes = a->held[0] > 0 ? malloc(FILE_MOST + 1) : NULL, *line, *next;
    ssize_t len = bytes ? pread(a->held[0] - 1, bytes, FILE_MOST, 0) : -1;
    long only = 0;

    if (bytes)
        bytes[len > 0 ? len : 0] = '\0';
    for (line = bytes; line && *line != '\0' && only >= 0; line = next) {
        long long byte;
        long pid;

        next = line + strcspn(line, "\n");
        if (*next != '\0')
            next++;
        if (sscanf(line, "%lld %ld", &byte, &pid) == 2 && pid != getpid() && kill((pid_t)pid, 0) == 0)
            only = only == 0 || only == pid ? pid : -1;
    }
    free(bytes);
    return only > 0 ? only : 0;
}

void og_send_let_go(struct og_account_state *a)
{
    for (size_t i = 0; i < sizeof a->held / sizeof a->held[0]; i++) {
        if (a->held[i] > 0)
            close(a->held[i] - 1);
        a->held[i] = 0;
    }
}
