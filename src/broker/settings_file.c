/*
 * Reads the broker file. The secret is in a file of its own, and is never in the broker file.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "base/arena.h"
#include "base/crypto.h"
#include "base/error.h"
#include "base/file.h"
#include "broker/settings_texts.h"
#include "ordergate/money.h"
#include "text/pattern.h"
#include "text/yaml.h"

#define FILE_MOST ((size_t)1 << 16)

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
    const char *known[OG_SETTING_TEXTS + 5] = { "secret_key_file", og_setting_environment.key, og_setting_clock.key,
                                                "budgets", og_setting_signers_key };
    const char *near;
    size_t count = 5;

    for (size_t i = 0; i < OG_SETTING_TEXTS; i++)
        if (og_setting_texts[i].key)
            known[count++] = og_setting_texts[i].key;
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

static enum og_status read_choice(const struct reading *r, const struct og_yaml *n, const struct og_setting_choice *c,
                                  bool *yes)
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
    const struct og_setting_place at = { n->line, n->col };
    struct og_error why = { 0 };
    char *path = NULL;
    enum og_status status = set_value(r, n, &path, resolve_path(r->file, n->text));

    if (status == OG_OK && (status = read_secret(r->s, path, &why)) != OG_OK)
        (void)og_setting_fail_of_file(r->s, "secret_key_file", NULL, at, &why, r->err);
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
        return og_fail_at(r->err, OG_EINVAL, r->file, at->line, at->col, "'%s' %s", og_setting_signers_key, wrong);
    s->signers_at = (struct og_setting_place){ n->line, n->col };
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

    while (i < OG_SETTING_TEXTS && !(og_setting_texts[i].key && og_str_is(n->key, og_setting_texts[i].key)))
        i++;
    if (og_str_is(n->key, "budgets"))
        return read_budgets(r, n);
    if (og_str_is(n->key, og_setting_signers_key))
        return read_signers(r, n);
    if (i == OG_SETTING_TEXTS && !og_str_is(n->key, "secret_key_file") &&
        !og_str_is(n->key, og_setting_environment.key) && !og_str_is(n->key, og_setting_clock.key))
        return unknown_key(r, n);
    if (n->kind != OG_YAML_SCALAR)
        return fail_at_node(r, n, "wants a text");
    if (i < OG_SETTING_TEXTS)
        r->s->text_at[i] = (struct og_setting_place){ n->line, n->col };
    if (i < OG_SETTING_TEXTS)
        return set_value(r, n, og_setting_text_at(r->s, i),
                         og_setting_texts[i].is_path ? resolve_path(r->file, n->text)
                                                     : strndup(n->text.s, n->text.len));
    if (og_str_is(n->key, "secret_key_file"))
        return read_secret_beside(r, n);
    if (og_str_is(n->key, og_setting_clock.key))
        r->s->clock_at = (struct og_setting_place){ n->line, n->col };
    if (og_str_is(n->key, og_setting_clock.key))
        return read_choice(r, n, &og_setting_clock, &r->s->broker_clock);
    status = read_choice(r, n, &og_setting_environment, &yes);
    r->s->environment = yes ? OG_ENVIRONMENT_LIVE : OG_ENVIRONMENT_PAPER;
    return status;
}

enum og_status og_settings_read_file(struct og_settings *s, const char *file, struct og_error *err)
{
    struct reading r = { s, file, err };
    struct og_yaml *root = NULL;
    struct og_arena arena;
    char *bytes = malloc(FILE_MOST);
    size_t len = 0;
    enum og_status status;

    og_arena_init(&arena, 0);
    if (!bytes || !(s->file = strdup(file))) {
        free(bytes);
        return og_fail(err, OG_ENOMEM, "out of memory");
    }
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
