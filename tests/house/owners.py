#!/usr/bin/env python3
"""Each part of a followed order, of an account and of the sender is written only by the file that owns it: the file
that the comment of its struct, or of the member, names in the headers of src/send. owners.py ROOT
"""
import re
import sys
from pathlib import Path

OWNER = re.compile(r"\(([a-z_]+\.c)\b[^)]*\)?[^)]*\)")
STRUCT = re.compile(r"(?:/\*((?:[^*]|\*(?!/))*)\*/\s*)?struct (og_\w+) \{\n(.*?)\n\};", re.S)
VARIABLE = re.compile(r"struct (og_\w+) \*(?:const )?(\w+)")
ACCESS = r"\b(\w+)((?:\s*(?:->|\.)\s*\w+(?:\[[^]]*\])*)+)"
WRITES = (re.compile(ACCESS + r"\s*(?:=(?!=)|\+\+|--|(?:[-+|&^*/]|<<|>>)=)"), re.compile(r"(?:\+\+|--)" + ACCESS))
MAKES = "og_orders_add("  # the function that makes a followed order, and so writes its parts first


def owner_of(comment):
    found = re.fullmatch(r" *([a-z_]+\.c) *", comment or "") or OWNER.search(comment or "")
    return found.group(1) if found else None


def members(body):
    """Yield name, type and comment of each member; a comment on a line of its own is about those below it."""
    section = ""
    body = re.sub(r"\s*\n\s+\* ", " ", body)
    for line in body.split("\n"):
        line = line.strip()
        alone = re.fullmatch(r"/\*(.*)\*/", line)
        if not line or alone:
            section = alone.group(1) if alone else ""
            continue
        declared = re.match(r"(.*?);\s*(?:/\*(.*)\*/)?$", line)
        if not declared:
            continue
        about = declared.group(2) if owner_of(declared.group(2)) else section
        first, *others = declared.group(1).split(",")
        kind, name = re.match(r"(.*?)\**(\w+)(?:\[.*\])?$", first.strip()).groups()
        for name in (name, *(re.sub(r"[*\s]|\[.*\]", "", other) for other in others)):
            yield name, kind.strip(), about


def read_structs(root):
    """Returns {tag: {member: (type, owner)}}. The owner of a member is None if the comments name no file."""
    text = "".join(path.read_text() for path in sorted((root / "src/send").glob("*.h")))
    found = {tag: (owner_of(about), list(members(body))) for about, tag, body in STRUCT.findall(text)}
    structs = {}
    for tag, (owner, its) in found.items():
        structs[tag] = {}
        for name, kind, about in its:
            part = found.get(kind.removeprefix("struct "))
            structs[tag][name] = (kind.removeprefix("struct "), owner_of(about) or (part and part[0]) or owner)
    return structs


def violations(files, structs):
    """Yield every place where a file writes a member that another file owns."""
    for name, text in files.items():
        start = 0
        for end in [found.end() for found in re.finditer(r"^}", text, re.M)]:
            function, line = text[start:end], text.count("\n", 0, start)
            start = end
            tags = {variable: tag for tag, variable in VARIABLE.findall(function)}
            for found in (found for write in WRITES for found in write.finditer(function)):
                tag, owner = tags.get(found.group(1)), None
                path = re.findall(r"\w+", re.sub(r"\[.*?\]", "", found.group(2)))
                for member in path:
                    tag, owner = structs.get(tag, {}).get(member, (None, None))
                if owner and owner != name and not (name == "orders.c" and MAKES in function):
                    at = line + function.count("\n", 0, found.start()) + 1
                    yield f"src/send/{name}:{at}: writes {'.'.join(path)}, which is {owner}'s"


# Writes that must be detected in a file that owns nothing.
TRIED = """
static void try(struct og_tracked *o, struct og_cancel *c)
{
    struct og_account_state *a = o->account;
    %s;
}
"""
SEEN = ("o->post.len = 1", "o->recovered |= true", "++o->look.count", "o->account->stream.unheard++",
        "c->failures = 0", "a->sender->guard.dead = true", "a->readings.asked_ns[i + 1] = 2",
        "o->line = (struct og_owed){ 0 }", "a->held[0]--")
NOT_SEEN = ("o->post.len == 1", "x = o->recovered", "other->post.len = 1", "f(&a->held)")


def main(root):
    structs = read_structs(root)
    files = {path.name: path.read_text() for path in sorted((root / "src/send").glob("*.c"))}
    owners = {owner for its in structs.values() for _, owner in its.values() if owner}
    owned = sum(owner is not None for its in structs.values() for _, owner in its.values())
    faults = [f"{owner} owns members and is not there" for owner in sorted(owners - set(files))]
    if owned < 100:
        faults.append(f"only {owned} members with an owner were read")
    for write in SEEN + NOT_SEEN:
        if bool(list(violations({"tried.c": TRIED % write}, structs))) != (write in SEEN):
            faults.append(f"this test reads '{write}' wrongly")
    faults += violations(files, structs)
    print("\n".join([*faults, f"{owned} members of {len(structs)} structs, {len(faults)} faults"]))
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main(Path(sys.argv[1])))
