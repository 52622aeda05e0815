/*
 * Fuzz: bytes as a scenario.  Errors have a code and a place inside the file, there is an error exactly if there is
 * no world, and a world that is made can be started, run for a moment and queried.
 */
#include <string.h>

#include "fuzz.h"
#include "paper/http.h"
#include "paper/paper.h"

#define NAME   "/nowhere/fuzz.yaml" /* so that relative names lead nowhere */
#define MOMENT (2 * OG_NS_PER_S)

struct seen {
    int lines, findings;
};

static void hear(void *with, const struct og_diagnostic *finding)
{
    struct seen *s = with;

    DEMAND(finding->code[0] && finding->text[0]);
    DEMAND(strcspn(finding->text, "\n\r\033") == strlen(finding->text));
    if (strcmp(finding->file, NAME) == 0)
        DEMAND(finding->line >= 1 && finding->line <= s->lines && finding->col >= 1);
    s->findings++;
}

/* A request with the first key pair: it is answered, whatever faults the scenario has. */
static void ask(struct og_paper *p)
{
    const struct og_paper_key *key = p->keys;
    struct og_paper_request request = { .method = OG_METHOD_GET, .path = OG_STR("/v1/api/accounts") };
    struct og_paper_reply reply = { .status = 0 };
    struct og_buf body;

    if (!key)
        return;
    og_buf_init(&body, 0);
    reply.body = &body;
    request.key = key->id;
    request.secret = key->secret;
    DEMAND(og_paper_serve(p, &request, &reply));
    DEMAND(reply.status >= 200 && reply.status < 600);
    og_buf_clear(&body);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t len)
{
    static const struct og_paper_options options = { .prefix = { "SVC", 3 }, .clock = { "2026-01-15T15:00:00Z", 20 } };
    struct og_paper_source source = { NAME, { (const char *)bytes, len } };
    struct seen seen = { .lines = 1 };
    struct og_error err = { .status = OG_OK };
    struct og_paper p;
    enum og_status status;

    for (size_t i = 0; i < len; i++)
        seen.lines += bytes[i] == '\n';
    status = og_paper_init(&p, &options, &source, hear, &seen, &err);
    DEMAND(status == OG_OK || status == OG_ESYNTAX);
    DEMAND((status == OG_OK) == (seen.findings == 0) && (status == OG_OK) == (err.status == OG_OK));
    if (status == OG_OK) {
        DEMAND(og_paper_start(&p));
        DEMAND(og_paper_clock_step(&p.clock, og_paper_clock_now(&p.clock) + MOMENT));
        ask(&p);
    }
    og_paper_clear(&p);
    return 0;
}
