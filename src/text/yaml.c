/*
 * YAML of policies, scenarios and broker files: makes a small tree in an arena, with lines and columns, from libyaml's
 * events. Rejects everything that may make a policy mean something else than it seems to: aliases, anchors, tags,
 * duplicate keys, a second document, bytes that are not text.  Every such fault is reported and reading continues; only
 * a syntax error, too deep nesting and a second document end it.
 */
#include "text/yaml.h"

#include <stdio.h>
#include <stdlib.h>
#include <yaml.h>

#include "base/utf8.h"
#include "text/duplicate_keys.h"

#define MOST_DEPTH 32
#define MOST_NODES 2000000 /* maximum number of values in a document; a tree of that many takes up to 400 MB */

/* Converts libyaml's positions, which count characters, to lines and byte columns as editors show them. It steps from
 * the newest position to the next, forward or backward: few positions lie before the newest one, and those are near. */
struct cursor {
    size_t index, offset, line_start;
    int line;
};

struct open {
    struct og_yaml *node;
    struct og_yaml **tail;
    size_t opened;     /* see og_seen_keys_open() */
    bool in_key;       /* the container is a map, and a key comes next */
    struct og_str key; /* key of the value that comes next */
    int key_line, key_col;
};

struct reading {
    struct og_arena *arena;
    og_yaml_fault *fault;
    void *with;
    const char *bytes;
    size_t len, skipped; /* skipped: length of a byte order mark before `bytes` */
    struct cursor cursor;
    struct og_seen_keys keys;
    struct open open[MOST_DEPTH];
    int depth, documents;
    size_t nodes;
    struct og_yaml *root;
    bool faulty, no_memory, done;
};

struct place {
    int line, col;
    size_t offset;
};

/* --- reporting faults with their places --------------------------------------------------------------------------- */

static void report(struct reading *r, int line, int col, const char *code, const char *text)
{
    r->faulty = true;
    r->fault(r->with, line, col, code, text);
}

static void report_at(struct reading *r, struct place at, const char *code, const char *text)
{
    report(r, at.line, at.col, code, text);
}

static void step_forward(struct reading *r)
{
    struct cursor *c = &r->cursor;
    size_t len = og_utf8_len(r->bytes + c->offset, r->bytes + r->len);

    if (r->bytes[c->offset] == '\n') {
        c->line++;
        c->line_start = c->offset + 1;
    }
    c->offset += len ? len : 1;
    c->index++;
}

static void step_backward(struct reading *r)
{
    struct cursor *c = &r->cursor;
    const char *feed;

    do
        c->offset--;
    while (c->offset > 0 && ((unsigned char)r->bytes[c->offset] & 0xC0) == 0x80);
    c->index--;
    if (r->bytes[c->offset] != '\n')
        return;
    feed = memrchr(r->bytes, '\n', c->offset);
    c->line--;
    c->line_start = feed ? (size_t)(feed - r->bytes) + 1 : 0;
}

static struct place place_here(const struct reading *r)
{
    const struct cursor *c = &r->cursor;

    return (struct place){ c->line, (int)(c->offset - c->line_start) + 1, c->offset };
}

static struct place place_of(struct reading *r, const yaml_mark_t *mark)
{
    while (r->cursor.index < mark->index && r->cursor.offset < r->len)
        step_forward(r);
    while (r->cursor.index > mark->index)
        step_backward(r);
    return place_here(r);
}

/* --- bytes -------------------------------------------------------------------------------------------------------- */

/* Returns what is wrong with the character of len bytes at p; NULL if nothing is. YAML treats NEL, LS, PS and a lone CR
 * as line breaks, but editors do not: a setting after such a character in a comment would be in force, and nobody would
 * see it. */
static const char *character_fault(const char *p, size_t len, const char *end)
{
    unsigned char c = (unsigned char)*p, second = len > 1 ? (unsigned char)p[1] : 0;

    if (len == 0)
        return "not UTF-8: save the file as UTF-8";
    if (c == '\r')
        return p + 1 < end && p[1] == '\n' ? NULL : "a line break that editors do not show";
    if ((len == 2 && c == 0xC2 && second == 0x85) ||
        (len == 3 && memcmp(p, "\xE2\x80", 2) == 0 && (p[2] & ~1) == (char)0xA8))
        return "a line break that editors do not show";
    if ((c < 0x20 && c != '\n' && c != '\t') || c == 0x7F || (len == 2 && c == 0xC2 && second < 0xA0) ||
        (len == 3 && memcmp(p, "\xEF\xBF", 2) == 0 && (unsigned char)p[2] >= 0xBE))
        return "a control character";
    return NULL;
}

