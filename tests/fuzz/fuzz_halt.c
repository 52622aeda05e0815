/*
 * Fuzz: bytes as the question that `ordergate halt` sends to a sender, and as the sender's answer.  An accepted
 * question has a reason and texts of bounded length; an incomplete answer does not count as obeyed.
 */
#include <string.h>

#include "fuzz.h"
#include "send/senders.h"

static void check_texts(const struct og_halt *h)
{
    DEMAND(memchr(h->at, 0, sizeof h->at) && memchr(h->by, 0, sizeof h->by) && memchr(h->reason, 0, sizeof h->reason));
    DEMAND(h->trading >= OG_TRADING_ON && h->trading <= OG_TRADING_HALTED_ALL);
}

static void check_answer(const char *bytes, size_t len, enum og_trading asked, bool everywhere)
{
    const struct og_halt halt = { .trading = asked };
    const struct og_senders_question q = { .halt = &halt, .path = "/s/halt.json", .everywhere = everywhere };
    const struct stat flag = { .st_dev = 1, .st_ino = 7 };
    struct og_sender_heard h = { .pid = 1 };

    if (!og_senders_read_answer(bytes, len, &q, &flag, &h)) {
        DEMAND(!h.answered && !h.obeyed && !h.reads);
        return;
    }
    DEMAND(h.answered && memchr(h.path, 0, sizeof h.path) && memchr(h.fault, 0, sizeof h.fault));
    DEMAND(!h.obeyed || everywhere || h.reads);
    DEMAND(!h.obeyed || (asked == OG_TRADING_ON ? h.trading == OG_TRADING_ON : h.trading >= asked));
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    const char *bytes = (const char *)data;
    struct og_halt halt = { .trading = OG_TRADING_ON };

    if (og_senders_read_question(bytes, size, &halt) != OG_SENDERS_ASKS_NOTHING)
        check_texts(&halt);
    for (int t = OG_TRADING_ON; t <= OG_TRADING_HALTED_ALL; t++) {
        check_answer(bytes, size, (enum og_trading)t, false);
        check_answer(bytes, size, (enum og_trading)t, true);
    }
    return 0;
}
