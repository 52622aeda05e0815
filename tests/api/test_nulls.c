/*
 * Calls every public function with NULL for each of its pointers, and with numbers out of range: each must return.
 *  Each call is made in a process of its own, from the same state.
 */
#include <arpa/inet.h>
#include <netinet/in.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include "nulls.h"

const char *text = "AAPL", *text_out;
const char *const texts[] = { "default", NULL };
char room[4096], *room_out;
static _Alignas(64) char nothing[1 << 16];
void *zeros = nothing;
struct og_error err;
struct og_book *book, *book_out;
struct og_order *order, *orders[1];
struct og_scratch *scratch, *scratches[1];
struct og_decision decision[64];
og_ticket ticket, ticket_out;
struct og_policy *policy, *own_policy, *policy_out;
static struct og_policy *small_policy; /* of one rule, for diffs, which take long by all rules when sanitized */
const struct og_rule *rule;
struct og_money money;
size_t size;
int number;
bool flag;
int64_t instant, now = INT64_C(1768496400000000000);
long long long_number;
struct stat status_of_file;
struct og_request *request;
struct og_policy_test *tests, *tests_out;
struct og_lint_report *report, *report_out;
struct og_diff *diff_out;
struct og_run_watch *runs_out;
struct og_origins *origins_out;
char digest[OG_ORDER_DIGEST_SIZE], long_text[8192];
enum og_status answered = OG_EINVAL;

static void must(bool ok, const char *what)
{
    if (ok)
        return;
    fprintf(stderr, "test_nulls: %s: %s\n", what, err.text);
    exit(2);
}

/* --- objects that a call has for itself --------------------------------------------------------------------------- */

int hear_usage(void *with, const struct og_usage *usage)
{
    (void)with;
    (void)usage;
    return 0;
}

const struct og_usage *a_usage(void)
{
    static const struct og_usage usage = { .has_used = true, .used = { 5, 0 }, .allowed = { 10, 0 } };

    return &usage;
}

void hear_run(void *with, const struct og_run_seen *run)
{
    (void)with;
    must(run->id != NULL, "a run is told");
}

void hear_pulse(void *with, const struct og_sender_pulse *pulse)
{
    (void)with;
    (void)pulse;
}

void hear_path(void *with, const char *path)
{
    (void)with;
    must(path != NULL, "a path is told");
}

int hear(void *with, const char *bytes, size_t len)
{
    (void)with;
    return len > 0 && bytes ? 0 : 1;
}

struct og_sender *a_sender(void)
{
    const struct og_send_options options = SEND_OPTIONS;
    struct og_sender *s;

    must(og_sender_new(&options, &s, &err) == OG_OK, "no sender");
    if (text[0] == '{')
        must(og_sender_start(s, &err) == OG_OK, "the sender does not start");
    return s;
}

struct og_client *a_client(void)
{
    const struct og_client_options options = CLIENT_OPTIONS;
    struct og_client *c;

    must(og_client_open(&options, &c, &err) == OG_OK, "no client");
    return c;
}

struct og_ledger *a_ledger(void)
{
    struct og_ledger *l;

    must(og_ledger_peek("ledger.db", &l, &err) == OG_OK, "no ledger");
    return l;
}

struct og_run_watch *a_runs(void)
{
    struct og_run_watch *r;

    must(og_runs_open("ledger.db", false, &r, &err) == OG_OK, "no watch of runs");
    return r;
}

struct og_watch *a_watch(void)
{
    const struct og_watch_options options = WATCH_OPTIONS;
    struct og_watch *w;

    must(og_watch_new(&options, &w, &err) == OG_OK, "no watch");
    return w;
}

struct og_diff *a_diff(void)
{
    struct og_diff *d;

    must(og_diff_new(small_policy, small_policy, &d) == OG_OK, "no diff");
    return d;
}

struct og_origins *a_origins(void)
{
    struct og_origins *o;

    must(og_origins_all(policy, &o) == OG_OK, "no origins");
    return o;
}

struct og_policy_source *a_source(void)
{
    struct og_policy_source *s = og_policy_source_new(texts, 1, NULL, NULL);

