/*
 * Bytes to an order: one strict pass that keeps every field as given.
 * It refuses what is not JSON, duplicate keys and more keys than an order can have (the order is then a fault, and
 * rule order-form says so); wrong types and values are recorded for the rules.
 */
#include "order/order.h"
#include "base/often.h"

#include "base/utf8.h"
#include "order/keys.h"
#include "order/request.h"
#include "text/json.h"

#include <stdlib.h>
#include <string.h>

#include "base/banned.h"

#define QUOTES_MOST 256 /* an order with four legs has about 100 */
#define DIGITS_MOST 18 /* of a number whose digits fit an int64_t for certain */
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

/* One line being read. */
struct reader {
    struct og_json json;
    uint32_t quote[QUOTES_MOST]; /* where quotes stand when the line is plain, see og_json_quotes() */
    size_t quotes, next;         /* next: the first that is not read yet, or one before it */
    bool behind;                 /* next is to be looked for: the JSON reader went on by itself */
};

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

static bool json_fault(struct og_order *o, const struct reader *r)
{
    return fault(o, OG_FAULT_NOT_JSON, r->json.fault, r->json.fault_at, (struct og_str){ 0 });
}

static size_t offset(const struct reader *r)
{
    return (size_t)(r->json.at - r->json.start);
}

/* Skip a value that is not ours, still refusing duplicate keys in its objects. */
static bool skip(struct og_order *o, struct reader *r, enum og_json_kind kind)
{
    struct seen seen;
    bool full = false;

    seen.count = 0;
    r->behind = true;
    if (kind != OG_JSON_OBJECT && kind != OG_JSON_ARRAY)
        return kind != OG_JSON_FAULT || json_fault(o, r);
    for (;;) {
        enum og_json_kind k = og_json_next(&r->json);
        if (k == OG_JSON_OBJECT_END || k == OG_JSON_ARRAY_END)
            return true;
        if (k == OG_JSON_KEY) {
            if (!seen_add(&seen, r->json.text, &full)) {
                o->fault_in = -1;
                return fault(o, OG_FAULT_DUPLICATE_KEY, "a key stands twice in one object", offset(r), r->json.text);
            }
            k = og_json_next(&r->json);
        }
        if (!skip(o, r, k))
            return false;
    }
}

/* Strings get a NUL behind them: in our copy of the line the closing quote, already read, makes room;
 * in the spill the escapes that went away do. */
