/*
 * The hash chain: a change of the file that did not come from the ledger is found, with its record; a file of schema
 * 1 is upgraded as a whole, and protected from then on.
 */
#include "ledger/place.h"
#include "ledger/schema.h"
#include "ledger_home.h"

#define ROWS 6

/* Append three orders: an intent and an update each. */
static void fill(const char *run)
{
    static const char *const ids[] = { "x", "y", "z" };
    struct og_error err = { 0 };
    struct og_ledger *l = opened(run);
    struct og_digest_text digest;

    assert_true(og_digest("{}", 2, &digest));
    for (size_t i = 0; i < COUNT(ids); i++) {
        struct og_ledger_row row = { .at = (int64_t)i,
                                     .account = OG_STR("A"),
                                     .id = og_str_of(ids[i]),
                                     .record = "intent",
                                     .state = OG_INTENDED,
                                     .detail = OG_STR("{}") };

        assert_int_equal(og_ledger_begin(l, &err), OG_OK);
        assert_int_equal(og_ledger_intend(l, &row, digest.s, false, &err), OG_OK);
        row.record = "update";
        row.state = OG_FILLED;
        row.executed = og_money_from(5);
        row.detail = (struct og_str){ NULL, 0 };
        row.text = OG_STR("a text, with: marks");
        assert_int_equal(og_ledger_append(l, &row, &err), OG_OK);
        assert_int_equal(og_ledger_commit(l, &err), OG_OK);
    }
    og_ledger_close(l);
}

/* Append two more records. */
static void fill_more(const char *run)
{
    struct og_ledger_row row = { .account = OG_STR("A"), .id = OG_STR("x"), .record = "update", .state = OG_FILLED };
    struct og_error err = { 0 };
    struct og_ledger *l = opened(run);

    for (int i = 0; i < 2; i++) {
        assert_int_equal(og_ledger_begin(l, &err), OG_OK);
        assert_int_equal(og_ledger_append(l, &row, &err), OG_OK);
        assert_int_equal(og_ledger_commit(l, &err), OG_OK);
    }
    og_ledger_close(l);
}

static char said[4096];

static int keep(void *with, const char *json, size_t len)
{
    size_t at = strlen(said);

    (void)with;
    if (at + len + 2 < sizeof(said)) {
        memcpy(said + at, json, len);
        memcpy(said + at + len, "\n", 2);
    }
    return 0;
}

static long long faults(const char *expected)
{
    struct og_error err = { 0 };
    struct og_ledger *l = NULL;
    long long n = -1;

    said[0] = '\0';
    if (og_ledger_peek(path, &l, &err) != OG_OK || og_ledger_verify(l, expected, keep, NULL, &n, &err) != OG_OK)
        fail_msg("%s", err.text);
    og_ledger_close(l);
    return n;
}

static struct og_ledger_head head(void)
{
    struct og_error err = { 0 };
    struct og_ledger *l = NULL;
    struct og_ledger_head h;

    assert_int_equal(og_ledger_peek(path, &l, &err), OG_OK);
    assert_int_equal(og_ledger_head(l, &h, &err), OG_OK);
    og_ledger_close(l);
    return h;
}

