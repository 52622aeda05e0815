/*
 * Halt and resume by forms. Who posts one must know the token, which is in a file of the user: a page of another site
 * and another user of the machine may reach the port, but they cannot read the file, and no cookie speaks for the
 * browser. A resume names the halt that it lifts by its time, so that a form that was posted before, or that was read
 * before somebody halted again, lifts nothing.
 */
#include "console/forms.h"

#include <limits.h>
#include <stdio.h>

#include "base/crypto.h"
#include "base/error.h"
#include "base/time.h"
#include "base/timeouts.h"
#include "console/page.h"
#include "ordergate/time.h"
#include "serve/form.h"
#include "serve/page.h"

/* The texts of a form as it was posted. */
struct given {
    char token[OG_CONSOLE_TOKEN + 1], reason[sizeof((struct og_halt *)0)->reason], scope[16],
        of[sizeof((struct og_halt *)0)->at];
};

static const struct {
    enum og_trading trading;
    const char *label;
} scopes[] = {
    { OG_TRADING_HALTED, "Orders that open; what only closes passes as the policy says" },
    { OG_TRADING_REDUCE_ONLY, "Orders that open; what reduces passes, whatever the policy says" },
    { OG_TRADING_HALTED_ALL, "Every order, also those that only close" },
};
#define SCOPES (sizeof scopes / sizeof scopes[0])

/* --- the pages ---------------------------------------------------------------------------------------------------- */

static void put(struct og_buf *b, const char *before, const char *text, const char *after)
{
    og_buf_text(b, before);
    og_serve_page_text(b, og_str_of(text));
    og_buf_text(b, after);
}

/* Write what the user's flag says; an unreadable one says that trading is halted. */
static void put_flag(const struct og_console_forms *f, const struct og_halt *now, const struct og_error *err,
                     struct og_buf *b)
{
    put(b, "<p>By the flag of this user trading is <strong>", f->halts.name(now->trading), "</strong>");
    if (now->at[0])
        put(b, " since ", now->at, "");
    if (now->by[0])
        put(b, " by ", now->by, "");
    if (now->reason[0])
        put(b, ": ", now->reason, "");
    og_buf_text(b, ".</p>");
    if (err->text[0])
        put(b, "<p class=\"bad\">✖ ", err->text, "</p>");
}

static void put_scopes(const struct og_console_forms *f, const char *scope, struct og_buf *b)
{
    og_buf_text(b, "<fieldset><legend>What is refused</legend>");
    for (size_t i = 0; i < SCOPES; i++) {
        const char *name = f->halts.name(scopes[i].trading);
        const bool is = scope[0] ? strcmp(scope, name) == 0 : i == 0;

        og_buf_format(b, "<label><input type=\"radio\" name=\"scope\" value=\"%s\"%s> %s (%s)</label>", name,
                      is ? " checked" : "", scopes[i].label, name);
    }
    og_buf_text(b, "</fieldset>");
}

static void put_fields(const struct og_console_forms *f, bool resume, const struct given *g, const struct og_halt *now,
                       struct og_buf *b)
{
    og_buf_format(b, "<form method=\"post\" action=\"%s\">", resume ? "/resume" : "/halt");
    if (resume)
        put(b, "<input type=\"hidden\" name=\"of\" value=\"", now->at, "\">");
    else
        put_scopes(f, g->scope, b);
    og_buf_format(b,
                  "<p class=\"text\"><label for=\"reason\">Reason%s</label><input id=\"reason\" name=\"reason\" "
                  "maxlength=\"%zu\" autocomplete=\"off\"%s value=\"",
                  resume ? ": why trading may go on" : " (not required)", sizeof g->reason - 1,
                  resume ? " required" : "");
    put(b, "", g->reason, "\"></p>");
    put(b,
        "<p class=\"text\"><label for=\"token\">Token</label><input id=\"token\" name=\"token\" type=\"password\" "
        "autocomplete=\"off\" required aria-describedby=\"where\"></p><p id=\"where\">The token of this run is the "
        "line "
        "in the file <code>",
        f->token_path, "</code>, which only its owner can read.</p>");
    og_buf_format(b, "<p><button>%s</button></p></form>", resume ? "Resume trading" : "Halt trading");
}

/* Write the page with the form. fault: why the form that was posted was not accepted; NULL: none was. */
static void put_form(const struct og_console_forms *f, bool resume, const struct given *g, const char *fault,
                     struct og_serve_reply *r)
{
    struct og_buf *b = r->body;
    struct og_halt now;
    struct og_error err = { 0 };

    (void)f->halts.read(NULL, &now, &err);
    og_serve_page_form_fields(r->fields);
    og_console_page_begin(b, resume ? "Resume trading" : "Halt trading", false);
    if (fault)
        put(b, "<p class=\"sum bad\" role=\"alert\">✖ ", fault, "</p>");
    put_flag(f, &now, &err, b);
    if (!f->token)
        put(b, "<p class=\"bad\">✖ This page cannot halt or resume: ", f->token_path,
            ". Use <code>ordergate halt</code> and <code>ordergate resume</code>.</p>");
    else if (resume && now.trading == OG_TRADING_ON)
        og_buf_text(b,
                    "<p>There is nothing to resume. A halt of the whole machine, and a latch that a limit tripped, are "
                    "resumed by <code>ordergate resume</code>.</p>");
    else {
        og_buf_text(b, resume
                           ? "<p>Every sender of this user goes on; other flags and latches stay.</p>"
                           : "<p>Every sender of this user obeys until somebody resumes. Orders that work stay where "
                             "they are: <code>ordergate halt --cancel-own</code> cancels them.</p>");
        put_fields(f, resume, g, &now, b);
    }
    og_console_page_end(b);
}

