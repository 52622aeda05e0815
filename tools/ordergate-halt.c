/*
 * ordergate halt and ordergate resume (the program's name decides which): writes the halt flag that every sender and
 * every linked program obeys, and can cancel orders. The flag is written to the disk before the program waits for
 * anything; if it cannot be written, cancels are sent anyway.
 */
#include <limits.h>
#include <pwd.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "ordergate/emergency.h"
#include "ordergate/halt.h"
#include "ordergate/ledger.h"
#include "tools/common/exit.h"
#include "tools/common/json.h"
#include "tools/common/messages.h"
#include "tools/common/options.h"
#include "tools/common/secret.h"

enum { USERS_MOST = 64 };

struct asked {
    bool resume, reduce_only, all, own, every, machine, everywhere, replace;
    const char *program, *reason, *broker, *account, *ledger, *flag, *latch;
};

#define WHERE_ROWS(verb)                                                                                               \
    OPTION_ROW("machine", 0, NULL, FLAG_AT(struct asked, machine),                                                     \
               verb " the flag of the whole machine, " OG_HALT_MACHINE ", which every gate obeys"),                    \
        OPTION_ROW("everywhere", 0, NULL, FLAG_AT(struct asked, everywhere),                                           \
                   "tell every running sender of this user, or as root of every user, whichever state folder it has"), \
        OPTION_ROW("flag", 0, "FILE", TEXT_AT(struct asked, flag),                                                     \
                   verb " this flag instead, which senders with ORDERGATE_HALT_ALSO=FILE obey")

static const struct option_row halt_rows[] = {
    OPTION_ROW("reduce-only", 0, NULL, FLAG_AT(struct asked, reduce_only),
               "orders that reduce what is held pass, whatever the policy says of a halt"),
    OPTION_ROW("all", 0, NULL, FLAG_AT(struct asked, all), "orders that only close are refused too"),
    OPTION_ROW("replace", 0, NULL, FLAG_AT(struct asked, replace),
               "also in place of a stricter halt that stands, which otherwise stays"),
    WHERE_ROWS("write"),
    OPTION_ROW("cancel-own", 0, NULL, FLAG_AT(struct asked, own),
               "then cancel the orders that this gate made, as the ledger knows them; stops and targets too: "
               "positions stay, without them"),
    OPTION_ROW("cancel-all", 0, NULL, FLAG_AT(struct asked, every),
               "then cancel everything of the account, or of every account the keys reach, stops and targets too"),
    OPTION_ROW("reason", 0, "TEXT", TEXT_AT(struct asked, reason), "the reason, shown wherever the halt is reported"),
    OPTION_ROW("broker", 0, "FILE", TEXT_AT(struct asked, broker),
               "for cancels: how the broker is reached (default: ORDERGATE_* variables)"),
    OPTION_ROW("account", 0, "ID", TEXT_AT(struct asked, account), "cancel of this account only"),
    OPTION_ROW("ledger", 0, "FILE", TEXT_AT(struct asked, ledger),
               "for --cancel-own (default: $XDG_STATE_HOME/ordergate/ledger.db)"),
    OPTION_END,
};

static const struct option_row resume_rows[] = {
    OPTION_ROW("reason", 0, "TEXT", TEXT_AT(struct asked, reason), "why trading may go on"),
    WHERE_ROWS("lift"),
    OPTION_ROW("latch", 0, "NAME", TEXT_AT(struct asked, latch),
               "resume this latch instead, which a limit tripped: loss, loss-of-equity, drawdown or "
               "consecutive-rejections; no flag is lifted"),
    OPTION_ROW("account", 0, "ID", TEXT_AT(struct asked, account),
               "for --latch: of this account (default: the only one whose latch is tripped)"),
    OPTION_ROW("ledger", 0, "FILE", TEXT_AT(struct asked, ledger),
               "for --latch (default: $XDG_STATE_HOME/ordergate/ledger.db)"),
    OPTION_ROW("ledger-key", 0, "FILE", SET_BY(options_set_ledger_key, NULL),
               "for --latch: key of a keyed ledger (default: ORDERGATE_LEDGER_KEY)"),
    OPTION_END,
};

