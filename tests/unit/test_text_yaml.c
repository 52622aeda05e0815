/*
 * YAML: the tree with its places, and each error at its own place.
 */
#include <stdio.h>

#include "base/buf.h"
#include "text/yaml.h"
#include "unit.h"

static char faults[8192];

static void note(void *with, int line, int col, const char *code, const char *text)
{
    size_t at = strlen(faults);

    assert_ptr_equal(with, faults);
    assert_true(line >= 1 && col >= 1 && *text != '\0');
    snprintf(faults + at, sizeof faults - at, "%s%d:%d %s", at ? ", " : "", line, col, code);
}

/* Write a tree as one line: scalars as text@line:col, quoted ones with a ' before them. */
static void draw(struct og_buf *b, const struct og_yaml *n)
{
    const char *open[] = { "", "", "[", "{" }, *close[] = { "", "", "]", "}" };
    size_t count = 0;

    if (n->key.s)
        og_buf_format(b, "%s@%d:%d=", n->key.s, n->key_line, n->key_col);
    og_buf_format(b, "%s%s%s@%d:%d", n->quoted ? "'" : "", open[n->kind], n->kind == OG_YAML_SCALAR ? n->text.s : "",
                  n->line, n->col);
    for (const struct og_yaml *c = n->first; c; c = c->next) {
        og_buf_text(b, " ");
        draw(b, c);
        count++;
    }
    assert_int_equal(count, n->count);
    og_buf_text(b, close[n->kind]);
}

static void expect(struct og_str in, const char *tree, const char *wrong)
{
    struct og_arena arena;
    struct og_yaml *root;
    struct og_buf b;
    char *exact = malloc(in.len + 1);
    enum og_status status;

    memcpy(exact + 1, in.len ? in.s : "", in.len);
    og_arena_init(&arena, 0);
    og_buf_init(&b, 0);
    og_buf_text(&b, "");
    faults[0] = '\0';
    status = og_yaml_read(exact + 1, in.len, &arena, note, faults, &root);
    free(exact); /* only the arena has memory of the tree */
    assert_string_equal(faults, wrong);
    assert_int_equal(status, *wrong ? OG_ESYNTAX : OG_OK);
    if (root)
        draw(&b, root);
    if (tree)
        assert_string_equal(root ? b.s : "", tree);
    og_buf_clear(&b);
    og_arena_clear(&arena);
}

static void reads_trees(void **state)
{
    static const char *const cases[][2] = {
        { "ordergate: 1\nname: live\n", "{@1:1 ordergate@1:1=1@1:12 name@2:1=live@2:7}" },
        { "rules:\n  market-hours: refuse\n  order-notional:\n    most: 50000\n",
          "{@1:1 rules@1:1={@2:3 market-hours@2:3=refuse@2:17 order-notional@3:3={@4:5 most@4:5=50000@4:11}}}" },
        { "extends: [default, 'a.yaml', \"b\"]\n", "{@1:1 extends@1:1=[@1:10 default@1:11 'a.yaml@1:20 'b@1:30]}" },
        { "- 1\n-  off\n- - x\n", "[@1:1 1@1:3 off@2:4 [@3:3 x@3:5]]" },
        { "a:\n- 1\n- 2\nb: {c: ~, d: }\n", "{@1:1 a@1:1=[@2:1 1@2:3 2@3:3] b@4:1={@4:4 c@4:5=~@4:8 d@4:11=@4:14}}" },
        { "t: |\n  two\n  lines\n", "{@1:1 t@1:1='two\nlines\n@1:4}" },
        { "# only\n---\na: 1 # end\n...\n", "{@3:1 a@3:1=1@3:4}" },
        { "\"a b\": \"x\\ty\"\n", "{@1:1 a b@1:1='x\ty@1:8}" },
        { "\xC3\xA9: \xE2\x82\xAC\nb\xC3\xA9: [\xC3\xA9, z]\n",
          "{@1:1 \xC3\xA9@1:1=\xE2\x82\xAC@1:5 b\xC3\xA9@2:1=[@2:6 \xC3\xA9@2:7 z@2:11]}" },
        { "\xEF\xBB\xBF"
          "a: 1\r\nb: 2\r\n",
          "{@1:1 a@1:1=1@1:4 b@2:1=2@2:4}" },
        { "just text", "just text@1:1" },
        { "''", "'@1:1" },
        { "on: off\nyes: no\n", "{@1:1 on@1:1=off@1:5 yes@2:1=no@2:6}" },
        { "a: b & c ! d * e\n", "{@1:1 a@1:1=b & c ! d * e@1:4}" },
    };

    (void)state;
    for (size_t i = 0; i < COUNT(cases); i++)
        expect(og_str_of(cases[i][0]), cases[i][1], "");
}

