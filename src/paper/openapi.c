/*
 * The OpenAPI 3.1 document of the service at /openapi.json. Paths, bodies, rows and settings come from the tables by
 * which they are served and read; what has no table, which is how rows are wrapped and how requests are refused, is
 * written here.
 */
#include <ctype.h>

#include "paper/control.h"
#include "paper/describe.h"
#include "paper/scenario_settings.h"
#include "paper/schema.h"

#define REF(name)     "{\"$ref\":\"#/components/schemas/" name "\"}"
#define LIST_OF(item) "{\"type\":\"array\",\"items\":" item "}"
#define ALL_BY_NAME   "{\"type\":\"object\",\"additionalProperties\":"
#define OBJECT        "{\"type\":\"object\"}"

static void put(struct og_buf *b, const char *key, const char *json)
{
    og_member_key(b, key);
    og_buf_text(b, json);
}

/* --- answers of the service --------------------------------------------------------------------------------------- */

/* How an answer wraps what it is about. */
enum wrap {
    ONE,   /* the object itself */
    ROWS,  /* a list under a key */
    BARE,  /* a list under a key, or alone: the switches bare_routes and bare_inventory */
    PAGE,  /* a list under a key, with `pagination` */
    PROFIT /* a list under a key, and figures beside it */
};

static const struct answer {
    enum wrap wrap;
    const char *key;    /* the key of the list */
    const char *schema; /* of the object, or of an item of the list */
} answers[OG_ENDPOINTS] = {
    [OG_ENDPOINT_ACCOUNTS] = { ROWS, "accounts", REF("Account") },
    [OG_ENDPOINT_ACCOUNT] = { ONE, NULL, REF("Account") },
    [OG_ENDPOINT_PNL] = { PROFIT, "pnl", REF("Lot") },
    [OG_ENDPOINT_POSITIONS] = { ROWS, "positions", REF("Position") },
    [OG_ENDPOINT_CLOSED] = { ROWS, "closedPositions", REF("ClosedPosition") },
    [OG_ENDPOINT_CASH] = { PAGE, "cashHistory", REF("Cash") },
    [OG_ENDPOINT_ROUTES] = { BARE, "routes", REF("Route") },
    [OG_ENDPOINT_ORDERS] = { ROWS, "orders", REF("Order") },
    [OG_ENDPOINT_ORDER] = { ONE, NULL, "{\"anyOf\":[" REF("Order") "," REF("OrderWithLegs") "]}" },
    [OG_ENDPOINT_HISTORY] = { ROWS, "orders", REF("Fill") },
    [OG_ENDPOINT_HISTORY_PAGES] = { PAGE, "tradingHistory", REF("Fill") },
    [OG_ENDPOINT_POST] = { ONE, NULL, "{\"anyOf\":[" REF("Order") "," REF("RejectedOrder") "]}" },
    [OG_ENDPOINT_CANCEL] = { ONE, NULL, REF("Order") },
    [OG_ENDPOINT_CANCEL_ALL] = { ONE, NULL, REF("Message") },
    [OG_ENDPOINT_BORROW] = { ONE, NULL, REF("Borrow") },
    [OG_ENDPOINT_LOCATE_QUOTE] = { ONE, NULL, REF("Sent") },
    [OG_ENDPOINT_LOCATE_ACCEPT] = { ONE, NULL, REF("Sent") },
    [OG_ENDPOINT_LOCATE_SELL] = { ONE, NULL, REF("Sent") },
    [OG_ENDPOINT_LOCATE_CANCEL] = { ONE, NULL, REF("Sent") },
    [OG_ENDPOINT_LOCATES] = { ROWS, "locateHistory", REF("Locate") },
    [OG_ENDPOINT_INVENTORY] = { BARE, "locateInventory", REF("Inventory") },
};

static void write_answer(struct og_buf *b, const struct answer *a)
{
    if (a->wrap == ONE) {
        og_buf_text(b, a->schema ? a->schema : OBJECT);
        return;
    }
    if (a->wrap == BARE)
        og_buf_format(b, "{\"oneOf\":[" LIST_OF("%s") ",", a->schema);
    if (a->wrap == PROFIT)
        og_buf_text(b, "{\"allOf\":[" REF("Pnl") ",");
    og_buf_format(b, "{\"type\":\"object\",\"properties\":{\"%s\":" LIST_OF("%s"), a->key, a->schema);
    if (a->wrap == PAGE)
        put(b, "pagination", REF("Pagination"));
    og_buf_format(b, "},\"required\":[\"%s\"%s]}", a->key, a->wrap == PAGE ? ",\"pagination\"" : "");
    if (a->wrap == BARE || a->wrap == PROFIT)
        og_buf_text(b, "]}");
}

