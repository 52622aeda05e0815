/*
 * Parses orders: one strict pass that keeps every field as given, after the fast path (order/parse_fast.c).
 * If a line is not JSON, or has duplicate or too many keys, the order has a fault, which rule order-form reports; wrong
 * types and values are recorded for other rules.
 */
#include <string.h>

#include "base/attributes.h"
#include "order/fields.h"
#include "order/key_meant.h"
#include "order/keys.h"
#include "order/order.h"
#include "order/parse_fast.h"
#include "order/request.h"
#include "text/json.h"

#define KEYS_MOST 64 /* maximum number of unknown keys of one object; an order of the service has 12 keys */

struct seen {
    struct og_str name[KEYS_MOST];
    int count;
};

/* Remember a key.  Returns false if the object has it already.  *full: the object has more than KEYS_MOST. */
static bool seen_add(struct seen *seen, struct og_str name, bool *full)
{
    for (int i = 0; i < seen->count; i++)
        if (og_str_eq(seen->name[i], name))
            return false;
    *full = seen->count == KEYS_MOST;
    if (!*full)
        seen->name[seen->count++] = name;
    return true;
}

static bool set_fault(struct og_order *o, enum og_order_fault why, const char *text, size_t at, struct og_str key)
{
    if (!o->fault) {
        o->fault = why;
        o->fault_text = text;
        o->fault_at = at;
        o->fault_key = key;
    }
    return false;
}

static bool set_json_fault(struct og_order *o, const struct og_json *r)
{
    return set_fault(o, OG_FAULT_NOT_JSON, r->fault, r->fault_at, (struct og_str){ 0 });
}

static size_t offset(const struct og_json *r)
{
    return (size_t)(r->at - r->start);
}

/* Skip the value of an unknown key; duplicate keys inside the value are a fault too.  Returns false at a fault. */
static bool skip_value(struct og_order *o, struct og_json *r, enum og_json_kind kind)
{
    struct seen seen;
    bool full = false;

    seen.count = 0;
    if (kind != OG_JSON_OBJECT && kind != OG_JSON_ARRAY)
        return kind != OG_JSON_FAULT || set_json_fault(o, r);
    for (;;) {
        enum og_json_kind k = og_json_next(r);
        if (k == OG_JSON_OBJECT_END || k == OG_JSON_ARRAY_END)
            return true;
        if (k == OG_JSON_KEY) {
            if (!seen_add(&seen, r->text, &full)) {
                o->fault_in = -1;
                return set_fault(o, OG_FAULT_DUPLICATE_KEY, "a key stands twice in one object", offset(r), r->text);
            }
            k = og_json_next(r);
        }
        if (!skip_value(o, r, k))
            return false;
    }
}

/* Terminate a string with a NUL. In the copy of the line, the NUL replaces the closing quote, which was read before. In
 * the spill buffer there is room for it, because the escapes were longer than what they stand for. */
static struct og_str terminate(struct og_order *o, struct og_json *r, struct og_str s)
{
    if (s.s >= o->line.s && s.s + s.len < o->line.s + o->line.len) {
        o->line.s[(size_t)(s.s - o->line.s) + s.len] = '\0';
    } else if (r->spill_len < r->spill_cap) {
        r->spill[r->spill_len++] = '\0';
    }
    return s;
}

/* Returns why og_money cannot represent a number: it is 10^17 or more, or it has too many decimals. */
static enum og_field_status inexact_status(struct og_str t)
{
    long exponent = 0, lead = 0;
    bool negative_exponent = false, point = false, digit = false;
    size_t i = t.len && t.s[0] == '-' ? 1 : 0;

    for (; i < t.len && t.s[i] != 'e' && t.s[i] != 'E'; i++) {
        if (t.s[i] == '.') {
            point = true;
        } else if (digit || t.s[i] != '0') {
            digit = true;
            lead += point ? 0 : 1;
        } else if (point) {
            lead--;
        }
    }
    for (i++; i < t.len; i++) {
        if (t.s[i] == '-' || t.s[i] == '+')
            negative_exponent = t.s[i] == '-';
        else if (exponent < 100000000)
            exponent = exponent * 10 + (t.s[i] - '0');
    }
    lead += negative_exponent ? -exponent : exponent;
    return lead > 17 ? OG_TOO_LARGE : OG_TOO_FINE;
}

/* A key and the first token of its value. */
struct member {
    struct og_str key, text; /* text: of a string, a number, true, false or null */
    enum og_json_kind kind;
    size_t at; /* byte offset behind the key's colon, for the place of a fault */
};

