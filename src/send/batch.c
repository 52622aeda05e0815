/*
 * Makes the ids of a batch's lines. Equal lines of a run are numbered, so that each is an order of its own. Earlier
 * versions made the id from the place of a line instead: what they sent is recognised, so that it is not sent again.
 */
#include "send/batch.h"

#include <stdlib.h>

#include "base/error.h"
#include "base/hash.h"
#include "order/order.h"
#include "send/sender.h"

enum {
    FILES_TRIED = 8, /* how many indexes of files, from 0, an earlier version may have given to the line's file */
    LINES_TRIED = 64 /* by how many lines the line may have moved since */
};

/* --- numbers by key ----------------------------------------------------------------------------------------------- */

static struct og_tally_slot *slot_of(const struct og_tally *t, uint64_t key)
{
    size_t at = (size_t)key & (t->cap - 1);

    while (t->slot[at].key != 0 && t->slot[at].key != key)
        at = (at + 1) & (t->cap - 1);
    return &t->slot[at];
}

static bool grow(struct og_tally *t)
{
    struct og_tally more = { .cap = t->cap ? 2 * t->cap : 64, .count = t->count };

    if (!(more.slot = calloc(more.cap, sizeof *more.slot)))
        return false;
    for (size_t i = 0; i < t->cap; i++)
        if (t->slot[i].key != 0)
            *slot_of(&more, t->slot[i].key) = t->slot[i];
    free(t->slot);
    *t = more;
    return true;
}

/* Returns the number of a text, which is 0 if the text is new; NULL if out of memory. */
static unsigned *number_of(struct og_tally *t, struct og_str text)
{
    uint64_t key = og_hash(text, 0);
    struct og_tally_slot *slot;

    if (2 * t->count >= t->cap && !grow(t))
        return NULL;
    slot = slot_of(t, key != 0 ? key : 1);
    if (slot->key == 0) {
        slot->key = key != 0 ? key : 1;
        t->count++;
    }
    return &slot->number;
}

/* Returns the number of a text; NULL if the text is new. */
static unsigned *number_if(const struct og_tally *t, struct og_str text)
{
    uint64_t key = og_hash(text, 0);
    struct og_tally_slot *slot = t->cap ? slot_of(t, key != 0 ? key : 1) : NULL;

    return slot && slot->key != 0 ? &slot->number : NULL;
}

void og_batch_ids_clear(struct og_batch_ids *b)
{
    free(b->lines.slot);
    free(b->used.slot);
    free(b->older.slot);
    *b = (struct og_batch_ids){ .read = false };
}

/* --- the id of a line --------------------------------------------------------------------------------------------- */

bool og_send_batch_id(struct og_sender *s, struct og_waiting *w)
{
    struct og_str terms = { w->bytes, w->len };
    unsigned *nth;
    struct og_buf b;
    bool ok = false;

    og_buf_init(&b, 0);
    if (og_order_write(s->order, true, &b)) /* otherwise the line's bytes stand for what cannot be written */
        terms = (struct og_str){ b.s, b.len };
    if (!b.bad && (nth = number_of(&s->lines.batch.lines, terms)))
        ok = og_ident_of_terms(s->options.batch, ++*nth, terms, &w->id);
    og_buf_clear(&b);
    return ok;
}

/* --- ids that an earlier version made ----------------------------------------------------------------------------- */

/* Returns true if an earlier version may have made the id for a batch. Until 2039, ids that start with a time have the
 * first characters 01; an id of a batch has them by chance only. */
static bool may_be_older(struct og_str id)
{
    return strncmp(id.s, OG_IDENT_OF_BATCH, strlen(OG_IDENT_OF_BATCH)) != 0 && strncmp(id.s, "01", 2) != 0;
}

/* Append the order's body without its id. Returns false if it cannot be written. */
static bool write_without_id(struct og_order *o, struct og_buf *b)
{
    struct og_field *id = &o->field[OG_KEY_CLIENT_ORDER_ID];
    const enum og_field_status status = id->status;
    bool ok;

    id->status = OG_ABSENT;
    ok = og_order_write(o, false, b);
    id->status = status;
    return ok;
}

