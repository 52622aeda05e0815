/*
 * Orders of unknown outcome: those that the book was told of, and those that the sender's own facts ("gate") list.  An
 * order counts once, even if it is among both.
 */
#include "facts/data.h"
#include "facts/facts_book.h"

/* Keep the id, so that a finding can name it.  If memory runs out, the order counts without a name. */
static void keep(struct og_facts *f, struct og_str id)
{
    struct og_unknown *u = &f->unknown;
    const size_t room = u->room ? 2 * u->room : 8;
    struct og_str *more;

    if (u->named == u->room) {
        if (!(more = og_arena_take(&f->arena, room * sizeof *more)))
            return;
        if (u->named)
            memcpy(more, u->id, u->named * sizeof *more);
        u->id = more;
        u->room = room;
    }
    if ((id = og_arena_copy(&f->arena, id)).s)
        u->id[u->named++] = id;
}

static void forget(struct og_unknown *u, struct og_str id)
{
    size_t i = 0;

    while (i < u->named && !og_str_eq(u->id[i], id))
        i++;
    if (i == u->named)
        return;
    u->named--;
    memmove(&u->id[i], &u->id[i + 1], (u->named - i) * sizeof *u->id);
}

void og_facts_unknown(struct og_facts *f, struct og_str id, bool is)
{
    f->unknown.count += is ? 1 : -1;
    if (id.len && is)
        keep(f, id);
    else if (id.len)
        forget(&f->unknown, id);
}

/* Returns true if an order that the sender's own facts list as of unknown outcome counts: no ticket has or had its id,
 * since a ticket's state is more certain, and the list of orders does not show it. */
static bool counts(const struct og_facts *f, struct og_str id)
{
    const uint64_t hash = og_facts_map_hash(id);
    const struct og_id_entry *own = id.len ? og_facts_id_find(&f->ids, id, hash) : NULL;
    const struct og_part *orders = f->part[OG_AT_ORDERS];

    return !(own && own->ticket) && !(id.len && orders && og_facts_id_find(&orders->map, id, hash));
}

static const struct og_gate_counters *gate_of(const struct og_facts *f)
{
    return f->part[OG_AT_CALLS] ? f->part[OG_AT_CALLS]->gate : NULL;
}

int64_t og_facts_unknown_outcomes(const struct og_facts *f)
{
    const struct og_gate_counters *g = gate_of(f);
    int64_t count = f->unknown.count;

    for (size_t i = 0; g && i < g->unknown_count; i++)
        count += counts(f, g->unknown[i]);
    return count;
}

int og_facts_unknown_ids(const struct og_facts *f, struct og_str *id, int room)
{
    const struct og_gate_counters *g = gate_of(f);
    int count = 0;

    for (size_t i = 0; i < f->unknown.named && count < room; i++)
        id[count++] = f->unknown.id[i];
    for (size_t i = 0; g && i < g->unknown_count && count < room; i++)
        if (g->unknown[i].len && counts(f, g->unknown[i]))
            id[count++] = g->unknown[i];
    return count;
}

bool og_facts_told_unknown(const struct og_facts *f, struct og_str id)
{
    const struct og_gate_counters *g = gate_of(f);

    for (size_t i = 0; g && id.len && i < g->unknown_count; i++)
        if (og_str_eq(g->unknown[i], id))
            return true;
    return false;
}
