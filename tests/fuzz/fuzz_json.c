/*
 * Fuzz: bytes as JSON.  Reader and document agree, and accepted input is written and read back as the same bytes.
 */
#include "fuzz.h"
#include "text/doc.h"
#include "text/json.h"

static bool within(struct og_str s, const char *from, size_t len)
{
    return s.s >= from && s.s + s.len <= from + len;
}

/* Pull all tokens; returns true if it is JSON. */
static bool pull(const char *bytes, size_t len, char *spill)
{
    struct og_json r;
    enum og_json_kind kind;
    size_t tokens = 0;

    og_json_init(&r, bytes, len, spill, len);
    while ((kind = og_json_next(&r)) != OG_JSON_END && kind != OG_JSON_FAULT) {
        DEMAND(++tokens <= len + 1);
        DEMAND(r.token_at < len);
        DEMAND(!r.text.s || within(r.text, bytes, len) || within(r.text, spill, len));
        if (kind == OG_JSON_NUMBER) {
            struct og_money m, again;
            const char *type = og_json_type_name(kind, r.text);

            if (og_money_read(r.text.s, r.text.len, &m)) {
                struct og_money_text text = og_money_text(m);

                DEMAND(og_money_read(text.s, strlen(text.s), &again));
                DEMAND(again.coef == m.coef && again.scale == m.scale);
                DEMAND((strcmp(type, "integer") == 0) == (m.scale == 0));
            }
        }
    }
    if (kind == OG_JSON_FAULT)
        DEMAND(r.fault && r.fault_at <= len);
    DEMAND(og_json_next(&r) == kind);
    return kind == OG_JSON_END;
}

static void write_and_read_back(cJSON *doc)
{
    struct og_buf first, second;
    cJSON *again;

    og_buf_init(&first, 0);
    og_buf_init(&second, 0);
    DEMAND(og_doc_text(doc, &first));
    DEMAND(og_doc_read(first.s, first.len, "again", &again, NULL) == OG_OK);
    DEMAND(og_doc_text(again, &second));
    DEMAND(first.len == second.len && memcmp(first.s, second.s, first.len) == 0);
    cJSON_Delete(again);
    og_buf_clear(&first);
    og_buf_clear(&second);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t len)
{
    char *spill = malloc(len + 1);
    struct og_error err = { 0 };
    struct og_buf quoted;
    cJSON *doc;
    bool json;

    DEMAND(spill);
    json = pull((const char *)bytes, len, spill);
    if (og_doc_read((const char *)bytes, len, "fuzz", &doc, &err) == OG_OK) {
        DEMAND(json);
        write_and_read_back(doc);
        cJSON_Delete(doc);
    } else {
        DEMAND(err.status == OG_ESYNTAX && err.line >= 1 && err.col >= 1 && err.text[0]);
        DEMAND(!json || strncmp(err.text, "duplicate key", 13) == 0);
    }
    /* any bytes can be written as a JSON string, except NUL, which the reader rejects */
    og_buf_init(&quoted, 0);
    og_buf_json_str(&quoted, (struct og_str){ (const char *)bytes, len });
    spill = realloc(spill, quoted.len);
    DEMAND(spill && !quoted.bad);
    DEMAND(pull(quoted.s, quoted.len, spill) == (len == 0 || !memchr(bytes, 0, len)));
    og_buf_clear(&quoted);
    free(spill);
    return 0;
}