    must(s, "no source");
    return s;
}

struct og_halt_watch *a_halt_watch(void)
{
    struct og_halt_watch *w;

    must(og_halt_watch_new("halt.json", &w, &err) == OG_OK, "no watch of flags");
    return w;
}

struct og_show *a_show(void)
{
    const struct og_show_look look = { .columns = 80 };
    struct og_show *show;

    must(og_show_new(&look, &show) == OG_OK, "no view");
    return show;
}

struct og_basket *a_basket(void)
{
    static const char line[] = "{\"op\":\"basket\",\"orders\":[{}]}";
    struct og_basket *b = og_basket_new();

    must(b && og_basket_read(b, line, sizeof line - 1) == OG_OK, "no basket");
    return b;
}

struct og_policy_coverage *a_coverage(void)
{
    struct og_policy_coverage *c = og_policy_coverage_new(true);

    must(c, "no coverage");
    return c;
}

static void write_file(const char *name, const char *format, int number_in_it)
{
    FILE *f = fopen(name, "w");

    must(f && fprintf(f, format, number_in_it) > 0 && fclose(f) == 0 && chmod(name, 0600) == 0, name);
}

/* Make a broker file that names a port of this process on which nobody listens. */
static void make_broker(void)
{
    struct sockaddr_in at = { .sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK) };
    socklen_t size_of = sizeof at;
    int fd = socket(AF_INET, SOCK_STREAM, 0);

    must(fd >= 0 && bind(fd, (struct sockaddr *)&at, sizeof at) == 0 &&
             getsockname(fd, (struct sockaddr *)&at, &size_of) == 0,
         "no port");
    write_file("secret", "%d12345678\n", 1);
    write_file("broker.yaml",
               "base_url: http://127.0.0.1:%d\nkey_id: k\nsecret_key_file: secret\nenvironment: paper\n"
               "budgets: {GET accounts: off, GET account: off, GET pnl: off, GET positions: off, GET closed: off, "
               "GET cash: off, GET routes: off, GET orders: off, GET order: off, GET history: off, "
               "GET history-pages: off, GET borrow: off, GET locates: off, GET inventory: off}\n",
               ntohs(at.sin_port));
}

static const char line[] =
    "{\"securityType\":\"Stock\",\"symbol\":\"AAPL\",\"side\":\"Buy\",\"openClose\":\"Open\",\"orderType\":"
    "\"Limit\","
    "\"orderQuantity\":100,\"limitPrice\":190,\"timeInForce\":\"Day\",\"clientOrderId\":\"a\"}";

static const char facts[] = "{\"asOf\":\"2026-01-15T17:00:00Z\",\"accountId\":\"L1\",\"account\":{\"account\":\"L1\","
                            "\"bp\":100000},\"positions\":[],\"orders\":[]}";
static const char yaml[] = "ordergate: 1\nname: t\nextends: []\nunsure: warn\nrules:\n  buying-power: info\n";
static const char cases[] = "ordergate-test: 1\npolicy: default\ncases:\n  - name: a\n    order: {}\n    at: "
                            "2026-01-15T10:00:00-05:00\n    expect: {verdict: refuse}\n";
static const char row[] = "{\"accountId\":\"L1\",\"clientOrderId\":\"a\",\"symbol\":\"AAPL\",\"side\":\"Buy\","
                          "\"orderStatus\":\"New\",\"orderQuantity\":100,\"executed\":0,\"leavesQuantity\":100}";
static const char record[] = "{\"record\":\"decision\",\"at\":\"2026-01-15T17:00:00Z\",\"accountId\":\"L1\","
                             "\"outcome\":\"refused\",\"detail\":{\"order\":{\"symbol\":\"AAPL\"}}}";
static const char quote[] = "{\"symbol\":\"AAPL\",\"bid\":1,\"ask\":2,\"asOf\":\"2026-01-15T17:00:00Z\"}";

/* The texts that are passed: the first two to every function, all of them to functions that read bytes. */
static const char *const documents[] = {
    "AAPL", line, "[{}]", facts, yaml, cases, row, record, quote, "{\"op\":\"cancel\",\"clientOrderId\":\"a\"}",
};
enum { DOCUMENTS = sizeof documents / sizeof *documents };

