/*
 * Reads how a broker is reached. The secret is never printed, and there is only one copy of it, which is wiped.
 */
#include "broker/settings.h"

#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "base/crypto.h"
#include "base/error.h"
#include "base/file.h"
#include "base/time.h"
#include "base/timeouts.h"
#include "broker/address.h"
#include "broker/settings_texts.h"
#include "ordergate/time.h"

/* --- the environment ---------------------------------------------------------------------------------------------- */

/* Returns the value of an environment variable; NULL if the variable is not set, or empty. */
static const char *variable(const char *name)
{
    const char *value = getenv(name);

    return value && value[0] != '\0' ? value : NULL;
}

/* Read an environment variable whose value is one of two words. *said: that value; NULL if the variable is not set. */
static enum og_status choice_from_environment(const struct og_setting_choice *c, const char **said,
                                              struct og_error *err)
{
    *said = variable(c->variable);
    if (!*said || strcmp(*said, c->yes) == 0 || strcmp(*said, c->no) == 0)
        return OG_OK;
    return og_fail(err, OG_EINVAL, "%s is '%s', allowed are %s and %s", c->variable, *said, c->yes, c->no);
}

static enum og_status read_environment(struct og_settings *s, struct og_error *err)
{
    const char *secret = variable("ORDERGATE_SECRET_KEY"), *said;
    bool has_address = s->base_url != NULL, ok = true;
    enum og_status status;

    for (size_t i = 0; i < OG_SETTING_TEXTS && ok; i++) {
        /* an empty ORDERGATE_REQUIRE_SIGNATURE still requires a signature, which no policy can then have: the path may
         * have been lost by mistake */
        const bool is_demand = og_setting_texts[i].at == offsetof(struct og_settings, policy_key[1]);
        const char *name = og_setting_texts[i].variable, *value = !name       ? NULL
                                                                  : is_demand ? getenv(name)
                                                                              : variable(name);
        char **to = og_setting_text_at(s, i);

        /* all addresses must be set in one place: the stream address of one broker must not be combined with the REST
         * address of another */
        if (value && !*to && !(has_address && to == &s->ws_url))
            ok = (*to = strdup(value)) != NULL;
    }
    if (ok && !s->secret && secret)
        ok = (s->secret = og_secret_copy(secret, strlen(secret))) != NULL;
    if (!ok)
        return og_fail(err, OG_ENOMEM, "out of memory");
    if ((status = choice_from_environment(&og_setting_environment, &said, err)) != OG_OK)
        return status;
    if (s->environment == OG_ENVIRONMENT_UNSET && said)
        s->environment = strcmp(said, og_setting_environment.yes) == 0 ? OG_ENVIRONMENT_LIVE : OG_ENVIRONMENT_PAPER;
    status = choice_from_environment(&og_setting_clock, &said, err);
    s->broker_clock = s->broker_clock || (said && strcmp(said, og_setting_clock.yes) == 0);
    return status;
}

/* --- combining file and environment ------------------------------------------------------------------------------- */

static void trim_slash(char *url)
{
    size_t n = strlen(url);

    while (n > 0 && url[n - 1] == '/')
        url[--n] = '\0';
}

/* Set ws_url if it is missing: the base address then serves both REST and the streams. */
static enum og_status default_stream(struct og_settings *s, struct og_error *err)
{
    if (!s->ws_url && asprintf(&s->ws_url, "ws%s", s->base_url + strlen("http")) < 0) {
        s->ws_url = NULL;
        return og_fail(err, OG_ENOMEM, "out of memory");
    }
    trim_slash(s->ws_url);
    return OG_OK;
}

static bool is_token(const char *s)
{
    return s[0] != '\0' && strspn(s, "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_") == strlen(s);
}

static bool is_header_value(const char *s)
{
    for (; *s != '\0'; s++)
        if ((unsigned char)*s <= 0x20 || (unsigned char)*s >= 0x7f)
            return false;
    return true;
}

/* Check that a file that a setting names can be used. */
static enum og_status check_file(const struct og_settings *s, const char *path, const char *key,
                                 const char *variable_name, struct og_setting_place at, struct og_error *err)
{
    struct og_error why = { 0 };
    int fd;
    const enum og_status status = og_file_open(path, OG_FILE_READ, &fd, NULL, &why);

    if (status != OG_OK)
        return og_setting_fail_of_file(s, key, variable_name, at, &why, err);
    close(fd);
    return OG_OK;
}

