/*
 * Decisions for people: a row for each order with its terms, and below it why it is refused, what else was found, and
 * what to do.  What to do about a reason is told once.  Findings that only say that a fact is missing are told
 * together.
 */
#include <stdio.h>

#include "base/error.h"
#include "base/grow.h"
#include "ordergate/rules.h"
#include "show/view.h"
#include "text/csv.h"
#include "text/terms.h"

#define INDENT        9  /* of the paragraphs below a row */
#define HANG          11 /* of their lines after the first */
#define COLUMNS_WIDE  100
#define NOT_DECIDED   " not decided: "
#define MISSING_MOST  16
#define REASONS_SHOWN 5

/* --- reasons ------------------------------------------------------------------------------------------------------ */

/* Returns the entry of a reason; NULL if out of memory. */
static struct og_show_reason *reason_of(struct og_show *v, struct og_str id)
{
    struct og_show_reason *r = og_map_get(&v->reason_of, id);

    if (r || !(r = og_arena_take(&v->arena, sizeof *r)))
        return r;
    *r = (struct og_show_reason){ .id = og_arena_copy(&v->arena, id) };
    if (!r->id.s || !OG_GROW(v->reason, v->reasons, v->reason_room, 16) || !og_map_put(&v->reason_of, NULL, r->id, r))
        return NULL;
    v->reason[v->reasons++] = r;
    return r;
}

/* Returns what to do about a reason of a built-in rule; NULL if that says nothing. */
static const char *help_of(struct og_str rule, struct og_str reason)
{
    char name[64];
    const struct og_rule *found;
    struct og_reason_info info;

    if (rule.len >= sizeof name)
        return NULL;
    memcpy(name, rule.s, rule.len);
    name[rule.len] = '\0';
    found = og_rules_find(name);
    for (size_t i = 0; found && og_rule_reason(found, i, &info); i++)
        if (og_str_is(reason, info.id))
            return info.help;
    return NULL;
}

/* --- below a row -------------------------------------------------------------------------------------------------- */

/* Add the words as a paragraph, and empty the buffer. */
static void note(struct og_show *v, enum og_ink ink, struct og_buf *words)
{
    v->text.bad |= words->bad;
    if (words->len > 0)
        og_table_note(&v->table, v->indent, v->hang, ink, og_show_str(words));
    og_buf_reset(words);
}

static void note_legs(struct og_show *v, struct og_buf *b, const cJSON *body)
{
    const cJSON *leg;

    cJSON_ArrayForEach (leg, og_doc_get(body, "legs")) {
        og_buf_text(b, "leg: ");
        og_terms_side(b, leg);
        og_terms_member(b, leg, "ratio", " ");
        og_terms_member(b, leg, "symbol", " ");
        note(v, OG_INK_NONE, b);
    }
}

static void note_figures(struct og_show *v, struct og_buf *b, const cJSON *decision)
{
    const cJSON *strategy = og_doc_get(decision, "strategy"), *margin = og_doc_get(decision, "margin");

    og_terms_member(b, strategy, "name", "strategy: ");
    og_terms_member(b, strategy, "direction", ", ");
    og_terms_member(b, strategy, "maxLoss", ", can lose ");
    og_terms_member(b, strategy, "maxGain", ", can gain ");
    note(v, OG_INK_NONE, b);
    og_terms_member(b, margin, "required", "buying power: takes ");
    og_terms_member(b, margin, "why", "buying power: not known, ");
    og_terms_member(b, margin, "available", ", there is ");
    note(v, OG_INK_NONE, b);
}

/* Say what to do, unless it was said before. help: static. */
static void note_help(struct og_show *v, struct og_buf *b, const char *help)
{
    if (!help || og_map_get(&v->helped, og_str_of(help)))
        return;
    v->text.bad |= !og_map_put(&v->helped, NULL, og_str_of(help), help);
    og_buf_format(b, "what to do: %s", help);
    note(v, OG_INK_NONE, b);
}

