/*
 * Operators on values: exact decimals, three-valued logic, texts made in the evaluation's memory.  Only the quotient of
 * decimals is rounded, which the manual says; a result that does not fit is an error.
 */
#include "base/account_id.h"
#include "expr/program.h"

__extension__ typedef __int128 wide;

const char *og_expr_cause_text(enum og_expr_cause cause)
{
    switch (cause) {
    case OG_CAUSE_NONE: return "";
    case OG_CAUSE_FACT: return "a fact is missing";
    case OG_CAUSE_NO_VALUE: return "there is no such value";
    case OG_CAUSE_WRONG: return "the value is of another type, or too large";
    case OG_CAUSE_PRICE: return "the order has no price by which its worth could be computed";
    case OG_CAUSE_UNPRICED: return "the value or size of a position or working order is not known";
    case OG_CAUSE_LIST: return "the list is older than the policy allows, or dated in the future";
    case OG_CAUSE_CALENDAR: return "the calendar does not know the day";
    case OG_CAUSE_OVERFLOW: return "the result is larger, or has more decimals, than can be represented";
    case OG_CAUSE_ZERO: return "division by zero";
    case OG_CAUSE_INDEX: return "the index is outside the list";
    case OG_CAUSE_CONVERSION: return "the value cannot be converted";
    case OG_CAUSE_PATTERN: return "the pattern exceeds its match limit on this text";
    case OG_CAUSE_TEXT: return "the text is too long to be made here";
    }
    return "";
}

struct og_expr_value og_expr_error(enum og_expr_cause cause, const char *name)
{
    return (struct og_expr_value){ .state = OG_EXPR_ERROR, .as.why = { .cause = cause, .name = name } };
}

enum og_expr_operand_kind og_expr_operand_kind_of(int type)
{
    int list = type & OG_TYPE_LIST ? OG_OPERAND_LIST : 0;

    switch (type & ~OG_TYPE_LIST) {
    case OG_TYPE_STRING: return (enum og_expr_operand_kind)(OG_OPERAND_TEXT | list);
    case OG_TYPE_BOOL: return (enum og_expr_operand_kind)(OG_OPERAND_TRUTH | list);
    case OG_TYPE_TIMESTAMP:
    case OG_TYPE_DURATION: return (enum og_expr_operand_kind)(OG_OPERAND_NS | list);
    default: return (enum og_expr_operand_kind)(OG_OPERAND_NUMBER | list);
    }
}

/* --- logic -------------------------------------------------------------------------------------------------------- */

struct og_expr_value og_expr_propagate(struct og_expr_value a, struct og_expr_value b)
{
    if (a.state == OG_EXPR_KNOWN || (a.state == OG_EXPR_ERROR && b.state == OG_EXPR_UNKNOWN))
        a = b;
    a.ranged = false;
    return a;
}

static bool is_truth(struct og_expr_value v, bool truth)
{
    return v.state == OG_EXPR_KNOWN && v.as.truth == truth;
}

struct og_expr_value og_expr_and(struct og_expr_value a, struct og_expr_value b)
{
    if (is_truth(a, false) || is_truth(b, true))
        return a;
    return is_truth(b, false) || is_truth(a, true) ? b : og_expr_propagate(a, b);
}

struct og_expr_value og_expr_or(struct og_expr_value a, struct og_expr_value b)
{
    if (is_truth(a, true) || is_truth(b, false))
        return a;
    return is_truth(b, true) || is_truth(a, false) ? b : og_expr_propagate(a, b);
}

/* --- texts made in the room --------------------------------------------------------------------------------------- */

char *og_expr_room_take(struct og_expr_room *room, size_t len)
{
    char *at = room->text + room->text_len;

    if (len > sizeof room->text - room->text_len)
        return NULL;
    room->text_len += len;
    return at;
}

struct og_expr_value og_expr_room_text(struct og_expr_room *room, const char *text)
{
    size_t len = strlen(text);
    char *to = og_expr_room_take(room, len);

