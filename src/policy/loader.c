/*
 * Policy sources: loads policies by name, verifies signatures, loads again after a change, and signs.
 * Never returns a policy unless the signatures were verified over exactly what was loaded.  Stdin is read only once.
 */
#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/atomic_file.h"
#include "base/error.h"
#include "base/file.h"
#include "ordergate/source.h"
#include "policy/load.h"
#include "policy/policy_file.h"
#include "policy/verify.h"

#define TRIES 5 /* attempts to load if files change during loading */

#define DEMANDS_MOST OG_SIGNATURES_MOST

struct og_policy_source {
    char **names;
    size_t count;
    char *floor;                                   /* path of the floor; NULL means the machine's floor */
    struct og_signing_demand demand[DEMANDS_MOST]; /* each must be met, and the floor's demand too */
    size_t demands;
    struct og_files files;
    bool was_read; /* a policy was read from stdin or a pipe, which cannot be read again */
};

static bool copy(const char *text, char **to)
{
    *to = text ? strdup(text) : NULL;
    return !text || *to;
}

struct og_policy_source *og_policy_source_new(const char *const *names, size_t count, const char *floor_path,
                                              const char *key_path)
{
    struct og_policy_source *s;
    bool ok;

    if (!names && count)
        return NULL;
    s = calloc(1, sizeof *s);
    if (!s)
        return NULL;
    s->names = calloc(count + 1, sizeof *s->names);
    ok = s->names && copy(floor_path, &s->floor) && (!key_path || og_policy_source_require(s, key_path) == OG_OK);
    for (size_t i = 0; ok && i < count; i++)
        if ((ok = copy(names[i], &s->names[i])))
            s->count++;
    if (ok)
        return s;
    og_policy_source_free(s);
    return NULL;
}

/* Returns true if the source makes this demand already. */
static bool demands(const struct og_policy_source *s, const char *const *keys, size_t count, size_t need)
{
    for (size_t i = 0; i < s->demands; i++) {
        const struct og_signing_demand *d = &s->demand[i];
        size_t k = 0;

        while (d->count == count && k < count && strcmp(d->key[k], keys[k]) == 0)
            k++;
        if (k == count && d->need == need)
            return true;
    }
    return false;
}

static void demand_clear(struct og_signing_demand *d)
{
    for (size_t i = 0; i < d->count; i++)
        free(d->key[i]);
    free(d->key);
    *d = (struct og_signing_demand){ 0 };
}

enum og_status og_policy_source_require_some(struct og_policy_source *s, const char *const *key_paths, size_t count,
                                             size_t need)
{
    struct og_signing_demand *d;

    if (!s || !key_paths || need == 0 || need > count || count > OG_SIGNATURES_MOST)
        return OG_EINVAL;
    for (size_t i = 0; i < count; i++)
        if (!key_paths[i])
            return OG_EINVAL;
    if (demands(s, key_paths, count, need))
        return OG_OK;
    if (s->demands == DEMANDS_MOST)
        return OG_EINVAL;
    d = &s->demand[s->demands];
    *d = (struct og_signing_demand){ .key = calloc(count, sizeof *d->key), .need = need };
    while (d->key && d->count < count && copy(key_paths[d->count], &d->key[d->count]))
        d->count++;
    if (d->count < count) {
        demand_clear(d);
        return OG_ENOMEM;
    }
    s->demands++;
    return OG_OK;
}

enum og_status og_policy_source_require(struct og_policy_source *s, const char *key_path)
{
    return og_policy_source_require_some(s, &key_path, 1, 1);
}

void og_policy_source_free(struct og_policy_source *s)
{
    if (!s)
        return;
    for (size_t i = 0; i < s->count; i++)
        free(s->names[i]);
    free(s->names);
    free(s->floor);
    for (size_t i = 0; i < s->demands; i++)
        demand_clear(&s->demand[i]);
    og_files_clear(&s->files);
    free(s);
}