static const struct option_spec halt_spec = {
    .program = "ordergate halt",
    .synopsis = "[--reduce-only|--all] [--machine|--everywhere|--flag FILE] [--cancel-own|--cancel-all] [options]",
    .about =
        "Halts trading: from the next second on every running ordergate send, and every program that links the "
        "gate, refuses orders that open, those that wait too.  Orders that only close pass.  The flag is a file in "
        "the state folder; it needs no ledger and no broker, and stays until ordergate resume.  Running senders "
        "are asked for a second whether they obey; one line of JSON says where the flag is and how many did.\n"
        "\n"
        "  ordergate halt --cancel-own --reason 'feed is wrong'\n"
        "  ordergate resume --reason 'feed is back'\n",
    .rows = halt_rows,
    .exits =
        "0 done, 1 the flag stands, and not every running sender obeyed, or some cancels failed, 2 usage, 4 the flag "
        "cannot be written (cancels are sent all the same); or it stands, and the ledger cannot be used or the broker "
        "not be reached",
};

static const struct option_spec resume_spec = {
    .program = "ordergate resume",
    .synopsis = "--reason TEXT [--machine|--everywhere|--flag FILE]\n"
                "--latch NAME [--account ID] [--ledger FILE] [--ledger-key FILE] --reason TEXT",
    .about = "Lets trading go on after ordergate halt.  Each flag is lifted by itself: the machine's with --machine.\n"
             "With --latch, lets it go on after a limit was exceeded whose setting 'latch' stops it: your name and the "
             "reason are recorded in the ledger, and every sender of it goes on.  The limit itself stays: while it is "
             "exceeded, orders that open are refused, and the latch trips again.  ordergate ledger latches lists the "
             "latches.\n",
    .rows = resume_rows,
    .exits = "0 done, 1 the flag is lifted, but senders are running and none of them goes on, or the latch is not "
             "tripped, 2 usage, 4 the flag or the ledger cannot be written",
};

/* Returns what is wrong with the options; NULL if nothing is. */
static const char *fault_of(const struct asked *a, bool has_arguments)
{
    if (has_arguments)
        return "it takes no arguments";
    if (a->resume && (!a->reason || !a->reason[0]))
        return "--reason is missing: say why trading may go on";
    if (a->reduce_only && a->all)
        return "--reduce-only lets orders pass that --all stops: give one of them";
    if (a->own && a->every)
        return "--cancel-all includes --cancel-own: give one of them";
    if (a->machine + a->everywhere + (a->flag != NULL) > 1)
        return "give one of --machine, --everywhere and --flag";
    if (a->latch && (a->machine || a->everywhere || a->flag))
        return "--latch resumes a latch and lifts no flag: run ordergate resume once for each";
    if (a->resume && !a->latch && (a->account || a->ledger))
        return "--account and --ledger go with --latch: a flag is of all accounts";
    if (a->flag && a->flag[0] != '/')
        return "--flag is not an absolute path: which file it names would depend on the current folder";
    if (a->reason && strlen(a->reason) >= sizeof((struct og_halt *)0)->reason)
        return "--reason is longer than 399 bytes";
    return NULL;
}

/* Returns -1 to go on, or the exit code. */
static int read_options(struct asked *a, int argc, char **argv)
{
    const struct option_spec *spec = a->resume ? &resume_spec : &halt_spec;
    int code = options_read(spec, a, argc, argv);
    const char *fault;

    a->program = spec->program;
    fault = code < 0 ? fault_of(a, optind < argc) : NULL;
    return fault ? options_misuse(spec, "%s", fault) : code;
}

static int cancel(const struct asked *a)
{
    struct og_client_options how = { .broker = a->broker, .account = a->account, .urgent = true };
    struct og_client *client;
    struct og_error err = { 0 };
    enum og_status status = secret_client_open(&how, &client, &err);
    int failed = 0;

    if (status)
        return og_say(a->program, &err, EXIT_IO);
    if (a->every)
        status = og_emergency_cancel_all(client, a->account, og_print_line_now, NULL, &failed, &err);
    else
        status = og_emergency_cancel_own(client, a->ledger, a->account, og_print_line_now, NULL, &failed, &err);
    og_client_close(client);
    if (status)
        return og_say(a->program, &err, EXIT_IO);
    if (failed)
        fprintf(stderr, "%s: %d cancel%s failed; ordergate broker orders lists the working orders\n", a->program,
                failed, failed == 1 ? "" : "s");
    return failed ? EXIT_NO : 0;
}

