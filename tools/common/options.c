/*
 * Options as data; see tools/common/options.h.
 */
#include "tools/common/options.h"

#include <ctype.h>
#include <errno.h>
#include <fcntl.h>
#include <getopt.h>
#include <signal.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "ordergate/rules.h"
#include "ordergate/time.h"
#include "tools/common/exit.h"
#include "tools/common/messages.h"
#include "tools/common/options_man.h"

enum { WIDTH = 100, INDENT_MOST = 28, NAMES_MOST = 64, GIVEN_MOST = 64, FIRST = 256 };

static const struct option_row help_row = { .name = "help", .letter = 'h', .help = "this text" };
static const struct option_row version_row = { .name = "version", .help = "the version" };

static const struct option_command *command_at(const struct option_spec *spec, size_t i)
{
    return (const struct option_command *)((const char *)spec->commands + i * spec->command_size);
}

/* --- messages ----------------------------------------------------------------------------------------------------- */

int options_misuse(const struct option_spec *spec, const char *format, ...)
{
    va_list args;

    fprintf(stderr, "%s: ", spec->program);
    va_start(args, format);
    vfprintf(stderr, format, args);
    va_end(args);
    fprintf(stderr, "; see %s --help\n", spec->program);
    return EXIT_USAGE;
}

/* Returns the known name that has the word as one of its parts between hyphens, as locate-inventory has inventory; NULL
 * if no name has it, or several have. */
static const char *only_with_part(const char *word, const char **known, size_t count)
{
    const char *only = NULL;
    const size_t len = strlen(word);

    for (size_t i = 0; i < count; i++)
        for (const char *at = known[i]; at; at = strchr(at, '-')) {
            at += *at == '-';
            if (strncmp(at, word, len) != 0 || (at[len] != '-' && at[len] != '\0'))
                continue;
            if (only)
                return NULL;
            only = known[i];
            break;
        }
    return only;
}

static int no_such(const struct option_spec *spec, const char *what, const char *word, const char **known, size_t count)
{
    const char *nearest = only_with_part(word, known, count);

    if (!nearest)
        nearest = og_nearest_word(word, known, count);
    if (!nearest)
        return options_misuse(spec, "there is no %s '%s'", what, word);
    fprintf(stderr, "%s: there is no %s '%s'; did you mean '%s'?\n", spec->program, what, word, nearest);
    return EXIT_USAGE;
}

/* --- --help ------------------------------------------------------------------------------------------------------- */

/* Print one paragraph from column col, wrapped at WIDTH; further lines are indented by `indent` blanks. */
static void print_wrapped(FILE *to, size_t col, size_t indent, const char *text, size_t len)
{
    while (len > 0) {
        size_t gap = strspn(text, " "), word = strcspn(text + gap, " \n");

        if (col > indent && col + gap + word > WIDTH) {
            fprintf(to, "\n%*s", (int)indent, "");
            col = indent;
            text += gap;
            len -= gap;
            gap = 0;
        }
        fwrite(text, 1, gap + word, to);
        col += gap + word;
        text += gap + word;
        len -= gap + word;
    }
    fputc('\n', to);
}

static void print_paragraphs(FILE *to, const char *text)
{
    while (*text) {
        size_t len = strcspn(text, "\n");

        if (*text == ' ')
            fprintf(to, "%.*s\n", (int)len, text);
        else
            print_wrapped(to, 0, 0, text, len);
        text += len + (text[len] == '\n');
    }
}

static size_t left_of(const struct option_row *row, char *to, size_t size)
{
    const char *value = row->value ? row->value : "";
    char letter[] = { '-', row->letter, ',', ' ', '\0' };

    return (size_t)snprintf(to, size, "  %-4s--%s%s%s", row->letter ? letter : "", row->name, option_blank_of(row),
                            value);
}

static void print_line(FILE *to, const char *left, size_t indent, const char *help)
{
    size_t col = (size_t)fprintf(to, "%s", left);

    if (col + 2 > indent) {
        fputc('\n', to);
        col = 0;
    }
    fprintf(to, "%*s", (int)(indent - col), "");
    print_wrapped(to, indent, indent, help, strlen(help));
}

static void print_commands(FILE *to, const struct option_spec *spec)
{
    size_t indent = 0;
    char left[80];

    for (size_t i = 0; i < spec->command_count; i++) {
        size_t len = strlen(command_at(spec, i)->usage) + 4;

        indent = len > indent && len <= INDENT_MOST ? len : indent;
    }
    for (size_t i = 0; i < spec->command_count; i++) {
        snprintf(left, sizeof left, "  %s", command_at(spec, i)->usage);
        if (command_at(spec, i)->help)
            print_line(to, left, indent, command_at(spec, i)->help);
    }
    fputc('\n', to);
}

