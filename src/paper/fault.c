/*
 * The list of injected faults. Each fault first lets a number of matching requests pass, then spoils a number of
 * requests, and is then removed. Faults with a probability use the seeded generator, so that with the same seed the
 * same calls have the same faults.
 */
#include "paper/fault.h"

#include <stdlib.h>

#include "base/time.h"
#include "paper/hub.h"
#include "paper/paper.h"
#include "paper/prng.h"
#include "text/doc.h"

#define MOST_FAULTS 1000
#define LATE        "late"
/* name of the request that places an order; the fault LATE applies only to this request */
#define PLACES "POST order"

struct item {
    char on[64];
    int kind; /* index in kinds[] */
    struct og_paper_fault fault;
    int64_t after, count;
    int64_t chance; /* probability that the fault spoils a matching request, in millionths; OG_DEC_ONE means always */
    uint64_t numbers;
    struct item *next;
};

struct og_paper_faults {
    struct item *first;
    size_t count;
    uint64_t added; /* number of faults that were ever added; because of it, two faults for one request get different
                     * random numbers */
};

static const struct {
    const char *name;
    bool stream;
    enum og_paper_fault_action action;
    bool effect;
    enum og_paper_frame_fault frame;
} kinds[] = {
    { "drop-request", false, OG_PAPER_FAULT_DROP, false, OG_FRAME_AS_IS },
    { "drop-reply", false, OG_PAPER_FAULT_DROP, true, OG_FRAME_AS_IS },
    { "hang", false, OG_PAPER_FAULT_HANG, true, OG_FRAME_AS_IS },
    { "reset", false, OG_PAPER_FAULT_RESET, true, OG_FRAME_AS_IS },
    { "truncate", false, OG_PAPER_FAULT_TRUNCATE, true, OG_FRAME_AS_IS },
    { "delay", false, OG_PAPER_FAULT_DELAY, true, OG_FRAME_AS_IS },
    { "status", false, OG_PAPER_FAULT_NONE, false, OG_FRAME_AS_IS },
    { LATE, false, OG_PAPER_FAULT_NONE, true, OG_FRAME_AS_IS },
    { "drop-frame", true, OG_PAPER_FAULT_NONE, false, OG_FRAME_DROP },
    { "duplicate-frame", true, OG_PAPER_FAULT_NONE, false, OG_FRAME_TWICE },
    { "reorder-frame", true, OG_PAPER_FAULT_NONE, false, OG_FRAME_LATE },
    { "disconnect", true, OG_PAPER_FAULT_NONE, false, OG_FRAME_CUT },
};
#define KINDS (sizeof(kinds) / sizeof(kinds[0]))

const char og_paper_fault_no_memory[] = "out of memory";

static const char *const streams[] = { "stream portfolio", "stream pnl" };

bool og_paper_fault_init(struct og_paper *p)
{
    p->faults = calloc(1, sizeof *p->faults);
    return p->faults != NULL;
}

static void free_items(struct item *item)
{
    struct item *next;

    for (; item; item = next) {
        next = item->next;
        free(item);
    }
}

void og_paper_fault_clear(struct og_paper *p)
{
    free_items(p->faults->first);
    p->faults->first = NULL;
    p->faults->count = 0;
}

void og_paper_fault_free(struct og_paper *p)
{
    if (p->faults)
        og_paper_fault_clear(p);
    free(p->faults);
    p->faults = NULL;
}

static int stream_of(const char *on)
{
    return strcmp(on, streams[0]) == 0 ? 0 : strcmp(on, streams[1]) == 0 ? 1 : -1;
}

