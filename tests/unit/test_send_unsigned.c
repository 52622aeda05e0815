/*
 * A sender rejects a policy whose floor demands signatures that nobody checked, however the sender gets the policy.
 */
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "ordergate/ordergate.h"
#include "ordergate/send.h"
#include "ordergate/source.h"
#include "unit.h"

static const char *const names[] = { "./desk.yaml" };

static void put(const char *name, const char *text)
{
    FILE *f = fopen(name, "w");

    assert_non_null(f);
    fputs(text, f);
    fclose(f);
    assert_int_equal(chmod(name, 0600), 0);
}

/* Use port 9, on which nobody listens. */
static int set_up(void **state)
{
    static char folder[] = "/tmp/og-unsigned-XXXXXX";

    (void)state;
    if (!mkdtemp(folder) || chdir(folder) || setenv("XDG_STATE_HOME", folder, 1) ||
        setenv("ORDERGATE_BASE_URL", "http://127.0.0.1:9", 1) || setenv("ORDERGATE_KEY_ID", "k", 1))
        return -1;
    put("desk.yaml", "ordergate: 1\n");
    return 0;
}

/* Make a sender with a policy that was loaded under that floor, with its source or without. Returns the status. */
static enum og_status made(const char *floor, bool with_source, struct og_error *err)
{
    struct og_send_options options = { .dry_run = true };
    struct og_policy_source *source = NULL;
    struct og_sender *sender;
    enum og_status status;

    *err = (struct og_error){ 0 };
    put("floor.yaml", floor);
    assert_int_equal(setenv("ORDERGATE_SECRET_KEY", "s3cret-s3cret", 1), 0);
    assert_int_equal(og_policy_load_all(names, 1, "./floor.yaml", &options.policy, NULL, NULL, NULL), OG_OK);
    if (with_source)
        source = options.source = og_policy_source_new(names, 1, "./floor.yaml", NULL);
    status = og_sender_new(&options, &sender, err);
    if (status == OG_OK)
        og_sender_free(sender);
    else
        og_policy_free(options.policy);
    og_policy_source_free(source);
    return status;
}

static void a_floor_that_demands(void **state)
{
    static const char demands[] = "ordergate: 1\nrequire_signatures: {need: 1, keys: [ann.pub]}\n";
    struct og_error err;

    (void)state;
    assert_int_equal(made("ordergate: 1\n", false, &err), OG_OK);
    assert_int_equal(made("ordergate: 1\n", true, &err), OG_OK);
    assert_int_equal(made(demands, false, &err), OG_EPOLICY);
    if (!strstr(err.text, "without its source"))
        fail_msg("%s", err.text);
    assert_int_equal(made(demands, true, &err), OG_EPOLICY);
    if (!strstr(err.text, "does not exist"))
        fail_msg("%s", err.text);
}

int main(void)
{
    const struct CMUnitTest tests[] = { cmocka_unit_test(a_floor_that_demands) };

    return cmocka_run_group_tests(tests, set_up, NULL);
}
