/*
 * What `ordergate halt` and running senders share: the name of a sender's socket, and the messages exchanged over it.
 */
#pragma once

#include <stddef.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>

#include "ordergate/emergency.h"

#define OG_SENDERS_MOST ((size_t)32768) /* most bytes of a question or an answer */

/* Write the abstract address of a sender's socket, made of the effective user, the process and a random number. Returns
 * its size. */
socklen_t og_senders_address(struct sockaddr_un *at, unsigned long user, long pid, unsigned long long random);

enum og_senders_asks { OG_SENDERS_ASKS_NOTHING = 0, OG_SENDERS_ASKS, OG_SENDERS_TELLS, OG_SENDERS_REPLACES };
/* Read a question: OG_SENDERS_ASKS if it asks what the sender obeys, OG_SENDERS_TELLS if it tells the sender what to
 * obey beside what it obeys already, OG_SENDERS_REPLACES in place of that (both set *halt), OG_SENDERS_ASKS_NOTHING if
 * it cannot be read. */
enum og_senders_asks og_senders_read_question(const char *bytes, size_t len, struct og_halt *halt);

/* Read an answer into *heard, except user and pid, which the caller sets.  flag: the flag file that was written; its
 * st_ino is 0 if none was written.  Returns false, and leaves heard->answered false, if the bytes are not an answer. */
bool og_senders_read_answer(const char *bytes, size_t len, const struct og_senders_question *question,
                            const struct stat *flag, struct og_sender_heard *heard);
