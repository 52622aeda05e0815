/*
 * The validator of POST order, with the service's texts: for each wrong field it writes one line, about the first fault
 * of the field. It checks only the body; unknown keys are ignored, and if a key is repeated, its last value counts.
 */
#include "paper/schema.h"

#include <stdio.h>
#include <string.h>

#include "base/json_write.h"
#include "paper/fields.h"
#include "paper/strategy.h"

const char *const og_paper_securities[] = { "", "Stock", "Option", "Mleg", NULL };
const char *const og_paper_sides[] = { "", "Buy", "Sell", NULL };
const char *const og_paper_effects[] = { "", "Open", "Close", NULL };
const char *const og_paper_types[] = { "", "Market", "Limit", "Stop", "StopLimit", NULL };
const char *const og_paper_tifs[] = { "",
                                      "Day",
                                      "GoodTillCancel",
                                      "AtTheOpening",
                                      "ImmediateOrCancel",
                                      "FillOrKill",
                                      "GoodTillCrossing",
                                      "Day_Plus",
                                      "GTC_Plus",
                                      NULL };

#define MOST_QUANTITY     1000000
#define MOST_RATIO        100
#define MOST_OPTION_LIMIT (INT64_C(999999) * OG_DEC_CENT) /* 9999.99 dollars */

int og_paper_word(const char *const *words, struct og_str word)
{
    int i;

    for (i = 1; words[i]; i++)
        if (og_str_is(word, words[i]))
            return i;
    return 0;
}

enum {
    F_SECURITY,
    F_SYMBOL,
    F_SIDE,
    F_EFFECT,
    F_TYPE,
    F_QUANTITY,
    F_TIF,
    F_LIMIT,
    F_STOP,
    F_ID,
    F_ROUTE,
    F_LEGS,
    F_COUNT
};
static const char *const field_names[] = { "securityType", "symbol",        "side",        "openClose",
                                           "orderType",    "orderQuantity", "timeInForce", "limitPrice",
                                           "stopPrice",    "clientOrderId", "route",       "legs" };
enum { L_SYMBOL, L_SIDE, L_RATIO, L_EFFECT, L_COUNT };
static const char *const leg_names[] = { "symbol", "side", "ratio", "openClose" };

struct body {
    struct og_paper_field root[F_COUNT];
    int legs; /* number of legs in the body */
    struct og_paper_field whole[OG_TICKET_LEGS];
    struct og_paper_field leg[OG_TICKET_LEGS][L_COUNT];
};

/* --- body to fields ----------------------------------------------------------------------------------------------- */

static bool read_leg(struct og_json *r, enum og_json_kind kind, struct og_paper_field *whole,
                     struct og_paper_field *leg)
{
    int i;

    *whole = (struct og_paper_field){ kind, r->text };
    memset(leg, 0, L_COUNT * sizeof *leg);
    if (kind != OG_JSON_OBJECT)
        return og_json_skip(r, kind);
    while ((kind = og_json_next(r)) == OG_JSON_KEY) {
        i = og_paper_field_index(leg_names, L_COUNT, r->text);
        if (!og_paper_field_parse(r, i < 0 ? NULL : &leg[i]))
            return false;
    }
    return kind == OG_JSON_OBJECT_END;
}

static bool read_legs(struct og_json *r, struct body *b)
{
    enum og_json_kind kind = og_json_next(r);

    b->root[F_LEGS] = (struct og_paper_field){ kind, r->text };
    b->legs = 0;
    if (kind != OG_JSON_ARRAY)
        return kind != OG_JSON_FAULT && og_json_skip(r, kind);
    for (; (kind = og_json_next(r)) != OG_JSON_ARRAY_END; b->legs++) {
        if (kind == OG_JSON_FAULT)
            return false;
        if (b->legs < OG_TICKET_LEGS ? !read_leg(r, kind, &b->whole[b->legs], b->leg[b->legs]) : !og_json_skip(r, kind))
            return false;
    }
    return true;
}

static bool read_body(struct og_json *r, struct body *b)
{
    enum og_json_kind kind;
    int i;

    while ((kind = og_json_next(r)) == OG_JSON_KEY) {
        i = og_paper_field_index(field_names, F_COUNT, r->text);
        if (i == F_LEGS ? !read_legs(r, b) : !og_paper_field_parse(r, i < 0 ? NULL : &b->root[i]))
            return false;
    }
    return kind == OG_JSON_OBJECT_END && og_json_next(r) == OG_JSON_END;
}

/* --- fields to values or error lines ------------------------------------------------------------------------------ */

