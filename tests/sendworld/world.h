/*
 * One random world of a sender: a broker that is modelled here, the network to it, a user who writes lines, the runs
 * of `send` that read them, and a judge that knows the broker's books. Times are simulated milliseconds.
 */
#pragma once

#include <cjson/cJSON.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include "../adversary/chance.h"
#include "base/time.h"
#include "send/sender.h"

#define ACCOUNT "PAPER0001"
#define NEVER   UINT64_MAX

enum { SYMBOLS = 3, ORDERS_MOST = 400, LINES_MOST = 400, RUNS_MOST = 24, FILLS_MOST = 6, ID_MOST = 40, PNLS = 16 };

/* --- time (loop.c) ------------------------------------------------------------------------------------------------ */

/* Something that happens at a moment. */
typedef void deed(int number, void *with);
void clock_begin(void);
uint64_t now_ms(void);
void at(uint64_t ms, deed *what, int number, void *with);
/* Carry out the next action that is due by then. Returns false if there is none; the time is then by_ms. */
bool next_deed(uint64_t by_ms, unsigned char random);

/* --- the broker (service.c, rows.c) ------------------------------------------------------------------------------- */

enum status { PENDING_NEW, NEW, PARTIALLY_FILLED, PENDING_CANCEL, FILLED, CANCELED, REJECTED };

struct fill {
    long quantity;
    uint64_t at, shown_at; /* readings of positions and account include it from shown_at on */
};

/* An order as the broker has it. */
struct order {
    char id[ID_MOST];
    int symbol;
    bool buy, opens, elsewhere; /* elsewhere: made by another program */
    bool stops;                 /* a stop that rests until the market reaches its price */
    long quantity, executed;
    long price; /* limit or stop, in dollars */
    enum status status;
    char text[64];
    struct fill fill[FILLS_MOST];
    int fills;
    bool registered; /* look-ups, lists and cancels find it */
    uint64_t taken_at, ended_at;
    uint64_t deleted_at; /* the newest DELETE of it; 0: none */
};

struct symbol {
    const char *name;
    long price;          /* in dollars: all trades of the symbol are made at that price */
    bool is_long;        /* positions of the symbol are long; short if false */
    bool foreign;        /* others trade the symbol as well */
    long start;          /* held at the start, not negative */
    uint64_t changed_at; /* when an order of it changed last */
};

bool is_over(const struct order *o);
long leaves(const struct order *o);
long held(int symbol, bool shown); /* shown: as readings show it now, which is never negative */
struct order *order_named(const char *id);
/* Make an order from a body, or as an order that was made elsewhere. Returns NULL if the id is used (R114). */
struct order *take_order(const struct order *like);
bool read_body(const char *body, size_t len, struct order *o);
/* Answer a request now.  Returns the HTTP status; *answer is set. */
int answer_request(const char *method, const char *path, const char *body, size_t len, struct text *answer);

void row_text(const struct order *o, struct text *t);   /* the clean shape */
void frame_text(const struct order *o, struct text *t); /* the stream's shape */
void positions_text(struct text *t);
void account_text(struct text *t);

/* --- the network (network.c) -------------------------------------------------------------------------------------- */

/* How a world's network behaves: percentages of requests. */
struct weather {
    int slow_most_ms; /* latency of a request; its answer takes as long again */
    int lag_most_ms;  /* greatest delay of a frame */
    int unsent, lost_before, lost_after, error_before, error_after, busy, lost_frames;
    int stream_falls_ms; /* mean time until the stream is lost; 0: never */
    int stands_s;        /* at most so many seconds without a stream before the first sign-in */
};

void push_frames(const struct order *o);
void network_end(void); /* forget what travels */

/* --- runs and lines (desk.c) -------------------------------------------------------------------------------------- */

enum kind { OPENS, CLOSES, STOPS, CANCELS, REPLACES };

struct line {
    char id[ID_MOST], text[400];
    int tag;
    enum kind kind;
    int run, number, symbol, repeats; /* repeats: index of the line that it repeats; -1 if none */
    long quantity;
    long opened; /* at least so much of its symbol was open when it was given */
    uint64_t at;
    int decisions, refusals, outcomes;
    char outcome[16];
    bool opens, order_line, blind; /* blind: the order left while the account could not be read */
    uint64_t decided_at, started_at, left_at;
};

struct run {
    struct og_sender *s;
    bool alive, ended;
    int lines; /* given so far */
    uint64_t begun_at, died_at;
    /* the newest whole reading that was delivered */
    uint64_t read_at, read_done_at; /* when its first request began, and when its last answer came */
    uint64_t failed_at;             /* when the newest request of a reading that failed began */
    long shown[SYMBOLS];
    int lacks;          /* bit 1: routes have not come, bit 2: inventory has not; the first reading goes on */
    uint64_t orders_at; /* when the reading that is in progress began */
    long part[SYMBOLS], pnl_part;
    int parts;
    struct shown_pnl {
        long pnl;
        uint64_t began_at, done_at;
    } pnl[PNLS]; /* the newest whole readings, by their number modulo PNLS */
    int pnls;
    /* its stream */
    const struct og_stream_events *events;
    void *with;
    int connection; /* grows with each connection, so that late frames of an older one are dropped */
    bool connected;
};

