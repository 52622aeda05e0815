/*
 * Where in a YAML document an offset is: the keys and items that lead there, and the word.  The document need not be
 * complete: it is one that somebody writes.
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
    OG_LSP_EITHER /* a line or an item with one word, which may become either */
};

struct og_lsp_place {
    struct og_lsp_step step[OG_LSP_STEPS_MOST]; /* to the map with the key, or to the value; FLOW_MAP marks a bracket */
    size_t depth;
    enum og_lsp_at at;
    size_t from, to; /* the bytes of the key or the scalar; empty at a place where nothing is written yet */
};

/* Find the place of an offset, which may be the end of the text. */
void og_lsp_place_find(struct og_str text, size_t offset, struct og_lsp_place *place);
/* Returns the last step that is not of kind FLOW_MAP; NULL if there is none. */
const struct og_lsp_step *og_lsp_place_last(const struct og_lsp_place *place);
/* Returns the word at an offset: bytes that are letters, digits or one of `more`. */
struct og_str og_lsp_word(struct og_str text, size_t offset, const char *more);
