/*
 * Counts the keys that signed.  If a key or a signature file cannot be used, the verification fails, even if the other
 * keys would be enough: otherwise somebody could remove a key to learn whether it is needed.
 */
#include "policy/verify.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "ordergate/status.h"
#include "policy/layers.h"
#include "text/signers.h"

ssize_t og_small_file_read(const char *path, unsigned how, char *to, size_t size, struct og_files *files,
                           struct og_file_why *why)
{
    struct stat st;
    struct og_buf b;
    int fd = og_file_try(path, how, &st, why), cause = errno;
    bool ok = fd >= 0, known = ok || stat(path, &st) == 0;

    if (files && !og_files_note(files, path, og_file_mark_of(known ? &st : NULL))) {
        cause = ENOMEM;
        ok = false;
    }
    og_buf_init_fixed(&b, to, size);
    if (ok && !(ok = og_file_drain(fd, &b)))
        cause = errno;
    if (fd >= 0)
        close(fd);
    if (!ok && !why->text[0])
        snprintf(why->text, sizeof why->text, "cannot be read: %s", strerror(cause));
    errno = cause;
    return ok ? (ssize_t)b.len : -1;
}

char *og_signature_path(const char *file)
{
    size_t len = strlen(file);
    char *path = malloc(len + 5);

    if (path) {
        memcpy(path, file, len);
        memcpy(path + len, ".sig", 5);
    }
    return path;
}

bool og_list_digest(const char *path, const void *bytes, size_t len, struct og_list_digest *to, const char **why)
{
    const char *slash = strrchr(path, '/'), *name = slash ? slash + 1 : path;
    struct og_digest_text hash;
    size_t size = strlen(name);

    *why = "has a name that cannot be signed: 1 to 64 of letters, digits, '.', '_', '-' and '+'";
    if (size == 0 || size > OG_NAME_MOST)
        return false;
    for (size_t i = 0; i < size; i++)
        if (!og_name_char(name[i]))
            return false;
    *why = "cannot be verified: libcrypto failed";
    if (!og_digest(bytes, len, &hash))
        return false;
    snprintf(to->s, sizeof to->s, "list:%s@%s", name, hash.s);
    *why = NULL;
    return true;
}

/* --- judging ------------------------------------------------------------------------------------------------------ */

static enum og_status blame(struct og_verify_fault *fault, const char *file, const char *code, const char *format, ...)
    __attribute__((format(printf, 4, 5)));

static enum og_status blame(struct og_verify_fault *fault, const char *file, const char *code, const char *format, ...)
{
    va_list args;

    fault->file = file;
    fault->code = code;
    va_start(args, format);
    vsnprintf(fault->text, sizeof fault->text, format, args);
    va_end(args);
    return OG_EPOLICY;
}

static enum og_status read_key(const char *path, struct og_files *files, struct og_public_keys *keys,
                               struct og_verify_fault *fault)
{
    char pem[OG_KEY_FILE_MOST];
    struct og_file_why why;
    ssize_t len = og_small_file_read(path, OG_FILE_READ, pem, sizeof pem, files, &why);
    struct og_public_key *key = &keys->key[keys->count];
    enum og_signing answer;

    if (len < 0 && !path[0])
        return blame(fault, "ORDERGATE_REQUIRE_SIGNATURE", "key-unusable",
                     "it is set and empty: give the path of a public key, or unset it if no signature is demanded");
    if (len < 0)
        return errno == ENOMEM ? OG_ENOMEM : blame(fault, path, "key-unusable", "it %s", why.text);
    answer = og_public_key(pem, (size_t)len, key->bytes);
    if (answer == OG_SIGNING_FAILED)
        return OG_ENOMEM;
    if (answer == OG_SIGNING_SEVERAL)
        return blame(fault, path, "key-unusable", "it holds more than one key: name a file for each key");
    if (answer == OG_SIGNING_WEAK)
        return blame(fault, path, "key-unusable",
                     "its key is of small order: anybody can make signatures for it; openssl genpkey -algorithm "
                     "ed25519 makes a private key, openssl pkey -pubout its public key");
    if (answer != OG_SIGNING_OK)
        return blame(fault, path, "key-unusable",
                     "it holds no public key of Ed25519; openssl pkey -pubout makes one of the private key");
    key->path = path;
    for (size_t i = 0; i < keys->count; i++)
        if (memcmp(keys->key[i].bytes, key->bytes, sizeof key->bytes) == 0)
            return OG_OK;
    keys->count++;
    return OG_OK;
}

