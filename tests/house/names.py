#!/usr/bin/env python3
"""One name has one meaning: no struct, union or enum tag, macro, enumerator, typedef or function is defined by two
files if one of them is a header, and no name of the libraries (og_...) by any two, so that no private name shadows a
public one. A function is declared by one header. Files that are never included may share private names. A macro that
its file or the list itself (.def) undefines again belongs to a list (an X macro), and does not count.

names.py ROOT         prints every name that has two meanings; exit 1 if there is one.
"""
import collections
import os
import re
import sys

OR_STRING = re.compile(r"""/\*.*?\*/|//[^\n]*|("(?:\\.|[^"\\\n])*"|'(?:\\.|[^'\\\n])*')""", re.S)
DIRECTIVE = re.compile(r"^[ \t]*#(?:.*\\\n)*.*$", re.M)
# A function at the beginning of a line; the text after its parameters tells a definition from a declaration.
FUNCTION = re.compile(r"^[a-zA-Z_][\w \t*]*?[ \t*](?!__)(\w+)\(([^;{}]*)\)(?:\s*__attribute__[^;{}]*)?\s*([;{])", re.M)
TYPEDEF = re.compile(r"^(?:__extension__ )?typedef\b[^;{}(]*?(?:\(\*?)?\b(\w+)(?:\(|\);|\)\(|;)", re.M)


def undefined(text):
    return set(re.findall(r"^[ \t]*#[ \t]*undef[ \t]+(\w+)", text, re.M))


def defined(text):
    """Returns the names that a file defines, as (kind, name)."""
    text = OR_STRING.sub(lambda m: '""' if m.group(1) else " ", text)
    gone = undefined(text)
    names = {("name", name) for name in re.findall(r"^[ \t]*#[ \t]*define[ \t]+(\w+)", text, re.M)
             if name not in gone}
    text = DIRECTIVE.sub("", text)
    names |= {("tag", name) for name in re.findall(r"\b(?:struct|union|enum)\s+(\w+)\s*\{", text)}
    for members in re.findall(r"\benum\b\s*\w*\s*\{([^}]*)\}", text):
        names |= {("name", name) for name in re.findall(r"(?:^|,)\s*(\w+)", members)}
    names |= {("name", name) for name in TYPEDEF.findall(text)}
    for name, _, end in FUNCTION.findall(text):
        names.add(("name" if end == "{" else "declaration", name))
    return names


def twice(texts):
    """Returns a sentence for each name that has two meanings in the files {path: text}."""
    places = collections.defaultdict(list)
    lists = set().union(*(undefined(text) for path, text in texts.items() if path.endswith(".def")))
    for path in sorted(texts):
        for kind, name in defined(texts[path]):
            if name not in lists and (kind != "declaration" or path.endswith(".h")):
                places[kind, name].append(path)
    return [f"{kind} {name} is in {', '.join(paths)}" for (kind, name), paths in sorted(places.items())
            if len(paths) > 1 and (any(path.endswith(".h") for path in paths) or name.startswith("og_"))]


WRONG = [
    {"a.h": "struct og_a { int b; };", "c.c": "struct og_a {\n int c; };"},
    {"a.h": "enum { OG_A, OG_B = 2 };", "c.h": "#define OG_B 1\n"},
    {"a.h": "enum og_a { X };", "c.h": "union og_a { int b; };"},
    {"a.h": "#define A(x) \\\n  x\n", "c.c": "static int f(void);\n#define A 1\n"},
    {"a.h": "static inline int f(int a)\n{\n}\n", "c.c": "static int f(void)\n{\n}\n"},
    {"a.c": "bool og_f(int a, char *b)\n{\n}\n", "c.c": "static OG_HOT bool og_f(void)\n{\n}\n"},
    {"a.h": "OG_API bool og_f(int a,\n    char *b);\n", "c.h": "int *og_f(void) __attribute__((pure));\n"},
    {"a.h": "typedef int og_f(void *with, int a);\n", "c.c": "int og_f(int a)\n{\n}\n"},
    {"a.h": "typedef unsigned long og_t;\n", "c.c": "enum x { A, og_t };"},
    {"a.h": "__extension__ typedef unsigned __int128 wide;\n", "c.c": "#define wide 1\n"},
]
RIGHT = [
    {"a.c": "struct row { int b; };", "c.c": "struct row { int c; };"},
    {"a.c": "static bool f(int a)\n{\n}\n", "c.c": "static bool f(int a)\n{\n}\n"},
    {"a.h": "OG_API bool og_f(int a);\n", "c.c": "bool og_f(int a)\n{\n    return og_f(a);\n}\n"},
    {"a.h": "struct og_a;", "c.h": "struct og_a { int b; };"},
    {"a.h": "#define X(a) a,\n#undef X\n", "c.c": "#define X(a) #a,\n#undef X\n"},
    {"a.h": "#define X(a) a,\n", "c.c": "#define X(a) #a,\n", "x.def": "X(a)\n#undef X\n"},
    {"a.h": "/* struct og_a { */ const char *s = \"enum { A }\";", "c.h": "struct og_a { enum { A } b; };"},
]


def main():
    root = sys.argv[1]
    for world in WRONG:
        if not twice(world):
            sys.exit(f"names.py is broken: it likes {world}")
    for world in RIGHT:
        if twice(world):
            sys.exit(f"names.py is broken: it dislikes {twice(world)}")
    texts = {}
    for top in ("include", "src", "rules", "tools"):
        for folder, _, files in os.walk(os.path.join(root, top)):
            for name in files:
                if name.endswith((".h", ".c", ".def")):
                    path = os.path.join(folder, name)
                    with open(path, encoding="utf-8") as f:
                        texts[os.path.relpath(path, root)] = f.read()
    faults = twice(texts)
    print("\n".join(faults + [f"{len(texts)} files, {len(faults)} names with two meanings"]))
    return 1 if faults or len(texts) < 100 else 0


if __name__ == "__main__":
    sys.exit(main())
