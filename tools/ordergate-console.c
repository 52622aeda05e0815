/*
 * ordergate-console: shows one sender over HTTP.  `ordergate send --console` starts it, beside itself: a process of its
 * own has none of the sender's secrets and memory, and cannot delay it.  It ends with the process that started it.
 */
#include <errno.h>
#include <limits.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <unistd.h>

#include "base/atomic_file.h"
#include "base/crypto.h"
#include "base/error.h"
#include "base/state_dir.h"
#include "console/console.h"
#include "tools/common/exit.h"
#include "tools/common/messages.h"
#include "tools/common/options.h"

#define NICER 5 /* added to the niceness, so that the sender runs first on a machine with one processor */

struct asked {
    char host[64];
    long long sender;
    struct og_console_options console;
    char token[OG_CONSOLE_TOKEN + 1], token_path[PATH_MAX];
    struct og_error no_token;
};

static bool is_loopback(const char *host)
{
    return strcmp(host, "::1") == 0 || (strncmp(host, "127.", 4) == 0 && strspn(host, "0123456789.") == strlen(host));
}

static int set_listen(void *to, const struct option_row *row, const char *text)
{
    struct asked *a = to;
    const char *colon = strrchr(text, ':');
    size_t len = colon ? (size_t)(colon - text) : 0;
    char *end;
    unsigned long port;

    (void)row;
    if (!len || len >= sizeof a->host || colon[1] < '0' || colon[1] > '9')
        return -1;
    port = strtoul(colon + 1, &end, 10);
    if (*end || port > 65535)
        return -1;
    if (text[0] == '[' && text[len - 1] == ']') { /* an IPv6 address */
        text++;
        len -= 2;
    }
    memcpy(a->host, text, len);
    a->host[len] = '\0';
    if (strcmp(a->host, "localhost") == 0)
        memcpy(a->host, "127.0.0.1", sizeof "127.0.0.1");
    a->console.host = a->host;
    a->console.port = (int)port;
    return is_loopback(a->host) ? 0 : -1;
}

static const struct option_row rows[] = {
    OPTION_ROW("listen", 0, "HOST:PORT", SET_BY(set_listen, "an address of this machine itself (loopback) and a port"),
               "where to listen, on loopback only; port 0 picks one"),
    OPTION_ROW("sender", 0, "PID", NUMBER_AT(struct asked, sender, 1, 4194304), "the sender to show"),
    OPTION_END,
};

static const struct option_spec spec = {
    .program = "ordergate-console",
    .synopsis = "--listen HOST:PORT --sender PID",
    .about = "Shows a sender over HTTP: /metrics, /healthz, /readyz, /status and a page.  ordergate send --console "
             "starts it; it ends with the process that started it.  Forms on the page halt and resume, with a token "
             "that is in a file of the state folder, made anew for each run.",
    .rows = rows,
    .exits = "0 stopped, 2 usage, 4 the address cannot be used",
};

/* Make the token of this run, and write it to a file that only this user can read. Returns false, with a->no_token set,
 * if there is none: the console then only shows. */
static bool make_token(struct asked *a)
{
    unsigned char bytes[OG_CONSOLE_TOKEN / 2];
    char name[48];

    snprintf(name, sizeof name, "console-%lld.token", a->sender);
    if (og_state_dir_file(name, a->token_path, sizeof a->token_path, &a->no_token) != OG_OK)
        return false;
    if (!og_random(bytes, sizeof bytes)) {
        og_fail(&a->no_token, OG_EIO, "there are no random numbers for a token");
        return false;
    }
    for (size_t i = 0; i < sizeof bytes; i++)
        snprintf(a->token + 2 * i, 3, "%02x", bytes[i]);
    a->token[OG_CONSOLE_TOKEN] = '\n';
    if (og_atomic_file_write(a->token_path, a->token, OG_CONSOLE_TOKEN + 1, 0600)) {
        a->token[OG_CONSOLE_TOKEN] = '\0';
        return true;
    }
    og_fail_because(&a->no_token, OG_EIO, errno, "'%s' cannot be written: %s", a->token_path, strerror(errno));
    return false;
}

static void set_forms(struct asked *a, struct og_console_forms *f)
{
    f->halts = (struct og_console_halts){ og_trading_name, og_halt_path, og_halt_read,
                                          og_halt_write,   og_halt_add,  og_senders_ask };
    f->token = make_token(a) ? a->token : NULL;
    f->token_path = f->token ? a->token_path : a->no_token.text;
}

/* Tell the sender the port: it waits for that line. */
static enum og_status listening(void *with, int port, struct og_error *err)
{
    (void)with;
    printf("%d\n", port);
    return fflush(stdout) == 0 ? OG_OK
                               : og_fail_because(err, OG_EIO, errno, "cannot write to stdout: %s", strerror(errno));
}

int main(int argc, char **argv)
{
    struct asked a = { .sender = 0 };
    struct og_error err = { 0 };
    enum og_status status;
    int code = options_read(&spec, &a, argc, argv);

    if (code >= 0)
        return code;
    if (optind < argc || !a.console.host || !a.sender)
        return options_misuse(&spec, "it needs --listen and --sender, and takes no arguments");
    prctl(PR_SET_PDEATHSIG, SIGTERM);
    if (getppid() != (pid_t)a.sender) /* the sender ended meanwhile, or another program started this one */
        return options_misuse(&spec, "only the sender that --sender names may start it: run ordergate send --console");
    (void)!nice(NICER);
    a.console.sender = (long)a.sender;
    a.console.ask = og_desk_status;
    a.console.reads = (struct og_console_reads){ og_ledger_peek, og_ledger_close, og_ledger_list, og_ledger_story,
                                                 og_ledger_positions };
    set_forms(&a, &a.console.forms);
    status = og_console_run(&a.console, listening, NULL, &err);
    if (a.console.forms.token)
        (void)unlink(a.token_path);
    return status == OG_OK ? 0 : og_say(spec.program, &err, EXIT_IO);
}
