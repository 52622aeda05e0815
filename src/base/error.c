/*
 * Statuses and errors in the caller's storage.  An error that is already set is kept, because the first is the cause.
 */
#include "base/error.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "base/str.h"

static const char *const texts[] = {
    [OG_OK] = "no error",
    [OG_EINVAL] = "wrong use of the library",
    [OG_ENOMEM] = "out of memory",
    [OG_ESYNTAX] = "not in the format it should be",
    [OG_EPOLICY] = "policy cannot be used",
    [OG_EFACTS] = "facts cannot be used",
    [OG_EIO] = "cannot read or write",
    [OG_ENET] = "cannot reach the broker",
    [OG_EAUTH] = "broker refused the keys or the account",
    [OG_ELEDGER] = "ledger cannot be used",
    [OG_ENOENT] = "no such thing",
    [OG_EBUSY] = "in use by somebody else",
    [OG_EREJECTED] = "broker rejected the request",
    [OG_EUNKNOWN] = "outcome is not known",
};

const char *og_status_text(enum og_status status)
{
    size_t i = (size_t)status;

    return i < sizeof texts / sizeof *texts ? texts[i] : "unknown status";
}

/* Set the source; a long path is cut at its beginning, since its end is more specific. */
static void set_source(struct og_error *err, const char *source)
{
    size_t len = source ? strlen(source) : 0;

    if (len < sizeof err->source)
        snprintf(err->source, sizeof err->source, "%s", len ? source : "");
    else
        snprintf(err->source, sizeof err->source, "...%s", source + len - (sizeof err->source - 4));
    og_text_mask(err->source);
}

/* Returns false if nothing was set because err is NULL or has an error already. */
static bool __attribute__((format(printf, 3, 0)))
set(struct og_error *err, enum og_status status, const char *format, va_list args)
{
    if (!err || err->status != OG_OK)
        return false;
    memset(err, 0, sizeof *err);
    err->status = status;
    og_text_format(err->text, sizeof err->text, format, args);
    return true;
}

enum og_status og_fail(struct og_error *err, enum og_status status, const char *format, ...)
{
    va_list args;

    va_start(args, format);
    (void)set(err, status, format, args);
    va_end(args);
    return status;
}

enum og_status og_missing(struct og_error *err)
{
    return og_fail(err, OG_EINVAL, "an argument that must not be NULL is NULL");
}

enum og_status og_fail_at(struct og_error *err, enum og_status status, const char *source, int line, int col,
                          const char *format, ...)
{
    va_list args;

    va_start(args, format);
    if (set(err, status, format, args)) {
        set_source(err, source);
        err->line = line;
        err->col = col;
    }
    va_end(args);
    return status;
}

enum og_status og_fail_because(struct og_error *err, enum og_status status, int cause, const char *format, ...)
{
    va_list args;

    va_start(args, format);
    if (set(err, status, format, args))
        err->cause = cause;
    va_end(args);
    return status;
}

const char *og_error_line(const struct og_error *err, char *to, size_t size)
{
    char place[32] = "";
    const char *text = err->text[0] ? err->text : og_status_text(err->status);

    if (err->line > 0 && err->col > 0)
        snprintf(place, sizeof place, "%d:%d:", err->line, err->col);
    else if (err->line > 0)
        snprintf(place, sizeof place, "%d:", err->line);
    snprintf(to, size, "%s%s%s%s%s", err->source, err->source[0] ? ":" : "", place,
             err->source[0] || place[0] ? " " : "", text);
    return to;
}
