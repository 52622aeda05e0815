/*
 * Named lists.  Rejects a file that other users may write, and more words than og_policy_show() can write.
 */
#include "policy/lists.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/time.h"
#include "base/utf8.h"
#include "policy/layers.h"
#include "policy/lock.h"
#include "policy/verify.h"

#define NAME_MOST 64
#define WORD_MOST 256

static bool is_name(struct og_str name)
{
    static const char *const taken[] = { "true", "false", "null", "in" };

    if (name.len == 0 || name.len > NAME_MOST || (name.s[0] >= '0' && name.s[0] <= '9'))
        return false;
    for (size_t i = 0; i < name.len; i++)
        if (!og_name_char(name.s[i]) || strchr(".-+", name.s[i]))
            return false;
    for (size_t i = 0; i < sizeof taken / sizeof taken[0]; i++)
        if (og_str_is(name, taken[i]))
            return false;
    return true;
}

/* --- reading ------------------------------------------------------------------------------------------------------ */

struct words {
    struct og_layers *l;
    struct og_srcloc at;
    struct og_str *word;
    size_t count, room;
    const char *signed_as; /* as in struct og_list_entry, like the next two members */
    const struct og_yaml *items;
    const struct og_policy_file *file;
    struct og_list_age age;
};

static bool more_room(struct words *w)
{
    size_t room = w->room ? 2 * w->room : 64;
    struct og_str *more;

    if (w->count < w->room)
        return true;
    more = og_arena_take(&w->l->room, room * sizeof *more);
    if (!more) {
        w->l->faults.oom = true;
        return false;
    }
    if (w->count)
        memcpy(more, w->word, w->count * sizeof *more);
    w->word = more;
    w->room = room;
    return true;
}

/* Add a word; text lives as long as the policy. */
static bool add(struct words *w, struct og_str text, struct og_srcloc at)
{
    const char *end = text.s + text.len;

    if (text.len > WORD_MOST) {
        og_error_add(&w->l->faults, at, "value-invalid", "a word of a list has at most %d bytes, here is '%s'",
                     WORD_MOST, og_see(text).s);
        return true;
    }
    for (const char *p = text.s; p < end;) {
        size_t len = og_utf8_len(p, end);

        if (len == 0 || (unsigned char)*p < 0x20 || *p == 0x7f) {
            og_error_add(&w->l->faults, at, "value-invalid",
                         "'%s' cannot be in a list: it has a control character, or is not UTF-8", og_see(text).s);
            return true;
        }
        p += len;
    }
    if (!more_room(w))
        return false;
    w->word[w->count++] = text;
    return true;
}

static void read_items(struct words *w, const struct og_policy_file *source, const struct og_yaml *node)
{
    w->items = node->first;
    for (const struct og_yaml *n = node->first; n; n = n->next) {
        struct og_str text = n->kind == OG_YAML_SCALAR ? og_arena_copy(&w->l->policy->arena, n->text) : n->text;

        if (n->kind != OG_YAML_SCALAR || n->text.len == 0) {
            og_error_at(&w->l->faults, source, n, "wrong-type",
                        "a list must have words (like [GME, AMC]), here is something else");
        } else if (!text.s) {
            w->l->faults.oom = true;
            return;
        } else if (!add(w, text, og_srcloc_of(source, n))) {
            return;
        }
    }
}

static bool is_blank(char c)
{
    return c == ' ' || c == '\t' || c == '\r';
}

static bool is_sign(char c)
{
    return c == ':' || c == '=';
}

/* Returns true for two words of which the second is a number, as a weight may be written by mistake: NVDA 1.7,
 * NVDA: 1.7, NVDA = 1.7. */
static bool is_weight(struct og_str text, struct og_str *symbol, struct og_str *number)
{
    const char *end = text.s + text.len, *p = text.s;

    while (p < end && !is_blank(*p) && *p != ',' && !is_sign(*p))
        p++;
    *symbol = (struct og_str){ text.s, (size_t)(p - text.s) };
    while (p < end && (is_blank(*p) || *p == ',' || is_sign(*p)))
        p++;
    *number = (struct og_str){ p, (size_t)(end - p) };
    for (; p < end; p++)
        if ((*p < '0' || *p > '9') && *p != '.' && *p != '-')
            return false;
    return symbol->len && number->len && symbol->len + number->len <= WORD_MOST;
}

static bool ends_field(char c)
{
    return is_blank(c) || is_sign(c) || c == ',' || c == ';' || c == '|' || c == '"' || c == '\'';
}

