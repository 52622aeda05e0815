/*
 * ordergate broker: decides a request before it is sent.  A request that the built-in policy refuses is not sent,
 * unless --force is given.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "ordergate/time.h"
#include "tools/common/broker.h"
#include "tools/common/json.h"
#include "tools/common/reload.h"

static void write_text(FILE *to, const char *key, const char *text)
{
    if (text)
        og_json(to, ",%s:%s", key, text);
}

/* Make the line that og_request_read() is to read; the caller frees it. */
static char *write_request(const struct broker *b, const struct broker_command *c, const char *account, size_t *len)
{
    const char *id = !b->field[FIELD_ID] && !c->run ? "new" : b->field[FIELD_ID]; /* the locate workflow makes an id
                                                                                   * itself */
    bool names_account = strcmp(c->op, "locate-quote") == 0 || strcmp(c->op, "locate-sell") == 0;
    char *text = NULL;
    FILE *to = open_memstream(&text, len);

    if (!to)
        return NULL;
    og_json(to, "{'op':%s", c->op);
    write_text(to, "endpoint", b->field[FIELD_WEEK] ? "GET history" : c->endpoint);
    write_text(to, names_account ? "account" : "accountId", account);
    write_text(to, c->check == og_check_cancel ? "clientOrderId" : "quoteReqID", id);
    write_text(to, "symbol", c->check == og_check_read ? NULL : b->field[FIELD_SYMBOL]);
    write_text(to, "locateType", c->run == broker_locate_sell ? b->field[FIELD_TYPE] : NULL);
    write_text(to, "startDate", b->field[FIELD_START]);
    for (int f = 1; f < FIELD_COUNT; f++)
        if (b->field[f] && (f == FIELD_QUANTITY || f == FIELD_DAYS || f == FIELD_LIMIT))
            fprintf(to, ",\"%s\":%lld", f == FIELD_DAYS ? "numberOfDays" : broker_field_name((enum broker_field)f),
                    b->number[f]);
    fputc('}', to);
    return fclose(to) == 0 ? text : NULL;
}

/* Print refusals and warnings; not warnings that are unsure because a fact is missing: no facts are loaded here. */
static void print_findings(const struct og_decision *d)
{
    for (int i = 0; i < d->count; i++) {
        const struct og_finding *f = &d->findings[i];

        if (f->level == OG_LEVEL_REFUSE || (f->level == OG_LEVEL_WARN && !f->unsure))
            fprintf(stderr, "%s: %s: %s [%s]\n", BROKER_PROGRAM, og_level_name(f->level), f->message, f->reason);
    }
}

/* --- the locate history, read before a quote ---------------------------------------------------------------------- */

#define COOLDOWN_NS \
    (30 * OG_NS_PER_S) /* minimum time between two quotes of a symbol, whatever became of the first quote */

struct before {
    int64_t now;  /* time by the service's clock if it is known, by the clock of this machine if not */
    int64_t wait; /* ns until the next quote is allowed; 0 if it is allowed at once, as far as is known */
};

/* Write a row with the time of the request for each earlier quote, also for rejected ones.  The caller frees the
 * text. */
static char *write_quotes(const struct og_locates *list, const char *symbol, struct before *before)
{
    char *text = NULL;
    size_t len = 0;
    FILE *to = open_memstream(&text, &len);
    char comma = '\0';
    int64_t at;

    if (!to)
        return NULL;
    og_json(to, "{'asOf':%s,'locateHistory':", og_time_text(before->now).s);
    fputs(list->answer.body, to);
    og_json(to, ",'gate':{'locateQuotes':[");
    for (size_t i = 0; i < list->count; i++) {
        const struct og_locate_info *row = &list->row[i];

        if (strcmp(row->symbol, symbol) != 0 || row->shares.coef < 0 || !row->created ||
            !og_time_read(row->created, strlen(row->created), &at))
            continue;
        og_json(to, "%c{'symbol':%s,'at':%s}", comma, row->symbol, row->created);
        comma = ',';
        if (at + COOLDOWN_NS - before->now > before->wait)
            before->wait = at + COOLDOWN_NS - before->now;
    }
    fputs("]}}", to);
    return fclose(to) == 0 ? text : NULL;
}

/* If the history cannot be read, the request is sent without this check. */
static struct before look_before(const struct broker *b, struct og_book *book, const char *account)
{
    struct before before = { og_time_now(), 0 };
    struct og_locates list = { 0 };
    char *text = NULL;

    if (og_client_locate_history(b->client, account, &list, NULL) == OG_OK) {
        if (list.answer.date != OG_TIME_UNKNOWN)
            before.now = list.answer.date;
        text = write_quotes(&list, b->field[FIELD_SYMBOL], &before);
    }
    if (text)
        (void)!og_book_apply(book, account, text, strlen(text), "the locate history", NULL);
    free(text);
    og_answer_clear(&list.answer);
    return before;
}

static bool found(const struct og_decision *d, const char *reason)
{
    for (int i = 0; i < d->count; i++)
        if (strcmp(d->findings[i].reason, reason) == 0)
            return true;
    return false;
}

static void say_nothing_was_sent(const struct og_decision *d, const struct before *before)
{
    long long seconds = (long long)((before->wait + OG_NS_PER_S - 1) / OG_NS_PER_S);

    if (seconds > 0 && found(d, "locate-cooldown"))
        fprintf(stderr, "%s: nothing was sent; ask again in %llds, or --force sends it all the same\n", BROKER_PROGRAM,
                seconds);
    else
        fprintf(stderr, "%s: nothing was sent; --force sends it all the same\n", BROKER_PROGRAM);
}

static int judge(const struct broker *b, const struct broker_command *c, struct og_book *book, const char *account)
{
    struct before before = { og_time_now(), 0 };
    struct og_scratch *scratch = og_scratch_new();
    struct og_request *request = og_request_new();
    struct og_decision decision;
    size_t len = 0;
    char *text = write_request(b, c, account, &len);
    int code = EXIT_IO;

    if (scratch && request && text && og_request_read(request, text, len) == OG_OK) {
        if (!c->run) /* look only for the workflow: a single call must not cause a second request */
            before = look_before(b, book, account);
        c->check(book, request, before.now, scratch, &decision);
        print_findings(&decision);
        code = decision.accepted || b->force ? 0 : EXIT_NO;
        if (code)
            say_nothing_was_sent(&decision, &before);
    } else {
        fprintf(stderr, "%s: out of memory\n", BROKER_PROGRAM);
    }
    free(text);
    og_request_free(request);
    og_scratch_free(scratch);
    return code;
}

/* Decide by the built-in policy and the floor.  Except the locate history there are no facts, so that mainly the form
 * of the request is checked. */
int broker_decide(const struct broker *b, const struct broker_command *c, const char *account)
{
    struct og_policy *policy = NULL;
    struct og_book *book = NULL;
    int code;

    if (load_policy(BROKER_PROGRAM, NULL, 0, &policy))
        return EXIT_UNUSABLE;
    if (og_book_new(policy, &book)) {
        og_policy_free(policy);
        fprintf(stderr, "%s: out of memory\n", BROKER_PROGRAM);
        return EXIT_IO;
    }
    code = judge(b, c, book, account);
    og_book_free(book);
    return code;
}
