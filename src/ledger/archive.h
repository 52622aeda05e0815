/*
 * What an archive leaves in a ledger: gaps in its chain, and the digests of lines whose decisions are archived.
 */
#pragma once

#include "ledger/inside.h"

/* Compute the digests of the tables `gaps` and `archived`, which the newest record of an archive has: whoever changes a
 * table does not match them. Returns false if out of memory, or if they cannot be read. */
bool og_ledger_archive_digests(struct og_ledger *l, sqlite3 *db, struct og_digest_text *gaps,
                               struct og_digest_text *archived);
/* OG_ELEDGER  the file is an archive, which nothing may be appended to: it lacks the ids of today */
enum og_status og_ledger_check_no_archive(struct og_ledger *l, const char *path, struct og_error *err);
