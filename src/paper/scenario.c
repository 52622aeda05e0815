/*
 * Reads a scenario: the document, the sections that are plain settings, and the sequence in which the parts are set up.
 * All errors are reported; a scenario with an error is not served.
 */
#include "paper/scenario.h"

#include <stdio.h>
#include <stdlib.h>

#include "base/error.h"
#include "paper/fault.h"
#include "paper/pagination.h"
#include "paper/replay.h"
#include "paper/scenario_read.h"
#include "text/doc.h"

#define DEFAULT "default" /* name of the shipped default scenario */

static const char *const root_keys[] = { "scenario", "description", "clock",    "seed",   "calendar",
                                         "holidays", "earlyCloses", "accounts", "keys",   "symbols",
                                         "routes",   "delays",      "rates",    "margin", "surface",
                                         "switches", "limits",      "faults",   "replay" };
#define ROOT_KEYS (sizeof(root_keys) / sizeof(root_keys[0]))

/* --- shared by the parts ------------------------------------------------------------------------------------------ */

bool og_paper_no_memory(struct og_paper_scenario_reader *r)
{
    r->diagnostics.oom = true;
    return false;
}

void *og_paper_take_items(struct og_paper_scenario_reader *r, const struct og_yaml *items, size_t size)
{
    void *room = og_arena_take(&r->p->arena, (items->count + 1) * size);

    if (!room)
        og_paper_no_memory(r);
    return room;
}

static bool is_kind(struct og_paper_scenario_reader *r, const struct og_yaml *node, enum og_yaml_kind kind)
{
    static const char *const kinds[] = {
        [OG_YAML_SCALAR] = "one value", [OG_YAML_LIST] = "a list", [OG_YAML_MAP] = "a map"
    };

    if (node->kind != kind)
        og_diagnostic_here(&r->diagnostics, OG_AT(node), "wrong-type", "'%s' must be %s, not %s", og_see(node->key).s,
                           kinds[kind], kinds[node->kind]);
    return node->kind == kind;
}

bool og_paper_is_map(struct og_paper_scenario_reader *r, const struct og_yaml *node)
{
    return is_kind(r, node, OG_YAML_MAP);
}

bool og_paper_is_list(struct og_paper_scenario_reader *r, const struct og_yaml *node)
{
    return is_kind(r, node, OG_YAML_LIST);
}

static bool is_scalar(struct og_paper_scenario_reader *r, const struct og_yaml *node)
{
    return is_kind(r, node, OG_YAML_SCALAR);
}

static void add_unknown_key(struct og_paper_scenario_reader *r, const struct og_yaml *node,
                            const struct og_paper_section *section, const char *const *beside)
{
    const char *known[40], what[] = "key of ";
    char where[64];
    size_t count = 0;

    for (; count < section->count; count++)
        known[count] = section->table[count].key;
    for (; beside && *beside; beside++)
        known[count++] = *beside;
    snprintf(where, sizeof where, "%s%s", what, section->path);
    og_diagnostic_unknown(&r->diagnostics, OG_AT_KEY(node), node->key, where, known, count);
}

void og_paper_read_settings(struct og_paper_scenario_reader *r, const struct og_yaml *map,
                            enum og_paper_section_name name, void *base, const char *const *beside)
{
    const struct og_paper_section *section = &og_paper_sections[name];
    const struct og_paper_setting *s;
    const struct og_yaml *n;
    char why[200];

    og_paper_settings_init(section->table, section->count, base);
    for (n = map ? map->first : NULL; n; n = n->next) {
        if (beside && og_str_is_one_of(n->key, beside))
            continue;
        s = og_paper_setting_get(section->table, section->count, n->key);
        if (!s)
            add_unknown_key(r, n, section, beside);
        else if (!is_scalar(r, n) || og_paper_setting_parse(s, n->text, &r->p->arena, base, why, sizeof why))
            continue;
        else if (!why[0])
            og_paper_no_memory(r);
        else
            og_diagnostic_here(&r->diagnostics, OG_AT(n), "value-invalid", "'%s' must be %s, not '%s'", s->key, why,
                               og_see(n->text).s);
    }
}

