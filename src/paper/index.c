/*
 * The index at /: everything that is served, from the tables by which it is served. A browser gets it as a page, any
 * other client as JSON.
 */
#include "paper/control.h"
#include "paper/describe.h"
#include "paper/hub.h"
#include "serve/page.h"

/* How rows of the index are written: as JSON, or as HTML. */
struct form {
    void (*begin)(struct og_buf *b, const char *part, const char *heading);
    void (*row)(struct og_buf *b, const char *method, const char *path, const char *about);
    void (*end)(struct og_buf *b);
};

static void begin_json(struct og_buf *b, const char *part, const char *heading)
{
    (void)heading;
    og_member_key(b, part);
    og_buf_char(b, '[');
}

static void row_json(struct og_buf *b, const char *method, const char *path, const char *about)
{
    og_member_key(b, NULL);
    og_buf_char(b, '{');
    og_member_text(b, "method", method);
    og_member_text(b, "path", path);
    og_member_text(b, "about", about);
    og_buf_char(b, '}');
}

static void end_json(struct og_buf *b)
{
    og_buf_char(b, ']');
}

static void begin_html(struct og_buf *b, const char *part, const char *heading)
{
    og_buf_format(b,
                  "<h2 id=\"%s\">%s</h2><div class=\"wide\" role=\"region\" aria-labelledby=\"%s\" tabindex=\"0\">"
                  "<table><thead><tr><th scope=\"col\">Method</th><th scope=\"col\">Path</th>"
                  "<th scope=\"col\">About</th></tr></thead><tbody>",
                  part, heading, part);
}

/* A path that can be opened in a browser as it stands is a link. */
static void row_html(struct og_buf *b, const char *method, const char *path, const char *about)
{
    const bool opens = strcmp(method, "GET") == 0 && !strchr(path, '{') &&
                       strncmp(path, OG_PAPER_CONTROL, sizeof OG_PAPER_CONTROL - 1) == 0;

    og_buf_format(b, "<tr><td>%s</td><td>", method);
    if (opens)
        og_buf_format(b, "<a href=\"%s\">%s</a>", path, path);
    else
        og_serve_page_text(b, og_str_of(path));
    og_buf_text(b, "</td><td>");
    og_serve_page_text(b, og_str_of(about));
    og_buf_text(b, "</td></tr>");
}

static void end_html(struct og_buf *b)
{
    og_buf_text(b, "</tbody></table></div>");
}

static void write_rows(const struct og_paper *p, const struct form *form, struct og_buf *b)
{
    struct og_paper_path path;

    form->begin(b, "service", "Service");
    for (enum og_endpoint e = 0; e < OG_ENDPOINTS; e++) {
        path = og_paper_path_of(e);
        form->row(b, og_endpoints[e].method, path.s, og_endpoints[e].name);
    }
    form->end(b);
    form->begin(b, "streams", "WebSocket streams");
    for (int i = 0; i < OG_STREAMS; i++)
        form->row(b, "GET", og_paper_stream_paths[i], i == OG_STREAM_PNL ? "profit and loss" : "orders and positions");
    form->end(b);
    if (!p->options.control)
        return;
    form->begin(b, "control", "Control calls");
    for (size_t i = 0; i < og_control_call_count; i++) {
        path = og_paper_control_path(i);
        form->row(b, og_serve_methods[og_control_calls[i].method], path.s, og_control_calls[i].help);
    }
    form->end(b);
}

static void write_json(const struct og_paper *p, struct og_buf *b)
{
    static const struct form json = { begin_json, row_json, end_json };

    og_buf_char(b, '{');
    og_member_text(b, "name", "ordergate paper");
    og_member_text(b, "about", "a paper brokerage: man ordergate-paper");
    og_member_text(b, "openapi", "/openapi.json");
    write_rows(p, &json, b);
    og_buf_text(b, "}");
}

static void write_html(const struct og_paper *p, struct og_buf *b)
{
    static const struct form html = { begin_html, row_html, end_html };

    og_buf_text(b, "<!DOCTYPE html><html lang=\"en\"><head><meta charset=\"utf-8\"><title>ordergate paper</title>"
                   "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">"
                   "<link rel=\"icon\" href=\"data:,\"><link rel=\"stylesheet\" href=\"/page.css\"></head><body>"
                   "<header><h1>ordergate paper</h1></header><main>"
                   "<p>A paper brokerage: all of it is served from a simulated market.");
    if (!p->options.control)
        og_buf_text(b, " With <code>--control</code> it can be looked into and changed.");
    og_buf_text(b, " For programs: <a href=\"/openapi.json\">OpenAPI 3.1</a>.</p>");
    write_rows(p, &html, b);
    og_buf_text(b, "</main></body></html>\n");
}

static void answer_index(const struct og_paper *p, const struct og_paper_request *request, struct og_paper_reply *reply)
{
    static const char html[] = "text/html";
    const struct og_str accept = request->accept;

    og_reply_json(reply, 200);
    if (!accept.len || !memmem(accept.s, accept.len, html, sizeof html - 1)) {
        write_json(p, reply->body);
        return;
    }
    reply->content_type = "text/html; charset=utf-8";
    reply->page = true;
    write_html(p, reply->body);
}

bool og_paper_index(struct og_paper *p, const struct og_paper_request *request, struct og_paper_reply *reply)
{
    if (request->method != OG_METHOD_GET)
        return false;
    if (og_str_is(request->path, "/")) {
        answer_index(p, request, reply);
    } else if (og_str_is(request->path, "/openapi.json")) {
        og_reply_json(reply, 200);
        og_paper_openapi(p, reply->body);
    } else if (og_str_is(request->path, "/page.css")) {
        reply->status = 200;
        reply->content_type = "text/css; charset=utf-8";
        reply->page = true;
        og_buf_text(reply->body, og_serve_page_style);
    } else {
        return false;
    }
    return true;
}
