/*
 * ordergate check: a filter that reads orders, and writes a decision for each, or only the accepted orders, in the
 * sequence of the input. It uses only the public API, and reads and writes only files and pipes.
 */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "ordergate/halt.h"
#include "ordergate/ordergate.h"
#include "tools/common/check.h"
#include "tools/common/commands.h"
#include "tools/common/complete.h"
#include "tools/common/exit.h"
#include "tools/common/messages.h"
#include "tools/common/progress.h"
#include "tools/common/terminal.h"

static const struct option_row rows[] = {
    OPTION_ROW("policy", 'p', "POLICY", LIST_AT(struct check, policies, OPTION_LIST_MOST),
               "shipped policy or file; several: later ones override earlier ones (default: default)"),
    OPTION_ROW("facts", 'f', "FILE", LIST_AT(struct check, facts, OPTION_LIST_MOST),
               "what is known of the account, JSON; once per account"),
    OPTION_ROW("require-signature", 0, "FILE", LIST_AT(struct check, keys, SIGNATURE_KEYS_MOST),
               "use only a policy signed for this public key (ordergate policy sign); given again: for all of them"),
    OPTION_ROW("need-signatures", 0, "N", INT_AT(struct check, need, 1, SIGNATURE_KEYS_MOST),
               "use only a policy signed for at least N of the keys of --require-signature, instead of all"),
    OPTION_ROW("account", 0, "ID", NAME_AT(struct check, account), "the account of lines without accountId"),
    OPTION_ROW("tag", 0, "NAME", NAME_AT(struct check, tag), "the strategy that all lines count for"),
    OPTION_ROW("at", 0, "TIME", TIME_AT(struct check, at),
               "decide as of this instant (RFC 3339 with offset; default: now)"),
    OPTION_ROW(
        "emit", 0, "decisions|orders|lines|bodies", CHOICE_AT(struct check, emit),
        "decisions (default), orders (accepted ones, with the account that they or --account name), lines (these, "
        "accepted cancels and heartbeats, for send), bodies (as posted)"),
    OPTION_ROW("orders-only", 0, NULL, FLAG_AT(struct check, orders_only),
               "refuse lines of facts and quotes, so that whoever writes the orders cannot change what is known"),
    OPTION_ROW("rejects", 0, "FILE", TEXT_AT(struct check, rejects_path),
               "write the decisions of refused orders there"),
    OPTION_ROW("ignore-halt", 0, NULL, FLAG_AT(struct check, ignore_halt),
               "decide as if trading were not halted (ordergate halt); with --at, halts are ignored anyway"),
    OPTION_ROW(
        "independent", 0, NULL, FLAG_AT(struct check, independent),
        "decide each order alone: accepted orders do not count for later ones; uses all processors, eight at most"),
    OPTION_ROW("assume", 0, "filled", CHOICE_AT(struct check, assume),
               "accepted orders count as filled for later ones"),
    OPTION_ROW("suggest", 0, NULL, FLAG_AT(struct check, suggest),
               "add to refused orders the largest quantity, a price or the earliest time that would pass"),
    OPTION_ROW("margin", 0, NULL, FLAG_AT(struct check, margin),
               "add to each order how much buying power it takes, and how much there is"),
    OPTION_ROW(
        "format", 0, "auto|table|json|ndjson|csv", CHOICE_AT(struct check, format),
        "of decisions: a table with the reasons in words, a JSON object a line, or CSV (default: a table if stdout "
        "is a terminal)"),
    OPTION_ROW("color", 0, OPTION_COLOUR_WORDS, CHOICE_AT(struct check, colour), OPTION_COLOUR_HELP),
    OPTION_END,
};

