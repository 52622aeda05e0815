/*
 * How the broker's address and keys are configured: files, the environment, addresses.
 */
#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/error.h"
#include "base/timeouts.h"
#include "broker/address.h"
#include "broker/settings.h"
#include "unit.h"

static char folder[64];

static int set_up(void **state)
{
    static const char *const names[] = { "BASE_URL",      "WS_URL", "KEY_ID",      "SECRET_KEY", "ACCOUNT",
                                         "HEADER_PREFIX", "CLOCK",  "ENVIRONMENT", "SETTLE" };
    char name[64];

    (void)state;
    for (size_t i = 0; i < COUNT(names); i++) {
        snprintf(name, sizeof(name), "ORDERGATE_%s", names[i]);
        unsetenv(name);
    }
    snprintf(folder, sizeof(folder), "/tmp/og-broker-XXXXXX");
    return mkdtemp(folder) != NULL ? 0 : -1;
}

static int tear_down(void **state)
{
    static const char *const names[] = { "secret", "broker.yaml" };
    char file[96];

    (void)state;
    for (size_t i = 0; i < COUNT(names); i++) {
        snprintf(file, sizeof(file), "%s/%s", folder, names[i]);
        unlink(file);
    }
    return rmdir(folder);
}

static void put(const char *name, const char *text, mode_t mode)
{
    char file[96];
    FILE *f;

    snprintf(file, sizeof(file), "%s/%s", folder, name);
    if ((f = fopen(file, "w")) == NULL) {
        fail();
        return;
    }
    fputs(text, f);
    fclose(f);
    assert_int_equal(chmod(file, mode), 0);
}

static enum og_status reading(struct og_settings *s, struct og_error *err)
{
    char file[96];

    *err = (struct og_error){ 0 };
    snprintf(file, sizeof(file), "%s/broker.yaml", folder);
    return og_settings_read(s, access(file, F_OK) == 0 ? file : NULL, err);
}

/* Assert the error for the words of a broker file; NULL: they are accepted. */
static void expect(const char *text, enum og_status status, const char *word)
{
    struct og_settings s;
    struct og_error err;

    put("broker.yaml", text, 0600);
    if (reading(&s, &err) != status)
        fail_msg("%s gives %d: %s", text, (int)err.status, err.text);
    if (word != NULL && strstr(err.text, word) == NULL)
        fail_msg("'%s' does not say '%s'", err.text, word);
    if (strstr(err.text, "s3cret") != NULL)
        fail_msg("the secret is told");
    og_settings_clear(&s);
}

#define BASE  "base_url: https://broker.example\nkey_id: k\nsecret_key_file: secret\n"
#define LOCAL "base_url: http://127.0.0.1:8787\nkey_id: k\nsecret_key_file: secret\n"

static void a_whole_file(void **state)
{
    struct og_settings s;
    struct og_error err;

    (void)state;
    put("secret", "s3cret\n", 0600);
    put("broker.yaml",
        "base_url: https://broker.example/x/\nws_url: wss://stream.example\nkey_id: k\nsecret_key_file: "
        "secret\naccount: A\n"
        "header_prefix: ACME\nenvironment: live\nbudgets: {POST order: {rate: 2.5, burst: 7}, GET "
        "order: off}\n",
        0644);
    assert_int_equal(reading(&s, &err), OG_OK);
    assert_string_equal(s.base_url, "https://broker.example/x");
    assert_string_equal(s.ws_url, "wss://stream.example");
    assert_string_equal(s.secret, "s3cret");
    assert_string_equal(s.header_prefix, "ACME");
    assert_int_equal(s.environment, OG_ENVIRONMENT_LIVE);
    assert_false(s.loopback || s.broker_clock);
    assert_int_equal(s.budget[OG_ENDPOINT_POST].rate, 2500);
    assert_int_equal(s.budget[OG_ENDPOINT_POST].burst, 7000);
    assert_int_equal(s.budget[OG_ENDPOINT_ORDER].rate, 0);
    assert_int_equal(s.budget[OG_ENDPOINT_ORDERS].rate, 2000);
    og_settings_clear(&s);
}

