/*
 * What lint proves about conditions, compared with orders: random conditions over random orders, valid and invalid,
 * with many or few facts. A claim about all orders of the service must hold for each one that is tried. OG_SEED,
 * OG_CONDITIONS and OG_ORDERS make other and longer runs.
 */
#include "lint_world.h"
#include "solver/logic.h"
#include "text/regex_automaton.h"
#include "unit.h"

struct claim {
    char text[900];
    const struct og_expr *e;
    enum og_proof never[3]; /* proofs that the condition is never false, true, unknown */
    uint64_t left[3];
};
static const unsigned sets[3] = { OG_F, OG_T, OG_U };
static const char *const environments[] = { "", "live", "paper" };

static struct og_logic formula;

static void prove(struct claim *x, const struct og_universe *u)
{
    for (int i = 0; i < 3; i++) {
        long steps = 20000, more = 20000;
        int node;

        og_logic_begin(&formula);
        node = og_logic_expr(&formula, x->e);
        x->never[i] = og_logic_never(&formula, node, sets[i], u, &steps);
        x->left[i] = og_logic_kinds_left(&formula, node, sets[i], u, &more);
    }
}

/* Returns the kinds that the order may be of. */
static uint64_t rows_of(const struct og_order *o)
{
    uint64_t kinds = 0;

    for (int kind = 0; kind < 64; kind++) {
        const struct og_order_kind of = og_order_kind(kind);

        if (of.security == o->security && of.side == o->side && of.open_close == o->open_close && of.type == o->type)
            kinds |= UINT64_C(1) << kind;
    }
    return kinds;
}

static void hold_against(const struct claim *x, const struct lint_world *w, enum og_truth truth)
{
    int i = truth == OG_TRUTH_FALSE ? 0 : truth == OG_TRUTH_TRUE ? 1 : 2;
    bool wrong = x->never[i] == OG_PROVED || (w->clean && x->never[i] == OG_PROVED_CLEAN) ||
                 (w->clean && !(x->left[i] & rows_of(w->order)));

    if (wrong)
        fail_msg("'%s' is said never to be %s, and is so of %s at %s, facts %s", x->text,
                 i == 0   ? "false"
                 : i == 1 ? "true"
                          : "unknown",
                 w->line, lint_instants[w->instant], w->facts);
}

static void test_what_is_proved_is_so(void **state)
{
    long conditions = lint_size("OG_CONDITIONS", 500), orders = lint_size("OG_ORDERS", 2500);
    struct claim *claim = calloc((size_t)conditions, sizeof *claim);
    struct og_arena arena;
    struct og_patterns *patterns = NULL;
    struct og_expr_room *room = calloc(1, sizeof *room);
    struct lint_world w;
    long proved = 0, tried = 0;

    (void)state;
    lint_seed += (uint64_t)lint_size("OG_SEED", 0) * 2654435761u;
    assert_true(claim && room);
    og_arena_init(&arena, 0);
    lint_world_open(&w);
    room->patterns = w.scratch->room;
    for (long i = 0; i < conditions; i++) {
        struct og_expr_diagnostic fault;
        struct og_universe u = { .environment = environments[i % 3], .room = room };

        put_expression(claim[i].text, sizeof claim[i].text, i % 5 == 0 ? 1 : 3);
        claim[i].e = og_expr_compile(og_str_of(claim[i].text), OG_EXPR_BOOL, NULL, &arena, &patterns, &fault);
        if (!claim[i].e)
            fail_msg("'%s': %s", claim[i].text, fault.text);
        prove(&claim[i], &u);
        proved += claim[i].never[0] || claim[i].never[1] || claim[i].never[2];
    }
    assert_true(proved > conditions / 10);
    for (long n = 0; n < orders; n++) {
        if (!lint_world_next(&w, "ordergate: 1\nname: t\nunsure: warn\n"))
            continue;
        tried++;
        for (long i = 0; i < conditions; i++) {
            const char *is = w.facts_no == LINT_LIVE ? "live" : w.facts_no == LINT_PAPER ? "paper" : "";
            const char *said = environments[i % 3];

            /* if nothing is known of its account, a spread may be one that a live account rejects */
            if (*said && strcmp(is, said) != 0)
                continue;
            hold_against(&claim[i], &w, og_expr_truth(claim[i].e, &w.is, room, NULL));
        }
    }
    assert_true(tried > orders / 3);
    for (struct og_patterns *p = patterns; p; p = p->next)
        og_pattern_free(p->pattern);
    og_arena_clear(&arena);
    lint_world_close(&w);
    free(room);
    free(claim);
}

/* --- comparisons that are the same but for constants -------------------------------------------------------------- */

/* Two copies of a text, in which numbers may differ. */
struct twin_text {
    char text[2][900];
    size_t len[2];
};

