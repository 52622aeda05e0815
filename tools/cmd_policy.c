/*
 * ordergate policy: what a policy comes to after all it stands on, its digest, and every default there is.
 * It refuses to show a policy with an error in it.
 */
#include "ordergate/ordergate.h"

#include "tools/common/commands.h"
#include "tools/common/say.h"

#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { EXIT_USAGE = 2, EXIT_UNUSABLE = 3, EXIT_IO = 4, VERBS = 3 };

static const char *const verbs[VERBS] = { "show", "defaults", "digest" };

static const char usage[] = "usage: ordergate policy show|digest [POLICY...]\n"
                            "       ordergate policy defaults\n"
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
                            "  defaults   every rule and every setting at its default, with what each is for\n"
                            "  -h, --help this text\n"
                            "\n"
                            "exit: 0 done, 2 usage, 3 a policy cannot be used, 4 cannot write\n";

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

static int with_policy(bool show, const char *const *names, size_t count)
{
    struct og_policy *policy;
    struct og_error err = { 0 };
    char text[512];
    int code;

    if (og_policy_load_all(names, count, NULL, &policy, og_print_fault, stderr, &err) != OG_OK) {
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

static int unknown_verb(const char *verb)
{
    const char *nearest = og_nearest_word(verb, verbs, VERBS);

    fprintf(stderr, "ordergate policy: unknown verb '%s'; ", verb);
    if (nearest)
        fprintf(stderr, "did you mean '%s'?\n", nearest);
    else
        fputs("known: show, digest, defaults\n", stderr);
    return EXIT_USAGE;
}

int og_cmd_policy(int argc, char **argv)
{
    int option = getopt_long(argc, argv, "+h", options, NULL), given;

    if (option == 'h') {
        fputs(usage, stdout);
        return og_close_stdout("ordergate policy");
    }
    if (option == '?')
        return EXIT_USAGE;
    given = argc - optind - 1;
    if (given < 0) {
        fputs(usage, stderr);
        return EXIT_USAGE;
    }
    if (given > 0 && (strcmp(argv[optind + 1], "--help") == 0 || strcmp(argv[optind + 1], "-h") == 0)) {
        fputs(usage, stdout);
        return og_close_stdout("ordergate policy");
    }
    if (strcmp(argv[optind], "show") == 0 || strcmp(argv[optind], "digest") == 0)
        return with_policy(argv[optind][0] == 's', (const char *const *)argv + optind + 1, (size_t)given);
    if (strcmp(argv[optind], "defaults") != 0)
        return unknown_verb(argv[optind]);
    if (given > 0) {
        fprintf(stderr, "ordergate policy: defaults takes no policy, got '%s'\n", argv[optind + 1]);
        return EXIT_USAGE;
    }
    return print(write_reference, NULL);
}
