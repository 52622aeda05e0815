/*
 * Digests, random bytes, secrets.
 */
#include <openssl/evp.h>
#include <stdio.h>

#include "base/crypto.h"
#include "unit.h"

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

/* RFC 8032, 7.1, test 1: its keys in PEM. */
static const char private_key[] =
    "-----BEGIN PRIVATE KEY-----\nMC4CAQAwBQYDK2VwBCIEIJ1hsZ3v/VpguoRK9JLsLMREScVpezJpGXA7rAMcrn9g\n-----END PRIVATE "
    "KEY-----\n";
static const char public_key[] =
    "-----BEGIN PUBLIC KEY-----\nMCowBQYDK2VwAyEA11qYAYKxCrfVS/7TyWQHOg7hcvPapiMlrwIaaPcHURo=\n-----END PUBLIC "
    "KEY-----\n";
static const char of_nothing[] =
    "e5564300c360ac729086e2cc806e828a84877f1eb8e5d974d873e065224901555fb8821590a33bacc61e39701cf9b46b"
    "d25bf5f0595bbe24655141438e7a100b";

static void hex_of(const unsigned char *bytes, size_t len, char *to)
{
    for (size_t i = 0; i < len; i++)
        snprintf(to + 2 * i, 3, "%02x", bytes[i]);
}

static void signatures(void **state)
{
    unsigned char signature[OG_SIGNATURE_SIZE];
    unsigned char key[OG_PUBLIC_KEY_SIZE];
    char text[2 * OG_SIGNATURE_SIZE + 1];

    (void)state;
    assert_int_equal(og_public_key(public_key, sizeof public_key - 1, key), OG_SIGNING_OK);
    assert_int_equal(og_sign(private_key, sizeof private_key - 1, "", 0, signature), OG_SIGNING_OK);
    hex_of(signature, sizeof signature, text);
    assert_string_equal(text, of_nothing);
    assert_int_equal(og_sign_verify(key, "", 0, signature), OG_SIGNING_OK);
    assert_int_equal(og_sign_verify(key, "x", 1, signature), OG_SIGNING_WRONG);
    for (size_t i = 0; i < sizeof signature; i++) {
        signature[i] ^= 1;
        assert_int_equal(og_sign_verify(key, "", 0, signature), OG_SIGNING_WRONG);
        signature[i] ^= 1;
    }
}

static void keys(void **state)
{
    static const char rsa[] = "-----BEGIN PUBLIC KEY-----\n"
                              "MIGfMA0GCSqGSIb3DQEBAQUAA4GNADCBiQKBgQCnoMgPZWm7WxXXW5gSqHPUXc+1\n"
                              "WgEGvdPcgaPwbyqSIZLSPVM+hxMgrjmRPgmdfkexRlgPGctO+5Z4j1eaw5IbADuN\n"
                              "3PFT0YD08UcXvh5o1zq3TAsVfS/phay7h8alTm8CddupZudhvvdJZ2M75c+f2K2n\n"
                              "yKLkM2N/ggRBJdqavQIDAQAB\n"
                              "-----END PUBLIC KEY-----\n";
    static const char rewritten[] = "of the desk\r\n-----BEGIN PUBLIC KEY-----\r\nMCowBQYDK2VwAyEA11qYAYKxCrfV\r\n"
                                    "S/7TyWQHOg7hcvPapiMlrwIaaPcHURo=\r\n-----END PUBLIC KEY-----\r\n";
    unsigned char signature[OG_SIGNATURE_SIZE] = { 0 }, key[OG_PUBLIC_KEY_SIZE], same[OG_PUBLIC_KEY_SIZE];

    (void)state;
    assert_int_equal(og_sign("", 0, "", 0, signature), OG_SIGNING_NO_KEY);
    assert_int_equal(og_sign(public_key, sizeof public_key - 1, "", 0, signature), OG_SIGNING_NO_KEY);
    assert_int_equal(og_public_key(private_key, sizeof private_key - 1, key), OG_SIGNING_NO_KEY);
    assert_int_equal(og_public_key(public_key, 20, key), OG_SIGNING_NO_KEY);
    assert_int_equal(og_public_key(rsa, sizeof rsa - 1, key), OG_SIGNING_NOT_ED25519);
    assert_int_equal(og_public_key(public_key, sizeof public_key - 1, key), OG_SIGNING_OK);
    assert_int_equal(og_public_key(rewritten, sizeof rewritten - 1, same), OG_SIGNING_OK);
    assert_memory_equal(key, same, sizeof key);
}

