/*
 * A ledger is cut at any byte, changed at any byte, or on a full disk: either it opens and has its records, or an
 * error says what to do. Committed records are there afterwards, and nothing crashes.
 */
#include <signal.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>

#include "ledger_home.h"

#define CUTS    150
#define CHANGES 150

static uint64_t seed = 20260115;

static size_t below(size_t n)
{
    seed ^= seed << 13;
    seed ^= seed >> 7;
    seed ^= seed << 17;
    return (size_t)(seed % n);
}

struct bytes {
    unsigned char *s;
    size_t len;
};

static struct bytes slurp(const char *suffix)
{
    struct bytes b = { NULL, 0 };
    char file[128];
    struct stat st;
    FILE *f;

    snprintf(file, sizeof(file), "%s%s", path, suffix);
    assert_int_equal(stat(file, &st), 0);
    b.len = (size_t)st.st_size;
    assert_non_null(b.s = malloc(b.len + 1));
    assert_non_null(f = fopen(file, "rb"));
    assert_int_equal(fread(b.s, 1, b.len, f), b.len);
    fclose(f);
    return b;
}

static void put(const char *suffix, const unsigned char *s, size_t len)
{
    char file[128];
    FILE *f;

    snprintf(file, sizeof(file), "%s%s", path, suffix);
    assert_non_null(f = fopen(file, "wb"));
    assert_int_equal(fwrite(s, 1, len, f), len);
    assert_int_equal(fclose(f), 0);
    assert_int_equal(chmod(file, 0600), 0);
}

static void gone(const char *suffix)
{
    char file[128];

    snprintf(file, sizeof(file), "%s%s", path, suffix);
    unlink(file);
}

static enum og_status intend(struct og_ledger *l, const char *id, struct og_error *err)
{
    struct og_ledger_row row = { .at = 1,
                                 .account = OG_STR("A"),
                                 .id = og_str_of(id),
                                 .record = "intent",
                                 .state = OG_INTENDED,
                                 .detail = OG_STR("{\"symbol\":\"AAPL\",\"orderQuantity\":10}") };
    struct og_digest_text digest;
    enum og_status status = og_ledger_begin(l, err);

    assert_true(og_digest(row.detail.s, row.detail.len, &digest));
    if (status == OG_OK && (status = og_ledger_intend(l, &row, digest.s, false, err)) == OG_OK)
        status = og_ledger_commit(l, err);
    og_ledger_rollback(l);
    return status;
}

static void fill(struct og_ledger *l, int from, int to)
{
    struct og_error err = { 0 };
    char id[16];

    for (int i = from; i < to; i++) {
        snprintf(id, sizeof(id), "o%04d", i);
        if (intend(l, id, &err) != OG_OK)
            fail_msg("%s", err.text);
    }
}

static void says_why(enum og_status status, const struct og_error *err)
{
    if (status == OG_OK)
        return;
    assert_true(status == OG_ELEDGER || status == OG_ENOENT || status == OG_EBUSY);
    assert_int_not_equal(err->text[0], '\0');
}

static int swallow(void *with, const char *json, size_t len)
{
    assert_true(len > 2 && json[0] == '{' && json[len - 1] == '}' && memchr(json, '\n', len) == NULL);
    ++*(int *)with;
    return 0;
}

/* Read the file with every function that reads it.  Returns the number of faults found; -1 if it could not be read. */
static long long look(void)
{
    struct og_ledger *l = NULL;
    struct og_error err = { 0 };
    long long faults = -1;
    int lines = 0;
    enum og_status status = og_ledger_peek(path, &l, &err);

    says_why(status, &err);
    if (status != OG_OK)
        return -1;
    for (int view = OG_LEDGER_LIST; view <= OG_LEDGER_EXPORT; view++) {
        struct og_error e = { 0 };

        says_why(og_ledger_print(l, (enum og_ledger_view)view, NULL, "o0003", swallow, &lines, &e), &e);
    }
    memset(&err, 0, sizeof(err));
    says_why(og_ledger_stats(l, swallow, &lines, &err), &err);
    memset(&err, 0, sizeof(err));
    status = og_ledger_facts(l, "A", swallow, &lines, &err);
    says_why(status, &err);
    memset(&err, 0, sizeof(err));
    status = og_ledger_verify(l, NULL, swallow, &lines, &faults, &err);
    says_why(status, &err);
    og_ledger_close(l);
    return status == OG_OK ? faults : -1;
}

/* Open and use the ledger as a sender would. Returns true if no call failed. */
static bool try_to_go_on(int n)
{
    struct og_ledger *l = NULL;
    struct og_error err = { 0 };
    char run[32], id[32];
    bool recorded = false;
    enum og_status status;

    snprintf(run, sizeof(run), "again%d", n);
    snprintf(id, sizeof(id), "new%d", n);
    if ((status = og_ledger_open(path, og_str_of(run), &l, &err)) == OG_OK)
        recorded = (status = intend(l, id, &err)) == OG_OK;
    says_why(status, &err);
    og_ledger_close(l);
    return recorded;
}

/* Use the ledger, and check that what the calls recorded is there afterwards. */
static bool go_on(int n)
{
    struct og_ledger *l = NULL;
    struct og_error err = { 0 };
    struct og_ledger_known known;
    char id[32];

    snprintf(id, sizeof(id), "new%d", n);
    if (!try_to_go_on(n))
        return false;
    if (og_ledger_peek(path, &l, &err) != OG_OK ||
        og_ledger_find(l, OG_STR("A"), og_str_of(id), &known, NULL, NULL, &err) != OG_OK || !known.found)
        fail_msg("recorded and not found (%d): %s", n, err.text);
    og_ledger_close(l);
    return true;
}

