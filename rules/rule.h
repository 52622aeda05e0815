/*
 * What a rule is: a descriptor, with its settings and reasons as data, and one pure function.  A rule does no I/O,
 * reads no clock, allocates nothing and has no variable statics; it gets counts and times as facts.
 */
#pragma once

#include "base/attributes.h"
#include "base/money.h"
#include "base/string_set.h"
#include "base/time.h"
#include "facts/calendar.h"
#include "facts/facts.h"
#include "margin/cost.h"
#include "margin/margin.h"
#include "mleg/mleg.h"
#include "mleg/payoff.h"
#include "order/order.h"
#include "order/request.h"
#include "ordergate/decision.h"
#include "ordergate/rules.h"
#include "rules/arg.h"
#include "rules/tag.h"
#include "text/pattern.h"

/* The register of rules, made from rules.def: all rules, with the index and the permanent number of each. */
#define OG_RULE(code, name) extern const struct og_rule og_rule_##name;
#include "rules/rules.def"
#undef OG_RULE

enum og_rule_place {
#define OG_RULE(code, name) OG_PLACE_##name,
#include "rules/rules.def"
#undef OG_RULE
};

/* The rules whose ids or settings the engine itself uses, besides running them.  Other code names no rule: it reads
 * what it needs in the rules' descriptors. */
enum og_engine_rule {
    OG_ENGINE_TRADING = OG_PLACE_trading, /* the engine runs it at level refuse while `ordergate halt` is in force */
    OG_ENGINE_TAG = OG_PLACE_order_tag,   /* its settings begin with struct og_tag_settings: an order's strategy */
    OG_ENGINE_MARGIN = OG_PLACE_buying_power, /* its settings are struct og_margin_settings: how to compute the need */
    OG_ENGINE_WORTH =
        OG_PLACE_order_notional /* its settings begin with struct og_worth_settings: what orders are worth */
};

enum og_rule_code {
#define OG_RULE(code, name) OG_CODE_##name = (code),
#include "rules/rules.def"
#undef OG_RULE
};

/* What can be decided; a rule declares the subjects that it checks. */
enum og_subject { OG_SUBJECT_ORDER = 1, OG_SUBJECT_CANCEL = 2, OG_SUBJECT_LOCATE = 4, OG_SUBJECT_READ = 8 };
#define OG_SUBJECT_REQUESTS (OG_SUBJECT_CANCEL | OG_SUBJECT_LOCATE | OG_SUBJECT_READ)

/* The stage at which a rule runs. Only the sequence of findings depends on it. */
enum og_stage { OG_STAGE_FORM = 1, OG_STAGE_ACCOUNT, OG_STAGE_MARKET, OG_STAGE_FLOW };

/* The sequence in which the broker checks an order (GAP-18).  Of several findings, a decision predicts the outcome of
 * the one with the lowest rank. */
enum og_rank {
    OG_RANK_NONE = 0, /* the finding predicts nothing */
    OG_RANK_RATE = 5,
    OG_RANK_SCHEMA = 10,
    OG_RANK_LEG_COUNT = 20,
    OG_RANK_LEG_FORM = 21,
    OG_RANK_CALENDAR = 22,
    OG_RANK_DIVISOR = 23,
    OG_RANK_STRATEGY = 24,
    OG_RANK_ACCOUNT = 30,
    OG_RANK_DUPLICATE_ID = 40,
    OG_RANK_OPEN_CLOSE = 50,
    OG_RANK_ROUTE = 60,
    OG_RANK_HOURS = 70,
    OG_RANK_PRICE = 80,
    OG_RANK_OPPOSITE = 90,
    OG_RANK_LIVE_ASYNC = 100,
    OG_RANK_UNDERLYING = 110,
    OG_RANK_STATE = 120 /* the result of a cancel or locate request depends on the state of the order or locate to which
                         * it refers */
};

