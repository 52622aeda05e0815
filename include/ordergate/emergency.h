/*
 * Emergencies: cancel orders without a sender, when a strategy hangs or the ledger cannot be written, and ask the
 * running senders of this machine whether they obey a halt.
 * The cancels may use the part of the request budget that is reserved for emergencies.  The functions report what the
 * broker answered; they never claim that an order is canceled.
 * Threads: a client belongs to one thread at a time; og_senders_ask() may be called from any thread.
 * Passing NULL where it is not allowed returns OG_EINVAL; a function that returns no status then does nothing and
 * returns an empty value (0, false, NULL or "").
 */
#ifndef ORDERGATE_EMERGENCY_H
#define ORDERGATE_EMERGENCY_H

#include "ordergate/broker.h"
#include "ordergate/halt.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Called with the result of each DELETE: {"accountId","clientOrderId" (null: all orders),"http","kind","text"}, valid
 * during the call. Returns 0 to go on; any other value ends the function with OG_EIO. A listener may be NULL. */
typedef int og_emergency_listener(void *with, const char *json, size_t len);

/* DELETE every order of the ledger that is not known to have ended; ledger NULL means the default ledger. Then DELETE
 * each order that ended there as rejected or not sent, but that the broker's list shows as working with the same terms.
 * A list that cannot be read is reported with clientOrderId null. *failed is the number of such lists, and of DELETEs
 * that were answered neither with 200 nor with 404 (the order no longer exists).
 *   OG_OK        a DELETE was attempted for each
 *   OG_ENOENT    there is no ledger, so this gate sent no order
 *   OG_ELEDGER   the ledger cannot be read
 *   OG_EIO       the listener returned another value than 0
 *   OG_ENOMEM */
OG_API OG_MUST_USE enum og_status og_emergency_cancel_own(struct og_client *client, const char *ledger,
                                                          const char *account, og_emergency_listener *line, void *with,
                                                          int *failed, struct og_error *err);
/* DELETE all orders of the account; NULL: of every account that the keys reach. */
OG_API OG_MUST_USE enum og_status og_emergency_cancel_all(struct og_client *client, const char *account,
                                                          og_emergency_listener *line, void *with, int *failed,
                                                          struct og_error *err);

/* The answer of one sender of this machine.  Only senders of the same user are found; root finds those of all users. */
struct og_sender_heard {
    unsigned long user; /* the sender's effective user id, from the kernel */
    long pid; /* the process id that the sender reports; a sender in a container reports its id within the container */
    bool answered; /* false: no answer came in time, and the members below are not set */
    bool reads;    /* the sender reads the flag that the question is about */
    /* the sender obeys the flag's present state, which it read in the file or took from the question; and every order
     * that it had allowed to leave before it obeyed has been sent */
    bool obeyed;
    enum og_trading trading; /* the state that the sender obeys at present, considering all its flags */
    char path[4096];         /* the path of its user's flag; "" if there is none */
    char fault[440];         /* why a flag that the sender cannot read halts it; "" if there is no such flag */
};
typedef void og_senders_listener(void *with, const struct og_sender_heard *heard);
struct og_senders_question {
    const struct og_halt *halt; /* the flag as it was written */
    const char *path;           /* the flag's path; NULL if it was not written */
    /* each sender is also to write the state into its own user's flag, wherever that user's state folder is. A sender
     * that cannot write its flag obeys until a later question replaces this one, or until the sender ends */
    bool everywhere;
    int wait_ms;  /* how long to wait for all answers together, in ms */
    bool replace; /* only with everywhere: a sender whose flag has a stricter halt replaces it by this one; if false,
                   * the sender keeps the stricter one. A resume always replaces */
};
/* Ask all senders at once, and pass each answer to the listener once.  A sender in another network namespace is not
 * found.
 *   OG_EIO     the kernel's list of sockets cannot be read
 *   OG_ENOMEM  In both no sender was asked. */
OG_API OG_MUST_USE enum og_status og_senders_ask(const struct og_senders_question *question, og_senders_listener *heard,
                                                 void *with, struct og_error *err);

#ifdef __cplusplus
}
#endif
#endif
