/*
 * Includes all headers of libordergate, the library that works offline.
 * The documents that comments cite, such as docs/contract.md, are in the source tree, and are installed in
 * share/doc/ordergate.
 *
 * Begin here. A gate needs these ten functions, in this order; README.md "Linked as a pre-trade gate" is a program
 * that calls most of them.
 *
 *   og_policy_load()     policy.h    load the policy, from a file or a shipped one such as "default"
 *   og_book_new()        book.h      make the gate from the policy, which the book then owns
 *   og_scratch_new()     book.h      make the memory that a thread needs to decide
 *   og_order_new()       order.h     make an order, to be used again and again
 *   og_book_apply()      book.h      load the facts of an account: at the start, and whenever they were read again;
 *                                    rules that lack facts are unsure, and the policy says what that means
 *   og_order_read()      order.h     decode one order, a JSON object
 *   og_reserve()         book.h      decide the order and, if it is accepted, reserve what it requires; post the order
 *                                    only then
 *   og_ticket_sent()     book.h      report that the broker has the order; if its answer was lost, report nothing: the
 *                                    reservation stays
 *   og_ticket_fill()     book.h      report what filled (og_book_row() reads it from the broker's own row)
 *   og_ticket_release()  book.h      report that the order is over, or certainly was not sent: the rest is available
 *                                    again
 *
 * Functions that make something have a matching og_..._free(). Further functions: og_book_quote() for orders without a
 * limit, og_ticket_rejected(), og_ticket_forget() once the facts in force include all of the order, og_check() to
 * decide without reserving, og_time_now() (time.h) for the instant that deciding needs, and the findings of a decision
 * (decision.h). A program that lets the library send begins with ordergate/send.h instead.
 */
#ifndef ORDERGATE_ORDERGATE_H
#define ORDERGATE_ORDERGATE_H

#include "ordergate/basket.h"
#include "ordergate/book.h"
#include "ordergate/calendar.h"
#include "ordergate/decision.h"
#include "ordergate/diff.h"
#include "ordergate/explain.h"
#include "ordergate/expressions.h"
#include "ordergate/file.h"
#include "ordergate/lint.h"
#include "ordergate/log.h"
#include "ordergate/money.h"
#include "ordergate/order.h"
#include "ordergate/origins.h"
#include "ordergate/policy.h"
#include "ordergate/policy_test.h"
#include "ordergate/requests.h"
#include "ordergate/rules.h"
#include "ordergate/show.h"
#include "ordergate/source.h"
#include "ordergate/status.h"
#include "ordergate/symbol_status.h"
#include "ordergate/time.h"
#include "ordergate/usage.h"

#endif
