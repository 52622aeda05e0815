/*
 * Reads members of a facts document and keeps their path, so that an error names the key, the value seen and what is
 * allowed.  Reading stops at the first error.
 */
#pragma once

#include "base/account_id.h"
#include "base/buf.h"
#include "facts/data.h"
#include "text/doc.h"

struct og_facts_reader {
    const char *name; /* name of the document in errors; may be NULL */
    struct og_error *err;
    enum og_status status; /* status of the first error */
    struct og_str account; /* the account the facts are about; empty if unknown */
    int64_t as_of;         /* time of entries that have none of their own */
    /* quotes with a time of at most `ahead` ns after `now` get the time `now`; now is 0 if there is no clock */
    int64_t now, ahead;
    bool in_flight; /* orders may be written as they were posted, without a status */
    bool answers;   /* the document was made from the broker's answers: rows of other accounts' orders are left out */
    struct og_buf path; /* path of the value that is read at present, such as "positions[2]" */
    char storage[256];
};

enum og_facts_need { OG_MUST = 1, OG_MAY, OG_MAY_BE_NULL /* OG_MAY_BE_NULL: null counts as absent */ };

void og_facts_reader_init(struct og_facts_reader *r, const char *name, struct og_error *err);

/* og_facts_enter(), og_facts_enter_row(): extend the path by a member, or by a row. og_facts_leave(): restore it. */
size_t og_facts_enter(struct og_facts_reader *r, const char *key);
size_t og_facts_enter_row(struct og_facts_reader *r, int row);
void og_facts_leave(struct og_facts_reader *r, size_t mark);

/* Report an error; both functions return false. key: the wrong member, or NULL if the value at the path itself is
 * wrong. seen: the wrong value, or NULL if the value is absent. */
bool og_facts_refuse(struct og_facts_reader *r, const char *key, const char *allowed, const cJSON *seen);
/* Report an unknown key, and the known key that is most similar: if an unknown key were ignored, facts could be missing
 * unnoticed.  of: text before the key in the message, such as "gate." */
bool og_facts_refuse_key(struct og_facts_reader *r, const char *of, const char *name, const char *const *known,
                         size_t count);
/* Report a key of the object that is very like a known one that the object lacks.  Keys like none are allowed. */
bool og_facts_has_no_misspelt(struct og_facts_reader *r, const cJSON *item, const char *const *known, size_t count);
bool og_facts_no_memory(struct og_facts_reader *r);

/* Read a member.  Returns true if it is valid, or absent where it may be (*out is then empty, or *has false). */
bool og_facts_read_text(struct og_facts_reader *r, const cJSON *row, const char *key, enum og_facts_need need,
                        struct og_str *out);
bool og_facts_read_money(struct og_facts_reader *r, const cJSON *row, const char *key, enum og_facts_need need,
                         bool *has, struct og_money *out);
/* Read an amount as og_facts_read_money() does, and reject a negative one. */
bool og_facts_read_size(struct og_facts_reader *r, const cJSON *row, const char *key, enum og_facts_need need,
                        bool *has, struct og_money *out);
bool og_facts_read_bool(struct og_facts_reader *r, const cJSON *row, const char *key, enum og_facts_need need,
                        bool *out);
/* reads the time of a row, which may be absent */
bool og_facts_read_time(struct og_facts_reader *r, const cJSON *row, const char *key, int64_t *out);
bool og_facts_read_object(struct og_facts_reader *r, const cJSON *item); /* checks the value at the path itself */
/* Returns the member, or NULL if the member is absent. A member that is null counts as absent with OG_MAY_BE_NULL. */
const cJSON *og_facts_member(const cJSON *row, const char *key, enum og_facts_need need);
