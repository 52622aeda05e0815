/*
 * Readers of the service's documents and error bodies.
 */
#include "wire/read.h"

#include "text/doc.h"

#define ERROR_TEXT_MOST 500

const cJSON *og_wire_list(const cJSON *doc, const char *key)
{
    const cJSON *list = cJSON_IsObject(doc) ? og_doc_get(doc, key) : doc;

    return cJSON_IsArray(list) ? list : NULL;
}

bool og_wire_order(const cJSON *doc, struct og_order_row *row)
{
    const cJSON *member;

    if (og_order_row_read(doc, row) && row->status_text.len > 0)
        return true;
    cJSON_ArrayForEach (member, doc) {
        if (cJSON_IsObject(member) && og_order_row_read(member, row) && row->status_text.len > 0)
            return true;
    }
    memset(row, 0, sizeof *row);
    return false;
}

bool og_wire_borrow(const cJSON *doc, bool *easy)
{
    return og_doc_bool(doc, "isEasyToBorrow", easy);
}

static void put_line(struct og_buf *to, struct og_str s)
{
    size_t start = to->len;

    for (size_t i = 0; i < s.len && to->len - start < ERROR_TEXT_MOST; i++) {
        unsigned char c = (unsigned char)s.s[i];

        if (c == '\n') {
            if (i + 1 < s.len)
                og_buf_text(to, "; ");
        } else if (c != '\r') {
            og_buf_char(to, c < 0x20 || c == 0x7f ? ' ' : (char)c);
        }
    }
    while (to->len > start && to->s[to->len - 1] == ' ')
        to->s[--to->len] = '\0';
}

bool og_wire_is_json(const char *content_type)
{
    return content_type && strcasestr(content_type, "json");
}

/* Append the errors of problem details: for each field, what is wrong with it. */
static void put_errors(struct og_buf *to, const cJSON *errors)
{
    const cJSON *field, *text;

    cJSON_ArrayForEach (field, errors) {
        cJSON_ArrayForEach (text, field) {
            if (!cJSON_IsString(text))
                continue;
            og_buf_text(to, "; ");
            put_line(to, og_str_of(field->string));
            og_buf_text(to, ": ");
            put_line(to, og_str_of(text->valuestring));
        }
    }
}

void og_wire_error_text(const char *content_type, const char *bytes, size_t len, struct og_buf *to)
{
    struct og_str message = { NULL, 0 }, detail = { NULL, 0 };
    cJSON *doc = NULL;

    if (!og_wire_is_json(content_type)) {
        put_line(to, (struct og_str){ bytes, len });
        return;
    }
    if (og_doc_read(bytes, len, "error body", &doc, NULL) == OG_OK) {
        if (!og_doc_str(doc, "message", &message))
            (void)og_doc_str(doc, "title", &message);
        (void)og_doc_str(doc, "detail", &detail);
    }
    if (message.len > 0)
        put_line(to, message);
    if (message.len > 0 && detail.len > 0)
        og_buf_text(to, ": ");
    if (detail.len > 0)
        put_line(to, detail);
    if (message.len > 0)
        put_errors(to, og_doc_get(doc, "errors"));
    if (message.len == 0 && detail.len == 0)
        put_line(to, (struct og_str){ bytes, len });
    cJSON_Delete(doc);
}
