/*
 * Fuzz: a line as a request, which is decided.  Anything that is not a request of the expected kind is refused, and
 * the decision can be written.
 */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "ordergate/ordergate.h"

#define AT INT64_C(1768489200000000000) /* 2026-01-15T15:00:00Z */

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static const char facts[] =
    "{\"asOf\":\"2026-01-15T14:59:59Z\",\"accountId\":\"L1\",\"account\":{\"accountType\":\"Live\","
    "\"availableCash\":100},"
    "\"accountList\":[{\"account\":\"L1\"}],\"orders\":[{\"clientOrderId\":\"a1\",\"symbol\":\"F\","
    "\"orderStatus\":\"Filled\"}],"
    "\"positions\":[],\"borrow\":{\"GME\":false},\"locateInventory\":[{\"symbol\":\"GME\",\"locateType\":1,"
    "\"available\":100}],"
    "\"locateHistory\":[{\"quoteReqID\":\"q1\",\"symbol\":\"GME\",\"locateStatus\":65,\"locatePrice\":0.5,"
    "\"locateShares\":100,"
    "\"updatedDate\":\"2026-01-15T14:59:50Z\"}],\"gate\":{\"calls\":{\"GET orders\":[\"2026-01-15T14:59:59Z\"]},"
    "\"locateQuotes\":[{\"symbol\":\"GME\",\"quoteReqID\":\"q1\",\"at\":\"2026-01-15T14:59:40Z\"}],\"posted\":[]}}";

static void must(bool ok)
{
    if (!ok)
        abort();
}

static struct og_book *book_of(void)
{
    struct og_policy *policy;
    struct og_book *book;

    must(og_policy_load("default", &policy, NULL, NULL, NULL) == OG_OK);
    must(og_book_new(policy, &book) == OG_OK);
    must(og_book_apply(book, NULL, facts, sizeof facts - 1, "facts", NULL) == OG_OK);
    return book;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static struct og_book *book;
    static char text[1 << 18];
    struct og_request *request = og_request_new();
    struct og_scratch *scratch = og_scratch_new();
    enum og_request_kind kind;
    struct og_decision d;
    size_t len;

    book = book ? book : book_of();
    must(request && scratch);
    must(og_request_read(request, (const char *)data, size) == OG_OK);
    kind = og_request_what(request);
    og_check_cancel(book, request, AT, scratch, &d);
    must(kind == OG_REQUEST_CANCEL || !d.accepted);
    must(og_decision_write(&d, NULL, text, sizeof text, &len) == OG_OK);
    og_check_locate(book, request, AT, scratch, &d);
    must((kind >= OG_REQUEST_LOCATE_QUOTE && kind <= OG_REQUEST_LOCATE_CANCEL) || !d.accepted);
    must(og_decision_write(&d, NULL, text, sizeof text, &len) == OG_OK);
    og_check_read(book, request, AT, scratch, &d);
    must(kind == OG_REQUEST_READ || !d.accepted);
    must(og_decision_write(&d, NULL, text, sizeof text, &len) == OG_OK);
    og_scratch_free(scratch);
    og_request_free(request);
    return 0;
}
