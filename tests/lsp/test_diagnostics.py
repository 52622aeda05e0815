#!/usr/bin/env python3
"""What the language server publishes is what `ordergate lint` finds, at the same place, in the text of the editor."""
import glob
import json
import os
import re
import subprocess
import tempfile
import unittest

from lsp_client import AT, GATE, Client, apply, offset_of, path_of, uri_of

SOURCE = os.environ["OG_SOURCE"]
CORPUS = os.path.join(SOURCE, "tests", "lint", "corpus")


def corpus():
    """Yields the policies of lint's corpus: name, and the texts of its files."""
    for path in sorted(glob.glob(os.path.join(CORPUS, "*"))):
        with open(path, encoding="utf-8", newline="") as f:
            parts = re.split(r"^=== (\S+)\n", f.read(), flags=re.M)
        for name, text in zip(parts[1::2], parts[2::2]):
            own, *more = re.split(r"^\+\+\+ (\S+)\n", text, flags=re.M)
            yield os.path.basename(path) + "-" + name, [("desk.yaml", own), *zip(more[::2], more[1::2])]


def lint(*paths):
    done = subprocess.run([GATE, "lint", "--at", AT, "--format", "json", *paths], capture_output=True, timeout=600,
                          check=False)
    assert done.returncode in (0, 1) and not done.stderr, done.stderr
    return json.loads(done.stdout)


def by_lint(found, texts):
    """Returns a finding of lint as (file, from, to, severity, code, message); from and to count characters of the
    file."""
    line = texts[found["file"]].split("\n")[found["line"] - 1].encode() if found["line"] else b""
    start = min(found["col"] - 1, len(line.rstrip(b"\r")))
    end = min(start + found["width"], len(line.rstrip(b"\r")))
    before = sum(len(part) + 1 for part in texts[found["file"]].split("\n")[:max(found["line"] - 1, 0)])
    return (found["file"], before + len(line[:start].decode()), before + len(line[:end].decode()),
            {"error": 1, "warning": 2}[found["severity"]], found["code"], found["message"])


def by_server(path, text, told, encoding):
    place = [offset_of(text, told["range"][side], encoding) for side in ("start", "end")]
    return (path, *place, told["severity"], told["code"], told["message"])


