/*
 * Where the ledger lies: its folder and file, private to the user, and which runs on it are alive.
 */
#ifndef OG_LEDGER_PLACE_H
#define OG_LEDGER_PLACE_H

#include "ordergate/status.h"

#include <stdbool.h>
#include <stdint.h>

/* Make the folders (0700) and the file (0600) that are missing; refuse what others may write. */
enum og_status og_ledger_place(const char *path, struct og_error *err);

/* A run holds byte n of <path>-runs for as long as its process lives: a lock dies with its owner, a row does not. */
int og_ledger_runs_open(const char *path); /* -1: cannot; errno says why */
bool og_ledger_run_hold(int fd, int64_t n);
bool og_ledger_run_alive(int fd, int64_t n); /* held by another open file */

#endif
