/*
 * Checks one order by a custom rule.  A condition that cannot be decided makes an unsure finding, as in built-in rules.
 */

#include "policy/custom.h"

static void find(const struct og_case *c, const struct og_custom *custom, struct og_sink *sink)
{
    char room[OG_CUSTOM_MESSAGE];
    struct og_buf text;

    og_buf_init_fixed(&text, room, sizeof room);
    if (custom->message)
        og_expr_message_render(custom->message, c, c->expr, &text);
    else
        og_buf_format(&text, "the policy requires: %.*s",
                      (int)(custom->require_text.len < 400 ? custom->require_text.len : 400), custom->require_text.s);
    if (text.bad)
        memcpy(room + sizeof room - 4, "...", 4);
    og_text_mask(room);
    OG_FIND(sink, &custom->reason, custom->field, og_a_text(room));
}

static void doubt(const struct og_case *c, const struct og_custom *custom, const struct og_expr_why *why, bool applies,
                  struct og_sink *sink)
{
    char room[OG_CUSTOM_MESSAGE];
    struct og_buf text;

    og_buf_init_fixed(&text, room, sizeof room);
    og_buf_text(&text, applies ? "" : "cannot tell whether it applies: ");
    og_expr_why_text(why, c, &text);
    og_unsure(sink, &custom->reason, custom->field, room);
    if (og_expr_why_is_stale(why, c))
        og_found_stale(sink);
}

void og_custom_check(const struct og_case *c, const void *settings, struct og_sink *sink)
{
    const struct og_custom *custom = settings;
    enum og_truth applies = OG_TRUTH_TRUE, holds;
    struct og_expr_why when, require;

    if (og_term_is_over(&custom->term, c->now))
        return;
    if (custom->when && (applies = og_expr_truth(custom->when, c, c->expr, &when)) == OG_TRUTH_FALSE)
        return;
    holds = og_expr_truth(custom->require, c, c->expr, &require);
    if (holds == OG_TRUTH_TRUE) /* the requirement holds, so `when` does not matter */
        return;
    if (applies == OG_TRUTH_UNKNOWN)
        doubt(c, custom, &when, false, sink);
    else if (holds == OG_TRUTH_UNKNOWN)
        doubt(c, custom, &require, true, sink);
    else
        find(c, custom, sink);
}
