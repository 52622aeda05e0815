#!/usr/bin/env python3
"""The documents of the tree: what they name exists, and what the tree cites is in them.

documents.py ROOT     prints every fault; exit 1 when there is one.

  links      in docs/*.md and the README files: [text](file#heading) leads to a file and a heading
  names      in the same: files, identifiers (og_..., OG_..., ORDERGATE_...) and tests that are named exist; a function
             that is said to be in a file (`name()` in `file`) is in that file
  ids        rows of docs/readings.md that a rule, a header, a comment or a test names are there
  citations  a document that any file of the tree names (x.md, docs/x.md "Heading") is in the tree, and has that heading

Before it judges the tree it judges texts known to be wrong, so that a broken check cannot pass.
"""
import glob
import os
import re
import sys

FOLDERS = ".ci docs include policies rules src tests tools".split()
TEXTS = (".c", ".h", ".def", ".cc", ".cpp", ".py", ".sh", ".md", ".cases", ".txt", ".cmake", ".in", ".yaml", ".json",
         ".jq", ".map", ".1", ".5", ".7")
READINGS = "docs/readings.md"
SELF = "tests/house/documents.py"

LINK = re.compile(r"\[[^\]\n]*\]\(([^)\s]+)\)")
HEADING = re.compile(r"^#+ +(.*?) *$", re.M)
FENCE = re.compile(r"^```.*?^```", re.M | re.S)
# A path from the root ("src/base/file.c", "rules/<name>.c"), and a path as includes are written ("base/file.h").
PATH = re.compile(r"(?<![\w/.$~<>-])((?:%s)/[\w./*<>-]*[\w*>])" % "|".join(map(re.escape, FOLDERS)))
INCLUDED = re.compile(r"(?<![\w/.$~<>-])([a-z]+/[a-z_]+\.(?:c|h|def|py|sh))(?![\w-])")
# Names such as `tick()` and `OG_ABSENT_NS`, which need not be public, between back-quotes.
LOCAL = re.compile(r"`([a-z]\w*\(\)|[A-Z][A-Z0-9]*_[A-Z0-9_]*)`")
# Forms such as "`tick()` in src/send/sender.c", also over two lines, and "`a()` and `b()` in ...".
CALL = r"`?[a-z]\w*\(\)`?"
PLACED = re.compile(r"((?:%s(?:, | and |, and ))*%s) \(?(?:in|of) `?((?:%s)/[\w./-]*\w|[a-z_]+/[a-z_]+\.[a-z]+)"
                    % (CALL, CALL, "|".join(map(re.escape, FOLDERS))))
IDENTIFIER = re.compile(r"\b((?:og|OG|ORDERGATE)_\w+)(\*?)")

ROW = re.compile(r"^\| *([A-Z]{1,4}-?\d+) *\|", re.M)
ONE = r"(?:CON-\d+|GAP-\d+|SEEN-\d+|OL\d+|[A-QS-Z]\d{1,2})"
ALWAYS = re.compile(r"\b((?:CON|GAP|SEEN)-\d+|OL\d+)\b")
SAID = re.compile(r"\breadings(?:\.md)?,? (%s(?:(?:, | and | to |-)%s)*)" % (ONE, ONE))
BRACKETS = re.compile(r"\((%s(?:(?:, | and )%s)*)\)" % (ONE, ONE))
COMMENT = re.compile(r"/\*.*?\*/", re.S)
TEST_OF = re.compile(r"\bdef test_((?:[A-QS-Z]\d{1,2}_)+)")
WHERE = re.compile(r'\.where\s*=\s*((?:"(?:\\.|[^"\\])*"\s*)+)')
RANGE = re.compile(r"([A-Z]+-?)(\d+)-\1(\d+)")

CITED = re.compile(r'(?<![\w/.$<>-])([\w./-]*\w\.md)\b(?: "([^"\n]+)")?')
ELSEWHERE = re.compile(r"\bshared design\b|\bfield[ -]notes\b|\bof the matrix\b|\bmatrix:? +\(?[A-Z]{1,3}-?\d")


def headings(text):
    return [h.replace("`", "") for h in HEADING.findall(FENCE.sub("", text))]


def anchor(heading):
    """Returns the anchor that GitHub makes from a heading."""
    return re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-")


