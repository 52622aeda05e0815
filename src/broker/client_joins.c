/*
 * Documents that the service does not have, made of those that it has: positions with their figures, closed positions
 * added up.  A row keeps its members as received, and gets further ones; what cannot be told apart is never guessed.
 */
#include "base/error.h"
#include "base/time.h"
#include "broker/client.h"
#include "wire/read.h"

static struct og_arena *arena_of(struct og_answer *a)
{
    return &((struct og_answer_memory *)a->memory)->arena;
}

/* Returns the rows of a list of an answer that was decoded. They belong to the answer, and may be changed. */
static cJSON *rows_of(struct og_answer *a, const char *key)
{
    return (cJSON *)(uintptr_t)og_wire_list(((struct og_answer_memory *)a->memory)->doc, key);
}

/* Write {"key":rows,...} into the answer: up to two lists; more NULL: one. */
static enum og_status make(struct og_answer *to, int64_t asked_at, const char *key, const cJSON *rows, const char *more,
                           const cJSON *more_rows, struct og_error *err)
{
    struct og_answer_memory *memory = og_answer_memory(to);
    struct og_buf *b;

    if (!memory)
        return og_fail(err, OG_ENOMEM, "out of memory");
    b = &memory->body;
    og_buf_format(b, "{\"%s\":", key);
    if (!og_doc_text(rows, b))
        b->bad = true;
    if (more) {
        og_buf_format(b, ",\"%s\":", more);
        if (!og_doc_text(more_rows, b))
            b->bad = true;
    }
    og_buf_char(b, '}');
    return og_answer_made(to, asked_at, err);
}

/* --- positions and P&L -------------------------------------------------------------------------------------------- */

/* the members of a P&L row that a position gets; the others are in the position too */
static const char *const figures[] = { "exposure",         "realizedPnl", "unrealizedPnL", "dayRealizedPnl",
                                       "dayUnrealizedPnL", "pctPnLMove",  "dayPctPnLMove" };

struct join {
    const struct og_positions *held;
    const struct og_pnl_detail *pnl;
    size_t *lot;     /* of each position: 1 + the number of its row in pnl, 0 if it has none */
    const char **by; /* of each position: the member by which the row was found */
    bool *used;      /* of each row in pnl: it is some position's */
};

static void pair(struct join *j, size_t position, size_t lot, const char *by)
{
    j->lot[position] = 1 + lot;
    j->by[position] = by;
    j->used[lot] = true;
}

static const char *name_of(const struct og_position_info *p)
{
    return p->traded_symbol ? p->traded_symbol : p->symbol;
}

/* Find the row of a position that has none with its id, by its name. A row counts only if no position has its id and
 * the lot is open, and the name only if there is one such position and one such row. */
static void find_by_name(struct join *j, size_t position)
{
    const char *name = name_of(&j->held->row[position]);
    size_t lots = 0, positions = 0, found = 0;

    for (size_t i = 0; i < j->held->count; i++)
        positions += j->lot[i] == 0 && og_same_word(name_of(&j->held->row[i]), name);
    for (size_t i = 0; i < j->pnl->count; i++)
        if (!j->used[i] && og_same_word(j->pnl->row[i].symbol, name) &&
            og_money_cmp(j->pnl->row[i].exposure, og_money_from(0)) != 0) {
            lots++;
            found = i;
        }
    if (lots == 1 && positions == 1)
        pair(j, position, found, j->held->row[position].traded_symbol ? "tradedSymbol" : "symbol");
}

static void find_rows(struct join *j)
{
    for (size_t i = 0; i < j->held->count; i++)
        for (size_t k = 0; k < j->pnl->count && j->lot[i] == 0; k++)
            if (!j->used[k] && og_same_word(j->held->row[i].position_id, j->pnl->row[k].position_id))
                pair(j, i, k, "positionId");
    for (size_t i = 0; i < j->held->count; i++)
        if (j->lot[i] == 0)
            find_by_name(j, i);
}

static enum og_status join_pnl(struct og_positions *held, struct og_pnl_detail *pnl, struct og_answer *to,
                               struct og_error *err)
{
    struct og_arena *arena = arena_of(&held->answer);
    cJSON *positions = rows_of(&held->answer, "positions"), *lots = rows_of(&pnl->answer, "pnl"),
          *row = positions->child;
    struct join j = { .held = held,
                      .pnl = pnl,
                      .lot = og_arena_take(arena, (held->count + 1) * sizeof *j.lot),
                      .by = og_arena_take(arena, (held->count + 1) * sizeof *j.by),
                      .used = og_arena_take(arena, (pnl->count + 1) * sizeof *j.used) };

