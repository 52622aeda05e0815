/*
 * The scene: candidate orders, the facts around each, and the policy's own decision of them.  What lint claims of
 * orders is shown here first, or not at all.
 */
#ifndef OG_LINT_TRIAL_H
#define OG_LINT_TRIAL_H

#include "lint/lint.h"

#include "ordergate/book.h"

#define OG_PROBE_SYMBOL 80

/* An order to be tried, and the world around it. */
struct og_probe {
    enum og_security security;
    enum og_side side;
    enum og_open_close open_close;
    enum og_order_type type;
    enum og_tif tif;
    char symbol[OG_PROBE_SYMBOL], account[OG_PROBE_SYMBOL], route[OG_PROBE_SYMBOL];
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
enum og_status og_scene_new(struct og_linting *l, struct og_scene **scene, struct og_error *err);
void og_scene_free(struct og_scene *scene); /* NULL is allowed */

/* A small opening order of that kind that the policy lets pass where it lets any: in a session, at an ordinary price.
 */
struct og_probe og_scene_ordinary(const struct og_scene *scene, enum og_security security, enum og_side side,
                                  enum og_order_type type);
/* An option symbol of the scene's calendar: about two months away. */
void og_scene_option(const struct og_scene *scene, struct og_str root, char type, int64_t strike,
                     char to[OG_PROBE_SYMBOL]);

/* Decide; what is answered lives until the next. */
const struct og_decision *og_scene_decide(struct og_scene *scene, const struct og_probe *probe);
/* A finding of that rule and, unless NULL, reason; refusing: of level refuse alone. */
const struct og_finding *og_decision_finds(const struct og_decision *d, const char *rule, const char *reason,
                                           bool refusing);
/* The override of a rule that the order decided last is under; -1: none; -2: it could not be decided. */
int og_scene_override(struct og_scene *scene, size_t rule);
/* The decision made last as a witness; NULL when there are to be none. */
const struct og_lint_witness *og_scene_witness(struct og_scene *scene, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/* What an expression is of the order decided last. */
enum og_truth og_scene_truth(struct og_scene *scene, const struct og_expr *e);
/* The same, and why it cannot be told. */
enum og_truth og_scene_why(struct og_scene *scene, const struct og_expr *e, struct og_expr_why *why);
void og_scene_why_text(const struct og_scene *scene, const struct og_expr_why *why, struct og_buf *b);
/* The facts of the order decided last have that; fresh: as fresh as the policy wants it. */
bool og_scene_knows(const struct og_scene *scene, enum og_fact fact, bool *fresh);
/* The i-th route of the facts that were given; false past the last, and where none were given. */
bool og_scene_route(struct og_scene *scene, size_t i, struct og_str *name);

struct og_pattern_room *og_scene_room(struct og_scene *scene);
struct og_expr_room *og_scene_expr_room(struct og_scene *scene);

#endif
