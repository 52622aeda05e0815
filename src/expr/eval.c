/*
 * Runs a compiled expression for one case.  It allocates nothing, and continues after unknown values, whose bounds it
 * keeps. It takes no more steps than were counted at compile time: all jumps go forward, except at the end of a loop,
 * which runs once for each item of a list.
 */
#include "base/attributes.h"
#include "expr/names.h"

struct machine {
    const struct og_expr *e;
    const struct og_case *c;
    struct og_expr_room *room;
    struct og_expr_value *top; /* the next free place of the stack */
};

static inline void push(struct machine *m, struct og_expr_value v)
{
    *m->top++ = v;
}

/* --- names -------------------------------------------------------------------------------------------------------- */

bool og_expr_require_facts(const struct og_case *c, unsigned facts, const struct og_expr_named *name,
                           struct og_expr_value *v)
{
    *c->asked |= facts;
    facts &= ~c->usable;
    for (; facts; facts &= facts - 1) {
        enum og_fact kind = (enum og_fact)(facts & -facts);
        bool by_symbol = kind & OG_FACTS_BY_SYMBOL;
        int64_t as_of;

        if (og_case_known(c, kind, by_symbol ? c->order->symbol : (struct og_str){ 0 }, &as_of) &&
            og_fact_is_fresh(as_of, c->facts_at, c->max_age[__builtin_ctz((unsigned)kind)]))
            continue;
        *v = (struct og_expr_value){ .state = OG_EXPR_UNKNOWN,
                                     .as.why = { .cause = OG_CAUSE_FACT, .fact = kind, .name = name->is.name } };
        return false;
    }
    return true;
}

static struct og_range *range_at(const struct machine *m, const struct og_expr_value *v)
{
    return &m->room->range[v - m->room->stack];
}

/* Set the bounds of an unknown number: those that the getter gave, or, for a sum whose facts are unknown, at least
 * 0. */
static OG_COLD void set_range(struct machine *m, struct og_expr_value *v, bool bounded)
{
    *range_at(m, v) = v->ranged ? m->room->given : (struct og_range){ .has_low = true };
    v->ranged = bounded && (v->ranged || v->state == OG_EXPR_UNKNOWN);
}

static void push_named(struct machine *m, const struct og_expr_named *name)
{
    unsigned facts = name->is.facts & ~name->may;

    if (!facts || og_expr_require_facts(m->c, facts, name, m->top))
        name->get(m->c, m->room, name, m->top);
    if (m->top->state)
        set_range(m, m->top, name->bounded);
    m->top++;
}

/* Returns whether a name has a value; for a list: whether it has items. Unknown if a fact is missing. */
static struct og_expr_value has_value(struct og_expr_value v, int type)
{
    v.ranged = false;
    if (!v.state)
        return og_expr_truth_value(type & OG_TYPE_LIST ? v.as.list.count > 0
                                                       : type != OG_TYPE_STRING || v.as.text.s != og_expr_absent_text);
    return v.as.why.cause == OG_CAUSE_NO_VALUE || v.as.why.cause == OG_CAUSE_WRONG ? og_expr_truth_value(false) : v;
}

/* --- lists and loops ---------------------------------------------------------------------------------------------- */

static struct og_expr_value item_of(const struct og_case *c, const struct og_expr_value *at, size_t i)
{
    return at ? at[i] : (struct og_expr_value){ .as.leg = &c->order->leg[i] };
}

/* Make a list from cells; the list is known if all its items are. */
static struct og_expr_value list_of(struct machine *m, const struct og_expr_instr *i)
{
    const struct og_expr_value *cell = m->room->cell + i->arg;
    struct og_expr_value v = { .as.list = { .at = cell, .count = i->count } };

    for (int n = 0; n < i->count; n++)
        if (cell[n].state)
            v = og_expr_propagate(v, cell[n]);
    return v;
}

static struct og_expr_value item_at(const struct machine *m, struct og_expr_value list, struct og_expr_value index)
{
    int64_t n;

    if (list.state || index.state)
        return og_expr_propagate(list, index);
    n = index.as.number.coef;
    if (n < 0 || (uint64_t)n >= list.as.list.count)
        return og_expr_error(OG_CAUSE_INDEX, NULL);
    return item_of(m->c, list.as.list.at, (size_t)n);
}

