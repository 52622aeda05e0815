/*
 * ordergate-paper: the paper brokerage as a program.
 * With control calls on, it only serves this machine.  It does not start with a database that it cannot use.
 */
#include <errno.h>
#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "paper/db.h"
#include "paper/log.h"
#include "paper/server.h"
#include "paper/scenario_settings.h"

#include "base/banned.h"

#define MOST_CONNECTIONS 8192

enum { DONE = 0, FOUND = 1, USAGE = 2, UNFIT = 3, FAILED = 4 };

static const char usage[] =
    "usage: ordergate paper [OPTION]...\n"
    "\n"
    "Serve the brokerage API, both streams included, from a simulated market.\n"
    "Prints one line when it listens: listening on http://127.0.0.1:8787\n"
    "\n"
    "  ordergate paper --listen 127.0.0.1:0 --clock 2026-01-15T15:00:00Z@1 --control\n"
    "\n"
    "  --listen HOST:PORT     address and port (127.0.0.1:8787); port 0 picks one\n"
    "  --port-file FILE       write the port number to this file\n"
    "  --scenario NAME        the scenario: a file, or the name of a shipped one (default)\n"
    "  --check                only print the errors of the scenario\n"
    "  --scenario-keys        list everything a scenario may set: key, values, default, meaning\n"
    "  --seed N               seed of the random walks of prices (the scenario's, else 1)\n"
    "  --db FILE              keep accounts, orders and positions in this file over restarts\n"
    "  --header-prefix WORD   prefix of the key headers (SVC): WORD-API-KEY-ID, WORD-API-SECRET-KEY\n"
    "  --tls-cert FILE        serve TLS with this certificate, PEM\n"
    "  --tls-key FILE         and this key\n"
    "  --clock CLOCK          real, an instant (stands still until stepped), or INSTANT@SPEED (the scenario's, else "
    "real)\n  --control              enable the control calls under /paper/, loopback only\n"
    "  --no-rate-limits       do not limit request rates\n"
    "  --max-connections N    further connections are closed at once (8192)\n"
    "  --request-log FILE     write a JSON line for each request to this file, - is stdout\n"
    "  --help, --version\n"
    "\n"
    "exit codes: 0 stopped (SIGTERM, SIGINT), 1 --check found an error, 2 usage, 3 a scenario that cannot be "
    "served,\n4 the port, a file or the database cannot be used\n";

struct settings {
    char host[64];
    const char *db, *request_log;
    bool check;
    struct og_paper_source scenario;
    struct og_paper_options paper;
    struct og_paper_server_options server;
};

static int misused(const char *what, const char *value)
{
    fprintf(stderr, "ordergate-paper: %s '%s'\n%s", what, value, usage);
    return USAGE;
}

static bool read_number(const char *text, unsigned long long most, unsigned long long *n)
{
    char *end;

    errno = 0;
    *n = strtoull(text, &end, 10);
    return *text >= '0' && *text <= '9' && *end == '\0' && errno == 0 && *n <= most;
}

static bool read_listen(const char *text, struct settings *s)
{
    const char *colon = strrchr(text, ':');
    size_t len = colon ? (size_t)(colon - text) : 0;
    unsigned long long port;

    if (!colon || len == 0 || len >= sizeof(s->host) || !read_number(colon + 1, 65535, &port))
        return false;
    if (text[0] == '[' && text[len - 1] == ']') { /* an IPv6 address */
        text++;
        len -= 2;
    }
    if (len == 0)
        return false;
    memcpy(s->host, text, len);
    s->host[len] = '\0';
    if (strcmp(s->host, "localhost") == 0)
        memcpy(s->host, "127.0.0.1", sizeof("127.0.0.1"));
    s->server.host = s->host;
    s->server.port = (int)port;
    return true;
}

static bool is_prefix(const char *text)
{
    return *text && strlen(text) <= 40 &&
           strspn(text, "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_") == strlen(text);
}

enum {
    O_SCENARIO = 1,
    O_CHECK,
    O_KEYS,
    O_LISTEN,
    O_PORT_FILE,
    O_SEED,
    O_DB,
    O_PREFIX,
    O_CERT,
    O_KEY,
    O_CLOCK,
    O_CONTROL,
    O_NO_LIMITS,
    O_MOST,
    O_LOG,
    O_HELP,
    O_VERSION
};

static const struct option options[] = {
    { "scenario", required_argument, NULL, O_SCENARIO },
    { "check", no_argument, NULL, O_CHECK },
    { "scenario-keys", no_argument, NULL, O_KEYS },
    { "listen", required_argument, NULL, O_LISTEN },
    { "port-file", required_argument, NULL, O_PORT_FILE },
    { "seed", required_argument, NULL, O_SEED },
    { "db", required_argument, NULL, O_DB },
    { "header-prefix", required_argument, NULL, O_PREFIX },
    { "tls-cert", required_argument, NULL, O_CERT },
    { "tls-key", required_argument, NULL, O_KEY },
    { "clock", required_argument, NULL, O_CLOCK },
    { "control", no_argument, NULL, O_CONTROL },
    { "no-rate-limits", no_argument, NULL, O_NO_LIMITS },
    { "max-connections", required_argument, NULL, O_MOST },
    { "request-log", required_argument, NULL, O_LOG },
    { "help", no_argument, NULL, O_HELP },
    { "version", no_argument, NULL, O_VERSION },
    { NULL, 0, NULL, 0 },
};

