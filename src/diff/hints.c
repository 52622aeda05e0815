/*
 * Finds hints in conditions.  The tree of an expression is visited with a stack, on which each value has the set of
 * slots that influence it.  If a condition compares such a value with a constant, the constant becomes a hint for these
 * slots.
 */
#include "diff/hints.h"

#include "base/time.h"
#include "expr/program.h"
#include "text/regex_examples.h"

#define SAMPLES_MOST 24 /* maximum number of examples of one pattern */
#define WORDS_MOST   24 /* maximum number of words of one list */
#define INSTANTS_FROM \
    INT64_C(100000000000000000) /* ns; a smaller constant is taken as a time span, any other as an instant */

#define AT(slot)    (UINT64_C(1) << OG_AT_##slot)
#define PRICES      (AT(LIMIT) | AT(STOP) | AT(BID) | AT(ASK) | AT(LAST) | AT(OPTION_BID) | AT(OPTION_ASK))
#define WORTH       (AT(QUANTITY) | PRICES)
#define STOCK       (AT(HELD) | AT(OTHER) | AT(AVERAGE))
#define OPTIONS     (AT(CONTRACTS) | AT(COVER))
#define WORKING_ANY (AT(WORKING) | AT(WORKING_SIDE) | AT(WORKING_QUANTITY) | AT(WORKING_OTHER))
#define ROOTS       (AT(SYMBOL) | AT(ROOT))

/* By index of a name in og_expr_named: bit set of the slots that influence the name's value; 0 if the value depends on
 * the template alone. */
static const uint64_t slots_of_name[] = {
#define OG_NAME(name, type, unit, measure, field, facts, asks, getter, key, attribute, values, slots, help) slots,
#define OG_LEG_NAME(name, type, unit, measure, key, attribute, values, slots, help)                         slots,
#include "expr/names.def"
#undef OG_NAME
#undef OG_LEG_NAME
};

/* --- hints -------------------------------------------------------------------------------------------------------- */

static bool same(const struct og_hint *a, const struct og_hint *b)
{
    return a->kind == b->kind && a->setting == b->setting && a->ns == b->ns && a->like == b->like &&
           og_money_cmp(a->number, b->number) == 0 && og_money_cmp(a->more, b->more) == 0 &&
           strcmp(a->word, b->word) == 0;
}

void og_hints_add(struct og_hints *h, struct og_hint hint)
{
    if (!hint.slots)
        return;
    h->slots |= hint.setting ? 0 : hint.slots;
    h->named |= hint.setting || hint.kind == OG_HINT_ANY ? 0 : hint.slots;
    for (size_t i = 0; i < h->count; i++)
        if (same(&h->item[i], &hint)) {
            h->item[i].slots |= hint.slots;
            return;
        }
    if (h->count < OG_HINTS_MOST)
        h->item[h->count++] = hint;
}

/* Returns true if the text can be written into a JSON order without escapes. */
static bool is_plain(const char *s, size_t len)
{
    for (size_t i = 0; i < len; i++)
        if (s[i] <= ' ' || s[i] > '~' || s[i] == '"' || s[i] == '\\')
            return false;
    return len > 0 && len < OG_SLOT_WORD_MOST;
}

static void add_word(struct og_hints *h, uint64_t slots, const char *before, struct og_str word, const char *after)
{
    struct og_hint hint = { .slots = slots, .kind = OG_HINT_WORD };
    size_t b = strlen(before), a = strlen(after);
    struct og_occ occ;

    if (word.len + a + b >= sizeof hint.word)
        return;
    memcpy(hint.word, before, b);
    if (word.len)
        memcpy(hint.word + b, word.s, word.len);
    memcpy(hint.word + b + word.len, after, a + 1);
    if (is_plain(hint.word, b + word.len + a))
        og_hints_add(h, hint);
    og_occ_read(word, &occ);
    if (occ.is && slots & AT(SYMBOL)) { /* a contract's symbol is split into the values from which a probe builds such a
                                         * symbol */
        add_word(h, AT(SYMBOL), "", occ.root, "");
        og_hints_add(h, (struct og_hint){ .slots = AT(STRIKE), .kind = OG_HINT_NUMBER, .number = { occ.strike, 3 } });
    }
}

