/*
 * ordergate halt and ordergate resume (the program's name decides which): writes the halt flag that every sender and
 * every linked program obeys, and can cancel orders.
 * The flag is on the disk before the program waits for anything else.
 */
#include "ordergate/emergency.h"
#include "ordergate/halt.h"
#include "tools/common/exit.h"
#include "tools/common/json.h"
#include "tools/common/messages.h"
#include "tools/common/secret.h"

#include <getopt.h>
#include <limits.h>
#include <pwd.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { USERS_MOST = 64 };

static const char usage_halt[] =
    "usage: ordergate halt [--reduce-only] [--all] [--machine|--everywhere] [--cancel-own|--cancel-all] [--reason "
    "TEXT] "
    "[options]\n"
    "\n"
    "Halts trading: from the next second on every running ordergate send, and every program that links the gate, "
    "refuses\n"
    "orders that open, those that wait too.  Orders that only close pass.  The flag is a file in the state folder; it "
    "needs\nno ledger and no broker, and stays until ordergate resume.  Running senders are asked for a second whether "
    "they obey;\none line of JSON says where the flag is and how many did.\n"
    "\n"
    "  ordergate halt --cancel-own --reason 'feed is wrong'\n"
    "  ordergate resume --reason 'feed is back'\n"
    "\n"
    "      --reduce-only      orders that reduce what is held pass, whatever the policy says of a halt\n"
    "      --all              orders that only close are refused too\n"
    "      --machine          by the flag of the whole machine, " OG_HALT_MACHINE ", which every gate obeys\n"
    "      --everywhere       tell every running sender of this user, or as root of every user, whichever state folder "
    "it "
    "has\n"
    "      --cancel-own       then cancel the orders that this gate made, as the ledger knows them\n"
    "      --cancel-all       then cancel everything of the account, or of every account the keys reach\n"
    "      --reason TEXT      why, for those who find out\n"
    "      --broker FILE      for cancels: how the broker is reached (default: ORDERGATE_* variables)\n"
    "      --account ID       cancel of this account only\n"
    "      --ledger FILE      for --cancel-own (default: $XDG_STATE_HOME/ordergate/ledger.db)\n"
    "      --flag FILE        write this flag instead, which senders with ORDERGATE_HALT_ALSO=FILE obey\n"
    "  -h, --help             this text\n"
    "      --version          the version\n"
    "\n"
    "exit: 0 done, 1 the flag stands, and senders run and none obeyed, or some cancels failed, 2 usage, 4 the flag "
    "cannot\n      be written; or it stands, and the ledger cannot be read or the broker not be reached\n";
static const char usage_resume[] =
    "usage: ordergate resume --reason TEXT [--machine|--everywhere]\n"
    "\n"
    "Lets trading go on after ordergate halt.  Each flag is lifted by itself: the machine's with --machine.\n"
    "\n"
    "      --reason TEXT      why it may\n"
    "      --machine          lift the flag of the whole machine, " OG_HALT_MACHINE "\n"
    "      --everywhere       tell every running sender of this user, or as root of every user, whichever state folder "
    "it "
    "has\n"
    "      --flag FILE        lift this flag instead\n"
    "  -h, --help             this text\n"
    "      --version          the version\n"
    "\n"
    "exit: 0 done, 1 the flag is lifted, and senders run and none goes on, 2 usage, 4 the flag cannot be written\n";

enum {
    O_REDUCE = 256,
    O_ALL,
    O_OWN,
    O_EVERY,
    O_REASON,
    O_BROKER,
    O_ACCOUNT,
    O_LEDGER,
    O_MACHINE,
    O_EVERYWHERE,
    O_FLAG,
    O_VERSION
};

static const struct option options[] = {
    { "reason", required_argument, NULL, O_REASON },
    { "version", no_argument, NULL, O_VERSION },
    { "help", no_argument, NULL, 'h' },
    { "machine", no_argument, NULL, O_MACHINE },
    { "everywhere", no_argument, NULL, O_EVERYWHERE },
    { "flag", required_argument, NULL, O_FLAG },
    { "reduce-only", no_argument, NULL, O_REDUCE },
    { "all", no_argument, NULL, O_ALL },
    { "cancel-own", no_argument, NULL, O_OWN },
    { "cancel-all", no_argument, NULL, O_EVERY },
    { "broker", required_argument, NULL, O_BROKER },
    { "account", required_argument, NULL, O_ACCOUNT },
    { "ledger", required_argument, NULL, O_LEDGER },
    { NULL, 0, NULL, 0 },
};

struct asked {
    bool resume, reduce_only, all, own, every, machine, everywhere;
    const char *program, *reason, *broker, *account, *ledger, *flag;
};

