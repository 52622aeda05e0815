/*
 * Helpers for tests of facts: documents and orders from text, and comparison of error texts.
 */
#pragma once

#include "facts/facts_book.h"
#include "text/doc.h"
#include "unit.h"

#define ACCOUNT "LIVE0001"

static inline cJSON *doc_of(const char *json)
{
    struct og_error err = { 0 };
    cJSON *doc = NULL;

    if (og_doc_read(json, strlen(json), "test", &doc, &err) != OG_OK)
        fail_msg("%s: %s", json, err.text);
    return doc;
}

static inline enum og_status take_err(struct og_facts *f, const char *json, struct og_error *err)
{
    cJSON *doc = doc_of(json);
    enum og_status s = og_facts_load(f, doc, "facts.json", err);

    cJSON_Delete(doc);
    return s;
}

static inline void take(struct og_facts *f, const char *json)
{
    struct og_error err = { 0 };

    if (take_err(f, json, &err) != OG_OK)
        fail_msg("%s: %s", json, err.text);
}

static inline struct og_facts *facts_of(const char *json)
{
    struct og_facts *f = og_facts_new(OG_STR(ACCOUNT));

    assert_non_null(f);
    if (json)
        take(f, json);
    return f;
}

static inline struct og_order *order_of(const char *json)
{
    struct og_order *o = og_order_new();

    assert_non_null(o);
    assert_int_equal(og_order_read(o, json, strlen(json)), OG_OK);
    assert_int_equal(o->fault, OG_FAULT_NONE);
    return o;
}

static inline struct og_money money(const char *text)
{
    struct og_money m;

    if (!og_money_read(text, strlen(text), &m))
        fail_msg("no money: %s", text);
    return m;
}

#define assert_money(m, text) assert_string_equal(og_money_text(m).s, text)

static inline int64_t instant(const char *text)
{
    int64_t ns;

    if (!og_time_read(text, strlen(text), &ns))
        fail_msg("no time: %s", text);
    return ns;
}

/* Assert that loading the document fails with exactly this text, and that nothing is known afterwards. */
static inline void refused(const char *json, const char *text)
{
    struct og_facts *f = facts_of(NULL);
    struct og_error err = { 0 };
    int64_t age;

    assert_int_equal(take_err(f, json, &err), OG_EFACTS);
    assert_string_equal(err.text, text);
    assert_string_equal(err.source, "facts.json");
    for (int i = 0; i < OG_FACT_KINDS; i++)
        assert_false(og_facts_known(f, (enum og_fact)(1 << i), &age));
    assert_null(og_facts_holding(f, OG_STR("AAPL")));
    og_facts_free(f);
}
