/*
 * The values with which nulls.py calls every public function.
 */
#pragma once

#include <limits.h>
#include <string.h>
#include <sys/stat.h>

#include "ordergate/broker.h"
#include "ordergate/calendar.h"
#include "ordergate/desk.h"
#include "ordergate/diff.h"
#include "ordergate/emergency.h"
#include "ordergate/expressions.h"
#include "ordergate/file.h"
#include "ordergate/halt.h"
#include "ordergate/ledger.h"
#include "ordergate/lint.h"
#include "ordergate/log.h"
#include "ordergate/money.h"
#include "ordergate/ordergate.h"
#include "ordergate/origins.h"
#include "ordergate/policy_test.h"
#include "ordergate/requests.h"
#include "ordergate/rules.h"
#include "ordergate/runs.h"
#include "ordergate/send.h"
#include "ordergate/source.h"
#include "ordergate/watch.h"

struct attempt {
    void (*call)(void);
    const char *spelled;
    bool reads; /* the function reads the bytes of a document */
};
extern const struct attempt attempts[];
extern const int functions, calls;
extern enum og_status answered; /* status of a call that the header requires to return OG_EINVAL */

extern const char *text, *text_out;
extern const char *const texts[];
extern char room[4096], *room_out;
extern void *zeros; /* zeroed memory, as large as any struct that a caller passes */
extern struct og_error err;
extern struct og_book *book, *book_out;
extern struct og_order *order, *orders[1];
extern struct og_scratch *scratch, *scratches[1];
extern struct og_decision decision[64]; /* as many elements as the largest count that is passed */
extern og_ticket ticket, ticket_out;
extern struct og_policy *policy, *own_policy, *policy_out;
extern const struct og_rule *rule;
extern struct og_money money;
extern size_t size;
extern int number;
extern bool flag;
extern int64_t instant, now;
extern long long long_number;
extern struct stat status_of_file;
extern struct og_request *request;
extern struct og_policy_test *tests, *tests_out;
extern struct og_lint_report *report, *report_out;
extern struct og_diff *diff_out;
extern struct og_run_watch *runs_out;
extern struct og_origins *origins_out;
extern char digest[OG_ORDER_DIGEST_SIZE], long_text[8192];

/* Objects that are passed to functions which create others.  The broker file names an address that refuses every
 * connection. */
#define QUICK_NS (1 * OG_NS_PER_MS)
#define SEND_OPTIONS                                                                                                \
    {                                                                                                               \
        .policy = own_policy, .broker = "broker.yaml", .account = "L1", .ledger = "ledger.db", .wait_ns = QUICK_NS, \
        .timeout_ns = QUICK_NS                                                                                      \
    }
#define CLIENT_OPTIONS                                                                        \
    {                                                                                         \
        .broker = "broker.yaml", .account = "L1", .wait_ns = QUICK_NS, .timeout_ns = QUICK_NS \
    }
#define WATCH_OPTIONS                                                              \
    {                                                                              \
        .broker = "broker.yaml", .account = "L1", .for_ns = QUICK_NS, .line = hear \
    }

#define WAIVER                                                                                               \
    {                                                                                                        \
        .account = "L1", .id = "a", .rule = "buying-power", .by = "b", .reason = "c", .for_ns = OG_NS_PER_S, \
        .digest = digest                                                                                     \
    }
int hear(void *with, const char *line, size_t len);
void hear_path(void *with, const char *path);
int hear_usage(void *with, const struct og_usage *usage);
void hear_run(void *with, const struct og_run_seen *run);
void hear_pulse(void *with, const struct og_sender_pulse *pulse);
const struct og_usage *a_usage(void);
struct og_sender *a_sender(void); /* returns a sender, already started if the text given to it is a document */
struct og_client *a_client(void);
struct og_basket *a_basket(void);
struct og_ledger *a_ledger(void);
struct og_watch *a_watch(void);
struct og_run_watch *a_runs(void);
struct og_diff *a_diff(void);
struct og_origins *a_origins(void);
struct og_policy_source *a_source(void);
struct og_halt_watch *a_halt_watch(void);
struct og_policy_coverage *a_coverage(void);
struct og_show *a_show(void);