static void odd_shapes(void **state)
{
    static const char *const files[] = {
        "[[]]\n",
        "- {}\n",
        "[]\n",
        "just a text\n",
        BASE "account: []\n",
        BASE "environment: {}\n",
        BASE "budgets: []\n",
        BASE "budgets: [{}]\n",
        BASE "budgets: {GET order: []}\n",
        BASE "budgets: {GET order: {rate: {}}}\n",
        BASE "budgets: {GET order: {rate: [1], burst: 1}}\n",
        BASE "require_signature: [[]]\n",
        BASE "require_signatures: a.pub\n",
        BASE "require_signatures: []\n",
        BASE "require_signatures: {}\n",
        BASE "require_signatures: {need: 1}\n",
        BASE "require_signatures: {keys: [a.pub]}\n",
        BASE "require_signatures: {need: 1, keys: a.pub}\n",
        BASE "require_signatures: {need: 1, keys: []}\n",
        BASE "require_signatures: {need: 1, keys: [[]]}\n",
        BASE "require_signatures: {need: 1, keys: [\"\"]}\n",
        BASE "require_signatures: {need: 2, keys: [a.pub, a.pub]}\n",
        BASE "require_signatures: {need: 1, keys: [a.pub], until: 2030-01-01}\n",
        BASE "require_signatures: {need: 0, keys: [a.pub]}\n",
        BASE "require_signatures: {need: -1, keys: [a.pub]}\n",
        BASE "require_signatures: {need: 01, keys: [a.pub]}\n",
        BASE "require_signatures: {need: '1', keys: [a.pub]}\n",
        BASE "require_signatures: {need: 1e0, keys: [a.pub]}\n",
        BASE "require_signatures: {need: 257, keys: [a.pub]}\n",
        BASE "require_signatures: {need: [1], keys: [a.pub]}\n",
        BASE "require_signatures: {need: 1, keys: [a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, p, q]}\n",
        "base_url: {}\nkey_id: k\nsecret_key_file: secret\n",
        "base_url: https://broker.example\nkey_id: [k]\nsecret_key_file: secret\n",
        "base_url: https://broker.example\nkey_id: k\nsecret_key_file: {}\n",
    };

    (void)state;
    put("secret", "s3cret\n", 0600);
    for (size_t i = 0; i < COUNT(files); i++)
        expect(files[i], OG_EINVAL, "");
}

static void from_the_environment(void **state)
{
    struct og_settings s;
    struct og_error err;

    (void)state;
    setenv("ORDERGATE_BASE_URL", "http://127.0.0.1:8787/", 1);
    setenv("ORDERGATE_KEY_ID", "k", 1);
    setenv("ORDERGATE_SECRET_KEY", "s3cret", 1);
    setenv("ORDERGATE_CLOCK", "broker", 1);
    assert_int_equal(reading(&s, &err), OG_OK);
    assert_string_equal(s.base_url, "http://127.0.0.1:8787");
    assert_string_equal(s.ws_url, "ws://127.0.0.1:8787");
    assert_string_equal(s.header_prefix, "SVC");
    assert_true(s.loopback && s.ws_loopback && s.broker_clock);
    og_settings_clear(&s);
    put("secret", "t", 0600);
    setenv("ORDERGATE_WS_URL", "ws://127.0.0.1:1", 1);
    put("broker.yaml", BASE "clock: real\n", 0600);
    unsetenv("ORDERGATE_CLOCK");
    assert_int_equal(reading(&s, &err), OG_OK);
    assert_string_equal(s.base_url, "https://broker.example"); /* the file wins over the environment */
    assert_string_equal(s.ws_url, "wss://broker.example");     /* the address in the file is not combined with another
                                                                * broker's stream */
    assert_string_equal(s.secret, "t");
    og_settings_clear(&s);
}

