/*
 * Readers of the broker's documents (account, positions, orders, ...). Each fills one part of the facts (struct
 * og_part).
 */
#pragma once

#include "facts/reader.h"
#include "order/symbol.h"

/* Each reads a document that is one object. */
bool og_facts_read_account(struct og_facts_reader *r, const cJSON *item, struct og_part *p);
bool og_facts_read_calls(struct og_facts_reader *r, const cJSON *item, struct og_part *p);
bool og_facts_read_gate_counters(struct og_facts_reader *r, const cJSON *item, struct og_part *p);
bool og_facts_read_pnl(struct og_facts_reader *r, const cJSON *item, struct og_part *p);

/* Read "latches" of the sender's own facts; to[] has one element for each kind of latch. */
bool og_facts_read_latches(struct og_facts_reader *r, const cJSON *list, struct og_latch to[OG_LATCHES]);
void og_facts_latches_told(struct og_facts *f, const struct og_gate_counters *g); /* call when "gate" is loaded */

/* Each reads one row of a list. */
bool og_facts_read_list_row(struct og_facts_reader *r, const cJSON *item, struct og_part *p);
bool og_facts_read_route(struct og_facts_reader *r, const cJSON *item, struct og_part *p);
bool og_facts_read_position(struct og_facts_reader *r, const cJSON *item, struct og_part *p);
bool og_facts_read_order(struct og_facts_reader *r, const cJSON *item, struct og_part *p);
/* Returns when the order of a row last changed; OG_TIME_UNKNOWN if the row does not say. */
int64_t og_facts_updated(const cJSON *row);
/* Keep the row, some of whose order may have filled, for og_facts_find_filled() if it says when. order: NULL if the row
 * has no id. Returns false if memory runs out. */
bool og_facts_remember_fill(struct og_facts_reader *r, const cJSON *row, struct og_str id,
                            const struct og_known_order *order, struct og_part *p);
/* Two lists of orders and their ages. `newer` remembers what it is given, also if it is the list in force. */
struct og_two_lists {
    const struct og_part *older;
    struct og_part *newer;
    int64_t older_at, newer_at;
};
/* Keep in the newer list what it does not show of the older one: that an order worked which may have filled since, and
 * the newest fill. Also keep fills by the time of the lists where rows do not tell their time. Returns false if memory
 * runs out. */
bool og_facts_remember_older(struct og_facts_reader *r, const struct og_facts *f, const struct og_two_lists *of);
bool og_facts_read_locate(struct og_facts_reader *r, const cJSON *item, struct og_part *p);
bool og_facts_read_locate_history(struct og_facts_reader *r, const cJSON *item, struct og_part *p);
bool og_facts_read_used_id(struct og_facts_reader *r, const cJSON *item, struct og_part *p);

/* What the readers of positions and of orders share. */
bool og_facts_is_contract(struct og_str symbol);
/* Read the traded symbol of a row: tradedSymbol; if that is absent or null (for stock), symbol. */
bool og_facts_read_traded(struct og_facts_reader *r, const cJSON *row, struct og_str *traded);
/* Add a copy of the change to the part. Returns false if out of memory. */
bool og_facts_remember(struct og_facts_reader *r, struct og_part *p, const struct og_change *c);

/* Each reads one member of an object that has a member for each symbol. */
bool og_facts_read_quote(struct og_facts_reader *r, struct og_str symbol, const cJSON *item, struct og_part *p);
bool og_facts_read_symbol_status(struct og_facts_reader *r, struct og_str symbol, const cJSON *item, struct og_part *p);
bool og_facts_read_borrow(struct og_facts_reader *r, struct og_str symbol, const cJSON *item, struct og_part *p);
bool og_facts_read_volume(struct og_facts_reader *r, struct og_str symbol, const cJSON *item, struct og_part *p);

/* Read a line about one symbol: prices, and its status under the key `status`. Members that the line does not have keep
 * their value. */
bool og_facts_read_quote_line(struct og_facts_reader *r, struct og_str symbol, const cJSON *line,
                              struct og_part *quotes, struct og_part *statuses);

/* Returns the symbol of a fact in the form in which it is kept: capitals, and a point for '/'; the text is in `to` if
 * it differs. */
struct og_str og_facts_fold(struct og_str symbol, char to[OG_SYMBOL_FOLDED]);
/* Returns the entry of a symbol, and makes it if there is none; entries of every kind begin with their symbol. Returns
 * NULL if memory runs out. */
void *og_facts_entry(struct og_part *p, struct og_str symbol, size_t size);

/* Replace the quote or the borrow state of a symbol in the part; merge a status with the known one. dated: the time
 * that the status has in its source; now: the reader's clock, 0 if it has none.  Each returns false if memory runs
 * out. */
bool og_facts_put_quote(struct og_part *p, struct og_str symbol, const struct og_quote *q);
bool og_facts_put_symbol_status(struct og_part *p, struct og_str symbol, const struct og_symbol_status *s,
                                int64_t dated, int64_t now);
bool og_facts_put_borrow(struct og_part *p, struct og_str symbol, const struct og_borrow *b);

/* Set the hashes and the tag of a row from an order; row->at stays. The order is in the form in which it was posted,
 * but may have the key "tag".  Returns false if memory runs out. */
bool og_facts_sent_read(const cJSON *item, struct og_sent_row *row);

/* Returns the locate type of a row: a number, or a name as in the sell request (CON-32); 0 if it is neither. */
int64_t og_facts_locate_type(const cJSON *row);

/* Returns true if the row belongs to the account of the facts, or names no account. For a row of another account,
 * reports an error and returns false. */
bool og_facts_read_own(struct og_facts_reader *r, const cJSON *row, const char *key);
/* Check the account of a row as og_facts_read_own() does, under both keys that a row may use for it: accountId, or
 * account as in WebSocket frames. null counts as absent. */
bool og_facts_read_own_row(struct og_facts_reader *r, const cJSON *row);
/* Set *own to whether a row of an order belongs to the account of the facts; named: the account that it names, which
 * may be in userOrderId.  The broker's answers may have rows of other accounts.  In a document such a row is a mistake,
 * such as an id with a blank at its end, and is an error: if it were left out, an order that works would not count. */
bool og_facts_read_owner(struct og_facts_reader *r, const cJSON *row, struct og_str named, bool *own);