/* Read a public key of these bytes; if `more`, the PEM of another key follows it. */
static enum og_signing read_bytes(const unsigned char bytes[OG_PUBLIC_KEY_SIZE], const char *more)
{
    static const unsigned char begin[] = { 0x30, 0x2a, 0x30, 0x05, 0x06, 0x03, 0x2b, 0x65, 0x70, 0x03, 0x21, 0x00 };
    unsigned char der[sizeof begin + OG_PUBLIC_KEY_SIZE], base64[128], key[OG_PUBLIC_KEY_SIZE];
    char pem[600];

    memcpy(der, begin, sizeof begin);
    memcpy(der + sizeof begin, bytes, OG_PUBLIC_KEY_SIZE);
    (void)EVP_EncodeBlock(base64, der, sizeof der);
    snprintf(pem, sizeof pem, "-----BEGIN PUBLIC KEY-----\n%s\n-----END PUBLIC KEY-----\n%s", (const char *)base64,
             more);
    return og_public_key(pem, strlen(pem), key);
}

static void of_hex(const char *hex, unsigned char to[OG_PUBLIC_KEY_SIZE])
{
    unsigned byte;

    for (size_t i = 0; i < OG_PUBLIC_KEY_SIZE; i++) {
        assert_int_equal(sscanf(hex + 2 * i, "%2x", &byte), 1);
        to[i] = (unsigned char)byte;
    }
}

#define ZEROS "000000000000000000000000000000000000000000000000000000000000"
#define ONES  "ffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff"

/* With keys of small order, which libcrypto accepts, the signature R = identity, S = 0 is valid for every text: such
 * keys must be rejected. */
static void keys_of_small_order(void **state)
{
    static const char *const weak[] = {
        "00" ZEROS "00",
        "01" ZEROS "00",
        "ec" ONES "7f",
        "ed" ONES "7f",
        "ee" ONES "7f",
        "26e8958fc2b227b045c3f489f2ef98f0d5dfac05d3c63339b13802886d53fc05",
        "c7176a703d4dd84fba3c0b760d10670f2a2053fa2c39ccc64ec7fd7792ac037a",
    };
    static const char *const fine[] = { "02" ZEROS "00", "eb" ONES "7f", "00" ZEROS "01" };
    unsigned char bytes[OG_PUBLIC_KEY_SIZE];

    (void)state;
    for (size_t i = 0; i < sizeof weak / sizeof *weak; i++)
        for (int sign = 0; sign < 2; sign++) {
            of_hex(weak[i], bytes);
            bytes[OG_PUBLIC_KEY_SIZE - 1] ^= (unsigned char)(sign << 7);
            assert_int_equal(read_bytes(bytes, ""), OG_SIGNING_WEAK);
        }
    for (size_t i = 0; i < sizeof fine / sizeof *fine; i++) {
        of_hex(fine[i], bytes);
        assert_int_equal(read_bytes(bytes, ""), OG_SIGNING_OK);
    }
}

static void one_key_in_a_file(void **state)
{
    unsigned char bytes[OG_PUBLIC_KEY_SIZE], signature[OG_SIGNATURE_SIZE];
    char two[600];

    (void)state;
    of_hex("02" ZEROS "00", bytes);
    assert_int_equal(read_bytes(bytes, "of the desk\n"), OG_SIGNING_OK);
    assert_int_equal(read_bytes(bytes, public_key), OG_SIGNING_SEVERAL);
    assert_int_equal(read_bytes(bytes, "-----BEGIN PUBLIC KEY-----\n!\n-----END PUBLIC KEY-----\n"),
                     OG_SIGNING_SEVERAL);
    assert_int_equal(read_bytes(bytes, "-----BEGIN PUBLIC KEY-----\nMCow"), OG_SIGNING_SEVERAL);
    snprintf(two, sizeof two, "%s%s", private_key, private_key);
    assert_int_equal(og_sign(two, strlen(two), "", 0, signature), OG_SIGNING_SEVERAL);
    snprintf(two, sizeof two, "%s%s", private_key, public_key);
    assert_int_equal(og_sign(two, strlen(two), "", 0, signature), OG_SIGNING_OK);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(digests),
        cmocka_unit_test(random_bytes_differ),
        cmocka_unit_test(secrets),
        cmocka_unit_test(signatures),
        cmocka_unit_test(keys),
        cmocka_unit_test(keys_of_small_order),
        cmocka_unit_test(one_key_in_a_file),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
