/*
 * Reading members of a facts document: each with its place, so that an error names the key, what stood there and what
 * is allowed.  It refuses to go on after the first fault.
 */
#ifndef OG_FACTS_READER_H
#define OG_FACTS_READER_H

#include "base/buf.h"
#include "facts/data.h"
#include "text/doc.h"

struct og_facts_reader {
    const char *name; /* what errors call the document; may be NULL */
    struct og_error *err;
    enum og_status status; /* the first fault */
    struct og_str account; /* whose facts these are; len 0: not known */
    int64_t as_of;         /* for entries that have none of their own */
    bool in_flight;        /* orders may stand as they were posted, without a status */
    struct og_buf path;    /* "positions[2]" */
    char storage[256];
};

enum og_facts_need { OG_MUST = 1, OG_MAY, OG_MAY_BE_NULL /* null counts as absent */ };

void og_facts_reader_init(struct og_facts_reader *r, const char *name, struct og_error *err);

/* Go into a member or a row, and back to where the path was. */
size_t og_facts_enter(struct og_facts_reader *r, const char *key);
size_t og_facts_enter_row(struct og_facts_reader *r, int row);
void og_facts_leave(struct og_facts_reader *r, size_t mark);

/* Both answer false.  key NULL: the place itself; seen NULL: nothing stood there. */
bool og_facts_refuse(struct og_facts_reader *r, const char *key, const char *allowed, const cJSON *seen);
/* A key nobody knows would be facts lost without a word: say it, and the nearest of those that are known.  of: "gate."
 * */
bool og_facts_refuse_key(struct og_facts_reader *r, const char *of, const char *name, const char *const *known,
                         size_t count);
bool og_facts_no_memory(struct og_facts_reader *r);

/* Members.  true: as it should be, or absent where need lets it (*out is then absent: len 0, s NULL; has false). */
bool og_facts_read_text(struct og_facts_reader *r, const cJSON *row, const char *key, enum og_facts_need need,
                        struct og_str *out);
bool og_facts_read_money(struct og_facts_reader *r, const cJSON *row, const char *key, enum og_facts_need need,
                         bool *has, struct og_money *out);
/* Likewise, and not below zero. */
bool og_facts_read_size(struct og_facts_reader *r, const cJSON *row, const char *key, enum og_facts_need need,
                        bool *has, struct og_money *out);
bool og_facts_read_bool(struct og_facts_reader *r, const cJSON *row, const char *key, enum og_facts_need need,
                        bool *out);
bool og_facts_read_time(struct og_facts_reader *r, const cJSON *row, const char *key, int64_t *out); /* may be absent */
bool og_facts_read_object(struct og_facts_reader *r, const cJSON *item); /* the place itself */
/* The member, NULL when it is absent, or null and so allowed. */
const cJSON *og_facts_member(const cJSON *row, const char *key, enum og_facts_need need);

#endif
