/*
 * ordergate waive: records waivers, which let one order pass one rule for a limited time; lists and revokes them.
 * Unknown rules, and rules that cannot be waived, are rejected.
 */
#include <pwd.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "ordergate/ledger.h"
#include "ordergate/policy.h"
#include "ordergate/rules.h"
#include "ordergate/time.h"
#include "tools/common/complete.h"
#include "tools/common/exit.h"
#include "tools/common/json.h"
#include "tools/common/messages.h"
#include "tools/common/options.h"
#include "tools/common/reload.h"

enum { NAMES_MOST = 256, POLICIES_MOST = 16 };

#define DEFAULT_FOR_NS (15 * 60 * OG_NS_PER_S)

static const char program[] = "ordergate waive";

struct asked {
    bool list, all, revoke;
    const char *path, *nearest; /* nearest: the known rule that was probably meant; NULL if there is none */
    struct option_list policies;
    struct og_ledger_waiver waiver;
    char user[64];
};

static int set_digest(void *to, const struct option_row *row, const char *value)
{
    struct asked *a = to;

    (void)row;
    a->waiver.digest = value;
    return strncmp(value, "sha256:", 7) == 0 && strlen(value) == 71 && strspn(value + 7, "0123456789abcdef") == 64 ? 0
                                                                                                                   : -1;
}

static const struct option_row rows[] = {
    OPTION_ROW("order", 0, "ID", TEXT_AT(struct asked, waiver.id),
               "its clientOrderId: the waiver is for the newest refused order of that id, unchanged"),
    OPTION_ROW("digest", 0, "DIGEST", SET_BY(set_digest, "sha256: and 64 hex digits in small letters"),
               "for the order with this body instead (sha256:..., ordergate ledger show: detail.digest)"),
    OPTION_ROW("rule", 0, "RULE", TEXT_AT(struct asked, waiver.rule),
               "the rule, as in the finding; --revoke without it revokes all waivers of the order"),
    OPTION_ROW("reason", 0, "TEXT", TEXT_AT(struct asked, waiver.reason), "why, kept and shown with the order"),
    OPTION_ROW("by", 0, "WHO", TEXT_AT(struct asked, waiver.by), "who waives (default: the user)"),
    { .name = "for",
      .value = "DURATION",
      DURATION_AT(struct asked, waiver.for_ns),
      .least = OG_NS_PER_S,
      .most = 24 * 3600 * OG_NS_PER_S,
      .expected = "a duration from 1s to 24h, like 15m",
      .help = "how long it is valid: 1s to 24h (default: 15m)" },
    OPTION_ROW("list", 0, NULL, FLAG_AT(struct asked, list), "list the live waivers, a JSON object a line"),
    OPTION_ROW("all", 0, NULL, FLAG_AT(struct asked, all), "with --list: also those used, revoked or expired"),
    OPTION_ROW("revoke", 0, NULL, FLAG_AT(struct asked, revoke), "revoke it"),
    OPTION_ROW("policy", 'p', "POLICY", LIST_AT(struct asked, policies, POLICIES_MOST),
               "the sender's policy, given as often as there: a rule that it or the floor locks is not waived"),
    OPTION_ROW("account", 0, "ID", TEXT_AT(struct asked, waiver.account),
               "the order's account (default: as in its recorded decisions, else the ledger's only account)"),
    OPTION_ROW("ledger", 0, "FILE", TEXT_AT(struct asked, path),
               "the ledger of send (default: $XDG_STATE_HOME/ordergate/ledger.db)"),
    OPTION_ROW("ledger-key", 0, "FILE", SET_BY(options_set_ledger_key, NULL),
               "key of a keyed ledger (default: ORDERGATE_LEDGER_KEY)"),
    OPTION_END,
};