/* One thing that a rule may find. */
struct og_reason {
    const char *id;          /* permanent, since policies, scripts and ledgers use it */
    enum og_level level;     /* level of a finding for this reason if the policy sets none */
    enum og_level undecided; /* level of a finding for this reason that cannot be decided because a fact is missing;
                              * OFF: no such finding is made */
    bool ignorance;          /* the reason reports that something is unknown */
    /* The reason is about money, positions, orders, the account's status, the time of day or an ignored price. If an
     * order only reduces, such a finding is a warning, whatever the reason's level. */
    bool exits_pass;
    enum og_rank rank;
    struct og_prediction predicts; /* .text may be a template like `says`: "- {0}: Must be ..." */
    const char *says;              /* message template; {0}..{9} stand for the values that are given when the reason is
                                    * reported */
    const char *help;              /* what the user can do; optional */
    /* Where the reason comes from: rows of docs/readings.md ("Q12, Y24"), facts ("facts pnl"), a heading of
     * docs/contract.md, or "policy" for a limit of the desk's own. */
    const char *where;
};

/* Rank, channel and certainty of what a finding predicts, each without the prefix of its name (OG_RANK_, OG_CHANNEL_,
 * OG_). If .predicts.code, .codes or .text are known, set them after this macro. */
#define OG_PREDICTS(rank_, channel_, certainty_) \
    .rank = OG_RANK_##rank_, .predicts.channel = OG_CHANNEL_##channel_, .predicts.certainty = OG_##certainty_

/* Prediction for a reason about which the service's document says nothing: by our reading, the order is accepted. */
#define OG_NOT_STATED                                       \
    {                                                       \
        .channel = OG_CHANNEL_NONE, .certainty = OG_READING \
    }

/* Kinds of settings, with their type in memory. */
enum og_param_kind {
    OG_PARAM_INT = 1,  /* int64_t */
    OG_PARAM_MONEY,    /* struct og_money, dollars */
    OG_PARAM_BPS,      /* int32_t, from "5%": 500 */
    OG_PARAM_DURATION, /* int64_t ns, from "5s" */
    OG_PARAM_WORDS,    /* struct og_string_set: a list of strings */
    OG_PARAM_CHOICE    /* int32_t: an index into `choices` */
};

/* The direction in which a setting's value becomes stricter; a floor may change the value only in this direction. */
enum og_tighter { OG_TIGHTER_UNKNOWN = 0, OG_TIGHTER_LOWER, OG_TIGHTER_HIGHER };

/* What a list does to an order whose value is in the list; needed to compare two policies. */
enum og_listing { OG_LISTING_UNKNOWN = 0, OG_LISTING_ALLOWS /* an empty list allows everything */, OG_LISTING_BARS };

/* Whether a setting refuses orders that only reduce a position. */
enum og_refusal_exits {
    OG_EXITS_ARE_BOUND,
    OG_EXITS_BY_SETTING /* a setting of the rule decides it: `exits` */,
    OG_EXITS_ALWAYS_PASS
};

/* The orders that a setting refuses, as an expression (ordergate-expressions(7)) that is true for exactly these orders.
 * Orders that only reduce a position are left out.  Lint uses it in proofs; a test compares it with the rule. */
struct og_refusal {
    const char *when; /* {} stands for the setting's value, or for its words as a list; the table ends with NULL */
    enum og_refusal_exits exits;
    /* for a setting of choices: the index of the choice for which the expression holds; 0 for a setting that is a
     * number or words */
    int choice;
    bool stale;  /* true: if a fact is missing, the rule may still refuse by the facts that are known */
    bool unsure; /* if a fact is missing, the rule reports that it cannot decide */
    /* an expression: among the orders for which it is true, the setting may also refuse orders for which `when` is
     * false. NULL if there are no such orders */
    const char *more;
};

/* The range of sensible values; a value outside this range probably has a wrong unit or a misplaced decimal point. */
struct og_plausible {
    const char *least, *most;       /* NULL means no bound */
    const char *why_low, *why_high; /* texts that complete "'key' is value: ..." */
};