/* Report the first bad byte of each line, and replace all bad bytes by '_', so that libyaml can read the rest. */
static void check_bytes(struct reading *r, char *copy)
{
    int line = 1, reported = 0;
    size_t line_start = 0, step;
    const char *end = r->bytes + r->len;
    char text[96];

    for (size_t i = 0; i < r->len; i += step) {
        size_t len = og_utf8_len(r->bytes + i, end);
        const char *what = character_fault(r->bytes + i, len, end);

        step = len ? len : 1;
        if (what) {
            memset(copy + i, '_', step);
            snprintf(text, sizeof text, "byte 0x%02x here is %s", (unsigned char)r->bytes[i], what);
            if (reported != line)
                report(r, line, (int)(i - line_start) + 1, "yaml-not-utf8", text);
            reported = line;
        } else if (r->bytes[i] == '\n') {
            line++;
            line_start = i + 1;
        }
    }
}

/* --- nodes -------------------------------------------------------------------------------------------------------- */

static struct og_yaml *new_node(struct reading *r, enum og_yaml_kind kind, struct place at)
{
    struct og_yaml *node;

    if (r->nodes++ == MOST_NODES) {
        report_at(r, at, "yaml-too-large", "more than 2000000 values");
        r->done = true;
    }
    if (r->done) /* reading has ended: nodes are no longer added to the tree */
        return NULL;
    node = og_arena_take(r->arena, sizeof *node);
    if (!node) {
        r->no_memory = true;
        return NULL;
    }
    node->kind = kind;
    node->line = at.line;
    node->col = at.col;
    node->at = node->end = r->skipped + at.offset;
    return node;
}

static struct og_str copy_text(struct reading *r, const char *s, size_t len)
{
    struct og_str copy = og_arena_copy(r->arena, (struct og_str){ s, len });

    if (!copy.s)
        r->no_memory = true;
    return copy;
}

/* Report the anchor and the tag of a node, in either order, each at its place. */
static void report_properties(struct reading *r, struct place at)
{
    const char *end = r->bytes + r->len;

    for (int i = 0; i < 2; i++) {
        const char *p = r->bytes + at.offset;

        if (p < end && *p == '&')
            report_at(r, at, "yaml-anchor", "anchors are not allowed: write the value out");
        else if (p < end && *p == '!')
            report_at(r, at, "yaml-tag", "tags are not allowed: remove it");
        else
            return;
        while (r->bytes + r->cursor.offset < end && !strchr(" \t\r\n", r->bytes[r->cursor.offset]))
            step_forward(r);
        while (r->bytes + r->cursor.offset < end && strchr(" \t\r\n", r->bytes[r->cursor.offset]))
            step_forward(r);
        at = place_here(r);
    }
}

static void set_key(struct reading *r, struct open *map, struct og_str key, struct place at)
{
    char text[160];

    map->key = key;
    map->key_line = at.line;
    map->key_col = at.col;
    map->in_key = false;
    if (r->no_memory)
        return;
    switch (og_seen_keys_add(&r->keys, key)) {
    case OG_KEY_NOMEM: r->no_memory = true; break;
    case OG_KEY_AGAIN:
        snprintf(text, sizeof text, "key '%.*s' is given twice: keep one", key.len < 80 ? (int)key.len : 80, key.s);
        report_at(r, at, "yaml-duplicate-key", text);
        break;
    default: break;
    }
}

/* Add a node to the container that is being read. */
static void attach(struct reading *r, struct og_yaml *node)
{
    struct open *parent = r->depth > 0 ? &r->open[r->depth - 1] : NULL;

    if (!node)
        return;
    if (!parent) {
        r->root = node;
        return;
    }
    if (parent->node->kind == OG_YAML_MAP) {
        node->key = parent->key;
        node->key_line = parent->key_line;
        node->key_col = parent->key_col;
        parent->in_key = true;
    }
    *parent->tail = node;
    parent->tail = &node->next;
    parent->node->count++;
}

static struct open *awaiting_key(struct reading *r)
{
    struct open *inner = r->depth > 0 ? &r->open[r->depth - 1] : NULL;

    return inner && inner->in_key ? inner : NULL;
}

static void add_scalar(struct reading *r, const char *s, size_t len, bool quoted, struct place at, size_t end)
{
    struct open *map = awaiting_key(r);
    struct og_str text = copy_text(r, s, len);
    struct og_yaml *node;

    if (len != 0 && memchr(s, '\0', len))
        report_at(r, at, "yaml-syntax", "a NUL character is not allowed in a text");
    if (map) {
        set_key(r, map, text, at);
        return;
    }
    node = new_node(r, OG_YAML_SCALAR, at);
    if (!node)
        return;
    node->text = text;
    node->quoted = quoted;
    node->end = r->skipped + end;
    attach(r, node);
}