bool og_paper_require_keys(struct og_paper_scenario_reader *r, const struct og_yaml *map, const char *const *keys)
{
    bool all = true;

    for (; *keys; keys++)
        if (!og_yaml_get(map, *keys)) {
            og_diagnostic_here(&r->diagnostics, OG_AT(map), "missing-key", "'%s' is missing", *keys);
            all = false;
        }
    return all;
}

const struct og_yaml *og_paper_section_node(struct og_paper_scenario_reader *r, const char *key)
{
    const struct og_yaml *node = og_yaml_get(r->root, key);
    bool inherited = !node && r->base;

    r->diagnostics.file = inherited ? DEFAULT : r->name;
    return inherited ? og_yaml_get(r->base, key) : node;
}

/* --- settings of the service itself ------------------------------------------------------------------------------- */

static void read_flat(struct og_paper_scenario_reader *r)
{
    const struct og_yaml *node;
    int i;

    for (i = 0; i < OG_SECTION_FLAT; i++) {
        node = og_yaml_get(r->root, og_paper_sections[i].path);
        if (node && !og_paper_is_map(r, node))
            node = NULL;
        og_paper_read_settings(r, node, (enum og_paper_section_name)i, (char *)r->p + og_paper_sections[i].at, NULL);
    }
}

static void read_version(struct og_paper_scenario_reader *r)
{
    const struct og_yaml *node = og_yaml_get(r->root, "scenario");

    if (!og_paper_require_keys(r, r->root, OG_KEY_LIST("scenario")) || !is_scalar(r, node))
        return;
    if (!og_str_is(node->text, "1"))
        og_diagnostic_here(&r->diagnostics, OG_AT(node), "version",
                           "'scenario' must be 1, the version of the format, not '%s'", og_see(node->text).s);
}

static void read_clock(struct og_paper_scenario_reader *r)
{
    const struct og_yaml *node = og_yaml_get(r->root, "clock");
    struct og_str text = r->p->options.clock;
    struct og_paper_clock clock;

    if (node && (!is_scalar(r, node) || !og_paper_clock_read(&clock, node->text))) {
        og_diagnostic_here(&r->diagnostics, OG_AT(node), "value-invalid",
                           "'clock' must be real, an instant (2026-01-15T15:00:00Z), or one with "
                           "a speed (@10), not '%s'",
                           og_see(node->text).s);
        node = NULL;
    }
    if (!text.s)
        text = node ? node->text : OG_STR("real");
    if (!og_paper_clock_read(&r->p->clock, text))
        og_paper_clock_read(&r->p->clock, OG_STR("real"));
}

static void read_calendar(struct og_paper_scenario_reader *r)
{
    static const char *const words[] = { "weekdays", "exchange", NULL };
    const struct og_yaml *node = og_yaml_get(r->root, "calendar");
    struct og_str text = r->p->options.calendar;

    if (node && (!is_scalar(r, node) || !og_str_is_one_of(node->text, words))) {
        og_diagnostic_here(&r->diagnostics, OG_AT(node), "value-invalid",
                           "'calendar' must be weekdays or exchange, not '%s'", og_see(node->text).s);
        return;
    }
    if (!text.s && node)
        text = node->text;
    if (text.s && og_str_is(text, "exchange"))
        r->p->exchange = r->p->options.exchange;
}

static void read_seed(struct og_paper_scenario_reader *r)
{
    const struct og_yaml *node = og_yaml_get(r->root, "seed");
    uint64_t seed = 1;
    size_t i;

    if (node && is_scalar(r, node)) {
        for (seed = 0, i = 0; i < node->text.len && i < 19 && node->text.s[i] >= '0' && node->text.s[i] <= '9'; i++)
            seed = seed * 10 + (uint64_t)(node->text.s[i] - '0');
        if (i == 0 || i < node->text.len)
            og_diagnostic_here(&r->diagnostics, OG_AT(node), "value-invalid",
                               "'seed' must be a whole number of at most 19 digits, not '%s'", og_see(node->text).s);
    }
    if (!r->p->options.seeded)
        r->p->options.seed = seed;
}