/* What the words of a list are, if lint checks more than their form. */
enum og_words {
    OG_WORDS_OTHER = 0,
    OG_WORDS_SYMBOLS,     /* tickers and roots */
    OG_WORDS_CLOSED_DAYS, /* dates */
    OG_WORDS_EARLY_CLOSES,
    OG_WORDS_WINDOWS, /* times of day in New York */
    OG_WORDS_LIMITS,  /* limits of lists: policy/groups.h */
    OG_WORDS_WEIGHTED /* limits of lists with weights: policy/groups.h */
};

/* Another limit that may make this limit idle (without effect), because it always refuses first. */
struct og_tighter_limit {
    const char *key;         /* key of the other limit; values of this limit above the other limit's value are idle.
                              * The table ends with NULL */
    enum og_rule_place rule; /* the rule that has the other limit */
    int64_t times;           /* this limit is compared with the other one times this number; 0 stands for 1 */
    /* the kind of order with which lint shows that this limit is idle; OG_SECURITY_NONE if no order can show this */
    enum og_security shown;
    /* key of a duration: this limit counts orders over that duration, while the other limit counts over a second. The
     * two limits are compared only if the duration is at most a second. NULL if this limit has no duration */
    const char *within;
};

/* The most that the broker accepts, and the rule that refuses more. If .most is 0, there is no such maximum. */
struct og_broker_bound {
    int64_t most;
    enum og_rule_place rule;
};

/* For a setting that is a lowest price: the orders to which it applies, and the policy's limits on the worth of an
 * order. A lowest price above such a limit would refuse every order that opens. */
struct og_least_price {
    enum og_security security;
    enum og_side side; /* OG_SIDE_NONE: both sides */
    const struct og_tighter_limit *worth;
    const struct og_tighter_limit *below; /* another lowest price for the same orders; NULL if there is none */
};

struct og_param {
    const char *key; /* key in lower_snake */
    enum og_param_kind kind;
    size_t at; /* offset in the rule's struct settings */
    /* the default, as a policy writes it; words are separated by commas, and "" stands for no words. NULL if there is
     * no default, so that the policy must set a value */
    const char *fallback;
    const char *least, *most;   /* bounds, inclusive; NULL means no bound */
    const char *const *choices; /* OG_PARAM_CHOICE: the spellings, NULL-terminated */
    /* direction in which the setting becomes stricter. For choices it is the direction in `choices`; for words it is
     * UNKNOWN */
    enum og_tighter tighter;
    enum og_listing listing; /* for words: what the list does */
    /* the setting limits nothing itself: it says to which orders the rule applies, or what the rule does with unknown
     * values */
    bool aside;
    bool each_order;   /* the setting limits each order by itself, so that orders use up nothing of it together */
    bool of_shares;    /* the setting limits shares, never options */
    bool zero_is_none; /* for money: 0 means no limit, so 0 is the loosest value */
    bool shared;       /* other rules use the setting too, even if this rule is off: a lock on any rule protects it */
    bool tags;         /* the setting says which tag an order has: a lock on a limit for tags protects the setting */
    const char *help;  /* one line, with the unit */
    /* id of the reason of findings to which a value of this setting leads; NULL if the reason's own level is refuse */
    const char *finds;
    const struct og_refusal *refuses; /* made by OG_REFUSES(); NULL: no expression can say which orders are refused */
    struct og_plausible plausible;
    enum og_words words;                    /* for OG_PARAM_WORDS */
    const char *name;                       /* for OG_PARAM_WORDS: the name in expressions whose values the words are */
    const struct og_tighter_limit *idle_by; /* made by OG_TIGHTER() */
    struct og_broker_bound broker;
    const struct og_least_price *least_price;
};

#define OG_TIGHTER(...)               \
    (const struct og_tighter_limit[]) \
    {                                 \
        __VA_ARGS__,                  \
        {                             \
            .key = NULL               \
        }                             \
    }
