/*
 * Fuzz: bytes laid out as YAML. What the reader accepts can be laid out, and the result laid out again is the same.
 */
#include <stdlib.h>
#include <string.h>

#include "fuzz.h"
#include "ordergate/policy.h"

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t len)
{
    char *once, *twice;
    size_t once_len, twice_len;
    enum og_status status;

    status = og_yaml_format((const char *)bytes, len, "input", &once, &once_len, NULL, NULL, NULL);
    DEMAND(status == OG_OK || status == OG_ESYNTAX);
    if (status != OG_OK)
        return 0;
    DEMAND(og_yaml_format(once, once_len, "again", &twice, &twice_len, NULL, NULL, NULL) == OG_OK);
    DEMAND(once_len == twice_len && memcmp(once, twice, once_len) == 0);
    free(once);
    free(twice);
    return 0;
}
