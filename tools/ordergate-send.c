/*
 * ordergate send: reads orders, decides them, posts each once and follows it; writes one event a line.
 * This file only parses options and opens files; the library sends (ordergate/send.h).
 */
#include "ordergate/ordergate.h"
#include "ordergate/send.h"

#include "tools/common/demands.h"
#include "tools/common/exit.h"
#include "tools/common/file.h"
#include "tools/common/messages.h"
#include "tools/common/secret.h"

#include <errno.h>
#include <fcntl.h>
#include <getopt.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { LIST_MOST = 64 };

static const char usage[] =
    "usage: ordergate send [-p POLICY]... [-f FACTS]... [options] [FILE...]\n"
    "\n"
    "Reads orders as JSON, one a line; decides each, records it in the ledger, posts it exactly once if it is "
    "accepted, "
    "and\nfollows it until its outcome is known.  Writes events, one a line; every order line gets exactly one "
    "\"outcome\".\n"
    "\n"
    "  ordergate send -p live --broker broker.yaml < orders.ndjson\n"
    "  ordergate check -p live -f facts.json --orders-only --emit orders < orders.ndjson | ordergate send -p live\n"
    "\n"
    "  -p, --policy POLICY     shipped policy or file; several: later ones override earlier ones (default: default)\n"
    "  -f, --facts FILE        facts that the broker does not have, JSON\n"
    "      --require-signature FILE\n"
    "                          use only policies that are signed for this public key (ordergate policy sign);\n"
    "                          given again, and beside require_signature: for all of them\n"
    "      --quotes FILE       quotes as NDJSON, a file that is followed as it grows, or a FIFO\n"
    "      --broker FILE       base_url, ws_url, key_id, secret_key_file, account ... (default: ORDERGATE_* "
    "variables)\n      --account ID        the account of lines without accountId\n"
    "      --ledger FILE       the ledger (default: $XDG_STATE_HOME/ordergate/ledger.db)\n"
    "      --ledger-key FILE   key its hash chain, so that nobody without the file can write it anew\n"
    "      --ledger-may-vanish allow a ledger on tmpfs or in a container's layers, also with environment live\n"
    "      --accept-damage     use a ledger that does not match its hashes; the acceptance is recorded there\n"
    "      --share-account     allow another sender for the account on another ledger, whose orders are seen a second "
    "late\n"
    "      --wait DURATION     how long an order is followed after its POST (default: 30s)\n"
    "      --until WHEN        acked (default): until it is working or has ended; final: until a terminal state\n"
    "      --timeout DURATION  how long one request may take (default: 10s)\n"
    "      --max-in-flight N   POSTs without an answer at one time (default: 10)\n"
    "      --dead-man DURATION cancel this gate's orders if no line and no {\"op\":\"heartbeat\"} comes for so long;\n"
    "                          it works only while this process runs\n"
    "      --batch NAME        lines without clientOrderId get one derived from NAME, line and bytes: a file can be "
    "run "
    "again\n      --recover           find out the outcome of orders that earlier runs left open; needs no orders\n"
    "      --resend-not-sent   post orders again that are known not to have been sent, under the same id\n"
    "      --trust-input       lines may be {\"op\":\"facts\"} and {\"op\":\"quote\"} too, which change what is known\n"
    "      --dry-run           decide only: nothing is written or posted, and no id is used\n"
    "  -h, --help              this text\n"
    "      --version           the version\n"
    "\n"
    "exit: 0 done, 1 some refused or rejected, 2 usage, 3 a policy or facts cannot be used, 4 cannot read, write or "
    "reach\n      the broker, 5 the outcome of an order is unknown\n";

enum {
    O_QUOTES = 256,
    O_BROKER,
    O_ACCOUNT,
    O_LEDGER,
    O_LEDGER_KEY,
    O_WAIT,
    O_UNTIL,
    O_TIMEOUT,
    O_IN_FLIGHT,
    O_BATCH,
    O_RECOVER,
    O_RESEND,
    O_DRY_RUN,
    O_TRUST,
    O_MAY_VANISH,
    O_ACCEPT,
    O_SHARE,
    O_DEAD_MAN,
    O_SIGNATURE,
    O_VERSION
};