void og_hints_word(struct og_hints *h, uint64_t slots, struct og_str word)
{
    add_word(h, slots, "", word, "");
}

/* Add texts that the pattern matches, and each of these texts with one letter more and with one letter less; for an OCC
 * symbol, add its root too. */
static void add_pattern(struct og_hints *h, uint64_t slots, struct og_str pattern)
{
    struct og_regex_examples some;

    og_hints_add(h, (struct og_hint){ .slots = slots, .kind = OG_HINT_ANY });
    if (!og_regex_examples_of(pattern, &some))
        return;
    for (int i = 0; i < some.count && i < SAMPLES_MOST; i++) {
        struct og_str text = og_str_of(some.text[i]);
        size_t letters = strspn(text.s, "ABCDEFGHIJKLMNOPQRSTUVWXYZ");

        add_word(h, slots, "", text, "");
        if (letters < text.len && letters)
            add_word(h, slots & ROOTS, "", (struct og_str){ text.s, letters }, "");
        if (i < 2) {
            add_word(h, slots, "", text, "A");
            add_word(h, slots, "A", text, "");
        }
    }
}

void og_hints_term(struct og_hints *h, const struct og_term *term)
{
    if (term->until != OG_TIME_UNKNOWN)
        og_hints_add(h, (struct og_hint){ .slots = AT(NOW), .kind = OG_HINT_INSTANT, .ns = term->until });
}

void og_hints_override(struct og_hints *h, const struct og_override *o)
{
    if (o->symbol)
        add_pattern(h, ROOTS, og_pattern_text(o->symbol));
    if (o->account)
        add_pattern(h, AT(ACCOUNT), og_pattern_text(o->account));
    if (o->tag)
        add_pattern(h, AT(TAG) | AT(ID), og_pattern_text(o->tag));
    for (int type = OG_MARKET; type <= OG_STOP_LIMIT; type++)
        if (o->types >> type & 1)
            add_word(h, AT(TYPE), "", og_str_of(og_order_type_name((enum og_order_type)type)), "");
    og_hints_term(h, &o->term);
    if (o->when)
        og_hints_expr(h, o->when);
}

/* --- expressions -------------------------------------------------------------------------------------------------- */

enum part_is { PART_MADE = 0, PART_NAME, PART_CONSTANT, PART_LENGTH };

/* A value on the stack, with the set of slots that influence it.  linear: the value is `scale` times the value of its
 * only slot, plus `more`. */
struct part {
    enum part_is is;
    uint64_t slots;
    const struct og_expr_value *value; /* for PART_CONSTANT */
    bool linear, list;                 /* list: the value is a list, or (if it is a constant) one item of a list */
    struct og_money scale, more;
};

struct walk {
    struct og_hints *h;
    struct part stack[OG_EXPR_PENDING_MOST], loop[OG_EXPR_LOOPS];
    int depth;
};

static void push(struct walk *w, struct part p)
{
    w->stack[w->depth++] = p;
}

static struct part pop(struct walk *w)
{
    return w->stack[--w->depth];
}

static struct part made_of(struct part a, struct part b)
{
    return (struct part){ .is = PART_MADE, .slots = a.slots | b.slots };
}

static void push_name(struct walk *w, int name, uint64_t and)
{
    uint64_t slots = slots_of_name[name] | and;

    og_hints_add(w->h, (struct og_hint){ .slots = slots, .kind = OG_HINT_ANY });
    push(w, (struct part){ .is = PART_NAME, .slots = slots, .linear = true, .scale = og_money_from(1) });
}

static struct og_money number_of(const struct og_expr_value *v, unsigned char kind)
{
    return kind == OG_OPERAND_NS ? og_money_from(v->as.ns) : v->as.number;
}

static struct part counted(unsigned char op, unsigned char kind, struct part a, struct part b)
{
    struct part out = made_of(a, b), *made = a.is == PART_CONSTANT ? &b : &a;
    const struct part *constant = a.is == PART_CONSTANT ? &a : &b;
    struct og_money n;