static bool print(const char *text)
{
    fputs(text, stdout);
    return fflush(stdout) == 0;
}

static int list_keys(void)
{
    struct og_buf b;
    bool ok;

    og_buf_init(&b, 0);
    og_paper_scenario_settings_list(&b);
    ok = !b.bad && print(b.s);
    og_buf_clear(&b);
    return ok ? DONE : FAILED;
}

/* Handle one option.  Returns -1 to go on; else the exit code. */
static int take_option(int option, struct settings *s)
{
    struct og_paper_clock clock;
    unsigned long long n;

    switch (option) {
    case O_SCENARIO: s->scenario.name = optarg; return -1;
    case O_CHECK: s->check = true; return -1;
    case O_KEYS: return list_keys();
    case O_LISTEN: return read_listen(optarg, s) ? -1 : misused("--listen takes HOST:PORT, not", optarg);
    case O_PORT_FILE: s->server.port_file = optarg; return -1;
    case O_SEED:
        if (!read_number(optarg, UINT64_MAX, &n))
            return misused("--seed takes a whole number, not", optarg);
        s->paper.seed = n;
        s->paper.seeded = true;
        return -1;
    case O_DB: s->db = optarg; return -1;
    case O_PREFIX:
        s->paper.prefix = og_str_of(optarg);
        return is_prefix(optarg) ? -1 : misused("--header-prefix takes a word, not", optarg);
    case O_CERT: s->server.cert = optarg; return -1;
    case O_KEY: s->server.key = optarg; return -1;
    case O_CLOCK:
        s->paper.clock = og_str_of(optarg);
        return og_paper_clock_read(&clock, og_str_of(optarg))
                   ? -1
                   : misused("--clock takes real, TIME or TIME@SPEED, not", optarg);
    case O_CONTROL: s->paper.control = true; return -1;
    case O_NO_LIMITS: s->paper.no_rate_limits = true; return -1;
    case O_MOST:
        if (!read_number(optarg, MOST_CONNECTIONS, &n) || n == 0)
            return misused("--max-connections takes a number from 1 to 8192, not", optarg);
        s->server.most_connections = (int)n;
        return -1;
    case O_LOG: s->request_log = optarg; return -1;
    case O_HELP: return print(usage) ? DONE : FAILED;
    case O_VERSION: return print("ordergate-paper " OG_VERSION "\n") ? DONE : FAILED;
    default: fputs(usage, stderr); return USAGE;
    }
}

static bool loopback(const char *host)
{
    return strcmp(host, "::1") == 0 || (strncmp(host, "127.", 4) == 0 && strspn(host, "0123456789.") == strlen(host));
}

static void print_diagnostic(void *with, const struct og_paper_diagnostic *diagnostic)
{
    fprintf(with, "%s:%d:%d: error: %s [%s]\n", diagnostic->file, diagnostic->line, diagnostic->col, diagnostic->text,
            diagnostic->code);
}

static int failed(const struct og_error *err)
{
    char text[512];

    fprintf(stderr, "ordergate-paper: %s\n", og_error_line(err, text, sizeof(text)));
    return FAILED;
}

/* Check the scenario, and print its errors to stdout if --check was given. */
static int check(const struct settings *s)
{
    struct og_error err = { .status = OG_OK };
    struct og_paper paper;
    enum og_status status = og_paper_init(&paper, &s->paper, &s->scenario, print_diagnostic, stdout, &err);

    og_paper_clear(&paper);
    if (status != OG_OK && status != OG_ESYNTAX)
        return failed(&err);
    if (fflush(stdout) != 0)
        return FAILED;
    return status == OG_OK ? DONE : FOUND;
}

static int serve(const struct settings *s)
{
    struct og_error err = { .status = OG_OK };
    struct og_paper paper;
    enum og_status status = og_paper_init(&paper, &s->paper, &s->scenario, print_diagnostic, stderr, &err);

    if (status == OG_OK && s->db)
        status = og_paper_db_open(&paper, s->db, &err);
    if (status == OG_OK && !og_paper_start(&paper))
        status = og_fail(&err, OG_EIO, "the world cannot be set up: out of memory, or the database failed");
    if (status == OG_OK && s->request_log)
        status = og_paper_log_open(&paper, s->request_log, &err);
    if (status == OG_OK)
        status = og_paper_server_run(&paper, &s->server, &err);
    og_paper_clear(&paper);
    if (status == OG_ESYNTAX)
        return UNFIT;
    return status == OG_OK ? DONE : failed(&err);
}

int main(int argc, char **argv)
{
    struct settings s = { .host = "127.0.0.1",
                          .scenario = { .name = "default" },
                          .paper = { .prefix = OG_STR("SVC") } };
    int option, code;

    s.server = (struct og_paper_server_options){ .host = s.host, .port = 8787, .most_connections = MOST_CONNECTIONS };
    while ((option = getopt_long(argc, argv, "", options, NULL)) != -1) {
        code = take_option(option, &s);
        if (code >= 0)
            return code;
    }
    if (optind < argc)
        return misused("no argument is taken, not", argv[optind]);
    if (!s.server.cert != !s.server.key)
        return misused("--tls-cert and --tls-key go together:", s.server.cert ? s.server.cert : s.server.key);
    if (s.check)
        return check(&s);
    if (s.paper.control && !loopback(s.server.host))
        return misused("--control needs a loopback address, not", s.server.host);
    return serve(&s);
}
