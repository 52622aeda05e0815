/*
 * Pages for people. Everything on them that is not a literal is written by og_serve_page_text(), and the header fields
 * forbid a browser to run anything that is not a file of this server.
 */
#include "serve/page.h"

static void put_fields(struct og_buf *fields, const char *type, const char *referrer, const char *forms)
{
    og_buf_format(fields,
                  "Content-Type: %s\r\nCache-Control: no-store\r\nX-Content-Type-Options: nosniff\r\n"
                  "Referrer-Policy: %s\r\nX-Frame-Options: DENY\r\nCross-Origin-Resource-Policy: same-origin\r\n"
                  "Content-Security-Policy: default-src 'none'; img-src data:; script-src 'self'; style-src 'self'; "
                  "connect-src 'self'; base-uri 'none'; form-action '%s'; frame-ancestors 'none'\r\n",
                  type, referrer, forms);
}

void og_serve_page_fields(struct og_buf *fields, const char *type)
{
    put_fields(fields, type, "no-referrer", "none");
}

void og_serve_page_form_fields(struct og_buf *fields)
{
    /* with no-referrer a browser posts the form with "Origin: null" */
    put_fields(fields, "text/html; charset=utf-8", "same-origin", "self");
}

void og_serve_page_text(struct og_buf *b, struct og_str s)
{
    for (size_t i = 0; i < s.len; i++)
        switch (s.s[i]) {
        case '<': og_buf_text(b, "&lt;"); break;
        case '>': og_buf_text(b, "&gt;"); break;
        case '&': og_buf_text(b, "&amp;"); break;
        case '"': og_buf_text(b, "&quot;"); break;
        case '\'': og_buf_text(b, "&#39;"); break;
        default: /* an event must be one line */
            og_buf_char(b, (unsigned char)s.s[i] < ' ' || s.s[i] == 127 ? ' ' : s.s[i]);
        }
}

const char og_serve_page_style[] =
    ":root { color-scheme: light dark; --fg: #1a1a1a; --bg: #ffffff; --line: #767676; --bad: #a40000; --soon: #7a4b00;"
    " --good: #0a5c1f; --link: #0b4fa8 }\n"
    "@media (prefers-color-scheme: dark) { :root { --fg: #e8e8e8; --bg: #161616; --line: #8a8a8a; --bad: #ff9a94;"
    " --soon: #ffc46b; --good: #7fdc96; --link: #9ac4ff } }\n"
    "body { font: 1rem/1.5 system-ui, sans-serif; color: var(--fg); background: var(--bg); margin: 0 auto;"
    " max-width: 90rem; padding: 0 1rem 2rem; overflow-wrap: anywhere }\n"
    "h1 { font-size: 1.4rem; margin: 0.8rem 0 0 } h2 { font-size: 1.1rem; margin: 1.6rem 0 0.4rem }\n"
    "a { color: var(--link) }\n"
    ".sum { font-size: 1.4rem; font-weight: bold; border: 2px solid; padding: 0.4rem 0.8rem; margin: 0.6rem 0 }\n"
    ".bad { color: var(--bad) } .soon { color: var(--soon) } .good { color: var(--good) }\n"
    ".needs { list-style: none; padding: 0; margin: 0 } .needs li { padding: 0.2rem 0 }\n"
    "dl { display: grid; grid-template-columns: minmax(6rem, max-content) 1fr; gap: 0.1rem 1rem; margin: 0 }\n"
    "dt { font-weight: bold } dd { margin: 0 }\n"
    ".wide { overflow-x: auto } .wide:focus-visible { outline: 2px solid var(--link) }\n"
    "table { border-collapse: collapse; min-width: 100% }\n"
    "th, td { text-align: left; padding: 0.2rem 0.8rem 0.2rem 0; border-bottom: 1px solid var(--line);"
    " overflow-wrap: normal; white-space: nowrap }\n"
    "td:last-child { white-space: normal; min-width: 8rem } .n { text-align: right; font-variant-numeric: tabular-nums "
    "}\n"
    "meter { width: 8rem; height: 1rem }\n"
    "nav a { display: inline-block; padding: 0.3rem 0.8rem 0.3rem 0 } form { max-width: 40rem }\n"
    "fieldset { border: 1px solid var(--line); margin: 0.6rem 0 } fieldset label { display: block; padding: 0.3rem 0 "
    "}\n"
    ".text label { display: block; font-weight: bold }\n"
    ".text input, button { font: inherit; color: inherit; background: transparent; border: 1px solid var(--line);"
    " padding: 0.4rem 0.6rem; box-sizing: border-box } .text input { width: 100% }\n"
    "button { border-width: 2px; font-weight: bold } input:focus-visible, button:focus-visible"
    " { outline: 2px solid var(--link) }\n"
    "pre { white-space: pre-wrap; overflow-wrap: anywhere }\n"
    ".stale { opacity: 0.6; filter: grayscale(1) } .old .stale { opacity: 1; filter: none }\n"
    ".old #state { opacity: 0.6; filter: grayscale(1) } .old #link { color: var(--bad); font-weight: bold }\n";