static bool symbol_byte(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '.' || c == '_' ||
           c == '-';
}

static void read_symbol(const struct og_paper_field *f, const char *name, struct og_str *symbol, struct og_buf *errors)
{
    size_t i = 0;

    if (!og_paper_field_is(f, name, "string", errors))
        return;
    while (i < f->text.len && symbol_byte(f->text.s[i]))
        i++;
    if (i < f->text.len || i == 0)
        og_paper_fields_line(errors, "- %s: Does not match pattern '^[a-zA-Z0-9._-]+$'", name);
    *symbol = f->text;
}

/* Returns a number that og_money cannot represent exactly: cut after the sixth decimal or, if it is too large or too
 * small, replaced by the largest or smallest value. Every check has the same result for that value. */
static int64_t read_long_number(struct og_str text, bool fine)
{
    const char *point = memchr(text.s, '.', text.len);
    size_t len = point ? (size_t)(point - text.s) + 7 : text.len;
    bool plain = !memchr(text.s, 'e', text.len) && !memchr(text.s, 'E', text.len);
    struct og_money m;
    int64_t value;

    if (plain && len < text.len && og_money_read(text.s, len, &m) && og_dec_from(m, &value) && value != 0)
        return value;
    value = fine ? 1 : INT64_MAX;
    return text.s[0] == '-' ? -value : value;
}

/* Returns a number. *exact is set to true if it has no more than four decimals. */
static int64_t read_number(struct og_str text, bool *exact)
{
    bool fine = memmem(text.s, text.len, "e-", 2) || memmem(text.s, text.len, "E-", 2) || text.s[0] == '0' ||
                (text.len > 1 && text.s[0] == '-' && text.s[1] == '0');
    struct og_money m;
    int64_t value;

    if (!og_money_read(text.s, text.len, &m)) {
        *exact = !fine && !memchr(text.s, '.', text.len);
        return read_long_number(text, fine);
    }
    *exact = m.scale <= 4;
    return og_dec_from(m, &value) ? value : read_long_number(text, false);
}

static int64_t read_count(const struct og_paper_field *f, const char *name, int64_t most, const char *most_text,
                          struct og_buf *errors)
{
    int64_t value;
    bool exact;

    if (!og_paper_field_is(f, name, "integer", errors))
        return 0;
    value = read_number(f->text, &exact);
    if (value < OG_DEC_ONE)
        og_paper_fields_line(errors, "- %s: Must be greater than or equal to 1", name);
    else if (value > OG_DEC(most))
        og_paper_fields_line(errors, "- %s: Must be less than or equal to %s", name, most_text);
    return value / OG_DEC_ONE;
}

static void read_limit(const struct og_paper_field *f, struct og_paper_ticket *t, struct og_buf *errors)
{
    bool exact;

    if (!og_paper_field_is(f, "limitPrice", "number", errors))
        return;
    t->has_limit = true;
    t->limit = read_number(f->text, &exact);
    if (t->security == OG_TICKET_OPTION && t->limit > MOST_OPTION_LIMIT)
        og_paper_fields_line(errors, "- limitPrice: Must be less than or equal to 9999.99");
    else if (!exact)
        og_paper_fields_line(errors, "- limitPrice: Must be a multiple of 0.0001");
}

static enum og_paper_effect read_effect(const struct og_paper_field *f, const char *name, struct og_buf *errors)
{
    int word;

    if (!og_paper_field_is(f, name, "string", errors))
        return OG_TICKET_EFFECT_NONE;
    word = og_paper_word(og_paper_effects, f->text);
    /* any other text is answered with 200, and a later check makes the order Rejected */
    return word ? (enum og_paper_effect)word : OG_TICKET_EFFECT_INVALID;
}

/* Tell which fields an order for this kind of security must have. */
static void find_required(enum og_paper_security security, bool *required)
{
    memset(required, 0, F_COUNT * sizeof *required);
    required[F_SECURITY] = required[F_SYMBOL] = required[F_TYPE] = required[F_QUANTITY] = required[F_TIF] = true;
    required[F_SIDE] = security == OG_TICKET_STOCK || security == OG_TICKET_OPTION;
    required[F_EFFECT] = security == OG_TICKET_STOCK;
    required[F_LEGS] = security == OG_TICKET_MLEG;
}

static void check_required(const struct body *b, enum og_paper_security security, struct og_buf *errors)
{
    bool required[F_COUNT];
    int i;

    find_required(security, required);
    for (i = 0; i < F_COUNT; i++)
        if (required[i] && !b->root[i].kind)
            og_paper_fields_line(errors, "- (root): %s is required", field_names[i]);
    if (security == OG_TICKET_MLEG && b->root[F_SIDE].kind)
        og_paper_fields_line(errors, "- (root): Additional property side is not allowed");
}