static void note_finding(struct og_show *v, struct og_buf *b, const cJSON *f, const char *word, enum og_ink ink)
{
    const struct og_str reason = og_doc_str_or_empty(f, "reason");
    const cJSON *waived = og_doc_get(f, "waived");

    og_buf_format(b, "%s: ", word);
    og_buf_str(b, og_doc_str_or_empty(f, "message"));
    og_buf_text(b, " [");
    og_buf_str(b, reason);
    og_buf_char(b, ']');
    og_terms_member(b, waived, "by", ", waived by ");
    og_terms_member(b, waived, "reason", ": ");
    note(v, ink, b);
    note_help(v, b, help_of(og_doc_str_or_empty(f, "rule"), reason));
}

/* What is missing, in words, each once. */
struct missing {
    struct og_str why[MISSING_MOST];
    int count, findings;
};

/* Returns true if the finding is only that its reason could not be decided, and adds why. */
static bool is_missing(const cJSON *f, struct missing *m)
{
    const struct og_str message = og_doc_str_or_empty(f, "message");
    const size_t len = sizeof NOT_DECIDED - 1;
    const char *at = message.len > len ? memmem(message.s, message.len, NOT_DECIDED, len) : NULL;
    bool unsure = false;
    struct og_str why;
    int i = 0;

    (void)og_doc_bool(f, "unsure", &unsure);
    if (!unsure || !at)
        return false;
    why = (struct og_str){ at + len, (size_t)(message.s + message.len - at) - len };
    m->findings++;
    while (i < m->count && !og_str_eq(m->why[i], why))
        i++;
    if (i == m->count && m->count < MISSING_MOST)
        m->why[m->count++] = why;
    return true;
}

/* Say what is missing; if that was said of an earlier line, only which. */
static void note_missing(struct og_show *v, struct og_buf *b, const struct missing *m, int64_t line)
{
    const char *before;
    struct og_buf list;
    struct og_str key;
    char number[32];

    if (m->findings == 0)
        return;
    og_buf_init(&list, 0);
    for (int i = 0; i < m->count; i++) {
        og_buf_text(&list, i > 0 ? "; " : "");
        og_buf_str(&list, m->why[i]);
    }
    before = list.bad ? NULL : og_map_get(&v->missing, og_show_str(&list));
    og_buf_format(b, "not sure of %d reason%s%s", m->findings, m->findings == 1 ? "" : "s",
                  before ? ": facts are missing as for line " : ": ");
    if (before) {
        og_buf_text(b, before);
    } else {
        og_buf_str(b, og_show_str(&list));
        key = og_arena_copy(&v->arena, og_show_str(&list));
        snprintf(number, sizeof number, "%lld", (long long)line);
        before = og_arena_copy(&v->arena, og_str_of(number)).s;
        b->bad |= !key.s || !before || !og_map_put(&v->missing, NULL, key, before);
    }
    b->bad |= list.bad;
    og_buf_clear(&list);
    note(v, OG_INK_YELLOW, b);
    note_help(v, b, "give what is known of the account with -f; `ordergate broker facts` writes it");
}

/* Add the findings of one level: first what refuses, then warnings, then the others. */
static void note_findings(struct og_show *v, struct og_buf *b, const cJSON *findings, const char *level,
                          enum og_ink ink, struct missing *m)
{
    const cJSON *f;

    cJSON_ArrayForEach (f, findings)
        if (og_str_is(og_doc_str_or_empty(f, "level"), level) &&
            (og_str_is(og_str_of(level), "refuse") || !is_missing(f, m)))
            note_finding(v, b, f, level, ink);
}

static void note_suggestion(struct og_show *v, struct og_buf *b, const cJSON *suggest)
{
    og_terms_member(b, suggest, "replaces", "it would pass with `replaces`: ");
    og_terms_member(b, suggest, "orderQuantity", "it would pass with orderQuantity ");
    og_terms_member(b, suggest, "limitPrice", "it would pass with limitPrice ");
    og_terms_member(b, suggest, "stopPrice", "it would pass with stopPrice ");
    og_terms_member(b, suggest, "at", "it would pass at ");
    note(v, OG_INK_BOLD, b);
}

