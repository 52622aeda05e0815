/*
 * Finds the place of an offset in a YAML document: the keys and items that contain the offset, and the word at the
 * offset. The document may be incomplete, because somebody is writing it.
 */
#pragma once

#include "base/str.h"

#define OG_LSP_STEPS_MOST 64

struct og_lsp_step {
    struct og_str key; /* key of a map; s is NULL if the step is an item of a list */
    size_t index;      /* index of an item */
    size_t column;     /* column at which the key begins, or the dash of the item; 0 inside [ ] or { } */
    enum { OG_LSP_BLOCK_KEY, OG_LSP_BLOCK_ITEM, OG_LSP_FLOW_MAP, OG_LSP_FLOW_KEY, OG_LSP_FLOW_ITEM } kind;
};

enum og_lsp_at {
    OG_LSP_NOWHERE = 0, /* the place is in a comment, or nested too deep */
    OG_LSP_KEY,
    OG_LSP_VALUE,
    OG_LSP_EITHER /* the place is on a line, or in an item, that has only one word: it may be a key or a value */
};

struct og_lsp_place {
    struct og_lsp_step step[OG_LSP_STEPS_MOST]; /* the path to the map with the key, or to the value; FLOW_MAP marks
                                                 * a bracket */
    size_t depth;
    enum og_lsp_at at;
    size_t from, to; /* the bytes of the key or the scalar; from == to if nothing is written at the place yet */
};

/* Find the place of an offset, which may be the end of the text. */
void og_lsp_place_find(struct og_str text, size_t offset, struct og_lsp_place *place);
/* Returns the last step whose kind is not FLOW_MAP; NULL if there is none. */
const struct og_lsp_step *og_lsp_place_last(const struct og_lsp_place *place);
/* Returns the word around an offset: letters, digits and the characters of `more`. */
struct og_str og_lsp_word(struct og_str text, size_t offset, const char *more);