static void read_fields(const struct body *b, struct og_paper_ticket *t, struct og_buf *errors)
{
    const struct og_paper_field *f = b->root;
    struct og_buf none;
    char storage[256];
    bool exact;

    /* the type is read first, since it decides which fields are required; the line about it is appended later, at its
     * place in the sequence */
    og_buf_init_fixed(&none, storage, sizeof storage);
    if (f[F_SECURITY].kind)
        t->security =
            (enum og_paper_security)og_paper_field_word(&f[F_SECURITY], "securityType", og_paper_securities, &none);
    check_required(b, t->security, errors);
    if (none.len)
        og_paper_fields_line(errors, "%s", storage);
    if (f[F_SYMBOL].kind)
        read_symbol(&f[F_SYMBOL], "symbol", &t->symbol, errors);
    if (f[F_SIDE].kind && (t->security == OG_TICKET_STOCK || t->security == OG_TICKET_OPTION))
        t->side = (enum og_paper_side)og_paper_field_word(&f[F_SIDE], "side", og_paper_sides, errors);
    /* the allowed words depend on the security type, which is not known here */
    else if (f[F_SIDE].kind && t->security == OG_TICKET_NONE)
        og_paper_field_is(&f[F_SIDE], "side", "string", errors);
    if (f[F_EFFECT].kind)
        t->effect = read_effect(&f[F_EFFECT], "openClose", errors);
    if (f[F_TYPE].kind)
        t->type = (enum og_paper_type)og_paper_field_word(&f[F_TYPE], "orderType", og_paper_types, errors);
    if (f[F_QUANTITY].kind)
        t->quantity = read_count(&f[F_QUANTITY], "orderQuantity", MOST_QUANTITY, "1e+06", errors);
    if (f[F_TIF].kind)
        t->tif = (enum og_paper_tif)og_paper_field_word(&f[F_TIF], "timeInForce", og_paper_tifs, errors);
    if (f[F_LIMIT].kind)
        read_limit(&f[F_LIMIT], t, errors);
    if (f[F_STOP].kind && og_paper_field_is(&f[F_STOP], "stopPrice", "number", errors)) {
        t->has_stop = true;
        t->stop = read_number(f[F_STOP].text, &exact);
    }
    if (f[F_ID].kind && og_paper_field_is(&f[F_ID], "clientOrderId", "string", errors))
        t->id = f[F_ID].text;
    if (f[F_ROUTE].kind && og_paper_field_is(&f[F_ROUTE], "route", "string", errors))
        t->route = f[F_ROUTE].text;
    if (f[F_LEGS].kind)
        og_paper_field_is(&f[F_LEGS], "legs", "array", errors);
}

static void read_leg_fields(const struct body *b, int i, struct og_paper_leg *leg, struct og_buf *errors)
{
    const struct og_paper_field *f = b->leg[i];
    char name[32];
    int k;

    snprintf(name, sizeof name, "legs.%d", i);
    if (!og_paper_field_is(&b->whole[i], name, "object", errors))
        return;
    for (k = 0; k < L_COUNT; k++)
        if (!f[k].kind)
            og_paper_fields_line(errors, "- %s: %s is required", name, leg_names[k]);
    snprintf(name, sizeof name, "legs.%d.symbol", i);
    if (f[L_SYMBOL].kind)
        read_symbol(&f[L_SYMBOL], name, &leg->symbol, errors);
    snprintf(name, sizeof name, "legs.%d.side", i);
    if (f[L_SIDE].kind)
        leg->side = (enum og_paper_side)og_paper_field_word(&f[L_SIDE], name, og_paper_sides, errors);
    snprintf(name, sizeof name, "legs.%d.ratio", i);
    if (f[L_RATIO].kind)
        leg->ratio = read_count(&f[L_RATIO], name, MOST_RATIO, "100", errors);
    snprintf(name, sizeof name, "legs.%d.openClose", i);
    if (f[L_EFFECT].kind)
        leg->effect = read_effect(&f[L_EFFECT], name, errors);
}

/* Reads the number of legs first, then the fields of each leg, then the strategy. A fault at one stage hides the faults
 * of later stages. */
static void read_multi_leg(const struct body *b, struct og_paper_ticket *t, struct og_buf *errors)
{
    int i;

    if (b->legs < 2 || b->legs > OG_TICKET_LEGS) {
        og_buf_text(errors, b->legs < 2 ? "Too few legs, invalid order." : "Too many legs, invalid order.");
        return;
    }
    t->legs = b->legs;
    for (i = 0; i < t->legs; i++)
        read_leg_fields(b, i, &t->leg[i], errors);
    if (!errors->len)
        og_buf_text(errors, og_paper_strategy_error(t));
}

