/*
 * The session of the language server: reads messages, calls the function for each, and writes the answers.
 */
#include <stdio.h>
#include <stdlib.h>

#include "base/overlay.h"
#include "lsp/frame.h"
#include "lsp/session.h"
#include "ordergate/rules.h"

#define PART 65536

enum { PARSE_ERROR = -32700, INVALID_REQUEST = -32600, NO_SUCH_METHOD = -32601, NOT_INITIALIZED = -32002 };

/* --- writing ------------------------------------------------------------------------------------------------------ */

void og_lsp_send(struct og_lsp *s, cJSON *message)
{
    struct og_buf body;

    og_buf_init(&body, 0);
    og_doc_put_text(message, "jsonrpc", "2.0");
    if (og_doc_text(message, &body)) {
        og_buf_format(&s->out, "Content-Length: %zu\r\n\r\n", body.len);
        og_buf_bytes(&s->out, body.s, body.len);
    } else {
        s->oom = true;
    }
    og_buf_clear(&body);
    cJSON_Delete(message);
}

void og_lsp_notify(struct og_lsp *s, const char *method, cJSON *params)
{
    cJSON *message = og_doc_object();

    og_doc_put_text(message, "method", method);
    og_doc_put(message, "params", params);
    og_lsp_send(s, message);
}

cJSON *og_lsp_fail(struct og_lsp_failure *f, int code, const char *text)
{
    f->code = code;
    snprintf(f->text, sizeof f->text, "%s", text);
    return NULL;
}

/* Answer a request. id is NULL if the id of the request is not known. */
static void answer(struct og_lsp *s, const cJSON *id, cJSON *result, const struct og_lsp_failure *f)
{
    cJSON *message = og_doc_object(), *error;

    og_doc_put(message, "id", id ? cJSON_Duplicate(id, true) : cJSON_CreateNull());
    if (f->code) {
        error = og_doc_object();
        og_doc_put_int(error, "code", f->code);
        og_doc_put_text(error, "message", f->text);
        og_doc_put(message, "error", error);
        cJSON_Delete(result);
    } else {
        og_doc_put(message, "result", result ? result : cJSON_CreateNull());
    }
    og_lsp_send(s, message);
}

/* --- the session -------------------------------------------------------------------------------------------------- */

static bool offers(const cJSON *list, const char *word)
{
    const cJSON *item;

    cJSON_ArrayForEach (item, list)
        if (cJSON_IsString(item) && strcmp(item->valuestring, word) == 0)
            return true;
    return false;
}

static cJSON *strings(const char *const *words)
{
    cJSON *list = og_doc_array();

    for (; *words; words++)
        og_lsp_add(list, cJSON_CreateString(*words));
    return list;
}

static cJSON *capabilities(const struct og_lsp *s)
{
    static const char *const triggers[] = { ".", ":", " ", NULL };
    static const char *const kinds[] = { "quickfix", OG_LSP_FIX_ALL, NULL };
    static const char *const commands[] = { OG_LSP_TEST_COMMAND, NULL };
    cJSON *made = og_doc_object(), *sync = og_doc_object(), *completion = og_doc_object(), *actions = og_doc_object();
    cJSON *lens = og_doc_object(), *execute = og_doc_object();

    og_doc_put_text(made, "positionEncoding", s->bytes ? "utf-8" : "utf-16");
    og_doc_put(sync, "openClose", cJSON_CreateTrue());
    og_doc_put_int(sync, "change", 1);
    og_doc_put(sync, "save", cJSON_CreateTrue());
    og_doc_put(made, "textDocumentSync", sync);
    og_doc_put(made, "hoverProvider", cJSON_CreateTrue());
    og_doc_put(completion, "triggerCharacters", strings(triggers));
    og_doc_put(made, "completionProvider", completion);
    og_doc_put(made, "documentFormattingProvider", cJSON_CreateTrue());
    og_doc_put(made, "definitionProvider", cJSON_CreateTrue());
    og_doc_put(actions, "codeActionKinds", strings(kinds));
    og_doc_put(made, "codeActionProvider", actions);
    og_doc_put(lens, "resolveProvider", cJSON_CreateFalse());
    og_doc_put(made, "codeLensProvider", lens);
    og_doc_put(execute, "commands", strings(commands));
    og_doc_put(made, "executeCommandProvider", execute);
    return made;
}

