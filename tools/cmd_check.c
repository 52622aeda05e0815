/*
 * ordergate check: a filter that reads orders, and writes for each a decision, or the accepted orders, in order.
 * It uses only the public API, and does no I/O but on files and pipes.
 */
#include "ordergate/halt.h"
#include "ordergate/ordergate.h"

#include "tools/common/check.h"
#include "tools/common/commands.h"
#include "tools/common/exit.h"
#include "tools/common/messages.h"

#include <errno.h>
#include <fcntl.h>
#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const char usage[] =
    "usage: ordergate check [-p POLICY]... [-f FACTS]... [options] [FILE...]\n"
    "\n"
    "Decides orders offline: reads them as JSON, one a line, and writes one decision a line.\n"
    "\n"
    "  ordergate check -p live -f facts.json < orders.ndjson\n"
    "  ordergate check -f facts.json --orders-only --emit orders < orders.ndjson | ordergate send\n"
    "\n"
    "  -p, --policy POLICY   shipped policy or file; several lie over one another (default: default)\n"
    "  -f, --facts FILE      what is known of the account, JSON; once per account\n"
    "      --require-signature FILE  use only a policy signed for this public key (ordergate policy sign);\n"
    "                            given again: for all of them\n"
    "      --account ID      whose orders these are, for lines without accountId\n"
    "      --at TIME         decide as of this instant (RFC 3339 with offset; default: now)\n"
    "      --emit WHAT       decisions (default), orders (accepted ones, with the account that they or --account "
    "name),\n"
    "                        bodies (as posted)\n"
    "      --orders-only     refuse lines of facts and quotes: who writes the orders does not say what is known\n"
    "      --rejects FILE    write the decisions of refused orders there\n"
    "      --ignore-halt     whatever ordergate halt says; with --at it is ignored anyway, for it is of now\n"
    "      --independent     each order alone: accepted ones do not count for those after them; on the\n"
    "                        processors there are, eight at most\n"
    "      --assume filled   accepted orders count as filled for those after them\n"
    "      --suggest         with refused orders the largest quantity, nearest price or earliest time that would pass\n"
    "      --margin          with each order what it takes of buying power, and what there is\n"
    "  -h, --help            this text\n"
    "\n"
    "Policies and facts whose file is replaced are read again between two orders, policies on SIGHUP too.\n"
    "\n"
    "Other requests are decided too, by the rules that are about them:\n"
    "  {\"op\":\"cancel\",\"clientOrderId\":\"a1\"}\n"
    "  {\"op\":\"locate-quote\",\"account\":\"L1\",\"symbol\":\"GME\",\"quantity\":100,\"quoteReqID\":\"q1\"}\n"
    "  {\"op\":\"locate-accept\",\"accountId\":\"L1\",\"quoteReqID\":\"q1\"}, and locate-cancel likewise\n"
    "  {\"op\":\"locate-sell\",\"account\":\"L1\",\"quoteReqID\":\"s1\",\"locateType\":\"Locate\",\"quantity\":100}\n"
    "  {\"op\":\"read\",\"endpoint\":\"GET history\",\"startDate\":\"2026-01-02\",\"numberOfDays\":30,\"limit\":100}\n"
    "An endpoint is one of GET accounts, account, positions, orders, order, closed, cash, routes, pnl, borrow, "
    "history,\n"
    "history-pages, locates, inventory.  Lines with \"op\":\"quote\", \"facts\" or \"heartbeat\" keep what is known "
    "fresh;\n--orders-only refuses the first two.\n"
    "\n"
    "exit: 0 all accepted, 1 some refused, 2 usage, 3 a policy or facts cannot be used, 4 cannot read or write\n";

static const struct option options[] = {
    { "policy", required_argument, NULL, 'p' },
    { "facts", required_argument, NULL, 'f' },
    { "account", required_argument, NULL, 'a' },
    { "at", required_argument, NULL, 't' },
    { "emit", required_argument, NULL, 'e' },
    { "rejects", required_argument, NULL, 'r' },
    { "ignore-halt", no_argument, NULL, 'H' },
    { "independent", no_argument, NULL, 'i' },
    { "assume", required_argument, NULL, 's' },
    { "require-signature", required_argument, NULL, 'k' },
    { "orders-only", no_argument, NULL, 'o' },
    { "suggest", no_argument, NULL, 'g' },
    { "margin", no_argument, NULL, 'm' },
    { "help", no_argument, NULL, 'h' },
    { NULL, 0, NULL, 0 },
};

static int bad_usage(const char *option, const char *seen, const char *allowed)
{
    return og_bad_usage("ordergate check", option, seen, allowed);
}

static int set_emit(struct check *c, const char *word)
{
    static const char *const words[] = { "decisions", "orders", "bodies" };

    for (int i = 0; i < 3; i++) {
        if (strcmp(word, words[i]) == 0) {
            c->emit = (enum emit)i;
            return 0;
        }
    }
    return bad_usage("--emit", word, "decisions, orders or bodies");
}