static const struct {
    const char *name;
    enum og_document what;
} documents[] = {
    { "Account", OG_DOCUMENT_ACCOUNT },     { "Pnl", OG_DOCUMENT_PNL },       { "Lot", OG_DOCUMENT_LOT },
    { "Position", OG_DOCUMENT_POSITION },   { "Cash", OG_DOCUMENT_CASH },     { "ClosedPosition", OG_DOCUMENT_CLOSED },
    { "Fill", OG_DOCUMENT_FILL },           { "Locate", OG_DOCUMENT_LOCATE }, { "Route", OG_DOCUMENT_ROUTE },
    { "Inventory", OG_DOCUMENT_INVENTORY },
};

/* The sections of settings, by the names of their schemas. */
static const struct {
    const char *name;
    enum og_paper_section_name section;
} sections[] = {
    { "Delays", OG_SECTION_DELAYS },          { "Rates", OG_SECTION_RATES },
    { "Surface", OG_SECTION_SURFACE },        { "Switches", OG_SECTION_SWITCHES },
    { "AccountState", OG_SECTION_ACCOUNT },   { "SymbolState", OG_SECTION_SYMBOL },
    { "PositionState", OG_SECTION_POSITION }, { "Limit", OG_SECTION_LIMIT },
};

/* Schemas of what has no table. */
static const struct {
    const char *name, *schema;
} others[] = {
    { "RejectedOrder", "{\"type\":\"object\",\"description\":\"with the switch early_subset\",\"properties\":{"
                       "\"orderStatus\":{\"const\":\"Rejected\"},\"text\":{\"type\":\"string\"}},"
                       "\"required\":[\"orderStatus\",\"text\",\"clientOrderId\",\"canceledQuantity\",\"executed\","
                       "\"leavesQuantity\"],\"maxProperties\":6}" },
    { "Message",
      "{\"type\":\"object\",\"properties\":{\"message\":{\"type\":\"string\"}},\"required\":[\"message\"]}" },
    { "Borrow", "{\"type\":\"object\",\"properties\":{\"isEasyToBorrow\":{\"type\":\"boolean\"}},"
                "\"required\":[\"isEasyToBorrow\"]}" },
    { "Sent", "{\"type\":\"object\",\"description\":\"{\\\"locateQuoteSent\\\":\\\"true\\\"} and the like\","
              "\"propertyNames\":{\"pattern\":\"^locate[A-Z][a-z]+Sent$\"},"
              "\"additionalProperties\":{\"type\":\"string\"},\"minProperties\":1,\"maxProperties\":1}" },
    { "Pagination", "{\"type\":\"object\",\"properties\":{\"currentLimit\":{\"type\":\"integer\"},"
                    "\"currentOffset\":{\"type\":\"integer\"},\"totalRecords\":{\"type\":\"integer\"}},"
                    "\"required\":[\"currentLimit\",\"currentOffset\",\"totalRecords\"]}" },
    { "Refusal", "{\"type\":\"object\",\"properties\":{\"statusCode\":{\"type\":\"string\"},"
                 "\"message\":{\"type\":\"string\"},\"detail\":{\"type\":[\"string\",\"null\"]}},"
                 "\"required\":[\"statusCode\",\"message\",\"detail\"]}" },
    { "Problem", "{\"type\":\"object\",\"properties\":{\"type\":{\"type\":\"string\"},\"title\":{\"type\":\"string\"},"
                 "\"status\":{\"const\":400},\"errors\":" ALL_BY_NAME LIST_OF(
                     "{\"type\":\"string\"}") "}},"
                                              "\"required\":[\"type\",\"title\",\"status\",\"errors\"]}" },
    { "Locating", "{\"type\":\"object\",\"properties\":{\"account\":{\"type\":\"string\"},"
                  "\"symbol\":{\"type\":\"string\"},\"quantity\":{\"type\":\"integer\",\"minimum\":100},"
                  "\"quoteReqID\":{\"type\":\"string\"}},\"required\":[\"account\",\"quantity\",\"quoteReqID\"]}" },
    { "Accepting", "{\"type\":\"object\",\"properties\":{\"accountId\":{\"type\":\"string\"},"
                   "\"quoteReqID\":{\"type\":\"string\"}},\"required\":[\"accountId\",\"quoteReqID\"]}" },
    { "Cancelling", "{\"type\":\"object\",\"properties\":{\"account\":{\"type\":\"string\"},"
                    "\"symbol\":{\"type\":\"string\"}},\"required\":[\"account\"]}" },
    { "Error", "{\"type\":\"object\",\"properties\":{\"error\":{\"type\":\"string\"}},\"required\":[\"error\"]}" },
    { "Clock", "{\"type\":\"object\",\"properties\":{\"now\":{\"type\":\"string\",\"format\":\"date-time\"},"
               "\"advance\":{\"type\":\"string\"},\"real\":{\"type\":\"boolean\"},\"speed\":{\"type\":\"number\"}}}" },
    { "Fault", "{\"type\":\"object\",\"properties\":{\"on\":{\"type\":\"string\"},\"do\":{\"type\":\"string\"},"
               "\"status\":{\"type\":\"integer\"},\"delay\":{\"type\":\"string\"},\"count\":{\"type\":\"integer\"},"
               "\"after\":{\"type\":\"integer\"},\"chance\":{\"type\":\"string\"}},\"required\":[\"on\",\"do\"]}" },
};