enum og_status og_verify_keys(const struct og_signing_demand *demand, struct og_files *files,
                              struct og_public_keys *keys, struct og_verify_fault *fault)
{
    enum og_status status = OG_OK;

    keys->count = 0;
    for (size_t i = 0; i < demand->count && status == OG_OK; i++)
        status = read_key(demand->key[i], files, keys, fault);
    if (status == OG_OK && keys->count < demand->need)
        return blame(fault, demand->key[0], "keys-too-few",
                     "%zu signatures are needed, but the %zu keys named are only %zu different ones: no policy can "
                     "have so many signatures",
                     demand->need, demand->count, keys->count);
    return status;
}

/* Returns OG_SIGNING_OK if one of the signatures was made with the key. */
static enum og_signing signed_by(const struct og_public_key *key, const struct og_signature *signature)
{
    char text[OG_SIGNATURE_TEXT_MOST];
    size_t size = og_signature_signed(signature->digest, text);
    enum og_signing answer = OG_SIGNING_WRONG;

    for (size_t i = 0; i < signature->count && answer == OG_SIGNING_WRONG; i++)
        answer = og_sign_verify(key->bytes, text, size, signature->bytes[i]);
    return answer;
}

static enum og_status count_keys(const struct og_public_keys *keys, size_t need, const char *path,
                                 const struct og_signature *signature, struct og_verify_fault *fault)
{
    struct og_buf missing;
    char room[300];
    size_t count = 0;

    og_buf_init_fixed(&missing, room, sizeof room);
    for (size_t i = 0; i < keys->count; i++) {
        enum og_signing answer = signed_by(&keys->key[i], signature);

        if (answer == OG_SIGNING_FAILED)
            return OG_ENOMEM;
        count += answer == OG_SIGNING_OK;
        if (answer != OG_SIGNING_OK)
            og_buf_format(&missing, "%s'%s'", missing.len ? ", " : "", keys->key[i].path);
    }
    if (count >= need)
        return OG_OK;
    if (keys->count == 1)
        return blame(fault, path, "signature-wrong",
                     "none of its signatures was made with the key that '%s' belongs to, or it was changed since",
                     keys->key[0].path);
    return blame(fault, path, "signatures-too-few", "%zu of %zu keys must have signed, %zu have; no signature is of %s",
                 need, keys->count, count, missing.bad ? "the others" : missing.s);
}

enum og_status og_verify_signed(const struct og_public_keys *keys, size_t need, const char *path, const char *digest,
                                struct og_files *files, struct og_verify_fault *fault)
{
    char text[OG_SIGNATURE_TEXT_MOST];
    struct og_signature signature;
    struct og_file_why why;
    ssize_t len = og_small_file_read(path, OG_FILE_READ, text, sizeof text, files, &why);

    if (len < 0 && errno == ENOMEM)
        return OG_ENOMEM;
    if (len < 0)
        return blame(fault, path, "signature-missing", "it %s; ordergate policy sign makes it%s",
                     errno == EFBIG ? "is too long to be a signature" : why.text,
                     errno == ENOENT ? " once what it signs was reviewed" : "");
    if (!og_signature_read(text, (size_t)len, &signature))
        return blame(fault, path, "signature-unreadable", "it is not a signature that ordergate policy sign made");
    if (strcmp(signature.digest, digest) != 0)
        return blame(fault, path, "signature-of-another",
                     "it signs %s, but the present digest is %s: what it signs, or a file of it, was changed since",
                     signature.digest, digest);
    return count_keys(keys, need, path, &signature, fault);
}

/* --- the floor's demand ------------------------------------------------------------------------------------------- */

void og_signing_demand_lay(struct og_layers *l, const struct og_policy_file *source, const struct og_yaml *node,
                           bool floor)
{
    struct og_signing_demand *to = &l->policy->demand;
    struct og_signers said;
    const struct og_yaml *at;
    const char *wrong = og_signers_read(node, &said, &at);

    if (!floor) {
        og_error_at_key(&l->faults, source, node, "floor-only",
                        "set this in a floor or in a broker file: whoever may change this policy could also change who "
                        "must sign it");
        return;
    }
    if (wrong) {
        og_error_at(&l->faults, source, at, "signers-wrong", "'require_signatures' %s", wrong);
        return;
    }
    to->need = said.need;
    to->key = og_arena_take(&l->policy->arena, said.keys->count * sizeof *to->key);
    for (const struct og_yaml *n = said.keys->first; n && to->key; n = n->next, to->count++)
        if (!(to->key[to->count] = og_policy_file_beside(n->text.s, source->folder, &l->policy->arena)))
            break;
    if (to->count < said.keys->count)
        l->faults.oom = true;
}