/* Returns true if the line has nothing but its first field. */
static bool is_one_field(struct og_str line)
{
    for (size_t i = 0; i < line.len; i++)
        if (ends_field(line.s[i]))
            return false;
    return true;
}

bool og_list_is_header(struct og_str line)
{
    static const char *const names[] = { "symbol",      "symbols", "ticker",   "tickers",  "underlying",
                                         "underlyings", "account", "accounts", "accountid" };
    size_t from = 0, to;
    bool is = false;

    while (from < line.len && (line.s[from] == '"' || line.s[from] == '\''))
        from++;
    for (to = from; to < line.len && !ends_field(line.s[to]); to++)
        ;
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++)
        is |= og_str_eq_folded((struct og_str){ line.s + from, to - from }, og_str_of(names[i]));
    return is;
}

/* Add the word of a line.  A line with several words is rejected, since no symbol or account has blanks or commas.
 * Returns false if out of memory. */
static bool add_line(struct words *w, struct og_str text, struct og_srcloc at)
{
    struct og_str symbol, number;

    if (w->count == 0 && !is_one_field(text) && og_list_is_header(text)) {
        og_error_add(&w->l->faults, at, "value-invalid",
                     "'%s' seems to be the names of columns, which a file of a list has not: delete the line, or begin "
                     "it with '#'",
                     og_see(text).s);
        return true;
    }
    for (size_t i = 0; i < text.len; i++)
        if (is_blank(text.s[i]) || text.s[i] == ',') {
            if (is_weight(text, &symbol, &number))
                og_error_add(
                    &w->l->faults, at, "value-invalid",
                    "a file of a list has one word a line, here are two: '%s'; if it is a weight, write %.*s=%.*s",
                    og_see(text).s, (int)symbol.len, symbol.s, (int)number.len, number.s);
            else
                og_error_add(
                    &w->l->faults, at, "value-invalid",
                    "a file of a list has one word a line, here are several: '%s'; a word with a blank or a comma "
                    "in it must be written in the policy itself",
                    og_see(text).s);
            return true;
        }
    return add(w, text, at);
}

bool og_list_line_next(struct og_str bytes, struct og_list_line *at)
{
    const char *end = bytes.s + bytes.len;

    if (at->line == 0 && bytes.len >= 3 && memcmp(bytes.s, "\xEF\xBB\xBF", 3) == 0)
        at->next = 3;
    while (at->next < bytes.len) {
        const char *p = bytes.s + at->next, *stop = memchr(p, '\n', (size_t)(end - p)), *from = p;
        const char *to = stop ? stop : end;

        at->next = stop ? (size_t)(stop - bytes.s) + 1 : bytes.len;
        at->line++;
        for (const char *c = from; c < to; c++)
            if (*c == '#' && (c == from || is_blank(c[-1])))
                to = c;
        while (from < to && is_blank(*from))
            from++;
        while (from < to && is_blank(to[-1]))
            to--;
        at->col = (int)(from - p) + 1;
        at->word = (struct og_str){ from, (size_t)(to - from) };
        if (from < to)
            return true;
    }
    return false;
}

/* Read a day of New York, or an instant with its offset. */
static bool read_date(struct og_str text, int64_t *as_of)
{
    static const char form[] = "0000-00-00";
    int part[3] = { 0, 0, 0 }, n = 0;

    if (og_time_read(text.s, text.len, as_of))
        return true;
    *as_of = OG_TIME_UNKNOWN;
    if (text.len != sizeof form - 1)
        return false;
    for (size_t i = 0; i < text.len; i++) {
        if (form[i] == '-' ? text.s[i] != '-' : text.s[i] < '0' || text.s[i] > '9')
            return false;
        if (form[i] == '-')
            n++;
        else
            part[n] = 10 * part[n] + (text.s[i] - '0');
    }
    if (!og_date_exists(part[0], part[1], part[2]))
        return false;
    *as_of = og_eastern_instant(part[0], part[1], part[2], 0);
    return true;
}

/* Returns the date with which the comment in the first line begins; OG_TIME_UNKNOWN if it begins with none. */
static int64_t date_line(struct og_str bytes)
{
    struct og_str word = { bytes.s, 0 };
    int64_t as_of = OG_TIME_UNKNOWN;

    if (bytes.len >= 3 && memcmp(bytes.s, "\xEF\xBB\xBF", 3) == 0)
        bytes = (struct og_str){ bytes.s + 3, bytes.len - 3 };
    if (bytes.len == 0 || bytes.s[0] != '#')
        return OG_TIME_UNKNOWN;
    do
        bytes = (struct og_str){ bytes.s + 1, bytes.len - 1 };
    while (bytes.len && is_blank(bytes.s[0]));
    word.s = bytes.s;
    while (word.len < bytes.len && !is_blank(word.s[word.len]) && word.s[word.len] != '\n')
        word.len++;
    (void)read_date(word, &as_of);
    return as_of;
}