static void what_is_wrong_is_said(void **state)
{
    (void)state;
    put("secret", "s3cret\n", 0600);
    expect(BASE, OG_OK, NULL);
    expect("key_id: k\nsecret_key_file: secret\n", OG_EINVAL, "ORDERGATE_BASE_URL");
    expect("base_url: https://x\nsecret_key_file: secret\n", OG_EINVAL, "key_id");
    expect("base_url: https://x\nkey_id: k\n", OG_EINVAL, "secret_key_file");
    expect("base_url: http://x\nkey_id: k\nsecret_key_file: secret\n", OG_EINVAL, "not encrypted");
    expect("base_url: https://u:p@x\nkey_id: k\nsecret_key_file: secret\n", OG_EINVAL, "hidden");
    expect(BASE "clock: broker\n", OG_EINVAL, "this machine only");
    expect(BASE "environment: production\n", OG_EINVAL, "live and paper");
    expect(BASE "acount: A\n", OG_EINVAL, "did you mean 'account'");
    expect(BASE "secret_key: s3cret\n", OG_EINVAL, "secret_key_file");
    expect(BASE "header_prefix: 'a b'\n", OG_EINVAL, "header_prefix");
    expect(BASE "budgets: {POST orders: off}\n", OG_EINVAL, "POST orders");
    expect(BASE "budgets: {POST order: {rate: 0}}\n", OG_EINVAL, "rate");
    expect(BASE "base_url: https://y\n", OG_EINVAL, "base_url"); /* a key that occurs twice */
    expect("- 1\n", OG_EINVAL, "not a map");
    expect("base_url: [\n", OG_EINVAL, NULL);
    put("secret", "\n", 0600);
    expect(BASE, OG_EIO, "contains no secret");
    put("secret", "s3cret\n", 0640);
    expect(BASE, OG_EIO, "chmod 600");
}

/* Errors begin with the place of the setting in the file, or with the variable, and tell the value; a secret is not. */
static void errors_name_what_was_set(void **state)
{
    static const struct {
        const char *key, *variable, *value, *says;
        enum og_status status;
    } cases[] = {
        { "base_url", "ORDERGATE_BASE_URL", "ftp://x", "must be https://host[:port]", OG_EINVAL },
        { "base_url", "ORDERGATE_BASE_URL", "http://x", "is not encrypted", OG_EINVAL },
        { "ws_url", "ORDERGATE_WS_URL", "https://x", "must be wss://host[:port]", OG_EINVAL },
        { "ws_url", "ORDERGATE_WS_URL", "ws://x", "is not encrypted", OG_EINVAL },
        { "header_prefix", "ORDERGATE_HEADER_PREFIX", "a b", "allowed are letters, digits, - and _", OG_EINVAL },
        { "key_id", "ORDERGATE_KEY_ID", "a b", "must be printable ASCII without blanks", OG_EINVAL },
        { "settle", "ORDERGATE_SETTLE", "5x", "allowed are 0s to 1m", OG_EINVAL },
        { "settle", "ORDERGATE_SETTLE", "2h", "allowed are 0s to 1m", OG_EINVAL },
        { "clock", "ORDERGATE_CLOCK", "broker", "this machine only", OG_EINVAL },
        { "ca_file", NULL, "gone.pem", "does not exist", OG_EIO },
        { "secret_key_file", NULL, "gone", "does not exist", OG_EIO },
    };

    (void)state;
    put("secret", "s3cret\n", 0600);
    for (size_t i = 0; i < COUNT(cases) * 2; i++) {
        const size_t k = i / 2;
        static const char *const base[] = { "base_url: https://x\n", "key_id: k\n", "secret_key_file: secret\n" };
        const bool by_variable = i % 2;
        struct og_settings s;
        struct og_error err;
        char text[512] = "", line[256];
        int lines = 0;

        if (by_variable && !cases[k].variable)
            continue;
        for (size_t j = 0; j < COUNT(base); j++)
            if (strncmp(base[j], cases[k].key, strlen(cases[k].key)) != 0 &&
                !(by_variable && j == 0 && strcmp(cases[k].key, "ws_url") == 0)) {
                strncat(text, base[j], sizeof text - strlen(text) - 1);
                lines++;
            }
        if (by_variable && strcmp(cases[k].key, "ws_url") == 0) /* addresses come from one place */
            setenv("ORDERGATE_BASE_URL", "https://x", 1);
        if (by_variable)
            setenv(cases[k].variable, cases[k].value, 1);
        snprintf(line, sizeof line, "%s: '%s'\n", cases[k].key, cases[k].value);
        if (!by_variable)
            strncat(text, line, sizeof text - strlen(text) - 1);
        put("broker.yaml", text, 0600);
        if (reading(&s, &err) != cases[k].status || !strstr(err.text, cases[k].says))
            fail_msg("%s gives %d: %s", line, (int)err.status, err.text);
        snprintf(line, sizeof line, by_variable ? "%s: " : "'%s': ", by_variable ? cases[k].variable : cases[k].key);
        if (strncmp(err.text, line, strlen(line)) != 0)
            fail_msg("'%s' does not begin with %s", err.text, line);
        if (strcmp(cases[k].key, "key_id") != 0 && !strstr(err.text, cases[k].value))
            fail_msg("'%s' does not tell %s", err.text, cases[k].value);
        assert_int_equal(err.line, by_variable ? 0 : lines + 1);
        if (!by_variable)
            assert_non_null(strstr(err.source, "broker.yaml"));
        og_settings_clear(&s);
        if (by_variable)
            unsetenv(cases[k].variable);
        unsetenv("ORDERGATE_BASE_URL");
    }
}

