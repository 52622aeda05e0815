/*
 * ordergate-paper: the paper brokerage as a program.
 * With --control it serves this machine only.  It does not start with a database that it cannot use.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/error.h"
#include "ordergate/calendar.h"
#include "ordergate/time.h"
#include "paper/db.h"
#include "paper/log.h"
#include "paper/scenario_settings.h"
#include "paper/server.h"
#include "tools/common/exit.h"
#include "tools/common/messages.h"
#include "tools/common/options.h"

#define MOST_CONNECTIONS 8192

struct settings {
    char host[64];
    const char *db, *request_log;
    bool check, list_keys;
    struct og_paper_source scenario;
    struct og_paper_options paper;
    struct og_paper_server_options server;
};

static bool read_number(const char *text, unsigned long long most, unsigned long long *n)
{
    char *end;

    errno = 0;
    *n = strtoull(text, &end, 10);
    return *text >= '0' && *text <= '9' && *end == '\0' && errno == 0 && *n <= most;
}

static int set_listen(void *to, const struct option_row *row, const char *text)
{
    struct settings *s = to;
    const char *colon = strrchr(text, ':');
    size_t len = colon ? (size_t)(colon - text) : 0;
    unsigned long long port;

    (void)row;
    if (!colon || len == 0 || len >= sizeof s->host || !read_number(colon + 1, 65535, &port))
        return -1;
    if (text[0] == '[' && text[len - 1] == ']') { /* an IPv6 address */
        text++;
        len -= 2;
    }
    if (len == 0)
        return -1;
    memcpy(s->host, text, len);
    s->host[len] = '\0';
    if (strcmp(s->host, "localhost") == 0)
        memcpy(s->host, "127.0.0.1", sizeof("127.0.0.1"));
    s->server.host = s->host;
    s->server.port = (int)port;
    return 0;
}

static int set_prefix(void *to, const struct option_row *row, const char *text)
{
    struct settings *s = to;

    (void)row;
    s->paper.prefix = og_str_of(text);
    return *text && strlen(text) <= 40 &&
                   strspn(text, "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_") == strlen(text)
               ? 0
               : -1;
}

static int set_clock(void *to, const struct option_row *row, const char *text)
{
    struct settings *s = to;
    struct og_paper_clock clock;

    (void)row;
    s->paper.clock = og_str_of(text);
    return og_paper_clock_read(&clock, s->paper.clock) ? 0 : -1;
}

static int set_calendar(void *to, const struct option_row *row, const char *text)
{
    struct settings *s = to;

    (void)row;
    s->paper.calendar = og_str_of(text);
    return strcmp(text, "exchange") == 0 || strcmp(text, "weekdays") == 0 ? 0 : -1;
}

/* The calendar by which the gate judges orders. A day that it does not know is a full session. */
static int64_t exchange_closes(int date)
{
    const struct og_day day = og_calendar_day(date);

    return day.kind == OG_DAY_CLOSED ? 0 : day.kind == OG_DAY_EARLY ? day.closes : 16 * 3600 * OG_NS_PER_S;
}

static int set_seed(void *to, const struct option_row *row, const char *text)
{
    struct settings *s = to;
    unsigned long long n;

    (void)row;
    if (!read_number(text, UINT64_MAX, &n))
        return -1;
    s->paper.seed = n;
    s->paper.seeded = true;
    return 0;
}

static const struct option_row rows[] = {
    OPTION_ROW("listen", 0, "HOST:PORT", SET_BY(set_listen, "HOST:PORT"),
               "address and port (127.0.0.1:8787); port 0 picks one"),
    OPTION_ROW("port-file", 0, "FILE", TEXT_AT(struct settings, server.port_file),
               "write the port number to this file"),
    OPTION_ROW("scenario", 0, "NAME", TEXT_AT(struct settings, scenario.name),
               "the scenario: a file, or the name of a shipped one (default)"),
    OPTION_ROW("check", 0, NULL, FLAG_AT(struct settings, check), "only print the errors of the scenario"),
    OPTION_ROW("scenario-keys", 0, NULL, FLAG_AT(struct settings, list_keys),
               "list everything a scenario may set: key, values, default, meaning"),
    OPTION_ROW("seed", 0, "N", SET_BY(set_seed, "a whole number"),
               "seed of the random walks of prices (the scenario's, else 1)"),
    OPTION_ROW("db", 0, "FILE", TEXT_AT(struct settings, db),
               "keep accounts, orders and positions in this file over restarts"),
    OPTION_ROW("header-prefix", 0, "WORD", SET_BY(set_prefix, "a word"),
               "prefix of the key headers (SVC): WORD-API-KEY-ID, WORD-API-SECRET-KEY"),
    OPTION_ROW("tls-cert", 0, "FILE", TEXT_AT(struct settings, server.cert), "serve TLS with this certificate, PEM"),
    OPTION_ROW("tls-key", 0, "FILE", TEXT_AT(struct settings, server.key), "and this key"),
    OPTION_ROW("clock", 0, "CLOCK", SET_BY(set_clock, "real, TIME or TIME@SPEED"),
               "real, an instant (stands still until stepped), or INSTANT@SPEED (the scenario's, else real)"),
    OPTION_ROW(
        "calendar", 0, "NAME", SET_BY(set_calendar, "weekdays or exchange"),
        "weekdays: a session on each; exchange: New York's holidays and early closes (the scenario's, else weekdays)"),
    OPTION_ROW("control", 0, NULL, FLAG_AT(struct settings, paper.control),
               "enable the control calls under /paper/, loopback only"),
    OPTION_ROW("no-rate-limits", 0, NULL, FLAG_AT(struct settings, paper.no_rate_limits), "do not limit request rates"),
    OPTION_ROW("max-connections", 0, "N", INT_AT(struct settings, server.most_connections, 1, MOST_CONNECTIONS),
               "further connections are closed at once (8192)"),
    OPTION_ROW("request-log", 0, "FILE", TEXT_AT(struct settings, request_log),
               "write a JSON line for each request to this file, - is stdout"),
    OPTION_END,
};

