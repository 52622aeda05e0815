/*
 * Names of settings, and errors that tell where a setting was set.
 */
#include "broker/settings_texts.h"

#include <stdarg.h>
#include <stdio.h>

#include "base/error.h"

const struct og_setting_text_names og_setting_texts[OG_SETTING_TEXTS] = {
    [OG_SETTING_BASE_URL] = { "base_url", "ORDERGATE_BASE_URL", false, offsetof(struct og_settings, base_url) },
    [OG_SETTING_WS_URL] = { "ws_url", "ORDERGATE_WS_URL", false, offsetof(struct og_settings, ws_url) },
    [OG_SETTING_HEADER_PREFIX] = { "header_prefix", "ORDERGATE_HEADER_PREFIX", false,
                                   offsetof(struct og_settings, header_prefix) },
    [OG_SETTING_KEY_ID] = { "key_id", "ORDERGATE_KEY_ID", false, offsetof(struct og_settings, key_id) },
    [OG_SETTING_ACCOUNT] = { "account", "ORDERGATE_ACCOUNT", false, offsetof(struct og_settings, account) },
    [OG_SETTING_SETTLE] = { "settle", "ORDERGATE_SETTLE", false, offsetof(struct og_settings, settle) },
    [OG_SETTING_CA_FILE] = { "ca_file", NULL, true, offsetof(struct og_settings, ca_file) },
    [OG_SETTING_POLICY_KEY] = { "require_signature", NULL, true, offsetof(struct og_settings, policy_key[0]) },
    [OG_SETTING_POLICY_KEY_BY_VARIABLE] = { NULL, "ORDERGATE_REQUIRE_SIGNATURE", false,
                                            offsetof(struct og_settings, policy_key[1]) },
};

char **og_setting_text_at(struct og_settings *s, size_t i)
{
    if (i < OG_SETTING_TEXTS)
        return (char **)(void *)((char *)s + og_setting_texts[i].at);
    return i < OG_SETTING_TEXTS + OG_SIGNERS_MOST ? &s->signer[i - OG_SETTING_TEXTS] : &s->file;
}

const struct og_setting_choice og_setting_environment = { "environment", "ORDERGATE_ENVIRONMENT", "live", "paper" },
                               og_setting_clock = { "clock", "ORDERGATE_CLOCK", "broker", "real" };

const char og_setting_signers_key[] = "require_signatures";

enum og_status og_setting_fail(const struct og_settings *s, const char *key, const char *variable_name,
                               struct og_setting_place at, enum og_status status, int cause, struct og_error *err,
                               const char *what)
{
    if (at.line)
        og_fail_at(err, status, s->file, at.line, at.col, "'%s': %s", key, what);
    else
        og_fail(err, status, "%s: %s", variable_name ? variable_name : key, what);
    if (err)
        err->cause = cause;
    return status;
}

enum og_status og_setting_fail_of_text(const struct og_settings *s, enum og_setting_text i, struct og_error *err,
                                       const char *format, ...)
{
    char what[400];
    va_list args;

    va_start(args, format);
    vsnprintf(what, sizeof what, format, args);
    va_end(args);
    return og_setting_fail(s, og_setting_texts[i].key, og_setting_texts[i].variable, s->text_at[i], OG_EINVAL, 0, err,
                           what);
}

enum og_status og_setting_fail_of_file(const struct og_settings *s, const char *key, const char *variable_name,
                                       struct og_setting_place at, const struct og_error *why, struct og_error *err)
{
    return og_setting_fail(s, key, variable_name, at, why->status, why->cause, err, why->text);
}
