/*
 * Fuzz: bytes laid out as YAML.  What the reader accepts can be laid out, and the result laid out again is the same.
 */
#include "fuzz.h"

#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "ordergate/policy.h"
#include "text/yaml.h"

static void ignore(void *with, int line, int col, const char *code, const char *text)
{
    (void)with, (void)line, (void)col, (void)code, (void)text;
}

static enum og_status read_again(const char *bytes, size_t len)
{
    struct og_arena arena;
    struct og_yaml *root;
    enum og_status status;

    og_arena_init(&arena, 0);
    status = og_yaml_read(bytes, len, &arena, ignore, NULL, &root);
    og_arena_clear(&arena);
    return status;
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t len)
{
    char *once, *twice;
    size_t once_len, twice_len;
    enum og_status status;

    status = og_yaml_format((const char *)bytes, len, "input", &once, &once_len, NULL, NULL, NULL);
    DEMAND(status == OG_OK || status == OG_ESYNTAX);
    if (status != OG_OK)
        return 0;
    DEMAND(read_again(once, once_len) == OG_OK);
    DEMAND(og_yaml_format(once, once_len, "again", &twice, &twice_len, NULL, NULL, NULL) == OG_OK);
    DEMAND(once_len == twice_len && memcmp(once, twice, once_len) == 0);
    free(once);
    free(twice);
    return 0;
}