static enum og_status check_file_of_text(const struct og_settings *s, enum og_setting_text i, struct og_error *err)
{
    const char *path = *(char *const *)(const void *)((const char *)s + og_setting_texts[i].at);

    return !path ? OG_OK
                 : check_file(s, path, og_setting_texts[i].key, og_setting_texts[i].variable, s->text_at[i], err);
}

/* Returns a url as errors tell it: without its user part, which may be a secret. */
static const char *shown_url(const char *url)
{
    return strchr(url, '@') ? "(hidden: it has a user part)" : url;
}

static enum og_status check_encryption(struct og_settings *s, enum og_setting_text i, const struct og_address *a,
                                       struct og_error *err)
{
    if (a->tls || a->loopback)
        return OG_OK;
    /* without a stream address, base_url serves as that too, and was checked before */
    return og_setting_fail_of_text(
        s, i, err, "'%s' is not encrypted; plain http and ws are allowed for this machine only, use https and wss",
        *og_setting_text_at(s, i));
}

static enum og_status check_addresses(struct og_settings *s, struct og_error *err)
{
    struct og_address rest, stream;
    enum og_status status;

    if (!og_address_read(s->base_url, &rest) || rest.websocket)
        return og_setting_fail_of_text(s, OG_SETTING_BASE_URL, err,
                                       "must be https://host[:port], without user, query or blanks, seen '%s'",
                                       shown_url(s->base_url));
    if ((status = default_stream(s, err)) != OG_OK)
        return status;
    if (!og_address_read(s->ws_url, &stream) || !stream.websocket)
        return og_setting_fail_of_text(s, OG_SETTING_WS_URL, err,
                                       "must be wss://host[:port], without user, query or blanks, seen '%s'",
                                       shown_url(s->ws_url));
    if ((status = check_encryption(s, OG_SETTING_BASE_URL, &rest, err)) != OG_OK ||
        (status = check_encryption(s, OG_SETTING_WS_URL, &stream, err)) != OG_OK ||
        /* the TLS libraries will open the CA file by name: between this check and then, only this user and root can
         * change it */
        (status = check_file_of_text(s, OG_SETTING_CA_FILE, err)) != OG_OK)
        return status;
    s->loopback = rest.loopback;
    s->ws_loopback = stream.loopback;
    if (s->broker_clock && !rest.loopback) {
        char what[400];

        snprintf(what, sizeof what, "'broker' is allowed for a broker on this machine only, base_url is '%s'",
                 s->base_url);
        return og_setting_fail(s, og_setting_clock.key, og_setting_clock.variable, s->clock_at, OG_EINVAL, 0, err,
                               what);
    }
    return OG_OK;
}

static enum og_status check_settle(struct og_settings *s, struct og_error *err)
{
    if (s->settle && (!og_duration_read(s->settle, strlen(s->settle), &s->settle_ns) || s->settle_ns < 0 ||
                      s->settle_ns > OG_SETTLE_MOST_NS))
        return og_setting_fail_of_text(s, OG_SETTING_SETTLE, err, "allowed are 0s to %s, seen '%s'",
                                       og_duration_text(OG_SETTLE_MOST_NS).s, s->settle);
    return OG_OK;
}

static enum og_status check_settings(struct og_settings *s, struct og_error *err)
{
    enum og_status status;

    if (!s->base_url)
        return og_fail(err, OG_EINVAL, "no broker: name a file with --broker, or set ORDERGATE_BASE_URL");
    trim_slash(s->base_url);
    if (!s->key_id)
        return og_fail(err, OG_EINVAL, "no key: set key_id in the broker file, or ORDERGATE_KEY_ID");
    if (!s->secret)
        return og_fail(err, OG_EINVAL,
                       "no secret: name its file as secret_key_file in the broker file, or set ORDERGATE_SECRET_KEY");
    if (!s->header_prefix && !(s->header_prefix = strdup("SVC")))
        return og_fail(err, OG_ENOMEM, "out of memory");
    if (!is_token(s->header_prefix))
        return og_setting_fail_of_text(s, OG_SETTING_HEADER_PREFIX, err,
                                       "allowed are letters, digits, - and _, seen '%s'", s->header_prefix);
    if (!is_header_value(s->key_id))
        return og_setting_fail_of_text(s, OG_SETTING_KEY_ID, err, "must be printable ASCII without blanks");
    if (!is_header_value(s->secret))
        return og_fail(
            err, OG_EINVAL,
            "the secret, of secret_key_file or ORDERGATE_SECRET_KEY, must be printable ASCII without blanks");
    status = check_addresses(s, err);
    return status == OG_OK ? check_settle(s, err) : status;
}

