/*
 * ordergate policy explain: for one order, prints the settings of each rule, and for each value the policy and the line
 * from which it comes.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "ordergate/file.h"
#include "ordergate/ordergate.h"
#include "tools/common/commands.h"
#include "tools/common/complete.h"
#include "tools/common/exit.h"
#include "tools/common/facts.h"
#include "tools/common/messages.h"
#include "tools/common/options.h"
#include "tools/common/origins.h"
#include "tools/common/reload.h"

#define PROGRAM    "ordergate policy explain"
#define ORDER_MOST ((size_t)1 << 20) /* bytes */
#define RULES_MOST 256               /* maximum number of ids among which a misspelt one is looked for */

struct explain {
    struct option_list policies, facts, rules;
    const char *account;
    int64_t at;
    bool json;

    struct og_policy *policy;
    struct og_book *book; /* owns the policy */
    struct og_order *order;
    struct og_scratch *scratch;
    struct og_origins *origins;
    char *line; /* the order, as one line of JSON */
};

static const struct option_row rows[] = {
    OPTION_ROW("policy", 'p', "POLICY", LIST_AT(struct explain, policies, OPTION_LIST_MOST),
               "shipped policy or file; several: later ones override earlier ones (default: default)"),
    OPTION_ROW("facts", 'f', "FILE", LIST_AT(struct explain, facts, OPTION_LIST_MOST),
               "what is known of the account, JSON, for the conditions of overrides; once per account"),
    OPTION_ROW("account", 0, "ID", NAME_AT(struct explain, account),
               "the account of the order, if it has no accountId"),
    OPTION_ROW("at", 0, "TIME", TIME_AT(struct explain, at),
               "explain as of this instant (RFC 3339 with offset; default: now)"),
    OPTION_ROW("rule", 0, "ID", LIST_AT(struct explain, rules, OPTION_LIST_MOST),
               "explain only this rule; may be given several times"),
    OPTION_ROW("json", 0, NULL, FLAG_AT(struct explain, json), "one JSON document"),
    OPTION_END,
};

static const struct option_spec spec = {
    .program = PROGRAM,
    .synopsis = "[options] [ORDER]",
    .about = "Tells which settings each rule has for an order, and where each comes from: the file, line and layer, "
             "whether the rule's entry or an override of it that matches, what other layers say of it, and which lock "
             "or floor holds it.  ORDER is the order as JSON, a file with it, or - for stdin; without it, every rule "
             "and every override is shown.\n"
             "\n"
             "  ordergate policy explain -p live -p desk.yaml --rule order-notional order.json\n",
    .rows = rows,
    .notes = "Which override applies is found as `ordergate check` finds it.  If that is not known, each setting that "
             "may apply is shown, and what is missing.",
    .exits = "0 done, 2 usage, 3 a policy, facts or the order cannot be used, 4 cannot read or write",
    .word = complete_word,
};

static int unusable(const char *name, const char *why)
{
    fprintf(stderr, PROGRAM ": %s: %s\n", name, why);
    return EXIT_UNUSABLE;
}

/* --- the order ---------------------------------------------------------------------------------------------------- */

/* Put the order on one line: line ends in JSON are only blanks. */
static int keep_line(struct explain *e, const char *text, size_t len)
{
    e->line = strndup(text, len);
    for (char *at = e->line; at && *at; at++)
        if (*at == '\n' || *at == '\r')
            *at = ' ';
    return e->line ? 0 : og_print_text(PROGRAM, NULL);
}

static int read_text(struct explain *e, const char *name, const char *text, size_t len)
{
    while (len && text[len - 1] && strchr(" \t\r\n", text[len - 1]))
        len--;
    if (og_order_read(e->order, text, len) != OG_OK)
        return og_print_text(PROGRAM, NULL);
    if (len == 0 || !og_order_is_readable(e->order))
        return unusable(name, "expected one order as a JSON object; ordergate check says what is wrong with a line");
    if (og_order_op(e->order) != OG_OP_ORDER)
        return unusable(name, "expected an order, this is another request");
    return keep_line(e, text, len);
}

