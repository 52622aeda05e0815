/*
 * The settings of a scenario: its sections, each a table of settings.
 */
#pragma once

#include "paper/account_setup.h"
#include "paper/setting.h"

enum og_paper_section_name {
    OG_SECTION_DELAYS, /* from here to OG_SECTION_FLAT: sections that set members of struct og_paper */
    OG_SECTION_RATES,
    OG_SECTION_MARGIN,
    OG_SECTION_SURFACE,
    OG_SECTION_SWITCHES,
    OG_SECTION_ACCOUNT, /* from here on: sections that are read once for every item of a list */
    OG_SECTION_POSITION,
    OG_SECTION_CASH,
    OG_SECTION_KEY,
    OG_SECTION_SYMBOL,
    OG_SECTION_WALK,
    OG_SECTION_ROUTE,
    OG_SECTION_LIMIT,
    OG_SECTION_REPLAY,
    OG_SECTION_COUNT
};
#define OG_SECTION_FLAT OG_SECTION_ACCOUNT

struct og_paper_section {
    const char *path; /* such as "delays" or "accounts.*.positions[]" */
    const struct og_paper_setting *table;
    size_t count;
    size_t at; /* for a section that sets members of struct og_paper: their offset in that struct */
};
extern const struct og_paper_section og_paper_sections[OG_SECTION_COUNT];

/* The settings of one item of a section. */
struct og_paper_position_item {
    struct og_str symbol;
    int short_side, overnight;
    int64_t shares, price;
};
struct og_paper_cash_item {
    struct og_str type, date, note;
    int64_t deposit, withdraw;
};
struct og_paper_random_walk_item {
    int64_t every, step, least, most;
};
struct og_paper_symbol_item {
    int64_t bid, ask, last, bid_size, ask_size, available, available_single, locate_price, single_price, option_time;
    int borrow;
};
struct og_paper_route_item {
    bool use_display_qty, paper;
};
struct og_paper_replay_item {
    struct og_str file;
};

/* The words for enum og_paper_borrow, ended by NULL. */
extern const char *const og_paper_borrow_words[];

/* List every setting on a line of its own: path.key, allowed values, default, meaning. */
void og_paper_scenario_settings_list(struct og_buf *b);
