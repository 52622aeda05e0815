/*
 * Options as data.  Each command has one table; the parser, --help, the SYNOPSIS and OPTIONS of a man page (--help=man,
 * --help=options) and the completion of shells (--help=words) are made from it.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

enum { OPTION_LIST_MOST = 64, OPTION_ROWS_MOST = 32 };

/* The values of an option that may be given several times. */
struct option_list {
    const char *item[OPTION_LIST_MOST];
    size_t count;
};

enum option_kind {
    OPTION_FLAG,     /* bool: the option sets it to true */
    OPTION_TEXT,     /* const char * */
    OPTION_NAME,     /* const char *: a text that is not empty */
    OPTION_LIST,     /* struct option_list: up to row->most values */
    OPTION_INT,      /* int from row->least to row->most */
    OPTION_NUMBER,   /* long long from row->least to row->most; most 0 means no upper bound */
    OPTION_DURATION, /* int64_t: nanoseconds from row->least (0: from 1) to row->most (0: no upper bound) */
    OPTION_TIME,     /* int64_t: an instant in nanoseconds */
    OPTION_CHOICE,   /* int or enum: the index among the words of row->value */
    OPTION_SET       /* what row->set() makes of the text */
};

struct option_row {
    const char *name; /* without its dashes */
    char letter;      /* -x; 0: none */
    enum option_kind kind;
    size_t at;         /* offset of the member in the struct that options_read() fills; OPTION_SET: for set() to use */
    const char *value; /* name of the value; "a|b" for a choice; "[=a]" if the value may be left out; NULL if the option
                        * has no value */
    const char *help;
    const char *expected; /* allowed values, as an error message names them; NULL: as the option's kind says */
    long long least, most;
    /* Sets an OPTION_SET.  Returns 0; an exit code, after a message of its own; or -1 if the value is not allowed.
     * value is NULL if the user left it out. */
    int (*set)(void *to, const struct option_row *row, const char *value);
};

/* A row of the table.  where: one of the macros below, which check at compile time that the member has the right
 * size. */
#define OPTION_ROW(name_, letter_, value_, where, help_)                        \
    {                                                                           \
        .name = name_, .letter = letter_, .value = value_, where, .help = help_ \
    }
#define OPTION_AT(kind_, type, member, wanted) \
    .kind = kind_,                             \
    .at = offsetof(type, member) + 0 * sizeof(char[sizeof(((type *)0)->member) == sizeof(wanted) ? 1 : -1])
#define FLAG_AT(type, member)               OPTION_AT(OPTION_FLAG, type, member, bool)
#define TEXT_AT(type, member)               OPTION_AT(OPTION_TEXT, type, member, char *)
#define NAME_AT(type, member)               OPTION_AT(OPTION_NAME, type, member, char *)
#define DURATION_AT(type, member)           OPTION_AT(OPTION_DURATION, type, member, int64_t)
#define TIME_AT(type, member)               OPTION_AT(OPTION_TIME, type, member, int64_t)
#define CHOICE_AT(type, member)             OPTION_AT(OPTION_CHOICE, type, member, int)
#define LIST_AT(type, member, most_)        OPTION_AT(OPTION_LIST, type, member, struct option_list), .most = most_
#define INT_AT(type, member, least_, most_) OPTION_AT(OPTION_INT, type, member, int), .least = least_, .most = most_
#define NUMBER_AT(type, member, least_, most_) \
    OPTION_AT(OPTION_NUMBER, type, member, long long), .least = least_, .most = most_
#define SET_BY(set_, expected_) .kind = OPTION_SET, .set = set_, .expected = expected_
#define OPTION_END   \
    {                \
        .name = NULL \
    }

/* A first argument that says what to do.  In tables of larger structs this struct is the first member. */
struct option_command {
    const char *usage; /* the word with its own arguments: "show ID" */
    const char *help;  /* NULL if not listed */
};

struct option_spec {
    const char *program;  /* "ordergate check" */
    const char *synopsis; /* what follows the program's name, a line for each form; "[options]" stands for the options
                           * that are not named */
    const char *about;    /* paragraphs before the options; lines that begin with a blank are printed as they are */
    const void *commands; /* structs that begin with a struct option_command; NULL if there is none */
    size_t command_size, command_count;
    const char *command_kind;      /* NULL: "command" */
    const struct option_row *rows; /* the rows end with one without a name; --help and --version need no row */
    const char *notes;             /* paragraphs after the options; NULL if there are none */
    const char *exits;             /* the exit codes */
    /* Returns the i-th word that completes a value of this name, or an argument of the name `argument`; NULL past the
     * end.  May be NULL. */
    const char *(*word)(const char *value, size_t i);
    const char *argument; /* name of the arguments, for word(): "POLICY"; NULL if they are completed as file names */
    bool in_order; /* options end at the first argument: later ones may belong to the command that the argument names */
};

#define OPTION_COMMANDS(table) \
    .commands = (table), .command_size = sizeof(table)[0], .command_count = sizeof(table) / sizeof(table)[0]

/* Parse the command line into *to, in which the caller has set the defaults; optind is then the index of the first
 * argument. Call it before any file is opened: it opens /dev/null in place of a closed standard input, output or error,
 * so that no other file gets that descriptor. Returns -1 to go on, or the exit code after --help, --version or a
 * message. */
int options_read(const struct option_spec *spec, void *to, int argc, char **argv);
/* Parse options of another program, `other`, that stand after -- on this program's command line: args[-1] is the --, or
 * what else stands before them. Only those of `passed` are taken, by their names, and none that this program has as an
 * option itself; all else, and every argument that is no option, is refused. Returns as options_read() does. */
int options_read_passed(const struct option_spec *spec, const struct option_spec *other, const char *const *passed,
                        void *to, int count, char **args);
/* Returns the option ("--broker") to which options_read() or options_set() gave exactly this text; NULL if there is
 * none. len: of the text. */
const char *options_naming(const char *text, size_t len);
/* Set one option as if the user had given it.  Returns 0, or the exit code after a message. */
int options_set(const struct option_spec *spec, const struct option_row *row, const char *value, void *to);
/* Returns the index of the command; -1 after a message that names the most similar command. */
int options_command(const struct option_spec *spec, const char *word);
/* Print the usage on stderr.  Returns exit code 2. */
int options_usage(const struct option_spec *spec);
/* Print "program: <text>; see program --help".  Returns exit code 2. */
__attribute__((format(printf, 2, 3))) int options_misuse(const struct option_spec *spec, const char *format, ...);

/* The set() of --ledger-key: puts the path into the environment, where the libraries look for it. */
int options_set_ledger_key(void *to, const struct option_row *row, const char *value);
/* Values and help of --color; terminal_colour() says what they mean. */
#define OPTION_COLOUR_WORDS "auto|always|never"
#define OPTION_COLOUR_HELP  "colour what is for people (default: if stdout is a terminal and NO_COLOR is not set)"