/* Begin a loop. Returns false if the list has no items; the result is then on the stack. */
static bool begin_loop(struct machine *m, const struct og_expr_instr *i)
{
    struct og_expr_loop *l = &m->room->loop[i->arg];
    struct og_expr_value list = *--m->top;

    l->result = og_expr_truth_value(i->aux == OG_MACRO_ALL);
    if (list.state || list.as.list.count == 0) {
        push(m, list.state ? list : og_expr_truth_value(i->aux == OG_MACRO_ALL));
        return false;
    }
    l->at = list.as.list.at;
    l->count = list.as.list.count;
    l->i = l->found = 0;
    l->text_len = m->room->text_len;
    l->item = item_of(m->c, l->at, 0);
    return true;
}

/* Combine the condition's value for one item with the result so far.  Returns true if there is another item. */
static bool next_round(struct machine *m, const struct og_expr_instr *i)
{
    struct og_expr_loop *l = &m->room->loop[i->arg];
    struct og_expr_value v = *--m->top;

    m->room->text_len = l->text_len; /* the condition is a bool: texts that were made to compute it are no longer
                                      * needed */
    if (i->aux == OG_MACRO_EXISTS_ONE) {
        l->found += !v.state && v.as.truth;
        if (v.state)
            l->result = og_expr_propagate(l->result, v);
    } else {
        l->result = i->aux == OG_MACRO_ALL ? og_expr_and(l->result, v) : og_expr_or(l->result, v);
        if (!l->result.state && l->result.as.truth != (i->aux == OG_MACRO_ALL)) {
            push(m, l->result);
            return false;
        }
    }
    if (++l->i < l->count) {
        l->item = item_of(m->c, l->at, l->i);
        return true;
    }
    push(m, i->aux != OG_MACRO_EXISTS_ONE || l->result.state ? l->result : og_expr_truth_value(l->found == 1));
    return false;
}

/* --- calls -------------------------------------------------------------------------------------------------------- */

static void call_function(struct machine *m, const struct og_expr_instr *i)
{
    struct og_expr_value *arg = m->top - i->count;

    m->top = arg + 1;
    for (int n = 1; n < i->count; n++)
        if (arg[n].state)
            *arg = og_expr_propagate(*arg, arg[n]);
    arg->ranged = false;
    if (!arg->state)
        og_expr_functions[i->arg].call(m->room, arg);
}

/* --- the interpreter ---------------------------------------------------------------------------------------------- */

static inline bool is_known(const struct og_expr_value *v, bool truth)
{
    return !v->state && v->as.truth == truth;
}