static void print_rows(FILE *to, const struct option_spec *spec)
{
    size_t indent = 0;
    char left[80];

    for (const struct option_row *row = spec->rows; row && row->name; row++) {
        size_t len = left_of(row, left, sizeof left) + 2;

        indent = len > indent && len <= INDENT_MOST ? len : indent;
    }
    indent = indent ? indent : left_of(&version_row, left, sizeof left) + 2;
    for (const struct option_row *row = spec->rows; row && row->name; row++) {
        left_of(row, left, sizeof left);
        print_line(to, left, indent, row->help);
    }
    left_of(&help_row, left, sizeof left);
    print_line(to, left, indent, help_row.help);
    left_of(&version_row, left, sizeof left);
    print_line(to, left, indent, version_row.help);
}

static void print_usage(FILE *to, const struct option_spec *spec)
{
    const char *form = spec->synopsis, *before = "usage:";

    do {
        size_t len = strcspn(form, "\n");

        fprintf(to, "%s %s%s%.*s\n", before, spec->program, len ? " " : "", (int)len, form);
        form += len + (form[len] == '\n');
        before = "      ";
    } while (*form);
    fputc('\n', to);
    print_paragraphs(to, spec->about);
    fputc('\n', to);
    if (spec->commands)
        print_commands(to, spec);
    print_rows(to, spec);
    fputc('\n', to);
    if (spec->notes) {
        print_paragraphs(to, spec->notes);
        fputc('\n', to);
    }
    fputs("exit: ", to);
    print_wrapped(to, 6, 6, spec->exits, strlen(spec->exits));
}

int options_usage(const struct option_spec *spec)
{
    print_usage(stderr, spec);
    return EXIT_USAGE;
}

/* Print a row's value, with the words that it may be behind its name, and its help. */
static void print_value_words(const struct option_spec *spec, const struct option_row *row)
{
    const char *word;

    printf("\t%s", row->value ? row->value : "");
    for (size_t i = 0; row->value && spec->word && (word = spec->word(row->value, i)); i++)
        printf(" %s", word);
    printf("\t%s\n", row->help);
}

/* Print the options for the completion of shells: word, value and help, with tabs between them. */
static void print_words(const struct option_spec *spec)
{
    const char *word;

    for (size_t i = 0; i < spec->command_count; i++) {
        const struct option_command *c = command_at(spec, i);
        size_t len = strcspn(c->usage, " ");

        if (c->help)
            printf("%.*s\t%s\t%s\n", (int)len, c->usage, c->usage[len] ? c->usage + len + 1 : "", c->help);
    }
    for (const struct option_row *row = spec->rows; row && row->name; row++) {
        printf("--%s", row->name);
        print_value_words(spec, row);
        if (row->letter && printf("-%c", row->letter) > 0)
            print_value_words(spec, row);
    }
    for (size_t i = 0; spec->argument && spec->word && (word = spec->word(spec->argument, i)); i++)
        printf("%s\t\t\n", word);
    printf("--help\t\t%s\n--version\t\t%s\n", help_row.help, version_row.help);
}

/* --- parsing ------------------------------------------------------------------------------------------------------ */

static int bad_value(const struct option_spec *spec, const struct option_row *row, const char *value,
                     const char *expected)
{
    char name[40];

    snprintf(name, sizeof name, "--%s", row->name);
    return og_bad_usage(spec->program, name, value, row->expected ? row->expected : expected);
}

static int set_list(const struct option_spec *spec, const struct option_row *row, const char *value,
                    struct option_list *list)
{
    char expected[40];

    if (list->count < (size_t)row->most) {
        list->item[list->count++] = value;
        return 0;
    }
    snprintf(expected, sizeof expected, "at most %lld of them", row->most);
    return bad_value(spec, row, value, expected);
}

static int set_number(const struct option_spec *spec, const struct option_row *row, const char *value, long long *to)
{
    char *end, expected[80];

    errno = 0;
    *to = strtoll(value, &end, 10);
    if (isdigit((unsigned char)*value) && !*end && !errno && *to >= row->least && (!row->most || *to <= row->most))
        return 0;
    snprintf(expected, sizeof expected, row->most ? "a whole number from %lld to %lld" : "a whole number from %lld",
             row->least, row->most);
    return bad_value(spec, row, value, expected);
}

static int set_duration(const struct option_spec *spec, const struct option_row *row, const char *value, int64_t *to)
{
    if (og_duration_read(value, strlen(value), to) && *to >= (row->least ? row->least : 1) &&
        (!row->most || *to <= row->most))
        return 0;
    return bad_value(spec, row, value, "a duration like 500ms, 30s, 5m, 1h");
}

