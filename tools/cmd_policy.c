/*
 * ordergate policy: shows the effective policy, its digest and the reference of all defaults; its commands sign,
 * verify, diff, new and explain are in files of their own.
 */
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "ordergate/ordergate.h"
#include "tools/common/commands.h"
#include "tools/common/complete.h"
#include "tools/common/exit.h"
#include "tools/common/messages.h"
#include "tools/common/options.h"
#include "tools/common/origins.h"
#include "tools/common/reload.h"

#define WRITES "0 done, 2 usage, 3 a policy cannot be used, 4 cannot write"

/* Policies are arguments, or named by -p, as in `policy explain`. */
struct show_asked {
    struct option_list policies;
    bool origins, json;
};

#define POLICY_ROW                                                                              \
    OPTION_ROW("policy", 'p', "POLICY", LIST_AT(struct show_asked, policies, OPTION_LIST_MOST), \
               "a policy, as if it were an argument; several: later ones override earlier ones")

static const struct option_row show_rows[] = {
    POLICY_ROW,
    OPTION_ROW("origins", 0, NULL, FLAG_AT(struct show_asked, origins),
               "print instead which line of which policy gave each setting its value, which values that hides, and "
               "which lock or floor holds it"),
    OPTION_ROW("json", 0, NULL, FLAG_AT(struct show_asked, json), "with --origins: one JSON document"),
    OPTION_END,
};

static const struct option_spec show_spec = {
    .program = "ordergate policy show",
    .synopsis = "[--origins [--json]] [-p POLICY]... [POLICY...]",
    .rows = show_rows,
    .about = "Prints the effective policy: the policies laid over one another in order (none: default), those that "
             "they extend, /etc/ordergate/floor.yaml, lists, custom rules, locks, and every default spelled out.  Read "
             "back it decides the same.\n"
             "\n"
             "  ordergate policy show live desk.yaml > effective.yaml\n",
    .exits = WRITES,
    .word = complete_word,
    .argument = "POLICY",
};

static const struct option_row digest_rows[] = { POLICY_ROW, OPTION_END };

static const struct option_spec digest_spec = {
    .program = "ordergate policy digest",
    .synopsis = "[-p POLICY]... [POLICY...]",
    .rows = digest_rows,
    .about = "Prints name@sha256:..., as decisions and the ledger carry it: the digest of what `ordergate policy show` "
             "prints of the same policies on this machine, its floor with it.\n"
             "\n"
             "  ordergate policy digest live desk.yaml\n",
    .exits = WRITES,
    .word = complete_word,
    .argument = "POLICY",
};

static const struct option_spec defaults_spec = {
    .program = "ordergate policy defaults",
    .synopsis = "",
    .about = "Prints every rule and every setting at its default, with what each is for: a policy to read, and to copy "
             "from.\n",
    .exits = "0 done, 2 usage, 4 cannot write",
};

struct schema_asked {
    bool tests;
};

static const struct option_row schema_rows[] = {
    OPTION_ROW("tests", 0, NULL, FLAG_AT(struct schema_asked, tests),
               "of a file of policy tests (ordergate test) instead; also: ordergate schema test"),
    OPTION_END,
};

static const struct option_spec schema_spec = {
    .program = "ordergate policy schema",
    .synopsis = "[--tests]",
    .about = "Prints the JSON Schema (draft 2020-12) of a policy: keys, choices, bounds and what each is for.  An "
             "editor takes it by a first line of the policy:\n"
             "\n"
             "  ordergate policy schema > policy.schema.json\n"
             "  # yaml-language-server: $schema=policy.schema.json\n",
    .rows = schema_rows,
    .exits = "0 done, 2 usage, 4 cannot write",
};

typedef enum og_status writer(const void *policy, char *to, size_t size, size_t *len);

static enum og_status write_show(const void *policy, char *to, size_t size, size_t *len)
{
    return og_policy_show(policy, to, size, len);
}

static enum og_status write_reference(const void *none, char *to, size_t size, size_t *len)
{
    (void)none;
    return og_policy_reference(to, size, len);
}

static int print(const char *program, writer *write, const void *policy)
{
    size_t len = 0;
    char *text = NULL;
    enum og_status status = write(policy, NULL, 0, &len);

    if (status == OG_EINVAL && (text = malloc(len + 1)))
        status = write(policy, text, len + 1, &len);
    if (text && status == OG_OK)
        return og_print_text(program, text);
    free(text);
    return og_print_text(program, NULL);
}