static void write_section(struct og_buf *b, const struct og_paper_section *section)
{
    og_buf_text(b, "{\"type\":\"object\",\"properties\":{");
    for (size_t i = 0; i < section->count; i++) {
        og_member_key(b, section->table[i].key);
        og_paper_setting_schema(&section->table[i], b);
    }
    og_buf_text(b, "}}");
}

static void write_schemas(struct og_buf *b)
{
    size_t i;

    for (i = 0; i < sizeof documents / sizeof documents[0]; i++) {
        og_member_key(b, documents[i].name);
        og_document_schema(b, documents[i].what);
    }
    og_member_key(b, "Order");
    og_order_row_schema_clean(b);
    og_member_key(b, "OrderWithLegs");
    og_order_row_schema_websocket(b);
    og_member_key(b, "NewOrder");
    og_paper_schema_write(b);
    for (i = 0; i < sizeof sections / sizeof sections[0]; i++) {
        og_member_key(b, sections[i].name);
        write_section(b, &og_paper_sections[sections[i].section]);
    }
    for (i = 0; i < sizeof others / sizeof others[0]; i++)
        put(b, others[i].name, others[i].schema);
}

/* --- operations --------------------------------------------------------------------------------------------------- */

/* Write an id such as getHistoryPages or putPaperQuotesSymbol from a method and a text. */
static void write_id(struct og_buf *b, const char *method, const char *text)
{
    bool capital = true;

    og_member_key(b, "operationId");
    og_buf_char(b, '"');
    for (; *method; method++)
        og_buf_char(b, (char)tolower((unsigned char)*method));
    for (; *text; text++) {
        if (isalnum((unsigned char)*text))
            og_buf_char(b, capital ? (char)toupper((unsigned char)*text) : *text);
        capital = !isalnum((unsigned char)*text);
    }
    og_buf_char(b, '"');
}

static void write_parameter(struct og_buf *b, struct og_str name, const char *in, const char *type)
{
    og_member_key(b, NULL);
    og_buf_char(b, '{');
    og_member_str(b, "name", name);
    og_member_text(b, "in", in);
    og_member_bool(b, "required", strcmp(in, "path") == 0);
    og_buf_format(b, ",\"schema\":{\"type\":\"%s\"}}", type);
}

static void write_path_parameters(struct og_buf *b, const char *path)
{
    for (const char *at = strchr(path, '{'); at; at = strchr(at, '{')) {
        at++;
        write_parameter(b, (struct og_str){ at, strcspn(at, "}") }, "path", "string");
    }
}

static void write_body(struct og_buf *b, const char *type, const char *schema)
{
    og_buf_format(b, ",\"requestBody\":{\"required\":true,\"content\":{\"%s\":{\"schema\":%s}}}", type, schema);
}