static const struct option_spec spec = {
    .program = "ordergate check",
    .synopsis = "[options] [FILE...]",
    .about = "Decides orders offline: reads them as JSON, one a line, and writes one decision a line; on a terminal a "
             "table with the reasons in words.\n"
             "\n"
             "  ordergate check -p live -f facts.json < orders.ndjson\n"
             "  ordergate check -f facts.json --orders-only --emit lines < orders.ndjson | ordergate send\n",
    .rows = rows,
    .notes =
        "Policies and facts whose file is replaced are read again between two orders, policies on SIGHUP too.\n"
        "\n"
        "Other requests are decided too, by the rules that are about them:\n"
        "  {\"op\":\"cancel\",\"clientOrderId\":\"a1\"}\n"
        "  {\"op\":\"locate-quote\",\"account\":\"L1\",\"symbol\":\"GME\",\"quantity\":100,\"quoteReqID\":\"q1\"}\n"
        "  {\"op\":\"locate-accept\",\"accountId\":\"L1\",\"quoteReqID\":\"q1\"}, and locate-cancel likewise\n"
        "  "
        "{\"op\":\"locate-sell\",\"account\":\"L1\",\"quoteReqID\":\"s1\",\"locateType\":\"Locate\",\"quantity\":100}\n"
        "  {\"op\":\"read\",\"endpoint\":\"GET "
        "history\",\"startDate\":\"2026-01-02\",\"numberOfDays\":30,\"limit\":100}\n"
        "An endpoint is one of GET accounts, account, positions, orders, order, closed, cash, routes, pnl, borrow, "
        "history, history-pages, locates, inventory.  Lines with \"op\":\"quote\", \"facts\" or \"heartbeat\" keep "
        "what "
        "is known fresh; --orders-only refuses the first two.\n",
    .exits = "0 all accepted, 1 some refused, 2 usage, 3 a policy or facts cannot be used, 4 cannot read or write",
    .word = complete_word,
};

/* Returns -1 to go on, or the exit code. */
static int read_options(struct check *c, int argc, char **argv)
{
    int code = options_read(&spec, c, argc, argv);

    if (code < 0 && c->independent && c->assume == ASSUME_FILLED)
        return options_misuse(&spec, "--independent and --assume exclude each other");
    if (code < 0 && (size_t)c->need > c->keys.count)
        return options_misuse(&spec,
                              "--need-signatures is more than the number of keys given with --require-signature");
    if (code < 0 && (c->format == FORMAT_TABLE || c->format == FORMAT_CSV) && c->emit != EMIT_DECISIONS)
        return options_misuse(&spec, "--format table and csv are for decisions, not with another --emit");
    return code < 0 ? check_show_begin(c) : code;
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

/* Let the book watch the halt flags, unless options forbid it. Returns false if a flag cannot be read. */
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

/* Returns -1 if everything is ready, or the exit code. */
static int prepare(struct check *c)
{
    struct og_policy *policy;
    int code = reload_begin(&c->reload, "ordergate check", &c->policies, &c->keys, c->need, &policy);

    if (code) {
        og_policy_free(policy);
        return code;
    }
    reload_on_hangup();
    if (og_book_new(policy, &c->book)) {
        og_policy_free(policy);
        return EXIT_IO;
    }
    if (og_book_settle_lag(c->book, 0)) /* facts given as files are taken to include every earlier fill */
        return EXIT_IO;
    if (!look_for_halts(c) || !check_workers_start(c) || og_book_default_account(c->book, c->account))
        return EXIT_IO;
    if (og_book_client_tag(c->book, c->tag) != OG_OK) {
        fputs("ordergate check: --tag is longer than 64 bytes\n", stderr);
        return EXIT_USAGE;
    }
    for (size_t i = 0; i < c->facts.count; i++)
        if (!check_read_facts(c, i))
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
    check_free_refusals(c);
    og_show_free(c->show);
    og_book_free(c->book);
    reload_end(&c->reload);
}

int og_cmd_check(int argc, char **argv)
{
    struct check c = { .at = OG_TIME_UNKNOWN, .assume = ASSUME_NOTHING };
    int code = read_options(&c, argc, argv);

    if (code < 0)
        code = prepare(&c);
    if (code < 0) {
        og_progress_input(argc - optind, argv + optind);
        all_files(&c, argc - optind, argv + optind);
        og_progress_end();
        check_tell_refusals(&c);
        check_show_end(&c);
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
