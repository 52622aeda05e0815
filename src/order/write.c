/*
 * Writes an order as JSON: the body that would be posted. It is made from the decoded order, so that what is sent is
 * what was checked.  An order with a field whose type or value the service does not know cannot be written.  Keys that
 * the service does not have are left out, as are legs of a single-leg order, which the service ignores.
 */
#include "base/appender.h"
#include "base/attributes.h"
#include "base/crypto.h"
#include "base/money.h"
#include "order/order.h"

_Static_assert(OG_ORDER_DIGEST_SIZE == sizeof(struct og_digest_text), "a digest has that many bytes");

/* Make an appender for the free space of a buffer.  In this file, an appender with `to` NULL has failed. */
static struct og_appender appender_over(const struct og_buf *b)
{
    return (struct og_appender){ b->s + b->len, b->end > b->len ? b->end - b->len - 1 : 0 };
}
static size_t offset_in(struct og_appender p, const struct og_buf *b)
{
    return (size_t)(p.to - b->s);
}
static const struct og_appender failed = { NULL, 0 };

#define INLINE inline __attribute__((always_inline)) /* always inlined, so that the length of a key is a constant */

/* Append through the buffer, which is slow: for text that does not fit, since the buffer may grow, or that needs
 * escapes. */
static OG_NOINLINE struct og_appender put_bytes_slowly(struct og_appender p, struct og_buf *b, const char *s,
                                                       size_t len)
{
    if (!p.to)
        return failed;
    b->len = offset_in(p, b);
    og_buf_bytes(b, s, len);
    return appender_over(b);
}
static OG_NOINLINE struct og_appender put_string_slowly(struct og_appender p, struct og_buf *b, const char *key,
                                                        const struct og_str *text)
{
    if (!p.to)
        return failed;
    b->len = offset_in(p, b);
    og_buf_text(b, key);
    og_buf_json_str(b, *text);
    return appender_over(b);
}
static OG_NOINLINE struct og_appender put_number_slowly(struct og_appender p, struct og_buf *b, const char *key,
                                                        struct og_money value)
{
    if (!p.to)
        return failed;
    b->len = offset_in(p, b);
    og_buf_text(b, key);
    og_buf_money(b, value);
    return appender_over(b);
}

static inline struct og_appender put_bytes(struct og_appender p, struct og_buf *b, const char *s, size_t len)
{
    return len <= p.left ? og_append(p, s, len) : put_bytes_slowly(p, b, s, len);
}

/* memcpy() that is fast for short texts. */
static INLINE void copy_short(char *to, const char *from, size_t len)
{
    uint64_t head, tail;
    uint32_t first, last;

    if (len > 16) {
        memcpy(to, from, len);
    } else if (len >= 8) {
        memcpy(&head, from, 8);
        memcpy(&tail, from + len - 8, 8);
        memcpy(to, &head, 8);
        memcpy(to + len - 8, &tail, 8);
    } else if (len >= 4) {
        memcpy(&first, from, 4);
        memcpy(&last, from + len - 4, 4);
        memcpy(to, &first, 4);
        memcpy(to + len - 4, &last, 4);
    } else {
        for (; len > 0; len--)
            *to++ = *from++;
    }
}

/* Write a comma, a key and its string; nothing if the field is absent.  A string that points into the line had no
 * escapes, so it needs none now. */
static INLINE struct og_appender put_string(struct og_appender p, struct og_buf *b, const struct og_order *o,
                                            const char *key, const struct og_field *field)
{
    bool as_given = (uintptr_t)field->text.s - (uintptr_t)o->line.s < o->line.len;
    size_t len = field->text.len;
    char *to;

    if (field->status != OG_VALID)
        return field->status == OG_ABSENT ? p : failed;
    if (!as_given || p.left < strlen(key) + len + 2)
        return put_string_slowly(p, b, key, &field->text);
    to = p.to + strlen(key);
    memcpy(p.to, key, strlen(key));
    *to++ = '"';
    copy_short(to, field->text.s, len);
    to[len] = '"';
    return (struct og_appender){ to + len + 1, p.left - strlen(key) - len - 2 };
}

static INLINE struct og_appender put_number(struct og_appender p, struct og_buf *b, const char *key,
                                            const struct og_field *field, struct og_money value)
{
    size_t len = strlen(key);

    if (field->status != OG_VALID)
        return field->status == OG_ABSENT ? p : failed;
    if (p.left < len + OG_MONEY_ROOM)
        return put_number_slowly(p, b, key, value);
    memcpy(p.to, key, len);
    len += og_money_put(p.to + len, value);
    return (struct og_appender){ p.to + len, p.left - len };
}

/* End an object: the opening brace replaces the comma before the first member. */
static inline struct og_appender close_object(struct og_appender p, struct og_buf *b, size_t from)
{
    if (!p.to)
        return failed;
    if (offset_in(p, b) == from)
        return put_bytes(p, b, "{}", 2);
    b->s[from] = '{';
    return put_bytes(p, b, "}", 1);
}

static OG_HOT struct og_appender put_leg(struct og_appender p, struct og_buf *b, const struct og_order *o,
                                         const struct og_leg *leg)
{
    size_t from = offset_in(p, b);

    if (!leg->is_object)
        return failed;
    p = put_string(p, b, o, ",\"symbol\":", &leg->field[OG_LEG_SYMBOL]);
    p = put_string(p, b, o, ",\"side\":", &leg->field[OG_LEG_SIDE]);
    p = put_number(p, b, ",\"ratio\":", &leg->field[OG_LEG_RATIO], leg->ratio_value);
    p = put_string(p, b, o, ",\"openClose\":", &leg->field[OG_LEG_OPEN_CLOSE]);
    return close_object(p, b, from);
}