bool og_paper_schema_read(struct og_str body, char *spill, struct og_paper_ticket *ticket, struct og_buf *errors)
{
    struct og_json r;
    struct body b = { .legs = 0 };
    enum og_json_kind kind;

    *ticket = (struct og_paper_ticket){ .security = OG_TICKET_NONE };
    og_json_init(&r, body.s, body.len, spill, body.len);
    kind = og_json_next(&r);
    if (kind != OG_JSON_OBJECT || !read_body(&r, &b)) {
        og_paper_fields_bad(&r, kind, errors);
        return false;
    }
    read_fields(&b, ticket, errors);
    if (!errors->len && ticket->security == OG_TICKET_MLEG)
        read_multi_leg(&b, ticket, errors);
    return errors->len == 0 && !errors->bad;
}

/* --- the JSON Schema ---------------------------------------------------------------------------------------------- */

static void write_words(struct og_buf *b, const char *const *words)
{
    og_buf_text(b, "{\"enum\":[");
    for (int i = 1; words[i]; i++)
        og_member_text(b, NULL, words[i]);
    og_buf_text(b, "]}");
}

static void write_count(struct og_buf *b, int most)
{
    og_buf_format(b, "{\"type\":\"integer\",\"minimum\":1,\"maximum\":%d}", most);
}

#define SYMBOL_SCHEMA "{\"type\":\"string\",\"pattern\":\"^[a-zA-Z0-9._-]+$\"}"

static void write_field(struct og_buf *b, int field)
{
    og_member_key(b, field_names[field]);
    switch (field) {
    case F_SECURITY: write_words(b, og_paper_securities); break;
    case F_SIDE: write_words(b, og_paper_sides); break;
    case F_TYPE: write_words(b, og_paper_types); break;
    case F_TIF: write_words(b, og_paper_tifs); break;
    case F_QUANTITY: write_count(b, MOST_QUANTITY); break;
    case F_SYMBOL: og_buf_text(b, SYMBOL_SCHEMA); break;
    case F_LIMIT:
    case F_STOP: og_buf_text(b, "{\"type\":\"number\"}"); break;
    case F_LEGS: og_buf_text(b, "{\"type\":\"array\"}"); break;
    default: og_buf_text(b, "{\"type\":\"string\"}");
    }
}

static void write_legs(struct og_buf *b)
{
    og_buf_format(b, "{\"minItems\":2,\"maxItems\":%d,\"items\":{\"type\":\"object\",\"properties\":{\"symbol\":",
                  OG_TICKET_LEGS);
    og_buf_text(b, SYMBOL_SCHEMA ",\"side\":");
    write_words(b, og_paper_sides);
    og_buf_text(b, ",\"ratio\":");
    write_count(b, MOST_RATIO);
    og_buf_text(b, ",\"openClose\":{\"type\":\"string\"}},\"required\":[");
    for (int i = 0; i < L_COUNT; i++)
        og_member_text(b, NULL, leg_names[i]);
    og_buf_text(b, "]}}");
}

void og_paper_schema_write(struct og_buf *b)
{
    static const enum og_paper_security kinds[] = { OG_TICKET_STOCK, OG_TICKET_OPTION, OG_TICKET_MLEG };
    bool required[F_COUNT];

    og_buf_text(b, "{\"type\":\"object\",\"properties\":{");
    for (int i = 0; i < F_COUNT; i++)
        write_field(b, i);
    og_buf_text(b, "},\"oneOf\":[");
    for (size_t k = 0; k < sizeof kinds / sizeof kinds[0]; k++) {
        find_required(kinds[k], required);
        og_member_key(b, NULL);
        og_buf_format(b, "{\"properties\":{\"securityType\":{\"const\":\"%s\"}", og_paper_securities[kinds[k]]);
        if (kinds[k] == OG_TICKET_MLEG) {
            og_buf_text(b, ",\"legs\":");
            write_legs(b);
        }
        og_buf_text(b, kinds[k] == OG_TICKET_MLEG ? "},\"not\":{\"required\":[\"side\"]},\"required\":["
                                                  : "},\"required\":[");
        for (int i = 0; i < F_COUNT; i++)
            if (required[i])
                og_member_text(b, NULL, field_names[i]);
        og_buf_text(b, "]}");
    }
    og_buf_text(b, "]}");
}