#define WRONG                                                 \
    "{\"description\":\"the request is wrong\",\"content\":{" \
    "\"text/plain\":{\"schema\":{\"type\":\"string\"}}"
#define AS_TEXT "\"content\":{\"text/plain\":{\"schema\":{\"type\":\"string\"}}}"

/* Write how a request may be refused. */
static void write_refusals(struct og_buf *b, enum og_endpoint e)
{
    const bool reads = strcmp(og_endpoints[e].method, "GET") == 0;

    if (!reads)
        put(b, "400",
            WRONG ",\"application/json\":{\"schema\":" REF("Refusal") "}"
                                                                      ",\"application/problem+json\":{\"schema\":" REF(
                                                                          "Problem") "}}}");
    if (strcmp(og_endpoints[e].method, "DELETE") == 0)
        put(b, "401",
            "{\"description\":\"the keys are wrong\",\"content\":{\"application/json\":{\"schema\":" REF(
                "Refusal") "}}}");
    put(b, "404", "{\"description\":\"the keys are wrong, or there is no such thing\"," AS_TEXT "}");
    put(b, "429", "{\"description\":\"the rate limit is used up; without a body\"}");
    put(b, "5XX", "{\"description\":\"a fault was injected, or memory ran out\"," AS_TEXT "}");
}

static void write_query(struct og_buf *b, enum og_endpoint e)
{
    if (answers[e].wrap != PAGE)
        return;
    write_parameter(b, OG_STR("numberOfDays"), "query", "integer");
    write_parameter(b, OG_STR("offset"), "query", "integer");
    write_parameter(b, OG_STR("limit"), "query", "integer");
    if (e == OG_ENDPOINT_HISTORY_PAGES)
        write_parameter(b, OG_STR("symbol"), "query", "string");
}

static void write_operation(struct og_buf *b, enum og_endpoint e)
{
    const struct og_paper_path path = og_paper_path_of(e);

    og_buf_char(b, '{');
    write_id(b, og_endpoints[e].method, strchr(og_endpoints[e].name, ' ') + 1);
    og_member_text(b, "summary", og_endpoints[e].name);
    put(b, "tags", "[\"service\"]");
    put(b, "security", "[{\"key\":[],\"secret\":[]}]");
    og_member_key(b, "parameters");
    og_buf_char(b, '[');
    write_path_parameters(b, path.s);
    write_query(b, e);
    og_buf_char(b, ']');
    if (e == OG_ENDPOINT_CANCEL_ALL)
        write_body(b, "multipart/form-data", REF("Cancelling"));
    else if (strcmp(og_endpoints[e].method, "POST") == 0)
        write_body(b, "application/json",
                   e == OG_ENDPOINT_POST            ? REF("NewOrder")
                   : e == OG_ENDPOINT_LOCATE_ACCEPT ? REF("Accepting")
                                                    : REF("Locating"));
    og_buf_text(b, ",\"responses\":{\"200\":{\"description\":\"done\",\"content\":{\"application/json\":{\"schema\":");
    write_answer(b, &answers[e]);
    og_buf_text(b, "}}}");
    write_refusals(b, e);
    og_buf_text(b, "}}");
}

/* --- control calls ------------------------------------------------------------------------------------------------ */

/* What the control calls show and take, by the first word of their paths. */
static const struct {
    const char *name, *schema;
} values[] = {
    { "quotes", "{\"anyOf\":[{\"type\":\"null\"}," REF("SymbolState") "]}" },
    { "clock", REF("Clock") },
    { "accounts", REF("AccountState") },
    { "positions", LIST_OF(REF("PositionState")) },
    { "symbols", REF("SymbolState") },
    { "delays", REF("Delays") },
    { "switches", REF("Switches") },
    { "surface", REF("Surface") },
    { "rates", REF("Rates") },
    { "limits", ALL_BY_NAME "{\"anyOf\":[{\"type\":\"null\"}," REF("Limit") "]}}" },
    { "faults", LIST_OF(REF("Fault")) },
};

static const char *value_of(const char *path)
{
    const struct og_str name = { path, strcspn(path, "/") };

    for (size_t i = 0; i < sizeof values / sizeof values[0]; i++)
        if (og_str_is(name, values[i].name))
            return values[i].schema;
    return OBJECT;
}

