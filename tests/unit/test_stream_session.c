/*
 * The steps of a stream's session without a network: hello, keys, subscription, and what happens when one of them does
 * not come; the pauses before it is opened again; and what ends it finally.
 */
#include "base/timeouts.h"
#include "fake_loop.h"
#include "stream/stream.h"
#include "unit.h"

enum og_status __wrap_og_ws_new(uv_loop_t *loop, const struct og_ws_place *place, const struct og_ws_events *events,
                                void *with, struct og_ws **ws, struct og_error *err);
void __wrap_og_ws_open(struct og_ws *ws);
bool __wrap_og_ws_send(struct og_ws *ws, const char *text, size_t len);
void __wrap_og_ws_close(struct og_ws *ws);
void __wrap_og_ws_free(struct og_ws *ws);

/* --- a connection that does as the test says ---------------------------------------------------------------------- */

static struct {
    const struct og_ws_events *events;
    void *with;
    int opened, closed; /* number of calls to open and to close */
    char sent[300];     /* the text that was sent last */
    bool cannot_send;
} ws;

static struct {
    int ready, down, refused, frames;
    char why[300];
} seen;

enum og_status __wrap_og_ws_new(uv_loop_t *loop, const struct og_ws_place *place, const struct og_ws_events *events,
                                void *with, struct og_ws **to, struct og_error *err)
{
    (void)loop;
    (void)place;
    (void)err;
    ws.events = events;
    ws.with = with;
    *to = (struct og_ws *)&ws;
    return OG_OK;
}

void __wrap_og_ws_open(struct og_ws *to)
{
    (void)to;
    ws.opened++;
}

bool __wrap_og_ws_send(struct og_ws *to, const char *text, size_t len)
{
    (void)to;
    assert_true(len < sizeof ws.sent);
    memcpy(ws.sent, text, len);
    ws.sent[len] = '\0';
    return !ws.cannot_send;
}

void __wrap_og_ws_close(struct og_ws *to)
{
    (void)to;
    ws.closed++;
}

void __wrap_og_ws_free(struct og_ws *to)
{
    (void)to;
}

static void on_ready(void *with)
{
    (void)with;
    seen.ready++;
}

static void on_down(void *with, const char *why)
{
    (void)with;
    seen.down++;
    snprintf(seen.why, sizeof seen.why, "%s", why);
}

static void on_refused(void *with, const char *why)
{
    (void)with;
    seen.refused++;
    snprintf(seen.why, sizeof seen.why, "%s", why);
}

static void on_frame(void *with, const struct og_frame *frame)
{
    (void)with;
    (void)frame;
    seen.frames++;
}

static const struct og_stream_events events = { on_ready, on_down, on_refused, on_frame };

static struct og_stream *stream_of(bool pnl)
{
    static uv_loop_t loop;
    const struct og_stream_keys keys = { OG_STR("KEY1"), OG_STR("SECRET12345"), OG_STR("PAPER0001"), pnl };
    struct og_stream *s;

    memset(&ws, 0, sizeof ws);
    memset(&seen, 0, sizeof seen);
    fake_loop.random = 0;
    assert_int_equal(og_stream_new(&loop, &(struct og_ws_place){ .host = "h" }, &keys, &events, NULL, &s, NULL), OG_OK);
    fake_advance(0);
    assert_int_equal(ws.opened, 1);
    return s;
}

/* Pass a message of the service to the stream. */
static void hear(const char *text)
{
    char bytes[300];

    snprintf(bytes, sizeof bytes, "%s", text);
    ws.events->text(ws.with, bytes, strlen(bytes));
}

static void hear_status(const char *status)
{
    char text[100];

    snprintf(text, sizeof text, "{\"status\":\"%s\",\"message\":\"m\"}", status);
    hear(text);
}

static bool was_sent(const char *part)
{
    bool was = strstr(ws.sent, part) != NULL;

    ws.sent[0] = '\0';
    return was;
}

static void sign_in(void)
{
    ws.events->opened(ws.with);
    hear_status("PENDING_AUTH");
    assert_true(was_sent("SECRET12345"));
    hear_status("CONNECTED");
    assert_true(was_sent("subscriptions"));
    hear("{\"requestConfirmed\":true}");
}

/* --- signing in --------------------------------------------------------------------------------------------------- */

static void step_by_step(void **state)
{
    struct og_stream *s = stream_of(false);

    (void)state;
    ws.events->opened(ws.with);
    assert_string_equal(ws.sent, "");
    hear_status("PENDING_AUTH");
    assert_string_equal(ws.sent, "{\"key\":\"KEY1\",\"secret\":\"SECRET12345\"}");
    hear_status("CONNECTED");
    assert_string_equal(ws.sent, "{\"accountId\":\"PAPER0001\",\"subscriptions\":[\"Order\",\"Position\"]}");
    assert_int_equal(seen.ready, 0);
    hear("{\"requestConfirmed\":true}");
    assert_int_equal(seen.ready, 1);
    fake_advance(3600 * 1000); /* nothing more is due */
    assert_true(seen.ready == 1 && seen.down == 0 && ws.opened == 1 && ws.closed == 0);
    og_stream_free(s);
}

