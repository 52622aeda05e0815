"""The schema of policy test files: every shipped file names it and is valid; it accepts what the reader accepts,
and rejects what the reader rejects for a key, a type or a word.

OG_BIN names the folder of the programs (CTest sets it).
"""
import glob
import json
import os
import re
import subprocess
import tempfile
import unittest
from decimal import Decimal

from validator import Validator
import yaml_subset

GATE = os.path.join(os.environ["OG_BIN"], "ordergate")
ROOT = os.path.realpath(os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", ".."))
PATH = os.path.join(ROOT, "include", "ordergate", "schema", "test.json")

with open(PATH, encoding="utf-8") as f:
    VALIDATOR = Validator(json.load(f, parse_float=Decimal))

HEAD = {"ordergate-test": 1, "policy": "default", "at": "2026-01-15T10:00:00-05:00",
        "order": {"securityType": "Stock", "symbol": "AAPL"}}

# Everything that a case may contain, accepted by the reader and by the schema.
GOOD = [
    {"expect": "accept"}, {"expect": "..."}, {"expect": {"verdict": "..."}}, {"expect": {"reasons": []}},
    {"expect": {"reasons": "market-outside-hours", "warns": "..."}}, {"expect": {"includes": ["route-missing-live"]}},
    {"expect": {"predicts": "R78"}},
    {"expect": {"predicts": {"channel": "rejected", "code": "R78", "certainty": "stated"}}},
    {"expect": {"findings": {"rule": "route", "unsure": True, "message": "x", "message_matches": ".*"}}},
    {"expect": {"findings": [{"reason": "market-outside-hours", "level": "refuse", "predicts": "http-400"}]}},
    {"expect": {"margin": 400, "strategy": "iron-condor", "suggest": "none"}},
    {"expect": {"margin": {"required": "400.00", "available": None, "model": "strategy", "bound": True, "why": None}}},
    {"expect": {"strategy": {"name": "straddle", "direction": "debit", "maxLoss": 5.5, "maxGain": "..."}}},
    {"expect": {"suggest": {"at": "2026-01-15T09:30:00-05:00"}}}, {"expect": {"suggest": {"replaces": "stop1"}}},
    {"expect": {"suggest": 12, "margin": "...", "strategy": "none"}},
    {"at": "16:05", "account": "L1", "facts": {"quotes": {"AAPL": {"bid": 1}}, "asOf": None}, "expect": "refuse"},
    {"order": '{"a":1}', "expect": "refuse"},
    {"order": {"securityType": "Bond", "limitPrice": None}, "expect": "refuse"},
    {"request": {"op": "cancel", "clientOrderId": "a1"}, "expect": "accept", "description": "x"},
    {"orders": "o.ndjson", "independent": True, "expect": "accept"},
    {"table": {"columns": ["name", "order.orderQuantity", "facts.quotes.AAPL.bid", "verdict", "margin"],
               "rows": [["a", 5, None, "accept", {"required": 5}]]}},
    {"waivers": {"rule": "order-notional", "clientOrderId": "a1"}, "expect": {"waived": ["notional-above-limit"]}},
    {"waivers": [{"rule": "order-notional", "clientOrderId": "a1", "accountId": "L1", "by": "jo", "reason": "x",
                  "until": "16:05"}], "expect": {"findings": {"rule": "order-notional", "waived": True}}},
    {"waivers": [], "table": {"columns": ["order.orderQuantity", "waived"], "rows": [[5, []]]}},
    {"sequence": [{"waivers": {"rule": "order-notional", "clientOrderId": "a1"}, "expect": "accept"}]},
    {"sequence": [{"at": "10:00", "expect": "accept", "then": "filled"}, {"quote": {"symbol": "AAPL", "bid": 1}}]},
]
# ... and what both refuse.
WRONG = [
    {"expect": "maybe"}, {"expect": {}}, {"expect": []}, {"expect": {"verdicts": "accept"}},
    {"expect": {"verdict": "refused"}},
    {"expect": {"reasons": {"a": 1}}}, {"expect": {"predicts": ["R78"]}},
    {"expect": {"predicts": {"chanel": "accepted"}}},
    {"expect": {"predicts": {"certainty": "sure"}}}, {"expect": {"findings": "x"}},
    {"expect": {"findings": [{"level": "error"}]}},
    {"expect": {"findings": [{"text": "x"}]}}, {"expect": {"margin": {"requird": 1}}},
    {"expect": {"margin": {"required": "x"}}},
    {"expect": {"margin": {"model": "strat"}}}, {"expect": {"margin": []}}, {"expect": {"strategy": "iron-condr"}},
    {"expect": {"strategy": {"maxLoss": [1]}}}, {"expect": {"suggest": {"quantity": 1}}},
    {"expect": {"suggest": {"replaces": ["stop1"]}}},
    {"expect": {"margin": {"bound": "maybe"}}},
    {"order": {"symbl": "A"}, "expect": "accept"}, {"order": ["A"], "expect": "accept"},
    {"facts": ["x"], "expect": "accept"},
    {"request": "cancel", "expect": "accept"}, {"cases": [], "expect": "accept"}, {"at": [1], "expect": "accept"},
    {"table": {"columns": ["verdict"]}}, {"table": {"columns": ["verdicts"], "rows": [["accept"]]}},
    {"table": {"columns": ["verdict"], "rows": ["accept"]}}, {"table": {"columns": [], "rows": []}}, {"sequence": []},
    {"sequence": [{"then": "done"}]}, {"sequence": [{"order": {}, "request": {"op": "cancel"}}]},
    {"sequence": [{"expects": "accept"}]}, {"orders": "a", "sequence": [{"expect": "accept"}]},
    {"orders": "a", "independent": "yes", "expect": "accept"},
    {"waivers": "order-notional", "expect": "accept"}, {"waivers": {"rule": "order-notional"}, "expect": "accept"},
    {"waivers": {"rule": "order-notional", "clientOrderId": "a1", "order": "a1"}, "expect": "accept"},
    {"waivers": [["order-notional"]], "expect": "accept"}, {"expect": {"findings": {"waived": "jo"}}},
    {"waivers": {"rule": "order-notional", "clientOrderId": ["a1"]}, "expect": "accept"},
]
WRONG_FILES = [{}, {"ordergate-test": 2}, {"cases": []}, {"cases": {}}, {"polcy": "live"}, {"policy": []},
               {"policy": {"a": 1}},
               {"at": []}, {"order": []}, {"facts": []}, {"floor": ["a"]}, {"cases": ["a"]},
               {"cases": [{"expect": "accept"}]}]


def shipped():
    return sorted(glob.glob(os.path.join(ROOT, "policies", "**", "*_test.yaml"), recursive=True))


class Tests(unittest.TestCase):
    def read_by_gate(self, value):
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "a_test.yaml")
            with open(path, "w", encoding="utf-8") as f:
                f.write(json.dumps(value).replace('"..."', "...").replace("null",
                                                                          "~"))  # in quotation marks it is a text
            return subprocess.run([GATE, "test", "--list", path], capture_output=True, text=True, timeout=600)

    def faults(self, value):
        return VALIDATOR.faults(json.loads(json.dumps(value), parse_float=Decimal))

    def case(self, said):
        return {**HEAD, "cases": [{"name": "one", **said}]}

    def test_every_shipped_one_names_it_and_is_valid(self):
        self.assertGreater(len(shipped()), 8)
        for path in shipped():
            with open(path, encoding="utf-8") as f:
                text = f.read()
            m = re.match(r"# yaml-language-server: \$schema=(\S+)\n", text)
            self.assertTrue(m, path)
            self.assertEqual(os.path.realpath(os.path.join(os.path.dirname(path), m[1])), PATH, path)
            value = yaml_subset.read(text)
            self.assertGreater(len(value["cases"]), 0, path)
            self.assertEqual(VALIDATOR.faults(value), [], path)

    def test_what_the_reader_takes_it_takes(self):
        for said in GOOD:
            with self.subTest(said):
                done = self.read_by_gate(self.case(said))
                self.assertEqual((done.returncode, done.stderr), (0, ""))
                self.assertEqual(self.faults(self.case(said)), [])

    def test_what_the_reader_refuses_it_refuses(self):
        for value in [self.case(said) for said in WRONG] + [{**self.case({"expect": "accept"}), **w}
                                                            for w in WRONG_FILES if w]:
            with self.subTest(value):
                self.assertEqual(self.read_by_gate(value).returncode, 3)
                self.assertNotEqual(self.faults(value), [])
        self.assertNotEqual(self.faults({}), [])

    def test_both_ways_to_print_it(self):
        with open(PATH, "rb") as f:
            text = f.read()
        for args in (["schema", "test"], ["policy", "schema", "--tests"]):
            self.assertEqual(subprocess.run([GATE, *args], capture_output=True, check=True, timeout=600).stdout, text)


if __name__ == "__main__":
    unittest.main()
