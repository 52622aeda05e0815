/*
 * The service's documents, each read into a part of its own.
 */
#ifndef OG_FACTS_DOCUMENTS_H
#define OG_FACTS_DOCUMENTS_H

#include "facts/reader.h"

/* One whole object. */
bool og_facts_read_account(struct og_facts_reader *r, const cJSON *item, struct og_part *p);
bool og_facts_read_calls(struct og_facts_reader *r, const cJSON *item, struct og_part *p);
bool og_facts_read_gate_counters(struct og_facts_reader *r, const cJSON *item, struct og_part *p);
bool og_facts_read_pnl(struct og_facts_reader *r, const cJSON *item, struct og_part *p);

/* One row of a list. */
bool og_facts_read_list_row(struct og_facts_reader *r, const cJSON *item, struct og_part *p);
bool og_facts_read_route(struct og_facts_reader *r, const cJSON *item, struct og_part *p);
bool og_facts_read_position(struct og_facts_reader *r, const cJSON *item, struct og_part *p);
bool og_facts_read_order(struct og_facts_reader *r, const cJSON *item, struct og_part *p);
bool og_facts_read_locate(struct og_facts_reader *r, const cJSON *item, struct og_part *p);
bool og_facts_read_locate_history(struct og_facts_reader *r, const cJSON *item, struct og_part *p);
bool og_facts_read_used_id(struct og_facts_reader *r, const cJSON *item, struct og_part *p);

/* One member of an object, named by the symbol. */
bool og_facts_read_quote(struct og_facts_reader *r, struct og_str symbol, const cJSON *item, struct og_part *p);
bool og_facts_read_borrow(struct og_facts_reader *r, struct og_str symbol, const cJSON *item, struct og_part *p);
bool og_facts_read_volume(struct og_facts_reader *r, struct og_str symbol, const cJSON *item, struct og_part *p);

/* Put what is known of a symbol, in place of what there was.  false: out of memory. */
bool og_facts_put_quote(struct og_part *p, struct og_str symbol, const struct og_quote *q);
bool og_facts_put_borrow(struct og_part *p, struct og_str symbol, const struct og_borrow *b);

/* What an order as it was posted says, but for its id, as a hash.  false: out of memory. */
bool og_facts_terms_read(const cJSON *item, uint64_t *terms);

/* Of a locate row: a number, or a name of the sell request's (CON-32); 0 when it is neither. */
int64_t og_facts_locate_type(const cJSON *row);

/* The row is of the account the facts are of, or does not say. */
bool og_facts_read_own(struct og_facts_reader *r, const cJSON *row, const char *key);
/* The same under both keys that rows have: accountId, and account as the WebSocket spells it. */
bool og_facts_read_own_row(struct og_facts_reader *r, const cJSON *row);

#endif