struct reading {
    struct og_sender *sender;
    struct og_order *order; /* the order whose body is being read */
    bool failed;            /* out of memory */
};

/* Note the body of an order whose id an earlier version may have made for a batch. */
static void note_older(struct reading *r, struct og_str account, struct og_str id)
{
    struct og_batch_ids *to = &r->sender->lines.batch;
    struct og_buf body, terms;
    unsigned *number;

    og_buf_init(&body, 0);
    og_buf_init(&terms, 0);
    if (og_ledger_body(r->sender->ledger, account, id, &body, NULL) != OG_OK || body.len == 0 ||
        og_order_read(r->order, body.s, body.len) != OG_OK || !write_without_id(r->order, &terms))
        to->older_lacks = true;
    else if (!(number = number_of(&to->older, (struct og_str){ terms.s, terms.len })))
        r->failed = true;
    else
        *number = 1;
    og_buf_clear(&body);
    og_buf_clear(&terms);
}

/* An og_ledger_id callback. */
static void on_used(void *with, struct og_str account, struct og_str id)
{
    struct reading *r = with;
    unsigned *number;

    if (id.len != OG_IDENT_LEN)
        return;
    if (!(number = number_of(&r->sender->lines.batch.used, id))) {
        r->failed = true;
        return;
    }
    *number = 1;
    if (may_be_older(id))
        note_older(r, account, id);
}

/* Read which ids the ledger has. Returns false if the run ends, or posts no more orders. */
static bool read_used(struct og_sender *s)
{
    struct og_batch_ids *b = &s->lines.batch;
    const char *account = s->options.account ? s->options.account : s->settings.account;
    struct reading r = { s, NULL, false };
    struct og_error err = { 0 };
    enum og_status status;

    if (b->read)
        return true;
    if (!(r.order = og_order_new())) {
        og_send_fatal(s, 4, &err);
        return false;
    }
    status = og_ledger_used_ids(s->ledger, account, on_used, &r, &err);
    og_order_free(r.order);
    if (status != OG_OK)
        og_send_bar(s, &err);
    else if (r.failed)
        og_send_fatal(s, 4, &err);
    b->read = status == OG_OK && !r.failed;
    return b->read;
}

/* Returns true if the ledger has, or may have, an order with the terms of the line's order (s->order) under an id that
 * an earlier version may have made for a batch. */
static bool has_older(struct og_sender *s)
{
    const struct og_batch_ids *b = &s->lines.batch;
    struct og_buf terms;
    bool has;

    og_buf_init(&terms, 0);
    has = b->older_lacks || !write_without_id(s->order, &terms) ||
          number_if(&b->older, (struct og_str){ terms.s, terms.len });
    og_buf_clear(&terms);
    return has;
}

/* Give the line the id that an earlier version made for it if it stood there. Returns false if the ledger lacks that
 * id, or another line of this run has it. */
static bool stood_at(struct og_sender *s, struct og_waiting *w, int file, long long line)
{
    struct og_ident id;
    unsigned *number;

    if (line < 1 || !og_ident_of_place(s->options.batch, file, line, (struct og_str){ w->bytes, w->len }, &id) ||
        !(number = number_if(&s->lines.batch.used, og_str_of(id.s))) || *number == 0)
        return false;
    *number = 0;
    w->id = id;
    w->makes = og_orders_hash(og_str_of(id.s));
    return true;
}

bool og_send_batch_recall(struct og_sender *s, struct og_waiting *w)
{
    const struct og_origin at = w->origin;

    if (w->recalled || !s->ledger || !s->options.batch || w->id.s[0] == '\0')
        return true;
    w->recalled = true;
    if (!read_used(s))
        return s->fatal == 0;
    if (number_if(&s->lines.batch.used, og_str_of(w->id.s)) || stood_at(s, w, at.file, at.line) || !has_older(s))
        return true;
    for (long long moved = 0; moved <= LINES_TRIED; moved++)
        for (int file = -1; file < FILES_TRIED; file++)
            if (stood_at(s, w, file, at.line + moved) || (moved > 0 && stood_at(s, w, file, at.line - moved)))
                return true;
    return true;
}