static void reports_faults_at_their_places(void **state)
{
    static const struct {
        const char *text, *faults, *tree;
    } cases[] = {
        { "a: 1\nb: 2\na: 3\n", "3:1 yaml-duplicate-key", "{@1:1 a@1:1=1@1:4 b@2:1=2@2:4 a@3:1=3@3:4}" },
        { "a: {x: 1, y: 2,\n  x: 3, x: 4}\nb: {x: 1}\n", "2:3 yaml-duplicate-key, 2:9 yaml-duplicate-key", NULL },
        { "a: 1\n'a': 2\n", "2:1 yaml-duplicate-key", NULL },
        { "a: &x 1\nb: *x\n", "1:4 yaml-anchor, 2:4 yaml-alias", "{@1:1 a@1:1=1@1:4 b@2:1='@2:4}" },
        { "a: !!str 1\n", "1:4 yaml-tag", NULL },
        { "a: ! 1\n", "1:4 yaml-tag", NULL },
        { "a: !local {b: 1}\n", "1:4 yaml-tag", NULL },
        { "a: !!str &x 1\n", "1:4 yaml-tag, 1:10 yaml-anchor", NULL },
        { "a: &x   !!str 1\n", "1:4 yaml-anchor, 1:9 yaml-tag", NULL },
        { "\xC3\xA9: &x\n  - 1\n", "1:5 yaml-anchor", NULL },
        { "&x a: 1\n", "1:1 yaml-anchor", NULL },
        { "b: 1\n&x a: &y 1\n", "2:1 yaml-anchor, 2:7 yaml-anchor", NULL },
        { "&m\na: 1\n", "1:1 yaml-anchor", NULL },
        { "*x : 1\n", "1:1 yaml-alias", NULL },
        { "a: [*x, *y]\n", "1:5 yaml-alias, 1:9 yaml-alias", NULL },
        { "base: &b {x: 1}\nl:\n  <<: *b\n", "1:7 yaml-anchor, 3:7 yaml-alias", NULL },
        { "a: 1\n---\nb: 2\n", "2:1 yaml-several-documents", "{@1:1 a@1:1=1@1:4}" },
        { "a: 1\n...\n---\n", "3:1 yaml-several-documents", NULL },
        { "a: 1\n---", "2:1 yaml-several-documents", NULL },
        { "%TAG ! tag:x,2000:\n---\na: 1\n", "1:1 yaml-tag", NULL },
        { "", "1:1 yaml-empty", "" },
        { "\n# nothing\n", "1:1 yaml-empty", "" },
        { "---\n", "1:1 yaml-empty", NULL },
        { "a: 1\n b: 2\n", "2:3 yaml-syntax", NULL },
        { "a: [1, 2\nb: 3\n", "2:2 yaml-syntax", NULL },
        { "a:\n\t- 1\n", "2:1 yaml-syntax", NULL },
        { "a:\n  \tb: 1\n  c: 2\n", "2:3 yaml-syntax", NULL },
        { "a:\n  b: 1\n\tc: 2\n", "3:1 yaml-syntax", NULL },
        { "a: \"\\q\"\n", "1:5 yaml-syntax", NULL },
        { "a: 'open\n", "2:1 yaml-syntax", NULL },
        { "\xC3\xA9\xC3\xA9: 1\n\xC3\xA9: @\n", "2:5 yaml-syntax", NULL },
        { "? [a, b]\n: 1\nc: 2\n", "1:3 yaml-syntax", "{@1:1 @1:3=1@2:3 c@3:1=2@3:4}" },
        { "{[a]: 1, {b: c, b: d}: 2}\n", "1:2 yaml-syntax, 1:10 yaml-syntax, 1:17 yaml-duplicate-key", NULL },
        { "a: \"x\\0y\"\n", "1:4 yaml-syntax", NULL },
        { "a: 1\nb: \xFF\n", "2:4 yaml-not-utf8", NULL },
        { "a: caf\xE9 \xE9\nb: \x01\nc: 1\n", "1:7 yaml-not-utf8, 2:4 yaml-not-utf8", NULL },
        { "a: 1\n# \x7F\n# \xC2\xA0 \xC2\x86\n# \xEF\xBF\xBE\n",
          "2:3 yaml-not-utf8, 3:6 yaml-not-utf8, 4:3 yaml-not-utf8", NULL },
        /* characters that break lines for YAML, but not for editors */
        { "# x\xC2\x85"
          "a: 1\n# \xE2\x80\xA8"
          "b: 2\n# \xE2\x80\xA9\n# \rc: 3\r\nd: 4\n\r",
          "1:4 yaml-not-utf8, 2:3 yaml-not-utf8, 3:3 yaml-not-utf8, 4:3 yaml-not-utf8, 6:1 yaml-not-utf8, 6:2 "
          "yaml-syntax",
          NULL },
        { "a: \xED\xA0\x80\n", "1:4 yaml-not-utf8", NULL },
        { "\xFF\xFE"
          "a",
          "1:1 yaml-not-utf8", NULL },
        /* a text with several faults, all of which are reported */
        { "a: &x 1\nb: *x\na: 2\nc: !!int 3\n\xFF: 1\n---\n",
          "5:1 yaml-not-utf8, 1:4 yaml-anchor, 2:4 yaml-alias, 3:1 yaml-duplicate-key, 4:4 yaml-tag, "
          "6:1 yaml-several-documents",
          NULL },
    };

    (void)state;
    for (size_t i = 0; i < COUNT(cases); i++)
        expect(og_str_of(cases[i].text), cases[i].tree, cases[i].faults);
    expect((struct og_str){ "a: \0\n", 5 }, NULL, "1:4 yaml-not-utf8");
    expect((struct og_str){ NULL, 0 }, "", "1:1 yaml-empty");
}

