/*
 * ordergate send: reads orders, decides each, posts it once and tracks it; writes one event a line.
 * This file only parses options and opens files; the library sends (ordergate/send.h).
 */
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "ordergate/file.h"
#include "ordergate/ordergate.h"
#include "ordergate/send.h"
#include "tools/common/complete.h"
#include "tools/common/exit.h"
#include "tools/common/facts.h"
#include "tools/common/messages.h"
#include "tools/common/reload.h"
#include "tools/common/secret.h"
#include "tools/common/send_alert.h"
#include "tools/common/send_console.h"
#include "tools/common/send_log.h"
#include "tools/common/send_options.h"
#include "tools/common/send_service.h"
#include "tools/common/send_show.h"

static const struct option_spec spec = {
    .program = "ordergate send",
    .synopsis = "[options] [FILE...]",
    .about = "Reads orders as JSON, one a line; decides each, records it in the ledger, posts it exactly once if it is "
             "accepted, and follows it until its outcome is known.  Writes events, one a line, on a terminal in words; "
             "every order line gets exactly one \"outcome\".\n"
             "\n"
             "  ordergate send -p live --broker broker.yaml < orders.ndjson\n"
             "  ordergate check -p live -f facts.json --orders-only --emit lines < orders.ndjson | ordergate send -p "
             "live\n",
    .rows = send_rows,
    .exits = "0 done, 1 some refused or rejected, 2 usage, 3 a policy or facts cannot be used, 4 cannot read, write or "
             "reach the broker, 5 the outcome of an order is unknown",
    .word = complete_word,
};

static struct og_sender *running; /* the sender that the signal handler stops */

