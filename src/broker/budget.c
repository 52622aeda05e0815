/*
 * Token buckets in integers, and the documented waits after a 429.
 * It refuses to spend the last token of a burst: what leaves a tenth of a second apart may arrive closer together.
 */
#include "broker/budget.h"

#include "base/banned.h"

#define ONE INT64_C(1000000) /* a request, in thousandths times thousand milliseconds */

void og_bucket_init(struct og_bucket *b, int64_t rate, int64_t burst, int64_t now_ms)
{
    bool spare = burst >= 2000;

    b->rate = spare ? rate : rate - rate / 20;
    b->burst = spare ? burst - 1000 : 1000;
    b->tokens = b->burst * 1000;
    b->at_ms = now_ms;
}

static void refill(struct og_bucket *b, int64_t now_ms)
{
    int64_t most = b->burst * 1000, passed = now_ms - b->at_ms;

    if (passed <= 0)
        return;
    b->at_ms = now_ms;
    if (passed > most / (b->rate > 0 ? b->rate : 1))
        b->tokens = most;
    else
        b->tokens += passed * b->rate;
    if (b->tokens > most)
        b->tokens = most;
}

bool og_bucket_take(struct og_bucket *b, int64_t now_ms)
{
    if (b->rate == 0)
        return true;
    refill(b, now_ms);
    if (b->tokens < ONE)
        return false;
    b->tokens -= ONE;
    return true;
}

int64_t og_bucket_wait(struct og_bucket *b, int64_t now_ms)
{
    if (b->rate == 0)
        return 0;
    refill(b, now_ms);
    return b->tokens >= ONE ? 0 : (ONE - b->tokens + b->rate - 1) / b->rate;
}

void og_bucket_empty(struct og_bucket *b, int64_t now_ms)
{
    refill(b, now_ms);
    b->tokens = 0;
}

int64_t og_backoff_ms(int n, uint32_t random)
{
    int64_t most = n <= 1 ? 2000 : n >= 7 ? 60000 : INT64_C(2000) << (n - 1);

    if (most > 60000)
        most = 60000;
    if (n <= 1)
        return 1000 + (int64_t)(random % 1001);
    return most / 2 + (int64_t)(random % (uint32_t)(most / 2 + 1));
}
