/*
 * ordergate policy sign and ordergate policy verify.  Keys are made with openssl.
 */
#include "ordergate/ordergate.h"

#include "tools/common/commands.h"
#include "tools/common/demands.h"
#include "tools/common/exit.h"
#include "tools/common/messages.h"

#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char sign_usage[] =
    "usage: ordergate policy sign --key FILE [-o FILE] POLICY...\n"
    "\n"
    "Signs what the policies, laid over one another in order, come to with everything they stand on (policy show), "
    "but\nwithout the floor of this machine.  The signature is put beside the last of them that is a file;\nothers of "
    "the same policy stay.\n"
    "\n"
    "  openssl genpkey -algorithm ed25519 -out desk.key && openssl pkey -in desk.key -pubout -out desk.pub\n"
    "  ordergate policy sign --key desk.key desk.yaml             writes desk.yaml.sig\n"
    "  ordergate send -p desk.yaml --require-signature desk.pub\n"
    "\n"
    "  -k, --key FILE      private key, PEM (Ed25519), its owner's alone\n"
    "  -o, --output FILE   put the signature there\n"
    "  -h, --help          this text\n"
    "\n"
    "exit: 0 signed, 2 usage, 3 a policy or the key cannot be used, 4 cannot write\n";

static const char verify_usage[] =
    "usage: ordergate policy verify --key FILE POLICY...\n"
    "\n"
    "Whether the policies, laid over one another in order, come to what was signed: a change of any file they stand on "
    "shows.\n\n"
    "  ordergate policy verify --key desk.pub desk.yaml\n"
    "\n"
    "  -k, --key FILE   public key, PEM (Ed25519); given again: all of them must have signed\n"
    "  -h, --help       this text\n"
    "\n"
    "exit: 0 it is, 2 usage, 3 it is not, or a policy or the key cannot be used, 4 cannot write\n";

static const struct option options[] = { { "key", required_argument, NULL, 'k' },
                                         { "output", required_argument, NULL, 'o' },
                                         { "help", no_argument, NULL, 'h' },
                                         { NULL, 0, NULL, 0 } };

struct asked {
    struct demands keys;
    const char *output;
    const char *const *names;
    size_t count;
};

/* Returns -1 to go on; else the exit code. */
static int read_options(int argc, char **argv, bool sign, struct asked *a)
{
    const char *usage = sign ? sign_usage : verify_usage;
    int option;

    *a = (struct asked){ 0 };
    optind = 0; /* glibc: restart getopt, which then also allows options between the policies */
    while ((option = getopt_long(argc, argv, sign ? "k:o:h" : "k:h", options, NULL)) != -1) {
        if (option == 'h') {
            fputs(usage, stdout);
            return og_close_stdout("ordergate policy");
        }
        if (option == '?' || (option == 'o' && !sign)) {
            fprintf(stderr, "ordergate policy %s: see ordergate policy %s --help\n", argv[0], argv[0]);
            return EXIT_USAGE;
        }
        if (option == 'o') {
            a->output = optarg;
        } else if (!demand(&a->keys, optarg) || (sign && a->keys.count > 1)) {
            fprintf(stderr, "ordergate policy %s: at most %d keys at a time\n", argv[0],
                    sign ? 1 : SIGNATURE_KEYS_MOST);
            return EXIT_USAGE;
        }
    }
    a->names = (const char *const *)argv + optind;
    a->count = (size_t)(argc - optind);
    if (a->keys.count && a->count)
        return -1;
    fprintf(stderr, "ordergate policy %s: %s; see ordergate policy %s --help\n", argv[0],
            a->keys.count ? "names the policies" : "needs --key FILE", argv[0]);
    return EXIT_USAGE;
}

static int fail(const char *verb, const struct og_error *err)
{
    char text[512];

    if (err->status != OG_EPOLICY)
        fprintf(stderr, "ordergate policy %s: %s\n", verb, og_tool_error(err, text, sizeof text));
    return err->status == OG_EINVAL ? EXIT_USAGE : err->status == OG_ENOMEM ? EXIT_IO : EXIT_UNUSABLE;
}

int og_cmd_policy_sign(int argc, char **argv)
{
    struct og_error err = { 0 };
    struct asked a;
    char *path;
    int code = read_options(argc, argv, true, &a);

    if (code >= 0)
        return code;
    if (og_policy_sign(a.names, a.count, a.keys.key[0], a.output, &path, og_print_fault, stderr, &err) != OG_OK)
        return fail("sign", &err);
    puts(path);
    free(path);
    return og_close_stdout("ordergate policy");
}

int og_cmd_policy_verify(int argc, char **argv)
{
    struct og_policy_source *source;
    struct og_policy *policy = NULL;
    struct og_error err = { 0 };
    struct asked a;
    int code = read_options(argc, argv, false, &a);

    if (code >= 0)
        return code;
    source = demanded_source(a.names, a.count, "", &a.keys);
    if (!source)
        return EXIT_IO;
    if (og_policy_source_load(source, &policy, og_print_fault, stderr, &err) == OG_OK) {
        puts(og_policy_digest(policy));
        code = og_close_stdout("ordergate policy");
    } else {
        code = fail("verify", &err);
    }
    og_policy_free(policy);
    og_policy_source_free(source);
    return code;
}