static void public_keys_that_cannot_be_read(void **state)
{
    static const struct {
        const char *words, *variable, *says;
        int line;
    } cases[] = {
        { "require_signature: gone.pub\n", NULL, "'require_signature': '", 4 },
        { "require_signatures: {need: 1, keys: [secret, gone.pub]}\n", NULL, "'require_signatures': '", 4 },
        { "", "gone.pub", "ORDERGATE_REQUIRE_SIGNATURE: 'gone.pub' does not exist", 0 },
        { "", "", "ORDERGATE_REQUIRE_SIGNATURE: '' does not exist", 0 },
    };

    (void)state;
    put("secret", "s3cret\n", 0600);
    for (size_t i = 0; i < COUNT(cases); i++) {
        struct og_settings s, copy;
        struct og_error err;
        char text[256];

        snprintf(text, sizeof text, BASE "%s", cases[i].words);
        put("broker.yaml", text, 0600);
        if (cases[i].variable)
            setenv("ORDERGATE_REQUIRE_SIGNATURE", cases[i].variable, 1);
        assert_int_equal(reading(&s, &err), OG_OK); /* only who needs the keys reads them */
        assert_int_equal(og_settings_copy(&copy, &s, &err), OG_OK);
        og_settings_clear(&s);
        assert_int_equal(og_settings_check_policy_keys(&copy, &err), OG_EIO);
        if (strncmp(err.text, cases[i].says, strlen(cases[i].says)) != 0 || !strstr(err.text, "does not exist"))
            fail_msg("'%s' does not say '%s'", err.text, cases[i].says);
        assert_int_equal(err.line, cases[i].line);
        og_settings_clear(&copy);
        unsetenv("ORDERGATE_REQUIRE_SIGNATURE");
    }
}

static void a_file_others_may_write(void **state)
{
    struct og_settings s;
    struct og_error err;

    (void)state;
    put("secret", "s3cret", 0600);
    put("broker.yaml", BASE, 0606);
    assert_int_equal(reading(&s, &err), OG_EIO);
    assert_non_null(strstr(err.text, "chmod o-w"));
    og_settings_clear(&s);
}