static int read_order(struct explain *e, const char *word)
{
    const char *name = word[0] == '{' ? "the order" : strcmp(word, "-") == 0 ? "stdin" : word;
    struct og_error err = { 0 };
    char *text;
    size_t len;
    int code;

    if (word[0] == '{')
        return read_text(e, name, word, strlen(word));
    if (og_file_read(word, OG_FILE_READ, ORDER_MOST, &text, &len, NULL, &err) != OG_OK)
        return og_say(PROGRAM, &err, EXIT_IO);
    code = read_text(e, name, text, len);
    free(text);
    return code;
}

/* --- the report --------------------------------------------------------------------------------------------------- */

static int load_facts(struct explain *e)
{
    struct og_error err = { 0 };

    for (size_t i = 0; i < e->facts.count; i++) {
        const char *path = e->facts.item[i];
        char *json;
        size_t len;
        enum og_status status = og_file_read(path, OG_FILE_READ, FACTS_FILE_MOST, &json, &len, NULL, &err);

        if (status == OG_OK)
            status = og_book_apply(e->book, NULL, json, len, path, &err);
        free(json);
        if (status)
            return og_say(PROGRAM, &err, EXIT_UNUSABLE);
    }
    return 0;
}

static int explain_order(struct explain *e)
{
    int code;

    if (og_book_new(e->policy, &e->book) != OG_OK)
        return og_print_text(PROGRAM, NULL);
    e->policy = NULL;
    if (og_book_default_account(e->book, e->account) != OG_OK)
        return og_print_text(PROGRAM, NULL);
    code = load_facts(e);
    if (code)
        return code;
    if (e->at == OG_TIME_UNKNOWN)
        e->at = og_time_now();
    return og_origins_order(e->book, e->order, e->at, e->scratch, &e->origins) == OG_OK ? 0
                                                                                        : og_print_text(PROGRAM, NULL);
}

/* Report that the policy has no rule of that id, or that it does not decide the order.  Returns exit code 2. */
static int no_rule(const struct explain *e, const char *id, bool is_of_order)
{
    const char *known[RULES_MOST], *nearest;
    struct og_origin_rule r;
    size_t count = 0;

    for (size_t i = 0; count < RULES_MOST && og_origins_rule(e->origins, i, &r); i++)
        if (r.rule[0])
            known[count++] = r.rule;
    nearest = og_nearest_word(id, known, count);
    if (nearest && !og_rules_find(id))
        return options_misuse(&spec, "--rule '%s': there is no such rule; did you mean '%s'?", id, nearest);
    return options_misuse(&spec, "--rule '%s': %s", id,
                          is_of_order ? "orders of this kind are not decided by such a rule" : "there is no such rule");
}

static int report(struct explain *e, const char *word)
{
    struct origins_wish wish = { .rules = &e->rules, .json = e->json };
    char digest[256];
    const char *unknown;
    int code = load_policy(PROGRAM, (const char *const *)e->policies.item, e->policies.count, &e->policy);

    e->order = og_order_new();
    e->scratch = og_scratch_new();
    if (!code && (!e->order || !e->scratch))
        code = og_print_text(PROGRAM, NULL);
    if (!code && word)
        code = read_order(e, word);
    if (code)
        return code;
    snprintf(digest, sizeof digest, "%s", og_policy_digest(e->policy));
    if (word)
        code = explain_order(e);
    else if (og_origins_all(e->policy, &e->origins) != OG_OK)
        code = og_print_text(PROGRAM, NULL);
    if (code)
        return code;
    unknown = origins_unknown(e->origins, &e->rules);
    if (unknown)
        return no_rule(e, unknown, word != NULL);
    wish.policy = digest;
    wish.order = e->line;
    wish.at = e->at;
    origins_print(e->origins, &wish);
    return og_close_stdout(PROGRAM);
}

int og_cmd_policy_explain(int argc, char **argv)
{
    struct explain e = { .at = OG_TIME_UNKNOWN };
    int code = options_read(&spec, &e, argc, argv);

    if (code < 0 && argc - optind > 1)
        code = options_misuse(&spec, "takes one order, got '%s' too", argv[optind + 1]);
    if (code < 0)
        code = report(&e, argc > optind ? argv[optind] : NULL);
    og_origins_free(e.origins);
    og_book_free(e.book);
    og_policy_free(e.policy);
    og_order_free(e.order);
    og_scratch_free(e.scratch);
    free(e.line);
    return code;
}
