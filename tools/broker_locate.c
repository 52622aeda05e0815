/*
 * ordergate broker locate: runs the library's workflow, and prints its result as one JSON object.
 * The exit code is 0 only if shares were located.
 */
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tools/common/broker.h"
#include "tools/common/json.h"
#include "tools/common/messages.h"

static bool set_kind(const char *word, struct og_locate_wish *wish)
{
    wish->kind = OG_LOCATE_ANY;
    if (!word || strcmp(word, "any") == 0)
        return true;
    wish->kind = strcmp(word, "reusable") == 0 ? OG_LOCATE_REUSABLE : OG_LOCATE_SINGLE;
    return wish->kind == OG_LOCATE_REUSABLE || strcmp(word, "single-use") == 0;
}

static void write_offer(FILE *to, const struct og_locate_result *r)
{
    struct og_money cost;

    if (!r->has_row) {
        fputs(",\"offer\":null,\"cost\":null", to);
        return;
    }
    og_json(to, ",'offer':{'quoteReqID':%s,'locateStatus':%lld,'locateType':%lld,", r->row.quote_id,
            (long long)r->row.status, (long long)r->row.type);
    fprintf(to, "\"locateShares\":%s,\"filledShares\":%s,\"locatePrice\":%s", og_money_text(r->row.shares).s,
            og_money_text(r->row.filled).s, og_money_text(r->row.price).s);
    og_json(to, ",'text':%s},'cost':", r->row.text);
    if (r->end == OG_LOCATED && og_money_mul(r->row.price, r->row.shares, &cost))
        fputs(og_money_text(cost).s, to);
    else
        fputs("null", to);
}

static void write_stock(FILE *to, const struct og_locate_result *r)
{
    if (!r->has_stock) {
        fputs(",\"inventory\":null}", to);
        return;
    }
    fprintf(to, ",\"inventory\":{\"available\":%s,\"sold\":%s,\"toBeSold\":%s,\"unavailable\":%s,\"locateType\":%lld}}",
            og_money_text(r->stock.available).s, og_money_text(r->stock.sold).s, og_money_text(r->stock.to_be_sold).s,
            og_money_text(r->stock.unavailable).s, (long long)r->stock.type);
}

static int write_result(struct broker *b, const char *account, const struct og_locate_wish *wish,
                        const struct og_locate_result *r)
{
    char *text = NULL;
    size_t len = 0;
    FILE *to = open_memstream(&text, &len);
    int code;

    if (!to)
        return EXIT_IO;
    og_json(to, "{'outcome':%s,'accountId':%s,'symbol':%s,'quantity':%lld,'maxPrice':", og_locate_end_name(r->end),
            account, wish->symbol, (long long)wish->quantity);
    fputs(og_money_text(wish->most).s, to);
    og_json(to, ",'quoteReqID':%s", r->quote_id);
    fprintf(to, ",\"accepted\":%s", r->accepted ? "true" : "false");
    write_offer(to, r);
    write_stock(to, r);
    code = fclose(to) == 0 ? broker_print(b, text, len) : EXIT_IO;
    free(text);
    return code;
}

static void say_end(const struct og_locate_result *r)
{
    static const char *const words[] = {
        [OG_LOCATED] = "",
        [OG_LOCATE_TOO_DEAR] = "every offer costs more than --max-price; the quote was canceled",
        [OG_LOCATE_NOT_OFFERED] = "there is no such offer",
        [OG_LOCATE_RAN_OUT] = "the offer ran out before it was taken; nothing is charged",
        [OG_LOCATE_GAVE_UP] = "no offer came in time; the quote was canceled",
        [OG_LOCATE_UNKNOWN] = "the offer was accepted, but not confirmed; see locate-history",
    };
    const char *more = r->has_row && r->row.text ? r->row.text : r->answer.text ? r->answer.text : "";

    if (r->end != OG_LOCATED && r->end != OG_LOCATE_NOT_ASKED)
        fprintf(stderr, "%s: %s%s%s\n", BROKER_PROGRAM, words[r->end], *more ? ": " : "", more);
}

static struct og_client *stoppable; /* the client that the signal handler stops */

static void stop(int signal)
{
    (void)signal;
    og_client_stop(stoppable);
}

int broker_locate(struct broker *b, const char *account)
{
    struct og_locate_wish wish = { .symbol = b->field[FIELD_SYMBOL],
                                   .quantity = b->number[FIELD_QUANTITY],
                                   .most = b->price,
                                   .quote_id = b->field[FIELD_ID],
                                   .wait_ns = b->duration[FIELD_WAIT],
                                   .every_ns = b->duration[FIELD_POLL] };
    struct sigaction action = { .sa_handler = stop };
    struct og_locate_result result = { 0 };
    struct og_error err = { 0 };
    enum og_status status;
    int code, written;

    if (!set_kind(b->field[FIELD_TYPE], &wish))
        return og_bad_usage(BROKER_PROGRAM, "--type", b->field[FIELD_TYPE], "any, reusable or single-use");
    stoppable = b->client;
    sigaction(SIGINT, &action, NULL);
    sigaction(SIGTERM, &action, NULL);
    status = og_client_locate(b->client, account, &wish, &result, &err);
    code = status                            ? broker_exit_code(status)
           : result.end == OG_LOCATED        ? 0
           : result.end == OG_LOCATE_UNKNOWN ? EXIT_UNKNOWN
                                             : EXIT_NO;
    signal(SIGINT, SIG_DFL);
    signal(SIGTERM, SIG_DFL);
    written = status == OG_EINVAL ? 0 : write_result(b, account, &wish, &result);
    if (status)
        og_say(BROKER_PROGRAM, &err, code);
    else
        say_end(&result);
    og_answer_clear(&result.answer);
    return code ? code : written;
}