static void the_pnl_stream_asks_for_its_own(void **state)
{
    struct og_stream *s = stream_of(true);

    (void)state;
    ws.events->opened(ws.with);
    hear_status("PENDING_AUTH");
    hear_status("CONNECTED");
    assert_string_equal(ws.sent, "{\"account\":\"PAPER0001\"}");
    og_stream_free(s);
}

/* A message that the service's document does not promise is awaited only for a limited time. */
static void what_does_not_come_is_not_waited_for(void **state)
{
    struct og_stream *s = stream_of(false);

    (void)state;
    ws.events->opened(ws.with);
    fake_advance(OG_STREAM_HELLO_MS - 1);
    assert_string_equal(ws.sent, "");
    fake_advance(1);
    assert_true(was_sent("SECRET12345"));
    fake_advance(OG_STREAM_SIGNED_MS - 1);
    assert_string_equal(ws.sent, "");
    fake_advance(1);
    assert_true(was_sent("subscriptions"));
    fake_advance(OG_STREAM_CONFIRMED_MS - 1);
    assert_int_equal(seen.ready, 0);
    fake_advance(1);
    assert_int_equal(seen.ready, 1);
    og_stream_free(s);
}

static void an_order_confirms_the_subscription(void **state)
{
    struct og_stream *s = stream_of(false);

    (void)state;
    ws.events->opened(ws.with);
    hear_status("PENDING_AUTH");
    hear_status("CONNECTED");
    hear("{\"order\":{\"clientOrderId\":\"a\",\"orderStatus\":\"New\"}}");
    assert_int_equal(seen.ready, 1);
    assert_int_equal(seen.frames, 1);
    hear("no JSON");
    hear("[]");
    assert_int_equal(seen.frames, 1);
    og_stream_free(s);
}

/* A first repeated request for keys may have crossed the sent keys; after a second one they are sent again. */
static void keys_are_sent_again_when_asked_twice(void **state)
{
    struct og_stream *s = stream_of(false);

    (void)state;
    ws.events->opened(ws.with);
    hear_status("PENDING_AUTH");
    assert_true(was_sent("SECRET12345"));
    hear_status("PENDING_AUTH");
    assert_string_equal(ws.sent, "");
    hear_status("PENDING_AUTH");
    assert_true(was_sent("SECRET12345"));
    hear_status("CONNECTED");
    hear("{\"requestConfirmed\":true}");
    hear_status("PENDING_AUTH"); /* ignored once the stream is ready */
    hear_status("CONNECTED");
    assert_true(!was_sent("SECRET12345") && seen.ready == 1);
    og_stream_free(s);
}

/* --- opening the stream again ------------------------------------------------------------------------------------- */

/* Returns the pause until the stream is opened again. */
static int64_t pause_after(const char *why)
{
    const uint64_t from = fake_loop.now_ms;
    const int before = ws.opened;

    ws.events->closed(ws.with, why);
    while (ws.opened == before) {
        assert_true(fake_loop.now_ms - from <= OG_STREAM_PAUSE_MOST_MS);
        fake_advance(1);
    }
    return (int64_t)(fake_loop.now_ms - from);
}

static void pauses_double_up_to_a_limit(void **state)
{
    static const int64_t most[] = { 500, 1000, 2000, 4000, 8000, 16000, 30000, 30000, 30000 };
    struct og_stream *s = stream_of(false);

    (void)state;
    for (size_t i = 0; i < COUNT(most); i++)
        assert_int_equal(pause_after("no"), most[i] / 2); /* the shortest pause that its random part allows */
    assert_int_equal(seen.down, 1);                       /* the event "down" is written only once */
    assert_string_equal(seen.why, "no");
    ws.events->opened(ws.with);
    sign_in();
    assert_int_equal(pause_after("gone"), most[0] / 2); /* the pauses begin again from the first */
    assert_int_equal(seen.down, 2);
    og_stream_free(s);
}

static void pauses_are_no_longer_than_that(void **state)
{
    struct og_stream *s = stream_of(false);

    (void)state;
    for (int random = 0; random < 256; random++) {
        int64_t pause;

        fake_loop.random = (unsigned char)random;
        pause = pause_after("no");
        assert_true(pause <= OG_STREAM_PAUSE_MOST_MS && (random < 6 || pause >= OG_STREAM_PAUSE_MOST_MS / 2));
    }
    og_stream_free(s);
}