#define OG_REFUSES(...)                    \
    .refuses = (const struct og_refusal[]) \
    {                                      \
        __VA_ARGS__,                       \
        {                                  \
            .when = NULL                   \
        }                                  \
    }

/* Sets .kind and .at together, so that code with a member of another type does not compile. */
#define OG_PARAM_OF(kind_, type, field) \
    .kind = (kind_), .at = offsetof(struct settings, field) + 0 * sizeof(((type *)0 == &((struct settings *)0)->field))
#define OG_INT(field)      OG_PARAM_OF(OG_PARAM_INT, int64_t, field)
#define OG_MONEY(field)    OG_PARAM_OF(OG_PARAM_MONEY, struct og_money, field)
#define OG_BPS(field)      OG_PARAM_OF(OG_PARAM_BPS, int32_t, field)
#define OG_DURATION(field) OG_PARAM_OF(OG_PARAM_DURATION, int64_t, field)
#define OG_WORDS(field)    OG_PARAM_OF(OG_PARAM_WORDS, struct og_string_set, field)
#define OG_CHOICE(field)   OG_PARAM_OF(OG_PARAM_CHOICE, int32_t, field)

struct og_expr_room;
struct og_usage_case;

/* The input of a rule; it does not change while rules are run. */
struct og_case {
    const struct og_order *order;
    const struct og_request *request;    /* NULL if the case is an order */
    const struct og_mleg *mleg;          /* the order's legs if it is a spread; zeros if it is not */
    const struct og_mleg_payoff *result; /* payoff of the order's legs; NULL if the order is not a spread */
    const struct og_facts *facts;
    int64_t now; /* ns */
    /* ns: the time at which the ages of facts are measured. It equals `now`, except in og_suggest() */
    int64_t facts_at;
    struct og_eastern eastern; /* `now` in New York's time */
    struct og_day today;    /* the kind of day that `now` falls on in New York, by the exchange calendar and announced
                             * closures */
    const int64_t *max_age; /* greatest age in ns by kind of fact (index: log2 of enum og_fact); 0 means any age */
    /* the holding of the order's symbol, looked up once for all rules; NULL: no position and no working order */
    const struct og_holding *holding;
    const struct og_quote
        *quote; /* quote of the order's symbol; NULL if unknown or unusable.  og_need() checks its age */
    const struct og_quote *raw_quote; /* the same, even if it is unusable; NULL if unknown */
    unsigned usable;               /* OG_FACT_* that are known and fresh, so that og_need() need not check them; QUOTE:
                                    * the quote of the order's symbol */
    unsigned expr_reads;           /* OG_FACT_* that expressions of the policy may read in an order of this kind */
    struct og_lookup_keys *hashes; /* hashes of the keys under which facts have the order */
    unsigned *asked;               /* OG_FACT_* that the rule has read so far */
    struct og_own_worth *worth;    /* worth of the order (margin/notional.h), computed on first use */
    /* basis points by which an order may fill beyond the quote, from rule order-notional (rules/worth.h) */
    int32_t slippage;
    struct og_margin *margin;             /* the buying power that the order needs (rules/margin.h), computed on first
                                           * use */
    struct og_margin_inputs *margin_room; /* working memory to compute `margin` */
    /* waivers of all orders; used by the engine, not by rules.  NULL if there is none */
    const struct og_waiver_row *waivers;
    const struct og_book *book; /* used by the engine, not by rules */
    /* ids of working orders that count as canceled for this check, and are left out of the facts */
    const struct og_str *aside;
    int asides;
    enum og_trading halt;      /* state of the halt flag; it applies whatever the facts say */
    const char *halt_since;    /* since when, by whom and why, as the end of a sentence; "" if that is not known */
    struct og_expr_room *expr; /* memory for the policy's expressions */
    struct og_days_seen *days; /* cache of the exchange calendar, kept from order to order */
    bool reduces;              /* every part of the order closes, and no more than is held (rules/sides.h) */
    bool in_place;             /* the order that this one replaces counts as canceled, and is left out of the
                                * facts */
    /* units of the order that this one replaces that have not filled, by reports that may be newer than the order
     * list; INT64_MAX if no fill was reported. Set only if in_place */
    int64_t replaced_left;
    /* this is the second check of an accepted order (og_reserve_again()): the id of this order does not count as
     * used */
    bool again;
    bool *sized;                  /* set by og_sized(): some limit in force was compared with the order's size */
    enum og_environment declared; /* environment that the policy declares */
    bool account_conflict;        /* the order names another account than the caller */
    bool account_open;            /* no account is named, and the book has facts of several */
    struct og_str account_id;     /* the order's account; empty if unknown */
    struct og_tag tag;            /* the strategy that the order counts for; empty for requests */
    struct og_facts *const *all;  /* the facts of every account, this one included; the first facts have no account */
    size_t all_count;
    bool paced; /* the caller delays each call until its budget has a token, as og_book_paced() declared */
};

