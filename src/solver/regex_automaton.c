/*
 * Automata of patterns, by the places of their letters (Glushkov's), and their products, gone through place by place.
 * It refuses patterns that look around, refer back or are possessive, and whatever else it does not know.
 */
#include "solver/regex_automaton.h"

#include <stdlib.h>

#include "base/banned.h"

#define DEPTH_MOST   8
#define STATES_MOST  700
#define MEMBERS_MOST 8
#define COPIES_MOST  64

static const char alphabet[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789._-";

/* --- sets of places --- */

static void put(struct og_places *p, int i)
{
    p->bit[i / 64] |= UINT64_C(1) << i % 64;
}

static bool has(const struct og_places *p, int i)
{
    return p->bit[i / 64] >> i % 64 & 1;
}

static void join(struct og_places *to, const struct og_places *more)
{
    for (int i = 0; i < OG_LANGUAGE_WORDS; i++)
        to->bit[i] |= more->bit[i];
}

static bool meets(const struct og_places *a, const struct og_places *b)
{
    uint64_t both = 0;

    for (int i = 0; i < OG_LANGUAGE_WORDS; i++)
        both |= a->bit[i] & b->bit[i];
    return both != 0;
}

/* --- pieces of a pattern --- */

struct piece {
    bool nullable;
    struct og_places first, last;
};

struct reader {
    struct og_language *to;
    const char *p, *end;
    int depth;
    bool odd; /* met something not understood */
};

static const struct piece nothing = { .nullable = true };

static struct piece letter(struct reader *r, const uint64_t letters[2])
{
    struct piece x = { .nullable = false };
    int at = r->to->count;

    if (at == OG_LANGUAGE_POSITIONS) {
        r->odd = true;
        return nothing;
    }
    r->to->count++;
    r->to->letters[at][0] = letters[0];
    r->to->letters[at][1] = letters[1];
    r->to->follow[at] = (struct og_places){ { 0 } };
    put(&x.first, at);
    put(&x.last, at);
    return x;
}

static void link_up(struct og_language *to, const struct og_places *from, const struct og_places *next)
{
    for (int i = 0; i < to->count; i++)
        if (has(from, i))
            join(&to->follow[i], next);
}

static struct piece after(struct reader *r, struct piece a, struct piece b)
{
    struct piece x = { .nullable = a.nullable && b.nullable, .first = a.first, .last = b.last };

    link_up(r->to, &a.last, &b.first);
    if (a.nullable)
        join(&x.first, &b.first);
    if (b.nullable)
        join(&x.last, &a.last);
    return x;
}

static struct piece either(struct piece a, struct piece b)
{
    a.nullable = a.nullable || b.nullable;
    join(&a.first, &b.first);
    join(&a.last, &b.last);
    return a;
}

static struct piece many(struct reader *r, struct piece a)
{
    link_up(r->to, &a.last, &a.first);
    return a;
}

static const uint64_t any[2] = { ~(UINT64_C(1) << '\n'), ~UINT64_C(0) };

static struct piece anything(struct reader *r)
{
    struct piece x = many(r, letter(r, any));

    x.nullable = true;
    return x;
}

/* --- reading --- */

static void add_letter(uint64_t letters[2], unsigned char c)
{
    letters[c / 64 % 2] |= UINT64_C(1) << c % 64;
}

static void add_range(uint64_t letters[2], unsigned char from, unsigned char to)
{
    for (unsigned c = from; c <= to && c < 128; c++)
        add_letter(letters, (unsigned char)c);
}

/* Behind a backslash. */
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
        r->odd =
            r->odd || !c || c >= 128 || strchr("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789", c);
        add_letter(made, c);
    }
    letters[0] |= made[0];
    letters[1] |= made[1];
}

/* Behind its bracket. */
static struct piece read_class(struct reader *r)
{
    uint64_t letters[2] = { 0, 0 };
    bool without = r->p < r->end && *r->p == '^', first = true;

    r->p += without;
    for (; r->p < r->end && (*r->p != ']' || first) && !r->odd; first = false) {
        unsigned char from = (unsigned char)*r->p++;

        if (from == '\\') {
            read_escape(r, letters);
            r->odd = r->odd || (r->p < r->end && *r->p == '-' && r->p + 1 < r->end && r->p[1] != ']');
        } else if (from >= 128 || (from == '[' && r->p < r->end && strchr(":.=", *r->p))) {
            r->odd = true;
        } else if (r->end - r->p > 1 && r->p[0] == '-' && r->p[1] != ']') {
            r->odd = r->odd || r->p[1] == '\\' || r->p[1] == '[';
            add_range(letters, from, (unsigned char)r->p[1]);
            r->p += 2;
        } else {
            add_letter(letters, from);
        }
    }
    r->odd = r->odd || r->p == r->end;
    r->p += r->p < r->end;
    if (without) {
        letters[0] = ~letters[0];
        letters[1] = ~letters[1];
    }
    return letter(r, letters);
}

static struct piece read_choice(struct reader *r);