static void read_days(struct og_paper_scenario_reader *r, const char *key, struct og_paper_days *to)
{
    const struct og_yaml *node = og_yaml_get(r->root, key), *n;
    int64_t *days;

    if (!node || !og_paper_is_list(r, node))
        return;
    if (!(days = og_paper_take_items(r, node, sizeof *days)))
        return;
    to->day = days;
    for (n = node->first; n; n = n->next)
        if (n->kind == OG_YAML_SCALAR && og_paper_page_day(n->text, &days[to->count]))
            to->count++;
        else
            og_diagnostic_here(&r->diagnostics, OG_AT(n), "value-invalid",
                               "'%s' must be a list of YYYY-MM-DD, not '%s'", key, og_see(n->text).s);
}

/* --- limits and faults: by the name of a request ------------------------------------------------------------------ */

static void read_limits(struct og_paper_scenario_reader *r)
{
    const struct og_yaml *node = og_yaml_get(r->root, "limits"), *n;
    const char *names[OG_ENDPOINTS];
    int i;

    for (i = 0; i < OG_ENDPOINTS; i++)
        names[i] = og_endpoints[i].name;
    if (!node || !og_paper_is_map(r, node))
        return;
    for (n = node->first; n; n = n->next) {
        i = (int)og_endpoint_find(n->key);
        if (i == OG_ENDPOINTS)
            og_diagnostic_unknown(&r->diagnostics, OG_AT_KEY(n), n->key, "request of the service", names, OG_ENDPOINTS);
        else if (og_paper_is_map(r, n) && og_paper_require_keys(r, n, OG_KEY_LIST("rate", "burst")))
            og_paper_read_settings(r, n, OG_SECTION_LIMIT, &r->p->limits[i], NULL);
    }
}

/* Returns the fault as a JSON document, in the form of the control call, so that the same code reads both. */
static cJSON *fault_document(struct og_paper_scenario_reader *r, const struct og_yaml *item)
{
    static const char *const keys[] = { "on", "do", "status", "delay", "count", "after", "chance", NULL };
    cJSON *doc = og_doc_object();
    const struct og_yaml *n;
    struct og_money m;

    for (n = item->first; n; n = n->next) {
        if (!og_str_is_one_of(n->key, keys))
            og_diagnostic_unknown(&r->diagnostics, OG_AT_KEY(n), n->key, "key of a fault", keys,
                                  sizeof keys / sizeof keys[0] - 1);
        else if (!is_scalar(r, n))
            continue;
        else if (!n->quoted && og_money_read(n->text.s, n->text.len, &m))
            og_doc_put_money(doc, n->key.s, m);
        else
            og_doc_put_str(doc, n->key.s, n->text);
    }
    return doc;
}

static void read_fault(struct og_paper_scenario_reader *r, const struct og_yaml *item)
{
    size_t before = r->diagnostics.count;
    const char *wrong = NULL;
    cJSON *doc;

    if (!og_paper_is_map(r, item))
        return;
    doc = fault_document(r, item);
    if (!doc)
        og_paper_no_memory(r);
    else if (r->diagnostics.count == before && (wrong = og_paper_fault_add(r->p, doc)))
        og_diagnostic_here(&r->diagnostics, OG_AT(item), "value-invalid", "%s", wrong);
    r->diagnostics.oom = r->diagnostics.oom || wrong == og_paper_fault_no_memory;
    cJSON_Delete(doc);
}

static void read_faults(struct og_paper_scenario_reader *r)
{
    const struct og_yaml *node = og_yaml_get(r->root, "faults"), *n;

    if (node && og_paper_is_list(r, node))
        for (n = node->first; n; n = n->next)
            read_fault(r, n);
}

/* --- replay ------------------------------------------------------------------------------------------------------- */

