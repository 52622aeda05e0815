/*
 * Token buckets in integer arithmetic, kept in a file that all processes of the user share, and the documented waits
 * after a 429.  The last token of a burst is never used, since requests that are sent a tenth of a second apart may
 * arrive closer together.  If the file cannot be read, or stays locked, the process goes on without it, since a cancel
 * must not be held up.
 */
#include "broker/budget.h"

#include <ctype.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/crypto.h"
#include "base/error.h"
#include "base/file.h"
#include "base/log.h"
#include "base/state_dir.h"
#include "base/time.h"
#include "base/timeouts.h"

#define NS_PER_MS INT64_C(1000000)
/* a second in ns, times a thousand, because rates are in thousandths of a request */
#define THOUSAND_PER_S INT64_C(1000000000000)
#define HEAD           64
#define BOOT_ID        36

/* --- one bucket --------------------------------------------------------------------------------------------------- */

void og_bucket_init(struct og_bucket *b, int64_t rate, int64_t burst, bool keep)
{
    bool spare = burst >= 2000;

    *b = (struct og_bucket){ 0 };
    if (rate == 0)
        return;
    b->period_ns = (THOUSAND_PER_S + rate - 1) / rate;
    if (!spare)
        b->period_ns += b->period_ns / 10;
    if (spare)
        b->room_ns = b->period_ns / 1000 * (burst - 2000) + b->period_ns % 1000 * (burst - 2000) / 1000;
    b->kept_ns = keep ? b->room_ns / 3 : 0;
}

/* Returns full_at, unless it is so far ahead that no sender can have written it. In that case it returns the instant at
 * which a bucket that is empty now is full again, so that the bucket is not blocked for long. */
static int64_t plausible_full_at(const struct og_bucket *b, int64_t full_at, int64_t now)
{
    int64_t most = now + b->room_ns + b->period_ns;

    return full_at > most + OG_BUDGET_PAUSE_MOST_NS ? most : full_at;
}

int64_t og_bucket_wait(const struct og_bucket *b, int64_t full_at, int64_t now, bool urgent)
{
    int64_t room = urgent ? b->room_ns : b->room_ns - b->kept_ns,
            wait = plausible_full_at(b, full_at, now) - now - room;

    return b->period_ns == 0 || wait < 0 ? 0 : wait;
}

int64_t og_bucket_after(const struct og_bucket *b, int64_t full_at, int64_t now)
{
    int64_t at = plausible_full_at(b, full_at, now);

    return (at > now ? at : now) + b->period_ns;
}

int64_t og_bucket_emptied(const struct og_bucket *b, int64_t full_at, int64_t now, int64_t pause_ns)
{
    int64_t at = plausible_full_at(b, full_at, now), then = now + pause_ns + b->room_ns;

    return at > then ? at : then;
}

/* --- the shared file ---------------------------------------------------------------------------------------------- */

struct state {
    char head[HEAD]; /* a mark of the file format, and the id of the boot to which the file's instants belong */
    int64_t full_at[OG_ENDPOINTS];
};

struct og_budget {
    struct og_bucket bucket[OG_ENDPOINTS];
    char head[HEAD];
    int fd;               /* -1: there is no file, and this process counts only its own requests */
    int64_t locked_since; /* when the first of the present series of failed attempts to lock the file was made; 0 if the
                           * last attempt succeeded */
    bool locked;          /* this process holds the lock */
    struct state state;   /* contents of the file when it was last locked */
};

static void write_head(char head[HEAD])
{
    char boot[BOOT_ID + 1] = "";
    int fd = open("/proc/sys/kernel/random/boot_id", O_RDONLY | O_CLOEXEC);
    ssize_t n = fd >= 0 ? read(fd, boot, BOOT_ID) : 0;

    if (fd >= 0)
        close(fd);
    boot[n > 0 ? n : 0] = '\0';
    memset(head, ' ', HEAD);
    head[snprintf(head, HEAD - 1, "ordergate budgets 1 %s", boot)] = ' ';
    head[HEAD - 1] = '\n';
}

/* Make the file's name: a digest, which does not reveal the address or the key. */
static bool file_name(const struct og_settings *s, char *to, size_t size)
{
    struct og_digest_text digest;
    char *text = NULL;
    int n = asprintf(&text, "%s\n%s", s->base_url, s->key_id);
    bool ok = n >= 0;

    for (char *c = text; ok && *c != '\n'; c++)
        *c = (char)tolower((unsigned char)*c);
    ok = ok && og_digest(text, (size_t)n, &digest);
    if (ok)
        snprintf(to, size, "budgets/%.32s", digest.s + strlen("sha256:"));
    free(n >= 0 ? text : NULL);
    return ok;
}

static int open_file(const struct og_settings *s)
{
    struct og_error err = { 0 };
    char name[64], path[PATH_MAX];
    int fd;

    if (!file_name(s, name, sizeof name) || og_state_dir_file(name, path, sizeof path, &err) != OG_OK) {
        og_log(OG_LOG_WARNING, "request budgets are not shared with other processes: %s", err.text);
        return -1;
    }
    if (og_file_open(path, OG_FILE_MAKE, &fd, NULL, &err) != OG_OK)
        og_log(OG_LOG_WARNING, "request budgets are not shared with other processes: %s", err.text);
    return fd;
}

