#!/usr/bin/env python3
"""The form of a source file: its first comment says what the file is for, a header is guarded by #pragma once, files,
functions and lines are short, unsafe functions of the C library are not called, no number passes through floating
point, a pointer is tested as !p and p, sizeof takes no parentheses around an object, and sections begin with a rule of
one form. (The order of includes is clang-format's: house_format.)

style.py ROOT         prints every file that breaks this; exit 1 if there is one.
"""
import os
import re
import sys

LINES_MOST = 600
FUNCTION_MOST = 60
TABLES = ("run_program", "order_values")  # functions with one switch, which has a few lines for each of many cases
COLUMNS_MOST = 120
COMMENT = re.compile(r"""/\*.*?\*/|//[^\n]*|("(?:\\.|[^"\\\n])*"|'(?:\\.|[^'\\\n])*')""", re.S)
STRING = re.compile(r'"(?:\\.|[^"\\\n])*"')
# Types, literals, cJSON's own numbers and their printing: everything that would turn a price into a double.
FLOATING = re.compile(r"\b(double|float|_Float\w+|valuedouble|valueint|strto(d|f|ld)|ato[fl]|cJSON_\w*Number\w*)\b"
                      r"|(?<![\w.])(\d+\.\d*|\.\d+)([eE][-+]?\d+)?[fFlL]?(?![\w.])")
# src/base has a safe replacement for each; localtime also reads the zone of the machine.
UNSAFE = re.compile(r"\b(str(n?cpy|n?cat|tok)|v?sprintf|gets|localtime(_r)?)\s*\(")
PRINTED = re.compile(r"%[-+ #0-9.*]*L?[efgEFG](?![a-zA-Z])")


def uncommented(text):
    return COMMENT.sub(lambda m: m.group(1) or " ", text)


def floating(text):
    """Returns the first use of floating point, or None."""
    code = uncommented(text)
    found = FLOATING.search(STRING.sub('""', code)) or next((m for s in STRING.findall(code)
                                                             for m in PRINTED.finditer(s)), None)
    return found and found.group(0)


COMPARED = re.compile(r"== NULL\b|!= NULL *(?:&&|\|\|)|\b(?:if|while) \([\w>.\[\]-]+ != NULL")
DEFINE = re.compile(r"^[ \t]*#[ \t]*define(?:.*\\\n)*.*$", re.M)  # a macro's argument may need its parentheses
TYPE = r"(?:(?:const|unsigned|signed|struct|union|enum)\b|(?:int|char|long|short|void|bool)\b|\w+_t\b)"
SIZEOF = re.compile(r"\bsizeof\((?!%s)\*?[a-z_]\w*(?:(?:->|\.)\w+|\[\w+\])*\)(?!\s*[\[.{]|->)" % TYPE)
SECTION = re.compile(r"^[ \t]*/\*[ \t]*(?:-{2,}|={2,}|\*{2,})(?![-\w]).*$", re.M)
SECTION_FORM = re.compile(r"/\* --- \S(?:.*\S)? -+ \*/")


def sections(text):
    return [f"has a section rule of another form: {line.strip()[:40]}" for line in SECTION.findall(text)
            if not SECTION_FORM.fullmatch(line) or len(line) != COLUMNS_MOST]


def dialect(text):
    """Yield the places that break the conventions for comparisons with NULL and for sizeof."""
    code = DEFINE.sub("", COMMENT.sub(lambda m: '""' if m.group(1) else " ", text))
    yield from (f"compares with NULL where !p or p would do: {m.group(0)}" for m in COMPARED.finditer(code))
    yield from (f"has parentheses that sizeof does not need: {m.group(0)}" for m in SIZEOF.finditer(code))


def long_functions(text):
    for found in re.finditer(r"^(\w.*(?:\n[^{}\n]*)*)\n\{\n(?:.*\n)*?\}\n", text, re.M):
        lines = found.group(0)[len(found.group(1)):].count("\n") - 1
        name = re.findall(r"\w+(?=\()", found.group(1))
        if lines > FUNCTION_MOST and name and name[0] not in TABLES:
            yield f"has {name[0]}() of {lines} lines, allowed are {FUNCTION_MOST}"


def width(path, text):
    return [f"{path}:{number}: has {len(line)} columns, allowed are {COLUMNS_MOST}"
            for number, line in enumerate(text.split("\n"), 1) if len(line) > COLUMNS_MOST]


