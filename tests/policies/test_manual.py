#!/usr/bin/env python3
"""ordergate-policy(5): it can be formatted, its examples are valid policies, and it describes every key."""
import json
import os
import re
import shutil
import subprocess
import unittest

from policy_case import PolicyCase, order

TOP = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..")
PAGE = os.path.join(TOP, "tools", "ordergate-policy.5")


class Manual(PolicyCase):
    def setUp(self):
        super().setUp()
        with open(PAGE, encoding="utf-8") as f:
            self.text = f.read()

    def test_its_examples_are_policies(self):
        examples = re.findall(r"^\.Bd -literal -offset indent\n(.*?)^\.Ed$", self.text, re.M | re.S)
        self.assertEqual(len(examples), 6)
        self.file("hard-to-borrow.txt", "GME\n")
        self.file("semis.txt", "NVDA\nAMD\n")
        self.file("beta.txt", "# 2026-01-15\nNVDA=1.7\nSQQQ=-3\ndefault=1\n")
        for i, example in enumerate(examples):
            text = example if example.startswith("ordergate") else "ordergate: 1\n" + example
            p = self.file(f"e{i}.yaml", text)
            self.assertEqual([f for f in self.faults(p) if "error" in f], [], text)
            self.decide(p, order())

    def test_it_names_every_key(self):
        p = self.policy(
            "nothing: 1\nrules:\n  route: {nothing: 1, overrides: [{nothing: 1}]}\ncustom:\n  - {id: a, nothing: 1}\n")
        known = set()
        for fault in self.faults(p):
            found = re.search(r"known: (.*) \[unknown-key\]$", fault)
            known.update(found.group(1).split(", ") if found else ())
        self.assertGreater(len(known), 20)
        named = set(re.findall(r"[a-z_]+", " ".join(re.findall(r"^\.(?:It )?Cm (.*)$", self.text, re.M))))
        self.assertEqual(known - named, set())

    def named(self, mark):
        part = self.text.split(f'.\\" {mark}:')[1].split(f'.\\" end of {mark}')[0]
        return set(re.findall(r"[a-z]+(?:-[a-z]+)*", " ".join(re.findall(r"^\.Ic (.*)$", part, re.M))))

    def test_it_names_every_rule_that_may_bind_exits(self):
        rules = json.loads(self.gate("rules", "--json").stdout)
        have = {r["id"] for r in rules if any(s["key"] == "exits" for s in r.get("settings", ()))}
        self.assertEqual(self.named("exits"), have)

    def test_it_names_what_never_holds_up_an_exit(self):
        """Reasons that only warn of an order that reduces, and limits that do not apply to it, as explain has them."""
        have, free = set(), set()
        for rule in json.loads(self.gate("rules", "--json").stdout):
            told = self.gate("explain", rule["id"]).stdout.decode()
            have.update(re.findall(r"^  (\S+)\n(?:    .*\n)*?    Exits: at most warn", told, re.M))
            if re.search(r"does\s+not\s+bind\s+exits|binds\s+exits\s+only|exits\s+need\s+none", told):
                free.add(rule["id"])
        for mark, ids in (("spared", have), ("free", free | {"short-sales"})):  # whose reason says it in its own words
            self.assertEqual(self.named(mark), ids)
        self.assertGreater(len(have), 5)

    @unittest.skipUnless(shutil.which("groff"), "no groff")
    def test_it_can_be_formatted(self):
        done = subprocess.run(["groff", "-mdoc", "-Tutf8", "-ww", PAGE], capture_output=True, timeout=600, check=False)
        self.assertEqual((done.returncode, done.stderr), (0, b""))
        self.assertIn(b"\nLAYERS\n", re.sub(rb".\x08|\x1b\[[0-9;]*m", b"", done.stdout))


if __name__ == "__main__":
    unittest.main()