/* What the broker would do, if it would not simply take the order. */
static void note_prediction(struct og_show *v, struct og_buf *b, const cJSON *predicts, bool accepted)
{
    static const char *const words[][2] = {
        { "http-400", "would answer 400" },
        { "http-400-json", "would answer 400" },
        { "http-404", "would answer 404" },
        { "http-429", "would answer 429" },
        { "rejected", "would reject it" },
        { "async", "would take it, and reject it a moment later" },
        { "rejected-or-async", "would reject it, at once or a moment later" },
        { "later", "would take it, and refuse it later" },
        { "no-effect", "would take it, without an effect" },
    };
    const struct og_str channel = og_doc_str_or_empty(predicts, "channel"),
                        code = og_doc_str_or_empty(predicts, "code");
    char id[16] = "";
    const char *meaning;

    for (size_t i = 0; i < sizeof words / sizeof *words; i++) {
        if (!og_str_is(channel, words[i][0]))
            continue;
        og_buf_format(b, "the broker %s", words[i][1]);
        if (code.len > 0 && code.len < sizeof id) {
            memcpy(id, code.s, code.len);
            meaning = og_reject_code_meaning(id);
            og_buf_format(b, ", %s%s%s", id, meaning ? ": " : "", meaning ? meaning : "");
        }
    }
    note(v, accepted ? OG_INK_YELLOW : OG_INK_NONE, b);
}

static void note_all(struct og_show *v, const cJSON *decision, const cJSON *body, bool accepted)
{
    const cJSON *findings = og_doc_get(decision, "findings"), *shadow;
    struct missing m = { .count = 0 };
    struct og_buf b;

    v->indent = INDENT;
    v->hang = HANG;
    og_buf_init(&b, 0);
    note_legs(v, &b, body);
    note_figures(v, &b, decision);
    note_findings(v, &b, findings, "refuse", OG_INK_RED, &m);
    note_findings(v, &b, findings, "warn", OG_INK_YELLOW, &m);
    note_findings(v, &b, findings, "info", OG_INK_NONE, &m);
    note_missing(v, &b, &m, og_doc_int_or_0(decision, "line"));
    cJSON_ArrayForEach (shadow, og_doc_get(decision, "shadow"))
        note_finding(v, &b, shadow, "in shadow", OG_INK_NONE);
    note_prediction(v, &b, og_doc_get(decision, "predicts"), accepted);
    note_suggestion(v, &b, og_doc_get(decision, "suggest"));
    og_buf_clear(&b);
}

void og_show_findings(struct og_show *v, const cJSON *decision, int indent, int hang)
{
    const cJSON *findings = og_doc_get(decision, "findings");
    struct missing m = { .count = 0 };
    struct og_buf b;

    v->indent = indent;
    v->hang = hang;
    og_buf_init(&b, 0);
    note_findings(v, &b, findings, "refuse", OG_INK_RED, &m);
    note_findings(v, &b, findings, "warn", OG_INK_YELLOW, &m);
    og_buf_clear(&b);
}

/* --- rows --------------------------------------------------------------------------------------------------------- */

/* Count the decision, and its reasons: an order counts once for each reason that refuses it. */
static void count(struct og_show *v, const cJSON *decision, bool accepted)
{
    const cJSON *f;

    v->accepted += accepted;
    v->refused += !accepted;
    cJSON_ArrayForEach (f, og_doc_get(decision, "findings")) {
        struct og_show_reason *r;

        if (!og_str_is(og_doc_str_or_empty(f, "level"), "refuse"))
            continue;
        r = reason_of(v, og_doc_str_or_empty(f, "reason"));
        v->text.bad |= !r;
        if (r)
            r->refused++;
    }
}

static void set_words(struct og_show *v, struct og_cell *row, int column, struct og_buf *words, bool right)
{
    v->text.bad |= words->bad;
    og_table_set(row, column, og_show_str(words), right, OG_INK_NONE);
    og_buf_reset(words);
}

