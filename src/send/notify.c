/*
 * Tells the service manager of the run.  Nothing here waits: a datagram that the manager's socket does not take is
 * dropped, and the next one says the same or newer.
 */
#include "send/notify.h"

#include <errno.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include "base/error.h"
#include "send/sender.h"

/* the tick comes at least every OG_TICK_MOST_MS, and half of the watchdog's time must not be less */
#define WATCHDOG_LEAST_NS ((int64_t)2 * OG_TICK_MOST_MS * OG_NS_PER_MS)

static void tell(struct og_sender *s, const char *message)
{
    struct og_notify *n = &s->notify;

    if (n->fd == 0 || send(n->fd - 1, message, strlen(message), MSG_DONTWAIT | MSG_NOSIGNAL) >= 0)
        return;
    if (!n->failed && errno != EAGAIN)
        og_send_warn(s, "the service manager cannot be told of this run: %s", strerror(errno));
    n->failed = n->failed || errno != EAGAIN;
}

/* Returns the address's size; 0 if `name` is neither an absolute path nor, after '@', a name of the kernel's. */
static socklen_t address(const char *name, struct sockaddr_un *at)
{
    const size_t len = strlen(name);

    *at = (struct sockaddr_un){ .sun_family = AF_UNIX };
    if ((name[0] != '/' && name[0] != '@') || len < 2 || len >= sizeof at->sun_path)
        return 0;
    memcpy(at->sun_path, name, len);
    if (name[0] == '@')
        at->sun_path[0] = '\0'; /* such a name has no NUL at its end */
    return (socklen_t)(offsetof(struct sockaddr_un, sun_path) + len + (name[0] == '/'));
}

enum og_status og_send_notify_begin(struct og_sender *s, struct og_error *err)
{
    const char *name = s->options.notify_socket;
    struct sockaddr_un at;
    socklen_t size;
    int fd;

    s->notify.watchdog_ms = INT64_MAX;
    if (!name)
        return OG_OK;
    if ((size = address(name, &at)) == 0)
        return og_fail(err, OG_EINVAL,
                       "the service manager's socket '%s' (NOTIFY_SOCKET) is neither an absolute path nor @NAME", name);
    if (s->options.watchdog_ns < 0 || (s->options.watchdog_ns > 0 && s->options.watchdog_ns < WATCHDOG_LEAST_NS))
        return og_fail(err, OG_EINVAL, "the watchdog's time (WatchdogSec) is %lld ms, allowed are %d and more",
                       (long long)(s->options.watchdog_ns / OG_NS_PER_MS), 2 * OG_TICK_MOST_MS);
    fd = socket(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC, 0);
    if (fd < 0)
        return og_fail_because(err, OG_EIO, errno, "no socket can be made: %s", strerror(errno));
    s->notify.fd = fd + 1;
    if (connect(fd, (const struct sockaddr *)&at, size) != 0) {
        og_send_warn(s, "the service manager's socket '%s' (NOTIFY_SOCKET) cannot be reached: %s", name,
                     strerror(errno));
        og_send_notify_end(s);
    }
    return OG_OK;
}

static void tell_status(struct og_sender *s)
{
    struct og_notify *n = &s->notify;
    char text[sizeof n->status], message[sizeof n->status + 16];

    if (og_send_ms(s) < n->status_ms)
        return;
    n->status_ms = og_send_ms(s) + OG_NOTIFY_STATUS_MS;
    og_send_status_text(s, text, sizeof text);
    if (strcmp(text, n->status) == 0)
        return;
    memcpy(n->status, text, sizeof text);
    snprintf(message, sizeof message, "STATUS=%s", text);
    tell(s, message);
}

void og_send_notify_due(struct og_sender *s)
{
    struct og_notify *n = &s->notify;

    if (n->fd == 0)
        return;
    if (s->phase == OG_RUNNING && !n->ready) {
        n->ready = true;
        tell(s, "READY=1");
        n->watchdog_ms = s->options.watchdog_ns > 0 ? og_send_ms(s) : INT64_MAX;
    }
    tell_status(s);
    if (og_send_ms(s) >= n->watchdog_ms) {
        n->watchdog_ms = og_send_ms(s) + s->options.watchdog_ns / OG_NS_PER_MS / 3;
        tell(s, "WATCHDOG=1");
    }
}

void og_send_notify_stopping(struct og_sender *s)
{
    tell(s, "STOPPING=1");
}

int64_t og_send_notify_next(const struct og_sender *s)
{
    return s->notify.fd > 0 ? s->notify.watchdog_ms : INT64_MAX;
}

void og_send_notify_end(struct og_sender *s)
{
    if (s->notify.fd > 0)
        close(s->notify.fd - 1);
    s->notify.fd = 0;
}
