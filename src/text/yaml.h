/*
 * YAML as policies, scenarios and broker files use it: one document of maps, lists and scalars, with line and column.
 * It refuses aliases, anchors, tags, duplicate keys, several documents and bytes that are not UTF-8, each at its place,
 * and it reports every such fault of a file, not only the first.  The only folder that includes libyaml.
 */
#ifndef OG_TEXT_YAML_H
#define OG_TEXT_YAML_H

#include "base/arena.h"
#include "base/str.h"
#include "ordergate/status.h"

#define OG_YAML_MOST ((size_t)16 << 20) /* bytes of a document */

enum og_yaml_kind { OG_YAML_SCALAR = 1, OG_YAML_LIST, OG_YAML_MAP };

struct og_yaml {
    enum og_yaml_kind kind;
    int line, col;         /* of its first byte, from 1 */
    struct og_str text;    /* scalar: its text; NUL-terminated */
    bool quoted;           /* scalar was quoted or a block: never a number */
    struct og_str key;     /* when it is a map's value: its key */
    int key_line, key_col; /* where that key stands */
    struct og_yaml *first; /* list and map: children in order */
    struct og_yaml *next;  /* the next sibling */
    size_t count;          /* children */
    size_t at, end;        /* its bytes in the document: [at, end) holds it and nothing behind it */
    bool flow;             /* list and map: written between brackets */
};

/* Called for every fault: line and col from 1. */
typedef void og_yaml_fault(void *with, int line, int col, const char *code, const char *text);

/* Read one document.  All memory is the arena's.  Faults go to fault() (code is a lint code such as
 * "yaml-alias", "yaml-anchor", "yaml-tag", "yaml-duplicate-key", "yaml-several-documents", "yaml-syntax",
 * "yaml-not-utf8" (control characters and hidden line breaks too), "yaml-too-deep", "yaml-too-large" (16 MiB, 2000000
 * values), "yaml-empty").  Bad bytes come first, then the others in the order of the file.
 *   OG_OK       *root is the document
 *   OG_ESYNTAX  at least one fault was reported; *root may still be usable (NULL when nothing could be read)
 *   OG_ENOMEM */
enum og_status og_yaml_read(const char *bytes, size_t len, struct og_arena *arena, og_yaml_fault *fault, void *with,
                            struct og_yaml **root);

/* The child of a map with that key; NULL when there is none or it is no map. */
struct og_yaml *og_yaml_get(const struct og_yaml *map, const char *key);

#endif
