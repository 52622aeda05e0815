/*
 * ordergate check: the filter.  Orders in, one decision (or the accepted orders) a line out, in order.
 * It refuses I/O beyond files and pipes: deciding is offline, written on the public API alone.
 */
#include "ordergate/halt.h"
#include "ordergate/ordergate.h"

#include "tools/common/ahead.h"
#include "tools/common/behind.h"
#include "tools/common/commands.h"
#include "tools/common/file.h"
#include "tools/common/reload.h"
#include "tools/common/say.h"

#include <errno.h>
#include <fcntl.h>
#include <getopt.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { EXIT_REFUSED = 1, EXIT_USAGE = 2, EXIT_UNUSABLE = 3, EXIT_IO = 4 };
enum emit { EMIT_DECISIONS, EMIT_ORDERS, EMIT_BODIES };

#define LIST_MOST 64
#define OUT_FLUSH ((size_t)1 << 16)

/* Bytes on their way to a descriptor.  They are put there by the thread that writes behind, or when it has nothing to do. */
struct out {
    int fd;
    const char *name;
    char *s;
    size_t len, room;
    atomic_bool failed;
};

struct facts_file {
    const char *path;
    struct stat seen;
};

struct check {
    const char *policy[LIST_MOST];
    struct facts_file facts[LIST_MOST];
    size_t policies, facts_files;
    const char *account, *rejects_path, *key;
    enum emit emit;
    int64_t at; /* OG_TIME_UNKNOWN: the clock */
    bool independent, assume_filled, suggest, margin, ignore_halt;

    struct reload reload;
    struct og_book *book;
    struct og_order *order; /* the line's, while it is decided */
    struct og_request *request;
    struct og_scratch *scratch; /* the slot's, likewise */
    struct og_scratch *probes;  /* NULL unless there may be suggestions */
    struct behind behind;
    bool writes_behind; /* behind has begun */
    struct out out, rejects;
    const char *file;         /* named: decisions carry it */
    bool refused, io_failed, facts_failed;
    long long orders, refusals; /* for the words at the end */
};

static const char usage[] =
    "usage: ordergate check [-p POLICY]... [-f FACTS]... [options] [FILE...]\n"
    "\n"
    "Decides orders offline: reads them as JSON, one a line, and writes one decision a line.\n"
    "\n"
    "  ordergate check -p live -f facts.json < orders.ndjson\n"
    "  ordergate check -f facts.json --emit orders < orders.ndjson | ordergate send\n"
    "\n"
    "  -p, --policy POLICY   shipped policy or file; several lie over one another (default: default)\n"
    "  -f, --facts FILE      what is known of the account, JSON; once per account\n"
    "      --require-signature FILE  use only a policy signed for this public key (ordergate policy sign)\n"
    "      --account ID      whose orders these are, for lines without accountId\n"
    "      --at TIME         decide as of this instant (RFC 3339 with offset; default: now)\n"
    "      --emit WHAT       decisions (default), orders (accepted ones, with the account named), bodies (as posted)\n"
    "      --rejects FILE    write the decisions of refused orders there\n"
    "      --ignore-halt     whatever ordergate halt says; with --at it is ignored anyway, for it is of now\n"
    "      --independent     each order alone: accepted ones do not count for those after them\n"
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
    "An endpoint is one of GET accounts, account, positions, orders, order, closed, cash, routes, pnl, borrow, history,\n"
    "history-pages, locates, inventory.  Lines with \"op\":\"quote\", \"facts\" or \"heartbeat\" keep what is known fresh.\n"
    "\n"
    "exit: 0 all accepted, 1 some refused, 2 usage, 3 a policy or facts cannot be used, 4 cannot read or write\n";