static void bounds_depth_and_size(void **state)
{
    char *text = malloc(OG_YAML_MOST + 1);

    (void)state;
    memset(text, '[', 40);
    memset(text + 32, ']', 32);
    expect((struct og_str){ text, 64 }, NULL, "");
    memset(text, '[', 33);
    memset(text + 33, ']', 33);
    expect((struct og_str){ text, 66 }, NULL, "1:33 yaml-too-deep");
    memset(text, '[', 1 << 20);
    expect((struct og_str){ text, 1 << 20 }, NULL, "1:33 yaml-too-deep");
    memset(text, '#', OG_YAML_MOST + 1);
    expect((struct og_str){ text, OG_YAML_MOST }, "", "1:1 yaml-empty");
    expect((struct og_str){ text, OG_YAML_MOST + 1 }, "", "1:1 yaml-too-large");
    memset(text, ',', OG_YAML_MOST);
    for (size_t i = 1; i < 4000010; i += 2)
        text[i] = 'a';
    text[0] = '[';
    expect((struct og_str){ text, 4000000 }, NULL, "1:4000000 yaml-too-large");
    free(text);
}

/* Many keys and many multi-byte characters: neither is searched again for each node. */
static void large_files_are_read_once(void **state)
{
    struct og_arena arena;
    struct og_yaml *root;
    struct og_buf b;

    (void)state;
    og_buf_init(&b, 0);
    og_buf_text(&b, "l: [\xC3\xA9");
    for (int i = 0; i < 60000; i++)
        og_buf_text(&b, ", \xC3\xA9");
    og_buf_text(&b, "]\n");
    for (int i = 0; i < 50000; i++)
        og_buf_format(&b, "k%d: 1\n", i);
    og_buf_text(&b, "k7: &a 2\n");
    og_arena_init(&arena, 0);
    faults[0] = '\0';
    assert_int_equal(og_yaml_read(b.s, b.len, &arena, note, faults, &root), OG_ESYNTAX);
    assert_string_equal(faults, "50002:1 yaml-duplicate-key, 50002:5 yaml-anchor");
    assert_int_equal(root->count, 50002);
    assert_int_equal(og_yaml_get(root, "l")->count, 60001);
    assert_int_equal(og_yaml_get(root, "k49999")->line, 50001);
    og_arena_clear(&arena);
    og_buf_clear(&b);
}

