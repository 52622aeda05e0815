/*
 * Signatures that a floor demands, and those of several demands, through the functions of the library: which policies
 * load and which are refused, and that a source notices every change on which the answer depends.
 */
#include <openssl/evp.h>
#include <openssl/pem.h>
#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>

#include "ordergate/source.h"
#include "policy/policy.h"
#include "unit.h"

static char folder[64];

static const char *at(const char *name)
{
    static char paths[8][128];
    static unsigned next;
    char *path = paths[next++ % 8];

    snprintf(path, sizeof paths[0], "%s/%s", folder, name);
    return path;
}

/* Replace the file by a new one: the inode differs, so the change is noticed however soon it comes. */
static void put(const char *name, const char *text)
{
    char fresh[140];
    FILE *f;

    snprintf(fresh, sizeof fresh, "%s.new", at(name));
    f = fopen(fresh, "w");
    assert_non_null(f);
    fputs(text, f);
    fclose(f);
    assert_int_equal(chmod(fresh, 0600), 0);
    assert_int_equal(rename(fresh, at(name)), 0);
}

static void put_keys(const char *name)
{
    EVP_PKEY *key = EVP_PKEY_Q_keygen(NULL, NULL, "ED25519");
    char file[32];
    FILE *f;

    assert_non_null(key);
    put(name, "");
    f = fopen(at(name), "w");
    assert_int_equal(PEM_write_PrivateKey(f, key, NULL, NULL, 0, NULL, NULL), 1);
    fclose(f);
    snprintf(file, sizeof file, "%s.pub", name);
    put(file, "");
    f = fopen(at(file), "w");
    assert_int_equal(PEM_write_PUBKEY(f, key), 1);
    fclose(f);
    EVP_PKEY_free(key);
}

static void sign(const char *key)
{
    const char *desk = at("desk.yaml");

    assert_int_equal(og_policy_sign(&desk, 1, at(key), NULL, NULL, NULL, NULL, NULL), OG_OK);
}

#define DESK \
    "ordergate: 1\nname: desk\nextends: [default]\nrules: {order-quantity-limit: {level: refuse, shares: 100}}\n"
#define FLOOR "ordergate: 1\nrules: {order-quantity-limit: {level: refuse, shares: 50}}\n"

static int setup(void **state)
{
    (void)state;
    strcpy(folder, "/tmp/og-signers-XXXXXX");
    assert_non_null(mkdtemp(folder));
    put_keys("ann");
    put_keys("ben");
    put_keys("eve");
    put("desk.yaml", DESK);
    put("floor.yaml", FLOOR "require_signatures: {need: 2, keys: [ann.pub, ben.pub, eve.pub]}\n");
    return 0;
}

static int teardown(void **state)
{
    static const char *const names[] = { "ann",      "ann.pub",      "ben",          "ben.pub",
                                         "eve",      "eve.pub",      "desk.yaml",    "floor.yaml",
                                         "list.txt", "list.txt.sig", "desk.yaml.sig" };

    (void)state;
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++)
        unlink(at(names[i]));
    return rmdir(folder);
}

static void hear(void *with, const struct og_diagnostic *fault)
{
    snprintf(with, 64, "%s", fault->code);
}

static struct og_policy_source *a_source(const char *name)
{
    const char *path = strcmp(name, "live") == 0 ? name : at(name);
    struct og_policy_source *s = og_policy_source_new(&path, 1, at("floor.yaml"), NULL);

    assert_non_null(s);
    return s;
}

/* Load, and assert the code of the last diagnostic; NULL: the policy loads, with the floor over it. */
static void expect(struct og_policy_source *s, const char *code)
{
    struct og_policy *policy;
    struct og_error err = { 0 };
    char heard[64] = "";
    enum og_status status = og_policy_source_load(s, &policy, hear, heard, &err);

    assert_int_equal(status, code ? OG_EPOLICY : OG_OK);
    assert_string_equal(heard, code ? code : "");
    assert_false(og_policy_source_changed(s));
    if (code)
        return;
    assert_false(og_policy_unsigned(policy));
    assert_true(og_policy_locks(policy, "order-quantity-limit"));
    og_policy_free(policy);
}

static void a_floor_demands(void **state)
{
    struct og_policy_source *s = a_source("desk.yaml"), *shipped = a_source("live");

    (void)state;
    expect(shipped, "signature-missing");
    og_policy_source_free(shipped);
    expect(s, "signature-missing");
    sign("ann");
    assert_true(og_policy_source_changed(s));
    expect(s, "signatures-too-few");
    sign("ann");
    expect(s, "signatures-too-few");
    sign("eve");
    expect(s, NULL);
    put("desk.yaml", DESK "unsure: refuse\n");
    assert_true(og_policy_source_changed(s));
    expect(s, "signature-of-another");
    og_policy_source_free(s);
}