/* Change the file as somebody does who removes the triggers and puts them back. */
static void tamper(const char *change)
{
    static const char *const names[] = {
        "rows_stay", "rows_keep", "rows_chained", "ids_keep", "ids_stay", "head_keeps"
    };
    char *guards[COUNT(names)], sql[300];
    sqlite3 *db = NULL;

    assert_int_equal(sqlite3_open(path, &db), SQLITE_OK);
    for (size_t i = 0; i < COUNT(names); i++) {
        sqlite3_stmt *s = NULL;

        snprintf(sql, sizeof(sql), "SELECT sql FROM sqlite_master WHERE name = '%s'", names[i]);
        assert_int_equal(sqlite3_prepare_v2(db, sql, -1, &s, NULL), SQLITE_OK);
        assert_int_equal(sqlite3_step(s), SQLITE_ROW);
        assert_non_null(guards[i] = strdup((const char *)sqlite3_column_text(s, 0)));
        sqlite3_finalize(s);
        snprintf(sql, sizeof(sql), "DROP TRIGGER %s", names[i]);
        assert_int_equal(sqlite3_exec(db, sql, NULL, NULL, NULL), SQLITE_OK);
    }
    if (sqlite3_exec(db, change, NULL, NULL, NULL) != SQLITE_OK)
        fail_msg("%s: %s", change, sqlite3_errmsg(db));
    for (size_t i = 0; i < COUNT(names); i++) {
        assert_int_equal(sqlite3_exec(db, guards[i], NULL, NULL, NULL), SQLITE_OK);
        free(guards[i]);
    }
    sqlite3_close(db);
}

static void untouched(void **state)
{
    struct og_ledger_head h;

    (void)state;
    fill("r1");
    h = head();
    assert_int_equal(h.seq, ROWS);
    assert_int_equal(faults(NULL), 0);
    assert_non_null(strstr(said, h.hash.s));
    assert_int_equal(faults(h.hash.s), 0);
    assert_int_equal(faults(h.hash.s + 7), 0); /* without "sha256:" */
}

/* Each of these changes is detected, and the damaged record is named. */
static void whatever_is_touched(void **state)
{
    static const struct {
        const char *change;
        int seq; /* record with the fault; 0: the file itself */
        const char *fault;
    } cases[] = {
        { "UPDATE rows SET at = '1970-01-01T00:00:09Z' WHERE seq = 1", 1, "changed" },
        { "UPDATE rows SET run = 'r2' WHERE seq = 2", 2, "changed" },
        { "UPDATE rows SET account = 'B' WHERE seq = 4", 4, "changed" },
        { "UPDATE rows SET record = 'outcome' WHERE seq = 4", 4, "changed" },
        { "UPDATE rows SET state = 'not-sent' WHERE seq = 4", 4, "changed" },
        { "UPDATE rows SET outcome = 'filled' WHERE seq = 4", 4, "changed" },
        { "UPDATE rows SET outcome = '' WHERE seq = 4", 4, "changed" }, /* an empty text is not null */
        { "UPDATE rows SET broker_id = 'b' WHERE seq = 6", 6, "changed" },
        { "UPDATE rows SET executed = '6' WHERE seq = 6", 6, "changed" },
        { "UPDATE rows SET price_avg = '0.01' WHERE seq = 6", 6, "changed" },
        { "UPDATE rows SET code = 'R1' WHERE seq = 2", 2, "changed" },
        { "UPDATE rows SET text = 'a text, with: mark' WHERE seq = 2", 2, "changed" },
        { "UPDATE rows SET detail = '{ }' WHERE seq = 3", 3, "changed" },
        { "UPDATE rows SET text = 'code', code = 'a text, with: marks' WHERE seq = 2", 2,
          "changed" }, /* bytes are moved from one field to the next */
        { "UPDATE rows SET hash = replace(hash, substr(hash, 9, 1), 'g') WHERE seq = 3", 3, "changed" },
        { "DELETE FROM rows WHERE seq = 1", 1, "missing" },
        { "DELETE FROM rows WHERE seq = 3", 3, "missing" },
        { "DELETE FROM rows WHERE seq = 6", 6, "head" },
        { "DELETE FROM rows WHERE seq IN (2, 3, 4)", 2, "missing" },
        { "DELETE FROM rows WHERE seq = 2; UPDATE rows SET seq = seq - 1 WHERE seq > 2", 2, "changed" },
        { "INSERT INTO rows SELECT 7, at, run, account, id, record, state, outcome, broker_id, executed, price_avg, "
          "code, text, detail, hash, tag FROM rows WHERE seq = 6",
          7, "changed" },
        { "UPDATE rows SET seq = 100 + seq WHERE seq = 2; UPDATE rows SET seq = 2 WHERE seq = 5;"
          " UPDATE rows SET seq = 5 WHERE seq = 102",
          2, "changed" },
        { "DELETE FROM ids WHERE id = 'y'", 3, "id" },
        { "UPDATE ids SET digest = 'sha256:00' WHERE id = 'y'", 3, "id" },
        { "INSERT INTO ids VALUES('A', 'w', 'd', 9)", 0, "id" },
        { "DELETE FROM runs WHERE run = 'r1'", 1, "run" },
        { "UPDATE head SET seq = 5", 6, "head" },
        { "UPDATE head SET hash = 'x'", 6, "head" },
        { "DELETE FROM head", 0, "head" },
    };

    for (size_t i = 0; i < COUNT(cases); i++) {
        char line[80];

        if (i > 0) {
            assert_int_equal(tear_down(state), 0);
            assert_int_equal(set_up(state), 0);
        }
        fill("r1");
        tamper(cases[i].change);
        if (faults(NULL) == 0)
            fail_msg("not found: %s", cases[i].change);
        if (cases[i].seq != 0)
            snprintf(line, sizeof(line), "{\"seq\":%d,\"fault\":\"%s\"", cases[i].seq, cases[i].fault);
        else
            snprintf(line, sizeof(line), "{\"seq\":null,\"fault\":\"%s\"", cases[i].fault);
        if (strstr(said, line) == NULL)
            fail_msg("%s: %s is not said in %s", cases[i].change, line, said);
    }
}