static int say(const struct asked *a, const struct og_error *err, int code)
{
    char text[512];

    fprintf(stderr, "%s: %s\n", a->program, og_tool_error(err, text, sizeof text));
    return code;
}

static bool set_option(struct asked *a, int option)
{
    switch (option) {
    case O_REASON: a->reason = optarg; return true;
    case O_MACHINE: a->machine = true; return true;
    case O_EVERYWHERE: a->everywhere = true; return true;
    case O_FLAG: a->flag = optarg; return true;
    case O_REDUCE: a->reduce_only = true; return !a->resume;
    case O_ALL: a->all = true; return !a->resume;
    case O_OWN: a->own = true; return !a->resume;
    case O_EVERY: a->every = true; return !a->resume;
    case O_BROKER: a->broker = optarg; return !a->resume;
    case O_ACCOUNT: a->account = optarg; return !a->resume;
    case O_LEDGER: a->ledger = optarg; return !a->resume;
    default: return false;
    }
}

static int bad_usage(const struct asked *a, const char *what)
{
    fprintf(stderr, "%s: %s; see %s --help\n", a->program, what, a->program);
    return EXIT_USAGE;
}

/* Returns -1 to go on; else the exit code. */
static int read_options(struct asked *a, int argc, char **argv)
{
    int option;

    while ((option = getopt_long(argc, argv, "h", options, NULL)) != -1) {
        if (option == 'h' || option == O_VERSION) {
            fputs(option == O_VERSION ? "ordergate " OG_VERSION "\n" : a->resume ? usage_resume : usage_halt, stdout);
            return og_close_stdout(a->program);
        }
        if (!set_option(a, option))
            return bad_usage(a, option == '?' ? "an option it does not have" : "an option of halt alone");
    }
    if (optind < argc)
        return bad_usage(a, "it takes no arguments");
    if (a->resume && (!a->reason || !a->reason[0]))
        return bad_usage(a, "--reason is missing: say why trading may go on");
    if (a->reduce_only && a->all)
        return bad_usage(a, "--reduce-only lets orders pass that --all stops: give one of them");
    if (a->own && a->every)
        return bad_usage(a, "--cancel-all includes --cancel-own: give one of them");
    if (a->machine + a->everywhere + (a->flag != NULL) > 1)
        return bad_usage(a, "give one of --machine, --everywhere and --flag");
    if (a->flag && a->flag[0] != '/')
        return bad_usage(a, "--flag is no absolute path: where it is would depend on where one stands");
    if (a->reason && strlen(a->reason) >= sizeof((struct og_halt *)0)->reason)
        return bad_usage(a, "--reason is longer than 399 bytes");
    return -1;
}

static int put_line(void *with, const char *json, size_t len)
{
    (void)with;
    return fwrite(json, 1, len, stdout) == len && putc('\n', stdout) != EOF && fflush(stdout) == 0 ? 0 : -1;
}

static int cancel(const struct asked *a)
{
    struct og_client_options how = { .broker = a->broker, .account = a->account, .urgent = true };
    struct og_client *client;
    struct og_error err = { 0 };
    enum og_status status = secret_client_open(&how, &client, &err);
    int failed = 0;

    if (status)
        return say(a, &err, EXIT_IO);
    if (a->every)
        status = og_emergency_cancel_all(client, a->account, put_line, NULL, &failed, &err);
    else
        status = og_emergency_cancel_own(client, a->ledger, a->account, put_line, NULL, &failed, &err);
    og_client_close(client);
    if (status)
        return say(a, &err, EXIT_IO);
    if (failed)
        fprintf(stderr, "%s: %d cancel%s failed; see what works with ordergate broker orders\n", a->program, failed,
                failed == 1 ? "" : "s");
    return failed ? EXIT_NO : 0;
}

/* --- running senders ---------------------------------------------------------------------------------------------- */

#define WAIT_MS 1000

struct heard {
    const struct asked *a;
    unsigned long user[USERS_MOST]; /* users that have running senders */
    int senders[USERS_MOST], obeyed[USERS_MOST];
    int users, all, all_obeyed, elsewhere;
};

static void name_of(unsigned long user, char *to, size_t size)
{
    const struct passwd *p = getpwuid((uid_t)user);

    if (p)
        snprintf(to, size, "%.60s", p->pw_name);
    else
        snprintf(to, size, "user %lu", user);
}

/* Mask control characters in text from another user's process, before it is printed on a terminal. */
static const char *plain(char *text)
{
    for (unsigned char *c = (unsigned char *)text; *c; c++)
        if (*c < 0x20 || *c == 0x7f)
            *c = ' ';
    return text;
}

