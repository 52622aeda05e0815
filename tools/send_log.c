/*
 * The log of ordergate send; see tools/common/send_log.h.
 */
#include "tools/common/send_log.h"

#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "ordergate/ordergate.h"
#include "tools/common/json.h"
#include "tools/common/messages.h"
#include "tools/common/send_show.h"

enum { LOG_AUTO, LOG_TEXT, LOG_JSON, LOG_JOURNAL };

static struct {
    const char *program, *run;
    int format;
} log_of = { "ordergate send", NULL, LOG_AUTO };

/* Returns true if journald reads stderr: JOURNAL_STREAM has the device and the inode of the stream that it made. */
static bool is_journal(void)
{
    const char *text = getenv("JOURNAL_STREAM");
    unsigned long long device, inode;
    struct stat st;

    return text && sscanf(text, "%llu:%llu", &device, &inode) == 2 && fstat(STDERR_FILENO, &st) == 0 &&
           st.st_dev == device && st.st_ino == inode;
}

void send_log_begin(const char *program, int format)
{
    log_of.program = program;
    log_of.format = format == LOG_AUTO && is_journal() ? LOG_JOURNAL : format;
}

void send_log_run(const char *run)
{
    log_of.run = run;
}

static const char *name_of(enum og_log_level level)
{
    static const char *const names[] = { "error", "error", "warning", "info", "debug" };

    return names[level];
}

/* Returns the priority of syslog(3), by which journald and its readers select lines. */
static int priority_of(enum og_log_level level)
{
    static const int priorities[] = { 3, 3, 4, 6, 7 };

    return priorities[level];
}

static void write_line(FILE *to, enum og_log_level level, const char *line)
{
    const char *run = log_of.run;

    switch (log_of.format) {
    case LOG_TEXT:
        fprintf(to, "%s %s %s %s\n", og_time_text(og_time_now()).s, name_of(level), run ? run : "-", line);
        break;
    case LOG_JSON:
        og_json(to, "{'time':%s,'level':%s,'run':%s,'message':%s}", og_time_text(og_time_now()).s, name_of(level), run,
                line);
        fputc('\n', to);
        break;
    case LOG_JOURNAL: fprintf(to, "<%d>%s%s%s\n", priority_of(level), run ? run : "", run ? " " : "", line); break;
    default: fprintf(to, "%s: %s\n", log_of.program, line);
    }
}

static void put(enum og_log_level level, const char *line)
{
    char *text = NULL;
    size_t len;
    FILE *to = open_memstream(&text, &len);

    if (!to)
        return;
    write_line(to, level, line);
    if (fclose(to) == 0)
        (void)!write(STDERR_FILENO, text, len); /* at once, so that no line of another thread comes in between */
    free(text);
}

void send_log_line(void *with, enum og_log_level level, const char *line)
{
    (void)with;
    send_show_clear();
    put(level, line);
}

void send_log(enum og_log_level level, const char *format, ...)
{
    char text[2048];
    va_list args;

    va_start(args, format);
    vsnprintf(text, sizeof text, format, args);
    va_end(args);
    for (char *c = text; *c; c++) /* a path may have a newline, which must not begin a line of its own */
        if ((unsigned char)*c < 0x20 || *c == 0x7f)
            *c = ' ';
    put(level, text);
}

int send_log_error(const struct og_error *err, int code)
{
    char text[640];

    send_log(OG_LOG_ERROR, "%s", og_tool_complaint(err, text, sizeof text));
    return code;
}

void send_log_fault(void *with, const struct og_diagnostic *fault)
{
    char *text = NULL;
    size_t len;
    FILE *to;

    if (log_of.format == LOG_AUTO) {
        og_print_fault(with, fault);
        return;
    }
    if (!(to = open_memstream(&text, &len)))
        return;
    og_print_fault(to, fault);
    if (fclose(to) == 0)
        send_log(fault->severity == OG_ERROR ? OG_LOG_ERROR : OG_LOG_WARNING, "%.*s", (int)(len > 0 ? len - 1 : 0),
                 text);
    free(text);
}
