/*
 * ordergate policy: shows the effective policy, its digest and the reference of all defaults; the verbs sign, verify
 * and diff are in files of their own.
 */
#include "ordergate/ordergate.h"

#include "tools/common/commands.h"
#include "tools/common/exit.h"
#include "tools/common/messages.h"

#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char usage[] = "usage: ordergate policy show|digest [POLICY...]\n"
                            "       ordergate policy diff [options] BEFORE AFTER\n"
                            "       ordergate policy sign --key FILE POLICY...\n"
                            "       ordergate policy verify --key FILE POLICY...\n"
                            "       ordergate policy defaults\n"
                            "       ordergate policy schema [--tests]\n"
                            "\n"
                            "Shows what is in force: the policies laid over one another in order (none: default), with "
                            "everything they stand on\n"
                            "and /etc/ordergate/floor.yaml, every default spelled out.\n"
                            "\n"
                            "  ordergate policy show live\n"
                            "  ordergate policy digest live desk.yaml\n"
                            "\n"
                            "  show       the effective policy, as a policy\n"
                            "  digest     name@sha256:..., of what show prints, as decisions carry it\n"
                            "  diff       which orders two policies decide otherwise\n"
                            "  sign       sign what the policies come to before the floor, into desk.yaml.sig\n"
                            "  verify     whether they bear that signature\n"
                            "  defaults   every rule and every setting at its default, with what each is for\n"
                            "  schema     the JSON Schema of a policy, or of its tests, for editors\n"
                            "  -h, --help this text; after a verb: what it is for\n"
                            "\n"
                            "exit: 0 done, 2 usage, 3 a policy cannot be used, 4 cannot write\n";

static const char show_usage[] =
    "usage: ordergate policy show [POLICY...]\n"
    "\n"
    "Prints what is in force as a policy again: the policies laid over one another in order (none: default), "
    "everything they\n"
    "stand on, /etc/ordergate/floor.yaml, lists, custom rules, locks, and every default spelled out.  Read back it "
    "decides the same.\n\n"
    "  ordergate policy show live desk.yaml > effective.yaml\n"
    "\n"
    "  -h, --help   this text\n"
    "\n"
    "exit: 0 done, 2 usage, 3 a policy cannot be used, 4 cannot write\n";

static const char digest_usage[] =
    "usage: ordergate policy digest [POLICY...]\n"
    "\n"
    "Prints name@sha256:..., as decisions and the ledger carry it: the digest of what `ordergate policy show` prints "
    "of the same\npolicies on this machine, its floor with it.\n"
    "\n"
    "  ordergate policy digest live desk.yaml\n"
    "\n"
    "  -h, --help   this text\n"
    "\n"
    "exit: 0 done, 2 usage, 3 a policy cannot be used, 4 cannot write\n";

static const char defaults_usage[] =
    "usage: ordergate policy defaults\n"
    "\n"
    "Prints every rule and every setting at its default, with what each is for: a policy to read, and to copy from.\n"
    "\n"
    "  -h, --help   this text\n"
    "\n"
    "exit: 0 done, 2 usage, 4 cannot write\n";

static const char schema_usage[] =
    "usage: ordergate policy schema [--tests]\n"
    "\n"
    "Prints the JSON Schema (draft 2020-12) of a policy: keys, choices, bounds and what each is for.  An editor takes "
    "it by a\nfirst line of the policy:\n"
    "\n"
    "  ordergate policy schema > policy.schema.json\n"
    "  # yaml-language-server: $schema=policy.schema.json\n"
    "\n"
    "      --tests  of a file of policy tests (ordergate test) instead; also: ordergate schema test\n"
    "  -h, --help   this text\n"
    "\n"
    "exit: 0 done, 2 usage, 4 cannot write\n";

static const struct option options[] = { { "help", no_argument, NULL, 'h' }, { NULL, 0, NULL, 0 } };

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

static int print(writer *write, const void *policy)
{
    size_t len = 0;
    char *text = NULL;
    enum og_status status = write(policy, NULL, 0, &len);

    if (status == OG_EINVAL && (text = malloc(len + 1)))
        status = write(policy, text, len + 1, &len);
    if (status != OG_OK) {
        fprintf(stderr, "ordergate policy: %s\n", og_status_text(OG_ENOMEM));
        free(text);
        return EXIT_IO;
    }
    fwrite(text, 1, len, stdout);
    free(text);
    return og_close_stdout("ordergate policy");
}

