/*
 * Fuzz: bytes as the body of an answer, read as each kind of document.  Texts lie inside the document; messages are
 * a single line of bounded length.
 */
#include <string.h>

#include "fuzz.h"
#include "text/doc.h"
#include "wire/read.h"

static void error_text(const char *type, const uint8_t *bytes, size_t len)
{
    struct og_buf b;

    og_buf_init(&b, 0);
    og_wire_error_text(type, (const char *)bytes, len, &b);
    DEMAND(b.len <= 1100); /* message and detail have at most 500 bytes each, and some bytes join them */
    for (size_t i = 0; i < b.len; i++)
        DEMAND((unsigned char)b.s[i] >= 0x20 && b.s[i] != 0x7f);
    og_buf_clear(&b);
}

static void rows(const cJSON *doc)
{
    static const char *const keys[] = { "orders", "accounts", "routes" };
    struct og_order_row row;
    const cJSON *item;

    for (size_t i = 0; i < sizeof(keys) / sizeof(keys[0]); i++) {
        cJSON_ArrayForEach (item, og_wire_list(doc, keys[i])) {
            if (og_order_row_read(item, &row))
                DEMAND(row.legs <= OG_ROW_LEGS && row.leg_count >= 0);
        }
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t len)
{
    struct og_order_row row;
    cJSON *doc = NULL;
    bool easy = false;

    error_text("text/plain", bytes, len);
    error_text("application/json; charset=utf-8", bytes, len);
    error_text(NULL, bytes, len);
    if (og_doc_read((const char *)bytes, len, "fuzz", &doc, NULL) != OG_OK) {
        DEMAND(doc == NULL);
        return 0;
    }
    if (og_wire_order(doc, &row)) {
        struct og_str code = og_reject_code(row.text);

        DEMAND(row.status_text.len > 0);
        DEMAND(code.len == 0 || (code.len >= 2 && code.s[0] == 'R'));
        DEMAND(row.status == og_order_status_of(row.status_text));
    }
    (void)og_wire_borrow(doc, &easy);
    rows(doc);
    cJSON_Delete(doc);
    return 0;
}
