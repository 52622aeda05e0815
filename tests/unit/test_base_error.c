/*
 * Errors, texts for people, the log.
 */
#include <stdio.h>

#include "base/error.h"
#include "base/log.h"
#include "base/str.h"
#include "unit.h"

static void first_error_wins(void **state)
{
    struct og_error err = { 0 };

    (void)state;
    assert_int_equal(og_fail_at(&err, OG_EPOLICY, "live.yaml", 3, 7, "rule '%s' is unknown", "fat-fingers"),
                     OG_EPOLICY);
    assert_int_equal(og_fail(&err, OG_ENOMEM, "later"), OG_ENOMEM);
    assert_int_equal(og_fail_at(&err, OG_ENOMEM, "x", 1, 1, "later"), OG_ENOMEM);
    assert_int_equal(og_fail_because(&err, OG_EIO, 5, "later"), OG_EIO);
    assert_int_equal(err.status, OG_EPOLICY);
    assert_int_equal(err.line, 3);
    assert_int_equal(err.col, 7);
    assert_int_equal(err.cause, 0);
    assert_string_equal(err.source, "live.yaml");
    assert_string_equal(err.text, "rule 'fat-fingers' is unknown");
    assert_int_equal(og_fail(NULL, OG_EBUSY, "nobody listens"), OG_EBUSY);
}

static void lines_for_people(void **state)
{
    struct og_error place = { 0 }, line = { 0 }, plain = { 0 }, empty = { .status = OG_EBUSY };
    char to[400], small[8];

    (void)state;
    og_fail_at(&place, OG_EPOLICY, "live.yaml", 3, 7, "bad");
    assert_string_equal(og_error_line(&place, to, sizeof to), "live.yaml:3:7: bad");
    og_fail_at(&line, OG_EPOLICY, NULL, 3, 0, "bad");
    assert_string_equal(og_error_line(&line, to, sizeof to), "3: bad");
    og_fail_because(&plain, OG_EIO, 28, "no space left");
    assert_int_equal(plain.cause, 28);
    assert_string_equal(og_error_line(&plain, to, sizeof to), "no space left");
    assert_string_equal(og_error_line(&empty, to, sizeof to), "in use by somebody else");
    assert_string_equal(og_error_line(&place, small, sizeof small), "live.ya");
}

static void long_and_hostile_texts(void **state)
{
    struct og_error err = { 0 };
    char path[300], e[300];

    (void)state;
    memset(path, 'd', sizeof path);
    memcpy(path + 280, "/policies/live.yaml", 20);
    og_fail_at(&err, OG_EPOLICY, path, 1, 1, "%s", "\x1b[2Jgone\x7f\xC2\x9B");
    assert_int_equal(strlen(err.source), sizeof err.source - 1);
    assert_memory_equal(err.source, "...d", 4);
    assert_string_equal(err.source + sizeof err.source - 1 - 19, "/policies/live.yaml");
    assert_string_equal(err.text, "?[2Jgone???");

    for (int i = 0; i < 299; i += 2)
        memcpy(e + i, "\xC3\xA9", 2);
    e[299] = '\0';
    e[298] = 'x';
    memset(&err, 0, sizeof err);
    og_fail(&err, OG_EINVAL, "%s", e);
    assert_int_equal(strlen(err.text), 255);
    assert_string_equal(err.text + 250, "\xC3\xA9...");
    memset(&err, 0, sizeof err);
    og_fail(&err, OG_EINVAL, "x%s", e); /* the cut would be inside a character */
    assert_string_equal(err.text + 249, "\xC3\xA9...");
}

static void every_status_has_a_text(void **state)
{
    (void)state;
    for (int s = OG_OK; s <= OG_EUNKNOWN; s++)
        assert_string_not_equal(og_status_text((enum og_status)s), "unknown status");
    assert_string_equal(og_status_text((enum og_status)(OG_EUNKNOWN + 1)), "unknown status");
    assert_string_equal(og_status_text((enum og_status) - 1), "unknown status");
}

static char heard[2000];
static int times;

static void listen(void *with, enum og_log_level level, const char *line)
{
    assert_ptr_equal(with, &times);
    assert_in_range(level, OG_LOG_ERROR, OG_LOG_INFO);
    times++;
    snprintf(heard, sizeof heard, "%s", line);
}

static void logs_to_a_listener(void **state)
{
    char longer[1500];

    (void)state;
    og_log(OG_LOG_ERROR, "nobody");
    og_log_listen(listen, &times, OG_LOG_INFO);
    og_log(OG_LOG_DEBUG, "too fine");
    assert_int_equal(times, 0);
    og_log(OG_LOG_INFO, "symbol '%s'", "AAPL\n\x1b[0m");
    assert_int_equal(times, 1);
    assert_string_equal(heard, "symbol 'AAPL??[0m'");
    memset(longer, 'x', sizeof longer - 1);
    longer[sizeof longer - 1] = '\0';
    og_log(OG_LOG_ERROR, "%s", longer);
    assert_int_equal(strlen(heard), 1023);
    assert_string_equal(heard + 1019, "x...");
    og_log_listen(NULL, NULL, OG_LOG_DEBUG);
    og_log(OG_LOG_ERROR, "nobody");
    assert_int_equal(times, 2);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(first_error_wins),       cmocka_unit_test(lines_for_people),
        cmocka_unit_test(long_and_hostile_texts), cmocka_unit_test(every_status_has_a_text),
        cmocka_unit_test(logs_to_a_listener),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