struct og_book;
struct og_scratch;
struct og_run;
struct og_report;

/* Collects findings.  The engine (src/check) owns it and sets its functions; rules use the functions below. */
struct og_sink {
    const struct og_report *report;
    struct og_scratch *scratch;
    const struct og_run *run; /* the rule that is running, with its setting */
};

/* The parts of a finding that a rule may still change after reporting it.  Functions that return a pointer to it never
 * return NULL. */
struct og_found {
    /* the finding's level, which the rule may change for this order (paper: warn, live: refuse) */
    enum og_level natural;
    struct og_prediction predicts; /* the prediction, which the rule may change for this order; its .text stays as the
                                    * reason made it */
    enum og_rank rank;
    bool exits_pass; /* for an order that only reduces a position, the finding's level is at most warn */
};

/* The engine's implementations of the functions below that have the same names. */
struct og_report {
    struct og_found *(*find)(struct og_sink *sink, const struct og_reason *reason, const char *field,
                             const struct og_arg *args, size_t count);
    bool (*need)(const struct og_case *c, struct og_sink *sink, const struct og_reason *reason, enum og_fact kind,
                 struct og_str key, const char *field);
    struct og_found *(*found_last)(struct og_sink *sink);
    void (*found_add)(struct og_sink *sink, const char *template, const struct og_arg *args, size_t count);
    void (*found_name)(const struct og_case *c, struct og_sink *sink, const struct og_working_of *of, int64_t count);
    void (*unsure)(struct og_sink *sink, const struct og_reason *reason, const char *field, const char *why);
    void (*found_stale)(struct og_sink *sink);
    void (*find_unsure)(struct og_sink *sink, const struct og_reason *reason, const char *field,
                        const struct og_arg *args, size_t count);
};

/* Report a reason. field is a JSON pointer ("/limitPrice"), "account/..." or "facts/..."; its text is static, or a part
 * of the order.  It may be a template ("/{0}": an unknown key, escaped as RFC 6901 demands).  Message, predicted text
 * and field are made from the templates during the call. */
struct og_found *og_find_(struct og_sink *sink, const struct og_reason *reason, const char *field,
                          const struct og_arg *args, size_t count) __attribute__((cold));
#define OG_FIND(sink, reason, field, ...)                                       \
    og_find_((sink), (reason), (field), (const struct og_arg[]){ __VA_ARGS__ }, \
             sizeof((const struct og_arg[]){ __VA_ARGS__ }) / sizeof(struct og_arg))
#define OG_FIND0(sink, reason, field) og_find_((sink), (reason), (field), NULL, 0)

bool og_need_(const struct og_case *c, struct og_sink *sink, const struct og_reason *reason, enum og_fact kind,
              struct og_str key, const char *field);