class Tree:
    def __init__(self, root):
        self.root, self.texts = root, {}
        for path in glob.glob("*", root_dir=root):
            self.read(path)
        for top in FOLDERS:
            for folder, inner, names in os.walk(os.path.join(root, top)):
                inner[:] = [n for n in inner if n not in ("corpus", "__pycache__")]
                for name in sorted(names):
                    self.read(os.path.relpath(os.path.join(folder, name), root))
        self.rows = set(ROW.findall(self.texts[READINGS]))
        self.words, self.locals = set(), set()
        for path, text in self.texts.items():
            if not path.endswith(".md") and path != SELF:
                self.words |= set(re.findall(r"\b(?:og|OG|ORDERGATE)_\w+", text))
                self.locals |= set(re.findall(r"\b[a-z]\w*\(|\b[A-Z][A-Z0-9]*_[A-Z0-9_]*\b", text))

    def read(self, path):
        whole = os.path.join(self.root, path)
        if os.path.isfile(whole) and (path.endswith(TEXTS) or "." not in os.path.basename(path)):
            with open(whole, encoding="utf-8", errors="replace") as f:
                self.texts[path] = f.read()

    def has(self, path):
        """Returns True if the tree has a file of that name. A part in angle brackets stands for any name."""
        return bool(glob.glob(os.path.join(self.root, re.sub(r"<[^>]*>", "*", path))))

    def headings_of(self, path):
        return headings(self.texts.get(path, ""))


def judge_links(tree, path, text):
    for target in LINK.findall(FENCE.sub("", text)):
        if re.match(r"[a-z]+:", target):
            continue
        file, _, at = target.partition("#")
        to = os.path.normpath(os.path.join(os.path.dirname(path), file)) if file else path
        if not tree.has(to):
            yield f"links to {target}, which is not there"
        elif at and at not in map(anchor, tree.headings_of(to)):
            yield f"links to {target}, and {to} has no such heading"


def judge_names(tree, text):
    for name in sorted(set(PATH.findall(text))):
        if not tree.has(name):
            yield f"names {name}, which is not there"
    for name in sorted(set(INCLUDED.findall(text))):
        if not any(tree.has(os.path.join(top, name)) for top in ("", "src", "include", "tests")):
            yield f"names {name}, which is not there"
    for name, star in sorted(set(IDENTIFIER.findall(text))):
        if not (any(w.startswith(name) for w in tree.words) if star else name in tree.words):
            yield f"names {name}{star}, which nothing in the tree is called"
    for name in sorted(set(LOCAL.findall(text))):
        if name.rstrip(")") not in tree.locals:
            yield f"names {name}, which nothing in the tree is called"
    for names, file in PLACED.findall(re.sub(r"\n *", " ", FENCE.sub("", text))):
        tops = (os.path.join(top, file) for top in ("src", "include", "tests"))
        places = [p for p in (file, *tops) if p in tree.texts]
        for name in re.findall(r"\w+(?=\(\))", names) if places else ():
            if not re.search(r"\b%s\(" % name, tree.texts[places[0]]):
                yield f"says that {name}() is in {places[0]}, where nothing is called so"


def ids_of(words):
    for word in words.split(", "):
        for one in re.split(r" and | to ", word):
            several = RANGE.fullmatch(one)
            yield from ([several[1] + n for n in several.groups()[1:]] if several else [one])


def judge_where(tree, where):
    """Check what a rule's .where cites, which explain prints: rows of docs/readings.md, places in documents, facts, or
    "policy" for a limit that the user sets."""
    if where == "policy" or re.fullmatch(r"facts [\w.]+", where) or re.fullmatch(r'docs/\w+\.md "[^"]+"', where):
        return
    yield from (f'names "{one}" in .where, which is no row of {READINGS}' for one in ids_of(where)
                if one not in tree.rows)


def judge_ids(tree, path, text):
    named = set(ALWAYS.findall(text))
    for words in SAID.findall(text):
        named |= set(ids_of(words))
    if path.endswith((".c", ".h")) and path.startswith(("include", "src", "rules")):
        for comment in COMMENT.findall(text):
            for words in BRACKETS.findall(comment):
                named |= set(ids_of(words))
    for ids in TEST_OF.findall(text):
        named |= set(ids.strip("_").split("_"))
    if path == "tests/talks/rows.txt":
        named |= set(re.findall(r"^([A-Z]+-?\d+)\b", text, re.M))
    yield from (f"names {one}, which is no row of {READINGS}" for one in sorted(named) if one not in tree.rows)
    for strings in WHERE.findall(text) if path.startswith("rules/") else ():
        where = "".join(re.findall(r'"((?:\\.|[^"\\])*)"', strings)).replace('\\"', '"')
        yield from judge_where(tree, where)


