/*
 * The ledger on real files: an id is used once, also across processes and crashes; foreign files are not touched; runs
 * may begin at once, and a process that opens the ledger twice keeps its locks.
 */
#include <errno.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <sys/wait.h>

#include "ledger/schema.h"
#include "ledger_home.h"

#define DIGEST "sha256:00"

static enum og_status intend(struct og_ledger *l, const char *id, const char *digest, bool again)
{
    struct og_error err = { 0 };
    struct og_ledger_row row = {
        .at = 1, .account = OG_STR("A"), .id = og_str_of(id), .record = "intent", .state = OG_INTENDED
    };

    assert_int_equal(og_ledger_begin(l, &err), OG_OK);
    return og_ledger_intend(l, &row, digest, again, &err);
}

static void told(struct og_ledger *l, const char *id, enum og_state s)
{
    struct og_error err = { 0 };
    struct og_ledger_row row = { .at = 2,
                                 .account = OG_STR("A"),
                                 .id = og_str_of(id),
                                 .record = "update",
                                 .state = s,
                                 .executed = og_money_from(5),
                                 .broker_id = OG_STR("b"),
                                 .text = OG_STR("R24: x"),
                                 .code = OG_STR("R24") };

    assert_int_equal(og_ledger_begin(l, &err), OG_OK);
    assert_int_equal(og_ledger_append(l, &row, &err), OG_OK);
    assert_int_equal(og_ledger_commit(l, &err), OG_OK);
}

static struct og_ledger_known known(struct og_ledger *l, const char *id)
{
    struct og_error err = { 0 };
    struct og_ledger_known k;

    assert_int_equal(og_ledger_find(l, OG_STR("A"), og_str_of(id), &k, NULL, NULL, &err), OG_OK);
    return k;
}

static void count_row(void *with, const struct og_ledger_row *row)
{
    assert_true(row->seq > 0);
    ++*(int *)with;
}

static int unsettled(struct og_ledger *l)
{
    struct og_error err = { 0 };
    int n = 0;

    assert_int_equal(og_ledger_unsettled(l, count_row, &n, &err), OG_OK);
    return n;
}

/* Run work() in a process that ends without closing anything. */
static void in_another(void (*work)(struct og_ledger *l))
{
    int status;
    pid_t child = fork();

    if (child == 0) {
        struct og_error err = { 0 };
        struct og_ledger *l = NULL;

        if (og_ledger_open(path, OG_STR("child"), &l, &err) == OG_OK)
            work(l);
        _exit(0);
    }
    assert_true(child > 0);
    assert_int_equal(waitpid(child, &status, 0), child);
    assert_int_equal(status, 0);
}

static void an_id_is_used_once(void **state)
{
    struct og_error err = { 0 };
    struct og_ledger *l = opened("r1");

    (void)state;
    assert_int_equal(intend(l, "x", DIGEST, false), OG_OK);
    assert_int_equal(intend(l, "x", DIGEST, false), OG_EBUSY);
    assert_int_equal(og_ledger_commit(l, &err), OG_OK);
    assert_true(known(l, "x").found && known(l, "x").same_run);
    assert_int_equal(intend(l, "x", DIGEST, false), OG_EBUSY);
    og_ledger_close(l);
}

static void another_run_sees_it(void **state)
{
    struct og_error err = { 0 };
    struct og_ledger *l = opened("r1"), *other;

    (void)state;
    assert_int_equal(intend(l, "x", DIGEST, false), OG_OK);
    assert_int_equal(og_ledger_commit(l, &err), OG_OK);
    other = opened("r2");
    assert_true(known(other, "x").alive);
    assert_false(known(other, "x").same_run);
    assert_string_equal(known(other, "x").digest, DIGEST);
    assert_int_equal(intend(other, "x", DIGEST, false), OG_EBUSY);
    assert_int_equal(intend(other, "x", DIGEST, true), OG_EBUSY); /* `again` is only for an order in state not-sent */
    og_ledger_rollback(other);
    assert_int_equal(unsettled(other), 0); /* its run is still running */
    og_ledger_close(l);
    assert_false(known(other, "x").alive);
    assert_int_equal(unsettled(other), 1);
    og_ledger_close(other);
}

static void commits(struct og_ledger *l)
{
    if (intend(l, "done", DIGEST, false) != OG_OK || og_ledger_commit(l, NULL) != OG_OK ||
        intend(l, "half", DIGEST, false) != OG_OK)
        _exit(1);
}

static void a_crash_keeps_what_was_committed(void **state)
{
    struct og_ledger *l;

    (void)state;
    in_another(commits);
    l = opened("r2");
    assert_true(known(l, "done").found);
    assert_false(known(l, "done").alive);
    assert_false(known(l, "half").found);
    assert_int_equal(unsettled(l), 1);
    assert_int_equal(intend(l, "half", DIGEST, false), OG_OK);
    og_ledger_close(l);
}

