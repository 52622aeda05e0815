/*
 * The register: every rule in rules.def, and the descriptions of rules for people and programs.  There is no
 * registration at run time: a rule that is not in rules.def does not exist.
 */
#include <string.h>

#include "rules/rule.h"

const struct og_rule *const og_rules[] = {
#define OG_RULE(code, name) &og_rule_##name,
#include "rules/rules.def"
#undef OG_RULE
};
const size_t og_rules_size = sizeof og_rules / sizeof og_rules[0];

/* Codes of rejected orders (readings Y36 to Y47); the service's document has no complete list. */
static const struct {
    const char *code, *meaning;
} reject_codes[] = {
    { "R24", "asynchronous rejection on live routed orders (reason text varies)" },
    { "R54", "unable to reach the destination route (no or unknown route)" },
    { "R78", "market order outside regular trading hours" },
    { "R88", "invalid stop price" },
    { "R95", "opening buy and sell orders on the same symbol at the same time" },
    { "R114", "duplicate clientOrderId" },
    { "R118", "stop price on the wrong side of the quote" },
    { "R130", "cancel request rejected; overwrites the text when a Rejected order is canceled" },
    { "R145", "negative or invalid price" },
    { "R152", "multi-leg leg and root symbol mismatch" },
    /* from here on: codes of rejected locates (readings Y48 to Y57), at the start of the text or alone in
     * locateError */
    { "R56", "locate: the symbol is easy to borrow, no locate is needed" },
    { "R06", "locate: the symbol is restricted from trading at this price (locateError 4)" },
    { "R67", "locate: the quantity is not a multiple of 100" },
    { "11", "locate: no shares available, also shown on pending rows" },
    { "14", "locate: one is pending already for the symbol" },
    { "16", "locate: insufficient shares" },
    { "1", "locate: system error" },
};
#define REJECT_CODES (sizeof reject_codes / sizeof reject_codes[0])

const char *og_level_name(enum og_level level)
{
    static const char *const names[] = { "off", "info", "warn", "refuse" };

    return (unsigned)level < 4 ? names[level] : "";
}

const char *og_channel_name(enum og_channel channel)
{
    static const char *const names[] = { "",      "accepted",          "http-400", "http-400-json", "rejected",
                                         "async", "rejected-or-async", "unknown",  "http-404",      "http-429",
                                         "later", "no-effect" };

    return (unsigned)channel < sizeof names / sizeof names[0] ? names[channel] : "";
}

const char *og_certainty_name(enum og_certainty certainty)
{
    static const char *const names[] = { "", "stated", "reading" };

    return (unsigned)certainty < 3 ? names[certainty] : "";
}

size_t og_rules_count(void)
{
    return og_rules_size;
}

const struct og_rule *og_rules_at(size_t i)
{
    return i < og_rules_size ? og_rules[i] : NULL;
}

const struct og_rule *og_rules_find(const char *id)
{
    if (!id)
        return NULL;
    for (size_t i = 0; i < og_rules_size; i++)
        if (strcmp(og_rules[i]->id, id) == 0)
            return og_rules[i];
    return NULL;
}

int og_rule_code(const struct og_rule *rule)
{
    return rule ? rule->code : 0;
}

const char *og_rule_id(const struct og_rule *rule)
{
    return rule ? rule->id : "";
}

const char *og_rule_summary(const struct og_rule *rule)
{
    return rule ? rule->summary : "";
}

const char *og_rule_because(const struct og_rule *rule)
{
    return rule ? rule->because : "";
}

const char *og_rule_stage(const struct og_rule *rule)
{
    static const char *const names[] = { "", "form", "account", "market", "flow" };

    return rule ? names[rule->stage] : "";
}

bool og_rule_may_be_waived(const struct og_rule *rule)
{
    return rule && !rule->locked && !rule->unwaivable;
}

bool og_rule_is_locked(const struct og_rule *rule)
{
    return rule && rule->locked;
}

bool og_rule_counts_working(const struct og_rule *rule)
{
    return rule && rule->counts_working;
}

bool og_rule_is_of_form(const struct og_rule *rule)
{
    return rule && (rule->stage == OG_STAGE_FORM || rule->form) && !rule->limit;
}

bool og_rule_passes_soon(const struct og_rule *rule, const char *reason)
{
    for (size_t i = 0; rule && reason && i < rule->reason_count; i++)
        if (strcmp(rule->reasons[i].id, reason) == 0)
            return rule->lately || rule->reasons[i].ignorance;
    return false;
}

const char *og_rule_reads(const struct og_rule *rule, size_t i)
{
    if (!rule)
        return NULL;
    for (int kind = 0; kind < OG_FACT_KINDS; kind++)
        if (rule->reads & (1U << kind) && i-- == 0)
            return og_fact_name((enum og_fact)(1U << kind));
    return NULL;
}

const char *og_rule_subject(const struct og_rule *rule, size_t i)
{
    static const char *const names[] = { "order", "cancel", "locate", "read" };

    if (!rule)
        return NULL;
    for (size_t bit = 0; bit < sizeof names / sizeof names[0]; bit++)
        if (og_rule_subjects(rule) & 1U << bit && i-- == 0)
            return names[bit];
    return NULL;
}

bool og_rule_setting(const struct og_rule *rule, size_t i, struct og_setting_info *info)
{
    static const char *const kinds[] = { "", "integer", "money", "percent", "duration", "words", "choice" };
    static const char *const tighter[] = { NULL, "lower", "higher" };
    const struct og_param *p;

    if (!rule || !info || i >= rule->param_count)
        return false;
    p = &rule->params[i];
    *info = (struct og_setting_info){ .key = p->key,
                                      .kind = kinds[p->kind],
                                      .fallback = p->fallback,
                                      .least = p->least,
                                      .most = p->most,
                                      .help = p->help,
                                      .choices = p->choices,
                                      .tighter = tighter[p->tighter] };
    return true;
}

bool og_rule_reason(const struct og_rule *rule, size_t i, struct og_reason_info *info)
{
    const struct og_reason *r;

    if (!rule || !info || i >= rule->reason_count)
        return false;
    r = &rule->reasons[i];
    *info = (struct og_reason_info){ .id = r->id,
                                     .level = r->level,
                                     .undecided = r->undecided,
                                     .predicts = r->predicts,
                                     .says = r->says,
                                     .help = r->help,
                                     .where = r->where,
                                     .spares_exits = r->exits_pass };
    return true;
}

const char *og_reject_code_at(size_t i)
{
    return i < REJECT_CODES ? reject_codes[i].code : NULL;
}

const char *og_reject_code_meaning(const char *code)
{
    if (!code)
        return NULL;
    for (size_t i = 0; i < REJECT_CODES; i++)
        if (strcmp(reject_codes[i].code, code) == 0)
            return reject_codes[i].meaning;
    return NULL;
}
