/*
 * Tables of the page, and the cells in them.
 */
#include "console/table.h"

#include "ordergate/status.h"
#include "serve/page.h"

void og_console_table(struct og_buf *b, const char *heading, const char *columns)
{
    size_t len;

    og_buf_format(b,
                  "<h2>%s</h2><div class=\"wide\" role=\"region\" aria-label=\"%s\" tabindex=\"0\"><table><thead><tr>",
                  heading, heading);
    for (; *columns; columns += len + (columns[len] == '|')) {
        const bool number = *columns == '#';

        len = strcspn(columns, "|");
        og_buf_text(b, number ? "<th scope=\"col\" class=\"n\">" : "<th scope=\"col\">");
        og_buf_bytes(b, columns + number, len - number);
        og_buf_text(b, "</th>");
    }
    og_buf_text(b, "</tr></thead><tbody>");
}

void og_console_table_end(struct og_buf *b)
{
    og_buf_text(b, "</tbody></table></div>");
}

void og_console_cell(struct og_buf *b, struct og_str text)
{
    og_buf_text(b, "<td>");
    og_serve_page_text(b, text);
    og_buf_text(b, "</td>");
}

void og_console_cell_number(struct og_buf *b, const cJSON *object, const char *key)
{
    struct og_money m;

    og_buf_text(b, "<td class=\"n\">");
    og_buf_text(b, og_doc_money(object, key, &m) ? og_money_text(m).s : "–");
    og_buf_text(b, "</td>");
}

void og_console_cell_order(struct og_buf *b, struct og_str id)
{
    static const char plain[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_.~";

    og_buf_text(b, "<td>");
    if (id.len)
        og_buf_text(b, "<a href=\"/order?id=");
    for (size_t i = 0; i < id.len; i++)
        if (memchr(plain, id.s[i], sizeof plain - 1))
            og_buf_char(b, id.s[i]);
        else
            og_buf_format(b, "%%%02X", (unsigned char)id.s[i]);
    if (id.len)
        og_buf_text(b, "\">");
    og_serve_page_text(b, id);
    og_buf_text(b, id.len ? "</a></td>" : "</td>");
}
