/*
 * Estimates when a long batch will be done, from the lines that wait and the rate that the service allows, and prints
 * that now and then.  It is only an estimate: other processes share the budget, and it is not known how many lines a
 * pipe will still have.
 */
#include <sys/stat.h>
#include <unistd.h>

#include "send/sender.h"

#define WORTH_TELLING_S 10

/* Returns how many bytes of the input files are not read yet. *known is set to false if there may be more, in an
 * unknown number. */
static int64_t unread(const struct og_sender *s, bool *known)
{
    int64_t bytes = 0;
    struct stat st;

    *known = !s->held;
    for (int i = s->file_now; i < s->files; i++) {
        off_t at = lseek(s->file[i].fd, 0, SEEK_CUR);

        if (at >= 0 && fstat(s->file[i].fd, &st) == 0 && S_ISREG(st.st_mode))
            bytes += st.st_size > at ? st.st_size - at : 0;
        else
            *known = false;
    }
    return bytes;
}

void og_send_forecast(struct og_sender *s)
{
    int64_t rate = s->settings.budget[OG_ENDPOINT_POST].rate, left, seconds, end;
    struct og_money pace;
    bool known;

    if (rate == 0 || s->options.dry_run || s->phase != OG_RUNNING || s->lines.count == 0 ||
        og_send_ms(s) < s->forecast_ms)
        return;
    s->forecast_ms = og_send_ms(s) + OG_FORECAST_LOOK_MS;
    left = unread(s, &known) / (int64_t)(s->lines.bytes / s->lines.count + 1) + (int64_t)s->lines.count;
    seconds = left * 1000 / rate;
    if (seconds < WORTH_TELLING_S ||
        !og_money_mul(og_money_from(rate), (struct og_money){ .coef = 1, .scale = 3 }, &pace))
        return;
    s->forecast_ms = og_send_ms(s) + OG_FORECAST_EVERY_MS;
    end = (og_time_now() / OG_NS_PER_S + seconds) * OG_NS_PER_S;
    og_send_say(s, "about %lld line%s%s wait; at %s a second the last is posted at about %s", (long long)left,
                left == 1 ? "" : "s", known ? "" : " or more", og_money_text(pace).s, og_time_text(end).s);
}
