/*
 * ordergate waive: records waivers, which let one order pass one rule for a limited time; lists and revokes them.
 * Rejects unknown rules, and rules that cannot be waived.
 */
#include "ordergate/ledger.h"
#include "ordergate/policy.h"
#include "ordergate/rules.h"
#include "ordergate/time.h"
#include "tools/common/exit.h"
#include "tools/common/json.h"
#include "tools/common/messages.h"

#include <getopt.h>
#include <pwd.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { NAMES_MOST = 256, POLICIES_MOST = 16 };

#define DEFAULT_FOR_NS (15 * 60 * OG_NS_PER_S)

static const char program[] = "ordergate waive";

static const char usage[] =
    "usage: ordergate waive --order CLIENTORDERID --rule RULE --reason TEXT [--by WHO] [--for DURATION] [options]\n"
    "       ordergate waive --list [--all] [options]\n"
    "       ordergate waive --revoke --order CLIENTORDERID [--rule RULE] [--reason TEXT] [--by WHO] [options]\n"
    "\n"
    "Lets one order pass one rule, once: a running ordergate send applies the waiver from its next decision on, in "
    "which the\n"
    "finding that would have refused warns instead, and names the person.  The waiver is a record of the ledger and "
    "posts\nnothing: give the order to send again, under the same id.\n"
    "\n"
    "An order was refused, and somebody with authority wants it sent:\n"
    "  ordergate waive --order a3 --rule order-notional --reason 'block for the pension desk, agreed with risk'\n"
    "\n"
    "      --order ID         its clientOrderId: the waiver is for the newest refused order of that id, unchanged\n"
    "      --digest DIGEST    for the order with this body instead (sha256:..., ordergate ledger show: detail.digest)\n"
    "      --rule RULE        the rule, as in the finding; --revoke without it revokes all waivers of the order\n"
    "      --reason TEXT      why, kept and shown with the order\n"
    "      --by WHO           who waives (default: the user)\n"
    "      --for DURATION     how long it is valid: 1s to 24h (default: 15m)\n"
    "      --list             list the live waivers, a JSON object a line\n"
    "      --all              with --list: also those used, revoked or expired\n"
    "      --revoke           revoke it\n"
    "  -p, --policy POLICY    the sender's policy, given as often as there: a rule that it or the floor locks is not "
    "waived\n"
    "      --account ID       the order's account (default: as in its recorded decisions, else the ledger's only "
    "account)\n      --ledger FILE      the ledger of send (default: $XDG_STATE_HOME/ordergate/ledger.db)\n"
    "      --ledger-key FILE  key of a keyed ledger (default: ORDERGATE_LEDGER_KEY)\n"
    "  -h, --help             this text\n"
    "      --version          the version\n"
    "\n"
    "Never waived: rules that no policy can weaken (order-form, request-fields), rules a policy locks, client-order-id "
    "(no\norder is sent twice) and trading (a halt is obeyed).  A warning says if a waiver may have no effect.\n"
    "\n"
    "exit: 0 done, 1 the order was posted already, or there is nothing to revoke, 2 usage, or a rule that cannot be "
    "waived,\n      3 the policy cannot be used, 4 the ledger cannot be read or written\n";

enum {
    O_DIGEST = 255,
    O_ORDER,
    O_RULE,
    O_REASON,
    O_BY,
    O_FOR,
    O_LIST,
    O_ALL,
    O_REVOKE,
    O_ACCOUNT,
    O_LEDGER_KEY,
    O_LEDGER,
    O_VERSION
};

static const struct option options[] = {
    { "order", required_argument, NULL, O_ORDER },
    { "digest", required_argument, NULL, O_DIGEST },
    { "rule", required_argument, NULL, O_RULE },
    { "reason", required_argument, NULL, O_REASON },
    { "by", required_argument, NULL, O_BY },
    { "for", required_argument, NULL, O_FOR },
    { "list", no_argument, NULL, O_LIST },
    { "all", no_argument, NULL, O_ALL },
    { "revoke", no_argument, NULL, O_REVOKE },
    { "account", required_argument, NULL, O_ACCOUNT },
    { "ledger", required_argument, NULL, O_LEDGER },
    { "ledger-key", required_argument, NULL, O_LEDGER_KEY },
    { "policy", required_argument, NULL, 'p' },
    { "version", no_argument, NULL, O_VERSION },
    { "help", no_argument, NULL, 'h' },
    { NULL, 0, NULL, 0 },
};

