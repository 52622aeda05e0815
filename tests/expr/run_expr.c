/*
 * Runs a table of expressions (the form is described in tests/expr/README.md): compiles each, evaluates it over the
 * order and facts above it, and compares the whole result.
 *
 * run_expr TABLE            exit 1 if a case differs
 * run_expr --names          the table of names, one on each line
 *
 * A table without cases is an error.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "check/book.h"
#include "expr/program.h"
#include "ordergate/ordergate.h"

#define NEWLINE "\xE2\x90\xA4" /* ␤ stands for a newline in an expression */
#define FACTS   "{\"accountId\":\"L1\"}"

struct bench {
    struct og_book *book;
    struct og_scratch *scratch;
    struct og_order *order;
    struct og_expr_room *room;
    struct og_arena arena;
    struct og_patterns *patterns;
    struct og_expr_list lists[8];
    struct og_expr_names names;
    int64_t now;
    const char *file;
    int line, cases, bad;
};

static void must(bool ok, const struct bench *b, const char *what)
{
    if (ok)
        return;
    fprintf(stderr, "%s:%d: %s\n", b->file, b->line, what);
    exit(2);
}

static void set_policy(struct bench *b, const char *max_age)
{
    char yaml[400];
    struct og_policy *policy = NULL;
    struct og_error err = { 0 };

    snprintf(yaml, sizeof yaml, "ordergate: 1\nname: t\nextends: []\n%s%s\n", *max_age ? "max_age: " : "", max_age);
    if (og_policy_read(yaml, strlen(yaml), "t", &policy, NULL, NULL, &err))
        must(false, b, err.text);
    if (b->book)
        og_book_swap_policy(b->book, policy);
    else
        must(og_book_new(policy, &b->book) == OG_OK, b, "no book");
}

/* Forget all facts, then take these. */
static void set_facts(struct bench *b, const char *json)
{
    struct og_error err = { 0 };

    og_book_free(b->book);
    b->book = NULL;
    set_policy(b, "");
    if (*json && og_book_apply(b->book, NULL, json, strlen(json), "facts", &err))
        must(false, b, err.text);
}

static void set_order(struct bench *b, const char *json)
{
    og_order_clear(b->order);
    must(og_order_read(b->order, json, strlen(json)) == OG_OK, b, "no memory");
}

/* NAME WORD... */
static void add_list(struct bench *b, char *text)
{
    struct og_expr_list *list = &b->lists[b->names.count++];
    struct og_str *words = og_arena_take(&b->arena, 64 * sizeof *words);
    char *word = strtok_r(text, " ", &text);

    must(b->names.count <= 8 && words, b, "too many lists");
    *list = (struct og_expr_list){ .name = og_arena_copy(&b->arena, og_str_of(word)), .words.word = words };
    while ((word = strtok_r(NULL, " ", &text)) && list->words.count < 64)
        words[list->words.count++] = og_arena_copy(&b->arena, og_str_of(word));
}

static void put_list(struct og_expr_value v, int type, struct og_buf *out);

static void put(struct og_expr_value v, int type, struct og_buf *out)
{
    if (type & OG_TYPE_LIST)
        put_list(v, type & ~OG_TYPE_LIST, out);
    else if (type == OG_TYPE_STRING)
        og_buf_json_str(out, v.as.text);
    else
        og_expr_value_text(v, type, out);
}

static void put_list(struct og_expr_value v, int type, struct og_buf *out)
{
    og_buf_char(out, '[');
    for (size_t i = 0; i < v.as.list.count && type != OG_TYPE_LEG; i++) {
        og_buf_text(out, i ? ", " : "");
        put(v.as.list.at[i], type, out);
    }
    og_buf_char(out, ']');
}

static void put_fault(const struct og_expr_diagnostic *f, struct og_buf *out)
{
    og_buf_format(out, "refused %zu %s: %s", f->at, f->code ? f->code : "no memory", f->text);
}

static void put_why(const struct og_expr_value *v, const struct og_range *range, const struct og_case *c,
                    struct og_buf *out)
{
    struct og_expr_why why = { v->state, v->as.why.cause, v->as.why.fact, v->as.why.name };

    og_buf_text(out, v->state == OG_EXPR_UNKNOWN ? "unknown: " : "error: ");
    og_expr_why_text(&why, c, out);
    if (v->ranged) {
        og_buf_text(out, "; ");
        og_expr_range_text(range, out);
    }
}

/* Write the result as text: "true: bool", "error: division by zero", "refused 4 expression-type: ...". */
static void answer(struct bench *b, struct og_str text, struct og_buf *out)
{
    struct og_expr_diagnostic fault;
    const struct og_expr *e = og_expr_compile(text, OG_EXPR_ANY, &b->names, &b->arena, &b->patterns, &fault);
    struct og_expr_value v;
    struct og_case c;

    if (!e) {
        put_fault(&fault, out);
        return;
    }
    og_book_case(b->book, b->order, b->now, b->scratch, &c);
    v = og_expr_value_of(e, &c, b->room);
    if (v.state) {
        put_why(&v, &b->room->range[0], &c, out);
        return;
    }
    put(v, og_expr_type_of(e), out);
    og_buf_format(out, ": %s", og_expr_type_name(og_expr_type_of(e)));
}