static void read_lines(struct words *w, const struct og_policy_file *file)
{
    struct og_list_line at = { 0 };

    w->age.as_of = date_line(file->bytes);
    w->file = file;
    while (og_list_line_next(file->bytes, &at))
        if (!add_line(w, at.word, (struct og_srcloc){ .source = file, .line = at.line, .col = at.col }))
            return;
}

/* Write the text that replaces the list's words in what signatures of the policy cover. */
static const char *signed_form(struct og_layers *l, const char *name, const struct og_public_key *key,
                               const struct og_list_age *age)
{
    static const char form[] = "{file: \"\", key: \"ed25519:\", of: session, max_age: }";
    size_t size = sizeof form + strlen(name) + 2 * OG_PUBLIC_KEY_SIZE + sizeof og_duration_text(0).s;
    char *to = og_arena_take(&l->policy->arena, size);
    int len = to ? snprintf(to, size, "{file: \"%s\", key: \"ed25519:", name) : 0;

    if (!to)
        return NULL;
    for (size_t i = 0; i < OG_PUBLIC_KEY_SIZE; i++)
        len += snprintf(to + len, size - (size_t)len, "%02x", key->bytes[i]);
    snprintf(to + len, size - (size_t)len, "\"%s%s%s}", age->of_session ? ", of: session" : "",
             age->max_age ? ", max_age: " : "", age->max_age ? og_duration_text(age->max_age).s : "");
    return to;
}

/* Verify that the bytes that were read from a list's file are signed with the list's own key. */
static void verify_list(struct words *w, const struct og_policy_file *source, const struct og_yaml *key,
                        const struct og_policy_file *file)
{
    const char *slash = strrchr(file->name, '/'), *why;
    char *key_path = og_policy_file_beside(key->text.s, source->folder, &w->l->policy->arena),
         *path = og_signature_path(file->name);
    const struct og_signing_demand demand = { .key = &key_path, .count = 1, .need = 1 };
    struct og_verify_fault fault;
    struct og_public_keys keys;
    struct og_list_digest digest;
    enum og_status status = key_path && path ? OG_OK : OG_ENOMEM;

    if (status == OG_OK && !og_list_digest(file->name, file->bytes.s, file->bytes.len, &digest, &why)) {
        og_error_at(&w->l->faults, source, key, "list-unsigned", "'%s' %s", file->name, why);
        free(path);
        return;
    }
    if (status == OG_OK)
        status = og_verify_keys(&demand, w->l->files, &keys, &fault);
    if (status == OG_OK)
        status = og_verify_signed(&keys, 1, path, digest.s, w->l->files, &fault);
    if (status == OG_OK)
        w->signed_as = signed_form(w->l, slash ? slash + 1 : file->name, &keys.key[0], &w->age);
    if (status == OG_EPOLICY)
        og_error_at(&w->l->faults, source, key, "list-unsigned", "'%s': %s", fault.file, fault.text);
    else if (!w->signed_as)
        w->l->faults.oom = true;
    free(path);
}

static bool is_text(const struct og_yaml *node)
{
    return node && node->kind == OG_YAML_SCALAR && node->text.len > 0;
}

/* Read the greatest age of the list, and the date of a list that is written in the policy.  Returns false, after
 * reporting the error, if one of them is wrong. */
static bool read_age(struct words *w, const struct og_policy_file *source, const struct og_yaml *node)
{
    const struct og_yaml *of = og_yaml_get(node, "of"), *most = og_yaml_get(node, "max_age"),
                         *dated = og_yaml_get(node, "dated");
    const struct og_yaml *wrong =
        of && (!is_text(of) || !og_str_is(of->text, "session")) ? of
        : most && (!is_text(most) || !og_duration_read(most->text.s, most->text.len, &w->age.max_age) ||
                   w->age.max_age <= 0)
            ? most
        : dated && (!is_text(dated) || !read_date(dated->text, &w->age.as_of)) ? dated
                                                                               : NULL;

    w->age.of_session = of != NULL;
    if (wrong)
        og_error_at(&w->l->faults, source, wrong, "value-invalid",
                    wrong == of      ? "'of' takes session: the list must be of the day on which it is used"
                    : wrong == dated ? "'dated' takes a day (like 2026-11-28), or an instant with its offset"
                                     : "'max_age' takes a duration above zero (like 24h)");
    return !wrong;
}

