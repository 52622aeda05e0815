#!/usr/bin/env python3
"""Definition finds what a name means, through the layers; code actions are the repairs of `lint --fix`."""
import os
import shutil
import subprocess
import unittest

from lsp_client import AT, GATE, apply, path_of, uri_of
from test_diagnostics import Case, corpus


class Definition(Case):
    def define(self, path, text):
        """Returns where the name at "

        " is defined: (name of the file, the rest of that file from there).
        """
        at = text.index("|")
        client = self.client()
        client.open(path, text[:at] + text[at + 1:])
        before = text[:at].split("\n")
        found = client.at("definition", path, len(before) - 1, len(before[-1].encode("utf-16-le")) // 2)
        client.stop()
        if found is None:
            return None
        target = path_of(found["uri"])
        if target == path:
            content = text[:at] + text[at + 1:]
        else:
            with open(target, encoding="utf-8") as f:
                content = f.read()
        start = found["range"]["start"]
        line = content.split("\n")[start["line"]].encode("utf-16-le")[2 * start["character"]:]
        return os.path.relpath(target, self.dir), line.decode("utf-16-le")

    def setUp(self):
        super().setUp()
        self.base = self.file("ordergate: 1\nextends: [live]\nunsure: refuse\nmax_age: {quotes: 3s}\nrules:\n"
                              "  price-collar: {level: refuse, reasons: {limit-without-quote: warn}, away: 4%}\n"
                              "  order-notional: {level: refuse, most: 7000}\n"
                              "custom:\n  - {id: own-rule, message: 'é😀', require: order.opens}\n", "firm/base.yaml")
        self.path = self.file("ordergate: 1\n")
        self.head = "ordergate: 1\nextends: [firm/base.yaml]\nname: desk\n"

    def test_layers_lists_and_tested_policies_lead_to_their_files(self):
        self.file("AAPL\n", "words.txt")
        self.file("{}\n", "facts.json")
        test = os.path.join(self.dir, "desk_test.yaml")
        for path, text, target in (
                (self.path, "ordergate: 1\nextends: [live, 'firm/ba|se.yaml']\n", "firm/base.yaml"),
                (self.path, "ordergate: 1\nextends: ./firm/../firm/|base.yaml\n", "firm/base.yaml"),
                (self.path, "ordergate: 1\nextends:\n  - |firm/base.yaml\n", "firm/base.yaml"),
                (self.path, "ordergate: 1\nlists: {own: {file: w|ords.txt}}\n", "words.txt"),
                (test, "ordergate-test: 1\npolicy: firm/base|.yaml\n", "firm/base.yaml"),
                (test, "ordergate-test: 1\npolicy: [live, desk.yaml|]\n", "desk.yaml"),
                (test, "ordergate-test: 1\nfacts: {file: facts|.json}\n", "facts.json"),
                (test, "ordergate-|test: 1\n", "desk.yaml")):
            self.assertEqual(self.define(path, text)[0], target, text)
        for text in ("extends: [li|ve]\n", "extends: [no-such|.yaml]\n", "name: desk|.yaml\n", "# desk|.yaml\n"):
            self.assertIsNone(self.define(self.path, "ordergate: 1\n" + text), text)

    def test_a_setting_leads_to_the_layer_below_that_says_it(self):
        for text, begins in (
                ("rules: {price-collar: {a|way: 2%}}\n", "4%}"),
                ("rules:\n  price-collar:\n    le|vel: refuse\n", "refuse, reasons"),
                ("rules: {price-collar: {reasons: {limit-without|-quote: refuse}}}\n", "warn}, away"),
                ("rules: {order-notional: {'mo|st': 5000}}\n", "7000}"), ("un|sure: warn\n", "refuse"),
                ("max_age: {quo|tes: 1s}\n", "3s}")):
            self.assertEqual(self.define(self.path, self.head + text)[0], "firm/base.yaml", text)
            self.assertTrue(self.define(self.path, self.head + text)[1].startswith(begins), text)
        found = self.define(self.path, self.head + "rules: {price-|collar: {away: 2%}}\n")
        self.assertEqual(found[0], "firm/base.yaml")
        for text in ("rules: {exposure: {mo|st: 5000}}\n", "max_age: {bor|row: 1s}\n",
                     "rules: {order-notional: {most: 5000|}}\n", "rules: {no-such: {mo|st: 1}}\n"):
            self.assertIsNone(self.define(self.path, self.head + text), text)

    def test_names_of_lists_and_of_custom_rules(self):
        text = self.head + ("lists:\n  'no': [A]\n  meme: [GME]\ncustom:\n"
                            "  - {id: no-memes, when: order.opens, require: '!(order.symbol in lists.me|me)'}\n")
        self.assertEqual(self.define(self.path, text), ("desk.yaml", "meme: [GME]"))
        found = self.define(self.path, self.head + "custom: [{id: own-|rule, level: warn}]\n")
        self.assertEqual(found[0], "firm/base.yaml")
        self.assertIn("order.opens}", found[1])
        test = os.path.join(self.dir, "desk_test.yaml")
        self.file("ordergate: 1\nextends: [live]\ncustom:\n  - {id: own-rule, require: order.opens}\n")
        found = self.define(test, "ordergate-test: 1\ncases: [{expect: {reasons: [own-|rule]}}]\n")
        self.assertEqual(found, ("desk.yaml", "{id: own-rule, require: order.opens}"))


class Actions(Case):
    def actions(self, client, path, first=0, last=10 ** 6, only=None):
        return client.request("textDocument/codeAction", {
            "textDocument": {"uri": uri_of(path)},
            "range": {"start": {"line": first, "character": 0}, "end": {"line": last, "character": 0}},
            "context": {"diagnostics": [], **({"only": only} if only else {})}})

    def edits(self, action, path):
        self.assertEqual(list(action["edit"]["changes"]), [uri_of(path)])
        return action["edit"]["changes"][uri_of(path)]

    def test_all_at_once_is_what_lint_fix_makes_of_every_policy_of_the_corpus(self):
        client, changed, single = self.client(), 0, 0
        for name, files in corpus():
            with self.subTest(name):
                paths = [self.file(text, os.path.join(name, file)) for file, text in files]
                client.open(paths[0])
                text = files[0][1]
                all_of_it = self.actions(client, paths[0], only=["source.fixAll"])
                for action in self.actions(client, paths[0], only=["quickfix"]):
                    edits = self.edits(action, paths[0])
                    self.assertEqual(len(edits), 1)
                    self.assertEqual(len(action["diagnostics"]), 1)
                    self.assertIn(action["diagnostics"][0], client.diagnostics_of(paths[0]))
                    self.assertNotEqual(apply(text, edits), text)
                    single += 1
                client.close(paths[0])
                done = subprocess.run([GATE, "lint", "--fix", "--at", AT, paths[0]], capture_output=True, timeout=600,
                                      check=False)
                self.assertIn(done.returncode, (0, 1), done.stderr)
                with open(paths[0], encoding="utf-8", newline="") as f:
                    fixed = f.read()
                self.assertEqual(len(all_of_it), int(fixed != text))
                if all_of_it:
                    self.assertEqual(apply(text, self.edits(all_of_it[0], paths[0])), fixed)
                    changed += 1
        self.assertGreater(changed, 5)
        self.assertGreater(single, 5)

    def test_a_repair_is_one_small_edit_of_its_line(self):
        text = ("ordergate: 1\nname: 'é😀'\nrules: {'price-collar': {awya: 5%}}\nlists:\n  meme: [GME, AMC, GME]\n"
                "unsure: refuze\n")
        for encoding in ("utf-16", "utf-8"):
            client = self.client(encoding=encoding)
            path = self.file(text)
            client.open(path)
            self.assertEqual([a["title"] for a in self.actions(client, path, 2, 2, ["quickfix"])],
                             ["'awya' becomes 'away'"])
            self.assertEqual(len(self.actions(client, path, 0, 1)), 1)  # only all at once
            self.assertEqual(self.actions(client, path, 0, 1, ["quickfix"]), [])
            self.assertEqual(self.actions(client, path, 2, 2, ["refactor"]), [])
            one = self.actions(client, path, 4, 4, ["quickfix"])[0]
            self.assertEqual(apply(text, self.edits(one, path), encoding), text.replace(", GME]", "]"))
            whole = self.actions(client, path, 0, 0, ["source.fixAll.ordergate"])[0]
            self.assertEqual(apply(text, self.edits(whole, path), encoding),
                             text.replace("awya", "away").replace(", GME]", "]").replace("refuze", "refuse"))
            self.assertEqual(len(self.edits(whole, path)), 3)
            client.stop()

    def test_edits_name_the_version_where_the_client_takes_that_and_follow_the_text(self):
        client = self.client(initialize=False)
        client.request("initialize", {"capabilities": {"workspace": {"workspaceEdit": {"documentChanges": True}}}})
        path = self.file("ordergate: 1\n")
        client.open(path, "ordergate: 1\nunsure: refuze\n", 4)
        edit = self.actions(client, path, only=["quickfix"])[0]["edit"]
        self.assertEqual(edit["documentChanges"][0]["textDocument"], {"uri": uri_of(path), "version": 4})
        client.notify("textDocument/didChange", {
            "textDocument": {"uri": uri_of(path), "version": 5},
            "contentChanges": [{"text": "ordergate: 1\n\nunsure: wran\n"}]})
        edit = self.actions(client, path, only=["quickfix"])[0]["edit"]["documentChanges"][0]
        self.assertEqual((edit["textDocument"]["version"], edit["edits"][0]["newText"]), (5, "warn"))

    def test_a_finding_of_another_file_and_a_silenced_one_have_no_action(self):
        client = self.client()
        self.file("ordergate: 1\nunsure: refuze\n", "base.yaml")
        path = self.file("ordergate: 1\nextends: [base.yaml]\n")
        client.open(path)
        self.assertEqual(self.actions(client, path), [])
        path = self.file("ordergate: 1\nextends: [live]\n"
                         "lists: {own: [A, B, A]} # ordergate-lint: ignore duplicate-item - so be it\n", "quiet.yaml")
        client.open(path)
        self.assertEqual(self.actions(client, path), [])


class Lens(Case):
    def setUp(self):
        super().setUp()
        source = os.path.join(os.environ["OG_SOURCE"], "policies")
        for name in ("small-account.yaml", "small-account_test.yaml", "calm-facts.json"):
            shutil.copy(os.path.join(source, name), self.dir)
        self.policy = os.path.join(self.dir, "small-account.yaml")
        self.tests = os.path.join(self.dir, "small-account_test.yaml")
        with open(self.tests, encoding="utf-8") as f:
            self.text = f.read()
        done = subprocess.run([GATE, "test", "--format", "json", self.tests], capture_output=True, timeout=600,
                              check=False)
        self.assertEqual(done.returncode, 0, done.stderr)
        self.server = self.client()

    def title(self, path):
        lens = self.server.request("textDocument/codeLens", {"textDocument": {"uri": uri_of(path)}})
        self.assertEqual([one["command"]["command"] for one in lens], ["ordergate.test"])
        self.assertEqual(lens[0]["command"]["arguments"], [uri_of(path)])
        return lens[0]["command"]["title"]

    def run_tests(self, path):
        return self.server.request("workspace/executeCommand", {"command": "ordergate.test",
                                                                "arguments": [uri_of(path)]})

    def test_it_counts_what_ordergate_test_counts_and_failures_are_told_at_the_expectation(self):
        self.assertEqual(self.server.open(self.tests), [])
        passed = int(self.title(self.tests).split()[0])
        done = subprocess.run([GATE, "test", "-v", self.tests], capture_output=True, text=True, timeout=99, check=False)
        self.assertIn(f"{passed} passed, 0 failed", done.stdout)
        self.assertEqual(self.title(self.tests), f"{passed} passed, 0 failed")
        wrong = self.text + ("\n  - name: é😀 is wrong\n    expect: {verdict: refuse, reasons: [trading-halted]}\n")
        told = self.server.change(self.tests, wrong, 2)
        self.assertEqual({one["code"] for one in told}, {"test-failed"})
        line = wrong.split("\n").index("    expect: {verdict: refuse, reasons: [trading-halted]}")
        self.assertEqual({one["range"]["start"]["line"] for one in told}, {line})
        self.assertTrue(any("é😀 is wrong: reasons: expected" in one["message"] for one in told), told)
        self.assertEqual(self.title(self.tests), f"{passed} passed, 1 failed")

    def test_a_change_of_the_policy_in_the_editor_changes_the_results_of_its_tests(self):
        self.assertEqual(self.server.open(self.tests), [])
        whole = self.title(self.tests)
        with open(self.policy, encoding="utf-8") as f:
            policy = f.read()
        self.server.open(self.policy, policy)
        self.assertEqual(self.title(self.policy), whole)
        self.assertEqual(self.run_tests(self.policy), whole)
        self.server.change(self.policy, policy + "mode: shadow\n", 2)
        self.assertNotEqual(self.title(self.tests), whole)
        self.assertEqual(self.title(self.policy), self.title(self.tests))
        self.assertNotEqual(self.server.diagnostics_of(self.tests), [])
        self.server.change(self.policy, policy, 3)
        self.assertEqual(self.title(self.tests), whole)
        self.assertEqual(self.title(self.policy), whole)
        self.assertEqual(self.server.diagnostics_of(self.tests), [])

    def test_failures_of_tests_beside_an_open_policy_are_told_at_the_tests(self):
        with open(self.policy, encoding="utf-8") as f:
            policy = f.read()
        self.server.open(self.policy, policy + "mode: shadow\n")
        self.assertIn(" passed, ", self.title(self.policy))
        self.assertEqual({one["code"] for one in self.server.diagnostics_of(self.tests)}, {"test-failed"})
        self.server.open(self.tests)
        told = self.server.diagnostics_of(self.tests)
        self.assertEqual(len(told), len({str(one) for one in told}))  # each once
        self.server.close(self.policy)
        self.title(self.tests)
        self.assertEqual(self.server.diagnostics_of(self.tests), [])

    def test_what_cannot_be_run_says_so(self):
        told = self.server.open(self.tests, self.text + "\nno-such: 1\n")
        self.assertEqual([one["code"] for one in told], ["unknown-key"])
        self.assertEqual(self.title(self.tests), "the tests cannot be run")
        self.assertEqual(self.run_tests(self.tests), "the tests cannot be run")
        self.server.change(self.tests, self.text, 2)
        with open(self.policy, "a", encoding="utf-8") as f:
            f.write("no-such: 1\n")
        told = self.server.change(self.tests, self.text, 3)
        self.assertEqual([one["code"] for one in told], ["policy-unusable"])
        self.assertIn("no-such", told[0]["message"])

    def test_documents_without_tests_have_no_lens_and_unknown_commands_fail(self):
        path = self.file("ordergate: 1\n", "alone.yaml")
        self.server.open(path)
        self.assertEqual(self.server.request("textDocument/codeLens", {"textDocument": {"uri": uri_of(path)}}), [])
        for params in ({"command": "rm", "arguments": [uri_of(path)]}, {"command": "ordergate.test"},
                       {"command": "ordergate.test", "arguments": ["file:///no/such"]},
                       {"command": "ordergate.test", "arguments": [5]}):
            self.assertEqual(self.server.ask("workspace/executeCommand", params)["error"]["code"], -32602)

    def test_a_client_that_can_is_asked_to_renew_the_lens(self):
        client = self.client(initialize=False)
        client.request("initialize", {"capabilities": {"workspace": {"codeLens": {"refreshSupport": True}}}})
        client.open(self.tests)
        client.wait(lambda m: m.get("method") == "workspace/codeLens/refresh")


if __name__ == "__main__":
    unittest.main()
