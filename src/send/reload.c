/*
 * Loads another policy while the sender runs, on request or because one of its files changed.  A policy that does not
 * load, is not signed although that is required, or declares another environment than the account's is rejected: the
 * present policy stays in force.
 */
#include <stdlib.h>

#include "base/error.h"
#include "send/event.h"
#include "send/sender.h"

static void on_fault(void *with, const struct og_diagnostic *f)
{
    const char *word = f->severity == OG_ERROR ? "error" : "warning";

    if (f->line > 0)
        og_send_warn(with, "%s:%d:%d: %s: %s [%s]", f->file, f->line, f->col, word, f->text, f->code);
    else /* an error without a line concerns the whole file, such as a bad signature */
        og_send_warn(with, "%s: %s: %s [%s]", f->file, word, f->text, f->code);
}

static void take_environment(struct og_sender *s, const struct og_policy *policy)
{
    const char *environment = og_policy_environment(policy);

    if (s->settings.environment == OG_ENVIRONMENT_UNSET && environment[0] != '\0')
        s->settings.environment = strcmp(environment, "live") == 0 ? OG_ENVIRONMENT_LIVE : OG_ENVIRONMENT_PAPER;
}

/* Warn of a policy that lets orders of a live account pass although it cannot decide its own limits. */
static void warn_of_unsure(struct og_sender *s, const struct og_policy *policy)
{
    const char *limit = s->settings.environment == OG_ENVIRONMENT_LIVE ? og_policy_passes_unsure(policy) : NULL;

    if (limit)
        og_send_warn(
            s,
            "warning: environment is live, and policy %s sends orders whose limits it cannot decide, such as '%s' "
            "while a quote is missing: write 'extends: [live]' or 'unsure: refuse' in it",
            og_policy_name(policy), limit);
}

static bool demands_signatures(const struct og_sender *s)
{
    const struct og_settings *t = &s->settings;

    return t->policy_key[0] || t->policy_key[1] || t->signer_need || og_policy_unsigned(s->options.policy);
}

/* Make the policy source require the signatures that the broker's settings require. */
static enum og_status demand_signatures(struct og_sender *s)
{
    const struct og_settings *t = &s->settings;
    enum og_status status = OG_OK;

    for (size_t i = 0; i < 2 && status == OG_OK; i++)
        if (t->policy_key[i])
            status = og_policy_source_require(s->options.source, t->policy_key[i]);
    if (status == OG_OK && t->signer_need)
        status = og_policy_source_require_some(s->options.source, (const char *const *)t->signer, t->signer_count,
                                               t->signer_need);
    return status;
}

/* If a public key cannot be read, name the setting that demands it: the error of the policy names the key alone. */
static void name_unusable_key(const struct og_sender *s, struct og_error *err)
{
    struct og_error why = { 0 };

    if (!err || og_settings_check_policy_keys(&s->settings, &why) == OG_OK)
        return;
    *err = why;
    err->status = OG_EPOLICY;
}

enum og_status og_send_policy_begin(struct og_sender *s, struct og_error *err)
{
    struct og_policy *policy = s->options.policy, *signed_one = NULL;
    enum og_status status = OG_OK;