static void one_that_does_not_open_is_given_up(void **state)
{
    struct og_stream *s = stream_of(false);

    (void)state;
    fake_advance(OG_STREAM_OPEN_MS - 1);
    assert_int_equal(ws.closed, 0);
    fake_advance(1);
    assert_int_equal(ws.closed, 1);
    assert_int_equal(pause_after("given up"), OG_STREAM_PAUSE_FIRST_MS / 2);
    og_stream_free(s);
}

static void one_that_cannot_be_written_is_closed(void **state)
{
    struct og_stream *s = stream_of(false);

    (void)state;
    ws.cannot_send = true;
    ws.events->opened(ws.with);
    hear_status("PENDING_AUTH");
    assert_int_equal(ws.closed, 1);
    og_stream_free(s);
}

/* A refused subscription is sent again on the same connection, later each time. */
static void a_refused_subscription_is_sent_again(void **state)
{
    static const char *const refusals[] = { "{\"status\":\"TERMINATED\",\"message\":\"m\"}",
                                            "{\"status\":\"INVALID_DATA\",\"message\":\"m\"}",
                                            "{\"action\":\"error\"}" };
    struct og_stream *s = stream_of(false);
    int64_t most = OG_STREAM_PAUSE_FIRST_MS;

    (void)state;
    ws.events->opened(ws.with);
    hear_status("PENDING_AUTH");
    hear_status("CONNECTED");
    for (size_t i = 0; i < COUNT(refusals); i++, most *= 2) {
        assert_true(was_sent("subscriptions"));
        hear(refusals[i]);
        fake_advance((uint64_t)(most / 2 + OG_STREAM_PAUSE_FIRST_MS - 1));
        assert_string_equal(ws.sent, "");
        fake_advance(1);
    }
    assert_true(was_sent("subscriptions"));
    hear("{\"requestConfirmed\":true}");
    assert_true(seen.ready == 1 && seen.down == 1 && ws.opened == 1 && ws.closed == 0);
    og_stream_free(s);
}

static void a_silent_one_is_signed_in_to_again(void **state)
{
    struct og_stream *s = stream_of(false);

    (void)state;
    sign_in();
    og_stream_restart(s, "it tells nothing");
    assert_true(ws.closed == 1 && seen.down == 1);
    assert_string_equal(seen.why, "it tells nothing");
    ws.events->closed(ws.with, "closed by us");
    assert_int_equal(seen.down, 1);
    og_stream_restart(s, "again"); /* the stream is closed already */
    assert_int_equal(ws.closed, 1);
    fake_advance(OG_STREAM_PAUSE_FIRST_MS);
    assert_int_equal(ws.opened, 2);
    sign_in();
    assert_int_equal(seen.ready, 2);
    og_stream_free(s);
}

/* --- the end for good --------------------------------------------------------------------------------------------- */

static void refused_keys_are_not_tried_again(void **state)
{
    struct og_stream *s = stream_of(false);

    (void)state;
    ws.events->opened(ws.with);
    hear_status("PENDING_AUTH");
    hear_status("FAILED_AUTH");
    assert_true(seen.refused == 1 && ws.closed == 1);
    assert_string_equal(seen.why, "the stream answered FAILED_AUTH: m");
    ws.events->closed(ws.with, "closed by us");
    og_stream_restart(s, "again");
    fake_advance(3600 * 1000);
    assert_true(ws.opened == 1 && seen.down == 0 && seen.refused == 1);
    og_stream_free(s);
}

static void the_secret_is_masked(void **state)
{
    struct og_stream *s = stream_of(false);

    (void)state;
    ws.events->opened(ws.with);
    hear("{\"status\":\"FAILED_AUTH\",\"message\":\"no key SECRET12345\"}");
    assert_int_equal(seen.refused, 1);
    assert_null(strstr(seen.why, "SECRET12345"));
    og_stream_free(s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(step_by_step),
        cmocka_unit_test(the_pnl_stream_asks_for_its_own),
        cmocka_unit_test(what_does_not_come_is_not_waited_for),
        cmocka_unit_test(an_order_confirms_the_subscription),
        cmocka_unit_test(keys_are_sent_again_when_asked_twice),
        cmocka_unit_test(pauses_double_up_to_a_limit),
        cmocka_unit_test(pauses_are_no_longer_than_that),
        cmocka_unit_test(one_that_does_not_open_is_given_up),
        cmocka_unit_test(one_that_cannot_be_written_is_closed),
        cmocka_unit_test(a_refused_subscription_is_sent_again),
        cmocka_unit_test(a_silent_one_is_signed_in_to_again),
        cmocka_unit_test(refused_keys_are_not_tried_again),
        cmocka_unit_test(the_secret_is_masked),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
