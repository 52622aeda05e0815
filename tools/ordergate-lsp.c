/*
 * ordergate lsp: a language server for policies and their tests, on standard input and output.
 */
#include <errno.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "lsp/lsp.h"
#include "ordergate/file.h"
#include "tools/common/exit.h"
#include "tools/common/facts.h"
#include "tools/common/messages.h"
#include "tools/common/options.h"

struct settings {
    struct og_lsp_options lsp;
    const char *facts_path;
    bool stdio;
    int use;
};

static const struct option_row rows[] = {
    OPTION_ROW("at", 0, "TIME", TIME_AT(struct settings, lsp.lint.now),
               "dates before this instant are past (RFC 3339; default: the time of each check)"),
    OPTION_ROW("facts", 'f', "FILE", TEXT_AT(struct settings, facts_path),
               "decide the orders that findings show by these facts, instead of by made-up ones"),
    OPTION_ROW("for", 0, "check|send", CHOICE_AT(struct settings, use),
               "report which facts the rules will lack in `check` or in `send`"),
    OPTION_ROW("floor", 0, "FILE", TEXT_AT(struct settings, lsp.lint.floor), "lay that floor over policies first"),
    OPTION_ROW("no-witness", 0, NULL, FLAG_AT(struct settings, lsp.lint.no_witness), "show no orders"),
    OPTION_ROW("stdio", 0, NULL, FLAG_AT(struct settings, stdio),
               "speak on standard input and output, as it always does: some clients add this"),
    OPTION_END,
};

static const struct option_spec spec = {
    .program = "ordergate lsp",
    .synopsis = "[options]",
    .about =
        "A language server (LSP 3.17) for policies and their tests, which an editor starts: the findings of "
        "`ordergate lint` while you write, explanations of rules, settings and names under the cursor, completion, "
        "definition through layers, the repairs of `lint --fix`, the results of tests, and the layout of `ordergate "
        "fmt`.  Layers that are open in the editor are read as they are there.  The options mean what they mean for "
        "`ordergate lint`.\n"
        "\n"
        "docs/editors.md says how to set up an editor.\n",
    .rows = rows,
    .exits = "0 the client asked for the end by `shutdown`, 1 it did not, 2 usage, 3 the facts cannot be used, 4 the "
             "input is not LSP, or standard output cannot be written",
};

static bool write_all(const char *bytes, size_t len)
{
    while (len > 0) {
        ssize_t n = write(STDOUT_FILENO, bytes, len);

        if (n < 0 && errno != EINTR) {
            fprintf(stderr, "ordergate lsp: standard output cannot be written: %s\n", strerror(errno));
            return false;
        }
        bytes += n > 0 ? n : 0;
        len -= n > 0 ? (size_t)n : 0;
    }
    return true;
}

static bool flush(struct og_lsp *s)
{
    struct og_str out = og_lsp_output(s);
    bool ok = write_all(out.s, out.len);

    og_lsp_written(s);
    return ok;
}

static bool input_waits(void)
{
    struct pollfd in = { .fd = STDIN_FILENO, .events = POLLIN };

    return poll(&in, 1, 0) > 0;
}

/* Serve until the session or the input ends.  Returns the exit code. */
static int serve(struct og_lsp *s)
{
    static char bytes[65536];
    const char *why;
    ssize_t n;
    int code;

    do {
        do
            n = read(STDIN_FILENO, bytes, sizeof bytes);
        while (n < 0 && errno == EINTR);
        if (n <= 0)
            break;
        if (!og_lsp_feed(s, bytes, (size_t)n))
            break;
        if (!flush(s)) /* send the answers before the checks, which may take longer */
            return EXIT_IO;
        if (!input_waits())
            og_lsp_settle(s);
    } while (flush(s));
    if (n < 0) {
        fprintf(stderr, "ordergate lsp: standard input cannot be read: %s\n", strerror(errno));
        return EXIT_IO;
    }
    if (!flush(s))
        return EXIT_IO;
    code = og_lsp_exit_code(s, &why);
    if (why)
        fprintf(stderr, "ordergate lsp: %s\n", why);
    return code;
}

static int read_facts(struct settings *settings, char **facts)
{
    struct og_error err = { 0 };

    if (!settings->facts_path)
        return 0;
    if (og_file_read(settings->facts_path, OG_FILE_READ, FACTS_FILE_MOST, facts, &settings->lsp.lint.facts_len, NULL,
                     &err) != OG_OK)
        return og_say(spec.program, &err, EXIT_UNUSABLE);
    settings->lsp.lint.facts = *facts;
    return 0;
}

int main(int argc, char **argv)
{
    struct settings settings = { .use = -1 };
    char *facts = NULL;
    struct og_lsp *s;
    int code = options_read(&spec, &settings, argc, argv);

    if (code >= 0)
        return code;
    if (optind < argc)
        return options_misuse(&spec, "takes no arguments");
    if (settings.use >= 0)
        settings.lsp.lint.use = settings.use == 0 ? OG_LINT_FOR_CHECK : OG_LINT_FOR_SEND;
    code = read_facts(&settings, &facts);
    s = code ? NULL : og_lsp_new(&settings.lsp);
    if (s)
        code = serve(s);
    else if (!code)
        code = EXIT_IO;
    og_lsp_free(s);
    free(facts);
    return code;
}
