/*
 * Fuzz: bytes as an expression and as a message.  If it compiles, it terminates, is evaluated over stock and over a
 * spread, asks only for the facts it declared, and has the same value when read back from its text.  If not, the
 * error names a place within the text.
 */
#include <string.h>

#include "check/book.h"
#include "expr/program.h"
#include "fuzz.h"
#include "ordergate/ordergate.h"

#define AT    INT64_C(1768489200000000000) /* 2026-01-15T15:00:00Z */
#define CASES 3

static const char *const orders[CASES] = {
    "{\"securityType\":\"Stock\",\"symbol\":\"GME\",\"side\":\"Sell\",\"openClose\":\"Open\",\"orderType\":\"Limit\","
    "\"orderQuantity\":100,\"timeInForce\":\"Day\",\"limitPrice\":4.995,\"clientOrderId\":\"a1\"}",
    "{\"securityType\":\"Mleg\",\"symbol\":\"GME\",\"orderType\":\"Limit\",\"orderQuantity\":2,\"timeInForce\":\"Day\","
    "\"limitPrice\":0.4,\"legs\":[{\"symbol\":\"GME260116P00005000\",\"side\":\"Buy\",\"ratio\":1,"
    "\"openClose\":\"Open\"},"
    "{\"symbol\":\"GME260116P00005500\",\"side\":\"Sell\",\"ratio\":1,\"openClose\":\"Open\"}]}",
    "{\"symbol\":7,\"limitPrice\":\"x\"}",
};
static const char facts[] =
    "{\"asOf\":\"2026-01-15T14:59:58Z\",\"accountId\":\"L1\",\"account\":{\"equity\":5000,\"bp\":100},\"positions\":[],"
    "\"orders\":[],\"quotes\":{\"GME\":{\"bid\":5,\"ask\":5.01}},\"borrow\":{\"GME\":true}}";

static struct og_case cases[CASES];
static struct og_expr_room room;
static struct og_book *book;

static void set_up(void)
{
    static const char yaml[] = "ordergate: 1\nname: t\nextends: []\n";
    struct og_policy *policy;

    DEMAND(og_policy_read(yaml, sizeof yaml - 1, "t", &policy, NULL, NULL, NULL) == OG_OK);
    DEMAND(og_book_new(policy, &book) == OG_OK);
    DEMAND(og_book_apply(book, NULL, facts, sizeof facts - 1, "facts", NULL) == OG_OK);
    for (int i = 0; i < CASES; i++) {
        struct og_scratch *scratch = og_scratch_new();
        struct og_order *order = og_order_new();

        DEMAND(scratch && order && og_order_read(order, orders[i], strlen(orders[i])) == OG_OK);
        og_book_case(book, order, AT, scratch, &cases[i]);
        room.patterns = scratch->room;
    }
}

static void check_fault(const struct og_expr_diagnostic *f, size_t size)
{
    DEMAND(f->code && f->text[0] && f->at <= size);
}

struct visited {
    size_t nodes;
    int pending;
};

static void count_node(void *with, const struct og_expr_node *n)
{
    struct visited *v = with;
    uint32_t size = 1;

    v->nodes++;
    v->pending += 1 - n->operands;
    DEMAND(v->pending <= OG_EXPR_PENDING_MOST);
    for (int i = 0; i < n->operands; i++) {
        const struct og_expr_node *operand = og_expr_operand(n, i);

        DEMAND(operand < n && operand + operand->parent == n && operand->number == i);
        size += operand->size;
    }
    DEMAND(size == n->size && (n->op == OG_OP_CONST) == (n->value != NULL));
}

/* Assert that operands and parents agree, and that the visitor comes to each node once. */
static void check_tree(const struct og_expr *e)
{
    static const struct og_expr_visitor visitor = { count_node, NULL };
    struct visited v = { 0 };

    og_expr_visit(e->root, &visitor, &v);
    DEMAND(v.nodes == e->root->size && v.pending == 1 && e->root->parent == 0 && e->root->type == e->type);
}

#define COUNT (-1)
static const struct {
    int pops, pushes;
} opcodes[] = {
#define OG_OP(name, pops, pushes) { pops, pushes },
#include "expr/opcodes.def"
#undef OG_OP
};

/* Assert that the program terminates: all jumps go forward, except that at the end of a loop, which goes to the loop's
 * beginning. No value is popped that was not pushed, and one is left in the end. */