/* --- verifying ---------------------------------------------------------------------------------------------------- */

/* Returns the name of the last policy that is a file: the signature is in a file beside it; NULL if no policy is a
 * file. */
static const char *signed_file(const char *const *names, size_t count)
{
    const char *file = NULL;

    for (size_t i = 0; i < count; i++)
        if (og_policy_file_is_path(names[i]))
            file = names[i];
    return file;
}

struct teller {
    og_diagnostic_listener *listener;
    void *with;
    struct og_error *err;
};

static enum og_status tell(const struct teller *t, const char *file, const char *code, const char *text)
{
    struct og_diagnostic fault = { .severity = OG_ERROR, .file = file, .code = code, .text = text };

    if (t->listener)
        t->listener(t->with, &fault);
    return og_fail_at(t->err, OG_EPOLICY, file, 0, 0, "%s", text);
}

static enum og_status verify_one(struct og_policy_source *s, const struct og_signing_demand *demand, const char *path,
                                 const char *digest, const struct teller *t)
{
    struct og_verify_fault fault;
    struct og_public_keys keys;
    enum og_status status = og_verify_keys(demand, &s->files, &keys, &fault);

    if (status == OG_OK)
        status = og_verify_signed(&keys, demand->need, path, digest, &s->files, &fault);
    if (status == OG_EPOLICY)
        return tell(t, fault.file, fault.code, fault.text);
    return status == OG_OK ? OG_OK : og_fail(t->err, OG_ENOMEM, "out of memory verifying '%s'", path);
}

/* Verify that the signatures of the digest meet the demands of the source and of the floor. */
static enum og_status verify(struct og_policy_source *s, const struct og_signing_demand *of_floor, const char *digest,
                             const struct teller *t)
{
    const char *file = signed_file((const char *const *)s->names, s->count);
    char *path;
    enum og_status status;

    if (!file)
        return tell(t, s->count ? s->names[s->count - 1] : "default", "signature-missing",
                    "a shipped policy has no file beside which its signature could be written: make a policy that "
                    "extends it, and sign that");
    path = og_signature_path(file);
    status = path ? OG_OK : og_fail(t->err, OG_ENOMEM, "out of memory verifying '%s'", file);
    for (size_t i = 0; i < s->demands && status == OG_OK; i++)
        status = verify_one(s, &s->demand[i], path, digest, t);
    if (of_floor->need && status == OG_OK)
        status = verify_one(s, of_floor, path, digest, t);
    free(path);
    return status;
}

/* --- loading ------------------------------------------------------------------------------------------------------ */

static bool has_floor(const struct og_policy_source *s)
{
    struct stat st;

    return s->floor ? s->floor[0] != '\0' : stat(og_policy_floor_path, &st) == 0 || errno != ENOENT;
}

/* Verify the signatures of a policy that was loaded from s->files. Signatures cover the policy without the floor, so
 * that policy is made again from the same files. Sets *again if a file changed meanwhile: the caller must load and
 * verify again. */
static enum og_status verify_loaded(struct og_policy_source *s, const struct og_policy *policy, const struct teller *t,
                                    bool *again)
{
    const char *const *names = (const char *const *)s->names;
    struct og_files files = { 0 };
    struct og_policy *bare = NULL;
    enum og_status status;

    if (!has_floor(s))
        return verify(s, &policy->demand, policy->signed_digest, t);
    status = og_policy_make(names, s->count, "", &files, &bare, NULL, NULL, NULL);
    *again = status != OG_ENOMEM && !og_files_agree(&files, &s->files);
    if (!*again && status == OG_OK)
        status = verify(s, &policy->demand, bare->signed_digest, t);
    else if (!*again) /* the policy loads only with the floor: report the errors that it has without the floor */
        status = og_policy_make(names, s->count, "", NULL, &bare, t->listener, t->with, t->err);
    og_policy_free(bare);
    og_files_clear(&files);
    return *again ? OG_OK : status;
}

