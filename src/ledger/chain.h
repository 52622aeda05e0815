/*
 * The chain: every record has a hash over the previous record's hash and its own fields, so that no record can be
 * changed, removed, inserted or moved without a mismatch in the hashes after it.
 *
 * A hash is SHA-256 over the hash of the previous record ("" for the first) and the fields in the order of the columns,
 * seq to detail. Each is written as its length in bytes, ':', the bytes and ','; a null as '-,'. A tag, if the record
 * has one, follows in the same form; so records from before schema 5, which have no tags, keep their hashes. With a key
 * the hash is HMAC-SHA-256 over the same bytes, and begins with "hs-256:": only somebody who has the key can rewrite
 * the chain.
 */
#pragma once

#include <sqlite3.h>

#include "base/buf.h"
#include "base/crypto.h"

enum {
    OG_LEDGER_SEQ = 0,
    OG_LEDGER_AT,
    OG_LEDGER_RUN,
    OG_LEDGER_ACCOUNT,
    OG_LEDGER_ID,
    OG_LEDGER_RECORD,
    OG_LEDGER_STATE,
    OG_LEDGER_OUTCOME,
    OG_LEDGER_BROKER_ID,
    OG_LEDGER_EXECUTED,
    OG_LEDGER_PRICE_AVG,
    OG_LEDGER_CODE,
    OG_LEDGER_TEXT,
    OG_LEDGER_DETAIL,
    OG_LEDGER_TAG,
    OG_LEDGER_FIELDS
};
/* The columns of schema 4, and those of the present schema. */
#define OG_LEDGER_COLUMNS_4                                                                                            \
    "r.seq, r.at, r.run, r.account, r.id, r.record, r.state, r.outcome, r.broker_id, r.executed, r.price_avg, r.code," \
    " r.text, r.detail"
#define OG_LEDGER_COLUMNS OG_LEDGER_COLUMNS_4 ", r.tag"

/* Read the fields of a statement's current row. The statement's columns must begin with OG_LEDGER_COLUMNS. The texts
 * are valid until the statement's next step. */
void og_ledger_fields(sqlite3_stmt *s, struct og_str field[OG_LEDGER_FIELDS]);

/* Compute the hash of a record, with a key unless key is NULL. room: a buffer of the caller for intermediate bytes.
 * Returns false if memory ran out. */
bool og_ledger_chain(struct og_str before, const struct og_str field[OG_LEDGER_FIELDS], const char *key,
                     struct og_buf *room, struct og_digest_text *hash);
bool og_ledger_keyed(const char *hash); /* returns true if the hash was made with a key */
