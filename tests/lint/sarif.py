"""What SARIF 2.1.0 demands of the objects that lint writes, after the schema of OASIS: the allowed keys, the
required keys and the form of each value. In the tables, a name stands for another object, [x] for an array, a set
for allowed words."""

BAG = {"*": object}
STRING = {"text": str, "markdown": str, "properties": "bag"}
OBJECTS = {
    "bag": (BAG, []),
    "log": ({"$schema": "uri", "version": {"2.1.0"}, "runs": ["run"], "properties": "bag"}, ["version", "runs"]),
    "run": ({"tool": "tool", "invocations": ["invocation"], "results": ["result"],
             "columnKind": {"utf16CodeUnits", "unicodeCodePoints"},
             "artifacts": ["artifact"], "defaultEncoding": str, "properties": "bag"}, ["tool"]),
    "tool": ({"driver": "component", "extensions": ["component"], "properties": "bag"}, ["driver"]),
    "component": ({"name": str, "fullName": str, "version": str, "semanticVersion": str, "informationUri": "uri",
                   "organization": str, "rules": ["descriptor"], "properties": "bag"}, ["name"]),
    "descriptor": ({"id": str, "name": str, "shortDescription": "string", "fullDescription": "string",
                    "help": "string", "helpUri": "uri",
                    "defaultConfiguration": "configuration", "properties": "bag"}, ["id"]),
    "configuration": ({"enabled": bool, "level": {"none", "note", "warning", "error"}, "rank": float,
                       "properties": "bag"}, []),
    "string": (STRING, ["text"]),
    "message": ({**STRING, "id": str, "arguments": [str]}, ["text"]),
    "result": ({"ruleId": str, "ruleIndex": int, "kind": {"fail"}, "level": {"none", "note", "warning", "error"},
                "message": "message",
                "locations": ["location"], "relatedLocations": ["location"], "suppressions": ["suppression"],
                "fixes": ["fix"], "partialFingerprints": BAG, "properties": "bag"}, ["message"]),
    "location": ({"id": int, "physicalLocation": "physical", "message": "message", "properties": "bag"}, []),
    "physical": ({"artifactLocation": "where", "region": "region", "contextRegion": "region", "properties": "bag"},
                 ["artifactLocation"]),
    "where": ({"uri": "reference", "uriBaseId": str, "index": int, "properties": "bag"}, []),
    "region": ({k: "place" for k in ("startLine", "startColumn", "endLine", "endColumn")} |
               {k: "offset" for k in ("byteOffset", "byteLength", "charOffset",
                                      "charLength")} | {"snippet": "content", "properties": "bag"}, []),
    "suppression": ({"kind": {"inSource", "external"}, "status": {"accepted", "underReview", "rejected"},
                     "justification": str, "location": "location", "properties": "bag"}, ["kind"]),
    "fix": ({"description": "message", "artifactChanges": ["change"], "properties": "bag"}, ["artifactChanges"]),
    "change": ({"artifactLocation": "where", "replacements": ["replacement"], "properties": "bag"},
               ["artifactLocation", "replacements"]),
    "replacement": ({"deletedRegion": "region", "insertedContent": "content", "properties": "bag"}, ["deletedRegion"]),
    "content": ({"text": str, "binary": str, "properties": "bag"}, []),
    "invocation": ({"executionSuccessful": bool, "exitCode": int, "commandLine": str,
                    "toolExecutionNotifications": ["notification"],
                    "toolConfigurationNotifications": ["notification"], "properties": "bag"}, ["executionSuccessful"]),
    "notification": ({"locations": ["location"], "message": "message", "level": {"none", "note", "warning", "error"},
                      "properties": "bag"},
                     ["message"]),
}
PLAIN = set("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~/%")


def faults(value, form="log", at=""):
    """Returns the values that have a wrong form, with their places."""
    if isinstance(form, list):
        if not isinstance(value, list):
            return [f"{at}: no array"]
        return [f for i, v in enumerate(value) for f in faults(v, form[0], f"{at}[{i}]")]
    if isinstance(form, set):
        return [] if value in form else [f"{at}: {value!r} is none of {sorted(form)}"]
    if form in ("uri", "reference"):
        ok = isinstance(value, str) and (value.startswith("https://") if form == "uri" else value
                                         and set(value) <= PLAIN)
        return [] if ok else [f"{at}: {value!r} is no {form}"]
    if form in ("place", "offset"):
        ok = type(value) is int and value >= (1 if form == "place" else 0)
        return [] if ok else [f"{at}: {value!r} is no {form}"]
    if isinstance(form, type):
        return [] if isinstance(value, form) and (form is not int
                                                  or type(value) is int) else [f"{at}: {value!r} is no {form.__name__}"]
    keys, needed = OBJECTS[form] if isinstance(form, str) else (form, [])
    if not isinstance(value, dict):
        return [f"{at}: no object"]
    found = [f"{at}: no {key}" for key in needed if key not in value]
    for key, v in value.items():
        if key in keys or "*" in keys:
            found += faults(v, keys.get(key, object), f"{at}/{key}")
        else:
            found.append(f"{at}: no {form} has a key {key!r}")
    if form == "region" and not {"startLine", "charOffset", "byteOffset"} & set(value):
        found.append(f"{at}: a region without a beginning")
    if form == "change" and not value.get("replacements"):
        found.append(f"{at}: a change that changes nothing")
    return found
