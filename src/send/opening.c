/*
 * Opens the ledger that a sender works on. Rejects a ledger whose records do not match their hashes, unless the user
 * accepted that damage. For live accounts, also rejects a ledger on a file system that is lost at a restart.
 */
#include "base/error.h"
#include "ledger/place.h"
#include "send/event.h"
#include "send/sender.h"

#define MANY_RECORDS 500000 /* from this number of records on, checking them takes seconds */

/* Check the ledger against its hashes. A person must accept any damage before the run goes on, since the records decide
 * which ids are used and which orders are working. */
static enum og_status check_ledger(struct og_sender *s, struct og_error *err)
{
    struct og_ledger_damage damage;
    struct og_ledger_head head;
    enum og_status status;

    if (og_ledger_head(s->ledger, &head, NULL) == OG_OK && head.seq >= MANY_RECORDS)
        og_send_say(s, "the ledger's %lld records are checked first", (long long)head.seq);
    if ((status = og_ledger_damage(s->ledger, &damage, err)) != OG_OK || damage.faults == 0)
        return status;
    if (!damage.accepted && !s->options.accept_damage)
        return og_fail(err, OG_ELEDGER,
                       "the ledger is damaged: %s (%lld faults; see 'ordergate ledger verify'); restore a backup, or "
                       "give --accept-damage",
                       damage.first, damage.faults);
    og_send_warn(s, "the ledger is damaged: %s (%lld faults); accepted%s", damage.first, damage.faults,
                 damage.accepted ? " before" : "");
    return damage.accepted || og_send_record_damage(s, &damage) ? OG_OK : og_fail(err, OG_ELEDGER, "%s", s->fault.text);
}

static enum og_status look_into_ledger(struct og_sender *s, struct og_error *err)
{
    struct og_error none = { 0 };
    enum og_status status = og_ledger_peek(s->options.ledger, &s->ledger, &none);

    if (status == OG_OK)
        return check_ledger(s, err);
    return status == OG_ENOENT ? OG_OK : og_fail_because(err, status, none.cause, "%s", none.text);
}

enum og_status og_send_open_ledger(struct og_sender *s, struct og_error *err)
{
    /* at a loopback address the broker is the paper brokerage, whatever the environment */
    bool is_live = s->settings.environment == OG_ENVIRONMENT_LIVE && !s->settings.loopback;
    char word[OG_LEDGER_WORD];
    struct og_error fault = { 0 };
    enum og_status status;

    if (s->options.dry_run)
        return look_into_ledger(s, err);
    status = og_ledger_lasts(s->options.ledger, is_live && !s->options.ledger_may_vanish, word, &fault);
    if (status == OG_OK && word[0] != '\0' && !s->options.ledger_may_vanish)
        og_send_warn(s, "%s", word);
    if (status == OG_OK)
        status = og_ledger_open(s->options.ledger, og_str_of(s->run.s), &s->ledger, &fault);
    if (status != OG_OK && (og_ledger_is_held(&fault) || og_ledger_is_unwritable(&fault))) {
        og_send_without_ledger(s, &fault);
        return OG_OK;
    }
    if (status != OG_OK)
        return og_fail_because(err, status, fault.cause, "%s", fault.text);
    if ((status = check_ledger(s, err)) != OG_OK)
        return status;
    og_ledger_wait(s->ledger, OG_LEDGER_LOOP_MS);
    if (!s->options.recover) /* a run that only settles what others left is watched from its first order on */
        og_ledger_run_opens(s->ledger);
    return status;
}