/* Record a value of the wrong JSON type, which the rules will report, and skip it.  Returns false at a fault inside
 * it. */
static bool record_wrong_type(struct og_order *o, struct og_json *r, const struct member *m, struct og_field *field)
{
    o->plain = false;
    field->status = OG_WRONG_TYPE;
    field->json_type = og_json_type_name(m->kind, m->text);
    if (m->kind == OG_JSON_STRING)
        field->text = terminate(o, r, m->text);
    else if (m->kind == OG_JSON_NUMBER)
        field->text = m->text;
    return skip_value(o, r, m->kind);
}

/* Returns how much an unknown key matters: 2 if a key that only ordergate reads was meant, 1 if a key that is posted
 * was meant, 0 if it resembles no key. */
static int weight(const struct og_unknown_key *u)
{
    const int meant = og_key_meant(u->name, u->leg >= 0);

    return meant < 0 ? 0 : u->leg < 0 && og_key_is_ours(meant) ? 2 : 1;
}

/* Keep an unknown key. If the maximum number of keys is kept already, the key replaces the last of them if it matters
 * more. */
static void remember_unknown(struct og_order *o, struct og_str name, int leg)
{
    const struct og_unknown_key key = { .name = name, .leg = leg };
    struct og_unknown_key *last = &o->unknown[OG_UNKNOWN_KEPT - 1];

    if (o->unknown_count < OG_UNKNOWN_KEPT)
        o->unknown[o->unknown_count] = key;
    else if (weight(&key) > weight(last))
        *last = key;
    o->unknown_count++;
}

static bool is_in_digits(struct og_str number)
{
    for (size_t i = 0; i < number.len; i++)
        if (number.s[i] == '.' || number.s[i] == 'e' || number.s[i] == 'E')
            return false;
    return true;
}

/* Record a number that og_money cannot represent. */
static void record_inexact(struct og_order *o, struct og_field *field)
{
    field->status = inexact_status(field->text);
    o->plain = false;
}

/* Mark a field as wrong if its string is none of the enum's values (value 0). */
static void check_value(struct og_order *o, struct og_field *field, unsigned value)
{
    if (!value) {
        field->status = OG_WRONG_VALUE;
        o->plain = false;
    }
}

