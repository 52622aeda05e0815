/*
 * Bytes to an order: one strict pass that keeps every field as given.
 * It refuses what is not JSON, duplicate keys and more keys than an order can have (the order is then a fault, and
 * rule order-form says so); wrong types and values are recorded for the rules.
 */
#include "order/order.h"

#include "text/json.h"

#include <stdlib.h>
#include <string.h>

#include "base/banned.h"

#define KEYS_MOST 64 /* unknown keys of one object that are told apart; an order has 12 */

struct seen {
    struct og_str name[KEYS_MOST];
    int count;
};

/* Remember a key; false when it stood there before. *full: more keys than are told apart. */
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

static bool fault(struct og_order *o, enum og_order_fault why, const char *text, size_t at, struct og_str key)
{
    if (!o->fault) {
        o->fault = why;
        o->fault_text = text;
        o->fault_at = at;
        o->fault_key = key;
    }
    return false;
}

static bool json_fault(struct og_order *o, const struct og_json *r)
{
    return fault(o, OG_FAULT_NOT_JSON, r->fault, r->fault_at, (struct og_str){ 0 });
}

static size_t offset(const struct og_json *r)
{
    return (size_t)(r->at - r->start);
}

/* Skip a value that is not ours, still refusing duplicate keys in its objects. */
static bool skip(struct og_order *o, struct og_json *r, enum og_json_kind kind)
{
    struct seen seen = { .count = 0 };
    bool full = false;

    if (kind != OG_JSON_OBJECT && kind != OG_JSON_ARRAY)
        return kind != OG_JSON_FAULT || json_fault(o, r);
    for (;;) {
        enum og_json_kind k = og_json_next(r);
        if (k == OG_JSON_OBJECT_END || k == OG_JSON_ARRAY_END)
            return true;
        if (k == OG_JSON_KEY) {
            if (!seen_add(&seen, r->text, &full)) {
                o->fault_in = -1;
                return fault(o, OG_FAULT_DUPLICATE_KEY, "a key stands twice in one object", offset(r), r->text);
            }
            k = og_json_next(r);
        }
        if (!skip(o, r, k))
            return false;
    }
}

/* Strings get a NUL behind them: in our copy of the line the closing quote, already read, makes room;
 * in the spill the escapes that went away do. */
static struct og_str keep(struct og_order *o, struct og_json *r)
{
    struct og_str s = r->text;

    if (s.s >= o->line.s && s.s + s.len < o->line.s + o->line.len) {
        o->line.s[(size_t)(s.s - o->line.s) + s.len] = '\0';
    } else if (r->spill_len < r->spill_cap) {
        r->spill[r->spill_len++] = '\0';
    }
    return s;
}

/* Why a number has no og_money: its leading digit stands beyond 10^17, or it has too many decimals. */
static enum og_shape number_shape(struct og_str t)
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

static void read_number(struct og_cell *cell, struct og_str text, struct og_money *value)
{
    cell->text = text;
    cell->shape = og_money_read(text.s, text.len, value) ? OG_VALID : number_shape(text);
}

/* The whole number within 1..most that value is, else 0. */
static int64_t whole(struct og_money value, int64_t most)
{
    return value.scale == 0 && value.coef >= 1 && value.coef <= most ? value.coef : 0;
}

static bool expects_string(const char *type)
{
    return type[0] == 's';
}

/* A cell from a token of the right JSON type; true when the caller has to interpret it. */
static bool fill_cell(struct og_order *o, struct og_json *r, enum og_json_kind kind, const char *type,
                      struct og_cell *cell, bool *ok)
{
    bool string = expects_string(type);

    *ok = true;
    if ((string && kind == OG_JSON_STRING) || (!string && kind == OG_JSON_NUMBER)) {
        cell->shape = OG_VALID;
        cell->text = string ? keep(o, r) : r->text;
        return true;
    }
    cell->shape = OG_WRONG_TYPE;
    cell->given = og_json_type_name(kind, r->text);
    if (kind == OG_JSON_STRING)
        cell->text = keep(o, r);
    else if (kind == OG_JSON_NUMBER)
        cell->text = r->text;
    else
        *ok = skip(o, r, kind);
    return false;
}

static void enum_cell(struct og_cell *cell, unsigned value)
{
    if (!value)
        cell->shape = OG_WRONG_VALUE;
}

static int leg_key_of(struct og_str k)
{
    for (int i = 0; i < OG_LEG_KEYS; i++)
        if (og_str_is(k, og_leg_key_names[i]))
            return i;
    return -1;
}

static void remember_unknown(struct og_order *o, struct og_str name, int leg)
{
    if (o->unknown_count < OG_UNKNOWN_KEPT)
        o->unknown[o->unknown_count] = (struct og_unknown_key){ .name = name, .leg = leg };
    o->unknown_count++;
}

