/*
 * A ledger in a temporary folder, for one test.
 */
#pragma once

#include <sqlite3.h>
#include <stdio.h>
#include <unistd.h>

#include "base/error.h"
#include "ledger/ledger.h"
#include "unit.h"

static char folder[64], path[96];

static inline int set_up(void **state)
{
    (void)state;
    snprintf(folder, sizeof(folder), "/tmp/og-ledger-XXXXXX");
    if (mkdtemp(folder) == NULL)
        return -1;
    snprintf(path, sizeof(path), "%s/a/ledger.db", folder);
    return 0;
}

static inline void remove_ledger(void)
{
    static const char *const names[] = { "", "-wal", "-shm", "-runs" };
    char file[128];

    for (size_t i = 0; i < COUNT(names); i++) {
        snprintf(file, sizeof(file), "%s%s", path, names[i]);
        unlink(file);
    }
}

static inline int tear_down(void **state)
{
    char file[128];

    (void)state;
    remove_ledger();
    snprintf(file, sizeof(file), "%s/a", folder);
    rmdir(file);
    return rmdir(folder);
}

static inline struct og_ledger *opened(const char *run)
{
    struct og_error err = { 0 };
    struct og_ledger *l = NULL;

    if (og_ledger_open(path, og_str_of(run), &l, &err) != OG_OK)
        fail_msg("%s", err.text);
    return l;
}

/* Run SQL on the ledger's file, without the ledger's code. */
static inline int directly(const char *sql)
{
    sqlite3 *db = NULL;
    int code = sqlite3_open(path, &db);

    if (code == SQLITE_OK)
        code = sqlite3_exec(db, sql, NULL, NULL, NULL);
    sqlite3_close(db);
    return code;
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)