static void what_the_floor_demands_changes(void **state)
{
    struct og_policy_source *s = a_source("desk.yaml");

    (void)state;
    sign("ann");
    sign("ben");
    expect(s, NULL);
    put("floor.yaml", FLOOR "require_signatures: {need: 3, keys: [ann.pub, ben.pub, eve.pub]}\n");
    assert_true(og_policy_source_changed(s));
    expect(s, "signatures-too-few");
    put("floor.yaml", FLOOR "require_signatures: {need: 1, keys: [eve.pub]}\n");
    expect(s, "signature-wrong");
    put("floor.yaml", FLOOR "require_signatures: {need: 1, keys: [eve.pub, none.pub]}\n");
    expect(s, "key-unusable");
    put("floor.yaml", FLOOR "require_signatures: {need: 2, keys: [ann.pub]}\n");
    expect(s, "signers-wrong");
    put("floor.yaml", FLOOR "require_signatures: {need: 2, keys: [ann.pub, eve.pub]}\n");
    expect(s, "signatures-too-few");
    assert_int_equal(unlink(at("eve.pub")), 0);
    assert_int_equal(link(at("ann.pub"), at("eve.pub")), 0);
    assert_true(og_policy_source_changed(s));
    expect(s, "keys-too-few");
    og_policy_source_free(s);
}

static void other_demands_only_add(void **state)
{
    struct og_policy_source *s = a_source("desk.yaml");
    const char *two[] = { at("ann.pub"), at("ben.pub") }, *none[] = { at("ann.pub"), NULL };

    (void)state;
    assert_int_equal(og_policy_source_require_some(s, two, 2, 0), OG_EINVAL);
    assert_int_equal(og_policy_source_require_some(s, two, 2, 3), OG_EINVAL);
    assert_int_equal(og_policy_source_require_some(s, two, 0, 0), OG_EINVAL);
    assert_int_equal(og_policy_source_require_some(s, none, 2, 1), OG_EINVAL);
    assert_int_equal(og_policy_source_require_some(s, two, 2, 1), OG_OK);
    sign("ann");
    expect(s, "signatures-too-few"); /* the demand of the floor is not met yet */
    sign("eve");
    expect(s, NULL);
    for (int i = 0; i < 20; i++) /* the same keys again are the same requirement */
        assert_int_equal(og_policy_source_require_some(s, two, 2, 2), OG_OK);
    expect(s, "signatures-too-few");
    sign("ben");
    expect(s, NULL);
    for (int i = 0; i < 14; i++) {
        char name[16];
        const char *path = name;

        snprintf(name, sizeof name, "/none/%d", i);
        assert_int_equal(og_policy_source_require_some(s, &path, 1, 1), OG_OK);
    }
    assert_int_equal(og_policy_source_require(s, "/none/14"), OG_EINVAL);
    og_policy_source_free(s);
}

/* Inspecting a policy needs no signature; og_policy_unsigned() then says that none was checked. */
static void without_a_source(void **state)
{
    const char *desk = at("desk.yaml");
    struct og_policy *policy;

    (void)state;
    assert_int_equal(og_policy_load_all(&desk, 1, at("floor.yaml"), &policy, NULL, NULL, NULL), OG_OK);
    assert_true(og_policy_unsigned(policy));
    og_policy_free(policy);
    assert_int_equal(og_policy_load_all(&desk, 1, "", &policy, NULL, NULL, NULL), OG_OK);
    assert_false(og_policy_unsigned(policy));
    og_policy_free(policy);
}

/* A list of the floor is not signed with the policy; it may have a key of its own. */
static void a_list_of_the_floor(void **state)
{
    struct og_policy_source *s;

    (void)state;
    put("list.txt", "GME\n");
    put("floor.yaml",
        FLOOR "require_signatures: {need: 1, keys: [ann.pub]}\nlists: {l: {file: list.txt, key: eve.pub}}\n"
              "custom: [{id: c, require: '!(order.symbol in lists.l)'}]\n");
    sign("ann");
    s = a_source("desk.yaml");
    expect(s, "list-unsigned");
    assert_int_equal(og_list_sign(at("list.txt"), at("ann"), NULL, NULL, NULL), OG_OK);
    assert_true(og_policy_source_changed(s));
    expect(s, "list-unsigned");
    assert_int_equal(og_list_sign(at("list.txt"), at("eve"), NULL, NULL, NULL), OG_OK);
    expect(s, NULL);
    put("list.txt", "GME\nAMC\n");
    assert_true(og_policy_source_changed(s));
    expect(s, "list-unsigned");
    og_policy_source_free(s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(a_floor_demands, setup, teardown),
        cmocka_unit_test_setup_teardown(what_the_floor_demands_changes, setup, teardown),
        cmocka_unit_test_setup_teardown(other_demands_only_add, setup, teardown),
        cmocka_unit_test_setup_teardown(without_a_source, setup, teardown),
        cmocka_unit_test_setup_teardown(a_list_of_the_floor, setup, teardown),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
