/*
 * Prints the findings of lint as text for people, as JSON, as a SARIF 2.1.0 log, and as annotations of a GitHub
 * workflow. Bytes that could control a terminal are masked.
 */
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "ordergate/ordergate.h"
#include "tools/common/github.h"
#include "tools/common/json.h"
#include "tools/common/lint.h"
#include "tools/common/messages.h"

static const char *word(const struct og_diagnostic *fault)
{
    return fault->severity == OG_ERROR ? "error" : "warning";
}

/* --- text --------------------------------------------------------------------------------------------------------- */

static void put_safe(const char *s, size_t len)
{
    for (size_t i = 0; i < len; i++) {
        unsigned char c = (unsigned char)s[i];

        putchar(c == '\t' ? ' ' : c < 0x20 || c >= 0x7f ? '?' : c);
    }
}

/* Print the line of the finding, with a caret below the place; if the line is long, only the part around the place. */
static void print_excerpt(const struct og_lint_finding *f)
{
    size_t len = f->line_text ? strlen(f->line_text) : 0, col = (size_t)f->fault.col, from;

    if (!f->line_text || f->fault.col < 1 || col > len + 1)
        return;
    from = col > 100 ? col - 60 : 0;
    fputs("    ", stdout);
    put_safe(f->line_text + from, len - from < 140 ? len - from : 140);
    printf("\n    %*s\n", (int)(col - from), "^");
}

static void print_text(const struct lint_print *p, const struct og_lint_finding *f)
{
    if (p->colour)
        fputs(f->fault.severity == OG_ERROR ? "\033[31m" : "\033[33m", stdout);
    og_print_fault(stdout, &f->fault);
    if (p->colour)
        fputs("\033[0m", stdout);
    if (p->excerpt)
        print_excerpt(f);
    if (f->witness)
        printf("    witness: %s\n      at %s, %s\n", f->witness->order, f->witness->at, f->witness->shows);
    if (f->edit && p->excerpt)
        printf("    --fix: %s\n", f->edit->says);
}

/* --- JSON --------------------------------------------------------------------------------------------------------- */

static void print_witness(const struct og_lint_witness *w)
{
    printf("{\"order\":%s,\"facts\":%s", w->order, w->facts[0] ? w->facts : "null");
    og_json(stdout, ",'at':%s,'verdict':%s,'reasons':[", w->at, w->accepted ? "accept" : "refuse");
    for (const char *r = w->reasons; *r; r += strcspn(r, " "), r += *r == ' ')
        printf("%s\"%.*s\"", r == w->reasons ? "" : ",", (int)strcspn(r, " "), r);
    og_json(stdout, "],'shows':%s}", w->shows);
}

static void print_json(const struct og_lint_finding *f, bool first)
{
    og_json(stdout, "%c\n{'file':%s,'line':%d,'col':%d,'width':%d,'severity':%s,'code':%s,'message':%s",
            first ? 0 : ',', f->fault.file, f->fault.line, f->fault.col, f->width, word(&f->fault), f->fault.code,
            f->fault.text);
    if (f->witness) {
        fputs(",\"witness\":", stdout);
        print_witness(f->witness);
    }
    if (f->edit)
        og_json(stdout, ",'fix':{'from':%zu,'to':%zu,'text':%s,'says':%s}", f->edit->from, f->edit->to, f->edit->text,
                f->edit->says);
    fputc('}', stdout);
}

/* --- SARIF -------------------------------------------------------------------------------------------------------- */

/* Returns the path relative to the working directory if the file is below it; if not, the path unchanged. */
static const char *from_here(const char *path)
{
    char here[4096];
    size_t len = getcwd(here, sizeof here) ? strlen(here) : 0;

    if (len > 1 && strncmp(path, here, len) == 0 && path[len] == '/')
        path += len + 1;
    while (strncmp(path, "./", 2) == 0)
        path += 2;
    return path;
}

