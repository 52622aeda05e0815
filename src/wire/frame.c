/*
 * Classification of stream frames by their content, which is searched at the top level and one level below, whatever
 * the envelope is called. A type field is not trusted. A word such as CONNECTED makes a system message only if it is
 * not the status of an order.
 */
#include "wire/frame.h"

#include "text/doc.h"

static const char *const system_words[] = { "PENDING_AUTH", "CONNECTED",  "FAILED_AUTH",
                                            "INVALID_DATA", "TERMINATED", NULL };

static bool has_key(const cJSON *object, const char *key)
{
    return og_doc_get(object, key) != NULL;
}

static bool is_order(const cJSON *o)
{
    return has_key(o, "userOrderId") ||
           (has_key(o, "orderStatus") && (has_key(o, "orderType") || has_key(o, "clientOrderId")));
}

static bool is_position(const cJSON *o)
{
    return (has_key(o, "id") || has_key(o, "positionId")) && has_key(o, "shares") && !has_key(o, "orderStatus");
}

static bool is_system(const cJSON *o)
{
    struct og_str status;
    bool marked = false;

    if (og_doc_bool(o, "@system", &marked) && marked)
        return true;
    return og_doc_str(o, "status", &status) && !is_order(o) && og_str_is_one_of(status, system_words);
}

static bool mentions(const cJSON *o, const char *word)
{
    const cJSON *member;

    cJSON_ArrayForEach (member, o) {
        if ((member->string && strcmp(member->string, word) == 0) ||
            (cJSON_IsString(member) && strcmp(member->valuestring, word) == 0))
            return true;
    }
    return false;
}

static enum og_frame_kind kind_of(const cJSON *o)
{
    if (is_order(o))
        return OG_FRAME_ORDER;
    if (has_key(o, "pnlCalc"))
        return OG_FRAME_PNL_POSITION;
    if (is_position(o))
        return OG_FRAME_POSITION;
    return OG_FRAME_OTHER;
}

/* Returns the kind of frame according to the keys and words at its top level. This is checked before the frame's
 * members, since an init frame contains position rows. */
static enum og_frame_kind kind_of_top(const cJSON *doc)
{
    if (is_system(doc))
        return OG_FRAME_SYSTEM;
    if (is_order(doc))
        return OG_FRAME_ORDER;
    if (has_key(doc, "pnlReturn") || mentions(doc, "init"))
        return OG_FRAME_PNL_INIT;
    if (mentions(doc, "aggCalcs"))
        return OG_FRAME_PNL_TOTALS;
    return kind_of(doc);
}

static void classify(struct og_frame *f)
{
    const cJSON *member;

    f->body = f->doc;
    f->kind = kind_of_top(f->doc);
    if (f->kind == OG_FRAME_OTHER) {
        cJSON_ArrayForEach (member, f->doc) {
            if (cJSON_IsObject(member) && (f->kind = kind_of(member)) != OG_FRAME_OTHER) {
                f->body = member;
                break;
            }
        }
    }
    if (f->kind == OG_FRAME_OTHER && og_doc_bool(f->doc, "requestConfirmed", &f->confirmed))
        f->kind = OG_FRAME_META;
    if (f->kind == OG_FRAME_PNL_INIT && cJSON_IsObject(og_doc_get(f->doc, "pnlReturn")))
        f->body = og_doc_get(f->doc, "pnlReturn");
}

bool og_frame_read(const char *bytes, size_t len, struct og_frame *frame)
{
    memset(frame, 0, sizeof *frame);
    if (og_doc_read(bytes, len, "stream frame", &frame->doc, NULL) != OG_OK)
        return false;
    if (!cJSON_IsObject(frame->doc)) {
        og_frame_clear(frame);
        return false;
    }
    classify(frame);
    if (frame->kind == OG_FRAME_ORDER && !og_order_row_read(frame->body, &frame->order))
        frame->kind = OG_FRAME_OTHER;
    if (frame->kind == OG_FRAME_SYSTEM)
        (void)og_doc_str(frame->doc, "status", &frame->status);
    (void)og_doc_str(frame->doc, "message", &frame->message);
    return true;
}

void og_frame_clear(struct og_frame *frame)
{
    cJSON_Delete(frame->doc);
    memset(frame, 0, sizeof *frame);
}
