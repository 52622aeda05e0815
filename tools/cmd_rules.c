/*
 * ordergate rules: prints the register of rules as text, JSON or Markdown, from the rules' descriptors alone.
 */
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "ordergate/ordergate.h"
#include "tools/common/commands.h"
#include "tools/common/exit.h"
#include "tools/common/json.h"
#include "tools/common/messages.h"
#include "tools/common/options.h"

struct asked {
    bool json, markdown;
};

static const struct option_row rows[] = {
    OPTION_ROW("json", 0, NULL, FLAG_AT(struct asked, json),
               "an array of all rules with settings, facts, reasons and predictions"),
    OPTION_ROW("markdown", 0, NULL, FLAG_AT(struct asked, markdown), "the same as a manual"),
    OPTION_END,
};

static const struct option_spec spec = {
    .program = "ordergate rules",
    .synopsis = "[--json|--markdown]",
    .about = "Lists every rule: its number, id and stage, and what it finds.  `ordergate explain RULE` says more of "
             "one.\n"
             "\n"
             "  ordergate rules --json | jq -r '.[].reasons[].id'\n",
    .rows = rows,
    .exits = "0 done, 2 usage, 4 cannot write",
};

static void list_text(void)
{
    const struct og_rule *r;

    for (size_t i = 0; (r = og_rules_at(i)); i++)
        printf("%-4d %-18s %-8s %s\n", og_rule_code(r), og_rule_id(r), og_rule_stage(r), og_rule_summary(r));
}

/* JSON */

static void json_prediction(const struct og_prediction *p)
{
    if (p->channel == OG_CHANNEL_NONE) {
        fputs("null", stdout);
        return;
    }
    og_json(stdout, "{'channel':%s,'code':%s", og_channel_name(p->channel), p->code);
    for (int i = 0; i < 3 && p->codes[i]; i++)
        og_json(stdout, i ? ",%s" : ",'codes':[%s", p->codes[i]);
    og_json(stdout, "%c,'text':%s,'certainty':%s}", p->codes[0] ? ']' : 0, p->text, og_certainty_name(p->certainty));
}

static void json_setting(const struct og_setting_info *s)
{
    og_json(stdout, "{'key':%s,'kind':%s,'default':%s,'least':%s,'most':%s", s->key, s->kind, s->fallback, s->least,
            s->most);
    if (s->choices) {
        fputs(",\"choices\":[", stdout);
        for (int i = 0; s->choices[i]; i++)
            og_json(stdout, "%c%s", i ? ',' : 0, s->choices[i]);
        fputc(']', stdout);
    }
    og_json(stdout, ",'stricter':%s,'help':%s}", s->tighter, s->help);
}

static void json_reason(const struct og_reason_info *r)
{
    og_json(stdout, "{'id':%s,'level':%s,'undecided':%s,'predicts':", r->id, og_level_name(r->level),
            og_level_name(r->undecided));
    json_prediction(&r->predicts);
    og_json(stdout, ",'message':%s,'help':%s,'where':%s}", r->says, r->help, r->where);
}

static void json_rule(const struct og_rule *r)
{
    struct og_setting_info setting;
    struct og_reason_info reason;

    og_json(stdout, "{'id':%s,'code':%d,'summary':%s,'why':%s,'stage':%s,'decides':[", og_rule_id(r), og_rule_code(r),
            og_rule_summary(r), og_rule_because(r), og_rule_stage(r));
    for (size_t i = 0; og_rule_subject(r, i); i++)
        og_json(stdout, "%c%s", i ? ',' : 0, og_rule_subject(r, i));
    printf("],\"locked\":%s,\"waivable\":%s,\"facts\":[", og_rule_is_locked(r) ? "true" : "false",
           og_rule_may_be_waived(r) ? "true" : "false");
    for (size_t i = 0; og_rule_reads(r, i); i++)
        og_json(stdout, "%c%s", i ? ',' : 0, og_rule_reads(r, i));
    fputs("],\"settings\":[", stdout);
    for (size_t i = 0; og_rule_setting(r, i, &setting); i++) {
        fputs(i ? "," : "", stdout);
        json_setting(&setting);
    }
    fputs("],\"reasons\":[", stdout);
    for (size_t i = 0; og_rule_reason(r, i, &reason); i++) {
        fputs(i ? "," : "", stdout);
        json_reason(&reason);
    }
    fputs("]}", stdout);
}

