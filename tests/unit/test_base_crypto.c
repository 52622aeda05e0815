/*
 * Digests, random bytes, secrets.
 */
#include "unit.h"

#include "base/crypto.h"

static void digests(void **state)
{
    struct og_digest_text text;

    (void)state;
    assert_true(og_digest("abc", 3, &text)); /* FIPS 180-4 */
    assert_string_equal(text.s, "sha256:ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
    assert_true(og_digest("", 0, &text));
    assert_string_equal(text.s, "sha256:e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
}

static void random_bytes_differ(void **state)
{
    unsigned char a[32] = { 0 }, b[32] = { 0 };

    (void)state;
    assert_true(og_random(a, sizeof a));
    assert_true(og_random(b, sizeof b));
    assert_memory_not_equal(a, b, sizeof a);
    assert_false(og_random(a, SIZE_MAX));
}

static void secrets(void **state)
{
    char secret[] = "paper-secret";

    (void)state;
    assert_true(og_same_secret(secret, 12, "paper-secret", 12));
    assert_false(og_same_secret(secret, 12, "paper-secreT", 12));
    assert_false(og_same_secret(secret, 12, "paper-secret1", 13));
    assert_true(og_same_secret("", 0, "", 0));
    og_wipe(secret, sizeof secret);
    for (size_t i = 0; i < sizeof secret; i++)
        assert_int_equal(secret[i], 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(digests),
        cmocka_unit_test(random_bytes_differ),
        cmocka_unit_test(secrets),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
