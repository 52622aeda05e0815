/*
 * Messages printed at the end of a run.
 */
#include "send/sender.h"

/* Tell the user how to settle orders whose outcome is unknown. A run that ends before the wait for proof is over cannot
 * prove that they are absent. */
static void say_unknown(struct og_sender *s)
{
    if (s->told.unknown > 0 && s->ledger && !s->options.dry_run)
        og_send_warn(
            s,
            "the outcome of %d order%s is not known: ordergate send --recover on this ledger follows %s for up "
            "to 90s until it is%s",
            s->told.unknown, s->told.unknown == 1 ? "" : "s", s->told.unknown == 1 ? "it" : "them",
            s->options.recover ? "; if 90s are not enough, set a longer time with --wait" : "");
}

/* Print the ledger's head. A copy kept elsewhere shows later whether records up to here were cut off or rewritten. */
static void say_head(struct og_sender *s)
{
    struct og_ledger_head head;

    if (s->begun && s->ledger && !s->options.dry_run && og_ledger_head(s->ledger, &head, NULL) == OG_OK && head.seq > 0)
        og_send_say(
            s,
            "ledger head is %s at record %lld; keep it, and check the ledger later with: ordergate ledger verify "
            "--expect-head %s",
            head.hash.s, (long long)head.seq, head.hash.s);
}

void og_send_say_end(struct og_sender *s)
{
    say_unknown(s);
    say_head(s);
}
