/*
 * Probes: reads and compares slot values, sets defaults, and describes a probe to people.  Slots that are neither in
 * the order nor in the facts are left out of the description.
 */
#include "diff/probe.h"

#include "base/time.h"
#include "order/order.h"

const struct og_slot_info og_slots[OG_SLOTS] = {
#define OG_SLOT(id, name_, kind_, reads_, usual_, others_) \
    [OG_AT_##id] = { .name = (name_), .kind = (kind_), .reads = (reads_), .usual = (usual_), .others = (others_) },
#include "diff/slots.def"
#undef OG_SLOT
};

static const char *const slot_ids[OG_SLOTS] = {
#define OG_SLOT(id, name, kind, reads, usual, others) [OG_AT_##id] = #id,
#include "diff/slots.def"
#undef OG_SLOT
};

/* --- slots -------------------------------------------------------------------------------------------------------- */

static bool read_number(enum og_slot_kind kind, struct og_str text, struct og_money *m)
{
    if (!og_money_read(text.s, text.len, m))
        return false;
    switch (kind) {
    case OG_SLOT_COUNT:
    case OG_SLOT_DAYS:
    case OG_SLOT_LEVEL: return m->scale == 0 && m->coef >= 0;
    case OG_SLOT_SIGNED: return m->scale == 0;
    case OG_SLOT_PRICE: return m->coef > 0;
    default: return true;
    }
}

bool og_slot_read(enum og_slot slot, struct og_str text, struct og_slot_value *v)
{
    *v = (struct og_slot_value){ 0 };
    switch (og_slots[slot].kind) {
    case OG_SLOT_WORD:
        if (text.len >= sizeof v->word)
            return false;
        memcpy(v->word, text.s, text.len);
        return true;
    case OG_SLOT_AGE: return og_duration_read(text.s, text.len, &v->ns);
    case OG_SLOT_NOW: return og_time_read(text.s, text.len, &v->ns);
    default: return read_number(og_slots[slot].kind, text, &v->number);
    }
}

bool og_slot_same(enum og_slot slot, const struct og_slot_value *a, const struct og_slot_value *b)
{
    switch (og_slots[slot].kind) {
    case OG_SLOT_WORD: return strcmp(a->word, b->word) == 0;
    case OG_SLOT_AGE:
    case OG_SLOT_NOW: return a->ns == b->ns;
    default: return og_money_cmp(a->number, b->number) == 0;
    }
}

static uint32_t mix(uint32_t hash, uint64_t n)
{
    n ^= n >> 32;
    return (hash ^ (uint32_t)n) * UINT32_C(0x9E3779B1);
}

uint32_t og_slot_hash(enum og_slot slot, const struct og_slot_value *v)
{
    struct og_money m = v->number;
    uint32_t hash = 0;

    switch (og_slots[slot].kind) {
    case OG_SLOT_WORD:
        for (const char *c = v->word; *c; c++)
            hash = mix(hash, (unsigned char)*c);
        break;
    case OG_SLOT_AGE:
    case OG_SLOT_NOW: hash = mix(hash, (uint64_t)v->ns); break;
    default:
        for (; m.scale > 0 && m.coef % 10 == 0; m.scale--)
            m.coef /= 10;
        hash = mix(mix(hash, (uint64_t)m.coef), (uint64_t)(m.coef ? m.scale : 0));
    }
    return hash ^ hash >> 16;
}

/* Set defaults from a text like "LIMIT=5 HELD=1000", as templates spell them. */
static void set_usual(struct og_probe *w, const char *usual)
{
    while (*usual) {
        size_t id = strcspn(usual, "="), text = strcspn(usual + id + 1, " ");

        for (int slot = 0; slot < OG_SLOTS; slot++)
            if (strlen(slot_ids[slot]) == id && strncmp(slot_ids[slot], usual, id) == 0)
                (void)og_slot_read((enum og_slot)slot, (struct og_str){ usual + id + 1, text }, &w->v[slot]);
        usual += id + 1 + text;
        usual += strspn(usual, " ");
    }
}

void og_probe_begin(struct og_probe *w, const struct og_probe_template *scene)
{
    *w = (struct og_probe){ .scene = scene };
    for (int slot = 0; slot < OG_SLOTS; slot++)
        (void)og_slot_read((enum og_slot)slot, og_str_of(og_slots[slot].usual), &w->v[slot]);
    set_usual(w, scene->usual);
}

void og_probe_set(struct og_probe *w, enum og_slot slot, const struct og_slot_value *value)
{
    w->v[slot] = *value;
    w->set |= UINT64_C(1) << slot;
}

static void put_value(struct og_buf *b, enum og_slot slot, const struct og_slot_value *v)
{
    switch (og_slots[slot].kind) {
    case OG_SLOT_WORD: og_buf_text(b, strcmp(v->word, "-") == 0 ? "none" : v->word); return;
    case OG_SLOT_AGE: og_buf_text(b, og_duration_text(v->ns).s); return;
    case OG_SLOT_NOW: og_buf_text(b, og_time_text(v->ns).s); return;
    default: og_buf_money(b, v->number); return;
    }
}

/* --- which slots are visible -------------------------------------------------------------------------------------- */

static bool is_missing(const struct og_probe *w, unsigned reads)
{
    const char *missing = og_probe_word(w, OG_AT_MISSING);

    for (int kind = 0; kind < OG_FACT_KINDS; kind++)
        if (reads >> kind & 1 && strcmp(missing, og_fact_name((enum og_fact)(1U << kind))) == 0)
            return true;
    return false;
}

static bool shows_in_scene(const struct og_probe *w, enum og_slot slot)
{
    bool options = w->scene->security != OG_STOCK && !w->scene->request;

    switch (slot) {
    case OG_AT_ROOT:
    case OG_AT_STRIKE:
    case OG_AT_DAYS:
    case OG_AT_CONTRACTS:
    case OG_AT_COVER: return options;
    case OG_AT_OPTION_BID:
    case OG_AT_OPTION_ASK: return options && w->scene->security == OG_OPTION;
    case OG_AT_POSTED_AGE: return w->scene->subject == OG_SUBJECT_CANCEL;
    case OG_AT_OFFER_AGE:
    case OG_AT_OFFER_PRICE: return w->scene->subject == OG_SUBJECT_LOCATE;
    case OG_AT_LIMIT: return !w->scene->request && strstr(og_probe_word(w, OG_AT_TYPE), "Limit");
    case OG_AT_STOP: return !w->scene->request && strstr(og_probe_word(w, OG_AT_TYPE), "Stop");
    default:
        return !w->scene->request || slot >= OG_AT_NOW || slot == OG_AT_QUANTITY || slot == OG_AT_SYMBOL ||
               slot == OG_AT_ACCOUNT;
    }
}

bool og_probe_shows(const struct og_probe *w, enum og_slot slot)
{
    return shows_in_scene(w, slot) && !(og_slots[slot].reads && is_missing(w, og_slots[slot].reads));
}

/* --- description of a probe --------------------------------------------------------------------------------------- */

/* Write the name of the action, and, depending on the order's type, "at the market" or "at a stop". */
static void put_name(const struct og_probe *w, struct og_buf *b)
{
    const char *type = w->v[OG_AT_TYPE].word;

    og_buf_text(b, w->scene->name);
    if (w->scene->request)
        return;
    if (strcmp(type, "Market") == 0)
        og_buf_text(b, " at the market");
    else if (strcmp(type, "Stop") == 0)
        og_buf_text(b, " at a stop");
    else if (strcmp(type, "StopLimit") == 0)
        og_buf_text(b, " at a stop with a limit");
}

/* Returns true if the description need not give the slot's value: it is a default, or follows from the template's name
 * or the order's type. */
static bool is_usual(const struct og_probe *w, const struct og_probe *scene, enum og_slot slot)
{
    struct og_slot_value usual;
    bool in_order = slot == OG_AT_QUANTITY || slot == OG_AT_LIMIT || slot == OG_AT_STOP || slot == OG_AT_ROUTE ||
                    slot == OG_AT_TYPE;

    if (in_order)
        return slot == OG_AT_TYPE || og_slot_same(slot, &w->v[slot], &scene->v[slot]);
    return og_slot_read(slot, og_str_of(og_slots[slot].usual), &usual) && og_slot_same(slot, &w->v[slot], &usual);
}

/* Returns true if the slot belongs to something that the probe lacks, such as the side of a working order when there
 * is none. */
static bool is_idle(const struct og_probe *w, enum og_slot slot)
{
    if (slot == OG_AT_WORKING_SIDE || slot == OG_AT_WORKING_QUANTITY)
        return !og_probe_whole(w, OG_AT_WORKING) && !og_probe_whole(w, OG_AT_WORKING_OTHER);
    if (slot == OG_AT_AVERAGE)
        return !og_probe_whole(w, OG_AT_HELD);
    return slot == OG_AT_RECENT_AGE && !og_probe_whole(w, OG_AT_RECENT);
}

void og_probe_words(const struct og_probe *w, struct og_buf *b)
{
    const char *comma = "";
    struct og_probe scene;

    og_probe_begin(&scene, w->scene);
    put_name(w, b);
    for (int slot = 0; slot < OG_SLOTS; slot++)
        if (slot != OG_AT_NOW && og_probe_shows(w, (enum og_slot)slot) && !is_idle(w, (enum og_slot)slot) &&
            !is_usual(w, &scene, (enum og_slot)slot)) {
            og_buf_format(b, "%s %s ", *comma ? comma : ":", og_slots[slot].name);
            put_value(b, (enum og_slot)slot, &w->v[slot]);
            comma = ",";
        }
}