/* Read a fact on which a reason depends. key: the symbol for BORROW, QUOTE and SYMBOL_STATUS, {NULL,0} for other facts.
 * true   the fact is known and no older than the policy allows
 * false  the fact is missing, too old, or from the future; an unsure finding was reported, unless the reason's level
 * `undecided` is off
 * To read a kind of fact that the rule does not declare in .reads is an error, which the tests detect. */
static inline bool og_need(const struct og_case *c, struct og_sink *sink, const struct og_reason *reason,
                           enum og_fact kind, struct og_str key, const char *field)
{
    *c->asked |= (unsigned)kind;
    return (c->usable & (unsigned)kind && (kind != OG_FACT_QUOTE || key.s == c->order->symbol.s)) ||
           og_need_(c, sink, reason, kind, key, field);
}
/* Returns true if all of these kinds of facts are known and as fresh as the policy requires, which is usual: og_need()
 * then returns true for each of them.  Not for BORROW; QUOTE means the quote of the order's own symbol. */
static inline bool og_has(const struct og_case *c, unsigned kinds)
{
    *c->asked |= kinds;
    return (c->usable & kinds) == kinds;
}
/* Record that a limit on the size of orders applies to this order. */
static inline void og_sized(const struct og_case *c)
{
    *c->sized = true;
}
/* Returns the finding that was reported last, even an unsure one; for levels that depend on the environment alone. */
struct og_found *og_found_last(struct og_sink *sink);
/* Append to the message of the last finding a text with facts that are certain although another fact is missing. */
void og_found_add(struct og_sink *sink, const char *template, const struct og_arg *args, size_t count)
    __attribute__((cold));
/* Append to the message of the last finding which working orders it is about: the ids of at most three, and how many
 * more there are. count: how many there are in all; negative: as many as are found. Appends nothing if no id is
 * known. */
void og_found_name(const struct og_case *c, struct og_sink *sink, const struct og_working_of *of, int64_t count)
    __attribute__((cold));
/* Make an unsure finding for a reason that cannot be decided although no fact is missing; why: the text after "not
 * decided: ". */
void og_unsure(struct og_sink *sink, const struct og_reason *reason, const char *field, const char *why)
    __attribute__((cold));
/* Say that the finding reported last is made because a fact is older than the policy allows. */
void og_found_stale(struct og_sink *sink) __attribute__((cold));
/* Make an unsure finding. The reason must be one that is always unsure and has a message of its own. In all other
 * respects this is og_find_(). */
void og_find_unsure(struct og_sink *sink, const struct og_reason *reason, const char *field, const struct og_arg *args,
                    size_t count) __attribute__((cold));

/* Returns facts with an account list in which the order's account can be looked up. These are the account's own facts;
 * if they have no list, facts whose list has the account; if there are none, any facts with a list. NULL if no facts
 * have a list. */
static inline const struct og_facts *og_case_lister(const struct og_case *c)
{
    int64_t as_of;
    const struct og_facts *lister = og_facts_known(c->facts, OG_FACT_ACCOUNT_LIST, &as_of) ? c->facts : NULL;

    if (c->facts != c->all[0])
        return lister;
    for (size_t i = 1; i < c->all_count; i++) {
        if (!og_facts_known(c->all[i], OG_FACT_ACCOUNT_LIST, &as_of))
            continue;
        if (og_facts_lists_account(c->all[i], c->account_id))
            return c->all[i];
        lister = lister ? lister : c->all[i];
    }
    return lister;
}
/* Returns true if a fact is known.  *as_of: the time when it was current.  key: as for og_need(). */
static inline bool og_case_known(const struct og_case *c, enum og_fact kind, struct og_str key, int64_t *as_of)
{
    *as_of = OG_TIME_UNKNOWN;
    if (!c->facts)
        return false;
    if (kind == OG_FACT_QUOTE) {
        const struct og_quote *q = key.s == c->order->symbol.s ? c->quote : og_facts_quote(c->facts, key);

        *as_of = q ? q->as_of : OG_TIME_UNKNOWN;
        return q != NULL;
    }
    if (kind == OG_FACT_BORROW) {
        const struct og_borrow *b = og_facts_borrow(c->facts, key);
        *as_of = b ? b->as_of : OG_TIME_UNKNOWN;
        return b != NULL;
    }
    if (kind == OG_FACT_SYMBOL_STATUS) {
        const struct og_symbol_status *s = og_facts_symbol_status(c->facts, key);
        *as_of = s ? s->as_of : OG_TIME_UNKNOWN;
        return s != NULL;
    }
    if (kind == OG_FACT_ACCOUNT_LIST) {
        const struct og_facts *lister = og_case_lister(c);
        return lister && og_facts_known(lister, kind, as_of);
    }
    return og_facts_known(c->facts, kind, as_of);
}
/* Returns true if accountType says that it is a paper account; an account of unknown type counts as live, which is
 * stricter. */