static void set_terms(struct og_show *v, struct og_cell *row, int column, const cJSON *decision, const cJSON *body)
{
    const struct og_str op = og_doc_str_or_empty(decision, "op");
    struct og_buf b;

    og_buf_init(&b, 0);
    if (op.len > 0)
        og_buf_str(&b, op);
    else
        og_terms_side(&b, body);
    set_words(v, row, column++, &b, false);
    og_terms_member(&b, body, op.len > 0 ? "quantity" : "orderQuantity", "");
    set_words(v, row, column++, &b, true);
    og_terms_member(&b, body, og_str_is(op, "read") ? "endpoint" : "symbol", "");
    set_words(v, row, column++, &b, false);
    og_terms_price(&b, body);
    set_words(v, row, column, &b, false);
    og_buf_clear(&b);
}

/* Begin the decisions of another file. */
static void head_file(struct og_show *v, struct og_str file)
{
    const struct og_str before = og_show_str(&v->file);

    if (og_str_eq(file, before))
        return;
    og_show_begin(v, true);
    og_sheet_words(&v->sheet, 0, 0, OG_INK_BOLD, file);
    og_buf_reset(&v->file);
    og_buf_str(&v->file, file);
    v->text.bad |= v->file.bad;
}

static void add_row(struct og_show *v, const cJSON *decision, const cJSON *body, bool accepted)
{
    const bool wide = v->sheet.columns >= COLUMNS_WIDE;
    const struct og_str id = og_doc_str_or_empty(decision, "clientOrderId"),
                        quote = og_doc_str_or_empty(body, "quoteReqID");
    struct og_cell *row;
    int column = 0;

    head_file(v, og_doc_str_or_empty(decision, "file"));
    if (!v->named) {
        v->named = true;
        v->names = 1;
        if (wide)
            OG_TABLE_NAMES(&v->table, "LINE", "VERDICT", "ORDER", "ACCOUNT", "SIDE", "QTY", "SYMBOL", "PRICE");
        else
            OG_TABLE_NAMES(&v->table, "LINE", "VERDICT", "ORDER", "SIDE", "QTY", "SYMBOL", "PRICE");
    }
    row = og_table_add(&v->table);
    og_table_set_int(row, column++, og_doc_int_or_0(decision, "line"), OG_INK_NONE);
    og_table_set(row, column++, og_doc_str_or_empty(decision, "verdict"), false, accepted ? OG_INK_GREEN : OG_INK_RED);
    og_table_set(row, column++, id.len > 0 ? id : quote.len > 0 ? quote : OG_STR("-"), false, OG_INK_NONE);
    if (wide)
        og_table_set(row, column++, og_doc_str_or_empty(decision, "accountId"), false, OG_INK_NONE);
    set_terms(v, row, column, decision, body);
    note_all(v, decision, body, accepted);
}

/* --- CSV ---------------------------------------------------------------------------------------------------------- */

/* The columns: of the decision, of the order, of its first finding that refuses, and of the prediction. */
static const char *const of_decision[] = { "file", "line", "op", "clientOrderId", "accountId", "tag", "verdict" };
static const char *const of_order[] = { "symbol",      "securityType", "side",          "openClose",  "orderType",
                                        "timeInForce", "route",        "orderQuantity", "limitPrice", "stopPrice" };
static const char *const of_finding[] = { "rule", "reason", "field", "message" };
static const char *const of_prediction[] = { "channel", "code" };
#define COUNT(names) (sizeof(names) / sizeof(names)[0])

static void put_cells(struct og_buf *b, const cJSON *object, const char *const *names, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        struct og_money amount;
        struct og_str text;

        if (og_doc_str(object, names[i], &text))
            og_csv_text(b, text);
        else if (og_doc_money(object, names[i], &amount))
            og_buf_money(b, amount);
        og_buf_char(b, ',');
    }
}

static void put_names(struct og_buf *b, const char *const *names, size_t count)
{
    for (size_t i = 0; i < count; i++)
        og_buf_format(b, "%s,", names[i]);
}

