/*
 * repeated-order (914): the same order again within a short time, under any id.  Compares all terms except id, account
 * and route, or only what is traded on which side, or only the symbol (setting `by`), with the orders that this gate
 * accepted, sent or not, and with the orders that the sender's own facts ("gate") list as recent. Whether the first
 * order is still working does not matter here; duplicate-order checks that.
 */
#include "rules/limit.h"

struct settings {
    int64_t window, most;
    int32_t by, exits;
};

/* In the sequence of enum og_same: orders with the same terms have the same direction, and then the same symbol. */
static const char *const same[] = { "terms", "direction", "symbol", NULL };

static const struct og_param params[] = {
    { .key = "window",
      OG_DURATION(window),
      .fallback = "1s",
      .least = "1ms",
      .most = "1h",
      .tighter = OG_TIGHTER_HIGHER,
      .plausible = { .least = "100000000", .why_low = "two orders are seldom sent so close to each other" },
      .help = "for how long the same order counts as a repetition, a duration" },
    { .key = "most",
      .each_order = true,
      OG_INT(most),
      .fallback = "1",
      .least = "1",
      .most = "8192",
      .tighter = OG_TIGHTER_LOWER,
      .idle_by = OG_TIGHTER({ .key = "a_second", .rule = OG_PLACE_order_rate, .within = "window" }),
      .help = "how many such orders may be sent within the window" },
    { .key = "by",
      OG_CHOICE(by),
      .fallback = "terms",
      .choices = same,
      .tighter = OG_TIGHTER_HIGHER,
      .help =
          "which orders are the same: those of the same terms; of the same direction, which is symbol and side (of a "
          "spread, its legs and their sides), whatever the price and quantity; or of the same symbol" },
    OG_EXITS(exits),
};

enum { R_REPEATED };

static const struct og_reason reasons[] = {
    [R_REPEATED] = { .id = "order-repeated",
                     .level = OG_LEVEL_REFUSE,
                     .undecided = OG_LEVEL_WARN,
                     .says = "{0} orders with the same {3} within {1}, the desk allows {2}",
                     .help = "if the same order was sent before, ask what became of it; else wait",
                     .where = "facts gate.recent" },
};

static OG_HOT void check(const struct og_case *c, const void *settings, struct og_sink *sink)
{
    const struct settings *s = settings;
    int64_t count;

    if (og_limit_passes(c, s->exits))
        return;
    count = og_facts_repeats(c->facts, c->order, c->hashes, (enum og_same)s->by, c->now - s->window) + INT64_C(1);
    if (count > s->most)
        OG_FIND(sink, &reasons[R_REPEATED], "", og_a_int(count), og_a_duration(s->window), og_a_int(s->most),
                og_a_text(same[s->by]));
}

const struct og_rule og_rule_repeated_order = {
    OG_PARTS_OF_FILE(repeated_order),
    .id = "repeated-order",
    .summary = "the same order again within a short time",
    .because = "a loop that does not see its answer sends the same order until it is stopped",
    .stage = OG_STAGE_FLOW,
    .limit = true,
    .counts = true,
    .sent_before = true,
    .lately = true,
    OG_SETTINGS_OF_FILE,
};