static void a_guard_that_is_gone(void **state)
{
    (void)state;
    fill("r1");
    assert_int_equal(directly("DROP TRIGGER rows_keep"), SQLITE_OK);
    assert_int_equal(faults(NULL), 1);
    assert_non_null(strstr(said, "guard"));
}

static void write_file(const char *end, const char *from, size_t len)
{
    char name[PATH_MAX];
    FILE *f;

    snprintf(name, sizeof name, "%s%s", path, end);
    assert_non_null(f = fopen(name, "wb"));
    assert_int_equal(fwrite(from, 1, len, f), len);
    assert_int_equal(fclose(f), 0);
}

/* The last records were cut off and the head was set back, or the file was rewritten completely: only the note beside
 * the file shows that, or a copy of the head that is kept elsewhere. */
static void a_head_kept_elsewhere(void **state)
{
    struct og_ledger_head h, earlier;

    (void)state;
    fill("r1");
    h = head();
    tamper("DELETE FROM ids WHERE id = 'z'; DELETE FROM rows WHERE seq > 4;"
           " UPDATE head SET seq = 4, hash = (SELECT hash FROM rows WHERE seq = 4)");
    assert_int_equal(faults(NULL), 1);
    assert_non_null(strstr(said, "\"fault\":\"older\""));
    write_file("-runs", "\n", 1);
    assert_int_equal(faults(NULL), 0);
    earlier = head();
    assert_int_equal(faults(earlier.hash.s), 0);
    assert_int_equal(faults(h.hash.s), 1);
    assert_non_null(strstr(said, "\"fault\":\"expected-head\""));
    assert_int_equal(tear_down(state), 0);
    assert_int_equal(set_up(state), 0);
    fill("another");
    assert_int_equal(faults(NULL), 0);
    assert_int_equal(faults(h.hash.s), 1);
}

/* A run that finds a tail which does not match the head appends nothing. */
static void nothing_behind_a_wrong_tail(void **state)
{
    struct og_error err = { 0 };
    struct og_ledger *l = NULL;

    (void)state;
    fill("r1");
    tamper("DELETE FROM rows WHERE seq = 6");
    assert_int_equal(og_ledger_open(path, OG_STR("r2"), &l, &err), OG_ELEDGER);
    assert_null(l);
    assert_non_null(strstr(err.text, "verify"));
}