static const struct option options[] = {
    { "policy", required_argument, NULL, 'p' },   { "facts", required_argument, NULL, 'f' },
    { "account", required_argument, NULL, 'a' },  { "at", required_argument, NULL, 't' },
    { "emit", required_argument, NULL, 'e' },     { "rejects", required_argument, NULL, 'r' },
    { "ignore-halt", no_argument, NULL, 'H' },
    { "independent", no_argument, NULL, 'i' },    { "assume", required_argument, NULL, 's' },
    { "require-signature", required_argument, NULL, 'k' },
    { "suggest", no_argument, NULL, 'g' },        { "margin", no_argument, NULL, 'm' },
    { "help", no_argument, NULL, 'h' },           { NULL, 0, NULL, 0 },
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
        if (c->policies == LIST_MOST)
            return bad_usage("-p", optarg, "at most 64 policies");
        c->policy[c->policies++] = optarg;
        return 0;
    case 'f':
        if (c->facts_files == LIST_MOST)
            return bad_usage("-f", optarg, "at most 64 facts files");
        c->facts[c->facts_files++].path = optarg;
        return 0;
    case 'a':
        c->account = optarg;
        return *optarg ? 0 : bad_usage("--account", optarg, "an account id");
    case 'e': return set_emit(c, optarg);
    case 'k': c->key = optarg; return 0;
    case 'r': c->rejects_path = optarg; return 0;
    case 'i': c->independent = true; return 0;
    case 'H': c->ignore_halt = true; return 0;
    case 'g': c->suggest = true; return 0;
    case 'm': c->margin = true; return 0;
    case 's':
        c->assume_filled = true;
        return strcmp(optarg, "filled") ? bad_usage("--assume", optarg, "filled") : 0;
    case 't':
        if (!og_time_read(optarg, strlen(optarg), &c->at))
            return bad_usage("--at", optarg, "RFC 3339 with offset, like 2026-01-15T14:31:00Z");
        return 0;
    default: return EXIT_USAGE;
    }
}

/* -1: go on; else the exit code. */
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

static void out_flush(struct out *o)
{
    size_t done = 0;

    while (done < o->len && !o->failed) {
        ssize_t n = write(o->fd, o->s + done, o->len - done);

        if (n >= 0) {
            done += (size_t)n;
        } else if (errno != EINTR) {
            fprintf(stderr, "ordergate check: %s: cannot be written: %s\n", o->name, strerror(errno));
            o->failed = true;
        }
    }
    o->len = 0;
}

/* At least size free bytes; false when out of memory. */
static bool out_room(struct out *o, size_t size)
{
    char *more;

    if (o->room - o->len >= size)
        return true;
    more = realloc(o->s, o->len + size + OUT_FLUSH);
    if (!more) {
        o->failed = true;
        return false;
    }
    o->s = more;
    o->room = o->len + size + OUT_FLUSH;
    return true;
}

static void out_line_done(struct out *o, size_t len)
{
    o->len += len;
    o->s[o->len++] = '\n';
    if (o->len >= OUT_FLUSH)
        out_flush(o);
}

static void put_decision(struct out *o, const struct og_decision *d, const struct og_source *source)
{
    size_t room = 8192, len = 0;

    while (out_room(o, room + 1)) {
        if (og_decision_write(d, source, o->s + o->len, o->room - o->len - 1, &len) == OG_OK) {
            out_line_done(o, len);
            return;
        }
        room = len + 1;
    }
}

static void put_order(const struct check *c, struct og_order *order, struct out *o)
{
    size_t room = 4096, len = 0;

    /* the account named for all is named in each, so that who reads them stays on it */
    if (c->emit == EMIT_ORDERS && c->account && og_order_set_account(order, c->account)) {
        o->failed = true;
        return;
    }
    while (out_room(o, room + 1)) {
        char *to = o->s + o->len;
        size_t size = o->room - o->len - 1;
        enum og_status s = c->emit == EMIT_ORDERS ? og_order_line(order, to, size, &len)
                                                  : og_order_body(order, to, size, &len);

        if (s == OG_OK) {
            out_line_done(o, len);
            return;
        }
        if (!len || s == OG_ENOMEM) {
            o->failed = true;
            return;
        }
        room = len + 1;
    }
}

static bool apply_facts_file(struct check *c, struct facts_file *f)
{
    struct og_error err = { .status = OG_OK };
    char why[512];
    size_t len;
    char *json = file_read(f->path, &len, &f->seen, why, sizeof why);
    enum og_status s;

    if (!json) {
        fprintf(stderr, "ordergate check: %s\n", why);
        return false;
    }
    s = og_book_apply(c->book, NULL, json, len, f->path, &err);
    free(json);
    if (s) {
        char line[512];
        fprintf(stderr, "ordergate check: %s\n", og_tool_error(&err, line, sizeof line));
    }
    return s == OG_OK;
}