/* Returns true if there is a call for one item of what this path lists. */
static bool lists_items(const char *path)
{
    const size_t len = strlen(path);

    for (size_t i = 0; i < og_control_call_count; i++)
        if (strncmp(og_control_calls[i].path, path, len) == 0 && og_control_calls[i].path[len] == '/')
            return true;
    return false;
}

static void write_control(struct og_buf *b, size_t call)
{
    const struct og_control_spec *c = &og_control_calls[call];
    const struct og_paper_path path = og_paper_control_path(call);
    const char *method = og_serve_methods[c->method], *value = value_of(c->path);

    og_buf_char(b, '{');
    write_id(b, method, path.s);
    og_member_text(b, "summary", c->help);
    put(b, "tags", "[\"control\"]");
    og_member_key(b, "parameters");
    og_buf_char(b, '[');
    write_path_parameters(b, path.s);
    if (strcmp(c->path, "requests") == 0)
        write_parameter(b, OG_STR("since"), "query", "integer");
    og_buf_char(b, ']');
    if (c->body)
        write_body(b, "application/json",
                   c->method == OG_METHOD_PUT       ? value
                   : strcmp(c->path, "faults") == 0 ? REF("Fault")
                                                    : OBJECT);
    og_buf_text(b, ",\"responses\":{\"200\":{\"description\":\"done\",\"content\":{\"application/json\":{\"schema\":");
    if (c->method == OG_METHOD_GET && lists_items(c->path))
        og_buf_format(b, ALL_BY_NAME "%s}", value);
    else
        og_buf_text(b, c->method == OG_METHOD_GET ? value : OBJECT);
    og_buf_text(b, "}}},\"400\":{\"description\":\"why it was refused; nothing was changed\",\"content\":"
                   "{\"application/json\":{\"schema\":" REF("Error") "}}}}}");
}

/* --- the document ------------------------------------------------------------------------------------------------- */

static void write_method(struct og_buf *b, const char *method)
{
    char name[16];
    size_t i;

    for (i = 0; method[i]; i++)
        name[i] = (char)tolower((unsigned char)method[i]);
    name[i] = '\0';
    og_member_key(b, name);
}

static void write_service_paths(struct og_buf *b)
{
    for (enum og_endpoint e = 0; e < OG_ENDPOINTS; e++) {
        og_member_key(b, og_paper_path_of(e).s);
        og_buf_char(b, '{');
        write_method(b, og_endpoints[e].method);
        write_operation(b, e);
        og_buf_char(b, '}');
    }
}

/* Write the control calls, those of one path together. */
static void write_control_paths(struct og_buf *b)
{
    for (size_t i = 0; i < og_control_call_count; i++) {
        if (i > 0 && strcmp(og_control_calls[i].path, og_control_calls[i - 1].path) == 0)
            continue;
        og_member_key(b, og_paper_control_path(i).s);
        og_buf_char(b, '{');
        for (size_t k = i; k < og_control_call_count && strcmp(og_control_calls[k].path, og_control_calls[i].path) == 0;
             k++) {
            write_method(b, og_serve_methods[og_control_calls[k].method]);
            write_control(b, k);
        }
        og_buf_char(b, '}');
    }
}

static void write_key_header(struct og_buf *b, const struct og_paper *p, const char *name, const char *ending)
{
    og_member_key(b, name);
    og_buf_text(b, "{\"type\":\"apiKey\",\"in\":\"header\",\"name\":\"");
    og_buf_str(b, p->options.prefix);
    og_buf_format(b, "%s\"}", ending);
}

void og_paper_openapi(const struct og_paper *p, struct og_buf *b)
{
    og_buf_text(b, "{\"openapi\":\"3.1.0\",\"info\":{\"title\":\"ordergate paper\",\"version\":\"1\",\"description\":"
                   "\"A paper brokerage: man ordergate-paper. Its WebSocket streams are not described here.\"},"
                   "\"servers\":[{\"url\":\"/\"}],\"paths\":{");
    write_service_paths(b);
    if (p->options.control)
        write_control_paths(b);
    og_buf_text(b, "},\"components\":{\"securitySchemes\":{");
    write_key_header(b, p, "key", "-API-KEY-ID");
    write_key_header(b, p, "secret", "-API-SECRET-KEY");
    og_buf_text(b, "},\"schemas\":{");
    write_schemas(b);
    og_buf_text(b, "}}}");
}
