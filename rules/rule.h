/*
 * What a rule is: a descriptor with its settings and reasons as data, and one pure function.
 * A rule refuses I/O, clocks, the heap and statics that change; counts and clocks come to it as facts.
 */
#ifndef OG_RULES_RULE_H
#define OG_RULES_RULE_H

#include "base/money.h"
#include "base/attributes.h"
#include "base/time.h"
#include "base/string_set.h"
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
#include "text/pattern.h"

/* The register, made from rules.def: each rule, its place in the register, and its permanent number. */
#define OG_RULE(code, name) extern const struct og_rule og_rule_##name;
#include "rules/rules.def"
#undef OG_RULE

enum og_rule_place {
#define OG_RULE(code, name) OG_PLACE_##name,
#include "rules/rules.def"
#undef OG_RULE
};

enum og_rule_code {
#define OG_RULE(code, name) OG_CODE_##name = (code),
#include "rules/rules.def"
#undef OG_RULE
};

/* What is decided; a rule says which kinds it looks at. */
enum og_subject { OG_SUBJECT_ORDER = 1, OG_SUBJECT_CANCEL = 2, OG_SUBJECT_LOCATE = 4, OG_SUBJECT_READ = 8 };
#define OG_SUBJECT_REQUESTS (OG_SUBJECT_CANCEL | OG_SUBJECT_LOCATE | OG_SUBJECT_READ)

/* When a rule runs; only the order of findings depends on it. */
enum og_stage { OG_STAGE_FORM = 1, OG_STAGE_ACCOUNT, OG_STAGE_MARKET, OG_STAGE_FLOW };

/* In which order the broker decides (GAP-18); the decision predicts the lowest rank found. */
enum og_rank {
    OG_RANK_NONE = 0, /* predicts nothing */
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
    OG_RANK_STATE = 120 /* what a cancel or a locate comes to by the state of what it names */
};

/* One thing a rule may find. */
struct og_reason {
    const char *id;          /* permanent: policies, scripts and ledgers name it */
    enum og_level level;     /* natural level */
    enum og_level undecided; /* when a fact is missing: OFF is a silent skip */
    bool ignorance;          /* what it finds is that something is not known */
    bool exits_pass;         /* it is about money, positions, orders or the hour: whatever level a policy gives it, it
                              * only warns of an order that only reduces */
    enum og_rank rank;
    struct og_prediction predicts; /* .text may be a template like says: "- {0}: Must be ..." */
    const char *says;              /* message template: {0}..{9} are the values given with it */
    const char *help;              /* optional: what to do */
    const char *where;             /* rows of docs/readings.md ("Q12, Y24"), facts ("facts pnl"), a heading of
                                    * docs/contract.md, or "policy" for a limit of the desk's own */
};

/* The document does not say what the broker does: nothing is predicted of the finding, and "accepted" is a reading. */
#define OG_NOT_STATED                                       \
    {                                                       \
        .channel = OG_CHANNEL_NONE, .certainty = OG_READING \
    }

/* Kinds of settings and their type in memory. */
enum og_param_kind {
    OG_PARAM_INT = 1,  /* int64_t */
    OG_PARAM_MONEY,    /* struct og_money, dollars */
    OG_PARAM_BPS,      /* int32_t, from "5%": 500 */
    OG_PARAM_DURATION, /* int64_t ns, from "5s" */
    OG_PARAM_WORDS,    /* struct og_string_set: a list of strings */
    OG_PARAM_CHOICE    /* int32_t: index into choices */
};

/* Which way a setting is stricter: a floor may move it that way only. */
enum og_tighter { OG_TIGHTER_UNKNOWN = 0, OG_TIGHTER_LOWER, OG_TIGHTER_HIGHER };

/* What a list of words does to an order that is of one of them: told apart where two policies are compared. */
enum og_listing { OG_LISTING_UNKNOWN = 0, OG_LISTING_ALLOWS /* none listed: all */, OG_LISTING_BARS };