/* --- schema 1 ----------------------------------------------------------------------------------------------------- */

/* Copied from the version of ordergate that made such files; must never be changed. */
static const char schema_1[] =
    "PRAGMA journal_mode = WAL; BEGIN IMMEDIATE;"
    "CREATE TABLE rows(seq INTEGER PRIMARY KEY, at TEXT NOT NULL, run TEXT NOT NULL, account TEXT NOT NULL, id TEXT,"
    " record TEXT NOT NULL, state TEXT NOT NULL, outcome TEXT, broker_id TEXT, executed TEXT NOT NULL,"
    " price_avg TEXT NOT NULL, code TEXT, text TEXT, detail TEXT) STRICT;"
    "CREATE INDEX rows_of_order ON rows(account, id, seq);"
    "CREATE TABLE ids(account TEXT NOT NULL, id TEXT NOT NULL, digest TEXT NOT NULL, seq INTEGER NOT NULL,"
    " PRIMARY KEY(account, id)) STRICT, WITHOUT ROWID;"
    "CREATE TABLE runs(n INTEGER PRIMARY KEY, run TEXT NOT NULL UNIQUE) STRICT;"
    "CREATE TRIGGER rows_stay BEFORE UPDATE ON rows BEGIN SELECT RAISE(ABORT, 'the ledger is append-only'); END;"
    "CREATE TRIGGER rows_keep BEFORE DELETE ON rows BEGIN SELECT RAISE(ABORT, 'the ledger is append-only'); END;"
    "CREATE TRIGGER ids_stay BEFORE UPDATE ON ids BEGIN SELECT RAISE(ABORT, 'an id is used once'); END;"
    "CREATE TRIGGER ids_keep BEFORE DELETE ON ids BEGIN SELECT RAISE(ABORT, 'an id is used once'); END;"
    "PRAGMA application_id = 1869048932; PRAGMA user_version = 1; COMMIT;";
static const char append_1[] =
    "INSERT INTO rows(at, run, account, id, record, state, outcome, broker_id, executed, price_avg, code, text, detail)"
    " VALUES('2026-01-15T14:31:00Z', 'old', 'A', 'x', 'intent', 'intended', NULL, NULL, '0', '0', NULL, NULL, '{}')";
static const char rows_1[] =
    "INSERT INTO runs(run) VALUES('old');"
    "INSERT INTO ids VALUES('A', 'x', 'sha256:44136fa355b3678a1146ad16f7e8649e94fb4fc21fe77e8310c060f61caaff8a', 1);"
    "INSERT INTO rows(at, run, account, id, record, state, outcome, broker_id, executed, price_avg, code, text, detail)"
    " VALUES('2026-01-15T14:31:01Z', 'old', 'A', 'x', 'update', 'rejected', NULL, 'b', '1.5', '0.25', 'R24', 'R24: x', "
    "NULL)";

static void make_schema_1(void)
{
    FILE *f;

    og_ledger_close(opened("makes the folder"));
    assert_int_equal(unlink(path), 0);
    assert_non_null(f = fopen(path, "w"));
    fclose(f);
    assert_int_equal(directly(schema_1), SQLITE_OK);
    assert_int_equal(directly(append_1), SQLITE_OK);
    assert_int_equal(directly(rows_1), SQLITE_OK);
}

static void schema_1_is_renewed(void **state)
{
    struct og_error err = { 0 };
    struct og_ledger_known known;
    struct og_ledger *l;

    (void)state;
    make_schema_1();
    l = opened("r1");
    assert_int_equal(og_ledger_find(l, OG_STR("A"), OG_STR("x"), &known, NULL, NULL, &err), OG_OK);
    assert_int_equal(known.state, OG_REJECTED);
    og_ledger_close(l);
    assert_int_equal(faults(NULL), 0);
    assert_int_equal(head().seq, 2);
    assert_int_equal(faults(head().hash.s), 0);
    assert_int_not_equal(directly("UPDATE rows SET state = 'not-sent'"), SQLITE_OK);
    assert_int_not_equal(directly("DELETE FROM rows"), SQLITE_OK);
    assert_int_not_equal(directly(append_1), SQLITE_OK); /* an old ordergate that is still running cannot append */
    assert_int_equal(faults(NULL), 0);
}

