/*
 * Packs working orders into few bytes: there may be hundreds of thousands, and to touch new memory costs more time than
 * to decide an order.  An order is packed as fields if setters (src/order/order.c) can restore it exactly, and as
 * JSON if they cannot.
 */
#include <endian.h>

#include "order/order.h"

enum { PACKED_JSON = 'J', PACKED_FIELDS = 'F', PACKED_TAG_SET = 0x20 /* added if order.tag_set */ };

/* The head has the form, the number of legs, and a bit for each field that is present. The fields follow in the
 * sequence of their keys: an enum as one byte (always), a text with its NUL. The legs come last. */
struct head {
    unsigned char form, legs, fields[3];
};
_Static_assert(OG_KEYS <= 24, "the head has a bit for each field: give it another byte");
enum {
    NUMBER_MOST = 9,
    SCALE_BITS = 5
}; /* A number is one byte with its scale and its length minus one, followed by the bytes of the value. */

/* The fields that setters restore. */
enum {
#define PACKED_WORD   1
#define PACKED_SYMBOL 1
#define PACKED_TEXT   1
#define PACKED_WHOLE  1
#define PACKED_NUMBER 1
#define PACKED_LEGS   1
#define PACKED_READ   0
#define PACKED_OP     0
    PACKABLE = 0
#define OG_FIELD(id, name, second, sixth, leg, required, sent, kind, ...) | PACKED_##kind << OG_KEY_##id
#include "order/fields.def"
};

static bool is_whole(struct og_money m, int64_t most)
{
    return m.scale == 0 && m.coef <= most && m.coef >= -most;
}

static bool leg_fits(const struct og_leg *leg)
{
    for (int k = 0; k < OG_LEG_KEYS; k++)
        if (leg->field[k].status > OG_VALID)
            return false;
    return leg->is_object && leg->field[OG_LEG_SYMBOL].status && leg->field[OG_LEG_RATIO].status &&
           is_whole(leg->ratio_value, 1000000);
}

/* Returns a bit for each field that is present; -1 if some field is not valid. */
static int present_fields(const struct og_order *o)
{
    int fields = 0;

    if (o->plain)
        return (int)o->keys;
    for (int k = 0; k < OG_KEYS; k++) {
        if (o->field[k].status > OG_VALID)
            return -1;
        fields |= o->field[k].status ? 1 << k : 0;
    }
    return fields;
}

/* Returns the keys that the order has, one bit each; -1 if the order cannot be restored from them by setters. */
static int packable_fields(const struct og_order *o)
{
    const int fields = present_fields(o);
    const bool legs = fields >> OG_KEY_LEGS & 1;

    if (fields < 0 || fields & ~PACKABLE || o->fault || o->unknown_count || o->has_order_id || o->op != OG_OP_ORDER ||
        !o->in_digits || o->leg_count != o->legs_kept || legs != (o->leg_count > 0))
        return -1;
    if (!o->quantity && !is_whole(o->quantity_value, 1000000)) /* `quantity` is set in nearly every order */
        return -1;
    for (int i = 0; i < o->legs_kept; i++)
        if (!leg_fits(&o->leg[i]))
            return -1;
    return fields;
}

static char *pack_number(char *to, struct og_money m)
{
    const uint64_t coef =
        (uint64_t)m.coef << 1 ^ (uint64_t)(m.coef >> 63); /* zigzag coding: small numbers of either sign take few
                                                           * bytes */
    const uint64_t in_order = htole64(coef);
    const unsigned more = (63 - (unsigned)__builtin_clzll(coef | 1)) / 8;

    *to = (char)((unsigned)m.scale | more << SCALE_BITS);
    memcpy(to + 1, &in_order, sizeof in_order); /* write eight bytes; the next field overwrites those that are not
                                                 * needed */
    return to + 2 + more;
}

static char *pack_text(char *to, struct og_str s)
{
    og_str_copy(to, s);
    to[s.len] = '\0';
    return to + s.len + 1;
}