static void count(struct heard *h, const struct og_sender_heard *s)
{
    int i = 0;

    while (i < h->users && h->user[i] != s->user)
        i++;
    if (i == h->users && i < USERS_MOST)
        h->user[h->users++] = s->user;
    if (i < USERS_MOST) {
        h->senders[i]++;
        h->obeyed[i] += s->obeyed;
    }
    h->all++;
    h->all_obeyed += s->obeyed;
}

/* Print a sender that did not obey, and why. */
static void on_sender(void *with, const struct og_sender_heard *s)
{
    struct heard *h = with;
    const char *program = h->a->program;
    struct og_sender_heard said = *s;

    count(h, s);
    if (s->obeyed)
        return;
    if (!s->answered)
        fprintf(stderr, "%s: sender %ld did not answer within a second\n", program, s->pid);
    else if (s->fault[0])
        fprintf(stderr, "%s: sender %ld is halted: %s\n", program, s->pid, plain(said.fault));
    else if (h->a->resume && s->reads)
        fprintf(stderr, "%s: sender %ld is still %s by another flag (see its words)\n", program, s->pid,
                og_trading_name(s->trading));
    else if (!s->reads && !h->a->everywhere) {
        h->elsewhere++;
        fprintf(stderr, "%s: sender %ld looks at another flag, '%s'\n", program, s->pid, plain(said.path));
    } else
        fprintf(stderr, "%s: sender %ld was told, and an order may still be leaving\n", program, s->pid);
}

static void say_heard(const struct heard *h)
{
    const char *word = h->a->resume ? "goes on" : "obeyed";
    char name[64];

    for (int i = 0; i < h->users; i++) {
        name_of(h->user[i], name, sizeof name);
        fprintf(stderr, "%s: %d of %d running sender%s of %s %s\n", h->a->program, h->obeyed[i], h->senders[i],
                h->senders[i] == 1 ? "" : "s", name, h->a->resume && h->senders[i] != 1 ? "go on" : word);
    }
    if (!h->all)
        fprintf(stderr, "%s: no sender runs that could be asked\n", h->a->program);
    if (h->elsewhere)
        fprintf(stderr, "%s: --everywhere reaches senders with other state folders too\n", h->a->program);
}

/* Returns the exit code. */
static int ask_senders(const struct asked *a, const struct og_halt *halt, const char *path)
{
    struct heard h = { .a = a };
    struct og_senders_question q = { .halt = halt, .path = path, .everywhere = a->everywhere, .wait_ms = WAIT_MS };
    struct og_error err = { 0 };

    if (og_senders_ask(&q, on_sender, &h, &err))
        (void)say(a, &err, 0);
    say_heard(&h);
    printf("{\"halted\":%s", a->resume ? "false" : "true");
    og_json_pair(stdout, ",", "path", path);
    printf(",\"senders\":%d,\"obeyed\":%d}\n", h.all, h.all_obeyed);
    (void)fflush(stdout); /* og_close_stdout() reports a failure */
    return h.all && !h.all_obeyed ? EXIT_NO : 0;
}

static int run(const struct asked *a)
{
    struct og_halt halt = { .trading = a->resume        ? OG_TRADING_ON
                                       : a->all         ? OG_TRADING_HALTED_ALL
                                       : a->reduce_only ? OG_TRADING_REDUCE_ONLY
                                                        : OG_TRADING_HALTED };
    struct og_error err = { 0 };
    char room[PATH_MAX];
    const char *path = a->machine ? OG_HALT_MACHINE : a->flag ? a->flag : room;
    int code = 0, heard, closed;

    if (!a->own && !a->every) /* nothing to cancel, so no broker is needed */
        secret_forget();
    snprintf(halt.reason, sizeof halt.reason, "%s", a->reason ? a->reason : "");
    if (path == room && og_halt_path(room, sizeof room, &err))
        return say(a, &err, EXIT_IO);
    if (og_halt_write(path == room ? NULL : path, &halt, &err))
        return say(a, &err, EXIT_IO);
    fprintf(stderr, "%s: trading is %s by '%s'\n", a->program, og_trading_name(halt.trading), path);
    heard = ask_senders(a, &halt, path);
    if (a->own || a->every)
        code = cancel(a);
    closed = og_close_stdout(a->program);
    return closed ? closed : code ? code : heard;
}

int main(int argc, char **argv)
{
    const char *name = strrchr(argv[0], '/');
    struct asked a = { .resume = strstr(name ? name : argv[0], "resume") != NULL };
    int code;

    secret_guard();
    a.program = a.resume ? "ordergate resume" : "ordergate halt";
    code = read_options(&a, argc, argv);
    return code >= 0 ? code : run(&a);
}