static void put_both(struct twin_text *t, const char *s)
{
    for (int i = 0; i < 2; i++)
        t->len[i] += (size_t)snprintf(t->text[i] + t->len[i], sizeof t->text[i] - t->len[i], "%s", s);
}

static void put_constants(struct twin_text *t)
{
    static const char *const numbers[] = { "0.02",  "0.021", "1.5",  "2.0",   "10.0", "0.5",
                                           "400.0", "-0.5",  "-1.0", "-20.0", "0.0",  "1000.0" };
    const char *first = PICK(numbers);

    for (int i = 0; i < 2; i++)
        t->len[i] += (size_t)snprintf(t->text[i] + t->len[i], sizeof t->text[i] - t->len[i], "%s",
                                      i == 0 || chance(50) ? first : PICK(numbers));
}

static void put_number(struct twin_text *t, unsigned depth)
{
    static const char *const names[] = { "order.limitPrice", "order.stopPrice", "order.price",   "order.notional",
                                         "quote.bid",        "quote.ask",       "quote.last",    "quote.mid",
                                         "quote.spread",     "account.equity",  "account.bp",    "counters.dayPnl",
                                         "book.gross",       "order.maxLoss",   "position.long", "position.net",
                                         "volume.average" };
    static const char *const between[] = { " + ", " - ", " * ", " * ", " * ", " / " };

    if (depth == 0) {
        if (chance(60))
            put_both(t, PICK(names));
        else
            put_constants(t);
        return;
    }
    put_both(t, chance(15) ? "-(" : "(");
    put_number(t, depth - 1 - below(depth));
    put_both(t, PICK(between));
    put_number(t, depth - 1 - below(depth));
    put_both(t, ")");
}

static void put_comparisons(struct twin_text *t)
{
    static const char *const ops[] = { " < ", " <= ", " > ", " >= " };
    unsigned op = below(4);

    *t = (struct twin_text){ .len = { 0 } };
    put_number(t, below(3));
    for (int i = 0; i < 2; i++)
        t->len[i] += (size_t)snprintf(t->text[i] + t->len[i], sizeof t->text[i] - t->len[i], "%s",
                                      ops[i == 0 || chance(70) ? op : op ^ below(4)]);
    put_number(t, below(3));
}

struct kin {
    struct twin_text is;
    const struct og_expr *e[2];
    bool never[3][3]; /* proofs that one condition never has this value while the other has that; indexed by enum
                       * og_truth */
};

static bool is_never(const struct kin *k, unsigned of_one, unsigned of_other, const struct og_universe *u)
{
    long steps = 20000;
    int a, b;

    og_logic_begin(&formula);
    a = og_logic_is(&formula, og_logic_expr(&formula, k->e[0]), of_one);
    b = og_logic_is(&formula, og_logic_expr(&formula, k->e[1]), of_other);
    return og_logic_never(&formula, og_logic_and(&formula, a, b), OG_T, u, &steps) == OG_PROVED;
}

static bool make_kin(struct kin *k, const struct og_universe *u, struct og_arena *arena, struct og_patterns **patterns)
{
    struct og_expr_diagnostic fault;

    put_comparisons(&k->is);
    for (int i = 0; i < 2; i++)
        k->e[i] = og_expr_compile(og_str_of(k->is.text[i]), OG_EXPR_BOOL, NULL, arena, patterns, &fault);
    if (!k->e[0] || !k->e[1] || strcmp(k->is.text[0], k->is.text[1]) == 0)
        return false; /* one text does not compile, such as a division by 0, or both texts are the same */
    for (int a = 0; a < 3; a++)
        for (int b = 0; b < 3; b++)
            k->never[a][b] = is_never(k, sets[a], sets[b], u);
    return true;
}