static void open_collection(struct reading *r, enum og_yaml_kind kind, bool flow, struct place at)
{
    struct open *map = awaiting_key(r), *inner;
    struct og_yaml *node;

    if (r->depth == MOST_DEPTH) {
        report_at(r, at, "yaml-too-deep", "nested deeper than 32");
        r->done = true;
        return;
    }
    node = new_node(r, kind, at);
    if (!node)
        return;
    node->flow = flow;
    if (map) { /* read on, but do not add the value to the tree */
        report_at(r, at, "yaml-syntax", "a key must be a word, not a list or a map");
        map->key = OG_STR("");
        map->key_line = at.line;
        map->key_col = at.col;
        map->in_key = false;
    } else {
        attach(r, node);
    }
    inner = &r->open[r->depth++];
    *inner = (struct open){
        .node = node, .tail = &node->first, .opened = og_seen_keys_open(&r->keys), .in_key = kind == OG_YAML_MAP
    };
}

/* Close a collection. A collection without brackets ends with its last child, because libyaml reports the start of the
 * token after it as its end. end is NULL if reading stopped inside the collection. */
static void close_collection(struct reading *r, const yaml_mark_t *end)
{
    struct open *inner = &r->open[--r->depth];
    struct og_yaml *node = inner->node;

    og_seen_keys_close(&r->keys, inner->opened);
    for (const struct og_yaml *child = node->first; child; child = child->next)
        node->end = child->end;
    if (end && node->flow)
        node->end = r->skipped + place_of(r, end).offset;
}

/* --- events ------------------------------------------------------------------------------------------------------- */

/* Returns true if the value at a place was meant as an expression that begins with '!': after it comes a bracket, or a
 * name with a point or a call. YAML reads the '!' as a tag. */
static bool is_negation(const struct reading *r, struct place at)
{
    const char *p = r->bytes + at.offset, *end = r->bytes + r->len, *next = p + 1;

    if (next >= end || *p != '!' || (*next != '(' && (*next < 'a' || *next > 'z')))
        return false;
    while (next < end && !strchr(" \t\r\n.(", *next))
        next++;
    return next < end && (*next == '.' || *next == '(');
}

/* Report a value for which is_negation() returns true. Then read the value as its author meant it, so that the fault is
 * not reported twice. */
static void handle_negation(struct reading *r, const yaml_event_t *e, struct place at)
{
    size_t end = place_of(r, &e->end_mark).offset;

    report_at(r, at, "yaml-tag", "YAML reads what begins with '!' as a tag: put this expression in quotes");
    while (end > at.offset && strchr(" \t\r\n", r->bytes[end - 1]))
        end--;
    add_scalar(r, r->bytes + at.offset, end - at.offset, false, at, end);
}

static void handle_scalar(struct reading *r, const yaml_event_t *e, struct place at)
{
    bool quoted = e->data.scalar.style != YAML_PLAIN_SCALAR_STYLE;

    if (!quoted && e->data.scalar.tag && is_negation(r, at)) {
        handle_negation(r, e, at);
        return;
    }
    /* an anchor or tag comes before the scalar's own first byte; a plain scalar cannot begin with & or ! */
    report_properties(r, at);
    add_scalar(r, (const char *)e->data.scalar.value, e->data.scalar.length, quoted, at,
               place_of(r, &e->end_mark).offset);
}

/* Begin a collection. A block map begins at its first key, so an anchor at that place belongs to the map only if the
 * event has the anchor. */
static void handle_collection(struct reading *r, const yaml_event_t *e, struct place at)
{
    bool map = e->type == YAML_MAPPING_START_EVENT;
    bool flow = map ? e->data.mapping_start.style == YAML_FLOW_MAPPING_STYLE
                    : e->data.sequence_start.style == YAML_FLOW_SEQUENCE_STYLE;
    bool marked = map ? e->data.mapping_start.anchor || e->data.mapping_start.tag
                      : e->data.sequence_start.anchor || e->data.sequence_start.tag;

    if (marked)
        report_properties(r, at);
    open_collection(r, map ? OG_YAML_MAP : OG_YAML_LIST, flow, at);
}

static void begin_document(struct reading *r, const yaml_event_t *e, struct place at)
{
    if (++r->documents > 1) {
        report_at(r, at, "yaml-several-documents", "a second document begins here: a file may have only one");
        r->done = true;
    } else if (e->data.document_start.tag_directives.start != e->data.document_start.tag_directives.end) {
        report_at(r, at, "yaml-tag", "tags are not allowed: remove the directive");
    }
}