static bool read_leg_value(struct og_order *o, struct og_json *r, struct og_leg *leg, int key, enum og_json_kind kind)
{
    struct og_cell *cell = &leg->cell[key];
    bool ok;

    if (!fill_cell(o, r, kind, og_leg_key_types[key], cell, &ok))
        return ok;
    switch (key) {
    case OG_LEG_SYMBOL:
        leg->symbol = cell->text;
        og_occ_read(leg->symbol, &leg->occ);
        break;
    case OG_LEG_SIDE:
        enum_cell(cell, leg->side = og_side_of(cell->text));
        break;
    case OG_LEG_OPEN_CLOSE:
        enum_cell(cell, leg->open_close = og_open_close_of(cell->text));
        break;
    default:
        read_number(cell, cell->text, &leg->ratio_value);
        leg->ratio = cell->shape == OG_VALID ? whole(leg->ratio_value, 100) : 0;
    }
    return true;
}

/* The next key of an object and the first token of its value; KEY unless the object ended or is at fault. */
static enum og_json_kind next_member(struct og_json *r, struct og_str *name, size_t *at, enum og_json_kind *value)
{
    enum og_json_kind kind;

    if (og_json_member(r, name, value)) {
        *at = (size_t)(name->s + name->len - r->start) + 2; /* as when the key alone is read: past its colon */
        return OG_JSON_KEY;
    }
    kind = og_json_next(r);
    *name = r->text;
    *at = offset(r);
    *value = kind == OG_JSON_KEY ? og_json_next(r) : kind;
    return kind;
}

static bool read_leg(struct og_order *o, struct og_json *r, enum og_json_kind kind, struct og_leg *leg, int index)
{
    struct seen seen;
    struct og_str name;
    bool full = false;
    enum og_json_kind value;
    size_t at;

    seen.count = 0;
    *leg = (struct og_leg){ .given = og_json_type_name(kind, r->text), .is_object = kind == OG_JSON_OBJECT };
    if (!leg->is_object)
        return skip(o, r, kind);
    while ((kind = next_member(r, &name, &at, &value)) == OG_JSON_KEY) {
        int key = leg_key_of(name);

        if (!seen_add(&seen, name, &full)) {
            o->fault_in = index + 1;
            return fault(o, OG_FAULT_DUPLICATE_KEY, "a key stands twice in one leg", at, name);
        }
        if (full)
            return fault(o, OG_FAULT_TOO_MANY_KEYS, "a leg has more than 64 keys", at, name);
        if (value == OG_JSON_FAULT)
            return json_fault(o, r);
        if (key < 0) {
            remember_unknown(o, name, index);
            if (!skip(o, r, value))
                return false;
        } else if (!read_leg_value(o, r, leg, key, value)) {
            return false;
        }
    }
    return kind == OG_JSON_OBJECT_END || json_fault(o, r);
}