    if (!to)
        return og_expr_error(OG_CAUSE_TEXT, NULL);
    memcpy(to, text, len);
    return og_expr_string((struct og_str){ to, len });
}

static struct og_expr_value concatenate(struct og_str a, struct og_str b, struct og_expr_room *room)
{
    char *to = a.len < OG_EXPR_TEXT && b.len < OG_EXPR_TEXT ? og_expr_room_take(room, a.len + b.len) : NULL;

    if (!to)
        return og_expr_error(OG_CAUSE_TEXT, NULL);
    if (a.len)
        memcpy(to, a.s, a.len);
    if (b.len)
        memcpy(to + a.len, b.s, b.len);
    return og_expr_string((struct og_str){ to, a.len + b.len });
}

/* --- numbers ------------------------------------------------------------------------------------------------------ */

#define QUOTIENT_DECIMALS 8

static wide absolute(wide n)
{
    return n < 0 ? -n : n;
}

/* Divide a by b to eight decimals, half to even, digit by digit, since the scaled dividend may exceed 128 bits. */
bool og_expr_divide(struct og_money a, struct og_money b, struct og_money *quotient)
{
    int more = QUOTIENT_DECIMALS + b.scale - a.scale;
    bool negative = (a.coef < 0) != (b.coef < 0);
    wide by = absolute(b.coef), whole, rest;

    *quotient = og_money_from(0);
    for (; more < 0; more++)
        by *= 10;
    whole = absolute(a.coef) / by;
    rest = absolute(a.coef) % by;
    for (; more > 0; more--) {
        whole = whole * 10 + rest * 10 / by;
        rest = rest * 10 % by;
        if (whole > INT64_MAX)
            return false;
    }
    whole += rest * 2 > by || (rest * 2 == by && whole % 2);
    if (whole > INT64_MAX)
        return false;
    /* og_money_mul() makes the normal form that every og_money must have */
    return og_money_mul(og_money_from((int64_t)(negative ? -whole : whole)), (struct og_money){ 1, QUOTIENT_DECIMALS },
                        quotient);
}

static struct og_expr_value quotient_of(bool whole, struct og_money a, struct og_money b)
{
    struct og_money q;

    if (b.coef == 0)
        return og_expr_error(OG_CAUSE_ZERO, NULL);
    if (!whole)
        return og_expr_divide(a, b, &q) ? og_expr_number(q) : og_expr_error(OG_CAUSE_OVERFLOW, NULL);
    if (b.coef == -1 && a.coef == INT64_MIN)
        return og_expr_error(OG_CAUSE_OVERFLOW, NULL);
    return og_expr_int(a.coef / b.coef);
}

static struct og_expr_value arithmetic(unsigned char op, unsigned char kind, struct og_money a, struct og_money b)
{
    struct og_money m;
    bool ok;

    switch (op) {
    case OG_OP_ADD: ok = og_money_add(a, b, &m); break;
    case OG_OP_SUB: ok = og_money_sub(a, b, &m); break;
    case OG_OP_MUL: ok = og_money_mul(a, b, &m); break;
    case OG_OP_MOD:
        if (b.coef == 0)
            return og_expr_error(OG_CAUSE_ZERO, NULL);
        ok = b.coef != -1 || a.coef != INT64_MIN;
        m = og_money_from(ok ? a.coef % b.coef : 0);
        break;
    default: return quotient_of(kind == OG_OPERAND_INT, a, b);
    }
    return ok ? og_expr_number(m) : og_expr_error(OG_CAUSE_OVERFLOW, NULL);
}

static struct og_expr_value add_time(unsigned char op, int64_t a, int64_t b)
{
    int64_t ns;
    bool over = op == OG_OP_ADD ? __builtin_add_overflow(a, b, &ns) : __builtin_sub_overflow(a, b, &ns);

    /* INT64_MIN means "not known" for instants */
    return over || ns == OG_TIME_UNKNOWN ? og_expr_error(OG_CAUSE_OVERFLOW, NULL) : og_expr_ns(ns);
}

