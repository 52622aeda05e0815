/*
 * Reads how a broker is reached. The secret is never printed, and there is only one copy of it, which is wiped.
 */
#include "broker/settings.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <strings.h>
#include <unistd.h>

#include "base/arena.h"
#include "base/crypto.h"
#include "base/error.h"
#include "base/file.h"
#include "base/time.h"
#include "base/timeouts.h"
#include "ordergate/money.h"
#include "ordergate/time.h"
#include "text/pattern.h"
#include "text/yaml.h"

#define FILE_MOST ((size_t)1 << 16)

/* --- addresses ---------------------------------------------------------------------------------------------------- */

static bool is_loopback(struct og_str host)
{
    return (host.len == 9 && strncasecmp(host.s, "localhost", 9) == 0) || og_str_is(host, "::1") ||
           (host.len >= 7 && host.len <= 15 && memcmp(host.s, "127.", 4) == 0 &&
            strspn(host.s, "0123456789.") >= host.len);
}

static bool read_scheme(const char **at, struct og_address *a)
{
    static const struct {
        const char *text;
        bool tls, websocket;
    } schemes[] = {
        { "http://", false, false }, { "https://", true, false }, { "ws://", false, true }, { "wss://", true, true }
    };

    for (size_t i = 0; i < sizeof schemes / sizeof schemes[0]; i++) {
        size_t n = strlen(schemes[i].text);

        if (strncasecmp(*at, schemes[i].text, n) == 0) {
            a->tls = schemes[i].tls;
            a->websocket = schemes[i].websocket;
            *at += n;
            return true;
        }
    }
    return false;
}

static bool read_port(const char *at, size_t len, bool tls, int *port)
{
    *port = tls ? 443 : 80;
    if (len == 0)
        return true;
    if (at[0] != ':' || len < 2 || len > 6)
        return false;
    *port = 0;
    for (size_t i = 1; i < len; i++) {
        if (at[i] < '0' || at[i] > '9')
            return false;
        *port = *port * 10 + (at[i] - '0');
    }
    return *port > 0 && *port <= 65535;
}