static void put_csv(struct og_show *v, const cJSON *decision, const cJSON *body)
{
    struct og_buf *b = &v->text;
    const cJSON *f, *first = NULL;

    if (!v->named) {
        put_names(b, of_decision, COUNT(of_decision));
        put_names(b, of_order, COUNT(of_order));
        put_names(b, of_finding, COUNT(of_finding));
        put_names(b, of_prediction, COUNT(of_prediction));
        og_buf_text(b, "at\n");
        v->named = true;
    }
    cJSON_ArrayForEach (f, og_doc_get(decision, "findings"))
        if (!first && og_str_is(og_doc_str_or_empty(f, "level"), "refuse"))
            first = f;
    put_cells(b, decision, of_decision, COUNT(of_decision));
    put_cells(b, body, of_order, COUNT(of_order));
    put_cells(b, first, of_finding, COUNT(of_finding));
    put_cells(b, og_doc_get(decision, "predicts"), of_prediction, COUNT(of_prediction));
    og_csv_text(b, og_doc_str_or_empty(decision, "at"));
    og_buf_char(b, '\n');
}

/* --- the functions of the header ---------------------------------------------------------------------------------- */

static enum og_status show_one(struct og_show *v, const char *text, size_t len, const cJSON *line)
{
    cJSON *decision = NULL;
    enum og_status status = og_doc_read(text, len, "decision", &decision, NULL);
    const cJSON *body = line, *basket = og_doc_get(decision, "basket");
    bool accepted;

    if (status != OG_OK)
        return status;
    if (basket)
        body = cJSON_GetArrayItem(og_doc_get(line, "orders"), (int)og_doc_int_or_0(basket, "index"));
    accepted = og_str_is(og_doc_str_or_empty(decision, "verdict"), "accept");
    if (v->format != OG_SHOW_TABLE) {
        put_csv(v, decision, body);
    } else {
        count(v, decision, accepted);
        add_row(v, decision, body, accepted);
    }
    cJSON_Delete(decision);
    return OG_OK;
}

enum og_status og_show_decisions(struct og_show *v, const char *decisions, size_t len, const char *line,
                                 size_t line_len)
{
    enum og_status status = OG_OK;
    cJSON *doc = NULL;

    if (!v || !decisions || !line)
        return OG_EINVAL;
    og_show_begin(v, false);
    if (og_doc_read(line, line_len, "line", &doc, NULL) == OG_ENOMEM)
        return OG_ENOMEM;
    while (len > 0 && status == OG_OK) {
        const char *end = memchr(decisions, '\n', len);
        const size_t one = end ? (size_t)(end - decisions) : len, used = one + (end != NULL);

        status = show_one(v, decisions, one, doc);
        decisions += used;
        len -= used;
    }
    cJSON_Delete(doc);
    return status;
}

enum og_status og_show_decided(struct og_show *v)
{
    const long long all = v ? v->accepted + v->refused : 0;
    struct og_show_reason *most;
    const char *before = " (";
    struct og_buf b;

    if (!v)
        return OG_EINVAL;
    og_show_begin(v, true);
    if (v->format != OG_SHOW_TABLE)
        return OG_OK;
    og_buf_init(&b, 0);
    og_buf_format(&b, "decided %lld: %lld accepted, %lld refused", all, v->accepted, v->refused);
    for (int i = 0; i < REASONS_SHOWN; i++) {
        most = NULL;
        for (size_t k = 0; k < v->reasons; k++)
            if (v->reason[k]->refused > 0 && (!most || v->reason[k]->refused > most->refused))
                most = v->reason[k];
        if (!most)
            break;
        og_buf_text(&b, before);
        before = ", ";
        og_buf_str(&b, most->id);
        og_buf_format(&b, " %lld", most->refused);
        most->refused = 0;
    }
    og_buf_text(&b, before[0] == ',' ? ")" : "");
    og_buf_text(&v->text, all > 0 ? "\n" : "");
    og_sheet_words(&v->sheet, 0, 2, OG_INK_BOLD, og_show_str(&b));
    v->text.bad |= b.bad;
    og_buf_clear(&b);
    return OG_OK;
}