static const char *read_numbers(const cJSON *doc, struct item *item)
{
    static const struct og_paper_setting likely = {
        .key = "chance", .kind = OG_SETTING_SHARE, .least = "0%", .most = "100%"
    };
    struct og_str delay, chance;
    int64_t status = 503;
    char why[100];

    item->chance = OG_DEC_ONE;
    if (og_doc_get(doc, "chance") && (!og_doc_str(doc, "chance", &chance) ||
                                      !og_paper_setting_parse(&likely, chance, NULL, &item->chance, why, sizeof why)))
        return "'chance' must be a text from 0% to 100%";
    item->count = og_doc_get(doc, "chance") ? INT64_MAX : 1;
    if ((og_doc_get(doc, "count") && !og_doc_int(doc, "count", &item->count)) || item->count < 1)
        return "'count' must be a whole number from 1";
    if ((og_doc_get(doc, "after") && !og_doc_int(doc, "after", &item->after)) || item->after < 0)
        return "'after' must be a whole number from 0";
    if ((og_doc_get(doc, "status") && !og_doc_int(doc, "status", &status)) || status < 200 || status > 599)
        return "'status' must be from 200 to 599";
    item->fault.status = (int)status;
    item->fault.delay_ns = OG_NS_PER_S;
    if (og_doc_get(doc, "delay") &&
        (!og_doc_str(doc, "delay", &delay) || !og_duration_read(delay.s, delay.len, &item->fault.delay_ns)))
        return "'delay' must be a duration such as 500ms, 2s, 5m";
    return NULL;
}

static bool is_late(int kind)
{
    return strcmp(kinds[kind].name, LATE) == 0;
}

static bool is_known_target(const char *on)
{
    return strcmp(on, "*") == 0 || stream_of(on) >= 0 || og_endpoint_find(og_str_of(on)) != OG_ENDPOINTS;
}

static const char *read_item(const cJSON *doc, struct item *item)
{
    struct og_str on, does;
    size_t k;

    if (og_doc_str(doc, "on", &on) && on.len < sizeof item->on)
        memcpy(item->on, on.s, on.len);
    if (!is_known_target(item->on))
        return "'on' must be '*', 'stream portfolio', 'stream pnl' or a request named in man ordergate-paper "
               "('POST order')";
    if (!og_doc_str(doc, "do", &does))
        return "'do' is missing";
    for (k = 0; k < KINDS && !og_str_is(does, kinds[k].name); k++)
        ;
    if (k == KINDS)
        return "'do' must be one of drop-request, drop-reply, hang, reset, truncate, delay, status, late, drop-frame, "
               "duplicate-frame, reorder-frame, disconnect";
    if (is_late((int)k) && strcmp(item->on, PLACES) != 0)
        return "'late' is only for 'POST order'";
    if (kinds[k].stream != (stream_of(item->on) >= 0))
        return kinds[k].stream ? "this 'do' is only for 'stream portfolio' or 'stream pnl'"
                               : "this 'do' is only for requests";
    item->kind = (int)k;
    item->fault.action = kinds[k].action;
    item->fault.effect = kinds[k].effect;
    return read_numbers(doc, item);
}

/* Make a fault from its document. Returns NULL, with the text in *wrong that says why. */
static struct item *make_item(const cJSON *doc, const char **wrong)
{
    struct item *item = calloc(1, sizeof *item);

    *wrong = item ? read_item(doc, item) : og_paper_fault_no_memory;
    if (*wrong) {
        free(item);
        item = NULL;
    }
    return item;
}

/* Add a fault to the list, which takes it over; or, if it only cuts connections, do that now instead of waiting for the
 * next frame. */
static void add_item(struct og_paper *p, struct item *item)
{
    struct item **end = &p->faults->first;

    if (kinds[item->kind].frame == OG_FRAME_CUT && item->after == 0 && item->chance == OG_DEC_ONE &&
        item->count < INT64_MAX) {
        og_paper_hub_disconnect(p, (enum og_paper_stream)stream_of(item->on));
        free(item);
        return;
    }
    while (*end)
        end = &(*end)->next;
    item->next = NULL;
    *end = item;
    item->numbers = og_paper_prng_init(p->options.seed + p->faults->added++, og_str_of(item->on));
    p->faults->count++;
}

static const char too_many[] = "too many faults are pending";

const char *og_paper_fault_add(struct og_paper *p, const cJSON *doc)
{
    const char *wrong;
    struct item *item = make_item(doc, &wrong);

    if (item && p->faults->count >= MOST_FAULTS) {
        free(item);
        return too_many;
    }
    if (item)
        add_item(p, item);
    return wrong;
}