/* Reading does not upgrade a file of schema 1: it is read as it is, and cannot be verified. */
static void schema_1_looked_at(void **state)
{
    struct og_error err = { 0 };
    struct og_ledger *l = NULL;
    long long n;

    (void)state;
    make_schema_1();
    said[0] = '\0';
    assert_int_equal(og_ledger_peek(path, &l, &err), OG_OK);
    assert_int_equal(og_ledger_print(l, OG_LEDGER_EXPORT, NULL, NULL, keep, NULL, &err), OG_OK);
    assert_non_null(strstr(said, "\"state\":\"rejected\",\"outcome\":null,\"brokerOrderId\":\"b\",\"executed\":1.5,"
                                 "\"priceAvg\":0.25"
                                 ",\"code\":\"R24\",\"text\":\"R24: x\",\"detail\":null,\"hash\":null}"));
    assert_int_equal(og_ledger_verify(l, NULL, keep, NULL, &n, &err), OG_ELEDGER);
    assert_non_null(strstr(err.text, "schema 1"));
    og_ledger_close(l);
    l = NULL;
    assert_int_equal(directly("SELECT hash FROM rows"), SQLITE_ERROR);
}

/* Whatever fails during the upgrade, the file is either old or new. */
static void renewing_is_one_step(void **state)
{
    struct og_error err = { 0 };
    struct og_ledger *l = NULL;

    (void)state;
    make_schema_1();
    assert_int_equal(directly("CREATE TABLE head(in_the_way)"), SQLITE_OK);
    assert_int_equal(og_ledger_open(path, OG_STR("r1"), &l, &err), OG_ELEDGER);
    assert_non_null(strstr(err.text, "head"));
    assert_int_equal(directly("SELECT hash FROM rows"), SQLITE_ERROR);
    assert_int_not_equal(directly("UPDATE rows SET state = 'not-sent'"), SQLITE_OK);
    assert_int_equal(directly("DROP TABLE head"), SQLITE_OK);
    og_ledger_close(opened("r1"));
    assert_int_equal(faults(NULL), 0);
}

/* --- transactions ------------------------------------------------------------------------------------------------- */

static void after_a_failed_write(void **state)
{
    struct og_error err = { 0 }, second = { 0 };
    struct og_ledger *l;
    struct og_ledger_row row = {
        .at = 1, .account = OG_STR("A"), .id = OG_STR("w"), .record = "update", .state = OG_FILLED
    };

    (void)state;
    fill("r1");
    l = opened("r2");
    assert_int_equal(directly("CREATE TRIGGER fails BEFORE INSERT ON rows WHEN new.id = 'bad' BEGIN SELECT"
                              " RAISE(ROLLBACK, 'as a full disk does'); END"),
                     SQLITE_OK);
    assert_int_equal(og_ledger_begin(l, &err), OG_OK);
    assert_int_equal(og_ledger_append(l, &row, &err), OG_OK);
    row.id = OG_STR("bad");
    assert_int_equal(og_ledger_append(l, &row, &err), OG_ELEDGER);
    assert_non_null(strstr(err.text, "as a full disk does"));
    row.id = OG_STR("w2");
    assert_int_equal(og_ledger_begin(l, &second), OG_OK); /* this is the transaction that failed */
    assert_int_equal(og_ledger_append(l, &row, &second), OG_ELEDGER);
    assert_int_equal(og_ledger_commit(l, NULL), OG_ELEDGER);
    assert_int_equal(directly("DROP TRIGGER fails"), SQLITE_OK);
    assert_int_equal(og_ledger_begin(l, NULL), OG_OK);
    assert_int_equal(og_ledger_append(l, &row, NULL), OG_OK);
    assert_int_equal(og_ledger_commit(l, NULL), OG_OK);
    og_ledger_close(l);
    assert_int_equal(head().seq, ROWS + 1);
    assert_int_equal(faults(NULL), 0);
}

