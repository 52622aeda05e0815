/* A program that links the gate and does nothing for a halt: it decides one order again and again, and prints each
 * change. */
#include <ordergate/ordergate.h>
#include <poll.h>
#include <stdio.h>
#include <string.h>

static const char *reason_of(const struct og_decision *d)
{
    for (int i = 0; i < d->count; i++)
        if (d->findings[i].level == OG_LEVEL_REFUSE)
            return d->findings[i].reason;
    return "accepted";
}

int main(void)
{
    static const char line[] =
        "{\"securityType\":\"Stock\",\"symbol\":\"AAPL\",\"side\":\"Buy\",\"openClose\":\"Open\","
        "\"orderType\":\"Limit\",\"orderQuantity\":10,\"timeInForce\":\"Day\",\"limitPrice\":170}";
    static const char yaml[] = "ordergate: 1\nname: one\nextends: []\n";
    struct og_error err = { 0 };
    struct og_policy *policy;
    struct og_book *book;
    struct og_order *order = og_order_new();
    struct og_scratch *scratch = og_scratch_new();
    struct og_decision d;
    char last[64] = "";

    if (!order || !scratch || og_policy_read(yaml, strlen(yaml), "one", &policy, NULL, NULL, &err) ||
        og_book_new(policy, &book) || og_order_read(order, line, strlen(line)))
        return fprintf(stderr, "cannot start: %s\n", err.text), 4;
    while (!ferror(stdout)) { /* until nobody reads the output any more */
        og_check(book, order, og_time_now(), scratch, &d);
        if (strcmp(last, reason_of(&d)) != 0) {
            snprintf(last, sizeof last, "%s", reason_of(&d));
            printf("%s\n", last);
            fflush(stdout);
        }
        poll(NULL, 0, 1);
    }
    return 0;
}