static void make(void)
{
    struct og_policy *p;

    must(og_policy_load("default", &policy, NULL, NULL, &err) == OG_OK, "no policy");
    must(og_policy_load("default", &own_policy, NULL, NULL, &err) == OG_OK, "no policy");
    must(og_policy_read(yaml, sizeof yaml - 1, "t", &p, NULL, NULL, &err) == OG_OK && og_book_new(p, &book) == OG_OK,
         "no book");
    must(og_policy_read(yaml, sizeof yaml - 1, "t", &small_policy, NULL, NULL, &err) == OG_OK, "no policy");
    orders[0] = order = og_order_new();
    scratches[0] = scratch = og_scratch_new();
    request = og_request_new();
    must(order && scratch && request, "out of memory");
    must(og_order_read(order, line, sizeof line - 1) == OG_OK, "no order");
    must(og_book_apply(book, NULL, facts, sizeof facts - 1, "facts", &err) == OG_OK, "no facts");
    must(og_reserve(book, order, now, scratch, decision, &ticket) == OG_OK && ticket, "no ticket");
    must(og_lint_read(yaml, sizeof yaml - 1, "t", NULL, &report, &err) == OG_OK, "no report");
    must(og_policy_test_read(cases, sizeof cases - 1, "cases", &tests, NULL, NULL, &err) == OG_OK, "no tests");
    rule = og_rules_at(0);
    must(og_order_digest(order, digest) == OG_OK, "no digest");
    memset(long_text, 'x', sizeof long_text - 1);
    make_broker();
}

static void make_ledger(void)
{
    const struct og_ledger_waiver waiver = WAIVER;

    text = line;
    (void)a_sender();
    must(og_ledger_waive("ledger.db", &waiver, hear, NULL, &err) == OG_OK, "no record");
}

enum { NOT_REFUSED = 77 };

/* Returns the status of the process that made the call. */
static int status_of(void (*call)(void))
{
    int status = 0;
    pid_t pid;

    fflush(stdout); /* otherwise every child would write the buffered output once more */
    pid = fork();
    must(pid >= 0, "cannot fork");
    if (pid == 0) {
        const struct rlimit no_core = { 0, 0 };

        (void)setrlimit(RLIMIT_CORE, &no_core);
        if (!freopen("/dev/null", "r", stdin) || !freopen("/dev/null", "w", stdout) ||
            !freopen("/dev/null", "w", stderr))
            _exit(3);
        alarm(20);
        call();
        _exit(answered == OG_EINVAL ? 0 : NOT_REFUSED);
    }
    must(waitpid(pid, &status, 0) == pid, "no child");
    return status;
}

int main(void)
{
    char folder[] = "/tmp/nulls-XXXXXX";
    int failed = 0, made = 0;

    must(mkdtemp(folder) && chdir(folder) == 0 && setenv("XDG_STATE_HOME", folder, 1) == 0, "no folder");
    make();
    must(status_of(make_ledger) == 0, "no ledger");
    for (int of = 0; of < DOCUMENTS * calls; of++) {
        const struct attempt *a = &attempts[of / DOCUMENTS];
        int status;

        if (of % DOCUMENTS >= 2 && !a->reads)
            continue;
        text = documents[of % DOCUMENTS];
        status = status_of(a->call);
        made++;
        if (status == 0)
            continue;
        failed++;
        printf("%s, text '%.12s': %s %d%s\n", a->spelled, text, WIFSIGNALED(status) ? "signal" : "exit",
               WIFSIGNALED(status) ? WTERMSIG(status) : WEXITSTATUS(status),
               WIFEXITED(status) && WEXITSTATUS(status) == NOT_REFUSED ? ": not OG_EINVAL" : "");
    }
    printf("%d functions, %d calls, %d failed\n", functions, made, failed);
    must(chdir("/") == 0, "no way out");
    snprintf(room, sizeof room, "rm -rf %s", folder);
    if (system(room))
        return 2;
    return failed || functions < 200;
}
