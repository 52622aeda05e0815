/*
 * Statuses and errors: how every fallible function of the library answers.
 * It refuses to print, to abort and to keep an error anywhere but in the caller's own struct.
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

/* What a function answers.  Numbers are permanent; a retired one is never used again. */
enum og_status {
    OG_OK = 0,
    OG_EINVAL = 1,     /* the caller passed something the header forbids */
    OG_ENOMEM = 2,     /* out of memory */
    OG_ESYNTAX = 3,    /* bytes are not what their format demands */
    OG_EPOLICY = 4,    /* a policy cannot be used */
    OG_EFACTS = 5,     /* facts cannot be used */
    OG_EIO = 6,        /* cannot read or write; cause is the errno */
    OG_ENET = 7,       /* cannot reach the broker; cause is a curl or HTTP number */
    OG_EAUTH = 8,      /* the broker refused the keys, or the account is not theirs */
    OG_ELEDGER = 9,    /* the ledger cannot be used; cause is SQLite's number */
    OG_ENOENT = 10,    /* no such thing */
    OG_EBUSY = 11,     /* somebody else holds it, or the broker is asked too often */
    OG_EREJECTED = 12, /* the broker said no; cause is the HTTP number */
    OG_EUNKNOWN = 13   /* whether it had effect is not known: ask before it is tried again */
};

/* An error, in the caller's storage (usually its stack), never freed.  Every function that takes
 * one allows NULL.  The first error written stays. */
struct og_error {
    enum og_status status;
    int line, col;   /* from 1; 0 when there is none; col counts bytes */
    int cause;       /* errno, HTTP, curl or SQLite number; 0 when there is none */
    char source[96]; /* the file or document, "" when there is none; shortened with "..." */
    char text[256];  /* lower case, no full stop */
};

/* The spelling of a status ("out of memory"); never NULL, static storage. */
OG_API const char *og_status_text(enum og_status status);

#ifdef __cplusplus
}
#endif
#endif