static struct piece read_group(struct reader *r)
{
    struct piece x = nothing;

    if (r->end - r->p > 1 && r->p[0] == '?' && r->p[1] == ':')
        r->p += 2;
    else if (r->p < r->end && (*r->p == '?' || *r->p == '*'))
        r->odd = true;
    if (++r->depth > DEPTH_MOST)
        r->odd = true;
    else
        x = read_choice(r);
    r->depth--;
    r->odd = r->odd || r->p == r->end || *r->p != ')';
    r->p += r->p < r->end;
    return x;
}

static struct piece read_atom(struct reader *r)
{
    unsigned char c = (unsigned char)*r->p++;
    uint64_t letters[2] = { 0, 0 };

    if (c == '(')
        return read_group(r);
    if (c == '[')
        return read_class(r);
    if (c == '.')
        return letter(r, any);
    if (c == '\\')
        read_escape(r, letters);
    else if (strchr("*+?{^$", c) || c < ' ' || c >= 127)
        r->odd = true;
    else
        add_letter(letters, c);
    return r->odd ? nothing : letter(r, letters);
}

static int number(struct reader *r)
{
    int n = -1;

    for (; r->p < r->end && *r->p >= '0' && *r->p <= '9' && n < 1000; r->p++)
        n = (n < 0 ? 0 : n * 10) + (*r->p - '0');
    return n;
}

/* most -1: without end. */
static void read_count(struct reader *r, int *least, int *most)
{
    char c = r->p < r->end ? *r->p : '\0';

    *least = *most = 1;
    if (c == '\0' || !strchr("*+?{", c))
        return;
    r->p++;
    if (c == '{') {
        *least = *most = number(r);
        if (r->p < r->end && *r->p == ',') {
            r->p++;
            *most = number(r);
        }
        r->odd = r->odd || *least < 0 || (*most >= 0 && *most < *least) || *most > COPIES_MOST ||
                 *least > COPIES_MOST || r->p == r->end || *r->p != '}';
        r->p += r->p < r->end;
    } else {
        *least = c == '+';
        *most = c == '?' ? 1 : -1;
    }
    if (r->p < r->end && *r->p == '?')
        r->p++;                                                  /* lazy: the same texts */
    r->odd = r->odd || (r->p < r->end && strchr("?+*{", *r->p)); /* possessive: perhaps fewer */
}

/* An atom and its count: the atom is read as often as it may stand there. */
static struct piece read_counted(struct reader *r)
{
    const char *atom = r->p, *behind;
    int least, most, count = r->to->count;
    struct piece x = read_atom(r), copy;

    if (r->odd)
        return nothing;
    read_count(r, &least, &most);
    behind = r->p;
    if (r->odd || (least == 1 && most == 1))
        return x;
    if (most == 0) {
        r->to->count = count; /* nobody leads there */
        return nothing;
    }
    if (most < 0 && least <= 1) {
        x = many(r, x);
        x.nullable = x.nullable || least == 0;
        return x;
    }
    x.nullable = x.nullable || least == 0;
    for (int i = 1; i < (most < 0 ? least : most) && !r->odd; i++) {
        r->p = atom;
        copy = read_atom(r);
        if (most < 0 && i == least - 1)
            copy = many(r, copy);
        copy.nullable = copy.nullable || i >= least;
        x = after(r, x, copy);
    }
    r->p = behind;
    return x;
}

static struct piece read_run(struct reader *r, bool part)
{
    bool begins = r->depth == 0 && r->p < r->end && *r->p == '^';
    struct piece x = part && !begins && r->depth == 0 ? anything(r) : nothing;

    r->p += begins;
    while (!r->odd && r->p < r->end && *r->p != '|' && *r->p != ')') {
        if (r->depth == 0 && *r->p == '$' && (r->p + 1 == r->end || r->p[1] == '|')) {
            r->p++;
            return x;
        }
        x = after(r, x, read_counted(r));
    }
    return part && r->depth == 0 ? after(r, x, anything(r)) : x;
}

static struct piece choices(struct reader *r, bool part)
{
    struct piece x = read_run(r, part);

    while (!r->odd && r->p < r->end && *r->p == '|') {
        r->p++;
        x = either(x, read_run(r, part));
    }
    return x;
}

static struct piece read_choice(struct reader *r)
{
    return choices(r, false);
}

static void finish(struct og_language *to, struct piece x)
{
    to->nullable = x.nullable;
    to->first = x.first;
    to->last = x.last;
}

bool og_language_of_pattern(struct og_str pattern, bool part, struct og_language *out)
{
    struct reader r = { .to = out, .p = pattern.s, .end = pattern.s + pattern.len };
    struct piece x;

    out->count = 0;
    out->without = false;
    x = choices(&r, part);
    finish(out, x);
    return !r.odd && r.p == r.end;
}

static struct piece word_piece(struct reader *r, struct og_str word)
{
    struct piece x = nothing;

