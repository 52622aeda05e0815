"""Base class of the tests of lint: a folder for each test, runs of lint, and its output as JSON."""
import json
import os
import subprocess
import tempfile
import unittest

GATE = os.path.join(os.environ["OG_BIN"], "ordergate")
AT = "2026-11-20T15:00:00Z"  # a Friday, 10:00 in New York


def pages():
    done = subprocess.run([GATE, "lint", "--list", "--format", "json"], capture_output=True, timeout=600)
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


# Options that lint needs to report these findings.
ASKED = {"facts-absent": ["--for", "send"]}


def is_one_file(page):
    """Returns True if the page's example is a single policy that lint reports without options."""
    return "# file: " not in page["bad"] and page["code"] not in ASKED


class LintCase(unittest.TestCase):
    aside = ()  # codes that the policies of a class give in addition to those that are tested

    def setUp(self):
        self.dir = tempfile.TemporaryDirectory()
        self.addCleanup(self.dir.cleanup)

    def file(self, text, name="desk.yaml"):
        path = os.path.join(self.dir.name, name)
        with open(path, "w", encoding="utf-8") as f:
            f.write(text)
        return path

    def gate(self, *args, code=None, **more):
        done = subprocess.run([GATE, *args], capture_output=True, timeout=600, **more)
        if code is not None:
            self.assertEqual(done.returncode, code, done.stderr)
        return done

    def lint(self, path, *more):
        done = self.gate("lint", "--at", AT, "--format", "json", *more, path)
        self.assertEqual(done.stderr, b"")
        found = json.loads(done.stdout)
        self.assertEqual(done.returncode, int(any(f["severity"] == "error" for f in found)))
        return [f for f in found if f["code"] not in self.aside]

    def codes(self, text, *more, name="desk.yaml"):
        return [f["code"] for f in self.lint(self.file(text, name), *more)]

    def lint_all(self, texts):
        """Returns the findings for each of the texts. One process lints them all, because starting a process takes
        longer than linting."""
        paths = [self.file(text, f"{i}.yaml") for i, text in enumerate(texts)]
        found = self.lint(paths[-1], *paths[:-1])
        self.assertLessEqual({f["file"] for f in found}, set(paths))
        return [[f for f in found if f["file"] == path] for path in paths]

    def give(self, codes, texts):
        """Assert that each of the texts gives exactly these codes."""
        for text, found in zip(texts, self.lint_all(texts)):
            with self.subTest(text):
                self.assertEqual([f["code"] for f in found], codes)

    def decide(self, policy, witness):
        """Run `check` on the order of a witness. Returns its verdict, its reasons and the decision."""
        more = ["-f", self.file(json.dumps(witness["facts"]), "facts.json")] if witness["facts"] is not None else []
        done = self.gate("check", "-p", policy, "--at", witness["at"], *more,
                         input=json.dumps(witness["order"]).encode() + b"\n")
        self.assertIn(done.returncode, (0, 1), done.stderr)
        decision = json.loads(done.stdout)
        return decision["verdict"], [f["reason"] for f in decision["findings"]], decision
