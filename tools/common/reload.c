/*
 * Loads policies again.  If the new policy has an error, the old one stays in force.
 */
#include "tools/common/reload.h"

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "ordergate/time.h"
#include "tools/common/exit.h"
#include "tools/common/messages.h"

#define LOOK_EVERY OG_NS_PER_S

static volatile sig_atomic_t asked;

static void on_hangup(int signal)
{
    (void)signal;
    asked = 1;
}

void reload_on_hangup(void)
{
    struct sigaction action = { .sa_handler = on_hangup, .sa_flags = SA_RESTART };

    sigaction(SIGHUP, &action, NULL);
}

static int64_t now(void)
{
    struct timespec t = { 0 };

    clock_gettime(CLOCK_MONOTONIC, &t);
    return (int64_t)t.tv_sec * OG_NS_PER_S + t.tv_nsec;
}

/* Return the exit code, and print the error if a file could not be read; errors inside a policy were printed before. */
static int told(const char *program, const struct og_error *err)
{
    return err->status == OG_EPOLICY ? EXIT_UNUSABLE : og_say(program, err, EXIT_UNUSABLE);
}

int load_policy(const char *program, const char *const *names, size_t count, struct og_policy **policy)
{
    struct og_error err = { 0 };

    return og_policy_load_all(names, count, NULL, policy, og_print_fault, stderr, &err) == OG_OK ? 0
                                                                                                 : told(program, &err);
}

static enum og_status load(struct reload *r, struct og_policy **policy)
{
    struct og_error err = { 0 };
    enum og_status status = og_policy_source_load(r->source, policy, og_print_fault, stderr, &err);

    r->looked = now();
    if (status)
        (void)told(r->program, &err);
    return status;
}

struct og_policy_source *signed_source(const char *const *names, size_t count, const char *floor,
                                       const struct option_list *keys, int need)
{
    struct og_policy_source *source = og_policy_source_new(names, count, floor, NULL);
    enum og_status status = OG_OK;

    if (source && need)
        status = og_policy_source_require_some(source, keys->item, keys->count, (size_t)need);
    for (size_t i = 0; source && !need && i < keys->count && status == OG_OK; i++)
        status = og_policy_source_require(source, keys->item[i]);
    if (status == OG_OK)
        return source;
    og_policy_source_free(source);
    return NULL;
}

int reload_begin(struct reload *r, const char *program, const struct option_list *names, const struct option_list *keys,
                 int need, struct og_policy **policy)
{
    *r = (struct reload){ .program = program, .source = signed_source(names->item, names->count, NULL, keys, need) };
    *policy = NULL;
    if (!r->source)
        return EXIT_IO;
    if (load(r, policy))
        return EXIT_UNUSABLE;
    r->digest = strdup(og_policy_digest(*policy));
    return r->digest ? 0 : EXIT_IO;
}

static void put_in_force(struct reload *r, struct og_book *book, struct og_policy *policy)
{
    char *digest = strdup(og_policy_digest(policy));

    if (!digest || strcmp(digest, r->digest) == 0) {
        if (digest)
            fprintf(stderr, "%s: the policy was read again and is the same: %s\n", r->program, digest);
        og_policy_free(policy);
        free(digest);
        return;
    }
    fprintf(stderr, "%s: policy %s is in force, in the place of %s\n", r->program, digest, r->digest);
    free(r->digest);
    r->digest = digest;
    og_book_swap_policy(book, policy);
}

bool reload_wanted(struct reload *r)
{
    if (asked || r->changed)
        return true;
    if (now() - r->looked < LOOK_EVERY)
        return false;
    r->looked = now();
    return r->changed = og_policy_source_changed(r->source);
}

void reload_look(struct reload *r, struct og_book *book)
{
    struct og_policy *policy;

    if (!reload_wanted(r))
        return;
    asked = 0;
    r->changed = false;
    r->failed = load(r, &policy) != OG_OK;
    if (r->failed)
        fprintf(stderr, "%s: policy %s stays in force\n", r->program, r->digest);
    else
        put_in_force(r, book, policy);
}

void reload_end(struct reload *r)
{
    og_policy_source_free(r->source);
    free(r->digest);
}
