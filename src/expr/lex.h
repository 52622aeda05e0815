/*
 * Tokens of an expression: names, decoded literals, signs.  Bytes that are not UTF-8, and literals of types that do not
 * exist here, are rejected.
 */
#pragma once

#include "expr/expr.h"

enum og_token_kind {
    OG_TOKEN_END = 0,
    OG_TOKEN_IDENT,
    OG_TOKEN_INT, /* the number without its sign, which is a token of its own */
    OG_TOKEN_DECIMAL,
    OG_TOKEN_STRING,
    OG_TOKEN_SIGN /* an operator or punctuation mark, in .sign */
};
/* Signs of two characters are first | second << 8. */
#define OG_SIGN(a, b) ((a) | (b) << 8)

struct og_token {
    enum og_token_kind kind;
    int sign;
    size_t at, end;
    struct og_str text; /* the token in the source; for a string, its decoded value */
    uint64_t magnitude;
    struct og_money number;
};

/* Returns true for words that cannot be names; selector: after a dot, where fewer words are reserved. */
bool og_expr_is_reserved(struct og_str word, bool selector);

/* Read the token at `from`.  Returns false on failure; diagnostic says why.  Decoded strings live in the arena. */
bool og_expr_lex(struct og_str text, size_t from, struct og_arena *keep, struct og_token *token,
                 struct og_expr_diagnostic *diagnostic);

/* Set the diagnostic.  Returns false. */
bool og_expr_fail(struct og_expr_diagnostic *diagnostic, size_t at, const char *code, const char *format, ...)
    __attribute__((format(printf, 4, 5)));
#define OG_EXPR_BAD_SYNTAX  "expression-syntax"
#define OG_EXPR_BAD_TYPE    "expression-type"
#define OG_EXPR_BAD_NAME    "expression-unknown-name"
#define OG_EXPR_BAD_FEATURE "expression-unsupported"
#define OG_EXPR_BAD_VALUE   "expression-value"
#define OG_EXPR_BAD_PATTERN "expression-pattern"
#define OG_EXPR_BAD_SIZE    "expression-too-large"