static const struct option options[] = {
    { "policy", required_argument, NULL, 'p' },
    { "facts", required_argument, NULL, 'f' },
    { "require-signature", required_argument, NULL, O_SIGNATURE },
    { "quotes", required_argument, NULL, O_QUOTES },
    { "broker", required_argument, NULL, O_BROKER },
    { "account", required_argument, NULL, O_ACCOUNT },
    { "ledger", required_argument, NULL, O_LEDGER },
    { "ledger-key", required_argument, NULL, O_LEDGER_KEY },
    { "wait", required_argument, NULL, O_WAIT },
    { "until", required_argument, NULL, O_UNTIL },
    { "timeout", required_argument, NULL, O_TIMEOUT },
    { "max-in-flight", required_argument, NULL, O_IN_FLIGHT },
    { "batch", required_argument, NULL, O_BATCH },
    { "recover", no_argument, NULL, O_RECOVER },
    { "resend-not-sent", no_argument, NULL, O_RESEND },
    { "dry-run", no_argument, NULL, O_DRY_RUN },
    { "trust-input", no_argument, NULL, O_TRUST },
    { "ledger-may-vanish", no_argument, NULL, O_MAY_VANISH },
    { "accept-damage", no_argument, NULL, O_ACCEPT },
    { "share-account", no_argument, NULL, O_SHARE },
    { "dead-man", required_argument, NULL, O_DEAD_MAN },
    { "version", no_argument, NULL, O_VERSION },
    { "help", no_argument, NULL, 'h' },
    { NULL, 0, NULL, 0 },
};

struct send {
    const char *policy[LIST_MOST], *facts[LIST_MOST];
    size_t policies, facts_files;
    struct demands demands;
    struct og_send_options options;
};

static struct og_sender *running; /* for the signal handler */

static int bad_usage(const char *option, const char *seen, const char *allowed)
{
    fprintf(stderr, "ordergate send: %s '%s': expected %s; see ordergate send --help\n", option, seen, allowed);
    return EXIT_USAGE;
}

static int set_duration(const char *option, int64_t *ns)
{
    if (og_duration_read(optarg, strlen(optarg), ns) && *ns > 0)
        return 0;
    return bad_usage(option, optarg, "a duration like 500ms, 30s, 5m, 1h");
}

static int set_until(struct send *s)
{
    s->options.until_final = strcmp(optarg, "final") == 0;
    return s->options.until_final || strcmp(optarg, "acked") == 0 ? 0 : bad_usage("--until", optarg, "acked or final");
}

static int set_in_flight(struct send *s)
{
    char *end;
    long n = strtol(optarg, &end, 10);

    if (*end || n < 1 || n > 1000)
        return bad_usage("--max-in-flight", optarg, "a whole number from 1 to 1000");
    s->options.max_in_flight = (int)n;
    return 0;
}

static int add(const char **list, size_t *count, const char *option)
{
    if (*count == LIST_MOST)
        return bad_usage(option, optarg, "at most 64 of them");
    list[(*count)++] = optarg;
    return 0;
}

static int set_option(struct send *s, int option)
{
    switch (option) {
    case 'p': return add(s->policy, &s->policies, "-p");
    case 'f': return add(s->facts, &s->facts_files, "-f");
    case O_SIGNATURE:
        return demand(&s->demands, optarg) ? 0 : bad_usage("--require-signature", optarg, "at most 8 keys");
    case O_QUOTES: s->options.quotes = optarg; return 0;
    case O_BROKER: s->options.broker = optarg; return 0;
    case O_ACCOUNT: s->options.account = optarg; return 0;
    case O_LEDGER: s->options.ledger = optarg; return 0;
    case O_LEDGER_KEY: return setenv("ORDERGATE_LEDGER_KEY", optarg, 1) ? EXIT_IO : 0;
    case O_WAIT: return set_duration("--wait", &s->options.wait_ns);
    case O_DEAD_MAN: return set_duration("--dead-man", &s->options.dead_man_ns);
    case O_TIMEOUT: return set_duration("--timeout", &s->options.timeout_ns);
    case O_UNTIL: return set_until(s);
    case O_IN_FLIGHT: return set_in_flight(s);
    case O_BATCH: s->options.batch = optarg; return 0;
    case O_RECOVER: s->options.recover = true; return 0;
    case O_RESEND: s->options.resend_not_sent = true; return 0;
    case O_DRY_RUN: s->options.dry_run = true; return 0;
    case O_MAY_VANISH: s->options.ledger_may_vanish = true; return 0;
    case O_ACCEPT: s->options.accept_damage = true; return 0;
    case O_SHARE: s->options.share_account = true; return 0;
    case O_TRUST: s->options.trust_input = true; return 0;
    default: return EXIT_USAGE;
    }
}

/* Returns -1 to go on; else the exit code. */
static int read_options(struct send *s, int argc, char **argv)
{
    int option, bad;

    while ((option = getopt_long(argc, argv, "p:f:h", options, NULL)) != -1) {
        if (option == 'h' || option == O_VERSION) {
            fputs(option == 'h' ? usage : "ordergate " OG_VERSION "\n", stdout);
            return og_close_stdout("ordergate send");
        }
        if (option == '?') {
            fputs("ordergate send: see ordergate send --help\n", stderr);
            return EXIT_USAGE;
        }
        bad = set_option(s, option);
        if (bad)
            return bad;
    }
    return -1;
}

