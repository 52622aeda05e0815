/*
 * Checks whether the required keys have signed a policy or a list: reads public keys and signature files. What counts
 * is the number of different keys that signed, so neither a second signature nor a second copy of a key counts.
 */
#pragma once

#include <sys/types.h>

#include "base/file.h"
#include "policy/files.h"
#include "policy/signature.h"

#define OG_KEY_FILE_MOST 16384 /* maximum length of a PEM file in bytes */

struct og_public_key {
    unsigned char bytes[OG_PUBLIC_KEY_SIZE];
    const char *path;
};

struct og_public_keys {
    struct og_public_key key[OG_SIGNATURES_MOST]; /* all different */
    size_t count;
};

/* Why a demand is not met. */
struct og_verify_fault {
    const char *file; /* the signature file or the key that is to blame: the caller's text */
    const char *code; /* code of the diagnostic */
    char text[512];
};

/* Read a small file, opened as og_file_try(how) does; add it to *files if files is not NULL.  Returns its length. On
 * failure returns -1 with errno set, and *why has the words that follow "'path' " in a message. */
ssize_t og_small_file_read(const char *path, unsigned how, char *to, size_t size, struct og_files *files,
                           struct og_file_why *why);

/* Read the keys of a demand.  This function and the next add the files that they look for to *files, if files is not
 * NULL.
 *   OG_EPOLICY  *fault says why
 *   OG_ENOMEM */
enum og_status og_verify_keys(const struct og_signing_demand *demand, struct og_files *files,
                              struct og_public_keys *keys, struct og_verify_fault *fault);
/* Check the signature file at path: `need` of the keys must have signed this digest. */
enum og_status og_verify_signed(const struct og_public_keys *keys, size_t need, const char *path, const char *digest,
                                struct og_files *files, struct og_verify_fault *fault);

struct og_layers;
struct og_policy_file;
struct og_yaml;
/* Lay a floor's require_signatures: set the demand of the policy that is being made.  In any other layer the key is an
 * error. */
void og_signing_demand_lay(struct og_layers *l, const struct og_policy_file *source, const struct og_yaml *node,
                           bool floor);

char *og_signature_path(const char *file); /* returns "file.sig", which the caller frees; NULL if out of memory */

/* What the signature of a list signs in the place of a policy's digest: "list:restricted.txt@sha256:...".  The text
 * has the name of the file, so that two lists under one key cannot be swapped; no policy's digest has a ':' in its
 * name. */
struct og_list_digest {
    char s[160];
};
/* path: the list's file; only its name counts, not its folder. Returns false, and sets *why, if the name cannot be
 * signed or libcrypto fails. */
bool og_list_digest(const char *path, const void *bytes, size_t len, struct og_list_digest *to, const char **why);
