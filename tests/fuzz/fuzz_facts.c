/*
 * Fuzz: bytes as facts.  A rejected document has a reason and changes nothing; an accepted one can be loaded again,
 * and an order's effects on it can be added and removed without a trace.
 */
#include <stdint.h>
#include <stdlib.h>

#include "facts/facts_book.h"
#include "text/doc.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void must(bool ok)
{
    if (!ok)
        abort();
}

/* Returns the answers of queries of the facts, mixed into one number. */
static uint64_t told(const struct og_facts *f)
{
    static const char *const symbols[] = { "AAPL", "GME", "AAPL260116C00150000", "AAPL260116P00140000" };
    static const char *const ids[] = { "a1", "a2", "fuzz", "w1" };
    const struct og_account *a = og_facts_account(f);
    struct og_money m;
    int64_t age;
    uint64_t n = a ? (uint64_t)a->bp.coef * 31 + (uint64_t)a->opt_level : 7;

    for (int i = 0; i < OG_FACT_KINDS; i++)
        n = n * 31 + og_facts_known(f, (enum og_fact)(1 << i), &age) * (uint64_t)age;
    for (size_t i = 0; i < sizeof symbols / sizeof *symbols; i++) {
        struct og_str s = og_str_of(symbols[i]);
        const struct og_holding *h = og_facts_holding(f, s);

        if (h)
            n = n * 31 +
                (uint64_t)(h->held_long.coef ^ h->held_short.coef ^ h->closing_buys.coef ^ h->closing_sells.coef) +
                (uint64_t)(h->working + h->lots * 3 + h->opening_buys * 5 + h->opening_sells * 7);
        n = n * 31 + (og_facts_quote(f, s) != NULL) + (og_facts_borrow(f, s) != NULL) * 2U;
        n = n * 31 + og_facts_available(f, s, &m);
        n = n * 31 + (uint64_t)og_facts_id(f, og_str_of(ids[i]));
    }
    n = n * 31 + (uint64_t)og_facts_totals(f)->longs + (uint64_t)og_facts_totals(f)->shorts * 3 +
        (uint64_t)og_facts_totals(f)->contracts * 7 + (uint64_t)og_facts_totals(f)->orders;
    n = n * 31 + (uint64_t)og_facts_trading(f) + (uint64_t)og_facts_rejections(f) * 5 +
        (uint64_t)og_facts_sent(f, OG_TODAY, 0, 20260115);
    n = n * 31 + og_facts_volume(f, OG_STR("AAPL"), &m) + (og_facts_pnl(f) ? (uint64_t)og_facts_pnl(f)->day.coef : 0);
    for (const struct og_holding *h = og_facts_contracts(f, OG_STR("AAPL")); h; h = h->next_of_root)
        n += (uint64_t)h->held_short.coef * 131 + (uint64_t)h->working;
    n = n * 31 + (uint64_t)og_facts_put_reserve(f, 0, &m) + (uint64_t)m.coef;
    return n * 31 + (uint64_t)og_facts_environment(f) + og_facts_lists_account(f, OG_STR("LIVE0001"));
}

static void effects(struct og_facts *f)
{
    static const char line[] =
        "{\"securityType\":\"Mleg\",\"symbol\":\"AAPL\",\"orderQuantity\":3,\"clientOrderId\":\"fuzz\","
        "\"legs\":[{\"symbol\":\"AAPL260116C00150000\",\"side\":\"Sell\",\"ratio\":1,\"openClose\":\"Close\"},"
        "{\"symbol\":\"AAPL260116P00140000\",\"side\":\"Sell\",\"ratio\":2,\"openClose\":\"Open\"}]}";
    struct og_order *o = og_order_new();
    struct og_effect e = { .bp_cost = { 125, 1 }, .value = 4500 };
    uint64_t before = told(f);

    must(o && og_order_read(o, line, sizeof line - 1) == OG_OK);
    e.order = o;
    if (og_facts_add(f, &e) == OG_OK)
        og_facts_remove(f, &e);
    must(told(f) == before);
    og_order_free(o);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct og_facts *f = og_facts_new(OG_STR("LIVE0001"));
    struct og_error err = { 0 };
    cJSON *doc;
    uint64_t before, after;
    enum og_status s;

    must(f != NULL);
    if (og_doc_read((const char *)data, size, "fuzz", &doc, NULL) != OG_OK) {
        og_facts_free(f);
        return 0;
    }
    (void)og_facts_document_account(doc);
    before = told(f);
    s = og_facts_load(f, doc, "fuzz", &err);
    must(s == OG_OK || s == OG_EFACTS);
    must((s == OG_OK) == (err.text[0] == '\0'));
    after = told(f);
    if (s)
        must(after == before);
    else
        must(og_facts_load(f, doc, "fuzz", NULL) == OG_OK && told(f) == after);
    effects(f);
    must(og_facts_take_quote(f, doc, 0, 0, NULL) != OG_ENOMEM);
    cJSON_Delete(doc);
    og_facts_free(f);
    return 0;
}
