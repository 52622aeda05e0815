/*
 * Reads demands for signatures.  Rejects a demand that no signatures can meet.
 */
#include "text/signers.h"

static const char *read_keys(const struct og_yaml *keys, const struct og_yaml **at)
{
    *at = keys;
    if (!keys || keys->kind != OG_YAML_LIST || keys->count == 0 || keys->count > OG_SIGNERS_MOST)
        return "needs 'keys': 1 to 16 paths of public keys, in brackets";
    for (const struct og_yaml *n = keys->first; n; n = n->next) {
        *at = n;
        if (n->kind != OG_YAML_SCALAR || n->text.len == 0)
            return "needs a path of a public key here";
        for (const struct og_yaml *other = keys->first; other != n; other = other->next)
            if (og_str_eq(other->text, n->text))
                return "names a key twice: one key counts once";
    }
    return NULL;
}

const char *og_signers_read(const struct og_yaml *node, struct og_signers *to, const struct og_yaml **at)
{
    const struct og_yaml *need = og_yaml_get(node, "need");
    const char *wrong;

    *at = node;
    *to = (struct og_signers){ .keys = og_yaml_get(node, "keys") };
    if (node->kind != OG_YAML_MAP)
        return "must be {need: how many must sign, keys: [public keys]}";
    for (const struct og_yaml *n = node->first; n; n = n->next)
        if (n != need && n != to->keys) {
            *at = n;
            return "has 'need' and 'keys' and nothing else";
        }
    if ((wrong = read_keys(to->keys, at))) {
        *at = *at ? *at : node;
        return wrong;
    }
    *at = need ? need : node;
    if (!need || need->kind != OG_YAML_SCALAR || need->quoted || need->text.len == 0 || need->text.len > 2 ||
        need->text.s[0] == '0')
        return "needs 'need': how many of the keys must have signed, at least 1";
    for (size_t i = 0; i < need->text.len; i++) {
        if (need->text.s[i] < '0' || need->text.s[i] > '9')
            return "needs 'need': how many of the keys must have signed, at least 1";
        to->need = 10 * to->need + (size_t)(need->text.s[i] - '0');
    }
    return to->need > to->keys->count ? "needs more signatures than it names keys, so that no policy could be used"
                                      : NULL;
}
