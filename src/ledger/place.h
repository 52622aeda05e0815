/*
 * The place of the ledger: its folder and file, which must be private to the user, and the locks that show which runs
 * are alive.
 */
#pragma once

#include <limits.h>
#include <sqlite3.h>
#include <stdbool.h>
#include <stdint.h>

#include "base/crypto.h"
#include "ordergate/status.h"

/* Returns the name of the filesystem if its locks and shared memory do not reach other machines or processes; NULL if
 * they do. */
const char *og_ledger_network(long magic);

/* Returns SQLite's code for an errno about a ledger's file; SQLITE_PERM if the errno is not about writing. */
int og_ledger_code(int number);

/* Create the folders (0700) and the file (0600) if they are missing. Rejects files and folders to which others may
 * write, network filesystems, and a missing or empty file if the folder shows that there was a ledger. */
enum og_status og_ledger_place(const char *path, struct og_error *err);

/* Do as og_ledger_place() does for path, or for the default path if it is NULL, and check whether the filesystem keeps
 * the file when the machine or container stops. word: set to a warning if the filesystem may not keep the file,
 * otherwise to "".
 *   OG_ELEDGER  also if `must` is true and the file may be lost: ids would then be used again, and orders with an
 *               unknown outcome would be forgotten */
#define OG_LEDGER_WORD 256
enum og_status og_ledger_lasts(const char *path, bool must, char word[OG_LEDGER_WORD], struct og_error *err);

/* Write the ledger's only name, without symbolic links, to room. The files beside it (<path>-runs, the WAL) are found
 * by that name, so two senders that use two names would not see each other.
 * OG_ELEDGER  the file has a second name by a hard link, or others could have written the files beside it */
enum og_status og_ledger_name(const char *path, char room[PATH_MAX], struct og_error *err);

/* Check that a ledger may be read: rejects files to which others may write, as og_ledger_place() does, and creates
 * nothing. */
enum og_status og_ledger_look(const char *path, struct og_error *err);

/* Returns true if the file has no WAL and does not end with a whole page, which means that it was truncated. */
bool og_ledger_is_cut(sqlite3 *db, const char *path);

/* A run locks byte n of <path>-runs while its process lives. A lock is better than a row in the ledger: the kernel
 * releases the lock when the process ends, while a row would stay. */
/* Open that file. Returns -1 on error, with errno set. look: only open an existing file, to test its locks. */
int og_ledger_runs_open(const char *path, bool look);
bool og_ledger_run_hold(int fd, int64_t n);
/* Mark that the ledger has records. If its file is missing or empty later, og_ledger_place() fails instead of creating
 * a new one. */
void og_ledger_runs_mark(int fd);
bool og_ledger_runs_are_marked(int fd);
/* Note the number and hash of a committed record. A ledger that lacks the record later is an older copy. If a note is
 * lost, or a slower process overwrites it with an older note, that older note is still true, but proves less. */
void og_ledger_runs_note(int fd, int64_t seq, const char *hash);
/* Returns false if there is no note, or only an incomplete one. */
bool og_ledger_runs_noted(int fd, int64_t *seq, struct og_digest_text *hash);
/* Set err for a ledger that has lost its records. how: words such as "is empty". Returns OG_ELEDGER. */
enum og_status og_ledger_lost(const char *path, const char *how, struct og_error *err);
bool og_ledger_run_alive(int fd, int64_t n); /* returns true if another open file holds the lock */
