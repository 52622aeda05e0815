/*
 * Statuses and errors, which every function of the library that can fail returns.
 * The library never prints an error, never aborts, and keeps errors only in the caller's struct.
 */
#ifndef ORDERGATE_STATUS_H
#define ORDERGATE_STATUS_H

#include "ordergate/export.h"

#ifdef __cplusplus
extern "C" {
#endif

#if defined(__GNUC__) || defined(__clang__)
#define OG_MUST_USE __attribute__((warn_unused_result))
#else
#define OG_MUST_USE
#endif

/* What a function returns.  Numbers are permanent; a retired one is never used again. */
enum og_status {
    OG_OK = 0,
    OG_EINVAL = 1,     /* the caller passed an argument that the header does not allow */
    OG_ENOMEM = 2,     /* out of memory */
    OG_ESYNTAX = 3,    /* the bytes are not in the expected format */
    OG_EPOLICY = 4,    /* a policy cannot be used */
    OG_EFACTS = 5,     /* facts cannot be used */
    OG_EIO = 6,        /* a file cannot be read or written; cause is the errno */
    OG_ENET = 7,       /* the broker cannot be reached; cause is a curl or HTTP number */
    OG_EAUTH = 8,      /* the broker rejected the keys, or they have no access to the account */
    OG_ELEDGER = 9,    /* the ledger cannot be used; cause is SQLite's number */
    OG_ENOENT = 10,    /* no such file, record, order, account or name */
    OG_EBUSY = 11,     /* another process holds the resource, or too many requests were made */
    OG_EREJECTED = 12, /* the broker rejected the request; cause is the HTTP number */
    OG_EUNKNOWN = 13   /* it is not known whether the request had an effect: find out before repeating it */
};

/* An error, in the caller's storage (usually on its stack); it owns no memory.  Every function that takes one allows
 * NULL.  The first error written is kept. */
struct og_error {
    enum og_status status;
    int line, col;   /* from 1; 0 if there is none; col counts bytes */
    int cause;       /* errno, HTTP, curl or SQLite number; 0 if there is none */
    char source[96]; /* the file or document, "" if there is none; a long name is shortened with "..." */
    char text[256];  /* lower case, no full stop */
};

/* Returns the spelling of a status ("out of memory"); never NULL, static storage. */
OG_API const char *og_status_text(enum og_status status);

#ifdef __cplusplus
}
#endif
#endif