class Case(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.dir = os.path.realpath(folder.name)

    def client(self, *options, **more):
        client = Client(*options, **more)
        self.addCleanup(lambda: client.process.poll() is None and client.stop())
        return client

    def file(self, text, name="desk.yaml"):
        path = os.path.join(self.dir, name)
        os.makedirs(os.path.dirname(path), exist_ok=True)
        with open(path, "w", encoding="utf-8", newline="") as f:
            f.write(text)
        return path


class Equal(Case):
    def same(self, client, paths, encoding="utf-16"):
        """Open each file of a policy, and compare what is published for all with what lint finds in each."""
        texts = {}
        for path in paths:
            with open(path, encoding="utf-8", newline="") as f:
                texts[path] = f.read()
        client.told.clear()
        client.open(paths[0])
        client.ask("no/such", {})  # all that the check publishes comes before this answer
        told = dict(client.told)
        found = lint(paths[0])
        seen = [by_server(path_of(uri), texts[path_of(uri)], one, encoding) for uri, all in told.items() for one in all]
        for one in found:
            one["file"] = os.path.realpath(one["file"])
        self.assertEqual(sorted(seen), sorted({by_lint(one, texts) for one in found}))
        client.close(paths[0])
        client.ask("no/such", {})
        self.assertEqual([uri for uri, all in client.told.items() if all], [])
        client.waiting.clear()
        return found

    def test_every_policy_of_the_corpus(self):
        client, count, findings = self.client(), 0, 0
        for name, files in corpus():
            with self.subTest(name):
                paths = [self.file(text, os.path.join(name, file)) for file, text in files]
                findings += len(self.same(client, paths))
                count += 1
        self.assertGreater(count, 150)
        self.assertGreater(findings, 100)

    def test_every_shipped_policy_and_example_and_fuzz_input(self):
        client = self.client(encoding="utf-8")
        paths = [path for path in glob.glob(os.path.join(SOURCE, "policies", "**", "*.yaml"), recursive=True)
                 if not path.endswith("_test.yaml")]
        self.assertGreater(len(paths), 8)
        for path in paths:
            self.same(client, [os.path.realpath(path)], "utf-8")
        for folder in ("policy", "lint"):
            for path in sorted(glob.glob(os.path.join(SOURCE, "tests", "fuzz", "corpus", folder, "*"))):
                with open(path, "rb") as f:
                    text = f.read()
                try:
                    text = text.decode()
                except UnicodeDecodeError:
                    continue
                if re.search(r"\0|\r(?!\n)|[\x85\u2028\u2029]|\ufeff", text) or "ordergate-test:" in text:
                    continue  # line ends that editors count, and YAML does not
                with self.subTest(path):
                    self.same(client, [self.file(text, os.path.basename(path) + ".yaml")], "utf-8")


TEXT = """ordergate: 1
description: "é 😀 𝄞"
extends: [live]
custom:
  - id: own
    message: "é😀 {order.symbol} is 😀"
    require: order.symbol != "é😀" && order.symbol != "aapl"
rules: {order-notional: {level: "refuse", "m😀": 1}, price-collar: {awya: 5%}}
"""


class Positions(Case):
    def test_columns_count_utf_16_units_and_bytes_if_negotiated(self):
        for encoding in ("utf-16", "utf-8"):
            client = self.client(encoding=encoding)
            self.assertEqual(client.capabilities["positionEncoding"], encoding)
            path = self.file(TEXT)
            words = {}
            for one in client.open(path):
                start, end = (offset_of(TEXT, one["range"][side], encoding) for side in ("start", "end"))
                words.setdefault(one["code"], []).append(TEXT[start:end])
            self.assertEqual(words["unknown-key"], ['"m😀"', "awya"])
            line = TEXT.split("\n")[7]
            before = line[:line.index("awya")]
            size = len(before.encode("utf-16-le")) // 2 if encoding == "utf-16" else len(before.encode())
            places = [one["range"]["start"]["character"] for one in client.diagnostics_of(path)]
            self.assertIn(size, places)
            hover = client.at("hover", path, 7, size + 1)
            self.assertIsNone(hover)  # there is no such setting
            hover = client.at("hover", path, 6, 15)
            self.assertIn("order.symbol", hover["contents"]["value"])
            client.stop()

    def test_a_position_within_a_character_or_outside_of_the_text_is_moved_into_it(self):
        client = self.client()
        path = self.file(TEXT)
        client.open(path)
        for line, character in ((5, 16), (5, 17), (5, 10 ** 9), (10 ** 9, 3), (-1, -1), (0, 2 ** 62)):
            client.at("completion", path, line, character)
            client.at("hover", path, line, character)

    def test_a_text_with_carriage_returns_has_the_same_places(self):
        client = self.client()
        path = self.file(TEXT.replace("\n", "\r\n"))
        plain = self.file(TEXT, "plain.yaml")
        crlf = client.open(path)
        self.assertEqual([one["range"] for one in crlf], [one["range"] for one in client.open(plain)])
        self.assertTrue(crlf)


class Overlay(Case):
    def codes(self, told):
        return [one["code"] for one in told]

    def test_what_is_not_saved_is_linted_and_the_disk_after_closing(self):
        client = self.client()
        path = self.file("ordergate: 1\n")
        self.assertEqual(client.open(path, "ordergate: 1\nunsure: maybe\n"), client.diagnostics_of(path))
        self.assertEqual(self.codes(client.diagnostics_of(path)), ["value-invalid"])
        self.assertEqual(client.change(path, "ordergate: 1\nunsure: warn\n", 2), [])
        self.assertEqual(self.codes(client.change(path, "ordergate: 2\n", 3)), ["format-unknown"])
        client.close(path)
        self.assertEqual(client.diagnostics(path), [])
        self.assertEqual(client.open(path), [])

    def test_a_layer_is_read_as_it_is_in_the_editor_and_its_errors_are_told_at_it(self):
        client = self.client()
        base = self.file("ordergate: 1\nextends: []\n", "layers/base.yaml")
        path = self.file("ordergate: 1\nextends: [./layers/../layers/base.yaml]\n")
        self.assertEqual(client.open(path), [])
        client.open(base, "ordergate: 1\nextends: []\nunsure: maybe\n")
        self.assertEqual(self.codes(client.diagnostics(base)), ["value-invalid"])
        client.diagnostics(path, 1)
        client.change(base, "ordergate: 1\nextends: []\n", 2)
        self.assertEqual(client.diagnostics(base), [])

    def test_an_error_of_a_layer_that_is_not_open_is_told_at_it_and_taken_back(self):
        client = self.client()
        base = self.file("ordergate: 1\nname: 'é'\nunsure: maybe\n", "base.yaml")
        path = self.file("ordergate: 1\nextends: [base.yaml]\n")
        self.assertEqual(client.open(path), [])
        told = client.diagnostics(base)
        self.assertEqual([(one["code"], one["range"]["start"]) for one in told][-1],
                         ("value-invalid", {"line": 2, "character": 8}))
        self.file("ordergate: 1\n", "base.yaml")
        client.notify("workspace/didChangeWatchedFiles", {"changes": [{"uri": uri_of(base), "type": 2}]})
        self.assertEqual(client.diagnostics(base), [])
        self.file("ordergate: 1\nunsure: maybe\n", "base.yaml")
        client.notify("workspace/didChangeWatchedFiles", {"changes": [{"uri": uri_of(base), "type": 2}]})
        self.assertEqual(len(client.diagnostics(base)), 1)
        client.close(path)
        self.assertEqual(client.diagnostics(base), [])

    def test_a_layer_that_is_only_in_the_editor_and_one_that_a_link_leads_to(self):
        client = self.client()
        os.mkdir(os.path.join(self.dir, "real"))
        os.symlink("real", os.path.join(self.dir, "link"))
        new = os.path.join(self.dir, "real", "new.yaml")
        path = self.file("ordergate: 1\nextends: [link/new.yaml]\n")
        self.assertEqual(self.codes(client.open(path)), ["extends-missing"])
        client.open(new, "ordergate: 1\nextends: []\n")
        self.assertEqual(client.diagnostics(path), [])
        client.close(new)
        self.assertEqual(self.codes(client.diagnostics(path)), ["extends-missing"])

    def test_a_list_that_is_open_is_read_from_the_editor(self):
        client = self.client()
        words = self.file("AAPL\n", "words.txt")
        path = self.file("ordergate: 1\nextends: [live]\nlists: {own: {file: words.txt}}\ncustom:\n"
                         "  - {id: own-words, when: order.opens, require: order.symbol in lists.own}\n")
        self.assertEqual(client.open(path), [])
        client.notify("textDocument/didOpen", {"textDocument": {"uri": uri_of(words), "languageId": "text",
                                                                "version": 1, "text": "aapl\n"}})
        told = client.wait(lambda m: m.get("params", {}).get("uri") == uri_of(words) and m["params"]["diagnostics"])
        self.assertEqual(self.codes(told["params"]["diagnostics"]), ["symbol-never"])
        client.close(words)
        client.wait(lambda m: m.get("params", {}).get("uri") == uri_of(words) and not m["params"]["diagnostics"])

    def test_a_policy_that_others_may_write_is_told_as_lint_tells_it(self):
        client = self.client()
        path = self.file("ordergate: 1\n")
        os.chmod(path, 0o666)
        told = client.open(path)
        self.assertEqual(self.codes(told), ["file-unsafe"])
        self.assertIn("may be written by others", told[0]["message"])

    def test_a_policy_that_names_the_input_of_the_server_does_not_read_it(self):
        client = self.client()
        for number, name in enumerate(("/dev/stdin", "/dev/fd/0", "/proc/self/fd/0", "/dev/fd/1", "/dev/fd/3")):
            for text in (f"ordergate: 1\nextends: [{name}]\n", f"ordergate: 1\nextends: [./x/../..{self.dir}/link]\n",
                         f"ordergate: 1\nextends: [live]\nlists: {{own: {{file: {name}}}}}\n"):
                link = os.path.join(self.dir, "link")
                if os.path.islink(link):
                    os.remove(link)
                os.symlink(name, link)
                path = self.file(text, f"{number}.yaml")
                told = client.open(path)
                self.assertEqual([one["severity"] for one in told], [1], (text, told))
                self.assertIn("code", client.ask("no/such", {})["error"])
                client.close(path)
        test = self.file("ordergate-test: 1\npolicy: live\nat: 2026-01-15T10:00:00-05:00\ncases:\n"
                         "  - {name: a, orders: /dev/stdin, expect: {accepted: 0}}\n", "input_test.yaml")
        self.assertTrue(client.open(test))
        self.assertEqual(client.stop(), (0, ""))

    def test_what_is_open_in_two_documents_is_told_once(self):
        client = self.client()
        base = self.file("ordergate: 1\nunsure: maybe\n", "base.yaml")
        for name in ("a.yaml", "b.yaml"):
            client.open(self.file("ordergate: 1\nextends: [base.yaml]\n", name))
            self.assertEqual(len(client.diagnostics(base)), 1)
        client.close(os.path.join(self.dir, "a.yaml"))
        self.assertEqual(len(client.diagnostics(base)), 1)
        client.close(os.path.join(self.dir, "b.yaml"))
        self.assertEqual(client.diagnostics(base), [])


class Tests(Case):
    def test_faults_of_a_test_file_are_told_in_it_and_those_of_its_policy_there(self):
        client = self.client()
        policy = self.file("ordergate: 1\n")
        path = self.file("ordergate-test: 1\nat: sometime\ncases: []\n", "desk_test.yaml")
        told = client.open(path)
        self.assertEqual(told[0]["code"], "value-invalid")
        self.assertEqual(told[0]["range"], {"start": {"line": 1, "character": 4}, "end": {"line": 1, "character": 12}})
        self.assertEqual(len(client.open(policy, "ordergate: 1\nunsure: maybe\n")), 1)


class Format(Case):
    def test_it_is_what_fmt_makes_and_only_lines_that_change_are_edited(self):
        client = self.client()
        for text, lines in (("ordergate:   1\nname: é😀\nrules:\n    trading:  refuse\n", (0, 4)),
                            ("ordergate: 1\nname: é😀\nrules:\n    trading: refuse\nunsure: warn\n", (3, 4)),
                            ("ordergate: 1\n", None), ("ordergate: 1", None), ("ordergate: 1\n\n\n\nname: x", None)):
            path = self.file(text)
            client.open(path)
            edits = client.request("textDocument/formatting", {"textDocument": {"uri": uri_of(path)}, "options": {
                "tabSize": 8, "insertSpaces": False}})
            self.assertEqual(subprocess.run([GATE, "fmt", path], capture_output=True, check=False).returncode, 0)
            with open(path, encoding="utf-8", newline="") as f:
                self.assertEqual(apply(text, edits), f.read())
            if lines:
                self.assertEqual([(e["range"]["start"]["line"], e["range"]["end"]["line"]) for e in edits], [lines])
            client.close(path)

    def test_what_is_not_yaml_is_not_laid_out(self):
        client = self.client()
        path = self.file("a: [\n")
        client.open(path)
        answer = client.ask("textDocument/formatting", {"textDocument": {"uri": uri_of(path)}, "options": {}})
        self.assertEqual(answer["error"]["code"], -32803)


if __name__ == "__main__":
    unittest.main()
