/*
 * simdjson in its two modes, used as its manual recommends: one parser is kept, strings and numbers are converted,
 * nothing is copied.
 */
#include "simd.h"

#include <simdjson.h>

using namespace simdjson;

static size_t seen; // so that no field is left unread

static error_code walk(ondemand::value value);

static error_code walk_object(ondemand::object object)
{
    for (auto field : object) {
        std::string_view key;
        ondemand::value inner;

        if (auto e = field.unescaped_key().get(key))
            return e;
        seen += key.size();
        if (auto e = field.value().get(inner))
            return e;
        if (auto e = walk(inner))
            return e;
    }
    return SUCCESS;
}

static error_code walk_array(ondemand::array array)
{
    for (auto item : array) {
        ondemand::value inner;

        if (auto e = item.get(inner))
            return e;
        if (auto e = walk(inner))
            return e;
    }
    return SUCCESS;
}

static error_code walk(ondemand::value value)
{
    ondemand::json_type type;
    std::string_view text;
    double number;

    if (auto e = value.type().get(type))
        return e;
    switch (type) {
    case ondemand::json_type::object: return walk_object(value.get_object());
    case ondemand::json_type::array: return walk_array(value.get_array());
    case ondemand::json_type::string:
        if (auto e = value.get_string().get(text))
            return e;
        seen += text.size();
        return SUCCESS;
    case ondemand::json_type::number:
        if (auto e = value.get_double().get(number))
            return e;
        seen += number > 0;
        return SUCCESS;
    default: seen++; return SUCCESS;
    }
}

size_t simd_tree(const char *bytes, size_t len, size_t)
{
    static dom::parser parser;

    return parser.parse(bytes, len, false).error() == SUCCESS;
}

size_t simd_demand(const char *bytes, size_t len, size_t padding)
{
    static ondemand::parser parser;
    ondemand::document document;
    ondemand::object object;

    if (parser.iterate(padded_string_view(bytes, len, len + padding)).get(document) ||
        document.get_object().get(object))
        return 0;
    return walk_object(object) == SUCCESS;
}
