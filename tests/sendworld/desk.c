/*
 * The user's side: random lines, and runs of `send` that are started, killed and started again over one ledger.
 */
#include <stdlib.h>
#include <unistd.h>

#include "ordergate/policy.h"
#include "send/event.h"
#include "world.h"

enum og_status __wrap_og_send_guard_begin(struct og_sender *s, struct og_error *err);
void __wrap_og_send_guard_end(struct og_sender *s);
void __wrap_og_send_guard(struct og_sender *s);
void __wrap_og_send_look_for_halt(struct og_sender *s);
const char *__wrap_og_send_halts(struct og_tracked *o, bool leaves);

/* Halts and the dead man's switch have threads of their own, and are not part of this test. */
enum og_status __wrap_og_send_guard_begin(struct og_sender *s, struct og_error *err)
{
    (void)s;
    (void)err;
    return OG_OK;
}

void __wrap_og_send_guard_end(struct og_sender *s)
{
    (void)s;
}

void __wrap_og_send_guard(struct og_sender *s)
{
    (void)s;
}

void __wrap_og_send_look_for_halt(struct og_sender *s)
{
    (void)s;
}

const char *__wrap_og_send_halts(struct og_tracked *o, bool leaves)
{
    (void)o;
    (void)leaves;
    return NULL;
}

/* --- runs --------------------------------------------------------------------------------------------------------- */

static int on_event(void *with, const char *event, size_t len)
{
    const int run = (int)((struct run *)with - w.run);
    cJSON *doc = cJSON_ParseWithLength(event, len);

    tell("run %d tells %.*s", run, (int)(len > 1800 ? 1800 : len), event);
    judge_event(run, doc);
    cJSON_Delete(doc);
    return 0;
}

static void on_word(void *with, const char *text)
{
    tell("run %d says %s", (int)((struct run *)with - w.run), text);
}

static struct og_policy *policy(void)
{
    struct og_policy *p = NULL;
    struct og_error err = { 0 };
    struct text yaml = { NULL, 0, 0 };

    text_put(&yaml, "ordergate: 1\nname: w\nextends: [%s]\nrules:\n  order-tag: off\n", w.live ? "live" : "default");
    limits_text(&yaml);
    if (og_policy_read(yaml.s, yaml.len, "w", &p, NULL, NULL, &err) != OG_OK) {
        fprintf(stderr, "%s\n", err.text);
        abort();
    }
    free(yaml.s);
    return p;
}

int begin_run(bool recovers)
{
    struct run *r = &w.run[w.runs];
    struct og_error err = { 0 };
    char path[96];
    struct og_send_options options = { .policy = policy(),
                                       .policy_named = true,
                                       .ledger = path,
                                       .ledger_may_vanish = true,
                                       .recover = recovers,
                                       .resend_not_sent = w.resends && !recovers,
                                       .event = on_event,
                                       .word = on_word,
                                       .with = r };

    snprintf(path, sizeof path, "%s/ledger.db", w.folder);
    tell("run %d begins%s", w.runs, recovers ? ", to recover" : "");
    memset(r, 0, sizeof *r);
    if (og_sender_new(&options, &r->s, &err) != OG_OK) {
        fprintf(stderr, "%s\n", err.text);
        abort();
    }
    r->alive = true;
    r->lacks = 3;
    r->begun_at = now_ms();
    w.runs++;
    if (og_sender_start(r->s, &err) != OG_OK) {
        fprintf(stderr, "%s\n", err.text);
        abort();
    }
    if (!recovers)
        og_sender_hold(r->s);
    return w.runs - 1;
}

/* End the run's process: killed, unless it has ended by itself. */
void end_run(struct run *r)
{
    if (r->s->phase == OG_ENDING)
        uv_run(&r->s->loop,
               UV_RUN_NOWAIT); /* the run was told to stop, which is forgotten here so that its handles can close */
    og_sender_free(r->s);
    r->s = NULL;
    r->alive = false;
    r->died_at = now_ms();
    r->events = NULL;
}

/* After each callback: records are synced to the disk, and events are passed on. */
void turn_runs(void)
{
    for (int i = 0; i < w.runs; i++) {
        struct run *r = &w.run[i];
        struct og_error err = { 0 };
        int code;

        if (!r->alive)
            continue;
        og_send_flush(r->s);
        note_highest(r);
        if (r->s->phase != OG_ENDING)
            continue;
        (void)!og_sender_finish(r->s, &code, &err);
        tell("run %d ends, %d %s", i, code, err.text);
        r->ended = true;
        end_run(r);
        judge_over(i);
    }
}

/* --- lines -------------------------------------------------------------------------------------------------------- */

static long some_of(long whole)
{
    const int n = (int)chance_to(&w.chance, 10);

    if (whole < 0)
        whole = 0;
    return whole == 0 || n == 9 ? whole + 1 + chance_to(&w.chance, 50)
           : n < 5              ? whole
                                : 1 + chance_to(&w.chance, whole);
}

