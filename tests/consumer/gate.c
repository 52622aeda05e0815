/* The library linked as a pre-trade gate. */
#include <ordergate/ordergate.h>
#include <stdio.h>
#include <string.h>

int main(void)
{
    static const char line[] =
        "{\"securityType\":\"Stock\",\"symbol\":\"BRK/B\",\"side\":\"Buy\",\"openClose\":\"Open\","
        "\"orderType\":\"Limit\",\"orderQuantity\":10,\"timeInForce\":\"Day\",\"limitPrice\":470.25,"
        "\"clientOrderId\":\"a1\"}";
    struct og_error err = { 0 };
    struct og_policy *policy;
    struct og_book *book;
    struct og_order *order = og_order_new();
    struct og_scratch *scratch = og_scratch_new();
    struct og_decision d;
    og_ticket ticket;

    if (!order || !scratch || og_policy_load("default", &policy, NULL, NULL, &err) || og_book_new(policy, &book))
        return fprintf(stderr, "cannot start: %s\n", err.text), 4;
    if (og_order_read(order, line, strlen(line)) || og_reserve(book, order, og_time_now(), scratch, &d, &ticket))
        return 4;
    for (int i = 0; i < d.count; i++)
        if (d.findings[i].level == OG_LEVEL_REFUSE)
            printf("refused: %s: %s\n", d.findings[i].reason, d.findings[i].message);
    if (d.accepted)
        og_ticket_sent(book, ticket, og_time_now()); /* call this after your own code has posted the order */
    og_scratch_free(scratch);
    og_order_free(order);
    og_book_free(book);
    return d.accepted ? 0 : 1;
}