static void gets_children(void **state)
{
    struct og_arena arena;
    struct og_yaml *root;
    static const char text[] = "a: {b: 1}\nl: [a]\n";

    (void)state;
    og_arena_init(&arena, 0);
    assert_int_equal(og_yaml_read(text, strlen(text), &arena, note, faults, &root), OG_OK);
    assert_str(og_yaml_get(og_yaml_get(root, "a"), "b")->text, "1");
    assert_null(og_yaml_get(root, "A"));
    assert_null(og_yaml_get(og_yaml_get(root, "l"), "a"));
    assert_null(og_yaml_get(NULL, "a"));
    og_arena_clear(&arena);

    og_arena_init(&arena, 200); /* too small for the tree */
    assert_int_equal(og_yaml_read(text, strlen(text), &arena, note, faults, &root), OG_ENOMEM);
    assert_null(root);
    og_arena_clear(&arena);
}

/* Write the bytes of each node, in the order of the file. */
static void cut(struct og_buf *b, const char *text, const struct og_yaml *n)
{
    og_buf_format(b, "<%.*s>", (int)(n->end - n->at), text + n->at);
    for (const struct og_yaml *c = n->first; c; c = c->next)
        cut(b, text, c);
}

static void knows_what_bytes_a_node_is(void **state)
{
    static const char text[] = "\xEF\xBB\xBF"
                               "a: {b: 1, c: [x , 'y' ]} # so\nl:\n  - p  # one\n  - \"q\"\n\ne:\nf: several\n  "
                               "words\n";
    struct og_arena arena;
    struct og_yaml *root;
    struct og_buf b;

    (void)state;
    og_arena_init(&arena, 0);
    og_buf_init(&b, 0);
    assert_int_equal(og_yaml_read(text, strlen(text), &arena, note, faults, &root), OG_OK);
    cut(&b, text, root->first);
    assert_string_equal(b.s, "<{b: 1, c: [x , 'y' ]}><1><[x , 'y' ]><x><'y'>");
    og_buf_reset(&b);
    cut(&b, text, og_yaml_get(root, "l"));
    assert_string_equal(b.s, "<- p  # one\n  - \"q\"><p><\"q\">");
    og_buf_reset(&b);
    cut(&b, text, og_yaml_get(root, "e"));
    cut(&b, text, og_yaml_get(root, "f"));
    assert_string_equal(b.s, "<><several\n  words>");
    assert_int_equal(root->end, og_yaml_get(root, "f")->end);
    assert_true(og_yaml_get(root, "a")->flow && !og_yaml_get(root, "l")->flow);
    og_buf_clear(&b);
    og_arena_clear(&arena);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(reads_trees),           cmocka_unit_test(reports_faults_at_their_places),
        cmocka_unit_test(bounds_depth_and_size), cmocka_unit_test(large_files_are_read_once),
        cmocka_unit_test(gets_children),         cmocka_unit_test(knows_what_bytes_a_node_is),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
