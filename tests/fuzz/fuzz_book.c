/*
 * Fuzz: everything that a linked book is given as bytes: facts, a quote, a broker's row. Each JSON input is tried
 * again for each of its values, with a value of another type in its place, since readers of documents most often fail
 * on values of an unexpected type.
 */
#include <string.h>

#include "fuzz.h"
#include "ordergate/halt.h"
#include "ordergate/ordergate.h"
#include "text/doc.h"

#define VALUES_MOST 40 /* of one input that are replaced */

static const char *const shapes[] = { "[{}]", "[]",    "{}",   "null",      "true",           "1",         "-0.5e300",
                                      "\"\"", "\"x\"", "[[]]", "{\"\":{}}", "[null,1,\"a\"]", "{\"a\":[]}" };
#define SHAPES (sizeof shapes / sizeof *shapes)

static struct og_book *open_book(void)
{
    static const char yaml[] = "ordergate: 1\nname: t\nextends: []\nunsure: warn\nrules:\n  buying-power: info\n";
    struct og_policy *policy;
    struct og_book *b;

    DEMAND(og_policy_read(yaml, sizeof yaml - 1, "t", &policy, NULL, NULL, NULL) == OG_OK);
    DEMAND(og_book_new(policy, &b) == OG_OK && og_book_halt_source(b, "", NULL) == OG_OK);
    return b;
}

/* Make an order with a ticket, so that rows and lists have something to change. */
static void reserve(struct og_book *b)
{
    static const char line[] =
        "{\"securityType\":\"Stock\",\"symbol\":\"AAPL\",\"side\":\"Buy\",\"openClose\":\"Open\",\"orderType\":"
        "\"Limit\","
        "\"orderQuantity\":100,\"limitPrice\":190,\"timeInForce\":\"Day\",\"clientOrderId\":\"a\"}";
    struct og_order *o = og_order_new();
    struct og_scratch *s = og_scratch_new();
    struct og_decision d;
    og_ticket t;

    DEMAND(o && s && og_order_read(o, line, sizeof line - 1) == OG_OK);
    DEMAND(og_reserve(b, o, 1, s, &d, &t) == OG_OK);
    og_order_free(o);
    og_scratch_free(s);
}

static void hand(const char *bytes, size_t len)
{
    struct og_book *b = open_book();
    struct og_error err = { 0 };
    enum og_status s;
    og_ticket t;

    reserve(b);
    for (int i = 0; i < 2; i++) {
        s = og_book_apply(b, i ? "LIVE0001" : NULL, bytes, len, "fuzz", &err);
        DEMAND(s == OG_OK || s == OG_EFACTS || s == OG_ESYNTAX || s == OG_EINVAL);
    }
    s = og_book_quote(b, bytes, len, &err);
    DEMAND(s == OG_OK || s == OG_EFACTS || s == OG_ESYNTAX);
    s = og_book_row(b, NULL, bytes, len, 2, &t, &err);
    DEMAND(s == OG_OK || s == OG_EINVAL || s == OG_ESYNTAX);
    og_book_free(b);
}

/* Write the document with a value of another type in place of its value number `at`; *seen is the number of its
 * values. */
static void spell(struct og_buf *b, const cJSON *value, int at, const char *shape, int *seen)
{
    const cJSON *item;
    const bool is_object = cJSON_IsObject(value);
    bool first = true;

    if ((*seen)++ == at) {
        og_buf_text(b, shape);
        return;
    }
    if (!is_object && !cJSON_IsArray(value)) {
        (void)og_doc_text(value, b);
        return;
    }
    og_buf_char(b, is_object ? '{' : '[');
    cJSON_ArrayForEach (item, value) {
        if (!first)
            og_buf_char(b, ',');
        first = false;
        if (is_object) {
            og_buf_json_str(b, og_str_of(item->string));
            og_buf_char(b, ':');
        }
        spell(b, item, at, shape, seen);
    }
    og_buf_char(b, is_object ? '}' : ']');
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct og_buf b;
    cJSON *doc;
    int seen = 1;

    hand((const char *)data, size);
    if (og_doc_read((const char *)data, size, "fuzz", &doc, NULL) != OG_OK)
        return 0;
    og_buf_init(&b, 0);
    for (int at = 0; at < seen && at < VALUES_MOST; at++)
        for (size_t i = 0; i < SHAPES; i++) {
            og_buf_reset(&b);
            seen = 0;
            spell(&b, doc, at, shapes[i], &seen);
            if (!b.bad)
                hand(b.s, b.len);
        }
    og_buf_clear(&b);
    cJSON_Delete(doc);
    return 0;
}
