/*
 * Example texts of a regular expression, made from its letters, groups, classes and counts.  Look-around,
 * back-references and options are not supported.  The texts are proposals: the caller must match each before using it.
 */
#include "text/regex_examples.h"

#define DEPTH_MOST 6

struct reader {
    const char *p, *end;
    int depth;
    bool odd; /* the pattern has something that is not supported */
};

static void add(struct og_regex_examples *set, const char *a, const char *b)
{
    size_t x = strlen(a), y = strlen(b);

    if (set->count == OG_REGEX_EXAMPLES_MOST || x + y >= OG_REGEX_EXAMPLE_BYTES) {
        set->exact = false;
        return;
    }
    memcpy(set->text[set->count], a, x);
    memcpy(set->text[set->count++] + x, b, y + 1);
}

static void one_of(struct og_regex_examples *set, const char *chars, bool exact)
{
    *set = (struct og_regex_examples){ .exact = exact };
    for (; *chars; chars++)
        add(set, (const char[]){ *chars, '\0' }, "");
}

/* to = every text of `to` followed by every text of `more`. */
static void join(struct og_regex_examples *to, const struct og_regex_examples *more)
{
    struct og_regex_examples made = { .exact = to->exact && more->exact };

    for (int i = 0; i < to->count && made.count < OG_REGEX_EXAMPLES_MOST; i++)
        for (int k = 0; k < more->count && made.count < OG_REGEX_EXAMPLES_MOST; k++)
            add(&made, to->text[i], more->text[k]);
    made.exact = made.exact && made.count == to->count * more->count;
    *to = made;
}

static void read_choice(struct reader *r, struct og_regex_examples *out);

/* Read what follows a backslash. */
static void read_escape(struct reader *r, struct og_regex_examples *out)
{
    char c = r->p < r->end ? *r->p++ : '\0';

    if (c == 'd')
        one_of(out, "0123456789", true);
    else if (c == 'w')
        one_of(out, "AZ0_", false);
    else if (c && !strchr("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789", c))
        one_of(out, (const char[]){ c, '\0' }, true);
    else
        r->odd = true;
}

/* Read a class after its bracket: letters, digits, ranges of them, a point or a dash. */
static void read_class(struct reader *r, struct og_regex_examples *out)
{
    char chars[OG_REGEX_EXAMPLES_MOST + 1];
    size_t count = 0;

    while (r->p < r->end && *r->p != ']') {
        unsigned char from = (unsigned char)*r->p++, to = from;

        if (strchr("^[\\:", from)) {
            r->odd = true;
            return;
        }
        if (r->end - r->p > 1 && r->p[0] == '-' && r->p[1] != ']') {
            to = (unsigned char)r->p[1];
            r->p += 2;
        }
        for (unsigned c = from; c <= to && !r->odd; c++) {
            if (count == OG_REGEX_EXAMPLES_MOST || c < ' ' || c > '~')
                r->odd = true;
            else
                chars[count++] = (char)c;
        }
    }
    r->odd = r->odd || r->p == r->end || count == 0;
    if (r->odd)
        return;
    r->p++;
    chars[count] = '\0';
    one_of(out, chars, true);
}

static void read_group(struct reader *r, struct og_regex_examples *out)
{
    if (r->end - r->p > 1 && r->p[0] == '?') {
        if (r->p[1] != ':') {
            r->odd = true;
            return;
        }
        r->p += 2;
    } else if (r->p < r->end && *r->p == '*') {
        r->odd = true;
        return;
    }
    if (++r->depth > DEPTH_MOST)
        r->odd = true;
    else
        read_choice(r, out);
    r->depth--;
    if (r->p < r->end && *r->p == ')')
        r->p++;
    else
        r->odd = true;
}

static void read_atom(struct reader *r, struct og_regex_examples *out)
{
    char c = *r->p++;

    *out = (struct og_regex_examples){ .exact = true };
    if (c == '^' || c == '$')
        one_of(out, "", true), add(out, "", "");
    else if (c == '.')
        one_of(out, "AZ0.", false);
    else if (c == '\\')
        read_escape(r, out);
    else if (c == '[')
        read_class(r, out);
    else if (c == '(')
        read_group(r, out);
    else if (strchr("*+?{", c) || c < ' ' || c > '~')
        r->odd = true;
    else
        one_of(out, (const char[]){ c, '\0' }, true);
}

static int number(struct reader *r)
{
    int n = -1;

    for (; r->p < r->end && *r->p >= '0' && *r->p <= '9' && n < 1000; r->p++)
        n = (n < 0 ? 0 : n * 10) + (*r->p - '0');
    return n;
}

/* Read a quantifier; unbounded ones are represented by a few counts. */
static void read_count(struct reader *r, int *least, int *most)
{
    char c = r->p < r->end ? *r->p : '\0';

    *least = *most = 1;
    if (c != '*' && c != '+' && c != '?' && c != '{')
        return;
    r->p++;
    if (c == '{') {
        *least = number(r);
        *most = *least;
        if (r->p < r->end && *r->p == ',') {
            r->p++;
            *most = r->p < r->end && *r->p == '}' ? 1000 : number(r);
        }
        r->odd = r->odd || *least < 0 || *most < *least || r->p == r->end || *r->p++ != '}';
    } else {
        *least = c == '+';
        *most = c == '?' ? 1 : 1000;
    }
    if (r->p < r->end && strchr("?+*{", *r->p))
        /* lazy or possessive: matches the same texts, or fewer */
        r->odd = r->odd || (*r->p++ != '?' && r->p[-1] != '+');
}

static void repeat(struct og_regex_examples *atom, int least, int most)
{
    struct og_regex_examples so_far = { .exact = true }, made = { .exact = atom->exact && most - least < 4 };
    int last = most - least < 4 ? most : least + 2;

    add(&so_far, "", "");
    for (int i = 0; i <= last && so_far.count; i++) {
        for (int k = 0; i >= least && k < so_far.count; k++)
            add(&made, so_far.text[k], "");
        if (i < last)
            join(&so_far, atom);
    }
    made.exact = made.exact && so_far.exact;
    *atom = made;
}

static void read_run(struct reader *r, struct og_regex_examples *out)
{
    struct og_regex_examples atom;
    int least, most;

    *out = (struct og_regex_examples){ .exact = true };
    add(out, "", "");
    while (!r->odd && r->p < r->end && *r->p != '|' && *r->p != ')') {
        read_atom(r, &atom);
        if (r->odd)
            return;
        read_count(r, &least, &most);
        if (least != 1 || most != 1)
            repeat(&atom, least, most);
        join(out, &atom);
    }
}

static void read_choice(struct reader *r, struct og_regex_examples *out)
{
    struct og_regex_examples run;

    read_run(r, out);
    while (!r->odd && r->p < r->end && *r->p == '|') {
        r->p++;
        read_run(r, &run);
        out->exact = out->exact && run.exact;
        for (int i = 0; i < run.count; i++)
            add(out, run.text[i], "");
    }
}

bool og_regex_examples_of(struct og_str pattern, struct og_regex_examples *out)
{
    struct reader r = { pattern.s, pattern.s + pattern.len, 0, false };

    read_choice(&r, out);
    return !r.odd && r.p == r.end && out->count > 0;
}
