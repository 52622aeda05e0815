/*
 * What an archive leaves in a ledger: gaps in its chain, and the digests of lines whose decisions are archived.
 */
#pragma once

#include "ledger/inside.h"

/* Compute the digests of the tables `gaps` and `archived`. The newest record of an archive has both digests, so that a
 * change of either table is detected. Returns false if memory ran out, or if a table cannot be read. */
bool og_ledger_archive_digests(struct og_ledger *l, sqlite3 *db, struct og_digest_text *gaps,
                               struct og_digest_text *archived);
/* Check that the file is not an archive. OG_ELEDGER: it is one; nothing may be appended to it, since it lacks the ids
 * that were used since. */
enum og_status og_ledger_check_no_archive(struct og_ledger *l, const char *path, struct og_error *err);
