/*
 * ordergate policy sign and ordergate policy verify.  Keys are made with openssl.
 */
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "ordergate/ordergate.h"
#include "tools/common/commands.h"
#include "tools/common/exit.h"
#include "tools/common/messages.h"
#include "tools/common/options.h"
#include "tools/common/reload.h"

struct asked {
    struct option_list keys;
    const char *output;
    int need;
    bool list;
    const char *const *names;
    size_t count;
};

static const struct option_row sign_rows[] = {
    OPTION_ROW("key", 'k', "FILE", LIST_AT(struct asked, keys, 1),
               "private key, PEM (Ed25519), readable only by its owner"),
    OPTION_ROW("output", 'o', "FILE", TEXT_AT(struct asked, output), "write the signature to this file"),
    OPTION_ROW("list", 0, NULL, FLAG_AT(struct asked, list),
               "sign the file of a list that the policy has under a key of its own: {file: FILE, key: KEY}"),
    OPTION_END,
};

static const struct option_spec sign_spec = {
    .program = "ordergate policy sign",
    .synopsis = "--key FILE [-o FILE] POLICY...\n--key FILE [-o FILE] --list FILE",
    .about =
        "Signs the effective policy (policy show): the policies laid over one another in order, with those that they "
        "extend, but without the floor of this machine.  The signature is put beside the last of them that is a "
        "file; others of the same policy stay.\n"
        "\n"
        "  openssl genpkey -algorithm ed25519 -out desk.key && openssl pkey -in desk.key -pubout -out desk.pub\n"
        "  ordergate policy sign --key desk.key desk.yaml             writes desk.yaml.sig\n"
        "  ordergate send -p desk.yaml --require-signature desk.pub\n"
        "  ordergate policy sign --key ops.key --list restricted.txt  writes restricted.txt.sig\n",
    .rows = sign_rows,
    .exits = "0 signed, 2 usage, 3 a policy or the key cannot be used, 4 cannot write",
};

static const struct option_row verify_rows[] = {
    OPTION_ROW("key", 'k', "FILE", LIST_AT(struct asked, keys, SIGNATURE_KEYS_MOST),
               "public key, PEM (Ed25519); given again: all of them must have signed"),
    OPTION_ROW("need", 0, "N", INT_AT(struct asked, need, 1, SIGNATURE_KEYS_MOST),
               "at least N of the keys must have signed, instead of all; copies of one key count once"),
    OPTION_END,
};

static const struct option_spec verify_spec = {
    .program = "ordergate policy verify",
    .synopsis = "--key FILE... [--need N] POLICY...",
    .about = "Checks whether the effective policy is the one that was signed: a change of any file that it is made of "
             "is found.\n"
             "\n"
             "  ordergate policy verify --key desk.pub desk.yaml\n"
             "  ordergate policy verify --key ann.pub --key ben.pub --key eve.pub --need 2 desk.yaml\n",
    .rows = verify_rows,
    .exits = "0 it was signed, 2 usage, 3 it was not, or a policy or the key cannot be used, 4 cannot write",
};

/* Returns -1 to go on, or the exit code. */
static int read_options(const struct option_spec *spec, int argc, char **argv, struct asked *a)
{
    int code;

    *a = (struct asked){ 0 };
    code = options_read(spec, a, argc, argv);
    a->names = (const char *const *)argv + optind;
    a->count = (size_t)(argc - optind);
    if (code >= 0)
        return code;
    if (!a->keys.count || !a->count)
        return options_misuse(spec, a->keys.count ? "needs the names of the policies" : "needs --key FILE");
    if (a->list && a->count > 1)
        return options_misuse(spec, "--list takes one file");
    if ((size_t)a->need > a->keys.count)
        return options_misuse(spec, "--need is more than the number of keys");
    return code;
}

static int fail(const char *program, const struct og_error *err)
{
    if (err->status != OG_EPOLICY)
        (void)og_say(program, err, 0);
    return err->status == OG_EINVAL ? EXIT_USAGE : err->status == OG_ENOMEM ? EXIT_IO : EXIT_UNUSABLE;
}

int og_cmd_policy_sign(int argc, char **argv)
{
    struct og_error err = { 0 };
    struct asked a;
    enum og_status status;
    char *path;
    int code = read_options(&sign_spec, argc, argv, &a);

    if (code >= 0)
        return code;
    status = a.list ? og_list_sign(a.names[0], a.keys.item[0], a.output, &path, &err)
                    : og_policy_sign(a.names, a.count, a.keys.item[0], a.output, &path, og_print_fault, stderr, &err);
    if (status != OG_OK)
        return fail(sign_spec.program, &err);
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
    int code = read_options(&verify_spec, argc, argv, &a);

    if (code >= 0)
        return code;
    source = signed_source(a.names, a.count, "", &a.keys, a.need);
    if (!source)
        return EXIT_IO;
    if (og_policy_source_load(source, &policy, og_print_fault, stderr, &err) == OG_OK) {
        puts(og_policy_digest(policy));
        code = og_close_stdout("ordergate policy");
    } else {
        code = fail(verify_spec.program, &err);
    }
    og_policy_free(policy);
    og_policy_source_free(source);
    return code;
}
