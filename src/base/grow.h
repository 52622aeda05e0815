/*
 * Arrays that grow: twice as many items each time, so that adding one takes constant time on average.
 */
#pragma once

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

/* Make room for one more item of `size` bytes in the malloc() array at *items, which has `count` items and room for
 * *room. The first call makes room for `first` items. Returns false, and changes nothing, if memory runs out. */
static inline bool og_grow_items(void *items, size_t count, size_t *room, size_t first, size_t size)
{
    size_t more = *room ? 2 * *room : first;
    void *array;

    if (count < *room)
        return true;
    memcpy(&array, items, sizeof array);
    array = realloc(array, more * size);
    if (!array)
        return false;
    memcpy(items, &array, sizeof array);
    *room = more;
    return true;
}
#define OG_GROW(items, count, room, first) og_grow_items(&(items), (count), &(room), (first), sizeof *(items))
