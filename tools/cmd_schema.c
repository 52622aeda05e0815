/*
 * ordergate schema: prints the JSON Schemas of decisions, orders, facts, policies and policy tests, which the library
 * makes from its tables.
 */
#include "ordergate/ordergate.h"

#include "tools/common/commands.h"
#include "tools/common/exit.h"
#include "tools/common/messages.h"

#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>

enum { NAMES_MOST = 8 };

static const char usage[] = "usage: ordergate schema decision|order|facts|policy|test\n"
                            "\n"
                            "Prints the JSON Schema (draft 2020-12) of what check writes, of an order line, of a facts "
                            "document, of a policy,\nor of a file of policy tests.\n"
                            "\n"
                            "  ordergate schema decision > decision.schema.json\n"
                            "\n"
                            "  -h, --help   this text\n"
                            "\n"
                            "exit: 0 done, 2 usage, 4 cannot write\n";

static const struct option options[] = { { "help", no_argument, NULL, 'h' }, { NULL, 0, NULL, 0 } };

static int no_such_schema(const char *name)
{
    const char *names[NAMES_MOST], *nearest;
    size_t count = 0;

    while (count < NAMES_MOST && (names[count] = og_schema_at(count)))
        count++;
    nearest = og_nearest_word(name, names, count);
    fprintf(stderr,
            "ordergate schema: there is no schema '%s', allowed are decision, order, facts, policy, test%s%s%s\n", name,
            nearest ? "; did you mean '" : "", nearest ? nearest : "", nearest ? "'?" : "");
    return EXIT_USAGE;
}

int og_cmd_schema(int argc, char **argv)
{
    int option = getopt_long(argc, argv, "h", options, NULL);
    char *text;

    if (option == 'h') {
        fputs(usage, stdout);
        return og_close_stdout("ordergate schema");
    }
    if (option != -1 || optind + 1 != argc) {
        if (option == -1)
            fputs("ordergate schema: takes one name: decision, order, facts, policy or test\n", stderr);
        return EXIT_USAGE;
    }
    text = og_schema(argv[optind]);
    if (!text)
        return no_such_schema(argv[optind]);
    fputs(text, stdout);
    free(text);
    return og_close_stdout("ordergate schema");
}