def judge(path, text):
    faults = []
    if floating(text):
        faults.append(f"has a number that is no exact one: {floating(text)}")
    faults += [f"calls {m.group(1)}()" for m in UNSAFE.finditer(STRING.sub('""', uncommented(text)))]
    if not text.startswith("/*"):
        faults.append("does not begin with a comment that says what it is for")
    if text.count("\n") >= LINES_MOST:
        faults.append(f"has {text.count(chr(10))} lines, allowed are fewer than {LINES_MOST}")
    if path.endswith(".h") and not path.startswith("include/") and "\n#pragma once\n" not in text:
        faults.append("is a header without #pragma once")  # headers of include/ have include guards, for any compiler
    if re.search(r"\b(TODO|FIXME|XXX|HACK)\b", text):
        faults.append("has a word that puts work off")
    if re.search(r"[ \t]+$", text, re.M):
        faults.append("has blanks at the end of a line")
    if "\t" in text:
        faults.append("has a tab")
    faults += [*dialect(text), *long_functions(text), *sections(text)]
    return [f"{path}: {fault}" for fault in faults] + width(path, text)


WRONG = [
    ("src/a.c", "#include <stdio.h>\n"),
    ("src/a.c", "/* a */\n" * LINES_MOST),
    ("src/a.c", "/* a */\nvoid a(char *b)\n{\n    strcpy (b, a);\n}\n"),
    ("src/a.h", "/* a */\n#pragma once\n#define A(b) vsprintf(b, A, a)\n"),
    ("src/a.h", "/* a */\n#pragma once\n// TODO\n"),
    ("src/a.h", "/* a */ \n#pragma once\n"),
    ("src/a.h", "/* a */\n#ifndef A_H\n#define A_H\n#endif\n"),
    ("src/a.h", "/* " + "a" * COLUMNS_MOST + " */\n#pragma once\n"),
    ("src/a.h", "/* a */\n#pragma once\nstruct a { double price; };\n"),
    ("src/a.h", "/* a */\n#pragma once\n#define A (3 * 0.5)\n"),
    ("src/a.h", '/* a */\n#pragma once\n#define A(x) cJSON_AddNumberToObject((x), "a", 1)\n'),
    ("src/a.h", '/* a */\n#pragma once\n#define A "%.2f"\n'),
    ("src/a.h", "/* a */\n#pragma once\nstatic inline bool a(const char *b)\n{\n    return b == NULL;\n}\n"),
    ("src/a.h", "/* a */\n#pragma once\nstatic inline bool a(const char *b)\n{\n    return b != NULL && *b;\n}\n"),
    ("src/a.c", "/* a */\nstatic int a(int b,\n             int c)\n{\n" + "    b++;\n" * (FUNCTION_MOST - 1) + "}\n"),
    ("src/a.c", "/* a */\n/* ---- b ---- */\n"),
    ("src/a.c", "/* a */\n/* === b === */\n"),
    ("src/a.c", "/* a */\n/* --- b " + "-" * (COLUMNS_MOST - 13) + " */\n"),
    ("src/a.h", "/* a */\n#pragma once\nstatic inline size_t a(const char *b)\n{\n    return sizeof(*b);\n}\n"),
]


RIGHT = ('/* 0.5 of a double, == NULL, strcpy(a, b) */\n#pragma once\nbool og_strcpy(void); /* og_gets() */\n'
         '#define A "0.5 as double, 5% each" /* 1.5 */\n'
         '/* --- b ' + '-' * (COLUMNS_MOST - 12) + ' */\n')


def main():
    root = sys.argv[1]
    if judge("src/a.h", RIGHT):
        sys.exit(f"style.py is broken: it dislikes {judge('src/a.h', RIGHT)}")
    for path, text in WRONG:
        if not judge(path, text):
            sys.exit(f"style.py is broken: it likes {text[:60]!r}")
    seen, faults = 0, []
    for top in ("include", "src", "rules", "tools"):
        for folder, _, names in os.walk(os.path.join(root, top)):
            for name in sorted(names):
                if name.endswith((".c", ".h")):
                    path = os.path.join(folder, name)
                    seen += 1
                    with open(path, encoding="utf-8") as f:
                        faults += judge(os.path.relpath(path, root), f.read())
    for folder, _, names in os.walk(os.path.join(root, "tests")):
        for name in sorted(names):
            if name.endswith((".c", ".h", ".cc", ".cpp")):
                path = os.path.join(folder, name)
                with open(path, encoding="utf-8") as f:
                    text, path = f.read(), os.path.relpath(path, root)
                    faults += width(path, text) + [f"{path}: {fault}" for fault in sections(text)]
    print("\n".join(faults + [f"{seen} files, {len(faults)} faults"]))
    sys.exit(1 if faults or seen < 50 else 0)


main()
