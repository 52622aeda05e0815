/*
 * Makes a facts document from the ledger's records, so that an offline check knows which orders were sent: used ids,
 * orders in flight, orders of unknown outcome.  Working orders are left out: the broker's list has them, with their
 * fills.
 */
#include "base/error.h"
#include "ledger/view.h"
#include "ordergate/time.h"

struct making {
    struct og_buf *b;
    enum og_state state; /* the state of the orders that are written now; OG_POSTED stands for intended orders too */
    bool first;
    struct og_ledger *ledger;
    struct og_error *err;
};

static void comma(struct making *m)
{
    if (!m->first)
        og_buf_char(m->b, ',');
    m->first = false;
}

/* Write the order as it was posted; if the ledger does not have the order's body, write only its id. */
static enum og_status write_order(void *with, const struct og_ledger_seen_row *seen)
{
    struct making *m = with;
    bool in_flight = seen->state == OG_INTENDED || seen->state == OG_POSTED;
    enum og_status status;
    size_t before;

    if (m->state == OG_POSTED ? !in_flight : seen->state != m->state)
        return OG_OK;
    comma(m);
    before = m->b->len;
    status = og_ledger_body(m->ledger, seen->row.account, seen->row.id, m->b, m->err);
    if (m->b->len == before)
        og_buf_json_str(m->b, seen->row.id);
    return status;
}

static enum og_status write_orders(struct og_ledger *l, struct making *m, const char *key, enum og_state state,
                                   const char *account, struct og_error *err)
{
    enum og_status status;
    long long count;

    m->state = state;
    m->first = true;
    og_buf_format(m->b, "\"%s\":[", key);
    status = og_ledger_walk(l, state == OG_OUTCOME_UNKNOWN ? OG_LEDGER_OPEN : OG_LEDGER_LIST, account, NULL,
                            write_order, m, &count, err);
    og_buf_char(m->b, ']');
    return status;
}

static enum og_status write_used(struct og_ledger *l, struct making *m, const char *account, struct og_error *err)
{
    sqlite3_stmt *s = og_ledger_query(l, "SELECT id FROM ids WHERE account = ? ORDER BY seq", err);
    enum og_status status = OG_OK;

    og_ledger_bind(s, 1, og_str_of(account));
    m->first = true;
    while (og_ledger_next(l, s, &status, err)) {
        comma(m);
        og_buf_json_str(m->b, og_ledger_column(s, 0));
    }
    sqlite3_finalize(s);
    return status;
}

static enum og_status write_latches(struct og_ledger *l, struct making *m, const char *account, struct og_error *err)
{
    struct og_ledger_latched latched;
    enum og_status status = og_ledger_latches_of(l, og_str_of(account), &latched, err);

    m->first = true;
    og_buf_text(m->b, ",\"latches\":[");
    for (int i = 0; status == OG_OK && i < OG_LATCHES; i++) {
        if (!latched.latch[i].name)
            continue;
        comma(m);
        og_buf_text(m->b, "{\"accountId\":");
        og_buf_json_str(m->b, og_str_of(account));
        og_ledger_write_latch(m->b, &latched.latch[i]);
        og_buf_char(m->b, '}');
    }
    og_buf_char(m->b, ']');
    return status;
}

static enum og_status write_document(struct og_ledger *l, struct making *m, const char *account, struct og_error *err)
{
    enum og_status status;

    og_buf_format(m->b, "{\"asOf\":\"%s\"", og_time_text(og_time_now()).s);
    og_member_str(m->b, "accountId", og_str_of(account));
    og_buf_text(m->b, ",\"usedClientOrderIds\":[");
    if ((status = write_used(l, m, account, err)) != OG_OK)
        return status;
    og_buf_text(m->b, "],\"gate\":{");
    if ((status = write_orders(l, m, "inFlight", OG_POSTED, account, err)) != OG_OK)
        return status;
    og_buf_char(m->b, ',');
    if ((status = write_orders(l, m, "unknown", OG_OUTCOME_UNKNOWN, account, err)) != OG_OK)
        return status;
    status = write_latches(l, m, account, err);
    og_buf_text(m->b, "}}");
    return status;
}

/* Choose the account: the named one, if the ledger has records of it; if none is named, the only account of the
 * ledger. */
static enum og_status choose(struct og_ledger *l, const char *named, struct og_buf *account, struct og_error *err)
{
    sqlite3_stmt *s =
        og_ledger_query(l, OG_LEDGER_ACCOUNTS " AND (?1 IS NULL OR account = ?1 COLLATE NOCASE) ORDER BY 1", err);
    enum og_status status;
    int count;

    og_ledger_bind(s, 1, og_str_of(named));
    status = og_ledger_accounts(l, s, account, &count, err);
    if (status != OG_OK)
        return status;
    if (count == 0)
        return og_fail(err, OG_ENOENT, "the ledger has no record of %s%s", named ? "account " : "any account",
                       named ? named : "");
    if (count > 1)
        return og_fail(err, OG_EINVAL, "the ledger has several accounts (%s): name one with --account", account->s);
    return OG_OK;
}

enum og_status og_ledger_facts(struct og_ledger *l, const char *account, og_ledger_listener *line, void *with,
                               struct og_error *err)
{
    struct og_buf b, chosen;
    struct making m = { .b = &b, .ledger = l, .err = err };
    enum og_status status;

    if (!l)
        return og_missing(err);
    og_buf_init(&b, 0);
    og_buf_init(&chosen, 0);
    if (sqlite3_exec(l->db, "BEGIN", NULL, NULL, NULL) != SQLITE_OK)
        return og_ledger_failed(l, "read", err);
    status = choose(l, account, &chosen, err);
    if (status == OG_OK && (status = write_document(l, &m, chosen.s, err)) == OG_OK)
        status = og_ledger_tell(&b, line, with, err);
    sqlite3_exec(l->db, "COMMIT", NULL, NULL, NULL);
    og_buf_clear(&chosen);
    og_buf_clear(&b);
    return status;
}
