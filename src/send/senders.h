/*
 * How ordergate halt and running senders meet: the name of a sender's socket.
 */
#ifndef OG_SEND_SENDERS_H
#define OG_SEND_SENDERS_H

#include <stddef.h>
#include <sys/socket.h>
#include <sys/un.h>

#define OG_SENDERS_MOST ((size_t)32768) /* bytes of a question or an answer */

/* The abstract address of a sender, by effective user, process and a random number.  Returns its size. */
socklen_t og_senders_address(struct sockaddr_un *at, unsigned long user, long pid, unsigned long long random);

#endif
