/*
 * What `ordergate halt` and running senders share: the name of a sender's socket, and the messages exchanged over it.
 */
#pragma once

#include <stddef.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>

#include "base/str.h"
#include "ordergate/emergency.h"

#define OG_SENDERS_MOST ((size_t)32768) /* maximum size in bytes of a question, or of an answer about a halt */
/* maximum size of a snapshot in bytes. It is sent as one packet, which fits into the default buffer of a socket on
 * Linux */
#define OG_SENDERS_SNAPSHOT_MOST ((size_t)131072)

/* Write the abstract address of a sender's socket, made of the effective user, the process and a random number. Returns
 * its size. */
socklen_t og_senders_address(struct sockaddr_un *at, unsigned long user, long pid, unsigned long long random);

enum og_senders_asks {
    OG_SENDERS_ASKS_NOTHING = 0,
    OG_SENDERS_ASKS,
    OG_SENDERS_TELLS,
    OG_SENDERS_REPLACES,
    OG_SENDERS_ASKS_STATUS
};
/* Read a question. Returns OG_SENDERS_ASKS_STATUS if it asks for a snapshot; OG_SENDERS_ASKS if it asks which halt the
 * sender obeys; OG_SENDERS_TELLS if it gives the sender a halt to obey in addition; OG_SENDERS_REPLACES if it gives a
 * halt that replaces the present one (both set *halt); OG_SENDERS_ASKS_NOTHING if the question cannot be read. */
enum og_senders_asks og_senders_read_question(const char *bytes, size_t len, struct og_halt *halt);

struct og_senders_who {
    unsigned long user;
    long pid;     /* as the sender's socket has it: within a container, if the sender is in one */
    long process; /* its process id here, from the kernel; 0 if it has none here, or no connection was made */
};
/* Called with the snapshot of a sender of this user (for root: of any user). The text comes from another process, and
 * is not checked. json is NULL if the sender did not answer in time. */
typedef void og_senders_snapshot(void *with, const struct og_senders_who *who, struct og_str json);
/* Ask all senders for their snapshots; if `only` is not 0, only that process. Returns the statuses of
 * og_senders_ask(). */
enum og_status og_senders_ask_status(long only, int wait_ms, og_senders_snapshot *told, void *with,
                                     struct og_error *err);

/* Read an answer into *heard, except user and pid, which the caller sets.  flag: the flag file that was written; its
 * st_ino is 0 if none was written.  Returns false, and leaves heard->answered false, if the bytes are not an answer. */
bool og_senders_read_answer(const char *bytes, size_t len, const struct og_senders_question *question,
                            const struct stat *flag, struct og_sender_heard *heard);