static inline struct og_str keep(struct og_order *o, struct reader *r, struct og_str s, bool plain)
{
    if (plain || (s.s >= o->line.s && s.s + s.len < o->line.s + o->line.len)) {
        o->line.s[(size_t)(s.s - o->line.s) + s.len] = '\0';
    } else if (r->json.spill_len < r->json.spill_cap) {
        r->json.spill[r->json.spill_len++] = '\0';
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

/* The whole number within 1..most that value is, else 0. */
static int64_t whole(struct og_money value, int64_t most)
{
    return value.scale == 0 && value.coef >= 1 && value.coef <= most ? value.coef : 0;
}

/* Keys whose values are numbers, a bit each; the others are strings, but for legs. */
#define NUMBERS     (1u << OG_KEY_ORDER_QUANTITY | 1u << OG_KEY_LIMIT_PRICE | 1u << OG_KEY_STOP_PRICE)
#define NOT_USUAL   (1u << OG_KEY_LEGS | 1u << OG_KEY_OP)
#define LEG_NUMBERS (1u << OG_LEG_RATIO)

/* A key and the first token of its value. */
struct member {
    struct og_str key, text; /* text: of a string, a number or a word */
    enum og_json_kind kind;
    size_t at;     /* past the key's colon, in bytes from the start: for faults */
    bool plain;    /* both stand in the line as they are */
    int scale;     /* of a plain number of at most 18 digits: its decimals, else -1 */
    int64_t coef;  /* and its digits */
};

static OG_OFTEN void read_number(struct og_order *o, struct og_cell *cell, const struct member *m,
                                 struct og_money *value)
{
    bool exact = true;

    if (m->scale == 0)
        *value = (struct og_money){ m->coef, 0 };
    else if (m->scale > 0)
        exact = og_money_mul((struct og_money){ m->coef, 0 }, (struct og_money){ 1, m->scale }, value);
    else
        exact = og_money_read(m->text.s, m->text.len, value);
    cell->shape = exact ? OG_VALID : number_shape(m->text);
    o->plain &= exact;
}

/* A value of the wrong JSON type: recorded, for the rules to say.  false: a fault in it. */
static bool wrong_type(struct og_order *o, struct reader *r, const struct member *m, struct og_cell *cell)
{
    o->plain = false;
    cell->shape = OG_WRONG_TYPE;
    cell->given = og_json_type_name(m->kind, m->text);
    if (m->kind == OG_JSON_STRING)
        cell->text = keep(o, r, m->text, m->plain);
    else if (m->kind == OG_JSON_NUMBER)
        cell->text = m->text;
    return skip(o, r, m->kind);
}

/* A cell from a token of the right JSON type, for the caller to interpret. */
static inline bool fill_cell(struct og_order *o, struct reader *r, const struct member *m, bool number,
                             struct og_cell *cell)
{
    if (m->kind != (number ? OG_JSON_NUMBER : OG_JSON_STRING))
        return false;
    cell->shape = OG_VALID;
    cell->text = number ? m->text : keep(o, r, m->text, m->plain);
    return true;
}

static inline void enum_cell(struct og_order *o, struct og_cell *cell, unsigned value)
{
    if (!value) {
        cell->shape = OG_WRONG_VALUE;
        o->plain = false;
    }
}

static void remember_unknown(struct og_order *o, struct og_str name, int leg)
{
    if (o->unknown_count < OG_UNKNOWN_KEPT)
        o->unknown[o->unknown_count] = (struct og_unknown_key){ .name = name, .leg = leg };
    o->unknown_count++;
}

static bool read_leg_value(struct og_order *o, struct reader *r, struct og_leg *leg, int key, const struct member *m)
{
    struct og_cell *cell = &leg->cell[key];

    if (!fill_cell(o, r, m, LEG_NUMBERS >> key & 1, cell))
        return wrong_type(o, r, m, cell);
    switch (key) {
    case OG_LEG_SYMBOL:
        leg->symbol = cell->text;
        leg->symbol_bytes = og_symbol_bytes(leg->symbol);
        og_occ_read(leg->symbol, &leg->occ);
        break;
    case OG_LEG_SIDE:
        enum_cell(o, cell, leg->side = og_side_of(cell->text));
        break;
    case OG_LEG_OPEN_CLOSE:
        enum_cell(o, cell, leg->open_close = og_open_close_of(cell->text));
        break;
    default:
        read_number(o, cell, m, &leg->ratio_value);
        leg->ratio = cell->shape == OG_VALID ? whole(leg->ratio_value, 100) : 0;
    }
    return true;
}

/* The end of a number without exponent that a comma or brace follows; NULL: anything else.  The line ends in NUL. */
static inline const char *plain_number(const char *p, struct member *m)
{
    const char *from = p, *digits, *point;
    bool negative = *p == '-';
    uint64_t coef = 0;

    digits = p += negative;
    for (; (unsigned char)(*p - '0') < 10; p++)
        coef = coef * 10 + (uint64_t)(*p - '0');
    if (p == digits || (*digits == '0' && p > digits + 1))
        return NULL;
    m->scale = 0;
    if (*p == '.') {
        point = p++;
        for (; (unsigned char)(*p - '0') < 10; p++)
            coef = coef * 10 + (uint64_t)(*p - '0');
        m->scale = (int)(p - point - 1);
        if (m->scale == 0)
            return NULL;
    }
    if (p - digits > DIGITS_MOST)
        m->scale = -1; /* coef may have wrapped */
    m->coef = negative ? -(int64_t)coef : (int64_t)coef;
    m->text = (struct og_str){ from, (size_t)(p - from) };
    return *p == ',' || *p == '}' ? p : NULL;
}

/* What objects mostly hold, read in one step: in a plain line a key at p and its string or number.  The end of the
 * value; NULL: something else stands there, and the JSON reader tells what. */
static inline const char *plain_member(struct reader *r, const char *p, struct member *m)
{
    const uint32_t *q = &r->quote[r->next];
    const char *line = r->json.start;
    size_t left = r->quotes - r->next;

    if (*p == ' ')
        p++;
    if (left < 2 || p != line + q[0] || line[q[1] + 1] != ':')
        return NULL;
    m->key = (struct og_str){ p + 1, q[1] - q[0] - 1 };
    p = line + q[1] + 2;
    if (*p == ' ')
        p++;
    if (*p != '"') {
        m->kind = OG_JSON_NUMBER;
        p = plain_number(p, m);
        r->next += p ? 2 : 0;
    } else if (left >= 4) {
        m->kind = OG_JSON_STRING;
        m->text = (struct og_str){ p + 1, q[3] - q[2] - 1 };
        p = line + q[3] + 1;
        r->next += 4;
    } else {
        return NULL;
    }
    return p;
}

static void catch_up(struct reader *r)
{
    while (r->next < r->quotes && r->json.start + r->quote[r->next] < r->json.at)
        r->next++;
    r->behind = false;
}

/* The next member, whatever it is; KEY unless the object ended or is at fault. */
static inline __attribute__((always_inline)) enum og_json_kind next_member(struct reader *r, struct member *m)
{
    const char *p = r->json.at, *to = NULL;
    enum og_json_kind kind;

    if (r->behind)
        catch_up(r);
    if (p[-1] == '{') /* no value ends so */
        to = plain_member(r, p, m);
    else if (*p == ',')
        to = plain_member(r, p + 1, m);
    if (to) {
        m->at = (size_t)(m->key.s + m->key.len - r->json.start) + 2;
        m->plain = true;
        og_json_passed(&r->json, to);
        return OG_JSON_KEY;
    }
    r->behind = true;
    kind = og_json_next(&r->json);
    m->key = r->json.text;
    m->at = offset(r);
    m->kind = kind == OG_JSON_KEY ? og_json_next(&r->json) : kind;
    m->text = r->json.text;
    m->plain = false;
    m->scale = -1;
    return kind;
}

/* A known key for the second time; leg: -1 in the order itself. */
static bool twice(struct og_order *o, const struct member *m, int leg)
{
    o->fault_in = leg + 1;
    return fault(o, OG_FAULT_DUPLICATE_KEY,
                 leg < 0 ? "a key stands twice in the order" : "a key stands twice in one leg", m->at, m->key);
}

/* A key that is none of ours: remembered for field-unknown, its value skipped. */
static bool read_unknown(struct og_order *o, struct reader *r, struct seen *seen, const struct member *m, int leg)
{
    bool full = false;

    o->plain = false;
    if (!seen_add(seen, m->key, &full))
        return twice(o, m, leg);
    if (full)
        return fault(o, OG_FAULT_TOO_MANY_KEYS,
                     leg < 0 ? "an order with more than 64 keys we do not know"
                             : "a leg with more than 64 keys we do not know",
                     m->at, m->key);
    if (leg < 0 && og_str_is(m->key, "orderId"))
        o->has_order_id = true;
    else
        remember_unknown(o, m->key, leg);
    return skip(o, r, m->kind);
}

static bool read_leg(struct og_order *o, struct reader *r, enum og_json_kind kind, struct og_leg *leg, int index)
{
    struct seen seen;
    struct member m;
    unsigned known = 0;

    seen.count = 0;
    og_zero(leg, sizeof *leg);
    leg->given = og_json_type_name(kind, r->json.text);
    leg->is_object = kind == OG_JSON_OBJECT;
    if (!leg->is_object)
        return skip(o, r, kind);
    while ((kind = next_member(r, &m)) == OG_JSON_KEY) {
        int key = og_leg_key_of(m.key);

        if (key >= 0 && known & 1u << key)
            return twice(o, &m, index);
        if (m.kind == OG_JSON_FAULT)
            return json_fault(o, r);
        if (key < 0 ? !read_unknown(o, r, &seen, &m, index) : !read_leg_value(o, r, leg, key, &m))
            return false;
        known |= key < 0 ? 0 : 1u << key;
    }
    return kind == OG_JSON_OBJECT_END || json_fault(o, r);
}

static bool read_legs(struct og_order *o, struct reader *r, enum og_json_kind kind)
{
    struct og_cell *cell = &o->cell[OG_KEY_LEGS];
    struct og_leg spare;

    cell->given = og_json_type_name(kind, r->json.text);
    cell->shape = kind == OG_JSON_ARRAY ? OG_VALID : OG_WRONG_TYPE;
    o->plain &= kind == OG_JSON_ARRAY;
    if (kind != OG_JSON_ARRAY)
        return skip(o, r, kind);
    r->behind = true;
    for (;;) {
        kind = og_json_next(&r->json);
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
    return og_request_op(s, NULL) ? OG_OP_REQUEST : OG_OP_OTHER;
}

static bool read_op(struct og_order *o, const struct og_cell *cell, size_t at)
{
    o->op = cell->shape == OG_VALID ? op_of(cell->text) : OG_OP_OTHER;
    if (o->op == OG_OP_OTHER)
        return fault(o, OG_FAULT_OP, "op is none of order, cancel, locate-*, read, quote, facts, heartbeat", at,
                     cell->text);
    return true;
}

static bool is_in_digits(struct og_str number)
{
    for (size_t i = 0; i < number.len; i++)
        if (number.s[i] == '.' || number.s[i] == 'e' || number.s[i] == 'E')
            return false;
    return true;
}

/* A string or a number, as the key's type is.  text is the cell's, and comes by itself: what was just written in two
 * halves is slow to read as one. */
static inline void take_value(struct og_order *o, int key, struct og_cell *cell, struct og_str text,
                              const struct member *m)
{
    switch (key) {
    case OG_KEY_SECURITY_TYPE: enum_cell(o, cell, o->security = og_security_of(text)); break;
    case OG_KEY_SYMBOL:
        o->symbol = text;
        o->symbol_bytes = og_symbol_bytes(o->symbol);
        break;
    case OG_KEY_SIDE: enum_cell(o, cell, o->side = og_side_of(text)); break;
    case OG_KEY_OPEN_CLOSE: enum_cell(o, cell, o->open_close = og_open_close_of(text)); break;
    case OG_KEY_ORDER_TYPE: enum_cell(o, cell, o->type = og_order_type_of(text)); break;
    case OG_KEY_TIME_IN_FORCE: enum_cell(o, cell, o->tif = og_tif_of(text)); break;
    case OG_KEY_LIMIT_PRICE: read_number(o, cell, m, &o->limit); break;
    case OG_KEY_STOP_PRICE: read_number(o, cell, m, &o->stop); break;
    case OG_KEY_CLIENT_ORDER_ID: o->client_id = text; break;
    case OG_KEY_ROUTE: o->route = text; break;
    case OG_KEY_ACCOUNT_ID: o->account = text; break;
    case OG_KEY_REPLACES: o->replaces = text; break;
    case OG_KEY_ORDER_QUANTITY:
        read_number(o, cell, m, &o->quantity_value);
        o->quantity = cell->shape == OG_VALID ? whole(o->quantity_value, 1000000) : 0;
        o->in_digits = m->scale == 0 || is_in_digits(m->text);
        break;
    }
}

static bool read_value(struct og_order *o, struct reader *r, int key, const struct member *m)
{
    struct og_cell *cell = &o->cell[key];

    if (key == OG_KEY_LEGS)
        return read_legs(o, r, m->kind);
    if (!fill_cell(o, r, m, NUMBERS >> key & 1, cell))
        return wrong_type(o, r, m, cell) && (key != OG_KEY_OP || read_op(o, cell, offset(r)));
    if (key == OG_KEY_OP)
        return read_op(o, cell, offset(r));
    take_value(o, key, cell, cell->text, m);
    return true;
}

/* What nearly every order begins with: in a plain line, known keys, each once, with values of their types.  Reads up to
 * the first member that is something else; which keys were read. */
static inline unsigned read_usual(struct og_order *o, struct reader *r)
{
    const uint32_t *q = r->quote, *end = q + r->quotes;
    const char *p = r->json.at;
    char *line = o->line.s;
    unsigned known = 0;

    while (end - q >= 2 && (!known || *p == ',')) {
        const char *from = p + (known != 0), *value = line + q[1] + 2;
        struct og_str text;
        struct member m;
        int key;

        from += *from == ' ';
        if (from != line + q[0] || value[-1] != ':')
            break;
        key = og_key_of((struct og_str){ from + 1, q[1] - q[0] - 1 });
        if (key < 0 || (known | NOT_USUAL) >> key & 1)
            break;
        value += *value == ' ';
        if (NUMBERS >> key & 1) {
            if ((from = plain_number(value, &m)) == NULL)
                break;
            text = (struct og_str){ value, (size_t)(from - value) };
            q += 2;
        } else {
            if (*value != '"' || end - q < 4)
                break;
            text = (struct og_str){ value + 1, q[3] - q[2] - 1 };
            line[q[3]] = '\0';
            from = line + q[3] + 1;
            q += 4;
        }
        o->cell[key].shape = OG_VALID;
        o->cell[key].text = text;
        take_value(o, key, &o->cell[key], text, &m);
        known |= 1u << key;
        p = from;
    }
    if (known) {
        r->next = (size_t)(q - r->quote);
        og_json_passed(&r->json, p);
    }
    return known;
}

static bool read_root(struct og_order *o, struct reader *r)
{
    struct seen seen;
    struct member m;
    unsigned known;
    enum og_json_kind kind;

    o->plain = true;
    known = read_usual(o, r);
    if (known && *r->json.at == '}' && r->json.at + 1 == r->json.end) { /* and that was all */
        o->keys = known;
        return true;
    }
    seen.count = 0;
    while ((kind = next_member(r, &m)) == OG_JSON_KEY) {
        int key = og_key_of(m.key);

        if (key >= 0 && known & 1u << key)
            return twice(o, &m, -1);
        if (m.kind == OG_JSON_FAULT)
            return json_fault(o, r);
        if (key < 0 ? !read_unknown(o, r, &seen, &m, -1) : !read_value(o, r, key, &m))
            return false;
        known |= key < 0 ? 0 : 1u << key;
    }
    o->keys = known;
    return (kind == OG_JSON_OBJECT_END && og_json_next(&r->json) == OG_JSON_END) || json_fault(o, r);
}

OG_OFTEN enum og_status og_order_read(struct og_order *o, const char *bytes, size_t len)
{
    struct reader r;
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
    og_json_init(&r.json, o->line.s, len, o->spill.s, o->spill.cap);
    r.quotes = og_json_quotes(bytes, len, r.quote, QUOTES_MOST);
    r.next = 0;
    r.behind = false;
    kind = og_json_next(&r.json);
    if (kind == OG_JSON_OBJECT)
        o->plain = read_root(o, &r) && o->plain;
    else if (kind == OG_JSON_FAULT || !skip(o, &r, kind) || og_json_next(&r.json) != OG_JSON_END)
        json_fault(o, &r);
    else
        fault(o, OG_FAULT_NOT_OBJECT, og_json_type_name(kind, r.json.text), 0, (struct og_str){ 0 });
    if (o->security == OG_OPTION || o->security == OG_STOCK)
        og_occ_read(o->symbol, &o->occ);
    return OG_OK;
}