static void again_only_what_was_not_sent(void **state)
{
    struct og_error err = { 0 };
    struct og_ledger *l = opened("r1");

    (void)state;
    assert_int_equal(intend(l, "x", DIGEST, false), OG_OK);
    assert_int_equal(og_ledger_commit(l, &err), OG_OK);
    told(l, "x", OG_NOT_SENT);
    assert_int_equal(intend(l, "x", DIGEST, false), OG_EBUSY);
    assert_int_equal(intend(l, "x", "sha256:11", true), OG_EBUSY);
    assert_int_equal(intend(l, "x", DIGEST, true), OG_OK);
    assert_int_equal(og_ledger_commit(l, &err), OG_OK);
    assert_int_equal(known(l, "x").posts, 2);
    assert_int_equal(known(l, "x").state, OG_INTENDED);
    og_ledger_close(l);
}

static void a_decision_is_no_news(void **state)
{
    struct og_error err = { 0 };
    struct og_ledger *l = opened("r1");

    (void)state;
    assert_int_equal(intend(l, "x", DIGEST, false), OG_OK);
    told(l, "x", OG_FILLED);
    for (int s = OG_REFUSED; s <= OG_INTENDED; s++) {
        struct og_ledger_row row = {
            .at = 3, .account = OG_STR("A"), .id = OG_STR("x"), .record = "decision", .state = (enum og_state)s
        };

        assert_int_equal(og_ledger_begin(l, &err), OG_OK);
        assert_int_equal(og_ledger_append(l, &row, &err), OG_OK);
        assert_int_equal(og_ledger_commit(l, &err), OG_OK);
        assert_int_equal(known(l, "x").state, OG_FILLED);
    }
    og_ledger_close(l);
}

static void rows_stay(void **state)
{
    struct og_error err = { 0 };
    struct og_ledger *l = opened("r1");

    (void)state;
    assert_int_equal(intend(l, "x", DIGEST, false), OG_OK);
    assert_int_equal(og_ledger_commit(l, &err), OG_OK);
    og_ledger_close(l);
    assert_int_not_equal(directly("UPDATE rows SET state = 'not-sent'"), SQLITE_OK);
    assert_int_not_equal(directly("DELETE FROM rows"), SQLITE_OK);
    assert_int_not_equal(directly("DELETE FROM ids"), SQLITE_OK);
    assert_int_not_equal(directly("UPDATE ids SET digest = ''"), SQLITE_OK);
    assert_int_not_equal(directly("INSERT INTO ids VALUES('A', 'x', 'd', 9)"), SQLITE_OK);
}

static void refused(const char *word)
{
    struct og_error err = { 0 };
    struct og_ledger *l = NULL;

    assert_int_equal(og_ledger_open(path, OG_STR("r"), &l, &err), OG_ELEDGER);
    assert_null(l);
    if (strstr(err.text, word) == NULL)
        fail_msg("'%s' does not say '%s'", err.text, word);
}

static void what_is_not_ours(void **state)
{
    char at[96];
    FILE *f;

    (void)state;
    og_ledger_close(opened("r1"));
    assert_int_equal(directly("PRAGMA user_version = 99"), SQLITE_OK);
    refused("newer");
    snprintf(at, sizeof(at), "PRAGMA user_version = %d; PRAGMA application_id = 7", OG_LEDGER_VERSION);
    assert_int_equal(directly(at), SQLITE_OK);
    refused("not a ledger");
    assert_int_equal(directly("PRAGMA application_id = 1869048932"), SQLITE_OK);
    assert_int_equal(chmod(path, 0660), 0);
    refused("chmod g-w");
    assert_int_equal(chmod(path, 0600), 0);
    snprintf(at, sizeof(at), "%s/a", folder);
    assert_int_equal(chmod(at, 0777), 0);
    refused("chmod go-w");
    assert_int_equal(chmod(at, 0700), 0);
    og_ledger_close(opened("r2"));
    assert_int_equal(unlink(path), 0);
    assert_non_null(f = fopen(path, "w"));
    for (int i = 0; i < 200; i++)
        fputs("this is not a database, ", f);
    fclose(f);
    assert_int_equal(chmod(path, 0600), 0);
    refused("ledger.db");
}

static void modes(void **state)
{
    struct stat st;
    char at[128];

    (void)state;
    og_ledger_close(opened("r1"));
    assert_int_equal(stat(path, &st), 0);
    assert_int_equal(st.st_mode & 0777, 0600);
    snprintf(at, sizeof(at), "%s-runs", path);
    assert_int_equal(stat(at, &st), 0);
    assert_int_equal(st.st_mode & 0777, 0600);
    snprintf(at, sizeof(at), "%s/a", folder);
    assert_int_equal(stat(at, &st), 0);
    assert_int_equal(st.st_mode & 0777, 0700);
}

static void only_looking(void **state)
{
    struct og_error err = { 0 };
    struct og_ledger *l = NULL;
    char at[128];

    (void)state;
    assert_int_equal(og_ledger_peek(path, &l, &err), OG_ENOENT);
    snprintf(at, sizeof(at), "%s/a", folder);
    assert_int_not_equal(access(at, F_OK), 0); /* no file was created */
    l = opened("r1");
    assert_int_equal(intend(l, "x", DIGEST, false), OG_OK);
    assert_int_equal(og_ledger_commit(l, &err), OG_OK);
    og_ledger_close(l);
    assert_int_equal(og_ledger_peek(path, &l, &err), OG_OK);
    assert_true(known(l, "x").found);
    assert_false(known(l, "y").found);
    og_ledger_close(l);
}