static int with_policy(bool show, int count, char **names)
{
    struct og_policy *policy;
    struct og_error err = { 0 };
    char text[512];
    int code;

    for (int i = 0; i < count; i++)
        if (names[i][0] == '-' && names[i][1]) {
            fprintf(stderr, "ordergate policy %s: there is no option '%s'; see ordergate policy %s --help\n", names[-1],
                    names[i], names[-1]);
            return EXIT_USAGE;
        }
    if (og_policy_load_all((const char *const *)names, (size_t)count, NULL, &policy, og_print_fault, stderr, &err) !=
        OG_OK) {
        if (err.status != OG_EPOLICY)
            fprintf(stderr, "ordergate policy: %s\n", og_tool_error(&err, text, sizeof text));
        return EXIT_UNUSABLE;
    }
    if (show) {
        code = print(write_show, policy);
    } else {
        puts(og_policy_digest(policy));
        code = og_close_stdout("ordergate policy");
    }
    og_policy_free(policy);
    return code;
}

static int show(int argc, char **argv)
{
    return with_policy(true, argc - 1, argv + 1);
}

static int digest(int argc, char **argv)
{
    return with_policy(false, argc - 1, argv + 1);
}

static int takes_none(char **argv)
{
    fprintf(stderr, "ordergate policy: %s takes no policy, got '%s'; see ordergate policy %s --help\n", argv[0],
            argv[1], argv[0]);
    return EXIT_USAGE;
}

static int defaults(int argc, char **argv)
{
    return argc > 1 ? takes_none(argv) : print(write_reference, NULL);
}

static int schema(int argc, char **argv)
{
    bool tests = argc == 2 && strcmp(argv[1], "--tests") == 0;
    char *text;

    if (argc > 1 && !tests)
        return takes_none(argv);
    text = og_schema(tests ? "test" : "policy");
    if (!text) {
        fprintf(stderr, "ordergate policy: %s\n", og_status_text(OG_ENOMEM));
        return EXIT_IO;
    }
    fputs(text, stdout);
    free(text);
    return og_close_stdout("ordergate policy");
}

static const struct verb {
    const char *name;
    int (*run)(int argc, char **argv); /* argv[0] is the verb */
    const char *usage;                 /* NULL: run() parses its options itself */
} verbs[] = {
    { "show", show, show_usage },
    { "digest", digest, digest_usage },
    { "diff", og_cmd_policy_diff, NULL },
    { "sign", og_cmd_policy_sign, NULL },
    { "verify", og_cmd_policy_verify, NULL },
    { "defaults", defaults, defaults_usage },
    { "schema", schema, schema_usage },
};
#define VERBS (sizeof verbs / sizeof verbs[0])

static int unknown_verb(const char *verb)
{
    const char *names[VERBS], *nearest;

    for (size_t i = 0; i < VERBS; i++)
        names[i] = verbs[i].name;
    nearest = og_nearest_word(verb, names, VERBS);
    fprintf(stderr, "ordergate policy: unknown verb '%s'; %s", verb, nearest ? "did you mean '" : "known:");
    for (size_t i = 0; !nearest && i < VERBS; i++)
        fprintf(stderr, "%s %s", i ? "," : "", names[i]);
    fprintf(stderr, "%s%s\n", nearest ? nearest : "", nearest ? "'?" : "");
    return EXIT_USAGE;
}

int og_cmd_policy(int argc, char **argv)
{
    int option = getopt_long(argc, argv, "+h", options, NULL);
    const struct verb *verb = verbs;

    if (option == 'h') {
        fputs(usage, stdout);
        return og_close_stdout("ordergate policy");
    }
    if (option == '?')
        return EXIT_USAGE;
    if (optind == argc) {
        fputs(usage, stderr);
        return EXIT_USAGE;
    }
    argc -= optind;
    argv += optind;
    while (verb < verbs + VERBS && strcmp(verb->name, argv[0]) != 0)
        verb++;
    if (verb == verbs + VERBS)
        return unknown_verb(argv[0]);
    for (int i = 1; verb->usage && i < argc; i++)
        if (strcmp(argv[i], "--help") == 0 || strcmp(argv[i], "-h") == 0) {
            fputs(verb->usage, stdout);
            return og_close_stdout("ordergate policy");
        }
    return verb->run(argc, argv);
}