bool og_address_read(const char *url, struct og_address *a)
{
    const char *at = url, *end, *host_end;

    memset(a, 0, sizeof *a);
    if (!read_scheme(&at, a) || strpbrk(at, "@?# \t\r\n\"'\\"))
        return false;
    end = at + strcspn(at, "/");
    a->path = og_str_of(end);
    if (*at == '[') {
        host_end = memchr(at, ']', (size_t)(end - at));
        if (!host_end)
            return false;
        a->host = (struct og_str){ at + 1, (size_t)(host_end - at) - 1 };
        host_end++;
    } else {
        host_end = at + strcspn(at, ":/");
        a->host = (struct og_str){ at, (size_t)(host_end - at) };
    }
    a->loopback = is_loopback(a->host);
    return a->host.len > 0 && read_port(host_end, (size_t)(end - host_end), a->tls, &a->port);
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

/* --- files -------------------------------------------------------------------------------------------------------- */

static enum og_status read_file(const char *path, unsigned how, char *to, size_t size, size_t *len,
                                struct og_error *err)
{
    enum og_status status;
    struct og_buf b;
    int fd;

    *len = 0;
    if ((status = og_file_open(path, how, &fd, NULL, err)) != OG_OK)
        return status;
    og_buf_init_fixed(&b, to, size);
    if (!og_file_drain(fd, &b))
        status = errno == EFBIG ? og_fail(err, OG_EIO, "'%s' is longer than %zu bytes", path, size - 1)
                                : og_fail_because(err, OG_EIO, errno, "'%s' cannot be read: %s", path, strerror(errno));
    *len = b.len;
    close(fd);
    return status;
}

static enum og_status read_secret(struct og_settings *s, const char *path, struct og_error *err)
{
    char room[4096];
    size_t len;
    enum og_status status = read_file(path, OG_FILE_SECRET, room, sizeof room, &len, err);

    while (len > 0 && (room[len - 1] == '\n' || room[len - 1] == '\r' || room[len - 1] == ' '))
        len--;
    if (status == OG_OK && len == 0)
        status = og_fail(err, OG_EIO, "'%s' contains no secret", path);
    if (status == OG_OK && !(s->secret = og_secret_copy(room, len)))
        status = og_fail(err, OG_ENOMEM, "out of memory");
    og_wipe(room, sizeof room);
    return status;
}

/* --- the broker file ---------------------------------------------------------------------------------------------- */

/* The settings whose values are texts: each can be set by a key of the file or by an environment variable. */
static const struct setting_text {
    const char *key, *variable; /* NULL if the setting cannot be set in the file, or in the environment */
    bool is_path;               /* the value is a path; in the file, a relative path is relative to the file's folder */
    size_t at;
} texts[] = {
    { "base_url", "ORDERGATE_BASE_URL", false, offsetof(struct og_settings, base_url) },
    { "ws_url", "ORDERGATE_WS_URL", false, offsetof(struct og_settings, ws_url) },
    { "header_prefix", "ORDERGATE_HEADER_PREFIX", false, offsetof(struct og_settings, header_prefix) },
    { "key_id", "ORDERGATE_KEY_ID", false, offsetof(struct og_settings, key_id) },
    { "account", "ORDERGATE_ACCOUNT", false, offsetof(struct og_settings, account) },
    { "settle", "ORDERGATE_SETTLE", false, offsetof(struct og_settings, settle) },
    { "ca_file", NULL, true, offsetof(struct og_settings, ca_file) },
    { "require_signature", NULL, true, offsetof(struct og_settings, policy_key[0]) },
    { NULL, "ORDERGATE_REQUIRE_SIGNATURE", false, offsetof(struct og_settings, policy_key[1]) },
};
enum { TEXTS = sizeof texts / sizeof texts[0] };

/* Number of texts that settings own: those of the table, then the signers. */
enum { TEXTS_OWNED = TEXTS + OG_SIGNERS_MOST };

static char **text_at(struct og_settings *s, size_t i)
{
    return i < TEXTS ? (char **)(void *)((char *)s + texts[i].at) : &s->signer[i - TEXTS];
}

/* A setting whose value is one of two words. */
static const struct choice {
    const char *key, *variable, *yes, *no;
} environment = { "environment", "ORDERGATE_ENVIRONMENT", "live", "paper" },
  clock_source = { "clock", "ORDERGATE_CLOCK", "broker", "real" };

static const char signers_key[] = "require_signatures";

struct reading {
    struct og_settings *s;
    const char *file;
    struct og_error *err;
};

static void on_fault(void *with, int line, int col, const char *code, const char *text)
{
    const struct reading *r = with;

    (void)code;
    og_fail_at(r->err, OG_EINVAL, r->file, line, col, "%s", text);
}

static enum og_status fail_at_node(const struct reading *r, const struct og_yaml *n, const char *what)
{
    return og_fail_at(r->err, OG_EINVAL, r->file, n->line, n->col, "'%s': %s, seen '%s'", n->key.s, what,
                      n->kind == OG_YAML_SCALAR ? n->text.s : "a map or list");
}

static enum og_status unknown_key(const struct reading *r, const struct og_yaml *n)
{
    const char *known[TEXTS + 5] = { "secret_key_file", environment.key, clock_source.key, "budgets", signers_key };
    const char *near;
    size_t count = 5;

    for (size_t i = 0; i < TEXTS; i++)
        if (texts[i].key)
            known[count++] = texts[i].key;
    near = og_nearest(n->key, known, count);
    if (og_str_is(n->key, "secret_key") || og_str_is(n->key, "secret"))
        return og_fail_at(r->err, OG_EINVAL, r->file, n->key_line, n->key_col,
                          "the secret must not be in this file; put it into a file of its own and name that in "
                          "'secret_key_file'");
    return og_fail_at(r->err, OG_EINVAL, r->file, n->key_line, n->key_col, "unknown key '%s'%s", n->key.s,
                      og_meant(near).s);
}

/* Returns the path of a file that a broker file names: a relative path is relative to the broker file's folder. */
static char *resolve_path(const char *file, struct og_str path)
{
    const char *slash = strrchr(file, '/');
    char *to = NULL;

    if (path.s[0] == '/' || !slash)
        return strndup(path.s, path.len);
    if (asprintf(&to, "%.*s/%s", (int)(slash - file), file, path.s) < 0)
        return NULL;
    return to;
}

static bool thousandths(const struct og_yaml *n, int64_t *to)
{
    struct og_money m, scaled;

    if (!n || n->kind != OG_YAML_SCALAR || !og_money_read(n->text.s, n->text.len, &m) ||
        !og_money_times(m, 1000, &scaled))
        return false;
    *to = og_money_floor(scaled);
    return *to > 0 && *to <= INT64_C(1000000000);
}

static enum og_status read_budget(const struct reading *r, const struct og_yaml *n)
{
    static const char wanted[] = "must be {rate: requests a second, burst: requests}, or off";
    enum og_endpoint call = og_endpoint_find(n->key);

    if (call == OG_ENDPOINTS)
        return og_fail_at(r->err, OG_EINVAL, r->file, n->key_line, n->key_col,
                          "budget of an unknown endpoint '%s'; endpoints are spelled like 'POST order'", n->key.s);
    if (n->kind == OG_YAML_SCALAR && og_str_is(n->text, "off")) {
        r->s->budget[call].rate = 0;
        return OG_OK;
    }
    if (!thousandths(og_yaml_get(n, "rate"), &r->s->budget[call].rate))
        return fail_at_node(r, n, wanted);
    if (!og_yaml_get(n, "burst"))
        r->s->budget[call].burst = r->s->budget[call].rate;
    else if (!thousandths(og_yaml_get(n, "burst"), &r->s->budget[call].burst))
        return fail_at_node(r, n, wanted);
    return OG_OK;
}

static enum og_status read_budgets(const struct reading *r, const struct og_yaml *n)
{
    enum og_status status = OG_OK;

    if (n->kind == OG_YAML_SCALAR && og_str_is(n->text, "off")) {
        for (int i = 0; i < OG_ENDPOINTS; i++)
            r->s->budget[i].rate = 0;
        return OG_OK;
    }
    if (n->kind != OG_YAML_MAP)
        return fail_at_node(r, n, "must be a map of endpoints, or off");
    for (const struct og_yaml *b = n->first; b && status == OG_OK; b = b->next)
        status = read_budget(r, b);
    return status;
}

static enum og_status set_value(const struct reading *r, const struct og_yaml *n, char **to, char *made)
{
    if (!made)
        return og_fail(r->err, OG_ENOMEM, "out of memory");
    if (n->text.len == 0) {
        free(made);
        return fail_at_node(r, n, "must not be empty");
    }
    *to = made;
    return OG_OK;
}

static enum og_status read_choice(const struct reading *r, const struct og_yaml *n, const struct choice *c, bool *yes)
{
    char allowed[60];

    *yes = og_str_is(n->text, c->yes);
    if (*yes || og_str_is(n->text, c->no))
        return OG_OK;
    snprintf(allowed, sizeof allowed, "allowed are %s and %s", c->yes, c->no);
    return fail_at_node(r, n, allowed);
}

static enum og_status read_secret_beside(const struct reading *r, const struct og_yaml *n)
{
    char *path = NULL;
    enum og_status status = set_value(r, n, &path, resolve_path(r->file, n->text));

    if (status == OG_OK && (status = read_secret(r->s, path, r->err)) != OG_OK && r->err) {
        const struct og_error why = *r->err;

        r->err->status = OG_OK; /* an error that is set stays */
        (void)og_fail_because(r->err, status, why.cause, "%s: %.200s", n->key.s, why.text);
    }
    free(path);
    return status;
}

static enum og_status read_signers(const struct reading *r, const struct og_yaml *n)
{
    struct og_settings *s = r->s;
    struct og_signers said;
    const struct og_yaml *at;
    const char *wrong = og_signers_read(n, &said, &at);

    if (wrong)
        return og_fail_at(r->err, OG_EINVAL, r->file, at->line, at->col, "'%s' %s", signers_key, wrong);
    s->signer_need = said.need;
    for (const struct og_yaml *key = said.keys->first; key; key = key->next)
        if (!(s->signer[s->signer_count++] = resolve_path(r->file, key->text)))
            return og_fail(r->err, OG_ENOMEM, "out of memory");
    return OG_OK;
}

static enum og_status read_key(const struct reading *r, const struct og_yaml *n)
{
    size_t i = 0;
    enum og_status status;
    bool yes = false;

    while (i < TEXTS && !(texts[i].key && og_str_is(n->key, texts[i].key)))
        i++;
    if (og_str_is(n->key, "budgets"))
        return read_budgets(r, n);
    if (og_str_is(n->key, signers_key))
        return read_signers(r, n);
    if (i == TEXTS && !og_str_is(n->key, "secret_key_file") && !og_str_is(n->key, environment.key) &&
        !og_str_is(n->key, clock_source.key))
        return unknown_key(r, n);
    if (n->kind != OG_YAML_SCALAR)
        return fail_at_node(r, n, "wants a text");
    if (i < TEXTS)
        return set_value(r, n, text_at(r->s, i),
                         texts[i].is_path ? resolve_path(r->file, n->text) : strndup(n->text.s, n->text.len));
    if (og_str_is(n->key, "secret_key_file"))
        return read_secret_beside(r, n);
    if (og_str_is(n->key, clock_source.key))
        return read_choice(r, n, &clock_source, &r->s->broker_clock);
    status = read_choice(r, n, &environment, &yes);
    r->s->environment = yes ? OG_ENVIRONMENT_LIVE : OG_ENVIRONMENT_PAPER;
    return status;
}

static enum og_status read_broker_file(struct og_settings *s, const char *file, struct og_error *err)
{
    struct reading r = { s, file, err };
    struct og_yaml *root = NULL;
    struct og_arena arena;
    char *bytes = malloc(FILE_MOST);
    size_t len = 0;
    enum og_status status;

    og_arena_init(&arena, 0);
    if (!bytes)
        return og_fail(err, OG_ENOMEM, "out of memory");
    status = read_file(file, OG_FILE_READ, bytes, FILE_MOST, &len, err);
    if (status == OG_OK && (status = og_yaml_read(bytes, len, &arena, on_fault, &r, &root)) == OG_ESYNTAX)
        status = og_fail(err, OG_EINVAL, "'%s' is not a broker file", file);
    if (status == OG_OK && (!root || root->kind != OG_YAML_MAP))
        status = og_fail(err, OG_EINVAL, "'%s' is not a map of settings", file);
    for (const struct og_yaml *n = status == OG_OK ? root->first : NULL; n && status == OG_OK; n = n->next)
        status = read_key(&r, n);
    og_arena_clear(&arena);
    free(bytes);
    return status;
}

/* --- the environment ---------------------------------------------------------------------------------------------- */

/* Returns the value of an environment variable; NULL if the variable is not set, or empty. */
static const char *variable(const char *name)
{
    const char *value = getenv(name);

    return value && value[0] != '\0' ? value : NULL;
}

/* Read an environment variable whose value is one of two words. *said: that value; NULL if the variable is not set. */
static enum og_status choice_from_environment(const struct choice *c, const char **said, struct og_error *err)
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

    for (size_t i = 0; i < TEXTS && ok; i++) {
        /* an empty ORDERGATE_REQUIRE_SIGNATURE still requires a signature, which no policy can then have: the path may
         * have been lost by mistake */
        const bool is_demand = texts[i].at == offsetof(struct og_settings, policy_key[1]);
        const char *name = texts[i].variable, *value = !name ? NULL : is_demand ? getenv(name) : variable(name);
        char **to = text_at(s, i);

        /* all addresses must be set in one place: the stream address of one broker must not be combined with the REST
         * address of another */
        if (value && !*to && !(has_address && to == &s->ws_url))
            ok = (*to = strdup(value)) != NULL;
    }
    if (ok && !s->secret && secret)
        ok = (s->secret = og_secret_copy(secret, strlen(secret))) != NULL;
    if (!ok)
        return og_fail(err, OG_ENOMEM, "out of memory");
    if ((status = choice_from_environment(&environment, &said, err)) != OG_OK)
        return status;
    if (s->environment == OG_ENVIRONMENT_UNSET && said)
        s->environment = strcmp(said, environment.yes) == 0 ? OG_ENVIRONMENT_LIVE : OG_ENVIRONMENT_PAPER;
    status = choice_from_environment(&clock_source, &said, err);
    s->broker_clock = s->broker_clock || (said && strcmp(said, clock_source.yes) == 0);
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

/* Check the permissions of the CA file. The TLS libraries will open the file by name; between this check and then, only
 * this user and root can change it. */
static enum og_status check_ca_file(const struct og_settings *s, struct og_error *err)
{
    int fd;
    enum og_status status = og_file_open(s->ca_file, OG_FILE_READ, &fd, NULL, err);

    if (status == OG_OK)
        close(fd);
    return status;
}

static enum og_status check_addresses(struct og_settings *s, struct og_error *err)
{
    struct og_address rest, stream;
    enum og_status status;

    if (!og_address_read(s->base_url, &rest) || rest.websocket)
        return og_fail(err, OG_EINVAL,
                       "base_url is '%s', it must be https://host[:port], without user, query or blanks",
                       strchr(s->base_url, '@') ? "(hidden: it has a user part)" : s->base_url);
    if ((status = default_stream(s, err)) != OG_OK)
        return status;
    if (!og_address_read(s->ws_url, &stream) || !stream.websocket)
        return og_fail(err, OG_EINVAL, "ws_url is '%s', it must be wss://host[:port], without user, query or blanks",
                       strchr(s->ws_url, '@') ? "(hidden: it has a user part)" : s->ws_url);
    if ((!rest.tls && !rest.loopback) || (!stream.tls && !stream.loopback))
        return og_fail(err, OG_EINVAL,
                       "'%s' is not encrypted; plain http and ws are allowed for this machine only, use https and wss",
                       !rest.tls && !rest.loopback ? s->base_url : s->ws_url);
    if (s->ca_file && (status = check_ca_file(s, err)) != OG_OK)
        return status;
    s->loopback = rest.loopback;
    s->ws_loopback = stream.loopback;
    if (s->broker_clock && !rest.loopback)
        return og_fail(err, OG_EINVAL, "clock: broker is allowed for a broker on this machine only, base_url is '%s'",
                       s->base_url);
    return OG_OK;
}

static enum og_status check_settle(struct og_settings *s, struct og_error *err)
{
    if (s->settle && (!og_duration_read(s->settle, strlen(s->settle), &s->settle_ns) || s->settle_ns < 0 ||
                      s->settle_ns > OG_SETTLE_MOST_NS))
        return og_fail(err, OG_EINVAL, "settle is '%s', allowed are 0s to %s", s->settle,
                       og_duration_text(OG_SETTLE_MOST_NS).s);
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
        return og_fail(err, OG_EINVAL, "header_prefix is '%s', allowed are letters, digits, - and _", s->header_prefix);
    if (!is_header_value(s->key_id) || !is_header_value(s->secret))
        return og_fail(err, OG_EINVAL, "key_id and secret must be printable ASCII without blanks");
    status = check_addresses(s, err);
    return status == OG_OK ? check_settle(s, err) : status;
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
        status = read_broker_file(s, file, err);
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
    for (size_t i = 0; i < TEXTS_OWNED; i++) {
        /* text belongs to `from`; the member of `to` is set to NULL on failure, so that nothing is freed twice */
        const char *text = *text_at(to, i);

        *text_at(to, i) = ok && text ? strdup(text) : NULL;
        ok = ok && (*text_at(to, i) || !text);
    }
    return ok ? OG_OK : og_fail(err, OG_ENOMEM, "out of memory");
}

void og_settings_clear(struct og_settings *s)
{
    og_secret_free(s->secret);
    for (size_t i = 0; i < TEXTS_OWNED; i++)
        free(*text_at(s, i));
    memset(s, 0, sizeof *s);
}