/* Returns the first policy name that is stdin or a pipe; NULL if there is none. */
static const char *read_once(const struct og_policy_source *s)
{
    for (size_t i = 0; i < s->count; i++)
        if (strcmp(s->names[i], "-") == 0 || og_file_reads_once(s->names[i]))
            return s->names[i];
    return NULL;
}

static enum og_status fail_once(const char *once, const char *what, struct og_error *err)
{
    return og_fail(err, OG_EIO, "a policy from %s cannot be %s: give it as a file",
                   strcmp(once, "-") == 0 ? "stdin" : "a pipe", what);
}

/* Load the policy and verify the signatures that the source or the floor demands.  once: result of read_once(). */
static enum og_status load_once(struct og_policy_source *s, const char *once, struct og_policy **policy,
                                const struct teller *t, bool *again)
{
    enum og_status status = og_policy_make((const char *const *)s->names, s->count, s->floor, &s->files, policy,
                                           t->listener, t->with, t->err);

    *again = false;
    if (status != OG_OK || (!s->demands && !(*policy)->demand.need))
        return status;
    status = once ? fail_once(once, "signed", t->err) : verify_loaded(s, *policy, t, again);
    if (status == OG_OK && !*again) {
        (*policy)->demand.need = 0;
        return OG_OK;
    }
    og_policy_free(*policy);
    *policy = NULL;
    return status;
}

enum og_status og_policy_source_load(struct og_policy_source *s, struct og_policy **policy,
                                     og_diagnostic_listener *listener, void *with, struct og_error *err)
{
    struct teller t = { listener, with, err };
    bool again = true;
    const char *once;
    enum og_status status = OG_OK;

    if (!s || !policy)
        return og_missing(err);
    *policy = NULL;
    once = read_once(s);
    if (once && (s->was_read || s->demands))
        return fail_once(once, s->demands ? "signed" : "read again", err);
    s->was_read = once;
    for (int i = 0; i < TRIES && again && status == OG_OK; i++) {
        og_files_clear(&s->files);
        status = load_once(s, once, policy, &t, &again);
    }
    return again && status == OG_OK ? og_fail(err, OG_EIO, "the policy's files change while they are read") : status;
}

bool og_policy_source_changed(const struct og_policy_source *s)
{
    return s && og_files_changed(&s->files);
}

/* --- signing ------------------------------------------------------------------------------------------------------ */

static enum og_status make_signature(const char *digest, const char *key_path, unsigned char made[OG_SIGNATURE_SIZE],
                                     struct og_error *err)
{
    char key[OG_KEY_FILE_MOST], text[OG_SIGNATURE_TEXT_MOST];
    struct og_file_why why;
    ssize_t len = og_small_file_read(key_path, OG_FILE_SECRET, key, sizeof key, NULL, &why);
    enum og_signing answer;

    if (len < 0)
        return og_fail_because(err, OG_EIO, errno, "key '%s' %s", key_path, why.text);
    answer = og_sign(key, (size_t)len, text, og_signature_signed(digest, text), made);
    og_wipe(key, sizeof key);
    if (answer == OG_SIGNING_OK)
        return OG_OK;
    if (answer == OG_SIGNING_SEVERAL)
        return og_fail(err, OG_EIO, "key '%s' holds more than one private key", key_path);
    return og_fail(err, answer == OG_SIGNING_FAILED ? OG_ENOMEM : OG_EIO,
                   "key '%s' is not a private key of Ed25519 without a passphrase; openssl genpkey -algorithm ed25519 "
                   "makes one",
                   key_path);
}

/* Add a signature to the file at `path`, beside others of the same policy.  Returns false if there are too many. */
static bool add_signature(const char *path, const char *digest, const unsigned char made[OG_SIGNATURE_SIZE],
                          struct og_signature *all)
{
    char text[OG_SIGNATURE_TEXT_MOST];
    struct og_file_why why;
    ssize_t len = og_small_file_read(path, OG_FILE_READ, text, sizeof text, NULL, &why);