/* --- running senders ---------------------------------------------------------------------------------------------- */

#define WAIT_MS 1000

struct heard {
    const struct asked *a;
    unsigned long user[USERS_MOST]; /* users whose senders are running */
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

/* Mask control characters in a text from another user's process, before it is printed on a terminal. */
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

/* Print which sender did not obey, and why. */
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
        fprintf(stderr, "%s: sender %ld is still %s by another flag (see its messages)\n", program, s->pid,
                og_trading_name(s->trading));
    else if (!s->reads && !h->a->everywhere) {
        h->elsewhere++;
        fprintf(stderr, "%s: sender %ld obeys another flag, '%s'\n", program, s->pid, plain(said.path));
    } else
        fprintf(stderr, "%s: sender %ld obeys, but an order may still be leaving\n", program, s->pid);
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
        fprintf(stderr, "%s: no sender is running that could be asked\n", h->a->program);
    if (h->elsewhere)
        fprintf(stderr, "%s: --everywhere reaches senders with other state folders too\n", h->a->program);
}

/* Ask the senders to obey the flag; path: the flag's file, NULL: it could not be written. Returns the exit code. */
static int ask_senders(const struct asked *a, const struct og_halt *halt, const char *path)
{
    struct heard h = { .a = a };
    struct og_senders_question q = {
        .halt = halt, .path = path, .everywhere = a->everywhere, .wait_ms = WAIT_MS, .replace = a->replace
    };
    struct og_error err = { 0 };

    if (og_senders_ask(&q, on_sender, &h, &err))
        (void)og_say(a->program, &err, 0);
    say_heard(&h);
    printf("{\"halted\":%s", a->resume || !path ? "false" : "true");
    og_json(stdout, ",'path':%s,'senders':%d,'obeyed':%d}\n", path, h.all, h.all_obeyed);
    (void)fflush(stdout); /* og_close_stdout() reports a failure */
    if (!path)
        return EXIT_IO;
    if (a->resume) /* a resume fails only if no sender sends again: some may stay halted by other flags */
        return h.all && !h.all_obeyed ? EXIT_NO : 0;
    /* a sender that obeys only another flag was not asked */
    return h.all_obeyed < h.all - h.elsewhere || (h.all && !h.all_obeyed) ? EXIT_NO : 0;
}

/* A halt without a reason keeps the reason of the halt before it, unless the older halt is stricter and stays in
 * force. */
static void keep_reason(const struct asked *a, const char *path, struct og_halt *halt)
{
    struct og_halt old;
    struct og_error err = { 0 };

    if (a->resume || a->reason || og_halt_read(path, &old, &err) != OG_OK || old.trading == OG_TRADING_ON ||
        !old.reason[0] || (!a->replace && old.trading > halt->trading))
        return;
    memcpy(halt->reason, old.reason, sizeof halt->reason);
    fprintf(stderr, "%s: the reason that was given before stays: %s\n", a->program, old.reason);
}

/* A resume of what is not halted is no error; it may be meant for another flag. */
static void say_not_halted(const struct asked *a, const char *path)
{
    struct og_halt old;

    if (a->resume && og_halt_read(path, &old, NULL) == OG_OK && old.trading == OG_TRADING_ON)
        fprintf(stderr, "%s: nothing was halted by '%s'\n", a->program, path);
}

/* Write the flag. A resume, and a halt with --replace, overwrite the flag that is set; any other halt can only make it
 * stricter. *stands: the flag afterwards. */
static enum og_status write_flag(const struct asked *a, const char *path, struct og_halt *halt, struct og_halt *stands,
                                 struct og_error *err)
{
    enum og_status status;

    if (!a->resume && !a->replace)
        return og_halt_add(path, halt, stands, err);
    status = og_halt_write(path, halt, err);
    *stands = *halt;
    return status;
}