static inline bool og_case_is_paper(const struct og_case *c)
{
    return c->facts && og_facts_environment(c->facts) == OG_ENV_PAPER;
}
/* Returns true if working orders are known. If they are not, makes an unsure finding and returns false, with one
 * exception: if no document was loaded, and the orders of this run, which are known without a document, suffice for the
 * finding (`some`), it returns true. */
static inline bool og_need_orders(const struct og_case *c, struct og_sink *sink, const struct og_reason *reason,
                                  const char *field, bool some)
{
    int64_t as_of;

    return (some && !og_facts_known(c->facts, OG_FACT_ORDERS, &as_of)) ||
           og_need(c, sink, reason, OG_FACT_ORDERS, (struct og_str){ 0 }, field);
}
/* Change a finding for a paper account, which rejects at once what a live account rejects later (CON-24). */
static inline void og_found_by_environment(const struct og_case *c, struct og_found *found)
{
    if (og_case_is_paper(c))
        found->predicts.channel = OG_CHANNEL_REJECTED;
}
/* Returns the JSON pointer of a leg's key, such as "/legs/0/symbol", or with leg_key -1 of the leg, "/legs/0". Static
 * text. */
const char *og_leg_pointer(int leg, int leg_key);

/* Traits of an order that few orders have.  For each set of traits, a policy has a list of the rules that may find
 * something in such orders.  Cancels and other requests have all traits. */
enum og_trait {
    OG_TRAIT_ODD = 1,     /* the order is not og_order_is_usual() (check/counted.h), or of no certain account */
    OG_TRAIT_GATE = 2,    /* the account's facts have counts of the gate (og_facts_has_gate()) */
    OG_TRAIT_WORKING = 4, /* there are working orders on the order's symbol */
    OG_TRAIT_CLOSES = 8,  /* not every part of the order says that it opens */
    OG_TRAIT_SELLS = 16,  /* the order itself, not a leg of it, sells */
    OG_TRAIT_STATUS = 32, /* the facts have statuses of symbols */
    OG_TRAIT_ALL = 63
};

/* Whether a rule that refuses orders limits the size of orders. */
enum og_limits_size {
    OG_LIMITS_NO_SIZE = 0,
    OG_LIMITS_ORDERS,    /* the rule limits an order's own size, and calls og_sized() for each order that it limits */
    OG_LIMITS_POSITIONS, /* the rule limits the size of positions, and so the size of opening orders */
    OG_LIMITS_MISSING    /* the rule refuses orders to which no rule with OG_LIMITS_ORDERS applies */
};

