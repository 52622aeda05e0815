/*
 * og_policy_custom(): describes custom rules to programs that link the library.
 */
#include "policy/custom.h"
#include "policy/policy.h"

static const char *text_of(struct og_str text)
{
    return text.len ? text.s : "";
}

bool og_policy_custom(const struct og_policy *policy, size_t i, struct og_custom_info *info)
{
    const struct og_custom *c;
    size_t count = 0;

    if (!policy)
        return false;
    c = i < policy->custom_count ? policy->custom[i] : NULL;
    if (!c)
        return false;
    *info = (struct og_custom_info){ .id = c->rule.id,
                                     .when = text_of(c->when_text),
                                     .require = text_of(c->require_text),
                                     .message = text_of(c->message_text),
                                     .help = text_of(c->help_text),
                                     .level = c->entry.setting.level,
                                     .unsure = c->entry.setting.unsure == OG_UNSURE_REFUSE ? "refuse" : "warn",
                                     .mode = og_mode_names[c->entry.setting.mode],
                                     .locked = c->entry.setting.locked,
                                     .until = c->term.until,
                                     .reason = c->term.reason ? c->term.reason : "",
                                     .file = c->where[OG_PART_SELF].source->name,
                                     .line = c->where[OG_PART_SELF].line,
                                     .col = c->where[OG_PART_SELF].col };
    for (int at = 0; at < OG_FACT_KINDS; at++)
        if (c->rule.reads >> at & 1)
            info->facts[count++] = og_fact_name((enum og_fact)(1 << at));
    return true;
}
