/*
 * A probe: one order or request, the facts around it, and the time.  It is made of a template and some dozens of
 * slots.  A template is an action (a short sale, an iron condor, a cancel); a slot is one value in the order or the
 * facts.
 */
#pragma once

#include "base/buf.h"
#include "rules/rule.h"

#define OG_SLOT_WORD_MOST 64 /* bytes of a word, with its terminating NUL */
/* maximum number of orders of one kind (such as working orders) in a probe; each is written out */
#define OG_WRITTEN_MOST 500

enum og_slot_kind {
    OG_SLOT_QUANTITY = 1, /* whole numbers from 1 on; the values in slots.def may be invalid on purpose */
    OG_SLOT_COUNT,        /* a whole number, at least 0 */
    OG_SLOT_SIGNED,       /* a whole number */
    OG_SLOT_PRICE,        /* above 0 */
    OG_SLOT_MONEY,        /* dollars, may be negative */
    OG_SLOT_AGE,          /* ns before the probe's time */
    OG_SLOT_DAYS,         /* whole days until an expiry */
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
    const char *name; /* name in output */
    enum og_slot_kind kind;
    unsigned reads;    /* OG_FACT_* read by the rules that the slot may influence; 0 if the slot may influence every
                        * rule */
    const char *usual; /* the slot's default as text; "-": no value */
    /* Values worth trying whatever the policies name, separated by spaces. */
    const char *others;
};
extern const struct og_slot_info og_slots[OG_SLOTS];

struct og_probe_template {
    const char *name;
    unsigned subject;          /* OG_SUBJECT_* flags */
    enum og_security security; /* security type of the order */
    bool sells, closes, put;
    const char *usual; /* slots whose default in this template differs from the usual default: "LIMIT=5 HELD=1000" */
    /* Legs of a multi-leg order, such as "Bo1C0 So1C5". Of each leg: side (B, S), open or close (o, c), ratio, type
     * (call, put or stock), and how many strikes it is above the probe's strike. */
    const char *legs;
    const char *request; /* request line, in which @ is replaced by the symbol, # by the quantity, ~ by the account */
};
extern const struct og_probe_template og_probe_templates[];
extern const size_t og_probe_templates_count;

struct og_slot_value { /* which member is used depends on the slot's kind */
    struct og_money number;
    int64_t ns;
    char word[OG_SLOT_WORD_MOST];
};

struct og_probe {
    const struct og_probe_template *scene;
    struct og_slot_value v[OG_SLOTS];
    uint64_t set; /* bit set of the slots that differ from the template's defaults */
};
_Static_assert(OG_SLOTS <= 64, "a bit a slot");

void og_probe_begin(struct og_probe *w, const struct og_probe_template *scene);
/* Read a value as slots.def spells it.  Returns false if it is not of the slot's kind. */
bool og_slot_read(enum og_slot slot, struct og_str text, struct og_slot_value *value);
/* Returns a hash of a value of any slot; equal values have the same hash. */
uint32_t og_slot_hash(enum og_slot slot, const struct og_slot_value *value);
/* Returns true if the slot's value occurs in the probe's order or facts. */
bool og_probe_shows(const struct og_probe *w, enum og_slot slot);
bool og_slot_same(enum og_slot slot, const struct og_slot_value *a, const struct og_slot_value *b);
void og_probe_set(struct og_probe *w, enum og_slot slot, const struct og_slot_value *value);
void og_probe_order(const struct og_probe *w, struct og_buf *b); /* append the probe's order as one line, without
                                                                  * newline */
void og_probe_facts(const struct og_probe *w, struct og_buf *b);
/* Describe the probe in words: the action, and the values that differ from its defaults. */
void og_probe_words(const struct og_probe *w, struct og_buf *b);

static inline const char *og_probe_word(const struct og_probe *w, enum og_slot slot)
{
    return w->v[slot].word;
}
static inline int64_t og_probe_whole(const struct og_probe *w, enum og_slot slot)
{
    return og_money_floor(w->v[slot].number);
}
