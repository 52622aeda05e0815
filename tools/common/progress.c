/*
 * Progress on stderr; see tools/common/progress.h.
 */
#include "tools/common/progress.h"

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "ordergate/time.h"

#define EVERY_NS (OG_NS_PER_S / 2)

static int64_t began_at, shown_at;
static long long input_bytes; /* 0: not known */
static bool is_typed;         /* input comes from a terminal */
static int width;             /* of the line that is shown */

void og_progress_input(int count, char *const *names)
{
    bool known = true;
    struct stat st;

    input_bytes = 0;
    for (int i = 0; i < (count ? count : 1); i++) {
        const bool is_stdin = !count || strcmp(names[i], "-") == 0;

        is_typed = is_typed || (is_stdin && isatty(STDIN_FILENO));
        if ((is_stdin ? fstat(STDIN_FILENO, &st) : stat(names[i], &st)) == 0 && S_ISREG(st.st_mode))
            input_bytes += st.st_size;
        else
            known = false;
    }
    if (!known)
        input_bytes = 0;
}

static void show(const char *program, long long orders, long long some, const char *word, long long bytes, long long ms)
{
    char more[64] = "";
    int len;

    if (input_bytes > 0 && bytes > 0 && bytes <= input_bytes) {
        const long long per_mille = bytes / (input_bytes / 1000 + 1);
        const long long left_ms = per_mille > 0 ? ms * (1000 - per_mille) / per_mille : 0;

        snprintf(more, sizeof more, ", %lld%%, %lld s left", per_mille / 10, (left_ms + 999) / 1000);
    }
    len = fprintf(stderr, "\r%s: %lld orders, %lld %s, %lld a second%s", program, orders, some, word,
                  orders * 1000 / (ms > 0 ? ms : 1), more);
    fprintf(stderr, "%*s", width > len ? width - len : 0, "");
    fflush(stderr);
    width = len > width ? len : width;
}

void og_progress(const char *program, long long orders, long long some, const char *word, long long bytes)
{
    static int terminal = -1;
    int64_t now;

    if (terminal < 0)
        terminal = isatty(STDERR_FILENO) && !is_typed && !isatty(STDOUT_FILENO);
    if (!terminal)
        return;
    now = og_time_now();
    if (began_at == 0)
        began_at = shown_at = now;
    if (now - shown_at < EVERY_NS)
        return;
    shown_at = now;
    show(program, orders, some, word, bytes, (now - began_at) / (OG_NS_PER_S / 1000));
}

void og_progress_end(void)
{
    if (width > 0)
        fputc('\n', stderr);
    width = 0;
}
