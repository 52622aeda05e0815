/*
 * ordergate flatten: cancels what works and closes what is held, by ordergate send, whose policy decides each close and
 * whose ledger keeps it from being posted twice. This file has the options and the rounds. In a round, orders are
 * canceled until they are over, positions are read, and what is held is closed; the next round sees what is left.
 */
#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "ordergate/time.h"
#include "tools/common/child.h"
#include "tools/common/complete.h"
#include "tools/common/exit.h"
#include "tools/common/flatten.h"
#include "tools/common/json.h"
#include "tools/common/messages.h"
#include "tools/common/secret.h"
#include "tools/common/send_options.h"

#define PAUSE_MS 500 /* between rounds in which nothing could be done */

static int set_limit(void *to, const struct option_row *row, const char *value)
{
    struct flatten_options *o = to;
    size_t len = strlen(value);
    struct og_money bps;

    (void)row;
    o->limit = true;
    if (len > 0 && value[len - 1] == '%') {
        if (!og_money_read(value, len - 1, &o->offset) || !og_money_times(o->offset, 100, &bps) || bps.scale != 0 ||
            bps.coef < 1 || bps.coef > 10000)
            return -1;
        o->offset_bps = (int)bps.coef;
        return 0;
    }
    return og_money_read(value, len, &o->offset) && og_money_cmp(o->offset, og_money_from(0)) >= 0 ? 0 : -1;
}

static const struct option_row rows[] = {
    OPTION_ROW("policy", 'p', "POLICY", LIST_AT(struct flatten_options, policies, OPTION_LIST_MOST),
               "policy that decides the closes, as for ordergate send"),
    OPTION_ROW("broker", 0, "FILE", TEXT_AT(struct flatten_options, broker),
               "how the broker is reached (default: ORDERGATE_* variables)"),
    OPTION_ROW("account", 0, "ID", TEXT_AT(struct flatten_options, account), "the account"),
    OPTION_ROW("symbol", 0, "SYMBOL", LIST_AT(struct flatten_options, symbols, FLAT_SYMBOLS_MOST),
               "only this stock or contract, and orders and spreads of it (may be given again)"),
    OPTION_ROW("ledger", 0, "FILE", TEXT_AT(struct flatten_options, ledger),
               "the ledger (default: $XDG_STATE_HOME/ordergate/ledger.db)"),
    OPTION_ROW("ledger-key", 0, "FILE", SET_BY(options_set_ledger_key, NULL),
               "key of a keyed ledger (default: ORDERGATE_LEDGER_KEY)"),
    OPTION_ROW("market", 0, NULL, FLAG_AT(struct flatten_options, market), "close by market orders"),
    OPTION_ROW("limit", 0, "OFFSET", SET_BY(set_limit, "dollars such as 0.05, or a percentage such as 1%"),
               "close by limit orders, so far below the bid, or above the ask for what is bought back; set anew each "
               "round"),
    OPTION_ROW("quotes", 0, "FILE", TEXT_AT(struct flatten_options, quotes),
               "quotes as NDJSON, for --limit and for ordergate send; a file"),
    OPTION_ROW("extended", 0, NULL, FLAG_AT(struct flatten_options, extended),
               "stocks by Day_Plus, which trades before 9:30 and after 16:00 too (with --limit)"),
    OPTION_ROW("route", 0, "NAME", TEXT_AT(struct flatten_options, route), "route of stocks"),
    OPTION_ROW("option-route", 0, "NAME", TEXT_AT(struct flatten_options, option_route), "route of options"),
    OPTION_ROW("wait", 0, "DURATION", DURATION_AT(struct flatten_options, wait_ns),
               "how long a round waits for a cancel or a close (default: 10s)"),
    OPTION_ROW("for", 0, "DURATION", DURATION_AT(struct flatten_options, for_ns),
               "begin no round after so long (default: 2m)"),
    OPTION_ROW("settle", 0, "DURATION", DURATION_AT(struct flatten_options, settle_ns),
               "how long after a fill the broker's positions may lack it (default: 3s)"),
    OPTION_ROW("dry-run", 0, NULL, FLAG_AT(struct flatten_options, dry_run),
               "print the lines of the first round, for ordergate send, and send nothing"),
    OPTION_END,
};

