/*
 * Records the outcome that a person states for an order if the broker could not tell it. Only orders of unknown outcome
 * can be resolved, since the broker has shown the outcome of all others.
 */
#include <stdio.h>

#include "base/error.h"
#include "ledger/view.h"
#include "ordergate/time.h"

struct settling {
    const struct og_ledger_settlement *said;
    struct og_buf account, run; /* account and run of the order's newest record */
    struct og_buf broker_id, code, text;
    struct og_ledger_row row;
    enum og_state was;
    bool alive;
};

static enum og_status check_words(struct settling *s, struct og_error *err)
{
    const struct og_ledger_settlement *said = s->said;

    if (!og_state_of(og_str_of(said->outcome), &s->row.state) ||
        (!og_state_is_final(s->row.state) && s->row.state != OG_WORKING) || s->row.state == OG_REFUSED)
        return og_fail(err, OG_EINVAL,
                       "an order cannot be settled as '%s'; allowed are not-sent, rejected, filled, canceled, "
                       "expired, done and working",
                       said->outcome);
    if (said->reason[strspn(said->reason, " \t\n")] == '\0')
        return og_fail(err, OG_EINVAL, "a reason is needed: how do you know that it is %s?", said->outcome);
    if (said->executed && (!og_money_read(said->executed, strlen(said->executed), &s->row.executed) ||
                           og_money_cmp(s->row.executed, og_money_from(0)) < 0))
        return og_fail(err, OG_EINVAL, "'%s' is not an executed quantity", said->executed);
    if (said->price && (!og_money_read(said->price, strlen(said->price), &s->row.price_avg) ||
                        og_money_cmp(s->row.price_avg, og_money_from(0)) < 0))
        return og_fail(err, OG_EINVAL, "'%s' is not a price", said->price);
    return OG_OK;
}

/* Find the order's account: the account that was named; if none was named, the only account that used the id. */
static enum og_status find_account(struct og_ledger *l, struct settling *s, struct og_error *err)
{
    sqlite3_stmt *q = og_ledger_query(
        l, "SELECT account FROM ids WHERE id = ?1 AND (?2 IS NULL OR account = ?2 COLLATE NOCASE)", err);
    enum og_status status;
    int count;

    og_ledger_bind(q, 1, og_str_of(s->said->id));
    og_ledger_bind(q, 2, og_str_of(s->said->account));
    status = og_ledger_accounts(l, q, &s->account, &count, err);
    if (status != OG_OK)
        return status;
    if (count == 0)
        return og_fail(err, OG_ENOENT,
                       "the ledger has no order '%s' ('ordergate ledger unknown' lists the orders to settle)",
                       s->said->id);
    if (count > 1)
        return og_fail(err, OG_EINVAL, "'%s' is an order of several accounts (%s): name one with --account",
                       s->said->id, s->account.s);
    return OG_OK;
}

static void copy(struct og_buf *to, struct og_str from, struct og_str *at)
{
    og_buf_str(to, from);
    *at = (struct og_str){ from.s ? to->s : NULL, to->len };
}

/* Copy the order's figures and texts into the new record, so that the order's newest record still has the text of the
 * first rejection. */
static void on_newest(void *with, const struct og_ledger_row *row)
{
    struct settling *s = with;

    s->was = row->state;
    og_buf_str(&s->run, row->run);
    copy(&s->broker_id, row->broker_id, &s->row.broker_id);
    copy(&s->code, row->code, &s->row.code);
    copy(&s->text, row->text, &s->row.text);
    if (!s->said->executed)
        s->row.executed = row->executed;
    if (!s->said->price)
        s->row.price_avg = row->price_avg;
}

static enum og_status check_state(const struct settling *s, struct og_error *err)
{
    if (s->run.bad || s->broker_id.bad || s->code.bad || s->text.bad)
        return og_fail(err, OG_ENOMEM, "out of memory");
    if (s->was == OG_INTENDED && s->alive)
        return og_fail(err, OG_EBUSY,
                       "order '%s' is being posted by run %s, which is still running and will learn the outcome",
                       s->said->id, s->run.s);
    if (s->was != OG_OUTCOME_UNKNOWN && s->was != OG_INTENDED)
        return og_fail(err, OG_EBUSY, "order '%s' is %s, not unknown: there is nothing to settle", s->said->id,
                       og_state_name(s->was));
    return OG_OK;
}

/* A filled order counts as executed in full unless the person states a quantity, which cannot exceed the order's own.
 * If the recorded body has no quantity, the last known executed quantity stays. */
static enum og_status check_executed(struct og_ledger *l, struct settling *s, struct og_error *err)
{
    sqlite3_stmt *q = og_ledger_query(l,
                                      "SELECT CASE WHEN json_valid(detail) THEN CAST(detail ->> 'orderQuantity' AS "
                                      "TEXT) END FROM rows"
                                      " WHERE account = ? AND id = ? AND record = 'intent' ORDER BY seq DESC LIMIT "
                                      "1",
                                      err);
    enum og_status status = OG_OK;
    struct og_str text = { NULL, 0 };
    struct og_money whole;
    bool known;