static bool was_replaced(const struct stat *a, const struct stat *b)
{
    return a->st_ino != b->st_ino || a->st_dev != b->st_dev || a->st_size != b->st_size ||
           a->st_mtim.tv_sec != b->st_mtim.tv_sec || a->st_mtim.tv_nsec != b->st_mtim.tv_nsec;
}

/* When bytes have come: policies and facts files that were renamed over are read again; a bad one leaves the old, and
 * says so. */
static void look_at_files(void *with)
{
    struct check *c = with;
    struct stat now;

    behind_drain(&c->behind); /* findings point into the policy they were made by */
    reload_look(&c->reload, c->book);
    for (size_t i = 0; i < c->facts_files; i++) {
        struct facts_file *f = &c->facts[i];

        if (strcmp(f->path, "-") == 0 || stat(f->path, &now) || !was_replaced(&now, &f->seen))
            continue;
        if (!apply_facts_file(c, f)) {
            c->facts_failed = true;
            f->seen = now;
        }
    }
}

/* Called for each decision in turn. */
static void put_slot(void *with, struct behind_slot *slot)
{
    struct check *c = with;
    const struct og_decision *d = &slot->decision;

    if (c->emit == EMIT_DECISIONS)
        put_decision(&c->out, d, &slot->source);
    else if (d->accepted)
        put_order(c, slot->order, &c->out);
    if (!d->accepted && c->rejects_path)
        put_decision(&c->rejects, d, &slot->source);
}

static void flush_both(void *with)
{
    struct check *c = with;

    behind_drain(&c->behind);
    out_flush(&c->out);
    if (c->rejects_path)
        out_flush(&c->rejects);
}

static void take_line(struct check *c, const char *line, size_t len, const char *name, long long number)
{
    struct og_error err = { .status = OG_OK };
    enum og_status s = og_order_op(c->order) == OG_OP_QUOTE ? og_book_quote(c->book, line, len, &err)
                                                            : og_book_apply(c->book, NULL, line, len, "facts", &err);
    char text[512];

    if (!s)
        return;
    fprintf(stderr, "ordergate check: %s:%lld: %s\n", name, number, og_tool_error(&err, text, sizeof text));
    c->facts_failed = true;
}

static bool decide_order(struct check *c, int64_t now, struct og_decision *d)
{
    og_ticket ticket;

    if (c->independent) {
        og_check(c->book, c->order, now, c->scratch, d);
        return true;
    }
    if (og_reserve(c->book, c->order, now, c->scratch, d, &ticket))
        return false;
    /* a fill that cannot be counted exactly stays an order that works */
    return !ticket || !c->assume_filled || og_ticket_fill(c->book, ticket) != OG_ENOMEM;
}

static bool decide_request(struct check *c, const struct ahead_line *line, int64_t now, struct og_decision *d)
{
    if (og_request_read(c->request, line->text, line->len))
        return false;
    switch (og_request_what(c->request)) {
    case OG_REQUEST_CANCEL: og_check_cancel(c->book, c->request, now, c->scratch, d); break;
    case OG_REQUEST_READ: og_check_read(c->book, c->request, now, c->scratch, d); break;
    default: og_check_locate(c->book, c->request, now, c->scratch, d); break;
    }
    return true;
}

static bool decide(struct check *c, const struct ahead_line *line, struct behind_slot *slot)
{
    struct og_decision *d = &slot->decision;
    int64_t now = c->at == OG_TIME_UNKNOWN ? og_time_now() : c->at;
    enum og_op op = og_order_op(c->order);

    /* where orders are written, what is none is refused: it would be lost without a word */
    if ((op == OG_OP_CANCEL || op == OG_OP_REQUEST) && c->emit == EMIT_DECISIONS)
        return decide_request(c, line, now, d);
    if (c->margin) /* before the order is one of those that work */
        og_margin_ask(c->book, c->order, now, c->scratch, &slot->margin);
    if (!decide_order(c, now, d))
        return false;
    d->margin = c->margin ? &slot->margin : NULL;
    if (c->suggest && !d->accepted) {
        og_suggest(c->book, c->order, now, c->probes, &slot->suggestion);
        d->suggest = &slot->suggestion;
    }
    return true;
}

/* The decision points into its order, so the order goes with it; what belongs to the line or is large is not kept. */
static void write_behind(struct check *c, struct ahead_line *line, struct behind_slot *slot)
{
    struct og_order *own = slot->order;

    slot->order = line->order;
    behind_made(&c->behind);
    if (line->large || og_order_op(line->order) != OG_OP_ORDER) {
        behind_drain(&c->behind);
        slot->order = own;
    } else {
        line->order = own;
    }
}