static void say_standing(const struct asked *a, const char *flag, const struct og_halt *halt, struct og_halt *stands)
{
    fprintf(stderr, "%s: trading is %s by '%s'\n", a->program, og_trading_name(stands->trading), flag);
    if (stands->trading != halt->trading)
        fprintf(stderr, "%s: that halt is stricter and stays, of %s at %s%s%s; --replace puts this one in its place\n",
                a->program, plain(stands->by), plain(stands->at), stands->reason[0] ? ": " : "", plain(stands->reason));
}

/* The flag could not be written. A halt of all senders is still sent to the running ones. Returns the exit code. */
static int without_flag(const struct asked *a, const struct og_halt *halt, const struct og_error *err)
{
    const int code = og_say(a->program, err, EXIT_IO);

    if (!a->everywhere || a->resume)
        return code;
    fprintf(stderr, "%s: running senders are told to halt; those that start later are not halted\n", a->program);
    return ask_senders(a, halt, NULL);
}

/* Write the flag, and tell the running senders. Returns the exit code. */
static int halt_senders(const struct asked *a, const char *path, struct og_halt *halt)
{
    const char *flag = path;
    struct og_error err = { 0 };
    struct og_halt stands;
    char room[PATH_MAX];

    if (!flag) {
        if (og_halt_path(room, sizeof room, &err))
            return without_flag(a, halt, &err);
        flag = room;
    }
    keep_reason(a, flag, halt);
    say_not_halted(a, flag);
    if (write_flag(a, path, halt, &stands, &err))
        return without_flag(a, halt, &err);
    say_standing(a, flag, halt, &stands);
    return ask_senders(a, a->everywhere ? halt : &stands, flag);
}

/* Record that the user resumes a latch. Returns the exit code. */
static int resume_latch(const struct asked *a)
{
    const struct passwd *user = getpwuid(getuid());
    struct og_ledger_resumption r = { .account = a->account, .latch = a->latch, .reason = a->reason };
    struct og_error err = { 0 };
    enum og_status status;
    char by[64];
    int closed, code;

    secret_forget();
    snprintf(by, sizeof by, "uid %lu", (unsigned long)getuid());
    if (user && user->pw_name[0])
        snprintf(by, sizeof by, "%.63s", user->pw_name);
    r.by = by;
    status = og_ledger_resume(a->ledger, &r, og_print_line_now, NULL, &err);
    code = status == OG_OK ? 0 : status == OG_EINVAL ? EXIT_USAGE : status == OG_EBUSY ? EXIT_NO : EXIT_IO;
    if (status != OG_OK && (status != OG_EIO || err.text[0]))
        (void)og_say(a->program, &err, code);
    closed = og_close_stdout(a->program);
    return closed > code ? closed : code;
}

static int run(const struct asked *a)
{
    struct og_halt halt = { .trading = a->resume        ? OG_TRADING_ON
                                       : a->all         ? OG_TRADING_HALTED_ALL
                                       : a->reduce_only ? OG_TRADING_REDUCE_ONLY
                                                        : OG_TRADING_HALTED };
    int code = 0, halted, closed;

    if (!a->own && !a->every) /* no orders are to be canceled: the broker and the secret are not needed */
        secret_forget();
    snprintf(halt.reason, sizeof halt.reason, "%s", a->reason ? a->reason : "");
    halted = halt_senders(a, a->machine ? OG_HALT_MACHINE : a->flag, &halt);
    if (a->own || a->every) {
        if (halted == EXIT_IO)
            fprintf(stderr, "%s: trading is not halted, since the flag is not written; orders are canceled anyway\n",
                    a->program);
        code = cancel(a);
    }
    closed = og_close_stdout(a->program);
    return closed ? closed : halted == EXIT_IO || code == 0 ? halted : code;
}

int main(int argc, char **argv)
{
    const char *name = strrchr(argv[0], '/');
    struct asked a = { .resume = strstr(name ? name : argv[0], "resume") != NULL };
    int code;

    secret_guard();
    code = read_options(&a, argc, argv);
    return code >= 0 ? code : a.latch ? resume_latch(&a) : run(&a);
}
