/*
 * Includes all headers of libordergate, the library that works offline.
 * The documents that comments cite, such as docs/contract.md, are in the source tree, and are installed in
 * share/doc/ordergate.
 */
#ifndef ORDERGATE_ORDERGATE_H
#define ORDERGATE_ORDERGATE_H

#include "ordergate/book.h"
#include "ordergate/calendar.h"
#include "ordergate/decision.h"
#include "ordergate/expressions.h"
#include "ordergate/file.h"
#include "ordergate/lint.h"
#include "ordergate/log.h"
#include "ordergate/money.h"
#include "ordergate/order.h"
#include "ordergate/policy.h"
#include "ordergate/policy_test.h"
#include "ordergate/requests.h"
#include "ordergate/rules.h"
#include "ordergate/source.h"
#include "ordergate/status.h"
#include "ordergate/time.h"

#endif
