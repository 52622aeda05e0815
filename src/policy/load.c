/*
 * Makes policies: lays the layers and the floor, and computes the digest.  Never returns a policy that has an error.
 */
#include "policy/load.h"

#include <stdio.h>
#include <stdlib.h>

#include "base/buf.h"
#include "base/error.h"
#include "base/generation.h"
#include "policy/layers.h"
#include "policy/show.h"

#define POLICY_MOST ((size_t)256 << 20)

const char og_policy_floor_path[] = "/etc/ordergate/floor.yaml";

struct making {
    struct og_policy *policy;
    struct og_layers layers;
};

static struct og_policy *policy_new(void)
{
    struct og_policy *p = calloc(1, sizeof *p);

    if (!p)
        return NULL;
    og_arena_init(&p->arena, POLICY_MOST);
    p->serial = og_next_generation();
    return p;
}

static enum og_status begin(struct making *m, struct og_policy **policy, struct og_error *err)
{
    *m = (struct making){ .policy = policy_new() };
    *policy = NULL;
    if (!m->policy)
        return og_fail(err, OG_ENOMEM, "out of memory making a policy");
    if (og_layers_init(&m->layers, m->policy))
        return OG_OK;
    og_layers_clear(&m->layers);
    og_policy_free(m->policy);
    return og_fail(err, OG_ENOMEM, "out of memory making a policy");
}

/* Compute a digest of the effective policy as og_show() writes it, and the length of that text. */
static bool digest_of(const struct og_policy *p, bool as_signed, char *to, size_t size, size_t *len)
{
    struct og_digest_text hash;
    struct og_buf b;
    bool ok;

    og_buf_init(&b, 0);
    og_show(p, as_signed, &b);
    ok = !b.bad && og_digest(b.s, b.len, &hash);
    *len = b.len;
    og_buf_clear(&b);
    if (ok)
        snprintf(to, size, "%s@%s", p->name, hash.s);
    return ok;
}

static bool has_list_under_key(const struct og_policy *p)
{
    for (size_t i = 0; i < p->lists.count; i++)
        if (p->list_signed[i])
            return true;
    return false;
}

static bool compute_digests(struct og_policy *p, struct og_layers *l)
{
    size_t len, signed_len;

    if (!digest_of(p, false, p->digest, sizeof p->digest, &len))
        return false;
    if (len > OG_YAML_MOST)
        og_error_add(&l->faults, (struct og_srcloc){ .source = l->sources }, "too-large",
                     "the policy has %zu bytes, counting the policies that it extends, all defaults and all lists; at "
                     "most %zu are allowed",
                     len, OG_YAML_MOST);
    if (has_list_under_key(p))
        return digest_of(p, true, p->signed_digest, sizeof p->signed_digest, &signed_len);
    memcpy(p->signed_digest, p->digest, sizeof p->signed_digest);
    return true;
}

/* Report the diagnostics; return the policy if none of them is an error. */
static enum og_status report_and_return(struct making *m, enum og_status status, struct og_policy **policy,
                                        og_diagnostic_listener *listener, void *with, struct og_error *err)
{
    struct og_diagnostics *faults = &m->layers.faults;
    struct og_error own = { 0 };

    if (!err)
        err = &own;
    if (status == OG_OK && !faults->oom && faults->errors == 0 && !compute_digests(m->policy, &m->layers))
        faults->oom = true;
    if (!faults->oom) /* out of memory: some diagnostics are missing, and the rest might mislead */
        og_diagnostics_report(faults, OG_EPOLICY, listener, with, err);
    if (faults->oom)
        status = OG_ENOMEM;
    else if (status == OG_OK && faults->errors > 0)
        status = OG_EPOLICY;
    if (status == OG_ENOMEM)
        og_fail(err, OG_ENOMEM, "out of memory making a policy");
    og_layers_clear(&m->layers);
    if (status == OG_OK)
        *policy = m->policy;
    else
        og_policy_free(m->policy);
    return status;
}

/* Apply the floor on top of the layers, and complete the policy. floor_path: NULL for the machine's floor, which may
 * be missing; "" for no floor. */