/* Whether a setting refuses orders that only reduce a position. */
enum og_refusal_exits {
    OG_EXITS_ARE_BOUND,
    OG_EXITS_BY_SETTING /* where the rule's setting exits says so */,
    OG_EXITS_ALWAYS_PASS
};

/* The orders that a setting refuses by its value, as an expression (ordergate-expressions(7)): true for each order that
 * it refuses, false for all others; exits aside.  Lint proves by it; a test compares it with the rule. */
struct og_refusal {
    const char *when; /* {} stands for the value, or for the words as a list; NULL ends the table */
    enum og_refusal_exits exits;
    int choice;  /* a setting of choices: the index it holds for; 0: it is a number or words */
    bool stale;  /* when a fact is missing, the rule may still refuse by what it knows */
    bool unsure; /* when a fact is missing, the rule reports that it cannot decide */
    bool legs;   /* spreads may be refused too, by their legs, of which the expression says nothing */
};

/* The range in which the values that desks mean lie; outside, a unit or a decimal probably slipped. */
struct og_plausible {
    const char *least, *most;       /* NULL: no bound */
    const char *why_low, *why_high; /* completes "'key' is value: ..." */
};

/* What the words of a list are, where lint knows more of them than their form. */
enum og_words {
    OG_WORDS_OTHER = 0,
    OG_WORDS_SYMBOLS,     /* tickers and roots */
    OG_WORDS_CLOSED_DAYS, /* dates */
    OG_WORDS_EARLY_CLOSES,
    OG_WORDS_WINDOWS /* of the day in New York */
};

/* Another limit that may leave nothing to this one, which is idle then. */
struct og_tighter_limit {
    const char *key;         /* of the other limit; it leaves nothing to a greater value.  NULL ends the table */
    enum og_rule_place rule; /* whose limit it is */
    int64_t times;           /* this limit is compared with so many times the other; 0: once */
    enum og_security shown;  /* kind of order that shows it; OG_SECURITY_NONE: no order does */
    const char *within;      /* only while this duration of the limit's own rule is a second at most; NULL: always */
};

/* Orders that a least price is for, and limits of worth above which the price must not lie: else none can open. */
struct og_least_price {
    enum og_security security;
    enum og_side side; /* OG_SIDE_NONE: both */
    const struct og_tighter_limit *worth;
    const struct og_tighter_limit *below; /* a least price that holds for these orders too; NULL: there is none */
};