def judge_citations(tree, path, text):
    flat = re.sub(r"\n[ \t]*[*#]?[ \t]*", " ", text.replace('\\"', '"'))  # a citation may continue on the next line
    for name, heading in sorted(set(CITED.findall(flat))):
        places = (name, os.path.normpath(os.path.join(os.path.dirname(path), name)))
        found = next((p for p in places if p in tree.texts), None)
        if not found:
            yield f"cites {name}, which is not in the tree"
        elif heading and heading not in tree.headings_of(found):
            yield f'cites {name} "{heading}", and there is no such heading'
    for name in sorted(set(ELSEWHERE.findall(text))):
        yield f'says "{name}", which is a document outside the tree'


def judge(tree, path, text):
    faults = [] if path == SELF else list(judge_citations(tree, path, text))
    if path != READINGS and path != SELF:
        faults += judge_ids(tree, path, text)
    if path.startswith("docs/") or os.path.basename(path) == "README.md":
        faults += judge_links(tree, path, text)
        faults += judge_names(tree, text)
    return [f"{path}: {fault}" for fault in faults]


WRONG = [
    ("docs/a.md", "see [there](nowhere.md)"),
    ("docs/a.md", "see [there](readings.md#no-such-heading)"),
    ("docs/a.md", "see src/base/no_such_file.c"),
    ("docs/a.md", "see base/no_such_file.h"),
    ("docs/a.md", "see rules/<name>.no_such_kind"),
    ("docs/a.md", "see og_no_such_function()"),
    ("docs/a.md", "see OG_NO_SUCH_*"),
    ("docs/a.md", "see `no_such_static()`"),
    ("docs/a.md", "see `NO_SUCH_CONSTANT`"),
    ("docs/a.md", "see `again()` in src/broker/broker.c"),
    ("docs/a.md", "see `again()` in\n  `src/broker/broker.c`"),
    ("docs/a.md", "see `should_retry()` and `again()` in broker/broker.c"),
    ("README.md", "see src/base/no_such_file.c"),
    ("src/a.c", "/* CON-999 */"),
    ("src/a.c", "/* as readings Q3 and Q99 say */"),
    ("src/a.h", "/* it is so (Q3, Q99) */"),
    ("tests/talks/test_a.py", "    def test_Q99_what_it_says(self):"),
    ("rules/a.c", '.where = "Q12, Q99"'),
    ("rules/a.c", '.where = "Q2-Q99"'),
    ("rules/a.c", '.where = "somewhere"'),
    ("src/a.c", "/* matrix.md */"),
    ("src/a.c", '/* docs/readings.md "No such heading" */'),
    ("src/a.c", "/* (matrix Q3) */"),
    ("src/a.c", "/* shared design: margin */"),
]
RIGHT = [
    ("docs/a.md", "[readings](readings.md), src/base/file.c, base/file.h, rules/<name>.c, og_reserve(), OG_EV_*, R78"),
    ("docs/a.md", "`should_retry()` in\n  src/broker/broker.c, `tick()` and og_send_wake() in `src/send/sender.c`"),
    ("src/a.c", "/* CON-19, readings Q3 to Q5 (Q3) (S 9) */"),
    ("rules/a.c", '.where = "Q2-Q24, Y11"'),
    ("rules/a.c", '.where = "policy"'),
    ("README.md", "[docs](docs/README.md)"),
]


def main():
    tree = Tree(sys.argv[1])
    for path, text in WRONG:
        if not judge(tree, path, text):
            sys.exit(f"documents.py is broken: it likes {text!r}")
    for path, text in RIGHT:
        if judge(tree, path, text):
            sys.exit(f"documents.py is broken: it dislikes {judge(tree, path, text)}")
    faults = [fault for path, text in sorted(tree.texts.items()) for fault in judge(tree, path, text)]
    print("\n".join(faults + [f"{len(tree.texts)} files, {len(tree.rows)} rows, {len(faults)} faults"]))
    sys.exit(1 if faults or len(tree.texts) < 500 or len(tree.rows) < 500 else 0)


main()