static void read_replay(struct og_paper_scenario_reader *r)
{
    const struct og_yaml *node = og_yaml_get(r->root, "replay"), *file;
    struct og_paper_replay_item item;
    struct og_error err = { .status = OG_OK };
    struct og_str bytes;
    char *owned;

    if (!node || !og_paper_is_map(r, node) || !og_paper_require_keys(r, node, OG_KEY_LIST("file")))
        return;
    og_paper_read_settings(r, node, OG_SECTION_REPLAY, &item, NULL);
    file = og_yaml_get(node, "file");
    if (!item.file.len)
        return;
    if (og_paper_source_read(item.file.s, r->name, &bytes, &owned, &err) != OG_OK) {
        og_diagnostic_here(&r->diagnostics, OG_AT(file), "file", "%s", err.text);
        return;
    }
    r->diagnostics.file = item.file.s;
    if (!og_paper_replay_read(r->p, bytes, &r->diagnostics))
        og_paper_no_memory(r);
    r->diagnostics.file = r->name;
    free(owned);
}

/* --- the document ------------------------------------------------------------------------------------------------- */

static void yaml_fault(void *with, int line, int col, const char *code, const char *text)
{
    struct og_paper_scenario_reader *r = with;

    og_diagnostic_here(&r->diagnostics, line, col, code, "%s", text);
}

static const struct og_yaml *parse(struct og_paper_scenario_reader *r, struct og_str bytes)
{
    struct og_yaml *root = NULL;

    if (og_yaml_read(bytes.s, bytes.len, &r->room, yaml_fault, r, &root) == OG_ENOMEM)
        og_paper_no_memory(r);
    if (root && root->kind != OG_YAML_MAP) {
        og_diagnostic_here(&r->diagnostics, OG_AT(root), "wrong-type",
                           "a scenario must be a map that begins with scenario: 1");
        root = NULL;
    }
    return root;
}

static void read_root(struct og_paper_scenario_reader *r)
{
    const struct og_yaml *n;

    for (n = r->root->first; n; n = n->next) {
        size_t i;

        for (i = 0; i < ROOT_KEYS && !og_str_is(n->key, root_keys[i]); i++)
            ;
        if (i == ROOT_KEYS)
            og_diagnostic_unknown(&r->diagnostics, OG_AT_KEY(n), n->key, "key of a scenario", root_keys, ROOT_KEYS);
        else if (i == 1)
            is_scalar(r, n);
    }
    read_version(r);
    read_clock(r);
    read_seed(r);
    read_calendar(r);
    read_days(r, "holidays", &r->p->holidays);
    read_days(r, "earlyCloses", &r->p->early_closes);
    read_flat(r);
    og_paper_read_routes(r);
    og_paper_read_symbols(r);
    og_paper_read_accounts(r);
    og_paper_read_keys(r);
    r->diagnostics.file = r->name;
    read_limits(r);
    read_faults(r);
    read_replay(r);
}

static void read_documents(struct og_paper_scenario_reader *r, struct og_str bytes)
{
    struct og_str shipped;
    char *owned;

    if (og_paper_source_read(DEFAULT, NULL, &shipped, &owned, NULL) == OG_OK && shipped.s != bytes.s)
        r->base = parse(r, shipped);
    r->root = parse(r, bytes);
    if (r->root)
        read_root(r);
}

enum og_status og_paper_scenario_read(struct og_paper *p, const struct og_paper_source *source,
                                      og_diagnostic_listener *listener, void *with, struct og_error *err)
{
    struct og_paper_scenario_reader r = { .p = p, .name = source->name };
    struct og_str bytes = source->bytes;
    enum og_status status = OG_OK;
    char *owned = NULL;

    if (!bytes.s)
        status = og_paper_source_read(source->name, NULL, &bytes, &owned, err);
    if (status != OG_OK)
        return status;
    og_arena_init(&r.room, 0);
    r.diagnostics = (struct og_diagnostics){ .arena = &r.room, .file = r.name };
    read_documents(&r, bytes);
    og_diagnostics_report(&r.diagnostics, OG_ESYNTAX, listener, with, err);
    if (r.diagnostics.oom)
        status = og_fail(err, OG_ENOMEM, "out of memory");
    else if (r.diagnostics.count)
        status = OG_ESYNTAX;
    og_arena_clear(&r.room);
    free(owned);
    return status;
}
