/*
 * Reading and writing JSON objects by tables of fields: one table defines how a struct is read and how it is written,
 * in the order of the service's document.
 */
#pragma once

#include "base/arena.h"
#include "text/doc.h"

/* Type of the struct's member; how it is read from JSON and written. */
enum og_wire_field_kind {
    OG_WIRE_STR,        /* struct og_str */
    OG_WIRE_STR_NUMBER, /* struct og_str, an id: read from a string or a number, written as a number; 0 if empty */
    OG_WIRE_TEXT,       /* const char * */
    OG_WIRE_ID,         /* const char *, an id: read from a string or a number, written as a string */
    OG_WIRE_NUMBER,     /* const char *, an id: read from a string or a number, written as a number */
    OG_WIRE_MONEY,      /* struct og_money */
    OG_WIRE_INT,        /* int64_t */
    OG_WIRE_COUNT,      /* int; only values from 0 to 1000 are read */
    OG_WIRE_BOOL,       /* bool */
    OG_WIRE_WORDS,      /* const char *const *, NULL-terminated: a list of strings; a single string is read too */
    OG_WIRE_NONE        /* no member: written as null, and not read */
};

enum {
    OG_WIRE_MUST = 1,    /* the field is required: an object without it is not read */
    OG_WIRE_RENAMED = 2, /* the second shape is written with the key `other` instead of `key` */
    OG_WIRE_TWICE = 4,   /* the second shape is written with both keys */
    /* The shapes that have the field, one bit each. If no bit is set, all shapes have it. */
    OG_WIRE_FIRST = 8,
    OG_WIRE_SECOND = 16,
    OG_WIRE_THIRD = 32,
    OG_WIRE_ALL = OG_WIRE_FIRST | OG_WIRE_SECOND | OG_WIRE_THIRD
};

struct og_wire_field {
    const char *key, *other; /* other: a second key under which the field is read; NULL if there is none */
    enum og_wire_field_kind kind;
    unsigned flags;
    size_t at;
    size_t has_at; /* offset of a bool that is set if the field was read; 0 if there is none */
};
/* A field without a key ends a table. */
#define OG_WIRE_END \
    {               \
        .key = NULL \
    }

/* Read the fields that the given shapes have; values are not checked, and other members are ignored. Texts point into
 * the tree; lists are allocated in arena. Returns false if a required field cannot be read, which *missing then names;
 * *missing is NULL if memory ran out. */
bool og_wire_fields_read(const struct og_wire_field *fields, unsigned shapes, const cJSON *object,
                         struct og_arena *arena, void *row, const char **missing);
/* Write the fields that the given shapes have, as members of an object that the caller has begun. */
void og_wire_fields_write(struct og_buf *b, const struct og_wire_field *fields, unsigned shapes, const void *row);
/* Write what og_wire_fields_write() writes as a JSON Schema: the members "type", "properties" and "required" of an
 * object that the caller has begun. A field with a second key has both in a document that has no shapes, since
 * lists and objects spell it in different ways, and neither is required then. */
void og_wire_fields_schema(struct og_buf *b, const struct og_wire_field *fields, unsigned shapes);