static void cut_anywhere(void **state)
{
    struct og_ledger *l = opened("r1");
    struct bytes whole;
    int good = 0;

    (void)state;
    fill(l, 0, 60);
    og_ledger_close(l);
    whole = slurp("");
    assert_true(whole.len > 20000);
    for (int i = 0; i < CUTS; i++) {
        size_t at = i == 0 ? 0 : i == 1 ? whole.len - 1 : i < 12 ? (size_t)(i - 1) * 4096 : below(whole.len);
        long long faults;

        put("", whole.s, at);
        gone("-wal");
        gone("-shm");
        faults = look();
        if (at > 0 && faults == 0)
            fail_msg("cut at %zu of %zu, and nothing was found", at, whole.len);
        good += go_on(i);
    }
    assert_int_equal(good, 0); /* an empty file is not accepted either: there was a ledger */
    put("", whole.s, whole.len);
    assert_int_equal(look(), 0);
    assert_true(go_on(CUTS));
    free(whole.s);
}

/* The machine crashed, so the WAL ends at any byte. The records that are left are a complete first part; the note
 * beside the file shows whether records are missing. */
static void cut_the_wal(void **state)
{
    struct bytes whole, wal, note;
    struct og_ledger_head head;
    struct og_error err = { 0 };
    pid_t child;
    int status, whole_ones = 0;

    (void)state;
    og_ledger_close(opened("r0"));
    if ((child = fork()) == 0) {
        struct og_ledger *l = opened("r1");

        fill(l, 0, 30);
        _exit(0); /* exits without closing the ledger, so that the WAL stays */
    }
    assert_int_equal(waitpid(child, &status, 0), child);
    assert_int_equal(status, 0);
    whole = slurp("");
    wal = slurp("-wal");
    note = slurp("-runs");
    assert_true(wal.len > 20000);
    for (int i = 0; i < CUTS; i++) {
        size_t at = i == 0 ? 0 : i == 1 ? wal.len : below(wal.len);
        struct og_ledger *l = NULL;

        put("", whole.s, whole.len);
        put("-wal", wal.s, at);
        put("-runs", (const unsigned char *)"\n", 1);
        gone("-shm");
        if (look() != 0)
            fail_msg("wal cut at %zu of %zu", at, wal.len);
        assert_int_equal(og_ledger_peek(path, &l, &err), OG_OK);
        assert_int_equal(og_ledger_head(l, &head, &err), OG_OK);
        whole_ones += head.seq == 30;
        assert_true(head.seq <= 30);
        og_ledger_close(l);
        put("-runs", note.s, note.len);
        assert_int_equal(look(), head.seq < 30);
        put("-runs", (const unsigned char *)"\n", 1);
        assert_true(go_on(i));
        assert_int_equal(look(), 0);
    }
    assert_in_range(whole_ones, 1, CUTS - 1);
    free(whole.s);
    free(wal.s);
    free(note.s);
}

static void changed_anywhere(void **state)
{
    struct og_ledger *l = opened("r1");
    struct bytes whole;

    (void)state;
    fill(l, 0, 60);
    og_ledger_close(l);
    whole = slurp("");
    for (int i = 0; i < CHANGES; i++) {
        size_t at = below(i % 3 == 0 ? 4096 : whole.len);
        unsigned char was = whole.s[at];

        whole.s[at] ^= (unsigned char)(1 + below(255));
        put("", whole.s, whole.len);
        gone("-wal");
        gone("-shm");
        (void)look();
        (void)try_to_go_on(i); /* parts of the file that were not read may be damaged: verify finds that */
        whole.s[at] = was;
    }
    free(whole.s);
}

/* In another process: append until it fails, and send the number of records written to the parent. */
static void until_full(int to)
{
    struct rlimit limit = { 600000, 600000 };
    struct og_ledger *l = opened("small");
    struct og_error err = { 0 };
    unsigned char count = 0;
    char id[16];

    signal(SIGXFSZ, SIG_IGN);
    if (setrlimit(RLIMIT_FSIZE, &limit) != 0)
        _exit(2);
    for (count = 0; count < 250; count++) {
        snprintf(id, sizeof(id), "o%04d", count);
        if (intend(l, id, &err) != OG_OK)
            break;
    }
    if (count == 250 || strstr(err.text, "make room") == NULL || intend(l, "another", NULL) == OG_OK)
        _exit(3);
    if (write(to, &count, 1) != 1)
        _exit(4);
    _exit(0);
}

static void a_full_disk(void **state)
{
    struct og_error err = { 0 };
    struct og_ledger *l = NULL;
    struct og_ledger_head head;
    unsigned char count = 0;
    int status, ends[2];
    pid_t child;

    (void)state;
    assert_int_equal(pipe(ends), 0);
    if ((child = fork()) == 0)
        until_full(ends[1]);
    assert_int_equal(waitpid(child, &status, 0), child);
    assert_int_equal(status, 0);
    assert_int_equal(read(ends[0], &count, 1), 1);
    close(ends[0]);
    close(ends[1]);
    assert_in_range(count, 5, 249);
    assert_int_equal(og_ledger_peek(path, &l, &err), OG_OK);
    assert_int_equal(og_ledger_head(l, &head, &err), OG_OK);
    assert_int_equal(head.seq, count); /* exactly the records that were reported as written */
    og_ledger_close(l);
    assert_int_equal(look(), 0);
    assert_true(go_on(1));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(cut_anywhere),
        TEST(cut_the_wal),
        TEST(changed_anywhere),
        TEST(a_full_disk),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