static void count_alone(struct og_budget *b, const char *why)
{
    og_log(OG_LOG_WARNING, "request budgets are no longer shared with other processes: their file %s", why);
    close(b->fd);
    b->fd = -1;
}

static void read_state(struct og_budget *b)
{
    struct state seen;
    ssize_t n = pread(b->fd, &seen, sizeof seen, 0);

    if (n == (ssize_t)sizeof seen && memcmp(seen.head, b->head, HEAD) == 0) {
        b->state = seen;
        return;
    }
    if (n < 0) {
        count_alone(b, strerror(errno));
        return;
    }
    memset(&b->state, 0, sizeof b->state); /* the file is new, or was written after another boot or in another format:
                                            * every bucket is full */
    memcpy(b->state.head, b->head, HEAD);
    if (pwrite(b->fd, &b->state, sizeof b->state, 0) != (ssize_t)sizeof b->state)
        count_alone(b, "cannot be written");
}

/* Lock and read the file.  Returns false if another process has it locked now. */
static bool lock_state(struct og_budget *b, int64_t now)
{
    if (b->fd < 0)
        return true;
    if (flock(b->fd, LOCK_EX | LOCK_NB) != 0) {
        if (b->locked_since == 0)
            b->locked_since = now;
        if (now - b->locked_since < OG_BUDGET_LOCKED_NS)
            return false;
        count_alone(b, "stays locked");
        return true;
    }
    b->locked_since = 0;
    b->locked = true;
    read_state(b);
    return true;
}

static void unlock_state(struct og_budget *b)
{
    if (b->fd >= 0 && b->locked)
        flock(b->fd, LOCK_UN);
    b->locked = false;
}

static void set_full_at(struct og_budget *b, enum og_endpoint call, int64_t full_at)
{
    off_t at = (off_t)(offsetof(struct state, full_at) + (size_t)call * sizeof full_at);

    b->state.full_at[call] = full_at;
    if (b->fd >= 0 && pwrite(b->fd, &full_at, sizeof full_at, at) != (ssize_t)sizeof full_at)
        count_alone(b, "cannot be written");
}

/* --- the budgets -------------------------------------------------------------------------------------------------- */

struct og_budget *og_budget_open(const struct og_settings *settings)
{
    struct og_budget *b = calloc(1, sizeof *b);
    bool any = false;

    if (!b)
        return NULL;
    for (int i = 0; i < OG_ENDPOINTS; i++) {
        og_bucket_init(&b->bucket[i], settings->budget[i].rate, settings->budget[i].burst, i == OG_ENDPOINT_CANCEL);
        any = any || b->bucket[i].period_ns != 0;
    }
    write_head(b->head);
    b->fd = any ? open_file(settings) : -1;
    return b;
}

void og_budget_close(struct og_budget *b)
{
    if (!b)
        return;
    if (b->fd >= 0)
        close(b->fd);
    free(b);
}

static int64_t ms_of(int64_t ns)
{
    return (ns + NS_PER_MS - 1) / NS_PER_MS;
}

int64_t og_budget_take(struct og_budget *b, enum og_endpoint call, bool urgent)
{
    const struct og_bucket *bucket = &b->bucket[call];
    int64_t now = (int64_t)og_time_up(), wait;

    if (bucket->period_ns == 0)
        return 0;
    if (!lock_state(b, now))
        return 1;
    wait = og_bucket_wait(bucket, b->state.full_at[call], now, urgent);
    if (wait == 0)
        set_full_at(b, call, og_bucket_after(bucket, b->state.full_at[call], now));
    unlock_state(b);
    return ms_of(wait);
}

int64_t og_budget_wait(struct og_budget *b, enum og_endpoint call)
{
    int64_t now = (int64_t)og_time_up(), wait;

    if (b->bucket[call].period_ns == 0)
        return 0;
    if (!lock_state(b, now))
        return 1;
    wait = og_bucket_wait(&b->bucket[call], b->state.full_at[call], now, false);
    unlock_state(b);
    return ms_of(wait);
}

/* If another process has locked the file, nothing is written to it; the queue of this process pauses anyway. */
void og_budget_empty(struct og_budget *b, enum og_endpoint call, int64_t pause_ms)
{
    int64_t now = (int64_t)og_time_up();

    if (b->bucket[call].period_ns == 0 || !lock_state(b, now))
        return;
    set_full_at(b, call, og_bucket_emptied(&b->bucket[call], b->state.full_at[call], now, pause_ms * NS_PER_MS));
    unlock_state(b);
}

int64_t og_backoff_ms(int n, uint32_t random)
{
    int64_t most = n <= 1 ? OG_BUSY_FIRST_MS : n >= 7 ? OG_BUSY_MOST_MS : INT64_C(1) * OG_BUSY_FIRST_MS << (n - 1);

    if (most > OG_BUSY_MOST_MS)
        most = OG_BUSY_MOST_MS;
    if (n <= 1)
        return 1000 + (int64_t)(random % 1001);
    return most / 2 + (int64_t)(random % (uint32_t)(most / 2 + 1));
}