static cJSON *initialize(struct og_lsp *s, const cJSON *params, struct og_lsp_failure *f)
{
    const cJSON *client = og_doc_get(params, "capabilities"), *workspace = og_doc_get(client, "workspace");
    cJSON *result = og_doc_object(), *info = og_doc_object();

    if (s->initialized) {
        cJSON_Delete(result);
        cJSON_Delete(info);
        return og_lsp_fail(f, INVALID_REQUEST, "the session is initialized already");
    }
    s->initialized = true;
    s->bytes = offers(og_doc_get(og_doc_get(client, "general"), "positionEncodings"), "utf-8");
    (void)og_doc_bool(og_doc_get(workspace, "didChangeWatchedFiles"), "dynamicRegistration", &s->watches);
    (void)og_doc_bool(og_doc_get(workspace, "workspaceEdit"), "documentChanges", &s->versions);
    (void)og_doc_bool(og_doc_get(workspace, "codeLens"), "refreshSupport", &s->refreshes);
    og_doc_put(result, "capabilities", capabilities(s));
    og_doc_put_text(info, "name", "ordergate");
    og_doc_put_text(info, "version", OG_VERSION);
    og_doc_put(result, "serverInfo", info);
    return result;
}

static cJSON *shut_down(struct og_lsp *s, const cJSON *params, struct og_lsp_failure *f)
{
    (void)params, (void)f;
    s->shut_down = true;
    return NULL;
}

/* Ask the client to report when files that policies read have changed. */
static void watch_files(struct og_lsp *s, const cJSON *params)
{
    cJSON *message = og_doc_object(), *list = og_doc_array(), *registration = og_doc_object();
    cJSON *options = og_doc_object(), *watchers = og_doc_array(), *watcher = og_doc_object(), *all = og_doc_object();

    (void)params;
    og_doc_put_text(watcher, "globPattern", "**/*");
    og_lsp_add(watchers, watcher);
    og_doc_put(options, "watchers", watchers);
    og_doc_put_text(registration, "id", "files");
    og_doc_put_text(registration, "method", "workspace/didChangeWatchedFiles");
    og_doc_put(registration, "registerOptions", options);
    og_lsp_add(list, registration);
    og_doc_put(all, "registrations", list);
    og_doc_put_text(message, "id", "watch");
    og_doc_put_text(message, "method", "client/registerCapability");
    og_doc_put(message, "params", all);
    if (s->watches)
        og_lsp_send(s, message);
    else
        cJSON_Delete(message);
}

static void files_changed(struct og_lsp *s, const cJSON *params)
{
    const cJSON *change;
    struct og_str uri;

    cJSON_ArrayForEach (change, og_doc_get(params, "changes")) {
        char *path = og_doc_str(change, "uri", &uri) ? og_lsp_path_of_uri(uri.s) : NULL;

        if (path && path[0])
            og_lsp_touch(s, path);
        free(path);
    }
}

static void saved(struct og_lsp *s, const cJSON *params)
{
    struct og_lsp_document *d = og_lsp_document_of(s, params);

    if (!d || !d->path[0])
        return;
    d->asked = true;
    og_lsp_touch(s, d->path);
}

static void leave(struct og_lsp *s, const cJSON *params)
{
    (void)params;
    s->ended = true;
}

/* --- dispatch ----------------------------------------------------------------------------------------------------- */

static const struct request {
    const char *method;
    og_lsp_request *answer;
} requests[] = {
    { "initialize", initialize },
    { "shutdown", shut_down },
    { "textDocument/hover", og_lsp_hover },
    { "textDocument/completion", og_lsp_complete },
    { "textDocument/formatting", og_lsp_format },
    { "textDocument/definition", og_lsp_define },
    { "textDocument/codeAction", og_lsp_actions },
    { "textDocument/codeLens", og_lsp_lens },
    { "workspace/executeCommand", og_lsp_execute },
};

static const struct notification {
    const char *method;
    void (*take)(struct og_lsp *s, const cJSON *params);
} notifications[] = {
    { "initialized", watch_files },
    { "exit", leave },
    { "textDocument/didOpen", og_lsp_open },
    { "textDocument/didChange", og_lsp_change },
    { "textDocument/didClose", og_lsp_close },
    { "textDocument/didSave", saved },
    { "workspace/didChangeWatchedFiles", files_changed },
};