static const struct option_spec spec = {
    .program = "ordergate flatten",
    .synopsis = "--market|--limit OFFSET [options] [-- OPTION OF ordergate send...]",
    .about = "Closes what an account holds: cancels its working orders, whoever made them, waits until they are over, "
             "reads the positions, and closes them; then again, until nothing is held and nothing works.  Cancels and "
             "closes are sent by ordergate send: the policy decides the closes, the ledger records them, and none is "
             "posted twice, also when this program or the sender is killed and run again.\n"
             "\n"
             "  ordergate flatten -p live --broker broker.yaml --market --route NAME\n"
             "  ordergate flatten -p live --limit 0.5% --quotes quotes.ndjson --extended --symbol AAPL --route NAME\n"
             "  ordergate flatten -p live --market --route NAME --dry-run | ordergate send -p live\n",
    .rows = rows,
    .notes =
        "Short options are bought back before what covers them is sold.  A halt is obeyed as ordergate send obeys it: "
        "closes pass, unless it is for all orders.  What stands after -- are further options of ordergate send; a "
        "file, or an option that would bring other lines, is refused.",
    .exits = "0 nothing is held and nothing works, 1 a close or a cancel was refused or rejected, or a position has no "
             "quote, and something is left, 2 usage, 3 a policy cannot be used, 4 the time is over, the broker denies "
             "the account, or broker or ledger cannot be read or reached, 5 the outcome of an order is unknown",
    .word = complete_word,
    .in_order = true,
};

static volatile sig_atomic_t stopped;

static void on_stop(int signal)
{
    (void)signal;
    stopped = 1;
}

static int64_t now_ns(void)
{
    struct timespec t;

    clock_gettime(CLOCK_MONOTONIC, &t);
    return t.tv_sec * OG_NS_PER_S + t.tv_nsec;
}

static void pause_ns(int64_t ns)
{
    const struct timespec t = { .tv_sec = (time_t)(ns / OG_NS_PER_S), .tv_nsec = (long)(ns % OG_NS_PER_S) };

    nanosleep(&t, NULL);
}

/* Have ordergate send carry out the lines, to its end. how: a further option; NULL: none. Returns its exit code. */
static int run_send(const struct flatten_options *o, const char *how, const char *lines, size_t len)
{
    struct child_args args = { .count = 0 };
    char wait[32];
    int in = child_input(lines, len), cause;
    pid_t pid;

    snprintf(wait, sizeof wait, "%lldms", (long long)(o->wait_ns / OG_NS_PER_MS));
    for (size_t i = 0; i < o->policies.count; i++)
        child_add_option(&args, "-p", o->policies.item[i]);
    child_add_option(&args, "--broker", o->broker);
    child_add_option(&args, "--account", o->account);
    child_add_option(&args, "--ledger", o->ledger);
    child_add_option(&args, "--quotes", o->quotes);
    child_add_option(&args, "--wait", wait);
    child_add_option(&args, "--until", "final");
    if (how)
        child_add(&args, how);
    for (int i = 0; i < o->send_count; i++)
        child_add(&args, o->send_args[i]);
    child_add(&args, "-");
    cause = in < 0 ? errno : child_start("send", &args, in, -1, &pid);
    if (in >= 0)
        close(in);
    if (!cause)
        return child_end(pid, true);
    fprintf(stderr, "%s: ordergate-send cannot be run: %s\n", spec.program, strerror(cause));
    return EXIT_IO;
}

/* Try the options by a run that decides only, before anything is canceled. Returns 0, or the exit code if these or a
 * policy cannot be used: nothing could be closed then, and what was canceled would be gone. */
static int rehearse(const struct flatten_options *o)
{
    const int code = run_send(o, "--dry-run", "", 0);

    if (code != EXIT_USAGE && code != EXIT_UNUSABLE)
        return 0;
    fprintf(stderr, "%s: ordergate send cannot run with these options; nothing was canceled or closed\n", spec.program);
    return code;
}

/* What the rounds have come to. */
struct state {
    struct flat_view view;
    bool known;   /* the view is whole */
    bool is_flat; /* nothing is held, nothing works */
    bool acted;   /* something was sent since positions were read */
    bool refused; /* in the newest round a close was refused or rejected, or could not be priced */
    int code;     /* of the newest sender */
    int rounds;
};

