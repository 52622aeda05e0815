#!/usr/bin/env python3
"""The manual of expressions: its list of names is the program's, every listed difference has cases of the same
wording, and its examples are conditions.

test_manual.py RUN_EXPR ROOT           compares; exit 1 if they differ
test_manual.py RUN_EXPR ROOT --write   writes the list of names again
"""
import os
import re
import subprocess
import sys
import tempfile

BEGIN = '.\\" names: written by tests/expr/test_manual.py --write\n'
END = '.\\" end of names\n'


def names(program):
    for line in subprocess.run([program, "--names"], check=True, capture_output=True, text=True).stdout.splitlines():
        yield line.split("\t")


def section(program):
    lines = [".Bl -tag -width Ds -compact\n"]
    for name, kind, unit, facts, text in names(program):
        lines.append(f".It Va {name}\n")
        lines.append(f"{kind}{', ' + unit if unit else ''}{' (of ' + facts + ')' if facts else ''}: {text}\n")
    return "".join(lines)


def differences_of_manual(text):
    part = re.search(r"\.Sh DIFFERENCES FROM CEL\n(.*?)\.El\n", text, re.S).group(1)
    for item in part.split(".It\n")[1:]:
        yield re.match(r"\.Sy (.*)\n", item).group(1).replace("\\&", "").rstrip(" .,;:")


def blocks(path):
    """Returns the headings of a table, and how many cases stand below each."""
    found = {}
    heading = None
    with open(path, encoding="utf-8") as f:
        for line in f:
            if line.startswith("## "):
                heading = line[3:].strip()
                found[heading] = 0
            elif " ==> " in line:
                if heading is None:
                    sys.exit(f"{path}: a case stands before the first heading")
                found[heading] += 1
    return found


def judge_examples(program, text):
    """Judge each example on its own. Its result without facts does not matter."""
    block = re.search(r"\.Sh EXAMPLES\n.*?\.Bd [^\n]*\n(.*?)\.Ed\n", text, re.S).group(1)
    examples = [e.strip().replace("\n", "\N{SYMBOL FOR NEWLINE}") for e in block.split("\n\n")]
    with tempfile.NamedTemporaryFile("w", suffix=".txt") as table:
        table.write("@at 2026-01-15T15:00:00Z\n@list meme GME AMC\n")
        table.write("".join(f"({e}\N{SYMBOL FOR NEWLINE}) || true ==> true: bool\n" for e in examples))
        table.flush()
        run = subprocess.run([program, table.name], capture_output=True, text=True)
    return [] if run.returncode == 0 and len(examples) >= 5 else [f"an example is refused:\n{run.stdout}{run.stderr}"]


def judge(program, root):
    with open(os.path.join(root, "tools/ordergate-expressions.7"), encoding="utf-8") as f:
        text = f.read()
    before, _, rest = text.partition(BEGIN)
    listed, _, after = rest.partition(END)
    if "--write" in sys.argv:
        with open(os.path.join(root, "tools/ordergate-expressions.7"), "w", encoding="utf-8") as f:
            f.write(before + BEGIN + section(program) + END + after)
        return []
    faults = []
    if listed != section(program):
        faults.append("the names in the manual are not the program's: run this with --write")
    here = os.path.join(root, "tests/expr")
    wanted = [f"{i + 1}. {words}" for i, words in enumerate(differences_of_manual(text))]
    cases = blocks(os.path.join(here, "differences.txt"))
    faults += [f"the manual's difference '{w}' has no case" for w in wanted if not cases.get(w)]
    faults += [f"the manual does not list '{h}'" for h in cases if h not in wanted]
    faults += [f"section '{h}' has no case" for h, n in blocks(os.path.join(here, "langdef.txt")).items() if not n]
    faults += judge_examples(program, text)
    if len(wanted) < 10:
        faults.append("the manual's differences cannot be read")
    with open(os.path.join(here, "names.txt"), encoding="utf-8") as f:
        tried = f.read()
    for name, *_ in names(program):
        word = re.escape(name).replace("leg\\.", r"(leg|order\.legs\[\d\])\.",
                                       1) if name.startswith("leg.") else re.escape(name)
        if not re.search(rf"(?m)^[^#\n]*\b{word}\b[^\n]* ==> (?!refused)", tried):
            faults.append(f"names.txt has no case of {name}")
    return faults


faults = judge(sys.argv[1], sys.argv[2])
print("\n".join(faults + [f"{len(faults)} faults"]))
sys.exit(1 if faults else 0)