static int set_choice(const struct option_spec *spec, const struct option_row *row, const char *value, int *to)
{
    char expected[120] = "";
    const char *word = row->value;

    for (int i = 0; *word; i++) {
        size_t len = strcspn(word, "|"), used = strlen(expected);

        if (strlen(value) == len && strncmp(value, word, len) == 0) {
            *to = i;
            return 0;
        }
        snprintf(expected + used, sizeof expected - used, "%s%.*s",
                 !i          ? ""
                 : word[len] ? ", "
                             : " or ",
                 (int)len, word);
        word += len + (word[len] == '|');
    }
    return bad_value(spec, row, value, expected);
}

/* The texts that options were given, and the options' names. */
static struct given {
    const char *option, *text;
} given[GIVEN_MOST];
static size_t given_count;

const char *options_naming(const char *text, size_t len)
{
    for (size_t i = 0; i < given_count; i++)
        if (strncmp(given[i].text, text, len) == 0 && given[i].text[len] == '\0')
            return given[i].option;
    return NULL;
}

int options_set(const struct option_spec *spec, const struct option_row *row, const char *value, void *to)
{
    void *at = (char *)to + row->at;
    long long n;
    int code;

    if (value && given_count < GIVEN_MOST)
        given[given_count++] = (struct given){ row->name, value };
    switch (row->kind) {
    case OPTION_FLAG: *(bool *)at = true; return 0;
    case OPTION_NAME:
        if (!*value)
            return bad_value(spec, row, value, "a text that is not empty");
        *(const char **)at = value;
        return 0;
    case OPTION_TEXT: *(const char **)at = value; return 0;
    case OPTION_LIST: return set_list(spec, row, value, at);
    case OPTION_INT:
        code = set_number(spec, row, value, &n);
        *(int *)at = (int)n;
        return code;
    case OPTION_NUMBER: return set_number(spec, row, value, at);
    case OPTION_DURATION: return set_duration(spec, row, value, at);
    case OPTION_TIME:
        return og_time_read(value, strlen(value), at)
                   ? 0
                   : bad_value(spec, row, value, "RFC 3339 with offset, like 2026-01-15T14:31:00Z");
    case OPTION_CHOICE: return set_choice(spec, row, value, at);
    case OPTION_SET: code = row->set(to, row, value); return code < 0 ? bad_value(spec, row, value, "another") : code;
    }
    return EXIT_USAGE;
}

static int print_help(const struct option_spec *spec, const char *form)
{
    if (!form)
        print_usage(stdout, spec);
    else if (strcmp(form, "man") == 0)
        options_print_synopsis(spec);
    else if (strcmp(form, "options") == 0)
        options_print_man_rows(spec);
    else if (strcmp(form, "words") == 0)
        print_words(spec);
    else
        return options_misuse(spec, "--help '%s': expected man, options or words", form);
    return og_close_stdout(spec->program);
}

/* Report the argument `word`, in which getopt found an unknown option, or an option without its value. */
static int refuse(const struct option_spec *spec, int found, const char *word)
{
    const char *known[OPTION_ROWS_MOST + 2];
    char names[OPTION_ROWS_MOST + 2][40];
    size_t count = 0, same = 0, len = strcspn(word, "=");

    if (found == ':')
        return options_misuse(spec, "option '%s' needs a value", word);
    if (strncmp(word, "--", 2) != 0)
        return options_misuse(spec, "there is no option '-%c'", optopt);
    for (const struct option_row *row = spec->rows; row && row->name; row++)
        snprintf(names[count++], sizeof names[0], "--%s", row->name);
    snprintf(names[count++], sizeof names[0], "--help");
    snprintf(names[count++], sizeof names[0], "--version");
    for (size_t i = 0; i < count; i++) {
        known[i] = names[i];
        same += strncmp(names[i], word, len) == 0;
    }
    if (optopt)
        return options_misuse(spec, "option '%.*s' takes no value", (int)len, word);
    if (same > 1)
        return options_misuse(spec, "option '%s' is ambiguous: several options begin with it", word);
    return no_such(spec, "option", word, known, count);
}

/* Fill getopt's tables. */
static void spell(const struct option_spec *spec, struct option *to, char *letters)
{
    int i = 0;

    if (spec->in_order)
        *letters++ = '+';
    *letters++ = ':'; /* with ':', getopt distinguishes a missing value from an unknown option */
    for (const struct option_row *row = spec->rows; row && row->name; row++, i++) {
        int has = !row->value ? no_argument : option_may_lack_value(row) ? optional_argument : required_argument;

        to[i] = (struct option){ row->name, has, NULL, FIRST + i };
        if (row->letter)
            *letters++ = row->letter;
        if (row->letter && row->value)
            *letters++ = ':';
    }
    to[i++] = (struct option){ "help", optional_argument, NULL, 'h' };
    to[i++] = (struct option){ "version", no_argument, NULL, FIRST - 1 };
    to[i] = (struct option){ NULL, 0, NULL, 0 };
    *letters++ = 'h';
    *letters = '\0';
}