static void order_text(struct line *l, bool opens, bool stops, long price, const char *old)
{
    const struct symbol *s = &w.symbol[l->symbol];
    int n = snprintf(l->text, sizeof l->text,
                     "{\"clientOrderId\":\"%s\",\"symbol\":\"%s\",\"securityType\":\"Stock\",\"side\":\"%s\","
                     "\"openClose\":\"%s\",\"orderType\":\"%s\",\"%s\":%ld,\"orderQuantity\":%ld,\"timeInForce\":"
                     "\"Day\"",
                     l->id, s->name, opens == s->is_long ? "Buy" : "Sell", opens ? "Open" : "Close",
                     stops ? "Stop" : "Limit", stops ? "stopPrice" : "limitPrice", price, l->quantity);

    if (old)
        n += snprintf(l->text + n, sizeof l->text - (size_t)n, ",\"replaces\":\"%s\"", old);
    l->tag = (int)chance_to(&w.tags, 2);
    if (w.most_a_minute > 0)
        n += snprintf(l->text + n, sizeof l->text - (size_t)n, ",\"tag\":\"%s\"", l->tag ? "alpha" : "mm");
    snprintf(l->text + n, sizeof l->text - (size_t)n, "}");
    l->order_line = true;
    l->opens = opens;
}

/* Returns the id of an order that was given before, mostly of a recent one. */
static const char *some_id(void)
{
    int n = w.lines - 1 - (int)chance_to(&w.chance, chance_in(&w.chance, 70) ? 6 : w.lines + 1);

    if (chance_in(&w.chance, 10) && w.orders > 0)
        return w.order[chance_to(&w.chance, w.orders)].id;
    for (; n >= 0; n--)
        if (w.line[n].order_line)
            return w.line[n].id;
    return "nobody";
}

static void make_line(struct line *l)
{
    const int n = (int)chance_to(&w.chance, 100);
    const struct symbol *s;
    char old[ID_MOST];

    snprintf(old, sizeof old, "%s", some_id());
    snprintf(l->id, sizeof l->id, "o%d", w.lines);
    l->symbol = (int)chance_to(&w.chance, SYMBOLS);
    s = &w.symbol[l->symbol];
    l->repeats = -1;
    if (n < 40) {
        l->kind = OPENS;
        l->quantity = 1 + chance_to(&w.chance, 120);
        order_text(l, true, false, s->price, NULL);
    } else if (n < 68) {
        l->kind = CLOSES;
        l->quantity = some_of(held(l->symbol, false));
        order_text(l, false, false, s->price, NULL);
    } else if (n < 76) {
        l->kind = STOPS;
        l->quantity = some_of(held(l->symbol, false));
        order_text(l, false, true, s->is_long ? s->price * 9 / 10 : s->price * 11 / 10, NULL);
    } else if (n < 92) {
        l->kind = CANCELS;
        memcpy(l->id, old, sizeof old);
        snprintf(l->text, sizeof l->text, "{\"op\":\"cancel\",\"clientOrderId\":\"%s\"}", old);
    } else {
        l->kind = REPLACES;
        l->quantity = chance_in(&w.chance, 50) ? 1 + chance_to(&w.chance, 120) : some_of(held(l->symbol, false));
        order_text(l, chance_in(&w.chance, 50), false, s->price, old);
    }
}

void trade_elsewhere(void)
{
    const int symbol = (int)chance_to(&w.chance, SYMBOLS);
    const struct symbol *s = &w.symbol[symbol];
    struct order like = { .symbol = symbol, .opens = chance_in(&w.chance, 50), .elsewhere = true, .price = s->price };

    if (!s->foreign)
        return;
    like.buy = like.opens == s->is_long;
    like.quantity = like.opens ? 1 + chance_to(&w.chance, 100) : held(symbol, false);
    snprintf(like.id, sizeof like.id, "x%d", w.orders);
    if (like.quantity > 0)
        (void)take_order(&like);
}

void give_line(int run, const struct line *again)
{
    struct line *l = &w.line[w.lines];

    if (w.lines == LINES_MOST || !w.run[run].alive)
        return;
    memset(l, 0, sizeof *l);
    if (again) {
        *l = *again;
        l->decisions = l->refusals = l->outcomes = 0;
        l->outcome[0] = '\0';
        l->decided_at = l->started_at = l->left_at = 0;
        l->repeats = (int)(again - w.line);
    } else {
        make_line(l);
    }
    l->run = run;
    l->number = ++w.run[run].lines;
    l->at = now_ms();
    w.lines++;
    tell("run %d, line %d: %s", run, l->number, l->text);
    judge_line(l);
    (void)!og_sender_line(w.run[run].s, l->text, strlen(l->text));
}
