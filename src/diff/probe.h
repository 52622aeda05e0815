/*
 * A world to probe policies in: one order or request, the facts around it and the time, made of a scene and some dozens
 * of slots.  A scene is what is done (a short sale, an iron condor, a cancel); a slot is one value in order or facts.
 */
#ifndef OG_DIFF_PROBE_H
#define OG_DIFF_PROBE_H

#include "base/buf.h"
#include "rules/rule.h"

#define OG_SLOT_WORD_MOST 64  /* bytes of a word, with its NUL */
#define OG_WRITTEN_MOST   500 /* orders of one kind that are written out */

enum og_slot_kind {
    OG_SLOT_QUANTITY = 1, /* whole, from 1; what the table names may be none */
    OG_SLOT_COUNT,        /* whole, from 0 */
    OG_SLOT_SIGNED,       /* whole */
    OG_SLOT_PRICE,        /* above 0 */
    OG_SLOT_MONEY,        /* dollars, below 0 too */
    OG_SLOT_AGE,          /* ns before now */
    OG_SLOT_DAYS,         /* until an expiry */
    OG_SLOT_LEVEL,        /* 0 to 4 */
    OG_SLOT_WORD,
    OG_SLOT_NOW /* ns */
};

enum og_slot {
#define OG_SLOT(id, name, kind, reads, usual, others) OG_AT_##id,
#include "diff/slots.def"
#undef OG_SLOT
    OG_SLOTS
};

struct og_slot_info {
    const char *name; /* for people */
    enum og_slot_kind kind;
    unsigned reads;     /* OG_FACT_* whose readers it is for; 0: for all rules */
    const char *usual;  /* as text; "-": none */
    const char *others; /* worth trying whatever the policies say, by spaces; "now" and days: as for OG_SLOT_NOW */
};
extern const struct og_slot_info og_slots[OG_SLOTS];

struct og_probe_template {
    const char *name;
    unsigned subject;          /* OG_SUBJECT_* */
    enum og_security security; /* of an order */
    bool sells, closes, put;
    const char *usual; /* slots that differ in it: "LIMIT=5 HELD=1000" */
    const char
        *legs; /* of a multi-leg order: "Bo1C0 So1C5": side, open or close, ratio, right or stock, strike behind */
    const char *request; /* @: the symbol, #: the quantity, ~: the account */
};
extern const struct og_probe_template og_probe_templates[];
extern const size_t og_probe_templates_count;

struct og_slot_value { /* as the slot's kind says */
    struct og_money number;
    int64_t ns;
    char word[OG_SLOT_WORD_MOST];
};

struct og_probe {
    const struct og_probe_template *scene;
    struct og_slot_value v[OG_SLOTS];
    uint64_t set; /* bits of slots that are not as usual in the scene */
};
_Static_assert(OG_SLOTS <= 64, "a bit a slot");

void og_probe_begin(struct og_probe *w, const struct og_probe_template *scene);
/* Of a text as in the tables; false: it is none of the slot's kind. */
bool og_slot_read(enum og_slot slot, struct og_str text, struct og_slot_value *value);
/* Of any slot; what is the same has the same. */
uint32_t og_slot_hash(enum og_slot slot, const struct og_slot_value *value);
/* The slot can be seen in the world: in its order, or in facts that it has. */
bool og_probe_shows(const struct og_probe *w, enum og_slot slot);
bool og_slot_same(enum og_slot slot, const struct og_slot_value *a, const struct og_slot_value *b);
void og_probe_set(struct og_probe *w, enum og_slot slot, const struct og_slot_value *value);
void og_probe_order(const struct og_probe *w, struct og_buf *b); /* a line, without newline */
void og_probe_facts(const struct og_probe *w, struct og_buf *b);
void og_probe_words(const struct og_probe *w,
                    struct og_buf *b); /* what is done, and what of it is not as usual, for people */

static inline const char *og_probe_word(const struct og_probe *w, enum og_slot slot)
{
    return w->v[slot].word;
}
static inline int64_t og_probe_whole(const struct og_probe *w, enum og_slot slot)
{
    return og_money_floor(w->v[slot].number);
}

#endif