static bool one_line(struct check *c, struct ahead_line *line, const char *name)
{
    struct behind_slot *slot;
    enum og_op op = og_order_op(line->order);

    c->order = line->order;
    if (op == OG_OP_HEARTBEAT) {
        flush_both(c);
        return true;
    }
    if (op == OG_OP_QUOTE || op == OG_OP_FACTS) {
        take_line(c, line->text, line->len, name, line->number);
        return true;
    }
    slot = behind_next(&c->behind);
    if (!slot)
        return false;
    c->scratch = slot->scratch;
    slot->source = (struct og_source){ .line = line->number, .file = c->file };
    if (!decide(c, line, slot))
        return false;
    c->orders++;
    c->refusals += !slot->decision.accepted;
    c->refused |= !slot->decision.accepted;
    write_behind(c, line, slot);
    return true;
}

static void one_file(struct check *c, int fd, const char *name)
{
    struct ahead ahead;
    struct ahead_line *line;
    enum lines_answer answer = LINES_FAILED;
    bool started = ahead_start(&ahead, fd, flush_both, look_at_files, c), ok = started;

    while (ok && !c->out.failed && !c->rejects.failed && (answer = ahead_next(&ahead, &line)) == LINES_LINE) {
        ok = one_line(c, line, name);
        og_progress("ordergate check", c->orders, c->refusals, "refused");
    }
    if (!ok || answer == LINES_FAILED) {
        fprintf(stderr, "ordergate check: %s: cannot be read: %s\n", name, strerror(ok || !started ? errno : ENOMEM));
        c->io_failed = true;
    }
    if (started)
        ahead_stop(&ahead);
    behind_drain(&c->behind); /* what it says of the file is the file's */
}

static void all_files(struct check *c, int count, char **names)
{
    if (!count)
        one_file(c, STDIN_FILENO, "stdin");
    for (int i = 0; i < count && !c->out.failed; i++) {
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

/* -1: ready; else the exit code. */
static int prepare(struct check *c)
{
    struct og_policy *policy;
    int code = reload_begin(&c->reload, "ordergate check", c->policy, c->policies, c->key, &policy);

    if (code) {
        og_policy_free(policy);
        return code;
    }
    reload_on_hangup();
    if (og_book_new(policy, &c->book)) {
        og_policy_free(policy);
        return EXIT_IO;
    }
    if ((c->ignore_halt || c->at != OG_TIME_UNKNOWN) && og_book_halt_source(c->book, "", NULL))
        return EXIT_IO;
    c->request = og_request_new();
    c->probes = c->suggest ? og_scratch_new() : NULL;
    if (!c->request || (c->suggest && !c->probes) || og_book_default_account(c->book, c->account))
        return EXIT_IO;
    for (size_t i = 0; i < c->facts_files; i++)
        if (!apply_facts_file(c, &c->facts[i]))
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
    c->writes_behind = behind_start(&c->behind, put_slot, c);
    return c->writes_behind ? -1 : EXIT_IO;
}

static void finish(struct check *c)
{
    if (c->writes_behind)
        behind_stop(&c->behind);
    og_scratch_free(c->probes);
    og_request_free(c->request);
    og_book_free(c->book);
    reload_end(&c->reload);
    free(c->out.s);
    free(c->rejects.s);
}

int og_cmd_check(int argc, char **argv)
{
    struct check c = { .at = OG_TIME_UNKNOWN };
    int code = read_options(&c, argc, argv);

    if (code < 0)
        code = prepare(&c);
    if (code < 0) {
        all_files(&c, argc - optind, argv + optind);
        flush_both(&c);
        og_progress_end();
        if (c.rejects_path && close(c.rejects.fd) && !c.rejects.failed) {
            fprintf(stderr, "ordergate check: %s: cannot be written: %s\n", c.rejects_path, strerror(errno));
            c.rejects.failed = true;
        }
        code = c.out.failed || c.rejects.failed || c.io_failed ? EXIT_IO
               : c.facts_failed || c.reload.failed             ? EXIT_UNUSABLE
               : c.refused                                     ? EXIT_REFUSED
                                                               : 0;
    }
    finish(&c);
    return code;
}