enum og_status og_settings_stream(const struct og_settings *s, const char *name, struct og_stream_address *to,
                                  struct og_error *err)
{
    struct og_address at;
    int n;

    if (!og_address_read(s->ws_url, &at) || at.host.len >= sizeof to->host)
        return og_fail(err, OG_EINVAL, "ws_url '%s' cannot be used", s->ws_url);
    snprintf(to->host, sizeof to->host, "%.*s", (int)at.host.len, at.host.s);
    n = snprintf(to->path, sizeof to->path, "%.*s/stream/%s", (int)at.path.len, at.path.s, name);
    to->port = at.port;
    to->tls = at.tls;
    to->loopback = at.loopback;
    return n > 0 && (size_t)n < sizeof to->path ? OG_OK : og_fail(err, OG_EINVAL, "ws_url '%s' is too long", s->ws_url);
}

enum og_status og_settings_check_policy_keys(const struct og_settings *s, struct og_error *err)
{
    enum og_status status = check_file_of_text(s, OG_SETTING_POLICY_KEY, err);

    if (status == OG_OK)
        status = check_file_of_text(s, OG_SETTING_POLICY_KEY_BY_VARIABLE, err);
    for (size_t i = 0; i < s->signer_count && status == OG_OK; i++)
        status = check_file(s, s->signer[i], og_setting_signers_key, NULL, s->signers_at, err);
    return status;
}

int og_settings_base_len(const struct og_settings *s)
{
    static const char prefix[] = "/v1/api";
    const size_t len = strlen(s->base_url), n = sizeof prefix - 1;

    return (int)(len > n && strcmp(s->base_url + len - n, prefix) == 0 ? len - n : len);
}

int64_t og_settings_settle_ns(const struct og_settings *s)
{
    if (s->settle)
        return s->settle_ns;
    return s->loopback && s->environment != OG_ENVIRONMENT_LIVE ? 0 : OG_SETTLE_NS;
}

enum og_status og_settings_read(struct og_settings *s, const char *file, struct og_error *err)
{
    enum og_status status = OG_OK;

    memset(s, 0, sizeof *s);
    for (int i = 0; i < OG_ENDPOINTS; i++) {
        s->budget[i].rate = og_endpoints[i].rate * 1000;
        s->budget[i].burst = og_endpoints[i].burst * 1000;
    }
    if (file)
        status = og_settings_read_file(s, file, err);
    if (status == OG_OK)
        status = read_environment(s, err);
    return status == OG_OK ? check_settings(s, err) : status;
}

enum og_status og_settings_copy(struct og_settings *to, const struct og_settings *from, struct og_error *err)
{
    bool ok = true;

    *to = *from;
    to->secret = from->secret ? og_secret_copy(from->secret, strlen(from->secret)) : NULL;
    ok = to->secret || !from->secret;
    for (size_t i = 0; i < OG_SETTING_TEXTS_OWNED; i++) {
        /* text belongs to `from`; the member of `to` is set to NULL on failure, so that nothing is freed twice */
        const char *text = *og_setting_text_at(to, i);

        *og_setting_text_at(to, i) = ok && text ? strdup(text) : NULL;
        ok = ok && (*og_setting_text_at(to, i) || !text);
    }
    return ok ? OG_OK : og_fail(err, OG_ENOMEM, "out of memory");
}

void og_settings_clear(struct og_settings *s)
{
    og_secret_free(s->secret);
    for (size_t i = 0; i < OG_SETTING_TEXTS_OWNED; i++)
        free(*og_setting_text_at(s, i));
    memset(s, 0, sizeof *s);
}