static void say_undated(struct words *w, const struct og_policy_file *source, const struct og_yaml *node)
{
    if (og_list_must_be_young(&w->age) && w->age.as_of == OG_TIME_UNKNOWN)
        og_error_at(&w->l->faults, source, node, "list-undated",
                    "the list has no date, so nobody can tell how old it is: the first line of its file must be a "
                    "comment that begins with one (like '# 2026-11-28')");
}

static void read_file(struct words *w, const struct og_policy_file *source, const struct og_yaml *node)
{
    const struct og_yaml *path = og_yaml_get(node, "file"), *key = og_yaml_get(node, "key");
    struct og_policy_file *file = og_arena_take(&w->l->policy->arena, sizeof *file);
    enum og_opening opening;
    char why[200];

    opening = file ? og_layers_open_list(w->l, path->text.s, source->folder, file) : OG_OPEN_NO_MEMORY;
    if (opening == OG_OPEN_OK) {
        read_lines(w, file);
        say_undated(w, source, path);
        if (key)
            verify_list(w, source, key, file);
    } else if (opening == OG_OPEN_NO_MEMORY) {
        w->l->faults.oom = true;
    } else {
        const bool absent = opening == OG_OPEN_FAILED && errno == ENOENT;

        og_error_at(&w->l->faults, source, path, "list-unreadable", "'%s' %s%s", og_see(path->text).s,
                    og_opening_text(opening, file, why, sizeof why),
                    !absent                  ? ""
                    : path->text.s[0] == '/' ? ": the list needs this file, with one word a line"
                                             : " in the folder of this file: the list needs it, with one word a line; "
                                               "who copies a policy copies its lists too");
    }
}

static void read_map(struct words *w, const struct og_policy_file *source, const struct og_yaml *node)
{
    const struct og_yaml *words = og_yaml_get(node, "words"), *file = og_yaml_get(node, "file"),
                         *key = og_yaml_get(node, "key");
    static const char *const known[] = { "words", "file", "key", "of", "max_age", "dated", NULL };
    bool wrong = words ? file || key || words->kind != OG_YAML_LIST
                       : !is_text(file) || (key && !is_text(key)) || og_yaml_get(node, "dated");

    for (const struct og_yaml *n = node->first; n; n = n->next)
        wrong = wrong || !og_str_is_one_of(n->key, known);
    if (wrong) {
        og_error_at(&w->l->faults, source, node, "wrong-type",
                    "a list from a file is written {file: path}, or {file: path, key: path of a public key} if it is "
                    "signed by itself, with the paths relative to this policy's folder; 'of' and 'max_age' say how old "
                    "it may be");
        return;
    }
    if (!read_age(w, source, node))
        return;
    if (words) {
        read_items(w, source, words);
        say_undated(w, source, node);
    } else {
        read_file(w, source, node);
    }
}

static void read_list(struct og_layers *l, const struct og_policy_file *source, const struct og_yaml *node,
                      struct og_list_entry *to)
{
    struct words w = { .l = l, .age.as_of = OG_TIME_UNKNOWN };
    struct og_str *kept;

    if (node->kind == OG_YAML_LIST)
        read_items(&w, source, node);
    else if (node->kind == OG_YAML_MAP)
        read_map(&w, source, node);
    else
        og_error_at(&l->faults, source, node, "wrong-type",
                    "'%s' must be a list of words (like [GME, AMC]) or {file: path}", og_see(node->key).s);
    kept = og_arena_take(&l->policy->arena, (w.count + 1) * sizeof *kept);
    if (!kept)
        l->faults.oom = true;
    else if (w.count)
        memcpy(kept, w.word, w.count * sizeof *kept);
    to->words = (struct og_string_set){ .word = kept, .count = kept ? w.count : 0 };
    to->signed_as = w.signed_as;
    to->items = w.items;
    to->file = w.file;
    to->age = w.age;
}

/* --- laying lists over those of the layers below ------------------------------------------------------------------ */

bool og_lists_same(const struct og_list_entry *a, const struct og_list_entry *b)
{
    if (a->words.count != b->words.count || a->age.as_of != b->age.as_of || a->age.max_age != b->age.max_age ||
        a->age.of_session != b->age.of_session)
        return false;
    for (size_t i = 0; i < a->words.count; i++)
        if (!og_str_eq(a->words.word[i], b->words.word[i]))
            return false;
    return true;
}