static void list_json(void)
{
    const struct og_rule *r;

    fputc('[', stdout);
    for (size_t i = 0; (r = og_rules_at(i)); i++) {
        fputs(i ? ",\n" : "\n", stdout);
        json_rule(r);
    }
    puts("\n]");
}

/* Markdown */

/* Print a cell of a table; a bar in it must be escaped. */
static void cell(const char *text)
{
    for (; text && *text; text++) {
        if (*text == '|')
            fputc('\\', stdout);
        fputc(*text, stdout);
    }
}

static void markdown_settings(const struct og_rule *r)
{
    struct og_setting_info s;

    for (size_t i = 0; og_rule_setting(r, i, &s); i++) {
        if (i == 0)
            puts("\n| Setting | Kind | Default | Least | Most | What it is |\n|---|---|---|---|---|---|");
        printf("| `%s` | %s | ", s.key, s.kind);
        cell(s.fallback ? s.fallback : "none: must be given");
        printf(" | %s | %s | ", s.least ? s.least : "", s.most ? s.most : "");
        cell(s.help);
        puts(" |");
    }
}

static void markdown_reasons(const struct og_rule *r)
{
    struct og_reason_info reason;

    puts("\n| Reason | Level | Undecided | Predicts | Certainty | Message | Where |\n|---|---|---|---|---|---|---|");
    for (size_t i = 0; og_rule_reason(r, i, &reason); i++) {
        const struct og_prediction *p = &reason.predicts;

        printf("| `%s` | %s | %s | %s%s%s%s%s | %s | ", reason.id, og_level_name(reason.level),
               og_level_name(reason.undecided), p->channel ? og_channel_name(p->channel) : "nothing",
               p->code ? " " : "", p->code ? p->code : "", p->codes[0] && p->codes[1] ? " or " : "",
               p->codes[0] && p->codes[1] ? p->codes[1] : "", p->channel ? og_certainty_name(p->certainty) : "");
        cell(reason.says);
        printf(" | %s |\n", reason.where ? reason.where : "");
    }
}

/* Print which requests the rule can decide, if it decides others than orders. */
static void markdown_subjects(const struct og_rule *r)
{
    if (strcmp(og_rule_subject(r, 0), "order") == 0 && !og_rule_subject(r, 1))
        return;
    for (size_t i = 0; og_rule_subject(r, i); i++)
        printf("%s%s", i ? ", " : "\nDecides requests of kind ", og_rule_subject(r, i));
    puts(".");
}

static void list_markdown(void)
{
    const struct og_rule *r;

    puts("# Rules\n\nMade by `ordergate rules --markdown`; do not edit (tools/generate writes it again).  A level is "
         "the natural\n"
         "one, which a policy may change; undecided is the level where a fact is missing or too old, off says "
         "nothing.\n"
         "Predictions tell what the broker does with the request as it is: *stated* by its document, or our *reading* "
         "of it.\n"
         "Ids under Where are rows of [docs/readings.md](../docs/readings.md).");
    for (size_t i = 0; (r = og_rules_at(i)); i++) {
        printf("\n## `%s` (%d)\n\n%s: %s.\n", og_rule_id(r), og_rule_code(r), og_rule_summary(r), og_rule_because(r));
        if (og_rule_is_locked(r))
            puts("\nNo policy can weaken it or turn it off, and no waiver lets an order through it.");
        else if (!og_rule_may_be_waived(r))
            puts("\nNo waiver lets an order through it.");
        for (size_t k = 0; og_rule_reads(r, k); k++)
            printf("%s`%s`", k ? ", " : "\nFacts: ", og_rule_reads(r, k));
        if (og_rule_reads(r, 0))
            puts(".");
        markdown_subjects(r);
        markdown_settings(r);
        markdown_reasons(r);
    }
    puts("\n## Reject codes\n\n| Code | Meaning |\n|---|---|");
    for (size_t i = 0; og_reject_code_at(i); i++)
        printf("| %s | %s |\n", og_reject_code_at(i), og_reject_code_meaning(og_reject_code_at(i)));
}

int og_cmd_rules(int argc, char **argv)
{
    struct asked a = { .json = false };
    int code = options_read(&spec, &a, argc, argv);

    if (code >= 0)
        return code;
    if (optind < argc) {
        fprintf(stderr, "ordergate rules: takes no argument, got '%s'; did you mean ordergate explain %s?\n",
                argv[optind], argv[optind]);
        return EXIT_USAGE;
    }
    (a.json ? list_json : a.markdown ? list_markdown : list_text)();
    return og_close_stdout("ordergate rules");
}
