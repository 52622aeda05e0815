/*
 * Getting out: cancels without a sender, for when a strategy hangs or the ledger cannot be written; and the running
 * senders of this machine, asked whether they obey a halt.
 * They may spend the part of the cancels' budget that is kept for emergencies.  It refuses to say that an order is
 * canceled: it says what the broker answered.
 * NULL where it is not allowed: OG_EINVAL; a function without a status answers as if there were nothing.
 */
#ifndef ORDERGATE_EMERGENCY_H
#define ORDERGATE_EMERGENCY_H

#include "ordergate/broker.h"
#include "ordergate/halt.h"

#ifdef __cplusplus
extern "C" {
#endif

/* One line: {"accountId","clientOrderId" (null: all),"http","kind","text"}; it lives during the call. */
typedef int og_emergency_listener(void *with, const char *json, size_t len);

/* DELETE every order that the ledger knows and does not know the end of; ledger NULL: the default one.  *failed: those
 * whose DELETE was neither answered 200 nor 404 (not there any more).
 *   OG_OK        all were asked for
 *   OG_ENOENT    there is no ledger: this gate made no order
 *   OG_ELEDGER   it cannot be read
 *   OG_EIO       the listener did not take a line
 *   OG_ENOMEM */
OG_API OG_MUST_USE enum og_status og_emergency_cancel_own(struct og_client *client, const char *ledger,
                                                          const char *account, og_emergency_listener *line, void *with,
                                                          int *failed, struct og_error *err);
/* DELETE orders for the account, or for every account the keys reach (NULL). */
OG_API OG_MUST_USE enum og_status og_emergency_cancel_all(struct og_client *client, const char *account,
                                                          og_emergency_listener *line, void *with, int *failed,
                                                          struct og_error *err);

/* What one sender of this machine says; of its own user, and to root of every user. */
struct og_sender_heard {
    unsigned long user; /* its effective user id, by the kernel */
    long pid;           /* as it says; in a container its own number */
    bool answered;      /* in time; else nothing below is known */
    bool reads;         /* it looks at the flag that was asked about */
    bool obeyed; /* it has seen that flag as it is, or was told, and no order that passed before is still leaving */
    enum og_trading trading; /* what it obeys now, by all its flags */
    char path[4096];         /* its user's flag; "" */
    char fault[440];         /* why a flag of its halts although it cannot be read; "" */
};
typedef void og_senders_listener(void *with, const struct og_sender_heard *heard);
struct og_senders_question {
    const struct og_halt *halt; /* as it was written */
    const char *path;           /* where; NULL: nowhere */
    bool everywhere; /* each writes it into the flag of its own user as well, whichever state folder that is in;
                                 * where it cannot, it obeys until it is told otherwise or ends */
    int wait_ms;     /* for all answers together */
};
/* Ask all of them at once; each is told to the listener once.  A sender in another network namespace is not found.
 *   OG_EIO     the kernel's list of sockets cannot be read
 *   OG_ENOMEM  In both nobody was asked. */
OG_API OG_MUST_USE enum og_status og_senders_ask(const struct og_senders_question *question, og_senders_listener *heard,
                                                 void *with, struct og_error *err);

#ifdef __cplusplus
}
#endif
#endif
