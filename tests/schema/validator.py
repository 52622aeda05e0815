"""A JSON Schema (draft 2020-12) validator for the keywords our schemas use, standard library alone.

faults(schema, value) lists what is wrong, each with its place.  A keyword it does not know is an error of the schema: it
would be a demand nobody checks.
"""
import re
from decimal import Decimal

KNOWN = {"$schema", "$defs", "$ref", "title", "description", "type", "enum", "const", "required", "properties",
         "additionalProperties", "items", "pattern", "minimum", "maximum", "minItems", "maxItems", "minLength",
         "minProperties", "maxProperties", "allOf", "anyOf", "oneOf", "not", "if", "then", "else", "format", "examples",
         "propertyNames", "dependentRequired"}


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
        unknown = set(schema) - KNOWN
        if unknown:
            raise ValueError(f"the schema uses {sorted(unknown)}")
        found = []
        if "$ref" in schema:
            found += self.faults(value, self.root["$defs"][schema["$ref"].rsplit("/", 1)[1]], at)
        found += self.simple(value, schema, at)
        if isinstance(value, dict):
            found += self.members(value, schema, at)
        if isinstance(value, list) and "items" in schema:
            for i, item in enumerate(value):
                found += self.faults(item, schema["items"], f"{at}/{i}")
        return found + self.combined(value, schema, at)

    def simple(self, value, schema, at):
        wrong = []
        types = schema.get("type", [])
        types = [types] if isinstance(types, str) else types
        if types and not any(TYPES[t](value) for t in types):
            wrong.append("type")
        if "enum" in schema and not any(same(value, x) for x in schema["enum"]):
            wrong.append("enum")
        if "const" in schema and not same(value, schema["const"]):
            wrong.append("const")
        if isinstance(value, str):
            if "pattern" in schema and not re.search(schema["pattern"].replace("$", r"\Z"), value):
                wrong.append("pattern")
            if len(value) < schema.get("minLength", 0):
                wrong.append("minLength")
        if is_number(value):
            wrong += [k for k, bad in (("minimum", lambda b: value < b), ("maximum", lambda b: value > b))
                      if k in schema and bad(schema[k])]
        size = {list: "Items", dict: "Properties"}.get(type(value))
        if size and len(value) < schema.get("min" + size, 0):
            wrong.append("min" + size)
        if size and len(value) > schema.get("max" + size, len(value)):
            wrong.append("max" + size)
        return [f"{at}: {word}" for word in wrong]

    def members(self, value, schema, at):
        found = [f"{at}: required {key}" for key in schema.get("required", []) if key not in value]
        properties = schema.get("properties", {})
        for key, others in schema.get("dependentRequired", {}).items():
            found += [f"{at}: {key} needs {other}" for other in others if key in value and other not in value]
        for key in value if "propertyNames" in schema else ():
            found += self.faults(key, schema["propertyNames"], f"{at}/{key}")
        for key, item in value.items():
            if key in properties:
                found += self.faults(item, properties[key], f"{at}/{key}")
            elif "additionalProperties" in schema:
                found += self.faults(item, schema["additionalProperties"], f"{at}/{key}")
        return found

    def combined(self, value, schema, at):
        found = []
        for part in schema.get("allOf", []):
            found += self.faults(value, part, at)
        if "anyOf" in schema and all(self.faults(value, part, at) for part in schema["anyOf"]):
            found.append(f"{at}: anyOf")
        if "oneOf" in schema and sum(not self.faults(value, part, at) for part in schema["oneOf"]) != 1:
            found.append(f"{at}: oneOf")
        if "not" in schema and not self.faults(value, schema["not"], at):
            found.append(f"{at}: not")
        if "if" in schema:
            branch = "else" if self.faults(value, schema["if"], at) else "then"
            found += self.faults(value, schema[branch], at) if branch in schema else []
        return found
