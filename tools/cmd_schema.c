/*
 * ordergate schema: prints the JSON Schemas of decisions, orders, facts, policies, policy tests and the status, which
 * the library makes from its tables.
 */
#include <unistd.h>

#include "ordergate/ordergate.h"
#include "tools/common/commands.h"
#include "tools/common/exit.h"
#include "tools/common/messages.h"
#include "tools/common/options.h"

static const struct option_command names[] = {
    { "decision", "what check writes" },  { "order", "an order line" },
    { "facts", "a facts document" },      { "policy", "a policy" },
    { "test", "a file of policy tests" }, { "status", "what status writes" },
};

static const struct option_spec spec = {
    .program = "ordergate schema",
    .synopsis = "decision|order|facts|policy|test|status",
    .about = "Prints the JSON Schema (draft 2020-12) of:\n",
    OPTION_COMMANDS(names),
    .command_kind = "schema",
    .notes = "  ordergate schema decision > decision.schema.json",
    .exits = "0 done, 2 usage, 4 cannot write",
};

int og_cmd_schema(int argc, char **argv)
{
    int code = options_read(&spec, NULL, argc, argv);

    if (code >= 0)
        return code;
    if (optind + 1 != argc)
        return options_misuse(&spec, "takes one name: decision, order, facts, policy, test or status");
    if (options_command(&spec, argv[optind]) < 0)
        return EXIT_USAGE;
    return og_print_text(spec.program, og_schema(argv[optind]));
}