static enum og_status finish_layers(struct making *m, enum og_status status, const char *floor_path,
                                    struct og_error *err)
{
    og_layers_branch(&m->layers);
    if (status == OG_OK && !(floor_path && !floor_path[0]))
        status = og_layers_floor(&m->layers, floor_path ? floor_path : og_policy_floor_path, floor_path != NULL, err);
    og_layers_finalize(&m->layers);
    return status;
}

enum og_status og_policy_load(const char *name, struct og_policy **policy, og_diagnostic_listener *listener, void *with,
                              struct og_error *err)
{
    if (!name || !policy)
        return og_missing(err);
    return og_policy_make(&name, 1, "", NULL, policy, listener, with, err);
}

enum og_status og_policy_make(const char *const *names, size_t count, const char *floor_path, struct og_files *files,
                              struct og_policy **policy, og_diagnostic_listener *listener, void *with,
                              struct og_error *err)
{
    struct making m;
    enum og_status status = begin(&m, policy, err);

    if (status != OG_OK)
        return status;
    m.layers.files = files;
    if (count == 0)
        status = og_layers_lay_name(&m.layers, "default", err);
    for (size_t i = 0; i < count && status == OG_OK; i++)
        status = og_layers_lay_name(&m.layers, names[i], err);
    status = finish_layers(&m, status, floor_path, err);
    return report_and_return(&m, status, policy, listener, with, err);
}

enum og_status og_policy_load_all(const char *const *names, size_t count, const char *floor_path,
                                  struct og_policy **policy, og_diagnostic_listener *listener, void *with,
                                  struct og_error *err)
{
    if ((!names && count) || !policy)
        return og_missing(err);
    return og_policy_make(names, count, floor_path, NULL, policy, listener, with, err);
}

enum og_status og_policy_make_of(struct og_str bytes, const char *name, const char *floor_path,
                                 struct og_policy **policy, og_diagnostic_listener *listener, void *with,
                                 struct og_error *err)
{
    struct making m;
    enum og_status status = begin(&m, policy, err);

    if (status != OG_OK)
        return status;
    og_layers_lay_bytes(&m.layers, bytes, name);
    status = finish_layers(&m, OG_OK, floor_path, err);
    return report_and_return(&m, status, policy, listener, with, err);
}

enum og_status og_policy_read(const char *yaml, size_t len, const char *name, struct og_policy **policy,
                              og_diagnostic_listener *listener, void *with, struct og_error *err)
{
    if (!yaml || !policy)
        return og_missing(err);
    return og_policy_make_of((struct og_str){ yaml, len }, name, "", policy, listener, with, err);
}

void og_policy_free(struct og_policy *policy)
{
    if (!policy)
        return;
    for (struct og_patterns *p = policy->patterns; p; p = p->next)
        og_pattern_free(p->pattern);
    og_arena_clear(&policy->arena);
    free(policy);
}

const char *og_policy_name(const struct og_policy *policy)
{
    return policy ? policy->name : "";
}

const char *og_policy_digest(const struct og_policy *policy)
{
    return policy ? policy->digest : "";
}

const char *og_policy_environment(const struct og_policy *policy)
{
    return policy ? policy->environment : "";
}

bool og_policy_asks(const struct og_policy *policy, const char *fact)
{
    if (!policy || !fact)
        return false;
    for (int at = 0; at < OG_FACT_KINDS; at++)
        if (strcmp(og_fact_name((enum og_fact)(1 << at)), fact) == 0)
            return policy->reads >> at & 1;
    return false;
}

bool og_policy_locks(const struct og_policy *policy, const char *rule)
{
    if (!policy || !rule)
        return false;
    for (size_t i = 0; i < og_rules_size; i++)
        if (strcmp(policy->rules[i].rule->id, rule) == 0)
            return policy->rules[i].setting.locked;
    for (size_t i = 0; i < policy->custom_count; i++)
        if (strcmp(policy->custom[i]->rule.id, rule) == 0)
            return policy->custom[i]->entry.setting.locked;
    return false;
}

bool og_policy_unsigned(const struct og_policy *policy)
{
    return policy && policy->demand.need > 0;
}

const char *og_policy_rule_id(const struct og_policy *p, const char *id)
{
    const struct og_rule *rule = og_rules_find(id);

    for (size_t i = 0; !rule && i < p->custom_count; i++)
        if (strcmp(p->custom[i]->rule.id, id) == 0)
            rule = &p->custom[i]->rule;
    return rule ? rule->id : NULL;
}