static void check_program(const struct og_expr *e)
{
    static int depth[OG_EXPR_BYTES_MOST * 4];
    int length = (int)e->length;

    DEMAND(length > 0 && length < (int)(sizeof depth / sizeof *depth));
    for (int i = 0; i <= length; i++)
        depth[i] = -1;
    depth[0] = 0;
    for (int i = 0; i < length; i++) {
        const struct og_expr_instr *in = &e->code[i];
        int at = depth[i], pops = opcodes[in->op].pops == COUNT ? in->count : opcodes[in->op].pops;
        int after = at - pops + opcodes[in->op].pushes;

        DEMAND(at >= pops && after < OG_EXPR_STACK);
        switch (in->op) {
        case OG_OP_BRANCH:
        case OG_OP_AND_JUMP:
        case OG_OP_OR_JUMP:
        case OG_OP_JUMP:
            DEMAND(at >= 1 && in->arg > i && in->arg <= length);
            depth[in->arg] = in->op == OG_OP_JUMP ? at : after;
            if (in->op == OG_OP_JUMP)
                continue; /* the instruction behind a jump is reached in another way */
            if (in->op == OG_OP_BRANCH) {
                DEMAND(in->more > i && in->more <= length);
                depth[in->more] = at;
            }
            break;
        case OG_OP_LOOP:
            DEMAND(in->more > i && in->more <= length && e->code[in->more - 1].op == OG_OP_NEXT);
            DEMAND(e->code[in->more - 1].more == i + 1 && e->code[in->more - 1].arg == in->arg);
            break;
        case OG_OP_NEXT:
            DEMAND(in->more >= 1 && in->more <= i && e->code[in->more - 1].op == OG_OP_LOOP &&
                   depth[in->more] == at - 1);
            break;
        case OG_OP_CALL: DEMAND(in->count >= 1); break;
        default: break;
        }
        DEMAND(depth[i + 1] < 0 || depth[i + 1] == after);
        depth[i + 1] = after;
    }
    DEMAND(depth[length] == 1);
}

static void check_value(const struct og_expr *e, const struct og_expr *again, const struct og_case *c)
{
    static char first[4096], second[4096];
    struct og_buf a, b;
    struct og_expr_value v;

    og_buf_init_fixed(&a, first, sizeof first);
    og_buf_init_fixed(&b, second, sizeof second);
    *c->asked = 0;
    v = og_expr_value_of(e, c, &room);
    DEMAND((*c->asked & ~og_expr_reads(e)) == 0); /* the program reads no fact that it does not declare */
    og_expr_value_text(v, og_expr_type_of(e), &a);
    if (v.state) {
        struct og_expr_why why = { v.state, v.as.why.cause, v.as.why.fact, v.as.why.name };

        og_expr_why_text(&why, c, &b);
        DEMAND(b.len > 0);
        og_buf_reset(&b);
    }
    og_expr_value_text(og_expr_value_of(again, c, &room), og_expr_type_of(again), &b);
    DEMAND(a.len == b.len && memcmp(first, second, a.len) == 0);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static bool ready;
    struct og_str words[] = { OG_STR("GME"), OG_STR("AMC") };
    struct og_expr_list list = { .name = OG_STR("meme"), .words = { .word = words, .count = 2 } };
    struct og_expr_names names = { &list, 1 };
    struct og_str text = { (const char *)data, size };
    struct og_patterns *patterns = NULL;
    const struct og_expr_message *m;
    const struct og_expr *e, *again;
    struct og_expr_diagnostic fault;
    struct og_arena arena;
    static char said[1024];
    struct og_buf b;

    if (!ready)
        set_up();
    ready = true;
    og_arena_init(&arena, 0);
    e = og_expr_compile(text, OG_EXPR_ANY, &names, &arena, &patterns, &fault);
    if (e) {
        check_tree(e);
        check_program(e);
        DEMAND(og_expr_cost(e) >= e->length && og_expr_cost(e) <= OG_EXPR_COST_MOST);
        again = og_expr_compile(og_expr_text(e), OG_EXPR_ANY, &names, &arena, &patterns, &fault);
        DEMAND(again);
        for (int i = 0; i < CASES; i++)
            check_value(e, again, &cases[i]);
    } else {
        check_fault(&fault, size);
    }
    m = og_expr_message_compile(text, &names, &arena, &patterns, &fault);
    for (int i = 0; m && i < CASES; i++) {
        og_buf_init_fixed(&b, said, sizeof said);
        og_expr_message_render(m, &cases[i], &room, &b);
    }
    if (!m)
        check_fault(&fault, size);
    for (; patterns; patterns = patterns->next)
        og_pattern_free(patterns->pattern);
    og_arena_clear(&arena);
    return 0;
}
