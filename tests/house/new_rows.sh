#!/bin/sh
# A new field of the order is a line of src/order/fields.def, its member and its setter; a new endpoint is a line of
# src/base/endpoints.def and what the paper brokerage does there.  Nothing else in the tree is touched for them to be read,
# kept, packed, written and set, or called, limited and counted: new_rows.sh ROOT GENERATED CC
set -eu
root=$1 generated=$2 cc=$3
copy=$(mktemp -d)
trap 'rm -rf "$copy"' EXIT
cp -R "$root/include" "$root/rules" "$root/src" "$copy/"
cd "$copy"
fail() { echo "new_rows.sh: $*" >&2; exit 1; }
# after FILE TEXT LINE: add the line after the first one that has the text
after() {
    awk -v text="$2" -v line="$3" '{ print } !done && index($0, text) { print line; done = 1 } END { exit !done }' "$1" >new ||
        fail "$1 has no '$2'"
    mv new "$1"
}
# touched N FILE...: these files alone differ from the tree, by N added lines in all
touched() {
    lines=$1
    shift
    changed=$(for folder in include rules src; do diff -rq "$root/$folder" "$folder" || true; done | sed 's/.* and \(.*\) differ/\1/')
    [ "$changed" = "$(printf '%s\n' "$@")" ] || fail "touched: $changed"
    added=$(for file; do diff "$root/$file" "$file" || true; done | grep -c '^[<>]')
    [ "$added" -eq "$lines" ] || fail "$added lines, not $lines"
}
compile() { "$cc" -std=c11 -D_GNU_SOURCE -DOG_VERSION='"0"' -Wall -Wextra -Werror -Iinclude -Isrc -I. -I"$generated" "$@"; }

after src/order/fields.def 'OG_FIELD(ROUTE,' \
    "OG_FIELD(NOTE, \"note\", 'o', ':', NOT_OF_LEG, SOMETIMES, BODY, TEXT, note)"
after src/order/order.h 'struct og_str symbol, client_id,' '    struct og_str note;'
after include/ordergate/order.h 'og_order_set_route(' \
    'OG_API OG_MUST_USE enum og_status og_order_set_note(struct og_order *order, const char *note);'
touched 3 include/ordergate/order.h src/order/fields.def src/order/order.h
cat >field.c <<'END'
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "order/order.h"

static void hold(bool so, const char *what)
{
    if (!so) {
        fprintf(stderr, "a field that was added: %s\n", what);
        exit(1);
    }
}

static bool writes(const struct og_order *o, const char *what)
{
    char to[400];
    size_t len;

    return og_order_body(o, to, sizeof to, &len) == OG_OK && memmem(to, len, what, strlen(what));
}

static bool is_read(struct og_order *o, const char *line)
{
    return og_order_read(o, line, strlen(line)) == OG_OK && o->plain && og_order_ok(o, OG_KEY_NOTE) &&
           og_str_is(o->note, "xA");
}

int main(void)
{
    struct og_order *o = og_order_new(), *other = og_order_new();
    static const char wrong[] = "{\"note\":7}";
    struct og_buf b;

    hold(o && other, "no memory");
    hold(is_read(o, "{\"side\":\"Buy\",\"note\":\"xA\"}"), "the fast parser does not read it");
    hold(writes(o, "{\"side\":\"Buy\",\"note\":\"xA\"}"), "the body does not have it");
    hold(is_read(o, "{ \"note\" : \"x\\u0041\" , \"side\":\"Buy\"}"), "the full parser does not read it");
    hold(og_order_set_note(o, "set") == OG_OK && writes(o, "\"note\":\"set\""), "it cannot be set");
    og_buf_init(&b, 0);
    hold(og_order_pack(o, &b) && b.s[0] == 'F', "it is not packed as a field");
    hold(og_order_unpack(other, b.s, b.len) == OG_OK && og_str_is(other->note, "set"), "it is not unpacked");
    og_buf_clear(&b);
    hold(og_order_read(o, wrong, strlen(wrong)) == OG_OK && o->field[OG_KEY_NOTE].status == OG_WRONG_TYPE, "any type is taken");
    hold(strcmp(og_key_types[OG_KEY_NOTE], "string") == 0, "it has no type");
    og_order_free(o);
    og_order_free(other);
    return 0;
}
END
compile -c -O0 src/order/*.c || fail "the order station does not compile with another field"
compile -O0 field.c ./*.o src/base/*.c src/text/*.c -lyaml -lpcre2-8 -lcjson -lcrypto -lpthread -o field || fail "the field does not link"
./field
compile -fsyntax-only rules/request_fields.c src/schema/schema.c src/expr/names_order.c || fail "other stations list the fields"

for file in src/order/fields.def src/order/order.h include/ordergate/order.h; do cp "$root/$file" "$file"; done
after src/base/endpoints.def 'OG_ENDPOINT(INVENTORY,' \
    'OG_ENDPOINT(NEWS, GET, "news", "accounts/{a}/news/{i}", 4, 5, SILENT)'
after src/paper/serve.c '[OG_ENDPOINT_INVENTORY] =' '    [OG_ENDPOINT_NEWS] = { og_paper_get_inventory, OWNER_READS, false, false },'
touched 2 src/base/endpoints.def src/paper/serve.c
cat >endpoint.c <<'END'
#include <string.h>

#include "base/endpoints.h"

int main(void)
{
    const enum og_endpoint news = og_endpoint_find(OG_STR("GET news"));
    struct og_buf path;
    int wrong = news != OG_ENDPOINT_NEWS || og_endpoints[news].rate != 4 || og_endpoints[news].burst != 5;

    og_buf_init(&path, 0);
    og_endpoint_path(news, OG_STR("L1"), OG_STR("a b"), &path);
    wrong |= strcmp(path.s, OG_API_PREFIX "accounts/L1/news/a%20b") != 0;
    og_buf_clear(&path);
    return wrong;
}
END
compile -O0 endpoint.c src/base/*.c -lcrypto -lpthread -o endpoint || fail "no endpoint can be added"
./endpoint || fail "the endpoint is not in force"
compile -fsyntax-only src/paper/serve.c src/paper/scenario.c src/broker/budget.c src/broker/settings.c src/send/accounts.c ||
    fail "other stations list the endpoints"