struct og_rule {
    int code;            /* the rule's permanent number, from rules.def */
    const char *id;      /* the rule's name in policies, output and ledger, in kebab-case */
    const char *summary; /* one line, no full stop */
    const char *because; /* what may go wrong without the rule */
    enum og_stage stage;
    unsigned subjects;   /* OG_SUBJECT_*; 0: orders only */
    unsigned securities; /* bit 1 << enum og_security for each type of order that the rule checks; 0 means all types */
    bool locked;         /* no policy can weaken it or turn it off */
    bool unwaivable;     /* no waiver lets an order pass the rule; locked rules cannot be waived either */
    bool local;          /* the rule predicts nothing, so it is not run when it is off; limits (`limit`) predict nothing
                          * either */
    bool limit;          /* the rule is a limit of the desk's own: it is off unless a policy turns it on */
    enum og_limits_size limits_size;
    /* the rule adds up symbols, sizes and prices of the order; it is unsure about an order that lacks one of these */
    bool counts;
    bool form;        /* the rule refuses malformed orders, though its stage is later than OG_STAGE_FORM */
    bool by_tag;      /* its limits are for each tag: a lock on the rule protects which tag an order has */
    bool environment; /* the rule compares the account with the policy's environment: a lock on the rule protects that
                       * setting too */
    /* the orders that the rule refuses whatever its settings are, as in struct og_refusal; NULL if there is none */
    const char *refuses;
    bool sent_before; /* the rule refuses an order because it was sent before, whatever quantity or price it has */
    bool lately;      /* the rule counts recently sent orders, so that a refused order may pass a little later */
    /* OG_TRAIT_*: the rule finds nothing in an order that lacks one of these, so it is not run for such an order */
    unsigned only;
    /* returns further OG_TRAIT_* that count like those of `only`, for orders of a security under these settings; NULL:
     * none */
    unsigned (*only_by)(const void *settings, enum og_security security);
    /* the rule may refuse an order because of a working order, and accept it once the working order is canceled */
    bool counts_working;
    unsigned reads;       /* OG_FACT_* that the rule may read with og_need(); a test compares them with what it reads */
    size_t settings_size; /* size of struct settings; 0 if the rule has none */
    const struct og_param *params;
    size_t param_count;
    /* returns false if two settings contradict each other; NULL if no two settings can */
    bool (*settings_agree)(const void *settings, struct og_error *err);
    size_t groups_at; /* offset in struct settings of the groups that are made of the words of limits: rules/group.h */
    const struct og_reason *reasons;
    size_t reason_count;
    void (*check)(const struct og_case *c, const void *settings, struct og_sink *sink);
    /* calls og_trip() for each limit in `settings` that the facts exceed, so that its latch trips; NULL: no limit has a
     * latch */
    void (*trips)(const struct og_facts *f, const void *settings, struct og_trips *to);
    /* lists, with og_use_put(), the limits in `settings` that several orders use up together (rules/usage.h); NULL:
     * there is no such limit */
    void (*usage)(const struct og_usage_case *u, const void *settings);
};

/* The members of a descriptor that every rule sets in the same way: the rule's number, and `reasons`, `check`, `params`
 * and `struct settings` of its file. */
#define OG_PARTS_OF_FILE(name) \
    .code = OG_CODE_##name, .reasons = reasons, .reason_count = sizeof(reasons) / sizeof(reasons)[0], .check = check
#define OG_SETTINGS_OF_FILE \
    .settings_size = sizeof(struct settings), .params = params, .param_count = sizeof(params) / sizeof(params)[0]

#define OG_EACH_REASON(r, rule) \
    for (const struct og_reason *r = (rule)->reasons, *r##_end = r + (rule)->reason_count; r < r##_end; r++)
#define OG_EACH_PARAM(p, rule) \
    for (const struct og_param *p = (rule)->params, *p##_end = p ? p + (rule)->param_count : NULL; p != p##_end; p++)

static inline unsigned og_rule_subjects(const struct og_rule *rule)
{
    return rule->subjects ? rule->subjects : OG_SUBJECT_ORDER;
}

static inline bool og_rule_is_local(const struct og_rule *rule)
{
    return rule->local || rule->limit;
}

static inline bool og_rule_limits_size(const struct og_rule *rule)
{
    return rule->limits_size == OG_LIMITS_ORDERS || rule->limits_size == OG_LIMITS_POSITIONS;
}

extern const struct og_rule *const og_rules[]; /* all rules, by index */
extern const size_t og_rules_size;