static void render(struct bench *b, struct og_str text, struct og_buf *out)
{
    struct og_expr_diagnostic fault;
    const struct og_expr_message *m = og_expr_message_compile(text, &b->names, &b->arena, &b->patterns, &fault);
    struct og_case c;

    if (!m) {
        put_fault(&fault, out);
        return;
    }
    og_book_case(b->book, b->order, b->now, b->scratch, &c);
    og_expr_message_render(m, &c, b->room, out);
}

/* Compare with the expected text; "..." at its end stands for anything. */
static bool is_expected(const char *seen, const char *expected)
{
    size_t len = strlen(expected);

    if (len >= 3 && strcmp(expected + len - 3, "...") == 0)
        return strncmp(seen, expected, len - 3) == 0;
    return strcmp(seen, expected) == 0;
}

static void run_case(struct bench *b, char *text, const char *expected, bool message)
{
    struct og_buf out;
    char *newline;

    og_buf_init(&out, 0);
    while ((newline = strstr(text, NEWLINE))) {
        *newline = '\n';
        memmove(newline + 1, newline + 3, strlen(newline + 3) + 1);
    }
    if (message)
        render(b, og_str_of(text), &out);
    else
        answer(b, og_str_of(text), &out);
    b->cases++;
    if (!is_expected(out.s ? out.s : "", expected)) {
        printf("%s:%d: %s\n  expected %s\n  came     %s\n", b->file, b->line, text, expected, out.s ? out.s : "");
        b->bad++;
    }
    og_buf_clear(&out);
}

static bool directive(struct bench *b, char *line)
{
    char *rest = strchr(line, ' ');

    if (*line != '@')
        return false;
    rest = rest ? rest + 1 : line + strlen(line);
    if (strncmp(line, "@order ", 7) == 0)
        set_order(b, rest);
    else if (strncmp(line, "@facts", 6) == 0)
        set_facts(b, rest);
    else if (strncmp(line, "@max_age ", 9) == 0)
        set_policy(b, rest);
    else if (strncmp(line, "@at ", 4) == 0)
        must(og_time_read(rest, strlen(rest), &b->now), b, "no time");
    else if (strncmp(line, "@list ", 6) == 0)
        add_list(b, rest);
    else
        must(false, b, "no such directive");
    return true;
}

static void run_line(struct bench *b, char *line)
{
    char *arrow = strstr(line, " ==> ");
    bool message = strncmp(line, "message ", 8) == 0;

    if (!*line || *line == '#' || directive(b, line))
        return;
    must(arrow, b, "a case is 'EXPRESSION ==> ANSWER'");
    *arrow = '\0';
    for (char *end = arrow; end > line && end[-1] == ' ';)
        *--end = '\0';
    for (arrow += 5; *arrow == ' '; arrow++) {
    }
    run_case(b, message ? line + 8 : line, arrow, message);
}

static void run_table(struct bench *b)
{
    FILE *f = fopen(b->file, "r");
    char *line = NULL;
    size_t size = 0;
    ssize_t len;

    must(f, b, "cannot be read");
    while ((len = getline(&line, &size, f)) > 0) {
        if (line[len - 1] == '\n')
            line[len - 1] = '\0';
        b->line++;
        run_line(b, line);
    }
    free(line);
    fclose(f);
}

static int print_names(void)
{
    const struct og_expr_name *n;

    for (size_t i = 0; (n = og_expr_name_at(i)); i++) {
        printf("%s\t%s\t%s\t", n->name, og_expr_type_name(n->type), n->unit);
        for (unsigned facts = n->facts; facts; facts &= facts - 1)
            printf("%s%s", og_fact_name((enum og_fact)(facts & -facts)), facts & (facts - 1) ? " and " : "");
        printf("\t%s\n", n->help);
    }
    return 0;
}

int main(int argc, char **argv)
{
    static struct og_expr_room room;
    struct bench b = { .room = &room };

    if (argc == 2 && strcmp(argv[1], "--names") == 0)
        return print_names();
    b.scratch = og_scratch_new();
    b.order = og_order_new();
    if (argc != 2 || !b.scratch || !b.order)
        return 2;
    b.file = argv[1];
    b.names.lists = b.lists;
    og_arena_init(&b.arena, 0);
    room.patterns = b.scratch->room;
    set_facts(&b, "");
    run_table(&b);
    printf("%d cases, %d bad\n", b.cases, b.bad);
    for (struct og_patterns *p = b.patterns; p; p = p->next)
        og_pattern_free(p->pattern);
    og_arena_clear(&b.arena);
    og_book_free(b.book);
    og_scratch_free(b.scratch);
    og_order_free(b.order);
    return b.bad || !b.cases;
}
