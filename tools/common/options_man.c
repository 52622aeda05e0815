/*
 * Options as parts of a manual page, in mdoc; see tools/common/options_man.h.
 */
#include "tools/common/options_man.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>

static bool is_in_synopsis(const struct option_spec *spec, const struct option_row *row)
{
    char word[64];

    snprintf(word, sizeof word, "--%s", row->name);
    for (const char *at = spec->synopsis; (at = strstr(at, word)); at++)
        if (!isalpha((unsigned char)at[strlen(word)]) && at[strlen(word)] != '-')
            return true;
    snprintf(word, sizeof word, "-%c ", row->letter ? row->letter : '\n');
    return strstr(spec->synopsis, word) != NULL;
}

/* Print words and brackets as macros: -x as a flag, CAPITALS as an argument, the rest as a command. */
static void print_macros(const char *text, size_t len)
{
    const char *end = text + len, *class = NULL;

    for (; text < end; putchar(text < end ? ' ' : '\n')) {
        size_t word = strcspn(text, " []|\n");

        if (*text == '[' || *text == ']' || *text == '|') {
            fputs(*text == '[' ? "Oo" : *text == ']' ? "Oc" : "|", stdout);
            word = 1;
            class = NULL;
        } else if (word >= 3 && strncmp(text, "...", 3) == 0) {
            fputs(text[-1] == ']' ? "Ns ..." : "...", stdout);
        } else {
            size_t bare = word > 3 && strncmp(text + word - 3, "...", 3) == 0 ? word - 3 : word;
            const char *now = *text == '-' ? "Fl" : isupper((unsigned char)*text) ? "Ar" : "Cm";

            if (class != now)
                printf("%s ", now);
            for (size_t i = *text == '-'; i < bare; i++)
                putchar(*now == 'A' ? tolower((unsigned char)text[i]) : text[i]);
            fputs(bare < word ? " ..." : "", stdout);
            class = now;
        }
        text += word;
        while (text < end && *text == ' ')
            text++;
    }
}

static void print_macro_line(const char *text, size_t len)
{
    if (len == 0)
        return;
    putchar('.');
    print_macros(text, len);
}

static void print_other_rows(const struct option_spec *spec)
{
    char text[160];

    for (const struct option_row *row = spec->rows; row && row->name; row++) {
        const char *value = row->value ? row->value : "";
        const char *more = row->kind == OPTION_LIST ? "..." : "", letter[] = { row->letter, '\0' };

        if (is_in_synopsis(spec, row))
            continue;
        snprintf(text, sizeof text, "[-%s%s%s%s]%s", row->letter ? "" : "-", row->letter ? letter : row->name,
                 option_blank_of(row), value, more);
        print_macro_line(text, strlen(text));
    }
}

void options_print_synopsis(const struct option_spec *spec)
{
    static const char options[] = "[options]";
    const char *form = spec->synopsis;

    do {
        const char *others = strstr(form, options);
        size_t len = strcspn(form, "\n"), before = others && others < form + len ? (size_t)(others - form) : len;

        printf(".Nm %s\n", spec->program);
        print_macro_line(form, before);
        if (before < len) {
            print_other_rows(spec);
            before += strlen(options);
            before += strspn(form + before, " ");
            print_macro_line(form + before, len - before);
        }
        form += len + (form[len] == '\n');
    } while (*form);
}

void options_print_man_rows(const struct option_spec *spec)
{
    char item[160];

    printf(".Ss %s\n.Bl -tag -width Ds\n", spec->program);
    for (const struct option_row *row = spec->rows; row && row->name; row++) {
        snprintf(item, sizeof item, "--%s%s%s", row->name, option_blank_of(row), row->value ? row->value : "");
        printf(row->letter ? ".It Fl %c , " : ".It ", row->letter);
        print_macros(item, strlen(item));
        printf("%c%s.\n", toupper((unsigned char)row->help[0]), row->help + 1);
    }
    puts(".El");
}