static void print_uri(FILE *to, const char *path)
{
    static const char plain[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~/";

    fputs("\"artifactLocation\":{\"uri\":\"", to);
    for (path = from_here(path); *path; path++)
        fprintf(to, strchr(plain, *path) ? "%c" : "%%%02X", (unsigned char)*path);
    fputs("\"}", to);
}

/* SARIF counts columns in characters, lint in bytes. */
static int column_of(const struct og_lint_finding *f)
{
    int characters = 1;

    for (int i = 0; f->line_text && i < f->fault.col - 1 && f->line_text[i]; i++)
        characters += ((unsigned char)f->line_text[i + 1] & 0xC0) != 0x80;
    return f->line_text ? characters : f->fault.col;
}

static int index_of(const char *code)
{
    struct og_lint_page page;

    for (size_t i = 0; og_lint_page_at(i, &page); i++)
        if (strcmp(page.code, code) == 0)
            return (int)i;
    return -1;
}

/* Print a help page as one JSON string of Markdown. */
static void print_help(const struct og_lint_page *page)
{
    char *text = NULL;
    size_t len = 0;
    FILE *to = open_memstream(&text, &len);

    if (!to)
        return;
    fputs(page->why, to);
    if (page->bad)
        fprintf(to, "\nFound in:\n\n```yaml\n%s```\n\nAs it should be:\n\n```yaml\n%s```\n", page->bad, page->good);
    if (fclose(to) == 0)
        og_json(stdout, ",'help':{'text':%s,'markdown':%s}", page->why, text);
    free(text);
}

static void print_rule(const struct og_lint_page *page, bool first)
{
    og_json(stdout, "%c\n{'id':%s,'shortDescription':{'text':%s},'fullDescription':{'text':%s}", first ? 0 : ',',
            page->code, page->summary, page->why);
    print_help(page);
    og_json(stdout, ",'defaultConfiguration':{'level':%s}}", page->severity == OG_ERROR ? "error" : "warning");
}

static void print_fix(const struct og_lint_finding *f)
{
    og_json(stdout, ",'fixes':[{'description':{'text':%s},'artifactChanges':[{", f->edit->says);
    print_uri(stdout, f->fault.file);
    og_json(stdout,
            ",'replacements':[{'deletedRegion':{'byteOffset':%zu,'byteLength':%zu},'insertedContent':{'text':%s}}]}]}]",
            f->edit->from, f->edit->to - f->edit->from, f->edit->text);
}

static void print_sarif(const struct og_lint_finding *f, bool first)
{
    int rule = index_of(f->fault.code);

    og_json(stdout, "%c\n{'ruleId':%s", first ? 0 : ',', f->fault.code);
    if (rule >= 0)
        og_json(stdout, ",'ruleIndex':%d", rule);
    og_json(stdout, ",'level':%s,'message':{'text':%s},'locations':[{'physicalLocation':{", word(&f->fault),
            f->fault.text);
    print_uri(stdout, f->fault.file);
    if (f->fault.line > 0)
        og_json(stdout, ",'region':{'startLine':%d,'startColumn':%d}", f->fault.line, column_of(f));
    fputs("}}]", stdout);
    if (f->ignored)
        og_json(stdout, ",'suppressions':[{'kind':'inSource','justification':%s}]", f->ignored);
    if (f->edit)
        print_fix(f);
    if (f->witness) {
        fputs(",\"properties\":{\"witness\":", stdout);
        print_witness(f->witness);
        putchar('}');
    }
    putchar('}');
}

static void begin_sarif(void)
{
    struct og_lint_page page;

    fputs("{\"$schema\":\"https://json.schemastore.org/sarif-2.1.0.json\",\"version\":\"2.1.0\",\"runs\":[{\"tool\":"
          "{\"driver\":{\"name\":\"ordergate\",\"version\":\"" OG_VERSION "\",\"rules\":[",
          stdout);
    for (size_t i = 0; og_lint_page_at(i, &page); i++)
        print_rule(&page, i == 0);
    fputs("]}},\"columnKind\":\"unicodeCodePoints\",\"results\":[", stdout);
}

/* --- GitHub ------------------------------------------------------------------------------------------------------- */

static void print_github(const struct og_lint_finding *f)
{
    og_github_begin(stdout, word(&f->fault), from_here(f->fault.file), f->fault.line, column_of(f), f->fault.code);
    og_github_text(stdout, f->fault.text);
    if (f->witness) {
        fputs("%0Awitness: ", stdout);
        og_github_text(stdout, f->witness->order);
        printf(" at %s, ", f->witness->at);
        og_github_text(stdout, f->witness->shows);
    }
    putchar('\n');
}

void lint_print_begin(const struct lint_print *p)
{
    if (p->format == LINT_JSON)
        putchar('[');
    if (p->format == LINT_SARIF)
        begin_sarif();
}

void lint_print_one(struct lint_print *p, const struct og_lint_finding *f)
{
    if (f->ignored && p->format != LINT_SARIF)
        return;
    switch (p->format) {
    case LINT_TEXT: print_text(p, f); break;
    case LINT_JSON: print_json(f, p->printed == 0); break;
    case LINT_SARIF: print_sarif(f, p->printed == 0); break;
    case LINT_GITHUB: print_github(f); break;
    }
    p->printed++;
}

void lint_print_unmade(struct lint_print *p, const char *file, size_t kinds)
{
    static const char says[] = "%zu kinds of warnings were not checked: they need a policy without errors";
    char text[120];

    if (kinds == 0 || (p->format != LINT_SARIF && !(p->format == LINT_TEXT && p->excerpt)))
        return;
    snprintf(text, sizeof text, says, kinds);
    if (p->format == LINT_TEXT) {
        printf("%s: %s\n", file, text);
        return;
    }
    if (!p->notes && !(p->notes = open_memstream(&p->note_text, &p->note_len)))
        return;
    og_json(p->notes, "%c{'level':'note','message':{'text':%s},'locations':[{'physicalLocation':{",
            ftell(p->notes) ? ',' : 0, text);
    print_uri(p->notes, file);
    fputs("}}]}", p->notes);
}

void lint_print_end(struct lint_print *p)
{
    if (p->format == LINT_JSON)
        puts("\n]");
    if (p->format != LINT_SARIF)
        return;
    fputs("\n]", stdout);
    if (p->notes && fclose(p->notes) == 0)
        printf(",\"invocations\":[{\"executionSuccessful\":true,\"toolExecutionNotifications\":[%s]}]", p->note_text);
    free(p->note_text);
    puts("}]}");
}

void lint_print_pages(bool json)
{
    struct og_lint_page page;

    if (json)
        putchar('[');
    for (size_t i = 0; og_lint_page_at(i, &page); i++) {
        const char *severity = page.severity == OG_ERROR ? "error" : "warning";

        if (!json) {
            printf("%-22s %-7s %s%s\n", page.code, severity, page.summary, page.fixes ? " (--fix)" : "");
            continue;
        }
        og_json(stdout, "%c\n{'code':%s,'severity':%s", i ? ',' : 0, page.code, severity);
        printf(",\"fixes\":%s", page.fixes ? "true" : "false");
        og_json(stdout, ",'summary':%s,'why':%s,'bad':%s,'good':%s}", page.summary, page.why, page.bad, page.good);
    }
    if (json)
        puts("\n]");
}
