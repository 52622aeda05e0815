"""ordergate fmt: the usual layout of policies and their tests, and nothing but the layout."""
import glob
import os
import re
import stat
import subprocess
import tempfile
import unittest

GATE = os.path.join(os.environ["OG_BIN"], "ordergate")
SOURCE = os.environ["OG_SOURCE"]
LAID_OUT = sorted(set(glob.glob(os.path.join(SOURCE, "policies", "**", "*.yaml"), recursive=True))
                  - {os.path.join(SOURCE, "policies", "reference.yaml")}) + glob.glob(
                      os.path.join(SOURCE, "tools", "scenarios", "*.yaml"))


def fmt(*args, text=None):
    return subprocess.run([GATE, "fmt", *args], input=text, capture_output=True, text=True, timeout=600, check=False)


def read(path):
    with open(path, encoding="utf-8", newline="") as f:
        return f.read()


def widened(text, by):
    """Returns the same document with an indentation of `by` columns for each block."""
    lines = []
    for line in text.split("\n"):
        blanks = len(line) - len(line.lstrip(" "))
        dashes = re.match(r"(?:- )*", line[blanks:]).group(0)
        lines.append(" " * (blanks * by // 2) + dashes.replace("- ", "-" + " " * (by - 1)) +
                     line[blanks + len(dashes):])
    return "\n".join(lines)


class Fmt(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.dir = folder.name

    def file(self, text, name="desk.yaml"):
        path = os.path.join(self.dir, name)
        with open(path, "w", encoding="utf-8", newline="") as f:
            f.write(text)
        return path

    def same(self, text, expected):
        done = fmt("-", text=text)
        self.assertEqual((done.returncode, done.stderr, done.stdout), (0, "", expected))

    def test_shipped_files_are_laid_out(self):
        self.assertGreater(len(LAID_OUT), 20)
        done = fmt("--check", *LAID_OUT)
        self.assertEqual((done.returncode, done.stdout, done.stderr), (0, "", ""))

    def test_other_layouts_come_out_the_same(self):
        for path in LAID_OUT:
            text = read(path)
            if re.search(r"(?m)[|>]-?$", text):  # forms that widened() does not handle; they have cases of their own
                continue
            for how, other in (("four columns", widened(text, 4)), ("six columns", widened(text, 6)),
                               ("CR LF", text.replace("\n", "\r\n")), ("a byte order mark", "\ufeff" + text),
                               ("blanks at the end", re.sub(r"(?m)(?<=[^|>-])$", "  ", text)),
                               ("blank lines", text.replace("\n\n", "\n\n \n\n") + "\n\n"),
                               ("no line break at the end", text.rstrip("\n")),
                               ("dashes under their key", self.flush(text))):
                with self.subTest(how, path=os.path.basename(path)):
                    self.same(other, text)

    def flush(self, text):
        """Returns the document with lists of scalars not indented below their keys."""
        return re.sub(r"(?m)^( *)(\w[\w-]*:)\n((?:\1  - \w[\w.-]*\n)+)",
                      lambda m: f"{m[1]}{m[2]}\n" + m[3].replace(m[1] + "  - ", m[1] + "- "), text)

    def test_a_policy_keeps_its_digest(self):
        for path in glob.glob(os.path.join(SOURCE, "policies", "*.yaml")):
            if path.endswith(("_test.yaml", "reference.yaml", "short-seller.yaml")):
                continue
            mine = self.file(widened(read(path), 4), os.path.basename(path))
            digest = [GATE, "policy", "digest", mine]
            before = subprocess.run(digest, capture_output=True, timeout=600, check=True).stdout
            done = fmt(mine)
            self.assertEqual((done.returncode, done.stdout, read(mine)), (0, mine + "\n", read(path)))
            self.assertEqual(subprocess.run(digest, capture_output=True, timeout=600, check=True).stdout, before)

    def test_what_a_layout_may_not_change(self):
        for text in ("a: 'it''s  # no comment'\n", 'a: "\\  b # c"\n', "a: |2\n    two more\n  none\n",
                     "a: |+\n  kept\n\n\nb: 1\n", "a: >-\n  folded\n\n  twice\n", "a: x#y\n", "a: {b: [], c: {}}\n",
                     "? a\n: b\n", "a:\n  - - 1\n    - 2\n  - b: 1\n    c: 2\n", "- 1\n- a: 2\n", "'#': '- x'\n",
                     "a: é # ü\nbé: 1 # x\n", "--- # begins\na: 1\n...\n", "a: plain\n  over lines\n", "plain\n",
                     "a: [1,\n    2]\n", "a: [\n  1,\n  2 # two\n]\n"):
            with self.subTest(text):
                self.same(text, text)

    def test_what_is_laid_out(self):
        for text, expected in (("a:   1   # x\n", "a: 1 # x\n"), ("a: {b: 1 ,c:   2 }\n", "a: {b: 1, c: 2}\n"),
                               ('{"a":1}\n', '{"a": 1}\n'),
                               ("a:\n- 1\n- b:   2\n  c: 3\nd: 4\n", "a:\n  - 1\n  - b: 2\n    c: 3\nd: 4\n"),
                               ("a:  1    # x\nbbb: 2   # y\n", "a: 1   # x\nbbb: 2 # y\n"),
                               ("\n\na: 1\n\n\n\nb: 2\n\n", "a: 1\n\nb: 2\n"),
                               ("a:\n    b: 1\n    # of b\n# of c\nc: 1\n", "a:\n  b: 1\n  # of b\n# of c\nc: 1\n"),
                               ("a:\n# of b\n   b: 1\n", "a:\n  # of b\n  b: 1\n"),
                               ("a:\n    b:  >-\n          x\n            y\n    c: 1\n",
                                "a:\n  b: >-\n    x\n      y\n  c: 1\n"),
                               ("-   a: |2\n       one\n      two\n-   b\n", "- a: |2\n     one\n    two\n- b\n"),
                               ("a:\n     |\n   text\n", "a:\n  |\n  text\n"),
                               ("a:\n  [1,\n 2,\n   # two\n      3]\n", "a:\n  [1,\n   2,\n   # two\n   3]\n")):
            with self.subTest(text):
                self.same(text, expected)
                self.same(expected, expected)

    def test_check_prints_a_diff_and_writes_nothing(self):
        good, bad = self.file("a: 1\n", "good.yaml"), self.file("a:  1\n", "bad.yaml")
        done = fmt("--check", good, bad)
        self.assertEqual((done.returncode, done.stdout),
                         (1, f"--- {bad}\n+++ {bad}\n@@ -1,1 +1,1 @@\n-a:  1\n+a: 1\n"))
        self.assertEqual(read(bad), "a:  1\n")
        self.assertEqual(fmt("--check", "-", text="a:  1\n").returncode, 1)

    def test_files_keep_mode_and_links(self):
        path = self.file("a:  1\n")
        os.chmod(path, 0o640)
        link = os.path.join(self.dir, "link.yaml")
        os.symlink(path, link)
        self.assertEqual((fmt(link).returncode, read(path)), (0, "a: 1\n"))
        self.assertTrue(os.path.islink(link))
        self.assertEqual(stat.S_IMODE(os.stat(path).st_mode), 0o640)
        before = os.stat(path).st_mtime_ns
        done = fmt(path)
        self.assertEqual((done.returncode, done.stdout, os.stat(path).st_mtime_ns), (0, "", before))

    def test_faults_have_places_and_files_stay(self):
        for text, words in (("a: [1\n", "yaml-syntax"), ("a: &x 1\nb: *x\n", "yaml-anchor"), ("a: 1\na: 2\n", "yaml-d"),
                            ("a: 1\n---\nb: 2\n", "yaml-several-documents"), ("", "yaml-empty")):
            path = self.file(text)
            done = fmt(path)
            self.assertEqual((done.returncode, done.stdout, read(path)), (3, "", text))
            self.assertRegex(done.stderr, rf"^{re.escape(path)}:\d+:\d+: error: .*\[{words}")
        done = fmt(os.path.join(self.dir, "none.yaml"))
        self.assertEqual(done.returncode, 4)
        self.assertIn("none.yaml", done.stderr)
        self.assertEqual(fmt().returncode, 2)

    def test_the_others_are_laid_out_where_one_cannot_be(self):
        bad, good = self.file("a: [1\n", "bad.yaml"), self.file("a:  1\n", "good.yaml")
        done = fmt(bad, good)
        self.assertEqual((done.returncode, done.stdout, read(good)), (3, good + "\n", "a: 1\n"))


if __name__ == "__main__":
    unittest.main()
