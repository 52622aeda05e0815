#!/usr/bin/env python3
"""Policies as desks write them, with the mistakes that are in them: lint finds each at its line, and nothing else.

A file of the corpus has several policies.  Each begins with a line "=== NAME"; a line "+++ FILE" begins a file that
stands beside it.  A comment "#: CODE..." at the end of a line names the findings that lint has there.
"""
import glob
import os
import re
import unittest

from lint_case import AT, LintCase

FOLDER = os.path.join(os.path.dirname(os.path.abspath(__file__)), "corpus")


def policies(path):
    """Yield the policies of a file, each as its name, its text, and its further files."""
    with open(path, encoding="utf-8") as f:
        parts = re.split(r"^=== (\S+)\n", f.read(), flags=re.M)
    for name, text in zip(parts[1::2], parts[2::2]):
        own, *more = re.split(r"^\+\+\+ (\S+)\n", text, flags=re.M)
        yield name, own, list(zip(more[::2], more[1::2]))


def expected(name, text):
    return [(name, i, code) for i, line in enumerate(text.splitlines(), 1) if "#: " in line
            for code in line.split("#: ")[1].split()]


class Corpus(LintCase):
    def findings(self, corpus):
        """Yield for each policy what lint reports and what it should report, as (file, line, code)."""
        names = set()
        for name, text, more in policies(os.path.join(FOLDER, corpus)):
            self.assertNotIn(name, names)
            names.add(name)
            os.mkdir(os.path.join(self.dir.name, name))
            files = [("desk.yaml", text), *more]
            for file, content in files:
                path = self.file(content, os.path.join(name, file))
            path = os.path.join(self.dir.name, name, "desk.yaml")
            found = [(os.path.relpath(f["file"], os.path.dirname(path)), f["line"], f["code"]) for f in self.lint(path)]
            yield name, found, [e for file, content in files for e in expected(file, content)]

    def test_each_finding_is_at_its_line(self):
        for corpus in sorted(os.listdir(FOLDER)):
            for name, found, should in self.findings(corpus):
                with self.subTest(f"{corpus}: {name}"):
                    self.assertEqual(sorted(found), sorted(should))

    def test_there_are_good_policies_and_none_has_a_finding(self):
        good = list(self.findings("good.txt"))
        self.assertGreaterEqual(len(good), 30)
        for name, found, _ in good:
            with self.subTest(name):
                self.assertEqual(found, [])

    def test_no_shipped_policy_has_a_finding(self):
        shipped = [path for path in glob.glob(os.path.join(os.environ["OG_SOURCE"], "policies", "**", "*.yaml"),
                                              recursive=True) if not path.endswith("_test.yaml")]
        self.assertGreater(len(shipped), 8)
        self.gate("lint", "--strict", "--at", AT, *shipped, code=0)


if __name__ == "__main__":
    unittest.main()