int begin_run(bool recovers); /* returns its index */
void end_run(struct run *r);  /* ends its process: killed, unless it has come to its end */
void turn_runs(
    void); /* after each callback: records are synced to the disk, events are passed on, ended runs are freed */
void trade_elsewhere(void);                        /* another program trades, if there is one in this world */
void give_line(int run, const struct line *again); /* again: the line to repeat; NULL: give a new line */

/* --- limits (limits.c) -------------------------------------------------------------------------------------------- */

/* Limits of the policy beside those below; 0: none. */
struct limits {
    long shares;     /* held of a symbol */
    long most_short; /* exposure of what is sold short, in dollars */
    int percent;     /* of the equity in one symbol */
    int open, open_of_symbol;
    int a_second, a_minute, a_day; /* orders sent */
    long loss, drawdown;           /* of the day's P&L, in dollars */
    int unknown;                   /* orders of unknown outcome; -1: no limit */
};

void draw_limits(void);
void limits_text(struct text *t); /* the rules of the policy */
long pnl_now(void);               /* the day's P&L as the broker has it */
void note_pnl(struct run *r, long pnl);
void note_highest(const struct run *r);
void judge_amounts(const struct order *o, const struct line *l); /* an order that opens is taken; l: its line */
void judge_sent(const struct line *l);                           /* the first byte of its POST leaves */
void judge_refused_open(const struct line *l, const cJSON *decision, const char *message);

/* --- the world ---------------------------------------------------------------------------------------------------- */

struct world {
    uint64_t number;
    struct chance chance, dice,
        noise;  /* dice: of the network and the broker; noise: of the sender; chance: of everything else */
    bool tells; /* say every step */
    struct weather weather;
    struct symbol symbol[SYMBOLS];
    uint64_t settle_ms;
    long most_gross;    /* the policy's limit on exposure, in dollars; 0: none */
    long most_a_minute; /* of each tag's orders; 0: no limit */
    long most_traded;   /* in the window, in shares; 0: no limit */
    uint64_t window_ms;
    struct chance tags; /* for these limits and the orders' tags */
    struct limits limits;
    long highest_pnl; /* of the day, by the records of all runs */
    bool live;        /* policy live; else default */
    struct order order[ORDERS_MOST];
    int orders;
    struct line line[LINES_MOST];
    int lines;
    struct run run[RUNS_MOST];
    int runs;
    bool resends; /* runs have --resend-not-sent */
    bool two;     /* two senders at a time */
    bool calm;    /* the end: no faults any more */
    bool frozen;  /* nothing fills any more */
    char folder[64];
    char fault[400]; /* the first property that did not hold */
};
extern struct world w;

void tell(const char *format, ...) __attribute__((format(printf, 1, 2)));
void broken(const char *property, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* --- the judge (judge.c) ------------------------------------------------------------------------------------------ */

/* What is known of the POSTs of an id, over all runs. */
struct posted {
    char id[ID_MOST];
    int told_by;    /* the run that told it */
    int left, busy; /* POSTs whose first byte left; of these, how many were answered 429 */
    int may_arrive; /* how many POSTs are on their way, or have arrived */
    char told[16];  /* newest state that an event reported; "" if none did */
    uint64_t told_at;
    long executed; /* filled quantity that events reported */
    uint64_t executed_at;
    bool unknown; /* the outcome `unknown` was reported, and nothing after that */
};
struct posted *posted_of(const char *id);
const char *text_of(const cJSON *object, const char *key); /* "" if it has no such text */
bool refuses(const cJSON *finding);
const struct line *line_of_order(const char *id); /* the line whose order was posted last under that id */
long closing(int symbol);                         /* how much working orders close */
bool is_blind(const struct run *r); /* returns true if the run cannot read the account, so that older facts decide
                                     * closes */
void judge_begin(void);
void judge_line(struct line *l);
void judge_left(int run, const char *id);        /* the first byte of its POST */
void judge_posted(const char *id, bool arrived); /* the order's POST arrived, or was lost on the way */
void judge_busy(const char *id);                 /* the POST of that id was answered 429 */
void judge_taken(const struct order *o);
void judge_started(int run, const char *id); /* the POST of that id waits for a connection */
void judge_deletes(const char *id);          /* a DELETE waits for a connection */
/* ways_out.c */
void judge_refused(const struct line *l, const cJSON *decision);
void judge_event(int run, const cJSON *event);
void judge_over(int run); /* the run ended by itself */
void judge_end(void);