    if (constant->is != PART_CONSTANT || constant->list || !made->linear || kind == OG_OPERAND_TEXT ||
        kind == OG_OPERAND_ACCOUNT || kind >= OG_OPERAND_LIST)
        return out;
    n = number_of(constant->value, kind);
    out.scale = made->scale;
    out.more = made->more;
    if (op == OG_OP_ADD)
        out.linear = og_money_add(made->more, n, &out.more);
    else if (op == OG_OP_SUB && made == &a)
        out.linear = og_money_sub(made->more, n, &out.more);
    else if (op == OG_OP_MUL)
        out.linear = og_money_mul(made->scale, n, &out.scale) && og_money_mul(made->more, n, &out.more);
    else if (op == OG_OP_DIV && made == &a && n.coef)
        out.linear = og_expr_divide(made->scale, n, &out.scale) && og_expr_divide(made->more, n, &out.more);
    return out;
}

static void add_number(struct walk *w, const struct part *made, struct og_money n, unsigned char kind)
{
    struct og_hint hint = { .slots = made->slots, .kind = OG_HINT_NUMBER, .number = n };

    if (kind == OG_OPERAND_NS) {
        hint.ns = og_money_floor(n);
        hint.number = og_money_from(0);
        hint.kind = hint.ns >= INSTANTS_FROM ? OG_HINT_INSTANT : OG_HINT_SPAN;
    } else if (made->is == PART_LENGTH) {
        hint.kind = OG_HINT_LENGTH;
    }
    og_hints_add(w->h, hint);
}

/* A computed number is compared with a constant: add the constant, and the value of the slot for which both sides are
 * equal. */
static void meet_number(struct walk *w, const struct part *made, const struct og_expr_value *v, unsigned char kind)
{
    struct og_money n = number_of(v, kind), x;

    add_number(w, made, n, kind);
    if (made->linear && made->scale.coef && og_money_sub(n, made->more, &x) && og_expr_divide(x, made->scale, &x))
        add_number(w, made, x, kind);
}

static void meet_text(struct walk *w, const struct part *made, struct og_str text, bool exactly)
{
    add_word(w->h, made->slots, "", text, "");
    if (exactly)
        return;
    add_word(w->h, made->slots, "", text, "A");
    add_word(w->h, made->slots, "A", text, "");
    if (text.len > 1)
        add_word(w->h, made->slots, "", (struct og_str){ text.s, text.len - 1 }, "");
}

static void meet(struct walk *w, const struct part *made, const struct part *constant, unsigned char kind, bool exactly)
{
    const struct og_expr_value *v = constant->value;
    size_t count = constant->list ? v->as.list.count : 1;

    for (size_t i = 0; i < count && i < WORDS_MOST; i++) {
        const struct og_expr_value *one = constant->list ? &v->as.list.at[i] : v;

        if (kind == OG_OPERAND_TEXT || kind == OG_OPERAND_ACCOUNT)
            meet_text(w, made, one->as.text, exactly);
        else if (kind == OG_OPERAND_NUMBER || kind == OG_OPERAND_INT || kind == OG_OPERAND_NS)
            meet_number(w, made, one, kind);
    }
}

/* Two computed values are compared: add the hint that a slot of one has the value of a slot of the other. */
static void meet_other(struct walk *w, const struct part *a, const struct part *b)
{
    for (int slot = 0; slot < OG_SLOTS; slot++)
        if (b->slots >> slot & 1)
            og_hints_add(w->h, (struct og_hint){ .slots = a->slots & ~(UINT64_C(1) << slot),
                                                 .kind = OG_HINT_LIKE,
                                                 .like = (enum og_slot)slot,
                                                 .number = b->linear ? b->scale : og_money_from(1),
                                                 .more = b->more });
}

static void compare(struct walk *w, unsigned char op, unsigned char kind)
{
    struct part b = pop(w), a = pop(w);

    if (op == OG_OP_IN && b.is == PART_CONSTANT)
        b.list = true;
    if (b.is == PART_CONSTANT) {
        meet(w, &a, &b, kind, true);
    } else if (a.is == PART_CONSTANT) {
        meet(w, &b, &a, kind, true);
    } else {
        meet_other(w, &a, &b);
        meet_other(w, &b, &a);
    }
    push(w, made_of(a, b));
}

