/*
 * Asks the running senders of this machine which halt they obey. Each listens on an abstract socket (sentry.c), which
 * the kernel lists in /proc/net/unix. The socket's owner is known from the kernel, not from the socket's name. A sender
 * that does not answer in time does not count as having obeyed.
 */
#include "send/senders.h"

#include <errno.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/buf.h"
#include "base/error.h"
#include "base/time.h"
#include "ordergate/emergency.h"
#include "text/doc.h"

#define NAME         "ordergate-send"
#define SENDERS_MOST 1000
#define NS_PER_MS    UINT64_C(1000000)

socklen_t og_senders_address(struct sockaddr_un *at, unsigned long user, long pid, unsigned long long random)
{
    int n;

    *at = (struct sockaddr_un){ .sun_family = AF_UNIX };
    n = snprintf(at->sun_path + 1, sizeof at->sun_path - 1, NAME "/%lu/%ld/%llx", user, pid, random);
    return (socklen_t)(offsetof(struct sockaddr_un, sun_path) + 1 + (size_t)n);
}

struct asked {
    int fd; /* -1 if no connection to the sender is open; it is closed once the answer was read */
    struct og_senders_who who;
    struct sockaddr_un at;
    socklen_t size; /* of `at` */
};

struct round {
    const struct og_senders_question *q;
    struct asked sender[SENDERS_MOST];
    struct pollfd there[SENDERS_MOST];
    size_t count;
    struct og_buf question;
    struct stat flag; /* the flag file that `ordergate halt` wrote; st_ino is 0 if there is none */
    og_senders_listener *heard;
    og_senders_snapshot *told; /* if set, senders are asked for their snapshots, and q and heard are not used */
    void *with;
    int wait_ms;
    long only; /* id of the only process to ask; 0 if all are asked */
    char answer[OG_SENDERS_SNAPSHOT_MOST];
};

/* --- which senders there are -------------------------------------------------------------------------------------- */

