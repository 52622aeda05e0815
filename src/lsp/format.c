/*
 * Formatting: the layout of `ordergate fmt`, as an edit of the lines that change.
 */
#include <stdlib.h>

#include "lsp/session.h"

cJSON *og_lsp_format(struct og_lsp *s, const cJSON *params, struct og_lsp_failure *f)
{
    const struct og_lsp_document *d = og_lsp_document_of(s, params);
    struct og_error err = { 0 };
    enum og_status status;
    char *laid = NULL;
    size_t len;
    cJSON *edits;

    if (!d)
        return og_lsp_fail(f, OG_LSP_INVALID_PARAMS, "the document is not open");
    status = og_yaml_format(d->text.s, d->text.len, d->path, &laid, &len, NULL, NULL, &err);
    if (status != OG_OK) /* a document that is not YAML is left as it is; a diagnostic reports the error */
        return og_lsp_fail(f, OG_LSP_FAILED, err.text);
    edits = og_lsp_edits(s, d->text, (struct og_str){ laid, len });
    free(laid);
    return edits;
}
