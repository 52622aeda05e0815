/*
 * ordergate fmt: writes policies, policy tests and other YAML files in the standard layout, or shows what would change.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "ordergate/file.h"
#include "ordergate/ordergate.h"
#include "tools/common/commands.h"
#include "tools/common/exit.h"
#include "tools/common/messages.h"
#include "tools/common/options.h"
#include "tools/common/rewrite.h"

#define FILE_MOST ((size_t)16 << 20)

struct asked {
    bool check;
};

static const struct option_row rows[] = {
    OPTION_ROW("check", 0, NULL, FLAG_AT(struct asked, check),
               "write nothing; print a diff and exit 1 if a file would change"),
    OPTION_END,
};

static const struct option_spec spec = {
    .program = "ordergate fmt",
    .synopsis = "[--check] FILE...",
    .about =
        "Lays out policies, policy tests, scenarios and broker files: two blanks for each block, one between words, "
        "none inside brackets, one blank line at most.  Values, quotes, the order of keys, line breaks and comments "
        "stay; a policy keeps its digest, and a file laid out twice is the same.  A file is replaced as a whole or "
        "not at all.  `-` is standard input, laid out on standard output.\n"
        "\n"
        "  ordergate fmt desk.yaml desk_test.yaml     names each file that it changes\n"
        "  ordergate fmt --check policies/*.yaml      in CI\n",
    .rows = rows,
    .exits = "0 done, 1 a file would change (--check), 2 usage, 3 a file is not YAML as policies use it, 4 cannot read "
             "or write",
};

static int worse(int a, int b)
{
    return a > b ? a : b;
}

/* Write or print the new layout of a file, or of standard input. */
static int put(const struct asked *a, const char *path, const char *old, size_t old_len, const char *new,
               size_t new_len)
{
    bool same = old_len == new_len && memcmp(old, new, new_len) == 0, input = strcmp(path, "-") == 0;

    if (input && !a->check)
        return fwrite(new, 1, new_len, stdout) == new_len ? 0 : EXIT_IO;
    if (same)
        return 0;
    if (a->check)
        return rewrite_print_diff(spec.program, path, old, old_len, new, new_len) ? EXIT_NO : EXIT_IO;
    if (!rewrite_file(spec.program, path, old, old_len, new, new_len))
        return EXIT_IO;
    puts(path);
    return 0;
}

static int format(const struct asked *a, const char *path)
{
    char *old = NULL, *new = NULL;
    size_t old_len, new_len;
    struct og_error err = { 0 };
    enum og_status status = og_file_read(path, OG_FILE_FIFO, FILE_MOST, &old, &old_len, NULL, &err);
    int code;

    if (status != OG_OK)
        return og_say(spec.program, &err, EXIT_IO);
    status = og_yaml_format(old, old_len, path, &new, &new_len, og_print_fault, stderr, &err);
    if (status == OG_OK)
        code = put(a, path, old, old_len, new, new_len);
    else if (status == OG_ESYNTAX && err.line > 0) /* it is printed as a diagnostic */
        code = EXIT_UNUSABLE;
    else
        code = og_say(spec.program, &err, status == OG_ESYNTAX ? EXIT_UNUSABLE : EXIT_IO);
    free(old);
    free(new);
    return code;
}

int og_cmd_fmt(int argc, char **argv)
{
    struct asked a = { .check = false };
    int code = options_read(&spec, &a, argc, argv);

    if (code >= 0)
        return code;
    if (optind == argc)
        return options_misuse(&spec, "needs the names of files, or - for standard input");
    code = 0;
    for (int i = optind; i < argc; i++)
        code = worse(code, format(&a, argv[i]));
    return worse(code, og_close_stdout(spec.program));
}
