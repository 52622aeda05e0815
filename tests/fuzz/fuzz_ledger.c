/*
 * Fuzz: the bytes of a ledger's file.  The input edits a good file, four bytes for each edit: three for the place
 * (from the end if the highest bit is set) and one for the value; two edits of the same place in a row cut the file
 * there.  Then it is opened read-only, verified and read.  Nothing may crash, and every line is one JSON object; if
 * no damage is found, the records are those of the good file, or the first of them.
 */
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/error.h"
#include "fuzz.h"
#include "ledger/ledger.h"
#include "text/doc.h"

#define ORDERS 12

static char folder[64], path[96];
static uint8_t *good, *now;
static size_t good_len;
static char *good_export;

struct told {
    char *s;
    size_t len, cap;
};

static int take(void *with, const char *json, size_t len)
{
    struct told *t = with;
    cJSON *doc = NULL;

    struct og_error err = { 0 };

    if (memchr(json, '\n', len) != NULL || (og_doc_read(json, len, "line", &doc, &err) != OG_OK &&
                                            strcmp(err.text, "NUL in a string") != 0)) { /* our reader rejects NUL in a
                                                                                          * string, which JSON allows */
        fprintf(stderr, "%s: %.*s\n", err.text, (int)len, json);
        abort();
    }
    cJSON_Delete(doc);
    if (t->len + len + 2 > t->cap) {
        t->cap = (t->len + len + 2) * 2;
        DEMAND(t->s = realloc(t->s, t->cap));
    }
    memcpy(t->s + t->len, json, len);
    t->len += len;
    t->s[t->len++] = '\n';
    t->s[t->len] = '\0';
    return 0;
}

static int swallow(void *with, const char *json, size_t len)
{
    (void)with;
    (void)json;
    (void)len;
    return 0;
}

static void gone(const char *suffix)
{
    char file[128];

    snprintf(file, sizeof(file), "%s%s", path, suffix);
    unlink(file);
}

static void clean(void)
{
    gone("");
    gone("-wal");
    gone("-shm");
    gone("-runs");
    rmdir(folder);
}

static void put(const uint8_t *s, size_t len)
{
    FILE *f = fopen(path, "wb");

    DEMAND(f && fwrite(s, 1, len, f) == len && fclose(f) == 0);
    gone("-wal");
    gone("-shm");
}

static struct told export_of(struct og_ledger *l, enum og_status *status)
{
    struct told t = { NULL, 0, 0 };
    struct og_error err = { 0 };

    *status = og_ledger_print(l, OG_LEDGER_EXPORT, NULL, NULL, take, &t, &err);
    DEMAND((*status == OG_OK) == (err.text[0] == '\0'));
    return t;
}

static void make(void)
{
    struct og_ledger *l;
    enum og_status status;
    struct stat st;
    FILE *f;

    snprintf(folder, sizeof(folder), "/%s/og-fuzz-XXXXXX", access("/dev/shm", W_OK) == 0 ? "dev/shm" : "tmp");
    DEMAND(mkdtemp(folder));
    snprintf(path, sizeof(path), "%s/ledger.db", folder);
    atexit(clean);
    DEMAND(og_ledger_open(path, OG_STR("run"), &l, NULL) == OG_OK);
    for (int i = 0; i < ORDERS; i++) {
        char id[] = { 'o', (char)('a' + i), '\0' };
        struct og_ledger_row row = { .at = i,
                                     .account = OG_STR("A"),
                                     .id = og_str_of(id),
                                     .record = "intent",
                                     .state = OG_INTENDED,
                                     .detail = OG_STR("{\"symbol\":\"AAPL\"}") };
        struct og_digest_text digest;

        DEMAND(og_digest(row.detail.s, row.detail.len, &digest) && og_ledger_begin(l, NULL) == OG_OK &&
               og_ledger_intend(l, &row, digest.s, false, NULL) == OG_OK);
        row.record = "update";
        row.state = i % 3 == 0 ? OG_OUTCOME_UNKNOWN : OG_REJECTED;
        row.text = OG_STR("R24: no");
        DEMAND(og_ledger_append(l, &row, NULL) == OG_OK && og_ledger_commit(l, NULL) == OG_OK);
    }
    og_ledger_close(l);
    DEMAND(stat(path, &st) == 0 && (f = fopen(path, "rb")));
    good_len = (size_t)st.st_size;
    DEMAND((good = malloc(good_len)) && (now = malloc(good_len)) && fread(good, 1, good_len, f) == good_len);
    fclose(f);
    DEMAND(og_ledger_peek(path, &l, NULL) == OG_OK);
    good_export = export_of(l, &status).s;
    DEMAND(status == OG_OK);
    og_ledger_close(l);
}

static size_t edit(const uint8_t *data, size_t size)
{
    size_t len = good_len, last = SIZE_MAX;

    memcpy(now, good, good_len);
    for (; size >= 4; data += 4, size -= 4) {
        size_t at = ((size_t)data[0] << 16 | (size_t)data[1] << 8 | data[2]) & 0x7fffff;

        at %= good_len;
        if ((data[0] & 0x80) != 0)
            at = good_len - 1 - at;
        now[at] = data[3];
        if (at == last)
            len = at;
        last = at;
    }
    return len;
}

static void look(struct og_ledger *l)
{
    struct told lines = { NULL, 0, 0 }, rows;
    struct og_error err = { 0 };
    long long faults;
    enum og_status status = og_ledger_verify(l, NULL, take, &lines, &faults, &err), exported;

    DEMAND((status == OG_OK) == (err.text[0] == '\0'));
    rows = export_of(l, &exported);
    if (status == OG_OK && faults == 0)
        DEMAND(exported == OG_OK && strcmp(rows.s != NULL ? rows.s : "", good_export) == 0);
    memset(&err, 0, sizeof(err));
    (void)!og_ledger_print(l, OG_LEDGER_LIST, NULL, NULL, take, &lines, NULL);
    (void)!og_ledger_print(l, OG_LEDGER_OPEN, "A", NULL, take, &lines, NULL);
    (void)!og_ledger_print(l, OG_LEDGER_SHOW, NULL, "oc", take, &lines, NULL);
    (void)!og_ledger_stats(l, take, &lines, NULL);
    (void)!og_ledger_facts(l, "A", swallow, NULL, NULL); /* the facts have the present time, so they are only read, not
                                                          * compared */
    free(lines.s);
    free(rows.s);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct og_error err = { 0 };
    struct og_ledger *l;
    enum og_status status;

    if (good == NULL)
        make();
    put(now, edit(data, size));
    status = og_ledger_peek(path, &l, &err);
    DEMAND((status == OG_OK) == (l != NULL) && (status == OG_OK) == (err.text[0] == '\0'));
    if (l != NULL)
        look(l);
    og_ledger_close(l);
    return 0;
}
