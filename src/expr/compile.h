/*
 * Internals of the compiler.  It reads and checks an expression in one pass, and builds its tree in postorder, with
 * constants folded.  Then it emits the instructions.
 */
#pragma once

#include "expr/lex.h"
#include "expr/program.h"

/* An operand of the expression that is being read: a subtree. */
struct og_operand {
    int type;
    bool constant;
    bool selects;                      /* the operand is group.field, to which has() can be applied */
    bool account;                      /* the operand is account.id, whose case does not count */
    struct og_expr_value value;        /* the operand's value, if it is constant */
    size_t at;                         /* the operand's offset in the text */
    size_t from;                       /* index of the operand's first node */
    uint64_t cost_from;                /* cost of everything before the operand */
    int depth_from;                    /* number of values on the stack before the operand is evaluated */
    size_t most;                       /* for a list: maximum number of its items */
    const struct og_string_set *words; /* for a named list: the list's hash index; NULL for other lists */
};

struct og_scope {
    struct og_str name;
    int type, slot;
};

struct og_compiler {
    struct og_str text;
    const struct og_expr_names *names;
    struct og_arena *keep;
    struct og_arena temporary;
    struct og_patterns **patterns;
    struct og_expr_diagnostic *diagnostic;
    bool failed;
    size_t next; /* offset of the next token */
    struct og_token token;
    int nesting, depth, cells, loops, scopes;
    struct og_expr_node *node;
    size_t nodes, node_room;
    struct og_expr_value *constant;
    size_t constants, constant_room;
    uint64_t cost;
    const struct og_expr_list_name *lists, **lists_end;
    struct og_scope scope[OG_EXPR_LOOPS];
    struct og_expr_room room; /* scratch memory in which constants are folded */
};

/* --- compile.c ---------------------------------------------------------------------------------------------------- */
/* Compile like og_expr_compile(). braced: the expression ends before a closing brace; *end is set to the brace's
 * offset. */
const struct og_expr *og_expr_compile_part(struct og_str text, bool braced, enum og_expr_want want,
                                           const struct og_expr_names *names, struct og_arena *keep,
                                           struct og_patterns **patterns, struct og_expr_diagnostic *diagnostic,
                                           size_t *end);

/* --- build.c ------------------------------------------------------------------------------------------------------ */
bool og_compile_fail(struct og_compiler *c, size_t at, const char *code, const char *format, ...)
    __attribute__((format(printf, 4, 5)));
bool og_compile_no_memory(struct og_compiler *c);
/* Make room for one more item of `size` bytes.  Returns NULL on failure. */
void *og_compile_grow(struct og_compiler *c, void *items, size_t count, size_t *room, size_t size);
struct og_operand og_operand_begin(const struct og_compiler *c, size_t at);
/* Append a node whose operands are the subtrees from o on; afterwards o describes the new node. */
bool og_operand_node(struct og_compiler *c, struct og_operand *o, struct og_expr_node n, int type, unsigned cost);
/* Replace the operand, and everything after it, by a constant. */
bool og_operand_constant(struct og_compiler *c, struct og_operand *o, struct og_expr_value v, int type);
/* Discard the nodes of the operand, and everything after them. */
void og_operand_undo(struct og_compiler *c, const struct og_operand *o);
bool og_operand_binary(struct og_compiler *c, unsigned char op, const char *sign, size_t at, struct og_operand *a,
                       const struct og_operand *b);
bool og_operand_unary(struct og_compiler *c, unsigned char op, size_t at, struct og_operand *o);
/* Convert the words of a named list to values; done once, for all expressions that use the list. */
bool og_compile_list_values(struct og_compiler *c, struct og_expr_list *list);
/* Returns true if a value of `type` may be used where type `wanted` is expected. */
bool og_type_fits(int type, int wanted);
/* Returns the common type of a and b; -1 if they have none. */
int og_type_join(int a, int b);

/* --- call.c ------------------------------------------------------------------------------------------------------- */
/* Compile a call, name(args) or, with a receiver, receiver.name(args); the current token is the opening parenthesis. */
bool og_compile_call(struct og_compiler *c, struct og_token name, struct og_operand *receiver, struct og_operand *out);

/* --- select.c ----------------------------------------------------------------------------------------------------- */
/* Compile a name that is not a call: a variable of a loop, a name of the table or a named list. */
bool og_compile_name(struct og_compiler *c, struct og_token name, bool root, struct og_operand *out);
bool og_compile_field(struct og_compiler *c, struct og_token field, struct og_operand *o);
bool og_compile_has(struct og_compiler *c, struct og_operand *o);

/* --- parse.c ------------------------------------------------------------------------------------------------------ */
bool og_compile_next(struct og_compiler *c); /* read the next token */
bool og_compile_is(const struct og_compiler *c, int sign);
/* report an error at the current token; returns false */
bool og_compile_unexpected(struct og_compiler *c, const char *wanted);
bool og_compile_expect(struct og_compiler *c, int sign, const char *where);
bool og_compile_expr(struct og_compiler *c, struct og_operand *out);
