/*
 * Reads tokens (CEL specification, "Syntax").  Unsigned numbers, bytes, null and unknown escapes are rejected.
 */
#include "expr/lex.h"

#include "base/utf8.h"

static const char *const keywords[] = { "false", "in", "null", "true", NULL };
static const char *const reserved[] = { "as",        "break",  "const",  "continue", "else",  "for",
                                        "function",  "if",     "import", "let",      "loop",  "package",
                                        "namespace", "return", "var",    "void",     "while", NULL };

bool og_expr_fail(struct og_expr_diagnostic *diagnostic, size_t at, const char *code, const char *format, ...)
{
    va_list args;

    *diagnostic = (struct og_expr_diagnostic){ .at = at, .code = code };
    va_start(args, format);
    og_text_format(diagnostic->text, sizeof diagnostic->text, format, args);
    va_end(args);
    return false;
}

bool og_expr_is_reserved(struct og_str word, bool selector)
{
    return og_str_is_one_of(word, keywords) || (!selector && og_str_is_one_of(word, reserved));
}

static bool is_digit(int c)
{
    return c >= '0' && c <= '9';
}

static bool is_letter(int c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
}

static int hex_of(int c)
{
    return is_digit(c) ? c - '0' : c >= 'a' && c <= 'f' ? c - 'a' + 10 : c >= 'A' && c <= 'F' ? c - 'A' + 10 : -1;
}

/* --- the reader --------------------------------------------------------------------------------------------------- */

struct reader {
    struct og_str text;
    size_t at;
    struct og_token *token;
    struct og_arena *keep;
    struct og_expr_diagnostic *diagnostic;
};

/* Returns the byte that is n bytes ahead; -1 past the end. */
static int peek(const struct reader *r, size_t n)
{
    return r->at + n < r->text.len ? (unsigned char)r->text.s[r->at + n] : -1;
}

static bool skip_blanks(struct reader *r)
{
    for (;;) {
        int c = peek(r, 0);

        if (c == '/' && peek(r, 1) == '/') {
            while (peek(r, 0) >= 0 && peek(r, 0) != '\n')
                r->at++;
        } else if (c == ' ' || c == '\t' || c == '\n' || c == '\r' || c == '\f') {
            r->at++;
        } else {
            return true;
        }
    }
}

/* --- numbers ------------------------------------------------------------------------------------------------------ */

/* End a number. No letter may follow it: the language has no suffixes such as 10k. */
static bool end_number(struct reader *r)
{
    struct og_token *t = r->token;

    t->end = r->at;
    t->text = (struct og_str){ r->text.s + t->at, t->end - t->at };
    if ((peek(r, 0) | 0x20) == 'u' && !is_letter(peek(r, 1)) && !is_digit(peek(r, 1)))
        return og_expr_fail(r->diagnostic, r->at, OG_EXPR_BAD_FEATURE,
                            "the expression language has no unsigned numbers: write %.*s without '%c'",
                            (int)(t->text.len < 40 ? t->text.len : 40), t->text.s, peek(r, 0));
    if (is_letter(peek(r, 0)))
        return og_expr_fail(r->diagnostic, r->at, OG_EXPR_BAD_SYNTAX, "'%c' cannot follow a number", peek(r, 0));
    return true;
}

static bool read_hex(struct reader *r)
{
    struct og_token *t = r->token;

    for (r->at += 2; hex_of(peek(r, 0)) >= 0; r->at++) {
        if (t->magnitude >> 60)
            return og_expr_fail(r->diagnostic, t->at, OG_EXPR_BAD_VALUE, "this number is larger than an int holds");
        t->magnitude = t->magnitude << 4 | (uint64_t)hex_of(peek(r, 0));
    }
    t->kind = OG_TOKEN_INT;
    return r->at > t->at + 2
               ? end_number(r)
               : og_expr_fail(r->diagnostic, r->at, OG_EXPR_BAD_SYNTAX, "a hexadecimal digit must follow 0x");
}

static bool read_int(struct reader *r, size_t from, size_t until)
{
    struct og_token *t = r->token;

    for (size_t i = from; i < until; i++)
        if (__builtin_mul_overflow(t->magnitude, (uint64_t)10, &t->magnitude) ||
            __builtin_add_overflow(t->magnitude, (uint64_t)(r->text.s[i] - '0'), &t->magnitude))
            return og_expr_fail(r->diagnostic, t->at, OG_EXPR_BAD_VALUE, "this number is larger than an int holds");
    t->kind = OG_TOKEN_INT;
    return end_number(r);
}

/* Read a decimal.  og_money_read() reads only JSON numbers, so a missing digit before the point is added, and extra
 * leading zeros are removed. */
