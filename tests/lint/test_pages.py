#!/usr/bin/env python3
"""Every page of lint: its bad example gives exactly its finding, its good one none, and explain prints it."""
import os
import re
import subprocess
import unittest

from lint_case import ASKED, LintCase, is_one_file, pages

# Findings that no single file can show; each is produced below.
ELSEWHERE = {"calendar-over", "too-large", "extends-too-many", "laid-already", "file-unsafe", "lint-cut",
             "list-unsigned", "yaml-not-utf8", "yaml-too-deep", "yaml-too-large", "too-many"}


class Pages(LintCase):
    def example(self, text, code):
        """Returns the findings of an example. If it has several files, each begins with a line "# file: NAME", and
        the last one is linted."""
        parts, more = re.split(r"^# file: (\S+)\n", text, flags=re.M)[1:], ASKED.get(code, [])
        for name, part in zip(parts[::2], parts[1::2]):
            path = self.file(part, name)
        if "floor.yaml" in parts:
            more = more + ["--floor", os.path.join(self.dir.name, "floor.yaml")]
        return self.lint(path if parts else self.file(text), *more)

    def test_the_examples(self):
        for page in pages():
            with self.subTest(page["code"]):
                self.assertEqual(page["bad"] is None, page["code"] in ELSEWHERE)
        shown = [page for page in pages() if page["bad"]]
        told = {}
        for severity in ("error", "warning"):  # the exit code of lint covers all the files it is given
            alone = [page for page in shown if is_one_file(page) and page["severity"] == severity]
            for page, *of in zip(alone, *(self.lint_all([page[kind] for page in alone]) for kind in ("bad", "good"))):
                told[page["code"]] = of
        for page in shown:
            with self.subTest(page["code"]):
                found, good = told.get(page["code"]) or [self.example(page[kind], page["code"])
                                                         for kind in ("bad", "good")]
                self.assertEqual([f["code"] for f in found], [page["code"]])
                self.assertEqual(found[0]["severity"], page["severity"])
                self.assertEqual("fix" in found[0], page["fixes"])
                self.assertEqual(good, [])

    def test_an_error_elsewhere_causes_no_warning(self):
        """Each entry of each good example is broken in turn: what is left gives no warning that the example lacks."""
        broken = []
        for page in pages():
            if page["good"] and is_one_file(page):
                lines = page["good"].splitlines()
                for at, line in enumerate(lines):
                    entry = re.fullmatch(r"( *)([\w-]+:)(?: \{.*\}| .*|)", line)
                    if entry and entry.group(2) != "ordergate:":
                        inner = [f"{entry.group(1)}{entry.group(2)} {{level: nonsense, no-such-key: 1}}"]
                        end = next((n for n in range(at + 1, len(lines))
                                    if not lines[n].startswith(entry.group(1) + " ")), len(lines))
                        broken.append((page, "\n".join(lines[:at] + inner + lines[end:]) + "\n"))
        self.assertGreater(len(broken), 150)
        errors = 0
        for (page, text), found in zip(broken, self.lint_all([text for _, text in broken])):
            errors += any(f["severity"] == "error" for f in found)
            if any(f["severity"] == "error" for f in found):
                with self.subTest(page["code"], text=text):
                    self.assertEqual([f["message"] for f in found if f["severity"] == "warning"], [])
        self.assertGreater(errors, 150)

    def test_what_fix_repairs_is_found_no_more(self):
        fixed = [page for page in pages() if page["fixes"]]
        paths = [self.file(page["bad"], f"{page['code']}.yaml") for page in fixed]
        self.gate("lint", "--at", "2026-11-20T15:00:00Z", "--fix", "--strict", *paths, code=0)
        for page, path in zip(fixed, paths):
            with self.subTest(page["code"]), open(path, encoding="utf-8") as f:
                self.assertNotEqual(f.read(), page["bad"])
        self.assertEqual(self.lint(*paths), [])

    def test_each_is_explained(self):
        for page in pages():
            told = self.gate("explain", page["code"], code=0).stdout.decode()
            self.assertIn(page["summary"].split()[0], told)
            self.assertIn(page["why"].strip().splitlines()[0], told)
            self.assertEqual("ordergate-lint: ignore" in told, page["severity"] == "warning")
            if page["bad"]:
                self.assertIn("As it should be", told)

    def test_pages_are_well_made(self):
        found = pages()
        self.assertGreater(len(found), 60)
        self.assertEqual([p["code"] for p in found], sorted(p["code"] for p in found))
        for page in found:
            self.assertRegex(page["code"], r"^[a-z0-9]+(-[a-z0-9]+)*$")
            self.assertRegex(page["summary"], r"^[^A-Z].*[^.]$")
            self.assertTrue(page["why"].strip(), page["code"])
            self.assertLess(max(len(line) for line in page["why"].splitlines()), 131, page["code"])

    def test_every_code_in_the_source_has_a_page(self):
        """Every code that the source uses has a page, since `explain` could not explain it otherwise."""
        root, known = os.environ["OG_SOURCE"], {p["code"] for p in pages()}
        said = set()
        for folder in ("src/policy", "src/lint", "src/text"):
            for name in os.listdir(os.path.join(root, folder)):
                if name.endswith(".c"):
                    with open(os.path.join(root, folder, name), encoding="utf-8") as f:
                        text = re.sub(r"/\*.*?\*/", "", f.read(), flags=re.S)
                    said.update(re.findall(r'(?:OG_WARNING,|og_error_a\w+\()[^;"]*?"([a-z0-9]+(?:-[a-z0-9]+)+)"', text))
                    said.update(re.findall(r'og_lint_add(?:_at(?:_key)?)?\([^;"]*?"([a-z0-9]+(?:-[a-z0-9]+)+)"', text))
                    said.update(re.findall(r'"(yaml-[a-z0-9-]+)"', text))
        self.assertGreater(len(said), 50)
        self.assertEqual(said - known, set())

    def elsewhere(self, code):
        """Returns the text that lint prints for a finding that cannot be shown by a single policy file, and for a
        similar policy without the finding."""
        def lint(text, *more, name="desk.yaml"):
            return self.gate("lint", *more, self.file(text, name)).stdout.decode()

        def chain(count):
            for i in range(count):
                self.file(f"ordergate: 1\nextends: [{i + 1}.yaml]\n", f"{i}.yaml")
            return lint("ordergate: 1\nextends: []\n",
                        name=f"{count}.yaml") + self.gate("lint", os.path.join(self.dir.name, "0.yaml")).stdout.decode()

        def words(count):
            self.file("".join(f"a-long-word-{i:08}\n" for i in range(count)), "words.txt")
            return lint("ordergate: 1\nlists: {l: {file: words.txt}}\ncustom:\n"
                        "  - {id: own, require: '!(order.clientOrderId in lists.l)'}\n")

        def conditions(count):
            always = "".join(f"      - "
                             f"{{when: 'order.orderQuantity > {i} || order.orderQuantity <= {i}', level: warn}}\n"
                             for i in range(count))
            return lint("ordergate: 1\nrules:\n" + "".join(f"  {rule}:\n    overrides:\n{always}" for rule in
                                                           ("market-hours", "price-collar", "account", "buying-power",
                                                            "route", "self-cross", "expiry-day", "limit-price")))

        def mode(bits):
            path = self.file("ordergate: 1\n")
            os.chmod(path, bits)
            return self.gate("lint", path).stdout.decode()

        def changed(words):
            """Lint a policy with a signed list whose words were GME when it was signed and are now these."""
            key, public = (os.path.join(self.dir.name, name) for name in ("ops", "ops.pub"))
            subprocess.run(["openssl", "genpkey", "-algorithm", "ed25519", "-out", key], check=True)
            subprocess.run(["openssl", "pkey", "-in", key, "-pubout", "-out", public], check=True)
            self.gate("policy", "sign", "--key", key, "--list", self.file("GME\n", "barred.txt"), code=0)
            self.file(words, "barred.txt")
            return lint("ordergate: 1\nlists: {l: {file: barred.txt, key: ops.pub}}\ncustom:\n"
                        "  - {id: own, require: '!(order.symbol in lists.l)'}\n")

        def overrides(count):
            return lint("ordergate: 1\nrules:\n  order-notional:\n    level: refuse\n    most: 50000\n    overrides:\n"
                        + "".join(
                            f"      - {{match: {{symbol: S{i}}}, most: {i + 600}}}\n" for i in range(count)))

        def bytes_of(name):
            path = self.file("")
            with open(path, "wb") as f:
                f.write(b"ordergate: 1\nname: " + name + b"\n")
            return self.gate("lint", path).stdout.decode()

        return {"calendar-over": lambda:
                [lint("ordergate: 1\n", "--at", f"{year}-12-31T15:00:00Z") for year in (2036, 2035)],
                "too-large": lambda: [words(750000), words(1000)],
                "extends-too-many": lambda: [chain(101), chain(90)],
                "laid-already": lambda: [self.gate("policy", "show", *names, code=0).stderr.decode()
                                         for names in (("live", "default"), ("default", "live"))],
                "file-unsafe": lambda: [mode(0o646), mode(0o644)],
                "lint-cut": lambda: [conditions(200), conditions(2)],
                "list-unsigned": lambda: [changed(words) for words in ("AMC\n", "GME\n")],
                "yaml-not-utf8": lambda: [bytes_of(name) for name in (b"a\xff", "\u00e9".encode())],
                "yaml-too-deep": lambda: [lint("ordergate: 1\nname: " + "[" * n + "]" * n + "\n") for n in (32, 31)],
                "yaml-too-large": lambda:
                [lint("ordergate: 1\nlists: {l: [" + "a," * n + "]}\n") for n in (2000001, 100)],
                "too-many": lambda: [overrides(n) for n in (1001, 1000)]}[code]()

    def test_those_that_no_example_shows(self):
        severity = {p["code"]: p["severity"] for p in pages()}
        for code in sorted(ELSEWHERE):
            with self.subTest(code):
                bad, good = self.elsewhere(code)
                self.assertRegex(bad, rf"(?m)^(?:.*:)? ?{severity[code]}: .* \[{code}\]$")
                self.assertNotIn(f"[{code}]", good)

    def test_those_that_need_more_than_a_file(self):
        self.file("ordergate: 1\nextends: [b.yaml]\n", "a.yaml")
        b = self.file("ordergate: 1\nextends: [a.yaml]\n", "b.yaml")
        self.assertEqual([f["code"] for f in self.lint(b)], ["extends-cycle"])
        self.assertIn("yaml-empty", self.codes(""))
        self.assertEqual(self.codes("ordergate: 1\nname: a\x01b\n"), ["yaml-not-utf8"])
        self.assertIn("yaml-too-deep", self.codes("ordergate: 1\nrules: " + "[" * 40 + "]" * 40 + "\n"))
        self.assertIn("yaml-alias", self.codes("ordergate: 1\nname: *a\n"))
        floor = self.file("ordergate: 1\nextends: [live]\nenvironment: live\nrules:\n"
                          "  market-hours: {closed: [2026-03-03]}\n", "floor.yaml")
        desk = self.file("ordergate: 1\nrules:\n  market-hours: {closed: [2026-03-04]}\n")
        self.assertEqual([(f["code"], os.path.basename(f["file"]), f["line"])
                          for f in self.lint(desk, "--floor", floor)],
                         [("floor-key", "floor.yaml", 2), ("floor-key", "floor.yaml", 3),
                          ("floor-conflict", "floor.yaml", 5)])
        unsafe = self.file("ordergate: 1\n", "unsafe.yaml")
        os.chmod(unsafe, 0o646)
        self.assertEqual([f["code"] for f in self.lint(unsafe)], ["file-unsafe"])
        self.file("ordergate: 1\nunsure: refuse\nrules:\n  order-notional: {level: refuse, most: 5000, lock: true}\n",
                  "firm.yaml")
        self.assertEqual(self.codes("ordergate: 1\nextends: [firm.yaml]\nrules: {order-notional: {most: 6000}}\n"),
                         ["locked-loosened"])
        late = self.gate("lint", "--strict", "--at", "2036-01-02T15:00:00Z", self.file("ordergate: 1\n"), code=1)
        self.assertIn(b"[calendar-over]", late.stdout)


if __name__ == "__main__":
    unittest.main()