static bool is_same_fault(const struct item *a, const struct item *b)
{
    return strcmp(a->on, b->on) == 0 && a->kind == b->kind && a->fault.status == b->fault.status &&
           a->fault.delay_ns == b->fault.delay_ns && a->after == b->after && a->count == b->count &&
           a->chance == b->chance;
}

static bool are_same_faults(const struct item *a, const struct item *b)
{
    for (; a && b && is_same_fault(a, b); a = a->next, b = b->next)
        ;
    return !a && !b;
}

const char *og_paper_fault_replace(struct og_paper *p, const cJSON *list)
{
    struct item *first = NULL, **end = &first, *item, *next;
    const char *wrong = cJSON_GetArraySize(list) > MOST_FAULTS ? too_many : NULL;
    const cJSON *doc;

    cJSON_ArrayForEach (doc, list) {
        if (!wrong && (item = make_item(doc, &wrong))) {
            *end = item;
            end = &item->next;
        }
    }
    if (wrong || are_same_faults(first, p->faults->first)) { /* the same faults keep their random numbers */
        free_items(first);
        return wrong;
    }
    og_paper_fault_clear(p);
    for (item = first; item; item = next) {
        next = item->next;
        add_item(p, item);
    }
    return NULL;
}

void og_paper_fault_write(const struct og_paper *p, struct og_buf *b)
{
    og_buf_char(b, '[');
    for (const struct item *item = p->faults->first; item; item = item->next) {
        const bool endless = item->count == INT64_MAX;

        og_member_key(b, NULL);
        og_buf_char(b, '{');
        og_member_text(b, "on", item->on);
        og_member_text(b, "do", kinds[item->kind].name);
        if (strcmp(kinds[item->kind].name, "status") == 0)
            og_member_int(b, "status", item->fault.status);
        if (item->fault.action == OG_PAPER_FAULT_DELAY || is_late(item->kind))
            og_member_text(b, "delay", og_duration_text(item->fault.delay_ns).s);
        if (!endless)
            og_member_int(b, "count", item->count);
        og_member_int(b, "after", item->after);
        if (endless || item->chance != OG_DEC_ONE)
            og_member_text(b, "chance", og_paper_share_text(item->chance).s);
        og_buf_char(b, '}');
    }
    og_buf_char(b, ']');
}

/* Find the first fault for requests of this name that spoils this request. Faults before it let the request pass, and
 * their counts of requests to pass are lowered. any: faults for "*" match too; late: find only faults LATE, otherwise
 * only others. */
static bool find_fault(struct og_paper *p, const char *name, bool any, bool late, struct item *taken)
{
    struct item **at = &p->faults->first, *item;

    while ((item = *at)) {
        if (is_late(item->kind) != late || (strcmp(item->on, name) != 0 && !(any && strcmp(item->on, "*") == 0))) {
            at = &item->next;
            continue;
        }
        if (item->after > 0) {
            item->after--;
            at = &item->next;
            continue;
        }
        if (og_paper_prng_below(&item->numbers, OG_DEC_ONE) >= (uint64_t)item->chance) {
            at = &item->next;
            continue;
        }
        *taken = *item;
        if (--item->count == 0) {
            *at = item->next;
            free(item);
            p->faults->count--;
        }
        return true;
    }
    return false;
}

bool og_paper_fault_next(struct og_paper *p, const char *name, struct og_paper_fault *fault)
{
    struct item taken;

    if (!find_fault(p, name, true, false, &taken))
        return false;
    *fault = taken.fault;
    return true;
}

int64_t og_paper_fault_registration_delay(struct og_paper *p, const char *name)
{
    struct item taken;

    return find_fault(p, name, false, true, &taken) ? taken.fault.delay_ns : 0;
}

enum og_paper_frame_fault og_paper_fault_frame(struct og_paper *p, const char *stream)
{
    struct item taken;

    return find_fault(p, stream, false, false, &taken) ? kinds[taken.kind].frame : OG_FRAME_AS_IS;
}
