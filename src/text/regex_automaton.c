/*
 * Position automata of patterns (Glushkov's construction), and a search for a word in the intersection of several
 * automata. Patterns with look-around, back-references, possessive repeats or other constructs that are not implemented
 * are reported as not supported.
 */
#include "text/regex_automaton.h"

#include <stdlib.h>

#define DEPTH_MOST   8
#define STATES_MOST  700
#define MEMBERS_MOST 8
#define COPIES_MOST  64

static const char alphabet[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789._-";

/* --- sets of positions -------------------------------------------------------------------------------------------- */

static void set_add(struct og_position_set *p, int i)
{
    p->bit[i / 64] |= UINT64_C(1) << i % 64;
}

static bool set_has(const struct og_position_set *p, int i)
{
    return p->bit[i / 64] >> i % 64 & 1;
}

static void set_join(struct og_position_set *to, const struct og_position_set *more)
{
    for (int i = 0; i < OG_AUTOMATON_WORDS; i++)
        to->bit[i] |= more->bit[i];
}

static bool set_meets(const struct og_position_set *a, const struct og_position_set *b)
{
    uint64_t both = 0;

    for (int i = 0; i < OG_AUTOMATON_WORDS; i++)
        both |= a->bit[i] & b->bit[i];
    return both != 0;
}

/* --- fragments of an automaton ------------------------------------------------------------------------------------ */

struct fragment {
    bool nullable;
    struct og_position_set first, last;
};

struct reader {
    struct og_automaton *to;
    const char *p, *end;
    int depth;
    bool unsupported; /* the pattern has a construct that is not supported */
};

static const struct fragment nothing = { .nullable = true };

static struct fragment letter_fragment(struct reader *r, const uint64_t letters[2])
{
    struct fragment x = { .nullable = false };
    int at = r->to->count;

    if (at == OG_AUTOMATON_POSITIONS) {
        r->unsupported = true;
        return nothing;
    }
    r->to->count++;
    r->to->letters[at][0] = letters[0];
    r->to->letters[at][1] = letters[1];
    r->to->follow[at] = (struct og_position_set){ { 0 } };
    set_add(&x.first, at);
    set_add(&x.last, at);
    return x;
}

static void connect(struct og_automaton *to, const struct og_position_set *from, const struct og_position_set *next)
{
    for (int i = 0; i < to->count; i++)
        if (set_has(from, i))
            set_join(&to->follow[i], next);
}

static struct fragment concatenate(struct reader *r, struct fragment a, struct fragment b)
{
    struct fragment x = { .nullable = a.nullable && b.nullable, .first = a.first, .last = b.last };

    connect(r->to, &a.last, &b.first);
    if (a.nullable)
        set_join(&x.first, &b.first);
    if (b.nullable)
        set_join(&x.last, &a.last);
    return x;
}

static struct fragment alternate(struct fragment a, struct fragment b)
{
    a.nullable = a.nullable || b.nullable;
    set_join(&a.first, &b.first);
    set_join(&a.last, &b.last);
    return a;
}

static struct fragment repeat(struct reader *r, struct fragment a)
{
    connect(r->to, &a.last, &a.first);
    return a;
}

static const uint64_t any[2] = { ~(UINT64_C(1) << '\n'), ~UINT64_C(0) };

static struct fragment any_text(struct reader *r)
{
    struct fragment x = repeat(r, letter_fragment(r, any));

    x.nullable = true;
    return x;
}

/* --- reading patterns --------------------------------------------------------------------------------------------- */

static void add_letter(uint64_t letters[2], unsigned char c)
{
    letters[c / 64 % 2] |= UINT64_C(1) << c % 64;
}

static void add_range(uint64_t letters[2], unsigned char from, unsigned char to)
{
    for (unsigned c = from; c <= to && c < 128; c++)
        add_letter(letters, (unsigned char)c);
}

/* Read the characters after a backslash. */
static void read_escape(struct reader *r, uint64_t letters[2])
{
    unsigned char c = r->p < r->end ? (unsigned char)*r->p++ : 0;
    uint64_t made[2] = { 0, 0 };

    if (c == 'd' || c == 'D' || c == 'w' || c == 'W')
        add_range(made, '0', '9');
    if (c == 'w' || c == 'W') {
        add_range(made, 'A', 'Z');
        add_range(made, 'a', 'z');
        add_letter(made, '_');
    }
    if (c == 'D' || c == 'W') {
        made[0] = ~made[0];
        made[1] = ~made[1];
    }
    if (!strchr("dDwW", c) || !c) {
        r->unsupported = r->unsupported || !c || c >= 128 ||
                         strchr("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789", c);
        add_letter(made, c);
    }
    letters[0] |= made[0];
    letters[1] |= made[1];
}

/* Read a character class, after its opening bracket. */
static struct fragment read_class(struct reader *r)
{
    uint64_t letters[2] = { 0, 0 };
    bool complement = r->p < r->end && *r->p == '^', first = true;

    r->p += complement;
    for (; r->p < r->end && (*r->p != ']' || first) && !r->unsupported; first = false) {
        unsigned char from = (unsigned char)*r->p++;

        if (from == '\\') {
            read_escape(r, letters);
            r->unsupported = r->unsupported || (r->p < r->end && *r->p == '-' && r->p + 1 < r->end && r->p[1] != ']');
        } else if (from >= 128 || (from == '[' && r->p < r->end && strchr(":.=", *r->p))) {
            r->unsupported = true;
        } else if (r->end - r->p > 1 && r->p[0] == '-' && r->p[1] != ']') {
            r->unsupported = r->unsupported || r->p[1] == '\\' || r->p[1] == '[';
            add_range(letters, from, (unsigned char)r->p[1]);
            r->p += 2;
        } else {
            add_letter(letters, from);
        }
    }
    r->unsupported = r->unsupported || r->p == r->end;
    r->p += r->p < r->end;
    if (complement) {
        letters[0] = ~letters[0];
        letters[1] = ~letters[1];
    }
    return letter_fragment(r, letters);
}

static struct fragment read_group_body(struct reader *r);

static struct fragment read_group(struct reader *r)
{
    struct fragment x = nothing;

    if (r->end - r->p > 1 && r->p[0] == '?' && r->p[1] == ':')
        r->p += 2;
    else if (r->p < r->end && (*r->p == '?' || *r->p == '*'))
        r->unsupported = true;
    if (++r->depth > DEPTH_MOST)
        r->unsupported = true;
    else
        x = read_group_body(r);
    r->depth--;
    r->unsupported = r->unsupported || r->p == r->end || *r->p != ')';
    r->p += r->p < r->end;
    return x;
}

static struct fragment read_atom(struct reader *r)
{
    unsigned char c = (unsigned char)*r->p++;
    uint64_t letters[2] = { 0, 0 };

    if (c == '(')
        return read_group(r);
    if (c == '[')
        return read_class(r);
    if (c == '.')
        return letter_fragment(r, any);
    if (c == '\\')
        read_escape(r, letters);
    else if (strchr("*+?{^$", c) || c < ' ' || c >= 127)
        r->unsupported = true;
    else
        add_letter(letters, c);
    return r->unsupported ? nothing : letter_fragment(r, letters);
}

static int read_number(struct reader *r)
{
    int n = -1;

    for (; r->p < r->end && *r->p >= '0' && *r->p <= '9' && n < 1000; r->p++)
        n = (n < 0 ? 0 : n * 10) + (*r->p - '0');
    return n;
}

/* Read a repeat count; *most -1 if unbounded. */
static void read_count(struct reader *r, int *least, int *most)
{
    char c = r->p < r->end ? *r->p : '\0';

    *least = *most = 1;
    if (c == '\0' || !strchr("*+?{", c))
        return;
    r->p++;
    if (c == '{') {
        *least = *most = read_number(r);
        if (r->p < r->end && *r->p == ',') {
            r->p++;
            *most = read_number(r);
        }
        r->unsupported = r->unsupported || *least < 0 || (*most >= 0 && *most < *least) || *most > COPIES_MOST ||
                         *least > COPIES_MOST || r->p == r->end || *r->p != '}';
        r->p += r->p < r->end;
    } else {
        *least = c == '+';
        *most = c == '?' ? 1 : -1;
    }
    if (r->p < r->end && *r->p == '?')
        r->p++; /* a lazy repeat matches the same texts as a greedy one */
    r->unsupported =
        r->unsupported || (r->p < r->end && strchr("?+*{", *r->p)); /* a possessive repeat may match fewer texts than a
                                                                     * greedy one */
}

/* Read an atom and its repeat count.  The atom is read again for each copy that the count needs. */
static struct fragment read_counted(struct reader *r)
{
    const char *atom = r->p, *behind;
    int least, most, count = r->to->count;
    struct fragment x = read_atom(r), copy;

    if (r->unsupported)
        return nothing;
    read_count(r, &least, &most);
    behind = r->p;
    if (r->unsupported || (least == 1 && most == 1))
        return x;
    if (most == 0) {
        r->to->count = count; /* the repeat count is 0: drop the atom's positions */
        return nothing;
    }
    if (most < 0 && least <= 1) {
        x = repeat(r, x);
        x.nullable = x.nullable || least == 0;
        return x;
    }
    x.nullable = x.nullable || least == 0;
    for (int i = 1; i < (most < 0 ? least : most) && !r->unsupported; i++) {
        r->p = atom;
        copy = read_atom(r);
        if (most < 0 && i == least - 1)
            copy = repeat(r, copy);
        copy.nullable = copy.nullable || i >= least;
        x = concatenate(r, x, copy);
    }
    r->p = behind;
    return x;
}

static struct fragment read_run(struct reader *r, bool part)
{
    bool begins = r->depth == 0 && r->p < r->end && *r->p == '^';
    struct fragment x = part && !begins && r->depth == 0 ? any_text(r) : nothing;

    r->p += begins;
    while (!r->unsupported && r->p < r->end && *r->p != '|' && *r->p != ')') {
        if (r->depth == 0 && *r->p == '$' && (r->p + 1 == r->end || r->p[1] == '|')) {
            r->p++;
            return x;
        }
        x = concatenate(r, x, read_counted(r));
    }
    return part && r->depth == 0 ? concatenate(r, x, any_text(r)) : x;
}

static struct fragment read_alternatives(struct reader *r, bool part)
{
    struct fragment x = read_run(r, part);

    while (!r->unsupported && r->p < r->end && *r->p == '|') {
        r->p++;
        x = alternate(x, read_run(r, part));
    }
    return x;
}

static struct fragment read_group_body(struct reader *r)
{
    return read_alternatives(r, false);
}

static void set_automaton(struct og_automaton *to, struct fragment x)
{
    to->nullable = x.nullable;
    to->first = x.first;
    to->last = x.last;
}

bool og_automaton_of_pattern(struct og_str pattern, bool part, struct og_automaton *out)
{
    struct reader r = { .to = out, .p = pattern.s, .end = pattern.s + pattern.len };
    struct fragment x;

    out->count = 0;
    out->complement = false;
    x = read_alternatives(&r, part);
    set_automaton(out, x);
    return !r.unsupported && r.p == r.end;
}

static struct fragment word_fragment(struct reader *r, struct og_str word)
{
    struct fragment x = nothing;

    for (size_t i = 0; i < word.len && !r->unsupported; i++) {
        uint64_t letters[2] = { 0, 0 };

        r->unsupported = r->unsupported || (unsigned char)word.s[i] >= 128;
        add_letter(letters, (unsigned char)word.s[i]);
        x = concatenate(r, x, letter_fragment(r, letters));
    }
    return x;
}

bool og_automaton_of_word(struct og_str word, bool before, bool after_it, struct og_automaton *out)
{
    struct reader r = { .to = out };
    struct fragment x;

    out->count = 0;
    out->complement = false;
    x = before ? any_text(&r) : nothing;
    x = concatenate(&r, x, word_fragment(&r, word));
    if (after_it)
        x = concatenate(&r, x, any_text(&r));
    set_automaton(out, x);
    return !r.unsupported;
}

bool og_automaton_add_word(struct og_automaton *to, struct og_str word)
{
    struct reader r = { .to = to };
    struct fragment x = word_fragment(&r, word), all = { to->nullable, to->first, to->last };

    set_automaton(to, alternate(all, x));
    return !r.unsupported;
}

bool og_automaton_append_pattern(struct og_automaton *to, struct og_str pattern)
{
    struct reader r = { .to = to, .p = pattern.s, .end = pattern.s + pattern.len };
    struct fragment all = { to->nullable, to->first, to->last };

    set_automaton(to, concatenate(&r, all, read_alternatives(&r, false)));
    return !r.unsupported && r.p == r.end;
}

/* --- the intersection of several automata ------------------------------------------------------------------------- */

struct state {
    struct og_position_set at[MEMBERS_MOST];
};

struct product {
    const struct og_automaton *const *automaton;
    int members;
    struct state state[STATES_MOST];
    int count;
    unsigned short slot[2048];             /* hash table of states: 1 + index; 0 if free */
    unsigned char letter[sizeof alphabet]; /* one letter of each class of letters */
    int letters;
};

static bool is_same_letter(const struct product *w, unsigned char a, unsigned char b)
{
    for (int m = 0; m < w->members; m++)
        for (int i = 0; i < w->automaton[m]->count; i++) {
            const uint64_t *letters = w->automaton[m]->letters[i];

            if ((letters[a / 64] >> a % 64 & 1) != (letters[b / 64] >> b % 64 & 1))
                return false;
        }
    return true;
}

/* Put letters into one class if no position distinguishes them. */
static void classify_letters(struct product *w)
{
    for (size_t i = 0; alphabet[i]; i++) {
        int k = 0;

        while (k < w->letters && !is_same_letter(w, w->letter[k], (unsigned char)alphabet[i]))
            k++;
        if (k == w->letters)
            w->letter[w->letters++] = (unsigned char)alphabet[i];
    }
}

/* Add a state. Returns true if it is new. */
static bool add_state(struct product *w, const struct state *s)
{
    uint64_t hash = 1469598103934665603u;
    unsigned at;

    for (int m = 0; m < w->members; m++)
        for (int i = 0; i < OG_AUTOMATON_WORDS; i++)
            hash = (hash ^ s->at[m].bit[i]) * 1099511628211u, hash ^= hash >> 29;
    for (at = (unsigned)(hash % 2048); w->slot[at]; at = (at + 1) % 2048)
        if (memcmp(&w->state[w->slot[at] - 1], s, sizeof s->at[0] * (size_t)w->members) == 0)
            return false;
    if (w->count == STATES_MOST)
        return false;
    w->state[w->count++] = *s;
    w->slot[at] = (unsigned short)w->count;
    return true;
}

static struct og_position_set step_automaton(const struct og_automaton *l, const struct og_position_set *from,
                                             unsigned char c)
{
    struct og_position_set next = *from, to = { { 0 } };

    for (int i = 0; i < l->count; i++)
        if (set_has(&next, i) && (l->letters[i][c / 64] >> c % 64 & 1))
            set_add(&to, i);
    return to;
}

/* Returns the positions that may come after the given ones. */
static struct og_position_set positions_after(const struct og_automaton *l, const struct og_position_set *at)
{
    struct og_position_set next = { { 0 } };

    for (int i = 0; i < l->count; i++)
        if (set_has(at, i))
            set_join(&next, &l->follow[i]);
    return next;
}

static bool is_in_all(const struct product *w, const struct state *s)
{
    for (int m = 0; m < w->members; m++)
        if (set_meets(&s->at[m], &w->automaton[m]->last) == w->automaton[m]->complement)
            return false;
    return true;
}

/* Returns true if no continuation of the text read so far is in all sets. */
static bool is_dead(const struct product *w, const struct state *s)
{
    static const struct og_position_set none;

    for (int m = 0; m < w->members; m++)
        if (!w->automaton[m]->complement && memcmp(&s->at[m], &none, sizeof none) == 0)
            return true;
    return false;
}

/* Returns true if some word is in all sets, or if the fuel did not suffice to find out. */
static bool explore(struct product *w, long *fuel)
{
    for (int at = -1; at < w->count; at++) {
        struct og_position_set next[MEMBERS_MOST];

        for (int m = 0; m < w->members; m++)
            next[m] = at < 0 ? w->automaton[m]->first : positions_after(w->automaton[m], &w->state[at].at[m]);
        for (int k = 0; k < w->letters; k++) {
            struct state s = { { { { 0 } } } };

            *fuel -= w->members;
            for (int m = 0; m < w->members; m++)
                s.at[m] = step_automaton(w->automaton[m], &next[m], w->letter[k]);
            if (is_dead(w, &s))
                continue;
            if (*fuel < 0 || is_in_all(w, &s))
                return true;
            if (!add_state(w, &s) && w->count == STATES_MOST)
                return true;
        }
    }
    return false;
}

bool og_automata_intersect(const struct og_automaton *const *automaton, int count, long *fuel)
{
    struct product *w;
    bool answer;

    if (count == 0 || count > MEMBERS_MOST || *fuel <= 0 || !(w = calloc(1, sizeof *w)))
        return true;
    w->automaton = automaton;
    w->members = count;
    classify_letters(w);
    answer = explore(w, fuel);
    free(w);
    return answer;
}
