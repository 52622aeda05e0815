/*
 * Where the ledger lies: its folder and file, private to the user, and which runs on it are alive.
 */
#pragma once

#include <limits.h>
#include <stdbool.h>
#include <stdint.h>

#include "ordergate/status.h"

/* What a filesystem is called whose locks and shared memory reach no other machine, or no other process; NULL: another
 * one. */
const char *og_ledger_network(long magic);

/* What a filesystem is called that ends with the machine's run or with a container ("tmpfs", "overlay"); NULL: another
 * one. */
const char *og_ledger_passing(long magic);
/* Make the folders (0700) and the file (0600) that are missing; refuse what others may write, network filesystems, and
 * a file that is missing or empty where a ledger was. */
enum og_status og_ledger_place(const char *path, struct og_error *err);

/* Place a ledger likewise (NULL: the default one), and look whether it outlives the machine's run.  word is "", or says
 * that it may not.
 *   OG_ELEDGER  and as an error where it must: a ledger that is gone knows of no order that was sent, so ids are used
 *   again and what is unknown is forgotten */
#define OG_LEDGER_WORD 256
enum og_status og_ledger_lasts(const char *path, bool must, char word[OG_LEDGER_WORD], struct og_error *err);

/* The one name of a ledger that is there, without links, to room: what lies beside it (<path>-runs, the WAL) is found
 * by its name, so that by two names two senders would not see each other.
 *   OG_ELEDGER  it has another name by a hard link, or what lies beside it could have been written by others */
enum og_status og_ledger_name(const char *path, char room[PATH_MAX], struct og_error *err);

/* Whether a ledger may be looked at: refuse what others may write, as og_ledger_place() does, and make nothing. */
enum og_status og_ledger_look(const char *path, struct og_error *err);

/* A file without a WAL that does not end with a page was cut. */
bool og_ledger_is_cut(const char *path);

/* A run holds byte n of <path>-runs for as long as its process lives: a lock dies with its owner, a row does not. */
int og_ledger_runs_open(const char *path, bool look); /* -1: cannot; errno says why.  look: an existing one, to ask
                                                       * only */
bool og_ledger_run_hold(int fd, int64_t n);
/* The ledger has records from now on: one that is gone or empty later is not begun anew in silence
 * (og_ledger_place()). */
void og_ledger_runs_mark(int fd);
bool og_ledger_run_alive(int fd, int64_t n); /* held by another open file */
