/*
 * Signs of life of the running senders, for whoever watches them (ordergate/runs.h): the answer to the question for a
 * snapshot, which a sender's loop makes.
 */
#include <stdio.h>

#include "base/error.h"
#include "ordergate/runs.h"
#include "send/senders.h"
#include "text/doc.h"

struct hearing {
    og_pulse_listener *pulse;
    void *with;
};

/* An og_senders_snapshot. A sender whose loop is blocked answers without a run. */
static void on_answer(void *with, const struct og_senders_who *who, struct og_str json)
{
    const struct hearing *h = with;
    struct og_sender_pulse p = { .pid = who->process };
    struct og_str run;
    cJSON *doc = NULL;

    if (json.s && og_doc_read(json.s, json.len, "snapshot", &doc, NULL) == OG_OK && og_doc_str(doc, "run", &run) &&
        run.len < sizeof p.run) {
        p.turns = true;
        snprintf(p.run, sizeof p.run, "%.*s", (int)run.len, run.s);
    }
    cJSON_Delete(doc);
    h->pulse(h->with, &p);
}

enum og_status og_senders_pulse(int wait_ms, og_pulse_listener *pulse, void *with, struct og_error *err)
{
    struct hearing h = { .pulse = pulse, .with = with };

    return pulse ? og_senders_ask_status(0, wait_ms, on_answer, &h, err) : og_missing(err);
}