struct og_param {
    const char *key; /* lower_snake; NULL ends the table */
    enum og_param_kind kind;
    size_t at;                  /* offset in the rule's struct settings */
    const char *fallback;       /* as in a policy; words: comma-separated, "" for none; NULL: the policy must give it */
    const char *least, *most;   /* inclusive; NULL: no bound */
    const char *const *choices; /* OG_PARAM_CHOICE: spellings, NULL-ended */
    enum og_tighter tighter;    /* choices: by their order; words: UNKNOWN */
    enum og_listing listing;    /* words */
    bool zero_is_none;          /* money: 0 is no limit, and so the loosest */
    bool shared;                /* other rules count by it, whatever this one's level: a lock of any rule holds it */
    const char *help;           /* one line, with the unit */
    const struct og_refusal *refuses; /* OG_REFUSES(); NULL: not said as an expression */
    struct og_plausible plausible;
    enum og_words words;                    /* of OG_PARAM_WORDS */
    const char *name;                       /* of OG_PARAM_WORDS: the name of expressions with the same values */
    const struct og_tighter_limit *idle_by; /* OG_TIGHTER() */
    int64_t broker_most; /* the broker takes no greater value, by rule order-quantity; 0: it has no such bound */
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

/* .kind and .at together, so that a field of another type does not compile. */
#define OG_PARAM_OF(kind_, type, field) \
    .kind = (kind_), .at = offsetof(struct settings, field) + 0 * sizeof(((type *)0 == &((struct settings *)0)->field))
#define OG_INT(field)      OG_PARAM_OF(OG_PARAM_INT, int64_t, field)
#define OG_MONEY(field)    OG_PARAM_OF(OG_PARAM_MONEY, struct og_money, field)
#define OG_BPS(field)      OG_PARAM_OF(OG_PARAM_BPS, int32_t, field)
#define OG_DURATION(field) OG_PARAM_OF(OG_PARAM_DURATION, int64_t, field)
#define OG_WORDS(field)    OG_PARAM_OF(OG_PARAM_WORDS, struct og_string_set, field)
#define OG_CHOICE(field)   OG_PARAM_OF(OG_PARAM_CHOICE, int32_t, field)

struct og_expr_room;

/* What a rule is given: constant during the check. */
struct og_case {
    const struct og_order *order;
    const struct og_request *request;    /* NULL: it is the order that is decided */
    const struct og_mleg *mleg;          /* of the order; zeros when it is no Mleg */
    const struct og_mleg_payoff *result; /* what its legs come to; NULL when it is no Mleg */
    const struct og_facts *facts;
    int64_t now;               /* ns */
    struct og_eastern eastern; /* the same on New York's wall clock */
    struct og_day today;       /* its date, as the exchange calendar and announced closures have it */
    const int64_t *max_age;    /* ns by fact kind (index: log2 of enum og_fact); 0: any age */
    const struct og_holding
        *holding;                  /* of the order's symbol, found once for all rules; NULL: nothing held or working */
    const struct og_quote *quote;  /* likewise; NULL: not known.  Its age is asked with og_need() */
    unsigned usable;               /* OG_FACT_* that og_need() need not look at; QUOTE: of the order's own symbol */
    struct og_lookup_keys *hashes; /* what the order is looked up by */
    unsigned *asked;               /* OG_FACT_* asked for since the rule began */
    struct og_own_worth *worth;    /* of the order (margin/notional.h) */
    int32_t slippage;              /* basis points beyond what is asked, by order-notional (rules/worth.h) */
    struct og_margin *margin;      /* what the order takes, once it was asked (rules/margin.h) */
    struct og_margin_inputs *margin_room; /* what that is worked out in */
    const struct og_waiver_row *waivers;  /* of any order; the engine's, rules do not look.  NULL: there are none */
    enum og_trading halt;                 /* the flag of ordergate halt, whatever the facts say */
    struct og_expr_room *expr;            /* for expressions of the policy */
    struct og_days_seen *days;            /* of the exchange calendar, kept from order to order */
    bool reduces;                 /* every part of the order closes, and no more than there is (rules/sides.h) */
    bool *sized;                  /* a rule held the order's size against a limit in force: og_sized() */
    enum og_environment declared; /* by the policy */
    bool account_conflict;        /* the order names another account than the caller did */
    bool account_open;            /* no account named, and several there are facts of */
    struct og_str account_id;     /* whose order it is; len 0: not known */
    struct og_facts *const *all;  /* facts of every account, this one's too; the first are nobody's */
    size_t all_count;
};

/* A value in a message. */
enum og_arg_kind {
    OG_ARG_STR = 1,
    OG_ARG_TEXT,
    OG_ARG_MONEY,
    OG_ARG_INT,
    OG_ARG_CLOCK,
    OG_ARG_DATE,
    OG_ARG_DURATION,
    OG_ARG_BPS
};
struct og_arg {
    enum og_arg_kind kind;
    union {
        struct og_str str; /* control characters are masked, long text is shortened */
        const char *text;
        struct og_money money;
        int64_t n; /* CLOCK: ns of day; DATE: yyyymmdd; DURATION: ns; BPS */
    } as;
};
/* Member by member: initialised at once, the whole union would be zeroed first, by `rep stos` where code is cold. */
#define OG_ARG_OF(name, value_kind, type, member) \
    static inline struct og_arg name(type value)  \
    {                                             \
        struct og_arg a;                          \
        a.kind = (value_kind);                    \
        a.as.member = value;                      \
        return a;                                 \
    }
OG_ARG_OF(og_a_str, OG_ARG_STR, struct og_str, str)
OG_ARG_OF(og_a_text, OG_ARG_TEXT, const char *, text)
OG_ARG_OF(og_a_money, OG_ARG_MONEY, struct og_money, money)
OG_ARG_OF(og_a_int, OG_ARG_INT, int64_t, n)
OG_ARG_OF(og_a_clock, OG_ARG_CLOCK, int64_t, n)
OG_ARG_OF(og_a_date, OG_ARG_DATE, int64_t, n)
OG_ARG_OF(og_a_duration, OG_ARG_DURATION, int64_t, n)
OG_ARG_OF(og_a_bps, OG_ARG_BPS, int64_t, n)
#undef OG_ARG_OF

/* Where findings go; the engine's (src/check), opaque to rules. */
struct og_sink;

/* What may still be changed about a finding just made: NULL-safe setters are not needed, the engine always gives one.
 * */
struct og_found {
    enum og_level natural;         /* set to change the natural level for this order (paper warn, live refuse) */
    struct og_prediction predicts; /* likewise; .text stays as made from the reason */
    enum og_rank rank;
    bool exits_pass; /* of an order that only reduces it warns at most */
};

/* Report a reason.  field is a JSON pointer ("/limitPrice"), "account/...", "facts/..."; static or into the order; it
 * may be a template too ("/{0}": a key nobody knew, escaped as RFC 6901 demands).
 * The message, the predicted text and the field are made from the templates at once. */
struct og_found *og_find_(struct og_sink *sink, const struct og_reason *reason, const char *field,
                          const struct og_arg *args, size_t count) __attribute__((cold));
#define OG_FIND(sink, reason, field, ...)                                       \
    og_find_((sink), (reason), (field), (const struct og_arg[]){ __VA_ARGS__ }, \
             sizeof((const struct og_arg[]){ __VA_ARGS__ }) / sizeof(struct og_arg))
#define OG_FIND0(sink, reason, field) og_find_((sink), (reason), (field), NULL, 0)

bool og_need_(const struct og_case *c, struct og_sink *sink, const struct og_reason *reason, enum og_fact kind,
              struct og_str key, const char *field);
/* Ask for a fact that reason depends on.  key: the symbol for BORROW and QUOTE, else {NULL,0}.
 *   true   it is known and no older than the policy allows
 *   false  absent, stale, or of a moment to come; an unsure finding for reason was made (unless it is skipped silently)
 * Asking for a kind the rule does not declare in .reads is an error that the tests see. */
static inline bool og_need(const struct og_case *c, struct og_sink *sink, const struct og_reason *reason,
                           enum og_fact kind, struct og_str key, const char *field)
{
    *c->asked |= (unsigned)kind;
    return (c->usable & (unsigned)kind && (kind != OG_FACT_QUOTE || key.s == c->order->symbol.s)) ||
           og_need_(c, sink, reason, kind, key, field);
}
/* All of these kinds are known and of an age the policy allows, as they mostly are: og_need() is true of each of them,
 * for every reason.  Not for BORROW; QUOTE is of the order's own symbol. */
static inline bool og_has(const struct og_case *c, unsigned kinds)
{
    *c->asked |= kinds;
    return (c->usable & kinds) == kinds;
}
/* A limit on the size of orders covers this one. */
static inline void og_sized(const struct og_case *c)
{
    *c->sized = true;
}
/* The finding made last, an unsure one too, for what depends on the environment alone. */
struct og_found *og_found_last(struct og_sink *sink);
/* Add to its message: what can be said even so. */
void og_found_add(struct og_sink *sink, const char *template, const struct og_arg *args, size_t count)
    __attribute__((cold));
/* Cannot tell for another reason than a missing fact; why completes "not decided: ". */
void og_unsure(struct og_sink *sink, const struct og_reason *reason, const char *field, const char *why)
    __attribute__((cold));
/* The same of a reason that is only ever unsure, in its own words. */
void og_find_unsure(struct og_sink *sink, const struct og_reason *reason, const char *field, const struct og_arg *args,
                    size_t count) __attribute__((cold));

/* Facts with an account list to look the account up in: its own, else, without facts of its own, any that lists it, or
 * any at all.  NULL: nobody has a list. */
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
/* Whether a fact is there, and since when it is known to be current.  key: as of og_need(). */
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
    if (kind == OG_FACT_ACCOUNT_LIST) {
        const struct og_facts *lister = og_case_lister(c);
        return lister && og_facts_known(lister, kind, as_of);
    }
    return og_facts_known(c->facts, kind, as_of);
}
/* accountType decides; an unknown type counts as live (the strict side). */
static inline bool og_case_is_paper(const struct og_case *c)
{
    return c->facts && og_facts_environment(c->facts) == OG_ENV_PAPER;
}
/* Working orders are known; those of this run (some) are without any document, and count for certain. */
static inline bool og_need_orders(const struct og_case *c, struct og_sink *sink, const struct og_reason *reason,
                                  const char *field, bool some)
{
    int64_t as_of;

    return (some && !og_facts_known(c->facts, OG_FACT_ORDERS, &as_of)) ||
           og_need(c, sink, reason, OG_FACT_ORDERS, (struct og_str){ 0 }, field);
}
/* What live may decide later, paper decides at once (CON-24). */
static inline void og_found_by_environment(const struct og_case *c, struct og_found *found)
{
    if (og_case_is_paper(c))
        found->predicts.channel = OG_CHANNEL_REJECTED;
}
const char *og_leg_pointer(int leg, int leg_key); /* "/legs/0/symbol"; leg_key -1: "/legs/0"; static */

