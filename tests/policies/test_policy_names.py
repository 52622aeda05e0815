#!/usr/bin/env python3
"""Names of policies that do not exist: what is proposed, and what lint --fix writes."""
import os
import unittest

from policy_case import PolicyCase, order

FAR = ["mine", "liv3s", "min", "caution", "lite2", "pa", "defaults2", "laver", "small", "demo"]
NEAR = {"lvie": "live", "LIVE": "live", "liv": "live", "papers": "paper", "defalt": "default", "cautous": "cautious"}


class PolicyNames(PolicyCase):
    def said(self, name):
        """Returns what check, lint, show and a policy that extends it say, without the list of all policies."""
        said = [self.gate("check", "-p", name, input=order().encode()), self.gate("lint", name),
                self.gate("policy", "show", name), self.gate("lint", self.policy("", extends=f"[{name}]"))]
        self.assertEqual([p.returncode for p in said], [3, 4, 3, 1])
        return [(p.stderr + p.stdout).decode().split("known: ")[0] for p in said]

    def test_no_policy_that_is_not_similar(self):
        for name in FAR:
            for text in self.said(name):
                self.assertNotIn("did you mean", text)

    def test_a_similar_one(self):
        for name, meant in NEAR.items():
            for text in self.said(name):
                self.assertIn(f"did you mean '{meant}'?", text)

    def test_a_file(self):
        for name in FAR + list(NEAR):
            for ending in (".yaml", ".yml"):
                with self.subTest(name + ending):
                    path = self.file(name + ending, "ordergate: 1\nextends: [live]\n")
                    for text in self.said(name):
                        self.assertIn(f"did you mean the file '{name}{ending}'?", text)
                    again = self.policy("", extends=f"[{name}]")
                    self.gate("lint", "--fix", again)
                    with open(again, encoding="utf-8") as f:
                        self.assertIn(f"extends: [{name}{ending}]", f.read())
                    os.remove(path)
        self.file("mine", "ordergate: 1\n")
        self.assertIn("did you mean the file './mine'?", self.said("mine")[0])


if __name__ == "__main__":
    unittest.main()
