/*
 * One run of lint: load the policy, run the checks, apply the silencing comments, sort the findings.  Checks that need
 * the whole policy are skipped if it does not load.
 */
#include "lint/lint.h"

#include <stdarg.h>
#include <stdlib.h>

#include "base/error.h"
#include "base/file.h"
#include "base/time.h"
#include "lint/trial.h"
#include "policy/diagnostics.h"
#include "policy/load.h"
#include "policy/policy_file.h"

#define ARENA_MOST ((size_t)512 << 20)
#define TEXT_MOST  700

/* --- findings ----------------------------------------------------------------------------------------------------- */

static struct og_lint_finding *append_finding(struct og_lint_run *l, struct og_lint_finding made)
{
    struct og_lint_entry *n = og_arena_take(l->arena, sizeof *n);

    if (!n) {
        l->oom = true;
        return &l->lost;
    }
    n->finding = made;
    n->nth = l->count++;
    if (l->last)
        l->last->next = n;
    else
        l->first = n;
    l->last = n;
    return &n->finding;
}

/* Returns how many bytes of the node's text are on its first line. */
static int width_of(const struct og_lint_run *l, const struct og_yaml *n)
{
    struct og_str line = og_lint_line(l->sources, n->line);
    size_t left = line.len >= (size_t)n->col ? line.len - (size_t)n->col + 1 : 1, len = n->end - n->at;

    return (int)(len < left ? len : left) > 0 ? (int)(len < left ? len : left) : 1;
}

struct og_lint_finding *og_lint_add_at_(struct og_lint_run *l, int line, int col, int width, const char *code,
                                        const char *text)
{
    struct og_lint_page page = { .severity = OG_WARNING };

    (void)og_lint_page_of(code, &page);
    return append_finding(l, (struct og_lint_finding){ .fault = { .severity = page.severity,
                                                                  .file = l->sources->name,
                                                                  .line = line,
                                                                  .col = col,
                                                                  .code = page.code ? page.code : code,
                                                                  .text = text },
                                                       .width = width });
}

struct og_lint_finding *og_lint_add_(struct og_lint_run *l, const struct og_yaml *at, const char *code,
                                     const char *text)
{
    return og_lint_add_at_(l, at->line, at->col, width_of(l, at), code, text);
}

struct og_lint_finding *og_lint_add_at_key_(struct og_lint_run *l, const struct og_yaml *at, const char *code,
                                            const char *text)
{
    return at->key.len ? og_lint_add_at_(l, at->key_line, at->key_col, (int)at->key.len, code, text)
                       : og_lint_add_(l, at, code, text);
}

bool og_lint_is_here(const struct og_lint_run *l, struct og_srcloc at)
{
    return at.source && at.line > 0 && strcmp(at.source->name, l->sources->name) == 0;
}

struct og_lint_finding *og_lint_add_at_place_(struct og_lint_run *l, struct og_srcloc at, int width, const char *code,
                                              const char *text)
{
    return og_lint_is_here(l, at) ? og_lint_add_at_(l, at.line, at.col, width > 0 ? width : 1, code, text) : NULL;
}

const char *og_lint_format(struct og_lint_run *l, const char *format, ...)
{
    char text[TEXT_MOST];
    const char *kept;
    va_list args;

    va_start(args, format);
    og_text_format(text, sizeof text, format, args);
    va_end(args);
    kept = og_arena_copy(l->arena, og_str_of(text)).s;
    l->oom = l->oom || !kept;
    return kept ? kept : "";
}

void og_lint_add_edit(struct og_lint_run *l, struct og_lint_finding *f, size_t from, size_t to, const char *text,
                      const char *says)
{
    struct og_lint_edit *e = og_arena_take(l->arena, sizeof *e);

    if (!e) {
        l->oom = true;
        return;
    }
    *e = (struct og_lint_edit){ from, to, text, says };
    f->edit = e;
}

/* --- loading ------------------------------------------------------------------------------------------------------ */

/* Returns the file in which a fault is. A file other than the linted one is read again to get its lines. */
static const struct og_lint_source *source_of(struct og_lint_run *l, const char *name)
{
    struct og_arena room;
    struct og_policy_file from = { 0 };
    struct og_lint_source *made = NULL;

    for (struct og_lint_source *s = l->sources; s; s = s->next)
        if (strcmp(s->name, name) == 0)
            return s;
    og_arena_init(&room, ARENA_MOST);
    if (og_policy_file_is_path(name) && og_policy_file_open(name, "", &room, &from) == OG_OPEN_OK)
        made = og_lint_source_make(l, name, from.bytes);
    else
        made = og_lint_source_make(l, name, OG_STR(""));
    og_arena_clear(&room);
    return made;
}