static void take_request(struct og_lsp *s, const char *method, const cJSON *id, const cJSON *params)
{
    struct og_lsp_failure f = { 0 };
    cJSON *result = NULL;
    size_t i = 0;

    while (i < sizeof requests / sizeof *requests && strcmp(requests[i].method, method) != 0)
        i++;
    if (!s->initialized && requests[i < sizeof requests / sizeof *requests ? i : 1].answer != initialize)
        og_lsp_fail(&f, NOT_INITIALIZED, "the first request is 'initialize'");
    else if (s->shut_down)
        og_lsp_fail(&f, INVALID_REQUEST, "the session is shut down: only 'exit' may follow");
    else if (i == sizeof requests / sizeof *requests)
        og_lsp_fail(&f, NO_SUCH_METHOD, "this server has no such method");
    else
        result = requests[i].answer(s, params, &f);
    answer(s, id, result, &f);
}

static void take_notification(struct og_lsp *s, const char *method, const cJSON *params)
{
    for (size_t i = 0; i < sizeof notifications / sizeof *notifications; i++)
        if (strcmp(notifications[i].method, method) == 0 &&
            (notifications[i].take == leave || (s->initialized && !s->shut_down)))
            notifications[i].take(s, params);
}

static void take_message(struct og_lsp *s, struct og_str body)
{
    struct og_lsp_failure f = { 0 };
    struct og_error err = { 0 };
    const cJSON *id;
    struct og_str method;
    cJSON *message;

    if (og_doc_read(body.s, body.len, "message", &message, &err) != OG_OK) {
        og_lsp_fail(&f, PARSE_ERROR, err.text);
        answer(s, NULL, NULL, &f);
        return;
    }
    id = og_doc_get(message, "id");
    if (id && !cJSON_IsString(id) && !og_item_is_number(id))
        id = NULL;
    if (og_doc_str(message, "method", &method)) {
        if (id)
            take_request(s, method.s, id, og_doc_get(message, "params"));
        else
            take_notification(s, method.s, og_doc_get(message, "params"));
    } else if (!og_doc_get(message, "result") && !og_doc_get(message, "error")) { /* neither a request nor a response */
        og_lsp_fail(&f, INVALID_REQUEST, "a message is an object with 'method'");
        answer(s, id, NULL, &f);
    }
    cJSON_Delete(message);
}

/* --- the stream --------------------------------------------------------------------------------------------------- */

struct og_lsp *og_lsp_new(const struct og_lsp_options *options)
{
    struct og_lsp *s = calloc(1, sizeof *s);

    og_overlay_hide_descriptors();
    if (s) {
        s->options = *options;
        og_buf_init(&s->in, OG_LSP_HEAD_MOST + OG_LSP_MESSAGE_MOST + PART);
        og_buf_init(&s->out, 0);
    }
    return s;
}

void og_lsp_free(struct og_lsp *s)
{
    if (!s)
        return;
    og_lsp_close_all(s);
    og_buf_clear(&s->in);
    og_buf_clear(&s->out);
    cJSON_Delete(s->schema[0]);
    cJSON_Delete(s->schema[1]);
    free(s);
}

/* Answer the complete messages. Returns the number of bytes of these messages. */
static size_t take_messages(struct og_lsp *s)
{
    struct og_str body;
    size_t used = 0, n;

    while (!s->ended &&
           (n = og_lsp_frame((struct og_str){ s->in.s + used, s->in.len - used }, &body, &s->broken)) > 0) {
        take_message(s, body);
        used += n;
    }
    return used;
}

bool og_lsp_feed(struct og_lsp *s, const char *bytes, size_t len)
{
    while (len > 0 && !s->ended) {
        size_t part = len < PART ? len : PART, used; /* the buffer has room for one message and one part */

        og_buf_bytes(&s->in, bytes, part);
        bytes += part;
        len -= part;
        if (s->in.bad)
            s->oom = true;
        used = s->in.len ? take_messages(s) : 0;
        memmove(s->in.s, s->in.s + used, s->in.len - used);
        s->in.len -= used;
        s->ended = s->ended || s->broken || s->oom || s->out.bad;
    }
    return !s->ended;
}

void og_lsp_settle(struct og_lsp *s)
{
    for (struct og_lsp_document *d = s->documents; d && !s->ended; d = d->next)
        og_lsp_check_document(s, d);
}

struct og_str og_lsp_output(const struct og_lsp *s)
{
    return (struct og_str){ s->out.s, s->out.len };
}

void og_lsp_written(struct og_lsp *s)
{
    og_buf_reset(&s->out);
}

int og_lsp_exit_code(const struct og_lsp *s, const char **why)
{
    *why = s->oom || s->out.bad ? "out of memory" : s->broken;
    return *why ? 4 : s->shut_down ? 0 : 1;
}
