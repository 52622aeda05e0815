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
#include "policy/signature.h"

#define KEY_MOST 16384 /* most bytes of a PEM file */
#define TRIES    5     /* attempts to load if files change during loading */

#define OG_SOURCE_KEYS OG_SIGNATURES_MOST

struct og_policy_source {
    char **names;
    size_t count;
    char *floor;               /* path of the floor; NULL: the machine's floor */
    char *key[OG_SOURCE_KEYS]; /* paths of public keys; a signature by each of them is required */
    size_t keys;
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

enum og_status og_policy_source_require(struct og_policy_source *s, const char *key_path)
{
    if (!s || !key_path)
        return OG_EINVAL;
    for (size_t i = 0; i < s->keys; i++)
        if (strcmp(s->key[i], key_path) == 0)
            return OG_OK;
    if (s->keys == OG_SOURCE_KEYS)
        return OG_EINVAL;
    if (!copy(key_path, &s->key[s->keys]))
        return OG_ENOMEM;
    s->keys++;
    return OG_OK;
}

void og_policy_source_free(struct og_policy_source *s)
{
    if (!s)
        return;
    for (size_t i = 0; i < s->count; i++)
        free(s->names[i]);
    free(s->names);
    free(s->floor);
    for (size_t i = 0; i < s->keys; i++)
        free(s->key[i]);
    og_files_clear(&s->files);
    free(s);
}

/* --- files of keys and signatures --------------------------------------------------------------------------------- */

/* Read a small file, and add it to *files unless that is NULL.  Returns its length; -1 with errno, and why completes
 * "'path' ...". */
static ssize_t read_small(const char *path, unsigned how, char *to, size_t size, struct og_files *files,
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

/* Returns the name of the policy file whose signature is kept in a file beside it; NULL if no name is a file. */
static const char *signed_file(const char *const *names, size_t count)
{
    const char *file = NULL;

    for (size_t i = 0; i < count; i++)
        if (og_policy_file_is_path(names[i]))
            file = names[i];
    return file;
}

static char *signature_path(const char *file)
{
    size_t len = strlen(file);
    char *path = malloc(len + 5);

    if (path) {
        memcpy(path, file, len);
        memcpy(path + len, ".sig", 5);
    }
    return path;
}

/* --- verifying ---------------------------------------------------------------------------------------------------- */

struct teller {
    og_diagnostic_listener *listener;
    void *with;
    struct og_error *err;
};

static enum og_status tell(const struct teller *t, const char *file, const char *code, const char *format, ...)
    __attribute__((format(printf, 4, 5)));

static enum og_status tell(const struct teller *t, const char *file, const char *code, const char *format, ...)
{
    char text[512];
    struct og_diagnostic fault = { .severity = OG_ERROR, .file = file, .code = code, .text = text };
    va_list args;

    va_start(args, format);
    vsnprintf(text, sizeof text, format, args);
    va_end(args);
    if (t->listener)
        t->listener(t->with, &fault);
    return og_fail_at(t->err, OG_EPOLICY, file, 0, 0, "%s", text);
}

static enum og_status judge(const struct teller *t, const char *path, const char *key_path, enum og_signing answer)
{
    switch (answer) {
    case OG_SIGNING_OK: return OG_OK;
    case OG_SIGNING_NO_KEY:
    case OG_SIGNING_NOT_ED25519:
        return tell(t, key_path, "key-unusable",
                    "it holds no public key of Ed25519; openssl pkey -pubout makes one of the private key");
    case OG_SIGNING_WRONG:
        return tell(t, path, "signature-wrong",
                    "none of its signatures was made with the key that '%s' belongs to, or it was changed since",
                    key_path);
    case OG_SIGNING_FAILED: break;
    }
    return og_fail(t->err, OG_ENOMEM, "libcrypto failed");
}

/* Verify that one of the signatures was made with this key. */
static enum og_signing verify_any(const char *key, size_t len, const struct og_signature *signature)
{
    char text[OG_SIGNATURE_TEXT_MOST];
    size_t size = og_signature_signed(signature->digest, text);
    enum og_signing answer = OG_SIGNING_WRONG;

    for (size_t i = 0; i < signature->count && answer == OG_SIGNING_WRONG; i++)
        answer = og_sign_verify(key, len, text, size, signature->bytes[i]);
    return answer;
}

static enum og_status verify_file(const struct teller *t, const char *path, const char *key_path, const char *digest,
                                  struct og_files *files)
{
    char text[OG_SIGNATURE_TEXT_MOST], key[KEY_MOST];
    struct og_signature signature;
    struct og_file_why why;
    ssize_t len = read_small(key_path, OG_FILE_READ, key, sizeof key, files, &why), got;

    if (len < 0)
        return tell(t, key_path, "key-unusable", "it %s", why.text);
    got = read_small(path, OG_FILE_READ, text, sizeof text, files, &why);
    if (got < 0)
        return tell(t, path, "signature-missing", "it %s; ordergate policy sign makes it%s",
                    errno == EFBIG ? "is too long to be a signature" : why.text,
                    errno == ENOENT ? " once the policy was reviewed" : "");
    if (!og_signature_read(text, (size_t)got, &signature))
        return tell(t, path, "signature-unreadable", "it is not a signature that ordergate policy sign made");
    if (strcmp(signature.digest, digest) != 0)
        return tell(t, path, "signature-of-another",
                    "it is of %s, the policy is %s: the policy, or one that it extends, was changed since",
                    signature.digest, digest);
    return judge(t, path, key_path, verify_any(key, (size_t)len, &signature));
}

static enum og_status verify(struct og_policy_source *s, const char *digest, const struct teller *t)
{
    const char *file = signed_file((const char *const *)s->names, s->count);
    char *path;
    enum og_status status;

    if (!file)
        return tell(t, s->count ? s->names[s->count - 1] : "default", "signature-missing",
                    "a shipped policy has no file beside which its signature could be written: make a policy that "
                    "extends it, and sign that");
    path = signature_path(file);
    status = path ? OG_OK : OG_ENOMEM;
    for (size_t i = 0; i < s->keys && status == OG_OK; i++)
        status = verify_file(t, path, s->key[i], digest, &s->files);
    free(path);
    return status;
}

/* --- loading ------------------------------------------------------------------------------------------------------ */

static bool has_floor(const struct og_policy_source *s)
{
    struct stat st;

    return s->floor ? s->floor[0] != '\0' : stat(og_policy_floor_path, &st) == 0 || errno != ENOENT;
}

/* Load the policy without the floor, verify its signatures, then load it with the floor from the same files.  *again is
 * set if a file changed meanwhile: the caller then repeats everything. */
static enum og_status load_signed(struct og_policy_source *s, struct og_policy **policy, const struct teller *t,
                                  bool *again)
{
    const char *const *names = (const char *const *)s->names;
    struct og_files bare = { 0 };
    bool floor = has_floor(s);
    enum og_status status;

    *again = false;
    status =
        og_policy_make(names, s->count, "", &bare, policy, floor ? NULL : t->listener, t->with, floor ? NULL : t->err);
    if (status == OG_OK)
        status = verify(s, og_policy_digest(*policy), t);
    else if (floor) /* do not report the error here: loading with the floor finds it again, and reports it */
        status = OG_OK;
    if (status == OG_OK && floor) {
        bool verified = *policy != NULL;

        og_policy_free(*policy);
        *policy = NULL;
        status = og_policy_make(names, s->count, s->floor, &s->files, policy, t->listener, t->with, t->err);
        *again = status == OG_OK && (!verified || !og_files_agree(&bare, &s->files));
    } else {
        for (size_t i = 0; i < bare.count; i++)
            if (!og_files_note(&s->files, bare.file[i].path, bare.file[i].mark))
                status = OG_ENOMEM;
        if (!s->floor && !og_files_note(&s->files, og_policy_floor_path, og_file_mark_of(NULL)))
            status = OG_ENOMEM;
    }
    if (status != OG_OK || *again) {
        og_policy_free(*policy);
        *policy = NULL;
    }
    og_files_clear(&bare);
    return status;
}

/* Returns the first policy name that is stdin or a pipe; NULL: there is none. */
static const char *read_once(const struct og_policy_source *s)
{
    for (size_t i = 0; i < s->count; i++)
        if (strcmp(s->names[i], "-") == 0 || og_file_reads_once(s->names[i]))
            return s->names[i];
    return NULL;
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
    if (once && (s->was_read || s->keys))
        return og_fail(err, OG_EIO, "a policy from %s cannot be %s: give it as a file",
                       strcmp(once, "-") == 0 ? "stdin" : "a pipe", s->keys ? "signed" : "read again");
    s->was_read = once;
    for (int i = 0; i < TRIES && again && status == OG_OK; i++) {
        og_files_clear(&s->files);
        again = false;
        status = s->keys ? load_signed(s, policy, &t, &again)
                         : og_policy_make((const char *const *)s->names, s->count, s->floor, &s->files, policy,
                                          listener, with, err);
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
    char key[KEY_MOST], text[OG_SIGNATURE_TEXT_MOST];
    struct og_file_why why;
    ssize_t len = read_small(key_path, OG_FILE_SECRET, key, sizeof key, NULL, &why);
    enum og_signing answer;

    if (len < 0)
        return og_fail_because(err, OG_EIO, errno, "key '%s' %s", key_path, why.text);
    answer = og_sign(key, (size_t)len, text, og_signature_signed(digest, text), made);
    og_wipe(key, sizeof key);
    if (answer == OG_SIGNING_OK)
        return OG_OK;
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
    ssize_t len = read_small(path, OG_FILE_READ, text, sizeof text, NULL, &why);

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

enum og_status og_policy_sign(const char *const *names, size_t count, const char *key_path, const char *out_path,
                              char **signed_path, og_diagnostic_listener *listener, void *with, struct og_error *err)
{
    const char *file;
    char *path, text[OG_SIGNATURE_TEXT_MOST];
    struct og_signature signature = { .digest = "" };
    unsigned char made[OG_SIGNATURE_SIZE];
    struct og_policy *policy = NULL;
    enum og_status status;

    if ((!names && count) || !key_path)
        return og_missing(err);
    file = signed_file(names, count);
    path = out_path ? strdup(out_path) : file ? signature_path(file) : NULL;
    if (signed_path)
        *signed_path = NULL;
    if (!path && !out_path && !file)
        return og_fail(err, OG_EINVAL,
                       "a shipped policy has no file beside which its signature could be written: make a policy that "
                       "extends it, and sign that");
    status = path ? og_policy_make(names, count, "", NULL, &policy, listener, with, err) : OG_ENOMEM;
    if (status == OG_OK)
        status = make_signature(og_policy_digest(policy), key_path, made, err);
    if (status == OG_OK && !add_signature(path, og_policy_digest(policy), made, &signature))
        status =
            og_fail(err, OG_EIO, "'%s' has %d signatures of this policy, which is the most", path, OG_SIGNATURES_MOST);
    if (status == OG_OK)
        status = write_file(path, text, og_signature_write(&signature, text), err);
    if (status == OG_OK && signed_path) {
        *signed_path = path;
        path = NULL;
    }
    og_policy_free(policy);
    free(path);
    return status;
}