    for (size_t i = 0; i < word.len && !r->odd; i++) {
        uint64_t letters[2] = { 0, 0 };

        r->odd = r->odd || (unsigned char)word.s[i] >= 128;
        add_letter(letters, (unsigned char)word.s[i]);
        x = after(r, x, letter(r, letters));
    }
    return x;
}

bool og_language_of_word(struct og_str word, bool before, bool after_it, struct og_language *out)
{
    struct reader r = { .to = out };
    struct piece x;

    out->count = 0;
    out->without = false;
    x = before ? anything(&r) : nothing;
    x = after(&r, x, word_piece(&r, word));
    if (after_it)
        x = after(&r, x, anything(&r));
    finish(out, x);
    return !r.odd;
}

bool og_language_add(struct og_language *to, struct og_str word)
{
    struct reader r = { .to = to };
    struct piece x = word_piece(&r, word), all = { to->nullable, to->first, to->last };

    finish(to, either(all, x));
    return !r.odd;
}

bool og_language_append(struct og_language *to, struct og_str pattern)
{
    struct reader r = { .to = to, .p = pattern.s, .end = pattern.s + pattern.len };
    struct piece all = { to->nullable, to->first, to->last };

    finish(to, after(&r, all, choices(&r, false)));
    return !r.odd && r.p == r.end;
}

/* --- products --- */

struct state {
    struct og_places at[MEMBERS_MOST];
};

struct walk {
    const struct og_language *const *language;
    int members;
    struct state state[STATES_MOST];
    int count;
    unsigned short slot[2048];             /* by hash: 1 + index; 0: free */
    unsigned char letter[sizeof alphabet]; /* one of each class */
    int letters;
};

static bool same_letter(const struct walk *w, unsigned char a, unsigned char b)
{
    for (int m = 0; m < w->members; m++)
        for (int i = 0; i < w->language[m]->count; i++) {
            const uint64_t *letters = w->language[m]->letters[i];

            if ((letters[a / 64] >> a % 64 & 1) != (letters[b / 64] >> b % 64 & 1))
                return false;
        }
    return true;
}

/* Letters that no place tells apart are one. */
static void class_letters(struct walk *w)
{
    for (size_t i = 0; alphabet[i]; i++) {
        int k = 0;

        while (k < w->letters && !same_letter(w, w->letter[k], (unsigned char)alphabet[i]))
            k++;
        if (k == w->letters)
            w->letter[w->letters++] = (unsigned char)alphabet[i];
    }
}

/* true: it is new. */
static bool enter(struct walk *w, const struct state *s)
{
    uint64_t hash = 1469598103934665603u;
    unsigned at;

    for (int m = 0; m < w->members; m++)
        for (int i = 0; i < OG_LANGUAGE_WORDS; i++)
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

static struct og_places step(const struct og_language *l, const struct og_places *from, unsigned char c)
{
    struct og_places next = *from, to = { { 0 } };

    for (int i = 0; i < l->count; i++)
        if (has(&next, i) && (l->letters[i][c / 64] >> c % 64 & 1))
            put(&to, i);
    return to;
}

/* Where a text may go on from places it has reached. */
static struct og_places onward(const struct og_language *l, const struct og_places *at)
{
    struct og_places next = { { 0 } };

    for (int i = 0; i < l->count; i++)
        if (has(at, i))
            join(&next, &l->follow[i]);
    return next;
}

static bool is_in_all(const struct walk *w, const struct state *s)
{
    for (int m = 0; m < w->members; m++)
        if (meets(&s->at[m], &w->language[m]->last) == w->language[m]->without)
            return false;
    return true;
}

/* Nothing that goes on from here is in it. */
static bool is_lost(const struct walk *w, const struct state *s)
{
    static const struct og_places none;

    for (int m = 0; m < w->members; m++)
        if (!w->language[m]->without && memcmp(&s->at[m], &none, sizeof none) == 0)
            return true;
    return false;
}

/* true: something is in all, or there is no end to it. */
static bool go(struct walk *w, long *fuel)
{
    for (int at = -1; at < w->count; at++) {
        struct og_places next[MEMBERS_MOST];

        for (int m = 0; m < w->members; m++)
            next[m] = at < 0 ? w->language[m]->first : onward(w->language[m], &w->state[at].at[m]);
        for (int k = 0; k < w->letters; k++) {
            struct state s = { { { { 0 } } } };

            *fuel -= w->members;
            for (int m = 0; m < w->members; m++)
                s.at[m] = step(w->language[m], &next[m], w->letter[k]);
            if (is_lost(w, &s))
                continue;
            if (*fuel < 0 || is_in_all(w, &s))
                return true;
            if (!enter(w, &s) && w->count == STATES_MOST)
                return true;
        }
    }
    return false;
}

bool og_languages_meet(const struct og_language *const *language, int count, long *fuel)
{
    struct walk *w;
    bool answer;

    if (count == 0 || count > MEMBERS_MOST || *fuel <= 0 || !(w = calloc(1, sizeof *w)))
        return true;
    w->language = language;
    w->members = count;
    class_letters(w);
    answer = go(w, fuel);
    free(w);
    return answer;
}
