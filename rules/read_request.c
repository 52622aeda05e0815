/*
 * read-request (1006): dates and pages of read requests.  A date has five forms in requests for the order history, one
 * form in requests for cash transactions.  Dates are not compared with the service's clock: a day far in the future is
 * valid, and its answer is empty.
 */
#include "rules/rule.h"

enum { R_DATE, R_PORTABLE, R_CLAMPED, R_DAYS };

static const struct og_reason reasons[] = {
    [R_DATE] = { .id = "date-form-invalid",
                 .level = OG_LEVEL_REFUSE,
                 OG_PREDICTS(SCHEMA, HTTP_404, STATED),
                 .says = "startDate {0} is not a date that {1} takes",
                 .help = "write YYYY-MM-DD",
                 .where = "P7, P26" },
    [R_PORTABLE] = { .id = "date-form-nonportable",
                     .level = OG_LEVEL_INFO,
                     .says = "startDate '{0}' is not written YYYY-MM-DD, which every endpoint takes",
                     .where = "P20-P24" },
    [R_CLAMPED] = { .id = "page-limit-clamped",
                    .level = OG_LEVEL_INFO,
                    OG_PREDICTS(NONE, ACCEPTED, STATED),
                    .says = "limit is {0}, the service gives {1} rows a page",
                    .help = "move the offset by the number of rows received, not by the limit",
                    .where = "P10, P28" },
    [R_DAYS] = { .id = "page-days-out-of-range",
                 .level = OG_LEVEL_WARN,
                 .predicts = OG_NOT_STATED,
                 .says = "numberOfDays is {0}, allowed are 1 to 365",
                 .where = "CON-42" },
};

/* The rest of a text that is still to be read. */
struct unread_text {
    const char *s;
    size_t len, at;
};

/* Read a number of `least` to `most` digits. */
static bool number(struct unread_text *t, size_t least, size_t most, int *n)
{
    size_t from = t->at;

    for (*n = 0; t->at < t->len && t->at - from < most && t->s[t->at] >= '0' && t->s[t->at] <= '9'; t->at++)
        *n = *n * 10 + (t->s[t->at] - '0');
    return t->at - from >= least;
}

static bool is(struct unread_text *t, char c)
{
    bool there = t->at < t->len && t->s[t->at] == c;

    t->at += there;
    return there;
}

/* Read "2026-01-02", with or without leading zeros; us: the year comes last. *exact: every number has its leading
 * zeros. */
static bool date(struct unread_text *t, bool us, bool *exact)
{
    size_t from = t->at;
    int year, month, day;
    bool ok =
        us ? number(t, 1, 2, &month) && is(t, '-') && number(t, 1, 2, &day) && is(t, '-') && number(t, 4, 4, &year)
           : number(t, 4, 4, &year) && is(t, '-') && number(t, 1, 2, &month) && is(t, '-') && number(t, 1, 2, &day);

    *exact = ok && !us && t->at - from == 10;
    return ok && og_date_exists(year, month, day);
}

/* Read "-05:00" or "+00:00"; the sign may be percent-encoded. */
static bool offset(struct unread_text *t)
{
    bool sign = is(t, '+') || is(t, '-');
    int hours, minutes;

    if (!sign && is(t, '%'))
        sign = is(t, '2') && (is(t, 'B') || is(t, 'b') || is(t, 'D') || is(t, 'd'));
    return sign && number(t, 2, 2, &hours) && is(t, ':') && number(t, 2, 2, &minutes) && hours < 24 && minutes < 60;
}

/* Read "T09:30:00Z", optionally with decimals of a second, and with an offset instead of Z. */
static bool time_of_day(struct unread_text *t)
{
    int hours, minutes, seconds, decimals;

    if (!is(t, 'T') || !number(t, 2, 2, &hours) || !is(t, ':') || !number(t, 2, 2, &minutes) || !is(t, ':') ||
        !number(t, 2, 2, &seconds) || hours > 23 || minutes > 59 || seconds > 60)
        return false;
    if (is(t, '.') && !number(t, 1, 9, &decimals))
        return false;
    return is(t, 'Z') || offset(t);
}

enum form { FORM_NONE, FORM_OTHER, FORM_PORTABLE };

static enum form form_of(struct og_str s)
{
    struct unread_text iso = { s.s, s.len, 0 }, us = iso;
    bool exact, ignored;

    if (date(&iso, false, &exact)) {
        if (iso.at == iso.len)
            return exact ? FORM_PORTABLE : FORM_OTHER;
        return exact && time_of_day(&iso) && iso.at == iso.len ? FORM_OTHER : FORM_NONE;
    }
    return date(&us, true, &ignored) && us.at == us.len ? FORM_OTHER : FORM_NONE;
}

static bool is_cash(const struct og_case *c)
{
    return c->request->endpoint == OG_ENDPOINT_CASH;
}

static void check_date(const struct og_case *c, struct og_sink *sink)
{
    const struct og_field *parsed = &c->request->field[OG_REQUEST_START_DATE];
    struct og_str text = og_request_text(c->request, OG_REQUEST_START_DATE);
    enum form form = form_of(text);

    if (form == FORM_PORTABLE || (form == FORM_OTHER && !is_cash(c))) {
        if (form == FORM_OTHER)
            OG_FIND(sink, &reasons[R_PORTABLE], "/startDate", og_a_str(text));
        return;
    }
    OG_FIND(sink, &reasons[R_DATE], "/startDate",
            parsed->text.len ? og_a_str(parsed->text)
                             : og_a_text(parsed->status == OG_ABSENT ? "(missing)" : "(empty)"),
            og_a_text(og_endpoints[c->request->endpoint].name));
}

static void check_pages(const struct og_case *c, struct og_sink *sink)
{
    const struct og_request *r = c->request;
    int64_t most = is_cash(c) ? 10000 : 100;
    const struct og_field *limit = &r->field[OG_REQUEST_LIMIT], *days = &r->field[OG_REQUEST_DAYS];
    struct og_money asked = r->number[OG_REQUEST_DAYS];

    if ((limit->status == OG_VALID && og_money_cmp(r->number[OG_REQUEST_LIMIT], og_money_from(most)) > 0) ||
        (limit->status == OG_TOO_LARGE && limit->text.s[0] != '-'))
        OG_FIND(sink, &reasons[R_CLAMPED], "/limit", og_a_str(limit->text), og_a_int(most));
    if (days->status == OG_TOO_LARGE || days->status == OG_WRONG_TYPE ||
        (days->status == OG_VALID &&
         (og_money_cmp(asked, og_money_from(1)) < 0 || og_money_cmp(asked, og_money_from(365)) > 0)))
        OG_FIND(sink, &reasons[R_DAYS], "/numberOfDays",
                days->text.len ? og_a_str(days->text) : og_a_text(days->json_type));
}

static void check(const struct og_case *c, const void *settings, struct og_sink *sink)
{
    enum og_endpoint endpoint = c->request->endpoint;

    (void)settings;
    if (!is_cash(c) && endpoint != OG_ENDPOINT_HISTORY && endpoint != OG_ENDPOINT_HISTORY_PAGES)
        return;
    check_date(c, sink);
    check_pages(c, sink);
}

const struct og_rule og_rule_read_request = {
    OG_PARTS_OF_FILE(read_request),
    .id = "read-request",
    .summary = "a read with a date or a page the service does not take as written",
    .because = "a date in another form answers 404 like a path that does not exist, and a clamped page loses rows",
    .stage = OG_STAGE_FORM,
    .subjects = OG_SUBJECT_READ,
};
