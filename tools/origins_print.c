/*
 * Prints where settings come from, as text or as one JSON document.
 */
#include <stdio.h>
#include <string.h>

#include "ordergate/ordergate.h"
#include "tools/common/json.h"
#include "tools/common/origins.h"

static bool is_wished(const struct origins_wish *w, const char *rule)
{
    for (size_t i = 0; w->rules && i < w->rules->count; i++)
        if (strcmp(w->rules->item[i], rule) == 0)
            return true;
    return !w->rules || !w->rules->count;
}

const char *origins_unknown(const struct og_origins *origins, const struct option_list *rules)
{
    struct og_origin_rule r;

    for (size_t k = 0; k < rules->count; k++) {
        bool known = false;

        for (size_t i = 0; !known && og_origins_rule(origins, i, &r); i++)
            known = r.rule[0] && strcmp(r.rule, rules->item[k]) == 0;
        if (!known)
            return rules->item[k];
    }
    return NULL;
}

/* --- text --------------------------------------------------------------------------------------------------------- */

/* Print a place as "desk.yaml:7:11 (desk, an override)"; "the built-in default" if no layer sets the value. */
static void put_place(const struct og_origin_place *o)
{
    static const char *const kinds[] = { "", ", for the whole policy", "", ", an override", ", the floor" };

    if (o->kind == OG_ORIGIN_DEFAULT)
        fputs("the built-in default", stdout);
    else
        printf("%s:%d:%d (%s%s)", o->file, o->line, o->col, o->layer, kinds[o->kind]);
}

static void put_setting(const struct og_origin_setting *s)
{
    printf("  %s: %s\n    set by ", s->key, s->value ? s->value : "(none)");
    put_place(&s->from);
    putchar('\n');
    for (size_t i = 0; i < s->hidden; i++) {
        printf("    hides %s, ", s->hides[i].value);
        put_place(&s->hides[i]);
        putchar('\n');
    }
    if (s->floor && s->from.kind != OG_ORIGIN_FLOOR) {
        printf("    the floor demands %s or stricter, ", s->floor->value);
        put_place(s->floor);
        putchar('\n');
    }
}

static void put_conditions(const struct og_origin_rule *r)
{
    printf("  override %ld, ", r->override);
    put_place(&r->at);
    putchar('\n');
    if (r->match[0])
        printf("    match: %s\n", r->match);
    if (r->when[0])
        printf("    when: %s\n", r->when);
    if (r->until[0])
        printf("    until: %s\n", r->until);
}

static void put_rule(const struct og_origin_rule *r)
{
    printf("\n%s%s%s\n", r->rule[0] ? r->rule : "the whole policy", r->custom ? " (custom)" : "",
           r->runs ? "" : " (finds nothing as it is set)");
    if (r->override >= 0)
        put_conditions(r);
    if (r->applies == OG_ORIGIN_MAY_APPLY)
        printf("  may apply: which setting does is not known: %s\n", r->why);
    if (r->fixed)
        puts("  no policy can weaken this rule");
    if (r->lock) {
        fputs(r->lock->kind == OG_ORIGIN_FLOOR ? "  held by " : "  locked by ", stdout);
        put_place(r->lock);
        putchar('\n');
    }
}

static void put_text(const struct og_origins *origins, const struct origins_wish *w)
{
    struct og_origin_setting s;
    struct og_origin_rule r;

    printf("%s\n", w->policy);
    if (w->order)
        printf("%s\nat %s\n", w->order, og_time_text(w->at).s);
    for (size_t i = 0; og_origins_rule(origins, i, &r); i++) {
        if (!is_wished(w, r.rule))
            continue;
        put_rule(&r);
        for (size_t k = 0; og_origins_setting(origins, i, k, &s); k++)
            put_setting(&s);
    }
}

/* --- JSON --------------------------------------------------------------------------------------------------------- */

static const char *kind_name(enum og_origin_kind kind)
{
    static const char *const names[] = { "default", "policy", "rule", "override", "floor" };

    return names[kind];
}

/* Print the members of a place, without the braces. */
static void put_members(const struct og_origin_place *o)
{
    og_json(stdout, "'kind':%s", kind_name(o->kind));
    if (o->kind != OG_ORIGIN_DEFAULT)
        og_json(stdout, ",'layer':%s,'file':%s,'line':%d,'column':%d", o->layer, o->file, o->line, o->col);
}

static void put_said(const struct og_origin_place *o)
{
    og_json(stdout, "{'value':%s,", o->value);
    put_members(o);
    putchar('}');
}

static void put_setting_json(const struct og_origin_setting *s, size_t k)
{
    og_json(stdout, "%c{'key':%s,'value':%s,'from':{", k ? ',' : 0, s->key, s->value);
    put_members(&s->from);
    fputs("},\"hides\":[", stdout);
    for (size_t i = 0; i < s->hidden; i++) {
        fputs(i ? "," : "", stdout);
        put_said(&s->hides[i]);
    }
    fputs("],\"floor\":", stdout);
    if (s->floor)
        put_said(s->floor);
    else
        fputs("null", stdout);
    putchar('}');
}

static const char *or_null(const char *text)
{
    return text[0] ? text : NULL;
}

static void put_override_json(const struct og_origin_rule *r)
{
    if (r->override < 0) {
        fputs(",\"override\":null", stdout);
        return;
    }
    printf(",\"override\":{\"index\":%ld,", r->override);
    put_members(&r->at);
    og_json(stdout, ",'match':%s,'when':%s,'until':%s}", or_null(r->match), or_null(r->when), or_null(r->until));
}

static void put_rule_json(const struct og_origin_rule *r)
{
    og_json(stdout, "'rule':%s", or_null(r->rule));
    printf(",\"custom\":%s,\"runs\":%s,\"fixed\":%s", r->custom ? "true" : "false", r->runs ? "true" : "false",
           r->fixed ? "true" : "false");
    put_override_json(r);
    og_json(stdout, ",'applies':%s,'why':%s,'lock':", r->applies == OG_ORIGIN_APPLIES ? "yes" : "unknown",
            or_null(r->why));
    if (r->lock) {
        putchar('{');
        put_members(r->lock);
        putchar('}');
    } else {
        fputs("null", stdout);
    }
}

static void put_json(const struct og_origins *origins, const struct origins_wish *w)
{
    struct og_origin_setting s;
    struct og_origin_rule r;
    const char *comma = "";

    og_json(stdout, "{'policy':%s", w->policy);
    if (w->order) {
        printf(",\"order\":%s", w->order);
        og_json(stdout, ",'at':%s", og_time_text(w->at).s);
    }
    fputs(",\"rules\":[", stdout);
    for (size_t i = 0; og_origins_rule(origins, i, &r); i++) {
        if (!is_wished(w, r.rule))
            continue;
        printf("%s{", comma);
        comma = ",";
        put_rule_json(&r);
        fputs(",\"settings\":[", stdout);
        for (size_t k = 0; og_origins_setting(origins, i, k, &s); k++)
            put_setting_json(&s, k);
        fputs("]}", stdout);
    }
    puts("]}");
}

void origins_print(const struct og_origins *origins, const struct origins_wish *wish)
{
    (wish->json ? put_json : put_text)(origins, wish);
}