/* Write lines by a function into memory, and have them carried out. Returns how many there were. */
static size_t send_closes(const struct flatten_options *o, struct state *s)
{
    size_t len, count, skipped;
    char *text = NULL;
    FILE *to = open_memstream(&text, &len);

    if (!to)
        return 0;
    count = flatten_write_closes(o, &s->view, o->account, to, &skipped);
    if (fclose(to) == 0 && count > 0) {
        s->code = run_send(o, NULL, text, len);
        s->acted = true;
        s->refused = s->code == EXIT_NO;
        if (s->refused)
            flatten_say_refusals(o, &s->view);
    } else {
        s->refused = count == 0 && skipped > 0;
    }
    free(text);
    return count;
}

static void send_cancels(const struct flatten_options *o, struct state *s)
{
    char *text = NULL;
    size_t len;
    FILE *to = open_memstream(&text, &len);

    if (!to)
        return;
    flatten_write_cancels(&s->view, o->account, to);
    if (fclose(to) == 0) {
        s->code = run_send(o, "--recover", text, len);
        s->acted = true;
    }
    free(text);
}

/* Read the positions, with the ids of the orders that close them. The ids are made before the positions are read: an
 * order that another process has posted since then has the same id, and one of the two is not posted. */
static bool read_positions(const struct flatten_options *o, struct og_client *client, struct state *s)
{
    static struct flat_view before;

    if (!flatten_read_positions(o, client, &before) || !flatten_make_ids(o, &before) ||
        !flatten_read_positions(o, client, &s->view)) {
        s->view.denied |= before.denied;
        return false;
    }
    for (size_t i = 0; i < s->view.positions; i++)
        for (size_t k = 0; k < before.positions; k++)
            if (strcmp(s->view.position[i].symbol, before.position[k].symbol) == 0)
                memcpy(s->view.position[i].id, before.position[k].id, sizeof before.position[k].id);
    return true;
}

static bool holds(const struct flat_view *v)
{
    bool held = false;

    for (size_t i = 0; i < v->positions; i++)
        held |= !v->position[i].is_expired;
    return held;
}

/* One round. Returns false if nothing could be done in it. */
static bool go_round(const struct flatten_options *o, struct og_client *client, struct state *s)
{
    bool did = false;

    s->known = false;
    s->rounds++;
    if (!flatten_read_orders(o, client, &s->view))
        return false;
    if (s->view.orders > 0) {
        send_cancels(o, s);
        did = s->code != EXIT_USAGE && s->code != EXIT_UNUSABLE;
        if (!did || !flatten_read_orders(o, client, &s->view))
            return false;
    }
    if (s->acted || flatten_is_fresh(o))
        pause_ns(o->settle_ns);
    s->acted = false;
    if (!read_positions(o, client, s))
        return false;
    s->known = true;
    s->is_flat = s->view.orders == 0 && !holds(&s->view);
    return s->is_flat || send_closes(o, s) > 0;
}

static void tell_end(const struct flatten_options *o, const struct state *s)
{
    const char *separator = "";

    og_json(stdout, "{'event':'flat','at':%s,'accountId':%s", og_time_text(og_time_now()).s, o->account);
    printf(",\"flat\":%s,\"rounds\":%d,\"held\":[", s->is_flat ? "true" : "false", s->rounds);
    for (size_t i = 0; i < s->view.positions; i++) {
        const struct flat_position *p = &s->view.position[i];

        printf("%s{\"symbol\":", separator);
        og_json_string(stdout, p->symbol);
        printf(",\"quantity\":%s%s,\"expired\":%s}", p->is_short ? "-" : "", og_money_text(p->quantity).s,
               p->is_expired ? "true" : "false");
        separator = ",";
    }
    printf("],\"working\":[");
    for (size_t i = 0; i < s->view.orders; i++) {
        printf("%s", i > 0 ? "," : "");
        og_json_string(stdout, s->view.order[i].id);
    }
    printf("],\"known\":%s}\n", s->known ? "true" : "false");
}