/* Make an entry for a list whose name is new.  Returns NULL if there are too many lists or memory runs out. */
static struct og_list_entry *new_list(struct og_layers *l, struct og_lists *to, struct og_str name, struct og_srcloc at)
{
    struct og_str kept = og_arena_copy(&l->policy->arena, name);

    if (to->count == OG_LISTS_MOST) {
        og_error_add(&l->faults, at, "too-many", "a policy has at most %d lists", OG_LISTS_MOST);
        return NULL;
    }
    if (!to->item)
        to->item = og_arena_take(&l->room, OG_LISTS_MOST * sizeof *to->item);
    if (!to->item || !kept.s || !og_map_put(&to->index, &l->room, kept, &to->item[to->count])) {
        l->faults.oom = true;
        return NULL;
    }
    to->item[to->count].name = kept;
    return &to->item[to->count++];
}

static void lay_list(struct og_layers *l, const struct og_policy_file *source, const struct og_yaml *node,
                     struct og_lists *to)
{
    struct og_srcloc at = og_srcloc_of_key(source, node);
    struct og_list_entry *list = og_map_get(&to->index, node->key);
    struct og_list_entry read = { .at = at };

    if (!is_name(node->key)) {
        og_error_add(&l->faults, at, "name-invalid",
                     "'%s' is not a name of a list: 1 to %d of letters, digits and '_', no digit first, and no word of "
                     "expressions",
                     og_see(node->key).s, NAME_MOST);
        return;
    }
    read_list(l, source, node, &read);
    to->words += read.words.count;
    if (to->words > OG_LIST_WORDS_MOST) {
        og_error_add(&l->faults, at, "too-many", "lists have at most %d words in all", OG_LIST_WORDS_MOST);
        return;
    }
    if (list && list->locked.source) {
        if (!og_lists_same(list, &read))
            og_lock_report(l, at, list->locked, "list", list->name.s, "a locked rule names it");
        return;
    }
    if (!list && !(list = new_list(l, to, node->key, at)))
        return;
    read.name = list->name;
    *list = read;
}

void og_lists_lay(struct og_layers *l, const struct og_policy_file *source, const struct og_yaml *node,
                  struct og_lists *to)
{
    const size_t errors = l->faults.errors;

    if (node->kind != OG_YAML_MAP) {
        to->partial = true;
        og_error_at(&l->faults, source, node, "wrong-type",
                    "'lists' must be a map of name and words (like meme: [GME, AMC])");
        return;
    }
    for (const struct og_yaml *n = node->first; n; n = n->next)
        lay_list(l, source, n, to);
    to->partial = to->partial || l->faults.errors > errors;
}

bool og_lists_names(struct og_layers *l, const struct og_lists *lists, struct og_expr_names *names)
{
    *names = (struct og_expr_names){ .count = lists->count };
    names->lists = og_arena_take(&l->policy->arena, (lists->count + 1) * sizeof *names->lists);
    if (!names->lists) {
        l->faults.oom = true;
        return false;
    }
    for (size_t i = 0; i < lists->count; i++)
        names->lists[i] = (struct og_expr_list){ .name = lists->item[i].name,
                                                 .words = lists->item[i].words,
                                                 .age = lists->item[i].age };
    return true;
}

void og_lists_join(struct og_layers *l)
{
    l->lists.partial = l->lists.partial || l->floor_lists.partial;
    for (size_t i = 0; i < l->floor_lists.count; i++) {
        const struct og_list_entry *from = &l->floor_lists.item[i];
        struct og_list_entry *to = og_map_get(&l->lists.index, from->name);

        if (to && !og_lists_same(to, from))
            og_error_add(&l->faults, from->at, "floor-conflict",
                         "the floor and the policy have different lists '%s': call one of them something else",
                         from->name.s);
        if (!to && (to = new_list(l, &l->lists, from->name, from->at)))
            *to = *from;
    }
}

void og_lists_finalize(struct og_layers *l)
{
    struct og_expr_names names;

    if (!og_lists_names(l, &l->lists, &names))
        return;
    l->policy->lists = names;
    l->policy->list_where = og_arena_take(&l->policy->arena, (names.count + 1) * sizeof *l->policy->list_where);
    l->policy->list_signed = og_arena_take(&l->policy->arena, (names.count + 1) * sizeof *l->policy->list_signed);
    if (!l->policy->list_where || !l->policy->list_signed) {
        l->faults.oom = true;
        return;
    }
    for (size_t i = 0; i < names.count; i++) {
        l->policy->list_where[i] = l->lists.item[i].at;
        l->policy->list_signed[i] = l->lists.item[i].signed_as;
    }
}