/* Returns the length in bytes of a plain or quoted word at an offset. */
static int word_width(struct og_str bytes, size_t at)
{
    size_t end = at;

    if (at < bytes.len && (bytes.s[at] == '"' || bytes.s[at] == '\''))
        for (end = at + 1; end < bytes.len && bytes.s[end] != '\n' && bytes.s[end++] != bytes.s[at];)
            ;
    else
        while (end < bytes.len && !strchr(" \t\r\n,:{}[]#", bytes.s[end]))
            end++;
    return end > at ? (int)(end - at) : 1;
}

static void on_fault(void *with, const struct og_diagnostic *fault)
{
    struct og_lint_run *l = with;
    const struct og_lint_source *s = source_of(l, fault->file);
    const char *text = og_arena_copy(l->arena, og_str_of(fault->text)).s;
    struct og_lint_finding made = { .fault = *fault, .width = 1 }, *f;

    if (!s || !text) {
        l->oom = true;
        return;
    }
    made.fault.file = s->name;
    made.fault.text = text;
    if (fault->line > 0)
        made.width = word_width(s->bytes, og_lint_offset(s, fault->line, fault->col));
    f = append_finding(l, made);
    if (s == l->sources)
        og_lint_fix_fault(l, f);
    f->fault.meant = fault->meant ? og_arena_copy(l->arena, og_str_of(fault->meant)).s : NULL;
}

static void ignore_fault(void *with, int line, int col, const char *code, const char *text)
{
    (void)with, (void)line, (void)col, (void)code, (void)text; /* does nothing: the loader reports the fault */
}

/* --- sorting ------------------------------------------------------------------------------------------------------ */

static int compare_places(const void *a, const void *b)
{
    const struct og_lint_entry *x = *(struct og_lint_entry *const *)a, *y = *(struct og_lint_entry *const *)b;
    const struct og_diagnostic *p = &x->finding.fault, *q = &y->finding.fault;

    if (x->order != y->order)
        return x->order < y->order ? -1 : 1;
    if (p->line != q->line)
        return p->line < q->line ? -1 : 1;
    if (p->col != q->col)
        return p->col < q->col ? -1 : 1;
    return x->nth < y->nth ? -1 : x->nth > y->nth;
}

static void sort_findings(struct og_lint_run *l)
{
    struct og_lint_entry **sorted = og_arena_take(l->arena, (l->count + 1) * sizeof *sorted);
    struct og_lint_finding *all = og_arena_take(l->arena, (l->count + 1) * sizeof *all);
    size_t count = 0;

    if (!sorted || !all) {
        l->oom = true;
        return;
    }
    for (struct og_lint_entry *n = l->first; n; n = n->next) {
        const struct og_lint_source *s = l->sources;

        for (; s && strcmp(s->name, n->finding.fault.file) != 0; s = s->next)
            n->order++;
        if (s && n->finding.fault.line > 0 && s->bytes.len) {
            n->finding.line_text = og_arena_copy(l->arena, og_lint_line(s, n->finding.fault.line)).s;
            l->oom = l->oom || !n->finding.line_text;
        }
        sorted[count++] = n;
    }
    qsort(sorted, count, sizeof *sorted, compare_places);
    for (size_t i = 0; i < count; i++)
        all[i] = sorted[i]->finding;
    l->report->finding = all;
    l->report->count = count;
}

static void run_checks(struct og_lint_run *l)
{
    og_lint_check_overrides(l);
    og_lint_check_settings(l);
    og_lint_check_only_warns(l);
    og_lint_check_word_lists(l);
    og_lint_check_patterns(l);
    og_lint_check_custom_rules(l);
    og_lint_check_named_lists(l);
    og_lint_check_group_limits(l);
    if (!l->recovered.len) { /* not after recovery: these checks need the whole policy */
        og_lint_check_idle_limits(l);
        og_lint_check_size_coverage(l);
        og_lint_check_environment(l);
        og_lint_check_weakened(l);
        og_lint_check_form_rules(l);
        og_lint_check_missing_facts(l);
        og_lint_check_untagged(l);
    }
    og_lint_check_override_overlap(l); /* this check is the last: it may spend the rest of the budget */
    if (l->exhausted)
        og_lint_add_at(l, 1, 1, 1, "lint-cut",
                       "this policy is so large that not all of its overrides, conditions and patterns were compared "
                       "with each other");
}

/* Load the policy from bytes; bytes NULL: from the file `name`. */
static enum og_status load_policy(struct og_lint_run *l, const char *name, const struct og_str *bytes,
                                  struct og_error *err)
{
    struct og_arena room;
    struct og_policy_file from = { 0 };
    struct og_error own = { 0 };
    const char *floor = l->options.floor ? l->options.floor : "";
    enum og_status status;