/* Read at the end what is left, after the newest closes. */
static void look_again(const struct flatten_options *o, struct og_client *client, struct state *s)
{
    if (s->acted)
        pause_ns(o->settle_ns);
    s->known = flatten_read_orders(o, client, &s->view) && flatten_read_positions(o, client, &s->view);
    s->is_flat = s->known && s->view.orders == 0 && !holds(&s->view);
}

static int exit_code(const struct state *s)
{
    if (s->is_flat)
        return 0;
    for (size_t i = 0; i < s->view.orders; i++)
        if (s->view.order[i].is_unknown)
            return EXIT_UNKNOWN;
    if (s->code == EXIT_USAGE || s->code == EXIT_UNUSABLE)
        return s->code;
    return s->known && s->refused ? EXIT_NO : EXIT_IO;
}

static int flatten(const struct flatten_options *o, struct og_client *client)
{
    const int64_t until = now_ns() + o->for_ns;
    static struct state s;
    int idle = 0;

    while (!stopped && !s.is_flat && !s.view.denied && s.code != EXIT_USAGE && s.code != EXIT_UNUSABLE &&
           now_ns() < until) {
        /* what was refused by the same facts twice is refused again */
        idle = go_round(o, client, &s) && !s.refused ? 0 : idle + 1;
        if (idle > 2 && s.refused)
            break;
        if (idle > 0 && !s.view.denied)
            pause_ns(PAUSE_MS * OG_NS_PER_MS);
    }
    if (!s.is_flat && !s.view.denied)
        look_again(o, client, &s);
    tell_end(o, &s);
    return exit_code(&s);
}

/* Print what the first round would send. */
static int print_lines(const struct flatten_options *o, struct og_client *client)
{
    static struct state s;
    size_t skipped;

    if (!flatten_read_orders(o, client, &s.view) || !read_positions(o, client, &s))
        return EXIT_IO;
    flatten_write_cancels(&s.view, o->account, stdout);
    s.view.orders = 0; /* as if these were over */
    (void)flatten_write_closes(o, &s.view, o->account, stdout, &skipped);
    return skipped > 0 ? EXIT_NO : 0;
}

/* Returns what is wrong with the options; NULL if nothing is. */
static const char *fault_of(const struct flatten_options *o, int argc, char **argv)
{
    if (optind < argc && (optind == 0 || strcmp(argv[optind - 1], "--") != 0))
        return "it takes no arguments; options of ordergate send stand after --";
    if (o->market == o->limit)
        return "give one of --market and --limit OFFSET";
    if (o->limit && !o->quotes)
        return "--limit needs the prices of --quotes FILE";
    if (o->market && o->extended)
        return "--extended goes with --limit: the service rejects market orders outside regular hours";
    return NULL;
}

int main(int argc, char **argv)
{
    struct flatten_options o = { .wait_ns = 10 * OG_NS_PER_S,
                                 .for_ns = 120 * OG_NS_PER_S,
                                 .settle_ns = 3 * OG_NS_PER_S };
    struct send sends = { .until = 0 };
    struct sigaction action = { .sa_handler = on_stop };
    int code = options_read(&spec, &o, argc, argv), closed;
    struct og_client_options how;
    struct og_client *client;
    struct og_error err = { 0 };
    const char *fault;

    if (code >= 0)
        return code;
    if ((fault = fault_of(&o, argc, argv)))
        return options_misuse(&spec, "%s", fault);
    o.send_args = argv + optind;
    o.send_count = argc - optind;
    if ((code = send_options_read(&spec, &sends, o.send_count, o.send_args)) >= 0)
        return code;
    secret_guard(); /* the secret stays in the environment, for the senders */
    sigaction(SIGINT, &action, NULL);
    sigaction(SIGTERM, &action, NULL);
    signal(SIGPIPE, SIG_IGN);
    how = (struct og_client_options){ .broker = o.broker, .account = o.account };
    if (og_client_open(&how, &client, &err) != OG_OK)
        return og_say(spec.program, &err, EXIT_IO);
    if (og_client_account_id(client, &o.account, &err) != OG_OK)
        code = og_say(spec.program, &err, EXIT_IO);
    else if ((code = rehearse(&o)) == 0)
        code = o.dry_run ? print_lines(&o, client) : flatten(&o, client);
    og_client_close(client);
    closed = og_close_stdout(spec.program);
    return closed ? closed : code;
}
