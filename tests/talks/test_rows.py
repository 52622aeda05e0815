"""The conformance list: every row of docs/readings.md that concerns the service (rows.txt) has a test, or an
entry in untested.txt with the reason. A test belongs to the row that its name begins with: test_F5_words, or
test_A6_A7_words for two rows. (No group is called R: R114 is a code of the service.)

test_rows.py --list prints the rows, each with its tests.
"""
import ast
import pathlib
import re
import sys
import unittest

HERE = pathlib.Path(__file__).parent


def listed(name):
    """Returns the lines of a list as {id: text}."""
    lines = (HERE / name).read_text().splitlines()
    return dict(line.split(None, 1) for line in lines if line and not line.startswith("#"))


def tested():
    """Returns {id: [file:line test]} of every test that names a row and can fail."""
    places = {}
    for path in sorted(HERE.glob("test_*.py")):
        for node in ast.walk(ast.parse(path.read_text())):
            if not isinstance(node, ast.FunctionDef) or not (named := re.match(r"test_((?:[A-QS-Z]\d+_)+)", node.name)):
                continue
            for row in named[1].strip("_").split("_"):
                places.setdefault(row, []).append(f"{path.name}:{node.lineno} {node.name}")
    return places


class Rows(unittest.TestCase):
    def setUp(self):
        self.rows, self.untested, self.tested = listed("rows.txt"), listed("untested.txt"), tested()

    def test_every_row_has_a_test_or_a_reason(self):
        print(f"{len(self.rows)} rows, {len(self.untested)} of them not testable (untested.txt)")
        self.assertEqual(sorted(set(self.rows) - set(self.tested) - set(self.untested)), [])

    def test_no_row_has_both(self):
        self.assertEqual(sorted(set(self.tested) & set(self.untested)), [])

    def test_every_row_named_exists(self):
        self.assertEqual(sorted((set(self.tested) | set(self.untested)) - set(self.rows)), [])


if __name__ == "__main__":
    if sys.argv[1:] == ["--list"]:
        untested, where = listed("untested.txt"), tested()
        for row, statement in listed("rows.txt").items():
            print(row, statement, *where.get(row, ["not testable: " + untested.get(row, "?")]), sep="\n    ")
    else:
        unittest.main()