static const struct option_spec spec = {
    .program = "ordergate paper",
    .synopsis = "[options]",
    .about = "Serve the brokerage API, both streams included, from a simulated market.\n"
             "Prints one line when it listens: listening on http://127.0.0.1:8787\n"
             "\n"
             "  ordergate paper --listen 127.0.0.1:0 --clock 2026-01-15T15:00:00Z@1 --control\n",
    .rows = rows,
    .exits =
        "0 stopped (SIGTERM, SIGINT), 1 --check found an error, 2 usage, 3 a scenario that cannot be served, 4 the "
        "port, a file or the database cannot be used",
};

static int list_keys(void)
{
    struct og_buf b;

    og_buf_init(&b, 0);
    og_paper_scenario_settings_list(&b);
    if (!b.bad)
        fputs(b.s, stdout);
    og_buf_clear(&b);
    return b.bad ? EXIT_IO : og_close_stdout("ordergate-paper");
}

static bool loopback(const char *host)
{
    return strcmp(host, "::1") == 0 || (strncmp(host, "127.", 4) == 0 && strspn(host, "0123456789.") == strlen(host));
}

static void print_diagnostic(void *with, const struct og_diagnostic *diagnostic)
{
    fprintf(with, "%s:%d:%d: error: %s [%s]\n", diagnostic->file, diagnostic->line, diagnostic->col, diagnostic->text,
            diagnostic->code);
}

static int failed(const struct og_error *err)
{
    char text[512];

    fprintf(stderr, "ordergate-paper: %s\n", og_error_line(err, text, sizeof text));
    return EXIT_IO;
}

/* Check the scenario; with --check, print its errors to stdout. */
static int check(const struct settings *s)
{
    struct og_error err = { .status = OG_OK };
    struct og_paper paper;
    enum og_status status = og_paper_init(&paper, &s->paper, &s->scenario, print_diagnostic, stdout, &err);

    og_paper_clear(&paper);
    if (status != OG_OK && status != OG_ESYNTAX)
        return failed(&err);
    if (fflush(stdout) != 0)
        return EXIT_IO;
    return status == OG_OK ? 0 : EXIT_NO;
}

static int serve(const struct settings *s)
{
    struct og_error err = { .status = OG_OK };
    struct og_paper paper;
    enum og_status status = og_paper_init(&paper, &s->paper, &s->scenario, print_diagnostic, stderr, &err);

    if (status == OG_OK && s->db)
        status = og_paper_db_open(&paper, s->db, &err);
    if (status == OG_OK && !og_paper_start(&paper))
        status = og_fail(&err, OG_EIO, "the scenario cannot be set up: out of memory, or the database failed");
    if (status == OG_OK && s->request_log)
        status = og_paper_log_open(&paper, s->request_log, &err);
    if (status == OG_OK)
        status = og_paper_server_run(&paper, &s->server, &err);
    og_paper_clear(&paper);
    if (status == OG_ESYNTAX)
        return EXIT_UNUSABLE;
    return status == OG_OK ? 0 : failed(&err);
}

int main(int argc, char **argv)
{
    struct settings s = { .host = "127.0.0.1",
                          .scenario = { .name = "default" },
                          .paper = { .prefix = OG_STR("SVC"), .exchange = exchange_closes } };
    int code;

    s.server = (struct og_paper_server_options){ .host = s.host, .port = 8787, .most_connections = MOST_CONNECTIONS };
    code = options_read(&spec, &s, argc, argv);
    if (code >= 0)
        return code;
    if (optind < argc)
        return options_misuse(&spec, "it takes no argument, got '%s'", argv[optind]);
    if (!s.server.cert != !s.server.key)
        return options_misuse(&spec, "--tls-cert and --tls-key go together");
    if (s.list_keys)
        return list_keys();
    if (s.check)
        return check(&s);
    if (s.paper.control && !loopback(s.server.host))
        return options_misuse(&spec, "--control needs a loopback address, not '%s'", s.server.host);
    return serve(&s);
}