static bool read_legs(struct og_order *o, struct og_json *r, enum og_json_kind kind)
{
    struct og_cell *cell = &o->cell[OG_KEY_LEGS];
    struct og_leg spare;

    cell->given = og_json_type_name(kind, r->text);
    cell->shape = kind == OG_JSON_ARRAY ? OG_VALID : OG_WRONG_TYPE;
    if (kind != OG_JSON_ARRAY)
        return skip(o, r, kind);
    for (;;) {
        kind = og_json_next(r);
        if (kind == OG_JSON_ARRAY_END)
            return true;
        if (kind == OG_JSON_FAULT)
            return json_fault(o, r);
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
    return OG_OP_OTHER;
}

static int key_of(struct og_str k)
{
    /* The length and one byte tell the known keys apart; the compare makes sure. */
    int guess;

    switch (k.len) {
    case 2: guess = OG_KEY_OP; break;
    case 4: guess = k.s[0] == 's' ? OG_KEY_SIDE : OG_KEY_LEGS; break;
    case 5: guess = OG_KEY_ROUTE; break;
    case 6: guess = OG_KEY_SYMBOL; break;
    case 9: guess = k.s[0] == 'o' ? (k.s[1] == 'p' ? OG_KEY_OPEN_CLOSE : OG_KEY_ORDER_TYPE)
                                  : (k.s[0] == 's' ? OG_KEY_STOP_PRICE : OG_KEY_ACCOUNT_ID); break;
    case 10: guess = OG_KEY_LIMIT_PRICE; break;
    case 11: guess = OG_KEY_TIME_IN_FORCE; break;
    case 12: guess = OG_KEY_SECURITY_TYPE; break;
    case 13: guess = k.s[0] == 'o' ? OG_KEY_ORDER_QUANTITY : OG_KEY_CLIENT_ORDER_ID; break;
    default: return -1;
    }
    return memcmp(k.s, og_key_names[guess], k.len) == 0 ? guess : -1;
}

static bool read_op(struct og_order *o, const struct og_cell *cell, size_t at)
{
    o->op = cell->shape == OG_VALID ? op_of(cell->text) : OG_OP_OTHER;
    if (o->op == OG_OP_OTHER)
        return fault(o, OG_FAULT_OP, "op is none of order, cancel, quote, facts, heartbeat", at, cell->text);
    return true;
}

static bool read_value(struct og_order *o, struct og_json *r, int key, enum og_json_kind kind)
{
    struct og_cell *cell = &o->cell[key];
    bool ok = true;

    if (key == OG_KEY_LEGS)
        return read_legs(o, r, kind);
    if (!fill_cell(o, r, kind, og_key_types[key], cell, &ok))
        return ok && (key != OG_KEY_OP || read_op(o, cell, offset(r)));
    switch (key) {
    case OG_KEY_SECURITY_TYPE: enum_cell(cell, o->security = og_security_of(cell->text)); break;
    case OG_KEY_SYMBOL: o->symbol = cell->text; break;
    case OG_KEY_SIDE: enum_cell(cell, o->side = og_side_of(cell->text)); break;
    case OG_KEY_OPEN_CLOSE: enum_cell(cell, o->open_close = og_open_close_of(cell->text)); break;
    case OG_KEY_ORDER_TYPE: enum_cell(cell, o->type = og_order_type_of(cell->text)); break;
    case OG_KEY_TIME_IN_FORCE: enum_cell(cell, o->tif = og_tif_of(cell->text)); break;
    case OG_KEY_LIMIT_PRICE: read_number(cell, cell->text, &o->limit); break;
    case OG_KEY_STOP_PRICE: read_number(cell, cell->text, &o->stop); break;
    case OG_KEY_CLIENT_ORDER_ID: o->client_id = cell->text; break;
    case OG_KEY_ROUTE: o->route = cell->text; break;
    case OG_KEY_ACCOUNT_ID: o->account = cell->text; break;
    case OG_KEY_OP: return read_op(o, cell, offset(r));
    default:
        read_number(cell, cell->text, &o->quantity_value);
        o->quantity = cell->shape == OG_VALID ? whole(o->quantity_value, 1000000) : 0;
    }
    return true;
}

/* A key that is none of ours: remembered for field-unknown, its value skipped. */
static bool read_unknown(struct og_order *o, struct og_json *r, struct seen *seen, struct og_str name, size_t at,
                         enum og_json_kind value)
{
    bool full = false;

    if (!seen_add(seen, name, &full))
        return fault(o, OG_FAULT_DUPLICATE_KEY, "a key stands twice in the order", at, name);
    if (full)
        return fault(o, OG_FAULT_TOO_MANY_KEYS, "an order with more than 64 keys we do not know", at, name);
    if (og_str_is(name, "orderId"))
        o->has_order_id = true;
    else
        remember_unknown(o, name, -1);
    return skip(o, r, value);
}

static bool read_root(struct og_order *o, struct og_json *r)
{
    struct seen seen;
    struct og_str name;
    unsigned known = 0;
    enum og_json_kind kind, value;
    size_t at;

    seen.count = 0;
    while ((kind = next_member(r, &name, &at, &value)) == OG_JSON_KEY) {
        int key = key_of(name);

        if (key >= 0 && known & 1u << key)
            return fault(o, OG_FAULT_DUPLICATE_KEY, "a key stands twice in the order", at, name);
        if (key >= 0)
            known |= 1u << key;
        if (value == OG_JSON_FAULT)
            return json_fault(o, r);
        if (key < 0 ? !read_unknown(o, r, &seen, name, at, value) : !read_value(o, r, key, value))
            return false;
    }
    return (kind == OG_JSON_OBJECT_END && og_json_next(r) == OG_JSON_END) || json_fault(o, r);
}

enum og_status og_order_read(struct og_order *o, const char *bytes, size_t len)
{
    struct og_json r;
    enum og_json_kind kind;

    og_order_clear(o);
    if (len > OG_LINE_MOST) {
        fault(o, OG_FAULT_LINE_TOO_LONG, "a line of more than 1 MiB", OG_LINE_MOST, (struct og_str){ 0 });
        return OG_OK;
    }
    og_buf_bytes(&o->line, bytes, len);
    while (!o->spill.bad && o->spill.cap < len + 2) { /* room only: the reader fills it */
        og_buf_reset(&o->spill);
        og_buf_bytes(&o->spill, bytes, len);
        og_buf_bytes(&o->spill, "\0\0", 2);
    }
    if (o->line.bad || o->spill.bad) {
        og_order_clear(o);
        return OG_ENOMEM;
    }
    og_json_init(&r, o->line.s, len, o->spill.s, o->spill.cap);
    kind = og_json_next(&r);
    if (kind == OG_JSON_OBJECT)
        read_root(o, &r);
    else if (kind == OG_JSON_FAULT || !skip(o, &r, kind) || og_json_next(&r) != OG_JSON_END)
        json_fault(o, &r);
    else
        fault(o, OG_FAULT_NOT_OBJECT, og_json_type_name(kind, r.text), 0, (struct og_str){ 0 });
    if (o->security == OG_OPTION || o->security == OG_STOCK)
        og_occ_read(o->symbol, &o->occ);
    return OG_OK;
}