/* An og_event_listener; with: a bool that says whether events are for people. */
static int put_event(void *with, const char *event, size_t len)
{
    const bool *shown = with;

    send_alert_event(event, len);
    if ((*shown ? send_show_event : og_print_line_now)(NULL, event, len) == 0)
        return 0;
    send_log(OG_LOG_ERROR, "stdout: cannot be written: %s", strerror(errno));
    return -1;
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

static void report(int signal)
{
    (void)signal;
    og_sender_report(running);
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

/* Write an argument of a command for a shell. */
static void write_argument(FILE *to, const char *option, const char *text)
{
    const bool plain = !text[strspn(text, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789._/+-")];

    fprintf(to, " %s %s", option, plain ? "" : "'");
    for (; *text; text++)
        fprintf(to, *text == '\'' ? "'\\''" : "%c", *text);
    fputs(plain ? "" : "'", to);
}

/* Print how orders can be canceled without the policy, the facts and the ledger: one of these cannot be used, so this
 * run cancels nothing. */
static void say_cancels(const struct send *s)
{
    char *text = NULL;
    size_t len;
    FILE *to = s->options.dry_run ? NULL : open_memstream(&text, &len);

    if (!to)
        return;
    fputs("this run sends nothing more, and no cancel either; to cancel without policy and ledger: ordergate broker",
          to);
    if (s->options.broker)
        write_argument(to, "--broker", s->options.broker);
    if (s->options.account)
        write_argument(to, "--account", s->options.account);
    fputs(" cancel ID, or cancel-all", to);
    if (fclose(to) == 0)
        send_log(OG_LOG_ERROR, "%s", text);
    free(text);
}

static int give_facts(struct send *s, struct og_sender *sender)
{
    for (size_t i = 0; i < s->facts.count; i++) {
        struct og_error err = { 0 };
        const char *path = s->facts.item[i];
        char text[640];
        char *json;
        size_t len;
        enum og_status status = og_file_read(path, OG_FILE_READ, FACTS_FILE_MOST, &json, &len, NULL, &err);

        if (status == OG_OK)
            status = og_sender_facts(sender, json, len, path, &err);
        free(json);
        if (status)
            return send_log_error(&err, EXIT_UNUSABLE);
        if (err.text[0])
            send_log(OG_LOG_WARNING, "%s", og_tool_complaint(&err, text, sizeof text));
    }
    return 0;
}

/* Returns whether a run without named files reads stdin. A run with --recover needs no orders, so it waits for no line
 * that somebody would have to type, and stdin may be closed; lines that are there are orders like any. */
static bool has_input(bool recover)
{
    struct pollfd in = { .fd = STDIN_FILENO, .events = POLLIN };

    if (!recover)
        return true;
    if ((fcntl(STDIN_FILENO, F_GETFL) & O_ACCMODE) == O_WRONLY || isatty(STDIN_FILENO)) /* closed, or a terminal */
        return false;
    if (poll(&in, 1, 0) == 0)
        send_log(OG_LOG_INFO, "--recover: orders are read from stdin too, until it ends; to send none: < /dev/null");
    return true;
}

/* Read the named files, or stdin. */
static int give_files(struct send *s, struct og_sender *sender, int count, char **names)
{
    if (!count && (s->options.intake || !has_input(s->options.recover)))
        return 0;
    if (!count)
        return og_sender_read(sender, STDIN_FILENO, NULL) ? EXIT_IO : 0;
    for (int i = 0; i < count; i++) {
        int fd = strcmp(names[i], "-") == 0 ? STDIN_FILENO : open(names[i], O_RDONLY | O_CLOEXEC);

        if (fd < 0) {
            send_log(OG_LOG_ERROR, "%s: cannot be read: %s", names[i], strerror(errno));
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
        return send_log_error(&err, exit_code_of(status));
    }
    send_log_run(og_sender_id(running));
    send_show_sender(running);
    sigaction(SIGINT, &action, NULL);
    sigaction(SIGTERM, &action, NULL);
    action.sa_handler = reload;
    sigaction(SIGHUP, &action, NULL);
    action.sa_handler = SIG_IGN;
    sigaction(SIGPIPE, &action, NULL);
    code = give_facts(s, running);
    if (code)
        say_cancels(s);
    if (!code)
        code = give_files(s, running, count, names);
    if (!code)
        status = og_sender_run(running, &code, &err);
    send_show_end(spec.program);
    if (status) {
        send_log_error(&err, code);
        if (status == OG_ELEDGER || status == OG_EIO || status == OG_EBUSY)
            say_cancels(s);
    }
    signal(SIGINT, SIG_IGN); /* the run is over: signal handlers must not use the sender, which is being freed */
    signal(SIGTERM, SIG_IGN);
    signal(SIGHUP, SIG_IGN);
    signal(SIGUSR1, SIG_IGN);
    send_alert_end();
    send_log_run(NULL);
    og_sender_free(running);
    return code;
}

int main(int argc, char **argv)
{
    struct send s = { .options = { .event = put_event, .log = send_log_line } };
    struct og_error err = { 0 };
    enum og_status status;
    bool shown;
    const struct sigaction action = { .sa_handler = report };
    int code = options_read(&spec, &s, argc, argv);

    sigaction(SIGUSR1, &action, NULL); /* from the beginning, since it would end the process */
    secret_guard();
    if (code >= 0)
        return code;
    if ((size_t)s.need > s.keys.count)
        return options_misuse(&spec,
                              "--need-signatures is more than the number of keys given with --require-signature");
    send_log_begin(spec.program, s.log_format);
    /* check stdout before anything is sent: if it cannot be written, nobody would see the events */
    if (write(STDOUT_FILENO, "", 0) < 0) {
        send_log(OG_LOG_ERROR, "stdout: cannot be written: %s; give it > /dev/null", strerror(errno));
        return EXIT_IO;
    }
    send_service_environment(&s.options);
    if (!s.console && s.console_port_file)
        return options_misuse(&spec, "--console-port-file needs --console");
    if (s.console && s.options.dry_run)
        return options_misuse(&spec, "--console cannot show a dry run: leave out one of the two");
    if (s.console && (code = send_console(spec.program, s.console, s.console_port_file)))
        return code;
    if (!send_alert_begin(s.on_event))
        return EXIT_IO;
    if (!send_show_begin(s.format, s.colour, &shown))
        return EXIT_IO;
    s.options.with = &shown;
    s.options.source = signed_source(s.policies.item, s.policies.count, NULL, &s.keys, s.need);
    if (!s.options.source)
        return EXIT_IO;
    status = og_policy_source_load(s.options.source, &s.options.policy, send_log_fault, stderr, &err);
    s.options.policy_named = s.policies.count > 0;
    s.options.until_final = s.until == 1;
    if (status) {
        code = status == OG_EPOLICY ? EXIT_UNUSABLE : send_log_error(&err, EXIT_UNUSABLE);
        say_cancels(&s);
    } else {
        code = run(&s, argc - optind, argv + optind);
    }
    og_policy_source_free(s.options.source);
    send_alert_end();
    return code;
}