    if (len < 0 || !og_signature_read(text, (size_t)len, all) || strcmp(all->digest, digest) != 0) {
        all->count = 0;
        snprintf(all->digest, sizeof all->digest, "%s", digest);
    }
    for (size_t i = 0; i < all->count; i++)
        if (memcmp(all->bytes[i], made, OG_SIGNATURE_SIZE) == 0)
            return true;
    if (all->count == OG_SIGNATURES_MOST)
        return false;
    memcpy(all->bytes[all->count++], made, OG_SIGNATURE_SIZE);
    return true;
}

/* Write a signature file that all users may read. */
static enum og_status write_file(const char *path, const char *bytes, size_t len, struct og_error *err)
{
    if (og_atomic_file_write(path, bytes, len, 0) && chmod(path, 0644) == 0)
        return OG_OK;
    return og_fail_because(err, OG_EIO, errno, "'%s' cannot be written: %s", path, strerror(errno));
}

/* Add the key's signature of the digest to the file at path. */
static enum og_status sign_digest(const char *path, const char *digest, const char *key_path, struct og_error *err)
{
    struct og_signature signature = { .digest = "" };
    unsigned char made[OG_SIGNATURE_SIZE];
    char text[OG_SIGNATURE_TEXT_MOST];
    enum og_status status = make_signature(digest, key_path, made, err);

    if (status != OG_OK)
        return status;
    if (!add_signature(path, digest, made, &signature))
        return og_fail(err, OG_EIO, "'%s' has %d signatures of this digest, which is the most", path,
                       OG_SIGNATURES_MOST);
    return write_file(path, text, og_signature_write(&signature, text), err);
}

/* Give the path to the caller, or free it. */
static enum og_status end_signing(enum og_status status, char *path, char **signed_path)
{
    if (status == OG_OK && signed_path) {
        *signed_path = path;
        path = NULL;
    }
    free(path);
    return status;
}

enum og_status og_policy_sign(const char *const *names, size_t count, const char *key_path, const char *out_path,
                              char **signed_path, og_diagnostic_listener *listener, void *with, struct og_error *err)
{
    const char *file;
    char *path;
    struct og_policy *policy = NULL;
    enum og_status status;

    if ((!names && count) || !key_path)
        return og_missing(err);
    file = signed_file(names, count);
    if (signed_path)
        *signed_path = NULL;
    if (!out_path && !file)
        return og_fail(err, OG_EINVAL,
                       "a shipped policy has no file beside which its signature could be written: make a policy that "
                       "extends it, and sign that");
    path = out_path ? strdup(out_path) : og_signature_path(file);
    status = path ? og_policy_make(names, count, "", NULL, &policy, listener, with, err)
                  : og_fail(err, OG_ENOMEM, "out of memory");
    if (status == OG_OK)
        status = sign_digest(path, policy->signed_digest, key_path, err);
    og_policy_free(policy);
    return end_signing(status, path, signed_path);
}

enum og_status og_list_sign(const char *list_path, const char *key_path, const char *out_path, char **signed_path,
                            struct og_error *err)
{
    struct og_list_digest digest;
    const char *why;
    char *bytes, *path;
    size_t len;
    enum og_status status;

    if (signed_path)
        *signed_path = NULL;
    if (!list_path || !key_path)
        return og_missing(err);
    if ((status = og_file_read(list_path, OG_FILE_READ, OG_YAML_MOST, &bytes, &len, NULL, err)) != OG_OK)
        return status;
    path = out_path ? strdup(out_path) : og_signature_path(list_path);
    if (!path)
        status = og_fail(err, OG_ENOMEM, "out of memory");
    else if (!og_list_digest(list_path, bytes, len, &digest, &why))
        status = og_fail(err, OG_EIO, "'%s' %s", list_path, why);
    else
        status = sign_digest(path, digest.s, key_path, err);
    free(bytes);
    return end_signing(status, path, signed_path);
}
