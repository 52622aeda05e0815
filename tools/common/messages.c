/*
 * Prints messages for people on stderr; see tools/common/messages.h.
 */
#include "tools/common/messages.h"

#include <errno.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tools/common/exit.h"
#include "tools/common/options.h"

const char *og_tool_error(const struct og_error *err, char *to, size_t size)
{
    int n = 0;

    to[0] = '\0';
    if (err->source[0])
        n = err->line ? snprintf(to, size, "%s:%d:%d: ", err->source, err->line, err->col)
                      : snprintf(to, size, "%s: ", err->source);
    if (n >= 0 && (size_t)n < size)
        snprintf(to + n, size - (size_t)n, "%s", err->text[0] ? err->text : og_status_text(err->status));
    return to;
}

const char *og_tool_complaint(const struct og_error *err, char *to, size_t size)
{
    const char *quote = err->text[0] == '\'' && !err->source[0] ? strchr(err->text + 1, '\'') : NULL;
    const char *option = quote ? options_naming(err->text + 1, (size_t)(quote - err->text - 1)) : NULL;
    size_t len = strlen(og_tool_error(err, to, size));

    if (option)
        snprintf(to + len, size - len, " (it is given by --%s)", option);
    return to;
}

int og_say(const char *program, const struct og_error *err, int code)
{
    char text[640];

    fprintf(stderr, "%s: %s\n", program, og_tool_complaint(err, text, sizeof text));
    return code;
}

void og_print_fault(void *with, const struct og_diagnostic *fault)
{
    const char *word = fault->severity == OG_ERROR ? "error" : "warning";

    if (fault->line)
        fprintf(with, "%s:%d:%d: %s: %s [%s]\n", fault->file, fault->line, fault->col, word, fault->text, fault->code);
    else
        fprintf(with, "%s: %s: %s [%s]\n", fault->file, word, fault->text, fault->code);
}

int og_bad_usage(const char *program, const char *option, const char *seen, const char *allowed)
{
    fprintf(stderr, "%s: %s '%s': expected %s; see %s --help\n", program, option, seen, allowed, program);
    return EXIT_USAGE;
}

int og_close_stdout(const char *program)
{
    bool bad = ferror(stdout) != 0;

    errno = 0;
    if (fclose(stdout) == 0 && !bad)
        return 0;
    fprintf(stderr, "%s: stdout: cannot be written: %s\n", program,
            errno ? strerror(errno) : "an earlier write failed");
    return EXIT_IO;
}

int og_print_text(const char *program, char *text)
{
    if (!text) {
        fprintf(stderr, "%s: %s\n", program, og_status_text(OG_ENOMEM));
        return EXIT_IO;
    }
    fputs(text, stdout);
    free(text);
    return og_close_stdout(program);
}

int og_print_line(void *with, const char *line, size_t len)
{
    (void)with;
    return fwrite(line, 1, len, stdout) == len && putc('\n', stdout) != EOF ? 0 : -1;
}

int og_print_line_now(void *with, const char *line, size_t len)
{
    if (og_print_line(NULL, line, len) == 0 && fflush(stdout) == 0)
        return 0;
    if (with)
        fprintf(stderr, "%s: stdout: cannot be written: %s\n", (const char *)with, strerror(errno));
    return -1;
}
