"""The schemas fit every order, decision and facts document of the rule cases.

OG_BIN names the folder of the programs (CTest sets it).
"""
import copy
import json
import os
import re
import subprocess
import tempfile
import unittest

from rule_corpus import cases, exact
from validator import Validator

GATE = os.path.join(os.environ["OG_BIN"], "ordergate")
AT = "2026-01-15T15:00:00Z"

# The order schema in terms of the register: an order violates the schema exactly if it has one of these reasons.
FORM = {"field-required", "field-type", "security-type-enum", "symbol-pattern", "side-enum", "order-type-enum",
        "time-in-force-enum", "quantity-not-integer", "quantity-below-one", "quantity-above-million",
        "option-limit-above-max",
        "replaces-empty",
        "open-close-missing", "open-close-case", "open-close-invalid", "mleg-root-side", "mleg-too-few-legs",
        "mleg-too-many-legs", "mleg-leg-required", "mleg-leg-type", "mleg-leg-symbol-pattern", "mleg-leg-side-enum",
        "mleg-leg-ratio-range", "mleg-leg-open-close"}


def run(*args, data=None):
    return subprocess.run([GATE, *args], input=data, capture_output=True, timeout=600)


def schema(name):
    return Validator(exact(run("schema", name).stdout.decode()))


class Schemas(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.cases = [c for c in cases() if "\n" not in c[2] and len(c[2]) < 100000]
        cls.decision, cls.order, cls.facts = schema("decision"), schema("order"), schema("facts")

    def decisions(self, *options):
        data = "".join(line + "\n" for _, _, line, _ in self.cases).encode()
        p = run("check", "--at", AT, "--independent", *options, data=data)
        self.assertIn(p.returncode, (0, 1, 3), p.stderr)
        return {d["line"]: d for d in map(exact, p.stdout.decode().splitlines())}

    def test_there_are_many(self):
        self.assertGreater(len(self.cases), 1000)
        self.assertGreater(sum(len(facts) for _, _, _, facts in self.cases), 500)

    def test_orders(self):
        """An order violates the schema exactly if a rule about its form says so."""
        seen, broken = set(), 0
        got = self.decisions()
        for n, (table, name, line, _) in enumerate(self.cases, 1):
            d = got.get(n)
            if not d or "op" in d or "basket" in d or d["findings"] and d["findings"][0]["rule"] == "order-form":
                continue
            reasons = {f["reason"] for f in d["findings"]} & FORM
            faults = self.order.faults(exact(line))
            self.assertEqual(bool(faults), bool(reasons), (table, name, line, faults, reasons))
            seen |= reasons
            broken += bool(faults)
        self.assertEqual(seen, FORM)
        self.assertGreater(broken, 80)

    def test_decisions(self):
        channels = set()
        margin = ["--margin"] if b"--margin" in run("check", "--help").stdout else []
        for n, options in enumerate(([], ["-p", "live"], ["-p", "cautious"], ["-p", "paper", "--suggest", *margin])):
            for d in list(self.decisions(*options).values())[n::4 if n else 1]:
                self.assertEqual(self.decision.faults(d), [], d)
                channels.add(d["predicts"]["channel"])
        self.assertLessEqual({"accepted", "http-400", "http-404", "rejected", "unknown", "later"}, channels)

    def test_decisions_with_their_facts(self):
        seen = 0
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "facts.json")
            for table, name, line, facts in self.cases[::7]:
                if len(facts) != 1:
                    continue
                with open(path, "w", encoding="utf-8") as f:
                    f.write(facts[0])
                p = run("check", "--at", AT, "-f", path, "--suggest", data=line.encode() + b"\n")
                for text in p.stdout.decode().splitlines():
                    self.assertEqual(self.decision.faults(exact(text)), [], (table, name))
                    seen += 1
        self.assertGreater(seen, 50)

    def test_decisions_of_own_rules_and_what_is_only_watched(self):
        rules = "".join(f'  - {{id: own-{i}, require: "false", mode: {m}}}\n'
                        for i, m in enumerate(["enforce"] + ["shadow"] * 65))
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "p.yaml")
            with open(path, "w", encoding="utf-8") as f:
                f.write("ordergate: 1\nextends: [live]\ncustom:\n  - {id: near, require: quote.last > 1.0}\n" + rules)
            got = list(self.decisions("-p", path).values())[::40]
        for d in got:
            self.assertEqual(self.decision.faults(d), [], d)
        whole = next(d for d in got if "shadowCut" in d)
        self.assertEqual(len(whole["shadow"]), 64)
        own = next(f for f in whole["findings"] if f["rule"].startswith("own"))
        for change in (lambda f: f.update(rule="market-hours"), lambda f: f.update(reason="Own"),
                       lambda f: f.update(predicts={}), lambda f: f.update(rule="Own")):
            bad = copy.deepcopy(whole)
            change(bad["findings"][whole["findings"].index(own)])
            self.assertNotEqual(self.decision.faults(bad), [])
        whole["shadow"] = []
        self.assertNotEqual(self.decision.faults(whole), [])

    def test_decisions_that_are_none(self):
        order = {"securityType": "Stock", "symbol": "BRK/B"}
        good = exact(run("check", "--at", AT, data=json.dumps(order).encode() + b"\n").stdout.decode())
        self.assertEqual(self.decision.faults(good), [])
        finding = good["findings"][0]
        for change in (lambda d: d.pop("verdict"), lambda d: d.update(verdict="maybe"), lambda d: d.update(more=1),
                       lambda d: d["findings"][0].update(reason="no-such-reason"),
                       lambda d: d["findings"][0].update(rule="market-hours"),
                       lambda d: d["findings"][0].update(level="off"),
                       lambda d: d["findings"][0].pop("message"), lambda d: d.update(line=0),
                       lambda d: d.update(policy="x"),
                       lambda d: d["predicts"].update(channel="perhaps"), lambda d: d["predicts"].update(code="R1"),
                       lambda d: d.update(suggest={"orderQuantity": 1, "limitPrice": 2}), lambda d: d.update(at=5),
                       lambda d: d["findings"][0].update(unsure=False)):
            bad = copy.deepcopy(good)
            change(bad)
            self.assertNotEqual(self.decision.faults(bad), [], finding)

    def test_facts(self):
        seen = set()
        for table, name, _, facts in self.cases:
            for text in facts:
                document = exact(text)
                self.assertEqual(self.facts.faults(document), [], (table, name, text))
                seen |= set(document)
        self.assertLessEqual({"account", "positions", "orders", "routes", "borrow", "quotes", "gate", "locateHistory",
                              "locateInventory", "usedClientOrderIds", "accountList", "ages", "asOf", "accountId"},
                             seen | {"ages"})

    def test_what_an_absent_gate_means(self):
        """Without the gate's facts, only two of the rules that need them report them as missing, as the schema's
        description says."""
        told = exact(run("schema", "facts").stdout.decode())["properties"]["gate"]["description"]
        of_gate = {"order-rate", "repeated-order", "rejection-streak", "trading", "rate-budget", "locate-quote"}
        of_other_facts = {"locate-paper", "locate-easy-to-borrow", "locate-quote-open"}
        order = next(line for table, _, line, _ in self.cases if table.startswith("order-rate"))
        lines = (order, '{"op":"read","endpoint":"GET orders","accountId":"L1"}',
                 '{"op":"locate-quote","account":"L1","symbol":"F","quantity":100,"quoteReqID":"q"}')
        with tempfile.TemporaryDirectory() as folder:
            path, desk = os.path.join(folder, "facts.json"), os.path.join(folder, "desk.yaml")
            with open(desk, "w", encoding="utf-8") as f:
                f.write("ordergate: 1\nrules: {order-rate: {level: refuse, a_second: 1, a_minute: 1, a_day: 1},"
                        " repeated-order: warn, rejection-streak: {level: refuse, most: 1}}\n")
            for facts in ({"accountId": "L1"}, {"accountId": "L1", "gate": {}}):
                with open(path, "w", encoding="utf-8") as f:
                    json.dump(facts, f)
                done = run("check", "--at", AT, "-p", desk, "-f", path, data="\n".join(lines).encode())
                missed = {f["reason"] for text in done.stdout.decode().splitlines() for f in exact(text)["findings"]
                          if f["rule"] in of_gate and f.get("unsure")} - of_other_facts
                self.assertEqual(missed, {"rate-budget-exhausted", "locate-cooldown"})
        self.assertIn("calls and locateQuotes that are absent are not known", told)
        self.assertIn("nothing counts but what this run accepts", told)

    def test_facts_that_are_none(self):
        """Facts that violate the schema are rejected by the program too."""
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "facts.json")
            for bad in ({"position": []}, {"positions": {}}, {"positions": [{"side": "Up", "shares": 1}]},
                        {"positions": [7]},
                        {"account": []}, {"orders": [{"clientOrderId": "a"}]}, {"routes": [{}]}, {"borrow": {"GME": 1}},
                        {"borrow": []}, {"quotes": {"AAPL": 5}}, {"quotes": {"AAPL": {"bid": "1"}}}, {"asOf": 5},
                        {"ages": {"nothing": AT}}, {"ages": {"quotes": 5}},
                        {"locateInventory": [{"symbol": "GME", "available": -1}]},
                        {"locateHistory": [{"quoteReqID": "q1"}]}, {"usedClientOrderIds": [5]}, {"accountList": {}},
                        []):
                self.assertNotEqual(self.facts.faults(bad), [], bad)
                with open(path, "w", encoding="utf-8") as f:
                    json.dump(bad, f)
                self.assertEqual(run("check", "-f", path, data=b"").returncode, 3, bad)

    def test_the_validator_itself(self):
        for text, good, bad in (('{"type":"integer"}', [1, exact("1.0"), exact("1e2")],
                                 [True, exact("1.5"), "1", None]),
                                ('{"enum":[1,null]}', [1, None], [True, 2]), ('{"pattern":"^a$"}', ["a"], ["a\n", "b"]),
                                ('{"not":{"required":["a"]}}', [{}], [{"a": 1}]), ('{"items":false}', [[]], [[1]]),
                                ('{"oneOf":[{"minimum":1},{"minimum":2}]}', [1], [2, 0]),
                                ('{"if":{"const":1},"then":false,"else":{"maximum":5}}', [2], [1, 6])):
            v = Validator(exact(text))
            for value in good:
                self.assertEqual(v.faults(value), [], text)
            for value in bad:
                self.assertNotEqual(v.faults(value), [], (text, value))
        self.assertRaises(ValueError, Validator({"uniqueItems": True}).faults, [])
        self.assertTrue(re.search("^a$", "a\n"))  # why the validator ends patterns at the very end


if __name__ == "__main__":
    unittest.main()