static const struct option_spec spec = {
    .program = program,
    .synopsis = "--order ID --rule RULE --reason TEXT [--by WHO] [--for DURATION] [options]\n"
                "--list [--all] [--account ID] [--ledger FILE]\n"
                "--revoke --order ID [--rule RULE] [--reason TEXT] [--by WHO] [--account ID] [--ledger FILE]",
    .about = "Lets one order pass one rule, once: a running ordergate send applies the waiver from its next decision "
             "on, in which the finding that would have refused warns instead, and names the person.  The waiver is a "
             "record of the ledger and posts nothing: give the order to send again, under the same id.\n"
             "\n"
             "An order was refused, and somebody with authority wants it sent:\n"
             "  ordergate waive --order a3 --rule order-notional --reason 'block for the pension desk, agreed with "
             "risk'\n",
    .rows = rows,
    .notes = "Never waived: rules that no policy can weaken (order-form, request-fields), rules a policy locks, "
             "client-order-id (no order is sent twice) and trading (a halt is obeyed).  A warning says if a waiver may "
             "have no effect.",
    .exits = "0 done, 1 the order was posted already, or there is nothing to revoke, 2 usage, or a rule that cannot be "
             "waived, 3 the policy cannot be used, 4 the ledger cannot be read or written",
    .word = complete_word,
};

static int check_words(const struct asked *a)
{
    const struct og_ledger_waiver *w = &a->waiver;

    if (a->list)
        return w->id || w->rule || w->reason || w->digest || a->revoke || a->policies.count
                   ? options_misuse(&spec, "--list takes no options but --all, --account and --ledger")
                   : -1;
    if (a->all)
        return options_misuse(&spec, "--all works only with --list");
    if (a->revoke && (a->policies.count || w->digest))
        return options_misuse(&spec, "-p and --digest do not go with --revoke");
    if (!w->id)
        return options_misuse(&spec, "--order is missing: the clientOrderId of the order");
    if (!a->revoke && !w->rule)
        return options_misuse(&spec, "--rule is missing: what the finding calls \"rule\"");
    if (!a->revoke && !w->reason)
        return options_misuse(&spec, "--reason is missing: say why the order may be sent");
    return -1;
}

/* Returns -1 if the rule can be waived, or the exit code after a message.  A rule that is not in the register may be
 * a custom rule: it is looked up in recorded findings. */
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
    a->waiver.refused_by = !rule;
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

/* Reject a rule that the policy locks. Without this check, the user would learn that the waiver has no effect only when
 * the sender refuses the order. */
static int check_policy(struct asked *a)
{
    struct og_policy *policy = NULL;
    int code = -1;

    if (a->policies.count == 0)
        return -1;
    if (load_policy(program, a->policies.item, a->policies.count, &policy))
        return EXIT_UNUSABLE;
    if (og_policy_locks(policy, a->waiver.rule)) {
        fprintf(stderr, "%s: policy '%s' locks rule '%s': no waiver of it counts\n", program, og_policy_name(policy),
                a->waiver.rule);
        code = EXIT_USAGE;
    } else if (a->waiver.refused_by && is_own(policy, a->waiver.rule)) {
        a->waiver.refused_by = false; /* a custom rule of the policy: it can be waived although no order was refused by
                                       * it yet */
    }
    og_policy_free(policy);
    return code;
}

static int read_options(struct asked *a, int argc, char **argv)
{
    const struct passwd *user = getpwuid(getuid());
    int code;

    snprintf(a->user, sizeof a->user, "uid %lu", (unsigned long)getuid());
    if (user && user->pw_name[0])
        snprintf(a->user, sizeof a->user, "%.63s", user->pw_name);
    a->waiver.by = a->user;
    a->waiver.for_ns = DEFAULT_FOR_NS;
    code = options_read(&spec, a, argc, argv);
    if (code >= 0)
        return code;
    if (optind < argc)
        return options_misuse(&spec, "it takes no arguments: the order is named with --order");
    code = check_words(a);
    if (code < 0)
        code = check_rule(a);
    return code >= 0 ? code : check_policy(a);
}

/* Print a record as JSON; print a warning also as a message. */
static int put(void *with, const char *json, size_t len)
{
    char words[512];

    if (og_json_member(json, "\"warning\":\"", words, sizeof words))
        fprintf(stderr, "%s: warning: %s\n", program, words);
    return og_print_line(with, json, len);
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
    enum og_status status = a->list     ? list(a, &err)
                            : a->revoke ? og_ledger_revoke(a->path, &a->waiver, put, NULL, &err)
                                        : og_ledger_waive(a->path, &a->waiver, put, NULL, &err);
    int closed, code = status == OG_OK ? 0 : status == OG_EINVAL ? EXIT_USAGE : status == OG_EBUSY ? EXIT_NO : EXIT_IO;

    if (status != OG_OK && (status != OG_EIO || err.text[0])) /* OG_EIO without a text: stdout cannot be written, which
                                                               * og_close_stdout() reports */
        (void)og_say(program, &err, code);
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
