/*
 * YAML as policies, scenarios and broker files use it: one document of maps, lists and scalars, with line and column.
 * Rejects aliases, anchors, tags, duplicate keys, several documents and bytes that are not UTF-8.  All these faults of
 * a file are reported, not only the first one.
 */
#pragma once

#include "base/arena.h"
#include "base/str.h"
#include "ordergate/status.h"

#define OG_YAML_MOST ((size_t)16 << 20) /* maximum length of a document in bytes */

enum og_yaml_kind { OG_YAML_SCALAR = 1, OG_YAML_LIST, OG_YAML_MAP };

struct og_yaml {
    enum og_yaml_kind kind;
    int line, col;         /* line and column of its first byte, from 1 */
    struct og_str text;    /* a scalar's text; NUL-terminated */
    bool quoted;           /* the scalar is quoted or a block scalar; so it is never a number */
    struct og_str key;     /* for a value in a map: its key */
    int key_line, key_col; /* place of the key */
    struct og_yaml *first; /* first child of a list or map; the children are in the sequence of the document */
    struct og_yaml *next;  /* the next sibling */
    size_t count;          /* number of children */
    size_t at, end;        /* the node's bytes in the document are [at, end), without blanks or comments after it */
    bool flow;             /* the list or map was written in brackets */
};

/* Called for every fault: line and col from 1. */
typedef void og_yaml_fault(void *with, int line, int col, const char *code, const char *text);

/* Read one document.  All memory is the arena's.  Faults are reported to fault(); code is a lint code: "yaml-alias",
 * "yaml-anchor", "yaml-tag", "yaml-duplicate-key", "yaml-several-documents", "yaml-syntax", "yaml-not-utf8" (also for
 * control characters and hidden line breaks), "yaml-too-deep", "yaml-too-large" (16 MiB, 2000000 values), "yaml-empty".
 * Bad bytes are reported first, then the others in the order of the file.
 *   OG_OK       *root is the document
 *   OG_ESYNTAX  at least one fault was reported; *root may still be usable (NULL if nothing could be read)
 *   OG_ENOMEM */
enum og_status og_yaml_read(const char *bytes, size_t len, struct og_arena *arena, og_yaml_fault *fault, void *with,
                            struct og_yaml **root);

/* Returns the value of a key in a map; NULL if the map has no such key, or the node is not a map. */
struct og_yaml *og_yaml_get(const struct og_yaml *map, const char *key);
