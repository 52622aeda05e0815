/*
 * The files of an open ledger, and whether their names still lead to the same files. After a file was renamed, replaced
 * or deleted, this process goes on using it, while later processes find another file, or none, under its name.
 */
#pragma once

#include <stdbool.h>

#include "ordergate/status.h"

enum { OG_LEDGER_PARTS = 4 }; /* the ledger, its WAL, the WAL's index, and the file with the run locks */

struct og_ledger_parts {
    int fd[OG_LEDGER_PARTS]; /* opened with O_PATH, so that closing them releases no lock; -1 if there is none */
};

void og_ledger_parts_init(struct og_ledger_parts *p);
/* Note which files are found under the names of the ledger's files now. OG_ELEDGER  one of them is missing */
enum og_status og_ledger_parts_open(struct og_ledger_parts *p, const char *path, struct og_error *err);
void og_ledger_parts_close(struct og_ledger_parts *p);

/* Check that all noted files are still found under their names. Costs four calls of stat(2).
 *   OG_ELEDGER  err says which file is not found, and what happened to it */
enum og_status og_ledger_parts_stay(const struct og_ledger_parts *p, const char *path, struct og_error *err);