static const char *program;  /* path of this test's program */
static int looks_until_made; /* number of calls of stat() until another process creates the ledger */

static void nothing(struct og_ledger *l)
{
    (void)l;
}

/* Replaces the C library's stat(): another process may create the ledger after any call. */
int stat(const char *restrict name, struct stat *restrict st)
{
    int answer = fstatat(AT_FDCWD, name, st, 0), code = errno;

    if (looks_until_made > 0 && --looks_until_made == 0)
        in_another(nothing);
    errno = code;
    return answer;
}

static void made_meanwhile(void **state)
{
    (void)state;
    for (int look = 1;; look++) {
        bool was_made;

        looks_until_made = look;
        og_ledger_close(opened("r1"));
        was_made = looks_until_made == 0;
        looks_until_made = 0;
        remove_ledger();
        if (!was_made)
            break;
        assert_true(look < 50);
    }
}

/* A process opens the ledger a second time, to write or to read, and closes it. Its locks must stay: otherwise another
 * process that opens and closes the file would take itself for the last user, and remove the WAL. */
static void opened_twice(void **state)
{
    char wal[128], command[256];
    struct og_ledger *first, *second[2];
    struct og_error err = { 0 };

    (void)state;
    first = opened("r1");
    assert_int_equal(intend(first, "x", DIGEST, false), OG_OK);
    assert_int_equal(og_ledger_commit(first, &err), OG_OK);
    second[0] = opened("r2");
    assert_int_equal(og_ledger_peek(path, &second[1], &err), OG_OK);
    snprintf(command, sizeof command, "%s %s", program, path);
    assert_int_equal(system(command), 0);
    snprintf(wal, sizeof wal, "%s-wal", path);
    assert_int_equal(access(wal, F_OK), 0);
    og_ledger_close(second[0]);
    og_ledger_close(second[1]);
    og_ledger_close(first);
}

/* Append the id of a listed order to a text. */
static int add_id(void *with, const char *json, size_t len)
{
    static const char key[] = "\"clientOrderId\":\"";
    const char *id = memmem(json, len, key, sizeof key - 1);

    assert_non_null(id);
    strncat(with, id + sizeof key - 1, 1);
    return 0;
}

static void the_newest(void **state)
{
    static const char *const words[] = { "working" };
    const struct og_ledger_filter wrong[] = {
        { .newest = -1 },
        { .newest = 1, .since = 1 },
        { .newest = 1, .until = 1 },
        { .newest = 1, .states = words, .state_count = 1 },
        { .newest = 1, .symbol = "X" },
        { .newest = 1, .tag = "t" },
        { .newest = 1, .rule = "r" },
        { .newest = 1, .open = true },
        { .newest = 1, .halts = OG_LEDGER_HALTS_TOO },
    };
    struct og_error err = { 0 };
    struct og_ledger *l = opened("r1");
    char ids[8];

    (void)state;
    for (const char *id = "a\0b\0c\0"; *id; id += 2)
        assert_int_equal(intend(l, id, DIGEST, false), OG_OK);
    assert_int_equal(og_ledger_commit(l, &err), OG_OK);
    for (int newest = 1; newest < 5; newest++) {
        const struct og_ledger_filter filter = { .newest = newest };

        ids[0] = '\0';
        assert_int_equal(og_ledger_list(l, &filter, NULL, add_id, ids, &err), OG_OK);
        assert_string_equal(ids, newest == 1 ? "c" : newest == 2 ? "cb" : "cba");
    }
    for (size_t i = 0; i < COUNT(wrong); i++)
        assert_int_equal(og_ledger_list(l, &wrong[i], NULL, add_id, ids, &err), OG_EINVAL);
    og_ledger_close(l);
}

/* With an argument, the program is the other process, which reads that ledger. */
int main(int argc, char **argv)
{
    sqlite3 *db = NULL;
    const struct CMUnitTest tests[] = {
        TEST(an_id_is_used_once),
        TEST(another_run_sees_it),
        TEST(a_crash_keeps_what_was_committed),
        TEST(again_only_what_was_not_sent),
        TEST(a_decision_is_no_news),
        TEST(rows_stay),
        TEST(what_is_not_ours),
        TEST(modes),
        TEST(only_looking),
        TEST(made_meanwhile),
        TEST(opened_twice),
        TEST(the_newest),
    };

    program = argv[0];
    if (argc > 1)
        return sqlite3_open(argv[1], &db) != SQLITE_OK ||
               sqlite3_exec(db, "SELECT count(*) FROM sqlite_schema", NULL, NULL, NULL) != SQLITE_OK ||
               sqlite3_close(db) != SQLITE_OK;
    return cmocka_run_group_tests(tests, NULL, NULL);
}
