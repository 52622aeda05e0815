/*
 * The keys and variables of the settings of a broker, and errors that name them. Only for the files of this folder that
 * read settings.
 */
#pragma once

#include <stddef.h>

#include "broker/settings.h"

/* By what a setting whose value is a text can be set. */
struct og_setting_text_names {
    const char *key, *variable; /* NULL if the setting cannot be set in the file, or in the environment */
    bool is_path;               /* the value is a path; in the file, a relative path is relative to the file's folder */
    size_t at;
};
extern const struct og_setting_text_names og_setting_texts[OG_SETTING_TEXTS];

/* Number of texts that settings own: those of the table, then the signers, then the path of the file. */
enum { OG_SETTING_TEXTS_OWNED = OG_SETTING_TEXTS + OG_SIGNERS_MOST + 1 };
char **og_setting_text_at(struct og_settings *s, size_t i);

/* A setting whose value is one of two words. */
struct og_setting_choice {
    const char *key, *variable, *yes, *no;
};
extern const struct og_setting_choice og_setting_environment, og_setting_clock;
extern const char og_setting_signers_key[];

/* Report what is wrong with a setting: at its place in the broker file, else by the name of its variable.  cause: of
 * errno; 0 if there is none. */
enum og_status og_setting_fail(const struct og_settings *s, const char *key, const char *variable,
                               struct og_setting_place at, enum og_status status, int cause, struct og_error *err,
                               const char *what);
enum og_status og_setting_fail_of_text(const struct og_settings *s, enum og_setting_text i, struct og_error *err,
                                       const char *format, ...) __attribute__((format(printf, 4, 5)));
/* Report the error of a file that a setting names. */
enum og_status og_setting_fail_of_file(const struct og_settings *s, const char *key, const char *variable,
                                       struct og_setting_place at, const struct og_error *why, struct og_error *err);

/* Read the broker file into empty settings. */
enum og_status og_settings_read_file(struct og_settings *s, const char *file, struct og_error *err);