/* Write one event as a line and flush it, so that the reader of a pipe sees it at once. */
static int put_event(void *with, const char *event, size_t len)
{
    (void)with;
    if (fwrite(event, 1, len, stdout) == len && putc('\n', stdout) != EOF && fflush(stdout) == 0)
        return 0;
    fprintf(stderr, "ordergate send: stdout: cannot be written: %s\n", strerror(errno));
    return -1;
}

static void put_word(void *with, const char *text)
{
    (void)with;
    fprintf(stderr, "ordergate send: %s\n", text);
}

static void stop(int signal)
{
    (void)signal;
    og_sender_stop(running);
}

static void reload(int signal)
{
    (void)signal;
    og_sender_reload(running);
}

static int exit_code_of(enum og_status status)
{
    switch (status) {
    case OG_EINVAL: return EXIT_USAGE;
    case OG_EPOLICY:
    case OG_EFACTS:
    case OG_ESYNTAX: return EXIT_UNUSABLE;
    default: return EXIT_IO;
    }
}

static int say(const struct og_error *err, int code)
{
    char text[512];

    fprintf(stderr, "ordergate send: %s\n", og_tool_error(err, text, sizeof text));
    return code;
}

static int give_facts(struct send *s, struct og_sender *sender)
{
    for (size_t i = 0; i < s->facts_files; i++) {
        struct og_error err = { 0 };
        struct stat st;
        char why[512];
        size_t len;
        char *json = file_read(s->facts[i], &len, &st, why, sizeof why);
        enum og_status status;

        if (!json) {
            fprintf(stderr, "ordergate send: %s\n", why);
            return EXIT_UNUSABLE;
        }
        status = og_sender_facts(sender, json, len, s->facts[i], &err);
        free(json);
        if (status)
            return say(&err, EXIT_UNUSABLE);
        if (err.text[0])
            (void)say(&err, 0);
    }
    return 0;
}

/* Read the files named, or stdin; with --recover and without files, nothing is read. */
static int give_files(struct send *s, struct og_sender *sender, int count, char **names)
{
    if (!count && s->options.recover)
        return 0;
    if (!count)
        return og_sender_read(sender, STDIN_FILENO, NULL) ? EXIT_IO : 0;
    for (int i = 0; i < count; i++) {
        int fd = strcmp(names[i], "-") == 0 ? STDIN_FILENO : open(names[i], O_RDONLY | O_CLOEXEC);

        if (fd < 0) {
            fprintf(stderr, "ordergate send: %s: cannot be read: %s\n", names[i], strerror(errno));
            return EXIT_IO;
        }
        if (og_sender_read(sender, fd, names[i]))
            return EXIT_IO;
    }
    return 0;
}

static int run(struct send *s, int count, char **names)
{
    struct og_error err = { 0 };
    enum og_status status = og_sender_new(&s->options, &running, &err);
    struct sigaction action = { .sa_handler = stop };
    int code = 0;

    secret_forget();
    if (status) {
        og_policy_free(s->options.policy);
        return say(&err, exit_code_of(status));
    }
    sigaction(SIGINT, &action, NULL);
    sigaction(SIGTERM, &action, NULL);
    action.sa_handler = reload;
    sigaction(SIGHUP, &action, NULL);
    action.sa_handler = SIG_IGN;
    sigaction(SIGPIPE, &action, NULL);
    code = give_facts(s, running);
    if (!code)
        code = give_files(s, running, count, names);
    if (!code && og_sender_run(running, &code, &err))
        say(&err, code);
    signal(SIGINT, SIG_IGN); /* the run is over */
    signal(SIGTERM, SIG_IGN);
    signal(SIGHUP, SIG_IGN);
    og_sender_free(running);
    return code;
}

int main(int argc, char **argv)
{
    struct send s = { .options = { .event = put_event, .word = put_word } };
    struct og_error err = { 0 };
    enum og_status status;
    int code = read_options(&s, argc, argv);

    secret_guard();
    if (code >= 0)
        return code;
    s.options.source = demanded_source(s.policy, s.policies, NULL, &s.demands);
    if (!s.options.source)
        return EXIT_IO;
    status = og_policy_source_load(s.options.source, &s.options.policy, og_print_fault, stderr, &err);
    s.options.policy_named = s.policies > 0;
    if (status)
        code = status == OG_EPOLICY ? EXIT_UNUSABLE : say(&err, EXIT_UNUSABLE);
    else
        code = run(&s, argc - optind, argv + optind);
    og_policy_source_free(s.options.source);
    return code;
}
