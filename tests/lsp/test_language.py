#!/usr/bin/env python3
"""Hover shows what `ordergate explain` prints; completion offers what may stand at a place, also in an incomplete
document."""
import json
import re
import subprocess
import unittest

from lsp_client import GATE, apply, uri_of
from test_diagnostics import Case


def explained(word):
    done = subprocess.run([GATE, "explain", word], capture_output=True, text=True, timeout=600, check=False)
    assert done.returncode == 0, (word, done.stderr)
    return done.stdout


class Language(Case):
    """A text has one "|", the place of the cursor."""

    def setUp(self):
        super().setUp()
        self.server = self.client()

    def ask(self, method, text, name="desk.yaml"):
        at = text.index("|")
        path = self.file("ordergate: 1\n", name)
        self.server.open(path, text[:at] + text[at + 1:])
        before = text[:at].split("\n")
        answer = self.server.at(method, path, len(before) - 1, len(before[-1].encode("utf-16-le")) // 2)
        self.server.close(path)
        return answer

    def hover(self, text, name="desk.yaml"):
        answer = self.ask("hover", text, name)
        return answer and answer["contents"]["value"]

    def items(self, text, name="desk.yaml"):
        return {item["label"]: item for item in self.ask("completion", text, name)["items"]}

    def labels(self, text, name="desk.yaml"):
        return list(self.items(text, name))


class Hover(Language):
    def test_rules_reasons_names_and_codes_are_explained(self):
        for text, word in (
                ("ordergate: 1\nrules:\n  price-|collar: refuse\n", "price-collar"),
                ("ordergate: 1\nrules: {'ac|count': refuse}\n", "account"),
                ("ordergate: 1\nrules:\n  price-collar:\n    reasons: {limit-away-from-quote|: warn}\n",
                 "limit-away-from-quote"),
                ("ordergate: 1\nname: é😀\ncustom:\n  - id: own\n    message: 'é😀 {order.lim|itPrice}'\n",
                 "order.limitPrice"),
                ("ordergate: 1\ncustom:\n  - id: own\n    require: >-\n      order.opens &&\n      |session.open\n",
                 "session.open"),
                ("ordergate: 1\nunsure: warn # ordergate-lint: ignore unit-s|lip - a reason\n", "unit-slip")):
            self.assertEqual(self.hover(text), explained(word), text)
        test = "ordergate-test: 1\npolicy: live\ncases:\n  - expect: {reasons: [|field-type], predicts: R7|8}\n"
        self.assertEqual(self.hover(test.replace("R7|8", "R78"), "desk_test.yaml"), explained("field-type"))
        self.assertEqual(self.hover(test.replace("[|", "["), "desk_test.yaml"), explained("R78"))

    def test_settings_and_keys_are_described_as_the_schema_describes_them(self):
        done = subprocess.run([GATE, "policy", "schema"], capture_output=True, timeout=600, check=True)
        schema = json.loads(done.stdout)
        rule = schema["properties"]["rules"]["properties"]["price-collar"]["anyOf"][1]["properties"]
        for text, key, described in (
                ("rules:\n  price-collar:\n    aw|ay: 5%\n", "away", rule["away"]["description"]),
                ("rules: {price-collar: {overrides: [{match: {symbol: A}, aw|ay: 5%}]}}\n", "away",
                 rule["away"]["description"]),
                ("|unsure: warn\n", "unsure", schema["$defs"]["unsure"]["description"]),
                ("custom:\n- id: own\n- requ|ire: true\n", "require", schema["$defs"]["expression"]["description"])):
            self.assertEqual(self.hover("ordergate: 1\n" + text), f"{key}: {described}\n")

    def test_every_setting_of_the_reference_policy_has_a_description(self):
        done = subprocess.run([GATE, "policy", "defaults"], capture_output=True, text=True, timeout=600, check=True)
        path = self.file(done.stdout)
        self.server.open(path)
        seen = 0
        for number, line in enumerate(done.stdout.split("\n")):
            found = re.match(r"^( +)([a-z_A-Z-]+):", line)
            if found:
                said = self.server.at("hover", path, number, len(found[1]))
                self.assertIsNotNone(said, line)
                self.assertEqual(said["range"], {"start": {"line": number, "character": len(found[1])},
                                                 "end": {"line": number, "character": found.end() - 1}})
                seen += 1
        self.assertGreater(seen, 200)

    def test_a_rule_of_the_policy_itself_is_explained_as_the_editor_has_it(self):
        self.assertIn("Requires: order.opens",
                      self.hover("ordergate: 1\nextends: [live]\ncustom:\n"
                                 "  - id: ow|n-rule\n    require: order.opens\n"))

    def test_where_nothing_is_known_nothing_is_said(self):
        for text in ("ordergate: 1\nname: some|thing\n", "|", "ordergate: 1\n|\n", "ordergate: 1 # a comm|ent\n",
                     "rules: {no-such: {le|vle: 1}}\n"):
            self.assertIsNone(self.hover(text), text)


class Completion(Language):
    def test_keys_by_place(self):
        for text, some, none in (
                ("|", ["ordergate", "rules", "custom"], ["away", "id"]),
                ("ordergate: 1\nru|", ["rules"], ["level"]),
                ("ordergate: 1\nrules:\n  |\n", ["price-collar", "order-notional"], ["level", "rules", "refuse"]),
                ("ordergate: 1\nrules:\n  price-collar:\n    a|\n  account: refuse\n", ["away", "level", "overrides"],
                 ["most", "refuse"]),
                ("ordergate: 1\nrules:\n  price-collar: {level: refuse, |}\n", ["away", "reasons"], ["most", "warn"]),
                ("ordergate: 1\nrules:\n  price-collar: {\n    level: refuse, # {[\n    aw|", ["away"], ["most"]),
                ("ordergate: 1\nrules:\n  price-collar:\n    reasons:\n      |\n", ["limit-away-from-quote"], ["away"]),
                ("ordergate: 1\nrules:\n  price-collar:\n    overrides:\n      - match: {|}\n", ["symbol", "side"],
                 ["match", "away"]),
                ("ordergate: 1\nrules:\n  price-collar:\n    overrides:\n    - match: {side: Buy}\n      |\n",
                 ["away", "until"], ["symbol"]),
                ("ordergate: 1\ncustom:\n  - |", ["id", "require"], ["price-collar"]),
                ("ordergate: 1\ncustom:\n- id: a\n  |\n", ["when", "require"], ["price-collar"]),
                ("ordergate: 1\ncustom:\n- id: a\n|\n", ["rules", "lists"], ["when"]),
                ("ordergate: 1\nmax_age: {|", ["quotes", "positions"], ["rules"])):
            labels = self.labels(text)
            self.assertEqual([label for label in some if label not in labels], [], text)
            self.assertEqual([label for label in none if label in labels], [], text)

    def test_values_by_place(self):
        shipped = {"default", "paper", "live", "cautious", "small-account", "options-income", "short-seller"}
        for text, labels in (
                ("extends: [|]\n", shipped), ("extends: |\n", shipped), ("extends:\n  - li|\n", shipped),
                ("unsure: |\n", {"warn", "refuse"}), ("environment: l|ive\n", {"paper", "live"}),
                ("rules:\n  price-collar: |\n", {"off", "info", "warn", "refuse"}),
                ("rules: {price-collar: {quote: |}}\n", None),
                ("rules: {price-collar: {overrides: [{match: {side: [Buy, |]}}]}}\n", None)):
            seen = set(self.labels("ordergate: 1\n" + text))
            if labels is None:
                self.assertTrue(seen, text)
            else:
                self.assertEqual(seen, labels, text)
        test = "ordergate-test: 1\npolicy: live\ncases:\n  - name: a\n    expect: {verdict: |, reasons: [x]}\n"
        self.assertEqual(set(self.labels(test, "desk_test.yaml")), {"accept", "refuse", "..."})
        self.assertIn("field-required", self.labels(test.replace("|", "").replace("[x", "[fi|"), "desk_test.yaml"))
        self.assertIn("securityType", self.labels("ordergate-test: 1\norder: {sec|}\n", "desk_test.yaml"))

    def test_names_in_expressions(self):
        for text in ("custom:\n  - {id: a, require: order.li|}\n", "custom:\n  - id: a\n    when: order.opens && or|\n",
                     "custom:\n  - id: a\n    require: >-\n      order.opens ||\n      |\n".replace("||", "&&"),
                     "custom:\n  - id: a\n    message: 'é😀 {or|'\n",
                     "rules: {price-collar: {overrides: [{when: '|'}]}}\n"):
            labels = self.labels("ordergate: 1\nlists:\n  meme: [A]\n" + text)
            for name in ("order.limitPrice", "session.open", "lists.meme"):
                self.assertIn(name, labels, text)
        self.assertNotIn("order.limitPrice", self.labels("ordergate: 1\ncustom:\n  - id: a\n    message: 'or|'\n"))
        self.assertNotIn("order.limitPrice", self.labels("ordergate: 1\ncustom:\n  - id: a\n    help: or|\n"))

    def test_an_item_replaces_the_word_at_the_cursor(self):
        for text, label, becomes in (
                ("ordergate: 1\nname: 'é😀' #\nru|\n", "rules", "ordergate: 1\nname: 'é😀' #\nrules: \n"),
                ("ordergate: 1\nrules: {ord: {le|vel: warn}}\n", "overrides", None),
                ("ordergate: 1\nrules: {'é😀': 1, pri|ce: warn}\n", "price-collar",
                 "ordergate: 1\nrules: {'é😀': 1, price-collar: warn}\n"),
                ("ordergate: 1\ncustom: [{message: '😀', require: order.opens && order.lim|}]\n", "order.limitPrice",
                 "ordergate: 1\ncustom: [{message: '😀', require: order.opens && order.limitPrice}]\n"),
                ("ordergate: 1\nextends: [|live]\n", "paper", "ordergate: 1\nextends: [paper]\n")):
            items = self.items(text)
            if becomes is None:
                self.assertEqual(items, {})
            else:
                self.assertEqual(apply(text.replace("|", ""), [items[label]["textEdit"]]), becomes)

    def test_nothing_is_offered_in_comments(self):
        for text in ("ordergate: 1 # |\n", "# |\nordergate: 1\n", "rules: {a: b, # |\n"):
            self.assertEqual(self.labels(text), [])

    def test_every_place_of_a_text_has_an_answer_however_it_is_cut(self):
        text = ("ordergate: 1\nextends: [live, {a: [b, c: d]}]\nrules:\n  x: |\n    text\n\n   more\n"
                "  'y': \"a\\\"b\n   c\"\n"
                "  - - z: [1,\n 2, {3: 4}, }, ]\n\t- q\n? complex\n: v\n---\n*alias &anchor !tag\n'unclosed\n{[")
        for cut in range(len(text)):
            path = self.file("ordergate: 1\n")
            self.server.notify("textDocument/didOpen", {"textDocument": {
                "uri": uri_of(path), "languageId": "yaml", "version": 1, "text": text[:cut]}})
            lines = text[:cut].split("\n")
            for method in ("completion", "hover"):
                self.server.at(method, path, len(lines) - 1, len(lines[-1]))
                self.server.at(method, path, len(lines) // 2, 2)


if __name__ == "__main__":
    unittest.main()