void og_console_form(const struct og_console_forms *f, bool resume, struct og_serve_reply *r)
{
    static const struct given none;

    r->status = 200;
    put_form(f, resume, &none, NULL, r);
}

/* --- what a form does --------------------------------------------------------------------------------------------- */

struct heard {
    int all, obeyed, elsewhere;
};

static void on_sender(void *with, const struct og_sender_heard *s)
{
    struct heard *h = with;

    h->all++;
    h->obeyed += s->obeyed;
    h->elsewhere += s->answered && !s->reads;
}

/* Ask the senders whether they obey the flag, and note in the view what came of it. */
static void note(const struct og_console_forms *f, bool resume, const struct og_halt *asked,
                 const struct og_halt *stands, struct og_console_view *v)
{
    char path[PATH_MAX];
    struct og_senders_question q = { .halt = stands, .path = path, .wait_ms = OG_CONSOLE_WAIT_MS };
    struct heard h = { 0 };
    struct og_error err = { 0 };

    if (f->halts.path(path, sizeof path, &err) == OG_OK)
        (void)f->halts.ask(&q, on_sender, &h, &err);
    v->failed = err.text[0] || (h.all && !h.obeyed) || (!resume && h.obeyed < h.all - h.elsewhere);
    snprintf(v->done, sizeof v->done, "%s at %s; %d of %d running senders that read this flag %s%s%.100s%s",
             f->halts.name(stands->trading), og_time_text(og_time_now()).s, h.obeyed, h.all - h.elsewhere,
             resume ? "go on" : "obeyed", err.text[0] ? "; " : "", err.text,
             stands->trading != asked->trading ? ". A stricter halt stood already, and stays" : "");
    og_console_look_anew(v);
}

/* Returns the HTTP status; if it is not 303, *fault says what is wrong. */
static int halt(const struct og_console_forms *f, const struct given *g, struct og_console_view *v,
                struct og_error *err)
{
    struct og_halt halt = { .trading = OG_TRADING_ON }, stands;

    for (size_t i = 0; i < SCOPES; i++)
        if (strcmp(g->scope, f->halts.name(scopes[i].trading)) == 0)
            halt.trading = scopes[i].trading;
    if (!g->scope[0])
        halt.trading = scopes[0].trading;
    if (halt.trading == OG_TRADING_ON) {
        og_fail(err, OG_EINVAL, "scope is not one of halted, reduce-only, halted-all");
        return 400;
    }
    memcpy(halt.reason, g->reason, sizeof halt.reason);
    if (f->halts.add(NULL, &halt, &stands, err) != OG_OK)
        return 500;
    note(f, false, &halt, &stands, v);
    return 303;
}

static int resume(const struct og_console_forms *f, const struct given *g, struct og_console_view *v,
                  struct og_error *err)
{
    struct og_halt halt = { .trading = OG_TRADING_ON }, now;

    if (!g->reason[strspn(g->reason, " ")]) {
        og_fail(err, OG_EINVAL, "The reason is missing: say why trading may go on");
        return 400;
    }
    (void)f->halts.read(NULL, &now, NULL); /* an unreadable flag halts, and has no time */
    if (now.trading == OG_TRADING_ON || strcmp(now.at, g->of) != 0) {
        og_fail(err, OG_EBUSY, "Not resumed: the halt that the form was about (of %s) is not the one that stands now",
                g->of[0] ? g->of : "an unknown time");
        return 409;
    }
    memcpy(halt.reason, g->reason, sizeof halt.reason);
    if (f->halts.write(NULL, &halt, err) != OG_OK)
        return 500;
    note(f, true, &halt, &halt, v);
    return 303;
}

void og_console_posted(const struct og_console_forms *f, bool is_resume, const struct og_serve_request *request,
                       struct og_console_view *v, struct og_serve_reply *r)
{
    struct given g = { .token = "" };
    const struct og_serve_field fields[] = { { "token", g.token, sizeof g.token },
                                             { "reason", g.reason, sizeof g.reason },
                                             is_resume ? (struct og_serve_field){ "of", g.of, sizeof g.of }
                                                       : (struct og_serve_field){ "scope", g.scope, sizeof g.scope } };
    struct og_error err = { 0 };
    const char *wrong = NULL;

    if (!og_serve_form_type(request->head->content_type)) {
        r->status = 415;
        wrong = "A form is posted as " OG_SERVE_FORM_TYPE;
    } else if ((wrong = og_serve_form_read(request->body, fields, sizeof fields / sizeof fields[0]))) {
        r->status = 400;
    } else if (!f->token || !og_same_secret(g.token, strlen(g.token), f->token, strlen(f->token))) {
        r->status = 403;
        wrong = "Nothing was done: the token is not that of this run";
    } else {
        r->status = is_resume ? resume(f, &g, v, &err) : halt(f, &g, v, &err);
        wrong = r->status == 303 ? NULL : err.text;
    }
    og_wipe(g.token, sizeof g.token);
    if (wrong) {
        put_form(f, is_resume, &g, wrong, r);
        return;
    }
    og_serve_page_form_fields(r->fields);
    og_buf_text(r->fields, "Location: /\r\n");
}