/* How a rule that refuses bounds the size of an order; rule size-limit asks that one does. */
enum og_limits_size {
    OG_LIMITS_NO_SIZE = 0,
    OG_LIMITS_ORDERS,   /* the order's own size: reported per order by og_sized() */
    OG_LIMITS_POSITIONS /* what positions may become, and so the size of orders that open */
};

struct og_rule {
    int code;            /* permanent number, from rules.def */
    const char *id;      /* kebab-case: policies, output and ledger */
    const char *summary; /* one line, no full stop */
    const char *because; /* what goes wrong without it */
    enum og_stage stage;
    unsigned subjects;   /* OG_SUBJECT_*; 0: orders alone */
    unsigned securities; /* orders it looks at, bit 1 << enum og_security; 0: all */
    bool locked;         /* no policy can weaken it or turn it off */
    bool unwaivable;     /* no waiver lets an order through it; a locked rule neither */
    bool local;          /* predicts nothing: where it is off it need not run */
    bool limit;          /* the desk's own: off unless a policy turns it on */
    enum og_limits_size limits_size;
    bool counts;          /* by what the order trades, how much and at which price: unsure of one that has none */
    bool sent_before;     /* refuses an order for having been sent already, whatever is changed in it */
    bool counts_working;  /* may refuse because of another working order: that one's cancel can let the order pass */
    unsigned reads;       /* OG_FACT_* it may ask for with og_need(); a test compares */
    size_t settings_size; /* 0: none */
    const struct og_param *params;                                      /* NULL: none */
    bool (*settings_agree)(const void *settings, struct og_error *err); /* NULL: always */
    const struct og_reason *reasons;                                    /* .id NULL ends the table */
    void (*check)(const struct og_case *c, const void *settings, struct og_sink *sink);
};

static inline unsigned og_rule_subjects(const struct og_rule *rule)
{
    return rule->subjects ? rule->subjects : OG_SUBJECT_ORDER;
}

/* Said by the engine: the order passed, and cannot be counted. */
void og_order_form_unreserved(struct og_sink *sink);

extern const struct og_rule *const og_rules[]; /* by place */
extern const size_t og_rules_size;

#endif