static int set_option(struct check *c, int option)
{
    switch (option) {
    case 'p':
        if (c->policies == CHECK_LIST_MOST)
            return bad_usage("-p", optarg, "at most 64 policies");
        c->policy[c->policies++] = optarg;
        return 0;
    case 'f':
        if (c->facts_files == CHECK_LIST_MOST)
            return bad_usage("-f", optarg, "at most 64 facts files");
        c->facts[c->facts_files++].path = optarg;
        return 0;
    case 'a': c->account = optarg; return *optarg ? 0 : bad_usage("--account", optarg, "an account id");
    case 'e': return set_emit(c, optarg);
    case 'k': return demand(&c->demands, optarg) ? 0 : bad_usage("--require-signature", optarg, "at most 8 keys");
    case 'r': c->rejects_path = optarg; return 0;
    case 'i': c->independent = true; return 0;
    case 'o': c->orders_only = true; return 0;
    case 'H': c->ignore_halt = true; return 0;
    case 'g': c->suggest = true; return 0;
    case 'm': c->margin = true; return 0;
    case 's': c->assume_filled = true; return strcmp(optarg, "filled") ? bad_usage("--assume", optarg, "filled") : 0;
    case 't':
        if (!og_time_read(optarg, strlen(optarg), &c->at))
            return bad_usage("--at", optarg, "RFC 3339 with offset, like 2026-01-15T14:31:00Z");
        return 0;
    default: return EXIT_USAGE;
    }
}

/* Returns -1 to go on; else the exit code. */
static int read_options(struct check *c, int argc, char **argv)
{
    int option, bad;

    optind = 1;
    while ((option = getopt_long(argc, argv, "p:f:h", options, NULL)) != -1) {
        if (option == 'h') {
            fputs(usage, stdout);
            return og_close_stdout("ordergate check");
        }
        if (option == '?') {
            fputs("ordergate check: see ordergate check --help\n", stderr);
            return EXIT_USAGE;
        }
        bad = set_option(c, option);
        if (bad)
            return bad;
    }
    if (c->independent && c->assume_filled) {
        fputs("ordergate check: --independent and --assume exclude each other\n", stderr);
        return EXIT_USAGE;
    }
    return -1;
}

static void one_file(struct check *c, int fd, const char *name)
{
    struct worker_pool pool = { .workers = c->workers, .handle = check_batch };
    enum lines_answer answer;

    for (int i = 0; i < c->workers; i++)
        pool.own[i] = c->worker[i];
    answer = worker_pool_run(&pool, fd);
    if (answer == LINES_END || c->out.failed || c->rejects.failed)
        return;
    fprintf(stderr, "ordergate check: %s: cannot be read: %s\n", name, strerror(c->no_memory ? ENOMEM : errno));
    c->io_failed = true;
}

static void all_files(struct check *c, int count, char **names)
{
    if (!count)
        one_file(c, STDIN_FILENO, "stdin");
    for (int i = 0; i < count && !c->out.failed && !c->rejects.failed; i++) {
        int fd = strcmp(names[i], "-") == 0 ? STDIN_FILENO : open(names[i], O_RDONLY | O_CLOEXEC);

        if (fd < 0) {
            fprintf(stderr, "ordergate check: %s: cannot be read: %s\n", names[i], strerror(errno));
            c->io_failed = true;
            continue;
        }
        c->file = names[i];
        one_file(c, fd, names[i]);
        if (fd != STDIN_FILENO)
            close(fd);
    }
}

/* Make the book obey the halt flags, unless options say not to.  Returns false if a flag cannot be read. */
static bool look_for_halts(struct check *c)
{
    struct og_error err = { 0 };

    if (c->ignore_halt || c->at != OG_TIME_UNKNOWN)
        return og_book_halt_source(c->book, "", NULL) == OG_OK;
    if (og_halt_also(&err) == OG_OK)
        return true;
    fprintf(stderr, "ordergate check: %s\n", err.text);
    return false;
}

/* Returns -1 if all is ready; else the exit code. */
static int prepare(struct check *c)
{
    struct og_policy *policy;
    int code = reload_begin(&c->reload, "ordergate check", c->policy, c->policies, &c->demands, &policy);

    if (code) {
        og_policy_free(policy);
        return code;
    }
    reload_on_hangup();
    if (og_book_new(policy, &c->book)) {
        og_policy_free(policy);
        return EXIT_IO;
    }
    if (og_book_settle_lag(c->book, 0)) /* given facts do not lag behind fills */
        return EXIT_IO;
    if (!look_for_halts(c) || !check_workers_start(c) || og_book_default_account(c->book, c->account))
        return EXIT_IO;
    for (size_t i = 0; i < c->facts_files; i++)
        if (!check_read_facts(c, &c->facts[i]))
            return EXIT_UNUSABLE;
    c->out.fd = STDOUT_FILENO;
    c->out.name = "stdout";
    if (c->rejects_path) {
        c->rejects.name = c->rejects_path;
        c->rejects.fd = open(c->rejects_path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
        if (c->rejects.fd < 0) {
            fprintf(stderr, "ordergate check: %s: cannot be written: %s\n", c->rejects_path, strerror(errno));
            return EXIT_IO;
        }
    }
    return -1;
}

static void finish(struct check *c)
{
    check_prefault_stop(c);
    for (int i = 0; i < WORKERS_MOST; i++)
        check_worker_free(c->worker[i]);
    og_book_free(c->book);
    reload_end(&c->reload);
}

int og_cmd_check(int argc, char **argv)
{
    struct check c = { .at = OG_TIME_UNKNOWN };
    int code = read_options(&c, argc, argv);

    if (code < 0)
        code = prepare(&c);
    if (code < 0) {
        all_files(&c, argc - optind, argv + optind);
        og_progress_end();
        if (c.rejects_path && close(c.rejects.fd) && !c.rejects.failed) {
            fprintf(stderr, "ordergate check: %s: cannot be written: %s\n", c.rejects_path, strerror(errno));
            c.rejects.failed = true;
        }
        code = c.out.failed || c.rejects.failed || c.io_failed ? EXIT_IO
               : c.facts_failed || c.reload.failed             ? EXIT_UNUSABLE
               : c.refusals                                    ? EXIT_NO
                                                               : 0;
    }
    finish(&c);
    return code;
}
