/*
 * The documentation of findings, compiled in from src/lint/pages/.
 */
#include <string.h>

#include "lint/lint.h"

/* pages[] and scopes[], which CMake makes from the files of the folder */
#include "lint/pages.inc"

#define COUNT (sizeof pages / sizeof pages[0])

bool og_lint_page_at(size_t i, struct og_lint_page *page)
{
    if (!page)
        return false;
    if (i >= COUNT)
        return false;
    *page = pages[i];
    return true;
}

enum og_lint_scope og_lint_scope_at(size_t i)
{
    return scopes[i];
}

bool og_lint_page_of(const char *code, struct og_lint_page *page)
{
    if (!code)
        return false;
    for (size_t i = 0; i < COUNT; i++)
        if (strcmp(pages[i].code, code) == 0) {
            *page = pages[i];
            return true;
        }
    return false;
}