struct asked {
    bool list, all, revoke;
    const char *path, *nearest; /* the rule that may have been meant; NULL: none */
    const char *policy[POLICIES_MOST];
    size_t policies;
    struct og_ledger_waiver waiver;
    char user[64];
};

static int say_usage(const char *what)
{
    fprintf(stderr, "%s: %s; see %s --help\n", program, what, program);
    return EXIT_USAGE;
}

static int set_for(struct asked *a)
{
    if (og_duration_read(optarg, strlen(optarg), &a->waiver.for_ns) && a->waiver.for_ns >= OG_NS_PER_S &&
        a->waiver.for_ns <= 24 * 3600 * OG_NS_PER_S)
        return -1;
    return og_bad_usage(program, "--for", optarg, "a duration from 1s to 24h, like 15m");
}

static int set_digest(struct asked *a)
{
    a->waiver.digest = optarg;
    if (strncmp(optarg, "sha256:", 7) == 0 && strlen(optarg) == 71 && strspn(optarg + 7, "0123456789abcdef") == 64)
        return -1;
    return og_bad_usage(program, "--digest", optarg, "sha256: and 64 hex digits in small letters");
}

/* Returns -1 to go on; else the exit code. */
static int set_option(struct asked *a, int option)
{
    switch (option) {
    case O_ORDER: a->waiver.id = optarg; return -1;
    case O_DIGEST: return set_digest(a);
    case O_RULE: a->waiver.rule = optarg; return -1;
    case O_REASON: a->waiver.reason = optarg; return -1;
    case O_BY: a->waiver.by = optarg; return -1;
    case O_FOR: return set_for(a);
    case O_LIST: a->list = true; return -1;
    case O_ALL: a->all = true; return -1;
    case O_REVOKE: a->revoke = true; return -1;
    case O_ACCOUNT: a->waiver.account = optarg; return -1;
    case O_LEDGER: a->path = optarg; return -1;
    case O_LEDGER_KEY: return setenv("ORDERGATE_LEDGER_KEY", optarg, 1) ? EXIT_IO : -1;
    case 'p':
        if (a->policies == POLICIES_MOST)
            return say_usage("-p is given too often");
        a->policy[a->policies++] = optarg;
        return -1;
    case 'h':
    case O_VERSION:
        fputs(option == 'h' ? usage : "ordergate " OG_VERSION "\n", stdout);
        return og_close_stdout(program);
    default: fprintf(stderr, "%s: see %s --help\n", program, program); return EXIT_USAGE;
    }
}

static int check_words(const struct asked *a)
{
    const struct og_ledger_waiver *w = &a->waiver;

    if (a->list)
        return w->id || w->rule || w->reason || w->digest || a->revoke || a->policies
                   ? say_usage("--list takes --all, --account and --ledger")
                   : -1;
    if (a->all)
        return say_usage("--all goes with --list");
    if (a->revoke && (a->policies || w->digest))
        return say_usage("-p and --digest are for giving a waiver");
    if (!w->id)
        return say_usage("--order is missing: the clientOrderId of the order");
    if (!a->revoke && !w->rule)
        return say_usage("--rule is missing: what the finding calls \"rule\"");
    if (!a->revoke && !w->reason)
        return say_usage("--reason is missing: say why it may go");
    return -1;
}

/* Returns true if the rule can be waived.  A rule that is not built in is looked up in recorded findings. */
static int check_rule(struct asked *a)
{
    const char *names[NAMES_MOST];
    const struct og_rule *rule = a->waiver.rule ? og_rules_find(a->waiver.rule) : NULL;
    size_t count = 0;

    if (!a->waiver.rule || a->revoke)
        return -1;
    if (rule && !og_rule_may_be_waived(rule)) {
        fprintf(stderr, "%s: rule '%s' cannot be waived: %s\n", program, a->waiver.rule, og_rule_because(rule));
        return EXIT_USAGE;
    }
    a->waiver.refused_by = rule == NULL;
    for (; !rule && count < NAMES_MOST && og_rules_at(count); count++)
        names[count] = og_rule_id(og_rules_at(count));
    a->nearest = rule ? NULL : og_nearest_word(a->waiver.rule, names, count);
    return -1;
}