static struct og_appender put_legs(struct og_appender p, struct og_buf *b, const struct og_order *o)
{
    if (!og_order_has(o, OG_KEY_LEGS) || o->security == OG_STOCK || o->security == OG_OPTION)
        return p;
    if (!og_order_ok(o, OG_KEY_LEGS) || o->leg_count > o->legs_kept)
        return failed;
    p = put_bytes(p, b, ",\"legs\":[", 9);
    for (int i = 0; i < o->leg_count && p.to; i++)
        p = put_leg(i ? put_bytes(p, b, ",", 1) : p, b, o, &o->leg[i]);
    return put_bytes(p, b, "]", 1);
}

#define PUT_STRING(id, name, member) p = put_string(p, b, o, ",\"" name "\":", &o->field[OG_KEY_##id]);
#define PUT_WORD(id, name, ...)      PUT_STRING(id, name, )
#define PUT_SYMBOL                   PUT_STRING
#define PUT_TEXT                     PUT_STRING
#define PUT_READ                     PUT_STRING
#define PUT_WHOLE(id, name, member, most) \
    p = put_number(p, b, ",\"" name "\":", &o->field[OG_KEY_##id], o->member##_value);
#define PUT_NUMBER(id, name, member) p = put_number(p, b, ",\"" name "\":", &o->field[OG_KEY_##id], o->member);
#define PUT_LEGS(...)                p = put_legs(p, b, o);
#define PUT_OP(...)
static OG_HOT struct og_appender put_order(struct og_appender p, struct og_buf *b, const struct og_order *o,
                                           bool with_account)
{
    enum { SENT_BODY = 1, SENT_LINE = 0, SENT_NEVER = 0 };
    size_t from = b->len;

    if (o->fault || o->op != OG_OP_ORDER)
        return failed;
#define OG_FIELD(id, name, second, sixth, leg, required, sent, kind, ...) \
    if (SENT_##sent || with_account) {                                    \
        PUT_##kind(id, name, __VA_ARGS__)                                 \
    }
#include "order/fields.def"
    return close_object(p, b, from);
}

OG_HOT bool og_order_write(const struct og_order *o, bool with_account, struct og_buf *b)
{
    struct og_appender p;

    if (!og_buf_reserve(b, 2)) /* reserves the bytes of the shortest order, "{}"; this also allocates the buffer's
                                * memory */
        return false;
    p = put_order(appender_over(b), b, o, with_account);
    if (p.to)
        b->len = offset_in(p, b);
    b->s[b->len] = '\0';
    return p.to && !b->bad;
}

/* Compute how long the text is, if the given memory was too small. */
static OG_COLD enum og_status measure(const struct og_order *o, bool with_account, size_t *len)
{
    struct og_buf b;
    bool written, bad;

    og_buf_init(&b, 0);
    written = og_order_write(o, with_account, &b);
    bad = b.bad;
    *len = written ? b.len : 0;
    og_buf_clear(&b);
    return bad ? OG_ENOMEM : OG_EINVAL;
}

static inline enum og_status to_storage(const struct og_order *o, bool with_account, char *to, size_t size, size_t *len)
{
    struct og_buf b;

    og_buf_init_fixed(&b, to, size);
    if (!og_order_write(o, with_account, &b))
        return measure(o, with_account, len);
    *len = b.len;
    return OG_OK;
}

OG_HOT enum og_status og_order_body(const struct og_order *o, char *to, size_t size, size_t *len)
{
    if (!o || (!to && size) || !len)
        return OG_EINVAL;
    return to_storage(o, false, to, size, len);
}

OG_HOT enum og_status og_order_line(const struct og_order *o, char *to, size_t size, size_t *len)
{
    if (!o || (!to && size) || !len)
        return OG_EINVAL;
    return to_storage(o, true, to, size, len);
}

/* Add a member to the object that ends the text, unless the value is empty.  key: with the comma and the colon. */
static void add_term(struct og_buf *b, const char *key, struct og_str value)
{
    if (value.len == 0)
        return;
    b->len--; /* the closing brace */
    og_buf_text(b, key);
    og_buf_json_str(b, value);
    og_buf_char(b, '}');
}

bool og_order_write_terms(const struct og_order *o, struct og_buf *b)
{
    if (!og_order_write(o, false, b))
        return false;
    add_term(b, ",\"replaces\":", o->replaces);
    add_term(b, ",\"tag\":", o->tag);
    return !b->bad;
}

enum og_status og_order_digest(const struct og_order *o, char to[OG_ORDER_DIGEST_SIZE])
{
    struct og_digest_text digest = { "" };
    struct og_buf b;
    bool written;
    enum og_status status;

    if (!o || !to)
        return OG_EINVAL;
    og_buf_init(&b, 0);
    written = og_order_write_terms(o, &b);
    status = !written && !b.bad ? OG_EINVAL : b.bad || !og_digest(b.s, b.len, &digest) ? OG_ENOMEM : OG_OK;
    og_buf_clear(&b);
    memcpy(to, digest.s, sizeof digest.s);
    return status;
}