static bool read_decimal(struct reader *r, size_t from)
{
    char text[80];
    size_t zeros = from, len;
    bool bare;

    while (r->text.s[zeros] == '0')
        zeros++;
    bare = !is_digit(r->text.s[zeros]);
    len = r->at - zeros;
    r->token->kind = OG_TOKEN_DECIMAL;
    if (!end_number(r))
        return false;
    if (len + bare < sizeof text) {
        text[0] = '0';
        memcpy(text + bare, r->text.s + zeros, len);
        if (og_money_read(text, len + bare, &r->token->number))
            return true;
    }
    return og_expr_fail(r->diagnostic, r->token->at, OG_EXPR_BAD_VALUE,
                        "this number cannot be kept exactly: at most 18 digits, at most 18 of them after the point");
}

static bool read_number(struct reader *r)
{
    size_t from = r->at, until;

    if (peek(r, 0) == '0' && peek(r, 1) == 'x')
        return read_hex(r);
    while (is_digit(peek(r, 0)))
        r->at++;
    until = r->at;
    if (peek(r, 0) == '.' && is_digit(peek(r, 1)))
        for (r->at++; is_digit(peek(r, 0)); r->at++) {
        }
    if ((peek(r, 0) | 0x20) == 'e') {
        size_t sign = peek(r, 1) == '+' || peek(r, 1) == '-';

        if (is_digit(peek(r, 1 + sign)))
            for (r->at += 1 + sign; is_digit(peek(r, 0)); r->at++) {
            }
    }
    return r->at == until ? read_int(r, from, until) : read_decimal(r, from);
}

/* --- strings ------------------------------------------------------------------------------------------------------ */

static char *append_utf8(char *to, uint32_t c)
{
    if (c < 0x80) {
        *to++ = (char)c;
        return to;
    }
    if (c < 0x800) {
        *to++ = (char)(0xC0 | c >> 6);
    } else {
        if (c < 0x10000) {
            *to++ = (char)(0xE0 | c >> 12);
        } else {
            *to++ = (char)(0xF0 | c >> 18);
            *to++ = (char)(0x80 | (c >> 12 & 0x3F));
        }
        *to++ = (char)(0x80 | (c >> 6 & 0x3F));
    }
    *to++ = (char)(0x80 | (c & 0x3F));
    return to;
}

/* Read exactly `digits` hexadecimal digits. */
static bool read_code(struct reader *r, size_t at, int digits, uint32_t *c)
{
    *c = 0;
    for (int i = 0; i < digits; i++, r->at++) {
        if (hex_of(peek(r, 0)) < 0)
            return og_expr_fail(r->diagnostic, at, OG_EXPR_BAD_SYNTAX, "this escape takes %d hexadecimal digits",
                                digits);
        *c = *c << 4 | (uint32_t)hex_of(peek(r, 0));
    }
    if (*c > 0x10FFFF || (*c >= 0xD800 && *c <= 0xDFFF))
        return og_expr_fail(r->diagnostic, at, OG_EXPR_BAD_SYNTAX, "this escape is not a code point");
    return true;
}

/* Read an escape, after its backslash. */
static bool read_escape(struct reader *r, char **to)
{
    static const char plain[] = "\\?\"'`abfnrtv", means[] = "\\?\"'`\a\b\f\n\r\t\v";
    size_t at = r->at++;
    int c = peek(r, 0);
    const char *found = c > 0 ? strchr(plain, c) : NULL;
    uint32_t code = 0;

    r->at++;
    if (found) {
        *(*to)++ = means[found - plain];
        return true;
    }
    if (c >= '0' && c <= '3') {
        if (peek(r, 0) < '0' || peek(r, 0) > '7' || peek(r, 1) < '0' || peek(r, 1) > '7')
            return og_expr_fail(r->diagnostic, at, OG_EXPR_BAD_SYNTAX,
                                "an octal escape takes three digits, 000 to 377");
        code = (uint32_t)((c - '0') * 64 + (peek(r, 0) - '0') * 8 + peek(r, 1) - '0');
        r->at += 2;
    } else if (c == 'x' || c == 'X' || c == 'u' || c == 'U') {
        if (!read_code(r, at, c == 'u' ? 4 : c == 'U' ? 8 : 2, &code))
            return false;
    } else {
        return og_expr_fail(r->diagnostic, at, OG_EXPR_BAD_SYNTAX,
                            "this escape is not known (a backslash is written \\\\, or in a raw string r\"...\")");
    }
    *to = append_utf8(*to, code);
    return true;
}

/* Find the closing quotes.  Returns false if there are none. */
static bool find_end(const struct reader *r, bool raw, int quote, size_t quotes, size_t *end)
{
    for (size_t n = quotes; peek(r, n) >= 0; n++) {
        int c = peek(r, n);

        if (quotes == 1 && (c == '\n' || c == '\r'))
            return false;
        if (c == quote && (quotes == 1 || (peek(r, n + 1) == quote && peek(r, n + 2) == quote))) {
            *end = r->at + n;
            return true;
        }
        n += c == '\\' && !raw;
    }
    return false;
}