static void run_program(struct machine *m)
{
    const struct og_expr_instr *code = m->e->code, *end = code + m->e->length, *i = code;

    while (i < end) {
        struct og_expr_value *top = m->top - 1;
        const struct og_expr_instr *next = i + 1;

        switch ((enum og_expr_op)i->op) {
        case OG_OP_CONST: push(m, m->e->constants[i->arg]); break;
        case OG_OP_NAME: push_named(m, &og_expr_named[i->arg]); break;
        case OG_OP_HAS_NAME:
            push_named(m, &og_expr_named[i->arg]);
            top[1] = has_value(top[1], og_expr_named[i->arg].is.type);
            break;
        case OG_OP_ITEM: push(m, m->room->loop[i->arg].item); break;
        case OG_OP_LEG: *top = og_expr_leg_value(m->c, m->room, *top, &og_expr_leg_fields[i->arg]); break;
        case OG_OP_HAS_LEG:
            *top = has_value(og_expr_leg_value(m->c, m->room, *top, &og_expr_leg_fields[i->arg]),
                             og_expr_leg_fields[i->arg].is.type);
            break;
        case OG_OP_NOT:
            if (!top->state)
                top->as.truth = !top->as.truth;
            break;
        case OG_OP_NEGATE:
            *top = og_expr_unary(i->op, *top);
            if (top->ranged)
                *range_at(m, top) = og_range_negated(range_at(m, top));
            break;
        case OG_OP_ADD:
        case OG_OP_SUB:
        case OG_OP_MUL:
        case OG_OP_DIV:
        case OG_OP_MOD:
            if (!top[-1].state && !top[0].state)
                top[-1] = og_expr_binary(i->op, i->aux, top[-1], top[0], m->room);
            else
                og_expr_binary_ranged(i, top - 1, range_at(m, top - 1), top, range_at(m, top));
            m->top--;
            break;
        case OG_OP_EQ:
        case OG_OP_NE:
        case OG_OP_LT:
        case OG_OP_LE:
        case OG_OP_GT:
        case OG_OP_GE:
        case OG_OP_IN:
            if (!top[-1].state && !top[0].state)
                top[-1].as.truth = og_expr_compare(i->op, i->aux, &top[-1], &top[0]);
            else
                og_expr_binary_ranged(i, top - 1, range_at(m, top - 1), top, range_at(m, top));
            m->top--;
            break;
        case OG_OP_IN_WORDS:
            if (!top->state)
                top->as.truth = (i->aux == OG_OPERAND_ACCOUNT ? og_string_set_contains_folded : og_string_set_contains)(
                    m->e->constants[i->more].as.words, top->as.text);
            break;
        case OG_OP_AND_JUMP:
            if (is_known(top, false))
                next = code + i->arg;
            break;
        case OG_OP_OR_JUMP:
            if (is_known(top, true))
                next = code + i->arg;
            break;
        case OG_OP_AND:
        case OG_OP_OR:
            top[-1] = i->op == OG_OP_AND ? og_expr_and(top[-1], top[0]) : og_expr_or(top[-1], top[0]);
            m->top--;
            break;
        case OG_OP_BRANCH:
            if (top->state) { /* the condition is unknown: it stays on the stack, as the conditional's result */
                next = code + i->more;
                break;
            }
            m->top--;
            if (!top->as.truth)
                next = code + i->arg;
            break;
        case OG_OP_JUMP: next = code + i->arg; break;
        case OG_OP_CELL: m->room->cell[i->arg] = *--m->top; break;
        case OG_OP_LIST: push(m, list_of(m, i)); break;
        case OG_OP_INDEX:
            top[-1] = item_at(m, top[-1], top[0]);
            m->top--;
            break;
        case OG_OP_LOOP:
            if (!begin_loop(m, i))
                next = code + i->more;
            break;
        case OG_OP_NEXT:
            if (next_round(m, i))
                next = code + i->more;
            break;
        case OG_OP_CALL: call_function(m, i); break;
        }
        i = next;
    }
}

/* Returns true if the expression names a list that is too old. The expression's value, which is then unknown, is put at
 * the bottom of the stack. */
static OG_COLD bool names_old_list(const struct og_expr *e, const struct og_case *c, struct og_expr_room *room)
{
    for (const struct og_expr_list_name *l = e->lists; l; l = l->next)
        if (og_list_must_be_young(&l->age) && !og_list_is_young(&l->age, c->now, &c->eastern, c->today)) {
            room->stack[0] = (struct og_expr_value){ .state = OG_EXPR_UNKNOWN,
                                                     .as.why = { .cause = OG_CAUSE_LIST, .name = l->whole } };
            return true;
        }
    return false;
}

/* Run the program; its result is then at the bottom of the stack. */
static void evaluate(const struct og_expr *e, const struct og_case *c, struct og_expr_room *room)
{
    struct machine m = { .e = e, .c = c, .room = room, .top = room->stack };

    room->text_len = 0;
    if (!e->ages || !names_old_list(e, c, room))
        run_program(&m);
}

struct og_expr_value og_expr_value_of(const struct og_expr *e, const struct og_case *c, struct og_expr_room *room)
{
    evaluate(e, c, room);
    return room->stack[0];
}

enum og_truth og_expr_truth(const struct og_expr *e, const struct og_case *c, struct og_expr_room *room,
                            struct og_expr_why *why)
{
    const struct og_expr_value *v = room->stack;

    evaluate(e, c, room);
    if (!v->state)
        return v->as.truth ? OG_TRUTH_TRUE : OG_TRUTH_FALSE;
    if (why)
        *why = (struct og_expr_why){ v->state, v->as.why.cause, v->as.why.fact, v->as.why.name };
    return OG_TRUTH_UNKNOWN;
}