static void call(struct walk *w, const struct og_expr_node *n)
{
    const struct og_expr_function *f = &og_expr_functions[n->arg];
    struct part out = { .is = PART_MADE };
    int count = n->operands;
    const struct part *arg = &w->stack[w->depth -= count];

    for (int i = 0; i < count; i++)
        out.slots |= arg[i].slots;
    if (f->literal == OG_LITERAL_PATTERN && count == 2 && arg[1].is == PART_CONSTANT)
        add_pattern(w->h, arg[0].slots, og_pattern_text(arg[1].value->as.pattern));
    else if (count == 2 && f->type[0] == OG_TYPE_STRING && f->type[1] == OG_TYPE_STRING && arg[1].is == PART_CONSTANT)
        meet(w, &arg[0], &arg[1], OG_OPERAND_TEXT, false);
    else if (count == 2 && f->type[0] == OG_TYPE_STRING && f->type[1] == OG_TYPE_STRING && arg[0].is == PART_CONSTANT)
        meet(w, &arg[1], &arg[0], OG_OPERAND_TEXT, false);
    if (strcmp(f->name, "size") == 0 && f->type[0] == OG_TYPE_STRING)
        out.is = PART_LENGTH;
    else if (count >= 1 && f->literal != OG_LITERAL_ZONE) { /* decimal(x) and int(x) have the value of x */
        out.linear = arg[0].linear;
        out.scale = arg[0].scale;
        out.more = arg[0].more;
    }
    push(w, out);
}

/* Remember a loop's list before the loop's condition is visited: the loop variable is an item of that list. */
static bool begin_operand(void *with, const struct og_expr_node *of, int i)
{
    struct walk *w = with;

    (void)i;
    if (of->op == OG_OP_LOOP) {
        struct part list = w->stack[w->depth - 1];

        list.list = list.is == PART_CONSTANT;
        w->loop[of->arg] = list;
    }
    return true;
}

static void take_node(void *with, const struct og_expr_node *n)
{
    struct walk *w = with;
    struct part a, b;

    switch (n->op) {
    case OG_OP_CONST: push(w, (struct part){ .is = PART_CONSTANT, .value = n->value }); return;
    case OG_OP_NAME:
    case OG_OP_HAS_NAME: push_name(w, n->arg, 0); return;
    case OG_OP_LEG:
    case OG_OP_HAS_LEG:
        a = pop(w);
        push_name(w, OG_EXPR_NAMES + n->arg, a.slots);
        return;
    case OG_OP_ITEM: push(w, w->loop[n->arg]); return;
    case OG_OP_ADD:
    case OG_OP_SUB:
    case OG_OP_MUL:
    case OG_OP_DIV:
    case OG_OP_MOD:
        b = pop(w);
        a = pop(w);
        push(w, counted(n->op, n->aux, a, b));
        return;
    case OG_OP_EQ:
    case OG_OP_NE:
    case OG_OP_LT:
    case OG_OP_LE:
    case OG_OP_GT:
    case OG_OP_GE:
    case OG_OP_IN: compare(w, n->op, n->aux); return;
    case OG_OP_BRANCH: /* the result is one of the two branches; the condition that chooses the branch is ignored */
        b = pop(w);
        a = pop(w);
        (void)pop(w);
        b.slots |= a.slots;
        b.is = PART_MADE;
        push(w, b);
        return;
    case OG_OP_LOOP: /* the result depends on the loop's condition; the list itself is dropped */
        a = pop(w);
        (void)pop(w);
        push(w, a);
        return;
    case OG_OP_CALL: call(w, n); return;
    case OG_OP_NEGATE:
        a = pop(w);
        if (a.linear)
            a.linear = og_money_times(a.scale, -1, &a.scale) && og_money_times(a.more, -1, &a.more);
        push(w, a.is == PART_CONSTANT ? made_of(a, a) : a);
        return;
    case OG_OP_NOT: return; /* the stack is unchanged */
    default:
        a = (struct part){ .is = PART_MADE };
        for (int i = n->operands; i > 0; i--)
            a = made_of(a, pop(w));
        push(w, a);
        return;
    }
}

void og_hints_expr(struct og_hints *h, const struct og_expr *e)
{
    static const struct og_expr_visitor visitor = { take_node, begin_operand };
    struct walk w = { .h = h };

    if (e)
        og_expr_visit(e->root, &visitor, &w);
}