static void handle_event(struct reading *r, const yaml_event_t *e)
{
    struct place at = place_of(r, &e->start_mark);

    switch (e->type) {
    case YAML_DOCUMENT_START_EVENT: begin_document(r, e, at); break;
    case YAML_ALIAS_EVENT:
        report_at(r, at, "yaml-alias", "aliases are not allowed: write the value out");
        add_scalar(r, "", 0, true, at, at.offset);
        break;
    case YAML_SCALAR_EVENT: handle_scalar(r, e, at); break;
    case YAML_SEQUENCE_START_EVENT:
    case YAML_MAPPING_START_EVENT: handle_collection(r, e, at); break;
    case YAML_SEQUENCE_END_EVENT:
    case YAML_MAPPING_END_EVENT: close_collection(r, &e->end_mark); break;
    case YAML_STREAM_END_EVENT: r->done = true; break;
    default: break;
    }
}

/* Returns the place of a tab among the blanks with which the line of this place begins; .line 0 if there is none. YAML
 * is not indented by tabs, and libyaml does not say that one is the fault. */
static struct place tab_before(const struct reading *r, struct place at)
{
    size_t from = at.offset < r->len ? at.offset : r->len, to;

    while (from > 0 && r->bytes[from - 1] != '\n')
        from--;
    for (to = from; to < r->len && (r->bytes[to] == ' ' || r->bytes[to] == '\t'); to++)
        if (r->bytes[to] == '\t')
            return (struct place){ .line = at.line, .col = (int)(to - from) + 1, .offset = to };
    return (struct place){ .line = 0 };
}

static void report_syntax(struct reading *r, const yaml_parser_t *parser)
{
    struct place at = place_of(r, &parser->problem_mark);
    const struct place tab = tab_before(r, at);
    char text[200];

    if (parser->error == YAML_MEMORY_ERROR) {
        r->no_memory = true;
        return;
    }
    if (tab.line) {
        report_at(r, tab, "yaml-syntax", "a tab: YAML is indented by blanks, write blanks in its place");
        return;
    }
    snprintf(text, sizeof text, "%s%s%s%s", parser->problem ? parser->problem : "not YAML", parser->context ? " " : "",
             parser->context ? parser->context : "",
             parser->problem && strcmp(parser->problem, "mapping values are not allowed in this context") == 0
                 ? ": put a value with ': ' in it, such as a condition with '?' and ':', in quotes"
                 : "");
    report_at(r, at, "yaml-syntax", text);
}

static void read_events(struct reading *r)
{
    yaml_parser_t parser;
    yaml_event_t event;

    if (!yaml_parser_initialize(&parser)) {
        r->no_memory = true;
        return;
    }
    yaml_parser_set_encoding(&parser, YAML_UTF8_ENCODING);
    yaml_parser_set_input_string(&parser, (const unsigned char *)r->bytes, r->len);
    while (!r->done && !r->no_memory) {
        if (!yaml_parser_parse(&parser, &event)) {
            report_syntax(r, &parser);
            break;
        }
        handle_event(r, &event);
        yaml_event_delete(&event);
    }
    yaml_parser_delete(&parser);
}

static bool is_empty(const struct og_yaml *root)
{
    return !root || (root->kind == OG_YAML_SCALAR && !root->quoted && root->text.len == 0);
}

enum og_status og_yaml_read(const char *bytes, size_t len, struct og_arena *arena, og_yaml_fault *fault, void *with,
                            struct og_yaml **root)
{
    struct reading r = { .arena = arena, .fault = fault, .with = with, .len = len, .cursor = { .line = 1 } };
    char *copy;

    *root = NULL;
    if (len > OG_YAML_MOST) {
        report(&r, 1, 1, "yaml-too-large", "larger than 16 MiB");
        return OG_ESYNTAX;
    }
    if (len >= 3 && memcmp(bytes, "\xEF\xBB\xBF", 3) == 0) {
        bytes += 3;
        r.len -= 3;
        r.skipped = 3;
    }
    copy = malloc(r.len + 1);
    if (!copy)
        return OG_ENOMEM;
    if (r.len)
        memcpy(copy, bytes, r.len);
    r.bytes = bytes;
    check_bytes(&r, copy);
    r.bytes = copy;
    og_seen_keys_init(&r.keys);
    read_events(&r);
    while (r.depth > 0)
        close_collection(&r, NULL);
    og_seen_keys_clear(&r.keys);
    free(copy);
    if (r.no_memory)
        return OG_ENOMEM;
    if (!r.faulty && is_empty(r.root))
        report(&r, 1, 1, "yaml-empty", "the file is empty");
    *root = r.root;
    return r.faulty ? OG_ESYNTAX : OG_OK;
}

struct og_yaml *og_yaml_get(const struct og_yaml *map, const char *key)
{
    if (!map || map->kind != OG_YAML_MAP)
        return NULL;
    for (struct og_yaml *child = map->first; child; child = child->next)
        if (og_str_is(child->key, key))
            return child;
    return NULL;
}
