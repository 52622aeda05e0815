/*
 * Getting out: cancels without a sender, for when a strategy hangs or the ledger cannot be written.
 * They may spend the part of the cancels' budget that is kept for emergencies.  It refuses to say that an order is
 * canceled: it says what the broker answered.
 */
#ifndef ORDERGATE_EMERGENCY_H
#define ORDERGATE_EMERGENCY_H

#include "ordergate/broker.h"

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

#ifdef __cplusplus
}
#endif
#endif