#define STORE_WORD(id, member, e)                             \
    case OG_KEY_##id:                                         \
        check_value(o, field, o->member = og_##e##_of(text)); \
        break;
#define STORE_SYMBOL(...)
#define STORE_TEXT(...)
#define STORE_READ(...)
#define STORE_WHOLE(...)
#define STORE_NUMBER(...)
#define STORE_LEGS(...)
#define STORE_OP(...)
static void store_text(struct og_order *o, unsigned key, struct og_str text)
{
    struct og_field *field = &o->field[key];

    og_field_set(field, text);
    switch (key) {
#define OG_FIELD(id, name, second, sixth, leg, required, sent, kind, ...) STORE_##kind(id, __VA_ARGS__)
#include "order/fields.def"
    default: check_value(o, field, og_field_set_string(o, key, text) || key == OG_KEY_OP);
    }
}

static void store_leg_text(struct og_order *o, struct og_leg *leg, unsigned key, struct og_str text)
{
    struct og_field *field = &leg->field[key];

    og_field_set(field, text);
    switch (key) {
    case OG_LEG_SIDE: check_value(o, field, leg->side = og_side_of(text)); break;
    case OG_LEG_OPEN_CLOSE: check_value(o, field, leg->open_close = og_open_close_of(text)); break;
    default: og_field_set_leg_symbol(leg, text);
    }
}

static bool read_leg_value(struct og_order *o, struct og_json *r, struct og_leg *leg, unsigned key,
                           const struct member *m)
{
    bool number = OG_LEG_NUMBER_KEYS >> key & 1;
    struct og_money value;
    bool exact;

    if (m->kind != (number ? OG_JSON_NUMBER : OG_JSON_STRING))
        return record_wrong_type(o, r, m, &leg->field[key]);
    if (!number) {
        store_leg_text(o, leg, key, terminate(o, r, m->text));
        return true;
    }
    exact = og_money_read(m->text.s, m->text.len, &value);
    og_field_set_ratio(leg, m->text, value);
    if (!exact)
        record_inexact(o, &leg->field[key]);
    return true;
}

/* Read the next member.  Returns KEY; another kind if the object ends or has a fault. */
static enum og_json_kind next_member(struct og_json *r, struct member *m)
{
    enum og_json_kind kind = og_json_next(r);

    m->key = r->text;
    m->at = offset(r);
    m->kind = kind == OG_JSON_KEY ? og_json_next(r) : kind;
    m->text = r->text;
    return kind;
}

/* Set the fault of a key that occurs twice; leg: the leg that has it, -1: the order itself. */
static bool duplicate_key(struct og_order *o, const struct member *m, int leg)
{
    o->fault_in = leg + 1;
    return set_fault(o, OG_FAULT_DUPLICATE_KEY,
                     leg < 0 ? "a key stands twice in the order" : "a key stands twice in one leg", m->at, m->key);
}

/* Store an unknown key for reason field-unknown, and skip its value. */
static bool read_unknown(struct og_order *o, struct og_json *r, struct seen *seen, const struct member *m, int leg)
{
    bool full = false;

    o->plain = false;
    if (!seen_add(seen, m->key, &full))
        return duplicate_key(o, m, leg);
    if (full)
        return set_fault(o, OG_FAULT_TOO_MANY_KEYS,
                         leg < 0 ? "an order with more than 64 keys we do not know"
                                 : "a leg with more than 64 keys we do not know",
                         m->at, m->key);
    if (leg < 0 && og_str_is(m->key, "orderId"))
        o->has_order_id = true;
    else
        remember_unknown(o, m->key, leg);
    return skip_value(o, r, m->kind);
}

static bool read_leg(struct og_order *o, struct og_json *r, enum og_json_kind kind, struct og_leg *leg, int index)
{
    struct seen seen;
    struct member m;
    unsigned known = 0;

    seen.count = 0;
    og_zero(leg, sizeof *leg);
    leg->json_type = og_json_type_name(kind, r->text);
    leg->is_object = kind == OG_JSON_OBJECT;
    if (!leg->is_object)
        return skip_value(o, r, kind);
    while ((kind = next_member(r, &m)) == OG_JSON_KEY) {
        const struct og_key_name *name = og_key_named(m.key);
        unsigned bit = name ? name->in_leg : 0;

        if (known & bit)
            return duplicate_key(o, &m, index);
        if (m.kind == OG_JSON_FAULT)
            return set_json_fault(o, r);
        if (!bit ? !read_unknown(o, r, &seen, &m, index) : !read_leg_value(o, r, leg, name->leg_key, &m))
            return false;
        known |= bit;
    }
    return kind == OG_JSON_OBJECT_END || set_json_fault(o, r);
}

static bool read_legs(struct og_order *o, struct og_json *r, enum og_json_kind kind)
{
    struct og_field *field = &o->field[OG_KEY_LEGS];
    struct og_leg spare;

    field->json_type = og_json_type_name(kind, r->text);
    field->status = kind == OG_JSON_ARRAY ? OG_VALID : OG_WRONG_TYPE;
    o->plain &= kind == OG_JSON_ARRAY;
    if (kind != OG_JSON_ARRAY)
        return skip_value(o, r, kind);
    for (;;) {
        kind = og_json_next(r);
        if (kind == OG_JSON_ARRAY_END)
            return true;
        if (kind == OG_JSON_FAULT)
            return set_json_fault(o, r);
        if (!read_leg(o, r, kind, o->leg_count < OG_LEGS_KEPT ? &o->leg[o->leg_count] : &spare, o->leg_count))
            return false;
        o->leg_count++;
        o->legs_kept = o->leg_count < OG_LEGS_KEPT ? o->leg_count : OG_LEGS_KEPT;
    }
}

static enum og_op op_of(struct og_str s)
{
    static const char *const names[] = { "order", "cancel", "quote", "facts", "heartbeat" };

    for (int i = 0; i < 5; i++)
        if (og_str_is(s, names[i]))
            return (enum og_op)i;
    return og_str_is(s, "basket") ? OG_OP_BASKET : og_request_op(s, NULL) ? OG_OP_REQUEST : OG_OP_OTHER;
}

static bool read_op(struct og_order *o, const struct og_field *field, size_t at)
{
    o->op = field->status == OG_VALID ? op_of(field->text) : OG_OP_OTHER;
    if (o->op == OG_OP_OTHER)
        return set_fault(o, OG_FAULT_OP, "op is not order, cancel, basket, locate-*, read, quote, facts or heartbeat",
                         at, field->text);
    return true;
}

static bool read_value(struct og_order *o, struct og_json *r, unsigned key, const struct member *m)
{
    struct og_field *field = &o->field[key];
    bool number = OG_NUMBER_KEYS >> key & 1;
    struct og_money value;
    bool exact;

    if (key == OG_KEY_LEGS)
        return read_legs(o, r, m->kind);
    if (m->kind != (number ? OG_JSON_NUMBER : OG_JSON_STRING))
        return record_wrong_type(o, r, m, field) && (key != OG_KEY_OP || read_op(o, field, offset(r)));
    if (!number) {
        store_text(o, key, terminate(o, r, m->text));
        return key != OG_KEY_OP || read_op(o, field, offset(r));
    }
    exact = og_money_read(m->text.s, m->text.len, &value);
    og_field_set_number(o, key, m->text, value);
    if (key == OG_KEY_ORDER_QUANTITY)
        o->in_digits = is_in_digits(m->text);
    if (!exact)
        record_inexact(o, field);
    return true;
}

/* Read the members behind those that the fast path has read (o->keys). */
static bool read_members(struct og_order *o, struct og_json *r)
{
    struct seen seen;
    struct member m;
    enum og_json_kind kind;

    seen.count = 0;
    while ((kind = next_member(r, &m)) == OG_JSON_KEY) {
        const struct og_key_name *name = og_key_named(m.key);
        unsigned bit = name ? name->in_order : 0;

        if (o->keys & bit)
            return duplicate_key(o, &m, -1);
        if (m.kind == OG_JSON_FAULT)
            return set_json_fault(o, r);
        if (!bit ? !read_unknown(o, r, &seen, &m, -1) : !read_value(o, r, name->key, &m))
            return false;
        o->keys |= bit;
    }
    return (kind == OG_JSON_OBJECT_END && og_json_next(r) == OG_JSON_END) || set_json_fault(o, r);
}

static void read_json(struct og_order *o, struct og_json *r, const char *from)
{
    enum og_json_kind kind = og_json_next(r);
    bool object = kind == OG_JSON_OBJECT;

    if (o->keys)
        og_json_passed(r, from);
    o->plain &= object && read_members(o, r);
    if (object)
        return;
    if (kind == OG_JSON_FAULT || !skip_value(o, r, kind) || og_json_next(r) != OG_JSON_END)
        set_json_fault(o, r);
    else
        set_fault(o, OG_FAULT_NOT_OBJECT, og_json_type_name(kind, r->text), 0, (struct og_str){ 0 });
}

/* Read the rest of the line with the full parser, from the place where the fast path stopped. */
static __attribute__((noinline)) bool read_rest(struct og_order *o, const char *bytes, size_t len, char *from)
{
    size_t done = (size_t)(from - o->line.s);
    struct og_json json;

    og_buf_reset(&o->spill);
    if (!og_buf_reserve(&o->spill, len + 1)) /* reserve room for every string and its NUL */
        return false;
    if (len)
        memcpy(from, bytes + done, len - done);
    og_json_init(&json, o->line.s, len, o->spill.s, o->spill.cap);
    read_json(o, &json, from);
    return true;
}

/* Copy the line, followed by the zero bytes that the fast path needs. */
static inline bool copy_line(struct og_order *o, const char *bytes, size_t len)
{
    if (!og_buf_reserve(&o->line, len + OG_PARSE_SPARE))
        return false;
    if (len)
        memcpy(o->line.s, bytes, len);
    memset(o->line.s + len, 0, OG_PARSE_SPARE);
    o->line.len = len;
    return true;
}

OG_HOT enum og_status og_order_read(struct og_order *o, const char *bytes, size_t len)
{
    bool ok;
    char *rest;

    if (!o || !bytes)
        return OG_EINVAL;
    og_order_clear(o);
    if (len > OG_LINE_MOST) {
        set_fault(o, OG_FAULT_LINE_TOO_LONG, "a line of more than 1 MiB", OG_LINE_MOST, (struct og_str){ 0 });
        return OG_OK;
    }
    ok = copy_line(o, bytes, len);
    if (ok) {
        o->plain = true;
        rest = og_order_parse_fast(o);
        ok = !rest || read_rest(o, bytes, len, rest);
    }
    if (!ok) {
        og_order_clear(o);
        return OG_ENOMEM;
    }
    if (o->security == OG_OPTION || o->security == OG_STOCK)
        og_occ_read(o->symbol, &o->occ);
    return OG_OK;
}