static void note_id(void *with, const struct og_ledger_row *row)
{
    char *to = with;

    snprintf(to + strlen(to), 64 - strlen(to), "%.*s.%s ", (int)row->id.len, row->id.s, row->record);
}

/* Two senders: each reads what the other appended, in order and once, and both continue one chain. */
static void two_runs(void **state)
{
    struct og_error err = { 0 };
    struct og_ledger *one, *two;
    struct og_ledger_row row = { .account = OG_STR("A"), .record = "update", .state = OG_WORKING };
    int64_t newest = 0;
    char ids[64] = "";

    (void)state;
    one = opened("one");
    two = opened("two");
    for (int i = 0; i < 4; i++) {
        struct og_ledger *l = i % 2 == 0 ? one : two;
        char id[] = { (char)('a' + i), '\0' };

        row.id = og_str_of(id);
        assert_int_equal(og_ledger_begin(l, &err), OG_OK);
        assert_int_equal(og_ledger_append(l, &row, &err), OG_OK);
        assert_int_equal(og_ledger_commit(l, &err), OG_OK);
    }
    assert_int_equal(og_ledger_since(one, 0, &newest, note_id, ids, &err), OG_OK);
    assert_string_equal(ids, "b.update d.update ");
    assert_int_equal(newest, 4);
    ids[0] = '\0';
    assert_int_equal(og_ledger_since(one, newest, &newest, note_id, ids, &err), OG_OK);
    assert_string_equal(ids, "");
    assert_int_equal(newest, 4);
    assert_int_equal(og_ledger_since(two, 2, &newest, note_id, ids, &err), OG_OK);
    assert_string_equal(ids, "c.update ");
    og_ledger_close(one);
    og_ledger_close(two);
    assert_int_equal(faults(NULL), 0);
}

#define NOTE_MOST 300

static size_t read_file(const char *end, char *to, size_t size)
{
    char name[PATH_MAX];
    size_t len;
    FILE *f;

    snprintf(name, sizeof name, "%s%s", path, end);
    assert_non_null(f = fopen(name, "rb"));
    len = fread(to, 1, size, f);
    fclose(f);
    return len;
}

/* Append a record; returns what a run finds at its start. */
static struct og_ledger_damage append_one(const char *run, const char *record)
{
    struct og_ledger_row row = {
        .account = OG_STR("A"), .id = OG_STR("w"), .record = record, .state = OG_WORKING, .text = OG_STR("t")
    };
    struct og_ledger *l = opened(run);
    struct og_ledger_damage damage;
    struct og_error err = { 0 };

    assert_int_equal(og_ledger_damage(l, &damage, &err), OG_OK);
    assert_int_equal(og_ledger_begin(l, &err), OG_OK);
    assert_int_equal(og_ledger_append(l, &row, &err), OG_OK);
    assert_int_equal(og_ledger_commit(l, &err), OG_OK);
    og_ledger_close(l);
    return damage;
}

/* An older copy of a ledger lacks the record that the note names, whatever is appended to it: it is rejected until a
 * person accepts that. */