    og_arena_init(&room, ARENA_MOST);
    if (bytes || og_policy_file_open(name, NULL, &room, &from) == OG_OPEN_OK)
        status = og_lint_source_make(l, bytes ? name : from.name, bytes ? *bytes : from.bytes) ? OG_OK : OG_ENOMEM;
    else
        status = og_lint_source_make(l, name, OG_STR("")) ? OG_OK : OG_ENOMEM;
    og_arena_clear(&room);
    if (status != OG_OK)
        return status;
    if (bytes || strcmp(name, "-") == 0 || og_file_reads_once(name))
        status = og_policy_make_of(l->sources->bytes, l->sources->name, floor, &l->policy, on_fault, l, &own);
    else
        status = og_policy_make(&name, 1, floor, NULL, &l->policy, on_fault, l, &own);
    if (status == OG_EPOLICY || (status == OG_EIO && l->count > 0))
        return OG_OK;
    if (err && status != OG_OK)
        *err = own;
    return status;
}

static enum og_status check_policy(struct og_lint_run *l, struct og_error *err)
{
    enum og_status status = og_trial_new(l, &l->trial, err);

    l->logic = og_arena_take(l->arena, sizeof *l->logic);
    if (status == OG_OK && !l->logic)
        status = og_fail(err, OG_ENOMEM, "out of memory linting a policy");
    if (status == OG_OK)
        run_checks(l);
    og_trial_free(l->trial);
    l->trial = NULL;
    return status;
}

/* Check the part of a broken policy that loads.  No witnesses are made, since the whole policy cannot decide orders. */
static enum og_status check_recovered(struct og_lint_run *l, struct og_error *err)
{
    struct og_yaml *whole = l->root;
    struct og_lint_entry *loaded = l->last;
    enum og_status status = OG_OK;
    bool any = og_lint_recover(l);

    l->report->unmade = og_lint_skipped_checks(!any);
    l->options.no_witness = true;
    if (any)
        status = check_policy(l, err);
    if (any)
        og_lint_drop_consequences(l, whole, loaded);
    l->root = whole;
    return status;
}

static enum og_status check_and_finish(struct og_lint_run *l, struct og_error *err)
{
    enum og_status status = OG_OK;

    (void)og_yaml_read(l->sources->bytes.s, l->sources->bytes.len, l->arena, ignore_fault, NULL, &l->root);
    if (l->root && l->root->kind == OG_YAML_MAP)
        status = l->policy ? check_policy(l, err) : check_recovered(l, err);
    else if (!l->policy)
        l->report->unmade = og_lint_skipped_checks(true);
    og_lint_fix_inline_overrides(l);
    og_lint_suppress(l);
    sort_findings(l);
    og_lint_apply_fixes(l);
    return status != OG_OK ? status : l->oom ? og_fail(err, OG_ENOMEM, "out of memory linting a policy") : OG_OK;
}

static enum og_status lint_policy(const char *name, const struct og_str *bytes, const struct og_lint_options *options,
                                  struct og_lint_report **report, struct og_error *err)
{
    struct og_lint_run l = { .report = calloc(1, sizeof *l.report), .budget = OG_LINT_BUDGET };
    enum og_status status;

    *report = NULL;
    if (!l.report)
        return og_fail(err, OG_ENOMEM, "out of memory linting a policy");
    l.arena = &l.report->arena;
    og_arena_init(l.arena, ARENA_MOST);
    l.options = options ? *options : (struct og_lint_options){ .now = og_time_now() };
    status = load_policy(&l, name, bytes, err);
    if (status == OG_OK)
        status = check_and_finish(&l, err);
    og_policy_free(l.policy);
    og_policy_free(l.extended);
    if (status == OG_OK)
        *report = l.report;
    else
        og_lint_free(l.report);
    return status;
}

enum og_status og_lint(const char *name, const struct og_lint_options *options, struct og_lint_report **report,
                       struct og_error *err)
{
    if (!name || !report)
        return og_missing(err);
    return lint_policy(name, NULL, options, report, err);
}

enum og_status og_lint_read(const char *yaml, size_t len, const char *name, const struct og_lint_options *options,
                            struct og_lint_report **report, struct og_error *err)
{
    if (!yaml || !report)
        return og_missing(err);
    return lint_policy(name, &(struct og_str){ yaml, len }, options, report, err);
}

void og_lint_free(struct og_lint_report *report)
{
    if (!report)
        return;
    og_arena_clear(&report->arena);
    free(report);
}

size_t og_lint_count(const struct og_lint_report *report)
{
    return report ? report->count : 0;
}

size_t og_lint_unmade(const struct og_lint_report *report)
{
    return report ? report->unmade : 0;
}

const struct og_lint_finding *og_lint_at(const struct og_lint_report *report, size_t i)
{
    return report && i < report->count ? &report->finding[i] : NULL;
}

const char *og_lint_text(const struct og_lint_report *report, size_t *len)
{
    if (len)
        *len = report ? report->text.len : 0;
    return report ? report->text.s : "";
}

const char *og_lint_fixed(const struct og_lint_report *report, size_t *len)
{
    if (len)
        *len = report ? report->fixed.len : 0;
    return report ? report->fixed.s : "";
}