    og_ledger_bind(q, 1, (struct og_str){ s->account.s, s->account.len });
    og_ledger_bind(q, 2, og_str_of(s->said->id));
    if (og_ledger_next(l, q, &status, err))
        text = og_ledger_column(q, 0);
    known = text.s && og_money_read(text.s, text.len, &whole);
    sqlite3_finalize(q);
    if (status != OG_OK)
        return status;
    if (known && !s->said->executed && s->row.state == OG_FILLED)
        s->row.executed = whole;
    if (known && og_money_cmp(s->row.executed, whole) > 0)
        return og_fail(err, OG_EINVAL, "executed quantity %s of order '%s' exceeds its quantity of %s",
                       og_money_text(s->row.executed).s, s->said->id, og_money_text(whole).s);
    return OG_OK;
}

static enum og_status append(struct og_ledger *l, struct settling *s, struct og_error *err)
{
    struct og_buf detail;
    enum og_status status;

    og_buf_init(&detail, 0);
    og_buf_format(&detail, "{\"was\":\"%s\"", og_state_name(OG_OUTCOME_UNKNOWN));
    og_member_str(&detail, "by", og_str_of(s->said->by));
    og_member_str(&detail, "reason", og_str_of(s->said->reason));
    og_buf_char(&detail, '}');
    s->row.detail = (struct og_str){ detail.s, detail.len };
    if (s->text.len == 0) {
        og_buf_format(&s->text, "settled by %s: %s", s->said->by, s->said->reason);
        s->row.text = (struct og_str){ s->text.s, s->text.len };
    }
    s->row.at = og_time_now();
    s->row.account = (struct og_str){ s->account.s, s->account.len };
    s->row.id = og_str_of(s->said->id);
    s->row.record = "resolve";
    s->row.outcome = og_str_of(s->said->outcome);
    status = detail.bad || s->text.bad ? og_fail(err, OG_ENOMEM, "out of memory") : og_ledger_append(l, &s->row, err);
    og_buf_clear(&detail);
    return status;
}

static enum og_status settle(struct og_ledger *l, struct settling *s, struct og_error *err)
{
    struct og_ledger_known known;
    enum og_status status = og_ledger_begin(l, err);

    if (status != OG_OK || (status = find_account(l, s, err)) != OG_OK)
        return status;
    status = og_ledger_find(l, (struct og_str){ s->account.s, s->account.len }, og_str_of(s->said->id), &known,
                            on_newest, s, err);
    s->alive = known.alive;
    if (status != OG_OK || (status = check_state(s, err)) != OG_OK || (status = check_executed(l, s, err)) != OG_OK ||
        (status = append(l, s, err)) != OG_OK)
        return status;
    s->row.seq = l->head.seq;
    s->row.run = og_str_of(l->run);
    return og_ledger_commit(l, err);
}

/* Make the name of a run in which a person records something: the kind, and a random number. The runs of senders have
 * names of another form. */
static bool name_run(const char *kind, char *to, size_t size)
{
    unsigned char random[8];
    int n;

    if (!og_random(random, sizeof random))
        return false;
    n = snprintf(to, size, "%s-%02x%02x%02x%02x%02x%02x%02x%02x", kind, random[0], random[1], random[2], random[3],
                 random[4], random[5], random[6], random[7]);
    return n > 0 && (size_t)n < size;
}

enum og_status og_ledger_open_to_say(const char *path, const char *kind, struct og_ledger **l, struct og_error *err)
{
    /* og_ledger_peek() fails if there is no ledger; opening for writing would create one */
    enum og_status status = og_ledger_peek(path, l, err);
    char run[40];

    if (status != OG_OK)
        return status;
    og_ledger_close(*l);
    *l = NULL;
    return name_run(kind, run, sizeof run) ? og_ledger_open(path, og_str_of(run), l, err)
                                           : og_fail(err, OG_ENOMEM, "no random bytes");
}

enum og_status og_ledger_resolve(const char *path, const struct og_ledger_settlement *said, og_ledger_listener *line,
                                 void *with, struct og_error *err)
{
    struct settling s = { .said = said };
    struct og_buf *const bufs[] = { &s.account, &s.run, &s.broker_id, &s.code, &s.text };
    struct og_ledger *l = NULL;
    struct og_buf told;
    enum og_status status;

    if (!said || !said->id || !said->outcome || !said->reason || !said->by)
        return og_missing(err);
    og_buf_init(&told, 0);
    for (size_t i = 0; i < sizeof bufs / sizeof bufs[0]; i++)
        og_buf_init(bufs[i], 0);
    if ((status = check_words(&s, err)) == OG_OK &&
        (status = og_ledger_open_to_say(path, "resolve", &l, err)) == OG_OK && (status = settle(l, &s, err)) == OG_OK) {
        og_ledger_write_row(&told, &s.row, s.row.state);
        og_buf_char(&told, '}');
        status = og_ledger_tell(&told, line, with, err);
    }
    og_ledger_close(l);
    og_buf_clear(&told);
    for (size_t i = 0; i < sizeof bufs / sizeof bufs[0]; i++)
        og_buf_clear(bufs[i]);
    return status;
}
