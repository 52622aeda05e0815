/*
 * Reads the inputs of a run: its files of lines, one after the other, and its quotes.
 */
#include "send/reading_inputs.h"

#include <unistd.h>

#include "base/error.h"
#include "base/file.h"
#include "send/event.h"

/* maximum size in bytes of waiting lines in memory; later lines are not read, not even cancels */
#define WAITING_MOST ((size_t)64 << 20)

static void on_line(void *with, long long number, const char *line, size_t len)
{
    struct og_sender *s = with;
    struct og_error err = { 0 };

    og_send_alive(s);
    if (!og_send_take_line(s, (struct og_origin){ number, s->file_now, 0 }, line, len))
        og_send_fatal(s, 4, &err);
    og_send_wake(s);
}

static void on_input_ended(void *with, int error)
{
    struct og_sender *s = with;
    struct og_source_file *f = &s->file[s->file_now];
    struct og_error err = { 0 };

    if (error != 0) {
        og_fail_because(&err, OG_EIO, error, "'%s' cannot be read: %s", f->name ? f->name : "stdin", strerror(error));
        og_send_fatal(s, 4, &err);
    }
    og_input_free(f->input);
    f->input = NULL;
    s->file_now++;
    og_send_wake(s);
}

static const struct og_input_events input_events = { on_line, on_input_ended };

static void on_quote(void *with, long long number, const char *line, size_t len)
{
    struct og_sender *s = with;
    struct og_error err = { 0 };
    enum og_status status = og_send_quote(s, line, len, &err);

    if (status != OG_OK || err.text[0])
        og_send_warn(s, "quotes '%s', line %lld: %s%s", s->options.quotes, number, err.text,
                     status != OG_OK ? "; ignored" : "");
}

static void on_quotes_ended(void *with, int error)
{
    struct og_sender *s = with;

    if (error != 0)
        og_send_warn(s, "quotes '%s' cannot be read any more: %s", s->options.quotes, strerror(error));
}

static const struct og_input_events quote_events = { on_quote, on_quotes_ended };

enum og_status og_send_open_quotes(struct og_sender *s, struct og_error *err)
{
    int fd = -1;
    enum og_status status = s->options.quotes ? og_file_open(s->options.quotes, OG_FILE_FIFO, &fd, NULL, err) : OG_OK;

    s->quotes_fd = fd + 1;
    return status;
}

bool og_send_watch_quotes(struct og_sender *s)
{
    return s->quotes_fd == 0 || (s->quotes = og_input_new(&s->loop, s->quotes_fd - 1, true, &quote_events, s));
}

void og_send_begin_quotes(struct og_sender *s)
{
    if (!s->quotes || s->quotes_begun || (!og_clock_is_set(&s->clock) && s->phase == OG_STARTING))
        return;
    s->quotes_begun = true;
    og_input_drain(s->quotes);
    og_input_flow(s->quotes, true);
}

bool og_send_inputs_are_over(const struct og_sender *s)
{
    return s->file_now >= s->files && !s->held && !og_send_intake_is_open(s);
}

/* Returns the input that is read now, and opens it if needed. Returns NULL if memory ran out, and the run ends. */
static struct og_input *input_now(struct og_sender *s)
{
    struct og_source_file *f = &s->file[s->file_now];
    struct og_error err = { 0 };

    if (!f->input && !(f->input = og_input_new(&s->loop, f->fd, false, &input_events, s)))
        og_send_fatal(s, 4, &err);
    return f->input;
}

/* Read some bytes of the inputs, without waiting. Returns false if nothing is there to be read. */
static bool read_some(struct og_sender *s)
{
    const int file = s->file_now;
    struct og_input *input = file < s->files ? input_now(s) : NULL;

    return input && (og_input_take(input) || s->file_now > file);
}

/* Stop reading. If an error ended the run, lines that the program wrote before it could learn of the error are read
 * first, and get an outcome. */
static void end_input(struct og_sender *s)
{
    if (s->fatal != 0 && !s->told.deaf && og_send_intake_is_open(s)) {
        og_send_intake_drain(s);
        og_send_drop_lines(s);
    }
    og_send_intake_stop(s);
    while (s->fatal != 0 && !s->told.deaf && read_some(s)) {
        og_send_drop_lines(s);
        og_send_flush(s);
    }
    if (s->file_now < s->files) {
        og_input_free(s->file[s->file_now].input);
        s->file[s->file_now].input = NULL;
    }
    s->file_now = s->files;
}

void og_send_let_flow(struct og_sender *s)
{
    bool room = s->lines.memory < WAITING_MOST && s->phase < OG_STOPPING;
    struct og_input *input;

    if (s->phase >= OG_STOPPING)
        end_input(s);
    og_send_intake_flow(s, room);
    if (s->file_now < s->files && (input = input_now(s)))
        og_input_flow(input, room);
}

void og_send_unread_inputs(struct og_sender *s)
{
    for (int i = 0; i < s->files; i++)
        og_input_free(s->file[i].input);
    og_input_free(s->quotes);
}

void og_send_close_quotes(struct og_sender *s)
{
    if (s->quotes_fd > 0)
        close(s->quotes_fd - 1);
}
