"""The schema of policies accepts what the loader accepts, and rejects what the loader rejects for a key, a type,
a choice or a bound.

OG_BIN names the folder of the programs (CTest sets it).
"""
import copy
import glob
import json
import os
import random
import re
import subprocess
import tempfile
import unittest
from decimal import Decimal

from validator import KNOWN, Validator
import yaml_subset

GATE = os.path.join(os.environ["OG_BIN"], "ordergate")
ROOT = os.path.realpath(os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", ".."))
PATH = os.path.join(ROOT, "include", "ordergate", "schema", "policy.json")
RANDOM = 120


def gate(*args):
    return subprocess.run([GATE, *args], capture_output=True, timeout=600)


with open(PATH, encoding="utf-8") as f:
    SCHEMA = json.load(f, parse_float=Decimal)
RULES = json.loads(gate("rules", "--json").stdout)
VALIDATOR = Validator(SCHEMA)


def faults(policy):
    """Returns the violations of the policy's schema. Numbers are converted to the types that the validator uses."""
    return VALIDATOR.faults(json.loads(json.dumps(policy), parse_float=Decimal))


def shipped():
    return sorted(p for p in glob.glob(os.path.join(ROOT, "policies", "**", "*.yaml"), recursive=True)
                  if not p.endswith("_test.yaml"))


def read(path):
    with open(path, encoding="utf-8") as f:
        return f.read()


# --- random policies


class Maker:
    def __init__(self, seed):
        self.r = random.Random(seed)

    def within(self, low, high, step):
        low, high = round(low / step), round(min(high, low + 10**6) / step)
        n = self.r.choice((low, high, self.r.randint(low, high)))
        return n * step if step == 1 else round(n * step, 6)

    def value(self, s):
        kind = s["kind"]
        if kind == "choice":
            return self.r.choice(s["choices"])
        if kind == "words":
            return self.r.sample(["AAPL", "GME", "2026-01-15", 600, True, "a b"], self.r.randint(0, 3)) \
                if s["key"] in ("allowed", "penny_classes", "index_roots") else []
        if kind == "integer":
            return self.within(int(s["least"] or 0), int(s["most"] or 10**6), 1)
        if kind == "money":
            return self.within(float(s["least"] or 0), float(s["most"] or 10**6),
                               0.0001 if s["key"] == "stock_tick" else 0.01)
        return s["default"] or "5%"

    def said(self, rule, whole):
        locked = rule["locked"]
        said = {}
        if self.r.random() < 0.7:
            said["level"] = "refuse" if locked else self.r.choice(("off", "info", "warn", "refuse"))
        if self.r.random() < 0.3:
            said["unsure"] = self.r.choice(("warn", "refuse"))
        if self.r.random() < 0.2 and not locked:
            said["mode"] = self.r.choice(("enforce", "warn", "shadow"))
        if self.r.random() < 0.3:
            said["reasons"] = {self.r.choice(rule["reasons"])["id"]: "refuse"}
        for s in rule["settings"] or []:
            if self.r.random() < 0.5 or (whole and s["default"] is None):
                said[s["key"]] = self.value(s)
        return said

    def override(self, rule):
        o = self.said(rule, False)
        if self.r.random() < 0.8:
            o["match"] = self.r.choice(({"symbol": "^(SPY|QQQ)$"}, {"account": "L1", "side": "Buy"},
                                        {"securityType": ["Stock", "Option"]}, {"orderType": "Market"}, {"symbol": 5}))
        if self.r.random() < 0.4 or "match" not in o:
            o["when"] = self.r.choice(("order.symbol in lists.meme", "order.limitPrice >= 5.0", True))
        if self.r.random() < 0.3:
            o.update(until=self.r.choice(("2026-12-01T16:00:00-05:00", "2026-12-01T21:00:00.5Z")),
                     reason=self.r.choice(("a", 5)))
        return o

    def custom(self, i):
        c = {"id": f"own-rule-{i}", "require": self.r.choice(("order.limitPrice >= 5.0", "order.symbol in lists.meme"))}
        for key, values in (("when", ("order.action == \"Short\"", True)), ("level", ("off", "warn", "refuse")),
                            ("unsure", ("warn",)),
                            ("mode", ("shadow", "enforce")), ("lock", (True, False)),
                            ("message", ("of {order.symbol}", 5)), ("help", ("ask", False))):
            if self.r.random() < 0.4:
                c[key] = self.r.choice(values)
        if self.r.random() < 0.3:
            c.update(until="2027-01-01T00:00:00Z", reason="for now")
        return c

    def policy(self):
        p = {"ordergate": 1, "lists": {"meme": ["GME", "AMC", 5]}}
        for key, values in (("name", ("desk", "a+b_c.d-1", 5)), ("description", ("what", 7, True)),
                            ("unsure", ("warn", "refuse")),
                            ("extends", ("default", ["live"], [], ["default", "cautious"])),
                            ("mode", ("enforce", "warn", "shadow")), ("environment", ("paper", "live")),
                            ("max_age", ({"quotes": "2s", "account": "any"},
                                         {"borrow": "5m", "routes": "1h", "locates": "500ms"}))):
            if self.r.random() < 0.4:
                p[key] = self.r.choice(values)
        p["rules"] = {}
        for rule in self.r.sample(RULES, self.r.randint(0, 8)):
            said = self.said(rule, True)
            if self.r.random() < 0.2 and not any(s["default"] is None for s in rule["settings"] or []):
                p["rules"][rule["id"]] = "refuse" if rule["locked"] else self.r.choice(("off", "warn", "refuse"))
                continue
            if self.r.random() < 0.2:
                said["lock"] = True
            if self.r.random() < 0.3:
                said["overrides"] = [self.override(rule) for _ in range(self.r.randint(0, 2))]
            p["rules"][rule["id"]] = said
        if self.r.random() < 0.5:
            p["custom"] = [self.custom(i) for i in range(self.r.randint(0, 3))]
        return p

    # --- valid policies with one change that makes them invalid

    def maps(self, value, at=()):
        if isinstance(value, dict):
            yield at, value
            for key, item in value.items():
                yield from self.maps(item, at + (key,))
        elif isinstance(value, list):
            for i, item in enumerate(value):
                yield from self.maps(item, at + (i,))

    def spoil(self, policy):
        p = copy.deepcopy(policy)
        at, some = self.r.choice([(at, m) for at, m in self.maps(p) if at[:1] != ("lists",)])
        how = self.r.randrange(4)
        if how == 0 or not some:
            some["nobody_knows"] = 1
            return p
        key = self.r.choice(list(some))
        if how == 1:
            some[key] = {"a": {"b": 1}}
        elif how == 2:
            some[key] = [["x"]]
        elif isinstance(some[key], bool) or not isinstance(some[key], (int, float)):
            some[key] = "refuze" if isinstance(some[key], str) else [[]]
        else:
            some[key] = self.r.choice((-10**13, "many", 10**19))
        return p


# What only the loader can check, although it uses these codes: expressions, patterns, bounds of texts with a unit.
BY_SCHEMA = {"unknown-key", "unknown-rule", "wrong-type", "value-out-of-bounds", "value-invalid", "format-unknown",
             "key-missing"}
TEXTS = ("message", "help", "require", "when", "reason", "description", "name", "symbol", "account", "extends")


class Policy(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.path = os.path.join(folder.name, "p.yaml")

    def load(self, policy):
        """Load the policy with the program and return (exit code, stderr). The file is written as JSON, which is
        valid YAML."""
        with open(self.path, "w", encoding="utf-8") as f:
            json.dump(policy, f)
        done = gate("policy", "digest", self.path)
        return done.returncode, done.stderr.decode()

    def test_it_is_printed_by_both_commands(self):
        for args in (("schema", "policy"), ("policy", "schema")):
            self.assertEqual(gate(*args).stdout.decode(), read(PATH), args)
        self.assertEqual(gate("policy", "schema", "live").returncode, 2)

    def test_it_says_what_everything_is_for(self):
        self.assertEqual(SCHEMA["$schema"], "https://json-schema.org/draft/2020-12/schema")
        for rule in RULES:
            said = SCHEMA["properties"]["rules"]["properties"][rule["id"]]
            self.assertIn(rule["why"], said["description"])
            keys = said["anyOf"][1]["properties"]
            for s in rule["settings"] or []:
                self.assertIn(s["help"], keys[s["key"]]["description"])
                for example in keys[s["key"]]["examples"]:
                    self.assertEqual(VALIDATOR.faults(example, keys[s["key"]]), [], (rule["id"], s["key"]))
                if s["kind"] in ("integer", "money"):
                    for bound, word in ((s["least"], "minimum"), (s["most"], "maximum")):
                        self.assertEqual(keys[s["key"]].get(word), None if bound is None else Decimal(bound))
            for reason in rule["reasons"]:
                self.assertIn(reason["id"], keys["reasons"]["properties"])

    def test_every_shipped_policy_names_it_and_is_valid(self):
        self.assertGreater(len(shipped()), 9)
        for path in shipped():
            text = read(path)
            m = re.match(r"# yaml-language-server: \$schema=(\S+)\n", text)
            self.assertTrue(m, path)
            self.assertEqual(os.path.realpath(os.path.join(os.path.dirname(path), m[1])), PATH, path)
            self.assertEqual(VALIDATOR.faults(yaml_subset.read(text)), [], path)

    def test_what_policy_show_prints_is_valid(self):
        for path in shipped():
            shown = gate("policy", "show", path)
            self.assertEqual(shown.returncode, 0, path)
            self.assertEqual(VALIDATOR.faults(yaml_subset.read(shown.stdout.decode())), [], path)

    def test_random_policies(self):
        taken = refused = 0
        for seed in range(RANDOM):
            maker = Maker(seed)
            policy = maker.policy()
            code, words = self.load(policy)
            if code == 0:
                taken += 1
                self.assertEqual(faults(policy), [], (seed, policy))
            wrong = maker.spoil(policy)
            code, words = self.load(wrong)
            codes = set(re.findall(r"error: .*\[([a-z-]+)\]$", words, re.M))
            if code == 0:
                self.assertEqual(faults(wrong), [], (seed, wrong))
            elif codes and codes <= BY_SCHEMA and not self.only_a_text(policy, wrong):
                refused += 1
                self.assertNotEqual(faults(wrong), [], (seed, words, wrong))
        self.assertGreater(taken, RANDOM // 3)
        self.assertGreater(refused, RANDOM // 3)

    def only_a_text(self, a, b, key=None):
        """Returns True if the two values differ only in texts or numbers that the schema does not check and the
        loader does."""
        if isinstance(a, dict) and isinstance(b, dict) and a.keys() == b.keys():
            return all(self.only_a_text(a[k], b[k], k) for k in a)
        if isinstance(a, list) and isinstance(b, list) and len(a) == len(b):
            return all(self.only_a_text(x, y, key) for x, y in zip(a, b))
        return a == b or (key in TEXTS and not isinstance(b, (dict, list)))

    def test_what_it_refuses(self):
        for wrong in ({}, {"ordergate": 2}, {"ordergate": 1, "rulez": {}}, {"ordergate": 1, "rules": {"rout": "warn"}},
                      {"ordergate": 1, "rules": {"route": "warm"}}, {"ordergate": 1, "rules": {"order-form": "off"}},
                      {"ordergate": 1, "rules": {"order-notional": {"most": "5000"}}},
                      {"ordergate": 1, "rules": {"order-notional": {"most": -1}}},
                      {"ordergate": 1, "rules": {"price-collar": {"away": 5}}},
                      {"ordergate": 1, "rules": {"price-collar": {"overrides": [{"away": "1%"}]}}},
                      {"ordergate": 1, "rules": {"price-collar": {"overrides": [{"until": "2026-12-01T16:00:00Z",
                                                                                 "away": "1%"}]}}},
                      {"ordergate": 1, "rules": {"price-collar": {"overrides": [{"match": {"side": "By"},
                                                                                 "away": "1%"}]}}},
                      {"ordergate": 1, "max_age": {"quotes": "2 s"}}, {"ordergate": 1, "custom": [{"require": "true"}]},
                      {"ordergate": 1, "custom": [{"id": "route", "require": "true"}]},
                      {"ordergate": 1, "lists": {"1a": []}},
                      {"ordergate": 1, "unsure": "maybe"}, {"ordergate": 1, "name": "a b"},
                      {"ordergate": 1, "rules": {"price-collar": {"away": "100.01%"}}},
                      {"ordergate": 1, "rules": {"price-collar": {"away": "1000%"}}},
                      {"ordergate": 1, "rules": {"price-collar": {"away": "-5%"}}},
                      {"ordergate": 1, "rules": {"repeated-order": {"window": "0s"}}},
                      {"ordergate": 1, "max_age": {"quotes": "0ms"}},
                      {"ordergate": 1, "custom": [{"id": "a", "require": "true", "until": "2026-13-01T16:00:00Z",
                                                   "reason": "x"}]},
                      {"ordergate": 1, "lists": {"in": ["A"]}}, {"ordergate": 1, "extends": "livee"}):
            self.assertNotEqual(faults(wrong), [], wrong)
            self.assertEqual(self.load(wrong)[0], 3, wrong)

    def test_bounds_written_as_texts_are_to_the_point(self):
        for rule, key, value in (("price-collar", "away", "100%"), ("price-collar", "away", "100.00%"),
                                 ("price-collar", "away", "99.99%"),
                                 ("price-collar", "away", "0.01%"), ("concentration", "most", "10000%"),
                                 ("concentration", "most", "9999.5%"),
                                 ("repeated-order", "window", "1ms"), ("repeated-order", "window", "05s")):
            taken = {"ordergate": 1, "rules": {rule: {"level": "warn", key: value}}}
            self.assertEqual((self.load(taken)[0], faults(taken)), (0, []), taken)

    def test_the_validator_knows_every_keyword(self):
        def keywords(schema):
            if isinstance(schema, dict):
                for key, value in schema.items():
                    yield key
                    for inner in (value.values() if key in ("properties", "$defs") else [value]):
                        if key not in ("examples", "enum", "const", "dependentRequired"):
                            yield from keywords(inner)
            elif isinstance(schema, list):
                for inner in schema:
                    yield from keywords(inner)
        self.assertEqual(set(keywords(SCHEMA)) - KNOWN, set())


if __name__ == "__main__":
    unittest.main()
