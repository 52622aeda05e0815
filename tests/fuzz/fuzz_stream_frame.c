/*
 * Fuzz: bytes as a stream frame, whose row is applied to an order's execution state.  The executed quantity never
 * falls, a final state stays final, and a rejected frame is cleared.
 */
#include "fuzz.h"
#include "outcome/execution.h"
#include "wire/frame.h"

static void into_fate(const struct og_order_row *row, enum og_state from)
{
    struct og_execution execution = { .state = from, .posts = 1, .executed = og_money_from(3) };
    struct og_str id = OG_STR("fuzz-id-that-has-more-than-thirty-six-bytes");
    bool changed, again;

    (void)og_execution_row(&execution, row, id, (struct og_str){ NULL, 0 }, true, 1, &changed);
    DEMAND(og_money_cmp(execution.executed, og_money_from(3)) >= 0);
    DEMAND(!og_state_is_final(from) || from == OG_NOT_SENT || execution.state == from);
    DEMAND(og_str_eq(og_execution_id(&execution, id),
                     og_execution_is_named(id, row->client_order_id) ? row->client_order_id : id));
    (void)og_execution_row(&execution, row, id, (struct og_str){ NULL, 0 }, true, 2, &again);
    DEMAND(!again || !og_state_is_final(execution.state)); /* the same end, reported again, is no news */
    og_execution_clear(&execution);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t len)
{
    struct og_frame f;

    if (!og_frame_read((const char *)bytes, len, &f)) {
        DEMAND(f.doc == NULL && f.kind == OG_FRAME_OTHER);
        return 0;
    }
    DEMAND(f.doc != NULL && f.body != NULL);
    DEMAND(f.order.legs <= OG_ROW_LEGS);
    if (f.kind == OG_FRAME_ORDER) {
        DEMAND(f.order.client_order_id.len > 0 || f.order.status_text.len > 0);
        for (int s = 0; s < OG_STATES; s++)
            into_fate(&f.order, (enum og_state)s);
    }
    og_frame_clear(&f);
    DEMAND(f.doc == NULL);
    return 0;
}
