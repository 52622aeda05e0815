/*
 * Borrow checks: when a short sale needs it, asks the broker whether the symbol can be borrowed.
 */
#include <stdlib.h>

#include "base/error.h"
#include "send/sender.h"
#include "text/doc.h"
#include "wire/read.h"

/* Put an answer into the book together with the answers for all other symbols so far, since a document replaces the
 * whole map. */
static void tell_borrow(struct og_account_state *a, struct og_borrow_state *now, bool easy)
{
    struct og_sender *s = a->sender;
    struct og_error err = { 0 };
    struct og_buf b;

    now->easy = easy;
    og_buf_init(&b, 0);
    og_buf_text(&b, "{\"borrow\":{");
    for (struct og_borrow_state *w = a->borrow; w; w = w->next) {
        if (w->at == 0)
            continue;
        if (b.s[b.len - 1] != '{')
            og_buf_char(&b, ',');
        og_buf_json_str(&b, og_str_of(w->symbol));
        og_buf_format(&b, ":{\"easy\":%s,\"asOf\":\"%s\"}", w->easy ? "true" : "false",
                      og_time_text(og_clock_at(&s->clock, w->at)).s);
    }
    og_buf_text(&b, "}}");
    og_send_distrust_future(s);
    if (b.bad || og_book_apply(s->book, a->id, b.s, b.len, "the borrow checks", &err) != OG_OK)
        og_send_warn(s, "borrow check of '%s': %s", now->symbol, err.text);
    og_buf_clear(&b);
}

static void on_borrow(void *with, const struct og_call_reply *reply)
{
    struct og_borrow_state *w = with;
    struct og_sender *s = w->account->sender;
    cJSON *doc = NULL;
    bool easy = false;

    og_clock_hear(&s->clock, reply->date_ns, reply->began_ns, reply->ended_ns);
    w->asking = false;
    w->failed_at = og_time_up();
    if (reply->end == OG_CALL_ANSWERED && reply->status == 200 &&
        og_doc_read(reply->body, reply->len, "borrow check", &doc, NULL) == OG_OK && og_wire_borrow(doc, &easy)) {
        w->failed_at = 0;
        w->at = reply->began_ns;
        tell_borrow(w->account, w, easy);
    }
    cJSON_Delete(doc);
    og_send_wake(s);
}

bool og_send_borrow_known(struct og_account_state *a, const char *symbol, uint64_t from)
{
    struct og_borrow_state *w = a->borrow;
    size_t len = strlen(symbol);

    while (w && strcmp(w->symbol, symbol) != 0)
        w = w->next;
    if (!w) {
        if (!(w = calloc(1, sizeof *w + len + 1)))
            return true; /* without an answer the symbol is neither easy nor hard to borrow: the policy says what that
                          * means */
        memcpy(w->symbol, symbol, len);
        w->account = a;
        w->next = a->borrow;
        a->borrow = w;
    }
    if (w->asking)
        return false;
    /* one answer or failure after `from` is enough for an order, however long the order then waits for other facts.
     * Otherwise the borrow check could grow old while the order waits for a locate, and the locate while it waits for a
     * new borrow check, for ever */
    if (w->failed_at > from || w->at > from || (w->at != 0 && og_time_up() - w->at < OG_BORROW_OLD_NS))
        return true;
    w->asking = og_broker_call(a->sender->broker, OG_ENDPOINT_BORROW, og_str_of(a->id), og_str_of(symbol), NULL, 0,
                               OG_READ_WAIT_MS, on_borrow, w, NULL) == OG_OK;
    return !w->asking;
}

bool og_send_is_easy(const struct og_account_state *a, const char *symbol)
{
    const struct og_borrow_state *w = a->borrow;

    while (w && strcmp(w->symbol, symbol) != 0)
        w = w->next;
    return w && w->at != 0 && w->easy;
}

void og_send_borrow_free(struct og_account_state *a)
{
    struct og_borrow_state *w;

    while ((w = a->borrow)) {
        a->borrow = w->next;
        free(w);
    }
}