static void connect_to(struct round *r, const struct sockaddr_un *at, socklen_t size, unsigned long user, long pid)
{
    struct asked *a = &r->sender[r->count];
    struct ucred who;
    socklen_t room = sizeof who;
    long process = 0;
    int fd = socket(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
    bool there = fd >= 0 && connect(fd, (const struct sockaddr *)at, size) == 0;

    if (fd >= 0 && !there && errno == ECONNREFUSED) { /* connection refused: the sender has ended */
        close(fd);
        return;
    }
    if (there && getsockopt(fd, SOL_SOCKET, SO_PEERCRED, &who, &room) == 0) {
        if (who.uid != user) {
            close(fd); /* the socket of that name belongs to another user */
            return;
        }
        process = who.pid;
    }
    if (!there || send(fd, r->question.s, r->question.len, MSG_NOSIGNAL) < 0) {
        if (fd >= 0)
            close(fd);
        fd = -1;
    }
    *a = (struct asked){ .fd = fd, .who = { user, pid, process }, .at = *at, .size = size };
    r->count++;
}

/* If a line of /proc/net/unix is about a sender's socket, ask that sender. The line has seven columns and then the
 * name, in which '@' stands for the initial NUL. A sender's connected sockets have the same name; only the listening
 * one has __SO_ACCEPTCON among its flags. */
static void take_line(struct round *r, const char *line)
{
    unsigned long flags, user;
    long pid;
    unsigned long long random;
    const char *name = strstr(line, "@" NAME "/");
    struct sockaddr_un at;
    socklen_t size;

    if (!name || r->count == SENDERS_MOST || sscanf(line, "%*s %*s %*s %lx", &flags) != 1 || (flags & 0x10000) == 0 ||
        sscanf(name, "@" NAME "/%lu/%ld/%llx", &user, &pid, &random) != 3 || (geteuid() != 0 && user != geteuid()) ||
        (r->only && pid != r->only))
        return;
    size = og_senders_address(&at, user, pid, random);
    connect_to(r, &at, size, user, pid);
}

static enum og_status find(struct round *r, struct og_error *err)
{
    FILE *f = fopen("/proc/net/unix", "re");
    char line[512];

    if (!f)
        return og_fail_because(err, OG_EIO, errno, "running senders cannot be found: /proc/net/unix: %s",
                               strerror(errno));
    while (fgets(line, sizeof line, f))
        take_line(r, line);
    fclose(f);
    return OG_OK;
}

/* --- what the senders answer -------------------------------------------------------------------------------------- */

static bool trading_of(const cJSON *doc, enum og_trading *trading)
{
    struct og_str word;

    if (!og_doc_str(doc, "trading", &word))
        return false;
    for (int i = OG_TRADING_ON; i <= OG_TRADING_HALTED_ALL; i++)
        if (og_str_is(word, og_trading_name((enum og_trading)i))) {
            *trading = (enum og_trading)i;
            return true;
        }
    return false;
}

static void copy(const cJSON *doc, const char *key, char *to, size_t size)
{
    struct og_str text;

    if (og_doc_str(doc, key, &text))
        snprintf(to, size, "%.*s", (int)(text.len < size ? text.len : size - 1), text.s);
}

enum og_senders_asks og_senders_read_question(const char *bytes, size_t len, struct og_halt *halt)
{
    enum og_senders_asks asks = OG_SENDERS_ASKS_NOTHING;
    const cJSON *write;
    struct og_str ask;
    cJSON *doc = NULL;
    bool replace = false;

    if (og_doc_read(bytes, len, "question", &doc, NULL) != OG_OK)
        return asks;
    *halt = (struct og_halt){ .trading = OG_TRADING_ON };
    write = og_doc_get(doc, "write");
    (void)og_doc_bool(write, "replace", &replace);
    if (!write)
        asks = og_doc_str(doc, "ask", &ask) && og_str_is(ask, "status") ? OG_SENDERS_ASKS_STATUS : OG_SENDERS_ASKS;
    else if (trading_of(write, &halt->trading))
        asks = replace || halt->trading == OG_TRADING_ON ? OG_SENDERS_REPLACES : OG_SENDERS_TELLS;
    copy(write, "at", halt->at, sizeof halt->at);
    copy(write, "by", halt->by, sizeof halt->by);
    copy(write, "reason", halt->reason, sizeof halt->reason);
    cJSON_Delete(doc);
    return asks;
}

/* Returns true if the sender has seen the flag file in its present state. Sets h->path, and h->reads if the sender
 * checks that flag. */
static bool has_seen(const struct og_senders_question *q, const struct stat *flag, const cJSON *doc,
                     struct og_sender_heard *h)
{
    const cJSON *item;
    bool seen = false;

    cJSON_ArrayForEach (item, og_doc_get(doc, "flags")) {
        struct og_str path = { NULL, 0 };
        enum og_trading trading;
        int64_t device = 0, inode = 0;
        bool same;

        (void)og_doc_str(item, "path", &path);
        (void)og_doc_int(item, "device", &device);
        (void)og_doc_int(item, "inode", &inode);
        if (h->path[0] == '\0' && path.len < sizeof h->path)
            copy(item, "path", h->path, sizeof h->path);
        same = (q->path && og_str_is(path, q->path)) ||
               (flag->st_ino != 0 && (uint64_t)inode == flag->st_ino && (uint64_t)device == flag->st_dev);
        h->reads |= same;
        seen |= same && trading_of(item, &trading) && trading == q->halt->trading;
    }
    return seen;
}

bool og_senders_read_answer(const char *bytes, size_t len, const struct og_senders_question *q, const struct stat *flag,
                            struct og_sender_heard *h)
{
    bool left = false, seen;
    cJSON *doc = NULL;

    if (og_doc_read(bytes, len, "answer", &doc, NULL) != OG_OK || !trading_of(doc, &h->trading)) {
        cJSON_Delete(doc);
        return false;
    }
    (void)og_doc_bool(doc, "obeyed", &left);
    seen = has_seen(q, flag, doc, h);
    h->answered = true;
    h->obeyed = (seen || q->everywhere) && left &&
                (q->halt->trading == OG_TRADING_ON ? h->trading == OG_TRADING_ON : h->trading >= q->halt->trading);
    copy(doc, "fault", h->fault, sizeof h->fault);
    cJSON_Delete(doc);
    return true;
}

static void no_answer_of(struct round *r, const struct asked *a)
{
    const struct og_sender_heard none = { .user = a->who.user, .pid = a->who.pid };

    if (r->told)
        r->told(r->with, &a->who, (struct og_str){ NULL, 0 });
    else
        r->heard(r->with, &none);
}

/* Returns false if the sender has ended. A sender that runs closes a connection unanswered if it has too many. */
static bool still_runs(const struct asked *a)
{
    int fd = socket(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
    bool runs = fd < 0 || connect(fd, (const struct sockaddr *)&a->at, a->size) == 0 || errno != ECONNREFUSED;

    if (fd >= 0)
        close(fd);
    return runs;
}

static void hear(struct round *r, struct asked *a)
{
    ssize_t len = recv(a->fd, r->answer, sizeof r->answer, MSG_DONTWAIT);
    struct og_sender_heard h = { .user = a->who.user, .pid = a->who.pid };

    close(a->fd);
    a->fd = -1;
    if (len == 0) {
        if (still_runs(a))
            no_answer_of(r, a);
        return;
    }
    if (r->told) {
        r->told(r->with, &a->who, (struct og_str){ len > 0 ? r->answer : NULL, len > 0 ? (size_t)len : 0 });
        return;
    }
    if (len > 0)
        (void)og_senders_read_answer(r->answer, (size_t)len, r->q, &r->flag, &h);
    r->heard(r->with, &h);
}

static void listen_to_all(struct round *r)
{
    uint64_t until = og_time_up() + (uint64_t)r->wait_ms * NS_PER_MS, now;
    size_t left = 0;

    for (size_t i = 0; i < r->count; i++) {
        r->there[i] = (struct pollfd){ .fd = r->sender[i].fd, .events = POLLIN };
        left += r->sender[i].fd >= 0;
    }
    while (left > 0 && (now = og_time_up()) < until) {
        if (poll(r->there, r->count, (int)((until - now) / NS_PER_MS) + 1) < 0 && errno != EINTR)
            break;
        for (size_t i = 0; i < r->count; i++)
            if (r->there[i].fd >= 0 && r->there[i].revents != 0) {
                hear(r, &r->sender[i]);
                r->there[i].fd = -2 - r->there[i].fd; /* the answer was read: poll() skips negative descriptors */
                left--;
            }
    }
    for (size_t i = 0; i < r->count; i++) {
        if (r->there[i].fd >= -1)
            no_answer_of(r, &r->sender[i]);
        if (r->sender[i].fd >= 0)
            close(r->sender[i].fd);
    }
}

static void write_question(struct round *r)
{
    const struct og_halt *h = r->q ? r->q->halt : NULL;
    struct og_buf *b = &r->question;

    if (r->told) {
        og_buf_text(b, "{\"ask\":\"status\"}");
        return;
    }
    if (!r->q->everywhere) {
        og_buf_text(b, "{\"ask\":\"obeyed\"}");
        return;
    }
    og_buf_format(b, "{\"write\":{\"trading\":\"%s\",\"at\":", og_trading_name(h->trading));
    og_buf_json_str(b, og_str_of(h->at));
    og_buf_text(b, ",\"by\":");
    og_buf_json_str(b, og_str_of(h->by));
    og_buf_text(b, ",\"reason\":");
    og_buf_json_str(b, og_str_of(h->reason));
    og_buf_text(b, r->q->replace ? ",\"replace\":true}}" : "}}");
}

/* Ask all senders, and free the round. */
static enum og_status ask(struct round *r, struct og_error *err)
{
    enum og_status status = OG_ENOMEM;

    og_buf_init(&r->question, OG_SENDERS_MOST);
    write_question(r);
    if (!r->question.bad && (status = find(r, err)) == OG_OK)
        listen_to_all(r);
    og_buf_clear(&r->question);
    free(r);
    return status;
}

enum og_status og_senders_ask(const struct og_senders_question *question, og_senders_listener *heard, void *with,
                              struct og_error *err)
{
    struct round *r;

    if (!question || !heard)
        return og_missing(err);
    r = calloc(1, sizeof *r);
    if (!r)
        return og_fail(err, OG_ENOMEM, "out of memory");
    r->q = question;
    r->heard = heard;
    r->with = with;
    r->wait_ms = question->wait_ms;
    if (question->path && stat(question->path, &r->flag) != 0)
        r->flag = (struct stat){ .st_ino = 0 };
    return ask(r, err);
}

enum og_status og_senders_ask_status(long only, int wait_ms, og_senders_snapshot *told, void *with,
                                     struct og_error *err)
{
    struct round *r = calloc(1, sizeof *r);

    if (!r)
        return og_fail(err, OG_ENOMEM, "out of memory");
    r->only = only;
    r->told = told;
    r->with = with;
    r->wait_ms = wait_ms;
    return ask(r, err);
}