static void an_older_copy(void **state)
{
    static char copy[1 << 20];
    struct og_ledger_damage damage;
    size_t len;

    (void)state;
    fill("r1");
    len = read_file("", copy, sizeof copy);
    assert_in_range(len, 1, sizeof copy - 1);
    fill_more("r2");
    assert_int_equal(faults(NULL), 0);
    write_file("", copy, len);
    assert_int_equal(faults(NULL), 1);
    assert_non_null(strstr(said,
                           "{\"seq\":7,\"fault\":\"older\",\"message\":\"records 7 to 8, noted in the file -runs, are "
                           "missing"));
    damage = append_one("r3", "update");
    assert_int_equal(damage.faults, 1);
    assert_non_null(strstr(damage.first, "records 7 to 8"));
    assert_int_equal(append_one("r4", "update").faults, 1);
    assert_int_equal(faults(NULL), 1); /* it has as many records, but different ones */
    assert_non_null(strstr(said, "{\"seq\":8,\"fault\":\"older\",\"message\":\"record 8 differs from the one noted"));
    assert_int_equal(append_one("r5", OG_LEDGER_ACCEPTANCE).faults, 1);
    assert_int_equal(faults(NULL), 0);
    write_file("", copy, len);
    assert_int_equal(faults(NULL), 1); /* the note is written again from there */
}

/* A good ledger is not refused because of the note beside it: a process is killed between commit and note or while it
 * writes the note; notes of two processes come in the other order; a crash of the machine or an older program leaves no
 * note or another one. */
static void no_note_makes_a_good_ledger_refused(void **state)
{
    char old[NOTE_MOST], new[NOTE_MOST], mixed[NOTE_MOST];
    size_t len;

    (void)state;
    fill("r1");
    len = read_file("-runs", old, sizeof old);
    assert_int_equal(len, 192);
    fill_more("r2");
    assert_int_equal(read_file("-runs", new, sizeof new), len);
    assert_memory_not_equal(old, new, len);
    for (size_t at = 0; at <= len; at += 6) {
        memcpy(mixed, new, at);
        memcpy(mixed + at, old + at, len - at);
        write_file("-runs", mixed, len);
        assert_int_equal(faults(NULL), 0);
        memcpy(mixed, old, at);
        memcpy(mixed + at, new + at, len - at);
        write_file("-runs", mixed, len);
        assert_int_equal(faults(NULL), 0);
        write_file("-runs", new, at);
        assert_int_equal(faults(NULL), 0);
        memset(mixed, 0, at);
        memcpy(mixed + at, new + at, len - at);
        write_file("-runs", mixed, len);
        assert_int_equal(faults(NULL), 0);
    }
    write_file("-runs", "\n", 1);
    assert_int_equal(append_one("r3", "update").faults, 0);
    assert_int_equal(read_file("-runs", new, sizeof new), len); /* a new note is written */
}

static void network_filesystems(void **state)
{
    static const struct {
        long magic;
        const char *name;
    } cases[] = {
        { 0x6969, "NFS" },    { (long)0xFF534D42, "CIFS" }, { (int)0xFF534D42, "CIFS" }, { (long)0xFE534D42, "SMB2" },
        { 0x517B, "SMB" },    { 0x65735546, "FUSE" },       { 0x01021997, "9p" },        { 0xEF53, NULL },
        { 0x58465342, NULL }, { (long)0x9123683E, NULL },   { 0x01021994, NULL },        { 0x794C7630, NULL },
    };

    (void)state;
    for (size_t i = 0; i < COUNT(cases); i++) {
        const char *name = og_ledger_network(cases[i].magic);

        if (cases[i].name == NULL)
            assert_null(name);
        else
            assert_string_equal(name, cases[i].name);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(untouched),
        TEST(whatever_is_touched),
        TEST(a_guard_that_is_gone),
        TEST(a_head_kept_elsewhere),
        TEST(nothing_behind_a_wrong_tail),
        TEST(schema_1_is_renewed),
        TEST(schema_1_looked_at),
        TEST(renewing_is_one_step),
        TEST(after_a_failed_write),
        TEST(two_runs),
        TEST(an_older_copy),
        TEST(no_note_makes_a_good_ledger_refused),
        cmocka_unit_test(network_filesystems),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