    if (!j.lot || !j.by || !j.used)
        return og_fail(err, OG_ENOMEM, "out of memory");
    find_rows(&j);
    for (size_t i = 0; i < held->count; i++, row = row->next) {
        const cJSON *lot = j.lot[i] ? cJSON_GetArrayItem(lots, (int)j.lot[i] - 1) : NULL;

        for (size_t k = 0; k < sizeof figures / sizeof *figures; k++) {
            const cJSON *figure = og_doc_get(lot, figures[k]);

            og_doc_put(row, figures[k], figure ? cJSON_Duplicate(figure, true) : cJSON_CreateNull());
        }
        og_doc_put_text(row, "pnlBy", j.by[i]);
    }
    for (size_t k = pnl->count; k-- > 0;)
        if (j.used[k])
            cJSON_DeleteItemFromArray(lots, (int)k);
    return make(to, held->answer.asked_at, "positionPnl", positions, "otherPnl", lots, err);
}

enum og_status og_client_position_pnl(struct og_client *c, const char *account, struct og_answer *to,
                                      struct og_error *err)
{
    struct og_positions held = { 0 };
    struct og_pnl_detail pnl = { 0 };
    enum og_status status;

    if (!c || !to)
        return og_missing(err);
    status = og_client_positions(c, account, &held, err);
    if (status == OG_OK)
        status = og_client_pnl(c, account, &pnl, err);
    if (status == OG_OK)
        status = join_pnl(&held, &pnl, to, err);
    og_answer_clear(&held.answer);
    og_answer_clear(&pnl.answer);
    return status;
}

/* --- closed positions, added up ----------------------------------------------------------------------------------- */

struct total { /* the records of one symbol, or of one contract */
    const struct og_position_info *first;
    const char *side; /* "Both" if they are not all of one side */
    const char *created, *updated;
    struct og_money shares_in, shares_out, realized;
    int records;
};

static bool add_record(struct total *t, const struct og_position_info *r)
{
    if (t->records++ == 0)
        *t = (struct total){ r, r->side, r->created, r->updated, r->shares_in, r->shares_out, r->realized, 1 };
    else if (!og_money_add(t->shares_in, r->shares_in, &t->shares_in) ||
             !og_money_add(t->shares_out, r->shares_out, &t->shares_out) ||
             !og_money_add(t->realized, r->realized, &t->realized))
        return false;
    if (!og_same_word(t->side, r->side))
        t->side = "Both";
    /* both are of one form, with the zone +00:00, so that texts are in the sequence of their times */
    if (r->created && (!t->created || strcmp(r->created, t->created) < 0))
        t->created = r->created;
    if (r->updated && (!t->updated || strcmp(r->updated, t->updated) > 0))
        t->updated = r->updated;
    return true;
}

static void put_total(cJSON *list, const struct total *t)
{
    cJSON *row = og_doc_object();

    og_doc_put_text(row, "symbol", t->first->symbol);
    og_doc_put_text(row, "tradedSymbol", t->first->traded_symbol);
    og_doc_put_text(row, "securityType", t->first->security_type);
    og_doc_put_text(row, "side", t->side);
    og_doc_put_int(row, "records", t->records);
    og_doc_put_money(row, "sharesIn", t->shares_in);
    og_doc_put_money(row, "sharesOut", t->shares_out);
    og_doc_put_money(row, "realized", t->realized);
    og_doc_put_text(row, "createdDate", t->created);
    og_doc_put_text(row, "updatedDate", t->updated);
    if (!cJSON_AddItemToArray(list, row))
        cJSON_Delete(row);
}

static enum og_status add_up(struct og_positions *closed, struct og_answer *to, struct og_error *err)
{
    struct total *total = og_arena_take(arena_of(&closed->answer), (closed->count + 1) * sizeof *total);
    cJSON *list = og_doc_array();
    size_t totals = 0;
    enum og_status status = total && list ? OG_OK : og_fail(err, OG_ENOMEM, "out of memory");

    for (size_t i = 0; i < closed->count && status == OG_OK; i++) {
        const struct og_position_info *r = &closed->row[i];
        size_t k = 0;

        while (k < totals && !(og_same_word(name_of(total[k].first), name_of(r)) &&
                               og_same_word(total[k].first->security_type, r->security_type)))
            k++;
        totals += k == totals;
        if (!add_record(&total[k], r))
            status = og_client_unreadable(OG_ENDPOINT_CLOSED, &closed->answer, err,
                                          "the records of '%s' add up to more "
                                          "than can be computed",
                                          name_of(r));
    }
    for (size_t k = 0; k < totals && status == OG_OK; k++)
        put_total(list, &total[k]);
    if (status == OG_OK)
        status = make(to, closed->answer.asked_at, "closedTotals", list, NULL, NULL, err);
    cJSON_Delete(list);
    return status;
}

enum og_status og_client_closed_totals(struct og_client *c, const char *account, struct og_answer *to,
                                       struct og_error *err)
{
    struct og_positions closed = { 0 };
    enum og_status status;

    if (!c || !to)
        return og_missing(err);
    status = og_client_closed(c, account, &closed, err);
    if (status == OG_OK)
        status = add_up(&closed, to, err);
    og_answer_clear(&closed.answer);
    return status;
}