/* Load the policies that the command line names.  Returns -1, and *policy for the caller to free; or an exit code. */
static int load(const struct option_spec *of, struct show_asked *to, int argc, char **argv, struct og_policy **policy)
{
    int code = options_read(of, to, argc, argv);
    const char *const *names = (const char *const *)argv + optind;
    size_t count = (size_t)(argc - optind);

    *policy = NULL;
    if (code >= 0)
        return code;
    if (to->policies.count && count)
        return options_misuse(of, "policies are named by -p or as arguments, not both");
    if (to->policies.count) {
        names = to->policies.item;
        count = to->policies.count;
    }
    return load_policy(of->program, names, count, policy) ? EXIT_UNUSABLE : -1;
}

static int show_origins(const struct og_policy *policy, bool json)
{
    const struct origins_wish wish = { .json = json, .policy = og_policy_digest(policy) };
    struct og_origins *origins;

    if (og_origins_all(policy, &origins) != OG_OK)
        return og_print_text(show_spec.program, NULL);
    origins_print(origins, &wish);
    og_origins_free(origins);
    return og_close_stdout(show_spec.program);
}

static int show(int argc, char **argv)
{
    struct show_asked asked = { .origins = false };
    struct og_policy *policy;
    int code = load(&show_spec, &asked, argc, argv, &policy);

    if (code < 0 && asked.json && !asked.origins)
        code = options_misuse(&show_spec, "--json needs --origins: a policy alone is printed as YAML");
    else if (code < 0 && asked.origins)
        code = show_origins(policy, asked.json);
    else if (code < 0)
        code = print(show_spec.program, write_show, policy);
    og_policy_free(policy);
    return code;
}

static int digest(int argc, char **argv)
{
    struct show_asked asked = { .origins = false };
    struct og_policy *policy;
    int code = load(&digest_spec, &asked, argc, argv, &policy);

    if (code < 0) {
        puts(og_policy_digest(policy));
        code = og_close_stdout(digest_spec.program);
    }
    og_policy_free(policy);
    return code;
}

static int read_none(const struct option_spec *of, void *to, int argc, char **argv)
{
    int code = options_read(of, to, argc, argv);

    return code < 0 && optind < argc ? options_misuse(of, "it takes no policy, got '%s'", argv[optind]) : code;
}

static int defaults(int argc, char **argv)
{
    int code = read_none(&defaults_spec, NULL, argc, argv);

    return code < 0 ? print(defaults_spec.program, write_reference, NULL) : code;
}

static int schema(int argc, char **argv)
{
    struct schema_asked a = { .tests = false };
    int code = read_none(&schema_spec, &a, argc, argv);

    return code < 0 ? og_print_text(schema_spec.program, og_schema(a.tests ? "test" : "policy")) : code;
}

static const struct verb {
    struct option_command word;
    int (*run)(int argc, char **argv);
} verbs[] = {
    { { "show", "the effective policy, as a policy" }, show },
    { { "digest", "name@sha256:..., of what show prints, as decisions carry it" }, digest },
    { { "explain", "which line gave each setting its value, for an order" }, og_cmd_policy_explain },
    { { "diff", "which orders two policies decide differently" }, og_cmd_policy_diff },
    { { "new", "write a policy that extends another, and its test" }, og_cmd_policy_new },
    { { "sign", "sign the effective policy, without the floor, into desk.yaml.sig" }, og_cmd_policy_sign },
    { { "verify", "check that they have that signature" }, og_cmd_policy_verify },
    { { "defaults", "every rule and every setting at its default, with what each is for" }, defaults },
    { { "schema", "the JSON Schema of a policy, or of its tests, for editors" }, schema },
};

static const struct option_spec spec = {
    .program = "ordergate policy",
    .synopsis = "show|digest [POLICY...]\n"
                "explain [options] [ORDER]\n"
                "diff [options] BEFORE AFTER\n"
                "new [--from POLICY] NAME\n"
                "sign|verify --key FILE POLICY...\n"
                "defaults\n"
                "schema [--tests]",
    .about = "Shows the effective policy: the policies laid over one another in order (none: default), with those that "
             "they extend and /etc/ordergate/floor.yaml, every default spelled out.\n"
             "\n"
             "  ordergate policy show live\n"
             "  ordergate policy digest live desk.yaml\n",
    OPTION_COMMANDS(verbs),
    .command_kind = "verb",
    .in_order = true,
    .notes = "`ordergate policy VERB --help` says more.",
    .exits = WRITES,
};

int og_cmd_policy(int argc, char **argv)
{
    int code = options_read(&spec, NULL, argc, argv), at;

    if (code >= 0)
        return code;
    argc -= optind;
    argv += optind;
    if (argc == 0)
        return options_usage(&spec);
    at = options_command(&spec, argv[0]);
    return at < 0 ? EXIT_USAGE : verbs[at].run(argc, argv);
}
