/*
 * A broker's secret is in this process's memory while a client or a sender uses it, and nowhere in it once they are
 * closed. The test itself never has it in one piece.
 */
#include <fcntl.h>
#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>

#include "ordergate/broker.h"
#include "ordergate/ordergate.h"
#include "ordergate/send.h"
#include "unit.h"

#define LENGTH 32
#define LARGE  (1ul << 28) /* memory that a sanitizer uses itself */

/* Returns the i-th byte of the secret. */
static char secret(int i)
{
    return (char)('A' + (i * 7 + 3) % 23);
}

/* Read without AddressSanitizer, since this reads memory that belongs to nobody. */
__attribute__((no_sanitize("address"))) static bool is_here(const volatile char *at)
{
    int i = 0;

    while (i < LENGTH && at[i] == secret(i))
        i++;
    return i == LENGTH;
}

/* Returns how often the secret is in writable memory. */
static int copies(void)
{
    char line[512], rights[8];
    unsigned long from, to;
    int found = 0;
    FILE *maps = fopen("/proc/self/maps", "r");

    assert_non_null(maps);
    while (fgets(line, sizeof line, maps))
        if (sscanf(line, "%lx-%lx %7s", &from, &to, rights) == 3 && strncmp(rights, "rw", 2) == 0 && to - from < LARGE)
            for (unsigned long at = from; at + LENGTH <= to; at++)
                found += is_here((const volatile char *)at);
    fclose(maps);
    return found;
}

static void put(const char *name, const char *text)
{
    const int fd = open(name, O_WRONLY | O_CREAT | O_TRUNC, 0600);

    assert_true(fd >= 0);
    for (int i = 0; text ? text[i] != '\0' : i < LENGTH; i++) {
        const char c = text ? text[i] : secret(i);

        assert_int_equal(write(fd, &c, 1), 1);
    }
    assert_int_equal(close(fd), 0);
}

/* Use port 9, on which nobody listens. */
static int set_up(void **state)
{
    static char folder[] = "/tmp/og-wiped-XXXXXX";

    (void)state;
    if (!mkdtemp(folder) || chdir(folder) || setenv("XDG_STATE_HOME", folder, 1))
        return -1;
    put("secret", NULL);
    put("broker.yaml", "base_url: http://127.0.0.1:9\nkey_id: k\nsecret_key_file: secret\nenvironment: paper\n");
    *state = folder;
    return 0;
}

static int tear_down(void **state)
{
    char command[80];

    snprintf(command, sizeof command, "rm -rf %s", (const char *)*state);
    return chdir("/") || system(command);
}

static void by_a_client_that_asked(void **state)
{
    const struct og_client_options options = {
        .broker = "broker.yaml", .account = "PAPER0001", .wait_ns = OG_NS_PER_S, .timeout_ns = OG_NS_PER_S
    };
    struct og_account_detail to = { 0 };
    struct og_client *client;

    (void)state;
    assert_int_equal(copies(), 0);
    assert_int_equal(og_client_open(&options, &client, NULL), OG_OK);
    assert_in_range(copies(), 1, 100); /* the search finds the secret while it is in use */
    assert_int_equal(og_client_account(client, NULL, &to, NULL), OG_ENET);
    og_answer_clear(&to.answer);
    og_client_close(client);
    assert_int_equal(copies(), 0);
}

static void by_a_client_that_cannot_be(void **state)
{
    const struct og_client_options options = { .broker = "broken.yaml" };
    struct og_client *client;

    (void)state;
    put("broken.yaml", "key_id: k\nsecret_key_file: secret\nbase_url: ftp://nowhere\n");
    assert_int_not_equal(og_client_open(&options, &client, NULL), OG_OK);
    assert_int_equal(copies(), 0);
}

static void by_a_sender(void **state)
{
    struct og_send_options options = { .broker = "broker.yaml", .account = "PAPER0001", .ledger = "ledger.db" };
    struct og_sender *sender;

    (void)state;
    assert_int_equal(og_policy_load("default", &options.policy, NULL, NULL, NULL), OG_OK);
    assert_int_equal(og_sender_new(&options, &sender, NULL), OG_OK);
    assert_in_range(copies(), 1, 100);
    og_sender_free(sender);
    assert_int_equal(copies(), 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(by_a_client_that_asked),
        cmocka_unit_test(by_a_client_that_cannot_be),
        cmocka_unit_test(by_a_sender),
    };

    return cmocka_run_group_tests(tests, set_up, tear_down);
}