static void test_the_same_but_for_constants(void **state)
{
    enum { PAIRS = 1500 };
    static struct kin kin[PAIRS];
    long orders = lint_size("OG_ORDERS", 2500), proved = 0, told = 0, beyond = 0;
    struct og_arena arena;
    struct og_patterns *patterns = NULL;
    struct og_expr_room *room = calloc(1, sizeof *room);
    const struct og_universe u = { .environment = "", .monotone = true, .room = room };
    struct lint_world w;

    (void)state;
    assert_non_null(room);
    og_arena_init(&arena, 0);
    lint_world_open(&w);
    room->patterns = w.scratch->room;
    for (int i = 0; i < PAIRS;)
        if (make_kin(&kin[i], &u, &arena, &patterns))
            proved += kin[i].never[0][0] || kin[i].never[0][1] || kin[i].never[1][0] || kin[i].never[1][1], i++;
    assert_true(proved > PAIRS / 3);
    for (long n = 0; n < orders; n++) {
        if (!lint_world_next(&w, "ordergate: 1\nname: t\nunsure: warn\n"))
            continue;
        for (int i = 0; i < PAIRS; i++) {
            struct og_expr_why why[2] = { { .cause = OG_CAUSE_NONE }, { .cause = OG_CAUSE_NONE } };
            enum og_truth a = og_expr_truth(kin[i].e[0], &w.is, room, &why[0]),
                          b = og_expr_truth(kin[i].e[1], &w.is, room, &why[1]);

            if (why[0].cause == OG_CAUSE_OVERFLOW || why[1].cause == OG_CAUSE_OVERFLOW) {
                beyond++; /* lint says that it makes no claim here, so it is counted */
                continue;
            }
            told += kin[i].never[!a][b] && a != OG_TRUTH_UNKNOWN; /* a claim that this order could have contradicted */
            if (kin[i].never[a][b])
                fail_msg("'%s' %d and '%s' %d of %s at %s, facts %s", kin[i].is.text[0], a, kin[i].is.text[1], b,
                         w.line, lint_instants[w.instant], w.facts);
        }
    }
    assert_true(told > 1000 && beyond < told);
    for (struct og_patterns *p = patterns; p; p = p->next)
        og_pattern_free(p->pattern);
    og_arena_clear(&arena);
    lint_world_close(&w);
    free(room);
}

/* --- patterns ----------------------------------------------------------------------------------------------------- */

static size_t put_pattern(char *to, size_t size, unsigned depth)
{
    static const char *const atoms[] = { "A", "B",     "[AB]", ".",   "[^A]",   "\\d",
                                         "1", "[A-C]", "\\.",  "\\w", "[0-9.]", "\\D" };
    static const char *const counts[] = { "",      "",      "",     "*",   "+",  "?",   "{2}",
                                          "{1,2}", "{0,2}", "{2,}", "{0}", "*?", "{1,}" };
    size_t len = 0;

    for (unsigned i = below(4); i > 0; i--) {
        if (depth && chance(30)) {
            len += (size_t)snprintf(to + len, size - len, "%s", chance(50) ? "(" : "(?:");
            len += put_pattern(to + len, size - len, depth - 1);
            len += (size_t)snprintf(to + len, size - len, "%s", &"|B)"[chance(50) ? 0 : 2]);
        } else {
            len += (size_t)snprintf(to + len, size - len, "%s", PICK(atoms));
        }
        len += (size_t)snprintf(to + len, size - len, "%s", PICK(counts));
    }
    return len;
}

/* An automaton accepts exactly what PCRE2 accepts, for the whole text or a part of it. */
static void test_patterns_are_what_they_match(void **state)
{
    static const char letters[] = "ABC1.";
    static struct og_automaton of_pattern, of_word;
    struct og_pattern_room *room = og_pattern_room_new();
    const struct og_automaton *both[] = { &of_pattern, &of_word };
    long understood = 0, taken = 0;

    (void)state;
    assert_non_null(room);
    for (int n = 0; n < 3000; n++) {
        char text[400] = "";
        struct og_pattern *p = NULL;
        bool part = chance(40);
        size_t len = (size_t)snprintf(text, sizeof text, "%s", chance(20) ? "^" : "");

        len += put_pattern(text + len, sizeof text - len - 10, 2);
        if (chance(20)) {
            len += (size_t)snprintf(text + len, sizeof text - len, "|");
            len += put_pattern(text + len, sizeof text - len - 10, 1);
        }
        snprintf(text + len, sizeof text - len, "%s", chance(20) ? "$" : "");
        if ((part ? og_pattern_read_part(og_str_of(text), false, &p, NULL)
                  : og_pattern_read(og_str_of(text), &p, NULL)) != OG_OK)
            fail_msg("'%s'", text);
        for (int k = 0; k < 30 && og_automaton_of_pattern(og_str_of(text), part, &of_pattern); k++) {
            char word[8];
            size_t word_len = 1 + below(5);
            long fuel = 100000;
            bool meet;

            for (size_t i = 0; i < word_len; i++)
                word[i] = letters[below(5)];
            assert_true(og_automaton_of_word((struct og_str){ word, word_len }, false, false, &of_word));
            of_pattern.complement = chance(50);
            meet = og_automata_intersect(both, 2, &fuel) != of_pattern.complement;
            if (meet != (og_pattern_match(p, (struct og_str){ word, word_len }, room) == OG_MATCH_YES))
                fail_msg("'%s' and '%.*s'%s", text, (int)word_len, word, part ? ", a part" : "");
            understood++;
            taken += meet;
        }
        og_pattern_free(p);
    }
    assert_true(understood > 50000 && taken > understood / 20);
    og_pattern_room_free(room);
}

int main(void)
{
    const struct CMUnitTest tests[] = { cmocka_unit_test(test_what_is_proved_is_so),
                                        cmocka_unit_test(test_the_same_but_for_constants),
                                        cmocka_unit_test(test_patterns_are_what_they_match) };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