/* --- comparing ---------------------------------------------------------------------------------------------------- */

int og_expr_text_cmp(struct og_str a, struct og_str b)
{
    size_t len = a.len < b.len ? a.len : b.len;
    int order = len ? memcmp(a.s, b.s, len) : 0;

    return order ? order : (a.len > b.len) - (a.len < b.len);
}

static unsigned char capital(char c)
{
    return (unsigned char)(c >= 'a' && c <= 'z' ? c - 'a' + 'A' : c);
}

/* Compares ids of accounts in upper case, otherwise like og_expr_text_cmp(). */
static int compare_ids(struct og_str a, struct og_str b)
{
    size_t len = a.len < b.len ? a.len : b.len, i = 0;

    while (i < len && capital(a.s[i]) == capital(b.s[i]))
        i++;
    return i < len ? capital(a.s[i]) - capital(b.s[i]) : (a.len > b.len) - (a.len < b.len);
}

static int compare_values(unsigned char kind, const struct og_expr_value *a, const struct og_expr_value *b)
{
    switch (kind) {
    case OG_OPERAND_TEXT: return og_expr_text_cmp(a->as.text, b->as.text);
    case OG_OPERAND_ACCOUNT: return compare_ids(a->as.text, b->as.text);
    case OG_OPERAND_TRUTH: return a->as.truth - b->as.truth;
    case OG_OPERAND_NS: return (a->as.ns > b->as.ns) - (a->as.ns < b->as.ns);
    default: return og_money_cmp(a->as.number, b->as.number);
    }
}

static bool values_equal(unsigned char kind, const struct og_expr_value *a, const struct og_expr_value *b)
{
    if (kind == OG_OPERAND_TEXT)
        return og_str_eq(a->as.text, b->as.text);
    if (kind == OG_OPERAND_ACCOUNT)
        return og_same_account(a->as.text, b->as.text);
    if (!(kind & OG_OPERAND_LIST))
        return compare_values(kind, a, b) == 0;
    if (a->as.list.count != b->as.list.count)
        return false;
    for (size_t i = 0; i < a->as.list.count; i++)
        if (!values_equal(kind & (OG_OPERAND_LIST - 1), &a->as.list.at[i], &b->as.list.at[i]))
            return false;
    return true;
}

bool og_expr_compare(unsigned char op, unsigned char kind, const struct og_expr_value *a, const struct og_expr_value *b)
{
    switch (op) {
    case OG_OP_EQ: return values_equal(kind, a, b);
    case OG_OP_NE: return !values_equal(kind, a, b);
    case OG_OP_LT: return compare_values(kind, a, b) < 0;
    case OG_OP_LE: return compare_values(kind, a, b) <= 0;
    case OG_OP_GT: return compare_values(kind, a, b) > 0;
    case OG_OP_GE: return compare_values(kind, a, b) >= 0;
    default: break;
    }
    for (size_t i = 0; i < b->as.list.count; i++)
        if (values_equal(kind, a, &b->as.list.at[i]))
            return true;
    return false;
}

struct og_expr_value og_expr_binary(unsigned char op, unsigned char kind, struct og_expr_value a,
                                    struct og_expr_value b, struct og_expr_room *room)
{
    if (a.state || b.state)
        return og_expr_propagate(a, b);
    if (op >= OG_OP_EQ)
        return og_expr_truth_value(og_expr_compare(op, kind, &a, &b));
    if (kind == OG_OPERAND_TEXT)
        return concatenate(a.as.text, b.as.text, room);
    if (kind == OG_OPERAND_NS)
        return add_time(op, a.as.ns, b.as.ns);
    return arithmetic(op, kind, a.as.number, b.as.number);
}

struct og_expr_value og_expr_unary(unsigned char op, struct og_expr_value a)
{
    if (a.state)
        return a;
    return op == OG_OP_NOT ? og_expr_truth_value(!a.as.truth)
                           : arithmetic(OG_OP_SUB, OG_OPERAND_NUMBER, og_money_from(0), a.as.number);
}