static void addresses(void **state)
{
    static const struct {
        const char *url, *host, *path;
        int port; /* 0: refused */
        bool tls, websocket, loopback;
    } cases[] = {
        { "https://a.b", "a.b", "", 443, true, false, false },
        { "HTTP://LocalHost:80/x/y", "LocalHost", "/x/y", 80, false, false, true },
        { "ws://127.8.9.1:9", "127.8.9.1", "", 9, false, true, true },
        { "wss://[::1]:65535/", "::1", "/", 65535, true, true, true },
        { "http://127.0.0.1.example.com", "127.0.0.1.example.com", "", 80, false, false, false },
        { "http://127.example", "127.example", "", 80, false, false, false },
        { "http://localhost.example", "localhost.example", "", 80, false, false, false },
        { .url = "http://" },
        { .url = "ftp://a" },
        { .url = "http://a:0" },
        { .url = "http://a:65536" },
        { .url = "http://a:" },
        { .url = "http://a:1x" },
        { .url = "http://u@a" },
        { .url = "http://a?q" },
        { .url = "http://a#f" },
        { .url = "http://a b" },
        { .url = "http://[::1" },
        { .url = "a" },
        { .url = "" },
        { .url = "http://a\\b" },
    };
    struct og_address a;

    (void)state;
    for (size_t i = 0; i < COUNT(cases); i++) {
        if (og_address_read(cases[i].url, &a) != (cases[i].port != 0))
            fail_msg("'%s'", cases[i].url);
        if (cases[i].port == 0)
            continue;
        assert_str(a.host, cases[i].host);
        assert_str(a.path, cases[i].path);
        assert_int_equal(a.port, cases[i].port);
        assert_true(a.tls == cases[i].tls && a.websocket == cases[i].websocket && a.loopback == cases[i].loopback);
    }
}

/* Only the figures of the paper brokerage include every fill at once. In the environment "live" figures may lag even at
 * a loopback address, since that may be the end of a tunnel to a real broker. */
static void figures_lag_fills_wherever_the_environment_is_live(void **state)
{
    static const struct {
        const char *file, *environment, *settle;
        int64_t want;
    } cases[] = {
        { LOCAL, NULL, NULL, 0 },
        { LOCAL "environment: paper\n", NULL, NULL, 0 },
        { LOCAL, "paper", NULL, 0 },
        { LOCAL "environment: live\n", NULL, NULL, OG_SETTLE_NS },
        { LOCAL, "live", NULL, OG_SETTLE_NS },
        { LOCAL "environment: paper\n", "live", NULL, 0 }, /* the file wins over the environment */
        { LOCAL "environment: live\nsettle: 0s\n", NULL, "5s", 0 },
        { LOCAL "environment: live\n", NULL, "0s", 0 },
        { LOCAL "settle: 5s\n", NULL, NULL, 5 * INT64_C(1000000000) },
        { BASE, NULL, NULL, OG_SETTLE_NS },
        { BASE "environment: paper\n", NULL, NULL, OG_SETTLE_NS },
        { BASE "settle: 0s\n", "live", NULL, 0 },
    };
    struct og_settings s;
    struct og_error err;

    (void)state;
    put("secret", "s3cret\n", 0600);
    for (size_t i = 0; i < COUNT(cases); i++) {
        setenv("ORDERGATE_ENVIRONMENT", cases[i].environment ? cases[i].environment : "", 1);
        setenv("ORDERGATE_SETTLE", cases[i].settle ? cases[i].settle : "", 1);
        put("broker.yaml", cases[i].file, 0600);
        assert_int_equal(reading(&s, &err), OG_OK);
        if (og_settings_settle_ns(&s) != cases[i].want)
            fail_msg("case %zu: %lld", i, (long long)og_settings_settle_ns(&s));
        og_settings_clear(&s);
    }
}

static void paths(void **state)
{
    struct og_buf b;

    (void)state;
    og_buf_init(&b, 0);
    og_endpoint_path(OG_ENDPOINT_ORDER, OG_STR("A/1"), OG_STR("a b:c%/..?#\xc3\xa9"), &b);
    assert_string_equal(b.s, "/v1/api/accounts/A%2F1/order/a%20b%3Ac%25%2F..%3F%23%C3%A9");
    og_buf_clear(&b);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(a_whole_file),
        TEST(odd_shapes),
        TEST(from_the_environment),
        TEST(what_is_wrong_is_said),
        TEST(errors_name_what_was_set),
        TEST(public_keys_that_cannot_be_read),
        TEST(a_file_others_may_write),
        TEST(figures_lag_fills_wherever_the_environment_is_live),
        cmocka_unit_test(addresses),
        cmocka_unit_test(paths),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