static char *pack_leg(char *to, const struct og_leg *leg)
{
    *to++ = (char)leg->side;
    *to++ = (char)leg->open_close;
    to = pack_number(to, leg->ratio_value);
    return pack_text(to, leg->symbol);
}

#define MOST_WORD(...)        +1
#define MOST_WHOLE(...)       +NUMBER_MOST
#define MOST_NUMBER(...)      +NUMBER_MOST
#define MOST_TEXT(id, member) +(fields >> OG_KEY_##id & 1 ? o->member.len + 1 : 0)
#define MOST_SYMBOL           MOST_TEXT
#define MOST_READ(...)
#define MOST_LEGS(...)
#define MOST_OP(...)
static size_t packed_size_max(const struct og_order *o, int fields)
{
    size_t most = sizeof(struct head)
#define OG_FIELD(id, name, second, sixth, leg, required, sent, kind, ...) MOST_##kind(id, __VA_ARGS__)
#include "order/fields.def"
        ;

    for (int i = 0; i < o->legs_kept; i++)
        most += 2 + NUMBER_MOST + o->leg[i].symbol.len + 1;
    return most;
}

#define PACK_WORD(id, member, e)     *to++ = (char)o->member;
#define PACK_WHOLE(id, member, most) PACK_NUMBER(id, member##_value)
#define PACK_NUMBER(id, member)    \
    if (fields >> OG_KEY_##id & 1) \
        to = pack_number(to, o->member);
#define PACK_TEXT(id, member)      \
    if (fields >> OG_KEY_##id & 1) \
        to = pack_text(to, o->member);
#define PACK_SYMBOL PACK_TEXT
#define PACK_READ(...)
#define PACK_LEGS(...)
#define PACK_OP(...)
static void pack_fields(const struct og_order *o, int fields, struct og_buf *b)
{
    const struct head head = { (unsigned char)(PACKED_FIELDS | (o->tag_set ? PACKED_TAG_SET : 0)),
                               (unsigned char)o->legs_kept,
                               { (unsigned char)fields, (unsigned char)(fields >> 8), (unsigned char)(fields >> 16) } };
    char *to = b->s + b->len;

    memcpy(to, &head, sizeof head);
    to += sizeof head;
#define OG_FIELD(id, name, second, sixth, leg, required, sent, kind, ...) PACK_##kind(id, __VA_ARGS__)
#include "order/fields.def"
    for (int i = 0; i < o->legs_kept; i++)
        to = pack_leg(to, &o->leg[i]);
    b->len = (size_t)(to - b->s);
    *to = '\0';
}

static bool pack_json(const struct og_order *o, struct og_buf *b)
{
    size_t from;
    const char *end;

    og_buf_char(b, (char)(PACKED_JSON | (o->tag_set ? PACKED_TAG_SET : 0)));
    if (o->line.len == 0 || o->edited || o->fault)
        return og_order_write(o, true, b);
    from = b->len;
    og_buf_bytes(b, o->line.s, o->line.len);
    if (b->bad)
        return false;
    end = b->s + b->len;
    for (char *p = b->s + from; p < end; p++) /* restore the line: the parser has replaced closing quotes by NUL */
        *p = *p ? *p : '"';
    return true;
}

bool og_order_pack(const struct og_order *o, struct og_buf *b)
{
    int fields = packable_fields(o);

    if (fields < 0)
        return pack_json(o, b);
    if (!og_buf_reserve(b, packed_size_max(o, fields)))
        return false;
    pack_fields(o, fields, b);
    return true;
}

/* --- unpacking ---------------------------------------------------------------------------------------------------- */

static struct og_money unpack_number(const char **at)
{
    const unsigned char head = (unsigned char)*(*at)++;
    const size_t bytes = (size_t)(head >> SCALE_BITS) + 1;
    struct og_money m = { 0, head & ((1 << SCALE_BITS) - 1) };
    uint64_t coef = 0;

    memcpy(&coef, *at, bytes);
    *at += bytes;
    coef = le64toh(coef);
    m.coef = (int64_t)(coef >> 1) ^ -(int64_t)(coef & 1);
    return m;
}

static const char *unpack_text(const char **at)
{
    const char *s = *at;

    *at += strlen(s) + 1;
    return s;
}

static enum og_status unpack_leg(struct og_order *o, int i, const char **at)
{
    const enum og_side side = (enum og_side) * (*at)++;
    const enum og_open_close open_close = (enum og_open_close) * (*at)++;
    const int64_t ratio = unpack_number(at).coef;

    return og_order_set_leg(o, i, unpack_text(at), side, ratio, open_close);
}

static unsigned present_in(const struct head *head)
{
    return head->fields[0] | (unsigned)head->fields[1] << 8 | (unsigned)head->fields[2] << 16;
}

#define UNPACK_WORD(id, member, e) s = s ? s : og_order_set_##member(o, (enum og_##e) * at++);
#define UNPACK(id, member, value)        \
    if (!s && fields >> OG_KEY_##id & 1) \
        s = og_order_set_##member(o, value);
#define UNPACK_WHOLE(id, member, most) UNPACK(id, member, unpack_number(&at).coef)
#define UNPACK_NUMBER(id, member)      UNPACK(id, member, unpack_number(&at))
#define UNPACK_TEXT(id, member)        UNPACK(id, member, unpack_text(&at))
#define UNPACK_SYMBOL                  UNPACK_TEXT
#define UNPACK_READ(...)
#define UNPACK_LEGS(...)
#define UNPACK_OP(...)
static enum og_status unpack_fields(struct og_order *o, const char *at)
{
    struct head head;
    unsigned fields;
    enum og_status s = OG_OK;

    memcpy(&head, at, sizeof head);
    at += sizeof head;
    fields = present_in(&head);
    og_order_clear(o);
#define OG_FIELD(id, name, second, sixth, leg, required, sent, kind, ...) UNPACK_##kind(id, __VA_ARGS__)
#include "order/fields.def"
    for (int i = 0; i < head.legs && !s; i++)
        s = unpack_leg(o, i, &at);
    return s;
}

#define PEEK_WORD(id, member, e)     o->member = (enum og_##e) * at++;
#define PEEK_WHOLE(id, member, most) o->member = fields >> OG_KEY_##id & 1 ? unpack_number(&at).coef : 0;
#define PEEK_NUMBER(id, member) \
    o->member = fields >> OG_KEY_##id & 1 ? unpack_number(&at) : (struct og_money){ .coef = 0 };
#define PEEK_TEXT(id, member) \
    o->member = fields >> OG_KEY_##id & 1 ? og_str_of(unpack_text(&at)) : (struct og_str){ .len = 0 };
#define PEEK_SYMBOL PEEK_TEXT
#define PEEK_READ(...)
#define PEEK_LEGS(...)
#define PEEK_OP(...)
bool og_order_peek(struct og_order *o, const char *at)
{
    struct head head;
    unsigned fields;

    memcpy(&head, at, sizeof head);
    if ((head.form & ~PACKED_TAG_SET) == PACKED_JSON)
        return false;
    at += sizeof head;
    fields = present_in(&head);
#define OG_FIELD(id, name, second, sixth, leg, required, sent, kind, ...) PEEK_##kind(id, __VA_ARGS__)
#include "order/fields.def"
    for (o->legs_kept = 0; o->legs_kept < head.legs; o->legs_kept++) {
        struct og_leg *leg = &o->leg[o->legs_kept];

        leg->side = (enum og_side) * at++;
        leg->open_close = (enum og_open_close) * at++;
        leg->ratio = unpack_number(&at).coef;
        leg->symbol = og_str_of(unpack_text(&at));
    }
    return true;
}

enum og_status og_order_unpack(struct og_order *o, const char *packed, size_t len)
{
    const bool json = (*packed & ~PACKED_TAG_SET) == PACKED_JSON;
    enum og_status s = json ? og_order_read(o, packed + 1, len - 1) : unpack_fields(o, packed);

    o->tag_set = *packed & PACKED_TAG_SET;
    return s;
}
