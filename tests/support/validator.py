"""A JSON Schema (draft 2020-12) validator for the keywords that our schemas use, with the standard library alone.

faults(schema, value) lists the violations and their places. An unknown keyword is an error, since nobody would check
it.
"""
import re
from decimal import Decimal


def is_number(value):
    return isinstance(value, (int, Decimal)) and not isinstance(value, bool)


TYPES = {
    "object": lambda v: isinstance(v, dict),
    "array": lambda v: isinstance(v, list),
    "string": lambda v: isinstance(v, str),
    "number": is_number,
    "integer": lambda v: is_number(v) and v == int(v),
    "boolean": lambda v: isinstance(v, bool),
    "null": lambda v: v is None,
}


def same(a, b):
    return a == b and isinstance(a, bool) == isinstance(b, bool)


class Validator:
    def __init__(self, schema):
        self.root = schema

    def faults(self, value, schema=None, at=""):
        schema = self.root if schema is None else schema
        if isinstance(schema, bool):
            return [] if schema else [f"{at}: nothing is allowed here"]
        found = []
        # only the keywords that are present are tried, because hundreds of schemas are applied to each value
        for key, said in schema.items():
            if key not in KEYWORDS:
                raise ValueError(f"the schema uses {key}")
            check = KEYWORDS[key]
            if check:
                found += check(self, value, said, schema, at)
        return found

    def ref(self, value, said, _, at):
        return self.faults(value, self.root["$defs"][said.rsplit("/", 1)[1]], at)

    def properties(self, value, said, _, at):
        if not isinstance(value, dict):
            return []
        return [f for key, item in value.items() if key in said for f in self.faults(item, said[key], f"{at}/{key}")]

    def additional(self, value, said, schema, at):
        if not isinstance(value, dict):
            return []
        known = schema.get("properties", {})
        return [f for key, item in value.items() if key not in known for f in self.faults(item, said, f"{at}/{key}")]

    def names(self, value, said, _, at):
        return [f for key in value for f in self.faults(key, said, f"{at}/{key}")] if isinstance(value, dict) else []

    def items(self, value, said, _, at):
        return [f for i, item in enumerate(value) for f in self.faults(item, said, f"{at}/{i}")] \
            if isinstance(value, list) else []

    def all_of(self, value, said, _, at):
        return [f for part in said for f in self.faults(value, part, at)]

    def any_of(self, value, said, _, at):
        return [f"{at}: anyOf"] if all(self.faults(value, part, at) for part in said) else []

    def one_of(self, value, said, _, at):
        return [f"{at}: oneOf"] if sum(not self.faults(value, part, at) for part in said) != 1 else []

    def is_not(self, value, said, _, at):
        return [] if self.faults(value, said, at) else [f"{at}: not"]

    def branch(self, value, said, schema, at):
        word = "else" if self.faults(value, said, at) else "then"
        return self.faults(value, schema[word], at) if word in schema else []


def simple(word, wrong):
    """Returns the check of a keyword that depends on the value alone. wrong() returns True for a violation."""
    return lambda _, value, said, __, at: [f"{at}: {word}"] if wrong(value, said) else []


def sized(word, kind, wrong):
    return simple(word, lambda value, said: isinstance(value, kind) and wrong(len(value), said))


def of_type(value, said):
    return any(TYPES[t](value) for t in ([said] if isinstance(said, str) else said))


def lacks(_, value, said, __, at):
    return [f"{at}: required {key}" for key in said if key not in value] if isinstance(value, dict) else []


def dependent(_, value, said, __, at):
    return [f"{at}: {key} needs {other}" for key, others in said.items() for other in others
            if key in value and other not in value] if isinstance(value, dict) else []


# The check of each keyword. None: the keyword demands nothing by itself, or the check of another keyword reads it.
KEYWORDS = {
    **dict.fromkeys(("$schema", "$defs", "title", "description", "format", "examples", "then", "else")),
    "$ref": Validator.ref, "properties": Validator.properties, "additionalProperties": Validator.additional,
    "propertyNames": Validator.names, "items": Validator.items, "allOf": Validator.all_of, "anyOf": Validator.any_of,
    "oneOf": Validator.one_of, "not": Validator.is_not, "if": Validator.branch, "required": lacks,
    "dependentRequired": dependent,
    "type": simple("type", lambda value, said: not of_type(value, said)),
    "enum": simple("enum", lambda value, said: not any(same(value, x) for x in said)),
    "const": simple("const", lambda value, said: not same(value, said)),
    "pattern": simple("pattern", lambda value, said: isinstance(value, str) and
                      not re.search(said.replace("$", r"\Z"), value)),
    "minimum": simple("minimum", lambda value, said: is_number(value) and value < said),
    "maximum": simple("maximum", lambda value, said: is_number(value) and value > said),
    "minLength": sized("minLength", str, lambda n, said: n < said),
    "minItems": sized("minItems", list, lambda n, said: n < said),
    "maxItems": sized("maxItems", list, lambda n, said: n > said),
    "minProperties": sized("minProperties", dict, lambda n, said: n < said),
    "maxProperties": sized("maxProperties", dict, lambda n, said: n > said),
}
KNOWN = set(KEYWORDS)
