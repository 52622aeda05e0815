/*
 * JSON documents as cJSON trees: read with the strict reader, numbers kept as text (cJSON_Raw), written by cJSON.
 * Rejects duplicate keys.  Other folders use these functions instead of cJSON's.
 */
#pragma once

#include <cjson/cJSON.h>

#include "base/buf.h"
#include "base/str.h"
#include "ordergate/money.h"
#include "ordergate/status.h"

#define OG_DOC_VALUES 1000000

/* Parse bytes into a tree of at most OG_DOC_VALUES values, which takes some 200 MB.  Numbers become cJSON_Raw with
 * their text.  Free with cJSON_Delete().
 *   OG_ESYNTAX  err->line, err->col and what is wrong (also for duplicate keys); *doc is NULL
 *   OG_ENOMEM   *doc is NULL */
enum og_status og_doc_read(const char *bytes, size_t len, const char *name, cJSON **doc, struct og_error *err);

/* Member access.  Each returns true if the member exists and has the type of the function's name.  Keys are
 * case-sensitive.  og_doc_money, _int and _bool also return false if the value does not fit. */
const cJSON *og_doc_get(const cJSON *object, const char *key); /* returns NULL if absent */
bool og_doc_str(const cJSON *object, const char *key, struct og_str *out);
bool og_doc_money(const cJSON *object, const char *key, struct og_money *out);
bool og_doc_int(const cJSON *object, const char *key, int64_t *out);
/* Access to members of our own documents: a member that is missing, or of another type, is "" or 0. */
struct og_str og_doc_str_or_empty(const cJSON *object, const char *key);
int64_t og_doc_int_or_0(const cJSON *object, const char *key);
bool og_doc_bool(const cJSON *object, const char *key, bool *out);
/* Reads a string, or a number as its text. */
bool og_doc_id(const cJSON *object, const char *key, struct og_str *out);
bool og_item_money(const cJSON *item, struct og_money *out);
bool og_item_int(const cJSON *item, int64_t *out);
bool og_item_is_number(const cJSON *item);

/* Builders.  They accept NULL, so that the caller has to check only at the end: og_doc_text() returns false if any
 * builder failed. */
cJSON *og_doc_object(void);
cJSON *og_doc_array(void);
void og_doc_put(cJSON *object, const char *key, cJSON *item); /* takes ownership of the item */
void og_doc_put_str(cJSON *object, const char *key, struct og_str s);
void og_doc_put_text(cJSON *object, const char *key, const char *s); /* if s is NULL, null is written */
void og_doc_put_money(cJSON *object, const char *key, struct og_money m);
void og_doc_put_int(cJSON *object, const char *key, int64_t n);
/* Append the tree as compact text. */
bool og_doc_text(const cJSON *doc, struct og_buf *b);
