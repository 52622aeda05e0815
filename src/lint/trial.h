/*
 * The scene: candidate orders, the facts around each, and the policy's own decision of them.  What lint claims of
 * orders is shown here first, or not at all.
 */
#ifndef OG_LINT_TRIAL_H
#define OG_LINT_TRIAL_H

#include "lint/lint.h"

#include "ordergate/book.h"

#define OG_TRIAL_SYMBOL 80

/* An order to be tried, and the world around it. */
struct og_trial_order {
    enum og_security security;
    enum og_side side;
    enum og_open_close open_close;
    enum og_order_type type;
    enum og_tif tif;
    char symbol[OG_TRIAL_SYMBOL], account[OG_TRIAL_SYMBOL], route[OG_TRIAL_SYMBOL];
    int64_t quantity;
    struct og_money price;    /* its limit and its stop, and the market's middle of the symbol */
    struct og_money bid, ask; /* of its symbol; scale and coef 0: by the price */
    int64_t at;
    bool bare;        /* nothing is known: decided without facts */
    bool made;        /* decided by made up facts, whatever facts were given */
    unsigned without; /* OG_FACT_* left out of those */
    bool covered;     /* its first leg is stock: a covered call */
    bool hard;        /* to borrow, its symbol */
    bool poor;        /* an account and a market that are small: what is limited by their size is limited there */
};

/* Make a scene; options->facts, where given, is what every order is decided by.
 *   OG_EFACTS, OG_ESYNTAX  it cannot be used.   OG_ENOMEM */
enum og_status og_trial_new(struct og_lint_run *l, struct og_trial **scene, struct og_error *err);
void og_trial_free(struct og_trial *scene); /* NULL is allowed */

/* A small opening order of that kind that the policy lets pass where it lets any: in a session, at an ordinary price.
 */
struct og_trial_order og_trial_ordinary_order(const struct og_trial *scene, enum og_security security,
                                              enum og_side side, enum og_order_type type);
/* An option symbol of the scene's calendar: about two months away. */
void og_trial_option_symbol(const struct og_trial *scene, struct og_str root, char type, int64_t strike,
                            char to[OG_TRIAL_SYMBOL]);

/* Decide; what is answered lives until the next. */
const struct og_decision *og_trial_decide(struct og_trial *scene, const struct og_trial_order *probe);
/* A finding of that rule and, unless NULL, reason; refusing: of level refuse alone. */
const struct og_finding *og_decision_finds(const struct og_decision *d, const char *rule, const char *reason,
                                           bool refusing);
/* The override of a rule that the order decided last is under; -1: none; -2: it could not be decided. */
int og_trial_override(struct og_trial *scene, size_t rule);
/* The decision made last as a witness; NULL when there are to be none. */
const struct og_lint_witness *og_trial_witness(struct og_trial *scene, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/* What an expression is of the order decided last. */
enum og_truth og_trial_truth(struct og_trial *scene, const struct og_expr *e);
/* The same, and why it cannot be told. */
enum og_truth og_trial_truth_why(struct og_trial *scene, const struct og_expr *e, struct og_expr_why *why);
void og_trial_why_text(const struct og_trial *scene, const struct og_expr_why *why, struct og_buf *b);
/* The facts of the order decided last have that; fresh: as fresh as the policy wants it. */
bool og_trial_has_fact(const struct og_trial *scene, enum og_fact fact, bool *fresh);
/* The i-th route of the facts that were given; false past the last, and where none were given. */
bool og_trial_route(struct og_trial *scene, size_t i, struct og_str *name);

struct og_pattern_room *og_trial_pattern_room(struct og_trial *scene);
struct og_expr_room *og_trial_expr_room(struct og_trial *scene);

#endif