/* Read a string from its opening quote on. */
static bool read_string(struct reader *r, bool raw)
{
    struct og_token *t = r->token;
    int quote = peek(r, 0);
    size_t quotes = peek(r, 1) == quote && peek(r, 2) == quote ? 3 : 1, end;
    char *bytes, *to;

    if (!find_end(r, raw, quote, quotes, &end))
        return og_expr_fail(r->diagnostic, t->at, OG_EXPR_BAD_SYNTAX, "this string has no end: %.*s is missing",
                            (int)quotes, quote == '"' ? "\"\"\"" : "'''");
    bytes = to = og_arena_take(r->keep, end - r->at); /* the memory suffices: no escape is shorter than the character
                                                       * that it stands for */
    if (!bytes)
        return og_expr_fail(r->diagnostic, r->at, NULL, "out of memory");
    for (r->at += quotes; r->at < end;)
        if (peek(r, 0) != '\\' || raw)
            *to++ = r->text.s[r->at++];
        else if (!read_escape(r, &to))
            return false;
    r->at += quotes;
    t->kind = OG_TOKEN_STRING;
    t->text = (struct og_str){ bytes, (size_t)(to - bytes) };
    t->end = r->at;
    return true;
}

/* Read r"..." or b"...", which begin like names.  *is is set to true if the text begins such a string.  Returns false
 * on failure. */
static bool read_prefixed(struct reader *r, bool *is)
{
    bool raw = false, bytes = false;
    size_t n = 0;

    for (; n < 2; n++) {
        int c = peek(r, n) | 0x20;

        if (c == 'r' && !raw)
            raw = true;
        else if (c == 'b' && !bytes && !raw)
            bytes = true;
        else
            break;
    }
    *is = n > 0 && (peek(r, n) == '"' || peek(r, n) == '\'');
    if (!*is)
        return true;
    if (bytes)
        return og_expr_fail(r->diagnostic, r->at, OG_EXPR_BAD_FEATURE,
                            "the expression language has no type bytes: write a string without 'b'");
    r->at += n;
    return read_string(r, raw);
}

/* --- names and signs ---------------------------------------------------------------------------------------------- */

static void read_ident(struct reader *r)
{
    struct og_token *t = r->token;

    while (is_letter(peek(r, 0)) || is_digit(peek(r, 0)))
        r->at++;
    t->kind = OG_TOKEN_IDENT;
    t->end = r->at;
    t->text = (struct og_str){ r->text.s + t->at, t->end - t->at };
}

static bool read_sign(struct reader *r)
{
    static const char two[][3] = { "&&", "||", "==", "!=", "<=", ">=" }, one[] = "()[]{}.,?:<>!+-*/%";
    struct og_token *t = r->token;
    int c = peek(r, 0), next = peek(r, 1);

    t->kind = OG_TOKEN_SIGN;
    for (size_t i = 0; i < sizeof two / sizeof *two; i++)
        if (c == two[i][0] && next == two[i][1])
            t->sign = OG_SIGN(c, next);
    if (!t->sign && c > 0 && strchr(one, c))
        t->sign = c;
    r->at += t->sign > 0xFF ? 2 : 1;
    t->end = r->at;
    t->text = (struct og_str){ r->text.s + t->at, t->end - t->at };
    if (t->sign)
        return true;
    if (c == '=' || c == '&' || c == '|')
        return og_expr_fail(r->diagnostic, t->at, OG_EXPR_BAD_SYNTAX, "'%c' is not an operator: did you mean '%c%c'?",
                            c, c, c);
    if (c > ' ' && c < 0x7F)
        return og_expr_fail(r->diagnostic, t->at, OG_EXPR_BAD_SYNTAX, "'%c' cannot be part of an expression", c);
    return og_expr_fail(r->diagnostic, t->at, OG_EXPR_BAD_SYNTAX,
                        "byte 0x%02x cannot be part of an expression outside a string", (unsigned)c);
}

bool og_expr_lex(struct og_str text, size_t from, struct og_arena *keep, struct og_token *token,
                 struct og_expr_diagnostic *diagnostic)
{
    struct reader r = { .text = text, .at = from, .token = token, .keep = keep, .diagnostic = diagnostic };
    bool is = false;
    int c;

    (void)skip_blanks(&r);
    *token = (struct og_token){ .at = r.at, .end = r.at };
    c = peek(&r, 0);
    if (c < 0)
        return true;
    if (is_digit(c) || (c == '.' && is_digit(peek(&r, 1))))
        return read_number(&r);
    if (c == '"' || c == '\'')
        return read_string(&r, false);
    if (!read_prefixed(&r, &is))
        return false;
    if (is)
        return true;
    if (!is_letter(c))
        return read_sign(&r);
    read_ident(&r);
    return true;
}