static bool is_own(const struct og_policy *policy, const char *rule)
{
    struct og_custom_info own;

    for (size_t i = 0; og_policy_custom(policy, i, &own); i++)
        if (strcmp(own.id, rule) == 0)
            return true;
    return false;
}

/* Reject a rule that the policy locks: otherwise only the sender would notice, too late. */
static int check_policy(struct asked *a)
{
    struct og_policy *policy = NULL;
    struct og_error err = { 0 };
    char text[512];
    int code = -1;

    if (a->policies == 0)
        return -1;
    if (og_policy_load_all(a->policy, a->policies, NULL, &policy, og_print_fault, stderr, &err) != OG_OK) {
        if (err.status != OG_EPOLICY) /* errors of the policy were printed */
            fprintf(stderr, "%s: %s\n", program, og_tool_error(&err, text, sizeof text));
        return EXIT_UNUSABLE;
    }
    if (og_policy_locks(policy, a->waiver.rule)) {
        fprintf(stderr, "%s: policy '%s' locks rule '%s': no waiver of it counts\n", program, og_policy_name(policy),
                a->waiver.rule);
        code = EXIT_USAGE;
    } else if (a->waiver.refused_by && is_own(policy, a->waiver.rule)) {
        a->waiver.refused_by = false; /* it need not have refused the order yet */
    }
    og_policy_free(policy);
    return code;
}

static int read_options(struct asked *a, int argc, char **argv)
{
    const struct passwd *user = getpwuid(getuid());
    int option, code = -1;

    snprintf(a->user, sizeof a->user, "uid %lu", (unsigned long)getuid());
    if (user && user->pw_name[0])
        snprintf(a->user, sizeof a->user, "%.63s", user->pw_name);
    a->waiver.by = a->user;
    a->waiver.for_ns = DEFAULT_FOR_NS;
    while (code < 0 && (option = getopt_long(argc, argv, "hp:", options, NULL)) != -1)
        code = set_option(a, option);
    if (code >= 0)
        return code;
    if (optind < argc)
        return say_usage("it takes no arguments: the order is named with --order");
    code = check_words(a);
    if (code < 0)
        code = check_rule(a);
    return code >= 0 ? code : check_policy(a);
}

/* Print a warning also as a message. */
static int put(void *with, const char *json, size_t len)
{
    char words[512];

    (void)with;
    if (og_json_member(json, "\"warning\":\"", words, sizeof words))
        fprintf(stderr, "%s: warning: %s\n", program, words);
    return fwrite(json, 1, len, stdout) == len && putc('\n', stdout) != EOF ? 0 : -1;
}

static enum og_status list(const struct asked *a, struct og_error *err)
{
    struct og_ledger *l = NULL;
    enum og_status status = og_ledger_peek(a->path, &l, err);

    if (status == OG_OK)
        status = og_ledger_waivers(l, a->waiver.account, a->all, put, NULL, err);
    og_ledger_close(l);
    return status;
}

static int run(const struct asked *a)
{
    struct og_error err = { 0 };
    char text[512];
    enum og_status status = a->list     ? list(a, &err)
                            : a->revoke ? og_ledger_revoke(a->path, &a->waiver, put, NULL, &err)
                                        : og_ledger_waive(a->path, &a->waiver, put, NULL, &err);
    int closed, code = status == OG_OK ? 0 : status == OG_EINVAL ? EXIT_USAGE : status == OG_EBUSY ? EXIT_NO : EXIT_IO;

    if (status != OG_OK && (status != OG_EIO || err.text[0])) /* closing stdout reports its own failure */
        fprintf(stderr, "%s: %s\n", program, og_tool_error(&err, text, sizeof text));
    if (status == OG_EINVAL && a->nearest)
        fprintf(stderr, "%s: did you mean '%s'?\n", program, a->nearest);
    closed = og_close_stdout(program);
    return closed > code ? closed : code;
}

int main(int argc, char **argv)
{
    struct asked a = { .path = NULL };
    int code;

    signal(SIGPIPE, SIG_DFL);
    code = read_options(&a, argc, argv);
    return code >= 0 ? code : run(&a);
}