static const struct option_row *row_of(const struct option_spec *spec, int found)
{
    const struct option_row *row = spec->rows;

    if (found >= FIRST)
        return row + (found - FIRST);
    while (row->letter != found)
        row++;
    return row;
}

/* If descriptor 0, 1 or 2 is closed, the next file or socket would get its number. Open /dev/null there instead, in the
 * wrong mode, so that reading standard input or writing standard output fails. */
static bool hold_descriptors(void)
{
    for (int fd = 0; fd <= 2; fd++)
        if (fcntl(fd, F_GETFD) < 0 && open("/dev/null", fd == 0 ? O_WRONLY : O_RDONLY) != fd)
            return false;
    return true;
}

int options_read(const struct option_spec *spec, void *to, int argc, char **argv)
{
    struct option names[OPTION_ROWS_MOST + 3];
    char letters[2 * OPTION_ROWS_MOST + 4];
    int found, code = 0;

    if (!hold_descriptors())
        return EXIT_IO;
    signal(SIGXFSZ, SIG_IGN); /* a write beyond the limit of a file's size then fails with an error, instead of ending
                               * the program */
    spell(spec, names, letters);
    opterr = 0;
    optind = 0; /* 0 makes glibc's getopt start anew */
    while (!code && (found = getopt_long(argc, argv, letters, names, NULL)) != -1) {
        if (found == 'h')
            return print_help(spec, optarg);
        if (found == FIRST - 1) {
            puts("ordergate " OG_VERSION);
            return og_close_stdout(spec->program);
        }
        if (found == '?' || found == ':')
            return refuse(spec, found, argv[optind - 1]);
        code = options_set(spec, row_of(spec, found), optarg, to);
    }
    return code ? code : -1;
}

/* Returns 0 if an option of another program may be passed on, otherwise the exit code after a message. */
static int check_passed(const struct option_spec *spec, const struct option_spec *other, const char *const *passed,
                        const char *name)
{
    for (const struct option_row *row = spec->rows; row->name; row++)
        if (strcmp(row->name, name) == 0)
            return options_misuse(spec, "option '--%s' after --: %s has it itself; put it before the --", name,
                                  spec->program);
    for (; *passed; passed++)
        if (strcmp(*passed, name) == 0)
            return 0;
    return options_misuse(spec, "option '--%s' after -- cannot be given to the %s that is run here; leave it out", name,
                          other->program);
}

int options_read_passed(const struct option_spec *spec, const struct option_spec *other, const char *const *passed,
                        void *to, int count, char **args)
{
    struct option names[OPTION_ROWS_MOST + 3];
    char letters[2 * OPTION_ROWS_MOST + 4];
    int found, code = 0;

    spell(other, names, letters);
    optind = 0;
    while (!code && (found = getopt_long(count + 1, args - 1, letters, names, NULL)) != -1) {
        if (found == '?' || found == ':')
            return refuse(other, found, args[optind - 2]);
        if (found == 'h' || found == FIRST - 1)
            return check_passed(spec, other, passed, found == 'h' ? "help" : "version");
        code = check_passed(spec, other, passed, row_of(other, found)->name);
        if (!code)
            code = options_set(other, row_of(other, found), optarg, to);
    }
    if (!code && optind < count + 1)
        code =
            options_misuse(spec, "'%s' after -- is no option of %s: it would be read as a file of orders; leave it out",
                           args[optind - 1], other->program);
    return code ? code : -1;
}

int options_command(const struct option_spec *spec, const char *word)
{
    const char *known[NAMES_MOST];
    char names[NAMES_MOST][24];

    for (size_t i = 0; i < spec->command_count && i < NAMES_MOST; i++) {
        const char *usage = command_at(spec, i)->usage;

        snprintf(names[i], sizeof names[i], "%.*s", (int)strcspn(usage, " "), usage);
        if (strcmp(names[i], word) == 0)
            return (int)i;
        known[i] = names[i];
    }
    no_such(spec, spec->command_kind ? spec->command_kind : "command", word, known, spec->command_count);
    return -1;
}

/* --- shared by several programs ----------------------------------------------------------------------------------- */

int options_set_ledger_key(void *to, const struct option_row *row, const char *value)
{
    (void)to;
    (void)row;
    return setenv("ORDERGATE_LEDGER_KEY", value, 1) ? EXIT_IO : 0;
}
