/*
 * JSON documents as cJSON trees: read with the strict reader, numbers raw (cJSON_Raw), written by cJSON.
 * The only folder that includes cJSON is this one; others see these functions.  It refuses duplicate keys.
 */
#ifndef OG_TEXT_DOC_H
#define OG_TEXT_DOC_H

#include "base/buf.h"
#include "base/str.h"
#include "ordergate/money.h"
#include "ordergate/status.h"

#include <cjson/cJSON.h>

#define OG_DOC_VALUES 1000000

/* Bytes to a tree of OG_DOC_VALUES values at most, which is some 200 MB.  Numbers become cJSON_Raw with their text.
 * Free with cJSON_Delete().
 *   OG_ESYNTAX  err->line, err->col and what is wrong (duplicate keys included); *doc NULL
 *   OG_ENOMEM   *doc NULL */
enum og_status og_doc_read(const char *bytes, size_t len, const char *name, cJSON **doc, struct og_error *err);

/* Member access; each answers whether the member is there with that type. Keys are case-exact.
 * og_doc_money, _int and _bool answer false also when the value does not fit. */
const cJSON *og_doc_get(const cJSON *object, const char *key); /* NULL when absent */
bool og_doc_str(const cJSON *object, const char *key, struct og_str *out);
bool og_doc_money(const cJSON *object, const char *key, struct og_money *out);
bool og_doc_int(const cJSON *object, const char *key, int64_t *out);
bool og_doc_bool(const cJSON *object, const char *key, bool *out);
/* A string, or a number as it is written. */
bool og_doc_id(const cJSON *object, const char *key, struct og_str *out);
bool og_item_money(const cJSON *item, struct og_money *out);
bool og_item_int(const cJSON *item, int64_t *out);
bool og_item_is_number(const cJSON *item);

/* Builders; NULL-tolerant, so that a writer checks once: og_doc_text() answers false if anything failed. */
cJSON *og_doc_object(void);
cJSON *og_doc_array(void);
void og_doc_put(cJSON *object, const char *key, cJSON *item); /* takes item */
void og_doc_put_str(cJSON *object, const char *key, struct og_str s);
void og_doc_put_text(cJSON *object, const char *key, const char *s); /* NULL writes null */
void og_doc_put_money(cJSON *object, const char *key, struct og_money m);
void og_doc_put_int(cJSON *object, const char *key, int64_t n);
void og_doc_put_bool(cJSON *object, const char *key, bool b);
void og_doc_put_null(cJSON *object, const char *key);
void og_doc_push(cJSON *array, cJSON *item); /* takes item */
/* Compact text of the tree, appended to b. */
bool og_doc_text(const cJSON *doc, struct og_buf *b);

#endif
