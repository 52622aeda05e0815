/*
 * Searches for orders that two policies decide differently.  Each rule whose settings differ gets a share of the
 * trials: a third to find base probes that reach the difference, the rest to mutate them.  The search proves nothing:
 * there may be differences that it does not find.
 */
#include <stdlib.h>

#include "base/error.h"
#include "diff/generator.h"

/* Use the account that the caller named; if the caller named none, the account of the facts that the caller gave. */
static void name_account(struct og_generator *m)
{
    const struct og_book *b = m->d->book;
    struct og_str id = m->d->account     ? og_str_of(m->d->account)
                       : b->accounts > 1 ? og_facts_account_id(b->account[1])
                                         : OG_STR("L1");
    size_t len = 0;

    m->own_account = !m->d->account && b->accounts <= 1;
    while (len < id.len && len + 1 < sizeof m->account && id.s[len] > ' ' && id.s[len] < 0x7F && id.s[len] != '"' &&
           id.s[len] != '\\')
        len++;
    if (len == id.len && len)
        memcpy(m->account, id.s, len);
    else
        memcpy(m->account, "L1", 3);
}

static enum og_status run_target(struct og_generator *m, struct og_target *target, size_t share)
{
    size_t end = m->left - share;
    enum og_status status = og_base_probes_find(m, target, share / 3);

    return status ? status : og_mutations_run(m, target, m->left > end ? m->left - end : 0);
}

static enum og_status run_targets(struct og_generator *m, struct og_target *target)
{
    size_t count = og_target_count(m->d);
    enum og_status status = OG_OK;

    for (size_t i = 0; status == OG_OK && og_target_next(m->d, &i, target); count--)
        status = run_target(m, target, m->left / count);
    return status;
}

enum og_status og_diff_generate(struct og_diff *d, size_t count, uint64_t seed, int64_t now, og_diff_listener *listener,
                                void *with, struct og_error *err)
{
    struct og_generator *m;
    struct og_target *target;
    enum og_status status;

    if (!d)
        return og_missing(err);
    m = calloc(1, sizeof *m);
    target = calloc(1, sizeof *target);
    status = m && target ? OG_OK : OG_ENOMEM;
    if (status == OG_OK) {
        *m = (struct og_generator){
            .d = d, .seed = seed, .now = now, .left = count, .listener = listener, .with = with
        };
        name_account(m);
        og_target_whole(d, target);
        status = og_generator_begin(m, &target->hints);
    }
    if (status == OG_OK)
        status = run_targets(m, target);
    if (status == OG_OK && m->left) { /* nothing was found, or some trials are left: probe all settings together */
        og_target_whole(d, target);
        status = run_target(m, target, m->left);
    }
    if (m) {
        og_buf_clear(&m->line);
        og_buf_clear(&m->facts);
        og_buf_clear(&m->last);
        og_buf_clear(&m->words);
    }
    free(m);
    free(target);
    return status ? og_fail(err, status, "out of memory") : og_diff_book(d, NULL, 0, err);
}
