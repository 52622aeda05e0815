/*
 * Asks the library for the status (ordergate/desk.h), at most once a second, and finds the parts of its document.
 */
#include "console/view.h"

#include "base/error.h"
#include "base/time.h"
#include "base/timeouts.h"

static int take(void *with, const char *line, size_t len)
{
    struct og_console_view *v = with;

    return v->doc || og_doc_read(line, len, "status", &v->doc, &v->err) != OG_OK;
}

static void find_parts(struct og_console_view *v)
{
    const cJSON *senders = og_doc_get(v->doc, "senders"), *ledgers = og_doc_get(v->doc, "ledgers");
    const cJSON *sender = senders ? senders->child : NULL, *snapshot = og_doc_get(sender, "snapshot");

    v->ledger = ledgers ? ledgers->child : NULL;
    v->snapshot = og_console_flag(sender, "answered") ? snapshot : NULL;
}

/* Put the present document away: the page shows its sender until the sender answers again. */
static void keep(struct og_console_view *v)
{
    if (v->snapshot) {
        cJSON_Delete(v->last);
        v->last = v->doc;
        v->last_snapshot = v->snapshot;
        v->last_at = v->looked_at;
    } else {
        cJSON_Delete(v->doc);
    }
    v->doc = NULL;
}

void og_console_look(struct og_console_view *v)
{
    const struct og_desk_options o = { .sender = v->sender, .wait_ms = OG_CONSOLE_WAIT_MS };
    bool needs;

    if (v->looked_at && og_time_up() - v->looked_at < OG_CONSOLE_LOOK_NS)
        return;
    keep(v);
    v->err = (struct og_error){ 0 };
    if (v->ask(&o, take, v, &needs, &v->err) == OG_OK && !v->doc)
        og_fail(&v->err, OG_ENOMEM, "out of memory");
    find_parts(v);
    v->number++;
    v->looked_at = og_time_up();
}

void og_console_look_anew(struct og_console_view *v)
{
    v->looked_at = 0;
}

void og_console_view_clear(struct og_console_view *v)
{
    cJSON_Delete(v->doc);
    cJSON_Delete(v->last);
    v->doc = v->last = NULL;
}

bool og_console_flag(const cJSON *object, const char *key)
{
    bool is = false;

    (void)og_doc_bool(object, key, &is);
    return is;
}

/* --- readiness ---------------------------------------------------------------------------------------------------- */

static void put_account_faults(const cJSON *a, struct og_buf *b)
{
    const struct og_str id = og_doc_str_or_empty(a, "accountId"), state = og_doc_str_or_empty(a, "state"),
                        stream = og_doc_str_or_empty(a, "stream");

    if (!og_str_is(state, "ready") || og_console_flag(a, "readingFails")) {
        og_buf_text(b, "facts: account ");
        og_buf_str(b, id);
        og_buf_text(b, og_str_is(state, "loading") ? " is being read\n" : " cannot be read\n");
    }
    if (!og_str_is(stream, "up")) {
        og_buf_text(b, "stream: of account ");
        og_buf_str(b, id);
        og_buf_text(b, " is not up: ");
        og_buf_str(b, stream);
        og_buf_char(b, '\n');
    }
}

void og_console_faults(const struct og_console_view *v, struct og_buf *b)
{
    const struct og_str ledger = og_doc_str_or_empty(v->ledger, "error");
    const cJSON *accounts = og_doc_get(v->snapshot, "accounts"), *a;

    if (!v->doc) {
        og_buf_text(b, "status: ");
        og_buf_text(b, v->err.text);
        og_buf_char(b, '\n');
        return;
    }
    if (!v->snapshot) {
        og_buf_text(b, "sender: it does not answer\n");
        return;
    }
    if (!og_str_is(og_doc_str_or_empty(v->snapshot, "keys"), "good"))
        og_buf_text(b, "keys: the broker has not taken them\n");
    if (og_doc_str_or_empty(v->snapshot, "fault").len)
        og_buf_text(b, "broker: it cannot be reached\n");
    if (!accounts || !accounts->child)
        og_buf_text(b, "facts: no account is known yet\n");
    cJSON_ArrayForEach (a, accounts)
        put_account_faults(a, b);
    if (ledger.len || !v->ledger) {
        og_buf_text(b, "ledger: ");
        og_buf_str(b, ledger.len ? ledger : OG_STR("none is open"));
        og_buf_char(b, '\n');
    }
    if (og_console_flag(v->snapshot, "reloadFailed"))
        og_buf_text(b, "policy: the newest does not load; the one before stays in force\n");
}
