/*
 * Makes and frees views, and gives what they have to print.
 */
#include "show/view.h"

#include <stdlib.h>

#include "base/error.h"

#define COLUMNS_LEAST 40

enum og_status og_show_new(const struct og_show_look *look, struct og_show **show)
{
    struct og_show *v;

    if (!look || !show)
        return OG_EINVAL;
    *show = NULL;
    if (look->format != OG_SHOW_TABLE && look->format != OG_SHOW_CSV && look->format != OG_SHOW_ROWS)
        return OG_EINVAL;
    v = calloc(1, sizeof *v);
    if (!v)
        return OG_ENOMEM;
    v->format = look->format;
    og_buf_init(&v->text, 0);
    og_buf_init(&v->file, 0);
    og_buf_init(&v->account, 0);
    og_arena_init(&v->arena, 0);
    v->sheet = (struct og_sheet){ .to = &v->text,
                                  .columns = look->columns < COLUMNS_LEAST ? COLUMNS_LEAST : look->columns,
                                  .colour = look->colour };
    v->table.in_parts = true;
    *show = v;
    return OG_OK;
}

void og_show_free(struct og_show *v)
{
    if (!v)
        return;
    free(v->reason);
    og_map_clear(&v->reason_of);
    og_map_clear(&v->helped);
    og_map_clear(&v->missing);
    og_map_clear(&v->terms);
    og_map_clear(&v->outcome);
    og_buf_clear(&v->account);
    og_arena_clear(&v->arena);
    og_table_clear(&v->table);
    og_buf_clear(&v->file);
    og_buf_clear(&v->text);
    free(v);
}

void og_show_begin(struct og_show *v, bool rows)
{
    if (v->taken)
        og_buf_reset(&v->text);
    v->taken = false;
    if (!rows)
        return;
    og_table_put(&v->sheet, NULL, &v->table, v->names);
    v->names = 0;
}

enum og_status og_show_text(struct og_show *v, const char **text, size_t *len)
{
    bool bad;

    if (!v || !text || !len)
        return OG_EINVAL;
    og_show_begin(v, true);
    bad = v->text.bad;
    if (bad)
        og_buf_clear(&v->text);
    v->taken = true;
    *len = v->text.len;
    *text = v->text.len > 0 ? v->text.s : "";
    return bad ? OG_ENOMEM : OG_OK;
}