    if (demands_signatures(s)) {
        if (!s->options.source)
            return og_fail(err, OG_EPOLICY,
                           "the broker file or the floor demands a signed policy: this one was given without its "
                           "source, so its signature cannot be checked");
        if ((status = demand_signatures(s)) == OG_EINVAL)
            return og_fail(err, OG_EINVAL, "too many keys are named: a policy cannot have that many signatures");
        if (status == OG_OK)
            status = og_policy_source_load(s->options.source, &signed_one, on_fault, s, err);
        if (status == OG_EPOLICY)
            name_unusable_key(s, err);
    }
    policy = signed_one ? signed_one : policy;
    if (status == OG_OK)
        take_environment(s, policy); /* the settle lag depends on the environment */
    if (status == OG_OK)
        warn_of_unsure(s, policy);
    if (status == OG_OK && !(s->policy.digest = strdup(og_policy_digest(policy))))
        status = OG_ENOMEM;
    if (status == OG_OK)
        status = og_book_new(policy, &s->book);
    if (status == OG_OK)
        status = og_book_client_tag(s->book, s->options.tag);
    if (status == OG_EINVAL) {
        og_policy_free(signed_one);
        return og_fail(err, OG_EINVAL, "the tag '%.20s...' is longer than 64 bytes", s->options.tag);
    }
    if (status == OG_OK)
        status = og_book_settle_lag(s->book, og_settings_settle_ns(&s->settings));
    if (status == OG_OK)
        /* an order that the list lacks does not count as over: it is looked up (lookups.c) */
        status = og_book_list_lag(s->book, OG_LIST_LAG_FOREVER);
    if (status != OG_OK) {
        og_policy_free(signed_one);
        return og_fail(err, status, "out of memory");
    }
    if (signed_one)
        og_policy_free(s->options.policy);
    s->options.policy = NULL; /* the book owns the policy now */
    og_book_paced(s->book,
                  /* the rate is 0 if the user turned the budgets off */
                  s->settings.budget[OG_ENDPOINT_CANCEL].rate > 0);
    s->policy.reads_pnl = og_policy_asks(policy, "pnl");
    return OG_OK;
}

/* Returns false if the policy is for another environment than the run's. Accounts are checked against the environment
 * only at the start of the run. */
static bool same_environment(const struct og_sender *s, const struct og_policy *policy)
{
    const char *environment = og_policy_environment(policy);

    return environment[0] == '\0' || s->settings.environment == OG_ENVIRONMENT_UNSET ||
           (strcmp(environment, "live") == 0) == (s->settings.environment == OG_ENVIRONMENT_LIVE);
}

static void put_in_force(struct og_sender *s, struct og_policy *policy, const char *why)
{
    char *digest = strdup(og_policy_digest(policy));
    bool reads_pnl;

    if (digest && strcmp(digest, s->policy.digest) == 0) {
        og_send_say(s, "the policy was read again and is the same: %s", digest);
        og_send_count_same_policy(s);
    } else if (digest && og_send_tell_policy(s, s->policy.digest, digest, why)) {
        og_send_say(s, "policy %s is in force, in the place of %s", digest, s->policy.digest);
        warn_of_unsure(s, policy);
        reads_pnl = og_policy_asks(policy, "pnl");
        if (reads_pnl && !s->policy.reads_pnl)
            s->policy.pnl_from = og_time_up();
        s->policy.reads_pnl = reads_pnl;
        og_book_swap_policy(s->book, policy);
        og_send_count_reload(s, true);
        free(s->policy.digest);
        s->policy.digest = digest;
        return;
    }
    og_policy_free(policy);
    free(digest);
}

static void load_again(struct og_sender *s, const char *why)
{
    struct og_policy *policy;
    struct og_error err = { 0 };
    enum og_status status = og_policy_source_load(s->options.source, &policy, on_fault, s, &err);

    if (status == OG_OK && same_environment(s, policy)) {
        put_in_force(s, policy, why);
        return;
    }
    if (status == OG_OK) {
        og_send_warn(s, "policy %s is for environment %s, this run is for another: restart it to use that policy",
                     og_policy_digest(policy), og_policy_environment(policy));
        og_policy_free(policy);
    } else if (status != OG_EPOLICY) {
        og_send_warn(s, "%s", err.text);
    }
    og_send_warn(s, "policy %s stays in force", s->policy.digest);
    og_send_count_reload(s, false);
}

void og_send_reload_due(struct og_sender *s)
{
    int64_t now = og_send_ms(s);
    bool asked = s->policy.reload_asked;

    if (!s->options.source || (!asked && now < s->policy.look_ms))
        return;
    s->policy.look_ms = now + OG_RELOAD_LOOK_MS;
    s->policy.reload_asked = false;
    if (asked || og_policy_source_changed(s->options.source))
        load_again(s, asked ? "asked" : "changed");
}

void og_send_on_reload(uv_async_t *async)
{
    struct og_sender *s = async->data;

    s->policy.reload_asked = true;
    og_send_wake(s);
}

void og_sender_reload(struct og_sender *s)
{
    if (!s)
        return;
    uv_async_send(&s->reload);
}
